//! Schedules that bring a program to both accesses of a candidate, in the form that the search uses.
//!
//! A directed run follows the rule of the race-detecting state graph (`judge::schedule`): wherever several threads could
//! perform an operation, one thread is preferred until it has made its access; then it is held before its next
//! operation, and the other is preferred until it has made its own. Both orders are tried. What comes of it is a list
//! of choices (a thread that waits takes tasks that lead to the accesses first, and never both on one thread); `judge::replay`, which keeps vector clocks of its own, must confirm that the accesses are unordered.

use std::cell::RefCell;
use std::rc::Rc;

use base::Budget;
use explore::findings::FoundRace;
use ir::AccessId;
use judge::replay::{Pair, replay};
use judge::schedule::{self, Alternative, Point};
use machine::history::Touch;
use machine::memory::Memory;
use machine::memory::layout::Layout;
use machine::{Edge, Machine, Mode, Observer, Program, Question, RawRace, Stop, Thread, Work};

use crate::cells::{Cells, Table};
use crate::conflict::{Candidate, End};
use crate::drive::Distribution;
use crate::locks::{self, beside_values};
use crate::order::{Name, Order};
use crate::record::{Recorder, at, is_of_tasks};

/// Instructions at a time, between looks at the clock.
const FUEL: u64 = 400_000;

/// An access to look out for.
#[derive(Debug, Clone)]
struct Target {
    end: End,
    name: Name,
    /// The locks held, sorted.
    locks: Vec<u64>,
    /// The ids of the strands that come before its own.
    needed: Vec<u64>,
}

#[derive(Debug, Clone, Copy)]
struct Hit {
    order: usize,
    access: AccessId,
    thread: usize,
    /// Where the byte is in this run.
    byte: u64,
    /// A combiner made it beside the values that it combines: others follow when it has ended.
    beside: bool,
}

/// Looks out for the two accesses.
struct Spotter {
    layout: Layout,
    order: Order,
    cells: Cells,
    targets: [Target; 2],
    /// The byte that both touch, as a cell.
    byte: u64,
    hits: [Option<Hit>; 2],
    count: usize,
    /// Who executes the strands of the two, once that is known.
    threads: [Option<u32>; 2],
}

impl Observer for Spotter {
    fn access(
        &mut self,
        t: usize,
        th: &Thread,
        address: u64,
        len: u64,
        write: bool,
        _: bool,
        access: AccessId,
    ) -> bool {
        let at = at(th);
        if !self.targets.iter().any(|target| at == target.end.at && write == target.end.write) {
            return false;
        }
        let key = self.cells.key(address);
        if self.byte.wrapping_sub(key) >= len {
            return false;
        }
        let beside = th.is_beside(address);
        let locks = self.held(t, th, beside);
        for i in 0..2 {
            let target = &self.targets[i];
            if self.hits[i].is_some() || at != target.end.at || write != target.end.write {
                continue;
            }
            if self.order.name(self.order.pos(t)) == target.name
                && target.locks.iter().all(|lock| locks.contains(lock))
            {
                self.count += 1;
                let byte = address + (self.byte - key);
                self.hits[i] = Some(Hit { order: self.count, access, thread: t, byte, beside });
                // One access is one end.
                break;
            }
        }
        false
    }

    fn edge(&mut self, t: usize, _: &Thread, edge: Edge) {
        match edge {
            Edge::Fork(u) => {
                self.order.fork(t, u);
                self.cells.fork(&self.order, u);
            }
            Edge::Join(u) => self.order.join(t, u),
            _ => {}
        }
    }

    fn work(&mut self, t: usize, _: &Thread, work: &Work) {
        self.cells.work(t, work);
        self.order.work(t, work);
        if matches!(work, Work::Begin { .. } | Work::TaskBegin { .. } | Work::Fork { .. }) {
            for u in 0..self.order.threads() {
                for i in 0..2 {
                    let id = self.targets[i].name.id;
                    if self.order.executes(u).last() == Some(id) {
                        self.threads[i] = Some(u as u32);
                    }
                }
            }
        }
    }

    fn made(&mut self, t: usize, address: u64) {
        self.cells.made(&self.order, t, address);
    }

    fn local(&mut self, t: usize, address: u64, variable: u32) {
        self.cells.local(t, address, variable);
    }
}

impl Spotter {
    /// The locks that a thread holds, without those of tasks; for what a combiner touches `beside` its values, those that count there.
    fn held(&self, t: usize, th: &Thread, beside: bool) -> Vec<u64> {
        let held = th.locks.iter().map(|h| h.lock).filter(|&l| !is_of_tasks(l));
        let held = held.map(|lock| locks::name(self.layout, &self.cells, &self.order, t, lock));
        if beside { beside_values(t, held).collect() } else { held.collect() }
    }
}

/// An [`Observer`] that somebody else looks into as well.
pub struct Shared<O>(pub Rc<RefCell<O>>);

impl<O: Observer> Observer for Shared<O> {
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
        self.0.borrow_mut().access(t, th, address, len, write, atomic, access)
    }

    fn settles(&self) -> bool {
        self.0.borrow().settles()
    }

    fn look(&mut self, memory: &Memory) -> bool {
        self.0.borrow_mut().look(memory)
    }

    #[inline]
    fn told(
        &mut self,
        t: usize,
        th: &Thread,
        address: u64,
        len: u64,
        write: bool,
        atomic: bool,
        access: AccessId,
        memory: &Memory,
    ) -> (bool, bool) {
        self.0.borrow_mut().told(t, th, address, len, write, atomic, access, memory)
    }

    fn edge(&mut self, t: usize, th: &Thread, edge: Edge) {
        self.0.borrow_mut().edge(t, th, edge);
    }

    fn work(&mut self, t: usize, th: &Thread, work: &Work) {
        self.0.borrow_mut().work(t, th, work);
    }

    fn identity(&mut self, t: usize, th: &Thread) -> bool {
        self.0.borrow_mut().identity(t, th)
    }

    fn made(&mut self, t: usize, address: u64) {
        self.0.borrow_mut().made(t, address);
    }

    fn local(&mut self, t: usize, address: u64, variable: u32) {
        self.0.borrow_mut().local(t, address, variable);
    }

    fn gone(&mut self, t: usize, th: &Thread, range: (u64, u64), access: Option<AccessId>, memory: &Memory) {
        self.0.borrow_mut().gone(t, th, range, access, memory);
    }

    fn destroyed(&mut self, t: usize, th: &Thread, address: u64) {
        self.0.borrow_mut().destroyed(t, th, address);
    }
}

/// What a directed run is given.
#[derive(Debug, Clone)]
pub struct Guide<'a> {
    /// Answers to questions for values.
    pub answers: &'a [u32],
    /// Who executes the pieces of worksharing constructs.
    pub distribution: Distribution,
    /// The names of objects.
    pub table: Table,
    /// The most operations.
    pub max_moves: u64,
    /// When to give up.
    pub budget: Budget,
}

/// A confirmed witness of a candidate, if one is found.
pub fn find<'p>(
    program: &'p Program<'p>,
    mode: Mode,
    recorder: &Recorder,
    candidate: &Candidate,
    guide: &Guide,
) -> Option<FoundRace> {
    let (order, locks) = (&recorder.order, &recorder.locks);
    let target = |end: End| {
        let mut held: Vec<u64> = locks.context(end.context).iter().map(|h| h.lock).collect();
        held.sort_unstable();
        Target { end, name: order.name(end.pos), locks: held, needed: order.needed(end.pos) }
    };
    let targets = [target(candidate.first), target(candidate.second)];
    for preferred in [0, 1] {
        let byte = (candidate.bytes.0, guide.table.clone());
        let found = directed(program, mode, &targets, byte, preferred, guide);
        if let Some(found) = found
            && replay(program, mode, &found.path, found.moves, Some(Pair::found(&found.race))).race.is_some()
        {
            return Some(found);
        }
    }
    None
}

fn directed<'p>(
    program: &'p Program<'p>,
    mode: Mode,
    targets: &[Target; 2],
    (byte, table): (u64, Table),
    preferred: usize,
    guide: &Guide,
) -> Option<FoundRace> {
    let layout = Layout::new(program.module.pointer_bytes);
    let fixed = |t: &Target| matches!(t.name.kind, 0 | 3).then_some(t.end.thread as u32);
    let spotter = Rc::new(RefCell::new(Spotter {
        layout,
        order: Order::new(),
        cells: Cells::new(program.module.pointer_bytes, table),
        targets: targets.clone(),
        byte,
        hits: [None; 2],
        count: 0,
        threads: [fixed(&targets[0]), fixed(&targets[1])],
    }));
    let mut machine = Machine::new(program, Mode { histories: false, ..mode });
    machine.observer = Some(Box::new(Shared(Rc::clone(&spotter))));
    let mut run = Run { path: Vec::new(), moves: 0, asked: 0 };
    loop {
        if guide.budget.is_over() {
            return None;
        }
        match schedule::settle(&mut machine, FUEL) {
            Point::Paused => continue,
            Point::Exited | Point::Stopped(..) => return None,
            Point::Choice(t, n) => {
                let value = run.answer(&machine, guide, t, n);
                machine.answer(t, value);
            }
            Point::Node => {
                if let [Some(a), Some(b)] = spotter.borrow().hits {
                    let race = raw(targets, a, b);
                    return Some(FoundRace::new(&machine, race, run.path, run.moves));
                }
                if run.moves >= guide.max_moves || !run.advance(&mut machine, &spotter, preferred, guide) {
                    return None;
                }
            }
        }
    }
}

struct Run {
    path: Vec<u32>,
    moves: u64,
    asked: usize,
}

impl Run {
    /// The answer to a question.
    fn answer(&mut self, machine: &Machine, guide: &Guide, t: usize, n: u32) -> u32 {
        let barrier = machine.threads.iter().any(|th| {
            use machine::native::SyncOp;
            matches!(th.status, machine::Status::At(machine::Pending::Sync(SyncOp::BarrierWait, _)))
        });
        let value = match machine.question {
            _ if barrier => 0,
            Question::Value | Question::Teams { .. } | Question::Threads { .. } | Question::Chunks { .. } => {
                self.asked += 1;
                guide.answers.get(self.asked - 1).copied().unwrap_or(0)
            }
            Question::Owner { share, piece, .. } => guide.distribution.owner(machine, t, (share, piece), n),
            Question::Order { .. } => guide.distribution.next(n),
            Question::Defer { .. } | Question::Split { .. } => 0,
        };
        self.path.push(value);
        value
    }

    /// Performs one operation; false if there is none to perform.
    fn advance(
        &mut self,
        machine: &mut Machine,
        spotter: &RefCell<Spotter>,
        preferred: usize,
        guide: &Guide,
    ) -> bool {
        let options = schedule::options(machine);
        let ways = &options.alternatives;
        if ways.is_empty() {
            return false;
        }
        let rank = |a: &Alternative| spotter.borrow().rank(machine, preferred, a);
        let ranked = ways.iter().enumerate().filter_map(|(i, a)| rank(a).map(|r| (r, i)));
        let Some((_, i)) = ranked.min() else { return false };
        if ways.len() > 1 {
            self.path.push(i as u32);
        }
        self.moves += 1;
        let (t, way) = (ways[i].thread as usize, ways[i].way);
        match machine.perform(t, way) {
            Ok(()) => true,
            Err(Stop::Choose(n)) => {
                let value = self.answer(machine, guide, t, n);
                machine.answer(t, value);
                machine.perform(t, way).is_ok()
            }
            Err(_) => false,
        }
    }
}

impl Spotter {
    /// How much a way to go on is wanted: the less the more; not at all if it would lose an access that was reached.
    fn rank(&self, machine: &Machine, preferred: usize, a: &Alternative) -> Option<u32> {
        let thread = |i: usize| self.threads[i].unwrap_or(u32::MAX);
        let goal = match self.hits {
            [Some(_), None] => 1,
            [None, Some(_)] => 0,
            _ => preferred,
        };
        let other = 1 - goal;
        // Whoever has made its access is held.
        if let Some(hit) = self.hits[other].filter(|h| h.thread as u32 == a.thread) {
            return hit.beside.then_some(8);
        }
        let task = machine.task_of_way(a.thread as usize, a.way).and_then(|t| self.order.task_id(t));
        if let Some(task) = task {
            return Some(self.rank_task(task, a.thread, goal));
        }
        Some(match a.thread {
            t if t == thread(goal) => 0,
            // What the other end's thread does is put off; but it may be what the goal waits for.
            t if t == thread(other) && self.hits[other].is_none() => 5,
            t if self.is_needed(t as usize, goal) => 1,
            _ => 2,
        })
    }

    fn rank_task(&self, task: u64, thread: u32, goal: usize) -> u32 {
        let other = 1 - goal;
        if task == self.targets[goal].name.id {
            // Not where the other end has to be executed.
            let taken = self.hits[other].is_none()
                && (self.threads[other] == Some(thread) || self.is_needed(thread as usize, other));
            return if taken { 6 } else { 0 };
        }
        if task == self.targets[other].name.id {
            return 7;
        }
        if self.targets[goal].needed.contains(&task) {
            return 1;
        }
        if self.targets[other].needed.contains(&task) { 3 } else { 4 }
    }

    /// Whether a thread executes something that has to come before an end.
    fn is_needed(&self, thread: usize, end: usize) -> bool {
        let ids = self.targets[end].needed.as_slice();
        self.order.executes(thread).any(|id| ids.contains(&id))
    }
}

fn raw(targets: &[Target; 2], a: Hit, b: Hit) -> RawRace {
    let touch = |i: usize, hit: Hit| {
        let end = &targets[i].end;
        let touch = Touch {
            granule: hit.byte >> 3,
            mask: 1 << (hit.byte & 7),
            write: end.write,
            atomic: end.atomic,
            access: hit.access,
        };
        (hit.thread as u32, touch)
    };
    let (x, y) = (touch(0, a), touch(1, b));
    if a.order < b.order { RawRace { first: x, second: y } } else { RawRace { first: y, second: x } }
}
