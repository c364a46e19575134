//! The part of a cone behind some point of the trace, as a closure problem, and witnesses that begin like the trace.
//!
//! A witness may begin with the trace itself: all events before a point `from`, then the cone's events behind it in some
//! order. What the closure has to look at is then only the cone behind `from`: reads of earlier writes become reads of
//! the initial value, a section begun earlier ends before its lock is taken again, a lock held at `from` for good blocks.
//! With `from = 0` that is the problem of P4 section 4 itself. For an earlier `from` there are two readings:
//! - [`Reading::Strict`]: what a witness that begins with the trace needs. A solution is a witness; none means little.
//! - [`Reading::Necessary`]: only what follows from events behind `from`. A contradiction here is one for every `from`.
//!   ([`Reading::Known`]: and for every larger set of events that finishes other sections as well.)
//!
//! Deviation from the paper, which knows only `from = 0`. Guarantee: as said for the two readings.

use rustc_hash::FxHashMap;
use trace::{Op, Trace};

use crate::closure::close::Failure;
use crate::closure::order::Node;
use crate::closure::problem::{Action, Problem};
use crate::pace::Effort;

use super::bits::{Id, NONE};
use super::index::{Index, Section};

/// How the events before a window count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading<'a> {
    /// They all happen first, as in the trace.
    Strict,
    /// Nothing is known of them.
    Necessary,
    /// Nothing is known of them, and of the sections that the cone leaves open only these (by their acquires, sorted)
    /// are known to stay open.
    Known(&'a [Id]),
}

/// A witness: events in the trace's order up to a point, then others, the pair last.
///
/// Only a set of events that is closed under program order, observation and the like need happen before the pair, so of
/// the events before the point those outside it are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    /// By thread: of its events before `from`, those below this bound take part. Empty: all do.
    pub bounds: Vec<Id>,
    /// Before this point the events that take part come in the trace's order.
    pub from: Id,
    /// What follows.
    pub rest: Vec<Id>,
}

impl Witness {
    /// All events in order.
    pub fn events<'a>(&'a self, trace: &'a Trace) -> impl Iterator<Item = Id> + 'a {
        let takes_part = |&id: &Id| {
            let thread = trace.events[id as usize].thread.index();
            self.bounds.get(thread).is_none_or(|&bound| id < bound)
        };
        (0..self.from).filter(takes_part).chain(self.rest.iter().copied())
    }

    /// Whether everything but the pair keeps the trace's order.
    pub fn is_in_order(&self) -> bool {
        self.rest.len() == 2 && !self.bounds.is_empty()
    }

    /// The same with all events before its point: longer, and as valid, for then the run begins exactly as the trace.
    pub fn with_whole_beginning(&self) -> Witness {
        Witness { bounds: Vec::new(), from: self.from, rest: self.rest.clone() }
    }
}

/// How many events each witness has. Takes a pass over the trace.
pub fn lengths<'a>(trace: &Trace, witnesses: impl Iterator<Item = &'a Witness> + Clone) -> Vec<u64> {
    let bounds: usize = witnesses.clone().map(|witness| witness.bounds.len()).sum();
    if bounds > trace.len() {
        let threads = trace.by_thread();
        let length = |witness: &Witness| {
            let part = |(thread, &bound): (usize, &Id)| {
                let end = bound.min(witness.from);
                threads.get(thread).map_or(0, |list| list.partition_point(|event| event.0 < end) as u64)
            };
            let whole = if witness.bounds.is_empty() { u64::from(witness.from) } else { 0 };
            whole + witness.rest.len() as u64 + witness.bounds.iter().enumerate().map(part).sum::<u64>()
        };
        return witnesses.map(length).collect();
    }
    // Of each witness and thread, where its part of the beginning ends.
    let mut ends: Vec<(Id, u32, u32)> = Vec::new();
    let mut lengths = Vec::new();
    for (number, witness) in witnesses.enumerate() {
        lengths.push(witness.rest.len() as u64);
        if witness.bounds.is_empty() {
            lengths[number] += u64::from(witness.from);
        }
        for (thread, &bound) in witness.bounds.iter().enumerate() {
            ends.push((bound.min(witness.from), thread as u32, number as u32));
        }
    }
    ends.sort_unstable();
    let threads = ends.iter().map(|end| end.1 as usize + 1).max().unwrap_or(0);
    let mut seen = vec![0u64; threads];
    let mut at = 0;
    for (end, thread, number) in ends {
        for event in &trace.events[at..(end as usize).max(at)] {
            if let Some(count) = seen.get_mut(event.thread.index()) {
                *count += 1;
            }
        }
        at = at.max(end as usize);
        lengths[number as usize] += seen[thread as usize];
    }
    lengths
}

/// A cone's chain events from some point on, as a closure problem.
#[derive(Debug)]
pub struct Window {
    /// The problem.
    pub problem: Problem,
    /// The event of each node.
    events: Vec<Id>,
    /// By thread: its chain in the problem, if it has events there.
    pub chain_of: Vec<Option<usize>>,
    /// Where the window begins.
    from: Id,
}

impl Window {
    /// The part of the cone with these bounds from `from` on; a [`Failure::Cycle`] if it cannot be (two sections of a lock
    /// left open, or a lock taken that is held at `from` for good).
    pub fn new(
        index: &Index<'_>,
        bounds: &[Id],
        from: Id,
        reading: Reading<'_>,
        effort: &Effort,
    ) -> Result<Self, Failure> {
        let mut window = Window {
            problem: Problem::default(),
            events: Vec::new(),
            chain_of: vec![None; bounds.len()],
            from,
        };
        let mut starts = vec![0; bounds.len()];
        for (thread, &bound) in bounds.iter().enumerate() {
            let events = &index.chains[thread].events;
            let first = events.partition_point(|&event| event < from);
            let last = events.partition_point(|&event| event < bound);
            starts[thread] = first;
            if first < last {
                window.chain_of[thread] = Some(window.problem.lengths.len());
                window.problem.lengths.push(last - first);
                window.events.extend_from_slice(&events[first..last]);
            }
        }
        window.problem.times.clone_from(&window.events);
        let firsts = window.first_nodes();
        let nodes = Nodes { index, starts: &starts, firsts: &firsts };
        effort.spend(window.events.len() as u64)?;
        window.actions(&nodes, bounds);
        window.causal_edges(&nodes, bounds);
        effort.spend(1)?;
        window.sections(index, bounds, reading).ok_or(Failure::Cycle)?;
        effort.spend(1)?;
        window.initial_reads(index, reading);
        Ok(window)
    }

    /// By thread: the first node of its chain.
    fn first_nodes(&self) -> Vec<Node> {
        let mut firsts = Vec::with_capacity(self.chain_of.len());
        let mut next = 0;
        for chain in &self.chain_of {
            firsts.push(next);
            if let Some(chain) = chain {
                next += self.problem.lengths[*chain] as Node;
            }
        }
        firsts
    }

    fn actions(&mut self, nodes: &Nodes<'_, '_>, bounds: &[Id]) {
        let index = nodes.index;
        for (thread, &bound) in bounds.iter().enumerate() {
            let Some(chain) = self.chain_of[thread] else { continue };
            let links = &index.chains[thread].links[nodes.starts[thread]..];
            for (offset, &link) in links.iter().enumerate().take(self.problem.lengths[chain]) {
                let event = self.events[nodes.firsts[thread] as usize + offset];
                let is_inside = link != NONE && link >= self.from && link < bound;
                let partner = || is_inside.then(|| nodes.of(thread, link));
                let op = index.trace.events[event as usize].op;
                self.problem.actions.push(match op {
                    Op::Acquire(lock) if index.survey.shared_locks.contains(lock.index()) => {
                        Action::Acquire { lock: lock.0, release: partner() }
                    }
                    Op::Release(lock) if index.survey.shared_locks.contains(lock.index()) => {
                        Action::Release { lock: lock.0, acquire: partner() }
                    }
                    _ => self.access(nodes, op, link),
                });
            }
        }
    }

    fn access(&self, nodes: &Nodes<'_, '_>, op: Op, link: Id) -> Action {
        match op.variable() {
            Some(variable) if nodes.index.causal.relevant.contains(variable.index()) => {
                let variable = variable.0;
                if op.is_write() {
                    Action::Write { variable }
                } else if link == NONE || link < self.from {
                    Action::FreeRead { variable }
                } else {
                    Action::Read { variable, from: nodes.of(nodes.index.thread(link), link) }
                }
            }
            _ => Action::Other,
        }
    }

    fn causal_edges(&mut self, nodes: &Nodes<'_, '_>, bounds: &[Id]) {
        for (thread, &bound) in bounds.iter().enumerate() {
            if self.chain_of[thread].is_none() {
                continue;
            }
            let edges = &nodes.index.causal.edges[thread];
            let first = edges.partition_point(|&(target, _)| target < self.from);
            for &(target, source) in edges[first..].iter().take_while(|&&(target, _)| target < bound) {
                if source >= self.from {
                    let before = nodes.of(nodes.index.thread(source), source);
                    self.problem.edges.push((before, nodes.of(thread, target)));
                }
            }
        }
    }

    /// A section left open comes behind all others of its lock; one begun before the window comes before them.
    fn sections(&mut self, index: &Index<'_>, bounds: &[Id], reading: Reading<'_>) -> Option<()> {
        let mut by_lock: FxHashMap<u32, Vec<Node>> = FxHashMap::default();
        let mut special: Vec<(u32, Node)> = Vec::new();
        for (node, action) in (0..).zip(&self.problem.actions) {
            match *action {
                Action::Acquire { lock, release } => {
                    by_lock.entry(lock).or_default().push(node);
                    let time = self.problem.times[node as usize];
                    let is_known =
                        !matches!(reading, Reading::Known(open) if open.binary_search(&time).is_err());
                    if release.is_none() && is_known {
                        special.push((lock, node));
                    }
                }
                Action::Release { lock, acquire: None } => special.push((lock, node)),
                _ => {}
            }
        }
        for &(lock, node) in &special {
            let others: &[Node] = by_lock.get(&lock).map_or(&[], |nodes| nodes);
            for &other in others.iter().filter(|&&other| other != node) {
                let Action::Acquire { release, .. } = self.problem.actions[other as usize] else { continue };
                if matches!(self.problem.actions[node as usize], Action::Acquire { .. }) {
                    self.problem.extra.push((release?, node));
                } else if reading == Reading::Strict {
                    self.problem.extra.push((node, other));
                }
            }
        }
        if reading == Reading::Strict {
            let blocked = held_for_good(index, bounds, self.from);
            if blocked.iter().any(|section| by_lock.contains_key(&section.lock)) {
                return None;
            }
        }
        Some(())
    }

    /// A read of the initial value comes before every write, one of what stands before the window before every write of
    /// the window if the window begins with the trace.
    fn initial_reads(&mut self, index: &Index<'_>, reading: Reading<'_>) {
        let mut reads: FxHashMap<u32, Vec<Node>> = FxHashMap::default();
        for (node, action) in (0..).zip(&self.problem.actions) {
            let event = self.events[node as usize];
            if let Action::FreeRead { variable } = *action
                && (reading == Reading::Strict || index.link(index.thread(event), event) == NONE)
            {
                reads.entry(variable).or_default().push(node);
            }
        }
        if reads.is_empty() {
            return;
        }
        // By chain, only the first write and the last read of a variable are needed.
        let mut node: Node = 0;
        let mut first_writes: Vec<(u32, Node)> = Vec::new();
        for &length in &self.problem.lengths {
            let mut seen = rustc_hash::FxHashSet::default();
            for _ in 0..length {
                if let Action::Write { variable } = self.problem.actions[node as usize]
                    && reads.contains_key(&variable)
                    && seen.insert(variable)
                {
                    first_writes.push((variable, node));
                }
                node += 1;
            }
        }
        for (variable, write) in first_writes {
            let edges = reads[&variable].iter().map(|&read| (read, write));
            self.problem.extra.extend(edges);
        }
    }

    /// The witness that begins with the cone before the window, in the trace's order, and goes on with a run of the
    /// window's nodes. (Sections that the cone leaves open and that another of their lock follows begin in the window, so
    /// the cone's part of the beginning is a run.)
    pub fn witness(&self, index: &Index<'_>, bounds: &[Id], run: &[Node], pair: [Id; 2]) -> Witness {
        let mut lists: Vec<Vec<Id>> = vec![Vec::new(); bounds.len()];
        for event in cone_events(index, bounds, self.from) {
            lists[index.thread(event)].push(event);
        }
        let mut done = vec![0usize; bounds.len()];
        let mut rest = Vec::with_capacity(lists.iter().map(Vec::len).sum::<usize>() + 2);
        for &node in run {
            let event = self.events[node as usize];
            let thread = index.thread(event);
            while lists[thread].get(done[thread]).is_some_and(|&next| next <= event) {
                rest.push(lists[thread][done[thread]]);
                done[thread] += 1;
            }
        }
        // Behind a thread's last chain event there is only what concerns it alone.
        for (list, done) in lists.iter().zip(done) {
            rest.extend_from_slice(&list[done..]);
        }
        rest.extend(pair);
        Witness { bounds: bounds.to_vec(), from: self.from, rest }
    }
}

/// The witness that keeps the trace's order: possible if no section left open is followed by another of its lock.
pub fn in_trace_order(bounds: &[Id], pair: [Id; 2]) -> Witness {
    let from = bounds.iter().copied().max().unwrap_or(0);
    Witness { bounds: bounds.to_vec(), from, rest: pair.to_vec() }
}

/// Sections open at `from` in the trace that do not end within the cone.
fn held_for_good(index: &Index<'_>, bounds: &[Id], from: Id) -> Vec<Section> {
    let mut open = Vec::new();
    for thread in 0..bounds.len() {
        index.open_sections(thread, from, &mut open);
    }
    open.retain(|section| section.release >= bounds[section.thread]);
    open
}

/// The cone's events from `from` on, in the trace's order.
fn cone_events<'a>(index: &'a Index<'_>, bounds: &'a [Id], from: Id) -> impl Iterator<Item = Id> + 'a {
    let end = bounds.iter().copied().max().unwrap_or(0);
    (from..end).filter(|&event| event < bounds[index.thread(event)])
}

/// Finds the nodes of events.
struct Nodes<'a, 't> {
    index: &'a Index<'t>,
    /// By thread: how many of its chain events stand before the window.
    starts: &'a [usize],
    /// By thread: its first node.
    firsts: &'a [Node],
}

impl Nodes<'_, '_> {
    /// The node of a chain event of the window.
    fn of(&self, thread: usize, event: Id) -> Node {
        let events = &self.index.chains[thread].events[self.starts[thread]..];
        self.firsts[thread] + events.partition_point(|&other| other < event) as Node
    }
}
