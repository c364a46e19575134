//! The answers of analyses of a trace for a person at a terminal.
//!
//! The verdict comes first; then each race once, with who found it and the end of its witness, one column a thread; then
//! what is undecided and why; then the analyses side by side, and what was read.

use unicode_width::UnicodeWidthStr;

use super::{
    AccessReport, AnalysisReport, DEADLOCKS, DeadlockReport, PredictReport, RaceReport, Step, TraceSummary,
    Verdict, WaitReport,
};
use crate::Style;
use crate::layout::{Tone, and, bytes, count, counted, labelled, paint, paragraph, seconds};
use crate::table::{Align, NARROWEST, table, width_before_last};
use crate::triage::Order;
use ::predict::Guarantee;

/// So many races are shown whole unless the style is verbose.
pub(super) const WHOLE: usize = 10;
/// So many are shown in a line each after that.
const BRIEF: usize = 20;
/// A witness of so many steps is shown whole, of a longer one only the end, unless the style is verbose.
const STEPS: usize = 16;
/// How much that end is.
const LAST_STEPS: usize = 8;
/// So many undecided pairs are shown unless the style is verbose.
const UNDECIDED: usize = 5;

/// The width of the column of labels.
const LABEL: usize = 13;

/// A race as one or several analyses report it.
pub(crate) struct Finding<'a> {
    /// The report that is shown: one with a witness, if there is one.
    pub race: &'a RaceReport,
    /// Who reports it, with the event pairs.
    pub by: Vec<(&'static str, u64)>,
    /// Who does not.
    pub not_by: Vec<&'static str>,
    pub certain: bool,
    /// An analysis that knows all races does not have it.
    pub refuted: Option<&'static str>,
}

/// The whole report as text; `order` says in which order races are best repaired. Ends with a newline.
pub fn render(report: &PredictReport, style: &Style, order: &Order) -> String {
    let mut out = verdict_line(report, style);
    if style.quiet {
        return out;
    }
    out += &order.lines(style);
    let findings = merge(report);
    let whole = if style.verbose { findings.len() } else { WHOLE };
    for (index, finding) in findings.iter().take(whole).enumerate() {
        out.push('\n');
        out += &section(finding, index + 1, style);
    }
    out += &brief(&findings, whole, style);
    out += &deadlocks(report, style);
    for analysis in &report.analyses {
        out += &undecided(analysis, style);
    }
    out.push('\n');
    out += &comparison(report, style);
    out.push('\n');
    out += &footer(report, style);
    out += &cut_off(report, style);
    out
}

/// The first line: the verdict and what it rests on.
pub fn verdict_line(report: &PredictReport, style: &Style) -> String {
    let findings = merge(report);
    let certain = findings.iter().filter(|f| f.certain).count();
    let name = if report.trace.file == "-" { "standard input" } else { &report.trace.file };
    let place = match &report.variable {
        Some(variable) => format!("{name} on `{variable}`"),
        None => name.to_owned(),
    };
    let (word, tone, rest) = match report.verdict {
        Verdict::Race if certain > 0 => {
            let stopped = report.analyses.iter().any(|a| a.stopped);
            let more = if stopped { "; the time limit was reached, there may be more" } else { "" };
            ("race", Tone::Bad, races(&findings, &place) + more)
        }
        Verdict::Race => {
            let who = reporting(report);
            (
                "race",
                Tone::Bad,
                format!("{place} has a race or a deadlock in another order ({who} says so, not which)"),
            )
        }
        Verdict::Deadlock => {
            let found = report.analyses.iter().map(|a| a.deadlocks.len()).max().unwrap_or(0);
            let races = match complete(report) {
                Some(_) => "no order of its events has a race",
                None => "no race is certain",
            };
            ("deadlock", Tone::Bad, format!("{} in {place}; {races}", counted(found as u64, "deadlock")))
        }
        Verdict::RaceFree => {
            let who = complete(report).unwrap_or_default();
            let locks = report.analyses.iter().find(|a| a.analysis == DEADLOCKS);
            let undecided = locks.is_some_and(|a| a.undecided > 0);
            let also = if undecided { "; whether one has a deadlock is not decided" } else { "" };
            (
                "race-free",
                Tone::Good,
                format!(
                    "no order of the events of {place} has a race ({who} leaves nothing undecided){also}"
                ),
            )
        }
        Verdict::NoRace => {
            let who = and(&racers(report).map(|a| a.analysis.to_owned()).collect::<Vec<_>>());
            (
                "no race",
                Tone::Good,
                format!("none found in {place} by {who}, which cannot tell whether other orders have one"),
            )
        }
        Verdict::Unknown => ("unknown", Tone::Open, unknown(report, &findings, &place)),
    };
    let plain = paragraph(style, &format!("{word}: {rest}"), 0);
    plain.replacen(word, &paint(style, tone, word), 1) + "\n"
}

/// The analyses that look for races.
fn racers(report: &PredictReport) -> impl Iterator<Item = &AnalysisReport> {
    report.analyses.iter().filter(|a| a.analysis != DEADLOCKS)
}

/// The analysis that knows that there are no further races.
fn complete(report: &PredictReport) -> Option<&'static str> {
    racers(report).find(|a| a.complete).map(|a| a.analysis)
}

/// Every deadlock: who waits for what, and how it comes to that.
fn deadlocks(report: &PredictReport, style: &Style) -> String {
    let mut out = String::new();
    let all: Vec<&DeadlockReport> = report.analyses.iter().flat_map(|a| &a.deadlocks).collect();
    let most = if style.verbose { all.len() } else { WHOLE };
    for (number, deadlock) in all.iter().take(most).enumerate() {
        let heading = format!("deadlock {}", number + 1);
        let threads = counted(deadlock.waits.len() as u64, "thread");
        out += &format!("\n{}: {threads} wait for each other\n", paint(style, Tone::Bad, &heading));
        out += &waits(&deadlock.waits, style);
        match deadlock.steps.is_empty() {
            false => {
                out += &steps(&deadlock.steps, deadlock.witness_events as usize, deadlock.waits.len(), style)
            }
            true => {
                let events = counted(deadlock.witness_events, "event");
                out += &labelled(style, "witness", &format!("{events}; --format json has it"));
            }
        }
    }
    if all.len() > most {
        let more = count((all.len() - most) as u64);
        out += &format!("\nand {more} more deadlocks (--verbose shows all)\n");
    }
    out
}

/// Who waits for what.
pub(crate) fn waiting(wait: &WaitReport) -> String {
    let holds = match wait.holds.is_empty() {
        true => String::new(),
        false => {
            format!(", holding {}", and(&wait.holds.iter().map(|l| format!("`{l}`")).collect::<Vec<_>>()))
        }
    };
    let (thread, lock, location) = (&wait.thread, &wait.lock, &wait.location);
    format!("{thread} waits for `{lock}` at {location} (event {}){holds}", count(wait.event))
}

fn waits(waits: &[WaitReport], style: &Style) -> String {
    waits.iter().map(|wait| format!("  {}\n", paragraph(style, &waiting(wait), 4))).collect()
}

fn races(findings: &[Finding<'_>], place: &str) -> String {
    let certain = findings.iter().filter(|f| f.certain).count();
    let mut text = format!("{} in {place}", counted(certain as u64, "data race"));
    match findings.len() - certain {
        0 => {}
        rest => text += &format!(", and {} that may be none", counted(rest as u64, "report")),
    }
    text
}

/// What the time limit cut off, for the end of the report.
fn cut_off(report: &PredictReport, style: &Style) -> String {
    let mut out = String::new();
    for a in report.analyses.iter().filter(|a| a.stopped) {
        let what = if a.undecided > 0 {
            format!("{} undecided, and what they stand for", counted(a.undecided as u64, "pair"))
        } else if report.trace.stopped {
            "it saw only the events that were read".to_owned()
        } else {
            "it did not see the whole trace".to_owned()
        };
        let label = if out.is_empty() { "stopped" } else { "" };
        out += &labelled(style, label, &format!("{} by the time limit: {what}", a.analysis));
    }
    out
}

fn reporting(report: &PredictReport) -> String {
    let who = report.analyses.iter().filter(|a| !a.races.is_empty());
    and(&who.map(|a| a.analysis.to_owned()).collect::<Vec<_>>())
}

fn unknown(report: &PredictReport, findings: &[Finding<'_>], place: &str) -> String {
    let mut why = Vec::new();
    if report.analyses.iter().any(|a| a.stopped) {
        why.push("the time limit was reached".to_owned());
    }
    let pairs: usize = racers(report).map(|a| a.undecided).max().unwrap_or(0);
    if pairs > 0 {
        let (noun, verb) = if pairs == 1 { ("pair", "is") } else { ("pairs", "are") };
        why.push(format!("{} {noun} of accesses {verb} undecided", count(pairs as u64)));
    }
    if !findings.is_empty() {
        let reports = counted(findings.len() as u64, "report");
        why.push(format!("{reports} by {} may be none", reporting(report)));
    }
    format!("no certain race in {place}, but {}", and(&why))
}

/// The races of all analyses, each once, ordered by their second and first event.
pub(crate) fn merge(report: &PredictReport) -> Vec<Finding<'_>> {
    fn key(race: &RaceReport, by_events: bool) -> (&str, &str, u64, u64) {
        let (a, b) = (race.first.location.as_str(), race.second.location.as_str());
        if by_events { ("", "", race.first.event, race.second.event) } else { (a.min(b), a.max(b), 0, 0) }
    }
    let by_events = report.pairs == "events";
    let mut places = std::collections::HashMap::new();
    let mut findings: Vec<Finding<'_>> = Vec::new();
    for analysis in &report.analyses {
        for race in &analysis.races {
            let place = *places.entry(key(race, by_events)).or_insert(findings.len());
            if place == findings.len() {
                let (by, not_by) = (Vec::new(), Vec::new());
                findings.push(Finding { race, by, not_by, certain: false, refuted: None });
            }
            let finding = &mut findings[place];
            if finding.race.witness.is_none() && race.witness.is_some() {
                finding.race = race;
            }
            finding.certain |= race.certain;
            match finding.by.last_mut() {
                Some((name, pairs)) if *name == analysis.analysis => *pairs += race.event_pairs,
                _ => finding.by.push((analysis.analysis, race.event_pairs)),
            }
        }
    }
    for finding in &mut findings {
        for analysis in racers(report) {
            if finding.by.iter().all(|b| b.0 != analysis.analysis) {
                finding.not_by.push(analysis.analysis);
                if analysis.complete && !finding.certain {
                    finding.refuted = Some(analysis.analysis);
                }
            }
        }
    }
    findings.sort_by_key(|f| (f.race.second.event, f.race.first.event));
    findings
}

/// The races as [`render`] numbers them, with their locations.
pub fn numbered(report: &PredictReport) -> Vec<(usize, String, String)> {
    let findings = merge(report).into_iter().enumerate();
    findings.map(|(i, f)| (i + 1, f.race.first.location.clone(), f.race.second.location.clone())).collect()
}

pub(crate) fn kinds(race: &RaceReport) -> String {
    let kind = |a: &AccessReport| format!("{}{}", if a.atomic { "atomic " } else { "" }, a.access);
    let (first, second) = (kind(&race.first), kind(&race.second));
    if first == second {
        format!("two unordered {first}s")
    } else {
        format!("unordered {first} and {second}")
    }
}

pub(crate) fn title(finding: &Finding<'_>) -> (&'static str, Tone) {
    match (finding.certain, finding.refuted) {
        (true, _) => ("race", Tone::Bad),
        (false, Some(_)) => ("false alarm", Tone::Dim),
        (false, None) => ("uncertain", Tone::Open),
    }
}

fn section(finding: &Finding<'_>, number: usize, style: &Style) -> String {
    let race = finding.race;
    let (word, tone) = title(finding);
    let heading = format!("{word} {number}");
    let mut out = format!("{}: {} of `{}`\n", paint(style, tone, &heading), kinds(race), race.variable);
    let rows = [&race.first, &race.second].map(|a| {
        let kind = if a.atomic { format!("atomic {}", a.access) } else { a.access.to_owned() };
        [format!("event {}", count(a.event)), a.thread.clone(), kind, format!("at {}", a.location)]
    });
    let widths: Vec<usize> = (0..4).map(|i| rows[0][i].width().max(rows[1][i].width())).collect();
    for row in &rows {
        let mut line = String::from("  ");
        for (cell, width) in row.iter().zip(&widths) {
            line += &format!("{cell}{}  ", " ".repeat(width - cell.width()));
        }
        out += line.trim_end();
        out.push('\n');
    }
    out += &labelled(style, "distance", &counted(race.distance, "event"));
    out += &labelled(style, "found by", &who(finding));
    if let Some(witness) = &race.witness {
        out += &steps(&race.steps, witness.len(), 2, style);
    } else if let Some(events) = race.witness_events {
        let text = format!("{}, too long to be shown; --witness DIR writes it", counted(events, "event"));
        out += &labelled(style, "witness", &text);
    }
    out
}

pub(crate) fn who(finding: &Finding<'_>) -> String {
    let by = finding.by.iter().map(|(name, pairs)| match pairs {
        1 => (*name).to_owned(),
        _ => format!("{name} ({})", counted(*pairs, "event pair")),
    });
    let mut text = and(&by.collect::<Vec<_>>());
    if !finding.not_by.is_empty() {
        text += &format!("; not by {}", finding.not_by.join(", "));
    }
    if let Some(name) = finding.refuted {
        text += &format!(", and {name} leaves nothing undecided: no order of these events shows it");
    }
    text
}

/// The end of a witness, one column a thread where that fits.
fn steps(steps: &[Step], length: usize, marked: usize, style: &Style) -> String {
    let most = if style.verbose || length <= STEPS { steps.len() } else { LAST_STEPS };
    let shown = &steps[steps.len().saturating_sub(most)..];
    let hidden = length - shown.len();
    let mut lines = Vec::new();
    let mut threads: Vec<&str> = Vec::new();
    for step in shown {
        if !threads.contains(&step.thread.as_str()) {
            threads.push(&step.thread);
        }
    }
    threads.sort_by_key(|thread| (thread.len(), thread.to_owned()));
    let number = shown.iter().map(|s| count(s.event).len()).max().unwrap_or(0);
    let lanes = Lanes::new(&threads, shown, number, style);
    lines.extend(lanes.heading());
    if hidden > 0 {
        lines.push(format!("{:number$}  after {}", "", counted(hidden as u64, "earlier event")));
    }
    for (i, step) in shown.iter().enumerate() {
        let line = lanes.step(step);
        lines.push(if i + marked < shown.len() {
            line
        } else {
            let blanks = lanes.width().saturating_sub(line.width());
            let what = if step.operation.starts_with("acq(") { "waits" } else { "race" };
            format!("{line}{}  <- {what}", " ".repeat(blanks))
        });
    }
    let mut out = String::new();
    for (i, line) in lines.iter().enumerate() {
        let label = if i == 0 { "witness" } else { "" };
        let blanks = " ".repeat(LABEL - label.len());
        out += format!("{}{blanks}{line}", paint(style, Tone::Label, label)).trim_end();
        out.push('\n');
    }
    out
}

/// The columns of a witness.
struct Lanes<'a> {
    /// The threads with the width of their columns; empty if they do not fit, and each step names its thread.
    columns: Vec<(&'a str, usize)>,
    number: usize,
}

impl<'a> Lanes<'a> {
    fn new(threads: &[&'a str], steps: &[Step], number: usize, style: &Style) -> Lanes<'a> {
        let width = |thread: &str| {
            let cells = steps.iter().filter(|s| s.thread == thread).map(|s| s.operation.width());
            cells.chain([thread.width()]).max().unwrap_or(0)
        };
        let columns: Vec<_> = threads.iter().map(|t| (*t, width(t))).collect();
        let lanes = Lanes { columns, number };
        let fits = LABEL + lanes.width() + "  <- race".len() <= style.width;
        if fits { lanes } else { Lanes { columns: Vec::new(), number } }
    }

    /// The columns of all lanes together, with the numbers before them.
    fn width(&self) -> usize {
        self.number + self.columns.iter().map(|c| c.1 + 2).sum::<usize>()
    }

    fn heading(&self) -> Option<String> {
        if self.columns.is_empty() {
            return None;
        }
        let names = self.columns.iter().map(|(t, w)| format!("  {t}{}", " ".repeat(w - t.width())));
        Some(format!("{}{}", " ".repeat(self.number), names.collect::<String>()))
    }

    fn step(&self, step: &Step) -> String {
        let number = format!("{:>width$}", count(step.event), width = self.number);
        if self.columns.is_empty() {
            return format!("{number}  {} {}", step.thread, step.operation);
        }
        let before = self.columns.iter().take_while(|c| c.0 != step.thread).map(|c| c.1 + 2).sum();
        format!("{number}{}  {}", " ".repeat(before), step.operation)
    }
}

fn brief(findings: &[Finding<'_>], whole: usize, style: &Style) -> String {
    let rest = findings.get(whole..).unwrap_or_default();
    if rest.is_empty() {
        return String::new();
    }
    let mut out = format!("\nand {} more (--verbose shows all whole):\n", count(rest.len() as u64));
    let rows: Vec<Vec<String>> = rest
        .iter()
        .take(BRIEF)
        .zip(whole + 1..)
        .map(|(finding, number)| {
            let race = finding.race;
            let place = |a: &AccessReport| format!("{} at {}", a.thread, a.location);
            let by: Vec<&str> = finding.by.iter().map(|b| b.0).collect();
            vec![
                format!("{} {number}", title(finding).0),
                format!("`{}`", race.variable),
                place(&race.first),
                place(&race.second),
                by.join(", "),
            ]
        })
        .collect();
    let columns = ["", "variable", "first", "second", "found by"].map(|name| (name, Align::Left));
    out += &table(style, &columns, &rows);
    if rest.len() > BRIEF {
        out += &format!("and {} more\n", count((rest.len() - BRIEF) as u64));
    }
    out
}

fn undecided(analysis: &AnalysisReport, style: &Style) -> String {
    if analysis.undecided == 0 {
        return String::new();
    }
    let heading = format!("undecided by {}", analysis.analysis);
    let noun = if analysis.analysis == DEADLOCKS { "circle of locks" } else { "pair" };
    let pairs = match (analysis.undecided, noun) {
        (1, _) | (_, "pair") => counted(analysis.undecided as u64, noun),
        (n, _) => format!("{} circles of locks", count(n as u64)),
    };
    let mut out = format!("\n{}: {pairs}\n", paint(style, Tone::Open, &heading));
    let most = if style.verbose { analysis.undecided } else { UNDECIDED };
    for open in analysis.undecided_pairs.iter().take(most) {
        let access = |a: &AccessReport| {
            format!("{} by {} at {} (event {})", a.access, a.thread, a.location, count(a.event))
        };
        let pair = format!("`{}`: {} and {}", open.variable, access(&open.first), access(&open.second));
        out += &format!("  {}\n", paragraph(style, &pair, 4));
        out += &format!("    {}\n", paragraph(style, &open.reason, 4));
    }
    for open in analysis.undecided_deadlocks.iter().take(most) {
        out += &waits(&open.waits, style);
        out += &format!("    {}\n", paragraph(style, &open.reason, 4));
    }
    if analysis.undecided > most {
        let more = count((analysis.undecided - most) as u64);
        out += &format!("  and {more} more (--verbose shows all)\n");
    }
    out
}

/// The analyses side by side.
fn comparison(report: &PredictReport, style: &Style) -> String {
    let columns = [
        ("analysis", Align::Left),
        ("races", Align::Right),
        ("pairs", Align::Right),
        ("variables", Align::Right),
        ("undecided", Align::Right),
        ("time", Align::Right),
        ("memory", Align::Right),
        ("meaning", Align::Left),
    ];
    let rows: Vec<Vec<String>> = report
        .analyses
        .iter()
        .map(|a| {
            let size = |n: u64| if n == 0 { "?".to_owned() } else { bytes(n) };
            let of_races = |n: u64| if a.analysis == DEADLOCKS { "-".to_owned() } else { count(n) };
            vec![
                a.analysis.to_owned(),
                of_races(a.races.len() as u64),
                of_races(a.event_pairs),
                of_races(a.racy_variables.len() as u64),
                if says_undecided(a) { count(a.undecided as u64) } else { "-".to_owned() },
                time(a.seconds),
                size(a.peak_memory_bytes),
                meaning(a).to_owned(),
            ]
        })
        .collect();
    if width_before_last(&columns, &rows) + 2 + NARROWEST <= style.width {
        return table(style, &columns, &rows);
    }
    // On a narrow terminal, a sentence for each.
    let sentence = |row: &Vec<String>| {
        let known = (1..5).filter(|&i| row[i] != "-");
        let parts: Vec<String> = known.map(|i| format!("{} {}", columns[i].0, row[i])).collect();
        labelled(style, &row[0], &format!("{}; {}, {}; {}", parts.join(", "), row[5], row[6], row[7]))
    };
    rows.iter().map(sentence).collect()
}

/// Only analyses that decide pairs leave some undecided.
pub(crate) fn says_undecided(a: &AnalysisReport) -> bool {
    a.undecided > 0 || matches!(a.analysis, "m2" | "dc-vindicated" | DEADLOCKS)
}

pub(crate) fn time(duration: f64) -> String {
    if duration < 0.0005 { "< 1 ms".to_owned() } else { seconds(duration) }
}

pub(crate) fn meaning(a: &AnalysisReport) -> &'static str {
    if a.stopped {
        return "stopped by the time limit";
    }
    if a.analysis == DEADLOCKS {
        return match (a.deadlocks.is_empty(), a.complete) {
            (true, true) => "no order has a deadlock",
            (true, false) => "there may be deadlocks",
            (false, true) => "these are all deadlocks",
            (false, false) => "each has a witness; there may be others",
        };
    }
    match (a.kind, a.races.is_empty()) {
        _ if a.complete && a.races.is_empty() => "there are no races",
        _ if a.complete => "these are all races there are",
        (Guarantee::All, true) => "there may be others",
        (Guarantee::All, false) if a.races.iter().all(|r| r.witness_events.is_some()) => {
            "each has a witness; there may be others"
        }
        (Guarantee::All, false) => "each is certain; there may be others",
        (Guarantee::First, false) => "only the first is certain",
        (Guarantee::FirstOrDeadlock, false) => "there is a race or a deadlock",
        (Guarantee::None, false) => "none is certain",
        (_, true) => "there may be others",
    }
}

/// What was read, and how fast.
pub(crate) fn read(t: &TraceSummary) -> String {
    let parts = [
        counted(t.events, "event"),
        counted(t.threads as u64, "thread"),
        counted(t.locks as u64, "lock"),
        counted(t.variables as u64, "variable"),
        counted(t.locations as u64, "location"),
    ];
    let mut read = format!("{} ({}), read in {}", parts.join(", "), t.format, time(t.seconds));
    if t.seconds > 0.1 {
        read += &format!(" ({} events a second)", count((t.events as f64 / t.seconds) as u64));
    }
    if t.stopped {
        read += "; the time limit ended the reading, the rest was not looked at";
    }
    read
}

/// The events that were left out, if there are any.
pub(crate) fn left_out(t: &TraceSummary) -> Option<String> {
    if t.left_out.is_empty() {
        return None;
    }
    let numbers: Vec<String> = t.left_out.iter().take(20).map(|n| n.to_string()).collect();
    let more = if t.left_out.len() > 20 { ", ..." } else { "" };
    let verb = if t.left_out.len() == 1 { "breaks" } else { "break" };
    let what = counted(t.left_out.len() as u64, "event");
    Some(format!("{what} that {verb} the rules of a run: {}{more}", numbers.join(", ")))
}

fn footer(report: &PredictReport, style: &Style) -> String {
    let mut out = labelled(style, "trace", &read(&report.trace));
    if let Some(left_out) = left_out(&report.trace) {
        out += &labelled(style, "left out", &left_out);
    }
    out
}
