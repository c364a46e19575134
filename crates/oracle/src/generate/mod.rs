//! Random programs, each determined by a seed.
//!
//! A program of random statements is nearly always racy or dull. So programs are made of *idioms* ([`idioms`]):
//! the usual ways in which threads share data, each laid over a few threads and now and then spoilt (a weaker order, another
//! mutex, `if` for `while`). The idioms are interleaved with each other, wrapped into conditionals, and the whole is
//! spoilt once more ([`mutate`]).
//!
//! [`balanced`] draws such programs until one falls into the class that the seed wants, so that each class gets its
//! share ([`SHARES`]) whatever the idioms yield.

pub mod identical;
mod idioms;
mod mutate;

use std::ops::RangeInclusive;

use crate::explore::{Outcome, explore};
use crate::print::{Printed, print};
use crate::program::{Program, REGISTERS, Stmt, Test, walk};
use crate::rng::Rng;

/// How large programs get. A seed means another program for each size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Size {
    /// 6 to 14 statements, 1 to 3 workers.
    #[default]
    Small,
    /// 14 to 26 statements, 2 to 4 workers.
    Large,
}

impl Size {
    /// The smallest and largest number of statements, creating and joining not counted.
    pub fn statements(self) -> RangeInclusive<usize> {
        match self {
            Size::Small => 6..=14,
            Size::Large => 14..=26,
        }
    }
}

/// The classes of programs, by their answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// No race, no deadlock, no failed assertion.
    Free,
    /// A race in some executions only.
    RaceSometimes,
    /// A race in every execution.
    RaceAlways,
    /// A deadlock, and no race.
    Deadlock,
    /// A failed assertion, and no race.
    Assertion,
    /// A deadlock and a failed assertion, and no race.
    Both,
    /// A fault (null pointer, out of bounds, division by zero), and no race.
    Fault,
}

/// The share of each class in 100 balanced programs.
pub const SHARES: [(Class, usize); 6] = [
    (Class::Free, 40),
    (Class::RaceSometimes, 16),
    (Class::RaceAlways, 14),
    (Class::Deadlock, 14),
    (Class::Assertion, 13),
    (Class::Both, 3),
];

impl Class {
    /// The class of a program with this outcome.
    pub fn of(outcome: &Outcome) -> Class {
        match (outcome.race, outcome.deadlock, outcome.assertion) {
            (true, ..) if outcome.clean_execution => Class::RaceSometimes,
            (true, ..) => Class::RaceAlways,
            _ if !outcome.faults.is_empty() => Class::Fault,
            (_, false, false) => Class::Free,
            (_, true, false) => Class::Deadlock,
            (_, false, true) => Class::Assertion,
            (_, true, true) => Class::Both,
        }
    }

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Class::Free => "race-free",
            Class::RaceSometimes => "race in some executions",
            Class::RaceAlways => "race in every execution",
            Class::Deadlock => "deadlock",
            Class::Assertion => "assertion",
            Class::Both => "deadlock and assertion",
            Class::Fault => "fault",
        }
    }
}

/// A generated program with its C form and its answer.
#[derive(Debug, Clone)]
pub struct Sample {
    /// The seed that it came from.
    pub seed: u64,
    /// The program.
    pub program: Program,
    /// The program in C.
    pub printed: Printed,
    /// The answer.
    pub outcome: Outcome,
    /// Programs that were drawn and dropped because the state limit was exceeded.
    pub skipped: usize,
}

/// How many programs [`balanced`] draws in search of the wanted class.
const ATTEMPTS: u64 = 400;

/// The program of `seed`: of the class that the seed wants, or of another if many draws did not give one. `None` if
/// none of the draws was a valid program within `limit` states.
pub fn balanced(seed: u64, size: Size, limit: usize) -> Option<Sample> {
    balanced_by(generate, seed, size, limit)
}

/// The same, of programs that `generate` draws, given the seed, the size and the number of the attempt.
pub fn balanced_by(
    generate: fn(u64, Size, u64) -> Option<Program>,
    seed: u64,
    size: Size,
    limit: usize,
) -> Option<Sample> {
    let weights = SHARES.map(|(_, share)| share);
    let wanted = SHARES[Rng::new(seed, 0).weighted(&weights)].0;
    let mut skipped = 0;
    let mut last = None;
    for attempt in 1..=ATTEMPTS {
        let Some(program) = generate(seed, size, attempt) else { continue };
        let printed = print(&program);
        let Ok(outcome) = explore(&program, &printed, limit) else {
            skipped += 1;
            continue;
        };
        // Programs that hardly interleave are kept only now and then.
        let dull = outcome.states < 3 * (program.statements() + program.threads.len());
        if outcome.misuse || (dull && attempt % 8 != 0) {
            continue;
        }
        let found = Class::of(&outcome) == wanted;
        last = Some(Sample { seed, program, printed, outcome, skipped });
        if found {
            break;
        }
    }
    last.map(|sample| Sample { skipped, ..sample })
}

/// One draw: a program of any class, valid or not. `None` if it is too small, too large, or shares nothing.
pub fn generate(seed: u64, size: Size, attempt: u64) -> Option<Program> {
    let mut draft = Draft::new(Rng::new(seed, attempt), size);
    draft.fill();
    let (mut program, mut rng) = draft.assemble();
    for _ in 0..rng.weighted(&[50, 35, 15]) {
        mutate::mutate(&mut program, &mut rng);
    }
    let fits = size.statements().contains(&program.statements());
    (fits && shares_something(&program)).then_some(program)
}

/// Whether some plain variable is accessed by two threads, by one of them with a write.
fn shares_something(program: &Program) -> bool {
    let mut readers = vec![0u32; program.vars];
    let mut writers = vec![0u32; program.vars];
    for (thread, body) in program.threads.iter().enumerate() {
        let bit = 1 << thread;
        walk(body, &mut |stmt| match *stmt {
            Stmt::Read { var, .. } | Stmt::Wait { var, .. } => readers[var] |= bit,
            Stmt::Write { var, .. } | Stmt::Increment { var } => writers[var] |= bit,
            _ => {}
        });
    }
    (0..program.vars).any(|v| writers[v] != 0 && (readers[v] | writers[v]).count_ones() > 1)
}

/// A program in the making. Thread 0's body is what `main` does while the others run.
struct Draft {
    rng: Rng,
    size: Size,
    program: Program,
    /// What `main` does before it creates anyone.
    before: Vec<Stmt>,
    /// What `main` does after it has joined those that it joins.
    after: Vec<Stmt>,
}

impl Draft {
    fn new(mut rng: Rng, size: Size) -> Draft {
        let workers = match size {
            Size::Small => 1 + rng.weighted(&[18, 57, 25]),
            Size::Large => 2 + rng.weighted(&[40, 45, 15]),
        };
        let program = Program {
            threads: vec![Vec::new(); workers + 1],
            vars: 1 + rng.below(3),
            atomics: rng.below(3),
            mutexes: rng.weighted(&[15, 35, 35, 15]),
            rwlocks: usize::from(rng.chance(25)),
            conds: usize::from(rng.chance(30)),
            barriers: Vec::new(),
            sems: if rng.chance(25) { vec![rng.weighted(&[60, 40]) as u32] } else { Vec::new() },
        };
        Draft { rng, size, program, before: Vec::new(), after: Vec::new() }
    }

    fn fill(&mut self) {
        let range = self.size.statements();
        let spread = range.end() - range.start();
        // Mostly in the upper half: larger programs show more.
        let goal = range.start() + self.rng.below(spread).max(self.rng.below(spread));
        for _ in 0..16 {
            if self.program.statements() + self.after.len() >= goal {
                break;
            }
            idioms::add(self);
        }
        if self.rng.chance(12) {
            let var = self.rng.below(self.program.vars);
            self.before.push(Stmt::Write { var, value: idioms::constant(&mut self.rng) });
        }
        if self.rng.chance(35) {
            idioms::final_check(self);
        }
    }

    /// Some different threads, `count` of them or all; `main` takes part less often than others.
    fn actors(&mut self, count: usize) -> Vec<usize> {
        let mut workers: Vec<usize> = (1..self.program.threads.len()).collect();
        self.rng.shuffle(&mut workers);
        let mut actors = workers;
        actors.truncate(count);
        if actors.len() < count || self.rng.chance(20) {
            let at = self.rng.below(actors.len());
            if actors.len() < count {
                actors.insert(at, 0);
            } else {
                actors[at] = 0;
            }
        }
        actors
    }

    /// Gives `thread` some more to do: at the end of its body, seldom elsewhere; seldom under a condition or twice.
    fn put(&mut self, thread: usize, stmts: Vec<Stmt>) {
        let rng = &mut self.rng;
        let stmts = match rng.weighted(&[84, 10, 6]) {
            0 => stmts,
            1 => {
                let test =
                    Test { reg: rng.below(2) as u8, equal: rng.chance(60), value: rng.below(2) as i32 };
                vec![Stmt::If { test, then: stmts, otherwise: Vec::new() }]
            }
            _ => vec![Stmt::Repeat { times: 2, body: stmts }],
        };
        let body = &mut self.program.threads[thread];
        let at = if rng.chance(85) { body.len() } else { rng.below(body.len() + 1) };
        body.splice(at..at, stmts);
    }

    fn register(&mut self) -> u8 {
        self.rng.below(REGISTERS as usize) as u8
    }

    /// Puts creations and joins into place.
    fn assemble(self) -> (Program, Rng) {
        let Draft { mut rng, mut program, before, after, .. } = self;
        let workers = program.threads.len() - 1;
        let mut by_main: Vec<usize> = (1..=workers).collect();
        if workers > 1 && rng.chance(15) {
            by_main.pop();
            create_within(&mut program.threads[1], workers, &mut rng);
        } else if workers > 1 && rng.chance(12) && create_if(&mut program.threads[0], workers, &mut rng) {
            by_main.pop();
        }
        let mut body = std::mem::take(&mut program.threads[0]);
        // Creations come before what main does, or somewhere in it.
        let mut at = 0;
        for &worker in &by_main {
            if rng.chance(25) {
                at += rng.below(body.len() + 1 - at);
            }
            body.insert(at, Stmt::Create(worker));
            at += 1;
        }
        // Seldom a worker joins another one that main has created before it.
        let adopted = (by_main.len() > 1 && rng.chance(12)).then(|| {
            let at = rng.below(by_main.len() - 1);
            let joiner = &mut program.threads[by_main[at + 1]];
            let place = rng.below(joiner.len() + 1);
            joiner.insert(place, Stmt::Join(by_main[at]));
            by_main[at]
        });
        // Joins come after what main does, or somewhere between, or not at all.
        for &worker in by_main.iter().filter(|&&worker| Some(worker) != adopted) {
            match rng.weighted(&[78, 12, 10]) {
                0 => body.push(Stmt::Join(worker)),
                1 => {
                    let created = body.iter().position(|s| *s == Stmt::Create(worker)).unwrap_or(0);
                    let at = created + 1 + rng.below(body.len() - created);
                    body.insert(at, Stmt::Join(worker));
                }
                _ => {}
            }
        }
        program.threads[0] = [before, body, after].concat();
        (program, rng)
    }
}

/// Makes a worker create another one, and mostly join it.
fn create_within(body: &mut Vec<Stmt>, child: usize, rng: &mut Rng) {
    let at = if rng.chance(60) { 0 } else { rng.below(body.len() + 1) };
    body.insert(at, Stmt::Create(child));
    if rng.chance(70) {
        let at = at + 1 + rng.below(body.len() - at);
        body.insert(at, Stmt::Join(child));
    }
}

/// Makes `main` create a worker only if some register has some value.
fn create_if(body: &mut Vec<Stmt>, child: usize, rng: &mut Rng) -> bool {
    let known = assigned(body);
    if known.is_empty() {
        return false;
    }
    let test = Test { reg: rng.pick(&known), equal: rng.chance(70), value: rng.below(2) as i32 };
    let mut then = vec![Stmt::Create(child)];
    then.extend(rng.chance(60).then_some(Stmt::Join(child)));
    body.push(Stmt::If { test, then, otherwise: Vec::new() });
    true
}

/// The registers that statements of `block` put something shared into.
fn assigned(block: &[Stmt]) -> Vec<u8> {
    let mut found = Vec::new();
    walk(block, &mut |stmt| match *stmt {
        Stmt::Read { reg, .. }
        | Stmt::Peek { reg, .. }
        | Stmt::Load { reg, .. }
        | Stmt::FetchAdd { reg, .. }
        | Stmt::Exchange { reg, .. }
        | Stmt::CompareExchange { reg, .. } => found.push(reg),
        _ => {}
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_means_one_program() {
        for seed in 0..20 {
            assert_eq!(generate(seed, Size::Small, 1), generate(seed, Size::Small, 1));
        }
    }

    #[test]
    fn every_class_is_hit() {
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..40 {
            if let Some(sample) = balanced(seed, Size::Small, 5_000) {
                seen.insert(Class::of(&sample.outcome));
                assert!(!sample.outcome.misuse);
            }
        }
        assert!(seen.len() >= 5, "{seen:?}");
    }
}
