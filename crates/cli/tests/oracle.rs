//! Random programs against brute force: `check` must answer as the oracle does, which shares no code with it.
//!
//! The oracle explores every interleaving of an abstract program, from which the C is printed; for OpenMP also every
//! distribution of the work. See `crates/oracle`. `RACEPROOF_PROGRAMS=2000 cargo test --test oracle` compares more than the
//! usual 200 programs with threads, `RACEPROOF_IDENTICAL_PROGRAMS=2000` more than the usual 50 whose threads run one
//! function (by the race graph, which takes them to be exchangeable), `RACEPROOF_OPENMP_PROGRAMS=2000` more than the usual 100 OpenMP programs,
//! `RACEPROOF_INPUT_PROGRAMS=2000` more than the usual 50 programs with inputs. `RACEPROOF_MEMORY_PROGRAMS=2000` more than the usual 25 of
//! each kind of OpenMP programs with memory (own objects, hand-overs, lanes, task pools, teams, picks, sums, freed blocks, locks).

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Failed, Trial};
use oracle::case::{Case, Kind};
use oracle::compare::{Difference, Tool, ask, compare};
use oracle::generate::Size;
use oracle::memory::Flavour;

/// Programs in one test.
const BATCH: u64 = 25;

/// Programs of each kind with memory.
const MEMORY_PROGRAMS: u64 = 25;

/// A batch of the usual length stops here, on a machine that is too busy.
const TIME: Duration = Duration::from_secs(180);

fn main() {
    let threads = count("RACEPROOF_PROGRAMS", 200);
    let openmp = count("RACEPROOF_OPENMP_PROGRAMS", 100);
    let firsts = |count: u64| (0..count.div_ceil(BATCH)).map(|b| b * BATCH);
    let mut trials: Vec<Trial> = firsts(threads)
        .map(|first| {
            let size = if first / BATCH % 5 == 4 { Size::Large } else { Size::Small };
            trial("seeds", first, move || run(Kind::Threads, first, size, &[]))
        })
        .collect();
    trials.extend(
        firsts(openmp)
            .map(|first| trial("openmp", first, move || run(Kind::OpenMp, first, Size::Small, &[]))),
    );
    let identical = count("RACEPROOF_IDENTICAL_PROGRAMS", 50);
    trials.extend(firsts(identical).map(|first| {
        let size = if first / BATCH % 5 == 4 { Size::Large } else { Size::Small };
        trial("identical", first, move || run(Kind::Identical, first, size, &["--engine", "race-graph"]))
    }));
    let inputs = count("RACEPROOF_INPUT_PROGRAMS", 50);
    trials.extend(firsts(inputs).map(|first| trial("inputs", first, move || run_inputs(first))));
    let memory = count("RACEPROOF_MEMORY_PROGRAMS", MEMORY_PROGRAMS);
    for flavour in Flavour::EACH {
        let name = format!("{flavour:?}").to_lowercase();
        trials.extend(
            firsts(memory).map(|first| {
                trial(&name, first, move || run(Kind::Memory(flavour), first, Size::Small, &[]))
            }),
        );
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn count(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

fn trial(name: &str, first: u64, run: impl FnOnce() -> Result<(), Failed> + Send + 'static) -> Trial {
    Trial::test(format!("{name}_{first}_to_{}", first + BATCH - 1), run)
}

fn run(kind: Kind, first: u64, size: Size, args: &[&str]) -> Result<(), Failed> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let tool = Tool {
        path: PathBuf::from(env!("CARGO_BIN_EXE_raceproof")),
        args: ["--no-progress"].iter().chain(args).map(ToString::to_string).collect(),
        time_limit: 60,
        first_defect: false,
        without: None,
    };
    let mut wrong = Vec::new();
    let mut compared = 0;
    let start = Instant::now();
    for seed in first..first + BATCH {
        if compared > BATCH / 2 && start.elapsed() > TIME {
            break;
        }
        let Some(case) = Case::draw(kind, seed, size, oracle::STATE_LIMIT) else { continue };
        compared += 1;
        wrong.extend(differences(&tool, folder.path(), &case));
    }
    match wrong.len() {
        0 if compared > BATCH / 2 => Ok(()),
        0 => Err(format!("only {compared} of {BATCH} seeds gave a program").into()),
        _ => Err(wrong.join("\n").into()),
    }
}

fn differences(tool: &Tool, folder: &Path, case: &Case) -> Vec<String> {
    let (seed, source) = (case.seed(), &case.printed().source);
    let file = folder.join(format!("prog_{seed}.c"));
    if let Err(error) = std::fs::write(&file, source) {
        return vec![error.to_string()];
    }
    let found = match ask(tool, &file) {
        Ok(answer) => compare(case.outcome(), &answer, case.one_defect_is_enough()),
        Err(difference) => vec![difference],
    };
    found.iter().map(|difference| format!("seed {seed}: {difference}\n{source}")).collect()
}

/// Programs with inputs: for these the checker may answer `unknown`, but not often.
fn run_inputs(first: u64) -> Result<(), Failed> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let tool = Tool {
        path: PathBuf::from(env!("CARGO_BIN_EXE_raceproof")),
        args: vec!["--no-progress".into()],
        time_limit: 60,
        first_defect: true,
        without: None,
    };
    let (mut wrong, mut compared, mut unknown) = (Vec::new(), 0, 0);
    let start = Instant::now();
    for seed in first..first + BATCH {
        if compared > BATCH / 2 && start.elapsed() > TIME {
            break;
        }
        let Some(sample) = oracle::inputs::draw(seed, oracle::STATE_LIMIT / 10) else { continue };
        compared += 1;
        let file = folder.path().join(format!("input_{seed}.c"));
        std::fs::write(&file, &sample.source).map_err(|e| e.to_string())?;
        let mut in_doubt = false;
        let found = match ask(&tool, &file) {
            Ok(answer) => {
                in_doubt = answer.reason.contains("a race is possible here");
                compare(&sample.outcome, &answer, true)
            }
            Err(difference) => vec![difference],
        };
        for difference in found {
            match difference {
                Difference::Unknown(_) => unknown += 1,
                // The race was seen, but only another defect has values of inputs that show it: the reason says so.
                Difference::MissedRace(verdict) if verdict == "defect" && in_doubt => unknown += 1,
                other => wrong.push(format!("seed {seed}: {other}\n{}", sample.source)),
            }
        }
    }
    match wrong.len() {
        0 if compared < BATCH / 3 => Err(format!("only {compared} of {BATCH} seeds gave a program").into()),
        0 if unknown > 2 + compared / 5 => Err(format!("{unknown} of {compared} are unknown").into()),
        0 => Ok(()),
        _ => Err(wrong.join("\n").into()),
    }
}
