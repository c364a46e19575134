//! What is known of the locks at an access: those held, and what was acquired while holding them.
//!
//! Acquisition histories are those of Kahlon, Ivancic and Gupta ("Reasoning about threads communicating via locks"): for
//! each lock held, the locks that its thread has acquired (and perhaps given back) since. Two accesses cannot be about to happen at the
//! same time if each thread holds a lock that the other has acquired after the one that it holds itself. That is a
//! necessary condition whatever else the program does, so "cannot" is always right; "can" must be shown by a witness.

use machine::memory::layout::Layout;
use machine::names::{is_turn, turn};
use machine::omp::lock::is_reduction_lock;
use rustc_hash::FxHashMap;

use crate::cells::Cells;
use crate::order::Order;
use crate::rules::Rule;

/// A lock held.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Held {
    /// The lock.
    pub lock: u64,
    /// Whether it is held in shared mode.
    pub shared: bool,
    /// What was acquired since (exclusively), sorted; `None` if that is too much to say.
    pub since: Option<Vec<u64>>,
}

/// The number of a lock context.
pub type Context = u32;

/// Marks the contexts of accesses that combiners make beside the values that they combine: a number that no other thread has.
const BESIDE: u64 = u64::MAX - 0xffff;

/// The name of a lock, the same in every run: that of the cell where it is. A lock that lay at the same address before is another one. Those under which a
/// region's reductions are combined belong to the region.
pub fn name(layout: Layout, cells: &Cells, order: &Order, t: usize, lock: u64) -> u64 {
    if !is_reduction_lock(layout, lock) {
        return cells.key(lock);
    }
    let region = order.levels(order.pos(t)).next().map_or(0, |level| level.stage.0);
    turn(region, lock & ((1 << 30) - 1))
}

/// The locks that count for an access beside the values that a combiner combines, out of those that its thread holds: not the
/// runtime's, under which combiners take turns here but need not elsewhere. A mark tells such contexts from others.
pub fn beside_values(t: usize, held: impl Iterator<Item = u64>) -> impl Iterator<Item = u64> {
    held.filter(|&lock| !is_turn(lock)).chain([BESIDE + (t as u64 & 0xffff)])
}

/// The place in a region of a lock that the runtime has for it.
pub fn of_region(layout: Layout, lock: u64) -> Option<u64> {
    let place = lock & ((1 << 30) - 1);
    (layout == Layout::Wide && layout.region(lock).is_stack() && place >= 1 << 28).then_some(place)
}

/// Histories longer than this are not kept.
const MOST: usize = 12;

/// The locks of all threads, and the contexts seen.
#[derive(Debug, Default)]
pub struct Locks {
    held: Vec<Vec<Held>>,
    /// By thread: how many locks it held when it began the open strands that it executes, innermost last.
    floors: Vec<Vec<usize>>,
    now: Vec<Context>,
    contexts: Vec<Vec<Held>>,
    numbers: FxHashMap<Vec<Held>, Context>,
}

impl Locks {
    /// No lock is held. Context 0 is the empty one.
    pub fn new() -> Locks {
        let mut locks = Locks::default();
        locks.numbers.insert(Vec::new(), 0);
        locks.contexts.push(Vec::new());
        locks
    }

    fn room(&mut self, t: usize) {
        if self.held.len() <= t {
            self.held.resize(t + 1, Vec::new());
            self.floors.resize(t + 1, Vec::new());
            self.now.resize(t + 1, 0);
        }
    }

    /// The context of a thread.
    #[inline]
    pub fn now(&self, t: usize) -> Context {
        self.now.get(t).copied().unwrap_or(0)
    }

    /// The locks of a context.
    pub fn context(&self, context: Context) -> &[Held] {
        &self.contexts[context as usize]
    }

    /// The context of an access that a thread makes beside the values that it combines ([`beside_values`]).
    pub fn beside(&mut self, t: usize) -> Context {
        let held = self.held(t).to_vec();
        let mut kept = Vec::with_capacity(held.len());
        for lock in beside_values(t, held.iter().map(|h| h.lock)) {
            let known = held.iter().find(|h| h.lock == lock).cloned();
            kept.push(known.unwrap_or(Held { lock, shared: false, since: Some(Vec::new()) }));
        }
        self.number_of(&kept)
    }

    /// Whether a context is one of these.
    pub fn is_beside(&self, context: Context) -> bool {
        self.context(context).iter().any(|h| h.lock >= BESIDE)
    }

    /// What a thread holds.
    pub fn held(&self, t: usize) -> &[Held] {
        self.held.get(t).map_or(&[], |h| h)
    }

    /// The thread took a lock.
    pub fn lock(&mut self, t: usize, lock: u64, shared: bool) {
        self.room(t);
        if !shared {
            for held in &mut self.held[t] {
                if let Some(since) = &mut held.since
                    && let Err(at) = since.binary_search(&lock)
                {
                    since.insert(at, lock);
                    if since.len() > MOST {
                        held.since = None;
                    }
                }
            }
        }
        self.held[t].push(Held { lock, shared, since: Some(Vec::new()) });
        self.number(t);
    }

    /// The thread gave a lock back.
    pub fn unlock(&mut self, t: usize, lock: u64) {
        self.room(t);
        if let Some(at) = self.held[t].iter().rposition(|h| h.lock == lock) {
            self.held[t].remove(at);
            self.floors[t].iter_mut().filter(|floor| **floor > at).for_each(|floor| *floor -= 1);
        }
        self.number(t);
    }

    /// The thread begins an open strand: the locks that it holds are those of the thread, not of the strand, which another thread could
    /// execute. Only those count that the strand takes itself.
    pub fn begin(&mut self, t: usize) {
        self.room(t);
        let held = if Rule::OwnLocks.holds() { self.held[t].len() } else { 0 };
        self.floors[t].push(held);
        self.number(t);
    }

    /// Whether a thread held locks when it began the open strand that it executes.
    pub fn is_guest(&self, t: usize) -> bool {
        self.floors.get(t).and_then(|floors| floors.last()).is_some_and(|&floor| floor > 0)
    }

    /// Whether a thread holds locks that the open strand has taken that it executes.
    pub fn keeps(&self, t: usize) -> bool {
        let floor = self.floors.get(t).and_then(|floors| floors.last());
        floor.is_some_and(|&floor| self.held[t].len() > floor)
    }

    /// Whether a thread holds a lock that not the open strand has taken that it executes.
    pub fn is_of_others(&self, t: usize, lock: u64) -> bool {
        let floor = self.floors.get(t).and_then(|floors| floors.last());
        floor.is_some_and(|&floor| !self.held[t][floor..].iter().any(|h| h.lock == lock))
    }

    /// The thread goes on with what it executed before.
    pub fn end(&mut self, t: usize) {
        self.room(t);
        self.floors[t].pop();
        self.number(t);
    }

    fn number(&mut self, t: usize) {
        let held = std::mem::take(&mut self.held[t]);
        let floor = self.floors[t].last().copied().unwrap_or(0).min(held.len());
        self.now[t] = self.number_of(&held[floor..]);
        self.held[t] = held;
    }

    fn number_of(&mut self, held: &[Held]) -> Context {
        if let Some(&n) = self.numbers.get(held) {
            return n;
        }
        let n = self.contexts.len() as Context;
        self.contexts.push(held.to_vec());
        self.numbers.insert(held.to_vec(), n);
        n
    }

    /// Whether some lock excludes that both are held at the same time.
    pub fn common(&self, a: Context, b: Context) -> bool {
        self.shared_lock(a, b, |x, y| !(x.shared && y.shared))
    }

    /// The locks that exclude that both contexts are there at the same time.
    pub fn common_locks(&self, a: Context, b: Context) -> impl Iterator<Item = u64> {
        let (x, y) = (self.context(a), self.context(b));
        let fits = |h: &&Held| y.iter().any(|g| h.lock == g.lock && !(h.shared && g.shared));
        x.iter().filter(fits).map(|h| h.lock)
    }

    /// Whether both hold some lock for themselves alone.
    pub fn common_exclusive(&self, a: Context, b: Context) -> bool {
        self.shared_lock(a, b, |x, y| !x.shared && !y.shared)
    }

    fn shared_lock(&self, a: Context, b: Context, fits: impl Fn(&Held, &Held) -> bool) -> bool {
        let (x, y) = (self.context(a), self.context(b));
        x.iter().any(|h| y.iter().any(|g| h.lock == g.lock && fits(h, g)))
    }

    /// Whether the acquisition histories exclude that two threads are in these contexts at the same time.
    pub fn exclude(&self, a: Context, b: Context) -> bool {
        let acquired = |h: &Held, lock: u64| h.since.as_ref().is_some_and(|s| s.binary_search(&lock).is_ok());
        self.context(a)
            .iter()
            .any(|h| self.context(b).iter().any(|g| acquired(h, g.lock) && acquired(g, h.lock)))
    }
}

#[cfg(test)]
mod tests {
    use super::Locks;

    #[test]
    fn opposite_nesting_excludes_and_same_nesting_does_not() {
        let mut locks = Locks::new();
        // Thread 0 holds 1 and has had 2 since; thread 1 the other way round; thread 2 holds 2 and has had 3.
        for (t, own, other) in [(0, 1, 2), (1, 2, 1), (2, 2, 3)] {
            locks.lock(t, own, false);
            locks.lock(t, other, false);
            locks.unlock(t, other);
        }
        assert!(locks.exclude(locks.now(0), locks.now(1)));
        assert!(!locks.exclude(locks.now(0), locks.now(2)));
        assert!(locks.common(locks.now(1), locks.now(2)));
        assert!(!locks.common(locks.now(0), locks.now(1)));
    }

    #[test]
    fn locks_of_the_code_around_do_not_guard_a_piece() {
        let mut locks = Locks::new();
        locks.lock(0, 7, false);
        locks.begin(0);
        let piece = locks.now(0);
        locks.lock(0, 8, false);
        let inside = locks.now(0);
        locks.unlock(0, 8);
        locks.end(0);
        assert!(!locks.common(piece, locks.now(0)) && !locks.common(inside, locks.now(0)));
        assert!(locks.common(locks.now(0), locks.now(0)) && locks.common(inside, inside));
    }

    #[test]
    fn readers_do_not_exclude_each_other() {
        let mut locks = Locks::new();
        locks.lock(0, 7, true);
        locks.lock(1, 7, true);
        locks.lock(2, 7, false);
        assert!(!locks.common(locks.now(0), locks.now(1)));
        assert!(locks.common(locks.now(0), locks.now(2)));
        assert!(!locks.common_exclusive(locks.now(0), locks.now(2)));
    }
}
