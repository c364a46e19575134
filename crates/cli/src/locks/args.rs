//! The command line of `raceproof locks`, as typed.

use std::path::PathBuf;

use crate::args::{BoundArgs, BuildArgs, Format, LimitArgs, LookArgs};
use crate::resolve::Asked;

/// `raceproof locks`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Every answer is checked: a construct is superfluous only if the program without it is race-free, and needed \
    only if\nsomething goes wrong without it, which is shown. What cannot be decided is said to be undecided, and why.\n\
    Exit codes: 0 every construct is needed and nothing lacks protection, 1 something can or must be changed, 2 wrong usage or\n\
    input, 3 undecided. With --actl: 0 the formula holds, 1 it fails, 3 undecided."
)]
pub struct LocksArgs {
    /// C or C++ sources, or what `raceproof cc` built: together one program
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub build: BuildArgs,
    #[command(flatten)]
    pub bounds: BoundArgs,

    /// Check a formula of ACTL on the program's work-unit graph, such as "not EF (EX_WU1 true and EX_WU2 true)"; see
    /// docs/locks.md
    #[arg(long, value_name = "FORMULA", help_heading = "What to do", conflicts_with_all = ["iterate", "patch"])]
    pub actl: Option<String>,
    /// Repair races first, until none is left, then look for superfluous synchronisation in the result
    #[arg(long, help_heading = "What to do")]
    pub iterate: bool,
    /// Only the lockset analysis and the work-unit graph: judge no construct
    #[arg(long, help_heading = "What to do")]
    pub no_judge: bool,

    /// Decide what can be decided in this time: seconds, or 90s, 5m, 1h. What is left is undecided
    #[arg(long, value_name = "TIME", default_value = "60s", help_heading = "Limits")]
    pub time_limit: String,
    /// Give up a check at this much memory, such as 512M or 4G [default: three quarters of what is free]
    #[arg(long, value_name = "SIZE", help_heading = "Limits")]
    pub memory_limit: Option<String>,
    /// Make at most so many checks
    #[arg(long, value_name = "N", default_value_t = 200, help_heading = "Limits")]
    pub checks: usize,
    /// Make at most so many states for --actl and --aut
    #[arg(long, value_name = "N", default_value = "5M", help_heading = "Limits")]
    pub max_states: String,

    /// Write the proposed change to this file, for `git apply`
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub patch: Option<PathBuf>,
    /// Draw the work-unit graph into this file: `.dot` or `.svg`
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub graph: Option<PathBuf>,
    /// Write the model of the work-unit graph to this file in LNT, for CADP
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub lnt: Option<PathBuf>,
    /// Write its transition system to this file in Aldebaran form, for CADP, mCRL2 and LTSmin
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub aut: Option<PathBuf>,
    /// What the report is written as
    #[arg(long, value_enum, default_value_t = Format::Text, value_name = "FORMAT", help_heading = "Output")]
    pub format: Format,
    /// Write the report to this file; its first line still goes to the terminal
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// Write the report to this file as a page for the browser
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub html: Option<PathBuf>,
    #[command(flatten)]
    pub look: LookArgs,
    /// Show no progress
    #[arg(long, help_heading = "Output")]
    pub no_progress: bool,

    /// Flags for clang, after `--`
    #[arg(last = true, value_name = "CLANG FLAGS")]
    pub flags: Vec<String>,
}

impl LocksArgs {
    /// The check that this rests on.
    pub fn asked(&self) -> Asked {
        Asked {
            files: self.files.clone(),
            build: self.build.clone(),
            bounds: self.bounds.clone(),
            limits: LimitArgs {
                time_limit: Some(self.time_limit.clone()),
                memory_limit: self.memory_limit.clone(),
                ..LimitArgs::default()
            },
            engine: None,
            judge: decide::Judge::default(),
            properties: vec![crate::args::Property::All],
            distributions: crate::args::Distributions::All,
            allocation: None,
            flags: self.flags.clone(),
        }
    }
}
