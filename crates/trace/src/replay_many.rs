//! The judge of many witnesses at once, if they keep the order of the trace: one pass for 64 of them.
//!
//! The rules are those of [`crate::replay`]. A witness that, apart from the pair at its end, has its events in the trace's
//! order is known by how far each thread gets. Going through the trace once, for each thread the witnesses are known (as
//! bits of a number) in which it still runs; with what they write, hold, fork and notify goes for which witnesses that
//! happened. So every rule is one operation on such numbers: a read needs the last write of the trace in every witness
//! that has the read; an acquired lock must be held in none of them; and so on.
//!
//! Shares nothing with the analyses whose witnesses it judges. That it agrees with [`crate::replay`] is tested.

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

/// A witness for each bit.
type Set = u64;

/// How many witnesses one pass judges.
pub const AT_ONCE: usize = Set::BITS as usize;

/// Which of these witnesses (at most [`AT_ONCE`]) are correct reorderings that end in a race. `None` if `goes_on`, which is
/// asked now and then, says no.
pub fn check(
    trace: &Trace,
    counts: Counts,
    witnesses: &[InOrder<'_>],
    goes_on: &dyn Fn() -> bool,
) -> Option<Vec<bool>> {
    const OFTEN: usize = 1 << 16;
    let mut pass = Pass::new(trace, counts, &witnesses[..witnesses.len().min(AT_ONCE)]);
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
struct Thread {
    /// Where witnesses stop, as (bound, witness), the next one last.
    stops: Vec<(u32, u32)>,
    /// The number of the next stop.
    next_stop: u32,
    /// The witnesses in which it still runs.
    runs: Set,
    /// Those in which its last event took part.
    before: Set,
    /// Those in which it has been forked; all if it has not been in the trace.
    forked: Set,
    /// The barrier round at which it stands.
    stands: Option<usize>,
}

struct Pass {
    threads: Vec<Thread>,
    /// By variable: the witnesses that have its last write.
    written: Vec<Set>,
    /// By lock: those in which it is held; those that have all notifications so far.
    held: Vec<Set>,
    notified: Vec<Set>,
    /// Barrier rounds: those that have all its events. The round that takes participants, by barrier.
    rounds: Vec<Set>,
    open: FxHashMap<LockId, usize>,
    /// The pairs' events, sorted; the next one.
    ends: Vec<(u32, u32)>,
    next_end: usize,
    wrong: Set,
    /// How many of a pair's events were found enabled.
    enabled: Vec<u32>,
}

impl Pass {
    fn new(trace: &Trace, counts: Counts, witnesses: &[InOrder<'_>]) -> Pass {
        let all: Set = if witnesses.len() == AT_ONCE { Set::MAX } else { (1 << witnesses.len()) - 1 };
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
        let mut wrong = 0;
        let mut ends = Vec::with_capacity(2 * witnesses.len());
        for (w, k) in witnesses.iter().zip(0..) {
            let (a, b) = w.pair;
            let event = |id: EventId| trace.events.get(id.index());
            if !matches!((event(a), event(b)), (Some(x), Some(y)) if x.conflicts(y)) {
                wrong |= 1 << k;
            }
            ends.extend([(a.0, k), (b.0, k)]);
        }
        ends.sort_unstable();
        Pass {
            threads,
            written: vec![all; counts.variables],
            held: vec![0; counts.locks],
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
            wrong |= runs & self.left(round);
        }
        match e.op {
            Op::Read(v) | Op::AtomicRead(v) => wrong |= runs & !self.written[v.index()],
            Op::Write(v) | Op::AtomicWrite(v) => self.written[v.index()] = runs,
            Op::Acquire(l) => {
                wrong |= runs & self.held[l.index()];
                self.held[l.index()] |= runs;
            }
            Op::Release(l) => self.held[l.index()] &= !runs,
            _ => wrong |= self.other(e, runs),
        }
        self.wrong |= wrong;
        if self.ends.get(self.next_end).is_some_and(|end| end.0 == id) {
            self.ends_here(id, e, before & !runs, stands);
        }
    }

    /// What fewer events are; says for which of the witnesses it is wrong.
    fn other(&mut self, e: &Event, runs: Set) -> Set {
        match e.op {
            Op::Fork(child) => {
                self.threads[child.index()].forked = runs;
                0
            }
            Op::Join(child) => {
                let child = &mut self.threads[child.index()];
                let (missing, stands) = (!child.before | !child.forked, child.stands.take());
                runs & (missing | stands.map_or(0, |round| self.left(round)))
            }
            Op::Barrier(b) => {
                let round = *self.open.entry(b).or_insert(self.rounds.len());
                if round == self.rounds.len() {
                    self.rounds.push(Set::MAX);
                }
                self.rounds[round] &= runs;
                self.threads[e.thread.index()].stands = Some(round);
                0
            }
            Op::Notify(c) => {
                self.notified[c.index()] &= runs;
                0
            }
            Op::Wait(c) => runs & !self.notified[c.index()],
            _ => 0,
        }
    }

    /// Nobody comes to a round any more. The witnesses that lack some of its events.
    fn left(&mut self, round: usize) -> Set {
        self.open.retain(|_, open| *open != round);
        !self.rounds[round]
    }

    /// An event of pairs: in their witnesses it must be its thread's next event (`next`), after the thread's fork and, if
    /// the thread stands at a barrier, after the round.
    #[cold]
    fn ends_here(&mut self, id: u32, e: &Event, next: Set, stands: Option<usize>) {
        let round = stands.map_or(Set::MAX, |round| self.rounds[round]);
        let possible = next & self.threads[e.thread.index()].forked & round;
        while let Some(&(_, k)) = self.ends.get(self.next_end).filter(|end| end.0 == id) {
            self.enabled[k as usize] += u32::from(possible >> k & 1 == 1);
            self.next_end += 1;
        }
    }

    fn accepts(&self, k: usize) -> bool {
        self.wrong >> k & 1 == 0 && self.enabled[k] == 2
    }
}

impl Thread {
    #[cold]
    fn stop(&mut self, id: u32) {
        while let Some(&(_, k)) = self.stops.last().filter(|stop| stop.0 <= id) {
            self.runs &= !(1 << k);
            self.stops.pop();
        }
        self.next_stop = self.stops.last().map_or(u32::MAX, |stop| stop.0);
    }
}
