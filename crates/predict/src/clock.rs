//! Vector clocks: for each thread, up to which of its times something is known.
//!
//! A thread's *time* is a number that grows whenever one of its events can be the source of an order to another thread
//! (a release, a fork, ...), so all its events between two such points share a time and are ordered alike. Times begin
//! at 1; 0 in a clock means "nothing of that thread". A missing component is 0.

use std::sync::Arc;

/// A vector clock.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Clock(Vec<u32>);

impl Clock {
    /// The component of a thread.
    #[inline]
    pub fn get(&self, thread: usize) -> u32 {
        self.0.get(thread).copied().unwrap_or(0)
    }

    /// Sets the component of a thread.
    #[inline]
    pub fn set(&mut self, thread: usize, time: u32) {
        if thread >= self.0.len() {
            self.0.resize(thread + 1, 0);
        }
        self.0[thread] = time;
    }

    /// Takes the larger of each component.
    #[inline]
    pub fn join(&mut self, other: &Clock) {
        if other.0.len() > self.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, &theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(theirs);
        }
    }

    /// Whether no component is larger than the other's.
    pub fn within(&self, other: &Clock) -> bool {
        self.0.iter().enumerate().all(|(t, &time)| time <= other.get(t))
    }

    /// Makes this clock equal to another without a new allocation.
    pub fn copy_from(&mut self, other: &Clock) {
        self.0.clear();
        self.0.extend_from_slice(&other.0);
    }

    /// The components.
    #[inline]
    pub fn as_slice(&self) -> &[u32] {
        &self.0
    }
}

/// A clock that many hold and that is copied only when one of them changes it.
pub type SharedClock = Arc<Clock>;

/// The element of a growing table, made if it is not there yet.
#[inline]
pub(crate) fn slot<T: Default>(table: &mut Vec<T>, index: usize) -> &mut T {
    if index >= table.len() {
        table.resize_with(index + 1, T::default);
    }
    &mut table[index]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn join_is_the_least_upper_bound() {
        let mut a = Clock::default();
        a.set(0, 3);
        let mut b = Clock::default();
        b.set(2, 5);
        let mut both = a.clone();
        both.join(&b);
        assert!(a.within(&both) && b.within(&both));
        assert_eq!((both.get(0), both.get(1), both.get(2), both.get(9)), (3, 0, 5, 0));
        assert!(!both.within(&a));
    }
}
