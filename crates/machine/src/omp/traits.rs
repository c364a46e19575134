//! What the code of a task can do, as far as the program's text tells.
//!
//! OpenMP 5.2 (12.9) lets a thread execute any task that the scheduling constraint allows at every task scheduling point,
//! the creation of a task among them. Most of these executions show nothing new, and three traits of the code that a task can
//! come to (itself, what it calls, what the tasks that it creates execute) say which:
//!
//! *Quiet* code only computes, touches memory, and creates and waits for tasks. Where no live task of a team is loud (not
//! quiet), executing one at the creation of another is like executing it later: nobody but who waits for its end can see what
//! it has done (or there is a race, which a schedule with both on different threads shows), it takes no lock, and the only waits
//! in it are for its own descendants, which the same thread may execute. So only where a loud task lives is the creation of
//! a task a place at which others are taken.
//!
//! *Spinning* code may wait for what another task does other than by the waits for tasks and by locks. Two iterations of a
//! `taskloop` in one task may then wait for ever where two tasks would not.
//!
//! *Standing* code waits for tasks while its thread cannot resume what lies below it. clang splits an untied task behind its own
//! `taskwait`s: there it leaves the thread. In functions that it calls, and for task groups, it stays.

use ir::{Body, Callee, FuncId, Inst, Module};

use crate::native;

/// It synchronises by other means than tasks, asks which thread it runs on, or calls what is not known.
pub(crate) const LOUD: u8 = 1;
/// It may wait for something that is neither a task nor a lock.
pub(crate) const SPINS: u8 = 2;
/// It may wait for tasks on top of others.
pub(crate) const STANDS: u8 = 4;
const ALL: u8 = LOUD | SPINS | STANDS;

/// The traits of every function, by its number: its own, and those of all that it can come to.
pub(crate) fn all(module: &Module) -> Vec<u8> {
    let bodies = module.funcs.iter().map(|f| f.body.as_ref());
    let mut traits: Vec<u8> = bodies.clone().map(|b| b.map_or(ALL, |b| own(module, b))).collect();
    let next: Vec<Vec<FuncId>> = bodies.map(|b| b.map_or(Vec::new(), |b| followed(module, b))).collect();
    loop {
        let mut changed = false;
        for f in (0..traits.len()).rev() {
            let more = next[f].iter().fold(traits[f], |all, g| all | traits[g.0 as usize]);
            changed |= std::mem::replace(&mut traits[f], more) != more;
        }
        if !changed {
            return traits;
        }
    }
}

/// Whether the call of `taskwait` before which this instruction stands is followed by the end of a part of an untied task.
pub(crate) fn is_split(module: &Module, body: &Body, call: usize) -> bool {
    for inst in body.code.iter().skip(call + 1).take(12) {
        match inst {
            Inst::Call { site } => {
                let Callee::Direct(f) = body.calls[*site as usize].callee else { return false };
                match module.funcs[f.0 as usize].name.as_str() {
                    "__kmpc_global_thread_num" => {}
                    name => return name == "__kmpc_omp_task",
                }
            }
            inst if inst.is_terminator() => return false,
            _ => {}
        }
    }
    false
}

/// The functions that code calls or knows the address of, but for those that are told by their names.
fn followed(module: &Module, body: &Body) -> Vec<FuncId> {
    let known = body.consts.iter().filter_map(|c| match c {
        ir::Const::Func(f) => Some(*f),
        _ => None,
    });
    let called = calls(body).filter_map(|(_, callee)| match callee {
        Callee::Direct(f) => Some(f),
        Callee::Indirect(_) => None,
    });
    let is_followed = |f: &FuncId| {
        let function = &module.funcs[f.0 as usize];
        function.body.is_some() && by_name(&function.name).is_none()
    };
    known.chain(called).filter(is_followed).collect()
}

fn calls(body: &Body) -> impl Iterator<Item = (usize, Callee)> + '_ {
    body.code.iter().enumerate().filter_map(|(at, inst)| match *inst {
        Inst::Call { site } | Inst::Invoke { site, .. } => Some((at, body.calls[site as usize].callee)),
        _ => None,
    })
}

fn own(module: &Module, body: &Body) -> u8 {
    let mut traits = 0;
    for inst in &body.code {
        traits |= match inst {
            Inst::AtomicLoad { .. }
            | Inst::AtomicStore { .. }
            | Inst::AtomicRmw { .. }
            | Inst::CmpXchg { .. }
            | Inst::Fence { .. }
            | Inst::Unsupported { .. } => LOUD | SPINS,
            Inst::ThreadLocal { .. } => LOUD,
            _ => 0,
        };
    }
    for (at, callee) in calls(body) {
        traits |= match callee {
            Callee::Indirect(_) => ALL,
            Callee::Direct(f) => {
                let function = &module.funcs[f.0 as usize];
                match by_name(&function.name) {
                    Some(STANDS) if function.name == "__kmpc_omp_taskwait" && is_split(module, body, at) => 0,
                    Some(known) => known,
                    None if function.body.is_some() => 0,
                    None => ALL,
                }
            }
        };
    }
    traits
}

/// The traits of functions that are known by name, whatever their bodies are.
fn by_name(name: &str) -> Option<u8> {
    if let Some(rest) = name.strip_prefix("__kmpc_") {
        return kmpc(rest);
    }
    Some(match name {
        "__rp_omp_task_copy"
        | "__rp_omp_task_discard"
        | "__rp_omp_group_end"
        | "__rp_omp_point"
        | "__rp_omp_dropped"
        | "__rp_concurrent_begin" => 0,
        _ if name.starts_with("__rp_simd_") => 0,
        "__rp_omp_group_wait" => STANDS,
        "printf" | "puts" | "putchar" | "fprintf" | "malloc" | "calloc" | "realloc" | "free"
        | "__assert_fail" | "abort" => 0,
        "__rp_alloc" | "__rp_dealloc" | "__rp_usable_size" | "__rp_output" | "__rp_defect"
        | "__rp_assume" => 0,
        "omp_set_lock" | "omp_unset_lock" | "omp_set_nest_lock" | "omp_unset_nest_lock" => LOUD,
        _ if name.starts_with("omp_get_") || name.starts_with("omp_in_") => LOUD,
        _ if native::is_math(name) => 0,
        _ => return None,
    })
}

fn kmpc(name: &str) -> Option<u8> {
    Some(match name {
        "global_thread_num"
        | "omp_task_alloc"
        | "omp_task_alloc_mergeable"
        | "omp_target_task_alloc"
        | "omp_task"
        | "omp_task_parts"
        | "omp_task_with_deps"
        | "omp_task_begin_if0"
        | "omp_task_complete_if0"
        | "omp_taskyield"
        | "taskgroup" => 0,
        "omp_taskwait"
        | "omp_wait_deps"
        | "omp_taskwait_deps_51"
        | "end_taskgroup"
        | "taskloop"
        | "taskloop_5" => STANDS,
        "critical"
        | "critical_with_hint"
        | "end_critical"
        | "task_reduction_get_th_data"
        | "taskred_init"
        | "taskred_modifier_init"
        | "task_reduction_modifier_fini" => LOUD,
        _ if name.starts_with("for_static") || name.starts_with("dispatch_") => LOUD,
        "fork_call"
        | "push_num_threads"
        | "serialized_parallel"
        | "end_serialized_parallel"
        | "barrier"
        | "single"
        | "end_single"
        | "master"
        | "end_master"
        | "masked"
        | "end_masked"
        | "reduce"
        | "reduce_nowait"
        | "end_reduce"
        | "end_reduce_nowait" => LOUD,
        _ => return None,
    })
}
