//! Tasks: who executes them, where, and in what order.

use super::super::program::{Bin, Capture, Expr, Place, Split, Stmt, Storage, Type, Var};
use super::draft::{Draft, add, assign, bin, elem, int, load, var, when};

/// A few tasks with accesses, critical constructs and waits.
pub fn pools(d: &mut Draft<'_>) {
    d.threads = 2;
    let mut shared: Vec<Var> = (0..2).map(|_| d.global(Type::Int)).collect();
    if d.rng.chance(25) {
        // What the thread owns, whichever task it executes; untied tasks must not.
        let storage = d.rng.pick(&[Storage::Threadprivate, Storage::ThreadLocal]);
        shared.push(d.program.var(Type::Int, storage));
    }
    let mut body = Vec::new();
    let own = d.rng.chance(30).then(|| d.local(Type::Int));
    if let Some(v) = own {
        body.push(Stmt::Declare { var: v, init: int(0) });
    }
    let mut budget = 3;
    for _ in 0..2 + d.rng.below(2) {
        let step = statement(d, &shared, own, 0, &mut budget);
        body.push(step);
    }
    if d.rng.chance(40) {
        body.push(Stmt::Taskwait);
        let test =
            bin(d.rng.pick(&[Bin::Eq, Bin::Lt]), load(&Place::Var(shared[0])), int(d.rng.below(3) as i64));
        body.push(Stmt::Assert(test));
    }
    let all =
        if own.is_some() && d.rng.chance(50) { body } else { vec![Stmt::Single { nowait: false, body }] };
    d.program.main.push(Stmt::Parallel { threads: Some(2), reduction: None, body: all });
    if d.rng.chance(40) {
        let test =
            bin(d.rng.pick(&[Bin::Eq, Bin::Ne]), load(&Place::Var(shared[0])), int(d.rng.below(4) as i64));
        d.program.main.push(Stmt::Assert(test));
    }
}

fn statement(d: &mut Draft<'_>, shared: &[Var], own: Option<Var>, depth: usize, budget: &mut usize) -> Stmt {
    let place = Place::Var(d.rng.pick(shared));
    let more = if *budget > 0 && depth < 2 { 9 } else { 0 };
    match d.rng.weighted(&[more, more / 4, 3, 2, 4, 2, 2, 1, 2]) {
        0 => {
            *budget -= 1;
            task(d, shared, own, depth, budget)
        }
        1 => {
            *budget = 0;
            taskloop(d, shared)
        }
        2 => add(place, int(1)),
        3 => Stmt::AtomicAdd { place, value: int(1) },
        4 => {
            let mut body = vec![add(place, int(1))];
            if *budget > 0 && depth < 2 && d.rng.chance(35) {
                *budget -= 1;
                body.push(task(d, shared, own, depth, budget));
            }
            Stmt::Critical { name: None, body }
        }
        5 => Stmt::Taskwait,
        6 => Stmt::Taskyield,
        7 => {
            let inner = statement(d, shared, own, depth, budget);
            Stmt::Taskgroup { body: vec![inner] }
        }
        _ => {
            let test = bin(Bin::Eq, load(&place), int(d.rng.below(2) as i64));
            when(test, vec![assign(place, int(2))])
        }
    }
}

fn task(d: &mut Draft<'_>, shared: &[Var], own: Option<Var>, depth: usize, budget: &mut usize) -> Stmt {
    let mut capture = Capture {
        untied: shared.len() == 2 && d.rng.chance(25),
        undeferred: d.rng.chance(10),
        ..Capture::default()
    };
    let mut body = Vec::new();
    let kept = own.filter(|_| d.rng.chance(60));
    if let Some(v) = kept {
        let list = if d.rng.chance(50) { &mut capture.firstprivate } else { &mut capture.shared };
        list.push(v);
        body.push(add(Place::Var(v), int(1)));
    }
    for _ in 0..1 + d.rng.below(2) {
        body.push(statement(d, shared, kept, depth + 1, budget));
    }
    Stmt::Task { capture, body }
}

/// A taskloop whose parts can tell where it was split.
fn taskloop(d: &mut Draft<'_>, shared: &[Var]) -> Stmt {
    let iter = d.local(Type::Int);
    let n = 2 + d.rng.below(2) as u8;
    let split = match d.rng.below(3) {
        0 => Split::Open,
        1 => Split::Grain(1 + d.rng.below(2) as u8),
        _ => Split::Tasks(1 + d.rng.below(2) as u8),
    };
    let place = Place::Var(d.rng.pick(shared));
    let i = var(iter);
    let step = add(place, int(1));
    let body = match d.rng.below(4) {
        0 => vec![when(bin(Bin::Lt, i, int(2)), vec![step])],
        1 => vec![when(bin(Bin::Gt, i, int(0)), vec![step])],
        2 => vec![Stmt::Critical { name: None, body: vec![step] }],
        _ => {
            let out = d.global(Type::Ints(3));
            let half = Expr::Cond(Box::new(bin(Bin::Gt, i, int(0))), Box::new(int(1)), Box::new(int(0)));
            vec![add(elem(out, half), int(1))]
        }
    };
    Stmt::Taskloop { capture: Capture::default(), iter, n, split, body }
}
