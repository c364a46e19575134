//! Reading of traces.

use memchr::memchr;

use crate::check;
use crate::error::{Error, Position, ReadError};
use crate::event::Trace;
use crate::names::Interners;

/// Reads STD text from memory, checks the rules, normalises re-entrant locks.
pub fn read_std(text: &[u8]) -> Result<Trace, Error> {
    let mut names = Interners::default();
    let mut events = Vec::new();
    let mut lines = Vec::new();
    let (mut rest, mut number) = (text, 0);
    while !rest.is_empty() {
        let end = memchr(b'\n', rest).unwrap_or(rest.len());
        number += 1;
        if let Some(e) = names.std_line(&rest[..end], number)? {
            events.push(e);
            lines.push(number);
        }
        rest = &rest[(end + 1).min(rest.len())..];
    }
    if events.is_empty() {
        return Err(ReadError::new(Position::Whole, "a trace", "no event").into());
    }
    let mut trace = Trace { events, names: names.names };
    check::normalise(&mut trace).map_err(|mut e| {
        e.line = lines.get(e.event.index()).copied();
        e
    })?;
    Ok(trace)
}
