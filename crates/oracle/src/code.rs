//! Programs flattened to numbered instructions, with the C line of each.
//!
//! Loops are unrolled, compound statements are taken apart into their steps, and every instruction that accesses a
//! plain variable gets a number: the *access*, which the happens-before sets of [`crate::state`] are made of.

use crate::program::{Order, Program, SCRATCH, Stmt, Test, Value, size, walk};

/// An instruction. The first three are silent: nobody but the thread itself can tell when they happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "as in Stmt")]
pub enum Op {
    Set {
        reg: u8,
        value: Value,
    },
    Jump(usize),
    /// Goes on if the test holds, else jumps.
    Unless {
        test: Test,
        target: usize,
    },
    Read {
        reg: u8,
        access: usize,
    },
    Write {
        value: Value,
        access: usize,
    },
    Lock(usize),
    Unlock(usize),
    /// Goes on if the mutex was free, else jumps.
    TryLock {
        mutex: usize,
        target: usize,
    },
    /// Goes on if the semaphore was not 0, else jumps.
    TryDown {
        sem: usize,
        target: usize,
    },
    /// A plain read of an atomic.
    Peek {
        reg: u8,
        atomic: usize,
        access: usize,
    },
    /// A plain write of an atomic.
    Poke {
        atomic: usize,
        value: Value,
        access: usize,
    },
    Load {
        reg: u8,
        atomic: usize,
        order: Order,
        access: Option<usize>,
    },
    Store {
        atomic: usize,
        value: Value,
        order: Order,
        access: Option<usize>,
    },
    FetchAdd {
        reg: u8,
        atomic: usize,
        add: i32,
        order: Order,
        access: Option<usize>,
    },
    Exchange {
        reg: u8,
        atomic: usize,
        value: i32,
        order: Order,
        access: Option<usize>,
    },
    CompareExchange {
        reg: u8,
        atomic: usize,
        expected: i32,
        desired: i32,
        order: Order,
        access: Option<(usize, usize)>,
    },
    Fence(Order),
    CondWait {
        cond: usize,
        mutex: usize,
    },
    Signal(usize),
    Broadcast(usize),
    Barrier(usize),
    Post(usize),
    Down(usize),
    ReadLock(usize),
    WriteLock(usize),
    RwUnlock(usize),
    Assert(Test),
    Create(usize),
    Join(usize),
}

/// An instruction that accesses a plain variable, or an atomic that some instruction accesses plainly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    /// The thread whose instruction it is.
    pub thread: usize,
    /// The variable; atomics are numbered behind the plain variables.
    pub var: usize,
    /// Whether it writes.
    pub write: bool,
    /// Whether it is atomic.
    pub atomic: bool,
    /// The line of the printed program.
    pub line: u32,
}

/// A flattened program.
#[derive(Debug, Clone, Default)]
pub struct Code {
    /// The instructions of each thread; a thread ends when it runs off the end.
    pub threads: Vec<Vec<Op>>,
    /// All accesses, by number.
    pub accesses: Vec<Access>,
    /// How many plain variables there are.
    pub vars: usize,
}

/// Flattens `program`. `lines` has the C line of each statement, in the order thread by thread and outer statements
/// before inner ones, as [`crate::print::print`] returns them.
pub fn flatten(program: &Program, lines: &[u32]) -> Code {
    let mut code = Code { threads: Vec::new(), accesses: Vec::new(), vars: program.vars };
    let mut mixed = vec![false; program.atomics];
    for body in &program.threads {
        walk(body, &mut |stmt| {
            if let Stmt::Peek { atomic, .. } | Stmt::Poke { atomic, .. } = *stmt {
                mixed[atomic] = true;
            }
        });
    }
    let mut first = 0;
    for (thread, body) in program.threads.iter().enumerate() {
        let mut flat = Flattener {
            thread,
            lines,
            vars: program.vars,
            mixed: &mixed,
            ops: Vec::new(),
            accesses: &mut code.accesses,
        };
        flat.block(body, first);
        let ops = flat.ops;
        code.threads.push(ops);
        first += size(body);
    }
    code
}

struct Flattener<'a> {
    thread: usize,
    lines: &'a [u32],
    vars: usize,
    /// Which atomics are accessed plainly as well.
    mixed: &'a [bool],
    ops: Vec<Op>,
    accesses: &'a mut Vec<Access>,
}

impl Flattener<'_> {
    /// `id` is the number of the block's first statement.
    fn block(&mut self, block: &[Stmt], mut id: usize) {
        for stmt in block {
            self.stmt(stmt, id);
            id += stmt.size();
        }
    }

    fn access(&mut self, var: usize, write: bool, id: usize) -> usize {
        self.accesses.push(Access { thread: self.thread, var, write, atomic: false, line: self.lines[id] });
        self.accesses.len() - 1
    }

    /// The number of an atomic access, if there are plain ones that it could race with.
    fn atomic(&mut self, atomic: usize, write: bool, id: usize) -> Option<usize> {
        self.mixed[atomic].then(|| {
            let access = self.access(self.vars + atomic, write, id);
            self.accesses[access].atomic = true;
            access
        })
    }

    fn stmt(&mut self, stmt: &Stmt, id: usize) {
        let op = match *stmt {
            Stmt::TryDown { sem, ref then, ref otherwise } => {
                return self.branch(Op::TryDown { sem, target: 0 }, then, otherwise, id);
            }
            Stmt::TryLock { mutex, ref then, ref otherwise }
            | Stmt::TimedLock { mutex, ref then, ref otherwise } => {
                return self.branch(Op::TryLock { mutex, target: 0 }, then, otherwise, id);
            }
            Stmt::If { test, ref then, ref otherwise } => {
                return self.branch(Op::Unless { test, target: 0 }, then, otherwise, id);
            }
            Stmt::Repeat { times, ref body } => return (0..times).for_each(|_| self.block(body, id + 1)),
            Stmt::Increment { var } => return self.increment(var, id),
            Stmt::Spin { atomic, value, order } => {
                let access = self.atomic(atomic, false, id);
                let load = Op::Load { reg: SCRATCH, atomic, order, access };
                return self.spin(load, value);
            }
            Stmt::SpinExchange { atomic, order } => {
                let access = self.atomic(atomic, true, id);
                return self.spin(Op::Exchange { reg: SCRATCH, atomic, value: 1, order, access }, 0);
            }
            Stmt::Wait { cond, mutex, var, value, looped } => {
                return self.wait(Op::CondWait { cond, mutex }, var, value, looped, id);
            }
            Stmt::Set { reg, value } => Op::Set { reg, value },
            Stmt::Read { reg, var } => Op::Read { reg, access: self.access(var, false, id) },
            Stmt::Write { var, value } => Op::Write { value, access: self.access(var, true, id) },
            Stmt::Lock(m) => Op::Lock(m),
            Stmt::Unlock(m) => Op::Unlock(m),
            Stmt::Peek { reg, atomic } => {
                Op::Peek { reg, atomic, access: self.access(self.vars + atomic, false, id) }
            }
            Stmt::Poke { atomic, value } => {
                Op::Poke { atomic, value, access: self.access(self.vars + atomic, true, id) }
            }
            Stmt::Load { reg, atomic, order } => {
                Op::Load { reg, atomic, order, access: self.atomic(atomic, false, id) }
            }
            Stmt::Store { atomic, value, order } => {
                Op::Store { atomic, value, order, access: self.atomic(atomic, true, id) }
            }
            Stmt::FetchAdd { reg, atomic, add, order } => {
                Op::FetchAdd { reg, atomic, add, order, access: self.atomic(atomic, true, id) }
            }
            Stmt::Exchange { reg, atomic, value, order } => {
                Op::Exchange { reg, atomic, value, order, access: self.atomic(atomic, true, id) }
            }
            Stmt::CompareExchange { reg, atomic, expected, desired, order } => {
                let access = self.atomic(atomic, false, id).zip(self.atomic(atomic, true, id));
                Op::CompareExchange { reg, atomic, expected, desired, order, access }
            }
            Stmt::Fence(order) => Op::Fence(order),
            Stmt::Signal(c) => Op::Signal(c),
            Stmt::Broadcast(c) => Op::Broadcast(c),
            Stmt::Barrier(b) => Op::Barrier(b),
            Stmt::Post(s) => Op::Post(s),
            Stmt::Down(s) => Op::Down(s),
            Stmt::ReadLock(w) => Op::ReadLock(w),
            Stmt::WriteLock(w) => Op::WriteLock(w),
            Stmt::RwUnlock(w) => Op::RwUnlock(w),
            Stmt::Assert(test) => Op::Assert(test),
            Stmt::Create(t) => Op::Create(t),
            Stmt::Join(t) => Op::Join(t),
        };
        self.ops.push(op);
    }

    fn branch(&mut self, op: Op, then: &[Stmt], otherwise: &[Stmt], id: usize) {
        let at = self.ops.len();
        self.ops.push(op);
        self.block(then, id + 1);
        let jump = self.ops.len();
        self.ops.push(Op::Jump(0));
        self.ops[at] = match op {
            Op::TryLock { mutex, .. } => Op::TryLock { mutex, target: jump + 1 },
            Op::TryDown { sem, .. } => Op::TryDown { sem, target: jump + 1 },
            Op::Unless { test, .. } => Op::Unless { test, target: jump + 1 },
            other => other,
        };
        self.block(otherwise, id + 1 + size(then));
        self.ops[jump] = Op::Jump(self.ops.len());
    }

    fn increment(&mut self, var: usize, id: usize) {
        let read = self.access(var, false, id);
        let write = self.access(var, true, id);
        self.ops.push(Op::Read { reg: SCRATCH, access: read });
        self.ops.push(Op::Write { value: Value::Plus(SCRATCH, 1), access: write });
    }

    fn spin(&mut self, op: Op, until: i32) {
        let at = self.ops.len();
        self.ops.push(op);
        self.ops.push(Op::Unless { test: Test::eq(SCRATCH, until), target: at });
    }

    fn wait(&mut self, wait: Op, var: usize, value: i32, looped: bool, id: usize) {
        let at = self.ops.len();
        let access = self.access(var, false, id);
        self.ops.push(Op::Read { reg: SCRATCH, access });
        let end = at + 3 + usize::from(looped);
        self.ops.push(Op::Unless { test: Test::ne(SCRATCH, value), target: end });
        self.ops.push(wait);
        if looped {
            self.ops.push(Op::Jump(at));
        }
    }
}
