//! From what a search found to what people read: every finding is replayed first, and described from the replay.
//!
//! A race that its replay does not confirm is not reported; that would be an error of raceproof's own, so the verdict
//! becomes `unknown` and says so.

use base::{Defect, DefectKind, Race, Rule, Step, Witness};
use machine::{InputMode, Mode, Program};

use crate::findings::{Found, FoundDefect, FoundRace};
use crate::replay::{Ending, Pair, Replay, Seen, is_woven, replay};
use crate::strands::SHARES_OUT;
use crate::{Outcome, Unknown, names};

/// Replays and describes everything that a search found.
pub fn elaborate(program: &Program, mode: Mode, found: Found) -> Outcome {
    let mut outcome = Outcome { unknown: found.unknown, stats: found.stats, ..Outcome::default() };
    // A search runs lanes one after another and does not compare them.
    if found.races.is_empty() && program.module.func("__rp_simd_begin").is_some() {
        outcome.unknown.push(Unknown::new(
            "the lanes of a `simd` loop, which may run at the same time, are compared by the proof from one run alone, not \
             by a search",
            None,
        ));
    }
    for race in &found.races {
        match describe_race(program, mode, race) {
            Some(race) => add_race(&mut outcome.races, race),
            None => outcome.unknown.push(unconfirmed(program, race)),
        }
    }
    sort_races(&mut outcome.races);
    for defect in &found.defects {
        match describe_defect(program, mode, defect) {
            Ok(defect) => outcome.defects.push(defect),
            Err(unknown) => outcome.unknown.push(unknown),
        }
    }
    outcome.defects.sort_by(|a, b| (&a.location, a.kind).cmp(&(&b.location, b.kind)));
    outcome.defects.dedup_by(|a, b| a.kind == b.kind && a.location == b.location && a.message == b.message);
    outcome.assumptions.push("memory allocation never fails".into());
    outcome.assumptions.extend(program.teams_assumption());
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
    let reason = "internal error: a possible race here was not confirmed by its replay; please report this";
    Unknown::new(reason, module.place(place))
}

/// The rules of a run, for its witness.
fn rules(mode: Mode) -> Vec<Rule> {
    let rules = [
        (mode.branch_barriers, Rule::BarriersBranch),
        (!mode.shortcuts, Rule::NoShortcuts),
        (mode.piece_orders, Rule::PieceOrders),
    ];
    rules.into_iter().filter_map(|(holds, rule)| holds.then_some(rule)).collect()
}

/// The values of inputs, where they are given.
fn given(program: &Program, mode: Mode) -> Option<Vec<i64>> {
    (mode.inputs == InputMode::Given).then(|| program.values.iter().map(|&v| v as i64).collect())
}

pub(crate) fn describe_race(program: &Program, mode: Mode, found: &FoundRace) -> Option<Race> {
    let run = replay(program, mode, &found.path, found.moves, Some(Pair::found(&found.race)));
    let witness = Witness {
        choices: found.path.clone(),
        moves: Some(found.moves),
        rules: rules(mode),
        inputs: given(program, mode),
        ..Witness::default()
    };
    race_of(&run, witness)
}

/// The race that a replay has confirmed, described; its witness gets its steps.
pub(crate) fn race_of(run: &Replay, witness: Witness) -> Option<Race> {
    let (first, second) = run.race.clone()?;
    let machine = &run.machine;
    let module = machine.program.module;
    let label = |seen: &Seen| {
        let mut label = names::thread(module, seen.thread, &machine.threads[seen.thread]);
        if let (Some(name), true) = (names::member(&seen.member), machine.threads[seen.thread].omp.worker) {
            label.name = name;
        }
        label
    };
    // The bytes that both touch.
    let from = first.address.max(second.address);
    let to = (first.address + first.len).min(second.address + second.len);
    let (small, accesses) = if first.len <= second.len {
        (&first, [first.access, second.access])
    } else {
        (&second, [second.access, first.access])
    };
    let (at, len) = if small.len <= 16 { (small.address, small.len) } else { (from, to - from) };
    let variable = names::variable_in(module, small.object, (at, len), &accesses);
    let mut steps: Vec<Step> = run.steps.iter().filter(|s| s.action != SHARES_OUT).cloned().collect();
    let scheduled = steps.clone();
    for seen in [&second, &first] {
        let verb = if seen.write { "writes" } else { "reads" };
        let place = seen.stack.first().map_or_else(names::nowhere, |f| f.place.clone());
        let step = Step { thread: seen.thread as u32, place, action: format!("{verb} {variable}") };
        steps.insert(seen_position(&scheduled, seen).min(steps.len()), step);
    }
    Some(Race {
        variable,
        first: first.describe(machine, label(&first)),
        second: second.describe(machine, label(&second)),
        hint: None,
        witness: Witness { steps, distribution: run.distribution.clone(), address: Some(from), ..witness },
    })
}

/// Where among the steps an access belongs: after the scheduled steps, creations and joins that came before it.
fn seen_position(steps: &[Step], seen: &Seen) -> usize {
    let (mut scheduled, mut forks) = (0, 0);
    for (i, step) in steps.iter().enumerate() {
        if scheduled >= seen.step && forks >= seen.forks {
            return i;
        }
        if is_woven(step) {
            forks += 1;
        } else {
            scheduled += 1;
        }
    }
    steps.len()
}

pub(crate) fn describe_defect(program: &Program, mode: Mode, found: &FoundDefect) -> Result<Defect, Unknown> {
    let run = replay(program, mode, &found.path, found.moves, None);
    let witness = Witness {
        choices: found.path.clone(),
        moves: Some(found.moves),
        rules: rules(mode),
        inputs: given(program, mode),
        ..Witness::default()
    };
    defect_of(&run, (found.kind, found.thread), witness).ok_or_else(|| {
        let reason = format!(
            "internal error: a {:?} was not confirmed by its replay, which ended as {:?}; please report this",
            found.kind, run.ending
        );
        Unknown::new(reason, None)
    })
}

/// The defect of this kind that a replay shows in this thread, described; its witness gets its steps.
pub(crate) fn defect_of(
    run: &Replay,
    (kind, thread): (DefectKind, usize),
    witness: Witness,
) -> Option<Defect> {
    let shown = run.stops.iter().find_map(|(t, stop)| match stop {
        machine::Stop::Defect(found, message) if *found == kind && *t == thread => Some(message.clone()),
        _ => None,
    });
    let mut message = match (shown, &run.ending) {
        (Some(message), _) => message,
        (None, Ending::Deadlock) if kind == DefectKind::Deadlock => String::new(),
        _ => return None,
    };
    let machine = &run.machine;
    let module = machine.program.module;
    let mut waiting = Vec::new();
    if kind == DefectKind::Deadlock {
        for (t, th) in machine.threads.iter().enumerate().filter(|(_, th)| !th.ended()) {
            let place = names::place(module, machine.user_place(th));
            waiting.push(Step { thread: t as u32, place, action: blocked_action(machine, t) });
        }
        message = deadlock_message(&waiting);
    }
    let th = machine.threads.get(thread)?;
    let steps = run.steps.iter().filter(|s| s.action != SHARES_OUT).cloned().collect();
    Some(Defect {
        kind,
        message,
        location: names::place(module, machine.user_place(th)),
        thread: names::thread(module, thread, th),
        stack: names::stack(module, th),
        waiting,
        witness: Witness { steps, distribution: run.distribution.clone(), ..witness },
    })
}

/// What a blocked thread waits for, and who holds it.
fn blocked_action(machine: &machine::Machine, t: usize) -> String {
    use machine::sync::table::Kind;
    use machine::{Pending, Status};
    let action = names::action(machine, t);
    let lock = match machine.threads[t].status {
        Status::At(Pending::Sync(_, args)) => args[0],
        Status::At(Pending::Wake { mutex, signalled: true, .. }) => mutex,
        _ => return action,
    };
    let holder = match machine.sync.get(lock).map(|e| &e.kind) {
        Some(Kind::Mutex { owner, .. }) => *owner,
        Some(Kind::RwLock { writer, readers }) => writer.or_else(|| readers.first().copied()),
        _ => None,
    };
    match holder {
        Some(h) if h as usize == t => format!("{action}, which it holds itself"),
        Some(h) if machine.threads[h as usize].ended() => {
            format!("{action}, which thread {h} held when it ended")
        }
        Some(h) => format!("{action}, which thread {h} holds"),
        None => action,
    }
}

fn deadlock_message(waiting: &[Step]) -> String {
    match waiting {
        [one] => format!("thread {} can never go on: it {}", one.thread, one.action),
        _ => format!("{} threads wait for each other or for something that never comes", waiting.len()),
    }
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
