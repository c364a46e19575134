//! Measures `raceproof` on generated traces: for each size the time of only reading the file (STD and binary), and for each
//! analysis wall-clock and processor time, events a second, the ratio to reading the same file, and peak memory. Then what
//! M2 needs for variables that cannot race, and traces made to be hard for it, with time limits.
//!
//! Each measurement is a process of its own, run three times (once for large traces); the fastest counts (by the clock;
//! the least processor time of all runs). See `bench/traces.sh`.
//!
//! ```text
//! bench_traces RACEPROOF [MILLIONS OF EVENTS...]     (default: 1 10)
//! ```

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use serde_json::Value;

const ANALYSES: [&str; 9] = ["hb", "shb", "eraser", "goldilocks", "wcp", "dc", "syncp", "m2", "m2,shb"];
/// An analysis that takes longer is measured on smaller traces only.
const TIME_LIMIT: &str = "300";

fn main() {
    let mut arguments = std::env::args().skip(1);
    let raceproof = arguments.next().expect("the path of raceproof");
    let mut sizes: Vec<u64> = arguments.map(|n| n.parse().expect("a number of millions")).collect();
    if sizes.is_empty() {
        sizes = vec![1, 10];
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    for millions in sizes {
        measure(&raceproof, folder.path(), millions);
    }
    memory(&raceproof, folder.path());
    hard(&raceproof, folder.path());
}

/// What M2 needs for variables that cannot race: three million events of eight threads, a million variables.
fn memory(raceproof: &str, folder: &Path) {
    println!(
        "memory of m2, 3 million events on a million variables that cannot race (the events alone take 48 MB)"
    );
    println!("{:<44} {:>8} {:>9}", "", "peak MB", "variables");
    let write = |text: &mut String, kind: &str, i: usize| {
        let (t, v) = (i % 8, i / 8);
        let operation = if i.is_multiple_of(3) { "w" } else { "r" };
        let _ = match kind {
            "each of one thread" => writeln!(text, "T{t}|{operation}(v{t}.{})|1", v % 125_000),
            "each of one thread, eight of them" => writeln!(text, "T{t}|{operation}(v{t})|1"),
            // One thread after the other, each forked when the one before has been joined.
            "all of all threads, ordered by fork and join" => {
                let (t, v) = (i / 375_000, i % 375_000);
                let passed_on = match (v, t) {
                    (0, 0) => "M|fork(T0)|3\n".to_owned(),
                    (0, _) => format!("M|join(T{})|2\nM|fork(T{t})|3\n", t - 1),
                    _ => String::new(),
                };
                writeln!(text, "{passed_on}T{t}|{operation}(v{v})|1")
            }
            _ => {
                let (v, t) = (i % 1_000_000, i / 7 % 8);
                writeln!(text, "T{t}|acq(l{})|2\nT{t}|{operation}(v{v})|1\nT{t}|rel(l{})|3", v % 64, v % 64)
            }
        };
    };
    for (kind, events) in [
        ("each of one thread, eight of them", 3_000_000),
        ("each of one thread", 3_000_000),
        ("all of all threads, ordered by fork and join", 3_000_000),
        ("all of all threads, each behind a lock", 1_000_000),
    ] {
        let mut text = String::new();
        (0..events).for_each(|i| write(&mut text, kind, i));
        let file = folder.join("memory.std");
        std::fs::write(&file, &text).expect("space");
        let file = file.to_str().expect("UTF-8");
        let (_, report) = run(raceproof, &["predict", file, "--analysis", "m2", "--format", "json"]);
        let peak = report["analyses"][0]["peak_memory_bytes"].as_f64().unwrap_or(0.0) / 1e6;
        println!("{kind:<44} {peak:>8.0} {:>9}", report["trace"]["variables"]);
    }
    println!();
}

/// What a run took: seconds by the clock, seconds of processors.
#[derive(Clone, Copy)]
struct Took {
    clock: f64,
    processor: f64,
}

/// The processor time of all child processes so far, in seconds.
fn children() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // After the name in parentheses, the 14th and 15th fields, in hundredths of a second.
    let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
    fields.skip(13).take(2).filter_map(|n| n.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// One run: what it took and what it prints.
fn run(raceproof: &str, arguments: &[&str]) -> (Took, Value) {
    let (began, before) = (Instant::now(), children());
    let output = Command::new(raceproof).args(arguments).output().expect("raceproof runs");
    let took = Took { clock: began.elapsed().as_secs_f64(), processor: children() - before };
    let text = String::from_utf8_lossy(&output.stdout);
    assert_ne!(output.status.code(), Some(2), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    (took, serde_json::from_str(&text).unwrap_or(Value::Null))
}

fn fastest(raceproof: &str, arguments: &[&str], times: usize) -> (Took, Value) {
    let (mut best, mut report) = run(raceproof, arguments);
    for _ in 1..times {
        let (took, next) = run(raceproof, arguments);
        best.processor = best.processor.min(took.processor);
        if took.clock < best.clock {
            (best.clock, report) = (took.clock, next);
        }
    }
    (best, report)
}

fn measure(raceproof: &str, folder: &Path, millions: u64) {
    let times = if millions > 10 { 1 } else { 3 };
    println!("{millions} million events");
    println!(
        "{:<11} {:<7} {:>8} {:>7} {:>12} {:>6} {:>7} {:>8} {:>6} {:>9}",
        "", "", "seconds", "cpu s", "events/s", "ratio", "by cpu", "peak MB", "races", "undecided"
    );
    for (form, extension) in [("std", "std"), ("binary", "rpt")] {
        let file = folder.join(format!("trace.{extension}"));
        let file = file.to_str().expect("UTF-8");
        run(raceproof, &["trace", "generate", file, "--events", &format!("{millions}M")]);
        let (reading, info) = fastest(raceproof, &["trace", "info", file, "--format", "json"], times);
        let events = info["events"].as_f64().expect("a number of events");
        println!(
            "{:<11} {form:<7} {:>8.2} {:>7.2} {:>12.0} {:>6.2} {:>7.2}",
            "reading",
            reading.clock,
            reading.processor,
            events / reading.clock,
            1.0,
            1.0
        );
        for analysis in if form == "std" { &["hb", "m2"][..] } else { &ANALYSES } {
            let options = ["--format", "json", "--no-witness", "--time-limit", TIME_LIMIT];
            let arguments = [&["predict", file, "--analysis", analysis], &options[..]].concat();
            let (took, report) = fastest(raceproof, &arguments, times);
            let analyses = report["analyses"].as_array().expect("analyses");
            let measured = analyses.iter().chain([&report["trace"]]);
            let peak = measured.filter_map(|a| a["peak_memory_bytes"].as_f64()).fold(0.0, f64::max) / 1e6;
            let first = &analyses[0];
            let races = first["races"].as_array().map_or(0, Vec::len);
            println!(
                "{analysis:<11} {form:<7} {:>8.2} {:>7.2} {:>12.0} {:>6.2} {:>7.2} {peak:>8.0} {races:>6} {:>9}{}",
                took.clock,
                took.processor,
                events / took.clock,
                took.clock / reading.clock,
                took.processor / reading.processor,
                first["undecided"].to_string(),
                if first["stopped"] == true { "  stopped" } else { "" }
            );
        }
        std::fs::remove_file(file).expect("the file was there");
    }
    println!();
}

/// Threads in a ring that nest their own lock and their neighbour's: nearly all pairs of events need a decision.
fn hard(raceproof: &str, folder: &Path) {
    println!("hard for M2 (--pairs events)");
    println!(
        "{:>8} {:>8} {:>6} {:>8} {:>8} {:>7} {:>9} {:>8}",
        "threads", "events", "limit", "process", "m2", "races", "undecided", "stopped"
    );
    for (threads, rounds) in [(4, 30), (8, 30), (16, 30), (16, 100), (32, 300)] {
        let mut text = String::new();
        for round in 0..rounds {
            for t in 0..threads {
                let (one, two) = (t.min((t + 1) % threads), t.max((t + 1) % threads));
                let _ =
                    write!(text, "T{t}|acq(l{one})|1\nT{t}|w(x)|2\nT{t}|acq(l{two})|3\nT{t}|w(y{two})|4\n");
                if (round + t) % 3 == 0 {
                    let _ = writeln!(text, "T{t}|r(y{one})|5");
                }
                let _ = write!(text, "T{t}|rel(l{two})|6\nT{t}|rel(l{one})|7\n");
            }
        }
        let file = folder.join("hard.std");
        std::fs::write(&file, &text).expect("space");
        let file = file.to_str().expect("UTF-8");
        for limit in ["2", "10"] {
            let arguments = [
                "predict",
                file,
                "--analysis",
                "m2",
                "--pairs",
                "events",
                "--format",
                "json",
                "--time-limit",
                limit,
            ];
            let (took, report) = run(raceproof, &arguments);
            let m2 = &report["analyses"][0];
            let races = m2["races"].as_array().map_or(0, Vec::len);
            println!(
                "{threads:>8} {:>8} {limit:>5}s {:>8.2} {:>8.2} {races:>7} {:>9} {:>8}",
                text.lines().count(),
                took.clock,
                m2["seconds"].as_f64().unwrap_or(0.0),
                m2["undecided"],
                m2["stopped"]
            );
        }
    }
}
