//! Large artificial traces for measurements: threads that work on private and on lock-protected variables, with a few
//! races, some of them far apart. The same parameters give the same trace; it is made as a stream.
//!
//! Thread 0 forks all others first and joins them last. In between each thread, in turns of random length, runs sections
//! (acquire one lock or two in ascending order, access variables that belong to the lock, release) and work on its own
//! variables. Every planted race has a variable and two locations of its own and is predictable; nothing else races:
//! - *near*: two accesses outside sections, one directly after the other. Happens-before sees it.
//! - *hidden* (every fourth of the near ones): as in P4, figure 1a. One access is in a section, the other after a section
//!   of the same lock, which comes later in this run. Happens-before orders them; running the sections in the other
//!   order shows the race.
//! - *far*: one access in the first tenth of the trace, the other in the last. In between the two threads take many locks
//!   in turn, so happens-before orders them. They race because one of the two threads passes nothing on: with far races,
//!   the last thread only *reads* shared variables (what it does after its first access is not needed by anyone) and,
//!   from four threads on, the last but one only *writes* them (it needs nothing that happens after the other's access).

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

/// How the two accesses of a race lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Near,
    Hidden,
    /// The first of two accesses that are far apart.
    FarFirst,
    FarSecond,
}

/// A race, or the half of one that is far apart, still to come.
#[derive(Debug, Clone, Copy)]
struct Planted {
    /// From which event on.
    at: u64,
    race: u32,
    kind: Kind,
    /// Who has the first access, and who the second.
    threads: [u32; 2],
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
    /// Races still to come, the latest first.
    planted: Vec<Planted>,
    /// Events of races that come next, one directly after the other.
    due: VecDeque<Event>,
    ending: bool,
    joined: u32,
}

const BEGINNING: LocId = LocId(0);
const END: LocId = LocId(1);

/// A random number from `from` up to but not including `to`.
fn between(rng: &mut Rng, from: u64, to: u64) -> u64 {
    from + ((u64::from(rng.below(u32::MAX)) * to.saturating_sub(from)) >> 32)
}

impl Generator {
    /// Starts.
    pub fn new(p: Parameters) -> Generator {
        let p = Parameters { threads: p.threads.max(2), locks: p.locks.max(1), ..p };
        let mut generator = Generator {
            rng: Rng(p.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1),
            made: 0,
            plans: vec![VecDeque::new(); p.threads as usize],
            taken: vec![false; p.locks as usize],
            thread: 0,
            turn: 0,
            planted: Vec::new(),
            due: VecDeque::new(),
            ending: false,
            joined: 0,
            p,
        };
        generator.plant();
        generator
    }

    /// Chooses where the races will be.
    fn plant(&mut self) {
        let p = self.p;
        let tenth = p.events / 10;
        for race in 0..p.near_races + p.far_races {
            let first = self.rng.below(p.threads);
            let threads = [first, (first + 1 + self.rng.below(p.threads - 1)) % p.threads];
            if race < p.near_races {
                let kind = if race % 4 == 3 { Kind::Hidden } else { Kind::Near };
                let at = between(&mut self.rng, tenth, p.events - tenth);
                self.planted.push(Planted { at, race, kind, threads });
                continue;
            }
            let threads = self.far_threads(race);
            let early = between(&mut self.rng, u64::from(p.threads), tenth);
            let late = between(&mut self.rng, p.events - tenth, p.events);
            self.planted.push(Planted { at: early, race, kind: Kind::FarFirst, threads });
            self.planted.push(Planted { at: late.max(early), race, kind: Kind::FarSecond, threads });
        }
        self.planted.sort_by_key(|planted| std::cmp::Reverse((planted.at, planted.kind == Kind::FarSecond)));
    }

    /// The thread that only reads what is shared, if there are far races.
    fn reader(&self) -> Option<u32> {
        (self.p.far_races > 0).then(|| self.p.threads - 1)
    }

    /// The thread that only writes what is shared.
    fn writer(&self) -> Option<u32> {
        (self.p.far_races > 0 && self.p.threads >= 4).then(|| self.p.threads - 2)
    }

    /// The reader has the first of two accesses that are far apart, or the writer has the second.
    fn far_threads(&mut self, race: u32) -> [u32; 2] {
        let last = self.p.threads - 1;
        match self.writer() {
            Some(writer) if race % 2 == 1 => [self.rng.below(writer), writer],
            _ => [last, self.rng.below(last)],
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

    /// An access to a shared variable, two reads for each write, or as the thread's part is.
    fn access(&mut self, thread: u32, variable: u32, site: u32) -> Event {
        let write = self.rng.below(3) == 0;
        let write = self.writer() == Some(thread) || write && self.reader() != Some(thread);
        self.access_at(thread, variable, site, write)
    }

    fn access_at(&self, thread: u32, variable: u32, site: u32, write: bool) -> Event {
        let v = VarId(variable);
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

    /// Makes the planted race that is due, if its threads are outside sections.
    fn make_planted(&mut self) {
        let Some(&planted) = self.planted.last() else { return };
        let is_free = |thread: u32| self.plans[thread as usize].is_empty();
        let is_possible = match planted.kind {
            Kind::FarFirst => is_free(planted.threads[0]),
            Kind::FarSecond => is_free(planted.threads[1]),
            Kind::Near | Kind::Hidden => planted.threads.into_iter().all(is_free),
        };
        if !(self.made >= planted.at || self.ending) || !is_possible {
            return;
        }
        match planted.kind {
            Kind::Near => {
                self.racy(planted, 0);
                self.racy(planted, 1);
            }
            Kind::Hidden => {
                let Some(lock) = self.free_lock() else { return };
                self.hidden(planted, lock);
            }
            Kind::FarFirst => self.racy(planted, 0),
            Kind::FarSecond => self.racy(planted, 1),
        }
        self.planted.pop();
    }

    /// One access of a race. A read that observes the other access would pass on what its thread knows.
    fn racy(&mut self, Planted { race, kind, threads, .. }: Planted, which: u32) {
        let is_far = matches!(kind, Kind::FarFirst | Kind::FarSecond);
        let passes_on = self.reader() == Some(threads[0]) || self.writer() == Some(threads[1]);
        let reads = race % 3 == 0 && if is_far || passes_on { which == 0 } else { which == 1 };
        let op = if reads { Op::Read(VarId(race)) } else { Op::Write(VarId(race)) };
        let thread = ThreadId(threads[which as usize]);
        self.due.push_back(Event { thread, op, location: LocId(2 + 2 * race + which) });
    }

    /// A section with one access, a section of the same lock, the other access.
    fn hidden(&mut self, planted: Planted, lock: u32) {
        let [first, second] = planted.threads;
        self.lock_event(first, lock, true);
        self.racy(planted, 0);
        self.lock_event(first, lock, false);
        self.lock_event(second, lock, true);
        let variable = self.protected(lock, 0);
        let access = self.access(second, variable, lock);
        self.due.push_back(access);
        self.lock_event(second, lock, false);
        self.racy(planted, 1);
    }

    fn lock_event(&mut self, thread: u32, lock: u32, acquires: bool) {
        let op = if acquires { Op::Acquire(LockId(lock)) } else { Op::Release(LockId(lock)) };
        let location = self.location(4 * lock + if acquires { 2 } else { 3 });
        self.due.push_back(Event { thread: ThreadId(thread), op, location });
    }

    fn free_lock(&mut self) -> Option<u32> {
        let from = self.rng.below(self.p.locks);
        let mut locks = (from..self.p.locks).chain(0..from);
        locks.find(|&lock| !self.taken[lock as usize])
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
        let write = self.rng.below(3) == 0;
        self.access_at(thread, first + slot, 37 + slot, write)
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
        } else {
            if self.due.is_empty() {
                self.make_planted();
            }
            match self.due.pop_front() {
                Some(e) => e,
                None if self.ending => self.finishing()?,
                None => self.ordinary(),
            }
        };
        self.made += 1;
        Some(e)
    }
}
