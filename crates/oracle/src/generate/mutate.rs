//! Small random changes of whole programs. The result may misuse locks; the search tells.

use crate::program::{Order, Program, Stmt, Test};
use crate::rng::Rng;

/// Changes one thing in `program`, or nothing if the place that was drawn offers nothing.
pub fn mutate(program: &mut Program, rng: &mut Rng) {
    let thread = rng.below(program.threads.len());
    let program_mutexes = program.mutexes;
    let block = any_block(&mut program.threads[thread], rng);
    if block.is_empty() {
        return;
    }
    let at = rng.below(block.len());
    match rng.below(5) {
        0 => swap_with_next(block, at),
        1 => weaken(&mut block[at], rng),
        2 => unlock_less(block, at, rng),
        3 => flip(&mut block[at], rng),
        _ => other_mutex(block, at, program_mutexes, rng),
    }
}

/// The block itself or, by chance, one inside it.
fn any_block<'a>(block: &'a mut Vec<Stmt>, rng: &mut Rng) -> &'a mut Vec<Stmt> {
    let inner: Vec<usize> = (0..block.len()).filter(|&i| !block[i].blocks().is_empty()).collect();
    if inner.is_empty() || rng.chance(60) {
        return block;
    }
    let at = rng.pick(&inner);
    let mut blocks = block[at].blocks_mut();
    let choice = rng.below(blocks.len());
    blocks.swap_remove(choice)
}

fn swap_with_next(block: &mut [Stmt], at: usize) {
    let fixed = |s: &Stmt| matches!(s, Stmt::Create(_) | Stmt::Join(_));
    if at + 1 < block.len() && !(fixed(&block[at]) && fixed(&block[at + 1])) {
        block.swap(at, at + 1);
    }
}

fn weaken(stmt: &mut Stmt, rng: &mut Rng) {
    match stmt {
        Stmt::Load { order, .. } | Stmt::Spin { order, .. } => {
            *order = rng.pick(&[Order::Relaxed, Order::Acquire])
        }
        Stmt::Store { order, .. } => *order = rng.pick(&[Order::Relaxed, Order::Release]),
        Stmt::FetchAdd { order, .. } | Stmt::Exchange { order, .. } | Stmt::CompareExchange { order, .. } => {
            *order = rng.pick(&[Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel]);
        }
        Stmt::SpinExchange { order, .. } => *order = rng.pick(&[Order::Relaxed, Order::Acquire]),
        Stmt::Wait { looped, .. } => *looped = !*looped,
        Stmt::Signal(c) => *stmt = Stmt::Broadcast(*c),
        Stmt::Broadcast(c) => *stmt = Stmt::Signal(*c),
        Stmt::WriteLock(w) => *stmt = Stmt::ReadLock(*w),
        _ => {}
    }
}

/// Drops a lock with its unlock, or by chance the unlock alone; or any synchronisation that stands alone.
fn unlock_less(block: &mut Vec<Stmt>, at: usize, rng: &mut Rng) {
    let partner = match block[at] {
        Stmt::Lock(m) => Stmt::Unlock(m),
        Stmt::ReadLock(w) | Stmt::WriteLock(w) => Stmt::RwUnlock(w),
        Stmt::Signal(_)
        | Stmt::Broadcast(_)
        | Stmt::Barrier(_)
        | Stmt::Post(_)
        | Stmt::Down(_)
        | Stmt::Fence(_) => {
            block.remove(at);
            return;
        }
        _ => return,
    };
    let Some(end) = (at..block.len()).find(|&i| block[i] == partner) else { return };
    block.remove(end);
    if !rng.chance(30) {
        block.remove(at);
    }
}

/// Negates a test or changes its constant.
fn flip(stmt: &mut Stmt, rng: &mut Rng) {
    let change = |test: &mut Test, rng: &mut Rng| {
        if rng.chance(50) {
            test.equal = !test.equal;
        } else {
            test.value = rng.below(3) as i32;
        }
    };
    match stmt {
        Stmt::If { test, otherwise, then } => {
            if rng.chance(30) {
                std::mem::swap(then, otherwise);
            } else {
                change(test, rng);
            }
        }
        Stmt::Assert(test) => change(test, rng),
        _ => {}
    }
}

/// Makes a critical section use another mutex.
fn other_mutex(block: &mut [Stmt], at: usize, mutexes: usize, rng: &mut Rng) {
    let Stmt::Lock(old) = block[at] else { return };
    let Some(end) = (at..block.len()).find(|&i| block[i] == Stmt::Unlock(old)) else { return };
    let new = rng.below(mutexes);
    block[at] = Stmt::Lock(new);
    block[end] = Stmt::Unlock(new);
}
