//! The schedule of a witness, one column a thread, time going down.
//!
//! Long schedules lose their middle, because the beginning (who was created where) and the end (what led to the
//! finding) say most. Where the columns would become too narrow to read, the same rows become a list.

use std::collections::BTreeMap;

use base::said::Action;
use base::{Place, Said, Step, ThreadLabel};
use unicode_width::UnicodeWidthStr;

use crate::Style;
use crate::layout::{Tone, count, paint};
use crate::objects;
use crate::said;

/// Rows kept of a long schedule: so many from its beginning and so many from its end.
const HEAD: usize = 6;
const TAIL: usize = 10;
/// No column narrower than this.
const NARROWEST: usize = 20;
/// The blanks between columns.
const GAP: usize = 2;
/// The column with the numbers of the steps.
const GUTTER: usize = 8;

/// What the threads are called in this finding.
#[derive(Debug, Default)]
pub(crate) struct Names(BTreeMap<u32, String>);

impl Names {
    /// The names in these labels; other threads are called by their number.
    pub fn new<'l>(labels: impl IntoIterator<Item = &'l ThreadLabel>) -> Names {
        Names(labels.into_iter().map(|label| (label.id, said::who(&label.name))).collect())
    }

    pub fn of(&self, thread: u32) -> String {
        match self.0.get(&thread) {
            Some(name) => name.clone(),
            None if thread == 0 => "main".to_owned(),
            None => format!("thread {thread}"),
        }
    }
}

/// What happens at the end of the schedule: a cell for each thread that is part of the finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ending {
    pub thread: u32,
    pub place: Place,
    pub action: String,
}

struct Row {
    head: String,
    cells: Vec<(u32, String)>,
    tone: Option<Tone>,
}

/// The rows of the schedule, each ending with a newline; the last row is the finding itself, headed `finding`.
pub(crate) fn render(
    steps: &[Step],
    endings: &[Ending],
    finding: &str,
    names: &Names,
    style: &Style,
) -> String {
    // The last row says what the last steps say.
    let said = |step: &&Step| {
        let same = |e: &Ending| {
            (e.thread, e.place.line) == (step.thread, step.place.line)
                && e.action == said::action(&step.action)
        };
        !style.verbose && endings.iter().any(same)
    };
    let steps = &steps[..steps.len() - steps.iter().rev().take_while(said).count()];
    let rows = rows(steps, endings, finding, style);
    let threads: Vec<u32> = threads(steps, endings);
    let room = style.width.saturating_sub(GUTTER + GAP * threads.len().saturating_sub(1));
    if !threads.is_empty() && room / threads.len() >= NARROWEST {
        in_columns(&rows, &threads, room, names, style)
    } else {
        as_list(&rows, names, style)
    }
}

fn threads(steps: &[Step], endings: &[Ending]) -> Vec<u32> {
    let mut threads: Vec<u32> = steps.iter().map(|step| step.thread).collect();
    threads.extend(endings.iter().map(|ending| ending.thread));
    threads.sort_unstable();
    threads.dedup();
    threads
}

fn rows(steps: &[Step], endings: &[Ending], finding: &str, style: &Style) -> Vec<Row> {
    let mut files: Vec<&str> = steps.iter().map(|step| step.place.file.as_str()).collect();
    files.extend(endings.iter().map(|ending| ending.place.file.as_str()));
    files.sort_unstable();
    files.dedup();
    let several_files = files.len() > 1;

    let mut rows = Vec::new();
    let runs = if style.verbose { (0..steps.len()).map(|i| i..i + 1).collect() } else { fold(steps) };
    let elided = if style.verbose || runs.len() <= HEAD + TAIL + 2 { 0..0 } else { HEAD..runs.len() - TAIL };
    for (index, run) in runs.iter().enumerate() {
        if elided.contains(&index) {
            if index == elided.start {
                let left_out = runs[elided.clone()].iter().map(|run| run.len() as u64).sum();
                let head = format!("  ... {} more steps (--verbose shows them)", count(left_out));
                rows.push(Row { head, cells: Vec::new(), tone: Some(Tone::Dim) });
            }
            continue;
        }
        let step = &steps[run.start];
        let same = steps[run.clone()].iter().all(|s| s.action == step.action);
        let action = match run.len() as u64 {
            1 => said::action(&step.action),
            n if same => format!("{} ({} times)", said::action(&step.action), count(n)),
            n => format!("takes {} tasks", count(n)),
        };
        let cell = cell(&step.place, &action, several_files);
        rows.push(Row {
            head: format!("{:>5}", run.start + 1),
            cells: vec![(step.thread, cell)],
            tone: None,
        });
    }
    if !endings.is_empty() {
        let cells = endings.iter().map(|e| (e.thread, cell(&e.place, &e.action, several_files))).collect();
        rows.push(Row { head: format!("{finding:>5}"), cells, tone: Some(Tone::Bad) });
    }
    rows
}

/// Steps that one thread repeats in one line, together; so are the tasks that it takes there.
fn fold(steps: &[Step]) -> Vec<std::ops::Range<usize>> {
    let mut runs: Vec<std::ops::Range<usize>> = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let same = |before: &Step| {
            let line = |s: &Step| (s.thread, s.place.file.clone(), s.place.line);
            let tasks = [before, step].iter().all(|s| matches!(s.action, Said::Typed(Action::TakesTask(_))));
            line(before) == line(step) && (before.action == step.action || tasks)
        };
        match runs.last_mut() {
            Some(run) if same(&steps[run.start]) => run.end = index + 1,
            _ => runs.push(index..index + 1),
        }
    }
    runs
}

fn cell(place: &Place, action: &str, several_files: bool) -> String {
    let action = objects::brief(action);
    match place.line {
        0 => action,
        line if several_files => {
            let file = place.file.rsplit('/').next().unwrap_or(&place.file);
            format!("{file}:{line}: {action}")
        }
        line => format!("{line}: {action}"),
    }
}

fn in_columns(rows: &[Row], threads: &[u32], room: usize, names: &Names, style: &Style) -> String {
    let widths = column_widths(rows, threads, room, names);
    let headings: Vec<(u32, String)> = threads.iter().map(|&thread| (thread, names.of(thread))).collect();
    let mut out = columns("", &headings, threads, &widths, Some(Tone::Label), style);
    for row in rows {
        if row.cells.is_empty() {
            out += &paint(style, Tone::Dim, &row.head);
            out.push('\n');
        } else {
            out += &columns(&row.head, &row.cells, threads, &widths, row.tone, style);
        }
    }
    out
}

/// As wide as the widest cell if all fit, else equal shares of the room.
fn column_widths(rows: &[Row], threads: &[u32], room: usize, names: &Names) -> Vec<usize> {
    let natural: Vec<usize> = threads
        .iter()
        .map(|&thread| {
            let cells = rows.iter().flat_map(|row| &row.cells).filter(|(of, _)| *of == thread);
            cells.map(|(_, cell)| cell.width()).chain([names.of(thread).width()]).max().unwrap_or(0)
        })
        .collect();
    if natural.iter().sum::<usize>() <= room { natural } else { vec![room / threads.len(); threads.len()] }
}

/// One row of cells, each wrapped into its column.
fn columns(
    head: &str,
    cells: &[(u32, String)],
    threads: &[u32],
    widths: &[usize],
    tone: Option<Tone>,
    style: &Style,
) -> String {
    let wrapped: Vec<Vec<String>> = threads
        .iter()
        .zip(widths)
        .map(|(thread, &width)| {
            let mine = cells.iter().filter(|(of, _)| of == thread);
            mine.flat_map(|(_, cell)| textwrap::wrap(cell, width.max(1)))
                .map(|line| line.into_owned())
                .collect()
        })
        .collect();
    let height = wrapped.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let mut out = String::new();
    for line in 0..height {
        let mut plain = format!("{:GUTTER$}", if line == 0 { head } else { "" });
        for (column, width) in wrapped.iter().zip(widths) {
            let text = column.get(line).map_or("", String::as_str);
            plain += text;
            plain += &" ".repeat(width.saturating_sub(text.width()) + GAP);
        }
        let plain = plain.trim_end();
        match tone {
            Some(tone) => out += &paint(style, tone, plain),
            None => out += plain,
        }
        out.push('\n');
    }
    out
}

fn as_list(rows: &[Row], names: &Names, style: &Style) -> String {
    let mut out = String::new();
    for row in rows {
        if row.cells.is_empty() {
            out += &paint(style, Tone::Dim, &row.head);
            out.push('\n');
        }
        for (thread, cell) in &row.cells {
            let text = format!("{:GUTTER$}{}, {cell}", row.head, names.of(*thread));
            let indent = " ".repeat(GUTTER);
            let options = textwrap::Options::new(style.width.max(30)).subsequent_indent(&indent);
            out += &textwrap::fill(&text, options);
            out.push('\n');
        }
    }
    out
}
