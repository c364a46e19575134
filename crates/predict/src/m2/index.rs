//! Second pass: what is left of the trace once everything irrelevant is left out (P4 section 6.1), ready for cones,
//! windows and candidate pairs.
//!
//! Each thread's *chain* has the accesses to relevant variables, the events of locks that several threads use, and the
//! ends of causal edges; everything else follows its neighbours when a witness is written out. With each chain event
//! goes its *link*: what a read observes, an acquire's release, a release's acquire. Critical sections are found again
//! from the chain, by lock and thread, and by the stretches in which a thread holds any lock.
//!
//! Candidate accesses are grouped into [`Class`]es: same variable, thread, location, kind and locks held. Unless all
//! accesses are asked for, of several accesses of one class that no release and no end of a causal edge separates only
//! the first is kept: a witness for a later one, without the events from the first on, is one for the first.
//!
//! The pass has two halves that do not need each other, chains and classes: on two cores they run side by side.
//!
//! Guarantee: leaves out no event that a constraint between threads depends on. Memory: 8 bytes for each chain event, 24
//! for each critical section, 4 for each candidate access.

use std::sync::Arc;
use std::time::Instant;

use rustc_hash::FxHashMap;
use trace::{Event, Op, Trace};

use crate::pace::{OFTEN, is_over};

use super::bits::{Id, NONE};
use super::causal::{Causal, Flavour, Prepared, Survey};
use super::locksets::{EMPTY, LocksetId, Locksets};

/// A thread's relevant events.
#[derive(Debug, Clone, Default)]
pub struct Chain {
    /// The events in order.
    pub events: Vec<Id>,
    /// For each: what a read observes, an acquire's release, a release's acquire; [`NONE`] if there is none.
    pub links: Vec<Id>,
    /// Sections that end, by their acquire: its place in the chain, and the section that was entered last among those
    /// open then, or [`NONE`]. What is open at some point is the last section entered before it and those above that
    /// one, as far as they have not ended.
    pub sections: Vec<(u32, u32)>,
    /// Stretches from an acquire with no lock held to the release with no lock held again; locks that are never
    /// released do not count.
    pub busy: Vec<(Id, Id)>,
}

/// An open critical section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Section {
    /// Whose.
    pub thread: usize,
    /// Of which lock.
    pub lock: u32,
    /// Where it begins.
    pub acquire: Id,
    /// Where it ends in the trace, or [`NONE`].
    pub release: Id,
}

/// Accesses that differ only in when they happen.
#[derive(Debug, Clone)]
pub struct Class {
    /// The variable.
    pub variable: u32,
    /// The thread.
    pub thread: usize,
    /// The program location.
    pub location: u32,
    /// Whether they write.
    pub is_write: bool,
    /// Whether they are atomic.
    pub is_atomic: bool,
    /// The locks held.
    pub locks: LocksetId,
    /// The accesses in order.
    pub events: Vec<Id>,
    /// The stretch of the thread in which the last one lies.
    segment: u32,
}

/// A trace, ready for questions about pairs of its events.
#[derive(Debug)]
pub struct Index<'t> {
    /// The trace.
    pub trace: &'t Trace,
    /// What the trace has.
    pub survey: Arc<Survey>,
    /// The causal order that witnesses keep.
    pub causal: Arc<Causal>,
    /// The causal order without fixed orders, if it differs.
    pub weak: Option<Causal>,
    /// By thread.
    pub chains: Vec<Chain>,
    /// By lock: (thread, acquire) sorted.
    pub acquires: Vec<Vec<(u32, Id)>>,
    /// Sections that never end.
    pub endless: Vec<Section>,
    /// Candidate accesses.
    pub classes: Vec<Class>,
    /// The locks held at them.
    pub locksets: Locksets,
    /// When to give up questions that take long.
    pub deadline: Option<Instant>,
}

/// Which accesses become candidates.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted {
    /// Only this variable.
    pub variable: Option<u32>,
    /// All accesses of a class, not only the first of each stretch.
    pub all: bool,
    /// Whether to use one thread only.
    pub alone: bool,
}

impl<'t> Index<'t> {
    /// Indexes a trace for prediction: reorderings keep observations. `None` if the deadline passes.
    pub fn new(trace: &'t Trace, wanted: Wanted, deadline: Option<Instant>) -> Option<Self> {
        Self::prepared(trace, None, wanted, deadline)
    }

    /// The same, if the first pass may have been done while the trace was read.
    pub fn prepared(
        trace: &'t Trace,
        prepared: Option<&Prepared>,
        wanted: Wanted,
        deadline: Option<Instant>,
    ) -> Option<Self> {
        match prepared.filter(|prepared| prepared.events == trace.len()) {
            Some(Prepared { survey, causal, .. }) => {
                Self::second_pass(trace, Arc::clone(survey), Arc::clone(causal), None, wanted, deadline)
            }
            None => Self::with_observations(trace, wanted, true, deadline),
        }
    }

    /// Indexes a trace's skeleton: reorderings keep program order, fork, join, barriers and locks.
    pub fn skeleton(trace: &'t Trace) -> Self {
        Self::with_observations(trace, Wanted::default(), false, None)
            .unwrap_or_else(|| unreachable!("there is no deadline"))
    }

    fn with_observations(
        trace: &'t Trace,
        wanted: Wanted,
        observations: bool,
        deadline: Option<Instant>,
    ) -> Option<Self> {
        let survey = Survey::new(trace, deadline)?;
        let fixed = observations && survey.has_fixed;
        let causal = Causal::new(trace, &survey, Flavour { observations, fixed }, deadline)?;
        let weak = match fixed {
            true => Some(Causal::new(trace, &survey, Flavour { observations, fixed: false }, deadline)?),
            false => None,
        };
        Self::second_pass(trace, Arc::new(survey), Arc::new(causal), weak, wanted, deadline)
    }

    fn second_pass(
        trace: &'t Trace,
        survey: Arc<Survey>,
        causal: Arc<Causal>,
        weak: Option<Causal>,
        wanted: Wanted,
        deadline: Option<Instant>,
    ) -> Option<Self> {
        let shared = Shared { trace, survey: &survey, causal: &causal, weak: weak.as_ref(), deadline };
        let (chains, classes) = if wanted.alone {
            (ChainPass::new(shared).run(), ClassPass::new(shared, wanted).run())
        } else {
            std::thread::scope(|scope| {
                let classes = scope.spawn(move || ClassPass::new(shared, wanted).run());
                let chains = ChainPass::new(shared).run();
                (chains, classes.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            })
        };
        let (ChainPass { chains, acquires, endless, .. }, ClassPass { classes, locksets, .. }) =
            (chains?, classes?);
        Some(Index { trace, survey, causal, weak, chains, acquires, endless, classes, locksets, deadline })
    }

    /// Whether the deadline has passed.
    pub fn is_late(&self) -> bool {
        is_over(self.deadline)
    }

    /// The causal order by which candidates are chosen: without fixed orders.
    pub fn weak(&self) -> &Causal {
        self.weak.as_ref().unwrap_or(&self.causal)
    }

    /// The thread of an event.
    #[inline]
    pub fn thread(&self, event: Id) -> usize {
        self.trace.events[event as usize].thread.index()
    }

    /// Where `thread` next holds no lock, if it holds one when its events below `bound` have happened: one past the
    /// release. Locks that are never released do not count.
    pub fn free_again(&self, thread: usize, bound: Id) -> Option<Id> {
        let busy = &self.chains[thread].busy;
        let at = busy.partition_point(|&(start, _)| start < bound).checked_sub(1)?;
        let end = busy[at].1;
        (end >= bound).then_some(end + 1)
    }

    /// The sections that are open when `thread`'s events below `bound` have happened.
    pub fn open_sections(&self, thread: usize, bound: Id, open: &mut Vec<Section>) {
        open.extend(
            self.endless.iter().filter(|section| section.thread == thread && section.acquire < bound),
        );
        let chain = &self.chains[thread];
        let entered = chain.sections.partition_point(|&(place, _)| chain.events[place as usize] < bound);
        let mut at = (entered as u32).wrapping_sub(1);
        while at != NONE {
            let (place, outer) = chain.sections[at as usize];
            let (acquire, release) = (chain.events[place as usize], chain.links[place as usize]);
            if release >= bound
                && let Op::Acquire(lock) = self.trace.events[acquire as usize].op
            {
                open.push(Section { thread, lock: lock.0, acquire, release });
            }
            at = outer;
        }
    }

    /// The last acquire of `lock` by `thread` below `bound`.
    pub fn last_acquire(&self, lock: u32, thread: usize, bound: Id) -> Option<Id> {
        let list = &self.acquires[lock as usize];
        let at = list.partition_point(|&entry| entry < (thread as u32, bound)).checked_sub(1)?;
        (list[at].0 as usize == thread).then_some(list[at].1)
    }

    /// The link of a chain event.
    pub fn link(&self, thread: usize, event: Id) -> Id {
        let chain = &self.chains[thread];
        chain.events.binary_search(&event).map_or(NONE, |at| chain.links[at])
    }

    /// The release that ends the section of `lock` in which `thread` is when its events below `bound` have happened.
    pub fn release_of(&self, lock: u32, thread: usize, bound: Id) -> Option<Id> {
        let acquire = self.last_acquire(lock, thread, bound)?;
        let release = self.link(thread, acquire);
        (release != NONE && release >= bound).then_some(release)
    }
}

/// What both halves of the second pass look at.
#[derive(Clone, Copy)]
struct Shared<'a> {
    trace: &'a Trace,
    survey: &'a Survey,
    causal: &'a Causal,
    weak: Option<&'a Causal>,
    deadline: Option<Instant>,
}

impl Shared<'_> {
    /// Whether a causal edge begins or ends there.
    #[inline]
    fn is_end(&self, id: Id) -> bool {
        self.causal.endpoints.contains(id as usize)
            || self.weak.is_some_and(|weak| weak.endpoints.contains(id as usize))
    }

    /// Gives every event to a half; says whether it came to the end before the deadline.
    #[inline]
    fn each(&self, mut take: impl FnMut(Id, &Event)) -> bool {
        for (number, events) in self.trace.events.chunks(OFTEN).enumerate() {
            if is_over(self.deadline) {
                return false;
            }
            for (i, event) in events.iter().enumerate() {
                take((number * OFTEN + i) as Id, event);
            }
        }
        true
    }
}

/// One half of the second pass: chains and critical sections.
struct ChainPass<'a> {
    shared: Shared<'a>,
    chains: Vec<Chain>,
    acquires: Vec<Vec<(u32, Id)>>,
    endless: Vec<Section>,
    /// By variable: the last write.
    writes: Vec<Id>,
    /// By thread: the open sections of shared locks that end, as (lock, number among the thread's sections).
    open: Vec<Vec<(u32, u32)>>,
}

impl<'a> ChainPass<'a> {
    fn new(shared: Shared<'a>) -> Self {
        ChainPass {
            chains: vec![Chain::default(); shared.survey.threads],
            acquires: vec![Vec::new(); shared.survey.locks],
            endless: Vec::new(),
            writes: vec![NONE; shared.survey.variables],
            open: vec![Vec::new(); shared.survey.threads],
            shared,
        }
    }

    /// `None` if the deadline passes.
    fn run(mut self) -> Option<Self> {
        let shared = self.shared;
        if !shared.each(|id, event| self.event(id, event.thread.index(), event.op)) {
            return None;
        }
        self.acquires.iter_mut().for_each(|list| list.sort_unstable());
        for chain in &mut self.chains {
            chain.events.shrink_to_fit();
            chain.links.shrink_to_fit();
        }
        Some(self)
    }

    #[inline]
    fn event(&mut self, id: Id, thread: usize, op: Op) {
        match op {
            Op::Read(v) | Op::Write(v) | Op::AtomicRead(v) | Op::AtomicWrite(v) => {
                if self.shared.causal.relevant.contains(v.index()) {
                    let link = if op.is_read() { self.writes[v.index()] } else { NONE };
                    if op.is_write() {
                        self.writes[v.index()] = id;
                    }
                    self.keep(id, thread, link);
                } else if self.shared.is_end(id) {
                    self.keep(id, thread, NONE);
                }
            }
            Op::Acquire(lock) => self.acquire(id, thread, lock.0),
            Op::Release(lock) => self.release(id, thread, lock.0),
            _ if self.shared.is_end(id) => self.keep(id, thread, NONE),
            _ => {}
        }
    }

    #[inline]
    fn keep(&mut self, id: Id, thread: usize, link: Id) {
        let chain = &mut self.chains[thread];
        chain.events.push(id);
        chain.links.push(link);
    }

    fn acquire(&mut self, id: Id, thread: usize, lock: u32) {
        if !self.shared.survey.shared_locks.contains(lock as usize) {
            if self.shared.is_end(id) {
                self.keep(id, thread, NONE);
            }
            return;
        }
        self.acquires[lock as usize].push((thread as u32, id));
        if self.shared.survey.unreleased[lock as usize] == id {
            self.endless.push(Section { thread, lock, acquire: id, release: NONE });
        } else {
            if self.open[thread].is_empty() {
                self.chains[thread].busy.push((id, NONE));
            }
            let outer = self.open[thread].last().map_or(NONE, |&(_, section)| section);
            let chain = &mut self.chains[thread];
            self.open[thread].push((lock, chain.sections.len() as u32));
            chain.sections.push((chain.events.len() as u32, outer));
        }
        self.keep(id, thread, NONE);
    }

    fn release(&mut self, id: Id, thread: usize, lock: u32) {
        let Some(at) = self.open[thread].iter().rposition(|&(other, _)| other == lock) else {
            if self.shared.is_end(id) {
                self.keep(id, thread, NONE);
            }
            return;
        };
        let (_, section) = self.open[thread].remove(at);
        let chain = &mut self.chains[thread];
        let place = chain.sections[section as usize].0 as usize;
        chain.links[place] = id;
        let acquire = chain.events[place];
        if self.open[thread].is_empty()
            && let Some(last) = chain.busy.last_mut()
        {
            last.1 = id;
        }
        self.keep(id, thread, acquire);
    }
}

/// The other half: the accesses that may race.
struct ClassPass<'a> {
    shared: Shared<'a>,
    wanted: Wanted,
    classes: Vec<Class>,
    locksets: Locksets,
    /// By thread: the locks held.
    held: Vec<LocksetId>,
    /// By thread: the stretch between separating events.
    segment: Vec<u32>,
    class_of: FxHashMap<(u32, u32, u32, u32, u8), u32>,
}

impl<'a> ClassPass<'a> {
    fn new(shared: Shared<'a>, wanted: Wanted) -> Self {
        ClassPass {
            wanted,
            classes: Vec::new(),
            locksets: Locksets::default(),
            held: vec![EMPTY; shared.survey.threads],
            segment: vec![0; shared.survey.threads],
            class_of: FxHashMap::default(),
            shared,
        }
    }

    /// `None` if the deadline passes.
    fn run(mut self) -> Option<Self> {
        let shared = self.shared;
        let candidates = &shared.weak.unwrap_or(shared.causal).candidates;
        let all = shared.each(|id, event| {
            let thread = event.thread.index();
            match event.op {
                Op::Read(v) | Op::Write(v) | Op::AtomicRead(v) | Op::AtomicWrite(v)
                    if candidates.contains(v.index()) =>
                {
                    self.candidate(id, thread, event.op, v.0, event.location.0);
                }
                Op::Acquire(lock) => self.held[thread] = self.locksets.with(self.held[thread], lock.0),
                Op::Release(lock) => {
                    self.held[thread] = self.locksets.without(self.held[thread], lock.0);
                    self.segment[thread] += 1;
                }
                _ => {}
            }
            if shared.is_end(id) {
                self.segment[thread] += 1;
            }
        });
        all.then_some(self)
    }

    /// Notes an access that may race.
    fn candidate(&mut self, id: Id, thread: usize, op: Op, variable: u32, location: u32) {
        if self.wanted.variable.is_some_and(|wanted| wanted != variable) {
            return;
        }
        let kind = u8::from(op.is_write()) | u8::from(op.is_atomic()) << 1;
        let locks = self.held[thread];
        let fresh = self.classes.len() as u32;
        let number = *self.class_of.entry((variable, thread as u32, location, locks, kind)).or_insert(fresh);
        let segment = self.segment[thread];
        if number == fresh {
            self.classes.push(Class {
                variable,
                thread,
                location,
                is_write: op.is_write(),
                is_atomic: op.is_atomic(),
                locks,
                events: vec![id],
                segment,
            });
            return;
        }
        let class = &mut self.classes[number as usize];
        if self.wanted.all || class.segment != segment {
            class.events.push(id);
            class.segment = segment;
        }
    }
}
