//! What can be wrong with a trace: its file cannot be read, or its events break the rules of a run.

use std::fmt;

use thiserror::Error;

use crate::check::RuleError;

/// Why a trace was refused.
#[derive(Debug, Error)]
pub enum Error {
    /// The file is malformed.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file is well formed, but no run has these events in this order.
    #[error(transparent)]
    Rule(#[from] RuleError),
}

/// Where in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// A line of a text file, from 1.
    Line(u64),
    /// A byte offset of a binary file, from 0, after transparent decompression.
    Byte(u64),
    /// The input as a whole.
    Whole,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Position::Line(n) => write!(f, "line {n}"),
            Position::Byte(n) => write!(f, "byte {n}"),
            Position::Whole => write!(f, "input"),
        }
    }
}

/// A malformed file: where, what was expected and what was found.
#[derive(Debug, Error)]
#[error("{position}: expected {expected}, found {found}")]
pub struct ReadError {
    /// Where.
    pub position: Position,
    /// What should have been there.
    pub expected: String,
    /// What is there.
    pub found: String,
    /// Whether the input did not come in time.
    timeout: bool,
}

impl ReadError {
    /// An error of these three parts.
    pub fn new(position: Position, expected: impl Into<String>, found: impl Into<String>) -> ReadError {
        ReadError { position, expected: expected.into(), found: found.into(), timeout: false }
    }

    /// The same, because the input did not come in time.
    pub(crate) fn late(self) -> ReadError {
        ReadError { timeout: true, ..self }
    }

    /// Whether the source gave up waiting for its input ([`std::io::ErrorKind::TimedOut`]).
    pub fn is_timeout(&self) -> bool {
        self.timeout
    }
}

/// Shows bytes of an input in an error message: quoted, escaped, and cut when long.
pub(crate) fn show(bytes: &[u8]) -> String {
    const LONGEST: usize = 40;
    let cut = &bytes[..bytes.len().min(LONGEST)];
    let more = if bytes.len() > LONGEST { format!("... ({} bytes)", bytes.len()) } else { String::new() };
    format!("`{}`{more}", cut.escape_ascii())
}
