//! Programs with memory flattened to numbered instructions, with the C line of each access.
//!
//! Expressions are computed in registers, which live as long as their statement; every variable is in memory. `main`, the regions
//! and the tasks stand in one list.

use super::program::{
    Bin, Capture, Decl, Expr, Loop, Place, Program, Reduction, Schedule, Split, Stmt, Type, Var,
};

/// Registers of a task.
pub const REGISTERS: usize = 12;

/// The class of objects that an allocation makes: this number, plus which allocation of the program it is. Those of variables
/// have the variable's number.
pub const ALLOCATED: u8 = 128;

/// How an access treats memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Plain.
    Plain,
    /// Atomic.
    Atomic,
    /// The combination of a reduction: never in conflict with another one.
    Reduction,
}

/// What is done to a lock that is an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the functions of OpenMP")]
pub enum LockUse {
    Init,
    Set,
    Unset,
    Destroy,
}

/// Who takes what of a worksharing construct.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shares {
    /// Iteration j is that of thread `j / chunk % team`; without a chunk in equal blocks.
    Fixed(Option<u8>),
    /// Any thread gets any of them, each thread in increasing order.
    Increasing,
    /// Any thread gets any of them, in any order.
    Any,
}

/// An instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "registers, then the target of a jump; sizes in bytes")]
pub enum Op {
    Const(u8, i64),
    Copy(u8, u8),
    Bin(Bin, u8, u8, u8),
    /// The address of a variable as the task sees it.
    Address(u8, Var),
    ThreadNum(u8),
    TeamNum(u8),
    MaxThreads(u8),
    Alloc {
        reg: u8,
        class: u8,
        size: u16,
    },
    /// Ends what the register `old` points to.
    Free {
        old: u8,
        line: u32,
    },
    /// Likewise; the register gets a copy.
    Realloc {
        reg: u8,
        old: u8,
        class: u8,
        size: u16,
        line: u32,
    },
    Load {
        reg: u8,
        addr: u8,
        size: u8,
        kind: Kind,
        line: u32,
    },
    Store {
        addr: u8,
        value: u8,
        size: u8,
        line: u32,
    },
    /// The register gets the old value.
    AtomicAdd {
        reg: u8,
        addr: u8,
        value: u8,
        size: u8,
        line: u32,
    },
    Jump(usize),
    JumpIfZero(u8, usize),
    Assert(u8),
    /// The registers are free.
    Done,
    Declare(Var),
    Forget(Var),
    /// Sets the private copy of a reduction or a lane in the place of the variable; keeps what was there.
    Privatise(Var, i64),
    /// Back to the variable around.
    Publish(Var),
    /// Combines the private copy with the variable around, and goes back to that.
    Reduce(Reduction, Var, u32),
    /// Critical constructs have numbers from 100 on.
    Lock(u8),
    Unlock(u8),
    /// What is done to the lock at an address.
    LockAt {
        what: LockUse,
        addr: u8,
        line: u32,
    },
    SetNumThreads(u8),
    /// The team's threads go on behind it; the task itself at `end`.
    Fork {
        threads: Option<u8>,
        league: bool,
        end: usize,
    },
    Join,
    Barrier,
    Enter(u8, Shares),
    /// Takes the next share.
    Next {
        iter: Option<Var>,
        end: usize,
    },
    Section(Vec<usize>),
    Single(usize),
    Masked(usize),
    /// A loop of C: counts the variable up.
    Count {
        iter: Var,
        n: u8,
        end: usize,
    },
    /// A lane begins.
    Lane {
        iter: Var,
        n: u8,
        safelen: u8,
        end: usize,
    },
    /// The body of the task stands behind it.
    Task {
        firstprivate: Vec<(Var, u8)>,
        untied: bool,
        undeferred: bool,
        end: usize,
    },
    /// Likewise, one task for each part of the iterations.
    Taskloop {
        firstprivate: Vec<(Var, u8)>,
        untied: bool,
        n: u8,
        split: Split,
        end: usize,
    },
    /// The next iteration of the task's part.
    Part {
        iter: Var,
        end: usize,
    },
    /// Behind the creation of a task.
    Created,
    TaskEnd,
    Taskwait,
    Taskyield,
    GroupBegin,
    GroupEnd,
    End,
}

/// A flattened program.
#[derive(Debug, Clone, Default)]
pub struct Code {
    /// The instructions.
    pub ops: Vec<Op>,
    /// The variables.
    pub vars: Vec<Decl>,
    /// Some expression needs too many registers.
    pub too_large: bool,
}

/// Flattens `program`, whose statements stand on `lines`.
pub fn flatten(program: &Program, lines: &[u32]) -> Code {
    let code = Code { vars: program.vars.clone(), ..Code::default() };
    let mut flattener = Flattener { code, lines, next: 0, line: 0, reg: 0, allocations: 0 };
    flattener.block(&program.main);
    flattener.push(Op::End);
    flattener.code
}

struct Flattener<'a> {
    code: Code,
    lines: &'a [u32],
    next: usize,
    line: u32,
    reg: u8,
    allocations: u8,
}

impl Flattener<'_> {
    fn push(&mut self, op: Op) -> usize {
        self.code.ops.push(op);
        self.code.ops.len() - 1
    }

    fn here(&self) -> usize {
        self.code.ops.len()
    }

    fn fresh(&mut self) -> u8 {
        let reg = self.reg;
        if reg as usize + 1 < REGISTERS {
            self.reg += 1;
        } else {
            self.code.too_large = true;
        }
        reg
    }

    fn block(&mut self, block: &[Stmt]) {
        for stmt in block {
            self.stmt(stmt);
        }
        for stmt in block {
            if let Stmt::Declare { var, .. } = stmt {
                self.push(Op::Forget(*var));
            }
        }
    }

    fn size(&self, place: &Place) -> u8 {
        let ty = |v: Var| self.code.vars[v as usize].ty;
        match place {
            Place::Var(v) => ty(*v).size() as u8,
            Place::Elem(v, _) => (ty(*v).element().size()) as u8,
            Place::Byte(..) => 1,
            _ => 4,
        }
    }

    fn address(&mut self, place: &Place) -> u8 {
        match place {
            Place::Var(v) => self.base(*v),
            Place::Elem(v, e) => self.element(*v, e),
            Place::Field(v, k) | Place::Half(v, k) => {
                let base = self.base(*v);
                self.plus(base, 4 * i64::from(*k))
            }
            Place::ElemField(v, e, k) => {
                let element = self.element(*v, e);
                self.plus(element, 4 * i64::from(*k))
            }
            Place::At(e, k) => {
                let pointer = self.expr(e);
                self.plus(pointer, 4 * i64::from(*k))
            }
            Place::Byte(v, k) => {
                let base = self.base(*v);
                self.plus(base, i64::from(*k))
            }
        }
    }

    fn base(&mut self, v: Var) -> u8 {
        let reg = self.fresh();
        self.push(Op::Address(reg, v));
        reg
    }

    fn element(&mut self, v: Var, index: &Expr) -> u8 {
        let base = self.base(v);
        let size = self.code.vars[v as usize].ty.element().size();
        let at = self.expr(index);
        let scale = self.fresh();
        self.push(Op::Const(scale, i64::from(size)));
        self.push(Op::Bin(Bin::Mul, at, at, scale));
        self.push(Op::Bin(Bin::Add, base, base, at));
        self.reg = base + 1;
        base
    }

    fn plus(&mut self, reg: u8, offset: i64) -> u8 {
        if offset != 0 {
            let by = self.fresh();
            self.push(Op::Const(by, offset));
            self.push(Op::Bin(Bin::Add, reg, reg, by));
            self.reg = by;
        }
        reg
    }

    /// The register that gets the value; registers behind it are free again.
    fn expr(&mut self, expr: &Expr) -> u8 {
        let reg = self.fresh();
        match expr {
            Expr::Const(n) => drop(self.push(Op::Const(reg, *n))),
            Expr::Load(place) => {
                let (addr, size) = (self.address(place), self.size(place));
                let line = self.line;
                self.push(Op::Load { reg, addr, size, kind: Kind::Plain, line });
            }
            Expr::Addr(place) => {
                let addr = self.address(place);
                self.push(Op::Copy(reg, addr));
            }
            Expr::Bin(op, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                self.push(Op::Bin(*op, reg, a, b));
            }
            Expr::And(a, b) => self.circuit(reg, a, b, true),
            Expr::Or(a, b) => self.circuit(reg, a, b, false),
            Expr::Cond(c, a, b) => {
                let c = self.expr(c);
                let branch = self.push(Op::JumpIfZero(c, 0));
                self.into(reg, a);
                let over = self.push(Op::Jump(0));
                self.code.ops[branch] = Op::JumpIfZero(c, self.here());
                self.into(reg, b);
                self.code.ops[over] = Op::Jump(self.here());
            }
            Expr::ThreadNum => drop(self.push(Op::ThreadNum(reg))),
            Expr::TeamNum => drop(self.push(Op::TeamNum(reg))),
            Expr::MaxThreads => drop(self.push(Op::MaxThreads(reg))),
            Expr::Alloc(n) => {
                let class = ALLOCATED + self.allocations;
                self.allocations += 1;
                self.push(Op::Alloc { reg, class, size: u16::from(*n) * 4 });
            }
            Expr::Realloc(old, n) => {
                let old = self.expr(old);
                let class = ALLOCATED + self.allocations;
                self.allocations += 1;
                let (size, line) = (u16::from(*n) * 4, self.line);
                self.push(Op::Realloc { reg, old, class, size, line });
            }
        }
        self.reg = reg + 1;
        reg
    }

    fn into(&mut self, reg: u8, expr: &Expr) {
        let value = self.expr(expr);
        self.push(Op::Copy(reg, value));
        self.reg = value;
    }

    /// `a && b` (`all`) or `a || b` as 0 or 1.
    fn circuit(&mut self, reg: u8, a: &Expr, b: &Expr, all: bool) {
        let truth = |this: &mut Self, e: &Expr| {
            let value = this.expr(e);
            let zero = this.fresh();
            this.push(Op::Const(zero, 0));
            this.push(Op::Bin(Bin::Ne, reg, value, zero));
            this.reg = value;
        };
        truth(self, a);
        let not = self.fresh();
        if all {
            self.push(Op::Copy(not, reg));
        } else {
            let zero = self.fresh();
            self.push(Op::Const(zero, 0));
            self.push(Op::Bin(Bin::Eq, not, reg, zero));
        }
        let branch = self.push(Op::JumpIfZero(not, 0));
        truth(self, b);
        self.code.ops[branch] = Op::JumpIfZero(not, self.here());
    }

    fn stmt(&mut self, stmt: &Stmt) {
        self.line = self.lines[self.next];
        self.next += 1;
        self.reg = 0;
        match stmt {
            Stmt::Declare { var, .. } if self.code.vars[*var as usize].ty == Type::Lock => {
                self.push(Op::Declare(*var));
                self.lock(LockUse::Init, &Place::Var(*var));
            }
            Stmt::Declare { var, init } => {
                let value = self.expr(init);
                self.push(Op::Declare(*var));
                let place = Place::Var(*var);
                let (addr, size, line) = (self.address(&place), self.size(&place), self.line);
                self.push(Op::Store { addr, value, size, line });
            }
            Stmt::Assign { place, value } => {
                let value = self.expr(value);
                let (addr, size, line) = (self.address(place), self.size(place), self.line);
                self.push(Op::Store { addr, value, size, line });
            }
            Stmt::Add { place, value } | Stmt::Sub { place, value } => {
                let op = if matches!(stmt, Stmt::Add { .. }) { Bin::Add } else { Bin::Sub };
                let value = self.expr(value);
                let (addr, size, line) = (self.address(place), self.size(place), self.line);
                let reg = self.fresh();
                self.push(Op::Load { reg, addr, size, kind: Kind::Plain, line });
                self.push(Op::Bin(op, reg, reg, value));
                self.push(Op::Store { addr, value: reg, size, line });
            }
            Stmt::AtomicAdd { place, value } => {
                let value = self.expr(value);
                self.atomic_add(place, value);
            }
            Stmt::AtomicCapture { to, place, value } => {
                let by = self.fresh();
                self.push(Op::Const(by, *value));
                let old = self.atomic_add(place, by);
                self.keep(*to, old);
            }
            Stmt::AtomicRead { to, place } => {
                let (addr, size, line) = (self.address(place), self.size(place), self.line);
                let reg = self.fresh();
                self.push(Op::Load { reg, addr, size, kind: Kind::Atomic, line });
                self.keep(*to, reg);
            }
            Stmt::Assert(test) => {
                let reg = self.expr(test);
                self.push(Op::Assert(reg));
            }
            Stmt::Free(pointer) => {
                let (old, line) = (self.expr(pointer), self.line);
                self.push(Op::Free { old, line });
            }
            Stmt::SetLock(place) => self.lock(LockUse::Set, place),
            Stmt::UnsetLock(place) => self.lock(LockUse::Unset, place),
            Stmt::DestroyLock(place) => self.lock(LockUse::Destroy, place),
            Stmt::Call { param, arg, body } => return self.call(*param, arg, body),
            Stmt::SetNumThreads(n) => {
                let reg = self.expr(n);
                self.push(Op::SetNumThreads(reg));
            }
            Stmt::If { test, then, otherwise } => return self.branch(test, then, otherwise),
            _ => return self.construct(stmt),
        }
        self.push(Op::Done);
    }

    fn atomic_add(&mut self, place: &Place, value: u8) -> u8 {
        let (addr, size, line) = (self.address(place), self.size(place), self.line);
        let reg = self.fresh();
        self.push(Op::AtomicAdd { reg, addr, value, size, line });
        reg
    }

    /// Assigns a local variable.
    fn keep(&mut self, to: Var, value: u8) {
        let (addr, line) = (self.base(to), self.line);
        self.push(Op::Store { addr, value, size: 4, line });
    }

    fn lock(&mut self, what: LockUse, place: &Place) {
        let (addr, line) = (self.address(place), self.line);
        self.push(Op::LockAt { what, addr, line });
    }

    fn call(&mut self, param: Var, arg: &Expr, body: &[Stmt]) {
        let value = self.expr(arg);
        self.push(Op::Declare(param));
        let place = Place::Var(param);
        let (addr, size, line) = (self.address(&place), self.size(&place), self.line);
        self.push(Op::Store { addr, value, size, line });
        self.push(Op::Done);
        self.block(body);
        self.push(Op::Forget(param));
    }

    fn branch(&mut self, test: &Expr, then: &[Stmt], otherwise: &[Stmt]) {
        let reg = self.expr(test);
        let branch = self.push(Op::JumpIfZero(reg, 0));
        self.push(Op::Done);
        self.block(then);
        let over = self.push(Op::Jump(0));
        self.code.ops[branch] = Op::JumpIfZero(reg, self.here());
        self.push(Op::Done);
        self.block(otherwise);
        self.code.ops[over] = Op::Jump(self.here());
    }

    fn construct(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Critical { name, body } => self.exclusive(100 + name.map_or(0, |n| n + 1), body),
            Stmt::Locked { lock, body } => self.exclusive(*lock, body),
            Stmt::Barrier => drop(self.push(Op::Barrier)),
            Stmt::Taskwait => drop(self.push(Op::Taskwait)),
            Stmt::Taskyield => drop(self.push(Op::Taskyield)),
            Stmt::Repeat { iter, times, body } => {
                self.counted(*iter, body, |end| Op::Count { iter: *iter, n: *times, end })
            }
            Stmt::For { head, body } => self.worksharing_loop(head, body),
            Stmt::Distribute { iter, n, body } => self.shared_loop(*iter, *n, Shares::Any, body),
            Stmt::Sections { blocks, nowait } => self.sections(blocks, *nowait),
            Stmt::Single { nowait, body } => {
                self.push(Op::Enter(1, Shares::Any));
                self.guarded(Op::Single, body);
                if !nowait {
                    self.push(Op::Barrier);
                }
            }
            Stmt::Masked { body } => self.guarded(Op::Masked, body),
            Stmt::Taskgroup { body } => {
                self.push(Op::GroupBegin);
                self.block(body);
                self.push(Op::GroupEnd);
            }
            Stmt::Parallel { threads, reduction, body } => {
                let combine = reduction.map(|(op, v)| (op, v, self.line));
                self.fork(*threads, false, combine, body);
            }
            Stmt::Teams { teams, body } => self.fork(Some(*teams), true, None, body),
            Stmt::Simd { iter, n, safelen, private, body } => {
                let lane = |end| Op::Lane { iter: *iter, n: *n, safelen: safelen.unwrap_or(*n), end };
                self.lanes(*iter, *private, body, lane);
            }
            Stmt::Task { capture, body } => self.task(capture, None, body),
            Stmt::Taskloop { capture, iter, n, split, body } => {
                self.push(Op::GroupBegin);
                self.task(capture, Some((*iter, *n, *split)), body);
                self.push(Op::GroupEnd);
            }
            _ => {}
        }
    }

    fn exclusive(&mut self, lock: u8, body: &[Stmt]) {
        self.push(Op::Lock(lock));
        self.block(body);
        self.push(Op::Unlock(lock));
    }

    fn guarded(&mut self, op: impl Fn(usize) -> Op, body: &[Stmt]) {
        let at = self.push(op(0));
        self.block(body);
        self.code.ops[at] = op(self.here());
    }

    /// A loop around `body` whose head is `op`.
    fn counted(&mut self, iter: Var, body: &[Stmt], op: impl Fn(usize) -> Op) {
        self.lanes(iter, None, body, op);
    }

    fn lanes(&mut self, iter: Var, private: Option<Var>, body: &[Stmt], op: impl Fn(usize) -> Op) {
        self.push(Op::Declare(iter));
        let head = self.push(op(0));
        if let Some(v) = private {
            self.push(Op::Privatise(v, 0));
        }
        self.block(body);
        if let Some(v) = private {
            self.push(Op::Publish(v));
        }
        self.push(Op::Jump(head));
        self.code.ops[head] = op(self.here());
        self.push(Op::Forget(iter));
    }

    fn shared_loop(&mut self, iter: Var, n: u8, shares: Shares, body: &[Stmt]) {
        self.push(Op::Enter(n, shares));
        self.counted(iter, body, |end| Op::Next { iter: Some(iter), end });
    }

    fn worksharing_loop(&mut self, head: &Loop, body: &[Stmt]) {
        let shares = match head.schedule {
            Schedule::Static => Shares::Fixed(None),
            Schedule::StaticChunk(c) => Shares::Fixed(Some(c)),
            Schedule::DynamicMonotonic => Shares::Increasing,
            Schedule::None | Schedule::Dynamic | Schedule::Guided | Schedule::Auto => Shares::Any,
        };
        self.shared_loop(head.iter, head.n, shares, body);
        if !head.nowait {
            self.push(Op::Barrier);
        }
    }

    fn sections(&mut self, blocks: &[Vec<Stmt>], nowait: bool) {
        self.push(Op::Enter(blocks.len() as u8, Shares::Any));
        let head = self.push(Op::Next { iter: None, end: 0 });
        let table = self.push(Op::Section(Vec::new()));
        let mut targets = Vec::new();
        for block in blocks {
            targets.push(self.here());
            self.block(block);
            self.push(Op::Jump(head));
        }
        self.code.ops[table] = Op::Section(targets);
        self.code.ops[head] = Op::Next { iter: None, end: self.here() };
        if !nowait {
            self.push(Op::Barrier);
        }
    }

    fn fork(
        &mut self,
        threads: Option<u8>,
        league: bool,
        reduction: Option<(Reduction, Var, u32)>,
        body: &[Stmt],
    ) {
        let at = self.push(Op::Fork { threads, league, end: 0 });
        if let Some((op, v, _)) = reduction {
            let identity = if op == Reduction::Sum { 0 } else { i64::from(i32::MIN) };
            self.push(Op::Privatise(v, identity));
        }
        self.block(body);
        if let Some((op, v, line)) = reduction {
            self.push(Op::Reduce(op, v, line));
        }
        self.push(Op::Join);
        self.code.ops[at] = Op::Fork { threads, league, end: self.here() };
    }

    fn task(&mut self, capture: &Capture, range: Option<(Var, u8, Split)>, body: &[Stmt]) {
        let mut firstprivate = Vec::new();
        for &v in &capture.firstprivate {
            firstprivate.push((v, self.expr(&Expr::Load(Place::Var(v)))));
        }
        let (untied, undeferred) = (capture.untied, capture.undeferred);
        let op = |end: usize| match range {
            None => Op::Task { firstprivate: firstprivate.clone(), untied, undeferred, end },
            Some((_, n, split)) => Op::Taskloop { firstprivate: firstprivate.clone(), untied, n, split, end },
        };
        let at = self.push(op(0));
        match range {
            None => self.block(body),
            Some((iter, ..)) => self.counted(iter, body, |end| Op::Part { iter, end }),
        }
        self.push(Op::TaskEnd);
        self.code.ops[at] = op(self.here());
        self.push(Op::Created);
    }
}
