//! RoadRunner's text: one event a line, as its tools print them.
//!
//! ```text
//! @     Start(0,1)
//! [main: @     Acquire(0,@01)]
//! Wr(1,@02.Counter.n)
//! ARd(1,@03[7])
//! ```
//!
//! `Acquire`, `Release`, `Rd`, `Wr`, `ARd`, `AWr` (elements), `VRd`, `VWr` (volatile: atomic), `Start`, `Join`; the first operand is
//! the thread. What stands before the event and behind it (values) is skipped, and so are lines without one of these events: a
//! log has messages too. The form has no locations: the number of the line is one. Waiting on a monitor has no event of
//! its own there; a trace in which somebody else takes the monitor meanwhile is refused by the rules of a run.

use memchr::memchr;

use crate::error::ReadError;
use crate::event::Event;
use crate::names::{BadName, Interners};
use crate::std_text::{malformed, trim};

/// The names and what they are in STD.
const EVENTS: [(&[u8], &str); 10] = [
    (b"Acquire", "acq"),
    (b"Release", "rel"),
    (b"Rd", "r"),
    (b"Wr", "w"),
    (b"ARd", "r"),
    (b"AWr", "w"),
    (b"VRd", "ar"),
    (b"VWr", "aw"),
    (b"Start", "fork"),
    (b"Join", "join"),
];

/// The event of a line: STD's operation, thread and operand.
fn event(line: &[u8]) -> Option<(&'static str, &[u8], &[u8])> {
    let mut from = 0;
    while let Some(open) = memchr(b'(', &line[from..]).map(|at| from + at) {
        let before = &line[..open];
        let start = before.iter().rposition(|b| !b.is_ascii_alphabetic()).map_or(0, |at| at + 1);
        let known = EVENTS.iter().find(|(name, _)| *name == &before[start..]);
        let inside = &line[open + 1..];
        let close = closing(inside);
        let parts = close.and_then(|close| Some((memchr(b',', &inside[..close])?, close)));
        if let (Some((_, op)), Some((comma, close))) = (known, parts) {
            let (thread, operand) = (trim(&inside[..comma]), trim(&inside[comma + 1..close]));
            if !thread.is_empty() && thread.iter().all(u8::is_ascii_digit) && !operand.is_empty() {
                return Some((op, thread, operand));
            }
        }
        from = open + 1;
    }
    None
}

/// Where the parenthesis that was opened before ends.
fn closing(text: &[u8]) -> Option<usize> {
    let mut depth = 0;
    text.iter().position(|b| match b {
        b'(' => {
            depth += 1;
            false
        }
        b')' => {
            depth -= 1;
            depth < 0
        }
        _ => false,
    })
}

/// Whether a line is an event of this form.
pub(crate) fn is_event(line: &[u8]) -> bool {
    event(line).is_some()
}

impl Interners {
    /// Reads one line without its end. `None` for a line without an event.
    pub(crate) fn roadrunner_line(&mut self, line: &[u8], number: u64) -> Result<Option<Event>, ReadError> {
        let Some((op, thread, operand)) = event(line) else { return Ok(None) };
        self.roadrunner_event(op, thread, operand, number).map(Some).map_err(|bad| malformed(bad, number))
    }

    fn roadrunner_event(
        &mut self,
        op: &str,
        thread: &[u8],
        operand: &[u8],
        number: u64,
    ) -> Result<Event, BadName> {
        let name = |number: &[u8]| [b"T", number].concat();
        let threads = matches!(op, "fork" | "join");
        let operand = if threads { name(operand) } else { operand.to_vec() };
        let thread = self.thread(&name(thread))?;
        let text = [op.as_bytes(), b"(", &operand, b")"].concat();
        let op = self.operation(&text, thread)?;
        Ok(Event { thread, op, location: self.location(number.to_string().as_bytes())? })
    }
}
