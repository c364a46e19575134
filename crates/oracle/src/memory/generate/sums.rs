//! Sums of shares that are followed through memory: whole ones, some shares, some of them twice.

use super::super::program::{Bin, Expr, Init, Place, Stmt, Type, Var};
use super::draft::{Draft, add, assign, bin, elem, int, load, var, when};

/// The variables that shares go through.
struct Names {
    slots: Var,
    /// Where sums are kept.
    sums: [Var; 2],
    one: Var,
    /// What an order decides.
    open: Var,
}

/// What the statements compute when each thread does its equal part.
struct Equal {
    share: i64,
    sums: [i64; 2],
    open: i64,
}

/// Slots that threads add to, and a claim about something that is computed from them.
pub fn sums(d: &mut Draft<'_>) {
    d.threads = 2;
    let names = Names {
        slots: d.global(Type::Ints(2)),
        sums: [d.global(Type::Int), d.global(Type::Int)],
        one: d.initialised(Type::Int, vec![Init::Number(1)]),
        open: d.global(Type::Int),
    };
    let mut equal = Equal { share: 1, sums: [0; 2], open: d.rng.below(2) as i64 };
    let mut body = Vec::new();
    let me = d.thread_number(&mut body);
    gather(d, &names, &me, &mut body, &mut equal);
    if d.rng.chance(50) {
        body.push(Stmt::Critical { name: None, body: vec![assign(Place::Var(names.open), me)] });
    }
    let mut after = Vec::new();
    let (begin, mut last) = begin(d, &names, &mut equal);
    after.push(begin);
    for _ in 0..1 + d.rng.below(3) {
        let (step, changed) = step(d, &names, &mut equal);
        after.push(step);
        last = changed;
    }
    let (mut value, mut number) = (var(names.sums[last]), equal.sums[last]);
    if d.rng.chance(50) {
        // Something beside what is kept.
        let (share, more) = factor(d, &names, &equal);
        (value, number) = (bin(Bin::Add, value, share), number + more);
    }
    if d.rng.chance(60) {
        let kept = Place::Var(d.global(Type::Int));
        after.push(assign(kept.clone(), value));
        value = load(&kept);
    }
    let claimed = if d.rng.chance(90) { number } else { d.rng.below(5) as i64 };
    if d.rng.chance(30) {
        // By one thread of the region, and then all of them look at it.
        body.extend([Stmt::Barrier, Stmt::Masked { body: after.split_off(0) }, Stmt::Barrier]);
        let note = add(Place::Var(d.global(Type::Int)), int(1));
        body.push(when(bin(Bin::Ne, value, int(claimed)), vec![note]));
    } else {
        after.push(Stmt::Assert(bin(Bin::Eq, value, int(claimed))));
    }
    d.program.main.push(Stmt::Parallel { threads: Some(2), reduction: None, body });
    d.program.main.extend(after);
}

/// The loop that leaves a share in each thread's slot.
fn gather(d: &mut Draft<'_>, names: &Names, me: &Expr, body: &mut Vec<Stmt>, equal: &mut Equal) {
    let head = d.head(2);
    let by = if d.rng.chance(80) { int(1) } else { bin(Bin::Add, var(head.iter), int(1)) };
    let slot = elem(names.slots, me.clone());
    if d.rng.chance(60) {
        body.push(Stmt::For { head, body: vec![add(slot, by)] });
        return;
    }
    let mine = d.local(Type::Int);
    body.push(Stmt::Declare { var: mine, init: int(0) });
    body.push(Stmt::For { head, body: vec![add(Place::Var(mine), by)] });
    body.push(assign(slot.clone(), var(mine)));
    if d.rng.chance(30) {
        let again = add(slot, var(mine));
        if d.rng.chance(50) {
            body.push(when(bin(Bin::Eq, me.clone(), int(0)), vec![again]));
        } else {
            body.push(again);
            equal.share *= 2;
        }
    }
}

/// A share, as it is or times something, and its number.
fn factor(d: &mut Draft<'_>, names: &Names, equal: &Equal) -> (Expr, i64) {
    let share = load(&elem(names.slots, int(d.rng.below(2) as i64)));
    match d.rng.weighted(&[10, 5, 2, 1]) {
        0 => (share, equal.share),
        1 => (bin(Bin::Mul, share, var(names.one)), equal.share),
        2 => (bin(Bin::Mul, share, var(names.open)), equal.share * equal.open),
        _ => (bin(Bin::Mul, share, int(2)), equal.share * 2),
    }
}

/// The first statement about the sums; which of them it changes.
fn begin(d: &mut Draft<'_>, names: &Names, equal: &mut Equal) -> (Stmt, usize) {
    let (share, number) = factor(d, names, equal);
    let place = Place::Var(names.sums[0]);
    equal.sums[0] = number;
    (if d.rng.chance(50) { assign(place, share) } else { add(place, share) }, 0)
}

/// One more statement.
fn step(d: &mut Draft<'_>, names: &Names, equal: &mut Equal) -> (Stmt, usize) {
    let (share, number) = factor(d, names, equal);
    let k = d.rng.weighted(&[8, 1]);
    let place = Place::Var(names.sums[k]);
    let kept = var(names.sums[1 - k]);
    let (step, value) = match d.rng.weighted(&[1, 10, 4, 2, 2, 1]) {
        0 => (assign(place, share), number),
        1 => (add(place, share), equal.sums[k] + number),
        2 => (Stmt::Sub { place, value: share }, equal.sums[k] - number),
        3 => (assign(place, bin(Bin::Add, kept, share)), equal.sums[1 - k] + number),
        4 => (assign(place, int(0)), 0),
        _ => (add(place, kept), equal.sums[k] + equal.sums[1 - k]),
    };
    equal.sums[k] = value;
    (step, k)
}
