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
pub mod sparse;

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
    /// The access is possible, but crosses pages of a very large object.
    Scattered,
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

/// One entry of the journal. The lines that an entry saves lie on top of the [`Attic`].
#[derive(Debug, Clone)]
enum Saved {
    Line { region: u32, line: u32 },
    Object { region: u32, index: u32, object: Object },
    Popped { region: u32, object: Object },
}

/// Saved lines, oldest first: a stack beside the journal, so that saving allocates nothing of its own.
#[derive(Debug, Clone, Default)]
struct Attic {
    data: Vec<u8>,
    shadow: Vec<u8>,
    hashes: Vec<Hash>,
}

impl Attic {
    fn save(&mut self, r: &Region, lines: std::ops::Range<usize>) {
        self.data.extend_from_slice(&r.data[lines.start * LINE..lines.end * LINE]);
        self.shadow.extend_from_slice(&r.shadow[lines.start * LINE..lines.end * LINE]);
        self.hashes.extend_from_slice(&r.hashes[lines]);
    }

    fn truncate(&mut self, lines: usize) {
        self.data.truncate(lines * LINE);
        self.shadow.truncate(lines * LINE);
        self.hashes.truncate(lines);
    }
}

/// A point in time to go back to. Marks are nested: only the newest can be gone back to and discarded.
#[derive(Debug, Clone)]
pub struct Mark {
    journal: usize,
    total: Hash,
    /// Where the marks of the regions begin in [`Memory::region_marks`], and how many there are.
    regions: usize,
    region_count: usize,
}

#[derive(Debug, Clone, Copy)]
struct RegionMark {
    len: u32,
    low: u32,
    hashed: u32,
}

/// The memory of a program.
#[derive(Debug, Clone)]
pub struct Memory {
    layout: Layout,
    regions: Vec<Region>,
    journal: Vec<Saved>,
    attic: Attic,
    region_marks: Vec<RegionMark>,
    /// Whether changes are saved (there is a mark).
    saving: bool,
    epoch: u32,
    total: Hash,
    /// Lines whose hash is out of date.
    dirty: Vec<(u32, u32)>,
    /// Whether there may be objects that are not part of the total yet.
    grown: bool,
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
            attic: Attic::default(),
            region_marks: Vec::new(),
            saving: false,
            epoch: NEVER + 1,
            total: 0,
            dirty: Vec::new(),
            grown: false,
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
        if self.is_sparse(region, size) {
            return self.create_sparse(region, size, align, zeroed, family, origin);
        }
        let layout = self.layout;
        self.grown = true;
        let r = self.region_mut(region);
        let previous_end = r.objects.last().map_or(0, |o| o.base + o.size);
        let base = layout.place(region, r.objects.len(), previous_end, size, align)?;
        let line = (r.data.len() / LINE) as u32;
        let object = Object { base, size, line, ..Object::new(zeroed, family, origin, 0) };
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
        let (journal, attic) = (&mut self.journal, &mut self.attic);
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
                    attic.save(r, from..r.hashes.len());
                    journal.push(Saved::Popped { region: region.0, object });
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
        let object = r.objects.get(index)?;
        if object.backing != 0 {
            // Of its entries the first one counts.
            let first = Layout::wide_index(object.base);
            return Some((region, first, &r.objects[first]));
        }
        Some((region, index, object))
    }

    /// Resolves an access of `len` bytes.
    #[inline]
    pub fn resolve(&self, address: u64, len: u64, write: bool) -> Result<Spot, Fault> {
        match self.access(address, len, write) {
            Some((spot, _)) => Ok(spot),
            None => Err(self.why_not(address, len)),
        }
    }

    /// Resolves an access of `len` bytes to its place and object; `None` if it is a fault.
    #[inline]
    pub fn access(&self, address: u64, len: u64, write: bool) -> Option<(Spot, &Object)> {
        let (region, index, object) = self.find(address)?;
        let offset = address.wrapping_sub(object.base);
        let possible = object.life == Life::Alive
            && offset <= object.size
            && len <= object.size - offset
            && !(write && object.constant)
            && region != RegionId::FUNCTIONS;
        if object.backing != 0 {
            return possible.then(|| self.page_spot(object, offset, len))?.map(|spot| (spot, object));
        }
        let at = (object.line as usize * LINE).wrapping_add(offset as usize);
        possible.then_some((Spot { region, object: index, at }, object))
    }

    #[cold]
    fn why_not(&self, address: u64, len: u64) -> Fault {
        match self.find(address) {
            Some((_, _, object)) if object.backing != 0 && inside(address, object, len) => Fault::Scattered,
            Some((region, _, object)) => fault(address, object, region, len),
            None if address < 1 << 16 => Fault::Null,
            None => Fault::Wild,
        }
    }

    /// An object by its place.
    #[inline]
    pub fn object(&self, spot: Spot) -> &Object {
        &self.regions[spot.region.0 as usize].objects[Memory::index_of(spot)]
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

    /// A copy of bytes and their shadows.
    pub fn copy_of(&self, spot: Spot, len: usize) -> (Vec<u8>, Vec<u8>) {
        (self.bytes(spot, len).to_vec(), self.shadow(spot, len).to_vec())
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
        let spot = self.own(spot);
        self.touch(spot, len);
        let r = &mut self.regions[spot.region.0 as usize];
        put(&mut r.data[spot.at..spot.at + len], value);
        put(&mut r.shadow[spot.at..spot.at + len], shadow);
    }

    /// Writable bytes and shadow of an object; saves what was there.
    pub fn edit(&mut self, spot: Spot, len: usize) -> (&mut [u8], &mut [u8]) {
        let spot = self.own(spot);
        self.touch(spot, len);
        let r = &mut self.regions[spot.region.0 as usize];
        (&mut r.data[spot.at..spot.at + len], &mut r.shadow[spot.at..spot.at + len])
    }

    /// Copies bytes and shadow from one place to another; the places may overlap.
    pub fn copy(&mut self, dst: Spot, src: Spot, len: usize) {
        if len == 0 {
            return;
        }
        let dst = self.own(dst);
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
        // An object made after the mark goes away when going back: nothing of it needs saving.
        if self.saving && r.objects.get(r.low).is_none_or(|newer| line < newer.line as usize) {
            self.attic.save(r, line..line + 1);
            self.journal.push(Saved::Line { region: region.0, line: line as u32 });
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
        if std::mem::take(&mut self.grown) {
            self.hash_new_objects();
        }
        self.epoch += 1;
        self.total
    }

    fn hash_new_objects(&mut self) {
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
    }

    /// Calls a function with the region, the place in its arena, the data and the shadow of every line of which some byte
    /// is wholly unconstrained and yet not zero.
    pub(crate) fn named_lines(&self, mut see: impl FnMut(RegionId, usize, &[u8], &[u8])) {
        for (index, r) in self.regions.iter().enumerate() {
            for line in (0..r.epochs.len()).filter(|&line| r.epochs[line] != NEVER) {
                let at = line * LINE..(line + 1) * LINE;
                let (data, shadow) = (&r.data[at.clone()], &r.shadow[at.clone()]);
                if data.iter().zip(shadow).any(|(&d, &s)| s == 0xff && d != 0) {
                    see(RegionId(index as u32), at.start, data, shadow);
                }
            }
        }
    }

    /// Replaces every scalar of `len` bytes that is wholly unconstrained and has one of the given values by what stands
    /// beside it, which is known.
    pub(crate) fn replace_named(&mut self, len: usize, values: &[(u64, u64)]) {
        let mut hits = Vec::new();
        self.named_lines(|region, at, data, shadow| {
            let r = &self.regions[region.0 as usize];
            for i in (0..LINE).filter(|&i| shadow[i] == 0xff && data[i] != 0) {
                let bytes = at + i..at + i + len;
                if bytes.end > r.data.len() || r.shadow[bytes.clone()].iter().any(|&s| s != 0xff) {
                    continue;
                }
                let value = number(&r.data[bytes]);
                if let Some(&(_, new)) = values.iter().find(|(old, _)| *old == value) {
                    hits.push((region, at + i, new));
                }
            }
        });
        for (region, at, new) in hits {
            self.store(Spot { region, object: 0, at }, len, new, 0);
        }
    }

    /// Remembers this point in time. The hash must be up to date: call [`Memory::hash`] first.
    pub fn mark(&mut self) -> Mark {
        debug_assert!(self.dirty.is_empty());
        self.saving = true;
        self.epoch += 1;
        let regions = self.region_marks.len();
        self.region_marks.extend(self.regions.iter_mut().map(|r| {
            let len = r.objects.len();
            let low = std::mem::replace(&mut r.low, len);
            RegionMark { len: len as u32, low: low as u32, hashed: r.hashed as u32 }
        }));
        let region_count = self.regions.len();
        Mark { journal: self.journal.len(), total: self.total, regions, region_count }
    }

    /// Goes back to a mark, which stays valid.
    pub fn rollback(&mut self, mark: &Mark) {
        while self.journal.len() > mark.journal {
            match self.journal.pop().expect("the journal is longer than the mark") {
                Saved::Line { region, line } => self.restore_line(region, line as usize),
                Saved::Object { region, index, object } => {
                    if let Some(o) = self.regions[region as usize].objects.get_mut(index as usize) {
                        *o = object;
                    }
                }
                Saved::Popped { region, object } => self.restore_object(region, object),
            }
        }
        let marks = &self.region_marks[mark.regions..mark.regions + mark.region_count];
        for (r, mark) in self.regions.iter_mut().zip(marks) {
            restore_length(r, mark.len as usize);
            r.low = mark.len as usize;
            r.hashed = mark.hashed as usize;
        }
        for r in &mut self.regions[mark.region_count..] {
            restore_length(r, 0);
            r.low = 0;
            r.hashed = 0;
        }
        self.total = mark.total;
        self.dirty.clear();
        self.epoch += 1;
    }

    /// Puts the line on top of the attic back.
    fn restore_line(&mut self, region: u32, line: usize) {
        let r = &mut self.regions[region as usize];
        let top = self.attic.hashes.len() - 1;
        // The line may belong to an object that is gone: one that was made after the mark.
        if line < r.epochs.len() {
            let (to, from) = (line * LINE..(line + 1) * LINE, top * LINE..(top + 1) * LINE);
            r.data[to.clone()].copy_from_slice(&self.attic.data[from.clone()]);
            r.shadow[to].copy_from_slice(&self.attic.shadow[from]);
            r.hashes[line] = self.attic.hashes[top];
        }
        self.attic.truncate(top);
    }

    /// Puts a popped object back, with its lines, which lie on top of the attic.
    fn restore_object(&mut self, region: u32, object: Object) {
        let r = &mut self.regions[region as usize];
        let index = r.objects.partition_point(|o| o.line < object.line || o.base < object.base);
        r.objects.truncate(index);
        truncate(r, object.line as usize);
        r.objects.push(object);
        let bottom = self.attic.hashes.len() - object.lines();
        r.data.extend_from_slice(&self.attic.data[bottom * LINE..]);
        r.shadow.extend_from_slice(&self.attic.shadow[bottom * LINE..]);
        r.hashes.extend_from_slice(&self.attic.hashes[bottom..]);
        r.epochs.resize(r.hashes.len(), NEVER + 1);
        self.attic.truncate(bottom);
    }

    /// Forgets the newest mark after a rollback to it: changes from now on are saved for the mark before it.
    pub fn discard(&mut self, mark: &Mark, last: bool) {
        let marks = &self.region_marks[mark.regions..mark.regions + mark.region_count];
        for (r, mark) in self.regions.iter_mut().zip(marks) {
            r.low = r.low.min(mark.low as usize);
        }
        self.region_marks.truncate(mark.regions);
        if last {
            self.saving = false;
            self.journal.clear();
            self.attic.truncate(0);
        }
    }

    /// How many bytes the memory holds, roughly.
    pub fn footprint(&self) -> usize {
        self.regions
            .iter()
            .map(|r| r.data.len() * 2 + r.epochs.len() * 20 + r.objects.len() * 64)
            .sum::<usize>()
            + self.journal.len() * size_of::<Saved>()
            + self.attic.hashes.len() * (2 * LINE + size_of::<Hash>())
            + self.region_marks.len() * size_of::<RegionMark>()
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

/// Whether an access that nothing forbids but its length lies inside an object.
fn inside(address: u64, object: &Object, len: u64) -> bool {
    let offset = address.wrapping_sub(object.base);
    object.life == Life::Alive && !object.constant && offset <= object.size && len <= object.size - offset
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
    bytes[17] = u8::from(object.zeroed) | u8::from(object.published) << 1 | u8::from(object.handed) << 2;
    xxh3_128_with_seed(&bytes, 1)
}

/// Whether all bytes of a line are the same given one. Without leaving early: that way it is a few vector instructions.
#[inline]
fn is_all(line: &[u8], byte: u8) -> bool {
    line.iter().fold(0, |differs, &b| differs | (b ^ byte)) == 0
}

/// A line's hash; 0 if the line has its object's initial pattern.
fn line_hash(r: &Region, object: &Object, line: usize) -> Hash {
    let at = line * LINE;
    let (data, shadow) = (&r.data[at..at + LINE], &r.shadow[at..at + LINE]);
    let defined = is_all(shadow, 0);
    let fresh = if object.zeroed { defined } else { is_all(shadow, 0xff) };
    if fresh && is_all(data, 0) {
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
