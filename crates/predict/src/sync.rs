//! Clocks that follow the synchronisation of a trace.
//!
//! Each thread has a time and a clock ([`crate::clock`]). An event that orders its thread's past before another thread's
//! future leaves a [`Stamp`]: everything in its clock, and its own thread up to the present time; after that the
//! thread's time advances. The event at the other end receives the stamp.
//!
//! Edges: release to later acquire of the lock (where wanted), fork to child, last event to join, barrier rounds,
//! notification to later wait, and from an atomic write to the atomic reads that observe it. A stamp's time is unique to
//! it, so whoever knows that time knows the whole stamp, and receiving it again is skipped.

use std::sync::Arc;

use trace::{Event, LockId, Op, ThreadId, VarId};

use crate::clock::{Clock, SharedClock, slot};

/// What an event passes on: a clock, and its thread up to a time.
#[derive(Debug, Clone)]
pub struct Stamp {
    /// Whose.
    pub thread: u32,
    /// The thread's time at the stamp; 0 where the thread itself is not passed on.
    pub time: u32,
    /// What the thread knew of others. Its own component has no meaning.
    pub clock: SharedClock,
}

/// What is known of a thread.
#[derive(Debug, Clone)]
struct ThreadState {
    time: u32,
    clock: SharedClock,
    /// Grows with each change of the clock.
    version: u32,
    /// At which barrier it stands, and in which round.
    stands: Option<(u32, u32)>,
}

impl Default for ThreadState {
    fn default() -> ThreadState {
        ThreadState { time: 1, clock: SharedClock::default(), version: 0, stands: None }
    }
}

/// The open round of a barrier.
#[derive(Debug, Clone, Default)]
struct Round {
    number: u32,
    members: Vec<u32>,
    known: Clock,
}

/// Which edges there are.
#[derive(Debug, Clone, Copy)]
pub struct Edges {
    /// From a release to later acquires of the same lock.
    pub locks: bool,
    /// Whether a stamp passes on its own thread (or only what came to the thread from elsewhere).
    pub own: bool,
    /// All conflicting atomic accesses to a variable in their order, not only from a write to the reads that observe it.
    pub atomics_ordered: bool,
}

/// The clocks of all threads.
#[derive(Debug)]
pub struct Clocks {
    edges: Edges,
    threads: Vec<ThreadState>,
    locks: Vec<Option<Stamp>>,
    notified: Vec<Vec<Stamp>>,
    rounds: Vec<Round>,
    /// By variable: the atomic write that is its last write, or all atomic writes where they are ordered.
    atomic_writes: Vec<Vec<Stamp>>,
    /// By variable, where atomics are ordered: the atomic reads so far, one for each thread.
    atomic_reads: Vec<Vec<Stamp>>,
}

impl Clocks {
    /// The clocks at the start of a trace.
    pub fn new(edges: Edges) -> Clocks {
        Clocks {
            edges,
            threads: Vec::new(),
            locks: Vec::new(),
            notified: Vec::new(),
            rounds: Vec::new(),
            atomic_writes: Vec::new(),
            atomic_reads: Vec::new(),
        }
    }

    /// The time of a thread that has had an event.
    #[inline]
    pub fn time(&self, t: ThreadId) -> u32 {
        self.threads.get(t.index()).map_or(1, |s| s.time)
    }

    /// What a thread knows of the others' times. Its own component has no meaning.
    #[inline]
    pub fn knows(&self, t: ThreadId) -> &[u32] {
        self.threads.get(t.index()).map_or(&[], |s| s.clock.as_slice())
    }

    /// Up to which time of `other` the thread knows.
    #[inline]
    pub fn knows_of(&self, t: ThreadId, other: u32) -> u32 {
        self.threads.get(t.index()).map_or(0, |s| s.clock.get(other as usize))
    }

    /// Changes whenever the thread's clock does.
    #[inline]
    pub fn version(&self, t: ThreadId) -> u32 {
        self.threads.get(t.index()).map_or(0, |s| s.version)
    }

    /// How many threads have been seen.
    pub fn thread_count(&self) -> usize {
        self.threads.len()
    }

    /// What the thread would pass on now. The caller advances its time if it does pass it on.
    pub fn stamp(&mut self, t: ThreadId) -> Stamp {
        let own = self.edges.own;
        let s = slot(&mut self.threads, t.index());
        Stamp { thread: t.0, time: if own { s.time } else { 0 }, clock: Arc::clone(&s.clock) }
    }

    /// The thread's later events get a new time.
    #[inline]
    pub fn advance(&mut self, t: ThreadId) {
        slot(&mut self.threads, t.index()).time += 1;
    }

    /// The thread gets to know a stamp. Returns whether that was news.
    #[inline]
    pub fn receive(&mut self, t: ThreadId, stamp: &Stamp) -> bool {
        receive_into(&mut self.threads, t, stamp)
    }

    /// Follows an event, be it an access or synchronisation. Plain accesses change nothing here, except that a plain
    /// write ends what an atomic one has passed on.
    #[inline]
    pub fn event(&mut self, e: &Event) {
        let t = e.thread;
        if slot(&mut self.threads, t.index()).stands.is_some() {
            self.leave_barrier(t);
        }
        match e.op {
            Op::Read(_) | Op::Begin | Op::End | Op::AcquireAgain(_) | Op::ReleaseInner(_) => {}
            Op::Write(v) => {
                if !self.edges.atomics_ordered && v.index() < self.atomic_writes.len() {
                    self.atomic_writes[v.index()].clear();
                }
            }
            _ => self.synchronise(e),
        }
    }

    fn synchronise(&mut self, e: &Event) {
        let t = e.thread;
        match e.op {
            Op::Acquire(l) => {
                if let Some(stamp) = slot(&mut self.locks, l.index()).take() {
                    self.receive(t, &stamp);
                    self.locks[l.index()] = Some(stamp);
                }
            }
            Op::Release(l) => {
                if self.edges.locks {
                    *slot(&mut self.locks, l.index()) = Some(self.stamp(t));
                }
                self.advance(t);
            }
            Op::Fork(child) => {
                let stamp = self.stamp(t);
                self.receive(child, &stamp);
                self.advance(t);
            }
            Op::Join(child) => {
                if slot(&mut self.threads, child.index()).stands.is_some() {
                    self.leave_barrier(child);
                }
                let stamp = self.stamp(child);
                self.receive(t, &stamp);
                self.advance(child);
            }
            Op::Barrier(b) => self.arrive(t, b),
            Op::Notify(c) => {
                let stamp = self.stamp(t);
                replace(slot(&mut self.notified, c.index()), stamp);
                self.advance(t);
            }
            Op::Wait(c) => {
                let stamps = std::mem::take(slot(&mut self.notified, c.index()));
                for stamp in &stamps {
                    self.receive(t, stamp);
                }
                self.notified[c.index()] = stamps;
            }
            Op::AtomicRead(v) => self.atomic_read(t, v),
            Op::AtomicWrite(v) => self.atomic_write(t, v),
            Op::Read(_) | Op::Write(_) | Op::Begin | Op::End | Op::AcquireAgain(_) | Op::ReleaseInner(_) => {}
        }
    }

    fn atomic_read(&mut self, t: ThreadId, v: VarId) {
        let writes = std::mem::take(slot(&mut self.atomic_writes, v.index()));
        for stamp in &writes {
            self.receive(t, stamp);
        }
        self.atomic_writes[v.index()] = writes;
        if self.edges.atomics_ordered {
            let stamp = self.stamp(t);
            replace(slot(&mut self.atomic_reads, v.index()), stamp);
            self.advance(t);
        }
    }

    fn atomic_write(&mut self, t: ThreadId, v: VarId) {
        if self.edges.atomics_ordered {
            let earlier = slot(&mut self.atomic_writes, v.index()).iter();
            for stamp in earlier.chain(slot(&mut self.atomic_reads, v.index()).iter()) {
                receive_into(&mut self.threads, t, stamp);
            }
        }
        let stamp = self.stamp(t);
        let writes = slot(&mut self.atomic_writes, v.index());
        writes.clear();
        writes.push(stamp);
        self.advance(t);
    }

    /// A thread arrives at a barrier: everyone of the round knows what everyone of it knew.
    fn arrive(&mut self, t: ThreadId, b: LockId) {
        let stamp = self.stamp(t);
        let round = slot(&mut self.rounds, b.index());
        round.known.join(&stamp.clock);
        if stamp.time > 0 {
            round.known.set(t.index(), stamp.time);
        }
        round.members.push(t.0);
        let number = round.number;
        let members = round.members.clone();
        let all = Stamp { thread: u32::MAX, time: 0, clock: Arc::new(round.known.clone()) };
        slot(&mut self.threads, t.index()).stands = Some((b.0, number));
        for member in members {
            self.receive(ThreadId(member), &all);
        }
        self.advance(t);
    }

    /// A member of a round goes on: nobody can come to the round any more.
    #[cold]
    fn leave_barrier(&mut self, t: ThreadId) {
        let Some((b, number)) = self.threads[t.index()].stands.take() else { return };
        let round = &mut self.rounds[b as usize];
        if round.number == number {
            *round = Round { number: number + 1, ..Round::default() };
        }
    }
}

fn receive_into(threads: &mut Vec<ThreadState>, t: ThreadId, stamp: &Stamp) -> bool {
    let s = slot(threads, t.index());
    if stamp.thread == t.0 {
        return false;
    }
    let known = match stamp.time {
        0 => Arc::ptr_eq(&s.clock, &stamp.clock) || stamp.clock.within(&s.clock),
        time => s.clock.get(stamp.thread as usize) >= time,
    };
    if known {
        return false;
    }
    let clock = Arc::make_mut(&mut s.clock);
    clock.join(&stamp.clock);
    if stamp.time > 0 {
        clock.set(stamp.thread as usize, stamp.time);
    }
    s.version += 1;
    true
}

/// Puts a stamp in place of the one of the same thread.
fn replace(stamps: &mut Vec<Stamp>, stamp: Stamp) {
    match stamps.iter_mut().find(|s| s.thread == stamp.thread) {
        Some(old) => *old = stamp,
        None => stamps.push(stamp),
    }
}
