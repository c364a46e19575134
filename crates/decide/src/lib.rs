//! Who decides: a request in, a report out.
//!
//! [`check`] goes through the bounds of a [`Request`]. Under each, [`policy`] asks one engine after another ([`engines`], each behind
//! the trait of [`engine`]) until the question is settled; what was found has been replayed; a verdict `race-free` is
//! tried by the judge ([`judging`]); what is known under all bounds becomes one report ([`report`]). `check`, `locks` and the
//! tests call this function, and nothing else knows the engines. What no execution came to is told, and nothing is safe by omission
//! ([`ending`]). [`replay`] and [`certify`] look at reports again.
//!
//! Where programs come from is for the caller to know ([`Programs`]): nothing here needs a compiler.

#![forbid(unsafe_code)]

mod ending;
pub mod engine;
pub mod engines;
mod judging;
mod policy;
mod replay;
pub mod report;
mod resume;

use std::cell::Cell;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};

use base::budget::Spent;
use base::{Bound, Budget, Build, CheckReport, Property};
use explore::search::Limit;

use engine::{Branches, Task};
use engines::Turn;
pub use judging::Judge;
use judging::Judging;
use policy::Policy;
pub use replay::{Rejected, ReplayRequest, certify, replay};
pub use resume::Pending;
use resume::{Halfway, Known, Resumed};

/// Where compiled programs come from.
pub trait Programs {
    /// The program, compiled with these macros (`NAME=VALUE`).
    ///
    /// # Errors
    /// If there is no such program.
    fn module(&mut self, defines: &[String]) -> Result<&mut ir::Module, Error>;

    /// How long compiling has taken, in seconds.
    fn seconds(&self) -> f64 {
        0.0
    }
}

/// Why there is no report: the input was wrong, or this raceproof cannot do it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// The compiler refused the program; its own words.
    Compiler(String),
    /// Something else is wrong with the input.
    Input(String),
    /// There is a program, but no answer about it.
    Unsupported(base::Reason),
    /// This raceproof was built without what the command needs.
    NotBuiltIn,
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Compiler(words) => write!(f, "the program does not compile\n{}", words.trim_end()),
            Error::Input(what) => write!(f, "{what}"),
            // For people, `report` has the words.
            Error::Unsupported(why) => write!(f, "there is no answer about this program: {why:?}"),
            Error::NotBuiltIn => write!(
                f,
                "this raceproof was built without LLVM, which compiling and running programs needs: build it with the \
                 default features (cargo build --release)"
            ),
        }
    }
}

impl std::error::Error for Error {}

impl From<machine::LoadError> for Error {
    fn from(error: machine::LoadError) -> Error {
        Error::Input(error.to_string())
    }
}

/// What is to be decided.
#[derive(Clone)]
pub struct Request {
    /// The files that together are the program, as reports name them.
    pub inputs: Vec<PathBuf>,
    /// How they are compiled, and what is called, as far as a build or the user says so.
    pub build: Build,
    /// Flags for the compiler.
    pub flags: Vec<String>,
    /// The bounds to go through, in order; those with equal macros stand together.
    pub bounds: Vec<Bound>,
    /// What all of it may use.
    pub budget: Budget,
    /// Limits of searches.
    pub limits: SearchLimits,
    /// Who is asked, in order.
    pub turns: Vec<Turn>,
    /// How hard a verdict `race-free` is tried.
    pub judge: Judge,
    /// The user did not say how many threads: where only a search can decide, the first number must do.
    pub threads_open: bool,
    /// One finding is enough: nothing is looked for beside it.
    pub first_only: bool,
    /// What an answer is demanded about: the verdict is `race-free` only if all of them are excluded, and no search ends early because
    /// something else was found.
    pub properties: Vec<Property>,
}

/// When a search stops, beside the budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SearchLimits {
    /// Stored states.
    pub states: Option<u64>,
    /// Scheduling decisions on one path.
    pub depth: Option<u64>,
    /// Threads to search with.
    pub jobs: usize,
}

/// What a check found out.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The report.
    pub report: CheckReport,
    /// Whether limits of time and memory had no part in it, so that it would be the same again.
    pub lasting: bool,
    /// For each bound of the report, what a proof that decided it says, if one did.
    pub proofs: Vec<Option<ProofOf>>,
    /// What is needed to go on, if a limit or a signal ended the check without an answer.
    pub left: Option<Pending>,
}

/// What a proof under one bound says beyond the verdict.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ProofOf {
    /// What it rests on.
    pub certificate: serde_json::Value,
    /// The branches that it took both ways.
    pub branches: Branches,
}

/// How far a check has come.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Progress {
    /// What is being done.
    pub phase: &'static str,
    /// Which bound is being searched, from 0.
    pub bound: usize,
    /// States stored so far, in all bounds.
    pub states: u64,
    /// Transitions taken so far, in all bounds.
    pub transitions: u64,
    /// How much of this bound lies behind, from 0 to 1, if all branches were equally large.
    pub done: f64,
    /// The longest path so far.
    pub depth: u64,
    /// The memory that the search holds now.
    pub memory_bytes: u64,
}

/// The number of threads with which the judge tries what was proved for any.
const BEYOND: u32 = 5;
/// What the judge does, for people who wait.
const JUDGE: &str = "random executions";

/// Whom a check tells how it goes.
pub struct Watcher<'a> {
    /// How far it is, now and then.
    pub progress: &'a dyn Fn(&Progress),
    /// What is known so far, whenever there is more: what is told if the check is not allowed to end.
    pub known: &'a dyn Fn(CheckReport),
}

impl Watcher<'_> {
    /// Nobody.
    pub const NONE: Watcher<'static> = Watcher { progress: &|_| {}, known: &|_| {} };
}

/// Decides a request.
///
/// # Errors
/// If there is no program to decide about.
pub fn check(request: &Request, programs: &mut dyn Programs, watcher: &Watcher) -> Result<Answer, Error> {
    resume(request, programs, watcher, None)
}

/// Decides a request, and goes on with a check of the same that a limit ended.
///
/// # Errors
/// If there is no program to decide about.
pub fn resume(
    request: &Request,
    programs: &mut dyn Programs,
    watcher: &Watcher,
    pending: Option<Pending>,
) -> Result<Answer, Error> {
    let mut checked = Checked::new(request);
    let (from, mut resumed) = pending.map_or((0, None), |pending| pending.take_up(&mut checked));
    watcher.tell(request, &checked, from);
    for (index, bound) in request.bounds.iter().enumerate().skip(from) {
        if checked.with_two.is_empty() {
            checked.solid = Some((index, Known::of(&checked)));
        }
        if let Some(spent) = request.budget.spent().filter(|_| index > from) {
            checked.stop(request, index, spent);
            break;
        }
        if checked.is_settled(request, bound) {
            continue;
        }
        let before = programs.seconds();
        match programs.module(&bound.defines).map(|_| ()) {
            Ok(()) => {
                checked.judging.compiled(Duration::from_secs_f64(programs.seconds() - before));
                let module = programs.module(&bound.defines)?;
                let halfway = resumed.take_if(|resumed| resumed.halfway.bound == index);
                checked.bound(request, (index, bound), (module, halfway), watcher)?;
            }
            Err(Error::Unsupported(why)) => {
                checked.report.reason = Some(why);
                checked.report.bounds = request.bounds.clone();
                report::finish(&mut checked.report, checked.started);
                return Ok(Answer { report: checked.report, lasting: true, proofs: Vec::new(), left: None });
            }
            Err(error) => return Err(error),
        }
        watcher.tell(request, &checked, index + 1);
        if request.first_only && !(checked.report.races.is_empty() && checked.report.defects.is_empty()) {
            break;
        }
    }
    let (lasting, proofs) = (checked.lasting, std::mem::take(&mut checked.proofs));
    let left = checked.left.take();
    let last = checked.done.last().cloned();
    let mut report = checked.report(request);
    if let Some(bound) = last.filter(|_| report.races_verdict == base::RacesVerdict::RaceFree) {
        let module = programs.module(&bound.defines)?;
        set_bound(module, &bound);
        if let Some(why) = ending::nothing_reached(module, &config(request, &bound), &report.coverage)? {
            report::nothing_reached(&mut report, why);
        }
    }
    report.stats.compile_seconds = programs.seconds();
    let left = left.filter(|_| report.verdict == base::Verdict::Unknown);
    Ok(Answer { report, lasting, proofs, left })
}

impl Watcher<'_> {
    /// Tells what is known, as if the time ended before the bounds from this one on.
    fn tell(&self, request: &Request, checked: &Checked, from: usize) {
        let mut known = checked.clone();
        known.stop(request, from, Spent::Time);
        (self.known)(known.report(request));
    }
}

/// Arguments and macros.
type Inputs = (Vec<String>, Vec<String>);

/// What is known of a request so far.
#[derive(Clone)]
struct Checked {
    started: Instant,
    report: CheckReport,
    /// Arguments and macros for which the number of threads makes no difference.
    answered: Vec<Inputs>,
    /// The only number of threads to go on with.
    only: Option<u32>,
    /// The bounds that were looked at.
    done: Vec<Bound>,
    /// What strands do with two threads, by arguments and macros.
    with_two: Vec<(Inputs, Rc<certify::Alike>)>,
    /// The macros of the last bound, and the names in what is known of several numbers of threads.
    names: Option<(Vec<String>, certify::Table)>,
    lasting: bool,
    proofs: Vec<Option<ProofOf>>,
    sites: Vec<(base::Unreached, bool)>,
    judging: Judging,
    /// What was known before which bound, as far as it can be kept.
    solid: Option<(usize, Known)>,
    /// What is left of the first bound that a limit ended, and of those behind it.
    left: Option<Pending>,
}

impl Checked {
    fn new(request: &Request) -> Checked {
        let started = Instant::now() - request.budget.elapsed();
        let mut report = report::empty(names(&request.inputs), &request.flags, &request.bounds);
        report.build = (request.build != Build::default()).then(|| request.build.clone());
        report.assumptions.extend(assumption(&request.build.entries));
        report.properties.clone_from(&request.properties);
        Checked {
            started,
            report,
            answered: Vec::new(),
            only: None,
            done: Vec::new(),
            with_two: Vec::new(),
            names: None,
            lasting: true,
            proofs: Vec::new(),
            sites: Vec::new(),
            judging: Judging::new(request.judge, started),
            solid: None,
            left: None,
        }
    }

    /// The bounds from this one on are not looked at, as far as what is known does not answer for them.
    fn stop(&mut self, request: &Request, from: usize, spent: Spent) {
        let rest = request.bounds[from..].iter().filter(|bound| !self.is_settled(request, bound));
        let rest: Vec<Bound> = rest.cloned().collect();
        if !rest.is_empty() {
            self.lasting = false;
            self.leave(None, None);
            report::not_reached(&mut self.report, &rest, spent);
        }
    }

    /// Keeps what is needed to go on with a bound that a limit ended, if it is the first.
    fn leave(&mut self, halfway: Option<Halfway>, search: Option<std::sync::Arc<explore::Saved>>) {
        if self.left.is_none() {
            let pending = |(from, known)| Pending { known, from, halfway, search };
            self.left = self.solid.clone().map(pending);
        }
    }

    /// Whether what is known answers for a bound, too.
    fn is_settled(&self, request: &Request, bound: &Bound) -> bool {
        let same =
            |(args, defines): &(Vec<String>, Vec<String>)| *args == bound.args && *defines == bound.defines;
        self.answered.iter().any(same)
            || request.threads_open && self.only.is_some_and(|threads| threads != bound.threads)
    }

    /// Decides one bound.
    fn bound(
        &mut self,
        request: &Request,
        (index, bound): (usize, &Bound),
        (module, resumed): (&mut ir::Module, Option<Resumed>),
        watcher: &Watcher,
    ) -> Result<(), Error> {
        set_bound(module, bound);
        let phase = Cell::new("");
        let before = self.report.stats.clone();
        let tell = |p: &explore::Progress| {
            (watcher.progress)(&Progress {
                phase: phase.get(),
                bound: index,
                states: before.states + p.states,
                transitions: before.transitions + p.transitions,
                done: p.done,
                depth: p.depth,
                memory_bytes: p.memory,
            });
        };
        if self.names.as_ref().is_none_or(|(defines, _)| *defines != bound.defines) {
            self.names = Some((bound.defines.clone(), certify::Table::default()));
        }
        let names = self.names.as_ref().map(|(_, names)| names.clone()).unwrap_or_default();
        let task = Task { module, config: config(request, bound), names: &names, tell: &tell };
        let so_far = |outcome: &explore::Outcome| {
            let mut known = self.clone();
            report::merge(&mut known.report, outcome.clone(), known.done.len());
            known.done.push(bound.clone());
            watcher.tell(request, &known, index + 1);
        };
        let policy = Policy {
            turns: &request.turns,
            first_only: request.first_only,
            to_the_end: !request.properties.is_empty(),
            phase: &phase,
            so_far: &so_far,
        };
        let mut known = policy.decide(&task, resumed)?;
        let asked = known.outcome.stats.asked_threads;
        phase.set(JUDGE);
        let claim = known.proved.as_ref().map(|proved| proved.claim.clone());
        let outcome = std::mem::take(&mut known.outcome);
        let outcome = self.judging.judge(task.module, &task.config, claim, outcome)?;
        let alike = known.proved.as_mut().and_then(|proved| proved.alike.take());
        self.proofs.push(known.proved.map(proof_of));
        let passing = |unknown: &explore::Unknown| {
            !matches!(unknown.limit(), None | Some(Limit::States | Limit::Depth | Limit::Further))
        };
        self.lasting &= !outcome.unknown.iter().any(passing);
        let ended = |unknown: &explore::Unknown| {
            unknown.limit().is_some_and(|limit| !matches!(limit, Limit::Depth | Limit::Further))
        };
        if outcome.unknown.iter().any(ended) {
            let (turn, reasons) = (known.turn, known.reasons.clone());
            let halfway = outcome.left.is_some().then_some(Halfway { bound: index, turn, reasons });
            self.leave(halfway, outcome.left.clone());
        }
        report::cover(&mut self.sites, task.module.coverage());
        self.report.undecided.extend(report::open(&outcome, bound));
        report::merge(&mut self.report, outcome, self.done.len());
        self.done.push(bound.clone());
        let free =
            self.report.races.is_empty() && self.report.defects.is_empty() && self.report.reason.is_none();
        let or_more = match alike.filter(|_| free) {
            Some(alike) => self.holds_for_more(bound, alike, &task)?,
            None => false,
        };
        if or_more || !asked {
            self.answered.push((bound.args.clone(), bound.defines.clone()));
        } else if known.searched || !self.report.races.is_empty() {
            // A search of more threads may never end, and one number of threads is enough for a race.
            self.only = Some(bound.threads);
        }
        Ok(())
    }

    /// Whether what was proved with two and three threads holds for every larger number.
    fn holds_for_more(&mut self, bound: &Bound, alike: certify::Alike, task: &Task) -> Result<bool, Error> {
        let inputs = (bound.args.clone(), bound.defines.clone());
        let two = self.with_two.iter().find(|(of, _)| *of == inputs);
        match (bound.threads, two) {
            (2, _) => {
                self.with_two.push((inputs, Rc::new(alike)));
                return Ok(false);
            }
            (3, Some((_, two))) if two.goes_on(&alike) => {}
            _ => return Ok(false),
        }
        let beyond = explore::Config { threads: BEYOND, ..task.config.clone() };
        let tried = self.judging.judge(task.module, &beyond, None, explore::Outcome::default())?;
        if tried.races.is_empty() && tried.defects.is_empty() && tried.unknown.is_empty() {
            if let Some(last) = self.done.last_mut() {
                last.or_more = true;
            }
            return Ok(true);
        }
        let five = Bound { threads: BEYOND, ..bound.clone() };
        self.report.undecided.extend(report::open(&tried, &five));
        report::merge(&mut self.report, tried, self.done.len());
        self.done.push(five);
        self.proofs.push(None);
        Ok(false)
    }

    /// The report of what is known.
    fn report(self, request: &Request) -> CheckReport {
        let mut report = self.report;
        report.bounds = self.done;
        report.coverage = report::coverage(&self.sites);
        if !request.build.entries.is_empty() {
            report::without_callers(&mut report);
        }
        report::conclude(&mut report, request.threads_open);
        if report.bounds.is_empty() {
            report.bounds.clone_from(&request.bounds);
        }
        report::finish(&mut report, self.started);
        report
    }
}

/// What an engine is told of a bound.
fn config(request: &Request, bound: &Bound) -> explore::Config {
    explore::Config {
        args: program_args(&request.inputs, bound),
        threads: bound.threads,
        budget: request.budget,
        max_states: request.limits.states,
        max_depth: request.limits.depth,
        jobs: request.limits.jobs,
        ..explore::Config::default()
    }
}

fn proof_of(proved: engine::Proved) -> ProofOf {
    let certificate = serde_json::to_value(proved.certificate).unwrap_or_default();
    ProofOf { certificate, branches: proved.branches }
}

fn names(inputs: &[PathBuf]) -> Vec<String> {
    inputs.iter().map(|f| f.to_string_lossy().into_owned()).collect()
}

/// What calling functions in place of `main` takes for granted.
fn assumption(entries: &[String]) -> Option<String> {
    let names = entries.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>();
    let start = "variables have their initial values, and nothing else of the program runs";
    match names.as_slice() {
        [] => None,
        [one] => Some(format!("{one} is called once, by the main thread, with any arguments; {start}")),
        several => Some(format!(
            "{} are called at the same time, each once by a thread of its own, with any arguments; {start}",
            several.join(" and ")
        )),
    }
}

/// Lets a program know what a bound says, apart from its arguments and the number of threads.
pub fn set_bound(module: &mut ir::Module, bound: &Bound) {
    module.default_distribution = !bound.distributions.are_all();
    module.allocation_may_fail = !bound.allocation.succeeds();
    module.env.clone_from(&bound.env);
}

/// `argv`: the program's name is that of its first file, without directory and extension.
pub fn program_args(inputs: &[PathBuf], bound: &Bound) -> Vec<String> {
    let stem = inputs.first().and_then(|f| f.file_stem()).map(|s| s.to_string_lossy().into_owned());
    std::iter::once(stem.unwrap_or_else(|| "program".into())).chain(bound.args.iter().cloned()).collect()
}
