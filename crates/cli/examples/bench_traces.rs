//! Measures `raceproof` on generated traces: for each size the time of only reading the file (STD and binary), and for each
//! analysis wall-clock time, events a second, the ratio to reading the same file, and peak memory. Then a trace made to be
//! hard for M2, without and with a time limit.
//!
//! Each measurement is a process of its own, run three times (once for large traces); the fastest counts. See
//! `bench/traces.sh`.
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
    hard(&raceproof, folder.path());
}

/// One run: seconds by the clock and what it prints.
fn run(raceproof: &str, arguments: &[&str]) -> (f64, Value) {
    let began = Instant::now();
    let output = Command::new(raceproof).args(arguments).output().expect("raceproof runs");
    let seconds = began.elapsed().as_secs_f64();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_ne!(output.status.code(), Some(2), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    (seconds, serde_json::from_str(&text).unwrap_or(Value::Null))
}

fn fastest(raceproof: &str, arguments: &[&str], times: usize) -> (f64, Value) {
    let runs = (0..times).map(|_| run(raceproof, arguments));
    runs.min_by(|a, b| a.0.total_cmp(&b.0)).expect("at least one run")
}

fn measure(raceproof: &str, folder: &Path, millions: u64) {
    let times = if millions > 10 { 1 } else { 3 };
    println!("{millions} million events");
    println!(
        "{:<11} {:<7} {:>8} {:>12} {:>7} {:>8} {:>6} {:>9}",
        "", "", "seconds", "events/s", "ratio", "peak MB", "races", "undecided"
    );
    for (form, extension) in [("std", "std"), ("binary", "rpt")] {
        let file = folder.join(format!("trace.{extension}"));
        let file = file.to_str().expect("UTF-8");
        run(raceproof, &["trace", "generate", file, "--events", &format!("{millions}M")]);
        let (reading, info) = fastest(raceproof, &["trace", "info", file, "--format", "json"], times);
        let events = info["events"].as_f64().expect("a number of events");
        println!("{:<11} {form:<7} {reading:>8.2} {:>12.0} {:>7.2}", "reading", events / reading, 1.0);
        for analysis in if form == "std" { &["hb", "m2"][..] } else { &ANALYSES } {
            let options = ["--format", "json", "--no-witness", "--time-limit", TIME_LIMIT];
            let arguments = [&["predict", file, "--analysis", analysis], &options[..]].concat();
            let (seconds, report) = fastest(raceproof, &arguments, times);
            let analyses = report["analyses"].as_array().expect("analyses");
            let measured = analyses.iter().chain([&report["trace"]]);
            let peak = measured.filter_map(|a| a["peak_memory_bytes"].as_f64()).fold(0.0, f64::max) / 1e6;
            let first = &analyses[0];
            let races = first["races"].as_array().map_or(0, Vec::len);
            println!(
                "{analysis:<11} {form:<7} {seconds:>8.2} {:>12.0} {:>7.2} {peak:>8.0} {races:>6} {:>9}{}",
                events / seconds,
                seconds / reading,
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
        "{:>8} {:>8} {:>6} {:>8} {:>7} {:>9} {:>8}",
        "threads", "events", "limit", "seconds", "races", "undecided", "stopped"
    );
    for (threads, rounds) in [(4, 10), (4, 30), (8, 30), (16, 30), (16, 100)] {
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
            let (seconds, report) = run(raceproof, &arguments);
            let m2 = &report["analyses"][0];
            let races = m2["races"].as_array().map_or(0, Vec::len);
            println!(
                "{threads:>8} {:>8} {limit:>5}s {seconds:>8.2} {races:>7} {:>9} {:>8}",
                text.lines().count(),
                m2["undecided"],
                m2["stopped"]
            );
        }
    }
}
