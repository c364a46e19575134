//! Futexes, as the C++ library uses them for waiting on atomics.

use super::errno::EAGAIN;
use super::table::Kind;
use crate::state::Machine;
use crate::stop::Stop;
use crate::thread::{Pending, Status, Thread};

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
        let value = self.see(address, 4)?.known(self, "the value of a futex")?;
        if value == expected & 0xffff_ffff {
            th.status = Status::At(Pending::Futex { address: side(address), woken: false });
        } else {
            self.done(th, EAGAIN);
        }
        Ok(())
    }

    /// Wakes up to `n` waiters, the oldest thread first. Returns how many.
    pub(crate) fn futex_wake(&mut self, t: usize, th: &mut Thread, address: u64, n: u64) -> Result<(), Stop> {
        let waits = |th: &Thread| matches!(th.status, Status::At(Pending::Futex { address: a, woken: false }) if a == side(address));
        let waiters: Vec<usize> = (0..self.threads.len()).filter(|&u| waits(&self.threads[u])).collect();
        let n = (n as usize).min(waiters.len());
        if n > 0 {
            self.release(t, th, side(address), Kind::Atomic);
        }
        if n > 0 && n < waiters.len() {
            self.notice_choice(&waiters);
        }
        for &u in &waiters[..n] {
            self.save_thread(u);
            self.threads[u].status = Status::At(Pending::Futex { address: side(address), woken: true });
        }
        self.done(th, n as u64);
        Ok(())
    }
}
