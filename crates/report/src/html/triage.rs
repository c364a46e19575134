//! The page of `raceproof triage`: the groups in the order to fix, and the ordering graph.

use super::page::{Entry, Page, Section, Spoken, article, capital, numbers, one_line, ticks};
use super::predict::side;
use super::source::Sheets;
use super::{escape, graph};
use crate::SourceProvider;
use crate::layout::{bytes, count, counted, seconds};
use crate::predict::text::left_out;
use crate::triage::text::{causes, explains, rests_on, status, subject};
use crate::triage::{GroupReport, RaceReport, TriageReport};

/// So many groups have a part of their own in the page; the others stand in the JSON.
const GROUPS: usize = 300;
/// Of so many reports of a group the source is shown.
const SHOWN: usize = 8;
/// So many further reports of a group are listed.
const LISTED: usize = 100;

/// The whole page. `picture` is the ordering graph as SVG, or nothing.
pub fn render(report: &TriageReport, sources: &dyn SourceProvider, picture: &str) -> String {
    let sheets = Sheets::new(sources);
    let entries: Vec<Entry> = report.groups.iter().take(GROUPS).map(|group| entry(group, &sheets)).collect();
    let mut after = Vec::new();
    if report.groups.len() > GROUPS {
        let more = counted((report.groups.len() - GROUPS) as u64, "further group");
        let body = format!("<p>{more}: <code>--format json</code> lists all.</p>\n");
        after.push(Section { id: "more", title: "More", body });
    }
    let body = graph::figure(
        picture,
        "The ordering graph of the races",
        "<figcaption>A column for each thread, time going down, a box for each access that takes part in a race. What \
         the groups above say in words is drawn here.</figcaption>\n",
    );
    if !body.is_empty() && report.reports > 0 {
        after.push(Section { id: "graph", title: "Ordering graph", body });
    }
    let class = if report.reports == 0 { "good" } else { "bad" };
    let page = Page {
        verdict: Spoken::new(&crate::triage::verdict_line(report, &one_line()), class),
        lead: String::new(),
        facts: facts(report),
        before: Vec::new(),
        list: "Groups in the order to fix",
        entries,
        after,
        schema: report.version,
    };
    page.render(&sheets)
}

fn facts(report: &TriageReport) -> Vec<(&'static str, String)> {
    let name = if report.name == "-" { "standard input" } else { &report.name };
    let mut facts = vec![
        ("Triaged", format!("<span class=\"at\">{}</span>", escape::text(name))),
        ("Rests on", escape::text(&rests_on(report))),
    ];
    facts.extend(report.cut.as_ref().map(|why| ("Cut", format!("the run ended early: {}", ticks(why)))));
    facts.extend(left_out(&report.trace).map(|events| ("Left out", escape::text(&events))));
    let mut work = vec![
        ("events", count(report.trace.events)),
        ("threads", count(report.trace.threads as u64)),
        ("apparent races", count(report.races as u64)),
        ("partitions", count(report.partitions as u64)),
        ("first among them", count(report.first_partitions as u64)),
        ("open tangles", count(report.tangles as u64)),
        ("time", seconds(report.seconds)),
    ];
    if report.peak_memory_bytes > 0 {
        work.push(("memory", bytes(report.peak_memory_bytes)));
    }
    facts.push(("Work", numbers(&work)));
    facts
}

fn entry(group: &GroupReport, sheets: &Sheets<'_>) -> Entry {
    let what =
        if group.first { "fix first".to_owned() } else { format!("possible artifact of {}", causes(group)) };
    let title = format!("Group {}: {what}: {}", group.group, subject(group));
    let mut body = String::new();
    if group.first {
        body += &format!(
            "<p class=\"hint\"><strong>Why first:</strong> {}. <strong>May explain:</strong> {}.</p>\n",
            escape::text(&group.why),
            escape::text(&explains(group))
        );
    } else {
        let links: Vec<String> = group
            .may_be_artifact_of
            .iter()
            .map(|cause| format!("<a href=\"#group-{cause}\">{cause}</a>"))
            .collect();
        let noun = if links.len() == 1 { "group" } else { "groups" };
        body += &format!("<p>{}: of {noun} {}.</p>\n", escape::text(&capital(&group.why)), links.join(", "));
    }
    for race in group.reports.iter().take(SHOWN) {
        body += &format!("<h4>{}</h4>\n<div class=\"sides\">\n", ticks(&says(race)));
        body += &side(&race.first, sheets);
        body += &side(&race.second, sheets);
        body += "</div>\n";
    }
    body += &list("Further reports of this group", group.reports.get(SHOWN..).unwrap_or_default());
    body += &list("The same variables also race here, and are repaired together", &group.also);
    let id = format!("group-{}", group.group);
    let article = article(&id, &title, &searched(group, &title), &body);
    Entry { id, title, article }
}

/// `Unordered read and write of x: feasible; stands for 3 races`.
fn says(race: &RaceReport) -> String {
    let what = match (race.first.access, race.second.access) {
        (one, two) if one == two => format!("Two unordered {one}s"),
        (one, two) => format!("Unordered {one} and {two}"),
    };
    let theorem = race.theorem.map_or(String::new(), |theorem| format!(" (theorem {theorem})"));
    let mut text = format!("{what} of `{}`: {}{theorem}", race.variable, status(race));
    if race.races > 1 {
        text += &format!("; stands for {}", counted(race.races as u64, "race"));
    }
    if race.variable_count > 1 {
        text += &format!(" on {}", counted(race.variable_count as u64, "variable"));
    }
    text
}

fn list(heading: &str, races: &[RaceReport]) -> String {
    if races.is_empty() {
        return String::new();
    }
    let item = |race: &RaceReport| {
        let places = format!("{} and {}", race.first.location, race.second.location);
        format!("<li>{} <span class=\"at\">{}</span></li>", ticks(&says(race)), escape::text(&places))
    };
    let items: String = races.iter().take(LISTED).map(item).collect();
    let more = match races.len().saturating_sub(LISTED) {
        0 => String::new(),
        n => format!("<p>and {} more: <code>--format json</code> lists all.</p>\n", count(n as u64)),
    };
    format!("<details><summary>{heading} ({})</summary><ul>{items}</ul>{more}</details>\n", races.len())
}

fn searched(group: &GroupReport, title: &str) -> String {
    let mut words = title.to_owned();
    for race in group.reports.iter().chain(&group.also).take(LISTED) {
        let (a, b) = (&race.first, &race.second);
        words += &format!(" {} {} {} {} {}", race.variable, a.thread, a.location, b.thread, b.location);
    }
    words
}
