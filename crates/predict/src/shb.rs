//! SHB: schedulably happens-before.
//!
//! Mathur, Kini, Viswanathan, OOPSLA 2018; P4 appendix B. The order is HB's ([`crate::hb`]) and every read after the
//! write that it observes. A race is a pair of conflicting accesses that this order leaves unordered; a read is tested
//! before its own observation edge is added, since as one of the racing pair it need not observe what it observed.
//!
//! Guarantee: every report is a predictable race: all events ordered before the pair, in the trace's order, are a correct
//! reordering, because with each read the write that it observes is among them.
//!
//! A write's knowledge is kept as a reference to its thread's clock, which is copied only when the thread next learns
//! something, so a write costs no copy; a thread's time advances with each write, since each can pass on its past.

use trace::{Event, EventId, Op};

use crate::clock::slot;
use crate::hb::HB_EDGES;
use crate::history::Histories;
use crate::sync::{Clocks, Stamp};
use crate::{Answer, Options, Streaming};

/// The analysis.
pub struct Shb {
    clocks: Clocks,
    histories: Histories,
    /// By variable: what its last write passes on to those who read it.
    written: Vec<Option<Stamp>>,
}

impl Shb {
    /// At the start of a trace.
    pub fn new(options: &Options) -> Shb {
        Shb { clocks: Clocks::new(HB_EDGES), histories: Histories::new(options), written: Vec::new() }
    }

    /// For the registry.
    pub fn start(options: &Options) -> Box<dyn Streaming> {
        Box::new(Shb::new(options))
    }
}

impl Streaming for Shb {
    #[inline]
    fn event(&mut self, id: EventId, e: &Event) {
        let time = self.clocks.time(e.thread);
        self.clocks.event(e);
        let Some(v) = e.op.variable() else { return };
        self.histories.access(id, e, v, time, self.clocks.knows(e.thread));
        match e.op {
            Op::Read(_) | Op::AtomicRead(_) => {
                if let Some(Some(stamp)) = self.written.get(v.index())
                    && stamp.thread != e.thread.0
                {
                    self.clocks.receive(e.thread, stamp);
                }
            }
            Op::Write(_) => {
                *slot(&mut self.written, v.index()) = Some(self.clocks.stamp(e.thread));
                self.clocks.advance(e.thread);
            }
            Op::AtomicWrite(_) => {
                // The clocks have passed it on and advanced already.
                let mut stamp = self.clocks.stamp(e.thread);
                stamp.time = time;
                *slot(&mut self.written, v.index()) = Some(stamp);
            }
            _ => {}
        }
    }

    fn finish(self: Box<Self>) -> Answer {
        self.histories.finish()
    }
}
