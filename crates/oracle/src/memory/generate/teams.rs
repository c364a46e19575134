//! Several teams, nested regions, and the control variables of tasks.

use super::super::program::{Bin, Expr, Place, Stmt, Type, Var};
use super::draft::{Cell, Draft, add, assign, bin, elem, int, load, var, when};

/// A league: own memory of initial threads, `distribute`, and critical constructs that exclude within a team only.
pub fn teams(d: &mut Draft<'_>) {
    let total = d.global(Type::Int);
    let mut body = Vec::new();
    let own = d.rng.chance(50).then(|| league_cell(d));
    if let Some(cell) = &own {
        body.extend(cell.setup.clone());
    }
    if own.is_some() || d.rng.chance(60) {
        let iter = d.local(Type::Int);
        let step = league_piece(d, own.as_ref(), total, &var(iter));
        body.push(Stmt::Distribute { iter, n: 2 + u8::from(d.rng.chance(20)), body: step });
    }
    if let Some(cell) = &own
        && d.rng.chance(50)
    {
        let slots = d.global(Type::Ints(2));
        body.push(assign(elem(slots, Expr::TeamNum), load(&cell.place)));
        if d.rng.chance(40) {
            let test = bin(Bin::Ne, load(&cell.place), int(d.rng.below(3) as i64));
            body.push(when(test, vec![add(Place::Var(total), int(1))]));
        }
    }
    if d.rng.chance(60) {
        let inner = team_body(d, total, own.as_ref());
        let threads = Some(1 + d.rng.below(2) as u8);
        body.push(Stmt::Parallel { threads, reduction: None, body: inner });
    }
    d.program.main.push(Stmt::Teams { teams: 1 + u8::from(d.rng.chance(85)), body });
    if d.rng.chance(60) {
        let test = bin(d.rng.pick(&[Bin::Eq, Bin::Ne]), load(&Place::Var(total)), int(d.rng.below(5) as i64));
        d.program.main.push(Stmt::Assert(test));
    }
}

/// Own memory that needs no thread number and no storage of threads.
fn league_cell(d: &mut Draft<'_>) -> Cell {
    let pointer = d.local(Type::Pointer);
    let place = Place::At(Box::new(var(pointer)), 0);
    if d.rng.chance(40) {
        let setup = vec![Stmt::Declare { var: pointer, init: Expr::Alloc(1) }];
        return Cell { setup, place, pointer: var(pointer) };
    }
    let m = d.local(Type::Int);
    let target = Expr::Addr(Place::Var(m));
    let setup = vec![Stmt::Declare { var: m, init: int(0) }, Stmt::Declare { var: pointer, init: target }];
    Cell { setup, place, pointer: var(pointer) }
}

fn league_piece(d: &mut Draft<'_>, own: Option<&Cell>, total: Var, i: &Expr) -> Vec<Stmt> {
    match own {
        Some(cell) => match d.rng.below(3) {
            0 => vec![add(cell.place.clone(), int(1))],
            1 => vec![
                when(bin(Bin::Eq, load(&cell.place), int(1)), vec![assign(Place::Var(total), i.clone())]),
                assign(cell.place.clone(), int(1)),
            ],
            _ => vec![assign(cell.place.clone(), bin(Bin::Add, i.clone(), int(1)))],
        },
        None if d.rng.chance(50) => {
            let out = d.global(Type::Ints(3));
            vec![add(elem(out, i.clone()), int(1))]
        }
        None => {
            let inner = team_body(d, total, None);
            vec![Stmt::Parallel { threads: Some(1), reduction: None, body: inner }]
        }
    }
}

fn team_body(d: &mut Draft<'_>, total: Var, own: Option<&Cell>) -> Vec<Stmt> {
    let value = own.filter(|_| d.rng.chance(50)).map_or(int(1), |c| load(&c.place));
    let place = Place::Var(total);
    match d.rng.weighted(&[5, 4, 2]) {
        0 => vec![Stmt::Critical { name: None, body: vec![add(place, value)] }],
        1 => vec![Stmt::AtomicAdd { place, value }],
        _ => {
            let slots = d.global(Type::Ints(2));
            let step = vec![add(elem(slots, Expr::TeamNum), value)];
            vec![Stmt::Critical { name: None, body: step }]
        }
    }
}

/// Regions inside of regions, the sizes of which hang on control variables; heap memory of inner threads.
pub fn nested(d: &mut Draft<'_>) {
    let x = d.global(Type::Int);
    let set = |n: i64| Stmt::SetNumThreads(int(n));
    d.program.main.push(set(1 + d.rng.below(2) as i64));
    let mut body = Vec::new();
    if d.rng.chance(40) {
        body.push(set(1 + d.rng.below(2) as i64));
    }
    let pieces = 1 + usize::from(d.rng.chance(70));
    for _ in 0..pieces {
        let step = match d.rng.weighted(&[5, 3, 3]) {
            0 => vec![set(1 + d.rng.below(2) as i64)],
            1 => {
                let test = bin(Bin::Eq, Expr::MaxThreads, int(1 + d.rng.below(2) as i64));
                let note = add(Place::Var(x), int(1));
                vec![if d.rng.chance(50) { when(test, vec![note]) } else { Stmt::Assert(test) }]
            }
            _ => vec![inner_region(d, x)],
        };
        body.push(shared_out(d, step));
    }
    if d.rng.chance(70) {
        let inner = inner_region(d, x);
        let step =
            if d.rng.chance(70) { shared_out(d, vec![inner]) } else { Stmt::Masked { body: vec![inner] } };
        body.push(step);
    }
    d.program.main.push(Stmt::Parallel { threads: Some(2), reduction: None, body });
}

/// Lets some thread do it.
fn shared_out(d: &mut Draft<'_>, step: Vec<Stmt>) -> Stmt {
    if d.rng.chance(65) {
        Stmt::Single { nowait: d.rng.chance(10), body: step }
    } else {
        let head = d.head(2);
        let first = when(bin(Bin::Eq, var(head.iter), int(d.rng.below(2) as i64)), step);
        Stmt::For { head, body: vec![first] }
    }
}

fn inner_region(d: &mut Draft<'_>, x: Var) -> Stmt {
    let threads = if d.rng.chance(65) { None } else { Some(2) };
    let place = Place::Var(x);
    let body = match d.rng.weighted(&[4, 3, 3, 2]) {
        0 => vec![add(place, int(1))],
        1 => vec![Stmt::AtomicAdd { place, value: int(1) }],
        2 => {
            let p = d.local(Type::Pointer);
            let cell = Place::At(Box::new(var(p)), 0);
            let head = d.head(2);
            let test = bin(Bin::Eq, load(&cell), int(d.rng.below(3) as i64));
            vec![
                Stmt::Declare { var: p, init: Expr::Alloc(1) },
                Stmt::For { head, body: vec![add(cell, int(1))] },
                if d.rng.chance(50) { Stmt::Assert(test) } else { when(test, vec![add(place, int(1))]) },
            ]
        }
        _ => vec![Stmt::Critical { name: None, body: vec![add(place, int(1))] }],
    };
    Stmt::Parallel { threads, reduction: None, body }
}
