//! Random small traces that keep the rules: a toy program with threads, nested locks, forks and joins, run by a random
//! scheduler. The same seed gives the same trace.

use trace::{Event, LocId, LockId, Op, ThreadId, Trace, VarId};

/// A small generator of pseudo-random numbers (xorshift64*).
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        // Spread neighbouring seeds (splitmix64).
        let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        Rng((z ^ (z >> 31)) | 1)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize) % n
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// What traces to make.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    pub max_events: usize,
    pub min_threads: usize,
    pub max_threads: usize,
    pub locks: usize,
    pub variables: usize,
    /// Whether threads are forked and joined (some of them).
    pub fork_join: bool,
    /// Whether some accesses are atomic.
    pub atomics: bool,
    /// Whether locks may be released in another order than they were acquired.
    pub crossed: bool,
}

impl Shape {
    /// Up to 14 events, 2 to 4 threads, locks, fork, join, reads of initial values.
    pub fn small() -> Shape {
        Shape {
            max_events: 14,
            min_threads: 2,
            max_threads: 4,
            locks: 2,
            variables: 3,
            fork_join: true,
            atomics: false,
            crossed: false,
        }
    }

    /// The same with two threads.
    pub fn two_threads() -> Shape {
        Shape { max_threads: 2, ..Shape::small() }
    }
}

/// A random trace of this shape.
pub fn trace(seed: u64, shape: Shape) -> Trace {
    let mut rng = Rng::new(seed);
    let threads = shape.min_threads + rng.below(shape.max_threads - shape.min_threads + 1);
    let locks = 1 + rng.below(shape.locks);
    let variables = 1 + rng.below(shape.variables);
    // A thread waits for its fork if it is to be forked; thread 0 always runs.
    let mut forked: Vec<bool> =
        (0..threads).map(|t| t > 0 && shape.fork_join && rng.chance(30)).map(|waits| !waits).collect();
    let mut ended = vec![false; threads];
    let mut held: Vec<Vec<usize>> = vec![Vec::new(); threads];
    let mut owner: Vec<Option<usize>> = vec![None; locks];
    let mut events = Vec::new();
    let length = 4 + rng.below(shape.max_events - 3);
    let mut patience = 40 * length;
    // Half of the traces have few accesses outside sections.
    let shy = rng.chance(50);
    while events.len() < length && patience > 0 {
        patience -= 1;
        let t = rng.below(threads);
        if !forked[t] || ended[t] {
            continue;
        }
        let op = match rng.below(100) {
            0..=19 => {
                let l = rng.below(locks);
                if owner[l].is_some() || held[t].len() >= 2 {
                    continue;
                }
                owner[l] = Some(t);
                held[t].push(l);
                Op::Acquire(LockId(l as u32))
            }
            20..=41 => {
                if held[t].is_empty() {
                    continue;
                }
                let i = if shape.crossed { rng.below(held[t].len()) } else { held[t].len() - 1 };
                let l = held[t].remove(i);
                owner[l] = None;
                Op::Release(LockId(l as u32))
            }
            42..=47 => {
                let Some(child) = (0..threads).find(|&c| !forked[c]) else { continue };
                forked[child] = true;
                Op::Fork(ThreadId(child as u32))
            }
            48..=50 if shape.fork_join => {
                let child = rng.below(threads);
                if child == t || !forked[child] || !held[child].is_empty() || ended[child] {
                    continue;
                }
                ended[child] = true;
                Op::Join(ThreadId(child as u32))
            }
            51.. if shy && held[t].is_empty() && rng.chance(85) => continue,
            51..=76 => access(&mut rng, shape, variables, true),
            _ => access(&mut rng, shape, variables, false),
        };
        let location = LocId(events.len() as u32);
        events.push(Event { thread: ThreadId(t as u32), op, location });
    }
    Trace { events, ..Trace::default() }
}

fn access(rng: &mut Rng, shape: Shape, variables: usize, write: bool) -> Op {
    let v = VarId(rng.below(variables) as u32);
    match (shape.atomics && rng.chance(30), write) {
        (false, true) => Op::Write(v),
        (false, false) => Op::Read(v),
        (true, true) => Op::AtomicWrite(v),
        (true, false) => Op::AtomicRead(v),
    }
}
