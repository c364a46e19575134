//! The usual ways in which OpenMP threads share data, right or spoilt.

use super::Draft;
use super::mutate::schedule;
use crate::openmp::program::{Depend, Index, Loop, Order, Place, Schedule, Stmt, TaskClauses, Test, Value};

type Idiom = fn(&mut Draft) -> Vec<Stmt>;

/// Some statements for a region, at the level of the team.
pub fn phrase(d: &mut Draft) -> Vec<Stmt> {
    let idioms: [(usize, Idiom); 24] = [
        (8, counter),
        (11, array_loop),
        (9, two_loops),
        (8, sum_loop),
        (6, once_then_read),
        (6, sections),
        (5, ordered),
        (9, tasks),
        (5, nested_tasks),
        (4, task_each),
        (5, flag),
        (5, slots),
        (6, loop_slots),
        (4, sum_of_slots),
        (6, sensitive),
        (4, lastprivate),
        (3, firstprivate),
        (3, test_lock),
        (5, carried),
        (3, nested_locks),
        (2, lock_over_barrier),
        (4, by_number),
        (3, allocated_slots),
        (3, checked),
    ];
    let weights: Vec<usize> = idioms.iter().map(|i| i.0).collect();
    let which = d.rng.weighted(&weights);
    idioms[which].1(d)
}

fn read(reg: u8, place: Place) -> Stmt {
    Stmt::Read { reg, place }
}

fn write(place: Place, value: Value) -> Stmt {
    Stmt::Write { place, value }
}

fn when(test: Test, then: Vec<Stmt>) -> Stmt {
    Stmt::If { test, then, otherwise: Vec::new() }
}

fn critical(name: Option<u8>, body: Vec<Stmt>) -> Stmt {
    Stmt::Critical { name, body }
}

fn constant(d: &mut Draft) -> Value {
    Value::Const(1 + d.rng.below(2) as i32)
}

/// Adds 1 to `place` under the protection that belongs to `var`, or a wrong one.
fn add(d: &mut Draft, var: u8, place: Place) -> Stmt {
    let guard = if d.spoilt() { d.rng.below(7) } else { d.guards[var as usize] };
    let plain = Stmt::Increment { place };
    match guard {
        0 => critical(None, vec![plain]),
        1 => critical(Some(0), vec![plain]),
        2 => critical(Some(1), vec![plain]),
        3 => Stmt::Locked { lock: d.rng.below(d.locks as usize) as u8, body: vec![plain] },
        4 => Stmt::AtomicUpdate { place, add: 1, order: Order::SeqCst },
        5 => Stmt::AtomicUpdate { place, add: 1, order: Order::Relaxed },
        _ => plain,
    }
}

fn head(d: &mut Draft, n: u8) -> Loop {
    Loop {
        n,
        schedule: schedule(&mut d.rng),
        nowait: d.rng.chance(25),
        ordered: false,
        reduction: None,
        lastprivate: None,
        firstprivate: None,
    }
}

fn trips(d: &mut Draft) -> u8 {
    2 + d.rng.weighted(&[45, 35, 20]) as u8
}

/// All threads add to a variable.
fn counter(d: &mut Draft) -> Vec<Stmt> {
    let var = d.var();
    let threads = d.threads as i32;
    d.grows(var, threads);
    vec![add(d, var, Place::Var(var))]
}

/// A place of an array in an iteration: mostly its own.
fn element(d: &mut Draft, array: u8, own: usize) -> Place {
    let index = match d.rng.weighted(&[own, 20, 8]) {
        0 => Index::Iter(0),
        1 => Index::Iter(1),
        _ => Index::Const(d.rng.below(3) as u8),
    };
    Place::Elem(array, index)
}

/// Iterations write their own elements, and read some.
fn array_loop(d: &mut Draft) -> Vec<Stmt> {
    let n = trips(d);
    let array = d.array();
    let mut body = Vec::new();
    let reg = d.register();
    if d.rng.chance(60) {
        let from = if d.rng.chance(60) { array } else { d.array() };
        let place = element(d, from, 72);
        body.push(read(reg, place));
    }
    let value = [Value::Const(1), Value::Iter(1), Value::Plus(reg, 1)][d.rng.below(3)];
    let place = element(d, array, 200);
    body.push(if d.rng.chance(70) { write(place, value) } else { Stmt::Increment { place } });
    if d.rng.chance(25) {
        let var = d.var();
        d.grows(var, n as i32);
        let place = Place::Var(var);
        let stmt = add(d, var, place);
        body.push(stmt);
    }
    if d.rng.chance(12) {
        let value = d.rng.below(n as usize) as i32;
        let last = body.pop();
        body.push(when(Test { reg: Test::ITER, equal: d.rng.chance(60), value }, last.into_iter().collect()));
    }
    vec![Stmt::For { head: head(d, n), body }]
}

/// One loop writes, the next one reads; with or without the same shape, with or without a barrier.
fn two_loops(d: &mut Draft) -> Vec<Stmt> {
    let n = trips(d);
    let array = d.array();
    let mut first = head(d, n);
    let mut second = head(d, n);
    if d.rng.chance(60) {
        first.schedule = Schedule::Static([None, Some(1), Some(2)][d.rng.below(3)]);
        second.schedule = first.schedule;
        first.nowait = d.rng.chance(70);
    }
    if d.rng.chance(10) {
        second.n = trips(d);
    }
    let reg = d.register();
    let from = element(d, array, 90);
    let mut body = vec![read(reg, from)];
    if d.rng.chance(50) {
        let place = element(d, array, 200);
        body.push(write(place, Value::Plus(reg, 1)));
    }
    vec![
        Stmt::For { head: first, body: vec![write(Place::Elem(array, Index::Iter(0)), Value::Iter(1))] },
        Stmt::For { head: second, body },
    ]
}

/// A sum over a loop, by reduction or under a protection, and a look at it, perhaps too early.
fn sum_loop(d: &mut Draft) -> Vec<Stmt> {
    let n = trips(d);
    let var = d.var();
    let mut head = head(d, n);
    let body = if d.rng.chance(65) {
        head.reduction = Some(var);
        head.nowait = d.rng.chance(30);
        vec![Stmt::Increment { place: Place::Var(var) }]
    } else {
        vec![add(d, var, Place::Var(var))]
    };
    d.grows(var, n as i32);
    let mut found = vec![Stmt::For { head, body }];
    if d.rng.chance(35) {
        found.push(read(d.register(), Place::Var(var)));
    }
    if d.rng.chance(15) {
        found.insert(0, read(d.register(), Place::Var(var)));
    }
    found
}

/// One thread writes, all read.
fn once_then_read(d: &mut Draft) -> Vec<Stmt> {
    let var = d.var();
    d.unclear(var);
    let body = vec![write(Place::Var(var), constant(d))];
    let reader = read(d.register(), Place::Var(var));
    let nowait = d.spoilt();
    let mut found = match d.rng.below(3) {
        0 | 1 => vec![Stmt::Single { nowait, body }],
        _ => {
            let filter = [None, Some(0), Some(1)][d.rng.below(3)];
            let masked = Stmt::Masked { filter, body };
            if nowait { vec![masked] } else { vec![masked, Stmt::Barrier] }
        }
    };
    if d.rng.chance(80) {
        found.push(reader);
    }
    found
}

/// Sections on different variables, or the same.
fn sections(d: &mut Draft) -> Vec<Stmt> {
    let var = d.var();
    let mut blocks = Vec::new();
    for _ in 0..2 + d.rng.weighted(&[75, 25]) {
        let here = if d.rng.chance(50) { var } else { d.var() };
        blocks.push(match d.rng.below(4) {
            0 => {
                d.unclear(here);
                vec![write(Place::Var(here), constant(d))]
            }
            1 => vec![write(Place::Elem(d.array(), Index::Const(blocks.len() as u8)), constant(d))],
            2 => {
                d.unclear(here);
                let other = d.other(here);
                vec![
                    read(0, Place::Var(other)),
                    write(Place::Elem(d.array(), Index::Const(4)), Value::Plus(0, 1)),
                ]
            }
            _ => {
                d.grows(here, 1);
                vec![add(d, here, Place::Var(here))]
            }
        });
    }
    vec![Stmt::Sections { nowait: d.rng.chance(25), blocks }]
}

/// A loop with an ordered region.
fn ordered(d: &mut Draft) -> Vec<Stmt> {
    let n = trips(d).min(3);
    let var = d.var();
    let mut head = head(d, n);
    head.ordered = true;
    let inside = match d.rng.below(3) {
        0 => vec![Stmt::Increment { place: Place::Var(var) }],
        1 => vec![read(0, Place::Var(var)), write(Place::Var(var), Value::Plus(0, 1))],
        _ => vec![
            read(1, Place::Var(var)),
            Stmt::Assert(Test::eq(1, 0)),
            write(Place::Var(var), Value::Const(0)),
        ],
    };
    d.grows(var, n as i32);
    let mut body = vec![Stmt::Ordered { body: inside }];
    if d.rng.chance(50) {
        let at = d.rng.below(2);
        let array = d.array();
        let place = element(d, array, 150);
        body.insert(at, write(place, Value::Iter(1)));
    }
    if d.spoilt() {
        let at = d.rng.below(body.len() + 1);
        body.insert(at, read(0, Place::Var(var)));
    }
    vec![Stmt::For { head, body }]
}

fn task(clauses: TaskClauses, body: Vec<Stmt>) -> Stmt {
    Stmt::Task { clauses, body }
}

/// Wraps what only one thread shall do.
fn by_one(d: &mut Draft, body: Vec<Stmt>) -> Stmt {
    match d.rng.below(4) {
        0 => Stmt::Masked { filter: None, body },
        _ => Stmt::Single { nowait: d.rng.chance(30), body },
    }
}

/// One thread creates tasks with dependences, and waits or not.
fn tasks(d: &mut Draft) -> Vec<Stmt> {
    let var = d.var();
    d.unclear(var);
    let count = 2 + d.rng.weighted(&[70, 30]);
    let mut body = Vec::new();
    for _ in 0..count {
        let other = d.other(var);
        let (kind, stmts) = match d.rng.below(5) {
            0 => (Depend::In, vec![read(0, Place::Var(var))]),
            1 => (Depend::Out, vec![write(Place::Var(var), constant(d))]),
            2 => (Depend::Inout, vec![Stmt::Increment { place: Place::Var(var) }]),
            3 => (Depend::Mutexinoutset, vec![Stmt::Increment { place: Place::Var(var) }]),
            _ => {
                d.unclear(other);
                (Depend::In, vec![read(0, Place::Var(var)), write(Place::Var(other), Value::Plus(0, 1))])
            }
        };
        let mut clauses = TaskClauses::default();
        if !d.spoilt() {
            clauses.depends.push((kind, var));
        }
        if d.rng.chance(15) {
            clauses.depends.push((Depend::Inout, other));
        }
        clauses.undeferred = d.rng.chance(12);
        body.push(task(clauses, stmts));
    }
    match d.rng.below(4) {
        0 => body.push(Stmt::Taskwait),
        1 => body = vec![Stmt::Taskgroup { body }],
        _ => {}
    }
    if d.rng.chance(40) {
        body.push(read(0, Place::Var(var)));
    }
    vec![by_one(d, body)]
}

/// A task creates another one; `taskwait` and taskgroups wait for it or do not.
fn nested_tasks(d: &mut Draft) -> Vec<Stmt> {
    let var = d.var();
    d.unclear(var);
    let inner = task(TaskClauses::default(), vec![Stmt::Increment { place: Place::Var(var) }]);
    let mut outer = vec![inner];
    match d.rng.below(4) {
        0 => outer.push(Stmt::Taskwait),
        1 => outer = vec![Stmt::Taskgroup { body: outer }],
        _ => {}
    }
    if d.rng.chance(40) {
        outer.push(Stmt::Increment { place: Place::Var(var) });
    }
    let clauses = TaskClauses { undeferred: d.rng.chance(15), ..TaskClauses::default() };
    let mut body = vec![task(clauses, outer)];
    match d.rng.below(4) {
        0 | 1 => body.push(Stmt::Taskwait),
        2 => body = vec![Stmt::Taskgroup { body }],
        _ => {}
    }
    if d.rng.chance(60) {
        body.push(read(0, Place::Var(var)));
    }
    vec![by_one(d, body)]
}

/// Every thread, or every iteration, creates a task.
fn task_each(d: &mut Draft) -> Vec<Stmt> {
    let var = d.var();
    let mut clauses = TaskClauses::default();
    let body = match d.rng.below(4) {
        0 => vec![add(d, var, Place::Var(var))],
        1 => {
            let other = d.other(var);
            d.unclear(other);
            clauses.firstprivate = Some(var);
            vec![read(0, Place::Var(var)), add(d, other, Place::Var(other))]
        }
        2 => {
            let place = Place::Elem(d.array(), Index::Reg(0));
            let number = Stmt::ThreadNum { reg: 0 };
            match d.rng.below(5) {
                0 => vec![number, write(place, Value::Const(1))],
                1 => vec![number, read(1, place), write(place, Value::Plus(1, 1))],
                2 => vec![number, Stmt::Taskyield, Stmt::Increment { place }],
                3 => vec![number, when(Test::eq(0, 1), vec![write(Place::Var(var), constant(d))])],
                _ => vec![number, Stmt::Increment { place }],
            }
        }
        _ => vec![Stmt::Set { reg: 1, value: Value::Plus(1, 1) }, add(d, var, Place::Var(var))],
    };
    d.unclear(var);
    let stmt = task(clauses, body);
    if d.rng.chance(35) {
        let head = Loop { n: 2, ..head(d, 2) };
        return vec![Stmt::For { head, body: vec![stmt] }];
    }
    let mut found = vec![stmt];
    match d.rng.below(3) {
        0 => found.push(Stmt::Taskwait),
        1 => found.push(Stmt::Taskyield),
        _ => {}
    }
    found
}

/// A thread hands something over to another one by a flag.
fn flag(d: &mut Draft) -> Vec<Stmt> {
    let data = d.var();
    let flag = d.other(data);
    d.unclear(data);
    d.unclear(flag);
    let place = Place::Var(flag);
    let flush = d.rng.chance(40);
    let orders = match d.rng.below(10) {
        0..=5 => (Order::SeqCst, Order::SeqCst),
        6 | 7 => (Order::Release, Order::Acquire),
        _ => (Order::Relaxed, Order::Relaxed),
    };
    let orders = if flush { (Order::Relaxed, Order::Relaxed) } else { orders };
    let mut sender = vec![write(Place::Var(data), Value::Const(1))];
    let mut receiver = Vec::new();
    if flush && !d.spoilt() {
        sender.push(Stmt::Flush);
    }
    sender.push(Stmt::AtomicWrite { place, value: Value::Const(1), order: orders.0 });
    let look = read(1, Place::Var(data));
    let mut after = if flush && !d.spoilt() { vec![Stmt::Flush, look] } else { vec![look] };
    if d.rng.chance(40) {
        after.push(Stmt::Assert(Test::eq(1, 1)));
    }
    if d.rng.chance(50) {
        receiver.push(Stmt::Spin { place, value: 1, order: orders.1 });
        receiver.extend(after);
    } else {
        receiver.push(Stmt::AtomicRead { reg: 0, place, order: orders.1 });
        receiver.push(when(Test::eq(0, 1), after));
    }
    match d.rng.below(3) {
        0 => vec![Stmt::Sections { nowait: false, blocks: vec![sender, receiver] }],
        _ => vec![
            Stmt::ThreadNum { reg: 0 },
            Stmt::If { test: Test::eq(0, 0), then: sender, otherwise: receiver },
        ],
    }
}

/// Each thread has its own element.
fn slots(d: &mut Draft) -> Vec<Stmt> {
    let array = d.array();
    let mine = Place::Elem(array, Index::Reg(0));
    let mut found = vec![Stmt::ThreadNum { reg: 0 }];
    if d.rng.chance(40) {
        let n = trips(d);
        found.push(Stmt::For { head: head(d, n), body: vec![Stmt::Increment { place: mine }] });
    } else {
        found.push(write(mine, Value::Plus(0, 1)));
    }
    if d.rng.chance(60) {
        if !d.spoilt() {
            found.push(Stmt::Barrier);
        }
        found.push(read(1, Place::Elem(array, Index::Const(d.rng.below(2) as u8))));
    }
    found
}

/// What a thread sees under a lock decides what it does.
fn sensitive(d: &mut Draft) -> Vec<Stmt> {
    let var = d.var();
    let other = d.other(var);
    d.unclear(var);
    d.unclear(other);
    let place = Place::Var(var);
    let look = vec![read(0, place), write(place, Value::Plus(0, 1))];
    let seen = match d.rng.below(3) {
        0 => critical(None, look),
        1 => Stmt::Locked { lock: 0, body: look },
        _ => Stmt::AtomicCapture {
            reg: 0,
            place,
            add: 1,
            order: [Order::SeqCst, Order::Relaxed][d.rng.below(2)],
        },
    };
    let then = match d.rng.below(3) {
        0 => vec![write(Place::Var(other), Value::Const(1))],
        1 => vec![add(d, other, Place::Var(other))],
        _ => vec![read(1, Place::Var(other))],
    };
    let test = Test { reg: 0, equal: d.rng.chance(75), value: d.rng.below(3) as i32 };
    let stmts = vec![seen, when(test, then)];
    if d.rng.chance(30) {
        return vec![Stmt::For { head: head(d, 2), body: stmts }];
    }
    stmts
}

/// The value of the last iteration survives.
fn lastprivate(d: &mut Draft) -> Vec<Stmt> {
    let var = d.var();
    d.unclear(var);
    let n = trips(d);
    let mut head = head(d, n);
    head.lastprivate = Some(var);
    let mut body = vec![write(Place::Var(var), Value::Iter(1))];
    if d.rng.chance(50) {
        body.push(read(0, Place::Var(var)));
        body.push(write(Place::Elem(d.array(), Index::Iter(0)), Value::Plus(0, 0)));
    }
    let mut found = vec![Stmt::For { head, body }];
    if d.rng.chance(60) {
        found.push(read(1, Place::Var(var)));
        if d.rng.chance(50) {
            found.push(Stmt::Assert(Test::eq(1, n as i32)));
        }
    }
    found
}

/// Each thread starts from a copy.
fn firstprivate(d: &mut Draft) -> Vec<Stmt> {
    let var = d.var();
    let n = trips(d);
    let mut head = head(d, n);
    head.firstprivate = Some(var);
    let place = Place::Var(var);
    let body = vec![
        Stmt::Increment { place },
        read(0, place),
        write(Place::Elem(d.array(), Index::Iter(0)), Value::Plus(0, 0)),
    ];
    let mut found = vec![Stmt::For { head, body }];
    if d.rng.chance(40) {
        d.unclear(var);
        let body = vec![write(place, Value::Const(1))];
        let at = d.rng.below(2);
        found.insert(at, Stmt::Single { nowait: d.rng.chance(50), body });
    }
    found
}

/// A lock that is only tried.
fn test_lock(d: &mut Draft) -> Vec<Stmt> {
    let var = d.var();
    d.unclear(var);
    let place = Place::Var(var);
    let otherwise = match d.rng.below(4) {
        0 => vec![Stmt::Set { reg: 1, value: Value::Const(1) }],
        1 => vec![read(1, place)],
        2 => vec![Stmt::Locked { lock: 0, body: vec![Stmt::Increment { place }] }],
        _ => Vec::new(),
    };
    vec![Stmt::TestLock { lock: 0, then: vec![Stmt::Increment { place }], otherwise }]
}

/// Iterations use an element of the thread that executes them.
fn loop_slots(d: &mut Draft) -> Vec<Stmt> {
    let (array, n) = (d.array(), trips(d));
    let mine = Place::Elem(array, Index::Reg(0));
    let number = Stmt::ThreadNum { reg: 0 };
    let outside = d.rng.chance(40);
    let mut body = if outside { Vec::new() } else { vec![number.clone()] };
    for _ in 0..1 + d.rng.weighted(&[50, 35, 15]) {
        let test = Test { reg: 1, equal: d.rng.chance(60), value: d.rng.below(3) as i32 };
        let var = d.var();
        match d.rng.weighted(&[30, 15, 15, 15, 10, 15]) {
            0 => body.push(Stmt::Increment { place: mine }),
            1 => body.push(write(mine, Value::Iter(0))),
            2 => body.push(read(1, mine)),
            3 => {
                d.unclear(var);
                body.extend([read(1, mine), when(test, vec![write(Place::Var(var), constant(d))])]);
            }
            // Who executed the iteration.
            4 => body.push(write(Place::Elem(d.array(), Index::Iter(0)), Value::Plus(0, 0))),
            _ => {
                d.grows(var, n as i32);
                body.push(add(d, var, Place::Var(var)));
            }
        }
    }
    let mut found = if outside { vec![number] } else { Vec::new() };
    if outside && d.rng.chance(35) {
        found.push(write(mine, Value::Plus(0, 1)));
    }
    found.push(Stmt::For { head: head(d, n), body });
    if d.rng.chance(30) {
        // The thread's own once more, or another one's.
        let index = if d.spoilt() { Index::Const(d.rng.below(2) as u8) } else { Index::Reg(0) };
        let again = Place::Elem(array, if outside { index } else { Index::Const(0) });
        found.push(if d.rng.chance(50) { read(1, again) } else { Stmt::Increment { place: again } });
    }
    if d.rng.chance(40) {
        if !d.spoilt() {
            found.push(Stmt::Barrier);
        }
        let test = Test { reg: 1, equal: d.rng.chance(50), value: d.rng.below(3) as i32 };
        let var = d.var();
        d.unclear(var);
        let look = vec![read(1, Place::Elem(array, Index::Const(d.rng.below(2) as u8)))];
        let use_it = match d.rng.below(3) {
            0 => vec![],
            1 => vec![when(test, vec![write(Place::Var(var), constant(d))])],
            _ => vec![write(Place::Elem(d.array(), Index::Reg(1)), Value::Const(1))],
        };
        found.push(Stmt::Single { nowait: false, body: [look, use_it].concat() });
    }
    found
}

/// Iterations add to an element of the thread that executes them, and the elements are added up behind the loop.
fn sum_of_slots(d: &mut Draft) -> Vec<Stmt> {
    let (array, n) = (d.array(), trips(d));
    let place = Place::Elem(array, Index::Reg(0));
    let mut body = vec![Stmt::ThreadNum { reg: 0 }, Stmt::Increment { place }];
    match d.rng.below(12) {
        0 => body.push(Stmt::Increment { place }),
        1 => body.push(write(place, Value::Const(0))),
        2 => body = vec![Stmt::ThreadNum { reg: 0 }, when(Test::eq(0, 0), vec![Stmt::Increment { place }])],
        3 => {
            body = vec![
                Stmt::ThreadNum { reg: 0 },
                read(1, place),
                Stmt::Set { reg: 1, value: Value::Sum(1, 0) },
                write(place, Value::Plus(1, 0)),
            ];
        }
        _ => {}
    }
    let mut found = vec![Stmt::For { head: head(d, n), body }];
    if d.rng.chance(20) {
        found.insert(0, Stmt::ThreadNum { reg: 0 });
        let at = d.rng.below(2);
        found.insert(1 + at, write(place, Value::Const(d.rng.below(2) as i32)));
    }
    if !d.spoilt() {
        found.push(Stmt::Barrier);
    }
    let slots = if d.spoilt() { 1 } else { d.threads };
    let mut sum = vec![read(1, Place::Elem(array, Index::Const(0)))];
    for slot in 1..slots {
        sum.push(read(0, Place::Elem(array, Index::Const(slot))));
        let value = if d.rng.chance(92) { Value::Sum(1, 0) } else { Value::Sum(0, 0) };
        sum.push(Stmt::Set { reg: 1, value });
    }
    let value = if d.rng.chance(70) { n as i32 } else { d.rng.below(5) as i32 };
    let test = Test { reg: 1, equal: d.rng.chance(70), value };
    sum.push(if d.rng.chance(70) {
        Stmt::Assert(test)
    } else {
        let var = d.var();
        d.unclear(var);
        when(test, vec![write(Place::Var(var), Value::Const(1))])
    });
    found.push(Stmt::Single { nowait: d.rng.chance(30), body: sum });
    found
}

/// Something private is carried from one iteration to the next.
fn carried(d: &mut Draft) -> Vec<Stmt> {
    let n = trips(d);
    let var = d.var();
    d.unclear(var);
    let mut body = vec![Stmt::Set { reg: 1, value: Value::Plus(1, 1) }];
    let test = Test { reg: 1, equal: d.rng.chance(70), value: 1 + d.rng.below(3) as i32 };
    body.push(match d.rng.below(4) {
        0 => when(test, vec![write(Place::Var(var), Value::Const(1))]),
        1 => write(Place::Elem(d.array(), Index::Reg(1)), Value::Iter(0)),
        2 => when(test, vec![add(d, var, Place::Var(var))]),
        _ => write(Place::Elem(d.array(), Index::Iter(0)), Value::Plus(1, 0)),
    });
    let mut found = vec![Stmt::For { head: head(d, n), body }];
    if d.rng.chance(40) {
        found.push(when(test, vec![write(Place::Var(var), Value::Const(2))]));
    }
    found
}

/// Two locks or names, one inside the other, perhaps the other way round elsewhere.
fn nested_locks(d: &mut Draft) -> Vec<Stmt> {
    let var = d.var();
    d.unclear(var);
    let inner = Stmt::Increment { place: Place::Var(var) };
    let nest = |d: &Draft, first: u8| {
        let body = vec![inner.clone()];
        if d.locks == 2 {
            Stmt::Locked { lock: first, body: vec![Stmt::Locked { lock: 1 - first, body }] }
        } else if first == 0 {
            critical(Some(0), vec![Stmt::Locked { lock: 0, body }])
        } else {
            Stmt::Locked { lock: 0, body: vec![critical(Some(0), body)] }
        }
    };
    let second = u8::from(d.rng.chance(60));
    let (one, two) = (nest(d, 0), nest(d, second));
    match d.rng.below(3) {
        0 => vec![Stmt::Sections { nowait: d.rng.chance(30), blocks: vec![vec![one], vec![two]] }],
        1 => vec![
            Stmt::ThreadNum { reg: 0 },
            Stmt::If { test: Test::eq(0, 0), then: vec![one], otherwise: vec![two] },
        ],
        _ => vec![one, two],
    }
}

fn lock_over_barrier(d: &mut Draft) -> Vec<Stmt> {
    let var = d.var();
    d.unclear(var);
    let body = vec![Stmt::Increment { place: Place::Var(var) }, Stmt::Barrier];
    vec![Stmt::Locked { lock: 0, body }]
}

/// The thread's number decides who does what.
fn by_number(d: &mut Draft) -> Vec<Stmt> {
    let var = d.var();
    d.unclear(var);
    let place = Place::Var(var);
    let then = vec![write(place, Value::Const(2))];
    let otherwise = if d.rng.chance(50) { vec![read(1, place)] } else { Vec::new() };
    let mut found = vec![
        Stmt::ThreadNum { reg: 0 },
        Stmt::If { test: Test::eq(0, d.rng.below(2) as i32), then, otherwise },
    ];
    if d.rng.chance(50) {
        found.push(Stmt::Barrier);
        found.push(when(Test::eq(0, d.rng.below(2) as i32), vec![Stmt::Increment { place }]));
    }
    found
}

/// Threads or iterations get the next free element of an array from a counter.
fn allocated_slots(d: &mut Draft) -> Vec<Stmt> {
    let var = d.var();
    d.unclear(var);
    let place = Place::Var(var);
    let order = [Order::SeqCst, Order::Relaxed, Order::AcqRel][d.rng.below(3)];
    let mut stmts = match d.rng.below(3) {
        0 => vec![critical(None, vec![read(0, place), write(place, Value::Plus(0, 1))])],
        _ => vec![Stmt::AtomicCapture { reg: 0, place, add: 1, order }],
    };
    stmts.push(write(Place::Elem(d.array(), Index::Reg(0)), Value::Const(1)));
    if d.rng.chance(40) {
        let n = trips(d);
        return vec![Stmt::For { head: head(d, n), body: stmts }];
    }
    stmts
}

/// A value is asserted in the region, after a barrier or not.
fn checked(d: &mut Draft) -> Vec<Stmt> {
    let var = d.var();
    let place = Place::Var(var);
    let expected = d.expected[var as usize];
    let mut found = vec![Stmt::Barrier, read(0, place)];
    match expected {
        Some(value) if d.rng.chance(85) => found.push(Stmt::Assert(Test::eq(0, value))),
        _ => found.push(Stmt::Assert(Test { reg: 0, equal: false, value: 2 })),
    }
    if d.rng.chance(50) {
        found.push(Stmt::Barrier);
    }
    found
}
