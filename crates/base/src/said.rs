//! What a finding tells by types: who does something, what a step of a schedule does, who got which pieces. `report` has the words.

use serde::{Deserialize, Serialize};

use crate::finding::{AccessKind, Strand};

/// What an engine tells by its type. In files for others, and in reports that were read from them, it is the words.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Said<T> {
    /// In words.
    Words(String),
    /// By type. (All types have a tag, so that none of them is a mere string in JSON.)
    Typed(T),
}

impl<T, W: Into<String>> From<W> for Said<T> {
    fn from(words: W) -> Said<T> {
        Said::Words(words.into())
    }
}

/// What executes something.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "who", rename_all = "kebab-case")]
pub enum Who {
    /// The main thread.
    Main,
    /// A thread by its number in order of creation.
    Thread {
        /// The number.
        number: u32,
        /// What it runs, if the user wrote that.
        function: Option<String>,
    },
    /// A thread of an OpenMP team.
    Member {
        /// Its numbers in its teams, outermost first.
        numbers: Vec<u32>,
    },
    /// A thread of the OpenMP team of a line.
    MemberOf {
        /// Its number there.
        number: u32,
        /// The line.
        line: u32,
    },
    /// A piece of a construct as a whole: all iterations of a chunk.
    Piece {
        /// The piece.
        strand: Strand,
    },
}

/// What a thread does in one step.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "does", content = "what", rename_all = "kebab-case")]
pub enum Action {
    /// It goes on.
    Runs,
    /// It has ended.
    HasEnded,
    /// It waits for the next team that needs it.
    AwaitsRegion,
    /// It begins another round of a loop that waits for others.
    SpinsAgain,
    /// It ends the program.
    EndsProgram,
    /// It can never go on.
    CannotGoOn,
    /// It accesses a variable.
    Accesses {
        /// How.
        access: AccessKind,
        /// The variable, element or member.
        variable: String,
    },
    /// It leaves the scope of a variable.
    Ends(String),
    /// It performs an atomic operation, on a variable if that is known.
    Atomic(Option<(AtomicOperation, String)>),
    /// It waits on an atomic's value.
    AwaitsAtomic,
    /// It wakes those who wait on an atomic.
    WakesAtomic,
    /// It performs an operation on a synchronisation object.
    On(Operation, String),
    /// It waits on a condition variable.
    Waits {
        /// The condition variable.
        condition: String,
        /// The mutex that it takes afterwards.
        mutex: String,
    },
    /// It wakes up from a condition variable.
    WakesUp {
        /// The condition variable.
        condition: String,
        /// The mutex that it takes now.
        mutex: String,
    },
    /// It creates a thread.
    Creates(Said<Who>),
    /// It joins a thread.
    Joins(Said<Who>),
    /// It begins a section that nothing interrupts.
    BeginsAtomicSection,
    /// It ends that section.
    EndsAtomicSection,
    /// It is in the OpenMP runtime.
    InRuntime(RuntimeWait),
    /// It reads this value as an input.
    ReadsInput(String),
    /// It gets this value where the program chooses one.
    Chooses(u32),
    /// It forms so many teams.
    FormsTeams(u32),
    /// It forms a team of so many threads.
    FormsTeam(u32),
    /// It gives threads their pieces of a construct.
    SharesOut,
    /// It forks a team of so many threads.
    ForksTeam(u32),
    /// It begins a task that was created in this line.
    TakesTask(u32),
    /// It cannot do this, for somebody holds what it needs.
    Blocked(Box<Action>, Holder),
    /// In a recorded run: it waits for a lock that somebody holds.
    WaitsFor {
        /// The lock.
        lock: String,
        /// Who holds it.
        holder: Said<Who>,
    },
}

/// An atomic operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AtomicOperation {
    /// A read.
    Reads,
    /// A write.
    Writes,
    /// A read and a write.
    Updates,
    /// A write, if a comparison holds.
    CompareExchanges,
}

/// An operation on a synchronisation object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// Locks it.
    Locks,
    /// Tries to lock it.
    TriesToLock,
    /// Locks it, or gives up in time.
    LocksInTime,
    /// Unlocks it.
    Unlocks,
    /// Locks it for reading.
    LocksForReading,
    /// Tries to lock it for reading.
    TriesToLockForReading,
    /// Locks it for reading, or gives up in time.
    LocksForReadingInTime,
    /// Waits on a condition variable.
    WaitsOn,
    /// Signals a condition variable.
    Signals,
    /// Wakes all who wait on it.
    WakesAll,
    /// Is woken by it.
    IsWokenBy,
    /// Arrives at a barrier.
    ArrivesAtBarrier,
    /// Waits at a barrier.
    WaitsAtBarrier,
    /// Passes a barrier.
    PassesBarrier,
    /// Waits on a semaphore.
    WaitsOnSemaphore,
    /// Tries a semaphore.
    TriesSemaphore,
    /// Waits on a semaphore, or gives up in time.
    WaitsOnSemaphoreInTime,
    /// Posts a semaphore.
    PostsSemaphore,
    /// Asks a semaphore for its value.
    AsksSemaphore,
    /// Enters a one-time initialisation.
    EntersOnce,
    /// Leaves a one-time initialisation.
    LeavesOnce,
    /// Enters a critical section.
    Enters,
    /// Leaves a critical section.
    Leaves,
    /// Sets an OpenMP lock.
    Sets,
    /// Tries to set an OpenMP lock.
    TriesToSet,
    /// Unsets an OpenMP lock.
    Unsets,
}

/// What a thread does in the OpenMP runtime.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RuntimeWait {
    /// Waits at a barrier for its team.
    Barrier,
    /// Waits at the end of the region for its team.
    Join,
    /// Waits for its turn at an ordered block.
    Ordered,
    /// Waits for the others' copies before it writes the last value back.
    Entries,
    /// Waits for an iteration that it depends on.
    Sink,
    /// Waits for the tasks that it has created.
    Children,
    /// Waits for the tasks of its group.
    Group,
    /// Waits for the tasks that it depends on.
    Task,
    /// Lets other tasks go first.
    Yield,
    /// Has created a task.
    Created,
    /// Creates a task that is not deferred.
    Undeferred,
    /// Waits at a barrier.
    Team,
    /// Waits at the end of the region.
    Serial,
    /// Waits at the end of the program.
    Program,
}

/// Who keeps a thread from going on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Holder {
    /// A writer that waits for readers.
    Writer,
    /// The thread itself holds it.
    Itself,
    /// A thread that ended holding it.
    Ended(u32),
    /// Another thread holds it.
    Thread(u32),
}

/// What a defect is that no thread shows by itself.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "defect", rename_all = "kebab-case")]
pub enum Message {
    /// Threads wait in a circle, each for the next.
    Circle {
        /// How many.
        threads: u32,
    },
    /// Threads wait for each other, or for something that never comes.
    Several {
        /// How many.
        threads: u32,
        /// Whether one of them reads behind a waiting writer.
        behind_writer: bool,
    },
    /// One thread waits for ever.
    Alone {
        /// Its number.
        thread: u32,
        /// What it waits for.
        action: Said<Action>,
        /// Whether it reads behind a waiting writer.
        behind_writer: bool,
    },
    /// The use of an object may come behind its end.
    LateUse {
        /// The variable, element or member.
        variable: String,
        /// How it is used.
        access: AccessKind,
        /// Who leaves its scope.
        ends: Said<Who>,
    },
}

/// Who has executed which pieces of a worksharing construct.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SharedOut {
    /// What it is.
    pub kind: SharedKind,
    /// Its line.
    pub line: u32,
    /// The loop variable, if it is known.
    pub variable: Option<LoopVariable>,
    /// The threads that have executed something of it.
    pub owners: Vec<Owner>,
}

impl SharedOut {
    /// More ranges of a thread than this are not shown.
    pub const SHOWN: usize = 4;
}

/// What kind of construct is shared out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SharedKind {
    /// A loop.
    Loop,
    /// Sections.
    Sections,
    /// A `single`.
    Single,
}

/// The variable of a loop: what it is in iteration n is `lower + n * step`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LoopVariable {
    /// Its name.
    pub name: String,
    /// Its first value.
    pub lower: i64,
    /// What is added.
    pub step: i64,
}

/// The pieces of one thread.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Owner {
    /// Its number in the team.
    pub member: u32,
    /// The first ranges of its iterations, at most one more than [`SharedOut::SHOWN`], first and last of each.
    pub ranges: Vec<(u64, u64)>,
    /// Whether it executes them in ascending order.
    pub ascending: bool,
}
