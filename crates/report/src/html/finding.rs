//! One finding of the page: title, the source of each side, the hint, the timeline, and how to replay it.

use base::{Access, CheckReport, Defect, Frame, Place, Race, Witness};

use super::page::{Entry, article, capital, code, ticks};
use super::source::Sheets;
use super::{escape, timeline};
use crate::layout::and;
use crate::schedule::Names;
use crate::terminal::{self, defect_endings, kind, race_endings, race_names, race_title};
use crate::{Replay, SourceProvider, bounds, hint, said};

/// What one thread has to do with a finding.
struct Side<'r> {
    /// Who does what: `main reads, no lock held`.
    label: String,
    place: &'r Place,
    stack: &'r [Frame],
    created: Option<&'r Place>,
}

/// All findings: races by cause, then the other defects.
pub(super) fn entries(
    report: &CheckReport,
    sources: &dyn SourceProvider,
    sheets: &mut Sheets<'_>,
    replay: &Replay,
) -> Vec<Entry> {
    let mut entries = Vec::new();
    for group in terminal::group(&report.races) {
        entries.push(race(report, &group, sources, sheets, replay));
    }
    for index in 0..report.defects.len() {
        entries.push(defect(report, index, sheets, replay));
    }
    entries
}

fn race(
    report: &CheckReport,
    group: &[usize],
    sources: &dyn SourceProvider,
    sheets: &mut Sheets<'_>,
    replay: &Replay,
) -> Entry {
    let number = group[0];
    let race = &report.races[number];
    let title = format!("Race {}: {}", number + 1, race_title(race));
    let sides = [&race.first, &race.second].map(|access| Side {
        label: terminal::label(access),
        place: &access.place,
        stack: &access.stack,
        created: access.thread.created.as_ref(),
    });
    let mut body = sides_section(&sides, sheets);
    if group.len() > 1 {
        let others: Vec<String> =
            group[1..].iter().map(|&index| code(&report.races[index].variable)).collect();
        body += &format!("<p>The same two accesses race on {}.</p>\n", and(&others));
    }
    if let Some(hint) = race.hint.clone().or_else(|| hint::derive(race, sources)) {
        body += &format!("<p class=\"hint\"><strong>Hint:</strong> {}</p>\n", ticks(&hint));
    }
    let lanes = timeline::of_witness(&race.witness, &race_endings(race), "race", &race_names(race), sheets);
    body += &schedule(report, &race.witness, lanes);
    body += &replay_section(report, number, replay);
    let id = format!("race-{}", number + 1);
    let article = article(&id, &title, &searched(race, &title), &body);
    Entry { id, title, article }
}

fn defect(report: &CheckReport, index: usize, sheets: &mut Sheets<'_>, replay: &Replay) -> Entry {
    let defect = &report.defects[index];
    let name = kind(defect.kind);
    let title = format!("{}: {}", capital(name), said::message(defect));
    let names = Names::new([&defect.thread]);
    let mut sides: Vec<Side<'_>> = Vec::new();
    for step in &defect.waiting {
        let label = format!("{} {}", names.of(step.thread), said::action(&step.action));
        let stack: &[Frame] = if step.thread == defect.thread.id { &defect.stack } else { &[] };
        match sides.iter_mut().find(|side| *side.place == step.place) {
            // Threads that wait at one place need its source once.
            Some(side) => {
                side.label += &format!("; {label}");
                side.stack = if side.stack.is_empty() { stack } else { side.stack };
            }
            None => sides.push(Side { label, place: &step.place, stack, created: None }),
        }
    }
    if sides.is_empty() {
        sides.push(Side {
            label: format!("in {}", said::who(&defect.thread.name)),
            place: &defect.location,
            stack: &defect.stack,
            created: defect.thread.created.as_ref(),
        });
    }
    let mut body = sides_section(&sides, sheets);
    let lanes = timeline::of_witness(&defect.witness, &defect_endings(defect), "end", &names, sheets);
    body += &schedule(report, &defect.witness, lanes);
    body += &replay_section(report, report.races.len() + index, replay);
    let id = format!("defect-{}", index + 1);
    let article = article(&id, &title, &searched_defect(defect, &title), &body);
    Entry { id, title, article }
}

/// The words that the filter looks in.
fn searched(race: &Race, title: &str) -> String {
    let side = |access: &Access| {
        let functions: Vec<&str> = access.stack.iter().map(|frame| frame.function.as_str()).collect();
        format!("{} {} {}", terminal::label(access), access.place, functions.join(" "))
    };
    format!("{title} {} {}", side(&race.first), side(&race.second))
}

fn searched_defect(defect: &Defect, title: &str) -> String {
    let functions: Vec<&str> = defect.stack.iter().map(|frame| frame.function.as_str()).collect();
    let waiting: Vec<String> =
        defect.waiting.iter().map(|step| format!("{} {}", said::action(&step.action), step.place)).collect();
    format!(
        "{title} {} {} {} {}",
        said::who(&defect.thread.name),
        defect.location,
        functions.join(" "),
        waiting.join(" ")
    )
}

fn sides_section(sides: &[Side<'_>], sheets: &Sheets<'_>) -> String {
    let mut out = String::from("<div class=\"sides\">\n");
    for side in sides {
        out += &format!(
            "<section class=\"card side\">\n<p><strong>{}</strong><br><span class=\"where at\">{}</span></p>\n",
            escape::text(&side.label),
            escape::text(&side.place.to_string()),
        );
        out += &sheets.snippet(side.place, &side.label);
        out += &stack(side);
        out += "</section>\n";
    }
    out + "</div>\n"
}

/// The call stack, where it says more than the snippet.
fn stack(side: &Side<'_>) -> String {
    if side.stack.len() < 2 && side.created.is_none() {
        return String::new();
    }
    let item = |words: &str, function: &str, place: &Place| {
        format!(
            "<li>{words}{} <span class=\"where at\">{}</span></li>",
            code(function),
            escape::text(&place.to_string())
        )
    };
    let mut items: Vec<String> = Vec::new();
    for (index, frame) in side.stack.iter().enumerate() {
        items.push(item(if index == 0 { "in " } else { "called from " }, &frame.function, &frame.place));
    }
    if let Some(created) = side.created {
        let place = escape::text(&created.to_string());
        items.push(format!("<li>thread created at <span class=\"where at\">{place}</span></li>"));
    }
    format!("<ol class=\"stack\" aria-label=\"Call stack, innermost first\">{}</ol>\n", items.concat())
}

fn schedule(report: &CheckReport, witness: &Witness, lanes: String) -> String {
    if lanes.is_empty() {
        return lanes;
    }
    let with = match report.bounds.get(witness.bound).filter(|_| report.bounds.len() > 1) {
        Some(bound) => {
            format!(", with {}", escape::text(bounds::describe_one(bound).trim_end_matches("; no arguments")))
        }
        None => String::new(),
    };
    let mut out = format!("<h4>A schedule that shows it{with}</h4>\n{lanes}");
    if !witness.distribution.is_empty() {
        let items =
            witness.distribution.iter().map(|line| format!("<li>{}</li>", ticks(&said::shared_out(line))));
        out += &format!("<h4>How the work is shared out</h4>\n<ul>{}</ul>\n", items.collect::<String>());
    }
    out
}

fn replay_section(report: &CheckReport, index: usize, replay: &Replay) -> String {
    let several = report.races.len() + report.defects.len() > 1;
    let choice = if several { format!(" --finding {}", index + 1) } else { String::new() };
    let commands = match replay {
        Replay::Saved { command } => format!("{command}{choice}"),
        Replay::NotSaved { save, command } => format!("{save}\n{command}{choice}"),
        Replay::Unavailable => return String::new(),
    };
    format!("<h4>Replay it</h4>\n<pre class=\"command\"><code>{}</code></pre>\n", escape::text(&commands))
}
