//! The model of P3 (sections 3 and 5.1) of a trace: events as nodes, and the edges of G, G_D and G_E.
//!
//! Synchronisation events: fork, join, acquire and release (a lock is a binary semaphore), barriers, notify and wait,
//! atomic accesses. Computation events: in the views of accesses, each access to a variable with an apparent race; in the
//! view of segments, what a thread does between two synchronisation events. Accesses to variables without apparent races
//! need no node: what they could order is ordered already.
//!
//! Edges of G across threads are those of happens-before in the order of the run (the same as [`predict::sync`]): fork to
//! the child's start, end to join, release to the next acquire, a barrier's arrivals to its departures, notification to
//! later waits, atomic write to the atomic reads that observe it. Every thread has a start and an end node, a barrier
//! event an arrival and a departure, a round of a barrier a node between them.
//!
//! Direct dependences (G_D): in the order of the run, from the last write to reads and to the next write, from reads to
//! the next write; where the order is not known, [`crate::unordered`]. Atomic accesses are always in their order. Event
//! control (G_E): those dependences from a write to a read that observes it (or could), and only if the read's value may
//! steer control. Where it is known that a value steers only later, the edge leads to the place of its use: a node of its
//! own in the views of accesses, the segment of the use in that of segments.
//!
//! For ordering in the order of the run there are edges besides: to a read that steers, from the next write of another
//! thread, if it is unordered with it. The read just missed that write; what it saw instead, and all that
//! followed, is an outcome of their race as much as if it had observed it. (P3 has these edges too: it does not know the
//! order.)

use base::Budget;
use predict::sync::{Clocks, Edges};
use rustc_hash::{FxHashMap, FxHashSet};
use trace::{Event, EventId, LockId, Op, ThreadId, Trace, VarId};

use crate::apparent::{Access, Apparent, Detector};
use crate::graph::{Chains, NONE};
use crate::unordered::{Users, what};
use crate::{EventControl, View};

/// Happens-before.
const EDGES: Edges = Edges { locks: true, own: true, atomics_ordered: false };

/// Nodes and edges.
#[derive(Debug, Default)]
pub(crate) struct Model {
    pub chains: Chains,
    /// Edges of G across threads.
    pub sync: Vec<(u32, u32)>,
    /// Edges of G_D that are not of G.
    pub data: Vec<(u32, u32)>,
    /// Edges of G_E that are not of G.
    pub control: Vec<(u32, u32)>,
    /// In the order of the run: edges to reads from the writes that they just missed. Only for ordering.
    pub missed: Vec<(u32, u32)>,
    /// By variable with apparent races: whether a read of it steers.
    pub steering: FxHashSet<VarId>,
    /// The apparent races, the first one of each pair of classes.
    pub apparent: Vec<Apparent>,
}

/// Builds the model, if it is done in time; `racy` says by variable whether it has an apparent race.
pub(crate) fn build(
    trace: &Trace,
    racy: &[bool],
    control: EventControl<'_>,
    view: View,
    budget: Budget,
) -> Option<Model> {
    let mut builder = Builder::new(racy, control, view);
    for (id, e) in trace.iter() {
        if id.0 % LOOK == 0 && budget.is_over() {
            return None;
        }
        builder.event(id, e);
    }
    Some(builder.finish())
}

/// Events between two looks at the clock.
const LOOK: u32 = 1024;

#[derive(Debug, Clone, Copy)]
struct ThreadState {
    started: bool,
    /// The node of its end, if it has been joined.
    end: u32,
    /// The computation event under way.
    segment: u32,
    /// The barrier at which it stands, and the number of the round.
    stands: Option<(LockId, u32)>,
}

const IDLE: ThreadState = ThreadState { started: false, end: NONE, segment: NONE, stands: None };

#[derive(Debug, Default)]
struct Round {
    arrivals: Vec<u32>,
    /// The node between arrivals and departures, once one has departed.
    hub: Option<u32>,
}

/// The accesses to a variable in the order of the run, as far as later ones depend on them.
#[derive(Debug)]
struct Order {
    write: u32,
    reads: Vec<u32>,
    /// Reads that steer and have missed no write yet: node and time, the first one at each time.
    steering: Vec<(u32, u32)>,
}

struct Builder<'a> {
    racy: &'a [bool],
    control: EventControl<'a>,
    view: View,
    clocks: Clocks,
    model: Model,
    detector: Detector,
    threads: Vec<ThreadState>,
    releases: Vec<u32>,
    notified: FxHashMap<LockId, Vec<u32>>,
    rounds: Vec<Round>,
    open: FxHashMap<LockId, u32>,
    /// By variable: the atomic write that is its last write.
    atomic: FxHashMap<VarId, u32>,
    order: FxHashMap<VarId, Order>,
    users: FxHashMap<VarId, Users>,
    /// By the event before which a value will be used: the variable, and the node that wrote it where that is known.
    uses: FxHashMap<EventId, Vec<(VarId, u32)>>,
}

/// When the value of a read steers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Steers {
    Never,
    AtOnce,
    Before(EventId),
}

impl<'a> Builder<'a> {
    fn new(racy: &'a [bool], control: EventControl<'a>, view: View) -> Builder<'a> {
        Builder {
            racy,
            control,
            view,
            clocks: Clocks::new(EDGES),
            model: Model::default(),
            detector: Detector::default(),
            threads: Vec::new(),
            releases: Vec::new(),
            notified: FxHashMap::default(),
            rounds: Vec::new(),
            open: FxHashMap::default(),
            atomic: FxHashMap::default(),
            order: FxHashMap::default(),
            users: FxHashMap::default(),
            uses: FxHashMap::default(),
        }
    }

    fn thread(&mut self, t: ThreadId) -> &mut ThreadState {
        if t.index() >= self.threads.len() {
            self.threads.resize(t.index() + 1, IDLE);
        }
        &mut self.threads[t.index()]
    }

    /// The thread has a start node.
    fn start(&mut self, t: ThreadId) {
        if !std::mem::replace(&mut self.thread(t).started, true) {
            self.model.chains.push(t.0);
        }
    }

    /// A node for a synchronisation event: the segment before it ends.
    fn node(&mut self, t: ThreadId) -> u32 {
        self.thread(t).segment = NONE;
        self.model.chains.push(t.0)
    }

    fn event(&mut self, id: EventId, e: &Event) {
        let t = e.thread;
        let time = self.clocks.time(t);
        self.start(t);
        self.leave_barrier(t);
        if !self.uses.is_empty() {
            self.used(id, t, time);
        }
        self.clocks.event(e);
        match e.op {
            Op::Read(v) | Op::Write(v) => {
                if e.op.is_write() && !self.atomic.is_empty() {
                    self.atomic.remove(&v);
                }
                if self.racy.get(v.index()).copied().unwrap_or(false) {
                    let node = self.computation(t);
                    self.access(id, e, v, node, time);
                }
            }
            Op::AtomicRead(v) | Op::AtomicWrite(v) => self.atomic_access(id, e, v, time),
            Op::Acquire(l) => {
                let node = self.node(t);
                if let Some(&release) = self.releases.get(l.index()).filter(|&&r| r != NONE) {
                    self.across(release, node);
                }
            }
            Op::Release(l) => {
                let node = self.node(t);
                if l.index() >= self.releases.len() {
                    self.releases.resize(l.index() + 1, NONE);
                }
                self.releases[l.index()] = node;
            }
            Op::Fork(child) => {
                let node = self.node(t);
                self.start(child);
                let begin = self.model.chains.last[child.index()];
                self.across(node, begin);
            }
            Op::Join(child) => {
                self.start(child);
                let end = self.end(child);
                let node = self.node(t);
                self.across(end, node);
            }
            Op::Barrier(b) => self.arrive(t, b),
            Op::Notify(c) => {
                let node = self.node(t);
                let chains = &self.model.chains;
                let notified = self.notified.entry(c).or_default();
                // An earlier notification by the same thread is implied by this one.
                notified.retain(|&n| chains.thread[n as usize] != t.0);
                notified.push(node);
            }
            Op::Wait(c) => {
                let node = self.node(t);
                let notified = self.notified.get(&c).map(Vec::as_slice).unwrap_or_default();
                self.model.sync.extend(notified.iter().map(|&n| (n, node)));
            }
            Op::Begin | Op::End | Op::AcquireAgain(_) | Op::ReleaseInner(_) => {}
        }
    }

    /// An edge of G between two threads.
    fn across(&mut self, from: u32, to: u32) {
        self.model.sync.push((from, to));
    }

    /// The node of the computation event that a plain access belongs to.
    fn computation(&mut self, t: ThreadId) -> u32 {
        let segment = self.thread(t).segment;
        if self.view == View::Segments && segment != NONE {
            return segment;
        }
        let node = self.model.chains.push(t.0);
        self.thread(t).segment = node;
        node
    }

    fn atomic_access(&mut self, id: EventId, e: &Event, v: VarId, time: u32) {
        let node = self.node(e.thread);
        if e.op.is_write() {
            self.atomic.insert(v, node);
        } else if let Some(&write) = self.atomic.get(&v) {
            self.across(write, node);
        }
        if self.racy.get(v.index()).copied().unwrap_or(false) {
            self.access(id, e, v, node, time);
        } else {
            self.in_order(id, e, v, node);
        }
        self.thread(e.thread).segment = NONE;
    }

    /// An access to a variable with apparent races.
    fn access(&mut self, id: EventId, e: &Event, v: VarId, node: u32, time: u32) {
        let (knows, version) = (self.clocks.knows(e.thread), self.clocks.version(e.thread));
        self.detector.access(&Access { id, event: e, variable: v, node, time, knows, version });
        let steers = self.steers(id);
        if e.op.is_read() && steers != Steers::Never {
            self.model.steering.insert(v);
        }
        if self.view == View::Run {
            self.in_order(id, e, v, node);
            return self.outcome(e, v, node, time, steers);
        }
        let at_once = steers == Steers::AtOnce;
        let does = match (e.op.is_atomic(), e.op.is_write()) {
            (false, true) => what::WRITE,
            (false, false) => what::READ | if at_once { what::STEERS } else { 0 },
            (true, true) => what::ATOMIC_WRITE,
            (true, false) => what::ATOMIC_READ | if at_once { what::ATOMIC_STEERS } else { 0 },
        };
        if let (Steers::Before(used), false) = (steers, e.op.is_write()) {
            self.uses.entry(used).or_default().push((v, NONE));
        }
        let knows = self.clocks.knows(e.thread);
        self.users.entry(v).or_default().add(e.thread.0, node, time, does, knows);
        if e.op.is_atomic() {
            self.in_order(id, e, v, node);
        }
    }

    fn steers(&self, read: EventId) -> Steers {
        match self.control {
            EventControl::Flow => Steers::AtOnce,
            EventControl::Steering(steering) => match steering.used(read) {
                None => Steers::Never,
                Some(used) if used <= read => Steers::AtOnce,
                Some(used) => Steers::Before(used),
            },
        }
    }

    /// Values are used before an event: edges from where they come from to here.
    fn used(&mut self, id: EventId, t: ThreadId, time: u32) {
        let Some(values) = self.uses.remove(&id) else { return };
        let node = match self.view {
            View::Segments => self.computation(t),
            View::Accesses | View::Run => self.model.chains.push(t.0),
        };
        for (v, write) in values {
            if write != NONE {
                self.model.control.push((write, node));
                continue;
            }
            let knows = self.clocks.knows(t);
            self.users.entry(v).or_default().add(t.0, node, time, what::STEERS, knows);
        }
    }

    /// Dependences on earlier accesses in the order of the run.
    fn in_order(&mut self, id: EventId, e: &Event, v: VarId, node: u32) {
        let steers = self.steers(id);
        let order =
            self.order.entry(v).or_insert(Order { write: NONE, reads: Vec::new(), steering: Vec::new() });
        let chains = &self.model.chains;
        let other = |n: u32| chains.thread[n as usize] != e.thread.0;
        if order.write != NONE && other(order.write) {
            self.model.data.push((order.write, node));
            match steers {
                _ if e.op.is_write() => {}
                Steers::Never => {}
                Steers::AtOnce => self.model.control.push((order.write, node)),
                Steers::Before(used) => self.uses.entry(used).or_default().push((v, order.write)),
            }
        }
        if e.op.is_write() {
            self.model.data.extend(order.reads.drain(..).filter(|&r| other(r)).map(|r| (r, node)));
            order.write = node;
        } else {
            // An earlier read by the same thread is implied by this one.
            order.reads.retain(|&r| other(r));
            order.reads.push(node);
        }
    }

    /// Edges from a write to the reads that just missed it.
    fn outcome(&mut self, e: &Event, v: VarId, node: u32, time: u32, steers: Steers) {
        let Some(order) = self.order.get_mut(&v) else { return };
        let chains = &self.model.chains;
        let thread = |n: u32| chains.thread[n as usize];
        if e.op.is_read() {
            let known = order.steering.iter().any(|&(n, at)| thread(n) == e.thread.0 && at == time);
            if steers != Steers::Never && !known {
                order.steering.push((node, time));
            }
            return;
        }
        let knows = self.clocks.knows(e.thread);
        let unordered = |n: u32, at: u32| at > knows.get(thread(n) as usize).copied().unwrap_or(0);
        let missed = &mut self.model.missed;
        let mut told: Vec<u32> = Vec::new();
        order.steering.retain(|&(n, at)| {
            let other = thread(n) != e.thread.0;
            if other && unordered(n, at) && !told.contains(&thread(n)) {
                told.push(thread(n));
                missed.push((node, n));
            }
            // What a thread writes itself, it misses nothing by.
            !other
        });
    }

    fn arrive(&mut self, t: ThreadId, b: LockId) {
        let node = self.node(t);
        let rounds = &mut self.rounds;
        let round = *self.open.entry(b).or_insert_with(|| {
            rounds.push(Round::default());
            rounds.len() as u32 - 1
        });
        rounds[round as usize].arrivals.push(node);
        self.thread(t).stands = Some((b, round));
    }

    /// A thread that stands at a barrier goes on: nobody can come to the round any more.
    fn leave_barrier(&mut self, t: ThreadId) {
        let Some((b, number)) = self.thread(t).stands.take() else { return };
        if self.open.get(&b) == Some(&number) {
            self.open.remove(&b);
        }
        let round = &mut self.rounds[number as usize];
        let hub = match round.hub {
            Some(hub) => hub,
            None => {
                let hub = self.model.chains.push_apart();
                round.hub = Some(hub);
                self.model.sync.extend(round.arrivals.iter().map(|&a| (a, hub)));
                hub
            }
        };
        let node = self.node(t);
        self.across(hub, node);
    }

    /// The node of a thread's end.
    fn end(&mut self, t: ThreadId) -> u32 {
        self.leave_barrier(t);
        if self.thread(t).end == NONE {
            self.thread(t).end = self.node(t);
        }
        self.thread(t).end
    }

    fn finish(mut self) -> Model {
        for t in 0..self.threads.len() as u32 {
            if self.threads[t as usize].started {
                self.end(ThreadId(t));
            }
        }
        let mut users: Vec<(VarId, Users)> = self.users.drain().collect();
        users.sort_unstable_by_key(|u| u.0);
        for (_, users) in &users {
            users.edges(&mut self.model.data, &mut self.model.control);
        }
        self.model.apparent = self.detector.found;
        self.model
    }
}
