//! The command line as typed: nothing here is interpreted, [`crate::resolve`] does that.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use decide::Judge;

/// Proves C and C++ programs free of data races, or shows a race that replays.
#[derive(Debug, Parser)]
#[command(name = "raceproof", version, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 race-free, 1 race or defect, 2 wrong usage or input, 3 unknown, 130 and 143 interrupted."
)]
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
    /// Check the certificate of a verdict `race-free` that `check` wrote, with runs of its own
    Certify(CertifyArgs),
    /// Run a program that `raceproof cc --record` built, and record what its threads do
    Record(RecordArgs),
    /// Predict races from the trace of one run: which races other orders of the same events have
    Predict(PredictArgs),
    /// Say which of many races to fix first, from a trace or from one run of a program
    Triage(TriageArgs),
    /// Say which locks, critical sections, atomics and barriers a program needs, and which it could drop
    Locks(Box<crate::locks::args::LocksArgs>),
    /// Look into a trace, convert it, or cut a part out of it
    Trace(TraceArgs),
    /// Compile C as clang does, and keep in the objects what `raceproof check PROGRAM` needs: CC="raceproof cc"
    Cc(CompilerArgs),
    /// Compile C++ as clang does, and keep in the objects what `raceproof check PROGRAM` needs: CXX="raceproof c++"
    #[command(name = "c++")]
    Cxx(CompilerArgs),
    /// Explain a kind of finding, with a bad and a good program
    Explain(ExplainArgs),
    /// Say what is missing on this machine, and what to do about it
    Doctor,
    /// Print completions for a shell
    Completions(CompletionsArgs),
    /// Print the manual page, in the form that `man` reads
    Man(ManArgs),
}

/// `raceproof check`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Ranges include both ends: 1..4 is 1, 2, 3 and 4. All combinations of all ranges are checked.\n\
    Exit codes: 0 race-free, 1 race or defect, 2 wrong usage or input, 3 unknown."
)]
pub struct CheckArgs {
    /// C or C++ sources, preprocessed sources (.i, .ii), LLVM files (.bc, .ll), or what `raceproof cc` built: together one
    /// program
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub build: BuildArgs,
    #[command(flatten)]
    pub bounds: BoundArgs,

    /// How to decide: `auto` takes the cheapest engine that can [default: auto]
    #[arg(long, value_enum, value_name = "ENGINE", help_heading = "Method")]
    pub engine: Option<Engine>,
    /// How many random executions try to contradict a verdict `race-free` before it is shown; `off`: none [default: as
    /// many as fit into a quarter of the time that deciding took]
    #[arg(long, value_name = "N|off", value_parser = judge, help_heading = "Method")]
    pub judge: Option<Judge>,
    /// Demand an answer about this: `race-free` only if it is excluded, and no search ends early because something else was
    /// found [default: races are decided, other defects are looked for on the way]
    #[arg(long, value_enum, value_name = "PROPERTY", value_delimiter = ',', help_heading = "Method")]
    pub property: Vec<Property>,
    /// Check anew, even if the same program was checked before, and remember nothing
    #[arg(long, help_heading = "Method")]
    pub no_cache: bool,

    /// Which distributions of OpenMP's iterations, sections and `single` blocks among threads, where the source leaves
    /// them open: all, or only the one that a runtime is likely to choose (a bound, which the verdict states)
    #[arg(long, value_enum, default_value_t = Distributions::All, value_name = "WHICH", help_heading = "Bounds")]
    pub distributions: Distributions,

    /// Whether `malloc`, `new` and the like can fail: never, or at any call, so that both outcomes are explored
    /// [default: succeeds]
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "Bounds")]
    pub allocation: Option<Allocation>,

    #[command(flatten)]
    pub limits: LimitArgs,

    /// What the report is written as
    #[arg(long, value_enum, default_value_t = CheckFormat::Text, value_name = "FORMAT", help_heading = "Output")]
    pub format: CheckFormat,
    /// Write the report to this file; the verdict still goes to the terminal
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// Write the report to this file as a page for a browser, with schedules to step through
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub html: Option<PathBuf>,
    /// An earlier report (`--format json`): findings that it has do not make the check fail
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub baseline: Option<PathBuf>,
    /// Write the findings to this file for `raceproof replay`
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub witness: Option<PathBuf>,
    /// Write what a verdict `race-free` by proofs from one run rests on to this file, for `raceproof certify`
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub certificate: Option<PathBuf>,
    /// Where a limit or a signal ends the check without an answer, write what is needed to go on to this file
    #[arg(long, value_name = "FILE", help_heading = "Limits")]
    pub save: Option<PathBuf>,
    /// Go on with a check that `--save` has written to this file; it is written again if this check is ended, too
    #[arg(long, value_name = "FILE", help_heading = "Limits")]
    pub resume: Option<PathBuf>,
    /// Write one run of the program (under the first bound) to this file as a trace for `raceproof predict`; the ending
    /// says the form: `.std`, `.csv`, `.rpt`, then `.gz` or `.zst`
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub trace_out: Option<PathBuf>,
    #[command(flatten)]
    pub look: LookArgs,
    /// Show no progress
    #[arg(long, help_heading = "Output")]
    pub no_progress: bool,

    /// Flags for clang, after `--`
    #[arg(last = true, value_name = "CLANG FLAGS")]
    pub flags: Vec<String>,
}

/// How hard a verdict `race-free` is tried: a number of executions, or `off`.
fn judge(text: &str) -> Result<Judge, String> {
    match text {
        "off" => Ok(Judge::Off),
        _ => text.parse().map(Judge::Runs).map_err(|_| "a number of executions, or `off`".into()),
    }
}

/// Where a program comes from, if not from its files alone.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct BuildArgs {
    /// Compile as this build does: a folder with `compile_commands.json`. Without FILE, the whole program; with it, these
    /// files of the build
    #[arg(long, short = 'p', value_name = "DIR", help_heading = "Builds")]
    pub build: Option<PathBuf>,
    /// Of a build with several programs, the one to take: its name, or the source with its `main`
    #[arg(long, value_name = "NAME", help_heading = "Builds")]
    pub target: Option<String>,
    /// Call this function, with any arguments, in place of `main`; repeat it to call several at the same time, each in a
    /// thread of its own
    #[arg(long, value_name = "FUNCTION", help_heading = "Builds")]
    pub entry: Vec<String>,
    /// The settings, in place of the nearest `raceproof.toml` in the folder of FILE or above it
    #[arg(long, value_name = "FILE", help_heading = "Builds")]
    pub config: Option<PathBuf>,
}

/// Which inputs of a program are covered.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct BoundArgs {
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
    /// An environment variable of the program; repeat for further ones. OpenMP reads OMP_CANCELLATION, OMP_NUM_THREADS,
    /// OMP_SCHEDULE, OMP_DYNAMIC, OMP_MAX_ACTIVE_LEVELS and OMP_THREAD_LIMIT
    #[arg(long, value_name = "NAME=VALUE", help_heading = "Bounds")]
    pub env: Vec<String>,
}

/// When to stop.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct LimitArgs {
    /// Stop after this time with "unknown": seconds, or 90s, 5m, 1h, or `none` [default: 5m]
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
    /// Stop after so many instructions of the program, in all its runs, with "unknown"
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_instructions: Option<String>,
    /// Threads to prove and search with [default: as many as there are cores]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub jobs: Option<std::num::NonZeroUsize>,
}

/// Which distributions of OpenMP's work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Distributions {
    /// Every one that the language allows
    #[default]
    All,
    /// Blocks without a `schedule` clause, chunks in turn for `dynamic` and `guided`, `single` by the first thread
    Default,
}

/// What the functions that allocate memory do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Allocation {
    /// They succeed, unless no implementation could
    Succeeds,
    /// They succeed or fail
    MayFail,
}

/// What an answer is demanded about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Property {
    /// Data races
    Races,
    /// Deadlocks
    Deadlocks,
    /// Failed assertions, and what else ends a program abnormally by its own will
    Assertions,
    /// Memory errors, and what else has no defined behaviour or goes against a library's contract
    Memory,
    /// All of these
    All,
}

/// What decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Engine {
    /// A proof from one run where nothing that the schedule decides steers the program, else prediction and search
    Auto,
    /// The proof from one run alone; "unknown" where it does not apply
    OneRun,
    /// Search of the race-detecting state graph
    RaceGraph,
    /// Search with locksets
    Lockset,
}

/// `raceproof certify`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Exit codes: 0 the certificate holds, 1 it is refused, 2 wrong usage or input.")]
pub struct CertifyArgs {
    /// A file written by `raceproof check --certificate`
    pub certificate: PathBuf,
}

/// `raceproof replay`.
#[derive(Debug, clap::Args)]
pub struct ReplayArgs {
    /// A file written by `raceproof check --witness`, or a report by `--format json`; with a program, one written by
    /// `raceproof predict --witness` of a recorded run
    pub witness: PathBuf,
    /// A program that `raceproof cc --record` built and its arguments, after `--`: it is brought to the finding
    #[arg(last = true, value_name = "PROGRAM")]
    pub command: Vec<std::ffi::OsString>,
    /// Open gdb where the threads stand
    #[arg(long, requires = "command")]
    pub gdb: bool,
    /// Stop after this step and show where every thread stands
    #[arg(long, value_name = "N")]
    pub step: Option<usize>,
    /// Which finding to replay, counted from 1, races first
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub finding: usize,
    /// Replay every finding, with one line for each: does it come up again?
    #[arg(long, conflicts_with_all = ["finding", "step"])]
    pub all: bool,
    #[command(flatten)]
    pub look: LookArgs,
}

/// `raceproof record`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Build the program with CC=\"raceproof cc --record\" and CXX=\"raceproof c++ --record\"; see docs/record.md.\n\
    The exit code is the program's own; 2 if it could not be run or was not built for recording."
)]
pub struct RecordArgs {
    /// The file to write
    #[arg(long, short, value_name = "FILE", default_value = "run.rpt")]
    pub output: PathBuf,
    /// How large the file may become; then the program goes on without being recorded
    #[arg(long, value_name = "SIZE", default_value = "1G")]
    pub limit: String,
    /// Say nothing of the recording
    #[arg(long, short)]
    pub quiet: bool,
    /// The program and its arguments, after `--`
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    pub command: Vec<std::ffi::OsString>,
}

/// `raceproof predict`.
#[derive(Debug, clap::Args)]
#[command(after_help = analyses())]
pub struct PredictArgs {
    /// A trace (STD, CSV or binary; gzip and zstd are taken off), `-` for standard input; or a recording
    #[arg(value_name = "TRACE", required_unless_present = "command", conflicts_with = "command")]
    pub input: Option<PathBuf>,
    /// The same, or `-`
    #[arg(skip)]
    pub trace: PathBuf,
    /// A program that `raceproof cc --record` built and its arguments, after `--`: it is run once and recorded
    #[arg(last = true, value_name = "PROGRAM")]
    pub command: Vec<std::ffi::OsString>,

    /// The analyses to run, by name, or `all`
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        default_value = "m2,shb,deadlock",
        help_heading = "What to look for"
    )]
    pub analysis: Vec<String>,
    /// What a race is: a pair of program locations, reported once with an example, or a pair of events
    #[arg(long, value_enum, default_value_t = Pairs::Locations, value_name = "KIND", help_heading = "What to look for")]
    pub pairs: Pairs,
    /// Compare each access with all earlier ones, not only with the last of each thread and location: every event pair
    #[arg(long, help_heading = "What to look for")]
    pub all_accesses: bool,
    /// Look only for races on this variable
    #[arg(long, value_name = "NAME", help_heading = "What to look for")]
    pub variable: Option<String>,
    /// Leave out events that break the rules of a run instead of refusing the trace
    #[arg(long, help_heading = "What to look for")]
    pub repair: bool,

    /// Stop after this time with what was found: seconds, or 90s, 5m, 1h
    #[arg(long, value_name = "TIME", help_heading = "Limits")]
    pub time_limit: Option<String>,
    /// How many steps `m2` may take for pairs that are hard, such as 100M, or `none` for no limit [default: 30M]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub effort: Option<String>,
    /// Threads to work with, where an analysis can use several [default: as many as there are cores]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub jobs: Option<std::num::NonZeroUsize>,

    /// What the report is written as
    #[arg(long, value_enum, default_value_t = TraceFormat::Text, value_name = "FORMAT", help_heading = "Output")]
    pub format: TraceFormat,
    /// Write the report to this file; the verdict still goes to the terminal
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// Write the report to this file as a page for the browser
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub html: Option<PathBuf>,
    /// Bring the real program to every race and deadlock of a recorded run, and say whether that was possible
    #[arg(long, help_heading = "What to look for")]
    pub confirm: bool,
    /// While the program runs, SIGUSR1 to raceproof prints the races found so far
    #[arg(long, requires = "command", help_heading = "What to look for")]
    pub online: bool,
    /// Write each witness into this folder: as a trace that ends in the race, or of a recorded run as a file for `replay`
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub witness: Option<PathBuf>,
    /// How many events of witnesses each analysis may spell out in the report, the shortest witnesses first
    #[arg(long, value_name = "N", default_value = "4M", help_heading = "Output")]
    pub witness_events: String,
    /// Leave witnesses out of the report
    #[arg(long, conflicts_with = "witness_events", help_heading = "Output")]
    pub no_witness: bool,
    #[command(flatten)]
    pub look: LookArgs,
    /// Show no progress
    #[arg(long, help_heading = "Output")]
    pub no_progress: bool,
}

/// The analyses for the help text.
fn analyses() -> String {
    let mut text = String::from("Analyses:\n");
    for entry in predict::registry() {
        text += &format!("  {:<14} {}\n", entry.name, entry.summary);
    }
    text + "\nExit codes: 0 no race, 1 race, 2 wrong usage or input, 3 unknown (no certain race, but undecided pairs, \
            uncertain reports or a time limit)."
}

/// What a race is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Pairs {
    /// A pair of program locations
    Locations,
    /// A pair of events
    Events,
}

/// `raceproof triage`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Validates and orders the races of one run (Netzer and Miller 1991): what is called feasible has a \
    schedule that\nshows it, and each group to fix first has at least one race that is real and that no other race \
    caused.\nExit codes: 0 no races, 1 races, 2 wrong usage or input."
)]
pub struct TriageArgs {
    /// A trace (STD, CSV or binary; `-` for standard input), or the files of a program, which is then run once
    #[arg(required_unless_present_any = ["build", "config"], value_name = "TRACE|FILE")]
    pub inputs: Vec<PathBuf>,
    #[command(flatten)]
    pub build: BuildArgs,

    /// What the events are, and how much of their order is known [default: `run` for programs and for traces of `check
    /// --trace-out`, `accesses` for traces from elsewhere]
    #[arg(long, value_enum, value_name = "VIEW", help_heading = "What to look for")]
    pub view: Option<View>,
    /// Which reads of the trace steer control: a line for each with its event number, and from which event of the same
    /// thread on, if not at once; the others are taken to steer nothing
    #[arg(long, value_name = "FILE", help_heading = "What to look for")]
    pub control: Option<PathBuf>,
    /// Leave out events that break the rules of a run instead of refusing the trace
    #[arg(long, conflicts_with = "control", help_heading = "What to look for")]
    pub repair: bool,

    #[command(flatten)]
    pub bounds: BoundArgs,

    /// What the report is written as
    #[arg(long, value_enum, default_value_t = TraceFormat::Text, value_name = "FORMAT", help_heading = "Output")]
    pub format: TraceFormat,
    /// Write the report to this file; its first line still goes to the terminal
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// Write the report to this file as a page for the browser
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub html: Option<PathBuf>,
    /// Draw the ordering graph of the races into this file: `.dot` or `.svg`
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub graph: Option<PathBuf>,
    #[command(flatten)]
    pub look: LookArgs,
    /// Show no progress
    #[arg(long, help_heading = "Output")]
    pub no_progress: bool,

    /// Flags for clang, after `--`
    #[arg(last = true, value_name = "CLANG FLAGS")]
    pub flags: Vec<String>,
}

/// What the events of a triage are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum View {
    /// Single accesses in the order of the run
    Run,
    /// Single accesses, of which only synchronisation is taken to be in order
    Accesses,
    /// Segments between synchronisation, as in the paper
    Segments,
}

/// `raceproof trace`.
#[derive(Debug, clap::Args)]
pub struct TraceArgs {
    /// What to do with it.
    #[command(subcommand)]
    pub command: TraceCommand,
}

/// What can be done with a trace.
#[derive(Debug, Subcommand)]
pub enum TraceCommand {
    /// Say what is in a trace: events, threads, locks, variables, depth and length of critical sections
    Info(InfoArgs),
    /// Write a trace in another form
    Convert(ConvertArgs),
    /// Cut out events by number, thread or variable; releases of what was cut away are left out too
    Slice(SliceArgs),
    /// Make an artificial trace for measurements: mostly protected accesses, a few races, some far apart
    Generate(GenerateArgs),
}

/// `raceproof trace info`.
#[derive(Debug, clap::Args)]
pub struct InfoArgs {
    /// A trace, `-` for standard input
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
    /// Leave out events that break the rules of a run instead of refusing the trace
    #[arg(long)]
    pub repair: bool,
    /// What the report is written as
    #[arg(long, value_enum, default_value_t = Format::Text, value_name = "FORMAT")]
    pub format: Format,
}

/// `raceproof trace convert`.
#[derive(Debug, clap::Args)]
#[command(after_help = FORMS)]
pub struct ConvertArgs {
    /// A trace, `-` for standard input
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
    #[command(flatten)]
    pub out: OutArgs,
    /// Leave out events that break the rules of a run instead of refusing the trace
    #[arg(long)]
    pub repair: bool,
}

/// `raceproof trace slice`.
#[derive(Debug, clap::Args)]
#[command(after_help = FORMS)]
pub struct SliceArgs {
    /// A trace, `-` for standard input
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
    #[command(flatten)]
    pub out: OutArgs,
    /// The first event to keep, counted from 1
    #[arg(long, value_name = "EVENT")]
    pub from: Option<std::num::NonZeroU32>,
    /// The last event to keep
    #[arg(long, value_name = "EVENT")]
    pub to: Option<std::num::NonZeroU32>,
    /// Keep only events of this thread; may be repeated
    #[arg(long = "thread", value_name = "NAME")]
    pub threads: Vec<String>,
    /// Keep only accesses to this variable, and all synchronisation; may be repeated
    #[arg(long = "variable", value_name = "NAME")]
    pub variables: Vec<String>,
}

/// `raceproof trace generate`.
#[derive(Debug, clap::Args)]
#[command(after_help = FORMS)]
pub struct GenerateArgs {
    #[command(flatten)]
    pub out: OutArgs,
    /// How many events, such as 5000 or 10M
    #[arg(long, value_name = "N", default_value = "1M")]
    pub events: String,
    /// How many threads
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(2..=1000))]
    pub threads: u32,
    /// How many locks
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub locks: u32,
    /// How many races with little between their accesses
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(..=10_000))]
    pub near_races: u32,
    /// How many races with most of the trace between their accesses
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(..=10_000))]
    pub far_races: u32,
    /// The seed: the same gives the same trace
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// The forms of a written trace by the name of the file.
const FORMS: &str = "The form follows from the name unless --form and --compress say it: .std or .txt, .csv, .rpt or \
    .bin (binary),\neach with .gz (gzip) or .zst (zstd) after it.";

/// Where a trace goes and in which form.
#[derive(Debug, clap::Args)]
pub struct OutArgs {
    /// The file to write, `-` for standard output
    #[arg(value_name = "OUT")]
    pub file: PathBuf,
    /// The form to write
    #[arg(long, value_enum, value_name = "FORM")]
    pub form: Option<Form>,
    /// What to compress it with
    #[arg(long, value_enum, value_name = "WITH")]
    pub compress: Option<Compress>,
}

/// The forms of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// Text, an event a line
    Std,
    /// Text, a column a thread
    Csv,
    /// raceproof's own compressed form
    Binary,
}

/// Compression around a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Compress {
    /// Nothing
    None,
    /// gzip
    Gzip,
    /// zstd
    Zstd,
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

/// The formats of a report about a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TraceFormat {
    /// For a person
    Text,
    /// For a program; see docs/formats.md
    Json,
    /// SARIF 2.1.0, for code scanning and editors
    Sarif,
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

/// The formats of the report of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    /// For a person
    Text,
    /// For a program; see docs/formats.md
    Json,
    /// SARIF 2.1.0, for code scanning and editors
    Sarif,
    /// JUnit XML, for build servers
    Junit,
}

/// `raceproof cc` and `raceproof c++`. Their arguments never come here, except for the help text: they are the compiler's.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "RACEPROOF_CC and RACEPROOF_CXX name the compilers to run; without them clang-19 and clang++-19 are run.\n\
    A link to raceproof with the name raceproof-cc or raceproof-c++ is the same command, for tools that want one word."
)]
pub struct CompilerArgs {
    /// The arguments of the compiler
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    pub arguments: Vec<std::ffi::OsString>,
}

/// `raceproof explain`.
#[derive(Debug, clap::Args)]
pub struct ExplainArgs {
    /// The kind of finding, such as `race` or `use-after-free`; all are listed without it
    #[arg(value_name = "CODE")]
    pub code: Option<String>,
}

/// `raceproof completions`.
#[derive(Debug, clap::Args)]
pub struct CompletionsArgs {
    /// The shell to complete for
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

/// `raceproof man`.
#[derive(Debug, clap::Args)]
pub struct ManArgs {
    /// The command whose page to print; without it, the page of raceproof itself
    #[arg(value_name = "COMMAND", conflicts_with = "output")]
    pub command: Option<String>,
    /// Write the pages of all commands into this folder
    #[arg(long, short, value_name = "DIR")]
    pub output: Option<PathBuf>,
}
