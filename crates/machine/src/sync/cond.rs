//! Condition variables. A wait gives the mutex back, sleeps until it is woken (by a signal, spuriously, or by its time
//! running out), and takes the mutex again.

use super::Alternatives;
use super::errno::{EPERM, ETIMEDOUT};
use super::mutex::{ERROR_CHECK, MutexState};
use super::table::Kind;
use crate::native::{COND, MUTEX};
use crate::state::Machine;
use crate::stop::Stop;
use crate::thread::{Pending, Status, Thread};

impl<'p> Machine<'p> {
    /// The threads that wait on a condition variable and have not been signalled.
    pub(crate) fn waiters(&self, cond: u64) -> Vec<usize> {
        let waits = |th: &Thread| matches!(th.status, Status::At(Pending::Wake { cond: c, signalled: false, .. }) if c == cond);
        (0..self.threads.len()).filter(|&u| waits(&self.threads[u])).collect()
    }

    pub(crate) fn wake_alternatives(
        &self,
        t: usize,
        mutex: u64,
        timed: bool,
        signalled: bool,
    ) -> Alternatives {
        if self.mutex_state(mutex).owner.is_some_and(|owner| owner as usize != t) {
            return Alternatives::NONE;
        }
        match (signalled, timed) {
            // Its time may have been over before the signal came.
            (_, true) => Alternatives { count: 2, spurious: false },
            (true, false) => Alternatives::ONE,
            (false, false) => Alternatives { count: 1, spurious: true },
        }
    }

    pub(crate) fn cond_wait(
        &mut self,
        t: usize,
        th: &mut Thread,
        cond: u64,
        mutex: u64,
        timed: bool,
    ) -> Result<(), Stop> {
        self.usable(cond, "condition variable")?;
        self.usable_mutex(mutex)?;
        let m = self.mutex_state(mutex);
        if m.owner != Some(t as u32) && m.kind == ERROR_CHECK {
            self.done(th, EPERM);
            return Ok(());
        }
        if m.owner != Some(t as u32) {
            return Err(Stop::lock_misuse(
                "the thread waits on a condition variable without holding the mutex",
            ));
        }
        // A wait binds the condition variable to its mutex as long as somebody is blocked on it (POSIX).
        let other = |u: usize| match self.threads[u].status {
            Status::At(Pending::Wake { mutex: bound, .. }) => bound != mutex,
            _ => false,
        };
        if self.waiters(cond).into_iter().any(other) {
            return Err(Stop::lock_misuse(
                "the thread waits on a condition variable on which another thread waits with another mutex",
            ));
        }
        if self.sync.get(cond).is_none() {
            self.become_kind(cond, Kind::Cond);
        }
        let count = m.count;
        // A wait unlocks once: a recursive mutex that was locked more often stays locked, and nobody else gets it.
        if count > 1 {
            self.set_mutex(mutex, MutexState { count: count - 1, ..m });
        } else {
            self.drop_mutex(t, th, mutex, m);
        }
        th.status = Status::At(Pending::Wake { cond, mutex, count, timed, signalled: false });
        Ok(())
    }

    /// Signals one waiter (the given one of them) or all.
    pub(crate) fn cond_signal(
        &mut self,
        t: usize,
        th: &mut Thread,
        cond: u64,
        which: Option<u32>,
    ) -> Result<(), Stop> {
        self.usable(cond, "condition variable")?;
        let waiters = self.waiters(cond);
        let chosen = match which {
            Some(i) => waiters.get(i as usize).map_or(&[][..], std::slice::from_ref),
            None => &waiters[..],
        };
        if !chosen.is_empty() {
            self.release(t, th, cond, Kind::Cond);
        }
        // A signal for one of several wakes one that still waits: one whose time is over leaves it to the others.
        let still_waits = which.is_some() && waiters.len() > 1;
        for &u in chosen {
            self.save_thread(u);
            if let Status::At(Pending::Wake { signalled, timed, .. }) = &mut self.threads[u].status {
                *signalled = true;
                *timed &= !still_waits;
            }
        }
        self.done(th, 0);
        Ok(())
    }

    /// The end of a wait: the mutex is taken again.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn wake(
        &mut self,
        t: usize,
        th: &mut Thread,
        cond: u64,
        mutex: u64,
        count: u32,
        signalled: bool,
        timeout: bool,
    ) -> Result<(), Stop> {
        let pointer = u64::from(self.program.module.pointer_bytes);
        // Who was signalled does not need the condition variable any more, which may be destroyed then.
        if !signalled {
            self.usable(cond, "condition variable")?;
            self.touch_object(t, th, cond, COND.of(pointer))?;
        }
        self.usable(mutex, "mutex")?;
        self.touch_object(t, th, mutex, MUTEX.of(pointer))?;
        if signalled && !timeout {
            self.acquire(t, th, cond);
        }
        let m = self.mutex_state(mutex);
        self.take_mutex(t, th, mutex, m);
        self.set_mutex(mutex, MutexState { owner: Some(t as u32), count, ..m });
        self.done(th, if timeout { ETIMEDOUT } else { 0 });
        Ok(())
    }
}
