//! Small things that the passes share: event numbers and sets of numbers as bits.

/// An event's number as the passes keep it (`EventId.0`).
pub type Id = u32;

/// No event.
pub const NONE: Id = u32::MAX;

/// A set of small numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// The empty set of numbers below `size`.
    pub fn new(size: usize) -> Self {
        Bits { words: vec![0; size.div_ceil(64)] }
    }

    /// Numbers below `size` can be added from now on.
    pub fn make_room(&mut self, size: usize) {
        if size > 64 * self.words.len() {
            self.words.resize(size.div_ceil(64), 0);
        }
    }

    /// Adds a number.
    #[inline]
    pub fn insert(&mut self, number: usize) {
        self.words[number / 64] |= 1 << (number % 64);
    }

    /// Whether a number is in the set.
    #[inline]
    pub fn contains(&self, number: usize) -> bool {
        self.words[number / 64] >> (number % 64) & 1 == 1
    }

    /// How many numbers are in the set.
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }
}
