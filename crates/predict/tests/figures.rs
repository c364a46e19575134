//! The papers' figures and examples as traces, with what each analysis says of them.
//!
//! `tests/figures/*.std` carry their expectations as comments: `# ANALYSIS: PAIRS` is the exact set of event pairs (`none`
//! for none), `# has: ANALYSIS PAIR` and `# lacks: ANALYSIS PAIR` are single claims. `truth` is the exhaustive oracle; of `deadlock`
//! the pairs are the acquires that wait for each other.
//! Every file has the exact answer of every registered analysis, so it also says who misses what.

mod common;

use std::collections::BTreeSet;
use std::path::Path;

use common::{event_pairs, exhaustive};
use trace::Trace;

type Pairs = BTreeSet<(u64, u64)>;

fn answer(analysis: &str, trace: &Trace) -> Option<Pairs> {
    let pairs = match analysis {
        "truth" => exhaustive::explore(trace).races,
        "deadlock" => {
            let found = predict::deadlock::analyse(trace, &predict::Options::default()).deadlocks;
            found.iter().map(|deadlock| (deadlock.acquires[0], deadlock.acquires[1])).collect()
        }
        name => {
            predict::find(name)?;
            event_pairs(name, trace)
        }
    };
    Some(pairs.into_iter().map(|(a, b)| (a.number(), b.number())).collect())
}

fn pair(text: &str) -> (u64, u64) {
    let (a, b) = text.split_once('-').unwrap_or_else(|| panic!("a pair like 2-7, not {text}"));
    (a.parse().unwrap(), b.parse().unwrap())
}

fn check(file: &Path) -> usize {
    let text = std::fs::read_to_string(file).unwrap();
    let trace = Trace::parse_std(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let mut claims = 0;
    for line in text.lines().filter_map(|l| l.strip_prefix("# ")) {
        let Some((head, rest)) = line.split_once(": ") else { continue };
        if let "has" | "lacks" = head {
            let (analysis, wanted) = rest.split_once(' ').unwrap();
            let Some(found) = answer(analysis, &trace) else { continue };
            let has = found.contains(&pair(wanted));
            assert_eq!(has, head == "has", "{}: {line}; found {found:?}", file.display());
        } else if head == "truth" || predict::find(head).is_some() {
            let wanted: Pairs = rest.split_whitespace().filter(|p| *p != "none").map(pair).collect();
            assert_eq!(answer(head, &trace).unwrap(), wanted, "{}: {head}", file.display());
        } else {
            continue;
        }
        claims += 1;
    }
    claims
}

/// Checks a figure: every claim in it holds, and it has the exact answer of every analysis.
fn figure(name: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/figures/{name}.std"));
    let text = std::fs::read_to_string(&file).unwrap();
    for entry in predict::registry() {
        let line = format!("# {}: ", entry.name);
        assert!(text.lines().any(|l| l.starts_with(&line)), "{name} does not say what {} finds", entry.name);
    }
    // Also what is true, but for barriers and notifications, which the oracle does not know.
    let truth = usize::from(!matches!(name, "order-barrier" | "order-notify"));
    assert!(check(&file) >= predict::registry().len() + truth, "{name}: also what is true");
}

macro_rules! figures {
    ($($test:ident $file:literal,)*) => {
        $(#[test]
        fn $test() {
            figure($file);
        })*

        #[test]
        fn every_file_is_tested() {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/figures");
            let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
            files.sort();
            let names: Vec<_> = files.iter().map(|f| f.file_stem().unwrap().to_str().unwrap()).collect();
            assert_eq!(names, [$($file),*]);
        }
    };
}

figures! {
    eraser_states "eraser-states",
    order_atomics "order-atomics",
    order_barrier "order-barrier",
    order_notify "order-notify",
    p2_changing_locks "p2-changing-locks",
    p2_int_box "p2-int-box",
    p2_task_queue_unprotected "p2-task-queue-unprotected",
    p2_task_queue "p2-task-queue",
    p4_figure_1a "p4-figure-1a",
    p4_figure_1b "p4-figure-1b",
    p4_figure_2 "p4-figure-2",
    p4_figure_6 "p4-figure-6",
    p4_figure_7 "p4-figure-7",
    p4_figure_8 "p4-figure-8",
    p4_figure_9 "p4-figure-9",
}
