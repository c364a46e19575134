//! One execution, decided by a policy.
//!
//! Without interruptions, local operations come first, the lowest thread's before the others', and whatever can happen
//! then is decided: the list of the decisions is then a path as [`crate::replay`] follows it. With interruptions, any
//! thread moves at any time, some instructions at a time; [`as_path`] turns such a run into a path with the same
//! synchronisation operations in the same order, which shows the same unless a race came first.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use base::Budget;
use base::DefectKind;
use machine::native::SyncOp;
use machine::{Machine, Mode, Pending, Program, Question, RawRace, Read, Status, Stop};
use rustc_hash::FxHashMap;

use crate::policy::{Mover, Policy};
use crate::skeleton::{Claim, Skeletons};
use crate::watch::{Log, Watch};

/// Instructions at a time, between looks at the clock.
const FUEL: u64 = 100_000;
/// Instructions that a function of the library may go on for when its thread is interrupted.
const LIBRARY: u32 = 20_000;
/// Synchronisation operations of a run, beside one for every thousand instructions that it may execute: more are made by
/// threads that poll for ever.
const MOVES: u64 = 100_000;

/// When a run is cut.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Instructions.
    pub instructions: u64,
    /// A time.
    pub budget: Budget,
    /// Instructions that it may execute even after that time.
    pub free: u64,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum End {
    /// Every thread came to its end, or one ended the program.
    Final,
    /// Some thread waits, and none can go on: this one is the first of them.
    Deadlock(usize),
    /// A thread showed a defect.
    Defect(usize, DefectKind, String),
    /// Two accesses race.
    Race(RawRace),
    /// An assumption of the program does not hold.
    Infeasible,
    /// A thread came to something that the machine does not support or cannot decide.
    Unsupported,
    /// It took more instructions than it may.
    TooLong,
    /// The time is over.
    OutOfTime,
}

/// What a thread did, where there was something to decide.
#[derive(Debug, Clone, Copy)]
enum Act {
    Answer(Question, u32),
    /// The way, and the task that was taken.
    Move(u32, Option<u64>),
}

/// A run.
pub(crate) struct Ran {
    /// How it ended.
    pub end: End,
    /// Whether every thread came to its end.
    pub complete: bool,
    /// The decisions, if they are a path.
    pub path: Option<Vec<u32>>,
    /// How many operations were performed.
    pub moves: u64,
    /// How many instructions were executed.
    pub instructions: u64,
    /// The inputs read.
    pub reads: Vec<Read>,
    /// The skeletons of its strands, if they are compared.
    pub skeletons: Option<Skeletons>,
    /// The first use of an object that may come behind its end.
    pub late: Option<RawRace>,
    acts: Vec<(usize, Act)>,
}

/// Executes the program once.
pub(crate) fn run<'p>(
    program: &'p Program<'p>,
    mode: Mode,
    policy: &mut Policy,
    limits: Limits,
    claim: Option<&Arc<Claim>>,
    follow: Option<u64>,
) -> Ran {
    let log = Rc::new(RefCell::new(Log::new(program, claim, follow)));
    let mut machine = Machine::new(program, Mode { histories: false, ..mode });
    machine.reads = Some(Vec::new());
    machine.observer = Some(Box::new(Watch(Rc::clone(&log))));
    let mut driver =
        Driver { machine, log: Rc::clone(&log), path: Vec::new(), moves: 0, acts: Vec::new(), policy };
    let end = driver.go(limits);
    let Driver { mut machine, path, moves, acts, .. } = driver;
    machine.observer = None;
    let unfinished = |th: &machine::Thread| !th.ended() && !matches!(th.status, Status::At(Pending::Exit(_)));
    let complete = end == End::Final && !machine.threads.iter().any(unfinished);
    let log = &mut *log.borrow_mut();
    Ran {
        end,
        complete,
        path: (!policy.interrupts).then_some(path),
        moves,
        instructions: machine.instructions,
        reads: machine.reads.take().unwrap_or_default(),
        skeletons: log.skeletons.take(),
        late: log.late,
        acts,
    }
}

struct Driver<'p, 'a> {
    machine: Machine<'p>,
    log: Rc<RefCell<Log<'p>>>,
    policy: &'a mut Policy,
    path: Vec<u32>,
    moves: u64,
    acts: Vec<(usize, Act)>,
}

impl Driver<'_, '_> {
    fn go(&mut self, limits: Limits) -> End {
        loop {
            if let Some(race) = self.log.borrow().race {
                return End::Race(race);
            }
            if self.machine.exited.is_some() {
                return End::Final;
            }
            let most_moves = MOVES + limits.instructions / 1000;
            if self.machine.instructions > limits.instructions || self.moves > most_moves {
                return End::TooLong;
            }
            if self.machine.instructions > limits.free && limits.budget.is_over() {
                return End::OutOfTime;
            }
            if let Some(end) = self.step() {
                return self.log.borrow().race.map_or(end, End::Race);
            }
        }
    }

    /// One decision, and what follows from it; how the run ends, if it does.
    fn step(&mut self) -> Option<End> {
        let local = (0..self.machine.threads.len()).find(|&t| self.machine.is_local(t));
        match (local, self.policy.interrupts) {
            (Some(t), false) => return self.local(t, FUEL),
            (Some(_), true) => {}
            (None, _) => return self.node(),
        }
        let movers: Vec<Mover> =
            (0..self.machine.threads.len()).filter_map(|t| mover(&self.machine, t)).collect();
        let t = self.policy.next(&movers)?;
        if self.machine.is_local(t) {
            let quantum = self.policy.quantum();
            return self.local(t, quantum);
        }
        let way = self.policy.way(self.machine.alternatives(t).count);
        self.perform(t, way)
    }

    /// Runs local instructions of a thread.
    fn local(&mut self, t: usize, fuel: u64) -> Option<End> {
        let mut stop = self.machine.run(t, fuel);
        let mut more = LIBRARY;
        loop {
            match stop {
                // Nobody moves between a question and its answer: two threads might ask the same otherwise.
                Stop::Choose(n) => self.answer(t, n),
                // What a function of the library does between two operations is one step.
                Stop::Fuel if more > 0 && self.in_library(t) => more -= 1,
                stop => return ended(t, stop),
            }
            stop = self.machine.run(t, 1);
        }
    }

    /// Whether a thread is inside a function of the library, and could go on there.
    fn in_library(&self, t: usize) -> bool {
        let th = &self.machine.threads[t];
        let module = self.machine.program.module;
        let inside = th.frames.last().is_some_and(|f| module.funcs[f.func.0 as usize].system);
        inside && th.status == Status::Ready
    }

    fn answer(&mut self, t: usize, n: u32) {
        let question = self.machine.question;
        let value = self.policy.answer(question, n);
        self.path.push(value);
        self.acts.push((t, Act::Answer(question, value)));
        // Which thread a barrier calls its serial one is as open as who comes first.
        let serial =
            matches!(self.machine.threads[t].status, Status::At(Pending::Sync(SyncOp::BarrierWait, _)));
        if let Some(skeletons) = &mut self.log.borrow_mut().skeletons {
            match question {
                Question::Value | Question::Teams { .. } | Question::Threads { .. } if !serial => {
                    skeletons.chosen(t, value)
                }
                Question::Split { .. } => skeletons.split_tasks(),
                Question::Chunks { .. } => skeletons.split(t, &self.machine.threads[t], value),
                _ => {}
            }
        }
        self.machine.answer(t, value);
    }

    /// No thread is at a local operation.
    fn node(&mut self) -> Option<End> {
        let threads = 0..self.machine.threads.len();
        let movers: Vec<Mover> = threads.clone().filter_map(|t| mover(&self.machine, t)).collect();
        let waits = threads.clone().find(|&t| !self.machine.threads[t].ended());
        let proper = |t: usize| {
            let a = self.machine.alternatives(t);
            a.count > 0 && !a.spurious
        };
        if let Some(t) = waits
            && !threads.clone().any(proper)
        {
            return Some(End::Deadlock(t));
        }
        let Some(t) = self.policy.next(&movers) else { return Some(End::Final) };
        let ways = |u: usize| self.machine.alternatives(u).count;
        let (all, before): (u32, u32) = (threads.map(ways).sum(), (0..t).map(ways).sum());
        let count = ways(t);
        let way = self.policy.way(count);
        if all > 1 {
            self.path.push(before + way);
        }
        self.perform(t, way)
    }

    fn perform(&mut self, t: usize, way: u32) -> Option<End> {
        self.moves += 1;
        self.acts.push((t, Act::Move(way, self.machine.taken_in_way(t, way))));
        let begins_update = self.machine.at_update(t);
        match self.machine.perform(t, way) {
            Ok(()) if begins_update => self.finish_update(t),
            Ok(()) => None,
            Err(Stop::Choose(n)) => {
                self.answer(t, n);
                self.machine.perform(t, way).err().and_then(|stop| ended(t, stop))
            }
            Err(stop) => ended(t, stop),
        }
    }

    /// An update that the language makes one step goes on to its end: nobody comes in between.
    fn finish_update(&mut self, t: usize) -> Option<End> {
        for _ in 0..LIBRARY {
            let last = self.machine.at_update(t);
            if let Some(end) = ended(t, self.machine.run(t, 1)) {
                return Some(end);
            }
            if last || self.machine.threads[t].status != Status::Ready {
                break;
            }
        }
        None
    }
}

/// Whether a thread can move.
fn mover(machine: &Machine, t: usize) -> Option<Mover> {
    if machine.is_local(t) {
        return Some(Mover { thread: t, reluctant: false });
    }
    let a = machine.alternatives(t);
    let late = matches!(
        machine.threads[t].status,
        Status::At(Pending::Exit(_) | Pending::Spin | Pending::Sync(SyncOp::Exit, _))
    );
    (a.count > 0).then_some(Mover { thread: t, reluctant: late || a.spurious })
}

fn ended(t: usize, stop: Stop) -> Option<End> {
    Some(match stop {
        Stop::AtSync | Stop::Ended | Stop::Fuel => return None,
        Stop::Infeasible => End::Infeasible,
        Stop::Defect(kind, message) => End::Defect(t, kind, message),
        // Also: a question after an answer, a value that must be known, a barrier that more threads use than it takes.
        Stop::Unknown(_) | Stop::Choose(_) | Stop::Needs(_) | Stop::BarrierOrder => End::Unsupported,
    })
}

/// The path with the synchronisation operations of a run, in their order, and how many they are; nothing if local operations
/// decide which there are. What the run has not asked, since it ended before, is answered with `other`.
pub(crate) fn as_path(program: &Program, mode: Mode, ran: &Ran, other: u32) -> Option<(Vec<u32>, u64)> {
    if let Some(path) = &ran.path {
        return (other == 0).then(|| (path.clone(), ran.moves));
    }
    let mut machine = Machine::new(program, Mode { histories: false, ..mode });
    let mut known = Known::new(&ran.acts);
    let (mut path, mut moves) = (Vec::new(), 0);
    let most = ran.instructions.saturating_mul(4) + 10_000_000;
    while machine.exited.is_none() && machine.instructions < most {
        if let Some(t) = (0..machine.threads.len()).find(|&t| machine.is_local(t)) {
            match machine.run(t, FUEL) {
                Stop::Choose(n) => {
                    let value = known.answer(t, machine.question).unwrap_or(other).min(n - 1);
                    path.push(value);
                    machine.answer(t, value);
                }
                Stop::Defect(..) => {}
                stop if stop.is_final() => return None,
                _ => {}
            }
            continue;
        }
        let Some((t, way, task)) = known.moves.pop_front() else { break };
        let ways = |u: usize| machine.alternatives(u).count;
        let way = match task {
            None => way,
            Some(task) => (0..ways(t)).find(|&w| machine.taken_in_way(t, w) == Some(task))?,
        };
        if way >= ways(t) {
            return None;
        }
        if (0..machine.threads.len()).map(ways).sum::<u32>() > 1 {
            path.push((0..t).map(ways).sum::<u32>() + way);
        }
        moves += 1;
        if let Err(Stop::Choose(_)) = machine.perform(t, way) {
            let value = known.answer(t, machine.question).unwrap_or(other);
            path.push(value);
            machine.answer(t, value);
            let _ = machine.perform(t, way);
        }
    }
    known.moves.is_empty().then_some((path, moves))
}

/// What is known of a run that is repeated in another order of local operations.
struct Known {
    /// Owners by construct and piece: who comes first to ask depends on the order.
    owners: FxHashMap<(u32, u64), u32>,
    /// How loops of so many iterations were split: nor is it known here who asks.
    chunks: FxHashMap<u64, VecDeque<u32>>,
    answers: FxHashMap<usize, VecDeque<u32>>,
    moves: VecDeque<(usize, u32, Option<u64>)>,
}

impl Known {
    fn new(acts: &[(usize, Act)]) -> Known {
        let mut known = Known {
            owners: FxHashMap::default(),
            chunks: FxHashMap::default(),
            answers: FxHashMap::default(),
            moves: VecDeque::new(),
        };
        for &(t, act) in acts {
            match act {
                Act::Answer(Question::Owner { share, piece, .. }, value) => {
                    known.owners.insert((share, piece), value);
                }
                Act::Answer(Question::Chunks { trips }, value) => {
                    known.chunks.entry(trips).or_default().push_back(value);
                }
                Act::Answer(_, value) => known.answers.entry(t).or_default().push_back(value),
                Act::Move(way, task) => known.moves.push_back((t, way, task)),
            }
        }
        known
    }

    fn answer(&mut self, t: usize, question: Question) -> Option<u32> {
        match question {
            Question::Owner { share, piece, .. } => self.owners.get(&(share, piece)).copied(),
            Question::Chunks { trips } => self.chunks.get_mut(&trips)?.pop_front(),
            _ => self.answers.get_mut(&t)?.pop_front(),
        }
    }
}
