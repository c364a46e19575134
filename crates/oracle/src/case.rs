//! A generated program of either kind, with what can be done to it.

use std::path::Path;

use crate::compare::{Difference, Tool};
use crate::explore::Outcome;
use crate::generate::{self, Size};
use crate::memory::native::Disagreement;
use crate::native::{self, Options, Seen};
use crate::print::Printed;
use crate::{memory, openmp, shrink};

/// What programs are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kind {
    /// Threads, as pthreads and C11 have them.
    #[default]
    Threads,
    /// Threads, several of which run the same function.
    Identical,
    /// OpenMP.
    OpenMp,
    /// OpenMP with memory: what the flavour says.
    Memory(memory::Flavour),
}

/// A generated program with its answer.
#[derive(Debug, Clone)]
pub enum Case {
    /// A program with threads.
    Threads(generate::Sample),
    /// An OpenMP program.
    OpenMp(openmp::generate::Sample),
    /// An OpenMP program with memory.
    Memory(memory::generate::Sample),
}

/// The difference of a program from the truth, as some checker sees it.
pub type Judge<'a> = dyn FnMut(&Printed, &Outcome) -> Vec<Difference> + 'a;

impl Case {
    /// The program of a seed.
    pub fn draw(kind: Kind, seed: u64, size: Size, states: usize) -> Option<Case> {
        match kind {
            Kind::Threads => generate::balanced(seed, size, states).map(Case::Threads),
            Kind::Identical => {
                generate::balanced_by(generate::identical::generate, seed, size, states).map(Case::Threads)
            }
            Kind::OpenMp => {
                openmp::generate::balanced(seed, states.min(openmp::STATE_LIMIT)).map(Case::OpenMp)
            }
            Kind::Memory(flavour) => memory::generate::balanced(flavour, seed, states).map(Case::Memory),
        }
    }

    /// Its seed.
    pub fn seed(&self) -> u64 {
        match self {
            Case::Threads(s) => s.seed,
            Case::OpenMp(s) => s.seed,
            Case::Memory(s) => s.seed,
        }
    }

    /// The program in C.
    pub fn printed(&self) -> &Printed {
        match self {
            Case::Threads(s) => &s.printed,
            Case::OpenMp(s) => &s.printed,
            Case::Memory(s) => &s.printed,
        }
    }

    /// The answer.
    pub fn outcome(&self) -> &Outcome {
        match self {
            Case::Threads(s) => &s.outcome,
            Case::OpenMp(s) => &s.outcome,
            Case::Memory(s) => &s.outcome,
        }
    }

    /// Whether one of several defects is answer enough: executions that end early hide what comes later.
    pub fn one_defect_is_enough(&self) -> bool {
        matches!(self, Case::Memory(_))
    }

    /// Programs that were drawn before it and dropped because the state limit was exceeded.
    pub fn skipped(&self) -> usize {
        match self {
            Case::Threads(s) => s.skipped,
            Case::OpenMp(s) => s.skipped,
            Case::Memory(s) => s.skipped,
        }
    }

    /// Compiles and runs it; an error says what contradicts the oracle.
    pub fn run_natively(&self, options: &Options, directory: &Path) -> anyhow::Result<Seen> {
        match self {
            Case::Threads(s) => native::check(s, options, directory),
            Case::OpenMp(s) => openmp::native::check(s, options, directory),
            Case::Memory(s) => {
                let shown = memory::native::observe(s, options, directory)?;
                let found = shown.against_brute_force(&s.outcome);
                anyhow::ensure!(found.is_empty(), "{}", found.join("; "));
                Ok(shown.seen)
            }
        }
    }

    /// What real runs, the brute force and the checker say against each other.
    pub fn three_ways(
        &self,
        options: &Options,
        tool: &Tool,
        directory: &Path,
    ) -> anyhow::Result<Vec<Disagreement>> {
        let Case::Memory(sample) = self else {
            anyhow::bail!("only kinds from `own` to `all` are compared three ways");
        };
        memory::native::three_ways(sample, options, tool, directory)
    }

    /// A smaller program on which `judge` finds a difference of the same kind as on this one, with its C form and answer.
    pub fn shrink(&self, judge: &mut Judge<'_>) -> Option<(Printed, Outcome, Vec<Difference>)> {
        let wanted = judge(self.printed(), self.outcome()).into_iter().next()?;
        let mut keeps = |judged: Option<(Printed, Outcome)>| {
            judged.is_some_and(|(printed, outcome)| {
                !outcome.misuse && judge(&printed, &outcome).iter().any(|d| d.same_kind(&wanted))
            })
        };
        let small = match self {
            Case::Threads(s) => {
                let small = shrink::shrink(&s.program, |p| keeps(crate::judge(p).ok()));
                crate::judge(&small).ok()?
            }
            Case::OpenMp(s) => {
                let small = openmp::shrink::shrink(&s.program, |p| keeps(openmp::judge(p).ok()));
                openmp::judge(&small).ok()?
            }
            Case::Memory(s) => {
                let small = memory::shrink::shrink(&s.program, |p| keeps(memory::judge(p).ok()));
                memory::judge(&small).ok()?
            }
        };
        let differences = judge(&small.0, &small.1);
        Some((small.0, small.1, differences))
    }
}
