//! What people call things: objects, locks, threads, operations.

use base::said::{Action, AtomicOperation, Operation, RuntimeWait, Who};
use base::{Frame, Place, Said, ThreadLabel};
use ir::{AccessId, Inst, Module, PlaceId, Variable};
use machine::memory::layout::Layout;
use machine::memory::object::{Object, Origin};
use machine::native::SyncOp;
use machine::omp::OmpWait;
use machine::omp::lock::is_reduction_lock;
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

/// A thread as reports name it.
pub fn thread(module: &Module, t: usize, th: &Thread) -> ThreadLabel {
    if t == 0 {
        return ThreadLabel { id: 0, name: Said::Typed(Who::Main), created: None };
    }
    let id = t as u32;
    if th.omp.worker {
        let number = th.omp.seats.last().map(|s| s.number);
        let name =
            number.map_or(Who::Thread { number: id, function: None }, |n| Who::Member { numbers: vec![n] });
        return ThreadLabel { id, name: Said::Typed(name), created: None };
    }
    let start = th.start.map(|f| &module.funcs[f.0 as usize]).filter(|f| !f.system);
    let name = Who::Thread { number: id, function: start.map(|f| f.display.clone()) };
    ThreadLabel { id, name: Said::Typed(name), created: module.place(th.created) }
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

/// What a thread is about to do.
pub fn action(machine: &Machine, t: usize) -> Action {
    let th = &machine.threads[t];
    let object = |address: u64| sync_object(machine, address);
    match th.status {
        Status::Ready => Action::Runs,
        Status::Ended => Action::HasEnded,
        Status::Parked => Action::AwaitsRegion,
        Status::At(pending) => match pending {
            Pending::Atomic => Action::Atomic(atomic(machine, th)),
            Pending::Spin => Action::SpinsAgain,
            Pending::Exit(_) => Action::EndsProgram,
            Pending::Stuck => Action::CannotGoOn,
            Pending::Omp(wait) => Action::InRuntime(runtime_wait(wait)),
            Pending::AtBarrier(a) => Action::On(Operation::WaitsAtBarrier, object(a)),
            Pending::Futex { .. } => Action::AwaitsAtomic,
            Pending::Wake { cond, mutex, signalled, .. } => {
                let (condition, mutex) = (object(cond), object(mutex));
                match signalled {
                    true => Action::WakesUp { condition, mutex },
                    false => Action::Waits { condition, mutex },
                }
            }
            Pending::Sync(op, args) => operation(machine, op, args),
        },
    }
}

fn operation(machine: &Machine, op: SyncOp, args: [u64; 4]) -> Action {
    use Operation as O;
    use SyncOp as S;
    let critical = || is_critical(machine, args[0]);
    let operation = match op {
        S::MutexLock | S::SpinLock | S::WriteLock => O::Locks,
        S::MutexTry | S::SpinTry | S::WriteTry => O::TriesToLock,
        S::MutexTimed | S::WriteTimed => O::LocksInTime,
        S::MutexUnlock | S::SpinUnlock | S::RwUnlock => O::Unlocks,
        S::ReadLock => O::LocksForReading,
        S::ReadTry => O::TriesToLockForReading,
        S::ReadTimed => O::LocksForReadingInTime,
        S::CondWait | S::CondTimedWait => O::WaitsOn,
        S::CondSignal => O::Signals,
        S::CondBroadcast => O::WakesAll,
        S::BarrierWait => O::ArrivesAtBarrier,
        S::SemWait => O::WaitsOnSemaphore,
        S::SemTry => O::TriesSemaphore,
        S::SemTimed => O::WaitsOnSemaphoreInTime,
        S::SemPost => O::PostsSemaphore,
        S::SemGet => O::AsksSemaphore,
        S::Join => return Action::Joins(numbered(args[0].wrapping_sub(1) as usize)),
        S::OnceEnter => O::EntersOnce,
        S::OnceLeave | S::OnceAbandon => O::LeavesOnce,
        S::AtomicBegin | S::SectionBegin => return Action::BeginsAtomicSection,
        S::AtomicEnd | S::SectionEnd => return Action::EndsAtomicSection,
        S::OmpLock if critical() => O::Enters,
        S::OmpLock => O::Sets,
        S::OmpTest => O::TriesToSet,
        S::OmpUnlock if critical() => O::Leaves,
        S::OmpUnlock => O::Unsets,
        S::FutexWait => return Action::AwaitsAtomic,
        S::FutexWake => return Action::WakesAtomic,
        S::Exit => return Action::EndsProgram,
    };
    Action::On(operation, sync_object(machine, args[0]))
}

/// A thread by its number alone.
pub fn numbered(t: usize) -> Said<Who> {
    Said::Typed(Who::Thread { number: t as u32, function: None })
}

/// What a thread waits for in the OpenMP runtime.
fn runtime_wait(wait: OmpWait) -> RuntimeWait {
    match wait {
        OmpWait::Barrier => RuntimeWait::Barrier,
        OmpWait::Join => RuntimeWait::Join,
        OmpWait::Ordered => RuntimeWait::Ordered,
        OmpWait::Entries => RuntimeWait::Entries,
        OmpWait::Sink(_) => RuntimeWait::Sink,
        OmpWait::Children(_) => RuntimeWait::Children,
        OmpWait::Group(_) => RuntimeWait::Group,
        OmpWait::Task(_) => RuntimeWait::Task,
        OmpWait::Yield => RuntimeWait::Yield,
        OmpWait::Created => RuntimeWait::Created,
        OmpWait::Undeferred(_) => RuntimeWait::Undeferred,
        OmpWait::Team => RuntimeWait::Team,
        OmpWait::Serial => RuntimeWait::Serial,
        OmpWait::Program => RuntimeWait::Program,
    }
}

/// Whether a lock is that of critical sections or of reductions.
fn is_critical(machine: &Machine, address: u64) -> bool {
    if let Some((lock, _)) = machine.team_lock(address) {
        return is_critical(machine, lock);
    }
    let module = machine.program.module;
    let named = || match machine.memory.find(address).map(|(_, _, object)| object.origin) {
        Some(Origin::Global(id) | Origin::ThreadLocal(id)) => critical(&module.globals[id.0 as usize].name),
        _ => None,
    };
    is_reduction_lock(Layout::new(module.pointer_bytes), address) || named().is_some()
}

/// How the names of critical sections begin.
const CRITICAL: &str = "critical section";

/// What people call the variables that clang makes for critical sections.
fn critical(linkage: &str) -> Option<String> {
    // Two files may have one each; linking numbers them.
    let name = linkage.strip_prefix(".gomp_critical_user_")?.split(".var").next()?;
    Some(if name.is_empty() { format!("{CRITICAL} without a name") } else { format!("{CRITICAL} {name}") })
}

/// The atomic operation that a thread stands before, and its variable.
fn atomic(machine: &Machine, th: &Thread) -> Option<(AtomicOperation, String)> {
    let module = machine.program.module;
    let frame = th.frames.last()?;
    let body = module.funcs[frame.func.0 as usize].body.as_ref()?;
    let value = |o: ir::Opnd| {
        if o.is_const() {
            machine.program.funcs[frame.func.0 as usize].consts[o.index()]
        } else {
            th.slots[frame.base + o.index()]
        }
    };
    let (operation, addr, ty, access) = match body.code[frame.pc as usize] {
        Inst::AtomicLoad { addr, ty, access, .. } => {
            let begins = module.accesses[access.0 as usize].update.is_some();
            (if begins { AtomicOperation::Updates } else { AtomicOperation::Reads }, addr, ty, access)
        }
        Inst::AtomicStore { addr, ty, access, .. } => (AtomicOperation::Writes, addr, ty, access),
        Inst::AtomicRmw { addr, ty, access, .. } => (AtomicOperation::Updates, addr, ty, access),
        Inst::CmpXchg { index, .. } => {
            let x = &body.cmpxchgs[index as usize];
            (AtomicOperation::CompareExchanges, x.addr, x.ty, x.access)
        }
        _ => return None,
    };
    let name = variable(machine, value(addr), machine.bytes_of(ty), &[access]);
    Some((operation, name))
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
