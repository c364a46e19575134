//! POSIX threads and semaphores. The behaviour is in [`crate::sync`]; attributes and keys are models in C.

use base::DefectKind;
use base::reason::Subject;

use super::{BARRIER, Bytes, COND, Call, LocalFn, MUTEX, Native, RW_LOCK, SEMAPHORE, SPIN_LOCK, SyncOp};
use crate::seen::Seen;
use crate::stop::Stop;
use crate::sync::errno::EINVAL;
use crate::sync::table::{Entry, Kind};

pub(super) fn lookup(name: &str) -> Option<Native> {
    use SyncOp as S;
    Some(Native::Sync(match name {
        "pthread_mutex_lock" => S::MutexLock,
        "pthread_mutex_trylock" => S::MutexTry,
        "__rp_mutex_timedlock" => S::MutexTimed,
        "pthread_mutex_unlock" => S::MutexUnlock,
        "pthread_spin_lock" => S::SpinLock,
        "pthread_spin_trylock" => S::SpinTry,
        "pthread_spin_unlock" => S::SpinUnlock,
        "pthread_rwlock_rdlock" => S::ReadLock,
        "pthread_rwlock_tryrdlock" => S::ReadTry,
        "__rp_rwlock_timedrdlock" => S::ReadTimed,
        "pthread_rwlock_wrlock" => S::WriteLock,
        "pthread_rwlock_trywrlock" => S::WriteTry,
        "__rp_rwlock_timedwrlock" => S::WriteTimed,
        "pthread_rwlock_unlock" => S::RwUnlock,
        "pthread_cond_wait" => S::CondWait,
        "__rp_cond_timedwait" => S::CondTimedWait,
        "pthread_cond_signal" => S::CondSignal,
        "pthread_cond_broadcast" => S::CondBroadcast,
        "pthread_barrier_wait" => S::BarrierWait,
        "sem_wait" => S::SemWait,
        "sem_trywait" => S::SemTry,
        "__rp_sem_timedwait" => S::SemTimed,
        "sem_post" => S::SemPost,
        "sem_getvalue" => S::SemGet,
        "pthread_join" => S::Join,
        _ => return local(name).map(Native::Local),
    }))
}

fn local(name: &str) -> Option<LocalFn> {
    Some(match name {
        "pthread_mutex_init" => mutex_init,
        "pthread_spin_init" => spin_init,
        "pthread_rwlock_init" => rwlock_init,
        "pthread_cond_init" => cond_init,
        "pthread_barrier_init" => barrier_init,
        "sem_init" => sem_init,
        "pthread_mutex_destroy" => |c| destroy(c, MUTEX),
        "pthread_spin_destroy" => |c| destroy(c, SPIN_LOCK),
        "pthread_rwlock_destroy" => |c| destroy(c, RW_LOCK),
        "pthread_cond_destroy" => |c| destroy(c, COND),
        "pthread_barrier_destroy" => |c| destroy(c, BARRIER),
        "sem_destroy" => |c| destroy(c, SEMAPHORE),
        "pthread_self" => |c| {
            super::omp::identity(c)?;
            let id = c.t as u64 + 1;
            c.give(id);
            Ok(())
        },
        "pthread_equal" => |c| {
            let same = c.arg(0)? == c.arg(1)?;
            c.give(same.into());
            Ok(())
        },
        "pthread_detach" => |c| {
            let handle = c.arg(0)?;
            let result = c.machine.detach(c.th, c.t, handle)?;
            c.give(result);
            Ok(())
        },
        _ => return None,
    })
}

/// Puts a fresh synchronisation object of so many bytes at the first argument. Initialising is a write to all of them.
fn init(c: &mut Call, kind: Kind, bytes: Bytes) -> Result<(), Stop> {
    let address = c.arg(0)?;
    let machine = &mut *c.machine;
    let bytes = bytes.of(machine.program.module.pointer_bytes.into());
    machine.memory.resolve(address, bytes, true).map_err(|f| machine.fault(f, address, bytes, true))?;
    let busy = match machine.sync.get(address).map(|e| &e.kind) {
        Some(Kind::Mutex { owner, .. }) => owner.is_some(),
        Some(Kind::RwLock { writer, readers }) => writer.is_some() || !readers.is_empty(),
        _ => false,
    };
    if busy {
        return c.defect(DefectKind::LockMisuse, "a lock that is held is initialised again");
    }
    machine.set_sync(address, Some(Entry::new(kind)));
    let access = c.access();
    c.machine.record_visible(c.t, c.th, address, bytes, true, access);
    c.give(0);
    Ok(())
}

/// Attributes are read, if there are any: their first word. The models mark destroyed ones by -1 in it.
fn read_attributes(c: &mut Call) -> Result<Option<Seen>, Stop> {
    let at = c.arg(1)?;
    if at == 0 {
        return Ok(None);
    }
    let access = c.access();
    c.machine.record_visible(c.t, c.th, at, 4, false, access);
    let word = c.machine.see(at, 4)?;
    if word.parts() == (u32::MAX.into(), 0) {
        return Err(Stop::lock_misuse("attributes that were destroyed are used"));
    }
    Ok(Some(word))
}

fn mutex_init(c: &mut Call) -> Result<(), Stop> {
    let kind = match read_attributes(c)? {
        Some(word) => word.bits(3).known(c.machine, Subject::MutexType)? as u8,
        None => 0,
    };
    init(c, Kind::Mutex { kind, owner: None, count: 0 }, MUTEX)
}

fn spin_init(c: &mut Call) -> Result<(), Stop> {
    init(c, Kind::Mutex { kind: 0, owner: None, count: 0 }, SPIN_LOCK)
}

fn rwlock_init(c: &mut Call) -> Result<(), Stop> {
    read_attributes(c)?;
    init(c, Kind::RwLock { writer: None, readers: Vec::new() }, RW_LOCK)
}

fn cond_init(c: &mut Call) -> Result<(), Stop> {
    read_attributes(c)?;
    init(c, Kind::Cond, COND)
}

fn barrier_init(c: &mut Call) -> Result<(), Stop> {
    let count = c.int(2)?;
    if count <= 0 {
        c.give(EINVAL);
        return Ok(());
    }
    read_attributes(c)?;
    init(c, Kind::Barrier { count: count as u32, arrived: Vec::new(), members: Vec::new() }, BARRIER)
}

fn sem_init(c: &mut Call) -> Result<(), Stop> {
    let value = c.int(2)?;
    if value < 0 {
        let result = c.machine.fail_with_errno(c.t, c.th, EINVAL)?;
        c.give(result);
        return Ok(());
    }
    init(c, Kind::Semaphore { value: value as u32 }, SEMAPHORE)
}

/// Destroying is a write to the object; destroying what is in use is a misuse.
fn destroy(c: &mut Call, bytes: Bytes) -> Result<(), Stop> {
    let address = c.arg(0)?;
    let bytes = bytes.of(c.machine.program.module.pointer_bytes.into());
    c.machine.usable(address, "synchronisation object")?;
    let in_use = match c.machine.sync.get(address).map(|e| &e.kind) {
        Some(Kind::Mutex { owner, .. }) if owner.is_some() => Some("a mutex that is locked"),
        Some(Kind::RwLock { writer, readers }) if writer.is_some() || !readers.is_empty() => {
            Some("a read-write lock that is held")
        }
        Some(Kind::Barrier { arrived, .. }) if !arrived.is_empty() => Some("a barrier at which threads wait"),
        Some(Kind::Cond) if !c.machine.waiters(address).is_empty() => {
            Some("a condition variable on which threads wait")
        }
        Some(Kind::Semaphore { .. }) if c.machine.is_waited_for(address) => {
            Some("a semaphore on which threads wait")
        }
        _ => None,
    };
    if let Some(what) = in_use {
        return c.defect(DefectKind::LockMisuse, format!("the thread destroys {what}"));
    }
    let access = c.access();
    c.machine.record_visible(c.t, c.th, address, bytes, true, access);
    c.machine.become_kind(address, Kind::Destroyed);
    c.machine.tell_destroyed(c.t, c.th, address);
    // Its contents mean nothing any more, until somebody initialises it again.
    if let Ok(spot) = c.machine.memory.resolve(address, 4, true) {
        c.machine.memory.edit(spot, 4).1.fill(0xff);
    }
    c.give(0);
    Ok(())
}
