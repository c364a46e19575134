//! What the strands of regions do, as hashes that runs with different distributions can be compared by.

use rustc_hash::FxHashMap;

use crate::order::Name;
use crate::record::At;

/// A hash of 128 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hash(u128);

impl Hash {
    /// Of nothing.
    pub fn new() -> Hash {
        Hash(1)
    }

    /// Mixes something in.
    #[inline]
    pub fn mix(&mut self, words: [u64; 4]) {
        for word in words {
            self.0 = (self.0 ^ u128::from(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
            self.0 ^= self.0 >> 61;
        }
    }
}

impl Default for Hash {
    fn default() -> Hash {
        Hash::new()
    }
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
    /// By instruction: what is stored there, by whom; a sum.
    values: FxHashMap<At, u128>,
    /// By instruction: what is contributed to folds there.
    shares: FxHashMap<At, u128>,
    watched: Option<Name>,
    /// What the watched strand did: the instruction, and a hash of the access.
    pub seen: Vec<(At, u128)>,
}

impl Done {
    /// Of a run that is about to begin. The accesses of one strand can be kept, to find out where runs differ.
    pub fn new(watched: Option<Name>) -> Done {
        Done { watched, ..Done::default() }
    }

    /// A strand does something, in any case or perhaps.
    pub fn does(&mut self, name: Name, at: At, what: Hash, maybe: bool) {
        if self.watched == Some(name) {
            self.seen.push((at, what.0));
        }
        if maybe {
            let sum = self.sides.entry(name).or_default();
            *sum = sum.wrapping_add(what.0);
            return;
        }
        let all = self.strands.entry(name).or_default();
        *all = (*all ^ what.0).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        *all ^= *all >> 61;
    }

    /// A strand stores something.
    pub fn stores(&mut self, name: Name, at: At, words: [u64; 4]) {
        let count = self.counts.entry(name).or_default();
        *count += 1;
        let mut hash = Hash::new();
        hash.mix([name.id, u64::from(name.phase()) << 32 | *count, 0, 0]);
        hash.mix(words);
        let sum = self.values.entry(at).or_default();
        *sum = sum.wrapping_add(hash.0);
    }

    /// A strand contributes to a fold.
    pub fn contributes(&mut self, at: At, what: Hash) {
        let sum = self.shares.entry(at).or_default();
        *sum = sum.wrapping_add(what.0);
    }

    /// The run has ended.
    pub fn finish(&mut self) {
        for (name, sum) in std::mem::take(&mut self.sides) {
            let hash = self.strands.entry(name).or_default();
            *hash = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835).wrapping_add(sum);
        }
    }

    /// A strand that does not do the same in both runs, but for what it stores.
    pub fn differs(&self, other: &Done) -> Option<Name> {
        let all = self.strands.keys().chain(other.strands.keys());
        all.filter(|name| self.strands.get(name) != other.strands.get(name)).min().copied()
    }

    /// Instructions that do not store, or contribute, the same in both runs.
    pub fn varying(&self, other: &Done) -> Vec<At> {
        let pairs = [(&self.values, &other.values), (&self.shares, &other.shares)];
        let differing = pairs.into_iter().flat_map(|(a, b)| {
            a.keys().chain(b.keys()).filter(|at| a.get(at) != b.get(at)).copied().collect::<Vec<At>>()
        });
        differing.collect()
    }
}
