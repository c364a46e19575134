//! WCP: weakly-causally-precedes.
//!
//! Kini, Mathur, Viswanathan, PLDI 2017; P4 appendix B. ≺ is the smallest relation with
//! 1. a release ≺ a later access under the same lock that conflicts with an access of its section;
//! 2. of two sections of one lock, if an event of the earlier is ordered before one of the later, then the earlier
//!    release ≺ the later release;
//! 3. a ≺ b composed on either side with HB is ≺ again.
//!
//! Events are ordered by ≺ or by the order K that every reordering keeps: program order, fork, join, barriers,
//! notifications and conflicting atomics in their order. "Ordered" in rule 2 means ordered so (for events of different
//! threads), which is ≺ alone in the paper; it matters only where a thread is forked inside a section, and keeps DC
//! within WCP. A race is a pair of conflicting accesses that is not ordered.
//!
//! Guarantee: if there is a race at all, the trace has a predictable race or a predictable deadlock (the paper's
//! theorem 1, for traces without barriers, conditions and atomics). Every race of HB is one of WCP.
//!
//! How: three clocks for each thread, with the same times. H follows HB. P has what is ≺ the thread's present; it flows
//! along all HB edges but without the threads' own times (right composition). K has the hard order. A release leaves its
//! H stamp (left composition), which those who come after by rule 1 or 2 take into P. [`crate::critical`] has the
//! sections. Differences from the paper's algorithm: what a thread itself did in earlier sections is kept apart, since a
//! thread does not conflict with itself.

use trace::{Event, EventId, LockId, Op, ThreadId};

use crate::clock::{Clock, slot};
use crate::critical::Critical;
use crate::dc::{HARD_EDGES, everyone_knows};
use crate::history::Histories;
use crate::sync::{Clocks, Edges};
use crate::{Answer, Options, Streaming};

const H_EDGES: Edges = Edges { locks: true, own: true, atomics_ordered: true };
const P_EDGES: Edges = Edges { locks: true, own: false, atomics_ordered: true };

/// What a thread knows by P and K together, with the versions from which it was made.
#[derive(Debug, Clone, Default)]
struct Merged {
    made_from: (u32, u32),
    clock: Clock,
}

/// The clocks.
struct Order {
    h: Clocks,
    p: Clocks,
    k: Clocks,
    critical: Critical,
    merged: Vec<Merged>,
    ended: Vec<bool>,
}

impl Order {
    fn new() -> Order {
        Order {
            h: Clocks::new(H_EDGES),
            p: Clocks::new(P_EDGES),
            k: Clocks::new(HARD_EDGES),
            critical: Critical::default(),
            merged: Vec::new(),
            ended: Vec::new(),
        }
    }

    /// Follows synchronisation.
    fn synchronise(&mut self, e: &Event) {
        let t = e.thread;
        match e.op {
            Op::Acquire(l) => self.critical.acquire(t, l, self.h.time(t)),
            Op::Release(l) => {
                self.compare_sections(t, l);
                let stamp = self.h.stamp(t);
                let (p, ended) = (&self.p, &self.ended);
                self.critical.release(t, l, &stamp, |s| everyone_knows(p, ended, s.thread, s.time));
            }
            Op::End => *slot(&mut self.ended, t.index()) = true,
            Op::Join(child) => *slot(&mut self.ended, child.index()) = true,
            _ => {}
        }
        self.h.event(e);
        self.p.event(e);
        self.k.event(e);
    }

    /// Rule 2 at a release.
    fn compare_sections(&mut self, t: ThreadId, lock: LockId) {
        loop {
            let mut news = false;
            for other in (0..self.critical.threads_of(lock)).filter(|&o| o != t.0) {
                while let Some((acquired, released)) = self.critical.next_section(t, lock, other) {
                    if acquired > self.p.knows_of(t, other).max(self.k.knows_of(t, other)) {
                        break;
                    }
                    news |= self.p.receive(t, released);
                    self.critical.passed(t, lock, other);
                }
            }
            if !news {
                return;
            }
        }
    }

    /// What is ordered before the thread's present.
    #[inline]
    fn knows(&mut self, t: ThreadId) -> &[u32] {
        let versions = (self.p.version(t), self.k.version(t));
        if versions.1 == 0 {
            return self.p.knows(t);
        }
        let merged = slot(&mut self.merged, t.index());
        if merged.made_from != versions {
            merged.clock = Clock::default();
            for (thread, &time) in self.p.knows(t).iter().enumerate() {
                merged.clock.set(thread, time);
            }
            for (thread, &time) in self.k.knows(t).iter().enumerate() {
                merged.clock.set(thread, merged.clock.get(thread).max(time));
            }
            merged.made_from = versions;
        }
        merged.clock.as_slice()
    }
}

/// The analysis.
pub struct Wcp {
    order: Order,
    histories: Histories,
}

impl Wcp {
    /// At the start of a trace.
    pub fn new(options: &Options) -> Wcp {
        Wcp { order: Order::new(), histories: Histories::new(options) }
    }

    /// For the registry.
    pub fn start(options: &Options) -> Box<dyn Streaming> {
        Box::new(Wcp::new(options))
    }
}

impl Streaming for Wcp {
    #[inline]
    fn event(&mut self, id: EventId, e: &Event) {
        let t = e.thread;
        let time = self.order.h.time(t);
        self.order.synchronise(e);
        let Some(v) = e.op.variable() else { return };
        let Order { critical, p, .. } = &mut self.order;
        critical.access(t, v, e.op.is_write(), |stamp| {
            p.receive(t, stamp);
        });
        self.histories.access(id, e, v, time, self.order.knows(t));
    }

    fn finish(self: Box<Self>) -> Answer {
        self.histories.finish()
    }
}
