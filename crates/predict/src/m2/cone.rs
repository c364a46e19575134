//! Relative causal cones (P4 section 4), as one bound for each thread.
//!
//! A cone is closed under program order, so it is the events of each thread below a bound. Items 1 to 3 of the
//! definition are the causal past: the vector clock of the pair's two events. Item 4 (a thread other than the pair's two
//! releases what it acquires) raises a bound to where that thread holds no lock; the raised bound's clock follows, until
//! nothing changes. Cones only grow with the second event, so `M2_{e1}^p` keeps one and extends it (section 5).
//!
//! Deviations: locks that one thread alone uses are not looked at. *Forced* releases are a second kind of cone, for the
//! question whether a rejection is final: a lock that is open at one of the pair's events cannot be open anywhere else
//! in a witness, so item 4 is necessary for it and only for it.
//!
//! Guarantee: [`Cone::add`] with [`Releases::All`] makes `RCone(e1, p(e2)) + RCone(e2, p(e1))`; every witness for the pair
//! contains the cone with [`Releases::Forced`].

use super::bits::{Id, NONE};
use super::clocks::Clocks;
use super::index::{Index, Section};

/// Which releases of third threads are added to a cone.
#[derive(Debug, Clone, Copy)]
pub enum Releases<'a> {
    /// None: the causal past.
    None,
    /// Item 4: every one.
    All,
    /// Those of the locks given.
    Forced(&'a [u32]),
}

/// A set of events that is closed under program order and observation.
#[derive(Debug, Clone)]
pub struct Cone {
    /// The pair's threads.
    focal: [usize; 2],
    /// By thread: its events below this bound are in the cone.
    bounds: Vec<Id>,
    /// Threads whose bound has been raised.
    raised: Vec<usize>,
}

impl Cone {
    /// The empty cone for a pair of these threads.
    pub fn new(threads: usize, focal: [usize; 2]) -> Self {
        Cone { focal, bounds: vec![0; threads], raised: Vec::new() }
    }

    /// By thread: its events below this bound are in the cone.
    pub fn bounds(&self) -> &[Id] {
        &self.bounds
    }

    /// Whether an event of a thread is in the cone.
    pub fn contains(&self, thread: usize, event: Id) -> bool {
        event < self.bounds[thread]
    }

    /// Adds what must have happened before `event` of `thread`, without the event.
    pub fn add(
        &mut self,
        index: &Index<'_>,
        clocks: &Clocks,
        thread: usize,
        event: Id,
        releases: Releases<'_>,
    ) {
        self.raise(thread, event);
        self.join(clocks.enabling(thread, event));
        self.close(index, clocks, releases);
    }

    /// Adds the releases of open sections that a later section of the same lock follows: the ideal of SyncP, if the
    /// cone is a causal past. Gives up if the index is late.
    pub fn finish_sections(&mut self, index: &Index<'_>) {
        loop {
            let followed = self.open_sections(index).into_iter().find(|section| {
                section.release != NONE
                    && self.bounds.iter().enumerate().any(|(thread, &bound)| {
                        let last = index.last_acquire(section.lock, thread, bound);
                        thread != section.thread && last.is_some_and(|other| other > section.acquire)
                    })
            });
            let Some(section) = followed else { return };
            if index.is_late() {
                return;
            }
            self.finish(index, &index.causal.clocks, &section, Releases::None);
        }
    }

    /// Adds a section's release, which it must have.
    pub fn finish(&mut self, index: &Index<'_>, clocks: &Clocks, section: &Section, releases: Releases<'_>) {
        self.raise(section.thread, section.release + 1);
        self.close(index, clocks, releases);
    }

    /// Follows the raised bounds until nothing changes.
    fn close(&mut self, index: &Index<'_>, clocks: &Clocks, releases: Releases<'_>) {
        while let Some(thread) = self.raised.pop() {
            let bound = self.bounds[thread];
            self.join(clocks.past(thread, bound));
            if self.focal.contains(&thread) {
                continue;
            }
            match releases {
                Releases::None => {}
                Releases::All => {
                    if let Some(free) = index.free_again(thread, bound) {
                        self.raise(thread, free);
                    }
                }
                Releases::Forced(locks) => {
                    let ends = locks.iter().filter_map(|&lock| index.release_of(lock, thread, bound));
                    if let Some(release) = ends.max() {
                        self.raise(thread, release + 1);
                    }
                }
            }
        }
    }

    /// The sections that are open when the cone's events have happened.
    pub fn open_sections(&self, index: &Index<'_>) -> Vec<Section> {
        let mut open = Vec::new();
        for (thread, &bound) in self.bounds.iter().enumerate() {
            index.open_sections(thread, bound, &mut open);
        }
        open
    }

    fn raise(&mut self, thread: usize, bound: Id) {
        if bound > self.bounds[thread] {
            self.bounds[thread] = bound;
            if !self.raised.contains(&thread) {
                self.raised.push(thread);
            }
        }
    }

    fn join(&mut self, bounds: &[Id]) {
        for (thread, &bound) in bounds.iter().enumerate() {
            self.raise(thread, bound);
        }
    }
}
