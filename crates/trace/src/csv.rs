//! CSV text: a column for each thread, a row for each event.
//!
//! ```text
//! T1,T2,location
//! acq(l),,10
//! w(x),,11
//! ,r(x),20
//! ```
//!
//! The first row has the names of the threads; a last column named `location` has the program locations. Every further
//! row has exactly one thread's cell filled, with the operation as in STD ([`crate::std_text`]). A cell may carry its
//! location itself, `w(x)|11`; without any location the number of the line is the location. Fields may be quoted (`"`,
//! doubled inside), rows may end in CR LF, blank lines and lines that start with `#` are skipped, and blanks around a field do
//! not belong to it. No line breaks inside fields. Operations with commas in their operands must be quoted.

use std::borrow::Cow;

use memchr::memchr;

use crate::error::{Position, ReadError, show};
use crate::event::{Event, ThreadId};
use crate::names::Interners;
use crate::std_text::{malformed, trim};

/// The columns of a file.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    threads: Vec<ThreadId>,
    location: bool,
    /// Whether the first row has been read.
    known: bool,
}

impl Columns {
    /// Reads one row. `None` for the first row, an empty line or a comment.
    pub(crate) fn row(
        &mut self,
        names: &mut Interners,
        line: &[u8],
        number: u64,
    ) -> Result<Option<Event>, ReadError> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if trim(line).is_empty() || line[0] == b'#' {
            return Ok(None);
        }
        let fields = split(line, number)?;
        if !self.known {
            return self.header(names, &fields, number).map(|()| None);
        }
        self.event(names, &fields, number).map(Some)
    }

    fn header(
        &mut self,
        names: &mut Interners,
        fields: &[Cow<'_, [u8]>],
        number: u64,
    ) -> Result<(), ReadError> {
        let at = Position::Line(number);
        let (last, rest) =
            fields.split_last().ok_or_else(|| ReadError::new(at, "names of threads", "nothing"))?;
        self.location = last.eq_ignore_ascii_case(b"location");
        for (i, field) in (if self.location { rest } else { fields }).iter().enumerate() {
            let thread = names.thread(field).map_err(|bad| malformed(bad, number))?;
            if thread.index() != i {
                return Err(ReadError::new(at, "a column for each thread", format!("{} twice", show(field))));
            }
            self.threads.push(thread);
        }
        if self.threads.is_empty() {
            return Err(ReadError::new(at, "names of threads", "only a location column"));
        }
        self.known = true;
        Ok(())
    }

    fn event(
        &self,
        names: &mut Interners,
        fields: &[Cow<'_, [u8]>],
        number: u64,
    ) -> Result<Event, ReadError> {
        let at = Position::Line(number);
        let columns = self.threads.len() + usize::from(self.location);
        if fields.len() != columns {
            return Err(ReadError::new(at, format!("{columns} columns"), fields.len().to_string()));
        }
        let mut filled = fields[..self.threads.len()].iter().enumerate().filter(|(_, f)| !f.is_empty());
        let Some((column, cell)) = filled.next() else {
            return Err(ReadError::new(at, "an event in one thread's column", "none"));
        };
        if let Some((other, _)) = filled.next() {
            let found = format!("events in columns {} and {}", column + 1, other + 1);
            return Err(ReadError::new(at, "an event in one thread's column", found));
        }
        let thread = self.threads[column];
        let (action, own) = match memchr(b'|', cell) {
            Some(bar) => (trim(&cell[..bar]), Some(trim(&cell[bar + 1..]))),
            None => (trim(cell), None),
        };
        let op = names.operation(action, thread).map_err(|bad| malformed(bad, number))?;
        let line_number;
        let location: &[u8] = match (own, self.location) {
            (Some(own), _) => own,
            (None, true) => &fields[columns - 1],
            (None, false) => {
                line_number = number.to_string();
                line_number.as_bytes()
            }
        };
        let location = names.location(location).map_err(|bad| malformed(bad, number))?;
        Ok(Event { thread, op, location })
    }
}

/// Splits a row into its fields.
fn split(line: &[u8], number: u64) -> Result<Vec<Cow<'_, [u8]>>, ReadError> {
    let mut fields = Vec::new();
    let mut rest = line;
    loop {
        let (field, after) = match rest.first() {
            Some(b'"') => quoted(&rest[1..], number)?,
            _ => {
                let end = memchr(b',', rest).unwrap_or(rest.len());
                (Cow::Borrowed(trim(&rest[..end])), &rest[end..])
            }
        };
        fields.push(field);
        match after {
            [] => return Ok(fields),
            [b',', next @ ..] => rest = next,
            other => {
                return Err(ReadError::new(Position::Line(number), "`,` after a quoted field", show(other)));
            }
        }
    }
}

/// A quoted field after its first quote, and what comes after it.
fn quoted(rest: &[u8], number: u64) -> Result<(Cow<'_, [u8]>, &[u8]), ReadError> {
    let mut text = Vec::new();
    let mut at = 0;
    loop {
        let Some(quote) = memchr(b'"', &rest[at..]) else {
            return Err(ReadError::new(Position::Line(number), "a closing `\"`", "the end of the line"));
        };
        text.extend_from_slice(&rest[at..at + quote]);
        at += quote + 1;
        if rest.get(at) != Some(&b'"') {
            return Ok((Cow::Owned(text), &rest[at..]));
        }
        text.push(b'"');
        at += 1;
    }
}
