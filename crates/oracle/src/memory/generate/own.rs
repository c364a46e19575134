//! Memory that a thread owns, pieces of work that use it, and partial results that are handed on.

use super::super::program::{Bin, Expr, Place, Reduction, Schedule, Stmt, Type, Var};
use super::draft::{Cell, Draft, add, assign, at, bin, elem, int, load, var, when};

/// What stays open about a program until its region is complete.
struct Plan {
    /// Statements behind the region.
    after: Vec<Stmt>,
    /// A variable that conditional statements write.
    witness: Var,
}

/// Own memory, one or two worksharing constructs, perhaps a hand-over.
pub fn own(d: &mut Draft<'_>) {
    let mut plan = Plan { after: Vec::new(), witness: d.global(Type::Int) };
    let cell = d.cell();
    let mut body = cell.setup.clone();
    let constructs = 1 + usize::from(d.rng.chance(60));
    for round in 0..constructs {
        let work = construct(d, &plan, &cell, round + 1 == constructs);
        body.push(work);
    }
    if d.rng.chance(40) {
        body.extend(hand_over(d, &mut plan, &cell));
    }
    if d.rng.chance(40) {
        body.push(claim(d, &plan, &load(&cell.place)));
    }
    finish(d, plan, body, None);
}

/// A sum, count, truth or extremum in own memory that is handed on in some shape.
pub fn handed(d: &mut Draft<'_>) {
    let mut plan = Plan { after: Vec::new(), witness: d.global(Type::Int) };
    let cell = d.cell();
    let mut body = cell.setup.clone();
    let gather = gather(d, &cell);
    body.push(gather);
    body.extend(hand_over(d, &mut plan, &cell));
    if d.rng.chance(25) {
        let second = d.cell();
        body.extend(second.setup);
        body.push(assign(second.place.clone(), load(&cell.place)));
        body.push(claim(d, &plan, &load(&second.place)));
    }
    finish(d, plan, body, None);
}

/// Pieces whose order on a thread can be told, in teams of one and two.
pub fn order(d: &mut Draft<'_>) {
    d.threads = 1 + d.rng.below(2) as u8;
    let plan = Plan { after: Vec::new(), witness: d.global(Type::Int) };
    let cell = d.cell();
    let mut body = cell.setup.clone();
    let seen = d.global(Type::Ints(4));
    let n = 2 + d.rng.below(2) as u8;
    let piece = |d: &mut Draft<'_>, i: Expr| {
        let old = load(&cell.place);
        match d.rng.below(4) {
            0 => {
                vec![when(bin(Bin::Lt, i.clone(), old), vec![note(d, &plan)]), assign(cell.place.clone(), i)]
            }
            1 => {
                vec![assign(elem(seen, i.clone()), old), assign(cell.place.clone(), bin(Bin::Add, i, int(1)))]
            }
            2 => {
                let twice = bin(Bin::Mul, old, int(2));
                vec![assign(cell.place.clone(), bin(Bin::Add, twice, i))]
            }
            _ => vec![
                Stmt::Assert(bin(Bin::Lt, old, bin(Bin::Add, i.clone(), int(1)))),
                assign(cell.place.clone(), i),
            ],
        }
    };
    if d.rng.chance(60) {
        let head = d.head(n);
        let i = head.iter;
        let piece = piece(d, var(i));
        body.push(Stmt::For { head, body: piece });
    } else {
        let blocks = (0..n).map(|k| piece(d, int(i64::from(k)))).collect();
        body.push(Stmt::Sections { blocks, nowait: false });
    }
    if d.rng.chance(60) {
        body.push(claim(d, &plan, &load(&cell.place)));
    }
    finish(d, plan, body, None);
}

/// One more on the witness: plain, or in a way that cannot race.
fn note(d: &mut Draft<'_>, plan: &Plan) -> Stmt {
    let place = Place::Var(plan.witness);
    match d.rng.weighted(&[6, 2, 2]) {
        0 => add(place, int(1)),
        1 => Stmt::AtomicAdd { place, value: int(1) },
        _ => Stmt::Critical { name: None, body: vec![add(place, int(1))] },
    }
}

/// Something that tends to hold when every thread does its equal part, and not otherwise.
fn comparison(d: &mut Draft<'_>, value: &Expr) -> Expr {
    let op = d.rng.pick(&[Bin::Eq, Bin::Eq, Bin::Ne, Bin::Lt, Bin::Gt]);
    bin(op, value.clone(), int(d.rng.weighted(&[3, 8, 5, 2]) as i64))
}

/// Something that tends to hold only when the work is not divided equally.
fn exception(d: &mut Draft<'_>, value: &Expr) -> Expr {
    let op = d.rng.pick(&[Bin::Ne, Bin::Ne, Bin::Eq, Bin::Gt, Bin::Lt]);
    bin(op, value.clone(), int(d.rng.weighted(&[2, 8, 5, 1]) as i64))
}

/// Something about a value: an assertion, or a branch that writes the witness.
fn claim(d: &mut Draft<'_>, plan: &Plan, value: &Expr) -> Stmt {
    if d.rng.chance(50) {
        return Stmt::Assert(comparison(d, value));
    }
    let test = exception(d, value);
    when(test, vec![note(d, plan)])
}

/// What a piece does with the cell; `i` is its number.
fn piece(d: &mut Draft<'_>, plan: &Plan, cell: &Cell, i: &Expr, last: bool) -> Vec<Stmt> {
    let place = || cell.place.clone();
    let value = load(&cell.place);
    match d.rng.weighted(&[4, 3, 3, if last { 8 } else { 2 }, 2, 3, 2]) {
        0 => vec![add(place(), int(1))],
        1 => vec![add(place(), bin(Bin::Add, i.clone(), int(1)))],
        2 => vec![assign(place(), i.clone())],
        3 => {
            let test = exception(d, &value);
            let mut body = vec![when(test, vec![note(d, plan)])];
            if d.rng.chance(50) {
                body.push(assign(place(), bin(Bin::Add, i.clone(), int(1))));
            }
            body
        }
        4 => {
            let out = d.global(Type::Ints(3));
            vec![assign(elem(out, i.clone()), value)]
        }
        5 => published(d, cell, i),
        _ => copied(d, i),
    }
}

/// A pointer to own memory in shared memory, and a use of it in some other piece.
fn published(d: &mut Draft<'_>, cell: &Cell, i: &Expr) -> Vec<Stmt> {
    let table = d.global(Type::Pointers(3));
    let slot = elem(table, i.clone());
    let mut body = vec![assign(slot.clone(), cell.pointer.clone())];
    let mine = at(load(&slot), 0);
    match d.rng.below(3) {
        0 => body.push(add(mine, int(1))),
        1 => {
            let other = elem(table, bin(Bin::Sub, int(1), i.clone()));
            let unset = bin(Bin::Ne, load(&other), int(0));
            body.push(when(unset, vec![add(at(load(&other), 0), int(1))]));
        }
        _ => body.push(Stmt::Assert(bin(Bin::Eq, load(&mine), int(0)))),
    }
    body
}

/// A `struct` copied from a slot or own variable, and what came with it.
fn copied(d: &mut Draft<'_>, i: &Expr) -> Vec<Stmt> {
    let parts = d.global(Type::Pairs(3));
    let all = d.global(Type::Pairs(3));
    let field = d.rng.below(2) as u8;
    let me = Expr::ThreadNum;
    let from = Place::Elem(parts, Box::new(me.clone()));
    let mut body = vec![Stmt::Add { place: Place::ElemField(parts, Box::new(me), field), value: int(1) }];
    body.push(assign(elem(all, i.clone()), load(&from)));
    if d.rng.chance(50) {
        let got = load(&Place::ElemField(all, Box::new(i.clone()), field));
        body.push(Stmt::Assert(comparison(d, &got)));
    }
    body
}

/// A worksharing construct whose pieces use the cell.
fn construct(d: &mut Draft<'_>, plan: &Plan, cell: &Cell, last: bool) -> Stmt {
    match d.rng.weighted(&[7, 2, 1]) {
        0 => {
            let head = d.head(2);
            let i = var(head.iter);
            let body = piece(d, plan, cell, &i, last);
            Stmt::For { head, body }
        }
        1 => {
            let blocks = (0..2).map(|k| piece(d, plan, cell, &int(k), last)).collect();
            Stmt::Sections { blocks, nowait: d.rng.chance(15) }
        }
        _ => Stmt::Single { nowait: d.rng.chance(20), body: piece(d, plan, cell, &int(0), last) },
    }
}

/// A loop that leaves a partial result in the cell.
fn gather(d: &mut Draft<'_>, cell: &Cell) -> Stmt {
    let n = 2 + u8::from(d.rng.chance(30));
    let mut head = d.head(n);
    if head.schedule == Schedule::Static {
        head.schedule = Schedule::Dynamic;
    }
    let i = var(head.iter);
    let place = || cell.place.clone();
    let value = load(&cell.place);
    let body = match d.rng.weighted(&[5, 3, 2, 2, 2]) {
        0 => vec![add(place(), int(1))],
        1 => vec![add(place(), bin(Bin::Add, i, int(1)))],
        2 => vec![when(
            bin(Bin::Gt, bin(Bin::Add, i.clone(), int(1)), value),
            vec![assign(place(), bin(Bin::Add, i, int(1)))],
        )],
        3 => vec![assign(place(), Expr::Or(Box::new(value), Box::new(bin(Bin::Eq, i, int(1)))))],
        _ => vec![assign(place(), int(1))],
    };
    Stmt::For { head, body }
}

/// Hands what the cell holds on, and claims something about the whole.
fn hand_over(d: &mut Draft<'_>, plan: &mut Plan, cell: &Cell) -> Vec<Stmt> {
    let mine = load(&cell.place);
    match d.rng.weighted(&[6, 6, 3, 3, 3, 4, 3, 3, 2]) {
        0 => to_shared(d, plan, mine),
        1 => to_slot(d, plan, mine),
        2 => to_own(d, plan, mine),
        3 => to_half(d, plan, mine),
        4 => logical(d, plan, mine),
        5 => extremum(d, plan, mine),
        6 => offsets(d, plan, mine),
        7 => to_long(d, plan, mine),
        _ => captured(d, plan, mine),
    }
}

fn exclusive(d: &mut Draft<'_>, body: Vec<Stmt>) -> Stmt {
    if d.rng.chance(70) { Stmt::Critical { name: None, body } } else { Stmt::Locked { lock: 0, body } }
}

/// A claim behind the region, or inside behind a barrier.
fn claim_whole(d: &mut Draft<'_>, plan: &mut Plan, whole: &Place) -> Vec<Stmt> {
    let value = load(whole);
    if d.rng.chance(60) {
        let test = comparison(d, &value);
        plan.after.push(Stmt::Assert(test));
        Vec::new()
    } else {
        vec![Stmt::Barrier, claim(d, plan, &value)]
    }
}

fn to_shared(d: &mut Draft<'_>, plan: &mut Plan, mine: Expr) -> Vec<Stmt> {
    let total = Place::Var(d.global(Type::Int));
    let handed = if d.rng.chance(25) {
        Stmt::AtomicAdd { place: total.clone(), value: mine }
    } else {
        let body = vec![add(total.clone(), mine)];
        exclusive(d, body)
    };
    let mut body = vec![handed];
    body.extend(claim_whole(d, plan, &total));
    body
}

fn to_slot(d: &mut Draft<'_>, plan: &mut Plan, mine: Expr) -> Vec<Stmt> {
    let slots = d.global(Type::Ints(3));
    let mut body = Vec::new();
    let handed = add(elem(slots, Expr::ThreadNum), mine);
    body.push(if d.rng.chance(50) { exclusive(d, vec![handed]) } else { handed });
    if d.rng.chance(30) {
        // The sum over the slots is fixed again.
        let total = d.local(Type::Int);
        body.push(Stmt::Barrier);
        let both = bin(Bin::Add, load(&elem(slots, int(0))), load(&elem(slots, int(1))));
        body.push(Stmt::Declare { var: total, init: both });
        body.push(claim(d, plan, &var(total)));
    } else {
        let one = elem(slots, int(d.rng.below(2) as i64));
        body.extend(claim_whole(d, plan, &one));
    }
    body
}

fn to_own(d: &mut Draft<'_>, plan: &mut Plan, mine: Expr) -> Vec<Stmt> {
    let other = d.cell();
    let mut body = other.setup.clone();
    let handed = add(other.place.clone(), mine);
    body.push(if d.rng.chance(40) { exclusive(d, vec![handed]) } else { handed });
    body.push(claim(d, plan, &load(&other.place)));
    body
}

fn to_half(d: &mut Draft<'_>, plan: &mut Plan, mine: Expr) -> Vec<Stmt> {
    let wide = d.global(Type::Long);
    let half = Place::Half(wide, d.rng.below(2) as u8);
    let body = vec![add(half.clone(), mine)];
    let mut body = vec![exclusive(d, body)];
    let whole = if d.rng.chance(50) { half } else { Place::Byte(wide, d.rng.below(5) as u8) };
    body.extend(claim_whole(d, plan, &whole));
    body
}

/// A sum whose upper half is carried into: `total += upper half of (mine << 31)`.
fn to_long(d: &mut Draft<'_>, plan: &mut Plan, mine: Expr) -> Vec<Stmt> {
    let wide = d.local(Type::Long);
    let total = Place::Var(d.global(Type::Int));
    let shifted = bin(Bin::Mul, mine, int(1 << 31));
    let half = load(&Place::Half(wide, d.rng.below(2) as u8));
    let handed = exclusive(d, vec![add(total.clone(), half)]);
    let mut body = vec![Stmt::Declare { var: wide, init: shifted }, handed];
    body.extend(claim_whole(d, plan, &total));
    body
}

fn logical(d: &mut Draft<'_>, plan: &mut Plan, mine: Expr) -> Vec<Stmt> {
    let total = Place::Var(d.global(Type::Int));
    let old = Box::new(load(&total));
    let value = if d.rng.chance(50) { Expr::Or(old, Box::new(mine)) } else { Expr::And(old, Box::new(mine)) };
    let mut body = vec![exclusive(d, vec![assign(total.clone(), value)])];
    body.extend(claim_whole(d, plan, &total));
    body
}

fn extremum(d: &mut Draft<'_>, plan: &mut Plan, mine: Expr) -> Vec<Stmt> {
    let total = Place::Var(d.global(Type::Int));
    let op = d.rng.pick(&[Bin::Gt, Bin::Lt]);
    let test = bin(op, mine.clone(), load(&total));
    let step = if d.rng.chance(50) {
        when(test, vec![assign(total.clone(), mine)])
    } else {
        let value = Expr::Cond(Box::new(test), Box::new(mine), Box::new(load(&total)));
        assign(total.clone(), value)
    };
    let mut body = vec![exclusive(d, vec![step])];
    body.extend(claim_whole(d, plan, &total));
    body
}

/// Prefix sums over slots as places to write to.
fn offsets(d: &mut Draft<'_>, plan: &mut Plan, mine: Expr) -> Vec<Stmt> {
    let counts = d.global(Type::Ints(4));
    let out = d.global(Type::Ints(8));
    let mut body = Vec::new();
    let me = d.thread_number(&mut body);
    body.push(assign(elem(counts, bin(Bin::Add, me.clone(), int(1))), mine.clone()));
    body.push(Stmt::Barrier);
    let from = d.local(Type::Int);
    let init = if d.rng.chance(70) {
        Expr::Cond(Box::new(me.clone()), Box::new(load(&elem(counts, int(1)))), Box::new(int(0)))
    } else {
        load(&elem(counts, me.clone()))
    };
    body.push(Stmt::Declare { var: from, init });
    let write = assign(elem(out, var(from)), me);
    body.push(if d.rng.chance(50) { when(bin(Bin::Gt, mine, int(0)), vec![write]) } else { write });
    if d.rng.chance(40) {
        let test = exception(d, &var(from));
        body.push(when(test, vec![note(d, plan)]));
    }
    body
}

fn captured(d: &mut Draft<'_>, plan: &mut Plan, mine: Expr) -> Vec<Stmt> {
    let next = Place::Var(d.global(Type::Int));
    let out = d.global(Type::Ints(4));
    let got = d.local(Type::Int);
    let mut body = vec![
        Stmt::Declare { var: got, init: int(0) },
        Stmt::AtomicCapture { to: got, place: next.clone(), value: 1 },
        assign(elem(out, var(got)), mine),
    ];
    let one = elem(out, int(0));
    body.extend(claim_whole(d, plan, &one));
    body
}

/// Puts the region around the body.
fn finish(d: &mut Draft<'_>, plan: Plan, body: Vec<Stmt>, reduction: Option<(Reduction, Var)>) {
    let threads = Some(d.threads);
    let twice = d.rng.chance(6);
    let region = Stmt::Parallel { threads, reduction, body };
    if twice {
        let round = d.local(Type::Int);
        d.program.main.push(Stmt::Repeat { iter: round, times: 2, body: vec![region] });
    } else {
        d.program.main.push(region);
    }
    d.program.main.extend(plan.after);
}
