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

/// States seen.
#[derive(Default)]
pub struct Visited {
    set: HashSet<u128, BuildHasherDefault<Identity>>,
}

impl Visited {
    /// Adds a state; false if it was there.
    pub fn insert(&mut self, fingerprint: u128) -> bool {
        self.set.insert(fingerprint)
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.set.len()
    }

    /// How many bytes they take.
    pub fn bytes(&self) -> usize {
        self.set.allocation_size()
    }
}
