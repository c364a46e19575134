//! States and steps of an OpenMP program.
//!
//! See the documentation of [`super`] for the semantics. A state has the team's threads, the tasks (the first ones
//! are the threads' implicit tasks), memory, and what each synchronisation has passed on. Worksharing is in
//! [`super::share`], tasks in [`super::tasks`]. Every step copies the whole state.

use super::access::{Access, Accesses, Kind, Past};
use super::code::{ALL_REGISTERS, Action, Code, Op};
use super::program::{Place, REGISTERS, Test, Value};
use super::share::{Blocks, Instance};
use super::tasks::{Status, Task};

/// A thread of the team.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Thread {
    /// The task that it is in the midst of; `None` at a task scheduling point.
    pub current: Option<u8>,
    /// How many worksharing constructs it has met since the last barrier.
    pub ordinal: u8,
    /// What happens before its next step.
    pub past: Past,
    /// What relaxed reads have seen released; a flush takes it over.
    pub seen: Past,
    /// The past at the last flush; relaxed writes publish it.
    pub flushed: Past,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Lock {
    /// The task that holds it.
    holder: Option<u8>,
    released: Past,
}

/// A thread's part of a reduction that is not combined yet.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Pending {
    thread: u8,
    place: u16,
    value: i32,
    line: u32,
    past: Past,
}

/// A complete state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) threads: Vec<Thread>,
    pub(super) tasks: Vec<Task>,
    pub(super) instances: Vec<Instance>,
    /// How static schedules divide loops, in the whole execution.
    pub(super) blocks: Blocks,
    /// For each running taskgroup what its finished tasks pass on.
    pub(super) groups: Vec<Option<Past>>,
    /// What finished tasks and combined reductions pass on to the next barrier.
    pub(super) team_past: Past,
    /// The registers of `main` while a region runs.
    serial: [i32; REGISTERS as usize],
    memory: Vec<i32>,
    /// For each place what its last atomic write has published.
    released: Vec<Past>,
    locks: Vec<Lock>,
    pending: Vec<Pending>,
    /// All accesses executed so far, but for those that everyone knows.
    executed: Past,
    /// Whether this execution has had a race. Steers nothing.
    pub raced: bool,
}

/// One possible step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// The thread executes the next instruction of one of its tasks.
    Step(usize, usize),
    /// The thread begins a task.
    Start(usize, usize),
    /// The thread, which stands at a worksharing construct, gets one of the possible shares.
    Choose(usize, u8),
    /// A part of a reduction is combined.
    Combine(usize),
}

/// What a step leads to.
#[derive(Debug)]
pub enum Effect {
    /// A next state, and the races of the step: pairs of an earlier access and the one just made.
    Next(Box<State>, Vec<(usize, usize)>),
    /// An assertion failed; the execution ends.
    AssertionFailed,
    /// The program breaks a rule (locks what its task holds already): not a program to judge.
    Misuse,
}

enum Done {
    Advance,
    Goto(usize),
    /// The task stands already where it goes on.
    There,
    Failed,
    Misuse,
}

/// The races of a step, and the numbers of accesses.
pub(super) struct Log<'a> {
    accesses: &'a mut Accesses,
    races: Vec<(usize, usize)>,
}

impl State {
    /// The state in which `main` stands before its first visible step.
    pub(super) fn initial(code: &Code, blocks: Blocks) -> State {
        let thread = Thread { current: Some(0), ordinal: 0, past: 0, seen: 0, flushed: 0 };
        let mut state = State {
            threads: vec![thread],
            tasks: vec![Task::implicit(0, 0, [0; ALL_REGISTERS])],
            instances: Vec::new(),
            blocks,
            groups: Vec::new(),
            team_past: 0,
            serial: [0; REGISTERS as usize],
            memory: vec![0; code.places],
            released: vec![0; code.places],
            locks: vec![Lock { holder: None, released: 0 }; code.locks],
            pending: Vec::new(),
            executed: 0,
            raced: false,
        };
        state.settle(code, 0, 0);
        state.pass_barriers(code);
        state
    }

    /// Whether `main` has ended.
    pub fn finished(&self, code: &Code) -> bool {
        self.threads.len() == 1 && *self.op(code, 0) == Op::End
    }

    pub(super) fn op<'c>(&self, code: &'c Code, task: usize) -> &'c Op {
        &code.ops[self.tasks[task].pc as usize]
    }

    /// All possible steps; for what `plain` means see [`super::explore::explore_with`].
    pub fn moves(&self, code: &Code, plain: bool) -> Vec<Move> {
        let mut moves = Vec::new();
        for (t, thread) in self.threads.iter().enumerate() {
            if let Some(k) = thread.current
                && let Some(options) = self.shares(code, t, k as usize)
            {
                moves.extend((0..options.len()).map(|o| Move::Choose(t, o as u8)));
                // As soon as possible, one thread after the other: that is no restriction, since the choice of a share
                // is not a step that others could come before (see `share`).
                if !plain {
                    return moves;
                }
            }
        }
        moves.extend((0..self.pending.len()).map(Move::Combine));
        for (t, thread) in self.threads.iter().enumerate() {
            for k in 0..self.tasks.len() {
                let task = &self.tasks[k];
                let mine = task.status == Status::Started && task.thread as usize == t;
                let may = thread.current.is_none_or(|current| current as usize == k);
                if mine && may && self.enabled(code, k) {
                    moves.push(Move::Step(t, k));
                }
                if thread.current.is_none() && self.may_start(code, t, k) {
                    moves.push(Move::Start(t, k));
                }
            }
        }
        moves
    }

    fn enabled(&self, code: &Code, task: usize) -> bool {
        match *self.op(code, task) {
            // Locking what one holds oneself counts as enabled here, so that the step can report the misuse.
            Op::Lock(l) => {
                let holder = self.locks[l as usize].holder;
                holder.is_none() || holder == Some(task as u8)
            }
            Op::OrderedBegin => self.my_turn(task),
            Op::Taskwait => self.children_done(task),
            Op::GroupEnd => self.group_done(task),
            Op::Created => self.undeferred_done(task),
            // Passed together, or chosen.
            Op::Barrier | Op::Join | Op::End | Op::Next { .. } | Op::Single { .. } => false,
            _ => true,
        }
    }

    /// Takes one of the steps that [`State::moves`] returned.
    pub fn step(&self, code: &Code, accesses: &mut Accesses, step: Move, plain: bool) -> Effect {
        let mut next = self.clone();
        let mut log = Log { accesses, races: Vec::new() };
        match step {
            Move::Combine(p) => next.combine(p, &mut log),
            Move::Choose(t, option) => next.choose(code, t, option as usize),
            Move::Start(t, k) => next.start(code, t, k),
            Move::Step(t, k) => match next.execute(code, t, k, &mut log) {
                Done::Advance => next.go(code, t, k, next.tasks[k].pc as usize + 1),
                Done::Goto(target) => next.go(code, t, k, target),
                Done::There => {}
                Done::Failed => return Effect::AssertionFailed,
                Done::Misuse => return Effect::Misuse,
            },
        }
        next.pass_barriers(code);
        if !plain {
            next.forget();
        }
        next.raced |= !log.races.is_empty();
        Effect::Next(Box::new(next), log.races)
    }

    /// Thread `t` goes on with task `k` at `pc`.
    pub(super) fn go(&mut self, code: &Code, t: usize, k: usize, pc: usize) {
        self.tasks[k].pc = pc as u16;
        if self.threads[t].current.is_none_or(|c| c as usize == k) {
            self.settle(code, t, k);
        }
    }

    /// Runs the silent instructions of task `k` up to its next visible one, a choice, or its end.
    pub(super) fn settle(&mut self, code: &Code, t: usize, k: usize) {
        self.threads[t].current = Some(k as u8);
        loop {
            let pc = self.tasks[k].pc as usize;
            let next = match &code.ops[pc] {
                &Op::Set { reg, value } => {
                    self.tasks[k].regs[reg as usize] = self.tasks[k].value(value);
                    pc + 1
                }
                &Op::ThreadNum { reg } => {
                    self.tasks[k].regs[reg as usize] = t as i32;
                    pc + 1
                }
                &Op::Jump(target) => target,
                &Op::Unless { test, target } => {
                    if self.tasks[k].holds(test) {
                        pc + 1
                    } else {
                        target
                    }
                }
                &Op::OnlyThread { thread, target } => {
                    if thread as usize == t {
                        pc + 1
                    } else {
                        target
                    }
                }
                Op::Flush => {
                    let thread = &mut self.threads[t];
                    thread.past |= thread.seen;
                    thread.flushed = thread.past;
                    pc + 1
                }
                &Op::Enter { schedule, n, ordered } => {
                    self.enter(t, k, schedule, n, ordered);
                    pc + 1
                }
                Op::Next { .. } | Op::Single { .. } => match self.forced_share(code, t, k) {
                    Some(target) => target,
                    None => return,
                },
                Op::Section(targets) => targets[self.tasks[k].regs[super::code::ITER as usize] as usize],
                &Op::Reduce { place, reg, line } => {
                    self.reduce(code, t, k, place, reg, line);
                    pc + 1
                }
                Op::GroupBegin => {
                    self.begin_group(k);
                    pc + 1
                }
                &Op::Fork { threads } => return self.fork(code, threads as usize),
                Op::TaskEnd => return self.end_task(code, t, k),
                Op::Created | Op::Taskwait | Op::Taskyield | Op::GroupEnd | Op::Barrier | Op::Join => {
                    self.threads[t].current = None;
                    return;
                }
                _ => return,
            };
            self.tasks[k].pc = next as u16;
        }
    }

    /// A region begins: the only thread becomes the first one of a team.
    fn fork(&mut self, code: &Code, threads: usize) {
        let main = &mut self.tasks[0];
        self.serial.copy_from_slice(&main.regs[..REGISTERS as usize]);
        main.regs[..REGISTERS as usize].fill(0);
        main.pc += 1;
        let (pc, regs) = (main.pc, main.regs);
        let past = self.threads[0].past;
        for t in 1..threads {
            self.tasks.push(Task::implicit(t as u8, pc, regs));
            self.threads.push(Thread { current: Some(t as u8), ordinal: 0, past, seen: 0, flushed: 0 });
        }
        for t in 0..threads {
            self.settle(code, t, t);
        }
    }

    /// Lets the team pass its barrier if everyone is there and nothing is left to do.
    fn pass_barriers(&mut self, code: &Code) {
        loop {
            let team = self.threads.len();
            let waits = |t: usize| matches!(self.op(code, t), Op::Barrier | Op::Join);
            let busy = self.tasks[team..].iter().any(|task| task.status != Status::Done);
            if !(0..team).all(waits) || busy || !self.pending.is_empty() {
                return;
            }
            let past = self.threads.iter().fold(self.team_past, |past, t| past | t.past);
            let joins = *self.op(code, 0) == Op::Join;
            self.team_past = 0;
            self.groups.clear();
            if joins {
                self.threads.truncate(1);
                self.tasks[0].regs[..REGISTERS as usize].copy_from_slice(&self.serial);
                self.serial.fill(0);
            }
            self.tasks.truncate(self.threads.len());
            for t in 0..self.threads.len() {
                self.threads[t].past = past;
                self.threads[t].ordinal = 0;
                self.tasks[t].children_past = 0;
                self.tasks[t].pc += 1;
            }
            for t in 0..self.threads.len() {
                self.settle(code, t, t);
            }
        }
    }

    /// Drops accesses that everyone knows: they cannot race any more.
    fn forget(&mut self) {
        let all = self.threads.iter().fold(self.executed, |known, t| known & t.past);
        let known = self.pending.iter().fold(all, |known, p| known & p.past);
        if known != 0 {
            self.executed &= !known;
            self.for_each_past(|past| *past &= !known);
        }
    }

    fn for_each_past(&mut self, mut change: impl FnMut(&mut Past)) {
        for thread in &mut self.threads {
            change(&mut thread.past);
            change(&mut thread.seen);
            change(&mut thread.flushed);
        }
        for task in &mut self.tasks {
            change(&mut task.past);
            change(&mut task.children_past);
        }
        self.released.iter_mut().for_each(&mut change);
        self.locks.iter_mut().for_each(|l| change(&mut l.released));
        self.groups.iter_mut().flatten().for_each(&mut change);
        self.instances.iter_mut().for_each(|i| change(&mut i.ordered_past));
        self.pending.iter_mut().for_each(|p| change(&mut p.past));
        change(&mut self.team_past);
    }

    fn execute(&mut self, code: &Code, t: usize, k: usize, log: &mut Log<'_>) -> Done {
        match self.op(code, k) {
            &Op::Access { place, action, line } => self.access(code, t, k, place, action, line, log),
            &Op::Lock(l) => {
                let lock = &mut self.locks[l as usize];
                if lock.holder.is_some() {
                    return Done::Misuse;
                }
                lock.holder = Some(k as u8);
                self.threads[t].past |= lock.released;
            }
            &Op::TestLock { lock, target } => {
                let lock = &mut self.locks[lock as usize];
                match lock.holder {
                    Some(holder) if holder == k as u8 => return Done::Misuse,
                    Some(_) => return Done::Goto(target),
                    None => {
                        lock.holder = Some(k as u8);
                        self.threads[t].past |= lock.released;
                    }
                }
            }
            &Op::Unlock(l) => {
                let lock = &mut self.locks[l as usize];
                if lock.holder != Some(k as u8) {
                    return Done::Misuse;
                }
                *lock = Lock { holder: None, released: self.threads[t].past };
            }
            Op::OrderedBegin => self.begin_ordered(t),
            Op::OrderedEnd => self.end_ordered(t),
            &Op::Assert(test) if !self.tasks[k].holds(test) => return Done::Failed,
            Op::Create { .. } => {
                self.create(code, t, k);
                return Done::There;
            }
            Op::Created => self.tasks[k].waiting = None,
            Op::Taskwait => self.threads[t].past |= self.tasks[k].children_past,
            Op::GroupEnd => self.end_group(t, k),
            _ => {}
        }
        Done::Advance
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one instruction")]
    fn access(
        &mut self,
        code: &Code,
        t: usize,
        k: usize,
        place: Place,
        action: Action,
        line: u32,
        log: &mut Log<'_>,
    ) {
        let place = code.resolve(place, &self.tasks[k].regs);
        let write = !matches!(action, Action::Read { .. } | Action::AtomicRead { .. });
        let plain = matches!(action, Action::Read { .. } | Action::Write { .. });
        let kind = if plain { Kind::Plain } else { Kind::Atomic };
        let access = Access { thread: t as u8, place: place as u16, write, kind, line };
        let past = self.threads[t].past;
        self.threads[t].past |= self.happens(access, past, log);
        let old = self.memory[place];
        match action {
            Action::Read { reg } => self.tasks[k].regs[reg as usize] = old,
            Action::Write { value } => {
                self.memory[place] = self.tasks[k].value(value);
                self.released[place] = 0;
            }
            Action::AtomicRead { reg, order } => {
                self.tasks[k].regs[reg as usize] = old;
                self.take(t, place, order.acquires());
            }
            Action::AtomicWrite { value, order } => {
                self.memory[place] = self.tasks[k].value(value);
                self.released[place] = self.published(t, order.releases());
            }
            Action::AtomicAdd { reg, add, order } => {
                self.tasks[k].regs[reg as usize] = old;
                self.memory[place] = old + add;
                self.take(t, place, order.acquires());
                self.released[place] |= self.published(t, order.releases());
            }
        }
    }

    fn take(&mut self, t: usize, place: usize, acquires: bool) {
        let released = self.released[place];
        let thread = &mut self.threads[t];
        if acquires {
            thread.past |= released;
        } else {
            thread.seen |= released;
        }
    }

    fn published(&self, t: usize, releases: bool) -> Past {
        if releases { self.threads[t].past } else { self.threads[t].flushed }
    }

    /// An access happens now, after `past`: compares it with all conflicting ones so far. Returns it as a set.
    fn happens(&mut self, access: Access, past: Past, log: &mut Log<'_>) -> Past {
        let number = log.accesses.number(access);
        let unordered = self.executed & !past;
        log.races.extend(log.accesses.conflicting(unordered, &access).map(|earlier| (earlier, number)));
        let bit: Past = 1 << number;
        if self.executed & bit != 0 {
            self.for_each_past(|past| *past &= !bit);
        }
        self.executed |= bit;
        bit
    }

    fn reduce(&mut self, code: &Code, t: usize, k: usize, place: Place, reg: u8, line: u32) {
        let place = code.resolve(place, &self.tasks[k].regs) as u16;
        let value = self.tasks[k].regs[reg as usize];
        let past = self.threads[t].past;
        self.pending.push(Pending { thread: t as u8, place, value, line, past });
        self.pending.sort_by_key(|p| (p.thread, p.line, p.place));
    }

    fn combine(&mut self, which: usize, log: &mut Log<'_>) {
        let part = self.pending.remove(which);
        let access = Access {
            thread: part.thread,
            place: part.place,
            write: true,
            kind: Kind::Reduction,
            line: part.line,
        };
        let bit = self.happens(access, part.past, log);
        self.team_past |= bit | part.past;
        self.memory[part.place as usize] += part.value;
        self.released[part.place as usize] = 0;
    }
}

impl Task {
    pub(super) fn value(&self, value: Value) -> i32 {
        match value {
            Value::Const(c) => c,
            Value::Plus(r, c) => self.regs[r as usize] + c,
            Value::Sum(a, b) => self.regs[a as usize] + self.regs[b as usize],
            Value::Iter(c) => self.regs[super::code::ITER as usize] + c,
        }
    }

    pub(super) fn holds(&self, test: Test) -> bool {
        (self.regs[test.reg as usize] == test.value) == test.equal
    }
}
