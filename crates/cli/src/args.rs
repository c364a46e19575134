//! The command line as typed: nothing here is interpreted, [`crate::resolve`] does that.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

/// Proves C and C++ programs free of data races, or shows a race that replays.
#[derive(Debug, Parser)]
#[command(name = "raceproof", version, max_term_width = 100)]
#[command(after_help = "Exit codes: 0 race-free, 1 race or defect, 2 wrong usage or input, 3 unknown.")]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check a program: a race with a schedule that replays, or a proof within bounds, or "unknown" and why
    Check(Box<CheckArgs>),
    /// Replay a finding of `check`, step by step
    Replay(ReplayArgs),
}

/// `raceproof check`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Ranges include both ends: 1..4 is 1, 2, 3 and 4. All combinations of all ranges are checked.\n\
    Exit codes: 0 race-free, 1 race or defect, 2 wrong usage or input, 3 unknown."
)]
pub struct CheckArgs {
    /// C or C++ sources, preprocessed sources (.i, .ii) or LLVM files (.bc, .ll): together one program
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// How many threads the program gets when it asks how many to use
    #[arg(long, value_name = "LO..HI", default_value = crate::resolve::DEFAULT_THREADS, help_heading = "Bounds")]
    pub threads: String,
    /// An argument of the program: a text, or a range of numbers to check one by one; repeat for further arguments
    #[arg(long = "arg", value_name = "TEXT|LO..HI", allow_hyphen_values = true, help_heading = "Bounds")]
    pub args: Vec<String>,
    /// Define a macro for the compiler: a value, or a range of numbers to check one by one
    #[arg(long = "define", short = 'D', value_name = "NAME[=VALUE|=LO..HI]", help_heading = "Bounds")]
    pub defines: Vec<String>,

    /// Stop after this time with "unknown": seconds, or 90s, 5m, 1h
    #[arg(long, value_name = "TIME", help_heading = "Limits")]
    pub time_limit: Option<String>,
    /// Stop at this much memory with "unknown", such as 512M or 4G [default: three quarters of what is free]
    #[arg(long, value_name = "SIZE", help_heading = "Limits")]
    pub memory_limit: Option<String>,
    /// Stop after so many stored states with "unknown"
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_states: Option<String>,
    /// Do not follow a schedule beyond so many decisions; reaching it makes the answer "unknown"
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_depth: Option<String>,

    /// What the report is written as
    #[arg(long, value_enum, default_value_t = Format::Text, value_name = "FORMAT", help_heading = "Output")]
    pub format: Format,
    /// Write the report to this file; the verdict still goes to the terminal
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// Write the findings to this file for `raceproof replay`
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub witness: Option<PathBuf>,
    #[command(flatten)]
    pub look: LookArgs,
    /// Show no progress
    #[arg(long, help_heading = "Output")]
    pub no_progress: bool,

    /// Flags for clang, after `--`
    #[arg(last = true, value_name = "CLANG FLAGS")]
    pub flags: Vec<String>,
}

/// `raceproof replay`.
#[derive(Debug, clap::Args)]
pub struct ReplayArgs {
    /// A file written by `raceproof check --witness`, or a report by `--format json`
    pub witness: PathBuf,
    /// Stop after this step and show where every thread stands
    #[arg(long, value_name = "N")]
    pub step: Option<usize>,
    /// Which finding to replay, counted from 1, races first
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub finding: usize,
    #[command(flatten)]
    pub look: LookArgs,
}

/// How the output looks.
#[derive(Debug, clap::Args)]
pub struct LookArgs {
    /// When to use colours
    #[arg(long, value_enum, default_value_t = Color::Auto, value_name = "WHEN", help_heading = "Output")]
    pub color: Color,
    /// Say only the verdict
    #[arg(long, short, conflicts_with = "verbose", help_heading = "Output")]
    pub quiet: bool,
    /// Show whole schedules and call stacks
    #[arg(long, short, help_heading = "Output")]
    pub verbose: bool,
}

/// The formats of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For a person
    Text,
    /// For a program; see docs/formats.md
    Json,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}
