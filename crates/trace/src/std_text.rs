//! STD text: one event a line, `thread|operation(operand)|location`.
//!
//! ```text
//! T1|acq(L3)|120
//! T1|w(x)|121
//! T1|fork(T2)|7
//! T2|begin|0
//! ```
//!
//! Operations: `r`, `w`, `acq`, `rel`, `fork`, `join`, `begin`, `end`; and, for what other tools leave out, `ar` and `aw`
//! (atomic read and write), `barrier`, `notify`, `wait`. `begin` and `end` take no operand, or empty parentheses, or the
//! thread's own name. Blank lines and lines that start with `#` are skipped; a line may end in CR LF, and blanks around a
//! line, a field or an operand do not belong to it.
//! Names are UTF-8 of at most 4096 bytes without control characters and `|`.

use memchr::memchr;

use crate::error::{Position, ReadError, show};
use crate::event::{Event, LocId, LockId, Op, ThreadId, VarId};
use crate::names::{BadName, Interners};

/// The longest line, in bytes.
pub const LONGEST_LINE: usize = 1 << 20;

/// All operations' names, for messages.
pub(crate) const OPERATIONS: &str =
    "an operation (r, w, acq, rel, fork, join, begin, end, ar, aw, barrier, notify, wait)";

impl Interners {
    /// Reads one line without its end. `None` for an empty line or a comment.
    #[inline]
    pub(crate) fn std_line(&mut self, line: &[u8], number: u64) -> Result<Option<Event>, ReadError> {
        let line = trim(line);
        match line.first() {
            None | Some(b'#') => return Ok(None),
            Some(_) => {}
        }
        self.std_event(line).map(Some).map_err(|bad| malformed(bad, number))
    }

    #[inline]
    fn std_event(&mut self, line: &[u8]) -> Result<Event, BadName> {
        const SHAPE: &str = "`thread|operation(operand)|location`";
        let bar = memchr(b'|', line).ok_or_else(|| (SHAPE, show(line)))?;
        let (thread, rest) = (trim(&line[..bar]), &line[bar + 1..]);
        let bar = memchr(b'|', rest).ok_or_else(|| (SHAPE, show(line)))?;
        let (action, location) = (trim(&rest[..bar]), trim(&rest[bar + 1..]));
        if memchr(b'|', location).is_some() {
            return Err(("three fields", show(line)));
        }
        if location.is_empty() {
            return Err(("a location after the last `|`", "the end of the line".to_string()));
        }
        let thread = self.thread(thread)?;
        let op = self.operation(action, thread)?;
        Ok(Event { thread, op, location: self.location(location)? })
    }

    pub(crate) fn thread(&mut self, name: &[u8]) -> Result<ThreadId, BadName> {
        Ok(ThreadId(self.threads.intern(name, &mut self.names.threads)?))
    }

    pub(crate) fn location(&mut self, name: &[u8]) -> Result<LocId, BadName> {
        Ok(LocId(self.locations.intern(name, &mut self.names.locations)?))
    }

    fn lock(&mut self, name: &[u8]) -> Result<LockId, BadName> {
        Ok(LockId(self.locks.intern(name, &mut self.names.locks)?))
    }

    fn variable(&mut self, name: &[u8]) -> Result<VarId, BadName> {
        Ok(VarId(self.variables.intern(name, &mut self.names.variables)?))
    }

    /// Reads `operation(operand)`.
    #[inline]
    pub(crate) fn operation(&mut self, text: &[u8], thread: ThreadId) -> Result<Op, BadName> {
        let Some(open) = memchr(b'(', text) else { return self.bare(text) };
        let (name, rest) = (trim(&text[..open]), &text[open + 1..]);
        let Some((b')', operand)) = rest.split_last() else {
            return Err(("`)` after the operand", show(text)));
        };
        let operand = trim(operand);
        Ok(match name {
            b"r" => Op::Read(self.variable(operand)?),
            b"w" => Op::Write(self.variable(operand)?),
            b"acq" => Op::Acquire(self.lock(operand)?),
            b"rel" => Op::Release(self.lock(operand)?),
            b"fork" => Op::Fork(self.thread(operand)?),
            b"join" => Op::Join(self.thread(operand)?),
            b"ar" => Op::AtomicRead(self.variable(operand)?),
            b"aw" => Op::AtomicWrite(self.variable(operand)?),
            b"barrier" => Op::Barrier(self.lock(operand)?),
            b"notify" => Op::Notify(self.lock(operand)?),
            b"wait" => Op::Wait(self.lock(operand)?),
            b"begin" | b"end" => {
                let own = self.names.threads.get(thread.index()).is_some_and(|n| n.as_bytes() == operand);
                if !operand.is_empty() && !own {
                    return Err(("no operand or the thread's own name", show(operand)));
                }
                return self.bare(name);
            }
            _ => return Err((OPERATIONS, show(name))),
        })
    }

    fn bare(&self, name: &[u8]) -> Result<Op, BadName> {
        match name {
            b"begin" => Ok(Op::Begin),
            b"end" => Ok(Op::End),
            b"r" | b"w" | b"acq" | b"rel" | b"fork" | b"join" | b"ar" | b"aw" | b"barrier" | b"notify"
            | b"wait" => Err(("`(` and an operand after the operation", show(name))),
            _ => Err((OPERATIONS, show(name))),
        }
    }
}

/// Without the blanks around it.
#[inline]
pub(crate) fn trim(text: &[u8]) -> &[u8] {
    match text {
        [] => text,
        [first, .., last] if *first > b' ' && *last > b' ' => text,
        _ => text.trim_ascii(),
    }
}

#[cold]
pub(crate) fn malformed((expected, found): BadName, line: u64) -> ReadError {
    ReadError::new(Position::Line(line), expected, found)
}
