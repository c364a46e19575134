//! Mutexes of all kinds, and spin locks.

use super::errno::{EBUSY, EDEADLK, EPERM};
use super::table::Kind;
use crate::observe::Edge;
use crate::state::Machine;
use crate::stop::Stop;
use crate::thread::Thread;
use base::reason::Subject;

/// glibc's numbers.
const RECURSIVE: u8 = 1;
pub(crate) const ERROR_CHECK: u8 = 2;

/// A mutex as it is now.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MutexState {
    pub kind: u8,
    pub owner: Option<u32>,
    pub count: u32,
}

impl<'p> Machine<'p> {
    /// The mutex at an address; one that was never used before is as its static initialiser says.
    pub(crate) fn mutex_state(&self, address: u64) -> MutexState {
        match self.sync.get(address).map(|e| &e.kind) {
            Some(&Kind::Mutex { kind, owner, count }) => MutexState { kind, owner, count },
            _ => MutexState { kind: self.static_kind(address), owner: None, count: 0 },
        }
    }

    /// The kind that a static initialiser has given it.
    fn static_kind(&self, address: u64) -> u8 {
        self.see(address.wrapping_add(self.kind_offset()), 4).map_or(0, |seen| match seen.bits(3).parts() {
            (kind, 0) => kind as u8,
            // Whoever asks has to find it usable first.
            _ => 0,
        })
    }

    /// A mutex that can be used: one whose kind is known, too.
    pub(crate) fn usable_mutex(&self, address: u64) -> Result<(), Stop> {
        self.usable(address, "mutex")?;
        if self.sync.get(address).is_none()
            && let Ok(kind) = self.see(address.wrapping_add(self.kind_offset()), 4)
        {
            kind.bits(3).known(self, Subject::MutexType)?;
        }
        Ok(())
    }

    /// Where the kind is in glibc's `pthread_mutex_t`: behind lock, count, owner (and users on 64-bit targets).
    fn kind_offset(&self) -> u64 {
        if self.program.module.pointer_bytes == 8 { 16 } else { 12 }
    }

    pub(crate) fn set_mutex(&mut self, address: u64, state: MutexState) {
        let MutexState { kind, owner, count } = state;
        self.become_kind(address, Kind::Mutex { kind, owner, count });
    }

    /// Whether locking would not block.
    pub(crate) fn mutex_available(&self, t: usize, address: u64) -> bool {
        let m = self.mutex_state(address);
        match m.owner {
            None => true,
            Some(owner) => owner as usize == t && (m.kind == RECURSIVE || m.kind == ERROR_CHECK),
        }
    }

    pub(crate) fn mutex_lock(&mut self, t: usize, th: &mut Thread, address: u64) -> Result<(), Stop> {
        self.usable_mutex(address)?;
        let m = self.mutex_state(address);
        if m.owner.is_some() && m.kind == ERROR_CHECK {
            self.done(th, EDEADLK);
        } else {
            self.take_mutex(t, th, address, m);
            self.done(th, 0);
        }
        Ok(())
    }

    pub(crate) fn mutex_try(
        &mut self,
        t: usize,
        th: &mut Thread,
        address: u64,
        busy: u64,
    ) -> Result<(), Stop> {
        self.usable_mutex(address)?;
        let m = self.mutex_state(address);
        let own = m.owner == Some(t as u32);
        if m.owner.is_none() || (own && m.kind == RECURSIVE) {
            self.take_mutex(t, th, address, m);
            self.done(th, 0);
        } else if own && m.kind == ERROR_CHECK && busy != EBUSY {
            self.done(th, EDEADLK);
        } else {
            self.done(th, busy);
        }
        Ok(())
    }

    /// Takes a mutex that is free (or the thread's own and recursive).
    pub(crate) fn take_mutex(&mut self, t: usize, th: &mut Thread, address: u64, m: MutexState) {
        if m.owner.is_none() {
            self.acquire(t, th, address);
            th.hold(address, false);
            self.observe(t, th, Edge::Lock(address, false));
        }
        self.set_mutex(address, MutexState { owner: Some(t as u32), count: m.count + 1, ..m });
    }

    pub(crate) fn mutex_unlock(&mut self, t: usize, th: &mut Thread, address: u64) -> Result<(), Stop> {
        self.usable_mutex(address)?;
        let m = self.mutex_state(address);
        if m.owner != Some(t as u32) {
            if m.kind == ERROR_CHECK || m.kind == RECURSIVE {
                self.done(th, EPERM);
                return Ok(());
            }
            let what = if m.owner.is_some() {
                "a mutex that another thread holds"
            } else {
                "a mutex that is not locked"
            };
            return Err(Stop::lock_misuse(format!("the thread unlocks {what}")));
        }
        if m.count > 1 {
            self.set_mutex(address, MutexState { count: m.count - 1, ..m });
        } else {
            self.drop_mutex(t, th, address, m);
        }
        self.done(th, 0);
        Ok(())
    }

    /// Gives a mutex back entirely.
    pub(crate) fn drop_mutex(&mut self, t: usize, th: &mut Thread, address: u64, m: MutexState) {
        th.unhold(address);
        self.observe(t, th, Edge::Unlock(address));
        self.release(t, th, address, Kind::Mutex { kind: m.kind, owner: None, count: 0 });
    }
}
