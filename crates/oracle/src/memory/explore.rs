//! The search over all interleavings, distributions, orders of shares, splits and placements of tasks.
//!
//! Depth first, every step from every state. The visited set holds 128-bit SipHash fingerprints in place of states: among the at most
//! 10^5 states of a program two different ones share a fingerprint with a probability below 10^-28.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use rustc_hash::FxHashSet;

use super::code::{Code, flatten};
use super::program::{Program, Storage};
use super::state::{State, Stop, World};
use crate::explore::{Outcome, RacyPair, Skipped};
use crate::print::Printed;

/// Explores `program`, which `printed` is the C form of. At most `limit` states.
pub fn explore(program: &Program, printed: &Printed, limit: usize) -> Result<Outcome, Skipped> {
    let code = flatten(program, &printed.lines);
    if code.too_large {
        return Err(Skipped::TooManyAccesses);
    }
    let shared = |v: &u8| program.vars[*v as usize].storage == Storage::Static;
    let mut visible: BTreeSet<u8> = (0..program.vars.len() as u8).filter(shared).collect();
    loop {
        let mut search = Search::new(program, &code, visible.clone());
        search.run(limit)?;
        if !search.world.restart {
            return Ok(search.finish());
        }
        visible = search.world.visible;
    }
}

struct Search<'a> {
    program: &'a Program,
    code: &'a Code,
    world: World,
    visited: FxHashSet<u128>,
    open: Vec<State>,
    pairs: BTreeSet<(u32, u32)>,
    outcome: Outcome,
}

impl<'a> Search<'a> {
    fn new(program: &'a Program, code: &'a Code, visible: BTreeSet<u8>) -> Search<'a> {
        Search {
            program,
            code,
            world: World { visible, ..World::default() },
            visited: FxHashSet::default(),
            open: Vec::new(),
            pairs: BTreeSet::new(),
            outcome: Outcome::default(),
        }
    }

    /// Runs until there is nothing more, the program proves to be a misuse, or the search has to start again.
    fn run(&mut self, limit: usize) -> Result<(), Skipped> {
        let first = State::started(self.code, &mut self.world);
        self.reached(first);
        while let Some(state) = self.open.pop() {
            self.expand(&state);
            if self.world.restart || self.outcome.misuse {
                return Ok(());
            }
            if self.world.accesses.overflow {
                return Err(Skipped::TooManyAccesses);
            }
            if self.visited.len() > limit {
                return Err(Skipped::TooManyStates);
            }
        }
        Ok(())
    }

    fn expand(&mut self, state: &State) {
        let moves = state.moves(self.code);
        if moves.is_empty() {
            if state.finished(self.code) {
                let values = state.values(self.code, self.program.observed());
                self.outcome.results.insert(values);
            } else {
                self.outcome.deadlock = true;
            }
        }
        for step in moves {
            let next = state.step(self.code, &mut self.world, step);
            self.reached(next);
        }
    }

    fn reached(&mut self, next: Result<State, Stop>) {
        self.pairs.extend(self.world.races.drain(..));
        match next {
            Ok(state) => {
                if self.visited.insert(fingerprint(&state)) {
                    self.open.push(state);
                }
            }
            Err(Stop::Assertion) => self.outcome.assertion = true,
            Err(Stop::Fault(kind)) => drop(self.outcome.faults.insert(kind.into())),
            Err(Stop::Misuse) => self.outcome.misuse = true,
        }
    }

    fn finish(mut self) -> Outcome {
        let pair = |(a, b)| RacyPair(RacyPair::ANY.into(), a, b);
        self.outcome.races = self.pairs.into_iter().map(pair).collect();
        self.outcome.race = !self.outcome.races.is_empty();
        self.outcome.states = self.visited.len();
        self.outcome
    }
}

fn fingerprint(state: &State) -> u128 {
    let part = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        salt.hash(&mut hasher);
        state.hash(&mut hasher);
        u128::from(hasher.finish())
    };
    part(0) << 64 | part(1)
}
