//! From what a search found to what people read: every finding is replayed first, and described from the replay.
//!
//! A race that its replay does not confirm is not reported; that would be an error of raceproof's own, so the verdict
//! becomes `unknown` and says so.

use base::reason::{Internal, Unexplored};
use base::{Budget, Property, Race};
use judge::describe::{describe_defect, describe_race};
use judge::replay::Ending;
use machine::{Mode, Program};

use crate::findings::{Found, FoundDefect, FoundRace};
use crate::{Outcome, Unknown};

/// Replays and describes everything that a search found; when the budget is used up, one race and one defect are enough.
pub fn elaborate(program: &Program, mode: Mode, mut found: Found, budget: Budget) -> Outcome {
    found.tell_ends_apart(program.module);
    let skipped = found.skipped(mode);
    let cut = found.more;
    let mut outcome = Outcome { unknown: found.unknown, stats: found.stats, cut, ..Outcome::default() };
    outcome.unknown.extend(skipped);
    // A search runs lanes one after another and does not compare them.
    let lanes = ["__rp_simd_begin", "__rp_concurrent_begin"];
    if found.races.is_empty() && lanes.iter().any(|f| program.module.func(f).is_some()) {
        outcome.unknown.push(Unknown::new(Unexplored::Lanes, None).about(Property::Races));
    }
    for race in &found.races {
        if !outcome.races.is_empty() && budget.is_over() {
            outcome.cut.0 = true;
            break;
        }
        match describe_race(program, mode, race) {
            Some(race) => add_race(&mut outcome.races, race),
            None => outcome.unknown.push(unconfirmed(program, race)),
        }
    }
    sort_races(&mut outcome.races);
    for defect in &found.defects {
        if !(outcome.races.is_empty() && outcome.defects.is_empty()) && budget.is_over() {
            outcome.cut.1 = true;
            break;
        }
        match describe_defect(program, mode, defect) {
            Ok(defect) => outcome.defects.push(defect),
            Err(ending) => outcome.unknown.push(unconfirmed_defect(defect, &ending)),
        }
    }
    // What was seen comes before what may be.
    outcome.defects.sort_by(|a, b| {
        (&a.location, a.kind, a.witness.end.is_some()).cmp(&(&b.location, b.kind, b.witness.end.is_some()))
    });
    outcome.defects.dedup_by(|b, a| {
        let same = a.kind == b.kind && a.location == b.location && a.message == b.message;
        let line = |d: &base::Defect| (d.location.file.clone(), d.location.line);
        same || b.witness.end.is_some() && a.kind == b.kind && line(a) == line(b)
    });
    if !program.module.allocation_may_fail {
        outcome.assumptions.push("memory allocation never fails".into());
    }
    outcome.assumptions.extend(program.assumptions());
    if program.combined() {
        outcome.assumptions.push(machine::omp::combine::ASSUMPTION.into());
    }
    if program.weak {
        outcome.assumptions.push(
            "the program uses atomics weaker than sequentially consistent, or observes locks without taking them: \
             only its sequentially consistent executions were explored"
                .into(),
        );
    }
    outcome
}

/// What a `race-free` answer of a search rests on: so many states were told apart by their hashes.
pub fn hash_assumption(states: u64) -> String {
    let states = states.max(2) as f64;
    format!(
        "states are told apart by 112-bit hashes: with this many, two are confused with a chance below {:.0e}",
        states * states / 2f64.powi(113)
    )
}

/// What makes a race one of its own to people: the variable, without its indices, and the two lines.
fn key(race: &Race) -> (String, base::Place, base::Place) {
    let line = |a: &base::Access| base::Place { column: 0, ..a.place.clone() };
    let (a, b) = (line(&race.first), line(&race.second));
    (without_indices(&race.variable), a.clone().min(b.clone()), a.max(b))
}

/// A name without what stands in brackets.
fn without_indices(name: &str) -> String {
    let mut depth = 0;
    let outside = |c: &char| {
        depth += i32::from(*c == '[');
        let is_outside = depth == 0;
        depth -= i32::from(*c == ']');
        is_outside
    };
    name.chars().filter(outside).collect()
}

/// Adds a race unless the list has one of the same variable and pair of lines. Of two such the one that says more
/// stays: that with more writes, or the earlier one.
pub fn add_race(races: &mut Vec<Race>, race: Race) {
    let writes =
        |r: &Race| [&r.first, &r.second].iter().filter(|a| a.access == base::AccessKind::Write).count();
    let wanted = key(&race);
    match races.iter_mut().find(|old| key(old) == wanted) {
        Some(old) if writes(old) >= writes(&race) => {}
        Some(old) => *old = race,
        None => races.push(race),
    }
}

/// Puts races in the order of their lines and variables.
pub fn sort_races(races: &mut [Race]) {
    races.sort_by_cached_key(|race| {
        let (variable, a, b) = key(race);
        (a, b, variable)
    });
}

fn unconfirmed(program: &Program, found: &FoundRace) -> Unknown {
    let module = program.module;
    let (place, _) = machine::place_of_access(module, found.race.second.1.access);
    Unknown::new(Internal::Race, module.place(place)).about(Property::Races)
}

fn unconfirmed_defect(found: &FoundDefect, ending: &Ending) -> Unknown {
    let reason = Internal::Defect { kind: found.kind, ended: format!("{ending:?}") };
    Unknown::new(reason, None).about(found.kind.property())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_do_not_tell_races_apart() {
        assert_eq!(without_indices("m[49][0].x"), "m.x");
        assert_eq!(without_indices("y[row[k]]"), "y");
        assert_eq!(without_indices("p->next"), "p->next");
    }
}
