//! The page of `raceproof predict`: the analyses side by side, and each race with its witness as swim lanes.

use base::Place;

use super::page::{Entry, Page, Row, Section, Spoken, article, capital, code, one_line, table, ticks};
use super::source::Sheets;
use super::timeline::{self, Cell, Schedule};
use super::{escape, order};
use crate::SourceProvider;
use crate::layout::{and, bytes, count, counted};
use crate::predict::text::{self, Finding};
use crate::predict::{AccessReport, AnalysisReport, PredictReport, RaceReport, Step, Verdict};
use crate::triage::Order;

/// Of how many races of each analysis the page shows the witness.
pub const WITNESSES: usize = 100;
/// So many races have a part of their own in the page; the others stand in the JSON.
const MOST: usize = 500;
/// So many undecided pairs of an analysis are listed.
const UNDECIDED: usize = 200;

/// The whole page. `order` says in which order races are best repaired.
pub fn render(report: &PredictReport, sources: &dyn SourceProvider, order: &Order) -> String {
    let mut sheets = Sheets::new(sources);
    let findings = text::merge(report);
    let entries: Vec<Entry> = (findings.iter().take(MOST).zip(1..))
        .map(|(finding, number)| entry(finding, number, &mut sheets))
        .collect();
    let link = |number: usize| {
        let entry = entries.get(number - 1)?;
        Some((entry.id.clone(), entry.title.clone()))
    };
    let mut before = vec![Section { id: "analyses", title: "Analyses", body: analyses(report) }];
    before.extend(order::section(order, link));
    before.extend(deadlocks(report));
    let mut after: Vec<Section> = undecided(report).into_iter().collect();
    if findings.len() > MOST {
        let more = counted((findings.len() - MOST) as u64, "further report");
        let body = format!("<p>{more}: <code>--format json</code> lists all.</p>\n");
        after.insert(0, Section { id: "more", title: "More", body });
    }
    after.extend(order::graph(order));
    let page = Page {
        verdict: verdict(report),
        lead: String::new(),
        facts: facts(report),
        before,
        list: "Races",
        entries,
        after,
        schema: report.version,
    };
    page.render(&sheets)
}

fn verdict(report: &PredictReport) -> Spoken {
    let class = match report.verdict {
        Verdict::Race | Verdict::Deadlock => "bad",
        Verdict::RaceFree | Verdict::NoRace => "good",
        Verdict::Unknown => "open",
    };
    Spoken::new(&crate::predict::verdict_line(report, &one_line()), class)
}

fn facts(report: &PredictReport) -> Vec<(&'static str, String)> {
    let t = &report.trace;
    let name = if t.file == "-" { "standard input" } else { &t.file };
    let read = format!("<span class=\"at\">{}</span>: {}", escape::text(name), escape::text(&text::read(t)));
    let mut facts = vec![("Trace", read)];
    let left_out = text::left_out(t);
    facts.extend(left_out.map(|left_out| ("Left out", escape::text(&left_out))));
    let pairs = match report.pairs {
        "events" => "a pair of events",
        _ => "a pair of program locations, shown by one of its pairs of events",
    };
    let only = report.variable.as_ref().map_or(String::new(), |v| format!("; only races on {}", code(v)));
    facts.push(("A race is", format!("{pairs}{only}")));
    facts.push((
        "An order counts",
        "if it could have happened with what this run shows: each thread's events in their order, each lock held by one \
         thread at a time, and every read sees the write that it saw"
            .to_owned(),
    ));
    facts
}

/// The deadlocks, if there are any.
fn deadlocks(report: &PredictReport) -> Option<Section> {
    let all: Vec<_> = report.analyses.iter().flat_map(|a| &a.deadlocks).take(MOST).collect();
    if all.is_empty() {
        return None;
    }
    let mut body = String::new();
    for (number, deadlock) in all.iter().enumerate() {
        body += &format!("<h3>Deadlock {}</h3>\n<ul>\n", number + 1);
        for wait in &deadlock.waits {
            body += &format!("<li>{}</li>\n", ticks(&text::waiting(wait)));
        }
        body += "</ul>\n";
        if !deadlock.steps.is_empty() {
            let steps = deadlock
                .steps
                .iter()
                .map(|step| format!("{:>8}  {} {}", count(step.event), step.thread, step.operation));
            let steps = steps.collect::<Vec<_>>().join("\n");
            body += &format!(
                "<details><summary>How it comes to that</summary>\n<pre>{}</pre></details>\n",
                escape::text(&steps)
            );
        }
    }
    Some(Section { id: "deadlocks", title: "Deadlocks", body })
}

fn analyses(report: &PredictReport) -> String {
    let columns = [
        ("analysis", false),
        ("races", true),
        ("pairs of events", true),
        ("variables", true),
        ("undecided", true),
        ("time", true),
        ("memory", true),
        ("meaning", false),
    ];
    let of_races = |a: &AnalysisReport, n: u64| match a.analysis {
        crate::predict::DEADLOCKS => "&ndash;".to_owned(),
        _ => count(n),
    };
    let row = |a: &AnalysisReport| Row {
        cells: vec![
            code(a.analysis),
            of_races(a, a.races.len() as u64),
            of_races(a, a.event_pairs),
            of_races(a, a.racy_variables.len() as u64),
            if text::says_undecided(a) { count(a.undecided as u64) } else { "&ndash;".to_owned() },
            escape::text(&text::time(a.seconds)),
            if a.peak_memory_bytes == 0 { "?".to_owned() } else { bytes(a.peak_memory_bytes) },
            text::meaning(a).to_owned(),
        ],
        search: None,
    };
    let rows: Vec<Row> = report.analyses.iter().map(row).collect();
    table("The analyses side by side", &columns, &rows)
}

fn entry(finding: &Finding<'_>, number: usize, sheets: &mut Sheets<'_>) -> Entry {
    let race = finding.race;
    let word = text::title(finding).0;
    let title = format!("{} {number}: {} of `{}`", capital(word), text::kinds(race), race.variable);
    let mut body = String::from("<div class=\"sides\">\n");
    body += &side(&race.first, sheets);
    body += &side(&race.second, sheets);
    body += "</div>\n<dl class=\"facts\">\n";
    body += &format!("<dt>Distance</dt><dd>{}</dd>\n", counted(race.distance, "event"));
    body += &format!("<dt>Found by</dt><dd>{}</dd>\n", escape::text(&text::who(finding)));
    body += "</dl>\n";
    body += &witness(race, sheets);
    let id = format!("race-{number}");
    let by: Vec<&str> = finding.by.iter().map(|by| by.0).collect();
    let a = &race.first;
    let b = &race.second;
    let search = format!("{title} {} {} {} {} {}", a.thread, a.location, b.thread, b.location, by.join(" "));
    let article = article(&id, &title, &search, &body);
    Entry { id, title, article }
}

/// One access, with its source if the location names a file that is at hand.
pub(super) fn side(access: &AccessReport, sheets: &Sheets<'_>) -> String {
    let atomically = if access.atomic { " atomically" } else { "" };
    let label = format!("{} {}s{atomically}, event {}", access.thread, access.access, count(access.event));
    let mut out = format!(
        "<section class=\"card side\">\n<p><strong>{}</strong><br><span class=\"where at\">{}</span></p>\n",
        escape::text(&label),
        escape::text(&access.location)
    );
    if let Some(place) = sheets.locate(&access.location) {
        out += &sheets.snippet(&place, &label);
    }
    out + "</section>\n"
}

/// The witness as swim lanes, as much of it as there is.
fn witness(race: &RaceReport, sheets: &mut Sheets<'_>) -> String {
    let Some(length) = race.witness_events else { return String::new() };
    let heading = "<h4>Another order of the same events that ends in the race</h4>\n";
    if race.steps.len() < 2 {
        let events = counted(length, "event");
        return format!(
            "{heading}<p>{events}, too many to be shown here; <code>--witness DIR</code> writes them as a trace.</p>\n"
        );
    }
    let mut threads: Vec<&str> = race.steps.iter().map(|step| step.thread.as_str()).collect();
    threads.sort_by_key(|name| (name.len(), name.to_owned()));
    threads.dedup();
    let number = |name: &str| threads.iter().position(|of| *of == name).unwrap_or(0) as u32;
    let (before, ends) = race.steps.split_at(race.steps.len() - 2);
    let earlier = length - race.steps.len() as u64;
    let cell = |step: &Step, sheets: &Sheets<'_>| {
        let place = sheets.locate(&step.location);
        let named = step.location.rsplit('/').next().unwrap_or(&step.location);
        Cell {
            thread: number(&step.thread),
            at: place.is_none().then(|| named.to_owned()),
            place: place.unwrap_or_else(|| nowhere(&step.location)),
            action: words(&step.operation),
        }
    };
    let step = |(index, step): (usize, &Step)| timeline::Step {
        head: count(step.event),
        name: format!("Step {} of {length} (event {})", earlier + index as u64 + 1, count(step.event)),
        cells: vec![cell(step, sheets)],
    };
    let schedule = Schedule {
        steps: before.iter().enumerate().map(step).collect(),
        earlier,
        end: Some(timeline::Step {
            head: "race".to_owned(),
            name: format!("The race (events {} and {})", count(ends[0].event), count(ends[1].event)),
            cells: ends.iter().map(|step| cell(step, sheets)).collect(),
        }),
        caption: format!("{}, numbered as in the trace", counted(length, "event")),
        numbers: "event",
    };
    let name = |thread: u32| threads.get(thread as usize).map_or(String::new(), |name| (*name).to_owned());
    let lanes = timeline::render(&schedule, &name, sheets);
    if lanes.is_empty() {
        return format!(
            "{heading}<p>The two are the first events of their threads: nothing has to happen before.</p>\n"
        );
    }
    format!("{heading}{lanes}")
}

fn nowhere(file: &str) -> Place {
    Place { file: file.to_owned(), line: 0, column: 0 }
}

/// An operation of STD text as a person would say it: `w(x)` is `writes x`.
fn words(operation: &str) -> String {
    let (name, rest) = operation.split_once('(').unwrap_or((operation, ""));
    let operand = rest.strip_suffix(')').unwrap_or(rest);
    match name {
        "r" => format!("reads {operand}"),
        "w" => format!("writes {operand}"),
        "ar" => format!("reads {operand} atomically"),
        "aw" => format!("writes {operand} atomically"),
        "acq" => format!("acquires {operand}"),
        "rel" => format!("releases {operand}"),
        "fork" => format!("starts {operand}"),
        "join" => format!("waits for the end of {operand}"),
        "begin" => "begins".to_owned(),
        "end" => "ends".to_owned(),
        "barrier" => format!("passes the barrier {operand}"),
        "notify" => format!("notifies {operand}"),
        "wait" => format!("returns from waiting for {operand}"),
        _ => operation.to_owned(),
    }
}

/// What is undecided, and why.
fn undecided(report: &PredictReport) -> Option<Section> {
    let mut body = String::new();
    for analysis in report.analyses.iter().filter(|analysis| analysis.undecided > 0) {
        let columns =
            [("variable", false), ("first access", false), ("second access", false), ("why", false)];
        let access = |a: &AccessReport| {
            escape::text(&format!(
                "{} by {} at {} (event {})",
                a.access,
                a.thread,
                a.location,
                count(a.event)
            ))
        };
        let rows: Vec<Row> = analysis
            .undecided_pairs
            .iter()
            .take(UNDECIDED)
            .map(|open| Row {
                cells: vec![
                    code(&open.variable),
                    access(&open.first),
                    access(&open.second),
                    ticks(&open.reason),
                ],
                search: None,
            })
            .collect();
        let pairs = counted(analysis.undecided as u64, "pair");
        body += &format!("<p>{pairs} by {}:</p>\n", code(analysis.analysis));
        body += &table(&format!("Undecided by {}", analysis.analysis), &columns, &rows);
        if analysis.undecided > UNDECIDED {
            let more = count((analysis.undecided - UNDECIDED) as u64);
            body += &format!("<p>and {more} more: <code>--format json</code> lists all.</p>\n");
        }
    }
    let stopped: Vec<String> =
        report.analyses.iter().filter(|a| a.stopped).map(|a| format!("`{}`", a.analysis)).collect();
    if !stopped.is_empty() {
        body += &format!("<p>The time limit ended {}: there may be more.</p>\n", ticks(&and(&stopped)));
    }
    (!body.is_empty()).then_some(Section { id: "undecided", title: "Undecided", body })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_in_words() {
        assert_eq!(words("w(a[1](x))"), "writes a[1](x)");
        assert_eq!(words("begin"), "begins");
        assert_eq!(words("join(T2)"), "waits for the end of T2");
    }
}
