//! Lets a program run on the machine, in a schedule that is given or the usual one.
//!
//! The usual schedule: a thread goes on as long as it can; the end of the program comes when nobody else can move.

use base::reason::{Reason, RunEnd};
use machine::native::SyncOp;
use machine::{Machine, Pending, Question, Status, Stop};

use judge::schedule::{self, Alternative, Point};

/// How many operations a run may have.
const MAX_MOVES: u64 = 2_000_000;
/// Instructions between two looks, and how often they are renewed.
const FUEL: u64 = 10_000_000;
const REFILLS: u64 = 500;
/// Operations of one thread before another's turn.
const BURST: u32 = 256;
/// Operations between two looks at whether the run goes round in a circle: everybody had a turn.
const LOOK: u64 = 4096;

/// Finds out that states come again (Brent): each is compared with one that is kept for longer and longer.
#[derive(Default)]
struct Cycle {
    kept: Option<u128>,
    looks: u64,
}

impl Cycle {
    fn again(&mut self, state: u128) -> bool {
        self.looks += 1;
        let again = self.kept == Some(state);
        if self.looks.is_power_of_two() {
            self.kept = Some(state);
        }
        again
    }
}

/// How a run goes.
#[derive(Debug, Clone, Default)]
pub struct Schedule {
    /// What is chosen wherever there is more than one way to go on; the usual way when these are used up.
    pub choices: Vec<u32>,
    /// By how much pieces of work are moved round the team where the usual way is taken.
    pub rotation: u32,
    /// Branches of which both ways are told, one after the other: function and instruction.
    pub branches: Vec<(u32, u32)>,
}

/// Runs to the end; gives why not, otherwise.
/// `at` is called wherever every thread stands before a synchronisation.
pub fn drive(machine: &mut Machine, how: &Schedule, at: &mut dyn FnMut(&Machine)) -> Option<Reason> {
    let mut given = how.choices.iter().copied();
    let mut last_run: Vec<u64> = Vec::new();
    let mut cycle = Cycle::default();
    let (mut moves, mut refills, mut current, mut burst) = (0u64, 0u64, 0u32, 0u32);
    loop {
        match schedule::settle(machine, FUEL) {
            Point::Paused if refills < REFILLS => refills += 1,
            Point::Paused => return Some(RunEnd::TooLong.into()),
            Point::Exited => return None,
            Point::Choice(t, n) => {
                let answer = answer(machine.question, n, how, &mut given);
                machine.answer(t, answer);
            }
            Point::Stopped(_, Stop::Infeasible) => return Some(RunEnd::AssumptionFails.into()),
            Point::Stopped(_, Stop::Unknown(why)) => return Some(*why),
            Point::Stopped(_, _) => return Some(RunEnd::Defect.into()),
            Point::Node => {
                at(machine);
                let options = schedule::options(machine);
                if options.deadlock {
                    return Some(RunEnd::Deadlock.into());
                }
                last_run.resize(machine.threads.len(), 0);
                let waits = |a: &&Alternative| {
                    let again = burst < BURST && a.thread == current;
                    (exits(machine, a), !again, last_run[a.thread as usize], a.thread, a.way)
                };
                let asked = if options.alternatives.len() > 1 { given.next() } else { None };
                let asked = asked.and_then(|i| options.alternatives.get(i as usize));
                let &next = asked.or_else(|| options.alternatives.iter().min_by_key(waits))?;
                moves += 1;
                if moves > MAX_MOVES || moves % LOOK == 0 && cycle.again(machine.fingerprint()) {
                    return Some(RunEnd::Endless.into());
                }
                burst = if next.thread == current { burst + 1 } else { 0 };
                current = next.thread;
                let t = next.thread as usize;
                last_run[t] = moves;
                if let Err(Stop::Choose(n)) = machine.perform(t, next.way) {
                    let answer = answer(machine.question, n, how, &mut given);
                    machine.answer(t, answer);
                    let _ = machine.perform(t, next.way);
                }
            }
        }
    }
}

/// Whether it would end the program.
fn exits(machine: &Machine, a: &Alternative) -> bool {
    let status = machine.threads[a.thread as usize].status;
    matches!(status, Status::At(Pending::Exit(_) | Pending::Sync(SyncOp::Exit, _)))
}

fn answer(question: Question, ways: u32, how: &Schedule, given: &mut impl Iterator<Item = u32>) -> u32 {
    let chosen = if is_value(question) { given.next() } else { None };
    chosen.unwrap_or_else(|| usual(question, ways, how.rotation)).min(ways.saturating_sub(1))
}

/// Whether a value is asked for, and not how work is distributed.
pub fn is_value(question: Question) -> bool {
    matches!(question, Question::Value | Question::Teams { .. } | Question::Threads { .. })
}

/// The answer of a usual run: pieces go round the team, tasks are deferred.
pub fn usual(question: Question, ways: u32, rotation: u32) -> u32 {
    match question {
        Question::Owner { piece, .. } => ((piece + u64::from(rotation)) % u64::from(ways.max(1))) as u32,
        _ => 0,
    }
}
