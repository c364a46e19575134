//! Programs of `tests/programs` for which the proof has an answer get the answer that their headers expect: every fifth, or
//! with `RACEPROOF_ALL=1` all of them, which takes minutes.

use std::path::{Path, PathBuf};

use header::{ExpectedRace, Header};
use prove::Proof;

fn programs(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|e| e.path()) {
        if path.is_dir() {
            programs(&path, found);
        } else if path.extension().is_some_and(|e| e == "c" || e == "cpp") {
            found.push(path);
        }
    }
    found.sort();
}

/// What is wrong with the answer, if something is; and whether there was one.
fn judge(expected: &Header, proof: &Proof) -> (Option<String>, &'static str) {
    match proof {
        Proof::Proved { .. } => {
            // What no execution comes to is not the proof's matter.
            let unreached = expected.reason.as_deref().is_some_and(|why| why.contains("it never came to"));
            let wrong = expected.verdict != "race-free" && !unreached;
            (wrong.then(|| format!("proved, expected {}", expected.verdict)), "proved")
        }
        Proof::Race { outcome, complete } => {
            if expected.verdict != "race" {
                return (Some(format!("race, expected {}: {:?}", expected.verdict, outcome.races)), "race");
            }
            let lines = |r: &ExpectedRace| (r.lines[0].line, r.lines[1].line);
            let races: Vec<(u32, u32)> =
                expected.races.iter().chain(&expected.may_races).map(lines).collect();
            let listed = |a: u32, b: u32| races.iter().any(|&r| r == (a, b) || r == (b, a));
            let found: Vec<(u32, u32)> =
                outcome.races.iter().map(|r| (r.first.place.line, r.second.place.line)).collect();
            let extra =
                found.iter().find(|&&(a, b)| !expected.at_least && !races.is_empty() && !listed(a, b));
            let missing = races.iter().find(|&&(a, b)| {
                *complete && !expected.at_least && !found.contains(&(a, b)) && !found.contains(&(b, a))
            });
            let wrong =
                extra.map(|r| format!("extra race {r:?}")).or(missing.map(|r| format!("missing race {r:?}")));
            (wrong, if *complete { "race" } else { "race, incomplete" })
        }
        Proof::Sensitive { .. } => (None, "sensitive"),
        Proof::Undecided { .. } => (None, "undecided"),
    }
}

/// Why nothing was decided.
fn why(proof: &Proof) -> String {
    match proof {
        Proof::Sensitive { place, reason } | Proof::Undecided { place, reason } => {
            format!("{reason:?} (line {})", place.as_ref().map_or(0, |p| p.line))
        }
        _ => String::new(),
    }
}

#[test]
fn answers_agree_with_headers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let mut files = Vec::new();
    programs(&root, &mut files);
    assert!(files.len() > 100, "the programs are there");
    let step = if std::env::var_os("RACEPROOF_ALL").is_some() { 1 } else { 5 };
    let mut counts: std::collections::BTreeMap<&str, u32> = Default::default();
    let mut wrong = Vec::new();
    for file in files.iter().step_by(step) {
        let expected = Header::of(file);
        if !expected.is_program() || expected.fixme.is_some() || !expected.options.is_empty() {
            continue;
        }
        let (files, flags) = (expected.all_files(file), expected.flags_for(file));
        let options = frontend::Options { files, flags, ..Default::default() };
        let Ok(compiled) = frontend::compile(&options) else { continue };
        let config = explore::Config {
            budget: base::Budget::of_time(std::time::Duration::from_secs(20)),
            ..explore::Config::default()
        };
        let proof = prove::check(&compiled.module, &config, &mut |_| {}).expect("a program that loads");
        let (problem, answer) = judge(&expected, &proof);
        *counts.entry(answer).or_default() += 1;
        if step == 1 {
            println!("{}: {answer}: {}", file.strip_prefix(&root).unwrap_or(file).display(), why(&proof));
        }
        if let Some(problem) = problem {
            wrong.push(format!("{}: {problem}", file.display()));
        }
    }
    println!("{counts:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(counts.get("proved").copied().unwrap_or(0) >= 30, "{counts:?}");
}
