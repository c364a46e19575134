//! Reports of OpenMP programs as a person sees them, kept as snapshots. The reports in `openmp/` were written by
//! `raceproof check --format json` for the programs of the same name in `tests/programs/openmp`.

use base::CheckReport;
use report::triage::Order;
use report::{DiskSources, Style, terminal};

fn show(name: &str) -> String {
    let here = env!("CARGO_MANIFEST_DIR");
    let text = std::fs::read_to_string(format!("{here}/tests/openmp/{name}.json")).expect("the report");
    let report: CheckReport = serde_json::from_str(&text).expect("a report of this version");
    let sources = DiskSources::new(format!("{here}/../../tests/programs/openmp"));
    terminal::render(&report, &sources, &Style::default(), &Order::default())
}

#[test]
fn reduction_forgotten() {
    insta::assert_snapshot!(show("for_reduction_forgotten_race"));
}

#[test]
fn different_critical_names() {
    insta::assert_snapshot!(show("critical_names_race"));
}

#[test]
fn taskwait_missing() {
    insta::assert_snapshot!(show("task_missing_taskwait_race"));
}

#[test]
fn two_sections() {
    insta::assert_snapshot!(show("sections_same_variable_race"));
}

#[test]
fn master_without_barrier() {
    insta::assert_snapshot!(show("master_without_barrier_race"));
}

#[test]
fn nowait_too_many() {
    insta::assert_snapshot!(show("for_nowait_dynamic_race"));
}
