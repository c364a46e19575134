//! Sets of locks under numbers: equal sets have equal numbers, and the operations are remembered.
//!
//! Invariant: number 0 is the empty set; every set is sorted; no set is stored twice.

use rustc_hash::FxHashMap;

/// A set's number.
pub type LocksetId = u32;

/// The empty set.
pub const EMPTY: LocksetId = 0;

/// All sets that a trace's threads hold.
#[derive(Debug, Clone)]
pub struct Locksets {
    sets: Vec<Box<[u32]>>,
    numbers: FxHashMap<Box<[u32]>, LocksetId>,
    /// What taking (or, with the flag, giving back) a lock makes of a set.
    steps: FxHashMap<(LocksetId, u32, bool), LocksetId>,
    intersections: FxHashMap<(LocksetId, LocksetId), LocksetId>,
}

impl Default for Locksets {
    fn default() -> Self {
        let empty: Box<[u32]> = Box::new([]);
        Locksets {
            sets: vec![empty.clone()],
            numbers: FxHashMap::from_iter([(empty, EMPTY)]),
            steps: FxHashMap::default(),
            intersections: FxHashMap::default(),
        }
    }
}

impl Locksets {
    /// The locks of a set, sorted.
    pub fn locks(&self, set: LocksetId) -> &[u32] {
        &self.sets[set as usize]
    }

    /// The set with this lock.
    pub fn with(&mut self, set: LocksetId, lock: u32) -> LocksetId {
        if let Some(&number) = self.steps.get(&(set, lock, false)) {
            return number;
        }
        let mut locks = self.sets[set as usize].to_vec();
        if let Err(at) = locks.binary_search(&lock) {
            locks.insert(at, lock);
        }
        let number = self.number(locks);
        self.steps.insert((set, lock, false), number);
        number
    }

    /// The set without this lock.
    pub fn without(&mut self, set: LocksetId, lock: u32) -> LocksetId {
        if let Some(&number) = self.steps.get(&(set, lock, true)) {
            return number;
        }
        let mut locks = self.sets[set as usize].to_vec();
        locks.retain(|&other| other != lock);
        let number = self.number(locks);
        self.steps.insert((set, lock, true), number);
        number
    }

    /// What both sets have.
    pub fn intersect(&mut self, one: LocksetId, other: LocksetId) -> LocksetId {
        if one == other {
            return one;
        }
        if one == EMPTY || other == EMPTY {
            return EMPTY;
        }
        let key = (one.min(other), one.max(other));
        if let Some(&number) = self.intersections.get(&key) {
            return number;
        }
        let locks =
            self.sets[one as usize].iter().filter(|lock| self.contains(other, **lock)).copied().collect();
        let number = self.number(locks);
        self.intersections.insert(key, number);
        number
    }

    /// Whether the sets have no lock in common.
    pub fn disjoint(&self, one: LocksetId, other: LocksetId) -> bool {
        one == EMPTY || other == EMPTY || !self.locks(one).iter().any(|&lock| self.contains(other, lock))
    }

    fn contains(&self, set: LocksetId, lock: u32) -> bool {
        self.sets[set as usize].binary_search(&lock).is_ok()
    }

    fn number(&mut self, locks: Vec<u32>) -> LocksetId {
        let locks: Box<[u32]> = locks.into();
        if let Some(&number) = self.numbers.get(&locks) {
            return number;
        }
        let number = self.sets.len() as LocksetId;
        self.sets.push(locks.clone());
        self.numbers.insert(locks, number);
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_shared_and_compared() {
        let mut sets = Locksets::default();
        let one = sets.with(EMPTY, 7);
        let two = sets.with(one, 3);
        let other = sets.with(EMPTY, 3);
        assert_eq!(sets.without(two, 7), other);
        assert_eq!(sets.locks(two), [3, 7]);
        assert_eq!(sets.intersect(two, other), other);
        assert_eq!(sets.intersect(one, other), EMPTY);
        assert!(sets.disjoint(one, other) && !sets.disjoint(two, one));
    }
}
