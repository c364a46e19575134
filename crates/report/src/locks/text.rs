//! The answer of `raceproof locks` for a person: verdict lines first, with source lines and why.

use ::locks::analysis::{Need, VariableInfo};
use ::locks::hunt::Judgement;
use base::{Place, Verdict};

use super::{ActlReport, ConstructReport, LocksReport};
use crate::layout::{Tone, count, counted, labelled, paint, paragraph, seconds};
use crate::terminal::whole;
use crate::{SourceProvider, Style, bounds, said};

/// So many lines are listed of what is not judged.
const LINES: usize = 8;
/// So many names are listed of SUV unless the style is verbose.
const NAMES: usize = 24;
/// So many variables of a kind are shown unless the style is verbose.
const VARIABLES: usize = 12;

/// The whole report as text. Ends with a newline.
pub fn render(report: &LocksReport, sources: &dyn SourceProvider, style: &Style) -> String {
    let mut out = verdict_line(report, style);
    if style.quiet {
        return out;
    }
    if let Some(actl) = &report.actl {
        out += &formula(actl, style);
        return out;
    }
    let rank = |c: &&ConstructReport| match c.judgement {
        Judgement::Superfluous => 0,
        Judgement::Alternative { .. } => 1,
        Judgement::Needed { .. } => 2,
        Judgement::Undecided { .. } => 3,
    };
    let mut constructs: Vec<&ConstructReport> = report.constructs.iter().collect();
    constructs.sort_by_key(rank);
    if !constructs.is_empty() {
        out.push('\n');
    }
    for construct in constructs {
        out += &one(construct, sources, style);
    }
    out += &not_judged(report, style);
    out += &repair(report, style);
    out += &variables(report, sources, style);
    if !report.suggestions.is_empty() {
        out.push('\n');
        for suggestion in &report.suggestions {
            out += &labelled(style, "suggestion", &suggestion.text);
        }
    }
    out.push('\n');
    for round in &report.rounds {
        out += &labelled(style, "round", round);
    }
    out += &footer(report, style);
    out
}

/// The first line: what there is to change.
pub fn verdict_line(report: &LocksReport, style: &Style) -> String {
    let name = report.files.join(", ");
    let (word, tone, rest) = if let Some(actl) = &report.actl {
        match actl.holds {
            Some(true) => ("holds", Tone::Good, actl.formula.clone()),
            Some(false) => ("fails", Tone::Bad, actl.formula.clone()),
            None => {
                ("undecided", Tone::Open, format!("{}: {}", actl.formula, actl.why.as_deref().unwrap_or("")))
            }
        }
    } else {
        match report.verdict {
            Verdict::Race | Verdict::Defect => {
                let mended = match &report.repair {
                    Some(r) if r.complete => format!(
                        "; {} it race-free",
                        if r.steps.len() == 1 {
                            "one change makes".to_owned()
                        } else {
                            format!("{} changes make", r.steps.len())
                        }
                    ),
                    _ => String::new(),
                };
                let why = report.reason.clone().unwrap_or_default();
                ("unprotected", Tone::Bad, format!("{name}: {why}{mended}"))
            }
            Verdict::Unknown => {
                let why = report.reason.clone().unwrap_or_default();
                ("undecided", Tone::Open, format!("{name}: {why}"))
            }
            Verdict::RaceFree => summary(report, &name),
        }
    };
    let plain = paragraph(style, &format!("{word}: {rest}"), 0);
    plain.replacen(word, &paint(style, tone, word), 1) + "\n"
}

fn summary(report: &LocksReport, name: &str) -> (&'static str, Tone, String) {
    let all = report.constructs.len();
    let count = |f: fn(&Judgement) -> bool| report.constructs.iter().filter(|c| f(&c.judgement)).count();
    let superfluous = count(|j| *j == Judgement::Superfluous);
    let undecided = count(|j| matches!(j, Judgement::Undecided { .. }));
    let of = counted(all as u64, "synchronisation construct");
    let open = if undecided > 0 { format!(", {undecided} undecided") } else { String::new() };
    if superfluous > 0 {
        let is = if superfluous == 1 { "is" } else { "are" };
        return ("superfluous", Tone::Open, format!("{superfluous} of {of} in {name} {is} not needed{open}"));
    }
    if undecided > 0 {
        return ("undecided", Tone::Open, format!("{undecided} of {of} in {name}; the others are needed"));
    }
    if all == 0 {
        return (
            "nothing to say",
            Tone::Good,
            format!("{name} is race-free and has no synchronisation constructs"),
        );
    }
    let every =
        if all == 1 { "the one synchronisation construct".to_owned() } else { format!("every one of {of}") };
    ("needed", Tone::Good, format!("{every} in {name}"))
}

/// The text of a line, with its number.
fn line(sources: &dyn SourceProvider, place: &Place) -> Option<String> {
    let text = sources.text(&place.file)?;
    let line = text.lines().nth((place.line as usize).checked_sub(1)?)?.trim().to_owned();
    Some(format!("{:>5} | {line}\n", place.line))
}

fn one(construct: &ConstructReport, sources: &dyn SourceProvider, style: &Style) -> String {
    let at = format!("{}:{}", construct.place.file, construct.place.line);
    let (word, tone, why) = match &construct.judgement {
        Judgement::Superfluous => ("superfluous", Tone::Open, String::new()),
        Judgement::Needed { evidence } => ("needed", Tone::Good, format!(": without it, {}", evidence.text)),
        Judgement::Alternative { evidence } => (
            "needed",
            Tone::Good,
            format!(" once the others are gone: without it and them, {}", evidence.text),
        ),
        Judgement::Undecided { why } => ("undecided", Tone::Open, format!(": {why}")),
    };
    let plain = paragraph(style, &format!("{word:<12} {} at {at}{why}", construct.what), 13);
    let mut out = plain.replacen(word, &paint(style, tone, word), 1) + "\n";
    let mut shown = vec![construct.place.line];
    out += &line(sources, &construct.place).unwrap_or_default();
    if let Judgement::Needed { evidence } | Judgement::Alternative { evidence } = &construct.judgement {
        for place in &evidence.places {
            if place.line > 0 && !shown.contains(&place.line) {
                shown.push(place.line);
                out += &line(sources, place).unwrap_or_default();
            }
        }
    }
    out
}

fn not_judged(report: &LocksReport, style: &Style) -> String {
    left_alone(report).iter().map(|text| labelled(style, "not judged", text)).collect()
}

/// What is not judged, where, and why.
pub(crate) fn left_alone(report: &LocksReport) -> Vec<String> {
    let mut out = Vec::new();
    for entry in &report.not_judged {
        let several = report.files.len() > 1;
        let mut places: Vec<String> = entry
            .places
            .iter()
            .map(|p| if several { format!("{}:{}", p.file, p.line) } else { p.line.to_string() })
            .collect();
        places.dedup();
        let more = places.len().saturating_sub(LINES);
        places.truncate(LINES);
        let noun = if places.len() == 1 && more == 0 { "line" } else { "lines" };
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        out.push(format!("{} ({noun} {}{more}): {}", entry.what, places.join(", "), entry.why));
    }
    out
}

fn repair(report: &LocksReport, style: &Style) -> String {
    let Some(repair) = &report.repair else { return String::new() };
    let mut out = String::from("\n");
    for step in &repair.steps {
        let what = format!(
            "{} (for the race on `{}` at lines {} and {})",
            step.text, step.variable, step.lines[0], step.lines[1]
        );
        out += &labelled(style, "proposal", &what);
    }
    if let Some(left) = &repair.left {
        out += &labelled(style, "left", &format!("not repaired: {left}"));
    }
    out
}

fn variables(report: &LocksReport, sources: &dyn SourceProvider, style: &Style) -> String {
    let most = if style.verbose { usize::MAX } else { VARIABLES };
    let mut out = String::new();
    let of = |need: Need| report.variables.iter().filter(move |v| v.need == need).collect::<Vec<_>>();
    let kinds = [
        (Need::NeedsProtection, "needs protection"),
        (Need::Protected, "protected"),
        (Need::SafeWithout, "safe without a lock"),
    ];
    for (need, title) in kinds {
        let (mut all, mut unnamed) = (of(need), 0);
        if need == Need::SafeWithout && !style.verbose {
            let before = all.len();
            all.retain(|v| named(&v.name));
            unnamed = before - all.len();
        }
        if all.is_empty() {
            continue;
        }
        let tone = if need == Need::NeedsProtection { Tone::Bad } else { Tone::Label };
        out += &format!("\n{}\n", paint(style, tone, title));
        let lines = gathered(&all, need, style);
        for (name, variable) in lines.iter().take(most) {
            let name = if name.len() > 16 { format!("{name}:") } else { name.clone() };
            out += &paragraph(style, &format!("  {name:<16} {}", detail(variable, style)), 19);
            out.push('\n');
            if need == Need::NeedsProtection {
                out += &meetings(variable, sources, style);
            }
        }
        if lines.len() > most {
            out += &format!("  and {} more (--verbose shows all)\n", lines.len() - most);
        }
        if unnamed > 0 {
            let objects = counted(unnamed as u64, "object");
            out += &format!("  and {objects} of libraries and the runtime (--verbose shows them)\n");
        }
    }
    out
}

/// Variables of which all is the same but the elements, together: one of them, and how many there are.
pub(crate) fn alike<'v>(all: &[&'v VariableInfo]) -> Vec<(&'v VariableInfo, usize)> {
    let same = |a: &VariableInfo, b: &VariableInfo| {
        elements_of(&a.name) == elements_of(&b.name)
            && (&a.candidates, a.unprotected, &a.refined_candidates)
                == (&b.candidates, b.unprotected, &b.refined_candidates)
            && (a.state, a.reported, a.need, &a.why) == (b.state, b.reported, b.need, &b.why)
    };
    let mut found: Vec<(&VariableInfo, usize)> = Vec::new();
    for variable in all {
        // Those that need something are told one by one.
        match found.iter_mut().find(|(one, _)| variable.need != Need::NeedsProtection && same(one, variable))
        {
            Some((_, number)) => *number += 1,
            None => found.push((variable, 1)),
        }
    }
    found
}

/// `price[1]..price[7]` are elements of `price[]`.
fn elements_of(name: &str) -> String {
    whole(name.split("..").next().unwrap_or(name))
}

/// What variables that are alike are called.
pub(crate) fn name(variable: &VariableInfo, number: usize) -> String {
    match number {
        1 => variable.name.clone(),
        n => format!("{} ({n} ranges of elements)", elements_of(&variable.name)),
    }
}

/// The names of SUV, elements of one array together.
pub(crate) fn suv_names(report: &LocksReport) -> Vec<String> {
    let mut found: Vec<(String, String, usize)> = Vec::new();
    for name in &report.suv {
        let array = elements_of(name);
        match found.iter_mut().find(|(of, ..)| *of == array) {
            Some((.., number)) => *number += 1,
            None => found.push((array, name.clone(), 1)),
        }
    }
    let one = |(array, name, number): (String, String, usize)| match number {
        1 => name,
        n if array.contains("[]") => format!("{array} ({n} ranges of elements)"),
        n => format!("{array} ({n} variables)"),
    };
    found.into_iter().map(one).collect()
}

/// Variables with their names; elements of one array, and variables of one name, of which the same is said become one line.
fn gathered<'v>(all: &[&'v VariableInfo], need: Need, style: &Style) -> Vec<(String, &'v VariableInfo)> {
    let mut lines: Vec<(String, &VariableInfo)> = Vec::new();
    for &variable in all {
        let same = |known: &&mut (String, &VariableInfo)| {
            let stem = |name: &str| name.split('[').next().unwrap_or(name).to_owned();
            let parts = variable.name == known.0 || variable.name.contains('[') && known.0.contains('[');
            parts
                && stem(&known.0) == stem(&variable.name)
                && detail(known.1, style) == detail(variable, style)
        };
        match lines.iter_mut().rev().find(same) {
            Some(line) if need != Need::NeedsProtection && !style.verbose => {
                if line.0 != variable.name {
                    let first = line.0.split("..").next().unwrap_or_default().to_owned();
                    let end = variable.name.rsplit("..").next().unwrap_or_default();
                    line.0 = format!("{first}..{end}");
                }
            }
            _ => lines.push((variable.name.clone(), variable)),
        }
    }
    lines
}

/// Whether the program has a name for it.
fn named(variable: &str) -> bool {
    !(variable.starts_with("heap object ")
        || variable.starts_with("address ")
        || variable.starts_with("_Z")
        || variable == "<temporary>")
}

fn detail(variable: &VariableInfo, style: &Style) -> String {
    let candidates = if style.verbose {
        format!("; C(v) = {{{}}}", variable.candidates.join(", "))
    } else {
        String::new()
    };
    why(variable) + &candidates
}

/// Why a variable is protected, or need not be, or should be.
pub(crate) fn why(variable: &VariableInfo) -> String {
    match variable.need {
        Need::Protected if variable.unprotected => {
            format!("by {} where accesses could meet; no lock is held at all of them", variable.why)
        }
        Need::Protected => format!("by {}", variable.why),
        Need::NeedsProtection | Need::SafeWithout => variable.why.clone(),
    }
}

/// SUV as text: elements of one array that follow each other in the list become one entry.
fn suv(report: &LocksReport, style: &Style) -> String {
    let mut entries: Vec<(String, String, usize)> = Vec::new();
    let mut unnamed = 0;
    for name in &report.suv {
        if !named(name) && !style.verbose {
            unnamed += 1;
            continue;
        }
        let stem = name.split('[').next().unwrap_or(name).to_owned();
        match entries.last_mut() {
            Some((known, text, count)) if *known == stem && name.contains('[') && !style.verbose => {
                let first = text.split("..").next().unwrap_or_default().to_owned();
                let end = name.rsplit("..").next().unwrap_or_default();
                *text = format!("{first}..{end}");
                *count += 1;
            }
            _ => {
                if !entries.iter().any(|e| e.1 == *name) {
                    entries.push((stem, name.clone(), 1));
                }
            }
        }
    }
    let most = if style.verbose { usize::MAX } else { NAMES };
    let mut list: Vec<String> = entries.iter().take(most).map(|e| e.1.clone()).collect();
    if entries.len() > most {
        list.push(format!("and {} more", entries.len() - most));
    }
    if unnamed > 0 {
        list.push(format!("{} of libraries and the runtime", counted(unnamed, "object")));
    }
    if list.is_empty() { "empty".into() } else { list.join(", ") }
}

/// The executions that locksets and graph rest on.
pub(crate) fn basis(report: &LocksReport) -> String {
    let basis = &report.basis;
    let runs = counted(basis.executions as u64, "execution");
    if basis.every_schedule_alike {
        let more = match basis.distributions {
            0 => String::new(),
            _ => format!(", the work distributed in {} ways", basis.distributions + 1),
        };
        return format!("{runs}{more}: every schedule does the same there");
    }
    let states = basis.states.unwrap_or(0);
    match &basis.incomplete_words {
        None => format!("{runs} that differ, of all schedules ({})", counted(states as u64, "state")),
        Some(why) => format!("{runs} that differ, of {}; incomplete: {why}", counted(states as u64, "state")),
    }
}

fn meetings(variable: &VariableInfo, sources: &dyn SourceProvider, style: &Style) -> String {
    let mut out = String::new();
    for meeting in variable.meetings.iter().take(3) {
        let does = |writes: bool| if writes { "writes" } else { "reads" };
        let text = format!(
            "    {} ({}) {} beside {} ({}), which {}",
            meeting.first,
            said::who(&meeting.strands[0]),
            does(meeting.first_writes),
            meeting.second,
            said::who(&meeting.strands[1]),
            does(meeting.second_writes)
        );
        out += &format!("{}\n", paragraph(style, &text, 6));
        out += &line(sources, &meeting.first_place).unwrap_or_default();
        if meeting.second_place.line != meeting.first_place.line {
            out += &line(sources, &meeting.second_place).unwrap_or_default();
        }
    }
    out
}

fn formula(actl: &ActlReport, style: &Style) -> String {
    let mut out = String::new();
    for label in &actl.unknown_labels {
        out += &labelled(style, "note", &format!("no step is labelled `{label}`"));
    }
    for evidence in &actl.evidence {
        let kind = if evidence.holds { "witness" } else { "path" };
        out += &labelled(style, kind, &path(evidence));
        let end = if evidence.end.is_empty() { String::new() } else { format!(": {}", evidence.end) };
        let says = if evidence.holds { "holds" } else { "fails" };
        out += &labelled(style, "", &format!("there `{}` {says}{end}", evidence.formula));
    }
    out += &labelled(style, "states", &actl.states.to_string());
    out
}

/// The steps of a path, then what is said of its end: `WU0, then WU1 and WU2`.
pub(crate) fn path(evidence: &::locks::actl::Evidence) -> String {
    let mut text = if evidence.steps.is_empty() { "at once".to_owned() } else { evidence.steps.join(", ") };
    if let Some(back) = evidence.back_to {
        text += &format!(", and again from step {} on", back + 1);
    }
    let then: Vec<String> = evidence.then.iter().map(path).collect();
    if !then.is_empty() {
        text += &format!("; then {}", then.join(" as well as "));
    }
    text
}

fn footer(report: &LocksReport, style: &Style) -> String {
    let mut out = String::new();
    for note in &report.notes {
        out += &labelled(style, "note", note);
    }
    out += &labelled(style, "SUV", &suv(report, style));
    let units = report.graph.iter().filter(|n| n.kind == "work unit").count();
    let counts = &report.formula_counts;
    let open = if counts.undecided > 0 {
        format!(", {} are undecided", count(counts.undecided))
    } else {
        String::new()
    };
    out += &labelled(
        style,
        "model",
        &format!(
            "{}, {} of sequentiality checked: {} hold, {} fail{open}",
            counted(units as u64, "work unit"),
            counted(counts.checked, "formula"),
            count(counts.hold),
            count(counts.fail)
        ),
    );
    if report.basis.executions > 0 {
        out += &labelled(style, "rests on", &basis(report));
    }
    out += &labelled(style, "bounds", &bounds::describe(&report.bounds));
    out + &labelled(
        style,
        "work",
        &format!("{} checked; {}", counted(report.checks as u64, "program"), seconds(report.seconds)),
    )
}
