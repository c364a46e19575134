//! What `predict`, `triage`, `locks` and `explain` say to a person, and their JSON.

mod samples;
mod schema;

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

/// Two locks in opposite order, and a race.
const CROSSED: &str = "A|acq(k)|a.c:1\nA|acq(l)|a.c:2\nA|w(x)|a.c:3\nA|rel(l)|a.c:4\nA|rel(k)|a.c:5\n\
                       B|acq(l)|b.c:1:5\nB|acq(k)|b.c:2:5\nB|rel(k)|b.c:3:5\nB|rel(l)|b.c:4:5\n";

#[test]
fn deadlocks_are_told() {
    let report = predicted(CROSSED, &["m2", "deadlock"]);
    let text = predict::render(&report, &Style::default(), &Order::default());
    for part in [
        "deadlock: 1 deadlock in run.std; no order of its events has a race",
        "deadlock 1: 2 threads wait for each other",
        "A waits for `l` at a.c:2 (event 2), holding `k`",
        "7          acq(k)  <- waits",
        "these are all deadlocks",
    ] {
        assert!(text.contains(part), "expected `{part}` in:\n{text}");
    }
    assert_eq!(report.verdict.exit_code(), 1);
    let page = report::html::predict(&report, &sources(), &Order::default());
    assert!(page.contains("<h3>Deadlock 1</h3>"));
}

#[test]
fn json_and_sarif_fit_their_schemas() {
    let parsed = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
    let sarif = parsed(include_str!("schemas/sarif-2.1.0.json"));
    let published = parsed(include_str!("../../../docs/predict.schema.json"));
    for text in [ACCOUNT, TICKETS, CROSSED] {
        let report = predicted(text, &["m2", "shb", "eraser", "dc-vindicated", "deadlock"]);
        assert_eq!(schema::errors(&published, &parsed(&predict::json(&report))), Vec::<String>::new());
        let log = parsed(&report::trace_sarif::predict(&report));
        assert_eq!(schema::errors(&sarif, &log), Vec::<String>::new());
        let results = log["runs"][0]["results"].as_array().map_or(0, Vec::len);
        assert!(results > 0, "{log}");
    }
    let published = parsed(include_str!("../../../docs/triage.schema.json"));
    let report = triaged(TICKETS).0;
    assert_eq!(schema::errors(&published, &parsed(&triage::json(&report))), Vec::<String>::new());
    let log = parsed(&report::trace_sarif::triage(&report));
    assert_eq!(schema::errors(&sarif, &log), Vec::<String>::new());
    assert!(log["runs"][0]["results"][0]["properties"]["first"].as_bool().unwrap_or(false));
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
