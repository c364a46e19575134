//! States of a program with memory: threads in nested teams, tasks, objects.
//!
//! Threads and tasks are indexed; a thread that has ended leaves its entry until it is the last one. What a thread is called
//! (its *name*) depends on the path of forks to it alone, so that executions that differ in the order of forks come to equal
//! states.

use std::collections::{BTreeMap, BTreeSet};

use super::access::{Accesses, Lane, Past};
use super::code::{Code, Op, REGISTERS};
use super::program::{Init, Storage, Type, Var};
use super::share::Instance;

/// No object.
pub(super) const NONE: u16 = u16::MAX;

/// A thread's place in a team.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Membership {
    /// The team.
    pub team: u8,
    /// The thread's number there.
    pub number: u8,
    /// Its implicit task.
    pub implicit: u8,
    /// The contention group.
    pub group: u8,
    /// How many worksharing constructs it has met since the last barrier.
    pub ordinal: u8,
}

/// A thread.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Thread {
    pub name: u8,
    /// The task that it is in the midst of; `None` at a task scheduling point, or behind a fork.
    pub current: Option<u8>,
    /// The teams that it is in, the innermost last. Empty: it has ended.
    pub teams: Vec<Membership>,
    /// What happens before its next step.
    pub past: Past,
    /// How many `simd` loops it has begun.
    pub lanes: u8,
}

impl Thread {
    /// Its place in its innermost team.
    pub fn innermost(&self) -> &Membership {
        &self.teams[self.teams.len() - 1]
    }
}

/// A team, or the league that `teams` makes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Team {
    /// Its threads, by number.
    pub threads: Vec<u8>,
    /// The task that met the construct.
    pub parent: u8,
    pub league: bool,
    pub instances: Vec<Instance>,
    /// What finished tasks pass on to the next barrier.
    pub past: Past,
}

/// How far a task is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Status {
    Ready,
    Started,
    Done,
}

/// A task, implicit or explicit.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Task {
    pub pc: u16,
    pub status: Status,
    /// The thread that executes it or has suspended it.
    pub thread: u8,
    pub team: u8,
    pub parent: Option<u8>,
    pub implicit: bool,
    pub untied: bool,
    pub undeferred: bool,
    /// The taskgroup that it was created in.
    pub group: Option<u8>,
    /// The object of each local variable.
    pub objects: Vec<u16>,
    /// The objects that end with it.
    pub own: Vec<u16>,
    /// What variables meant before they became private.
    pub saved: Vec<u16>,
    pub regs: [i64; REGISTERS],
    /// The share of each worksharing construct that it is in.
    pub shares: Vec<i8>,
    /// The iterations of a taskloop's part that are left.
    pub part: (u8, u8),
    pub lane: Option<Lane>,
    /// The ICV that says how many threads a team gets.
    pub max_threads: u8,
    /// What happens before its start, or happened before its suspension.
    pub past: Past,
    /// What its finished children pass on to `taskwait`.
    pub children_past: Past,
}

/// A taskgroup.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Group {
    pub outer: Option<u8>,
    pub past: Past,
    pub open: bool,
}

/// An object in memory.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Object {
    pub class: u8,
    /// The first thread that touched it.
    pub touched: Option<u8>,
    /// It was freed.
    pub freed: bool,
    pub bytes: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct Lock {
    /// The task that holds it.
    pub holder: Option<u8>,
    pub released: Past,
}

/// A lock that is an object.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct OwnLock {
    /// The task that holds it, [`GONE`] if that has ended, and the name of its thread.
    pub holder: Option<(u8, u8)>,
    pub released: Past,
}

/// A task that has ended.
pub(super) const GONE: u8 = u8::MAX;

/// A complete state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) threads: Vec<Thread>,
    pub(super) teams: Vec<Option<Team>>,
    pub(super) tasks: Vec<Task>,
    pub(super) groups: Vec<Group>,
    pub(super) memory: BTreeMap<u16, Object>,
    /// How many objects each thread has made, by its name.
    pub(super) made: BTreeMap<u8, u8>,
    /// By contention group and number.
    pub(super) locks: BTreeMap<(u8, u8), Lock>,
    /// The locks that are objects, by address, from initialisation to destruction.
    pub(super) own_locks: BTreeMap<i64, OwnLock>,
    /// All accesses executed so far, but for those that everyone knows.
    pub(super) executed: Past,
}

/// Why an execution ends before its time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// An assertion failed.
    Assertion,
    /// A fault, by the name of its kind.
    Fault(&'static str),
    /// The program breaks a rule: not one to judge.
    Misuse,
}

/// What is common to all states of a search.
#[derive(Debug, Default)]
pub struct World {
    /// The accesses.
    pub accesses: Accesses,
    /// The names of threads and objects that were given: a path is the name before it and a number.
    pub(super) names: BTreeMap<(u8, u8), u8>,
    pub(super) objects: BTreeMap<(u8, u8), u16>,
    /// The classes of objects that more than one thread touches. Accesses to others are no steps of their own.
    pub visible: BTreeSet<u8>,
    /// A class turned out to be one of these, so that the search has to start again.
    pub restart: bool,
    /// The races of the step, as lines.
    pub races: Vec<(u32, u32)>,
}

impl World {
    /// The name of the thread that `parent` forks as number `number`.
    pub(super) fn thread_name(&mut self, parent: u8, number: u8) -> u8 {
        let next = self.names.len() as u8 + 1;
        *self.names.entry((parent, number)).or_insert(next)
    }

    pub(super) fn object_name(&mut self, thread: u8, number: u8) -> u16 {
        let next = self.objects.len() as u16 + 300;
        *self.objects.entry((thread, number)).or_insert(next)
    }
}

/// Addresses of objects lie so far behind a multiple of 65536 that a negative offset leads to no other object.
const BIAS: i64 = 0x4000;

/// The address of an object.
pub(super) fn address(object: u16) -> i64 {
    ((i64::from(object) + 1) << 16) + BIAS
}

/// The object and offset of an address; `None` for null and its neighbours.
pub(super) fn target(address: i64) -> Option<(u16, i64)> {
    let object = (address >> 16) - 1;
    let offset = (address & 0xffff) - BIAS;
    u16::try_from(object).ok().map(|object| (object, offset))
}

impl State {
    /// The state in which `main` stands before its first step.
    pub fn initial(code: &Code) -> State {
        let member = Membership { team: 0, number: 0, implicit: 0, group: 0, ordinal: 0 };
        let thread = Thread { name: 0, current: Some(0), teams: vec![member], past: 0, lanes: 0 };
        let team = Team { threads: vec![0], parent: 0, league: false, instances: Vec::new(), past: 0 };
        State {
            threads: vec![thread],
            teams: vec![Some(team)],
            tasks: vec![Task::new(0, 0, None, vec![NONE; code.vars.len()])],
            groups: Vec::new(),
            memory: statics(code),
            made: BTreeMap::new(),
            locks: BTreeMap::new(),
            own_locks: static_locks(code),
            executed: 0,
        }
    }

    /// Whether `main` has ended.
    pub fn finished(&self, code: &Code) -> bool {
        self.threads[0].current == Some(0) && *self.op(code, 0) == Op::End
    }

    /// The final values of the variables `observed`.
    pub fn values(&self, code: &Code, observed: impl Iterator<Item = Var>) -> Vec<i64> {
        let mut values = Vec::new();
        for v in observed {
            let wide = code.vars[v as usize].ty.element() == Type::Long;
            let bytes = &self.memory[&u16::from(v)].bytes;
            values.extend(bytes.chunks(if wide { 8 } else { 4 }).map(|b| number(b, true)));
        }
        values
    }

    pub(super) fn op<'c>(&self, code: &'c Code, task: usize) -> &'c Op {
        &code.ops[self.tasks[task].pc as usize]
    }

    pub(super) fn team(&self, index: u8) -> &Team {
        self.teams[index as usize].as_ref().expect("a team in which threads are")
    }

    pub(super) fn team_mut(&mut self, index: u8) -> &mut Team {
        self.teams[index as usize].as_mut().expect("a team in which threads are")
    }

    /// A new object of thread `t`.
    pub(super) fn allocate(&mut self, world: &mut World, t: usize, class: u8, size: u16) -> u16 {
        let name = self.threads[t].name;
        let made = self.made.entry(name).or_default();
        *made += 1;
        let object = world.object_name(name, *made);
        let bytes = vec![0; size as usize];
        self.memory.insert(object, Object { class, touched: None, freed: false, bytes });
        object
    }

    /// The object of variable `v` as task `k` on thread `t` sees it.
    pub(super) fn object(&mut self, code: &Code, world: &mut World, t: usize, k: usize, v: Var) -> u16 {
        let local = self.tasks[k].objects[v as usize];
        let decl = &code.vars[v as usize];
        match decl.storage {
            _ if local != NONE => local,
            Storage::Local => NONE,
            Storage::Static => u16::from(v),
            Storage::Threadprivate | Storage::ThreadLocal => {
                let object = world.object_name(self.threads[t].name, 128 + v);
                let bytes = vec![0; decl.ty.size() as usize];
                let fresh = Object { class: v, touched: None, freed: false, bytes };
                self.memory.entry(object).or_insert(fresh);
                object
            }
        }
    }

    /// A local variable ends, with the lock that it is.
    pub(super) fn end(&mut self, object: u16) {
        if self.memory.remove(&object).is_some() {
            self.own_locks.remove(&address(object));
        }
    }

    /// Drops accesses that everyone knows: they cannot race any more.
    pub(super) fn forget(&mut self) {
        let alive = self.threads.iter().filter(|t| !t.teams.is_empty());
        let known = alive.fold(self.executed, |known, t| known & t.past);
        // Lanes of one thread are not ordered by its past.
        let lanes = self.tasks.iter().any(|t| t.lane.is_some());
        if known != 0 && !lanes {
            self.executed &= !known;
            self.for_each_past(|past| *past &= !known);
        }
    }

    /// Changes every past.
    pub(super) fn for_each_past(&mut self, mut change: impl FnMut(&mut Past)) {
        self.threads.iter_mut().for_each(|t| change(&mut t.past));
        for task in &mut self.tasks {
            change(&mut task.past);
            change(&mut task.children_past);
        }
        self.teams.iter_mut().flatten().for_each(|t| change(&mut t.past));
        self.groups.iter_mut().for_each(|g| change(&mut g.past));
        self.locks.values_mut().for_each(|l| change(&mut l.released));
        self.own_locks.values_mut().for_each(|l| change(&mut l.released));
    }
}

impl Task {
    /// An implicit task.
    pub(super) fn new(thread: u8, team: u8, parent: Option<u8>, objects: Vec<u16>) -> Task {
        Task {
            pc: 0,
            status: Status::Started,
            thread,
            team,
            parent,
            implicit: true,
            untied: false,
            undeferred: false,
            group: None,
            objects,
            own: Vec::new(),
            saved: Vec::new(),
            regs: [0; REGISTERS],
            shares: Vec::new(),
            part: (0, 0),
            lane: None,
            max_threads: 0,
            past: 0,
            children_past: 0,
        }
    }
}

/// A number of a few bytes, the least significant first.
pub(super) fn number(bytes: &[u8], signed: bool) -> i64 {
    let raw = bytes.iter().rev().fold(0u64, |n, &b| n << 8 | u64::from(b)) as i64;
    if bytes.len() == 4 && signed { i64::from(raw as i32) } else { raw }
}

/// The static variables.
fn statics(code: &Code) -> BTreeMap<u16, Object> {
    let mut memory = BTreeMap::new();
    for (v, decl) in code.vars.iter().enumerate().filter(|(_, d)| d.storage == Storage::Static) {
        let size = if decl.ty == Type::Pair { 4 } else { decl.ty.element().size() as usize };
        let mut bytes = vec![0; decl.ty.size() as usize];
        for (k, init) in decl.init.iter().enumerate() {
            let value = match init {
                Init::Number(n) => *n,
                Init::Address(of) => address(u16::from(*of)),
            };
            bytes[k * size..(k + 1) * size].copy_from_slice(&value.to_le_bytes()[..size]);
        }
        memory.insert(v as u16, Object { class: v as u8, touched: None, freed: false, bytes });
    }
    memory
}

/// The locks among them.
fn static_locks(code: &Code) -> BTreeMap<i64, OwnLock> {
    let mut locks = BTreeMap::new();
    for (v, decl) in code.vars.iter().enumerate() {
        if decl.storage == Storage::Static && decl.ty.element() == Type::Lock {
            let one = |k: u8| (address(v as u16) + 8 * i64::from(k), OwnLock::default());
            locks.extend((0..decl.ty.elements()).map(one));
        }
    }
    locks
}
