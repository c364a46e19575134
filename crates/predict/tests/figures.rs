//! The papers' figures and examples as traces, with what each analysis says of them.
//!
//! `tests/figures/*.std` carry their expectations as comments: `# ANALYSIS: PAIRS` is the exact set of event pairs (`none`
//! for none), `# has: ANALYSIS PAIR` and `# lacks: ANALYSIS PAIR` are single claims. `truth` is the exhaustive oracle.
//! Analyses that are not registered are skipped, so a file may speak of one before it is there.

mod common;

use std::collections::BTreeSet;
use std::path::Path;

use common::{event_pairs, exhaustive};
use trace::Trace;

type Pairs = BTreeSet<(u64, u64)>;

fn answer(analysis: &str, trace: &Trace) -> Option<Pairs> {
    let pairs = match analysis {
        "truth" => exhaustive::explore(trace).races,
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

#[test]
fn figures_and_examples() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/figures");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    let claims: usize = files.iter().map(|f| check(f)).sum();
    assert!(files.len() >= 11 && claims >= 70, "{} files, {claims} claims", files.len());
}
