//! Logs of race detectors: ThreadSanitizer's and Go's reports. They hold no trace, but of each race the two accesses, their places and the
//! locks that were held; that becomes a small trace, in which nothing else orders the two.
//!
//! ```text
//! WARNING: ThreadSanitizer: data race (pid=7)
//!   Write of size 4 at 0x5581 by thread T1 (mutexes: write M0):
//!     #0 work count.c:9:5 (count+0x1234)
//!   Previous read of size 4 at 0x5581 by main thread:
//!     #0 main count.c:20:7 (count+0x1300)
//! ```
//!
//! Go's begin with `WARNING: DATA RACE` and have goroutines and two lines for each frame. The place of an access is that of its innermost
//! frame with a line in a file. Each report has a variable of its own, since an address may be used again.

use crate::error::{Position, ReadError};

/// One side of a report.
struct Side {
    writes: bool,
    atomic: bool,
    address: String,
    thread: String,
    locks: Vec<String>,
    place: Option<String>,
}

/// Whether a line begins a report.
fn begins(line: &str) -> bool {
    line.contains("WARNING: ThreadSanitizer: data race") || line.trim() == "WARNING: DATA RACE"
}

/// Whether a text is such a log.
pub(crate) fn is_log(text: &[u8]) -> bool {
    text.split(|b| *b == b'\n').any(|line| std::str::from_utf8(line).is_ok_and(begins))
}

/// The events of a log in the form of [`crate::std_text`].
pub(crate) fn as_std(text: &[u8]) -> Result<String, ReadError> {
    let text = String::from_utf8_lossy(text);
    let mut out = String::new();
    let mut sides: Option<Vec<Side>> = None;
    let mut open = false;
    let mut reports = 0;
    for (line, number) in text.lines().zip(1..) {
        if begins(line) {
            sides = finish(sides.take(), &mut reports, &mut out, number)?.or(Some(Vec::new()));
            open = false;
        } else if let Some(found) = &mut sides {
            match side(line) {
                Some(side) if found.len() < 2 => {
                    found.push(side);
                    open = true;
                }
                // Other stacks: where threads and memory come from.
                _ if line.trim().is_empty() => open = false,
                _ => {
                    let last = found.last_mut().filter(|side| open && side.place.is_none());
                    last.into_iter().for_each(|side| side.place = place(line));
                }
            }
        }
    }
    finish(sides, &mut reports, &mut out, text.lines().count() as u64)?;
    Ok(out)
}

/// Writes the events of a report, the earlier access first. Gives room for the next one.
fn finish(
    sides: Option<Vec<Side>>,
    reports: &mut u32,
    out: &mut String,
    line: u64,
) -> Result<Option<Vec<Side>>, ReadError> {
    let Some(sides) = sides else { return Ok(None) };
    let [later, earlier] = <[Side; 2]>::try_from(sides).map_err(|found| {
        ReadError::new(Position::Line(line), "a report of two accesses", found.len().to_string())
    })?;
    *reports += 1;
    for side in [earlier, later] {
        let Side { writes, atomic, address, thread, locks, place } = side;
        let op = ["r", "w", "ar", "aw"][usize::from(writes) + 2 * usize::from(atomic)];
        let place = place.unwrap_or_else(|| "unknown".into());
        for lock in &locks {
            out.push_str(&format!("{thread}|acq({lock})|{place}\n"));
        }
        out.push_str(&format!("{thread}|{op}({address}#{reports})|{place}\n"));
        for lock in locks.iter().rev() {
            out.push_str(&format!("{thread}|rel({lock})|{place}\n"));
        }
    }
    Ok(Some(Vec::new()))
}

/// The first line of a side: what is accessed by whom.
fn side(line: &str) -> Option<Side> {
    let line = line.trim();
    let words = line.to_ascii_lowercase();
    let words = words.strip_prefix("previous ").unwrap_or(&words);
    let atomic = words.starts_with("atomic ");
    let words = words.strip_prefix("atomic ").unwrap_or(words);
    let writes = words.starts_with("write ");
    if !writes && !words.starts_with("read ") {
        return None;
    }
    let (_, rest) = line.split_once(" at ")?;
    let (address, by) = rest.split_once(" by ")?;
    let by = by.trim_end_matches(':');
    let (thread, locks) = match by.split_once(" (mutexes:") {
        Some((thread, locks)) => (thread, locks.trim_end_matches(')')),
        None => (by, ""),
    };
    let locks = locks.split(',').filter_map(|lock| lock.split_whitespace().last());
    let locks = locks.map(str::to_owned).collect();
    let thread = match thread {
        "main thread" | "main goroutine" => "main".to_owned(),
        other => other.rsplit(' ').next().unwrap_or(other).to_owned(),
    };
    Some(Side { writes, atomic, address: address.trim().to_owned(), thread, locks, place: None })
}

/// The place in a line of a stack, if it has one.
fn place(line: &str) -> Option<String> {
    let words = line.split_whitespace().filter(|word| !word.starts_with('#'));
    let is_place = |word: &&str| {
        let mut parts = word.rsplit(':');
        parts.next().is_some_and(|last| last.parse::<u32>().is_ok())
            && parts.next().is_some_and(|file| !file.is_empty())
    };
    let found = words.filter(is_place).last()?;
    Some(found.trim_matches(['(', ')']).replace('|', "_"))
}
