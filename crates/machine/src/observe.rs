//! Being told what a run does: for replay, for traces, for proofs.

use ir::AccessId;

use crate::memory::Memory;
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
    /// An atomic location falls into two, since an atomic access of another size touches only a part of it: the second
    /// object passes on what the first does, and no more.
    Split(u64, u64),
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

/// What kind of construct shares out its pieces among the threads of a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ShareKind {
    /// A worksharing loop.
    Loop,
    /// `sections`.
    Sections,
    /// `single`.
    Single,
    /// `distribute`: the pieces go to the teams of a league.
    Distribute,
    /// The lanes of a `simd` loop: pieces that run on one thread, but at the same time.
    Simd,
}

/// The structure of the work, which every schedule and every distribution shares: who is
/// ordered before whom without regard to locks and atomics. Ids are numbers of this run, given in order.
///
/// At every moment a thread executes one *strand*: an implicit task of a region (or a thread of its own), or, inside
/// it, a piece of a worksharing construct or an explicit task. Pieces and tasks nest: `Begin` and `TaskBegin` suspend
/// what the thread executed, `End` and `TaskEnd` resume it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Work {
    /// The thread forks a team: `members[i]` is the thread that executes implicit task `i`. The first is the thread
    /// itself.
    Fork {
        /// The region.
        region: u32,
        /// Its threads.
        members: Vec<usize>,
    },
    /// All threads of the region have arrived at its barrier, and all its tasks are complete. Told once, by the last
    /// to arrive.
    Phase {
        /// The region.
        region: u32,
    },
    /// All threads of the region have ended it; the thread goes on with what it executed before [`Work::Fork`].
    Join {
        /// The region.
        region: u32,
    },
    /// The thread comes to a worksharing construct, whether or not it will execute a piece of it.
    Enter {
        /// How many constructs it has come to before in this region.
        nth: u64,
    },
    /// The thread begins a piece (an iteration, a chunk of iterations that belong together, a section, the block of a
    /// `single`) of a worksharing construct.
    Begin {
        /// Which instance of which construct; the same number on all threads of the team.
        share: u32,
        /// How many constructs the thread has come to before in this region: the same in every schedule.
        nth: u64,
        /// What it is.
        kind: ShareKind,
        /// The first iteration of the piece, counted from 0, or the number of the section.
        number: u64,
        /// How many iterations the piece has. For a lane of a `simd` loop: within how many iterations others run at the
        /// same time (`safelen`; 0: any), so that two lanes are ordered if their numbers differ by that or more.
        count: u64,
        /// Whether another distribution could let another thread execute it.
        open: bool,
        /// Of `schedule(static, c)` the first chunk stands for all chunks of the thread, which come every so many
        /// iterations up to the number of iterations of the loop.
        again: Option<(u64, u64)>,
        /// Which of the region's mappings its construct has, if who executes a piece is open, but the same for all constructs
        /// that are alike: whoever executes this piece executes those of the same number, in the order of the constructs.
        mapping: Option<u32>,
    },
    /// The thread has done the piece.
    End {
        /// The construct.
        share: u32,
    },
    /// The iteration has come to its `ordered` block: after those of all earlier iterations.
    OrderedBegin {
        /// The construct.
        share: u32,
    },
    /// The `ordered` block has ended.
    OrderedEnd {
        /// The construct.
        share: u32,
    },
    /// `depend(source)`: others can wait for what this iteration has done until now. (`vector`: a number that stands for
    /// the iteration vector.)
    Post {
        /// The construct.
        share: u32,
        /// The iteration.
        vector: u64,
    },
    /// `depend(sink: vector)`: the strand is ordered after that iteration's [`Work::Post`].
    Sink {
        /// The construct.
        share: u32,
        /// The iteration waited for.
        vector: u64,
    },
    /// The strand creates a task (deferred or not).
    TaskCreate {
        /// The task.
        task: u32,
        /// Tasks that end before it begins: its dependences, as far as they were not complete.
        after: Vec<u32>,
        /// Tasks with which it excludes itself without an order (`mutexinoutset`).
        excludes: Vec<u32>,
        /// Whether the creator waits for it, as for a call: an undeferred or included task, or one of a team of one.
        undeferred: bool,
        /// Whether a device may execute it, beside its creator's team.
        offloaded: bool,
    },
    /// The thread comes to a task scheduling point, where it could execute another task on top of this one.
    Point,
    /// The thread begins (or, after a task scheduling point, resumes) a task.
    TaskBegin {
        /// The task.
        task: u32,
    },
    /// The task is complete (or suspended, if not `complete`).
    TaskEnd {
        /// The task.
        task: u32,
        /// Whether it has ended.
        complete: bool,
    },
    /// The strand is ordered after the ends of these tasks: `taskwait`, the end of a `taskgroup`, an undeferred task.
    TaskWait {
        /// The tasks.
        tasks: Vec<u32>,
    },
    /// The thread arrives at a barrier of POSIX threads.
    Arrive(u64),
    /// The thread leaves it: after all who arrived in the same round.
    Leave(u64),
    /// The task that the thread executes has got a copy of a variable that its task group reduces. Which tasks share a
    /// copy is open, so what they find in it is, too.
    Copy {
        /// The task group's reduction of one variable: a number that all its copies share.
        item: u64,
        /// Where the copy is.
        address: u64,
    },
    /// What follows depends on the number or the private storage of the executing thread: the strand asked which
    /// thread it runs on, or touched thread-local storage.
    Identity,
    /// The strand sets a control variable of its implicit task (`omp_set_num_threads`), or does something that depends on one.
    Control {
        /// Whether it sets it.
        write: bool,
    },
    /// The thread waits for something whose order the schedule decides, other than a lock: a condition variable, a
    /// semaphore, a one-time initialisation, a futex. What it waited on, for people.
    Steered(base::reason::Used),
}

/// Which answer a thread asks for with `Stop::Choose`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Question {
    /// A value: of an input, or which thread a barrier calls its serial one.
    #[default]
    Value,
    /// Which thread of the team executes a piece of a worksharing construct: its number in the team.
    Owner {
        /// The construct's instance.
        share: u32,
        /// What it is.
        kind: ShareKind,
        /// The number of the piece among the pieces of the construct, from 0.
        piece: u64,
        /// How many pieces there are, as far as is known.
        pieces: u64,
    },
    /// Which of its remaining pieces a thread executes next, where the language leaves their order open
    /// ([`crate::omp::order`]): 0 is the first of them in the order of the loop. Asked only with
    /// [`crate::Mode::piece_orders`].
    Order {
        /// The construct's instance.
        share: u32,
        /// What it is.
        kind: ShareKind,
        /// How many pieces the thread has left.
        left: u64,
    },
    /// How the iterations of a loop are split into pieces, where the language leaves that open: one of the ways of
    /// [`crate::omp::sched::Rounding`] for `static` (0 is libomp's), or of [`crate::omp::sched::Guided`] for `guided` (asked only with
    /// [`crate::Mode::piece_orders`]).
    Chunks {
        /// How many iterations there are.
        trips: u64,
    },
    /// How many teams a construct forms that does not say so: one of [`crate::omp::contention::team_counts`].
    Teams {
        /// The most.
        most: u32,
    },
    /// How many threads a team has that may be smaller than asked for: one of [`crate::omp::contention::team_counts`].
    Threads {
        /// The most.
        most: u32,
    },
    /// Whether a task is executed at once by its creator (1) or deferred (0).
    Defer {
        /// The task.
        task: u32,
    },
    /// How many iterations the next task of a `taskloop` gets: the least possible number and as many more as the answer says.
    Split {
        /// Which answers are enough, unless [`crate::Machine::split_matters`]: 0 and every one that is so much larger than one
        /// before, and the last; only 0 if it is 0.
        step: u32,
    },
}

/// Somebody who is told what a run does, in order.
pub trait Observer {
    /// An access to memory, before it happens. Whether the value that it reads (a read, an atomic read-modify-write) or
    /// stores (a write) is to count as unconstrained from here on: another schedule could give another one.
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
    ) -> bool;

    /// Whether what the last access wrote counts as fixed, although it was computed from unconstrained values. Asked
    /// behind [`Observer::access`] for a write that stores such a value.
    fn settles(&self) -> bool {
        false
    }

    /// Called behind every [`Observer::access`], with the memory as the access finds it. Whether the run is to pause when the
    /// instruction is complete.
    fn look(&mut self, _memory: &Memory) -> bool {
        false
    }

    /// An access with the memory as it finds it: [`Observer::access`], then [`Observer::look`]; what both say.
    #[allow(clippy::too_many_arguments)]
    #[inline]
    fn told(
        &mut self,
        thread: usize,
        state: &Thread,
        address: u64,
        len: u64,
        write: bool,
        atomic: bool,
        access: AccessId,
        memory: &Memory,
    ) -> (bool, bool) {
        let open = self.access(thread, state, address, len, write, atomic, access);
        (open, self.look(memory))
    }

    /// A synchronisation edge.
    fn edge(&mut self, thread: usize, state: &Thread, edge: Edge);

    /// The structure of the work.
    fn work(&mut self, _thread: usize, _state: &Thread, _work: &Work) {}

    /// The thread asks for its number in the team, or the like. Whether the answer is to count as unconstrained: another
    /// schedule could let another thread ask.
    fn identity(&mut self, _thread: usize, _state: &Thread) -> bool {
        false
    }

    /// An object has been made that others could know: a local variable, or something on the heap. (Addresses of local
    /// variables are used again.)
    fn made(&mut self, _thread: usize, _address: u64) {}

    /// A thread has got its instance of a thread-local variable, which is known by its number in the program.
    fn local(&mut self, _thread: usize, _address: u64, _variable: u32) {}

    /// An object has come to its end that others could know: freed, or a local or thread-local variable whose scope or
    /// thread has ended. Whoever touches it from now on shows a defect. If its end has an `access`, it is a write that was
    /// not told as one.
    fn gone(
        &mut self,
        thread: usize,
        state: &Thread,
        (address, len): (u64, u64),
        access: Option<AccessId>,
        memory: &Memory,
    ) {
        if let Some(access) = access {
            self.told(thread, state, address, len, true, false, access, memory);
        }
    }

    /// A lock or another synchronisation object has been destroyed. (That it is written is told as an access.)
    fn destroyed(&mut self, _thread: usize, _state: &Thread, _address: u64) {}

    /// The thread has read an input, which has this value of that many bits.
    fn input(&mut self, _thread: usize, _state: &Thread, _value: u64, _bits: u8) {}

    /// Output of the program.
    fn output(&mut self, _thread: usize, _fd: i32, _bytes: &[u8]) {}
}
