//! The order that every reordering of a trace keeps besides program order: fork, join, barriers, notifications.
//!
//! - a fork comes before the child's first event;
//! - a join comes after the joined thread's last event (or its fork, if it has no event);
//! - what a thread does after a barrier event comes after the barrier events of all other participants of the round. A
//!   round ends when the first of its participants goes on;
//! - a wait comes after every notification of its condition variable that stands before it in the trace (which of them
//!   woke it is not recorded, so all are kept: sound, and possibly more order than the program needs).

use crate::event::{Event, EventId, Op, ThreadId, Trace};

/// Pairs (before, after) of events of different threads that every reordering keeps, if it contains the latter. With
/// program order they generate the whole order. `before` stands before `after` in the trace. Sorted by the latter event.
pub fn must_edges(trace: &Trace) -> Vec<(EventId, EventId)> {
    let mut must = Must::default();
    let mut edges = Vec::new();
    let mut sources = Vec::new();
    for (id, e) in trace.iter() {
        must.event(id, e, &mut sources);
        edges.extend(sources.drain(..).map(|source| (source.event, id)));
    }
    edges
}

/// An event that comes before another one in every reordering.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Source {
    /// The event.
    pub event: EventId,
    /// Its thread.
    pub thread: ThreadId,
    /// Whether it is a notification.
    pub is_notification: bool,
}

/// Finds these pairs while the events come one after another.
#[derive(Debug, Default)]
pub struct Must {
    fork: Vec<Option<Source>>,
    last: Vec<Option<Source>>,
    notifies: Vec<Vec<Source>>,
    rounds: Rounds,
}

impl Must {
    /// The next event: appends the events of other threads that come before it, in order. Most have none.
    #[inline]
    pub fn event(&mut self, id: EventId, e: &Event, sources: &mut Vec<Source>) {
        let t = e.thread.index();
        if t >= self.last.len() {
            self.threads(t + 1);
        }
        let own = Source { event: id, thread: e.thread, is_notification: matches!(e.op, Op::Notify(_)) };
        if self.fork[t].is_some() || self.rounds.at[t].is_some() {
            self.begins(t, sources);
        }
        if matches!(e.op, Op::Fork(_) | Op::Join(_) | Op::Notify(_) | Op::Wait(_) | Op::Barrier(_)) {
            self.synchronises(own, e, sources);
        }
        if !sources.is_empty() {
            sources.retain(|source| source.thread != e.thread);
            sources.sort_unstable();
        }
        self.last[t] = Some(own);
    }

    #[cold]
    fn threads(&mut self, count: usize) {
        self.fork.resize(count, None);
        self.last.resize(count, None);
        self.rounds.at.resize(count, None);
    }

    /// A thread goes on behind its fork or a barrier.
    #[inline(never)]
    fn begins(&mut self, t: usize, sources: &mut Vec<Source>) {
        sources.extend(self.fork[t].take());
        sources.extend_from_slice(self.rounds.moves_on(t));
    }

    #[inline(never)]
    fn synchronises(&mut self, own: Source, e: &Event, sources: &mut Vec<Source>) {
        match e.op {
            Op::Fork(child) | Op::Join(child) if child.index() >= self.last.len() => {
                self.threads(child.index() + 1);
            }
            Op::Notify(c) | Op::Wait(c) if c.index() >= self.notifies.len() => {
                self.notifies.resize(c.index() + 1, Vec::new());
            }
            _ => {}
        }
        match e.op {
            Op::Fork(child) => self.fork[child.index()] = Some(own),
            Op::Join(child) => {
                let passed = self.rounds.moves_on(child.index());
                sources.extend_from_slice(passed);
                if passed.is_empty() {
                    // A thread that was forked and has no events still had to start.
                    sources.extend(self.last[child.index()].or(self.fork[child.index()]));
                }
            }
            Op::Notify(c) => {
                // An earlier notification by the same thread is implied by this one.
                self.notifies[c.index()].retain(|n| n.thread != e.thread);
                self.notifies[c.index()].push(own);
            }
            Op::Wait(c) => sources.extend_from_slice(&self.notifies[c.index()]),
            Op::Barrier(b) => self.rounds.arrives(b.index(), own),
            _ => {}
        }
    }
}

/// The rounds of all barriers.
#[derive(Debug, Default)]
struct Rounds {
    /// The round in which a thread's last event was a barrier event, with its barrier.
    at: Vec<Option<(usize, usize)>>,
    /// By barrier: the round that still takes participants.
    open: Vec<Option<usize>>,
    /// The barrier events of each round.
    rounds: Vec<Vec<Source>>,
}

impl Rounds {
    /// The round that a thread leaves with its next event. Nobody can come to it any more.
    fn moves_on(&mut self, t: usize) -> &[Source] {
        let Some((b, round)) = self.at[t].take() else { return &[] };
        if self.open[b] == Some(round) {
            self.open[b] = None;
        }
        &self.rounds[round]
    }

    fn arrives(&mut self, b: usize, own: Source) {
        if b >= self.open.len() {
            self.open.resize(b + 1, None);
        }
        let round = *self.open[b].get_or_insert_with(|| {
            self.rounds.push(Vec::new());
            self.rounds.len() - 1
        });
        self.rounds[round].push(own);
        self.at[own.thread.index()] = Some((b, round));
    }
}
