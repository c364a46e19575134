//! Partial orders of small width as chains with edges between them (P4, appendix A: the data structure DS).
//!
//! Nodes are numbered chain by chain. For every ordered pair of chains a [`SuffixMinima`] tells for each node of the
//! first the earliest node of the second that it precedes; it holds the *transitively closed* relation, so `query`,
//! `successor` and `predecessor` are one tree operation, and `insert` (algorithm 7) updates at most `k * k` trees.
//!
//! Deviations: a tree is allocated when the first edge between its chains appears; `insert` reports the orderings that
//! are really new, with how far the order reached before, so that the closure looks only at what changed; a whole set
//! of edges that follow a known total order is loaded by one sweep (`load_backwards`) with `k` updates for each edge
//! instead of `k * k`.
//!
//! Guarantee: `query(a, b)` holds iff `b` is reachable from `a` by the edges inserted and the chains.

use super::fenwick::{INFINITY, SuffixMinima};

/// A node's number; the nodes of a chain are numbered one after the other.
pub type Node = u32;

/// An ordering between two chains that an insertion brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewOrdering {
    /// The last node of its chain that is now before `to`.
    pub from: Node,
    /// The first node of its chain that is now after `from`.
    pub to: Node,
    /// The first node of `from`'s chain that was not yet before `to`.
    pub from_start: Node,
    /// The first node of `to`'s chain that was already after `from` (or the chain's end).
    pub to_end: Node,
}

/// A partial order over chains.
#[derive(Debug, Clone)]
pub struct ChainOrder {
    /// Where each chain's nodes start, and at last the number of nodes.
    start: Vec<Node>,
    /// The chain of each node.
    chain: Vec<u32>,
    /// The tree from chain `a` to chain `b` at `a * k + b`, where an edge exists.
    trees: Vec<Option<SuffixMinima>>,
}

impl ChainOrder {
    /// Chains of these lengths, without edges between them.
    pub fn new(lengths: &[usize]) -> Self {
        let mut start = Vec::with_capacity(lengths.len() + 1);
        let mut chain = Vec::new();
        let mut total = 0usize;
        for (number, &length) in lengths.iter().enumerate() {
            start.push(total as Node);
            total += length;
            chain.resize(total, number as u32);
        }
        start.push(total as Node);
        ChainOrder { start, chain, trees: vec![None; lengths.len() * lengths.len()] }
    }

    /// The number of chains.
    pub fn chains(&self) -> usize {
        self.start.len() - 1
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.chain.len()
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.chain.is_empty()
    }

    /// The chain of a node.
    pub fn chain_of(&self, node: Node) -> usize {
        self.chain[node as usize] as usize
    }

    /// The nodes of a chain.
    pub fn nodes(&self, chain: usize) -> std::ops::Range<Node> {
        self.start[chain]..self.start[chain + 1]
    }

    /// The first node of `chain` that `node` precedes or is.
    pub fn successor(&self, node: Node, chain: usize) -> Option<Node> {
        let own = self.chain_of(node);
        if own == chain {
            return Some(node);
        }
        let tree = self.trees[own * self.chains() + chain].as_ref()?;
        let least = tree.min(node - self.start[own]);
        (least != INFINITY).then(|| self.start[chain] + least)
    }

    /// The last node of `chain` that precedes `node` or is it.
    pub fn predecessor(&self, node: Node, chain: usize) -> Option<Node> {
        let own = self.chain_of(node);
        if own == chain {
            return Some(node);
        }
        let tree = self.trees[chain * self.chains() + own].as_ref()?;
        Some(self.start[chain] + tree.arg_leq(node - self.start[own])?)
    }

    /// Whether `first` precedes `second` or is it (algorithm 8).
    pub fn query(&self, first: Node, second: Node) -> bool {
        self.successor(first, self.chain_of(second)).is_some_and(|node| node <= second)
    }

    /// Orders `first` before `second` (algorithm 7) and appends the orderings that are new.
    ///
    /// The caller makes sure that `second` does not precede `first`.
    pub fn insert(&mut self, first: Node, second: Node, new: &mut Vec<NewOrdering>) {
        debug_assert!(!self.query(second, first), "an insertion must not close a cycle");
        let chains = self.chains();
        let before: Vec<Option<Node>> = (0..chains).map(|chain| self.predecessor(first, chain)).collect();
        let after: Vec<Option<Node>> = (0..chains).map(|chain| self.successor(second, chain)).collect();
        for &from in before.iter().flatten() {
            for &to in after.iter().flatten() {
                if self.chain_of(from) != self.chain_of(to) && !self.query(from, to) {
                    new.push(self.add(from, to));
                }
            }
        }
    }

    /// Loads the edges `first -> second` of a graph whose edges all follow one total order, given from the last
    /// `first` in that order to the first. Appends the orderings that are new.
    pub fn load_backwards(&mut self, edges: &[(Node, Node)], new: &mut Vec<NewOrdering>) {
        for &(first, second) in edges {
            for chain in 0..self.chains() {
                if chain == self.chain_of(first) {
                    continue;
                }
                if let Some(to) = self.successor(second, chain)
                    && !self.query(first, to)
                {
                    new.push(self.add(first, to));
                }
            }
        }
    }

    /// Records one ordering between two chains, with what it adds.
    fn add(&mut self, from: Node, to: Node) -> NewOrdering {
        let (own, other) = (self.chain_of(from), self.chain_of(to));
        let ordering = NewOrdering {
            from,
            to,
            from_start: self.predecessor(to, own).map_or(self.start[own], |node| node + 1),
            to_end: self.successor(from, other).unwrap_or(self.start[other + 1]),
        };
        let length = self.nodes(own).len();
        let slot = own * self.chains() + other;
        let tree = self.trees[slot].get_or_insert_with(|| SuffixMinima::new(length));
        tree.update(from - self.start[own], to - self.start[other]);
        ordering
    }
}
