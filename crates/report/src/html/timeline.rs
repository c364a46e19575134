//! A schedule as swim lanes: a table with a column for each thread, time going down.
//!
//! The table is the whole content, readable and printable as it is; the script of the page makes its rows steps.

use base::{Place, Witness};

use super::escape;
use super::source::Sheets;
use crate::layout::{count, counted};
use crate::objects;
use crate::said;
use crate::schedule::{Ending, Names};

/// Of a schedule longer than both together, so many steps from the beginning and so many from the end are shown.
const HEAD: usize = 100;
const TAIL: usize = 900;
/// As many colours as the style sheet has.
const COLOURS: usize = 8;

/// What one thread does in one row.
pub(super) struct Cell {
    /// Its number in the list of names.
    pub thread: u32,
    pub place: Place,
    /// What is said of the place; without it, its line, and its file where there are several.
    pub at: Option<String>,
    pub action: String,
}

/// One row: a step, or what the schedule leads to.
pub(super) struct Step {
    /// In the first column.
    pub head: String,
    /// In a sentence: `Step 3 of 7`.
    pub name: String,
    pub cells: Vec<Cell>,
}

/// What is to be shown.
pub(super) struct Schedule {
    pub steps: Vec<Step>,
    /// How many steps come before these and are not told.
    pub earlier: u64,
    /// What they lead to.
    pub end: Option<Step>,
    /// What there is to see, in words: `7 steps`.
    pub caption: String,
    /// What is numbered in the first column.
    pub numbers: &'static str,
}

/// A table that is being written.
struct Lanes<'p, 's> {
    threads: Vec<u32>,
    several_files: bool,
    names: &'p dyn Fn(u32) -> String,
    sheets: &'p mut Sheets<'s>,
}

/// The figure of a witness; empty if it has no steps. `finding` names the last row.
pub(super) fn of_witness(
    witness: &Witness,
    endings: &[Ending],
    finding: &str,
    names: &Names,
    sheets: &mut Sheets<'_>,
) -> String {
    let length = witness.steps.len();
    let step = |(index, step): (usize, &base::Step)| Step {
        head: (index + 1).to_string(),
        name: format!("Step {} of {length}", index + 1),
        cells: vec![Cell {
            thread: step.thread,
            place: step.place.clone(),
            at: None,
            action: objects::brief(&said::action(&step.action)),
        }],
    };
    let cell = |e: &Ending| Cell {
        thread: e.thread,
        place: e.place.clone(),
        at: None,
        action: objects::brief(&e.action),
    };
    let end = Step {
        head: finding.to_owned(),
        name: format!("The {finding} after step {length} of {length}"),
        cells: endings.iter().map(cell).collect(),
    };
    let schedule = Schedule {
        steps: witness.steps.iter().enumerate().map(step).collect(),
        earlier: 0,
        end: (!endings.is_empty()).then_some(end),
        caption: counted(length as u64, "step"),
        numbers: "step",
    };
    render(&schedule, &|thread| names.of(thread), sheets)
}

/// The figure; empty without steps.
pub(super) fn render(schedule: &Schedule, names: &dyn Fn(u32) -> String, sheets: &mut Sheets<'_>) -> String {
    if schedule.steps.is_empty() {
        return String::new();
    }
    let cells = || schedule.steps.iter().chain(&schedule.end).flat_map(|step| &step.cells);
    let mut threads: Vec<u32> = cells().map(|cell| cell.thread).collect();
    threads.sort_unstable();
    threads.dedup();
    let mut files: Vec<&str> =
        cells().filter(|cell| cell.place.line > 0).map(|cell| cell.place.file.as_str()).collect();
    files.sort_unstable();
    files.dedup();
    let mut lanes = Lanes { threads, several_files: files.len() > 1, names, sheets };

    let caption = escape::text(&schedule.caption);
    let mut out = format!(
        "<figure class=\"timeline\" role=\"group\" aria-label=\"Schedule, {caption}; arrow keys step through it\">\n\
         <figcaption>{caption}, a column for each thread, time going down.</figcaption>\n<div class=\"bar\">"
    );
    for (value, name) in [("first", "First"), ("back", "Back"), ("next", "Next"), ("last", "Last")] {
        out += &format!("<button type=\"button\" value=\"{value}\">{name}</button>");
    }
    out +=
        "<output aria-live=\"polite\"></output></div>\n<div class=\"panes\"><div class=\"lanes\"><table>\n";
    out += &lanes.head(schedule.numbers);
    out += &lanes.body(schedule);
    out + "</table></div>\n<div class=\"follow\"></div></div>\n</figure>\n"
}

impl Lanes<'_, '_> {
    fn head(&self, numbers: &str) -> String {
        let mut out = format!("<thead><tr><th scope=\"col\">{numbers}</th>");
        for (index, &thread) in self.threads.iter().enumerate() {
            let name = escape::text(&(self.names)(thread));
            out += &format!("<th scope=\"col\" class=\"lane lane-{}\">{name}</th>", index % COLOURS);
        }
        out + "</tr></thead>\n"
    }

    fn body(&mut self, schedule: &Schedule) -> String {
        let steps = &schedule.steps;
        let left_out = if steps.len() > HEAD + TAIL { HEAD..steps.len() - TAIL } else { 0..0 };
        let mut out = String::from("<tbody>\n");
        if schedule.earlier > 0 {
            out += &self.gap(&format!("after {}", counted(schedule.earlier, "earlier event")));
        }
        for (index, step) in steps.iter().enumerate() {
            if !left_out.contains(&index) {
                out += &self.row("", step);
            } else if index == left_out.start {
                out += &self.gap(&format!("{} steps are left out here", count(left_out.len() as u64)));
            }
        }
        if let Some(end) = &schedule.end {
            out += &self.row(" class=\"finding\"", end);
        }
        out + "</tbody>\n"
    }

    fn gap(&self, text: &str) -> String {
        let columns = self.threads.len();
        format!("<tr class=\"left-out\"><th></th><td colspan=\"{columns}\">{text}</td></tr>\n")
    }

    fn row(&mut self, class: &str, step: &Step) -> String {
        let (name, head) = (escape::text(&step.name), escape::text(&step.head));
        let mut out = format!("<tr{class} data-name=\"{name}\"><th scope=\"row\">{head}</th>");
        for index in 0..self.threads.len() {
            let colour = index % COLOURS;
            let thread = self.threads[index];
            let mine: Vec<&Cell> = step.cells.iter().filter(|cell| cell.thread == thread).collect();
            match mine.as_slice() {
                [] => out += &format!("<td class=\"lane-{colour}\"></td>"),
                mine => out += &self.cell(colour, thread, mine),
            }
        }
        out + "</tr>\n"
    }

    /// A cell with what the thread does; where several things are said of one thread, the first has the place.
    fn cell(&mut self, colour: usize, thread: u32, cells: &[&Cell]) -> String {
        let actions: Vec<&str> = cells.iter().map(|cell| cell.action.as_str()).collect();
        let what = escape::text(&actions.join(", "));
        let who = escape::text(&(self.names)(thread));
        let mut out = format!("<td class=\"lane-{colour}\" data-who=\"{who}\" data-what=\"{what}\"");
        let Cell { place, at, .. } = cells[0];
        let spot = self.sheets.need(place);
        if let Some(spot) = spot {
            out += &format!(
                " data-file=\"{}\" data-line=\"{}\" data-from=\"{}\" data-to=\"{}\"",
                spot.file, spot.line, spot.from, spot.to
            );
        }
        let file = place.file.rsplit('/').next().unwrap_or(&place.file);
        let at = match (at, spot) {
            (Some(at), _) => Some(at.clone()),
            (None, Some(spot)) if self.several_files => Some(format!("{file}:{}", spot.line)),
            (None, Some(spot)) => Some(spot.line.to_string()),
            (None, None) => None,
        };
        let at = at.map_or(String::new(), |at| format!("<span class=\"at\">{}:</span> ", escape::text(&at)));
        out + &format!("><span class=\"event\">{at}{what}</span></td>")
    }
}
