//! The transition system of a work-unit graph (P5 3.3): each step runs a work unit, takes a lock or gives it back.
//!
//! A state is the set of nodes that are done. A node can be done when all that it waits for is; a lock node only if the lock is
//! free (or shared by readers). Forks, joins and barriers are passed as soon as they can be, without a step of their own, as in
//! P5's tables, where the nesting of `par` says them. As there, each lock has an action INIT before the part of the program
//! that uses it and DESTROY after that part (not in a program with branches, where the part has several ends).
//!
//! *Branches.* A node that is a way of a branch can be done only if no other way of the same branch is. If it is silent otherwise, it is a
//! hidden step `i` here, since taking it decides something.
//!
//! *Slices.* Whether two units can be about to run at the same time depends only on what comes before them: a
//! schedule that does nothing else is a schedule too, and doing less never takes a lock away from anybody. So a pair is decided on
//! the nodes before it alone ([`Model::slice`]). What comes before both is taken to be done, unless a lock is held there. Most pairs need no
//! states at all: [`crate::coenabled`].

use rustc_hash::FxHashMap;

use crate::actl::{Checker, Formula, System};
use crate::graph::{Graph, Kind};
use crate::term::{self, Term};

/// What a node does to a lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// Takes it for itself alone.
    Take,
    /// Takes it beside other readers.
    Share,
    /// Gives it back.
    Release,
}

/// A node of the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelNode {
    /// The label of its step; none if it is passed silently.
    pub label: Option<u32>,
    /// The lock that it is about, as an index.
    pub lock: Option<(u32, Use)>,
    /// What it waits for; lower numbers.
    pub after: Vec<u32>,
    /// The node of the graph, if it stands for one.
    pub of: Option<u32>,
    /// The branches that it is a way of.
    pub choices: Vec<u32>,
}

/// A transition system made of a graph.
#[derive(Debug, Clone, Default)]
pub struct Model {
    /// The nodes; what a node waits for has lower numbers.
    pub nodes: Vec<ModelNode>,
    labels: Vec<String>,
    /// The names of the locks, as they stand in labels; empty if there is only one.
    pub locks: Vec<String>,
    /// By branch: its ways.
    pub branches: Vec<Vec<u32>>,
    /// The program as a term of sequence and parallel composition, if it is one.
    pub term: Option<Term>,
}

/// Letters, digits and underscores only.
pub fn identifier(name: &str) -> String {
    let mut out: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect::<String>()
        .to_uppercase();
    while out.contains("__") {
        out = out.replace("__", "_");
    }
    out.trim_matches('_').to_owned()
}

impl Model {
    /// The model of a graph; `lock_name` names a lock by its address.
    pub fn of(graph: &Graph, lock_name: &dyn Fn(u64) -> String) -> Model {
        let mut addresses: Vec<u64> = Vec::new();
        for node in &graph.nodes {
            if let Kind::Lock { lock, .. } | Kind::Unlock { lock } = node.kind
                && !addresses.contains(&lock)
            {
                addresses.push(lock);
            }
        }
        let mut locks: Vec<String> = Vec::new();
        for &address in &addresses {
            let mut name = if addresses.len() == 1 { String::new() } else { identifier(&lock_name(address)) };
            if locks.contains(&name) {
                name = format!("{name}_{}", locks.len());
            }
            locks.push(name);
        }
        let mut builder = Builder {
            graph,
            addresses,
            ids: ids(graph),
            model: Model { locks, ..Model::default() },
            labels: FxHashMap::default(),
            units: FxHashMap::default(),
        };
        for (number, node) in graph.units().into_iter().enumerate() {
            builder.units.insert(node, number);
        }
        match term::of(graph) {
            Some(mut term) => {
                for lock in 0..builder.addresses.len() as u32 {
                    let address = builder.addresses[lock as usize];
                    term.guard(lock, &|n| {
                        matches!(graph.nodes[n as usize].kind,
                            Kind::Lock { lock, .. } | Kind::Unlock { lock } if lock == address)
                    });
                }
                builder.term(&term, Vec::new());
                builder.model.term = Some(term);
            }
            None => builder.whole(),
        }
        builder.model.link();
        builder.model
    }

    /// Finds the ways of all branches.
    fn link(&mut self) {
        self.branches.clear();
        for (n, node) in self.nodes.iter().enumerate() {
            for &choice in &node.choices {
                let at = choice as usize;
                self.branches.resize(self.branches.len().max(at + 1), Vec::new());
                self.branches[at].push(n as u32);
            }
        }
    }

    /// The label of a work unit by its number.
    pub fn unit_label(number: usize) -> String {
        format!("WU{number}")
    }

    /// The part of the model that decides whether two units can be about to run at the same time.
    pub fn slice(&self, a: u32, b: u32) -> Model {
        let (before_a, before_b) = (self.ancestors(a), self.ancestors(b));
        let mut done: Vec<bool> = before_a.iter().zip(&before_b).map(|(x, y)| *x && *y).collect();
        if (0..self.locks.len() as u32).any(|lock| self.held(&done, lock)) {
            done = vec![false; self.nodes.len()];
        }
        let keep = |n: usize| (before_a[n] || before_b[n] || n as u32 == a || n as u32 == b) && !done[n];
        let mut numbers = vec![u32::MAX; self.nodes.len()];
        let mut model = Model { labels: self.labels.clone(), locks: self.locks.clone(), ..Model::default() };
        for (n, node) in self.nodes.iter().enumerate().filter(|(n, _)| keep(*n)) {
            numbers[n] = model.nodes.len() as u32;
            let after = node.after.iter().map(|&p| numbers[p as usize]).filter(|&p| p != u32::MAX).collect();
            model.nodes.push(ModelNode { after, ..node.clone() });
        }
        model.link();
        model
    }

    fn held(&self, done: &[bool], lock: u32) -> bool {
        let mut held = 0i64;
        for (node, _) in self.nodes.iter().zip(done).filter(|(_, done)| **done) {
            match node.lock {
                Some((l, Use::Release)) if l == lock => held -= 1,
                Some((l, _)) if l == lock => held += 1,
                _ => {}
            }
        }
        held > 0
    }

    pub(crate) fn ancestors(&self, of: u32) -> Vec<bool> {
        let mut seen = vec![false; self.nodes.len()];
        let mut stack = vec![of];
        while let Some(n) = stack.pop() {
            for &p in &self.nodes[n as usize].after {
                if !std::mem::replace(&mut seen[p as usize], true) {
                    stack.push(p);
                }
            }
        }
        seen
    }

    /// The node of the model that stands for a node of the graph.
    pub fn node_of(&self, graph_node: u32) -> Option<u32> {
        self.nodes.iter().position(|n| n.of == Some(graph_node)).map(|n| n as u32)
    }

    /// Whether the two units (nodes of the model) are never both about to run: P5's formula, on the slice. `None` if that takes more than
    /// `most` states; and how many it took.
    pub fn sequential(&self, a: u32, b: u32, most: usize) -> (Option<bool>, usize) {
        let (Some(x), Some(y)) = (self.nodes[a as usize].label, self.nodes[b as usize].label) else {
            return (None, 0);
        };
        let slice = self.slice(a, b);
        let formula = Formula::sequential(&self.labels[x as usize], &self.labels[y as usize]);
        let mut checker = Checker::new(&slice, most);
        let answer = checker.check(&formula).ok();
        (answer, checker.states())
    }
}

/// By strand: its number among the strands that do something, as locks tell their holders apart.
fn ids(graph: &Graph) -> FxHashMap<u32, usize> {
    let mut ids = FxHashMap::default();
    for node in graph.nodes.iter().filter(|n| n.kind.is_action()) {
        let next = ids.len();
        ids.entry(node.strand).or_insert(next);
    }
    ids
}

struct Builder<'g> {
    graph: &'g Graph,
    addresses: Vec<u64>,
    ids: FxHashMap<u32, usize>,
    units: FxHashMap<u32, usize>,
    model: Model,
    labels: FxHashMap<String, u32>,
}

impl Builder<'_> {
    fn label(&mut self, text: String) -> u32 {
        if let Some(&known) = self.labels.get(&text) {
            return known;
        }
        let number = self.model.labels.len() as u32;
        self.model.labels.push(text.clone());
        self.labels.insert(text, number);
        number
    }

    fn push(
        &mut self,
        label: Option<String>,
        lock: Option<(u32, Use)>,
        after: Vec<u32>,
        of: Option<u32>,
    ) -> u32 {
        let choices = of.map_or_else(Vec::new, |n| self.graph.nodes[n as usize].choices.clone());
        let hidden = (label.is_none() && !choices.is_empty()).then(|| "i".to_owned());
        let label = label.or(hidden).map(|text| self.label(text));
        self.model.nodes.push(ModelNode { label, lock, after, of, choices });
        self.model.nodes.len() as u32 - 1
    }

    /// The name of a lock's gate.
    fn gate(&self, what: &str, lock: u32) -> String {
        match self.model.locks[lock as usize].as_str() {
            "" => what.to_owned(),
            name => format!("{what}_{name}"),
        }
    }

    fn action(&mut self, n: u32, after: Vec<u32>) -> u32 {
        let node = &self.graph.nodes[n as usize];
        let id = self.ids.get(&node.strand).copied().unwrap_or(0);
        let index = |address: u64| self.addresses.iter().position(|&a| a == address).unwrap_or(0) as u32;
        let (label, lock) = match node.kind {
            Kind::Unit => (Some(Model::unit_label(self.units[&n])), None),
            Kind::Lock { lock, shared } => {
                let (lock, how) = (index(lock), if shared { Use::Share } else { Use::Take });
                let gate = self.gate(if shared { "SHARE" } else { "ACQUIRE" }, lock);
                (Some(format!("{gate} !{id}")), Some((lock, how)))
            }
            Kind::Unlock { lock } => {
                let lock = index(lock);
                (Some(format!("{} !{id}", self.gate("RELEASE", lock))), Some((lock, Use::Release)))
            }
            _ => (None, None),
        };
        self.push(label, lock, after, Some(n))
    }

    /// Adds a term after these nodes; gives its ends.
    fn term(&mut self, term: &Term, after: Vec<u32>) -> Vec<u32> {
        match term {
            Term::Node(n) => vec![self.action(*n, after)],
            Term::Init(lock) => {
                let gate = self.gate("INIT", *lock);
                vec![self.push(Some(gate), None, after, None)]
            }
            Term::Destroy(lock) => {
                let gate = self.gate("DESTROY", *lock);
                vec![self.push(Some(gate), None, after, None)]
            }
            Term::Seq(parts) => parts.iter().fold(after, |after, part| self.term(part, after)),
            Term::Par(parts) => {
                // One silent node instead of as many edges as pairs.
                let begin = if after.len() > 1 { vec![self.push(None, None, after, None)] } else { after };
                let mut ends = Vec::new();
                for part in parts {
                    ends.extend(self.term(part, begin.clone()));
                }
                ends
            }
        }
    }

    /// The whole graph, as it is.
    fn whole(&mut self) {
        let mut init = Vec::new();
        for lock in 0..self.addresses.len() as u32 {
            let gate = self.gate("INIT", lock);
            init = vec![self.push(Some(gate), None, init, None)];
        }
        let mut numbers = Vec::with_capacity(self.graph.nodes.len());
        let mut last = vec![true; self.graph.nodes.len()];
        for n in 0..self.graph.nodes.len() {
            let before = &self.graph.nodes[n].after;
            before.iter().for_each(|&p| last[p as usize] = false);
            let after = if before.is_empty() {
                init.clone()
            } else {
                before.iter().map(|&p| numbers[p as usize]).collect()
            };
            let number = self.action(n as u32, after);
            numbers.push(number);
        }
        if self.graph.nodes.iter().any(|n| !n.choices.is_empty()) {
            return;
        }
        let mut ends: Vec<u32> = (0..last.len()).filter(|&n| last[n]).map(|n| numbers[n]).collect();
        for lock in 0..self.addresses.len() as u32 {
            let gate = self.gate("DESTROY", lock);
            ends = vec![self.push(Some(gate), None, ends, None)];
        }
    }
}

/// Which nodes are done.
pub type Done = Box<[u64]>;

fn has(done: &Done, n: usize) -> bool {
    done[n / 64] >> (n % 64) & 1 != 0
}

impl Model {
    /// Passes silent nodes that are ready; they come in order, so that one pass does.
    fn settle(&self, done: &mut Done) {
        for (n, node) in self.nodes.iter().enumerate() {
            if node.label.is_none() && !has(done, n) && node.after.iter().all(|&p| has(done, p as usize)) {
                done[n / 64] |= 1 << (n % 64);
            }
        }
    }
}

impl System for Model {
    type State = Done;

    fn initial(&self) -> Done {
        let mut done = vec![0; self.nodes.len().div_ceil(64)].into_boxed_slice();
        self.settle(&mut done);
        done
    }

    fn labels(&self) -> &[String] {
        &self.labels
    }

    fn steps(&self, done: &Done, out: &mut Vec<(u32, Done)>) {
        // By lock: by how many it is held, in whatever mode.
        let mut held = vec![0i32; self.locks.len()];
        for (n, node) in self.nodes.iter().enumerate() {
            if let Some((lock, what)) = node.lock
                && has(done, n)
            {
                held[lock as usize] += if what == Use::Release { -1 } else { 1 };
            }
        }
        for (n, node) in self.nodes.iter().enumerate() {
            let Some(label) = node.label else { continue };
            if has(done, n) || !node.after.iter().all(|&p| has(done, p as usize)) {
                continue;
            }
            let taken = |b: &u32| self.branches[*b as usize].iter().any(|&w| has(done, w as usize));
            if node.choices.iter().any(taken) {
                continue;
            }
            let free = match node.lock {
                Some((lock, Use::Take)) => held[lock as usize] == 0,
                Some((lock, Use::Share)) => held[lock as usize] == 0 || !self.alone(done, lock),
                _ => true,
            };
            if free {
                let mut next = done.clone();
                next[n / 64] |= 1 << (n % 64);
                self.settle(&mut next);
                out.push((label, next));
            }
        }
    }
}

impl Model {
    /// Whether somebody holds a lock alone: a node that took it is done, and no node that gives it back after that.
    fn alone(&self, done: &Done, lock: u32) -> bool {
        let of = |what: Use| {
            move |n: &usize| {
                matches!(self.nodes[*n].lock, Some((l, u)) if l == lock && u == what) && has(done, *n)
            }
        };
        let takes = (0..self.nodes.len()).filter(of(Use::Take));
        let releases: Vec<usize> = (0..self.nodes.len()).filter(of(Use::Release)).collect();
        takes
            .into_iter()
            .any(|take| !releases.iter().any(|&r| r > take && self.follows(take as u32, r as u32)))
    }

    fn follows(&self, a: u32, b: u32) -> bool {
        let mut stack = vec![b];
        let mut seen = vec![false; b as usize + 1];
        while let Some(n) = stack.pop() {
            if n == a {
                return true;
            }
            for &p in &self.nodes[n as usize].after {
                if p >= a && !std::mem::replace(&mut seen[p as usize], true) {
                    stack.push(p);
                }
            }
        }
        false
    }
}
