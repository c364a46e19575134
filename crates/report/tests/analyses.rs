//! What `predict`, `triage`, `locks` and `explain` say to a person, and their JSON.

mod samples;

use report::trace_info::{self, InfoReport};
use report::triage::Order;
use report::{Style, explain, locks, predict, triage};
use samples::analyses::{ACCOUNT, TICKETS, locked, predicted, triaged};
use samples::sources;

fn narrow() -> Style {
    Style { width: 60, ..Style::default() }
}

#[test]
fn predict_text() {
    let report = predicted(ACCOUNT, &["m2", "shb", "eraser"]);
    insta::assert_snapshot!(predict::render(&report, &Style::default(), &Order::default()));
}

#[test]
fn predict_text_on_a_narrow_terminal() {
    let report = predicted(ACCOUNT, &["m2", "shb", "eraser"]);
    insta::assert_snapshot!(predict::render(&report, &narrow(), &Order::default()));
}

#[test]
fn predict_json() {
    insta::assert_snapshot!(predict::json(&predicted(ACCOUNT, &["m2"])));
}

#[test]
fn no_race_is_said_for_what_it_is() {
    let text = "A|acq(l)|1\nA|w(x)|2\nA|rel(l)|3\nB|acq(l)|4\nB|w(x)|5\nB|rel(l)|6\n";
    let line = |analyses: &[&str]| predict::verdict_line(&predicted(text, analyses), &Style::default());
    assert!(line(&["m2"]).starts_with("race-free: no order of the events of run.std has a race"));
    assert!(line(&["hb"]).starts_with("no race: none found in run.std by hb, which cannot tell"));
}

#[test]
fn triage_text() {
    insta::assert_snapshot!(triage::render(&triaged(TICKETS).0, &Style::default()));
}

#[test]
fn triage_json() {
    insta::assert_snapshot!(triage::json(&triaged(TICKETS).0));
}

#[test]
fn triage_picture() {
    insta::assert_snapshot!(triaged(TICKETS).1);
}

#[test]
fn locks_text() {
    insta::assert_snapshot!(locks::render(&locked(), &sources(), &Style::default()));
}

#[test]
fn locks_text_on_a_narrow_terminal() {
    insta::assert_snapshot!(locks::render(&locked(), &sources(), &narrow()));
}

#[test]
fn locks_json() {
    insta::assert_snapshot!(locks::json(&locked()));
}

#[test]
fn locks_picture() {
    insta::assert_snapshot!(locks::svg(&locked().graph));
}

#[test]
fn what_is_in_a_trace() {
    let trace = trace::read::read_std(ACCOUNT.as_bytes()).expect("a trace");
    let mut info = trace::info::Collect::new();
    trace.events.iter().for_each(|event| info.event(event));
    let report = InfoReport::new("run.std".into(), trace::Format::Std, &info.finish());
    insta::assert_snapshot!(trace_info::render(&report, &Style::default()));
}

#[test]
fn explanation() {
    let race = explain::find("race").expect("an explanation");
    insta::assert_snapshot!(race.text(80));
}

#[test]
fn list_of_explanations() {
    insta::assert_snapshot!(explain::overview());
}

#[test]
fn narrow_text_stays_within_the_width() {
    let texts = [
        predict::render(&predicted(ACCOUNT, &["m2", "shb", "eraser"]), &narrow(), &Order::default()),
        triage::render(&triaged(TICKETS).0, &narrow()),
        locks::render(&locked(), &sources(), &narrow()),
    ];
    for line in texts.iter().flat_map(|text| text.lines()) {
        assert!(line.chars().count() <= 60, "{line}");
    }
}
