//! Bytes of a trace file: gzip and zstd taken off, read in large pieces, with bounded memory.

use std::io::{self, Read};

use flate2::read::MultiGzDecoder;
use memchr::memchr;

use crate::error::{Position, ReadError};
use crate::std_text::LONGEST_LINE;

/// How many bytes are read at once.
const PIECE: usize = 256 << 10;

/// A buffered source of bytes.
pub(crate) struct Input<'a> {
    source: Box<dyn Read + Send + 'a>,
    /// Bytes read and not yet used are `buffer[start..end]`.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    ended: bool,
    /// How many bytes have been used before `start`.
    used: u64,
    /// What the stream is wrapped in, for messages.
    wrapping: &'static str,
}

impl<'a> Input<'a> {
    /// Takes off gzip and zstd, however often they are wrapped around each other (up to four times).
    pub(crate) fn new(source: Box<dyn Read + Send + 'a>) -> Result<Input<'a>, ReadError> {
        let mut input = Input::plain(source, "input");
        for _ in 0..4 {
            input.fill_in_time(4)?;
            match input.bytes() {
                [0x1f, 0x8b, ..] => {
                    let rest = input.into_source();
                    input = Input::plain(Box::new(MultiGzDecoder::new(rest)), "gzip stream");
                }
                [0x28, 0xb5, 0x2f, 0xfd, ..] => {
                    let rest = input.into_source();
                    let decoder = zstd::stream::read::Decoder::new(rest)
                        .map_err(|e| ReadError::new(Position::Byte(0), "a zstd stream", e.to_string()))?;
                    input = Input::plain(Box::new(decoder), "zstd stream");
                }
                _ => return Ok(input),
            }
        }
        Err(ReadError::new(Position::Byte(0), "a trace", "a stream compressed more than four times"))
    }

    fn plain(source: Box<dyn Read + Send + 'a>, wrapping: &'static str) -> Input<'a> {
        Input { source, buffer: Vec::new(), start: 0, end: 0, ended: false, used: 0, wrapping }
    }

    /// What has not been used, as a stream again.
    fn into_source(self) -> Box<dyn Read + Send + 'a> {
        let unused = self.buffer[self.start..self.end].to_vec();
        Box::new(io::Cursor::new(unused).chain(self.source))
    }

    /// Whether nothing is packed around it.
    pub(crate) fn is_plain(&self) -> bool {
        !matches!(self.wrapping, "gzip stream" | "zstd stream")
    }

    /// The bytes at hand.
    #[inline]
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// The offset of the first byte at hand.
    pub(crate) fn offset(&self) -> u64 {
        self.used
    }

    /// Marks bytes as used.
    #[inline]
    pub(crate) fn consume(&mut self, n: usize) {
        let n = n.min(self.end - self.start);
        self.start += n;
        self.used += n as u64;
    }

    /// Gets at least `n` bytes at hand, or all that are left. Returns whether there are `n`.
    pub(crate) fn fill(&mut self, n: usize) -> Result<bool, ReadError> {
        while self.end - self.start < n && !self.ended {
            self.more()?;
        }
        Ok(self.end - self.start >= n)
    }

    /// The same, but takes what is there if the source gives up waiting.
    pub(crate) fn fill_in_time(&mut self, n: usize) -> Result<(), ReadError> {
        match self.fill(n) {
            Err(error) if error.is_timeout() && !self.bytes().is_empty() => Ok(()),
            result => result.map(|_| ()),
        }
    }

    /// All that is left, if that is not too much to be a log that people read.
    pub(crate) fn rest(&mut self) -> Result<&[u8], ReadError> {
        const MOST: usize = 1 << 30;
        if self.fill(MOST)? {
            return Err(ReadError::new(Position::Byte(0), "a log of less than 1 GB", "more"));
        }
        Ok(self.bytes())
    }

    /// Reads another piece.
    fn more(&mut self) -> Result<(), ReadError> {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        if self.buffer.len() - self.end < PIECE {
            self.buffer.resize(self.end + PIECE, 0);
        }
        loop {
            match self.source.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.ended = true,
                Ok(n) => self.end += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) => return Err(self.broken(&e)),
            }
            return Ok(());
        }
    }

    #[cold]
    fn broken(&self, e: &io::Error) -> ReadError {
        let at = self.used + (self.end - self.start) as u64;
        let what = match self.wrapping {
            "gzip stream" => "an intact gzip stream",
            "zstd stream" => "an intact zstd stream",
            _ => "readable input",
        };
        let error = ReadError::new(Position::Byte(at), what, format!("after {at} bytes: {e}"));
        if e.kind() == io::ErrorKind::TimedOut { error.late() } else { error }
    }

    /// The range of the next line within [`Input::bytes`], without its end, and how many bytes to consume with it.
    /// `None` at the end.
    #[inline]
    pub(crate) fn line(&mut self, number: u64) -> Result<Option<(usize, usize)>, ReadError> {
        let mut searched = 0;
        loop {
            if let Some(i) = memchr(b'\n', &self.buffer[self.start + searched..self.end]) {
                let length = searched + i;
                if length > LONGEST_LINE {
                    return Err(too_long(number, length));
                }
                return Ok(Some((length, length + 1)));
            }
            searched = self.end - self.start;
            if searched > LONGEST_LINE {
                return Err(too_long(number, searched));
            }
            if self.ended {
                return Ok((searched > 0).then_some((searched, searched)));
            }
            self.more()?;
        }
    }
}

#[cold]
fn too_long(line: u64, length: usize) -> ReadError {
    let expected = format!("a line of at most {LONGEST_LINE} bytes");
    ReadError::new(Position::Line(line), expected, format!("{length} bytes or more"))
}
