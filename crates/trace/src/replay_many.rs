//! The judge of many witnesses at once, if they keep the order of the trace: one pass for 64 or 512 of them.
//!
//! The rules are those of [`crate::replay`]. A witness that, apart from the pair at its end, has its events in the trace's
//! order is known by how far each thread gets. Going through the trace once, for each thread the witnesses are known (as
//! bits of a number) in which it still runs; with what they write, hold, fork and notify goes for which witnesses that
//! happened. So every rule is one operation on such numbers: a read needs the last write of the trace in every witness
//! that has the read; an acquired lock must be held in none of them; and so on.
//!
//! Shares nothing with the analyses whose witnesses it judges. That it agrees with [`crate::replay`] is tested.

use std::ops::{BitAnd, BitOr, Not};

use rustc_hash::FxHashMap;

use crate::event::{Counts, Event, EventId, LockId, Op, Trace};

/// A witness that keeps the trace's order: each thread's events below its bound, then the pair.
#[derive(Debug, Clone, Copy)]
pub struct InOrder<'a> {
    /// By thread: its events below this number (from 0, in the whole trace) come before the pair.
    pub bounds: &'a [u32],
    /// The pair.
    pub pair: (EventId, EventId),
}

/// Some of the witnesses of a pass: a bit for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Set<const W: usize>([u64; W]);

impl<const W: usize> Set<W> {
    const NONE: Set<W> = Set([0; W]);
    const MAX: Set<W> = Set([u64::MAX; W]);

    /// The first so many.
    fn first(count: usize) -> Set<W> {
        let mut set = Set::NONE;
        (0..count).for_each(|k| set.insert(k));
        set
    }

    fn insert(&mut self, k: usize) {
        self.0[k / 64] |= 1 << (k % 64);
    }

    fn remove(&mut self, k: usize) {
        self.0[k / 64] &= !(1 << (k % 64));
    }

    fn has(&self, k: usize) -> bool {
        self.0[k / 64] >> (k % 64) & 1 == 1
    }
}

impl<const W: usize> BitAnd for Set<W> {
    type Output = Set<W>;

    #[inline]
    fn bitand(self, other: Set<W>) -> Set<W> {
        Set(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl<const W: usize> BitOr for Set<W> {
    type Output = Set<W>;

    #[inline]
    fn bitor(self, other: Set<W>) -> Set<W> {
        Set(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl<const W: usize> Not for Set<W> {
    type Output = Set<W>;

    #[inline]
    fn not(self) -> Set<W> {
        Set(self.0.map(|bits| !bits))
    }
}

/// How many witnesses one pass judges.
pub const AT_ONCE: usize = 512;

/// Which of these witnesses (at most [`AT_ONCE`]) are correct reorderings that end in a race. `None` if `goes_on`, which is
/// asked now and then, says no.
pub fn check(
    trace: &Trace,
    counts: Counts,
    witnesses: &[InOrder<'_>],
    goes_on: &dyn Fn() -> bool,
) -> Option<Vec<bool>> {
    match witnesses.len() {
        ..=64 => check_wide::<1>(trace, counts, witnesses, goes_on),
        _ => check_wide::<8>(trace, counts, witnesses, goes_on),
    }
}

fn check_wide<const W: usize>(
    trace: &Trace,
    counts: Counts,
    witnesses: &[InOrder<'_>],
    goes_on: &dyn Fn() -> bool,
) -> Option<Vec<bool>> {
    const OFTEN: usize = 1 << 16;
    let mut pass = Pass::<W>::new(trace, counts, &witnesses[..witnesses.len().min(AT_ONCE)]);
    let end = last(witnesses).min(trace.len());
    for (number, events) in trace.events[..end].chunks(OFTEN).enumerate() {
        if !goes_on() {
            return None;
        }
        for (i, e) in events.iter().enumerate() {
            pass.event((number * OFTEN + i) as u32, e);
        }
    }
    Some((0..witnesses.len()).map(|k| k < AT_ONCE && pass.accepts(k)).collect())
}

/// One past the last event that matters.
fn last(witnesses: &[InOrder<'_>]) -> usize {
    let bounds = witnesses.iter().flat_map(|w| w.bounds.iter().copied());
    let pairs = witnesses.iter().flat_map(|w| [w.pair.0.0, w.pair.1.0].map(|id| id.saturating_add(1)));
    bounds.chain(pairs).max().unwrap_or(0) as usize
}

/// What is known of a thread.
#[derive(Debug, Clone)]
struct Thread<const W: usize> {
    /// Where witnesses stop, as (bound, witness), the next one last.
    stops: Vec<(u32, u32)>,
    /// The number of the next stop.
    next_stop: u32,
    /// The witnesses in which it still runs.
    runs: Set<W>,
    /// Those in which its last event took part.
    before: Set<W>,
    /// Those in which it has been forked; all if it has not been in the trace.
    forked: Set<W>,
    /// The barrier round at which it stands.
    stands: Option<usize>,
}

struct Pass<const W: usize> {
    threads: Vec<Thread<W>>,
    /// By variable: the witnesses that have its last write.
    written: Vec<Set<W>>,
    /// By lock: those in which it is held; those that have all notifications so far.
    held: Vec<Set<W>>,
    notified: Vec<Set<W>>,
    /// Barrier rounds: those that have all its events. The round that takes participants, by barrier.
    rounds: Vec<Set<W>>,
    open: FxHashMap<LockId, usize>,
    /// The pairs' events, sorted; the next one.
    ends: Vec<(u32, u32)>,
    next_end: usize,
    wrong: Set<W>,
    /// How many of a pair's events were found enabled.
    enabled: Vec<u32>,
}

impl<const W: usize> Pass<W> {
    fn new(trace: &Trace, counts: Counts, witnesses: &[InOrder<'_>]) -> Pass<W> {
        let all: Set<W> = Set::first(witnesses.len());
        // The rules of a run put a fork before its thread's first event.
        let threads = (0..counts.threads)
            .map(|thread| {
                let stops = witnesses.iter().zip(0..);
                let mut stops: Vec<(u32, u32)> =
                    stops.map(|(w, k)| (w.bounds.get(thread).copied().unwrap_or(0), k)).collect();
                stops.sort_unstable_by(|a, b| b.cmp(a));
                let next_stop = stops.last().map_or(u32::MAX, |stop| stop.0);
                Thread { stops, next_stop, runs: all, before: all, forked: all, stands: None }
            })
            .collect();
        let mut wrong = Set::NONE;
        let mut ends = Vec::with_capacity(2 * witnesses.len());
        for (w, k) in witnesses.iter().zip(0..) {
            let (a, b) = w.pair;
            let event = |id: EventId| trace.events.get(id.index());
            if !matches!((event(a), event(b)), (Some(x), Some(y)) if x.conflicts(y)) {
                wrong.insert(k as usize);
            }
            ends.extend([(a.0, k), (b.0, k)]);
        }
        ends.sort_unstable();
        Pass {
            threads,
            written: vec![all; counts.variables],
            held: vec![Set::NONE; counts.locks],
            notified: vec![all; counts.locks],
            rounds: Vec::new(),
            open: FxHashMap::default(),
            ends,
            next_end: 0,
            wrong,
            enabled: vec![0; witnesses.len()],
        }
    }

    #[inline]
    fn event(&mut self, id: u32, e: &Event) {
        let thread = &mut self.threads[e.thread.index()];
        if thread.next_stop <= id {
            thread.stop(id);
        }
        let (runs, before) = (thread.runs, thread.before);
        let mut wrong = runs & !thread.forked;
        let stands = thread.stands.take();
        thread.before = runs;
        if let Some(round) = stands {
            wrong = wrong | runs & self.left(round);
        }
        match e.op {
            Op::Read(v) | Op::AtomicRead(v) => wrong = wrong | runs & !self.written[v.index()],
            Op::Write(v) | Op::AtomicWrite(v) => self.written[v.index()] = runs,
            Op::Acquire(l) => {
                wrong = wrong | runs & self.held[l.index()];
                self.held[l.index()] = self.held[l.index()] | runs;
            }
            Op::Release(l) => self.held[l.index()] = self.held[l.index()] & !runs,
            _ => wrong = wrong | self.other(e, runs),
        }
        self.wrong = self.wrong | wrong;
        if self.ends.get(self.next_end).is_some_and(|end| end.0 == id) {
            self.ends_here(id, e, before & !runs, stands);
        }
    }

    /// What fewer events are; says for which of the witnesses it is wrong.
    fn other(&mut self, e: &Event, runs: Set<W>) -> Set<W> {
        match e.op {
            Op::Fork(child) => {
                self.threads[child.index()].forked = runs;
                Set::NONE
            }
            Op::Join(child) => {
                let child = &mut self.threads[child.index()];
                let (missing, stands) = (!child.before | !child.forked, child.stands.take());
                runs & (missing | stands.map_or(Set::NONE, |round| self.left(round)))
            }
            Op::Barrier(b) => {
                let round = *self.open.entry(b).or_insert(self.rounds.len());
                if round == self.rounds.len() {
                    self.rounds.push(Set::MAX);
                }
                self.rounds[round] = self.rounds[round] & runs;
                self.threads[e.thread.index()].stands = Some(round);
                Set::NONE
            }
            Op::Notify(c) => {
                self.notified[c.index()] = self.notified[c.index()] & runs;
                Set::NONE
            }
            Op::Wait(c) => runs & !self.notified[c.index()],
            _ => Set::NONE,
        }
    }

    /// Nobody comes to a round any more. The witnesses that lack some of its events.
    fn left(&mut self, round: usize) -> Set<W> {
        self.open.retain(|_, open| *open != round);
        !self.rounds[round]
    }

    /// An event of pairs: in their witnesses it must be its thread's next event (`next`), after the thread's fork and, if
    /// the thread stands at a barrier, after the round.
    #[cold]
    fn ends_here(&mut self, id: u32, e: &Event, next: Set<W>, stands: Option<usize>) {
        let round = stands.map_or(Set::MAX, |round| self.rounds[round]);
        let possible = next & self.threads[e.thread.index()].forked & round;
        while let Some(&(_, k)) = self.ends.get(self.next_end).filter(|end| end.0 == id) {
            self.enabled[k as usize] += u32::from(possible.has(k as usize));
            self.next_end += 1;
        }
    }

    fn accepts(&self, k: usize) -> bool {
        !self.wrong.has(k) && self.enabled[k] == 2
    }
}

impl<const W: usize> Thread<W> {
    #[cold]
    fn stop(&mut self, id: u32) {
        while let Some(&(_, k)) = self.stops.last().filter(|stop| stop.0 <= id) {
            self.runs.remove(k as usize);
            self.stops.pop();
        }
        self.next_stop = self.stops.last().map_or(u32::MAX, |stop| stop.0);
    }
}
