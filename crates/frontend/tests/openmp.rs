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
        34 | OPEN, // parallel for
        34,        // schedule(static)
        33,        // schedule(static, 2)
        34,        // FIXED
        34,        // BOTH, the second: sorted by schedule
        34 | OPEN, // BOTH, the first
        34 | OPEN, // sections
        34 | OPEN, // for simd
        34,        // for simd schedule(static)
        34 | OPEN, // loop
        66 | OPEN, // ordered
        66,        // schedule(static) ordered
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
    let expected = [fixed, fixed, 34 | OPEN, 34 | OPEN, 92 | OPEN, 92, 34 | OPEN, 92, 34, 92, 34, 34 | OPEN];
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
    assert!(found.iter().any(|text| text.contains("schedule")), "{found:?}");
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
    assert_eq!(body.repeats.len(), 1);
    let (from, to) = body.repeats[0];
    assert!(from > to && matches!(body.code[to as usize - 1], Inst::Call { .. }));
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
