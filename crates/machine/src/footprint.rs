//! What the operation before which a thread stands has to do with the operations of others.
//!
//! Two operations of different threads can be exchanged if no key of one conflicts with a key of the other: then neither
//! enables, disables or changes the other, and no happens-before edge depends on their order. An operation that is not
//! listed here conflicts with everything, so that a new kind of operation is explored in all orders until somebody says
//! what it touches.

use ir::Inst;

use crate::native::{COND, MUTEX, SyncOp};
use crate::omp::OmpWait;
use crate::state::Machine;
use crate::sync::table::Kind;
use crate::thread::{Pending, Status, Thread};

/// Something that operations share: a synchronisation object, an atomic location, or everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(pub u64);

impl Key {
    /// Every operation reads it; the end of the program and atomic sections, which stop all others, write it.
    pub const ALL: Key = Key(3);

    fn object(address: u64) -> Key {
        Key(address << 2)
    }

    fn location(address: u64) -> Key {
        Key(address >> 3 << 2 | 1)
    }

    fn futex(address: u64) -> Key {
        Key(address << 2 | 2)
    }
}

/// How an operation uses a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// It only looks (an atomic load, taking a lock in shared mode).
    Read,
    /// It can notice or change anything.
    Write,
    /// It takes a lock, and waits as long as somebody holds it.
    Acquire,
    /// It notices at once whether a lock is held, or how often a semaphore was posted.
    Try,
    /// It gives back a lock that it holds, or posts.
    Release,
}

impl Class {
    /// Whether operations of two threads that use a key in these ways can be enabled together and do not commute.
    ///
    /// Giving a lock back is never enabled together with taking it by waiting: the holder gives, and who waits is not
    /// enabled as long as there is a holder. Givings back of readers commute with each other and with readers.
    pub fn conflicts(self, other: Class) -> bool {
        use Class as C;
        !matches!(
            (self, other),
            (C::Read, C::Read)
                | (C::Release, C::Release | C::Acquire | C::Read)
                | (C::Acquire | C::Read, C::Release)
        )
    }

    /// Whether everything that conflicts with `other` conflicts with this class.
    pub fn covers(self, other: Class) -> bool {
        use Class as C;
        const ALL: [Class; 5] = [C::Read, C::Write, C::Acquire, C::Try, C::Release];
        ALL.iter().all(|&c| !other.conflicts(c) || self.conflicts(c))
    }
}

impl<'p> Machine<'p> {
    /// What thread `t` would use in performing the operation before which it stands: nothing if it stands before none.
    pub fn footprint(&self, t: usize, out: &mut Vec<(Key, Class)>) {
        let th = &self.threads[t];
        let Status::At(pending) = th.status else { return };
        match pending {
            Pending::Stuck | Pending::AtBarrier(_) => return,
            Pending::Spin => {}
            Pending::Exit(_) => return out.push((Key::ALL, Class::Write)),
            Pending::Atomic => self.atomic_footprint(th, out),
            Pending::Wake { cond, mutex, .. } => {
                out.push((Key::object(mutex), Class::Acquire));
                out.push((Key::object(cond), Class::Write));
            }
            Pending::Futex { address, .. } => out.push((Key::futex(address), Class::Write)),
            Pending::Sync(op, args) => {
                if !self.sync_footprint(op, args, out) {
                    return out.push((Key::ALL, Class::Write));
                }
            }
            // It goes on by itself when the others let it.
            Pending::Omp(OmpWait::Ordered | OmpWait::Sink(_) | OmpWait::Entries) => return,
            // Where there are tasks, it may take one that is not there yet.
            Pending::Omp(OmpWait::Barrier | OmpWait::Join) if !self.program.has_tasks => return,
            #[allow(
                unreachable_patterns,
                reason = "what is new here conflicts with everything until it is listed"
            )]
            _ => return out.push((Key::ALL, Class::Write)),
        }
        out.push((Key::ALL, Class::Read));
    }

    /// The atomic access before which a thread stands: address, size, and whether it writes; `None` if that is not known.
    fn atomic_access(&self, th: &Thread) -> Option<(u64, u64, bool)> {
        let (addr, ty, write) = match self.atomic_inst(th) {
            // One that begins an indivisible update writes as well (see `ir::Update`).
            Inst::AtomicLoad { addr, ty, access, .. } => {
                (addr, ty, self.program.module.accesses[access.0 as usize].update.is_some())
            }
            Inst::AtomicStore { addr, ty, .. } | Inst::AtomicRmw { addr, ty, .. } => (addr, ty, true),
            Inst::CmpXchg { index, .. } => {
                let frame = th.frames.last().expect("a frame");
                let body = self.program.module.funcs[frame.func.0 as usize].body.as_ref().expect("a body");
                let x = body.cmpxchgs[index as usize];
                (x.addr, x.ty, true)
            }
            _ => return None,
        };
        Some((self.operand(th, addr).0, self.bytes_of(ty), write))
    }

    fn atomic_footprint(&self, th: &Thread, out: &mut Vec<(Key, Class)>) {
        let Some((address, len, write)) = self.atomic_access(th) else {
            return out.push((Key::ALL, Class::Write));
        };
        let class = if write { Class::Write } else { Class::Read };
        out.push((Key::location(address), class));
        if len > 8 {
            out.push((Key::location(address.wrapping_add(8)), class));
        }
    }

    /// Whether the atomic access, or the use of a synchronisation object, before which thread `t` stands would race with what others
    /// have done. Such accesses are compared when they are performed and not always remembered, so such a thread must be scheduled
    /// before anything else is, whoever else's operation its own commutes with.
    pub fn is_endangered(&self, t: usize) -> bool {
        let th = &self.threads[t];
        let pointer = u64::from(self.program.module.pointer_bytes);
        let races =
            |address: u64, len: u64, write: bool| len > 0 && self.races_with_history(t, address, len, write);
        match th.status {
            Status::At(Pending::Atomic) => {
                self.atomic_access(th).is_some_and(|(address, len, write)| races(address, len, write))
            }
            Status::At(Pending::Sync(SyncOp::FutexWait, args)) => races(args[0], 4, false),
            Status::At(Pending::Sync(op, args)) => {
                let waits = matches!(op, SyncOp::CondWait | SyncOp::CondTimedWait);
                races(args[0], op.object_bytes(pointer), true)
                    || (waits && races(args[1], MUTEX.of(pointer), true))
            }
            Status::At(Pending::Wake { cond, mutex, signalled, .. }) => {
                races(mutex, MUTEX.of(pointer), true) || (!signalled && races(cond, COND.of(pointer), true))
            }
            _ => false,
        }
    }

    /// What a synchronisation function uses; false if that is not known.
    fn sync_footprint(&self, op: SyncOp, args: [u64; 4], out: &mut Vec<(Key, Class)>) -> bool {
        use SyncOp as S;
        let object = Key::object(args[0]);
        let class = match op {
            S::MutexLock | S::SpinLock | S::WriteLock | S::OmpLock => Class::Acquire,
            S::ReadLock => Class::Read,
            S::OmpTest | S::MutexTry | S::SpinTry | S::MutexTimed | S::WriteTry | S::WriteTimed => Class::Try,
            S::MutexUnlock | S::SpinUnlock | S::RwUnlock | S::OmpUnlock => Class::Release,
            S::SemWait | S::SemTry | S::SemTimed | S::SemGet => Class::Try,
            S::SemPost => Class::Release,
            S::CondSignal | S::CondBroadcast | S::BarrierWait => Class::Write,
            S::CondWait | S::CondTimedWait => {
                out.push((Key::object(args[1]), Class::Release));
                Class::Write
            }
            S::OnceEnter => match self.sync.get(args[0]).map(|e| &e.kind) {
                Some(Kind::Once { done: true, .. }) => Class::Read,
                _ => Class::Acquire,
            },
            S::OnceLeave | S::OnceAbandon => Class::Release,
            S::FutexWait => {
                out.push((Key::location(args[0]), Class::Read));
                out.push((Key::futex(args[0].wrapping_add(2)), Class::Write));
                return true;
            }
            S::FutexWake => {
                out.push((Key::futex(args[0].wrapping_add(2)), Class::Write));
                return true;
            }
            // They notice whether a writer waits, which any step of another thread may lead to.
            S::ReadTry | S::ReadTimed => return false,
            // A join that waits: nobody else's operation can disable it, and its own order is that of the ending.
            S::Join => return true,
            _ => return false,
        };
        out.push((object, class));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::Class as C;

    #[test]
    fn conflicts_are_symmetric_and_covering_fits() {
        let all = [C::Read, C::Write, C::Acquire, C::Try, C::Release];
        for a in all {
            for b in all {
                assert_eq!(a.conflicts(b), b.conflicts(a), "{a:?} {b:?}");
            }
            assert!(a.covers(a) && C::Write.covers(a));
        }
        assert!(C::Acquire.conflicts(C::Acquire) && !C::Acquire.conflicts(C::Release));
        assert!(C::Acquire.covers(C::Read) && !C::Acquire.covers(C::Try) && !C::Release.covers(C::Acquire));
    }
}
