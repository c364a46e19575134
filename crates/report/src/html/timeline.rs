//! The schedule of a witness as swim lanes: a table with a column for each thread, time going down.
//!
//! The table is the whole content, readable and printable as it is; the script of the page makes its rows steps.

use base::{Place, Witness};

use super::escape;
use super::source::Sheets;
use crate::layout::{count, counted};
use crate::schedule::{Ending, Names};

/// Of a schedule longer than both together, so many steps from the beginning and so many from the end are shown.
const HEAD: usize = 100;
const TAIL: usize = 900;
/// As many colours as the style sheet has.
const COLOURS: usize = 8;

/// What one thread does in one row.
struct Cell<'w> {
    thread: u32,
    place: &'w Place,
    action: &'w str,
}

/// A table that is being written.
struct Lanes<'p, 's> {
    threads: Vec<u32>,
    several_files: bool,
    names: &'p Names,
    sheets: &'p mut Sheets<'s>,
}

/// The figure; empty if the witness has no steps. `finding` names the last row.
pub(super) fn render(
    witness: &Witness,
    endings: &[Ending],
    finding: &str,
    names: &Names,
    sheets: &mut Sheets<'_>,
) -> String {
    if witness.steps.is_empty() {
        return String::new();
    }
    let mut threads: Vec<u32> = witness.steps.iter().map(|step| step.thread).collect();
    threads.extend(endings.iter().map(|ending| ending.thread));
    threads.sort_unstable();
    threads.dedup();
    let places =
        witness.steps.iter().map(|step| &step.place).chain(endings.iter().map(|ending| &ending.place));
    let mut files: Vec<&str> =
        places.filter(|place| place.line > 0).map(|place| place.file.as_str()).collect();
    files.sort_unstable();
    files.dedup();
    let mut lanes = Lanes { threads, several_files: files.len() > 1, names, sheets };

    let steps = counted(witness.steps.len() as u64, "step");
    let number = witness.steps.len();
    let mut out = format!(
        "<figure class=\"timeline\" role=\"group\" data-steps=\"{number}\" aria-label=\"Schedule, {steps}; arrow keys \
         step through it\">\n<figcaption>{steps}, a column for each thread, time going down.</figcaption>\n"
    );
    out += "<div class=\"bar\">";
    for (value, name) in [("first", "First"), ("back", "Back"), ("next", "Next"), ("last", "Last")] {
        out += &format!("<button type=\"button\" value=\"{value}\">{name}</button>");
    }
    out +=
        "<output aria-live=\"polite\"></output></div>\n<div class=\"panes\"><div class=\"lanes\"><table>\n";
    out += &lanes.head();
    out += &lanes.body(witness, endings, finding);
    out + "</table></div>\n<div class=\"follow\"></div></div>\n</figure>\n"
}

impl Lanes<'_, '_> {
    fn head(&self) -> String {
        let mut out = String::from("<thead><tr><th scope=\"col\">step</th>");
        for (index, &thread) in self.threads.iter().enumerate() {
            let name = escape::text(&self.names.of(thread));
            out += &format!("<th scope=\"col\" class=\"lane lane-{}\">{name}</th>", index % COLOURS);
        }
        out + "</tr></thead>\n"
    }

    fn body(&mut self, witness: &Witness, endings: &[Ending], finding: &str) -> String {
        let steps = &witness.steps;
        let left_out = if steps.len() > HEAD + TAIL { HEAD..steps.len() - TAIL } else { 0..0 };
        let mut out = String::from("<tbody>\n");
        for (index, step) in steps.iter().enumerate() {
            if left_out.contains(&index) {
                if index == left_out.start {
                    let (columns, number) = (self.threads.len(), count(left_out.len() as u64));
                    out += &format!(
                        "<tr class=\"left-out\"><th></th><td colspan=\"{columns}\">{number} steps are left out \
                         here</td></tr>\n"
                    );
                }
                continue;
            }
            let number = index + 1;
            let cell = Cell { thread: step.thread, place: &step.place, action: &step.action };
            out += &self.row("", &format!("Step {number}"), &number.to_string(), &[cell]);
        }
        let cells: Vec<Cell<'_>> =
            endings.iter().map(|e| Cell { thread: e.thread, place: &e.place, action: &e.action }).collect();
        if !cells.is_empty() {
            out += &self.row(
                " class=\"finding\"",
                &format!("The {finding} after step {}", steps.len()),
                finding,
                &cells,
            );
        }
        out + "</tbody>\n"
    }

    fn row(&mut self, class: &str, name: &str, head: &str, cells: &[Cell<'_>]) -> String {
        let (name, head) = (escape::text(name), escape::text(head));
        let mut out = format!("<tr{class} data-name=\"{name}\"><th scope=\"row\">{head}</th>");
        for index in 0..self.threads.len() {
            let colour = index % COLOURS;
            let thread = self.threads[index];
            let mine: Vec<&Cell<'_>> = cells.iter().filter(|cell| cell.thread == thread).collect();
            match mine.as_slice() {
                [] => out += &format!("<td class=\"lane-{colour}\"></td>"),
                mine => out += &self.cell(colour, thread, mine),
            }
        }
        out + "</tr>\n"
    }

    /// A cell with what the thread does; where several things are said of one thread, the first has the place.
    fn cell(&mut self, colour: usize, thread: u32, cells: &[&Cell<'_>]) -> String {
        let actions: Vec<&str> = cells.iter().map(|cell| cell.action).collect();
        let what = escape::text(&actions.join(", "));
        let who = escape::text(&self.names.of(thread));
        let mut out = format!("<td class=\"lane-{colour}\" data-who=\"{who}\" data-what=\"{what}\"");
        let place = cells[0].place;
        let at = match self.sheets.need(place) {
            Some(spot) => {
                out += &format!(
                    " data-file=\"{}\" data-line=\"{}\" data-from=\"{}\" data-to=\"{}\"",
                    spot.file, spot.line, spot.from, spot.to
                );
                let file = place.file.rsplit('/').next().unwrap_or(&place.file);
                let file =
                    if self.several_files { format!("{}:", escape::text(file)) } else { String::new() };
                format!("<span class=\"at\">{file}{}:</span> ", spot.line)
            }
            None => String::new(),
        };
        out + &format!("><span class=\"event\">{at}{what}</span></td>")
    }
}
