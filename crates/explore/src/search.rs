//! Depth-first search of the race-detecting state graph (P1).
//!
//! *Paper.* P1, section 2: nodes are states plus histories; definition 6 for the edges, definition 7 for detection.
//! *Algorithm.* Depth first, with an undo journal instead of copies of states; a node whose fingerprint was seen is not
//! entered again. Races are reported by the machine whenever a thread arrives at a synchronisation operation.
//! *Deviations.* Histories are lists of segments with clocks, so that creation, join, termination and barriers need no
//! branching; see `docs/soundness.md`. The search goes on after a race, to find others; P1 guarantees only the first.
//! *Guarantee.* If the search is complete and finds no race, no schedule has one. Each race is replayed before it is
//! reported.

use std::time::Instant;

use machine::{Machine, Mark, Mode, Program, Stop};

use crate::findings::{Findings, Found};
use crate::schedule::{self, Alternative, Point};
use crate::visited::Visited;
use crate::{Config, Unknown};

/// Which limit ended a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Time.
    Time,
    /// Memory.
    Memory,
    /// The number of states.
    States,
    /// The length of paths.
    Depth,
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (what, option) = match self {
            Limit::Time => ("time", "--time-limit"),
            Limit::Memory => ("memory", "--memory-limit"),
            Limit::States => ("state", "--max-states"),
            Limit::Depth => ("depth", "--max-depth"),
        };
        write!(f, "the {what} limit ({option}) was reached before all schedules were explored")
    }
}

/// How far a search has come.
#[derive(Debug, Clone, Copy, Default)]
pub struct Progress {
    /// States stored.
    pub states: u64,
    /// Transitions taken.
    pub transitions: u64,
    /// Scheduling decisions on the current path.
    pub depth: u64,
    /// Instructions executed.
    pub instructions: u64,
    /// Bytes held by the search.
    pub memory: u64,
    /// Distinct races found so far.
    pub races: u64,
    /// How much of the state graph lies behind the search, from 0 to 1, if all subtrees at a node were equally large.
    pub done: f64,
}

/// Instructions between two looks at the limits.
const FUEL: u64 = 5_000_000;
/// Tells states in which a value is asked for from those in which threads are scheduled.
const CHOICE: u128 = 0x5bd1_e995_7f4a_7c15 << 64;
/// Transitions between two looks at the limits.
const LOOK: u64 = 4096;

/// How the ways differ that lead on from a node.
#[derive(Clone, Copy)]
enum Branch {
    /// By who moves: that many alternatives of [`Search::ways`], from there on.
    Schedule { from: usize, count: u32 },
    /// By the value that a thread gets: one of that many.
    Value(usize, u32),
}

impl Branch {
    fn len(self) -> u32 {
        match self {
            Branch::Schedule { count, .. } => count,
            Branch::Value(_, n) => n,
        }
    }
}

struct Node {
    mark: Mark,
    branch: Branch,
    next: u32,
    path: usize,
    depth: u64,
    moves: u64,
}

/// A search in progress.
pub struct Search<'a, 'p> {
    machine: Machine<'p>,
    config: &'a Config,
    progress: &'a mut dyn FnMut(&Progress),
    visited: Visited,
    stack: Vec<Node>,
    /// The alternatives of all nodes on the stack.
    ways: Vec<Alternative>,
    path: Vec<u32>,
    depth: u64,
    moves: u64,
    findings: Findings,
    started: Instant,
    limit: Option<Limit>,
    next_look: u64,
    cut: bool,
    /// The only path to follow, if there is one.
    guide: Option<Vec<u32>>,
}

impl<'a, 'p> Search<'a, 'p> {
    /// A search about to begin.
    pub fn new(
        program: &'p Program<'p>,
        mode: Mode,
        config: &'a Config,
        progress: &'a mut dyn FnMut(&Progress),
    ) -> Search<'a, 'p> {
        Search {
            machine: Machine::new(program, mode),
            config,
            progress,
            visited: Visited::default(),
            stack: Vec::new(),
            ways: Vec::new(),
            path: Vec::new(),
            depth: 0,
            moves: 0,
            findings: Findings::default(),
            started: Instant::now(),
            limit: None,
            next_look: LOOK,
            cut: false,
            guide: None,
        }
    }

    /// Searches until everything is explored or a limit is reached.
    pub fn run(mut self) -> Found {
        loop {
            let go_on = self.step();
            if self.limit.is_some() || self.findings.found.barrier_order || (!go_on && !self.backtrack()) {
                break;
            }
        }
        if self.cut {
            self.limit = self.limit.or(Some(Limit::Depth));
        }
        if let Some(limit) = self.limit {
            let reason = format!("{limit}; {} states were explored", self.visited.len());
            self.findings.found.unknown.push(Unknown { reason, place: None });
        }
        let stats = &mut self.findings.found.stats;
        stats.states = self.visited.len() as u64;
        stats.instructions = self.machine.instructions;
        self.findings.found
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
            Point::Choice(t, n) => self.choice(t, n),
            Point::Exited => self.end(),
            Point::Stopped(t, stop) => {
                self.stopped(t, stop);
                true
            }
            Point::Node => self.node(),
        }
    }

    /// A thread asks for a value in the middle of its run: a state like any other, so that loops over choices end.
    fn choice(&mut self, t: usize, n: u32) -> bool {
        let fingerprint = self.machine.fingerprint() ^ (CHOICE | t as u128);
        self.take_races();
        if !self.visited.insert(fingerprint) {
            return self.end();
        }
        if self.findings.found.stats.transitions >= self.next_look {
            self.next_look = self.findings.found.stats.transitions + LOOK;
            self.look();
        }
        self.branch(Branch::Value(t, n))
    }

    fn node(&mut self) -> bool {
        let fingerprint = self.machine.fingerprint();
        self.take_races();
        if !self.visited.insert(fingerprint) {
            return self.end();
        }
        if self.findings.found.stats.transitions >= self.next_look {
            self.next_look = self.findings.found.stats.transitions + LOOK;
            self.look();
        }
        let from = self.ways.len();
        if schedule::add_options(&self.machine, &mut self.ways) {
            self.findings.deadlock(&self.machine, &self.path, self.moves);
        }
        match self.ways[from..] {
            [] => self.end(),
            [only] => {
                self.ways.truncate(from);
                self.take(only)
            }
            _ => {
                if self.config.max_depth.is_some_and(|max| self.depth >= max) {
                    self.cut = true;
                    self.ways.truncate(from);
                    return self.end();
                }
                let count = (self.ways.len() - from) as u32;
                self.branch(Branch::Schedule { from, count })
            }
        }
    }

    /// Begins to explore several ways to go on.
    fn branch(&mut self, branch: Branch) -> bool {
        if let Some(guide) = &self.guide {
            let Some(&way) = guide.get(self.path.len()).filter(|&&way| way < branch.len()) else {
                return self.end();
            };
            self.path.push(way);
            return self.go(branch, way);
        }
        let mark = self.machine.mark();
        self.stack.push(Node {
            mark,
            branch,
            next: 0,
            path: self.path.len(),
            depth: self.depth,
            moves: self.moves,
        });
        self.next_way()
    }

    /// Takes the next way of the newest node.
    fn next_way(&mut self) -> bool {
        let node = self.stack.last_mut().expect("there is a node");
        let way = node.next;
        node.next += 1;
        self.path.push(way);
        self.depth += 1;
        self.findings.found.stats.depth = self.findings.found.stats.depth.max(self.depth);
        let branch = node.branch;
        self.go(branch, way)
    }

    fn go(&mut self, branch: Branch, way: u32) -> bool {
        match branch {
            Branch::Schedule { from, .. } => self.take(self.ways[from + way as usize]),
            Branch::Value(t, _) => self.give(t, way),
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

    fn take(&mut self, alternative: Alternative) -> bool {
        self.findings.found.stats.transitions += 1;
        self.moves += 1;
        let t = alternative.thread as usize;
        match self.machine.perform(t, alternative.way) {
            Ok(()) => true,
            Err(Stop::Choose(n)) => {
                self.machine.fingerprint();
                self.branch(Branch::Value(t, n))
            }
            Err(stop) => {
                self.take_races();
                self.stopped(t, stop);
                true
            }
        }
    }

    /// A path has ended.
    fn end(&mut self) -> bool {
        self.findings.found.stats.executions += 1;
        false
    }

    /// Goes back to the newest node with a way not yet taken; false if there is none.
    fn backtrack(&mut self) -> bool {
        while let Some(node) = self.stack.last() {
            self.machine.rollback(&node.mark);
            self.path.truncate(node.path);
            self.depth = node.depth;
            self.moves = node.moves;
            if node.next < node.branch.len() {
                if self.next_way() || self.limit.is_some() {
                    return true;
                }
                continue;
            }
            let node = self.stack.pop().expect("there is a node");
            if let Branch::Schedule { from, .. } = node.branch {
                self.ways.truncate(from);
            }
            self.machine.discard(&node.mark);
        }
        false
    }

    fn stopped(&mut self, t: usize, stop: Stop) {
        self.findings.stopped(&self.machine, t, stop, &self.path, self.moves);
    }

    fn take_races(&mut self) {
        for race in std::mem::take(&mut self.machine.races) {
            self.findings.race(&self.machine, race, &self.path, self.moves);
        }
    }

    /// Looks at the limits and tells the progress.
    fn look(&mut self) {
        let memory = (self.visited.bytes() + self.machine.memory.footprint()) as u64;
        let config = self.config;
        let limit = if config.time_limit.is_some_and(|limit| self.started.elapsed() >= limit) {
            Some(Limit::Time)
        } else if config.memory_limit.is_some_and(|limit| memory >= limit) {
            Some(Limit::Memory)
        } else if config.max_states.is_some_and(|max| self.visited.len() as u64 >= max) {
            Some(Limit::States)
        } else {
            None
        };
        self.limit = self.limit.or(limit);
        let progress = Progress {
            states: self.visited.len() as u64,
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
        for node in self.stack.iter().take(40) {
            let n = f64::from(node.branch.len());
            done += share * f64::from(node.next.saturating_sub(1)) / n;
            share /= n;
        }
        done
    }
}

/// Follows one path with the search's own race detection; what it finds is yet to be replayed.
pub fn follow<'p>(program: &'p Program<'p>, mode: Mode, path: &[u32]) -> Found {
    let config = Config::default();
    let mut quiet = |_: &Progress| {};
    let mut search = Search::new(program, mode, &config, &mut quiet);
    search.guide = Some(path.to_vec());
    search.run()
}
