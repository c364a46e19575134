//! What is in a trace, for `raceproof trace info`: a table for people, an object for programs.

use serde::Serialize;
use trace::info::Info;

use crate::Style;
use crate::layout::{bytes, count, counted, labelled, seconds};

/// What is in a trace, with where it came from. The JSON is its serialisation.
#[derive(Debug, Clone, Serialize)]
pub struct InfoReport {
    /// The version of this schema, now 1.
    pub version: u32,
    /// The file as it was named; `-` for standard input.
    pub file: String,
    /// `std`, `csv` or `binary`.
    pub format: &'static str,
    /// The size of the file in bytes, where it is one.
    pub bytes: Option<u64>,
    /// Whether the file says that it is a whole run of raceproof's machine.
    pub complete_run: bool,
    /// Events.
    pub events: u64,
    /// Threads, those only forked or joined included.
    pub threads: usize,
    /// Locks, barriers and condition variables.
    pub locks: usize,
    /// Variables.
    pub variables: usize,
    /// Program locations.
    pub locations: usize,
    /// Plain reads.
    pub reads: u64,
    /// Plain writes.
    pub writes: u64,
    /// Atomic reads and writes.
    pub atomics: u64,
    /// Acquires of a lock that the thread did not hold.
    pub acquires: u64,
    /// Acquires of a lock that the thread held already.
    pub inner_acquires: u64,
    /// Forks.
    pub forks: u64,
    /// Joins.
    pub joins: u64,
    /// Barrier, notify and wait events.
    pub other_synchronisation: u64,
    /// What is known of critical sections.
    pub sections: Sections,
    /// Events that break the rules of a run and were left out, by number.
    pub left_out: Vec<u64>,
    /// How long reading took.
    pub seconds: f64,
}

/// Critical sections.
#[derive(Debug, Clone, Serialize)]
pub struct Sections {
    /// How many end within the trace.
    pub count: u64,
    /// How many locks are still held at the end.
    pub held_at_end: u64,
    /// The most locks that a thread holds at once.
    pub deepest: u32,
    /// The mean number of events of its thread inside a section.
    pub mean_length: f64,
    /// The most.
    pub longest: u64,
}

impl InfoReport {
    /// A report of what was counted; `bytes`, `left_out` and `seconds` are still to be filled in.
    pub fn new(file: String, format: trace::Format, info: &Info) -> InfoReport {
        InfoReport {
            version: 1,
            file,
            format: crate::predict::format_name(format),
            bytes: None,
            complete_run: false,
            events: info.events,
            threads: info.counts.threads,
            locks: info.counts.locks,
            variables: info.counts.variables,
            locations: info.counts.locations,
            reads: info.reads,
            writes: info.writes,
            atomics: info.atomics,
            acquires: info.acquires,
            inner_acquires: info.inner_acquires,
            forks: info.forks,
            joins: info.joins,
            other_synchronisation: info.other_synchronisation,
            sections: Sections {
                count: info.sections,
                held_at_end: info.held_at_end,
                deepest: info.deepest,
                mean_length: info.mean_section(),
                longest: info.longest_section,
            },
            left_out: Vec::new(),
            seconds: 0.0,
        }
    }
}

/// The report as indented JSON, with a newline at its end.
pub fn json(report: &InfoReport) -> String {
    let mut text = serde_json::to_string_pretty(report).unwrap_or_default();
    text.push('\n');
    text
}

/// The report for a person.
pub fn render(report: &InfoReport, style: &Style) -> String {
    let mut file = format!("{} ({}", report.file, report.format);
    if let Some(size) = report.bytes {
        file += &format!(", {}", bytes(size));
    }
    file += &format!("), read in {}", seconds(report.seconds));
    let mut out = labelled(style, "trace", &file);
    if report.complete_run {
        out += &labelled(style, "made by", "raceproof: a whole run of its machine");
    }
    let mut kinds = vec![counted(report.reads, "read"), counted(report.writes, "write")];
    let rest = [
        (report.atomics, "atomic access", "atomic accesses"),
        (report.acquires, "acquire", "acquires"),
        (report.inner_acquires, "re-entrant acquire", "re-entrant acquires"),
        (report.forks, "fork", "forks"),
        (report.joins, "join", "joins"),
        (report.other_synchronisation, "barrier, notify or wait", "of barrier, notify and wait"),
    ];
    for (number, one, many) in rest {
        if number > 0 {
            kinds.push(format!("{} {}", count(number), if number == 1 { one } else { many }));
        }
    }
    out += &labelled(style, "events", &format!("{}: {}", count(report.events), kinds.join(", ")));
    out += &labelled(style, "threads", &count(report.threads as u64));
    out += &labelled(style, "locks", &count(report.locks as u64));
    out += &labelled(style, "variables", &count(report.variables as u64));
    out += &labelled(style, "locations", &count(report.locations as u64));
    out += &labelled(style, "sections", &sections(&report.sections));
    if !report.left_out.is_empty() {
        let what = counted(report.left_out.len() as u64, "event");
        out += &labelled(style, "left out", &format!("{what} against the rules of a run"));
    }
    out
}

fn sections(s: &Sections) -> String {
    let mut text = if s.count == 0 {
        "none that ends".to_owned()
    } else {
        format!(
            "{}, up to {} deep, {:.1} events long on average and at most {}",
            count(s.count),
            s.deepest,
            s.mean_length,
            count(s.longest)
        )
    };
    if s.held_at_end > 0 {
        text += &format!("; {} still held at the end", counted(s.held_at_end, "lock"));
    }
    text
}
