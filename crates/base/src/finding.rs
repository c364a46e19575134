//! Verdicts, races, defects, and the report of one check.
//!
//! The field names are the JSON schema, version [`crate::SCHEMA_VERSION`]: change them only together with
//! `docs/formats.md`.

use serde::{Deserialize, Serialize};

use crate::reason::Reason;
use crate::said::{Action, Message, Said, SharedOut, Who};
use crate::source::Place;

/// The answer of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Some schedule within the bounds has a data race.
    Race,
    /// No race was found, but a deadlock, a failed assertion, a memory error or the like.
    Defect,
    /// No schedule within the bounds has a race or another defect.
    RaceFree,
    /// Neither could be established; the report's `reason` says why.
    #[default]
    Unknown,
}

impl Verdict {
    /// The exit code of the command line: 0 race-free, 1 race or defect, 3 unknown.
    pub fn exit_code(self) -> u8 {
        match self {
            Verdict::RaceFree => 0,
            Verdict::Race | Verdict::Defect => 1,
            Verdict::Unknown => 3,
        }
    }
}

/// The answer about data races alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RacesVerdict {
    /// Some execution within the bounds has one.
    Race,
    /// No execution within the bounds has one, up to its end or to a defect that ends it.
    RaceFree,
    /// Neither could be established.
    #[default]
    Unknown,
}

/// The answer about defects other than data races.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DefectsVerdict {
    /// Some execution within the bounds has one.
    Defect,
    /// No execution within the bounds has one.
    None,
    /// Neither could be established.
    #[default]
    Unknown,
}

/// What a program can be asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Property {
    /// Data races.
    Races,
    /// Deadlocks.
    Deadlocks,
    /// Failed assertions, and whatever else ends a program abnormally by its own will.
    Assertions,
    /// Errors of memory, and whatever else has no defined behaviour or goes against the contract of a library.
    Memory,
}

impl Property {
    /// All of them.
    pub const ALL: [Property; 4] =
        [Property::Races, Property::Deadlocks, Property::Assertions, Property::Memory];
}

/// Whether an access reads or writes. Freeing an object is a write to all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AccessKind {
    /// The access reads.
    Read,
    /// The access writes (or reads and writes).
    Write,
}

/// A thread, as a person would point at it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ThreadLabel {
    /// The thread's number in order of creation; 0 is the main thread.
    pub id: u32,
    /// What a report calls it: `main`, `thread 2 (worker)`.
    pub name: Said<Who>,
    /// Where it was created; absent for the main thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<Place>,
}

/// One level of a call stack, innermost first in the lists that hold it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Frame {
    /// The function's name, demangled.
    pub function: String,
    /// Where in that function.
    #[serde(flatten)]
    pub place: Place,
}

/// One side of a race.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Access {
    /// Where in the source.
    #[serde(flatten)]
    pub place: Place,
    /// Read or write.
    pub access: AccessKind,
    /// Whether the access is atomic.
    pub atomic: bool,
    /// Who makes it.
    pub thread: ThreadLabel,
    /// The locks that the thread holds, by name.
    pub locks: Vec<String>,
    /// The call stack, innermost first.
    pub stack: Vec<Frame>,
    /// The piece of work of an OpenMP construct that the access belongs to, the innermost if there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strand: Option<Strand>,
    /// The OpenMP constructs that the access is made in, here or in callers, innermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constructs: Vec<Construct>,
}

/// An OpenMP construct, by its directive.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Construct {
    /// The directive's name: `parallel for`.
    pub name: String,
    /// The names of its clauses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clauses: Vec<String>,
    /// The directive's file.
    pub file: String,
    /// The directive's line.
    pub line: u32,
}

/// What kind of construct a strand is a piece of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StrandKind {
    /// Iterations of a worksharing loop.
    Iteration,
    /// A section.
    Section,
    /// The block of a `single`.
    Single,
    /// Iterations of a `distribute` loop.
    Distribute,
    /// A lane of a `simd` loop.
    Lane,
    /// An explicit task.
    Task,
}

/// A piece of work that OpenMP lets run on its own.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Strand {
    /// What it is.
    pub kind: StrandKind,
    /// Where the construct is; for a task, where it is created.
    pub place: Place,
    /// The number of the (first) iteration or of the section, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// How many iterations belong together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// After how many iterations the next chunk of the thread begins, if it has several (`schedule(static, c)`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every: Option<u64>,
    /// The loop variable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variable: Option<String>,
    /// The loop variable's value in that iteration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<i64>,
}

/// One step of a witness: what one thread does between two scheduling decisions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The thread's number.
    pub thread: u32,
    /// Where the thread stands when the step begins.
    #[serde(flatten)]
    pub place: Place,
    /// What it does: `locks m`, `writes x`.
    pub action: Said<Action>,
}

/// A schedule that leads to a finding, and the choices that replay it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Witness {
    /// The machine's choices, in order; feeding them back replays the run.
    pub choices: Vec<u32>,
    /// The index of the bound (in [`CheckReport::bounds`]) under which the run happens.
    pub bound: usize,
    /// The schedule for people.
    pub steps: Vec<Step>,
    /// How many operations threads perform on the way; without it, as many as the choices reach.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<u64>,
    /// What is scheduled in this run that is not always.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<Rule>,
    /// Who executes which pieces of the OpenMP constructs that the accesses belong to, for people.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub distribution: Vec<Said<SharedOut>>,
    /// Of the use of an object that may come behind its end: who ends it, and where.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<Step>,
    /// Of a race (or such a use and end): the first byte that both accesses touch, as the machine numbers memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<u64>,
    /// The values of the program's inputs without bounds, in the order in which the run reads them (zero beyond the last).
    /// Without it, the run does not depend on them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inputs: Option<Vec<i64>>,
    /// Of a finding in a recorded run: whether the real program was brought to it, and how to do that again. For people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub native: Option<String>,
}

/// A way in which a run was scheduled other than usually. The choices of a witness count only under its rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// Arrivals at barriers are scheduling points.
    BarriersBranch,
    /// A thread that is left alone still stands before each of its operations.
    NoShortcuts,
    /// A thread chooses the order in which it executes its pieces of a worksharing construct.
    PieceOrders,
}

/// A data race: two conflicting accesses that no synchronisation orders.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Race {
    /// The variable with element or field, such as `b[3][7]` or `p->next`.
    pub variable: String,
    /// The access that comes first in the witness.
    pub first: Access,
    /// The access that comes second in the witness.
    pub second: Access,
    /// What a person could do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The schedule that leads there.
    pub witness: Witness,
}

/// The kinds of defects other than races.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DefectKind {
    /// Threads wait for each other, or for something that never comes.
    Deadlock,
    /// A failed `assert`, `reach_error` or `__VERIFIER_assert`.
    Assertion,
    /// A call of `abort`, an uncaught exception, a trap.
    Abort,
    /// An access outside the bounds of its object.
    OutOfBounds,
    /// An access to an object whose lifetime has ended.
    UseAfterFree,
    /// An object freed twice.
    DoubleFree,
    /// A free of something that is not the start of a heap object.
    InvalidFree,
    /// An access through a null pointer.
    NullPointer,
    /// An access through a pointer that points to no object.
    InvalidPointer,
    /// An access through a pointer that was never initialised.
    UninitialisedPointer,
    /// A write to a constant object.
    WriteToConstant,
    /// A misuse of a lock: unlocking what one does not hold, destroying what is held, and the like.
    LockMisuse,
    /// An integer division by zero, or one that overflows.
    DivisionByZero,
    /// A call of a function with the wrong type or of something that is no function.
    InvalidCall,
    /// A thread's stack grew over its limit.
    StackOverflow,
    /// Code that the language says is never reached.
    Unreachable,
    /// A library function used against its contract (overlapping `memcpy`, double join, ...).
    Misuse,
}

impl DefectKind {
    /// The property that a defect of this kind is against.
    pub fn property(self) -> Property {
        match self {
            DefectKind::Deadlock => Property::Deadlocks,
            DefectKind::Assertion | DefectKind::Abort | DefectKind::Unreachable => Property::Assertions,
            _ => Property::Memory,
        }
    }
}

/// A defect other than a race.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Defect {
    /// Its kind.
    pub kind: DefectKind,
    /// One sentence for people; the machine has words for what it stops at.
    pub message: Said<Message>,
    /// Where it shows.
    pub location: Place,
    /// The thread in which it shows (for a deadlock, one of them).
    pub thread: ThreadLabel,
    /// The call stack, innermost first.
    pub stack: Vec<Frame>,
    /// For a deadlock: each thread that waits, where, and for what.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub waiting: Vec<Step>,
    /// The schedule that leads there.
    pub witness: Witness,
}

/// One set of inputs under which the program was checked.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Bound {
    /// The value that programs get when they ask how many threads to use.
    pub threads: u32,
    /// Whether what was found holds for every larger number, too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub or_more: bool,
    /// The program's arguments, without its name.
    pub args: Vec<String>,
    /// Macros defined for this bound, as `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Which distributions of OpenMP's work among threads.
    #[serde(default, skip_serializing_if = "Distributions::are_all")]
    pub distributions: Distributions,
    /// Whether memory allocation can fail.
    #[serde(default, skip_serializing_if = "Allocation::succeeds")]
    pub allocation: Allocation,
    /// The program's environment variables, as `NAME=VALUE`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<String>,
}

impl Bound {
    /// Whether this holds for all numbers of threads from another one's on, if the rest is the same.
    pub fn is_beyond(&self, other: &Bound) -> bool {
        let alike = Bound { threads: other.threads, or_more: other.or_more, ..self.clone() };
        self.or_more && self.threads >= other.threads && alike == *other
    }
}

/// Which distributions of the pieces of OpenMP's worksharing constructs are gone through, where the source leaves them open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Distributions {
    /// All that the language allows.
    #[default]
    All,
    /// The one that a runtime is likely to choose: blocks without a `schedule` clause and for `sections`, chunks in turn for
    /// `dynamic` and `guided`, `single` by the first thread.
    Default,
}

impl Distributions {
    /// Whether there is no restriction.
    pub fn are_all(&self) -> bool {
        *self == Distributions::All
    }
}

/// What the functions that allocate memory do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Allocation {
    /// They give memory, unless no implementation could.
    #[default]
    Succeeds,
    /// They give memory or fail, each time: both are gone through.
    MayFail,
}

impl Allocation {
    /// Whether allocation never fails.
    pub fn succeeds(&self) -> bool {
        *self == Allocation::Succeeds
    }
}

/// What the search did. Figures of several bounds are added up, the peak is the largest.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Stats {
    /// Whether a run has asked how many threads to use. If none has, other answers make no difference.
    #[serde(skip)]
    pub asked_threads: bool,
    /// Distinct states stored.
    pub states: u64,
    /// Transitions taken.
    pub transitions: u64,
    /// Paths followed to their end (a final state, a known state, a defect).
    pub executions: u64,
    /// The longest path, in scheduling decisions.
    pub depth: u64,
    /// IR instructions executed.
    pub instructions: u64,
    /// Runs by which the certificate of a proof from one run was checked.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub certify_runs: u64,
    /// Random executions that tried to contradict the verdict `race-free`, and did not.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub judge_runs: u64,
    /// Wall-clock time.
    pub seconds: f64,
    /// The part of `seconds` that the compiler took.
    pub compile_seconds: f64,
    /// The most memory that the process held.
    pub peak_memory_bytes: u64,
}

/// A bound, or a part of the question, that was not decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undecided {
    /// The bound.
    pub bound: Bound,
    /// What is not decided under it.
    pub about: Vec<Property>,
    /// The words of `reason`, for whoever writes the report down to fill in.
    #[serde(rename = "reason", default, skip_serializing_if = "String::is_empty")]
    pub reason_words: String,
    /// Why.
    #[serde(rename = "why", default)]
    pub reason: Reason,
    /// Where the reason lies, if it has a place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
}

/// What kind of code is for several threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SiteKind {
    /// A parallel region of OpenMP.
    Region,
    /// The creation of a thread.
    Thread,
    /// A task of OpenMP.
    Task,
    /// A lock or critical section that is entered.
    Lock,
}

impl SiteKind {
    /// Whether it is what makes a program have several threads or strands.
    pub fn is_parallel(self) -> bool {
        self != SiteKind::Lock
    }
}

/// Code for several threads that no execution came to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Unreached {
    /// What it is.
    pub kind: SiteKind,
    /// Where.
    #[serde(flatten)]
    pub place: Place,
}

/// What of the program's code for several threads the executions came to.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Coverage {
    /// How many places were reached.
    pub reached: u64,
    /// How many of them begin something parallel: all but the locks.
    #[serde(default)]
    pub parallel: u64,
    /// Those that were not, in the order of the source.
    pub unreached: Vec<Unreached>,
}

impl Coverage {
    /// Whether the program has no such code.
    pub fn is_empty(&self) -> bool {
        self.reached == 0 && self.unreached.is_empty()
    }
}

/// Whether there is nothing to write down.
fn is_false(flag: &bool) -> bool {
    !flag
}

/// Whether there is nothing to write down.
fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// How one file of a program is compiled, where its build says so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuildUnit {
    /// The file, as the report names it.
    pub file: String,
    /// The folder in which its compiler runs.
    pub directory: String,
    /// Its own compiler flags, which come before those that are given for all files.
    pub flags: Vec<String>,
}

/// What a build says of a program beyond the list of its files.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Build {
    /// How each file is compiled, in the order of the report's `files`; empty if all are compiled alike.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub units: Vec<BuildUnit>,
    /// The functions that are called in place of `main`, each in a thread of its own if there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<String>,
}

/// The whole answer of `raceproof check`. The default is of nothing, without a version.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct CheckReport {
    /// The schema's version, [`crate::SCHEMA_VERSION`].
    pub version: u32,
    /// The verdict. A program with a race and another defect has verdict `race`; both are listed.
    pub verdict: Verdict,
    /// The answer about data races.
    #[serde(default)]
    pub races_verdict: RacesVerdict,
    /// The answer about other defects.
    #[serde(default)]
    pub defects_verdict: DefectsVerdict,
    /// What an answer was demanded about, beside races.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<Property>,
    /// The words of `reason`, for whoever writes the report down to fill in.
    #[serde(rename = "reason", default, skip_serializing_if = "Option::is_none")]
    pub reason_words: Option<String>,
    /// Why the verdict is `unknown`.
    #[serde(rename = "why", default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// Where the reason lies, if it has a place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason_place: Option<Place>,
    /// The inputs that were covered (or were meant to be, if `unknown`).
    pub bounds: Vec<Bound>,
    /// Bounds that were not decided, and why. Where nobody asked for several numbers of threads, the verdict is about the
    /// others alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undecided: Vec<Undecided>,
    /// The races, once per pair of source accesses and variable.
    pub races: Vec<Race>,
    /// Whether there are more races than are listed.
    #[serde(default, skip_serializing_if = "is_false")]
    pub races_cut: bool,
    /// The other defects, once per kind and place.
    pub defects: Vec<Defect>,
    /// Whether there are more defects than are listed.
    #[serde(default, skip_serializing_if = "is_false")]
    pub defects_cut: bool,
    /// What of the code for several threads was reached.
    #[serde(default, skip_serializing_if = "Coverage::is_empty")]
    pub coverage: Coverage,
    /// What the verdict rests on.
    pub assumptions: Vec<String>,
    /// What the search did.
    pub stats: Stats,
    /// The source files of the program, as the compiler named them.
    pub files: Vec<String>,
    /// The compiler flags that were given.
    pub flags: Vec<String>,
    /// How the program is built, if it takes more than its files and flags to say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<Build>,
    /// When the answer was found (UTC, as in `2026-01-31T12:00:00Z`), if it comes from the cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached: Option<String>,
}
