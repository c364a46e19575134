//! Read-write locks. Readers are ordered after writers, writers after everybody. Whether readers overtake a writer that waits
//! is open, as in POSIX: they can, but a deadlock of a lock that does not let them is one.

use super::Alternatives;
use super::errno::EDEADLK;
use super::table::{Entry, Kind};
use crate::native::SyncOp;
use crate::observe::Edge;
use crate::state::Machine;
use crate::stop::Stop;
use crate::thread::{Pending, Status, Thread};

/// The object through which readers pass on their past to writers, for observers: beside the lock.
fn readers_side(address: u64) -> u64 {
    address + 1
}

impl<'p> Machine<'p> {
    fn rw_state(&self, address: u64) -> (Option<u32>, Vec<u32>) {
        match self.sync.get(address).map(|e| &e.kind) {
            Some(Kind::RwLock { writer, readers }) => (*writer, readers.clone()),
            _ => (None, Vec::new()),
        }
    }

    pub(crate) fn read_available(&self, address: u64) -> bool {
        self.rw_state(address).0.is_none()
    }

    pub(crate) fn write_available(&self, address: u64) -> bool {
        let (writer, readers) = self.rw_state(address);
        writer.is_none() && readers.is_empty()
    }

    /// Whether thread `t`, if it locked for reading now, would overtake a writer that waits for readers. POSIX leaves open
    /// whether it may. (That a thread stands before locking for writing, and cannot, means that it may wait there already.)
    pub fn overtakes(&self, t: usize, address: u64) -> bool {
        let waits = |th: &Thread| match th.status {
            Status::At(Pending::Sync(SyncOp::WriteLock | SyncOp::WriteTimed, args)) => args[0] == address,
            _ => false,
        };
        let waits = self.threads.iter().enumerate().any(|(u, th)| u != t && waits(th));
        waits && !self.rw_state(address).1.is_empty()
    }

    /// How thread `t` can lock for reading. With locks that prefer writers it waits behind one: what it overtakes is no way
    /// out of a deadlock.
    pub(crate) fn read_alternatives(&self, t: usize, address: u64) -> Alternatives {
        let count = u32::from(self.read_available(address));
        Alternatives { count, spurious: count > 0 && self.overtakes(t, address) }
    }

    /// An attempt to lock for reading fails, since a writer waits.
    pub(crate) fn read_refused(&mut self, th: &mut Thread, address: u64, busy: u64) -> Result<(), Stop> {
        self.usable(address, "read-write lock")?;
        self.done(th, busy);
        Ok(())
    }

    /// Locks for reading; `busy` is the error if that cannot be done at once (`None`: the caller knows it can).
    pub(crate) fn read_lock(
        &mut self,
        t: usize,
        th: &mut Thread,
        address: u64,
        busy: Option<u64>,
    ) -> Result<(), Stop> {
        self.usable(address, "read-write lock")?;
        let (writer, mut readers) = self.rw_state(address);
        if writer.is_some() {
            self.done(th, busy.unwrap_or(EDEADLK));
            return Ok(());
        }
        self.acquire(t, th, address);
        let at = readers.partition_point(|&r| r <= t as u32);
        readers.insert(at, t as u32);
        th.hold(address, true);
        self.observe(t, th, Edge::Lock(address, true));
        self.become_kind(address, Kind::RwLock { writer: None, readers });
        self.done(th, 0);
        Ok(())
    }

    /// Locks for writing.
    pub(crate) fn write_lock(
        &mut self,
        t: usize,
        th: &mut Thread,
        address: u64,
        busy: Option<u64>,
    ) -> Result<(), Stop> {
        self.usable(address, "read-write lock")?;
        if !self.write_available(address) {
            self.done(th, busy.unwrap_or(EDEADLK));
            return Ok(());
        }
        self.acquire(t, th, address);
        self.observe(t, th, Edge::Acquire(readers_side(address)));
        let readers = self.sync.get(address).map(|e| e.second.clone()).unwrap_or_default();
        self.learn(t, th, &readers);
        th.hold(address, false);
        self.observe(t, th, Edge::Lock(address, false));
        self.become_kind(address, Kind::RwLock { writer: Some(t as u32), readers: Vec::new() });
        self.done(th, 0);
        Ok(())
    }

    pub(crate) fn rw_unlock(&mut self, t: usize, th: &mut Thread, address: u64) -> Result<(), Stop> {
        self.usable(address, "read-write lock")?;
        let (writer, mut readers) = self.rw_state(address);
        if writer == Some(t as u32) {
            th.unhold(address);
            self.observe(t, th, Edge::Unlock(address));
            self.release(t, th, address, Kind::RwLock { writer: None, readers: Vec::new() });
        } else if let Ok(at) = readers.binary_search(&(t as u32)) {
            readers.remove(at);
            th.unhold(address);
            self.observe(t, th, Edge::Unlock(address));
            let kind = Kind::RwLock { writer: None, readers };
            let mut entry = self.sync.get(address).cloned().unwrap_or_else(|| Entry::new(kind.clone()));
            entry.kind = kind;
            entry.second.join(&th.clock);
            self.set_sync(address, Some(entry));
            self.observe(t, th, Edge::Release(readers_side(address)));
            self.next_epoch(t, th);
        } else {
            return Err(Stop::lock_misuse("the thread unlocks a read-write lock that it does not hold"));
        }
        self.done(th, 0);
        Ok(())
    }
}
