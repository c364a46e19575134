//! Cells: bytes of objects, named independently of the run (docs/soundness.md, "Cell").
//!
//! The same key in two runs is the same byte of the same object. Keys of an object follow each other. On 32-bit targets, where
//! objects lie too close for that, a key is an address: then other objects are other cells in other runs, which only makes the
//! skeletons differ.

use std::rc::Rc;
use std::sync::{Arc, Mutex};

use machine::Work;
use machine::memory::layout::{Layout, RegionId};
use machine::names::{self, Strand, id_of};
use rustc_hash::FxHashMap;

use crate::order::{Entry, Level};

/// Bits of an offset in an object.
const OFFSET: u32 = 30;
/// Marks keys of objects that have a name.
const NAMED: u64 = 1 << 63;
/// Addresses below belong to globals and functions.
const FIRST_OF_THREADS: u64 = 3 << 52;

/// The names of objects as numbers, the same for all runs. Which number a name has means nothing.
#[derive(Debug, Clone, Default)]
pub struct Table(Arc<Mutex<FxHashMap<u64, u64>>>);

impl Table {
    /// The key of the first byte of an object.
    pub fn base(&self, name: u64) -> u64 {
        let mut table = self.0.lock().expect("nobody panics here");
        let next = table.len() as u64;
        NAMED | *table.entry(name).or_insert(next) << OFFSET
    }

    /// The key of a byte of an object; object 0 is the address space.
    pub fn key(&self, object: u64, place: u64) -> Option<u64> {
        match object {
            0 => (place < NAMED).then_some(place),
            _ => (place < 1 << OFFSET).then(|| self.base(object) | place),
        }
    }
}

/// Who made an object.
#[derive(Debug)]
struct Maker {
    strand: Strand,
    /// The strands and regions around that, by their ids.
    around: Rc<[u64]>,
    /// For an implicit task: its region, its number, and what the object is called for all threads of the region.
    home: Option<(u64, u32, u64)>,
}

/// The objects of one run.
#[derive(Debug)]
pub struct Objects {
    layout: Layout,
    table: Table,
    bases: FxHashMap<u64, u64>,
    makers: FxHashMap<u64, Maker>,
    counts: FxHashMap<Strand, u32>,
    /// The strand that made something last, and what is around it.
    around: (Strand, Rc<[u64]>),
    /// By thread: its place among those that forked it, and how many of the regions that it has forked are in progress.
    paths: Vec<(u64, u64)>,
}

impl Objects {
    /// Of a run that is about to begin.
    pub fn new(pointer_bytes: u8, table: Table) -> Objects {
        Objects {
            layout: Layout::new(pointer_bytes),
            table,
            bases: FxHashMap::default(),
            makers: FxHashMap::default(),
            counts: FxHashMap::default(),
            around: ((0, 0, 0), Rc::from([])),
            paths: vec![(1, 0)],
        }
    }

    fn are_named(&self) -> bool {
        self.layout == Layout::Wide
    }

    /// The key of the byte at an address.
    #[inline]
    pub fn key(&self, address: u64) -> u64 {
        if address < FIRST_OF_THREADS {
            return address;
        }
        match self.bases.get(&(address >> OFFSET)) {
            Some(base) => base | (address & ((1 << OFFSET) - 1)),
            None => address,
        }
    }

    fn maker(&self, key: u64) -> Option<&Maker> {
        if key & NAMED == 0 { None } else { self.makers.get(&(key >> OFFSET)) }
    }

    /// Whether a strand made the object of a key itself.
    pub fn is_made_by(&self, key: u64, strand: Strand) -> bool {
        self.maker(key).is_some_and(|m| m.strand == strand)
    }

    /// Whether it was made inside a strand or region.
    pub fn is_made_inside(&self, key: u64, id: u64) -> bool {
        self.maker(key).is_some_and(|m| m.around.contains(&id))
    }

    /// Whether an implicit task made the object.
    pub fn is_of_task(&self, key: u64) -> bool {
        self.maker(key).is_some_and(|maker| maker.home.is_some())
    }

    /// What all threads of a region call the cell, if the implicit task of this number made it.
    pub fn relative(&self, key: u64, level: &Level) -> Option<(u64, u64)> {
        let (region, number, name) = self.maker(key)?.home?;
        let offset = key & ((1 << OFFSET) - 1);
        ((region, Some(number)) == (level.stage.0, level.number)).then_some((region ^ offset << 1 ^ 1, name))
    }

    /// Whether it is not known what made the object. (The first thread's variables are always at the same place.)
    pub fn is_nameless(&self, key: u64) -> bool {
        let unknown = (FIRST_OF_THREADS..NAMED).contains(&key);
        unknown && self.are_named() && self.layout.region(key) != RegionId::tls(0)
    }

    /// A strand makes an object.
    pub fn made(&mut self, entry: &Entry, address: u64) {
        if !self.are_named() {
            return;
        }
        let count = self.counts.entry(entry.name).or_default();
        *count += 1;
        let base = self.table.base(names::object(entry.name, *count));
        let innermost = entry.levels.first().filter(|l| !l.open && entry.name.0 == 3);
        let home = innermost
            .and_then(|l| Some((l.stage.0, l.number?, u64::from(l.stage.1) << 32 | u64::from(*count))));
        if self.around.0 != entry.name {
            self.around = (entry.name, entry.levels.iter().flat_map(|l| [l.id, l.stage.0]).collect());
        }
        self.bases.insert(address >> OFFSET, base);
        self.makers
            .insert(base >> OFFSET, Maker { strand: entry.name, around: Rc::clone(&self.around.1), home });
    }

    /// A thread gets its instance of a thread-local variable.
    pub fn local(&mut self, t: usize, address: u64, variable: u32) {
        if self.are_named() && address >= FIRST_OF_THREADS {
            let path = self.paths.get(t).map_or(0, |p| p.0);
            self.bases.insert(address >> OFFSET, self.table.base(names::local(path, variable)));
        }
    }

    fn room(&mut self, t: usize) {
        if self.paths.len() <= t {
            self.paths.resize(t + 1, (0, 0));
        }
    }

    /// A thread is created, as this strand.
    pub fn fork(&mut self, u: usize, id: u64) {
        self.room(u);
        self.paths[u].0 = id;
    }

    /// Teams are forked and joined: a worker is known by who forks it, how deep, and its number.
    pub fn work(&mut self, t: usize, work: &Work) {
        self.room(t);
        match work {
            Work::Fork { members, .. } => {
                for (number, &m) in members.iter().enumerate().skip(1) {
                    self.room(m);
                    self.paths[m].0 = id_of(self.paths[t].0, self.paths[t].1 << 32 | number as u64);
                }
                self.paths[t].1 += 1;
            }
            Work::Join { .. } => self.paths[t].1 = self.paths[t].1.saturating_sub(1),
            _ => {}
        }
    }
}
