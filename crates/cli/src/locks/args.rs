//! The command line of `raceproof locks`, as typed.

use std::path::PathBuf;

use crate::args::{CheckArgs, CheckFormat, Engine, Format, LookArgs};

/// `raceproof locks`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Every answer is checked: a construct is superfluous only if the program without it is race-free, and needed \
    only if\nsomething goes wrong without it, which is shown. What cannot be decided is said to be undecided, and why.\n\
    Exit codes: 0 every construct is needed and nothing lacks protection, 1 something can or must be changed, 2 wrong usage or\n\
    input, 3 undecided. With --actl: 0 the formula holds, 1 it fails, 3 undecided."
)]
#[cfg_attr(
    not(feature = "llvm"),
    allow(dead_code, reason = "without LLVM the command only says what is missing")
)]
pub struct LocksArgs {
    /// C or C++ sources: together one program
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// How many threads the program gets when it asks how many to use: OpenMP's default team size [default: 2..4, or 2
    /// where only a search can decide]
    #[arg(long, value_name = "LO..HI", help_heading = "Bounds")]
    pub threads: Option<String>,
    /// An argument of the program: a text, or a range of numbers to check one by one; repeat for further arguments
    #[arg(long = "arg", value_name = "TEXT|LO..HI", allow_hyphen_values = true, help_heading = "Bounds")]
    pub args: Vec<String>,
    /// Define a macro for the compiler: a value, or a range of numbers to check one by one
    #[arg(long = "define", short = 'D', value_name = "NAME[=VALUE|=LO..HI]", help_heading = "Bounds")]
    pub defines: Vec<String>,

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

    /// Give up a check after this time: seconds, or 90s, 5m, 1h
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
    pub fn check(&self) -> CheckArgs {
        CheckArgs {
            files: self.files.clone(),
            threads: self.threads.clone(),
            args: self.args.clone(),
            defines: self.defines.clone(),
            distributions: crate::args::Distributions::All,
            engine: Engine::Auto,
            time_limit: Some(self.time_limit.clone()),
            memory_limit: self.memory_limit.clone(),
            max_states: None,
            max_depth: None,
            jobs: None,
            format: CheckFormat::Text,
            html: None,
            baseline: None,
            output: None,
            witness: None,
            trace_out: None,
            look: LookArgs { color: self.look.color, quiet: self.look.quiet, verbose: self.look.verbose },
            no_progress: self.no_progress,
            flags: self.flags.clone(),
        }
    }
}
