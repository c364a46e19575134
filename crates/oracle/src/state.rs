//! States and steps of the interleaving semantics, with happens-before kept as sets of accesses.
//!
//! A *past* is a set of accesses: those that happen before a certain point. Each thread has one (what happens before
//! its next step), and so does every synchronisation object (what happens before its last release). That is what
//! vector clocks encode, but it is finite: when an access is executed again, the new execution takes the place of the
//! old one, which is removed from all pasts but the thread's own. Nothing is lost, because program order puts the old
//! execution into every past that has the new one: whoever does not know the old does not know the new. So states repeat when
//! a program spins, and the search ends.
//!
//! Deliberately plain: every step copies the whole state.

use crate::code::{Code, Op};
use crate::program::{Program, REGISTERS, Test, Value};

/// A set of accesses, by number.
pub type Past = u64;

/// The most accesses that a flattened program may have.
pub const MAX_ACCESSES: usize = Past::BITS as usize;

/// What a thread is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Status {
    NotStarted,
    /// About to execute the instruction at `pc`.
    Ready,
    /// Waits on a condition variable and has released the mutex.
    Waiting {
        cond: u8,
        mutex: u8,
    },
    /// Was woken and needs the mutex again.
    Reacquiring {
        mutex: u8,
    },
    AtBarrier(u8),
    Finished,
    Joined,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Thread {
    status: Status,
    pc: u16,
    /// The last one is the hidden register.
    regs: [i32; REGISTERS as usize + 1],
    /// What happens before this thread's next step.
    past: Past,
    /// What relaxed reads have seen released; an acquire fence takes it over.
    seen: Past,
    /// The past at the last release fence; relaxed writes publish it.
    fenced: Past,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Mutex {
    holder: Option<u8>,
    released: Past,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct RwLock {
    writer: Option<u8>,
    readers: Vec<u8>,
    write_released: Past,
    read_released: Past,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Atomic {
    value: i32,
    released: Past,
    /// What each thread has released in the release sequences that it heads, by thread.
    heads: Vec<(u8, Past)>,
}

impl Atomic {
    /// What a write of thread `t` leaves: `keep` for a read-modify-write, which continues all release sequences. A store
    /// continues those that its own thread heads (C11).
    fn publish(&mut self, t: usize, releases: bool, published: Past, keep: bool) {
        let me = t as u8;
        if !keep {
            self.heads.retain(|&(head, _)| head == me);
            self.released = self.heads.iter().map(|&(_, past)| past).fold(0, |all, past| all | past);
        }
        self.released |= published;
        if releases {
            self.heads.retain(|&(head, _)| head != me);
            self.heads.push((me, published));
            self.heads.sort_unstable();
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Barrier {
    count: u32,
    arrived: u32,
    arrivals: Past,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Semaphore {
    value: u32,
    posts: Past,
}

/// A complete state, pasts included.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct State {
    threads: Vec<Thread>,
    vars: Vec<i32>,
    atomics: Vec<Atomic>,
    mutexes: Vec<Mutex>,
    rwlocks: Vec<RwLock>,
    barriers: Vec<Barrier>,
    sems: Vec<Semaphore>,
    /// All accesses executed so far.
    executed: Past,
    /// Whether this execution has had a race. Steers nothing; it tells clean executions from racy ones.
    pub raced: bool,
}

/// One possible step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move {
    /// The thread that moves.
    pub thread: usize,
    /// A wake-up that no signal caused, or a reader who overtakes a waiting writer: no way out of a deadlock.
    pub spurious: bool,
    /// For a signal, the thread that it wakes.
    wakes: Option<usize>,
}

/// What a step leads to.
#[derive(Debug)]
pub enum Effect {
    /// A next state, and the races of the step: pairs of an earlier access and the one just made.
    Next(Box<State>, Vec<(usize, usize)>),
    /// An assertion failed; the execution ends.
    AssertionFailed,
    /// The program breaks a rule of pthreads (unlocks what it does not hold, and the like): not a program to judge.
    Misuse,
}

impl State {
    /// The state in which `main` stands before its first visible step.
    pub fn initial(program: &Program, code: &Code) -> State {
        let thread = Thread {
            status: Status::NotStarted,
            pc: 0,
            regs: Default::default(),
            past: 0,
            seen: 0,
            fenced: 0,
        };
        let rwlock = RwLock { writer: None, readers: Vec::new(), write_released: 0, read_released: 0 };
        let barrier = |&count: &u32| Barrier { count, arrived: 0, arrivals: 0 };
        let semaphore = |&value: &u32| Semaphore { value, posts: 0 };
        let mut state = State {
            threads: vec![thread; program.threads.len()],
            vars: vec![0; program.vars],
            atomics: vec![Atomic { value: 0, released: 0, heads: Vec::new() }; program.atomics],
            mutexes: vec![Mutex { holder: None, released: 0 }; program.mutexes],
            rwlocks: vec![rwlock; program.rwlocks],
            barriers: program.barriers.iter().map(barrier).collect(),
            sems: program.sems.iter().map(semaphore).collect(),
            executed: 0,
            raced: false,
        };
        state.threads[0].status = Status::Ready;
        state.settle(code, 0);
        state
    }

    /// Whether every thread that was started has ended.
    pub fn all_finished(&self) -> bool {
        let done = |t: &Thread| matches!(t.status, Status::NotStarted | Status::Finished | Status::Joined);
        self.threads.iter().all(done)
    }

    /// All possible steps.
    pub fn moves(&self, code: &Code) -> Vec<Move> {
        let mut moves = Vec::new();
        for (thread, state) in self.threads.iter().enumerate() {
            let step = Move { thread, spurious: false, wakes: None };
            match state.status {
                Status::Waiting { .. } => moves.push(Move { spurious: true, ..step }),
                Status::Reacquiring { mutex } if self.mutexes[mutex as usize].holder.is_none() => {
                    moves.push(step)
                }
                Status::Ready => match code.threads[thread][state.pc as usize] {
                    Op::Signal(cond) if !self.waiters(cond).is_empty() => {
                        moves.extend(self.waiters(cond).into_iter().map(|w| Move { wakes: Some(w), ..step }));
                    }
                    op if self.enabled(thread, op) => {
                        moves.push(Move { spurious: self.overtakes(code, thread, op), ..step });
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        moves
    }

    /// Whether the step would let a reader overtake a writer who waits for readers: POSIX leaves open whether it may.
    fn overtakes(&self, code: &Code, thread: usize, op: Op) -> bool {
        let Op::ReadLock(w) = op else { return false };
        let waits = |t: usize| {
            let state = &self.threads[t];
            state.status == Status::Ready && code.threads[t][state.pc as usize] == Op::WriteLock(w)
        };
        !self.rwlocks[w].readers.is_empty() && (0..self.threads.len()).any(|t| t != thread && waits(t))
    }

    fn waiters(&self, cond: usize) -> Vec<usize> {
        let waits = |t: &usize| matches!(self.threads[*t].status, Status::Waiting { cond: c, .. } if c as usize == cond);
        (0..self.threads.len()).filter(waits).collect()
    }

    fn enabled(&self, thread: usize, op: Op) -> bool {
        let me = Some(thread as u8);
        match op {
            // Locking what one holds oneself counts as enabled here, so that the step can report the misuse.
            Op::Lock(m) => self.mutexes[m].holder.is_none() || self.mutexes[m].holder == me,
            Op::ReadLock(w) => self.rwlocks[w].writer.is_none() || self.rwlocks[w].writer == me,
            Op::WriteLock(w) => {
                let lock = &self.rwlocks[w];
                let others_read = lock.readers.iter().any(|&r| Some(r) != me);
                !others_read && (lock.writer.is_none() || lock.writer == me)
            }
            Op::Down(s) => self.sems[s].value > 0,
            Op::Join(t) => {
                matches!(self.threads[t].status, Status::NotStarted | Status::Finished | Status::Joined)
            }
            _ => true,
        }
    }

    /// Takes one of the steps that [`State::moves`] returned.
    pub fn step(&self, code: &Code, step: Move) -> Effect {
        let mut next = self.clone();
        let t = step.thread;
        let mut races = Vec::new();
        match next.threads[t].status {
            Status::Waiting { mutex, .. } => next.threads[t].status = Status::Reacquiring { mutex },
            Status::Reacquiring { mutex } => {
                next.acquire_mutex(t, mutex as usize);
                next.threads[t].status = Status::Ready;
                next.threads[t].pc += 1;
                next.settle(code, t);
            }
            _ => {
                let op = code.threads[t][next.threads[t].pc as usize];
                match next.execute(code, t, op, step.wakes, &mut races) {
                    Done::Advance => {
                        next.threads[t].pc += 1;
                        next.settle(code, t);
                    }
                    Done::Goto(target) => {
                        next.threads[t].pc = target as u16;
                        next.settle(code, t);
                    }
                    Done::Stay => {}
                    Done::Failed => return Effect::AssertionFailed,
                    Done::Misuse => return Effect::Misuse,
                }
            }
        }
        next.raced |= !races.is_empty();
        Effect::Next(Box::new(next), races)
    }

    /// Runs the silent instructions of `thread` up to its next visible one or its end.
    fn settle(&mut self, code: &Code, thread: usize) {
        let ops = &code.threads[thread];
        let me = &mut self.threads[thread];
        loop {
            me.pc = match ops.get(me.pc as usize) {
                None => {
                    me.status = Status::Finished;
                    me.regs = Default::default();
                    return;
                }
                Some(&Op::Set { reg, value }) => {
                    me.regs[reg as usize] = me.value(value);
                    me.pc + 1
                }
                Some(&Op::Jump(target)) => target as u16,
                Some(&Op::Unless { test, target }) => {
                    if me.holds(test) {
                        me.pc + 1
                    } else {
                        target as u16
                    }
                }
                Some(_) => return,
            };
        }
    }

    fn execute(
        &mut self,
        code: &Code,
        t: usize,
        op: Op,
        wakes: Option<usize>,
        races: &mut Vec<(usize, usize)>,
    ) -> Done {
        match op {
            Op::Read { reg, access } => {
                self.access(code, t, access, races);
                self.threads[t].regs[reg as usize] = self.vars[code.accesses[access].var];
            }
            Op::Write { value, access } => {
                self.access(code, t, access, races);
                self.vars[code.accesses[access].var] = self.threads[t].value(value);
            }
            Op::Assert(test) => {
                if !self.threads[t].holds(test) {
                    return Done::Failed;
                }
            }
            Op::Create(child) => {
                if self.threads[child].status != Status::NotStarted {
                    return Done::Misuse;
                }
                self.threads[child].status = Status::Ready;
                self.threads[child].past = self.threads[t].past;
                self.settle(code, child);
            }
            Op::Join(child) => {
                if self.threads[child].status != Status::Finished {
                    return Done::Misuse;
                }
                self.threads[child].status = Status::Joined;
                self.threads[t].past |= self.threads[child].past;
            }
            Op::Signal(_) => {
                if let Some(waiter) = wakes {
                    self.wake(t, waiter);
                }
            }
            Op::Broadcast(cond) => self.waiters(cond).into_iter().for_each(|waiter| self.wake(t, waiter)),
            Op::Barrier(b) => return self.arrive(code, t, b),
            Op::Post(s) => {
                self.sems[s].value += 1;
                self.sems[s].posts |= self.threads[t].past;
            }
            Op::Down(s) => {
                self.sems[s].value -= 1;
                self.threads[t].past |= self.sems[s].posts;
            }
            Op::Lock(_) | Op::Unlock(_) | Op::TryLock { .. } | Op::CondWait { .. } => {
                return self.mutex_op(t, op);
            }
            Op::ReadLock(_) | Op::WriteLock(_) | Op::RwUnlock(_) => return self.rwlock_op(t, op),
            Op::TryDown { sem, target } => {
                if self.sems[sem].value == 0 {
                    return Done::Goto(target);
                }
                self.sems[sem].value -= 1;
                self.threads[t].past |= self.sems[sem].posts;
            }
            Op::Peek { reg, atomic, access } => {
                self.access(code, t, access, races);
                self.threads[t].regs[reg as usize] = self.atomics[atomic].value;
            }
            Op::Poke { atomic, value, access } => {
                self.access(code, t, access, races);
                self.atomics[atomic] =
                    Atomic { value: self.threads[t].value(value), released: 0, heads: Vec::new() };
            }
            _ => self.atomic_op(code, t, op, races),
        }
        Done::Advance
    }

    /// Access number `access` happens now, in thread `t`: compares it with all conflicting accesses so far that do not
    /// happen before it.
    fn access(&mut self, code: &Code, t: usize, access: usize, races: &mut Vec<(usize, usize)>) {
        let new = code.accesses[access];
        for (earlier, old) in code.accesses.iter().enumerate() {
            let executed = self.executed & (1 << earlier) != 0;
            let conflict = old.var == new.var
                && old.thread != new.thread
                && (old.write || new.write)
                && !(old.atomic && new.atomic);
            let ordered = self.threads[t].past & (1 << earlier) != 0;
            if executed && conflict && !ordered {
                races.push((earlier, access));
            }
        }
        let bit: Past = 1 << access;
        if self.executed & bit != 0 {
            self.for_each_past(|past| *past &= !bit);
        }
        self.executed |= bit;
        self.threads[t].past |= bit;
    }

    fn for_each_past(&mut self, mut change: impl FnMut(&mut Past)) {
        for thread in &mut self.threads {
            change(&mut thread.past);
            change(&mut thread.seen);
            change(&mut thread.fenced);
        }
        self.atomics.iter_mut().for_each(|a| change(&mut a.released));
        self.mutexes.iter_mut().for_each(|m| change(&mut m.released));
        for lock in &mut self.rwlocks {
            change(&mut lock.write_released);
            change(&mut lock.read_released);
        }
        self.barriers.iter_mut().for_each(|b| change(&mut b.arrivals));
        self.sems.iter_mut().for_each(|s| change(&mut s.posts));
    }

    fn wake(&mut self, by: usize, waiter: usize) {
        if let Status::Waiting { mutex, .. } = self.threads[waiter].status {
            self.threads[waiter].status = Status::Reacquiring { mutex };
            self.threads[waiter].past |= self.threads[by].past;
        }
    }

    fn arrive(&mut self, code: &Code, t: usize, b: usize) -> Done {
        let barrier = &mut self.barriers[b];
        barrier.arrived += 1;
        barrier.arrivals |= self.threads[t].past;
        self.threads[t].status = Status::AtBarrier(b as u8);
        if barrier.arrived < barrier.count {
            return Done::Stay;
        }
        let arrivals = std::mem::take(&mut barrier.arrivals);
        barrier.arrived = 0;
        for thread in 0..self.threads.len() {
            let state = &mut self.threads[thread];
            if state.status == Status::AtBarrier(b as u8) {
                state.status = Status::Ready;
                state.past |= arrivals;
                state.pc += 1;
                self.settle(code, thread);
            }
        }
        Done::Stay
    }

    fn acquire_mutex(&mut self, t: usize, m: usize) {
        self.mutexes[m].holder = Some(t as u8);
        self.threads[t].past |= self.mutexes[m].released;
    }

    fn mutex_op(&mut self, t: usize, op: Op) -> Done {
        let me = Some(t as u8);
        match op {
            Op::Lock(m) if self.mutexes[m].holder == me => Done::Misuse,
            Op::Lock(m) => {
                self.acquire_mutex(t, m);
                Done::Advance
            }
            Op::TryLock { mutex, .. } if self.mutexes[mutex].holder.is_none() => {
                self.acquire_mutex(t, mutex);
                Done::Advance
            }
            Op::TryLock { target, .. } => Done::Goto(target),
            Op::Unlock(m) | Op::CondWait { mutex: m, .. } => {
                if self.mutexes[m].holder != me {
                    return Done::Misuse;
                }
                self.mutexes[m].holder = None;
                self.mutexes[m].released = self.threads[t].past;
                if let Op::CondWait { cond, mutex } = op {
                    self.threads[t].status = Status::Waiting { cond: cond as u8, mutex: mutex as u8 };
                    return Done::Stay;
                }
                Done::Advance
            }
            other => unreachable!("{other:?} is no mutex operation"),
        }
    }

    fn rwlock_op(&mut self, t: usize, op: Op) -> Done {
        let me = t as u8;
        let (Op::ReadLock(w) | Op::WriteLock(w) | Op::RwUnlock(w)) = op else {
            unreachable!("{op:?} is no rwlock operation")
        };
        let lock = &mut self.rwlocks[w];
        let past = &mut self.threads[t].past;
        let holds = lock.writer == Some(me) || lock.readers.contains(&me);
        match op {
            Op::RwUnlock(_) if !holds => return Done::Misuse,
            Op::RwUnlock(_) if lock.writer == Some(me) => {
                lock.writer = None;
                lock.write_released = *past;
            }
            Op::RwUnlock(_) => {
                lock.readers.retain(|&r| r != me);
                lock.read_released |= *past;
            }
            _ if holds => return Done::Misuse,
            Op::ReadLock(_) => {
                lock.readers.push(me);
                // The order in which readers came is of no consequence.
                lock.readers.sort_unstable();
                *past |= lock.write_released;
            }
            _ => {
                lock.writer = Some(me);
                *past |= lock.write_released | lock.read_released;
            }
        }
        Done::Advance
    }

    /// What an atomic operation reads happens before the operation itself.
    fn take_over(&mut self, t: usize, op: Op) {
        let (atomic, order) = match op {
            Op::Load { atomic, order, .. }
            | Op::FetchAdd { atomic, order, .. }
            | Op::Exchange { atomic, order, .. } => (atomic, order),
            Op::CompareExchange { atomic, order, expected, .. } => {
                let success = self.atomics[atomic].value == expected;
                (atomic, if success { order } else { order.for_load() })
            }
            _ => return,
        };
        self.threads[t].read_atomic(order.acquires(), &self.atomics[atomic]);
    }

    fn atomic_op(&mut self, code: &Code, t: usize, op: Op, races: &mut Vec<(usize, usize)>) {
        self.take_over(t, op);
        let access = match op {
            Op::Load { access, .. }
            | Op::Store { access, .. }
            | Op::FetchAdd { access, .. }
            | Op::Exchange { access, .. } => access,
            Op::CompareExchange { atomic, expected, access, .. } => {
                access.map(|(read, write)| if self.atomics[atomic].value == expected { write } else { read })
            }
            _ => None,
        };
        if let Some(access) = access {
            self.access(code, t, access, races);
        }
        let me = &mut self.threads[t];
        match op {
            Op::Load { reg, atomic, order, .. } => {
                let a = &mut self.atomics[atomic];
                me.regs[reg as usize] = a.value;
                me.read_atomic(order.acquires(), a);
            }
            Op::Store { atomic, value, order, .. } => {
                let a = &mut self.atomics[atomic];
                a.value = me.value(value);
                a.publish(t, order.releases(), me.published(order.releases()), false);
            }
            Op::FetchAdd { reg, atomic, add, order, .. } => {
                let a = &mut self.atomics[atomic];
                me.regs[reg as usize] = a.value;
                a.value += add;
                me.update_atomic(t, order.acquires(), order.releases(), a);
            }
            Op::Exchange { reg, atomic, value, order, .. } => {
                let a = &mut self.atomics[atomic];
                me.regs[reg as usize] = a.value;
                a.value = value;
                me.update_atomic(t, order.acquires(), order.releases(), a);
            }
            Op::CompareExchange { reg, atomic, expected, desired, order, .. } => {
                let a = &mut self.atomics[atomic];
                let success = a.value == expected;
                me.regs[reg as usize] = i32::from(success);
                if success {
                    a.value = desired;
                    me.update_atomic(t, order.acquires(), order.releases(), a);
                } else {
                    me.read_atomic(order.for_load().acquires(), a);
                }
            }
            Op::Fence(order) => {
                if order.acquires() {
                    me.past |= me.seen;
                    me.seen = 0;
                }
                if order.releases() {
                    me.fenced = me.past;
                }
            }
            other => unreachable!("{other:?} is no atomic operation"),
        }
    }
}

impl Thread {
    fn value(&self, value: Value) -> i32 {
        match value {
            Value::Const(c) => c,
            Value::Reg(r) => self.regs[r as usize],
            Value::Plus(r, c) => self.regs[r as usize] + c,
        }
    }

    fn holds(&self, test: Test) -> bool {
        (self.regs[test.reg as usize] == test.value) == test.equal
    }

    fn read_atomic(&mut self, acquires: bool, atomic: &Atomic) {
        if acquires {
            self.past |= atomic.released;
        } else {
            self.seen |= atomic.released;
        }
    }

    /// What a write publishes.
    fn published(&self, releases: bool) -> Past {
        if releases { self.past } else { self.fenced }
    }

    /// A read-modify-write continues the release sequence: what was released stays released.
    fn update_atomic(&mut self, t: usize, acquires: bool, releases: bool, atomic: &mut Atomic) {
        self.read_atomic(acquires, atomic);
        atomic.publish(t, releases, self.published(releases), true);
    }
}

/// How an instruction ended.
enum Done {
    Advance,
    Goto(usize),
    /// The thread's status says it all.
    Stay,
    Failed,
    Misuse,
}
