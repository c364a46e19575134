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
