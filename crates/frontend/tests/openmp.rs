//! OpenMP: what the front end finds out besides clang's calls of the runtime.

mod support;

use ir::{ArgKind, Callee, Const, Function, Inst, Module, Sight};
use support::{compile, try_compile, unsupported};

/// The schedules that the calls of a runtime function ask for, by line.
fn schedules(m: &Module) -> Vec<(u32, u64)> {
    let mut found = Vec::new();
    for body in m.funcs.iter().filter_map(|f| f.body.as_ref()) {
        for (at, inst) in body.code.iter().enumerate() {
            let Inst::Call { site } = inst else { continue };
            let site = &body.calls[*site as usize];
            let Callee::Direct(callee) = site.callee else { continue };
            let name = &m.funcs[callee.0 as usize].name;
            if !name.starts_with("__kmpc_for_static_init_") && !name.starts_with("__kmpc_dispatch_init_") {
                continue;
            }
            let arg = body.args[site.args as usize + 2];
            assert_eq!(arg.kind, ArgKind::Scalar(ir::Scalar::Int(32)));
            let Const::Bits(schedule) = body.consts[arg.value.index()] else { panic!("a constant") };
            found.push((m.places[body.places[at].0 as usize].line, schedule));
        }
    }
    found.sort();
    found
}

const OPEN: u64 = 1 << 24;
const HALF: u64 = 1 << 31;
/// The bit that says that iterations of one thread may run at the same time.
const LANES: u64 = 1 << 28;

#[test]
fn schedules_are_fixed_only_by_a_clause() {
    let m = compile(
        "program.c",
        "#define S schedule(static, 2)
#define PRAGMA(x) _Pragma(#x)
#define FIXED PRAGMA(omp for schedule(static)) for (int i = 0; i < 10; i++) a[i] = i;
#define BOTH PRAGMA(omp for) for (int i = 0; i < 10; i++) a[i] = i; \\
             PRAGMA(omp for schedule(static)) for (int i = 0; i < 10; i++) a[i] = i;
int a[100];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp parallel
  {
#pragma omp for schedule \\
  (static)
    for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp for S
    for (int i = 0; i < 100; i++) a[i] = i;
    FIXED
    BOTH
#pragma omp sections
    {
#pragma omp section
      a[0] = 1;
#pragma omp section
      a[1] = 1;
    }
#pragma omp for simd
    for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp for simd schedule(static)
    for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp loop
    for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp for ordered
    for (int i = 0; i < 100; i++) {
#pragma omp ordered
      a[i] = i;
    }
#pragma omp for schedule(static) ordered
    for (int i = 0; i < 100; i++) {
#pragma omp ordered
      a[i] = i;
    }
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 100; i++) a[i] = i;
  }
}
",
    );
    assert_eq!(unsupported(&m), Vec::<String>::new());
    let found: Vec<u64> = schedules(&m).into_iter().map(|(_, s)| s).collect();
    let expected = [
        34 | OPEN,         // parallel for
        34,                // schedule(static)
        33,                // schedule(static, 2)
        34,                // FIXED
        34,                // BOTH, the second: sorted by schedule
        34 | OPEN,         // BOTH, the first
        34 | OPEN,         // sections
        34 | OPEN | LANES, // for simd
        34 | OPEN | LANES, // for simd schedule(static): shares its mapping with no other loop
        34 | OPEN | LANES, // loop
        66 | OPEN,         // ordered
        66,                // schedule(static) ordered
        35 | 1 << 30,
    ];
    assert_eq!(found, expected, "{:?}", schedules(&m));
}

#[test]
fn schedules_of_teams_and_templates() {
    let m = compile(
        "program.cpp",
        "int a[100];
template <class T> void fill(T n) {
#pragma omp parallel for schedule(monotonic : static)
  for (T i = 0; i < n; i++) a[i] = i;
#pragma omp parallel for
  for (T i = 0; i < n; i++) a[i] = i;
}
int main() {
  fill(10);
  fill(10l);
#pragma omp teams distribute
  for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp teams distribute dist_schedule(static)
  for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp target teams distribute parallel for schedule(static) dist_schedule(static)
  for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp parallel
  {
    [[omp::directive(for schedule(static))]]
    for (int i = 0; i < 10; i++) a[i] = i;
    [[omp::directive(for)]]
    for (int i = 0; i < 10; i++) a[i] = i;
  }
}
",
    );
    assert_eq!(unsupported(&m), Vec::<String>::new());
    let found: Vec<u64> = schedules(&m).into_iter().map(|(_, s)| s).collect();
    let fixed = 34 | 1 << 29;
    let expected = [
        fixed,
        fixed,
        34 | OPEN,
        34 | OPEN,
        92 | OPEN,
        92,
        34 | OPEN,
        92 | OPEN | HALF,
        34,
        92,
        34,
        34 | OPEN,
    ];
    assert_eq!(found, expected, "{:?}", schedules(&m));
}

#[test]
fn a_loop_without_its_source_is_not_guessed() {
    let source =
        "int a[9];\nint main(void) {\n#pragma omp parallel for\n for (int i = 0; i < 9; i++) a[i] = i;\n}\n";
    let (directory, paths) = support::files(&[("a.c", source)]);
    let out = directory.path().join("a.bc");
    let status = std::process::Command::new("clang-19")
        .args(["-fopenmp", "-g", "-emit-llvm", "-c", "-fno-discard-value-names", "-o"])
        .arg(&out)
        .args(&paths)
        .status();
    assert!(status.expect("clang").success());
    let program = frontend::compile(&frontend::Options { files: vec![out], ..Default::default() });
    let found = unsupported(&program.expect("a program").module);
    assert!(found.iter().any(|text| text.contains("directive is not found")), "{found:?}");
}

#[test]
fn preprocessed_sources_have_directives() {
    let source = "# 1 \"x.c\"\nint a[9];\nint main(void) {\n#pragma omp parallel for schedule(static)\n \
                  for (int i = 0; i < 9; i++) a[i] = i;\n#pragma omp parallel for\n for (int i = 0; i < 9; i++) a[i] = i;\n}\n";
    let program = try_compile(&[("x.i", source)], &["-fopenmp"]).expect("a program");
    let found: Vec<u64> = schedules(&program.module).into_iter().map(|(_, s)| s).collect();
    assert_eq!(found, [34, 34 | OPEN]);
}

/// The names of the stack objects of all functions that are seen from birth, in order.
fn visible(m: &Module) -> Vec<String> {
    let user = |f: &&Function| !f.system;
    let codes = m.funcs.iter().filter(user).filter_map(|f| f.body.as_ref()).flat_map(|b| &b.code);
    let mut names: Vec<String> = codes
        .filter_map(|inst| match inst {
            Inst::Alloca { var, sight: Sight::Visible, .. } => Some(m.variables[var.0 as usize].name.clone()),
            _ => None,
        })
        .collect();
    names.sort();
    names
}

#[test]
fn carried_private_state_is_seen() {
    let m = compile(
        "program.c",
        "int a[100], b;
int main(void) {
  int t = 0;
#pragma omp parallel firstprivate(t)
  {
    int carried = 0, fresh, fixed = 0, after = 3, only_read = b, dispatched = 0, later = 0;
    int array[4] = {0};
#pragma omp for
    for (int i = 0; i < 100; i++) { carried += i; fresh = i; after = fresh; array[i % 4] += only_read; t++; a[i] = carried; }
    a[0] = after + array[0];
#pragma omp for schedule(static)
    for (int i = 0; i < 100; i++) { fixed += i; a[i] = fixed; }
#pragma omp for schedule(dynamic, 3)
    for (int i = 0; i < 100; i++) { int inner = i; dispatched += inner; a[i] = dispatched; }
    for (int i = 0; i < 3; i++) later += i;
    a[1] = later;
  }
}
",
    );
    assert_eq!(visible(&m), ["after", "array", "carried", "dispatched", "t"]);
}

#[test]
fn private_state_is_seen_through_pointers() {
    let m = compile(
        "program.cpp",
        "int a[100];
struct Pair { int *first; int second; };
int main() {
#pragma omp parallel
  {
    int pointed = 0, referred = 0, member = 0, copied = 0, fresh = 0, chosen = 0, other = 0, read = 5, once = 0, apart = 0;
    int *p = &pointed, *only = &read, **pp = &p; int &r = referred; Pair s = {&member, 0}, t = {&copied, 0}, u; u = t;
    auto lambda = [&chosen]() -> int & { return chosen; };
    int *one = &other; int *q = a[0] ? one : p;
    unsigned long bits = (unsigned long)&apart;
#pragma omp for
    for (int i = 0; i < 100; i++) {
      fresh = i; int *f = &fresh; int own = 0; int *o = &own;
      **pp += *f; r++; (*s.first)++; (*u.first)++; *o += *only; (*q)++; *(int *)bits += *o; lambda()++;
    }
#pragma omp single
    { int *w = &once; *w = 1; }
    a[0] = once;
  }
}
",
    );
    assert_eq!(unsupported(&m), Vec::<String>::new());
    let seen = visible(&m);
    for name in ["apart", "copied", "member", "once", "other", "pointed", "referred"] {
        assert!(seen.iter().any(|s| s == name), "{name} is not in {seen:?}");
    }
    for name in ["fresh", "own", "read", "p", "q", "r", "only"] {
        assert!(!seen.iter().any(|s| s == name), "{name} is in {seen:?}");
    }
}

#[test]
fn values_survive_going_back() {
    // What is computed before the loop and read only on its way in must keep its place while pieces are executed.
    let m = compile(
        "program.c",
        "double a[100];
void work(int n, int lo, double x, double y) {
#pragma omp for
  for (int i = lo * 3; i < n; i += lo) { double u = a[i] * x, v = u + y, w = v * u; a[i] = w * v - u; }
}
int main(void) {
#pragma omp parallel
  work(100, 1, 2, 3);
}
",
    );
    let body = support::function(&m, "work").body.as_ref().expect("a body");
    let is_next = |inst: &Inst| match inst {
        Inst::Call { site } => match body.calls[*site as usize].callee {
            Callee::Direct(f) => m.funcs[f.0 as usize].name == "__rp_next_piece",
            Callee::Indirect(_) => false,
        },
        _ => false,
    };
    let from = body.code.iter().position(is_next).expect("a call that asks for the next piece") as u32;
    let mut ways = Vec::new();
    let jump = body.code[from as usize..].iter().find(|i| i.is_terminator()).expect("a branch");
    jump.edges(body, &mut |edge| ways.push(body.edges[edge.0 as usize].target));
    let to = *ways.iter().find(|to| **to < from).expect("a way back");
    assert!(matches!(body.code[to as usize - 1], Inst::Call { .. }));
    // Every slot live at the beginning of a piece still holds its value at the end: nothing in between writes it.
    let live = ir::liveness::Liveness::new(body).before(body, to);
    for inst in &body.code[to as usize..=from as usize] {
        inst.defs(body, &mut |slot, count| {
            for s in slot.0..slot.0 + count {
                assert!(!live.contains(s), "slot {s} is overwritten by {inst:?}");
            }
        });
    }
    for edge in body.edges.iter().filter(|e| (to..=from).contains(&e.target)) {
        for (slot, _) in &body.moves[edge.moves as usize..(edge.moves + edge.move_count) as usize] {
            assert!(!live.contains(slot.0), "slot {} is overwritten on an edge", slot.0);
        }
    }
}

/// The updates of a function as `r`, `w` or `u` (read, write, both), `!` if atomic, and the operation.
fn updates(m: &Module, display: &str) -> Vec<String> {
    let body = support::function(m, display).body.as_ref().expect("a body");
    let mut found = Vec::new();
    for inst in &body.code {
        let (atomic, access) = match inst {
            Inst::Load { access, .. } | Inst::Store { access, .. } => ("", *access),
            Inst::AtomicLoad { access, .. } | Inst::AtomicRmw { access, .. } => ("!", *access),
            Inst::CmpXchg { index, .. } => {
                let x = &body.cmpxchgs[*index as usize];
                assert_eq!(x.ends_update, m.accesses[x.access.0 as usize].update.is_some());
                ("!", x.access)
            }
            _ => continue,
        };
        let Some(update) = m.accesses[access.0 as usize].update else { continue };
        let part = match update.part {
            ir::UpdatePart::Begins => "r",
            ir::UpdatePart::Ends => "w",
            ir::UpdatePart::Whole => "u",
            ir::UpdatePart::Feeds => "f",
        };
        let op = update.op.map_or("-".to_string(), |op| format!("{op:?}"));
        found.push(format!("{part}{atomic} {op}"));
    }
    found
}

#[test]
fn atomic_constructs_are_indivisible() {
    let m = compile(
        "program.c",
        "double d; float f; int x, y; unsigned char uc; struct { int a : 3, b : 5; } bits; _Atomic double ad; _Atomic int ai;
void add(double v) {
#pragma omp atomic
  d += v;
}
void reversed(int v) {
#pragma omp atomic
  x = v - x;
}
void times(double v) {
#pragma omp atomic
  d *= v;
}
void divided(float v) {
#pragma omp atomic
  f /= v;
}
void capture(double v) {
  double old;
#pragma omp atomic capture
  { old = d; d = d * v; }
  y = old;
}
void field(void) {
#pragma omp atomic
  bits.b += 1;
}
void shifted(int v) {
#pragma omp atomic
  uc <<= v;
}
void least(int v) {
#pragma omp atomic compare
  if (x > v) { x = v; }
}
int result(int v) {
  int w;
#pragma omp atomic capture
  w = x += v;
  return w;
}
void c11(double v) { ad += v; ai *= 3; }
void own(double v) {
  double old = ad, new;
  do { new = old + v; } while (!__c11_atomic_compare_exchange_strong(&ad, &old, new, 5, 5));
}
void sync(int v) {
  int old, new;
  do { old = x; new = old * v; } while (!__sync_bool_compare_and_swap(&x, old, new));
}
int main(void) {
  add(1); reversed(2); times(3); divided(2); capture(4); field(); shifted(1); least(4); result(3); c11(1); own(1); sync(2);
}
",
    );
    assert_eq!(unsupported(&m), Vec::<String>::new());
    assert_eq!(updates(&m, "add"), ["u! FloatAdd"]);
    assert_eq!(updates(&m, "reversed"), ["r! -", "w! -"]);
    assert_eq!(updates(&m, "times"), ["r! FloatMul", "w! FloatMul"]);
    assert_eq!(updates(&m, "divided"), ["r! -", "w! -"]);
    assert_eq!(updates(&m, "capture"), ["r! -", "w! -"]);
    assert_eq!(updates(&m, "field"), ["r! -", "w! -"]);
    assert_eq!(updates(&m, "shifted"), ["r! -", "w! -"]);
    assert_eq!(updates(&m, "least"), ["u! Min"]);
    assert_eq!(updates(&m, "result"), Vec::<String>::new());
    assert_eq!(updates(&m, "c11"), ["r! FloatAdd", "w! FloatAdd", "r! Mul", "w! Mul"]);
    assert_eq!(updates(&m, "own"), Vec::<String>::new());
    assert_eq!(updates(&m, "sync"), Vec::<String>::new());
}

#[test]
fn large_atomic_updates_are_sections() {
    let m = compile(
        "program.c",
        "long double d; __int128 b; _Atomic long double c; long double own_value;
void omp(void) {
#pragma omp atomic
  d += 1;
#pragma omp atomic
  b *= 3;
}
void c11(void) { c += 1; }
void own(void) {
  long double old, new;
  __atomic_load(&own_value, &old, 5);
  do { new = old + 1; } while (!__atomic_compare_exchange(&own_value, &old, &new, 0, 5, 5));
}
int main(void) { omp(); c11(); own(); }
",
    );
    let calls = |display: &str| -> Vec<String> {
        let body = support::function(&m, display).body.as_ref().expect("a body");
        let name = |c: &ir::CallSite| match c.callee {
            Callee::Direct(f) => m.funcs[f.0 as usize].name.clone(),
            Callee::Indirect(_) => String::new(),
        };
        body.calls.iter().map(name).collect()
    };
    let pair = ["__rp_update_begin", "__rp_update_end"];
    assert_eq!(calls("omp"), [pair, pair].concat());
    assert_eq!(calls("c11"), pair);
    assert!(!calls("own").iter().any(|name| name.starts_with("__rp_update")));
    assert!(m.func("__rp_update_begin").is_some_and(|f| m.funcs[f.0 as usize].body.is_some()));
}

#[test]
fn commutative_updates_are_seen() {
    let m = compile(
        "program.c",
        "#include <math.h>
int x, a[10]; short s; double d, e; float f; volatile int vol; _Bool flag; int *p; int g(void); struct { int n; } r;
void sums(int i, double v) { x += i; a[i] = a[i] + 2; *p -= i; r.n++; s += i; d = d - v; f += v; }
void others(int i, double v) { x *= i; x |= i; x &= i; x ^= 1; d *= v; e = fmax(e, v); }
void not_these(int i, double v) {
  vol += i; x = i - x; x = x + x; d = v / d; x = x + g(); x = a[1] + 1; a[i] = a[i + 1] + 1; x <<= 1;
  int y = ++x; a[0] = y;
}
int g(void) { return x; }
int main(void) { p = &x; sums(1, 2); others(1, 2); not_these(1, 2); }
",
    );
    let pairs = |ops: &[&str]| -> Vec<String> {
        ops.iter().flat_map(|op| [format!("r {op}"), format!("w {op}")]).collect()
    };
    assert_eq!(updates(&m, "sums"), pairs(&["Add", "Add", "Add", "Add", "Add", "FloatAdd", "FloatAdd"]));
    assert_eq!(updates(&m, "others"), pairs(&["Mul", "Or", "And", "Xor", "FloatMul", "FloatMax"]));
    assert_eq!(updates(&m, "not_these"), Vec::<String>::new());
}

/// The calls of a function that tell of lanes, with their constant arguments.
fn lanes(m: &Module, display: &str) -> Vec<String> {
    let body = support::function(m, display).body.as_ref().expect("a body");
    let mut found = Vec::new();
    for inst in &body.code {
        let Inst::Call { site } = inst else { continue };
        let site = &body.calls[*site as usize];
        let Callee::Direct(callee) = site.callee else { continue };
        let Some(name) = m.funcs[callee.0 as usize].name.strip_prefix("__rp_simd_") else { continue };
        let arg = body.args.get(site.args as usize).filter(|_| site.arg_count > 0);
        found.push(match arg.filter(|a| a.value.is_const()).map(|a| body.consts[a.value.index()]) {
            Some(Const::Bits(n)) => format!("{name} {n}"),
            _ => name.to_string(),
        });
    }
    // Where a block lies says nothing.
    found.sort_unstable();
    found
}

#[test]
fn lanes_of_simd_loops() {
    let m = compile(
        "program.c",
        "#define LEN 8
enum { HALF = 4 };
int a[100]; double s;
void touch(int *p) { *p = 1; }
void plain(void) {
#pragma omp simd
  for (int i = 0; i < 99; i++) a[i] = a[i + 1];
}
void safe(int j) {
#pragma omp simd safelen(LEN) linear(j : 1) reduction(+ : s)
  for (int i = 1; i < 100; i += 2) { s += a[i] + j; j++; }
#pragma omp simd safelen(HALF * 2)
  for (int i = 8; i < 100; i++) a[i] = a[i - 8];
}
void ordered(void) {
#pragma omp simd simdlen(4)
  for (int i = 0; i < 100; i++) {
    a[i] = i;
#pragma omp ordered simd
    a[0]++;
  }
}
void private_to_lanes(void) {
  int buffer[4], shared[4], last = 0;
#pragma omp simd private(buffer) lastprivate(last)
  for (int i = 0; i < 100; i++) { int t; touch(&t); touch(buffer); touch(shared); touch(&last); }
}
void not_simd(void) {
#pragma omp parallel for
  for (int i = 0; i < 100; i++) a[i] = i;
}
int main(void) { plain(); safe(1); ordered(); private_to_lanes(); not_simd(); }
",
    );
    assert_eq!(unsupported(&m), Vec::<String>::new());
    assert_eq!(lanes(&m, "plain"), ["begin 0", "end", "lane"]);
    assert_eq!(lanes(&m, "safe"), ["begin 8", "begin 8", "end", "end", "lane", "lane"]);
    assert_eq!(lanes(&m, "ordered"), ["begin 0", "end", "end_ordered", "lane", "ordered"]);
    let simd = |f: &&Function| f.name.contains("not_simd");
    let all: Vec<String> = m.funcs.iter().filter(simd).flat_map(|f| lanes(&m, &f.display)).collect();
    assert_eq!(all, Vec::<String>::new());
    let body = support::function(&m, "private_to_lanes").body.as_ref().expect("a body");
    let sights = |sight: Sight| -> Vec<&str> {
        let name = |inst: &Inst| match inst {
            Inst::Alloca { var, sight: s, .. } if *s == sight => {
                Some(m.variables[var.0 as usize].name.as_str())
            }
            _ => None,
        };
        let mut names: Vec<_> = body.code.iter().filter_map(name).collect();
        names.sort_unstable();
        names
    };
    assert_eq!(sights(Sight::Hidden), ["buffer", "last", "t"]);
    assert_eq!(sights(Sight::Visible), ["shared"]);
}

#[test]
fn directives_that_the_text_does_not_show_are_compiled() {
    let sources = [
        ("m.c", "#define H \"h.txt\"\n#include H\nint main(void) { return fill(); }\n"),
        (
            "h.txt",
            "static int a[9];\nstatic int fill(void) {\n#pragma omp parallel for\n  for (int i = 0; i < 9; i++) a[i] = i;\n  return 0;\n}\n",
        ),
    ];
    for flags in [&[][..], &["-w"], &["-Wall"]] {
        let (_directory, files) = support::files(&sources);
        let flags = flags.iter().map(ToString::to_string).collect();
        let options = frontend::Options { files: vec![files[0].clone()], flags, ..Default::default() };
        let program = frontend::compile(&options).expect("it compiles");
        assert_eq!(schedules(&program.module), [(3, 34 | OPEN)]);
    }
}
