//! Traces: the events of one run, their files, their rules, and the replay of witnesses.
//!
//! [`event`] has the vocabulary, [`check`] the rules of a run, [`order`] the order that every reordering keeps,
//! [`replay`] the judge of witnesses.

pub mod check;
pub mod error;
pub mod event;
mod names;
pub mod order;
pub mod read;
pub mod replay;
pub mod std_text;

pub use error::{Error, Position, ReadError};
pub use event::{Counts, Event, EventId, LocId, LockId, Names, Op, ThreadId, Trace, VarId};
