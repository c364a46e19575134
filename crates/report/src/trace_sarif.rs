//! The answers of `predict` and `triage` as SARIF 2.1.0.
//!
//! As [`crate::sarif`] does it for `check`: one run; every race and every deadlock is a result. A race that is certain has level `error`, any
//! other one `warning`; one that an analysis refutes is left out. Locations of a trace that look like `file:line` (or `file:line:column`) are
//! physical locations, others logical ones. What is undecided is a notification of the invocation, never a result. Triage
//! gives each result its `rank`: those of first groups come first.

use serde_json::{Value, json};

use crate::predict::text::{kinds, merge, waiting};
use crate::predict::{AccessReport, PredictReport};
use crate::sarif::{SCHEMA, rules};
use crate::triage::TriageReport;

/// A location of a trace.
fn location(name: &str, message: String) -> Value {
    let mut parts = name.rsplitn(3, ':');
    let numbers: Vec<Option<u64>> = parts.by_ref().take(2).map(|part| part.parse().ok()).collect();
    let rest: Option<&str> = parts.next();
    let place = match (&numbers[..], rest) {
        ([Some(column), Some(line)], Some(file)) => Some((file, *line, Some(*column))),
        ([Some(line), ..], _) => name.rsplit_once(':').map(|(file, _)| (file, *line, None)),
        _ => None,
    };
    let message = json!({ "text": message });
    match place.filter(|place| place.1 > 0 && !place.0.is_empty()) {
        Some((file, line, column)) => {
            let mut region = json!({ "startLine": line });
            if let Some(column) = column.filter(|&column| column > 0) {
                region["startColumn"] = json!(column);
            }
            let place = json!({ "artifactLocation": { "uri": uri(file) }, "region": region });
            json!({ "physicalLocation": place, "message": message })
        }
        None => json!({ "logicalLocations": [{ "fullyQualifiedName": name }], "message": message }),
    }
}

/// A path as part of a URI.
fn uri(path: &str) -> String {
    let kept = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    path.bytes()
        .map(|byte| if kept(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

fn access(access: &AccessReport) -> Value {
    let how = if access.atomic { "atomic " } else { "" };
    location(
        &access.location,
        format!("{how}{} by {} (event {})", access.access, access.thread, access.event),
    )
}

fn log(results: Vec<Value>, notes: Vec<String>, exit_code: u8, properties: Value) -> String {
    let notes: Vec<Value> =
        notes.iter().map(|note| json!({ "level": "warning", "message": { "text": note } })).collect();
    let mut invocation = json!({ "executionSuccessful": true, "exitCode": exit_code });
    if !notes.is_empty() {
        invocation["toolExecutionNotifications"] = json!(notes);
    }
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "raceproof",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules(),
            } },
            "invocations": [invocation],
            "results": results,
            "properties": properties,
        }],
    });
    // Only keys that are no strings make this fail.
    serde_json::to_string_pretty(&log).unwrap_or_default() + "\n"
}

/// The report of `predict`, with a newline at its end.
pub fn predict(report: &PredictReport) -> String {
    let mut results = Vec::new();
    for finding in merge(report).iter().filter(|finding| finding.refuted.is_none()) {
        let race = finding.race;
        let by: Vec<&str> = finding.by.iter().map(|by| by.0).collect();
        results.push(json!({
            "ruleId": "race",
            "level": if finding.certain { "error" } else { "warning" },
            "message": { "text": format!("{} of `{}`, found by {}", kinds(race), race.variable, by.join(", ")) },
            "locations": [access(&race.first)],
            "relatedLocations": [access(&race.second)],
            "properties": { "variable": race.variable, "eventPairs": race.event_pairs, "certain": finding.certain },
        }));
    }
    for deadlock in report.analyses.iter().flat_map(|analysis| &analysis.deadlocks) {
        let waits: Vec<String> = deadlock.waits.iter().map(waiting).collect();
        let places: Vec<Value> =
            deadlock.waits.iter().map(|wait| location(&wait.location, waiting(wait))).collect();
        results.push(json!({
            "ruleId": "deadlock",
            "level": "error",
            "message": { "text": waits.join("; ") },
            "locations": places[..1],
            "relatedLocations": places[1..],
        }));
    }
    let open = report.analyses.iter().filter(|analysis| analysis.undecided > 0);
    let notes = open.map(|a| format!("{} leaves {} undecided", a.analysis, a.undecided)).collect();
    log(
        results,
        notes,
        report.verdict.exit_code(),
        json!({ "verdict": report.verdict, "trace": report.trace.file }),
    )
}

/// The report of `triage`, with a newline at its end.
pub fn triage(report: &TriageReport) -> String {
    let mut results = Vec::new();
    let count = report.groups.len().max(1) as f64;
    for (place, group) in report.groups.iter().enumerate() {
        for race in &group.reports {
            results.push(json!({
                "ruleId": "race",
                "level": if group.first { "error" } else { "warning" },
                "rank": 100.0 * (1.0 - place as f64 / count),
                "message": { "text": format!("race on `{}` ({}), group {}: {}", race.variable, race.status, group.group, group.why) },
                "locations": [access(&race.first)],
                "relatedLocations": [access(&race.second)],
                "properties": { "group": group.group, "first": group.first, "status": race.status },
            }));
        }
    }
    log(results, Vec::new(), 0, json!({ "trace": report.trace.file }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        let at = |name: &str| location(name, String::new());
        assert_eq!(at("a b.c:12")["physicalLocation"]["artifactLocation"]["uri"], "a%20b.c");
        assert_eq!(at("d/a.c:12:3")["physicalLocation"]["region"]["startColumn"], 3);
        assert_eq!(at("d/a.c:12:3")["physicalLocation"]["region"]["startLine"], 12);
        assert_eq!(at("17")["logicalLocations"][0]["fullyQualifiedName"], "17");
        assert_eq!(at("Main.run")["logicalLocations"][0]["fullyQualifiedName"], "Main.run");
    }
}
