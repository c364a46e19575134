//! What a person sees, kept as snapshots: `INSTA_UPDATE=always cargo test -p raceproof-report` takes new ones.

mod samples;

use base::DefectKind;
use report::replay::Finding;
use report::triage::{Order, Placed};
use report::{MemorySources, Replay, Style, json, replay, terminal};
use samples::*;

fn plain() -> Style {
    let command = "raceproof replay witness.json".to_owned();
    Style { replay: Replay::Saved { command }, ..Style::default() }
}

fn show(report: &base::CheckReport) -> String {
    terminal::render(report, &sources(), &plain(), &Order::default())
}

#[test]
fn race() {
    insta::assert_snapshot!(show(&samples::race()));
}

#[test]
fn race_verbose() {
    let style = Style { verbose: true, ..plain() };
    insta::assert_snapshot!(terminal::render(&samples::race(), &sources(), &style, &Order::default()));
}

#[test]
fn race_in_two_files() {
    insta::assert_snapshot!(show(&two_files()));
}

#[test]
fn deadlock() {
    insta::assert_snapshot!(show(&samples::deadlock()));
}

#[test]
fn assertion() {
    insta::assert_snapshot!(show(&defect(DefectKind::Assertion, "assertion `counter > 0` failed")));
}

#[test]
fn memory_error() {
    insta::assert_snapshot!(show(&defect(
        DefectKind::OutOfBounds,
        "write of 8 bytes at offset 40 of `counter`, which has 40 bytes"
    )));
}

#[test]
fn race_free() {
    insta::assert_snapshot!(show(&samples::race_free()));
}

#[test]
fn unknown_construct() {
    let report = unknown(no_model("frobnicate"), Some(place("counter.c", 13, 9)));
    insta::assert_snapshot!(show(&report));
}

#[test]
fn unknown_limit() {
    insta::assert_snapshot!(show(&unknown(late(), None)));
}

#[test]
fn race_without_its_source() {
    insta::assert_snapshot!(terminal::render(
        &two_files(),
        &MemorySources::default(),
        &plain(),
        &Order::default()
    ));
}

#[test]
fn race_on_a_narrow_terminal() {
    let save = "raceproof check counter.c --witness witness.json".to_owned();
    let command = "raceproof replay witness.json".to_owned();
    let style = Style { width: 60, replay: Replay::NotSaved { save, command }, ..plain() };
    insta::assert_snapshot!(terminal::render(&samples::race(), &sources(), &style, &Order::default()));
}

#[test]
fn json_of_a_race() {
    let mut report = samples::race();
    report.races.truncate(1);
    insta::assert_snapshot!(json::render(&report));
}

#[test]
fn replay_of_a_race() {
    let report = samples::race();
    let finding = Finding::nth(&report, 1).expect("the first race");
    insta::assert_snapshot!(replay::render(&report, finding, None, &sources(), &plain()));
}

#[test]
fn replay_up_to_a_step() {
    let report = samples::race();
    let finding = Finding::nth(&report, 1).expect("the first race");
    insta::assert_snapshot!(replay::render(&report, finding, Some(3), &sources(), &plain()));
}

#[test]
fn replay_of_a_deadlock() {
    let report = samples::deadlock();
    let finding = Finding::nth(&report, 1).expect("the deadlock");
    insta::assert_snapshot!(replay::render(&report, finding, None, &sources(), &plain()));
}

#[test]
fn many_races_on_one_variable_are_told_together() {
    let mut report = samples::race();
    for line in [22, 26, 26, 8] {
        let mut race = report.races[1].clone();
        race.second.place.line = line;
        race.first.place.column = line;
        report.races.push(race);
    }
    let placed = |group, first| Some(Placed { group, first, may_explain: 0 });
    let mut other = report.races[0].clone();
    other.variable = "seen".into();
    report.races.push(other);
    let mut places: Vec<_> = (1..=6).map(|number| (number, placed(0, true))).collect();
    places.push((7, placed(1, false)));
    insta::assert_snapshot!(terminal::render(&report, &sources(), &plain(), &Order::new(&places)));
}

#[test]
fn quiet_is_one_line() {
    let style = Style { quiet: true, width: 200, ..plain() };
    let text = terminal::render(&samples::race(), &sources(), &style, &Order::default());
    assert_eq!(text, "race: 2 data races in counter.c\n");
}

/// Everything that begins with an escape and ends with `m` is gone.
fn strip(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('\x1b') {
        out += &rest[..start];
        let end = rest[start..].find('m').expect("an escape ends");
        rest = &rest[start + end + 1..];
    }
    out + rest
}

#[test]
fn colour_changes_nothing_but_colour() {
    let reports = [
        samples::race(),
        two_files(),
        samples::deadlock(),
        samples::race_free(),
        unknown(
            base::Reason::NotTranslated { what: "inline assembly".into() },
            Some(place("counter.c", 13, 9)),
        ),
    ];
    for report in reports {
        let coloured =
            terminal::render(&report, &sources(), &Style { color: true, ..plain() }, &Order::default());
        assert!(coloured.contains('\x1b'));
        let stripped: String =
            strip(&coloured).lines().map(|line| format!("{}\n", line.trim_end())).collect();
        assert_eq!(stripped, show(&report));
    }
}

#[test]
fn text_stays_within_the_width() {
    for report in [samples::race(), two_files(), samples::deadlock(), samples::race_free()] {
        for width in [60, 80, 100, 140] {
            let text = terminal::render(&report, &sources(), &Style { width, ..plain() }, &Order::default());
            // A command must not be wrapped.
            for line in text.lines().filter(|line| !line.starts_with("replay")) {
                assert!(line.chars().count() <= width, "{width}: {line}");
            }
        }
    }
}

#[test]
fn no_report_panics_at_any_width() {
    for report in [samples::race(), two_files(), samples::deadlock(), samples::race_free()] {
        for width in 0..50 {
            terminal::render(&report, &sources(), &Style { width, ..plain() }, &Order::default());
        }
    }
}
