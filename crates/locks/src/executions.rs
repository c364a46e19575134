//! Other executions of a program whose skeleton depends on the schedule (P5 3.1: "several runs might be necessary").
//!
//! A bounded depth-first search of the machine's states, with the scheduling rule of the race graph ([`judge::schedule`]): threads branch at
//! synchronisation operations, a state that was seen is not entered again. On the way everything that a step does is noted: which instruction
//! touches which bytes, holding which locks, in which thread (*facts*), and the way that each thread has taken through its synchronisations. The schedules that showed a new fact or ended with a new way of some thread
//! are given back, to be recorded from the beginning.
//!
//! Who executes which piece of a worksharing construct, and whether a task is deferred, is as in the usual run: other distributions are recorded
//! beside this ([`crate::analysis`]).
//!
//! *Guarantee.* If the search was complete and none of its schedules was left out, the schedules together show every access with every set of
//! locks that any schedule shows. Otherwise what was left out is said ([`Explored::missing`]).

use base::reason::{Executions, Reason};
use std::cell::RefCell;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::time::{Duration, Instant};

use ir::AccessId;
use judge::schedule::{self, Alternative, Point};
use machine::{Edge, Machine, Mark, Observer, Program, Stop, Thread, Work};
use rustc_hash::{FxHashSet, FxHasher};

use crate::drive::{is_value, usual};

/// How far other executions are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reach {
    /// So many states.
    pub states: usize,
    /// So many executions are recorded.
    pub runs: usize,
    /// So much time.
    pub time: Duration,
}

/// What was found.
#[derive(Debug, Clone, Default)]
pub struct Explored {
    /// The choices of schedules that show something new, in the order in which they were found; those with new facts first.
    pub schedules: Vec<Vec<u32>>,
    /// States that were visited.
    pub states: usize,
    /// Why some were left out.
    pub missing: Option<Reason>,
}

/// Instructions between two looks at the clock.
const FUEL: u64 = 2_000_000;
/// Decisions on one path.
const DEPTH: usize = 20_000;

/// Notes what steps do.
#[derive(Default)]
struct Notes {
    facts: FxHashSet<u64>,
    fresh: bool,
    /// By thread: the way that it has taken.
    ways: Vec<u64>,
}

fn hash(what: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    what.hash(&mut hasher);
    hasher.finish()
}

impl Notes {
    fn fact(&mut self, what: impl Hash) {
        self.fresh |= self.facts.insert(hash(what));
    }

    fn way(&mut self, t: usize, what: impl Hash) {
        if self.ways.len() <= t {
            self.ways.resize(t + 1, 0);
        }
        self.ways[t] = hash((self.ways[t], hash(what)));
    }
}

struct Scout(Rc<RefCell<Notes>>);

impl Observer for Scout {
    fn access(
        &mut self,
        t: usize,
        th: &Thread,
        address: u64,
        len: u64,
        write: bool,
        atomic: bool,
        _: AccessId,
    ) -> bool {
        let held = th.locks.iter().fold(0u64, |sum, l| sum ^ hash((l.lock, l.shared)));
        let at = prove::record::at(th);
        self.0.borrow_mut().fact((t, at, address, len, write, atomic, held));
        false
    }

    fn edge(&mut self, t: usize, th: &Thread, edge: Edge) {
        let what = match edge {
            Edge::Lock(lock, shared) => (1u8, lock, shared),
            Edge::Unlock(lock) => (2, lock, false),
            Edge::Fork(u) => (3, u as u64, false),
            Edge::Join(u) => (4, u as u64, false),
            _ => return,
        };
        let at = prove::record::at(th);
        let mut notes = self.0.borrow_mut();
        notes.way(t, (what, at));
        notes.fact((t, what, at, u64::MAX));
    }

    fn work(&mut self, t: usize, th: &Thread, work: &Work) {
        let what = match work {
            Work::Arrive(address) => (5u8, *address),
            Work::Leave(address) => (6, *address),
            Work::TaskCreate { .. } => (7, 0),
            Work::TaskWait { .. } => (8, 0),
            Work::Begin { nth, number, .. } => (9, nth << 32 ^ number),
            Work::Phase { .. } => (10, 0),
            _ => return,
        };
        self.0.borrow_mut().way(t, (what, prove::record::at(th)));
    }
}

enum Branch {
    Schedule(Vec<Alternative>),
    Value(usize, u32),
}

struct Frame {
    mark: Mark,
    branch: Branch,
    next: u32,
    path: usize,
    ways: Vec<u64>,
}

struct Search<'p> {
    machine: Machine<'p>,
    notes: Rc<RefCell<Notes>>,
    stack: Vec<Frame>,
    path: Vec<u32>,
    seen: FxHashSet<u128>,
    ends: FxHashSet<u64>,
    /// With new facts, and with a new way of some thread only.
    found: [Vec<Vec<u32>>; 2],
    cut: Option<Reason>,
}

/// Looks for executions that differ.
pub fn explore<'p>(program: &'p Program<'p>, reach: &Reach) -> Explored {
    let notes = Rc::new(RefCell::new(Notes::default()));
    let mut machine = Machine::new(program, crate::record::mode());
    machine.observer = Some(Box::new(Scout(Rc::clone(&notes))));
    let mut search = Search {
        machine,
        notes,
        stack: Vec::new(),
        path: Vec::new(),
        seen: FxHashSet::default(),
        ends: FxHashSet::default(),
        found: Default::default(),
        cut: None,
    };
    search.run(reach);
    search.finish(reach)
}

impl Search<'_> {
    fn run(&mut self, reach: &Reach) {
        let began = Instant::now();
        loop {
            if began.elapsed() > reach.time {
                self.cut = Some(Executions::Late.into());
                return;
            }
            if self.seen.len() >= reach.states {
                self.cut = Some(Executions::States(reach.states).into());
                return;
            }
            if !self.step() {
                self.end();
                if !self.back() {
                    return;
                }
            }
        }
    }

    /// One step of the current path; false if it ends here.
    fn step(&mut self) -> bool {
        match schedule::settle(&mut self.machine, FUEL) {
            Point::Paused => true,
            Point::Exited => false,
            Point::Choice(t, n) if !is_value(self.machine.question) => {
                self.machine.answer(t, usual(self.machine.question, n, 0));
                true
            }
            Point::Choice(t, n) => {
                let state = self.machine.fingerprint() ^ (u128::from(t as u64 + 1) << 96);
                self.seen.insert(state) && self.branch(Branch::Value(t, n))
            }
            Point::Stopped(_, Stop::Infeasible) => false,
            Point::Stopped(_, Stop::Unknown(why)) => {
                self.cut.get_or_insert(*why);
                false
            }
            // The others go on.
            Point::Stopped(_, _) => true,
            Point::Node => {
                let state = self.machine.fingerprint();
                self.machine.races.clear();
                if !self.seen.insert(state) {
                    return false;
                }
                let options = schedule::options(&self.machine);
                match options.alternatives[..] {
                    [] => false,
                    [only] => self.take(only),
                    _ if self.stack.len() >= DEPTH => {
                        self.cut = Some(Executions::Long.into());
                        false
                    }
                    _ => self.branch(Branch::Schedule(options.alternatives)),
                }
            }
        }
    }

    fn branch(&mut self, branch: Branch) -> bool {
        let mark = self.machine.mark();
        let ways = self.notes.borrow().ways.clone();
        self.stack.push(Frame { mark, branch, next: 0, path: self.path.len(), ways });
        self.next()
    }

    /// The next way of the newest branch; false if there is none.
    fn next(&mut self) -> bool {
        let Some(frame) = self.stack.last_mut() else { return false };
        let way = frame.next;
        frame.next += 1;
        match &frame.branch {
            Branch::Schedule(ways) => {
                let Some(&chosen) = ways.get(way as usize) else { return false };
                self.path.push(way);
                self.take(chosen)
            }
            &Branch::Value(t, n) => {
                if way >= n {
                    return false;
                }
                self.path.push(way);
                self.machine.answer(t, way);
                if !self.machine.is_local(t) {
                    let _ = self.machine.perform(t, 0);
                }
                true
            }
        }
    }

    fn take(&mut self, alternative: Alternative) -> bool {
        let t = alternative.thread as usize;
        if let Err(Stop::Choose(n)) = self.machine.perform(t, alternative.way) {
            if !is_value(self.machine.question) {
                self.machine.answer(t, usual(self.machine.question, n, 0));
                let _ = self.machine.perform(t, alternative.way);
                return true;
            }
            self.machine.fingerprint();
            return self.branch(Branch::Value(t, n));
        }
        true
    }

    /// A path has ended: whether it showed anything new.
    fn end(&mut self) {
        let mut notes = self.notes.borrow_mut();
        let mut new_way = false;
        for (t, &way) in notes.ways.iter().enumerate() {
            new_way |= self.ends.insert(hash((t, way)));
        }
        if std::mem::take(&mut notes.fresh) {
            self.found[0].push(self.path.clone());
        } else if new_way {
            self.found[1].push(self.path.clone());
        }
    }

    /// Back to the newest branch with a way that was not taken; false if there is none.
    fn back(&mut self) -> bool {
        while let Some(frame) = self.stack.last() {
            self.machine.rollback(&frame.mark);
            self.machine.races.clear();
            self.path.truncate(frame.path);
            self.notes.borrow_mut().ways.clone_from(&frame.ways);
            let left = match &frame.branch {
                Branch::Schedule(ways) => (frame.next as usize) < ways.len(),
                Branch::Value(_, n) => frame.next < *n,
            };
            if left {
                return self.next() || self.back();
            }
            let frame = self.stack.pop().expect("there is a branch");
            self.machine.discard(&frame.mark);
        }
        false
    }

    fn finish(self, reach: &Reach) -> Explored {
        let [mut schedules, others] = self.found;
        let mut missing = self.cut;
        let (facts, all) = (schedules.len(), schedules.len() + others.len());
        schedules.extend(others);
        if all > reach.runs {
            let locksets = facts <= reach.runs;
            let kinds = Executions::Kinds { recorded: reach.runs, all, locksets };
            missing.get_or_insert(kinds.into());
            schedules.truncate(reach.runs);
        }
        Explored { schedules, states: self.seen.len(), missing }
    }
}
