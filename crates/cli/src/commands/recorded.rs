//! `raceproof predict` of a recorded run: the races of the run itself and of other orders of its events, as `check` reports
//! races.
//!
//! A pair that happens-before does not order is a data race of the run by the language's own definition (analysis `hb`).
//! What M2 adds are races of other orders of the same events, each with a witness that was replayed on the trace.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use base::said::{Action, Operation};
use base::{
    Access, AccessKind, Bound, CheckReport, Defect, DefectKind, DefectsVerdict, Frame, Place, Race,
    RacesVerdict, Said, Stats, Step, Strand, StrandKind, ThreadLabel, Verdict, Witness,
};
use predict::{Answer, Deadlock, Options, RacePair};
use record::names::Namer;
use record::native::{Goal, Schedule};
use record::places::Places;
use record::reduce::{self, Origin, Reduced, Variable};
use record::run::{self, Run};
use record::session::Request;
use record::strands::{Candidate, Strands};
use rustc_hash::FxHashMap;
use trace::{EventId, LockId, Op};

use super::native::{CONFIRMED, DIVERGED, Natively};
use crate::args::{self, PredictArgs};
use crate::{output, units};

/// How long the analysis of a recording takes at most unless the user says otherwise.
const PATIENCE: Duration = Duration::from_secs(60);
/// How large the recording of `predict -- PROGRAM` may become.
const LARGEST: u64 = 1 << 30;
/// So many last steps of a witness are told.
const STEPS: usize = 60;

/// Whether a file is a recording.
pub fn is_recording(path: &Path) -> bool {
    use std::io::Read;
    let mut start = [0; 8];
    path.is_file()
        && std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok()
        && record::file::is_recording(&start)
}

/// The trace of a recording, in the binary form.
pub fn as_trace(path: &Path) -> Result<Vec<u8>> {
    let run = run::open(path).with_context(|| path.display().to_string())?;
    let reduced = reduce::reduce(&run, &mut Namer::new(&run));
    let mut bytes = Vec::new();
    trace::write::write_trace(&reduced.trace, &mut bytes, trace::Format::Binary, trace::Compression::None)
        .context("cannot write the trace of the recording")?;
    Ok(bytes)
}

/// Runs the command on a recording or, if there is a program, on a recording of it.
pub fn run(args: &PredictArgs) -> Result<u8> {
    output::check_writable("--output", args.output.as_deref())?;
    output::check_writable("--html", args.html.as_deref())?;
    let began = Instant::now();
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let file = match args.command.is_empty() {
        true => args.trace.clone(),
        false => {
            let output = folder.path().join("run.rpt");
            let request =
                Request { command: args.command.clone(), output: output.clone(), limit: Some(LARGEST) };
            watched(&request, args, began)?;
            output
        }
    };
    let run = run::open(&file).with_context(|| file.display().to_string())?;
    let (report, notes) = analyse(&run, args, Depth::All, began)?;
    show(&report, &notes, args)?;
    Ok(if matches!(report.verdict, Verdict::Race | Verdict::Defect) { 1 } else { 0 })
}

/// How much is done with a run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// The races of the run itself.
    HappensBefore,
    /// Other orders and deadlocks as well, and the program is run again if the user wants it.
    All,
}

/// Records a program; with `--online` SIGUSR1 prints what was found so far, while it goes on.
fn watched(request: &Request, args: &PredictArgs, began: Instant) -> Result<()> {
    if !args.online {
        return super::record::record(request, |_| {}).map(|_| ());
    }
    record::session::answer_requests();
    std::thread::scope(|scope| {
        let asked = |snapshot: record::session::Snapshot| {
            scope.spawn(move || {
                let told = so_far(snapshot, args, began);
                let told = told.unwrap_or_else(|error| format!("what was found so far: {error:#}"));
                eprintln!("{told}");
            });
        };
        super::record::record(request, asked).map(|_| ())
    })
}

/// What was found so far, to be read.
fn so_far(snapshot: record::session::Snapshot, args: &PredictArgs, began: Instant) -> Result<String> {
    let run = Run::new(snapshot.contents()?);
    let (report, notes) = analyse(&run, args, Depth::HappensBefore, began)?;
    let style = output::style(&args.look, report::Replay::Unavailable);
    let notes: String = notes.iter().map(|note| format!("{note}\n")).collect();
    let told = match report.verdict {
        Verdict::Unknown => format!("no race so far: {}\n", report.assumptions.join("; ")),
        _ => report::terminal::render(&report, &report::DiskSources::new(""), &style, &Default::default()),
    };
    Ok(format!("so far, after {:.1} s:\n{notes}{told}", began.elapsed().as_secs_f64()))
}

fn options(args: &PredictArgs) -> Result<Options> {
    let time_limit = args.time_limit.as_deref().map(units::time).transpose().context("--time-limit")?;
    Ok(Options {
        time_limit: Some(time_limit.unwrap_or(PATIENCE)),
        effort: super::predict::effort(args)?,
        jobs: args.jobs.map_or(0, usize::from),
        ..Options::default()
    })
}

/// The report, and what else there is to say.
fn analyse(
    run: &Run,
    args: &PredictArgs,
    depth: Depth,
    began: Instant,
) -> Result<(CheckReport, Vec<String>)> {
    let mut namer = Namer::new(run);
    let reduced = reduce::reduce(run, &mut namer);
    let mut notes = notes(run, &reduced);
    let options = options(args)?;
    let of = |name: &str| predict::find(name).map(|entry| predict::run(&entry, &reduced.trace, &options));
    let happens_before = of("hb").unwrap_or_default();
    let looks = depth == Depth::All && !reduced.trace.is_empty();
    let further = |name: &str| looks.then(|| of(name)).flatten().unwrap_or_default();
    let predicted = further("m2");
    let waiting = further("deadlock");
    let pairs = merged(&happens_before, &predicted);
    if !predicted.undecided.is_empty() || predicted.stopped {
        let left = predicted.undecided.len();
        notes.push(format!("undecided: {left} pairs of accesses could be races in other orders"));
    }
    if !waiting.open_deadlocks.is_empty() || waiting.stopped {
        let left = waiting.open_deadlocks.len();
        notes.push(format!("undecided: {left} circles of locks could be deadlocks in other orders"));
    }
    let held = held(&reduced, &pairs);
    let mut teller = Teller { run, reduced: &reduced, namer: &mut namer, held };
    let natively = match depth {
        Depth::All => Natively::new(args, run)?,
        Depth::HappensBefore => Natively::default(),
    };
    let places = natively.is_wanted().then(|| Places::of(run));
    let schedule = |goal, witness: Option<&[EventId]>, ends: &[EventId]| match &places {
        Some(places) => schedule((run, places), &reduced, goal, witness, ends),
        None => Err("nobody asks for it"),
    };
    let strands = Strands::of(run);
    let mut races: Vec<Race> = Vec::new();
    let mut apart = Apart::default();
    for pair in &pairs {
        let mut race = teller.race(pair);
        let bound = is_bound(&reduced, &strands, pair);
        let schedule = schedule(Goal::Race, pair.witness.as_deref(), &[pair.first, pair.second]);
        let name = format!("race-{}", races.len() + 1);
        race.witness.native = natively.tell(&name, &race.variable, schedule)?;
        match !bound || apart.judge(&race) {
            true => races.push(race),
            false => natively.take_back(&name),
        }
    }
    for found in &strands.candidates {
        let mut race = teller.candidate(found, places.as_ref());
        if races.iter().any(|known| is_at(known, &race)) {
            continue;
        }
        let schedule = match &places {
            Some(places) => Schedule::redistributed(run, places, found),
            None => Err("nobody asks for it"),
        };
        let name = format!("race-{}", races.len() + 1);
        race.witness.native = natively.tell(&name, &race.variable, schedule)?;
        match apart.judge(&race) {
            true => races.push(race),
            false => natively.take_back(&name),
        }
    }
    notes.extend(apart.note());
    let mut defects: Vec<Defect> = waiting.deadlocks.iter().map(|found| teller.deadlock(found)).collect();
    for (number, (defect, found)) in defects.iter_mut().zip(&waiting.deadlocks).enumerate() {
        let schedule = schedule(Goal::Deadlock, found.witness.as_deref(), &found.acquires);
        defect.witness.native =
            natively.tell(&format!("deadlock-{}", number + 1), &report::said::message(defect), schedule)?;
    }
    let report = report(run, &reduced, (races, defects), began);
    Ok((report, notes))
}

/// What one thread of the run did, and two threads may do or not: shown only where the program itself was brought there.
#[derive(Default)]
struct Apart {
    /// Pairs that were not tried.
    untried: usize,
}

impl Apart {
    /// Whether a race is shown.
    fn judge(&mut self, race: &Race) -> bool {
        let native = race.witness.native.as_deref().unwrap_or_default();
        let confirmed = native.starts_with(CONFIRMED);
        self.untried += usize::from(!confirmed && !native.starts_with(DIVERGED));
        confirmed
    }

    fn note(&self) -> Option<String> {
        let pairs = match self.untried {
            0 => return None,
            1 => "1 pair of accesses".to_owned(),
            n => format!("{n} pairs of accesses"),
        };
        Some(format!(
            "note: {pairs} of iterations or tasks that one thread executed may race if two threads do, which this run cannot tell; \
             --confirm tries it"
        ))
    }
}

/// Whether two races are at the same two places.
fn is_at(a: &Race, b: &Race) -> bool {
    let places = |race: &Race| [race.first.place.clone(), race.second.place.clone()];
    let [first, second] = places(b);
    places(a) == [first.clone(), second.clone()] || places(a) == [second, first]
}

/// Whether one thread of the run made both accesses, in tasks that depend on the thread that executes them.
fn is_bound(reduced: &Reduced, strands: &Strands, pair: &RacePair) -> bool {
    let [first, second] = [pair.first, pair.second].map(|id| reduced.origins[id.index()]);
    let address = reduced.variables[pair.variable.index()].address;
    let bound = |id: EventId| strands.is_bound(reduced.trace.event(id).thread.0);
    first.thread == second.thread
        && (bound(pair.first) || bound(pair.second) || strands.is_own(first.thread, address))
}

/// How the program is brought to the end of a witness; the witness ends in these events.
fn schedule(
    (run, places): (&Run, &Places),
    reduced: &Reduced,
    goal: Goal,
    witness: Option<&[EventId]>,
    ends: &[EventId],
) -> Result<Schedule, &'static str> {
    let witness = witness.ok_or("there is no witness of it, or it is too long")?;
    let prefix = &witness[..witness.len().saturating_sub(ends.len())];
    Schedule::new(run, places, reduced, goal, (prefix, ends))
}

/// Races of both analyses, each pair of places once, those with a witness first.
fn merged<'a>(happens_before: &'a Answer, predicted: &'a Answer) -> Vec<&'a RacePair> {
    let mut seen = BTreeSet::new();
    let mut all = Vec::new();
    for pair in predicted.races.iter().chain(&happens_before.races) {
        let mut places = pair.accesses.map(|e| (e.location.0, e.op.is_write()));
        places.sort_unstable();
        if seen.insert(places) {
            all.push(pair);
        }
    }
    all
}

/// What a person should know of the recording before the races.
fn notes(run: &Run, reduced: &Reduced) -> Vec<String> {
    let mut notes: Vec<String> = run.missing.iter().map(|missing| format!("missing: {missing}")).collect();
    let forked =
        run.threads.iter().flat_map(|t| &t.syncs).filter(|s| s.op == record::layout::Op::ForkedProcess);
    match forked.count() {
        0 => {}
        1 => {
            notes.push("missing: what a forked child process did; only the first process is recorded".into())
        }
        n => notes.push(format!(
            "missing: what {n} forked child processes did; only the first process is recorded"
        )),
    }
    notes.extend(reduced.notes.iter().map(|note| format!("note: {note}")));
    notes
}

fn report(
    run: &Run,
    reduced: &Reduced,
    (races, defects): (Vec<Race>, Vec<Defect>),
    began: Instant,
) -> CheckReport {
    let program = run.start.command.first().cloned().unwrap_or_default();
    let name = Path::new(&program).file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let counted =
        |accesses: u64, syncs: u64| format!("{accesses} accesses and {syncs} synchronisation events");
    CheckReport {
        version: base::SCHEMA_VERSION,
        races_verdict: if races.is_empty() { RacesVerdict::Unknown } else { RacesVerdict::Race },
        defects_verdict: if defects.is_empty() { DefectsVerdict::Unknown } else { DefectsVerdict::Defect },
        verdict: match (races.is_empty(), defects.is_empty()) {
            (false, _) => Verdict::Race,
            (true, false) => Verdict::Defect,
            (true, true) => Verdict::Unknown,
        },
        reason_words: None,
        reason: (races.is_empty() && defects.is_empty()).then_some(base::Reason::Recorded),
        reason_place: None,
        bounds: vec![Bound {
            threads: run.threads.iter().filter(|t| !t.syncs.is_empty()).count() as u32,
            args: run.start.command.iter().skip(1).cloned().collect(),
            ..Bound::default()
        }],
        races,
        defects,
        assumptions: vec![
            format!("one run of `{program}`: {}", counted(reduced.accesses, reduced.syncs)),
            "all synchronisation goes through functions that the recording knows; atomic accesses synchronise, \
             whatever their memory order"
                .to_owned(),
        ],
        stats: Stats { seconds: began.elapsed().as_secs_f64(), executions: 1, ..Stats::default() },
        files: vec![name],
        flags: Vec::new(),
        build: None,
        cached: None,
        ..CheckReport::default()
    }
}

fn show(report: &CheckReport, notes: &[String], args: &PredictArgs) -> Result<()> {
    if !args.look.quiet {
        for note in notes {
            eprintln!("{note}");
        }
    }
    let sources = report::DiskSources::new("");
    let order = report::triage::Order::default();
    if let Some(file) = &args.html {
        output::write(file, &report::html::render(report, &sources, &report::Replay::Unavailable, &order))?;
    }
    let text = |style: &report::Style| match args.format {
        args::TraceFormat::Json => report::json::render(report),
        args::TraceFormat::Sarif => report::sarif::render(report, &sources, &[]),
        args::TraceFormat::Text if report.verdict == Verdict::Unknown => {
            let reason = report::reason::of_report(report).unwrap_or_default();
            let runs = report.assumptions.first().cloned().unwrap_or_default();
            format!("{reason}\n{runs}\n")
        }
        args::TraceFormat::Text => report::terminal::render(report, &sources, style, &order),
    };
    match &args.output {
        None => output::print(&text(&output::style(&args.look, report::Replay::Unavailable))),
        Some(file) => {
            output::write(file, &text(&output::style_for_file(&args.look, report::Replay::Unavailable)))
        }
    }
}

/// For each event of a pair the locks that its thread holds.
fn held(reduced: &Reduced, pairs: &[&RacePair]) -> FxHashMap<EventId, Vec<LockId>> {
    let wanted: BTreeSet<u32> = pairs.iter().flat_map(|pair| [pair.first.0, pair.second.0]).collect();
    let mut now: FxHashMap<u32, Vec<LockId>> = FxHashMap::default();
    let mut found = FxHashMap::default();
    for (id, event) in reduced.trace.iter() {
        let locks = now.entry(event.thread.0).or_default();
        match event.op {
            Op::Acquire(lock) => locks.push(lock),
            Op::Release(lock) => locks.retain(|held| *held != lock),
            _ => {}
        }
        if wanted.contains(&id.0) {
            found.insert(id, locks.clone());
        }
    }
    found
}

/// Puts names and places to races.
struct Teller<'a, 'b> {
    run: &'a Run,
    reduced: &'a Reduced,
    namer: &'a mut Namer<'b>,
    held: FxHashMap<EventId, Vec<LockId>>,
}

fn place(from: &record::symbols::Place) -> Place {
    Place { file: from.file.clone(), line: from.line, column: from.column }
}

impl Teller<'_, '_> {
    fn race(&mut self, pair: &RacePair) -> Race {
        let [first, second] = [pair.first, pair.second].map(|id| self.access(id));
        let variable = self.reduced.variables[pair.variable.index()];
        let steps = pair.witness.as_deref().map(|witness| self.steps(witness)).unwrap_or_default();
        Race {
            variable: self.namer.variable(&variable),
            first,
            second,
            hint: None,
            witness: Witness { steps, address: Some(variable.address), ..Witness::default() },
        }
    }

    /// Iterations that one thread of the run executed.
    fn candidate(&mut self, found: &Candidate, places: Option<&Places>) -> Race {
        let origins = [found.first, found.second];
        let chunk = places.and_then(|places| places.loop_of(found.strand, found.chunk));
        let mut sides = [0, 1].map(|i| self.access_at(origins[i], found.writes[i]));
        if let Some((chunk, _)) = chunk {
            let stack = self.namer.stack(found.second.site);
            let outlined = stack.iter().find(|frame| frame.function.contains("omp_outlined"));
            sides[1].strand = outlined.map(|frame| Strand {
                kind: StrandKind::Iteration,
                place: place(&frame.place),
                number: Some(chunk.first),
                count: (chunk.more > 0).then_some(chunk.more + 1),
                every: None,
                variable: None,
                value: None,
            });
        }
        let [first, second] = sides;
        let variable = Variable { address: found.address, site: found.second.site, object: None };
        Race {
            variable: self.namer.variable(&variable),
            first,
            second,
            hint: Some("one thread executed both iterations; other threads may get them".into()),
            witness: Witness { address: Some(found.address), ..Witness::default() },
        }
    }

    /// Threads that wait for each other, as `check` tells it.
    fn deadlock(&mut self, found: &Deadlock) -> Defect {
        let names: Vec<String> = found
            .acquires
            .iter()
            .map(|id| self.namer.thread(self.reduced.origins[id.index()].thread).0)
            .collect();
        let mut waiting = Vec::new();
        for (i, &id) in found.acquires.iter().enumerate() {
            let holder = &names[(i + 1) % names.len()];
            let Op::Acquire(lock) = self.reduced.trace.event(id).op else { continue };
            let lock = self.reduced.trace.names.lock(lock).into_owned();
            let action = Said::Typed(Action::WaitsFor { lock, holder: holder.as_str().into() });
            let origin = self.reduced.origins[id.index()];
            let at = place(&self.namer.place(self.run.site(origin.site).pc).unwrap_or_default());
            waiting.push(Step { thread: origin.thread, place: at, action });
        }
        let first = self.access(found.acquires[0]);
        let prefix = found.witness.as_deref().map(|w| &w[..w.len() - found.acquires.len()]);
        let steps = prefix.map(|prefix| self.steps(prefix)).unwrap_or_default();
        Defect {
            kind: DefectKind::Deadlock,
            message: Said::Typed(base::said::Message::Circle { threads: waiting.len() as u32 }),
            location: first.place,
            thread: first.thread,
            stack: first.stack,
            waiting,
            witness: Witness { steps, ..Witness::default() },
        }
    }

    fn access(&mut self, id: EventId) -> Access {
        let event = *self.reduced.trace.event(id);
        let locks = self.held.get(&id).into_iter().flatten();
        let locks = locks.map(|lock| self.reduced.trace.names.lock(*lock).into_owned()).collect();
        let atomic = event.op.is_atomic();
        let access = self.access_at(self.reduced.origins[id.index()], event.op.is_write());
        Access { atomic, locks, ..access }
    }

    fn access_at(&mut self, origin: Origin, writes: bool) -> Access {
        let stack: Vec<Frame> = self
            .namer
            .stack(origin.site)
            .into_iter()
            .map(|frame| Frame { function: frame.function, place: place(&frame.place) })
            .collect();
        let pc = self.run.site(origin.site).pc;
        let (name, created) = self.namer.thread(origin.thread);
        Access {
            place: place(&self.namer.place(pc).unwrap_or_default()),
            access: if writes { AccessKind::Write } else { AccessKind::Read },
            atomic: false,
            thread: ThreadLabel {
                id: origin.thread,
                name: name.into(),
                created: created.as_ref().map(place),
            },
            locks: Vec::new(),
            stack,
            strand: None,
            constructs: Vec::new(),
        }
    }

    /// What threads do on the way to the race: their synchronisation.
    fn steps(&mut self, witness: &[EventId]) -> Vec<Step> {
        let names = &self.reduced.trace.names;
        let mut steps = Vec::new();
        for id in witness {
            let event = self.reduced.trace.event(*id);
            let on = |operation, object| Action::On(operation, names.lock(object).into_owned());
            let action = match event.op {
                Op::Acquire(lock) => on(Operation::Locks, lock),
                Op::Release(lock) => on(Operation::Unlocks, lock),
                Op::Fork(child) => Action::Creates(names.thread(child).into()),
                Op::Join(child) => Action::Joins(names.thread(child).into()),
                Op::Barrier(barrier) => on(Operation::PassesBarrier, barrier),
                Op::Notify(object) => on(Operation::Signals, object),
                Op::Wait(object) => on(Operation::IsWokenBy, object),
                _ => continue,
            };
            steps.push((*id, event.thread.0, action));
        }
        let from = steps.len().saturating_sub(STEPS);
        steps.drain(..from);
        let told = |(id, thread, action): (EventId, u32, Action)| {
            let pc = self.run.site(self.reduced.origins[id.index()].site).pc;
            let at = place(&self.namer.place(pc).unwrap_or_default());
            Step { thread, place: at, action: Said::Typed(action) }
        };
        steps.into_iter().map(told).collect()
    }
}
