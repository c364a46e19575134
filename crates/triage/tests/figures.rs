//! The figures of P3: exactly the paper's results.

use trace::{EventId, Trace, VarId};
use triage::{EventControl, Feasibility, Options, Steering, Triage, View, triage};

/// Figure 1: two children with an unprotected queue (each "protects" it with a lock of its own). The left one works on
/// the right part, removes, and works on what it should not; the right one likewise, correctly. The left one's remove sees a
/// half of the right one's. `t` is the queue, `a1` the
/// region 10 to 19, `a2` 20 to 29, `a3` 30 to 39.
const FIGURE_1: &str = "\
M|fork(L)|1
M|fork(R)|2
L|w(a1)|work
R|w(a2)|work
L|acq(m)|lock
R|acq(n)|lock
L|r(t)|remove
R|r(t)|remove
R|w(t)|take
L|r(t)|remove too
L|w(t)|take
R|rel(n)|unlock
L|rel(m)|unlock
R|w(a3)|more
L|w(a1)|more
L|w(a2)|more
L|w(a3)|more
M|join(L)|3
M|join(R)|4
";

fn options(view: View) -> Options {
    Options { view, ..Options::default() }
}

/// The races by the variables that they are about.
fn race<'a>(trace: &Trace, triage: &'a Triage, variable: &str) -> &'a triage::Race {
    let v = VarId(trace.names.variables.iter().position(|n| n == variable).unwrap() as u32);
    let mut found = triage.races.iter().filter(|r| r.sites.iter().any(|s| s.variable == v));
    let race = found.next().unwrap();
    assert!(found.next().is_none(), "one race on {variable}");
    race
}

fn check_figure_1(trace: &Trace, control: EventControl<'_>) {
    let answer = triage(trace, control, options(View::Segments));
    // Three apparent races.
    assert_eq!(answer.races.len(), 3);
    let (remove, dotted, dash_dotted) =
        (race(trace, &answer, "t"), race(trace, &answer, "a2"), race(trace, &answer, "a3"));
    // Figure 3 (b): the last two work events are not tangled and so feasible, the others form a tangle.
    assert_eq!(dash_dotted.feasibility, Feasibility::NoDependence);
    assert_eq!(dash_dotted.tangle, None);
    assert_eq!(answer.tangles.len(), 1);
    assert_eq!((remove.tangle, dotted.tangle), (Some(0), Some(0)));
    // Figure 4 (b): the race of the remove events is feasible by G_E and the only one of the first partition.
    assert_eq!(remove.feasibility, Feasibility::NoControl);
    assert_eq!(dotted.feasibility, Feasibility::Tangled);
    let first: Vec<_> = answer.partitions.iter().filter(|p| p.first).collect();
    assert_eq!(first.len(), 1);
    assert_eq!(first[0].races.len(), 1);
    assert!(std::ptr::eq(&answer.races[first[0].races[0] as usize], remove));
    // For people: one first group, which may explain the two others.
    assert!(answer.groups[0].first && !answer.groups[1].first);
    assert_eq!(answer.groups[0].explains.len(), answer.reports.len() - answer.groups[0].reports.len());
}

#[test]
fn figure_1() {
    // The work only writes, so flow dependences know that it steers nothing.
    check_figure_1(&Trace::parse_std(FIGURE_1).unwrap(), EventControl::Flow);
}

#[test]
fn figure_1_with_work_that_reads() {
    // Work that reads what it changes: only event control tells that it steers nothing.
    let mut text = String::new();
    for line in FIGURE_1.lines() {
        if let Some((thread, rest)) = line.split_once("|w(a") {
            text += &format!("{thread}|r(a{rest}\n");
        }
        text += line;
        text.push('\n');
    }
    let trace = Trace::parse_std(&text).unwrap();
    let mut steering = Steering::default();
    for (id, e) in trace.iter() {
        let of_queue = e.op.variable().is_some_and(|v| trace.names.variable(v) == "t");
        if e.op.is_read() && of_queue {
            steering.mark(id, id);
        }
    }
    check_figure_1(&trace, EventControl::Steering(&steering));
    // Without, all three are one partition, and only the last one is validated.
    let answer = triage(&trace, EventControl::Flow, options(View::Segments));
    let feasible = answer.races.iter().filter(|r| r.feasibility.is_feasible()).count();
    assert_eq!((answer.races.len(), feasible, answer.partitions.len()), (3, 1, 1));
}

#[test]
fn figure_1_in_the_order_of_the_run() {
    let trace = Trace::parse_std(FIGURE_1).unwrap();
    for view in [View::Run, View::Accesses] {
        let answer = triage(&trace, EventControl::Flow, options(view));
        let feasible = |v: &str| race(&trace, &answer, v).feasibility.is_feasible();
        assert!(feasible("a3") && !feasible("a2"), "{view:?}");
        assert!(answer.groups[0].first && answer.groups[0].explains.len() >= 2);
        for (number, race) in answer.races.iter().enumerate() {
            let queue = trace.names.variable(race.sites[0].variable) == "t";
            let first = answer.partitions[race.partition as usize].first;
            assert!(queue || !first, "{view:?} race {number}");
        }
    }
}

/// Figure 2: `b` writes S, `c` reads it, `d` does not use it, `e` does. The locks only separate events.
const FIGURE_2: &str = "\
P|w(X)|a
P|acq(p)|1
P|w(S)|b
Q|r(S)|c
Q|acq(q)|2
Q|w(X)|d
Q|rel(q)|3
Q|w(Y)|e
";

#[test]
fn figure_2() {
    let trace = Trace::parse_std(FIGURE_2).unwrap();
    let mut steering = Steering::default();
    steering.mark(EventId(3), EventId(7));
    for view in [View::Segments, View::Accesses, View::Run] {
        // b event-controls e, not c and d: a prefix without b has a and d at once.
        let answer = triage(&trace, EventControl::Steering(&steering), options(view));
        assert_eq!(race(&trace, &answer, "X").feasibility, Feasibility::NoControl, "{view:?}");
        // If S could steer d, nothing would be known.
        let answer = triage(&trace, EventControl::Flow, options(view));
        assert!(!race(&trace, &answer, "X").feasibility.is_feasible(), "{view:?}");
        assert!(race(&trace, &answer, "S").feasibility.is_feasible(), "{view:?}");
    }
}
