//! Checks the certificate of a proof from one run.
//!
//! [`check`] runs the program by itself, once for each assignment of values and each rotation of the distributions, and accepts a
//! [`Certificate`] only if the hypotheses of the theorems in `docs/soundness.md` ("The proof from one run") hold in these runs. It
//! shares with the proof the machine, the front end and the meaning of names ([`machine::names`]), and nothing else; whatever a certificate says,
//! if it is accepted, no schedule and no distribution has a race or another defect.
//!
//! Where what is checked: [`order`] lemma 1, [`facts`] lemma 2, [`values`] rules R2 and R3 with lemma 3, [`follow`] lemma 4, [`run`] rules R4 and R5 and,
//! with [`skeleton`], the hypotheses of theorem 1, [`meet`] rule R1 and theorem 2, [`locks`] theorem 2 and deadlock. [`drive`] runs the machine,
//! [`updates`] and [`objects`] say what updates and cells are. What is not checked is refused, with the reason.

pub mod certificate;
pub mod drive;
pub mod facts;
pub mod follow;
pub mod locks;
pub mod meet;
pub mod objects;
pub mod order;
pub mod ranges;
pub mod run;
pub mod skeleton;
pub mod updates;
pub mod values;

use std::cell::RefCell;
use std::rc::Rc;

use base::Budget;
use ir::{Module, PlaceId};
use machine::interp::may::Site;
use machine::{Machine, Mode, Program};
use rustc_hash::FxHashSet;

pub use certificate::Certificate;
use certificate::{Case, VERSION};
use drive::{Asked, Drive, Plan};
use facts::{Facts, Touched};
use run::{Asks, Run};
use skeleton::Skeletons;

/// Why a certificate is not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// In words.
    pub reason: String,
    /// Whether something was claimed that does not hold, and not only something that is not checked.
    pub contradicts: bool,
    /// The instruction, if it has a place.
    at: Option<u64>,
}

impl Refused {
    /// For a reason that has no place.
    pub fn new(reason: impl Into<String>) -> Refused {
        Refused { reason: reason.into(), contradicts: false, at: None }
    }

    /// At an instruction.
    pub fn at(reason: impl Into<String>, at: u64) -> Refused {
        Refused { at: Some(at), ..Refused::new(reason) }
    }

    /// Something was claimed, about this instruction if there is one, that does not hold.
    pub fn wrong(reason: impl Into<String>, at: Option<u64>) -> Refused {
        Refused { contradicts: true, at, ..Refused::new(reason) }
    }

    /// The place in the source.
    pub fn place(&self, module: &Module) -> Option<PlaceId> {
        let at = self.at?;
        let body = module.funcs.get((at >> 32) as usize)?.body.as_ref()?;
        body.places.get(at as u32 as usize).copied()
    }
}

/// The most assignments of values to inputs.
const MAX_CASES: usize = 256;

/// Figures of a check.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// How many runs there were.
    pub runs: u64,
    /// Their instructions.
    pub instructions: u64,
    /// What strands do, if the threads of all teams are alike but for the first.
    pub alike: Option<Alike>,
}

/// What the strands of a program do whose threads are alike but for the first of each team, by the answers that it got.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Alike(Vec<(Vec<u32>, Skeletons)>);

impl Alike {
    /// Whether what was checked with two threads, this, and with three holds for every larger number too (theorem 3 in
    /// `docs/soundness.md`): the third has changed nothing that anybody finds.
    pub fn goes_on(&self, with_three: &Alike) -> bool {
        let pairs = self.0.iter().zip(&with_three.0);
        self.0.len() == with_three.0.len()
            && pairs.into_iter().all(|(two, three)| two.0 == three.0 && two.1.are_among(&three.1))
    }
}

/// Checks a certificate for a program with given inputs.
///
/// # Errors
/// If something that it claims, or that the theorem needs, does not hold or is not checked.
pub fn check(program: &Program, certificate: &Certificate, budget: Budget) -> Result<Checked, Refused> {
    if certificate.version != VERSION {
        return Err(Refused::new(format!(
            "the certificate has version {}, not {VERSION}",
            certificate.version
        )));
    }
    if let Some(remark) = program.module.remarks.first() {
        return Err(Refused::new(remark.clone()));
    }
    let mut checker =
        Checker { program, certificate, budget, checked: Checked::default(), done: Alike::default() };
    let mut answers = Vec::new();
    for _ in 0..MAX_CASES {
        let Some(case) = certificate.cases.iter().find(|case| case.answers == answers) else {
            return Err(Refused::new("the certificate does not speak of all values of the inputs"));
        };
        let values = checker.case(case)?;
        let Some(at) = values.iter().rposition(|&(value, n)| value + 1 < n) else {
            let alike = program.threads_are_alike().then_some(checker.done);
            return Ok(Checked { alike, ..checker.checked });
        };
        answers = values[..=at].iter().map(|v| v.0).collect();
        answers[at] += 1;
    }
    Err(Refused::new("the inputs have too many values"))
}

struct Checker<'a> {
    program: &'a Program<'a>,
    certificate: &'a Certificate,
    budget: Budget,
    checked: Checked,
    done: Alike,
}

/// What the runs of one case have shown.
#[derive(Default)]
struct Shown {
    first: Option<Skeletons>,
    touched: Touched,
    asks: Asks,
}

impl Checker<'_> {
    /// Checks one assignment of values; the values that were asked for.
    fn case(&mut self, case: &Case) -> Result<Vec<(u32, u32)>, Refused> {
        let table = objects::Table::default();
        let facts = Rc::new(Facts::new(case, &table)?);
        let plan =
            Plan { answers: case.answers.clone(), tasks: case.tasks, budget: self.budget, ..Plan::default() };
        let mut shown = Shown::default();
        let asked = self.run(case, &plan, &facts, &table, &mut shown)?;
        // Every piece on every thread; where threads of nested teams ask for their number, every pair of numbers; and every task on every
        // thread, where these ask: with all of them on one thread, and turned by themselves.
        let team = asked.team.max(1);
        let turns = if case.tasks { team * team + team } else { team };
        let inner = if shown.asks.inside { team } else { 1 };
        for turn in 1..inner * turns {
            let rest = turn / inner / team;
            if rest > 0 && all_executed(&shown.asks) {
                break;
            }
            let (rotation, inner) = (turn / inner % team, turn % inner);
            let plan =
                Plan { rotation, inner, heap: rest == 1, shift: rest.saturating_sub(1), ..plan.clone() };
            let again = self.run(case, &plan, &facts, &table, &mut shown)?;
            if again.values != asked.values || again.team.max(1) != team {
                return Err(Refused::new("what the program asks for depends on who executes what"));
            }
        }
        if shown.asks.inside && inner != team {
            return Err(Refused::new(
                "threads of nested teams ask for their number in some distributions alone",
            ));
        }
        if case.tasks && !all_executed(&shown.asks) {
            return Err(Refused::new("not every task was executed by every thread"));
        }
        shown.touched.finish()?;
        self.done.0.push((case.answers.clone(), shown.first.unwrap_or_default()));
        Ok(asked.values)
    }

    /// One run.
    fn run(
        &mut self,
        case: &Case,
        plan: &Plan,
        facts: &Rc<Facts>,
        table: &objects::Table,
        shown: &mut Shown,
    ) -> Result<Asked, Refused> {
        let module = self.program.module;
        let mut run = Run::new(module, Rc::clone(facts), table.clone(), case.tasks);
        (run.touched, run.asks) = (std::mem::take(&mut shown.touched), std::mem::take(&mut shown.asks));
        let run = Rc::new(RefCell::new(run));
        let mut machine = Machine::new(self.program, Mode { histories: false, ..Mode::default() });
        let choices = updates::choices(module);
        let sites: FxHashSet<Site> = case.branches.iter().copied().chain(choices.iter().copied()).collect();
        machine.may.sites.clone_from(&sites);
        machine.may.strict = choices;
        machine.may.both = true;
        machine.task_copies = true;
        machine.finest = true;
        machine.observer = Some(Box::new(Shared(Rc::clone(&run))));
        let (asked, follower) = Default::default();
        let mut drive = Drive { machine: &mut machine, run: &run, facts, plan, asked, follower };
        let ended = drive.run();
        let asked = drive.asked;
        machine.observer = None;
        self.checked.runs += 1;
        self.checked.instructions += machine.instructions;
        self.budget.spend(machine.instructions);
        ended?;
        if machine.split_matters {
            return Err(Refused::new("it matters how the iterations of a taskloop are split"));
        }
        if machine.may.met.iter().any(|site| !sites.contains(site)) {
            return Err(Refused::new(
                "a branch is decided by an open value that the certificate does not name",
            ));
        }
        let mut run = run.borrow_mut();
        run.finish(&machine)?;
        if run.floats() && !self.certificate.floats {
            return Err(Refused::new(
                "floating-point updates have to be taken to commute, which the certificate does not say",
            ));
        }
        if run.combined && !self.certificate.combiners {
            return Err(Refused::new(
                "user-defined reductions have to be taken to commute, which the certificate does not say",
            ));
        }
        (shown.touched, shown.asks) = (std::mem::take(&mut run.touched), std::mem::take(&mut run.asks));
        let done = std::mem::take(&mut run.done);
        match &shown.first {
            None => shown.first = Some(done),
            Some(first) if *first == done => {}
            Some(_) => {
                return Err(Refused::wrong(
                    "what a part of the program does depends on the thread that executes it",
                    None,
                ));
            }
        }
        Ok(asked)
    }
}

/// Whether every task was executed by every thread of its team.
fn all_executed(asks: &Asks) -> bool {
    asks.executed.values().all(|&(numbers, team)| team <= 32 && numbers == (1 << team) - 1)
}

/// An observer that is asked afterwards.
struct Shared<'m>(Rc<RefCell<Run<'m>>>);

impl machine::Observer for Shared<'_> {
    fn access(
        &mut self,
        t: usize,
        th: &machine::Thread,
        address: u64,
        len: u64,
        write: bool,
        atomic: bool,
        access: ir::AccessId,
    ) -> bool {
        self.0.borrow_mut().access(t, th, address, len, write, atomic, access)
    }

    fn settles(&self) -> bool {
        self.0.borrow().settles()
    }

    fn look(&mut self, memory: &machine::memory::Memory) -> bool {
        self.0.borrow_mut().look(memory)
    }

    fn edge(&mut self, t: usize, th: &machine::Thread, edge: machine::Edge) {
        self.0.borrow_mut().edge(t, th, edge);
    }

    fn work(&mut self, t: usize, th: &machine::Thread, work: &machine::Work) {
        self.0.borrow_mut().work(t, th, work);
    }

    fn identity(&mut self, t: usize, th: &machine::Thread) -> bool {
        self.0.borrow_mut().identity(t, th)
    }

    fn made(&mut self, t: usize, address: u64) {
        self.0.borrow_mut().made(t, address);
    }

    fn local(&mut self, t: usize, address: u64, variable: u32) {
        self.0.borrow_mut().local(t, address, variable);
    }

    fn gone(&mut self, t: usize, th: &machine::Thread, address: u64, len: u64) {
        self.0.borrow_mut().gone(t, th, address, len);
    }

    fn destroyed(&mut self, t: usize, th: &machine::Thread, address: u64) {
        self.0.borrow_mut().destroyed(t, th, address);
    }
}
