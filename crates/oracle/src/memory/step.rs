//! Steps: what a thread does next, and what others can see of it.
//!
//! A step is one instruction that another thread can tell the moment of, with all the silent ones behind it. Silent is what commutes
//! with the steps of others when it comes earlier: work on registers and on objects that no other thread ever touches, releasing a
//! lock, creating and ending a task, fork. Which objects these are is guessed at first; a thread that touches what another one
//! has touched silently makes the search start again with that class of objects visible ([`World::restart`]). Until then
//! nothing was lost: before the first such touch all that was done silently commutes.

use super::access::{Access, Lane};
use super::code::{Code, Kind, Op};
use super::program::{Bin, Reduction};
use super::share::splits;
use super::state::{NONE, State, Status, Stop, World, address, number, target};

/// One possible step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// The thread executes the next instruction of one of its tasks.
    Step(usize, usize),
    /// The thread begins a task.
    Start(usize, usize),
    /// The thread takes one of the possible shares or splits.
    Choose(usize, usize),
}

/// An access by its address.
struct Target {
    object: u16,
    offset: u16,
    size: u8,
}

/// The access that an instruction makes, as far as the instruction says.
#[derive(Clone, Copy)]
struct Mode {
    write: bool,
    kind: Kind,
    line: u32,
}

impl State {
    /// All possible steps.
    pub fn moves(&self, code: &Code) -> Vec<Move> {
        for (t, thread) in self.threads.iter().enumerate() {
            if let Some(k) = thread.current
                && let Some(options) = self.choices(code, t, k as usize)
            {
                return (0..options).map(|o| Move::Choose(t, o)).collect();
            }
        }
        let mut moves = Vec::new();
        for t in (0..self.threads.len()).filter(|&t| !self.threads[t].teams.is_empty()) {
            for k in 0..self.tasks.len() {
                if self.may_continue(t, k) && self.enabled(code, k) {
                    moves.push(Move::Step(t, k));
                }
                if self.threads[t].current.is_none() && self.may_start(code, t, k) {
                    moves.push(Move::Start(t, k));
                }
            }
        }
        moves
    }

    /// Takes one of the steps that [`State::moves`] returned.
    pub fn step(&self, code: &Code, world: &mut World, step: Move) -> Result<State, Stop> {
        let mut next = self.clone();
        match step {
            Move::Choose(t, option) => {
                let Some(k) = next.threads[t].current else { return Err(Stop::Misuse) };
                next.choose(code, world, t, k as usize, option)?;
                next.settle(code, world, t)?;
            }
            Move::Start(t, k) => {
                next.begin(t, k);
                next.settle(code, world, t)?;
            }
            Move::Step(t, k) => {
                if next.threads[t].current.is_none() {
                    next.resume(code, t, k);
                } else {
                    next.execute(code, world, t, k)?;
                }
                next.settle(code, world, t)?;
            }
        }
        next.pass_barriers(code, world)?;
        next.tidy();
        next.forget();
        Ok(next)
    }

    /// The state from which the search begins.
    pub fn started(code: &Code, world: &mut World) -> Result<State, Stop> {
        let mut state = State::initial(code);
        state.settle(code, world, 0)?;
        state.pass_barriers(code, world)?;
        state.tidy();
        Ok(state)
    }

    /// Runs the silent instructions of the thread's current task.
    pub(super) fn settle(&mut self, code: &Code, world: &mut World, t: usize) -> Result<(), Stop> {
        while let Some(k) = self.threads[t].current {
            let k = k as usize;
            if let Op::Created | Op::Taskwait | Op::Taskyield | Op::GroupEnd | Op::Barrier | Op::Join =
                self.op(code, k)
            {
                self.suspend(t, k);
                return Ok(());
            }
            match self.choices(code, t, k) {
                Some(1) => self.choose(code, world, t, k, 0)?,
                Some(_) => return Ok(()),
                None if self.silent(code, world, k) => self.execute(code, world, t, k)?,
                None => return Ok(()),
            }
        }
        Ok(())
    }

    fn silent(&self, code: &Code, world: &World, k: usize) -> bool {
        let regs = &self.tasks[k].regs;
        match *self.op(code, k) {
            Op::Load { addr, size, .. } | Op::Store { addr, size, .. } | Op::AtomicAdd { addr, size, .. } => {
                let object = self.find(regs[addr as usize], size);
                object.is_ok_and(|at| !world.visible.contains(&self.memory[&at.object].class))
            }
            Op::Bin(Bin::Div, _, _, divisor) => regs[divisor as usize] != 0,
            Op::Assert(reg) => regs[reg as usize] != 0,
            Op::Lock(_) | Op::End | Op::Reduce(..) => false,
            _ => true,
        }
    }

    /// The object that an access of `size` bytes at an address goes to.
    fn find(&self, addr: i64, size: u8) -> Result<Target, Stop> {
        let (object, offset) = target(addr).ok_or(Stop::Fault("null-pointer"))?;
        let known = self.memory.get(&object).ok_or(Stop::Misuse)?;
        let inside = offset >= 0 && offset + i64::from(size) <= known.bytes.len() as i64;
        if inside {
            Ok(Target { object, offset: offset as u16, size })
        } else {
            Err(Stop::Fault("out-of-bounds"))
        }
    }

    /// Notes an access and its races; returns the place.
    fn access(
        &mut self,
        world: &mut World,
        (t, k): (usize, usize),
        addr: i64,
        size: u8,
        mode: Mode,
    ) -> Result<Target, Stop> {
        let at = self.find(addr, size)?;
        let name = self.threads[t].name;
        let object = self.memory.get_mut(&at.object).ok_or(Stop::Misuse)?;
        let visible = world.visible.contains(&object.class);
        if !visible {
            if *object.touched.get_or_insert(name) != name {
                world.visible.insert(object.class);
                world.restart = true;
            }
            if self.tasks[k].lane.is_none() {
                return Ok(at);
            }
        }
        let Mode { write, kind, line } = mode;
        let lane = self.tasks[k].lane;
        let access =
            Access { thread: name, object: at.object, offset: at.offset, size, write, kind, lane, line };
        let past = self.threads[t].past;
        let racing = world.accesses.racing(self.executed, past, &access);
        world.races.extend(racing.into_iter().map(|other| (other.min(line), other.max(line))));
        let bit = 1 << world.accesses.number(access);
        self.for_each_past(|past| *past &= !bit);
        self.executed |= bit;
        self.threads[t].past |= bit;
        Ok(at)
    }

    fn get(&self, at: &Target) -> i64 {
        let bytes = &self.memory[&at.object].bytes;
        let from = at.offset as usize;
        number(&bytes[from..from + at.size as usize], true)
    }

    fn put(&mut self, at: &Target, value: i64) {
        if let Some(object) = self.memory.get_mut(&at.object) {
            let (from, size) = (at.offset as usize, at.size as usize);
            let bytes = value.to_le_bytes().into_iter().chain(std::iter::repeat(0));
            object.bytes[from..from + size].iter_mut().zip(bytes).for_each(|(old, new)| *old = new);
        }
    }

    /// Sets a whole variable of the task, which nobody else knows of yet or may tell the moment of.
    fn set(&mut self, object: u16, value: i64) {
        if let Some(known) = self.memory.get_mut(&object) {
            let size = known.bytes.len().min(8);
            known.bytes[..size].copy_from_slice(&value.to_le_bytes()[..size]);
        }
    }

    /// Executes the instruction that task `k` on thread `t` stands at.
    fn execute(&mut self, code: &Code, world: &mut World, t: usize, k: usize) -> Result<(), Stop> {
        let pc = self.tasks[k].pc as usize;
        let reg = |this: &State, r: u8| this.tasks[k].regs[r as usize];
        let mut next = pc + 1;
        match &code.ops[pc] {
            &Op::Const(r, n) => self.tasks[k].regs[r as usize] = n,
            &Op::Copy(r, from) => self.tasks[k].regs[r as usize] = reg(self, from),
            &Op::Bin(op, r, a, b) => {
                self.tasks[k].regs[r as usize] = compute(op, reg(self, a), reg(self, b))?;
            }
            &Op::Address(r, v) => {
                let object = self.object(code, world, t, k, v);
                if object == NONE {
                    return Err(Stop::Misuse);
                }
                self.tasks[k].regs[r as usize] = address(object);
            }
            &Op::ThreadNum(r) => {
                let member = self.threads[t].innermost();
                let league = self.team(member.team).league;
                self.tasks[k].regs[r as usize] = if league { 0 } else { i64::from(member.number) };
            }
            &Op::TeamNum(r) => {
                let league = self.threads[t].teams.iter().find(|m| self.team(m.team).league);
                self.tasks[k].regs[r as usize] = league.map_or(0, |m| i64::from(m.number));
            }
            &Op::MaxThreads(r) => {
                self.tasks[k].regs[r as usize] = i64::from(self.tasks[k].max_threads);
                if self.tasks[k].max_threads == 0 {
                    return Err(Stop::Misuse);
                }
            }
            &Op::SetNumThreads(r) => {
                let wanted = reg(self, r);
                if !(1..=4).contains(&wanted) {
                    return Err(Stop::Misuse);
                }
                self.tasks[k].max_threads = wanted as u8;
            }
            &Op::Alloc { reg: r, class, size } => {
                let object = self.allocate(world, t, class, size);
                self.tasks[k].regs[r as usize] = address(object);
            }
            &Op::Load { reg: r, addr, size, kind, line } => {
                let mode = Mode { write: false, kind, line };
                let at = self.access(world, (t, k), reg(self, addr), size, mode)?;
                self.tasks[k].regs[r as usize] = self.get(&at);
            }
            &Op::Store { addr, value, size, line } => {
                let mode = Mode { write: true, kind: Kind::Plain, line };
                let at = self.access(world, (t, k), reg(self, addr), size, mode)?;
                self.put(&at, reg(self, value));
            }
            &Op::AtomicAdd { reg: r, addr, value, size, line } => {
                let mode = Mode { write: true, kind: Kind::Atomic, line };
                let at = self.access(world, (t, k), reg(self, addr), size, mode)?;
                let old = self.get(&at);
                self.put(&at, old.wrapping_add(reg(self, value)));
                self.tasks[k].regs[r as usize] = old;
            }
            &Op::Jump(target) => next = target,
            &Op::JumpIfZero(r, target) if reg(self, r) == 0 => next = target,
            Op::JumpIfZero(..) => {}
            &Op::Assert(r) if reg(self, r) == 0 => return Err(Stop::Assertion),
            Op::Assert(_) => {}
            Op::Done => self.tasks[k].regs.fill(0),
            &Op::Masked(end) if self.threads[t].innermost().number != 0 => next = end,
            Op::Masked(_) => {}
            Op::Section(targets) => {
                let share = *self.tasks[k].shares.last().ok_or(Stop::Misuse)?;
                next = targets[share as usize];
            }
            Op::Lock(_) | Op::Unlock(_) => self.lock(code, t, k)?,
            Op::Fork { .. } => return self.fork(code, world, t, k),
            Op::TaskEnd => {
                self.end_task(t, k);
                return Ok(());
            }
            Op::Task { .. } => return self.create(code, world, t, k),
            Op::GroupBegin => self.begin_group(k),
            _ => next = self.execute_scope(code, world, t, k)?,
        }
        self.tasks[k].pc = next as u16;
        Ok(())
    }

    /// Instructions about variables and loops; returns where the task goes on.
    fn execute_scope(&mut self, code: &Code, world: &mut World, t: usize, k: usize) -> Result<usize, Stop> {
        let pc = self.tasks[k].pc as usize;
        match code.ops[pc] {
            Op::Declare(v) => {
                self.declare(code, world, t, k, v);
                // Loops count from here.
                if matches!(code.ops[pc + 1], Op::Count { .. } | Op::Lane { .. }) {
                    self.set(self.tasks[k].objects[v as usize], -1);
                }
                if matches!(code.ops[pc + 1], Op::Lane { .. }) {
                    self.threads[t].lanes += 1;
                }
            }
            Op::Forget(v) => {
                let object = std::mem::replace(&mut self.tasks[k].objects[v as usize], NONE);
                self.memory.remove(&object);
            }
            Op::Privatise(v, identity) => {
                let outer = self.object(code, world, t, k, v);
                self.tasks[k].saved.push(outer);
                self.tasks[k].objects[v as usize] = NONE;
                self.declare(code, world, t, k, v);
                self.set(self.tasks[k].objects[v as usize], identity);
            }
            Op::Publish(v) => self.publish(k, v),
            Op::Reduce(op, v, line) => {
                let own = self.tasks[k].objects[v as usize];
                let part = number(&self.memory[&own].bytes, true);
                let outer = *self.tasks[k].saved.last().ok_or(Stop::Misuse)?;
                let size = self.memory.get(&outer).ok_or(Stop::Misuse)?.bytes.len() as u8;
                let mode = Mode { write: true, kind: Kind::Reduction, line };
                let at = self.access(world, (t, k), address(outer), size, mode)?;
                let old = self.get(&at);
                self.put(&at, if op == Reduction::Sum { old + part } else { old.max(part) });
                self.publish(k, v);
            }
            Op::Enter(n, rule) => self.enter(t, k, n, rule),
            Op::Count { iter, n, end } => return Ok(if self.count(k, iter, n) { pc + 1 } else { end }),
            Op::Lane { iter, n, safelen, end } => {
                self.tasks[k].lane = None;
                if !self.count(k, iter, n) {
                    return Ok(end);
                }
                let object = self.tasks[k].objects[iter as usize];
                let at = number(&self.memory[&object].bytes, true) as u8;
                self.tasks[k].lane = Some(Lane { number: self.threads[t].lanes, at, safelen });
            }
            Op::Part { iter, end } => {
                let (from, to) = self.tasks[k].part;
                if from == to {
                    return Ok(end);
                }
                self.tasks[k].part.0 += 1;
                self.set(self.tasks[k].objects[iter as usize], i64::from(from));
            }
            _ => return Err(Stop::Misuse),
        }
        Ok(pc + 1)
    }

    fn declare(&mut self, code: &Code, world: &mut World, t: usize, k: usize, v: u8) {
        let old = self.tasks[k].objects[v as usize];
        self.memory.remove(&old);
        let size = code.vars[v as usize].ty.size();
        self.tasks[k].objects[v as usize] = self.allocate(world, t, v, size);
    }

    /// The variable means again what it meant around.
    fn publish(&mut self, k: usize, v: u8) {
        let outer = self.tasks[k].saved.pop().unwrap_or(NONE);
        let own = std::mem::replace(&mut self.tasks[k].objects[v as usize], outer);
        self.memory.remove(&own);
    }

    /// Counts an iteration variable up; false at the end.
    fn count(&mut self, k: usize, iter: u8, n: u8) -> bool {
        let object = self.tasks[k].objects[iter as usize];
        let value = number(&self.memory[&object].bytes, true) + 1;
        self.set(object, value);
        value < i64::from(n)
    }

    fn choose(
        &mut self,
        code: &Code,
        world: &mut World,
        t: usize,
        k: usize,
        option: usize,
    ) -> Result<(), Stop> {
        let pc = self.tasks[k].pc as usize;
        match code.ops[pc] {
            Op::Next { iter, end } => {
                let share = self.take(t, k, option);
                if let (Some(share), Some(iter)) = (share, iter) {
                    self.set(self.tasks[k].objects[iter as usize], i64::from(share));
                }
                self.tasks[k].pc = if share.is_some() { pc + 1 } else { end } as u16;
            }
            Op::Single(end) => {
                let mine = self.take(t, k, option).is_some();
                if mine {
                    self.leave(t, k);
                }
                self.tasks[k].pc = if mine { pc + 1 } else { end } as u16;
            }
            Op::Taskloop { n, split, .. } => {
                let starts = splits(split, n)[option].clone();
                self.create_parts(code, world, t, k, &starts);
            }
            _ => return Err(Stop::Misuse),
        }
        Ok(())
    }

    fn lock(&mut self, code: &Code, t: usize, k: usize) -> Result<(), Stop> {
        let group = self.threads[t].innermost().group;
        match *self.op(code, k) {
            Op::Lock(name) => {
                let lock = self.locks.entry((group, name)).or_default();
                if lock.holder.is_some() {
                    return Err(Stop::Misuse);
                }
                lock.holder = Some(k as u8);
                self.threads[t].past |= lock.released;
            }
            Op::Unlock(name) => {
                let past = self.threads[t].past;
                let lock = self.locks.entry((group, name)).or_default();
                if lock.holder != Some(k as u8) {
                    return Err(Stop::Misuse);
                }
                lock.holder = None;
                lock.released = past;
            }
            _ => {}
        }
        Ok(())
    }

    fn enabled(&self, code: &Code, k: usize) -> bool {
        match *self.op(code, k) {
            // Locking what one holds oneself counts as enabled here, so that the step can report the misuse.
            Op::Lock(name) => {
                let group = self.threads[self.tasks[k].thread as usize].innermost().group;
                let holder = self.locks.get(&(group, name)).and_then(|l| l.holder);
                holder.is_none() || holder == Some(k as u8)
            }
            Op::Created => !self
                .tasks
                .iter()
                .any(|c| c.undeferred && c.parent == Some(k as u8) && c.status != Status::Done),
            Op::Taskwait => self.children_done(k),
            Op::GroupEnd => self.group_done(k),
            Op::Barrier | Op::Join | Op::End => false,
            _ => true,
        }
    }
}

fn compute(op: Bin, a: i64, b: i64) -> Result<i64, Stop> {
    Ok(match op {
        Bin::Add => a.wrapping_add(b),
        Bin::Sub => a.wrapping_sub(b),
        Bin::Mul => a.wrapping_mul(b),
        Bin::Div if b == 0 => return Err(Stop::Fault("division-by-zero")),
        Bin::Div => a.wrapping_div(b),
        Bin::Eq => i64::from(a == b),
        Bin::Ne => i64::from(a != b),
        Bin::Lt => i64::from(a < b),
        Bin::Gt => i64::from(a > b),
    })
}
