//! A replayed witness, step by step, with the source line of each step.

use base::{CheckReport, Defect, Place, Race, Step, Witness};

use crate::layout::{Tone, count, counted, labelled, paint, paragraph};
use crate::objects;
use crate::schedule::{Ending, Names};
use crate::snippet::{self, Mark, Severity};
use crate::source::line;
use crate::{SourceProvider, Style, bounds, said, terminal};
use unicode_width::UnicodeWidthStr;

/// One finding of a report.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Finding<'r> {
    /// A race.
    Race(&'r Race),
    /// Another defect.
    Defect(&'r Defect),
}

impl<'r> Finding<'r> {
    /// The finding with this number, from 1: races first, then defects, as they stand in the report.
    pub fn nth(report: &'r CheckReport, number: usize) -> Option<Finding<'r>> {
        let index = number.checked_sub(1)?;
        match report.races.get(index) {
            Some(race) => Some(Finding::Race(race)),
            None => report.defects.get(index - report.races.len()).map(Finding::Defect),
        }
    }

    /// How many findings a report has.
    pub fn count(report: &CheckReport) -> usize {
        report.races.len() + report.defects.len()
    }

    /// The schedule that leads to it.
    pub fn witness(self) -> &'r Witness {
        match self {
            Finding::Race(race) => &race.witness,
            Finding::Defect(defect) => &defect.witness,
        }
    }

    /// The finding in one line.
    pub fn title(self) -> String {
        match self {
            Finding::Race(race) => terminal::race_title(race),
            Finding::Defect(defect) => format!("{}: {}", terminal::kind(defect.kind), said::message(defect)),
        }
    }

    fn names(self) -> Names {
        match self {
            Finding::Race(race) => terminal::race_names(race),
            Finding::Defect(defect) => Names::new([&defect.thread]),
        }
    }

    fn endings(self) -> Vec<Ending> {
        match self {
            Finding::Race(race) => terminal::race_endings(race),
            Finding::Defect(defect) => terminal::defect_endings(defect),
        }
    }
}

/// The steps of a finding's witness, all of them or up to step `upto`, then the finding itself or, where the listing
/// stops early, where every thread stands.
pub fn render(
    report: &CheckReport,
    finding: Finding<'_>,
    upto: Option<usize>,
    sources: &dyn SourceProvider,
    style: &Style,
) -> String {
    let witness = finding.witness();
    let shown = upto.unwrap_or(witness.steps.len()).min(witness.steps.len());
    let names = finding.names();
    let mut out = heading(report, finding, style);
    if !style.quiet {
        out += "\n";
        out += &listing(&witness.steps[..shown], &names, sources, style);
    }
    out += "\n";
    if shown < witness.steps.len() {
        let left = counted((witness.steps.len() - shown) as u64, "step");
        out += &positions(finding, shown, &names, &format!("{left} before the end"), sources, style);
    } else {
        out += &match finding {
            Finding::Race(race) => terminal::race_snippet("race", race, sources, style),
            Finding::Defect(defect) => terminal::defect_snippet(defect, sources, style),
        };
    }
    out
}

fn heading(report: &CheckReport, finding: Finding<'_>, style: &Style) -> String {
    let title = paragraph(style, &format!("replay: {}", finding.title()), 0);
    let mut out = title.replacen("replay", &paint(style, Tone::Label, "replay"), 1) + "\n";
    if let Some(bound) = report.bounds.get(finding.witness().bound) {
        out += &labelled(style, "bounds", &bounds::describe_one(bound));
    }
    out
}

/// Two lines a step: number, thread, place and action; then the source line.
fn listing(steps: &[Step], names: &Names, sources: &dyn SourceProvider, style: &Style) -> String {
    let digits = count(steps.len() as u64).len().max(3);
    let widest = steps.iter().map(|step| names.of(step.thread).len()).max().unwrap_or(0);
    let one_file = steps.windows(2).all(|pair| pair[0].place.file == pair[1].place.file);
    let mut out = String::new();
    if let Some(first) = steps.first().filter(|step| one_file && !step.place.file.is_empty()) {
        out += &format!("{}\n", paint(style, Tone::Dim, &format!("in {}:", first.place.file)));
    }
    for (index, step) in steps.iter().enumerate() {
        let name = format!("{:widest$}", names.of(step.thread));
        let head = format!("{:>digits$}  {name}  ", index + 1);
        let action = objects::brief(&said::action(&step.action));
        let what = match (short(&step.place, one_file), action) {
            (place, action) if place.is_empty() => action,
            (place, action) => format!("{place}: {action}"),
        };
        let text = paragraph(style, &format!("{head}{what}"), head.width());
        out += &text.replacen(&name, &paint(style, Tone::Label, &name), 1);
        out.push('\n');
        if let Some(text) = line(sources, &step.place.file, step.place.line) {
            let indent = " ".repeat(digits + 2 + widest + 2);
            let room = style.width.saturating_sub(indent.len() + 2).max(20);
            out += &format!("{indent}{}\n", paint(style, Tone::Dim, &format!("| {}", clip(&text, room))));
        }
    }
    out
}

fn short(place: &Place, one_file: bool) -> String {
    match place.line {
        0 if one_file => String::new(),
        0 => place.file.clone(),
        line if one_file => line.to_string(),
        line => format!("{}:{line}", place.file),
    }
}

fn clip(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_owned();
    }
    text.chars().take(room.saturating_sub(3)).chain("...".chars()).collect()
}

/// Where every thread stands after `done` steps: at the beginning of its next step, or where it ends up.
fn positions(
    finding: Finding<'_>,
    done: usize,
    names: &Names,
    when: &str,
    sources: &dyn SourceProvider,
    style: &Style,
) -> String {
    let steps = &finding.witness().steps;
    let mut marks: Vec<(u32, Mark)> = Vec::new();
    let coming = steps[done..].iter().map(|step| (step.thread, &step.place, said::action(&step.action)));
    let endings = finding.endings();
    let ends = endings.iter().map(|end| (end.thread, &end.place, end.action.clone()));
    for (thread, place, action) in coming.chain(ends) {
        if marks.iter().all(|(of, _)| *of != thread) && started(steps, done, thread) {
            let label = format!("{}, next: {action}", names.of(thread));
            marks.push((thread, Mark { place: place.clone(), label, primary: marks.is_empty() }));
        }
    }
    let marks: Vec<Mark> = marks.into_iter().map(|(_, mark)| mark).collect();
    let title = format!("where the threads stand, {when}");
    snippet::render(Severity::Note, &format!("after step {done}"), &title, &marks, sources, style)
}

/// Threads that have not run yet may not exist yet; the main thread always does.
fn started(steps: &[Step], done: usize, thread: u32) -> bool {
    thread == 0
        || steps[..done].iter().any(|step| step.thread == thread)
        || steps.get(done).is_some_and(|step| step.thread == thread)
}
