//! The machine: one sequentially consistent step of a program at a time.
//!
//! A [`Program`] is a module made ready; a [`Machine`] is one in execution. [`Machine::run`] executes a thread's local
//! instructions until it stands before a synchronisation operation, [`Machine::alternatives`] says how it could go on,
//! [`Machine::perform`] lets it. The machine never chooses: whoever drives it does, so a list of choices replays a run.

#![forbid(unsafe_code)]

mod clock;
mod escape;
pub mod footprint;
pub mod history;
pub mod interp;
pub mod memory;
pub mod names;
pub mod native;
pub mod observe;
pub mod omp;
pub mod program;
mod seen;
pub mod several;
pub mod state;
pub mod stop;
pub mod symbol;
pub mod symmetry;
pub mod sync;
pub mod thread;

pub use clock::Clock;
pub use observe::{Edge, Observer, Question, ShareKind, Work};
pub use program::{Inputs, LoadError, Program};
pub use state::{InputMode, Machine, Mark, Mode, RawRace, Read, is_end, place_of_access};
pub use stop::Stop;
pub use symmetry::Watch;
pub use thread::{Pending, Status, Thread};
