//! Programs with memory whose answers are worked out by hand from the specification.

use oracle::Outcome;
use oracle::memory::program::{
    Bin, Capture, Expr, Init, Loop, Place, Program, Reduction, Schedule, Split, Stmt, Storage, Type, Var,
};
use oracle::memory::{judge, valid};

fn int(n: i64) -> Expr {
    Expr::Const(n)
}

fn load(place: Place) -> Expr {
    Expr::Load(place)
}

fn var(v: Var) -> Expr {
    load(Place::Var(v))
}

fn elem(v: Var, index: Expr) -> Place {
    Place::Elem(v, Box::new(index))
}

fn at(pointer: Var) -> Place {
    Place::At(Box::new(var(pointer)), 0)
}

fn bin(op: Bin, a: Expr, b: Expr) -> Expr {
    Expr::Bin(op, Box::new(a), Box::new(b))
}

fn eq(a: Expr, b: i64) -> Expr {
    bin(Bin::Eq, a, int(b))
}

fn add(place: Place, value: Expr) -> Stmt {
    Stmt::Add { place, value }
}

fn assign(place: Place, value: Expr) -> Stmt {
    Stmt::Assign { place, value }
}

fn declare(var: Var, init: Expr) -> Stmt {
    Stmt::Declare { var, init }
}

fn when(test: Expr, then: Vec<Stmt>) -> Stmt {
    Stmt::If { test, then, otherwise: Vec::new() }
}

fn critical(body: Vec<Stmt>) -> Stmt {
    Stmt::Critical { name: None, body }
}

fn parallel(threads: u8, body: Vec<Stmt>) -> Stmt {
    Stmt::Parallel { threads: Some(threads), reduction: None, body }
}

fn single(body: Vec<Stmt>) -> Stmt {
    Stmt::Single { nowait: false, body }
}

fn task(body: Vec<Stmt>) -> Stmt {
    Stmt::Task { capture: Capture::default(), body }
}

fn untied(body: Vec<Stmt>) -> Stmt {
    Stmt::Task { capture: Capture { untied: true, ..Capture::default() }, body }
}

fn dynamic(iter: Var, n: u8, body: Vec<Stmt>) -> Stmt {
    scheduled(iter, n, Schedule::Dynamic, body)
}

fn scheduled(iter: Var, n: u8, schedule: Schedule, body: Vec<Stmt>) -> Stmt {
    Stmt::For { head: Loop { iter, n, schedule, nowait: false }, body }
}

fn answer(program: &Program) -> Outcome {
    assert!(valid(program), "{program:?}");
    let (printed, outcome) = judge(program).expect("small enough");
    assert!(!outcome.misuse, "{}", printed.source);
    outcome
}

fn clean(outcome: &Outcome) -> bool {
    !outcome.race && !outcome.deadlock && !outcome.assertion && outcome.faults.is_empty()
}

/// The first of `n` static variables is observed as the first final value.
fn firsts(outcome: &Outcome) -> Vec<i64> {
    let mut found: Vec<i64> = outcome.results.iter().map(|r| r[0]).collect();
    found.dedup();
    found
}

#[test]
fn own_memory_behind_a_pointer_gathers_every_iteration() {
    let mut p = Program::default();
    let total = p.var(Type::Int, Storage::Static);
    let (m, q, i) = (
        p.var(Type::Int, Storage::Local),
        p.var(Type::Pointer, Storage::Local),
        p.var(Type::Int, Storage::Local),
    );
    let body = vec![
        declare(m, int(0)),
        declare(q, Expr::Addr(Place::Var(m))),
        dynamic(i, 3, vec![add(at(q), int(1))]),
        critical(vec![add(Place::Var(total), load(at(q)))]),
    ];
    p.main = vec![parallel(2, body), Stmt::Assert(eq(var(total), 3))];
    let outcome = answer(&p);
    assert!(clean(&outcome));
    assert_eq!(firsts(&outcome), [3]);
}

#[test]
fn a_partial_result_in_a_slot_is_open() {
    let mut p = Program::default();
    let slots = p.var(Type::Ints(2), Storage::Static);
    let (m, i) = (p.var(Type::Int, Storage::Local), p.var(Type::Int, Storage::Local));
    let body = vec![
        declare(m, int(0)),
        dynamic(i, 2, vec![add(Place::Var(m), int(1))]),
        critical(vec![add(elem(slots, Expr::ThreadNum), var(m))]),
    ];
    p.main = vec![parallel(2, body), Stmt::Assert(eq(load(elem(slots, int(0))), 1))];
    let outcome = answer(&p);
    assert!(outcome.assertion && !outcome.race);
    // Executions that fail end at the assertion.
    assert_eq!(outcome.results.into_iter().collect::<Vec<_>>(), [vec![1, 1]]);
}

#[test]
fn allocated_memory_of_a_thread_lasts_from_loop_to_loop() {
    let mut p = Program::default();
    let x = p.var(Type::Int, Storage::Static);
    let (q, i, j) = (
        p.var(Type::Pointer, Storage::Local),
        p.var(Type::Int, Storage::Local),
        p.var(Type::Int, Storage::Local),
    );
    let body = vec![
        declare(q, Expr::Alloc(1)),
        dynamic(i, 2, vec![assign(at(q), var(i))]),
        dynamic(j, 2, vec![when(bin(Bin::Ne, load(at(q)), var(j)), vec![assign(Place::Var(x), var(j))])]),
    ];
    p.main = vec![parallel(2, body)];
    assert!(answer(&p).race);
}

#[test]
fn a_pointer_to_own_memory_lets_others_race() {
    let mut p = Program::default();
    let table = p.var(Type::Pointers(2), Storage::Static);
    let (q, i, j) = (
        p.var(Type::Pointer, Storage::Local),
        p.var(Type::Int, Storage::Local),
        p.var(Type::Int, Storage::Local),
    );
    let through = Place::At(Box::new(load(elem(table, var(j)))), 0);
    let body = vec![
        declare(q, Expr::Alloc(1)),
        dynamic(i, 2, vec![assign(elem(table, var(i)), var(q))]),
        dynamic(j, 2, vec![assign(through, var(j))]),
    ];
    p.main = vec![parallel(2, body)];
    // Both pieces of the first loop on one thread, those of the second on two.
    assert!(answer(&p).race);
}

#[test]
fn what_a_thread_owns_lasts_from_region_to_region() {
    let mut p = Program::default();
    let total = p.var(Type::Int, Storage::Static);
    let t = p.var(Type::Int, Storage::Threadprivate);
    let number = bin(Bin::Add, Expr::ThreadNum, int(1));
    p.main = vec![
        parallel(2, vec![assign(Place::Var(t), number)]),
        parallel(2, vec![critical(vec![add(Place::Var(total), var(t))])]),
        Stmt::Assert(eq(var(total), 3)),
    ];
    assert!(clean(&answer(&p)));
}

#[test]
fn a_struct_is_copied_with_both_members() {
    let mut p = Program::default();
    let all = p.var(Type::Pairs(2), Storage::Static);
    let part = p.var(Type::Pair, Storage::Local);
    let i = p.var(Type::Int, Storage::Local);
    let body = vec![
        declare(part, int(0)),
        assign(Place::Field(part, 1), Expr::ThreadNum),
        dynamic(i, 2, vec![assign(elem(all, var(i)), load(Place::Var(part)))]),
    ];
    let second = |k| load(Place::ElemField(all, Box::new(int(k)), 1));
    p.main = vec![parallel(2, body), Stmt::Assert(bin(Bin::Ne, second(0), second(1)))];
    let outcome = answer(&p);
    assert!(outcome.assertion && !outcome.race);
    // Pairs (0, t) with different threads t are what remains.
    assert_eq!(outcome.results.into_iter().collect::<Vec<_>>(), [vec![0, 0, 0, 1], vec![0, 1, 0, 0]]);
}

#[test]
fn the_halves_of_a_long_are_where_a_little_endian_machine_has_them() {
    let mut p = Program::default();
    let g = p.var(Type::Long, Storage::Static);
    p.main = vec![
        assign(Place::Half(g, 1), int(1)),
        add(Place::Byte(g, 0), int(2)),
        Stmt::Assert(bin(Bin::Eq, var(g), int((1 << 32) + 2))),
    ];
    assert!(clean(&answer(&p)));
}

#[test]
fn the_operand_that_one_thread_skips_is_a_fault_of_another() {
    let mut p = Program::default();
    let ok = p.var(Type::Int, Storage::Static);
    let z = p.var(Type::Int, Storage::Static);
    let q = p.var(Type::Pointers(2), Storage::Static);
    p.vars[ok as usize].init = vec![Init::Number(1)];
    p.vars[q as usize].init = vec![Init::Address(z)];
    let operand = load(Place::At(Box::new(load(elem(q, Expr::ThreadNum))), 0));
    let value = Expr::And(Box::new(var(ok)), Box::new(operand));
    p.main = vec![parallel(2, vec![critical(vec![assign(Place::Var(ok), value)])])];
    let outcome = answer(&p);
    assert!(!outcome.race);
    // Thread 0 first: ok becomes 0 and thread 1 reads no pointer. Thread 1 first: its pointer is null.
    assert_eq!(outcome.faults.iter().collect::<Vec<_>>(), ["null-pointer"]);
    assert_eq!(firsts(&outcome), [0]);
}

#[test]
fn division_by_zero_and_bounds_are_faults_where_they_are_reached() {
    let mut p = Program::default();
    let x = p.var(Type::Int, Storage::Static);
    let a = p.var(Type::Ints(2), Storage::Static);
    let divide = bin(Bin::Div, int(1), Expr::ThreadNum);
    p.main = vec![parallel(
        2,
        vec![critical(vec![
            when(eq(var(x), 1), vec![assign(elem(a, int(0)), divide)]),
            assign(Place::Var(x), int(1)),
        ])],
    )];
    assert_eq!(answer(&p).faults.into_iter().collect::<Vec<_>>(), ["division-by-zero"]);
    p.main = vec![assign(elem(a, int(2)), int(1))];
    assert_eq!(answer(&p).faults.into_iter().collect::<Vec<_>>(), ["out-of-bounds"]);
    p.main = vec![assign(elem(a, int(-1)), int(1))];
    assert_eq!(answer(&p).faults.into_iter().collect::<Vec<_>>(), ["out-of-bounds"]);
}

/// `if (i < m) assert(0); m = i;` on one thread.
fn in_order(schedule: Schedule) -> Outcome {
    let mut p = Program::default();
    let (m, i) = (p.var(Type::Int, Storage::Local), p.var(Type::Int, Storage::Local));
    let test = Stmt::Assert(eq(bin(Bin::Lt, var(i), var(m)), 0));
    let body = vec![declare(m, int(0)), scheduled(i, 2, schedule, vec![test, assign(Place::Var(m), var(i))])];
    p.main = vec![parallel(1, body)];
    answer(&p)
}

#[test]
fn pieces_come_in_any_order_unless_the_schedule_is_monotonic() {
    for schedule in [Schedule::Dynamic, Schedule::Guided, Schedule::Auto, Schedule::None] {
        assert!(in_order(schedule).assertion, "{schedule:?}");
    }
    for schedule in [Schedule::Static, Schedule::StaticChunk(1), Schedule::DynamicMonotonic] {
        assert!(clean(&in_order(schedule)), "{schedule:?}");
    }
}

#[test]
fn sections_come_in_any_order() {
    let mut p = Program::default();
    let x = p.var(Type::Int, Storage::Static);
    let blocks = (1..3).map(|k| vec![critical(vec![assign(Place::Var(x), int(k))])]).collect();
    p.main = vec![parallel(1, vec![Stmt::Sections { blocks, nowait: false }])];
    assert_eq!(firsts(&answer(&p)), [1, 2]);
}

/// `a += i` for the iterations below 2 of 3.
fn split(split: Split) -> Outcome {
    let mut p = Program::default();
    let (a, i) = (p.var(Type::Int, Storage::Static), p.var(Type::Int, Storage::Local));
    let body = vec![when(bin(Bin::Lt, var(i), int(2)), vec![add(Place::Var(a), var(i))])];
    let taskloop = Stmt::Taskloop { capture: Capture::default(), iter: i, n: 3, split, body };
    p.main = vec![parallel(2, vec![single(vec![taskloop])])];
    answer(&p)
}

#[test]
fn a_taskloop_races_where_some_split_does() {
    assert!(split(Split::Open).race);
    assert!(split(Split::Tasks(2)).race, "0 | 1 2");
    assert!(clean(&split(Split::Tasks(1))));
    assert!(clean(&split(Split::Grain(2))), "3 iterations are one task of 3");
    assert!(split(Split::Grain(1)).race);
}

#[test]
fn a_thread_in_critical_may_begin_a_task_that_wants_it() {
    let mut p = Program::default();
    let x = p.var(Type::Int, Storage::Static);
    let wants = task(vec![critical(vec![add(Place::Var(x), int(1))])]);
    p.main = vec![parallel(2, vec![single(vec![wants, critical(vec![task(vec![])])])])];
    let outcome = answer(&p);
    assert!(outcome.deadlock && !outcome.race);
    assert_eq!(firsts(&outcome), [1]);
}

#[test]
fn a_tied_task_keeps_strangers_away_and_an_untied_one_does_not() {
    let program = |holder: fn(Vec<Stmt>) -> Stmt| {
        let mut p = Program::default();
        let x = p.var(Type::Int, Storage::Static);
        let holds = holder(vec![critical(vec![Stmt::Taskyield, add(Place::Var(x), int(1))])]);
        let wants = task(vec![critical(vec![add(Place::Var(x), int(1))])]);
        p.main = vec![parallel(1, vec![holds, wants])];
        answer(&p)
    };
    // The one thread yields in the first task: the second is no descendant of it.
    assert!(clean(&program(task)));
    assert!(program(untied).deadlock);
}

#[test]
fn tasks_suspended_in_a_barrier_do_not_constrain() {
    let mut p = Program::default();
    let x = p.var(Type::Int, Storage::Static);
    // Created by one thread's implicit task, executed by whoever waits in the barrier.
    let child = task(vec![assign(Place::Var(x), bin(Bin::Add, Expr::ThreadNum, int(1)))]);
    p.main = vec![parallel(2, vec![Stmt::Masked { body: vec![child] }, Stmt::Barrier])];
    let outcome = answer(&p);
    assert!(clean(&outcome));
    assert_eq!(firsts(&outcome), [1, 2]);
}

#[test]
fn a_thread_that_waits_for_its_children_begins_no_others() {
    let mut p = Program::default();
    let x = p.var(Type::Int, Storage::Static);
    // Thread 1 waits in taskwait without children of its own: it can go on, but not begin thread 0's task there.
    let child = task(vec![assign(Place::Var(x), bin(Bin::Add, Expr::ThreadNum, int(1)))]);
    let on = |number: i64, body: Vec<Stmt>| when(eq(Expr::ThreadNum, number), body);
    let other = on(1, vec![Stmt::Taskwait]);
    p.main = vec![parallel(2, vec![on(0, vec![child, Stmt::Taskwait]), other])];
    // In the barrier at the end thread 1 may execute it.
    assert_eq!(firsts(&answer(&p)), [1, 2]);
}

#[test]
fn untied_tasks_are_resumed_by_anyone() {
    let mut p = Program::default();
    let x = p.var(Type::Int, Storage::Static);
    let inner = untied(vec![Stmt::Taskwait, assign(Place::Var(x), int(1))]);
    let outer = untied(vec![inner, Stmt::Taskwait, Stmt::Assert(eq(var(x), 1))]);
    p.main = vec![parallel(2, vec![single(vec![outer])])];
    assert!(clean(&answer(&p)));
}

#[test]
fn a_taskgroup_waits_for_descendants_and_taskwait_for_children() {
    let program = |group: bool| {
        let mut p = Program::default();
        let x = p.var(Type::Int, Storage::Static);
        let tasks = task(vec![task(vec![assign(Place::Var(x), int(1))])]);
        let mut body =
            if group { vec![Stmt::Taskgroup { body: vec![tasks] }] } else { vec![tasks, Stmt::Taskwait] };
        body.push(assign(Place::Var(x), int(2)));
        p.main = vec![parallel(2, vec![single(body)])];
        answer(&p)
    };
    assert!(clean(&program(true)));
    assert!(program(false).race);
}

/// Each of two teams adds one.
fn league(add: fn(Place) -> Stmt) -> Outcome {
    let mut p = Program::default();
    let x = p.var(Type::Int, Storage::Static);
    p.main = vec![Stmt::Teams { teams: 2, body: vec![parallel(1, vec![add(Place::Var(x))])] }];
    answer(&p)
}

#[test]
fn critical_does_not_exclude_among_teams() {
    assert!(league(|x| critical(vec![add(x, int(1))])).race);
    let outcome = league(|place| Stmt::AtomicAdd { place, value: int(1) });
    assert!(clean(&outcome));
    assert_eq!(firsts(&outcome), [2]);
}

#[test]
fn distribute_gives_any_iteration_to_any_team() {
    let mut p = Program::default();
    let slots = p.var(Type::Ints(2), Storage::Static);
    let (m, i) = (p.var(Type::Int, Storage::Local), p.var(Type::Int, Storage::Local));
    let body = vec![
        declare(m, int(0)),
        Stmt::Distribute { iter: i, n: 2, body: vec![add(Place::Var(m), int(1))] },
        assign(elem(slots, Expr::TeamNum), var(m)),
    ];
    p.main = vec![Stmt::Teams { teams: 2, body }];
    let results: Vec<_> = answer(&p).results.into_iter().collect();
    assert_eq!(results, [vec![0, 2], vec![1, 1], vec![2, 0]]);
}

#[test]
fn the_size_of_a_region_is_a_matter_of_the_task() {
    let mut p = Program::default();
    let x = p.var(Type::Int, Storage::Static);
    let set = |n| Stmt::SetNumThreads(int(n));
    let inner = Stmt::Parallel { threads: None, reduction: None, body: vec![add(Place::Var(x), int(1))] };
    let body = vec![set(2), single(vec![set(1)]), single(vec![inner])];
    p.main = vec![set(2), parallel(2, body)];
    // Whoever set it to 1 has a region of one thread, the other one of two.
    let outcome = answer(&p);
    assert!(outcome.race);
    assert!(outcome.results.contains(&vec![1]) && outcome.results.contains(&vec![2]));
}

/// A loop of 4 lanes around `step`, which gets the iteration variable and a local pair.
fn lanes(safelen: Option<u8>, private: bool, step: fn(Var, Var, Var) -> Vec<Stmt>) -> Outcome {
    let mut p = Program::default();
    let a = p.var(Type::Ints(6), Storage::Static);
    let (s, i) = (p.var(Type::Pair, Storage::Local), p.var(Type::Int, Storage::Local));
    let body = step(a, s, i);
    let private = private.then_some(s);
    p.main = vec![declare(s, int(0)), Stmt::Simd { iter: i, n: 4, safelen, private, body }];
    answer(&p)
}

#[test]
fn lanes_nearer_than_safelen_race() {
    let ahead =
        |a: Var, _: Var, i: Var| vec![assign(elem(a, bin(Bin::Add, var(i), int(2))), load(elem(a, var(i))))];
    assert!(lanes(None, false, ahead).race);
    assert!(lanes(Some(3), false, ahead).race);
    assert!(clean(&lanes(Some(2), false, ahead)));
}

#[test]
fn a_field_is_shared_by_lanes_unless_private() {
    let field = |_: Var, s: Var, i: Var| vec![assign(Place::Field(s, 1), var(i))];
    assert!(lanes(None, false, field).race);
    assert!(clean(&lanes(Some(1), false, field)));
    assert!(clean(&lanes(None, true, field)));
}

#[test]
fn a_reduction_gathers_private_copies() {
    for (op, expected) in [(Reduction::Sum, 3), (Reduction::Max, 2)] {
        let mut p = Program::default();
        let x = p.var(Type::Int, Storage::Static);
        let body = vec![assign(Place::Var(x), bin(Bin::Add, Expr::ThreadNum, int(1)))];
        p.main = vec![Stmt::Parallel { threads: Some(2), reduction: Some((op, x)), body }];
        let outcome = answer(&p);
        assert!(clean(&outcome));
        assert_eq!(firsts(&outcome), [expected]);
    }
}

#[test]
fn atomics_order_nothing() {
    let mut p = Program::default();
    let (x, flag) = (p.var(Type::Int, Storage::Static), p.var(Type::Int, Storage::Static));
    let got = p.var(Type::Int, Storage::Local);
    let body = vec![
        declare(got, int(0)),
        Stmt::AtomicCapture { to: got, place: Place::Var(flag), value: 1 },
        when(eq(var(got), 1), vec![assign(Place::Var(x), int(1))]),
        when(eq(var(got), 0), vec![assign(Place::Var(x), int(2))]),
    ];
    p.main = vec![parallel(2, body)];
    assert!(answer(&p).race);
}

#[test]
fn a_local_that_has_ended_is_a_misuse() {
    let mut p = Program::default();
    let table = p.var(Type::Pointers(2), Storage::Static);
    let (m, i) = (p.var(Type::Int, Storage::Local), p.var(Type::Int, Storage::Local));
    let piece = vec![declare(m, int(0)), assign(elem(table, var(i)), Expr::Addr(Place::Var(m)))];
    let through = Place::At(Box::new(load(elem(table, int(0)))), 0);
    p.main = vec![parallel(1, vec![dynamic(i, 1, piece)]), assign(through, int(1))];
    assert!(judge(&p).expect("small").1.misuse);
}

/// `whole = whole || *q == 1` in a critical construct.
fn one_of(whole: Var, q: Var) -> Stmt {
    let value = Expr::Or(Box::new(var(whole)), Box::new(eq(load(at(q)), 1)));
    critical(vec![assign(Place::Var(whole), value)])
}

/// Pieces whose own variable has the number of their thread, and a claim that some piece had number 1.
fn picked(inner: impl Fn(&mut Program, Expr, Var) -> Stmt) -> Outcome {
    let mut p = Program::default();
    let any = p.var(Type::Int, Storage::Static);
    let (v, i) = (p.var(Type::Int, Storage::Local), p.var(Type::Int, Storage::Local));
    let step = inner(&mut p, Expr::Addr(Place::Var(v)), any);
    let piece = vec![declare(v, Expr::ThreadNum), step];
    p.main = vec![parallel(2, vec![dynamic(i, 2, piece)]), Stmt::Assert(eq(var(any), 1))];
    answer(&p)
}

#[test]
fn a_function_reads_what_its_pointer_points_to() {
    let outcome = picked(|p, pointer, any| {
        let param = p.var(Type::Pointer, Storage::Local);
        Stmt::Call { param, arg: pointer, body: vec![one_of(any, param)] }
    });
    // Thread 0 may execute both pieces.
    assert!(outcome.assertion && !outcome.race);
    assert_eq!(firsts(&outcome), [1]);
}

#[test]
fn inner_implicit_tasks_read_the_number_of_the_outer_thread() {
    let outcome = picked(|p, pointer, any| {
        let q = p.var(Type::Pointer, Storage::Local);
        let inner = parallel(2, vec![one_of(any, q)]);
        when(int(1), vec![declare(q, pointer), inner])
    });
    assert!(outcome.assertion && !outcome.race);
    assert_eq!(firsts(&outcome), [1]);
}

#[test]
fn the_lines_of_a_function_are_its_own() {
    let mut p = Program::default();
    let x = p.var(Type::Int, Storage::Static);
    let param = p.var(Type::Int, Storage::Local);
    let body = vec![add(Place::Var(x), var(param))];
    p.main = vec![parallel(2, vec![Stmt::Call { param, arg: int(1), body }])];
    let (printed, outcome) = judge(&p).expect("small");
    let line = 1 + printed.source.lines().position(|l| l.contains("+= v1")).expect("the addition") as u32;
    let pairs: Vec<(u32, u32)> = outcome.races.iter().map(|r| (r.1, r.2)).collect();
    assert_eq!(pairs, [(line, line)], "{}", printed.source);
    assert!(printed.source.contains("static void f1(int v1);"));
}

/// Two pieces do something with the block of their thread, out of a table that is filled before.
fn blocks(steps: impl Fn(Place, Expr) -> Vec<Stmt>) -> Outcome {
    let mut p = Program::default();
    let table = p.var(Type::Pointers(2), Storage::Static);
    let i = p.var(Type::Int, Storage::Local);
    let piece = steps(elem(table, Expr::ThreadNum), var(i));
    p.main = (0..2).map(|k| assign(elem(table, int(k)), Expr::Alloc(1))).collect();
    p.main.push(parallel(2, vec![dynamic(i, 2, piece)]));
    answer(&p)
}

fn faults(outcome: &Outcome) -> Vec<&str> {
    assert!(!outcome.race && !outcome.deadlock && !outcome.assertion);
    outcome.faults.iter().map(String::as_str).collect()
}

#[test]
fn one_thread_may_free_its_block_twice() {
    let outcome = blocks(|block, _| vec![Stmt::Free(load(block))]);
    assert_eq!(faults(&outcome), ["double-free"]);
    assert!(!outcome.results.is_empty() || outcome.states > 1);
    // A new one, or none, in its place.
    assert!(clean(&blocks(|b, _| vec![Stmt::Free(load(b.clone())), assign(b, Expr::Alloc(1))])));
    assert!(clean(&blocks(|b, _| vec![Stmt::Free(load(b.clone())), assign(b, int(0))])));
    assert!(clean(&blocks(|b, _| vec![assign(b.clone(), Expr::Realloc(Box::new(load(b)), 1))])));
}

#[test]
fn what_was_freed_is_used_if_one_thread_does_both() {
    let through = |block: Place| Place::At(Box::new(load(block)), 0);
    let either = |block: Place, i: Expr| Stmt::If {
        test: eq(i, 0),
        then: vec![Stmt::Free(load(block.clone()))],
        otherwise: vec![assign(through(block), int(1))],
    };
    assert_eq!(faults(&blocks(|b, i| vec![either(b, i)])), ["use-after-free"]);
    let resized = |b: Place| assign(b.clone(), Expr::Realloc(Box::new(load(b)), 1));
    let outcome = blocks(|b, i| vec![when(eq(i, 0), vec![Stmt::Free(load(b.clone()))]), resized(b)]);
    assert_eq!(faults(&outcome), ["use-after-free"]);
}

#[test]
fn a_resized_block_keeps_what_it_held() {
    let mut p = Program::default();
    let x = p.var(Type::Int, Storage::Static);
    let q = p.var(Type::Pointer, Storage::Local);
    p.main = vec![
        declare(q, Expr::Alloc(2)),
        assign(at(q), int(7)),
        assign(Place::Var(q), Expr::Realloc(Box::new(var(q)), 1)),
        assign(Place::Var(x), load(at(q))),
        Stmt::Free(int(0)),
        Stmt::Free(var(q)),
    ];
    assert_eq!(firsts(&answer(&p)), [7]);
    p.main.push(Stmt::Free(Expr::Addr(Place::Var(x))));
    assert_eq!(faults(&answer(&p)), ["invalid-free"]);
}

#[test]
fn freeing_writes_the_block() {
    let mut p = Program::default();
    let table = p.var(Type::Pointers(1), Storage::Static);
    let block = || load(elem(table, int(0)));
    let of = |number: i64, step: Stmt| when(eq(Expr::ThreadNum, number), vec![step]);
    let write = assign(Place::At(Box::new(block()), 0), int(1));
    let allocate = assign(elem(table, int(0)), Expr::Alloc(1));
    p.main = vec![allocate.clone(), parallel(2, vec![of(0, Stmt::Free(block())), of(1, write)])];
    assert!(answer(&p).race);
    // Both come too late, and neither is before the other.
    let late = vec![allocate.clone(), Stmt::Free(block()), parallel(2, vec![Stmt::Free(block())])];
    let outcome = answer(&Program { main: late, ..p.clone() });
    assert!(outcome.race && outcome.faults.contains("double-free"));
    // In turn: no race, but the second one is too late.
    p.main = vec![allocate, parallel(2, vec![critical(vec![Stmt::Free(block())])])];
    assert_eq!(faults(&answer(&p)), ["double-free"]);
}

/// Pieces 0 and 1 add one under a lock; `declared` makes the lock a local of the piece.
fn locked(declared: bool, call: bool, pieces: fn(u8, Var, Vec<Stmt>) -> Stmt) -> Outcome {
    let mut p = Program::default();
    let x = p.var(Type::Int, Storage::Static);
    let storage = if declared { Storage::Local } else { Storage::Static };
    let l = p.var(Type::Lock, storage);
    let (i, param) = (p.var(Type::Int, Storage::Local), p.var(Type::Int, Storage::Local));
    let lock = || Place::Var(l);
    let mut body = vec![Stmt::SetLock(lock()), add(Place::Var(x), int(1)), Stmt::UnsetLock(lock())];
    if declared {
        body.insert(0, declare(l, int(0)));
        body.push(Stmt::DestroyLock(lock()));
    }
    let body = if call { vec![Stmt::Call { param, arg: int(0), body }] } else { body };
    p.main = vec![parallel(2, vec![pieces(2, i, body)])];
    answer(&p)
}

#[test]
fn a_lock_of_the_piece_excludes_nobody() {
    let iterations = |n: u8, i: Var, body: Vec<Stmt>| dynamic(i, n, body);
    let tasks =
        |n: u8, _: Var, body: Vec<Stmt>| single((0..n).map(|_| task(body.clone())).collect::<Vec<_>>());
    for pieces in [iterations, tasks] {
        for call in [false, true] {
            assert!(locked(true, call, pieces).race);
            let outcome = locked(false, call, pieces);
            assert!(clean(&outcome));
            assert_eq!(firsts(&outcome), [2]);
        }
    }
}

/// Two pieces do something with the lock of their thread.
fn lock_of_thread(before: bool, steps: fn(Place, Expr) -> Vec<Stmt>) -> Outcome {
    let mut p = Program::default();
    let l = p.var(Type::Locks(2), Storage::Static);
    let i = p.var(Type::Int, Storage::Local);
    let mine = || elem(l, Expr::ThreadNum);
    let mut body = vec![dynamic(i, 2, steps(mine(), var(i)))];
    if before {
        body.insert(0, Stmt::SetLock(mine()));
    }
    p.main = vec![parallel(2, body)];
    answer(&p)
}

#[test]
fn a_thread_waits_for_itself_or_gives_back_what_it_has_not() {
    let outcome = lock_of_thread(false, |mine, _| vec![Stmt::SetLock(mine)]);
    assert!(outcome.deadlock && !outcome.race && outcome.faults.is_empty());
    let both = |mine: Place, _: Expr| vec![Stmt::SetLock(mine.clone()), Stmt::UnsetLock(mine)];
    assert!(clean(&lock_of_thread(false, both)));
    assert_eq!(faults(&lock_of_thread(true, |mine, _| vec![Stmt::UnsetLock(mine)])), ["lock-misuse"]);
    let first = |mine: Place, i: Expr| vec![when(eq(i, 0), vec![Stmt::UnsetLock(mine)])];
    assert!(clean(&lock_of_thread(true, first)));
    assert_eq!(faults(&lock_of_thread(false, |mine, _| vec![Stmt::DestroyLock(mine)])), ["lock-misuse"]);
    assert_eq!(faults(&lock_of_thread(true, |mine, _| vec![Stmt::DestroyLock(mine)])), ["lock-misuse"]);
}

#[test]
fn a_lock_that_a_task_has_left_set_stays_so() {
    let mut p = Program::default();
    let l = p.var(Type::Lock, Storage::Static);
    let lock = || Place::Var(l);
    let keeps = task(vec![Stmt::SetLock(lock())]);
    p.main = vec![parallel(2, vec![single(vec![keeps.clone()])])];
    assert!(clean(&answer(&p)));
    p.main = vec![parallel(2, vec![single(vec![keeps.clone(), keeps])])];
    assert!(answer(&p).deadlock);
}

#[test]
fn some_shares_are_open_and_all_of_them_are_not() {
    // What the statements behind the loop leave in X, over all distributions of two iterations.
    let followed = |steps: fn(Var, [Place; 2]) -> Vec<Stmt>| {
        let mut p = Program::default();
        let x = p.var(Type::Int, Storage::Static);
        let slots = p.var(Type::Ints(2), Storage::Static);
        let i = p.var(Type::Int, Storage::Local);
        let gather = dynamic(i, 2, vec![add(elem(slots, Expr::ThreadNum), int(1))]);
        p.main = vec![parallel(2, vec![gather])];
        p.main.extend(steps(x, [elem(slots, int(0)), elem(slots, int(1))]));
        let outcome = answer(&p);
        assert!(clean(&outcome));
        firsts(&outcome)
    };
    let twice = |x: Var, [a, b]: [Place; 2]| {
        vec![
            assign(Place::Var(x), load(a.clone())),
            add(Place::Var(x), load(a)),
            assign(Place::Var(x), bin(Bin::Add, var(x), load(b))),
        ]
    };
    assert_eq!(followed(twice), [2, 3, 4]);
    let taken_away = |x: Var, [a, b]: [Place; 2]| {
        vec![
            add(Place::Var(x), load(a.clone())),
            add(Place::Var(x), load(b)),
            Stmt::Sub { place: Place::Var(x), value: load(a) },
        ]
    };
    assert_eq!(followed(taken_away), [0, 1, 2]);
    let whole = |x: Var, [a, b]: [Place; 2]| {
        vec![
            add(Place::Var(x), load(a.clone())),
            assign(Place::Var(x), int(0)),
            add(Place::Var(x), load(a)),
            add(Place::Var(x), load(b)),
        ]
    };
    assert_eq!(followed(whole), [2]);
}

#[test]
fn every_thread_of_a_team_knows_the_number_of_the_team() {
    let mut p = Program::default();
    let slots = p.var(Type::Ints(2), Storage::Static);
    let step = critical(vec![add(elem(slots, Expr::TeamNum), int(1))]);
    p.main = vec![Stmt::Teams { teams: 2, body: vec![parallel(2, vec![step])] }];
    let outcome = answer(&p);
    assert!(clean(&outcome));
    assert_eq!(outcome.results.into_iter().collect::<Vec<_>>(), [vec![2, 2]]);
}
