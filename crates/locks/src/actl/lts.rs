//! Labelled transition systems: made on the fly, or explicit.

use std::hash::Hash;

/// Whether a label is a hidden one: `i` (as CADP writes it) or `tau` (as mCRL2 does).
pub fn is_hidden(label: &str) -> bool {
    label == "i" || label == "tau"
}

/// A transition system whose states are made when they are asked for.
pub trait System {
    /// A state.
    type State: Clone + Eq + Hash;

    /// Where it begins.
    fn initial(&self) -> Self::State;

    /// The names of all labels; steps give indices into them.
    fn labels(&self) -> &[String];

    /// All steps from a state, put behind what `out` holds already, in an order that is always the same.
    fn steps(&self, state: &Self::State, out: &mut Vec<(u32, Self::State)>);
}

/// A transition system written out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lts {
    /// The state it begins in.
    pub initial: u32,
    /// The names of the labels.
    pub labels: Vec<String>,
    /// By state: label and target.
    pub steps: Vec<Vec<(u32, u32)>>,
}

impl Lts {
    /// How many transitions there are.
    pub fn transitions(&self) -> usize {
        self.steps.iter().map(Vec::len).sum()
    }

    /// Writes out the reachable part of a system, in order of breadth; `None` if it has more than `most` states.
    pub fn of<S: System>(system: &S, most: usize) -> Option<Lts> {
        let mut numbers = rustc_hash::FxHashMap::default();
        let mut states = vec![system.initial()];
        numbers.insert(states[0].clone(), 0u32);
        let mut lts = Lts { initial: 0, labels: system.labels().to_vec(), steps: Vec::new() };
        let mut out = Vec::new();
        while lts.steps.len() < states.len() {
            system.steps(&states[lts.steps.len()].clone(), &mut out);
            let mut steps = Vec::with_capacity(out.len());
            for (label, target) in out.drain(..) {
                let number = match numbers.get(&target) {
                    Some(&number) => number,
                    None if states.len() >= most => return None,
                    None => {
                        let number = states.len() as u32;
                        numbers.insert(target.clone(), number);
                        states.push(target);
                        number
                    }
                };
                steps.push((label, number));
            }
            lts.steps.push(steps);
        }
        Some(lts)
    }
}

impl System for Lts {
    type State = u32;

    fn initial(&self) -> u32 {
        self.initial
    }

    fn labels(&self) -> &[String] {
        &self.labels
    }

    fn steps(&self, state: &u32, out: &mut Vec<(u32, u32)>) {
        if let Some(steps) = self.steps.get(*state as usize) {
            out.extend_from_slice(steps);
        }
    }
}
