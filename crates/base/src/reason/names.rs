//! Lists of reasons that are names alone. Their words are in `report`.

use super::listed;

listed! {
    /// A use of OpenMP that is not modelled, or not in the place where it stands.
    Openmp {
        /// A doacross dependence outside its loop.
        DoacrossOutside,
        /// Iterations of a loop with `order(concurrent)`, or of `loop`, in a team of one thread:
        /// they may run at the same time, but are compared by the proof from one run alone, not by
        /// a search.
        ConcurrentAlone,
        /// Lanes of a `taskloop simd` whose tasks are executed where they are created.
        UndeferredLanes,
        /// A loop with `order(concurrent)`, or `loop`, and `reduction` in a team of one thread: its
        /// iterations may run at the same time, but are only compared between threads.
        ConcurrentReductionAlone,
        /// `lastprivate` of an object that is copied by a function: what it had behind the last
        /// iteration is not known any more where the thread has executed other iterations since.
        LastprivateObject,
        /// The end of a reduction that was not begun.
        ReductionEnd,
        /// A thread ends before the tasks that it has created outside of all parallel regions.
        TasksOutlived,
        /// A kind of dependence between tasks.
        Dependence,
        /// A taskloop with more than four thousand million iterations.
        TaskloopTrips,
        /// An undeferred task with `mergeable` changes its private variables, which may be its
        /// creator's.
        MergeableTask,
        /// A reduction with the modifier `task`.
        TaskModifier,
        /// An undeferred task that takes part in a reduction(task, ...).
        UndeferredReduction,
        /// A worksharing loop of a team outside a parallel region.
        LoopOfLeague,
        /// A loop that is not being executed.
        LoopNotBegun,
        /// The combiner of a task reduction writes to memory beside the values that it combines.
        CombinerWrites,
        /// The combiner of a user-defined reduction that synchronises more than once: searches
        /// execute combiners one after another.
        CombinerSynchronises,
        /// The end of a parallel region that was not begun.
        RegionEnd,
        /// A task that the runtime does not know.
        UnknownTask,
        /// An untied task asks for its thread, or uses a variable of its thread, behind a task
        /// scheduling point at which it may have changed the thread (make it tied).
        StrayedTask,
        /// A task beside `target data`, `target enter data`, `target exit data` or `target update`:
        /// these are task scheduling points, which clang drops.
        DroppedPoint,
        /// A `target` region with `nowait` in a team of one thread: a device may execute it beside
        /// its creator, which is only looked at where the program does not depend on the schedule.
        TargetAlone,
        /// A task with `detach` and `depend` that is executed when it is created.
        DetachDepend,
        /// The end of a task that was not begun.
        TaskEnd,
        /// A reduction whose initializer uses `omp_orig`: clang lets a thread read the original
        /// variable when another may have combined its copy into it already.
        InitializerOriginal,
        /// The end of a task group that was not begun.
        GroupEnd,
        /// `cancel` with OMP_CANCELLATION=true: what is still done then is not modelled.
        Cancel,
    }
}

listed! {
    /// What must be known to go on.
    Subject {
        /// This branch.
        Branch,
        /// This selection.
        Selection,
        /// This switch.
        Switch,
        /// This operation.
        Operation,
        /// The divisor.
        Divisor,
        /// Whether the quotient fits its type.
        Quotient,
        /// This compare-and-exchange.
        CompareExchange,
        /// An argument of this synchronisation.
        SyncArgument,
        /// An argument of this call.
        CallArgument,
        /// The length of this copy.
        CopyLength,
        /// The length of this fill.
        FillLength,
        /// This computed goto.
        Goto,
        /// The size of this array.
        ArraySize,
        /// The address of this access.
        Address,
        /// A bound of this loop.
        LoopBound,
        /// The shared variables of a task.
        TaskShareds,
        /// The destructor of a task.
        TaskDestructor,
        /// The value of a futex.
        Futex,
        /// The type of a mutex.
        MutexType,
        /// The class of an object.
        Class,
        /// An exception pointer.
        ExceptionPointer,
        /// The text of a number.
        NumberText,
        /// A list of variable arguments.
        VariableArguments,
        /// What happens here.
        Here,
    }
}

listed! {
    /// What is used, and in which order is for the schedule to decide.
    Used {
        /// A condition variable.
        Condition,
        /// A semaphore.
        Semaphore,
        /// A one-time initialisation.
        Once,
        /// A futex.
        Futex,
        /// An attempt to take a lock.
        TryLock,
        /// An atomic section.
        AtomicSection,
        /// The event of a detached task.
        Event,
        /// The order of pieces of work outside of all parallel regions.
        OuterPieces,
        /// Iterations that may run at the same time on one thread touch the same memory.
        Lanes,
        /// The detaching of a thread.
        Detaching,
    }
}

listed! {
    /// What goes one way or another, as the schedule decides.
    Fork {
        /// A loop that goes on for ever in this run.
        EndlessLoop,
        /// A loop that waits for another thread.
        WaitingLoop,
        /// An untied task that asks for its thread.
        UntiedTask,
        /// An operation that can go more than one way.
        Operation,
        /// The result of a barrier.
        BarrierResult,
        /// The split of a taskloop whose tasks change private variables.
        TaskloopSplit,
    }
}

listed! {
    /// What of the structure of a run is not understood.
    Structure {
        /// A thread without work moves.
        IdleThread,
        /// The run has too many parts.
        Parts,
        /// The run's tasks and dependences are too many.
        Tasks,
        /// A thread is joined inside a parallel region.
        JoinInside,
        /// A thread is created inside a parallel region.
        CreateInside,
        /// An iteration is waited for in another phase.
        OtherPhase,
        /// A barrier of threads inside a parallel region.
        ThreadBarrierInside,
        /// A barrier inside a piece of work.
        BarrierInPiece,
        /// A barrier outside of all regions.
        BarrierOutside,
        /// The end of an unknown region.
        UnknownRegion,
        /// A region ends inside a piece of work.
        RegionInPiece,
        /// A piece of work outside of all regions.
        PieceOutside,
        /// A piece of work ends inside another.
        PieceInside,
        /// A piece of work ends that was not begun.
        PieceNotBegun,
        /// An ordered block outside of its loop.
        OrderedOutside,
        /// A task begins that was not created.
        TaskNotCreated,
        /// A task begins before what it depends on.
        TaskEarly,
        /// A task ends that was not created.
        TaskEndNotCreated,
        /// A task ends that its thread does not execute.
        TaskElsewhere,
        /// A task ends on another piece of work than it began on.
        TaskOtherPiece,
        /// A wait for a task ends before the task.
        WaitEarly,
    }
}

listed! {
    /// Why a deadlock is not excluded.
    LockDoubt {
        /// A thread waits for others, or ends, while it holds a lock that others take.
        HeldWhileWaiting,
        /// Work that another thread could execute takes a lock while its thread holds one.
        Guest,
        /// Work that another thread could execute keeps a lock, or gives back one that it did not
        /// take.
        Unbalanced,
        /// A thread takes a read lock twice, and a writer may wait in between.
        ReadTwice,
        /// Threads take locks in different orders.
        DifferentOrders,
    }
}

listed! {
    /// How a run ended from which nothing follows.
    RunEnd {
        /// The run takes too long.
        TooLong,
        /// An assumption fails in this run.
        AssumptionFails,
        /// The run does not go on.
        Stuck,
        /// The run ends in a deadlock.
        Deadlock,
        /// A barrier is used by more threads than it takes.
        BarrierOrder,
        /// A thread still waits here when the program ends.
        Unfinished,
        /// The run does not end.
        Endless,
        /// A thread waits for ever.
        WaitsForEver,
        /// The second run differs.
        Differs,
        /// The run shows a defect.
        Defect,
    }
}

listed! {
    /// What a proof from one run does not decide.
    Gap {
        /// The program's inputs have too many values for one run each.
        InputValues,
        /// What a part of the program does depends on the thread that executes it.
        ByThread,
        /// Comparing what the strands touch takes too long.
        Late,
        /// More than two threads may meet.
        MoreMeet,
        /// What a task does may depend on the thread that executes it.
        TaskIdentity,
        /// Work is distributed in three regions inside each other.
        Nested,
        /// This depends on a control variable that a piece of work sets for its thread.
        Control,
        /// Something is used of which it is not known what made it.
        Nameless,
        /// Whether two accesses can meet was not decided.
        Meeting,
        /// Work that another thread could execute ends an object that belongs to its thread.
        OwnedEnds,
        /// An object ends, or a lock is made or destroyed, in an order that locks decide.
        EndsByLocks,
        /// A branch whose ways do not meet.
        BranchWays,
    }
}

listed! {
    /// What the checker of a proof's certificate does not find, or finds otherwise.
    Uncertified {
        /// The certificate does not speak of all values of the inputs.
        Values,
        /// The inputs have too many values.
        TooManyValues,
        /// There was no run.
        NoRun,
        /// What the program asks for depends on who executes what.
        Asked,
        /// Threads of nested teams ask for their number in some distributions alone.
        NestedNumbers,
        /// Not every task was executed by every thread.
        TaskTurns,
        /// It matters how the iterations of a taskloop are split.
        TaskloopSplit,
        /// A branch is decided by an open value that the certificate does not name.
        OpenBranch,
        /// Floating-point updates have to be taken to commute, which the certificate does not say.
        Floats,
        /// User-defined reductions have to be taken to commute, which the certificate does not say.
        Combiners,
        /// A loop waits for another thread.
        WaitingLoop,
        /// An untied task asks for its thread.
        UntiedTask,
        /// An operation can go more than one way.
        TwoWays,
        /// The result of a barrier.
        BarrierResult,
        /// The certificate names cells that cannot be.
        Cells,
        /// A family has cells that are not its own, or not written by its updates alone.
        Family,
        /// A cell is claimed to be owned that somebody touches of whom it is open who executes him.
        OwnedByOpen,
        /// A cell is claimed to be owned that others beside the region could touch.
        OwnedBeside,
        /// A cell is owned that other threads may have in common.
        OwnedInCommon,
        /// Two threads stand for all that are not alike.
        NotAlike,
        /// The code around tasks writes what these gather.
        GatheredAround,
        /// Work that another thread could execute writes what is claimed not to be written so.
        OpenWrite,
        /// A cell is claimed to be owned that two threads touch.
        OwnedByTwo,
        /// A share is read and goes where nobody is told of.
        ShareRead,
        /// Something depends on a control variable that a piece of work sets.
        Control,
        /// What is stored here is not to be seen.
        UnseenStore,
        /// An open value is contributed to a family.
        OpenContribution,
        /// A copy that tasks reduce into is used otherwise than by updates.
        CopyUsed,
        /// A copy that tasks reduce into is updated in different ways.
        CopyUpdates,
        /// Something is waited for whose order the schedule decides.
        Waited,
        /// A task asks for its thread.
        TaskIdentity,
        /// An object of a thread is ended by work that another could do.
        ObjectEnds,
        /// A task may find what its thread writes beside it.
        Beside,
        /// The order of threads decides a value that the certificate takes to be fixed.
        FixedValue,
        /// An object ends while another strand may use it.
        EndsInUse,
        /// A lock is made or destroyed in an order that locks decide.
        LockMade,
        /// An exclusion by the semantics of locks as a whole is not checked.
        Closure,
        /// Two accesses may meet, and no reason is given why not.
        NoReason,
        /// The reason that is given why two accesses do not meet does not hold.
        WrongReason,
    }
}

listed! {
    /// What a search leaves out.
    Unexplored {
        /// Threads may execute their pieces of a construct in other orders than in the runs that
        /// were explored.
        PieceOrders,
        /// A `taskloop` may be split in other ways than in the runs that were explored.
        TaskloopSplits,
        /// The lanes of a `simd` loop, which may run at the same time, are compared by the proof
        /// from one run alone, not by a search.
        Lanes,
    }
}
