//! Abstract OpenMP programs with memory: objects of several types, pointers to them, and who they belong to.
//!
//! A program is the body of `main`. Every variable is an object in memory: static ones, those of a thread
//! (`threadprivate`, `_Thread_local`), and locals that a [`Stmt::Declare`] or a loop introduces where it stands.

/// Number of a variable in [`Program::vars`].
pub type Var = u8;

/// The type of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    /// `int`.
    Int,
    /// `long`, 8 bytes.
    Long,
    /// `struct pair { int a, b; }`.
    Pair,
    /// `int *`.
    Pointer,
    /// `int [n]`.
    Ints(u8),
    /// `int *[n]`.
    Pointers(u8),
    /// `struct pair [n]`.
    Pairs(u8),
    /// `omp_lock_t`. Where it is static it is initialised before everything, else where it is declared.
    Lock,
    /// `omp_lock_t [n]`.
    Locks(u8),
}

impl Type {
    /// The type of an element, for arrays.
    pub fn element(self) -> Type {
        match self {
            Type::Ints(_) => Type::Int,
            Type::Pointers(_) => Type::Pointer,
            Type::Pairs(_) => Type::Pair,
            Type::Locks(_) => Type::Lock,
            other => other,
        }
    }

    /// Whether it is an array, perhaps of one element.
    pub fn is_array(self) -> bool {
        self.element() != self
    }

    /// How many elements there are.
    pub fn elements(self) -> u8 {
        match self {
            Type::Ints(n) | Type::Pointers(n) | Type::Pairs(n) | Type::Locks(n) => n,
            _ => 1,
        }
    }

    /// The size in bytes.
    pub fn size(self) -> u16 {
        let one = if self.element() == Type::Int { 4 } else { 8 };
        one * u16::from(self.elements())
    }
}

/// Where a variable lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Storage {
    /// One for the program.
    Static,
    /// One for each thread, by the directive.
    Threadprivate,
    /// One for each thread, by the language.
    ThreadLocal,
    /// Where it is declared.
    Local,
}

/// What a static variable holds at first, element by element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Init {
    /// A number; a null pointer if the element is a pointer.
    Number(i64),
    /// The address of a static variable.
    Address(Var),
}

/// A variable.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Decl {
    /// Its type.
    pub ty: Type,
    /// Where it lives.
    pub storage: Storage,
    /// The first values of static variables; what is missing is 0.
    pub init: Vec<Init>,
}

/// An operation on two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the operators of C")]
pub enum Bin {
    Add,
    Sub,
    Mul,
    Div,
    Eq,
    Ne,
    Lt,
    Gt,
}

/// What can be assigned.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Place {
    /// A variable.
    Var(Var),
    /// An element of an array variable.
    Elem(Var, Box<Expr>),
    /// A member of a `struct pair` variable: 0 is `a`, 1 is `b`.
    Field(Var, u8),
    /// A member of an element of an array of pairs.
    ElemField(Var, Box<Expr>, u8),
    /// `pointer[index]`, an `int`.
    At(Box<Expr>, u8),
    /// `((int *)&variable)[k]`: a half of a `long`, or a member of a pair.
    Half(Var, u8),
    /// `((unsigned char *)&variable)[k]`.
    Byte(Var, u8),
}

impl Place {
    /// The variable that is named.
    pub fn var(&self) -> Option<Var> {
        match self {
            Place::Var(v)
            | Place::Elem(v, _)
            | Place::Field(v, _)
            | Place::ElemField(v, ..)
            | Place::Half(v, _)
            | Place::Byte(v, _) => Some(*v),
            Place::At(..) => None,
        }
    }

    /// The expression inside.
    pub fn inner(&self) -> Option<&Expr> {
        match self {
            Place::Elem(_, e) | Place::ElemField(_, e, _) | Place::At(e, _) => Some(e),
            _ => None,
        }
    }
}

/// An expression.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Expr {
    /// A number; for pointers the null pointer.
    Const(i64),
    /// What a place holds.
    Load(Place),
    /// The address of a place.
    Addr(Place),
    /// An operation.
    Bin(Bin, Box<Expr>, Box<Expr>),
    /// `a && b`.
    And(Box<Expr>, Box<Expr>),
    /// `a || b`.
    Or(Box<Expr>, Box<Expr>),
    /// `c ? a : b`.
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `omp_get_thread_num()`.
    ThreadNum,
    /// `omp_get_team_num()`.
    TeamNum,
    /// `omp_get_max_threads()`: the number-of-threads ICV of the task.
    MaxThreads,
    /// `calloc(n, sizeof(int))`.
    Alloc(u8),
    /// `realloc(pointer, n * sizeof(int))`: a new object; the old one ends. For objects that are not smaller.
    Realloc(Box<Expr>, u8),
}

impl Expr {
    /// The expressions inside.
    pub fn parts(&self) -> Vec<&Expr> {
        match self {
            Expr::Load(p) | Expr::Addr(p) => p.inner().into_iter().collect(),
            Expr::Bin(_, a, b) | Expr::And(a, b) | Expr::Or(a, b) => vec![a, b],
            Expr::Cond(c, a, b) => vec![c, a, b],
            Expr::Realloc(e, _) => vec![e],
            _ => Vec::new(),
        }
    }

    /// The place that is read or whose address is taken.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Expr::Load(p) | Expr::Addr(p) => Some(p),
            _ => None,
        }
    }
}

/// How the iterations of a worksharing loop are divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the words of the language")]
pub enum Schedule {
    None,
    Static,
    StaticChunk(u8),
    Dynamic,
    DynamicMonotonic,
    Guided,
    Auto,
}

/// The operation of a reduction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "+ and max")]
pub enum Reduction {
    Sum,
    Max,
}

/// A worksharing loop `for (int i = 0; i < n; i++)`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Loop {
    /// The iteration variable.
    pub iter: Var,
    /// The number of iterations.
    pub n: u8,
    /// How they are divided.
    pub schedule: Schedule,
    /// No barrier at the end.
    pub nowait: bool,
}

/// A task or taskloop: what it does with the locals around it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Capture {
    /// Copied at the creation.
    pub firstprivate: Vec<Var>,
    /// Used in place.
    pub shared: Vec<Var>,
    /// `untied`.
    pub untied: bool,
    /// `if(0)`: undeferred.
    pub undeferred: bool,
}

/// How a taskloop is split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Split {
    /// As the implementation likes.
    Open,
    /// `grainsize(g)`: at least the smaller of g and n iterations in each task, fewer than 2g.
    Grain(u8),
    /// `num_tasks(k)`: so many tasks, at most n, each with an iteration.
    Tasks(u8),
}

/// A statement.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[allow(
    missing_docs,
    reason = "the fields are those of the OpenMP construct or C statement of the same name"
)]
pub enum Stmt {
    /// A local variable; it lives to the end of its block.
    Declare {
        var: Var,
        init: Expr,
    },
    /// `place = value`; copies a `struct pair` where the place is one.
    Assign {
        place: Place,
        value: Expr,
    },
    /// `place += value`: evaluates the value, reads the place, writes it.
    Add {
        place: Place,
        value: Expr,
    },
    /// `place -= value`, likewise.
    Sub {
        place: Place,
        value: Expr,
    },
    /// `#pragma omp atomic`, `place += value`; the value is evaluated outside of the atomic operation.
    AtomicAdd {
        place: Place,
        value: Expr,
    },
    /// `#pragma omp atomic capture`, `{ to = place; place += value; }`.
    AtomicCapture {
        to: Var,
        place: Place,
        value: i64,
    },
    /// `#pragma omp atomic read`, `to = place`.
    AtomicRead {
        to: Var,
        place: Place,
    },
    Assert(Expr),
    /// `free(pointer)`.
    Free(Expr),
    /// A call of a function of its own: `body` knows the parameter, an `int` or an `int *`, and no local of the caller.
    Call {
        param: Var,
        arg: Expr,
        body: Vec<Stmt>,
    },
    /// `omp_set_lock`: by whoever holds it already for ever.
    SetLock(Place),
    /// `omp_unset_lock`.
    UnsetLock(Place),
    /// `omp_destroy_lock`.
    DestroyLock(Place),
    If {
        test: Expr,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    /// A `for` loop of C.
    Repeat {
        iter: Var,
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
    Barrier,
    For {
        head: Loop,
        body: Vec<Stmt>,
    },
    Sections {
        blocks: Vec<Vec<Stmt>>,
        nowait: bool,
    },
    Single {
        nowait: bool,
        body: Vec<Stmt>,
    },
    Masked {
        body: Vec<Stmt>,
    },
    Task {
        capture: Capture,
        body: Vec<Stmt>,
    },
    Taskloop {
        capture: Capture,
        iter: Var,
        n: u8,
        split: Split,
        body: Vec<Stmt>,
    },
    Taskwait,
    Taskyield,
    Taskgroup {
        body: Vec<Stmt>,
    },
    /// Without a number the team has the size that the ICV says.
    Parallel {
        threads: Option<u8>,
        reduction: Option<(Reduction, Var)>,
        body: Vec<Stmt>,
    },
    Teams {
        teams: u8,
        body: Vec<Stmt>,
    },
    Distribute {
        iter: Var,
        n: u8,
        body: Vec<Stmt>,
    },
    /// `private` variables are those of each lane.
    Simd {
        iter: Var,
        n: u8,
        safelen: Option<u8>,
        private: Option<Var>,
        body: Vec<Stmt>,
    },
    SetNumThreads(Expr),
}

impl Stmt {
    /// The blocks inside.
    pub fn blocks(&self) -> Vec<&Vec<Stmt>> {
        match self {
            Stmt::If { then, otherwise, .. } => vec![then, otherwise],
            Stmt::Sections { blocks, .. } => blocks.iter().collect(),
            Stmt::Repeat { body, .. }
            | Stmt::Call { body, .. }
            | Stmt::Critical { body, .. }
            | Stmt::Locked { body, .. }
            | Stmt::For { body, .. }
            | Stmt::Single { body, .. }
            | Stmt::Masked { body }
            | Stmt::Task { body, .. }
            | Stmt::Taskloop { body, .. }
            | Stmt::Taskgroup { body }
            | Stmt::Parallel { body, .. }
            | Stmt::Teams { body, .. }
            | Stmt::Distribute { body, .. }
            | Stmt::Simd { body, .. } => vec![body],
            _ => Vec::new(),
        }
    }

    /// The blocks inside, to be changed.
    pub fn blocks_mut(&mut self) -> Vec<&mut Vec<Stmt>> {
        match self {
            Stmt::If { then, otherwise, .. } => vec![then, otherwise],
            Stmt::Sections { blocks, .. } => blocks.iter_mut().collect(),
            Stmt::Repeat { body, .. }
            | Stmt::Call { body, .. }
            | Stmt::Critical { body, .. }
            | Stmt::Locked { body, .. }
            | Stmt::For { body, .. }
            | Stmt::Single { body, .. }
            | Stmt::Masked { body }
            | Stmt::Task { body, .. }
            | Stmt::Taskloop { body, .. }
            | Stmt::Taskgroup { body }
            | Stmt::Parallel { body, .. }
            | Stmt::Teams { body, .. }
            | Stmt::Distribute { body, .. }
            | Stmt::Simd { body, .. } => vec![body],
            _ => Vec::new(),
        }
    }

    /// The place that the statement itself writes, and the expressions that it evaluates.
    pub fn parts(&self) -> (Option<&Place>, Vec<&Expr>) {
        match self {
            Stmt::Declare { init: e, .. }
            | Stmt::Assert(e)
            | Stmt::SetNumThreads(e)
            | Stmt::Free(e)
            | Stmt::Call { arg: e, .. } => (None, vec![e]),
            Stmt::SetLock(place) | Stmt::UnsetLock(place) | Stmt::DestroyLock(place) => {
                (Some(place), Vec::new())
            }
            Stmt::If { test, .. } => (None, vec![test]),
            Stmt::Assign { place, value }
            | Stmt::Add { place, value }
            | Stmt::Sub { place, value }
            | Stmt::AtomicAdd { place, value } => (Some(place), vec![value]),
            Stmt::AtomicCapture { place, .. } | Stmt::AtomicRead { place, .. } => (Some(place), Vec::new()),
            _ => (None, Vec::new()),
        }
    }

    /// The variables that the statement declares for its body.
    pub fn declares(&self) -> Option<Var> {
        match self {
            Stmt::Declare { var, .. } => Some(*var),
            Stmt::Call { param, .. } => Some(*param),
            Stmt::For { head, .. } => Some(head.iter),
            Stmt::Repeat { iter, .. }
            | Stmt::Taskloop { iter, .. }
            | Stmt::Distribute { iter, .. }
            | Stmt::Simd { iter, .. } => Some(*iter),
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

/// Calls `visit` for every variable that an expression names.
pub fn names(expr: &Expr, visit: &mut impl FnMut(Var)) {
    if let Some(v) = expr.place().and_then(Place::var) {
        visit(v);
    }
    expr.parts().into_iter().for_each(|part| names(part, visit));
}

/// Calls `visit` for every variable that a statement itself names, its blocks left aside.
pub fn own_names(stmt: &Stmt, visit: &mut impl FnMut(Var)) {
    let (place, exprs) = stmt.parts();
    if let Some(place) = place {
        place.var().into_iter().for_each(&mut *visit);
        place.inner().into_iter().for_each(|e| names(e, visit));
    }
    exprs.into_iter().for_each(|e| names(e, visit));
    match stmt {
        Stmt::AtomicCapture { to, .. } | Stmt::AtomicRead { to, .. } => visit(*to),
        Stmt::Parallel { reduction: Some((_, v)), .. } => visit(*v),
        Stmt::Simd { private: Some(v), .. } => visit(*v),
        _ => {}
    }
}

/// A whole program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Program {
    /// All variables.
    pub vars: Vec<Decl>,
    /// The body of `main`.
    pub main: Vec<Stmt>,
}

impl Program {
    /// The number of statements.
    pub fn statements(&self) -> usize {
        let mut count = 0;
        walk(&self.main, &mut |_| count += 1);
        count
    }

    /// Whether some statement is such a one.
    pub fn has(&self, which: impl Fn(&Stmt) -> bool) -> bool {
        let mut found = false;
        walk(&self.main, &mut |s| found |= which(s));
        found
    }

    /// Adds a variable.
    pub fn var(&mut self, ty: Type, storage: Storage) -> Var {
        self.vars.push(Decl { ty, storage, init: Vec::new() });
        (self.vars.len() - 1) as Var
    }

    /// The static variables whose final values an outcome is made of: all but pointers and locks.
    pub fn observed(&self) -> impl Iterator<Item = Var> + '_ {
        (0..self.vars.len() as Var).filter(|&v| {
            let decl = &self.vars[v as usize];
            decl.storage == Storage::Static && !matches!(decl.ty.element(), Type::Pointer | Type::Lock)
        })
    }
}
