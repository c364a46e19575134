//! What the strands of regions do, as hashes that runs with different distributions can be compared by.

use rustc_hash::FxHashMap;

use crate::order::Name;
use crate::record::At;

const FACTOR: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;

/// A hash of 128 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hash(u128);

impl Hash {
    /// Of nothing.
    pub fn new() -> Hash {
        Hash(1)
    }

    /// Mixes something in: each step can be undone, so that two different things alone do not become one.
    #[inline]
    pub fn mix(&mut self, words: [u64; 4]) {
        for pair in [(words[0], words[1]), (words[2], words[3])] {
            self.0 ^= u128::from(pair.0) | u128::from(pair.1) << 64;
            self.stir();
        }
    }

    #[inline]
    fn stir(&mut self) {
        self.0 = self.0.wrapping_mul(FACTOR);
        self.0 ^= self.0 >> 67;
    }

    /// The hash as a term of a sum: what was mixed in last is in all of its bits.
    #[inline]
    fn term(mut self) -> u128 {
        self.stir();
        self.stir();
        self.0
    }
}

impl Default for Hash {
    fn default() -> Hash {
        Hash::new()
    }
}

/// Sums of hashes by instruction. Those of a few instructions are kept at hand.
#[derive(Debug, Default)]
struct Sums {
    all: FxHashMap<At, u128>,
    recent: Vec<(At, u128)>,
}

/// How many are at hand.
const RECENT: usize = 64;
/// No instruction.
const NONE: At = At::MAX;

impl Sums {
    #[inline]
    fn add(&mut self, at: At, term: u128) {
        if self.recent.is_empty() {
            self.recent = vec![(NONE, 0); RECENT];
        }
        let slot = &mut self.recent[at as usize % RECENT];
        if slot.0 != at {
            let (old, sum) = std::mem::replace(slot, (at, 0));
            if old != NONE {
                let known = self.all.entry(old).or_default();
                *known = known.wrapping_add(sum);
            }
        }
        slot.1 = slot.1.wrapping_add(term);
    }

    fn finish(&mut self) {
        for (at, sum) in std::mem::take(&mut self.recent).into_iter().filter(|s| s.0 != NONE) {
            let known = self.all.entry(at).or_default();
            *known = known.wrapping_add(sum);
        }
    }
}

/// A strand that is at hand.
#[derive(Debug, Clone, Copy)]
struct Current {
    name: Name,
    /// Of its name alone.
    base: Hash,
    /// Of what it does, if it has done something.
    hash: Option<Hash>,
    count: u64,
}

/// What the strands of a run do.
#[derive(Debug, Default)]
pub struct Done {
    /// By strand: where it goes and what it touches, in order.
    strands: FxHashMap<Name, u128>,
    /// What it may do, in any order.
    sides: FxHashMap<Name, u128>,
    /// How many values each strand has stored.
    counts: FxHashMap<Name, u64>,
    /// The strand that did something last: what the maps say of it is here.
    current: Option<Current>,
    /// By instruction: what is stored there, by whom; a sum.
    values: Sums,
    /// By instruction: what is contributed to folds there.
    shares: Sums,
    watched: Option<Name>,
    /// What the watched strand did: the instruction, and a hash of the access.
    pub seen: Vec<(At, u128)>,
}

impl Done {
    /// Of a run that is about to begin. The accesses of one strand can be kept, to find out where runs differ.
    pub fn new(watched: Option<Name>) -> Done {
        Done { watched, ..Done::default() }
    }

    #[inline]
    fn current(&mut self, name: Name) -> &mut Current {
        if self.current.is_none_or(|current| current.name != name) {
            self.put_back();
            let mut base = Hash::new();
            base.mix([name.id, u64::from(name.phase()), 0, 0]);
            let hash = self.strands.get(&name).map(|&hash| Hash(hash));
            let count = self.counts.get(&name).copied().unwrap_or(0);
            self.current = Some(Current { name, base, hash, count });
        }
        self.current.as_mut().expect("just put there")
    }

    fn put_back(&mut self) {
        if let Some(current) = self.current.take() {
            if let Some(Hash(hash)) = current.hash {
                self.strands.insert(current.name, hash);
            }
            if current.count > 0 {
                self.counts.insert(current.name, current.count);
            }
        }
    }

    /// A strand does something, in any case or perhaps.
    pub fn does(&mut self, name: Name, at: At, what: Hash, maybe: bool) {
        if self.watched == Some(name) {
            self.seen.push((at, what.0));
        }
        if maybe {
            let sum = self.sides.entry(name).or_default();
            *sum = sum.wrapping_add(what.term());
            return;
        }
        let hash = self.current(name).hash.get_or_insert(Hash(0));
        hash.0 ^= what.0;
        hash.stir();
    }

    /// A strand stores something.
    pub fn stores(&mut self, name: Name, at: At, [key, value, how, _]: [u64; 4]) {
        let current = self.current(name);
        current.count += 1;
        let mut hash = current.base;
        hash.mix([current.count, how, key, value]);
        self.values.add(at, hash.term());
    }

    /// A strand contributes to a fold.
    pub fn contributes(&mut self, at: At, what: Hash) {
        self.shares.add(at, what.term());
    }

    /// The run has ended.
    pub fn finish(&mut self) {
        self.put_back();
        self.values.finish();
        self.shares.finish();
        for (name, sum) in std::mem::take(&mut self.sides) {
            let hash = self.strands.entry(name).or_default();
            *hash = hash.wrapping_mul(FACTOR).wrapping_add(sum);
        }
    }

    /// A strand that does not do the same in both runs, but for what it stores.
    pub fn differs(&self, other: &Done) -> Option<Name> {
        let all = self.strands.keys().chain(other.strands.keys());
        all.filter(|name| self.strands.get(name) != other.strands.get(name)).min().copied()
    }

    /// Instructions that do not store, or contribute, the same in both runs.
    pub fn varying(&self, other: &Done) -> Vec<At> {
        let pairs = [(&self.values.all, &other.values.all), (&self.shares.all, &other.shares.all)];
        let differing = pairs.into_iter().flat_map(|(a, b)| {
            a.keys().chain(b.keys()).filter(|at| a.get(at) != b.get(at)).copied().collect::<Vec<At>>()
        });
        differing.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(id: u64) -> Name {
        let mut name = Name::default();
        name.id = id;
        name
    }

    /// What is done by instructions and strands that take turns, so that what is at hand changes all the time.
    fn done(swapped: bool) -> Done {
        let mut done = Done::new(None);
        for i in 0..2000u64 {
            let (strand, at) = (name(i % 3), i % 150);
            let mut what = Hash::new();
            what.mix([at, i, 0, 0]);
            done.does(strand, at, what, i % 7 == 0);
            let value = if swapped && (1000..1002).contains(&i) { 2001 - i } else { i };
            done.stores(strand, at, [i, value, 0, 0]);
        }
        done.finish();
        done
    }

    #[test]
    fn what_is_at_hand_is_what_is_summed_up_at_the_end() {
        let mut slow = FxHashMap::<At, u128>::default();
        let mut counts = FxHashMap::<u64, u64>::default();
        for i in 0..2000u64 {
            let count = counts.entry(i % 3).or_default();
            *count += 1;
            let mut hash = Hash::new();
            hash.mix([i % 3, u64::from(name(i % 3).phase()), 0, 0]);
            hash.mix([*count, 0, i, i]);
            let sum = slow.entry(i % 150).or_default();
            *sum = sum.wrapping_add(hash.term());
        }
        assert_eq!(done(false).values.all, slow);
    }

    #[test]
    fn the_same_is_equal_and_two_values_that_change_places_are_not() {
        assert_eq!(done(false).differs(&done(false)), None);
        assert!(done(false).varying(&done(false)).is_empty());
        let mut varying = done(false).varying(&done(true));
        varying.sort_unstable();
        varying.dedup();
        assert_eq!(varying, [1000 % 150, 1001 % 150]);
    }
}
