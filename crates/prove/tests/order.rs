//! D against a transitive closure over all positions, on random structures of threads, barriers, regions, pieces and tasks.

use machine::{ShareKind, Work};
use prove::order::{Order, Pos};

struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// Edges between positions, closed naively.
#[derive(Default)]
struct Naive {
    edges: Vec<(Pos, Pos)>,
}

impl Naive {
    fn closure(&self, n: usize) -> Vec<Vec<bool>> {
        let mut reach = vec![vec![false; n]; n];
        for &(a, b) in &self.edges {
            reach[a as usize][b as usize] = true;
        }
        for k in 0..n {
            for i in 0..n {
                if reach[i][k] {
                    let through = reach[k].clone();
                    reach[i].iter_mut().zip(through).for_each(|(r, t)| *r |= t);
                }
            }
        }
        reach
    }
}

fn compare(order: &Order, naive: &Naive, used: &[Pos]) {
    assert_eq!(order.doubt(), None);
    let reach = naive.closure(order.len());
    for &a in used {
        for &b in used {
            let expected = a == b || reach[a as usize][b as usize] || reach[b as usize][a as usize];
            assert_eq!(order.ordered_pair(a, b), expected, "positions {a} and {b}");
        }
    }
}

/// Threads that create and join each other, with barriers among all that run.
#[test]
fn threads_and_barriers() {
    for seed in 0..300 {
        let mut rng = Rng(seed);
        let mut order = Order::new();
        let mut naive = Naive::default();
        let mut used = vec![order.pos(0)];
        let mut running = vec![0usize];
        let mut count = 1;
        let step = |order: &Order, naive: &mut Naive, used: &mut Vec<Pos>, t: usize, old: Pos| {
            naive.edges.push((old, order.pos(t)));
            used.push(order.pos(t));
        };
        for _ in 0..12 {
            let t = running[rng.below(running.len())];
            let old = order.pos(t);
            match rng.below(3) {
                0 if count < 6 => {
                    order.fork(t, count);
                    step(&order, &mut naive, &mut used, t, old);
                    step(&order, &mut naive, &mut used, count, old);
                    running.push(count);
                    count += 1;
                }
                1 if running.len() > 1 => {
                    let u = running[rng.below(running.len())];
                    if u != t && u != 0 {
                        order.end(u);
                        let last = order.pos(u);
                        order.join(t, u);
                        step(&order, &mut naive, &mut used, t, old);
                        naive.edges.push((last, order.pos(t)));
                        running.retain(|&r| r != u);
                    }
                }
                _ => {
                    let before: Vec<(usize, Pos)> = running.iter().map(|&r| (r, order.pos(r))).collect();
                    before.iter().for_each(|&(r, _)| order.work(r, &Work::Arrive(8)));
                    before.iter().for_each(|&(r, _)| order.work(r, &Work::Leave(8)));
                    for &(r, _) in &before {
                        for &(_, old) in &before {
                            naive.edges.push((old, order.pos(r)));
                        }
                        used.push(order.pos(r));
                    }
                }
            }
        }
        compare(&order, &naive, &used);
    }
}

/// Regions with open and fixed pieces, phases, and tasks that are created and waited for.
#[test]
fn regions_pieces_and_tasks() {
    for seed in 0..300 {
        let mut rng = Rng(seed + 1000);
        let mut order = Order::new();
        let mut naive = Naive::default();
        let team = 2 + rng.below(2);
        let mut used = vec![order.pos(0)];
        let before = order.pos(0);
        order.work(0, &Work::Fork { region: 1, members: (0..team).collect() });
        let mut phase: Vec<Pos> = Vec::new();
        let mut fixed: Vec<Pos> = (0..team).map(|m| order.pos(m)).collect();
        for &p in &fixed {
            naive.edges.push((before, p));
        }
        phase.extend(&fixed);
        let (mut share, mut task) = (0, 0);
        let mut all = phase.clone();
        for _ in 0..10 {
            let m = rng.below(team);
            match rng.below(4) {
                0 => {
                    // An open piece, which nothing of this phase is ordered with.
                    share += 1;
                    let work = Work::Begin {
                        share,
                        nth: share.into(),
                        kind: ShareKind::Loop,
                        number: 0,
                        count: 1,
                        open: true,
                        again: None,
                        mapping: None,
                    };
                    order.work(m, &work);
                    let inside = order.pos(m);
                    order.work(m, &Work::End { share });
                    naive.edges.push((fixed[m], order.pos(m)));
                    fixed[m] = order.pos(m);
                    phase.extend([inside, fixed[m]]);
                }
                1 => {
                    // A fixed piece, part of its thread.
                    share += 1;
                    let work = Work::Begin {
                        share,
                        nth: share.into(),
                        kind: ShareKind::Loop,
                        number: 0,
                        count: 4,
                        open: false,
                        again: None,
                        mapping: None,
                    };
                    order.work(m, &work);
                    let inside = order.pos(m);
                    order.work(m, &Work::End { share });
                    naive.edges.extend([(fixed[m], inside), (inside, order.pos(m))]);
                    fixed[m] = order.pos(m);
                    phase.extend([inside, fixed[m]]);
                }
                2 => {
                    // A task that another thread executes; its creator may wait for it.
                    task += 1;
                    let work = Work::TaskCreate {
                        task,
                        after: vec![],
                        excludes: vec![],
                        undeferred: false,
                        offloaded: false,
                    };
                    order.work(m, &work);
                    naive.edges.push((fixed[m], order.pos(m)));
                    let created = fixed[m];
                    fixed[m] = order.pos(m);
                    let other = rng.below(team);
                    order.work(other, &Work::TaskBegin { task });
                    let inside = order.pos(other);
                    naive.edges.push((created, inside));
                    order.work(other, &Work::TaskEnd { task, complete: true });
                    naive.edges.push((fixed[other], order.pos(other)));
                    fixed[other] = order.pos(other);
                    phase.extend([inside, fixed[m], fixed[other]]);
                    if rng.below(2) == 0 {
                        let old = fixed[m];
                        order.work(m, &Work::TaskWait { tasks: vec![task] });
                        fixed[m] = order.pos(m);
                        naive.edges.extend([(old, fixed[m]), (inside, fixed[m])]);
                        phase.push(fixed[m]);
                    }
                }
                _ => {
                    order.work(m, &Work::Phase { region: 1 });
                    for (member, position) in fixed.iter_mut().enumerate() {
                        *position = order.pos(member);
                        naive.edges.extend(phase.iter().map(|&p| (p, *position)));
                    }
                    all.append(&mut phase);
                    phase.extend(&fixed);
                    // An open piece of the new phase is after all of the old one, too: checked through fixed positions.
                    all.extend(&fixed);
                }
            }
        }
        all.extend(&phase);
        // Pieces of later phases come after everything of earlier ones.
        let phases: Vec<(u32, u32)> = all.iter().map(|&p| order.phase(p)).collect();
        for (i, &a) in all.iter().enumerate() {
            for (j, &b) in all.iter().enumerate() {
                if phases[i].1 < phases[j].1 {
                    naive.edges.push((a, b));
                }
            }
        }
        order.work(0, &Work::Join { region: 1 });
        let after = order.pos(0);
        naive.edges.extend(all.iter().map(|&p| (p, after)));
        used.extend(&all);
        used.push(after);
        for &p in &all {
            naive.edges.push((before, p));
        }
        compare(&order, &naive, &used);
    }
}

fn create(order: &mut Order, t: usize, task: u32, after: &[u32], excludes: &[u32]) {
    let (after, excludes) = (after.to_vec(), excludes.to_vec());
    order.work(t, &Work::TaskCreate { task, after, excludes, undeferred: false, offloaded: false });
}

/// Executes a task on a thread; where it was.
fn execute(order: &mut Order, t: usize, task: u32) -> Pos {
    order.work(t, &Work::TaskBegin { task });
    let inside = order.pos(t);
    order.work(t, &Work::TaskEnd { task, complete: true });
    inside
}

fn piece(share: u32, number: u64) -> Work {
    Work::Begin {
        share,
        nth: share.into(),
        kind: ShareKind::Loop,
        number,
        count: 1,
        open: true,
        again: None,
        mapping: None,
    }
}

/// The children of an implicit task are those of all pieces that its thread happens to execute: nothing may rest on that.
#[test]
fn tasks_of_different_pieces_are_no_siblings() {
    let mut order = Order::new();
    order.work(0, &Work::Fork { region: 1, members: vec![0, 1] });
    order.work(0, &piece(1, 0));
    create(&mut order, 0, 1, &[], &[]);
    create(&mut order, 0, 2, &[1], &[]);
    order.work(0, &Work::End { share: 1 });
    order.work(0, &piece(1, 1));
    create(&mut order, 0, 3, &[2], &[]);
    create(&mut order, 0, 4, &[], &[3]);
    order.work(0, &Work::End { share: 1 });
    let at: Vec<Pos> = [1, 2, 3, 4].map(|task| execute(&mut order, task as usize % 2, task)).to_vec();
    order.work(0, &Work::TaskWait { tasks: vec![1, 2, 3, 4] });
    let waited = order.pos(0);
    assert_eq!(order.doubt(), None);
    assert!(order.ordered_pair(at[0], at[1]), "siblings of one piece");
    assert!(!order.ordered_pair(at[1], at[2]), "another piece");
    assert!(order.exclude(at[2], at[3]) && !order.ordered_pair(at[2], at[3]));
    assert!(at.iter().all(|&p| !order.ordered_pair(p, waited)), "who waits for them is open");
    order.work(1, &Work::Phase { region: 1 });
    assert!(at.iter().all(|&p| order.ordered_pair(p, order.pos(1))));
}

/// A task group waits for descendants, `taskwait` only for children; undeferred tasks are parts of their creators.
#[test]
fn groups_wait_for_descendants() {
    let mut order = Order::new();
    order.work(0, &Work::Fork { region: 1, members: vec![0, 1] });
    create(&mut order, 0, 1, &[], &[]);
    order.work(1, &Work::TaskBegin { task: 1 });
    create(&mut order, 1, 2, &[], &[]);
    let after_creation = order.pos(1);
    let grandchild = execute(&mut order, 0, 2);
    order.work(1, &Work::TaskEnd { task: 1, complete: true });
    order.work(0, &Work::TaskWait { tasks: vec![1] });
    let child_done = order.pos(0);
    assert!(order.ordered_pair(after_creation, child_done));
    assert!(!order.ordered_pair(grandchild, child_done));
    assert!(!order.ordered_pair(grandchild, after_creation));
    order.work(0, &Work::TaskWait { tasks: vec![1, 2] });
    assert!(order.ordered_pair(grandchild, order.pos(0)));
    let chain = order.chain(order.pos(0));
    order.work(
        0,
        &Work::TaskCreate { task: 3, after: vec![], excludes: vec![], undeferred: true, offloaded: false },
    );
    order.work(0, &Work::TaskBegin { task: 3 });
    assert_eq!(order.chain(order.pos(0)), chain);
    order.work(0, &Work::TaskEnd { task: 3, complete: true });
    order.work(0, &Work::TaskWait { tasks: vec![3] });
    assert_eq!(order.doubt(), None);
}

/// Names do not depend on who executes what, or when.
#[test]
fn names_are_the_same_in_other_schedules() {
    let names = |owners: [usize; 2], swap: bool| {
        let mut order = Order::new();
        order.work(0, &Work::Fork { region: 1, members: vec![0, 1] });
        let mut found = Vec::new();
        for (number, t) in owners.into_iter().enumerate() {
            order.work(t, &piece(7, number as u64));
            let task = number as u32 * 10;
            create(&mut order, t, task + u32::from(swap), &[], &[]);
            create(&mut order, t, task + u32::from(!swap), &[], &[]);
            found.push(order.name(order.pos(t)));
            order.work(t, &Work::End { share: 7 });
        }
        for task in [0, 1, 10, 11] {
            let task = if swap { task ^ 1 } else { task };
            let at = execute(&mut order, (task as usize + usize::from(swap)) % 2, task);
            found.push(order.name(at));
        }
        found
    };
    let first = names([0, 1], false);
    assert_eq!(first, names([1, 1], true));
    let different: std::collections::HashSet<_> = first.iter().collect();
    assert_eq!(different.len(), first.len());
}
