//! The runs of a program that a proof looks at: one for each rotation of its distributions.

use base::reason::Fork;
use std::cell::RefCell;
use std::rc::Rc;

use base::Budget;
use ir::PlaceId;
use machine::interp::may::Site;
use machine::{Machine, Mode, Observer, Program};
use rustc_hash::FxHashSet;

use crate::cells::Table;
use crate::certificate::Reasons;
use crate::drive::{self, Distribution, End, Plan, Ran, Watch};
use crate::folds::Events;
use crate::owners::Uses;
use crate::record::Recorder;
use crate::witness::Shared;

/// Recorders of runs with more positions than this are not kept: the run is repeated when its recorder is needed.
const MOST_POSITIONS: usize = 300_000;

/// One run, recorded.
pub(crate) struct Run<'p> {
    /// What it was given.
    pub plan: Plan,
    /// How it ended.
    pub ran: Ran,
    /// Whether it leaves nothing open, if nobody owns anything.
    pub settled: bool,
    recorder: Option<Rc<RefCell<Recorder<'p>>>>,
}

/// All runs for one assignment of values.
pub(crate) struct Runs<'p> {
    /// The program.
    pub program: &'p Program<'p>,
    /// The names of objects, the same in all runs.
    pub table: Table,
    /// Branches that are taken both ways.
    pub sites: FxHashSet<Site>,
    /// Those whose condition is an update's own affair.
    choices: FxHashSet<Site>,
    /// The runs; the first has the distribution of the plan.
    pub all: Vec<Run<'p>>,
    /// What threads touch in them.
    pub uses: Uses,
    /// The updates of open strands in them.
    pub events: Events,
    /// Why accesses do not meet in them.
    pub reasons: Reasons,
    /// When to give up.
    pub budget: Budget,
    /// How many runs there were, and their instructions.
    pub count: (u64, u64),
    /// How many runs are made at a time.
    pub jobs: usize,
}

/// What all runs of a round share, whoever makes them.
#[derive(Clone, Copy)]
pub(crate) struct Setting<'a, 'p> {
    /// The program.
    pub program: &'p Program<'p>,
    /// The names of objects.
    pub table: &'a Table,
    sites: &'a FxHashSet<Site>,
    choices: &'a FxHashSet<Site>,
    budget: Budget,
}

/// What a run says beside what its observer has seen.
#[derive(Default)]
pub(crate) struct Met {
    /// Branches that open values decide.
    pub sites: FxHashSet<Site>,
    /// How many instructions there were.
    pub instructions: u64,
}

/// A run that was recorded, not yet to be looked at with the others.
pub(crate) struct Recorded<'p> {
    ran: Ran,
    recorder: Recorder<'p>,
    /// What it says beside that.
    pub met: Met,
}

/// Tells the recorder what observers do not see.
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

impl<'p> Runs<'p> {
    /// No run yet; up to `jobs` of them are made at a time.
    pub fn new(program: &'p Program<'p>, sites: FxHashSet<Site>, budget: Budget, jobs: usize) -> Runs<'p> {
        Runs {
            program,
            table: Table::default(),
            choices: sites.clone(),
            sites,
            all: Vec::new(),
            uses: Uses::default(),
            events: Events::default(),
            reasons: Reasons::default(),
            budget,
            count: (0, 0),
            jobs: jobs.max(1),
        }
    }

    /// Forgets the runs, but not the branches.
    pub fn clear(&mut self) {
        self.all.clear();
        self.uses = Uses::default();
        self.events = Events::default();
        self.reasons = Reasons::default();
    }

    /// What runs are given.
    pub fn setting(&self) -> Setting<'_, 'p> {
        Setting {
            program: self.program,
            table: &self.table,
            sites: &self.sites,
            choices: &self.choices,
            budget: self.budget,
        }
    }

    /// Does something for each of `n` runs, several at a time. Objects have their names from the first run; where one of the others makes
    /// new ones, so that their numbers would depend on who is faster, nothing comes of it, and there will be one at a time from then on.
    pub fn several<R: Send>(
        &mut self,
        n: usize,
        work: impl Fn(Setting<'_, 'p>, usize) -> R + Sync,
    ) -> Option<Vec<R>> {
        let known = self.table.len();
        let setting = self.setting();
        let done = machine::several::map(self.jobs, n, |i| work(setting, i));
        if self.jobs.min(n) > 1 && self.table.len() > known {
            self.table.truncate(known);
            self.jobs = 1;
            return None;
        }
        Some(done)
    }

    /// A run has told this.
    pub fn note(&mut self, met: Met) {
        self.sites.extend(met.sites);
        self.count.0 += 1;
        self.count.1 += met.instructions;
        self.budget.spend(met.instructions);
    }

    /// A run that was recorded is to be looked at with the others.
    pub fn add(&mut self, plan: &Plan, recorded: Recorded<'p>) -> Rc<RefCell<Recorder<'p>>> {
        let Recorded { ran, mut recorder, met } = recorded;
        self.note(met);
        self.uses.join(std::mem::take(&mut recorder.uses));
        self.events.join(std::mem::take(&mut recorder.events));
        self.reasons.join(std::mem::take(&mut recorder.conflicts.reasons));
        let settled = recorder.conflicts.is_settled() && recorder.nesting.doubt().is_none();
        let small = recorder.order.len() <= MOST_POSITIONS;
        let recorder = Rc::new(RefCell::new(recorder));
        let kept = small.then(|| Rc::clone(&recorder));
        self.all.push(Run { plan: plan.clone(), ran, settled, recorder: kept });
        recorder
    }

    /// The recorder of a run.
    pub fn recorder(&mut self, run: usize) -> Rc<RefCell<Recorder<'p>>> {
        if let Some(kept) = &self.all[run].recorder {
            return Rc::clone(kept);
        }
        let Recorded { recorder, met, .. } = self.setting().record(&self.all[run].plan);
        self.note(met);
        Rc::new(RefCell::new(recorder))
    }

    /// The recorders of as many runs from one on as are made at a time.
    pub fn recorders(&mut self, from: usize) -> Vec<Rc<RefCell<Recorder<'p>>>> {
        let to = self.all.len().min(from + self.jobs);
        if self.all[from..to].iter().any(|run| run.recorder.is_none()) {
            let plans: Vec<Plan> = self.all[from..to].iter().map(|run| run.plan.clone()).collect();
            if let Some(all) = self.several(plans.len(), |runs, i| runs.record(&plans[i])) {
                let recorder = |Recorded { recorder, met, .. }| {
                    self.note(met);
                    Rc::new(RefCell::new(recorder))
                };
                return all.into_iter().map(recorder).collect();
            }
            return vec![self.recorder(from)];
        }
        (from..to).map(|run| self.recorder(run)).collect()
    }
}

impl<'p> Setting<'_, 'p> {
    /// Runs the program by a plan and records what it does.
    pub fn record(&self, plan: &Plan) -> Recorded<'p> {
        let module = self.program.module;
        let mut recorder = Recorder::new(module, self.table.clone(), plan.tasks);
        recorder.conflicts.budget = self.budget;
        let recorder = Rc::new(RefCell::new(recorder));
        let mut watcher = Watcher(&recorder);
        let (ran, machine, met) = self.observe(plan, Rc::clone(&recorder), &mut watcher);
        let mut recorder = Rc::into_inner(recorder).expect("nobody else has it").into_inner();
        recorder.collect(true);
        recorder.conflicts.finish();
        for (t, th) in machine.threads.iter().enumerate().filter(|(_, th)| th.ended()) {
            th.locks.iter().for_each(|h| recorder.nesting.wait(t, h.lock));
        }
        Recorded { ran, recorder, met }
    }

    /// Runs the program by a plan.
    pub fn observe<O: Observer + 'p>(
        &self,
        plan: &Plan,
        observer: Rc<RefCell<O>>,
        watch: &mut dyn Watch,
    ) -> (Ran, Machine<'p>, Met) {
        let mut machine = Machine::new(self.program, Mode { histories: false, ..Mode::default() });
        machine.may.sites.clone_from(self.sites);
        machine.may.strict.clone_from(self.choices);
        // Inputs without bounds steer small branches either way, too.
        machine.may.both = true;
        machine.task_copies = true;
        machine.finest = true;
        machine.observer = Some(Box::new(Shared(observer)));
        let mut ran = drive::run(&mut machine, plan, watch);
        machine.observer = None;
        if machine.split_matters && ran.end == End::Complete {
            let what = Fork::TaskloopSplit;
            ran.end = End::Steered(PlaceId::NONE, what);
        }
        let sites = machine.may.met.iter().copied().collect();
        let met = Met { sites, instructions: machine.instructions };
        (ran, machine, met)
    }
}

/// How many runs show every piece, and every task where these are assigned, on every thread, or on the two that stand for all.
pub(crate) fn turns(plan: &Plan, team: u32) -> u32 {
    match plan.tasks {
        true => team * team + team,
        false if plan.two => team.clamp(1, 2),
        false => team.max(1),
    }
}

/// A plan for one of them: the pieces turned, then all tasks on one thread (which a task that waits for its children needs), then
/// tasks turned by themselves.
pub(crate) fn turned(plan: &Plan, turn: u32, team: u32) -> Plan {
    let (rotation, rest) = (turn % team.max(1), turn / team.max(1));
    let (heap, shift) = (rest == 1, rest.saturating_sub(1));
    Plan { distribution: Distribution { rotation, shift, heap, ..plan.distribution }, ..plan.clone() }
}
