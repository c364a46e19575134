//! Makes a program smaller while it keeps a property.
//!
//! Greedy: of all programs that are one simplification away, the first that keeps the property is taken, until none
//! does. Simplifications: drop a thread, drop a statement (with its partner, if it locks), put a block in place of its conditional
//! or loop, strengthen an order.

use crate::program::{Order, Program, Stmt};

/// The smallest program found from `program` that `keeps` the property; `program` itself is taken to keep it.
pub fn shrink(program: &Program, mut keeps: impl FnMut(&Program) -> bool) -> Program {
    let mut best = program.clone();
    while let Some(smaller) = candidates(&best).into_iter().find(&mut keeps) {
        best = smaller;
    }
    best
}

/// All programs one simplification away, the boldest first.
fn candidates(program: &Program) -> Vec<Program> {
    let mut found = Vec::new();
    for thread in 1..program.threads.len() {
        let mut smaller = program.clone();
        smaller.threads.iter_mut().for_each(|body| drop_thread(body, thread));
        if !std::mem::take(&mut smaller.threads[thread]).is_empty() || smaller != *program {
            found.push(smaller);
        }
    }
    for thread in 0..program.threads.len() {
        for body in simpler_blocks(&program.threads[thread]) {
            let mut smaller = program.clone();
            smaller.threads[thread] = body;
            found.push(smaller);
        }
    }
    found
}

fn drop_thread(block: &mut Vec<Stmt>, thread: usize) {
    block.retain(|s| *s != Stmt::Create(thread) && *s != Stmt::Join(thread));
    for stmt in block {
        stmt.blocks_mut().into_iter().for_each(|b| drop_thread(b, thread));
    }
}

/// The blocks one simplification away from `block`.
fn simpler_blocks(block: &[Stmt]) -> Vec<Vec<Stmt>> {
    let mut found = Vec::new();
    for (at, stmt) in block.iter().enumerate() {
        let with = |replacement: Vec<Stmt>| {
            let mut copy = block.to_vec();
            copy.splice(at..=at, replacement);
            copy
        };
        if !matches!(stmt, Stmt::Create(_)) {
            found.push(with(Vec::new()));
        }
        if let Some(end) = partner(block, at) {
            let mut copy = block.to_vec();
            copy.remove(end);
            copy.remove(at);
            found.push(copy);
        }
        found.extend(stmt.blocks().into_iter().map(|inner| with(inner.clone())));
        found.extend(simpler_inside(stmt).into_iter().map(|s| with(vec![s])));
    }
    found
}

/// Where the statement that undoes the one at `at` stands.
fn partner(block: &[Stmt], at: usize) -> Option<usize> {
    let partner = match block[at] {
        Stmt::Lock(m) => Stmt::Unlock(m),
        Stmt::ReadLock(w) | Stmt::WriteLock(w) => Stmt::RwUnlock(w),
        Stmt::Down(s) => Stmt::Post(s),
        Stmt::SpinExchange { atomic, .. } => {
            return (at + 1..block.len())
                .find(|&i| matches!(block[i], Stmt::Store { atomic: a, .. } if a == atomic));
        }
        _ => return None,
    };
    (at + 1..block.len()).find(|&i| block[i] == partner)
}

/// The statement with something inside made simpler.
fn simpler_inside(stmt: &Stmt) -> Vec<Stmt> {
    let mut found = Vec::new();
    for (which, inner) in stmt.blocks().into_iter().enumerate() {
        for body in simpler_blocks(inner) {
            let mut copy = stmt.clone();
            *copy.blocks_mut()[which] = body;
            found.push(copy);
        }
    }
    let mut copy = stmt.clone();
    match &mut copy {
        Stmt::Load { order, .. }
        | Stmt::Store { order, .. }
        | Stmt::FetchAdd { order, .. }
        | Stmt::Exchange { order, .. }
        | Stmt::CompareExchange { order, .. }
        | Stmt::Fence(order)
        | Stmt::Spin { order, .. }
        | Stmt::SpinExchange { order, .. }
            if *order != Order::SeqCst =>
        {
            *order = Order::SeqCst;
            found.push(copy);
        }
        _ => {}
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Size, balanced};
    use crate::judge;

    #[test]
    fn racy_programs_shrink_to_two_accesses() {
        let mut tried = 0;
        for seed in 0..60 {
            let Some(sample) = balanced(seed, Size::Small, 5_000).filter(|s| s.outcome.race) else {
                continue;
            };
            let racy = |p: &Program| judge(p).is_ok_and(|(_, o)| o.race && !o.misuse);
            let small = shrink(&sample.program, racy);
            assert!(racy(&small));
            assert!(small.statements() <= 3, "seed {seed}: {small:?}");
            tried += 1;
            if tried == 6 {
                return;
            }
        }
        panic!("only {tried} racy programs in 60");
    }
}
