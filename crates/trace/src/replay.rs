//! The judge of witnesses: is a sequence of events a correct reordering that ends in a race?
//!
//! P4 section 2. A witness for the pair (a, b) is a sequence of events of the trace, ending in the two (in either order),
//! such that
//! - without the pair it takes from each thread a prefix of its events, and the pair's events come next in their threads;
//! - a thread moves only after its fork, a join only after the fork and all events of the joined thread, and the order of barriers and
//!   notifications is kept;
//! - a lock is acquired only while nobody holds it;
//! - every read before the pair observes the write that it observes in the trace, or the initial value if it does there;
//! - nobody writes between the two halves of an atomic read-modify-write (an atomic read and, directly after it in its thread, an atomic
//!   write of the same variable, with no other write in between in the trace);
//! - the two events conflict.
//!
//! This module shares nothing with the analyses whose witnesses it checks (not even [`crate::order`]); it follows the
//! trace and the witness event by event.

use rustc_hash::{FxHashMap, FxHashSet};
use thiserror::Error;

use crate::event::{Event, EventId, LockId, Op, Trace, VarId};

/// Why a sequence of events is no witness. Events are counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// Does not end in the pair.
    #[error("the witness does not end in the pair ({}, {})", .0.number(), .1.number())]
    WrongEnd(EventId, EventId),
    /// The pair is no pair of conflicting accesses.
    #[error("events {} and {} do not conflict", .0.number(), .1.number())]
    NoConflict(EventId, EventId),
    /// An event that the trace does not have.
    #[error("the trace has no event {}", .0.number())]
    NoSuchEvent(EventId),
    /// An event out of its thread's order, or twice.
    #[error("event {}: its thread's next event is {}", .0.number(), .1.map_or("none".into(), |e| e.number().to_string()))]
    ProgramOrder(EventId, Option<EventId>),
    /// The acquires do not wait for each other in a circle.
    #[error("event {}: it waits for none of the others", .0.number())]
    NoCircle(EventId),
    /// An event before one that every reordering keeps before it (fork, join, barrier, notification).
    #[error("event {}: event {} must come before it", .0.number(), .1.number())]
    TooEarly(EventId, EventId),
    /// An acquired lock is held.
    #[error("event {}: the lock is held since event {}", .0.number(), .1.number())]
    LockHeld(EventId, EventId),
    /// A released lock is not held by the thread.
    #[error("event {}: the thread does not hold the lock", .0.number())]
    LockNotHeld(EventId),
    /// Something was written between the two halves of a read-modify-write.
    #[error("event {}: event {} comes between it and its read", .0.number(), .1.number())]
    TornUpdate(EventId, EventId),
    /// A read observes another write than in the trace.
    #[error("event {}: it observes {} and in the trace {}", .0.number(), observed(.1), observed(.2))]
    Observation(EventId, Option<EventId>, Option<EventId>),
}

fn observed(write: &Option<EventId>) -> String {
    write.map_or("the initial value".to_string(), |w| format!("event {}", w.number()))
}

/// Whether `witness` is a correct reordering of `trace` that ends in the race `pair`. For many witnesses of one trace make
/// a [`Replayer`] once.
pub fn check(trace: &Trace, witness: &[EventId], pair: (EventId, EventId)) -> Result<(), ReplayError> {
    Replayer::new(trace).check(witness, pair)
}

/// Judges witnesses of one trace. A check takes time in the length of the witness.
#[derive(Debug)]
pub struct Replayer<'a> {
    trace: &'a Trace,
    /// Each thread's events.
    threads: Vec<Vec<EventId>>,
    /// An event's place in its thread.
    place: Vec<u32>,
    /// Of a thread: who forks it.
    fork: Vec<Option<EventId>>,
    /// Of a join: how many events the joined thread has had.
    joined: FxHashMap<EventId, u32>,
    /// Of an event after a barrier (or of a join of a thread that stands at one): the round's events.
    /// Of a wait: the notifications before it.
    before: FxHashMap<EventId, Vec<EventId>>,
    /// Of a read: what it observes. Of the write of a read-modify-write: what its read observes.
    observes: Vec<Option<EventId>>,
    /// The writes of read-modify-writes.
    updates: FxHashSet<EventId>,
    locks: usize,
}

impl<'a> Replayer<'a> {
    /// Finds out what the trace demands of its reorderings, in one pass.
    pub fn new(trace: &'a Trace) -> Replayer<'a> {
        let counts = trace.counts();
        let mut r = Replayer {
            trace,
            threads: vec![Vec::new(); counts.threads],
            place: Vec::with_capacity(trace.len()),
            fork: vec![None; counts.threads],
            joined: FxHashMap::default(),
            before: FxHashMap::default(),
            observes: vec![None; trace.len()],
            updates: FxHashSet::default(),
            locks: counts.locks,
        };
        let mut last_write = vec![None; counts.variables];
        let mut notified: Vec<Vec<EventId>> = vec![Vec::new(); counts.locks];
        // Barriers: which events stand in a round, and the round at which a thread stands.
        let mut rounds: Vec<Vec<EventId>> = Vec::new();
        let mut open: FxHashMap<LockId, usize> = FxHashMap::default();
        let mut stands: Vec<Option<usize>> = vec![None; counts.threads];
        for (i, e) in trace.events.iter().enumerate() {
            let id = EventId(i as u32);
            let joined = if let Op::Join(child) = e.op { stands[child.index()].take() } else { None };
            for round in [stands[e.thread.index()].take(), joined].into_iter().flatten() {
                open.retain(|_, r| *r != round);
                r.before.entry(id).or_default().extend_from_slice(&rounds[round]);
            }
            match e.op {
                Op::Fork(child) => r.fork[child.index()] = Some(id),
                Op::Join(child) => {
                    r.joined.insert(id, r.threads[child.index()].len() as u32);
                }
                Op::Notify(c) => notified[c.index()].push(id),
                Op::Wait(c) => r.before.entry(id).or_default().extend_from_slice(&notified[c.index()]),
                Op::Barrier(b) => {
                    let round = *open.entry(b).or_insert(rounds.len());
                    if round == rounds.len() {
                        rounds.push(Vec::new());
                    }
                    rounds[round].push(id);
                    stands[e.thread.index()] = Some(round);
                }
                Op::Read(v) | Op::AtomicRead(v) => r.observes[i] = last_write[v.index()],
                Op::AtomicWrite(v) => {
                    let before = r.threads[e.thread.index()].last().map(|read| read.index());
                    let read = before.filter(|&read| trace.events[read].op == Op::AtomicRead(v));
                    if let Some(read) = read.filter(|&read| r.observes[read] == last_write[v.index()]) {
                        r.observes[i] = r.observes[read];
                        r.updates.insert(id);
                    }
                    last_write[v.index()] = Some(id);
                }
                Op::Write(v) => last_write[v.index()] = Some(id),
                _ => {}
            }
            let own = &mut r.threads[e.thread.index()];
            r.place.push(own.len() as u32);
            own.push(id);
        }
        r
    }

    /// Whether `witness` is a correct reordering that ends in the race `pair`.
    pub fn check(&self, witness: &[EventId], pair: (EventId, EventId)) -> Result<(), ReplayError> {
        let (a, b) = pair;
        let events = &self.trace.events;
        let (Some(first), Some(second)) = (events.get(a.index()), events.get(b.index())) else {
            return Err(ReplayError::NoSuchEvent(a.max(b)));
        };
        if !first.conflicts(second) {
            return Err(ReplayError::NoConflict(a, b));
        }
        let Some((prefix, &[x, y])) = witness.split_last_chunk::<2>() else {
            return Err(ReplayError::WrongEnd(a, b));
        };
        if (x, y) != (a, b) && (x, y) != (b, a) {
            return Err(ReplayError::WrongEnd(a, b));
        }
        let mut run = Replay::new(self);
        for &id in prefix {
            run.step(id)?;
        }
        // Both must be enabled before either happens.
        run.enabled(x)?;
        run.enabled(y)?;
        Ok(())
    }
}

impl Replayer<'_> {
    /// Whether `prefix` is a correct reordering after which these acquires wait for each other: each is its thread's next
    /// event, and its lock is held by the thread of the next one (that of the last by the first's). The threads differ.
    pub fn check_deadlock(&self, prefix: &[EventId], acquires: &[EventId]) -> Result<(), ReplayError> {
        let mut run = Replay::new(self);
        for &id in prefix {
            run.step(id)?;
        }
        for (i, &id) in acquires.iter().enumerate() {
            let event = run.enabled(id)?;
            let next = acquires[(i + 1) % acquires.len()];
            let holder = match event.op {
                Op::Acquire(lock) => run.held[lock.index()],
                _ => None,
            };
            let thread = |id: EventId| self.trace.events.get(id.index()).map(|e| e.thread);
            let is_repeated = acquires[..i].iter().any(|&other| thread(other) == Some(event.thread));
            if is_repeated || holder.is_none_or(|holder| thread(holder) != thread(next)) || next == id {
                return Err(ReplayError::NoCircle(id));
            }
        }
        if acquires.is_empty() { Err(ReplayError::NoCircle(EventId(0))) } else { Ok(()) }
    }
}

/// The state of a replay.
struct Replay<'a> {
    demands: &'a Replayer<'a>,
    /// By thread: how many of its events are done.
    at: Vec<usize>,
    held: Vec<Option<EventId>>,
    last_write: FxHashMap<VarId, EventId>,
}

impl<'a> Replay<'a> {
    fn new(demands: &'a Replayer<'a>) -> Replay<'a> {
        Replay {
            demands,
            at: vec![0; demands.threads.len()],
            held: vec![None; demands.locks],
            last_write: FxHashMap::default(),
        }
    }

    fn done(&self, id: EventId) -> bool {
        let thread = self.demands.trace.events[id.index()].thread;
        (self.demands.place[id.index()] as usize) < self.at[thread.index()]
    }

    /// Whether an event can happen now, its locks and observations aside.
    fn enabled(&self, id: EventId) -> Result<&'a Event, ReplayError> {
        let demands = self.demands;
        let e = demands.trace.events.get(id.index()).ok_or(ReplayError::NoSuchEvent(id))?;
        let thread = e.thread.index();
        let next = demands.threads[thread].get(self.at[thread]).copied();
        if next != Some(id) {
            return Err(ReplayError::ProgramOrder(id, next));
        }
        if let Some(fork) = demands.fork[thread]
            && !self.done(fork)
        {
            return Err(ReplayError::TooEarly(id, fork));
        }
        if let Op::Join(child) = e.op {
            let (child, needed) = (child.index(), demands.joined.get(&id).copied().unwrap_or(0));
            if let Some(fork) = demands.fork[child]
                && !self.done(fork)
            {
                return Err(ReplayError::TooEarly(id, fork));
            }
            if self.at[child] < needed as usize {
                return Err(ReplayError::TooEarly(id, demands.threads[child][self.at[child]]));
            }
        }
        match demands.before.get(&id).and_then(|before| before.iter().find(|b| !self.done(**b))) {
            Some(&missing) => Err(ReplayError::TooEarly(id, missing)),
            None => Ok(e),
        }
    }

    fn step(&mut self, id: EventId) -> Result<(), ReplayError> {
        let e = self.enabled(id)?;
        match e.op {
            Op::Acquire(l) => {
                if let Some(holder) = self.held[l.index()] {
                    return Err(ReplayError::LockHeld(id, holder));
                }
                self.held[l.index()] = Some(id);
            }
            Op::Release(l) | Op::AcquireAgain(l) | Op::ReleaseInner(l) => {
                let holder = self.held[l.index()];
                if holder.is_none_or(|h| self.demands.trace.events[h.index()].thread != e.thread) {
                    return Err(ReplayError::LockNotHeld(id));
                }
                if matches!(e.op, Op::Release(_)) {
                    self.held[l.index()] = None;
                }
            }
            Op::Read(v) | Op::AtomicRead(v) => {
                let (now, then) = (self.last_write.get(&v).copied(), self.demands.observes[id.index()]);
                if now != then {
                    return Err(ReplayError::Observation(id, now, then));
                }
            }
            Op::Write(v) | Op::AtomicWrite(v) => {
                if self.demands.updates.contains(&id)
                    && let Some(&other) = self.last_write.get(&v)
                    && Some(other) != self.demands.observes[id.index()]
                {
                    return Err(ReplayError::TornUpdate(id, other));
                }
                self.last_write.insert(v, id);
            }
            _ => {}
        }
        self.at[e.thread.index()] += 1;
        Ok(())
    }
}
