//! Deadlocks that other orders of a trace's events would show.
//!
//! Tunç, Mathur, Pavlogiannis, Viswanathan, "Sound Dynamic Deadlock Prediction in Linear Time", PLDI 2023 (SPDOffline).
//! A *deadlock* is a correct reordering after which some threads each are about to acquire a lock that the next one of them holds.
//! It is *sync-preserving* if the sections of every lock that the reordering has stand in the trace's order.
//!
//! 1. [`patterns`]: circles of acquires that could wait for each other, by thread, lock, locks held and location.
//! 2. For each, the first acquires of its kinds; the smallest set of events with all that must come before them, closed under: of two acquires of
//!    one lock in it, the earlier one's release is in it too (the ideal of [`crate::syncp`]). If it has none of the acquires, its events in
//!    the trace's order are the witness. Otherwise each kind goes on to its first acquire outside the set, which only grows: no combination needs to be tried
//!    twice (the paper's lemma 4.3).
//! 3. A circle of two threads without a sync-preserving deadlock is asked for as M2 asks whether two events can be about to happen together
//!    ([`crate::m2`]), which may exchange sections, for up to [`TRIES`] combinations.
//!
//! Deviations: kinds have a location ([`patterns`]); step 3, and that every pattern gets an answer. The paper says nothing of those that it does not
//! report. Here a pattern is refuted if in every combination one of its acquires must come before another, or if M2 excludes all
//! combinations; any other is undecided, with the reason. Fork, join, barriers and notifications keep their order as in M2.
//!
//! Guarantee: every deadlock reported has a witness that [`trace::replay`] has accepted; for each pattern a sync-preserving deadlock is found
//! if there is one; if nothing is undecided, no reordering of the trace has a deadlock of locks at other locations than those reported.

pub mod patterns;

use std::borrow::Cow;
use std::time::Instant;

use trace::replay::Replayer;
use trace::{EventId, Trace};

use crate::m2::M2;
use crate::m2::bits::Id;
use crate::m2::cone::{Cone, Releases};
use crate::m2::index::{Index, Wanted};
use crate::m2::search::{Ask, Judge, Judgement};
use crate::m2::window::in_trace_order;
use crate::pace::{Effort, is_over};
use crate::{Answer, Deadlock, EFFORT, OpenDeadlock, Options};

use patterns::{Kind, Patterns};

/// How many combinations of two acquires are asked for by M2's means.
const TRIES: usize = 200;
/// How many steps one of them may take.
const EACH: u64 = 200_000;

/// The deadlocks of a trace.
pub fn analyse(trace: &Trace, options: &Options) -> Answer {
    let deadline = options.deadline();
    let mut answer = Answer::default();
    let Some(patterns) = Patterns::new(trace, deadline) else {
        return Answer { stopped: true, ..answer };
    };
    if patterns.all.is_empty() && !patterns.is_cut_off {
        return answer;
    }
    let wanted = Wanted { variable: Some(u32::MAX), all: false, alone: true };
    let Some(index) = Index::new(trace, wanted, deadline) else {
        return Answer { stopped: true, ..answer };
    };
    let search = Search {
        index,
        kinds: &patterns.kinds,
        replayer: Replayer::new(trace),
        effort: Effort::new(options.effort.unwrap_or(EFFORT), deadline),
        deadline,
    };
    for pattern in &patterns.all {
        if is_over(deadline) {
            answer.stopped = true;
            answer
                .open_deadlocks
                .push(search.open(pattern, "time limit: not decided, like all later circles"));
            break;
        }
        match search.decide(pattern) {
            Decision::Deadlock(deadlock) => answer.deadlocks.push(deadlock),
            Decision::None => {}
            Decision::Open(reason) => answer.open_deadlocks.push(search.open(pattern, reason)),
        }
    }
    if patterns.is_cut_off {
        let reason = "there are too many circles of locks: this one stands for those that were not looked at";
        let last = patterns.all.last().map(|pattern| search.open(pattern, reason));
        answer.open_deadlocks.extend(last);
        answer.stopped = true;
    }
    answer.deadlocks.sort_by(|a, b| a.acquires.cmp(&b.acquires));
    answer.open_deadlocks.sort_by(|a, b| a.acquires.cmp(&b.acquires));
    limit_witnesses(&mut answer.deadlocks, options.room_for_witnesses());
    answer
}

fn limit_witnesses(deadlocks: &mut [Deadlock], room: u64) {
    let lengths: Vec<u64> = deadlocks.iter().map(|deadlock| deadlock.witness_length).collect();
    for (deadlock, is_chosen) in deadlocks.iter_mut().zip(crate::spelled_out(&lengths, room)) {
        deadlock.witness = deadlock.witness.take().filter(|_| is_chosen);
    }
}

enum Decision {
    Deadlock(Deadlock),
    None,
    Open(&'static str),
}

/// How a set of events is closed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Closed {
    /// Under what must come before.
    Causally,
    /// And under the order of sections.
    SyncPreserving,
}

struct Search<'a> {
    index: Index<'a>,
    kinds: &'a [Kind],
    replayer: Replayer<'a>,
    /// What all questions to M2 together may cost.
    effort: Effort,
    deadline: Option<Instant>,
}

impl Search<'_> {
    fn decide(&self, pattern: &[usize]) -> Decision {
        let kinds: Vec<&Kind> = pattern.iter().map(|&kind| &self.kinds[kind]).collect();
        if let Some((events, cone)) = self.first_outside(&kinds, Closed::SyncPreserving) {
            let witness = in_trace_order(cone.bounds(), [events[0], events[1]]);
            let prefix = witness.events(self.index.trace).filter(|id| !events.contains(id));
            return self.replayed(&kinds, &events, prefix.map(EventId).collect());
        }
        if self.first_outside(&kinds, Closed::Causally).is_none() {
            return Decision::None;
        }
        match kinds[..] {
            [one, other] => self.of_two(&kinds, one, other),
            _ => Decision::Open("it would need critical sections in another order than in the trace"),
        }
    }

    /// The first combination of acquires of which none is in the closed set of what comes before them, and that set.
    fn first_outside(&self, kinds: &[&Kind], closed: Closed) -> Option<(Vec<Id>, Cone)> {
        let clocks = &self.index.causal.clocks;
        let threads: Vec<usize> = kinds.iter().map(|kind| kind.thread.index()).collect();
        let mut cone = Cone::new(clocks.threads(), [threads[0], threads[1]]);
        let mut at = vec![0; kinds.len()];
        loop {
            for (kind, &at) in kinds.iter().zip(&at) {
                cone.add(&self.index, clocks, kind.thread.index(), kind.events[at], Releases::None);
            }
            if closed == Closed::SyncPreserving {
                cone.finish_sections(&self.index);
            }
            let mut is_outside = true;
            for (kind, at) in kinds.iter().zip(&mut at) {
                let thread = kind.thread.index();
                let next = kind.events.partition_point(|&event| cone.contains(thread, event));
                kind.events.get(next)?;
                is_outside &= next <= *at;
                *at = next.max(*at);
            }
            if is_outside {
                return Some((kinds.iter().zip(at).map(|(kind, at)| kind.events[at]).collect(), cone));
            }
        }
    }

    /// Combinations of two threads by M2's decision, which may exchange sections.
    fn of_two(&self, kinds: &[&Kind], one: &Kind, other: &Kind) -> Decision {
        let m2 = M2 { index: &self.index };
        let clocks = &self.index.causal.clocks;
        let mut tries = 0;
        let mut left_open = None;
        for &first in &one.events {
            let seen = clocks.enabling(one.thread.index(), first)[other.thread.index()];
            let low = other.events.partition_point(|&second| second < seen);
            let mut sweep = m2.sweep(first, other.thread.index());
            for &second in &other.events[low..] {
                if clocks.enabling(other.thread.index(), second)[one.thread.index()] > first {
                    break;
                }
                tries += 1;
                if tries > TRIES || self.effort.is_used_up() {
                    return Decision::Open("there are too many combinations of these acquires");
                }
                let effort = Effort::new(EACH, self.deadline);
                let judgement = m2.judge(&mut sweep, second, Ask { wants_witness: true, effort: &effort });
                let is_paid = self.effort.spend(effort.spent()).is_ok();
                match judgement {
                    Judgement::Race(Some(witness)) => {
                        let pair = [first, second];
                        let all = witness.events(self.index.trace).map(EventId);
                        let prefix = all.filter(|id| !pair.contains(&id.0)).collect();
                        return self.replayed(kinds, &pair, prefix);
                    }
                    Judgement::None => {}
                    Judgement::Undecided(reason) => left_open = Some(reason.text()),
                    Judgement::Race(None) | Judgement::Deadline => left_open = Some("time limit"),
                }
                if !is_paid {
                    left_open = Some("the effort allowed was used up (--effort)");
                }
            }
        }
        left_open.map_or(Decision::None, Decision::Open)
    }

    /// The deadlock of these acquires, if the replayer accepts its witness.
    fn replayed(&self, kinds: &[&Kind], events: &[Id], prefix: Vec<EventId>) -> Decision {
        let acquires: Vec<EventId> = events.iter().map(|&event| EventId(event)).collect();
        if self.replayer.check_deadlock(&prefix, &acquires).is_err() {
            return Decision::Open("internal error: the witness did not pass its replay");
        }
        let witness: Vec<EventId> = prefix.into_iter().chain(acquires.iter().copied()).collect();
        Decision::Deadlock(Deadlock {
            accesses: acquires.iter().map(|id| *self.index.trace.event(*id)).collect(),
            acquires,
            held: kinds.iter().map(|kind| kind.held.clone()).collect(),
            witness_length: witness.len() as u64,
            witness: Some(witness),
        })
    }

    fn open(&self, pattern: &[usize], reason: &'static str) -> OpenDeadlock {
        let first = |&kind: &usize| EventId(self.kinds[kind].events[0]);
        OpenDeadlock { acquires: pattern.iter().map(first).collect(), reason: Cow::Borrowed(reason) }
    }
}
