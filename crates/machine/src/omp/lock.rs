//! Locks: `omp_lock_t`, `omp_nest_lock_t`, `critical`, and the lock under which a reduction is combined.
//!
//! A lock is owned by the task that has set it, explicit or implicit (OpenMP 5.2, 18.9), not by its thread: a task that its thread
//! executes on top of the owner waits for it, and an untied owner takes it along to another thread. Which task that is stands in
//! [`super::Omp::lock_tasks`]; the thread in the lock's own entry is the one that executes the owner, or did last.

use base::DefectKind;
use base::reason::Openmp;

use super::modifier;
use super::team::estate;
use crate::memory::layout::Layout;
use crate::native::{Call, SyncOp};
use crate::observe::Edge;
use crate::state::Machine;
use crate::stop::Stop;
use crate::sync::mutex::MutexState;
use crate::sync::table::{Entry, Kind};
use crate::thread::{Pending, Status, Thread};

/// The kind of a mutex that is a nestable lock.
const NESTED: u8 = 1;
/// Where in a region's address space the locks of its reductions are, and how much room they have.
pub(super) const REDUCTIONS: u64 = 1 << 28;

/// Whether a lock is one under which the runtime lets reductions be combined.
pub fn is_reduction_lock(layout: Layout, lock: u64) -> bool {
    let place = lock & ((1 << 30) - 1);
    let of_region = match layout {
        Layout::Wide => layout.region(lock).is_stack(),
        Layout::Narrow => lock >> 32 != 0 && lock >> 63 == 0,
    };
    of_region && place >= REDUCTIONS
}

impl Machine<'_> {
    /// Whether an OpenMP lock can be taken.
    pub(crate) fn omp_lock_available(&self, t: usize, th: &Thread, address: u64) -> bool {
        match self.sync.get(address).map(|e| &e.kind) {
            Some(&Kind::Mutex { kind, owner: Some(_), .. }) => {
                kind == NESTED && self.owns_lock(t, th, address)
            }
            _ => true,
        }
    }

    /// Whether the task that a thread executes has set a lock.
    fn owns_lock(&self, t: usize, th: &Thread, address: u64) -> bool {
        self.omp.lock_tasks.get(&address) == Some(&Self::executed(t, th))
    }

    /// The locks that a task has set.
    fn locks_of(&self, task: u64) -> Vec<u64> {
        self.omp.lock_tasks.iter().filter(|(_, owner)| **owner == task).map(|(&lock, _)| lock).collect()
    }

    /// A part of an untied task has ended: its thread has nothing to do with the task's locks any more, which stay set.
    pub(super) fn leave_locks(&mut self, t: usize, th: &mut Thread, task: u64) {
        for lock in self.locks_of(task) {
            th.unhold(lock);
            self.observe(t, th, Edge::Unlock(lock));
            let MutexState { kind, owner, count } = self.mutex_state(lock);
            self.release(t, th, lock, Kind::Mutex { kind, owner, count });
        }
    }

    /// The thread goes on with a task that has set locks.
    pub(super) fn bring_locks(&mut self, t: usize, th: &mut Thread, task: u64) {
        for lock in self.locks_of(task) {
            self.acquire(t, th, lock);
            th.hold(lock, false);
            self.observe(t, th, Edge::Lock(lock, false));
            let state = self.mutex_state(lock);
            self.set_mutex(lock, MutexState { owner: Some(t as u32), ..state });
        }
    }

    /// The implicit tasks of a region end. What they have set stays set, and nobody owns it: a later region may have the same home.
    pub(super) fn disown_locks(&mut self, home: u64) {
        let of_region = |task: u64| super::is_in_estate(home, task);
        if self.omp.lock_tasks.values().any(|&task| of_region(task)) {
            self.omp_mut()
                .lock_tasks
                .values_mut()
                .filter(|task| of_region(**task))
                .for_each(|task| *task = 0);
        }
    }

    /// Takes a lock (`wait`), or tries to; gives how often it is held, or 0.
    pub(crate) fn omp_lock(&mut self, t: usize, th: &mut Thread, address: u64) -> Result<(), Stop> {
        let m = self.omp_lock_state(address)?;
        if m.owner.is_some() && !(m.kind == NESTED && self.owns_lock(t, th, address)) {
            self.done(th, 0);
            return Ok(());
        }
        self.take_mutex(t, th, address, m);
        let task = Self::executed(t, th);
        self.omp_mut().lock_tasks.insert(address, task);
        self.done(th, if m.kind == NESTED { (m.count + 1).into() } else { 1 });
        Ok(())
    }

    /// Gives a lock back.
    pub(crate) fn omp_unlock(&mut self, t: usize, th: &mut Thread, address: u64) -> Result<(), Stop> {
        let m = self.omp_lock_state(address)?;
        if m.owner.is_none() || !self.owns_lock(t, th, address) {
            let what = match m.owner {
                None => "that is not set",
                Some(owner) if owner as usize == t => "that another task has set",
                Some(_) => "that another thread holds",
            };
            return Err(Stop::lock_misuse(format!("the thread unsets a lock {what}")));
        }
        if m.count > 1 {
            self.set_mutex(address, MutexState { count: m.count - 1, ..m });
        } else {
            self.drop_mutex(t, th, address, m);
            self.omp_mut().lock_tasks.remove(&address);
        }
        self.done(th, 0);
        Ok(())
    }

    fn omp_lock_state(&self, address: u64) -> Result<MutexState, Stop> {
        match self.sync.get(address).map(|e| &e.kind) {
            Some(&Kind::Mutex { kind, owner, count }) => Ok(MutexState { kind, owner, count }),
            Some(Kind::Destroyed) => Err(Stop::lock_misuse("a lock that was destroyed")),
            _ if address < 1 << 16 => Err(Stop::defect(DefectKind::NullPointer, "a lock at a null pointer")),
            _ => Err(Stop::lock_misuse("a lock that was never initialised")),
        }
    }
}

impl Call<'_, '_> {
    /// Comes to a synchronisation operation, and performs it at once where nobody else is concerned.
    pub(crate) fn synchronise(&mut self, op: SyncOp, object: u64) -> Result<(), Stop> {
        let pending = Pending::Sync(op, [object, 0, 0, 0]);
        self.th.status = Status::At(pending);
        self.moved = true;
        let machine = &mut *self.machine;
        let local = machine.is_local_for(self.t, self.th, &pending)
            || (machine.alone(self.t) && machine.can_perform(self.t, self.th, &pending));
        if local { machine.complete_local_as(self.t, self.th) } else { Err(Stop::AtSync) }
    }

    /// A lock of the runtime's own, made at its first use.
    pub(crate) fn hidden_lock(&mut self, object: u64) -> u64 {
        if self.machine.sync.get(object).is_none() {
            let kind = Kind::Mutex { kind: 0, owner: None, count: 0 };
            self.machine.set_sync(object, Some(Entry::new(kind)));
        }
        object
    }

    /// The lock under which the reduction at this place of the program is combined in this region.
    pub(crate) fn reduction_lock(&mut self) -> u64 {
        let home = self.machine.seat(self.t, self.th).home;
        if self.machine.region(home).modified {
            return self.hidden_lock(modifier::lock(home));
        }
        let frame = self.th.frames.last().expect("a caller");
        // Two reductions that share a lock by chance are only ordered more than necessary.
        let place = u64::from(frame.func.0) * 31 + u64::from(frame.pc);
        self.hidden_lock(estate(home) + REDUCTIONS + (place & 0xffff) * 4096 + 8)
    }

    /// The reduction lock that the thread took last.
    pub(crate) fn held_reduction_lock(&mut self) -> Result<u64, Stop> {
        let from = estate(self.machine.seat(self.t, self.th).home) + REDUCTIONS;
        let held = self.th.locks.iter().rev().find(|h| h.lock.wrapping_sub(from) < REDUCTIONS);
        held.map(|h| h.lock).ok_or_else(|| Stop::unknown(Openmp::ReductionEnd))
    }

    /// `omp_init_lock` and its kin.
    pub(crate) fn init_lock(&mut self, nested: bool) -> Result<(), Stop> {
        let address = self.arg(0)?;
        let m = &mut *self.machine;
        let len = m.program.module.pointer_bytes.into();
        m.memory.resolve(address, len, true).map_err(|f| m.fault(f, address, len, true))?;
        if let Some(Kind::Mutex { owner: Some(_), .. }) = m.sync.get(address).map(|e| &e.kind) {
            return self.defect(DefectKind::LockMisuse, "a lock that is set is initialised again");
        }
        let kind = Kind::Mutex { kind: if nested { NESTED } else { 0 }, owner: None, count: 0 };
        m.set_sync(address, Some(Entry::new(kind)));
        m.set_variable(address, m.program.module.pointer_bytes, address)?;
        let access = self.access();
        self.machine.record_visible(self.t, self.th, address, 1, true, access);
        Ok(())
    }

    /// `omp_destroy_lock` and its kin.
    pub(crate) fn destroy_lock(&mut self) -> Result<(), Stop> {
        let address = self.arg(0)?;
        let m = self.machine.omp_lock_state(address)?;
        if m.owner.is_some() {
            return self.defect(DefectKind::LockMisuse, "the thread destroys a lock that is set");
        }
        let access = self.access();
        self.machine.record_visible(self.t, self.th, address, 1, true, access);
        self.machine.become_kind(address, Kind::Destroyed);
        self.machine.tell_destroyed(self.t, self.th, address);
        Ok(())
    }
}
