//! Turns the report of a check, or the answers of analyses of a trace, into what a person or a program reads.
//!
//! Nothing here decides anything about a program: every function takes a finished [`base::CheckReport`] (or, in
//! [`predict`], finished answers) and returns text. Source files come in through [`SourceProvider`], so that nothing here depends on where they lie, and the
//! look of the output through [`Style`], so that nothing here asks the environment.

#![forbid(unsafe_code)]

mod bounds;
pub mod explain;
pub mod fingerprint;
pub mod hint;
mod hint_openmp;
pub mod html;
pub mod json;
pub mod junit;
mod layout;
pub mod locks;
mod objects;
pub mod predict;
pub mod reason;
pub mod replay;
pub mod said;
pub mod sarif;
mod schedule;
mod snippet;
pub mod source;
mod span;
mod table;
pub mod terminal;
pub mod trace_info;
pub mod trace_sarif;
pub mod triage;
pub mod witness;

pub use source::{DiskSources, MemorySources, SourceProvider};

/// How the terminal output looks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Style {
    /// Whether to use ANSI colours.
    pub color: bool,
    /// The columns to stay within.
    pub width: usize,
    /// Show whole call stacks, whole schedules and every race in full.
    pub verbose: bool,
    /// Show the verdict alone.
    pub quiet: bool,
    /// How a finding of this report can be replayed.
    pub replay: Replay,
}

impl Default for Style {
    fn default() -> Style {
        Style { color: false, width: 100, verbose: false, quiet: false, replay: Replay::Unavailable }
    }
}

/// How a person can replay the findings of a report: commands that the caller knows to be right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Replay {
    /// The witnesses are in a file; the command replays them, given `--finding N` where there are several.
    Saved {
        /// Such as `raceproof replay witness.json`.
        command: String,
    },
    /// Nothing was saved; the first command saves the witnesses, the second replays them.
    NotSaved {
        /// Such as `raceproof check a.c --witness witness.json`.
        save: String,
        /// Such as `raceproof replay witness.json`.
        command: String,
    },
    /// Nothing is said about replaying.
    Unavailable,
}
