//! Procedures *Search* and *Successor* of P2, figures 6 and 7.

use std::cell::RefCell;
use std::rc::Rc;

use machine::footprint::{Class, Key};
use machine::{Machine, Mark, Mode, Program, Stop};

use super::rules::{Locksets, Rules, Snapshot, Watcher};
use super::stored::{Future, Id, Status, Table, Uses};
use crate::Config;
use crate::findings::{Findings, Found};
use crate::search::{IN_ORDER, Limit, Progress};
use judge::schedule::{self, Alternative, Point};

/// Instructions between two looks at the limits.
const FUEL: u64 = 5_000_000;
/// Transitions between two looks at the limits.
const LOOK: u64 = 1024;
/// Tells states in which a value is asked for from those in which threads are scheduled.
const CHOICE: u128 = 0x5bd1_e995_7f4a_7c15 << 64;
/// About how many bytes a node takes without its locksets.
const NODE: usize = 512;
/// The node of an operation that had no alternative.
const NO_NODE: u32 = u32::MAX;

/// How the ways differ that lead on from a node.
enum Branch {
    /// By who moves. `index` is the number of each way among all alternatives of the state.
    Schedule {
        /// The ways, those of the thread that is scheduled first before the others.
        ways: Vec<(u32, Alternative)>,
        /// How many ways the first thread has.
        own: usize,
    },
    /// By the value that a thread gets: one of that many, as [`crate::splits::values`] picks them.
    Value(usize, u32, u32),
}

/// A state on the stack (P2, figure 5).
struct Node {
    /// How to come back, if there is more than one way.
    back: Option<(Mark, Locksets)>,
    branch: Branch,
    next: usize,
    /// Whether every thread is to be scheduled (`tid = 0` in P2).
    all: bool,
    /// Where the state is stored.
    id: Option<Id>,
    /// The lowest node on the stack to which something that follows leads back.
    low: u32,
    /// How many explorations were open when this one began.
    open: usize,
    /// What follows.
    future: Future,
    /// About how many bytes it takes.
    bytes: usize,
    path: usize,
    depth: u64,
    moves: u64,
}

impl Node {
    /// How many ways are to be explored, as far as is known now.
    fn wanted(&self) -> usize {
        match &self.branch {
            Branch::Schedule { ways, own } => {
                if self.all {
                    ways.len()
                } else {
                    *own
                }
            }
            Branch::Value(_, n, step) => crate::splits::values(*n, *step) as usize,
        }
    }
}

/// A search in progress.
pub struct Search<'a, 'p> {
    machine: Machine<'p>,
    config: &'a Config,
    progress: &'a mut dyn FnMut(&Progress),
    rules: Rc<RefCell<Rules>>,
    table: Table,
    uses: Uses,
    stack: Vec<Node>,
    path: Vec<u32>,
    depth: u64,
    moves: u64,
    /// Who moved last: it goes on if it can.
    current: u32,
    findings: Findings,
    /// Instructions that the budget knows of.
    counted: u64,
    limit: Option<Limit>,
    next_look: u64,
    cut: bool,
    /// About how many bytes the stack takes.
    kept: usize,
    /// Room for the uses of an operation.
    scratch: Vec<(Key, Class)>,
}

impl<'a, 'p> Search<'a, 'p> {
    /// A search about to begin.
    pub fn new(
        program: &'p Program<'p>,
        mode: Mode,
        config: &'a Config,
        progress: &'a mut dyn FnMut(&Progress),
    ) -> Search<'a, 'p> {
        let rules = Rc::new(RefCell::new(Rules::default()));
        let mut machine = Machine::new(program, mode);
        machine.takes_turns = true;
        machine.watches_order = !mode.piece_orders;
        machine.observer = Some(Box::new(Watcher(Rc::clone(&rules))));
        Search {
            machine,
            config,
            progress,
            rules,
            table: Table::default(),
            uses: Uses::default(),
            stack: Vec::new(),
            path: Vec::new(),
            depth: 0,
            moves: 0,
            current: 0,
            findings: Findings::default(),
            counted: 0,
            limit: None,
            next_look: LOOK,
            cut: false,
            kept: 0,
            scratch: Vec::new(),
        }
    }

    /// Searches until everything is explored or a limit is reached.
    pub fn run(mut self) -> Found {
        loop {
            let go_on = self.step();
            let over = self.limit.is_some() || self.findings.found.barrier_order || self.is_enough_in_order();
            if over || (!go_on && !self.backtrack()) {
                break;
            }
        }
        if self.cut {
            self.limit = self.limit.or(Some(Limit::Depth));
        }
        let states = self.states();
        let found = &mut self.findings.found;
        found.limit = self.limit;
        found.order_matters = self.machine.order_matters;
        found.split_finely = self.machine.split_finely;
        found.stats.states = states;
        found.stats.instructions = self.machine.instructions;
        found.splits.matter = self.machine.split_matters;
        self.findings.found
    }

    /// Whether the search is to be begun again with other orders of pieces: soon, unless it finds something as it is.
    fn is_enough_in_order(&self) -> bool {
        self.machine.order_matters
            && (self.machine.split_finely
                || (!self.findings.found.shows_something() && self.states() >= IN_ORDER))
    }

    fn states(&self) -> u64 {
        if self.config.stateful { self.table.len() as u64 } else { self.findings.found.stats.states }
    }

    /// Follows the current path by one node; false if it ends here.
    fn step(&mut self) -> bool {
        let point = schedule::settle(&mut self.machine, FUEL);
        self.take_races();
        match point {
            Point::Paused => {
                self.look();
                true
            }
            Point::Choice(t, n) => self.arrive(CHOICE | t as u128, Some((t, n))),
            Point::Exited => {
                self.check_pending(false);
                self.end()
            }
            Point::Stopped(t, stop) => {
                self.stopped(t, stop);
                true
            }
            Point::Node => self.arrive(0, None),
        }
    }

    /// Arrives at a state: goes on from it, unless that was done before.
    fn arrive(&mut self, tag: u128, choice: Option<(usize, u32)>) -> bool {
        let fingerprint = self.machine.fingerprint() ^ tag;
        let snapshot = self.rules.borrow_mut().tidy(&self.machine);
        let future = self.check_pending(true);
        if self.findings.found.stats.transitions >= self.next_look {
            self.next_look = self.findings.found.stats.transitions + LOOK;
            self.look();
        }
        let id = if self.config.stateful {
            if self.was_explored(fingerprint, &snapshot) {
                return self.end();
            }
            Some(self.table.insert(fingerprint, snapshot, self.stack.len() as u32))
        } else {
            self.findings.found.stats.states += 1;
            None
        };
        let branch = match choice {
            Some((t, n)) => {
                let step = crate::splits::step(&self.machine, self.config);
                self.findings.found.splits.left_out |= step != 1;
                Branch::Value(t, n, step)
            }
            None => self.ways(),
        };
        self.push(branch, id, future);
        self.next_way()
    }

    /// The ways that lead on: those of the thread that goes on come first.
    fn ways(&mut self) -> Branch {
        let options = schedule::options(&self.machine);
        if options.deadlock {
            self.findings.deadlock(&self.machine, &self.path, self.moves);
        }
        // A spurious wake-up alone would hide a deadlock: somebody who can properly go on is scheduled first.
        let proper = |t: u32| !self.machine.alternatives(t as usize).spurious;
        let mut threads = options.alternatives.iter().map(|a| a.thread);
        let first = match threads.clone().any(|t| t == self.current) && proper(self.current) {
            true => Some(self.current),
            false => threads.clone().find(|&t| proper(t)).or_else(|| threads.next()),
        };
        let numbered = || options.alternatives.iter().enumerate().map(|(i, a)| (i as u32, *a));
        let mut ways: Vec<_> = numbered().filter(|(_, a)| Some(a.thread) == first).collect();
        let own = ways.len();
        ways.extend(numbered().filter(|(_, a)| Some(a.thread) != first));
        Branch::Schedule { ways, own }
    }

    /// Puts a node onto the stack.
    fn push(&mut self, mut branch: Branch, id: Option<Id>, future: Future) {
        let several = match &mut branch {
            Branch::Schedule { ways, own } => {
                if ways.len() > 1 && self.config.max_depth.is_some_and(|max| self.depth >= max) {
                    self.cut = true;
                    (*own, *ways) = (0, Vec::new());
                }
                ways.len() > 1
            }
            Branch::Value(..) => true,
        };
        // Whoever takes the last OpenMP task ends the others' waits: they will not be seen to have wanted it too.
        let waits = |(_, a): &(u32, Alternative)| {
            let status = self.machine.threads[a.thread as usize].status;
            matches!(status, machine::Status::At(machine::Pending::Omp(_)))
        };
        let all = matches!(&branch, Branch::Schedule { ways, .. } if ways.iter().any(waits));
        let back = several.then(|| (self.machine.mark(), self.rules.borrow().now.clone()));
        let bytes = if several { NODE + self.rules.borrow().bytes() } else { NODE };
        self.kept += bytes;
        self.stack.push(Node {
            back,
            branch,
            next: 0,
            all,
            id,
            low: u32::MAX,
            open: self.table.open(),
            future,
            bytes,
            path: self.path.len(),
            depth: self.depth,
            moves: self.moves,
        });
    }

    /// Takes the next way of the newest node; false if the path ends there.
    fn next_way(&mut self) -> bool {
        let height = self.stack.len() as u32 - 1;
        let node = self.stack.last_mut().expect("there is a node");
        if node.next >= node.wanted() {
            return self.end();
        }
        let way = node.next;
        node.next += 1;
        let several = node.back.is_some();
        if several {
            self.depth += 1;
            self.findings.found.stats.depth = self.findings.found.stats.depth.max(self.depth);
        }
        match &node.branch {
            Branch::Schedule { ways, .. } => {
                let (number, alternative) = ways[way];
                if several {
                    self.path.push(number);
                }
                self.take(alternative, if several { height } else { NO_NODE })
            }
            Branch::Value(t, n, step) => {
                let (t, value) = (*t, crate::splits::value(*n, *step, way as u32));
                self.path.push(value);
                self.give(t, value)
            }
        }
    }

    fn take(&mut self, alternative: Alternative, node: u32) -> bool {
        self.findings.found.stats.transitions += 1;
        self.moves += 1;
        self.current = alternative.thread;
        let t = alternative.thread as usize;
        self.scratch.clear();
        self.machine.footprint(t, &mut self.scratch);
        self.rules.borrow_mut().operation(t, &self.machine.threads[t], node, &self.scratch);
        match self.machine.perform(t, alternative.way) {
            Ok(()) => true,
            Err(Stop::Choose(n)) => {
                self.machine.fingerprint();
                self.push(Branch::Value(t, n, 1), None, Future::default());
                self.next_way()
            }
            Err(stop) => {
                self.take_races();
                self.stopped(t, stop);
                true
            }
        }
    }

    fn give(&mut self, t: usize, value: u32) -> bool {
        self.machine.answer(t, value);
        self.findings.found.stats.transitions += 1;
        // A choice that an operation asked for, not a local run: the operation is still to be performed.
        if !self.machine.is_local(t)
            && let Err(stop) = self.machine.perform(t, 0)
        {
            self.stopped(t, stop);
        }
        true
    }

    /// A path has ended.
    fn end(&mut self) -> bool {
        self.findings.found.stats.executions += 1;
        false
    }

    // ---- reduction ----

    /// Looks for earlier operations that conflict with one before which a thread stands now, and lets everybody be
    /// scheduled before those (P2, figure 7, lines 19 and 20). Gives what threads stand before, if it is asked for.
    fn check_pending(&mut self, collect: bool) -> Future {
        let mut future = Future::default();
        let mut uses = std::mem::take(&mut self.scratch);
        for t in 0..self.machine.threads.len() {
            uses.clear();
            self.machine.footprint(t, &mut uses);
            for &(key, class) in &uses {
                if collect {
                    future.insert(self.uses.number(key, class, t));
                }
                let stack = &mut self.stack;
                self.rules.borrow_mut().conflicting(t, key, class, |op| schedule_all(stack, op.node));
            }
        }
        self.scratch = uses;
        future
    }

    /// Whether the state was explored before, with locksets from which as many races follow. If so, what followed then
    /// is taken to follow now.
    fn was_explored(&mut self, fingerprint: u128, snapshot: &Snapshot) -> bool {
        let back = match self.table.find(fingerprint, snapshot) {
            None => return false,
            Some(Status::Done(future)) => {
                let future = Rc::clone(future);
                self.expect(&future);
                return true;
            }
            Some(&Status::OnStack(height)) => height,
            // Everything between the node that it was left from and the node it leads back to is on the stack still.
            Some(&Status::Open(at)) => {
                let under = self.stack.partition_point(|n| n.open <= at as usize).saturating_sub(1);
                (under as u32).min(self.stack[under].low)
            }
        };
        // P2, figure 6, lines 25 to 28 and 44 to 47: what follows is not known yet, so anything may.
        self.stack[back as usize..].iter_mut().for_each(|n| n.all = true);
        let nodes: Vec<u32> = self.rules.borrow().operations().map(|op| op.node).collect();
        nodes.into_iter().for_each(|node| schedule_all(&mut self.stack, node));
        if let Some(top) = self.stack.last_mut() {
            top.low = top.low.min(back);
        }
        true
    }

    /// What is known to follow from here conflicts with what was done before (P2, figure 7, lines 29 to 34).
    fn expect(&mut self, future: &Rc<Future>) {
        for number in future.iter() {
            let (key, class, thread) = self.uses.get(number);
            let stack = &mut self.stack;
            let mut rules = self.rules.borrow_mut();
            rules.conflicting(thread as usize, key, class, |op| schedule_all(stack, op.node));
        }
        if let Some(top) = self.stack.last_mut() {
            top.future.add(future);
        }
    }

    // ---- going back ----

    /// Goes back to the newest node with a way to be explored; false if there is none.
    fn backtrack(&mut self) -> bool {
        while let Some(node) = self.stack.last() {
            if node.next < node.wanted() {
                if let Some((mark, locksets)) = &node.back {
                    self.machine.rollback(mark);
                    self.rules.borrow_mut().restore(locksets);
                }
                self.path.truncate(node.path);
                self.depth = node.depth;
                self.moves = node.moves;
                if self.next_way() || self.limit.is_some() {
                    return true;
                }
                continue;
            }
            self.pop();
        }
        false
    }

    /// Everything that is to be explored from the newest node was.
    fn pop(&mut self) {
        let node = self.stack.pop().expect("there is a node");
        self.kept -= node.bytes;
        let height = self.stack.len() as u32;
        if let Some((mark, _)) = &node.back {
            self.machine.rollback(mark);
            self.machine.discard(mark);
        }
        let leads_back = node.low < height;
        if let Some(parent) = self.stack.last_mut() {
            parent.future.add(&node.future);
            if leads_back {
                parent.low = parent.low.min(node.low);
            }
        }
        match node.id {
            Some(id) if leads_back => self.table.leave_open(id),
            Some(id) => self.table.finish(id, node.open, node.future),
            None => {}
        }
    }

    // ---- findings and limits ----

    fn stopped(&mut self, t: usize, stop: Stop) {
        self.findings.stopped(&self.machine, t, stop, &self.path, self.moves);
    }

    fn take_races(&mut self) {
        let mut races = std::mem::take(&mut self.rules.borrow_mut().races);
        races.append(&mut self.machine.races);
        for race in races {
            self.findings.race(&self.machine, race, &self.path, self.moves);
        }
    }

    /// Looks at the limits and tells the progress.
    fn look(&mut self) {
        let memory = (self.table.bytes() + self.machine.memory.footprint() + self.kept) as u64;
        let (config, states) = (self.config, self.states());
        config.budget.spend(self.machine.instructions - self.counted);
        self.counted = self.machine.instructions;
        let limit = if let Some(spent) = config.budget.spent() {
            Some(spent.into())
        } else if config.max_states.is_some_and(|max| states >= max) {
            Some(Limit::States)
        } else {
            None
        };
        self.limit = self.limit.or(limit);
        let progress = Progress {
            states,
            transitions: self.findings.found.stats.transitions,
            depth: self.depth,
            instructions: self.machine.instructions,
            memory,
            races: self.findings.found.races.len() as u64,
            done: self.done(),
        };
        (self.progress)(&progress);
    }

    fn done(&self) -> f64 {
        let mut share = 1.0;
        let mut done = 0.0;
        for node in self.stack.iter().filter(|n| n.wanted() > 1).take(40) {
            let n = node.wanted() as f64;
            done += share * node.next.saturating_sub(1) as f64 / n;
            share /= n;
        }
        done
    }
}

/// Every thread is to be scheduled from a node.
fn schedule_all(stack: &mut [Node], node: u32) {
    if let Some(node) = stack.get_mut(node as usize) {
        node.all = true;
    }
}
