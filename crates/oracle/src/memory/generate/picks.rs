//! Minima, maxima and truths that pieces update under a lock from what their own memory says about their thread.

use super::super::program::{Bin, Expr, Init, Place, Stmt, Type, Var};
use super::draft::{Draft, add, assign, at, bin, elem, int, load, var};
use super::spread::{call, sometimes, spread};

/// What is updated.
#[derive(Clone, Copy)]
enum Update {
    Or,
    And,
    Most,
    Least,
    Sum,
}

/// Pieces that update a shared variable from something that depends on their thread, and a claim about the whole.
pub fn picks(d: &mut Draft<'_>) {
    d.threads = 2;
    let update = match d.rng.weighted(&[8, 2, 5, 4, 1]) {
        0 => Update::Or,
        1 => Update::And,
        2 => Update::Most,
        3 => Update::Least,
        _ => Update::Sum,
    };
    let first = match update {
        Update::Or | Update::Sum => 0,
        Update::And => 1,
        Update::Most => -1,
        Update::Least => 9,
    };
    let whole = d.initialised(Type::Int, vec![Init::Number(first)]);
    let numbers = d.initialised(Type::Ints(2), vec![Init::Number(0), Init::Number(1)]);
    let mut body = Vec::new();
    // Each thread its own, handed on behind the construct.
    let mine = d.rng.chance(12).then(|| d.local(Type::Int));
    if let Some(v) = mine {
        body.push(Stmt::Declare { var: v, init: int(first) });
    }
    let n = 2 + u8::from(d.rng.chance(30));
    let shared: Vec<Var> = mine.into_iter().collect();
    let aim = Aim { update, whole, mine: mine.map(Place::Var), numbers };
    let work = if d.rng.chance(15) {
        // Every thread, not only whoever gets a piece.
        piece(d, &aim, &int(0))
    } else {
        vec![spread(d, n, &shared, |d, i| {
            let body = piece(d, &aim, i);
            if d.rng.chance(20) { sometimes(d, i, n, body) } else { body }
        })]
    };
    body.extend(work);
    if let Some(v) = mine {
        let step = updated(update, &Place::Var(whole), var(v));
        body.push(excluded(d, vec![step]));
    }
    d.program.main.push(Stmt::Parallel { threads: Some(2), reduction: None, body });
    // What holds when every thread gets a piece.
    let usual = match update {
        Update::Or | Update::Most | Update::Sum => 1,
        Update::And | Update::Least => 0,
    };
    let claimed = if d.rng.chance(85) { usual } else { 1 - usual };
    let op = if d.rng.chance(92) { Bin::Eq } else { Bin::Ne };
    d.program.main.push(Stmt::Assert(bin(op, var(whole), int(claimed))));
}

/// One more of the values in the whole.
fn updated(update: Update, whole: &Place, value: Expr) -> Stmt {
    let old = Box::new(load(whole));
    let pick = |op: Bin| {
        let test = Box::new(bin(op, value.clone(), load(whole)));
        Expr::Cond(test, Box::new(value.clone()), Box::new(load(whole)))
    };
    let next = match update {
        Update::Or => Expr::Or(old, Box::new(value)),
        Update::And => Expr::And(old, Box::new(value)),
        Update::Most => pick(Bin::Gt),
        Update::Least => pick(Bin::Lt),
        Update::Sum => return add(whole.clone(), value),
    };
    assign(whole.clone(), next)
}

fn excluded(d: &mut Draft<'_>, body: Vec<Stmt>) -> Stmt {
    if d.rng.chance(75) { Stmt::Critical { name: None, body } } else { Stmt::Locked { lock: 0, body } }
}

/// What is updated and with what.
struct Aim {
    update: Update,
    whole: Var,
    /// Where a thread has its own.
    mine: Option<Place>,
    /// The numbers of the threads.
    numbers: Var,
}

/// What a piece does, perhaps in a function of its own, so that its memory ends with it.
fn piece(d: &mut Draft<'_>, aim: &Aim, i: &Expr) -> Vec<Stmt> {
    if d.rng.chance(50) {
        return in_place(d, aim, i);
    }
    vec![match &aim.mine {
        None => call(d, Type::Int, i.clone(), |d, i| in_place(d, aim, &var(i))),
        Some(mine) => call(d, Type::Pointer, Expr::Addr(mine.clone()), |d, mine| {
            in_place(d, &Aim { mine: Some(at(var(mine), 0)), ..*aim }, &int(0))
        }),
    }]
}

/// Something in the piece's own memory, a pointer to it, the update from there.
fn in_place(d: &mut Draft<'_>, aim: &Aim, i: &Expr) -> Vec<Stmt> {
    let number = match d.rng.weighted(&[12, 2, 2]) {
        0 => Expr::ThreadNum,
        1 => bin(Bin::Sub, int(1), Expr::ThreadNum),
        _ => i.clone(),
    };
    let (mut body, pointer) = match d.rng.weighted(&[6, 3, 4]) {
        0 => {
            let v = d.local(Type::Int);
            (vec![Stmt::Declare { var: v, init: number }], Expr::Addr(Place::Var(v)))
        }
        1 => {
            let a = d.local(Type::Ints(2));
            let one = elem(a, int(d.rng.below(2) as i64));
            (vec![Stmt::Declare { var: a, init: int(0) }, assign(one.clone(), number)], Expr::Addr(one))
        }
        _ => (Vec::new(), Expr::Addr(elem(aim.numbers, number))),
    };
    let nested = aim.mine.is_none() && d.rng.chance(20);
    // A thread's own is a local, which the function would not know.
    let inside = aim.mine.is_some() || d.rng.chance(40);
    if inside || nested {
        let q = d.local(Type::Pointer);
        body.push(Stmt::Declare { var: q, init: pointer });
        let step = step(d, aim, load(&at(var(q), 0)));
        body.push(if nested {
            Stmt::Parallel {
                threads: Some(1 + u8::from(d.rng.chance(70))),
                reduction: None,
                body: vec![step],
            }
        } else {
            step
        });
    } else {
        body.push(call(d, Type::Pointer, pointer, |d, q| vec![step(d, aim, load(&at(var(q), 0)))]));
    }
    body
}

fn step(d: &mut Draft<'_>, aim: &Aim, value: Expr) -> Stmt {
    let value = match aim.update {
        Update::Or | Update::And if d.rng.chance(70) => {
            bin(Bin::Eq, value, int(d.rng.weighted(&[1, 7]) as i64))
        }
        _ => value,
    };
    if let Some(mine) = &aim.mine {
        return updated(aim.update, mine, value);
    }
    let step = updated(aim.update, &Place::Var(aim.whole), value);
    if d.rng.chance(4) { step } else { excluded(d, vec![step]) }
}
