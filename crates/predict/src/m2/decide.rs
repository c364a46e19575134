//! `RaceDecision` (P4 section 4, algorithm 5) for one pair, over its cone.
//!
//! 1. No section that the cone leaves open is followed by another of its lock: the cone's events in the trace's order
//!    are a witness (lemma 5.1, and slightly more: the paper asks for no open section at all).
//! 2. Otherwise the closure of the weakest order that respects the trace; a cycle rejects the pair.
//! 3. For the chain of the one event and then of the other: the conflicts outside it are ordered as in the trace (line
//!    8), and if that makes no cycle, the max-min linearisation is the witness.
//!
//! Deviation: steps 2 and 3 are first tried on a window that begins at the earliest section in the way (see
//! [`super::window`]), and on windows that grow backwards as long as neither a witness nor a contradiction is found; the
//! last one is the whole cone, where it is the paper's algorithm. Most pairs are decided by their neighbourhood, and the
//! cost then does not depend on the length of the trace.
//!
//! Guarantee: a race has a witness; `Rejected` is what the paper's algorithm says for the whole cone.

use crate::closure::close::{Closure, Failure};
use crate::closure::linear::{max_min, order_conflicts};
use crate::pace::{Effort, Stop};

use super::bits::Id;
use super::cone::Cone;
use super::index::Index;
use super::window::{Reading, Window, Witness, in_trace_order};

/// What `RaceDecision` says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// A race; with its witness if one was wanted.
    Race(Option<Witness>),
    /// No witness over this cone.
    Rejected {
        /// Whether conflicts had been ordered by choice (line 8): another choice might have succeeded.
        by_choice: bool,
    },
    /// Not brought to its end.
    Stopped(Stop),
}

/// What is asked of a decision.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The pair.
    pub pair: [Id; 2],
    /// Whether a race needs its witness spelled out.
    pub wants_witness: bool,
    /// What it may cost.
    pub effort: &'a Effort,
}

/// Decides a pair whose cone has neither of its events.
pub fn race_decision(index: &Index<'_>, cone: &Cone, request: Request<'_>) -> Decision {
    let Request { pair, effort, .. } = request;
    let bounds = cone.bounds();
    let open = cone.open_sections(index);
    let followed = |acquire: Id, lock: u32, own: usize| {
        bounds.iter().enumerate().any(|(thread, &bound)| {
            thread != own && index.last_acquire(lock, thread, bound).is_some_and(|other| other > acquire)
        })
    };
    let in_the_way = open.iter().filter(|section| followed(section.acquire, section.lock, section.thread));
    let Some(first) = in_the_way.map(|section| section.acquire).min() else {
        return Decision::Race(request.wants_witness.then(|| in_trace_order(bounds, pair)));
    };
    let mut locks: Vec<u32> = open.iter().map(|section| section.lock).collect();
    locks.sort_unstable();
    if locks.windows(2).any(|two| two[0] == two[1]) {
        return Decision::Rejected { by_choice: false };
    }
    let end = bounds.iter().copied().max().unwrap_or(0);
    let mut from = first.min(pair[0]).min(pair[1]);
    loop {
        let attempt = attempt(index, bounds, from, request);
        match attempt {
            Decision::Race(_) | Decision::Stopped(_) => return attempt,
            Decision::Rejected { .. } if from == 0 => return attempt,
            Decision::Rejected { by_choice: true } => {}
            Decision::Rejected { by_choice: false } => {
                match is_contradictory(index, bounds, from, Reading::Necessary, effort) {
                    Ok(true) => return Decision::Rejected { by_choice: false },
                    Ok(false) => {}
                    Err(stop) => return Decision::Stopped(stop),
                }
            }
        }
        from = further_back(from, end);
    }
}

/// Looks for a witness that begins with the trace before `from`.
fn attempt(index: &Index<'_>, bounds: &[Id], from: Id, request: Request<'_>) -> Decision {
    let Request { pair, effort, .. } = request;
    let window = match Window::new(index, bounds, from, Reading::Strict, effort) {
        Ok(window) => window,
        Err(Failure::Cycle) => return Decision::Rejected { by_choice: false },
        Err(Failure::Stopped(stop)) => return Decision::Stopped(stop),
    };
    let closure = match Closure::new(&window.problem, effort) {
        Ok(closure) => closure,
        Err(Failure::Cycle) => return Decision::Rejected { by_choice: false },
        Err(Failure::Stopped(stop)) => return Decision::Stopped(stop),
    };
    for event in pair {
        // A thread without events in the window leaves no chain free.
        let free = window.chain_of[index.thread(event)].unwrap_or(usize::MAX);
        let mut ordered = closure.clone();
        match order_conflicts(&mut ordered, free) {
            Ok(_) => {
                if !request.wants_witness {
                    return Decision::Race(None);
                }
                return match max_min(&ordered, free, effort) {
                    Ok(run) => Decision::Race(Some(window.witness(index, bounds, &run, pair))),
                    Err(stop) => Decision::Stopped(stop),
                };
            }
            Err(Failure::Cycle) => {}
            Err(Failure::Stopped(stop)) => return Decision::Stopped(stop),
        }
    }
    Decision::Rejected { by_choice: true }
}

/// Whether no set of events that contains the cone, and leaves those of its sections open that are given (by their
/// acquires), can be put into an order.
pub fn is_impossible(
    index: &Index<'_>,
    cone: &Cone,
    open: &[Id],
    request: Request<'_>,
) -> Result<bool, Stop> {
    let bounds = cone.bounds();
    let mut open = open.to_vec();
    open.sort_unstable();
    let end = bounds.iter().copied().max().unwrap_or(0);
    let mut from = open.iter().copied().chain(request.pair).min().unwrap_or(0);
    loop {
        match is_contradictory(index, bounds, from, Reading::Known(&open), request.effort) {
            Ok(false) if from > 0 => from = further_back(from, end),
            result => return result,
        }
    }
}

/// Where the next, larger window begins.
fn further_back(from: Id, end: Id) -> Id {
    from.saturating_sub((end - from).saturating_mul(3).saturating_add(8))
}

/// Whether the events from `from` on alone contradict each other.
fn is_contradictory(
    index: &Index<'_>,
    bounds: &[Id],
    from: Id,
    reading: Reading<'_>,
    effort: &Effort,
) -> Result<bool, Stop> {
    let window = Window::new(index, bounds, from, reading, effort);
    match window.and_then(|window| Closure::new(&window.problem, effort).map(|_| ())) {
        Ok(()) => Ok(false),
        Err(Failure::Cycle) => Ok(true),
        Err(Failure::Stopped(stop)) => Err(stop),
    }
}
