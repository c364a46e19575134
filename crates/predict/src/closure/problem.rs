//! A set of events with what orders them: the input of the closure.
//!
//! Chains are the threads' events in program order. What a node does decides which closure rules apply to it (P4
//! section 3.2); everything else that must hold (fork, join, observation edges, "a section left open comes last",
//! reads of initial values) is a plain edge.

use rustc_hash::FxHashMap;

use super::order::Node;

/// What a node does, as far as the closure looks at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Only its edges count.
    Other,
    /// Reads a variable and observes a write of this problem.
    Read {
        /// The variable.
        variable: u32,
        /// The write observed.
        from: Node,
    },
    /// Reads a variable and observes nothing in this problem: no rule, but a conflict with writes.
    FreeRead {
        /// The variable.
        variable: u32,
    },
    /// Writes a variable.
    Write {
        /// The variable.
        variable: u32,
    },
    /// Acquires a lock.
    Acquire {
        /// The lock.
        lock: u32,
        /// The matching release, if it is in the problem.
        release: Option<Node>,
    },
    /// Releases a lock.
    Release {
        /// The lock.
        lock: u32,
        /// The matching acquire, if it is in the problem.
        acquire: Option<Node>,
    },
}

/// A set of events with its constraints.
#[derive(Debug, Clone, Default)]
pub struct Problem {
    /// How many nodes each chain has; nodes are numbered chain by chain.
    pub lengths: Vec<usize>,
    /// What each node does.
    pub actions: Vec<Action>,
    /// Each node's place in the trace; increasing along a chain, all different.
    pub times: Vec<u32>,
    /// Edges that follow the trace's order, observation edges among them.
    pub edges: Vec<(Node, Node)>,
    /// Edges that may go against it.
    pub extra: Vec<(Node, Node)>,
}

/// What the lists of [`Lists`] are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Topic {
    Reads(u32),
    AllReads(u32),
    Writes(u32),
    Acquires(u32),
    Releases(u32),
}

/// The maps Before, After and F of P4 section 3.3, as sorted lists.
#[derive(Debug)]
pub(super) struct Lists {
    /// For each chain and topic the nodes in order.
    lists: FxHashMap<(u32, Topic), Vec<Node>>,
    /// For each write the last read of each chain that observes it, sorted by write.
    readers: Vec<(Node, Node)>,
}

impl Lists {
    pub(super) fn new(problem: &Problem) -> Self {
        let mut lists: FxHashMap<(u32, Topic), Vec<Node>> = FxHashMap::default();
        let mut readers: Vec<(Node, Node)> = Vec::new();
        let mut node: Node = 0;
        for (chain, &length) in problem.lengths.iter().enumerate() {
            let mut last_reader: FxHashMap<Node, Node> = FxHashMap::default();
            for _ in 0..length {
                let mut note = |topic| lists.entry((chain as u32, topic)).or_default().push(node);
                match problem.actions[node as usize] {
                    Action::Other => {}
                    Action::Read { variable, from } => {
                        note(Topic::Reads(variable));
                        note(Topic::AllReads(variable));
                        last_reader.insert(from, node);
                    }
                    Action::FreeRead { variable } => note(Topic::AllReads(variable)),
                    Action::Write { variable } => note(Topic::Writes(variable)),
                    Action::Acquire { lock, .. } => note(Topic::Acquires(lock)),
                    Action::Release { lock, acquire: Some(_) } => note(Topic::Releases(lock)),
                    Action::Release { .. } => {}
                }
                node += 1;
            }
            readers.extend(last_reader);
        }
        readers.sort_unstable();
        Lists { lists, readers }
    }

    /// All nodes of a chain about a topic.
    pub(super) fn all(&self, chain: usize, topic: Topic) -> &[Node] {
        self.lists.get(&(chain as u32, topic)).map_or(&[], |list| list)
    }

    /// The last one at `node` or before it.
    pub(super) fn before(&self, chain: usize, topic: Topic, node: Node) -> Option<Node> {
        let list = self.all(chain, topic);
        list.partition_point(|&other| other <= node).checked_sub(1).map(|at| list[at])
    }

    /// Those at `node` or behind it.
    pub(super) fn after(&self, chain: usize, topic: Topic, node: Node) -> &[Node] {
        let list = self.all(chain, topic);
        &list[list.partition_point(|&other| other < node)..]
    }

    /// The last read of each chain that observes this write.
    pub(super) fn readers(&self, write: Node) -> impl Iterator<Item = Node> + '_ {
        let from = self.readers.partition_point(|&(other, _)| other < write);
        self.readers[from..].iter().take_while(move |&&(other, _)| other == write).map(|&(_, read)| read)
    }
}
