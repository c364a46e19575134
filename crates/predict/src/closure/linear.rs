//! From a closed order to a run (P4 section 3.2: algorithm 1, max-min; section 4: algorithm 5, lines 7 to 10).
//!
//! *Conflicts.* Outside one chosen chain, conflicting nodes that the closed order leaves open are ordered as in the
//! trace, closing again after each. *Max-min.* Then the chosen chain runs as far as the order allows and the others only
//! as far as it needs them (theorem 3.1: that run keeps observations and locks).
//!
//! Deviations: pairs are found by walking each variable's accesses in every other chain backwards from the trace's order
//! instead of searching for "some unordered pair"; for locks only sections are ordered (`release -> acquire`), which is
//! what ordering any two of their events closes to. The linearisation emits nodes depth first by predecessors instead of
//! inserting an edge for each unordered pair.
//!
//! Guarantee: if [`order_conflicts`] succeeds, [`max_min`] of the same chain is a run of the problem's nodes.

use crate::pace::{Effort, Stop};

use super::close::{Closure, Failure};
use super::order::Node;
use super::problem::{Action, Topic};

/// Orders all conflicts between chains other than `free` as in the trace. Also says whether anything was ordered.
pub fn order_conflicts(closure: &mut Closure<'_>, free: usize) -> Result<bool, Failure> {
    let problem = closure.problem();
    let mut nodes: Vec<Node> = (0..problem.actions.len() as Node)
        .filter(|&node| {
            problem.actions[node as usize] != Action::Other && closure.order().chain_of(node) != free
        })
        .collect();
    nodes.sort_unstable_by_key(|&node| problem.times[node as usize]);
    let mut ordered = false;
    for node in nodes {
        closure.tick()?;
        match problem.actions[node as usize] {
            Action::Read { variable, .. } | Action::FreeRead { variable } => {
                ordered |= order_after(closure, free, node, Topic::Writes(variable))?;
            }
            Action::Write { variable } => {
                ordered |= order_after(closure, free, node, Topic::Writes(variable))?;
                ordered |= order_after(closure, free, node, Topic::AllReads(variable))?;
            }
            Action::Acquire { lock, .. } => {
                ordered |= order_after(closure, free, node, Topic::Releases(lock))?
            }
            Action::Release { .. } | Action::Other => {}
        }
    }
    Ok(ordered)
}

/// Puts `node` behind all nodes of the topic in other chains (but `free`) that come before it in the trace and that it
/// does not precede.
fn order_after(closure: &mut Closure<'_>, free: usize, node: Node, topic: Topic) -> Result<bool, Failure> {
    let time = closure.problem().times[node as usize];
    let mut ordered = false;
    for chain in 0..closure.order().chains() {
        if chain == free || chain == closure.order().chain_of(node) {
            continue;
        }
        let list = closure.lists().all(chain, topic);
        let mut at = list.partition_point(|&other| closure.problem().times[other as usize] < time);
        while at > 0 {
            at -= 1;
            let other = closure.lists().all(chain, topic)[at];
            if closure.order().query(other, node) {
                break;
            }
            if !precedes(closure, node, other) {
                closure.insert_and_close(other, node)?;
                ordered = true;
                break;
            }
        }
    }
    Ok(ordered)
}

/// Whether `node` is ordered before `other`; for an acquire and a release, whether its section is.
fn precedes(closure: &Closure<'_>, node: Node, other: Node) -> bool {
    match (closure.problem().actions[node as usize], closure.problem().actions[other as usize]) {
        (Action::Acquire { .. }, Action::Release { acquire: Some(acquire), .. }) => {
            closure.order().query(node, acquire)
        }
        _ => closure.order().query(node, other),
    }
}

/// The run in which `chain` goes as far as it can and the others only as far as they must. A number that is no chain's
/// means that no chain is preferred.
///
/// [`order_conflicts`] must have succeeded for this chain.
pub fn max_min(closure: &Closure<'_>, chain: usize, effort: &Effort) -> Result<Vec<Node>, Stop> {
    let order = closure.order();
    let mut run = Run {
        closure,
        next: (0..order.chains()).map(|c| order.nodes(c).start).collect(),
        out: Vec::with_capacity(order.len()),
        effort,
    };
    if chain < order.chains() {
        for node in order.nodes(chain) {
            run.through(node)?;
        }
    }
    // What is left has no order to the chosen chain; earlier events first.
    let mut rest: Vec<Node> = (0..order.chains())
        .map(|c| order.nodes(c))
        .filter(|nodes| !nodes.is_empty())
        .map(|nodes| nodes.end - 1)
        .collect();
    rest.sort_unstable_by_key(|&node| closure.problem().times[node as usize]);
    for node in rest {
        run.through(node)?;
    }
    Ok(run.out)
}

/// A run being written.
struct Run<'c, 'p> {
    closure: &'c Closure<'p>,
    /// By chain: the first node not yet written.
    next: Vec<Node>,
    out: Vec<Node>,
    /// What it may cost.
    effort: &'c Effort,
}

impl Run<'_, '_> {
    /// Writes everything up to `goal` that is not yet written, predecessors first.
    fn through(&mut self, goal: Node) -> Result<(), Stop> {
        let order = self.closure.order();
        let mut goals = vec![goal];
        while let Some(&goal) = goals.last() {
            let chain = order.chain_of(goal);
            let node = self.next[chain];
            if node > goal {
                goals.pop();
                continue;
            }
            let missing = (0..order.chains()).filter(|&other| other != chain).find_map(|other| {
                order.predecessor(node, other).filter(|&before| before >= self.next[other])
            });
            match missing {
                Some(before) => goals.push(before),
                None => {
                    self.out.push(node);
                    self.next[chain] += 1;
                    self.effort.spend(1)?;
                }
            }
        }
        Ok(())
    }
}
