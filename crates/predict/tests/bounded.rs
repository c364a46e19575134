//! What M2 keeps after its first pass: nothing of variables that one thread alone touches or whose accesses are all
//! ordered, and no candidate of variables that a lock protects.

use std::fmt::Write as _;

use predict::m2::index::{Index, Wanted};
use trace::Trace;

const THREADS: usize = 4;
const VARIABLES: usize = 500;

fn kept(text: &str) -> (usize, usize, usize) {
    let trace = Trace::parse_std(text).expect("a trace");
    let index = Index::new(&trace, Wanted::default(), None).expect("no deadline");
    let accesses = index.chains.iter().flat_map(|chain| &chain.events);
    let accesses = accesses.filter(|&&id| trace.events[id as usize].op.variable().is_some()).count();
    (accesses, index.causal.clocks.len(), index.classes.len())
}

#[test]
fn variables_of_one_thread() {
    let mut text = String::new();
    for i in 0..20 * VARIABLES {
        let t = i % THREADS;
        let _ =
            writeln!(text, "T{t}|{}(v{t}.{})|1", if i % 3 == 0 { "w" } else { "r" }, i / THREADS % VARIABLES);
    }
    assert_eq!(kept(&text), (0, 0, 0));
}

/// Written by one thread, then by those that it forks, then read by it after it has joined them.
#[test]
fn variables_ordered_by_fork_and_join() {
    let mut text = String::new();
    let mut all = |line: &dyn Fn(usize) -> String| (0..VARIABLES).for_each(|v| text += &line(v));
    all(&|v| format!("M|w(v{v})|1\n"));
    all(&|v| if v < THREADS { format!("M|fork(T{v})|2\n") } else { String::new() });
    all(&|v| format!("T{}|w(v{v})|3\nT{}|r(v{v})|4\n", v % THREADS, v % THREADS));
    all(&|v| if v < THREADS { format!("M|join(T{v})|5\n") } else { String::new() });
    all(&|v| format!("M|r(v{v})|6\n"));
    let (accesses, rows, classes) = kept(&text);
    // Only the first event of each thread (after its fork) and the last (before its join).
    assert!(accesses <= 2 * THREADS, "{accesses} accesses");
    assert!(rows <= 2 * THREADS, "{rows} rows of clocks");
    assert_eq!(classes, 0);
}

/// Under one lock each: no candidates; the accesses stay, since their observations decide which orders there are.
#[test]
fn variables_behind_a_lock() {
    let mut text = String::new();
    for i in 0..4 * VARIABLES {
        let (t, v) = (i % THREADS, i / THREADS % VARIABLES);
        let _ = writeln!(text, "T{t}|acq(l{})|1\nT{t}|w(v{v})|2\nT{t}|rel(l{})|3", v % 7, v % 7);
    }
    let (accesses, _, classes) = kept(&text);
    assert_eq!((accesses, classes), (4 * VARIABLES, 0));
}
