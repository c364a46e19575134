//! M2: sound and effectively complete race prediction (P4 whole).
//!
//! A trace is gone through twice, the first time while it is read from its file. [`causal`] computes the causal order and which variables matter, [`index`] what is left of the
//! trace (section 6.1). [`mod@search`] goes through the candidate pairs with [`cone`]s that grow (section 5); [`decide`] is
//! `RaceDecision` (section 4) on the [`crate::closure`] of a [`window`] of the cone (section 3). Each race has a witness,
//! which [`trace::replay`] has checked.
//!
//! *Completeness* (section 5): a pair that is rejected is certainly no race if its cone has only what every witness has,
//! and if nothing had to be ordered by choice. Otherwise it is counted as undecided, with the reason. No undecided pair:
//! the trace has exactly the races reported.
//!
//! Deviations from the paper, beyond those in the files:
//! 1. Condition 4 of the cones adds releases that a witness may do without. [`mod@necessary`] finds those that every witness
//!    has; if what they force is contradictory, a rejection is final although condition 4 was used. A pair that is
//!    causally ordered is rejected for good before that.
//! 2. If the cone with condition 4 fails, others are tried: with only the necessary releases, with all but those that
//!    exclude the pair, and with those of all sections that another one of their lock follows (so that all
//!    sync-preserving races are found).
//! 3. Fork, join and barriers are part of the causal order ([`trace::order`]), as section 6.1 does for fork and join.
//!    Notifications and atomic read-modify-writes keep the trace's order; pairs that depend on that are undecided.
//!    Atomic accesses observe like others and do not race with each other.
//! 4. Reads of initial values come before all writes of the variable: the paper assumes a write at the beginning.
//! 5. The effort for a pair is bounded ([`mod@search`]); pairs that stay undecided for whatever reason but a time limit go to vindication
//!    by DC's constraint graph, which now and then has a witness that no choice of line 8 leads to.
//! 6. Reporting by locations, a pair of locations needs one race; see [`mod@search`] and [`index`] for what is then skipped.
//!
//! Guarantee: every report is a predictable race, with a valid witness; on traces of two threads (without fixed orders)
//! all predictable races are reported (theorem 4.1); on others, if nothing is undecided.

pub mod bits;
pub mod causal;
pub mod clocks;
pub mod cone;
pub mod decide;
pub mod index;
pub mod locksets;
pub mod necessary;
pub mod search;
pub mod skeleton;
pub mod verify;
pub mod window;

use std::borrow::Cow;

use trace::replay::Replayer;
use trace::{EventId, Trace, VarId};

use crate::pace::{Stop, is_over};
use crate::{Answer, EFFORT, Options, Pairs, RacePair, Undecided, spelled_out};

use bits::Id;
use causal::Prepared;
use cone::{Cone, Releases};
use decide::{Decision, Request, is_impossible, race_decision};
use index::{Index, Wanted};
use necessary::{Pair, generous, necessary};
use search::{Ask, Findings, Found, Judge, Judgement, Open, Reason, Time, search};
use window::{Witness, in_trace_order, lengths};

/// So many undecided pairs are tried once more by vindication.
const MOST_VINDICATED: usize = 1000;

/// In longer traces a witness that has not been replayed in full is given out with its whole beginning.
const LONGEST_REPLAYED: usize = 20_000_000;

/// The answer of M2.
pub fn analyse(trace: &Trace, options: &Options) -> Answer {
    analyse_prepared(trace, None, options)
}

/// The same, if the first pass may have been done while the trace was read.
pub fn analyse_prepared(trace: &Trace, prepared: Option<&Prepared>, options: &Options) -> Answer {
    answer(trace, predict_prepared(trace, prepared, options), options)
}

/// The same with witnesses in their short form: how much of the trace they begin with, and the rest.
pub fn predict(trace: &Trace, options: &Options) -> Findings {
    predict_prepared(trace, None, options)
}

fn predict_prepared(trace: &Trace, prepared: Option<&Prepared>, options: &Options) -> Findings {
    let time = Time::new(options);
    let deadline = time.map(|time| time.search);
    let Some(index) = Index::prepared(trace, prepared, wanted(options), deadline) else {
        return Findings::stopped();
    };
    let mut findings = search(&index, &M2 { index: &index }, options, time);
    drop(index);
    vindicate(trace, &mut findings, options, time);
    findings
}

/// Looks for witnesses of the undecided pairs in another way ([`crate::vindicate`]).
fn vindicate(trace: &Trace, findings: &mut Findings, options: &Options, time: Option<Time>) {
    let is_tried = |open: &&Open| !matches!(open.reason, Reason::TimeLimit | Reason::Replay);
    let tried: Vec<Open> =
        findings.undecided.iter().filter(is_tried).copied().take(MOST_VINDICATED).collect();
    if tried.is_empty() || time.is_some_and(|time| is_over(Some(time.search))) {
        return;
    }
    let pairs: Vec<[EventId; 2]> = tried.iter().map(|open| [open.first, open.second].map(EventId)).collect();
    let effort = options.effort.unwrap_or(EFFORT);
    let found = crate::vindicate::witnesses(trace, &pairs, effort, time.map(|time| time.search));
    for (open, witness) in tried.into_iter().zip(found) {
        let Some(witness) = witness else { continue };
        findings.undecided.retain(|other| *other != open);
        findings.event_pairs += 1;
        findings.racy_variables.extend(trace.events[open.first as usize].op.variable().map(|v| v.0));
        let rest = witness.into_iter().map(|id| id.0).collect();
        let witness = Witness { bounds: Vec::new(), from: 0, rest };
        findings.races.push(Found { first: open.first, second: open.second, count: 1, witness });
    }
    findings.races.sort_unstable_by_key(|race| (race.second, race.first));
    findings.racy_variables.sort_unstable();
    findings.racy_variables.dedup();
}

/// Which accesses a search needs.
pub(crate) fn wanted(options: &Options) -> Wanted {
    Wanted {
        variable: options.variable.map(|variable| variable.0),
        all: options.all_accesses || options.pairs == Pairs::Events,
        alone: options.jobs == 1,
    }
}

/// Findings in the form that all analyses share.
pub(crate) fn answer(trace: &Trace, findings: Findings, options: &Options) -> Answer {
    let witnesses: Vec<Witness> =
        findings.races.iter().map(|found| given_out(trace, &findings, found)).collect();
    let lengths = lengths(trace, witnesses.iter());
    let chosen = spelled_out(&lengths, options.room_for_witnesses());
    let mut replayer = None;
    let mut races = Vec::with_capacity(findings.races.len());
    for (number, found) in findings.races.iter().enumerate() {
        let accesses = [found.first, found.second].map(|id| trace.events[id as usize]);
        let Some(variable) = accesses[0].op.variable() else { continue };
        let is_judged =
            findings.in_full || witnesses[number].is_in_order() || witnesses[number].bounds.is_empty();
        let witness = chosen[number].then(|| {
            let events: Vec<EventId> = witnesses[number].events(trace).map(EventId).collect();
            let mut accepts = || {
                let replayer = replayer.get_or_insert_with(|| Replayer::new(trace));
                replayer.check(&events, (EventId(found.first), EventId(found.second))).is_ok()
            };
            if is_judged || accepts() {
                return events;
            }
            found.witness.with_whole_beginning().events(trace).map(EventId).collect()
        });
        races.push(RacePair {
            first: EventId(found.first),
            second: EventId(found.second),
            variable,
            accesses,
            count: found.count,
            witness_length: Some(witness.as_ref().map_or(lengths[number], |witness| witness.len() as u64)),
            witness,
        });
    }
    let undecided = findings.undecided.iter().filter_map(|open| {
        Some(Undecided {
            first: EventId(open.first),
            second: EventId(open.second),
            variable: trace.events[open.first as usize].op.variable()?,
            reason: Cow::Borrowed(open.reason.text()),
        })
    });
    Answer {
        races,
        undecided: undecided.collect(),
        event_pairs: findings.event_pairs,
        racy_variables: findings.racy_variables.into_iter().map(VarId).collect(),
        stopped: findings.stopped,
        ..Answer::default()
    }
}

/// A witness as it is given out: with its whole beginning if it was judged so and the trace is too long to judge again.
fn given_out(trace: &Trace, findings: &Findings, found: &Found) -> Witness {
    if findings.in_full || found.witness.is_in_order() || trace.len() <= LONGEST_REPLAYED {
        found.witness.clone()
    } else {
        found.witness.with_whole_beginning()
    }
}

/// Decides pairs as M2 does.
#[derive(Debug)]
pub struct M2<'a, 't> {
    /// The trace.
    pub index: &'a Index<'t>,
}

/// `M2_{e1}^p` under way: one event, and the cone of the pairs so far.
#[derive(Debug)]
pub struct Sweep {
    first: Id,
    thread: usize,
    other: usize,
    cone: Cone,
}

impl Judge for M2<'_, '_> {
    type Sweep = Sweep;

    fn sweep(&self, first: Id, other: usize) -> Sweep {
        let thread = self.index.thread(first);
        let clocks = &self.index.causal.clocks;
        let mut cone = Cone::new(clocks.threads(), [thread, other]);
        cone.add(self.index, clocks, thread, first, Releases::All);
        Sweep { first, thread, other, cone }
    }

    fn judge(&self, sweep: &mut Sweep, second: Id, ask: Ask<'_>) -> Judgement {
        sweep.cone.add(self.index, &self.index.causal.clocks, sweep.other, second, Releases::All);
        let decision = self.decision(&sweep.cone, sweep, second, ask);
        match decision {
            Decision::Race(witness) => {
                Judgement::Race(witness.map(|witness| self.shorter(witness, sweep, second)))
            }
            Decision::Stopped(Stop::Deadline) => Judgement::Deadline,
            Decision::Stopped(Stop::Effort) => self.too_hard(sweep, second, ask),
            Decision::Rejected { by_choice } => self.rejected(sweep, second, by_choice, ask),
        }
    }
}

impl M2<'_, '_> {
    /// `RaceDecision` over a cone, or a rejection if it has one of the pair's events.
    fn decision(&self, cone: &Cone, sweep: &Sweep, second: Id, ask: Ask<'_>) -> Decision {
        if cone.contains(sweep.thread, sweep.first) || cone.contains(sweep.other, second) {
            return Decision::Rejected { by_choice: false };
        }
        let Ask { wants_witness, effort } = ask;
        race_decision(self.index, cone, Request { pair: [sweep.first, second], wants_witness, effort })
    }

    /// A witness without the releases that condition 4 adds and nobody waits for, if it keeps the trace's order.
    fn shorter(&self, witness: Witness, sweep: &Sweep, second: Id) -> Witness {
        if !witness.is_in_order() {
            return witness;
        }
        match self.ideal(sweep, second) {
            Some(ideal) => in_trace_order(ideal.bounds(), [sweep.first, second]),
            None => witness,
        }
    }

    /// Whether a rejection is final (section 5, "Detecting completeness dynamically").
    fn rejected(&self, sweep: &Sweep, second: Id, by_choice: bool, ask: Ask<'_>) -> Judgement {
        let pair = Pair { first: sweep.first, thread: sweep.thread, second, other: sweep.other };
        let Some(needed) = necessary(self.index, &self.index.weak().clocks, pair) else {
            return if self.index.is_late() { Judgement::Deadline } else { Judgement::None };
        };
        let is_exact = needed.cone.bounds() == sweep.cone.bounds();
        let mut by_choice = by_choice;
        if !is_exact {
            for (number, cone) in self.other_cones(pair).into_iter().enumerate() {
                match self.decision(&cone, sweep, second, ask) {
                    Decision::Race(witness) => return Judgement::Race(witness),
                    Decision::Stopped(Stop::Deadline) => return Judgement::Deadline,
                    Decision::Stopped(Stop::Effort) => return self.too_hard(sweep, second, ask),
                    Decision::Rejected { by_choice: choice } if number == 0 => by_choice = choice,
                    Decision::Rejected { .. } => {}
                }
            }
        }
        if self.index.is_late() {
            return Judgement::Deadline;
        }
        if self.index.weak.is_some() {
            return Judgement::Undecided(Reason::FixedOrder);
        }
        if is_exact || needed.is_settled {
            return if by_choice { Judgement::Undecided(Reason::Choice) } else { Judgement::None };
        }
        let request = Request { pair: [pair.first, second], wants_witness: false, effort: ask.effort };
        match is_impossible(self.index, &needed.cone, &needed.open, request) {
            Ok(true) => Judgement::None,
            Ok(false) => Judgement::Undecided(Reason::Releases),
            Err(Stop::Deadline) => Judgement::Deadline,
            Err(Stop::Effort) => Judgement::Undecided(Reason::Effort),
        }
    }

    /// What costs next to nothing is still tried: the ideal in the trace's order.
    fn too_hard(&self, sweep: &Sweep, second: Id, ask: Ask<'_>) -> Judgement {
        match self.ideal(sweep, second) {
            Some(ideal) => Judgement::Race(
                ask.wants_witness.then(|| in_trace_order(ideal.bounds(), [sweep.first, second])),
            ),
            None if self.index.is_late() => Judgement::Deadline,
            None => Judgement::Undecided(Reason::Effort),
        }
    }

    /// The causal past with the sections finished that must be for the trace's order, if it has neither event of the pair.
    fn ideal(&self, sweep: &Sweep, second: Id) -> Option<Cone> {
        let clocks = &self.index.causal.clocks;
        let mut ideal = Cone::new(clocks.threads(), [sweep.thread, sweep.other]);
        ideal.add(self.index, clocks, sweep.thread, sweep.first, Releases::None);
        ideal.add(self.index, clocks, sweep.other, second, Releases::None);
        ideal.finish_sections(self.index);
        let has_pair = ideal.contains(sweep.thread, sweep.first) || ideal.contains(sweep.other, second);
        (!has_pair && !self.index.is_late()).then_some(ideal)
    }

    /// Other sets of events than the one with condition 4 that a witness may have: the necessary one first.
    fn other_cones(&self, pair: Pair) -> Vec<Cone> {
        let clocks = &self.index.causal.clocks;
        let Some(needed) = necessary(self.index, clocks, pair) else { return Vec::new() };
        let generous = generous(self.index, clocks, pair, needed.cone.clone());
        let mut ideal = needed.cone.clone();
        ideal.finish_sections(self.index);
        vec![needed.cone, generous, ideal]
    }
}
