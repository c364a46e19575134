//! How M2 degrades when nearly every candidate pair has a section in the way and all event pairs are asked for: seconds,
//! races and undecided pairs by size, with a time limit. By locations the same traces take milliseconds.
//!
//!     cargo run --release -p raceproof-predict --example m2_hard -- [SECONDS, default 10]

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "../tests/support/mod.rs"]
mod support;

use std::time::{Duration, Instant};

use predict::{Options, Pairs, m2};

fn main() {
    let seconds = std::env::args().nth(1).map_or(10, |n| n.parse().expect("a number of seconds"));
    println!(
        "{:>8} {:>10} {:>9} {:>7} {:>10} {:>9}",
        "threads", "events", "seconds", "races", "undecided", "stopped"
    );
    for (threads, rounds) in [(4, 10), (4, 30), (4, 100), (8, 10), (8, 30), (8, 100), (16, 10), (16, 30)] {
        measure(threads, &support::tangled_trace(threads, rounds), seconds);
    }
    for (groups, rounds) in [(1, 10), (1, 30), (1, 100), (1, 300), (4, 30), (4, 100)] {
        measure(3 * groups, &support::rejected_trace(groups, rounds), seconds);
    }
}

fn measure(threads: u32, trace: &trace::Trace, seconds: u64) {
    let options = Options {
        time_limit: Some(Duration::from_secs(seconds)),
        pairs: Pairs::Events,
        jobs: 1,
        ..Options::default()
    };
    let start = Instant::now();
    let findings = m2::predict(trace, &options);
    println!(
        "{threads:>8} {:>10} {:>9.2} {:>7} {:>10} {:>9}",
        trace.len(),
        start.elapsed().as_secs_f64(),
        findings.races.len(),
        findings.undecided.len(),
        findings.stopped
    );
}
