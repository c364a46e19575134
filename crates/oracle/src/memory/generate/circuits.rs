//! Short-circuits and branches with something bad on the other side, and lanes of `simd` loops.

use super::super::program::{Bin, Expr, Init, Place, Stmt, Type, Var};
use super::draft::{Draft, add, assign, at, bin, elem, int, load, var, when};

/// A shared truth or extremum that threads update under a lock, where the other operand may fault or lie anywhere.
pub fn circuits(d: &mut Draft<'_>) {
    let first = d.rng.below(2) as i64;
    let ok = d.initialised(Type::Int, vec![Init::Number(first)]);
    let mut body = Vec::new();
    let mut before = Vec::new();
    let me = if d.rng.chance(50) { d.thread_number(&mut body) } else { Expr::ThreadNum };
    let shared = d.rng.chance(35);
    let update = |d: &mut Draft<'_>, me: &Expr, before: &mut Vec<Stmt>| {
        let operand = operand(d, me, before);
        combine(d, ok, operand, me)
    };
    if shared {
        let head = d.head(2);
        let i = var(head.iter);
        let step = update(d, &i, &mut before);
        let inner = critical(d, step);
        body.push(Stmt::For { head, body: vec![inner] });
    } else {
        let step = update(d, &me, &mut before);
        let inner = critical(d, step);
        body.push(inner);
    }
    if d.rng.chance(25) {
        let test = bin(d.rng.pick(&[Bin::Eq, Bin::Ne]), load(&Place::Var(ok)), int(d.rng.below(2) as i64));
        body.push(Stmt::Barrier);
        body.push(Stmt::Assert(test));
    }
    let threads = Some(2);
    before.extend(body);
    d.program.main.push(Stmt::Parallel { threads, reduction: None, body: before });
}

fn critical(d: &mut Draft<'_>, body: Vec<Stmt>) -> Stmt {
    if d.rng.chance(70) { Stmt::Critical { name: None, body } } else { Stmt::Locked { lock: 0, body } }
}

/// The second operand, which may be a fault for some thread, or at an address that is open.
fn operand(d: &mut Draft<'_>, me: &Expr, before: &mut Vec<Stmt>) -> Expr {
    match d.rng.weighted(&[4, 3, 3, 4, 2]) {
        0 => {
            let truth = Init::Number(d.rng.below(2) as i64);
            let z = d.initialised(Type::Int, vec![truth]);
            let null = d.rng.below(3);
            let one = |k| if k == null { Init::Number(0) } else { Init::Address(z) };
            let q = d.initialised(Type::Pointers(2), (0..2).map(one).collect());
            load(&at(load(&elem(q, me.clone())), 0))
        }
        1 => {
            let numbers = (0..2).map(|_| Init::Number(d.rng.below(2) as i64)).collect();
            let divisors = d.initialised(Type::Ints(2), numbers);
            bin(Bin::Div, int(3), load(&elem(divisors, me.clone())))
        }
        2 => {
            let far = bin(Bin::Mul, me.clone(), int(d.rng.below(3) as i64));
            let truth = Init::Number(d.rng.below(2) as i64);
            let values = d.initialised(Type::Ints(2), vec![truth]);
            load(&elem(values, far))
        }
        3 => open_address(d, me, before),
        _ => {
            let values: Vec<Init> = (0..2).map(|_| Init::Number(d.rng.below(3) as i64)).collect();
            let v = d.initialised(Type::Ints(2), values);
            load(&elem(v, me.clone()))
        }
    }
}

/// An element at an index that another thread has set, perhaps, beside a write that nothing protects.
fn open_address(d: &mut Draft<'_>, me: &Expr, before: &mut Vec<Stmt>) -> Expr {
    let index = d.global(Type::Int);
    let values = d.global(Type::Ints(2));
    let k = d.local(Type::Int);
    let lock = |body| Stmt::Critical { name: Some(1), body };
    let one = bin(Bin::Eq, Expr::ThreadNum, int(1));
    let set = vec![
        lock(vec![assign(Place::Var(index), int(1))]),
        assign(elem(values, int(d.rng.below(2) as i64)), int(1)),
    ];
    before.push(when(one, set));
    before.push(Stmt::Declare { var: k, init: int(0) });
    before.push(lock(vec![assign(Place::Var(k), load(&Place::Var(index)))]));
    let _ = me;
    load(&elem(values, var(k)))
}

/// What is done with the operand: `&&`, `||`, a conditional, an extremum by a branch.
fn combine(d: &mut Draft<'_>, ok: Var, operand: Expr, me: &Expr) -> Vec<Stmt> {
    let place = Place::Var(ok);
    let old = load(&place);
    match d.rng.weighted(&[4, 4, 3, 3]) {
        0 => vec![assign(place, Expr::And(Box::new(old), Box::new(operand)))],
        1 => vec![assign(place, Expr::Or(Box::new(old), Box::new(operand)))],
        2 => {
            let mine = bin(Bin::Add, me.clone(), int(d.rng.below(2) as i64));
            let test = bin(d.rng.pick(&[Bin::Gt, Bin::Lt]), mine.clone(), old);
            let sink = d.global(Type::Int);
            vec![when(test, vec![assign(Place::Var(sink), operand), assign(place, mine)])]
        }
        _ => {
            let test = bin(Bin::Eq, old.clone(), int(d.rng.below(2) as i64));
            vec![assign(place, Expr::Cond(Box::new(test), Box::new(operand), Box::new(int(1))))]
        }
    }
}

/// `simd` loops over own memory, fields, elements, through pointers.
pub fn lanes(d: &mut Draft<'_>) {
    let mut body = Vec::new();
    let loops = 1 + d.rng.below(2);
    for _ in 0..loops {
        let n = 2 + d.rng.below(3) as u8;
        lane_loop(d, n, &mut body);
    }
    if d.rng.chance(30) {
        let threads = Some(d.threads);
        let one = Stmt::Masked { body };
        d.program.main.push(Stmt::Parallel { threads, reduction: None, body: vec![one] });
    } else {
        d.program.main.extend(body);
    }
}

fn lane_loop(d: &mut Draft<'_>, n: u8, body: &mut Vec<Stmt>) {
    let iter = d.local(Type::Int);
    let safelen = d.rng.chance(40).then(|| 1 + d.rng.below(n as usize + 1) as u8);
    let i = var(iter);
    let mut private = None;
    let step = match d.rng.weighted(&[3, 3, 3, 3, 3, 3, 2]) {
        0 => {
            let by = d.rng.below(3) as u8;
            let a = d.global(Type::Ints(n + by));
            let ahead = elem(a, bin(Bin::Add, i.clone(), int(i64::from(by))));
            vec![assign(ahead, bin(Bin::Add, load(&elem(a, i)), int(1)))]
        }
        1 => {
            let m = d.local(Type::Int);
            let p = d.local(Type::Pointer);
            body.push(Stmt::Declare { var: m, init: int(0) });
            body.push(Stmt::Declare { var: p, init: Expr::Addr(Place::Var(m)) });
            vec![add(at(var(p), 0), i)]
        }
        2 => {
            let s = d.local(Type::Pair);
            body.push(Stmt::Declare { var: s, init: int(0) });
            if d.rng.chance(30) {
                private = Some(s);
            }
            let field = Place::Field(s, d.rng.below(2) as u8);
            vec![assign(field.clone(), i.clone()), reader(d, &field, n, &i)]
        }
        3 => {
            let s = d.global(Type::Pairs(n));
            let field = d.rng.below(2) as u8;
            let fixed = d.rng.chance(30);
            let other = if fixed { int(0) } else { i.clone() };
            let mine = Place::ElemField(s, Box::new(i), field);
            vec![
                assign(mine, int(1)),
                reader(d, &Place::ElemField(s, Box::new(other.clone()), field), n, &other),
            ]
        }
        4 => {
            let m = d.local(Type::Int);
            body.push(Stmt::Declare { var: m, init: int(0) });
            if d.rng.chance(60) {
                private = Some(m);
            }
            vec![assign(Place::Var(m), i.clone()), reader(d, &Place::Var(m), n, &i)]
        }
        5 => {
            let a = d.global(Type::Ints(n));
            let p = d.local(Type::Pointer);
            let target = if d.rng.chance(50) { i.clone() } else { int(0) };
            vec![Stmt::Declare { var: p, init: Expr::Addr(elem(a, target)) }, add(at(var(p), 0), int(1))]
        }
        _ => {
            let k = d.rng.below(n as usize) as i64;
            let g = d.global(Type::Int);
            vec![when(bin(Bin::Eq, i.clone(), int(k)), vec![assign(Place::Var(g), i)])]
        }
    };
    body.push(Stmt::Simd { iter, n, safelen, private, body: step });
}

/// Keeps what a lane reads where no other lane writes.
fn reader(d: &mut Draft<'_>, from: &Place, n: u8, i: &Expr) -> Stmt {
    let out = d.global(Type::Ints(n));
    assign(elem(out, i.clone()), load(from))
}
