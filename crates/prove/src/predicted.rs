//! Races that the run's trace predicts, before any search.
//!
//! A program that is schedule-sensitive is run once, fairly; its trace goes through M2 (P4), which finds the races that
//! other schedules of the same events show, with a reordering of the events for each. In a reordering every read sees what it
//! saw in the run, so the threads do the same, and the order of their synchronisation operations is a schedule of the
//! program: it is followed on the machine, and `judge::replay`, which keeps vector clocks of its own, must confirm the
//! race. What the trace leaves out (a relaxed atomic, the order in which a condition is signalled) can make that fail; then
//! the race is not reported.

use std::time::Duration;

use base::Budget;
use explore::findings::{Found, FoundRace};
use explore::record::{Length, Recorded, record_run, usual};
use explore::{Config, Outcome};
use judge::replay::{Pair, replay};
use judge::schedule::{self, Point};
use machine::history::Touch;
use machine::{Inputs, LoadError, Machine, Mode, Program, RawRace, Stop};
use predict::Options;
use trace::{EventId, Op};

/// Longer traces are left to the searches.
const MAX_EVENTS: usize = 400_000;
/// Time for M2.
const TIME: Duration = Duration::from_secs(5);
/// Races that are followed.
const MAX_RACES: usize = 100;
/// Instructions at a time.
const FUEL: u64 = 20_000_000;

/// How the run is scheduled: every operation is one of the schedule's, whoever is left.
pub fn mode() -> Mode {
    Mode { branch_barriers: true, shortcuts: false, ..Mode::default() }
}

/// What the trace of one fair run predicts for one set of inputs: races, each replayed; nothing if there are none.
///
/// # Errors
/// If the module cannot be run at all.
pub fn check(module: &ir::Module, config: &Config) -> Result<Option<Outcome>, LoadError> {
    let inputs = Inputs { args: config.args.clone(), threads: config.threads };
    let program = Program::load(module, &inputs)?;
    let races = races(&program, config.budget);
    if races.is_empty() {
        return Ok(None);
    }
    let stats = base::Stats { executions: 1, ..base::Stats::default() };
    let found = Found { races, stats, ..Found::default() };
    let mut outcome = explore::elaborate::elaborate(&program, mode(), found, config.budget);
    outcome.cut.0 |= outcome.races.len() >= MAX_RACES;
    outcome.stats.asked_threads = program.asked_thread_count();
    Ok(Some(outcome))
}

/// The races that one run of the program predicts, each confirmed.
pub fn races<'p>(program: &'p Program<'p>, budget: Budget) -> Vec<FoundRace> {
    let mut run = record_run(program, mode(), Length { moves: 50_000, refills: 20 }, budget);
    let budget = budget.until(TIME);
    if run.trace.events.len() > MAX_EVENTS
        || trace::check::normalise(&mut run.trace).is_err()
        || budget.is_over()
    {
        return Vec::new();
    }
    let options = Options { time_limit: budget.left(), jobs: 1, ..Options::default() };
    let answer = predict::m2::analyse(&run.trace, &options);
    let mut found: Vec<FoundRace> = Vec::new();
    for race in answer.races.iter().take(MAX_RACES) {
        if budget.is_over() {
            break;
        }
        let pair = (race.first, race.second);
        if let Some(race) = race.witness.as_ref().and_then(|order| confirm(program, &run, pair, order))
            && !found.iter().any(|f| f.key == race.key)
        {
            found.push(race);
        }
    }
    found
}

/// Follows an order of events that shows a race of two of them.
pub(crate) fn confirm<'p>(
    program: &'p Program<'p>,
    run: &Recorded,
    (a, b): (EventId, EventId),
    order: &[EventId],
) -> Option<FoundRace> {
    let order = operations(run, order);
    let (machine, path, moves) = follow(program, run, &order)?;
    let touch = |id: EventId| -> Option<(u32, Touch)> {
        let at = id.0 as usize;
        let event = run.trace.events[at];
        let address = run.stands[at].address;
        let (write, atomic) = match event.op {
            Op::Read(_) => (false, false),
            Op::Write(_) => (true, false),
            Op::AtomicRead(_) => (false, true),
            Op::AtomicWrite(_) => (true, true),
            _ => return None,
        };
        let access = run.accesses[at]?;
        let touch = Touch { granule: address >> 3, mask: 1 << (address & 7), write, atomic, access };
        Some((event.thread.0, touch))
    };
    let (a, b) = (touch(a)?, touch(b)?);
    [(a, b), (b, a)].into_iter().find_map(|(first, second)| {
        let raw = RawRace { first, second };
        replay(program, mode(), &path, moves, Some(Pair::found(&raw))).race?;
        Some(FoundRace::new(&machine, raw, path.clone(), moves))
    })
}

/// The threads whose operations a reordering performs, in order.
fn operations(run: &Recorded, witness: &[EventId]) -> Vec<u32> {
    let mut performed = vec![0; run.ways.len()];
    let mut order = Vec::new();
    for id in witness {
        let thread = run.trace.events[id.0 as usize].thread.0;
        let Some(done) = performed.get_mut(thread as usize) else { continue };
        while *done < run.stands[id.0 as usize].performed {
            *done += 1;
            order.push(thread);
        }
    }
    order
}

/// Lets the threads perform their operations in that order; the choices that it takes.
fn follow<'p>(
    program: &'p Program<'p>,
    run: &Recorded,
    order: &[u32],
) -> Option<(Machine<'p>, Vec<u32>, u64)> {
    let mut machine = Machine::new(program, Mode { histories: false, ..mode() });
    let mut performed = vec![0usize; run.ways.len()];
    let (mut path, mut moves) = (Vec::new(), 0);
    let mut next = order.iter();
    loop {
        match schedule::settle(&mut machine, FUEL) {
            Point::Paused => {}
            Point::Exited | Point::Stopped(..) => {
                return next.next().is_none().then_some((machine, path, moves));
            }
            Point::Choice(t, n) => {
                let answer = usual(machine.question, n);
                path.push(answer);
                machine.answer(t, answer);
            }
            Point::Node => {
                let Some(&thread) = next.next() else { return Some((machine, path, moves)) };
                let t = thread as usize;
                let way = *run.ways[t].get(performed[t])?;
                performed[t] += 1;
                let ways = schedule::options(&machine).alternatives;
                let index = ways.iter().position(|a| a.thread == thread && a.way == way)?;
                if ways.len() > 1 {
                    path.push(index as u32);
                }
                moves += 1;
                match machine.perform(t, way) {
                    Ok(()) => {}
                    Err(Stop::Choose(_)) => {
                        path.push(0);
                        machine.answer(t, 0);
                        machine.perform(t, way).ok()?;
                    }
                    Err(_) => return None,
                }
            }
        }
    }
}
