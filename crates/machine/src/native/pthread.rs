//! POSIX threads and semaphores. The behaviour is in [`crate::sync`]; attributes and keys are models in C.

use base::DefectKind;
use base::reason::Subject;

use super::{Call, LocalFn, Native, SyncOp};
use crate::stop::Stop;
use crate::sync::errno::EINVAL;
use crate::sync::table::{Entry, Kind};

pub(super) fn lookup(name: &str) -> Option<Native> {
    use SyncOp as S;
    Some(Native::Sync(match name {
        "pthread_mutex_lock" | "pthread_spin_lock" => S::MutexLock,
        "pthread_mutex_trylock" | "pthread_spin_trylock" => S::MutexTry,
        "__rp_mutex_timedlock" => S::MutexTimed,
        "pthread_mutex_unlock" | "pthread_spin_unlock" => S::MutexUnlock,
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
        "pthread_mutex_destroy"
        | "pthread_spin_destroy"
        | "pthread_rwlock_destroy"
        | "pthread_cond_destroy"
        | "pthread_barrier_destroy"
        | "sem_destroy" => destroy,
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
fn init(c: &mut Call, kind: Kind, bytes: u64) -> Result<(), Stop> {
    let address = c.arg(0)?;
    let machine = &mut *c.machine;
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

/// The size of an object of glibc's, on 64-bit and 32-bit targets.
fn bytes(c: &Call, wide: u64, narrow: u64) -> u64 {
    if c.machine.program.module.pointer_bytes == 8 { wide } else { narrow }
}

/// Attributes are read, if there are any.
fn read_attributes(c: &mut Call) -> Result<(), Stop> {
    let at = c.arg(1)?;
    if at != 0 {
        let access = c.access();
        // What they say makes no difference here.
        let _ = c.machine.see(at, 4)?;
        c.machine.record_visible(c.t, c.th, at, 4, false, access);
    }
    Ok(())
}

fn mutex_init(c: &mut Call) -> Result<(), Stop> {
    let attributes = c.arg(1)?;
    let kind = match attributes {
        0 => 0,
        at => {
            let access = c.access();
            c.machine.record_visible(c.t, c.th, at, 4, false, access);
            c.machine.see(at, 4)?.bits(3).known(c.machine, Subject::MutexType)? as u8
        }
    };
    let bytes = bytes(c, 40, 24);
    init(c, Kind::Mutex { kind, owner: None, count: 0 }, bytes)
}

fn spin_init(c: &mut Call) -> Result<(), Stop> {
    init(c, Kind::Mutex { kind: 0, owner: None, count: 0 }, 4)
}

fn rwlock_init(c: &mut Call) -> Result<(), Stop> {
    read_attributes(c)?;
    let bytes = bytes(c, 56, 32);
    init(c, Kind::RwLock { writer: None, readers: Vec::new() }, bytes)
}

fn cond_init(c: &mut Call) -> Result<(), Stop> {
    read_attributes(c)?;
    init(c, Kind::Cond, 48)
}

fn barrier_init(c: &mut Call) -> Result<(), Stop> {
    let count = c.int(2)?;
    if count <= 0 {
        c.give(EINVAL);
        return Ok(());
    }
    read_attributes(c)?;
    let bytes = bytes(c, 32, 20);
    init(c, Kind::Barrier { count: count as u32, arrived: Vec::new(), members: Vec::new() }, bytes)
}

fn sem_init(c: &mut Call) -> Result<(), Stop> {
    let value = c.int(2)?;
    if value < 0 {
        let result = c.machine.fail_with_errno(c.t, c.th, EINVAL)?;
        c.give(result);
        return Ok(());
    }
    let bytes = bytes(c, 32, 16);
    init(c, Kind::Semaphore { value: value as u32 }, bytes)
}

/// Destroying is a write to the object; destroying what is in use is a misuse.
fn destroy(c: &mut Call) -> Result<(), Stop> {
    let address = c.arg(0)?;
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
    c.machine.record_visible(c.t, c.th, address, 1, true, access);
    c.machine.become_kind(address, Kind::Destroyed);
    c.machine.tell_destroyed(c.t, c.th, address);
    // Its contents mean nothing any more, until somebody initialises it again.
    if let Ok(spot) = c.machine.memory.resolve(address, 4, true) {
        c.machine.memory.edit(spot, 4).1.fill(0xff);
    }
    c.give(0);
    Ok(())
}
