//! Why a formula holds or fails, as a path: a witness for what holds on some path, a counterexample for what does not
//! hold on all.
//!
//! Paths are shortest ones (breadth first), made after the answer is known. What is claimed of all paths and true, or of
//! some path and false, has no path to show; the number of states that were looked at is all there is.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::check::{Checker, Limit, Node};
use super::lts::System;

/// A path that shows why a formula holds or fails.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Evidence {
    /// The formula that it is about: a part of the one that was asked.
    pub formula: String,
    /// Whether it holds in the state where the path begins.
    pub holds: bool,
    /// The labels of the path's steps.
    pub steps: Vec<String>,
    /// The path's states, by number; the first is where it begins.
    pub states: Vec<u32>,
    /// If the path is endless: after its last step it is back in the state after this many steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub back_to: Option<usize>,
    /// What is there at its end.
    pub end: String,
    /// What is to be said of the state at its end.
    pub then: Vec<Evidence>,
}

impl Evidence {
    /// All steps from the beginning to the end of the longest chain of evidence.
    pub fn whole_path(&self) -> Vec<&str> {
        let mut path: Vec<&str> = self.steps.iter().map(String::as_str).collect();
        if let Some(longest) = self.then.iter().map(Evidence::whole_path).max_by_key(Vec::len) {
            path.extend(longest);
        }
        path
    }
}

type Steps = Vec<(u32, u32)>;

impl<S: System> Checker<'_, S> {
    /// Why a formula that was checked holds or fails in the initial state; nothing if no path shows it.
    ///
    /// # Errors
    /// If that takes more states than allowed.
    pub fn explain(&mut self, formula: &super::Formula) -> Result<Vec<Evidence>, Limit> {
        let node = self.node(formula);
        self.explain_at(node, 0)
    }

    fn explain_at(&mut self, node: usize, state: u32) -> Result<Vec<Evidence>, Limit> {
        let holds = self.holds(node, state)?;
        match self.nodes[node] {
            Node::True | Node::False => Ok(Vec::new()),
            Node::Not(f) => self.explain_at(f, state),
            Node::And(f, g) => self.both(f, g, state, holds, holds),
            Node::Or(f, g) => self.both(f, g, state, !holds, holds),
            Node::Next { all, .. } if all == holds => Ok(Vec::new()),
            Node::Next { .. } => self.one_step(node, state, holds),
            Node::Until { all: false, .. } if holds => self.path_to_goal(node, state),
            Node::Until { all: true, .. } if !holds => self.path_that_misses(node, state),
            Node::Until { .. } => Ok(Vec::new()),
        }
    }

    /// Two formulas that decide together: both if that is how, else the one that has the value of the whole.
    fn both(
        &mut self,
        f: usize,
        g: usize,
        state: u32,
        together: bool,
        whole: bool,
    ) -> Result<Vec<Evidence>, Limit> {
        if together {
            return Ok([self.explain_at(f, state)?, self.explain_at(g, state)?].concat());
        }
        let decides = if self.holds(f, state)? == whole { f } else { g };
        self.explain_at(decides, state)
    }

    fn evidence(
        &self,
        node: usize,
        holds: bool,
        from: u32,
        path: &Steps,
        end: &str,
        then: Vec<Evidence>,
    ) -> Evidence {
        Evidence {
            formula: self.formulas[node].to_string(),
            holds,
            steps: path.iter().map(|&(label, _)| self.label(label).to_owned()).collect(),
            states: std::iter::once(from).chain(path.iter().map(|s| s.1)).collect(),
            back_to: None,
            end: end.into(),
            then,
        }
    }

    /// `EX` that holds, `AX` that fails.
    fn one_step(&mut self, node: usize, state: u32, holds: bool) -> Result<Vec<Evidence>, Limit> {
        let Node::Next { ref by, then, .. } = self.nodes[node] else { return Ok(Vec::new()) };
        let by = by.clone();
        let steps = self.steps(state)?;
        if steps.is_empty() {
            return Ok(vec![self.evidence(
                node,
                holds,
                state,
                &vec![],
                "nothing can happen any more",
                vec![],
            )]);
        }
        for at in steps {
            let (label, target) = self.step(at);
            let fits = by[label as usize] && self.holds(then, target)?;
            if fits != holds {
                continue;
            }
            let end = if holds {
                ""
            } else if by[label as usize] {
                "the step leads to a state where the rest fails"
            } else {
                "the step is not one of those allowed"
            };
            let more = if by[label as usize] { self.explain_at(then, target)? } else { Vec::new() };
            return Ok(vec![self.evidence(node, holds, state, &vec![(label, target)], end, more)]);
        }
        Ok(Vec::new())
    }

    /// `E[.. U ..]` that holds: a shortest path to the goal.
    fn path_to_goal(&mut self, node: usize, from: u32) -> Result<Vec<Evidence>, Limit> {
        let Node::Until { ref by, ref last, goal, .. } = self.nodes[node] else { return Ok(Vec::new()) };
        let (by, last) = (by.clone(), last.clone());
        let mut came: FxHashMap<u32, (u32, u32)> = FxHashMap::default();
        let mut queue = VecDeque::from([from]);
        while let Some(state) = queue.pop_front() {
            if last.is_none() && self.holds(goal, state)? {
                let path = back(&came, from, state);
                let then = self.explain_at(goal, state)?;
                return Ok(vec![self.evidence(node, true, from, &path, "", then)]);
            }
            for at in self.steps(state)? {
                let (label, target) = self.step(at);
                if last.as_ref().is_some_and(|l| l[label as usize]) && self.holds(goal, target)? {
                    let mut path = back(&came, from, state);
                    path.push((label, target));
                    let then = self.explain_at(goal, target)?;
                    return Ok(vec![self.evidence(node, true, from, &path, "", then)]);
                }
                // Only through states from which the goal can be reached.
                if by[label as usize]
                    && target != from
                    && !came.contains_key(&target)
                    && self.holds(node, target)?
                {
                    came.insert(target, (label, state));
                    queue.push_back(target);
                }
            }
        }
        Ok(Vec::new())
    }

    /// `A[.. U ..]` that fails: a shortest path to where it fails, or a path that goes round.
    fn path_that_misses(&mut self, node: usize, from: u32) -> Result<Vec<Evidence>, Limit> {
        let Node::Until { before, ref by, ref last, goal, .. } = self.nodes[node] else {
            return Ok(Vec::new());
        };
        let (by, last) = (by.clone(), last.clone());
        let mut came: FxHashMap<u32, (u32, u32)> = FxHashMap::default();
        let mut queue = VecDeque::from([from]);
        while let Some(state) = queue.pop_front() {
            let path = |came: &_| back(came, from, state);
            if !self.holds(before, state)? {
                let then = self.explain_at(before, state)?;
                let end = "what is to hold until then fails";
                return Ok(vec![self.evidence(node, false, from, &path(&came), end, then)]);
            }
            let steps = self.steps(state)?;
            if steps.is_empty() {
                let end = "nothing can happen any more";
                return Ok(vec![self.evidence(node, false, from, &path(&came), end, vec![])]);
            }
            for at in steps {
                let (label, target) = self.step(at);
                if last.as_ref().is_some_and(|l| l[label as usize]) && self.holds(goal, target)? {
                    continue;
                }
                if !by[label as usize] {
                    let mut path = path(&came);
                    path.push((label, target));
                    let end = "the step is not one of those allowed";
                    return Ok(vec![self.evidence(node, false, from, &path, end, vec![])]);
                }
                if target != from && !came.contains_key(&target) && !self.holds(node, target)? {
                    came.insert(target, (label, state));
                    queue.push_back(target);
                }
            }
        }
        self.round(node, from)
    }

    /// Every state from here that misses the goal has a step to another one: a path that comes back.
    fn round(&mut self, node: usize, from: u32) -> Result<Vec<Evidence>, Limit> {
        let Node::Until { ref by, ref last, goal, .. } = self.nodes[node] else { return Ok(Vec::new()) };
        let (by, last) = (by.clone(), last.clone());
        let (mut path, mut seen) = (Steps::new(), FxHashMap::default());
        let mut state = from;
        while !seen.contains_key(&state) {
            seen.insert(state, path.len());
            let mut next = None;
            for at in self.steps(state)? {
                let (label, target) = self.step(at);
                let done = last.as_ref().is_some_and(|l| l[label as usize]) && self.holds(goal, target)?;
                if !done && by[label as usize] && !self.holds(node, target)? {
                    next = Some((label, target));
                    break;
                }
            }
            let Some(step) = next else { return Ok(Vec::new()) };
            path.push(step);
            state = step.1;
        }
        let mut evidence = self.evidence(node, false, from, &path, "this can go on for ever", vec![]);
        evidence.back_to = seen.get(&state).copied();
        Ok(vec![evidence])
    }
}

/// The path to a state, from whence each was reached.
fn back(came: &FxHashMap<u32, (u32, u32)>, from: u32, to: u32) -> Steps {
    let (mut path, mut at) = (Steps::new(), to);
    while at != from {
        let Some(&(label, before)) = came.get(&at) else { break };
        path.push((label, at));
        at = before;
    }
    path.reverse();
    path
}
