//! The whole proof: facts that only grow, then obligations.
//!
//! *Algorithm.* What is known of a program begins with the most optimistic: no branch depends on the schedule, no store on the thread
//! that executes it, every cell that one thread alone touches is its own. Then, until nothing is added:
//! 1. *Pass 1* for every rotation of the distributions ([`crate::runs`]): what strands touch, and which pairs D leaves unordered. From all
//!    of them: who owns what, and which cells are families of a fold.
//! 2. *Pass 2* for every rotation ([`crate::taint`]): which values are open, and where they steer. A branch that an open value
//!    steers and that is small enough is added to those that are taken both ways; anything else is the end of the proof.
//! 3. What strands do is compared between the rotations ([`crate::done`]): an instruction that stores different values is added to the open
//!    stores; a strand that does different things otherwise is the end of the proof.
//!
//! Then the obligations, each with its reason: every pair of conflicting accesses is ordered by D, or excluded by locks, by an
//! owner, or by the semantics of locks as a whole ([`crate::together`]), or else it is a race that replays; no object ends, and no lock is made or
//! destroyed, in an order that locks decide; no cycle of locks can close.
//!
//! *Guarantee.* `docs/soundness.md`. What is not established is left to the searches, with the reason.

use base::reason::{Gap, Internal, Reason, RunEnd, Subject};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use certify::Certificate;
use certify::certificate::Case;
use explore::findings::{Found, FoundRace};
use explore::{Config, Outcome, Progress};
use ir::{AccessId, Module, PlaceId};
use machine::{Inputs, LoadError, Machine, Mode, Program, Stop, place_of_access};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Proof;
use crate::certificate::{self, Claims};
use crate::commute;
use crate::done::Done;
use crate::drive::{Distribution, End, Plan, Ran};
use crate::folds::Families;
use crate::folds::follow::Follower;
use crate::order::Name;
use crate::predicted;
use crate::races::{Court, Effort, Witnessed};
use crate::record::{At, Recorder};
use crate::rules::Rule;
use crate::runs::{Met, Recorded, Runs, Setting, turned, turns};
use crate::taint::{Basis, Known, Tainter, Unclean};

/// The most instructions of a run.
const MAX_INSTRUCTIONS: u64 = 4_000_000_000;
/// Instructions of a run that is known not to give a proof.
const STEERED_INSTRUCTIONS: u64 = 20_000_000;
/// The most assignments of values to inputs.
const MAX_ASSIGNMENTS: usize = 256;

/// Checks a program for one set of inputs.
///
/// # Errors
/// If the module cannot be run at all.
pub fn check(
    module: &Module,
    config: &Config,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Proof, LoadError> {
    check_by(module, config, progress, false)
}

/// Checks a program for one set of inputs, for somebody who does not count a proof whose certificate is refused: where pass 1 leaves
/// nothing open, pass 2 is left out.
///
/// # Errors
/// If the module cannot be run at all.
pub fn sketch(
    module: &Module,
    config: &Config,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Proof, LoadError> {
    check_by(module, config, progress, Rule::Certified.holds())
}

fn check_by(
    module: &Module,
    config: &Config,
    progress: &mut dyn FnMut(&Progress),
    sketches: bool,
) -> Result<Proof, LoadError> {
    let inputs = Inputs { args: config.args.clone(), threads: config.threads };
    let program = Program::load(module, &inputs)?;
    if let Some(remark) = module.remarks.first() {
        return Ok(Proof::Undecided { place: None, reason: Reason::NotTranslated { what: remark.clone() } });
    }
    let started = Instant::now();
    let mut prover = Prover {
        program: &program,
        runs: Runs::new(&program, commute::choices(module), config.budget, config.jobs),
        stats: base::Stats::default(),
        assumed: Assumed::default(),
        open_stores: Arc::default(),
        by_thread: FxHashSet::default(),
        asks: Asks::default(),
        two: Two::Open,
        sketches,
        sketched: false,
        claims: Claims::default(),
        cases: Vec::new(),
        progress,
    };
    let mut proof = prover.all_values();
    let asked_threads = program.asked_thread_count();
    match &mut proof {
        Proof::Proved { stats, .. } => {
            stats.seconds = started.elapsed().as_secs_f64();
            stats.asked_threads = asked_threads;
        }
        Proof::Race { outcome, .. } => outcome.stats.asked_threads = asked_threads,
        Proof::Sensitive { .. } | Proof::Undecided { .. } => {}
    }
    Ok(proof)
}

struct Prover<'p, 'a> {
    program: &'p Program<'p>,
    runs: Runs<'p>,
    stats: base::Stats,
    assumed: Assumed,
    /// Stores that depend on the executing thread.
    open_stores: Arc<FxHashSet<At>>,
    /// Instructions that touch cells of the executing thread.
    by_thread: FxHashSet<At>,
    asks: Asks,
    two: Two,
    /// Whether pass 2 may be left out, and whether it was.
    sketches: bool,
    sketched: bool,
    /// What this round's second passes have found open.
    claims: Claims,
    /// What the proof rests on, by assignment of values.
    cases: Vec<Case>,
    progress: &'a mut dyn FnMut(&Progress),
}

/// What was taken for granted.
#[derive(Debug, Default)]
struct Assumed {
    /// Floating-point sums and the like give the same result in every order.
    floats: bool,
    /// User-defined reductions give the same result in every order.
    combiners: bool,
}

/// Whether the first two threads of each team stand for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Two {
    /// That is open.
    Open,
    /// They seem to, in teams of so many threads.
    Stand(u32),
    /// They do not, or nothing came of it.
    Fail,
}

/// Who asks for the thread that executes it.
#[derive(Debug, Default)]
struct Asks {
    /// A thread of a nested team.
    inside: bool,
    /// A task.
    tasks: bool,
    /// By task: the numbers of the threads that have executed it, and how many threads its team has.
    executed: FxHashMap<Name, (u64, u32)>,
}

impl Asks {
    /// Whether every task was executed by every thread of a team.
    fn all_executed(&self) -> bool {
        let mut tasks = self.executed.iter().filter(|(name, _)| name.kind == 2);
        tasks.all(|(_, (numbers, team))| *team <= 32 && *numbers == (1 << team) - 1)
    }
}

/// What one round has shown.
enum Round {
    /// Nothing is wrong.
    Proved,
    /// More is known now: all has to be looked at again.
    Grown,
    /// Whether two threads stand for all is decided: with other runs, then.
    Two(Two),
    /// Decided otherwise, or not at all.
    Other(Box<Proof>),
}

impl<'p> Prover<'p, '_> {
    fn plan(&self, answers: &[u32]) -> Plan {
        Plan {
            answers: answers.to_vec(),
            distribution: Distribution::default(),
            tasks: false,
            two: false,
            open_serial: false,
            budget: self.runs.budget,
            max_instructions: MAX_INSTRUCTIONS,
            steered_instructions: STEERED_INSTRUCTIONS,
        }
    }

    /// Decides for every assignment of values to the inputs that the program asks for.
    fn all_values(&mut self) -> Proof {
        let mut answers = Vec::new();
        for _ in 0..MAX_ASSIGNMENTS {
            let plan = self.plan(&answers);
            let values = match self.all_distributions(&plan) {
                Ok(ran) => ran.values,
                Err(proof) => return *proof,
            };
            // The next assignment: the last value that can still grow does, and those behind it begin again.
            let Some(at) = values.iter().rposition(|&(value, n)| value + 1 < n) else {
                return self.proved();
            };
            answers = values[..=at].iter().map(|v| v.0).collect();
            answers[at] += 1;
        }
        undecided(None, Gap::InputValues)
    }

    fn proved(&mut self) -> Proof {
        let mut assumptions = vec!["memory allocation never fails".to_string()];
        if self.program.weak {
            assumptions.push(
                "the program uses atomics weaker than sequentially consistent, or observes locks without taking them: \
                 only its sequentially consistent executions are covered"
                    .into(),
            );
        }
        if self.assumed.floats {
            assumptions.push(
                "floating-point updates under a lock or by atomics (sums, products, minima, maxima) were taken to give the same result in \
                 every order"
                    .into(),
            );
        }
        assumptions.extend(self.program.assumptions());
        if self.assumed.combiners || self.program.wrote_beside() {
            assumptions.push(machine::omp::combine::ASSUMPTION.into());
        }
        let mut branches: Vec<_> = self.runs.sites.iter().copied().collect();
        branches.sort_unstable();
        self.count();
        let by_thread = std::mem::take(&mut self.by_thread);
        let certificate = Box::new(Certificate {
            version: certify::certificate::VERSION,
            floats: self.assumed.floats,
            combiners: self.assumed.combiners,
            cases: std::mem::take(&mut self.cases),
        });
        let (stats, sketched) = (self.stats.clone(), self.sketched);
        Proof::Proved { assumptions, stats, branches, by_thread, certificate, sketched }
    }

    fn count(&mut self) {
        (self.stats.executions, self.stats.instructions) = self.runs.count;
    }

    /// Decides for all distributions: first as if no task asked for its thread, then, if one did, with tasks executed by every
    /// thread in turn.
    fn all_distributions(&mut self, plan: &Plan) -> Result<Ran, Box<Proof>> {
        let proof = match self.fixpoint(plan) {
            Err(proof) if self.asks.tasks && !matches!(*proof, Proof::Race { .. }) => proof,
            decided => return decided,
        };
        self.asks.executed.clear();
        match self.fixpoint(&Plan { tasks: true, ..plan.clone() }) {
            Ok(ran) if self.asks.all_executed() => Ok(ran),
            Err(race) if matches!(*race, Proof::Race { .. }) => Err(race),
            _ => Err(proof),
        }
    }

    /// Repeats rounds until nothing is added to what is known.
    fn fixpoint(&mut self, plan: &Plan) -> Result<Ran, Box<Proof>> {
        self.runs.clear();
        self.two = if plan.tasks { Two::Fail } else { Two::Open };
        loop {
            let (sites, stores) = (self.runs.sites.len(), self.open_stores.len());
            let two = Plan { two: true, distribution: Distribution::ONE, ..plan.clone() };
            let plan = if matches!(self.two, Two::Stand(_)) { &two } else { plan };
            match self.round(plan) {
                Round::Two(standing) => {
                    self.two = standing;
                    self.runs.clear();
                }
                Round::Other(proof) if plan.two && matches!(*proof, Proof::Undecided { .. }) => {
                    self.two = Two::Fail;
                    self.runs.clear();
                }
                Round::Other(proof) => return Err(proof),
                Round::Proved if self.runs.sites.len() == sites && self.open_stores.len() == stores => {
                    let case = self.case(plan);
                    self.cases.push(case);
                    return Ok(self.runs.all[0].ran.clone());
                }
                Round::Proved | Round::Grown => {}
            }
            if self.runs.sites.len() > sites {
                // What the other sides of branches touch must be known before anything is decided.
                self.runs.clear();
                self.asks.executed.clear();
            }
        }
    }

    /// What a proof for one assignment of values rests on.
    fn case(&mut self, plan: &Plan) -> Case {
        let owners = self.runs.uses.owners(&self.open_stores);
        let families = Families::new(&owners, &self.runs.events);
        let mut open_stores: Vec<u64> = self.open_stores.iter().copied().collect();
        open_stores.sort_unstable();
        let mut branches: Vec<_> = self.runs.sites.iter().copied().collect();
        branches.sort_unstable();
        let (answers, tasks, two) = (plan.answers.clone(), plan.tasks, plan.two);
        let case = Case { answers, tasks, two, branches, open_stores, ..Case::default() };
        certificate::fill(case, &self.runs, &owners, &families, &self.claims)
    }

    /// Both passes for all rotations.
    fn round(&mut self, plan: &Plan) -> Round {
        let sites = self.runs.sites.len();
        self.claims = Claims::default();
        if self.runs.all.is_empty()
            && let Err(round) = self.record_all(plan)
        {
            return round;
        }
        if self.runs.sites.len() > sites {
            return Round::Grown;
        }
        let owners = Arc::new(self.runs.uses.owners(&self.open_stores));
        if let Two::Stand(team) = self.two
            && !(owners.are_makers(&self.runs.table, team) && self.program.threads_are_exchangeable())
        {
            return Round::Two(Two::Fail);
        }
        if self.sketches && owners.is_empty() && self.runs.all.iter().all(|run| run.settled) {
            self.sketched = true;
            return Round::Proved;
        }
        let families = Arc::new(Families::new(&owners, &self.runs.events));
        let known = Known { owners, families, open_stores: Arc::clone(&self.open_stores) };
        let mut first: Option<Done> = None;
        let mut ahead = VecDeque::new();
        for run in 0..self.runs.all.len() {
            if ahead.is_empty() {
                ahead = self.second_passes(run, &known);
            }
            let Some(second) = ahead.pop_front() else { break };
            let done = match self.obligations(run, second, &known) {
                Ok(Some(done)) => done,
                Ok(None) => return Round::Grown,
                Err(proof) => return Round::Other(self.race_elsewhere(run, proof, &known)),
            };
            let Some(first) = &first else {
                first = Some(done);
                continue;
            };
            if let Some(round) = self.compare(first, &done, run, &known) {
                return round;
            }
        }
        Round::Proved
    }

    /// Compares what strands do in the first run and in another; what follows if that is not the same.
    fn compare(&mut self, first: &Done, done: &Done, run: usize, known: &Known) -> Option<Round> {
        if let Some(strand) = first.differs(done).filter(|_| Rule::Skeletons.holds()) {
            let why = Gap::ByThread;
            let place = self.difference([0, run], strand, known);
            return Some(Round::Other(Box::new(undecided(place, why))));
        }
        let varying = first.varying(done);
        if varying.is_empty() || Rule::OpenStores.is_off() {
            return None;
        }
        let known = self.open_stores.len();
        Arc::make_mut(&mut self.open_stores).extend(varying);
        if self.open_stores.len() == known {
            // It is known to vary, and yet counts.
            return Some(Round::Other(Box::new(undecided(None, Internal::OpenStore))));
        }
        Some(Round::Grown)
    }

    /// Pass 1 for all rotations; what follows if that decides.
    fn record_all(&mut self, plan: &Plan) -> Result<(), Round> {
        let (mut turn, team);
        if let Two::Stand(size) = self.two {
            (turn, team) = (0, size);
        } else {
            let first = self.runs.setting().record(plan);
            self.record(plan, first)?;
            (turn, team) = (1, self.runs.all[0].ran.team);
            if self.two == Two::Open {
                self.two = self.may_stand(team);
            }
            if self.two != Two::Fail {
                return Err(Round::Two(self.two));
            }
        }
        // Where threads of nested teams ask for their number, every pair of numbers must come up.
        let inner = if self.asks.inside { team.max(1) } else { 1 };
        let end = inner * turns(plan, team);
        while turn < end {
            let some = (self.runs.jobs as u32).min(end - turn);
            let plans: Vec<Plan> = (turn..turn + some)
                .map(|turn| {
                    let mut turned = turned(plan, turn / inner, team);
                    turned.distribution.inner = turn % inner;
                    turned
                })
                .collect();
            let Some(recorded) = self.runs.several(plans.len(), |runs, i| runs.record(&plans[i])) else {
                continue;
            };
            let sites = self.runs.sites.len();
            for (turned, recorded) in plans.iter().zip(recorded) {
                // Where tasks are assigned, and others in another order in every rotation, they are turned by themselves as well.
                if turn / inner >= team && self.asks.all_executed() {
                    return self.record_lanes(plan, team);
                }
                // What was run without the branches that are known by now is run again.
                if self.runs.sites.len() > sites {
                    break;
                }
                self.record(turned, recorded)?;
                turn += 1;
            }
        }
        self.record_lanes(plan, team)
    }

    /// Pass 1 with all pieces on one thread after another, where they may run at the same time on it.
    fn record_lanes(&mut self, plan: &Plan, team: u32) -> Result<(), Round> {
        if plan.two || !self.program.has_shared_lanes() {
            return Ok(());
        }
        for rotation in 0..team {
            let distribution = Distribution { rotation, ..Distribution::ONE };
            let plan = Plan { distribution, ..plan.clone() };
            let recorded = self.runs.setting().record(&plan);
            self.record(&plan, recorded)?;
        }
        Ok(())
    }

    /// Whether two threads of a team may stand for all, as far as the first run shows. Where strands on different threads may race,
    /// that run shows it best.
    fn may_stand(&mut self, team: u32) -> Two {
        let apart = self.runs.recorder(0).borrow().conflicts.groups.is_empty();
        match team > 2 && apart && self.program.threads_are_exchangeable() {
            true => Two::Stand(team),
            false => Two::Fail,
        }
    }

    /// Pass 1 for one distribution, which has been recorded; what follows if that decides.
    fn record(&mut self, plan: &Plan, recorded: Recorded<'p>) -> Result<(), Round> {
        let told = Progress { instructions: recorded.met.instructions, ..Progress::default() };
        (self.progress)(&told);
        let recorder = self.runs.add(plan, recorded);
        let mut recorder = recorder.borrow_mut();
        self.asks.inside |= recorder.asks_inside;
        self.asks.tasks |= recorder.tasks_ask;
        for (name, (numbers, team)) in recorder.executed.drain() {
            let known = self.asks.executed.entry(name).or_default();
            *known = (known.0 | numbers, known.1.max(team));
        }
        self.assumed.floats |= recorder.conflicts.float_assumed;
        let Some(run) = self.runs.all.last() else { return Ok(()) };
        let Some(proof) = self.blocked(&recorder, &run.ran) else { return Ok(()) };
        let plan = run.plan.clone();
        // What is unordered may be a race all the same.
        recorder.conflicts.resolve(&Default::default());
        let found = self.court(&plan).witnesses(&recorder, &plan, Effort::SMALL);
        Err(Round::Other(self.shown(found, false).unwrap_or(Box::new(proof))))
    }

    /// Why a run proves nothing, if that is clear from pass 1.
    fn blocked(&self, recorder: &Recorder, ran: &Ran) -> Option<Proof> {
        let module = self.program.module;
        if let Some(steered) = recorder.steered {
            return Some(sensitive(module, steered.place, steered.what));
        }
        if let Some(proof) = ended_early(module, ran) {
            return Some(proof);
        }
        if recorder.conflicts.late {
            return Some(undecided(None, Gap::Late));
        }
        if let Some(place) = recorder.identity {
            let reason = Gap::TaskIdentity;
            return Some(undecided(module.place(place), reason));
        }
        if let Some(place) = recorder.deep {
            let reason = Gap::Nested;
            return Some(undecided(module.place(place), reason));
        }
        if let Some(place) = recorder.open_control() {
            let reason = Gap::Control;
            return Some(undecided(module.place(place), reason));
        }
        if let Some(access) = recorder.nameless.filter(|_| ran.team > 1) {
            let reason = Gap::Nameless;
            return Some(undecided(self.place_of(access), reason));
        }
        recorder.order.doubt().map(|why| undecided(None, why))
    }

    /// Pass 2 of some runs from one on, several at a time, with their recorders.
    fn second_passes(&mut self, from: usize, known: &Known) -> VecDeque<(Pass1<'p>, Second)> {
        loop {
            let recorders = self.runs.recorders(from);
            let basis: Vec<Basis> = recorders.iter().map(|r| Basis::of(&r.borrow())).collect();
            let plans: Vec<Plan> = self.runs.all[from..].iter().map(|run| run.plan.clone()).collect();
            let pass = |runs: Setting<'_, 'p>, i: usize| {
                second_pass(runs, &plans[i], basis[i].clone(), known, (from + i, None))
            };
            if let Some(all) = self.runs.several(basis.len(), pass) {
                return recorders.into_iter().zip(all).collect();
            }
        }
    }

    /// The obligations of one run, and what its pass 2 has shown: what its strands do, or nothing if more is known now than before.
    fn obligations(
        &mut self,
        run: usize,
        (recorder, second): (Pass1<'p>, Second),
        known: &Known,
    ) -> Result<Option<Done>, Box<Proof>> {
        let mut recorder = recorder.borrow_mut();
        recorder.conflicts.resolve(&known.owners);
        if self.runs.all[run].plan.two && recorder.conflicts.has_candidates() {
            return Err(Box::new(undecided(None, Gap::MoreMeet)));
        }
        let sites = self.runs.sites.len();
        let rest = self.look_at(second).and_then(|done| {
            let Some(done) = done else { return Ok(None) };
            match self.unfinished(&mut recorder, known) {
                Some(proof) => Err(Box::new(proof)),
                None => Ok(Some(done)),
            }
        });
        if matches!(rest, Ok(None)) || rest.is_ok() && self.runs.sites.len() > sites {
            return Ok(None);
        }
        let plan = self.runs.all[run].plan.clone();
        let effort = if rest.is_ok() { Effort::FULL } else { Effort::SMALL };
        let found = self.court(&plan).witnesses(&recorder, &plan, effort);
        let open = found.open;
        if let Some(race) = self.shown(found, rest.is_ok()) {
            return Err(race);
        }
        match (rest, open) {
            (Ok(_), Some(access)) => {
                let place = self.place_of(access);
                Err(Box::new(undecided(place, Gap::Meeting)))
            }
            (rest, _) => rest,
        }
    }

    /// What is left open beside races, if something is.
    fn unfinished(&self, recorder: &mut Recorder, known: &Known) -> Option<Proof> {
        if let Some(place) = recorder.ends_owned(&known.owners) {
            let reason = Gap::OwnedEnds;
            return Some(undecided(self.program.module.place(place), reason));
        }
        if let Some((access, _)) = recorder.conflicts.defect {
            let reason = Gap::EndsByLocks;
            return Some(undecided(self.place_of(access), reason));
        }
        recorder.nesting.doubt().map(|why| undecided(None, why))
    }

    /// The races among what was found; `rest`: whether nothing else is open.
    fn shown(&mut self, found: Witnessed, rest: bool) -> Option<Box<Proof>> {
        let Witnessed { races, met, open, cut } = found;
        if races.is_empty() && met.is_empty() {
            return None;
        }
        self.count();
        // With distributions, those of the other rotations may have more; but whoever has races to repair need not wait.
        let complete = open.is_none() && rest;
        let mut proof = self.races(races, Mode::default(), complete);
        if let (Proof::Race { outcome, .. }, Proof::Race { outcome: others, .. }) =
            (&mut proof, self.races(met, predicted::mode(), complete))
        {
            for race in others.races {
                explore::elaborate::add_race(&mut outcome.races, race);
            }
            explore::elaborate::sort_races(&mut outcome.races);
            outcome.cut.0 |= cut;
        }
        Some(Box::new(proof))
    }

    /// What is not decided in one rotation may be a race that another one shows.
    fn race_elsewhere(&mut self, run: usize, proof: Box<Proof>, known: &Known) -> Box<Proof> {
        if !matches!(*proof, Proof::Undecided { .. }) || self.runs.all[run].plan.two {
            return proof;
        }
        for other in run + 1..self.runs.all.len() {
            let recorder = self.runs.recorder(other);
            let mut recorder = recorder.borrow_mut();
            recorder.conflicts.resolve(&known.owners);
            let plan = self.runs.all[other].plan.clone();
            let found = self.court(&plan).witnesses(&recorder, &plan, Effort::SMALL);
            if let Some(race) = self.shown(found, false) {
                return race;
            }
        }
        proof
    }

    /// Where two runs differ in what a strand does.
    fn difference(&mut self, runs: [usize; 2], strand: Name, known: &Known) -> Option<base::Place> {
        let [a, b] = runs.map(|run| {
            let basis = Basis::of(&self.runs.recorder(run).borrow());
            let plan = self.runs.all[run].plan.clone();
            let second = second_pass(self.runs.setting(), &plan, basis, known, (run, Some(strand)));
            self.look_at(second).ok().flatten()
        });
        let (a, b) = (a?.seen, b?.seen);
        let at = (0..a.len().max(b.len())).find(|&i| a.get(i) != b.get(i))?;
        let (at, _) = a.get(at).or(b.get(at)).copied()?;
        let body = self.program.module.funcs.get((at >> 32) as usize)?.body.as_ref()?;
        self.program.module.place(*body.places.get(at as u32 as usize)?)
    }

    /// What a pass 2 has shown: what strands do, or nothing if stores turned out to be open; why the program is schedule-sensitive, if it is.
    fn look_at(&mut self, second: Second) -> Result<Option<Done>, Box<Proof>> {
        self.runs.note(second.met);
        self.claims.join(second.claims);
        if !second.opened.is_empty() {
            Arc::make_mut(&mut self.open_stores).extend(second.opened);
            return Ok(None);
        }
        self.assumed.floats |= second.floats;
        let whole = second.ended?;
        self.assumed.combiners |= whole.combined;
        self.by_thread.extend(whole.by_thread);
        Ok(Some(whole.done))
    }

    fn court(&self, plan: &Plan) -> Court<'p> {
        Court {
            program: self.program,
            table: self.runs.table.clone(),
            budget: self.runs.budget,
            // The other side of a branch that is taken both ways is not in the run, nor are other inputs and distributions.
            whole: self.runs.sites.is_empty()
                && plan.answers.is_empty()
                && self.runs.all.first().is_none_or(|run| run.ran.regions == 0),
        }
    }

    fn races(&self, races: Vec<FoundRace>, mode: Mode, complete: bool) -> Proof {
        let found = Found { races, stats: self.stats.clone(), ..Found::default() };
        let outcome: Outcome = explore::elaborate::elaborate(self.program, mode, found, self.runs.budget);
        Proof::Race { outcome, complete }
    }

    fn place_of(&self, access: AccessId) -> Option<base::Place> {
        let module = self.program.module;
        module.place(place_of_access(module, access).0)
    }
}

/// What pass 1 of a run has shown.
type Pass1<'p> = Rc<RefCell<Recorder<'p>>>;

/// What pass 2 of one run has shown.
struct Second {
    met: Met,
    claims: Claims,
    /// Stores that turned out to be open.
    opened: FxHashSet<At>,
    floats: bool,
    /// Why it proves nothing, if it does not.
    ended: Result<Whole, Box<Proof>>,
}

/// What a pass 2 has shown that came to its end.
struct Whole {
    combined: bool,
    by_thread: FxHashSet<At>,
    done: Done,
}

/// Pass 2 of the run with a number; what one strand does can be kept.
fn second_pass(
    runs: Setting,
    plan: &Plan,
    basis: Basis,
    known: &Known,
    (run, watched): (usize, Option<Name>),
) -> Second {
    let module = runs.program.module;
    let tainter = Tainter::new(module, basis, runs.table.clone(), known.clone(), watched);
    let tainter = Rc::new(RefCell::new(tainter));
    let plan = Plan { open_serial: Rule::Serial.holds(), ..plan.clone() };
    let mut follower = Follower::new(&tainter);
    let (ran, machine, met) = runs.observe(&plan, Rc::clone(&tainter), &mut follower);
    let mut tainter = tainter.borrow_mut();
    let (claims, opened) = (std::mem::take(&mut tainter.claims), tainter.take_opened());
    let ended = match &ran.end {
        End::Complete => {
            let (combined, by_thread) = (tainter.combined, std::mem::take(&mut tainter.by_thread));
            Ok(Whole { combined, by_thread, done: tainter.take_done(run as u64) })
        }
        End::Stopped(t, stop) => {
            let last = tainter.last.get(*t).copied().flatten();
            Err(Box::new(sensitive(module, ran.place, because(&machine, stop, last))))
        }
        _ => Err(Box::new(ended_early(module, &ran).unwrap_or_else(|| undecided(None, RunEnd::Differs)))),
    };
    Second { met, claims, opened, floats: tainter.labels.float_assumed, ended }
}

/// Why a run that did not come to its end proves nothing.
fn ended_early(module: &Module, ran: &Ran) -> Option<Proof> {
    let here = || module.place(ran.place);
    Some(match &ran.end {
        End::Complete => return None,
        End::Stopped(_, Stop::Unknown(why)) => undecided(here(), Reason::clone(why)),
        End::Stopped(_, Stop::Infeasible) => undecided(here(), RunEnd::AssumptionFails),
        End::Stopped(_, Stop::Defect(_, what)) => {
            undecided(here(), Reason::RunDefect { message: what.clone() })
        }
        End::Stopped(..) => undecided(here(), RunEnd::Stuck),
        End::Steered(place, what) => sensitive(module, *place, *what),
        End::BarrierOrder => undecided(None, RunEnd::BarrierOrder),
        End::Deadlock => undecided(None, RunEnd::Deadlock),
        End::Unfinished(_) => undecided(here(), RunEnd::Unfinished),
        End::TooLong => undecided(None, RunEnd::TooLong),
    })
}

fn undecided(place: Option<base::Place>, reason: impl Into<Reason>) -> Proof {
    Proof::Undecided { place, reason: reason.into() }
}

fn sensitive(module: &Module, place: PlaceId, reason: impl Into<Reason>) -> Proof {
    Proof::Sensitive { place: module.place(place), reason: reason.into() }
}

/// Why a tainted value stopped the second pass.
fn because(machine: &Machine, stop: &Stop, last: Option<Unclean>) -> Reason {
    let what = match stop {
        Stop::Unknown(why) => match **why {
            Reason::Open { what, .. } => what,
            Reason::Gap(Gap::BranchWays) => Subject::Branch,
            // It has nothing to do with the schedule.
            _ => return Reason::clone(why),
        },
        Stop::Defect(base::DefectKind::UninitialisedPointer, _) => Subject::Address,
        _ => Subject::Here,
    };
    let name = |read: Unclean| judge::names::variable(machine, read.address, read.len, &[read.access]);
    Reason::Scheduled { what, variable: last.map(name) }
}
