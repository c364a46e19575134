//! OpenMP programs as C, one statement a line.
//!
//! A statement under a pragma (`atomic`) has the line of the statement itself; the accesses that clauses make
//! (`firstprivate` reads, `lastprivate` and `reduction` write) have the line of the pragma. Every statement prints on one line
//! what its semantics does in steps: `x = x + 1;` reads and then writes.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::program::{
    Depend, ELEMENTS, Index, Loop, Order, Place, Program, Schedule, Stmt, TaskClauses, Test, Value, walk,
};
use crate::print::Printed;

/// Prints `program`. The lines are in the order of [`walk`].
pub fn print(program: &Program) -> Printed {
    let mut printer = Printer {
        out: Printed { source: String::new(), lines: Vec::new() },
        line: 1,
        depth: 0,
        register: 's',
        loops: 0,
    };
    printer.program(program);
    printer.out
}

struct Printer {
    out: Printed,
    line: u32,
    depth: usize,
    /// The letter of registers: `s` in serial code, `r` in regions.
    register: char,
    loops: usize,
}

impl Printer {
    fn emit(&mut self, text: &str) {
        if !text.is_empty() {
            let indent = self.depth * 4;
            let _ = write!(self.out.source, "{:indent$}{text}", "");
        }
        self.out.source.push('\n');
        self.line += 1;
    }

    fn program(&mut self, p: &Program) {
        self.emit("#include <assert.h>");
        self.emit("#include <omp.h>");
        self.emit("");
        let used = Used::of(&p.main);
        let declare = |this: &mut Printer, local: bool, prefix: &str| {
            for &v in used.vars.iter().filter(|&&v| p.vars[v as usize] == local) {
                this.emit(&format!("{prefix}int x{v} = 0;"));
            }
            for &a in used.arrays.iter().filter(|&&a| p.arrays[a as usize] == local) {
                this.emit(&format!("{prefix}int a{a}[{ELEMENTS}] = {{0}};"));
            }
        };
        declare(self, false, "static ");
        for l in &used.locks {
            self.emit(&format!("static omp_lock_t l{l};"));
        }
        self.emit("");
        self.emit("int main(void) {");
        self.depth = 1;
        declare(self, true, "");
        self.registers(&serial_registers(&p.main));
        for l in &used.locks {
            self.emit(&format!("omp_init_lock(&l{l});"));
        }
        self.block(&p.main);
        self.keep_locals(p, &used);
        self.emit("return 0;");
        self.depth = 0;
        self.emit("}");
    }

    /// Uses what is only set otherwise, so that the compiler does not warn.
    fn keep_locals(&mut self, p: &Program, used: &Used) {
        for &v in used.vars.iter().filter(|&&v| p.vars[v as usize]) {
            self.emit(&format!("(void)x{v};"));
        }
        for r in serial_registers(&p.main) {
            self.emit(&format!("(void)s{r};"));
        }
    }

    fn registers(&mut self, used: &BTreeSet<u8>) {
        for r in used {
            self.emit(&format!("int {}{r} = 0;", self.register));
        }
    }

    fn block(&mut self, block: &[Stmt]) {
        for stmt in block {
            self.stmt(stmt);
        }
    }

    fn inner(&mut self, block: &[Stmt]) {
        self.depth += 1;
        self.block(block);
        self.depth -= 1;
    }

    /// Notes the line that comes next as that of the statement.
    fn here(&mut self) {
        self.out.lines.push(self.line);
    }

    fn plain(&mut self, text: &str) {
        self.here();
        self.emit(text);
    }

    fn pragma_then(&mut self, pragma: &str, text: &str) {
        self.emit(&format!("#pragma omp {}", pragma.trim_end()));
        self.plain(text);
    }

    fn construct(&mut self, pragma: &str, body: &[Stmt]) {
        self.plain(&format!("#pragma omp {}", pragma.trim_end()));
        self.emit("{");
        self.inner(body);
        self.emit("}");
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Set { reg, value } => self.plain(&format!("{} = {};", self.reg(*reg), self.value(*value))),
            Stmt::ThreadNum { reg } => self.plain(&format!("{} = omp_get_thread_num();", self.reg(*reg))),
            Stmt::Read { reg, place } => self.plain(&format!("{} = {};", self.reg(*reg), self.place(*place))),
            Stmt::Write { place, value } => {
                self.plain(&format!("{} = {};", self.place(*place), self.value(*value)))
            }
            Stmt::Increment { place } => {
                let place = self.place(*place);
                self.plain(&format!("{place} = {place} + 1;"));
            }
            Stmt::Flush => self.plain("#pragma omp flush"),
            Stmt::Assert(test) => self.plain(&format!("assert({});", self.test(*test))),
            Stmt::Barrier => self.plain("#pragma omp barrier"),
            Stmt::Taskwait => self.plain("#pragma omp taskwait"),
            Stmt::Taskyield => self.plain("#pragma omp taskyield"),
            Stmt::AtomicRead { .. }
            | Stmt::AtomicWrite { .. }
            | Stmt::AtomicUpdate { .. }
            | Stmt::AtomicCapture { .. }
            | Stmt::Spin { .. } => self.atomic(stmt),
            Stmt::If { test, then, otherwise } => {
                self.plain(&format!("if ({}) {{", self.test(*test)));
                self.then_else(then, None, otherwise);
            }
            Stmt::TestLock { lock, then, otherwise } => {
                self.plain(&format!("if (omp_test_lock(&l{lock})) {{"));
                self.then_else(then, Some(*lock), otherwise);
            }
            Stmt::Repeat { times, body } => {
                let k = self.loops;
                self.loops += 1;
                self.plain(&format!("for (int k{k} = 0; k{k} < {times}; k{k}++) {{"));
                self.inner(body);
                self.emit("}");
            }
            Stmt::Locked { lock, body } => {
                self.plain(&format!("omp_set_lock(&l{lock});"));
                self.block(body);
                self.emit(&format!("omp_unset_lock(&l{lock});"));
            }
            _ => self.directive(stmt),
        }
    }

    fn then_else(&mut self, then: &[Stmt], lock: Option<u8>, otherwise: &[Stmt]) {
        self.inner(then);
        if let Some(lock) = lock {
            self.depth += 1;
            self.emit(&format!("omp_unset_lock(&l{lock});"));
            self.depth -= 1;
        }
        if !otherwise.is_empty() {
            self.emit("} else {");
            self.inner(otherwise);
        }
        self.emit("}");
    }

    fn atomic(&mut self, stmt: &Stmt) {
        match *stmt {
            Stmt::AtomicRead { reg, place, order } => {
                let text = format!("{} = {};", self.reg(reg), self.place(place));
                self.pragma_then(&format!("atomic read {}", clause(order)), &text);
            }
            Stmt::AtomicWrite { place, value, order } => {
                let text = format!("{} = {};", self.place(place), self.value(value));
                self.pragma_then(&format!("atomic write {}", clause(order)), &text);
            }
            Stmt::AtomicUpdate { place, add, order } => {
                let text = format!("{} += {add};", self.place(place));
                self.pragma_then(&format!("atomic {}", clause(order)), &text);
            }
            Stmt::AtomicCapture { reg, place, add, order } => {
                let (reg, place) = (self.reg(reg), self.place(place));
                let text = format!("{{ {reg} = {place}; {place} += {add}; }}");
                self.pragma_then(&format!("atomic capture {}", clause(order)), &text);
            }
            Stmt::Spin { place, value, order } => {
                let k = self.loops;
                self.loops += 1;
                self.emit(&format!("for (int k{k} = {}; k{k} != {value};) {{", value + 1));
                self.depth += 1;
                let text = format!("k{k} = {};", self.place(place));
                self.pragma_then(&format!("atomic read {}", clause(order)), &text);
                self.depth -= 1;
                self.emit("}");
            }
            _ => {}
        }
    }

    fn directive(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Critical { name, body } => {
                let name = name.map_or(String::new(), |n| format!("(c{n})"));
                self.construct(&format!("critical{name}"), body);
            }
            Stmt::For { head, body } => self.worksharing_loop("for", head, body),
            Stmt::Ordered { body } => self.construct("ordered", body),
            Stmt::Single { nowait, body } => {
                self.construct(&format!("single {}", nowait_clause(*nowait)), body)
            }
            Stmt::Masked { filter: None, body } => self.construct("master", body),
            Stmt::Masked { filter: Some(t), body } => self.construct(&format!("masked filter({t})"), body),
            Stmt::Sections { nowait, blocks } => {
                self.plain(format!("#pragma omp sections {}", nowait_clause(*nowait)).trim_end());
                self.emit("{");
                self.depth += 1;
                for block in blocks {
                    self.emit("#pragma omp section");
                    self.emit("{");
                    self.inner(block);
                    self.emit("}");
                }
                self.depth -= 1;
                self.emit("}");
            }
            Stmt::Task { clauses, body } => self.construct(&format!("task {}", task_clauses(clauses)), body),
            Stmt::Taskgroup { body } => self.construct("taskgroup", body),
            Stmt::Parallel { region, body } if region.combined => {
                // Two statements of the program, one line.
                self.here();
                if let [Stmt::For { head, body }] = &body[..] {
                    let text = format!("parallel for num_threads({})", region.threads);
                    self.worksharing_loop(&text, head, body);
                }
            }
            Stmt::Parallel { region, body } => {
                let mut pragma = format!("parallel num_threads({})", region.threads);
                if let Some(v) = region.reduction {
                    let _ = write!(pragma, " reduction(+ : x{v})");
                }
                if let Some(v) = region.firstprivate {
                    let _ = write!(pragma, " firstprivate(x{v})");
                }
                self.plain(&format!("#pragma omp {pragma}"));
                self.emit("{");
                self.register = 'r';
                self.depth += 1;
                let registers = used_registers(body);
                self.registers(&registers);
                self.block(body);
                for r in registers {
                    self.emit(&format!("(void)r{r};"));
                }
                self.depth -= 1;
                self.register = 's';
                self.emit("}");
            }
            _ => {}
        }
    }

    fn worksharing_loop(&mut self, directive: &str, head: &Loop, body: &[Stmt]) {
        let mut pragma = format!("#pragma omp {directive}");
        let chunk = |c: Option<u8>| c.map_or(String::new(), |c| format!(", {c}"));
        let _ = match head.schedule {
            Schedule::None => Ok(()),
            Schedule::Static(c) => write!(pragma, " schedule(static{})", chunk(c)),
            Schedule::Dynamic(c) => write!(pragma, " schedule(dynamic{})", chunk(c)),
            Schedule::Guided(c) => write!(pragma, " schedule(guided{})", chunk(c)),
            Schedule::Auto => write!(pragma, " schedule(auto)"),
            Schedule::Runtime => write!(pragma, " schedule(runtime)"),
        };
        let clauses = [
            ("reduction(+ : ", head.reduction),
            ("lastprivate(", head.lastprivate),
            ("firstprivate(", head.firstprivate),
        ];
        for (text, var) in clauses {
            if let Some(v) = var {
                let _ = write!(pragma, " {text}x{v})");
            }
        }
        if head.ordered {
            pragma.push_str(" ordered");
        }
        if head.nowait {
            pragma.push_str(" nowait");
        }
        self.plain(&pragma);
        self.emit(&format!("for (int i = 0; i < {}; i++) {{", head.n));
        self.inner(body);
        self.emit("}");
    }

    fn reg(&self, reg: u8) -> String {
        if reg == Test::ITER { "i".into() } else { format!("{}{reg}", self.register) }
    }

    fn value(&self, value: Value) -> String {
        match value {
            Value::Const(c) => c.to_string(),
            Value::Sum(a, b) => format!("{} + {}", self.reg(a), self.reg(b)),
            Value::Plus(r, 0) => self.reg(r),
            Value::Plus(r, c) => format!("{} + {c}", self.reg(r)),
            Value::Iter(0) => "i".into(),
            Value::Iter(c) => format!("i + {c}"),
        }
    }

    fn test(&self, test: Test) -> String {
        format!("{} {} {}", self.reg(test.reg), if test.equal { "==" } else { "!=" }, test.value)
    }

    fn place(&self, place: Place) -> String {
        match place {
            Place::Var(v) => format!("x{v}"),
            Place::Elem(a, Index::Const(k)) => format!("a{a}[{k}]"),
            Place::Elem(a, Index::Iter(0)) => format!("a{a}[i]"),
            Place::Elem(a, Index::Iter(k)) => format!("a{a}[i + {k}]"),
            Place::Elem(a, Index::Reg(r)) => format!("a{a}[{} & 3]", self.reg(r)),
        }
    }
}

fn clause(order: Order) -> &'static str {
    match order {
        Order::Relaxed => "",
        Order::Acquire => "acquire",
        Order::Release => "release",
        Order::AcqRel => "acq_rel",
        Order::SeqCst => "seq_cst",
    }
}

fn nowait_clause(nowait: bool) -> &'static str {
    if nowait { "nowait" } else { "" }
}

fn task_clauses(clauses: &TaskClauses) -> String {
    let mut text = String::new();
    for (kind, var) in &clauses.depends {
        let kind = match kind {
            Depend::In => "in",
            Depend::Out => "out",
            Depend::Inout => "inout",
            Depend::Mutexinoutset => "mutexinoutset",
        };
        let _ = write!(text, "depend({kind} : x{var}) ");
    }
    if let Some(v) = clauses.firstprivate {
        let _ = write!(text, "firstprivate(x{v}) ");
    }
    if clauses.undeferred {
        text.push_str("if(0)");
    }
    text
}

/// What a block mentions.
#[derive(Default)]
struct Used {
    vars: BTreeSet<u8>,
    arrays: BTreeSet<u8>,
    locks: BTreeSet<u8>,
}

impl Used {
    fn of(block: &[Stmt]) -> Used {
        let mut used = Used::default();
        walk(block, &mut |stmt| {
            match stmt.place() {
                Some(Place::Var(v)) => drop(used.vars.insert(v)),
                Some(Place::Elem(a, _)) => drop(used.arrays.insert(a)),
                None => {}
            }
            match stmt {
                Stmt::Locked { lock, .. } | Stmt::TestLock { lock, .. } => drop(used.locks.insert(*lock)),
                Stmt::For { head, .. } => {
                    used.vars.extend([head.reduction, head.lastprivate, head.firstprivate].iter().flatten())
                }
                Stmt::Task { clauses, .. } => {
                    used.vars.extend(clauses.depends.iter().map(|d| d.1).chain(clauses.firstprivate))
                }
                Stmt::Parallel { region, .. } => {
                    used.vars.extend(region.reduction.iter().chain(&region.firstprivate))
                }
                _ => {}
            }
        });
        used
    }
}

/// The registers that `block` mentions.
pub(super) fn used_registers(block: &[Stmt]) -> BTreeSet<u8> {
    let mut used = BTreeSet::new();
    walk(block, &mut |stmt| own_registers(stmt, &mut used));
    used.remove(&Test::ITER);
    used
}

/// The registers that statements outside of regions mention.
fn serial_registers(block: &[Stmt]) -> BTreeSet<u8> {
    let mut used = BTreeSet::new();
    for stmt in block.iter().filter(|s| !matches!(s, Stmt::Parallel { .. })) {
        used.extend(used_registers(std::slice::from_ref(stmt)));
    }
    used
}

fn own_registers(stmt: &Stmt, used: &mut BTreeSet<u8>) {
    if let Some(Place::Elem(_, Index::Reg(r))) = stmt.place() {
        used.insert(r);
    }
    let mut value = |v: Value| match v {
        Value::Plus(r, _) => drop(used.insert(r)),
        Value::Sum(a, b) => used.extend([a, b]),
        _ => {}
    };
    match *stmt {
        Stmt::Set { reg, value: v } => {
            value(v);
            used.insert(reg);
        }
        Stmt::Write { value: v, .. } | Stmt::AtomicWrite { value: v, .. } => value(v),
        Stmt::ThreadNum { reg }
        | Stmt::Read { reg, .. }
        | Stmt::AtomicRead { reg, .. }
        | Stmt::AtomicCapture { reg, .. } => drop(used.insert(reg)),
        Stmt::Assert(test) | Stmt::If { test, .. } => drop(used.insert(test.reg)),
        _ => {}
    }
}
