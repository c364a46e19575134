//! The oracle itself, on traces whose answer is known by hand.

mod common;

use common::exhaustive::explore;
use common::random::{Shape, trace};
use trace::{EventId, Trace};

fn races(text: &str) -> Vec<(u64, u64)> {
    let trace = Trace::parse_std(text).unwrap();
    explore(&trace).races.into_iter().map(|(a, b)| (a.number(), b.number())).collect()
}

#[test]
fn two_plain_writes_race() {
    assert_eq!(races("A|w(x)|1\nB|w(x)|2\n"), [(1, 2)]);
}

#[test]
fn one_lock_protects() {
    assert_eq!(races("A|acq(l)|1\nA|w(x)|2\nA|rel(l)|3\nB|acq(l)|4\nB|w(x)|5\nB|rel(l)|6\n"), []);
}

#[test]
fn fork_and_join_order() {
    assert_eq!(races("A|w(x)|1\nA|fork(B)|2\nB|w(x)|3\nA|join(B)|4\nA|w(x)|5\n"), []);
    assert_eq!(races("A|fork(B)|2\nA|w(x)|1\nB|w(x)|3\nA|join(B)|4\nA|w(x)|5\n"), [(2, 3)]);
}

#[test]
fn a_read_needs_its_write() {
    // The read of y orders the accesses to x.
    assert_eq!(races("A|w(x)|1\nA|w(y)|2\nB|r(y)|3\nB|w(x)|4\n"), [(2, 3)]);
    // A read of the initial value comes before the write.
    assert_eq!(races("B|r(y)|1\nB|w(x)|2\nA|w(y)|3\nA|w(x)|4\n"), [(1, 3), (2, 4)]);
}

#[test]
fn opposite_nesting_deadlocks() {
    let t =
        "A|acq(l)|1\nA|acq(m)|2\nA|rel(m)|3\nA|rel(l)|4\nB|acq(m)|5\nB|acq(l)|6\nB|rel(l)|7\nB|rel(m)|8\n";
    assert!(explore(&Trace::parse_std(t).unwrap()).deadlock);
}

#[test]
fn random_traces_keep_the_rules_and_vary() {
    let mut racy = 0;
    let mut forks = 0;
    for seed in 0..500 {
        let t = trace(seed, Shape::small());
        trace::check::well_formed(&t).unwrap();
        assert!(t.len() <= 14);
        racy += usize::from(!explore(&t).races.is_empty());
        forks += usize::from(t.events.iter().any(|e| matches!(e.op, trace::Op::Fork(_))));
    }
    assert!((50..490).contains(&racy), "{racy} of 500 have a race");
    assert!(forks > 50, "{forks} of 500 fork");
    assert_eq!(EventId(0).number(), 1);
}
