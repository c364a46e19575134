//! Programs that show what the proof can do, where it must give up, and how its work grows.

use std::time::Duration;

use prove::Proof;

fn check_with(source: &str, flags: &[&str], threads: u32) -> Proof {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("program.c");
    std::fs::write(&file, source).expect("a file");
    let flags = flags.iter().map(|f| f.to_string()).collect();
    let options = frontend::Options { files: vec![file], flags, ..Default::default() };
    let compiled = frontend::compile(&options).unwrap_or_else(|e| panic!("{e}"));
    let budget = base::Budget::of_time(Duration::from_secs(120));
    let config = explore::Config { threads, budget, ..explore::Config::default() };
    prove::check(&compiled.module, &config, &mut |_| {}).expect("a program that loads")
}

fn check(source: &str) -> Proof {
    check_with(source, &[], 2)
}

fn omp(source: &str) -> Proof {
    check_with(source, &["-fopenmp"], 2)
}

fn proved(proof: Proof) -> base::Stats {
    match proof {
        Proof::Proved { stats, .. } => stats,
        other => panic!("expected a proof, found {other:?}"),
    }
}

fn race_lines(proof: Proof) -> Vec<(u32, u32)> {
    match proof {
        Proof::Race { outcome, .. } => {
            assert!(outcome.unknown.is_empty(), "{:?}", outcome.unknown);
            outcome.races.iter().map(|r| (r.first.place.line, r.second.place.line)).collect()
        }
        other => panic!("expected a race, found {other:?}"),
    }
}

fn sensitive_at(proof: Proof) -> (Option<u32>, base::Reason) {
    match proof {
        Proof::Sensitive { place, reason } => (place.map(|p| p.line), reason),
        other => panic!("expected schedule-sensitivity, found {other:?}"),
    }
}

fn sum(threads: u32, iterations: u32) -> String {
    format!(
        "#include <pthread.h>
#include <assert.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long sum;
static void *work(void *p) {{
    for (long i = 0; i < {iterations}; i++) {{
        pthread_mutex_lock(&m);
        sum += i;
        pthread_mutex_unlock(&m);
    }}
    return p;
}}
int main(void) {{
    pthread_t t[{threads}];
    for (int i = 0; i < {threads}; i++) pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < {threads}; i++) pthread_join(t[i], 0);
    assert(sum == {threads}L * {iterations} * ({iterations} - 1) / 2);
    return 0;
}}
"
    )
}

#[test]
fn a_sum_under_a_lock_is_proved_and_its_work_is_linear() {
    let small = proved(check(&sum(8, 100))).instructions;
    let large = proved(check(&sum(8, 1000))).instructions;
    assert!(large < 11 * small, "{small} {large}");
}

#[test]
fn many_iterations_under_a_lock() {
    proved(check(&sum(8, 10_000)));
}

#[test]
fn striped_locks_and_barriers() {
    proved(check(
        "#include <pthread.h>
static pthread_mutex_t m[4]; static int a[64];
static void *work(void *p) {
    for (int i = 0; i < 64; i++) { pthread_mutex_lock(&m[i % 4]); a[i] += 2; pthread_mutex_unlock(&m[i % 4]); }
    return p;
}
int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 4; i++) pthread_mutex_init(&m[i], 0);
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    return a[7] == 6 ? 0 : 1;
}
",
    ));
    let jacobi = "#include <pthread.h>
#define N 40
static double u[2][N][N]; static pthread_barrier_t b;
static void *work(void *p) {
    long me = (long)p;
    for (int s = 0; s < 6; s++) {
        for (int i = 1 + me * 10; i < 11 + me * 10 && i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                u[1 - s % 2][i][j] = 0.25 * (u[s % 2][i - 1][j] + u[s % 2][i + 1][j] + u[s % 2][i][j - 1] + u[s % 2][i][j + 1]);
        BARRIER
    }
    return 0;
}
int main(void) {
    pthread_t t[4];
    pthread_barrier_init(&b, 0, 4);
    for (long i = 0; i < 4; i++) pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
    return 0;
}
";
    proved(check(&jacobi.replace("BARRIER", "pthread_barrier_wait(&b);")));
    assert!(!race_lines(check(&jacobi.replace("BARRIER", ""))).is_empty());
}

fn two(shared: &str, first: &str, second: &str) -> String {
    format!(
        "#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
{shared}
static void *one(void *p) {{ {first}
    return p; }}
static void *two(void *p) {{ {second}
    return p; }}
int main(void) {{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}}
"
    )
}

#[test]
fn a_maximum_with_a_branch_commutes() {
    let update = "for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&m);
        if (i > max)
            max = i;
        pthread_mutex_unlock(&m); }";
    let source = two("static int max, cells[9];", update, update);
    proved(check(&source.replace("return 0;\n}\n", "cells[max] = 1;\n    return 0;\n}\n")));
    // A minimum beside it does not.
    let other = update.replace("i > max", "i < max");
    let source = two("static int max, cells[9];", update, &other);
    let source = source.replace("return 0;\n}\n", "cells[max] = 1;\n    return 0;\n}\n");
    assert!(matches!(check(&source), Proof::Sensitive { .. }));
}

#[test]
fn a_branch_around_a_call_is_sensitive() {
    let update = "for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&m);
        if (i > max) {
            max = i;
            note();
        }
        pthread_mutex_unlock(&m); }";
    let source = two("static int max, hits; static void note(void) { hits++; }", update, update);
    let (line, reason) = sensitive_at(check(&source));
    let text = line.and_then(|l| source.lines().nth(l as usize - 1)).unwrap_or_default();
    assert!(text.contains("if (i > max)"), "{line:?}");
    assert!(
        matches!(&reason, base::Reason::Scheduled { variable: Some(name), .. } if name == "max"),
        "{reason:?}"
    );
}

/// What either side of a branch touches counts, whichever this run takes.
#[test]
fn both_sides_of_a_small_branch_count() {
    let first = "pthread_mutex_lock(&m); turn = 1; pthread_mutex_unlock(&m); data = 1;";
    let second = |body: &str| {
        let text = "pthread_mutex_lock(&m); int seen = turn; pthread_mutex_unlock(&m);";
        format!("{text} if (seen) {{ other++; }} else {{ {body} }}")
    };
    let globals = "static int turn, data, other;";
    proved(check(&two(globals, first, &second("other += 2;"))));
    assert!(!matches!(check(&two(globals, first, &second("data = 2;"))), Proof::Proved { .. }));
    assert!(!matches!(check(&two(globals, first, &second("*(int *)0 = 2;"))), Proof::Proved { .. }));
}

#[test]
fn trylock_and_queues_are_sensitive() {
    let source =
        two("static int x;", "if (!pthread_mutex_trylock(&m)) { x = 1; pthread_mutex_unlock(&m); }", "");
    assert_eq!(sensitive_at(check(&source)).1, base::reason::Used::TryLock.into());
    let take = "for (;;) { pthread_mutex_lock(&m); int i = next++; pthread_mutex_unlock(&m);
        if (i >= 8) break;
        done[i] = 1; }";
    let source = two("static int next, done[8];", take, take);
    assert!(matches!(check(&source), Proof::Sensitive { .. }));
}

#[test]
fn nested_locks_and_acquisition_histories() {
    let both = "pthread_mutex_lock(&m); pthread_mutex_lock(&n); x++; pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);";
    proved(check(&two("static int x;", both, both)));
    let opposite = "pthread_mutex_lock(&n); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);";
    let proof = check(&two("static int x;", both, opposite));
    assert!(
        matches!(&proof, Proof::Undecided { reason, .. } if *reason == base::reason::LockDoubt::DifferentOrders.into()),
        "{proof:?}"
    );
}

#[test]
fn a_race_that_the_run_itself_hides() {
    // In the run, the lock orders the first thread's write before the second's; another schedule does not.
    let source = two(
        "static int x, y;",
        "x = 1;
        pthread_mutex_lock(&m); y++; pthread_mutex_unlock(&m);",
        "pthread_mutex_lock(&m); y++; pthread_mutex_unlock(&m);
        x = 2;",
    );
    assert_eq!(race_lines(check(&source)).len(), 1);
}

#[test]
fn order_of_locks_can_hide_a_use_after_free() {
    let shared = "#include <stdlib.h>\nstatic int *q, x;\n__attribute__((constructor)) static void start(void) { q = malloc(4); *q = 1; }";
    let source = two(
        shared,
        "pthread_mutex_lock(&m); x = *q; pthread_mutex_unlock(&m);",
        "pthread_mutex_lock(&m); free(q); pthread_mutex_unlock(&m);",
    );
    assert!(!matches!(check(&source), Proof::Proved { .. }), "the other order uses a freed object");
}

#[test]
fn a_sum_that_doubles_itself_does_not_commute() {
    let source = two(
        "static int x = 1, cells[9];",
        "pthread_mutex_lock(&m); x = x + x; pthread_mutex_unlock(&m);",
        "pthread_mutex_lock(&m); x = x + 1; pthread_mutex_unlock(&m);",
    );
    let source = source.replace("return 0;\n}\n", "cells[x] = 1;\n    return 0;\n}\n");
    assert!(matches!(check(&source), Proof::Sensitive { .. }));
}

#[test]
fn regions_loops_and_reductions() {
    proved(omp("int a[50]; int main(void) {
#pragma omp parallel for
    for (int i = 0; i < 50; i++) a[i] = i;
    return a[3] == 3 ? 0 : 1; }"));
    proved(omp("#include <assert.h>
int main(void) { int s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < 20; i++) s += i;
    assert(s == 190); return 0; }"));
    proved(omp("#include <assert.h>
int main(void) { int s = 0;
#pragma omp parallel for
    for (int i = 0; i < 20; i++) {
#pragma omp critical
        s += i; }
    assert(s == 190); return 0; }"));
    proved(omp("int a[64], b[64]; int main(void) {
#pragma omp parallel
    {
#pragma omp for schedule(static) nowait
        for (int i = 0; i < 64; i++) a[i] = i;
#pragma omp for schedule(static)
        for (int i = 0; i < 64; i++) b[i] = a[i]; }
    return 0; }"));
}

#[test]
fn races_under_another_distribution() {
    let lines = race_lines(omp("int a[64], b[64]; int main(void) {
#pragma omp parallel
    {
#pragma omp for nowait
        for (int i = 0; i < 64; i++) a[i] = i;
#pragma omp for
        for (int i = 0; i < 64; i++) b[i] = a[i]; }
    return 0; }"));
    assert_eq!(lines.len(), 1);
    // Iterations 0 and 4 are executed by one thread in every rotation.
    assert!(
        !race_lines(omp("int a[4]; int main(void) {
#pragma omp parallel for
    for (int i = 0; i < 60; i++) a[i % 4] = i;
    return 0; }"))
        .is_empty()
    );
    let single = |nowait: &str| {
        omp(&format!(
            "int x, y[4]; int main(void) {{
#pragma omp parallel
    {{
#pragma omp single {nowait}
        x = 5;
#pragma omp for
        for (int i = 0; i < 4; i++) y[i] = x; }}
    return 0; }}"
        ))
    };
    proved(single(""));
    assert_eq!(race_lines(single("nowait")).len(), 1);
}

#[test]
fn what_depends_on_the_thread_is_never_called_proved() {
    // With two threads and two iterations, only one of the distributions lets both write a[1].
    let proof = omp("#include <omp.h>
int a[8]; int main(void) {
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < 2; i++) a[omp_get_thread_num() + i] = i;
    return 0; }");
    assert!(!matches!(proof, Proof::Proved { .. }), "{proof:?}");
    let proof = omp("#include <omp.h>
int main(void) { int s = 0;
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < 3; i++) {
#pragma omp critical
        s += omp_get_thread_num(); }
    int a[2];
    if (s == 1) a[2 * s] = 1;
    return 0; }");
    assert!(!matches!(proof, Proof::Proved { .. }), "{proof:?}");
    let proof = omp("int a[64]; int main(void) {
#pragma omp parallel num_threads(2)
    { int n = 0;
#pragma omp for
      for (int i = 0; i < 8; i++) { n++; a[n * 8 + i] = 1; }
    }
    return 0; }");
    assert!(!matches!(proof, Proof::Proved { .. }), "{proof:?}");
}
