//! The memory against a model that copies everything: random runs of all operations, with nested marks.

use super::*;

/// An object of the model, with its bytes.
#[derive(Debug, Clone, PartialEq)]
struct Plain {
    base: u64,
    size: u64,
    zeroed: bool,
    life: Life,
    data: Vec<u8>,
    shadow: Vec<u8>,
}

/// The model: the objects of every region.
type Model = Vec<Vec<Plain>>;

/// A small generator (xorshift) with a fixed seed: every failure repeats.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % n.max(1) as u64) as usize
    }

    fn byte(&mut self) -> u8 {
        // Zeros and ones often: lines that go back to their initial pattern.
        [0, 0, 0xff, self.below(256) as u8][self.below(4)]
    }
}

const REGIONS: [RegionId; 6] =
    [RegionId::GLOBALS, RegionId(3), RegionId(4), RegionId(6), RegionId(7), RegionId(10)];

/// A memory, its model, and the marks of both.
struct Pair {
    memory: Memory,
    model: Model,
    marks: Vec<(Mark, Model, Hash)>,
    random: Random,
}

impl Pair {
    fn new(layout: Layout, seed: u64) -> Pair {
        let random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        Pair { memory: Memory::new(layout), model: vec![Vec::new(); 11], marks: Vec::new(), random }
    }

    fn region(&mut self) -> RegionId {
        REGIONS[self.random.below(REGIONS.len())]
    }

    fn create(&mut self) {
        let region = self.region();
        let size = [0, 1, 8, 24, 64, 65, 200][self.random.below(7)];
        let zeroed = self.random.below(2) == 0;
        let made = self.memory.create(region, size, 8, zeroed, Family::None, Origin::Internal);
        let base = made.expect("there is room");
        let shadow = vec![if zeroed { 0 } else { 0xff }; size as usize];
        let data = vec![0; size as usize];
        self.model[region.0 as usize].push(Plain { base, size, zeroed, life: Life::Alive, data, shadow });
    }

    /// Some bytes of some object that may be accessed: region, object, offset, length.
    fn place(&mut self, longest: usize) -> Option<(RegionId, usize, usize, usize)> {
        let region = self.region();
        let objects = &self.model[region.0 as usize];
        let index = self.random.below(objects.len());
        let object = objects.get(index).filter(|o| o.life == Life::Alive && o.size > 0)?;
        let size = object.size as usize;
        let from = self.random.below(size);
        Some((region, index, from, 1 + self.random.below(longest.min(size - from))))
    }

    fn spot(&self, (region, index, from, len): (RegionId, usize, usize, usize)) -> Spot {
        let base = self.model[region.0 as usize][index].base;
        self.memory.resolve(base + from as u64, len as u64, true).expect("inside a live object")
    }

    fn write(&mut self) {
        let Some(place) = self.place(8) else { return };
        let (region, index, from, len) = place;
        let spot = self.spot(place);
        let value: [u8; 8] = std::array::from_fn(|_| self.random.byte());
        let shadow: [u8; 8] = std::array::from_fn(|_| self.random.byte());
        self.memory.store(spot, len, u64::from_le_bytes(value), u64::from_le_bytes(shadow));
        let object = &mut self.model[region.0 as usize][index];
        object.data[from..from + len].copy_from_slice(&value[..len]);
        object.shadow[from..from + len].copy_from_slice(&shadow[..len]);
    }

    fn fill(&mut self) {
        let Some(place) = self.place(200) else { return };
        let (region, index, from, len) = place;
        let spot = self.spot(place);
        let (byte, shadow) = (self.random.byte(), self.random.byte());
        let (data, shadows) = self.memory.edit(spot, len);
        data.fill(byte);
        shadows.fill(shadow);
        let object = &mut self.model[region.0 as usize][index];
        object.data[from..from + len].fill(byte);
        object.shadow[from..from + len].fill(shadow);
    }

    fn copy(&mut self) {
        let (Some(dst), Some(src)) = (self.place(100), self.place(100)) else { return };
        let len = dst.3.min(src.3);
        let (to, from) = (self.spot((dst.0, dst.1, dst.2, len)), self.spot((src.0, src.1, src.2, len)));
        self.memory.copy(to, from, len);
        let source = &self.model[src.0.0 as usize][src.1];
        let (data, shadow) =
            (source.data[src.2..src.2 + len].to_vec(), source.shadow[src.2..src.2 + len].to_vec());
        let target = &mut self.model[dst.0.0 as usize][dst.1];
        target.data[dst.2..dst.2 + len].copy_from_slice(&data);
        target.shadow[dst.2..dst.2 + len].copy_from_slice(&shadow);
    }

    fn pop(&mut self) {
        let region = self.region();
        if !region.is_stack() {
            return;
        }
        let objects = &mut self.model[region.0 as usize];
        let height = objects.len().saturating_sub(self.random.below(4));
        objects.truncate(height);
        self.memory.pop(region, height);
    }

    fn free(&mut self) {
        let Some((region, index, ..)) = self.place(1) else { return };
        let life = if region.is_stack() { Life::Ended } else { Life::Freed };
        self.memory.update_object(region, index, |o| o.life = life);
        self.model[region.0 as usize][index].life = life;
    }

    fn mark(&mut self) {
        let hash = self.memory.hash();
        self.marks.push((self.memory.mark(), self.model.clone(), hash));
    }

    fn rollback(&mut self) {
        let Some((mark, model, hash)) = self.marks.last() else { return };
        self.memory.rollback(mark);
        self.model.clone_from(model);
        assert_eq!(self.memory.hash(), *hash, "the hash after going back");
        if self.random.below(2) == 0 {
            let (mark, ..) = self.marks.pop().expect("there is a mark");
            self.memory.discard(&mark, self.marks.is_empty());
        }
    }

    fn step(&mut self) {
        match self.random.below(20) {
            0..3 => self.create(),
            3..9 => self.write(),
            9..11 => self.fill(),
            11..13 => self.copy(),
            13..15 => self.pop(),
            15 => self.free(),
            16 => {
                self.memory.hash();
            }
            17 => self.mark(),
            _ => self.rollback(),
        }
    }

    /// Everything that the memory holds is what the model holds, and it hashes as if it had been made at once.
    fn check(&mut self) {
        let mut fresh = Memory::new(self.memory.layout());
        for (index, objects) in self.model.iter().enumerate() {
            let region = RegionId(index as u32);
            assert_eq!(self.memory.height(region), objects.len(), "objects of region {index}");
            for (i, plain) in objects.iter().enumerate() {
                let object = self.memory.objects(region)[i];
                assert_eq!(
                    (object.base, object.size, object.life, object.zeroed),
                    (plain.base, plain.size, plain.life, plain.zeroed)
                );
                let len = plain.size as usize;
                let spot = Spot { region, object: i, at: object.line as usize * LINE };
                assert_eq!(self.memory.bytes(spot, len), &plain.data[..], "bytes of object {i} of {index}");
                assert_eq!(
                    self.memory.shadow(spot, len),
                    &plain.shadow[..],
                    "shadow of object {i} of {index}"
                );
                let base = fresh.create(region, plain.size, 8, plain.zeroed, Family::None, Origin::Internal);
                assert_eq!(base, Some(plain.base), "addresses depend on the region alone");
                if len > 0 {
                    let to = fresh.resolve(plain.base, plain.size, true).expect("a fresh object");
                    let (data, shadow) = fresh.edit(to, len);
                    data.copy_from_slice(&plain.data);
                    shadow.copy_from_slice(&plain.shadow);
                }
                fresh.update_object(region, i, |o| o.life = plain.life);
            }
        }
        assert_eq!(self.memory.hash(), fresh.hash(), "equal contents, equal hashes");
    }
}

#[test]
fn random_runs_agree_with_a_model_that_copies_everything() {
    for seed in 1..=400 {
        let layout = if seed % 3 == 0 { Layout::Narrow } else { Layout::Wide };
        let mut pair = Pair::new(layout, seed);
        for step in 0..150 {
            pair.step();
            // Not after every step: `check` brings the hash up to date, which must not be needed.
            if step % 7 == 6 {
                pair.check();
            }
        }
        while let Some((mark, model, hash)) = pair.marks.pop() {
            pair.memory.rollback(&mark);
            pair.model = model;
            assert_eq!(pair.memory.hash(), hash);
            pair.memory.discard(&mark, pair.marks.is_empty());
            pair.check();
        }
        pair.check();
    }
}

#[test]
fn different_contents_hash_differently() {
    let mut memory = Memory::new(Layout::Wide);
    let base = memory.create(RegionId::GLOBALS, 100, 8, true, Family::None, Origin::Internal).expect("room");
    let mut seen = vec![memory.hash()];
    for (offset, value, shadow) in [(0, 1, 0), (8, 1, 0), (0, 0, 1), (64, 1, 0), (99, 1, 0), (0, 2, 0)] {
        let spot = memory.resolve(base + offset, 1, true).expect("inside");
        let before = memory.load(spot, 1);
        memory.store(spot, 1, value, shadow);
        let hash = memory.hash();
        assert!(!seen.contains(&hash), "offset {offset}, value {value}, shadow {shadow}");
        seen.push(hash);
        memory.store(spot, 1, before.0, before.1);
        assert_eq!(memory.hash(), seen[0], "the old contents have the old hash");
    }
    memory.update_object(RegionId::GLOBALS, 0, |o| o.life = Life::Freed);
    assert!(!seen.contains(&memory.hash()), "freeing is a change");
}

#[test]
fn values_of_unconstrained_bits_do_not_matter() {
    let mut hashes = Vec::new();
    for value in [0x12, 0x34] {
        let mut memory = Memory::new(Layout::Wide);
        let base =
            memory.create(RegionId::heap(0), 16, 8, true, Family::Malloc, Origin::Internal).expect("room");
        let spot = memory.resolve(base + 3, 1, true).expect("inside");
        memory.store(spot, 1, value, 0xff);
        hashes.push(memory.hash());
    }
    assert_eq!(hashes[0], hashes[1]);
}

#[test]
fn faults_say_what_is_wrong() {
    for layout in [Layout::Wide, Layout::Narrow] {
        let mut memory = Memory::new(layout);
        let base =
            memory.create(RegionId::heap(0), 16, 8, true, Family::Malloc, Origin::Internal).expect("room");
        let bounds = Fault::Bounds { base, size: 16 };
        assert!(memory.resolve(base + 8, 8, true).is_ok());
        assert_eq!(memory.resolve(base + 9, 8, false).err(), Some(bounds));
        assert_eq!(memory.resolve(base + 16, 1, false).err(), Some(bounds));
        assert_eq!(memory.resolve(0, 1, false).err(), Some(Fault::Null));
        assert_eq!(memory.resolve(1 << 26, 1, false).err(), Some(Fault::Wild));
        memory.update_object(RegionId::heap(0), 0, |o| o.constant = true);
        assert_eq!(memory.resolve(base, 1, true).err(), Some(Fault::Constant));
        assert!(memory.resolve(base, 1, false).is_ok());
        memory.update_object(RegionId::heap(0), 0, |o| o.life = Life::Freed);
        assert_eq!(memory.resolve(base, 1, false).err(), Some(Fault::Freed));
    }
}
