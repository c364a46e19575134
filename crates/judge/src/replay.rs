//! Replaying a path, and checking what it is said to show.
//!
//! The race check here shares nothing with the one of the search: it keeps full vector clocks, fed by the machine's
//! synchronisation edges, never forgets anything, and looks only at the two accesses in question. Which these are is
//! known from the search that found them ([`Pair::found`]) or from a report ([`Pair::reported`]).

use std::cell::RefCell;
use std::rc::Rc;

use base::said::{Action, SharedOut};
use base::{Access, AccessKind, Construct, Defect, Frame, Place, Race, Said, Step, Strand, ThreadLabel};
use ir::{AccessId, Module};
use machine::history::Touch;
use machine::memory::Memory;
use machine::memory::layout::Layout;
use machine::memory::object::Object;
use machine::omp::contention::team_counts;
use machine::omp::lock::is_reduction_lock;
use machine::{Edge, Machine, Mode, Observer, Program, Question, RawRace, Stop, Thread, Work};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::clocks::{Clocks, Times};
use crate::distribution::Distribution;
use crate::names;
use crate::schedule::{self, Point};
use crate::strands::{Lane, Strands, is_own};

/// Instructions that a replay may execute at a time.
const FUEL: u64 = 50_000_000;
/// How often the fuel may be renewed before the replay is given up.
const REFILLS: usize = 200;

/// One of the two accesses, as the replay saw it.
#[derive(Debug, Clone)]
pub struct Seen {
    /// The thread.
    pub thread: usize,
    /// The call stack.
    pub stack: Vec<Frame>,
    /// The locks held, by address, and the objects that they are in.
    pub locks: Vec<(u64, Option<Object>)>,
    /// The object that the access touches.
    pub object: Option<Object>,
    /// The first byte that the access touches.
    pub address: u64,
    /// How many bytes.
    pub len: u64,
    /// Whether it writes.
    pub write: bool,
    /// Whether it is atomic.
    pub atomic: bool,
    /// The source access.
    pub access: AccessId,
    /// How many scheduled steps were taken before.
    pub step: usize,
    /// How many threads were created or joined before.
    pub forks: usize,
    /// The piece of work of an OpenMP construct, innermost.
    pub strand: Option<Strand>,
    /// The thread's number in its team, inside a parallel region.
    pub member: Vec<u32>,
    /// The lane of a `simd` loop, outside `ordered` blocks.
    lane: Option<Lane>,
    /// See [`Strands::own_from`].
    own_from: Option<usize>,
    /// Made by a combiner beside the values that it combines: the runtime's locks for reductions do not order it with others of
    /// the kind.
    beside_values: bool,
    times: Times,
    /// The times without these locks.
    bare: Times,
}

/// One of the two accesses, as it is looked for.
#[derive(Debug, Clone)]
struct Side {
    thread: usize,
    /// Whether it writes, if that is known.
    write: Option<bool>,
    /// Bytes of which the access touches some: the first, and the one behind the last.
    bytes: (u64, u64),
    /// The instruction, if it is known.
    access: Option<AccessId>,
    /// Where reports show the access, if that is known.
    place: Option<Place>,
}

/// The two accesses of a race, as they are looked for.
#[derive(Debug, Clone)]
pub struct Pair([Side; 2]);

impl Pair {
    /// A race that a search or a proof has found.
    pub fn found(race: &RawRace) -> Pair {
        let side = |(thread, touch): (u32, Touch)| Side {
            thread: thread as usize,
            write: Some(touch.write),
            bytes: (touch.granule << 3, (touch.granule << 3) + 8),
            access: Some(touch.access),
            place: None,
        };
        Pair([side(race.first), side(race.second)])
    }

    /// A race of a report. What it says of threads, places and memory is enough.
    pub fn reported(race: &Race) -> Pair {
        let bytes = race.witness.address.map_or((0, u64::MAX), |at| (at, at.saturating_add(1)));
        let side = |access: &Access| Side {
            thread: access.thread.id as usize,
            write: Some(access.access == AccessKind::Write),
            bytes,
            access: None,
            place: Some(access.place.clone()),
        };
        Pair([side(&race.first), side(&race.second)])
    }

    /// The use of an object and its end, of a report; nothing if the defect is another one.
    pub fn late(defect: &Defect) -> Option<Pair> {
        let end = defect.witness.end.as_ref()?;
        let bytes = defect.witness.address.map_or((0, u64::MAX), |at| (at, at.saturating_add(1)));
        let side = |thread: u32, write, place: &Place| Side {
            thread: thread as usize,
            write,
            bytes,
            access: None,
            place: Some(place.clone()),
        };
        let used = side(defect.thread.id, None, &defect.location);
        Some(Pair([used, side(end.thread, Some(true), &end.place)]))
    }
}

impl Side {
    fn may_be(&self, t: usize, address: u64, len: u64, write: bool, access: AccessId) -> bool {
        self.thread == t
            && self.write.is_none_or(|wanted| wanted == write)
            && self.access.is_none_or(|wanted| wanted == access)
            && address < self.bytes.1
            && self.bytes.0 < address + len
    }
}

/// What the observer collects.
struct Log<'m> {
    module: &'m Module,
    clocks: Clocks,
    /// The clocks as they are without the runtime's locks for reductions; kept where a combiner is the program's own.
    bare: Option<Clocks>,
    layout: Layout,
    wanted: Option<Pair>,
    /// An access that is one of the two, before its memory was looked at; whether it is the first and the second.
    fresh: Option<(Seen, bool, bool)>,
    first: Vec<Seen>,
    second: Vec<Seen>,
    step: usize,
    forks: Vec<(usize, Told)>,
    output: Vec<(usize, i32, Vec<u8>)>,
    confirmed: Option<(Seen, Seen)>,
    strands: Strands,
    /// The threads of teams other than the ones that forked them.
    workers: FxHashSet<usize>,
    /// The numbers of threads in the teams that they are in, outermost first.
    members: FxHashMap<usize, Vec<u32>>,
    /// The lines in which tasks were created.
    created: FxHashMap<u32, u32>,
    /// The line of the task that was begun last.
    began: Option<u32>,
    distribution: Distribution,
    /// Who had executed which pieces when the race showed.
    shared_out: Vec<Said<SharedOut>>,
}

/// Accesses of each side that are kept; racing pairs are close together, so the newest are.
const KEPT: usize = 64;

impl<'m> Log<'m> {
    /// What the schedule says of OpenMP: teams that are forked and joined, tasks that are taken.
    fn tell(&mut self, t: usize, th: &Thread, work: &Work) {
        let action = match work {
            Work::Join { .. } => {
                if let Some(numbers) = self.members.get_mut(&t) {
                    numbers.pop();
                }
                return;
            }
            Work::Fork { members, .. } => {
                let outer = self.members.get(&t).cloned().unwrap_or_default();
                for (number, &u) in members.iter().enumerate() {
                    let numbers = outer.iter().copied().chain([number as u32]).collect();
                    self.members.insert(u, numbers);
                }
                self.workers.extend(members.iter().filter(|&&u| u != t));
                let workers = &self.workers;
                // Their creation has been told already if they are new.
                self.forks.retain(|(_, told)| match told.what {
                    What::Creates(u) => told.step.thread as usize != t || !workers.contains(&u),
                    _ => true,
                });
                match members.len() {
                    1 => return,
                    n => Action::ForksTeam(n as u32),
                }
            }
            Work::TaskCreate { task, .. } => {
                self.created.insert(*task, here(self.module, th).line);
                return;
            }
            Work::TaskBegin { task } => {
                self.began = self.created.get(task).copied();
                return;
            }
            _ => return,
        };
        let step = Step { thread: t as u32, place: here(self.module, th), action: Said::Typed(action) };
        self.forks.push((self.step, Told { step, what: What::Woven }));
    }

    fn note(&mut self, seen: Seen, is_first: bool) {
        let others = if is_first { &self.second } else { &self.first };
        let racing = others.iter().rev().find(|o| conflict(o, &seen) && unordered(o, &seen));
        if self.confirmed.is_none()
            && let Some(other) = racing
        {
            self.shared_out = self.distribution.describe(self.module, [other.thread, seen.thread]);
            self.confirmed = Some((other.clone(), seen.clone()));
        }
        let own = if is_first { &mut self.first } else { &mut self.second };
        if own.len() == KEPT {
            own.remove(0);
        }
        own.push(seen);
    }
}

fn conflict(a: &Seen, b: &Seen) -> bool {
    (a.thread != b.thread || beside(a, b))
        && a.address < b.address + b.len
        && b.address < a.address + a.len
        && (a.write || b.write)
        && !(a.atomic && b.atomic)
}

/// Whether two accesses of one thread belong to lanes that may run at the same time.
fn beside(a: &Seen, b: &Seen) -> bool {
    a.thread == b.thread && a.lane.zip(b.lane).is_some_and(|(a, b)| a.beside(b))
}

/// `a` came before `b` on the path: they are ordered only if `b`'s thread knew `a`'s time.
fn unordered(a: &Seen, b: &Seen) -> bool {
    let (before, now) = match a.beside_values && b.beside_values {
        true => (&a.bare, &b.bare),
        false => (&a.times, &b.times),
    };
    beside(a, b) || now.at(a.thread) < before.at(a.thread)
}

struct Recorder<'m>(Rc<RefCell<Log<'m>>>);

impl Observer for Recorder<'_> {
    fn access(
        &mut self,
        t: usize,
        th: &Thread,
        address: u64,
        len: u64,
        write: bool,
        atomic: bool,
        access: AccessId,
    ) -> bool {
        let log = &mut *self.0.borrow_mut();
        let Some(Pair(sides)) = &log.wanted else { return false };
        let may_be = [0, 1].map(|i: usize| sides[i].may_be(t, address, len, write, access));
        if may_be == [false; 2] {
            return false;
        }
        let stack = names::stack(log.module, th);
        let place = place_of(log.module, access, &stack);
        let [is_first, is_second] =
            [0, 1].map(|i: usize| may_be[i] && sides[i].place.as_ref().is_none_or(|wanted| *wanted == place));
        if !is_first && !is_second {
            return false;
        }
        let times = log.clocks.of(t).clone();
        let bare = log.bare.as_mut().map_or_else(Times::default, |bare| bare.of(t).clone());
        let beside_values = log.bare.is_some() && th.is_beside(address);
        let counts = |h: &&machine::thread::Held| !(beside_values && is_reduction_lock(log.layout, h.lock));
        let seen = Seen {
            thread: t,
            stack,
            locks: th.locks.iter().filter(counts).map(|h| (h.lock, None)).collect(),
            object: None,
            address,
            len,
            write,
            atomic,
            access,
            step: log.step,
            forks: log.forks.len(),
            strand: log.strands.current(log.module, t),
            member: log.members.get(&t).cloned().unwrap_or_default(),
            lane: log.strands.lane(t),
            own_from: log.strands.own_from(t, th),
            beside_values,
            times,
            bare,
        };
        log.fresh = Some((seen, is_first, is_second));
        false
    }

    // What an access touches is asked for at once: later the object may have ended, and another may be in its place.
    fn look(&mut self, memory: &Memory) -> bool {
        let log = &mut *self.0.borrow_mut();
        let Some((mut seen, is_first, is_second)) = log.fresh.take() else { return false };
        let object = |address| memory.find(address).map(|(_, _, object)| *object);
        seen.object = object(seen.address);
        if is_own(memory, seen.thread, seen.address, seen.own_from) {
            seen.lane = None;
        }
        for lock in &mut seen.locks {
            lock.1 = object(lock.0);
        }
        if is_first {
            log.note(seen.clone(), true);
        }
        if is_second {
            log.note(seen, false);
        }
        false
    }

    fn input(&mut self, t: usize, th: &Thread, value: u64, bits: u8) {
        let log = &mut *self.0.borrow_mut();
        let action = Said::Typed(Action::ReadsInput(names::input(log.module, th, value, bits)));
        let step = Step { thread: t as u32, place: here(log.module, th), action };
        log.forks.push((log.step, Told { step, what: What::Woven }));
    }

    fn work(&mut self, t: usize, th: &Thread, work: &Work) {
        let log = &mut *self.0.borrow_mut();
        log.tell(t, th, work);
        log.strands.work(log.module, t, th, work);
        log.distribution.work(log.module, t, th, work);
    }

    fn edge(&mut self, t: usize, th: &Thread, edge: Edge) {
        let log = &mut *self.0.borrow_mut();
        log.clocks.edge(t, edge);
        if let Some(bare) = &mut log.bare {
            let of_reduction = match edge {
                Edge::Acquire(object) | Edge::Release(object) | Edge::ReleaseOnly(object) => {
                    is_reduction_lock(log.layout, object)
                }
                _ => false,
            };
            if !of_reduction {
                bare.edge(t, edge);
            }
        }
        let (action, what) = match edge {
            Edge::Fork(u) if !log.workers.contains(&u) => {
                (Action::Creates(names::numbered(u)), What::Creates(u))
            }
            Edge::Join(u) if !log.workers.contains(&u) => (Action::Joins(names::numbered(u)), What::Woven),
            _ => return,
        };
        let step = Step { thread: t as u32, place: here(log.module, th), action: Said::Typed(action) };
        log.forks.push((log.step, Told { step, what }));
    }

    fn output(&mut self, thread: usize, fd: i32, bytes: &[u8]) {
        self.0.borrow_mut().output.push((thread, fd, bytes.to_vec()));
    }
}

/// What a step of a replayed run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// A decision of the schedule.
    Decision,
    /// It decides who executes a piece of work. Reports leave it out: the strands of the accesses tell.
    SharesOut,
    /// A thread is created: no decision, but told among them.
    Creates(usize),
    /// Something else that is no decision: a join, a team, an input.
    Woven,
}

/// A step of a replayed run, and what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// The step for people.
    pub step: Step,
    /// What it is.
    pub what: What,
}

impl Told {
    /// Whether it is no decision of the schedule.
    pub fn is_woven(&self) -> bool {
        matches!(self.what, What::Creates(_) | What::Woven)
    }
}

fn here(module: &Module, th: &Thread) -> base::Place {
    names::stack(module, th).into_iter().next().map_or_else(names::nowhere, |f| f.place)
}

/// How a replayed run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// The choices are used up and the run could go on.
    Open,
    /// Everything ended.
    Final,
    /// Some thread waits, and none can go on.
    Deadlock,
}

/// A replayed run.
pub struct Replay<'p> {
    /// The machine as the run left it.
    pub machine: Machine<'p>,
    /// The schedule.
    pub steps: Vec<Told>,
    /// How it ended.
    pub ending: Ending,
    /// Threads that could not go on, and why.
    pub stops: Vec<(usize, Stop)>,
    /// The two accesses, if the wanted race was confirmed: first and second on the path.
    pub race: Option<(Seen, Seen)>,
    /// Who had executed which pieces of the constructs that the two belong to, in words.
    pub distribution: Vec<Said<SharedOut>>,
    /// What the program wrote: thread, file descriptor, bytes.
    pub output: Vec<(usize, i32, Vec<u8>)>,
}

/// Replays a path: its choices, and as many operations as `moves` says. With `race`, watches for it.
/// A choice that there is not ends the run.
pub fn replay<'p>(
    program: &'p Program<'p>,
    mode: Mode,
    path: &[u32],
    moves: u64,
    race: Option<Pair>,
) -> Replay<'p> {
    let log = Rc::new(RefCell::new(Log {
        module: program.module,
        clocks: Clocks::default(),
        bare: program.funcs.iter().any(|f| f.combines).then(Clocks::default),
        layout: Layout::new(program.module.pointer_bytes),
        wanted: race,
        fresh: None,
        first: Vec::new(),
        second: Vec::new(),
        step: 0,
        forks: Vec::new(),
        output: Vec::new(),
        confirmed: None,
        strands: Strands::default(),
        workers: FxHashSet::default(),
        members: FxHashMap::default(),
        created: FxHashMap::default(),
        began: None,
        distribution: Distribution::default(),
        shared_out: Vec::new(),
    }));
    let mut machine = Machine::new(program, Mode { histories: false, ..mode });
    machine.observer = Some(Box::new(Recorder(Rc::clone(&log))));
    let mut steps = Vec::new();
    let mut stops = Vec::new();
    let ending = drive(&mut machine, (path, moves), &mut steps, &mut stops, &log);
    machine.observer = None;
    let log = &mut *log.borrow_mut();
    let steps = weave(steps, std::mem::take(&mut log.forks));
    if let (None, Some(&(t, _))) = (&log.wanted, stops.last()) {
        log.shared_out = log.distribution.describe(program.module, [t, t]);
    }
    Replay {
        machine,
        steps,
        ending,
        stops,
        race: log.confirmed.take(),
        distribution: std::mem::take(&mut log.shared_out),
        output: std::mem::take(&mut log.output),
    }
}

fn drive(
    machine: &mut Machine,
    (path, moves): (&[u32], u64),
    steps: &mut Vec<Told>,
    stops: &mut Vec<(usize, Stop)>,
    log: &RefCell<Log>,
) -> Ending {
    let mut choices = path.iter().copied();
    let mut refills = 0;
    let mut performed = 0;
    loop {
        match schedule::settle(machine, FUEL) {
            Point::Paused if refills < REFILLS => refills += 1,
            Point::Paused => return Ending::Open,
            Point::Exited => return Ending::Final,
            Point::Stopped(t, stop) => stops.push((t, stop)),
            Point::Choice(t, n) => match choices.next() {
                Some(value) if value < n => {
                    let mut what = What::Decision;
                    let action = match machine.question {
                        Question::Value => Action::Chooses(value),
                        Question::Teams { most } => Action::FormsTeams(team_counts(most)[value as usize]),
                        Question::Threads { most } => Action::FormsTeam(team_counts(most)[value as usize]),
                        _ => {
                            what = What::SharesOut;
                            Action::SharesOut
                        }
                    };
                    steps.push(Told { step: step_of(machine, t, action), what });
                    machine.answer(t, value);
                }
                _ => return Ending::Open,
            },
            Point::Node => {
                let options = schedule::options(machine);
                if performed == moves {
                    return match (options.deadlock, options.alternatives.is_empty()) {
                        (true, _) => Ending::Deadlock,
                        (false, true) => Ending::Final,
                        (false, false) => Ending::Open,
                    };
                }
                let alternative = match options.alternatives[..] {
                    [] => return Ending::Final,
                    [only] => only,
                    _ => match choices.next() {
                        Some(i) if (i as usize) < options.alternatives.len() => {
                            options.alternatives[i as usize]
                        }
                        _ => return Ending::Open,
                    },
                };
                performed += 1;
                let t = alternative.thread as usize;
                let step = step_of(machine, t, names::action(machine, t));
                steps.push(Told { step, what: What::Decision });
                {
                    let mut log = log.borrow_mut();
                    log.step = steps.len();
                    log.began = None;
                }
                let performed = machine.perform(t, alternative.way);
                if let (Some(line), Some(told)) = (log.borrow().began, steps.last_mut()) {
                    told.step.action = Said::Typed(Action::TakesTask(line));
                }
                match performed {
                    Ok(()) => {}
                    Err(Stop::Choose(n)) => match choices.next() {
                        Some(value) if value < n => {
                            machine.answer(t, value);
                            if let Err(stop) = machine.perform(t, alternative.way) {
                                stops.push((t, stop));
                            }
                        }
                        _ => return Ending::Open,
                    },
                    Err(stop) => stops.push((t, stop)),
                }
            }
        }
    }
}

fn step_of(machine: &Machine, t: usize, action: Action) -> Step {
    let place = names::place(machine.program.module, machine.user_place(&machine.threads[t]));
    Step { thread: t as u32, place, action: Said::Typed(action) }
}

/// Puts creations and joins, noted with the number of steps before them, among the steps.
fn weave(steps: Vec<Told>, forks: Vec<(usize, Told)>) -> Vec<Told> {
    let mut forks = forks.into_iter().peekable();
    let mut woven = Vec::new();
    for (i, step) in steps.into_iter().enumerate() {
        while forks.peek().is_some_and(|(at, _)| *at <= i) {
            woven.extend(forks.next().map(|(_, s)| s));
        }
        woven.push(step);
    }
    woven.extend(forks.map(|(_, s)| s));
    woven
}

impl Seen {
    /// Whether it is the end of the object.
    pub fn is_end(&self) -> bool {
        machine::is_end(self.access)
    }

    /// The access as reports show it.
    pub fn describe(&self, machine: &Machine, thread: ThreadLabel) -> Access {
        Access {
            place: place_of(machine.program.module, self.access, &self.stack),
            access: if self.write { AccessKind::Write } else { AccessKind::Read },
            atomic: self.atomic,
            thread,
            locks: self.locks.iter().map(|&(l, object)| names::sync_object_in(machine, l, object)).collect(),
            stack: self.stack.clone(),
            strand: self.strand.clone(),
            constructs: constructs(machine.program.module, &self.stack),
        }
    }
}

/// The constructs that the functions of a stack are in, innermost first.
fn constructs(module: &Module, stack: &[Frame]) -> Vec<Construct> {
    let mut found: Vec<Construct> = Vec::new();
    let places = stack.iter().map(|frame| &frame.place);
    for d in places.flat_map(|place| module.directives.around(&place.file, place.line)) {
        let clauses = d.clauses.iter().map(|c| c.name.clone()).collect();
        let construct = Construct { name: d.words.join(" "), clauses, file: d.file.clone(), line: d.line };
        if !d.variant && !found.contains(&construct) {
            found.push(construct);
        }
    }
    found
}

/// Where reports show an access: in the innermost frame of the user's code.
fn place_of(module: &Module, access: AccessId, stack: &[Frame]) -> Place {
    let (known, _) = machine::place_of_access(module, access);
    let place = stack.first().map_or_else(|| names::place(module, known), |f| f.place.clone());
    // The access itself may know a better column than the frame.
    let exact = module.place(known).filter(|p| p.file == place.file && p.line == place.line);
    exact.unwrap_or(place)
}
