//! Events of a recorded run, and the trace in memory.
//!
//! Threads, locks, variables and locations are numbered densely in order of first appearance; [`Names`] keeps what the
//! file called them. An event is 16 bytes, so that a hundred million of them fit into memory.

/// A thread's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ThreadId(pub u32);

/// A lock's number. Barriers and condition variables share this numbering.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LockId(pub u32);

/// A variable's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub u32);

/// A program location's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocId(pub u32);

/// An event's position in the trace, from 0. People see it counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventId(pub u32);

/// What an event does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Op {
    /// Reads a variable.
    Read(VarId),
    /// Writes a variable.
    Write(VarId),
    /// Reads a variable atomically, with acquire semantics: synchronises with the atomic write that it observes.
    AtomicRead(VarId),
    /// Writes a variable atomically, with release semantics.
    AtomicWrite(VarId),
    /// Acquires a lock.
    Acquire(LockId),
    /// Releases a lock.
    Release(LockId),
    /// Starts a thread.
    Fork(ThreadId),
    /// Waits for a thread's end.
    Join(ThreadId),
    /// A thread's first event, where the trace records it.
    Begin,
    /// A thread's last event, where the trace records it.
    End,
    /// Passes a barrier: ordered after all arrivals of the same round.
    Barrier(LockId),
    /// Wakes waiters of a condition variable.
    Notify(LockId),
    /// Returns from waiting on a condition variable. (The lock's release and re-acquisition are events of their own.)
    Wait(LockId),
}

/// One event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Event {
    /// Who.
    pub thread: ThreadId,
    /// What.
    pub op: Op,
    /// Where in the program.
    pub location: LocId,
}

/// What the file called threads, locks, variables and locations, by number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    /// Names of threads.
    pub threads: Vec<String>,
    /// Names of locks.
    pub locks: Vec<String>,
    /// Names of variables.
    pub variables: Vec<String>,
    /// Names of locations.
    pub locations: Vec<String>,
}

/// A whole trace in memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trace {
    /// The events in the order of the run.
    pub events: Vec<Event>,
    /// Their names.
    pub names: Names,
}
