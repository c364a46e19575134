//! Small random changes to an OpenMP program, most of which make it worse.

use crate::openmp::program::{Order, Program, Schedule, Stmt, size};
use crate::rng::Rng;

/// Changes one statement of `program`.
pub fn mutate(program: &mut Program, rng: &mut Rng) {
    let count = size(&program.main);
    if count > 0 {
        let mut at = rng.below(count);
        change(&mut program.main, &mut at, rng);
    }
}

/// Finds the statement with number `at` in the order of `walk` and changes it. Returns whether it was found.
fn change(block: &mut Vec<Stmt>, at: &mut usize, rng: &mut Rng) -> bool {
    for i in 0..block.len() {
        if *at == 0 {
            change_at(block, i, rng);
            return true;
        }
        *at -= 1;
        for inner in block[i].blocks_mut() {
            if change(inner, at, rng) {
                return true;
            }
        }
    }
    false
}

fn change_at(block: &mut Vec<Stmt>, i: usize, rng: &mut Rng) {
    match rng.below(10) {
        0 | 1 if !matches!(block[i], Stmt::Parallel { .. }) => drop(block.remove(i)),
        2 if i + 1 < block.len() => block.swap(i, i + 1),
        3 => {
            let copy = block[i].clone();
            block.insert(i, copy);
        }
        _ => twist(block, i, rng),
    }
}

/// A schedule clause.
pub fn schedule(rng: &mut Rng) -> Schedule {
    let chunk = [None, Some(1), Some(2)][rng.weighted(&[50, 20, 30])];
    match rng.weighted(&[22, 38, 20, 12, 4, 4]) {
        0 => Schedule::None,
        1 => Schedule::Static(chunk),
        2 => Schedule::Dynamic(chunk),
        3 => Schedule::Guided(chunk),
        4 => Schedule::Auto,
        _ => Schedule::Runtime,
    }
}

fn twist(block: &mut Vec<Stmt>, i: usize, rng: &mut Rng) {
    match &mut block[i] {
        Stmt::For { head, .. } => match rng.below(4) {
            0 => head.nowait = !head.nowait,
            1 => head.schedule = schedule(rng),
            2 => head.reduction = None,
            _ => head.n = 2 + rng.below(3) as u8,
        },
        Stmt::Single { nowait, .. } | Stmt::Sections { nowait, .. } => *nowait = !*nowait,
        Stmt::Masked { filter, .. } => *filter = Some(rng.below(2) as u8),
        Stmt::Task { clauses, .. } => match rng.below(3) {
            0 => clauses.undeferred = !clauses.undeferred,
            _ if !clauses.depends.is_empty() => {
                clauses.depends.remove(rng.below(clauses.depends.len()));
            }
            _ => {}
        },
        Stmt::AtomicRead { order, .. }
        | Stmt::AtomicWrite { order, .. }
        | Stmt::AtomicUpdate { order, .. }
        | Stmt::AtomicCapture { order, .. }
        | Stmt::Spin { order, .. } => *order = Order::Relaxed,
        Stmt::Critical { name, body } => {
            if rng.chance(50) {
                *name = Some(rng.below(2) as u8);
            } else {
                let body = std::mem::take(body);
                block.splice(i..=i, body);
            }
        }
        Stmt::Locked { body, .. } | Stmt::Taskgroup { body } => {
            let body = std::mem::take(body);
            block.splice(i..=i, body);
        }
        Stmt::Parallel { region, .. } => region.threads = 5 - region.threads,
        Stmt::If { test, .. } | Stmt::Assert(test) => test.equal = !test.equal,
        Stmt::Barrier | Stmt::Taskwait | Stmt::Flush => drop(block.remove(i)),
        _ => {}
    }
}
