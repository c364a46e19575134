//! The idioms that programs are made of: usual ways of sharing data, each sometimes a little wrong.

use super::Draft;
use crate::program::{Order, Stmt, Test, Value};
use crate::rng::Rng;

/// An idiom: its weight, whether the draft has the objects that it needs, and what it does.
type Idiom = (usize, fn(&Draft) -> bool, fn(&mut Draft));

const IDIOMS: &[Idiom] = &[
    (14, |d| d.program.mutexes > 0, guarded),
    (10, |d| d.program.rwlocks > 0, rwlock),
    (14, |d| d.program.atomics > 0, message),
    (10, |d| d.program.mutexes > 0 && d.program.vars > 1, handover),
    (16, |d| d.program.mutexes > 0 && d.program.conds > 0, condition),
    (7, |_| true, barrier),
    (12, |d| !d.program.sems.is_empty(), semaphore),
    (9, |d| d.program.mutexes > 0, trylock),
    (12, |d| d.program.mutexes > 1, nested),
    (8, |d| d.program.atomics > 0, owner),
    (7, |d| d.program.atomics > 0, ticket),
    (7, |d| d.program.atomics > 0, spinlock),
    (6, |d| d.program.atomics > 1, dekker),
    (8, |d| d.program.mutexes > 0, split_update),
    (5, |d| d.program.atomics > 0, sequence),
    (6, |d| d.program.atomics > 0 && d.program.mutexes > 0, double_checked),
    (7, |_| true, phases),
    (5, |d| d.program.atomics > 0, mixed),
    (6, |d| !d.program.sems.is_empty(), try_down),
    (6, |_| true, noise),
    (3, |_| true, unguarded),
];

/// Adds one idiom to `draft`.
pub fn add(draft: &mut Draft) {
    let weights: Vec<usize> =
        IDIOMS.iter().map(|(weight, fits, _)| if fits(draft) { *weight } else { 0 }).collect();
    let choice = draft.rng.weighted(&weights);
    IDIOMS[choice].2(draft);
}

/// A small constant to write.
pub fn constant(rng: &mut Rng) -> Value {
    Value::Const(1 + rng.below(2) as i32)
}

/// `main` reads a variable at its end, when those that it joins have ended, and asserts something about it.
pub fn final_check(d: &mut Draft) {
    let var = d.rng.below(d.program.vars);
    let test = assertion(d, 0);
    d.after = vec![Stmt::Read { reg: 0, var }, test];
}

fn assertion(d: &mut Draft, reg: u8) -> Stmt {
    let equal = d.rng.chance(45);
    let value = if equal { d.rng.below(3) } else { d.rng.weighted(&[20, 20, 20, 40]) };
    Stmt::Assert(Test { reg, equal, value: value as i32 })
}

fn var(d: &mut Draft) -> usize {
    d.rng.below(d.program.vars)
}

/// A read, a write or an increment of `var`.
fn access(d: &mut Draft, var: usize) -> Vec<Stmt> {
    let reg = d.register();
    match d.rng.weighted(&[28, 28, 25, 9, 10]) {
        0 => vec![Stmt::Read { reg, var }],
        1 => vec![Stmt::Write { var, value: constant(&mut d.rng) }],
        2 => vec![Stmt::Increment { var }],
        3 => vec![Stmt::Read { reg, var }, Stmt::Write { var, value: Value::Plus(reg, 1) }],
        _ => vec![Stmt::Read { reg, var }, assertion(d, reg)],
    }
}

/// Mostly sequentially consistent, sometimes exactly what the idiom needs, seldom weaker.
fn order(d: &mut Draft, needed: Order) -> Order {
    match d.rng.weighted(&[50, 38, 12]) {
        0 => Order::SeqCst,
        1 => needed,
        _ => Order::Relaxed,
    }
}

fn section(mutex: usize, inner: Vec<Stmt>) -> Vec<Stmt> {
    [vec![Stmt::Lock(mutex)], inner, vec![Stmt::Unlock(mutex)]].concat()
}

/// Each actor accesses a variable under a mutex; seldom one of them under another or none.
fn guarded(d: &mut Draft) {
    let (var, mutex) = (var(d), d.rng.below(d.program.mutexes));
    let count = 2 + usize::from(d.rng.chance(20));
    for actor in d.actors(count) {
        let inner = access(d, var);
        let stmts = match d.rng.weighted(&[88, 6, 6]) {
            0 => section(mutex, inner),
            1 => section(d.rng.below(d.program.mutexes), inner),
            _ => inner,
        };
        d.put(actor, stmts);
    }
}

/// Readers and writers under an rwlock; seldom a writer takes it for reading.
fn rwlock(d: &mut Draft) {
    let var = var(d);
    let count = 2 + usize::from(d.rng.chance(25));
    for actor in d.actors(count) {
        let inner = access(d, var);
        let reads = inner.iter().all(|s| matches!(s, Stmt::Read { .. } | Stmt::Assert(_)));
        let lock = if reads || d.rng.chance(12) { Stmt::ReadLock(0) } else { Stmt::WriteLock(0) };
        d.put(actor, [vec![lock], inner, vec![Stmt::RwUnlock(0)]].concat());
    }
}

/// A message in a plain variable, announced by an atomic flag: with release and acquire, or fences, or neither.
fn message(d: &mut Draft) {
    let (var, atomic) = (var(d), d.rng.below(d.program.atomics));
    let fences = d.rng.chance(25);
    let mut send = vec![Stmt::Write { var, value: constant(&mut d.rng) }];
    if fences {
        let fence =
            d.rng.pick(&[Order::Release, Order::Release, Order::SeqCst, Order::AcqRel, Order::Acquire]);
        send.push(Stmt::Fence(fence));
    }
    let publish = if fences { Order::Relaxed } else { order(d, Order::Release) };
    send.push(match d.rng.weighted(&[80, 20]) {
        0 => Stmt::Store { atomic, value: Value::Const(1), order: publish },
        _ => Stmt::FetchAdd { reg: 2, atomic, add: 1, order: publish },
    });
    let look = if fences { Order::Relaxed } else { order(d, Order::Acquire) };
    let mut inner = Vec::new();
    if fences {
        inner.push(Stmt::Fence(d.rng.pick(&[Order::Acquire, Order::Acquire, Order::SeqCst, Order::Release])));
    }
    inner.extend(access(d, var));
    let actors = d.actors(2);
    if d.rng.chance(8) {
        send.reverse();
    }
    d.put(actors[0], send);
    let receive = if d.rng.chance(35) {
        [vec![Stmt::Spin { atomic, value: 1, order: look }], inner].concat()
    } else {
        vec![Stmt::Load { reg: 0, atomic, order: look }, when(Test::eq(0, 1), inner)]
    };
    d.put(actors[1], receive);
}

fn when(test: Test, then: Vec<Stmt>) -> Stmt {
    Stmt::If { test, then, otherwise: Vec::new() }
}

/// A message announced by a plain flag under a mutex, taken up if the flag is seen.
fn handover(d: &mut Draft) {
    let mutex = d.rng.below(d.program.mutexes);
    let (data, flag) = (0, 1 + d.rng.below(d.program.vars - 1));
    let actors = d.actors(2);
    let set = Stmt::Write { var: flag, value: Value::Const(1) };
    let prepare = access(d, data);
    d.put(actors[0], [prepare, section(mutex, vec![set])].concat());
    let inner = access(d, data);
    let seen = if d.rng.chance(85) { Test::eq(1, 1) } else { Test::eq(1, 0) };
    let look = section(mutex, vec![Stmt::Read { reg: 1, var: flag }]);
    d.put(actors[1], [look, vec![when(seen, inner)]].concat());
}

/// A wait for a predicate, and a signal or broadcast, each sometimes wrong.
fn condition(d: &mut Draft) {
    let mutex = d.rng.below(d.program.mutexes);
    let flag = var(d);
    let looped = d.rng.chance(75);
    let count = 2 + usize::from(d.rng.chance(15));
    let actors = d.actors(count);
    let wake = if d.rng.chance(70) { Stmt::Signal(0) } else { Stmt::Broadcast(0) };
    let set = Stmt::Write { var: flag, value: Value::Const(1) };
    let notify = match d.rng.weighted(&[55, 22, 13, 10]) {
        0 => section(mutex, vec![set, wake]),
        1 => [section(mutex, vec![set]), vec![wake]].concat(),
        2 => [vec![wake], section(mutex, vec![set])].concat(),
        _ => section(mutex, vec![set]),
    };
    let data = var(d);
    let prepare = if d.rng.chance(40) { access(d, data) } else { Vec::new() };
    d.put(actors[0], [prepare, notify].concat());
    for &waiter in &actors[1..] {
        let wait = Stmt::Wait { cond: 0, mutex, var: flag, value: 1, looped };
        let (mut inner, mut outer) = (vec![wait], Vec::new());
        match d.rng.below(3) {
            0 => inner.extend([Stmt::Read { reg: 0, var: flag }, Stmt::Assert(Test::eq(0, 1))]),
            1 => outer = access(d, data),
            _ => {}
        }
        d.put(waiter, [section(mutex, inner), outer].concat());
    }
}

/// Phases on both sides of a barrier. Made once; its count is mostly that of the actors.
fn barrier(d: &mut Draft) {
    let count = 2 + usize::from(d.rng.chance(20));
    let actors = d.actors(count);
    if d.program.barriers.is_empty() {
        let expected = if d.rng.chance(88) { actors.len() } else { 2 };
        d.program.barriers.push(expected as u32);
    }
    let var = var(d);
    let writer = d.rng.below(actors.len());
    for (i, actor) in actors.into_iter().enumerate() {
        let mut stmts = vec![Stmt::Barrier(0)];
        let early = (i == writer) != d.rng.chance(8);
        let inner = access(d, var);
        if early {
            stmts.splice(0..0, inner);
        } else if d.rng.chance(70) {
            stmts.extend(inner);
        }
        d.put(actor, stmts);
    }
}

/// Two rounds of a barrier with something before, between and behind them; at times with more threads than it takes.
fn phases(d: &mut Draft) {
    let count = 2 + usize::from(d.rng.chance(30));
    let actors = d.actors(count);
    if d.program.barriers.is_empty() {
        d.program.barriers.push(if d.rng.chance(75) { actors.len() as u32 } else { 2 });
    }
    let vars = d.program.vars;
    let clash = d.rng.chance(30);
    for (i, actor) in actors.into_iter().enumerate() {
        let mut stmts = Vec::new();
        for round in 0..3 {
            if d.rng.chance(65) {
                let own = if clash && round == 1 { 0 } else { (i + round) % vars };
                stmts.extend(access(d, own));
            }
            if round < 2 {
                stmts.push(Stmt::Barrier(0));
            }
        }
        d.put(actor, stmts);
    }
}

/// One actor uses an atomic as one, the other as a plain variable, mostly under the same mutex or none.
fn mixed(d: &mut Draft) {
    let atomic = d.rng.below(d.program.atomics);
    let mutex = (d.program.mutexes > 0 && d.rng.chance(60)).then(|| d.rng.below(d.program.mutexes));
    let actors = d.actors(2);
    let reg = d.register();
    let plain = match d.rng.below(2) {
        0 => Stmt::Peek { reg, atomic },
        _ => Stmt::Poke { atomic, value: constant(&mut d.rng) },
    };
    let order = order(d, Order::AcqRel);
    let other = match d.rng.below(4) {
        0 => Stmt::Load { reg, atomic, order: order.for_load() },
        1 => Stmt::Store { atomic, value: constant(&mut d.rng), order: order.for_store() },
        2 => Stmt::FetchAdd { reg, atomic, add: 1, order },
        _ => Stmt::CompareExchange { reg, atomic, expected: 0, desired: 1, order },
    };
    for (actor, stmt) in actors.into_iter().zip([plain, other]) {
        let stmts = match mutex {
            Some(mutex) if d.rng.chance(85) => section(mutex, vec![stmt]),
            _ => vec![stmt],
        };
        d.put(actor, stmts);
    }
}

/// One actor posts, the other only looks whether it did.
fn try_down(d: &mut Draft) {
    let var = var(d);
    let actors = d.actors(2);
    let mut send = access(d, var);
    send.push(if d.program.sems[0] == 0 { Stmt::Post(0) } else { Stmt::Down(0) });
    d.put(actors[0], send);
    let (then, otherwise) = (access(d, var), if d.rng.chance(30) { access(d, var) } else { Vec::new() });
    d.put(actors[1], vec![Stmt::TryDown { sem: 0, then, otherwise }]);
}

/// A semaphore as a message (first value 0) or as a lock (first value 1).
fn semaphore(d: &mut Draft) {
    let var = var(d);
    let actors = d.actors(2);
    if d.program.sems[0] == 0 {
        let (send, receive) = (access(d, var), access(d, var));
        let (mut first, mut second) = (vec![Stmt::Post(0)], vec![Stmt::Down(0)]);
        let at = usize::from(d.rng.chance(10));
        first.splice(at..at, send);
        second.extend(receive);
        d.put(actors[0], first);
        d.put(actors[1], second);
    } else {
        for actor in actors {
            let inner = access(d, var);
            d.put(actor, [vec![Stmt::Down(0)], inner, vec![Stmt::Post(0)]].concat());
        }
    }
}

/// One actor locks, the other only tries to, and may take the failure for a message.
fn trylock(d: &mut Draft) {
    let (var, mutex) = (var(d), d.rng.below(d.program.mutexes));
    let actors = d.actors(2);
    let inner = access(d, var);
    let before = if d.rng.chance(20) { access(d, var) } else { Vec::new() };
    d.put(actors[0], [before, section(mutex, inner)].concat());
    let mut then = access(d, var);
    then.push(Stmt::Unlock(mutex));
    let otherwise = match d.rng.weighted(&[60, 25, 15]) {
        0 => Vec::new(),
        1 => noise_statement(d),
        _ => access(d, var),
    };
    let timed = d.rng.chance(30);
    d.put(
        actors[1],
        vec![if timed {
            Stmt::TimedLock { mutex, then, otherwise }
        } else {
            Stmt::TryLock { mutex, then, otherwise }
        }],
    );
}

/// Two mutexes nested, in the same or in opposite orders, sometimes behind a gate or under a condition.
fn nested(d: &mut Draft) {
    let count = d.program.mutexes;
    let first = d.rng.below(count);
    let second = (first + 1 + d.rng.below(count - 1)) % count;
    let gate = (0..count).find(|&m| m != first && m != second && d.rng.chance(30));
    let opposite = d.rng.chance(60);
    let var = var(d);
    for (i, actor) in d.actors(2).into_iter().enumerate() {
        let (a, b) = if i == 1 && opposite { (second, first) } else { (first, second) };
        let inner = if d.rng.chance(60) { access(d, var) } else { Vec::new() };
        let mut stmts = section(a, section(b, inner));
        if d.rng.chance(15) {
            // Unlocking in the order of locking: not nested, and as good.
            let end = stmts.len();
            stmts.swap(end - 1, end - 2);
        }
        if let Some(gate) = gate {
            stmts = section(gate, stmts);
        }
        if d.rng.chance(25) {
            let decide = section(a, vec![Stmt::Read { reg: 0, var }]);
            let value = d.rng.below(2) as i32;
            stmts = [decide, vec![when(Test::eq(0, value), stmts)]].concat();
        }
        d.put(actor, stmts);
    }
}

/// Whoever wins the compare-exchange (or exchange) owns the variable.
fn owner(d: &mut Draft) {
    let (var, atomic) = (var(d), d.rng.below(d.program.atomics));
    let exchange = d.rng.chance(30);
    for actor in d.actors(2) {
        let order = order(d, Order::AcqRel);
        let (claim, won) = if exchange {
            (Stmt::Exchange { reg: 0, atomic, value: 1, order }, Test::eq(0, 0))
        } else {
            (Stmt::CompareExchange { reg: 0, atomic, expected: 0, desired: 1, order }, Test::eq(0, 1))
        };
        let then = access(d, var);
        let otherwise = if d.rng.chance(15) { access(d, var) } else { Vec::new() };
        d.put(actor, vec![claim, Stmt::If { test: won, then, otherwise }]);
    }
}

/// Each does its part and draws a ticket; who draws the last one sees all parts.
fn ticket(d: &mut Draft) {
    let atomic = d.rng.below(d.program.atomics);
    let vars = d.program.vars;
    let last = if d.rng.chance(85) { 1 } else { 0 };
    for (i, actor) in d.actors(2).into_iter().enumerate() {
        let order = order(d, Order::AcqRel);
        let mine = access(d, i % vars);
        let draw = Stmt::FetchAdd { reg: 0, atomic, add: 1, order };
        let all = access(d, (i + 1) % vars);
        d.put(actor, [mine, vec![draw, when(Test::eq(0, last), all)]].concat());
    }
}

/// A lock made of an atomic exchange and a store.
fn spinlock(d: &mut Draft) {
    let (var, atomic) = (var(d), d.rng.below(d.program.atomics));
    for actor in d.actors(2) {
        let lock = Stmt::SpinExchange { atomic, order: order(d, Order::Acquire) };
        let unlock = Stmt::Store { atomic, value: Value::Const(0), order: order(d, Order::Release) };
        let inner = access(d, var);
        d.put(actor, [vec![lock], inner, vec![unlock]].concat());
    }
}

/// Each raises its own flag, and goes in if the other's is down.
fn dekker(d: &mut Draft) {
    let var = var(d);
    let value = i32::from(d.rng.chance(12));
    for (i, actor) in d.actors(2).into_iter().enumerate() {
        let raise = Stmt::Store { atomic: i, value: Value::Const(1), order: order(d, Order::Release) };
        let look = Stmt::Load { reg: 0, atomic: 1 - i, order: order(d, Order::Acquire) };
        let inner = access(d, var);
        d.put(actor, vec![raise, look, when(Test::eq(0, value), inner)]);
    }
}

/// An update whose read and write are in two critical sections: no race, but updates get lost.
fn split_update(d: &mut Draft) {
    let (var, mutex) = (var(d), d.rng.below(d.program.mutexes));
    for actor in d.actors(2) {
        let reg = d.register();
        let write = Stmt::Write { var, value: Value::Plus(reg, 1) };
        let stmts = if d.rng.chance(60) {
            [section(mutex, vec![Stmt::Read { reg, var }]), section(mutex, vec![write])].concat()
        } else {
            section(mutex, vec![Stmt::Increment { var }])
        };
        d.put(actor, stmts);
    }
    d.after = vec![Stmt::Read { reg: 0, var }, Stmt::Assert(Test::eq(0, 2))];
}

/// A third thread takes part in a message's release sequence, or breaks it.
fn sequence(d: &mut Draft) {
    let (var, atomic) = (var(d), d.rng.below(d.program.atomics));
    let actors = d.actors(3);
    let send = Stmt::Write { var, value: constant(&mut d.rng) };
    let publish = Stmt::Store { atomic, value: Value::Const(1), order: order(d, Order::Release) };
    d.put(actors[0], vec![send, publish]);
    let between = d.rng.pick(&[Order::Relaxed, Order::AcqRel, Order::SeqCst]);
    let middle = match d.rng.below(3) {
        0 => vec![Stmt::FetchAdd { reg: 1, atomic, add: 1, order: between }],
        1 => vec![Stmt::CompareExchange { reg: 1, atomic, expected: 1, desired: 2, order: between }],
        _ => vec![
            Stmt::Load { reg: 1, atomic, order: between.for_load() },
            when(
                Test::eq(1, 1),
                vec![Stmt::Store { atomic, value: Value::Const(2), order: between.for_store() }],
            ),
        ],
    };
    let inner = access(d, var);
    let receive = vec![Stmt::Load { reg: 0, atomic, order: Order::Acquire }, when(Test::eq(0, 2), inner)];
    if let [_, second, third] = actors[..] {
        d.put(second, middle);
        d.put(third, receive);
    } else {
        d.put(actors[1], receive);
    }
}

/// Initialises a variable once: looks without the mutex first, then again under it.
fn double_checked(d: &mut Draft) {
    let (var, atomic, mutex) = (var(d), d.rng.below(d.program.atomics), d.rng.below(d.program.mutexes));
    let (look, publish) = (order(d, Order::Acquire), order(d, Order::Release));
    let init = vec![
        Stmt::Write { var, value: constant(&mut d.rng) },
        Stmt::Store { atomic, value: Value::Const(1), order: publish },
    ];
    let again = vec![Stmt::Load { reg: 0, atomic, order: Order::Relaxed }, when(Test::eq(0, 0), init)];
    for (i, actor) in d.actors(2).into_iter().enumerate() {
        let careful = when(Test::eq(0, 0), section(mutex, again.clone()));
        let mut stmts = vec![Stmt::Load { reg: 0, atomic, order: look }];
        if i == 0 || d.rng.chance(30) {
            stmts.extend([careful, Stmt::Read { reg: 1, var }]);
        } else {
            // The other side only uses what it finds.
            stmts.push(when(Test::eq(0, 1), vec![Stmt::Read { reg: 1, var }, Stmt::Assert(Test::ne(1, 0))]));
        }
        d.put(actor, stmts);
    }
}

/// A statement on its own that no idiom asks for.
fn noise(d: &mut Draft) {
    let actor = d.actors(1)[0];
    let stmts = noise_statement(d);
    d.put(actor, stmts);
}

fn noise_statement(d: &mut Draft) -> Vec<Stmt> {
    let reg = d.register();
    if d.program.atomics == 0 || d.rng.chance(25) {
        let value = d.rng.pick(&[Value::Const(0), Value::Const(1), Value::Plus(0, 1), Value::Reg(1)]);
        return vec![Stmt::Set { reg, value }];
    }
    let atomic = d.rng.below(d.program.atomics);
    let any = d.rng.pick(&[Order::SeqCst, Order::SeqCst, Order::AcqRel, Order::Relaxed]);
    vec![match d.rng.below(6) {
        0 => Stmt::Load { reg, atomic, order: any.for_load() },
        1 => {
            let value = d.rng.pick(&[Value::Const(0), Value::Const(1), Value::Reg(reg)]);
            Stmt::Store { atomic, value, order: any.for_store() }
        }
        2 => Stmt::FetchAdd { reg, atomic, add: 1, order: any },
        3 => Stmt::Exchange { reg, atomic, value: 1, order: any },
        4 => Stmt::CompareExchange { reg, atomic, expected: 0, desired: 1, order: any },
        _ => Stmt::Fence(if any == Order::Relaxed { Order::SeqCst } else { any }),
    }]
}

/// An access without any protection: right only if creation and joining order it.
fn unguarded(d: &mut Draft) {
    let var = var(d);
    let actor = d.actors(1)[0];
    let stmts = access(d, var);
    d.put(actor, stmts);
}
