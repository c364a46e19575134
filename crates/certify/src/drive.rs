//! Runs the machine by a plan: who executes which piece and task, and which values are asked for.
//!
//! Any schedule will do, since what is checked holds for all. A thread goes on until it has to wait. What could go more than one way
//! (apart from tasks, whose choice is part of the distribution) is refused, and so is a run that does not come to the end of every
//! thread.

use base::reason::{Reason, RunEnd, Uncertified};
use std::cell::RefCell;

use base::Budget;
use ir::Inst;
use machine::native::SyncOp;
use machine::omp::GO_ON;
use machine::{Machine, Pending, Question, Status, Stop};

use crate::Refused;
use crate::facts::Facts;
use crate::follow::Follower;
use crate::run::Run;

/// Operations that a thread performs before another one's turn, so that loops that wait come to an end.
const BURST: u32 = 256;
/// Instructions at a time.
const FUEL: u64 = 400_000;
/// How often a loop that waits may come back to the same state.
const MAX_SPINS: u32 = 3;
/// More turns than this are refused: the run does not come to an end.
const MAX_TURNS: u64 = 20_000_000;

/// What a run is given.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// Answers to questions for values; 0 beyond.
    pub answers: Vec<u32>,
    /// By how much pieces are turned, by how much more those of nested regions, and by how much tasks.
    pub rotation: u32,
    /// See there.
    pub inner: u32,
    /// See there.
    pub shift: u32,
    /// Whether one thread executes all tasks.
    pub heap: bool,
    /// Whether one thread executes all pieces.
    pub one: bool,
    /// Whether tasks are given to threads.
    pub tasks: bool,
    /// When to give up.
    pub budget: Budget,
}

impl Plan {
    /// Whether a run by this plan is one by the other.
    pub fn is_like(&self, other: &Plan) -> bool {
        let turns = |plan: &Plan| (plan.rotation, plan.inner, plan.shift, [plan.heap, plan.one, plan.tasks]);
        self.answers == other.answers && turns(self) == turns(other)
    }
}

/// What a run was asked.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// Values: the answer, and how many there were.
    pub values: Vec<(u32, u32)>,
    /// The size of the largest team whose pieces were distributed.
    pub team: u32,
}

/// A run in progress.
pub struct Drive<'a, 'p, 'm> {
    /// The machine.
    pub machine: &'a mut Machine<'p>,
    /// Its observer.
    pub run: &'a RefCell<Run<'m>>,
    /// The claims.
    pub facts: &'a Facts,
    /// What it is given.
    pub plan: &'a Plan,
    /// What it was asked.
    pub asked: Asked,
    /// Who follows shares.
    pub follower: Follower,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Local,
    Perform,
    /// It could execute a task, but only such as are another thread's.
    Reluctant,
    Exit,
    Blocked,
    Ended,
}

impl Drive<'_, '_, '_> {
    /// Runs to the end.
    pub fn run(&mut self) -> Result<(), Refused> {
        let (mut t, mut burst, mut spins, mut turns) = (0, 0, 0, 0);
        let mut forced = false;
        loop {
            if let Some(refused) = self.run.borrow_mut().refused.take() {
                return Err(refused);
            }
            if self.machine.exited.is_some() {
                return Ok(());
            }
            turns += 1;
            if turns > MAX_TURNS || turns % 64 == 0 && self.plan.budget.is_over() {
                return Err(Refused::new(RunEnd::TooLong));
            }
            match self.next(t) {
                Next::Reluctant if std::mem::take(&mut forced) => self.perform(t)?,
                Next::Local => self.local(t)?,
                Next::Perform if burst < BURST => {
                    burst += 1;
                    spins += u32::from(self.machine.threads[t].status == Status::At(Pending::Spin));
                    if spins > MAX_SPINS {
                        return Err(self.here(t, Uncertified::WaitingLoop));
                    }
                    self.perform(t)?;
                }
                _ => {
                    burst = 0;
                    match self.turn(t, &mut forced)? {
                        Some(next) => t = next,
                        None => return Ok(()),
                    }
                }
            }
        }
    }

    fn here(&self, t: usize, why: impl Into<Reason>) -> Refused {
        Refused::at(why, crate::run::at(&self.machine.threads[t]))
    }

    /// In which of its ways a waiting thread goes on with a task of its own, or without one.
    fn assigned(&self, t: usize) -> Option<u32> {
        let seat = self.machine.threads[t].omp.seats.last()?;
        let turn = u64::from(self.plan.rotation) + u64::from(self.plan.shift);
        let first = |serial: u32| if self.plan.heap { 0 } else { u64::from(serial) };
        let own =
            |&serial: &u32| (first(serial) + turn) % u64::from(seat.size.max(1)) == u64::from(seat.number);
        let (tasks, over) = self.machine.task_ways(t);
        tasks.iter().position(own).or(over.then_some(tasks.len())).map(|way| way as u32)
    }

    fn next(&self, t: usize) -> Next {
        match self.machine.threads[t].status {
            Status::Ended | Status::Parked => Next::Ended,
            Status::At(Pending::Exit(_) | Pending::Sync(SyncOp::Exit, _)) => Next::Exit,
            _ if self.machine.is_local(t) => Next::Local,
            status => match self.machine.can_go_on(t) {
                true if self.plan.tasks
                    && matches!(status, Status::At(Pending::Omp(_)))
                    && self.assigned(t).is_none() =>
                {
                    Next::Reluctant
                }
                true => Next::Perform,
                false => Next::Blocked,
            },
        }
    }

    /// Whose turn it is after `t`; nobody's if all have ended.
    fn turn(&mut self, t: usize, forced: &mut bool) -> Result<Option<usize>, Refused> {
        let n = self.machine.threads.len();
        let (mut exits, mut waiting, mut reluctant) = (None, None, None);
        for u in (1..=n).map(|i| (t + i) % n) {
            match self.next(u) {
                Next::Local | Next::Perform => return Ok(Some(u)),
                Next::Reluctant => reluctant = reluctant.or(Some(u)),
                Next::Exit => exits = exits.or(Some(u)),
                Next::Blocked => waiting = waiting.or(Some(u)),
                Next::Ended => {}
            }
        }
        if reluctant.is_some() {
            *forced = true;
            return Ok(reluctant);
        }
        match (exits, waiting) {
            (None, None) => Ok(None),
            (_, Some(u)) => Err(self.here(u, RunEnd::WaitsForEver)),
            (Some(u), None) => match self.machine.perform(u, 0) {
                Ok(()) => Ok(Some(u)),
                Err(stop) => Err(self.stopped(u, &stop)),
            },
        }
    }

    fn stopped(&self, t: usize, stop: &Stop) -> Refused {
        let why = match stop {
            Stop::Unknown(why) => Reason::clone(why),
            Stop::Defect(_, message) => Reason::RunDefect { message: message.clone() },
            Stop::Infeasible => RunEnd::AssumptionFails.into(),
            Stop::BarrierOrder => RunEnd::BarrierOrder.into(),
            _ => RunEnd::Stuck.into(),
        };
        self.here(t, why)
    }

    /// Runs local instructions: for a while, or one if shares are followed.
    fn local(&mut self, t: usize) -> Result<(), Refused> {
        let follows = self.follower.follows(&mut self.run.borrow_mut(), self.machine, t);
        let stop = if !follows {
            self.machine.run(t, FUEL)
        } else if self.machine.threads[t].status != Status::Ready {
            // It completes its operation first.
            self.machine.run(t, 0)
        } else {
            let step = self.follower.before(&mut self.run.borrow_mut(), self.machine, t);
            let stop = self.machine.run(t, 1);
            self.follower.after(&mut self.run.borrow_mut(), self.machine, t, step, self.facts);
            stop
        };
        match stop {
            Stop::AtSync | Stop::Fuel => Ok(()),
            Stop::Ended => {
                let mut run = self.run.borrow_mut();
                run.registers.retain(|(u, _), _| *u != t);
                run.order.end(t)
            }
            Stop::Choose(n) => self.choose(t, n),
            stop => Err(self.stopped(t, &stop)),
        }
    }

    fn perform(&mut self, t: usize) -> Result<(), Refused> {
        let mut way = 0;
        if matches!(self.machine.threads[t].status, Status::At(Pending::Omp(_))) {
            if self.machine.is_creation(t) {
                way = GO_ON;
            } else if self.plan.tasks {
                let size = self.machine.threads[t].omp.seats.last().map_or(0, |seat| seat.size);
                self.asked.team = self.asked.team.max(size);
                way = self.assigned(t).unwrap_or(0);
                if !self.machine.is_tied_way(t, way) {
                    return Err(self.here(t, Uncertified::UntiedTask));
                }
            } else if self.machine.task_of_way(t, self.plan.rotation).is_some() {
                way = self.plan.rotation;
            }
        } else if self.machine.alternatives(t).count > 1 {
            return Err(self.here(t, Uncertified::TwoWays));
        }
        match self.machine.perform(t, way) {
            Ok(()) => Ok(()),
            Err(Stop::Choose(n)) => self.choose(t, n),
            Err(stop) => Err(self.stopped(t, &stop)),
        }
    }

    fn choose(&mut self, t: usize, n: u32) -> Result<(), Refused> {
        if let Status::At(Pending::Sync(SyncOp::BarrierWait, args)) = self.machine.threads[t].status {
            return self.serial(t, args[0]);
        }
        let answer = match self.machine.question {
            Question::Value | Question::Teams { .. } | Question::Threads { .. } | Question::Chunks { .. } => {
                let answer = self.plan.answers.get(self.asked.values.len()).copied().unwrap_or(0);
                self.asked.values.push((answer, n));
                answer
            }
            Question::Owner { piece, .. } => {
                self.asked.team = self.asked.team.max(n);
                let inner = if self.is_nested(t) { self.plan.inner } else { 0 };
                let turn = u64::from(self.plan.rotation) + u64::from(inner);
                let first = if self.plan.one { 0 } else { piece };
                ((first + turn) % u64::from(n.max(1))) as u32
            }
            Question::Order { .. } | Question::Defer { .. } | Question::Split { .. } => 0,
        };
        self.machine.answer(t, answer);
        Ok(())
    }

    /// Whether the region that a thread is in is inside another. Who forked it knows; a worker knows only the region.
    fn is_nested(&self, t: usize) -> bool {
        let home = self.machine.threads[t]
            .omp
            .seats
            .last()
            .and_then(|seat| self.machine.omp.regions.get(&seat.home));
        let first = home.and_then(|region| region.members.first()).map_or(t, |&first| first as usize);
        self.machine.threads[first].omp.seats.iter().filter(|seat| seat.size > 1).count() > 1
    }

    /// The last thread arrives at a barrier (R5): it is open which one is called the serial one.
    fn serial(&mut self, t: usize, address: u64) -> Result<(), Refused> {
        let at =
            |u: usize| u == t || self.machine.threads[u].status == Status::At(Pending::AtBarrier(address));
        let there: Vec<usize> = (0..self.machine.threads.len()).filter(|&u| at(u)).collect();
        let slots: Option<Vec<_>> =
            there.iter().map(|&u| self.result_slot(u).map(|slot| (u, slot))).collect();
        self.machine.answer(t, 0);
        let stop = match self.machine.is_local(t) {
            true => Some(self.machine.run(t, 0)).filter(|stop| !matches!(stop, Stop::Fuel | Stop::AtSync)),
            false => self.machine.perform(t, 0).err(),
        };
        if let Some(stop) = stop {
            return Err(self.stopped(t, &stop));
        }
        let Some(slots) = slots else { return Err(self.here(t, Uncertified::BarrierResult)) };
        for (u, slot) in slots.into_iter().filter_map(|(u, slot)| Some((u, slot?))) {
            self.machine.threads[u].shadows[slot] = u32::MAX.into();
        }
        Ok(())
    }

    /// Where the result of the call goes at which a thread stands, if anybody wants it; nothing if that is not understood.
    fn result_slot(&self, u: usize) -> Option<Option<usize>> {
        let frame = self.machine.threads[u].frames.last()?;
        let body = self.machine.program.module.funcs[frame.func.0 as usize].body.as_ref()?;
        match body.code[frame.pc as usize] {
            Inst::Call { site } => {
                let site = body.calls[site as usize];
                Some((site.result_slots > 0).then_some(frame.base + site.result.0 as usize))
            }
            Inst::Invoke { site, .. } if body.calls[site as usize].result_slots == 0 => Some(None),
            _ => None,
        }
    }
}
