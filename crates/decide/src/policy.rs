//! Which engine comes next, and when it is enough: the decision under one bound.
//!
//! Engines are asked in the order of their turns. The first that settles the question ends it. Where races are known but perhaps not
//! all, the next search looks for further ones for a while. A search that used up its try is forgotten, but for the defects that it
//! found and for its figures.

use base::Defect;
use base::reason::{Left, Limit, Reason};
use explore::search::FURTHER_INSTRUCTIONS;
use explore::{Config, Outcome};
use machine::LoadError;

use crate::engine::{Knowledge, Phase, Task, add, together};
use crate::engines::Turn;
use crate::resume::Resumed;

/// How many states to store in the search for further races where some are known already: with OpenMP, whose
/// distributions make searches large, and without. A count and not a time, so that the answer is always the same.
const FURTHER: (u64, u64) = (10_000, 300_000);
/// Searches have no try where the user allows fewer states than this.
const WORTH_A_TRY: u64 = 200_000;
/// What is being done when races are known already.
const FURTHER_RACES: &str = "search for further races";

/// What the policy goes by.
pub(crate) struct Policy<'a> {
    /// The engines' turns.
    pub turns: &'a [Turn],
    /// One finding is enough.
    pub first_only: bool,
    /// An answer about everything was demanded: no search ends early because something was found.
    pub to_the_end: bool,
    /// What is being done is told here.
    pub phase: &'a Phase,
    /// What was found so far is told here.
    pub so_far: &'a dyn Fn(&Outcome),
}

impl Policy<'_> {
    /// Decides one bound.
    pub fn decide(&self, task: &Task, resumed: Option<Resumed>) -> Result<Knowledge, LoadError> {
        let openmp = task.module.funcs.iter().any(|f| f.name.starts_with("__kmpc_fork"));
        let beyond = if openmp { FURTHER.0 } else { FURTHER.1 };
        let mut known = Knowledge::default();
        let mut tries = Tries::default();
        let (from, search) = match resumed {
            Some(Resumed { halfway, search }) => {
                known.reasons = halfway.reasons;
                (halfway.turn, Some(search))
            }
            None => (0, None),
        };
        let first = Task { config: Config { resume: search, ..task.config.clone() }, ..*task };
        for (number, turn) in self.turns.iter().enumerate().skip(from) {
            let task = if number == from { &first } else { task };
            // A search that had no time is not to be gone on with before others had theirs.
            let late = task.config.budget.is_over();
            if known.settled || known.has_races() && self.first_only {
                break;
            }
            if !turn.engine.applies(&known) || known.has_races() && !turn.engine.is_search() {
                continue;
            }
            known.turn = number;
            self.phase.set(turn.engine.phase());
            if known.has_races() {
                self.phase.set(FURTHER_RACES);
                let beyond = if self.to_the_end { u64::MAX } else { beyond };
                further(turn, task, beyond, &mut known)?;
            } else if turn.engine.is_search() {
                self.search(turn, task, beyond, &mut known, &mut tries)?;
            } else {
                turn.engine.run(task, &mut known)?;
            }
            if late {
                known.outcome.left = None;
            }
            if known.has_races() && !known.settled {
                (self.so_far)(&known.outcome);
            }
        }
        Ok(tries.finish(known))
    }

    /// A search, to its end or for a try.
    fn search(
        &self,
        turn: &Turn,
        task: &Task,
        beyond: u64,
        known: &mut Knowledge,
        tries: &mut Tries,
    ) -> Result<(), LoadError> {
        let mut config = task.config.clone();
        // A search that was asked for alone looks at everything.
        config.further = (self.turns.len() > 1 && !self.to_the_end).then_some(beyond);
        if let Some(states) = turn.states {
            if config.max_states.is_some_and(|max| max <= WORTH_A_TRY) {
                return Ok(());
            }
            // What a search finds before so many states must not depend on who of several is faster.
            (config.max_states, config.jobs) = (Some(states), 1);
        }
        let mut attempt = Knowledge::default();
        turn.engine.run(&Task { config, ..*task }, &mut attempt)?;
        let outcome = attempt.outcome;
        let cut = outcome.unknown.iter().any(|u| u.limit() == Some(Limit::States));
        // What one search does not support (inputs without bounds, by locksets) the other may.
        let unsupported = turn.engine.name() == "lockset" && !outcome.unknown.is_empty();
        if turn.states.is_some() && (cut || unsupported) && outcome.races.is_empty() {
            tries.keep(outcome);
            return Ok(());
        }
        known.searched = true;
        known.settle(self.explained(outcome, known));
        Ok(())
    }

    /// Says why no engine before the searches decided, where a search does not say where it stopped.
    fn explained(&self, mut outcome: Outcome, known: &Knowledge) -> Outcome {
        let Some(why) = known.reasons.first() else { return outcome };
        for unknown in outcome.unknown.iter_mut().filter(|u| u.place.is_none()) {
            if unknown.reason != why.reason {
                let search = Box::new(std::mem::take(&mut unknown.reason));
                unknown.reason = Reason::Both { search, one_run: Box::new(why.reason.clone()) };
            }
            unknown.place.clone_from(&why.place);
        }
        outcome
    }
}

/// Looks for races beside known ones, for a while.
fn further(turn: &Turn, task: &Task, states: u64, known: &mut Knowledge) -> Result<(), LoadError> {
    let mut config = Config { jobs: 1, ..task.config.clone() };
    let asked_for_less = config.max_states.is_some_and(|max| max <= states);
    if states < u64::MAX {
        config.max_states = config.max_states.map(|max| max.min(states)).or(Some(states));
        config.max_instructions = Some(FURTHER_INSTRUCTIONS);
    }
    let mut attempt = Knowledge::default();
    turn.engine.run(&Task { config, ..*task }, &mut attempt)?;
    let mut further = attempt.outcome;
    for unknown in further.unknown.iter_mut().filter(|u| !asked_for_less && u.limit() == Some(Limit::States))
    {
        let left = Left::Schedules(further.stats.states);
        unknown.reason = Reason::Limit { limit: Limit::Further, left };
    }
    // A search that went through everything has found the same, with shorter witnesses.
    let whole = !further.races.is_empty() && further.unknown.is_empty();
    known.outcome = if whole { further } else { together(std::mem::take(&mut known.outcome), further) };
    (known.searched, known.settled) = (true, true);
    Ok(())
}

/// What is left of searches that used up their try.
#[derive(Default)]
struct Tries {
    stats: base::Stats,
    defects: Vec<Defect>,
}

impl Tries {
    fn keep(&mut self, outcome: Outcome) {
        add(&mut self.stats, &outcome.stats);
        if self.defects.is_empty() {
            self.defects = outcome.defects;
        }
    }

    /// The answer, with what tries have to add: defects only where nobody else found anything.
    fn finish(self, mut known: Knowledge) -> Knowledge {
        add(&mut known.outcome.stats, &self.stats);
        if known.outcome.races.is_empty() && known.outcome.defects.is_empty() {
            known.outcome.defects = self.defects;
        }
        if !known.settled && !known.has_races() {
            known.searched = true;
            known.outcome.unknown.extend(known.reasons.first().cloned());
        }
        known
    }
}
