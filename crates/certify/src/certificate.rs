//! The certificate: what a proof from one run rests on, in a form that somebody else can check.
//!
//! Nothing in it is believed. It tells [`crate::check`] which values to treat as open, which cells to treat as a thread's own, which
//! cells to gather, and why pairs of accesses exclude each other; what is not said counts as fixed, shared, plain and unexcluded. A claim that
//! the checker's own runs do not bear out makes it refuse.
//!
//! *Format.* JSON, one object: [`Certificate`], with the field names below. Numbers are unsigned 64-bit integers. An instruction is
//! `function << 32 | position` in the program that the front end makes of the sources. Strands, regions, objects and places are named as
//! [`machine::names`] says. A field that is not known is an error.

use serde::{Deserialize, Serialize};

/// The version of the format.
pub const VERSION: u32 = 1;

/// What a proof rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// [`VERSION`].
    pub version: u32,
    /// Whether floating-point updates are taken to give the same result in every order.
    pub floats: bool,
    /// Whether user-defined reductions are.
    pub combiners: bool,
    /// One for each assignment of values to the inputs that the program asks for.
    pub cases: Vec<Case>,
}

/// What holds for one assignment of values.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The values, as numbers of answers.
    pub answers: Vec<u32>,
    /// Whether tasks ask for their thread, so that every thread has to execute every task.
    pub tasks: bool,
    /// Whether the first two threads of each team stand for all: nobody can tell the others from the second.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub two: bool,
    /// Branches that are taken both ways: function and position.
    pub branches: Vec<(u32, u32)>,
    /// Instructions whose stored value depends on the executing thread.
    pub open_stores: Vec<u64>,
    /// Accesses whose value the order of threads decides (R1).
    pub open: Vec<Open>,
    /// Who owns what.
    pub owners: Vec<Owned>,
    /// What open strands write of that.
    pub written: Vec<Written>,
    /// Which of these cells gather contributions.
    pub families: Vec<Family>,
    /// Why accesses exclude each other that D does not order.
    pub pairs: Vec<Pair>,
}

/// Bytes of an object: from, to (not included). Object 0 stands for the whole address space: globals lie at the same addresses in every
/// run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Cells(pub u64, pub u64, pub u64);

/// A phase of a region: the region's name and the number of the phase.
pub type Stage = (u64, u32);

/// Accesses whose value the order of threads decides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Open {
    /// Who ([`machine::names::class`]).
    pub class: u64,
    /// The instruction.
    pub at: u64,
    /// Whether it writes.
    pub write: bool,
    /// Cells beside which there is some write, so that an atomic operation gives back an open value.
    pub any: Vec<Cells>,
    /// Cells beside which there is a write that does not commute.
    pub bad: Vec<Cells>,
}

/// Cells that belong to threads in a phase: each to the one that touches it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Owned {
    /// The phase.
    pub stage: Stage,
    /// The cells.
    pub cells: Vec<Cells>,
}

/// The construct that stands for all tasks of a phase.
pub const TASKS: u64 = u64::MAX;

/// What the open strands of a construct write of a thread's own cells.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Written {
    /// The phase.
    pub stage: Stage,
    /// The number of the construct in the region, or [`TASKS`].
    pub nth: u64,
    /// The number of the thread.
    pub number: u32,
    /// How, if that is by updates alone.
    pub kind: Option<Kind>,
    /// The one strand of the construct that writes there, if it is one.
    pub sole: Option<u64>,
    /// The cells.
    pub cells: Vec<Cells>,
}

/// Cells to which the open strands of a construct contribute by updates: on each thread another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Family {
    /// The phase.
    pub stage: Stage,
    /// The number of the construct in the region, or [`TASKS`].
    pub nth: u64,
    /// How.
    pub kind: Kind,
    /// The elements: object, and where each begins.
    pub cells: Vec<(u64, u64)>,
}

/// Updates of a class, of elements of one size and place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kind {
    /// The operation.
    pub class: Class,
    /// The size of the element in bytes, and where elements begin (`address mod size`) in the upper 16 bits.
    pub grid: u32,
}

impl Kind {
    /// The size of an element.
    pub fn bytes(self) -> u64 {
        u64::from(self.grid & 0xffff)
    }
}

/// Operations whose order and grouping do not matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Class {
    Add,
    Mul,
    And,
    Or,
    Xor,
    LogicalAnd,
    LogicalOr,
    Smin,
    Smax,
    Umin,
    Umax,
    FloatAdd,
    FloatMul,
    FloatMin,
    FloatMax,
}

impl Class {
    /// Whether that is an assumption.
    pub fn is_assumed(self) -> bool {
        matches!(self, Class::FloatAdd | Class::FloatMul | Class::FloatMin | Class::FloatMax)
    }
}

/// Why two instructions exclude each other wherever D does not order them: for each pair of accesses one of the reasons.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// The instruction with the lower number.
    pub first: u64,
    /// The other.
    pub second: u64,
    /// The reasons.
    pub reasons: Vec<Reason>,
}

/// Why two accesses cannot race.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Reason {
    /// Both are atomic.
    Atomic,
    /// Both hold this lock (object and place in it), at least one of them for itself alone.
    Lock(u64, u64),
    /// Each holds a lock that the other has acquired since the one that it holds itself.
    Histories,
    /// They are in tasks that exclude each other (`mutexinoutset`).
    Tasks,
    /// The semantics of locks as a whole. Not checked: a certificate with such a reason is refused.
    Closure,
}
