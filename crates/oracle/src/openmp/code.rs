//! OpenMP programs flattened to numbered instructions, with the C line of each access.
//!
//! `main`, the regions and the tasks stand in one list of instructions. `for` loops of C are unrolled; worksharing loops are
//! not, since which iterations a thread does is decided while it runs. Names that a clause makes private become
//! hidden registers, so nobody else sees them.

use super::program::{
    Depend, ELEMENTS, Index, Loop, Order, Place, Program, Region, Schedule, Stmt, TaskClauses, Test, Value,
};

/// The register of the iteration variable; the same number as [`Test::ITER`].
pub const ITER: u8 = Test::ITER;
/// The register of compound statements.
pub const SCRATCH: u8 = ITER + 1;
/// The first register of private copies.
pub const COPIES: u8 = SCRATCH + 1;
/// The register that keeps what the last iteration left in a `lastprivate` copy, and the one that says that there is something.
const KEPT: u8 = COPIES + 4;
const IS_KEPT: u8 = KEPT + 1;
/// All registers.
pub const ALL_REGISTERS: usize = IS_KEPT as usize + 1;

/// An operation on a shared place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "as in Stmt")]
pub enum Action {
    Read {
        reg: u8,
    },
    Write {
        value: Value,
    },
    AtomicRead {
        reg: u8,
        order: Order,
    },
    AtomicWrite {
        value: Value,
        order: Order,
    },
    /// The register gets the old value.
    AtomicAdd {
        reg: u8,
        add: i32,
        order: Order,
    },
}

/// An instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Op {
    // Silent: nobody but the thread itself can tell when they happen.
    /// Assigns a register.
    Set { reg: u8, value: Value },
    /// Assigns the number of the thread that executes this.
    ThreadNum { reg: u8 },
    /// Goes on elsewhere.
    Jump(usize),
    /// Goes on if the test holds, else jumps.
    Unless { test: Test, target: usize },
    /// Goes on if this thread has the number, else jumps.
    OnlyThread { thread: u8, target: usize },
    /// An explicit flush: a fence that acquires and releases.
    Flush,
    /// A worksharing construct begins: a loop, sections, or a single.
    Enter { schedule: Schedule, n: u8, ordered: bool },
    /// The next iteration of this thread, or a jump to the end. A choice where the language leaves it open.
    Next { schedule: Schedule, n: u8, end: usize },
    /// Jumps to the block of this number of section.
    Section(Vec<usize>),
    /// This thread takes the single block, or jumps. A choice.
    Single { end: usize },
    /// This thread's part of a reduction is complete; it will be combined some time before the next barrier.
    Reduce { place: Place, reg: u8, line: u32 },
    /// A taskgroup begins.
    GroupBegin,
    /// A region begins.
    Fork { threads: u8 },

    // Visible.
    /// An access of a shared place.
    Access { place: Place, action: Action, line: u32 },
    /// `critical`, `omp_set_lock`.
    Lock(u8),
    /// The end of `critical`, `omp_unset_lock`.
    Unlock(u8),
    /// Goes on if the lock was free, else jumps.
    TestLock { lock: u8, target: usize },
    /// Waits for the ordered regions of all earlier iterations.
    OrderedBegin,
    /// The end of an ordered region.
    OrderedEnd,
    /// Fails if the test does not hold.
    Assert(Test),
    /// Generates a task whose code begins behind the next instruction's target.
    Create { entry: usize, depends: Vec<(Depend, u8)>, undeferred: bool },

    // Visible, and task scheduling points.
    /// The scheduling point behind the creation of a task; also the end of an undeferred one.
    Created,
    /// Waits for the children.
    Taskwait,
    /// Only a scheduling point.
    Taskyield,
    /// Waits for the tasks of the group.
    GroupEnd,
    /// Waits for all threads of the team and all of its tasks.
    Barrier,
    /// The barrier at the end of a region; only the first thread goes on.
    Join,

    /// The end of a task.
    TaskEnd,
    /// The end of `main`.
    End,
}

/// A flattened program.
#[derive(Debug, Clone, Default)]
pub struct Code {
    /// All instructions; `main` starts at the first.
    pub ops: Vec<Op>,
    /// How many scalars there are.
    pub vars: usize,
    /// How many locks, those of critical constructs included.
    pub locks: usize,
    /// How many places in memory.
    pub places: usize,
}

impl Code {
    /// The place in memory, given the registers.
    pub fn resolve(&self, place: Place, regs: &[i32]) -> usize {
        match place {
            Place::Var(v) => v as usize,
            Place::Elem(a, index) => {
                let element = match index {
                    Index::Const(k) => k as usize,
                    Index::Iter(k) => regs[ITER as usize] as usize + k as usize,
                    Index::Reg(r) => (regs[r as usize] & 3) as usize,
                };
                self.vars + a as usize * ELEMENTS + element
            }
        }
    }

    /// The name that the source has for a place in memory.
    pub fn name(&self, place: usize) -> String {
        match place.checked_sub(self.vars) {
            None => format!("x{place}"),
            Some(e) => format!("a{}[{}]", e / ELEMENTS, e % ELEMENTS),
        }
    }
}

/// Flattens `program`; `lines` are those of [`super::print::print`].
pub fn flatten(program: &Program, lines: &[u32]) -> Code {
    let mut flat =
        Flattener { lines, next_line: 0, locks: program.locks as u8, ops: Vec::new(), private: Vec::new() };
    flat.block(&program.main);
    flat.ops.push(Op::End);
    let vars = program.vars.len();
    // The unnamed critical and two named ones are locks behind the program's own.
    Code { ops: flat.ops, vars, locks: program.locks + 3, places: vars + program.arrays.len() * ELEMENTS }
}

struct Flattener<'a> {
    lines: &'a [u32],
    next_line: usize,
    /// The program's own locks.
    locks: u8,
    ops: Vec<Op>,
    /// The variables that are private here, with their registers.
    private: Vec<(u8, u8)>,
}

impl Flattener<'_> {
    fn block(&mut self, block: &[Stmt]) {
        for stmt in block {
            self.stmt(stmt);
        }
    }

    fn push(&mut self, op: Op) -> usize {
        self.ops.push(op);
        self.ops.len() - 1
    }

    fn private(&self, place: Place) -> Option<u8> {
        match place {
            Place::Var(v) => self.private.iter().rev().find(|p| p.0 == v).map(|p| p.1),
            Place::Elem(..) => None,
        }
    }

    /// Makes `var` private from here on.
    fn privatise(&mut self, var: u8) -> u8 {
        let reg = COPIES + self.private.len() as u8;
        self.private.push((var, reg));
        reg
    }

    /// Ends the privacy of all but the first `keep` private variables.
    fn publish(&mut self, keep: usize) {
        while self.private.len() > keep {
            if let Some((_, reg)) = self.private.pop() {
                self.push(Op::Set { reg, value: Value::Const(0) });
            }
        }
    }

    fn access(&mut self, place: Place, action: Action, line: u32) {
        let op = match (self.private(place), action) {
            (None, _) => Op::Access { place, action, line },
            (Some(copy), Action::Read { reg }) => Op::Set { reg, value: Value::Plus(copy, 0) },
            (Some(copy), Action::Write { value }) => Op::Set { reg: copy, value },
            // Atomics on a private copy: only the thread itself can tell.
            (Some(copy), Action::AtomicRead { reg, .. }) => Op::Set { reg, value: Value::Plus(copy, 0) },
            (Some(copy), Action::AtomicWrite { value, .. }) => Op::Set { reg: copy, value },
            (Some(copy), Action::AtomicAdd { reg, add, .. }) => {
                self.push(Op::Set { reg, value: Value::Plus(copy, 0) });
                Op::Set { reg: copy, value: Value::Plus(copy, add) }
            }
        };
        self.push(op);
    }

    fn clear(&mut self, reg: u8) {
        self.push(Op::Set { reg, value: Value::Const(0) });
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let line = self.lines[self.next_line];
        self.next_line += 1;
        match *stmt {
            Stmt::Set { reg, value } => drop(self.push(Op::Set { reg, value })),
            Stmt::ThreadNum { reg } => drop(self.push(Op::ThreadNum { reg })),
            Stmt::Read { reg, place } => self.access(place, Action::Read { reg }, line),
            Stmt::Write { place, value } => self.access(place, Action::Write { value }, line),
            Stmt::Increment { place } => {
                self.access(place, Action::Read { reg: SCRATCH }, line);
                self.access(place, Action::Write { value: Value::Plus(SCRATCH, 1) }, line);
                self.clear(SCRATCH);
            }
            Stmt::AtomicRead { reg, place, order } => {
                self.access(place, Action::AtomicRead { reg, order }, line)
            }
            Stmt::AtomicWrite { place, value, order } => {
                self.access(place, Action::AtomicWrite { value, order }, line)
            }
            Stmt::AtomicUpdate { place, add, order } => {
                self.access(place, Action::AtomicAdd { reg: SCRATCH, add, order }, line);
                self.clear(SCRATCH);
            }
            Stmt::AtomicCapture { reg, place, add, order } => {
                self.access(place, Action::AtomicAdd { reg, add, order }, line)
            }
            Stmt::Spin { place, value, order } => {
                let at = self.ops.len();
                self.access(place, Action::AtomicRead { reg: SCRATCH, order }, line);
                self.push(Op::Unless { test: Test::eq(SCRATCH, value), target: at });
                self.clear(SCRATCH);
            }
            Stmt::Flush => drop(self.push(Op::Flush)),
            Stmt::Assert(test) => drop(self.push(Op::Assert(test))),
            Stmt::Barrier => drop(self.push(Op::Barrier)),
            Stmt::Taskwait => drop(self.push(Op::Taskwait)),
            Stmt::Taskyield => drop(self.push(Op::Taskyield)),
            Stmt::If { test, ref then, ref otherwise } => {
                self.branch(|target| Op::Unless { test, target }, then, None, otherwise)
            }
            Stmt::TestLock { lock, ref then, ref otherwise } => {
                self.branch(|target| Op::TestLock { lock, target }, then, Some(lock), otherwise)
            }
            _ => self.construct(stmt, line),
        }
    }

    fn construct(&mut self, stmt: &Stmt, line: u32) {
        match stmt {
            Stmt::Repeat { times, body } => {
                let first = self.next_line;
                for _ in 0..*times {
                    self.next_line = first;
                    self.block(body);
                }
            }
            Stmt::Critical { name, body } => {
                let lock = self.locks + name.map_or(0, |n| n + 1);
                self.locked(lock, body);
            }
            Stmt::Locked { lock, body } => self.locked(*lock, body),
            Stmt::For { head, body } => self.worksharing_loop(head, body, line),
            Stmt::Ordered { body } => {
                self.push(Op::OrderedBegin);
                self.block(body);
                self.push(Op::OrderedEnd);
            }
            Stmt::Single { nowait, body } => self.single(*nowait, body),
            Stmt::Masked { filter, body } => {
                let at = self.push(Op::Jump(0));
                self.block(body);
                self.ops[at] = Op::OnlyThread { thread: filter.unwrap_or(0), target: self.ops.len() };
            }
            Stmt::Sections { nowait, blocks } => self.sections(*nowait, blocks),
            Stmt::Task { clauses, body } => self.task(clauses, body, line),
            Stmt::Taskgroup { body } => {
                self.push(Op::GroupBegin);
                self.block(body);
                self.push(Op::GroupEnd);
            }
            Stmt::Parallel { region, body } => self.region(region, body, line),
            _ => {}
        }
    }

    fn branch(&mut self, op: impl Fn(usize) -> Op, then: &[Stmt], release: Option<u8>, otherwise: &[Stmt]) {
        let at = self.push(Op::Jump(0));
        self.block(then);
        if let Some(lock) = release {
            self.push(Op::Unlock(lock));
        }
        let jump = self.push(Op::Jump(0));
        self.ops[at] = op(jump + 1);
        self.block(otherwise);
        self.ops[jump] = Op::Jump(self.ops.len());
    }

    fn locked(&mut self, lock: u8, body: &[Stmt]) {
        self.push(Op::Lock(lock));
        self.block(body);
        self.push(Op::Unlock(lock));
    }

    fn worksharing_loop(&mut self, head: &Loop, body: &[Stmt], line: u32) {
        let keep = self.private.len();
        let (schedule, n) = (head.schedule, head.n);
        if let Some(var) = head.firstprivate {
            let reg = COPIES + self.private.len() as u8;
            self.push(Op::Access { place: Place::Var(var), action: Action::Read { reg }, line });
            self.privatise(var);
        }
        let last = head.lastprivate.map(|var| (var, self.privatise(var)));
        let sum = head.reduction.map(|var| (var, self.privatise(var)));
        self.push(Op::Enter { schedule, n, ordered: head.ordered });
        let next = self.push(Op::Jump(0));
        self.block(body);
        if let Some((_, reg)) = last {
            self.push(Op::Unless { test: Test::eq(ITER, n as i32 - 1), target: next });
            self.push(Op::Set { reg: KEPT, value: Value::Plus(reg, 0) });
            self.push(Op::Set { reg: IS_KEPT, value: Value::Const(1) });
        }
        self.push(Op::Jump(next));
        self.ops[next] = Op::Next { schedule, n, end: self.ops.len() };
        if let Some((var, _)) = last {
            let target = self.ops.len() + 2;
            self.push(Op::Unless { test: Test::eq(IS_KEPT, 1), target });
            let action = Action::Write { value: Value::Plus(KEPT, 0) };
            self.push(Op::Access { place: Place::Var(var), action, line });
            self.clear(KEPT);
            self.clear(IS_KEPT);
        }
        if let Some((var, reg)) = sum {
            self.push(Op::Reduce { place: Place::Var(var), reg, line });
        }
        self.clear(ITER);
        self.publish(keep);
        if !head.nowait {
            self.push(Op::Barrier);
        }
    }

    fn single(&mut self, nowait: bool, body: &[Stmt]) {
        self.push(Op::Enter { schedule: Schedule::None, n: 1, ordered: false });
        let at = self.push(Op::Jump(0));
        self.block(body);
        self.ops[at] = Op::Single { end: self.ops.len() };
        if !nowait {
            self.push(Op::Barrier);
        }
    }

    fn sections(&mut self, nowait: bool, blocks: &[Vec<Stmt>]) {
        let (schedule, n) = (Schedule::None, blocks.len() as u8);
        self.push(Op::Enter { schedule, n, ordered: false });
        let next = self.push(Op::Jump(0));
        let jump = self.push(Op::Jump(0));
        let mut targets = Vec::new();
        for block in blocks {
            targets.push(self.ops.len());
            self.block(block);
            self.push(Op::Jump(next));
        }
        self.ops[jump] = Op::Section(targets);
        self.ops[next] = Op::Next { schedule, n, end: self.ops.len() };
        self.clear(ITER);
        if !nowait {
            self.push(Op::Barrier);
        }
    }

    fn task(&mut self, clauses: &TaskClauses, body: &[Stmt], line: u32) {
        let keep = self.private.len();
        if let Some(var) = clauses.firstprivate {
            let copy = self.private(Place::Var(var));
            let reg = self.privatise(var);
            let op = match copy {
                Some(copy) => Op::Set { reg, value: Value::Plus(copy, 0) },
                None => Op::Access { place: Place::Var(var), action: Action::Read { reg }, line },
            };
            self.push(op);
        }
        let at = self.push(Op::Jump(0));
        let jump = self.push(Op::Jump(0));
        self.block(body);
        self.push(Op::TaskEnd);
        self.ops[jump] = Op::Jump(self.ops.len());
        self.ops[at] =
            Op::Create { entry: at + 2, depends: clauses.depends.clone(), undeferred: clauses.undeferred };
        self.publish(keep);
        self.push(Op::Created);
    }

    fn region(&mut self, region: &Region, body: &[Stmt], line: u32) {
        if let Some(var) = region.firstprivate {
            let reg = self.privatise(var);
            self.push(Op::Access { place: Place::Var(var), action: Action::Read { reg }, line });
        }
        let sum = region.reduction.map(|var| (var, self.privatise(var)));
        self.push(Op::Fork { threads: region.threads });
        self.block(body);
        if let Some((var, reg)) = sum {
            self.push(Op::Reduce { place: Place::Var(var), reg, line });
        }
        self.publish(0);
        self.push(Op::Join);
    }
}
