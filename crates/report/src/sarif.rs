//! The report as SARIF 2.1.0 (OASIS), for code scanning, editors and pull requests.
//!
//! One run. Every kind of finding is a rule with its explanation as help; every race and every other defect is a result
//! of level `error`: its location is the first side, the other sides are related locations, and the witness is a code
//! flow with a thread flow for each thread, whose steps have their global order in `executionOrder`. The fingerprint
//! is [`crate::fingerprint`]'s. Reasons for `unknown` are notifications of the invocation, never results, so that
//! nobody takes them for findings; the verdict, the bounds and the assumptions stand in the run's property bag.
//! With a baseline every result says whether it is `new` or `unchanged`; results that are gone are not listed, because
//! code scanning would show them. What a suppression accepts is marked as suppressed, with the reason.
//! Columns are counted in UTF-16 units where the source text is at hand.

use base::{CheckReport, Defect, DefectKind, Place, Race, Verdict, Witness};
use serde_json::{Value, json};

use crate::explain::{self, ALL, Explanation};
use crate::schedule::{Ending, Names};
use crate::span::underline;
use crate::terminal::{self, defect_endings, kind, race_endings, race_names, race_title};
use crate::{SourceProvider, fingerprint, hint, said};

/// The schema that the output fits.
pub const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// Of a schedule longer than both together, so many steps from the beginning and so many from the end are told.
const HEAD: usize = 100;
const TAIL: usize = 900;

/// How a finding stands to what is known and accepted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Standing {
    /// With a baseline: whether the baseline has the finding.
    pub known: Option<bool>,
    /// The reason of the suppression that accepts it.
    pub suppressed: Option<String>,
}

/// The report as indented SARIF, with a newline at its end. `standing` has an entry for each finding, races first, or none.
pub fn render(report: &CheckReport, sources: &dyn SourceProvider, standing: &[Standing]) -> String {
    let mut fingerprints = fingerprint::of(report).into_iter();
    let mut results = Vec::new();
    for race in &report.races {
        results.push(of_race(race, fingerprints.next().unwrap_or_default(), sources));
    }
    for defect in &report.defects {
        results.push(of_defect(defect, fingerprints.next().unwrap_or_default(), sources));
    }
    for (result, standing) in results.iter_mut().zip(standing) {
        if let Some(known) = standing.known {
            result["baselineState"] = json!(if known { "unchanged" } else { "new" });
        }
        if let Some(reason) = &standing.suppressed {
            result["suppressions"] = json!([{ "kind": "external", "justification": reason }]);
        }
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
            "invocations": [invocation(report, sources)],
            "columnKind": "utf16CodeUnits",
            "results": results,
            "properties": {
                "verdict": report.verdict,
                "racesVerdict": report.races_verdict,
                "defectsVerdict": report.defects_verdict,
                "bounds": report.bounds,
                "assumptions": report.assumptions,
            },
        }],
    });
    // Only keys that are no strings make this fail.
    serde_json::to_string_pretty(&log).unwrap_or_default() + "\n"
}

/// Every kind of finding.
pub(crate) fn rules() -> Vec<Value> {
    ALL.iter().map(rule).collect()
}

fn rule(explanation: &Explanation) -> Value {
    let help = format!("{}\n\n{}\n\n{}", explanation.what, explanation.why, explanation.fix);
    json!({
        "id": explanation.code,
        "name": explanation.name,
        "shortDescription": { "text": explanation.name },
        "fullDescription": { "text": explanation.what },
        "help": { "text": help, "markdown": explanation.markdown() },
        "defaultConfiguration": { "level": "error" },
        "properties": { "tags": ["concurrency", "correctness"], "precision": "very-high", "problem.severity": "error" },
    })
}

/// How the check went; a reason for `unknown` is a notification.
fn invocation(report: &CheckReport, sources: &dyn SourceProvider) -> Value {
    let mut invocation = json!({
        "executionSuccessful": true,
        "exitCode": report.verdict.exit_code(),
    });
    if let (Verdict::Unknown, Some(reason)) = (report.verdict, crate::reason::of_report(report)) {
        let mut notification = json!({
            "level": "warning",
            "message": { "text": format!("unknown: neither a race nor a proof: {reason}") },
        });
        if let Some(place) = &report.reason_place {
            notification["locations"] = json!([location(place, None, sources)]);
        }
        invocation["toolExecutionNotifications"] = json!([notification]);
    }
    invocation
}

fn of_race(race: &Race, fingerprint: String, sources: &dyn SourceProvider) -> Value {
    let sides = [&race.first, &race.second].map(|access| (&access.place, terminal::label(access)));
    let mut text = format!("Data race: {}. {}; {} [here](1).", race_title(race), sides[0].1, sides[1].1);
    if let Some(hint) = race.hint.clone().or_else(|| hint::derive(race, sources)) {
        text += &format!(" Hint: {hint}.");
    }
    let flow = code_flow(&race.witness, &race_endings(race), &race_names(race), sources);
    result("race", &text, &sides, flow, fingerprint, sources)
}

fn of_defect(defect: &Defect, fingerprint: String, sources: &dyn SourceProvider) -> Value {
    let names = Names::new([&defect.thread]);
    let mut sides: Vec<(&Place, String)> = defect
        .waiting
        .iter()
        .map(|step| (&step.place, format!("{} {}", names.of(step.thread), said::action(&step.action))))
        .collect();
    if sides.is_empty() {
        sides.push((&defect.location, format!("in {}", said::who(&defect.thread.name))));
    }
    let mut text = format!("{}: {}", capital(kind(defect.kind)), said::message(defect));
    if defect.kind == DefectKind::Deadlock {
        let waits: Vec<&str> = sides.iter().map(|(_, label)| label.as_str()).collect();
        text += &format!(" ({})", waits.join("; "));
    }
    let flow = code_flow(&defect.witness, &defect_endings(defect), &names, sources);
    result(explain::code(defect.kind), &text, &sides, flow, fingerprint, sources)
}

fn result(
    rule: &str,
    text: &str,
    sides: &[(&Place, String)],
    flow: Option<Value>,
    fingerprint: String,
    sources: &dyn SourceProvider,
) -> Value {
    let mut result = json!({
        "ruleId": rule,
        "ruleIndex": ALL.iter().position(|explanation| explanation.code == rule),
        "kind": "fail",
        "level": "error",
        "message": { "text": text },
        "locations": sides[..1].iter().map(|(place, label)| location(place, Some(label), sources)).collect::<Vec<_>>(),
        "partialFingerprints": { "raceproof/v1": fingerprint },
    });
    let related: Vec<Value> = sides[1..]
        .iter()
        .zip(1..)
        .map(|((place, label), id)| {
            let mut location = location(place, Some(label), sources);
            location["id"] = json!(id);
            location
        })
        .collect();
    if !related.is_empty() {
        result["relatedLocations"] = json!(related);
    }
    if let Some(flow) = flow {
        result["codeFlows"] = json!([flow]);
    }
    result
}

/// The witness: a thread flow for each thread.
fn code_flow(
    witness: &Witness,
    endings: &[Ending],
    names: &Names,
    sources: &dyn SourceProvider,
) -> Option<Value> {
    let length = witness.steps.len();
    let told = |index: usize| length <= HEAD + TAIL || index < HEAD || index >= length - TAIL;
    let mut all: Vec<(u32, &Place, String, usize, &str)> = Vec::new();
    for (index, step) in witness.steps.iter().enumerate().filter(|(index, _)| told(*index)) {
        all.push((step.thread, &step.place, said::action(&step.action), index + 1, "important"));
    }
    for ending in endings {
        all.push((ending.thread, &ending.place, ending.action.clone(), length + 1, "essential"));
    }
    let mut threads: Vec<u32> = all.iter().map(|(thread, ..)| *thread).collect();
    threads.sort_unstable();
    threads.dedup();
    let flows = threads.iter().map(|thread| {
        let mine = all.iter().filter(|(of, ..)| of == thread);
        let steps = mine.map(|(_, place, action, order, importance)| {
            json!({
                "location": location(place, Some(&format!("{} {action}", names.of(*thread))), sources),
                "executionOrder": order,
                "importance": importance,
            })
        });
        json!({ "id": names.of(*thread), "locations": steps.collect::<Vec<_>>() })
    });
    let flows: Vec<Value> = flows.collect();
    (!flows.is_empty())
        .then(|| json!({ "message": { "text": "A schedule that shows it" }, "threadFlows": flows }))
}

fn location(place: &Place, label: Option<&str>, sources: &dyn SourceProvider) -> Value {
    let mut physical = json!({ "artifactLocation": { "uri": uri(&place.file) } });
    if let Some(region) = region(place, sources) {
        physical["region"] = region;
    }
    let mut location = json!({ "physicalLocation": physical });
    if let Some(label) = label {
        location["message"] = json!({ "text": label });
    }
    location
}

fn region(place: &Place, sources: &dyn SourceProvider) -> Option<Value> {
    if place.line == 0 {
        return None;
    }
    let text = sources.text(&place.file).unwrap_or_default();
    if let Some(span) = underline(&text, place) {
        let start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
        let from = text[start..span.start].encode_utf16().count() + 1;
        let to = from + text[span].encode_utf16().count();
        return Some(json!({ "startLine": place.line, "startColumn": from, "endColumn": to }));
    }
    Some(match place.column {
        0 => json!({ "startLine": place.line }),
        column => json!({ "startLine": place.line, "startColumn": column }),
    })
}

/// A file name as a URI: relative names stay relative, which code scanning takes as relative to the repository.
fn uri(file: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/+,=@".contains(&byte);
    let mut out = if file.starts_with('/') { String::from("file://") } else { String::new() };
    for byte in file.strip_prefix("./").unwrap_or(file).bytes() {
        match byte {
            byte if plain(byte) => out.push(byte as char),
            byte => out += &format!("%{byte:02X}"),
        }
    }
    out
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_become_uris() {
        assert_eq!(uri("./src/a b.c"), "src/a%20b.c");
        assert_eq!(uri("/tmp/é.c"), "file:///tmp/%C3%A9.c");
        assert_eq!(uri("a#1:2.c"), "a%231%3A2.c");
    }
}
