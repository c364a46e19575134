//! Schedules that bring a program to both accesses of a candidate, in the form that the search uses.
//!
//! A directed run follows the rule of the race-detecting state graph (`explore::schedule`): wherever several threads could
//! perform an operation, one thread is preferred until it has made its access; then it is held before its next
//! operation, and the other is preferred until it has made its own. Both orders are tried. What comes of it is a list
//! of choices; `explore::replay`, which keeps vector clocks of its own, must confirm that the accesses are unordered.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

use explore::findings::FoundRace;
use explore::replay::{Pair, replay};
use explore::schedule::{self, Alternative, Point};
use ir::AccessId;
use machine::history::Touch;
use machine::{Edge, Machine, Mode, Observer, Program, Question, RawRace, Stop, Thread, Work};

use crate::conflict::{Candidate, End};
use crate::drive::Distribution;
use crate::locks::Locks;
use crate::order::{Name, Order};
use crate::record::at;

/// Instructions at a time.
const FUEL: u64 = 20_000_000;

/// An access to look out for.
#[derive(Debug, Clone)]
struct Target {
    end: End,
    name: Name,
    /// The locks held, sorted.
    locks: Vec<u64>,
}

#[derive(Debug, Clone, Copy)]
struct Hit {
    order: usize,
    access: AccessId,
    thread: usize,
}

/// Looks out for the two accesses.
struct Spotter {
    order: Order,
    targets: [Target; 2],
    bytes: (u64, u64),
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
        if address >= self.bytes.1 || self.bytes.0 >= address + len {
            return false;
        }
        let at = at(th);
        for i in 0..2 {
            let target = &self.targets[i];
            if self.hits[i].is_some() || at != target.end.at || write != target.end.write {
                continue;
            }
            let mut held: Vec<u64> = th.locks.iter().map(|h| h.lock).collect();
            held.sort_unstable();
            if self.order.name(self.order.pos(t)) == target.name && held == target.locks {
                self.count += 1;
                self.hits[i] = Some(Hit { order: self.count, access, thread: t });
            }
        }
        false
    }

    fn edge(&mut self, t: usize, _: &Thread, edge: Edge) {
        match edge {
            Edge::Fork(u) => self.order.fork(t, u),
            Edge::Join(u) => self.order.join(t, u),
            _ => {}
        }
    }

    fn work(&mut self, t: usize, _: &Thread, work: &Work) {
        self.order.work(t, work);
        if matches!(work, Work::Begin { .. } | Work::TaskBegin { .. }) {
            let name = self.order.name(self.order.pos(t)).strand();
            for i in 0..2 {
                if self.targets[i].name.strand() == name {
                    self.threads[i] = Some(t as u32);
                }
            }
        }
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

    fn edge(&mut self, t: usize, th: &Thread, edge: Edge) {
        self.0.borrow_mut().edge(t, th, edge);
    }

    fn work(&mut self, t: usize, th: &Thread, work: &Work) {
        self.0.borrow_mut().work(t, th, work);
    }

    fn gone(&mut self, t: usize, th: &Thread, address: u64, len: u64) {
        self.0.borrow_mut().gone(t, th, address, len);
    }
}

/// What a directed run is given.
#[derive(Debug, Clone)]
pub struct Guide<'a> {
    /// Answers to questions for values.
    pub answers: &'a [u32],
    /// Who executes the pieces of worksharing constructs.
    pub distribution: Distribution,
    /// The most operations.
    pub max_moves: u64,
    /// When to give up.
    pub deadline: Option<Instant>,
}

/// A confirmed witness of a candidate, if one is found.
pub fn find<'p>(
    program: &'p Program<'p>,
    mode: Mode,
    (order, locks): (&Order, &Locks),
    candidate: &Candidate,
    guide: &Guide,
) -> Option<FoundRace> {
    let target = |end: End| {
        let mut held: Vec<u64> = locks.context(end.context).iter().map(|h| h.lock).collect();
        held.sort_unstable();
        Target { end, name: order.name(end.pos), locks: held }
    };
    let targets = [target(candidate.first), target(candidate.second)];
    for preferred in [0, 1] {
        let found = directed(program, mode, &targets, candidate.bytes, preferred, guide);
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
    bytes: (u64, u64),
    preferred: usize,
    guide: &Guide,
) -> Option<FoundRace> {
    let spotter = Rc::new(RefCell::new(Spotter {
        order: Order::new(),
        targets: targets.clone(),
        bytes,
        hits: [None; 2],
        count: 0,
        threads: targets
            .clone()
            .map(|t| (t.name.kind != 1 && t.name.kind != 2).then_some(t.end.thread as u32)),
    }));
    let mut machine = Machine::new(program, Mode { histories: false, ..mode });
    machine.observer = Some(Box::new(Shared(Rc::clone(&spotter))));
    let mut run = Run { path: Vec::new(), moves: 0, asked: 0 };
    loop {
        if guide.deadline.is_some_and(|d| Instant::now() >= d) {
            return None;
        }
        match schedule::settle(&mut machine, FUEL) {
            Point::Paused => continue,
            Point::Exited | Point::Stopped(..) => return None,
            Point::Choice(t, n) => {
                let value = run.answer(&machine, guide, n);
                machine.answer(t, value);
            }
            Point::Node => {
                let (hits, threads) = (spotter.borrow().hits, spotter.borrow().threads);
                if let [Some(a), Some(b)] = hits {
                    let race = raw(targets, bytes, a, b);
                    return Some(FoundRace::new(&machine, race, run.path, run.moves));
                }
                if run.moves >= guide.max_moves || !run.advance(&mut machine, threads, hits, preferred, guide)
                {
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
    fn answer(&mut self, machine: &Machine, guide: &Guide, n: u32) -> u32 {
        let barrier = machine.threads.iter().any(|th| {
            use machine::native::SyncOp;
            matches!(th.status, machine::Status::At(machine::Pending::Sync(SyncOp::BarrierWait, _)))
        });
        let value = match machine.question {
            _ if barrier => 0,
            Question::Value => {
                self.asked += 1;
                guide.answers.get(self.asked - 1).copied().unwrap_or(0)
            }
            Question::Owner { share, piece, .. } => guide.distribution.owner(share, piece, n),
            Question::Defer { .. } => 0,
        };
        self.path.push(value);
        value
    }

    /// Performs one operation; false if there is none to perform.
    fn advance(
        &mut self,
        machine: &mut Machine,
        threads: [Option<u32>; 2],
        hits: [Option<Hit>; 2],
        preferred: usize,
        guide: &Guide,
    ) -> bool {
        let options = schedule::options(machine);
        let ways = &options.alternatives;
        if ways.is_empty() {
            return false;
        }
        let thread = |i: usize| threads[i].unwrap_or(u32::MAX);
        let (x, y) = (thread(preferred), thread(1 - preferred));
        let rank = |a: &Alternative| match (hits[preferred].is_some(), hits[1 - preferred].is_some()) {
            // Whoever has made its access is held.
            (true, _) if a.thread == x => None,
            (false, true) if a.thread == y => Some(3),
            (true, _) if a.thread == y => Some(0),
            (false, _) if a.thread == x => Some(0),
            (false, _) if a.thread == y => Some(2),
            _ => Some(1),
        };
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
                let value = self.answer(machine, guide, n);
                machine.answer(t, value);
                machine.perform(t, way).is_ok()
            }
            Err(_) => false,
        }
    }
}

fn raw(targets: &[Target; 2], (from, _): (u64, u64), a: Hit, b: Hit) -> RawRace {
    let touch = |i: usize, hit: Hit| {
        let end = &targets[i].end;
        let touch = Touch {
            granule: from >> 3,
            mask: 1 << (from & 7),
            write: end.write,
            atomic: end.atomic,
            access: hit.access,
        };
        (hit.thread as u32, touch)
    };
    let (x, y) = (touch(0, a), touch(1, b));
    if a.order < b.order { RawRace { first: x, second: y } } else { RawRace { first: y, second: x } }
}
