//! The order that every reordering of a trace keeps besides program order: fork, join, barriers, notifications.
//!
//! - a fork comes before the child's first event;
//! - a join comes after the joined thread's last event (or its fork, if it has no event);
//! - what a thread does after a barrier event comes after the barrier events of all other participants of the round. A
//!   round ends when the first of its participants goes on;
//! - a wait comes after every notification of its condition variable that stands before it in the trace (which of them
//!   woke it is not recorded, so all are kept: sound, and possibly more order than the program needs).

use crate::event::{EventId, Op, Trace};

/// Pairs (before, after) of events of different threads that every reordering keeps, if it contains the latter. With
/// program order they generate the whole order. `before` stands before `after` in the trace. Sorted by the latter event.
pub fn must_edges(trace: &Trace) -> Vec<(EventId, EventId)> {
    let counts = trace.counts();
    let mut edges = Vec::new();
    let mut fork = vec![None; counts.threads];
    let mut last: Vec<Option<EventId>> = vec![None; counts.threads];
    let mut notifies: Vec<Vec<EventId>> = vec![Vec::new(); counts.locks];
    let mut rounds = Rounds::new(counts.threads, counts.locks);
    for (id, e) in trace.iter() {
        let t = e.thread.index();
        if let Some(parent) = fork[t].take() {
            edges.push((parent, id));
        }
        let passed = rounds.moves_on(t);
        edges.extend(passed.iter().filter(|b| trace.event(**b).thread != e.thread).map(|&b| (b, id)));
        match e.op {
            Op::Fork(child) => fork[child.index()] = Some(id),
            Op::Join(child) => {
                let passed = rounds.moves_on(child.index());
                edges.extend(passed.iter().filter(|b| trace.event(**b).thread != e.thread).map(|&b| (b, id)));
                if passed.is_empty() {
                    // A thread that was forked and has no events still had to start.
                    let end = last[child.index()].or(fork[child.index()]);
                    edges.extend(end.filter(|end| trace.event(*end).thread != e.thread).map(|end| (end, id)));
                }
            }
            Op::Notify(c) => {
                // An earlier notification by the same thread is implied by this one.
                notifies[c.index()].retain(|n| trace.event(*n).thread != e.thread);
                notifies[c.index()].push(id);
            }
            Op::Wait(c) => {
                let others = notifies[c.index()].iter().filter(|n| trace.event(**n).thread != e.thread);
                edges.extend(others.map(|&n| (n, id)));
            }
            Op::Barrier(b) => rounds.arrives(b.index(), t, id),
            _ => {}
        }
        last[t] = Some(id);
    }
    edges.sort_unstable_by_key(|&(before, after)| (after, before));
    edges
}

/// The rounds of all barriers.
struct Rounds {
    /// The round in which a thread's last event was a barrier event, with its barrier.
    at: Vec<Option<(usize, usize)>>,
    /// By barrier: the round that still takes participants.
    open: Vec<Option<usize>>,
    /// The barrier events of each round.
    rounds: Vec<Vec<EventId>>,
}

impl Rounds {
    fn new(threads: usize, locks: usize) -> Rounds {
        Rounds { at: vec![None; threads], open: vec![None; locks], rounds: Vec::new() }
    }

    /// The round that a thread leaves with its next event. Nobody can come to it any more.
    fn moves_on(&mut self, t: usize) -> &[EventId] {
        let Some((b, round)) = self.at[t].take() else { return &[] };
        if self.open[b] == Some(round) {
            self.open[b] = None;
        }
        &self.rounds[round]
    }

    fn arrives(&mut self, b: usize, t: usize, id: EventId) {
        let round = *self.open[b].get_or_insert_with(|| {
            self.rounds.push(Vec::new());
            self.rounds.len() - 1
        });
        self.rounds[round].push(id);
        self.at[t] = Some((b, round));
    }
}
