//! The whole of P5's analysis of one program: graph, model, locksets, formulas, and what is left to protect.
//!
//! Everything here has names and places instead of numbers of a run, so that it can be shown after the machine is gone.

use std::collections::{BTreeMap, BTreeSet};

use base::Place;
use explore::names;
use ir::Module;
use machine::{LoadError, Machine, place_of_access};
use serde::Serialize;

use crate::actl::Formula;
use crate::graph::{Graph, Kind, Strand, StrandKind};
use crate::model::Model;
use crate::record::{self, Run};
use crate::variables::{self, Pair, Pairs, Relation, Shared, State, Touch};

/// For a place (file and line), the sets of places that were seen together with it.
pub type Steps = BTreeMap<(String, u32), BTreeSet<Vec<(String, u32)>>>;

/// What a work unit touches: lines, variables that it reads, variables that it writes.
type Touched = (BTreeSet<u32>, BTreeSet<usize>, BTreeSet<usize>);

/// States that the model of one pair may have.
const PAIR_STATES: usize = 50_000;
/// The same for all formulas together. What is left open the shared order decides, as it does everything that is said of
/// variables.
const ALL_STATES: usize = 150_000;
/// With at most so many pairs of units, the formula of every one is checked, whether it is needed or not.
const ALL_PAIRS: usize = 400;
/// Names that are listed of one unit.
const NAMES: usize = 16;

/// A node of the graph, for people.
#[derive(Debug, Clone, Serialize)]
pub struct NodeInfo {
    /// `work unit`, `lock`, `barrier`, ...
    pub kind: &'static str,
    /// `WU3` for a work unit; the lock's name for lock and unlock.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The nodes that it comes after, by index.
    pub after: Vec<u32>,
    /// Where it is, or begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// What executes it: `main`, `iteration i=3 of the loop at line 8`.
    pub strand: String,
    /// For a work unit: the lines that it touches shared variables in.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<u32>,
    /// The shared variables and elements that it reads.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<String>,
    /// The shared variables and elements that it writes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<String>,
    /// The locks held.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub locks: Vec<String>,
}

/// P5's formula for two units that share a variable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PairInfo {
    /// `WU1`.
    pub first: String,
    /// `WU2`.
    pub second: String,
    /// The variables that they share, one of them writing.
    pub variables: Vec<String>,
    /// `not EF (EX_WU1 true and EX_WU2 true)`.
    pub formula: String,
    /// Whether it holds; absent if that took too many states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds: Option<bool>,
    /// How many states the model of the pair has, as far as they were needed.
    pub states: usize,
}

/// What a variable needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Need {
    /// Two units can touch it at the same time, and nothing keeps them apart.
    NeedsProtection,
    /// Locks or atomics keep apart those who could otherwise meet.
    Protected,
    /// Nobody could meet there, with locks or without.
    SafeWithout,
}

/// Two accesses that decide about a variable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Meeting {
    /// The first unit.
    pub first: String,
    /// Where it touches the variable.
    pub first_place: Place,
    /// Whether it writes.
    pub first_writes: bool,
    /// The second unit.
    pub second: String,
    /// Where it touches the variable.
    pub second_place: Place,
    /// Whether it writes.
    pub second_writes: bool,
    /// Who executes the two.
    pub strands: [String; 2],
    /// What keeps them apart: `ordered by a barrier`, `lock m`, `atomic`, or nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept_apart: Option<String>,
}

/// A shared variable.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VariableInfo {
    /// With element or field; `a[0]..a[9]` for several that are alike.
    pub name: String,
    /// C(v) of the basic lockset analysis: the locks that every access holds.
    pub candidates: Vec<String>,
    /// Whether it is in SUV, the set of unprotected variables: C(v) is empty, and not all accesses are atomic.
    pub unprotected: bool,
    /// C(v) of the refined lockset analysis; absent if it holds all locks still.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refined_candidates: Option<Vec<String>>,
    /// Eraser's state: `exclusive`, `shared` or `shared-modified`.
    pub state: &'static str,
    /// Whether Eraser would report it.
    pub reported: bool,
    /// What sequentiality leaves of that.
    pub need: Need,
    /// Why, in a few words.
    pub why: String,
    /// The pairs that make it so, one for each two places.
    pub meetings: Vec<Meeting>,
    /// Whether only a part of the pairs was compared.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub sampled: bool,
}

/// Two accesses that no schedule-independent order relates, whatever keeps them apart, by source place. Two updates that commute are left
/// out. What is here steers what a program computes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Unordered {
    /// The variable, without element.
    pub variable: String,
    /// One place: file and line.
    pub first: (String, u32),
    /// The other.
    pub second: (String, u32),
}

/// The analysis of one program.
#[derive(Debug, Default)]
pub struct Analysis {
    /// The graph's nodes.
    pub nodes: Vec<NodeInfo>,
    /// The graph.
    pub graph: Graph,
    /// Its transition system.
    pub model: Model,
    /// The shared variables.
    pub variables: Vec<VariableInfo>,
    /// The formulas.
    pub pairs: Vec<PairInfo>,
    /// Why the run did not come to its end, if it did not.
    pub cut: Option<String>,
    /// What the program waits for whose order the schedule decides, and where: then other schedules may have other graphs.
    pub steered: Option<String>,
    /// Lock and unlock calls that belong together, by place.
    pub sections: Vec<(Place, Place)>,
    /// Barrier calls that met, by place.
    pub rounds: Vec<Vec<Place>>,
    /// Lines that the run came to.
    pub executed: BTreeSet<(String, u32)>,
    /// What D leaves unordered.
    pub unordered: BTreeSet<Unordered>,
    /// For each lock call's place: places of unordered accesses made under it in one go, for which no other lock was held throughout.
    pub atomic_steps: Steps,
    /// Places that were executed while the lock taken at a place was held, and touch what others could touch at the same time.
    pub kept: BTreeMap<(String, u32), BTreeSet<(String, u32)>>,
}

/// Runs the program and analyses it.
///
/// # Errors
/// If the module cannot be run at all.
pub fn analyse(module: &Module, args: &[String], threads: u32) -> Result<Analysis, LoadError> {
    let (mut analysis, team) = record::record(module, args, threads, 0, |machine, run| {
        let team = run.team;
        (Analyser::new(machine, &run).analyse(), team)
    })?;
    // Other distributions: a piece of work may hold other locks on another thread.
    for rotation in 1..team.min(4) {
        let other = record::record(module, args, threads, rotation, |machine, run| locksets(machine, &run))?;
        for variable in &mut analysis.variables {
            if let Some((candidates, reported)) = other.get(&variable.name) {
                variable.candidates.retain(|lock| candidates.contains(lock));
                variable.reported |= reported;
            }
        }
    }
    Ok(analysis)
}

fn locksets(machine: &Machine, run: &Run) -> BTreeMap<String, (BTreeSet<String>, bool)> {
    let shared = variables::shared(run).unwrap_or_default();
    let of = |s: &Shared| {
        let lockset = variables::lockset(run, s);
        let names = lockset.basic.iter().map(|&l| names::sync_object(machine, l)).collect();
        (variables::name(machine, run, s), (names, lockset.reported))
    };
    shared.iter().map(of).collect()
}

struct Analyser<'r, 'm> {
    machine: &'r Machine<'m>,
    module: &'r Module,
    run: &'r Run,
    shared: Vec<Shared>,
    names: Vec<String>,
    pairs: Vec<Pairs>,
    /// By node of the run: its number in the reduced graph.
    numbers: Vec<u32>,
    graph: Graph,
    /// By node of the reduced graph: its unit's number.
    units: BTreeMap<u32, usize>,
}

fn key(place: &Place) -> (String, u32) {
    (place.file.clone(), place.line)
}

impl<'r, 'm> Analyser<'r, 'm> {
    fn new(machine: &'r Machine<'m>, run: &'r Run) -> Analyser<'r, 'm> {
        let module = machine.program.module;
        let shared = variables::shared(run).unwrap_or_default();
        let names = shared.iter().map(|s| variables::name(machine, run, s)).collect();
        let mut graph = variables::reduce(&run.graph, &shared);
        let numbers = graph.simplify();
        let units = graph.units().into_iter().enumerate().map(|(i, n)| (n, i)).collect();
        let mut known: BTreeMap<Vec<Touch>, Pairs> = BTreeMap::new();
        let pairs = shared
            .iter()
            .map(|s| {
                known.entry(s.touches.clone()).or_insert_with(|| variables::pairs(run, module, s)).clone()
            })
            .collect();
        Analyser { machine, module, run, shared, names, pairs, numbers, graph, units }
    }

    fn place(&self, touch: Touch) -> Place {
        let site = &self.run.graph.nodes[touch.unit as usize].sites[touch.site as usize];
        names::place(self.module, place_of_access(self.module, site.access).0)
    }

    fn lock(&self, address: u64) -> String {
        let name = names::sync_object(self.machine, address);
        // The runtime's own lock, of a region that has ended.
        if name.starts_with("address ") { "the reduction".into() } else { name }
    }

    fn unit(&self, touch: Touch) -> String {
        let number = self.units.get(&self.numbers[touch.unit as usize]);
        number.map_or_else(|| "?".into(), |&n| Model::unit_label(n))
    }

    fn strand(&self, n: u32) -> String {
        strand(self.module, &self.run.graph.strands[self.run.graph.nodes[n as usize].strand as usize])
    }

    fn analyse(mut self) -> Analysis {
        let model = Model::of(&self.graph, &|address| self.lock(address));
        let nodes = self.nodes();
        let pairs = self.formulas(&model);
        let variables = self.variables();
        let place = |p: ir::PlaceId| names::place(self.module, p);
        let mut analysis = Analysis {
            nodes,
            model,
            variables,
            pairs,
            cut: self.run.cut.clone(),
            steered: self.run.steered.map(|(what, at)| format!("{what} ({})", place(at))),
            rounds: self.run.rounds.iter().map(|r| r.iter().map(|&p| place(p)).collect()).collect(),
            ..Analysis::default()
        };
        for (n, node) in self.run.graph.nodes.iter().enumerate() {
            analysis.executed.insert(key(&place(node.place)));
            for site in 0..node.sites.len() as u32 {
                analysis.executed.insert(key(&self.place(Touch { unit: n as u32, site })));
            }
        }
        analysis.unordered = self.unordered();
        self.sections(&mut analysis);
        analysis.graph = std::mem::take(&mut self.graph);
        analysis
    }

    fn nodes(&self) -> Vec<NodeInfo> {
        let mut touched: BTreeMap<u32, Touched> = BTreeMap::new();
        for (v, shared) in
            self.shared.iter().enumerate().filter(|(v, _)| self.names[*v] != variables::OUTPUT_NAME)
        {
            for &touch in &shared.touches {
                let site = &self.run.graph.nodes[touch.unit as usize].sites[touch.site as usize];
                let (lines, reads, writes) = touched.entry(self.numbers[touch.unit as usize]).or_default();
                lines.insert(self.place(touch).line);
                if site.write {
                    writes.insert(v)
                } else {
                    reads.insert(v)
                };
            }
        }
        let listed = |set: &BTreeSet<usize>| -> Vec<String> {
            let mut list: Vec<String> = Vec::new();
            for &v in set {
                if !list.contains(&self.names[v]) {
                    list.push(self.names[v].clone());
                }
            }
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
            let (lines, reads, writes) = touched.remove(&(n as u32)).unwrap_or_default();
            let held = if node.kind == Kind::Unit { self.run.locks.context(node.context) } else { &[] };
            nodes.push(NodeInfo {
                kind: node.kind.name(),
                name,
                after: node.after.clone(),
                place: self.module.place(node.place),
                strand: strand(self.module, &self.graph.strands[node.strand as usize]),
                lines: lines.into_iter().collect(),
                reads: listed(&reads),
                writes: listed(&writes),
                locks: held.iter().map(|h| self.lock(h.lock)).collect(),
            });
        }
        nodes
    }

    /// The formulas of all pairs of units that share a variable, or of those that decide.
    fn formulas(&self, model: &Model) -> Vec<PairInfo> {
        let mut asked: BTreeMap<(u32, u32), BTreeSet<usize>> = BTreeMap::new();
        let all = self.units.len() * self.units.len() / 2 <= ALL_PAIRS;
        for (v, shared) in
            self.shared.iter().enumerate().filter(|(v, _)| self.names[*v] != variables::OUTPUT_NAME)
        {
            let mut ask = |a: Touch, b: Touch| {
                let (a, b) = (self.numbers[a.unit as usize], self.numbers[b.unit as usize]);
                if a != b {
                    asked.entry((a.min(b), a.max(b))).or_default().insert(v);
                }
            };
            if all {
                let writes = |t: &Touch| self.run.graph.nodes[t.unit as usize].sites[t.site as usize].write;
                for (i, &a) in shared.touches.iter().enumerate() {
                    for &b in &shared.touches[i + 1..] {
                        if writes(&a) || writes(&b) {
                            ask(a, b);
                        }
                    }
                }
            } else {
                self.pairs[v]
                    .kinds
                    .iter()
                    .filter(|p| p.relation != Relation::Atomic)
                    .for_each(|p| ask(p.first, p.second));
            }
        }
        let nodes: BTreeMap<u32, u32> =
            model.nodes.iter().enumerate().filter_map(|(i, n)| Some((n.of?, i as u32))).collect();
        let mut formulas = Vec::new();
        let mut left = ALL_STATES;
        for ((a, b), variables) in asked {
            let (Some(&x), Some(&y)) = (nodes.get(&a), nodes.get(&b)) else { continue };
            let (first, second) = (Model::unit_label(self.units[&a]), Model::unit_label(self.units[&b]));
            let (holds, states) = model.sequential(x, y, PAIR_STATES.min(left));
            left = left.saturating_sub(states);
            let mut shared: Vec<String> = variables.iter().map(|&v| self.names[v].clone()).collect();
            shared.dedup();
            shared.truncate(NAMES);
            let formula = Formula::sequential(&first, &second).to_string();
            formulas.push(PairInfo { first, second, variables: shared, formula, holds, states });
        }
        formulas
    }

    fn variables(&self) -> Vec<VariableInfo> {
        let mut infos: Vec<VariableInfo> = Vec::new();
        // The output is no variable that anybody could protect.
        for v in (0..self.shared.len()).filter(|&v| self.names[v] != variables::OUTPUT_NAME) {
            let info = self.variable(v);
            // Neighbours that are alike become one.
            if let Some(last) = infos.last_mut()
                && alike(last, &info)
            {
                let first = last.name.split("..").next().unwrap_or_default().to_owned();
                let end = info.name.rsplit("..").next().unwrap_or_default().to_owned();
                last.name = if first == end { first } else { format!("{first}..{end}") };
                continue;
            }
            // Elements that bear one name and say nothing new.
            if infos.iter().any(|known| repeats(known, &info)) {
                continue;
            }
            infos.push(info);
        }
        infos
    }

    fn variable(&self, v: usize) -> VariableInfo {
        let (shared, pairs) = (&self.shared[v], &self.pairs[v]);
        let lockset = variables::lockset(self.run, shared);
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
            for pair in &pairs.kinds {
                if let Some(what) = self.kept_apart(pair).filter(|_| pair.relation != Relation::Ordered) {
                    by.insert(what);
                }
            }
            return (Need::Protected, by.into_iter().collect::<Vec<_>>().join(", "));
        }
        if !pairs.written {
            return (Need::SafeWithout, "read only".into());
        }
        if pairs.one_thread {
            return (Need::SafeWithout, "one thread only".into());
        }
        let reasons: BTreeSet<&str> =
            pairs.kinds.iter().map(|p| variables::reason(self.run, p.first.unit, p.second.unit)).collect();
        (Need::SafeWithout, format!("ordered by {}", reasons.into_iter().collect::<Vec<_>>().join(" and ")))
    }

    fn kept_apart(&self, pair: &Pair) -> Option<String> {
        let node = |t: Touch| &self.run.graph.nodes[t.unit as usize];
        match pair.relation {
            Relation::Concurrent => None,
            Relation::Atomic => Some("atomic".into()),
            Relation::Ordered => {
                Some(format!("ordered by {}", variables::reason(self.run, pair.first.unit, pair.second.unit)))
            }
            Relation::Locked => {
                let of = |t: Touch| self.run.locks.context(node(t).context);
                let both = of(pair.first).iter().filter(|h| of(pair.second).iter().any(|g| g.lock == h.lock));
                let names: Vec<String> = both.map(|h| self.lock(h.lock)).collect();
                Some(if names.is_empty() { "the order of locks".into() } else { names.join(", ") })
            }
        }
    }

    fn meeting(&self, pair: &Pair) -> Meeting {
        let writes = |t: Touch| self.run.graph.nodes[t.unit as usize].sites[t.site as usize].write;
        Meeting {
            first: self.unit(pair.first),
            first_place: self.place(pair.first),
            first_writes: writes(pair.first),
            second: self.unit(pair.second),
            second_place: self.place(pair.second),
            second_writes: writes(pair.second),
            strands: [self.strand(pair.first.unit), self.strand(pair.second.unit)],
            kept_apart: self.kept_apart(pair),
        }
    }

    /// See [`Unordered`].
    fn unordered(&self) -> BTreeSet<Unordered> {
        let mut found = BTreeSet::new();
        for (v, pairs) in self.pairs.iter().enumerate() {
            for pair in pairs.kinds.iter().filter(|p| p.relation != Relation::Ordered) {
                let site = |t: Touch| &self.run.graph.nodes[t.unit as usize].sites[t.site as usize];
                let (x, y) = (site(pair.first).update, site(pair.second).update);
                if x.is_some() && x == y {
                    continue;
                }
                let mut ends = [key(&self.place(pair.first)), key(&self.place(pair.second))];
                ends.sort();
                let [first, second] = ends;
                found.insert(Unordered { variable: stem(&self.names[v]), first, second });
            }
        }
        found
    }

    /// Critical sections: which calls belong together, and what they keep together.
    fn sections(&self, analysis: &mut Analysis) {
        // Units whose accesses somebody else could come between: unordered, whatever keeps them apart.
        let mut hot: BTreeMap<u32, BTreeSet<Touch>> = BTreeMap::new();
        for pairs in &self.pairs {
            for pair in pairs.kinds.iter().filter(|p| p.relation != Relation::Ordered) {
                hot.entry(pair.first.unit).or_default().insert(pair.first);
                hot.entry(pair.second.unit).or_default().insert(pair.second);
            }
        }
        // By place and what is done there: a call that prints also reads what it prints.
        let mut hot_sites: BTreeSet<((String, u32), bool, bool)> = BTreeSet::new();
        for touch in hot.values().flatten() {
            let site = &self.run.graph.nodes[touch.unit as usize].sites[touch.site as usize];
            hot_sites.insert((key(&self.place(*touch)), site.write, site.atomic));
        }
        let place = |n: u32| names::place(self.module, self.run.graph.nodes[n as usize].place);
        // By thread: the locks held, with the node that took each, and the hot steps since: where, which, and under
        // which other locks (by the node that took them).
        type Step = ((String, u32), (u32, u32), BTreeSet<u32>);
        type Open = (u64, u32, Vec<Step>);
        let mut open: BTreeMap<usize, Vec<Open>> = BTreeMap::new();
        let mut seen: BTreeSet<((String, u32), (String, u32))> = BTreeSet::new();
        for (n, node) in self.run.graph.nodes.iter().enumerate() {
            let n = n as u32;
            match node.kind {
                Kind::Lock { lock, .. } => open.entry(node.thread).or_default().push((lock, n, Vec::new())),
                Kind::Unlock { lock } => {
                    let held = open.entry(node.thread).or_default();
                    let Some(at) = held.iter().rposition(|h| h.0 == lock) else { continue };
                    let (_, taken, steps) = held.remove(at);
                    let (from, to) = (place(taken), place(n));
                    if seen.insert((key(&from), key(&to))) {
                        analysis.sections.push((from.clone(), to));
                    }
                    // Steps during all of which one other lock was held are kept together by that.
                    let several = steps.iter().map(|s| s.1).collect::<BTreeSet<_>>().len() > 1;
                    let mut throughout = steps.first().map(|s| s.2.clone()).unwrap_or_default();
                    throughout.retain(|&l| l != taken && steps.iter().all(|s| s.2.contains(&l)));
                    if several && throughout.is_empty() {
                        let places: BTreeSet<(String, u32)> = steps.into_iter().map(|s| s.0).collect();
                        analysis
                            .atomic_steps
                            .entry(key(&from))
                            .or_default()
                            .insert(places.into_iter().collect());
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
                        let at = key(&self.place(Touch { unit: n, site: number as u32 }));
                        if hot_sites.contains(&(at.clone(), site.write, site.atomic)) {
                            // An atomic access is a step of its own.
                            let step = if site.atomic { number as u32 + 1 } else { 0 };
                            here.push((at, (n, step), others.clone()));
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

/// A variable's name without element.
pub fn stem(name: &str) -> String {
    name.split(['[', '.']).next().unwrap_or(name).to_owned()
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

/// What people call a strand.
pub fn strand(module: &Module, strand: &Strand) -> String {
    let line = module.place(strand.place).map_or(0, |p| p.line);
    match strand.kind {
        StrandKind::Main => "main".into(),
        StrandKind::Thread => match &strand.function {
            Some(function) => format!("thread {} ({function})", strand.thread),
            None => format!("thread {}", strand.thread),
        },
        StrandKind::Member(number) => format!("thread {number} of the team of line {line}"),
        StrandKind::Iterations(first, count) => {
            let which = match &strand.variable {
                Some((name, value)) => format!("{name}={value}"),
                None => (first + 1).to_string(),
            };
            if count > 1 {
                format!("{count} iterations from {which} of the loop at line {line}")
            } else {
                format!("iteration {which} of the loop at line {line}")
            }
        }
        StrandKind::Section(number) => format!("section {} at line {line}", number + 1),
        StrandKind::Single => format!("the single block at line {line}"),
        StrandKind::Task => format!("the task created at line {line}"),
    }
}
