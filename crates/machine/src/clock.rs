//! Vector clocks.
//!
//! Invariant: trailing zeros are never stored, so equal clocks are equal as values.

use std::cmp::Ordering;

/// For each thread, how many of its epochs are known to have happened before.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub struct Clock(Vec<u32>);

impl Clock {
    /// The clock that knows nothing.
    pub const fn new() -> Clock {
        Clock(Vec::new())
    }

    /// The entry of a thread.
    #[inline]
    pub fn get(&self, thread: usize) -> u32 {
        self.0.get(thread).copied().unwrap_or(0)
    }

    /// Sets the entry of a thread to a value that is not zero.
    pub fn set(&mut self, thread: usize, value: u32) {
        debug_assert!(value > 0);
        if self.0.len() <= thread {
            self.0.resize(thread + 1, 0);
        }
        self.0[thread] = value;
    }

    /// Learns everything that another clock knows; says whether there was something new.
    pub fn join(&mut self, other: &Clock) -> bool {
        let mut changed = false;
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            if *mine < *theirs {
                *mine = *theirs;
                changed = true;
            }
        }
        changed
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl PartialOrd for Clock {
    fn partial_cmp(&self, other: &Clock) -> Option<Ordering> {
        let n = self.0.len().max(other.0.len());
        let less = (0..n).any(|t| self.get(t) < other.get(t));
        let greater = (0..n).any(|t| self.get(t) > other.get(t));
        match (less, greater) {
            (false, false) => Some(Ordering::Equal),
            (true, false) => Some(Ordering::Less),
            (false, true) => Some(Ordering::Greater),
            (true, true) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn join_is_the_least_upper_bound() {
        let mut a = Clock::new();
        a.set(0, 3);
        a.set(2, 1);
        let mut b = Clock::new();
        b.set(1, 5);
        b.set(2, 4);
        let mut c = a.clone();
        assert!(c.join(&b));
        assert!(!c.join(&a));
        assert_eq!((c.get(0), c.get(1), c.get(2), c.get(7)), (3, 5, 4, 0));
        assert_eq!(a.partial_cmp(&b), None);
        assert_eq!(a.partial_cmp(&c), Some(Ordering::Less));
    }
}
