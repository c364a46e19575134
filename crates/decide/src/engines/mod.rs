//! The engines, one file each, and the order in which they are asked.

mod lockset;
mod one_run;
mod prediction;
mod race_graph;

pub use lockset::Lockset;
pub use one_run::{OneRun, prove};
pub use prediction::Prediction;
pub use race_graph::RaceGraph;

use crate::engine::Engine;

/// One engine's turn.
#[derive(Clone, Copy)]
pub struct Turn {
    /// Whose.
    pub engine: &'static dyn Engine,
    /// Of a search: how many states it may store before others have a turn; nothing means that it goes on to the end. States are counted and not
    /// time, so that the answer is always the same.
    pub states: Option<u64>,
}

impl Turn {
    /// An engine that is asked once.
    pub const fn whole(engine: &'static dyn Engine) -> Turn {
        Turn { engine, states: None }
    }

    /// A search that has a try first.
    pub const fn try_for(states: u64, engine: &'static dyn Engine) -> Turn {
        Turn { engine, states: Some(states) }
    }
}

/// Every engine, in the order in which they are asked until one decides: the cheapest first. Of the searches, that of the
/// race graph has a try; where threads seldom meet, locksets need a small part of its states, so they have one, too; then the
/// race graph is searched to the end.
pub const TURNS: [Turn; 5] = [
    Turn::whole(&OneRun),
    Turn::whole(&Prediction),
    Turn::try_for(100_000, &RaceGraph),
    Turn::try_for(10_000, &Lockset),
    Turn::whole(&RaceGraph),
];

/// The turns of the engines with these names alone, each to its end.
pub fn named(names: &[&str]) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    for turn in TURNS.iter().filter(|turn| names.contains(&turn.engine.name())) {
        if !turns.iter().any(|t| t.engine.name() == turn.engine.name()) {
            turns.push(Turn::whole(turn.engine));
        }
    }
    turns
}
