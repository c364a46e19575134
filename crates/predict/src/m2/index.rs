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
//! Guarantee: leaves out no event that a constraint between threads depends on. Memory: 8 bytes for each chain event, 24
//! for each critical section, 4 for each candidate access.

use std::sync::Arc;
use std::time::Instant;

use rustc_hash::FxHashMap;
use trace::{Op, Trace};

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
        let (threads, locks) = (survey.threads, survey.locks);
        let index = Index {
            trace,
            survey,
            causal,
            weak,
            chains: vec![Chain::default(); threads],
            acquires: vec![Vec::new(); locks],
            endless: Vec::new(),
            classes: Vec::new(),
            locksets: Locksets::default(),
            deadline,
        };
        let mut pass = Pass::new(index, wanted);
        for (id, event) in trace.iter() {
            if id.index() % OFTEN == 0 && is_over(deadline) {
                return None;
            }
            pass.event(id.0, event.thread.index(), event.op, event.location.0);
        }
        Some(pass.finish())
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

/// The second pass under way.
struct Pass<'t> {
    index: Index<'t>,
    wanted: Wanted,
    /// By variable: the last write.
    writes: Vec<Id>,
    /// By thread: the open sections of shared locks that end, as (lock, number among the thread's sections).
    open: Vec<Vec<(u32, u32)>>,
    /// By thread: the locks held.
    held: Vec<LocksetId>,
    /// By thread: the stretch between separating events.
    segment: Vec<u32>,
    class_of: FxHashMap<(u32, u32, u32, u32, u8), u32>,
}

impl<'t> Pass<'t> {
    fn new(index: Index<'t>, wanted: Wanted) -> Self {
        let threads = index.survey.threads;
        let variables = index.survey.variables;
        Pass {
            index,
            wanted,
            writes: vec![NONE; variables],
            open: vec![Vec::new(); threads],
            held: vec![EMPTY; threads],
            segment: vec![0; threads],
            class_of: FxHashMap::default(),
        }
    }

    #[inline]
    fn event(&mut self, id: Id, thread: usize, op: Op, location: u32) {
        let is_end = self.index.causal.endpoints.contains(id as usize)
            || self.index.weak.as_ref().is_some_and(|weak| weak.endpoints.contains(id as usize));
        match op {
            Op::Read(v) | Op::Write(v) | Op::AtomicRead(v) | Op::AtomicWrite(v) => {
                if self.index.weak().candidates.contains(v.index()) {
                    self.candidate(id, thread, op, v.0, location);
                }
                if self.index.causal.relevant.contains(v.index()) {
                    let link = if op.is_read() { self.writes[v.index()] } else { NONE };
                    if op.is_write() {
                        self.writes[v.index()] = id;
                    }
                    self.keep(id, thread, link);
                } else if is_end {
                    self.keep(id, thread, NONE);
                }
            }
            Op::Acquire(lock) => {
                self.held[thread] = self.index.locksets.with(self.held[thread], lock.0);
                self.acquire(id, thread, lock.0, is_end);
            }
            Op::Release(lock) => {
                self.held[thread] = self.index.locksets.without(self.held[thread], lock.0);
                self.release(id, thread, lock.0, is_end);
            }
            _ if is_end => self.keep(id, thread, NONE),
            _ => {}
        }
        if is_end {
            self.segment[thread] += 1;
        }
    }

    #[inline]
    fn keep(&mut self, id: Id, thread: usize, link: Id) {
        let chain = &mut self.index.chains[thread];
        chain.events.push(id);
        chain.links.push(link);
    }

    fn acquire(&mut self, id: Id, thread: usize, lock: u32, is_end: bool) {
        if !self.index.survey.shared_locks.contains(lock as usize) {
            if is_end {
                self.keep(id, thread, NONE);
            }
            return;
        }
        self.index.acquires[lock as usize].push((thread as u32, id));
        if self.index.survey.unreleased[lock as usize] == id {
            self.index.endless.push(Section { thread, lock, acquire: id, release: NONE });
        } else {
            if self.open[thread].is_empty() {
                self.index.chains[thread].busy.push((id, NONE));
            }
            let outer = self.open[thread].last().map_or(NONE, |&(_, section)| section);
            let chain = &mut self.index.chains[thread];
            self.open[thread].push((lock, chain.sections.len() as u32));
            chain.sections.push((chain.events.len() as u32, outer));
        }
        self.keep(id, thread, NONE);
    }

    fn release(&mut self, id: Id, thread: usize, lock: u32, is_end: bool) {
        self.segment[thread] += 1;
        let Some(at) = self.open[thread].iter().rposition(|&(other, _)| other == lock) else {
            if is_end {
                self.keep(id, thread, NONE);
            }
            return;
        };
        let (_, section) = self.open[thread].remove(at);
        let chain = &mut self.index.chains[thread];
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

    /// Notes an access that may race.
    fn candidate(&mut self, id: Id, thread: usize, op: Op, variable: u32, location: u32) {
        if self.wanted.variable.is_some_and(|wanted| wanted != variable) {
            return;
        }
        let kind = u8::from(op.is_write()) | u8::from(op.is_atomic()) << 1;
        let locks = self.held[thread];
        let fresh = self.index.classes.len() as u32;
        let number = *self.class_of.entry((variable, thread as u32, location, locks, kind)).or_insert(fresh);
        let segment = self.segment[thread];
        if number == fresh {
            self.index.classes.push(Class {
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
        let class = &mut self.index.classes[number as usize];
        if self.wanted.all || class.segment != segment {
            class.events.push(id);
            class.segment = segment;
        }
    }

    fn finish(mut self) -> Index<'t> {
        for list in &mut self.index.acquires {
            list.sort_unstable();
        }
        for chain in &mut self.index.chains {
            chain.events.shrink_to_fit();
            chain.links.shrink_to_fit();
        }
        self.index
    }
}
