//! The one file that knows the engine: from a request to a report.
//!
//! Everything before it is about the command line, everything after it about showing the answer.

use std::path::PathBuf;
use std::time::Duration;

use base::{Bound, CheckReport};

/// What `check` is to do.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckRequest {
    /// The files that together are the program.
    pub inputs: Vec<PathBuf>,
    /// Flags for clang.
    pub flags: Vec<String>,
    /// The bounds to go through, in order; those with equal macros stand together.
    pub bounds: Vec<Bound>,
    /// When to stop.
    pub limits: Limits,
    /// Store whole states instead of hashes.
    pub exact: bool,
}

/// When to stop with `unknown`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Limits {
    /// Wall-clock time over all bounds.
    pub time: Option<Duration>,
    /// Bytes of memory.
    pub memory: Option<u64>,
    /// Stored states.
    pub states: Option<u64>,
    /// Scheduling decisions on one path.
    pub depth: Option<u64>,
}

/// What `replay` is to do: one run, with its choices given.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplayRequest {
    /// The files that together are the program.
    pub inputs: Vec<PathBuf>,
    /// Flags for clang.
    pub flags: Vec<String>,
    /// The bound under which the run happens.
    pub bound: Bound,
    /// The machine's choices, in order.
    pub choices: Vec<u32>,
}

/// How far a check has come.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Progress {
    /// Which bound is being searched, from 0.
    pub bound: usize,
    /// States stored so far, in all bounds.
    pub states: u64,
    /// Transitions taken so far, in all bounds.
    pub transitions: u64,
    /// Paths that still wait to be followed, in this bound.
    pub waiting: u64,
    /// The longest path so far.
    pub depth: u64,
    /// The memory that the search holds now.
    pub memory_bytes: u64,
}

/// Why there is no report: the input was wrong, or this raceproof cannot do it. Always exit code 2.
#[derive(Debug)]
#[allow(dead_code, reason = "which of them can happen depends on the features")]
pub enum Error {
    /// The compiler refused the program; its own words.
    Compiler(String),
    /// Something else is wrong with the input.
    Input(String),
    /// This raceproof was built without what the command needs.
    NotBuiltIn,
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Compiler(words) => write!(f, "the program does not compile\n{}", words.trim_end()),
            Error::Input(what) => write!(f, "{what}"),
            Error::NotBuiltIn if cfg!(feature = "llvm") => {
                write!(f, "the engine is not built into this raceproof")
            }
            Error::NotBuiltIn => write!(
                f,
                "this raceproof was built without LLVM, which compiling and running programs needs: build it with the \
                 default features (cargo build --release)"
            ),
        }
    }
}

impl std::error::Error for Error {}

/// Checks a program; `progress` is called now and then.
pub fn check(_request: &CheckRequest, _progress: &mut dyn FnMut(&Progress)) -> Result<CheckReport, Error> {
    Err(Error::NotBuiltIn)
}

/// Runs a program once with given choices; the report holds what that run shows.
pub fn replay(_request: &ReplayRequest) -> Result<CheckReport, Error> {
    Err(Error::NotBuiltIn)
}
