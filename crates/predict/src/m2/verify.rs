//! Every witness passes an independent replayer before its race is reported.
//!
//! [`trace::replay`] follows a whole witness. In large traces most witnesses have millions of events, and following each would
//! take longer than finding them:
//! - Those that keep the trace's order up to the pair are judged up to 512 at a time in one pass ([`trace::replay_many`]).
//! - Others are followed whole if all of them together are short. Otherwise: they differ from the trace only in their last
//!   part. The replayer gets what is left of the trace after the common
//!   beginning: the events from that point on, behind a *summary* of the beginning: for each variable that the rest
//!   accesses its last write, each lock still held its acquire, each thread that stands at a barrier its arrival. The
//!   witness is the summary and then its own rest. The beginning itself is the trace's, so it needs no judge. What was
//!   judged is then the witness with the whole beginning; without the events that it does not need it is given out only
//!   after a replay in full ([`super::answer`]).
//!
//! Guarantee: what is accepted is a correct reordering that ends in the pair (P4 section 2).

use std::time::Instant;

use rustc_hash::{FxHashMap, FxHashSet};
use trace::replay::Replayer;
use trace::replay_many::{self, InOrder};
use trace::{Counts, Event, EventId, LockId, Op, Trace, VarId};

use crate::pace::is_over;

use super::bits::{Id, NONE};
use super::search::{Found, in_parallel};
use super::window::lengths;

/// Up to this many events (or twice the trace) are replayed in full.
const MOST_IN_FULL: u64 = 200_000;
/// Fewer witnesses in the trace's order than that are replayed one by one.
const FEW: usize = 8;

/// What the replayer says of a witness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replayed {
    /// It is a correct reordering that ends in the pair.
    Accepted,
    /// It is not.
    Rejected,
    /// The deadline passed before it was replayed.
    NotReached,
}

impl Replayed {
    fn from(is_accepted: bool) -> Self {
        if is_accepted { Replayed::Accepted } else { Replayed::Rejected }
    }
}

/// Which of the races have a witness that the replayer accepts, and whether all that change the trace's order were followed in full.
pub fn replay(
    trace: &Trace,
    counts: Counts,
    races: &[&Found],
    jobs: usize,
    deadline: Option<Instant>,
) -> (Vec<Replayed>, bool) {
    let (in_order, others): (Vec<&Found>, Vec<&Found>) =
        races.iter().partition(|race| race.witness.is_in_order());
    let mut in_order = match in_order.len() {
        ..FEW => in_full(trace, &in_order, jobs, deadline),
        _ => all_in_order(trace, counts, &in_order, jobs, deadline),
    }
    .into_iter();
    let total: u64 = lengths(trace, others.iter().map(|race| &race.witness)).iter().sum();
    let is_short = total <= MOST_IN_FULL.max(2 * trace.len() as u64);
    let mut others = match is_short {
        true => in_full(trace, &others, jobs, deadline),
        false => behind_summaries(trace, counts, &others, jobs, deadline),
    }
    .into_iter();
    let replayed = races.iter().map(|race| {
        let list = if race.witness.is_in_order() { &mut in_order } else { &mut others };
        list.next().unwrap_or(Replayed::NotReached)
    });
    (replayed.collect(), is_short)
}

/// Judges witnesses that keep the trace's order, many in one pass.
pub fn all_in_order(
    trace: &Trace,
    counts: Counts,
    races: &[&Found],
    jobs: usize,
    deadline: Option<Instant>,
) -> Vec<Replayed> {
    let groups: Vec<&[&Found]> = races.chunks(replay_many::AT_ONCE).collect();
    let judged = in_parallel(jobs, groups.len(), |group| {
        let witnesses: Vec<InOrder<'_>> = groups[group]
            .iter()
            .map(|race| InOrder {
                bounds: &race.witness.bounds,
                pair: (EventId(race.first), EventId(race.second)),
            })
            .collect();
        replay_many::check(trace, counts, &witnesses, &|| !is_over(deadline))
    });
    let results = judged.into_iter().zip(&groups).flat_map(|(judged, group)| match judged {
        Some(accepted) => accepted.into_iter().map(Replayed::from).collect(),
        None => vec![Replayed::NotReached; group.len()],
    });
    results.collect()
}

/// Replays whole witnesses.
fn in_full(trace: &Trace, races: &[&Found], jobs: usize, deadline: Option<Instant>) -> Vec<Replayed> {
    if races.is_empty() {
        return Vec::new();
    }
    let replayer = Replayer::new(trace);
    in_parallel(jobs, races.len(), |number| {
        if is_over(deadline) {
            return Replayed::NotReached;
        }
        let race = &races[number];
        let events: Vec<EventId> = race.witness.events(trace).map(EventId).collect();
        Replayed::from(replayer.check(&events, (EventId(race.first), EventId(race.second))).is_ok())
    })
}

/// Replays what follows the beginnings that are the trace's own; each worker goes through the trace once.
pub fn behind_summaries(
    trace: &Trace,
    counts: Counts,
    races: &[&Found],
    jobs: usize,
    deadline: Option<Instant>,
) -> Vec<Replayed> {
    let mut order: Vec<usize> = (0..races.len()).collect();
    order.sort_unstable_by_key(|&number| races[number].witness.from);
    let parts: Vec<&[usize]> = order.chunks(races.len().div_ceil(jobs.max(1)).max(1)).collect();
    let judged = in_parallel(jobs, parts.len(), |part| {
        let mut state = State::new(trace, counts);
        let mut judged = Vec::new();
        for &number in parts[part] {
            if !state.advance(races[number].witness.from, deadline) {
                break;
            }
            judged.push((number, Replayed::from(state.accepts(races[number]))));
        }
        judged
    });
    let mut replayed = vec![Replayed::NotReached; races.len()];
    for (number, result) in judged.into_iter().flatten() {
        replayed[number] = result;
    }
    replayed
}

/// Where the trace stands after some of its events.
struct State<'t> {
    trace: &'t Trace,
    /// How many events have happened.
    at: Id,
    /// By variable: the last write.
    writes: Vec<Id>,
    /// By lock: the acquire of who holds it.
    holders: Vec<Id>,
    /// By thread: the barrier event that was its last event.
    arrivals: Vec<Id>,
}

impl<'t> State<'t> {
    fn new(trace: &'t Trace, counts: Counts) -> Self {
        State {
            trace,
            at: 0,
            writes: vec![NONE; counts.variables],
            holders: vec![NONE; counts.locks],
            arrivals: vec![NONE; counts.threads],
        }
    }

    /// Goes on to an event, unless the deadline passes.
    fn advance(&mut self, to: Id, deadline: Option<Instant>) -> bool {
        for id in self.at..to {
            if id % (1 << 20) == 0 && is_over(deadline) {
                return false;
            }
            let event = &self.trace.events[id as usize];
            self.arrivals[event.thread.index()] = NONE;
            match event.op {
                Op::Write(variable) | Op::AtomicWrite(variable) => self.writes[variable.index()] = id,
                Op::Acquire(lock) => self.holders[lock.index()] = id,
                Op::Release(lock) => self.holders[lock.index()] = NONE,
                Op::Barrier(_) => self.arrivals[event.thread.index()] = id,
                _ => {}
            }
        }
        self.at = self.at.max(to);
        !is_over(deadline)
    }

    /// The events that stand for the beginning, in the trace's order.
    fn summary(&self, rest: &[Id]) -> Vec<Id> {
        let variables: FxHashSet<usize> = rest
            .iter()
            .filter_map(|&id| self.trace.events[id as usize].op.variable())
            .map(VarId::index)
            .collect();
        let writes = variables.into_iter().map(|variable| self.writes[variable]);
        let all = writes.chain(self.holders.iter().copied()).chain(self.arrivals.iter().copied());
        let mut summary: Vec<Id> = all.filter(|&id| id != NONE).collect();
        summary.sort_unstable();
        summary
    }

    fn accepts(&self, race: &Found) -> bool {
        let rest = &race.witness.rest;
        let summary = self.summary(rest);
        let end = rest.iter().copied().max().map_or(self.at, |last| last + 1);
        let mut names = Renumbering::default();
        let kept = summary.iter().copied().chain(self.at..end);
        let events: Vec<Event> = kept.map(|id| names.event(self.trace.events[id as usize])).collect();
        let length = summary.len() as Id;
        let place = |id: Id| (id >= self.at).then(|| EventId(id - self.at + length));
        let own: Option<Vec<EventId>> = rest.iter().map(|&id| place(id)).collect();
        let (Some(own), Some(first), Some(second)) = (own, place(race.first), place(race.second)) else {
            return false;
        };
        let witness: Vec<EventId> = (0..length).map(EventId).chain(own).collect();
        let shorter = Trace { events, ..Trace::default() };
        trace::replay::check(&shorter, &witness, (first, second)).is_ok()
    }
}

/// Variables and locks under numbers from 0, so that a short trace has small tables.
#[derive(Default)]
struct Renumbering {
    variables: FxHashMap<VarId, VarId>,
    locks: FxHashMap<LockId, LockId>,
}

impl Renumbering {
    fn event(&mut self, mut event: Event) -> Event {
        match &mut event.op {
            Op::Read(v) | Op::Write(v) | Op::AtomicRead(v) | Op::AtomicWrite(v) => {
                let next = VarId(self.variables.len() as u32);
                *v = *self.variables.entry(*v).or_insert(next);
            }
            Op::Acquire(l) | Op::Release(l) | Op::AcquireAgain(l) | Op::ReleaseInner(l) => self.lock(l),
            Op::Barrier(l) | Op::Notify(l) | Op::Wait(l) => self.lock(l),
            Op::Fork(_) | Op::Join(_) | Op::Begin | Op::End => {}
        }
        event
    }

    fn lock(&mut self, lock: &mut LockId) {
        let next = LockId(self.locks.len() as u32);
        *lock = *self.locks.entry(*lock).or_insert(next);
    }
}
