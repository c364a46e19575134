//! The report of a check as one HTML file: offline, printable, light and dark.
//!
//! The page needs nothing from outside itself, and its content security policy forbids it: the style sheet
//! (`page.css`) and the script (`page.js`) are in it, known by their hashes. Everything can be read without the
//! script, which only adds stepping through the schedules, with the source lines following, and the filter. All text
//! from the report goes through `escape`. Layout: verdict, what it rests on, contents with the filter, findings.

mod escape;
mod finding;
mod source;
mod timeline;

use base::{CheckReport, Verdict};

use crate::layout::{bytes, count, seconds};
use crate::{Replay, SourceProvider, Style, advice, bounds, terminal};
use finding::{Entry, ticks};
use source::Sheets;

const CSS: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The whole page. `replay` says how a finding can be replayed.
pub fn render(report: &CheckReport, sources: &dyn SourceProvider, replay: &Replay) -> String {
    let mut sheets = Sheets::new(sources);
    let entries = finding::entries(report, sources, &mut sheets, replay);
    let unknown = if report.verdict == Verdict::Unknown { reason(report, &sheets) } else { String::new() };
    let verdict = verdict(report);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<meta http-equiv=\"Content-Security-Policy\" \
         content=\"{policy}\">\n<title>{title}</title>\n<style>{CSS}</style>\n</head>\n<body>\n{skip}<header>\n\
         <h1>{heading}</h1>\n</header>\n<main>\n{unknown}{summary}{contents}{articles}</main>\n<footer><p>Written by \
         raceproof {version}; schema {schema} of the report.</p></footer>\n<script type=\"application/json\" \
         id=\"sources\">{data}</script>\n<script>{SCRIPT}</script>\n</body>\n</html>\n",
        policy = escape::policy(SCRIPT, CSS),
        title = escape::text(&format!("{}: {}", verdict.word, verdict.rest)),
        skip = if entries.is_empty() {
            ""
        } else {
            "<a class=\"skip\" href=\"#findings\">To the findings</a>\n"
        },
        heading = verdict.heading(),
        summary = summary(report),
        contents = contents(&entries),
        articles = entries.iter().map(|entry| entry.article.as_str()).collect::<String>(),
        version = env!("CARGO_PKG_VERSION"),
        schema = report.version,
        data = escape::json(&sheets.embedded()),
    )
}

/// The verdict as the terminal says it, in two parts.
struct Spoken {
    word: String,
    rest: String,
    class: &'static str,
}

impl Spoken {
    fn heading(&self) -> String {
        let (word, rest) = (escape::text(&self.word), ticks(&self.rest));
        format!("<span class=\"verdict {}\">{word}</span> {rest}", self.class)
    }
}

fn verdict(report: &CheckReport) -> Spoken {
    let style = Style { width: usize::MAX / 2, ..Style::default() };
    let line = terminal::verdict_line(report, &style);
    let (word, rest) = line.trim_end().split_once(": ").unwrap_or((line.trim_end(), ""));
    let class = match report.verdict {
        Verdict::Race | Verdict::Defect => "bad",
        Verdict::RaceFree => "good",
        Verdict::Unknown => "open",
    };
    Spoken { word: word.to_owned(), rest: rest.to_owned(), class }
}

fn reason(report: &CheckReport, sheets: &Sheets<'_>) -> String {
    let why = report.reason.as_deref().unwrap_or("no reason was given");
    let mut out = format!("<p class=\"reason\"><strong>Why:</strong> {}</p>\n", ticks(why));
    if let Some(place) = &report.reason_place {
        out += &format!("<p class=\"at\">{}</p>\n", escape::text(&place.to_string()));
        out += &sheets.snippet(place, why);
    }
    if let Some(advice) = advice::for_reason(why) {
        out += &format!("<p class=\"hint\"><strong>What helps:</strong> {}</p>\n", ticks(advice));
    }
    out
}

fn summary(report: &CheckReport) -> String {
    let mut facts = String::new();
    let mut fact = |name: &str, value: String| facts += &format!("<dt>{name}</dt><dd>{value}</dd>\n");
    fact("Files", list(&report.files, "at"));
    if !report.flags.is_empty() {
        fact("Compiler flags", format!("<code>{}</code>", escape::text(&report.flags.join(" "))));
    }
    fact("Bounds", escape::text(&bounds::describe(&report.bounds)));
    if !report.assumptions.is_empty() {
        fact("Assumptions", list(&report.assumptions, ""));
    }
    fact("Work", numbers(report));
    format!(
        "<section class=\"card\" aria-labelledby=\"summary\">\n<h2 id=\"summary\" class=\"hidden\">What the answer rests \
         on</h2>\n<dl class=\"facts\">\n{facts}</dl>\n</section>\n"
    )
}

fn list(items: &[String], class: &str) -> String {
    let item = |text: &String| format!("<li class=\"{class}\">{}</li>", ticks(text));
    match items {
        [one] => format!("<span class=\"{class}\">{}</span>", ticks(one)),
        _ => format!("<ul>{}</ul>", items.iter().map(item).collect::<String>()),
    }
}

fn numbers(report: &CheckReport) -> String {
    let stats = &report.stats;
    let mut all = Vec::new();
    if stats.states > 0 {
        all.push(("states", count(stats.states)));
        all.push(("transitions", count(stats.transitions)));
        all.push(("depth", count(stats.depth)));
    }
    all.push(("executions", count(stats.executions)));
    all.push(("instructions", count(stats.instructions)));
    all.push(("time", seconds(stats.seconds)));
    all.push(("of it the compiler", seconds(stats.compile_seconds)));
    if stats.peak_memory_bytes > 0 {
        all.push(("memory", bytes(stats.peak_memory_bytes)));
    }
    let one = |(name, value): &(&str, String)| format!("<span>{name} <b>{value}</b></span>");
    format!("<div class=\"numbers\">{}</div>", all.iter().map(one).collect::<String>())
}

/// The list of findings, with the filter where there are several.
fn contents(entries: &[Entry]) -> String {
    if entries.is_empty() {
        return String::new();
    }
    let tools = "<div id=\"tools\" role=\"search\" hidden><label for=\"filter\">Filter</label> <input id=\"filter\" \
                 type=\"search\" autocomplete=\"off\" placeholder=\"variable, file, function, thread\"> <span \
                 id=\"count\" role=\"status\"></span></div>\n";
    let item = |entry: &Entry| format!("<li><a href=\"#{}\">{}</a></li>\n", entry.id, ticks(&entry.title));
    let items: String = entries.iter().map(item).collect();
    format!("<h2 id=\"findings\">Findings</h2>\n{tools}<ul id=\"contents\">\n{items}</ul>\n")
}
