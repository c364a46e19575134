//! Random programs with memory, by flavour.
//!
//! A flavour weighs what programs are made of; within it, parts are combined at random: what memory a thread owns and how it is
//! named, what pieces of work do with it, how partial results are handed on, what is claimed about them. The brute force says
//! what is true of the result, so that no part needs to know.

mod circuits;
mod draft;
mod ends;
mod own;
mod picks;
mod pools;
mod spread;
mod sums;
mod teams;

use super::program::Program;
use super::valid::valid;
use crate::explore::{Outcome, Skipped};
use crate::print::Printed;
use crate::rng::Rng;
use draft::Draft;

/// What programs are mostly about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    /// Memory that belongs to a thread, and pieces of work that find something in it.
    Own,
    /// Partial results that are handed on.
    Handed,
    /// Short-circuits under a lock, with something bad on the other side.
    Circuits,
    /// Lanes of `simd` loops.
    Lanes,
    /// The order of pieces on a thread.
    Order,
    /// Tasks, and who executes them when.
    Pools,
    /// Several teams.
    Teams,
    /// Control variables and nested regions.
    Nested,
    /// Minima, maxima and truths under a lock, picked from what a piece's own memory says about its thread.
    Picks,
    /// Sums of shares that are followed through memory.
    Sums,
    /// Pieces that free what belongs to their thread.
    Freed,
    /// Locks that are objects: local ones, those of a thread, set here and unset there.
    Locks,
    /// Any of the others.
    All,
}

impl Flavour {
    /// All but the mixture.
    pub const EACH: [Flavour; 12] = [
        Flavour::Own,
        Flavour::Handed,
        Flavour::Circuits,
        Flavour::Lanes,
        Flavour::Order,
        Flavour::Pools,
        Flavour::Teams,
        Flavour::Nested,
        Flavour::Picks,
        Flavour::Sums,
        Flavour::Freed,
        Flavour::Locks,
    ];
}

/// A generated program with its answer.
#[derive(Debug, Clone)]
pub struct Sample {
    /// The seed.
    pub seed: u64,
    /// The program.
    pub program: Program,
    /// Its C form.
    pub printed: Printed,
    /// Its answer.
    pub outcome: Outcome,
    /// Draws before it that were over the limit of states.
    pub skipped: usize,
}

/// The program of a seed and a stream, if it obeys the rules.
pub fn generate(flavour: Flavour, seed: u64, stream: u64) -> Option<Program> {
    let mut rng = Rng::new(seed, 0x6d65_6d00 + stream);
    let flavour = match flavour {
        Flavour::All => Flavour::EACH[seed as usize % Flavour::EACH.len()],
        one => one,
    };
    let mut draft = Draft::new(&mut rng);
    match flavour {
        Flavour::Own => own::own(&mut draft),
        Flavour::Handed => own::handed(&mut draft),
        Flavour::Order => own::order(&mut draft),
        Flavour::Circuits => circuits::circuits(&mut draft),
        Flavour::Lanes => circuits::lanes(&mut draft),
        Flavour::Pools => pools::pools(&mut draft),
        Flavour::Teams => teams::teams(&mut draft),
        Flavour::Picks => picks::picks(&mut draft),
        Flavour::Sums => sums::sums(&mut draft),
        Flavour::Freed => ends::freed(&mut draft),
        Flavour::Locks => ends::locks(&mut draft),
        Flavour::Nested | Flavour::All => teams::nested(&mut draft),
    }
    let program = draft.program;
    (valid(&program) && program.statements() > 2).then_some(program)
}

/// What answers are wanted of a seed, so that not most programs are racy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Race,
    Defect,
    Free,
}

impl Wanted {
    fn of(outcome: &Outcome) -> Wanted {
        if outcome.race {
            Wanted::Race
        } else if outcome.deadlock || outcome.assertion || !outcome.faults.is_empty() {
            Wanted::Defect
        } else {
            Wanted::Free
        }
    }
}

/// How many programs are drawn for a seed before another answer is taken.
const DRAWS: u64 = 12;

/// The program of a seed: the first one drawn whose answer is the wanted one, or else the last one.
pub fn balanced(flavour: Flavour, seed: u64, states: usize) -> Option<Sample> {
    let wanted = [Wanted::Defect, Wanted::Race, Wanted::Free][(seed / 8 + seed) as usize % 3];
    let mut best = None;
    let mut skipped = 0;
    for stream in 0..DRAWS {
        let Some(program) = generate(flavour, seed, stream) else { continue };
        let printed = super::print(&program);
        let outcome = match super::explore(&program, &printed, states.min(super::STATE_LIMIT)) {
            Ok(outcome) if outcome.misuse => continue,
            Ok(outcome) => outcome,
            Err(Skipped::TooManyStates | Skipped::TooManyAccesses) => {
                skipped += 1;
                continue;
            }
        };
        let fits = Wanted::of(&outcome) == wanted;
        best = Some(Sample { seed, program, printed, outcome, skipped });
        if fits {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flavour_has_programs_of_every_answer() {
        for flavour in Flavour::EACH {
            let samples: Vec<Sample> = (0..24).filter_map(|seed| balanced(flavour, seed, 4_000)).collect();
            assert!(samples.len() >= 16, "{flavour:?}: {} programs", samples.len());
            let count = |wanted| samples.iter().filter(|s| Wanted::of(&s.outcome) == wanted).count();
            assert!(count(Wanted::Race) > 1, "{flavour:?} has too few races");
            assert!(count(Wanted::Free) > 1, "{flavour:?} has too few race-free programs");
        }
    }

    #[test]
    fn a_seed_means_the_same_program_for_ever() {
        for flavour in Flavour::EACH {
            let draw = || balanced(flavour, 3, 4_000).map(|s| (s.printed.source, s.outcome));
            assert_eq!(draw(), draw());
        }
    }
}
