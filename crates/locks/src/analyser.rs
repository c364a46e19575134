//! From recorded executions to what is said of them: the work-unit graph of all of them, its formulas, the shared variables, and what critical sections keep
//! together.

use std::collections::{BTreeMap, BTreeSet};

use base::Place;
use ir::Module;
use judge::names;
use machine::{Machine, place_of_access};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::actl::Formula;
use crate::analysis::{
    Analysis, Meeting, Need, NodeInfo, PairCounts, PairInfo, Unordered, VariableInfo, lock_name, stem, strand,
};
use crate::coenabled::Coenabled;
use crate::graph::{Graph, Kind};
use crate::merge::Merger;
use crate::model::Model;
use crate::record::{NONE, Run};
use crate::variables::{self, Pair, Pairs, Relation, Shared, State, Touch};

/// What a work unit touches: lines, variables that it reads, variables that it writes, locks held.
type Touched = (BTreeSet<u32>, BTreeSet<usize>, BTreeSet<usize>, BTreeSet<String>);

/// States that the checker may make for one pair that structure does not decide.
const PAIR_STATES: usize = 50_000;
/// The same for all pairs together.
const ALL_STATES: usize = 150_000;
/// So many formulas are listed; all are checked and counted.
const LISTED: usize = 1000;
/// Pairs of units beyond which not all formulas are checked.
const MOST_PAIRS: u64 = 4_000_000;
/// Names that are listed of one unit.
const NAMES: usize = 16;

/// Analyses recorded executions.
pub struct Analyser<'r> {
    module: &'r Module,
    runs: Vec<&'r Run>,
    shared: Vec<Shared>,
    names: Vec<String>,
    pairs: Vec<Pairs>,
    /// By execution and node: its number in the graph; [`NONE`] if it says nothing.
    numbers: Vec<Vec<u32>>,
    graph: Graph,
    /// By node of the graph: its unit's number.
    units: BTreeMap<u32, usize>,
}

fn key(place: &Place) -> (String, u32) {
    (place.file.clone(), place.line)
}

/// Pairs of units, as far as they share a variable.
#[derive(Default)]
struct Asked {
    /// With the first few variables.
    pairs: FxHashMap<(u32, u32), Vec<usize>>,
    left_out: u64,
}

impl<'r> Analyser<'r> {
    /// Of executions of one program.
    pub fn new(recorded: &'r [(Machine<'r>, Run)]) -> Analyser<'r> {
        let module = recorded[0].0.program.module;
        let machines: Vec<&Machine> = recorded.iter().map(|r| &r.0).collect();
        let runs: Vec<&Run> = recorded.iter().map(|r| &r.1).collect();
        let shared = variables::shared(&runs).unwrap_or_default();
        let name = |s: &Shared| {
            let run = s.touches.iter().position(|t| !t.is_empty()).unwrap_or(0);
            variables::name(machines[run], runs[run], &s.touches[run], s.from, s.to)
        };
        let names = shared.iter().map(name).collect();
        let mut merger = Merger::default();
        let mut numbers: Vec<Vec<u32>> = Vec::new();
        for (i, run) in runs.iter().enumerate() {
            numbers.push(merger.add(&variables::reduce(&run.graph, i, &shared)));
        }
        let mut graph = merger.finish();
        let renumbered = graph.simplify();
        for n in numbers.iter_mut().flatten() {
            *n = renumbered[*n as usize];
        }
        let units = graph.units().into_iter().enumerate().map(|(i, n)| (n, i)).collect();
        let mut known: BTreeMap<&Vec<Vec<Touch>>, Pairs> = BTreeMap::new();
        let pairs = shared
            .iter()
            .map(|s| {
                let of = known.entry(&s.touches);
                of.or_insert_with(|| variables::pairs(&runs, module, &s.touches)).clone()
            })
            .collect();
        Analyser { module, pairs, runs, shared, names, numbers, graph, units }
    }

    fn place(&self, run: usize, touch: Touch) -> Place {
        let site = &self.runs[run].graph.nodes[touch.unit as usize].sites[touch.site as usize];
        names::place(self.module, place_of_access(self.module, site.access).0)
    }

    fn lock(&self, address: u64) -> String {
        let known = self.runs.iter().find(|r| r.lock_names.contains_key(&address));
        lock_name(known.unwrap_or(&self.runs[0]), address)
    }

    fn unit(&self, run: usize, touch: Touch) -> String {
        let number = self.units.get(&self.numbers[run][touch.unit as usize]);
        number.map_or_else(|| "?".into(), |&n| Model::unit_label(n))
    }

    /// What orders are left open, and nothing else.
    pub fn orders(&self) -> Analysis {
        Analysis { cut: self.runs[0].cut.clone(), unordered: self.unordered(), ..Analysis::default() }
    }

    /// The whole analysis.
    pub fn analyse(mut self) -> Analysis {
        let model = Model::of(&self.graph, &|address| self.lock(address));
        let (pairs, pair_counts) = self.formulas(&model);
        let place = |p: ir::PlaceId| names::place(self.module, p);
        let steered = self.runs[0].steered;
        let mut analysis = Analysis {
            nodes: self.nodes(),
            model,
            variables: self.variables(),
            pairs,
            pair_counts,
            steered: steered.map(|(what, at)| (what, place(at))),
            ..self.orders()
        };
        for (number, run) in self.runs.iter().enumerate() {
            for round in &run.rounds {
                let round: Vec<Place> = round.iter().map(|&p| place(p)).collect();
                if !analysis.rounds.contains(&round) {
                    analysis.rounds.push(round);
                }
            }
            for (n, node) in run.graph.nodes.iter().enumerate() {
                analysis.executed.insert(key(&place(node.place)));
                for site in 0..node.sites.len() as u32 {
                    analysis.executed.insert(key(&self.place(number, Touch { unit: n as u32, site })));
                }
            }
        }
        self.sections(&mut analysis);
        analysis.graph = std::mem::take(&mut self.graph);
        analysis
    }

    fn is_output(&self, v: usize) -> bool {
        self.names[v] == variables::OUTPUT_NAME
    }

    fn nodes(&self) -> Vec<NodeInfo> {
        let mut touched: BTreeMap<u32, Touched> = BTreeMap::new();
        for (v, shared) in self.shared.iter().enumerate().filter(|(v, _)| !self.is_output(*v)) {
            for (run, touch) in
                shared.touches.iter().enumerate().flat_map(|(r, t)| t.iter().map(move |t| (r, *t)))
            {
                let node = &self.runs[run].graph.nodes[touch.unit as usize];
                let (lines, reads, writes, locks) =
                    touched.entry(self.numbers[run][touch.unit as usize]).or_default();
                lines.insert(self.place(run, touch).line);
                if node.sites[touch.site as usize].write {
                    writes.insert(v);
                } else {
                    reads.insert(v);
                };
                locks.extend(self.runs[run].locks.context(node.context).iter().map(|h| self.lock(h.lock)));
            }
        }
        let listed = |set: &BTreeSet<usize>| -> Vec<String> {
            let mut seen: FxHashSet<&str> = FxHashSet::default();
            let all = set.iter().map(|&v| self.names[v].as_str()).filter(|n| seen.insert(n));
            let mut list: Vec<String> = all.map(str::to_owned).collect();
            let more = list.len().saturating_sub(NAMES);
            if more > 1 {
                list.truncate(NAMES);
                list.push(format!("and {more} more"));
            }
            list
        };
        let mut nodes = Vec::new();
        for (n, node) in self.graph.nodes.iter().enumerate() {
            let name = match node.kind {
                Kind::Unit => Model::unit_label(self.units[&(n as u32)]),
                Kind::Lock { lock, .. } | Kind::Unlock { lock } => self.lock(lock),
                _ => String::new(),
            };
            let (lines, reads, writes, locks) = touched.remove(&(n as u32)).unwrap_or_default();
            nodes.push(NodeInfo {
                kind: node.kind.name(),
                name,
                after: node.after.clone(),
                place: self.module.place(node.place),
                strand: strand(self.module, &self.graph.strands[node.strand as usize]),
                lines: lines.into_iter().collect(),
                reads: listed(&reads),
                writes: listed(&writes),
                locks: locks.into_iter().collect(),
                choices: node.choices.clone(),
            });
        }
        nodes
    }

    /// The pairs of units of one execution that share a variable, one of them writing.
    fn asked(&self) -> Asked {
        let mut asked = Asked::default();
        let mut seen: BTreeSet<Vec<(u32, bool)>> = BTreeSet::new();
        for (v, shared) in self.shared.iter().enumerate().filter(|(v, _)| !self.is_output(*v)) {
            for (run, touches) in shared.touches.iter().enumerate() {
                let nodes = &self.runs[run].graph.nodes;
                let mut units: BTreeMap<u32, bool> = BTreeMap::new();
                for touch in touches {
                    let number = self.numbers[run][touch.unit as usize];
                    let writes = nodes[touch.unit as usize].sites[touch.site as usize].write;
                    if number != NONE {
                        *units.entry(number).or_default() |= writes;
                    }
                }
                let units: Vec<(u32, bool)> = units.into_iter().collect();
                // Elements that the same units touch ask the same.
                if !seen.insert(units.clone()) && units.len() > NAMES {
                    continue;
                }
                for (i, &(a, writes)) in units.iter().enumerate() {
                    for &(b, _) in units[i + 1..].iter().filter(|u| writes || u.1) {
                        let full = asked.pairs.len() as u64 >= MOST_PAIRS;
                        if full && !asked.pairs.contains_key(&(a, b)) {
                            asked.left_out += 1;
                            continue;
                        }
                        let variables = asked.pairs.entry((a, b)).or_default();
                        if variables.len() < NAMES && variables.last() != Some(&v) {
                            variables.push(v);
                        }
                    }
                }
            }
        }
        asked
    }

    /// P5's formulas for all pairs of units that share a variable: a list, and all of them counted.
    fn formulas(&self, model: &Model) -> (Vec<PairInfo>, PairCounts) {
        let asked = self.asked();
        let mut counts = PairCounts { undecided: asked.left_out, ..PairCounts::default() };
        let mut nodes: FxHashMap<u32, u32> = FxHashMap::default();
        for (i, node) in model.nodes.iter().enumerate() {
            nodes.extend(node.of.map(|of| (of, i as u32)));
        }
        let stretch = |n: u32| self.graph.nodes[n as usize].segment;
        let mut decider = Coenabled::new(model, &stretch, PAIR_STATES, ALL_STATES);
        let mut pairs: Vec<(&(u32, u32), &Vec<usize>)> = asked.pairs.iter().collect();
        pairs.sort_unstable();
        let mut listed: Vec<PairInfo> = Vec::new();
        let mut kinds: FxHashSet<(ir::PlaceId, ir::PlaceId, Option<bool>)> = FxHashSet::default();
        let many = pairs.len() > LISTED;
        for (&(a, b), variables) in pairs {
            let (Some(&x), Some(&y)) = (nodes.get(&a), nodes.get(&b)) else { continue };
            let before = decider.as_ref().map_or(0, |d| d.states);
            let holds = decider.as_mut().and_then(|d| d.sequential(x, y, true));
            let states = decider.as_ref().map_or(0, |d| d.states - before);
            counts.checked += 1;
            match holds {
                Some(true) => counts.hold += 1,
                Some(false) => counts.fail += 1,
                None => counts.undecided += 1,
            }
            let place = |n: u32| self.graph.nodes[n as usize].place;
            let new = kinds.insert((place(a), place(b), holds));
            if many && (!new || listed.len() >= LISTED) {
                continue;
            }
            let (first, second) = (Model::unit_label(self.units[&a]), Model::unit_label(self.units[&b]));
            let mut shared: Vec<String> = variables.iter().map(|&v| self.names[v].clone()).collect();
            shared.dedup();
            let formula = Formula::sequential(&first, &second).to_string();
            listed.push(PairInfo { first, second, variables: shared, formula, holds, states });
        }
        (listed, counts)
    }

    fn variables(&self) -> Vec<VariableInfo> {
        let mut infos: Vec<VariableInfo> = Vec::new();
        // The output is no variable that anybody could protect.
        for v in (0..self.shared.len()).filter(|&v| !self.is_output(v)) {
            let info = self.variable(v);
            // Neighbours that are alike become one.
            if let Some(last) = infos.last_mut()
                && alike(last, &info)
            {
                last.name = spanning(&last.name, &info.name);
                continue;
            }
            // Elements that bear one name and say nothing new.
            if infos.iter().any(|known| repeats(known, &info)) {
                continue;
            }
            infos.push(info);
        }
        for info in &mut infos {
            info.name = bytes_of(&info.name);
        }
        infos
    }

    fn variable(&self, v: usize) -> VariableInfo {
        let (shared, pairs) = (&self.shared[v], &self.pairs[v]);
        let lockset = variables::lockset(&self.runs, shared);
        let listed = |set: &BTreeSet<u64>| set.iter().map(|&l| self.lock(l)).collect::<Vec<_>>();
        let (need, why) = self.need(pairs);
        let wanted = match need {
            Need::NeedsProtection => [Relation::Concurrent].as_slice(),
            Need::Protected => &[Relation::Locked, Relation::Atomic],
            Need::SafeWithout => &[Relation::Ordered],
        };
        let meetings =
            pairs.kinds.iter().filter(|p| wanted.contains(&p.relation)).map(|p| self.meeting(p)).collect();
        VariableInfo {
            name: self.names[v].clone(),
            candidates: listed(&lockset.basic),
            unprotected: lockset.unprotected(),
            refined_candidates: lockset.refined.as_ref().map(listed),
            state: match lockset.state {
                State::Exclusive => "exclusive",
                State::Shared => "shared",
                State::Modified => "shared-modified",
            },
            reported: lockset.reported,
            need,
            why,
            meetings,
            sampled: pairs.sampled,
        }
    }

    fn need(&self, pairs: &Pairs) -> (Need, String) {
        let [_, atomic, locked, concurrent] = pairs.counts;
        if concurrent > 0 {
            return (Need::NeedsProtection, "two work units can touch it at the same time".into());
        }
        if atomic + locked > 0 {
            let mut by: BTreeSet<String> = BTreeSet::new();
            for pair in pairs.kinds.iter().filter(|p| p.relation != Relation::Ordered) {
                by.extend(self.keepers(pair));
            }
            return (Need::Protected, by.into_iter().collect::<Vec<_>>().join(", "));
        }
        if !pairs.written {
            return (Need::SafeWithout, "read only".into());
        }
        if pairs.one_thread {
            return (Need::SafeWithout, "one thread only".into());
        }
        let reasons: BTreeSet<&str> = pairs.kinds.iter().map(|p| self.reason(p)).collect();
        (Need::SafeWithout, format!("ordered by {}", reasons.into_iter().collect::<Vec<_>>().join(" and ")))
    }

    fn reason(&self, pair: &Pair) -> &'static str {
        variables::reason(self.runs[pair.run as usize], pair.first.unit, pair.second.unit)
    }

    /// What keeps two accesses apart, by name.
    fn keepers(&self, pair: &Pair) -> Vec<String> {
        let run = self.runs[pair.run as usize];
        match pair.relation {
            Relation::Concurrent => Vec::new(),
            Relation::Atomic => vec!["atomic".into()],
            Relation::Ordered => vec![format!("ordered by {}", self.reason(pair))],
            Relation::Locked => {
                let of = |t: Touch| run.locks.context(run.graph.nodes[t.unit as usize].context);
                let both = of(pair.first).iter().filter(|h| of(pair.second).iter().any(|g| g.lock == h.lock));
                let names: Vec<String> = both.map(|h| self.lock(h.lock)).collect();
                if names.is_empty() { vec!["the order of locks".into()] } else { names }
            }
        }
    }

    fn meeting(&self, pair: &Pair) -> Meeting {
        let run = pair.run as usize;
        let graph = &self.runs[run].graph;
        let writes = |t: Touch| graph.nodes[t.unit as usize].sites[t.site as usize].write;
        let strand_of =
            |t: Touch| strand(self.module, &graph.strands[graph.nodes[t.unit as usize].strand as usize]);
        let kept = self.keepers(pair).join(", ");
        Meeting {
            first: self.unit(run, pair.first),
            first_place: self.place(run, pair.first),
            first_writes: writes(pair.first),
            second: self.unit(run, pair.second),
            second_place: self.place(run, pair.second),
            second_writes: writes(pair.second),
            strands: [strand_of(pair.first), strand_of(pair.second)],
            kept_apart: (!kept.is_empty()).then_some(kept),
        }
    }

    /// See [`Unordered`].
    fn unordered(&self) -> BTreeSet<Unordered> {
        let mut found = BTreeSet::new();
        for (v, pairs) in self.pairs.iter().enumerate() {
            for pair in pairs.kinds.iter().filter(|p| p.relation != Relation::Ordered) {
                let run = pair.run as usize;
                let site = |t: Touch| &self.runs[run].graph.nodes[t.unit as usize].sites[t.site as usize];
                let (x, y) = (site(pair.first).update, site(pair.second).update);
                if x.is_some() && x == y {
                    continue;
                }
                let mut ends = [key(&self.place(run, pair.first)), key(&self.place(run, pair.second))];
                ends.sort();
                let [first, second] = ends;
                found.insert(Unordered { variable: stem(&self.names[v]), first, second });
            }
        }
        found
    }

    /// Critical sections: which calls belong together, and what they keep together.
    fn sections(&self, analysis: &mut Analysis) {
        // By place and what is done there: accesses that somebody else could come between, whatever keeps them apart. (A call that
        // prints also reads what it prints.)
        let mut hot: BTreeSet<((String, u32), bool, bool)> = BTreeSet::new();
        for pair in self.pairs.iter().flat_map(|p| &p.kinds).filter(|p| p.relation != Relation::Ordered) {
            let run = pair.run as usize;
            for touch in [pair.first, pair.second] {
                let site = &self.runs[run].graph.nodes[touch.unit as usize].sites[touch.site as usize];
                hot.insert((key(&self.place(run, touch)), site.write, site.atomic));
            }
        }
        for run in 0..self.runs.len() {
            self.sections_of(run, &hot, analysis);
        }
    }

    fn sections_of(&self, run: usize, hot: &BTreeSet<((String, u32), bool, bool)>, analysis: &mut Analysis) {
        let graph = &self.runs[run].graph;
        let place = |n: u32| names::place(self.module, graph.nodes[n as usize].place);
        // By thread: the locks held, with the node that took each, and the hot steps since: where, which, and under
        // which other locks (by the node that took them).
        type Step = ((String, u32), (u32, u32), BTreeSet<u32>);
        type Open = (u64, u32, Vec<Step>);
        let mut open: BTreeMap<usize, Vec<Open>> = BTreeMap::new();
        for (n, node) in graph.nodes.iter().enumerate() {
            let n = n as u32;
            match node.kind {
                Kind::Lock { lock, .. } => open.entry(node.thread).or_default().push((lock, n, Vec::new())),
                Kind::Unlock { lock } => {
                    let held = open.entry(node.thread).or_default();
                    let Some(at) = held.iter().rposition(|h| h.0 == lock) else { continue };
                    let (_, taken, steps) = held.remove(at);
                    let section = (place(taken), place(n));
                    let from = key(&section.0);
                    let to = key(&section.1);
                    if !analysis.sections.iter().any(|s| key(&s.0) == from && key(&s.1) == to) {
                        analysis.sections.push(section);
                    }
                    // Steps during all of which one other lock was held are kept together by that.
                    let several = steps.iter().map(|s| s.1).collect::<BTreeSet<_>>().len() > 1;
                    let mut throughout = steps.first().map(|s| s.2.clone()).unwrap_or_default();
                    throughout.retain(|&l| l != taken && steps.iter().all(|s| s.2.contains(&l)));
                    if several && throughout.is_empty() {
                        let places: BTreeSet<(String, u32)> = steps.into_iter().map(|s| s.0).collect();
                        let known = analysis.atomic_steps.entry(from).or_default();
                        known.insert(places.into_iter().collect());
                    }
                }
                Kind::Unit => {
                    let held = open.entry(node.thread).or_default();
                    if held.is_empty() {
                        continue;
                    }
                    let others: BTreeSet<u32> = held.iter().map(|h| h.1).collect();
                    let mut here: Vec<Step> = Vec::new();
                    for (number, site) in node.sites.iter().enumerate() {
                        let at = key(&self.place(run, Touch { unit: n, site: number as u32 }));
                        if hot.contains(&(at.clone(), site.write, site.atomic)) {
                            // An atomic access is a step of its own; a branch does not end one.
                            let step = if site.atomic { (n, number as u32 + 1) } else { (node.segment, 0) };
                            here.push((at, step, others.clone()));
                        }
                    }
                    for (_, taken, steps) in held.iter_mut() {
                        let from = key(&place(*taken));
                        analysis.kept.entry(from).or_default().extend(here.iter().map(|s| s.0.clone()));
                        steps.extend(here.iter().cloned());
                    }
                }
                _ => {}
            }
        }
    }
}

/// The name of two neighbours together.
fn spanning(a: &str, b: &str) -> String {
    let first = a.split("..").next().unwrap_or_default();
    let end = b.rsplit("..").next().unwrap_or_default();
    if first == end { first.to_owned() } else { format!("{first}..{end}") }
}

/// `heap object from p.c:3:1 at offset 0..heap object from p.c:3:1 at offset 7` in fewer words.
fn bytes_of(name: &str) -> String {
    let parts = |text: &str| {
        let (what, offset) = text.split_once(" at offset ")?;
        Some((what.to_owned(), offset.parse::<u64>().ok()?))
    };
    let ends = name.split_once("..").unwrap_or((name, name));
    match (parts(ends.0), parts(ends.1)) {
        (Some((what, from)), Some((same, to))) if what == same => {
            if from == to {
                format!("{what}, byte {from}")
            } else {
                format!("{what}, bytes {from} to {to}")
            }
        }
        _ => name.to_owned(),
    }
}

fn alike(a: &VariableInfo, b: &VariableInfo) -> bool {
    let places = |v: &VariableInfo| {
        v.meetings.iter().map(|m| (m.first_place.clone(), m.second_place.clone())).collect::<Vec<_>>()
    };
    stem(&a.name) == stem(&b.name)
        && (a.need, &a.why, &a.candidates, a.unprotected, a.reported, a.state)
            == (b.need, &b.why, &b.candidates, b.unprotected, b.reported, b.state)
        && places(a) == places(b)
}

/// Whether `b` says of a variable of the same name nothing that `a` does not say.
fn repeats(a: &VariableInfo, b: &VariableInfo) -> bool {
    let says = |m: &Meeting| {
        let (x, y) = ((m.first_place.clone(), m.first_writes), (m.second_place.clone(), m.second_writes));
        if x <= y { (x, y) } else { (y, x) }
    };
    a.name == b.name
        && (a.need, &a.why, &a.candidates, a.unprotected) == (b.need, &b.why, &b.candidates, b.unprotected)
        && b.meetings.iter().all(|m| a.meetings.iter().any(|known| says(known) == says(m)))
}
