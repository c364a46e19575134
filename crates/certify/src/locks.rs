//! Checks what theorem 2 says of locks, and that nobody can deadlock.
//!
//! *Contexts.* Of the locks that a strand holds at an access those count that it has taken itself: what its thread holds around an open
//! strand is not there when another thread executes it. For each lock, what was acquired since for oneself alone is its acquisition history
//! (Kahlon, Ivancic and Gupta): two accesses exclude each other if each is under a lock that the other's history has.
//!
//! *Deadlock.* A schedule can deadlock only if locks are taken in a circle, or somebody waits for something else (a barrier, a join, a
//! task) with a lock that others take. A circle that one strand makes alone, or that happens under one lock always, is none.

use base::reason::LockDoubt;
use rustc_hash::{FxHashMap, FxHashSet};

/// A lock held: its name, whether in shared mode, and what was acquired since; nothing if that is too much to say.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Held {
    lock: u64,
    shared: bool,
    since: Option<Vec<u64>>,
}

/// Longer histories are not kept.
const MOST: usize = 12;

/// Who takes or holds a lock: a thread, or an open strand.
pub type Who = (bool, u32);

/// The locks of a run.
#[derive(Debug)]
pub struct Locks {
    /// By thread: what it holds, and how many of that it held when it began the open strands that it executes.
    threads: Vec<(Vec<Held>, Vec<usize>)>,
    contexts: Vec<Vec<Held>>,
    numbers: FxHashMap<Vec<Held>, u32>,
    /// From a lock held to one taken: by whom, and under which others always.
    nested: FxHashMap<(u64, u64), (FxHashSet<Who>, Vec<u64>)>,
    users: FxHashMap<u64, FxHashSet<Who>>,
    /// Who takes a lock for himself alone, and who takes one for reading that he holds for reading.
    writers: FxHashMap<u64, FxHashSet<Who>>,
    again: FxHashSet<(u64, Who)>,
    waits: FxHashSet<(u64, Who)>,
    guests: bool,
    /// Whether an open strand keeps a lock behind its end, or gives back one that it has not taken.
    unbalanced: bool,
}

impl Default for Locks {
    fn default() -> Locks {
        Locks::new()
    }
}

impl Locks {
    /// Before anybody has taken one. Context 0 is the empty one.
    pub fn new() -> Locks {
        Locks {
            threads: Vec::new(),
            contexts: vec![Vec::new()],
            numbers: FxHashMap::from_iter([(Vec::new(), 0)]),
            nested: FxHashMap::default(),
            users: FxHashMap::default(),
            writers: FxHashMap::default(),
            again: FxHashSet::default(),
            waits: FxHashSet::default(),
            guests: false,
            unbalanced: false,
        }
    }

    fn thread(&mut self, t: usize) -> &mut (Vec<Held>, Vec<usize>) {
        if self.threads.len() <= t {
            self.threads.resize(t + 1, Default::default());
        }
        &mut self.threads[t]
    }

    /// A thread takes a lock. `counts`: which of the locks that it holds it would hold in every execution.
    pub fn lock(&mut self, t: usize, who: Who, lock: u64, shared: bool, counts: impl Fn(u64) -> bool) {
        let (held, floors) = self.thread(t);
        let guest = floors.last().is_some_and(|&floor| floor > 0);
        let outer: Vec<(u64, bool)> =
            held.iter().filter(|h| counts(h.lock)).map(|h| (h.lock, h.shared)).collect();
        for h in held.iter_mut().filter(|_| !shared) {
            if let Some(since) = h.since.as_mut().filter(|since| !since.contains(&lock)) {
                since.push(lock);
                since.sort_unstable();
                h.since.take_if(|since| since.len() > MOST);
            }
        }
        held.push(Held { lock, shared, since: Some(Vec::new()) });
        self.guests |= guest;
        self.users.entry(lock).or_default().insert(who);
        if !shared {
            self.writers.entry(lock).or_default().insert(who);
        }
        for (i, &(under, mode)) in outer.iter().enumerate() {
            if under == lock && mode && shared {
                // A writer may wait in between, and readers behind it.
                self.again.insert((lock, who));
                continue;
            }
            let guards = || outer[..i].iter().filter(|g| !g.1).map(|g| g.0);
            let (by, always) = self
                .nested
                .entry((under, lock))
                .or_insert_with(|| (FxHashSet::default(), guards().collect()));
            by.insert(who);
            always.retain(|g| guards().any(|h| h == *g));
        }
    }

    /// A thread gives a lock back.
    pub fn unlock(&mut self, t: usize, lock: u64) {
        let (held, floors) = self.thread(t);
        let at = held.iter().rposition(|h| h.lock == lock);
        let others = floors.last().is_some_and(|floor| at.is_none_or(|at| at < *floor));
        if let Some(at) = at {
            held.remove(at);
            floors.iter_mut().filter(|floor| **floor > at).for_each(|floor| *floor -= 1);
        }
        self.unbalanced |= others;
    }

    /// A thread begins an open strand.
    pub fn begin(&mut self, t: usize) {
        let (held, floors) = self.thread(t);
        floors.push(held.len());
    }

    /// It ends it.
    pub fn end(&mut self, t: usize) {
        let (held, floors) = self.thread(t);
        let keeps = floors.pop().is_some_and(|floor| held.len() > floor);
        self.unbalanced |= keeps;
    }

    /// The context of what a thread does now, without some of its locks.
    pub fn context(&mut self, t: usize, without: impl Fn(u64) -> bool) -> u32 {
        let (held, floors) = self.thread(t);
        let own = &held[floors.last().copied().unwrap_or(0).min(held.len())..];
        let own: Vec<Held> = own.iter().filter(|h| !without(h.lock)).cloned().collect();
        if let Some(&number) = self.numbers.get(&own) {
            return number;
        }
        self.contexts.push(own.clone());
        self.numbers.insert(own, self.contexts.len() as u32 - 1);
        self.contexts.len() as u32 - 1
    }

    /// A thread waits for something else than a lock, or has ended.
    pub fn wait(&mut self, t: usize, who: Who) {
        let held: Vec<u64> = self.thread(t).0.iter().map(|h| h.lock).collect();
        self.waits.extend(held.into_iter().map(|lock| (lock, who)));
    }

    /// The locks that exclude each other in two contexts: at least one holds them for itself alone, and whether both do.
    pub fn common(&self, a: u32, b: u32) -> impl Iterator<Item = (u64, bool)> {
        let [a, b] = [a, b].map(|c| &self.contexts[c as usize]);
        let pairs = a.iter().flat_map(move |h| b.iter().map(move |g| (h, g)));
        let fit = pairs.filter(|(h, g)| h.lock == g.lock && !(h.shared && g.shared));
        fit.map(|(h, g)| (h.lock, !h.shared && !g.shared))
    }

    /// Whether the acquisition histories of two contexts exclude each other.
    pub fn exclude(&self, a: u32, b: u32) -> bool {
        let has = |h: &Held, lock: u64| h.since.as_ref().is_some_and(|since| since.contains(&lock));
        let [a, b] = [a, b].map(|c| &self.contexts[c as usize]);
        a.iter().any(|h| b.iter().any(|g| has(h, g.lock) && has(g, h.lock)))
    }

    /// Why a deadlock is not excluded, if it is not.
    pub fn doubt(&self) -> Option<LockDoubt> {
        let others = |lock, who| self.users.get(lock).is_some_and(|users| users.iter().any(|u| u != who));
        if self.waits.iter().any(|(lock, who)| others(lock, who)) {
            return Some(LockDoubt::HeldWhileWaiting);
        }
        if self.guests {
            return Some(LockDoubt::Guest);
        }
        let writes = |lock, who| self.writers.get(lock).is_some_and(|users| users.iter().any(|u| u != who));
        if self.again.iter().any(|(lock, who)| writes(lock, who)) {
            return Some(LockDoubt::ReadTwice);
        }
        if self.unbalanced {
            return Some(LockDoubt::Unbalanced);
        }
        // What no circle can go through is taken away, until only circles and what joins them is left.
        let mut left: Vec<_> = self.nested.iter().collect();
        loop {
            let into: FxHashSet<u64> = left.iter().map(|(e, _)| e.1).collect();
            let from: FxHashSet<u64> = left.iter().map(|(e, _)| e.0).collect();
            let before = left.len();
            left.retain(|(e, _)| into.contains(&e.0) && from.contains(&e.1));
            if left.len() == before {
                break;
            }
        }
        let who: FxHashSet<Who> = left.iter().flat_map(|(_, (by, _))| by.iter().copied()).collect();
        let guard = left.first().is_some_and(|(_, (_, guards))| {
            guards.iter().any(|g| left.iter().all(|(_, (_, others))| others.contains(g)))
        });
        (who.len() > 1 && !guard).then_some(LockDoubt::DifferentOrders)
    }
}

#[cfg(test)]
mod tests {
    use super::Locks;

    #[test]
    fn opposite_nesting_excludes_and_is_a_circle() {
        let mut locks = Locks::new();
        for (t, own, other) in [(0, 1, 2), (1, 2, 1)] {
            locks.lock(t, (false, t as u32), own, false, |_| true);
            locks.lock(t, (false, t as u32), other, false, |_| true);
            locks.unlock(t, other);
        }
        let [a, b] = [0, 1].map(|t| locks.context(t, |_| false));
        assert!(locks.exclude(a, b) && locks.common(a, b).next().is_none());
        assert!(locks.doubt().is_some());
    }

    #[test]
    fn locks_around_an_open_strand_do_not_count_for_it() {
        let mut locks = Locks::new();
        locks.lock(0, (false, 0), 7, false, |_| true);
        locks.begin(0);
        assert_eq!(locks.context(0, |_| false), 0);
        locks.end(0);
        assert_ne!(locks.context(0, |_| false), 0);
    }

    #[test]
    fn who_waits_with_a_lock_that_others_take_may_deadlock() {
        let mut locks = Locks::new();
        locks.lock(0, (false, 0), 7, false, |_| true);
        locks.wait(0, (false, 0));
        assert!(locks.doubt().is_none());
        locks.lock(1, (false, 1), 7, true, |_| true);
        assert!(locks.doubt().is_some());
    }
}
