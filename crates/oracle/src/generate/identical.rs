//! Programs in which several threads run one and the same function.
//!
//! Which of them comes first matters mostly: they draw tickets, by an atomic or under a lock, and go different ways. `main`
//! creates them in a row, seldom with something in between, and joins them in a row, in another order, with something
//! in between, or not all of them. Threads with equal bodies print as one function (see [`crate::print`]).

use super::{Draft, Size, idioms, mutate};
use crate::program::{Order, Program, Stmt, Test, Value, walk};
use crate::rng::Rng;

/// One draw, as [`super::generate`].
pub fn generate(seed: u64, size: Size, attempt: u64) -> Option<Program> {
    let mut draft = Draft::new(Rng::new(seed ^ 0x1de4_71ca, attempt), size);
    let copies = match size {
        Size::Small => 2 + draft.rng.weighted(&[70, 30]),
        Size::Large => 2 + draft.rng.weighted(&[30, 50, 20]),
    };
    // Beside them, sometimes another thread.
    let others = usize::from(draft.rng.chance(25));
    draft.program.threads = vec![Vec::new(); 2 + others];
    // What threads share by other idioms mostly hides what the order of tickets decides.
    for _ in 0..draft.rng.weighted(&[60, 30, 10]) {
        idioms::add(&mut draft);
    }
    // The last atomic is the flag that threads wait for.
    draft.program.atomics = draft.program.atomics.max(1) + 1;
    draft.program.vars += 1;
    let data = draft.program.vars - 1;
    for _ in 0..1 + usize::from(draft.rng.chance(30)) {
        let body = worker(&mut draft, data);
        draft.program.threads[1].extend(body);
    }
    let Draft { mut rng, mut program, .. } = draft;
    if rng.chance(20) {
        mutate::mutate(&mut program, &mut rng);
    }
    let worker = program.threads[1].clone();
    program.threads.splice(1..2, vec![worker; copies]);
    if let [barrier] = &mut program.barriers[..]
        && rng.chance(60)
    {
        *barrier = copies as u32 + u32::from(uses_barrier(&program.threads[0]));
    }
    assemble(&mut program, copies, &mut rng);
    let fits = (4..=size.statements().end() + 10).contains(&program.statements());
    (fits && super::shares_something(&program)).then_some(program)
}

fn uses_barrier(block: &[Stmt]) -> bool {
    let mut found = false;
    walk(block, &mut |stmt| found |= matches!(stmt, Stmt::Barrier(_)));
    found
}

/// What the threads do: draw a ticket and go one way or another. The last variable is the one that they may share.
fn worker(d: &mut Draft, var: usize) -> Vec<Stmt> {
    let mut body = Vec::new();
    let ticket = 2;
    let locked = d.program.mutexes > 0 && d.rng.chance(50);
    if locked {
        let counter = d.rng.below(var);
        let m = d.rng.below(d.program.mutexes);
        body.push(Stmt::Lock(m));
        body.push(Stmt::Read { reg: ticket, var: counter });
        body.push(Stmt::Write { var: counter, value: Value::Plus(ticket, 1) });
        body.push(Stmt::Unlock(m));
    } else {
        let atomic = d.rng.below(d.program.atomics - 1);
        let order = if d.rng.chance(80) { Order::SeqCst } else { Order::Relaxed };
        body.push(Stmt::FetchAdd { reg: ticket, atomic, add: 1, order });
    }
    let test = Test { reg: ticket, equal: d.rng.chance(80), value: d.rng.weighted(&[60, 40]) as i32 };
    let then = some(d, var);
    let otherwise = if d.rng.chance(40) { some(d, var) } else { Vec::new() };
    body.push(Stmt::If { test, then, otherwise });
    body
}

/// Something that may concern others.
fn some(d: &mut Draft, var: usize) -> Vec<Stmt> {
    let (atomics, mutexes) = (d.program.atomics, d.program.mutexes);
    match d.rng.weighted(&[35, 15, 10, 25, 15]) {
        1 if mutexes > 0 => {
            let m = d.rng.below(mutexes);
            vec![Stmt::Lock(m), Stmt::Increment { var }, Stmt::Unlock(m)]
        }
        2 => {
            let atomic = d.rng.below(atomics);
            vec![Stmt::Store { atomic, value: Value::Const(d.rng.below(4) as i32), order: Order::SeqCst }]
        }
        3 => {
            // Waits for what `main` may store between two joins.
            let mut stmts = vec![Stmt::Spin { atomic: atomics - 1, value: 3, order: Order::SeqCst }];
            stmts.extend(d.rng.chance(70).then_some(Stmt::Write { var, value: Value::Const(2) }));
            stmts
        }
        4 => vec![Stmt::Read { reg: 0, var }],
        _ => vec![Stmt::Write { var, value: idioms::constant(&mut d.rng) }],
    }
}

/// What `main` does between two creations or joins.
fn between(program: &Program, rng: &mut Rng) -> Vec<Stmt> {
    let var = if rng.chance(80) { program.vars - 1 } else { rng.below(program.vars) };
    match rng.weighted(&[30, 25, 20, 15, 10]) {
        1 => vec![Stmt::Write { var, value: idioms::constant(rng) }],
        2 => {
            let flag = program.atomics - 1;
            let mut stmts = vec![Stmt::Store { atomic: flag, value: Value::Const(3), order: Order::SeqCst }];
            stmts.extend(rng.chance(60).then_some(Stmt::Write { var, value: Value::Const(3) }));
            stmts
        }
        3 if program.mutexes > 0 => {
            let m = rng.below(program.mutexes);
            vec![Stmt::Lock(m), Stmt::Increment { var }, Stmt::Unlock(m)]
        }
        4 => vec![Stmt::Set { reg: 1, value: Value::Const(1) }],
        _ => vec![Stmt::Read { reg: 0, var }],
    }
}

/// Puts creations and joins into place.
fn assemble(program: &mut Program, copies: usize, rng: &mut Rng) {
    let threads = program.threads.len();
    let mut body = Vec::new();
    // The other thread comes first or last.
    let mut order: Vec<usize> = (1..threads).collect();
    if rng.chance(30) {
        order.rotate_left(copies);
    }
    let busy = rng.chance(25);
    for (i, &thread) in order.iter().enumerate() {
        if i > 0 && busy && rng.chance(50) {
            body.extend(between(program, rng));
        }
        body.push(Stmt::Create(thread));
    }
    body.append(&mut program.threads[0]);
    match rng.weighted(&[50, 25, 25]) {
        1 => rng.shuffle(&mut order),
        2 => order.reverse(),
        _ => {}
    }
    match rng.weighted(&[85, 8, 7]) {
        1 => drop(order.pop()),
        2 => order.clear(),
        _ => {}
    }
    let busy = rng.chance(55);
    for (i, &thread) in order.iter().enumerate() {
        if i > 0 && busy && rng.chance(60) {
            body.extend(between(program, rng));
        }
        body.push(Stmt::Join(thread));
    }
    if rng.chance(40) {
        let var = if rng.chance(60) { program.vars - 1 } else { rng.below(program.vars) };
        body.push(Stmt::Read { reg: 0, var });
        let test = Test { reg: 0, equal: rng.chance(45), value: rng.below(4) as i32 };
        body.extend(rng.chance(60).then_some(Stmt::Assert(test)));
    }
    program.threads[0] = body;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_alike_and_print_as_one_function() {
        let mut seen = 0;
        for seed in 0..40 {
            let Some(program) = generate(seed, Size::Small, 1) else { continue };
            seen += 1;
            let alike = (2..program.threads.len()).any(|t| program.threads[t] == program.threads[t - 1]);
            assert!(alike, "{program:?}");
            let source = crate::print::print(&program).source;
            let created = source.matches("pthread_create(").count();
            let functions = source.matches("(void *arg) {").count();
            assert!(functions < created, "{source}");
        }
        assert!(seen > 10, "{seen}");
    }
}
