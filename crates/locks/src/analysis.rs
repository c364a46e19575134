//! The whole of P5's analysis of one program: graph, model, locksets, formulas, and what is left to protect.
//!
//! Everything here has names and places instead of numbers of a run, so that it can be shown after the machine is gone.

use base::reason::{Executions, Reason, Used};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use base::said::Who;
use base::{Place, Said};
use ir::Module;
use machine::{Inputs, LoadError, Machine, Program};
use serde::Serialize;

use crate::analyser::Analyser;
use crate::drive::Schedule;
use crate::executions::{self, Reach};
use crate::graph::{Graph, Strand, StrandKind};
use crate::model::Model;
use crate::record::{self, Run};
use crate::variables;

/// For a place (file and line), the sets of places that were seen together with it.
pub type Steps = BTreeMap<(String, u32), BTreeSet<Vec<(String, u32)>>>;

/// Distributions of the work among the threads that are recorded.
const ROTATIONS: u32 = 4;
/// Nodes of the graphs of all executions together that are kept.
const MOST_NODES: usize = 400_000;

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
    pub strand: Said<Who>,
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
    /// The branches that it is a way of: one of the nodes with a number in common is executed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<u32>,
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
    /// How many states the checker made for it; 0 where the structure of the graph decides.
    pub states: usize,
}

/// The formulas of all pairs of units that share a variable, counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct PairCounts {
    /// How many there are.
    pub checked: u64,
    /// How many hold: the two never run at the same time.
    pub hold: u64,
    /// How many fail: they can.
    pub fail: u64,
    /// How many were not decided.
    pub undecided: u64,
}

/// What the analysis rests on.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Basis {
    /// Executions that were recorded, those with the work distributed otherwise included.
    pub executions: usize,
    /// How many of them differ only in how the work is distributed among the threads.
    pub distributions: usize,
    /// Whether one schedule stands for all: nothing that the schedule decides steers the program.
    pub every_schedule_alike: bool,
    /// Otherwise: states that were explored to find schedules that differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<usize>,
    /// Why, if not all executions are covered.
    #[serde(skip)]
    pub incomplete: Option<Reason>,
    /// The same in words, for whoever writes it down to fill in.
    #[serde(rename = "incomplete", skip_serializing_if = "Option::is_none")]
    pub incomplete_words: Option<String>,
}

/// Whether other schedules have to be looked at, and how far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Schedules {
    /// One stands for all: the proof engine says that every schedule has the same skeleton, but for these small branches (function and instruction), of which
    /// both ways are recorded.
    Alike(Vec<(u32, u32)>),
    /// They can differ.
    Differ(Reach),
}

impl Schedules {
    /// As far as it is worth for a program that is looked at in detail.
    pub const THOROUGH: Schedules =
        Schedules::Differ(Reach { states: 20_000, runs: 64, time: Duration::from_secs(4) });
    /// As far as it is worth for one of many variations of a program.
    pub const QUICK: Schedules =
        Schedules::Differ(Reach { states: 4_000, runs: 24, time: Duration::from_millis(800) });

    /// The same, in half of the time that is left.
    pub fn within(self, budget: base::Budget) -> Schedules {
        match (self, budget.left()) {
            (Schedules::Differ(reach), Some(left)) => {
                Schedules::Differ(Reach { time: reach.time.min(left / 2), ..reach })
            }
            (same, _) => same,
        }
    }
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
    pub strands: [Said<Who>; 2],
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
    /// The formulas; not all of them if there are many.
    pub pairs: Vec<PairInfo>,
    /// All of them, counted.
    pub pair_counts: PairCounts,
    /// What all this rests on.
    pub basis: Basis,
    /// Why the run did not come to its end, if it did not.
    pub cut: Option<Reason>,
    /// What the program waits for whose order the schedule decides, and where: then other schedules may have other graphs.
    pub steered: Option<(Used, Place)>,
    /// Lock and unlock calls that belong together, by place.
    pub sections: Vec<(Place, Place)>,
    /// Barrier calls that met, by place.
    pub rounds: Vec<Vec<Place>>,
    /// The table of constructs.
    pub directives: ir::Directives,
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
pub fn analyse(
    module: &Module,
    args: &[String],
    threads: u32,
    schedules: Schedules,
) -> Result<Analysis, LoadError> {
    let program = Program::load(module, &Inputs { args: args.to_vec(), threads })?;
    let branches = match &schedules {
        Schedules::Alike(branches) => branches.clone(),
        Schedules::Differ(_) => Vec::new(),
    };
    let (runs, mut basis) = executions_of(&program, schedules);
    let mut analysis = Analyser::new(&runs).analyse();
    // Other distributions: a piece of work may hold other locks on another thread.
    for rotation in 1..runs[0].1.team.min(ROTATIONS) {
        let (machine, run) = record::record(
            &program,
            &Schedule { rotation, branches: branches.clone(), ..Schedule::default() },
        );
        let other = locksets(&machine, &run);
        for variable in &mut analysis.variables {
            if let Some((candidates, reported, atomic)) = other.get(&variable.name) {
                variable.candidates.retain(|lock| candidates.contains(lock));
                variable.reported |= reported;
                variable.unprotected |= variable.candidates.is_empty() && !atomic;
            }
        }
        basis.distributions += 1;
    }
    basis.executions = runs.len() + basis.distributions;
    analysis.basis = basis;
    analysis.directives = module.directives.clone();
    Ok(analysis)
}

/// The same as far as a variation of a program needs it: [`Analysis::unordered`], [`Analysis::cut`] and [`Analysis::basis`].
///
/// # Errors
/// If the module cannot be run at all.
pub fn orders(
    module: &Module,
    args: &[String],
    threads: u32,
    schedules: Schedules,
) -> Result<Analysis, LoadError> {
    let program = Program::load(module, &Inputs { args: args.to_vec(), threads })?;
    let (runs, basis) = executions_of(&program, schedules);
    Ok(Analysis { basis, ..Analyser::new(&runs).orders() })
}

/// Records the executions that stand for all.
fn executions_of<'p>(program: &'p Program<'p>, schedules: Schedules) -> (Vec<(Machine<'p>, Run)>, Basis) {
    let branches = match &schedules {
        Schedules::Alike(branches) => branches.clone(),
        Schedules::Differ(_) => Vec::new(),
    };
    let usual = record::record(program, &Schedule { branches, ..Schedule::default() });
    let mut basis = Basis { executions: 1, every_schedule_alike: true, ..Basis::default() };
    let mut runs: Vec<(Machine, Run)> = vec![usual];
    if let Schedules::Differ(reach) = schedules {
        basis.every_schedule_alike = false;
        let explored = executions::explore(program, &reach);
        basis.incomplete = explored.missing;
        // Long executions are kept in smaller numbers.
        let most = (MOST_NODES / runs[0].1.graph.nodes.len().max(1)).clamp(2, reach.runs.max(2));
        let (began, all) = (Instant::now(), explored.schedules.len());
        for (i, choices) in explored.schedules.into_iter().enumerate() {
            if i >= most || began.elapsed() > 2 * reach.time {
                let kinds = Executions::Kinds { recorded: i, all, locksets: false };
                basis.incomplete.get_or_insert(kinds.into());
                break;
            }
            let run = record::record(program, &Schedule { choices, ..Schedule::default() });
            // Executions that an assumption rules out are none.
            if run.1.cut.is_none() || runs[0].1.cut.is_some() {
                runs.push(run);
            }
        }
        basis.states = Some(explored.states);
    }
    basis.executions = runs.len();
    (runs, basis)
}

/// By variable: the candidate locks, whether Eraser would report it, whether all accesses are atomic.
fn locksets(machine: &Machine, run: &Run) -> BTreeMap<String, (BTreeSet<String>, bool, bool)> {
    let shared = variables::shared(&[run]).unwrap_or_default();
    let mut found: BTreeMap<String, (BTreeSet<String>, bool, bool)> = BTreeMap::new();
    for s in &shared {
        let lockset = variables::lockset(&[run], s);
        let names: BTreeSet<String> = lockset.basic.iter().map(|&l| lock_name(run, l)).collect();
        let name = variables::name(machine, run, &s.touches[0], s.from, s.to);
        let known = found.entry(name).or_insert_with(|| (names.clone(), false, true));
        known.0.retain(|l| names.contains(l));
        known.1 |= lockset.reported;
        known.2 &= lockset.atomic;
    }
    found
}

/// What people call a lock.
pub fn lock_name(run: &Run, lock: u64) -> String {
    match run.lock_names.get(&lock) {
        // The runtime's own.
        Some(name) if !name.starts_with("address ") => name.clone(),
        _ => "the reduction".into(),
    }
}

/// A variable's name without element.
pub fn stem(name: &str) -> String {
    name.split(['[', '.']).next().unwrap_or(name).to_owned()
}

/// What people call a strand.
pub fn strand(module: &Module, strand: &Strand) -> Said<Who> {
    let place = module.place(strand.place).unwrap_or_default();
    let line = place.line;
    let piece = |kind: base::StrandKind, number: Option<u64>, count: Option<u64>| {
        let (variable, value) = strand.variable.clone().unzip();
        let strand = base::Strand { kind, place, number, count, every: None, variable, value };
        Who::Piece { strand }
    };
    Said::Typed(match strand.kind {
        StrandKind::Main => Who::Main,
        StrandKind::Thread => Who::Thread { number: strand.thread as u32, function: strand.function.clone() },
        StrandKind::Member(number) => Who::MemberOf { number, line },
        StrandKind::Iterations(first, count) => piece(base::StrandKind::Iteration, Some(first), Some(count)),
        StrandKind::Section(number) => piece(base::StrandKind::Section, Some(number), None),
        StrandKind::Single => piece(base::StrandKind::Single, None, None),
        StrandKind::Task => piece(base::StrandKind::Task, None, None),
    })
}
