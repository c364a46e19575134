//! First pass: the causal order of a trace, and which variables and locks matter (P4 section 6.1).
//!
//! The causal order is program order, fork/join (and what else [`trace::order`] keeps) and observation: what `R_t` of P4
//! section 3.2 has without the locks. An event's causal past is in *every* correct reordering that has the event; the
//! cones of section 4 start from it. Vector clocks compute it in one pass, as in SHB without the lock edges; an edge
//! whose source is in the past already is dropped.
//!
//! *A variable is relevant* if two conflicting accesses to it are unordered, where an access is compared before its own
//! observation counts: a write and the read that observes it directly do race. (P4 6.1 says "ordered by `R_t`", which
//! read literally orders such a pair and would lose the race.) If no such pair exists, every observation of the variable
//! is implied by other edges, so its events can be left out altogether: the first optimisation.
//! *A variable is a candidate* if it is relevant and no one lock protects all its accesses: a cheap bound for the second
//! optimisation, exact pairs are made later. Accesses of the first thread before any other, causally before all accesses
//! of others, do not count for the lock (initialisation).
//!
//! *Orders that are fixed as in the trace.* A wait comes behind all earlier notifications of its condition, and
//! conflicting atomic accesses to a variable that has read-modify-write pairs keep their order (another write between the
//! two halves would not be a run). Both are sound, and may be more than the program needs: [`Flavour::fixed`] switches
//! them off, and the difference of the two passes tells which pairs must be called undecided.
//!
//! Guarantee: `clocks` is the smallest transitive order with these edges; variables that are not relevant never decide
//! anything. Memory: 40 bytes for each variable, and one row of a clock for each edge that is not implied.

use std::sync::Arc;
use std::time::Instant;

use trace::order::{Must, Source};
use trace::{Counts, Event, EventId, Op, Trace, VarId};

use crate::pace::{OFTEN, is_over};

use super::bits::{Bits, Id, NONE};
use super::clocks::{Clocks, NO_ROW, after, before};
use super::locksets::{EMPTY, LocksetId, Locksets};

/// Which edges the causal order has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flavour {
    /// Reads come behind the write that they observe.
    pub observations: bool,
    /// Notifications and read-modify-writes keep the trace's order.
    pub fixed: bool,
}

/// What a trace has.
#[derive(Debug, Clone, Default)]
pub struct Survey {
    /// The number of threads.
    pub threads: usize,
    /// The number of variables.
    pub variables: usize,
    /// The number of locks.
    pub locks: usize,
    /// Whether notifications or read-modify-writes fix an order.
    pub has_fixed: bool,
    /// Variables with read-modify-writes.
    pub modified: Bits,
    /// Locks that several threads use.
    pub shared_locks: Bits,
    /// By lock: its acquire that is never released.
    pub unreleased: Vec<Id>,
    /// By lock: a thread that uses it.
    user: Vec<u32>,
    /// By thread: the variable that its last event read atomically.
    last: Vec<Option<VarId>>,
}

impl Survey {
    /// Looks at every event. `None` if the deadline passes.
    pub fn new(trace: &Trace, deadline: Option<Instant>) -> Option<Self> {
        let mut survey = Survey::default();
        survey.make_room(&trace.counts());
        let mut must = Must::default();
        let mut sources = Vec::new();
        for (id, event) in trace.iter() {
            if id.index() % OFTEN == 0 && is_over(deadline) {
                return None;
            }
            must.event(id, event, &mut sources);
            survey.has_fixed |= sources.drain(..).any(|source| source.is_notification);
            survey.event(id.0, event);
        }
        Some(survey)
    }

    fn make_room(&mut self, counts: &Counts) {
        (self.threads, self.variables, self.locks) = (counts.threads, counts.variables, counts.locks);
        self.modified.make_room(counts.variables);
        self.shared_locks.make_room(counts.locks);
        self.unreleased.resize(counts.locks, NONE);
        self.user.resize(counts.locks, NONE);
        self.last.resize(counts.threads, None);
    }

    #[inline]
    fn event(&mut self, id: Id, event: &Event) {
        let last = &mut self.last[event.thread.index()];
        let before = last.take();
        match event.op {
            Op::Acquire(lock) => {
                let lock = lock.index();
                if self.user[lock] != event.thread.0 {
                    if self.user[lock] == NONE {
                        self.user[lock] = event.thread.0;
                    } else {
                        self.shared_locks.insert(lock);
                    }
                }
                self.unreleased[lock] = id;
            }
            Op::Release(lock) => self.unreleased[lock.index()] = NONE,
            Op::AtomicRead(variable) => *last = Some(variable),
            Op::AtomicWrite(variable) if before == Some(variable) => {
                self.modified.insert(variable.index());
                self.has_fixed = true;
            }
            _ => {}
        }
    }
}

/// What the first pass finds out, for whoever indexes the trace afterwards.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// How many events it has seen.
    pub events: usize,
    /// What the trace has.
    pub survey: Arc<Survey>,
    /// The causal order.
    pub causal: Arc<Causal>,
}

/// The first pass while the trace is being read. Gives up when an order turns out to be fixed: then the pass needs to know
/// beforehand where.
#[derive(Debug)]
pub struct Preparation {
    counts: Counts,
    survey: Survey,
    must: Must,
    sources: Vec<Source>,
    pass: Pass,
    events: usize,
}

impl Default for Preparation {
    fn default() -> Preparation {
        let flavour = Flavour { observations: true, fixed: false };
        Preparation {
            counts: Counts::default(),
            survey: Survey::default(),
            must: Must::default(),
            sources: Vec::new(),
            pass: Pass::new(flavour, Bits::default()),
            events: 0,
        }
    }
}

impl Preparation {
    /// The next events of the trace.
    pub fn events(&mut self, events: &[Event]) {
        if self.survey.has_fixed {
            return;
        }
        events.iter().for_each(|event| self.counts.add(event));
        self.survey.make_room(&self.counts);
        self.pass.make_room(&self.counts, self.events + events.len());
        for event in events {
            let id = EventId(self.events as u32);
            self.events += 1;
            self.must.event(id, event, &mut self.sources);
            for source in self.sources.drain(..) {
                self.survey.has_fixed |= source.is_notification;
                self.pass.must(source, id.0, event);
            }
            self.survey.event(id.0, event);
            self.pass.event(id.0, event);
        }
    }

    /// What came of it, unless it gave up.
    pub fn finish(self) -> Option<Prepared> {
        (!self.survey.has_fixed).then(|| Prepared {
            events: self.events,
            survey: Arc::new(self.survey),
            causal: Arc::new(self.pass.finish()),
        })
    }
}

/// The causal order of a trace.
#[derive(Debug, Clone)]
pub struct Causal {
    /// The order.
    pub clocks: Clocks,
    /// By thread: the edges into it that no others imply, as (target, source), sorted.
    pub edges: Vec<Vec<(Id, Id)>>,
    /// Sources and targets of `edges`.
    pub endpoints: Bits,
    /// Variables with an unordered conflicting pair.
    pub relevant: Bits,
    /// Relevant variables that no single lock protects.
    pub candidates: Bits,
}

impl Causal {
    /// The causal order with these edges. `None` if the deadline passes.
    pub fn new(trace: &Trace, survey: &Survey, flavour: Flavour, deadline: Option<Instant>) -> Option<Self> {
        let mut pass = Pass::new(flavour, survey.modified.clone());
        let counts = Counts {
            threads: survey.threads,
            variables: survey.variables,
            locks: survey.locks,
            locations: 0,
        };
        pass.make_room(&counts, trace.len());
        let mut must = Must::default();
        let mut sources = Vec::new();
        for (id, event) in trace.iter() {
            if id.index() % OFTEN == 0 && is_over(deadline) {
                return None;
            }
            must.event(id, event, &mut sources);
            for source in sources.drain(..) {
                if flavour.fixed || !source.is_notification {
                    pass.must(source, id.0, event);
                }
            }
            pass.event(id.0, event);
        }
        Some(pass.finish())
    }
}

/// What the pass knows of a variable.
#[derive(Debug, Clone, Copy)]
struct Variable {
    /// The last write, its thread, and the last row of that thread's clock then.
    write: Id,
    writer: u32,
    row: u32,
    /// The last read since that write if one thread alone has read.
    read: Id,
    /// That thread, [`NONE`] if nobody has read; with several readers, `SEVERAL` and `read` is the list's number.
    reader: u32,
    /// The first thread to access it, and its last access before any other thread's.
    owner: u32,
    owned_until: Id,
    /// The locks held at all accesses of the owner in that time; at all accesses after it ([`NONE`] before there is any).
    owned_under: LocksetId,
    shared_under: LocksetId,
}

const SEVERAL: u32 = u32::MAX - 1;

const FRESH: Variable = Variable {
    write: NONE,
    writer: NONE,
    row: NO_ROW,
    read: NONE,
    reader: NONE,
    owner: NONE,
    owned_until: NONE,
    owned_under: EMPTY,
    shared_under: NONE,
};

/// The first pass under way.
#[derive(Debug)]
struct Pass {
    threads: usize,
    flavour: Flavour,
    /// Variables with read-modify-writes.
    modified: Bits,
    causal: Causal,
    variables: Vec<Variable>,
    /// Last reads by thread, for variables that several threads read.
    readers: Vec<Vec<Id>>,
    /// Last atomic accesses by thread, for variables with read-modify-writes: (write, reads).
    atomics: Vec<Vec<(Id, Id)>>,
    atomic_of: rustc_hash::FxHashMap<u32, usize>,
    locksets: Locksets,
    /// By thread: the locks held.
    held: Vec<LocksetId>,
}

impl Pass {
    fn new(flavour: Flavour, modified: Bits) -> Self {
        let causal = Causal {
            clocks: Clocks::new(0),
            edges: Vec::new(),
            endpoints: Bits::default(),
            relevant: Bits::default(),
            candidates: Bits::default(),
        };
        Pass {
            threads: 0,
            flavour,
            modified,
            causal,
            variables: Vec::new(),
            readers: Vec::new(),
            atomics: Vec::new(),
            atomic_of: rustc_hash::FxHashMap::default(),
            locksets: Locksets::default(),
            held: Vec::new(),
        }
    }

    /// There may be so many threads and variables, and so many events.
    fn make_room(&mut self, counts: &Counts, events: usize) {
        if counts.threads > self.threads {
            self.threads = counts.threads;
            self.causal.clocks.make_room(counts.threads);
            self.causal.edges.resize(counts.threads, Vec::new());
            self.held.resize(counts.threads, EMPTY);
            self.readers.iter_mut().for_each(|list| list.resize(counts.threads, NONE));
        }
        if self.flavour.observations && counts.variables > self.variables.len() {
            self.variables.resize(counts.variables, FRESH);
        }
        self.causal.relevant.make_room(counts.variables);
        self.causal.candidates.make_room(counts.variables);
        self.causal.endpoints.make_room(events);
    }

    /// An edge that every reordering keeps: it holds before the target happens.
    fn must(&mut self, source: Source, target: Id, event: &Event) {
        let from = source.thread.index();
        self.edge(event.thread.index(), target, from, source.event.0, None, before(target));
    }

    /// An edge, unless it is implied. `row` is the source's clock, looked up if not given.
    fn edge(&mut self, thread: usize, target: Id, from: usize, source: Id, row: Option<u32>, key: u64) {
        if from == thread || source < self.causal.clocks.now(thread)[from] {
            return;
        }
        let row = row.unwrap_or_else(|| self.causal.clocks.row_at(from, source + 1));
        self.causal.clocks.join(thread, key, from, row, source + 1);
        self.causal.edges[thread].push((target, source));
        self.causal.endpoints.insert(target as usize);
        self.causal.endpoints.insert(source as usize);
    }

    #[inline]
    fn event(&mut self, id: Id, event: &Event) {
        let thread = event.thread.index();
        match event.op {
            Op::Read(variable) if self.flavour.observations => self.read(id, thread, variable.index()),
            Op::Write(variable) if self.flavour.observations => self.write(id, thread, variable.index()),
            Op::AtomicRead(variable) if self.flavour.observations => {
                self.atomic(id, thread, variable.index(), false);
                self.read(id, thread, variable.index());
            }
            Op::AtomicWrite(variable) if self.flavour.observations => {
                self.atomic(id, thread, variable.index(), true);
                self.write(id, thread, variable.index());
            }
            Op::Acquire(lock) => self.held[thread] = self.locksets.with(self.held[thread], lock.0),
            Op::Release(lock) => self.held[thread] = self.locksets.without(self.held[thread], lock.0),
            _ => {}
        }
    }

    #[inline]
    fn read(&mut self, id: Id, thread: usize, variable: usize) {
        self.protection(id, thread, variable);
        let state = self.variables[variable];
        if state.write != NONE
            && state.writer as usize != thread
            && state.write >= self.causal.clocks.now(thread)[state.writer as usize]
        {
            self.causal.relevant.insert(variable);
            self.edge(thread, id, state.writer as usize, state.write, Some(state.row), after(id));
        }
        if !self.causal.relevant.contains(variable) {
            self.note_read(id, thread, variable);
        }
    }

    #[inline]
    fn note_read(&mut self, id: Id, thread: usize, variable: usize) {
        let state = &mut self.variables[variable];
        if state.reader == thread as u32 || state.reader == NONE {
            state.reader = thread as u32;
            state.read = id;
        } else if state.reader == SEVERAL {
            self.readers[state.read as usize][thread] = id;
        } else {
            let mut list = vec![NONE; self.threads];
            list[state.reader as usize] = state.read;
            list[thread] = id;
            state.reader = SEVERAL;
            state.read = self.readers.len() as u32;
            self.readers.push(list);
        }
    }

    #[inline]
    fn write(&mut self, id: Id, thread: usize, variable: usize) {
        self.protection(id, thread, variable);
        if !self.causal.relevant.contains(variable) && self.is_unordered(thread, variable) {
            self.causal.relevant.insert(variable);
        }
        let row = self.causal.clocks.last_row(thread);
        let state = &mut self.variables[variable];
        (state.write, state.writer, state.row) = (id, thread as u32, row);
        if state.reader == SEVERAL {
            self.readers[state.read as usize].fill(NONE);
        } else {
            state.reader = NONE;
        }
    }

    /// Whether the last write or a read since then is not in the past of this thread.
    fn is_unordered(&self, thread: usize, variable: usize) -> bool {
        let now = self.causal.clocks.now(thread);
        let is_open =
            |other: u32, id: Id| id != NONE && other as usize != thread && id >= now[other as usize];
        let state = &self.variables[variable];
        is_open(state.writer, state.write)
            || match state.reader {
                NONE => false,
                SEVERAL => {
                    let list = &self.readers[state.read as usize];
                    list.iter().enumerate().any(|(other, &id)| is_open(other as u32, id))
                }
                reader => is_open(reader, state.read),
            }
    }

    /// Keeps track of the locks that all accesses to a variable hold.
    #[inline]
    fn protection(&mut self, id: Id, thread: usize, variable: usize) {
        let held = self.held[thread];
        let state = &mut self.variables[variable];
        if state.shared_under == EMPTY {
            return;
        }
        if state.owner == NONE {
            (state.owner, state.owned_under) = (thread as u32, held);
        }
        if state.owner == thread as u32 && state.shared_under == NONE {
            state.owned_until = id;
            if state.owned_under != held {
                state.owned_under = self.locksets.intersect(state.owned_under, held);
            }
            return;
        }
        let mut under = if state.shared_under == NONE { held } else { state.shared_under };
        if under != held {
            under = self.locksets.intersect(under, held);
        }
        let owner = state.owner as usize;
        if owner != thread && state.owned_until >= self.causal.clocks.now(thread)[owner] {
            under = self.locksets.intersect(under, state.owned_under);
        }
        state.shared_under = under;
    }

    /// Conflicting atomic accesses to a variable with read-modify-writes keep their order.
    fn atomic(&mut self, id: Id, thread: usize, variable: usize, is_write: bool) {
        if !self.flavour.fixed || !self.modified.contains(variable) {
            return;
        }
        let fresh = self.atomics.len();
        let list = *self.atomic_of.entry(variable as u32).or_insert(fresh);
        if list == fresh {
            self.atomics.push(vec![(NONE, NONE); self.threads]);
        }
        for other in 0..self.threads {
            let (write, read) = self.atomics[list][other];
            for source in
                [Some(write), is_write.then_some(read)].into_iter().flatten().filter(|&id| id != NONE)
            {
                self.edge(thread, id, other, source, None, before(id));
            }
        }
        let own = &mut self.atomics[list][thread];
        if is_write {
            own.0 = id;
        } else {
            own.1 = id;
        }
    }

    fn finish(mut self) -> Causal {
        for (number, state) in self.variables.iter().enumerate() {
            if self.causal.relevant.contains(number) && state.shared_under == EMPTY {
                self.causal.candidates.insert(number);
            }
        }
        self.causal.clocks.shrink();
        self.causal
    }
}
