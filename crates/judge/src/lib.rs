//! The judge: what was found by one piece of code is checked by another.
//!
//! - A race or defect is *replayed* ([`replay`], [`describe`], [`follow`]): one run, its decisions given, watched with
//!   full vector clocks. What the replay does not show is not reported.
//! - A verdict `race-free` is *judged* ([`judge`]): random legal executions try to contradict it. Each draws from a
//!   seed who moves when, who executes which piece of work, which task is taken, what inputs are ([`policy`]), is
//!   watched for races and defects ([`watch`]), and, where a proof says that all schedules have the same skeleton, is
//!   compared with a reference run ([`skeleton`]).
//!
//! *Guarantee.* What the judge contradicts with a finding has been replayed. What it does not contradict is not proved by it: it is a test of
//! the engine that was asked, by code that shares nothing with it but the machine. A run in which the machine itself
//! does less than the language allows is not seen through.
//! *Determinism.* The runs of a seed are always the same, and what they show counts in the same order, however many are made at a time; a
//! limit of time only decides how many there are.

#![forbid(unsafe_code)]

mod clocks;
pub mod describe;
mod distribution;
mod drive;
pub mod follow;
pub mod names;
mod policy;
pub mod replay;
pub mod schedule;
mod skeleton;
mod strands;
mod watch;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use base::{Budget, Defect, Place, Race};
use ir::Module;
use machine::{InputMode, Inputs, LoadError, Mode, Program};
use rustc_hash::FxHashMap;
use serde::Serialize;

use describe::{FoundDefect, FoundRace, describe_defect, describe_race};
use drive::{End, Limits, Ran, as_path, run};
use policy::Policy;
pub use skeleton::Claim;
use skeleton::{Difference, Skeletons};

/// The seed, unless another is asked for.
pub const SEED: u64 = 0x7261_6365;
/// The most instructions of a run: so many, and so many times those of the reference run.
const MOST: (u64, u64) = (2_000_000, 8);
/// The most instructions of the reference run.
const REFERENCE: u64 = 400_000_000;
/// Instructions of the runs that are made whatever the time is, so that a busy machine does not leave a verdict untried; and
/// how many each run counts beside its own.
const FLOOR: (u64, u64) = (400_000, 4_000);
/// How many inputs get a value; further ones are 0.
const INPUTS: usize = 32;
/// How often a run is repeated because a clock went backwards.
const CLOCKS: usize = 4;
/// For how many lists of values skeletons are kept.
const REFERENCES: usize = 64;
/// How many answers are tried where a run ended before it asked.
const TRIES: u32 = 4;
/// Decisions of a run that are written down in a file that reproduces it.
const WRITTEN: usize = 100_000;

/// A verdict `race-free`, and how hard it is to be tried.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// The program.
    pub module: &'a Module,
    /// Its arguments, beginning with its name.
    pub args: &'a [String],
    /// The answer to "how many threads should I use?".
    pub threads: u32,
    /// Whether a defect other than a race contradicts the verdict: not, if some are known.
    pub defects: bool,
    /// What the engine says of skeletons, if it does.
    pub claim: Option<Claim>,
    /// The seed of all that is random.
    pub seed: u64,
    /// The most runs.
    pub runs: u64,
    /// Begin no run, and end those that run, when this is used up.
    pub budget: Budget,
    /// How many runs there may be at a time.
    pub jobs: usize,
}

/// What came of it.
#[derive(Debug, Clone, Default)]
pub struct Judged {
    /// How many executions there were.
    pub runs: u64,
    /// How many of them were cut: they took too long, or came to something that the machine does not support.
    pub cut: u64,
    /// Instructions executed.
    pub instructions: u64,
    /// What contradicts the verdict, if something does.
    pub refuted: Option<Refuted>,
}

/// What contradicts a verdict.
#[derive(Debug, Clone)]
pub enum Refuted {
    /// A race, replayed.
    Race(Box<Race>),
    /// Another defect, replayed.
    Defect(Box<Defect>),
    /// Something that cannot be right, but shows no defect of the program: an error of raceproof's own.
    Error(Box<Contradiction>),
}

/// A run that contradicts the verdict, but shows nothing to report.
#[derive(Debug, Clone, Serialize)]
pub struct Contradiction {
    /// What, in words.
    pub reason: String,
    /// Where, if it has a place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// The seed.
    pub seed: u64,
    /// The number of the run, from 0: `--judge` with one more runs it again.
    pub run: u64,
    /// The program's arguments.
    pub args: Vec<String>,
    /// How many threads it was told to use.
    pub threads: u32,
    /// The decisions, if they are a path as witnesses have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choices: Option<Vec<u32>>,
    /// How many operations were performed.
    pub moves: u64,
    /// The values of the inputs.
    pub inputs: Vec<u64>,
}

/// Tries to contradict a verdict.
///
/// # Errors
/// If the module cannot be run at all.
pub fn judge(request: &Request) -> Result<Judged, LoadError> {
    let inputs = Inputs { args: request.args.to_vec(), threads: request.threads };
    let mut program = Program::load(request.module, &inputs)?;
    let mut bench = Bench {
        request,
        mode: Mode { branch_barriers: true, piece_orders: true, inputs: InputMode::Given, ..Mode::default() },
        claim: request.claim.clone().map(Arc::new),
        judged: Judged::default(),
        length: 64,
        most: REFERENCE,
        references: FxHashMap::default(),
    };
    // What the others may take is known when the first has ended.
    if request.runs > 0
        && let Some(ran) = bench.setting().run(&mut program, 0, None)
        && bench.add(&mut program, 0, ran)
    {
        if request.jobs > 1 {
            bench = several(bench, program, &inputs)?;
        } else {
            while bench.judged.runs < request.runs {
                let n = bench.judged.runs;
                let Some(ran) = bench.setting().run(&mut program, n, None) else { break };
                if !bench.add(&mut program, n, ran) {
                    break;
                }
            }
        }
    }
    Ok(bench.judged)
}

/// Runs that are under way or have ended, and those that wait for an earlier one to be looked at.
struct Queue<'a, 'm> {
    bench: Bench<'a>,
    program: Program<'m>,
    next: u64,
    ended: BTreeMap<u64, (Option<Ran>, Vec<u64>)>,
    over: bool,
}

impl Queue<'_, '_> {
    /// The next run, if there is to be one.
    fn begin(&mut self) -> Option<(u64, Setting)> {
        let n = self.next;
        if self.over || n >= self.bench.request.runs {
            return None;
        }
        self.next += 1;
        Some((n, self.bench.setting()))
    }

    /// A run has ended, with these values: looks at all whose turn has come.
    fn end(&mut self, n: u64, ran: Option<Ran>, values: Vec<u64>) {
        self.ended.insert(n, (ran, values));
        while let Some((ran, values)) = self.ended.remove(&self.bench.judged.runs).filter(|_| !self.over) {
            self.program.values = values;
            let n = self.bench.judged.runs;
            self.over = !ran.is_some_and(|ran| self.bench.add(&mut self.program, n, ran));
        }
    }
}

/// The runs behind the first, several at a time.
fn several<'a>(bench: Bench<'a>, program: Program<'a>, inputs: &Inputs) -> Result<Bench<'a>, LoadError> {
    let (request, next) = (bench.request, bench.judged.runs);
    let mut programs = Vec::new();
    for _ in 0..request.jobs {
        programs.push(Mutex::new(Program::load(request.module, inputs)?));
    }
    let queue = Mutex::new(Queue { bench, program, next, ended: BTreeMap::new(), over: false });
    machine::several::map(request.jobs, request.jobs, |i| {
        let mut program = programs[i].lock().expect("nobody else is here");
        loop {
            let begun = queue.lock().expect("nobody panics").begin();
            let Some((n, setting)) = begun else { return };
            let ran = setting.run(&mut program, n, None);
            let values = program.values.clone();
            queue.lock().expect("nobody panics").end(n, ran, values);
        }
    });
    Ok(queue.into_inner().expect("nobody panics").bench)
}

struct Bench<'a> {
    request: &'a Request<'a>,
    mode: Mode,
    claim: Option<Arc<Claim>>,
    judged: Judged,
    /// How many operations a run is expected to have.
    length: u64,
    /// How many instructions it may have.
    most: u64,
    /// For lists of values that the program was given: the first run with them, and its skeletons.
    references: FxHashMap<u64, (u64, Skeletons)>,
}

/// What a run is given.
struct Setting {
    seed: u64,
    mode: Mode,
    claim: Option<Arc<Claim>>,
    length: u64,
    most: u64,
    /// What the runs before it count.
    done: u64,
    budget: Budget,
}

impl Setting {
    /// The run with this number; nothing if the time is over.
    fn run(&self, program: &mut Program, n: u64, follow: Option<u64>) -> Option<Ran> {
        let mut policy = match n {
            0 => Policy::canonical(),
            _ => Policy::random(self.seed, n, self.length),
        };
        program.values = policy.inputs(program.candidates(32), INPUTS);
        let budget = self.budget;
        if budget.is_over() && self.done >= FLOOR.0 {
            return None;
        }
        let free = FLOOR.0.saturating_sub(self.done);
        let limits = Limits { instructions: self.most, budget, free };
        for _ in 0..CLOCKS {
            let mut same = policy.clone();
            let ran = run(program, self.mode, &mut same, limits, self.claim.as_ref(), follow);
            if ran.end == End::OutOfTime {
                return None;
            }
            // A clock does not go backwards: all that it shows is 0.
            let clocks = ran.reads.iter().enumerate().filter(|(_, read)| read.clock).map(|(i, _)| i);
            let wrong: Vec<usize> =
                clocks.filter(|&i| program.values.get(i).is_some_and(|&v| v != 0)).collect();
            if wrong.is_empty() {
                return Some(ran);
            }
            wrong.into_iter().for_each(|i| program.values[i] = 0);
        }
        program.values.clear();
        let ran = run(program, self.mode, &mut policy, limits, self.claim.as_ref(), follow);
        (ran.end != End::OutOfTime).then_some(ran)
    }
}

impl Bench<'_> {
    /// What the next run is given.
    fn setting(&self) -> Setting {
        Setting {
            seed: self.request.seed,
            mode: self.mode,
            claim: self.claim.clone(),
            length: self.length,
            most: self.most,
            done: self.judged.instructions + FLOOR.1 * self.judged.runs,
            budget: self.request.budget,
        }
    }

    /// Looks at a run (the program has its values); whether there is to be another.
    fn add(&mut self, program: &mut Program, n: u64, ran: Ran) -> bool {
        self.judged.runs += 1;
        self.judged.instructions += ran.instructions;
        self.request.budget.spend(ran.instructions);
        let mut refuted = self.verdict(program, n, &ran);
        if refuted.is_none() && self.judged.refuted.is_none() {
            refuted = self.compare(program, n, &ran);
        }
        match refuted {
            None => {}
            // A later run may show what is wrong.
            Some(Refuted::Error(_)) if self.judged.refuted.is_some() => {}
            Some(error @ Refuted::Error(_)) => self.judged.refuted = Some(error),
            Some(found) => {
                self.judged.refuted = Some(found);
                return false;
            }
        }
        if n == 0 {
            self.length = ran.moves;
            self.most = MOST.0 + MOST.1 * ran.instructions;
        }
        self.keep(n, ran);
        true
    }

    /// What the end of a run says of the verdict.
    fn verdict(&mut self, program: &Program, n: u64, ran: &Ran) -> Option<Refuted> {
        // A run that read no inputs is replayed without.
        let inputs = if ran.reads.is_empty() { InputMode::Open } else { InputMode::Given };
        let mode = Mode { inputs, ..self.mode };
        let found = |thread, kind, message: &str| FoundDefect {
            kind,
            place: ir::PlaceId::NONE,
            message: message.into(),
            thread,
            path: Vec::new(),
            moves: 0,
            late: None,
        };
        let paths = || (0..TRIES).filter_map(|other| as_path(program, self.mode, ran, other));
        match &ran.end {
            End::TooLong | End::OutOfTime | End::Unsupported => {
                self.judged.cut += 1;
                None
            }
            End::Final | End::Infeasible if ran.late.is_none() => None,
            End::Race(race) => {
                let found = paths().find_map(|(path, moves)| {
                    let accesses = (race.first.1.access, race.second.1.access);
                    let key = (accesses.0, accesses.1, 0);
                    describe_race(program, mode, &FoundRace { race: *race, key, path, moves })
                });
                Some(match found {
                    Some(race) => Refuted::Race(Box::new(race)),
                    None => {
                        let (place, _) = machine::place_of_access(program.module, race.second.1.access);
                        let place = program.module.place(place);
                        self.error(program, n, ran, "a race that its replay does not confirm".into(), place)
                    }
                })
            }
            _ if !self.request.defects => None,
            End::Final | End::Infeasible => {
                let late = ran.late.and_then(|race| FoundDefect::late(program.module, race, &[], 0));
                late.map(|found| self.defect(program, mode, n, ran, found, paths()))
            }
            End::Deadlock(thread) => {
                let found = found(*thread, base::DefectKind::Deadlock, "");
                Some(self.defect(program, mode, n, ran, found, paths()))
            }
            End::Defect(thread, kind, message) => {
                Some(self.defect(program, mode, n, ran, found(*thread, *kind, message), paths()))
            }
        }
    }

    fn defect(
        &self,
        program: &Program,
        mode: Mode,
        n: u64,
        ran: &Ran,
        found: FoundDefect,
        mut paths: impl Iterator<Item = (Vec<u32>, u64)>,
    ) -> Refuted {
        let shown = paths.find_map(|(path, moves)| {
            describe_defect(program, mode, &FoundDefect { path, moves, ..found.clone() }).ok()
        });
        match shown {
            Some(defect) => Refuted::Defect(Box::new(defect)),
            None => {
                let FoundDefect { kind, message, .. } = found;
                let reason = format!("a defect ({kind:?} {message}) that its replay does not confirm");
                self.error(program, n, ran, reason, None)
            }
        }
    }

    fn error(&self, program: &Program, n: u64, ran: &Ran, reason: String, place: Option<Place>) -> Refuted {
        Refuted::Error(Box::new(Contradiction {
            reason,
            place,
            seed: self.request.seed,
            run: n,
            args: self.request.args.to_vec(),
            threads: self.request.threads,
            choices: ran.path.clone().filter(|path| path.len() <= WRITTEN),
            moves: ran.moves,
            inputs: program.values.iter().copied().take(ran.reads.len()).collect(),
        }))
    }

    /// Compares the skeletons of a run with those of the reference.
    fn compare(&self, program: &mut Program, n: u64, ran: &Ran) -> Option<Refuted> {
        let skeletons = ran.skeletons.as_ref().filter(|_| ran.complete)?;
        let (first, reference) = self.references.get(&skeletons.values)?;
        let difference = reference.difference(skeletons)?;
        let (what, place) = self.explain(program, (*first, n), &difference);
        Some(self.error(program, n, ran, what, place))
    }

    /// Keeps the skeletons of the first run with its values.
    fn keep(&mut self, n: u64, ran: Ran) {
        if let Some(skeletons) = ran.skeletons.filter(|_| ran.complete)
            && self.references.len() < REFERENCES
        {
            self.references.entry(skeletons.values).or_insert((n, skeletons));
        }
    }

    /// Where two runs differ, in words: both are made again, and the strand is followed.
    fn explain(
        &self,
        program: &mut Program,
        (first, n): (u64, u64),
        difference: &Difference,
    ) -> (String, Option<Place>) {
        let again = Setting { done: 0, budget: Budget::default(), ..self.setting() };
        let mut events = |n| {
            let ran = again.run(program, n, Some(difference.strand));
            ran.and_then(|ran| ran.skeletons).map(|s| s.followed).unwrap_or_default()
        };
        let (first, second) = (events(first), events(n));
        let at = first.iter().zip(&second).take_while(|(a, b)| a == b).count();
        let (a, b) = (first.get(at), second.get(at));
        let place = |event: &skeleton::Event| {
            let body = program.module.funcs[(event.at >> 32) as usize].body.as_ref()?;
            program.module.place(*body.places.get(event.at as u32 as usize)?)
        };
        let show = |event: Option<&skeleton::Event>| match event {
            None => "nothing".to_owned(),
            Some(e) => {
                let line = place(e).map_or(0, |p| p.line);
                format!("{} in line {line} (instruction {:#x}, object {:#x})", what(e.what), e.at, e.object)
            }
        };
        let words = format!(
            "a strand does not do the same in every execution: after {at} steps {} in one, {} in another ({:?} steps)",
            show(a),
            show(b),
            difference.events
        );
        (words, a.or(b).and_then(place))
    }
}

/// What a strand did, in words.
fn what(what: u64) -> &'static str {
    match what {
        0 => "a read",
        1 => "a write",
        2 => "an atomic access",
        6 => "an unlock",
        _ => "a lock",
    }
}
