//! Reports as one HTML file each: offline, printable, light and dark.
//!
//! A page needs nothing from outside itself, and its content security policy forbids it: the style sheet
//! (`page.css`) and the script (`page.js`) are in it, known by their hashes. Everything can be read without the
//! script, which only adds stepping through the schedules, with the source lines following, the filter, and moving and
//! enlarging graphs. All text from a report goes through `escape`. Every page has the same frame (`page`): verdict, what
//! it rests on, contents with the filter, findings, and what else there is.

mod check;
mod escape;
mod finding;
mod graph;
mod locks;
mod order;
mod page;
mod predict;
mod source;
mod timeline;
mod triage;

pub use check::render;
pub use locks::render as locks;
pub use predict::{WITNESSES, render as predict};
pub use triage::render as triage;
