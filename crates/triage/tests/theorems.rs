//! The theorems of P3 checked by brute force: all schedules of tiny random programs.
//!
//! - 5.1, 5.3: what is called feasible can be brought to execute concurrently;
//! - 5.2: every tangle holds such a race;
//! - 5.4: a race that is no artifact of `r`, or of races that are prevented together with it, remains when `r` is prevented:
//!   when neither access of `r` sees the other, and when they do not happen in the order in which they did; segments:
//!   when none overlaps the other;
//! - 5.5: every first partition holds a race that can be brought to execute concurrently.

mod common;

use common::{
    Program, Random, Run, State, past_barrier, program_with, run, stands_before, states, states_from,
};
use trace::EventId;
use triage::{EventControl, Options, Triage, View, triage};

/// An end of a race: the thread, and the number of its first and behind its last event.
#[derive(Debug, Clone, Copy)]
struct End {
    thread: usize,
    from: usize,
    to: usize,
}

fn is_access(run: &Run, id: EventId) -> bool {
    let op = run.trace.event(id).op;
    op.variable().is_some() && !op.is_atomic()
}

/// The computation event of an access: the access, or its segment.
fn end(run: &Run, id: EventId, view: View) -> End {
    let thread = run.trace.event(id).thread.index();
    let events = &run.threads[thread];
    let at = events.iter().position(|&e| e == id).unwrap();
    let (mut from, mut to) = (at, at + 1);
    if view == View::Segments && is_access(run, id) {
        while from > 0 && is_access(run, events[from - 1]) {
            from -= 1;
        }
        while to < events.len() && is_access(run, events[to]) {
            to += 1;
        }
    }
    End { thread, from, to }
}

type Allowed<'a> = &'a dyn Fn(&State, usize, usize) -> bool;

/// Whether two events are concurrent in some schedule through these states. Accesses: both are about to happen. Segments:
/// both are under way in one state, and both are done later, unchanged.
fn shown(
    program: &Program,
    run: &Run,
    all: &[State],
    ends: &[End; 2],
    view: View,
    allowed: Allowed<'_>,
) -> bool {
    if view != View::Segments {
        let about = |s: &State, e: &End| stands_before(program, run, s, e.thread, e.from);
        return all.iter().any(|s| ends.iter().all(|e| about(s, e)));
    }
    let inside = |s: &State, e: &End| {
        (e.from..=e.to).contains(&usize::from(s.events[e.thread])) && past_barrier(program, s, e.thread)
    };
    let done = |s: &State, e: &End| {
        usize::from(s.events[e.thread]) > e.to || stands_before(program, run, s, e.thread, e.to)
    };
    let both = all.iter().filter(|s| ends.iter().all(|e| inside(s, e)));
    let after = states_from(program, run, both.copied().collect(), allowed);
    after.iter().any(|s| ends.iter().all(|e| done(s, e)))
}

struct Case {
    program: Program,
    run: Run,
    answer: Triage,
    view: View,
    /// By race: its ends.
    ends: Vec<[End; 2]>,
    /// By race: whether a schedule shows it.
    real: Vec<bool>,
}

fn case(seed: u64, view: View, exact: bool) -> Case {
    let mut random = Random(seed);
    // Short segments: else hardly any race of segments is infeasible, and the check would show nothing.
    let program = program_with(&mut random, view == View::Segments);
    let run = run(&program, &mut random);
    let control = if exact { EventControl::Steering(&run.steering) } else { EventControl::Flow };
    let answer = triage(&run.trace, control, Options { view, ..Options::default() });
    let all = states(&program, &run, |_, _, _| true);
    let ends: Vec<[End; 2]> = answer
        .races
        .iter()
        .map(|r| [r.sites[0].first, r.sites[0].second].map(|id| end(&run, id, view)))
        .collect();
    let real = ends.iter().map(|e| shown(&program, &run, &all, e, view, &|_, _, _| true)).collect();
    Case { program, run, answer, view, ends, real }
}

#[derive(Debug, Default)]
struct Counts {
    races: usize,
    feasible: usize,
    real: usize,
    tangles: usize,
    first: usize,
    later: usize,
    not_artifacts: usize,
    turned: usize,
    across: usize,
}

fn check(seed: u64, view: View, exact: bool, counts: &mut Counts) {
    let case = case(seed, view, exact);
    let Case { answer, real, .. } = &case;
    let context = || {
        let events: Vec<String> = case
            .run
            .trace
            .iter()
            .map(|(id, e)| format!("{} T{} {:?} {:?}", id.0, e.thread.0, e.op, case.run.steering.used(id)))
            .collect();
        format!(
            "seed {seed} {view:?} exact {exact}\n{:#?}\n{}\n{:#?}",
            case.program,
            events.join("\n"),
            answer.races
        )
    };
    for (race, real) in answer.races.iter().zip(real) {
        assert!(*real || !race.feasibility.is_feasible(), "not feasible: {race:?}\n{}", context());
        counts.feasible += usize::from(race.feasibility.is_feasible());
        counts.real += usize::from(*real);
    }
    counts.races += real.len();
    for tangle in &answer.tangles {
        assert!(tangle.iter().any(|&r| real[r as usize]), "tangle {tangle:?} without a race\n{}", context());
        counts.tangles += 1;
    }
    for partition in &answer.partitions {
        if partition.first {
            let races = &partition.races;
            assert!(races.iter().any(|&r| real[r as usize]), "first {races:?} without a race\n{}", context());
            counts.first += 1;
        } else {
            counts.later += 1;
        }
    }
    prevented(&case, counts, &context);
    if view != View::Segments {
        turned(&case, counts, &context);
    }
}

/// By race `<a, b>`: the races between what follows `a` and what comes before `b`, itself among them. If `b` comes before
/// `a`, then all of them go the other way. Besides, if `a` is a read, its races with writes that came before `b`: a read
/// that sees what it missed sees it in place of these, and the next one stands for all of them (`triage::model`).
fn between(case: &Case) -> Vec<Vec<usize>> {
    let order = ordered(&case.run);
    let site = |r: usize| case.answer.races[r].sites[0];
    let all = 0..case.answer.races.len();
    let within = |inner: usize, outer: usize| {
        let (inner, outer) = (site(inner), site(outer));
        let forced = order(outer.first, inner.first) && order(inner.second, outer.second);
        let instead = (inner.first, inner.variable) == (outer.first, outer.variable);
        forced || instead && inner.second <= outer.second
    };
    all.clone().map(|r| all.clone().filter(|&inner| within(inner, r)).collect()).collect()
}

/// Theorem 5.4: for each race `r`, those that are no artifacts of it and that a schedule shows are also shown by a schedule
/// in which `r` is prevented. To keep `b` from seeing `a`, it may have to come before `a`, and with it what comes before it:
/// the races [`between`] them are prevented too, and what is no artifact of any of them remains.
fn prevented(case: &Case, counts: &mut Counts, context: &dyn Fn() -> String) {
    let Case { program, run, answer, view, ends, real } = case;
    for (r, inner) in between(case).into_iter().enumerate() {
        let artifact = |q: usize| inner.iter().any(|&r| answer.may_be_artifact(q as u32, r as u32));
        let remaining: Vec<usize> = (0..answer.races.len())
            .filter(|&q| real[q] && !inner.contains(&q) && !artifact(q))
            .filter(|&q| answer.races[q].feasibility.is_feasible())
            .collect();
        if remaining.is_empty() {
            continue;
        }
        let [a, b] = ends[r];
        let writes = run.trace.event(answer.races[r].sites[0].first).op.is_write();
        let variable = answer.races[r].sites[0].variable.index();
        let reads = run.trace.event(answer.races[r].sites[0].second).op.is_read();
        let inside = |s: &State, e: &End| {
            let n = usize::from(s.events[e.thread]);
            e.from < n && n < e.to
        };
        let allowed = |s: &State, t: usize, number: usize| {
            if *view == View::Segments {
                // Both are atomic: nothing of one happens while the other is under way.
                let enters = |e: &End, other: &End| {
                    t == e.thread && (e.from..e.to).contains(&number) && inside(s, other)
                };
                return !enters(&a, &b) && !enters(&b, &a);
            }
            // The one does not see what the other has written.
            let second = t == b.thread && number == b.from && reads && writes;
            !(second && s.writer[variable] == (a.thread as u8, a.from as u8))
        };
        let left = states(program, run, allowed);
        for q in remaining {
            let remains = shown(program, run, &left, &ends[q], *view, &allowed);
            assert!(remains, "race {q} disappears without {r}\n{}", context());
            counts.not_artifacts += 1;
        }
    }
}

/// Theorem 5.4 again: the same if the two accesses of a feasible race `<a, b>` must not happen in the order of the run. What is
/// no artifact of it needs only one of them, or comes about the other way round too. If `b` comes before `a`, then whatever
/// comes before `b` comes before what follows `a`: races between these go the other way as well, and what is an artifact of
/// none of them remains.
fn turned(case: &Case, counts: &mut Counts, context: &dyn Fn() -> String) {
    let Case { program, run, answer, view, ends, .. } = case;
    let feasible = |r: &usize| answer.races[*r].feasibility.is_feasible();
    for (r, turn) in between(case).into_iter().enumerate().filter(|(r, _)| feasible(r)) {
        let no_artifact =
            |q: &usize| turn.iter().all(|&r| *q != r && !answer.may_be_artifact(*q as u32, r as u32));
        let remaining: Vec<usize> = (0..answer.races.len()).filter(feasible).filter(no_artifact).collect();
        if remaining.is_empty() {
            continue;
        }
        counts.across += usize::from(turn.len() > 1);
        let [a, b] = ends[r];
        let allowed = |s: &State, t: usize, number: usize| {
            let second = t == b.thread && number == b.from;
            !(second && usize::from(s.events[a.thread]) > a.from)
        };
        let left = states(program, run, allowed);
        for q in remaining {
            let remains = shown(program, run, &left, &ends[q], *view, &allowed);
            assert!(remains, "race {q} disappears if {r} goes the other way\n{}", context());
            counts.turned += 1;
        }
    }
}

/// Whether one event of a run is another one, or comes before it in any schedule with the same events: by program order,
/// fork and join, and because it wrote what a read saw whose value steers.
fn ordered(run: &Run) -> impl Fn(EventId, EventId) -> bool {
    let n = run.trace.events.len();
    let mut before = vec![vec![false; n]; n];
    let events: Vec<_> = run.trace.iter().collect();
    for (i, (_, second)) in events.iter().enumerate() {
        before[i][i] = true;
        for (j, (_, first)) in events.iter().enumerate().take(i) {
            let program = first.thread == second.thread;
            let fork = matches!(first.op, trace::Op::Fork(t) if t == second.thread);
            let join = matches!(second.op, trace::Op::Join(t) if t == first.thread);
            let seen = first.op.is_write()
                && second.op.is_read()
                && first.op.variable() == second.op.variable()
                && run.steering.used(EventId(i as u32)).is_some()
                && !events[j + 1..i]
                    .iter()
                    .any(|(_, e)| e.op.is_write() && e.op.variable() == first.op.variable());
            if program || fork || join || seen {
                for row in &mut before {
                    row[i] |= row[j];
                }
            }
        }
    }
    move |a, b| before[a.index()][b.index()]
}

/// How many programs are checked for each setting: `RACEPROOF_PROGRAMS`, or so many.
fn programs() -> u64 {
    std::env::var("RACEPROOF_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(40)
}

fn check_many(view: View, exact: bool) -> Counts {
    let mut counts = Counts::default();
    for seed in 0..programs() {
        check(seed, view, exact, &mut counts);
    }
    println!("{view:?} exact {exact}: {counts:?}");
    // The programs must show all that is claimed.
    assert!(counts.first > 20 && counts.later > 10 && counts.not_artifacts > 50, "{counts:?}");
    assert!(counts.feasible * 4 > counts.real && counts.real + 10 < counts.races, "{counts:?}");
    counts
}

#[test]
fn in_the_order_of_the_run() {
    assert!(check_many(View::Run, false).turned > 50);
    assert!(check_many(View::Run, true).turned > 50);
}

#[test]
fn with_accesses_in_unknown_order() {
    assert!(check_many(View::Accesses, false).tangles > 20);
    assert!(check_many(View::Accesses, true).tangles > 20);
}

#[test]
fn with_segments() {
    assert!(check_many(View::Segments, false).tangles > 20);
    assert!(check_many(View::Segments, true).tangles > 20);
}
