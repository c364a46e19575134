//! The two searches: how many interleavings they schedule, and that they agree.

use std::path::{Path, PathBuf};
use std::time::Duration;

use explore::{Config, Engine, Outcome};
use header::Header;

fn folder(family: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs").join(family)
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

fn check(module: &ir::Module, config: &Config) -> Outcome {
    explore::check(module, config, &mut |_| {}).expect("the program runs")
}

fn lockset() -> Config {
    Config {
        engine: Engine::Lockset,
        budget: base::Budget::of_time(Duration::from_secs(60)),
        ..Config::default()
    }
}

/// The lockset search of a program that may be too large for it.
fn lockset_for_a_while() -> Config {
    Config { budget: base::Budget::of_time(Duration::from_secs(2)), ..lockset() }
}

/// Whether a search ended without having explored everything; what it found so far says nothing about the rest.
fn is_cut_off(outcome: &Outcome) -> bool {
    outcome.unknown.iter().any(|u| u.limit().is_some())
}

/// P2, section 7: threads that share nothing but the look of it need one interleaving.
#[test]
fn independent_threads_need_one_interleaving() {
    for (program, defines) in [
        ("p2_indexer.c", &[][..]),
        ("p2_indexer.c", &["THREADS=8"]),
        ("p2_file_system.c", &[]),
        ("p2_file_system.c", &["THREADS=12"]),
        ("p2_independent_work_1.c", &[]),
        ("p2_independent_work_2.c", &[]),
    ] {
        let module = compile(&folder("papers").join(program), defines);
        for stateful in [true, false] {
            let outcome = check(&module, &Config { stateful, ..lockset() });
            let clean = outcome.races.is_empty() && outcome.defects.is_empty() && outcome.unknown.is_empty();
            assert!(clean, "{program}: {outcome:?}");
            assert_eq!(outcome.stats.executions, 1, "{program} {defines:?}, stateful: {stateful}");
        }
    }
}

/// Where threads do meet, both orders are explored: 14 threads of the file system share blocks, and P2's others share
/// buffers and queues.
#[test]
fn threads_that_meet_need_more_than_one() {
    for (program, defines) in [
        ("p2_file_system.c", &["THREADS=14"][..]),
        ("p2_halt_exception.c", &[]),
        ("p2_blink_tree_level.c", &[]),
        ("p2_io_manager.c", &[]),
    ] {
        let module = compile(&folder("papers").join(program), defines);
        let outcome = check(&module, &lockset());
        let clean = outcome.races.is_empty() && outcome.defects.is_empty() && outcome.unknown.is_empty();
        assert!(clean || program == "p2_file_system.c", "{program}: {outcome:?}");
        assert!(outcome.stats.executions > 1, "{program} {defines:?}");
    }
}

/// What an outcome says, as far as the searches must agree: whether there is a race, and without one, which defects.
fn verdict(outcome: &Outcome) -> (bool, Vec<base::DefectKind>, bool) {
    let mut kinds: Vec<_> = outcome.defects.iter().map(|d| d.kind).collect();
    kinds.sort();
    kinds.dedup();
    match outcome.races.is_empty() {
        false => (true, Vec::new(), false),
        true => (false, kinds, !outcome.unknown.is_empty()),
    }
}

/// The programs of some families that are written in C.
fn programs(families: &[&str]) -> Vec<PathBuf> {
    let list =
        |family: &&str| std::fs::read_dir(folder(family)).expect("a family").flatten().map(|e| e.path());
    let mut files: Vec<PathBuf> = families.iter().flat_map(list).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "c"));
    files.sort();
    files
}

#[test]
fn the_searches_agree() {
    let families =
        ["atomics", "barrier", "cond", "deadlock", "mutex", "once", "papers", "pthread", "rwlock", "sem"];
    let files = programs(&families);
    assert!(files.len() > 100, "{}", files.len());
    let mut compared = 0;
    for file in files {
        let module = compile(&file, &[]);
        let graph = check(&module, &Config { engine: Engine::RaceGraph, ..lockset_for_a_while() });
        let locks = check(&module, &lockset_for_a_while());
        // Only the race graph follows inputs without bounds (here the clock that a deadline is computed from).
        let open =
            locks.unknown.iter().any(|u| matches!(u.reason, base::Reason::Open { input: Some(_), .. }));
        if is_cut_off(&graph) || is_cut_off(&locks) || open {
            continue;
        }
        compared += 1;
        assert_eq!(verdict(&graph), verdict(&locks), "{}: {graph:#?}\n{locks:#?}", file.display());
    }
    assert!(compared > 100, "{compared}");
}

/// Sleep sets lose no state, and several searches of one graph find what one finds.
#[test]
fn the_race_graph_is_the_same_in_all_settings() {
    for file in programs(&["barrier", "cond", "deadlock", "mutex", "once", "papers", "sem"]) {
        let module = compile(&file, &[]);
        let plain = Config { engine: Engine::RaceGraph, ..lockset_for_a_while() };
        let one = check(&module, &plain);
        let all = check(&module, &Config { sleep_sets: false, ..plain.clone() });
        let two = check(&module, &Config { jobs: 2, ..plain });
        let name = file.display();
        if [&one, &all, &two].into_iter().any(is_cut_off) {
            continue;
        }
        assert_eq!(verdict(&one), verdict(&all), "{name}");
        // At a barrier the last to arrive is asked who is told to be the one: a state that differs by who asks.
        let asks = module.funcs.iter().any(|f| f.name == "pthread_barrier_wait");
        if one.races.is_empty() && one.unknown.is_empty() {
            assert!(
                one.stats.states == all.stats.states || asks && one.stats.states < all.stats.states,
                "{name}"
            );
            assert!(one.stats.states == two.stats.states || asks, "{name}");
            assert!(one.stats.transitions <= all.stats.transitions, "{name}");
        }
        assert_eq!(one.races, two.races, "{name}");
        assert_eq!(one.defects, two.defects, "{name}");
        assert_eq!(one.unknown, two.unknown, "{name}");
    }
}

/// With locks of their own, most orders of threads are the same.
#[test]
fn sleep_sets_save_transitions() {
    let module = compile(&folder("papers").join("p2_file_system.c"), &[]);
    let graph = Config { engine: Engine::RaceGraph, ..lockset() };
    let one = check(&module, &graph);
    let all = check(&module, &Config { sleep_sets: false, ..graph });
    assert_eq!(one.stats.states, all.stats.states);
    assert_eq!(one.stats.transitions, one.stats.states, "every state is reached once, and the end");
    assert!(all.stats.transitions > 2 * all.stats.states);
}
