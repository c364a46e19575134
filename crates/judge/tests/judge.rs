//! The judge against engines that say `race-free` of everything: what is wrong with a program is found and replays, what is right stands.

use base::DefectKind;
use judge::{Claim, Judged, Refuted, Request, SEED, judge};

fn compile(text: &str, openmp: bool) -> ir::Module {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("program.c");
    std::fs::write(&file, text).expect("a file");
    let flags = if openmp { vec!["-fopenmp".to_owned()] } else { Vec::new() };
    let options = frontend::Options { files: vec![file], flags, ..Default::default() };
    frontend::compile(&options).unwrap_or_else(|e| panic!("{e}")).module
}

fn judged(module: &ir::Module, claim: Option<Claim>, runs: u64) -> Judged {
    let args = ["program".to_owned()];
    let [one, two] = [1, 2].map(|jobs| {
        let (args, claim, budget) = (&args[..], claim.clone(), base::Budget::default());
        let request =
            Request { module, args, threads: 2, defects: true, claim, seed: SEED, runs, budget, jobs };
        judge(&request).expect("the program runs")
    });
    // How many runs are made at a time makes no difference.
    assert_eq!((one.runs, one.cut, one.instructions), (two.runs, two.cut, two.instructions));
    assert_eq!(format!("{:?}", one.refuted), format!("{:?}", two.refuted));
    two
}

fn fixed(module: &ir::Module) -> Option<Claim> {
    Some(Claim::new(module, Default::default(), Some(Default::default())))
}

#[track_caller]
fn stands(text: &str, openmp: bool) {
    let module = compile(text, openmp);
    let judged = judged(&module, None, 200);
    assert!(judged.refuted.is_none(), "{:?}", judged.refuted);
    assert_eq!((judged.runs, judged.cut), (200, 0));
}

#[track_caller]
fn has_race(text: &str, openmp: bool, variable: &str) {
    match judged(&compile(text, openmp), None, 200).refuted {
        Some(Refuted::Race(race)) => assert_eq!(race.variable, variable),
        other => panic!("expected a race on {variable}, found {other:?}"),
    }
}

const THREADS: &str = r#"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_barrier_t b;
atomic_int flag;
static void two(void *(*f)(void *), void *(*g)(void *)) {
    pthread_t t, u;
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, g, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
}
"#;

fn threads(text: &str) -> String {
    format!("{THREADS}{text}")
}

#[test]
fn locks_order() {
    let locked = "static void *f(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return p; }\n\
                  int main(void) { two(f, f); assert(x == 2); }";
    stands(&threads(locked), false);
    let half = "static void *f(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return p; }\n\
                static void *g(void *p) { pthread_mutex_lock(&n); x++; pthread_mutex_unlock(&n); return p; }\n\
                int main(void) { two(f, g); }";
    has_race(&threads(half), false, "x");
}

#[test]
fn a_lock_passed_on_in_one_order_only() {
    // In most schedules the lock orders the two accesses to y.
    let hidden = "static void *f(void *p) { y = 1; pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); return p; }\n\
                  static void *g(void *p) { pthread_mutex_lock(&m); x = 2; pthread_mutex_unlock(&m); y = 2; return p; }\n\
                  int main(void) { two(f, g); }";
    has_race(&threads(hidden), false, "y");
}

#[test]
fn barriers_order() {
    let before = "static void *f(void *p) { x = 1; pthread_barrier_wait(&b); return p; }\n\
                  static void *g(void *p) { pthread_barrier_wait(&b); assert(x == 1); return p; }\n\
                  int main(void) { pthread_barrier_init(&b, 0, 2); two(f, g); }";
    stands(&threads(before), false);
    let behind = "static void *f(void *p) { pthread_barrier_wait(&b); x = 1; return p; }\n\
                  static void *g(void *p) { pthread_barrier_wait(&b); y = x; return p; }\n\
                  int main(void) { pthread_barrier_init(&b, 0, 2); two(f, g); }";
    has_race(&threads(behind), false, "x");
}

#[test]
fn creation_and_join_order() {
    let joined = "static void *f(void *p) { x++; return p; }\n\
                  int main(void) { pthread_t t; x = 1; pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(x == 2); }";
    stands(&threads(joined), false);
    let early = "static void *f(void *p) { x++; return p; }\n\
                 int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); y = x; pthread_join(t, 0); }";
    has_race(&threads(early), false, "x");
}

#[test]
fn atomics_order_as_they_say() {
    let program = |store: &str, load: &str| {
        threads(&format!(
            "static void *f(void *p) {{ x = 1; atomic_store_explicit(&flag, 1, {store}); return p; }}\n\
             static void *g(void *p) {{ if (atomic_load_explicit(&flag, {load})) y = x; return p; }}\n\
             int main(void) {{ two(f, g); }}"
        ))
    };
    stands(&program("memory_order_release", "memory_order_acquire"), false);
    has_race(&program("memory_order_relaxed", "memory_order_acquire"), false, "x");
    has_race(&program("memory_order_release", "memory_order_relaxed"), false, "x");
}

#[test]
fn tasks_order() {
    let program = |wait: &str, depend: &str| {
        format!(
            "#include <assert.h>\nint x, y;\nint main(void) {{\n#pragma omp parallel num_threads(2)\n\
             #pragma omp single\n{{\n#pragma omp task {depend}\nx = 1;\n{wait}\n\
             #pragma omp task {depend}\nx = 2;\n}}\n}}\n"
        )
    };
    stands(&program("#pragma omp taskwait", ""), true);
    stands(&program("", "depend(inout: x)"), true);
    has_race(&program("", ""), true, "x");
}

#[test]
fn a_race_that_few_distributions_show() {
    // The two iterations race only if they fall on different threads.
    let text = "int x; int main(void) {\n#pragma omp parallel for num_threads(2) schedule(dynamic)\n\
                for (int i = 0; i < 12; i++) if (i == 3 || i == 4) x = i;\n}";
    has_race(text, true, "x");
}

#[test]
fn a_deadlock_is_found() {
    let text = "static void *f(void *p) { pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m); return p; }\n\
                static void *g(void *p) { pthread_mutex_lock(&n); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&n); return p; }\n\
                int main(void) { two(f, g); }";
    match judged(&compile(&threads(text), false), None, 200).refuted {
        Some(Refuted::Defect(defect)) => assert_eq!(defect.kind, DefectKind::Deadlock),
        other => panic!("expected a deadlock, found {other:?}"),
    }
}

#[test]
fn an_assertion_that_one_order_breaks_is_found() {
    let text = "static void *f(void *p) { pthread_mutex_lock(&m); x = 2 * x; pthread_mutex_unlock(&m); return p; }\n\
                static void *g(void *p) { pthread_mutex_lock(&m); x = x + 1; pthread_mutex_unlock(&m); return p; }\n\
                int main(void) { x = 1; two(f, g); assert(x == 3); }";
    match judged(&compile(&threads(text), false), None, 200).refuted {
        Some(Refuted::Defect(defect)) => assert_eq!(defect.kind, DefectKind::Assertion),
        other => panic!("expected a failed assertion, found {other:?}"),
    }
}

#[test]
fn inputs_are_tried() {
    let text = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n\
                int main(void) { int n = __VERIFIER_nondet_int(); assert(n != 4711); }";
    match judged(&compile(text, false), None, 500).refuted {
        Some(Refuted::Defect(defect)) => {
            assert_eq!(defect.kind, DefectKind::Assertion);
            assert_eq!(defect.witness.inputs.and_then(|v| v.first().copied()), Some(4711));
        }
        other => panic!("expected a failed assertion, found {other:?}"),
    }
}

/// No race and no defect, but what a thread does depends on who comes first: no proof may call that fixed.
const STEERED: &str = "static void *f(void *p) { pthread_mutex_lock(&m); if (x++ == 0) y = 1; pthread_mutex_unlock(&m); return p; }\n\
                       int main(void) { two(f, f); }";

#[test]
fn a_skeleton_that_is_not_fixed_is_an_error() {
    let module = compile(&threads(STEERED), false);
    match judged(&module, fixed(&module), 200).refuted {
        Some(Refuted::Error(error)) => {
            assert!(error.reason.contains("does not do the same"), "{}", error.reason);
            assert!(error.choices.is_some() || error.run > 0);
        }
        other => panic!("expected a contradiction, found {other:?}"),
    }
    assert!(judged(&module, None, 200).refuted.is_none(), "a search claims no skeleton");
}

#[test]
fn branches_that_go_either_way_are_left_out() {
    let module = compile(&threads(STEERED), false);
    let branches = module.funcs.iter().enumerate().filter(|(_, f)| f.name == "f").flat_map(|(i, f)| {
        let code = f.body.as_ref().map(|b| b.code.clone()).unwrap_or_default();
        let branch = |(pc, inst): (usize, ir::Inst)| matches!(inst, ir::Inst::Branch { .. }).then_some(pc);
        code.into_iter()
            .enumerate()
            .filter_map(branch)
            .map(move |pc| (i as u32, pc as u32))
            .collect::<Vec<_>>()
    });
    let claim = Claim::new(&module, branches.collect(), None);
    let judged = judged(&module, Some(claim), 200);
    assert!(judged.refuted.is_none(), "{:?}", judged.refuted);
}

#[test]
fn pieces_and_tasks_are_the_same_strands_in_every_distribution() {
    let text = "#include <stdlib.h>\nint a[16], s; int main(void) {\n#pragma omp parallel num_threads(3)\n{\nint own = 0;\n\
                #pragma omp for schedule(dynamic) nowait\nfor (int i = 0; i < 16; i++) { a[i] = i; own += i; }\n\
                #pragma omp critical\ns += own;\n\
                #pragma omp barrier\n#pragma omp single\nfor (int i = 0; i < 4; i++)\n{\n#pragma omp task firstprivate(i)\n\
                { int *p = malloc(4); *p = i; a[i] = *p; free(p); }\n}\n}\nreturn s != 120;\n}";
    let module = compile(text, true);
    let judged = judged(&module, fixed(&module), 200);
    assert!(judged.refuted.is_none(), "{:?}", judged.refuted);
}

#[test]
fn an_address_that_depends_on_the_distribution_is_noticed() {
    let text = "#include <omp.h>\nint part[3]; int main(void) {\n#pragma omp parallel num_threads(3)\n\
                #pragma omp for schedule(dynamic)\nfor (int i = 0; i < 6; i++) part[omp_get_thread_num()] += i;\n}";
    let module = compile(text, true);
    let found = judged(&module, fixed(&module), 200).refuted;
    assert!(matches!(found, Some(Refuted::Error(_))), "{found:?}");
    let claim = Some(Claim::new(&module, Default::default(), None));
    assert!(judged(&module, claim, 200).refuted.is_none(), "addresses are not claimed");
}

#[test]
fn a_seed_gives_the_same_answer() {
    let text = "static void *f(void *p) { pthread_mutex_lock(&m); x = 2 * x; pthread_mutex_unlock(&m); return p; }\n\
                static void *g(void *p) { pthread_mutex_lock(&m); x = x + 1; pthread_mutex_unlock(&m); return p; }\n\
                int main(void) { x = 1; two(f, g); two(f, g); two(f, g); assert(x != 17); }";
    let module = compile(&threads(text), false);
    let once = || {
        let judged = judged(&module, None, 400);
        let choices = match judged.refuted {
            Some(Refuted::Defect(defect)) => defect.witness.choices,
            other => panic!("expected a failed assertion, found {other:?}"),
        };
        (judged.runs, judged.instructions, choices)
    };
    assert_eq!(once(), once());
}

#[test]
fn a_run_that_does_not_end_is_cut() {
    let text = "static void *f(void *p) { while (!atomic_load(&flag)) x = 0; return p; }\n\
                int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); }";
    let judged = judged(&compile(&threads(text), false), None, 3);
    assert!(judged.refuted.is_none(), "{:?}", judged.refuted);
    assert_eq!(judged.cut, judged.runs);
}
