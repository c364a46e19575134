//! Synchronisation objects, by address.
//!
//! The table's hash covers what the objects *are*, not the clocks that they carry: see [`crate::state`] for those.

use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use crate::clock::Clock;
use crate::memory::layout::Layout;

/// What a synchronisation object is and in which state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A location that was accessed atomically: nothing but a clock.
    Atomic,
    /// A mutex or a spin lock.
    Mutex {
        /// 0 normal, 1 recursive, 2 error checking, 3 adaptive (as normal).
        kind: u8,
        /// Who holds it.
        owner: Option<u32>,
        /// How often.
        count: u32,
    },
    /// A read-write lock.
    RwLock {
        /// Who holds it for writing.
        writer: Option<u32>,
        /// Who holds it for reading, once per time, sorted.
        readers: Vec<u32>,
    },
    /// A condition variable: its waiters are the threads that say so.
    Cond,
    /// A barrier.
    Barrier {
        /// How many threads it takes.
        count: u32,
        /// Who has arrived in this round, sorted.
        arrived: Vec<u32>,
        /// Who took part in the first round, sorted.
        members: Vec<u32>,
    },
    /// A semaphore.
    Semaphore {
        /// Its value.
        value: u32,
    },
    /// A one-time initialisation.
    Once {
        /// Who runs it now.
        runner: Option<u32>,
        /// Whether it is done.
        done: bool,
    },
    /// Something that was destroyed.
    Destroyed,
}

/// A synchronisation object with the clock that it passes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// What it is.
    pub kind: Kind,
    /// What those who acquire from it learn.
    pub clock: Clock,
    /// For read-write locks: what only writers learn (the readers' past). For barriers: what the round has gathered.
    pub second: Clock,
    /// For locations that were accessed atomically: how many bytes the clock belongs to; else 0. The byte ranges of the
    /// table do not overlap.
    pub len: u8,
}

impl Entry {
    /// A fresh object.
    pub fn new(kind: Kind) -> Entry {
        Entry { kind, clock: Clock::new(), second: Clock::new(), len: 0 }
    }
}

/// The object that stands for the release sequences that a thread heads at an atomic location.
pub(crate) fn sequence_of(location: u64, thread: usize) -> u64 {
    let mut bytes = [0u8; 16];
    bytes[..8].copy_from_slice(&location.to_le_bytes());
    bytes[8..].copy_from_slice(&(thread as u64).to_le_bytes());
    xxh3_64(&bytes) | SEQUENCES
}

/// Whether an object is one of those that [`Edge`](crate::Edge) speaks of only to tell release sequences apart by the
/// threads that head them.
pub fn is_sequence(object: u64) -> bool {
    object & SEQUENCES == SEQUENCES
}

const SEQUENCES: u64 = 0xf << 60;

/// The most bytes that one atomic operation accesses.
const WIDEST: u64 = 16;

/// All synchronisation objects.
#[derive(Debug, Clone, Default)]
pub struct Table {
    entries: FxHashMap<u64, Entry>,
    hash: u128,
    /// How many objects lie on some thread's stack.
    stack_entries: usize,
    layout: Option<Layout>,
}

impl Table {
    /// A table for addresses of that layout.
    pub fn new(layout: Layout) -> Table {
        Table { layout: Some(layout), ..Table::default() }
    }

    fn is_on_stack(&self, address: u64) -> bool {
        self.layout.is_some_and(|l| l.region(address).is_stack())
    }

    /// The object at an address.
    pub fn get(&self, address: u64) -> Option<&Entry> {
        self.entries.get(&address)
    }

    /// The hash of all objects' states.
    pub fn hash(&self) -> u128 {
        self.hash
    }

    /// Whether some object may lie on a thread's stack.
    pub fn on_stacks(&self) -> bool {
        self.stack_entries > 0
    }

    /// Puts an object at an address, or takes it away; gives what was there.
    pub fn replace(&mut self, address: u64, entry: Option<Entry>) -> Option<Entry> {
        let hash = entry.as_ref().map_or(0, |e| entry_hash(address, e));
        let is_there = entry.is_some();
        let old = match entry {
            Some(entry) => self.entries.insert(address, entry),
            None => self.entries.remove(&address),
        };
        if self.is_on_stack(address) {
            self.stack_entries += usize::from(is_there);
            self.stack_entries -= usize::from(old.is_some());
        }
        let old_hash = old.as_ref().map_or(0, |e| entry_hash(address, e));
        self.hash = self.hash.wrapping_sub(old_hash).wrapping_add(hash);
        old
    }

    /// All objects that carry a clock, in no particular order.
    pub fn clocks(&self) -> impl Iterator<Item = (u64, &Entry)> {
        self.entries.iter().map(|(&a, e)| (a, e))
    }

    /// The atomic locations that overlap a range, in order: where they begin and how long they are.
    pub fn overlapping(&self, from: u64, len: u64) -> SmallVec<[(u64, u64); 2]> {
        match self.entries.get(&from) {
            // No two overlap, so there is no other.
            Some(entry) if u64::from(entry.len) == len => smallvec![(from, len)],
            _ => self.overlapping_slowly(from, len),
        }
    }

    #[cold]
    fn overlapping_slowly(&self, from: u64, len: u64) -> SmallVec<[(u64, u64); 2]> {
        let ends = |at: u64| self.entries.get(&at).map_or(0, |e| u64::from(e.len));
        let starts = from.saturating_sub(WIDEST - 1)..from.saturating_add(len);
        starts.map(|at| (at, ends(at))).filter(|&(at, n)| n > 0 && at + n > from).collect()
    }

    /// Addresses of objects inside a range, in no particular order.
    pub fn within(&self, from: u64, len: u64) -> Vec<u64> {
        let inside = |address: &u64| address.wrapping_sub(from) < len;
        if len < self.entries.len() as u64 {
            let places = (0..len).map(|at| from.wrapping_add(at));
            return places.filter(|address| self.entries.contains_key(address)).collect();
        }
        self.entries.keys().copied().filter(inside).collect()
    }
}

fn entry_hash(address: u64, entry: &Entry) -> u128 {
    let mut words = [0u32; 8];
    let mut more: Vec<u8> = Vec::new();
    let thread = |t: &Option<u32>| t.map_or(0, |t| t + 1);
    match &entry.kind {
        Kind::Atomic => return 0,
        Kind::Mutex { kind, owner, count } => {
            words[..4].copy_from_slice(&[1, (*kind).into(), thread(owner), *count])
        }
        Kind::RwLock { writer, readers } => {
            words[..2].copy_from_slice(&[2, thread(writer)]);
            more.extend(readers.iter().flat_map(|r| r.to_le_bytes()));
        }
        Kind::Cond => words[0] = 3,
        Kind::Barrier { count, arrived, members } => {
            words[..3].copy_from_slice(&[4, *count, arrived.len() as u32]);
            more.extend(arrived.iter().chain(members).flat_map(|r| r.to_le_bytes()));
        }
        Kind::Semaphore { value } => words[..2].copy_from_slice(&[5, *value]),
        Kind::Once { runner, done } => words[..3].copy_from_slice(&[6, thread(runner), (*done).into()]),
        Kind::Destroyed => words[0] = 7,
    }
    let mut bytes = [0u8; 40];
    bytes[..8].copy_from_slice(&address.to_le_bytes());
    for (chunk, word) in bytes[8..].chunks_exact_mut(4).zip(words) {
        chunk.copy_from_slice(&word.to_le_bytes());
    }
    if more.is_empty() {
        return xxh3_128(&bytes);
    }
    more.extend_from_slice(&bytes);
    xxh3_128(&more)
}
