//! What a trace says of its own making: that it is a whole run of raceproof's machine, and which of its reads steer.
//!
//! Such a trace has every access and all synchronisation, in the order of the run. A read *steers* if its value can reach a
//! condition, an address or the like, directly or through memory. Whoever triages needs both (`raceproof triage`); readers that do
//! not care skip it.
//!
//! In text these are comments before the first event, in CSV after the row with the threads:
//!
//! ```text
//! # raceproof run 81
//! # raceproof steers 11 12 24
//! ```
//!
//! The first line has the number of events, the others (any number of them) the numbers of reads from 1, ascending. In the
//! binary form these are blocks of their own ([`crate::binary`]). A trace that was changed since, so that the number of
//! events or the kind of a marked event is another, does not count as one of the machine: [`Origin::holds`].

use crate::error::{Position, ReadError, show};
use crate::event::{EventId, Trace};

/// How the comments begin.
const PREFIX: &[u8] = b"# raceproof ";
/// So many numbers go into one line.
const PER_LINE: usize = 1000;

/// A whole run of the machine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// How many events the run has.
    pub events: u64,
    /// The reads whose value steers, ascending.
    pub steering: Vec<EventId>,
}

impl Origin {
    /// Whether this can be the origin of the trace: it has as many events, and what is marked are reads.
    pub fn holds(&self, trace: &Trace) -> bool {
        let reads = |id: &EventId| trace.events.get(id.index()).is_some_and(|e| e.op.is_read());
        self.events == trace.len() as u64 && self.steering.iter().all(reads)
    }

    /// Adds a mark; the number is in the order of the file.
    pub(crate) fn mark(&mut self, number: u64) -> Result<(), String> {
        let after = self.steering.last().map_or(0, |last| last.number());
        if number <= after || number > self.events {
            return Err(format!("an event number from {} to {}", after + 1, self.events));
        }
        self.steering.push(EventId((number - 1) as u32));
        Ok(())
    }

    /// As comments.
    pub(crate) fn text(&self) -> String {
        let mut out = format!("# raceproof run {}\n", self.events);
        for line in self.steering.chunks(PER_LINE) {
            let numbers: Vec<String> = line.iter().map(|id| id.number().to_string()).collect();
            out += &format!("# raceproof steers {}\n", numbers.join(" "));
        }
        out
    }
}

/// Reads a line that is no event and comes before all events; most are not about this.
pub(crate) fn line(origin: &mut Option<Origin>, line: &[u8], number: u64) -> Result<(), ReadError> {
    let Some(rest) = line.trim_ascii().strip_prefix(PREFIX) else { return Ok(()) };
    let error =
        |expected: String, found: &[u8]| ReadError::new(Position::Line(number), expected, show(found));
    let text = std::str::from_utf8(rest).unwrap_or("");
    let mut words = text.split_ascii_whitespace();
    match (words.next(), origin) {
        (Some("run"), origin) => {
            let events = words.next().and_then(|word| word.parse::<u32>().ok());
            let (Some(events), None) = (events, words.next()) else {
                return Err(error("`# raceproof run` and the number of events".into(), line));
            };
            *origin = Some(Origin { events: events.into(), steering: Vec::new() });
        }
        (Some("steers"), Some(origin)) => {
            for word in words {
                let number = word.parse().map_err(|_| "an event number".to_owned());
                number.and_then(|n| origin.mark(n)).map_err(|what| error(what, word.as_bytes()))?;
            }
        }
        (Some("steers"), None) => {
            return Err(error("`# raceproof run` before `# raceproof steers`".into(), line));
        }
        // Some other comment.
        _ => {}
    }
    Ok(())
}
