//! The work-unit graph (P5 3.2): what the strands of a program do between synchronisations, and what orders it.
//!
//! *Basic nodes* are work units: what one strand does without a synchronisation or a task scheduling point in between.
//! *Synchronisation nodes* are locks and unlocks, barriers, forks, joins, task creation and waiting, `ordered`. An edge
//! says that the second begins after the first has ended, in every schedule; what locks order is not in the edges but in the
//! rule that a lock node waits until the lock is free ([`crate::model`]).
//!
//! *Branches.* A unit ends where control can go more than one way. Where executions of the program go different ways there, the nodes that
//! begin the ways have a branch in common ([`Node::choices`]), of which one is executed: P5's `select`.
//!
//! *Deviations.* P5 draws the graph from the text of the program. Here it is made from executions on the machine ([`crate::record`]; several are put together
//! by [`crate::merge`]), so that it has the variables and elements that each unit really touches, and no ways that nobody can take. Where nothing that
//! the schedule decides steers the program (what the proof engine establishes), every schedule has the graph of one execution. A loop that does not synchronise is unrolled into its
//! pieces, each of which is one node. P5 leaves out forks, joins and barriers where the nesting of its language says them; here they are nodes, which the model passes silently.

use ir::{AccessId, PlaceId};
use prove::commute::Class;
use prove::locks::Context;
use prove::order::Pos;
use prove::ranges::Ranges;

/// What one instruction of a unit touches.
#[derive(Debug, Clone)]
pub struct Site {
    /// The source access.
    pub access: AccessId,
    /// Whether it writes.
    pub write: bool,
    /// Whether it is atomic.
    pub atomic: bool,
    /// Whether the bytes are the executing thread's own: others of its team have theirs elsewhere.
    pub own: bool,
    /// If it is part of an update `x = x op v`: the operation.
    pub update: Option<Class>,
    /// The bytes.
    pub ranges: Ranges,
}

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A work unit.
    Unit,
    /// A lock is taken: mutex, critical section, OpenMP lock, read-write lock.
    Lock {
        /// The lock's address.
        lock: u64,
        /// Shared mode.
        shared: bool,
    },
    /// A lock is given back.
    Unlock {
        /// The lock's address.
        lock: u64,
    },
    /// All meet: an OpenMP barrier (explicit or implied), or one of POSIX threads.
    Barrier,
    /// A thread or a team is made.
    Fork,
    /// A thread or a team is waited for.
    Join,
    /// A task is made.
    Task,
    /// Tasks are waited for.
    TaskWait,
    /// An `ordered` block begins.
    Ordered,
    /// An `ordered` block ends.
    EndOrdered,
    /// `depend(source)`.
    Post,
    /// `depend(sink)`.
    Sink,
}

impl Kind {
    /// Whether the model has an action for it; the others only order.
    pub fn is_action(self) -> bool {
        matches!(self, Kind::Unit | Kind::Lock { .. } | Kind::Unlock { .. })
    }

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Unit => "work unit",
            Kind::Lock { .. } => "lock",
            Kind::Unlock { .. } => "unlock",
            Kind::Barrier => "barrier",
            Kind::Fork => "fork",
            Kind::Join => "join",
            Kind::Task => "task",
            Kind::TaskWait => "taskwait",
            Kind::Ordered => "ordered",
            Kind::EndOrdered => "end of ordered",
            Kind::Post => "depend(source)",
            Kind::Sink => "depend(sink)",
        }
    }
}

/// A node.
#[derive(Debug, Clone)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// The nodes that it waits for.
    pub after: Vec<u32>,
    /// Where in the source; for a unit, where it begins.
    pub place: PlaceId,
    /// The thread of the run.
    pub thread: usize,
    /// The strand, an index into [`Graph::strands`].
    pub strand: u32,
    /// For a unit: which of the stretches between two synchronisations it belongs to (the number that the first unit there had when it was recorded). What
    /// is about other strands is the same for all units of a stretch.
    pub segment: u32,
    /// Where in the order that all schedules share.
    pub pos: Pos,
    /// The locks held.
    pub context: Context,
    /// What a unit touches.
    pub sites: Vec<Site>,
    /// The positions of strands that it takes: a strand, and the node after which it stands there.
    pub tokens: Vec<(u32, u32)>,
    /// The branches that it is a way of: of the nodes with one of these numbers in common, one is executed.
    pub choices: Vec<u32>,
}

/// What a strand is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StrandKind {
    /// The main thread.
    Main,
    /// A thread that the program made.
    Thread,
    /// A thread of a team, outside of worksharing.
    Member(u32),
    /// Iterations of a loop: the first, and how many.
    Iterations(u64, u64),
    /// A section.
    Section(u64),
    /// The block of a `single`.
    Single,
    /// A task.
    Task,
}

/// A strand: what the language lets run on its own.
#[derive(Debug, Clone)]
pub struct Strand {
    /// What it is.
    pub kind: StrandKind,
    /// Where its construct is.
    pub place: PlaceId,
    /// The loop variable and its value in the first iteration.
    pub variable: Option<(String, i64)>,
    /// The name of a thread's function.
    pub function: Option<String>,
    /// The thread that ran it.
    pub thread: usize,
    /// The node after which it begins; [`crate::record::NONE`] for the main thread.
    pub origin: u32,
    /// How many worksharing constructs the thread had come to before.
    pub nth: u64,
}

/// The graph of one run.
#[derive(Debug, Clone, Default)]
pub struct Graph {
    /// The nodes, in the order of the run: edges go from lower to higher numbers.
    pub nodes: Vec<Node>,
    /// The strands.
    pub strands: Vec<Strand>,
}

impl Graph {
    /// By node: who waits for it.
    pub fn successors(&self) -> Vec<Vec<u32>> {
        let mut after = vec![Vec::new(); self.nodes.len()];
        for (i, node) in self.nodes.iter().enumerate() {
            for &p in &node.after {
                after[p as usize].push(i as u32);
            }
        }
        after
    }

    /// The work units, in order; their place in this list is their number in `WU3`.
    pub fn units(&self) -> Vec<u32> {
        (0..self.nodes.len() as u32).filter(|&n| self.nodes[n as usize].kind == Kind::Unit).collect()
    }

    /// Whether `a` comes before `b` by edges. (For tests and small graphs: walks back from `b`.)
    pub fn before(&self, a: u32, b: u32) -> bool {
        let (mut seen, mut stack) = (vec![false; b as usize + 1], vec![b]);
        while let Some(n) = stack.pop() {
            for &p in &self.nodes[n as usize].after {
                if p == a {
                    return true;
                }
                if p > a && !std::mem::replace(&mut seen[p as usize], true) {
                    stack.push(p);
                }
            }
        }
        false
    }

    /// The kinds of the nodes on some path from `a` to `b`, without these; empty if there is none.
    pub fn between(&self, a: u32, b: u32) -> Vec<Kind> {
        let mut next = vec![u32::MAX; b as usize + 1];
        let mut queue = std::collections::VecDeque::from([b]);
        while let Some(n) = queue.pop_front() {
            for &p in &self.nodes[n as usize].after {
                if p < a || next[p as usize] != u32::MAX {
                    continue;
                }
                next[p as usize] = n;
                if p == a {
                    let (mut kinds, mut at) = (Vec::new(), n);
                    while at != b {
                        kinds.push(self.nodes[at as usize].kind);
                        at = next[at as usize];
                    }
                    return kinds;
                }
                queue.push_back(p);
            }
        }
        Vec::new()
    }

    /// Takes out nodes that say nothing: units without accesses, forks and joins of one, barriers between barriers. Gives the
    /// new number of each node, `u32::MAX` for those taken out.
    pub fn simplify(&mut self) -> Vec<u32> {
        let mut gone = vec![false; self.nodes.len()];
        loop {
            let mut after = self.successors();
            let mut changed = false;
            for n in 0..self.nodes.len() {
                if gone[n] || !self.says_nothing(n, &after[n]) {
                    continue;
                }
                let before = std::mem::take(&mut self.nodes[n].after);
                let choices = std::mem::take(&mut self.nodes[n].choices);
                if let [only] = after[n][..] {
                    self.nodes[only as usize].choices.extend(choices);
                }
                for &s in &after[n] {
                    let list = &mut self.nodes[s as usize].after;
                    list.retain(|&p| p != n as u32);
                    list.extend(before.iter().copied());
                    list.sort_unstable();
                    list.dedup();
                }
                let moved = std::mem::take(&mut after[n]);
                for &p in &before {
                    let list = &mut after[p as usize];
                    list.retain(|&s| s != n as u32);
                    list.extend(moved.iter().copied());
                    list.sort_unstable();
                    list.dedup();
                }
                gone[n] = true;
                changed = true;
            }
            if !changed {
                break;
            }
        }
        self.renumber(&gone)
    }

    fn says_nothing(&self, n: usize, after: &[u32]) -> bool {
        let node = &self.nodes[n];
        let (ins, outs) = (node.after.len(), after.len());
        // Not where that makes many edges of few.
        let small = ins <= 1 || outs <= 1 || ins * outs <= 4;
        if !node.choices.is_empty() {
            // It stays as a way of its branch, unless what follows can take its place.
            return node.kind == Kind::Unit && node.sites.is_empty() && outs == 1;
        }
        match node.kind {
            Kind::Unit => node.sites.is_empty() && small,
            Kind::Lock { .. } | Kind::Unlock { .. } => false,
            Kind::Fork => outs <= 1,
            Kind::Task | Kind::Post | Kind::Ordered | Kind::EndOrdered => outs <= 1 || outs == 0 || ins == 0,
            Kind::Join | Kind::TaskWait | Kind::Sink => ins <= 1 || outs == 0,
            Kind::Barrier => {
                let next = |&s: &u32| matches!(self.nodes[s as usize].kind, Kind::Barrier | Kind::Join);
                outs == 0 || ins <= 1 || outs == 1 && after.iter().all(next)
            }
        }
    }

    fn renumber(&mut self, gone: &[bool]) -> Vec<u32> {
        let mut numbers = vec![u32::MAX; gone.len()];
        let mut next = 0;
        for (n, &gone) in gone.iter().enumerate() {
            if !gone {
                numbers[n] = next;
                next += 1;
            }
        }
        let mut keep = gone.iter().map(|g| !g);
        self.nodes.retain(|_| keep.next().unwrap_or(false));
        for node in &mut self.nodes {
            for p in &mut node.after {
                *p = numbers[*p as usize];
            }
            node.choices.sort_unstable();
            node.choices.dedup();
            node.tokens.clear();
        }
        numbers
    }
}
