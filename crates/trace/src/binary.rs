//! Our compressed binary form.
//!
//! Version 1. A file is
//! - 8 bytes of magic, `89 52 50 54 0D 0A 1A 0A` (damaged by any transfer that touches line ends), and the version byte;
//! - for a whole run of the machine ([`crate::origin`]), origin blocks: byte 3, then as in data blocks; the content: the
//!   number of events of the run, how many reads this block marks, and their numbers from 1 as differences from the one
//!   before (in the blocks before, too);
//! - data blocks: byte 1; three little-endian u32: length of the content, length as packed, CRC-32 of the packed bytes;
//!   the content packed with zstd;
//! - the end block: byte 2, the number of events as little-endian u64 and the CRC-32 of these eight bytes as u32. A file
//!   without it is truncated. Nothing comes after it.
//!
//! The content of a data block: four times (threads, locks, variables, locations) the number of new names and each as its
//! length and UTF-8 bytes; then the number of events and the events. Numbers are LEB128 varints. An event is a tag byte,
//! then what the tag does not say already:
//! - bits 0 to 3: the operation ([`CODES`]);
//! - bit 4: same thread as the event before; otherwise a varint with the thread's number;
//! - bit 5: same operand as this thread's last operation on the same kind of thing (variable, lock, thread); otherwise the
//!   zigzag difference from it. Not for operations without operand;
//! - bit 6: the location is one more than this thread's last; otherwise the zigzag difference from it.
//!
//! All differences start at 0 in each block, so that blocks can be decoded on their own given the names before. Blocks
//! hold at most [`BLOCK_EVENTS`] events and 64 MiB. Re-entrant acquires are written as plain ones.

use crate::error::{Position, ReadError};
use crate::event::{Event, LocId, LockId, Names, Op, ThreadId, VarId};
use crate::input::Input;
use crate::names::Interners;
use crate::origin::Origin;

/// The first bytes of a file.
pub const MAGIC: [u8; 8] = [0x89, b'R', b'P', b'T', 0x0d, 0x0a, 0x1a, 0x0a];
/// The version written.
pub const VERSION: u8 = 1;
/// The most events of a block.
pub const BLOCK_EVENTS: usize = 1 << 16;
/// The operations by code.
pub const CODES: [&str; 13] =
    ["r", "w", "ar", "aw", "acq", "rel", "fork", "join", "begin", "end", "barrier", "notify", "wait"];

const LONGEST_BLOCK: usize = 64 << 20;
const SAME_THREAD: u8 = 1 << 4;
const SAME_OPERAND: u8 = 1 << 5;
const NEXT_LOCATION: u8 = 1 << 6;

/// What an operand is: variable, lock or thread.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operand {
    None = 3,
    Variable = 0,
    Lock = 1,
    Thread = 2,
}

/// What kind of operand an operation has, by code.
const OPERANDS: [Operand; 13] = {
    use Operand::{Lock as L, None as N, Thread as T, Variable as V};
    [V, V, V, V, L, L, T, T, N, N, L, L, L]
};

fn encode_op(op: Op) -> (u8, u32) {
    match op {
        Op::Read(v) => (0, v.0),
        Op::Write(v) => (1, v.0),
        Op::AtomicRead(v) => (2, v.0),
        Op::AtomicWrite(v) => (3, v.0),
        Op::Acquire(l) | Op::AcquireAgain(l) => (4, l.0),
        Op::Release(l) | Op::ReleaseInner(l) => (5, l.0),
        Op::Fork(t) => (6, t.0),
        Op::Join(t) => (7, t.0),
        Op::Begin => (8, 0),
        Op::End => (9, 0),
        Op::Barrier(l) => (10, l.0),
        Op::Notify(l) => (11, l.0),
        Op::Wait(l) => (12, l.0),
    }
}

#[inline]
fn decode_op(code: u8, operand: u32) -> Op {
    match code {
        0 => Op::Read(VarId(operand)),
        1 => Op::Write(VarId(operand)),
        2 => Op::AtomicRead(VarId(operand)),
        3 => Op::AtomicWrite(VarId(operand)),
        4 => Op::Acquire(LockId(operand)),
        5 => Op::Release(LockId(operand)),
        6 => Op::Fork(ThreadId(operand)),
        7 => Op::Join(ThreadId(operand)),
        8 => Op::Begin,
        9 => Op::End,
        10 => Op::Barrier(LockId(operand)),
        11 => Op::Notify(LockId(operand)),
        _ => Op::Wait(LockId(operand)),
    }
}

/// What the differences of a thread refer to: last operand by kind, last location.
type Last = [u32; 4];

fn zigzag(from: u32, to: u32) -> u64 {
    let d = i64::from(to) - i64::from(from);
    ((d << 1) ^ (d >> 63)) as u64
}

#[inline]
fn unzigzag(from: u32, z: u64) -> Option<u32> {
    let d = (z >> 1) as i64 ^ -((z & 1) as i64);
    u32::try_from(i64::from(from).checked_add(d)?).ok()
}

fn put(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

/// Makes blocks of events.
#[derive(Debug, Default)]
pub(crate) struct Encoder {
    events: Vec<u8>,
    count: usize,
    total: u64,
    last_thread: Option<u32>,
    last: Vec<Last>,
    /// How many names of each kind (threads, locks, variables, locations) are written.
    written: [usize; 4],
    /// How many names of each kind the events need.
    needed: [usize; 4],
}

impl Encoder {
    /// The start of a file.
    pub(crate) fn header() -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.push(VERSION);
        out
    }

    /// Adds an event; whether the block is full.
    pub(crate) fn event(&mut self, e: &Event) -> bool {
        let (code, operand) = encode_op(e.op);
        let kind = OPERANDS[code as usize];
        let t = e.thread.index();
        if t >= self.last.len() {
            self.last.resize(t + 1, [0; 4]);
        }
        let last = &mut self.last[t];
        let same_thread = self.last_thread == Some(e.thread.0);
        let same_operand = kind == Operand::None || last[kind as usize] == operand;
        let next_location = last[3].checked_add(1) == Some(e.location.0);
        let mut tag = code;
        for (flag, bit) in
            [(same_thread, SAME_THREAD), (same_operand, SAME_OPERAND), (next_location, NEXT_LOCATION)]
        {
            tag |= if flag { bit } else { 0 };
        }
        self.events.push(tag);
        if !same_thread {
            put(&mut self.events, u64::from(e.thread.0));
        }
        if !same_operand {
            put(&mut self.events, zigzag(last[kind as usize], operand));
            last[kind as usize] = operand;
        }
        if !next_location {
            put(&mut self.events, zigzag(last[3], e.location.0));
        }
        last[3] = e.location.0;
        self.last_thread = Some(e.thread.0);
        self.need(e);
        self.count += 1;
        self.total += 1;
        self.count >= BLOCK_EVENTS
    }

    fn need(&mut self, e: &Event) {
        let mut need = |kind: usize, id: u32| self.needed[kind] = self.needed[kind].max(id as usize + 1);
        need(0, e.thread.0);
        need(3, e.location.0);
        if let Some(v) = e.op.variable() {
            need(2, v.0);
        } else if let Some(l) = e.op.lock() {
            need(1, l.0);
        } else if let Some(t) = e.op.target() {
            need(0, t.0);
        }
    }

    /// The block of the events so far.
    pub(crate) fn block(&mut self, names: &Names) -> std::io::Result<Vec<u8>> {
        let mut content = Vec::with_capacity(self.events.len() + 64);
        for kind in 0..4 {
            let (from, to) = (self.written[kind], self.needed[kind].max(self.written[kind]));
            put(&mut content, (to - from) as u64);
            for i in from..to {
                let i = i as u32;
                let name = match kind {
                    0 => names.thread(ThreadId(i)),
                    1 => names.lock(LockId(i)),
                    2 => names.variable(VarId(i)),
                    _ => names.location(LocId(i)),
                };
                put(&mut content, name.len() as u64);
                content.extend_from_slice(name.as_bytes());
            }
            self.written[kind] = to;
        }
        put(&mut content, self.count as u64);
        content.append(&mut self.events);
        self.count = 0;
        self.last_thread = None;
        self.last.clear();
        if content.len() > LONGEST_BLOCK {
            return Err(std::io::Error::other("the names of one block take more than 64 MiB"));
        }
        framed(1, &content)
    }

    /// The blocks that say that this is a whole run.
    pub(crate) fn origin(origin: &Origin) -> std::io::Result<Vec<Vec<u8>>> {
        let mut last = 0;
        let mut block = |marks: &[crate::event::EventId]| {
            let mut content = Vec::new();
            put(&mut content, origin.events);
            put(&mut content, marks.len() as u64);
            for id in marks {
                put(&mut content, id.number() - last);
                last = id.number();
            }
            framed(3, &content)
        };
        if origin.steering.is_empty() {
            return Ok(vec![block(&[])?]);
        }
        origin.steering.chunks(1 << 20).map(block).collect()
    }

    /// Whether there are events that no block has yet.
    pub(crate) fn is_pending(&self) -> bool {
        self.count > 0
    }

    /// The end of the file.
    pub(crate) fn end(&self) -> Vec<u8> {
        let total = self.total.to_le_bytes();
        let mut out = vec![2];
        out.extend_from_slice(&total);
        out.extend_from_slice(&crc32fast::hash(&total).to_le_bytes());
        out
    }
}

/// A block of a kind.
fn framed(kind: u8, content: &[u8]) -> std::io::Result<Vec<u8>> {
    let packed = zstd::bulk::compress(content, 3)?;
    let mut out = vec![kind];
    for n in [content.len() as u32, packed.len() as u32, crc32fast::hash(&packed)] {
        out.extend_from_slice(&n.to_le_bytes());
    }
    out.extend_from_slice(&packed);
    Ok(out)
}

/// Reads the content of a block.
struct Cursor<'a> {
    rest: &'a [u8],
    /// The offset of the block in the file, for messages.
    block: u64,
}

impl Cursor<'_> {
    #[cold]
    fn error(&self, expected: impl Into<String>, found: impl Into<String>) -> ReadError {
        ReadError::new(Position::Byte(self.block), expected, found.into() + " in the block that starts here")
    }

    #[inline]
    fn byte(&mut self) -> Result<u8, ReadError> {
        match self.rest.split_first() {
            Some((&b, rest)) => {
                self.rest = rest;
                Ok(b)
            }
            None => Err(self.error("more bytes", "the end of the content")),
        }
    }

    #[inline]
    fn varint(&mut self) -> Result<u64, ReadError> {
        match *self.rest {
            [first, ref rest @ ..] if first < 0x80 => {
                self.rest = rest;
                Ok(u64::from(first))
            }
            [first, second, ref rest @ ..] if second < 0x80 => {
                self.rest = rest;
                Ok(u64::from(first & 0x7f) | u64::from(second) << 7)
            }
            _ => self.long_varint(),
        }
    }

    #[inline(never)]
    fn long_varint(&mut self) -> Result<u64, ReadError> {
        let mut n = 0;
        for shift in (0..63).step_by(7) {
            let b = self.byte()?;
            n |= u64::from(b & 0x7f) << shift;
            if b < 0x80 {
                return Ok(n);
            }
        }
        Err(self.error("a number of at most 63 bits", "a longer one"))
    }

    #[inline]
    fn difference(&mut self, from: u32) -> Result<u32, ReadError> {
        let z = self.varint()?;
        unzigzag(from, z).ok_or_else(|| self.error("a number of 32 bits", "one outside"))
    }
}

/// Reads blocks.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    content: Vec<u8>,
    events: Vec<Event>,
    next: usize,
    total: u64,
    last: Vec<Last>,
    unpacker: Option<Unpacker>,
    origin: Option<Origin>,
}

/// A zstd context that lives as long as the file.
struct Unpacker(zstd::bulk::Decompressor<'static>);

impl std::fmt::Debug for Unpacker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Unpacker")
    }
}

impl Decoder {
    /// Reads the version after the magic.
    pub(crate) fn header(input: &mut Input<'_>) -> Result<Decoder, ReadError> {
        if !input.fill(MAGIC.len() + 1)? {
            return Err(ReadError::new(
                Position::Byte(8),
                "the version of the binary form",
                "the end of the file",
            ));
        }
        let version = input.bytes()[MAGIC.len()];
        if version != VERSION {
            let expected = format!("version {VERSION} of the binary form");
            return Err(ReadError::new(Position::Byte(8), expected, format!("version {version}")));
        }
        input.consume(MAGIC.len() + 1);
        Ok(Decoder::default())
    }

    /// The next event.
    #[inline]
    pub(crate) fn next(
        &mut self,
        input: &mut Input<'_>,
        names: &mut Interners,
    ) -> Result<Option<Event>, ReadError> {
        loop {
            if let Some(&e) = self.events.get(self.next) {
                self.next += 1;
                return Ok(Some(e));
            }
            if !self.block(input, names)? {
                return Ok(None);
            }
        }
    }

    /// What the blocks so far say of the making of the file.
    pub(crate) fn origin(&self) -> Option<&Origin> {
        self.origin.as_ref()
    }

    /// The events of the block at hand that have not been taken.
    #[inline]
    pub(crate) fn ready(&self) -> &[Event] {
        &self.events[self.next..]
    }

    /// Takes so many of them.
    #[inline]
    pub(crate) fn take(&mut self, count: usize) {
        self.next = (self.next + count).min(self.events.len());
    }

    /// Reads the next block; `false` at the end.
    fn block(&mut self, input: &mut Input<'_>, names: &mut Interners) -> Result<bool, ReadError> {
        let at = input.offset();
        input.fill(13)?;
        let error = |expected: &str, found: String| ReadError::new(Position::Byte(at), expected, found);
        match *input.bytes() {
            [kind @ (1 | 3), a, b, c, d, e, f, g, h, i, j, k, l, ..] => {
                let numbers = [[a, b, c, d], [e, f, g, h], [i, j, k, l]].map(u32::from_le_bytes);
                input.consume(13);
                self.unpack(input, at, numbers)?;
                if kind == 3 {
                    self.decode_origin(at)?;
                } else {
                    self.decode(at, names)?;
                }
                Ok(true)
            }
            [2, a, b, c, d, e, f, g, h, i, j, k, l, ..] => {
                let bytes = [a, b, c, d, e, f, g, h];
                if crc32fast::hash(&bytes) != u32::from_le_bytes([i, j, k, l]) {
                    return Err(error("an end block with the right checksum", "another checksum".into()));
                }
                let total = u64::from_le_bytes(bytes);
                if total != self.total {
                    return Err(error(
                        &format!("{total} events as the end block says"),
                        self.total.to_string(),
                    ));
                }
                input.consume(13);
                if input.fill(1)? {
                    return Err(ReadError::new(Position::Byte(at + 13), "the end of the file", "more bytes"));
                }
                Ok(false)
            }
            [] => Err(error("a block", "the end of the file: it is truncated".into())),
            [1..=3, ..] => Err(error("a whole block", "the end of the file: it is truncated".into())),
            [kind, ..] => Err(error(
                "a data block (1), the end block (2) or an origin block (3)",
                format!("block kind {kind}"),
            )),
        }
    }

    /// Reads the content of an origin block.
    fn decode_origin(&mut self, at: u64) -> Result<(), ReadError> {
        let mut cursor = Cursor { rest: &self.content, block: at };
        if self.total > 0 {
            return Err(cursor.error("origin blocks before all events", "one after events"));
        }
        let (events, count) = (cursor.varint()?, cursor.varint()?);
        let origin = self.origin.get_or_insert_with(|| Origin { events, steering: Vec::new() });
        if events != origin.events || events > u64::from(u32::MAX) {
            return Err(cursor.error("one number of events below 4294967296", format!("{events} events")));
        }
        for _ in 0..count {
            let last = origin.steering.last().map_or(0, |id| id.number());
            let number = last.saturating_add(cursor.varint()?);
            origin.mark(number).map_err(|what| cursor.error(what, number.to_string()))?;
        }
        if !cursor.rest.is_empty() {
            return Err(cursor.error("the end of the content", "more bytes"));
        }
        Ok(())
    }

    fn unpack(
        &mut self,
        input: &mut Input<'_>,
        at: u64,
        [length, packed, crc]: [u32; 3],
    ) -> Result<(), ReadError> {
        let error = |expected: &str, found: String| ReadError::new(Position::Byte(at), expected, found);
        let (length, packed) = (length as usize, packed as usize);
        if length > LONGEST_BLOCK || packed > LONGEST_BLOCK + (1 << 20) {
            return Err(error("a block of at most 64 MiB", format!("{length} bytes, {packed} packed")));
        }
        if !input.fill(packed)? {
            let found = format!("{} and the end of the file: it is truncated", input.bytes().len());
            return Err(error(&format!("{packed} packed bytes"), found));
        }
        if crc32fast::hash(&input.bytes()[..packed]) != crc {
            return Err(error("a block with the right checksum", "another checksum: it is corrupt".into()));
        }
        self.content.clear();
        self.content.resize(length, 0);
        let unpacker = match &mut self.unpacker {
            Some(unpacker) => unpacker,
            none => {
                let new =
                    zstd::bulk::Decompressor::new().map_err(|e| error("memory for zstd", e.to_string()))?;
                none.insert(Unpacker(new))
            }
        };
        let unpacked = unpacker
            .0
            .decompress_to_buffer(&input.bytes()[..packed], &mut self.content[..])
            .map_err(|e| error("an intact packed block", e.to_string()))?;
        input.consume(packed);
        if unpacked != length {
            return Err(error(&format!("{length} bytes of content"), unpacked.to_string()));
        }
        Ok(())
    }

    fn decode(&mut self, at: u64, names: &mut Interners) -> Result<(), ReadError> {
        let mut cursor = Cursor { rest: &self.content, block: at };
        read_names(&mut cursor, names)?;
        let limits = [names.names.variables.len(), names.names.locks.len(), names.names.threads.len()];
        let locations = names.names.locations.len();
        let count = cursor.varint()?;
        if count > BLOCK_EVENTS as u64 {
            return Err(cursor.error(format!("at most {BLOCK_EVENTS} events in a block"), count.to_string()));
        }
        self.events.clear();
        self.next = 0;
        self.last.clear();
        self.last.resize(limits[2], [0; 4]);
        let mut thread = None;
        for _ in 0..count {
            let tag = cursor.byte()?;
            let code = tag & 0xf;
            if tag & 0x80 != 0 || code as usize >= CODES.len() {
                return Err(cursor.error("the tag of an event", format!("tag {tag}")));
            }
            if tag & SAME_THREAD == 0 {
                thread = Some(cursor.varint()?);
            }
            let Some(last) = thread.and_then(|t| self.last.get_mut(t as usize)) else {
                return Err(cursor.error("the number of a named thread", format!("{thread:?}")));
            };
            let kind = OPERANDS[code as usize];
            let mut operand = 0;
            if kind != Operand::None {
                let slot = &mut last[kind as usize];
                if tag & SAME_OPERAND == 0 {
                    *slot = cursor.difference(*slot)?;
                }
                operand = *slot;
                if operand as usize >= limits[kind as usize] {
                    return Err(cursor.error("the number of a named operand", operand.to_string()));
                }
            }
            last[3] = if tag & NEXT_LOCATION != 0 {
                last[3].wrapping_add(1)
            } else {
                cursor.difference(last[3])?
            };
            if last[3] as usize >= locations {
                return Err(cursor.error("the number of a named location", last[3].to_string()));
            }
            let thread = ThreadId(thread.unwrap_or(0) as u32);
            self.events.push(Event { thread, op: decode_op(code, operand), location: LocId(last[3]) });
        }
        if !cursor.rest.is_empty() {
            return Err(cursor.error("the end of the content", format!("{} more bytes", cursor.rest.len())));
        }
        self.total += count;
        Ok(())
    }
}

fn read_names(cursor: &mut Cursor<'_>, names: &mut Interners) -> Result<(), ReadError> {
    let Interners { threads, locks, variables, locations, names } = names;
    let kinds = [
        (threads, &mut names.threads),
        (locks, &mut names.locks),
        (variables, &mut names.variables),
        (locations, &mut names.locations),
    ];
    for (interner, list) in kinds {
        let count = cursor.varint()?;
        for _ in 0..count {
            let length = cursor.varint()?;
            if length > cursor.rest.len() as u64 {
                return Err(cursor.error(format!("a name of {length} bytes"), "the end of the content"));
            }
            let (name, rest) = cursor.rest.split_at(length as usize);
            cursor.rest = rest;
            let before = list.len();
            let id =
                interner.intern(name, list).map_err(|(expected, found)| cursor.error(expected, found))?;
            if id as usize != before {
                return Err(cursor.error("a new name", crate::error::show(name)));
            }
        }
    }
    Ok(())
}
