//! Critical sections as WCP and DC see them: who accessed what under which lock, and which sections are still to be
//! compared.
//!
//! Both orders have the same two rules over critical sections of one lock (P4 appendix B, conditions 2 and 3):
//! - (conflict) a release is ordered before a later access under the same lock that conflicts with an access of its
//!   section;
//! - (sections) if a section's acquire is ordered before another section's release, then so is its release.
//!
//! They differ in what the release passes on, which is the caller's matter: here a release leaves a [`Stamp`].
//!
//! For the first rule each variable keeps, for each lock, the stamp of the last section that wrote it, and of each thread
//! the stamp of the last section since that read it. Earlier ones are not needed: whoever writes under the lock learns
//! all stamps there are, so its own stamp has them in it, and a thread's stamps grow. For the second rule each lock keeps
//! each thread's sections in a list, and each other thread has a place in that list up to which it knows the releases.
//!
//! Memory: for each section an entry, until every thread seen so far that has not ended knows its release. A thread that
//! appears later without a fork does not see entries dropped before.

use std::collections::VecDeque;

use trace::{LockId, ThreadId, VarId};

use crate::clock::slot;
use crate::sync::Stamp;

/// A lock that a thread holds.
#[derive(Debug, Clone, Copy)]
struct Held {
    lock: LockId,
    /// The thread's time at the acquire.
    since: u32,
    /// Where the section's accesses begin in the thread's list.
    start: usize,
}

/// A thread's open sections.
#[derive(Debug, Clone, Default)]
struct Open {
    held: Vec<Held>,
    /// Variables accessed since the outermost acquire, and whether written.
    accessed: Vec<(VarId, bool)>,
    /// At which length to look for duplicates next.
    tidy_at: usize,
}

/// Of a variable under a lock: the last section that wrote it, and each thread's last since that read it.
#[derive(Debug, Clone)]
struct Under {
    lock: LockId,
    write: Option<Stamp>,
    reads: Vec<Stamp>,
}

/// A closed section.
#[derive(Debug, Clone)]
struct Section {
    /// The thread's time at its acquire.
    acquired: u32,
    released: Stamp,
}

/// One thread's sections of one lock.
#[derive(Debug, Clone, Default)]
struct Sections {
    list: VecDeque<Section>,
    /// How many have been dropped from the front.
    dropped: usize,
    /// By other thread: how many of these sections it knows.
    known: Vec<usize>,
    tidy_at: usize,
}

/// All critical sections so far.
#[derive(Debug, Default)]
pub struct Critical {
    open: Vec<Open>,
    variables: Vec<Vec<Under>>,
    /// By lock, then by thread.
    locks: Vec<Vec<Sections>>,
}

const TIDY: usize = 4096;

impl Critical {
    /// A thread acquires a lock at its time `time`.
    pub fn acquire(&mut self, t: ThreadId, lock: LockId, time: u32) {
        let open = slot(&mut self.open, t.index());
        open.held.push(Held { lock, since: time, start: open.accessed.len() });
    }

    /// A thread accesses a variable. Calls `learn` with the stamp of each earlier section under a lock that it holds in
    /// which another thread had a conflicting access.
    #[inline]
    pub fn access(&mut self, t: ThreadId, v: VarId, write: bool, mut learn: impl FnMut(&Stamp)) {
        let Some(open) = self.open.get_mut(t.index()) else { return };
        let Some(innermost) = open.held.last() else { return };
        if open.accessed[innermost.start..].last() != Some(&(v, write)) {
            open.accessed.push((v, write));
            if open.accessed.len() >= open.tidy_at.max(TIDY) {
                open.tidy();
            }
        }
        let Some(sections) = self.variables.get(v.index()) else { return };
        for under in sections {
            if !open.held.iter().any(|h| h.lock == under.lock) {
                continue;
            }
            let reads = if write { &under.reads[..] } else { &[] };
            for stamp in under.write.iter().chain(reads).filter(|s| s.thread != t.0) {
                learn(stamp);
            }
        }
    }

    /// Of another thread's sections of this lock: the next one whose release the thread does not know yet. The caller
    /// looks whether its acquire (at the returned time) is ordered and if so learns the stamp and calls
    /// [`Critical::passed`].
    pub fn next_section(&mut self, t: ThreadId, lock: LockId, other: u32) -> Option<(u32, &Stamp)> {
        let sections = self.locks.get_mut(lock.index())?.get_mut(other as usize)?;
        let place = (*slot(&mut sections.known, t.index())).max(sections.dropped);
        let section = sections.list.get(place - sections.dropped)?;
        Some((section.acquired, &section.released))
    }

    /// The thread knows the section that [`Critical::next_section`] returned.
    pub fn passed(&mut self, t: ThreadId, lock: LockId, other: u32) {
        if let Some(sections) = self.locks.get_mut(lock.index()).and_then(|l| l.get_mut(other as usize)) {
            let dropped = sections.dropped;
            let place = slot(&mut sections.known, t.index());
            *place = (*place).max(dropped) + 1;
        }
    }

    /// How many threads may have sections of this lock.
    pub fn threads_of(&self, lock: LockId) -> u32 {
        self.locks.get(lock.index()).map_or(0, |l| l.len() as u32)
    }

    /// A thread releases a lock and leaves `stamp`. `everyone_knows` says whether all other threads that matter know a
    /// stamp; such sections are dropped from time to time.
    pub fn release(
        &mut self,
        t: ThreadId,
        lock: LockId,
        stamp: &Stamp,
        everyone_knows: impl Fn(&Stamp) -> bool,
    ) {
        let open = slot(&mut self.open, t.index());
        let Some(i) = open.held.iter().rposition(|h| h.lock == lock) else { return };
        let held = open.held.remove(i);
        for &(v, write) in &open.accessed[held.start..] {
            remember(slot(&mut self.variables, v.index()), lock, write, stamp);
        }
        if open.held.is_empty() {
            open.accessed.clear();
        }
        let sections = slot(slot(&mut self.locks, lock.index()), t.index());
        sections.list.push_back(Section { acquired: held.since, released: stamp.clone() });
        if sections.list.len() >= sections.tidy_at.max(TIDY / 16) {
            while sections.list.front().is_some_and(|s| everyone_knows(&s.released)) {
                sections.list.pop_front();
                sections.dropped += 1;
            }
            sections.tidy_at = 2 * sections.list.len();
        }
    }
}

fn remember(sections: &mut Vec<Under>, lock: LockId, write: bool, stamp: &Stamp) {
    let i = sections.iter().position(|u| u.lock == lock).unwrap_or_else(|| {
        sections.push(Under { lock, write: None, reads: Vec::new() });
        sections.len() - 1
    });
    let under = &mut sections[i];
    if write {
        under.write = Some(stamp.clone());
        under.reads.clear();
        return;
    }
    let list = &mut under.reads;
    match list.iter_mut().find(|s| s.thread == stamp.thread) {
        Some(old) => *old = stamp.clone(),
        None => list.push(stamp.clone()),
    }
}

impl Open {
    /// Removes duplicates between two acquires, so that a lock held for long costs memory by variables, not by accesses.
    #[cold]
    fn tidy(&mut self) {
        let mut kept = Vec::with_capacity(self.accessed.len() / 2);
        let mut starts: Vec<usize> = self.held.iter().map(|h| h.start).collect();
        starts.push(self.accessed.len());
        for (i, bounds) in starts.windows(2).enumerate() {
            let mut part = self.accessed[bounds[0]..bounds[1]].to_vec();
            part.sort_unstable();
            part.dedup();
            self.held[i].start = kept.len();
            kept.extend(part);
        }
        self.accessed = kept;
        self.tidy_at = 2 * self.accessed.len();
    }
}
