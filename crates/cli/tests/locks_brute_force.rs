//! `raceproof locks` against brute force: every construct of a random program that is called superfluous must leave the program
//! race-free when it is taken out, one by one and all together, and every one that is called needed must make it go wrong as claimed. The oracle
//! takes the construct out of its own abstract program, so nothing is shared with the tool, not even the text.
//!
//! `RACEPROOF_LOCKS_PROGRAMS=400 cargo test -p raceproof --test locks_brute_force` tries more than the usual few dozen.
#![cfg(feature = "llvm")]

use std::collections::BTreeSet;
use std::process::Command;
use std::time::{Duration, Instant};

use oracle::case::{Case, Kind};
use oracle::generate::Size;
use oracle::{Outcome, openmp};
use serde_json::Value;

/// The usual number of programs stops here, on a machine that is too busy.
const TIME: Duration = Duration::from_secs(60);

fn count() -> Option<u64> {
    std::env::var("RACEPROOF_LOCKS_PROGRAMS").ok().and_then(|n| n.parse().ok())
}

/// A thread program without the statements at these lines.
fn without_threads(program: &oracle::Program, lines: &[u32], gone: &BTreeSet<u32>) -> oracle::Program {
    fn block(stmts: &mut Vec<oracle::Stmt>, lines: &[u32], next: &mut usize, gone: &BTreeSet<u32>) {
        let mut kept = Vec::new();
        for mut stmt in std::mem::take(stmts) {
            let line = lines[*next];
            *next += 1;
            stmt.blocks_mut().into_iter().for_each(|b| block(b, lines, next, gone));
            if !gone.contains(&line) {
                kept.push(stmt);
            }
        }
        *stmts = kept;
    }
    let (mut program, mut next) = (program.clone(), 0);
    program.threads.iter_mut().for_each(|t| block(t, lines, &mut next, gone));
    program
}

/// An OpenMP program without the constructs at these lines.
fn without_openmp(program: &openmp::Program, lines: &[u32], gone: &BTreeSet<u32>) -> openmp::Program {
    use openmp::Stmt as S;
    fn block(stmts: &mut Vec<S>, lines: &[u32], next: &mut usize, gone: &BTreeSet<u32>) {
        let mut kept = Vec::new();
        for mut stmt in std::mem::take(stmts) {
            let line = lines[*next];
            *next += 1;
            stmt.blocks_mut().into_iter().for_each(|b| block(b, lines, next, gone));
            // An atomic statement has the line after its directive.
            let atomic = gone.contains(&line.wrapping_sub(1));
            match stmt {
                S::AtomicRead { reg, place, .. } if atomic => kept.push(S::Read { reg, place }),
                S::AtomicWrite { place, value, .. } if atomic => kept.push(S::Write { place, value }),
                S::AtomicUpdate { place, .. } if atomic => kept.push(S::Increment { place }),
                S::Critical { body, .. } | S::Locked { body, .. } | S::Ordered { body }
                    if gone.contains(&line) =>
                {
                    kept.extend(body);
                }
                S::Barrier if gone.contains(&line) => {}
                // Two reductions of one variable, the first without its barrier: a race by OpenMP 5.2, 5.5.5 ("concurrent reads or updates of the
                // original list item must be synchronized with the update of the original list item that occurs as a result of the
                // reduction"), which brute force does not know. Such loops stay as they are.
                S::For { mut head, body } if gone.contains(&line) && head.reduction.is_none() => {
                    head.nowait = true;
                    kept.push(S::For { head, body });
                }
                S::Single { body, .. } if gone.contains(&line) => kept.push(S::Single { nowait: true, body }),
                S::Sections { blocks, .. } if gone.contains(&line) => {
                    kept.push(S::Sections { nowait: true, blocks })
                }
                other => kept.push(other),
            }
        }
        *stmts = kept;
    }
    let (mut program, mut next) = (program.clone(), 0);
    block(&mut program.main, lines, &mut next, gone);
    program
}

/// What brute force says of the program without these lines; nothing if it takes too long, or if the lines are of
/// something that it cannot leave out (the read of a waiting loop is always atomic there).
fn outcome(case: &Case, gone: &BTreeSet<u32>) -> Option<Outcome> {
    let lines = &case.printed().lines;
    match case {
        Case::Threads(s) => {
            let without = without_threads(&s.program, lines, gone);
            let same = format!("{without:?}") == format!("{:?}", s.program);
            if same && !gone.is_empty() { None } else { oracle::judge(&without).ok().map(|j| j.1) }
        }
        Case::OpenMp(s) => {
            let without = without_openmp(&s.program, lines, gone);
            let same = format!("{without:?}") == format!("{:?}", s.program);
            if same && !gone.is_empty() { None } else { openmp::judge(&without).ok().map(|j| j.1) }
        }
        // Nothing is left out of these here.
        Case::Memory(_) => None,
    }
}

fn lines_of(construct: &Value) -> BTreeSet<u32> {
    let number = |v: &Value| v.as_u64().unwrap_or(0) as u32;
    let mut lines = BTreeSet::from([number(&construct["line"])]);
    // The other lines of a critical section are only where it ends.
    if matches!(construct["kind"].as_str(), Some("lock" | "barrier")) {
        lines.extend(construct["lines"].as_array().into_iter().flatten().map(number));
    }
    lines
}

fn free(outcome: &Outcome) -> bool {
    !(outcome.race || outcome.deadlock || outcome.assertion || outcome.misuse)
}

/// Judgements that were compared: superfluous, needed.
#[derive(Default)]
struct Tally {
    programs: usize,
    superfluous: usize,
    needed: usize,
    undecided: usize,
}

fn compare(case: &Case, tally: &mut Tally) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = &case.printed().source;
    std::fs::write(folder.path().join("p.c"), source).map_err(|e| e.to_string())?;
    let out = Command::new(env!("CARGO_BIN_EXE_raceproof"))
        .env("XDG_CACHE_HOME", "/dev/null")
        .current_dir(folder.path())
        .args(["locks", "p.c", "--format", "json", "--time-limit", "20s"])
        .output()
        .map_err(|e| e.to_string())?;
    let report: Value = serde_json::from_slice(&out.stdout)
        .map_err(|e| format!("{e}: {}", String::from_utf8_lossy(&out.stderr)))?;
    if report["verdict"] != "race-free" {
        return Ok(());
    }
    tally.programs += 1;
    let constructs = report["constructs"].as_array().cloned().unwrap_or_default();
    let mut patch: BTreeSet<u32> = BTreeSet::new();
    for construct in &constructs {
        let lines = lines_of(construct);
        let Some(without) = outcome(case, &lines) else { continue };
        let wrong = |what: &str| Err(format!("{what}: {construct}, brute force says {without:?}\n{source}"));
        let evidence = construct["evidence"]["kind"].as_str().unwrap_or("");
        match construct["verdict"].as_str().unwrap_or("") {
            "superfluous" | "alternative" if !free(&without) => return wrong("not superfluous"),
            "superfluous" => {
                tally.superfluous += 1;
                patch.extend(lines);
            }
            "needed" => {
                tally.needed += 1;
                match evidence {
                    // Brute force ends at a misuse (waiting without the mutex), which is wrong enough.
                    _ if without.misuse => {}
                    "race" if !without.race => return wrong("no race"),
                    "deadlock" if !without.deadlock => return wrong("no deadlock"),
                    "assertion" if !without.assertion => return wrong("no failed assertion"),
                    "order" | "atomicity" if !free(&without) => return wrong("a worse thing was missed"),
                    _ => {}
                }
            }
            _ => tally.undecided += 1,
        }
    }
    match outcome(case, &patch) {
        Some(all) if !free(&all) => {
            Err(format!("the whole patch: {patch:?}, brute force says {all:?}\n{source}"))
        }
        _ => Ok(()),
    }
}

fn try_programs(kind: Kind, usual: u64) {
    let wanted = count().unwrap_or(usual);
    let (mut tally, began) = (Tally::default(), Instant::now());
    for seed in 0.. {
        if tally.programs as u64 >= wanted || (count().is_none() && began.elapsed() > TIME) {
            break;
        }
        // Other seeds than the comparison of `check` has.
        let Some(case) = Case::draw(kind, 700_000 + seed, Size::Small, 20_000) else { continue };
        let source = &case.printed().source;
        let synchronises =
            ["mutex_lock", "critical", "omp barrier", "omp atomic", "set_lock", "omp for", "barrier_wait"];
        if !free(case.outcome()) || case.outcome().misuse || !synchronises.iter().any(|s| source.contains(s))
        {
            continue;
        }
        if let Err(why) = compare(&case, &mut tally) {
            panic!("seed {}: {why}", case.seed());
        }
    }
    println!(
        "{} programs: {} superfluous, {} needed, {} undecided",
        tally.programs, tally.superfluous, tally.needed, tally.undecided
    );
    assert!(count().is_none() || tally.superfluous + tally.needed > 0, "nothing was compared");
}

#[test]
fn threads() {
    try_programs(Kind::Threads, 16);
}

#[test]
fn openmp() {
    try_programs(Kind::OpenMp, 16);
}
