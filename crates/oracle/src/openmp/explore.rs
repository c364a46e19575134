//! The search over all schedules and all distributions of an OpenMP program.
//!
//! Explicit states, every step from every state. The visited set holds whole states.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::access::Accesses;
use super::code::{Code, flatten};
use super::program::Program;
use super::state::{Effect, State};
use crate::explore::{Outcome, RacyPair, Skipped};
use crate::print::Printed;

/// Explores every execution of `program`, which `printed` is the C form of. At most `limit` states.
pub fn explore(program: &Program, printed: &Printed, limit: usize) -> Result<Outcome, Skipped> {
    let mut search = Search { code: flatten(program, &printed.lines), ..Search::default() };
    search.visit(State::initial(&search.code));
    while let Some((state, number)) = search.open.pop() {
        search.expand(&state, number);
        if search.outcome.misuse {
            break;
        }
        if search.accesses.overflow {
            return Err(Skipped::TooManyAccesses);
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
    accesses: Accesses,
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
        if moves.is_empty() {
            self.outcome.deadlock |= !state.finished(&self.code);
            self.end(state, number);
        }
        for step in moves {
            match state.step(&self.code, &mut self.accesses, step) {
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
        let (a, b) = (self.accesses.get(first), self.accesses.get(second));
        let name = self.code.name(a.place as usize);
        self.outcome.races.insert(RacyPair(name, a.line.min(b.line), a.line.max(b.line)));
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
