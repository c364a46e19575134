//! The whole proof: passes, decisions, and what is said of them.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use explore::findings::{Found, FoundRace};
use explore::{Config, Outcome, Progress};
use ir::{AccessId, Module, PlaceId};
use machine::interp::may::Site;
use machine::{Inputs, LoadError, Machine, Mode, Observer, Program, Stop, place_of_access};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Proof;
use crate::commute;
use crate::conflict::{Candidate, Group, GroupKey};
use crate::drive::{self, Distribution, End, Plan, Ran, Watch};
use crate::order::Name;
use crate::predicted;
use crate::record::{At, Recorder};
use crate::slots::{self, Slots, Uses};
use crate::sums::{self, Families, Follower, Gathered};
use crate::taint::{Tainter, Unclean};
use crate::together::{self, Meeting};
use crate::witness::{self, Guide, Shared};

/// The most instructions of a run.
const MAX_INSTRUCTIONS: u64 = 4_000_000_000;
/// Instructions of a run that is known not to give a proof.
const STEERED_INSTRUCTIONS: u64 = 20_000_000;
/// The most assignments of values to inputs.
const MAX_ASSIGNMENTS: usize = 256;
/// The most candidates that witnesses are sought for.
const MAX_GROUPS: usize = 200;

/// Checks a program for one set of inputs.
///
/// # Errors
/// If the module cannot be run at all.
pub fn check(
    module: &Module,
    config: &Config,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Proof, LoadError> {
    let inputs = Inputs { args: config.args.clone(), threads: config.threads };
    let program = Program::load(module, &inputs)?;
    if let Some(remark) = module.remarks.first() {
        return Ok(Proof::Undecided { place: None, reason: remark.clone() });
    }
    let started = Instant::now();
    let mut prover = Prover {
        program: &program,
        deadline: config.time_limit.map(|limit| started + limit),
        stats: base::Stats::default(),
        float_assumed: false,
        combined: false,
        asks_inside: false,
        sites: commute::choices(module),
        slots: None,
        varying: Rc::default(),
        tasks_ask: false,
        executed: FxHashMap::default(),
        progress,
    };
    let mut proof = prover.all_values();
    if matches!(proof, Proof::Sensitive { .. } | Proof::Undecided { .. }) {
        let races = predicted::races(&program, prover.deadline);
        if !races.is_empty() {
            prover.stats.executions += 1;
            proof = prover.races(races, predicted::mode(), false);
        }
    }
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
    deadline: Option<Instant>,
    stats: base::Stats,
    float_assumed: bool,
    /// Whether user-defined reductions were taken to give the same result in every order.
    combined: bool,
    /// Whether a thread of a nested team asked for its number.
    asks_inside: bool,
    /// Branches that are taken both ways.
    sites: FxHashSet<Site>,
    /// What threads use by their number; `None`: not looked for.
    slots: Option<ByNumber>,
    /// Stores whose values depend on the executing thread.
    varying: Rc<FxHashSet<At>>,
    /// Whether a task has asked which thread executes it.
    tasks_ask: bool,
    /// By task: the numbers of the threads that have executed it, and how many threads its team has.
    executed: FxHashMap<Name, (u64, u32)>,
    progress: &'a mut dyn FnMut(&Progress),
}

/// One assignment of values, decided.
enum Verdict {
    /// Nothing is wrong; what the strands of regions do.
    Proved(Done),
    Other(Proof),
}

/// What threads use by their number.
#[derive(Debug, Clone, Default)]
struct ByNumber {
    slots: Rc<Slots>,
    families: Rc<Families>,
    /// How many branches were known when that was found out.
    sites: usize,
}

/// What the strands of regions do, as hashes.
#[derive(Debug, PartialEq, Eq)]
struct Done {
    /// By strand: where it goes and what it touches.
    strands: FxHashMap<Name, u128>,
    /// By instruction: what is stored there.
    values: FxHashMap<At, u128>,
}

/// What a watched strand does: instructions, and hashes of what they do.
type Seen = Vec<(At, u128)>;

struct Watcher<'r, 'm>(&'r RefCell<Recorder<'m>>);

impl Watch for Watcher<'_, '_> {
    fn waits(&mut self, t: usize, u: usize) {
        self.0.borrow_mut().order.waits(t, u);
    }

    fn ended(&mut self, t: usize) {
        self.0.borrow_mut().ended(t);
    }

    fn steered(&self) -> bool {
        self.0.borrow().steered.is_some()
    }
}

struct Nobody;

impl Watch for Nobody {
    fn waits(&mut self, _: usize, _: usize) {}
    fn ended(&mut self, _: usize) {}
    fn steered(&self) -> bool {
        false
    }
}

impl<'p> Prover<'p, '_> {
    fn mode() -> Mode {
        Mode { histories: false, ..Mode::default() }
    }

    fn plan(&self, answers: &[u32]) -> Plan {
        Plan {
            answers: answers.to_vec(),
            distribution: Distribution::default(),
            tasks: false,
            open_serial: false,
            deadline: self.deadline,
            max_instructions: MAX_INSTRUCTIONS,
            steered_instructions: STEERED_INSTRUCTIONS,
        }
    }

    /// Decides for every assignment of values to the inputs that the program asks for.
    fn all_values(&mut self) -> Proof {
        let mut answers = Vec::new();
        for _ in 0..MAX_ASSIGNMENTS {
            let plan = self.plan(&answers);
            self.slots = None;
            let values = match self.rotations(&plan) {
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
        undecided(None, "the program's inputs have too many values for one run each")
    }

    fn proved(&self) -> Proof {
        let mut assumptions = vec!["memory allocation never fails".to_string()];
        if self.program.weak {
            assumptions.push(
                "the program uses atomics weaker than sequentially consistent, or observes locks without taking them: \
                 only its sequentially consistent executions are covered"
                    .into(),
            );
        }
        if self.float_assumed {
            assumptions.push(
                "floating-point updates under a lock or by atomics (sums, products, minima, maxima) were taken to give the same result in \
                 every order"
                    .into(),
            );
        }
        assumptions.extend(self.program.teams_assumption());
        if self.combined || self.program.wrote_beside() {
            assumptions.push(machine::omp::combine::ASSUMPTION.into());
        }
        let mut branches: Vec<Site> = self.sites.iter().copied().collect();
        branches.sort_unstable();
        Proof::Proved { assumptions, stats: self.stats.clone(), branches }
    }

    fn tell(&mut self, machine: &Machine) {
        let told = Progress { instructions: machine.instructions, ..Progress::default() };
        (self.progress)(&told);
    }

    /// Decides for all distributions: every piece is once executed by every thread, and must do the same there, but for what
    /// threads have for themselves.
    fn rotations(&mut self, plan: &Plan) -> Result<Ran, Box<Proof>> {
        let proof = match self.all_rotations(plan) {
            Err(proof) if self.tasks_ask && !matches!(*proof, Proof::Race { .. }) => proof,
            decided => return decided,
        };
        // With tasks executed by every thread in turn.
        self.executed.clear();
        self.slots = None;
        match self.all_rotations(&Plan { tasks: true, ..plan.clone() }) {
            Ok(ran) if self.all_executed() => Ok(ran),
            Err(race) if matches!(*race, Proof::Race { .. }) => Err(race),
            _ => Err(proof),
        }
    }

    /// Whether every task was executed by every thread of a team.
    fn all_executed(&self) -> bool {
        let mut tasks = self.executed.iter().filter(|(name, _)| name.kind == 2);
        tasks.all(|(_, (numbers, team))| *team <= 32 && *numbers == (1 << team) - 1)
    }

    fn all_rotations(&mut self, plan: &Plan) -> Result<Ran, Box<Proof>> {
        loop {
            let varying = self.varying.len();
            match self.compare(plan)? {
                Some(ran) => return Ok(ran),
                None if self.varying.len() > varying => {}
                // What threads use by their number was not looked for.
                None => _ = self.find_slots(plan),
            }
        }
    }

    /// All rotations once: `None` if these are to be repeated, with more known of slots or of what varies.
    fn compare(&mut self, plan: &Plan) -> Result<Option<Ran>, Box<Proof>> {
        let (ran, verdict) = self.one(plan);
        let first = match verdict {
            Verdict::Proved(done) => done,
            Verdict::Other(proof) => return Err(Box::new(self.race_elsewhere(plan, &ran, proof))),
        };
        // Where threads of nested teams ask for their number, every pair of numbers must come up.
        let turns = if self.asks_inside { ran.team } else { 1 };
        // Where tasks are assigned, and others in another order in every rotation, they are turned by themselves as well.
        let (team, all) = (ran.team, turns * runs(plan, ran.team));
        for turn in 1..all {
            let mut turned = turned(plan, turn / turns, team);
            turned.distribution.inner = turn % turns;
            if turn / turns >= team && self.all_executed() {
                break;
            }
            match self.one(&turned).1 {
                Verdict::Proved(other) if other == first => {}
                Verdict::Proved(other) if other.strands == first.strands => {
                    let all = first.values.keys().chain(other.values.keys());
                    let varies = all.filter(|at| first.values.get(at) != other.values.get(at));
                    Rc::make_mut(&mut self.varying).extend(varies);
                    return Ok(None);
                }
                Verdict::Proved(_) if self.slots.is_none() => return Ok(None),
                Verdict::Proved(other) => {
                    let why = "what a part of the program does depends on the thread that executes it";
                    let place = self.difference([plan, &turned], &first.strands, &other.strands);
                    return Err(Box::new(undecided(place, why)));
                }
                Verdict::Other(proof) => return Err(Box::new(proof)),
            }
        }
        Ok(Some(ran))
    }

    /// What is not decided in the first rotation may be a race that another one shows.
    fn race_elsewhere(&mut self, plan: &Plan, ran: &Ran, proof: Proof) -> Proof {
        if !matches!(proof, Proof::Undecided { .. }) || ran.end != End::Complete {
            return proof;
        }
        for rotation in 1..ran.team {
            if let Verdict::Other(race @ Proof::Race { .. }) = self.one(&turned(plan, rotation, ran.team)).1 {
                return race;
            }
        }
        proof
    }

    /// Finds out what threads use by their number, from one run for each rotation. Whether there is something.
    fn find_slots(&mut self, plan: &Plan) -> bool {
        let module = self.program.module;
        let (slots, team) = loop {
            let known = self.sites.len();
            let (mut uses, mut team, mut turn) = (Uses::default(), 1, 0);
            let mut whole = true;
            while turn < runs(plan, team) && whole {
                let turned = turned(plan, turn, team);
                let gatherer =
                    Rc::new(RefCell::new(slots::Gatherer::new(module.pointer_bytes, uses, plan.tasks)));
                let ran = self.observe(&turned, Rc::clone(&gatherer), &mut Nobody).0;
                let mut gatherer = gatherer.borrow_mut();
                whole = ran.end == End::Complete && !gatherer.doubt();
                uses = std::mem::take(&mut gatherer.uses);
                team = team.max(ran.team);
                turn += 1;
            }
            if !whole {
                break (Slots::default(), 0);
            }
            if self.sites.len() == known {
                break (uses.slots(), team);
            }
        };
        let (any, slots) = (!slots.is_empty(), Rc::new(slots));
        let mut gathered = Gathered::default();
        for turn in (0..runs(plan, team)).filter(|_| any) {
            gathered.begin();
            let gatherer = sums::Gatherer::new(module, Rc::clone(&slots), gathered, plan.tasks);
            let gatherer = Rc::new(RefCell::new(gatherer));
            self.observe(&turned(plan, turn, team), Rc::clone(&gatherer), &mut Nobody);
            gathered = std::mem::take(&mut gatherer.borrow_mut().gathered);
        }
        let families = Rc::new(gathered.families());
        self.slots = Some(ByNumber { slots, families, sites: self.sites.len() });
        any
    }

    /// What threads use by their number, as far as that is known.
    fn by_number(&self) -> ByNumber {
        self.slots.clone().unwrap_or_default()
    }

    /// Where two runs differ in what a strand does.
    fn difference(
        &mut self,
        plans: [&Plan; 2],
        first: &FxHashMap<Name, u128>,
        second: &FxHashMap<Name, u128>,
    ) -> Option<base::Place> {
        let all = first.keys().chain(second.keys());
        let strand = *all.filter(|name| first.get(name) != second.get(name)).min()?;
        let [a, b] = plans.map(|plan| {
            let (ran, recorder, _) = self.record(plan);
            let whole = ran.end == End::Complete;
            whole.then(|| self.second_pass(&recorder.borrow(), plan, Some(strand)).ok()).flatten()
        });
        let (a, b) = (a?.1, b?.1);
        let at = (0..a.len().max(b.len())).find(|&i| a.get(i) != b.get(i))?;
        let (at, _) = a.get(at).or(b.get(at)).copied()?;
        let body = self.program.module.funcs.get((at >> 32) as usize)?.body.as_ref()?;
        self.program.module.place(*body.places.get(at as u32 as usize)?)
    }

    /// Decides for one assignment of values and one distribution.
    fn one(&mut self, plan: &Plan) -> (Ran, Verdict) {
        loop {
            let known = self.sites.len();
            let (ran, verdict) = self.attempt(plan);
            // What the other side of a branch touches must be known before anything is decided.
            if self.sites.len() == known || matches!(verdict, Verdict::Other(_)) {
                return (ran, verdict);
            }
        }
    }

    fn attempt(&mut self, plan: &Plan) -> (Ran, Verdict) {
        // The other sides of branches that were not known may touch slots.
        if self.slots.as_ref().is_some_and(|known| known.sites != self.sites.len()) {
            self.find_slots(plan);
        }
        let (mut ran, mut recorder, mut machine) = self.record(plan);
        if self.slots.is_none() && ran.team > 1 && ran.end == End::Complete {
            // What one thread does in several pieces may be its own affair.
            let alone = recorder.borrow().conflicts.suspects_only();
            if alone && self.find_slots(plan) {
                (ran, recorder, machine) = self.record(plan);
            }
        }
        let mut recorder = recorder.borrow_mut();
        self.asks_inside |= recorder.asks_inside;
        self.tasks_ask |= recorder.tasks_ask;
        for (name, (numbers, team)) in recorder.executed.drain() {
            let known = self.executed.entry(name).or_default();
            *known = (known.0 | numbers, known.1.max(team));
        }
        self.float_assumed |= recorder.conflicts.float_assumed || recorder.private.float_assumed;
        for (t, th) in machine.threads.iter().enumerate().filter(|(_, th)| th.ended()) {
            th.locks.iter().for_each(|h| recorder.nesting.wait(t, h.lock));
        }
        let verdict = self.judge(&machine, &recorder, &ran, plan);
        (ran, verdict)
    }

    /// Pass 1.
    fn record(&mut self, plan: &Plan) -> (Ran, Rc<RefCell<Recorder<'p>>>, Machine<'p>) {
        let module = self.program.module;
        let recorder = Rc::new(RefCell::new(Recorder::new(module, self.by_number().slots, plan.tasks)));
        recorder.borrow_mut().conflicts.deadline = self.deadline;
        let (ran, machine) = self.observe(plan, Rc::clone(&recorder), &mut Watcher(&recorder));
        {
            let mut recorder = recorder.borrow_mut();
            recorder.collect(true);
            recorder.conflicts.finish();
        }
        (ran, recorder, machine)
    }

    /// Runs the program by a plan.
    fn observe<O: Observer + 'p>(
        &mut self,
        plan: &Plan,
        observer: Rc<RefCell<O>>,
        watch: &mut dyn Watch,
    ) -> (Ran, Machine<'p>) {
        let mut machine = Machine::new(self.program, Self::mode());
        machine.may.sites.clone_from(&self.sites);
        // Inputs without bounds steer small branches either way, too.
        machine.may.both = true;
        machine.task_copies = true;
        machine.pauses = true;
        machine.observer = Some(Box::new(Shared(observer)));
        let ran = drive::run(&mut machine, plan, watch);
        machine.observer = None;
        self.sites.extend(machine.may.met.iter().copied());
        self.stats.executions += 1;
        self.stats.instructions += machine.instructions;
        self.tell(&machine);
        (ran, machine)
    }

    fn judge(&mut self, machine: &Machine, recorder: &Recorder, ran: &Ran, plan: &Plan) -> Verdict {
        let known = self.sites.len();
        let rest = self.judge_rest(machine, recorder, ran, plan);
        if self.sites.len() > known && matches!(rest, Verdict::Proved(_)) {
            return rest;
        }
        let effort = match rest {
            Verdict::Proved(_) => Effort::FULL,
            Verdict::Other(_) => Effort::SMALL,
        };
        let Witnessed { races, met, open } = self.witnesses(recorder, plan, effort);
        if !races.is_empty() || !met.is_empty() {
            // With distributions, those of the other rotations may have more; but whoever has races to repair need not wait.
            let complete = open.is_none() && matches!(rest, Verdict::Proved(_));
            let mut proof = self.races(races, Mode::default(), complete);
            if let (Proof::Race { outcome, .. }, Proof::Race { outcome: others, .. }) =
                (&mut proof, self.races(met, predicted::mode(), complete))
            {
                for race in others.races {
                    explore::elaborate::add_race(&mut outcome.races, race);
                }
                explore::elaborate::sort_races(&mut outcome.races);
            }
            return Verdict::Other(proof);
        }
        match (rest, open) {
            (Verdict::Proved(_), Some(access)) => {
                let place = self.place_of(access);
                Verdict::Other(undecided(place, "whether two accesses can meet was not decided"))
            }
            (rest, _) => rest,
        }
    }

    /// Everything but the candidates for races.
    fn judge_rest(&mut self, machine: &Machine, recorder: &Recorder, ran: &Ran, plan: &Plan) -> Verdict {
        let module = self.program.module;
        if let Some(steered) = recorder.steered {
            let reason = format!("{} is used, whose order the schedule decides", steered.what);
            return Verdict::Other(sensitive(module, steered.place, reason));
        }
        if let Some(proof) = self.ended_early(machine, &ran.end) {
            return Verdict::Other(proof);
        }
        if recorder.conflicts.late {
            return Verdict::Other(undecided(None, "comparing what the strands touch takes too long"));
        }
        if let Some(place) = recorder.identity {
            let reason = "what a task does may depend on the thread that executes it";
            return Verdict::Other(undecided(module.place(place), reason));
        }
        if let Some(access) = recorder.shared_own {
            let reason = "a task uses a variable that each thread has for itself";
            return Verdict::Other(undecided(self.place_of(access), reason));
        }
        if let Some(why) = recorder.order.doubt() {
            return Verdict::Other(undecided(None, why));
        }
        let strands = match self.second_pass(recorder, plan, None) {
            Ok((done, _)) => done,
            Err(proof) => return Verdict::Other(*proof),
        };
        if let Some((access, _)) = recorder.conflicts.defect {
            let reason = "an object ends, or a lock is made or destroyed, in an order that locks decide";
            return Verdict::Other(undecided(self.place_of(access), reason));
        }
        if let Some(why) = recorder.nesting.doubt() {
            return Verdict::Other(undecided(None, why));
        }
        Verdict::Proved(strands)
    }

    /// Why a run that did not come to its end proves nothing.
    fn ended_early(&self, machine: &Machine, end: &End) -> Option<Proof> {
        let module = self.program.module;
        let here = |t: usize| module.place(machine.user_place(&machine.threads[t]));
        Some(match end {
            End::Complete => return None,
            End::Stopped(t, Stop::Unknown(what)) => undecided(here(*t), what),
            End::Stopped(t, Stop::Infeasible) => undecided(here(*t), "an assumption fails in this run"),
            End::Stopped(t, Stop::Defect(_, what)) => {
                undecided(here(*t), &format!("the run shows a defect: {what}"))
            }
            End::Stopped(t, _) => undecided(here(*t), "the run does not go on"),
            End::Steered(place, what) => {
                sensitive(module, *place, format!("{what}: the schedule decides how it goes"))
            }
            End::BarrierOrder => undecided(None, "a barrier is used by more threads than it takes"),
            End::Deadlock => undecided(None, "the run ends in a deadlock"),
            End::Unfinished(t) => undecided(here(*t), "a thread still waits here when the program ends"),
            End::TooLong => undecided(None, "the run takes too long"),
        })
    }

    /// Pass 2; why the program is schedule-sensitive, if it is.
    fn second_pass(
        &mut self,
        recorder: &Recorder,
        plan: &Plan,
        watched: Option<Name>,
    ) -> Result<(Done, Seen), Box<Proof>> {
        let module = self.program.module;
        let salt = plan.distribution.rotation.into();
        let known = self.by_number();
        let parameters = (known.slots, known.families, Rc::clone(&self.varying));
        let tainter = Rc::new(RefCell::new(Tainter::new(module, recorder, parameters, salt, watched)));
        let plan = Plan { open_serial: true, ..plan.clone() };
        let mut follower = Follower::new(&tainter);
        let (ran, machine) = self.observe(&plan, Rc::clone(&tainter), &mut follower);
        self.float_assumed |= follower.float_assumed;
        match ran.end {
            End::Complete => {
                let mut tainter = tainter.borrow_mut();
                self.combined |= tainter.combined;
                let done = Done { strands: tainter.take_strands(), values: tainter.take_values() };
                Ok((done, std::mem::take(&mut tainter.seen)))
            }
            End::Stopped(t, stop) => {
                let place = machine.user_place(&machine.threads[t]);
                let last = tainter.borrow().last.get(t).copied().flatten();
                Err(Box::new(sensitive(module, place, because(&machine, &stop, last))))
            }
            end => Err(Box::new(
                self.ended_early(&machine, &end).unwrap_or_else(|| undecided(None, "the second run differs")),
            )),
        }
    }

    /// What becomes of the candidates for races.
    fn witnesses(&mut self, recorder: &Recorder, plan: &Plan, effort: Effort) -> Witnessed {
        let conflicts = &recorder.conflicts;
        let end = Instant::now() + effort.total;
        let end = self.deadline.map_or(end, |d| d.min(end));
        let mut groups: Vec<(&GroupKey, &Group)> = conflicts.groups.iter().collect();
        groups.sort_unstable_by_key(|(key, _)| **key);
        let mut races = Vec::new();
        let (mut met, mut open, mut left) = (Vec::new(), None, Vec::new());
        for (n, (key, group)) in groups.iter().enumerate() {
            let late = Instant::now() >= end;
            let found = if n < MAX_GROUPS && !late {
                self.confirm(recorder, plan, &group.variants, (effort, end))
            } else {
                None
            };
            match found {
                Some(race) => races.push(race),
                // The turns that combiners take would exclude it, and they need not take turns.
                None if group.variants.iter().any(|c| recorder.locks.is_beside(c.first.context)) => {
                    open = open.or(Some(key.0));
                }
                None => left.push((key.0, key.1)),
            }
        }
        if !left.is_empty() {
            open = open.or(self.meet(&left, &mut met, plan, end));
        }
        // What one thread did in this run, another distribution gives to two.
        let mut suspects: Vec<(&GroupKey, &Group)> = conflicts.suspects.iter().collect();
        suspects.sort_unstable_by_key(|(key, _)| **key);
        for (n, (key, group)) in suspects.iter().enumerate() {
            let late = Instant::now() >= end;
            if conflicts.groups.contains_key(key) {
                continue;
            }
            let apart = group.variants.iter().filter_map(|c| self.apart(recorder, plan, c, (effort, end)));
            let found = if n < MAX_GROUPS && !late { apart.into_iter().next() } else { None };
            match found {
                Some(race) => races.push(race),
                None => open = open.or(Some(key.0)),
            }
        }
        Witnessed { races, met, open }
    }

    /// Decides candidates for which no directed run was found: adds the races among them, and gives an access of one that
    /// stays open.
    fn meet(
        &self,
        left: &[(AccessId, AccessId)],
        races: &mut Vec<FoundRace>,
        plan: &Plan,
        end: Instant,
    ) -> Option<AccessId> {
        // The other side of a branch that is taken both ways is not in the run, nor are other inputs.
        let one_run = self.sites.is_empty() && plan.answers.is_empty() && left.len() <= MAX_GROUPS;
        let run = one_run.then(|| together::Run::new(self.program, Some(end))).flatten();
        let Some(run) = run else { return left.first().map(|pair| pair.0) };
        let mut open = None;
        for &(first, second) in left {
            match run.meet(first, second) {
                Meeting::Race(race) => races.push(*race),
                Meeting::Excluded => {}
                Meeting::Open => open = open.or(Some(first)),
            }
        }
        open
    }

    /// A witness for two strands that one thread executed, under a distribution that puts them on two.
    fn apart(
        &self,
        recorder: &Recorder,
        plan: &Plan,
        candidate: &Candidate,
        effort: (Effort, Instant),
    ) -> Option<FoundRace> {
        let order = &recorder.order;
        let pieces = [candidate.first, candidate.second].map(|end| order.piece(end.pos));
        let distribution = match pieces {
            [Some((s, i, _)), Some((r, j, _))] if (s, i) == (r, j) => plan.distribution,
            [Some((s, i, n)), Some((r, j, m))] if s == r => {
                let row = (i.abs_diff(j) / n.max(m).max(1)).max(1) - 1;
                Distribution { row, ..plan.distribution }
            }
            [Some((share, ..)), _] | [None, Some((share, ..))] => {
                Distribution { shifted: Some(share), ..plan.distribution }
            }
            // Tasks fall on threads as the directed run lets them; lanes race on one.
            [None, None] => plan.distribution,
        };
        let plan = Plan { distribution, ..plan.clone() };
        self.confirm(recorder, &plan, std::slice::from_ref(candidate), effort)
    }

    fn confirm(
        &self,
        recorder: &Recorder,
        plan: &Plan,
        variants: &[Candidate],
        (effort, end): (Effort, Instant),
    ) -> Option<FoundRace> {
        let guide = Guide {
            answers: &plan.answers,
            distribution: plan.distribution,
            max_moves: effort.moves,
            deadline: Some(end.min(Instant::now() + effort.each)),
        };
        variants
            .iter()
            .find_map(|candidate| witness::find(self.program, Mode::default(), recorder, candidate, &guide))
    }

    fn races(&self, races: Vec<FoundRace>, mode: Mode, complete: bool) -> Proof {
        let found = Found { races, stats: self.stats.clone(), ..Found::default() };
        let outcome: Outcome = explore::elaborate::elaborate(self.program, mode, found);
        Proof::Race { outcome, complete }
    }

    fn place_of(&self, access: AccessId) -> Option<base::Place> {
        let module = self.program.module;
        module.place(place_of_access(module, access).0)
    }
}

/// What became of the candidates for races.
struct Witnessed {
    /// Races that directed runs show.
    races: Vec<FoundRace>,
    /// Races that [`together`] shows, in the mode of its runs.
    met: Vec<FoundRace>,
    /// An access of a candidate that was left open, if there is one.
    open: Option<AccessId>,
}

/// How much is done to bring candidates for races to meet.
#[derive(Debug, Clone, Copy)]
struct Effort {
    /// Moves of one attempt.
    moves: u64,
    /// Time for one candidate.
    each: Duration,
    /// Time for all of them.
    total: Duration,
}

impl Effort {
    /// Where every candidate but those that locks keep apart is a race.
    const FULL: Effort =
        Effort { moves: 2_000_000, each: Duration::from_secs(20), total: Duration::from_secs(120) };
    /// Where the schedule steers the program: it may well order what the run leaves unordered, and the searches follow.
    const SMALL: Effort =
        Effort { moves: 20_000, each: Duration::from_millis(500), total: Duration::from_secs(1) };
}

/// How many runs show every piece, and every task where these are assigned, on every thread.
fn runs(plan: &Plan, team: u32) -> u32 {
    if plan.tasks { team * team + team } else { team }
}

/// A plan for one of them: the pieces turned, then all tasks on one thread (which a task that waits for its children needs), then
/// tasks turned by themselves.
fn turned(plan: &Plan, turn: u32, team: u32) -> Plan {
    let (rotation, rest) = (turn % team.max(1), turn / team.max(1));
    let (heap, shift) = (rest == 1, rest.saturating_sub(1));
    Plan { distribution: Distribution { rotation, shift, heap, ..plan.distribution }, ..plan.clone() }
}

fn undecided(place: Option<base::Place>, reason: &str) -> Proof {
    Proof::Undecided { place, reason: reason.to_string() }
}

fn sensitive(module: &Module, place: PlaceId, reason: String) -> Proof {
    Proof::Sensitive { place: module.place(place), reason }
}

/// Why a tainted value stopped the second pass.
fn because(machine: &Machine, stop: &Stop, last: Option<Unclean>) -> String {
    let what = match stop {
        Stop::Unknown(text) => text.split(" depends on").next().unwrap_or("this").to_string(),
        Stop::Defect(base::DefectKind::UninitialisedPointer, _) => "the address of this access".to_string(),
        _ => "what happens here".to_string(),
    };
    match last {
        Some(read) => {
            let name = explore::names::variable(machine, read.address, read.len, &[read.access]);
            format!("{what} depends on `{name}`, whose value here depends on the order of threads")
        }
        None => format!("{what} depends on a value that the schedule decides"),
    }
}
