//! Holds the oracle itself against real runs: compiled with clang, with and without ThreadSanitizer, run many times.
//!
//! A run may show less than the oracle says, never more: no failed assertion where there is none, no hang where there
//! is neither a deadlock nor endless spinning, no ThreadSanitizer report in a race-free program. Exceptions: hardware shows
//! more than interleavings when atomics are weaker than seq_cst, so assertions and hangs are not judged then; and
//! ThreadSanitizer knows no fences. To see more interleavings, the copy that runs has short random delays between
//! the statements.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::compare::run;
use crate::generate::Sample;

/// What the runs of a program showed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Seen {
    /// A failed assertion.
    pub assertion: bool,
    /// No end within the time.
    pub hang: bool,
    /// A ThreadSanitizer report.
    pub race: bool,
}

/// Options of a native check.
#[derive(Debug, Clone)]
pub struct Options {
    /// The compiler.
    pub compiler: String,
    /// How many runs without ThreadSanitizer.
    pub runs: usize,
    /// How many runs with it.
    pub sanitized_runs: usize,
}

/// The exit code that ThreadSanitizer is told to use.
pub(crate) const RACE_EXIT: i32 = 66;

/// Compiles and runs `sample` in `directory`; an error says what contradicts the oracle or did not compile.
pub fn check(sample: &Sample, options: &Options, directory: &Path) -> anyhow::Result<Seen> {
    let name = format!("prog_{}", sample.seed);
    let original = directory.join(format!("{name}.c"));
    let delayed = directory.join(format!("{name}_delayed.c"));
    std::fs::write(&original, &sample.printed.source)?;
    std::fs::write(&delayed, with_delays(&sample.printed.source))?;
    compile(options, &original, &["-fsyntax-only", "-Wextra"])?;
    let mut seen = Seen::default();
    let variants = [(options.runs, "", "-O1"), (options.sanitized_runs, "_tsan", "-fsanitize=thread")];
    for (runs, suffix, flag) in variants.into_iter().filter(|v| v.0 > 0) {
        let binary = directory.join(format!("{name}{suffix}"));
        let output = binary.display().to_string();
        compile(options, &delayed, &["-g", flag, "-pthread", "-o", &output])?;
        run_often(sample, &binary, runs, &mut seen)?;
        std::fs::remove_file(&binary)?;
    }
    std::fs::remove_file(&delayed)?;
    std::fs::remove_file(&original)?;
    contradiction(sample, seen).map_or(Ok(seen), |text| Err(anyhow::anyhow!(text)))
}

fn compile(options: &Options, file: &Path, flags: &[&str]) -> anyhow::Result<()> {
    let mut command = Command::new(&options.compiler);
    command.args(["-std=gnu17", "-Wall", "-Werror"]).args(flags).arg(file);
    let done = run(&mut command, Duration::from_secs(60))?;
    anyhow::ensure!(done.code == Some(0), "does not compile: {}", done.stderr);
    Ok(())
}

fn run_often(sample: &Sample, binary: &Path, runs: usize, seen: &mut Seen) -> anyhow::Result<()> {
    let may_hang = sample.outcome.deadlock || sample.outcome.endless;
    // Long where a hang would be a finding, since the machine may be busy.
    let limit = Duration::from_millis(if may_hang { 300 } else { 10_000 });
    for _ in 0..runs {
        let mut command = Command::new(binary);
        let options =
            format!("detect_deadlocks=0 report_thread_leaks=0 report_mutex_bugs=0 exitcode={RACE_EXIT}");
        command.env("TSAN_OPTIONS", options);
        let done = run(&mut command, limit)?;
        seen.hang |= done.timed_out;
        seen.assertion |= done.stderr.contains("Assertion `");
        seen.race |= done.stderr.contains("WARNING: ThreadSanitizer: data race");
        let known = done.timed_out || done.code == Some(0) || done.code == Some(RACE_EXIT) || seen.assertion;
        anyhow::ensure!(known, "unexpected end: {}; {}", done.ending, done.stderr);
        if done.timed_out {
            // Enough: hangs cost time.
            break;
        }
    }
    Ok(())
}

/// What the runs showed that the oracle excludes.
fn contradiction(sample: &Sample, seen: Seen) -> Option<String> {
    let truth = &sample.outcome;
    if truth.race {
        return None;
    }
    let ordered = sample.program.only_seq_cst();
    let fences = sample.program.has_fence();
    if seen.race && !fences {
        return Some("ThreadSanitizer reports a race".into());
    }
    if seen.assertion && !truth.assertion && ordered {
        return Some("an assertion failed".into());
    }
    if seen.hang && !truth.deadlock && !truth.endless && ordered {
        return Some("a run did not end".into());
    }
    None
}

/// The program with a random delay before each statement, on the same lines.
fn with_delays(source: &str) -> String {
    let mut text = String::from(DELAY);
    let mut lines = source.lines();
    let mut inside = false;
    for line in &mut lines {
        let body = line.trim_start();
        inside |= line.ends_with(") {") && body == line;
        let plain = ["}", "int ", "(void)", "pthread_t "].iter().any(|p| body.starts_with(p));
        if inside && body != line && !plain {
            text.push_str("delay(); ");
        }
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// The function `delay`.
pub(crate) const DELAY: &str = r#"
#include <sched.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>
__attribute__((no_sanitize("thread"), noinline)) static void delay(void) {
    static _Thread_local uint64_t state;
    if (state == 0) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        state = (uint64_t)now.tv_nsec * 2654435761u + (uintptr_t)&state;
    }
    state = state * 6364136223846793005u + 1442695040888963407u;
    unsigned draw = (state >> 33) % 100;
    if (draw < 20) {
        usleep(draw * 10);
    } else if (draw < 45) {
        sched_yield();
    }
}
"#;
