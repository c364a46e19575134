//! Programs as C: pthreads, POSIX semaphores and C11 atomics, one statement a line.
//!
//! Each statement prints so that it touches shared memory exactly in the steps that its semantics has (see the
//! crate's documentation): one access of a plain variable in a line, except `x = x + 1;`, which reads and then
//! writes. A wait prints as a loop whose head reads the predicate; its line is that of the head.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::program::{Order, Program, Stmt, Test, Value, size, walk};

/// A printed program.
#[derive(Debug, Clone)]
pub struct Printed {
    /// The C source.
    pub source: String,
    /// The line of each statement: thread by thread, outer statements before inner ones.
    pub lines: Vec<u32>,
}

/// Prints `program`.
pub fn print(program: &Program) -> Printed {
    let created = program.created();
    let functions = (0..program.threads.len()).map(|t| function_of(program, &created, t)).collect();
    let mut printer =
        Printer { source: String::new(), line: 1, depth: 0, lines: Vec::new(), loops: 0, functions };
    printer.head(program);
    // C wants a function before its use, and thread numbers may refer to each other in any order.
    let functions = (1..program.threads.len()).filter(|&t| function_of(program, &created, t) == t);
    for thread in functions.filter(|&t| created[t]) {
        printer.emit(&format!("static void *thread{thread}(void *arg);"));
    }
    // `main` is thread 0 and prints first, so that the order of lines is the order of threads.
    let mut firsts = Vec::new();
    for (thread, body) in program.threads.iter().enumerate() {
        firsts.push(printer.lines.len());
        let function = function_of(program, &created, thread);
        if created[thread] && function != thread {
            let from = firsts[function];
            let lines = printer.lines[from..from + size(body)].to_vec();
            printer.lines.extend(lines);
        } else if created[thread] {
            printer.emit("");
            printer.function(program, thread, body);
        } else {
            walk(body, &mut |_| printer.lines.push(0));
        }
    }
    Printed { source: printer.source, lines: printer.lines }
}

struct Printer {
    source: String,
    line: u32,
    depth: usize,
    lines: Vec<u32>,
    loops: usize,
    /// For each thread, the one whose function it runs.
    functions: Vec<usize>,
}

/// The first thread with the same body as this one: they run one function.
fn function_of(program: &Program, created: &[bool], thread: usize) -> usize {
    let same = |&t: &usize| created[t] && program.threads[t] == program.threads[thread];
    if thread == 0 { 0 } else { (1..thread).find(same).unwrap_or(thread) }
}

impl Printer {
    fn emit(&mut self, text: &str) {
        if !text.is_empty() {
            let indent = self.depth * 4;
            let _ = write!(self.source, "{:indent$}{text}", "");
        }
        self.source.push('\n');
        self.line += 1;
    }

    fn head(&mut self, p: &Program) {
        for header in ["assert", "pthread", "semaphore", "stdatomic", "stddef", "time"] {
            self.emit(&format!("#include <{header}.h>"));
        }
        self.emit("");
        let used = Used::of(p);
        if used.time {
            self.emit("static const struct timespec soon = {0, 0};");
        }
        for t in &used.joined {
            self.emit(&format!("static pthread_t t{t};"));
        }
        let mut declare = |numbers: &BTreeSet<usize>, declaration: &str| {
            for i in numbers {
                self.emit(&declaration.replace('#', &i.to_string()));
            }
        };
        declare(&used.vars, "static int x# = 0;");
        declare(&used.atomics, "static atomic_int a# = 0;");
        declare(&used.mutexes, "static pthread_mutex_t m# = PTHREAD_MUTEX_INITIALIZER;");
        declare(&used.rwlocks, "static pthread_rwlock_t w# = PTHREAD_RWLOCK_INITIALIZER;");
        declare(&used.conds, "static pthread_cond_t c# = PTHREAD_COND_INITIALIZER;");
        declare(&used.barriers, "static pthread_barrier_t b#;");
        declare(&used.sems, "static sem_t s#;");
        self.emit("");
    }

    fn function(&mut self, program: &Program, thread: usize, body: &[Stmt]) {
        if thread == 0 {
            self.emit("int main(void) {");
        } else {
            self.emit(&format!("static void *thread{thread}(void *arg) {{"));
        }
        self.depth = 1;
        if thread != 0 {
            self.emit("(void)arg;");
        }
        self.locals(program, body);
        if thread == 0 {
            let used = Used::of(program);
            for i in used.barriers {
                self.emit(&format!("pthread_barrier_init(&b{i}, NULL, {});", program.barriers[i]));
            }
            for i in used.sems {
                self.emit(&format!("sem_init(&s{i}, 0, {});", program.sems[i]));
            }
        }
        self.block(body);
        self.emit(match (thread, program.joins_all()) {
            (0, true) => "return 0;",
            (0, false) => "pthread_exit(NULL);",
            _ => "return NULL;",
        });
        self.depth = 0;
        self.emit("}");
    }

    fn locals(&mut self, program: &Program, body: &[Stmt]) {
        let mut regs = Vec::new();
        let joined = Used::of(program).joined;
        let mut handles = Vec::new();
        let mut expected = false;
        walk(body, &mut |stmt| {
            regs.extend(registers(stmt));
            expected |= matches!(stmt, Stmt::CompareExchange { .. });
            if let Stmt::Create(t) | Stmt::Join(t) = stmt {
                handles.push(*t);
            }
        });
        regs.sort_unstable();
        regs.dedup();
        handles.sort_unstable();
        handles.dedup();
        handles.retain(|t| !joined.contains(t));
        for reg in regs {
            self.emit(&format!("int r{reg} = 0; (void)r{reg};"));
        }
        if expected {
            self.emit("int expected;");
        }
        for handle in handles {
            self.emit(&format!("pthread_t t{handle};"));
        }
    }

    fn block(&mut self, block: &[Stmt]) {
        for stmt in block {
            self.lines.push(self.line);
            self.stmt(stmt);
        }
    }

    fn inner(&mut self, head: &str, block: &[Stmt]) {
        self.emit(head);
        self.depth += 1;
        self.block(block);
        self.depth -= 1;
    }

    fn branch(&mut self, head: &str, then: &[Stmt], otherwise: &[Stmt]) {
        self.inner(head, then);
        if !otherwise.is_empty() {
            self.inner("} else {", otherwise);
        }
        self.emit("}");
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::TryLock { mutex, then, otherwise } => {
                let head = format!("if (pthread_mutex_trylock(&m{mutex}) == 0) {{");
                self.branch(&head, then, otherwise);
            }
            Stmt::TimedLock { mutex, then, otherwise } => {
                let head = format!("if (pthread_mutex_timedlock(&m{mutex}, &soon) == 0) {{");
                self.branch(&head, then, otherwise);
            }
            Stmt::TryDown { sem, then, otherwise } => {
                self.branch(&format!("if (sem_trywait(&s{sem}) == 0) {{"), then, otherwise);
            }
            Stmt::If { test, then, otherwise } => {
                self.branch(&format!("if ({}) {{", condition(*test)), then, otherwise)
            }
            Stmt::Repeat { times, body } => {
                self.loops += 1;
                let i = format!("i{}", self.loops);
                self.branch(&format!("for (int {i} = 0; {i} < {times}; {i}++) {{"), body, &[]);
            }
            Stmt::Spin { atomic, value, order } => {
                let order = order_name(*order);
                self.emit(&format!("while (atomic_load_explicit(&a{atomic}, {order}) != {value}) {{"));
                self.emit("}");
            }
            Stmt::SpinExchange { atomic, order } => {
                let order = order_name(*order);
                self.emit(&format!("while (atomic_exchange_explicit(&a{atomic}, 1, {order}) != 0) {{"));
                self.emit("}");
            }
            Stmt::Wait { cond, mutex, var, value, looped } => {
                let keyword = if *looped { "while" } else { "if" };
                self.emit(&format!("{keyword} (x{var} != {value}) {{"));
                self.emit(&format!("    pthread_cond_wait(&c{cond}, &m{mutex});"));
                self.emit("}");
            }
            Stmt::Create(t) => {
                let function = self.functions[*t];
                self.emit(&format!("pthread_create(&t{t}, NULL, thread{function}, NULL);"));
            }
            simple => self.emit(&simple_statement(simple)),
        }
    }
}

/// The objects that the printed threads of a program name; only these are declared.
#[derive(Default)]
struct Used {
    vars: BTreeSet<usize>,
    atomics: BTreeSet<usize>,
    mutexes: BTreeSet<usize>,
    rwlocks: BTreeSet<usize>,
    conds: BTreeSet<usize>,
    barriers: BTreeSet<usize>,
    sems: BTreeSet<usize>,
    /// Threads that are joined by another than their creator.
    joined: BTreeSet<usize>,
    time: bool,
}

impl Used {
    fn of(program: &Program) -> Used {
        let mut used = Used::default();
        for (body, created) in program.threads.iter().zip(program.created()) {
            if created {
                walk(body, &mut |stmt| used.add(stmt));
                let mut own = BTreeSet::new();
                walk(body, &mut |stmt| {
                    if let Stmt::Create(t) = stmt {
                        own.insert(*t);
                    }
                });
                walk(body, &mut |stmt| match stmt {
                    Stmt::Join(t) if !own.contains(t) => {
                        used.joined.insert(*t);
                    }
                    Stmt::TimedLock { .. } => used.time = true,
                    _ => {}
                });
            }
        }
        used
    }

    fn add(&mut self, stmt: &Stmt) {
        match *stmt {
            Stmt::Read { var, .. } | Stmt::Write { var, .. } | Stmt::Increment { var } => {
                self.vars.insert(var)
            }
            Stmt::Lock(m)
            | Stmt::Unlock(m)
            | Stmt::TryLock { mutex: m, .. }
            | Stmt::TimedLock { mutex: m, .. } => self.mutexes.insert(m),
            Stmt::Peek { atomic, .. }
            | Stmt::Poke { atomic, .. }
            | Stmt::Load { atomic, .. }
            | Stmt::Store { atomic, .. }
            | Stmt::FetchAdd { atomic, .. }
            | Stmt::Exchange { atomic, .. }
            | Stmt::CompareExchange { atomic, .. }
            | Stmt::Spin { atomic, .. }
            | Stmt::SpinExchange { atomic, .. } => self.atomics.insert(atomic),
            Stmt::Wait { cond, mutex, var, .. } => {
                self.mutexes.insert(mutex);
                self.vars.insert(var);
                self.conds.insert(cond)
            }
            Stmt::Signal(c) | Stmt::Broadcast(c) => self.conds.insert(c),
            Stmt::ReadLock(w) | Stmt::WriteLock(w) | Stmt::RwUnlock(w) => self.rwlocks.insert(w),
            Stmt::Barrier(b) => self.barriers.insert(b),
            Stmt::Post(s) | Stmt::Down(s) | Stmt::TryDown { sem: s, .. } => self.sems.insert(s),
            _ => false,
        };
    }
}

/// The text of a statement that takes one line.
fn simple_statement(stmt: &Stmt) -> String {
    match *stmt {
        Stmt::Set { reg, value } => format!("r{reg} = {};", expression(value)),
        Stmt::Read { reg, var } => format!("r{reg} = x{var};"),
        Stmt::Write { var, value } => format!("x{var} = {};", expression(value)),
        Stmt::Peek { reg, atomic } => format!("r{reg} = *(int *)&a{atomic};"),
        Stmt::Poke { atomic, value } => format!("*(int *)&a{atomic} = {};", expression(value)),
        Stmt::Increment { var } => format!("x{var} = x{var} + 1;"),
        Stmt::Lock(m) => format!("pthread_mutex_lock(&m{m});"),
        Stmt::Unlock(m) => format!("pthread_mutex_unlock(&m{m});"),
        Stmt::Signal(c) => format!("pthread_cond_signal(&c{c});"),
        Stmt::Broadcast(c) => format!("pthread_cond_broadcast(&c{c});"),
        Stmt::Barrier(b) => format!("pthread_barrier_wait(&b{b});"),
        Stmt::Post(s) => format!("sem_post(&s{s});"),
        Stmt::Down(s) => format!("sem_wait(&s{s});"),
        Stmt::ReadLock(w) => format!("pthread_rwlock_rdlock(&w{w});"),
        Stmt::WriteLock(w) => format!("pthread_rwlock_wrlock(&w{w});"),
        Stmt::RwUnlock(w) => format!("pthread_rwlock_unlock(&w{w});"),
        Stmt::Assert(test) => format!("assert({});", condition(test)),
        Stmt::Join(t) => format!("pthread_join(t{t}, NULL);"),
        ref atomic => atomic_statement(atomic),
    }
}

fn atomic_statement(stmt: &Stmt) -> String {
    match *stmt {
        Stmt::Load { reg, atomic, order } => {
            format!("r{reg} = atomic_load_explicit(&a{atomic}, {});", order_name(order))
        }
        Stmt::Store { atomic, value, order } => {
            format!("atomic_store_explicit(&a{atomic}, {}, {});", expression(value), order_name(order))
        }
        Stmt::FetchAdd { reg, atomic, add, order } => {
            format!("r{reg} = atomic_fetch_add_explicit(&a{atomic}, {add}, {});", order_name(order))
        }
        Stmt::Exchange { reg, atomic, value, order } => {
            format!("r{reg} = atomic_exchange_explicit(&a{atomic}, {value}, {});", order_name(order))
        }
        Stmt::CompareExchange { reg, atomic, expected, desired, order } => format!(
            "expected = {expected}; r{reg} = atomic_compare_exchange_strong_explicit(&a{atomic}, &expected, \
             {desired}, {}, {});",
            order_name(order),
            order_name(order.for_load())
        ),
        Stmt::Fence(order) => format!("atomic_thread_fence({});", order_name(order)),
        ref other => unreachable!("{other:?} has its own printer"),
    }
}

/// The registers that a statement itself names, inner blocks not counted.
fn registers(stmt: &Stmt) -> Vec<u8> {
    let of_value = |v: Value| match v {
        Value::Const(_) => Vec::new(),
        Value::Reg(r) | Value::Plus(r, _) => vec![r],
    };
    match *stmt {
        Stmt::Set { reg, value } => [vec![reg], of_value(value)].concat(),
        Stmt::Write { value, .. } | Stmt::Store { value, .. } | Stmt::Poke { value, .. } => of_value(value),
        Stmt::Read { reg, .. }
        | Stmt::Peek { reg, .. }
        | Stmt::Load { reg, .. }
        | Stmt::FetchAdd { reg, .. }
        | Stmt::Exchange { reg, .. }
        | Stmt::CompareExchange { reg, .. } => vec![reg],
        Stmt::If { test, .. } | Stmt::Assert(test) => vec![test.reg],
        _ => Vec::new(),
    }
}

fn condition(test: Test) -> String {
    format!("r{} {} {}", test.reg, if test.equal { "==" } else { "!=" }, test.value)
}

fn expression(value: Value) -> String {
    match value {
        Value::Const(c) => c.to_string(),
        Value::Reg(r) => format!("r{r}"),
        Value::Plus(r, c) => format!("r{r} + {c}"),
    }
}

fn order_name(order: Order) -> &'static str {
    match order {
        Order::Relaxed => "memory_order_relaxed",
        Order::Acquire => "memory_order_acquire",
        Order::Release => "memory_order_release",
        Order::AcqRel => "memory_order_acq_rel",
        Order::SeqCst => "memory_order_seq_cst",
    }
}
