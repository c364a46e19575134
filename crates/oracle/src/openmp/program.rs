//! Abstract OpenMP programs: what is generated, printed as C and explored.
//!
//! A program is the body of `main`: serial statements and parallel regions. Inside a region, `r0` and `r1` are private
//! registers of each thread (a task has its own copies, taken when it is created), `i` is the iteration variable of the
//! innermost worksharing loop, and everything else is shared. Statements outside of regions use two registers of `main`.

pub use crate::program::Order;

/// Registers that statements may name.
pub const REGISTERS: u8 = 2;

/// The elements of each array.
pub const ELEMENTS: usize = 6;

/// Which element of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Index {
    /// Always the same one.
    Const(u8),
    /// The iteration variable plus a constant.
    Iter(u8),
    /// The lowest two bits of a register.
    Reg(u8),
}

/// A shared place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// A scalar variable.
    Var(u8),
    /// An element of an array.
    Elem(u8, Index),
}

/// What is written or assigned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Value {
    /// A constant.
    Const(i32),
    /// A register plus a constant.
    Plus(u8, i32),
    /// The iteration variable plus a constant.
    Iter(i32),
    /// The sum of two registers.
    Sum(u8, u8),
}

/// A condition over private values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Test {
    /// The register; [`Test::ITER`] for the iteration variable.
    pub reg: u8,
    /// Whether the values must be equal or different.
    pub equal: bool,
    /// The value compared with.
    pub value: i32,
}

impl Test {
    /// Stands for the iteration variable.
    pub const ITER: u8 = REGISTERS;

    /// `reg == value`.
    pub fn eq(reg: u8, value: i32) -> Test {
        Test { reg, equal: true, value }
    }
}

/// How the iterations of a loop are divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the clauses of the language, with their chunk size")]
pub enum Schedule {
    None,
    Static(Option<u8>),
    Dynamic(Option<u8>),
    Guided(Option<u8>),
    Auto,
    Runtime,
}

/// A worksharing loop `for (int i = 0; i < n; i++)`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Loop {
    /// The number of iterations.
    pub n: u8,
    /// The schedule clause.
    pub schedule: Schedule,
    /// No barrier at the end.
    pub nowait: bool,
    /// The `ordered` clause.
    pub ordered: bool,
    /// `reduction(+ : x)`.
    pub reduction: Option<u8>,
    /// `lastprivate(x)`.
    pub lastprivate: Option<u8>,
    /// `firstprivate(x)`.
    pub firstprivate: Option<u8>,
}

/// The kind of a task dependence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the words of the language")]
pub enum Depend {
    In,
    Out,
    Inout,
    Mutexinoutset,
}

/// The clauses of a task.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct TaskClauses {
    /// `depend(KIND : x)`.
    pub depends: Vec<(Depend, u8)>,
    /// `if(0)`: undeferred.
    pub undeferred: bool,
    /// `firstprivate(x)` of a shared variable.
    pub firstprivate: Option<u8>,
}

/// A parallel region.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Region {
    /// `num_threads`.
    pub threads: u8,
    /// One directive with the loop that is all of the body: `parallel for`.
    pub combined: bool,
    /// `reduction(+ : x)`.
    pub reduction: Option<u8>,
    /// `firstprivate(x)`.
    pub firstprivate: Option<u8>,
}

/// A statement.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[allow(
    missing_docs,
    reason = "the fields are those of the OpenMP construct or C statement of the same name"
)]
pub enum Stmt {
    Set {
        reg: u8,
        value: Value,
    },
    ThreadNum {
        reg: u8,
    },
    Read {
        reg: u8,
        place: Place,
    },
    Write {
        place: Place,
        value: Value,
    },
    Increment {
        place: Place,
    },
    AtomicRead {
        reg: u8,
        place: Place,
        order: Order,
    },
    AtomicWrite {
        place: Place,
        value: Value,
        order: Order,
    },
    AtomicUpdate {
        place: Place,
        add: i32,
        order: Order,
    },
    AtomicCapture {
        reg: u8,
        place: Place,
        add: i32,
        order: Order,
    },
    /// Reads atomically until the value is there.
    Spin {
        place: Place,
        value: i32,
        order: Order,
    },
    Flush,
    Assert(Test),
    If {
        test: Test,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    Repeat {
        times: u8,
        body: Vec<Stmt>,
    },
    Critical {
        name: Option<u8>,
        body: Vec<Stmt>,
    },
    /// `omp_set_lock`, the body, `omp_unset_lock`.
    Locked {
        lock: u8,
        body: Vec<Stmt>,
    },
    /// `if (omp_test_lock) { then, omp_unset_lock } else { otherwise }`.
    TestLock {
        lock: u8,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    Barrier,
    For {
        head: Loop,
        body: Vec<Stmt>,
    },
    Ordered {
        body: Vec<Stmt>,
    },
    Single {
        nowait: bool,
        body: Vec<Stmt>,
    },
    /// `master` where the filter is `None`.
    Masked {
        filter: Option<u8>,
        body: Vec<Stmt>,
    },
    Sections {
        nowait: bool,
        blocks: Vec<Vec<Stmt>>,
    },
    Task {
        clauses: TaskClauses,
        body: Vec<Stmt>,
    },
    Taskwait,
    Taskyield,
    Taskgroup {
        body: Vec<Stmt>,
    },
    Parallel {
        region: Region,
        body: Vec<Stmt>,
    },
}

impl Stmt {
    /// The blocks inside.
    pub fn blocks(&self) -> Vec<&Vec<Stmt>> {
        match self {
            Stmt::If { then, otherwise, .. } | Stmt::TestLock { then, otherwise, .. } => {
                vec![then, otherwise]
            }
            Stmt::Sections { blocks, .. } => blocks.iter().collect(),
            Stmt::Repeat { body, .. }
            | Stmt::Critical { body, .. }
            | Stmt::Locked { body, .. }
            | Stmt::For { body, .. }
            | Stmt::Ordered { body }
            | Stmt::Single { body, .. }
            | Stmt::Masked { body, .. }
            | Stmt::Task { body, .. }
            | Stmt::Taskgroup { body }
            | Stmt::Parallel { body, .. } => vec![body],
            _ => Vec::new(),
        }
    }

    /// The blocks inside, to be changed.
    pub fn blocks_mut(&mut self) -> Vec<&mut Vec<Stmt>> {
        match self {
            Stmt::If { then, otherwise, .. } | Stmt::TestLock { then, otherwise, .. } => {
                vec![then, otherwise]
            }
            Stmt::Sections { blocks, .. } => blocks.iter_mut().collect(),
            Stmt::Repeat { body, .. }
            | Stmt::Critical { body, .. }
            | Stmt::Locked { body, .. }
            | Stmt::For { body, .. }
            | Stmt::Ordered { body }
            | Stmt::Single { body, .. }
            | Stmt::Masked { body, .. }
            | Stmt::Task { body, .. }
            | Stmt::Taskgroup { body }
            | Stmt::Parallel { body, .. } => vec![body],
            _ => Vec::new(),
        }
    }

    /// The shared place that the statement itself accesses.
    pub fn place(&self) -> Option<Place> {
        match *self {
            Stmt::Read { place, .. }
            | Stmt::Write { place, .. }
            | Stmt::Increment { place }
            | Stmt::AtomicRead { place, .. }
            | Stmt::AtomicWrite { place, .. }
            | Stmt::AtomicUpdate { place, .. }
            | Stmt::AtomicCapture { place, .. }
            | Stmt::Spin { place, .. } => Some(place),
            _ => None,
        }
    }
}

/// Calls `visit` for every statement of a block, outer ones first.
pub fn walk<'a>(block: &'a [Stmt], visit: &mut impl FnMut(&'a Stmt)) {
    for stmt in block {
        visit(stmt);
        for inner in stmt.blocks() {
            walk(inner, visit);
        }
    }
}

/// The number of statements in a block, those in inner blocks included.
pub fn size(block: &[Stmt]) -> usize {
    let mut count = 0;
    walk(block, &mut |_| count += 1);
    count
}

/// A whole program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Program {
    /// The body of `main`.
    pub main: Vec<Stmt>,
    /// For each scalar whether it is a local variable of `main` (which regions share) or a global.
    pub vars: Vec<bool>,
    /// Likewise for each array.
    pub arrays: Vec<bool>,
    /// How many locks there are.
    pub locks: usize,
}

impl Program {
    /// The number of statements.
    pub fn statements(&self) -> usize {
        size(&self.main)
    }

    /// Whether every atomic is sequentially consistent and nothing is flushed. Only then do race-free programs behave
    /// on real hardware as under interleaving.
    pub fn only_seq_cst(&self) -> bool {
        let mut only = true;
        walk(&self.main, &mut |s| match s {
            Stmt::AtomicRead { order, .. }
            | Stmt::AtomicWrite { order, .. }
            | Stmt::AtomicUpdate { order, .. }
            | Stmt::AtomicCapture { order, .. }
            | Stmt::Spin { order, .. } => only &= *order == Order::SeqCst,
            Stmt::Flush => only = false,
            _ => {}
        });
        only
    }

    /// Whether the program has a flush, which ThreadSanitizer does not understand.
    pub fn has_flush(&self) -> bool {
        let mut found = false;
        walk(&self.main, &mut |s| found |= *s == Stmt::Flush);
        found
    }
}
