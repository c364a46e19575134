//! Traces: the events of one run, their files, their rules, and the replay of witnesses.

pub mod event;

pub use event::{Event, EventId, LocId, LockId, Names, Op, ThreadId, Trace, VarId};
