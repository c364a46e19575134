//! The command line of the oracle: generate programs, compare a checker with them, shrink what differs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Context;
use clap::{Args, Parser, Subcommand};
use oracle::compare::{Difference, Tool, ask, compare};
use oracle::generate::{Class, Sample, Size, balanced};
use oracle::{Outcome, Printed, Program, STATE_LIMIT, judge, native, shrink};

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
        /// Keep the programs that differ in this directory
        #[arg(long)]
        keep: Option<PathBuf>,
    },
    /// Find a smaller program on which the checker is wrong in the same way, and print it
    Shrink {
        /// The seed of the program
        #[arg(long)]
        seed: u64,
        /// The seed is one of the larger programs
        #[arg(long)]
        large: bool,
        #[command(flatten)]
        tool: ToolArgs,
    },
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
    },
}

#[derive(Args, Clone)]
struct Seeds {
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
        }
    }
}

fn main() -> anyhow::Result<ExitCode> {
    match Cli::parse().command {
        Cmd::Generate { seeds, out } => generate(&seeds, &out),
        Cmd::Compare { seeds, tool, keep } => compare_all(&seeds, &tool.tool(), keep.as_deref()),
        Cmd::Shrink { seed, large, tool } => shrink_one(seed, size(large), &tool.tool()),
        Cmd::Native { seeds, runs, tsan_runs, compiler } => {
            native_all(&seeds, &native::Options { compiler, runs, sanitized_runs: tsan_runs })
        }
    }
}

fn size(large: bool) -> Size {
    if large { Size::Large } else { Size::Small }
}

/// Does `work` for every seed and returns the results in the order of seeds.
fn for_each_seed<T: Send>(seeds: &Seeds, work: impl Fn(&Sample) -> T + Sync) -> Batch<T> {
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
                    let sample = balanced(seeds.seed + i, size(seeds.large), seeds.states);
                    let result = sample.as_ref().map(&work);
                    let mut batch = done.lock().unwrap_or_else(|e| e.into_inner());
                    batch.add(sample.zip(result));
                }
            });
        }
    });
    done.into_inner().unwrap_or_else(|e| e.into_inner())
}

struct Batch<T> {
    results: BTreeMap<u64, (Sample, T)>,
    classes: BTreeMap<Class, usize>,
    /// Draws over the limit of states.
    skipped: usize,
    states: usize,
}

impl<T> Batch<T> {
    fn add(&mut self, done: Option<(Sample, T)>) {
        let Some((sample, result)) = done else { return };
        *self.classes.entry(Class::of(&sample.outcome)).or_default() += 1;
        self.skipped += sample.skipped;
        self.states += sample.outcome.states;
        self.results.insert(sample.seed, (sample, result));
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
        for_each_seed(seeds, |s| write_sample(out, &format!("prog_{}", s.seed), &s.printed, &s.outcome));
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
            (compare(outcome, &answer, tool.first_defect), outcome.races.difference(&answer.races).count())
        }
    })
}

fn compare_all(seeds: &Seeds, tool: &Tool, keep: Option<&Path>) -> anyhow::Result<ExitCode> {
    let directory = tempfile::tempdir()?;
    let batch = for_each_seed(seeds, |s| judge_tool(tool, &s.printed, &s.outcome, directory.path()));
    batch.print_classes();
    let (mut wrong, mut pairs, mut unlisted) = (0, 0, 0);
    for (seed, (sample, result)) in batch.results {
        let (differences, missing) = result?;
        if differences.is_empty() {
            pairs += sample.outcome.races.len();
            unlisted += missing;
            continue;
        }
        wrong += 1;
        let class = Class::of(&sample.outcome).name();
        for difference in differences {
            println!("seed {seed} ({class}): {difference}");
        }
        if let Some(keep) = keep {
            write_sample(keep, &format!("prog_{seed}"), &sample.printed, &sample.outcome)?;
        }
    }
    println!(
        "racing pairs in programs answered right: {pairs}, of which the checker did not list {unlisted}"
    );
    println!("{wrong} programs differ");
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn shrink_one(seed: u64, size: Size, tool: &Tool) -> anyhow::Result<ExitCode> {
    let sample = balanced(seed, size, STATE_LIMIT).context("this seed gives no program")?;
    let directory = tempfile::tempdir()?;
    let differences = |program: &Program| -> Vec<Difference> {
        let Ok((printed, outcome)) = judge(program) else { return Vec::new() };
        if outcome.misuse {
            return Vec::new();
        }
        judge_tool(tool, &printed, &outcome, directory.path()).map(|(found, _)| found).unwrap_or_default()
    };
    let found = differences(&sample.program);
    let Some(wanted) = found.first() else {
        println!("seed {seed}: no difference");
        return Ok(ExitCode::SUCCESS);
    };
    let small = shrink::shrink(&sample.program, |p| differences(p).iter().any(|d| d.same_kind(wanted)));
    println!("{}", oracle::print(&small).source);
    for difference in differences(&small) {
        println!("// {difference}");
    }
    if let Ok((_, outcome)) = judge(&small) {
        println!("// truth: {}", serde_json::to_string(&outcome)?);
    }
    Ok(ExitCode::FAILURE)
}

fn native_all(seeds: &Seeds, options: &native::Options) -> anyhow::Result<ExitCode> {
    let directory = tempfile::tempdir()?;
    let batch = for_each_seed(seeds, |s| native::check(s, options, directory.path()));
    batch.print_classes();
    let mut wrong = 0;
    let mut shown: BTreeMap<Class, [usize; 3]> = BTreeMap::new();
    for (seed, (sample, result)) in batch.results {
        match result {
            Ok(seen) => {
                let counts = shown.entry(Class::of(&sample.outcome)).or_default();
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
