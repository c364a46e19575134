//! Skeletons (docs/soundness.md): a hash of what each strand does, to be equal in all runs.
//!
//! A strand's accesses and locks are hashed in order, with the values that it stores; what a branch decides that is taken both ways, and
//! values that are only to be seen in memory afterwards, as a sum. 128 bits each.

use machine::names::Strand;
use rustc_hash::FxHashMap;

const FACTOR: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;

/// A hash with four more words in it.
#[inline]
pub fn mix(mut hash: u128, words: [u64; 4]) -> u128 {
    for pair in [(words[0], words[1]), (words[2], words[3])] {
        hash = (hash ^ (u128::from(pair.0) | u128::from(pair.1) << 64)).wrapping_mul(FACTOR);
        hash ^= hash >> 67;
    }
    hash
}

/// What the strands of a run do.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Skeletons {
    /// In order, and in any order.
    strands: FxHashMap<Strand, (u128, u128)>,
    /// By thread: the strand that it executes, and its hash so far.
    current: Vec<Option<(Strand, u128)>>,
    counts: FxHashMap<Strand, u64>,
}

impl Skeletons {
    /// A strand does something, on a thread.
    #[inline]
    pub fn does(&mut self, t: usize, strand: Strand, words: [u64; 4]) {
        match self.current.get_mut(t) {
            Some(Some((name, hash))) if *name == strand => *hash = mix(*hash, words),
            _ => self.begin(t, strand, words),
        }
    }

    fn begin(&mut self, t: usize, strand: Strand, words: [u64; 4]) {
        self.moved(t);
        if self.current.len() <= t {
            self.current.resize(t + 1, None);
        }
        let so_far = self.strands.get(&strand).map_or(1, |s| s.0);
        self.current[t] = Some((strand, mix(so_far, words)));
    }

    /// A thread may go on with another strand.
    pub fn moved(&mut self, t: usize) {
        if let Some((strand, hash)) = self.current.get_mut(t).and_then(Option::take) {
            self.strands.entry(strand).or_default().0 = hash;
        }
    }

    /// A strand may do something, or does it in an order that is open.
    pub fn may_do(&mut self, strand: Strand, words: [u64; 4]) {
        let sum = &mut self.strands.entry(strand).or_insert((1, 0)).1;
        *sum = sum.wrapping_add(mix(1, words));
    }

    /// How many values of a strand were looked up.
    pub fn count(&mut self, strand: Strand) -> u64 {
        let count = self.counts.entry(strand).or_default();
        *count += 1;
        *count
    }

    /// Whether all these strands do the same in another run, which may have more.
    pub fn are_among(&self, other: &Skeletons) -> bool {
        self.strands.iter().all(|(strand, does)| other.strands.get(strand) == Some(does))
    }

    /// The run has ended.
    pub fn finish(&mut self) {
        (0..self.current.len()).for_each(|t| self.moved(t));
        (self.current, self.counts) = Default::default();
    }
}
