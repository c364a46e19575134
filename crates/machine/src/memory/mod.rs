//! Memory: objects in a flat address space, with bounds, lifetime and initialisation known for every byte.
//!
//! # Saving and going back
//! [`Memory::mark`] remembers a point in time, [`Memory::rollback`] goes back to it. In between, the first change to each
//! 64-byte line saves the line in a journal, so the cost is proportional to what changes, not to what there is.
//!
//! # Hash
//! The hash of the memory is the sum, over all lines of all objects, of a 128-bit hash of the line's address and contents,
//! plus one term per object. It is brought up to date by [`Memory::hash`], which looks only at lines changed since. A
//! line that still has its object's initial pattern contributes nothing, so large untouched objects cost nothing.
//!
//! # Shadow
//! Every bit of memory has a shadow bit: set if the bit is unconstrained (never initialised, or an input).

pub mod layout;
pub mod object;

use layout::{Layout, RegionId};
use object::{Family, Hash, LINE, Life, Object, Origin, Region};
use xxhash_rust::xxh3::xxh3_128_with_seed;

/// Why an access is not possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The pointer is null, or so near to it that it comes from a null pointer.
    Null,
    /// The pointer points to no object.
    Wild,
    /// The object was freed.
    Freed,
    /// The object's scope has ended.
    Ended,
    /// The access leaves the object.
    Bounds {
        /// Where the object starts.
        base: u64,
        /// How large it is.
        size: u64,
    },
    /// The object is constant.
    Constant,
}

/// A place in a region's arena: the answer of resolving an address.
#[derive(Debug, Clone, Copy)]
pub struct Spot {
    /// The region.
    pub region: RegionId,
    /// The object's index in it.
    pub object: usize,
    /// Where in the arena the bytes are.
    pub at: usize,
}

/// One entry of the journal.
#[derive(Debug, Clone)]
enum Saved {
    Line { region: u32, line: u32, hash: Hash, data: [u8; LINE], shadow: [u8; LINE] },
    Object { region: u32, index: u32, object: Object },
    Popped { region: u32, object: Object, data: Vec<u8>, shadow: Vec<u8>, hashes: Vec<Hash> },
}

/// A point in time to go back to.
#[derive(Debug, Clone)]
pub struct Mark {
    journal: usize,
    total: Hash,
    regions: Vec<RegionMark>,
}

#[derive(Debug, Clone, Copy)]
struct RegionMark {
    len: usize,
    low: usize,
    hashed: usize,
}

/// The memory of a program.
#[derive(Debug, Clone)]
pub struct Memory {
    layout: Layout,
    regions: Vec<Region>,
    journal: Vec<Saved>,
    /// Whether changes are saved (there is a mark).
    saving: bool,
    epoch: u32,
    total: Hash,
    /// Lines whose hash is out of date.
    dirty: Vec<(u32, u32)>,
}

/// The epoch of a line that was never saved.
const NEVER: u32 = 0;

impl Memory {
    /// Memory without objects.
    pub fn new(layout: Layout) -> Memory {
        Memory {
            layout,
            regions: vec![Region::default(); 3],
            journal: Vec::new(),
            saving: false,
            epoch: NEVER + 1,
            total: 0,
            dirty: Vec::new(),
        }
    }

    /// How addresses are split.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    fn region_mut(&mut self, region: RegionId) -> &mut Region {
        let index = region.0 as usize;
        if self.regions.len() <= index {
            self.regions.resize_with(index + 1, Region::default);
        }
        &mut self.regions[index]
    }

    /// The objects of a region.
    pub fn objects(&self, region: RegionId) -> &[Object] {
        self.regions.get(region.0 as usize).map_or(&[], |r| &r.objects)
    }

    /// How many objects a region has.
    pub fn height(&self, region: RegionId) -> usize {
        self.objects(region).len()
    }

    /// Creates an object; `None` if the region is full or the size too large. Its bytes are zero if `zeroed`, otherwise
    /// unconstrained.
    pub fn create(
        &mut self,
        region: RegionId,
        size: u64,
        align: u64,
        zeroed: bool,
        family: Family,
        origin: Origin,
    ) -> Option<u64> {
        let layout = self.layout;
        let r = self.region_mut(region);
        let previous_end = r.objects.last().map_or(0, |o| o.base + o.size);
        let base = layout.place(region, r.objects.len(), previous_end, size, align)?;
        let line = (r.data.len() / LINE) as u32;
        let object = Object {
            base,
            size,
            line,
            life: Life::Alive,
            constant: false,
            escaped: true,
            published: false,
            zeroed,
            family,
            origin,
        };
        let lines = object.lines();
        r.objects.push(object);
        let bytes = r.data.len() + lines * LINE;
        r.data.resize(bytes, 0);
        r.shadow.resize(bytes, if zeroed { 0 } else { 0xff });
        let count = r.epochs.len() + lines;
        r.epochs.resize(count, NEVER);
        r.hashes.resize(count, 0);
        Some(base)
    }

    /// Says of the newest object of a region that only its own function can reach it.
    pub fn make_private(&mut self, region: RegionId) {
        if let Some(object) = self.regions.get_mut(region.0 as usize).and_then(|r| r.objects.last_mut()) {
            object.escaped = false;
        }
    }

    /// Ends the newest objects of a stack until `height` are left.
    pub fn pop(&mut self, region: RegionId, height: usize) {
        let saving = self.saving;
        let total = &mut self.total;
        let journal = &mut self.journal;
        let Some(r) = self.regions.get_mut(region.0 as usize) else { return };
        while r.objects.len() > height {
            let object = r.objects.pop().expect("the region is not empty");
            let from = object.line as usize;
            if r.objects.len() < r.hashed {
                r.hashed = r.objects.len();
                *total = total.wrapping_sub(object_hash(&object));
                for hash in &r.hashes[from..] {
                    *total = total.wrapping_sub(*hash);
                }
            }
            if r.objects.len() < r.low {
                r.low = r.objects.len();
                if saving {
                    journal.push(Saved::Popped {
                        region: region.0,
                        object,
                        data: r.data[from * LINE..].to_vec(),
                        shadow: r.shadow[from * LINE..].to_vec(),
                        hashes: r.hashes[from..].to_vec(),
                    });
                }
            }
            truncate(r, from);
        }
    }

    /// The object that an address lies in (or just behind), alive or not.
    #[inline]
    pub fn find(&self, address: u64) -> Option<(RegionId, usize, &Object)> {
        let region = self.layout.region(address);
        let r = self.regions.get(region.0 as usize)?;
        let index = match self.layout {
            Layout::Wide => Layout::wide_index(address),
            Layout::Narrow => r.objects.partition_point(|o| o.base <= address).checked_sub(1)?,
        };
        r.objects.get(index).map(|o| (region, index, o))
    }

    /// Resolves an access of `len` bytes.
    #[inline]
    pub fn resolve(&self, address: u64, len: u64, write: bool) -> Result<Spot, Fault> {
        let Some((region, index, object)) = self.find(address) else {
            return Err(if address < 1 << 16 { Fault::Null } else { Fault::Wild });
        };
        let offset = address.wrapping_sub(object.base);
        if object.life == Life::Alive
            && offset <= object.size
            && len <= object.size - offset
            && !(write && object.constant)
            && region != RegionId::FUNCTIONS
        {
            return Ok(Spot { region, object: index, at: object.line as usize * LINE + offset as usize });
        }
        Err(fault(address, object, region, len))
    }

    /// An object by its place.
    #[inline]
    pub fn object(&self, spot: Spot) -> &Object {
        &self.regions[spot.region.0 as usize].objects[spot.object]
    }

    /// Changes what is known of an object.
    pub fn update_object(&mut self, region: RegionId, index: usize, change: impl FnOnce(&mut Object)) {
        let r = &mut self.regions[region.0 as usize];
        let object = &mut r.objects[index];
        if self.saving {
            self.journal.push(Saved::Object { region: region.0, index: index as u32, object: *object });
        }
        if index < r.hashed {
            self.total = self.total.wrapping_sub(object_hash(object));
        }
        change(object);
        if index < r.hashed {
            self.total = self.total.wrapping_add(object_hash(object));
        }
    }

    /// Bytes of an object.
    #[inline]
    pub fn bytes(&self, spot: Spot, len: usize) -> &[u8] {
        &self.regions[spot.region.0 as usize].data[spot.at..spot.at + len]
    }

    /// Shadow bits of an object.
    #[inline]
    pub fn shadow(&self, spot: Spot, len: usize) -> &[u8] {
        &self.regions[spot.region.0 as usize].shadow[spot.at..spot.at + len]
    }

    /// Up to eight bytes as a number, with their shadow.
    #[inline]
    pub fn load(&self, spot: Spot, len: usize) -> (u64, u64) {
        let r = &self.regions[spot.region.0 as usize];
        (number(&r.data[spot.at..spot.at + len]), number(&r.shadow[spot.at..spot.at + len]))
    }

    /// Stores the low `len` (at most eight) bytes of a number and of its shadow.
    #[inline]
    pub fn store(&mut self, spot: Spot, len: usize, value: u64, shadow: u64) {
        self.touch(spot, len);
        let r = &mut self.regions[spot.region.0 as usize];
        put(&mut r.data[spot.at..spot.at + len], value);
        put(&mut r.shadow[spot.at..spot.at + len], shadow);
    }

    /// Writable bytes and shadow of an object; saves what was there.
    pub fn edit(&mut self, spot: Spot, len: usize) -> (&mut [u8], &mut [u8]) {
        self.touch(spot, len);
        let r = &mut self.regions[spot.region.0 as usize];
        (&mut r.data[spot.at..spot.at + len], &mut r.shadow[spot.at..spot.at + len])
    }

    /// Copies bytes and shadow from one place to another; the places may overlap.
    pub fn copy(&mut self, dst: Spot, src: Spot, len: usize) {
        if len == 0 {
            return;
        }
        self.touch(dst, len);
        if dst.region == src.region {
            let r = &mut self.regions[dst.region.0 as usize];
            r.data.copy_within(src.at..src.at + len, dst.at);
            r.shadow.copy_within(src.at..src.at + len, dst.at);
        } else {
            let [d, s] = self
                .regions
                .get_disjoint_mut([dst.region.0 as usize, src.region.0 as usize])
                .expect("two different regions");
            d.data[dst.at..dst.at + len].copy_from_slice(&s.data[src.at..src.at + len]);
            d.shadow[dst.at..dst.at + len].copy_from_slice(&s.shadow[src.at..src.at + len]);
        }
    }

    /// Prepares the lines of an access for a change.
    #[inline]
    fn touch(&mut self, spot: Spot, len: usize) {
        let first = spot.at / LINE;
        let last = (spot.at + len.max(1) - 1) / LINE;
        let r = &self.regions[spot.region.0 as usize];
        if first == last && r.epochs[first] == self.epoch {
            return;
        }
        for line in first..=last {
            self.touch_line(spot.region, line);
        }
    }

    #[cold]
    fn touch_line(&mut self, region: RegionId, line: usize) {
        let r = &mut self.regions[region.0 as usize];
        if r.epochs[line] == self.epoch {
            return;
        }
        r.epochs[line] = self.epoch;
        if self.saving {
            let at = line * LINE;
            self.journal.push(Saved::Line {
                region: region.0,
                line: line as u32,
                hash: r.hashes[line],
                data: r.data[at..at + LINE].try_into().expect("a line"),
                shadow: r.shadow[at..at + LINE].try_into().expect("a line"),
            });
        }
        self.dirty.push((region.0, line as u32));
    }

    /// The hash of everything in memory.
    pub fn hash(&mut self) -> Hash {
        let mut dirty = std::mem::take(&mut self.dirty);
        for (region, line) in dirty.drain(..) {
            let r = &mut self.regions[region as usize];
            let line = line as usize;
            // A line of an object that was popped, or that is not yet part of the total, is not to be brought up to date.
            let limit = r.objects[..r.hashed].last().map_or(0, |o| o.line as usize + o.lines());
            if line >= limit {
                continue;
            }
            let object = &r.objects[r.objects[..r.hashed].partition_point(|o| o.line as usize <= line) - 1];
            let hash = line_hash(r, object, line);
            self.total = self.total.wrapping_sub(r.hashes[line]).wrapping_add(hash);
            r.hashes[line] = hash;
        }
        self.dirty = dirty;
        for r in &mut self.regions {
            while r.hashed < r.objects.len() {
                let object = r.objects[r.hashed];
                self.total = self.total.wrapping_add(object_hash(&object));
                for line in object.line as usize..object.line as usize + object.lines() {
                    let hash = if r.epochs[line] == NEVER { 0 } else { line_hash(r, &object, line) };
                    r.hashes[line] = hash;
                    self.total = self.total.wrapping_add(hash);
                }
                r.hashed += 1;
            }
        }
        self.epoch += 1;
        self.total
    }

    /// Remembers this point in time. The hash must be up to date: call [`Memory::hash`] first.
    pub fn mark(&mut self) -> Mark {
        debug_assert!(self.dirty.is_empty());
        self.saving = true;
        self.epoch += 1;
        let regions = self
            .regions
            .iter_mut()
            .map(|r| {
                let mark = RegionMark { len: r.objects.len(), low: r.low, hashed: r.hashed };
                r.low = r.objects.len();
                mark
            })
            .collect();
        Mark { journal: self.journal.len(), total: self.total, regions }
    }

    /// Goes back to a mark, which stays valid.
    pub fn rollback(&mut self, mark: &Mark) {
        while self.journal.len() > mark.journal {
            match self.journal.pop().expect("the journal is longer than the mark") {
                Saved::Line { region, line, hash, data, shadow } => {
                    let r = &mut self.regions[region as usize];
                    let (line, at) = (line as usize, line as usize * LINE);
                    // The line may belong to an object that is gone: one that was made after the mark.
                    if line < r.epochs.len() {
                        r.data[at..at + LINE].copy_from_slice(&data);
                        r.shadow[at..at + LINE].copy_from_slice(&shadow);
                        r.hashes[line] = hash;
                    }
                }
                Saved::Object { region, index, object } => {
                    if let Some(o) = self.regions[region as usize].objects.get_mut(index as usize) {
                        *o = object;
                    }
                }
                Saved::Popped { region, object, data, shadow, hashes } => {
                    let r = &mut self.regions[region as usize];
                    let index = r.objects.partition_point(|o| o.line < object.line || o.base < object.base);
                    r.objects.truncate(index);
                    truncate(r, object.line as usize);
                    r.objects.push(object);
                    r.data.extend_from_slice(&data);
                    r.shadow.extend_from_slice(&shadow);
                    r.epochs.resize(r.epochs.len() + hashes.len(), NEVER + 1);
                    r.hashes.extend_from_slice(&hashes);
                }
            }
        }
        for (r, mark) in self.regions.iter_mut().zip(&mark.regions) {
            restore_length(r, mark.len);
            r.low = mark.len;
            r.hashed = mark.hashed;
        }
        for r in &mut self.regions[mark.regions.len()..] {
            restore_length(r, 0);
            r.low = 0;
            r.hashed = 0;
        }
        self.total = mark.total;
        self.dirty.clear();
        self.epoch += 1;
    }

    /// Forgets the newest mark after a rollback to it: changes from now on are saved for the mark before it.
    pub fn discard(&mut self, mark: &Mark, last: bool) {
        for (r, mark) in self.regions.iter_mut().zip(&mark.regions) {
            r.low = mark.low.min(r.low);
        }
        if last {
            self.saving = false;
            self.journal.clear();
        }
    }

    /// How many bytes the memory holds, roughly.
    pub fn footprint(&self) -> usize {
        self.regions
            .iter()
            .map(|r| r.data.len() * 2 + r.epochs.len() * 20 + r.objects.len() * 64)
            .sum::<usize>()
            + self.journal.len() * size_of::<Saved>()
    }
}

/// Cuts a region's arena to its first `lines` lines.
fn truncate(r: &mut Region, lines: usize) {
    r.data.truncate(lines * LINE);
    r.shadow.truncate(lines * LINE);
    r.epochs.truncate(lines);
    r.hashes.truncate(lines);
}

fn restore_length(r: &mut Region, len: usize) {
    if r.objects.len() > len {
        let from = r.objects[len].line as usize;
        r.objects.truncate(len);
        truncate(r, from);
    }
}

#[cold]
fn fault(address: u64, object: &Object, region: RegionId, len: u64) -> Fault {
    let offset = address.wrapping_sub(object.base);
    if region == RegionId::FUNCTIONS {
        return Fault::Wild;
    }
    match object.life {
        Life::Freed => Fault::Freed,
        Life::Ended => Fault::Ended,
        Life::Alive if offset <= object.size && len <= object.size - offset => Fault::Constant,
        Life::Alive => Fault::Bounds { base: object.base, size: object.size },
    }
}

fn object_hash(object: &Object) -> Hash {
    let mut bytes = [0; 24];
    bytes[..8].copy_from_slice(&object.base.to_le_bytes());
    bytes[8..16].copy_from_slice(&object.size.to_le_bytes());
    bytes[16] = object.life as u8;
    bytes[17] = u8::from(object.zeroed) | u8::from(object.published) << 1;
    xxh3_128_with_seed(&bytes, 1)
}

/// A line's hash; 0 if the line has its object's initial pattern.
fn line_hash(r: &Region, object: &Object, line: usize) -> Hash {
    let at = line * LINE;
    let (data, shadow) = (&r.data[at..at + LINE], &r.shadow[at..at + LINE]);
    let fresh = if object.zeroed { 0 } else { 0xff };
    let defined = shadow.iter().all(|&b| b == 0);
    if data.iter().all(|&b| b == 0) && (if fresh == 0 { defined } else { shadow.iter().all(|&b| b == 0xff) })
    {
        return 0;
    }
    let seed = object.base.wrapping_add((line - object.line as usize) as u64 * LINE as u64);
    if defined {
        return xxh3_128_with_seed(data, seed);
    }
    let mut both = [0; 2 * LINE];
    // The values of unconstrained bits do not matter: two states that differ only there are the same.
    for i in 0..LINE {
        both[i] = data[i] & !shadow[i];
    }
    both[LINE..].copy_from_slice(shadow);
    xxh3_128_with_seed(&both, seed)
}

#[inline]
fn number(bytes: &[u8]) -> u64 {
    match bytes.len() {
        8 => u64::from_le_bytes(bytes.try_into().expect("eight bytes")),
        4 => u64::from(u32::from_le_bytes(bytes.try_into().expect("four bytes"))),
        1 => u64::from(bytes[0]),
        2 => u64::from(u16::from_le_bytes(bytes.try_into().expect("two bytes"))),
        _ => bytes.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b)),
    }
}

#[inline]
fn put(bytes: &mut [u8], value: u64) {
    match bytes.len() {
        8 => bytes.copy_from_slice(&value.to_le_bytes()),
        4 => bytes.copy_from_slice(&(value as u32).to_le_bytes()),
        1 => bytes[0] = value as u8,
        2 => bytes.copy_from_slice(&(value as u16).to_le_bytes()),
        n => bytes.copy_from_slice(&value.to_le_bytes()[..n]),
    }
}

#[cfg(test)]
mod tests;
