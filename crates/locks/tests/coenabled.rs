//! The structural answer to P5's formula for all pairs of units against the checker on the whole model and against one exploration of all
//! states, on random graphs with forks, barriers, nested locks and branches.

use std::collections::BTreeSet;

use ir::{AccessId, PlaceId};
use locks::actl::{Checker, Formula, Lts, System};
use locks::coenabled::{Coenabled, explored};
use locks::graph::{Graph, Kind, Node, Site, Strand, StrandKind};
use locks::lnt;
use locks::merge::Merger;
use locks::model::Model;
use locks::record::NONE;

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
}

/// What a strand does.
#[derive(Debug, Clone)]
enum Item {
    Unit(u32),
    /// A section of a lock.
    Section(u64, bool, Vec<Item>),
    Branch(Vec<Item>, Vec<Item>),
    /// All strands meet.
    Barrier,
}

fn items(random: &mut Random, depth: u32, held: &[u64], place: &mut u32) -> Vec<Item> {
    let mut list = Vec::new();
    for _ in 0..1 + random.below(2) {
        *place += 1;
        let here = *place;
        list.push(match random.below(if depth < 2 { 6 } else { 2 }) {
            0 | 1 => Item::Unit(here),
            2 | 3 => {
                let lock = 8 + random.below(2);
                if held.contains(&lock) {
                    list.push(Item::Unit(here));
                    continue;
                }
                let inner = [held, &[lock]].concat();
                Item::Section(lock, random.below(4) == 0, items(random, depth + 1, &inner, place))
            }
            4 => Item::Branch(items(random, depth + 1, held, place), items(random, depth + 1, held, place)),
            _ if depth == 0 => Item::Barrier,
            _ => Item::Unit(here),
        });
    }
    list
}

/// One execution's graph: main forks the strands and joins them.
struct Builder<'r> {
    graph: Graph,
    random: &'r mut Random,
    last: Vec<u32>,
    unit: Vec<Option<u32>>,
}

impl Builder<'_> {
    fn push(&mut self, strand: usize, kind: Kind, place: u32, others: &[(u32, u32)]) -> u32 {
        let number = self.graph.nodes.len() as u32;
        let mut tokens = vec![(strand as u32, self.last[strand])];
        tokens.extend_from_slice(others);
        let mut after: Vec<u32> = tokens.iter().map(|t| t.1).filter(|&n| n != NONE).collect();
        after.sort_unstable();
        after.dedup();
        let segment = if kind == Kind::Unit { *self.unit[strand].get_or_insert(number) } else { number };
        if kind != Kind::Unit {
            self.unit[strand] = None;
        }
        let mut sites = Vec::new();
        if kind == Kind::Unit {
            let mut ranges = prove::ranges::Ranges::default();
            ranges.add(0, 1);
            sites.push(Site {
                access: AccessId(place),
                write: true,
                atomic: false,
                own: false,
                update: None,
                ranges,
            });
        }
        self.graph.nodes.push(Node {
            kind,
            after,
            place: PlaceId(place),
            thread: strand,
            strand: strand as u32,
            segment,
            pos: prove::order::Order::new().pos(0),
            context: 0,
            sites,
            tokens,
            choices: Vec::new(),
        });
        self.last[strand] = number;
        number
    }

    /// Runs a strand up to its next barrier at the outermost level; gives what is left.
    fn run<'i>(&mut self, strand: usize, items: &'i [Item]) -> &'i [Item] {
        for (i, item) in items.iter().enumerate() {
            match item {
                Item::Unit(place) => {
                    self.push(strand, Kind::Unit, *place, &[]);
                }
                &Item::Section(lock, shared, ref inner) => {
                    self.push(strand, Kind::Lock { lock, shared }, 1000, &[]);
                    self.run(strand, inner);
                    self.push(strand, Kind::Unlock { lock }, 1001, &[]);
                }
                Item::Branch(one, other) => {
                    let way = if self.random.below(2) == 0 { one } else { other };
                    self.run(strand, way);
                }
                Item::Barrier => return &items[i..],
            }
        }
        &[]
    }
}

fn strand(kind: StrandKind, origin: u32) -> Strand {
    Strand { kind, place: PlaceId(0), variable: None, function: None, thread: 0, origin, nth: 0 }
}

fn execution(program: &[Vec<Item>], random: &mut Random) -> Graph {
    let count = program.len();
    let mut builder = Builder {
        graph: Graph { nodes: Vec::new(), strands: vec![strand(StrandKind::Main, NONE)] },
        random,
        last: vec![NONE; count + 1],
        unit: vec![None; count + 1],
    };
    let fork = builder.push(0, Kind::Fork, 0, &[]);
    for s in 1..=count {
        builder.graph.strands.push(strand(StrandKind::Member(s as u32), fork));
        builder.last[s] = fork;
    }
    let mut left: Vec<&[Item]> = program.iter().map(Vec::as_slice).collect();
    loop {
        for s in 1..=count {
            left[s - 1] = builder.run(s, left[s - 1]);
        }
        let ends: Vec<(u32, u32)> = (1..=count).map(|s| (s as u32, builder.last[s])).collect();
        if left.iter().any(|l| l.is_empty()) {
            builder.push(0, Kind::Join, 1, &ends);
            return builder.graph;
        }
        let barrier = builder.push(1, Kind::Barrier, 2, &ends);
        builder.last[1..].fill(barrier);
        builder.unit.fill(None);
        left.iter_mut().for_each(|l| *l = &l[1..]);
    }
}

#[test]
fn structure_says_what_the_checker_says() {
    let mut random = Random(11);
    let (mut compared, mut failing, mut branching) = (0, 0, 0);
    for _ in 0..600 {
        let mut place = 10;
        let count = 2 + random.below(2) as usize;
        let program: Vec<Vec<Item>> = (0..count).map(|_| items(&mut random, 0, &[], &mut place)).collect();
        let mut merger = Merger::default();
        let mut together: BTreeSet<(u32, u32)> = BTreeSet::new();
        let mut runs = Vec::new();
        for _ in 0..1 + random.below(3) {
            let graph = execution(&program, &mut random);
            runs.push(merger.add(&graph));
        }
        let mut graph = merger.finish();
        branching += usize::from(graph.nodes.iter().any(|n| !n.choices.is_empty()));
        let numbers = graph.simplify();
        for run in &runs {
            let present: Vec<u32> = run.iter().map(|&n| numbers[n as usize]).filter(|&n| n != NONE).collect();
            for &a in &present {
                together.extend(present.iter().map(|&b| (a.min(b), a.max(b))));
            }
        }
        let model = Model::of(&graph, &|lock| format!("l{lock}"));
        let Some(lts) = Lts::of(&model, 20_000) else { continue };
        let all = explored(&model, 20_000).unwrap();
        let segment = |n: u32| graph.nodes[n as usize].segment;
        let mut decider = Coenabled::new(&model, &segment, 20_000, 1_000_000).unwrap();
        let mut checker = Checker::new(&lts, 20_000);
        let units: Vec<(usize, u32)> = graph.units().into_iter().enumerate().collect();
        for &(i, a) in &units {
            for &(j, b) in units.iter().filter(|u| u.0 > i) {
                let (x, y) = (model.node_of(a).unwrap(), model.node_of(b).unwrap());
                let one = together.contains(&(a.min(b), a.max(b)));
                let formula = Formula::sequential(&Model::unit_label(i), &Model::unit_label(j));
                let expected = checker.check(&formula).unwrap();
                assert_eq!(expected, !all.contains(&(x.min(y), x.max(y))), "{program:?}");
                let answer = decider.sequential(x, y, one);
                assert_eq!(answer, Some(expected), "WU{i} and WU{j}, together {one}: {program:#?}");
                compared += 1;
                failing += usize::from(!expected);
            }
        }
        // What is written is a whole text, with a branch if the graph has one.
        let text = lnt::write("random", &graph, &model);
        assert_eq!(text.matches("select").count(), 2 * text.matches("end select").count(), "{text}");
        assert!(model.labels().iter().filter(|l| l.starts_with("WU")).all(|l| text.contains(l.as_str())));
    }
    assert!(compared > 3000 && failing > 500 && branching > 100, "{compared} {failing} {branching}");
}

/// Every execution is a path of the whole: its actions can be done in its order.
#[test]
fn every_execution_is_a_path_of_the_whole() {
    let mut random = Random(5);
    for _ in 0..200 {
        let mut place = 10;
        let program: Vec<Vec<Item>> = (0..2).map(|_| items(&mut random, 0, &[], &mut place)).collect();
        let mut merger = Merger::default();
        let graphs: Vec<Graph> = (0..3).map(|_| execution(&program, &mut random)).collect();
        let runs: Vec<Vec<u32>> = graphs.iter().map(|g| merger.add(g)).collect();
        let mut graph = merger.finish();
        let numbers = graph.simplify();
        let model = Model::of(&graph, &|lock| format!("l{lock}"));
        for run in &runs {
            let mut state = model.initial();
            let mut steps = Vec::new();
            for &n in run {
                let number = numbers[n as usize];
                let Some(node) = (number != NONE).then(|| model.node_of(number)).flatten() else { continue };
                if model.nodes[node as usize].label.is_some() {
                    state = locks_made_and_gone(&model, state, &mut steps);
                    state = step(&model, &state, node as usize, &mut steps)
                        .unwrap_or_else(|| panic!("node {node} cannot be done: {program:#?}"));
                }
            }
        }
    }
}

/// Does one node.
fn step(
    model: &Model,
    state: &locks::model::Done,
    node: usize,
    steps: &mut Vec<(u32, locks::model::Done)>,
) -> Option<locks::model::Done> {
    steps.clear();
    model.steps(state, steps);
    let done = |s: &locks::model::Done| s[node / 64] >> (node % 64) & 1 != 0;
    if done(state) {
        return Some(state.clone());
    }
    steps.iter().map(|s| s.1.clone()).find(|s| done(s))
}

/// Does INIT and DESTROY where they can be done.
fn locks_made_and_gone(
    model: &Model,
    mut state: locks::model::Done,
    steps: &mut Vec<(u32, locks::model::Done)>,
) -> locks::model::Done {
    loop {
        steps.clear();
        model.steps(&state, steps);
        let about = |label: u32| {
            let label = &model.labels()[label as usize];
            label.starts_with("INIT") || label.starts_with("DESTROY")
        };
        match steps.iter().find(|s| about(s.0)) {
            Some((_, next)) => state = next.clone(),
            None => return state,
        }
    }
}
