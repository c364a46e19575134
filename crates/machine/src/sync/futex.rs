//! Futexes, as the C++ library uses them for waiting on atomics.

use super::errno::EAGAIN;
use super::table::Kind;
use crate::state::Machine;
use crate::stop::Stop;
use crate::thread::{Pending, Status, Thread};
use base::reason::Subject;

/// The word that a futex wait is about.
pub(crate) fn address_of(pending: &Pending) -> u64 {
    match *pending {
        Pending::Futex { address, .. } => address,
        _ => 0,
    }
}

/// Futexes pass on clocks beside those of the atomic word itself.
fn side(address: u64) -> u64 {
    address + 2
}

impl<'p> Machine<'p> {
    /// Waits if the word still has the expected value. Returns 0, or the error.
    pub(crate) fn futex_wait(&mut self, th: &mut Thread, address: u64, expected: u64) -> Result<(), Stop> {
        let value = self.see(address, 4)?.known(self, Subject::Futex)?;
        if value == expected & 0xffff_ffff {
            th.status = Status::At(Pending::Futex { address: side(address), woken: false });
        } else {
            self.done(th, EAGAIN);
        }
        Ok(())
    }

    /// The threads that wait for a word and have not been woken.
    fn futex_waiters(&self, address: u64) -> Vec<usize> {
        let waits = |th: &Thread| matches!(th.status, Status::At(Pending::Futex { address: a, woken: false }) if a == side(address));
        (0..self.threads.len()).filter(|&u| waits(&self.threads[u])).collect()
    }

    /// In how many ways `n` of the waiters can be chosen.
    pub(crate) fn futex_choices(&self, address: u64, n: u64) -> u32 {
        let waiters = self.futex_waiters(address).len();
        choices(waiters, (n as usize).min(waiters))
    }

    /// Wakes up to `n` waiters, any of them. Returns how many.
    pub(crate) fn futex_wake(
        &mut self,
        t: usize,
        th: &mut Thread,
        address: u64,
        n: u64,
        way: u32,
    ) -> Result<(), Stop> {
        let waiters = self.futex_waiters(address);
        let n = (n as usize).min(waiters.len());
        if n > 0 {
            self.release(t, th, side(address), Kind::Atomic);
        }
        for u in chosen(&waiters, n, way) {
            self.save_thread(u);
            self.threads[u].status = Status::At(Pending::Futex { address: side(address), woken: true });
        }
        self.done(th, n as u64);
        Ok(())
    }
}

/// How many sets of `n` there are among `all`.
fn choices(all: usize, n: usize) -> u32 {
    let n = n.min(all - n) as u64;
    let count = (0..n).fold(1u64, |count, i| count.saturating_mul(all as u64 - i) / (i + 1));
    count.min(u32::MAX.into()) as u32
}

/// The set of that number.
fn chosen(all: &[usize], mut n: usize, mut way: u32) -> Vec<usize> {
    let mut list = Vec::new();
    for (i, &u) in all.iter().enumerate() {
        if n == 0 {
            break;
        }
        // So many sets have this one in them.
        let with = choices(all.len() - i - 1, n - 1);
        if way < with {
            list.push(u);
            n -= 1;
        } else {
            way -= with;
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::{choices, chosen};

    #[test]
    fn every_set_of_waiters_is_chosen_once() {
        let all = [3, 5, 6, 9];
        for n in 0..=4 {
            let mut sets: Vec<_> = (0..choices(4, n)).map(|way| chosen(&all, n, way)).collect();
            assert!(sets.iter().all(|s| s.len() == n));
            let count = sets.len();
            sets.sort();
            sets.dedup();
            assert_eq!(sets.len(), count);
            assert_eq!(count, [1, 4, 6, 4, 1][n]);
        }
    }
}
