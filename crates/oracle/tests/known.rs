//! Hand-written programs with answers known by thinking, not by running: the check of the brute force itself.

use oracle::Order::{AcqRel, Acquire, Relaxed, Release, SeqCst};
use oracle::Stmt::*;
use oracle::Value::{Const, Plus};
use oracle::{Order, Outcome, Program, Stmt, Test, judge};

/// A program with plenty of objects: two of each kind, a barrier for two, semaphores with 0 and 1. `main` creates all
/// workers, does `main`, joins them all, does `after`.
fn program(main: Vec<Stmt>, workers: Vec<Vec<Stmt>>, after: Vec<Stmt>) -> Program {
    let mut body: Vec<Stmt> = (1..=workers.len()).map(Create).collect();
    body.extend(main);
    body.extend((1..=workers.len()).map(Join));
    body.extend(after);
    from_threads([vec![body], workers].concat())
}

fn from_threads(threads: Vec<Vec<Stmt>>) -> Program {
    Program {
        threads,
        vars: 3,
        atomics: 2,
        mutexes: 3,
        rwlocks: 1,
        conds: 1,
        barriers: vec![2],
        sems: vec![0, 1],
    }
}

fn outcome(program: &Program) -> Outcome {
    let (_, outcome) = judge(program).expect("small enough");
    assert!(!outcome.misuse, "misuse in {program:?}");
    outcome
}

fn workers(workers: Vec<Vec<Stmt>>) -> Outcome {
    outcome(&program(vec![], workers, vec![]))
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

fn check(expected: &str, threads: Vec<Vec<Stmt>>) {
    assert_eq!(flags(&workers(threads)), expected);
}

fn write(var: usize, value: i32) -> Stmt {
    Write { var, value: Const(value) }
}

fn read(reg: u8, var: usize) -> Stmt {
    Read { reg, var }
}

fn store(atomic: usize, value: i32, order: Order) -> Stmt {
    Store { atomic, value: Const(value), order }
}

fn load(reg: u8, atomic: usize, order: Order) -> Stmt {
    Load { reg, atomic, order }
}

fn when(test: Test, then: Vec<Stmt>) -> Stmt {
    If { test, then, otherwise: vec![] }
}

fn guarded(mutex: usize, inner: Vec<Stmt>) -> Vec<Stmt> {
    [vec![Lock(mutex)], inner, vec![Unlock(mutex)]].concat()
}

#[test]
fn two_plain_writes_race_and_the_lines_are_right() {
    let program = program(vec![], vec![vec![write(0, 1)], vec![write(0, 2)]], vec![]);
    let (printed, outcome) = judge(&program).expect("small");
    assert_eq!(outcome.races.len(), 1);
    let pair = outcome.races.first().expect("one");
    let line = |n: u32| printed.source.lines().nth(n as usize - 1).unwrap_or_default().trim();
    assert_eq!((pair.0.as_str(), line(pair.1), line(pair.2)), ("x0", "x0 = 1;", "x0 = 2;"));
    assert!(!outcome.clean_execution);
}

#[test]
fn two_reads_do_not_race() {
    check("free", vec![vec![read(0, 0)], vec![read(0, 0)]]);
}

#[test]
fn an_increment_is_a_read_and_a_write() {
    let outcome = workers(vec![vec![Increment { var: 0 }], vec![read(0, 0)]]);
    assert_eq!(outcome.races.len(), 1);
    check("free", vec![guarded(0, vec![Increment { var: 0 }]), guarded(0, vec![Increment { var: 0 }])]);
}

#[test]
fn the_same_mutex_orders_and_different_ones_do_not() {
    check("free", vec![guarded(0, vec![write(0, 1)]), guarded(0, vec![write(0, 2)])]);
    check("race", vec![guarded(0, vec![write(0, 1)]), guarded(1, vec![write(0, 2)])]);
}

#[test]
fn create_and_join_order() {
    let inside = vec![vec![write(0, 1)]];
    let after = outcome(&program(vec![], inside.clone(), vec![read(0, 0), Assert(Test::eq(0, 1))]));
    assert_eq!(flags(&after), "free");
    assert_eq!(flags(&outcome(&program(vec![read(0, 0)], inside.clone(), vec![]))), "race");
    let before = from_threads(vec![vec![write(0, 2), Create(1)], inside[0].clone()]);
    assert_eq!(flags(&outcome(&before)), "free");
    let unjoined = from_threads(vec![vec![Create(1), write(0, 2)], inside[0].clone()]);
    assert_eq!(flags(&outcome(&unjoined)), "race");
}

#[test]
fn joins_order_through_a_grandchild() {
    let threads = |join: bool| {
        let mut middle = vec![Create(2)];
        middle.extend(join.then_some(Join(2)));
        from_threads(vec![vec![Create(1), Join(1), read(0, 0)], middle, vec![write(0, 1)]])
    };
    assert_eq!(flags(&outcome(&threads(true))), "free");
    assert_eq!(flags(&outcome(&threads(false))), "race");
}

/// Message passing: the producer writes and sets the flag, the consumer reads if it sees the flag.
fn message(producer: Vec<Stmt>, look: Order, inner: Vec<Stmt>) -> Vec<Vec<Stmt>> {
    let mut first = vec![write(0, 7)];
    first.extend(producer);
    vec![first, vec![load(0, 0, look), when(Test::eq(0, 1), inner)]]
}

#[test]
fn message_passing_needs_release_and_acquire() {
    let consume = || vec![read(1, 0), Assert(Test::eq(1, 7))];
    check("free", message(vec![store(0, 1, SeqCst)], SeqCst, consume()));
    check("free", message(vec![store(0, 1, Release)], Acquire, consume()));
    check("race", message(vec![store(0, 1, Relaxed)], Acquire, consume()));
    check("race", message(vec![store(0, 1, Release)], Relaxed, consume()));
    let some = workers(message(vec![store(0, 1, Relaxed)], Relaxed, consume()));
    assert!(some.race && some.clean_execution, "only the schedules that see the flag race");
}

#[test]
fn fences_make_relaxed_message_passing_work() {
    let release = || vec![Fence(Release), store(0, 1, Relaxed)];
    check("free", message(release(), Relaxed, vec![Fence(Acquire), read(1, 0)]));
    check("free", message(release(), Acquire, vec![read(1, 0)]));
    check("free", message(vec![store(0, 1, Release)], Relaxed, vec![Fence(SeqCst), read(1, 0)]));
    check("race", message(release(), Relaxed, vec![read(1, 0)]));
    check("race", message(release(), Relaxed, vec![Fence(Release), read(1, 0)]));
    check("race", message(vec![Fence(Acquire), store(0, 1, Relaxed)], Acquire, vec![read(1, 0)]));
    check("race", message(vec![store(0, 1, Relaxed), Fence(SeqCst)], Acquire, vec![read(1, 0)]));
}

#[test]
fn a_fence_covers_only_what_came_before_it() {
    let producer = vec![Fence(Release), write(1, 1), store(0, 1, Relaxed)];
    check("free", message(producer.clone(), Acquire, vec![read(1, 0)]));
    check("race", message(producer, Acquire, vec![read(1, 1)]));
}

#[test]
fn read_modify_writes_continue_a_release_sequence_and_relaxed_stores_break_it() {
    let with_middle = |middle: Vec<Stmt>| {
        vec![
            vec![write(0, 7), store(0, 1, Release)],
            middle,
            vec![load(0, 0, Acquire), when(Test::eq(0, 2), vec![read(1, 0)])],
        ]
    };
    check("free", with_middle(vec![FetchAdd { reg: 0, atomic: 0, add: 1, order: Relaxed }]));
    let seen = when(Test::eq(0, 1), vec![store(0, 2, Relaxed)]);
    check("race", with_middle(vec![load(0, 0, Relaxed), seen.clone()]));
    let exchange = |desired, order| CompareExchange { reg: 0, atomic: 0, expected: 1, desired, order };
    check("free", with_middle(vec![exchange(2, Relaxed)]));
    // One of the same thread continues it.
    check("free", message(vec![store(0, 0, Release), store(0, 1, Relaxed)], Acquire, vec![read(1, 0)]));
    check("race", message(vec![store(0, 1, Relaxed)], Acquire, vec![read(1, 0)]));
}

#[test]
fn a_failed_compare_exchange_is_a_load_with_the_failure_order() {
    let with = |order| {
        let attempt = CompareExchange { reg: 0, atomic: 0, expected: 0, desired: 0, order };
        vec![vec![write(0, 7), store(0, 1, Release)], vec![attempt, when(Test::eq(0, 0), vec![read(1, 0)])]]
    };
    check("free", with(SeqCst));
    check("free", with(AcqRel));
    check("race", with(Release));
    check("race", with(Relaxed));
}

#[test]
fn compare_exchange_elects_one_owner() {
    let elect = || {
        let attempt = CompareExchange { reg: 0, atomic: 0, expected: 0, desired: 1, order: Relaxed };
        vec![attempt, when(Test::eq(0, 1), vec![write(0, 1)])]
    };
    check("free", vec![elect(), elect()]);
    assert_eq!(
        flags(&outcome(&program(elect(), vec![elect()], vec![read(0, 0), Assert(Test::eq(0, 1))]))),
        "free"
    );
}

#[test]
fn the_last_to_draw_a_ticket_sees_the_others() {
    let draw = |var, order| {
        let inner = vec![read(1, 0), read(1, 1)];
        vec![write(var, 1), FetchAdd { reg: 0, atomic: 0, add: 1, order }, when(Test::eq(0, 1), inner)]
    };
    check("free", vec![draw(0, AcqRel), draw(1, AcqRel)]);
    check("race", vec![draw(0, Release), draw(1, Release)]);
    check("race", vec![draw(0, Acquire), draw(1, Acquire)]);
}

#[test]
fn spinning_ends_the_search_and_orders() {
    let spin = |order| vec![Spin { atomic: 0, value: 1, order }, read(0, 0), Assert(Test::eq(0, 7))];
    let set = || vec![write(0, 7), store(0, 1, Release)];
    check("free", vec![set(), spin(Acquire)]);
    check("race", vec![set(), spin(Relaxed)]);
    let forever = workers(vec![spin(SeqCst)]);
    assert_eq!(flags(&forever), "free");
    assert!(forever.endless);
    assert!(!workers(vec![set(), spin(Acquire)]).endless);
}

#[test]
fn a_spin_lock_excludes() {
    let section =
        |unlock| vec![SpinExchange { atomic: 0, order: Acquire }, Increment { var: 0 }, store(0, 0, unlock)];
    let two =
        program(vec![], vec![section(Release), section(Release)], vec![read(0, 0), Assert(Test::eq(0, 2))]);
    assert_eq!(flags(&outcome(&two)), "free");
    check("race", vec![section(Relaxed), section(Relaxed)]);
}

#[test]
fn store_buffering_excludes_under_interleaving() {
    let side = |mine, other| {
        vec![store(mine, 1, SeqCst), load(0, other, SeqCst), when(Test::eq(0, 0), vec![Increment { var: 0 }])]
    };
    check("free", vec![side(0, 1), side(1, 0)]);
}

#[test]
fn a_failed_trylock_orders_nothing() {
    let attempt = TryLock { mutex: 0, then: vec![Unlock(0)], otherwise: vec![read(0, 0)] };
    let outcome = workers(vec![vec![write(0, 1), Lock(0), Unlock(0)], vec![attempt]]);
    assert!(outcome.race && outcome.clean_execution);
    let careful = TryLock { mutex: 0, then: vec![write(0, 2), Unlock(0)], otherwise: vec![] };
    check("free", vec![guarded(0, vec![write(0, 1)]), vec![careful]]);
}

#[test]
fn opposite_lock_orders_deadlock() {
    let nest = |a, b| guarded(a, guarded(b, vec![]));
    check("deadlock", vec![nest(0, 1), nest(1, 0)]);
    check("free", vec![nest(0, 1), nest(0, 1)]);
    check("free", vec![guarded(2, nest(0, 1)), guarded(2, nest(1, 0))]);
    check("deadlock", vec![nest(0, 1), nest(1, 2), nest(2, 0)]);
}

#[test]
fn a_mutex_never_unlocked_blocks_the_others() {
    check("deadlock", vec![vec![Lock(0)], guarded(0, vec![])]);
    check("free", vec![vec![Lock(0)], vec![TryLock { mutex: 0, then: vec![Unlock(0)], otherwise: vec![] }]]);
}

#[test]
fn a_barrier_orders_all_with_all() {
    let side = |mine, other| vec![write(mine, 1), Barrier(0), read(0, other), Assert(Test::eq(0, 1))];
    check("free", vec![side(0, 1), side(1, 0)]);
    check("race", vec![vec![write(0, 1), Barrier(0)], vec![read(0, 0), Barrier(0)]]);
    check("deadlock", vec![vec![Barrier(0)]]);
    check("deadlock", vec![vec![Barrier(0)], vec![Barrier(0)], vec![Barrier(0)]]);
    check("free", vec![vec![Barrier(0), write(0, 1), Barrier(0)], vec![Barrier(0), Barrier(0), read(0, 0)]]);
}

#[test]
fn a_barrier_for_two_does_not_order_a_third() {
    let third = vec![Barrier(0), read(0, 0)];
    let outcome = workers(vec![vec![write(0, 1), Barrier(0)], vec![Barrier(0), Barrier(0)], third]);
    assert!(outcome.race || outcome.deadlock);
}

fn wait(looped: bool) -> Stmt {
    Wait { cond: 0, mutex: 0, var: 0, value: 1, looped }
}

#[test]
fn a_condition_variable_in_a_loop_works() {
    let consumer = guarded(0, vec![wait(true), read(0, 0), Assert(Test::eq(0, 1))]);
    check("free", vec![consumer.clone(), guarded(0, vec![write(0, 1), Signal(0)])]);
    check("free", vec![consumer.clone(), [guarded(0, vec![write(0, 1)]), vec![Signal(0)]].concat()]);
    check("free", vec![consumer.clone(), consumer.clone(), guarded(0, vec![write(0, 1), Broadcast(0)])]);
    check("deadlock", vec![consumer.clone(), consumer.clone(), guarded(0, vec![write(0, 1), Signal(0)])]);
    check("deadlock", vec![consumer, guarded(0, vec![write(0, 1)])]);
}

#[test]
fn a_signal_before_the_predicate_is_lost() {
    let consumer = guarded(0, vec![wait(true)]);
    check("deadlock", vec![consumer.clone(), [vec![Signal(0)], guarded(0, vec![write(0, 1)])].concat()]);
    check("race", vec![consumer, vec![write(0, 1), Signal(0)]]);
}

#[test]
fn an_if_in_place_of_a_while_fails_by_a_spurious_wake_up() {
    let consumer = guarded(0, vec![wait(false), read(0, 0), Assert(Test::eq(0, 1))]);
    check("assertion", vec![consumer, guarded(0, vec![write(0, 1), Signal(0)])]);
}

#[test]
fn spurious_wake_ups_pass_no_order() {
    let consumer = [guarded(0, vec![wait(false)]), vec![read(0, 1)]].concat();
    let outcome = workers(vec![
        consumer.clone(),
        [vec![write(1, 1)], guarded(0, vec![write(0, 1), Signal(0)])].concat(),
    ]);
    assert!(outcome.race && outcome.clean_execution);
    let looped = [guarded(0, vec![wait(true)]), vec![read(0, 1)]].concat();
    check("free", vec![looped, [vec![write(1, 1)], guarded(0, vec![write(0, 1), Signal(0)])].concat()]);
}

#[test]
fn semaphores_order_posts_before_waits() {
    check("free", vec![vec![write(0, 1), Post(0)], vec![Down(0), read(0, 0), Assert(Test::eq(0, 1))]]);
    check("race", vec![vec![Post(0), write(0, 1)], vec![Down(0), read(0, 0)]]);
    check("deadlock", vec![vec![Down(0)], vec![read(0, 0)]]);
    let section = || vec![Down(1), Increment { var: 0 }, Post(1)];
    check("free", vec![section(), section()]);
    check(
        "free",
        vec![
            vec![write(0, 1), Post(0)],
            vec![write(1, 1), Post(0)],
            vec![Down(0), Down(0), read(0, 0), read(0, 1)],
        ],
    );
}

#[test]
fn rwlocks_order_writers_with_all_and_readers_with_writers() {
    let reads = || vec![ReadLock(0), read(0, 0), RwUnlock(0)];
    let writes = || vec![WriteLock(0), Increment { var: 0 }, RwUnlock(0)];
    check("free", vec![reads(), writes(), writes()]);
    check("race", vec![reads(), vec![ReadLock(0), write(0, 1), RwUnlock(0)]]);
    // Two readers: the second sees the first one's message, but no edge.
    check(
        "race",
        vec![vec![write(0, 1), ReadLock(0), RwUnlock(0)], vec![ReadLock(0), RwUnlock(0), read(0, 0)]],
    );
    // A reader who waits for another, who may wait behind the writer.
    let inner = || guarded(0, vec![ReadLock(0), RwUnlock(0)]);
    let outer = || [vec![ReadLock(0)], guarded(0, vec![]), vec![RwUnlock(0)]].concat();
    check("free", vec![inner(), outer()]);
    check("deadlock", vec![inner(), outer(), writes()]);
    let nested = vec![ReadLock(0), Lock(0), Unlock(0), RwUnlock(0)];
    check("deadlock", vec![nested, guarded(0, vec![WriteLock(0), RwUnlock(0)])]);
}

#[test]
fn a_flag_under_a_mutex_hands_over() {
    let producer = [vec![write(0, 7)], guarded(0, vec![write(1, 1)])].concat();
    let take = |test| [guarded(0, vec![read(0, 1)]), vec![when(test, vec![read(1, 0)])]].concat();
    check("free", vec![producer.clone(), take(Test::eq(0, 1))]);
    check("race", vec![producer, take(Test::eq(0, 0))]);
}

#[test]
fn a_lost_update_is_no_race_but_fails_the_assertion() {
    let split = || {
        let store = Write { var: 0, value: Plus(0, 1) };
        [guarded(0, vec![read(0, 0)]), guarded(0, vec![store])].concat()
    };
    let after = vec![read(0, 0), Assert(Test::eq(0, 2))];
    assert_eq!(flags(&outcome(&program(vec![], vec![split(), split()], after.clone()))), "assertion");
    let whole = || guarded(0, vec![Increment { var: 0 }]);
    assert_eq!(flags(&outcome(&program(vec![], vec![whole(), whole()], after.clone()))), "free");
    let twice = vec![Repeat { times: 2, body: whole() }];
    assert_eq!(flags(&outcome(&program(vec![], vec![twice], after))), "free");
}

#[test]
fn an_assertion_ends_its_execution_but_not_the_others() {
    // Thread 1 stops at the assertion if it comes first; the race needs the other order.
    let first = vec![load(0, 0, Relaxed), Assert(Test::eq(0, 1)), read(1, 0)];
    let outcome = workers(vec![first, vec![write(0, 1), store(0, 1, Relaxed)]]);
    assert!(outcome.race && outcome.assertion && outcome.clean_execution);
}

#[test]
fn a_race_may_come_between_a_read_and_its_assertion() {
    // The assertion fails always, yet the write may come before it does.
    let first = vec![write(0, 1), Assert(Test::eq(0, 1))];
    let second = vec![write(0, 2)];
    let outcome = workers(vec![first, second]);
    assert!(outcome.race && outcome.assertion);
}

#[test]
fn misuse_is_told() {
    for body in [
        vec![Unlock(0)],
        vec![Lock(0), Lock(0)],
        vec![wait(true)],
        vec![RwUnlock(0)],
        vec![Create(1), Create(1)],
    ] {
        let program = from_threads(vec![body, vec![]]);
        assert!(judge(&program).expect("small").1.misuse, "{program:?}");
    }
}
