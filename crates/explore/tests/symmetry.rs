//! Identical threads: where their symmetry is used, how much it saves, and that it changes no answer.

use std::path::{Path, PathBuf};
use std::time::Duration;

use explore::{Config, Outcome};
use header::Header;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn compile(file: &Path, defines: &[&str]) -> ir::Module {
    let options = frontend::Options {
        files: vec![file.to_owned()],
        flags: Header::of(file).flags,
        defines: defines.iter().map(ToString::to_string).collect(),
        ..Default::default()
    };
    frontend::compile(&options).unwrap_or_else(|e| panic!("{}: {e}", file.display())).module
}

fn compile_text(text: &str) -> ir::Module {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("program.c");
    std::fs::write(&file, text).expect("a file");
    compile(&file, &[])
}

fn check(module: &ir::Module, symmetry: bool, jobs: usize) -> Outcome {
    let config = Config {
        symmetry,
        jobs,
        budget: base::Budget::of_time(Duration::from_secs(60)),
        ..Config::default()
    };
    explore::check(module, &config, &mut |_| {}).expect("the program runs")
}

/// Whether there is a race, and which kinds of defects there are.
fn verdict(outcome: &Outcome) -> (bool, Vec<base::DefectKind>, bool) {
    let mut kinds: Vec<_> = outcome.defects.iter().map(|d| d.kind).collect();
    kinds.sort();
    kinds.dedup();
    (!outcome.races.is_empty(), kinds, !outcome.unknown.is_empty())
}

/// Workers with one queue: the states with symmetry and without.
#[test]
fn identical_workers_need_fewer_states() {
    let file = root().join("bench/programs/work_queue.c");
    for (threads, with, without) in GOLDEN {
        let module = compile(&file, &[&format!("THREADS={threads}")]);
        let (one, all) = (check(&module, true, 1), check(&module, false, 1));
        assert!(one.symmetric && !all.symmetric);
        assert_eq!(verdict(&one), (false, Vec::new(), false));
        assert_eq!(verdict(&all), (false, Vec::new(), false));
        assert_eq!((one.stats.states, all.stats.states), (with, without), "{threads} threads");
        assert_eq!(check(&module, true, 2).stats.states, with, "two searches together");
    }
}

/// Threads, and the states with and without symmetry.
const GOLDEN: [(u32, u64, u64); 3] = [(2, 52, 76), (3, 163, 472), (4, 392, 2708)];

/// Where the main thread or a member can tell who is who, the search begins again.
#[test]
fn what_tells_threads_apart_is_noticed() {
    let used = |name: &str| {
        let module = compile(&root().join("tests/programs/pthread").join(name), &[]);
        let (one, all) = (check(&module, true, 1), check(&module, false, 1));
        assert_eq!(verdict(&one), verdict(&all), "{name}");
        assert_eq!(check(&module, true, 2).races, one.races, "{name}");
        one.symmetric
    };
    for name in ["null_results", "output", "serial_thread", "serial_last", "choice"] {
        assert!(used(&format!("identical_{name}.c")), "{name}");
    }
    for name in [
        "after_signal_race",
        "creators",
        "flag_between_joins_race",
        "joined_by_another_race",
        "one_detached_race",
        "one_joined_race",
        "read_between_joins_race",
        "results",
        "self",
        "write_between_creations_race",
    ] {
        assert!(!used(&format!("identical_{name}.c")), "{name}");
    }
}

/// The same program with something of the creator's in one place or another.
#[test]
fn what_the_creator_does_meanwhile_decides() {
    let used = |between_creations: &str, between_joins: &str| {
        let text = format!(
            "#include <pthread.h>\n#include <stdatomic.h>\n#include <stdio.h>\n#include <stdlib.h>\n\
             static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n\
             static atomic_int flag; static int shared, constant = 3, own, ticket;\n\
             static void *nothing(void *arg) {{ return arg; }}\n\
             static void *work(void *arg) {{\n\
               pthread_mutex_lock(&lock); ticket++; shared += constant; pthread_mutex_unlock(&lock);\n\
               return arg;\n\
             }}\n\
             int main(void) {{\n\
               pthread_t a, b, c; (void)c; (void)nothing; (void)flag; (void)own;\n\
               pthread_create(&a, NULL, work, NULL);\n\
               {between_creations}\n\
               pthread_create(&b, NULL, work, NULL);\n\
               pthread_join(b, NULL);\n\
               {between_joins}\n\
               pthread_join(a, NULL);\n\
               return 0;\n\
             }}\n"
        );
        let module = compile_text(&text);
        let (one, all) = (check(&module, true, 1), check(&module, false, 1));
        assert_eq!(verdict(&one), verdict(&all), "{text}");
        one.symmetric
    };
    assert!(used("", ""));
    for fine in
        ["own++;", "own = constant;", "printf(\"so far\\n\");", "free(malloc(8));", "b = pthread_self();"]
    {
        assert!(used(fine, ""), "{fine}");
        assert!(used("", &fine.replace("b =", "c =")), "{fine}");
    }
    for wrong in [
        "ticket = 0;",
        "own = shared;",
        "constant = 4;",
        "atomic_store(&flag, 1);",
        "atomic_thread_fence(memory_order_seq_cst);",
        "pthread_mutex_lock(&lock); pthread_mutex_unlock(&lock);",
        "pthread_create(&c, NULL, nothing, NULL);",
        "pthread_create(&c, NULL, nothing, NULL); pthread_join(c, NULL);",
        "pthread_detach(a);",
        "for (volatile int i = 0; i < 300000; i++) {}",
        "exit(0);",
        "pthread_exit(NULL);",
        "pthread_mutex_destroy(&lock); pthread_mutex_init(&lock, NULL);",
        "if (shared) own = 1;",
        "for (;;) {}",
    ] {
        assert!(!used("", wrong), "{wrong}");
        if !wrong.starts_with("for (v") {
            assert!(!used(wrong, ""), "{wrong}");
        }
    }
}

/// No answer to a program of the suite depends on it.
#[test]
fn symmetry_changes_no_answer() {
    let mut used = 0;
    for family in ["atomics", "barrier", "cond", "deadlock", "mutex", "pthread", "rwlock", "sem", "users"] {
        let folder = root().join("tests/programs").join(family);
        let files = std::fs::read_dir(folder).expect("a family").flatten().map(|e| e.path());
        let mut files: Vec<_> = files.filter(|f| f.extension().is_some_and(|e| e == "c")).collect();
        files.sort();
        for file in files {
            let module = compile(&file, &[]);
            let config =
                Config { budget: base::Budget::of_time(Duration::from_secs(1)), ..Config::default() };
            let one = explore::check(&module, &config, &mut |_| {}).expect("the program runs");
            if !one.symmetric {
                continue;
            }
            let all = Config { symmetry: false, ..config };
            let all = explore::check(&module, &all, &mut |_| {}).expect("the program runs");
            if [&one, &all].iter().any(|o| o.unknown.iter().any(|u| u.limit().is_some())) {
                continue;
            }
            used += 1;
            assert_eq!(verdict(&one), verdict(&all), "{}", file.display());
            assert!(one.stats.states <= all.stats.states || !one.races.is_empty(), "{}", file.display());
        }
    }
    assert!(used > 10, "{used}");
}
