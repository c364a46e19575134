//! Random OpenMP programs, each determined by a seed.
//!
//! As for threads ([`crate::generate`]): programs are made of idioms ([`idioms`]), each now and then spoilt, and the whole is
//! spoilt once more ([`mutate`]). [`balanced`] draws until one falls into the class that the seed wants.

mod idioms;
mod mutate;

use super::program::{Place, Program, Region, Stmt, Test, Value, walk};
use super::{explore, print, valid};
use crate::explore::Outcome;
use crate::generate::Class;
use crate::print::Printed;
use crate::rng::Rng;

/// The share of each class in 100 balanced programs.
pub const SHARES: [(Class, usize); 6] = [
    (Class::Free, 44),
    (Class::RaceSometimes, 20),
    (Class::RaceAlways, 18),
    (Class::Deadlock, 7),
    (Class::Assertion, 9),
    (Class::Both, 2),
];

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
const ATTEMPTS: u64 = 60;

/// The program of `seed`, of the class that its number wants if a draw gives one, else the last that was drawn.
pub fn balanced(seed: u64, limit: usize) -> Option<Sample> {
    let mut rng = Rng::new(seed, u64::MAX);
    let wanted = SHARES[rng.weighted(&SHARES.map(|s| s.1))].0;
    let mut last = None;
    let mut skipped = 0;
    for attempt in 0..ATTEMPTS {
        let Some(program) = generate(seed, attempt) else { continue };
        let printed = print(&program);
        let Ok(outcome) = explore(&program, &printed, limit) else {
            skipped += 1;
            continue;
        };
        if outcome.misuse {
            continue;
        }
        let found = Class::of(&outcome) == wanted;
        last = Some(Sample { seed, program, printed, outcome, skipped });
        if found {
            break;
        }
    }
    last
}

/// One draw: a valid program of any class, or `None`.
pub fn generate(seed: u64, attempt: u64) -> Option<Program> {
    let mut draft = Draft::new(Rng::new(seed, attempt));
    let mut program = draft.program();
    let mut rng = draft.rng;
    for _ in 0..rng.weighted(&[50, 35, 15]) {
        mutate::mutate(&mut program, &mut rng);
    }
    combine(&mut program, &mut rng);
    let fits = (4..=26).contains(&program.statements());
    (fits && shares_something(&program) && valid(&program) && translated(&program)).then_some(program)
}

/// Whether clang 19 translates the program as it stands: it puts a barrier behind a loop with `lastprivate` even if the
/// loop has `nowait`, which hides races that the language has there.
fn translated(program: &Program) -> bool {
    let mut hides = false;
    walk(&program.main, &mut |s| {
        if let Stmt::For { head, .. } = s {
            hides |= head.nowait && head.lastprivate.is_some();
        }
    });
    !hides
}

/// Writes regions that are nothing but a loop as one directive, mostly.
fn combine(program: &mut Program, rng: &mut Rng) {
    for i in 0..program.main.len() {
        let mut copy = program.clone();
        if let Stmt::Parallel { region, body } = &mut copy.main[i] {
            region.combined = true;
            if let [Stmt::For { head, .. }] = &mut body[..] {
                head.nowait = false;
            }
        }
        if valid(&copy) && rng.chance(70) {
            *program = copy;
        }
    }
}

/// Whether something shared is written in a region.
fn shares_something(program: &Program) -> bool {
    let mut found = false;
    walk(&program.main, &mut |s| {
        found |= matches!(s, Stmt::Write { .. } | Stmt::Increment { .. });
    });
    found
}

/// A program in the making.
struct Draft {
    rng: Rng,
    vars: u8,
    arrays: u8,
    locks: u8,
    threads: u8,
    /// How each variable is protected, unless something is spoilt.
    guards: Vec<usize>,
    /// The value that each variable will have, if that is known.
    expected: Vec<Option<i32>>,
}

impl Draft {
    fn new(mut rng: Rng) -> Draft {
        let vars = 2 + rng.below(2) as u8;
        let guards = (0..vars).map(|_| rng.below(6)).collect();
        Draft {
            vars,
            arrays: 1 + rng.below(2) as u8,
            locks: 1 + rng.below(2) as u8,
            threads: 2,
            guards,
            expected: vec![Some(0); vars as usize],
            rng,
        }
    }

    fn program(&mut self) -> Program {
        let mut main = Vec::new();
        let regions = 1 + self.rng.weighted(&[88, 12]);
        if self.rng.chance(20) {
            let var = self.var();
            self.expected[var as usize] = None;
            main.push(Stmt::Write { place: Place::Var(var), value: Value::Const(1) });
        }
        for _ in 0..regions {
            self.threads = 2 + self.rng.weighted(&[72, 28]) as u8;
            main.push(self.region(regions));
            if regions > 1 && self.rng.chance(40) {
                let var = self.var();
                self.expected[var as usize] = None;
                main.push(Stmt::Increment { place: Place::Var(var) });
            }
        }
        if self.rng.chance(45) {
            self.final_check(&mut main);
        }
        let rng = &mut self.rng;
        Program {
            main,
            vars: (0..self.vars).map(|_| rng.chance(40)).collect(),
            arrays: (0..self.arrays).map(|_| rng.chance(25)).collect(),
            locks: self.locks as usize,
        }
    }

    fn region(&mut self, regions: usize) -> Stmt {
        let mut region =
            Region { threads: self.threads, combined: false, reduction: None, firstprivate: None };
        let var = self.var();
        match self.rng.below(100) {
            0..=5 => region.reduction = Some(var),
            6..=9 => region.firstprivate = Some(var),
            _ => {}
        }
        if region.reduction.or(region.firstprivate).is_some() {
            self.expected[var as usize] = None;
        }
        let few = usize::from(self.threads > 2 || regions > 1);
        let phrases = 1 + self.rng.weighted(&[30 + 40 * few, 50, 25 - 20 * few]);
        let mut body = Vec::new();
        for _ in 0..phrases {
            let phrase = idioms::phrase(self);
            body.extend(phrase);
            if self.rng.chance(22) {
                body.push(Stmt::Barrier);
            }
        }
        if self.rng.chance(7) {
            self.expected.fill(None);
            body = vec![Stmt::Repeat { times: 2, body }];
        }
        Stmt::Parallel { region, body }
    }

    /// Reads a variable at the end and asserts its value: mostly one that is known.
    fn final_check(&mut self, main: &mut Vec<Stmt>) {
        let known: Vec<u8> = (0..self.vars)
            .filter(|&v| self.expected[v as usize].is_some_and(|value| value != 0 || self.rng.chance(20)))
            .collect();
        let guess = known.is_empty() || self.rng.chance(15);
        let var = if known.is_empty() { self.var() } else { self.rng.pick(&known) };
        let value = match self.expected[var as usize] {
            Some(value) if !guess => value,
            _ => self.rng.below(4) as i32,
        };
        main.push(Stmt::Read { reg: 0, place: Place::Var(var) });
        let equal = !guess || self.rng.chance(40);
        main.push(Stmt::Assert(Test { reg: 0, equal, value }));
    }

    fn var(&mut self) -> u8 {
        self.rng.below(self.vars as usize) as u8
    }

    /// Another variable than `var`.
    fn other(&mut self, var: u8) -> u8 {
        (var + 1 + self.rng.below(self.vars as usize - 1) as u8) % self.vars
    }

    fn array(&mut self) -> u8 {
        self.rng.below(self.arrays as usize) as u8
    }

    fn register(&mut self) -> u8 {
        self.rng.below(2) as u8
    }

    /// Whether to leave out or weaken what makes an idiom right.
    fn spoilt(&mut self) -> bool {
        self.rng.chance(20)
    }

    /// `var` grows by `by`, unless it is already unclear what it is.
    fn grows(&mut self, var: u8, by: i32) {
        let value = &mut self.expected[var as usize];
        *value = value.map(|v| v + by);
    }

    fn unclear(&mut self, var: u8) {
        self.expected[var as usize] = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_means_one_program() {
        for seed in 0..20 {
            assert_eq!(generate(seed, 1), generate(seed, 1));
        }
    }

    #[test]
    fn every_class_is_hit() {
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..60 {
            if let Some(sample) = balanced(seed, 5_000) {
                seen.insert(Class::of(&sample.outcome));
                assert!(!sample.outcome.misuse && valid(&sample.program));
            }
        }
        assert!(seen.len() >= 5, "{seen:?}");
    }
}
