//! What makes a finding the same finding after the program was edited: for SARIF and for baselines.
//!
//! A fingerprint is the SHA-256 of the kind of finding, the variable without its subscripts, and for each side the
//! file, the function, and how it is accessed; sides are in sorted order, because a race has no first and second. Lines,
//! columns, locks, stacks beyond the function, threads and schedules are not part of it, so it survives edits elsewhere
//! in the file. Several findings of one report that would get the same fingerprint are numbered, in the order of the
//! report: `...:2` is the second of its kind.

use std::collections::BTreeMap;

use base::{Access, AccessKind, CheckReport, Defect, Frame, Place, Race};

use crate::{explain, said, terminal, witness};

/// The fingerprints of all findings: of the races, then of the defects, in the order of the report.
pub fn of(report: &CheckReport) -> Vec<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut number = |fingerprint: String| {
        let times = seen.entry(fingerprint.clone()).or_default();
        *times += 1;
        if *times == 1 { fingerprint } else { format!("{fingerprint}:{times}") }
    };
    let races = report.races.iter().map(of_race);
    races.chain(report.defects.iter().map(of_defect)).map(&mut number).collect()
}

fn of_race(race: &Race) -> String {
    let mut sides = [side(&race.first), side(&race.second)];
    sides.sort_unstable();
    let [one, two] = sides;
    hash(&["race", &terminal::whole(&race.variable), &one, &two])
}

fn of_defect(defect: &Defect) -> String {
    let mut parts = vec![explain::code(defect.kind).to_owned()];
    if defect.waiting.is_empty() {
        parts.push(place(&defect.location, &defect.stack));
    } else {
        // Which of the waiting threads a deadlock is told of, and who waits first, is chance.
        let mut waits: Vec<String> = defect
            .waiting
            .iter()
            .map(|step| format!("{} {}", step.place.file, said::action(&step.action)))
            .collect();
        waits.sort_unstable();
        parts.extend(waits);
    }
    hash(&parts.iter().map(String::as_str).collect::<Vec<_>>())
}

fn side(access: &Access) -> String {
    let kind = match access.access {
        AccessKind::Read => "reads",
        AccessKind::Write => "writes",
    };
    let atomic = if access.atomic { " atomically" } else { "" };
    format!("{} {kind}{atomic}", place(&access.place, &access.stack))
}

fn place(place: &Place, stack: &[Frame]) -> String {
    // Names of constructs have lines in them.
    let named = stack.iter().find(|frame| !terminal::is_construct(frame));
    let function = named.map_or("", |frame| frame.function.as_str());
    format!("{}\n{function}", place.file)
}

fn hash(parts: &[&str]) -> String {
    witness::sha256(parts.join("\0").as_bytes())
}
