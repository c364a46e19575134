//! Whether a report agrees with what a test program says about itself in its header.

use base::{CheckReport, Defect, Place, Race, Verdict};
use header::{ExpectedDefect, ExpectedRace, Header, Line};

fn is(line: &Line, place: &Place) -> bool {
    line.is(&place.file, place.line)
}

fn matches_race(expected: &ExpectedRace, race: &Race) -> bool {
    let [one, two] = &expected.lines;
    let (first, second) = (&race.first.place, &race.second.place);
    let lines = is(one, first) && is(two, second) || is(one, second) && is(two, first);
    lines && expected.variable.split('|').any(|name| matches_variable(&any_index(name), &race.variable))
}

/// A deadlock may be shown at any of the threads that wait.
fn matches_defect(expected: &ExpectedDefect, defect: &Defect) -> bool {
    let at = |line: &Line| {
        is(line, &defect.location) || defect.waiting.iter().any(|waiting| is(line, &waiting.place))
    };
    expected.kind == kind(defect) && expected.line.as_ref().is_none_or(at)
}

/// The tool shows one element for all that race on the same lines, so which one does not matter.
fn any_index(name: &str) -> String {
    let mut pattern = String::new();
    let mut depth = 0;
    for c in name.chars() {
        match c {
            '[' => {
                if depth == 0 {
                    pattern.push_str("[*]");
                }
                depth += 1;
            }
            ']' => depth -= 1,
            c if depth == 0 => pattern.push(c),
            _ => {}
        }
    }
    pattern
}

/// Whether a pattern such as `a[*].x` stands for a variable such as `a[3].x` or `a[b[i]].x`.
pub fn matches_variable(pattern: &str, variable: &str) -> bool {
    pattern == any_index(variable)
}

fn kind(defect: &Defect) -> String {
    serde_json::to_value(defect.kind)
        .ok()
        .and_then(|value| value.as_str().map(str::to_owned))
        .unwrap_or_default()
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Race => "race",
        Verdict::Defect => "defect",
        Verdict::RaceFree => "race-free",
        Verdict::Unknown => "unknown",
    }
}

/// Every way in which the report differs from what was expected; nothing if they agree.
pub fn compare(expected: &Header, report: &CheckReport) -> Vec<String> {
    let mut wrong = Vec::new();
    if expected.verdict != verdict(report.verdict) {
        wrong.push(format!("expected verdict {}, found {}", expected.verdict, verdict(report.verdict)));
    }
    wrong.extend(compare_parts(expected, report));
    for race in &expected.races {
        if !report.races.iter().any(|found| matches_race(race, found)) {
            let [one, two] = &race.lines;
            wrong.push(format!("expected race not found: {} {} {}", race.variable, one.line, two.line));
        }
    }
    let unexpected = report.races.iter().filter(|found| {
        !expected.races.iter().chain(&expected.may_races).any(|race| matches_race(race, found))
    });
    wrong.extend(
        unexpected.filter(|_| !expected.at_least).map(|race| format!("unexpected: {}", race_header(race))),
    );
    // After a race anything may happen: other defects of a racy program need not be found, nor be expected.
    let racy = expected.verdict == "race" && report.verdict == Verdict::Race;
    for defect in expected.defects.iter().filter(|_| !racy) {
        if !report.defects.iter().any(|found| matches_defect(defect, found)) {
            let line = defect.line.as_ref().map_or(String::new(), |line| line.line.to_string());
            wrong.push(format!("expected defect not found: {} {line}", defect.kind));
        }
    }
    for found in report.defects.iter().filter(|_| !racy) {
        if !expected.defects.iter().any(|defect| matches_defect(defect, found)) {
            wrong.push(format!("unexpected: {}", defect_header(found)));
        }
    }
    wrong.extend(compare_reason(expected, report));
    let any = report.bounds.iter().any(|bound| bound.or_more);
    if expected.any_threads.is_some_and(|expected| expected != any) {
        wrong.push(format!("expected for any number of threads: {}, found {any}", !any));
    }
    wrong
}

/// The answers about races and about other defects, and what was not reached.
fn compare_parts(expected: &Header, report: &CheckReport) -> Vec<String> {
    let mut wrong = Vec::new();
    let word = |value: serde_json::Result<serde_json::Value>| {
        value.ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
    };
    let races = word(serde_json::to_value(report.races_verdict));
    let defects = word(serde_json::to_value(report.defects_verdict));
    for (what, part, found) in
        [("races", &expected.parts[0], races), ("defects", &expected.parts[1], defects)]
    {
        if let Some(part) = part.as_ref().filter(|part| **part != found) {
            wrong.push(format!("expected {what}-verdict {part}, found {found}"));
        }
    }
    for (kind, line) in &expected.unreached {
        let is = |u: &base::Unreached| word(serde_json::to_value(u.kind)) == *kind && is(line, &u.place);
        if !report.coverage.unreached.iter().any(is) {
            wrong.push(format!("expected {kind} not reached in line {}", line.line));
        }
    }
    wrong
}

fn compare_reason(expected: &Header, report: &CheckReport) -> Vec<String> {
    let mut wrong = Vec::new();
    let reason = report.reason_words.as_deref().unwrap_or("");
    if let Some(text) = expected.reason.as_ref().filter(|text| !reason.contains(text.as_str())) {
        wrong.push(format!("expected a reason with `{text}`, found `{reason}`"));
    }
    if let Some(line) = &expected.reason_line {
        let found = report.reason_place.as_ref();
        if !found.is_some_and(|place| is(line, place)) {
            let found = found.map_or("no place".to_owned(), Place::to_string);
            wrong.push(format!("expected the reason at line {}, found {found}", line.line));
        }
    }
    wrong
}

fn race_header(race: &Race) -> String {
    format!("//@ race: {} {} {}", race.variable, race.first.place.line, race.second.place.line)
}

fn defect_header(defect: &Defect) -> String {
    format!("//@ defect: {} {}", kind(defect), defect.location.line)
}

/// The header that would fit a report, to paste once it is known to be right.
pub fn header(report: &CheckReport) -> String {
    let mut lines = vec![format!("//@ verdict: {}", verdict(report.verdict))];
    lines.extend(report.races.iter().map(race_header));
    lines.extend(report.defects.iter().map(defect_header));
    lines.extend(report.reason_words.iter().map(|reason| format!("//@ reason: {reason}")));
    lines.extend(report.reason_place.iter().map(|place| format!("//@ reason-line: {}", place.line)));
    lines.dedup();
    lines.join("\n")
}
