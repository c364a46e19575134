//! Threads: frames, slots, what they wait for, what they know.

use std::sync::Arc;

use ir::{FuncId, PlaceId};

use crate::clock::Clock;
use crate::history::History;
use crate::native::SyncOp;
use crate::omp::{Member, OmpWait};
use crate::symmetry::{NO_GROUP, Spawned};

/// One activation of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame {
    /// The function.
    pub func: FuncId,
    /// The instruction that it is about to execute, or the call that it is in.
    pub pc: u32,
    /// Where its slots begin.
    pub base: usize,
    /// How many stack objects there were when it began.
    pub height: usize,
    /// The address of its variable arguments, or 0.
    pub varargs: u64,
    /// Nobody waits for its result: the frame below goes on where it stands.
    pub silent: bool,
    /// The OpenMP runtime called it and goes on when it returns.
    pub runtime: bool,
}

/// What a thread stands before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pending {
    /// The atomic instruction at the program counter.
    Atomic,
    /// A synchronisation function with its arguments.
    Sync(SyncOp, [u64; 4]),
    /// The second half of a wait on a condition variable: being woken, and getting the mutex back.
    Wake {
        /// The condition variable.
        cond: u64,
        /// The mutex.
        mutex: u64,
        /// How often the mutex was locked (recursive mutexes).
        count: u32,
        /// Whether the wait can time out.
        timed: bool,
        /// Whether somebody has signalled.
        signalled: bool,
    },
    /// The second half of a barrier: waiting for the others.
    AtBarrier(u64),
    /// The second half of a futex wait.
    Futex {
        /// The word waited on.
        address: u64,
        /// Whether somebody has woken it.
        woken: bool,
    },
    /// The head of a loop that has come back to the same state without synchronising.
    Spin,
    /// Something of the OpenMP runtime's.
    Omp(OmpWait),
    /// The end of the whole program.
    Exit(i32),
    /// A step that shows a defect, or that the machine cannot take. The others can still move before it.
    Stuck,
}

/// What a thread is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It can execute local instructions.
    Ready,
    /// It stands before a synchronisation operation.
    At(Pending),
    /// It has ended.
    Ended,
    /// It is a worker of OpenMP teams between two regions: it does nothing until it is woken.
    Parked,
}

/// A lock that a thread holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Held {
    /// The lock's address.
    pub lock: u64,
    /// Whether it is held in shared mode.
    pub shared: bool,
}

/// An exception that a thread has thrown or is handling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caught {
    /// The exception object.
    pub object: u64,
    /// How many handlers are active for it.
    pub handlers: u32,
    /// Whether it was thrown again and is on its way.
    pub rethrown: bool,
}

/// One thread.
#[derive(Debug, Clone)]
pub struct Thread {
    /// Its activations, outermost first.
    pub frames: Vec<Frame>,
    /// The slots of all frames.
    pub slots: Vec<u64>,
    /// Their shadows.
    pub shadows: Vec<u64>,
    /// What it is doing.
    pub status: Status,
    /// What it knows of the others; its own entry is its epoch.
    pub clock: Clock,
    /// Its own epoch.
    pub epoch: u32,
    /// What it has read and written lately.
    pub history: History,
    /// What relaxed loads have seen: an acquire fence makes it known.
    pub seen: Clock,
    /// What the last release fence makes later relaxed stores publish.
    pub fenced: Clock,
    /// The locks that it holds, in the order in which it took them.
    pub locks: Vec<Held>,
    /// Its result, for whoever joins it, and the result's shadow.
    pub result: (u64, u64),
    /// Whether it was joined.
    pub joined: bool,
    /// Whether it was detached.
    pub detached: bool,
    /// Where it was created.
    pub created: PlaceId,
    /// The function that it runs.
    pub start: Option<FuncId>,
    /// Exceptions that it is handling, innermost last.
    pub caught: Vec<Caught>,
    /// How many exceptions are on their way.
    pub uncaught: u32,
    /// How many atomic sections are open inside the outermost.
    pub nested: u32,
    /// How far the program's start has come (main thread only).
    pub stage: u32,
    /// Addresses of its instances of thread-local variables, 0 where there is none yet.
    pub tls: Vec<u64>,
    /// The answer to the choice that it asked for.
    pub choice: Option<u32>,
    /// Its part of the OpenMP runtime's state.
    pub omp: Member,
    /// The hash of its local state, if up to date.
    pub hash: Option<u128>,
    /// The epoch of the machine's journal in which it was saved last.
    pub saved: u32,
    /// Whether what it does now may not happen in another schedule: see [`crate::interp::may`].
    pub maybe: bool,
    /// Whether that is so for another reason than that an update decides itself what it stores ([`crate::interp::may::May::strict`]).
    pub aside: bool,
    /// Whether it does not happen in this run, and observers are only told of it.
    pub told: bool,
    /// The first of the threads that are like it, itself included, in order of creation: see [`crate::symmetry`].
    pub group: u32,
    /// Whether it has performed an operation that was scheduled.
    pub touched: bool,
    /// The last thread that it created, if it has not synchronised since.
    pub spawned: Option<Arc<Spawned>>,
}

impl Thread {
    /// A thread that has not begun.
    pub fn new(clock: Clock, created: PlaceId, start: Option<FuncId>) -> Thread {
        Thread {
            frames: Vec::new(),
            slots: Vec::new(),
            shadows: Vec::new(),
            status: Status::Ready,
            clock,
            epoch: 1,
            history: History::default(),
            seen: Clock::new(),
            fenced: Clock::new(),
            locks: Vec::new(),
            result: (0, 0),
            joined: false,
            detached: false,
            created,
            start,
            caught: Vec::new(),
            uncaught: 0,
            nested: 0,
            stage: 0,
            tls: Vec::new(),
            choice: None,
            omp: Member::default(),
            hash: None,
            saved: 0,
            maybe: false,
            aside: false,
            told: false,
            group: NO_GROUP,
            touched: false,
            spawned: None,
        }
    }

    /// Whether it has ended, or is parked: it does nothing unless a thread that still runs wakes it.
    pub fn ended(&self) -> bool {
        matches!(self.status, Status::Ended | Status::Parked)
    }

    /// Whether it holds a lock, in any mode.
    pub fn holds(&self, lock: u64) -> bool {
        self.locks.iter().any(|h| h.lock == lock)
    }

    /// Notes that it took a lock.
    pub fn hold(&mut self, lock: u64, shared: bool) {
        self.locks.push(Held { lock, shared });
    }

    /// Notes that it gave a lock back; false if it did not hold it.
    pub fn unhold(&mut self, lock: u64) -> bool {
        match self.locks.iter().rposition(|h| h.lock == lock) {
            Some(at) => {
                self.locks.remove(at);
                true
            }
            None => false,
        }
    }
}

impl Default for Thread {
    fn default() -> Thread {
        Thread::new(Clock::new(), PlaceId::NONE, None)
    }
}
