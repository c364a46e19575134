//! Plain tables: columns as wide as their widest cell, numbers to the right, no ruler.

use unicode_width::UnicodeWidthStr;

use crate::Style;
use crate::layout::{Tone, paint};

/// Where a column's text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    /// At the left: names.
    Left,
    /// At the right: numbers.
    Right,
}

/// A table under a heading, two blanks between columns. Every row has as many cells as there are columns.
pub(crate) fn table(style: &Style, columns: &[(&str, Align)], rows: &[Vec<String>]) -> String {
    let widest = |i: usize| {
        let cells = rows.iter().filter_map(|row| row.get(i)).map(|cell| cell.width());
        cells.chain([columns[i].0.width()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns.len()).map(widest).collect();
    let line = |cells: Vec<&str>| {
        let mut out = String::new();
        for (i, cell) in cells.iter().enumerate() {
            let blanks = " ".repeat(widths[i] - cell.width());
            let between = if i == 0 { "" } else { "  " };
            out += &match columns[i].1 {
                Align::Left => format!("{between}{cell}{blanks}"),
                Align::Right => format!("{between}{blanks}{cell}"),
            };
        }
        out.trim_end().to_owned()
    };
    let mut out = paint(style, Tone::Label, &line(columns.iter().map(|c| c.0).collect()));
    out.push('\n');
    for row in rows {
        out += &line(row.iter().map(String::as_str).collect());
        out.push('\n');
    }
    out
}
