//! The search over all schedules and all distributions of an OpenMP program.
//!
//! Explicit states, every step from every state. The visited set holds whole states.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::access::Accesses;
use super::code::{Code, flatten};
use super::program::Program;
use super::share::Blocks;
use super::state::{Effect, State};
use crate::explore::{Outcome, RacyPair, Skipped};
use crate::print::Printed;

/// Explores every execution of `program`, which `printed` is the C form of. At most `limit` states.
pub fn explore(program: &Program, printed: &Printed, limit: usize) -> Result<Outcome, Skipped> {
    explore_with(program, printed, limit, false)
}

/// Like [`explore`]. `plain` leaves out the two things that make the search smaller: shares of work are then chosen at any
/// time, not as soon as possible, and accesses that everyone knows are not forgotten.
pub fn explore_with(
    program: &Program,
    printed: &Printed,
    limit: usize,
    plain: bool,
) -> Result<Outcome, Skipped> {
    let mut search = Search { code: flatten(program, &printed.lines), plain, ..Search::default() };
    for &blocks in Blocks::ways(&search.code) {
        search.visit(State::initial(&search.code, blocks));
    }
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
    plain: bool,
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
        let moves = state.moves(&self.code, self.plain);
        if moves.is_empty() {
            self.outcome.deadlock |= !state.finished(&self.code);
            self.end(state, number);
        }
        for step in moves {
            match state.step(&self.code, &mut self.accesses, step, self.plain) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openmp::generate::generate;
    use crate::openmp::print;

    #[test]
    fn the_plain_search_gives_the_same_answers() {
        let mut compared = 0;
        for seed in 0..150 {
            let Some(program) = generate(seed, 7) else { continue };
            let printed = print(&program);
            let Ok(mut plain) = explore_with(&program, &printed, 20_000, true) else { continue };
            let mut small = explore(&program, &printed, 20_000).expect("never larger");
            assert!(small.states <= plain.states);
            (small.states, plain.states) = (0, 0);
            assert_eq!(small, plain, "seed {seed}: {}", printed.source);
            compared += 1;
        }
        assert!(compared > 40, "only {compared} programs are small enough");
    }
}
