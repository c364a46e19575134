//! DC: doesn't-commute.
//!
//! Roemer, Genç, Bond, PLDI 2018; P4 appendix B. The smallest order that contains
//! 1. program order (here with fork, join, barriers, notifications and conflicting atomics in their order);
//! 2. every release before a later access under the same lock that conflicts with an access of its section;
//! 3. of two sections of one lock that contain DC-ordered events, the earlier release before the later release;
//!
//! and is transitive. Unlike WCP ([`crate::wcp`]) it does not compose with HB, so it orders less. A race is a pair of
//! conflicting accesses that this order leaves unordered.
//!
//! Guarantee: none by itself, it can leave pairs unordered that no reordering shows; `dc-vindicated`
//! ([`crate::vindicate`]) keeps those for which a witness is found. Every race of HB and WCP is one of DC.
//!
//! How: vector clocks; [`crate::critical`] has the sections. Rule 3 reduces to: if the earlier section's acquire is
//! ordered before the later release, then so is its release, and is applied at the release until nothing new comes.

use trace::{Event, EventId, LockId, Op, ThreadId};

use crate::clock::slot;
use crate::collect::Collector;
use crate::critical::Critical;
use crate::history::Histories;
use crate::sync::{Clocks, Edges, Stamp};
use crate::{Answer, Options, Streaming};

/// The edges that every reordering keeps.
pub(crate) const HARD_EDGES: Edges = Edges { locks: false, own: true, atomics_ordered: true };

/// The analysis.
pub struct Dc {
    clocks: Clocks,
    critical: Critical,
    histories: Histories,
    ended: Vec<bool>,
    /// The orders of rules 2 and 3, where they are asked for.
    edges: Option<Edgebook>,
}

/// The orders that rules 2 and 3 add, as pairs of events (those that follow from others are left out).
#[derive(Default)]
pub(crate) struct Edgebook {
    /// By thread: its releases with their times.
    releases: Vec<Vec<(u32, EventId)>>,
    pub(crate) edges: Vec<(EventId, EventId)>,
}

impl Edgebook {
    fn add(&mut self, from: &Stamp, to: EventId) {
        let Some(releases) = self.releases.get(from.thread as usize) else { return };
        if let Ok(i) = releases.binary_search_by_key(&from.time, |r| r.0) {
            self.edges.push((releases[i].1, to));
        }
    }
}

impl Dc {
    /// At the start of a trace.
    pub fn new(options: &Options) -> Dc {
        Dc {
            clocks: Clocks::new(HARD_EDGES),
            critical: Critical::default(),
            histories: Histories::new(options),
            ended: Vec::new(),
            edges: None,
        }
    }

    /// Writes down the orders, and keeps several event pairs of each pair of locations.
    pub(crate) fn with_edges(options: &Options, samples: u32) -> Dc {
        let collector = Collector::new(options).with_samples(samples);
        let histories = Histories::collecting(options, collector);
        Dc { histories, edges: Some(Edgebook::default()), ..Dc::new(options) }
    }

    /// The answer and the orders of rules 2 and 3.
    pub(crate) fn finish_with_edges(self) -> (Answer, Vec<(EventId, EventId)>) {
        (self.histories.finish(), self.edges.map_or(Vec::new(), |book| book.edges))
    }

    /// For the registry.
    pub fn start(options: &Options) -> Box<dyn Streaming> {
        Box::new(Dc::new(options))
    }

    /// Rule 3 at a release: learns all sections of this lock whose acquire is ordered before it.
    fn compare_sections(&mut self, id: EventId, t: ThreadId, lock: LockId) {
        loop {
            let mut news = false;
            for other in (0..self.critical.threads_of(lock)).filter(|&o| o != t.0) {
                while let Some((acquired, released)) = self.critical.next_section(t, lock, other) {
                    if acquired > self.clocks.knows_of(t, other) {
                        break;
                    }
                    if self.clocks.receive(t, released) {
                        news = true;
                        if let Some(book) = &mut self.edges {
                            book.add(released, id);
                        }
                    }
                    self.critical.passed(t, lock, other);
                }
            }
            if !news {
                return;
            }
        }
    }
}

impl Streaming for Dc {
    #[inline]
    fn event(&mut self, id: EventId, e: &Event) {
        let t = e.thread;
        let time = self.clocks.time(t);
        match e.op {
            Op::Release(l) => {
                self.compare_sections(id, t, l);
                let stamp = self.clocks.stamp(t);
                if let Some(book) = &mut self.edges {
                    slot(&mut book.releases, t.index()).push((stamp.time, id));
                }
                let (clocks, ended) = (&self.clocks, &self.ended);
                self.critical.release(t, l, &stamp, |s| everyone_knows(clocks, ended, s.thread, s.time));
            }
            Op::Acquire(l) => self.critical.acquire(t, l, time),
            Op::End => *slot(&mut self.ended, t.index()) = true,
            Op::Join(child) => *slot(&mut self.ended, child.index()) = true,
            _ => {}
        }
        self.clocks.event(e);
        let Some(v) = e.op.variable() else { return };
        let (clocks, book) = (&mut self.clocks, &mut self.edges);
        self.critical.access(t, v, e.op.is_write(), |stamp| {
            if clocks.receive(t, stamp)
                && let Some(book) = book
            {
                book.add(stamp, id);
            }
        });
        self.histories.access(id, e, v, time, self.clocks.knows(t));
    }

    fn finish(self: Box<Self>) -> Answer {
        self.histories.finish()
    }
}

/// Whether all threads seen so far that have not ended, other than `thread`, know its time `time`.
pub(crate) fn everyone_knows(clocks: &Clocks, ended: &[bool], thread: u32, time: u32) -> bool {
    (0..clocks.thread_count() as u32)
        .filter(|&t| t != thread && !ended.get(t as usize).copied().unwrap_or(false))
        .all(|t| clocks.knows_of(ThreadId(t), thread) >= time)
}
