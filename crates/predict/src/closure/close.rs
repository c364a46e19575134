//! The closure of a partial order under observations and locks (P4 section 3.3: algorithms 2, 3, 4, `InsertAndClose`).
//!
//! An ordering `a < b` that is new may complete one of three patterns, each of which forces another ordering:
//! a write `w'` before a read of another write `w` goes before `w`; the reads of `w` go before a write behind `w`;
//! of two sections of one lock, if one begins before the other ends, it ends before the other begins. Orderings wait in
//! a work list; each is inserted into the [`ChainOrder`], and what that adds between any two chains is looked at again.
//! An ordering against the order is a cycle: no run has all these events.
//!
//! Deviations from the paper:
//! 1. *Only what is new.* The paper looks at every variable and lock for each new ordering `(a, b)`. Here only nodes of
//!    `a`'s chain that were not yet before `b`, or nodes of `b`'s chain that were not yet behind `a` (whichever are
//!    fewer), are looked at: everything else was looked at when it was ordered.
//! 2. *The first read of another write.* Algorithm 3 looks at the first read behind `b` and stops if that read observes
//!    the write `w` before `a`. A later read of the same chain that observes another write `v` also needs `w < v`, and
//!    no other rule gives it (the proof of lemma C.2 takes a strict ordering `w < w` there). Here such reads are skipped
//!    and the first read of another write is used.
//! 3. *Within a chain.* Pairs of one chain are looked at once, at the start: the paper's loop runs over the successors
//!    in *all* chains, its own included.
//! 4. A deadline or the end of the effort allowed may stop the work ([`Effort`]).
//!
//! Guarantee: `Closed` iff the smallest closed order exists, and then the chain order is that order (lemmas 3.2, C.2).

use crate::pace::{Effort, Stop};

use super::order::{ChainOrder, NewOrdering, Node};
use super::problem::{Action, Lists, Problem, Topic};

/// So many edges are loaded at a time.
const AT_ONCE: usize = 1024;

/// Why there is no closure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// The constraints contradict each other: no run has all these events.
    Cycle,
    /// It was not brought to its end.
    Stopped(Stop),
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Failure {
        Failure::Stopped(stop)
    }
}

/// A closed partial order over a problem's nodes.
#[derive(Debug, Clone)]
pub struct Closure<'p> {
    problem: &'p Problem,
    lists: std::rc::Rc<Lists>,
    order: ChainOrder,
    /// Orderings to be inserted.
    work: Vec<(Node, Node)>,
    /// What it may cost.
    effort: &'p Effort,
}

impl<'p> Closure<'p> {
    /// Closes the order that the problem's chains and edges make.
    pub fn new(problem: &'p Problem, effort: &'p Effort) -> Result<Self, Failure> {
        let order = ChainOrder::new(&problem.lengths);
        let lists = std::rc::Rc::new(Lists::new(problem));
        let mut closure = Closure { problem, lists, order, work: Vec::new(), effort };
        closure.load()?;
        closure.work.extend_from_slice(&problem.extra);
        closure.run()?;
        Ok(closure)
    }

    /// The order.
    pub fn order(&self) -> &ChainOrder {
        &self.order
    }

    /// The problem.
    pub fn problem(&self) -> &'p Problem {
        self.problem
    }

    pub(super) fn lists(&self) -> &Lists {
        &self.lists
    }

    /// Orders `first` before `second` and closes again.
    pub fn insert_and_close(&mut self, first: Node, second: Node) -> Result<(), Failure> {
        self.work.push((first, second));
        self.run()
    }

    /// Loads the edges that follow the trace, and notes what they and the chains force.
    fn load(&mut self) -> Result<(), Failure> {
        let problem = self.problem;
        let mut edges = problem.edges.clone();
        edges.sort_unstable_by_key(|&(first, _)| std::cmp::Reverse(problem.times[first as usize]));
        let mut new = Vec::new();
        for some in edges.chunks(AT_ONCE) {
            self.effort.spend(some.len() as u64)?;
            self.order.load_backwards(some, &mut new);
        }
        for chain in 0..problem.lengths.len() {
            self.within_chain(chain)?;
        }
        for ordering in new {
            self.forced(ordering)?;
        }
        Ok(())
    }

    /// What the pairs of one chain force: a write, then a read of another write; a write, then another write.
    fn within_chain(&mut self, chain: usize) -> Result<(), Failure> {
        let lists = self.lists.clone();
        for node in self.order.nodes(chain) {
            self.tick()?;
            match self.problem.actions[node as usize] {
                Action::Read { variable, from } => {
                    if let Some(write) = lists.before(chain, Topic::Writes(variable), node) {
                        self.push(write, from);
                    }
                }
                Action::Write { variable } if node > 0 => {
                    if let Some(write) = lists.before(chain, Topic::Writes(variable), node - 1) {
                        self.readers_before(write, node);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Inserts the waiting orderings until none is left.
    fn run(&mut self) -> Result<(), Failure> {
        let mut new = Vec::new();
        while let Some((first, second)) = self.work.pop() {
            if self.order.query(second, first) {
                return Err(Failure::Cycle);
            }
            if self.order.query(first, second) {
                continue;
            }
            self.tick()?;
            self.order.insert(first, second, &mut new);
            for ordering in new.drain(..) {
                self.forced(ordering)?;
            }
        }
        Ok(())
    }

    /// Counts a step.
    #[inline]
    pub(super) fn tick(&self) -> Result<(), Failure> {
        Ok(self.effort.spend(1)?)
    }

    /// Notes what a new ordering between two chains forces (`ObsClosure` and `LockClosure`).
    fn forced(&mut self, new: NewOrdering) -> Result<(), Failure> {
        let lists = self.lists.clone();
        if new.from - new.from_start < new.to_end - new.to {
            for node in (new.from_start..=new.from).rev() {
                self.tick()?;
                self.forced_by_earlier(&lists, node, new);
            }
        } else {
            for node in new.to..new.to_end {
                self.tick()?;
                self.forced_by_later(&lists, node, new);
            }
        }
        Ok(())
    }

    /// The patterns whose earlier node is `node`, at `new.from` or before it.
    fn forced_by_earlier(&mut self, lists: &Lists, node: Node, new: NewOrdering) {
        let (own, other) = (self.order.chain_of(new.from), self.order.chain_of(new.to));
        match self.problem.actions[node as usize] {
            Action::Write { variable }
                if lists.before(own, Topic::Writes(variable), new.from) == Some(node) =>
            {
                self.before_other_write(lists.after(other, Topic::Reads(variable), new.to), node);
                if let Some(&write) = lists.after(other, Topic::Writes(variable), new.to).first() {
                    self.readers_before(node, write);
                }
            }
            Action::Acquire { lock, release: Some(release) } => {
                if let Some(&later) = lists.after(other, Topic::Releases(lock), new.to).first() {
                    self.sections(release, later);
                }
            }
            _ => {}
        }
    }

    /// The patterns whose later node is `node`, at `new.to` or behind it.
    fn forced_by_later(&mut self, lists: &Lists, node: Node, new: NewOrdering) {
        let own = self.order.chain_of(new.from);
        match self.problem.actions[node as usize] {
            Action::Read { variable, .. } => {
                if let Some(write) = lists.before(own, Topic::Writes(variable), new.from) {
                    let other = self.order.chain_of(new.to);
                    self.before_other_write(lists.after(other, Topic::Reads(variable), node), write);
                }
            }
            Action::Write { variable } => {
                if let Some(write) = lists.before(own, Topic::Writes(variable), new.from) {
                    self.readers_before(write, node);
                }
            }
            Action::Release { lock, acquire: Some(_) } => {
                if let Some(acquire) = lists.before(own, Topic::Acquires(lock), new.from)
                    && let Action::Acquire { release: Some(release), .. } =
                        self.problem.actions[acquire as usize]
                {
                    self.sections(release, node);
                }
            }
            _ => {}
        }
    }

    /// The reads come behind the write: the first of them that observes another one puts the write before that one.
    fn before_other_write(&mut self, reads: &[Node], write: Node) {
        let observed = reads.iter().find_map(|&read| match self.problem.actions[read as usize] {
            Action::Read { from, .. } if from != write => Some(from),
            _ => None,
        });
        if let Some(other) = observed {
            self.push(write, other);
        }
    }

    /// A later write to the same variable comes behind all reads of the earlier one.
    fn readers_before(&mut self, write: Node, later: Node) {
        let lists = self.lists.clone();
        for read in lists.readers(write) {
            self.push(read, later);
        }
    }

    /// A section that ends with `release` begins before the one that ends with `later`.
    fn sections(&mut self, release: Node, later: Node) {
        if let Action::Release { acquire: Some(acquire), .. } = self.problem.actions[later as usize] {
            self.push(release, acquire);
        }
    }

    fn push(&mut self, first: Node, second: Node) {
        if first != second && !self.order.query(first, second) {
            self.work.push((first, second));
        }
    }
}
