//! Contention groups: the threads of a team of a league, with all regions that they fork (OpenMP 5.2, 1.2.2).
//!
//! `critical` (15.2) and the lock routines (18.9) bind to the contention group: they neither exclude threads of different teams nor
//! order them. So each team of a league has locks of its own: the lock of a critical section or an `omp_lock_t` stands, for
//! the threads of a team, for an object of the runtime's that is made when they first use it, unset. (What the lock is, simple or
//! nestable, is known from where it was initialised.) `atomic` is indivisible among all threads of a device (15.8.4), and so are
//! the reductions of the `teams` construct itself.
//!
//! *How many teams.* `num_teams(n)` gives n: without a lower bound, that is n as well (10.2.1; clang 19 knows no lower bound).
//! Without the clause any number up to `nteams-var` is possible: it is asked for ([`Question::Teams`]), among 1, 2 and the
//! most that the bounds say ([`Program::most_teams`]).

use xxhash_rust::xxh3::xxh3_64;

use super::Seat;
use crate::native::OMP_LOCK;
use crate::observe::Question;
use crate::program::Program;
use crate::state::Machine;
use crate::stop::Stop;
use crate::sync::table::{Entry, Kind};
use crate::thread::Thread;

/// The numbers of teams that are looked at where the most is known, the most first.
pub fn team_counts(most: u32) -> Vec<u32> {
    let mut counts = vec![most, 2, 1];
    counts.retain(|&n| n <= most);
    counts.dedup();
    counts
}

impl Program<'_> {
    /// The most teams that a construct forms whose number of teams nothing fixes.
    pub fn most_teams(&self) -> u32 {
        self.thread_count().max(2)
    }
}

impl Machine<'_> {
    /// The thread's, or its team's, place in the innermost league.
    pub(crate) fn league(&self, th: &Thread) -> Option<Seat> {
        let mut seats = th.omp.seats.clone();
        loop {
            let seat = seats.pop()?;
            let region = self.region(seat.home);
            if region.league {
                return Some(seat);
            }
            // A worker's team number is that of the thread that forked its team.
            if seat.number > 0 {
                let master = region.members[0] as usize;
                let at = |s: &Seat| s.home == seat.home;
                seats = self.threads[master].omp.seats.clone();
                seats.truncate(seats.iter().position(at)?);
            }
        }
    }

    /// The lock that a lock is for the thread's contention group.
    fn of_group(&mut self, th: &Thread, lock: u64) -> u64 {
        if !self.omp.regions.values().any(|region| region.league && region.members.len() > 1) {
            return lock;
        }
        let Some(seat) = self.league(th).filter(|seat| seat.size > 1) else { return lock };
        let words = [seat.home, seat.number.into(), lock].map(u64::to_le_bytes).concat();
        let own = 1 << 63 | 1 << 51 | xxh3_64(&words) >> 13;
        if !self.omp.group_locks.contains_key(&own) {
            self.omp_mut().group_locks.insert(own, (lock, seat.number));
        }
        own
    }

    /// The lock of a critical section for the thread.
    pub(crate) fn critical_lock(&mut self, th: &Thread, lock: u64) -> u64 {
        self.of_group(th, lock)
    }

    /// The lock that an `omp_lock_t` is for the thread.
    pub(crate) fn lock_for(&mut self, t: usize, th: &mut Thread, lock: u64) -> Result<u64, Stop> {
        let Some(&Kind::Mutex { kind, .. }) = self.sync.get(lock).map(|e| &e.kind) else { return Ok(lock) };
        let own = self.of_group(th, lock);
        if own != lock {
            let pointer = u64::from(self.program.module.pointer_bytes);
            self.touch_object(t, th, lock, OMP_LOCK.of(pointer))?;
            if self.sync.get(own).is_none() {
                self.set_sync(own, Some(Entry::new(Kind::Mutex { kind, owner: None, count: 0 })));
            }
        }
        Ok(own)
    }

    /// For a lock of a team: which lock of the program it is there, and the team's number.
    pub fn team_lock(&self, lock: u64) -> Option<(u64, u32)> {
        self.omp.group_locks.get(&lock).copied()
    }

    /// A league ends, and with it its teams' locks. (Their names are still known.)
    pub(super) fn forget_group_locks(&mut self) {
        let locks: Vec<u64> = self.omp.group_locks.keys().copied().collect();
        for lock in locks {
            if self.sync.get(lock).is_some() {
                self.set_sync(lock, None);
            }
        }
    }

    /// How many teams a construct forms; asks if no clause says so.
    pub(crate) fn team_count(&mut self, th: &mut Thread, clause: u32) -> Result<u32, Stop> {
        if clause > 0 {
            return Ok(clause);
        }
        let most = match self.icv_of(th).teams {
            0 => self.program.most_teams(),
            set => set,
        };
        let counts = team_counts(most);
        if counts.len() == 1 || self.program.module.default_distribution {
            return Ok(most);
        }
        self.program.note_teams(most);
        match th.choice.take() {
            Some(answer) => Ok(counts[answer as usize]),
            None => {
                self.question = Question::Teams { most };
                Err(Stop::Choose(counts.len() as u32))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_two_and_the_most() {
        assert_eq!(team_counts(8), [8, 2, 1]);
        assert_eq!(team_counts(2), [2, 1]);
        assert_eq!(team_counts(1), [1]);
    }
}
