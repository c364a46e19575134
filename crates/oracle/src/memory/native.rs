//! The second oracle: clang and LLVM's runtime, many runs with disturbed schedules.
//!
//! A run may show less than the brute force says, never more: its final values must be among [`Outcome::results`], a failed
//! assertion, fault or hang among the answers. That sees what whoever wrote the checker and whoever wrote the oracle misunderstood alike. The
//! final values of racy programs are not judged, since hardware and compiler may do with a race what no interleaving does.
//!
//! A run is disturbed by `step`, which each statement calls first and which sleeps, yields or does nothing as the seed of the run says, and by the
//! environment: the size of the machine that the runtime believes in, how threads wait, how loops are divided that leave it open.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::generate::Sample;
use super::print::print_native;
use crate::compare::{Answer, Difference, Finished, Tool, ask, compare, run};
use crate::explore::Outcome;
use crate::native::{Options, Seen};

/// What the runs of a program showed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shown {
    /// Failed assertions and hangs.
    pub seen: Seen,
    /// Faults, by the checker's names.
    pub faults: BTreeSet<String>,
    /// The final values of runs that ended.
    pub results: BTreeSet<Vec<i64>>,
}

/// Compiles and runs `sample` in `directory`.
pub fn observe(sample: &Sample, options: &Options, directory: &Path) -> anyhow::Result<Shown> {
    let source = directory.join(format!("memory_{}.c", sample.seed));
    let binary = directory.join(format!("memory_{}", sample.seed));
    std::fs::write(&source, STEP.to_string() + &print_native(&sample.program))?;
    let mut command = Command::new(&options.compiler);
    command.args(["-std=gnu17", "-fopenmp", "-O0", "-w", "-o"]).arg(&binary).arg(&source);
    let done = run(&mut command, Duration::from_secs(60))?;
    anyhow::ensure!(done.code == Some(0), "does not compile: {}", done.stderr);
    let shown = run_often(sample, &binary, options.runs);
    std::fs::remove_file(&binary)?;
    std::fs::remove_file(&source)?;
    shown
}

fn run_often(sample: &Sample, binary: &Path, runs: usize) -> anyhow::Result<Shown> {
    let truth = &sample.outcome;
    let limit = Duration::from_millis(if truth.deadlock { 1_000 } else { 20_000 });
    let mut shown = Shown::default();
    for number in 0..runs {
        let done = run(&mut disturbed(binary, number), limit)?;
        shown.add(&done)?;
        if done.timed_out {
            break;
        }
    }
    Ok(shown)
}

/// Run number `number` of a program, in an environment of its own.
fn disturbed(binary: &Path, number: usize) -> Command {
    let of = |list: &[&'static str], stride: usize| list[number / stride % list.len()];
    let mut command = Command::new(binary);
    command
        .env("STEP_SEED", (number + 1).to_string())
        .env("OMP_NUM_THREADS", of(&["2", "3", "4"], 1))
        .env("OMP_SCHEDULE", of(&["nonmonotonic:dynamic", "static", "guided", "monotonic:dynamic"], 3))
        .env("OMP_WAIT_POLICY", of(&["passive", "active"], 2))
        .env("KMP_BLOCKTIME", of(&["0", "1", "200"], 5))
        .env("KMP_FORKJOIN_BARRIER_PATTERN", of(&["linear,linear", "tree,tree", "hyper,hyper"], 7))
        .env("KMP_TASK_STEALING_CONSTRAINT", of(&["1", "0"], 11))
        // LLVM's runtime divides the processors among teams otherwise, whatever the clause says.
        .env("KMP_TEAMS_THREAD_LIMIT", "16")
        .env("OMP_DYNAMIC", "false");
    command
}

impl Shown {
    fn add(&mut self, done: &Finished) -> anyhow::Result<()> {
        // The runtime trips over itself now and then, mostly with untied tasks; such a run shows nothing.
        if done.stderr.contains("OMP: Error #13") {
            return Ok(());
        }
        self.seen.hang |= done.timed_out;
        let failed = done.stderr.contains("Assertion `");
        self.seen.assertion |= failed;
        let fault = match done.ending.as_str() {
            e if e.contains("SIGSEGV") => Some("null-pointer"),
            e if e.contains("SIGFPE") => Some("division-by-zero"),
            // The C library notices some of what is done to its blocks, the runtime some of what is done to locks.
            e if e.contains("SIGABRT") && !failed => Some("double-free"),
            _ => None,
        };
        self.faults.extend(fault.map(String::from));
        let known = done.timed_out || failed || fault.is_some() || done.code == Some(0);
        anyhow::ensure!(known, "unexpected end: {}; {}", done.ending, done.stderr);
        let line = done.stdout.lines().find_map(|l| l.strip_prefix("outcome"));
        if let Some(line) = line.filter(|_| done.code == Some(0)) {
            self.results.insert(line.split_whitespace().filter_map(|w| w.parse().ok()).collect());
        }
        Ok(())
    }

    /// What the runs showed that the brute force excludes.
    pub fn against_brute_force(&self, truth: &Outcome) -> Vec<String> {
        let mut found = Vec::new();
        // These do anything.
        let wild = ["out-of-bounds", "use-after-free", "double-free", "invalid-free", "lock-misuse"];
        if truth.race || wild.into_iter().any(|kind| truth.faults.contains(kind)) {
            return found;
        }
        if self.seen.assertion && !truth.assertion {
            found.push("an assertion failed, which the brute force excludes".into());
        }
        if self.seen.hang && !truth.deadlock {
            found.push("a run did not end, and the brute force has no deadlock".into());
        }
        for fault in self.faults.difference(&truth.faults) {
            found.push(format!("a run ended with {fault}, which the brute force excludes"));
        }
        for values in self.results.difference(&truth.results).take(3) {
            found.push(format!("final values {values:?}, none of those of the brute force"));
        }
        found
    }

    /// What the runs showed that the checker's answer excludes. A race, reported or not, excludes nothing.
    pub fn against_checker(&self, truth: &Outcome, answer: &Answer) -> Vec<String> {
        let excludes = |kind: &str| match answer.verdict.as_str() {
            "race-free" => true,
            "defect" => truth.faults.is_empty() && !answer.defects.contains(kind),
            _ => false,
        };
        let shown = [("assertion", self.seen.assertion), ("deadlock", self.seen.hang)];
        let shown = shown.into_iter().filter(|s| s.1).map(|s| s.0);
        let all = shown.chain(self.faults.iter().map(String::as_str));
        all.filter(|kind| !truth.race && excludes(kind))
            .map(|kind| format!("a run has {kind}, and the checker says {}", answer.verdict))
            .collect()
    }
}

/// Who says something against whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sides {
    /// Runs against the brute force: one of them is wrong about the language, or the runtime is.
    RunsAgainstBruteForce,
    /// Runs against the checker.
    RunsAgainstChecker,
    /// The brute force against the checker, where no run contradicts the brute force.
    BothAgainstChecker,
}

/// One contradiction.
#[derive(Debug, Clone)]
pub struct Disagreement {
    /// Between whom.
    pub sides: Sides,
    /// What it is.
    pub text: String,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sides = match self.sides {
            Sides::RunsAgainstBruteForce => "runs | brute force",
            Sides::RunsAgainstChecker => "runs | checker",
            Sides::BothAgainstChecker => "runs, brute force | checker",
        };
        write!(f, "{sides}: {}", self.text)
    }
}

/// Real runs, the brute force and the checker about one program.
pub fn three_ways(
    sample: &Sample,
    options: &Options,
    tool: &Tool,
    directory: &Path,
) -> anyhow::Result<Vec<Disagreement>> {
    let shown = observe(sample, options, directory)?;
    let truth = &sample.outcome;
    let file = directory.join(format!("memory_{}_asked.c", sample.seed));
    std::fs::write(&file, &sample.printed.source)?;
    let answer = ask(tool, &file);
    std::fs::remove_file(&file)?;
    let brute = shown.against_brute_force(truth);
    let (runs, both) = match &answer {
        Ok(answer) => (shown.against_checker(truth, answer), compare(truth, answer, true)),
        Err(difference) => (Vec::new(), vec![difference.clone()]),
    };
    let undisputed = brute.is_empty();
    let with = |sides: Sides| move |text: String| Disagreement { sides, text };
    let decided = both.into_iter().filter(|d| undisputed && !matches!(d, Difference::Unknown(_)));
    Ok(brute
        .into_iter()
        .map(with(Sides::RunsAgainstBruteForce))
        .chain(runs.into_iter().map(with(Sides::RunsAgainstChecker)))
        .chain(decided.map(|d| with(Sides::BothAgainstChecker)(d.to_string())))
        .collect())
}

/// The function `step`.
const STEP: &str = r#"
#define _GNU_SOURCE
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
__attribute__((noinline)) void step(void) {
    static uint64_t threads, seed;
    static _Thread_local uint64_t state;
    if (state == 0) {
        const char *text = getenv("STEP_SEED");
        seed = text ? strtoull(text, 0, 10) : 1;
        uint64_t number = __atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED);
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        state = (seed * 1000003u + number) * 2654435761u + (uint64_t)now.tv_nsec % 64 + 1;
    }
    state = state * 6364136223846793005u + 1442695040888963407u;
    unsigned draw = (state >> 33) % 100;
    if (draw < 4 * (seed % 8)) {
        usleep(draw * 10);
    } else if (draw < 60) {
        sched_yield();
    }
}
"#;

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(results: &[i64], assertion: bool) -> Shown {
        let seen = Seen { assertion, ..Seen::default() };
        Shown { seen, results: results.iter().map(|r| vec![*r]).collect(), ..Shown::default() }
    }

    fn truth(results: &[i64]) -> Outcome {
        Outcome { results: results.iter().map(|r| vec![*r]).collect(), ..Outcome::default() }
    }

    fn answer(verdict: &str) -> Answer {
        Answer { verdict: verdict.into(), ..Answer::default() }
    }

    #[test]
    fn runs_must_lie_within_the_brute_force() {
        assert!(shown(&[1], false).against_brute_force(&truth(&[1, 2])).is_empty());
        assert_eq!(shown(&[1, 3], false).against_brute_force(&truth(&[1, 2])).len(), 1);
        assert_eq!(shown(&[1], true).against_brute_force(&truth(&[1])).len(), 1);
        let racy = Outcome { race: true, ..truth(&[1]) };
        assert!(shown(&[7], true).against_brute_force(&racy).is_empty());
    }

    #[test]
    fn a_failed_assertion_contradicts_race_free() {
        let failing = Outcome { assertion: true, ..truth(&[1]) };
        assert_eq!(shown(&[1], true).against_checker(&failing, &answer("race-free")).len(), 1);
        assert!(shown(&[1], false).against_checker(&failing, &answer("race-free")).is_empty());
        assert!(shown(&[1], true).against_checker(&failing, &answer("race")).is_empty());
        assert!(shown(&[1], true).against_checker(&failing, &answer("unknown")).is_empty());
    }
}
