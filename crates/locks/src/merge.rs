//! The work-unit graph of several executions: what they have in common is there once, and where they part there is a branch.
//!
//! P5 (3.2) models a branch as a nondeterministic choice. Executions of one program under different schedules (or on different threads) do the same
//! until something that the schedule decides makes a strand go another way. Two nodes of different executions are the same if they are of the same kind, at the same
//! place, in the same strand, touch the same, and come after the same nodes. A strand is the same if it begins after the same
//! node and is the same thread of its team, iteration, section or task there. Nodes that take the same position of a strand
//! ([`crate::record`]) are the ways of a branch: at most one of them is executed. This is a branching process (occurrence net) of the program, as far as the executions show it.
//!
//! *Guarantee.* Every execution that was added is a path of the result. There can be further paths, which combine the ways of several
//! branches: as in P5, the graph does not know why a branch goes where it goes. A task that was waited for keeps its position
//! (several can wait for it), so that a branch at the very end of a task does not exclude what comes after the waiting.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::{Graph, Kind, Node, StrandKind};
use crate::record::NONE;

/// What makes two nodes the same; the last number tells nodes of one execution apart that nothing else does.
#[derive(PartialEq, Eq, Hash)]
struct NodeKey {
    kind: (u8, u64, bool),
    place: u32,
    strand: u32,
    after: Vec<u32>,
    tokens: Vec<(u32, u32)>,
    sites: Vec<SiteKey>,
    again: u32,
}

/// An access: the source access, whether it writes, whether it is atomic, the bytes.
type SiteKey = (u32, bool, bool, Vec<(u64, u64)>);

/// What makes two strands the same.
#[derive(PartialEq, Eq, Hash)]
struct StrandKey {
    kind: (u8, u64, u64),
    place: u32,
    origin: u32,
    nth: u64,
    again: u32,
}

/// Puts graphs together.
#[derive(Default)]
pub struct Merger {
    graph: Graph,
    nodes: FxHashMap<NodeKey, u32>,
    strands: FxHashMap<StrandKey, u32>,
}

fn kind_key(kind: Kind) -> (u8, u64, bool) {
    match kind {
        Kind::Unit => (0, 0, false),
        Kind::Lock { lock, shared } => (1, lock, shared),
        Kind::Unlock { lock } => (2, lock, false),
        Kind::Barrier => (3, 0, false),
        Kind::Fork => (4, 0, false),
        Kind::Join => (5, 0, false),
        Kind::Task => (6, 0, false),
        Kind::TaskWait => (7, 0, false),
        Kind::Ordered => (8, 0, false),
        Kind::EndOrdered => (9, 0, false),
        Kind::Post => (10, 0, false),
        Kind::Sink => (11, 0, false),
    }
}

fn strand_key(kind: StrandKind) -> (u8, u64, u64) {
    match kind {
        StrandKind::Main => (0, 0, 0),
        StrandKind::Thread => (1, 0, 0),
        StrandKind::Member(n) => (2, u64::from(n), 0),
        StrandKind::Iterations(first, count) => (3, first, count),
        StrandKind::Section(n) => (4, n, 0),
        StrandKind::Single => (5, 0, 0),
        StrandKind::Task => (6, 0, 0),
    }
}

impl Merger {
    /// Adds the graph of an execution; gives the number of each of its nodes in the whole.
    pub fn add(&mut self, graph: &Graph) -> Vec<u32> {
        let mut numbers: Vec<u32> = Vec::with_capacity(graph.nodes.len());
        let mut strands: Vec<Option<u32>> = vec![None; graph.strands.len()];
        let (mut used, mut used_strands) = (FxHashSet::default(), FxHashSet::default());
        for node in &graph.nodes {
            let of = |n: u32| if n == NONE { NONE } else { numbers[n as usize] };
            // Owners of positions first: a piece's strand is not always that of its thread.
            for strand in node.tokens.iter().map(|t| t.0).chain([node.strand]) {
                if strands[strand as usize].is_none() {
                    let origin = of(graph.strands[strand as usize].origin);
                    strands[strand as usize] = Some(self.strand(graph, strand, origin, &mut used_strands));
                }
            }
            let strand = |s: u32| strands[s as usize].unwrap_or(0);
            let mut after: Vec<u32> = node.after.iter().map(|&p| of(p)).collect();
            after.sort_unstable();
            let mut tokens: Vec<(u32, u32)> = node.tokens.iter().map(|&(s, p)| (strand(s), of(p))).collect();
            tokens.sort_unstable();
            let segment = if node.segment as usize == numbers.len() { NONE } else { of(node.segment) };
            numbers.push(self.node(node, strand(node.strand), after, tokens, segment, &mut used));
        }
        numbers
    }

    fn strand(&mut self, graph: &Graph, strand: u32, origin: u32, used: &mut FxHashSet<u32>) -> u32 {
        let of = &graph.strands[strand as usize];
        for again in 0.. {
            let key = StrandKey { kind: strand_key(of.kind), place: of.place.0, origin, nth: of.nth, again };
            let next = self.graph.strands.len() as u32;
            let number = *self.strands.entry(key).or_insert(next);
            if number == next {
                let mut new = of.clone();
                new.origin = origin;
                self.graph.strands.push(new);
            }
            if used.insert(number) {
                return number;
            }
        }
        unreachable!("there is always another number")
    }

    fn node(
        &mut self,
        node: &Node,
        strand: u32,
        after: Vec<u32>,
        tokens: Vec<(u32, u32)>,
        segment: u32,
        used: &mut FxHashSet<u32>,
    ) -> u32 {
        let mut sites: Vec<_> =
            node.sites.iter().map(|s| (s.access.0, s.write, s.atomic, s.ranges.list().to_vec())).collect();
        sites.sort_unstable();
        for again in 0.. {
            let key = NodeKey {
                kind: kind_key(node.kind),
                place: node.place.0,
                strand,
                after: after.clone(),
                tokens: tokens.clone(),
                sites: sites.clone(),
                again,
            };
            let next = self.graph.nodes.len() as u32;
            let number = *self.nodes.entry(key).or_insert(next);
            if number == next {
                self.graph.nodes.push(Node {
                    strand,
                    after: after.clone(),
                    tokens: tokens.clone(),
                    segment: if segment == NONE { next } else { segment },
                    ..node.clone()
                });
            }
            if used.insert(number) {
                return number;
            }
        }
        unreachable!("there is always another number")
    }

    /// The whole, with its branches.
    pub fn finish(mut self) -> Graph {
        let mut takers: FxHashMap<(u32, u32), Vec<u32>> = FxHashMap::default();
        for (n, node) in self.graph.nodes.iter().enumerate() {
            for &token in &node.tokens {
                takers.entry(token).or_default().push(n as u32);
            }
        }
        let mut branches: Vec<Vec<u32>> = takers.into_values().filter(|t| t.len() > 1).collect();
        branches.sort_unstable();
        branches.dedup();
        for (number, branch) in branches.iter().enumerate() {
            for &n in branch {
                self.graph.nodes[n as usize].choices.push(number as u32);
            }
        }
        self.graph
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Strand;
    use ir::PlaceId;

    fn graph(kinds: &[(Kind, u32)]) -> Graph {
        let strand = Strand {
            kind: StrandKind::Main,
            place: PlaceId(0),
            variable: None,
            function: None,
            thread: 0,
            origin: NONE,
            nth: 0,
        };
        let node = |(i, &(kind, place)): (usize, &(Kind, u32))| Node {
            kind,
            after: i.checked_sub(1).map(|p| p as u32).into_iter().collect(),
            place: PlaceId(place),
            thread: 0,
            strand: 0,
            segment: i as u32,
            pos: prove::order::Order::new().pos(0),
            context: 0,
            sites: Vec::new(),
            tokens: vec![(0, i.checked_sub(1).map_or(NONE, |p| p as u32))],
            choices: Vec::new(),
        };
        Graph { nodes: kinds.iter().enumerate().map(node).collect(), strands: vec![strand] }
    }

    #[test]
    fn what_is_common_is_there_once_and_a_branch_where_executions_part() {
        let mut merger = Merger::default();
        let one = graph(&[(Kind::Unit, 1), (Kind::Lock { lock: 8, shared: false }, 2), (Kind::Unit, 3)]);
        let other = graph(&[(Kind::Unit, 1), (Kind::Unit, 4)]);
        assert_eq!(merger.add(&one), [0, 1, 2]);
        assert_eq!(merger.add(&one), [0, 1, 2]);
        assert_eq!(merger.add(&other), [0, 3]);
        let whole = merger.finish();
        assert_eq!(whole.nodes.len(), 4);
        let choices: Vec<&[u32]> = whole.nodes.iter().map(|n| n.choices.as_slice()).collect();
        assert_eq!(choices, [&[][..], &[0], &[], &[0]]);
    }
}
