//! What an engine is, what it is given, and what it gives back.
//!
//! An [`Engine`] looks at one program under one bound. It is given a [`Task`] and what is known so far, and adds to that
//! [`Knowledge`]; it never decides what comes next: that is [`crate::policy`]'s. To add one, write a file in [`crate::engines`]
//! that implements the trait, and add a line to the list there.
//!
//! *Contract.*
//! - Every race and defect that an engine adds has been replayed by `judge`.
//! - [`Knowledge::settle`] is called only where the outcome is what all executions under the bound have in common: what it does
//!   not list as `unknown` is excluded. Everything else is [`Knowledge::leave_open`], with the reason.
//! - It asks the budget ([`explore::Config::budget`]) at least every tenth of a second, and ends when that is used up,
//!   with what it has found until then.
//! - With the same task and knowledge it gives the same answer, unless the budget ends it.

use std::cell::Cell;

use base::Reason;
use explore::{Config, Outcome, Progress, Unknown};
use machine::LoadError;

/// One way to decide, or to help others to.
pub trait Engine: Sync {
    /// What the user calls it (`--engine`).
    fn name(&self) -> &'static str;

    /// What it does, for people who wait.
    fn phase(&self) -> &'static str;

    /// Whether it goes through the executions of a program one after another: its effort can be limited in states, and where
    /// races are known it can look for further ones.
    fn is_search(&self) -> bool {
        false
    }

    /// Whether there is something for it to do, given what is known.
    fn applies(&self, _known: &Knowledge) -> bool {
        true
    }

    /// Looks at the program, and adds to what is known.
    ///
    /// # Errors
    /// If the program cannot be run at all.
    fn run(&self, task: &Task, known: &mut Knowledge) -> Result<(), LoadError>;
}

/// Whom progress is told.
pub type Tell<'a> = &'a dyn Fn(&Progress);

/// What an engine is to look at.
pub struct Task<'a> {
    /// The program.
    pub module: &'a ir::Module,
    /// The bound (arguments, number of threads), the budget, and limits of searches.
    pub config: Config,
    /// The names of objects in what is known of several numbers of threads.
    pub names: &'a certify::Table,
    /// Whom to tell how far it is.
    pub tell: Tell<'a>,
}

/// The branches that a proof took both ways: function and instruction.
pub type Branches = Vec<(u32, u32)>;

/// What a proof says beyond its verdict.
#[derive(Debug)]
pub struct Proved {
    /// What it says of the strands' skeletons.
    pub claim: judge::Claim,
    /// What it rests on.
    pub certificate: Box<certify::Certificate>,
    /// The branches that it took both ways.
    pub branches: Branches,
    /// What strands do, if that may hold for other numbers of threads.
    pub alike: Option<certify::Alike>,
}

/// What is known of a program under one bound.
#[derive(Debug, Default)]
pub struct Knowledge {
    /// What was found and what is open.
    pub outcome: Outcome,
    /// Whether that is all: no other engine is needed.
    pub settled: bool,
    /// Whether a search had a part in it.
    pub searched: bool,
    /// The proof that settled it, if one did.
    pub proved: Option<Proved>,
    /// Whose turn was the last, by its number.
    pub turn: usize,
    /// Why engines before the searches could not decide; the first reason is what is told.
    pub reasons: Vec<Unknown>,
}

impl Knowledge {
    /// This is the whole answer.
    pub fn settle(&mut self, outcome: Outcome) {
        self.take(outcome);
        self.settled = true;
    }

    /// This was found, but there may be more.
    pub fn take(&mut self, outcome: Outcome) {
        let found = std::mem::take(&mut self.outcome);
        self.outcome = together(found, outcome);
    }

    /// An engine cannot decide.
    pub fn leave_open(&mut self, reason: Reason, place: Option<base::Place>) {
        self.reasons.push(Unknown::new(reason, place));
    }

    /// Whether races are known.
    pub fn has_races(&self) -> bool {
        !self.outcome.races.is_empty()
    }
}

/// What two engines found, the first one's findings first.
pub(crate) fn together(mut first: Outcome, second: Outcome) -> Outcome {
    for race in second.races {
        explore::elaborate::add_race(&mut first.races, race);
    }
    explore::elaborate::sort_races(&mut first.races);
    for defect in second.defects {
        let same = |d: &base::Defect| d.kind == defect.kind && d.location == defect.location;
        if !first.defects.iter().any(same) {
            first.defects.push(defect);
        }
    }
    first.unknown.extend(second.unknown);
    for assumption in second.assumptions {
        if !first.assumptions.contains(&assumption) {
            first.assumptions.push(assumption);
        }
    }
    first.cut = (first.cut.0 | second.cut.0, first.cut.1 | second.cut.1);
    first.symmetric |= second.symmetric;
    first.left = second.left.or(first.left);
    add(&mut first.stats, &second.stats);
    first
}

/// Adds figures.
pub(crate) fn add(sum: &mut base::Stats, one: &base::Stats) {
    sum.states += one.states;
    sum.transitions += one.transitions;
    sum.executions += one.executions;
    sum.instructions += one.instructions;
    sum.certify_runs += one.certify_runs;
    sum.judge_runs += one.judge_runs;
    sum.depth = sum.depth.max(one.depth);
    sum.asked_threads |= one.asked_threads;
}

/// What is being done, for the progress.
pub(crate) type Phase = Cell<&'static str>;
