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

/// What runs of a brute-force search must keep besides program order and [`trace::order::must_edges`].
#[derive(Debug, Clone, Copy)]
pub struct Keep {
    /// Reads observe what they observe in the trace.
    pub observations: bool,
    /// Sections of a lock stand in the trace's order.
    pub sections: bool,
}

/// All pairs of events (smaller first) that some run of the trace's events has both about to happen. Locks that the two
/// would acquire need not be free, and their own observations do not count.
pub fn co_enabled(trace: &Trace, keep: Keep) -> std::collections::BTreeSet<(u32, u32)> {
    let threads = trace.by_thread();
    let must = trace::order::must_edges(trace);
    let observed = trace.observations();
    let counts = trace.counts();
    let mut place = vec![0; trace.len()];
    for list in &threads {
        for (at, id) in list.iter().enumerate() {
            place[id.index()] = at;
        }
    }
    let mut pairs = std::collections::BTreeSet::new();
    let mut seen = std::collections::HashSet::new();
    let mut stack = vec![(vec![0usize; counts.threads], vec![None; counts.variables])];
    while let Some(state) = stack.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        let (at, last) = &state;
        let done = |id: trace::EventId| place[id.index()] < at[trace.event(id).thread.index()];
        let next: Vec<trace::EventId> = (0..counts.threads)
            .filter_map(|t| threads[t].get(at[t]).copied())
            .filter(|&id| must.iter().filter(|edge| edge.1 == id).all(|edge| done(edge.0)))
            .collect();
        for (i, a) in next.iter().enumerate() {
            pairs.extend(next[i + 1..].iter().map(|b| (a.0.min(b.0), a.0.max(b.0))));
        }
        for id in next {
            let event = trace.event(id);
            let (mut at, mut last) = (at.clone(), last.clone());
            match event.op {
                Op::Acquire(lock) => {
                    let done_of = |op: Op| -> Vec<trace::EventId> {
                        trace
                            .iter()
                            .filter(|&(other, e)| e.op == op && done(other))
                            .map(|(other, _)| other)
                            .collect()
                    };
                    let taken = done_of(Op::Acquire(lock));
                    let is_taken = taken.len() != done_of(Op::Release(lock)).len();
                    if is_taken || keep.sections && taken.iter().any(|&other| other > id) {
                        continue;
                    }
                }
                Op::Read(v) | Op::AtomicRead(v)
                    if keep.observations && last[v.index()] != observed[id.index()] =>
                {
                    continue;
                }
                Op::Write(v) | Op::AtomicWrite(v) if keep.observations => last[v.index()] = Some(id),
                _ => {}
            }
            at[event.thread.index()] += 1;
            stack.push((at, last));
        }
    }
    pairs
}

/// A family that is hard for M2: in every round each thread takes two neighbouring locks, nested, writes under both,
/// and writes a common variable under only the first; another thread's section of the same lock follows. Nearly every
/// candidate pair has an open section in the way.
pub fn tangled_trace(threads: u32, rounds: u32) -> Trace {
    let mut events = Vec::new();
    let mut add = |thread: u32, op: Op| {
        let location = LocId(thread);
        events.push(Event { thread: ThreadId(thread), op, location });
    };
    for round in 0..rounds {
        for thread in 0..threads {
            let (one, two) = (LockId(thread), LockId((thread + 1) % threads));
            let (one, two) = (one.min(two), one.max(two));
            add(thread, Op::Acquire(one));
            add(thread, Op::Write(VarId(0)));
            add(thread, Op::Acquire(two));
            add(thread, Op::Write(VarId(1 + two.0)));
            if (round + thread) % 3 == 0 {
                add(thread, Op::Read(VarId(1 + one.0)));
            }
            add(thread, Op::Release(two));
            add(thread, Op::Release(one));
        }
    }
    Trace { events, ..Trace::default() }
}

/// Another one: P4's figure 8 over and over, by several groups of three threads. The accesses to `z` are candidates and no
/// races, and each of their pairs needs a closure to be rejected.
pub fn rejected_trace(groups: u32, rounds: u32) -> Trace {
    let mut events = Vec::new();
    for round in 0..rounds {
        for group in 0..groups {
            let (x, y, z) = (VarId(3 * group), VarId(3 * group + 1), VarId(3 * group + 2));
            let lock = LockId(group);
            let steps = [
                (1, Op::Write(y)),
                (0, Op::Acquire(lock)),
                (0, Op::Write(x)),
                (0, Op::Read(y)),
                (0, Op::Write(z)),
                (0, Op::Release(lock)),
                (1, Op::Acquire(lock)),
                (1, Op::Write(x)),
                (1, Op::Release(lock)),
                (2, Op::Read(x)),
                (2, Op::Write(y)),
                (2, Op::Read(x)),
                (2, Op::Read(z)),
            ];
            // Odd rounds begin with a read that orders them behind the round before for some groups only.
            if round > 0 && (round + group) % 2 == 0 {
                events.push((3 * group + 1, Op::Read(y), 99));
            }
            events.extend(steps.iter().zip(0..).map(|(&(who, op), at)| (3 * group + who, op, at)));
        }
    }
    let event = |(thread, op, location)| Event { thread: ThreadId(thread), op, location: LocId(location) };
    Trace { events: events.into_iter().map(event).collect(), ..Trace::default() }
}
