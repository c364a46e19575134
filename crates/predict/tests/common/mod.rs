//! What the tests of this crate share: the exhaustive oracle and the generator of random traces.
#![allow(dead_code)]

pub mod exhaustive;
pub mod naive;
pub mod random;

/// How many random traces a test looks at: 2,000, or what `RACEPROOF_TRACES` says.
pub fn trace_count() -> u64 {
    std::env::var("RACEPROOF_TRACES").ok().and_then(|n| n.parse().ok()).unwrap_or(2000)
}

/// All event pairs that an analysis reports.
pub fn event_pairs(name: &str, trace: &trace::Trace) -> naive::Pairs {
    let options =
        predict::Options { pairs: predict::Pairs::Events, all_accesses: true, ..Default::default() };
    let entry = predict::find(name).expect("a known analysis");
    predict::run(&entry, trace, &options).races.iter().map(|r| (r.first, r.second)).collect()
}
