//! Tiny random programs, their runs as traces with exact event control, and the search of all their schedules.
//!
//! Independent of the crate under test: it knows the vocabulary of traces and nothing else.
#![allow(dead_code, reason = "each test uses its part")]

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;
use trace::{Event, EventId, LocId, LockId, Op, ThreadId, Trace, VarId};
use triage::Steering;

pub const REGISTERS: usize = 2;

/// Steele, Lea and Flood's SplitMix.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Instruction {
    Load {
        register: usize,
        variable: u8,
        atomic: bool,
    },
    /// Stores a constant, or a register plus a constant.
    Store {
        variable: u8,
        register: Option<usize>,
        add: u8,
        atomic: bool,
    },
    /// Stores a constant to one of two variables, by a register's last bit.
    StoreAt {
        variables: [u8; 2],
        register: usize,
        value: u8,
    },
    /// Skips so many instructions if the register is zero, or if it is not.
    SkipIf {
        register: usize,
        zero: bool,
        skip: usize,
    },
    Lock(u8),
    Unlock(u8),
    /// A semaphore.
    Post(u8),
    Await(u8),
    Fork(usize),
    Join(usize),
    /// A barrier for threads 1 and up.
    Barrier,
    /// A notification for which nobody waits: ends a segment and orders nothing.
    Separate,
}

pub type Program = Vec<Vec<Instruction>>;

/// A program of a main thread that starts the others, and these.
pub fn program(random: &mut Random) -> Program {
    program_with(random, false)
}

/// The same; `separated`: with many short segments, so that what steers a segment is often not in it.
pub fn program_with(random: &mut Random, separated: bool) -> Program {
    let threads = 2 + random.below(2) as usize;
    let variables = 2 + random.below(3);
    let atomics = random.one_in(4);
    let mut all = vec![Vec::new()];
    let rounds = if random.one_in(4) { 2 } else { 1 };
    for _ in 0..threads {
        let mut body = Vec::new();
        for round in 0..rounds {
            if round > 0 {
                body.push(Instruction::Barrier);
            }
            let length = 2 + random.below(if threads == 2 { 4 } else { 3 }) / rounds;
            for _ in 0..length {
                piece(random, &mut body, variables, atomics, separated);
                if separated && random.below(3) > 0 {
                    body.push(Instruction::Separate);
                }
            }
        }
        all.push(body);
    }
    if separated || random.one_in(2) {
        handshake(random, &mut all, variables, separated);
    }
    let main = (1..=threads).map(Instruction::Fork).chain((1..=threads).map(Instruction::Join));
    all[0] = main.collect();
    all
}

/// Lets a thread write something and then set a flag, and another one write it too if it finds the flag set: a race that
/// is reported if it does, and that no schedule shows.
fn handshake(random: &mut Random, all: &mut Program, variables: u64, separated: bool) {
    let [from, to] = if random.one_in(2) { [1, 2] } else { [2, 1] };
    let flag = random.below(variables) as u8;
    let variable = (flag + 1 + random.below(variables - 1) as u8) % variables as u8;
    let write = |variable| Instruction::Store { variable, register: None, add: 1, atomic: false };
    let separate = separated.then_some(Instruction::Separate);
    let sets = [Some(write(variable)), separate, Some(write(flag)), separate];
    let follows = [
        separate,
        Some(Instruction::Load { register: 0, variable: flag, atomic: false }),
        separate,
        Some(Instruction::SkipIf { register: 0, zero: true, skip: 1 }),
        Some(write(variable)),
    ];
    all[from].splice(0..0, sets.into_iter().flatten());
    all[to].extend(follows.into_iter().flatten());
}

fn piece(random: &mut Random, body: &mut Vec<Instruction>, variables: u64, atomics: bool, separated: bool) {
    let variable = random.below(variables) as u8;
    let register = random.below(REGISTERS as u64) as usize;
    match random.below(12) {
        0 | 1 | 10 | 11 => {
            // A condition, on what was just read or on something older.
            if random.one_in(2) {
                body.push(Instruction::Load { register, variable, atomic: false });
            }
            let (target, add) = (random.below(variables) as u8, 1 + random.below(2) as u8);
            if separated {
                body.push(Instruction::Separate);
            }
            body.push(Instruction::SkipIf { register, zero: !random.one_in(3), skip: 1 });
            body.push(Instruction::Store { variable: target, register: None, add, atomic: false });
        }
        2 => {
            let other = random.below(variables) as u8;
            body.push(Instruction::StoreAt { variables: [variable, other], register, value: 1 });
        }
        3 | 4 => body.push(Instruction::Load { register, variable, atomic: atomics && random.one_in(2) }),
        5 => body.push(Instruction::Store { variable, register: Some(register), add: 0, atomic: false }),
        6 => body.push(Instruction::Store { variable, register: Some(register), add: 1, atomic: false }),
        7 => {
            let atomic = atomics && random.one_in(2);
            body.push(Instruction::Store { variable, register: None, add: 1, atomic });
        }
        8 => {
            let lock = random.below(2) as u8;
            body.push(Instruction::Lock(lock));
            body.push(Instruction::Load { register, variable, atomic: false });
            body.push(Instruction::Store { variable, register: Some(register), add: 1, atomic: false });
            body.push(Instruction::Unlock(lock));
        }
        _ if random.one_in(3) => body.push(Instruction::Await(0)),
        _ => body.push(Instruction::Post(0)),
    }
}

/// The most threads and variables that a program has.
const THREADS: usize = 4;
const VARIABLES: usize = 4;

/// Of a variable that nobody has written yet.
pub const NOBODY: (u8, u8) = (u8::MAX, 0);

/// A state of a program. Event histories are kept apart: the search follows only those of the trace. Small and without
/// pointers: there are millions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    pub pc: [u8; THREADS],
    pub registers: [[u8; REGISTERS]; THREADS],
    pub memory: [u8; VARIABLES],
    pub holder: [Option<u8>; 2],
    pub posted: u8,
    pub started: [bool; THREADS],
    /// How often each thread has arrived at the barrier, and has passed it.
    pub arrived: [u8; THREADS],
    /// How many events each thread has had.
    pub events: [u8; THREADS],
    /// By variable: the thread and the number of the event that wrote it last.
    pub writer: [(u8, u8); VARIABLES],
}

impl State {
    pub fn new(program: &Program) -> State {
        assert!(program.len() <= THREADS);
        let mut started = [false; THREADS];
        started[0] = true;
        State {
            pc: [0; THREADS],
            registers: [[0; REGISTERS]; THREADS],
            memory: [0; VARIABLES],
            holder: [None; 2],
            posted: 0,
            started,
            arrived: [0; THREADS],
            events: [0; THREADS],
            writer: [NOBODY; VARIABLES],
        }
    }

    /// Runs a thread's local instructions up to its next event; which it is, if there is one.
    pub fn next(&mut self, program: &Program, t: usize) -> Option<Op> {
        if !self.started[t] {
            return None;
        }
        loop {
            match *program[t].get(usize::from(self.pc[t]))? {
                Instruction::SkipIf { register, zero, skip } => {
                    let steps = if (self.registers[t][register] == 0) == zero { skip } else { 0 };
                    self.pc[t] += 1 + steps as u8;
                }
                other => return Some(self.op(t, other)),
            }
        }
    }

    fn op(&self, t: usize, instruction: Instruction) -> Op {
        let v = |v: u8| VarId(u32::from(v));
        match instruction {
            Instruction::Load { variable, atomic: false, .. } => Op::Read(v(variable)),
            Instruction::Load { variable, atomic: true, .. } => Op::AtomicRead(v(variable)),
            Instruction::Store { variable, atomic: false, .. } => Op::Write(v(variable)),
            Instruction::Store { variable, atomic: true, .. } => Op::AtomicWrite(v(variable)),
            Instruction::StoreAt { variables, register, .. } => {
                Op::Write(v(variables[usize::from(self.registers[t][register] & 1)]))
            }
            Instruction::Lock(l) => Op::Acquire(LockId(u32::from(l))),
            Instruction::Unlock(l) => Op::Release(LockId(u32::from(l))),
            Instruction::Post(c) => Op::Notify(LockId(u32::from(c) + 2)),
            Instruction::Await(c) => Op::Wait(LockId(u32::from(c) + 2)),
            Instruction::Fork(u) => Op::Fork(ThreadId(u as u32)),
            Instruction::Join(u) => Op::Join(ThreadId(u as u32)),
            Instruction::Barrier => Op::Barrier(LockId(3)),
            Instruction::Separate => Op::Notify(LockId(4)),
            Instruction::SkipIf { .. } => unreachable!("local"),
        }
    }

    /// Whether a thread that stands at an event can do it. A thread that has arrived at a barrier may go on when all have.
    pub fn enabled(&self, program: &Program, t: usize, op: Op) -> bool {
        let waits = (1..program.len()).any(|u| self.arrived[u] < self.arrived[t]);
        if t > 0 && waits {
            return false;
        }
        match op {
            Op::Acquire(l) => self.holder[l.0 as usize].is_none(),
            Op::Wait(_) => self.posted > 0,
            Op::Join(u) => {
                let u = u.0 as usize;
                // It has ended, and is past its last barrier.
                let mut copy = *self;
                let passed = (1..program.len()).all(|w| self.arrived[w] >= self.arrived[u]);
                copy.started[u] && copy.next(program, u).is_none() && passed
            }
            _ => true,
        }
    }

    /// Does the event at which a thread stands.
    pub fn step(&mut self, program: &Program, t: usize) {
        let own = (t as u8, self.events[t]);
        match program[t][usize::from(self.pc[t])] {
            Instruction::Load { register, variable, .. } => {
                self.registers[t][register] = self.memory[usize::from(variable)];
            }
            Instruction::Store { variable, register, add, .. } => {
                let base = register.map_or(0, |r| self.registers[t][r]);
                // Values stay small so that there are few states.
                self.memory[usize::from(variable)] = (base + add) % 3;
                self.writer[usize::from(variable)] = own;
            }
            Instruction::StoreAt { variables, register, value } => {
                let variable = usize::from(variables[usize::from(self.registers[t][register] & 1)]);
                self.memory[variable] = value;
                self.writer[variable] = own;
            }
            Instruction::Lock(l) => self.holder[usize::from(l)] = Some(t as u8),
            Instruction::Unlock(l) => self.holder[usize::from(l)] = None,
            Instruction::Post(_) => self.posted += 1,
            Instruction::Await(_) => self.posted -= 1,
            Instruction::Fork(u) => self.started[u] = true,
            Instruction::Join(_) | Instruction::Separate => {}
            Instruction::Barrier => self.arrived[t] += 1,
            Instruction::SkipIf { .. } => unreachable!("local"),
        }
        self.pc[t] += 1;
        self.events[t] += 1;
    }
}

/// A value's origin: a read, and where its thread first wrote the value to memory.
type Taint = BTreeSet<(EventId, Option<EventId>)>;

/// One run as a trace.
pub struct Run {
    pub trace: Trace,
    /// Exact event control.
    pub steering: Steering,
    /// Each thread's events.
    pub threads: Vec<Vec<EventId>>,
    /// By thread: the event for which it waits for ever.
    pub stuck: Vec<Option<Op>>,
}

/// Runs a program under a random schedule to its end (or a deadlock).
pub fn run(program: &Program, random: &mut Random) -> Run {
    let mut state = State::new(program);
    let mut trace = Trace::default();
    let mut threads = vec![Vec::new(); program.len()];
    let mut steering = Steering::default();
    let mut registers: Vec<[Taint; REGISTERS]> = vec![Default::default(); program.len()];
    let mut memory: Vec<Taint> = vec![Taint::new(); VARIABLES];
    // Reads whose value has steered a thread since its last event.
    let mut pending: Vec<Taint> = vec![Taint::new(); program.len()];
    let mut last = 0;
    loop {
        let mut ready = Vec::new();
        for t in 0..program.len() {
            while state.started[t]
                && let Some(&Instruction::SkipIf { register, zero, skip }) =
                    program[t].get(usize::from(state.pc[t]))
            {
                pending[t].extend(registers[t][register].iter().copied());
                let steps = if (state.registers[t][register] == 0) == zero { skip } else { 0 };
                state.pc[t] += 1 + steps as u8;
            }
            if let Some(op) = state.next(program, t)
                && state.enabled(program, t, op)
            {
                ready.push((t, op));
            }
        }
        if ready.is_empty() {
            break;
        }
        // Mostly another thread than before: more is interleaved.
        let others: Vec<_> = ready.iter().copied().filter(|r| r.0 != last).collect();
        let pool = if !others.is_empty() && random.one_in(2) { &others } else { &ready };
        let (t, op) = pool[random.below(pool.len() as u64) as usize];
        last = t;
        let id = EventId(trace.events.len() as u32);
        let instruction = program[t][usize::from(state.pc[t])];
        if let Instruction::StoreAt { register, .. } = instruction {
            pending[t].extend(registers[t][register].iter().copied());
        }
        for (read, stored) in std::mem::take(&mut pending[t]) {
            steering.mark(read, stored.unwrap_or(id));
        }
        match instruction {
            Instruction::Load { register, variable, .. } => {
                registers[t][register] = memory[usize::from(variable)].clone();
                registers[t][register].insert((id, None));
            }
            Instruction::Store { variable, register, .. } => {
                let taint = register.map_or(Taint::new(), |r| registers[t][r].clone());
                memory[usize::from(variable)] =
                    taint.into_iter().map(|(read, stored)| (read, Some(stored.unwrap_or(id)))).collect();
            }
            Instruction::StoreAt { variables, register, .. } => {
                let at = usize::from(variables[usize::from(state.registers[t][register] & 1)]);
                memory[at].clear();
            }
            _ => {}
        }
        let location = LocId(t as u32 * 100 + u32::from(state.pc[t]));
        trace.events.push(Event { thread: ThreadId(t as u32), op, location });
        threads[t].push(id);
        state.step(program, t);
    }
    // What has steered a thread after its last event: whether there would have been more.
    for (t, taint) in pending.into_iter().enumerate() {
        for (read, stored) in taint {
            let at = stored.or(threads[t].last().copied()).unwrap_or(read);
            steering.mark(read, at);
        }
    }
    let stuck = (0..program.len()).map(|t| state.next(program, t)).collect();
    Run { trace, steering, threads, stuck }
}

/// All states in which every thread has done what it did in the run, only maybe less. `allowed` may forbid steps: it gets
/// the state, the thread, and the number of its event.
pub fn states(program: &Program, run: &Run, allowed: impl Fn(&State, usize, usize) -> bool) -> Vec<State> {
    states_from(program, run, vec![State::new(program)], allowed)
}

/// The same, from these states on.
pub fn states_from(
    program: &Program,
    run: &Run,
    mut todo: Vec<State>,
    allowed: impl Fn(&State, usize, usize) -> bool,
) -> Vec<State> {
    let mut seen: FxHashSet<State> = FxHashSet::default();
    let mut all = Vec::new();
    while let Some(state) = todo.pop() {
        if !seen.insert(state) {
            continue;
        }
        for t in 0..program.len() {
            let mut next = state;
            let Some(op) = next.next(program, t) else { continue };
            let number = usize::from(state.events[t]);
            let same = run.threads[t].get(number).is_some_and(|&id| run.trace.event(id).op == op);
            if same && next.enabled(program, t, op) && allowed(&next, t, number) {
                next.step(program, t);
                todo.push(next);
            }
        }
        all.push(state);
    }
    all
}

/// Whether a thread that has started is past the barrier at which it has arrived.
pub fn past_barrier(program: &Program, state: &State, t: usize) -> bool {
    state.started[t] && (t == 0 || (1..program.len()).all(|u| state.arrived[u] >= state.arrived[t]))
}

/// Whether the next event of a thread that has had `number` events is the run's (or there is none in both), and it can
/// go on (is past its barrier).
pub fn stands_before(program: &Program, run: &Run, state: &State, t: usize, number: usize) -> bool {
    if usize::from(state.events[t]) != number {
        return false;
    }
    let next = { *state }.next(program, t);
    past_barrier(program, state, t)
        && next == run.threads[t].get(number).map_or(run.stuck[t], |&id| Some(run.trace.event(id).op))
}
