//! The page of `raceproof check`: each race and each other defect with its source and its schedule.

use base::{CheckReport, Verdict};

use super::page::{Page, Spoken, list, numbers, one_line, ticks};
use super::source::Sheets;
use super::{escape, finding, order};
use crate::layout::{bytes, count, seconds};
use crate::triage::Order;
use crate::{Replay, SourceProvider, bounds, reason, terminal};

/// The whole page. `replay` says how a finding can be replayed, `order` in which order races are best repaired.
pub fn render(report: &CheckReport, sources: &dyn SourceProvider, replay: &Replay, order: &Order) -> String {
    let mut sheets = Sheets::new(sources);
    let entries = finding::entries(report, sources, &mut sheets, replay);
    let link = |number: usize| {
        let group = terminal::group(&report.races).into_iter().find(|group| group.contains(&(number - 1)))?;
        let id = format!("race-{}", group[0] + 1);
        let title = entries.iter().find(|entry| entry.id == id)?.title.clone();
        Some((id, title))
    };
    let before = order::section(order, link).into_iter().collect();
    let lead = if report.verdict == Verdict::Unknown { why(report, &sheets) } else { String::new() };
    let page = Page {
        verdict: verdict(report),
        lead,
        facts: facts(report),
        before,
        list: "Findings",
        entries,
        after: order::graph(order).into_iter().collect(),
        schema: report.version,
    };
    page.render(&sheets)
}

fn verdict(report: &CheckReport) -> Spoken {
    let class = match report.verdict {
        Verdict::Race | Verdict::Defect => "bad",
        Verdict::RaceFree => "good",
        Verdict::Unknown => "open",
    };
    Spoken::new(&terminal::verdict_line(report, &one_line()), class)
}

fn why(report: &CheckReport, sheets: &Sheets<'_>) -> String {
    let why = reason::of_report(report).unwrap_or_else(|| "no reason was given".into());
    let mut out = format!("<p class=\"reason\"><strong>Why:</strong> {}</p>\n", ticks(&why));
    if let Some(place) = &report.reason_place {
        out += &format!("<p class=\"at\">{}</p>\n", escape::text(&place.to_string()));
        out += &sheets.snippet(place, &why);
    }
    if let Some(why) = &report.reason {
        let helps = ticks(reason::help(why));
        out += &format!("<p class=\"hint\"><strong>What helps:</strong> {helps}</p>\n");
    }
    out
}

fn facts(report: &CheckReport) -> Vec<(&'static str, String)> {
    let mut facts = vec![("Files", list(&report.files, "at"))];
    if !report.flags.is_empty() {
        facts.push(("Compiler flags", format!("<code>{}</code>", escape::text(&report.flags.join(" ")))));
    }
    facts.push(("Bounds", escape::text(&bounds::describe(&report.bounds))));
    let open = terminal::open_questions(report);
    if !open.is_empty() {
        facts.push(("Not decided", list(&open, "")));
    }
    if !report.coverage.unreached.is_empty() {
        facts.push(("Not reached", escape::text(&terminal::not_reached(&report.coverage.unreached))));
    }
    if !report.assumptions.is_empty() {
        facts.push(("Assumptions", list(&report.assumptions, "")));
    }
    facts.push(("Work", work(report)));
    if let Some(when) = &report.cached {
        facts.push(("Cache", format!("this program was checked at {}", escape::text(when))));
    }
    facts
}

fn work(report: &CheckReport) -> String {
    let stats = &report.stats;
    let mut all = Vec::new();
    if stats.states > 0 {
        all.push(("states", count(stats.states)));
        all.push(("transitions", count(stats.transitions)));
        all.push(("depth", count(stats.depth)));
    }
    all.push(("executions", count(stats.executions)));
    all.push(("instructions", count(stats.instructions)));
    if stats.certify_runs > 0 {
        all.push(("runs of the certificate's checker", count(stats.certify_runs)));
    }
    if stats.judge_runs > 0 {
        all.push(("random executions", count(stats.judge_runs)));
    }
    all.push(("time", seconds(stats.seconds)));
    all.push(("of it the compiler", seconds(stats.compile_seconds)));
    if stats.peak_memory_bytes > 0 {
        all.push(("memory", bytes(stats.peak_memory_bytes)));
    }
    numbers(&all)
}
