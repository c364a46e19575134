//! Happens-before of one run, as full vector clocks fed by the machine's synchronisation edges; nothing is ever forgotten.
//!
//! Replay and judge decide with these clocks, and no search or proof does: they share nothing with the machine's own
//! clocks and histories.

use machine::Edge;
use rustc_hash::FxHashMap;

/// A vector clock, as plain as can be.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Times(Vec<u64>);

impl Times {
    /// The time of a thread that is known.
    pub fn at(&self, t: usize) -> u64 {
        self.0.get(t).copied().unwrap_or(0)
    }

    fn raise(&mut self, other: &Times) {
        for t in 0..other.0.len() {
            self.set(t, self.at(t).max(other.at(t)));
        }
    }

    fn set(&mut self, t: usize, v: u64) {
        if self.0.len() <= t {
            self.0.resize(t + 1, 0);
        }
        self.0[t] = v;
    }
}

/// The clocks of all threads and objects.
#[derive(Default)]
pub(crate) struct Clocks {
    threads: Vec<Times>,
    objects: FxHashMap<u64, Times>,
    seen_relaxed: Vec<Times>,
    fenced: Vec<Times>,
}

impl Clocks {
    fn clock(list: &mut Vec<Times>, t: usize) -> &mut Times {
        if list.len() <= t {
            list.resize(t + 1, Times::default());
        }
        &mut list[t]
    }

    fn tick(&mut self, t: usize) {
        let clock = Self::clock(&mut self.threads, t);
        let now = clock.at(t) + 1;
        clock.set(t, now);
    }

    /// The clock of a thread that has begun.
    pub fn of(&mut self, t: usize) -> &Times {
        if Self::clock(&mut self.threads, t).at(t) == 0 {
            self.tick(t);
        }
        &self.threads[t]
    }

    /// The time of `u` that `t` knows.
    pub fn known(&self, t: usize, u: usize) -> u64 {
        self.threads.get(t).map_or(0, |times| times.at(u))
    }

    /// A thread comes to the end of an edge.
    pub fn edge(&mut self, t: usize, edge: Edge) {
        self.of(t);
        match edge {
            Edge::Acquire(object) => {
                let times = self.objects.get(&object).cloned().unwrap_or_default();
                Self::clock(&mut self.threads, t).raise(&times);
            }
            Edge::Release(object) => {
                let mine = self.threads[t].clone();
                self.objects.entry(object).or_default().raise(&mine);
                self.tick(t);
            }
            Edge::ReleaseOnly(object) => {
                let mine = self.threads[t].clone();
                self.objects.insert(object, mine);
                self.tick(t);
            }
            Edge::Forget(object) => {
                self.objects.remove(&object);
            }
            Edge::Split(whole, part) => {
                let times = self.objects.get(&whole).cloned().unwrap_or_default();
                self.objects.insert(part, times);
            }
            Edge::Fork(u) => {
                let mine = self.threads[t].clone();
                Self::clock(&mut self.threads, u).raise(&mine);
                self.tick(u);
                self.tick(t);
            }
            Edge::Join(u) => {
                let theirs = Self::clock(&mut self.threads, u).clone();
                Self::clock(&mut self.threads, t).raise(&theirs);
            }
            Edge::See(object) => {
                let times = self.objects.get(&object).cloned().unwrap_or_default();
                Self::clock(&mut self.seen_relaxed, t).raise(&times);
            }
            Edge::AcquireFence => {
                let seen = Self::clock(&mut self.seen_relaxed, t).clone();
                Self::clock(&mut self.threads, t).raise(&seen);
            }
            Edge::ReleaseFence => {
                let mine = self.threads[t].clone();
                *Self::clock(&mut self.fenced, t) = mine;
                self.tick(t);
            }
            Edge::ReleaseFenced(object, keep) => {
                let fenced = Self::clock(&mut self.fenced, t).clone();
                let times = self.objects.entry(object).or_default();
                if !keep {
                    *times = Times::default();
                }
                times.raise(&fenced);
            }
            Edge::Lock(..) | Edge::Unlock(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether `u` knows what `t` has done until now, after these edges.
    fn knows(edges: &[(usize, Edge)], t: usize, u: usize) -> bool {
        let mut clocks = Clocks::default();
        let at = edges.iter().position(|(_, edge)| matches!(edge, Edge::Unlock(_))).unwrap_or(0);
        let mut time = 0;
        for (i, &(thread, edge)) in edges.iter().enumerate() {
            if i == at {
                time = clocks.of(t).at(t);
            }
            clocks.edge(thread, edge);
        }
        clocks.of(u);
        clocks.known(u, t) >= time
    }

    /// The mark in a list of edges whose past is asked for.
    const NOW: Edge = Edge::Unlock(0);

    #[test]
    fn what_is_released_is_acquired() {
        assert!(knows(&[(0, NOW), (0, Edge::Release(8)), (1, Edge::Acquire(8))], 0, 1));
        assert!(!knows(&[(0, Edge::Release(8)), (0, NOW), (1, Edge::Acquire(8))], 0, 1));
        assert!(!knows(&[(0, NOW), (0, Edge::Release(8)), (1, Edge::Acquire(16))], 0, 1));
    }

    #[test]
    fn a_release_adds_and_a_store_replaces() {
        let both = |second| [(0, NOW), (0, Edge::Release(8)), (2, second), (1, Edge::Acquire(8))];
        assert!(knows(&both(Edge::Release(8)), 0, 1));
        assert!(!knows(&both(Edge::ReleaseOnly(8)), 0, 1));
        assert!(!knows(&both(Edge::Forget(8)), 0, 1));
    }

    #[test]
    fn creation_and_join() {
        assert!(knows(&[(0, NOW), (0, Edge::Fork(1))], 0, 1));
        assert!(!knows(&[(0, Edge::Fork(1)), (0, NOW)], 0, 1));
        assert!(knows(&[(0, Edge::Fork(1)), (1, NOW), (0, Edge::Join(1))], 1, 0));
        assert!(!knows(&[(0, Edge::Fork(1)), (1, NOW), (0, Edge::Fork(2))], 1, 0));
    }

    #[test]
    fn fences_make_relaxed_accesses_order() {
        let fenced = [
            (0, NOW),
            (0, Edge::ReleaseFence),
            (0, Edge::ReleaseFenced(8, false)),
            (1, Edge::See(8)),
            (1, Edge::AcquireFence),
        ];
        assert!(knows(&fenced, 0, 1));
        assert!(!knows(&fenced[..4], 0, 1));
        assert!(!knows(&[&fenced[..1], &fenced[2..]].concat(), 0, 1));
    }
}
