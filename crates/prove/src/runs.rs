//! The runs of a program that a proof looks at: one for each rotation of its distributions.

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
    /// No run yet.
    pub fn new(program: &'p Program<'p>, sites: FxHashSet<Site>, budget: Budget) -> Runs<'p> {
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
        }
    }

    /// Forgets the runs, but not the branches.
    pub fn clear(&mut self) {
        self.all.clear();
        self.uses = Uses::default();
        self.events = Events::default();
        self.reasons = Reasons::default();
    }

    /// Runs the program by a plan and records what it does, to be looked at with the others.
    pub fn record(&mut self, plan: &Plan) -> (Rc<RefCell<Recorder<'p>>>, Machine<'p>) {
        let (uses, mut events) = (std::mem::take(&mut self.uses), std::mem::take(&mut self.events));
        events.begin();
        let (ran, recorder, machine) = self.run(plan, uses, events);
        {
            let mut recorder = recorder.borrow_mut();
            self.uses = std::mem::take(&mut recorder.uses);
            self.events = std::mem::take(&mut recorder.events);
            let reasons = std::mem::take(&mut recorder.conflicts.reasons);
            self.reasons.join(reasons);
        }
        let small = recorder.borrow().order.len() <= MOST_POSITIONS;
        let kept = small.then(|| Rc::clone(&recorder));
        self.all.push(Run { plan: plan.clone(), ran, recorder: kept });
        (recorder, machine)
    }

    /// The recorder of a run.
    pub fn recorder(&mut self, run: usize) -> Rc<RefCell<Recorder<'p>>> {
        if let Some(kept) = &self.all[run].recorder {
            return Rc::clone(kept);
        }
        let plan = self.all[run].plan.clone();
        self.run(&plan, Uses::default(), Events::default()).1
    }

    fn run(
        &mut self,
        plan: &Plan,
        uses: Uses,
        events: Events,
    ) -> (Ran, Rc<RefCell<Recorder<'p>>>, Machine<'p>) {
        let module = self.program.module;
        let mut recorder = Recorder::new(module, self.table.clone(), plan.tasks);
        (recorder.uses, recorder.events) = (uses, events);
        recorder.conflicts.budget = self.budget;
        let recorder = Rc::new(RefCell::new(recorder));
        let mut watcher = Watcher(&recorder);
        let (ran, machine) = self.observe(plan, Rc::clone(&recorder), &mut watcher);
        {
            let mut recorder = recorder.borrow_mut();
            recorder.collect(true);
            recorder.conflicts.finish();
            for (t, th) in machine.threads.iter().enumerate().filter(|(_, th)| th.ended()) {
                th.locks.iter().for_each(|h| recorder.nesting.wait(t, h.lock));
            }
        }
        (ran, recorder, machine)
    }

    /// Runs the program by a plan.
    pub fn observe<O: Observer + 'p>(
        &mut self,
        plan: &Plan,
        observer: Rc<RefCell<O>>,
        watch: &mut dyn Watch,
    ) -> (Ran, Machine<'p>) {
        let mut machine = Machine::new(self.program, Mode { histories: false, ..Mode::default() });
        machine.may.sites.clone_from(&self.sites);
        machine.may.strict.clone_from(&self.choices);
        // Inputs without bounds steer small branches either way, too.
        machine.may.both = true;
        machine.task_copies = true;
        machine.finest = true;
        machine.observer = Some(Box::new(Shared(observer)));
        let mut ran = drive::run(&mut machine, plan, watch);
        machine.observer = None;
        if machine.split_matters && ran.end == End::Complete {
            let what = "the split of a taskloop whose tasks change private variables";
            ran.end = End::Steered(PlaceId::NONE, what);
        }
        self.sites.extend(machine.may.met.iter().copied());
        self.count.0 += 1;
        self.count.1 += machine.instructions;
        self.budget.spend(machine.instructions);
        (ran, machine)
    }
}

/// How many runs show every piece, and every task where these are assigned, on every thread.
pub(crate) fn turns(plan: &Plan, team: u32) -> u32 {
    if plan.tasks { team * team + team } else { team.max(1) }
}

/// A plan for one of them: the pieces turned, then all tasks on one thread (which a task that waits for its children needs), then
/// tasks turned by themselves.
pub(crate) fn turned(plan: &Plan, turn: u32, team: u32) -> Plan {
    let (rotation, rest) = (turn % team.max(1), turn / team.max(1));
    let (heap, shift) = (rest == 1, rest.saturating_sub(1));
    Plan { distribution: Distribution { rotation, shift, heap, ..plan.distribution }, ..plan.clone() }
}
