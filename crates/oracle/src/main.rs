//! The command line of the oracle: generate programs, compare a checker with them, shrink what differs.

#![forbid(unsafe_code)]

mod rules;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Context;
use clap::{Args, Parser, Subcommand, ValueEnum};
use oracle::case::Case;
use oracle::compare::{Difference, Tool, ask, compare};
use oracle::generate::{Class, Size};
use oracle::memory::Flavour;
use oracle::{Outcome, Printed, RacyPair, STATE_LIMIT, case, native};

/// Brute-force oracle: tiny random concurrent programs with known answers
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Cmd,
}

#[derive(Subcommand)]
enum Cmd {
    /// Write programs as C with their answers as JSON
    Generate {
        #[command(flatten)]
        seeds: Seeds,
        /// The directory for prog_SEED.c and prog_SEED.expected.json
        #[arg(long)]
        out: PathBuf,
    },
    /// Compare a checker's answers with the oracle's; exit code 1 if any differs
    Compare {
        #[command(flatten)]
        seeds: Seeds,
        #[command(flatten)]
        tool: ToolArgs,
        /// Ask each engine of the checker: one-run, race-graph, lockset. `unknown` of one-run is no difference
        #[arg(long)]
        engines: bool,
        /// Keep the programs that differ in this directory
        #[arg(long)]
        keep: Option<PathBuf>,
    },
    /// Find a smaller program on which the checker is wrong in the same way, and print it
    Shrink {
        /// The seed of the program
        #[arg(long)]
        seed: u64,
        /// What programs are made of
        #[arg(long, value_enum, default_value_t)]
        kind: Kind,
        /// The seed is one of the larger programs
        #[arg(long)]
        large: bool,
        #[command(flatten)]
        tool: ToolArgs,
    },
    /// Switch off one rule of the proof after the other, and look for a program on which it is wrong without it
    Rules(rules::RulesArgs),
    /// Check the oracle itself against compiled programs that are really run
    Native {
        #[command(flatten)]
        seeds: Seeds,
        /// Runs of each program
        #[arg(long, default_value_t = 40)]
        runs: usize,
        /// Runs of each program under ThreadSanitizer
        #[arg(long, default_value_t = 0)]
        tsan_runs: usize,
        /// The compiler
        #[arg(long, default_value = "clang-19")]
        compiler: String,
        /// Ask this checker too, and say who contradicts whom (kinds from `own` to `all`)
        #[arg(long)]
        raceproof: Option<PathBuf>,
        /// Keep the programs that somebody is wrong about in this directory
        #[arg(long)]
        keep: Option<PathBuf>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Kind {
    /// pthreads and C11 atomics
    #[default]
    Threads,
    /// pthreads and C11 atomics, several threads running the same function
    Identical,
    /// OpenMP
    Openmp,
    /// OpenMP: memory that belongs to a thread, and pointers to it
    Own,
    /// OpenMP: partial results that are handed on
    Handed,
    /// OpenMP: short-circuits under a lock, with a fault or an open address on the other side
    Circuits,
    /// OpenMP: lanes of simd loops
    Lanes,
    /// OpenMP: the order of pieces on a thread
    Order,
    /// OpenMP: tasks, and who executes them when
    Pools,
    /// OpenMP: several teams
    Teams,
    /// OpenMP: nested regions and control variables
    Nested,
    /// OpenMP: minima, maxima and truths of what a piece's own memory says about its thread
    Picks,
    /// OpenMP: sums of shares that are followed through memory
    Sums,
    /// OpenMP: pieces that free what belongs to their thread
    Freed,
    /// OpenMP: locks that are local or belong to a thread, set here and unset there
    Locks,
    /// All from `own` to `locks` in turn
    All,
}

impl Kind {
    fn draw(self, seed: u64, size: Size, states: usize) -> Option<Case> {
        let kind = match self {
            Kind::Threads => case::Kind::Threads,
            Kind::Identical => case::Kind::Identical,
            Kind::Openmp => case::Kind::OpenMp,
            Kind::Own => case::Kind::Memory(Flavour::Own),
            Kind::Handed => case::Kind::Memory(Flavour::Handed),
            Kind::Circuits => case::Kind::Memory(Flavour::Circuits),
            Kind::Lanes => case::Kind::Memory(Flavour::Lanes),
            Kind::Order => case::Kind::Memory(Flavour::Order),
            Kind::Pools => case::Kind::Memory(Flavour::Pools),
            Kind::Teams => case::Kind::Memory(Flavour::Teams),
            Kind::Nested => case::Kind::Memory(Flavour::Nested),
            Kind::Picks => case::Kind::Memory(Flavour::Picks),
            Kind::Sums => case::Kind::Memory(Flavour::Sums),
            Kind::Freed => case::Kind::Memory(Flavour::Freed),
            Kind::Locks => case::Kind::Memory(Flavour::Locks),
            Kind::All => case::Kind::Memory(Flavour::All),
        };
        Case::draw(kind, seed, size, states)
    }
}

#[derive(Args, Clone)]
struct Seeds {
    /// What programs are made of
    #[arg(long, value_enum, default_value_t)]
    kind: Kind,
    /// The first seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// How many seeds
    #[arg(long, default_value_t = 100)]
    count: u64,
    /// How many at a time
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Larger programs: 14 to 26 statements in place of 6 to 14
    #[arg(long)]
    large: bool,
    /// Skip programs with more states
    #[arg(long, default_value_t = STATE_LIMIT)]
    states: usize,
}

#[derive(Args, Clone)]
struct ToolArgs {
    /// The checker
    #[arg(long)]
    raceproof: PathBuf,
    /// The checker's time limit in seconds
    #[arg(long, default_value_t = 20)]
    time_limit: u64,
    /// Accept one of several defects, for a checker that stops at the first
    #[arg(long)]
    first_defect: bool,
    /// One more argument for the checker; may be given several times
    #[arg(long = "arg", allow_hyphen_values = true)]
    args: Vec<String>,
}

impl ToolArgs {
    fn tool(self) -> Tool {
        Tool {
            path: self.raceproof,
            args: self.args,
            time_limit: self.time_limit,
            first_defect: self.first_defect,
            without: None,
        }
    }
}

fn main() -> anyhow::Result<ExitCode> {
    match Cli::parse().command {
        Cmd::Generate { seeds, out } => generate(&seeds, &out),
        Cmd::Compare { seeds, tool, engines, keep } => {
            compare_all(&seeds, &tool.tool(), engines, keep.as_deref())
        }
        Cmd::Rules(args) => rules::all(&args),
        Cmd::Shrink { seed, kind, large, tool } => shrink_one(seed, kind, size(large), &tool.tool()),
        Cmd::Native { seeds, runs, tsan_runs, compiler, raceproof, keep } => {
            let options = native::Options { compiler, runs, sanitized_runs: tsan_runs };
            match raceproof {
                Some(path) => three_ways(&seeds, &options, &Tool::new(path), keep.as_deref()),
                None => native_all(&seeds, &options),
            }
        }
    }
}

fn size(large: bool) -> Size {
    if large { Size::Large } else { Size::Small }
}

/// Does `work` for every seed and returns the results in the order of seeds.
fn for_each_seed<T: Send>(seeds: &Seeds, work: impl Fn(&Case) -> T + Sync) -> Batch<T> {
    let next = AtomicU64::new(0);
    let done =
        Mutex::new(Batch { results: BTreeMap::new(), classes: BTreeMap::new(), skipped: 0, states: 0 });
    std::thread::scope(|scope| {
        for _ in 0..seeds.jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    if i >= seeds.count {
                        return;
                    }
                    let case = seeds.kind.draw(seeds.seed + i, size(seeds.large), seeds.states);
                    let result = case.as_ref().map(&work);
                    let mut batch = done.lock().unwrap_or_else(|e| e.into_inner());
                    batch.add(case.zip(result));
                }
            });
        }
    });
    done.into_inner().unwrap_or_else(|e| e.into_inner())
}

struct Batch<T> {
    results: BTreeMap<u64, (Case, T)>,
    classes: BTreeMap<Class, usize>,
    /// Draws over the limit of states.
    skipped: usize,
    states: usize,
}

impl<T> Batch<T> {
    fn add(&mut self, done: Option<(Case, T)>) {
        let Some((case, result)) = done else { return };
        *self.classes.entry(Class::of(case.outcome())).or_default() += 1;
        self.skipped += case.skipped();
        self.states += case.outcome().states;
        self.results.insert(case.seed(), (case, result));
    }

    fn print_classes(&self) {
        println!(
            "{} programs, {} states, {} draws over the state limit",
            self.results.len(),
            self.states,
            self.skipped
        );
        for (class, count) in &self.classes {
            println!("{count:7}  {}", class.name());
        }
    }
}

fn write_sample(
    directory: &Path,
    name: &str,
    printed: &Printed,
    outcome: &Outcome,
) -> anyhow::Result<PathBuf> {
    std::fs::create_dir_all(directory).with_context(|| format!("cannot create {}", directory.display()))?;
    let file = directory.join(format!("{name}.c"));
    std::fs::write(&file, &printed.source).with_context(|| format!("cannot write {}", file.display()))?;
    let expected = directory.join(format!("{name}.expected.json"));
    std::fs::write(&expected, serde_json::to_string_pretty(outcome)? + "\n")
        .with_context(|| format!("cannot write {}", expected.display()))?;
    Ok(file)
}

fn generate(seeds: &Seeds, out: &Path) -> anyhow::Result<ExitCode> {
    let batch =
        for_each_seed(seeds, |c| write_sample(out, &format!("prog_{}", c.seed()), c.printed(), c.outcome()));
    batch.print_classes();
    for (_, result) in batch.results.into_values() {
        result?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What the checker says about a program, compared with the truth; and how many racing pairs it did not list.
fn judge_tool(
    tool: &Tool,
    printed: &Printed,
    outcome: &Outcome,
    directory: &Path,
) -> anyhow::Result<(Vec<Difference>, usize)> {
    let file = tempfile::Builder::new().prefix("prog_").suffix(".c").tempfile_in(directory)?;
    std::fs::write(file.path(), &printed.source)?;
    Ok(match ask(tool, file.path()) {
        Err(difference) => (vec![difference], 0),
        Ok(answer) => {
            let listed = |pair: &&RacyPair| answer.races.iter().any(|a| oracle::compare::names(pair, a));
            let missing = outcome.races.len() - outcome.races.iter().filter(listed).count();
            (compare(outcome, &answer, tool.first_defect), missing)
        }
    })
}

/// The engines that must agree; the first may say that it does not apply.
const ENGINES: [&str; 3] = ["one-run", "race-graph", "lockset"];

fn compare_all(seeds: &Seeds, tool: &Tool, engines: bool, keep: Option<&Path>) -> anyhow::Result<ExitCode> {
    let directory = tempfile::tempdir()?;
    let tools: Vec<Tool> = if engines {
        let with = |engine: &str| {
            let mut tool = tool.clone();
            tool.args.extend(["--engine".into(), engine.into()]);
            tool
        };
        ENGINES.into_iter().map(with).collect()
    } else {
        vec![tool.clone()]
    };
    let batch = for_each_seed(seeds, |c| {
        tools
            .iter()
            .map(|tool| judge_tool(&tool.for_case(c), c.printed(), c.outcome(), directory.path()))
            .collect::<anyhow::Result<Vec<_>>>()
    });
    batch.print_classes();
    let mut totals = Totals::default();
    for (case, result) in batch.results.into_values() {
        let mut differs = false;
        for (which, (differences, missing)) in result?.into_iter().enumerate() {
            let engine = if engines { ENGINES[which] } else { "" };
            differs |= totals.add(&case, engine, differences, missing);
        }
        if let Some(keep) = keep.filter(|_| differs) {
            write_sample(keep, &format!("prog_{}", case.seed()), case.printed(), case.outcome())?;
        }
    }
    totals.print();
    let undecided = totals.unknown.keys().any(|(engine, _)| engine != ENGINES[0]);
    Ok(match (totals.wrong, undecided) {
        (0, false) => ExitCode::SUCCESS,
        (0, true) => ExitCode::from(3),
        _ => ExitCode::FAILURE,
    })
}

/// What a comparison found.
#[derive(Default)]
struct Totals {
    wrong: usize,
    equal: usize,
    pairs: usize,
    unlisted: usize,
    /// The seeds that the checker did not decide, by engine and reason.
    unknown: BTreeMap<(String, String), Vec<u64>>,
}

impl Totals {
    /// Returns whether the answer differs or is `unknown`.
    fn add(&mut self, case: &Case, engine: &str, differences: Vec<Difference>, missing: usize) -> bool {
        let seed = case.seed();
        if let [Difference::Unknown(reason)] = &differences[..] {
            // The same reason at another place is the same reason.
            let reason: String = reason.chars().map(|c| if c.is_ascii_digit() { '#' } else { c }).collect();
            self.unknown.entry((engine.into(), reason)).or_default().push(seed);
            return engine != ENGINES[0];
        }
        if differences.is_empty() {
            self.equal += 1;
            self.pairs += case.outcome().races.len();
            self.unlisted += missing;
            return false;
        }
        self.wrong += 1;
        let class = Class::of(case.outcome()).name();
        for difference in differences {
            println!("seed {seed} ({class}) {engine}: {difference}");
        }
        true
    }

    fn print(&self) {
        for ((engine, reason), seeds) in &self.unknown {
            println!(
                "{:7}  unknown {engine}: {reason} (seeds {:?})",
                seeds.len(),
                &seeds[..seeds.len().min(5)]
            );
        }
        println!(
            "racing pairs in programs answered right: {}, of which the checker did not list {}",
            self.pairs, self.unlisted
        );
        let undecided: usize = self.unknown.values().map(Vec::len).sum();
        println!("{} answers equal, {undecided} unknown, {} differ", self.equal, self.wrong);
    }
}

fn shrink_one(seed: u64, kind: Kind, size: Size, tool: &Tool) -> anyhow::Result<ExitCode> {
    let case = kind.draw(seed, size, STATE_LIMIT).context("this seed gives no program")?;
    let directory = tempfile::tempdir()?;
    let tool = &tool.for_case(&case);
    let mut judge = |printed: &Printed, outcome: &Outcome| {
        judge_tool(tool, printed, outcome, directory.path()).map(|(found, _)| found).unwrap_or_default()
    };
    let Some((printed, outcome, differences)) = case.shrink(&mut judge) else {
        println!("seed {seed}: no difference");
        return Ok(ExitCode::SUCCESS);
    };
    println!("{}", printed.source);
    for difference in differences {
        println!("// {difference}");
    }
    println!("// truth: {}", serde_json::to_string(&outcome)?);
    Ok(ExitCode::FAILURE)
}

/// Real runs, brute force and the checker about the same programs.
fn three_ways(
    seeds: &Seeds,
    options: &native::Options,
    tool: &Tool,
    keep: Option<&Path>,
) -> anyhow::Result<ExitCode> {
    let directory = tempfile::tempdir()?;
    let batch = for_each_seed(seeds, |c| c.three_ways(options, tool, directory.path()));
    batch.print_classes();
    let mut wrong = [0; 3];
    for (seed, (case, result)) in batch.results {
        let found = result.unwrap_or_else(|error| {
            // Not a contradiction: clang or the runtime itself failed.
            println!("seed {seed}: no runs: {error}");
            Vec::new()
        });
        for disagreement in &found {
            wrong[disagreement.sides as usize] += 1;
            println!("seed {seed}: {disagreement}");
        }
        if let Some(keep) = keep.filter(|_| !found.is_empty()) {
            write_sample(keep, &format!("prog_{seed}"), case.printed(), case.outcome())?;
        }
    }
    let [brute, checker, both] = wrong;
    println!(
        "runs against brute force: {brute}; runs against the checker: {checker}; runs and brute force against the checker: {both}"
    );
    Ok(if wrong == [0; 3] { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn native_all(seeds: &Seeds, options: &native::Options) -> anyhow::Result<ExitCode> {
    let directory = tempfile::tempdir()?;
    let batch = for_each_seed(seeds, |c| c.run_natively(options, directory.path()));
    batch.print_classes();
    let mut wrong = 0;
    let mut shown: BTreeMap<Class, [usize; 3]> = BTreeMap::new();
    for (seed, (case, result)) in batch.results {
        match result {
            Ok(seen) => {
                let counts = shown.entry(Class::of(case.outcome())).or_default();
                for (count, flag) in counts.iter_mut().zip([seen.race, seen.hang, seen.assertion]) {
                    *count += usize::from(flag);
                }
            }
            Err(error) => {
                wrong += 1;
                println!("seed {seed}: {error:#}");
            }
        }
    }
    for (class, [race, hang, assertion]) in shown {
        println!("{}: runs showed {race} races, {hang} hangs, {assertion} failed assertions", class.name());
    }
    println!("{wrong} programs contradict the oracle");
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
