//! Holds the oracle's OpenMP semantics against real runs with LLVM's runtime.
//!
//! A run may show less than the oracle says, never more: no failed assertion where there is none, no hang where there
//! is neither a deadlock nor endless spinning. Racy programs and those with atomics weaker than seq_cst are compiled,
//! which checks that clang accepts them without a warning, but their runs are not judged.
//!
//! The copy that runs has `monotonic` schedules: LLVM's runtime steals otherwise, so a thread may do a later chunk before
//! an earlier one (the language leaves open what a program does that can tell), and loses the value of a `lastprivate`
//! variable if the thread of the last iteration steals another chunk after it.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::generate::Sample;
use crate::compare::run;
use crate::native::{DELAY, Options, RACE_EXIT, Seen};

/// What tells ThreadSanitizer about OpenMP.
const ARCHER: &str = "/usr/lib/llvm-19/lib/libarcher.so";

/// Compiles and runs `sample` in `directory`; an error says what contradicts the oracle or did not compile.
pub fn check(sample: &Sample, options: &Options, directory: &Path) -> anyhow::Result<Seen> {
    let original = directory.join(format!("omp_{}.c", sample.seed));
    let delayed = directory.join(format!("omp_{}_delayed.c", sample.seed));
    let binary = directory.join(format!("omp_{}", sample.seed));
    std::fs::write(&original, &sample.printed.source)?;
    std::fs::write(&delayed, with_delays(&sample.printed.source))?;
    compile(options, &original, &["-fsyntax-only", "-Wextra"])?;
    let mut seen = Seen::default();
    let variants = [(options.runs, "-O1"), (options.sanitized_runs, "-fsanitize=thread")];
    for (runs, flag) in variants.into_iter().filter(|v| v.0 > 0) {
        compile(options, &delayed, &["-g", flag, "-o", &binary.display().to_string()])?;
        run_often(sample, &binary, runs, &mut seen)?;
        std::fs::remove_file(&binary)?;
    }
    std::fs::remove_file(original)?;
    std::fs::remove_file(delayed)?;
    let truth = &sample.outcome;
    let ordered = sample.program.only_seq_cst();
    anyhow::ensure!(truth.race || sample.program.has_flush() || !seen.race, "ThreadSanitizer reports a race");
    let judged = !truth.race && ordered;
    anyhow::ensure!(!judged || truth.assertion || !seen.assertion, "an assertion failed");
    anyhow::ensure!(!judged || truth.deadlock || truth.endless || !seen.hang, "a run did not end");
    Ok(seen)
}

fn compile(options: &Options, file: &Path, flags: &[&str]) -> anyhow::Result<()> {
    let mut command = Command::new(&options.compiler);
    command.args(["-std=gnu17", "-fopenmp", "-Wall", "-Werror"]).args(flags).arg(file);
    let done = run(&mut command, Duration::from_secs(60))?;
    anyhow::ensure!(done.code == Some(0), "does not compile: {}", done.stderr);
    Ok(())
}

fn run_often(sample: &Sample, binary: &Path, runs: usize, seen: &mut Seen) -> anyhow::Result<()> {
    let truth = &sample.outcome;
    // Long where a hang would be a finding, since the machine may be busy.
    let milliseconds = match (truth.deadlock || truth.endless, truth.race) {
        (true, _) => 500,
        (false, true) => 3_000,
        (false, false) => 20_000,
    };
    let limit = Duration::from_millis(milliseconds);
    for _ in 0..runs {
        let mut command = Command::new(binary);
        let tsan = format!("ignore_noninstrumented_modules=1 detect_deadlocks=0 exitcode={RACE_EXIT}");
        command.env("TSAN_OPTIONS", tsan).env("OMP_TOOL_LIBRARIES", ARCHER);
        let done = run(&mut command, limit)?;
        seen.hang |= done.timed_out;
        seen.race |= done.stderr.contains("WARNING: ThreadSanitizer: data race");
        let failed = done.stderr.contains("Assertion `");
        seen.assertion |= failed;
        // LLVM's runtime trips over undeferred tasks with mutexinoutset now and then.
        let runtime_failed = done.stderr.contains("OMP: Error #13");
        let known = runtime_failed
            || done.timed_out
            || done.code == Some(0)
            || done.code == Some(RACE_EXIT)
            || failed;
        anyhow::ensure!(known, "unexpected end: {}; {}", done.ending, done.stderr);
        if done.timed_out {
            break;
        }
    }
    Ok(())
}

/// The program with a random delay before each plain statement.
fn with_delays(source: &str) -> String {
    let mut text = String::from(DELAY);
    let mut under_pragma = false;
    let monotonic = source
        .replace("schedule(dynamic", "schedule(monotonic : dynamic")
        .replace("schedule(guided", "schedule(monotonic : guided");
    for line in monotonic.lines() {
        let body = line.trim_start();
        let starts = ["r", "s0", "s1", "x", "a0", "a1", "assert", "if (", "omp_set_lock"];
        if body != line && !under_pragma && starts.iter().any(|s| body.starts_with(s)) && body != "return 0;"
        {
            text.push_str("delay(); ");
        }
        under_pragma = body.starts_with("#pragma");
        text.push_str(line);
        text.push('\n');
    }
    text
}
