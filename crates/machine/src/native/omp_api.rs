//! The `omp_*` routines that ask for or set control variables, teams and numbers.

use super::omp::{give_identity, identity};
use super::{Call, LocalFn};
use crate::observe::Work;
use crate::omp::Seat;
use crate::omp::icv::{Icv, MOST_LEVELS};
use crate::stop::Stop;

pub(super) fn lookup(name: &str) -> Option<LocalFn> {
    Some(match name {
        "omp_init_lock" | "omp_init_lock_with_hint" => |c| c.init_lock(false),
        "omp_init_nest_lock" | "omp_init_nest_lock_with_hint" => |c| c.init_lock(true),
        "omp_destroy_lock" | "omp_destroy_nest_lock" => |c| c.destroy_lock(),
        "omp_get_thread_num" => |c| {
            let (number, league) = innermost(c).map_or((0, false), |(s, league)| (s.number, league));
            give_identity(c, if league { 0 } else { number.into() })
        },
        "omp_get_num_threads" => |c| {
            c.machine.program.note_size();
            let (size, league) = innermost(c).map_or((1, false), |(s, league)| (s.size, league));
            c.give(if league { 1 } else { size.into() });
            Ok(())
        },
        "omp_get_team_num" => |c| {
            identity(c)?;
            let number = c.machine.league(c.th).map_or(0, |s| s.number);
            c.give(number.into());
            Ok(())
        },
        "omp_get_num_teams" => |c| {
            c.machine.program.note_number();
            let size = c.machine.league(c.th).map_or(1, |s| s.size);
            c.give(size.into());
            Ok(())
        },
        "omp_get_max_threads" => |c| {
            c.machine.program.note_size();
            c.machine.tell(c.t, c.th, &Work::Control { write: false });
            let n = c.machine.icv_of(c.th).threads.unwrap_or_else(|| c.machine.program.thread_count());
            c.give(n.max(1).into());
            Ok(())
        },
        "omp_get_thread_limit" => |c| ask(c, |icv| icv.limit),
        "omp_get_max_active_levels" => |c| ask(c, |icv| icv.levels),
        "omp_get_nested" => |c| ask(c, |icv| u32::from(icv.levels > 1)),
        "omp_get_dynamic" => |c| ask(c, |icv| icv.dynamic.into()),
        "omp_get_max_teams" => |c| ask(c, |icv| icv.teams),
        "omp_get_teams_thread_limit" => |c| ask(c, |icv| icv.teams_limit),
        "omp_get_default_device" => |c| ask(c, |icv| icv.device as u32),
        "omp_set_num_threads" => |c| set(c, |icv, n| icv.threads = Some(n.max(1) as u32)),
        "omp_set_dynamic" => |c| set(c, |icv, n| icv.dynamic = n != 0),
        "omp_set_nested" => |c| set(c, |icv, n| icv.levels = if n != 0 { MOST_LEVELS } else { 1 }),
        "omp_set_max_active_levels" => |c| {
            set(c, |icv, n| {
                if n >= 0 {
                    icv.levels = n as u32;
                }
            })
        },
        "omp_set_num_teams" => |c| set(c, |icv, n| icv.teams = n.max(0) as u32),
        "omp_set_teams_thread_limit" => |c| set(c, |icv, n| icv.teams_limit = n.max(0) as u32),
        "omp_set_default_device" => |c| set(c, |icv, n| icv.device = n),
        "omp_set_schedule" => |c| {
            let (kind, chunk) = (c.int(0)? as u32, c.int(1)?);
            change(c, |icv| icv.schedule = Some((kind, chunk)));
            Ok(())
        },
        "omp_get_schedule" => |c| {
            let (kind, chunk) = (c.arg(0)?, c.arg(1)?);
            c.machine.tell(c.t, c.th, &Work::Control { write: false });
            let (k, n) = c.machine.icv_of(c.th).schedule.unwrap_or((1, 0));
            c.machine.set_variable(kind, 4, k.into())?;
            c.machine.set_variable(chunk, 4, n as u32 as u64)
        },
        "omp_in_explicit_task" => |c| {
            let inside = innermost(c).is_some_and(|(s, _)| !s.running.is_empty());
            c.give(inside.into());
            Ok(())
        },
        "omp_in_final" => |c| {
            let task = innermost(c).and_then(|(s, _)| s.running.last().map(|r| r.task));
            let inside = task.and_then(|t| c.machine.omp.tasks.get(&t)).is_some_and(|t| t.is_final);
            c.give(inside.into());
            Ok(())
        },
        "omp_fulfill_event" => |c| {
            let event = c.arg(0)?;
            c.machine.fulfill(c.t, c.th, event)
        },
        "omp_in_parallel" => |c| {
            let active = innermost(c).is_some_and(|(s, _)| c.machine.region(s.home).active > 0);
            c.give(active.into());
            Ok(())
        },
        "omp_get_level" => |c| {
            let level = innermost(c).map_or(0, |(s, _)| c.machine.region(s.home).level);
            c.give(level.into());
            Ok(())
        },
        "omp_get_active_level" => |c| {
            let level = innermost(c).map_or(0, |(s, _)| c.machine.region(s.home).active);
            c.give(level.into());
            Ok(())
        },
        "omp_get_ancestor_thread_num" => |c| {
            identity(c)?;
            ancestor(c, |s| s.number)
        },
        "omp_get_team_size" => |c| ancestor(c, |s| s.size),
        "omp_get_num_procs" => |c| {
            c.machine.program.note_size();
            let n = c.machine.program.thread_count().max(1);
            c.give(n.into());
            Ok(())
        },
        "omp_get_supported_active_levels" => |c| {
            c.give(MOST_LEVELS.into());
            Ok(())
        },
        "omp_is_initial_device" => |c| {
            c.give(1);
            Ok(())
        },
        "omp_get_cancellation" => |c| {
            c.give(c.machine.program.openmp.cancellation.into());
            Ok(())
        },
        "omp_get_proc_bind"
        | "omp_get_num_places"
        | "omp_get_place_num_procs"
        | "omp_get_partition_num_places"
        | "omp_get_num_devices"
        | "omp_get_initial_device"
        | "omp_get_device_num"
        | "omp_get_max_task_priority" => |c| {
            c.give(0);
            Ok(())
        },
        "omp_pause_resource" | "omp_pause_resource_all" => |c| {
            c.machine.end_persistence();
            c.give(0);
            Ok(())
        },
        "omp_get_place_num" => |c| {
            c.give(u32::MAX.into());
            Ok(())
        },
        "omp_get_place_proc_ids"
        | "omp_get_partition_place_nums"
        | "omp_display_env"
        | "omp_display_affinity"
        | "omp_set_affinity_format" => |_| Ok(()),
        "omp_control_tool" => |c| {
            c.give(-2i32 as u32 as u64);
            Ok(())
        },
        _ => return None,
    })
}

/// The thread's place in its innermost region, and whether that is a league.
fn innermost(c: &Call) -> Option<(Seat, bool)> {
    let seat = c.th.omp.seats.last()?;
    Some((seat.clone(), c.machine.region(seat.home).league))
}

/// Something about the ancestor at a level: the seats of the threads that forked the enclosing teams.
fn ancestor(c: &mut Call, what: fn(&Seat) -> u32) -> Result<(), Stop> {
    c.machine.program.note_number();
    let level = c.int(0)?;
    let mut seats = c.th.omp.seats.clone();
    let mut found =
        (level == 0).then(|| u64::from(what(&Seat::new(0, 0, 1, Icv::new(&c.machine.program.openmp)))));
    while let Some(seat) = seats.pop() {
        let region = c.machine.region(seat.home);
        if !region.league && region.level as i32 == level && level > 0 {
            found = Some(what(&seat).into());
            break;
        }
        if seat.number > 0 {
            let master = region.members[0] as usize;
            seats = if master == c.t { seats } else { c.machine.threads[master].omp.seats.clone() };
            let Some(at) = seats.iter().position(|s| s.home == seat.home) else { break };
            seats.truncate(at);
        }
    }
    c.give(found.unwrap_or(u32::MAX.into()));
    Ok(())
}

fn ask(c: &mut Call, what: fn(&Icv) -> u32) -> Result<(), Stop> {
    c.machine.tell(c.t, c.th, &Work::Control { write: false });
    let value = what(&c.machine.icv_of(c.th));
    c.give(value.into());
    Ok(())
}

fn set(c: &mut Call, how: fn(&mut Icv, i32)) -> Result<(), Stop> {
    let value = c.int(0)?;
    change(c, |icv| how(icv, value));
    Ok(())
}

pub(super) fn change(c: &mut Call, how: impl FnOnce(&mut Icv)) {
    c.machine.tell(c.t, c.th, &Work::Control { write: true });
    let mut icv = c.machine.icv_of(c.th);
    how(&mut icv);
    if let Some(task) = c.th.omp.seats.last().and_then(|s| s.running.last()).map(|r| r.task) {
        c.machine.set_task_icv(task, icv);
        return;
    }
    match c.th.omp.seats.last_mut() {
        Some(seat) => seat.icv = icv,
        None => c.th.omp.icv = Some(icv),
    }
}
