//! Which programs obey the rules of OpenMP (nesting, data-sharing) and of scopes.
//!
//! Generated and shrunk programs that break a rule are dropped, so these are the only ones that are ever judged. Types fit by
//! construction: shrinking changes none.

use super::program::{Expr, Program, Stmt, Storage, Type, Var, names, own_names};

/// Whether `program` is one to judge.
pub fn valid(program: &Program) -> bool {
    let at = Where { scope: vec![false; program.vars.len()], ..Where::default() };
    block(program, &program.main, &at) && same_teams(program)
}

/// The construct that a statement stands in, as far as nesting goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Around {
    /// Outside of all regions.
    #[default]
    Serial,
    /// In `teams`, not in a region inside.
    League,
    /// Where all threads of a team come to.
    Team,
    /// In worksharing, `masked`, a conditional or a critical construct.
    Apart,
    /// In a lane.
    Lane,
}

#[derive(Debug, Clone, Default)]
struct Where {
    around: Around,
    /// The locals that may be named.
    scope: Vec<bool>,
    /// How many parallel regions are around.
    depth: usize,
    /// In `teams`.
    teams: bool,
    /// How many tasks are around.
    tasks: usize,
    untied: bool,
    exclusive: bool,
    /// In a region with a reduction.
    reduced: bool,
}

impl Where {
    fn inside(&self, around: Around) -> Where {
        Where { around, ..self.clone() }
    }

    fn with(mut self, var: Option<Var>) -> Where {
        if let Some(v) = var {
            self.scope[v as usize] = true;
        }
        self
    }
}

fn block(p: &Program, body: &[Stmt], at: &Where) -> bool {
    let mut at = at.clone();
    body.iter().all(|s| {
        let fits = known(p, s, &at) && stmt(p, s, &at);
        if let Stmt::Declare { var, .. } = s {
            at.scope[*var as usize] = true;
        }
        fits
    })
}

/// Whether everything that the statement itself names is in scope and may be used here.
fn known(p: &Program, stmt: &Stmt, at: &Where) -> bool {
    let mut fits = true;
    own_names(stmt, &mut |v| {
        fits &= match p.vars[v as usize].storage {
            Storage::Local => at.scope[v as usize],
            Storage::Static => true,
            Storage::Threadprivate | Storage::ThreadLocal => {
                at.depth <= 1 && !at.teams && !at.untied && at.around != Around::Lane
            }
        };
    });
    let runtime = stmt.parts().1.into_iter().any(calls);
    fits && !(runtime && (at.untied || at.around == Around::Lane))
}

/// Whether an expression asks the runtime something.
fn calls(expr: &Expr) -> bool {
    matches!(expr, Expr::ThreadNum | Expr::TeamNum | Expr::MaxThreads | Expr::Alloc(_) | Expr::Realloc(..))
        || expr.parts().into_iter().any(calls)
}

fn stmt(p: &Program, stmt: &Stmt, at: &Where) -> bool {
    let region = !matches!(at.around, Around::Serial | Around::League | Around::Lane);
    let team = at.around == Around::Team && at.tasks == 0 && !at.exclusive;
    let plain = at.around != Around::Lane;
    match stmt {
        Stmt::Declare { var, .. } if p.vars[*var as usize].ty.element() == Type::Lock => plain && !at.teams,
        Stmt::Declare { .. } | Stmt::Assign { .. } | Stmt::Add { .. } | Stmt::Sub { .. } => true,
        Stmt::Free(_) => plain && !at.untied,
        Stmt::SetLock(_) | Stmt::UnsetLock(_) | Stmt::DestroyLock(_) => region && !at.teams && !at.untied,
        Stmt::Call { param, body, .. } => {
            let around = if at.around == Around::Team { Around::Apart } else { at.around };
            let scope = vec![false; at.scope.len()];
            plain && block(p, body, &Where { around, scope, ..at.clone() }.with(Some(*param)))
        }
        Stmt::Assert(_) => plain,
        Stmt::SetNumThreads(_) => plain && !at.teams,
        Stmt::AtomicAdd { .. } | Stmt::AtomicCapture { .. } | Stmt::AtomicRead { .. } => region,
        Stmt::If { then, otherwise, .. } => {
            let around = if at.around == Around::Team { Around::Apart } else { at.around };
            let at = at.inside(around);
            block(p, then, &at) && block(p, otherwise, &at)
        }
        Stmt::Repeat { iter, times, body } => {
            (1..=4).contains(times) && block(p, body, &at.clone().with(Some(*iter)))
        }
        Stmt::Critical { body, .. } => region && exclusive(p, body, at),
        Stmt::Locked { body, .. } => region && !at.teams && exclusive(p, body, at),
        Stmt::Barrier => team,
        Stmt::For { head, body } => {
            let inner = at.inside(Around::Apart).with(Some(head.iter));
            team && (1..=6).contains(&head.n) && block(p, body, &inner)
        }
        Stmt::Sections { blocks, .. } => {
            team && !blocks.is_empty() && blocks.iter().all(|b| block(p, b, &at.inside(Around::Apart)))
        }
        Stmt::Single { body, .. } | Stmt::Masked { body } => {
            team && block(p, body, &at.inside(Around::Apart))
        }
        Stmt::Task { .. } | Stmt::Taskloop { .. } => region && !at.reduced && task(p, stmt, at),
        Stmt::Taskwait | Stmt::Taskyield => region,
        // clang 19 crashes on some taskgroups in untied tasks.
        Stmt::Taskgroup { body } => region && !at.untied && block(p, body, &at.inside(Around::Apart)),
        Stmt::Parallel { threads, reduction, body } => {
            let inner = Where {
                around: Around::Team,
                depth: at.depth + 1,
                reduced: reduction.is_some(),
                ..at.clone()
            };
            let size = threads.is_none_or(|n| (1..=3).contains(&n));
            plain && size && !at.exclusive && at.tasks == 0 && at.depth < 2 && block(p, body, &inner)
        }
        Stmt::Teams { teams, body } => {
            let inner = Where { around: Around::League, teams: true, ..at.clone() };
            at.around == Around::Serial && (1..=3).contains(teams) && block(p, body, &inner)
        }
        Stmt::Distribute { iter, n, body } => {
            let league = at.around == Around::League;
            league
                && (1..=4).contains(n)
                && block(p, body, &at.clone().with(Some(*iter)))
                && body.iter().all(|s| !matches!(s, Stmt::Distribute { .. }))
        }
        Stmt::Simd { iter, n, safelen, private, body } => {
            let inner = at.inside(Around::Lane).with(Some(*iter));
            let simple = private.is_none_or(|v| p.vars[v as usize].storage == Storage::Local);
            plain && simple && (1..=8).contains(n) && safelen.is_none_or(|s| s > 0) && block(p, body, &inner)
        }
    }
}

fn exclusive(p: &Program, body: &[Stmt], at: &Where) -> bool {
    let inner = Where { exclusive: true, ..at.inside(Around::Apart) };
    block(p, body, &inner)
}

fn task(p: &Program, stmt: &Stmt, at: &Where) -> bool {
    let (capture, iter, body) = match stmt {
        Stmt::Task { capture, body } => (capture, None, body),
        Stmt::Taskloop { capture, iter, n, body, .. } if (1..=5).contains(n) => (capture, Some(*iter), body),
        _ => return false,
    };
    let captured: Vec<Var> = capture.firstprivate.iter().chain(&capture.shared).copied().collect();
    let local = |v: &Var| p.vars[*v as usize].storage == Storage::Local && at.scope[*v as usize];
    let mut scope = vec![false; at.scope.len()];
    captured.iter().for_each(|v| scope[*v as usize] = true);
    let inner = Where {
        around: Around::Apart,
        scope,
        tasks: at.tasks + 1,
        untied: at.untied || capture.untied,
        exclusive: false,
        ..at.clone()
    };
    let copied = |ty: Type| ty.size() <= 8 && ty.element() != Type::Lock;
    let simple = |v: &Var| copied(p.vars[*v as usize].ty);
    // What clang 19 makes of an untied task with if(0), its runtime fails on.
    let compiled = !(capture.untied && capture.undeferred);
    compiled
        && captured.iter().all(local)
        && capture.firstprivate.iter().all(simple)
        && at.tasks < 2
        && block(p, body, &inner.with(iter))
}

/// What threads own lasts from one region to the next only if both teams are of one size.
fn same_teams(p: &Program) -> bool {
    let mut owned = false;
    super::program::walk(&p.main, &mut |s| {
        let mut mark = |v: Var| {
            let storage = p.vars[v as usize].storage;
            owned |= matches!(storage, Storage::Threadprivate | Storage::ThreadLocal);
        };
        own_names(s, &mut mark);
        s.parts().1.into_iter().for_each(|e| names(e, &mut mark));
    });
    let mut sizes = Vec::new();
    for stmt in &p.main {
        if let Stmt::Parallel { threads, .. } = stmt {
            sizes.push(*threads);
        }
    }
    !owned || sizes.windows(2).all(|w| w[0] == w[1] && w[0].is_some())
}
