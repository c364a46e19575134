//! A search that is ended again and again, and gone on with each time from what a file would hold, gives the answer of one that
//! is not, and does not do more.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base::budget::Limits;
use explore::{Config, Outcome, Saved};

fn programs(family: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs").join(family);
    let files = std::fs::read_dir(folder).expect("a family").flatten().map(|e| e.path());
    let mut files: Vec<_> = files.filter(|f| f.extension().is_some_and(|e| e == "c")).collect();
    files.sort();
    files
}

fn compile(file: &Path) -> ir::Module {
    let text = std::fs::read_to_string(file).expect("a program");
    let header = text.lines().find_map(|l| l.strip_prefix("//@ flags: ")).unwrap_or("");
    let options = frontend::Options {
        files: vec![file.to_owned()],
        flags: header.split_whitespace().map(String::from).collect(),
        ..Default::default()
    };
    frontend::compile(&options).unwrap_or_else(|e| panic!("{}: {e}", file.display())).module
}

fn check(module: &ir::Module, config: &Config) -> Outcome {
    explore::check(module, config, &mut |_| {}).expect("the program runs")
}

/// What was saved, as if it had been written to a file and read again.
fn read_again(saved: &Saved) -> Saved {
    let text = serde_json::to_string(saved).expect("text");
    let again: Saved = serde_json::from_str(&text).expect("the same");
    let add = |entry| {
        again.add_state(entry);
        Ok::<_, ()>(())
    };
    saved.each_state(add).expect("states");
    assert_eq!(again.states(), saved.states());
    again
}

/// Goes on until there is an answer; with how often that was.
fn again_and_again(module: &ir::Module, limited: impl Fn() -> Config) -> (Outcome, usize) {
    let mut resume = None;
    for round in 1..10_000 {
        let outcome = check(module, &Config { resume, ..limited() });
        let Some(left) = &outcome.left else { return (outcome, round) };
        resume = Some(Arc::new(Mutex::new(Some(read_again(left)))));
    }
    panic!("there is no end to it");
}

/// Whether there are races or defects; if not, what is not known. (How many are found before a limit is a matter of the limit.)
fn answer(outcome: &Outcome) -> (bool, bool, Option<usize>) {
    let free = outcome.races.is_empty() && outcome.defects.is_empty();
    (outcome.races.is_empty(), outcome.defects.is_empty(), free.then_some(outcome.unknown.len()))
}

/// Families, and how many of their programs.
const FAMILIES: [(&str, usize); 8] = [
    ("atomics", 99),
    ("barrier", 99),
    ("cond", 99),
    ("mutex", 99),
    ("once", 99),
    ("rwlock", 99),
    ("sem", 99),
    ("openmp", 40),
];

/// One search: it takes the same transitions, each once.
#[test]
fn a_search_in_parts_does_what_a_whole_one_does() {
    let (mut compared, mut most) = (0, 0);
    for file in FAMILIES.iter().flat_map(|(family, most)| programs(family).into_iter().take(*most)) {
        let module = compile(&file);
        let config = Config { look: 1, ..Config::default() };
        let for_a_while = Config { max_states: Some(4000), ..config.clone() };
        let whole = check(&module, &for_a_while);
        if whole.stats.states < 20 || whole.unknown.iter().any(|u| u.limit().is_some()) {
            continue;
        }
        let max_states = Some((whole.stats.states / 7).max(1));
        let (parts, rounds) = again_and_again(&module, || Config { max_states, ..config.clone() });
        let name = file.display();
        // A search over inputs that follows cannot be gone on with: it says so.
        if parts.unknown.iter().any(|u| u.limit().is_some()) {
            continue;
        }
        assert_eq!(answer(&parts), answer(&whole), "{name}");
        if whole.races.is_empty() && whole.defects.is_empty() && whole.unknown.is_empty() {
            assert!(rounds > 1, "{name}");
            let work = |o: &Outcome| (o.stats.states, o.stats.transitions, o.stats.executions);
            assert_eq!(work(&parts), work(&whole), "{name}, in {rounds} rounds");
            compared += 1;
            most = most.max(rounds);
        }
    }
    assert!(compared > 20 && most > 5, "{compared} programs, {most} rounds");
}

/// Several searches of one graph: they come to the same states.
#[test]
fn several_searches_in_parts_come_to_the_same_states() {
    let mut compared = 0;
    for file in ["atomics", "cond"].iter().flat_map(|family| programs(family)) {
        let module = compile(&file);
        let config = Config { look: 1, ..Config::default() };
        let whole = check(&module, &Config { max_states: Some(4000), ..config.clone() });
        let free = whole.races.is_empty() && whole.defects.is_empty() && whole.unknown.is_empty();
        if whole.stats.states < 20 || !free {
            continue;
        }
        let instructions = Some(whole.stats.instructions / 3 + 1000);
        let limits = Limits { instructions, time: Some(Duration::from_secs(60)), ..Limits::default() };
        let some = || Config { jobs: 2, budget: base::Budget::new(limits), ..config.clone() };
        let (parts, rounds) = again_and_again(&module, some);
        let name = file.display();
        assert_eq!(answer(&parts), answer(&whole), "{name}");
        // Who is faster decides who sleeps where, and so on a few states.
        let few = whole.stats.states / 50;
        assert!(parts.stats.states.abs_diff(whole.stats.states) <= few, "{name}, in {rounds} rounds");
        compared += usize::from(rounds > 1);
    }
    assert!(compared > 3, "{compared}");
}
