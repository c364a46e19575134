//! What people call things: objects, locks, threads, operations.

use base::{Frame, Place, ThreadLabel};
use ir::{AccessId, Inst, Module, PlaceId, Variable};
use machine::memory::object::{Object, Origin};
use machine::native::SyncOp;
use machine::omp::OmpWait;
use machine::sync::table::Kind;
use machine::{Machine, Pending, Status, Thread, place_of_access};

/// A place that is not known.
pub fn nowhere() -> Place {
    Place { file: String::new(), line: 0, column: 0 }
}

/// A place for people; [`nowhere`] if it is not known.
pub fn place(module: &Module, id: PlaceId) -> Place {
    module.place(id).unwrap_or_else(nowhere)
}

/// Members whose names begin with an underscore are the library's inner parts, which say nothing to people.
fn without_inner_parts(name: String) -> String {
    match name.find("._") {
        Some(at) => name[..at].to_string(),
        None => name,
    }
}

fn part_of(module: &Module, var: &Variable, offset: u64, len: u64) -> String {
    let part = var.ty.map(|ty| module.part_name(ty, offset, len)).unwrap_or_default();
    without_inner_parts(format!("{}{part}", var.name))
}

/// The variable, element or member that an access to `len` bytes at `address` is about, as memory is now.
pub fn variable(machine: &Machine, address: u64, len: u64, accesses: &[AccessId]) -> String {
    let object = machine.memory.find(address).map(|(_, _, object)| *object);
    variable_in(machine.program.module, object, (address, len), accesses)
}

/// The variable, element or member that an access to an object is about: by object, element and member where the object
/// has a name, else as the source writes the access.
pub fn variable_in(
    module: &Module,
    object: Option<Object>,
    (address, len): (u64, u64),
    accesses: &[AccessId],
) -> String {
    let expr = || {
        let infos = accesses.iter().filter_map(|&a| place_of_access(module, a).1);
        infos.filter_map(|i| i.expr).map(|e| module.str(e).to_string()).next()
    };
    let Some(object) = object else {
        return expr().unwrap_or_else(|| format!("address {address:#x}"));
    };
    let offset = address.wrapping_sub(object.base);
    match object.origin {
        Origin::Global(id) | Origin::ThreadLocal(id) => {
            let global = &module.globals[id.0 as usize];
            match &global.var {
                Some(var) => part_of(module, var, offset, len),
                None => critical(&global.name).or_else(expr).unwrap_or_else(|| global.name.clone()),
            }
        }
        Origin::Local(var) => {
            let var = &module.variables[var.0 as usize];
            if var.name.is_empty() {
                return expr().unwrap_or_else(|| "a temporary".into());
            }
            part_of(module, var, offset, len)
        }
        Origin::Heap(allocated) => {
            let block = module.block_part_name(allocated, object.size, offset, len);
            match (expr(), block) {
                (Some(text), Some(block)) if is_part_of(&text, &block.pointer) => block.full,
                (Some(text), _) => text,
                (None, Some(block)) => block.full,
                (None, None) => {
                    let place = place(module, allocated);
                    format!("heap object from {place} at offset {offset}")
                }
            }
        }
        Origin::Function(id) => module.funcs[id.0 as usize].display.clone(),
        Origin::Internal => expr().unwrap_or_else(|| "an argument".into()),
    }
}

/// Whether an access is written as one to what this pointer points to.
fn is_part_of(text: &str, pointer: &str) -> bool {
    let stars = text.trim_start_matches(['(', '*']);
    stars.strip_prefix(pointer).is_some_and(|rest| {
        rest.is_empty() && text.starts_with('*') || rest.starts_with(['[', ')']) || rest.starts_with("->")
    })
}

/// A lock or another synchronisation object by name, as memory is now.
pub fn sync_object(machine: &Machine, address: u64) -> String {
    let object = machine.memory.find(address).map(|(_, _, object)| *object);
    sync_object_in(machine, address, object)
}

/// A lock or another synchronisation object by name, given the memory object that it is in.
pub fn sync_object_in(machine: &Machine, address: u64, object: Option<Object>) -> String {
    if let Some((lock, team)) = machine.team_lock(address) {
        return format!("{} of team {team}", sync_object(machine, lock));
    }
    if let Some(name) = machine.runtime_object(address) {
        return name.into();
    }
    let wide = machine.program.module.pointer_bytes == 8;
    let len = match machine.sync.get(address).map(|e| &e.kind) {
        Some(Kind::Mutex { .. }) => {
            if wide {
                40
            } else {
                24
            }
        }
        Some(Kind::RwLock { .. }) => {
            if wide {
                56
            } else {
                32
            }
        }
        Some(Kind::Cond) => 48,
        Some(Kind::Barrier { .. }) => {
            if wide {
                32
            } else {
                20
            }
        }
        Some(Kind::Semaphore { .. }) => {
            if wide {
                32
            } else {
                16
            }
        }
        _ => 4,
    };
    let room = object.map_or(len, |o| (o.base + o.size).saturating_sub(address));
    variable_in(machine.program.module, object, (address, len.min(room.max(1))), &[])
}

/// What a thread with these numbers in its teams, outermost first, is called: `thread 1 of the team`, `thread 1 of the inner
/// team of thread 0`.
pub fn member(numbers: &[u32]) -> Option<String> {
    let (number, outer) = numbers.split_last()?;
    if outer.is_empty() {
        return Some(format!("thread {number} of the team"));
    }
    let around: Vec<String> = outer.iter().rev().map(|n| format!("thread {n}")).collect();
    Some(format!("thread {number} of the inner team of {}", around.join(" of the team of ")))
}

/// A thread as reports name it.
pub fn thread(module: &Module, t: usize, th: &Thread) -> ThreadLabel {
    if t == 0 {
        return ThreadLabel { id: 0, name: "main".into(), created: None };
    }
    if th.omp.worker {
        let number = th.omp.seats.last().map(|s| s.number);
        let name = number.map_or(format!("thread {t}"), |n| format!("thread {n} of the team"));
        return ThreadLabel { id: t as u32, name, created: None };
    }
    let start = th.start.map(|f| &module.funcs[f.0 as usize]).filter(|f| !f.system);
    let name = match start {
        Some(f) => format!("thread {t} ({})", f.display),
        None => format!("thread {t}"),
    };
    ThreadLabel { id: t as u32, name, created: module.place(th.created) }
}

/// The user's part of a thread's call stack, innermost first; if there is none, all of it.
pub fn stack(module: &Module, th: &Thread) -> Vec<Frame> {
    let frames = |user: bool| -> Vec<Frame> {
        let shown = th.frames.iter().rev().filter(|f| !(user && module.funcs[f.func.0 as usize].system));
        shown
            .map(|f| {
                let function = &module.funcs[f.func.0 as usize];
                let at = function.body.as_ref().map_or(PlaceId::NONE, |b| b.places[f.pc as usize]);
                Frame { function: function.display.clone(), place: place(module, at) }
            })
            .collect()
    };
    let user = frames(true);
    if user.is_empty() { frames(false) } else { user }
}

/// What a thread is about to do, in words.
pub fn action(machine: &Machine, t: usize) -> String {
    let th = &machine.threads[t];
    let object = |address: u64| sync_object(machine, address);
    match th.status {
        Status::Ready => "runs".into(),
        Status::Ended => "has ended".into(),
        Status::Parked => "waits for the next parallel region".into(),
        Status::At(pending) => match pending {
            Pending::Atomic => atomic(machine, th),
            Pending::Spin => "goes round its loop again".into(),
            Pending::Exit(_) => "ends the program".into(),
            Pending::Stuck => "cannot go on".into(),
            Pending::Omp(wait) => runtime_wait(wait),
            Pending::AtBarrier(a) => format!("waits at barrier {}", object(a)),
            Pending::Futex { .. } => "waits on an atomic".into(),
            Pending::Wake { cond, mutex, signalled, .. } => {
                if signalled {
                    format!("wakes up from {} and locks {}", object(cond), object(mutex))
                } else {
                    format!("waits on {} (with {})", object(cond), object(mutex))
                }
            }
            Pending::Sync(op, args) => operation(machine, op, args),
        },
    }
}

fn operation(machine: &Machine, op: SyncOp, args: [u64; 4]) -> String {
    use SyncOp as S;
    let object = sync_object(machine, args[0]);
    match op {
        S::MutexLock | S::SpinLock | S::WriteLock => format!("locks {object}"),
        S::MutexTry | S::SpinTry | S::WriteTry => format!("tries to lock {object}"),
        S::MutexTimed | S::WriteTimed => format!("locks {object} or gives up in time"),
        S::MutexUnlock | S::SpinUnlock | S::RwUnlock => format!("unlocks {object}"),
        S::ReadLock => format!("locks {object} for reading"),
        S::ReadTry => format!("tries to lock {object} for reading"),
        S::ReadTimed => format!("locks {object} for reading or gives up in time"),
        S::CondWait | S::CondTimedWait => format!("waits on {object}"),
        S::CondSignal => format!("signals {object}"),
        S::CondBroadcast => format!("wakes all who wait on {object}"),
        S::BarrierWait => format!("arrives at barrier {object}"),
        S::SemWait => format!("waits on semaphore {object}"),
        S::SemTry => format!("tries semaphore {object}"),
        S::SemTimed => format!("waits on semaphore {object} for some time"),
        S::SemPost => format!("posts semaphore {object}"),
        S::SemGet => format!("asks semaphore {object} for its value"),
        S::Join => format!("joins thread {}", args[0].wrapping_sub(1)),
        S::OnceEnter => format!("enters the one-time initialisation {object}"),
        S::OnceLeave | S::OnceAbandon => format!("leaves the one-time initialisation {object}"),
        S::AtomicBegin | S::SectionBegin => "begins an atomic section".into(),
        S::AtomicEnd | S::SectionEnd => "ends the atomic section".into(),
        S::OmpLock => format!("{} {object}", if is_critical(&object) { "enters" } else { "sets" }),
        S::OmpTest => format!("tries to set {object}"),
        S::OmpUnlock => format!("{} {object}", if is_critical(&object) { "leaves" } else { "unsets" }),
        S::FutexWait => "waits on an atomic".into(),
        S::FutexWake => "wakes those who wait on an atomic".into(),
        S::Exit => "ends the program".into(),
    }
}

/// What a thread waits for in the OpenMP runtime.
fn runtime_wait(wait: OmpWait) -> String {
    match wait {
        OmpWait::Barrier => "waits at a barrier for the other threads of its team",
        OmpWait::Join => "waits at the end of the parallel region for the other threads of its team",
        OmpWait::Ordered => "waits for its turn at an ordered block",
        OmpWait::Entries => "waits for the others to have their copies before it writes the last value back",
        OmpWait::Sink(_) => "waits for an iteration that it depends on",
        OmpWait::Children(_) => "waits for the tasks that it has created",
        OmpWait::Group(_) => "waits for the tasks of its group",
        OmpWait::Task(_) => "waits for the tasks that it depends on",
        OmpWait::Yield => "lets other tasks go first",
        OmpWait::Created => "has created a task",
        OmpWait::Undeferred(_) => "creates a task that is not deferred",
        OmpWait::Team => "waits at a barrier",
        OmpWait::Serial => "waits at the end of the parallel region",
        OmpWait::Program => "waits at the end of the program",
    }
    .into()
}

/// How the names of critical sections begin.
const CRITICAL: &str = "critical section";

fn is_critical(name: &str) -> bool {
    name.starts_with(CRITICAL) || name.starts_with("the reduction")
}

/// What people call the variables that clang makes for critical sections.
fn critical(linkage: &str) -> Option<String> {
    // Two files may have one each; linking numbers them.
    let name = linkage.strip_prefix(".gomp_critical_user_")?.split(".var").next()?;
    Some(if name.is_empty() { format!("{CRITICAL} without a name") } else { format!("{CRITICAL} {name}") })
}

fn atomic(machine: &Machine, th: &Thread) -> String {
    let module = machine.program.module;
    let Some(frame) = th.frames.last() else { return "performs an atomic operation".into() };
    let Some(body) = module.funcs[frame.func.0 as usize].body.as_ref() else {
        return "performs an atomic operation".into();
    };
    let value = |o: ir::Opnd| {
        if o.is_const() {
            machine.program.funcs[frame.func.0 as usize].consts[o.index()]
        } else {
            th.slots[frame.base + o.index()]
        }
    };
    let (verb, addr, ty, access) = match body.code[frame.pc as usize] {
        Inst::AtomicLoad { addr, ty, access, .. } => {
            let begins = module.accesses[access.0 as usize].update.is_some();
            (if begins { "updates" } else { "reads" }, addr, ty, access)
        }
        Inst::AtomicStore { addr, ty, access, .. } => ("writes", addr, ty, access),
        Inst::AtomicRmw { addr, ty, access, .. } => ("updates", addr, ty, access),
        Inst::CmpXchg { index, .. } => {
            let x = &body.cmpxchgs[index as usize];
            ("compares and exchanges", x.addr, x.ty, x.access)
        }
        _ => return "performs an atomic operation".into(),
    };
    let name = variable(machine, value(addr), machine.bytes_of(ty), &[access]);
    format!("atomically {verb} {name}")
}

/// The value of an input, signed unless the function that reads it says otherwise.
pub fn input(module: &ir::Module, th: &machine::Thread, value: u64, bits: u8) -> String {
    let system = |f: &&machine::thread::Frame| module.funcs[f.func.0 as usize].system;
    let reader = th.frames.iter().rev().take_while(system).last();
    let name = reader.map_or("", |f| module.funcs[f.func.0 as usize].display.as_str());
    let kind = name.rsplit("nondet_").next().unwrap_or_default();
    let unsigned = ["u", "U", "size_t", "p", "float", "double"].iter().any(|start| kind.starts_with(start));
    if unsigned {
        return value.to_string();
    }
    let shift = 64 - u32::from(bits.clamp(1, 64));
    ((value << shift) as i64 >> shift).to_string()
}
