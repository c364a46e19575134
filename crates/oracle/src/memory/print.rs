//! Programs with memory as C, one statement a line.
//!
//! The lines are in the order of [`super::program::walk`]. A statement under `atomic` has the line of the statement itself, a
//! construct that of its pragma. The copy for native runs has a call of `step` before each statement, where a run may be
//! delayed, and prints the final values of the static variables when it is compiled with `OUTCOME`.

use std::fmt::Write;

use super::program::{
    Bin, Capture, Decl, Expr, Init, Loop, Place, Program, Reduction, Schedule, Split, Stmt, Storage, Type,
    Var, walk,
};
use crate::print::Printed;

/// Prints `program`.
pub fn print(program: &Program) -> Printed {
    print_with(program, false)
}

/// The copy that is run natively.
pub fn print_native(program: &Program) -> String {
    print_with(program, true).source
}

fn print_with(program: &Program, steps: bool) -> Printed {
    let out = Printed { source: String::new(), lines: vec![0; program.statements()] };
    let mut printer = Printer { out, line: 1, next: 0, functions: Vec::new(), depth: 0, steps, program };
    printer.program();
    printer.out
}

struct Printer<'p> {
    out: Printed,
    line: u32,
    /// The number of the next statement, in the order of lines.
    next: usize,
    /// The functions that stand behind `main`: their calls, and the number of their first statement.
    functions: Vec<(&'p Stmt, usize)>,
    depth: usize,
    /// Whether `step` is called before each statement.
    steps: bool,
    program: &'p Program,
}

impl<'p> Printer<'p> {
    fn emit(&mut self, text: &str) {
        if !text.is_empty() {
            let indent = self.depth * 4;
            let _ = write!(self.out.source, "{:indent$}{text}", "");
        }
        self.out.source.push('\n');
        self.line += 1;
    }

    fn program(&mut self) {
        let p = self.program;
        for header in ["assert", "omp", "stdio", "stdlib"] {
            self.emit(&format!("#include <{header}.h>"));
        }
        if self.steps {
            self.emit("void step(void);");
        }
        let pairs = p.vars.iter().any(|d| d.ty.element() == Type::Pair);
        if pairs {
            self.emit("struct pair { int a, b; };");
        }
        let used = used(p);
        let mut order: Vec<Var> = (0..p.vars.len() as Var).filter(|v| used[*v as usize]).collect();
        // What is pointed to comes first.
        order.sort_by_key(|v| p.vars[*v as usize].ty.element() == Type::Pointer);
        for v in order {
            self.global(v);
        }
        let locks = locks(p);
        for l in &locks {
            self.emit(&format!("static omp_lock_t l{l};"));
        }
        let mut calls = Vec::new();
        walk(&p.main, &mut |s| {
            if let Stmt::Call { param, .. } = s {
                calls.push(*param);
            }
        });
        for param in calls {
            self.emit(&format!("{};", self.signature(param)));
        }
        self.emit("int main(void) {");
        self.depth = 1;
        if nested(&p.main, 0) > 1 {
            self.emit("omp_set_max_active_levels(3);");
        }
        for l in &locks {
            self.emit(&format!("omp_init_lock(&l{l});"));
        }
        self.init_locks(&used);
        self.block(&p.main);
        self.outcome();
        self.emit("return 0;");
        self.depth = 0;
        self.emit("}");
        while let Some((call, first)) = self.functions.pop() {
            let Stmt::Call { param, body, .. } = call else { continue };
            self.next = first;
            self.emit(&format!("{} {{", self.signature(*param)));
            self.inner(body);
            self.emit("}");
        }
    }

    fn signature(&self, param: Var) -> String {
        let ty = self.program.vars[param as usize].ty;
        format!("static void f{param}({})", declarator(ty, &self.name(param)))
    }

    /// Initialises the static locks.
    fn init_locks(&mut self, used: &[bool]) {
        for (v, decl) in self.program.vars.iter().enumerate() {
            if used[v] && decl.storage == Storage::Static && decl.ty.element() == Type::Lock {
                let name = self.name(v as Var);
                for k in 0..decl.ty.elements() {
                    let one = if decl.ty.is_array() { format!("{name}[{k}]") } else { name.clone() };
                    self.emit(&format!("omp_init_lock(&{one});"));
                }
            }
        }
    }

    fn global(&mut self, v: Var) {
        let Decl { ty, storage, init } = &self.program.vars[v as usize];
        let text = declarator(*ty, &self.name(v));
        match storage {
            Storage::Local => {}
            Storage::ThreadLocal => self.emit(&format!("static _Thread_local {text};")),
            Storage::Threadprivate => {
                self.emit(&format!("static {text};"));
                self.emit(&format!("#pragma omp threadprivate({})", self.name(v)));
            }
            Storage::Static if init.is_empty() => self.emit(&format!("static {text};")),
            Storage::Static => {
                let one = |i: &Init| match i {
                    Init::Number(n) => n.to_string(),
                    Init::Address(of) => format!("&{}", self.name(*of)),
                };
                let values: Vec<String> = init.iter().map(one).collect();
                let values = values.join(", ");
                let array = ty.is_array() || *ty == Type::Pair;
                let values = if array { format!("{{{values}}}") } else { values };
                self.emit(&format!("static {text} = {values};"));
            }
        }
    }

    /// Prints the final values.
    fn outcome(&mut self) {
        let used = used(self.program);
        let mut values = Vec::new();
        for v in self.program.observed() {
            let ty = self.program.vars[v as usize].ty;
            for k in 0..ty.elements() {
                let name = self.name(v);
                let one = if ty.is_array() { format!("{name}[{k}]") } else { name };
                let known = used[v as usize];
                // What is not named is not declared either, and stays as it was.
                let first = |at: u8| match self.program.vars[v as usize].init.get(at as usize) {
                    Some(Init::Number(n)) => format!("{n}L"),
                    _ => "0L".into(),
                };
                match ty.element() {
                    Type::Pair if !known => values.extend([first(2 * k), first(2 * k + 1)]),
                    _ if !known => values.push(first(k)),
                    Type::Pair => values.extend([format!("(long){one}.a"), format!("(long){one}.b")]),
                    _ => values.push(format!("(long){one}")),
                }
            }
        }
        if self.steps && !values.is_empty() {
            let format = " %ld".repeat(values.len());
            self.emit(&format!("printf(\"outcome{format}\\n\", {});", values.join(", ")));
        }
    }

    fn name(&self, v: Var) -> String {
        let letter = match self.program.vars[v as usize].storage {
            Storage::Static => 'g',
            Storage::Threadprivate | Storage::ThreadLocal => 't',
            Storage::Local => 'v',
        };
        format!("{letter}{v}")
    }

    fn block(&mut self, block: &'p [Stmt]) {
        for stmt in block {
            if self.steps && !matches!(stmt, Stmt::Declare { .. }) {
                self.emit("step();");
            }
            self.stmt(stmt);
        }
    }

    fn inner(&mut self, block: &'p [Stmt]) {
        self.depth += 1;
        self.block(block);
        self.depth -= 1;
    }

    fn plain(&mut self, text: &str) {
        self.begin();
        self.emit(text);
    }

    /// A statement stands on this line.
    fn begin(&mut self) {
        self.out.lines[self.next] = self.line;
        self.next += 1;
    }

    fn braces(&mut self, body: &'p [Stmt]) {
        self.emit("{");
        self.inner(body);
        self.emit("}");
    }

    fn construct(&mut self, pragma: &str, body: &'p [Stmt]) {
        self.plain(&format!("#pragma omp {}", pragma.trim_end()));
        self.braces(body);
    }

    fn counted(&mut self, pragma: &str, iter: Var, n: u8, body: &'p [Stmt]) {
        self.plain(&format!("#pragma omp {}", pragma.trim_end()));
        self.head(iter, n);
        self.inner(body);
        self.emit("}");
    }

    fn head(&mut self, iter: Var, n: u8) {
        let i = self.name(iter);
        self.emit(&format!("for (int {i} = 0; {i} < {n}; {i}++) {{"));
    }

    fn stmt(&mut self, stmt: &'p Stmt) {
        match stmt {
            Stmt::Declare { var, init } => self.declare(*var, init),
            Stmt::Assign { place, value } => {
                self.plain(&format!("{} = {};", self.place(place), self.expr(value)))
            }
            Stmt::Add { place, value } => {
                self.plain(&format!("{} += {};", self.place(place), self.expr(value)))
            }
            Stmt::Sub { place, value } => {
                self.plain(&format!("{} -= {};", self.place(place), self.expr(value)))
            }
            Stmt::Free(pointer) => self.plain(&format!("free({});", self.expr(pointer))),
            Stmt::SetLock(lock) => self.plain(&format!("omp_set_lock(&{});", self.place(lock))),
            Stmt::UnsetLock(lock) => self.plain(&format!("omp_unset_lock(&{});", self.place(lock))),
            Stmt::DestroyLock(lock) => self.plain(&format!("omp_destroy_lock(&{});", self.place(lock))),
            Stmt::Call { param, arg, body } => {
                self.plain(&format!("f{param}({});", self.expr(arg)));
                self.functions.push((stmt, self.next));
                walk(body, &mut |_| self.next += 1);
            }
            Stmt::AtomicAdd { place, value } => {
                self.emit("#pragma omp atomic");
                self.plain(&format!("{} += {};", self.place(place), self.expr(value)));
            }
            Stmt::AtomicCapture { to, place, value } => {
                self.emit("#pragma omp atomic capture");
                let (to, place) = (self.name(*to), self.place(place));
                self.plain(&format!("{{ {to} = {place}; {place} += {value}; }}"));
            }
            Stmt::AtomicRead { to, place } => {
                self.emit("#pragma omp atomic read");
                self.plain(&format!("{} = {};", self.name(*to), self.place(place)));
            }
            Stmt::Assert(test) => self.plain(&format!("assert({});", self.expr(test))),
            Stmt::If { test, then, otherwise } => {
                self.plain(&format!("if ({}) {{", self.expr(test)));
                self.inner(then);
                if !otherwise.is_empty() {
                    self.emit("} else {");
                    self.inner(otherwise);
                }
                self.emit("}");
            }
            Stmt::Repeat { iter, times, body } => {
                self.begin();
                self.head(*iter, *times);
                self.inner(body);
                self.emit("}");
            }
            Stmt::Locked { lock, body } => {
                self.plain(&format!("omp_set_lock(&l{lock});"));
                self.block(body);
                self.emit(&format!("omp_unset_lock(&l{lock});"));
            }
            Stmt::Barrier => self.plain("#pragma omp barrier"),
            Stmt::Taskwait => self.plain("#pragma omp taskwait"),
            Stmt::Taskyield => self.plain("#pragma omp taskyield"),
            Stmt::SetNumThreads(n) => self.plain(&format!("omp_set_num_threads({});", self.expr(n))),
            _ => self.directive(stmt),
        }
    }

    fn declare(&mut self, var: Var, init: &Expr) {
        let ty = self.program.vars[var as usize].ty;
        let text = declarator(ty, &self.name(var));
        if ty == Type::Lock {
            return self.plain(&format!("{text}; omp_init_lock(&{});", self.name(var)));
        }
        let value = match init {
            Expr::Const(n) if ty.is_array() || ty == Type::Pair => format!("{{{n}}}"),
            other => self.expr(other),
        };
        self.plain(&format!("{text} = {value};"));
    }

    fn directive(&mut self, stmt: &'p Stmt) {
        match stmt {
            Stmt::Critical { name, body } => {
                let name = name.map_or(String::new(), |n| format!("(c{n})"));
                self.construct(&format!("critical{name}"), body);
            }
            Stmt::For { head, body } => {
                let pragma = for_pragma(head);
                self.counted(&pragma, head.iter, head.n, body);
            }
            Stmt::Sections { blocks, nowait } => {
                self.plain(format!("#pragma omp sections {}", nowait_clause(*nowait)).trim_end());
                self.emit("{");
                for block in blocks {
                    self.emit("#pragma omp section");
                    self.braces(block);
                }
                self.emit("}");
            }
            Stmt::Single { nowait, body } => {
                self.construct(&format!("single {}", nowait_clause(*nowait)), body)
            }
            Stmt::Masked { body } => self.construct("masked", body),
            Stmt::Task { capture, body } => self.construct(&format!("task{}", self.capture(capture)), body),
            Stmt::Taskloop { capture, iter, n, split, body } => {
                let split = match split {
                    Split::Open => String::new(),
                    Split::Grain(g) => format!(" grainsize({g})"),
                    Split::Tasks(k) => format!(" num_tasks({k})"),
                };
                let pragma = format!("taskloop{split}{}", self.capture(capture));
                self.counted(&pragma, *iter, *n, body);
            }
            Stmt::Taskgroup { body } => self.construct("taskgroup", body),
            Stmt::Parallel { threads, reduction, body } => {
                let mut pragma = String::from("parallel");
                if let Some(n) = threads {
                    let _ = write!(pragma, " num_threads({n})");
                }
                if let Some((op, v)) = reduction {
                    let op = if *op == Reduction::Sum { "+" } else { "max" };
                    let _ = write!(pragma, " reduction({op} : {})", self.name(*v));
                }
                self.construct(&pragma, body);
            }
            // Without a limit, regions in teams may be smaller than they ask for (5.2, 10.2).
            Stmt::Teams { teams, body } => {
                self.construct(&format!("teams num_teams({teams}) thread_limit(4)"), body)
            }
            Stmt::Distribute { iter, n, body } => self.counted("distribute", *iter, *n, body),
            Stmt::Simd { iter, n, safelen, private, body } => {
                let mut pragma = String::from("simd");
                if let Some(n) = safelen {
                    let _ = write!(pragma, " safelen({n})");
                }
                if let Some(v) = private {
                    let _ = write!(pragma, " private({})", self.name(*v));
                }
                let steps = std::mem::take(&mut self.steps);
                self.counted(&pragma, *iter, *n, body);
                self.steps = steps;
            }
            _ => {}
        }
    }

    fn capture(&self, capture: &Capture) -> String {
        let mut text = String::new();
        for (clause, vars) in [("firstprivate", &capture.firstprivate), ("shared", &capture.shared)] {
            let names: Vec<String> = vars.iter().map(|v| self.name(*v)).collect();
            if !names.is_empty() {
                let _ = write!(text, " {clause}({})", names.join(", "));
            }
        }
        if capture.untied {
            text.push_str(" untied");
        }
        if capture.undeferred {
            text.push_str(" if(0)");
        }
        text
    }

    fn place(&self, place: &Place) -> String {
        let field = |f: &u8| if *f == 0 { "a" } else { "b" };
        match place {
            Place::Var(v) => self.name(*v),
            Place::Elem(v, e) => format!("{}[{}]", self.name(*v), self.expr(e)),
            Place::Field(v, f) => format!("{}.{}", self.name(*v), field(f)),
            Place::ElemField(v, e, f) => format!("{}[{}].{}", self.name(*v), self.expr(e), field(f)),
            Place::At(e, 0) => format!("*{}", self.operand(e)),
            Place::At(e, k) => format!("{}[{k}]", self.operand(e)),
            Place::Half(v, k) => format!("((int *)&{})[{k}]", self.name(*v)),
            Place::Byte(v, k) => format!("((unsigned char *)&{})[{k}]", self.name(*v)),
        }
    }

    /// The expression in parentheses unless it needs none.
    fn operand(&self, expr: &Expr) -> String {
        let text = self.expr(expr);
        match expr {
            Expr::Load(Place::At(_, 0)) => format!("({text})"),
            Expr::Const(n) if *n < 0 => format!("({text})"),
            Expr::Const(_) | Expr::Load(_) | Expr::ThreadNum | Expr::TeamNum | Expr::MaxThreads => text,
            _ => format!("({text})"),
        }
    }

    fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Const(n) if i32::try_from(*n).is_err() => format!("{n}L"),
            Expr::Const(n) => n.to_string(),
            Expr::Load(place) => self.place(place),
            Expr::Addr(place) => {
                let text = self.place(place);
                let ty = place.var().map(|v| self.program.vars[v as usize].ty);
                match (place, ty) {
                    (Place::Var(_), Some(Type::Int)) => format!("&{text}"),
                    (Place::Var(_), Some(Type::Ints(_))) => text,
                    (Place::Var(_), _) => format!("(int *)&{text}"),
                    _ => format!("&{text}"),
                }
            }
            Expr::Bin(op, a, b) => {
                format!("{} {} {}", self.operand(a), operator(*op), self.operand(b))
            }
            Expr::And(a, b) => format!("{} && {}", self.operand(a), self.operand(b)),
            Expr::Or(a, b) => format!("{} || {}", self.operand(a), self.operand(b)),
            Expr::Cond(c, a, b) => {
                format!("{} ? {} : {}", self.operand(c), self.operand(a), self.operand(b))
            }
            Expr::ThreadNum => "omp_get_thread_num()".into(),
            Expr::TeamNum => "omp_get_team_num()".into(),
            Expr::MaxThreads => "omp_get_max_threads()".into(),
            Expr::Alloc(n) => format!("calloc({n}, sizeof(int))"),
            Expr::Realloc(old, n) => format!("realloc({}, {n} * sizeof(int))", self.expr(old)),
        }
    }
}

fn operator(op: Bin) -> &'static str {
    match op {
        Bin::Add => "+",
        Bin::Sub => "-",
        Bin::Mul => "*",
        Bin::Div => "/",
        Bin::Eq => "==",
        Bin::Ne => "!=",
        Bin::Lt => "<",
        Bin::Gt => ">",
    }
}

fn declarator(ty: Type, name: &str) -> String {
    match ty {
        Type::Int => format!("int {name}"),
        Type::Long => format!("long {name}"),
        Type::Pair => format!("struct pair {name}"),
        Type::Pointer => format!("int *{name}"),
        Type::Ints(n) => format!("int {name}[{n}]"),
        Type::Pointers(n) => format!("int *{name}[{n}]"),
        Type::Pairs(n) => format!("struct pair {name}[{n}]"),
        Type::Lock => format!("omp_lock_t {name}"),
        Type::Locks(n) => format!("omp_lock_t {name}[{n}]"),
    }
}

fn for_pragma(head: &Loop) -> String {
    let schedule = match head.schedule {
        Schedule::None => String::new(),
        Schedule::Static => " schedule(static)".into(),
        Schedule::StaticChunk(c) => format!(" schedule(static, {c})"),
        Schedule::Dynamic => " schedule(dynamic)".into(),
        Schedule::DynamicMonotonic => " schedule(monotonic : dynamic)".into(),
        Schedule::Guided => " schedule(guided)".into(),
        Schedule::Auto => " schedule(auto)".into(),
    };
    format!("for{schedule} {}", nowait_clause(head.nowait))
}

fn nowait_clause(nowait: bool) -> &'static str {
    if nowait { "nowait" } else { "" }
}

/// How deep parallel regions are nested; the league of `teams` does not count.
fn nested(block: &[Stmt], depth: usize) -> usize {
    let of = |s: &Stmt| {
        let depth = depth + usize::from(matches!(s, Stmt::Parallel { .. }));
        s.blocks().into_iter().map(|b| nested(b, depth)).max().unwrap_or(depth)
    };
    block.iter().map(of).max().unwrap_or(depth)
}

/// For each variable whether the program names it, static initial values included.
fn used(p: &Program) -> Vec<bool> {
    let mut used = vec![false; p.vars.len()];
    walk(&p.main, &mut |s| super::program::own_names(s, &mut |v| used[v as usize] = true));
    for v in 0..p.vars.len() {
        for init in p.vars[v].init.clone() {
            if let (true, Init::Address(of)) = (used[v], init) {
                used[of as usize] = true;
            }
        }
    }
    used
}

/// The locks that the program names.
pub(super) fn locks(p: &Program) -> Vec<u8> {
    let mut found = Vec::new();
    walk(&p.main, &mut |s| {
        if let Stmt::Locked { lock, .. } = s {
            found.push(*lock);
        }
    });
    found.sort_unstable();
    found.dedup();
    found
}
