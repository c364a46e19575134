//! The words of reasons that are names alone.

use base::reason::{Fork, Gap, LockDoubt, Openmp, RunEnd, Structure, Subject, Uncertified, Unexplored, Used};

pub(super) fn openmp(of: Openmp) -> &'static str {
    match of {
        Openmp::DoacrossOutside => "a doacross dependence outside its loop",
        Openmp::UndeferredLanes => {
            "a `taskloop simd` whose tasks are executed where they are created: how many iterations a task has is open, and those of \
             one task may run at the same time"
        }
        Openmp::ConcurrentAlone => {
            "iterations of a loop with `order(concurrent)`, or of `loop`, in a team of one thread: they may run at the same time, but are compared by the proof from one run alone, not by a search"
        }
        Openmp::ConcurrentReductionAlone => {
            "a loop with `order(concurrent)`, or `loop`, and `reduction` in a team of one thread: its iterations may run at the same time, but are only compared between threads"
        }
        Openmp::LastprivateObject => {
            "`lastprivate` of an object that is copied by a function: what it had behind the last iteration is not known any more where the thread has executed other iterations since"
        }
        Openmp::ReductionEnd => "the end of a reduction that was not begun",
        Openmp::TasksOutlived => {
            "a thread ends before the tasks that it has created outside of all parallel regions"
        }
        Openmp::Dependence => "a kind of dependence between tasks",
        Openmp::TaskloopTrips => "a taskloop with more than four thousand million iterations",
        Openmp::MergeableTask => {
            "an undeferred task with `mergeable` changes its private variables, which may be its creator's"
        }
        Openmp::TaskModifier => "a reduction with the modifier `task`",
        Openmp::UndeferredReduction => "an undeferred task that takes part in a reduction(task, ...)",
        Openmp::LoopOfLeague => "a worksharing loop of a team outside a parallel region",
        Openmp::LoopNotBegun => "a loop that is not being executed",
        Openmp::CombinerWrites => {
            "the combiner of a task reduction writes to memory beside the values that it combines"
        }
        Openmp::CombinerSynchronises => {
            "the combiner of a user-defined reduction that synchronises more than once: searches execute combiners one after another"
        }
        Openmp::RegionEnd => "the end of a parallel region that was not begun",
        Openmp::UnknownTask => "a task that the runtime does not know",
        Openmp::StrayedTask => {
            "an untied task asks for its thread, or uses a variable of its thread, behind a task scheduling point at which it may have changed the thread (make it tied)"
        }
        Openmp::DroppedPoint => {
            "a task beside `target data`, `target enter data`, `target exit data` or `target update`: these are task scheduling points, which clang drops"
        }
        Openmp::TargetAlone => {
            "a `target` region with `nowait` in a team of one thread: a device may execute it beside its creator, which is only looked at where the program does not depend on the schedule"
        }
        Openmp::DetachDepend => "a task with `detach` and `depend` that is executed when it is created",
        Openmp::TaskEnd => "the end of a task that was not begun",
        Openmp::InitializerOriginal => {
            "a reduction whose initializer uses `omp_orig`: clang lets a thread read the original variable when another may have combined its copy into it already"
        }
        Openmp::GroupEnd => "the end of a task group that was not begun",
        Openmp::Cancel => "`cancel` with OMP_CANCELLATION=true: what is still done then is not modelled",
    }
}

pub(super) fn subject(of: Subject) -> &'static str {
    match of {
        Subject::Branch => "this branch",
        Subject::Selection => "this selection",
        Subject::Switch => "this switch",
        Subject::Operation => "this operation",
        Subject::Divisor => "the divisor",
        Subject::Quotient => "whether the quotient fits its type",
        Subject::CompareExchange => "this compare-and-exchange",
        Subject::SyncArgument => "an argument of this synchronisation",
        Subject::CallArgument => "an argument of this call",
        Subject::CopyLength => "the length of this copy",
        Subject::FillLength => "the length of this fill",
        Subject::Goto => "this computed goto",
        Subject::ArraySize => "the size of this array",
        Subject::Address => "the address of this access",
        Subject::LoopBound => "a bound of this loop",
        Subject::TaskShareds => "the shared variables of a task",
        Subject::TaskDestructor => "the destructor of a task",
        Subject::Futex => "the value of a futex",
        Subject::MutexType => "the type of a mutex",
        Subject::Class => "the class of an object",
        Subject::ExceptionPointer => "an exception pointer",
        Subject::NumberText => "the text of a number",
        Subject::VariableArguments => "a list of variable arguments",
        Subject::Here => "what happens here",
    }
}

pub(super) fn used(of: Used) -> &'static str {
    match of {
        Used::Condition => "a condition variable",
        Used::Semaphore => "a semaphore",
        Used::Once => "a one-time initialisation",
        Used::Futex => "a futex",
        Used::TryLock => "an attempt to take a lock",
        Used::AtomicSection => "an atomic section",
        Used::Event => "the event of a detached task",
        Used::Lanes => {
            "memory of one thread that two iterations touch which may run at the same time (`simd`, `order(concurrent)`, `loop`)"
        }
        Used::OuterPieces => "the order of pieces of work outside of all parallel regions",
        Used::Detaching => "the detaching of a thread",
    }
}

pub(super) fn fork(of: Fork) -> &'static str {
    match of {
        Fork::EndlessLoop => "a loop that goes on for ever in this run",
        Fork::WaitingLoop => "a loop that waits for another thread",
        Fork::UntiedTask => "an untied task that asks for its thread",
        Fork::Operation => "an operation that can go more than one way",
        Fork::BarrierResult => "the result of a barrier",
        Fork::TaskloopSplit => "the split of a taskloop whose tasks change private variables",
    }
}

pub(super) fn structure(of: Structure) -> &'static str {
    match of {
        Structure::IdleThread => "a thread without work moves",
        Structure::Parts => "the run has too many parts",
        Structure::Tasks => "the run's tasks and dependences are too many",
        Structure::JoinInside => "a thread is joined inside a parallel region",
        Structure::CreateInside => "a thread is created inside a parallel region",
        Structure::OtherPhase => "an iteration is waited for in another phase",
        Structure::ThreadBarrierInside => "a barrier of threads inside a parallel region",
        Structure::BarrierInPiece => "a barrier inside a piece of work",
        Structure::BarrierOutside => "a barrier outside of all regions",
        Structure::UnknownRegion => "the end of an unknown region",
        Structure::RegionInPiece => "a region ends inside a piece of work",
        Structure::PieceOutside => "a piece of work outside of all regions",
        Structure::PieceInside => "a piece of work ends inside another",
        Structure::PieceNotBegun => "a piece of work ends that was not begun",
        Structure::OrderedOutside => "an ordered block outside of its loop",
        Structure::TaskNotCreated => "a task begins that was not created",
        Structure::TaskEarly => "a task begins before what it depends on",
        Structure::TaskEndNotCreated => "a task ends that was not created",
        Structure::TaskElsewhere => "a task ends that its thread does not execute",
        Structure::TaskOtherPiece => "a task ends on another piece of work than it began on",
        Structure::WaitEarly => "a wait for a task ends before the task",
    }
}

pub(super) fn lock_doubt(of: LockDoubt) -> &'static str {
    match of {
        LockDoubt::HeldWhileWaiting => {
            "a thread waits for others, or ends, while it holds a lock that others take"
        }
        LockDoubt::Guest => "work that another thread could execute takes a lock while its thread holds one",
        LockDoubt::Unbalanced => {
            "work that another thread could execute keeps a lock, or gives back one that it did not take"
        }
        LockDoubt::ReadTwice => "a thread takes a read lock twice, and a writer may wait in between",
        LockDoubt::DifferentOrders => "threads take locks in different orders",
    }
}

pub(super) fn run_end(of: RunEnd) -> &'static str {
    match of {
        RunEnd::TooLong => "the run takes too long",
        RunEnd::AssumptionFails => "an assumption fails in this run",
        RunEnd::Stuck => "the run does not go on",
        RunEnd::Deadlock => "the run ends in a deadlock",
        RunEnd::BarrierOrder => "a barrier is used by more threads than it takes",
        RunEnd::Unfinished => "a thread still waits here when the program ends",
        RunEnd::Endless => "the run does not end",
        RunEnd::WaitsForEver => "a thread waits for ever",
        RunEnd::Differs => "the second run differs",
        RunEnd::Defect => "the run shows a defect",
    }
}

pub(super) fn gap(of: Gap) -> &'static str {
    match of {
        Gap::InputValues => "the program's inputs have too many values for one run each",
        Gap::ByThread => "what a part of the program does depends on the thread that executes it",
        Gap::MoreMeet => "more than two threads may meet",
        Gap::Late => "comparing what the strands touch takes too long",
        Gap::TaskIdentity => "what a task does may depend on the thread that executes it",
        Gap::Nested => "work is distributed in three regions inside each other",
        Gap::Control => "this depends on a control variable that a piece of work sets for its thread",
        Gap::Nameless => "something is used of which it is not known what made it",
        Gap::Meeting => "whether two accesses can meet was not decided",
        Gap::OwnedEnds => "work that another thread could execute ends an object that belongs to its thread",
        Gap::EndsByLocks => "an object ends, or a lock is made or destroyed, in an order that locks decide",
        Gap::BranchWays => "a branch whose ways do not meet",
    }
}

pub(super) fn uncertified(of: Uncertified) -> &'static str {
    match of {
        Uncertified::Values => "the certificate does not speak of all values of the inputs",
        Uncertified::TooManyValues => "the inputs have too many values",
        Uncertified::NoRun => "there was no run",
        Uncertified::Asked => "what the program asks for depends on who executes what",
        Uncertified::NestedNumbers => {
            "threads of nested teams ask for their number in some distributions alone"
        }
        Uncertified::TaskTurns => "not every task was executed by every thread",
        Uncertified::TaskloopSplit => "it matters how the iterations of a taskloop are split",
        Uncertified::OpenBranch => "a branch is decided by an open value that the certificate does not name",
        Uncertified::Floats => {
            "floating-point updates have to be taken to commute, which the certificate does not say"
        }
        Uncertified::Combiners => {
            "user-defined reductions have to be taken to commute, which the certificate does not say"
        }
        Uncertified::WaitingLoop => "a loop waits for another thread",
        Uncertified::UntiedTask => "an untied task asks for its thread",
        Uncertified::TwoWays => "an operation can go more than one way",
        Uncertified::BarrierResult => "the result of a barrier",
        Uncertified::Cells => "the certificate names cells that cannot be",
        Uncertified::Family => "a family has cells that are not its own, or not written by its updates alone",
        Uncertified::OwnedByOpen => {
            "a cell is claimed to be owned that somebody touches of whom it is open who executes him"
        }
        Uncertified::OwnedInCommon => "a cell is claimed to be owned that other threads may have in common",
        Uncertified::NotAlike => "two threads are claimed to stand for all that are not alike",
        Uncertified::OwnedBeside => "a cell is claimed to be owned that others beside the region could touch",
        Uncertified::GatheredAround => "the code around tasks writes what these gather",
        Uncertified::OpenWrite => {
            "work that another thread could execute writes what is claimed not to be written so"
        }
        Uncertified::OwnedByTwo => "a cell is claimed to be owned that two threads touch",
        Uncertified::ShareRead => "a share is read and goes where nobody is told of",
        Uncertified::Control => "something depends on a control variable that a piece of work sets",
        Uncertified::UnseenStore => "what is stored here is not to be seen",
        Uncertified::OpenContribution => "an open value is contributed to a family",
        Uncertified::CopyUsed => "a copy that tasks reduce into is used otherwise than by updates",
        Uncertified::CopyUpdates => "a copy that tasks reduce into is updated in different ways",
        Uncertified::Waited => "something is waited for whose order the schedule decides",
        Uncertified::TaskIdentity => "a task asks for its thread",
        Uncertified::ObjectEnds => "an object of a thread is ended by work that another could do",
        Uncertified::Beside => "a task may find what its thread writes beside it",
        Uncertified::FixedValue => {
            "the order of threads decides a value that the certificate takes to be fixed"
        }
        Uncertified::EndsInUse => "an object ends while another strand may use it",
        Uncertified::LockMade => "a lock is made or destroyed in an order that locks decide",
        Uncertified::Closure => "an exclusion by the semantics of locks as a whole is not checked",
        Uncertified::NoReason => "two accesses may meet, and no reason is given why not",
        Uncertified::WrongReason => "the reason that is given why two accesses do not meet does not hold",
    }
}

pub(super) fn unexplored(of: Unexplored) -> &'static str {
    match of {
        Unexplored::PieceOrders => {
            "threads may execute their pieces of a construct in other orders than in the runs that were explored"
        }
        Unexplored::TaskloopSplits => {
            "a `taskloop` may be split in other ways than in the runs that were explored"
        }
        Unexplored::Lanes => {
            "the lanes of a `simd` loop, which may run at the same time, are compared by the proof from one run alone, not by a search"
        }
    }
}
