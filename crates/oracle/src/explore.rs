//! The search over all interleavings.
//!
//! Explicit states, every step from every state, no reduction of any kind. The visited set holds whole states.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::code::{Code, flatten};
use crate::print::Printed;
use crate::program::Program;
use crate::state::{Effect, MAX_ACCESSES, State};

/// A race: the variable's name and the lines of the two accesses, the smaller one first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct RacyPair(pub String, pub u32, pub u32);

impl RacyPair {
    /// The name of a variable that stands for any: the place has several names, or none.
    pub const ANY: &str = "*";
}

/// The exact answer about a program.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// Some execution has a race.
    pub race: bool,
    /// Some execution reaches a state where threads are unfinished and none can step (spurious wake-ups left aside).
    pub deadlock: bool,
    /// Some execution fails an assertion.
    pub assertion: bool,
    /// The kinds of faults (null pointers and the like) that some execution has, by the checker's names.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub faults: BTreeSet<String>,
    /// The final values of executions that end, where they are kept.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub results: BTreeSet<Vec<i64>>,
    /// All racing pairs over all executions.
    pub races: BTreeSet<RacyPair>,
    /// The number of distinct states.
    pub states: usize,
    /// Some execution can get to where it can step for ever but never end.
    pub endless: bool,
    /// Some execution ends (in whatever way) without a race.
    pub clean_execution: bool,
    /// Some execution breaks a rule of pthreads; the other answers are then void.
    pub misuse: bool,
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skipped {
    /// More states than the limit.
    TooManyStates,
    /// More accesses than a state can keep apart.
    TooManyAccesses,
}

/// Explores every interleaving of `program`, which `printed` is the C form of. At most `limit` states.
pub fn explore(program: &Program, printed: &Printed, limit: usize) -> Result<Outcome, Skipped> {
    let code = flatten(program, &printed.lines);
    if code.accesses.len() > MAX_ACCESSES {
        return Err(Skipped::TooManyAccesses);
    }
    let mut search = Search { code, ..Search::default() };
    search.visit(State::initial(program, &search.code));
    while let Some((state, number)) = search.open.pop() {
        search.expand(&state, number);
        if search.outcome.misuse {
            break;
        }
        if search.visited.len() > limit {
            return Err(Skipped::TooManyStates);
        }
    }
    search.outcome.states = search.visited.len();
    search.outcome.race = !search.outcome.races.is_empty();
    search.outcome.endless = search.some_state_never_ends();
    Ok(search.outcome)
}

#[derive(Default)]
struct Search {
    code: Code,
    visited: FxHashMap<Rc<State>, usize>,
    open: Vec<(Rc<State>, usize)>,
    /// For each state the states before it.
    predecessors: Vec<Vec<usize>>,
    /// The states in which an execution ends or fails an assertion.
    ends: Vec<usize>,
    outcome: Outcome,
}

impl Search {
    fn visit(&mut self, state: State) -> usize {
        if let Some(&number) = self.visited.get(&state) {
            return number;
        }
        let number = self.visited.len();
        let state = Rc::new(state);
        self.visited.insert(state.clone(), number);
        self.predecessors.push(Vec::new());
        self.open.push((state, number));
        number
    }

    fn end(&mut self, state: &State, number: usize) {
        self.ends.push(number);
        self.outcome.clean_execution |= !state.raced;
    }

    fn expand(&mut self, state: &State, number: usize) {
        let moves = state.moves(&self.code);
        if moves.iter().all(|m| m.spurious) {
            self.outcome.deadlock |= !state.all_finished();
            self.end(state, number);
        }
        for step in moves {
            match state.step(&self.code, step) {
                Effect::Next(next, races) => {
                    for (first, second) in races {
                        self.record(first, second);
                    }
                    let next = self.visit(*next);
                    self.predecessors[next].push(number);
                }
                Effect::AssertionFailed => {
                    self.outcome.assertion = true;
                    self.end(state, number);
                }
                Effect::Misuse => self.outcome.misuse = true,
            }
        }
    }

    fn record(&mut self, first: usize, second: usize) {
        let (a, b) = (self.code.accesses[first], self.code.accesses[second]);
        let pair = RacyPair(self.name(a.var), a.line.min(b.line), a.line.max(b.line));
        self.outcome.races.insert(pair);
    }

    fn name(&self, var: usize) -> String {
        match var.checked_sub(self.code.vars) {
            Some(atomic) => format!("a{atomic}"),
            None => format!("x{var}"),
        }
    }

    fn some_state_never_ends(&self) -> bool {
        let mut can_end = vec![false; self.visited.len()];
        let mut open = self.ends.clone();
        while let Some(state) = open.pop() {
            if !std::mem::replace(&mut can_end[state], true) {
                open.extend(&self.predecessors[state]);
            }
        }
        can_end.contains(&false)
    }
}
