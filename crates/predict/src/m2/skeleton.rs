//! The skeleton question of the proof engine: can two events be co-enabled by locks alone?
//!
//! If nothing that depends on the schedule steers the program, every schedule has the same events, and a race
//! exists iff two conflicting accesses can be co-enabled under program order, fork, join, barriers and the semantics of
//! locks. That is P4's machinery without observations: the causal order has no observation edges, and the closure has
//! only its lock rule. Notifications, waits and atomics count as steering there and are not looked at here.
//!
//! Complete for two chains (P4 theorem 4.1); with more, a pair whose cone needed releases that a witness may not need,
//! or sections ordered by choice, is undecided.
//!
//! Guarantee: `Yes` has a schedule, `No` means that there is none.

use std::time::Instant;

use trace::{EventId, Trace};

use crate::pace::Effort;

use super::M2;
use super::index::Index;
use super::search::{Ask, Judge, Judgement, Reason};

/// Whether two events can be about to happen at the same time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CoEnabled {
    /// They can, after these events in this order (the two themselves are not among them).
    Yes(Vec<EventId>),
    /// They cannot, in any schedule.
    No,
    /// Not decided.
    Undecided(Reason),
}

/// A trace's skeleton.
#[derive(Debug)]
pub struct Skeleton<'t> {
    index: Index<'t>,
}

impl<'t> Skeleton<'t> {
    /// The skeleton of a trace.
    pub fn new(trace: &'t Trace) -> Self {
        Skeleton { index: Index::skeleton(trace) }
    }

    /// Whether two events of different threads can be co-enabled. Whether they conflict is not looked at; if one of them
    /// acquires a lock, it need not be free. Two events of one thread never are.
    pub fn co_enabled(&self, first: EventId, second: EventId, deadline: Option<Instant>) -> CoEnabled {
        let other = self.index.thread(second.0);
        if self.index.thread(first.0) == other {
            return CoEnabled::No;
        }
        let m2 = M2 { index: &self.index };
        let effort = Effort::unlimited(deadline);
        let mut sweep = m2.sweep(first.0, other);
        match m2.judge(&mut sweep, second.0, Ask { wants_witness: true, effort: &effort }) {
            Judgement::Race(witness) => {
                let mut events: Vec<EventId> = witness
                    .iter()
                    .flat_map(|witness| witness.events(self.index.trace))
                    .map(EventId)
                    .collect();
                events.truncate(events.len().saturating_sub(2));
                CoEnabled::Yes(events)
            }
            Judgement::None => CoEnabled::No,
            Judgement::Undecided(reason) => CoEnabled::Undecided(reason),
            Judgement::Deadline => CoEnabled::Undecided(Reason::TimeLimit),
        }
    }
}
