//! Large artificial traces for measurements: threads that work on private and on lock-protected variables, with a few
//! races, some of them far apart. The same parameters give the same trace; it is made as a stream.
//!
//! Thread 0 forks all others first and joins them last. In between each thread, in turns of random length, runs sections
//! (acquire one lock or two in ascending order, access variables that belong to the lock, release) and work on its own
//! variables. Racy variables are accessed without a lock: a *near* race by two threads one shortly after the other, a
//! *far* race once in the first tenth and once in the last tenth of the trace.

use std::collections::VecDeque;

use crate::event::{Event, LocId, LockId, Names, Op, ThreadId, VarId};

/// What to make.
#[derive(Debug, Clone, Copy)]
pub struct Parameters {
    /// How many events, at least; open sections and joins come on top.
    pub events: u64,
    /// How many threads, at least 2.
    pub threads: u32,
    /// How many locks, at least 1.
    pub locks: u32,
    /// How many protected variables belong to each lock, at least 1.
    pub variables_per_lock: u32,
    /// How many variables each thread has for itself, at least 1.
    pub private_variables: u32,
    /// How many races with little between their two accesses.
    pub near_races: u32,
    /// How many races with most of the trace between their two accesses.
    pub far_races: u32,
    /// Of a hundred steps outside a section, how many begin one.
    pub section_percent: u32,
    /// The longest section in accesses, at least 1.
    pub section_length: u32,
    /// The seed.
    pub seed: u64,
}

impl Default for Parameters {
    fn default() -> Parameters {
        Parameters {
            events: 1_000_000,
            threads: 8,
            locks: 64,
            variables_per_lock: 32,
            private_variables: 1000,
            near_races: 20,
            far_races: 10,
            section_percent: 15,
            section_length: 6,
            seed: 1,
        }
    }
}

/// xorshift64*.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: u32) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32;
        ((high * u64::from(n.max(1))) >> 32) as u32
    }
}

/// A stream of the events.
pub struct Generator {
    p: Parameters,
    rng: Rng,
    made: u64,
    /// The rest of each thread's section.
    plans: Vec<VecDeque<Event>>,
    /// Whether a lock is taken (from when its section is planned until it is released).
    taken: Vec<bool>,
    thread: u32,
    turn: u32,
    /// Accesses to racy variables still to come: (from which event on, thread, variable), latest first.
    racy: Vec<(u64, u32, u32)>,
    ending: bool,
    joined: u32,
}

const BEGINNING: LocId = LocId(0);
const END: LocId = LocId(1);

impl Generator {
    /// Starts.
    pub fn new(p: Parameters) -> Generator {
        let p = Parameters { threads: p.threads.max(2), locks: p.locks.max(1), ..p };
        let mut rng = Rng(p.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let mut racy = Vec::new();
        let at = |rng: &mut Rng, from: u64, to: u64| {
            from + ((u64::from(rng.below(u32::MAX)) * to.saturating_sub(from)) >> 32)
        };
        for race in 0..p.near_races + p.far_races {
            let first = rng.below(p.threads);
            let second = (first + 1 + rng.below(p.threads - 1)) % p.threads;
            let tenth = p.events / 10;
            let (a, b) = if race < p.near_races {
                let a = at(&mut rng, tenth, p.events - tenth);
                (a, a + 2)
            } else {
                (at(&mut rng, u64::from(p.threads), tenth), at(&mut rng, p.events - tenth, p.events))
            };
            racy.push((a, first, race));
            racy.push((b, second, race));
        }
        racy.sort_unstable_by(|x, y| y.cmp(x));
        Generator {
            rng,
            made: 0,
            plans: vec![VecDeque::new(); p.threads as usize],
            taken: vec![false; p.locks as usize],
            thread: 0,
            turn: 0,
            racy,
            ending: false,
            joined: 0,
            p,
        }
    }

    /// The names of everything in the trace.
    pub fn names(&self) -> Names {
        let p = &self.p;
        let variables = p.near_races + p.far_races + p.threads * p.private_variables.max(1);
        let variables = variables + p.locks * p.variables_per_lock.max(1);
        let list = |prefix: &str, n: u32| (0..n).map(|i| format!("{prefix}{i}")).collect();
        Names {
            threads: list("T", p.threads),
            locks: list("L", p.locks),
            variables: list("V", variables),
            locations: list("", 2 + 2 * (p.near_races + p.far_races) + 400),
        }
    }

    fn location(&self, what: u32) -> LocId {
        LocId(2 + 2 * (self.p.near_races + self.p.far_races) + what % 400)
    }

    /// An access, two reads for each write.
    fn access(&mut self, thread: u32, variable: u32, site: u32) -> Event {
        let v = VarId(variable);
        let write = self.rng.below(3) == 0;
        let op = if write { Op::Write(v) } else { Op::Read(v) };
        Event { thread: ThreadId(thread), op, location: self.location(4 * site + u32::from(write)) }
    }

    /// Plans a section of the thread, if its lock is free.
    fn plan_section(&mut self, thread: u32) {
        let p = self.p;
        let outer = self.rng.below(p.locks);
        let inner = outer + 1;
        if self.taken[outer as usize] {
            return;
        }
        let nested = self.rng.below(10) == 0 && inner < p.locks && !self.taken[inner as usize];
        let t = ThreadId(thread);
        let mut plan = std::mem::take(&mut self.plans[thread as usize]);
        let locks = if nested { vec![outer, inner] } else { vec![outer] };
        for &l in &locks {
            self.taken[l as usize] = true;
            plan.push_back(Event {
                thread: t,
                op: Op::Acquire(LockId(l)),
                location: self.location(4 * l + 2),
            });
            for _ in 0..=self.rng.below(p.section_length) {
                let slot = self.rng.below(p.variables_per_lock);
                let v = self.protected(l, slot);
                let e = self.access(thread, v, l + slot);
                plan.push_back(e);
            }
        }
        for &l in locks.iter().rev() {
            plan.push_back(Event {
                thread: t,
                op: Op::Release(LockId(l)),
                location: self.location(4 * l + 3),
            });
        }
        self.plans[thread as usize] = plan;
    }

    fn protected(&self, lock: u32, slot: u32) -> u32 {
        let p = &self.p;
        let before = p.near_races + p.far_races + p.threads * p.private_variables.max(1);
        before + lock * p.variables_per_lock.max(1) + slot
    }

    /// The racy access that is due, if its thread is outside sections.
    fn racy_access(&mut self) -> Option<Event> {
        let &(at, thread, race) = self.racy.last()?;
        if self.made < at || !self.plans[thread as usize].is_empty() {
            return None;
        }
        self.racy.pop();
        let second = !self.racy.iter().any(|r| r.2 == race);
        let op = if second && race % 2 == 0 { Op::Read(VarId(race)) } else { Op::Write(VarId(race)) };
        Some(Event { thread: ThreadId(thread), op, location: LocId(2 + 2 * race + u32::from(second)) })
    }

    fn ordinary(&mut self) -> Event {
        if self.turn == 0 {
            self.thread = self.rng.below(self.p.threads);
            self.turn = 1 + self.rng.below(30);
        }
        self.turn -= 1;
        let thread = self.thread;
        if self.plans[thread as usize].is_empty() && self.rng.below(100) < self.p.section_percent {
            self.plan_section(thread);
        }
        if let Some(e) = self.next_planned(thread) {
            return e;
        }
        let slot = self.rng.below(self.p.private_variables);
        let first = self.p.near_races + self.p.far_races + thread * self.p.private_variables.max(1);
        self.access(thread, first + slot, 37 + slot)
    }

    fn next_planned(&mut self, thread: u32) -> Option<Event> {
        let e = self.plans[thread as usize].pop_front()?;
        if let Op::Release(l) = e.op {
            self.taken[l.index()] = false;
        }
        Some(e)
    }

    fn finishing(&mut self) -> Option<Event> {
        for thread in 0..self.p.threads {
            if let Some(e) = self.next_planned(thread) {
                return Some(e);
            }
        }
        if let Some((_, thread, race)) = self.racy.pop() {
            let second = !self.racy.iter().any(|r| r.2 == race);
            let location = LocId(2 + 2 * race + u32::from(second));
            return Some(Event { thread: ThreadId(thread), op: Op::Write(VarId(race)), location });
        }
        self.joined += 1;
        let joined = Op::Join(ThreadId(self.joined));
        (self.joined < self.p.threads).then_some(Event { thread: ThreadId(0), op: joined, location: END })
    }
}

impl Iterator for Generator {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        self.ending |= self.made >= self.p.events;
        let e = if self.made + 1 < u64::from(self.p.threads) {
            let child = ThreadId(self.made as u32 + 1);
            Event { thread: ThreadId(0), op: Op::Fork(child), location: BEGINNING }
        } else if self.ending {
            self.finishing()?
        } else if let Some(e) = self.racy_access() {
            e
        } else {
            self.ordinary()
        };
        self.made += 1;
        Some(e)
    }
}
