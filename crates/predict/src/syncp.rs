//! SyncP: sync-preserving races (Mathur, Pavlogiannis, Viswanathan, "Optimal prediction of synchronization-preserving
//! races", POPL 2021).
//!
//! A correct reordering is *sync-preserving* if any two critical sections of one lock that it has (even if the later one
//! is not finished) stand in the trace's order. A pair is a sync-preserving race if one of them enables both events.
//!
//! The smallest candidate is the *ideal* of the pair: the causal past of both, closed under: of two acquires of one lock
//! in the set, the earlier one's release is in it too. If neither event is in the ideal, the ideal's events in the
//! trace's order are the reordering; if one is, it is in every sync-preserving reordering that enables the pair, so there
//! is none. The ideal is a bound for each thread and grows with the later event, so a sweep over the later events keeps
//! it: the incremental computation of the paper.
//!
//! Deviations: the paper's one-pass algorithm keeps per variable and thread the histories that it needs; here the ideal
//! is computed on the index that M2 uses (clocks where they change, sections by lock), so the trace is in memory and
//! every pair of the candidates can be asked for, with its witness. Fork, join, barriers, notifications and
//! read-modify-writes keep their order as in M2.
//!
//! Guarantee: the races are exactly the sync-preserving races (with fixed orders: some of them), each with a witness that
//! [`trace::replay`] has checked. That a pair is not reported says nothing about other reorderings.

use trace::Trace;

use crate::m2::bits::Id;
use crate::m2::causal::Prepared;
use crate::m2::cone::{Cone, Releases};
use crate::m2::index::Index;
use crate::m2::search::{Ask, Findings, Judge, Judgement, Time, search};
use crate::m2::window::in_trace_order;
use crate::{Answer, Options, m2};

/// The answer of SyncP.
pub fn analyse(trace: &Trace, options: &Options) -> Answer {
    analyse_prepared(trace, None, options)
}

/// The same, if the first pass may have been done while the trace was read.
pub fn analyse_prepared(trace: &Trace, prepared: Option<&Prepared>, options: &Options) -> Answer {
    m2::answer(trace, predict_prepared(trace, prepared, options), options)
}

/// The same with witnesses in their short form.
pub fn predict(trace: &Trace, options: &Options) -> Findings {
    predict_prepared(trace, None, options)
}

fn predict_prepared(trace: &Trace, prepared: Option<&Prepared>, options: &Options) -> Findings {
    let time = Time::new(options);
    let deadline = time.map(|time| time.search);
    let Some(index) = Index::prepared(trace, prepared, m2::wanted(options), deadline) else {
        return Findings::stopped();
    };
    search(&index, &SyncP { index: &index }, options, time)
}

/// Decides whether pairs are sync-preserving races.
#[derive(Debug)]
pub struct SyncP<'a, 't> {
    /// The trace.
    pub index: &'a Index<'t>,
}

/// One event, and the ideal of the pairs so far.
#[derive(Debug)]
pub struct Sweep {
    first: Id,
    thread: usize,
    other: usize,
    ideal: Cone,
}

impl Judge for SyncP<'_, '_> {
    type Sweep = Sweep;

    fn sweep(&self, first: Id, other: usize) -> Sweep {
        let thread = self.index.thread(first);
        let clocks = &self.index.causal.clocks;
        let mut ideal = Cone::new(clocks.threads(), [thread, other]);
        ideal.add(self.index, clocks, thread, first, Releases::None);
        ideal.finish_sections(self.index);
        Sweep { first, thread, other, ideal }
    }

    fn judge(&self, sweep: &mut Sweep, second: Id, ask: Ask<'_>) -> Judgement {
        sweep.ideal.add(self.index, &self.index.causal.clocks, sweep.other, second, Releases::None);
        sweep.ideal.finish_sections(self.index);
        if self.index.is_late() {
            return Judgement::Deadline;
        }
        if sweep.ideal.contains(sweep.thread, sweep.first) || sweep.ideal.contains(sweep.other, second) {
            return Judgement::None;
        }
        let witness = ask.wants_witness.then(|| in_trace_order(sweep.ideal.bounds(), [sweep.first, second]));
        Judgement::Race(witness)
    }
}
