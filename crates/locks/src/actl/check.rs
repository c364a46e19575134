//! The checker: local, with a depth-first search for each until formula.
//!
//! Each subformula has a table of the states for which its answer is known. `E[f U g]` is decided by a search for a state with g
//! through states with f, with Tarjan's stack of unfinished components: when a goal is found, whatever is on that stack can
//! reach the goal (it can reach a state on the path, and the path leads to the goal) and whatever has left it cannot. `A[f U g]` is
//! decided by a search for a way to miss g: a state without f, a deadlock, a step that is not allowed, or a cycle. When one is found, the
//! states on the path miss g; states that were left before do not. So every state that a search visits is decided when it
//! ends, is visited once for each subformula, and the whole takes time linear in states, steps and formula.

use rustc_hash::FxHashMap;

use super::formula::{Action, Formula, Paths};
use super::lts::{System, is_hidden};

/// The system has more states than were allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("more than {0} states are needed to decide the formula")]
pub struct Limit(pub usize);

/// A subformula. Numbers are indices of others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Node {
    True,
    False,
    Not(usize),
    And(usize, usize),
    Or(usize, usize),
    Next { all: bool, by: Vec<bool>, then: usize },
    Until { all: bool, before: usize, by: Vec<bool>, last: Option<Vec<bool>>, goal: usize },
}

/// What is known of a subformula in a state.
const UNKNOWN: u8 = 0;
const FALSE: u8 = 1;
const TRUE: u8 = 2;
/// On the stack of the search that decides it.
const OPEN: u8 = 3;

/// What a state is for an until formula.
enum Look {
    Decided(bool),
    /// The states to go on with.
    On(Vec<u32>),
}

/// Checks formulas on one system; what it has found out about states serves the next formula too.
pub struct Checker<'s, S: System> {
    system: &'s S,
    most: usize,
    states: Vec<S::State>,
    numbers: FxHashMap<S::State, u32>,
    /// By state: where its steps are in `pool`, once they are known.
    ranges: Vec<Option<(u32, u32)>>,
    pool: Vec<(u32, u32)>,
    pub(super) formulas: Vec<Formula>,
    pub(super) nodes: Vec<Node>,
    known: Vec<Vec<u8>>,
    buffer: Vec<(u32, S::State)>,
}

impl<'s, S: System> Checker<'s, S> {
    /// A checker that makes at most `most` states.
    pub fn new(system: &'s S, most: usize) -> Checker<'s, S> {
        let initial = system.initial();
        let mut numbers = FxHashMap::default();
        numbers.insert(initial.clone(), 0);
        Checker {
            system,
            most,
            states: vec![initial],
            numbers,
            ranges: vec![None],
            pool: Vec::new(),
            formulas: Vec::new(),
            nodes: Vec::new(),
            known: Vec::new(),
            buffer: Vec::new(),
        }
    }

    /// Whether the formula holds in the initial state.
    ///
    /// # Errors
    /// If that takes more states than allowed.
    pub fn check(&mut self, formula: &Formula) -> Result<bool, Limit> {
        let node = self.node(formula);
        self.holds(node, 0)
    }

    /// How many states were made so far.
    pub fn states(&self) -> usize {
        self.states.len()
    }

    /// How many steps were looked at so far.
    pub fn transitions(&self) -> usize {
        self.pool.len()
    }

    /// A state by its number.
    pub fn state(&self, number: u32) -> &S::State {
        &self.states[number as usize]
    }

    /// The name of a label.
    pub(super) fn label(&self, label: u32) -> &str {
        &self.system.labels()[label as usize]
    }

    fn labels_of(&self, action: &Action) -> Vec<bool> {
        self.system.labels().iter().map(|label| action.holds(label)).collect()
    }

    /// The number of a formula.
    pub(super) fn node(&mut self, formula: &Formula) -> usize {
        if let Some(known) = self.formulas.iter().position(|f| f == formula) {
            return known;
        }
        let node = match formula {
            Formula::True => Node::True,
            Formula::False => Node::False,
            Formula::Not(f) => Node::Not(self.node(f)),
            Formula::And(f, g) => Node::And(self.node(f), self.node(g)),
            Formula::Or(f, g) => Node::Or(self.node(f), self.node(g)),
            Formula::Next(paths, by, f) => {
                let by = self.labels_of(by);
                Node::Next { all: *paths == Paths::All, by, then: self.node(f) }
            }
            Formula::Until { paths, before, by, last, goal } => {
                let mut by = self.labels_of(by);
                for (allowed, label) in by.iter_mut().zip(self.system.labels()) {
                    *allowed |= is_hidden(label);
                }
                let last = last.as_ref().map(|last| self.labels_of(last));
                let (before, goal) = (self.node(before), self.node(goal));
                Node::Until { all: *paths == Paths::All, before, by, last, goal }
            }
        };
        self.formulas.push(formula.clone());
        self.nodes.push(node);
        self.known.push(Vec::new());
        self.nodes.len() - 1
    }

    /// The steps of a state: where they are in the pool.
    pub(super) fn steps(&mut self, state: u32) -> Result<std::ops::Range<usize>, Limit> {
        let (from, to) = match self.ranges[state as usize] {
            Some(range) => range,
            None => {
                let mut buffer = std::mem::take(&mut self.buffer);
                self.system.steps(&self.states[state as usize], &mut buffer);
                let from = self.pool.len() as u32;
                for (label, target) in buffer.drain(..) {
                    let number = self.number(target)?;
                    self.pool.push((label, number));
                }
                self.buffer = buffer;
                let range = (from, self.pool.len() as u32);
                self.ranges[state as usize] = Some(range);
                range
            }
        };
        Ok(from as usize..to as usize)
    }

    /// A step by its place in the pool.
    pub(super) fn step(&self, at: usize) -> (u32, u32) {
        self.pool[at]
    }

    fn number(&mut self, state: S::State) -> Result<u32, Limit> {
        if let Some(&number) = self.numbers.get(&state) {
            return Ok(number);
        }
        if self.states.len() >= self.most {
            return Err(Limit(self.most));
        }
        let number = self.states.len() as u32;
        self.numbers.insert(state.clone(), number);
        self.states.push(state);
        self.ranges.push(None);
        Ok(number)
    }

    fn get(&self, node: usize, state: u32) -> u8 {
        self.known[node].get(state as usize).copied().unwrap_or(UNKNOWN)
    }

    fn set(&mut self, node: usize, state: u32, value: u8) {
        let table = &mut self.known[node];
        if table.len() <= state as usize {
            table.resize(self.states.len(), UNKNOWN);
        }
        table[state as usize] = value;
    }

    /// Whether a subformula holds in a state.
    pub(super) fn holds(&mut self, node: usize, state: u32) -> Result<bool, Limit> {
        match self.nodes[node] {
            Node::True => return Ok(true),
            Node::False => return Ok(false),
            Node::Not(f) => return Ok(!self.holds(f, state)?),
            Node::And(f, g) => return Ok(self.holds(f, state)? && self.holds(g, state)?),
            Node::Or(f, g) => return Ok(self.holds(f, state)? || self.holds(g, state)?),
            _ => {}
        }
        match self.get(node, state) {
            FALSE => return Ok(false),
            TRUE => return Ok(true),
            _ => {}
        }
        match self.nodes[node] {
            Node::Until { all: false, .. } => self.some_path(node, state)?,
            Node::Until { all: true, .. } => self.all_paths(node, state)?,
            _ => {
                let value = self.next(node, state)?;
                self.set(node, state, if value { TRUE } else { FALSE });
            }
        }
        Ok(self.get(node, state) == TRUE)
    }

    fn next(&mut self, node: usize, state: u32) -> Result<bool, Limit> {
        let steps = self.steps(state)?;
        let Node::Next { all, then, .. } = self.nodes[node] else { return Ok(false) };
        if all && steps.is_empty() {
            return Ok(false);
        }
        for at in steps {
            let (label, target) = self.pool[at];
            let fits = self.by(node, label) && self.holds(then, target)?;
            if fits != all {
                return Ok(!all);
            }
        }
        Ok(all)
    }

    fn by(&self, node: usize, label: u32) -> bool {
        match &self.nodes[node] {
            Node::Next { by, .. } | Node::Until { by, .. } => by[label as usize],
            _ => false,
        }
    }

    fn last(&self, node: usize, label: u32) -> bool {
        matches!(&self.nodes[node], Node::Until { last: Some(last), .. } if last[label as usize])
    }

    /// What a state is for an until formula: decided by itself, or by where its steps lead.
    fn look(&mut self, node: usize, state: u32) -> Result<Look, Limit> {
        let Node::Until { all, before, ref last, goal, .. } = self.nodes[node] else {
            return Ok(Look::Decided(false));
        };
        let ends_with_step = last.is_some();
        if !ends_with_step && self.holds(goal, state)? {
            return Ok(Look::Decided(true));
        }
        if !self.holds(before, state)? {
            return Ok(Look::Decided(false));
        }
        let steps = self.steps(state)?;
        if steps.is_empty() {
            return Ok(Look::Decided(false));
        }
        let mut on = Vec::with_capacity(steps.len());
        for at in steps {
            let (label, target) = self.pool[at];
            if ends_with_step && self.last(node, label) && self.holds(goal, target)? {
                if !all {
                    return Ok(Look::Decided(true));
                }
            } else if self.by(node, label) {
                on.push(target);
            } else if all {
                return Ok(Look::Decided(false));
            }
        }
        Ok(Look::On(on))
    }

    /// Decides `E[.. U ..]` in a state, and in all states that it visits for that.
    fn some_path(&mut self, node: usize, state: u32) -> Result<(), Limit> {
        let on = match self.look(node, state)? {
            Look::Decided(value) => {
                self.set(node, state, if value { TRUE } else { FALSE });
                return Ok(());
            }
            Look::On(on) => on,
        };
        // Tarjan: `order` numbers the visited, `open` holds those whose component is not complete.
        let mut order: FxHashMap<u32, u32> = FxHashMap::default();
        let mut open = vec![state];
        order.insert(state, 0);
        self.set(node, state, OPEN);
        // State, targets, the next of them, the least number that can be reached.
        let mut path = vec![(state, on, 0usize, 0u32)];
        let mut found = false;
        while let Some((state, on, next, low)) = path.last_mut() {
            let Some(&target) = on.get(*next) else {
                let (state, low) = (*state, *low);
                if order[&state] == low {
                    while let Some(done) = open.pop() {
                        self.set(node, done, FALSE);
                        if done == state {
                            break;
                        }
                    }
                }
                path.pop();
                if let Some((_, _, _, above)) = path.last_mut() {
                    *above = (*above).min(low);
                }
                continue;
            };
            *next += 1;
            match self.get(node, target) {
                TRUE => found = true,
                FALSE => {}
                OPEN => {
                    if let Some(&number) = order.get(&target) {
                        *low = (*low).min(number);
                    }
                }
                _ => match self.look(node, target)? {
                    Look::Decided(value) => {
                        self.set(node, target, if value { TRUE } else { FALSE });
                        found = value;
                    }
                    Look::On(on) => {
                        let number = order.len() as u32;
                        order.insert(target, number);
                        open.push(target);
                        self.set(node, target, OPEN);
                        path.push((target, on, 0, number));
                    }
                },
            }
            if found {
                break;
            }
        }
        for state in open {
            self.set(node, state, TRUE);
        }
        Ok(())
    }

    /// Decides `A[.. U ..]` in a state, and in all states that it visits for that.
    fn all_paths(&mut self, node: usize, state: u32) -> Result<(), Limit> {
        let mut path: Vec<(u32, Vec<u32>, usize)> = Vec::new();
        let mut missed = false;
        let mut enter = Some(state);
        loop {
            if let Some(state) = enter.take() {
                match self.look(node, state)? {
                    Look::Decided(value) => {
                        self.set(node, state, if value { TRUE } else { FALSE });
                        missed = !value;
                    }
                    Look::On(on) => {
                        self.set(node, state, OPEN);
                        path.push((state, on, 0));
                    }
                }
            }
            if missed {
                break;
            }
            let Some((state, on, next)) = path.last_mut() else { break };
            let Some(&target) = on.get(*next) else {
                let state = *state;
                path.pop();
                self.set(node, state, TRUE);
                continue;
            };
            *next += 1;
            match self.get(node, target) {
                TRUE => {}
                // A cycle, or a state that is known to miss the goal.
                FALSE | OPEN => missed = true,
                _ => enter = Some(target),
            }
        }
        for (state, _, _) in path {
            self.set(node, state, FALSE);
        }
        Ok(())
    }
}
