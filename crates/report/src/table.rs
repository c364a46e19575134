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

/// The last column is not wrapped into less than this.
pub(crate) const NARROWEST: usize = 14;

/// How wide the table is, without its last column and the blanks before that.
pub(crate) fn width_before_last(columns: &[(&str, Align)], rows: &[Vec<String>]) -> usize {
    let widths = widths(columns, rows);
    widths[..widths.len().saturating_sub(1)].iter().map(|width| width + 2).sum::<usize>().saturating_sub(2)
}

fn widths(columns: &[(&str, Align)], rows: &[Vec<String>]) -> Vec<usize> {
    let widest = |i: usize| {
        let cells = rows.iter().filter_map(|row| row.get(i)).map(|cell| cell.width());
        cells.chain([columns[i].0.width()]).max().unwrap_or(0)
    };
    (0..columns.len()).map(widest).collect()
}

/// A table under a heading, two blanks between columns. Every row has as many cells as there are columns. The last column is
/// wrapped if the table would be too wide otherwise.
pub(crate) fn table(style: &Style, columns: &[(&str, Align)], rows: &[Vec<String>]) -> String {
    let widths = widths(columns, rows);
    let indent = width_before_last(columns, rows) + 2;
    let room = style.width.saturating_sub(indent);
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
        let mut cells: Vec<&str> = row.iter().map(String::as_str).collect();
        let wrapped = match cells.last() {
            Some(last) if columns.len() > 1 && last.width() > room && room >= NARROWEST => {
                textwrap::wrap(last, textwrap::Options::new(room).break_words(false))
            }
            _ => Vec::new(),
        };
        if let (Some(last), Some(first)) = (cells.last_mut(), wrapped.first()) {
            *last = first;
        }
        out += &line(cells);
        out.push('\n');
        for more in wrapped.iter().skip(1) {
            out += &format!("{}{more}\n", " ".repeat(indent));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_column_is_wrapped() {
        let style = Style { width: 24, ..Style::default() };
        let columns = [("name", Align::Left), ("n", Align::Right), ("means", Align::Left)];
        let rows = [["a", "10", "there may be other ones"], ["b", "2", "none"]]
            .map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(
            table(&style, &columns, &rows),
            "name   n  means\na     10  there may be\n          other ones\nb      2  none\n"
        );
    }
}
