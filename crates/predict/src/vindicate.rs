//! DC with vindication: the races of DC for which a witness is found.
//!
//! Roemer, Genç, Bond, PLDI 2018, section 5 ("VindicateRace"); P4 section 1.1 calls the steps phases 2 and 3.
//!
//! For a pair that DC ([`crate::dc`]) leaves unordered, a *constraint graph* over the events that must come before the
//! pair: program order, fork, join and the like, DC's orders, and for each read the write that it observes before it.
//! To it *lock constraints* are added until nothing changes: if one section's acquire comes before another's release,
//! then its release comes before the other's acquire; a section that stays open comes after all others of its lock; of
//! two that stay open, one whose thread is not of the pair is closed. If the pair itself gets among the events that come
//! before it, or a cycle arises, there is no witness by this way. Otherwise the events are lined up, always the
//! one that is earliest in the trace among those whose predecessors are done and whose lock is free. Before all that, the
//! events are tried in the order of the trace.
//!
//! Deviations: the paper builds the sequence from its end backwards; the observation constraints are not in the
//! paper (P4 demands observations of witnesses, the paper's program model too, but gets them from DC where it can). A
//! witness counts only when [`trace::replay`] accepts it, so nothing rests on the construction.
//!
//! [`witnesses`] does the same for pairs that another analysis leaves open.
//!
//! Guarantee: every race is predictable and has a witness. Pairs of DC that were not vindicated are undecided, with the
//! reason. Of each pair of locations up to eight event pairs are tried. Time: for each try the events before the pair
//! times rounds of the constraints.

use std::cell::RefCell;
use std::time::Instant;

use rustc_hash::{FxHashMap, FxHashSet};
use trace::replay::Replayer;
use trace::{EventId, LocId, Op, Trace, order};

use crate::dc::Dc;
use crate::pace::{Effort, Feeder, Stop, is_over};
use crate::{Answer, Options, Pairs, RacePair, Undecided};

/// How many event pairs of a pair of locations are tried.
const TRIES: u32 = 8;

/// Runs DC over the trace and vindicates its races.
pub fn analyse(trace: &Trace, options: &Options) -> Answer {
    let deadline = options.deadline();
    let mut dc = Dc::with_edges(options, TRIES);
    let stopped = !Feeder::new(deadline).feed(&mut dc, EventId(0), &trace.events);
    let (candidates, edges) = dc.finish_with_edges();
    let mut answer = Answer { stopped, ..Answer::default() };
    if candidates.races.is_empty() || is_over(deadline) {
        answer.stopped |= !candidates.races.is_empty();
        answer.undecided = all_late(candidates.races, options);
        return answer;
    }
    let graph = Graph::new(trace, &edges, Effort::unlimited(deadline));
    let replayer = Replayer::new(trace);
    let mut done: FxHashSet<(LocId, LocId)> = FxHashSet::default();
    let mut failed: FxHashMap<(LocId, LocId), Undecided> = FxHashMap::default();
    for race in candidates.races {
        let [a, b] = race.accesses.map(|e| e.location);
        let key = (a.min(b), a.max(b));
        let by_locations = options.pairs == Pairs::Locations;
        if by_locations && done.contains(&key) {
            continue;
        }
        let pair = [race.first, race.second];
        let tried = if is_over(deadline) { Err(LATE) } else { graph.vindicate(pair, &replayer) };
        answer.stopped |= tried == Err(LATE);
        match tried {
            Ok(witness) => {
                done.insert(key);
                failed.remove(&key);
                let witness_length = Some(witness.len() as u64);
                answer.races.push(RacePair { count: 1, witness: Some(witness), witness_length, ..race });
            }
            Err(reason) => {
                let RacePair { first, second, variable, .. } = race;
                let open = Undecided { first, second, variable, reason: reason.into() };
                if by_locations {
                    failed.entry(key).or_insert(open);
                } else {
                    answer.undecided.push(open);
                }
            }
        }
    }
    answer.limit_witnesses(options.room_for_witnesses());
    answer.event_pairs = answer.races.len() as u64;
    answer.undecided.extend(failed.into_values());
    answer.undecided.sort_unstable_by_key(|u| (u.second, u.first));
    answer.racy_variables = answer.races.iter().map(|r| r.variable).collect();
    answer.racy_variables.sort_unstable();
    answer.racy_variables.dedup();
    answer
}

/// Looks for witnesses of pairs that another analysis has left open, in their order, until the effort ends: first with DC's
/// orders, then without them (the lock constraints alone decide then).
pub(crate) fn witnesses(
    trace: &Trace,
    pairs: &[[EventId; 2]],
    effort: u64,
    deadline: Option<Instant>,
) -> Vec<Option<Vec<EventId>>> {
    let mut found = vec![None; pairs.len()];
    let mut dc = Dc::with_edges(&Options::default(), 0);
    if !Feeder::new(deadline).feed(&mut dc, EventId(0), &trace.events) {
        return found;
    }
    let (_, edges) = dc.finish_with_edges();
    let replayer = Replayer::new(trace);
    for edges in [&edges[..], &[]] {
        let graph = Graph::new(trace, edges, Effort::new(effort / 2, deadline));
        for (&pair, found) in pairs.iter().zip(&mut found).filter(|(_, found)| found.is_none()) {
            match graph.vindicate(pair, &replayer) {
                Ok(witness) => *found = Some(witness),
                Err(LATE) => break,
                Err(_) => {}
            }
        }
    }
    found
}

/// Why a pair is undecided that there was no time for.
const LATE: &str = "time limit";

/// The effort has ended, by the clock or by its steps.
fn late(_: Stop) -> &'static str {
    LATE
}

/// DC's races, if there is no time to vindicate any: once for each pair of locations, or all.
fn all_late(races: Vec<RacePair>, options: &Options) -> Vec<Undecided> {
    let mut seen = FxHashSet::default();
    let mut is_new = |race: &RacePair| {
        let [a, b] = race.accesses.map(|e| e.location);
        options.pairs == Pairs::Events || seen.insert((a.min(b), a.max(b)))
    };
    let open = races.into_iter().filter(|race| is_new(race));
    open.map(|RacePair { first, second, variable, .. }| Undecided {
        first,
        second,
        variable,
        reason: LATE.into(),
    })
    .collect()
}

const NONE: u32 = u32::MAX;

/// A critical section.
#[derive(Debug, Clone, Copy)]
struct Section {
    lock: u32,
    acquire: u32,
    /// `NONE` if the trace has none.
    release: u32,
}

/// What is the same for all pairs.
struct Graph<'a> {
    trace: &'a Trace,
    /// Each thread's events.
    threads: Vec<Vec<EventId>>,
    /// An event's place in its thread.
    place: Vec<u32>,
    /// The events of other threads that must come before an event: `before[starts[e]..starts[e + 1]]`.
    before: Vec<u32>,
    starts: Vec<u32>,
    /// Of a read, its place in `before`, to leave it out if the read is of the pair.
    observed: FxHashMap<u32, u32>,
    /// Whether an event comes before one of another thread, or is an acquire or release: its clock is kept.
    marked: Vec<bool>,
    /// By thread, in order.
    sections: Vec<Vec<Section>>,
    locks: usize,
    /// What all pairs together may cost.
    effort: Effort,
}

/// The events before a pair, with the constraints found for it. They are a prefix of each thread's events.
struct Try<'g> {
    graph: &'g Graph<'g>,
    pair: [u32; 2],
    /// How many events of each thread are included, and of how many the predecessors are too.
    upto: Vec<u32>,
    seen: Vec<u32>,
    /// Lock constraints: after, before.
    added: FxHashMap<u32, Vec<u32>>,
    /// Events that come before others by lock constraints.
    sources: FxHashSet<u32>,
}

/// How many events of each thread come before an event or are it, for the marked events of a sorted try.
struct Clocks {
    width: usize,
    rows: Vec<u32>,
    row_of: FxHashMap<u32, u32>,
}

impl Clocks {
    fn row(&self, event: u32) -> &[u32] {
        let at = self.row_of.get(&event).map_or(0, |&r| r as usize * self.width);
        &self.rows[at..at + self.width]
    }

    fn keep(&mut self, event: u32, clock: &[u32]) {
        self.row_of.insert(event, (self.rows.len() / self.width) as u32);
        self.rows.extend_from_slice(clock);
    }
}

impl<'a> Graph<'a> {
    fn new(trace: &'a Trace, dc: &[(EventId, EventId)], effort: Effort) -> Graph<'a> {
        let threads = trace.by_thread();
        let mut place = vec![0; trace.len()];
        for list in &threads {
            list.iter().enumerate().for_each(|(i, id)| place[id.index()] = i as u32);
        }
        let observations = trace.observations();
        let thread = |id: EventId| trace.event(id).thread;
        let observing = trace.iter().filter_map(|(r, _)| Some((observations[r.index()]?, r)));
        let observing: Vec<_> = observing.filter(|&(w, r)| thread(w) != thread(r)).collect();
        let mut edges: Vec<(u32, u32, bool)> = dc.iter().map(|&(from, to)| (to.0, from.0, false)).collect();
        edges.extend(order::must_edges(trace).into_iter().map(|(from, to)| (to.0, from.0, false)));
        edges.extend(observing.into_iter().map(|(w, r)| (r.0, w.0, true)));
        edges.sort_unstable();
        let mut starts = vec![0; trace.len() + 1];
        let mut marked = vec![false; trace.len()];
        let mut observed = FxHashMap::default();
        for (i, &(after, before, observes)) in edges.iter().enumerate() {
            starts[after as usize + 1] += 1;
            marked[before as usize] = true;
            if observes {
                observed.insert(after, i as u32);
            }
        }
        for i in 0..trace.len() {
            starts[i + 1] += starts[i];
        }
        let matches = trace.matches();
        let mut sections = vec![Vec::new(); threads.len()];
        for (id, e) in trace.iter() {
            if let Op::Acquire(l) = e.op {
                let release = matches[id.index()].map_or(NONE, |r| r.0);
                sections[e.thread.index()].push(Section { lock: l.0, acquire: id.0, release });
            }
            marked[id.index()] |= matches!(e.op, Op::Acquire(_) | Op::Release(_));
        }
        let before = edges.into_iter().map(|e| e.1).collect();
        Graph {
            trace,
            place,
            before,
            starts,
            observed,
            marked,
            sections,
            locks: trace.counts().locks,
            threads,
            effort,
        }
    }

    fn vindicate(
        &self,
        [first, second]: [EventId; 2],
        replayer: &Replayer<'_>,
    ) -> Result<Vec<EventId>, &'static str> {
        let mut attempt = Try {
            graph: self,
            pair: [first.0, second.0],
            upto: vec![0; self.threads.len()],
            seen: vec![0; self.threads.len()],
            added: FxHashMap::default(),
            sources: FxHashSet::default(),
        };
        attempt.include_before_pair()?;
        // Most often the trace's own order will do (P4, lemma 5.1).
        let mut line = attempt.in_trace_order();
        line.extend([first, second]);
        self.effort.spend(line.len() as u64).map_err(late)?;
        if replayer.check(&line, (first, second)).is_ok() {
            return Ok(line);
        }
        loop {
            let clocks = attempt.sort()?;
            if !attempt.add_lock_constraints(&clocks)? {
                break;
            }
        }
        let mut line = attempt.line_up()?;
        line.extend([first, second]);
        match replayer.check(&line, (first, second)) {
            Ok(()) => Ok(line),
            Err(_) => Err("the reordering found is no witness"),
        }
    }

    fn thread(&self, event: u32) -> usize {
        self.trace.events[event as usize].thread.index()
    }
}

impl Try<'_> {
    /// The events of other threads that must come directly before this one.
    fn predecessors(&self, event: u32) -> impl Iterator<Item = u32> + '_ {
        let g = self.graph;
        let range = g.starts[event as usize]..g.starts[event as usize + 1];
        // What a read of the pair observes does not matter.
        let skip = if self.pair.contains(&event) { g.observed.get(&event).copied() } else { None };
        let fixed = range.filter(move |i| Some(*i) != skip).map(|i| g.before[i as usize]);
        fixed.chain(self.added.get(&event).into_iter().flatten().copied())
    }

    fn includes(&self, event: u32) -> bool {
        event != NONE && self.graph.place[event as usize] < self.upto[self.graph.thread(event)]
    }

    /// Includes an event and those before it in its thread.
    fn include(&mut self, event: u32) {
        let upto = &mut self.upto[self.graph.thread(event)];
        *upto = (*upto).max(self.graph.place[event as usize] + 1);
    }

    fn include_before_pair(&mut self) -> Result<(), &'static str> {
        for event in self.pair {
            let t = self.graph.thread(event);
            self.upto[t] = self.upto[t].max(self.graph.place[event as usize]);
            let before: Vec<u32> = self.predecessors(event).collect();
            before.into_iter().for_each(|b| self.include(b));
        }
        self.close()
    }

    /// Includes all that must come before what is included.
    fn close(&mut self) -> Result<(), &'static str> {
        while let Some(t) = (0..self.upto.len()).find(|&t| self.seen[t] < self.upto[t]) {
            self.graph.effort.spend(1).map_err(late)?;
            let event = self.graph.threads[t][self.seen[t] as usize].0;
            self.seen[t] += 1;
            if self.pair.contains(&event) {
                return Err("the pair must come before itself");
            }
            for i in self.graph.starts[event as usize]..self.graph.starts[event as usize + 1] {
                self.include(self.graph.before[i as usize]);
            }
        }
        Ok(())
    }

    /// The included events as they stand in the trace.
    fn in_trace_order(&self) -> Vec<EventId> {
        let threads = self.graph.threads.iter().zip(&self.upto);
        let mut line: Vec<EventId> = threads.flat_map(|(list, &n)| &list[..n as usize]).copied().collect();
        line.sort_unstable();
        line
    }

    /// Lines up the included events: of the threads' next events the earliest in the trace whose predecessors are done
    /// and that `goes` lets go. Fewer than all if that stops.
    fn schedule(&self, mut goes: impl FnMut(u32) -> bool, mut take: impl FnMut(u32)) -> bool {
        let g = self.graph;
        let mut at = vec![0; self.upto.len()];
        // The threads by their next events.
        let mut next: Vec<(u32, usize)> =
            (0..at.len()).filter(|&t| self.upto[t] > 0).map(|t| (g.threads[t][0].0, t)).collect();
        loop {
            if g.effort.spend(1).is_err() {
                return false;
            }
            next.sort_unstable();
            let ready = |event: u32| self.predecessors(event).all(|b| g.place[b as usize] < at[g.thread(b)]);
            let Some(i) = next.iter().position(|&(event, _)| ready(event) && goes(event)) else {
                return next.is_empty();
            };
            let (_, t) = next[i];
            // This thread's next events need no new choice while they are the earliest and depend on nobody.
            let limit =
                next.iter().enumerate().filter(|(k, _)| *k != i).map(|(_, n)| n.0).min().unwrap_or(NONE);
            loop {
                take(g.threads[t][at[t] as usize].0);
                at[t] += 1;
                if at[t] == self.upto[t] {
                    next.swap_remove(i);
                    break;
                }
                let event = g.threads[t][at[t] as usize].0;
                next[i].0 = event;
                if event > limit || g.marked[event as usize] || self.predecessors(event).next().is_some() {
                    break;
                }
            }
        }
    }

    /// An order that keeps the constraints, locks aside, as the clocks of the marked events.
    fn sort(&self) -> Result<Clocks, &'static str> {
        let g = self.graph;
        let width = g.threads.len();
        let mut clocks = Clocks { width, rows: Vec::new(), row_of: FxHashMap::default() };
        let mut now = vec![vec![0; width]; width];
        let all = self.schedule(
            |_| true,
            |event| {
                let t = g.thread(event);
                for b in self.predecessors(event) {
                    for (mine, &theirs) in now[t].iter_mut().zip(clocks.row(b)) {
                        *mine = theirs.max(*mine);
                    }
                }
                now[t][t] = g.place[event as usize] + 1;
                if g.marked[event as usize] || self.sources.contains(&event) {
                    clocks.keep(event, &now[t]);
                }
            },
        );
        if all { Ok(clocks) } else { Err(self.late_or("the constraint graph has a cycle")) }
    }

    /// Adds the lock constraints that the present ones imply. Whether there were any.
    fn add_lock_constraints(&mut self, clocks: &Clocks) -> Result<bool, &'static str> {
        // The included sections of each lock.
        let mut of_lock: Vec<Vec<Section>> = vec![Vec::new(); self.graph.locks];
        for sections in &self.graph.sections {
            for s in sections.iter().take_while(|s| self.includes(s.acquire)) {
                of_lock[s.lock as usize].push(*s);
            }
        }
        let mut news: Vec<(u32, u32)> = Vec::new();
        let mut close: Vec<u32> = Vec::new();
        for sections in &of_lock {
            self.graph.effort.spend(sections.len() as u64).map_err(late)?;
            self.constrain(sections, clocks, &mut news, &mut close)?;
        }
        let changed = !news.is_empty() || !close.is_empty();
        close.into_iter().for_each(|release| self.include(release));
        for (before, after) in news {
            self.include(before);
            self.sources.insert(before);
            self.added.entry(after).or_default().push(before);
        }
        self.close()?;
        Ok(changed)
    }

    /// The constraints between the sections of one lock, which come by thread and in each thread in order: (before,
    /// after) in `news`, releases to include in `close`.
    fn constrain(
        &self,
        sections: &[Section],
        clocks: &Clocks,
        news: &mut Vec<(u32, u32)>,
        close: &mut Vec<u32>,
    ) -> Result<(), &'static str> {
        let g = self.graph;
        let thread = |s: &Section| g.thread(s.acquire);
        let comes_before = |a: u32, b: u32| clocks.row(b)[g.thread(a)] > g.place[a as usize];
        let by_thread: Vec<&[Section]> = sections.chunk_by(|a, b| thread(a) == thread(b)).collect();
        // The latest section of each thread that begins before another ends must end before that one begins; for
        // earlier ones of the thread that follows by program order.
        for second in sections.iter().filter(|s| self.includes(s.release)) {
            for list in by_thread.iter().filter(|list| thread(&list[0]) != thread(second)) {
                let place = clocks.row(second.release)[thread(&list[0])];
                let begun = list.partition_point(|s| g.place[s.acquire as usize] < place);
                let Some(first) = list[..begun].last() else { continue };
                if first.release == NONE {
                    return Err("a lock that is never released would have to be");
                }
                if !self.includes(first.release) || !comes_before(first.release, second.acquire) {
                    news.push((first.release, second.acquire));
                }
            }
        }
        let open: Vec<&Section> = sections.iter().filter(|s| !self.includes(s.release)).collect();
        for s in &open {
            // Of each other thread the last closed section; the earlier ones follow.
            for list in by_thread.iter().filter(|list| thread(&list[0]) != thread(s)) {
                let closed = list.iter().rev().find(|o| self.includes(o.release));
                if let Some(other) = closed.filter(|o| !comes_before(o.release, s.acquire)) {
                    news.push((other.release, s.acquire));
                }
            }
        }
        if open.len() > 1 {
            let of_pair = |s: &Section| self.pair.iter().any(|&e| g.thread(e) == thread(s));
            let others = open.iter().filter(|s| s.release != NONE && !of_pair(s));
            let before = close.len();
            close.extend(others.map(|s| s.release));
            if close.len() == before {
                return Err("two sections of one lock would both stay open");
            }
        }
        Ok(())
    }

    /// Lines up the events with locks respected.
    fn line_up(&self) -> Result<Vec<EventId>, &'static str> {
        let held = RefCell::new(vec![false; self.graph.locks]);
        let mut line = Vec::new();
        let op = |event: u32| self.graph.trace.events[event as usize].op;
        let all = self.schedule(
            |event| !matches!(op(event), Op::Acquire(l) if held.borrow()[l.index()]),
            |event| {
                match op(event) {
                    Op::Acquire(l) => held.borrow_mut()[l.index()] = true,
                    Op::Release(l) => held.borrow_mut()[l.index()] = false,
                    _ => {}
                }
                line.push(EventId(event));
            },
        );
        if all { Ok(line) } else { Err(self.late_or("no order of the events respects the locks")) }
    }

    /// Why something did not come to its end.
    fn late_or(&self, reason: &'static str) -> &'static str {
        if self.graph.effort.is_used_up() { LATE } else { reason }
    }
}
