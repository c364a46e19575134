//! What the lock contexts of two accesses leave open: can they be about to happen at the same time?
//!
//! *Paper.* P4, without observations (`predict::m2::skeleton`): nothing that depends on the schedule steers the program, so
//! every schedule has the events of one run, and two of them can meet iff program order, fork, join and the semantics of
//! locks allow it.
//! *Algorithm.* The program is run once, fairly, and every pair of events that the candidate stands for is asked. If all of
//! them are excluded, so is the candidate. Else the order of events that brings the two together is followed on the
//! machine, and `judge::replay` must confirm the race.
//! *Deviations.* Barriers, conditions and semaphores are not looked at: what is excluded without them is excluded with
//! them, and an order that they do not allow cannot be followed.

use base::Budget;
use explore::findings::FoundRace;
use explore::record::{Length, Recorded, record_run};
use ir::AccessId;
use machine::Program;
use predict::m2::skeleton::{CoEnabled, Skeleton};
use rustc_hash::FxHashMap;
use trace::{EventId, VarId};

use crate::predicted::{confirm, mode};

/// Longer traces are left to the searches.
const MAX_EVENTS: usize = 100_000;
/// More pairs of events are left to the searches.
const MAX_PAIRS: usize = 2_000;

/// What became of a candidate.
#[derive(Debug)]
pub enum Meeting {
    /// A race, confirmed.
    Race(Box<FoundRace>),
    /// No schedule brings the two together.
    Excluded,
    /// Not decided.
    Open,
}

/// One run, ready to be asked.
pub struct Run<'p> {
    program: &'p Program<'p>,
    recorded: Recorded,
    budget: Budget,
}

impl<'p> Run<'p> {
    /// Runs the program; nothing if the run does not have all that the question needs.
    pub fn new(program: &'p Program<'p>, budget: Budget) -> Option<Run<'p>> {
        let mut recorded = record_run(program, mode(), Length { moves: 50_000, refills: 20 }, budget);
        let whole = recorded.cut.is_none() && recorded.trace.events.len() <= MAX_EVENTS;
        let fine = whole && trace::check::normalise(&mut recorded.trace).is_ok();
        fine.then_some(Run { program, recorded, budget })
    }

    /// Whether two accesses of the program can meet.
    pub fn meet(&self, first: AccessId, second: AccessId) -> Meeting {
        let Some(pairs) = self.pairs(first, second) else { return Meeting::Open };
        let skeleton = Skeleton::new(&self.recorded.trace);
        let mut open = pairs.is_empty();
        for (a, b) in pairs {
            match skeleton.co_enabled(a, b, self.budget.end()) {
                CoEnabled::No => {}
                CoEnabled::Undecided(_) => open = true,
                CoEnabled::Yes(order) => {
                    let order: Vec<EventId> = order.into_iter().chain([a, b]).collect();
                    match confirm(self.program, &self.recorded, (a, b), &order) {
                        Some(race) => return Meeting::Race(Box::new(race)),
                        None => open = true,
                    }
                }
            }
            if self.budget.is_over() {
                return Meeting::Open;
            }
        }
        if open { Meeting::Open } else { Meeting::Excluded }
    }

    /// The pairs of events that two accesses stand for; nothing if there are too many.
    fn pairs(&self, first: AccessId, second: AccessId) -> Option<Vec<(EventId, EventId)>> {
        let trace = &self.recorded.trace;
        let mut by_variable: FxHashMap<VarId, Vec<EventId>> = FxHashMap::default();
        let of = |access| {
            let made = self.recorded.accesses.iter().enumerate();
            made.filter(move |(_, made)| **made == Some(access)).map(|(at, _)| EventId(at as u32))
        };
        for id in of(second) {
            by_variable.entry(trace.event(id).op.variable()?).or_default().push(id);
        }
        let mut pairs = Vec::new();
        for a in of(first) {
            let x = trace.event(a);
            for &b in by_variable.get(&x.op.variable()?).into_iter().flatten() {
                let y = trace.event(b);
                if x.thread != y.thread && (x.op.is_write() || y.op.is_write()) {
                    pairs.push((a, b));
                }
            }
            if pairs.len() > MAX_PAIRS {
                return None;
            }
        }
        Some(pairs)
    }
}
