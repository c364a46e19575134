//! HB: happens-before with epochs.
//!
//! Lamport 1978; P4 appendix B; the histories of FastTrack (Flanagan and Freund, PLDI 2009), see [`crate::history`].
//!
//! The order is program order, every release before every later acquire of the same lock, and fork, join, barriers,
//! notifications, and atomic writes before the atomic reads that observe them ([`crate::sync`]). A race is a pair of
//! conflicting accesses that this order leaves unordered, reported at the later one against earlier ones.
//!
//! Guarantee: the races with the earliest second event are predictable (up to there everything that conflicts is
//! ordered, so the events before the pair, in the trace's order, observe what they observed). Later ones may not be:
//! a read may owe its value to an earlier race. Every racy variable and every racing pair of locations is found: other
//! than in FastTrack, reports do not depend on which accesses were forgotten.

use trace::{Event, EventId};

use crate::history::Histories;
use crate::sync::{Clocks, Edges};
use crate::{Answer, Options, Streaming};

/// The edges of happens-before.
pub(crate) const HB_EDGES: Edges = Edges { locks: true, own: true, atomics_ordered: false };

/// The analysis.
pub struct Hb {
    clocks: Clocks,
    histories: Histories,
}

impl Hb {
    /// At the start of a trace.
    pub fn new(options: &Options) -> Hb {
        Hb { clocks: Clocks::new(HB_EDGES), histories: Histories::new(options) }
    }

    /// For the registry.
    pub fn start(options: &Options) -> Box<dyn Streaming> {
        Box::new(Hb::new(options))
    }
}

impl Streaming for Hb {
    #[inline]
    fn event(&mut self, id: EventId, e: &Event) {
        let time = self.clocks.time(e.thread);
        self.clocks.event(e);
        if let Some(v) = e.op.variable() {
            self.histories.access(id, e, v, time, self.clocks.knows(e.thread));
        }
    }

    fn finish(self: Box<Self>) -> Answer {
        self.histories.finish()
    }
}
