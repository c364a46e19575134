//! Being told what a run does: for replay, for traces, for proofs.

use ir::AccessId;

use crate::thread::Thread;

/// A happens-before edge's end, at an object or another thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    /// The thread is ordered after what was released to the object.
    Acquire(u64),
    /// What the thread has done is passed on through the object, together with what the object passed on before.
    Release(u64),
    /// As `Release`, but what the object passed on before is forgotten.
    ReleaseOnly(u64),
    /// The object passes on nothing any more (a relaxed store).
    Forget(u64),
    /// The thread created another.
    Fork(usize),
    /// The thread has waited for the end of another.
    Join(usize),
    /// The thread took a lock (also an `Acquire`, reported before it).
    Lock(u64, /** Shared mode. */ bool),
    /// The thread gave a lock back (also a `Release`, reported after it).
    Unlock(u64),
    /// What the thread saw with relaxed loads of the object is known after a later acquire fence.
    See(u64),
    /// An acquire fence.
    AcquireFence,
    /// A release fence.
    ReleaseFence,
    /// A relaxed store passes on what the last release fence covers.
    ReleaseFenced(u64, /** Keeping what the object passed on before. */ bool),
}

/// Somebody who is told what a run does, in order.
pub trait Observer {
    /// An access to memory, before it happens.
    #[allow(clippy::too_many_arguments)]
    fn access(
        &mut self,
        thread: usize,
        state: &Thread,
        address: u64,
        len: u64,
        write: bool,
        atomic: bool,
        access: AccessId,
    );

    /// A synchronisation edge.
    fn edge(&mut self, thread: usize, state: &Thread, edge: Edge);

    /// Output of the program.
    fn output(&mut self, _thread: usize, _fd: i32, _bytes: &[u8]) {}
}
