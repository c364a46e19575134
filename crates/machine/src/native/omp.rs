//! OpenMP: what clang's lowering and the user call. The behaviour is in [`crate::omp`].

use super::{Call, LocalFn, Native, SyncOp};
use crate::observe::Work;
use crate::omp::OmpWait;
use crate::omp::task::{MERGEABLE, TARGET};
use crate::state::Machine;
use crate::stop::Stop;
use base::reason::Openmp;

pub(super) fn lookup(name: &str) -> Option<Native> {
    if let Some(rest) = name.strip_prefix("__kmpc_") {
        return kmpc(rest).map(Native::Local);
    }
    if name.starts_with("__tgt_") {
        return target(name).map(Native::Local);
    }
    Some(match name {
        "omp_set_lock" | "omp_set_nest_lock" => Native::Sync(SyncOp::OmpLock),
        "omp_test_lock" | "omp_test_nest_lock" => Native::Sync(SyncOp::OmpTest),
        "omp_unset_lock" | "omp_unset_nest_lock" => Native::Sync(SyncOp::OmpUnlock),
        "__rp_simd_begin" => Native::Local(|c| {
            let safelen = c.arg(0)?;
            c.machine.refuse_undeferred(c.t, c.th)?;
            c.machine.simd_begin(c.th, safelen);
            Ok(())
        }),
        "__rp_concurrent_begin" => Native::Local(|c| {
            let safelen = c.arg(0)?;
            c.machine.refuse_unobserved(c.t, c.th)?;
            if !c.machine.is_in_team(c.th) {
                c.machine.end_persistence();
            }
            c.machine.simd_begin(c.th, safelen);
            Ok(())
        }),
        "__rp_simd_lane" => Native::Local(|c| {
            let iteration = c.arg(0)?;
            c.machine.simd_lane(c.t, c.th, iteration);
            Ok(())
        }),
        // A task scheduling point that clang does not tell of.
        "__rp_omp_point" => Native::Local(|c| match c.machine.is_loud(c.t, c.th) {
            true => Machine::stand(c, OmpWait::Yield),
            false => Ok(()),
        }),
        // Others were dropped by clang: whoever creates tasks looks for this name.
        "__rp_omp_dropped" => Native::Local(|_| Ok(())),
        "__rp_next_piece" => Native::Local(Machine::static_next),
        "__rp_enter" => Native::Local(Machine::enter_construct),
        "__rp_last_begin" => Native::Local(|c| {
            c.machine.begin_last(c.t, c.th);
            Machine::await_entries(c)
        }),
        "__rp_last_end" => Native::Local(|c| {
            c.machine.end_last(c.t, c.th);
            Ok(())
        }),
        "__rp_last_restore" => Native::Local(|c| {
            let address = c.arg(0)?;
            c.machine.restore_last(c.t, c.th, address);
            Ok(())
        }),
        "__rp_last_restore_object" => Native::Local(|c| {
            let address = c.arg(0)?;
            c.machine.restore_object(c.t, c.th, address)
        }),
        "__rp_omp_not_alone" => Native::Local(|c| match c.machine.seat(c.t, c.th).size {
            1 => Err(Stop::unknown(Openmp::ConcurrentReductionAlone)),
            _ => Ok(()),
        }),
        "__rp_omp_alone" => Native::Local(|c| match c.machine.seat(c.t, c.th).size {
            1 => Ok(()),
            _ => Err(Stop::unknown(Openmp::InitializerOriginal)),
        }),
        "__rp_simd_end" => Native::Local(|c| {
            c.machine.simd_end(c.t, c.th);
            Ok(())
        }),
        "__rp_simd_ordered" => Native::Local(|c| {
            c.machine.simd_ordered(c.t, c.th, true);
            Ok(())
        }),
        "__rp_simd_end_ordered" => Native::Local(|c| {
            c.machine.simd_ordered(c.t, c.th, false);
            Ok(())
        }),
        "__rp_omp_put" => Native::Local(|c| {
            let data = c.arg(0)?;
            let home = c.machine.seat(c.t, c.th).home;
            c.machine.region_mut(home).copied = data;
            Ok(())
        }),
        "__rp_omp_task_copy" => Native::Local(Machine::task_copy),
        "__rp_omp_finest" => Native::Local(Machine::split_begins),
        "__rp_omp_split" => Native::Local(Machine::split),
        "__rp_omp_task_discard" => Native::Local(|c| {
            let task = c.arg(0)?;
            c.machine.task_discard(c.t, c.th, task)
        }),
        "__rp_omp_group_wait" => Native::Local(|c| match c.machine.own_group(c.t, c.th) {
            Some(group) => Machine::stand(c, OmpWait::Group(group)),
            None => Err(Stop::unknown(Openmp::GroupEnd)),
        }),
        "__rp_omp_group_end" => Native::Local(|c| {
            c.machine.end_group(c.t, c.th);
            Ok(())
        }),
        "__rp_omp_group_own" => Native::Local(|c| {
            let group = c.machine.own_group(c.t, c.th).unwrap_or(0);
            let data = c.machine.omp.groups.get(&group).map_or(0, |g| g.data);
            c.give(data);
            Ok(())
        }),
        "__rp_omp_group_get" => Native::Local(|c| {
            let data = c.machine.group_data(c.t, c.th);
            c.give(data);
            Ok(())
        }),
        "__rp_omp_group_put" => Native::Local(|c| {
            let data = c.arg(0)?;
            c.machine.set_group_data(c.t, c.th, data);
            Ok(())
        }),
        "__rp_omp_task_copies" => Native::Local(|c| {
            c.give(c.machine.task_copies.into());
            Ok(())
        }),
        "__rp_omp_modifier_begin" => Native::Local(|c| c.begin_modifier()),
        "__rp_omp_modifier_find" => Native::Local(|c| c.find_modifier()),
        "__rp_omp_modifier_end" => Native::Local(|c| {
            c.end_modifier();
            Ok(())
        }),
        "__rp_omp_reduce" => Native::Local(reduce),
        "__rp_omp_end_reduce" => Native::Local(end_reduce),
        "__rp_omp_copy" => Native::Local(|c| {
            let key = copy_key(c)?;
            let copy = c.machine.omp.copies.get(&key).copied().unwrap_or(0);
            c.give(copy);
            Ok(())
        }),
        "__rp_omp_copy_put" => Native::Local(|c| {
            let (key, address) = (copy_key(c)?, c.arg(2)?);
            c.machine.omp_mut().copies.insert(key, address);
            let item = key.0 ^ key.1 << 48;
            c.machine.tell(c.t, c.th, &Work::Copy { item, address });
            Ok(())
        }),
        "__rp_omp_copy_holds" => Native::Local(|c| {
            let (reduction, item, data, size) = (c.arg(0)?, c.arg(1)?, c.arg(2)?, c.arg(3)?);
            let of_item = (reduction, item, 0)..=(reduction, item, u32::MAX);
            let mut copies = c.machine.omp.copies.range(of_item);
            let holds = copies.any(|(_, &copy)| data.wrapping_sub(copy) < size);
            c.give(holds.into());
            Ok(())
        }),
        "__rp_omp_copy_take" => Native::Local(|c| {
            let (reduction, item) = (c.arg(0)?, c.arg(1)?);
            let of_item = (reduction, item, 0)..=(reduction, item, u32::MAX);
            let first = c.machine.omp.copies.range(of_item).next().map(|(&key, &copy)| (key, copy));
            if let Some((key, _)) = first {
                c.machine.omp_mut().copies.remove(&key);
            }
            c.give(first.map_or(0, |f| f.1));
            Ok(())
        }),
        "__rp_omp_number" => Native::Local(|c| {
            identity(c)?;
            let number = c.machine.seat(c.t, c.th).number;
            c.give(number.into());
            Ok(())
        }),
        "__rp_omp_size" => Native::Local(|c| {
            c.machine.program.note_size();
            let size = c.machine.seat(c.t, c.th).size;
            c.give(size.into());
            Ok(())
        }),
        "__rp_omp_get" => Native::Local(|c| {
            let home = c.machine.seat(c.t, c.th).home;
            let data = c.machine.region(home).copied;
            c.give(data);
            Ok(())
        }),
        _ => Native::Local(super::omp_api::lookup(name)?),
    })
}

fn kmpc(name: &str) -> Option<LocalFn> {
    Some(match name {
        "begin" | "end" => |_| Ok(()),
        "push_proc_bind" => |c| {
            c.th.omp.policy = c.int(2)? as u32;
            Ok(())
        },
        "global_thread_num" | "bound_thread_num" | "global_num_threads" | "bound_num_threads" => |c| {
            let id = c.t as u64;
            c.give(id);
            Ok(())
        },
        "fork_call" => fork_call,
        "fork_call_if" => fork_call_if,
        "push_num_threads" => |c| {
            let n = c.int(2)?;
            c.th.omp.threads = (n > 0).then_some(n as u32);
            Ok(())
        },
        "serialized_parallel" => |c| c.machine.begin_serial(c.t, c.th),
        "end_serialized_parallel" => Machine::serial_ends,
        "barrier" | "barrier_simple_spmd" | "barrier_simple_generic" | "cancel_barrier" => barrier,
        // Nothing is cancelled before somebody cancels.
        "cancellationpoint" => |c| {
            c.give(0);
            Ok(())
        },
        "cancel" => |c| {
            if c.machine.program.openmp.cancellation {
                return Err(Stop::unknown(Openmp::Cancel));
            }
            c.give(0);
            Ok(())
        },
        "push_num_teams" => |c| {
            let (teams, limit) = (c.int(2)?.max(0) as u32, c.int(3)?.max(0) as u32);
            c.th.omp.teams = Some((teams, limit));
            Ok(())
        },
        "push_num_teams_51" => |c| {
            let (upper, limit) = (c.int(3)?.max(0) as u32, c.int(4)?.max(0) as u32);
            c.th.omp.teams = Some((upper, limit));
            Ok(())
        },
        "set_thread_limit" => |c| {
            let limit = c.int(2)?;
            if limit > 0 {
                super::omp_api::change(c, |icv| icv.limit = icv.limit.min(limit as u32));
            }
            Ok(())
        },
        "fork_teams" => fork_teams,
        "for_static_init_4" => |c| Machine::static_init(c, 4, true),
        "for_static_init_4u" => |c| Machine::static_init(c, 4, false),
        "for_static_init_8" => |c| Machine::static_init(c, 8, true),
        "for_static_init_8u" => |c| Machine::static_init(c, 8, false),
        "for_static_fini" | "distribute_static_fini" => Machine::static_fini,
        "distribute_static_init_4" => |c| Machine::static_init(c, 4, true),
        "distribute_static_init_4u" => |c| Machine::static_init(c, 4, false),
        "distribute_static_init_8" => |c| Machine::static_init(c, 8, true),
        "distribute_static_init_8u" => |c| Machine::static_init(c, 8, false),
        "dispatch_init_4" => |c| Machine::dispatch_init(c, 4, true),
        "dispatch_init_4u" => |c| Machine::dispatch_init(c, 4, false),
        "dispatch_init_8" => |c| Machine::dispatch_init(c, 8, true),
        "dispatch_init_8u" => |c| Machine::dispatch_init(c, 8, false),
        "dispatch_next_4" | "dispatch_next_4u" => |c| Machine::dispatch_next(c, 4),
        "dispatch_next_8" | "dispatch_next_8u" => |c| Machine::dispatch_next(c, 8),
        "dispatch_fini_4" | "dispatch_fini_4u" | "dispatch_fini_8" | "dispatch_fini_8u" => |c| {
            c.machine.dispatch_fini(c.t, c.th);
            Ok(())
        },
        "dispatch_deinit" => |c| {
            c.machine.dispatch_deinit(c.t, c.th);
            Ok(())
        },
        "single" => |c| {
            if c.machine.is_team_of_one(c.t, c.th) {
                c.give(1);
                return Ok(());
            }
            let mine = c.machine.single(c.t, c.th)?;
            c.give(mine.into());
            Ok(())
        },
        "end_single" => |c| {
            if !c.machine.is_team_of_one(c.t, c.th) {
                c.machine.end_single(c.t, c.th);
            }
            Ok(())
        },
        "master" => |c| {
            is_first(c)?;
            let mine = c.machine.seat(c.t, c.th).number == 0 || c.machine.is_team_of_one(c.t, c.th);
            c.give(mine.into());
            Ok(())
        },
        "masked" => |c| {
            let filter = c.int(2)?;
            if filter == 0 {
                is_first(c)?
            } else {
                identity(c)?
            }
            let mine = c.machine.seat(c.t, c.th).number as i32 == filter;
            c.give(mine.into());
            Ok(())
        },
        "end_master" | "end_masked" => |_| Ok(()),
        "critical" | "critical_with_hint" => |c| {
            let lock = c.arg(2)?;
            let lock = c.machine.critical_lock(c.th, lock);
            let lock = c.hidden_lock(lock);
            c.synchronise(SyncOp::OmpLock, lock)
        },
        "end_critical" => |c| {
            let lock = c.arg(2)?;
            let lock = c.machine.critical_lock(c.th, lock);
            c.synchronise(SyncOp::OmpUnlock, lock)
        },
        "reduce" | "reduce_nowait" => reduce,
        "end_reduce" | "end_reduce_nowait" => end_reduce,
        "ordered" => Machine::ordered,
        "end_ordered" => |c| {
            c.machine.end_ordered(c.t, c.th);
            Ok(())
        },
        "flush" => |c| {
            c.machine.fence(c.t, c.th, ir::Order::SeqCst);
            Ok(())
        },
        "flush_acquire" => |c| {
            c.machine.fence(c.t, c.th, ir::Order::Acquire);
            Ok(())
        },
        "flush_release" => |c| {
            c.machine.fence(c.t, c.th, ir::Order::Release);
            Ok(())
        },
        "omp_task_alloc" => |c| Machine::task_alloc(c, 0),
        "omp_task_alloc_mergeable" => |c| Machine::task_alloc(c, MERGEABLE),
        "omp_target_task_alloc" => |c| Machine::task_alloc(c, TARGET),
        "omp_task" | "omp_task_parts" => |c| Machine::submit(c, Vec::new()),
        "omp_task_with_deps" => |c| {
            let dependences = lists(c, 3)?;
            Machine::submit(c, dependences)
        },
        "omp_task_begin_if0" => Machine::begin_inline,
        "omp_task_complete_if0" => Machine::end_inline,
        "omp_wait_deps" => |c| {
            let dependences = lists(c, 2)?;
            c.th.omp.depends = true;
            Machine::wait_dependences(c, &dependences)
        },
        "omp_taskwait_deps_51" => |c| {
            let dependences = lists(c, 2)?;
            if c.int(6)? != 0 {
                return Machine::depend_without_wait(c, &dependences);
            }
            c.th.omp.depends = true;
            Machine::wait_dependences(c, &dependences)
        },
        "omp_taskwait" => |c| {
            if c.machine.leave_for_children(c.t, c.th) {
                c.give(0);
                return Ok(());
            }
            let task = c.machine.current(c.t, c.th);
            Machine::stand(c, OmpWait::Children(task))
        },
        "omp_taskyield" => |c| Machine::stand(c, OmpWait::Yield),
        "taskgroup" => |c| {
            c.machine.begin_group(c.t, c.th);
            Ok(())
        },
        "task_allow_completion_event" => |c| {
            let task = c.arg(2)?;
            c.machine.allow_event(task)?;
            c.give(task);
            Ok(())
        },
        "doacross_init" => Machine::doacross_init,
        "doacross_wait" => Machine::doacross_wait,
        "doacross_post" => Machine::doacross_post,
        "doacross_fini" => |_| Ok(()),
        _ => return None,
    })
}

/// Enters the combination of a reduction: 1, by plain code under a lock.
fn reduce(c: &mut Call) -> Result<(), Stop> {
    let lock = c.reduction_lock();
    c.synchronise(SyncOp::OmpLock, lock)
}

/// Leaves it.
fn end_reduce(c: &mut Call) -> Result<(), Stop> {
    let lock = c.held_reduction_lock()?;
    c.synchronise(SyncOp::OmpUnlock, lock)
}

/// Offloading: there is no device, so `target` regions run on the host, and data is where it is.
fn target(name: &str) -> Option<LocalFn> {
    let name = name.strip_prefix("__tgt_")?;
    if name.starts_with("target_data_") {
        return Some(|c| match c.machine.is_loud(c.t, c.th) {
            true => Machine::stand(c, OmpWait::Yield),
            false => Ok(()),
        });
    }
    if matches!(name, "register_requires" | "push_mapper_component") {
        return Some(|_| Ok(()));
    }
    match name {
        // Not 0: clang then calls the host's version.
        "target_kernel"
        | "target_kernel_nowait"
        | "target_mapper"
        | "target_nowait_mapper"
        | "target_teams_mapper"
        | "target_teams_nowait_mapper" => Some(|c| {
            c.give(u32::MAX.into());
            Ok(())
        }),
        _ => None,
    }
}

/// Two lists of dependences, from that argument on: length, list, length, list.
fn lists(c: &Call, from: usize) -> Result<Vec<(u64, crate::omp::deps::Access)>, Stop> {
    let length = |i: usize| c.int(from + i).map(|n| n.max(0) as u64);
    c.dependences([(length(0)?, c.arg(from + 1)?), (length(2)?, c.arg(from + 3)?)])
}

/// `__kmpc_fork_call(loc, argc, outlined, ...)`.
fn fork_call(c: &mut Call) -> Result<(), Stop> {
    let (argc, outlined) = (c.int(1)?.max(0) as usize, c.arg(2)?);
    let args = c.args.get(3..3 + argc).unwrap_or(&[]).to_vec();
    c.machine.tell(c.t, c.th, &Work::Control { write: false });
    let size = c.machine.team_size(c.th)?;
    c.moved = true;
    c.machine.fork(c.t, c.th, outlined, &args, size, false)
}

/// `__kmpc_fork_call_if(loc, argc, outlined, condition, args)`.
fn fork_call_if(c: &mut Call) -> Result<(), Stop> {
    let (argc, outlined, parallel) = (c.int(1)?, c.arg(2)?, c.int(3)? != 0);
    let args = if argc > 0 { vec![c.raw(4)] } else { Vec::new() };
    c.machine.tell(c.t, c.th, &Work::Control { write: false });
    let size = if parallel { c.machine.team_size(c.th)? } else { 1 };
    c.th.omp.threads = None;
    c.moved = true;
    c.machine.fork(c.t, c.th, outlined, &args, size, false)
}

/// `__kmpc_fork_teams(loc, argc, outlined, ...)`.
fn fork_teams(c: &mut Call) -> Result<(), Stop> {
    let (argc, outlined) = (c.int(1)?.max(0) as usize, c.arg(2)?);
    let args = c.args.get(3..3 + argc).unwrap_or(&[]).to_vec();
    let (teams, limit) = c.th.omp.teams.unwrap_or((0, 0));
    let size = c.machine.team_count(c.th, teams)?;
    c.th.omp.teams = None;
    if limit > 0 {
        c.machine.seat(c.t, c.th).icv.teams_limit = limit;
    }
    c.moved = true;
    c.machine.fork(c.t, c.th, outlined, &args, size, true)
}

fn barrier(c: &mut Call) -> Result<(), Stop> {
    if c.machine.is_team_of_one(c.t, c.th) {
        return Machine::barrier_alone(c);
    }
    c.moved = true;
    c.machine.arrive(c.t, c.th, OmpWait::Barrier)
}

/// Where the copy of the current task is kept, for the first two arguments: a reduction and the number of a variable.
fn copy_key(c: &mut Call) -> Result<(u64, u64, u32), Stop> {
    let task = c.machine.current(c.t, c.th);
    let number = c.machine.omp.tasks.get(&task).map_or(0, |task| task.serial + 1);
    Ok((c.arg(0)?, c.arg(1)?, number))
}

/// Says that what follows depends on the thread.
pub(super) fn identity(c: &mut Call) -> Result<(), Stop> {
    if c.machine.is_in_team(c.th) {
        c.machine.program.note_number();
    }
    is_first(c)
}

/// Says that what follows depends on whether the thread is the first of its team.
fn is_first(c: &mut Call) -> Result<(), Stop> {
    c.machine.refuse_strayed(c.th)?;
    c.machine.tell(c.t, c.th, &Work::Identity);
    c.machine.notice_identity(c.t, c.th);
    Ok(())
}

/// Returns a number that says which thread asks.
pub(super) fn give_identity(c: &mut Call, number: u64) -> Result<(), Stop> {
    c.machine.refuse_strayed(c.th)?;
    c.machine.program.note_number();
    let asked = c.machine.observer.as_mut().is_some_and(|observer| observer.identity(c.t, c.th));
    c.result = vec![(number, if asked { u64::MAX } else { 0 })];
    Ok(())
}
