//! The abstract programs: threads, shared objects, and structured statements over thread-local registers.
//!
//! A program is a list of threads; thread 0 is `main`, every other one starts when some thread executes
//! [`Stmt::Create`] for it. Every shared object has a number within its kind and prints under a one-letter name:
//! variables `x0`, atomics `a0`, mutexes `m0`, rwlocks `w0`, condition variables `c0`, barriers `b0`, semaphores `s0`.
//! All variables, atomics and registers start at 0.

/// The registers that a program may name in each thread; one more, hidden, serves compound statements.
pub const REGISTERS: u8 = 3;

/// The hidden register of a thread.
pub const SCRATCH: u8 = REGISTERS;

/// A memory order of C11.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// `memory_order_relaxed`
    Relaxed,
    /// `memory_order_acquire`
    Acquire,
    /// `memory_order_release`
    Release,
    /// `memory_order_acq_rel`
    AcqRel,
    /// `memory_order_seq_cst`
    SeqCst,
}

impl Order {
    /// Whether a read with this order acquires.
    pub fn acquires(self) -> bool {
        matches!(self, Order::Acquire | Order::AcqRel | Order::SeqCst)
    }

    /// Whether a write with this order releases.
    pub fn releases(self) -> bool {
        matches!(self, Order::Release | Order::AcqRel | Order::SeqCst)
    }

    /// This order as C allows it on a load: without its release part.
    pub fn for_load(self) -> Order {
        match self {
            Order::Release => Order::Relaxed,
            Order::AcqRel => Order::Acquire,
            other => other,
        }
    }

    /// This order as C allows it on a store: without its acquire part.
    pub fn for_store(self) -> Order {
        match self {
            Order::Acquire => Order::Relaxed,
            Order::AcqRel => Order::Release,
            other => other,
        }
    }
}

/// A value to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// A constant.
    Const(i32),
    /// A register's value.
    Reg(u8),
    /// A register's value plus a constant.
    Plus(u8, i32),
}

/// A test of a register: `reg == value` or `reg != value`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Test {
    /// The register.
    pub reg: u8,
    /// `true` for `==`, `false` for `!=`.
    pub equal: bool,
    /// The constant.
    pub value: i32,
}

impl Test {
    /// `reg == value`
    pub fn eq(reg: u8, value: i32) -> Test {
        Test { reg, equal: true, value }
    }

    /// `reg != value`
    pub fn ne(reg: u8, value: i32) -> Test {
        Test { reg, equal: false, value }
    }
}

/// A statement. Numbers are those of threads, objects and registers.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields say what they are")]
pub enum Stmt {
    /// `reg = value;` touches nothing shared.
    Set { reg: u8, value: Value },
    /// `reg = x;`
    Read { reg: u8, var: usize },
    /// `x = value;`
    Write { var: usize, value: Value },
    /// `x = x + 1;` is a read and then a write.
    Increment { var: usize },
    /// `pthread_mutex_lock`
    Lock(usize),
    /// `pthread_mutex_unlock`
    Unlock(usize),
    /// `if (pthread_mutex_trylock(&m) == 0) { then } else { otherwise }`
    TryLock { mutex: usize, then: Vec<Stmt>, otherwise: Vec<Stmt> },
    /// `if (pthread_mutex_timedlock(&m, &soon) == 0) { then } else { otherwise }`: its time may run out as soon as the
    /// mutex is not free, but it never fails on a free one.
    TimedLock { mutex: usize, then: Vec<Stmt>, otherwise: Vec<Stmt> },
    /// `if (sem_trywait(&s) == 0) { then } else { otherwise }`
    TryDown { sem: usize, then: Vec<Stmt>, otherwise: Vec<Stmt> },
    /// `reg = *(int *)&a;`: a plain read of an atomic.
    Peek { reg: u8, atomic: usize },
    /// `*(int *)&a = value;`: a plain write of an atomic.
    Poke { atomic: usize, value: Value },
    /// `if (test) { then } else { otherwise }`
    If { test: Test, then: Vec<Stmt>, otherwise: Vec<Stmt> },
    /// `for` loop with a constant number of rounds.
    Repeat { times: u8, body: Vec<Stmt> },
    /// `reg = atomic_load(&a);`
    Load { reg: u8, atomic: usize, order: Order },
    /// `atomic_store(&a, value);`
    Store { atomic: usize, value: Value, order: Order },
    /// `reg = atomic_fetch_add(&a, add);`
    FetchAdd { reg: u8, atomic: usize, add: i32, order: Order },
    /// `reg = atomic_exchange(&a, value);`
    Exchange { reg: u8, atomic: usize, value: i32, order: Order },
    /// `reg` becomes 1 if `a` was `expected` and is now `desired`, else 0. The failure order is
    /// [`Order::for_load`] of `order`.
    CompareExchange { reg: u8, atomic: usize, expected: i32, desired: i32, order: Order },
    /// `atomic_thread_fence(order);`
    Fence(Order),
    /// `while (atomic_load(&a) != value) ;`
    Spin { atomic: usize, value: i32, order: Order },
    /// `while (atomic_exchange(&a, 1) != 0) ;` is the lock side of a spin lock.
    SpinExchange { atomic: usize, order: Order },
    /// `while (x != value) pthread_cond_wait(&c, &m);`, or with `if` in place of `while` when not `looped`.
    Wait { cond: usize, mutex: usize, var: usize, value: i32, looped: bool },
    /// `pthread_cond_signal`
    Signal(usize),
    /// `pthread_cond_broadcast`
    Broadcast(usize),
    /// `pthread_barrier_wait`
    Barrier(usize),
    /// `sem_post`
    Post(usize),
    /// `sem_wait`
    Down(usize),
    /// `pthread_rwlock_rdlock`
    ReadLock(usize),
    /// `pthread_rwlock_wrlock`
    WriteLock(usize),
    /// `pthread_rwlock_unlock`
    RwUnlock(usize),
    /// `assert(test);`
    Assert(Test),
    /// `pthread_create` of thread number .. (each thread at most once in an execution)
    Create(usize),
    /// `pthread_join` of a thread whose creation happens before
    Join(usize),
}

impl Stmt {
    /// The blocks inside, in the order in which they print.
    pub fn blocks(&self) -> Vec<&Vec<Stmt>> {
        match self {
            Stmt::TryLock { then, otherwise, .. }
            | Stmt::TimedLock { then, otherwise, .. }
            | Stmt::TryDown { then, otherwise, .. }
            | Stmt::If { then, otherwise, .. } => vec![then, otherwise],
            Stmt::Repeat { body, .. } => vec![body],
            _ => Vec::new(),
        }
    }

    /// The blocks inside, to be changed.
    pub fn blocks_mut(&mut self) -> Vec<&mut Vec<Stmt>> {
        match self {
            Stmt::TryLock { then, otherwise, .. }
            | Stmt::TimedLock { then, otherwise, .. }
            | Stmt::TryDown { then, otherwise, .. }
            | Stmt::If { then, otherwise, .. } => vec![then, otherwise],
            Stmt::Repeat { body, .. } => vec![body],
            _ => Vec::new(),
        }
    }

    /// The number of statements in this one, itself included.
    pub fn size(&self) -> usize {
        1 + self.blocks().into_iter().map(|b| size(b)).sum::<usize>()
    }
}

/// The number of statements in a block, those in inner blocks included.
pub fn size(block: &[Stmt]) -> usize {
    block.iter().map(Stmt::size).sum()
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

/// A whole program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Program {
    /// The threads' bodies; thread 0 is `main`.
    pub threads: Vec<Vec<Stmt>>,
    /// How many plain shared variables there are.
    pub vars: usize,
    /// How many atomics.
    pub atomics: usize,
    /// How many mutexes.
    pub mutexes: usize,
    /// How many rwlocks.
    pub rwlocks: usize,
    /// How many condition variables.
    pub conds: usize,
    /// The barriers, each with the number of threads that it waits for.
    pub barriers: Vec<u32>,
    /// The semaphores, each with its first value.
    pub sems: Vec<u32>,
}

impl Program {
    /// The number of statements; creating and joining not counted.
    pub fn statements(&self) -> usize {
        let mut count = 0;
        for body in &self.threads {
            walk(body, &mut |s| count += usize::from(!matches!(s, Stmt::Create(_) | Stmt::Join(_))));
        }
        count
    }

    /// Whether every thread that is created is joined by its creator, later in the same block. Then `main` may
    /// return; otherwise it ends with `pthread_exit`, so that the others go on.
    pub fn joins_all(&self) -> bool {
        self.threads.iter().all(|body| block_joins_all(body))
    }

    /// The threads that some statement creates, and `main`.
    pub fn created(&self) -> Vec<bool> {
        let mut created = vec![false; self.threads.len()];
        if let Some(main) = created.first_mut() {
            *main = true;
        }
        for body in &self.threads {
            walk(body, &mut |s| {
                if let Stmt::Create(t) = s {
                    created[*t] = true;
                }
            });
        }
        created
    }

    /// Whether every atomic operation and fence is sequentially consistent. Only then do race-free programs behave on
    /// real hardware as under interleaving.
    pub fn only_seq_cst(&self) -> bool {
        let mut only = true;
        for body in &self.threads {
            walk(body, &mut |s| match s {
                Stmt::Load { order, .. }
                | Stmt::Store { order, .. }
                | Stmt::FetchAdd { order, .. }
                | Stmt::Exchange { order, .. }
                | Stmt::CompareExchange { order, .. }
                | Stmt::Fence(order)
                | Stmt::Spin { order, .. }
                | Stmt::SpinExchange { order, .. } => only &= *order == Order::SeqCst,
                _ => {}
            });
        }
        only
    }

    /// Whether the program has a fence, which ThreadSanitizer does not understand.
    pub fn has_fence(&self) -> bool {
        let mut found = false;
        for body in &self.threads {
            walk(body, &mut |s| found |= matches!(s, Stmt::Fence(_)));
        }
        found
    }
}

fn block_joins_all(block: &[Stmt]) -> bool {
    block.iter().enumerate().all(|(i, stmt)| match stmt {
        Stmt::Create(t) => block[i + 1..].contains(&Stmt::Join(*t)),
        _ => stmt.blocks().into_iter().all(|b| block_joins_all(b)),
    })
}
