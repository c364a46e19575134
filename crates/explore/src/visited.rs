//! The set of states seen, by fingerprint, with the threads that slept in each.
//!
//! An entry is the upper 112 bits of a state's 128-bit fingerprint, and 16 bits for the threads that were asleep whenever
//! the search came to the state (see [`crate::search`]). With n states stored, two different states share 112 bits with
//! probability below n² / 2¹¹³: for a billion states about 10⁻¹⁶. The report says so.
//!
//! The set is split into tables with a lock each, so that several searches can share it.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use hashbrown::HashTable;

/// The threads, up to the sixteenth, that sleep.
pub type Sleep = u16;

/// The part of an entry that is not the fingerprint.
const SLEEP: u128 = Sleep::MAX as u128;

/// The set is split into this many tables, by the first bits of the fingerprint.
///
/// A table that grows doubles, and exists twice for a moment: one large table would waste up to half of its room most of
/// the time and need three times as much while it grows. The tables get unequal shares of the states, from one to two,
/// so that they grow at different times, and one takes the room that another has left.
const TABLES: usize = 64;
/// How many first bits decide on the table.
const SHARE_BITS: u32 = 12;

/// What is to be done at a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visit {
    /// It is new: every thread that does not sleep is to be scheduled.
    New,
    /// It was seen. These threads slept then and do not now: they are to be scheduled. Those in the second set still sleep.
    Again(Sleep, Sleep),
}

/// States seen.
pub struct Visited {
    tables: Vec<Mutex<HashTable<u128>>>,
    /// For the first bits of a fingerprint, its table.
    shares: Vec<u8>,
    len: AtomicUsize,
}

impl std::fmt::Debug for Visited {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} states", self.len())
    }
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
        let tables = (0..TABLES).map(|_| Mutex::new(HashTable::new())).collect();
        Visited { tables, shares, len: AtomicUsize::new(0) }
    }
}

/// Fingerprints are hashes already.
fn hash(entry: &u128) -> u64 {
    (entry >> 64) as u64 ^ (*entry as u64 & !(SLEEP as u64))
}

impl Visited {
    fn table(&self, fingerprint: u128) -> std::sync::MutexGuard<'_, HashTable<u128>> {
        let table = self.shares[(fingerprint >> (u128::BITS - SHARE_BITS)) as usize];
        // A table is whole even if somebody panicked elsewhere.
        self.tables[usize::from(table)].lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Comes to a state in which these threads sleep.
    pub fn visit(&self, fingerprint: u128, sleep: Sleep) -> Visit {
        let key = fingerprint & !SLEEP;
        let mut table = self.table(fingerprint);
        if let Some(entry) = table.find_mut(hash(&key), |e| e & !SLEEP == key) {
            let before = (*entry & SLEEP) as Sleep;
            *entry = key | u128::from(before & sleep);
            return Visit::Again(before & !sleep, before & sleep);
        }
        table.insert_unique(hash(&key), key | u128::from(sleep), hash);
        self.len.fetch_add(1, Ordering::Relaxed);
        Visit::New
    }

    /// Gives each entry.
    ///
    /// # Errors
    /// That of whoever takes them.
    pub fn each<E>(&self, take: &mut dyn FnMut(u128) -> Result<(), E>) -> Result<(), E> {
        for table in &self.tables {
            let table = table.lock().unwrap_or_else(|e| e.into_inner());
            table.iter().try_for_each(|entry| take(*entry))?;
        }
        Ok(())
    }

    /// Adds an entry that [`Visited::each`] gave.
    pub fn restore(&self, entry: u128) {
        self.visit(entry & !SLEEP, (entry & SLEEP) as Sleep);
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.len.load(Ordering::Relaxed)
    }

    /// How many bytes they take.
    pub fn bytes(&self) -> usize {
        let size = |t: &Mutex<HashTable<u128>>| t.lock().unwrap_or_else(|e| e.into_inner()).allocation_size();
        self.tables.iter().map(size).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_is_new_once_and_takes_a_steady_number_of_bytes() {
        let visited = Visited::default();
        let state = |i: u64| u128::from(i.wrapping_mul(0x9e37_79b9_7f4a_7c15)) << 64 | u128::from(i) << 16;
        for i in 0..400_000 {
            assert_eq!(visited.visit(state(i), 0), Visit::New);
            if i > 50_000 && i % 1000 == 0 {
                assert!(visited.bytes() <= 32 * visited.len(), "{} bytes", visited.bytes());
            }
        }
        assert!((0..400_000).all(|i| visited.visit(state(i), 0) == Visit::Again(0, 0)));
        assert_eq!(visited.len(), 400_000);
    }

    #[test]
    fn sleeping_threads_are_woken_once() {
        let visited = Visited::default();
        let state = 77 << 64;
        assert_eq!(visited.visit(state, 0b0110), Visit::New);
        assert_eq!(visited.visit(state, 0b0111), Visit::Again(0, 0b0110));
        assert_eq!(visited.visit(state, 0b0011), Visit::Again(0b0100, 0b0010));
        assert_eq!(visited.visit(state, 0b0110), Visit::Again(0, 0b0010));
        assert_eq!(visited.visit(state, 0), Visit::Again(0b0010, 0));
        assert_eq!(visited.len(), 1);
    }
}
