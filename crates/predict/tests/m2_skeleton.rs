//! Skeleton mode and SyncP against brute force over all runs that keep what they must keep.

mod common;
mod support;

use std::collections::BTreeSet;

use common::random::{Rng, Shape, trace as random_trace};
use predict::m2::skeleton::{CoEnabled, Skeleton};
use predict::{Options, Pairs, syncp};
use support::{Hard, Keep, co_enabled, hard_trace};
use trace::{Event, EventId, LocId, LockId, Op, Trace};

/// The trace with a few rounds of a barrier among all its threads put in where all are alive and nobody holds a lock.
fn with_barrier(trace: &Trace, seed: u64) -> Trace {
    let mut rng = Rng::new(seed);
    let threads = trace.counts().threads;
    let at = rng.below(trace.len() + 1);
    let mut open = 0;
    for e in &trace.events[..at] {
        open += i32::from(matches!(e.op, Op::Acquire(_))) - i32::from(matches!(e.op, Op::Release(_)));
    }
    let has_forks = trace.events.iter().any(|e| matches!(e.op, Op::Fork(_) | Op::Join(_)));
    let mut trace = trace.clone();
    if open == 0 && !has_forks {
        let barrier = LockId(trace.counts().locks as u32);
        let round = (0..threads as u32).map(|t| Event {
            thread: trace::ThreadId(t),
            op: Op::Barrier(barrier),
            location: LocId(1_000),
        });
        trace.events.splice(at..at, round);
    }
    trace
}

/// Compares all pairs of a trace; returns (co-enabled, not, undecided).
fn compare(trace: &Trace, what: &str) -> [usize; 3] {
    let truth = co_enabled(trace, Keep { observations: false, sections: false });
    let skeleton = Skeleton::new(trace);
    let mut counts = [0; 3];
    for a in 0..trace.len() as u32 {
        for b in a + 1..trace.len() as u32 {
            let expected = truth.contains(&(a, b));
            // Both orders of asking give the same answer.
            for (first, second) in [(a, b), (b, a)] {
                match skeleton.co_enabled(EventId(first), EventId(second), None) {
                    CoEnabled::Yes(run) => {
                        assert!(expected, "{what}: ({a}, {b}) cannot be co-enabled\n{:?}", trace.events);
                        is_run(trace, &run, (first, second), what);
                        counts[0] += 1;
                    }
                    CoEnabled::No => {
                        assert!(!expected, "{what}: ({a}, {b}) can be co-enabled\n{:?}", trace.events);
                        counts[1] += 1;
                    }
                    CoEnabled::Undecided(_) => counts[2] += 1,
                }
            }
        }
    }
    counts
}

/// The run keeps program order and locks, and then the two are next.
fn is_run(trace: &Trace, run: &[EventId], pair: (u32, u32), what: &str) {
    let threads = trace.by_thread();
    let mut at = vec![0; threads.len()];
    let mut held = BTreeSet::new();
    let must = trace::order::must_edges(trace);
    let mut done = BTreeSet::new();
    for &id in run {
        let event = trace.event(id);
        assert_eq!(
            threads[event.thread.index()].get(at[event.thread.index()]),
            Some(&id),
            "{what}: program order"
        );
        assert!(
            must.iter().filter(|edge| edge.1 == id).all(|edge| done.contains(&edge.0)),
            "{what}: fork, join"
        );
        at[event.thread.index()] += 1;
        done.insert(id);
        match event.op {
            Op::Acquire(lock) => assert!(held.insert(lock), "{what}: lock taken"),
            Op::Release(lock) => assert!(held.remove(&lock), "{what}: lock released"),
            _ => {}
        }
    }
    for id in [EventId(pair.0), EventId(pair.1)] {
        let thread = trace.event(id).thread.index();
        assert_eq!(threads[thread].get(at[thread]), Some(&id), "{what}: {id:?} is next");
        assert!(
            must.iter().filter(|edge| edge.1 == id).all(|edge| done.contains(&edge.0)),
            "{what}: enabled"
        );
    }
}

#[test]
fn skeleton_agrees_with_brute_force() {
    let mut sums = [0; 3];
    let mut add = |counts: [usize; 3]| (0..3).for_each(|i| sums[i] += counts[i]);
    for seed in 0..400 {
        let shape = Shape { max_events: 18, ..Shape::small() };
        add(compare(&random_trace(seed, shape), &format!("random {seed}")));
        let hard = Hard { threads: 3, locks: 2, variables: 1, length: 6, reads: 0, changes: 15 };
        let trace = hard_trace(seed, hard);
        add(compare(&trace, &format!("hard {seed}")));
        add(compare(&with_barrier(&trace, seed), &format!("barrier {seed}")));
    }
    assert!(sums[0] > 10_000 && sums[1] > 10_000, "{sums:?}");
    assert!(sums[2] * 100 < sums[0] + sums[1], "few are undecided: {sums:?}");
}

#[test]
fn skeleton_decides_all_pairs_of_two_threads() {
    for seed in 0..400 {
        let hard = Hard { threads: 2, locks: 3, variables: 1, length: 10, reads: 0, changes: 15 };
        let counts = compare(&hard_trace(seed, hard), &format!("seed {seed}"));
        assert_eq!(counts[2], 0, "seed {seed}");
    }
}

/// Observations would forbid what the skeleton allows.
#[test]
fn skeleton_ignores_observations_and_keeps_locks() {
    let t = Trace::parse_std("A|w(x)|1\nA|w(f)|2\nB|r(f)|3\nB|w(x)|4\n").unwrap();
    assert!(matches!(Skeleton::new(&t).co_enabled(EventId(0), EventId(3), None), CoEnabled::Yes(_)));
    let t = Trace::parse_std("A|acq(l)|1\nA|w(x)|2\nA|rel(l)|3\nB|acq(l)|4\nB|w(x)|5\nB|rel(l)|6\n").unwrap();
    assert_eq!(Skeleton::new(&t).co_enabled(EventId(1), EventId(4), None), CoEnabled::No);
    // Gate locks: nested under `g` in both, so the inner accesses never meet.
    let t = "A|acq(g)|1\nA|acq(l)|2\nA|rel(l)|3\nA|w(x)|4\nA|rel(g)|5\nB|acq(g)|6\nB|rel(g)|7\nB|w(x)|8\n";
    let t = Trace::parse_std(t).unwrap();
    assert!(matches!(Skeleton::new(&t).co_enabled(EventId(3), EventId(7), None), CoEnabled::Yes(_)));
}

#[test]
fn syncp_finds_exactly_the_sync_preserving_races() {
    let mut races = 0;
    let options = Options { pairs: Pairs::Events, all_accesses: true, jobs: 1, ..Options::default() };
    for seed in 0..1_500 {
        let trace = match seed % 3 {
            0 => random_trace(seed, Shape::small()),
            1 => hard_trace(
                seed,
                Hard { threads: 3, locks: 2, variables: 2, length: 6, reads: 20, changes: 15 },
            ),
            _ => hard_trace(
                seed,
                Hard { threads: 4, locks: 2, variables: 3, length: 5, reads: 40, changes: 10 },
            ),
        };
        let truth: BTreeSet<(u32, u32)> = co_enabled(&trace, Keep { observations: true, sections: true })
            .into_iter()
            .filter(|&(a, b)| trace.events[a as usize].conflicts(&trace.events[b as usize]))
            .collect();
        let found: BTreeSet<(u32, u32)> =
            syncp::analyse(&trace, &options).races.iter().map(|r| (r.first.0, r.second.0)).collect();
        assert_eq!(found, truth, "seed {seed}\n{:?}", trace.events);
        races += found.len();
    }
    assert!(races > 1_000, "{races}");
}
