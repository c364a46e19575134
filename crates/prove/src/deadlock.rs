//! Whether some schedule of the run's skeleton could deadlock, by the order in which threads nest their locks.
//!
//! If no schedule changes what the threads do, a deadlock needs a cycle: each of some threads holds a lock and waits for
//! the next one's. If the nesting of locks in the run has no cycle, and nobody waits for anything but a lock while
//! holding a lock that others use (a barrier, a join, its own end), there is none. A reader may have to wait behind a writer
//! who waits for readers, as POSIX leaves open: so the modes of locks do not matter, and a lock that is taken twice for reading is a
//! cycle if somebody else writes. Cycles that one thread makes alone, or whose edges
//! a common outer lock guards, are none either. Anything else is not decided here: the search does.

use base::reason::LockDoubt;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::rules::Rule;

/// How threads nest their locks.
#[derive(Debug, Default)]
pub struct Nesting {
    /// From the lock held to the lock taken: who does that, and which locks guard every such nesting by all of them.
    edges: FxHashMap<(u64, u64), Edge>,
    /// Who takes a lock.
    users: FxHashMap<u64, FxHashSet<usize>>,
    /// Locks that somebody holds while waiting for something other than a lock.
    waits: Vec<(u64, usize)>,
    /// Who takes a lock exclusively.
    writers: FxHashMap<u64, FxHashSet<usize>>,
    /// Locks that somebody takes for reading while holding them for reading.
    again: FxHashSet<(u64, usize)>,
    guests: bool,
    unbalanced: bool,
}

#[derive(Debug)]
struct Edge {
    threads: FxHashSet<usize>,
    guards: Vec<u64>,
}

impl Nesting {
    /// A thread that holds these locks (with their modes) takes another.
    pub fn lock(&mut self, t: usize, held: &[(u64, bool)], lock: u64, shared: bool) {
        self.users.entry(lock).or_default().insert(t);
        if !shared {
            self.writers.entry(lock).or_default().insert(t);
        }
        for (i, &(outer, mode)) in held.iter().enumerate() {
            if outer == lock && mode && shared {
                self.again.insert((lock, t));
                continue;
            }
            let guards = || held[..i].iter().filter(|g| !g.1).map(|g| g.0);
            let edge = self
                .edges
                .entry((outer, lock))
                .or_insert_with(|| Edge { threads: FxHashSet::default(), guards: guards().collect() });
            edge.threads.insert(t);
            edge.guards.retain(|g| guards().any(|h| h == *g));
        }
    }

    /// A thread that holds this lock waits for something else, or has ended.
    pub fn wait(&mut self, t: usize, lock: u64) {
        if !self.waits.contains(&(lock, t)) {
            self.waits.push((lock, t));
        }
    }

    /// A lock is taken by work that another thread could execute, while its thread holds locks of its own.
    pub fn guest(&mut self) {
        self.guests = true;
    }

    /// Work that another thread could execute keeps a lock behind its end, or gives back one that it has not taken: whether it can depends on
    /// who executes what.
    pub fn unbalanced(&mut self) {
        self.unbalanced = true;
    }

    /// Why a deadlock cannot be excluded, if it cannot.
    pub fn doubt(&self) -> Option<LockDoubt> {
        let others = |lock: u64, t: usize| self.users.get(&lock).is_some_and(|u| u.iter().any(|&v| v != t));
        if Rule::Waits.holds() && self.waits.iter().any(|&(lock, t)| others(lock, t)) {
            return Some(LockDoubt::HeldWhileWaiting);
        }
        if Rule::Guests.holds() && self.guests {
            return Some(LockDoubt::Guest);
        }
        if Rule::Balanced.holds() && self.unbalanced {
            return Some(LockDoubt::Unbalanced);
        }
        let writes = |lock: u64, t: usize| self.writers.get(&lock).is_some_and(|w| w.iter().any(|&v| v != t));
        if Rule::Cycles.holds() && self.again.iter().any(|&(lock, t)| writes(lock, t)) {
            return Some(LockDoubt::ReadTwice);
        }
        if Rule::Cycles.holds() && self.has_cycle() {
            return Some(LockDoubt::DifferentOrders);
        }
        None
    }

    /// Whether there is a cycle that two threads could close together. Edges inside a strongly connected component are
    /// looked at; a component with one thread, or one lock that guards all its edges, is none.
    fn has_cycle(&self) -> bool {
        let mut nodes: Vec<u64> = self.edges.keys().flat_map(|&(a, b)| [a, b]).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let number: FxHashMap<u64, usize> = nodes.iter().enumerate().map(|(i, &n)| (n, i)).collect();
        let mut next = vec![Vec::new(); nodes.len()];
        for &(a, b) in self.edges.keys() {
            next[number[&a]].push(number[&b]);
        }
        let component = components(&next);
        let mut inside: FxHashMap<usize, Vec<&Edge>> = FxHashMap::default();
        for ((a, b), edge) in &self.edges {
            if component[number[a]] == component[number[b]] {
                inside.entry(component[number[a]]).or_default().push(edge);
            }
        }
        inside.values().any(|edges| {
            let threads: FxHashSet<usize> = edges.iter().flat_map(|e| e.threads.iter().copied()).collect();
            let guarded = edges[0].guards.iter().any(|g| edges.iter().all(|e| e.guards.contains(g)));
            threads.len() > 1 && !guarded
        })
    }
}

/// Strongly connected components (Tarjan, without recursion): the number of each node's.
fn components(next: &[Vec<usize>]) -> Vec<usize> {
    let n = next.len();
    let (mut index, mut low, mut component) = (vec![usize::MAX; n], vec![0; n], vec![usize::MAX; n]);
    let (mut stack, mut count, mut found) = (Vec::new(), 0, 0);
    for root in 0..n {
        if index[root] != usize::MAX {
            continue;
        }
        let mut work = vec![(root, 0)];
        while let Some(&mut (v, ref mut at)) = work.last_mut() {
            if *at == 0 {
                index[v] = count;
                low[v] = count;
                count += 1;
                stack.push(v);
            }
            if let Some(&w) = next[v].get(*at) {
                *at += 1;
                if index[w] == usize::MAX {
                    work.push((w, 0));
                } else if component[w] == usize::MAX {
                    low[v] = low[v].min(index[w]);
                }
                continue;
            }
            if low[v] == index[v] {
                while let Some(w) = stack.pop() {
                    component[w] = found;
                    if w == v {
                        break;
                    }
                }
                found += 1;
            }
            work.pop();
            if let Some(&(u, _)) = work.last() {
                low[u] = low[u].min(low[v]);
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::Nesting;

    #[test]
    fn opposite_orders_are_a_cycle_unless_guarded_or_by_one_thread() {
        let mut n = Nesting::default();
        n.lock(0, &[(1, false)], 2, false);
        assert!(n.doubt().is_none());
        n.lock(0, &[(2, false)], 1, false);
        assert!(n.doubt().is_none(), "one thread alone");
        n.lock(1, &[(2, false)], 1, false);
        assert!(n.doubt().is_some());
        let mut g = Nesting::default();
        g.lock(0, &[(9, false), (1, false)], 2, false);
        g.lock(1, &[(9, false), (2, false)], 1, false);
        assert!(g.doubt().is_none(), "guarded by 9");
        let mut three = Nesting::default();
        three.lock(0, &[(1, false)], 2, false);
        three.lock(1, &[(2, false)], 3, false);
        three.lock(2, &[(3, false)], 1, false);
        assert!(three.doubt().is_some());
    }

    #[test]
    fn a_writer_between_two_read_locks() {
        let mut n = Nesting::default();
        n.lock(0, &[], 1, true);
        n.lock(0, &[(1, true)], 1, true);
        n.lock(1, &[], 1, true);
        assert!(n.doubt().is_none(), "readers alone");
        n.lock(2, &[], 1, false);
        assert!(n.doubt().is_some());
    }

    #[test]
    fn waiting_with_a_lock_that_others_use() {
        let mut n = Nesting::default();
        n.lock(0, &[], 1, false);
        n.wait(0, 1);
        assert!(n.doubt().is_none());
        n.lock(1, &[], 1, false);
        assert!(n.doubt().is_some());
    }
}
