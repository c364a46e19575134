//! Which acquires could wait for each other in a circle: the abstract part of the search for deadlocks.
//!
//! Tunç, Mathur, Pavlogiannis, Viswanathan, "Sound Dynamic Deadlock Prediction in Linear Time", PLDI 2023, section 4.
//! Acquires that differ only in when they happen (same thread, lock, locks held, location) are a [`Kind`]: the paper's abstract
//! acquire. A kind *waits for* another one of another thread that holds its lock. A *pattern* is a circle of kinds, each waiting for the next,
//! of pairwise different threads that hold no lock in common.
//!
//! Deviations:
//! 1. The program location is part of a kind, so that every combination of locations gets its own answer.
//! 2. Locks that are on no circle of the graph "acquired while held" are left out before the search; most programs have no
//!    others, and then nothing is searched.
//! 3. Circles are enumerated by a depth-first search from their smallest kind, and not by Johnson's algorithm: threads are pairwise
//!    different, so paths are short. The search has an end; what it has not seen then is reported as such.
//!
//! Guarantee: [`Patterns::all`] lists every pattern of the trace, unless it says that it was cut off.

use std::time::Instant;

use rustc_hash::FxHashMap;
use trace::{LocId, LockId, Op, ThreadId, Trace};

use crate::m2::bits::Id;
use crate::pace::{OFTEN, is_over};

/// Acquires that differ only in when they happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kind {
    /// Who.
    pub thread: ThreadId,
    /// What is acquired.
    pub lock: LockId,
    /// What is held then, sorted.
    pub held: Vec<LockId>,
    /// Where in the program.
    pub location: LocId,
    /// The acquires in order.
    pub events: Vec<Id>,
}

/// The kinds of a trace and the circles that they make, as places in the list of kinds.
#[derive(Debug, Default)]
pub struct Patterns {
    /// The kinds.
    pub kinds: Vec<Kind>,
    /// The patterns; each begins with its smallest kind and goes on with the kind that holds its lock.
    pub all: Vec<Vec<usize>>,
    /// Whether there may be more.
    pub is_cut_off: bool,
}

/// After so many steps, or so many patterns, the search for circles ends.
const MOST_STEPS: u64 = 20_000_000;
const MOST_PATTERNS: usize = 100_000;

impl Patterns {
    /// All patterns of a trace. `None` if the deadline passes before the trace has been gone through.
    pub fn new(trace: &Trace, deadline: Option<Instant>) -> Option<Patterns> {
        let on_circle = locks_on_circles(trace, deadline)?;
        if !on_circle.contains(&true) {
            return Some(Patterns::default());
        }
        let kinds = kinds(trace, &on_circle, deadline)?;
        let mut waits = Vec::with_capacity(kinds.len());
        let mut holders: Vec<Vec<usize>> = vec![Vec::new(); on_circle.len()];
        for (number, kind) in kinds.iter().enumerate() {
            kind.held.iter().for_each(|lock| holders[lock.index()].push(number));
        }
        for kind in &kinds {
            let apart = |&&other: &&usize| is_apart(kind, &kinds[other]);
            waits.push(holders[kind.lock.index()].iter().filter(apart).copied().collect());
        }
        let mut search =
            Search { kinds: &kinds, waits, path: Vec::new(), found: Vec::new(), steps: MOST_STEPS };
        let is_whole = (0..kinds.len()).all(|first| search.from(first));
        Some(Patterns { all: search.found, is_cut_off: !is_whole, kinds })
    }
}

/// Whether two kinds can be of one pattern: different threads, no lock in common.
fn is_apart(a: &Kind, b: &Kind) -> bool {
    a.thread != b.thread && !a.held.iter().any(|lock| b.held.binary_search(lock).is_ok())
}

/// By lock: whether it is on a circle of the graph with an edge from each held lock to each acquired one.
fn locks_on_circles(trace: &Trace, deadline: Option<Instant>) -> Option<Vec<bool>> {
    let locks = trace.counts().locks;
    let mut edges: Vec<Vec<u32>> = vec![Vec::new(); locks];
    let mut seen: rustc_hash::FxHashSet<(u32, u32)> = Default::default();
    each_acquire(trace, deadline, |_, _, lock, _, held| {
        for from in held {
            if seen.insert((from.0, lock.0)) {
                edges[from.index()].push(lock.0);
            }
        }
    })?;
    let components = components(&edges);
    let mut sizes = vec![0u32; locks];
    components.iter().for_each(|&component| sizes[component as usize] += 1);
    Some(components.iter().map(|&component| sizes[component as usize] > 1).collect())
}

/// Calls with every acquire of a lock that its thread does not hold yet: event, thread, lock, location and the locks held.
/// `None` if the deadline passes.
fn each_acquire(
    trace: &Trace,
    deadline: Option<Instant>,
    mut call: impl FnMut(Id, ThreadId, LockId, LocId, &[LockId]),
) -> Option<()> {
    let mut held: Vec<Vec<LockId>> = vec![Vec::new(); trace.counts().threads];
    for (id, e) in trace.iter() {
        if id.index() % OFTEN == 0 && is_over(deadline) {
            return None;
        }
        let own = &mut held[e.thread.index()];
        match e.op {
            Op::Acquire(lock) => {
                if !own.is_empty() {
                    call(id.0, e.thread, lock, e.location, own);
                }
                own.push(lock);
            }
            Op::Release(lock) => {
                if let Some(at) = own.iter().rposition(|&other| other == lock) {
                    own.remove(at);
                }
            }
            _ => {}
        }
    }
    Some(())
}

/// The kinds of acquires that may be of a pattern.
fn kinds(trace: &Trace, on_circle: &[bool], deadline: Option<Instant>) -> Option<Vec<Kind>> {
    let mut places: FxHashMap<(ThreadId, LockId, LocId, Vec<LockId>), usize> = FxHashMap::default();
    let mut kinds: Vec<Kind> = Vec::new();
    each_acquire(trace, deadline, |id, thread, lock, location, held| {
        if !on_circle[lock.index()] || !held.iter().any(|held| on_circle[held.index()]) {
            return;
        }
        let mut held = held.to_vec();
        held.sort_unstable();
        let place = *places.entry((thread, lock, location, held.clone())).or_insert(kinds.len());
        if place == kinds.len() {
            kinds.push(Kind { thread, lock, held, location, events: Vec::new() });
        }
        kinds[place].events.push(id);
    })?;
    Some(kinds)
}

/// The strongly connected component of each node (Tarjan, without recursion).
fn components(edges: &[Vec<u32>]) -> Vec<u32> {
    const NEW: u32 = u32::MAX;
    let count = edges.len();
    let (mut number, mut low, mut component) = (vec![NEW; count], vec![0; count], vec![NEW; count]);
    let (mut stack, mut next) = (Vec::new(), 0);
    for root in 0..count as u32 {
        if number[root as usize] != NEW {
            continue;
        }
        let mut calls = vec![(root, 0usize)];
        while let Some(&mut (node, ref mut edge)) = calls.last_mut() {
            let at = node as usize;
            if *edge == 0 {
                (number[at], low[at]) = (next, next);
                next += 1;
                stack.push(node);
            }
            if let Some(&target) = edges[at].get(*edge) {
                *edge += 1;
                let to = target as usize;
                if number[to] == NEW {
                    calls.push((target, 0));
                } else if component[to] == NEW {
                    low[at] = low[at].min(number[to]);
                }
                continue;
            }
            calls.pop();
            if let Some(&(parent, _)) = calls.last() {
                low[parent as usize] = low[parent as usize].min(low[at]);
            }
            if low[at] == number[at] {
                while let Some(other) = stack.pop() {
                    component[other as usize] = node;
                    if other == node {
                        break;
                    }
                }
            }
        }
    }
    component
}

/// The search for circles.
struct Search<'a> {
    kinds: &'a [Kind],
    /// By kind: those that hold its lock and can be of one pattern with it.
    waits: Vec<Vec<usize>>,
    path: Vec<usize>,
    found: Vec<Vec<usize>>,
    steps: u64,
}

impl Search<'_> {
    /// Finds the circles whose smallest kind is this one. Says whether it came to its end.
    fn from(&mut self, first: usize) -> bool {
        self.path.push(first);
        let is_whole = self.follow();
        self.path.pop();
        is_whole
    }

    fn follow(&mut self) -> bool {
        let (first, last) = (self.path[0], self.path[self.path.len() - 1]);
        for at in 0..self.waits[last].len() {
            let next = self.waits[last][at];
            if next < first {
                continue;
            }
            if next == first {
                self.found.push(self.path.clone());
            } else if self.path.iter().all(|&other| is_apart(&self.kinds[other], &self.kinds[next])) {
                self.path.push(next);
                let is_whole = self.follow();
                self.path.pop();
                if !is_whole {
                    return false;
                }
            }
            self.steps = self.steps.saturating_sub(1);
            if self.steps == 0 || self.found.len() >= MOST_PATTERNS {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_of_a_graph() {
        // 0 -> 1 -> 2 -> 0, 2 -> 3, 3 -> 4, 4 -> 3, 5
        let edges = [vec![1], vec![2], vec![0, 3], vec![4], vec![3], vec![]];
        let of = components(&edges);
        assert_eq!((of[0], of[1], of[3], of[5]), (of[1], of[2], of[4], 5));
        assert_ne!(of[0], of[3]);
    }

    #[test]
    fn circles_of_two_and_three() {
        let text = "A|acq(k)|1\nA|acq(l)|2\nA|rel(l)|3\nA|rel(k)|4\nB|acq(l)|5\nB|acq(m)|6\nB|rel(m)|7\nB|rel(l)|8\n\
                    C|acq(m)|9\nC|acq(k)|10\nC|rel(k)|11\nC|rel(m)|12\nD|acq(l)|13\nD|acq(k)|14\nD|rel(k)|15\nD|rel(l)|16\n\
                    E|acq(p)|17\nE|acq(q)|18\nE|rel(q)|19\nE|rel(p)|20\n";
        let patterns = Patterns::new(&Trace::parse_std(text).expect("a trace"), None).expect("no deadline");
        let lengths: Vec<usize> = patterns.all.iter().map(Vec::len).collect();
        assert_eq!((patterns.kinds.len(), patterns.is_cut_off), (4, false));
        assert_eq!(lengths, [3, 2]);
    }
}
