//! Traces: the events of one run, their files, their rules, and the replay of witnesses.
//!
//! [`event`] has the vocabulary; [`read`] and [`mod@write`] the files, in the forms [`std_text`], [`csv`] and [`binary`];
//! [`origin`] what a file says of its making, [`check`] the rules of a run, [`order`] the order that every reordering keeps, [`replay`] the judge of witnesses and
//! [`replay_many`] of many at once; [`info`] says what is in a trace, [`mod@slice`] cuts out of one, [`generate`] makes large ones.

#![forbid(unsafe_code)]

pub mod binary;
pub mod check;
pub mod csv;
pub mod error;
pub mod event;
pub mod generate;
pub mod info;
mod input;
mod names;
pub mod order;
pub mod origin;
pub mod read;
pub mod replay;
pub mod replay_many;
mod reports;
mod roadrunner;
pub mod slice;
pub mod std_text;
pub mod write;

pub use error::{Error, Position, ReadError};
pub use event::{Counts, Event, EventId, LocId, LockId, Names, Op, ThreadId, Trace, VarId};
pub use origin::Origin;
pub use read::{Format, Reader};
pub use write::{Compression, Writer};
