//! SARIF, JUnit and JSON: they fit their schemas, and say what the report says.

mod samples;
mod schema;

use base::{CheckReport, DefectKind};
use report::sarif::Standing;
use report::{fingerprint, junit, sarif};
use samples::*;
use serde_json::{Value, json};

fn reports() -> Vec<CheckReport> {
    let mut odd = samples::race();
    odd.files = vec!["a b<&>\"é.c".into()];
    odd.races[0].variable = "x<\"&\u{1}>".into();
    odd.races[0].first.place = place("a b<&>\"é.c", 0, 0);
    vec![
        samples::race(),
        two_files(),
        samples::deadlock(),
        defect(DefectKind::OutOfBounds, "write of 8 bytes"),
        samples::race_free(),
        unknown(no_model("f"), Some(place("counter.c", 13, 9))),
        unknown(late(), None),
        odd,
    ]
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn reports_fit_the_published_schema() {
    let schema = parsed(include_str!("../../../docs/report.schema.json"));
    for report in reports() {
        let errors = schema::errors(&schema, &parsed(&report::json::render(&report)));
        assert!(errors.is_empty(), "{errors:#?}");
    }
    let mut wrong = parsed(&report::json::render(&samples::race()));
    wrong["verdict"] = "maybe".into();
    wrong["races"][0]["first"]["line"] = "8".into();
    wrong["races"][0].as_object_mut().expect("a race").remove("witness");
    wrong["more"] = 1.into();
    assert_eq!(schema::errors(&schema, &wrong).len(), 4, "the validator sees what is wrong");
}

#[test]
fn sarif_fits_the_schema_of_sarif() {
    let schema = parsed(include_str!("schemas/sarif-2.1.0.json"));
    for report in reports() {
        let log = parsed(&sarif::render(&report, &sources(), &[]));
        let errors = schema::errors(&schema, &log);
        assert!(errors.is_empty(), "{errors:#?}");
    }
    let mut wrong = parsed(&sarif::render(&samples::race(), &sources(), &[]));
    wrong["runs"][0]["results"][0]["level"] = "fatal".into();
    wrong["runs"][0]["results"][0].as_object_mut().expect("a result").remove("message");
    assert_eq!(schema::errors(&schema, &wrong).len(), 2, "the validator sees what is wrong");
}

#[test]
fn sarif_of_a_race() {
    let mut log = parsed(&sarif::render(&samples::race(), &sources(), &[]));
    let run = &mut log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules").len();
    assert_eq!(rules, report::explain::ALL.len());
    run["tool"]["driver"].as_object_mut().expect("the driver").remove("rules");
    insta::assert_snapshot!(serde_json::to_string_pretty(&log).expect("JSON"));
}

#[test]
fn threads_have_flows_of_their_own_in_global_order() {
    let log = parsed(&sarif::render(&samples::race(), &sources(), &[]));
    let flows = &log["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"];
    let names: Vec<&str> =
        flows.as_array().expect("flows").iter().filter_map(|flow| flow["id"].as_str()).collect();
    assert_eq!(names, ["main", "thread 1 (worker)", "thread 2 (worker)"]);
    let order = |flow: usize| -> Vec<u64> {
        let steps = flows[flow]["locations"].as_array().expect("steps");
        steps.iter().filter_map(|step| step["executionOrder"].as_u64()).collect()
    };
    assert_eq!((order(0), order(1), order(2)), (vec![1, 2], vec![3, 5], vec![4, 5]));
}

#[test]
fn results_say_how_they_stand_to_the_baseline() {
    let standing = [
        Standing { known: Some(true), suppressed: None },
        Standing { known: Some(false), suppressed: Some("shown to people only".into()) },
    ];
    let log = parsed(&sarif::render(&samples::race(), &sources(), &standing));
    let schema = parsed(include_str!("schemas/sarif-2.1.0.json"));
    let errors = schema::errors(&schema, &log);
    assert!(errors.is_empty(), "{errors:#?}");
    let results = &log["runs"][0]["results"];
    assert_eq!(
        (&results[0]["baselineState"], &results[1]["baselineState"]),
        (&json!("unchanged"), &json!("new"))
    );
    assert_eq!(results[0]["suppressions"], Value::Null);
    let wanted = json!([{ "kind": "external", "justification": "shown to people only" }]);
    assert_eq!(results[1]["suppressions"], wanted);
    let without = parsed(&sarif::render(&samples::race(), &sources(), &[]));
    assert_eq!(without["runs"][0]["results"][0]["baselineState"], Value::Null);
}

#[test]
fn every_rule_has_help() {
    let log = parsed(&sarif::render(&samples::race_free(), &sources(), &[]));
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().expect("rules").clone();
    assert_eq!(rules.len(), report::explain::ALL.len());
    for rule in rules {
        for part in ["text", "markdown"] {
            assert!(rule["help"][part].as_str().is_some_and(|help| help.len() > 40), "{}", rule["id"]);
        }
        assert!(rule["shortDescription"]["text"].is_string() && rule["fullDescription"]["text"].is_string());
    }
}

#[test]
fn unknown_is_a_notification_and_no_result() {
    let log = parsed(&sarif::render(&unknown(late(), None), &sources(), &[]));
    assert_eq!(log["runs"][0]["results"].as_array().map(Vec::len), Some(0));
    let said = log["runs"][0]["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"].as_str();
    assert!(said.is_some_and(|text| text.contains("the time limit")));
}

#[test]
fn fingerprints_survive_edits_elsewhere_and_tell_findings_apart() {
    let report = samples::race();
    let before = fingerprint::of(&report);
    let mut moved = report.clone();
    for race in &mut moved.races {
        std::mem::swap(&mut race.first, &mut race.second);
        race.first.place.line += 10;
        race.second.place.line += 10;
        race.witness = base::Witness::default();
    }
    assert_eq!(fingerprint::of(&moved), before);
    let mut other = report.clone();
    other.races[0].variable = "another".into();
    assert_ne!(fingerprint::of(&other)[0], before[0]);
    let mut twice = report.clone();
    twice.races = vec![report.races[0].clone(), report.races[0].clone()];
    let twice = fingerprint::of(&twice);
    assert_eq!(twice[1], format!("{}:2", twice[0]));
}

#[test]
fn junit_of_a_race() {
    insta::assert_snapshot!(junit::render(&samples::race(), &sources()));
}

#[test]
fn junit_of_unknown_and_race_free() {
    let text = junit::render(&unknown(late(), None), &sources());
    assert!(text.contains("errors=\"1\"") && text.contains("<error type=\"unknown\""), "{text}");
    let text = junit::render(&samples::race_free(), &sources());
    assert!(text.contains("tests=\"1\" failures=\"0\" errors=\"0\""), "{text}");
    assert!(!text.contains("<failure") && !text.contains("<error"), "{text}");
}
