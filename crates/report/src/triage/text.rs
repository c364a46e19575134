//! The answer of triage for a person at a terminal: where to begin, and what that may settle.

use super::{GroupReport, RaceReport, TriageReport};
use crate::Style;
use crate::layout::{Tone, and, bytes, count, counted, labelled, paint, paragraph, seconds};
use crate::predict::AccessReport;

/// So many first groups are shown unless the style is verbose.
const FIRST: usize = 10;
/// So many later groups are shown unless the style is verbose.
const LATER: usize = 10;
/// So many reports of a group are shown unless the style is verbose.
const REPORTS: usize = 8;

/// The whole report as text. Ends with a newline.
pub fn render(report: &TriageReport, style: &Style) -> String {
    let mut out = verdict_line(report, style);
    if style.quiet {
        return out;
    }
    let (first, later): (Vec<_>, Vec<_>) = report.groups.iter().partition(|g| g.first);
    out += &some(&first, if style.verbose { usize::MAX } else { FIRST }, style);
    out += &some(&later, if style.verbose { usize::MAX } else { LATER }, style);
    out.push('\n');
    out += &footer(report, style);
    out
}

/// The first line: how many reports, and how many to begin with.
pub fn verdict_line(report: &TriageReport, style: &Style) -> String {
    let name = if report.name == "-" { "standard input" } else { &report.name };
    let first: Vec<&GroupReport> = report.groups.iter().filter(|g| g.first).collect();
    let (word, tone, rest) = if report.reports == 0 {
        (
            "no races",
            Tone::Good,
            format!("synchronisation orders all conflicting accesses of this run of {name}"),
        )
    } else {
        let reading: usize = first.iter().map(|g| g.reports.len()).sum();
        let rest = format!(
            "{} in {name}; fix {} first ({} to read)",
            counted(report.reports as u64, "race report"),
            counted(first.len() as u64, "group"),
            counted(reading as u64, "report"),
        );
        ("triage", Tone::Bad, rest)
    };
    let plain = paragraph(style, &format!("{word}: {rest}"), 0);
    plain.replacen(word, &paint(style, tone, word), 1) + "\n"
}

/// Groups, at most so many.
fn some(groups: &[&GroupReport], most: usize, style: &Style) -> String {
    let mut out = String::new();
    for group in groups.iter().take(most) {
        out.push('\n');
        out += &section(group, style);
    }
    if groups.len() > most {
        let more = count((groups.len() - most) as u64);
        out += &format!("\nand {more} more such groups (--verbose shows all)\n");
    }
    out
}

fn section(group: &GroupReport, style: &Style) -> String {
    let heading = format!("group {}", group.group);
    let (tone, what) = if group.first {
        (Tone::Bad, "fix first".to_owned())
    } else {
        (Tone::Open, format!("possible artifact of {}", causes(group)))
    };
    let plain = paragraph(style, &format!("{heading}: {what}: {}", subject(group)), 4);
    let mut out = plain.replacen(&heading, &paint(style, tone, &heading), 1) + "\n";
    let most = if style.verbose { usize::MAX } else { REPORTS };
    for race in group.reports.iter().take(most) {
        out += &lines(race, style);
    }
    if group.reports.len() > most {
        out += &format!("  and {} more (--verbose shows all)\n", count((group.reports.len() - most) as u64));
    }
    if !group.also.is_empty() {
        let places: Vec<String> =
            group.also.iter().map(|r| format!("{} and {}", r.first.location, r.second.location)).collect();
        let shown = if style.verbose { places.len() } else { places.len().min(2) };
        let mut text = places[..shown].join("; ");
        if shown < places.len() {
            text += &format!("; {} more", places.len() - shown);
        }
        out += &labelled(style, "also", &format!("the same variables at {text}"));
    }
    if group.first {
        out += &labelled(style, "why first", &group.why);
        out += &labelled(style, "may explain", &explains(group));
    }
    out
}

pub(crate) fn causes(group: &GroupReport) -> String {
    const MOST: usize = 5;
    let mut names: Vec<String> = group.may_be_artifact_of.iter().take(MOST).map(|g| g.to_string()).collect();
    if group.may_be_artifact_of.len() > MOST {
        names.push(format!("{} more", group.may_be_artifact_of.len() - MOST));
    }
    let noun = if group.may_be_artifact_of.len() == 1 { "group" } else { "groups" };
    format!("{noun} {}", and(&names))
}

pub(crate) fn explains(group: &GroupReport) -> String {
    match group.may_explain {
        0 => "no other report".to_owned(),
        1 => "fixing this may make 1 other report disappear".to_owned(),
        n => format!("fixing this may make {} other reports disappear", count(n as u64)),
    }
}

/// The variables of a group.
pub(crate) fn subject(group: &GroupReport) -> String {
    let mut names: Vec<&str> = Vec::new();
    for race in &group.reports {
        for variable in &race.variables {
            if !names.contains(&variable.as_str()) {
                names.push(variable);
            }
        }
    }
    let more = group.reports.iter().map(|r| r.variable_count).max().unwrap_or(0).max(names.len());
    let shown: Vec<String> = names.iter().take(3).map(|n| format!("`{n}`")).collect();
    match more - shown.len() {
        0 => and(&shown),
        rest => format!("{} and {} more", shown.join(", "), count(rest as u64)),
    }
}

/// How sure a report is.
pub(crate) fn status(race: &RaceReport) -> String {
    match (race.status, race.tangle) {
        ("feasible", _) => "feasible".to_owned(),
        ("tangled", Some(tangle)) => format!("one of tangle {tangle} is feasible"),
        _ => "not proved feasible by itself".to_owned(),
    }
}

fn access(a: &AccessReport) -> String {
    let kind = if a.atomic { format!("atomic {}", a.access) } else { a.access.to_owned() };
    format!("{kind} at {} ({}, event {})", a.location, a.thread, count(a.event))
}

fn lines(race: &RaceReport, style: &Style) -> String {
    let text = format!("  {} and {}: {}", access(&race.first), access(&race.second), status(race));
    let mut out = paragraph(style, &text, 4) + "\n";
    if style.verbose && race.races > 1 {
        out += &format!("    stands for {}\n", counted(race.races as u64, "race"));
    }
    out
}

/// What the answer rests on.
pub(crate) fn rests_on(report: &TriageReport) -> String {
    let order = match report.view {
        "run" => "accesses in the order of the run (actual dependences)",
        "accesses" => {
            "accesses, of which only synchronisation is taken to be in order (approximate dependences)"
        }
        _ => "segments between synchronisation, their order unknown (approximate dependences)",
    };
    let control = match report.event_control {
        "steering" => "only values that reach a condition, an address or a call steer control",
        _ => "every value that is read may steer control (flow dependences)",
    };
    let source = if report.complete_run { "a whole run of the machine" } else { "a trace from elsewhere" };
    format!("{source}: {order}; {control}")
}

fn footer(report: &TriageReport, style: &Style) -> String {
    let mut out = labelled(style, "rests on", &rests_on(report));
    if let Some(cut) = &report.cut {
        out += &labelled(style, "cut", &format!("the run ended early: {cut}"));
    }
    let parts = [
        counted(report.trace.events, "event"),
        counted(report.trace.threads as u64, "thread"),
        counted(report.races as u64, "apparent race"),
        format!(
            "{} ({} first)",
            counted(report.partitions as u64, "partition"),
            count(report.first_partitions as u64)
        ),
        counted(report.tangles as u64, "open tangle"),
    ];
    let memory = match report.peak_memory_bytes {
        0 => String::new(),
        n => format!(", {}", bytes(n)),
    };
    out += &labelled(style, "triage", &format!("{}; {}{memory}", parts.join(", "), seconds(report.seconds)));
    out
}
