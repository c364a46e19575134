//! Synchronisation: which operations a thread can perform, how many ways there are, and performing one.
//!
//! *Local* operations need no scheduling decision, because no other thread's operation can enable, disable or be told
//! apart from them: joining a thread that has ended, leaving a barrier, and (unless more threads use a barrier than it
//! takes) arriving at one. All others are decided by the search.

pub mod barrier;
pub mod cond;
pub mod futex;
pub mod mutex;
pub mod once;
pub mod rwlock;
pub mod semaphore;
pub mod table;
pub mod threads;

use crate::memory::object::Life;
use crate::native::{MUTEX, SyncOp};
use crate::observe::{Edge, Question, Work};
use crate::state::Machine;
use crate::stop::Stop;
use crate::sync::table::{Entry, Kind};
use crate::thread::{Pending, Status, Thread};
use base::reason::{Subject, Used};

/// How a thread can go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alternatives {
    /// In how many ways; 0 if it is blocked.
    pub count: u32,
    /// The only way does not save the program from a deadlock: a spurious wake-up, or a reader that overtakes a waiting
    /// writer, which POSIX lets implementations forbid.
    pub spurious: bool,
}

impl Alternatives {
    pub(crate) const NONE: Alternatives = Alternatives { count: 0, spurious: false };
    pub(crate) const ONE: Alternatives = Alternatives { count: 1, spurious: false };

    pub(crate) fn when(enabled: bool) -> Alternatives {
        if enabled { Alternatives::ONE } else { Alternatives::NONE }
    }
}

/// Error numbers of Linux that synchronisation functions return.
pub(crate) mod errno {
    pub const EPERM: u64 = 1;
    pub const EAGAIN: u64 = 11;
    pub const EBUSY: u64 = 16;
    pub const EINVAL: u64 = 22;
    pub const EDEADLK: u64 = 35;
    pub const EOVERFLOW: u64 = 75;
    pub const ETIMEDOUT: u64 = 110;
}

impl<'p> Machine<'p> {
    /// How thread `t`, which stands before a synchronisation operation, can go on.
    pub fn alternatives(&self, t: usize) -> Alternatives {
        if self.exited.is_some() || self.holder.is_some_and(|h| h as usize != t) {
            return Alternatives::NONE;
        }
        match &self.threads[t].status {
            Status::At(pending) => self.alternatives_of(t, &self.threads[t], pending),
            _ => Alternatives::NONE,
        }
    }

    fn alternatives_of(&self, t: usize, th: &Thread, pending: &Pending) -> Alternatives {
        match *pending {
            Pending::Atomic => Alternatives { count: self.atomic_alternatives(th), spurious: false },
            Pending::Spin | Pending::Exit(_) => Alternatives::ONE,
            Pending::AtBarrier(_) | Pending::Stuck => Alternatives::NONE,
            Pending::Omp(wait) => self.omp_alternatives(th, wait),
            Pending::Futex { woken, .. } => Alternatives { count: 1, spurious: !woken },
            Pending::Wake { mutex, timed, signalled, .. } => {
                self.wake_alternatives(t, mutex, timed, signalled)
            }
            Pending::Sync(op, args) => self.sync_alternatives(t, th, op, args),
        }
    }

    fn sync_alternatives(&self, t: usize, th: &Thread, op: SyncOp, args: [u64; 4]) -> Alternatives {
        use SyncOp as S;
        match op {
            S::MutexLock | S::SpinLock => Alternatives::when(self.mutex_available(t, args[0])),
            S::ReadLock => self.read_alternatives(t, args[0]),
            S::ReadTry | S::ReadTimed => {
                let refused = self.read_available(args[0]) && self.overtakes(t, args[0]);
                Alternatives { count: 1 + u32::from(refused), spurious: false }
            }
            S::WriteLock => Alternatives::when(self.write_available(args[0])),
            S::SemWait => Alternatives::when(self.semaphore_value(args[0]) != Some(0)),
            S::Join => Alternatives::when(self.join_ready(args[0])),
            S::OnceEnter => Alternatives::when(self.once_available(args[0])),
            S::CondSignal => {
                Alternatives { count: self.waiters(args[0]).len().max(1) as u32, spurious: false }
            }
            S::FutexWake => Alternatives { count: self.futex_choices(args[0], args[1]), spurious: false },
            S::OmpLock => Alternatives::when(self.omp_lock_available(t, th, args[0])),
            S::AtomicBegin | S::SectionBegin => {
                Alternatives::when(self.holder.is_none() || self.holder == Some(t as u32))
            }
            S::MutexTry
            | S::SpinTry
            | S::SpinUnlock
            | S::MutexTimed
            | S::MutexUnlock
            | S::WriteTry
            | S::WriteTimed
            | S::RwUnlock
            | S::CondWait
            | S::CondTimedWait
            | S::CondBroadcast
            | S::BarrierWait
            | S::SemPost
            | S::SemTry
            | S::SemTimed
            | S::SemGet
            | S::OnceLeave
            | S::OnceAbandon
            | S::AtomicEnd
            | S::SectionEnd
            | S::FutexWait
            | S::OmpTest
            | S::OmpUnlock
            | S::Exit => {
                let _ = th;
                Alternatives::ONE
            }
        }
    }

    /// Whether a pending operation of `t` is local.
    pub(crate) fn is_local_operation(&self, t: usize, pending: &Pending) -> bool {
        self.is_local_for(t, &self.threads[t], pending)
    }

    pub(crate) fn is_local_for(&self, _t: usize, th: &Thread, pending: &Pending) -> bool {
        match *pending {
            Pending::Omp(wait) => self.omp_is_local(th, wait),
            Pending::Sync(SyncOp::Join, args) => self.join_ready(args[0]),
            Pending::Sync(SyncOp::BarrierWait, _) => !self.mode.branch_barriers,
            _ => false,
        }
    }

    pub(crate) fn can_perform(&self, t: usize, th: &Thread, pending: &Pending) -> bool {
        let a = self.alternatives_of(t, th, pending);
        a.count == 1 && !a.spurious && !matches!(pending, Pending::Sync(SyncOp::Exit, _))
    }

    /// Performs the local operation before which a thread stands, if it does.
    pub(crate) fn complete_local(&mut self, t: usize, th: &mut Thread) -> Result<(), Stop> {
        match th.status {
            Status::At(_) => self.complete_local_as(t, th),
            _ => Ok(()),
        }
    }

    /// Performs the operation before which a thread stands, as part of its run.
    pub(crate) fn complete_local_as(&mut self, t: usize, th: &mut Thread) -> Result<(), Stop> {
        let Status::At(pending) = th.status else { return Ok(()) };
        self.perform_pending(t, th, pending, 0)?;
        match th.status {
            Status::At(_) => Err(Stop::AtSync),
            Status::Ended => Err(Stop::Ended),
            Status::Parked => Err(Stop::AtSync),
            Status::Ready => Ok(()),
        }
    }

    /// Performs the operation before which thread `t` stands, in the given one of its [`Machine::alternatives`].
    /// Afterwards the thread is ready, or waits for something else.
    pub fn perform(&mut self, t: usize, alternative: u32) -> Result<(), Stop> {
        self.question = Question::Value;
        self.asks_input = false;
        self.save_thread(t);
        let mut th = std::mem::take(&mut self.threads[t]);
        th.touched = true;
        let result = match th.status {
            Status::At(pending) => {
                let result = self.perform_pending(t, &mut th, pending, alternative);
                // P1: a synchronisation operation empties the thread's history, unless somebody could notice it without
                // being ordered after it.
                if !self.program.weak && pending != Pending::Spin {
                    th.history.clear();
                }
                result
            }
            _ => Ok(()),
        };
        let result = match result {
            Err(Stop::Needs(_)) => Err(self.open(Subject::Operation, (0, 0))),
            result => result,
        };
        if let Err(stop) = &result
            && stop.is_final()
        {
            th.status = Status::At(Pending::Stuck);
        }
        self.threads[t] = th;
        result
    }

    fn perform_pending(
        &mut self,
        t: usize,
        th: &mut Thread,
        pending: Pending,
        alternative: u32,
    ) -> Result<(), Stop> {
        if th.omp.combining.is_some() {
            self.operate_in_combiner(th, &pending);
        }
        self.notice_pending(t, th, &pending);
        self.notice_order(th);
        match pending {
            Pending::Atomic => self.perform_atomic(t, th, alternative),
            Pending::Spin => {
                th.status = Status::Ready;
                Ok(())
            }
            Pending::Exit(code) => {
                self.set_exited(code);
                Ok(())
            }
            Pending::AtBarrier(_) | Pending::Stuck => Ok(()),
            Pending::Omp(wait) => self.perform_omp(t, th, wait, alternative),
            Pending::Futex { woken, .. } => {
                if woken {
                    self.acquire(t, th, futex::address_of(&pending));
                }
                self.done(th, 0);
                Ok(())
            }
            Pending::Wake { cond, mutex, count, timed, signalled } => {
                let timeout = timed && alternative == 1;
                self.wake(t, th, cond, mutex, count, signalled, timeout)
            }
            Pending::Sync(op, args) => self.perform_sync(t, th, op, args, alternative),
        }
    }

    fn perform_sync(
        &mut self,
        t: usize,
        th: &mut Thread,
        op: SyncOp,
        args: [u64; 4],
        alternative: u32,
    ) -> Result<(), Stop> {
        use SyncOp as S;
        let a = args[0];
        let pointer = u64::from(self.program.module.pointer_bytes);
        self.touch_object(t, th, a, op.object_bytes(pointer))?;
        let others = self.threads.iter().enumerate().filter(|(u, _)| *u != t);
        // What a program initialises before it has threads, or between regions, comes first in every schedule.
        let alone = || others.map(|(_, other)| other).all(|other| other.status == Status::Parked);
        if let Some(what) = steered(op)
            && !(matches!(op, S::OnceEnter | S::OnceLeave) && alone())
        {
            self.tell(t, th, &Work::Steered(what));
        }
        if matches!(op, S::CondWait | S::CondTimedWait) {
            self.touch_object(t, th, args[1], MUTEX.of(pointer))?;
        }
        match op {
            S::MutexLock | S::SpinLock => self.mutex_lock(t, th, a),
            S::MutexTry | S::SpinTry => self.mutex_try(t, th, a, errno::EBUSY),
            S::MutexTimed => self.mutex_try(t, th, a, errno::ETIMEDOUT),
            S::MutexUnlock | S::SpinUnlock => self.mutex_unlock(t, th, a),
            S::ReadLock => self.read_lock(t, th, a, None),
            S::ReadTry | S::ReadTimed => {
                let busy = if op == S::ReadTry { errno::EBUSY } else { errno::ETIMEDOUT };
                match alternative {
                    0 => self.read_lock(t, th, a, Some(busy)),
                    _ => self.read_refused(th, a, busy),
                }
            }
            S::WriteLock => self.write_lock(t, th, a, None),
            S::WriteTry => self.write_lock(t, th, a, Some(errno::EBUSY)),
            S::WriteTimed => self.write_lock(t, th, a, Some(errno::ETIMEDOUT)),
            S::RwUnlock => self.rw_unlock(t, th, a),
            S::CondWait => self.cond_wait(t, th, a, args[1], false),
            S::CondTimedWait => self.cond_wait(t, th, a, args[1], true),
            S::CondSignal => self.cond_signal(t, th, a, Some(alternative)),
            S::CondBroadcast => self.cond_signal(t, th, a, None),
            S::BarrierWait => self.barrier_wait(t, th, a),
            S::SemWait | S::SemTry | S::SemTimed => self.semaphore_wait(t, th, a, op),
            S::SemPost => self.semaphore_post(t, th, a),
            S::SemGet => self.semaphore_get(t, th, a, args[1]),
            S::Join => self.join(t, th, a, args[1]),
            S::OnceEnter => self.once_enter(t, th, a),
            S::OnceLeave => self.once_leave(t, th, a, true),
            S::OnceAbandon => self.once_leave(t, th, a, false),
            S::AtomicBegin | S::SectionBegin if self.holder == Some(t as u32) => {
                th.nested += 1;
                self.done(th, 0);
                Ok(())
            }
            S::AtomicEnd | S::SectionEnd if th.nested > 0 => {
                th.nested -= 1;
                self.done(th, 0);
                Ok(())
            }
            S::AtomicBegin => {
                self.acquire(t, th, ATOMIC_SECTION);
                self.set_holder(Some(t as u32));
                self.done(th, 0);
                Ok(())
            }
            S::AtomicEnd => {
                if self.holder != Some(t as u32) {
                    return Err(Stop::lock_misuse("the end of an atomic section that was not begun"));
                }
                self.release(t, th, ATOMIC_SECTION, Kind::Atomic);
                self.set_holder(None);
                self.done(th, 0);
                Ok(())
            }
            // Nobody comes in between, and nobody is ordered by it.
            S::SectionBegin | S::SectionEnd => {
                self.set_holder((op == S::SectionBegin).then_some(t as u32));
                self.done(th, 0);
                Ok(())
            }
            S::OmpLock | S::OmpTest => self.omp_lock(t, th, a),
            S::OmpUnlock => self.omp_unlock(t, th, a),
            S::FutexWait => self.futex_wait(th, a, args[1]),
            S::FutexWake => self.futex_wake(t, th, a, args[1], alternative),
            S::Exit => {
                th.status = Status::At(Pending::Exit(a as u32 as i32));
                self.set_exited(a as u32 as i32);
                Ok(())
            }
        }
    }

    // ---- what the families share ----

    /// Using a synchronisation object changes all of its bytes at once: that races with whatever else is done to them.
    pub(crate) fn touch_object(
        &mut self,
        t: usize,
        th: &mut Thread,
        object: u64,
        bytes: u64,
    ) -> Result<(), Stop> {
        let access = self.native_access(th);
        if bytes != 0 && self.memory.find(object).is_some_and(|(_, _, o)| o.life != Life::Alive) {
            // What follows stops the thread; that it comes behind the end is compared all the same.
            self.record_atomic(t, th, self.memory.home(object), 1, true, access);
        }
        if bytes == 0 || self.see(object, 4).is_err() {
            return Ok(());
        }
        self.memory.resolve(object, bytes, true).map_err(|f| self.fault(f, object, bytes, true))?;
        // What was destroyed and then initialised again by plain stores is a new object.
        let destroyed = self.sync.get(object).is_some_and(|e| e.kind == Kind::Destroyed);
        if destroyed && self.see(object, 4)?.parts().1 == 0 {
            self.set_sync(object, None);
        }
        self.record_atomic(t, th, object, bytes, true, access);
        Ok(())
    }

    /// The function before which the thread stood returns `value`.
    pub(crate) fn done(&mut self, th: &mut Thread, value: u64) {
        th.status = Status::Ready;
        self.finish_call(th, &[(value, 0)]);
    }

    /// The thread learns what the object passes on.
    pub(crate) fn acquire(&mut self, t: usize, th: &mut Thread, object: u64) {
        self.observe(t, th, Edge::Acquire(object));
        let clock = self.sync.get(object).map(|e| e.clock.clone()).unwrap_or_default();
        self.learn(t, th, &clock);
    }

    /// The object passes on what the thread has done, besides what it passed on before, and is now of that kind.
    pub(crate) fn release(&mut self, t: usize, th: &mut Thread, object: u64, kind: Kind) {
        let mut entry = self.sync.get(object).cloned().unwrap_or_else(|| Entry::new(kind.clone()));
        entry.kind = kind;
        entry.clock.join(&th.clock);
        self.set_sync(object, Some(entry));
        self.observe(t, th, Edge::Release(object));
        self.next_epoch(t, th);
    }

    /// Changes what an object is without passing on anything.
    pub(crate) fn become_kind(&mut self, object: u64, kind: Kind) {
        let mut entry = self.sync.get(object).cloned().unwrap_or_else(|| Entry::new(kind.clone()));
        entry.kind = kind;
        self.set_sync(object, Some(entry));
    }

    /// A destroyed object must not be used, nor one in memory that nobody has written.
    pub(crate) fn usable(&self, object: u64, what: &str) -> Result<(), Stop> {
        if object < 1 << 16 {
            return Err(Stop::defect(base::DefectKind::NullPointer, format!("a {what} at a null pointer")));
        }
        match self.sync.get(object).map(|e| &e.kind) {
            Some(Kind::Destroyed) => Err(Stop::lock_misuse(format!("a {what} that was destroyed"))),
            Some(_) => self.see(object, 1).map(|_| ()),
            None => {
                let fresh = self.see(object, 4)?.parts().1 == u64::from(u32::MAX);
                if fresh && self.mode.taint {
                    return Err(Stop::lock_misuse(format!("a {what} that was never initialised")));
                }
                Ok(())
            }
        }
    }
}

/// What an operation waits for whose order the schedule decides, other than a lock.
fn steered(op: SyncOp) -> Option<Used> {
    use SyncOp as S;
    match op {
        S::CondWait | S::CondTimedWait | S::CondSignal | S::CondBroadcast => Some(Used::Condition),
        S::SemWait | S::SemTry | S::SemTimed | S::SemPost | S::SemGet => Some(Used::Semaphore),
        S::OnceEnter | S::OnceLeave | S::OnceAbandon => Some(Used::Once),
        S::FutexWait | S::FutexWake => Some(Used::Futex),
        S::OmpTest
        | S::MutexTry
        | S::SpinTry
        | S::MutexTimed
        | S::ReadTry
        | S::ReadTimed
        | S::WriteTry
        | S::WriteTimed => Some(Used::TryLock),
        S::AtomicBegin | S::AtomicEnd | S::SectionBegin | S::SectionEnd => Some(Used::AtomicSection),
        _ => None,
    }
}

/// The object through which atomic sections order each other.
const ATOMIC_SECTION: u64 = 8;
