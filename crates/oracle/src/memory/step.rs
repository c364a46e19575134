//! Steps: what a thread does next, and what others can see of it.
//!
//! A step is one instruction that another thread can tell the moment of, with all the silent ones behind it. Silent is what commutes
//! with the steps of others when it comes earlier: work on registers and on objects that no other thread ever touches, releasing a
//! lock, creating and ending a task, fork. Which objects these are is guessed at first; a thread that touches what another one
//! has touched silently makes the search start again with that class of objects visible ([`World::restart`]). Until then
//! nothing was lost: before the first such touch all that was done silently commutes.

use super::access::{Access, Lane};
use super::code::{ALLOCATED, Code, Kind, LockUse, Op};
use super::program::{Bin, Reduction};
use super::share::splits;
use super::state::{GONE, NONE, Object, OwnLock, State, Status, Stop, World, address, number, target};

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
                    next.too_late(code, world, t, k);
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
                object.is_ok_and(|at| {
                    let object = &self.memory[&at.object];
                    !object.freed && !world.visible.contains(&object.class)
                })
            }
            Op::Free { old, .. } | Op::Realloc { old, .. } => {
                let old = regs[old as usize];
                let own = |object: &Object| {
                    !object.freed && object.class >= ALLOCATED && !world.visible.contains(&object.class)
                };
                let block = target(old).filter(|at| at.1 == 0).and_then(|at| self.memory.get(&at.0));
                old == 0 || block.is_some_and(own)
            }
            Op::LockAt { what, .. } => what == LockUse::Init,
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
        // Where a freed object is used does not matter.
        if inside || known.freed && (0..0x4000).contains(&offset) {
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
        let used = if object.freed { Err(Stop::Fault("use-after-free")) } else { Ok(()) };
        if !visible {
            if *object.touched.get_or_insert(name) != name {
                world.visible.insert(object.class);
                world.restart = true;
            }
            if self.tasks[k].lane.is_none() {
                return used.map(|()| at);
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
        used.map(|()| at)
    }

    /// The access that task `k` stands at: what, how, and whether it races with its like.
    fn pending(&self, code: &Code, k: usize) -> Option<(Target, Mode)> {
        let (addr, size, write, kind, line) = match *self.op(code, k) {
            Op::Load { addr, size, kind, line, .. } => (addr, Some(size), false, kind, line),
            Op::Store { addr, size, line, .. } => (addr, Some(size), true, Kind::Plain, line),
            Op::AtomicAdd { addr, size, line, .. } => (addr, Some(size), true, Kind::Atomic, line),
            Op::Free { old, line } | Op::Realloc { old, line, .. } => (old, None, true, Kind::Plain, line),
            _ => return None,
        };
        let addr = self.tasks[k].regs[addr as usize];
        let (object, _) = target(addr)?;
        let size = size.unwrap_or(self.memory.get(&object)?.bytes.len() as u8);
        self.find(addr, size).ok().map(|at| (at, Mode { write, kind, line }))
    }

    /// Two threads about to touch an object that was freed race: each of them ends the execution, so that neither sees the other.
    fn too_late(&self, code: &Code, world: &mut World, t: usize, k: usize) {
        let Some((at, mode)) = self.pending(code, k).filter(|p| self.memory[&p.0.object].freed) else {
            return;
        };
        for other in (0..self.threads.len()).filter(|&other| other != t) {
            let theirs = self.threads[other].current.and_then(|k| self.pending(code, k as usize));
            let Some((with, their)) = theirs.filter(|p| p.0.object == at.object) else { continue };
            let apart = at.offset + u16::from(at.size) <= with.offset
                || with.offset + u16::from(with.size) <= at.offset;
            let atomic = mode.kind == Kind::Atomic && their.kind == Kind::Atomic;
            if !apart && !atomic && (mode.write || their.write) {
                world.races.push((mode.line.min(their.line), mode.line.max(their.line)));
            }
        }
    }

    /// Ends an allocated object, which writes all of it; returns what it held. A null pointer is none.
    fn free(
        &mut self,
        world: &mut World,
        who: (usize, usize),
        old: i64,
        line: u32,
        again: &'static str,
    ) -> Result<Vec<u8>, Stop> {
        if old == 0 {
            return Ok(Vec::new());
        }
        let (object, offset) = target(old).ok_or(Stop::Fault("invalid-free"))?;
        let known = self.memory.get(&object).ok_or(Stop::Misuse)?;
        if offset != 0 || known.class < ALLOCATED {
            return Err(Stop::Fault("invalid-free"));
        }
        let mode = Mode { write: true, kind: Kind::Plain, line };
        let size = known.bytes.len() as u8;
        match self.access(world, who, old, size, mode) {
            Err(Stop::Fault(_)) => return Err(Stop::Fault(again)),
            other => other?,
        };
        let known = self.memory.get_mut(&object).ok_or(Stop::Misuse)?;
        known.freed = true;
        let zero = vec![0; known.bytes.len()];
        Ok(std::mem::replace(&mut known.bytes, zero))
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
                self.tasks[k].regs[r as usize] = self.team_number(t);
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
            &Op::Free { old, line } => {
                self.free(world, (t, k), reg(self, old), line, "double-free")?;
            }
            &Op::Realloc { reg: r, old, class, size, line } => {
                let held = self.free(world, (t, k), reg(self, old), line, "use-after-free")?;
                let object = self.allocate(world, t, class, size);
                if let Some(fresh) = self.memory.get_mut(&object) {
                    fresh.bytes.iter_mut().zip(held).for_each(|(new, old)| *new = old);
                }
                self.tasks[k].regs[r as usize] = address(object);
            }
            &Op::LockAt { what, addr, line } => {
                self.use_lock(world, (t, k), what, reg(self, addr), line)?;
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

    /// The number of the initial thread in whose league thread `t` is, through the regions around it.
    fn team_number(&self, t: usize) -> i64 {
        let innermost = self.threads[t].innermost();
        let (mut team, mut number) = (innermost.team, innermost.number);
        while team != 0 && !self.team(team).league {
            let parent = &self.tasks[self.team(team).parent as usize];
            team = parent.team;
            let members = &self.threads[parent.thread as usize].teams;
            number = members.iter().find(|m| m.team == team).map_or(0, |m| m.number);
        }
        if team == 0 { 0 } else { i64::from(number) }
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
                self.end(object);
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
        self.end(old);
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

    /// Task `k` on thread `t` does something to the lock at an address. Beside its making and its end, which write it, every use
    /// of it reads it.
    fn use_lock(
        &mut self,
        world: &mut World,
        (t, k): (usize, usize),
        what: LockUse,
        addr: i64,
        line: u32,
    ) -> Result<(), Stop> {
        let misuse = Err(Stop::Fault("lock-misuse"));
        let write = matches!(what, LockUse::Init | LockUse::Destroy);
        let mode = Mode { write, kind: if write { Kind::Plain } else { Kind::Atomic }, line };
        if what != LockUse::Init && !self.own_locks.contains_key(&addr) {
            return misuse;
        }
        self.access(world, (t, k), addr, 8, mode)?;
        let me = (k as u8, self.threads[t].name);
        let past = self.threads[t].past;
        if what == LockUse::Init {
            self.own_locks.insert(addr, OwnLock::default());
            return Ok(());
        }
        let Some(lock) = self.own_locks.get_mut(&addr) else { return misuse };
        match (what, lock.holder) {
            (LockUse::Set, None) => {
                lock.holder = Some(me);
                self.threads[t].past |= lock.released;
            }
            (LockUse::Unset, Some(holder)) if holder == me => {
                (lock.holder, lock.released) = (None, past);
            }
            // Locks are those of tasks, but what becomes of it where two of one thread mix them up is nowhere said.
            (LockUse::Unset, Some((_, thread))) if thread == me.1 => return Err(Stop::Misuse),
            (LockUse::Destroy, None) => drop(self.own_locks.remove(&addr)),
            _ => return misuse,
        }
        Ok(())
    }

    /// A task has ended that may hold locks.
    pub(super) fn abandon_locks(&mut self, k: usize) {
        let held = self.own_locks.values_mut().filter_map(|l| l.holder.as_mut());
        held.filter(|holder| holder.0 == k as u8).for_each(|holder| holder.0 = GONE);
    }

    fn enabled(&self, code: &Code, k: usize) -> bool {
        match *self.op(code, k) {
            Op::LockAt { what: LockUse::Set, addr, .. } => {
                let lock = self.own_locks.get(&self.tasks[k].regs[addr as usize]);
                lock.is_none_or(|l| l.holder.is_none())
            }
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
