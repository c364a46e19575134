//! Random traces that are hard for M2: short programs made of critical sections, run by a scheduler that likes to stay
//! with a thread, so that sections of different threads follow each other and must be exchanged to show a race.
#![allow(dead_code)]

use trace::{Event, LocId, LockId, Op, ThreadId, Trace, VarId};

use crate::common::random::Rng;

/// What the programs look like.
#[derive(Debug, Clone, Copy)]
pub struct Hard {
    pub threads: usize,
    pub locks: usize,
    pub variables: usize,
    /// Events of each thread at most.
    pub length: usize,
    /// Of a hundred accesses, how many read.
    pub reads: usize,
    /// Of a hundred steps, how often the scheduler changes the thread.
    pub changes: usize,
}

/// A random program for one thread: accesses and properly nested sections.
fn program(rng: &mut Rng, hard: Hard) -> Vec<Op> {
    let mut ops = Vec::new();
    let mut held: Vec<u32> = Vec::new();
    let length = 2 + rng.below(hard.length - 1);
    while ops.len() + held.len() < length {
        let lock = rng.below(hard.locks) as u32;
        let variable = VarId(rng.below(hard.variables) as u32);
        match rng.below(10) {
            0..=2 if held.len() < 2 && !held.contains(&lock) => {
                held.push(lock);
                ops.push(Op::Acquire(LockId(lock)));
            }
            3..=4 if !held.is_empty() => {
                // Mostly nested, now and then not.
                let at = if rng.chance(90) { held.len() - 1 } else { 0 };
                ops.push(Op::Release(LockId(held.remove(at))));
            }
            _ if rng.chance(hard.reads) => ops.push(Op::Read(variable)),
            _ => ops.push(Op::Write(variable)),
        }
    }
    // Some threads end with their locks held.
    while let Some(lock) = held.pop() {
        if rng.chance(5) {
            break;
        }
        ops.push(Op::Release(LockId(lock)));
    }
    ops
}

/// A random trace.
pub fn hard_trace(seed: u64, hard: Hard) -> Trace {
    let mut rng = Rng::new(seed ^ 0x5EED);
    let programs: Vec<Vec<Op>> = (0..hard.threads).map(|_| program(&mut rng, hard)).collect();
    let mut at = vec![0; hard.threads];
    let mut owner: Vec<Option<usize>> = vec![None; hard.locks];
    let mut events: Vec<Event> = Vec::new();
    let mut current = 0;
    let mut patience = 50 * hard.threads * hard.length;
    while patience > 0 {
        patience -= 1;
        if rng.chance(hard.changes) {
            current = rng.below(hard.threads);
        }
        let Some(&op) = programs[current].get(at[current]) else {
            current = rng.below(hard.threads);
            continue;
        };
        match op {
            Op::Acquire(lock) if owner[lock.index()].is_some() => {
                current = rng.below(hard.threads);
                continue;
            }
            Op::Acquire(lock) => owner[lock.index()] = Some(current),
            Op::Release(lock) => owner[lock.index()] = None,
            _ => {}
        }
        at[current] += 1;
        let location = LocId(events.len() as u32);
        events.push(Event { thread: ThreadId(current as u32), op, location });
    }
    Trace { events, ..Trace::default() }
}
