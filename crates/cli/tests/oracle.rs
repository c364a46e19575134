//! Random programs against brute force: `check` must answer as the oracle does, which shares no code with it.
//!
//! The oracle explores every interleaving of an abstract program, from which the C is printed; see `crates/oracle`.
//! `RACEPROOF_PROGRAMS=2000 cargo test --test oracle` compares more than the usual 500.

use std::path::{Path, PathBuf};

use libtest_mimic::{Arguments, Failed, Trial};
use oracle::compare::{Tool, ask, compare};
use oracle::generate::{Size, balanced};

/// Programs in one test.
const BATCH: u64 = 25;

fn main() {
    let count = std::env::var("RACEPROOF_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(500u64);
    let batches = (0..count.div_ceil(BATCH)).map(|b| b * BATCH);
    let trials = batches
        .map(|first| {
            let size = if first / BATCH % 5 == 4 { Size::Large } else { Size::Small };
            Trial::test(format!("seeds_{first}_to_{}", first + BATCH - 1), move || run(first, size))
        })
        .collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn run(first: u64, size: Size) -> Result<(), Failed> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let tool = Tool {
        path: PathBuf::from(env!("CARGO_BIN_EXE_raceproof")),
        args: vec!["--no-progress".into()],
        time_limit: 60,
        first_defect: false,
    };
    let mut wrong = Vec::new();
    let mut compared = 0;
    for seed in first..first + BATCH {
        let Some(sample) = balanced(seed, size, oracle::STATE_LIMIT) else { continue };
        compared += 1;
        wrong.extend(differences(&tool, folder.path(), seed, &sample));
    }
    match wrong.len() {
        0 if compared > BATCH / 2 => Ok(()),
        0 => Err(format!("only {compared} of {BATCH} seeds gave a program").into()),
        _ => Err(wrong.join("\n").into()),
    }
}

fn differences(tool: &Tool, folder: &Path, seed: u64, sample: &oracle::generate::Sample) -> Vec<String> {
    let file = folder.join(format!("prog_{seed}.c"));
    if let Err(error) = std::fs::write(&file, &sample.printed.source) {
        return vec![error.to_string()];
    }
    let found = match ask(tool, &file) {
        Ok(answer) => compare(&sample.outcome, &answer, false),
        Err(difference) => vec![difference],
    };
    found.iter().map(|difference| format!("seed {seed}: {difference}\n{}", sample.printed.source)).collect()
}
