//! Hand-written OpenMP programs with answers known from the specification: the check of the brute force itself.

use std::collections::BTreeSet;

use oracle::Outcome;
use oracle::openmp::judge;
use oracle::openmp::program::Stmt::*;
use oracle::openmp::program::{
    Depend, Index, Loop, Order, Place, Program, Region, Schedule, Stmt, TaskClauses, Test, Value,
};
use oracle::openmp::valid;

const X: Place = Place::Var(0);
const Y: Place = Place::Var(1);

fn elem(index: Index) -> Place {
    Place::Elem(0, index)
}

fn own() -> Place {
    elem(Index::Iter(0))
}

fn read(place: Place) -> Stmt {
    Read { reg: 0, place }
}

fn write(place: Place, value: i32) -> Stmt {
    Write { place, value: Value::Const(value) }
}

fn inc(place: Place) -> Stmt {
    Increment { place }
}

fn head(n: u8, schedule: Schedule) -> Loop {
    Loop {
        n,
        schedule,
        nowait: false,
        ordered: false,
        reduction: None,
        lastprivate: None,
        firstprivate: None,
    }
}

fn parallel_for(n: u8, schedule: Schedule, body: Vec<Stmt>) -> Stmt {
    For { head: head(n, schedule), body }
}

fn nowait_for(n: u8, schedule: Schedule, body: Vec<Stmt>) -> Stmt {
    For { head: Loop { nowait: true, ..head(n, schedule) }, body }
}

fn parallel(threads: u8, body: Vec<Stmt>) -> Stmt {
    Parallel { region: Region { threads, combined: false, reduction: None, firstprivate: None }, body }
}

fn task(body: Vec<Stmt>) -> Stmt {
    Task { clauses: TaskClauses::default(), body }
}

fn depend(kind: Depend, body: Vec<Stmt>) -> Stmt {
    Task { clauses: TaskClauses { depends: vec![(kind, 0)], ..TaskClauses::default() }, body }
}

fn single(body: Vec<Stmt>) -> Stmt {
    Single { nowait: false, body }
}

fn critical(body: Vec<Stmt>) -> Stmt {
    Critical { name: None, body }
}

fn on_thread(thread: i32, then: Vec<Stmt>, otherwise: Vec<Stmt>) -> Vec<Stmt> {
    vec![ThreadNum { reg: 1 }, If { test: Test::eq(1, thread), then, otherwise }]
}

fn when(test: Test, then: Vec<Stmt>) -> Stmt {
    If { test, then, otherwise: vec![] }
}

fn outcome(main: Vec<Stmt>) -> Outcome {
    let program = Program { main, vars: vec![false, true], arrays: vec![false], locks: 2 };
    assert!(valid(&program), "not a valid program: {program:?}");
    let (_, outcome) = judge(&program).expect("small enough");
    assert!(!outcome.misuse, "misuse in {program:?}");
    outcome
}

fn flags(outcome: &Outcome) -> &'static str {
    match (outcome.race, outcome.deadlock, outcome.assertion) {
        (true, ..) => "race",
        (false, false, false) => "free",
        (false, true, false) => "deadlock",
        (false, false, true) => "assertion",
        (false, true, true) => "deadlock assertion",
    }
}

/// What a team of two does, and of three, must give the same answer.
fn check(expected: &str, body: Vec<Stmt>) {
    check_two(expected, body.clone());
    assert_eq!(flags(&outcome(vec![parallel(3, body)])), expected, "with three threads");
}

fn check_two(expected: &str, body: Vec<Stmt>) {
    assert_eq!(flags(&outcome(vec![parallel(2, body)])), expected, "with two threads");
}

/// The sum is `value` at the end, in every execution.
fn sums_to(value: i32, body: Vec<Stmt>) {
    let with = |value| {
        let after = [read(X), Assert(Test::eq(0, value))];
        flags(&outcome([vec![parallel(2, body.clone())], after.to_vec()].concat()))
    };
    assert_eq!(with(value), "free");
    assert_eq!(with(value + 1), "assertion");
}

#[test]
fn two_threads_write_and_the_line_is_right() {
    let racy = outcome(vec![parallel(2, vec![write(X, 1)])]);
    let pairs: Vec<_> = racy.races.iter().map(|p| (p.0.as_str(), p.1, p.2)).collect();
    // #include x2, blank, x0, blank, main, pragma, brace, write.
    assert_eq!(pairs, [("x0", 9, 9)]);
}

#[test]
fn critical_atomic_and_locks_protect() {
    check("free", vec![critical(vec![inc(X)])]);
    check("free", vec![AtomicUpdate { place: X, add: 1, order: Order::Relaxed }]);
    check("free", vec![Locked { lock: 0, body: vec![inc(X)] }]);
    check("race", vec![critical(vec![inc(X)]), read(X)]);
    check("race", vec![AtomicUpdate { place: X, add: 1, order: Order::SeqCst }, read(X)]);
    sums_to(2, vec![critical(vec![inc(X)])]);
    sums_to(2, vec![AtomicUpdate { place: X, add: 1, order: Order::Relaxed }]);
}

#[test]
fn critical_names_and_locks_are_different() {
    let name = |n| Critical { name: Some(n), body: vec![inc(X)] };
    check("race", vec![Sections { nowait: false, blocks: vec![vec![name(0)], vec![name(1)]] }]);
    check("free", vec![Sections { nowait: false, blocks: vec![vec![name(1)], vec![name(1)]] }]);
    check(
        "race",
        vec![Sections { nowait: false, blocks: vec![vec![name(1)], vec![critical(vec![inc(X)])]] }],
    );
    check(
        "race",
        vec![Sections {
            nowait: false,
            blocks: vec![vec![name(1)], vec![Locked { lock: 0, body: vec![inc(X)] }]],
        }],
    );
}

#[test]
fn iterations_race_under_some_distribution() {
    use Schedule::*;
    for schedule in [
        None,
        Static(Option::None),
        Static(Some(1)),
        Dynamic(Option::None),
        Guided(Option::None),
        Auto,
        Runtime,
    ] {
        check("free", vec![parallel_for(3, schedule, vec![inc(own())])]);
        check("race", vec![parallel_for(3, schedule, vec![write(X, 1)])]);
        check("race", vec![parallel_for(3, schedule, vec![read(elem(Index::Iter(1))), write(own(), 1)])]);
    }
}

#[test]
fn chunks_keep_iterations_together() {
    // With chunks of two, iterations 0 and 1 are always one thread's.
    let body = || vec![when(Test { reg: Test::ITER, equal: false, value: 2 }, vec![inc(X)])];
    use Schedule::*;
    for schedule in [Static(Some(2)), Dynamic(Some(2)), Guided(Some(2))] {
        check("free", vec![parallel_for(3, schedule, body())]);
    }
    for schedule in [Static(Some(1)), Dynamic(Some(1)), Guided(Some(1)), None, Runtime] {
        check("race", vec![parallel_for(3, schedule, body())]);
    }
    // Blocks are only approximately equal: of three iterations the first of two threads may get one or two. Of four each gets two.
    let first_two = || [0, 1].map(|i| when(Test::eq(Test::ITER, i), vec![inc(X)])).to_vec();
    for (team, trips, answer) in [(2, 3, "race"), (3, 3, "race"), (2, 4, "free")] {
        let region = parallel(team, vec![parallel_for(trips, Static(Option::None), first_two())]);
        assert_eq!(flags(&outcome(vec![region])), answer, "{trips} iterations, {team} threads");
    }
}

#[test]
fn static_loops_of_the_same_shape_share_their_mapping() {
    use Schedule::*;
    let pair = |first, second| {
        vec![nowait_for(3, first, vec![write(own(), 1)]), parallel_for(3, second, vec![read(own())])]
    };
    check("free", pair(Static(Option::None), Static(Option::None)));
    check("free", pair(Static(Some(1)), Static(Some(1))));
    check("race", pair(Static(Some(1)), Static(Some(2))));
    check("race", pair(Dynamic(Option::None), Dynamic(Option::None)));
    check("race", pair(None, None));
    check("race", pair(Static(Option::None), None));
}

#[test]
fn the_barrier_of_a_loop_orders_and_nowait_removes_it() {
    let then_read = |l: Stmt| vec![l, read(elem(Index::Const(0)))];
    check("free", then_read(parallel_for(2, Schedule::None, vec![write(own(), 1)])));
    check("race", then_read(nowait_for(2, Schedule::None, vec![write(own(), 1)])));
    let mut with_barrier = then_read(nowait_for(2, Schedule::None, vec![write(own(), 1)]));
    with_barrier.insert(1, Barrier);
    check("free", with_barrier);
}

#[test]
fn a_single_goes_to_any_thread() {
    check("free", vec![single(vec![write(X, 1)]), read(X)]);
    check("race", vec![Single { nowait: true, body: vec![write(X, 1)] }, read(X)]);
    // Two of them may go to different threads.
    let nowait = || Single { nowait: true, body: vec![inc(X)] };
    check("race", vec![nowait(), nowait()]);
    check("free", vec![single(vec![inc(X)]), nowait()]);
    let second = Test { reg: 0, equal: false, value: 1 };
    check_two("assertion", vec![single(vec![ThreadNum { reg: 0 }, Assert(second)])]);
    sums_to(1, vec![single(vec![inc(X)])]);
}

#[test]
fn master_and_masked_have_no_barrier_and_one_thread() {
    let master = |body| Masked { filter: None, body };
    check("race", vec![master(vec![write(X, 1)]), read(X)]);
    check("free", vec![master(vec![write(X, 1)]), Barrier, read(X)]);
    check("free", vec![master(vec![inc(X)]), master(vec![inc(X)])]);
    check("race", vec![master(vec![inc(X)]), Masked { filter: Some(1), body: vec![inc(X)] }]);
}

#[test]
fn sections_go_to_any_thread_but_each_to_one() {
    let sections = |blocks| Sections { nowait: false, blocks };
    check("free", vec![sections(vec![vec![inc(X)], vec![inc(Y)]]), read(X)]);
    check("race", vec![sections(vec![vec![inc(X)], vec![inc(X)]])]);
    // A thread that does both does them in order, so a private register tells.
    let tell = vec![vec![Set { reg: 0, value: Value::Const(1) }], vec![Assert(Test::eq(0, 0))]];
    check("assertion", vec![sections(tell)]);
}

#[test]
fn ordered_regions_are_ordered_and_nothing_else_is() {
    let ordered = |schedule, body| For { head: Loop { ordered: true, ..head(3, schedule) }, body };
    for schedule in [Schedule::None, Schedule::Static(Some(1)), Schedule::Dynamic(None)] {
        check("free", vec![ordered(schedule, vec![Ordered { body: vec![inc(X)] }])]);
        check("race", vec![ordered(schedule, vec![Ordered { body: vec![inc(X)] }, read(X)])]);
        // What comes before an ordered region is ordered before those of later iterations.
        let look = Ordered { body: vec![when(Test::eq(Test::ITER, 1), vec![read(elem(Index::Const(0)))])] };
        check("free", vec![ordered(schedule, vec![write(own(), 1), look])]);
        let look = Ordered { body: vec![when(Test::eq(Test::ITER, 0), vec![read(elem(Index::Const(1)))])] };
        check("race", vec![ordered(schedule, vec![write(own(), 1), look])]);
    }
    let last = Ordered { body: vec![Write { place: X, value: Value::Iter(0) }] };
    sums_to(2, vec![ordered(Schedule::Dynamic(None), vec![last])]);
}

#[test]
fn reductions_are_complete_at_the_barrier() {
    let reduction = |nowait| For {
        head: Loop { reduction: Some(0), nowait, ..head(3, Schedule::None) },
        body: vec![inc(X)],
    };
    sums_to(3, vec![reduction(false)]);
    check("free", vec![reduction(false), read(X)]);
    check("race", vec![reduction(true), read(X)]);
    check("race", vec![reduction(true), AtomicRead { reg: 0, place: X, order: Order::SeqCst }]);
    check("free", vec![reduction(true), Barrier, read(X)]);
    // A slow thread reads while a fast one is through with its part.
    check("race", vec![read(X), reduction(false)]);
    check("free", vec![read(X), Barrier, reduction(false)]);
    let region = Region { threads: 3, combined: false, reduction: Some(0), firstprivate: None };
    let whole = vec![Parallel { region, body: vec![inc(X)] }, read(X), Assert(Test::eq(0, 3))];
    assert_eq!(flags(&outcome(whole)), "free");
}

#[test]
fn lastprivate_writes_once_and_firstprivate_reads() {
    let last = |nowait| For {
        head: Loop { lastprivate: Some(0), nowait, ..head(3, Schedule::Dynamic(None)) },
        body: vec![Write { place: X, value: Value::Iter(5) }],
    };
    sums_to(7, vec![last(false)]);
    check("free", vec![last(false), read(X)]);
    check("race", vec![last(true), read(X)]);
    let first = For { head: Loop { firstprivate: Some(0), ..head(2, Schedule::None) }, body: vec![inc(X)] };
    check("free", vec![first.clone()]);
    check("race", vec![Single { nowait: true, body: vec![write(X, 1)] }, first.clone()]);
    check("free", vec![single(vec![write(X, 1)]), first.clone()]);
    sums_to(0, vec![first]);
}

#[test]
fn private_state_across_iterations_tells_distributions_apart() {
    let count = Set { reg: 0, value: Value::Plus(0, 1) };
    let all = |schedule| {
        vec![parallel_for(3, schedule, vec![count.clone(), Assert(Test { reg: 0, equal: false, value: 3 })])]
    };
    check("assertion", all(Schedule::None));
    check("assertion", all(Schedule::Dynamic(Some(1))));
    check("free", all(Schedule::Static(Some(1))));
    check_two("free", all(Schedule::Static(None)));
    // Some distribution gives a thread three iterations, and both others race with nobody.
    let element = Write { place: elem(Index::Reg(0)), value: Value::Const(1) };
    check("race", vec![parallel_for(3, Schedule::None, vec![count.clone(), element.clone()])]);
    check("free", vec![ThreadNum { reg: 0 }, parallel_for(3, Schedule::None, vec![element])]);
}

#[test]
fn tasks_are_done_by_anyone() {
    check("race", vec![single(vec![task(vec![write(X, 1)]), read(X)])]);
    check("free", vec![single(vec![task(vec![write(X, 1)]), Taskwait, read(X)])]);
    check("race", vec![single(vec![task(vec![inc(X)]), task(vec![inc(X)])])]);
    check("free", vec![single(vec![task(vec![inc(X)])]), read(X)]);
    check("race", vec![Single { nowait: true, body: vec![task(vec![inc(X)])] }, read(X)]);
    check("free", vec![Single { nowait: true, body: vec![task(vec![inc(X)])] }, Barrier, read(X)]);
    let undeferred = TaskClauses { undeferred: true, ..TaskClauses::default() };
    check("free", vec![single(vec![Task { clauses: undeferred, body: vec![inc(X)] }, read(X)])]);
    check("race", vec![task(vec![inc(X)])]);
    sums_to(2, vec![task(vec![critical(vec![inc(X)])])]);
}

#[test]
fn taskwait_waits_for_children_and_taskgroup_for_all() {
    let nested = || task(vec![task(vec![write(X, 1)])]);
    check("race", vec![single(vec![nested(), Taskwait, read(X)])]);
    check("free", vec![single(vec![Taskgroup { body: vec![nested()] }, read(X)])]);
    check("free", vec![single(vec![task(vec![task(vec![write(X, 1)]), Taskwait]), Taskwait, read(X)])]);
    check(
        "race",
        vec![single(vec![task(vec![write(X, 1)]), Taskgroup { body: vec![task(vec![read(Y)])] }, read(X)])],
    );
    check("free", vec![single(vec![nested()]), read(X)]);
}

#[test]
fn dependences_order_siblings() {
    use Depend::*;
    let pair = |a, b| vec![single(vec![depend(a, vec![inc(X)]), depend(b, vec![inc(X)])])];
    check("free", pair(Out, In));
    check("free", pair(In, Out));
    check("free", pair(Inout, Inout));
    check("free", pair(Mutexinoutset, Mutexinoutset));
    check("free", pair(Mutexinoutset, Inout));
    check("free", pair(In, Mutexinoutset));
    check("race", pair(In, In));
    check("race", vec![single(vec![depend(Out, vec![inc(X)]), task(vec![inc(X)])])]);
    // Only between siblings.
    check("race", vec![single(vec![depend(Out, vec![inc(X)]), task(vec![depend(In, vec![read(X)])])])]);
    // The creator is not ordered by them.
    check("race", vec![single(vec![depend(Out, vec![inc(X)]), read(X)])]);
    let undeferred = |kind| Task {
        clauses: TaskClauses { depends: vec![(kind, 0)], undeferred: true, firstprivate: None },
        body: vec![read(X)],
    };
    check("free", vec![single(vec![depend(Out, vec![inc(X)]), undeferred(In), read(X)])]);
}

#[test]
fn mutexinoutset_excludes_but_does_not_order() {
    let body = |value| vec![critical(vec![read(X), Write { place: X, value: Value::Const(value) }])];
    let tasks = |kind| vec![single(vec![depend(kind, body(1)), depend(kind, body(2))])];
    let after = |kind| vec![parallel(2, tasks(kind)), read(X), Assert(Test::eq(0, 2))];
    assert_eq!(flags(&outcome(after(Depend::Inout))), "free");
    assert_eq!(flags(&outcome(after(Depend::Mutexinoutset))), "assertion");
}

#[test]
fn a_task_reads_its_copies_at_creation() {
    let clauses = TaskClauses { firstprivate: Some(0), ..TaskClauses::default() };
    let copy = Task { clauses, body: vec![read(X), Assert(Test::eq(0, 0))] };
    check("free", vec![single(vec![copy.clone(), write(X, 1)])]);
    check("race", vec![copy, write(X, 1)]);
    let register = task(vec![Assert(Test::eq(0, 0))]);
    check("free", vec![register, Set { reg: 0, value: Value::Const(1) }]);
}

#[test]
fn the_task_scheduling_constraint_holds() {
    // Thread 1 keeps thread 0's task from nobody: at its own taskwait it may only begin its own children, so in a
    // team of two thread 0 or thread 1 at the barrier does it.
    let body = vec![
        task(vec![ThreadNum { reg: 0 }, Write { place: elem(Index::Reg(0)), value: Value::Const(1) }]),
        Taskwait,
    ];
    check("free", on_thread(0, body, vec![Taskwait]));
    let number = task(vec![ThreadNum { reg: 0 }, Assert(Test::eq(0, 0))]);
    check("assertion", on_thread(0, vec![number], vec![]));
}

#[test]
fn flags_order_if_they_release_and_acquire() {
    let hand_over = |store, load, flush: bool| {
        let sender = [
            vec![write(X, 1)],
            vec![Flush; usize::from(flush)],
            vec![AtomicWrite { place: Y, value: Value::Const(1), order: store }],
        ];
        let spin = vec![Spin { place: Y, value: 1, order: load }];
        let receiver = [spin, vec![Flush; usize::from(flush)], vec![read(X), Assert(Test::eq(0, 1))]];
        on_thread(0, sender.concat(), receiver.concat())
    };
    check_two("free", hand_over(Order::SeqCst, Order::SeqCst, false));
    check_two("free", hand_over(Order::Release, Order::Acquire, false));
    check_two("race", hand_over(Order::Relaxed, Order::SeqCst, false));
    check_two("race", hand_over(Order::SeqCst, Order::Relaxed, false));
    check_two("free", hand_over(Order::Relaxed, Order::Relaxed, true));
    let one = Masked {
        filter: None,
        body: vec![write(X, 1), AtomicWrite { place: Y, value: Value::Const(1), order: Order::SeqCst }],
    };
    check("free", vec![one, Spin { place: Y, value: 1, order: Order::SeqCst }, read(X)]);
}

#[test]
fn flushes_of_critical_are_not_fences() {
    let sender = vec![
        write(X, 1),
        critical(vec![]),
        AtomicWrite { place: Y, value: Value::Const(1), order: Order::Relaxed },
    ];
    let receiver = vec![
        AtomicRead { reg: 0, place: Y, order: Order::Relaxed },
        Critical { name: Some(0), body: vec![] },
        when(Test::eq(0, 1), vec![read(X)]),
    ];
    check_two("race", on_thread(0, sender, receiver));
}

#[test]
fn what_is_seen_under_a_lock_steers() {
    let slot = AtomicCapture { reg: 0, place: X, add: 1, order: Order::Relaxed };
    let element = Write { place: elem(Index::Reg(0)), value: Value::Const(1) };
    check("free", vec![slot.clone(), element.clone()]);
    check("free", vec![slot.clone(), when(Test::eq(0, 0), vec![inc(Y)])]);
    check("race", vec![slot, inc(Y), element]);
}

#[test]
fn deadlocks() {
    let nest = |a: u8, b: u8| Locked { lock: a, body: vec![Locked { lock: b, body: vec![inc(X)] }] };
    check("deadlock", on_thread(0, vec![nest(0, 1)], vec![nest(1, 0)]));
    check("free", on_thread(0, vec![nest(0, 1)], vec![nest(0, 1)]));
    check("deadlock", vec![Locked { lock: 0, body: vec![inc(X), Barrier] }]);
    let ordered = For {
        head: Loop { ordered: true, ..head(2, Schedule::None) },
        body: vec![Ordered { body: vec![inc(X)] }],
    };
    check("free", vec![ordered]);
}

#[test]
fn a_failed_test_of_a_lock_orders_nothing() {
    check("free", vec![TestLock { lock: 0, then: vec![inc(X)], otherwise: vec![] }]);
    check("race", vec![TestLock { lock: 0, then: vec![inc(X)], otherwise: vec![read(X)] }]);
}

#[test]
fn regions_follow_each_other() {
    let main = vec![
        write(X, 1),
        parallel(2, vec![critical(vec![inc(X)])]),
        inc(X),
        parallel(3, vec![critical(vec![inc(X)])]),
        read(X),
        Assert(Test::eq(0, 7)),
    ];
    assert_eq!(flags(&outcome(main)), "free");
}

#[test]
fn a_repeated_single_may_change_its_thread() {
    let body = vec![Repeat { times: 2, body: vec![Single { nowait: true, body: vec![inc(X)] }] }];
    check("race", body);
    check("free", vec![Repeat { times: 2, body: vec![single(vec![inc(X)])] }]);
}

#[test]
fn all_pairs_of_a_program_are_listed() {
    let racy = outcome(vec![parallel(
        2,
        vec![nowait_for(2, Schedule::Dynamic(None), vec![inc(own())]), read(elem(Index::Const(1)))],
    )]);
    let names: BTreeSet<&str> = racy.races.iter().map(|p| p.0.as_str()).collect();
    assert_eq!(names, ["a0[1]"].into());
}
