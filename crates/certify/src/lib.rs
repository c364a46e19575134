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

#![forbid(unsafe_code)]

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

use base::reason::{Gap, Reason, Uncertified};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use base::Budget;
use ir::{Module, PlaceId};
use machine::interp::may::Site;
use machine::{Machine, Mode, Program};
use rustc_hash::FxHashSet;

pub use certificate::Certificate;
use certificate::{Case, VERSION};
use drive::{Asked, Drive, Plan};
use facts::{Facts, Touched};
pub use objects::Table;
use run::{Asks, Run};
use skeleton::Skeletons;

/// Why a certificate is not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The reason.
    pub reason: Reason,
    /// Whether something was claimed that does not hold, and not only something that is not checked.
    pub contradicts: bool,
    /// The instruction, if it has a place.
    at: Option<u64>,
}

impl Refused {
    /// For a reason that has no place.
    pub fn new(reason: impl Into<Reason>) -> Refused {
        Refused { reason: reason.into(), contradicts: false, at: None }
    }

    /// At an instruction.
    pub fn at(reason: impl Into<Reason>, at: u64) -> Refused {
        Refused { at: Some(at), ..Refused::new(reason) }
    }

    /// Something was claimed, about this instruction if there is one, that does not hold.
    pub fn wrong(reason: impl Into<Reason>, at: Option<u64>) -> Refused {
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
pub struct Alike(Vec<(Vec<u32>, [Skeletons; 2])>);

impl Alike {
    /// Whether what was checked with two threads, this, and with three holds for every larger number too (theorem 3 in
    /// `docs/soundness.md`): the third has changed nothing that anybody finds.
    pub fn goes_on(&self, with_three: &Alike) -> bool {
        let pairs = self.0.iter().zip(&with_three.0);
        self.0.len() == with_three.0.len()
            && pairs.into_iter().all(|(two, three)| {
                two.0 == three.0 && two.1.iter().zip(&three.1).all(|(two, three)| two.are_among(three))
            })
    }
}

/// Checks a certificate for a program with given inputs, with up to `jobs` runs at a time. What strands do can be compared
/// ([`Alike::goes_on`]) if both were checked with one table.
///
/// # Errors
/// If something that it claims, or that the theorem needs, does not hold or is not checked.
pub fn check(
    program: &Program,
    certificate: &Certificate,
    budget: Budget,
    jobs: usize,
    table: &Table,
) -> Result<Checked, Refused> {
    if certificate.version != VERSION {
        return Err(Refused::new(Reason::CertificateVersion { found: certificate.version, wanted: VERSION }));
    }
    if let Some(remark) = program.module.remarks.first() {
        return Err(Refused::new(Reason::NotTranslated { what: remark.clone() }));
    }
    let mut checker = Checker {
        program,
        certificate,
        budget,
        jobs,
        choices: updates::choices(program.module),
        table: table.clone(),
        checked: Checked::default(),
        done: Alike::default(),
        uneven: false,
    };
    let mut answers = Vec::new();
    for _ in 0..MAX_CASES {
        let Some(case) = certificate.cases.iter().find(|case| case.answers == answers) else {
            return Err(Refused::new(Uncertified::Values));
        };
        let values = checker.case(case)?;
        let Some(at) = values.iter().rposition(|&(value, n)| value + 1 < n) else {
            let alike = program.threads_are_alike() && !checker.uneven;
            let alike = alike.then_some(checker.done);
            return Ok(Checked { alike, ..checker.checked });
        };
        answers = values[..=at].iter().map(|v| v.0).collect();
        answers[at] += 1;
    }
    Err(Refused::new(Uncertified::TooManyValues))
}

struct Checker<'a> {
    program: &'a Program<'a>,
    certificate: &'a Certificate,
    budget: Budget,
    jobs: usize,
    /// Branches whose condition is an update's own affair.
    choices: FxHashSet<Site>,
    table: Table,
    checked: Checked,
    done: Alike,
    uneven: bool,
}

/// What one run has shown.
struct Ran {
    asked: Asked,
    touched: Touched,
    asks: Asks,
    done: Skeletons,
    left: Skeletons,
    instructions: u64,
}

/// What the runs of one case have shown.
#[derive(Default)]
struct Shown {
    first: Option<Skeletons>,
    /// What phases leave in the first run, and whether another leaves something else.
    left: Skeletons,
    uneven: bool,
    touched: Touched,
    asks: Asks,
    checked: Checked,
}

impl Shown {
    /// Adds a run.
    fn add(&mut self, ran: Ran) -> Result<Asked, Refused> {
        self.checked.runs += 1;
        self.checked.instructions += ran.instructions;
        self.touched.join(ran.touched);
        self.asks.join(ran.asks);
        match &self.first {
            None => (self.first, self.left) = (Some(ran.done), ran.left),
            Some(first) if *first == ran.done => self.uneven |= self.left != ran.left,
            Some(_) => {
                return Err(Refused::wrong(Gap::ByThread, None));
            }
        }
        Ok(ran.asked)
    }
}

/// What all runs of a case are given.
struct Given<'c> {
    case: &'c Case,
    plan: Plan,
    facts: Arc<Facts>,
    table: Table,
    /// Branches that are taken both ways.
    sites: FxHashSet<Site>,
}

impl Checker<'_> {
    /// Checks one assignment of values; the values that were asked for.
    fn case(&mut self, case: &Case) -> Result<Vec<(u32, u32)>, Refused> {
        let mut ended = self.all_turns(case, self.jobs);
        if ended.is_err() && self.jobs > 1 {
            // What is said against a certificate is what one run after another finds.
            ended = self.all_turns(case, 1);
        }
        let (values, shown) = ended?;
        self.checked.runs += shown.checked.runs;
        self.checked.instructions += shown.checked.instructions;
        self.budget.spend(shown.checked.instructions);
        self.uneven |= shown.uneven;
        self.done.0.push((case.answers.clone(), [shown.first.unwrap_or_default(), shown.left]));
        Ok(values)
    }

    /// Makes all runs of a case, several at a time.
    fn all_turns(&self, case: &Case, jobs: usize) -> Result<(Vec<(u32, u32)>, Shown), Refused> {
        let table = self.table.clone();
        let facts = Arc::new(Facts::new(case, &table)?);
        let (answers, tasks, budget) = (case.answers.clone(), case.tasks, self.budget);
        let plan = Plan { answers, tasks, budget, one: case.two, ..Plan::default() };
        let sites = case.branches.iter().copied().chain(self.choices.iter().copied()).collect();
        let given = Given { case, plan, facts, table, sites };
        let mut shown = Shown::default();
        // The second run is made beside the first: where teams share out work there is one.
        let beside = Plan { rotation: 1, ..given.plan.clone() };
        let shares = self.program.module.funcs.iter().any(|f| f.name.starts_with("__kmpc_fork"));
        let plans = [given.plan.clone(), beside.clone()];
        let mut ahead = self.runs(&given, &plans[..if jobs > 1 && shares { 2 } else { 1 }], jobs).into_iter();
        let first = ahead.next().ok_or_else(|| Refused::new(Uncertified::NoRun))?;
        let asked = shown.add(first?)?;
        let mut ahead = ahead.next();
        // Every piece on every thread; where threads of nested teams ask for their number, every pair of numbers; and every task on every
        // thread, where these ask: with all of them on one thread, and turned by themselves.
        let team = asked.team.max(1);
        let turns = match case.tasks {
            true => team * team + team,
            false if case.two => team.min(2),
            false => team,
        };
        let inner = if shown.asks.inside { team } else { 1 };
        let mut plans: Vec<Plan> = (1..inner * turns)
            .map(|turn| {
                let (rotation, rest, inner) = (turn / inner % team, turn / inner / team, turn % inner);
                Plan { rotation, inner, heap: rest == 1, shift: rest.saturating_sub(1), ..given.plan.clone() }
            })
            .collect();
        if self.program.has_shared_lanes() && !case.two {
            // Two pieces that may run at the same time on one thread must meet there: behind the turns of pieces, every thread has all.
            let at = plans.len().min((inner * team) as usize - 1);
            let all = (0..team).map(|rotation| Plan { rotation, one: true, ..given.plan.clone() });
            plans.splice(at..at, all);
        }
        plans.reverse();
        let enough = |plan: &Plan, asks: &Asks| (plan.heap || plan.shift > 0) && all_executed(asks);
        'turns: while let Some(next) = plans.pop().filter(|next| !enough(next, &shown.asks)) {
            let mut some = vec![next];
            let done = match ahead.take().filter(|_| some[0].is_like(&beside)) {
                Some(ran) => vec![ran],
                None => {
                    some.extend((1..jobs).map_while(|_| plans.pop()));
                    self.runs(&given, &some, jobs)
                }
            };
            for (plan, ran) in some.iter().zip(done) {
                if enough(plan, &shown.asks) {
                    break 'turns;
                }
                let again = shown.add(ran?)?;
                if again.values != asked.values || again.team.max(1) != team {
                    return Err(Refused::new(Uncertified::Asked));
                }
            }
        }
        if shown.asks.inside && inner != team {
            return Err(Refused::new(Uncertified::NestedNumbers));
        }
        if case.tasks && !all_executed(&shown.asks) {
            return Err(Refused::new(Uncertified::TaskTurns));
        }
        if case.two && (case.tasks || shown.asks.inside || !self.program.threads_are_exchangeable()) {
            return Err(Refused::wrong(Uncertified::NotAlike, None));
        }
        std::mem::take(&mut shown.touched).finish()?;
        Ok((asked.values, shown))
    }

    /// Runs by some plans, several at a time.
    fn runs(&self, given: &Given, plans: &[Plan], jobs: usize) -> Vec<Result<Ran, Refused>> {
        machine::several::map(jobs, plans.len(), |i| self.run(given, &plans[i]))
    }

    /// One run.
    fn run(&self, given: &Given, plan: &Plan) -> Result<Ran, Refused> {
        let module = self.program.module;
        let run = Run::new(module, Arc::clone(&given.facts), given.table.clone(), given.case.tasks);
        let run = Rc::new(RefCell::new(run));
        let mut machine = Machine::new(self.program, Mode { histories: false, ..Mode::default() });
        machine.may.sites.clone_from(&given.sites);
        machine.may.strict.clone_from(&self.choices);
        machine.may.both = true;
        machine.task_copies = true;
        machine.finest = true;
        machine.observer = Some(Box::new(Shared(Rc::clone(&run))));
        let (asked, follower) = Default::default();
        let mut drive =
            Drive { machine: &mut machine, run: &run, facts: &given.facts, plan, asked, follower };
        let ended = drive.run();
        let asked = drive.asked;
        machine.observer = None;
        ended?;
        if machine.split_matters {
            return Err(Refused::new(Uncertified::TaskloopSplit));
        }
        if machine.may.met.iter().any(|site| !given.sites.contains(site)) {
            return Err(Refused::new(Uncertified::OpenBranch));
        }
        let mut run = run.borrow_mut();
        run.finish(&machine)?;
        if run.floats() && !self.certificate.floats {
            return Err(Refused::new(Uncertified::Floats));
        }
        if run.combined && !self.certificate.combiners {
            return Err(Refused::new(Uncertified::Combiners));
        }
        let (touched, asks) = (std::mem::take(&mut run.touched), std::mem::take(&mut run.asks));
        let (done, left) = (std::mem::take(&mut run.done), std::mem::take(&mut run.left));
        Ok(Ran { asked, touched, asks, done, left, instructions: machine.instructions })
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

    #[inline]
    fn told(
        &mut self,
        t: usize,
        th: &machine::Thread,
        address: u64,
        len: u64,
        write: bool,
        atomic: bool,
        access: ir::AccessId,
        memory: &machine::memory::Memory,
    ) -> (bool, bool) {
        self.0.borrow_mut().told(t, th, address, len, write, atomic, access, memory)
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

    fn gone(
        &mut self,
        t: usize,
        th: &machine::Thread,
        range: (u64, u64),
        access: Option<ir::AccessId>,
        memory: &machine::memory::Memory,
    ) {
        self.0.borrow_mut().gone(t, th, range, access, memory);
    }

    fn destroyed(&mut self, t: usize, th: &machine::Thread, address: u64) {
        self.0.borrow_mut().destroyed(t, th, address);
    }
}
