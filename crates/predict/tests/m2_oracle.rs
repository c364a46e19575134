//! M2 and SyncP against all correct reorderings of small random traces.
//!
//! 2,000 traces in the normal run; `RACEPROOF_TRACES=20000` for more.

mod common;
mod support;

use std::collections::BTreeSet;

use common::exhaustive::explore;
use common::random::{Shape, trace as random_trace};
use predict::{Answer, Options, Pairs, m2, syncp};
use support::{Hard, hard_trace};
use trace::{EventId, Trace};

type PairSet = BTreeSet<(EventId, EventId)>;

fn rounds() -> u64 {
    std::env::var("RACEPROOF_TRACES").ok().and_then(|n| n.parse().ok()).unwrap_or(2_000)
}

fn every_pair() -> Options {
    Options { pairs: Pairs::Events, all_accesses: true, jobs: 1, ..Options::default() }
}

fn pairs(answer: &Answer) -> PairSet {
    answer.races.iter().map(|race| (race.first, race.second)).collect()
}

/// Checks one trace; returns (races found, undecided pairs, true races missed).
fn compare(trace: &Trace, what: &str) -> (usize, usize, usize) {
    let truth = explore(trace).races;
    let answer = m2::analyse(trace, &every_pair());
    let found = pairs(&answer);
    for race in &answer.races {
        let witness = race.witness.as_ref().expect("every race has a witness");
        trace::replay::check(trace, witness, (race.first, race.second))
            .unwrap_or_else(|e| panic!("{what}: {e}"));
    }
    assert!(!answer.undecided.iter().any(|u| u.reason.contains("internal")), "{what}: a witness failed");
    assert!(found.is_subset(&truth), "{what}: M2 reports {:?}\n{trace:?}", found.difference(&truth));
    let undecided: PairSet = answer.undecided.iter().map(|u| (u.first, u.second)).collect();
    let missed: PairSet = truth.difference(&found).copied().collect();
    assert!(
        missed.is_subset(&undecided),
        "{what}: M2 calls races decided that are none: {missed:?}\n{trace:#?}"
    );
    assert!(undecided.is_disjoint(&found), "{what}: found and undecided");
    (found.len(), undecided.len(), missed.len())
}

#[test]
fn m2_is_sound_and_knows_when_it_is_complete() {
    let mut sums = [0; 3];
    for seed in 0..rounds() {
        let trace = random_trace(seed, Shape::small());
        let (found, undecided, missed) = compare(&trace, &format!("seed {seed}"));
        sums[0] += found;
        sums[1] += undecided;
        sums[2] += missed;
    }
    assert!(sums[0] > 1_000, "the traces show races: {sums:?}");
    println!("races {}, undecided {}, of these real {}", sums[0], sums[1], sums[2]);
}

#[test]
fn m2_is_complete_on_two_threads() {
    for seed in 0..rounds() {
        let trace = random_trace(seed, Shape::two_threads());
        let (_, undecided, missed) = compare(&trace, &format!("seed {seed}"));
        assert_eq!((undecided, missed), (0, 0), "seed {seed}");
    }
}

#[test]
fn m2_by_locations_agrees_with_m2_by_events() {
    for seed in 0..rounds() / 4 {
        let hard = Hard { threads: 3, locks: 2, variables: 2, length: 10, reads: 30, changes: 15 };
        let mut trace =
            if seed % 2 == 0 { random_trace(seed, Shape::small()) } else { hard_trace(seed, hard) };
        // Few locations, so that reports stand for several pairs.
        for event in &mut trace.events {
            let is_write = u32::from(event.op.is_write());
            event.location.0 = 2 * event.op.variable().map_or(9, |v| v.0 % 2) + is_write;
        }
        let locations = |answer: &Answer| -> BTreeSet<(u32, u32)> {
            let of = |r: &predict::RacePair| {
                let [a, b] = r.accesses.map(|e| e.location.0);
                (a.min(b), a.max(b))
            };
            answer.races.iter().map(of).collect()
        };
        let by_events = m2::analyse(&trace, &every_pair());
        for all_accesses in [false, true] {
            let by_locations = m2::analyse(&trace, &Options { all_accesses, jobs: 2, ..Options::default() });
            if by_events.undecided.is_empty() {
                assert_eq!(locations(&by_locations), locations(&by_events), "seed {seed}");
                assert_eq!(by_locations.racy_variables, by_events.racy_variables, "seed {seed}");
                assert!(by_locations.undecided.is_empty(), "seed {seed}");
            }
            if all_accesses {
                assert_eq!(by_locations.event_pairs, by_events.event_pairs, "seed {seed}");
            }
        }
    }
}

#[test]
fn syncp_is_sound_and_within_m2() {
    for seed in 0..rounds() {
        let trace = random_trace(seed, Shape::small());
        let answer = syncp::analyse(&trace, &every_pair());
        let found = pairs(&answer);
        let truth = explore(&trace).races;
        assert!(found.is_subset(&truth), "seed {seed}");
        assert!(answer.undecided.is_empty(), "seed {seed}: {:?}", answer.undecided);
        let m2 = m2::analyse(&trace, &every_pair());
        assert!(found.is_subset(&pairs(&m2)), "seed {seed}");
    }
}

/// Traces made of sections: here sections must be exchanged, and pairs stay undecided.
#[test]
fn m2_on_traces_made_of_sections() {
    let shapes = [
        Hard { threads: 2, locks: 2, variables: 2, length: 9, reads: 30, changes: 20 },
        Hard { threads: 2, locks: 3, variables: 3, length: 12, reads: 10, changes: 10 },
        Hard { threads: 3, locks: 2, variables: 2, length: 7, reads: 20, changes: 15 },
        Hard { threads: 3, locks: 1, variables: 2, length: 8, reads: 40, changes: 10 },
        Hard { threads: 4, locks: 2, variables: 2, length: 6, reads: 25, changes: 10 },
        Hard { threads: 4, locks: 3, variables: 3, length: 6, reads: 40, changes: 5 },
    ];
    for (number, shape) in shapes.into_iter().enumerate() {
        let mut sums = [0; 3];
        for seed in 0..rounds() / 2 {
            let trace = hard_trace(seed, shape);
            let (found, undecided, missed) = compare(&trace, &format!("shape {number}, seed {seed}"));
            sums[0] += found;
            sums[1] += undecided;
            sums[2] += missed;
        }
        println!("shape {number}: races {}, undecided {}, of these real {}", sums[0], sums[1], sums[2]);
        if shape.threads == 2 {
            assert_eq!(sums[1], 0);
        }
    }
}

/// Atomic accesses observe like others; variables with read-modify-writes may leave pairs undecided, never wrong ones.
#[test]
fn m2_with_atomics() {
    for seed in 0..rounds() {
        let trace = random_trace(seed, Shape { atomics: true, ..Shape::small() });
        compare(&trace, &format!("seed {seed}"));
    }
}
