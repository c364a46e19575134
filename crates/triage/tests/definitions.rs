//! The answer against P3's definitions taken literally: start and finish nodes, transitive dependences, all pairs of races.
//!
//! With flow dependences as event control. The order of the run is compared with SHB: a pair is feasible there exactly if
//! happens-before with observations leaves it unordered.

#![allow(clippy::needless_range_loop, reason = "the numbers are events")]

mod common;

use common::{Random, Run, program, run};
use predict::{Options as PredictOptions, Pairs};
use trace::{EventId, Op};
use triage::{EventControl, Feasibility, Options, Triage, View, triage};

type Matrix = Vec<Vec<bool>>;

fn close(m: &mut Matrix) {
    for k in 0..m.len() {
        for i in 0..m.len() {
            if m[i][k] {
                for j in 0..m.len() {
                    m[i][j] |= m[k][j];
                }
            }
        }
    }
}

/// Happens-before of the run's events.
fn happens_before(run: &Run) -> Matrix {
    let n = run.trace.len();
    let mut hb = vec![vec![false; n]; n];
    let op = |i: usize| run.trace.events[i].op;
    let thread = |i: usize| run.trace.events[i].thread;
    let nth = |i: usize| run.threads[thread(i).index()].iter().position(|e| e.index() == i).unwrap();
    for i in 0..n {
        for j in i + 1..n {
            hb[i][j] = thread(i) == thread(j)
                || match (op(i), op(j)) {
                    (Op::Fork(t), _) => thread(j) == t,
                    (_, Op::Join(t)) => thread(i) == t,
                    (Op::Release(a), Op::Acquire(b)) | (Op::Notify(a), Op::Wait(b)) => a == b,
                    (Op::AtomicWrite(a), Op::AtomicRead(b)) => {
                        let between = |k: usize| op(k).is_write() && op(k).variable() == Some(a);
                        a == b && !(i + 1..j).any(between)
                    }
                    (Op::Barrier(_), _) => {
                        // The programs have one barrier, and each thread passes it once.
                        let mine = run.threads[thread(j).index()].iter();
                        mine.clone().take(nth(j)).any(|e| matches!(op(e.index()), Op::Barrier(_)))
                    }
                    _ => false,
                };
        }
    }
    close(&mut hb);
    hb
}

/// The computation and synchronisation events of a view, each with its trace events.
fn units(run: &Run, view: View) -> Vec<Vec<usize>> {
    let mut units: Vec<Vec<usize>> = Vec::new();
    for thread in &run.threads {
        let mut open = false;
        for id in thread {
            let op = run.trace.event(*id).op;
            let plain = op.variable().is_some() && !op.is_atomic();
            if plain && open && view == View::Segments {
                units.last_mut().unwrap().push(id.index());
            } else {
                units.push(vec![id.index()]);
            }
            open = plain;
        }
    }
    units
}

struct Naive {
    units: Vec<Vec<usize>>,
    races: Vec<(usize, usize)>,
    feasibility: Vec<Feasibility>,
    partition: Vec<usize>,
    first: Vec<bool>,
}

fn naive(run: &Run, view: View) -> Naive {
    let hb = happens_before(run);
    let units = units(run, view);
    let n = units.len();
    let event = |i: usize| &run.trace.events[i];
    let ordered = |a: usize, b: usize| units[a].iter().any(|&i| units[b].iter().any(|&j| hb[i][j]));
    let any = |a: usize, b: usize, f: &dyn Fn(usize, usize) -> bool| {
        units[a].iter().any(|&i| units[b].iter().any(|&j| f(i, j)))
    };
    let conflict = |i: usize, j: usize| event(i).conflicts(event(j));
    let flow = |i: usize, j: usize| conflict(i, j) && event(i).op.is_write() && event(j).op.is_read();
    let atomics = |i: usize, j: usize| {
        let (a, b) = (event(i), event(j));
        let both = a.op.is_atomic() && b.op.is_atomic() && a.op.variable() == b.op.variable();
        both && i < j && (a.op.is_write() || b.op.is_write())
    };
    let (mut order, mut data, mut control) =
        (vec![vec![false; n]; n], vec![vec![false; n]; n], vec![vec![false; n]; n]);
    let mut races = Vec::new();
    for a in 0..n {
        for b in 0..n {
            let t = a != b && ordered(a, b);
            let apart = a != b && !t && !ordered(b, a);
            order[a][b] = t;
            data[a][b] = t || apart && any(a, b, &conflict) || any(a, b, &atomics);
            control[a][b] = t || apart && any(a, b, &flow);
            if a < b && apart && any(a, b, &conflict) {
                races.push((a, b));
            }
        }
    }
    close(&mut data);
    close(&mut control);
    let graph = |edges: &Matrix| {
        // Nodes: 2 e is the start, 2 e + 1 the finish.
        let mut g = vec![vec![false; 2 * n]; 2 * n];
        for a in 0..n {
            g[2 * a][2 * a + 1] = true;
            for b in 0..n {
                g[2 * a + 1][2 * b] |= order[a][b];
                g[2 * a][2 * b + 1] |= edges[a][b];
            }
        }
        close(&mut g);
        g
    };
    let (gd, ge) = (graph(&data), graph(&control));
    let segments = view == View::Segments;
    // P3's paths, and those of single accesses: from the access itself, and to its start.
    let path = |g: &Matrix, a: usize, b: usize, to_finish: bool| {
        if segments { g[2 * a + 1][2 * b + usize::from(to_finish)] } else { g[2 * a][2 * b] }
    };
    let feasibility = |&(a, b): &(usize, usize)| {
        let none = |g: &Matrix, to_finish| !path(g, a, b, to_finish) && !path(g, b, a, to_finish);
        let cycle = |x: usize, y: usize| gd[x][y] && gd[y][x];
        let tangled = if segments {
            cycle(2 * a + 1, 2 * b) || cycle(2 * b + 1, 2 * a)
        } else {
            data[a][b] && data[b][a]
        };
        match () {
            () if none(&gd, false) => Feasibility::NoDependence,
            () if none(&ge, true) => Feasibility::NoControl,
            () if tangled => Feasibility::Tangled,
            () => Feasibility::Unproven,
        }
    };
    let controls = |a: usize, c: usize| if segments { a == c || control[a][c] } else { ge[2 * a][2 * c] };
    let read = |i: usize, j: usize| {
        let v = event(i).op.variable();
        run.trace.events.iter().any(|e| e.op.is_read() && e.op.variable() == v) && conflict(i, j)
    };
    let matters = |&(a, b): &(usize, usize)| any(a, b, &read);
    let before = |r: &(usize, usize), q: &(usize, usize)| {
        let end = |c: usize| controls(r.0, c) && controls(r.1, c);
        matters(r) && (end(q.0) || end(q.1))
    };
    let together = |r: &(usize, usize), q: &(usize, usize)| r == q || before(r, q) && before(q, r);
    let partition = races.iter().map(|r| races.iter().position(|q| together(r, q)).unwrap()).collect();
    let first = races
        .iter()
        .map(|r| {
            let of = races.iter().filter(|q| together(r, q));
            !of.into_iter().any(|q| races.iter().any(|p| before(p, q) && !together(p, q)))
        })
        .collect();
    let feasibility = races.iter().map(feasibility).collect();
    Naive { feasibility, partition, first, units, races }
}

fn compare(run: &Run, view: View, answer: &Triage, context: &str) -> usize {
    let naive = naive(run, view);
    let unit = |id: EventId| naive.units.iter().position(|u| u.contains(&id.index())).unwrap();
    let numbers: Vec<usize> = answer
        .races
        .iter()
        .map(|r| {
            let (a, b) = (unit(r.sites[0].first), unit(r.sites[0].second));
            naive.races.iter().position(|&q| q == (a.min(b), a.max(b))).unwrap()
        })
        .collect();
    assert_eq!(naive.races.is_empty(), answer.races.is_empty(), "{context}");
    for (i, race) in answer.races.iter().enumerate() {
        let at = numbers[i];
        assert_eq!(race.feasibility, naive.feasibility[at], "race {i} {context}");
        let first = answer.partitions[race.partition as usize].first;
        assert_eq!(first, naive.first[at], "race {i} {race:?} {context}");
        for (j, other) in answer.races.iter().enumerate() {
            let same = race.partition == other.partition;
            assert_eq!(same, naive.partition[at] == naive.partition[numbers[j]], "races {i} {j} {context}");
        }
    }
    answer.races.len()
}

#[test]
fn views_of_unknown_order() {
    for view in [View::Accesses, View::Segments] {
        let mut races = 0;
        for seed in 0..600 {
            let mut random = Random(seed);
            let run = run(&program(&mut random), &mut random);
            let answer = triage(&run.trace, EventControl::Flow, Options { view, ..Options::default() });
            let context = || {
                let lines: Vec<String> =
                    run.trace.iter().map(|(i, e)| format!("{} {} {:?}", i.0, e.thread.0, e.op)).collect();
                format!("seed {seed} {view:?}\n{}", lines.join("\n"))
            };
            races += compare(&run, view, &answer, &context());
        }
        assert!(races > 1000, "{races}");
    }
}

#[test]
fn the_order_of_the_run_is_shb() {
    let options = PredictOptions { pairs: Pairs::Events, all_accesses: true, ..PredictOptions::default() };
    let (mut races, mut feasible) = (0, 0);
    for seed in 0..2000 {
        let mut random = Random(seed);
        let run = run(&program(&mut random), &mut random);
        let shb = predict::run(&predict::find("shb").unwrap(), &run.trace, &options);
        let answer = triage(&run.trace, EventControl::Flow, Options::default());
        for race in &answer.races {
            let pair = (race.sites[0].first, race.sites[0].second);
            let by_shb = shb.races.iter().any(|r| (r.first, r.second) == pair);
            assert_eq!(race.feasibility.is_feasible(), by_shb, "seed {seed} {pair:?}");
            races += 1;
            feasible += usize::from(by_shb);
        }
    }
    assert!(races > 1000 && feasible < races, "{feasible} of {races}");
}
