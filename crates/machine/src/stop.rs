//! Why a thread stops running.

use base::{DefectKind, Reason};

/// Why a thread stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// It stands before a synchronisation operation.
    AtSync,
    /// It has ended.
    Ended,
    /// It needs one of that many answers, from 0; give it to [`crate::Machine::answer`] and run the thread again.
    Choose(u32),
    /// It has used up its fuel.
    Fuel,
    /// The path is not a possible one (a failed assumption).
    Infeasible,
    /// It has shown a defect.
    Defect(DefectKind, String),
    /// It has come to something that is not supported, or that the machine cannot decide.
    Unknown(Box<Reason>),
    /// Inside the machine alone: the value of a term must be known to go on.
    Needs(u8),
    /// A barrier is used by more threads than it takes: its arrivals must be explored in all orders.
    BarrierOrder,
}

impl Stop {
    /// A defect with its message.
    pub fn defect(kind: DefectKind, message: impl Into<String>) -> Stop {
        Stop::Defect(kind, message.into())
    }

    /// Something that is not supported, or that cannot be decided.
    #[cold]
    pub fn unknown(reason: impl Into<Reason>) -> Stop {
        Stop::Unknown(Box::new(reason.into()))
    }

    /// Whether the thread cannot go on from here.
    pub fn is_final(&self) -> bool {
        matches!(self, Stop::Infeasible | Stop::Defect(..) | Stop::Unknown(_))
    }

    /// A misuse of a lock.
    pub fn lock_misuse(message: impl Into<String>) -> Stop {
        Stop::Defect(DefectKind::LockMisuse, message.into())
    }
}
