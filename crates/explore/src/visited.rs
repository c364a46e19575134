//! The set of states seen, by 128-bit fingerprint.
//!
//! With n states stored, two different states share a fingerprint with probability below n² / 2¹²⁹: for a billion states
//! about 10⁻²¹. The report says so.

use hashbrown::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

/// Fingerprints are hashes already.
#[derive(Default)]
struct Identity(u64);

impl Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 ^= u64::from_le_bytes(word);
        }
    }

    fn write_u128(&mut self, n: u128) {
        self.0 = n as u64 ^ (n >> 64) as u64;
    }
}

/// The set is split into this many tables, by the first bits of the fingerprint.
///
/// A table that grows doubles, and exists twice for a moment: one large table would waste up to half of its room most of
/// the time and need three times as much while it grows. The tables get unequal shares of the states, from one to two,
/// so that they grow at different times, and one takes the room that another has left.
const TABLES: usize = 64;
/// How many first bits decide on the table.
const SHARE_BITS: u32 = 12;

/// States seen.
pub struct Visited {
    tables: Vec<HashSet<u128, BuildHasherDefault<Identity>>>,
    /// For the first bits of a fingerprint, its table.
    shares: Vec<u8>,
    len: usize,
}

impl Default for Visited {
    fn default() -> Visited {
        let weight = |table: usize| 2f64.powf(table as f64 / TABLES as f64);
        let all: f64 = (0..TABLES).map(weight).sum();
        let mut shares = Vec::with_capacity(1 << SHARE_BITS);
        let mut sum = 0.0;
        for table in 0..TABLES {
            sum += weight(table);
            let end = (sum / all * f64::from(1 << SHARE_BITS)).round() as usize;
            shares.resize(end, table as u8);
        }
        shares.resize(1 << SHARE_BITS, 0);
        Visited { tables: (0..TABLES).map(|_| HashSet::default()).collect(), shares, len: 0 }
    }
}

impl Visited {
    /// Adds a state; false if it was there.
    pub fn insert(&mut self, fingerprint: u128) -> bool {
        let table = self.shares[(fingerprint >> (u128::BITS - SHARE_BITS)) as usize];
        let new = self.tables[usize::from(table)].insert(fingerprint);
        self.len += usize::from(new);
        new
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// How many bytes they take.
    pub fn bytes(&self) -> usize {
        self.tables.iter().map(HashSet::allocation_size).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_is_new_once_and_takes_a_steady_number_of_bytes() {
        let mut visited = Visited::default();
        let state = |i: u64| u128::from(i.wrapping_mul(0x9e37_79b9_7f4a_7c15)) << 64 | u128::from(i);
        for i in 0..400_000 {
            assert!(visited.insert(state(i)));
            if i > 50_000 {
                assert!(visited.bytes() <= 32 * visited.len(), "{} bytes", visited.bytes());
            }
        }
        assert!((0..400_000).all(|i| !visited.insert(state(i))));
        assert_eq!(visited.len(), 400_000);
    }
}
