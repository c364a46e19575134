//! The judge of witnesses refuses what is no witness, for the right reason.

use trace::replay::{ReplayError, check};
use trace::{EventId, Trace, order};

fn ids(numbers: &[u32]) -> Vec<EventId> {
    numbers.iter().map(|n| EventId(n - 1)).collect()
}

fn judge(text: &str, witness: &[u32], pair: (u32, u32)) -> Result<(), ReplayError> {
    check(&Trace::parse_std(text).unwrap(), &ids(witness), (EventId(pair.0 - 1), EventId(pair.1 - 1)))
}

/// P4 figure 1a.
const FIGURE_1A: &str = "A|acq(l)|1\nA|w(x)|2\nA|rel(l)|3\nB|acq(l)|4\nB|w(x)|5\nB|rel(l)|6\nB|r(x)|7\n";

#[test]
fn nothing_comes_between_the_halves_of_an_update() {
    let e = |number: u32| EventId(number - 1);
    let trace = "T1|ar(c)|1\nT1|aw(c)|2\nT1|w(x)|3\nT2|aw(c)|4\nT2|w(x)|5\n";
    assert_eq!(judge(trace, &[4, 3, 5], (3, 5)), Err(ReplayError::ProgramOrder(e(3), Some(e(1)))));
    assert_eq!(judge(trace, &[1, 4, 2, 3, 5], (3, 5)), Err(ReplayError::TornUpdate(e(2), e(4))));
    assert_eq!(judge(trace, &[1, 2, 4, 3, 5], (3, 5)), Ok(()));
}

#[test]
fn accepts_the_papers_witness() {
    assert_eq!(judge(FIGURE_1A, &[4, 5, 6, 1, 2, 7], (2, 7)), Ok(()));
    assert_eq!(judge(FIGURE_1A, &[4, 5, 6, 1, 7, 2], (2, 7)), Ok(()));
}

#[test]
fn refuses_for_the_right_reason() {
    let e = |n: u32| EventId(n - 1);
    assert_eq!(judge(FIGURE_1A, &[4, 5, 6, 1, 2], (2, 7)), Err(ReplayError::WrongEnd(e(2), e(7))));
    assert_eq!(judge(FIGURE_1A, &[], (2, 7)), Err(ReplayError::WrongEnd(e(2), e(7))));
    assert_eq!(judge(FIGURE_1A, &[4, 5, 1, 2, 7], (2, 7)), Err(ReplayError::LockHeld(e(1), e(4))));
    assert_eq!(judge(FIGURE_1A, &[1, 2, 7], (2, 7)), Err(ReplayError::ProgramOrder(e(7), Some(e(4)))));
    assert_eq!(judge(FIGURE_1A, &[4, 6, 2, 7], (2, 7)), Err(ReplayError::ProgramOrder(e(6), Some(e(5)))));
    assert_eq!(judge(FIGURE_1A, &[1, 1, 2, 7], (2, 7)), Err(ReplayError::ProgramOrder(e(1), Some(e(2)))));
    assert_eq!(judge(FIGURE_1A, &[1, 2], (1, 2)), Err(ReplayError::NoConflict(e(1), e(2))));
    assert_eq!(judge(FIGURE_1A, &[2, 99], (2, 99)), Err(ReplayError::NoSuchEvent(e(99))));
    assert_eq!(judge(FIGURE_1A, &[99, 2, 7], (2, 7)), Err(ReplayError::NoSuchEvent(e(99))));
}

#[test]
fn reads_observe_what_they_observed() {
    let text = "A|w(y)|1\nA|w(x)|2\nB|r(y)|3\nB|w(x)|4\n";
    assert_eq!(judge(text, &[1, 3, 2, 4], (2, 4)), Ok(()));
    let missing = Err(ReplayError::Observation(EventId(2), None, Some(EventId(0))));
    assert_eq!(judge(text, &[3, 2, 4], (2, 4)), missing);
    let initial = "B|r(y)|1\nB|w(x)|2\nA|w(y)|3\nA|w(x)|4\n";
    assert_eq!(judge(initial, &[1, 3, 2, 4], (2, 4)), Ok(()));
    let overwritten = Err(ReplayError::Observation(EventId(0), Some(EventId(2)), None));
    assert_eq!(judge(initial, &[3, 1, 2, 4], (2, 4)), overwritten);
}

#[test]
fn forks_and_joins_are_kept() {
    let text = "A|w(x)|1\nA|fork(B)|2\nB|w(x)|3\nB|w(y)|4\nA|join(B)|5\nA|w(y)|6\n";
    let too_early =
        |event: u32, before: u32| Err(ReplayError::TooEarly(EventId(event - 1), EventId(before - 1)));
    assert_eq!(judge(text, &[1, 3], (1, 3)), too_early(3, 2));
    assert_eq!(judge(text, &[1, 2, 3, 5, 4, 6], (4, 6)), too_early(5, 4));
    let empty = "A|fork(C)|1\nA|w(x)|2\nB|join(C)|3\nB|w(x)|4\n";
    assert_eq!(judge(empty, &[3, 1, 2, 4], (2, 4)), too_early(3, 1));
    assert_eq!(judge(empty, &[1, 3, 2, 4], (2, 4)), Ok(()));
}

#[test]
fn barriers_and_notifications_are_kept() {
    let text = "A|w(x)|1\nA|barrier(b)|2\nB|barrier(b)|3\nB|w(x)|4\nA|notify(c)|5\nA|w(y)|6\nB|wait(c)|7\nB|w(y)|8\n";
    let too_early =
        |event: u32, before: u32| Err(ReplayError::TooEarly(EventId(event - 1), EventId(before - 1)));
    assert_eq!(judge(text, &[3, 1, 4], (1, 4)), too_early(4, 2));
    assert_eq!(judge(text, &[1, 2, 3, 5, 4, 7, 6, 8], (6, 8)), Ok(()));
    assert_eq!(judge(text, &[1, 2, 3, 4, 7, 5, 6, 8], (6, 8)), too_early(7, 5));
    let edges = order::must_edges(&Trace::parse_std(text).unwrap());
    assert_eq!(edges, ids(&[2, 4, 3, 5, 5, 7]).chunks(2).map(|c| (c[0], c[1])).collect::<Vec<_>>());
}

#[test]
fn a_barrier_round_ends_when_a_participant_goes_on() {
    let text =
        "A|barrier(b)|1\nB|barrier(b)|2\nA|w(x)|3\nA|barrier(b)|4\nB|w(y)|5\nB|barrier(b)|6\nA|w(y)|7\n";
    let edges = order::must_edges(&Trace::parse_std(text).unwrap());
    assert_eq!(edges, ids(&[2, 3, 1, 5, 6, 7]).chunks(2).map(|c| (c[0], c[1])).collect::<Vec<_>>());
    assert!(judge(text, &[1, 2, 3, 4, 7, 5], (5, 7)).is_err());
}
