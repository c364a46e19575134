//! M2: sound and effectively complete race prediction (P4 whole).
//!
//! A trace is read twice. [`causal`] computes the causal order and which variables matter, [`index`] what is left of the
//! trace (section 6.1). [`search`] goes through the candidate pairs with [`cone`]s that grow (section 5); [`decide`] is
//! `RaceDecision` (section 4) on the [`crate::closure`] of a [`window`] of the cone (section 3). Each race has a witness,
//! which [`trace::replay`] has checked.
//!
//! *Completeness* (section 5): a pair that is rejected is certainly no race if its cone has only what every witness has,
//! and if nothing had to be ordered by choice. Otherwise it is counted as undecided, with the reason. No undecided pair:
//! the trace has exactly the races reported.
//!
//! Deviations from the paper, beyond those in the files:
//! 1. Condition 4 of the cones is known to be necessary for locks that the pair itself holds; if these releases are all
//!    that was added, the answer stays complete. A pair that is causally ordered is rejected for good before that.
//! 2. If the cone with condition 4 fails, two smaller ones are tried: with only the necessary releases, and with those
//!    of all sections that another one of their lock follows (so that all sync-preserving races are found).
//! 3. Fork, join and barriers are part of the causal order ([`trace::order`]), as section 6.1 does for fork and join.
//!    Notifications and atomic read-modify-writes keep the trace's order; pairs that depend on that are undecided.
//!    Atomic accesses observe like others and do not race with each other.
//! 4. Reads of initial values come before all writes of the variable: the paper assumes a write at the beginning.
//! 5. Reporting by locations, a pair of locations needs one race; see [`search`] and [`index`] for what is then skipped.
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
pub mod search;
pub mod skeleton;
pub mod verify;
pub mod window;

use std::borrow::Cow;
use std::time::Instant;

use trace::{EventId, Trace, VarId};

use crate::{Answer, Options, Pairs, RacePair, Undecided};

use bits::Id;
use cone::{Cone, Releases};
use decide::{Decision, Request, race_decision};
use index::{Index, Section, Wanted};
use search::{Findings, Judge, Judgement, Reason, Time, search};

/// Witnesses of more events than this in all are not spelled out in an [`Answer`].
const MOST_WITNESS_EVENTS: usize = 100_000_000;

/// The answer of M2.
pub fn analyse(trace: &Trace, options: &Options) -> Answer {
    answer(trace, predict(trace, options))
}

/// The same with witnesses in their short form: how much of the trace they begin with, and the rest.
pub fn predict(trace: &Trace, options: &Options) -> Findings {
    let time = Time::new(options);
    let index = Index::new(trace, wanted(options));
    let deadline = time.map(|time| time.search);
    search(&index, &M2 { index: &index, deadline }, options, time)
}

/// Which accesses a search needs.
pub(crate) fn wanted(options: &Options) -> Wanted {
    Wanted {
        variable: options.variable.map(|variable| variable.0),
        all: options.all_accesses || options.pairs == Pairs::Events,
    }
}

/// Findings in the form that all analyses share.
pub(crate) fn answer(trace: &Trace, findings: Findings) -> Answer {
    let mut room = MOST_WITNESS_EVENTS;
    let mut races = Vec::with_capacity(findings.races.len());
    for found in findings.races {
        let accesses = [found.first, found.second].map(|id| trace.events[id as usize]);
        let Some(variable) = accesses[0].op.variable() else { continue };
        let size = found.witness.prefix as usize + found.witness.rest.len();
        let fits = size <= room;
        room -= if fits { size } else { 0 };
        races.push(RacePair {
            first: EventId(found.first),
            second: EventId(found.second),
            variable,
            accesses,
            count: found.count,
            witness: fits.then(|| found.witness.events().map(EventId).collect()),
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
    }
}

/// Decides pairs as M2 does.
#[derive(Debug)]
pub struct M2<'a, 't> {
    /// The trace.
    pub index: &'a Index<'t>,
    /// When to give up.
    pub deadline: Option<Instant>,
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

    fn judge(&self, sweep: &mut Sweep, second: Id, wants_witness: bool) -> Judgement {
        sweep.cone.add(self.index, &self.index.causal.clocks, sweep.other, second, Releases::All);
        let pair = [sweep.first, second];
        let decision = self.decision(&sweep.cone, sweep, second, wants_witness);
        match decision {
            Decision::Race(witness) => Judgement::Race(witness),
            Decision::Deadline => Judgement::Deadline,
            Decision::Rejected { by_choice } => self.rejected(sweep, pair, by_choice, wants_witness),
        }
    }
}

impl M2<'_, '_> {
    /// `RaceDecision` over a cone, or a rejection if it has one of the pair's events.
    fn decision(&self, cone: &Cone, sweep: &Sweep, second: Id, wants_witness: bool) -> Decision {
        if cone.contains(sweep.thread, sweep.first) || cone.contains(sweep.other, second) {
            return Decision::Rejected { by_choice: false };
        }
        let request = Request { pair: [sweep.first, second], wants_witness, deadline: self.deadline };
        race_decision(self.index, cone, request)
    }

    /// Whether a rejection is final (section 5, "Detecting completeness dynamically").
    fn rejected(&self, sweep: &Sweep, pair: [Id; 2], by_choice: bool, wants_witness: bool) -> Judgement {
        let [first, second] = pair;
        let mut held: Vec<Section> = Vec::new();
        self.index.open_sections(sweep.thread, first, &mut held);
        self.index.open_sections(sweep.other, second, &mut held);
        let mut locks: Vec<u32> = held.iter().map(|section| section.lock).collect();
        locks.sort_unstable();
        let forced = |clocks| {
            let mut cone = Cone::new(self.index.survey.threads, [sweep.thread, sweep.other]);
            cone.add(self.index, clocks, sweep.thread, first, Releases::Forced(&locks));
            cone.add(self.index, clocks, sweep.other, second, Releases::Forced(&locks));
            cone
        };
        let necessary = forced(&self.index.weak().clocks);
        if necessary.contains(sweep.thread, first) || necessary.contains(sweep.other, second) {
            return Judgement::None;
        }
        let smaller = forced(&self.index.causal.clocks);
        let is_smaller = smaller.bounds() != sweep.cone.bounds();
        if is_smaller {
            let mut ideal = smaller.clone();
            ideal.finish_sections(self.index);
            for cone in [smaller, ideal] {
                match self.decision(&cone, sweep, second, wants_witness) {
                    Decision::Race(witness) => return Judgement::Race(witness),
                    Decision::Deadline => return Judgement::Deadline,
                    Decision::Rejected { .. } => {}
                }
            }
        }
        if self.index.weak.is_some() {
            Judgement::Undecided(Reason::FixedOrder)
        } else if is_smaller {
            Judgement::Undecided(Reason::Releases)
        } else if by_choice {
            Judgement::Undecided(Reason::Choice)
        } else {
            Judgement::None
        }
    }
}
