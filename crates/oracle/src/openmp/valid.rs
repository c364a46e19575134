//! Which programs obey the rules of OpenMP (nesting, data-sharing), and our own limits.
//!
//! Generated and shrunk programs that break a rule are dropped, so these are the only ones that are ever judged.

use super::print::used_registers;
use super::program::{ELEMENTS, Index, Loop, Order, Place, Program, Region, Stmt, Test, Value, walk};

/// Whether `program` is one to judge.
pub fn valid(program: &Program) -> bool {
    program.main.iter().all(|stmt| match stmt {
        Stmt::Parallel { region, body } => region_valid(region, body),
        _ => serial(stmt),
    })
}

/// Where a statement stands.
#[derive(Debug, Clone, Default)]
struct Where {
    /// In a worksharing loop, so that there is an iteration variable.
    iter: bool,
    /// Not at the level where the whole team meets barriers and worksharing.
    apart: bool,
    /// In a conditional.
    divergent: bool,
    /// In a task; how deep.
    task: usize,
    /// In worksharing, masked or a taskgroup.
    inside: bool,
    /// In critical, with a lock, or in an ordered region: no scheduling points.
    exclusive: bool,
    /// The locks that are held, and critical names from 100 on.
    held: Vec<u8>,
    /// The variables that are private.
    private: Vec<u8>,
    /// The variables that tasks may not touch.
    reduced: Vec<u8>,
}

fn region_valid(region: &Region, body: &[Stmt]) -> bool {
    let private: Vec<u8> = region.reduction.into_iter().chain(region.firstprivate).collect();
    // Tasks touch none of the copies: that of a reduction they must not, and clang 19 crashes on some nested tasks that
    // capture the copy of a global.
    let at = Where { private: private.clone(), reduced: private.clone(), ..Where::default() };
    let distinct = region.reduction.is_none() || region.reduction != region.firstprivate;
    let combinable = match body {
        [Stmt::For { head, .. }] => !head.nowait && used_registers(body).is_empty() && private.is_empty(),
        _ => false,
    };
    if region.combined && !combinable {
        return false;
    }
    (2..=3).contains(&region.threads) && distinct && block(body, &at) && reductions_apart(body)
}

/// A second reduction of a variable before the first one is known to be complete would be a misuse.
fn reductions_apart(body: &[Stmt]) -> bool {
    let mut loops: Vec<(u8, bool)> = Vec::new();
    let mut repeated = Vec::new();
    walk(body, &mut |stmt| {
        if let Stmt::For { head: Loop { reduction: Some(v), nowait, .. }, .. } = stmt {
            loops.push((*v, *nowait));
        }
        if let Stmt::Repeat { body, .. } = stmt {
            walk(body, &mut |inner| {
                if let Stmt::For { head: Loop { reduction: Some(v), nowait: true, .. }, .. } = inner {
                    repeated.push(*v);
                }
            });
        }
    });
    let alone = |v: u8| loops.iter().filter(|l| l.0 == v).count() == 1;
    repeated.is_empty() && loops.iter().all(|&(v, nowait)| !nowait || alone(v))
}

fn serial(stmt: &Stmt) -> bool {
    let plain = Where::default();
    match stmt {
        Stmt::Set { .. }
        | Stmt::Read { .. }
        | Stmt::Write { .. }
        | Stmt::Increment { .. }
        | Stmt::Assert(_) => own_parts(stmt, &plain),
        Stmt::If { then, otherwise, .. } => {
            own_parts(stmt, &plain) && then.iter().chain(otherwise).all(serial)
        }
        Stmt::Repeat { body, .. } => body.iter().all(serial),
        _ => false,
    }
}

fn block(body: &[Stmt], at: &Where) -> bool {
    body.iter().all(|s| own_parts(s, at) && stmt(s, at))
}

/// Whether values, tests, places and orders fit.
fn own_parts(stmt: &Stmt, at: &Where) -> bool {
    let place = match stmt.place() {
        Some(Place::Elem(_, Index::Iter(k))) => at.iter && (k as usize) + 4 <= ELEMENTS,
        Some(Place::Elem(_, Index::Const(k))) => (k as usize) < ELEMENTS,
        Some(Place::Var(v)) => {
            let reduced = at.task > 0 && at.reduced.contains(&v);
            let plain = matches!(stmt, Stmt::Read { .. } | Stmt::Write { .. } | Stmt::Increment { .. });
            !reduced && (plain || !at.private.contains(&v))
        }
        _ => true,
    };
    let value = |v: Value| at.iter || !matches!(v, Value::Iter(_));
    let test = |t: Test| at.iter || t.reg != Test::ITER;
    place
        && match stmt {
            Stmt::Set { value: v, .. } | Stmt::Write { value: v, .. } => value(*v),
            Stmt::AtomicWrite { value: v, order, .. } => {
                value(*v) && matches!(order, Order::Relaxed | Order::Release | Order::SeqCst)
            }
            Stmt::AtomicRead { order, .. } | Stmt::Spin { order, .. } => {
                matches!(order, Order::Relaxed | Order::Acquire | Order::SeqCst)
            }
            Stmt::AtomicUpdate { order, .. } => {
                matches!(order, Order::Relaxed | Order::Release | Order::SeqCst)
            }
            Stmt::AtomicCapture { order, .. } => {
                matches!(order, Order::Relaxed | Order::AcqRel | Order::SeqCst)
            }
            Stmt::Assert(t) | Stmt::If { test: t, .. } => test(*t),
            _ => true,
        }
}

fn stmt(stmt: &Stmt, at: &Where) -> bool {
    let team_level = !at.apart && !at.divergent && !at.inside && at.task == 0;
    let inside = || Where { inside: true, ..at.clone() };
    match stmt {
        Stmt::If { then, otherwise, .. } => {
            let at = Where { divergent: true, ..at.clone() };
            block(then, &at) && block(otherwise, &at)
        }
        Stmt::Repeat { times, body } => (1..=3).contains(times) && block(body, at),
        Stmt::Critical { name, body } => exclusive(100 + name.map_or(0, |n| n + 1), true, body, at),
        Stmt::Locked { lock, body } => exclusive(*lock, false, body, at),
        Stmt::TestLock { lock, then, otherwise } => {
            let other = Where { divergent: true, ..at.clone() };
            exclusive(*lock, true, then, at) && block(otherwise, &other)
        }
        Stmt::Barrier => team_level,
        Stmt::For { head, body } => team_level && !at.exclusive && worksharing_loop(head, body, at),
        // Only worksharing_loop lets it pass, at its place.
        Stmt::Ordered { .. } => false,
        Stmt::Single { body, .. } => team_level && !at.exclusive && block(body, &inside()),
        Stmt::Sections { blocks, .. } => {
            let fits = (2..=3).contains(&blocks.len()) && team_level && !at.exclusive;
            fits && blocks.iter().all(|b| block(b, &inside()))
        }
        Stmt::Masked { body, .. } => !at.inside && at.task == 0 && !at.exclusive && block(body, &inside()),
        Stmt::Task { clauses, body } => {
            let depends = clauses.depends.iter().all(|d| !at.private.contains(&d.1));
            let twice = clauses.depends.len() == 2 && clauses.depends[0].1 == clauses.depends[1].1;
            let firstprivate = clauses.firstprivate.is_none_or(|v| !at.reduced.contains(&v));
            let mut inner = Where { task: at.task + 1, ..at.clone() };
            inner.private.extend(clauses.firstprivate);
            let fits = !at.exclusive && at.task < 2 && inner.private.len() <= 4;
            fits && depends && !twice && firstprivate && block(body, &inner)
        }
        Stmt::Taskwait | Stmt::Taskyield => !at.exclusive,
        Stmt::Taskgroup { body } => !at.exclusive && block(body, &inside()),
        Stmt::Parallel { .. } => false,
        _ => true,
    }
}

fn exclusive(name: u8, apart: bool, body: &[Stmt], at: &Where) -> bool {
    let mut inner = Where { exclusive: true, apart: at.apart || apart, ..at.clone() };
    inner.held.push(name);
    !at.held.contains(&name) && block(body, &inner)
}

fn worksharing_loop(head: &Loop, body: &[Stmt], at: &Where) -> bool {
    let clauses: Vec<u8> =
        head.reduction.into_iter().chain(head.lastprivate).chain(head.firstprivate).collect();
    let mut distinct = clauses.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let shared = clauses.iter().all(|v| !at.private.contains(v));
    let assigned = head
        .lastprivate
        .is_none_or(|v| matches!(body.first(), Some(Stmt::Write { place: Place::Var(w), .. }) if *w == v));
    let mut inner = Where { iter: true, inside: true, ..at.clone() };
    inner.private.extend(&clauses);
    // Tasks see none of the copies.
    inner.reduced.extend(&clauses);
    let ordered = body.iter().filter(|s| matches!(s, Stmt::Ordered { .. })).count();
    (1..=4).contains(&head.n)
        && distinct.len() == clauses.len()
        && shared
        && assigned
        && inner.private.len() <= 3
        && ordered == usize::from(head.ordered)
        && body.iter().all(|s| match s {
            Stmt::Ordered { body } => {
                let at = Where { exclusive: true, apart: true, ..inner.clone() };
                block(body, &at)
            }
            _ => own_parts(s, &inner) && stmt(s, &inner),
        })
}
