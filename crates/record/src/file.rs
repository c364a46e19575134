//! The file of a recorded run.
//!
//! Version 1: 8 bytes of magic, `89 52 50 52 0D 0A 1A 0A`, and the version byte; then blocks: a byte that says what it is,
//! three little-endian u32 (length of the content, length as packed, CRC-32 of the packed bytes) and the content, packed
//! with zstd.
//! - Block 1, a piece of a thread: u32 the thread's number, u32 zero, u64 which of its pieces, then the records of
//!   `runtime/layout.h` as little-endian u64.
//! - Block 2, the last one: JSON, [`End`].
//! - Block 3, the first one: JSON, [`Start`].
//!
//! A file without the last block was cut off (the recorder was killed): what is in it is readable, and [`crate::run`] finds
//! out from when on something is missing.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::Error;

/// How a file begins.
pub const MAGIC: [u8; 8] = [0x89, b'R', b'P', b'R', 0x0d, 0x0a, 0x1a, 0x0a];
/// The version written.
pub const VERSION: u8 = 1;
/// No block is larger.
const LARGEST: u32 = 1 << 26;
const PIECE: u8 = 1;
const END: u8 = 2;
const START: u8 = 3;

/// What is known before the run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// The version of raceproof.
    pub raceproof: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Where it ran.
    pub directory: String,
}

/// What is known after the run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// How the program ended: `exit code 0`, `signal 9`.
    pub ended: String,
    /// The exit code; absent after a signal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<i32>,
    /// From this global number on something is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<u64>,
    /// What is missing, and why; sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
}

/// A piece of what a thread did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The thread's number.
    pub thread: u32,
    /// Which of its pieces.
    pub index: u64,
    /// The records.
    pub words: Vec<u64>,
}

/// How hard records are packed: the program waits for it where there is no other core.
const LEVEL: i32 = -1;

/// A file that is being written.
pub struct Writer {
    file: File,
    /// Made once: its tables are larger than a block.
    packer: zstd::bulk::Compressor<'static>,
    /// Bytes up to the end of the last whole block.
    size: u64,
    /// Bytes up to the beginning of the last whole block.
    before_last: u64,
}

impl Writer {
    /// Begins a file.
    pub fn create(path: &Path, start: &Start) -> io::Result<Writer> {
        let mut file = File::create(path)?;
        let mut head = MAGIC.to_vec();
        head.push(VERSION);
        file.write_all(&head)?;
        let size = head.len() as u64;
        let packer = zstd::bulk::Compressor::new(LEVEL)?;
        let mut writer = Writer { file, packer, size, before_last: size };
        writer.block(START, &serde_json::to_vec(start)?)?;
        Ok(writer)
    }

    /// How many bytes are in the file.
    pub fn size(&self) -> u64 {
        self.size
    }

    fn block(&mut self, kind: u8, content: &[u8]) -> io::Result<()> {
        let packed = self.packer.compress(content)?;
        let mut head = vec![kind];
        for number in [content.len() as u32, packed.len() as u32, crc32fast::hash(&packed)] {
            head.extend(number.to_le_bytes());
        }
        head.extend(packed);
        self.file.write_all(&head)?;
        self.before_last = self.size;
        self.size += head.len() as u64;
        Ok(())
    }

    /// Writes a piece.
    pub fn piece(&mut self, thread: u32, index: u64, words: &[u64]) -> io::Result<()> {
        let mut content = Vec::with_capacity(16 + words.len() * 8);
        content.extend(thread.to_le_bytes());
        content.extend([0; 4]);
        content.extend(index.to_le_bytes());
        for word in words {
            content.extend_from_slice(&word.to_le_bytes());
        }
        self.block(PIECE, &content)
    }

    /// Takes back the last block, so that there is room for the end on a full disk.
    pub fn take_back(&mut self) -> io::Result<()> {
        use std::io::Seek;
        self.file.set_len(self.before_last)?;
        self.file.seek(io::SeekFrom::Start(self.before_last))?;
        self.size = self.before_last;
        Ok(())
    }

    /// Writes the end.
    pub fn end(&mut self, end: &End) -> io::Result<()> {
        self.block(END, &serde_json::to_vec(end)?)?;
        self.file.flush()
    }
}

/// What a file holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contents {
    /// What was known before the run.
    pub start: Start,
    /// What was known after it; `None` if the file was cut off.
    pub end: Option<End>,
    /// The pieces in the order of the file.
    pub pieces: Vec<Piece>,
    /// What is wrong with the bytes after the last readable block.
    pub torn: Option<String>,
}

/// Whether these are the first bytes of such a file.
pub fn is_recording(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |n, byte| n << 8 | u64::from(*byte))
}

/// The next block: what it is and its content; `None` at the end of the file.
fn next_block(input: &mut impl Read) -> Result<Option<(u8, Vec<u8>)>, String> {
    let mut head = [0; 13];
    let mut got = 0;
    while got < head.len() {
        match input.read(&mut head[got..]) {
            Ok(0) if got == 0 => return Ok(None),
            Ok(0) => return Err("the file ends inside a block".into()),
            Ok(n) => got += n,
            Err(error) => return Err(error.to_string()),
        }
    }
    let [length, packed, sum] = [1, 5, 9].map(|at| number(&head[at..at + 4]) as u32);
    if length > LARGEST || packed > LARGEST {
        return Err("a block says that it is larger than blocks are".into());
    }
    let mut bytes = vec![0; packed as usize];
    input.read_exact(&mut bytes).map_err(|_| "the file ends inside a block".to_owned())?;
    if crc32fast::hash(&bytes) != sum {
        return Err("the checksum of a block does not fit".into());
    }
    let content = zstd::bulk::decompress(&bytes, length as usize).map_err(|error| error.to_string())?;
    Ok(Some((head[0], content)))
}

fn piece(content: &[u8]) -> Option<Piece> {
    let words = content.get(16..)?.chunks_exact(8).map(number).collect();
    Some(Piece { thread: number(&content[..4]) as u32, index: number(&content[8..16]), words })
}

/// Reads a file. What comes after a damaged block is not read.
pub fn read(mut input: impl Read) -> Result<Contents, Error> {
    let mut head = [0; 9];
    input.read_exact(&mut head).map_err(|_| Error::Format("a file that ends too early".into()))?;
    if !is_recording(&head) {
        return Err(Error::Format("other bytes at its beginning".into()));
    }
    if head[8] != VERSION {
        return Err(Error::Format(format!("version {}, this raceproof reads {VERSION}", head[8])));
    }
    let mut contents = Contents::default();
    loop {
        let (kind, content) = match next_block(&mut input) {
            Ok(Some(block)) => block,
            Ok(None) => break,
            Err(why) => {
                contents.torn = Some(why);
                break;
            }
        };
        let damaged = |what: &str| Error::Format(format!("a damaged {what}"));
        match kind {
            PIECE => contents.pieces.push(piece(&content).ok_or_else(|| damaged("piece"))?),
            END => contents.end = Some(serde_json::from_slice(&content).map_err(|_| damaged("end"))?),
            START => contents.start = serde_json::from_slice(&content).map_err(|_| damaged("start"))?,
            _ => contents.torn = Some(format!("a block of the unknown kind {kind}")),
        }
    }
    Ok(contents)
}
