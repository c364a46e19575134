//! Depth-first search of the race-detecting state graph (P1).
//!
//! *Paper.* P1, section 2: nodes are states plus histories; definition 6 for the edges, definition 7 for detection.
//! *Algorithm.* Depth first, with an undo journal instead of copies of states; a node whose fingerprint was seen is not
//! entered again. Races are reported by the machine whenever a thread arrives at a synchronisation operation.
//! *Sleep sets* (Godefroid, "Partial-order methods for the verification of concurrent systems", section 5, in the variant
//! for stored states). When the ways of thread t were explored from a node, t need not be scheduled after operations of
//! others that its own can be exchanged with: it sleeps until one comes that conflicts ([`machine::footprint`]). Every
//! state is still visited, but most are no longer reached several times. With a state is stored who slept there; if the
//! search comes again and somebody who slept is awake, that thread is scheduled then.
//! *Identical threads* ([`machine::symmetry`]) take their first steps in the order of their numbers alone, as long as nobody can
//! tell them apart; when somebody can, the search ends and says so (`Found::broken`).
//! *Deviations.* Histories are lists of segments with clocks, so that creation, join, termination and barriers need no
//! branching; see `docs/soundness.md`. The search goes on after a race, to find others; P1 guarantees only the first.
//! *Guarantee.* If the search is complete and finds no race, no schedule has one. Each race is replayed before it is
//! reported.

mod limits;
mod paths;

use std::sync::atomic::Ordering;

pub use base::reason::Limit;
use machine::footprint::{Class, Key};
use machine::{InputMode, Machine, Mark, Mode, Program, Stop};

use crate::Config;
use crate::findings::{Findings, Found, Splits};
use crate::parallel::{Shared, Work};
use crate::saved::{Noticed, Trunk};
use crate::visited::{Sleep, Visit};
use judge::schedule::{self, Alternative, Point};

pub use limits::{FURTHER_INSTRUCTIONS, Progress};
use paths::Place;

/// Instructions between two looks at the limits.
const FUEL: u64 = 5_000_000;
/// Tells states in which a value is asked for from those in which threads are scheduled.
const CHOICE: u128 = 0x5bd1_e995_7f4a_7c15 << 64;
/// A search gives nothing away again before it has made this part of the way to the last gift itself.
const GIFT_SHARE: u64 = 4;
/// How many states are stored in search of something in runs with ascending orders of pieces, where others matter as well.
pub(crate) const IN_ORDER: u64 = 20_000;

/// How the ways differ that lead on from a node.
#[derive(Clone, Copy)]
enum Branch {
    /// By who moves: that many alternatives of [`Search::ways`], from there on.
    Schedule { from: usize, count: u32 },
    /// By the value that a thread gets: one of that many, as [`crate::splits::values`] picks them.
    Value(usize, u32, u32),
}

impl Branch {
    fn len(self) -> u32 {
        match self {
            Branch::Schedule { count, .. } => count,
            Branch::Value(_, n, step) => crate::splits::values(n, step),
        }
    }
}

struct Node {
    mark: Mark,
    branch: Branch,
    next: u32,
    /// The threads whose ways are to be explored (all beyond the sixteenth are).
    todo: Sleep,
    /// The threads that sleep.
    sleep: Sleep,
    path: usize,
    depth: u64,
    moves: u64,
    asked: u64,
}

/// A search in progress.
pub(crate) struct Search<'a, 'p> {
    machine: Machine<'p>,
    config: &'a Config,
    progress: &'a mut dyn FnMut(&Progress),
    shared: &'a Shared,
    stack: Vec<Node>,
    /// On the way to the node of a job: places to come back to for the next job.
    trail: Vec<Place>,
    /// A job could not be done.
    lost: bool,
    /// Where it stood when it was to end.
    trunks: Vec<Trunk>,
    /// After how many transitions something may be given away again.
    next_gift: u64,
    /// The alternatives of all nodes on the stack.
    ways: Vec<Alternative>,
    path: Vec<u32>,
    depth: u64,
    moves: u64,
    /// Who sleeps in the state that comes next.
    sleep: Sleep,
    /// How many threads there were when the last way was taken.
    threads: usize,
    findings: Findings,
    /// How much is to be found, if that is known.
    goal: Option<usize>,
    /// Instructions that the budget knows of.
    counted: u64,
    limit: Option<Limit>,
    /// After how many transitions, or instructions, to look at the limits.
    next_look: (u64, u64),
    cut: bool,
    /// How many choices about inputs the path has.
    asked: u64,
    /// Whether ways to split a `taskloop` were left out.
    left_out: bool,
    /// How many states may be stored, and instructions executed, now that something was found.
    further: Option<(u64, u64)>,
    /// Whether a race is among it.
    found_race: bool,
    /// Whether some thread was not scheduled since another is like it.
    held_back: bool,
    /// Room for the uses of two operations.
    #[allow(clippy::type_complexity, reason = "named parts would not say more")]
    uses: (Vec<(Key, Class)>, Vec<(Key, Class)>),
}

impl<'a, 'p> Search<'a, 'p> {
    /// A search about to begin.
    pub(crate) fn new(
        program: &'p Program<'p>,
        mode: Mode,
        config: &'a Config,
        progress: &'a mut dyn FnMut(&Progress),
        shared: &'a Shared,
    ) -> Search<'a, 'p> {
        let mut machine = Machine::new(program, mode);
        machine.takes_turns = true;
        machine.watches_order = !mode.piece_orders;
        if config.symmetry && mode.inputs == InputMode::Open && !has_regions(program.module) {
            machine.watch = Some(Box::default());
        }
        Search {
            machine,
            config,
            progress,
            shared,
            stack: Vec::new(),
            trail: Vec::new(),
            lost: false,
            trunks: Vec::new(),
            next_gift: 0,
            ways: Vec::new(),
            path: Vec::new(),
            depth: 0,
            moves: 0,
            sleep: 0,
            threads: 1,
            findings: Findings::default(),
            goal: None,
            counted: 0,
            limit: None,
            next_look: (config.look, FUEL),
            cut: false,
            asked: 0,
            left_out: false,
            further: None,
            found_race: false,
            held_back: false,
            uses: Default::default(),
        }
    }

    /// The same, but it ends when it has found so much.
    pub(crate) fn until(mut self, goal: Option<usize>) -> Search<'a, 'p> {
        self.goal = goal;
        self
    }

    /// The same, with what searches have noticed that it goes on with.
    pub(crate) fn after(mut self, before: &Noticed) -> Search<'a, 'p> {
        let found = &mut self.findings.found;
        found.unknown.clone_from(&before.unknown);
        (found.open, found.cut) = (before.open, before.cut);
        (self.held_back, self.left_out, self.cut) = (before.held_back, before.left_out, before.deep);
        let machine = &mut self.machine;
        machine.split_matters = before.split_matters;
        machine.order_matters = before.order_matters;
        machine.split_finely = before.split_finely;
        machine.sources = before.sources.iter().map(|s| (ir::FuncId(s.0), ir::PlaceId(s.1))).collect();
        if let (Some(watch), Some(noticed)) = (&mut machine.watch, &before.watch) {
            **watch = machine::Watch::of(noticed);
        }
        self
    }

    /// Searches until everything is explored or a limit is reached.
    pub(crate) fn run(mut self) -> Found {
        self.explore();
        self.finish()
    }

    /// Searches from the beginning, and then helps others.
    pub(crate) fn lead(mut self) -> Found {
        self.explore();
        self.assist()
    }

    /// Helps others until there is nothing left to do.
    pub(crate) fn assist(mut self) -> Found {
        if self.is_over() {
            self.shared.halt();
        }
        while let Some(work) = self.shared.take() {
            let begun = match &work {
                Work::Job(job) => self.begin(job),
                Work::Trunk(trunk) => self.take_up(trunk),
            };
            if begun {
                self.explore();
            } else if self.lost && self.limit.is_some() {
                self.shared.give(work);
            }
            if self.is_over() {
                self.shared.halt();
            }
        }
        self.finish()
    }

    fn is_over(&self) -> bool {
        self.limit.is_some()
            || self.lost
            || (self.shared.first_only && self.findings.found.has_findings())
            || self.findings.found.barrier_order
            || self.machine.watch.as_ref().is_some_and(|watch| watch.broken.is_some())
            || (self.findings.found.open && self.config.stop_open)
            || self.is_enough_in_order()
            || self.goal.is_some_and(|goal| self.findings.found.amount() >= goal)
            || self.shared.stop.load(Ordering::Relaxed)
    }

    /// Whether the search is to be begun again with other orders of pieces: soon, unless it finds something as it is.
    fn is_enough_in_order(&self) -> bool {
        self.machine.order_matters
            && (self.machine.split_finely
                || (!self.findings.found.shows_something() && self.shared.visited.len() as u64 >= IN_ORDER))
    }

    fn explore(&mut self) {
        loop {
            let go_on = self.step();
            if self.is_over() {
                self.leave(!go_on);
                break;
            }
            if !go_on && !self.backtrack() {
                break;
            }
        }
    }

    fn finish(mut self) -> Found {
        if self.cut {
            self.limit = self.limit.or(Some(Limit::Depth));
        }
        let found = &mut self.findings.found;
        (found.trunks, found.deep) = (std::mem::take(&mut self.trunks), self.cut);
        found.limit = self.limit;
        found.held_back = self.held_back;
        found.splits = Splits { left_out: self.left_out, matter: self.machine.split_matters };
        found.order_matters = self.machine.order_matters;
        found.split_finely = self.machine.split_finely;
        found.lost = self.lost && self.limit.is_none();
        found.stats.states = self.shared.visited.len() as u64;
        found.stats.instructions = self.machine.instructions;
        found.sources = std::mem::take(&mut self.machine.sources);
        found.watch = self.machine.watch.take();
        self.findings.found
    }

    /// Follows the current path by one node; false if it ends here.
    fn step(&mut self) -> bool {
        let point = schedule::settle(&mut self.machine, FUEL);
        self.take_races();
        if point != Point::Paused && self.machine.takes_arrival() {
            self.machine.fingerprint();
            self.machine.look_ahead();
        }
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
        let about_input = self.machine.asks_input;
        let mut fingerprint = self.machine.fingerprint() ^ (CHOICE | t as u128) ^ self.asked_hash();
        if self.machine.watch.is_some() {
            fingerprint ^= self.machine.symmetry_hash();
        }
        self.take_races();
        self.sleep = 0;
        if self.shared.visited.visit(fingerprint, 0) != Visit::New {
            return self.end();
        }
        self.look_sometimes();
        if about_input {
            if self.config.max_asked.is_some_and(|max| self.asked >= max) {
                self.findings.found.cut = true;
                return self.end();
            }
            self.asked += 1;
        }
        let step = crate::splits::step(&self.machine, self.config);
        self.left_out |= step != 1;
        self.branch(Branch::Value(t, n, step))
    }

    /// Where the number of choices about inputs is bounded, it tells states apart: with fewer behind it, more can follow.
    fn asked_hash(&self) -> u128 {
        if self.config.max_asked.is_none() {
            return 0;
        }
        u128::from(self.asked).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)
    }

    fn node(&mut self) -> bool {
        let mut fingerprint = self.machine.fingerprint() ^ self.asked_hash();
        let mut held_back = 0;
        if self.machine.watch.is_some() {
            fingerprint ^= self.machine.symmetry_hash();
            held_back = self.machine.held_back();
        }
        self.take_races();
        if self.machine.threads.len() != self.threads {
            // Who creates a thread decides on its number.
            self.sleep = 0;
        }
        for z in 0..Sleep::BITS {
            // What others did on their way here can conflict with the atomic access before which it stands.
            if self.sleep >> z & 1 != 0 && self.machine.is_endangered(z as usize) {
                self.sleep &= !(1 << z);
            }
        }
        let (todo, sleep) = match self.shared.visited.visit(fingerprint, self.sleep) {
            Visit::New => (!self.sleep & !held_back, self.sleep),
            Visit::Again(todo, _) if todo & !held_back == 0 => return self.end(),
            Visit::Again(todo, sleep) => (todo & !held_back, sleep),
        };
        self.held_back |= held_back != 0;
        self.look_sometimes();
        let from = self.ways.len();
        if schedule::add_options(&self.machine, &mut self.ways) {
            self.findings.deadlock(&self.machine, &self.path, self.moves);
        }
        match self.ways[from..] {
            [] => self.end(),
            [only] => {
                self.ways.truncate(from);
                if is_in(todo, only.thread) { self.take(only, sleep) } else { self.end() }
            }
            _ => {
                if self.config.max_depth.is_some_and(|max| self.depth >= max) {
                    self.cut = true;
                    self.ways.truncate(from);
                    return self.end();
                }
                let count = (self.ways.len() - from) as u32;
                self.enter(from, count, todo, sleep);
                self.next_way()
            }
        }
    }

    /// Begins to explore the ways of several threads.
    fn enter(&mut self, from: usize, count: u32, todo: Sleep, sleep: Sleep) {
        self.push(Branch::Schedule { from, count }, todo, sleep);
        if self.shared.hungry() && self.findings.found.stats.transitions >= self.next_gift {
            self.give_away();
        }
    }

    /// Begins to explore several ways to go on.
    fn branch(&mut self, branch: Branch) -> bool {
        self.push(branch, Sleep::MAX, 0);
        self.next_way()
    }

    fn push(&mut self, branch: Branch, todo: Sleep, sleep: Sleep) {
        let mark = self.machine.mark();
        self.stack.push(Node {
            mark,
            branch,
            next: 0,
            todo,
            sleep,
            path: self.path.len(),
            depth: self.depth,
            moves: self.moves,
            asked: self.asked,
        });
    }

    /// Takes the next way of the newest node; false if there is none, or the path ends there.
    fn next_way(&mut self) -> bool {
        let node = self.stack.last_mut().expect("there is a node");
        if let Branch::Schedule { from, count } = node.branch {
            let skipped = |way: u32| !is_in(node.todo, self.ways[from + way as usize].thread);
            while node.next < count && skipped(node.next) {
                node.next += 1;
            }
            if node.next == count {
                return false;
            }
        }
        let way = node.next;
        node.next += 1;
        let branch = node.branch;
        let mut sleep = node.sleep;
        if let Branch::Schedule { from, .. } = branch {
            // Threads before this one were scheduled from here.
            let ways = &self.ways[from..=from + way as usize];
            let thread = ways[way as usize].thread;
            let done = ways.iter().map(|w| w.thread).filter(|&t| t < thread && t < Sleep::BITS);
            sleep |= done.fold(0, |mask, t| mask | 1 << t) & node.todo;
        }
        let way = match branch {
            Branch::Schedule { .. } => way,
            Branch::Value(_, n, step) => crate::splits::value(n, step, way),
        };
        self.path.push(way);
        self.depth += 1;
        self.findings.found.stats.depth = self.findings.found.stats.depth.max(self.depth);
        self.go(branch, way, sleep)
    }

    fn go(&mut self, branch: Branch, way: u32, sleep: Sleep) -> bool {
        match branch {
            Branch::Schedule { from, .. } => self.take(self.ways[from + way as usize], sleep),
            Branch::Value(t, ..) => self.give(t, way),
        }
    }

    /// Those of the sleeping threads whose operations can be exchanged with that of thread `t`.
    fn undisturbed(&mut self, t: u32, sleep: Sleep) -> Sleep {
        let mut left = sleep & !(1u16.checked_shl(t).unwrap_or(0));
        if left == 0 || !self.config.sleep_sets {
            return 0;
        }
        let (mut mine, mut theirs) = std::mem::take(&mut self.uses);
        mine.clear();
        self.machine.footprint(t as usize, &mut mine);
        for z in 0..Sleep::BITS {
            if left >> z & 1 == 0 {
                continue;
            }
            theirs.clear();
            self.machine.footprint(z as usize, &mut theirs);
            let meets = |a: &(Key, Class)| theirs.iter().any(|b| a.0 == b.0 && a.1.conflicts(b.1));
            if mine.iter().any(meets) {
                left &= !(1 << z);
            }
        }
        self.uses = (mine, theirs);
        left
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

    fn take(&mut self, alternative: Alternative, sleep: Sleep) -> bool {
        self.findings.found.stats.transitions += 1;
        self.moves += 1;
        self.threads = self.machine.threads.len();
        self.sleep = self.undisturbed(alternative.thread, sleep);
        let t = alternative.thread as usize;
        match self.machine.perform(t, alternative.way) {
            Ok(()) => true,
            Err(Stop::Choose(n)) => {
                self.machine.fingerprint();
                self.branch(Branch::Value(t, n, 1))
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
            self.asked = node.asked;
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
        self.sleep = 0;
        self.findings.found.open |= self.machine.opened.get();
        self.findings.stopped(&self.machine, t, stop, &self.path, self.moves);
    }

    fn take_races(&mut self) {
        for race in std::mem::take(&mut self.machine.races) {
            self.findings.race(&self.machine, race, &self.path, self.moves);
        }
    }
}

/// Whether a program has parallel regions of OpenMP.
fn has_regions(module: &ir::Module) -> bool {
    module.funcs.iter().any(|f| f.name.starts_with("__kmpc_"))
}

/// Whether a thread is in a set; those that the set has no room for always are.
fn is_in(set: Sleep, thread: u32) -> bool {
    thread >= Sleep::BITS || set >> thread & 1 != 0
}
