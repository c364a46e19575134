//! The one file that knows the engine: from a request to a report.
//!
//! Everything before it is about the command line, everything after it about showing the answer.

use std::path::PathBuf;
use std::time::Duration;
#[cfg(feature = "llvm")]
use std::time::Instant;

#[cfg(feature = "llvm")]
use base::Verdict;
use base::{Bound, Build, CheckReport};
#[cfg(feature = "llvm")]
use explore::search::Limit;
#[cfg(feature = "llvm")]
use report::replay::Finding;

use crate::args::{Engine, Judge};
#[cfg(feature = "llvm")]
use crate::judging::Judging;

/// What `check` is to do.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckRequest {
    /// The files that together are the program.
    pub inputs: Vec<PathBuf>,
    /// How they are compiled, and what is called, as far as a build or the user says so.
    pub build: Build,
    /// Flags for clang.
    pub flags: Vec<String>,
    /// The bounds to go through, in order; those with equal macros stand together.
    pub bounds: Vec<Bound>,
    /// When to stop.
    pub limits: Limits,
    /// What decides.
    pub engine: Engine,
    /// How hard a verdict `race-free` is tried.
    pub judge: Judge,
    /// The user did not say how many threads: where only a search can decide, the first number must do.
    pub threads_open: bool,
}

/// When to stop with `unknown`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Limits {
    /// Wall-clock time over all bounds.
    pub time: Option<Duration>,
    /// Bytes of memory.
    pub memory: Option<u64>,
    /// Stored states.
    pub states: Option<u64>,
    /// Scheduling decisions on one path.
    pub depth: Option<u64>,
    /// Threads to search with.
    pub jobs: usize,
}

/// What a check found out.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The report.
    pub report: CheckReport,
    /// Whether limits of time and memory had no part in it, so that it would be the same again.
    pub lasting: bool,
    /// For each bound of the report, the certificate of the proof that decided it, if one did.
    pub certificates: Vec<Option<serde_json::Value>>,
}

/// What `replay` is to do: one run for each finding, with its choices given.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplayRequest {
    /// The files that together are the program.
    pub inputs: Vec<PathBuf>,
    /// The report with the findings, the bounds and the compiler flags.
    pub report: CheckReport,
    /// The numbers of the findings to replay, from 1.
    pub findings: Vec<usize>,
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

/// Why there is no report: the input was wrong, or this raceproof cannot do it. Always exit code 2.
#[derive(Debug)]
#[allow(dead_code, reason = "which of them can happen depends on the features")]
pub enum Error {
    /// The compiler refused the program; its own words.
    Compiler(String),
    /// Something else is wrong with the input.
    Input(String),
    /// There is a program, but no answer about it.
    Unsupported(String),
    /// This raceproof was built without what the command needs.
    NotBuiltIn,
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Compiler(words) => write!(f, "the program does not compile\n{}", words.trim_end()),
            Error::Input(what) | Error::Unsupported(what) => write!(f, "{what}"),
            Error::NotBuiltIn if cfg!(feature = "llvm") => {
                write!(f, "the engine is not built into this raceproof")
            }
            Error::NotBuiltIn => write!(
                f,
                "this raceproof was built without LLVM, which compiling and running programs needs: build it with the \
                 default features (cargo build --release)"
            ),
        }
    }
}

impl std::error::Error for Error {}

/// A program, compiled with each set of macros that the bounds have.
#[cfg(feature = "llvm")]
pub struct Prepared {
    started: Instant,
    /// Macros and the files compiled with them; those that are missing are compiled when their turn comes.
    sets: Vec<(Vec<String>, frontend::Units)>,
    /// What identifies the question, if everything that decides it is known.
    pub key: Option<String>,
}

/// More sets of macros than this are not compiled in advance.
#[cfg(feature = "llvm")]
const MOST_SETS: usize = 64;

/// Compiles a program.
#[cfg(feature = "llvm")]
pub fn prepare(request: &CheckRequest) -> Result<Prepared, Error> {
    let started = Instant::now();
    let mut names: Vec<&Vec<String>> = request.bounds.iter().map(|bound| &bound.defines).collect();
    names.dedup();
    if names.len() > MOST_SETS {
        return Ok(Prepared { started, sets: Vec::new(), key: None });
    }
    let mut sets = Vec::new();
    for defines in names {
        sets.push((
            defines.clone(),
            units(&options(&request.inputs, &request.flags, &request.build, defines)?)?,
        ));
    }
    let key = Some(key(request, &sets));
    Ok(Prepared { started, sets, key })
}

/// A hash over everything that decides the answer; the limits of time and memory do not, since no answer of theirs is kept.
#[cfg(feature = "llvm")]
fn key(request: &CheckRequest, sets: &[(Vec<String>, frontend::Units)]) -> String {
    let directory = std::env::current_dir().unwrap_or_default();
    let question = format!(
        "{}\n{directory:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{}\n",
        crate::cache::this_raceproof(),
        request.inputs,
        request.build,
        request.flags,
        request.bounds,
        request.engine,
        request.judge,
        request.limits.states,
        request.limits.depth,
        request.threads_open,
    );
    let mut whole = question.into_bytes();
    let mut add = |bytes: &[u8]| {
        whole.extend((bytes.len() as u64).to_le_bytes());
        whole.extend_from_slice(bytes);
    };
    for (defines, units) in sets {
        add(format!("{defines:?}").as_bytes());
        for unit in &units.units {
            add(unit.file.as_os_str().as_encoded_bytes());
            add(unit.directives.as_bytes());
            add(&unit.bytes);
        }
    }
    report::witness::sha256(&whole)
}

impl Prepared {
    /// The program with these macros.
    #[cfg(feature = "llvm")]
    fn program(&self, request: &CheckRequest, defines: &[String]) -> Result<frontend::Program, Error> {
        let entries = &request.build.entries;
        match self.sets.iter().find(|(names, _)| names == defines) {
            Some((_, units)) => linked(units.clone(), entries),
            None => compile(&request.inputs, &request.flags, &request.build, defines),
        }
    }
}

/// What `--entry` takes for granted.
#[cfg(feature = "llvm")]
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

/// What a check is doing, for its progress.
#[cfg(feature = "llvm")]
type Phase = std::cell::Cell<&'static str>;
#[cfg(feature = "llvm")]
const ONE_RUN: &str = "one run";
#[cfg(feature = "llvm")]
const FURTHER_RACES: &str = "search for further races";
#[cfg(feature = "llvm")]
const JUDGE: &str = "random executions";

#[cfg(feature = "llvm")]
fn searching(engine: explore::Engine) -> &'static str {
    match engine {
        explore::Engine::Lockset => "search by locksets",
        explore::Engine::RaceGraph => "search",
    }
}

/// Checks a program; `progress` is called now and then.
#[cfg(feature = "llvm")]
pub fn check(
    request: &CheckRequest,
    prepared: &Prepared,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Answer, Error> {
    let started = prepared.started;
    let mut report = empty_report(&request.inputs, &request.flags, &request.bounds);
    report.build = (request.build != Build::default()).then(|| request.build.clone());
    report.assumptions.extend(assumption(&request.build.entries));
    let mut compiled: Option<(Vec<String>, frontend::Program)> = None;
    // Inputs for which the number of threads makes no difference, and the only number to go on with.
    let (mut answered, mut only) = (Vec::new(), None);
    let mut done = Vec::new();
    let (mut lasting, mut certificates) = (true, Vec::new());
    // What strands do with two threads, by the other inputs; and the names in it.
    let (mut with_two, mut names) = (Vec::new(), certify::Table::default());
    let mut judging = Judging::new(request.judge, started);
    for (index, bound) in request.bounds.iter().enumerate() {
        let known =
            |(args, defines): &(Vec<String>, Vec<String>)| *args == bound.args && *defines == bound.defines;
        if answered.iter().any(known) || only.is_some_and(|threads| threads != bound.threads) {
            continue;
        }
        if compiled.as_ref().is_none_or(|(defines, _)| *defines != bound.defines) {
            let program = match prepared.program(request, &bound.defines) {
                Ok(program) => program,
                Err(Error::Unsupported(why)) => {
                    report.reason = Some(why);
                    finish(&mut report, started);
                    return Ok(Answer { report, lasting: true, certificates: Vec::new() });
                }
                Err(error) => return Err(error),
            };
            report.stats.compile_seconds += program.compile_time.as_secs_f64();
            judging.compiled(program.compile_time);
            compiled = Some((bound.defines.clone(), program));
            names = certify::Table::default();
        }
        let module = &mut compiled.as_mut().expect("just compiled").1.module;
        set_bound(module, bound);
        let module = &*module;
        let time_left = || request.limits.time.map(|limit| limit.saturating_sub(started.elapsed()));
        let config = explore::Config {
            args: program_args(&request.inputs, bound),
            threads: bound.threads,
            time_limit: time_left(),
            memory_limit: request.limits.memory,
            max_states: request.limits.states,
            max_depth: request.limits.depth,
            jobs: request.limits.jobs,
            ..explore::Config::default()
        };
        let before = report.stats.clone();
        let phase = Phase::new(ONE_RUN);
        let mut tell = |p: &explore::Progress| {
            progress(&Progress {
                phase: phase.get(),
                bound: index,
                states: before.states + p.states,
                transitions: before.transitions + p.transitions,
                done: p.done,
                depth: p.depth,
                memory_bytes: p.memory,
            });
        };
        let decided = decide(module, request.engine, &config, &names, &phase, &mut tell)
            .map_err(|e| Error::Input(e.to_string()))?;
        let (asked, searched) = (decided.outcome.stats.asked_threads, decided.searched);
        certificates.push(decided.certificate.and_then(|c| serde_json::to_value(c).ok()));
        phase.set(JUDGE);
        let config = explore::Config { time_limit: time_left(), ..config };
        let outcome = judging
            .judge(module, &config, decided.claim, decided.outcome)
            .map_err(|e| Error::Input(e.to_string()))?;
        let passing = |unknown: &explore::Unknown| matches!(unknown.limit, Some(Limit::Time | Limit::Memory));
        lasting &= !outcome.unknown.iter().any(passing);
        merge(&mut report, outcome, done.len());
        done.push(bound.clone());
        let free = report.races.is_empty() && report.defects.is_empty() && report.reason.is_none();
        let inputs = (&bound.args, &bound.defines);
        let found = with_two.iter().find(|(of, _)| *of == inputs);
        let mut or_more = false;
        match (bound.threads, decided.alike.filter(|_| free), found) {
            (2, Some(alike), _) => with_two.push((inputs, alike)),
            (3, Some(three), Some((_, two))) => or_more = two.goes_on(&three),
            _ => {}
        }
        if or_more {
            let beyond = explore::Config { threads: BEYOND, time_limit: time_left(), ..config };
            let tried = judging
                .judge(module, &beyond, None, explore::Outcome::default())
                .map_err(|e| Error::Input(e.to_string()))?;
            or_more = tried.races.is_empty() && tried.defects.is_empty() && tried.unknown.is_empty();
            if !or_more {
                merge(&mut report, tried, done.len());
                done.push(Bound { threads: BEYOND, ..bound.clone() });
                certificates.push(None);
            }
        }
        if or_more {
            done.last_mut().expect("just pushed").or_more = true;
            answered.push((bound.args.clone(), bound.defines.clone()));
        } else if !asked {
            answered.push((bound.args.clone(), bound.defines.clone()));
        } else if request.threads_open && (searched || !report.races.is_empty()) {
            // A search of more threads may never end, and one number of threads is enough for a race.
            only = Some(bound.threads);
        }
    }
    report.bounds = done;
    if !request.build.entries.is_empty() {
        without_callers(&mut report);
    }
    finish(&mut report, started);
    Ok(Answer { report, lasting, certificates })
}

/// The callers that stand in for `main` have no place in the source: stacks end before them.
#[cfg(feature = "llvm")]
fn without_callers(report: &mut CheckReport) {
    let sides = report.races.iter_mut().flat_map(|race| [&mut race.first.stack, &mut race.second.stack]);
    for stack in sides.chain(report.defects.iter_mut().map(|defect| &mut defect.stack)) {
        stack.retain(|frame| !frame.place.file.is_empty());
    }
}

/// The number of threads with which the judge tries what was proved for any.
#[cfg(feature = "llvm")]
const BEYOND: u32 = 5;

/// What engines assume unless allocation may fail.
#[cfg(feature = "llvm")]
const NEVER_FAILS: &str = "memory allocation never fails";

/// Lets a program know what a bound says, apart from its arguments and the number of threads.
#[cfg(feature = "llvm")]
pub fn set_bound(module: &mut ir::Module, bound: &Bound) {
    module.default_distribution = !bound.distributions.are_all();
    module.allocation_may_fail = !bound.allocation.succeeds();
    module.env.clone_from(&bound.env);
}

/// What was found out under one bound, whether it took a search, and what a proof says of the strands' skeletons.
#[cfg(feature = "llvm")]
struct Decided {
    outcome: explore::Outcome,
    searched: bool,
    claim: Option<judge::Claim>,
    certificate: Option<Box<certify::Certificate>>,
    alike: Option<certify::Alike>,
}

#[cfg(feature = "llvm")]
impl Decided {
    /// By something else than a proof from one run.
    fn otherwise(outcome: explore::Outcome, searched: bool) -> Decided {
        Decided { outcome, searched, claim: None, certificate: None, alike: None }
    }
}

/// How many states to store in the search for further races where some are known already: with OpenMP, whose
/// distributions make searches large, and without. A count and not a time, so that the answer is always the same.
#[cfg(feature = "llvm")]
const FURTHER: (u64, u64) = (10_000, 300_000);

/// Decides one bound with the engine asked for.
#[cfg(feature = "llvm")]
fn decide(
    module: &ir::Module,
    engine: Engine,
    config: &explore::Config,
    names: &certify::Table,
    phase: &Phase,
    tell: &mut dyn FnMut(&explore::Progress),
) -> Result<Decided, machine::LoadError> {
    let started = Instant::now();
    let search = match engine {
        Engine::Lockset => explore::Engine::Lockset,
        _ => explore::Engine::RaceGraph,
    };
    let mut config = explore::Config { engine: search, ..config.clone() };
    if matches!(engine, Engine::RaceGraph | Engine::Lockset) {
        phase.set(searching(search));
        return Ok(Decided::otherwise(explore::check(module, &config, tell)?, true));
    }
    let openmp = module.funcs.iter().any(|f| f.name.starts_with("__kmpc_fork"));
    let beyond = if openmp { FURTHER.0 } else { FURTHER.1 };
    let (proof, alike) = crate::certified::prove(module, &config, names, tell)?;
    config.time_limit = config.time_limit.map(|limit| limit.saturating_sub(started.elapsed()));
    let (place, reason) = match proof {
        prove::Proof::Proved { assumptions, stats, branches, by_thread, certificate } => {
            let outcome = explore::Outcome { assumptions, stats, ..explore::Outcome::default() };
            let claim = Some(judge::Claim::new(module, branches.into_iter().collect(), Some(by_thread)));
            return Ok(Decided { outcome, searched: false, claim, certificate: Some(certificate), alike });
        }
        prove::Proof::Race { outcome, complete } => {
            if engine == Engine::OneRun || complete {
                return Ok(Decided::otherwise(outcome, false));
            }
            phase.set(FURTHER_RACES);
            let further = further(module, config, beyond, tell)?;
            // A search that went through everything has found the same, with shorter witnesses.
            let whole = !further.races.is_empty() && further.unknown.is_empty();
            let outcome = if whole { further } else { together(outcome, further) };
            return Ok(Decided::otherwise(outcome, true));
        }
        prove::Proof::Sensitive { place, reason } | prove::Proof::Undecided { place, reason } => {
            (place, reason)
        }
    };
    if engine == Engine::OneRun {
        let unknown = vec![explore::Unknown::new(reason, place)];
        let outcome = explore::Outcome { unknown, ..explore::Outcome::default() };
        return Ok(Decided::otherwise(outcome, true));
    }
    config.further = Some(beyond);
    let mut outcome = search_in_turn(module, &config, phase, tell)?;
    for unknown in &mut outcome.unknown {
        if unknown.place.is_none() {
            if unknown.reason != reason {
                unknown.reason = format!("{}; one run does not decide: {reason}", unknown.reason);
            }
            unknown.place.clone_from(&place);
        }
    }
    Ok(Decided::otherwise(outcome, true))
}

/// How many states each search stores before the other one has a try. The lockset search is slower, but needs few states
/// where it is of use.
#[cfg(feature = "llvm")]
const FIRST_TRY: [(explore::Engine, u64); 2] =
    [(explore::Engine::RaceGraph, 100_000), (explore::Engine::Lockset, 10_000)];

/// Searches with the race graph, and if that takes long, with locksets: where threads seldom meet, these need a small
/// part of the states. If that takes long as well, the race graph is searched to the end. The turns are
/// counted in states, so that the answer is always the same.
#[cfg(feature = "llvm")]
fn search_in_turn(
    module: &ir::Module,
    config: &explore::Config,
    phase: &Phase,
    tell: &mut dyn FnMut(&explore::Progress),
) -> Result<explore::Outcome, machine::LoadError> {
    let started = Instant::now();
    let cut = |o: &explore::Outcome| o.unknown.iter().any(|u| u.limit == Some(Limit::States));
    let left = |config: &explore::Config| config.time_limit.map(|t| t.saturating_sub(started.elapsed()));
    let mut tried = base::Stats::default();
    if config.max_states.is_none_or(|max| max > 2 * FIRST_TRY[0].1) {
        for (engine, states) in FIRST_TRY {
            let max_states = Some(states);
            // What a search finds before so many states must not depend on who of several is faster.
            let (jobs, time_limit) = (1, left(config));
            let try_it = explore::Config { engine, max_states, time_limit, jobs, ..config.clone() };
            phase.set(searching(engine));
            let mut outcome = explore::check(module, &try_it, tell)?;
            // What one search does not support (inputs without bounds, by locksets) the other may.
            let unsupported = engine == explore::Engine::Lockset && !outcome.unknown.is_empty();
            if !(cut(&outcome) || unsupported) || !outcome.races.is_empty() {
                add(&mut outcome.stats, &tried);
                return Ok(outcome);
            }
            add(&mut tried, &outcome.stats);
        }
    }
    let last = explore::Config { time_limit: left(config), ..config.clone() };
    phase.set(searching(last.engine));
    let mut outcome = explore::check(module, &last, tell)?;
    add(&mut outcome.stats, &tried);
    Ok(outcome)
}

#[cfg(feature = "llvm")]
fn add(sum: &mut base::Stats, one: &base::Stats) {
    sum.states += one.states;
    sum.transitions += one.transitions;
    sum.executions += one.executions;
    sum.instructions += one.instructions;
    sum.depth = sum.depth.max(one.depth);
    sum.asked_threads |= one.asked_threads;
}

/// Looks for races beside known ones, for a while.
#[cfg(feature = "llvm")]
fn further(
    module: &ir::Module,
    mut config: explore::Config,
    states: u64,
    tell: &mut dyn FnMut(&explore::Progress),
) -> Result<explore::Outcome, machine::LoadError> {
    let asked_for_less = config.max_states.is_some_and(|max| max <= states);
    config.max_states = config.max_states.map(|max| max.min(states)).or(Some(states));
    config.max_instructions = Some(explore::search::FURTHER_INSTRUCTIONS);
    config.jobs = 1;
    let mut further = explore::check(module, &config, tell)?;
    for unknown in further.unknown.iter_mut().filter(|u| !asked_for_less && u.limit == Some(Limit::States)) {
        unknown.limit = Some(Limit::Further);
        unknown.reason = format!("{}; {} states were explored", Limit::Further, further.stats.states);
    }
    Ok(further)
}

/// What two engines found, the first one's findings first.
#[cfg(feature = "llvm")]
fn together(mut first: explore::Outcome, second: explore::Outcome) -> explore::Outcome {
    for race in second.races {
        explore::elaborate::add_race(&mut first.races, race);
    }
    explore::elaborate::sort_races(&mut first.races);
    first.defects.extend(second.defects);
    first.unknown.extend(second.unknown);
    first.assumptions.extend(second.assumptions);
    add(&mut first.stats, &second.stats);
    first
}

/// Runs a program once for each finding with the choices of its witness. Each report holds the finding if its run shows
/// it, and nothing else.
#[cfg(feature = "llvm")]
pub fn replay(request: &ReplayRequest) -> Result<Vec<CheckReport>, Error> {
    let mut compiled: Option<(Vec<String>, frontend::Program)> = None;
    let build = request.report.build.clone().unwrap_or_default();
    let mut reports = Vec::new();
    for &number in &request.findings {
        let started = Instant::now();
        let wrong = |e: machine::LoadError| Error::Input(e.to_string());
        let Some(finding) = Finding::nth(&request.report, number) else { continue };
        let (bounds, index) = (&request.report.bounds, finding.witness().bound);
        let bound = bounds.get(index).cloned().ok_or_else(|| {
            Error::Input(format!(
                "the witness points at bound {index}, but the report has {}: run the check again",
                bounds.len()
            ))
        })?;
        let mut report = empty_report(&request.inputs, &request.report.flags, std::slice::from_ref(&bound));
        if compiled.as_ref().is_none_or(|(defines, _)| *defines != bound.defines) {
            let program = compile(&request.inputs, &request.report.flags, &build, &bound.defines)?;
            report.stats.compile_seconds = program.compile_time.as_secs_f64();
            compiled = Some((bound.defines.clone(), program));
        }
        let module = &mut compiled.as_mut().expect("just compiled").1.module;
        set_bound(module, &bound);
        let args = program_args(&request.inputs, &bound);
        let run = explore::follow::Run { module, args: &args, threads: bound.threads };
        let mut outcome = explore::Outcome::default();
        match finding {
            Finding::Race(race) => {
                outcome.races.extend(explore::follow::race(&run, race).map_err(wrong)?);
            }
            Finding::Defect(defect) => {
                outcome.defects.extend(explore::follow::defect(&run, defect).map_err(wrong)?);
            }
        }
        merge(&mut report, outcome, 0);
        finish(&mut report, started);
        reports.push(report);
    }
    Ok(reports)
}

/// Checks the certificates of a report's bounds, with the sources compiled again: how many runs that took, or which bound's was refused
/// and why.
#[cfg(feature = "llvm")]
pub fn certify(
    inputs: &[PathBuf],
    report: &CheckReport,
    certificates: &[serde_json::Value],
) -> Result<Result<u64, String>, Error> {
    let build = report.build.clone().unwrap_or_default();
    let mut runs = 0;
    for (bound, certificate) in report.bounds.iter().zip(certificates) {
        let certificate: certify::Certificate = serde_json::from_value(certificate.clone())
            .map_err(|error| Error::Input(format!("the certificate is incomplete: {error}")))?;
        let mut program = compile(inputs, &report.flags, &build, &bound.defines)?;
        set_bound(&mut program.module, bound);
        let (args, threads) = (program_args(inputs, bound), bound.threads);
        let inputs = machine::Inputs { args, threads };
        let loaded =
            machine::Program::load(&program.module, &inputs).map_err(|e| Error::Input(e.to_string()))?;
        let jobs = crate::resolve::cores();
        match certify::check(&loaded, &certificate, None, jobs, &certify::Table::default()) {
            Ok(checked) => runs += checked.runs,
            Err(refused) => return Ok(Err(crate::certified::words(&program.module, &refused))),
        }
    }
    Ok(Ok(runs))
}

/// Without LLVM there is nothing to run.
#[cfg(not(feature = "llvm"))]
pub fn certify(
    _inputs: &[PathBuf],
    _report: &CheckReport,
    _certificates: &[serde_json::Value],
) -> Result<Result<u64, String>, Error> {
    Err(Error::NotBuiltIn)
}

/// Runs the program once under the first bound: the trace, which of its reads steer control, and why it ends early.
#[cfg(feature = "llvm")]
pub fn record_for_triage(
    request: &CheckRequest,
    prepared: &Prepared,
) -> Result<(trace::Trace, triage::Steering, Option<String>), Error> {
    let Some(bound) = request.bounds.first() else { return Err(Error::Input("there is no bound".into())) };
    let mut program = prepared.program(request, &bound.defines)?;
    set_bound(&mut program.module, bound);
    let args = program_args(&request.inputs, bound);
    let run = explore::record::record(&program.module, &args, bound.threads)
        .map_err(|e| Error::Input(e.to_string()))?;
    let steering = triage::steering::of_run(&program.module, &run.trace, &run.accesses);
    Ok((run.trace, steering, run.cut))
}

/// Without LLVM there is nothing to record.
#[cfg(not(feature = "llvm"))]
pub fn record_for_triage(
    _request: &CheckRequest,
    _prepared: &Prepared,
) -> Result<(trace::Trace, triage::Steering, Option<String>), Error> {
    Err(Error::NotBuiltIn)
}

/// Without LLVM nothing is compiled.
#[cfg(not(feature = "llvm"))]
pub struct Prepared {
    /// What identifies the question.
    pub key: Option<String>,
}

/// Without LLVM there is nothing to compile with.
#[cfg(not(feature = "llvm"))]
pub fn prepare(_request: &CheckRequest) -> Result<Prepared, Error> {
    Err(Error::NotBuiltIn)
}

/// Without LLVM there is nothing to check with.
#[cfg(not(feature = "llvm"))]
pub fn check(
    _request: &CheckRequest,
    _prepared: &Prepared,
    _progress: &mut dyn FnMut(&Progress),
) -> Result<Answer, Error> {
    Err(Error::NotBuiltIn)
}

/// Without LLVM there is nothing to replay with.
#[cfg(not(feature = "llvm"))]
pub fn replay(_request: &ReplayRequest) -> Result<Vec<CheckReport>, Error> {
    Err(Error::NotBuiltIn)
}

/// Compiles the files of a program with these macros.
#[cfg(feature = "llvm")]
pub fn compile(
    inputs: &[PathBuf],
    flags: &[String],
    build: &Build,
    defines: &[String],
) -> Result<frontend::Program, Error> {
    linked(units(&options(inputs, flags, build, defines)?)?, &build.entries)
}

/// What the front end is to compile. Of what `raceproof cc` built, only the bitcode is taken.
#[cfg(feature = "llvm")]
fn options(
    inputs: &[PathBuf],
    flags: &[String],
    build: &Build,
    defines: &[String],
) -> Result<frontend::Options, Error> {
    let mut options = frontend::Options {
        flags: flags.to_vec(),
        defines: defines.to_vec(),
        own: build
            .units
            .iter()
            .map(|unit| frontend::Own {
                directory: PathBuf::from(&unit.directory),
                flags: unit.flags.clone(),
            })
            .collect(),
        ..frontend::Options::default()
    };
    for file in inputs {
        if build.units.is_empty() && crate::resolve::is_built(file) {
            let records = crate::build::kept::read(file).map_err(|e| Error::Input(format!("{e:#}")))?;
            options.ready.extend(records.into_iter().map(crate::build::kept::ready));
        } else {
            options.files.push(file.clone());
        }
    }
    Ok(options)
}

/// Compiles each file.
#[cfg(feature = "llvm")]
pub fn units(options: &frontend::Options) -> Result<frontend::Units, Error> {
    frontend::units(options).map_err(from_front_end)
}

#[cfg(feature = "llvm")]
fn linked(units: frontend::Units, entries: &[String]) -> Result<frontend::Program, Error> {
    frontend::program(units, entries).map_err(from_front_end)
}

#[cfg(feature = "llvm")]
fn from_front_end(error: frontend::Error) -> Error {
    match error {
        frontend::Error::Compile { output } => Error::Compiler(output),
        frontend::Error::EntryParameter { .. } => Error::Unsupported(format!("--entry: {error}")),
        other => Error::Input(other.to_string()),
    }
}

/// `argv`: the program's name is that of its first file, without directory and extension.
#[cfg(feature = "llvm")]
pub fn program_args(inputs: &[PathBuf], bound: &Bound) -> Vec<String> {
    let stem = inputs.first().and_then(|f| f.file_stem()).map(|s| s.to_string_lossy().into_owned());
    std::iter::once(stem.unwrap_or_else(|| "program".into())).chain(bound.args.iter().cloned()).collect()
}

#[cfg(feature = "llvm")]
fn empty_report(inputs: &[PathBuf], flags: &[String], bounds: &[Bound]) -> CheckReport {
    CheckReport {
        version: base::SCHEMA_VERSION,
        verdict: Verdict::RaceFree,
        reason: None,
        reason_place: None,
        bounds: bounds.to_vec(),
        races: Vec::new(),
        defects: Vec::new(),
        assumptions: Vec::new(),
        stats: base::Stats::default(),
        files: inputs.iter().map(|f| f.to_string_lossy().into_owned()).collect(),
        flags: flags.to_vec(),
        build: None,
        cached: None,
    }
}

/// Adds what was found under one bound; a finding that an earlier bound has shown is not repeated.
#[cfg(feature = "llvm")]
fn merge(report: &mut CheckReport, outcome: explore::Outcome, bound: usize) {
    for mut race in outcome.races {
        race.witness.bound = bound;
        explore::elaborate::add_race(&mut report.races, race);
    }
    explore::elaborate::sort_races(&mut report.races);
    for mut defect in outcome.defects {
        defect.witness.bound = bound;
        let same = |d: &base::Defect| d.kind == defect.kind && d.location == defect.location;
        if !report.defects.iter().any(same) {
            report.defects.push(defect);
        }
    }
    if let (None, Some(unknown)) = (&report.reason, outcome.unknown.into_iter().next()) {
        report.reason = Some(unknown.reason);
        report.reason_place = unknown.place;
    }
    // The proof from one run always says so.
    let may_fail = report.bounds.iter().any(|bound| !bound.allocation.succeeds());
    let holds = |assumption: &String| !(may_fail && assumption == NEVER_FAILS);
    for assumption in outcome.assumptions.into_iter().filter(holds) {
        if !report.assumptions.contains(&assumption) {
            report.assumptions.push(assumption);
        }
    }
    let (sum, one) = (&mut report.stats, outcome.stats);
    sum.states += one.states;
    sum.transitions += one.transitions;
    sum.executions += one.executions;
    sum.instructions += one.instructions;
    sum.certify_runs += one.certify_runs;
    sum.judge_runs += one.judge_runs;
    sum.depth = sum.depth.max(one.depth);
}

#[cfg(feature = "llvm")]
fn finish(report: &mut CheckReport, started: Instant) {
    report.verdict = if !report.races.is_empty() {
        Verdict::Race
    } else if !report.defects.is_empty() {
        Verdict::Defect
    } else if report.reason.is_some() {
        Verdict::Unknown
    } else {
        Verdict::RaceFree
    };
    if report.verdict == Verdict::RaceFree && report.stats.states > 0 {
        report.assumptions.push(explore::elaborate::hash_assumption(report.stats.states));
    }
    report.stats.seconds = started.elapsed().as_secs_f64();
    report.stats.peak_memory_bytes = peak_memory();
}

/// The most memory that the process held, as Linux counts it.
#[cfg(feature = "llvm")]
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|l| l.trim().trim_end_matches(" kB").trim().parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
