//! Runs of real programs: recorded, stored, and turned into traces.
//!
//! [`runtime`] is what a program is linked with, [`session`] runs it and stores what it does, [`file`](mod@file) is the form of that
//! file, [`run`] what is in it; [`walk`] goes through a run in an order that its synchronisation allows, [`suspects`] finds
//! the memory that could be in a race at all, and [`reduce`] makes a trace of the accesses to it; [`symbols`] and [`names`]
//! say where these are in the source. [`native`] brings the program to where a witness ends, by the words of [`places`]; [`strands`] finds what one thread
//! did that two might do.
//!
//! Guarantee: a trace has every access of the recorded code to memory that two threads use without an order that every
//! schedule shares, and all synchronisation that the runtime knows. What the file lacks (a limit, a full disk, a killed
//! recorder) is cut off at one global number, so that no edge is missing between two events that are there.

pub mod file;
pub mod layout;
pub mod names;
pub mod native;
pub mod openmp;
pub mod order;
pub mod places;
pub mod reduce;
pub mod run;
pub mod runtime;
pub mod session;
pub mod strands;
pub mod suspects;
pub mod symbols;
pub mod walk;

use std::path::PathBuf;

/// What can go wrong.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The compiler cannot make the runtime.
    #[error("cannot compile the recording runtime: {0}")]
    Runtime(String),
    /// A file cannot be read or written.
    #[error("`{}`: {}", .0.display(), .1)]
    File(PathBuf, std::io::Error),
    /// A file is no recording.
    #[error("expected a recording, found {0}")]
    Format(String),
    /// The system refuses something.
    #[error("{0}: {1}")]
    System(&'static str, std::io::Error),
    /// The program does not start.
    #[error("cannot run `{0}`: {1}")]
    Start(String, std::io::Error),
}
