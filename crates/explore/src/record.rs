//! One run of a program as a trace, for `predict` and others.
//!
//! The schedule is fair: of the threads that can go on, the one that has waited longest does. Variables of the trace are
//! the largest pieces of memory that every access of the run touches as a whole or not at all, so that accesses conflict in
//! the trace exactly if they overlap in memory. Mutexes become acquire and release; everything else that orders threads
//! (conditions, semaphores, barriers, readers of a read-write lock) becomes notify and wait on the object, in the
//! order of the run. Atomic accesses become atomic reads and writes (a read-modify-write one of each), which order more
//! than relaxed atomics do.

use base::reason::{Reason, RunEnd};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use base::Budget;
use ir::{AccessId, Module, PlaceId};
use machine::sync::table::is_sequence;
use machine::{
    Edge, Inputs, LoadError, Machine, Mode, Observer, Program, Question, Stop, Thread, place_of_access,
};
use rustc_hash::FxHashMap;
use trace::{Event, LocId, LockId, Names, Op, ThreadId, Trace, VarId};

use judge::names;
use judge::schedule::{self, Point};

/// How long a recorded run may be.
#[derive(Debug, Clone, Copy)]
pub struct Length {
    /// The most operations.
    pub moves: u64,
    /// How often the fuel may be renewed.
    pub refills: u64,
}

impl Default for Length {
    fn default() -> Length {
        Length { moves: 2_000_000, refills: 1000 }
    }
}

/// Instructions between two looks.
const FUEL: u64 = 10_000_000;

#[derive(Debug, Clone, Copy)]
enum Raw {
    Access { address: u64, len: u64, write: bool, atomic: bool, access: AccessId },
    Edge(Edge),
}

type RawEvent = (usize, PlaceId, Raw);

/// What is noted of a run: its events, and for each how many operations its thread had performed.
#[derive(Debug, Default)]
struct Log {
    events: Vec<RawEvent>,
    after: Vec<u32>,
    performed: Vec<u32>,
}

impl Log {
    fn push(&mut self, event: RawEvent) {
        self.after.push(self.performed.get(event.0).copied().unwrap_or(0));
        self.events.push(event);
    }

    /// A thread is about to perform an operation.
    fn count(&mut self, t: usize) {
        self.performed.resize(self.performed.len().max(t + 1), 0);
        self.performed[t] += 1;
    }
}

struct Recorder<'m> {
    module: &'m Module,
    log: Rc<RefCell<Log>>,
}

impl Observer for Recorder<'_> {
    fn access(
        &mut self,
        t: usize,
        _: &Thread,
        address: u64,
        len: u64,
        write: bool,
        atomic: bool,
        access: AccessId,
    ) -> bool {
        if len == 0 {
            return false;
        }
        let (place, _) = place_of_access(self.module, access);
        self.log.borrow_mut().push((t, place, Raw::Access { address, len, write, atomic, access }));
        false
    }

    fn edge(&mut self, t: usize, th: &Thread, edge: Edge) {
        let user = th.frames.iter().rev().find(|f| !self.module.funcs[f.func.0 as usize].system);
        let body = user.and_then(|f| self.module.funcs[f.func.0 as usize].body.as_ref().map(|b| (f, b)));
        let place = body.map_or(PlaceId::NONE, |(f, b)| b.places[f.pc as usize]);
        self.log.borrow_mut().push((t, place, Raw::Edge(edge)));
    }
}

/// A recorded run.
#[derive(Debug)]
pub struct Recorded {
    /// Its events.
    pub trace: Trace,
    /// For each event the access of the program that made it, if it is one.
    pub accesses: Vec<Option<AccessId>>,
    /// For each event where it stands in the run.
    pub stands: Vec<Stand>,
    /// For each thread in which of its ways it performed each of its operations.
    pub ways: Vec<Vec<u32>>,
    /// Why the run did not come to its end, if it did not.
    pub cut: Option<Reason>,
}

/// Where an event of a trace stands in the run that it was recorded from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stand {
    /// How many operations its thread had performed, the one that made the event included.
    pub performed: u32,
    /// For accesses, the first byte of the variable.
    pub address: u64,
}

/// Runs the program once and records it.
///
/// # Errors
/// If the module cannot be run at all.
pub fn record(module: &Module, args: &[String], threads: u32, budget: Budget) -> Result<Recorded, LoadError> {
    let program = Program::load(module, &Inputs { args: args.to_vec(), threads })?;
    Ok(record_run(&program, Mode { branch_barriers: true, ..Mode::default() }, Length::default(), budget))
}

/// Runs a program once and records it.
pub fn record_run<'p>(program: &'p Program<'p>, mode: Mode, length: Length, budget: Budget) -> Recorded {
    let log = Rc::new(RefCell::new(Log::default()));
    let mut machine = Machine::new(program, Mode { histories: false, ..mode });
    machine.observer = Some(Box::new(Recorder { module: program.module, log: Rc::clone(&log) }));
    let mut ways = Vec::new();
    let cut = drive(&mut machine, (length, budget), &log, &mut ways);
    machine.observer = None;
    let log = std::mem::take(&mut *log.borrow_mut());
    let (trace, accesses, stands) = convert(&machine, &log);
    Recorded { trace, accesses, stands, ways, cut }
}

/// Runs fairly to the end; gives why not, otherwise.
fn drive(
    machine: &mut Machine,
    (length, budget): (Length, Budget),
    log: &RefCell<Log>,
    ways: &mut Vec<Vec<u32>>,
) -> Option<Reason> {
    let mut last_run: Vec<u64> = Vec::new();
    let (mut moves, mut refills) = (0, 0);
    loop {
        match schedule::settle(machine, FUEL) {
            Point::Paused if refills < length.refills && !budget.is_over() => refills += 1,
            Point::Paused => return Some(RunEnd::TooLong.into()),
            Point::Exited => return None,
            Point::Choice(t, n) => machine.answer(t, usual(machine.question, n)),
            Point::Stopped(_, Stop::Infeasible) => return Some(RunEnd::AssumptionFails.into()),
            Point::Stopped(_, Stop::Unknown(why)) => return Some(*why),
            Point::Stopped(_, _) => {}
            Point::Node => {
                let options = schedule::options(machine);
                last_run.resize(machine.threads.len(), 0);
                let waited = |a: &&schedule::Alternative| (last_run[a.thread as usize], a.thread, a.way);
                let Some(&next) = options.alternatives.iter().min_by_key(waited) else {
                    return options.deadlock.then(|| RunEnd::Deadlock.into());
                };
                moves += 1;
                if moves > length.moves || options.deadlock || moves % 256 == 0 && budget.is_over() {
                    return Some(RunEnd::Endless.into());
                }
                let t = next.thread as usize;
                last_run[t] = moves;
                ways.resize(machine.threads.len().max(ways.len()), Vec::new());
                ways[t].push(next.way);
                log.borrow_mut().count(t);
                if let Err(Stop::Choose(_)) = machine.perform(t, next.way) {
                    machine.answer(t, 0);
                    let _ = machine.perform(t, next.way);
                }
            }
        }
    }
}

/// The answer of a usual run: pieces go round the team, tasks are deferred.
pub fn usual(question: Question, ways: u32) -> u32 {
    match question {
        Question::Owner { piece, .. } => (piece % u64::from(ways)) as u32,
        _ => 0,
    }
}

/// The largest pieces of memory that every access touches as a whole or not at all: where they begin, and their ends.
fn pieces(events: &[RawEvent]) -> BTreeMap<u64, u64> {
    let mut cuts = BTreeSet::new();
    let mut ranges = BTreeSet::new();
    for (_, _, raw) in events {
        if let Raw::Access { address, len, .. } = *raw {
            cuts.extend([address, address + len]);
            ranges.insert((address, address + len));
        }
    }
    let mut pieces = BTreeMap::new();
    for (from, to) in ranges {
        let mut at = from;
        for &cut in cuts.range(from + 1..=to) {
            pieces.insert(at, cut);
            at = cut;
        }
    }
    pieces
}

/// Gives numbers to things in the order in which they appear.
struct Numbers<K> {
    numbers: FxHashMap<K, u32>,
    names: Vec<String>,
    used: BTreeSet<String>,
}

impl<K: std::hash::Hash + Eq> Numbers<K> {
    fn new() -> Numbers<K> {
        Numbers { numbers: FxHashMap::default(), names: Vec::new(), used: BTreeSet::new() }
    }

    fn get(&mut self, key: K, name: impl FnOnce() -> String) -> u32 {
        if let Some(&n) = self.numbers.get(&key) {
            return n;
        }
        let n = self.names.len() as u32;
        let mut name = readable(&name());
        if !self.used.insert(name.clone()) {
            name = format!("{name}#{n}");
            self.used.insert(name.clone());
        }
        self.names.push(name);
        self.numbers.insert(key, n);
        n
    }
}

/// Trace files use `|`, brackets and blanks as marks of their own.
fn readable(name: &str) -> String {
    name.chars().map(|c| if c.is_whitespace() || "|(),".contains(c) { '_' } else { c }).collect()
}

fn convert(machine: &Machine, log: &Log) -> (Trace, Vec<Option<AccessId>>, Vec<Stand>) {
    let events = &log.events[..];
    let module = machine.program.module;
    let pieces = pieces(events);
    // A lock that is ever shared is none in the sense of traces; notify and wait keep its order.
    let mut locks: BTreeSet<u64> = events.iter().filter_map(|e| exclusive(&e.2)).collect();
    locks.retain(|a| !events.iter().any(|e| matches!(e.2, Raw::Edge(Edge::Lock(b, true)) if b == *a)));
    let atomics: BTreeSet<u64> = events.iter().flat_map(|e| atomic(&e.2)).collect();
    let written = |from: u64, len: u64| atomics.range(from..from + len).next().is_some();
    let (mut variables, mut objects, mut places) = (Numbers::new(), Numbers::new(), Numbers::new());
    let mut trace = Trace::default();
    let mut accesses = Vec::new();
    let mut stands: Vec<Stand> = Vec::new();
    for (index, &(t, place, raw)) in events.iter().enumerate() {
        let place_name = || module.place(place).map_or_else(|| "unknown".into(), |p| p.to_string());
        let location = LocId(places.get(place, place_name));
        let mut push = |op| trace.events.push(Event { thread: ThreadId(t as u32), op, location });
        match raw {
            Raw::Access { address, len, atomic: true, write: false, .. } if !written(address, len) => {}
            Raw::Access { address, len, write, atomic, access } => {
                let reads_too = write && atomic && learns(&events[..index], t, address, len);
                for (&from, &to) in pieces.range(address..address + len) {
                    let name = || names::variable(machine, from, to - from, &[access]);
                    let variable = VarId(variables.get(from, name));
                    let stand = Stand { performed: log.after[index], address: from };
                    stands.extend(std::iter::repeat_n(stand, 1 + usize::from(reads_too)));
                    if reads_too {
                        push(Op::AtomicRead(variable));
                    }
                    push(match (atomic, write) {
                        (false, false) => Op::Read(variable),
                        (false, true) => Op::Write(variable),
                        (true, false) => Op::AtomicRead(variable),
                        (true, true) => Op::AtomicWrite(variable),
                    });
                }
            }
            Raw::Edge(edge) => {
                let mut object = |a: u64| LockId(objects.get(a, || names::sync_object(machine, a)));
                let other = |a: &u64| !locks.contains(a) && !atomics.contains(a) && !is_sequence(*a);
                match edge {
                    Edge::Fork(u) => push(Op::Fork(ThreadId(u as u32))),
                    Edge::Join(u) => push(Op::Join(ThreadId(u as u32))),
                    Edge::Lock(a, false) if locks.contains(&a) => push(Op::Acquire(object(a))),
                    Edge::Unlock(a) if locks.contains(&a) => push(Op::Release(object(a))),
                    Edge::Acquire(a) if other(&a) => push(Op::Wait(object(a))),
                    Edge::Release(a) | Edge::ReleaseOnly(a) if other(&a) => push(Op::Notify(object(a))),
                    _ => {}
                }
            }
        }
        let made_by = match raw {
            Raw::Access { access, .. } => Some(access),
            Raw::Edge(_) => None,
        };
        accesses.resize(trace.events.len(), made_by);
        stands.resize(trace.events.len(), Stand { performed: log.after[index], address: 0 });
    }
    let threads = (0..machine.threads.len()).map(|t| format!("T{t}")).collect();
    trace.names =
        Names { threads, locks: objects.names, variables: variables.names, locations: places.names };
    (trace, accesses, stands)
}

/// Whether the last of these events is the acquiring half of an atomic operation of the thread on these bytes: what comes
/// next reads, even if it writes as well.
fn learns(events: &[RawEvent], t: usize, address: u64, len: u64) -> bool {
    let last = events.last().filter(|e| e.0 == t).map(|e| e.2);
    matches!(last, Some(Raw::Edge(Edge::Acquire(a) | Edge::See(a))) if a.wrapping_sub(address) < len)
}

/// The lock of an event that takes one for itself alone.
fn exclusive(raw: &Raw) -> Option<u64> {
    match raw {
        Raw::Edge(Edge::Lock(a, false)) => Some(*a),
        _ => None,
    }
}

/// The bytes that an event writes atomically. (Locks and the like are read atomically by those who use them.)
fn atomic(raw: &Raw) -> std::ops::Range<u64> {
    match *raw {
        Raw::Access { address, len, atomic: true, write: true, .. } => address..address + len,
        _ => 0..0,
    }
}
