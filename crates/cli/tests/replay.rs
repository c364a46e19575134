//! Whatever `check` reports replays from its witness file: every finding, by every engine, each with its own name.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use base::CheckReport;

const BINARY: &str = env!("CARGO_BIN_EXE_raceproof");
const ENGINES: [&str; 4] = ["auto", "one-run", "race-graph", "lockset"];

/// Races and defects of various families. (An engine may find nothing; what it finds must replay.)
const PROGRAMS: [&str; 20] = [
    "atomics/message_passing_relaxed_race.c",
    "barrier/missing_second_barrier_race.c",
    "basics/union_members_race.c",
    "cond/signal_for_two_waiters_deadlock.c",
    "deadlock/two_locks_opposite_order.c",
    "memory/use_after_free_in_other_thread_race.c",
    "mutex/unlock_foreign_misuse.c",
    "openmp/barrier_missing_race.c",
    "openmp/critical_names_race.c",
    "openmp/for_default_neighbours_race.c",
    "openmp/for_dynamic_neighbours_race.c",
    "openmp/for_nowait_dynamic_race.c",
    "openmp/lock_opposite_order_deadlock.c",
    "openmp/sections_same_variable_race.c",
    "openmp/single_nowait_race.c",
    "openmp/task_depend_missing_race.c",
    "openmp/task_missing_taskwait_race.c",
    "openmp_kernels/transpose_race.c",
    "rwlock/write_under_read_lock_race.c",
    "sem/initial_value_two_race.c",
];

fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs")
}

fn raceproof(arguments: &[&str]) -> Output {
    Command::new(BINARY)
        .env("XDG_CACHE_HOME", "/dev/null")
        .current_dir(programs())
        .args(arguments)
        .output()
        .expect("raceproof starts")
}

/// The report, and how many findings it has; all of them were replayed.
fn check_and_replay(program: &str, engine: &str) -> usize {
    let scratch = tempfile::tempdir().unwrap();
    let witness = scratch.path().join("witness.json");
    let witness = witness.to_str().unwrap();
    let options = ["--engine", engine, "--format", "json", "--witness", witness, "--time-limit", "2"];
    let output = raceproof(&[&["check", program, "--threads", "2"], &options[..]].concat());
    let report: CheckReport = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{program} with {engine}: {error}: {}", String::from_utf8_lossy(&output.stderr))
    });
    let count = report.races.len() + report.defects.len();
    if count > 0 {
        let again = raceproof(&["replay", witness, "--all"]);
        let said = String::from_utf8_lossy(&again.stdout).into_owned();
        assert_eq!(again.status.code(), Some(1), "{program} with {engine}: {said}");
        assert_eq!(said.lines().count(), count, "{program} with {engine}: {said}");
        assert!(said.lines().all(|line| line.contains(": replays: ")), "{program} with {engine}: {said}");
        named_alike(&report, witness, program);
    }
    count
}

/// The last finding, shown in full, is called as in the report.
fn named_alike(report: &CheckReport, witness: &str, program: &str) {
    let number = (report.races.len() + report.defects.len()).to_string();
    let shown = raceproof(&["replay", witness, "--finding", &number]);
    let said = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert_eq!(shown.status.code(), Some(1), "{program}: {said}");
    if let (Some(race), true) = (report.races.last(), report.defects.is_empty()) {
        let name = format!("`{}`", race.variable);
        assert!(said.split_whitespace().collect::<Vec<_>>().join(" ").contains(&name), "{program}: {said}");
    }
}

#[test]
fn every_finding_of_every_engine_replays() {
    for program in PROGRAMS {
        assert!(programs().join(program).exists(), "no {program}");
        let found: usize = ENGINES.map(|engine| check_and_replay(program, engine)).iter().sum();
        assert!(found > 0, "no engine finds anything in {program}");
    }
}

#[test]
fn a_witness_that_was_changed_does_not_replay() {
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("witness.json");
    let witness = file.to_str().unwrap();
    raceproof(&["check", "openmp/critical_names_race.c", "--witness", witness, "--quiet"]);
    let text = std::fs::read_to_string(&file).unwrap();
    let change = |what: &str, change: &dyn Fn(&mut serde_json::Value)| {
        let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
        change(&mut value["report"]["races"][0]);
        std::fs::write(&file, value.to_string()).unwrap();
        let output = raceproof(&["replay", witness]);
        assert_eq!(output.status.code(), Some(3), "with another {what}");
    };
    change("number of operations", &|race| race["witness"]["moves"] = 0.into());
    change("address", &|race| race["witness"]["address"] = 8.into());
    change("thread", &|race| race["first"]["thread"]["id"] = race["second"]["thread"]["id"].clone());
    change("line", &|race| race["second"]["line"] = 1.into());
    change("choice", &|race| race["witness"]["choices"] = vec![4_000_000_000_u32].into());
}
