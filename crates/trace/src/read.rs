//! Reading of traces: the form is found by content, gzip and zstd are taken off, rules are checked, all as a stream.
//!
//! A [`Reader`] gives one event after another, with memory for the names and a few hundred kilobytes of buffers.
//! Whatever the input, it returns an [`Error`] that says where and what was expected, and never panics.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use memchr::memchr;

use crate::binary::{self, Decoder};
use crate::check::Checker;
use crate::csv::Columns;
use crate::error::{Error, Position, ReadError};
use crate::event::{Event, EventId, Names, Trace};
use crate::input::Input;
use crate::names::Interners;
use crate::origin::{self, Origin};
use crate::std_text::trim;
use crate::{reports, roadrunner};

/// The form of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// [`crate::std_text`].
    Std,
    /// [`crate::csv`].
    Csv,
    /// [`crate::binary`].
    Binary,
}

enum Body {
    Std,
    Csv(Columns),
    RoadRunner,
    Binary(Box<Decoder>),
}

/// Reads a trace as a stream of events.
pub struct Reader<'a> {
    input: Input<'a>,
    body: Body,
    names: Interners,
    checker: Option<Checker>,
    /// The line read last, from 1.
    line: u64,
    /// How many events have been read.
    events: u64,
    /// Whether the end has been seen.
    ended: bool,
    /// What the file says of its making.
    origin: Option<Origin>,
    /// See [`Reader::expected_events`].
    expected: u64,
}

impl<'a> Reader<'a> {
    /// Starts reading; finds out the form.
    pub fn new(source: impl Read + Send + 'a) -> Result<Reader<'a>, Error> {
        let mut input = Input::new(Box::new(source))?;
        let body = match detect(&mut input)? {
            Found::Own(Format::Std) => Body::Std,
            Found::Own(Format::Csv) => Body::Csv(Columns::default()),
            Found::Own(Format::Binary) => Body::Binary(Box::new(Decoder::header(&mut input)?)),
            Found::RoadRunner => Body::RoadRunner,
            Found::Reports => {
                let events = reports::as_std(input.rest()?)?;
                input = Input::new(Box::new(std::io::Cursor::new(events)))?;
                Body::Std
            }
        };
        Ok(Reader::start(input, body))
    }

    fn start(input: Input<'a>, body: Body) -> Reader<'a> {
        let checker = Some(Checker::new());
        let names = Interners::default();
        Reader { input, body, names, checker, line: 0, events: 0, ended: false, origin: None, expected: 0 }
    }

    /// Opens a file.
    pub fn open(path: &Path) -> Result<Reader<'static>, Error> {
        let file = File::open(path).map_err(|e| {
            ReadError::new(Position::Whole, "a readable file", format!("{}: {e}", path.display()))
        })?;
        Reader::new(file)
    }

    /// Says how many bytes the source has, so that [`Reader::expected_events`] can guess.
    pub fn expecting(mut self, bytes: u64) -> Reader<'a> {
        let each = match self.body {
            // What is packed takes about 3 bytes an event, and the shortest lines have 8.
            Body::Binary(_) => 2,
            Body::Std | Body::Csv(_) | Body::RoadRunner => 8,
        };
        self.expected = if self.input.is_plain() { bytes / each } else { 0 };
        self
    }

    /// A guess of how many events there are, rather too many than too few; 0 if it cannot tell.
    pub fn expected_events(&self) -> u64 {
        self.expected
    }

    /// Does not check the rules of a run, and leaves re-entrant locks as they are.
    pub fn unchecked(mut self) -> Reader<'a> {
        self.checker = None;
        self
    }

    /// The form of the file; of text of other tools STD, which it is nearest to.
    pub fn format(&self) -> Format {
        match self.body {
            Body::Std | Body::RoadRunner => Format::Std,
            Body::Csv(_) => Format::Csv,
            Body::Binary(_) => Format::Binary,
        }
    }

    /// The names so far. Every id in an event that has been returned has its name here.
    pub fn names(&self) -> &Names {
        &self.names.names
    }

    /// The names, after the last event.
    pub fn into_names(self) -> Names {
        self.names.names
    }

    /// What the file says of its making; known once the first event has been read.
    pub fn origin(&self) -> Option<&Origin> {
        match &self.body {
            Body::Binary(decoder) => decoder.origin(),
            _ => self.origin.as_ref(),
        }
    }

    /// How many events have been read.
    pub fn count(&self) -> u64 {
        self.events
    }

    /// Where the event read last stands.
    pub fn position(&self) -> Position {
        match self.body {
            Body::Binary(_) => Position::Byte(self.input.offset()),
            _ => Position::Line(self.line),
        }
    }

    /// The next event; `None` after the last.
    #[inline]
    pub fn next_event(&mut self) -> Result<Option<Event>, Error> {
        if self.ended {
            return Ok(None);
        }
        let event = match &mut self.body {
            Body::Binary(decoder) => decoder.next(&mut self.input, &mut self.names)?,
            _ => self.next_line()?,
        };
        let Some(mut event) = event else {
            self.ended = true;
            return if self.events == 0 { Err(self.no_event()) } else { Ok(None) };
        };
        if self.events == u64::from(u32::MAX) {
            return Err(self.too_many());
        }
        if let Some(checker) = &mut self.checker {
            match checker.check(EventId(self.events as u32), event, &self.names.names) {
                Ok(normal) => event = normal,
                Err(mut error) => {
                    error.line = (!matches!(self.body, Body::Binary(_))).then_some(self.line);
                    return Err(error.into());
                }
            }
        }
        self.events += 1;
        Ok(Some(event))
    }

    /// Reads up to `most` events to the end of `batch`. Returns how many; fewer than `most` only at the end. On an error
    /// the batch has the events before it.
    pub fn next_batch(&mut self, batch: &mut Vec<Event>, most: usize) -> Result<usize, Error> {
        let before = batch.len();
        while batch.len() - before < most {
            let wanted = most - (batch.len() - before);
            if !self.next_events(batch, wanted)? {
                break;
            }
        }
        Ok(batch.len() - before)
    }

    /// Reads some events, at most `most`; `false` at the end. The same as [`Reader::next_event`], many at a time.
    fn next_events(&mut self, batch: &mut Vec<Event>, most: usize) -> Result<bool, Error> {
        let fits = u64::from(u32::MAX) - self.events >= most as u64;
        let Body::Binary(decoder) = &mut self.body else { return self.push_next(batch) };
        if !fits || self.ended || decoder.ready().is_empty() {
            // Gets the next block, or finds the end.
            return self.push_next(batch);
        }
        let ready = decoder.ready();
        let some = &ready[..ready.len().min(most)];
        let from = batch.len();
        batch.extend_from_slice(some);
        let count = some.len();
        decoder.take(count);
        if let Some(checker) = &mut self.checker {
            for (i, e) in batch[from..].iter_mut().enumerate() {
                let id = EventId(self.events as u32 + i as u32);
                match checker.check(id, *e, &self.names.names) {
                    Ok(normal) => *e = normal,
                    Err(error) => {
                        batch.truncate(from + i);
                        self.events += i as u64;
                        return Err(error.into());
                    }
                }
            }
        }
        self.events += count as u64;
        Ok(true)
    }

    fn push_next(&mut self, batch: &mut Vec<Event>) -> Result<bool, Error> {
        let event = self.next_event()?;
        batch.extend(event);
        Ok(event.is_some())
    }

    #[inline]
    fn next_line(&mut self) -> Result<Option<Event>, ReadError> {
        loop {
            let Some((length, whole)) = self.input.line(self.line + 1)? else { return Ok(None) };
            self.line += 1;
            let line = &self.input.bytes()[..length];
            let event = match &mut self.body {
                Body::Csv(columns) => columns.row(&mut self.names, line, self.line)?,
                Body::RoadRunner => self.names.roadrunner_line(line, self.line)?,
                _ => self.names.std_line(line, self.line)?,
            };
            if event.is_none() && self.events == 0 {
                origin::line(&mut self.origin, line, self.line)?;
            }
            self.input.consume(whole);
            if event.is_some() {
                return Ok(event);
            }
        }
    }

    #[cold]
    fn no_event(&self) -> Error {
        ReadError::new(self.position(), "an event", "the end of the input").into()
    }

    #[cold]
    fn too_many(&self) -> Error {
        ReadError::new(self.position(), "at most 4294967295 events", "one more").into()
    }

    /// Reads the rest into memory.
    pub fn read_to_end(self) -> Result<Trace, Error> {
        Ok(self.read_whole()?.0)
    }

    /// Reads all into memory, with what the file says of its making if that can be true.
    pub fn read_whole(mut self) -> Result<(Trace, Option<Origin>), Error> {
        const BATCH: usize = 1 << 14;
        let mut events = Vec::new();
        while self.next_batch(&mut events, BATCH)? > 0 {}
        let origin = self.origin().cloned();
        let trace = Trace { events, names: self.names.names };
        let origin = origin.filter(|origin| origin.holds(&trace));
        Ok((trace, origin))
    }
}

/// Reads a whole trace of any form from memory.
pub fn read_all(bytes: &[u8]) -> Result<Trace, Error> {
    Reader::new(bytes)?.read_to_end()
}

/// Reads a whole trace of any form from a file.
pub fn read_file(path: &Path) -> Result<Trace, Error> {
    Reader::open(path)?.read_to_end()
}

/// Reads STD text from memory without looking for other forms.
pub fn read_std(text: &[u8]) -> Result<Trace, Error> {
    let input = Input::new(Box::new(text))?;
    Reader::start(input, Body::Std).read_to_end()
}

/// What some editors and tools put before UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// What a file is.
enum Found {
    Own(Format),
    /// [`roadrunner`].
    RoadRunner,
    /// [`reports`].
    Reports,
}

/// Finds out the form from the first bytes: the magic of the binary form, else text. Text with a report or an event of other tools
/// is theirs. A first line with `|` is STD; one with `,` is CSV; one with neither is CSV (a single thread) if the next line is an operation.
fn detect(input: &mut Input<'_>) -> Result<Found, ReadError> {
    const ENOUGH: usize = 64 << 10;
    /// So many lines may come before the first event of another tool.
    const LOOK: usize = 200;
    input.fill_in_time(ENOUGH)?;
    if input.bytes().starts_with(BYTE_ORDER_MARK) {
        input.consume(BYTE_ORDER_MARK.len());
    }
    let bytes = input.bytes();
    if bytes.is_empty() {
        return Err(ReadError::new(Position::Byte(0), "a trace (STD, CSV or binary)", "an empty input"));
    }
    if bytes.starts_with(&binary::MAGIC[..bytes.len().min(4)]) {
        if !bytes.starts_with(&binary::MAGIC) {
            let found = "bytes that only begin like it: truncated, or damaged by a text-mode transfer";
            return Err(ReadError::new(Position::Byte(0), "the magic of the binary form", found));
        }
        return Ok(Found::Own(Format::Binary));
    }
    let lines = bytes.split(|&b| b == b'\n').map(trim);
    let mut lines = lines.filter(|l| !l.is_empty() && l[0] != b'#');
    let Some(first) = lines.next() else { return Ok(Found::Own(Format::Std)) };
    if memchr(b'|', first).is_some() {
        return Ok(Found::Own(Format::Std));
    }
    if reports::is_log(bytes) {
        return Ok(Found::Reports);
    }
    if roadrunner::is_event(first) || lines.clone().take(LOOK).any(roadrunner::is_event) {
        return Ok(Found::RoadRunner);
    }
    let mut second_is_operation = || {
        let second = lines.next()?;
        let name = trim(&second[..memchr(b'(', second).unwrap_or(second.len())]);
        binary::CODES.iter().any(|c| c.as_bytes() == name).then_some(())
    };
    if memchr(b',', first).is_some() || second_is_operation().is_some() {
        Ok(Found::Own(Format::Csv))
    } else {
        Ok(Found::Own(Format::Std))
    }
}
