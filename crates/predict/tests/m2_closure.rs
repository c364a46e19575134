//! The chain order against a transitive closure as a matrix, and the closure against its definition.

mod common;

use common::random::Rng;
use predict::closure::close::{Closure, Failure};
use predict::closure::linear::{max_min, order_conflicts};
use predict::closure::order::{ChainOrder, Node};
use predict::closure::problem::{Action, Problem};
use predict::pace::Effort;

/// A reflexive and transitive relation as a matrix.
#[derive(Clone)]
struct Matrix(Vec<Vec<bool>>);

impl Matrix {
    fn chains(lengths: &[usize]) -> Matrix {
        let total: usize = lengths.iter().sum();
        let mut matrix = Matrix(vec![vec![false; total]; total]);
        let mut start = 0;
        for &length in lengths {
            for a in start..start + length {
                for b in a..start + length {
                    matrix.0[a][b] = true;
                }
            }
            start += length;
        }
        matrix
    }

    fn has(&self, a: Node, b: Node) -> bool {
        self.0[a as usize][b as usize]
    }

    fn add(&mut self, a: Node, b: Node) {
        let total = self.0.len();
        for x in 0..total {
            for y in 0..total {
                if self.0[x][a as usize] && self.0[b as usize][y] {
                    self.0[x][y] = true;
                }
            }
        }
    }
}

fn lengths(rng: &mut Rng, chains: usize, longest: usize) -> Vec<usize> {
    (0..chains).map(|_| rng.below(longest + 1)).collect()
}

fn agree(order: &ChainOrder, matrix: &Matrix, what: &str) {
    let total = order.len() as Node;
    for a in 0..total {
        for b in 0..total {
            assert_eq!(order.query(a, b), matrix.has(a, b), "{what}: {a} before {b}");
        }
        for chain in 0..order.chains() {
            let first = order.nodes(chain).find(|&b| matrix.has(a, b));
            let last = order.nodes(chain).rev().find(|&b| matrix.has(b, a));
            assert_eq!(order.successor(a, chain), first, "{what}");
            assert_eq!(order.predecessor(a, chain), last, "{what}");
        }
    }
}

#[test]
fn chain_order_is_the_transitive_closure() {
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let chains = 1 + rng.below(5);
        let lengths = lengths(&mut rng, chains, 9);
        let mut order = ChainOrder::new(&lengths);
        let mut matrix = Matrix::chains(&lengths);
        if order.is_empty() {
            continue;
        }
        for step in 0..25 {
            let (a, b) = (rng.below(order.len()) as Node, rng.below(order.len()) as Node);
            if matrix.has(b, a) {
                continue;
            }
            let before = matrix.clone();
            let mut new = Vec::new();
            order.insert(a, b, &mut new);
            matrix.add(a, b);
            agree(&order, &matrix, &format!("seed {seed}, step {step}"));
            // What is reported as new covers all new orderings between chains.
            for x in 0..order.len() as Node {
                for y in 0..order.len() as Node {
                    if matrix.has(x, y) && !before.has(x, y) {
                        let is_covered = new.iter().any(|n| {
                            order.chain_of(n.from) == order.chain_of(x)
                                && order.chain_of(n.to) == order.chain_of(y)
                                && (n.from_start..=n.from).contains(&x)
                                && (n.to..n.to_end).contains(&y)
                        });
                        assert!(is_covered, "seed {seed}, step {step}: {x} before {y} is new");
                    }
                }
            }
        }
    }
}

#[test]
fn loading_backwards_is_inserting() {
    for seed in 0..300 {
        let mut rng = Rng::new(seed + 7_000);
        let chains = 2 + rng.below(3);
        let problem = random_problem(&mut rng, chains, 8);
        let mut order = ChainOrder::new(&problem.lengths);
        let mut matrix = Matrix::chains(&problem.lengths);
        let mut edges = problem.edges.clone();
        edges.sort_by_key(|&(a, _)| std::cmp::Reverse(problem.times[a as usize]));
        order.load_backwards(&edges, &mut Vec::new());
        for &(a, b) in &problem.edges {
            matrix.add(a, b);
        }
        agree(&order, &matrix, &format!("seed {seed}"));
    }
}

/// A random run of writes, reads and sections, cut into chains, with the observation edges.
fn random_problem(rng: &mut Rng, chains: usize, longest: usize) -> Problem {
    let mut rows: Vec<Vec<(Action, u32)>> = vec![Vec::new(); chains];
    let mut written: Vec<Option<(usize, usize)>> = vec![None; 2];
    let mut observed: Vec<(usize, usize, usize, usize)> = Vec::new();
    let mut holder: [Option<(usize, usize)>; 2] = [None; 2];
    let mut matched: Vec<(usize, usize, usize)> = Vec::new();
    for time in 0..(chains * longest) as u32 {
        let chain = rng.below(chains);
        if rows[chain].len() >= longest {
            continue;
        }
        let at = rows[chain].len();
        let variable = rng.below(2);
        let lock = rng.below(2);
        let action = match (rng.below(10), holder[lock]) {
            (0..=2, None) => {
                holder[lock] = Some((chain, at));
                Action::Acquire { lock: lock as u32, release: None }
            }
            (0..=4, Some((owner, acquire))) if owner == chain => {
                holder[lock] = None;
                matched.push((chain, acquire, at));
                Action::Release { lock: lock as u32, acquire: None }
            }
            (5..=6, _) => {
                written[variable] = Some((chain, at));
                Action::Write { variable: variable as u32 }
            }
            _ => match written[variable] {
                Some((writer, place)) => {
                    observed.push((writer, place, chain, at));
                    Action::Read { variable: variable as u32, from: 0 }
                }
                None => Action::Other,
            },
        };
        rows[chain].push((action, time));
    }
    let starts: Vec<usize> =
        rows.iter().scan(0, |sum, row| Some(std::mem::replace(sum, *sum + row.len()))).collect();
    let node = |chain: usize, at: usize| (starts[chain] + at) as Node;
    let mut problem = Problem { lengths: rows.iter().map(Vec::len).collect(), ..Problem::default() };
    for (action, time) in rows.into_iter().flatten() {
        problem.actions.push(action);
        problem.times.push(time);
    }
    for (writer, place, reader, at) in observed {
        if let Action::Read { from, .. } = &mut problem.actions[node(reader, at) as usize] {
            *from = node(writer, place);
        }
        problem.edges.push((node(writer, place), node(reader, at)));
    }
    for (chain, acquire, release) in matched {
        if let Action::Acquire { release: slot, .. } = &mut problem.actions[node(chain, acquire) as usize] {
            *slot = Some(node(chain, release));
        }
        if let Action::Release { acquire: slot, .. } = &mut problem.actions[node(chain, release) as usize] {
            *slot = Some(node(chain, acquire));
        }
    }
    // A section left open comes behind the others.
    for (a, open) in problem.actions.iter().enumerate() {
        if let Action::Acquire { lock, release: None } = *open {
            for (b, other) in problem.actions.iter().enumerate() {
                if matches!(other, Action::Release { lock: l, .. } if *l == lock) {
                    problem.extra.push((b as Node, a as Node));
                }
            }
        }
    }
    problem
}

/// The closure by its definition: add what is missing until nothing is. `None` if there is a cycle.
fn naive_closure(problem: &Problem, extra: &[(Node, Node)]) -> Option<Matrix> {
    let mut order = Matrix::chains(&problem.lengths);
    for &(a, b) in problem.edges.iter().chain(&problem.extra).chain(extra) {
        order.add(a, b);
    }
    let total = problem.actions.len() as Node;
    loop {
        for a in 0..total {
            for b in 0..total {
                if a != b && order.has(a, b) && order.has(b, a) {
                    return None;
                }
            }
        }
        let Some((a, b)) = missing(problem, &order) else { return Some(order) };
        order.add(a, b);
    }
}

/// An ordering that the rules demand and the order lacks.
fn missing(problem: &Problem, order: &Matrix) -> Option<(Node, Node)> {
    let total = problem.actions.len() as Node;
    for x in 0..total {
        for y in 0..total {
            match (problem.actions[x as usize], problem.actions[y as usize]) {
                (Action::Read { variable, from }, Action::Write { variable: other })
                    if variable == other && from != y =>
                {
                    if order.has(y, x) && !order.has(y, from) {
                        return Some((y, from));
                    }
                    if order.has(from, y) && !order.has(x, y) {
                        return Some((x, y));
                    }
                }
                (
                    Action::Acquire { lock, release: Some(release) },
                    Action::Release { lock: other, acquire: Some(acquire) },
                ) if lock == other && release != y && order.has(x, y) && !order.has(release, acquire) => {
                    return Some((release, acquire));
                }
                _ => {}
            }
        }
    }
    None
}

#[test]
fn the_closure_is_the_smallest_closed_order() {
    let (mut closed, mut cycles) = (0, 0);
    for seed in 0..3_000 {
        let mut rng = Rng::new(seed + 90_000);
        let chains = 2 + rng.below(3);
        let mut problem = random_problem(&mut rng, chains, 7);
        let total = problem.actions.len();
        for _ in 0..rng.below(3) {
            let (a, b) = (rng.below(total.max(1)) as Node, rng.below(total.max(1)) as Node);
            if total > 0 && a != b {
                problem.extra.push((a, b));
            }
        }
        let expected = naive_closure(&problem, &[]);
        match (Closure::new(&problem, &Effort::unlimited(None)), expected) {
            (Ok(closure), Some(matrix)) => {
                closed += 1;
                agree(closure.order(), &matrix, &format!("seed {seed}"));
                insert_more(&mut rng, closure, &problem, seed);
            }
            (Err(Failure::Cycle), None) => cycles += 1,
            (got, expected) => panic!("seed {seed}: closed {}, expected {}", got.is_ok(), expected.is_some()),
        }
    }
    assert!(closed > 500 && cycles > 300, "closed {closed}, cycles {cycles}");
}

/// `InsertAndClose` keeps the order closed; a cycle is one in the definition as well.
fn insert_more(rng: &mut Rng, mut closure: Closure<'_>, problem: &Problem, seed: u64) {
    let mut inserted = Vec::new();
    for _ in 0..3 {
        let total = problem.actions.len();
        if total == 0 {
            return;
        }
        let (a, b) = (rng.below(total) as Node, rng.below(total) as Node);
        if a == b || closure.order().query(b, a) {
            continue;
        }
        inserted.push((a, b));
        match (closure.insert_and_close(a, b), naive_closure(problem, &inserted)) {
            (Ok(()), Some(matrix)) => agree(closure.order(), &matrix, &format!("seed {seed}, inserted")),
            (Err(_), None) => return,
            (got, _) => panic!("seed {seed}: insertion gives {got:?}"),
        }
    }
}

/// Theorem 3.1: the max-min linearisation keeps the order, observations and locks.
#[test]
fn max_min_is_a_run() {
    let mut runs = 0;
    for seed in 0..3_000 {
        let mut rng = Rng::new(seed + 500_000);
        let chains = 2 + rng.below(3);
        let problem = random_problem(&mut rng, chains, 7);
        let effort = Effort::unlimited(None);
        let Ok(closure) = Closure::new(&problem, &effort) else { continue };
        for free in 0..chains {
            let mut ordered = closure.clone();
            if order_conflicts(&mut ordered, free).is_err() {
                continue;
            }
            let run = max_min(&ordered, free, &effort).expect("there is no deadline");
            is_run(&problem, &run, &format!("seed {seed}, chain {free}"));
            runs += 1;
        }
    }
    assert!(runs > 1_000, "{runs} runs");
}

fn is_run(problem: &Problem, run: &[Node], what: &str) {
    let mut place = vec![usize::MAX; problem.actions.len()];
    for (at, &node) in run.iter().enumerate() {
        place[node as usize] = at;
    }
    assert!(place.iter().all(|&at| at != usize::MAX) && run.len() == place.len(), "{what}: every node once");
    let mut start = 0;
    for &length in &problem.lengths {
        assert!(place[start..start + length].is_sorted(), "{what}: program order");
        start += length;
    }
    let mut last = std::collections::HashMap::new();
    let mut held = std::collections::HashSet::new();
    for &node in run {
        match problem.actions[node as usize] {
            Action::Write { variable } => drop(last.insert(variable, node)),
            Action::Read { variable, from } => {
                assert_eq!(last.get(&variable), Some(&from), "{what}: observation")
            }
            Action::Acquire { lock, .. } => assert!(held.insert(lock), "{what}: lock taken"),
            Action::Release { lock, .. } => assert!(held.remove(&lock), "{what}: lock released"),
            Action::FreeRead { .. } | Action::Other => {}
        }
    }
}
