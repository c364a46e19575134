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
//! one that is earliest in the trace among those whose predecessors are done and whose lock is free.
//!
//! Deviations: the paper builds the sequence from its end backwards; the observation constraints are not in the
//! paper (P4 demands observations of witnesses, the paper's program model too, but gets them from DC where it can). A
//! witness counts only when [`trace::replay`] accepts it, so nothing rests on the construction.
//!
//! Guarantee: every race is predictable and has a witness. Pairs of DC that were not vindicated are undecided, with the
//! reason. Of each pair of locations up to eight event pairs are tried. Time: for each try the events before the pair,
//! times threads, times rounds of the constraints; memory likewise.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Instant;

use rustc_hash::{FxHashMap, FxHashSet};
use trace::replay::Replayer;
use trace::{EventId, LocId, Op, Trace, order};

use crate::dc::Dc;
use crate::{Answer, Options, Pairs, RacePair, Streaming, Undecided};

/// How many event pairs of a pair of locations are tried.
const TRIES: u32 = 8;

/// Runs DC over the trace and vindicates its races.
pub fn analyse(trace: &Trace, options: &Options) -> Answer {
    let start = Instant::now();
    let mut dc = Dc::with_edges(options, TRIES);
    for (id, e) in trace.iter() {
        dc.event(id, e);
    }
    let (candidates, edges) = dc.finish_with_edges();
    if candidates.races.is_empty() {
        return Answer::default();
    }
    let graph = Graph::new(trace, &edges);
    let replayer = Replayer::new(trace);
    let mut answer = Answer { event_pairs: candidates.event_pairs, ..Answer::default() };
    let mut done: FxHashSet<(LocId, LocId)> = FxHashSet::default();
    let mut failed: FxHashMap<(LocId, LocId), Undecided> = FxHashMap::default();
    for race in candidates.races {
        let [a, b] = race.accesses.map(|e| e.location);
        let key = (a.min(b), a.max(b));
        let by_locations = options.pairs == Pairs::Locations;
        if by_locations && done.contains(&key) {
            continue;
        }
        let late = options.time_limit.is_some_and(|limit| start.elapsed() > limit);
        answer.stopped |= late;
        let tried = if late { Err("the time limit was reached") } else { graph.vindicate(&race, &replayer) };
        match tried {
            Ok(witness) => {
                done.insert(key);
                failed.remove(&key);
                answer.races.push(RacePair { witness: Some(witness), ..race });
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
    answer.undecided.extend(failed.into_values());
    answer.undecided.sort_unstable_by_key(|u| (u.second, u.first));
    answer.racy_variables = answer.races.iter().map(|r| r.variable).collect();
    answer.racy_variables.sort_unstable();
    answer.racy_variables.dedup();
    answer
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
    /// The event before it in its thread.
    previous: Vec<u32>,
    /// An event's place in its thread.
    place: Vec<u32>,
    /// All other orders as (after, before), sorted.
    before: Vec<(u32, u32)>,
    /// For each read the write that it observes.
    observed: Vec<u32>,
    sections: Vec<Section>,
    /// The section of each acquire and release.
    section_of: FxHashMap<u32, u32>,
    threads: usize,
}

/// The events before a pair, with the constraints found for it.
struct Try<'g> {
    graph: &'g Graph<'g>,
    pair: [u32; 2],
    included: FxHashSet<u32>,
    /// Lock constraints: after, before.
    added: FxHashMap<u32, Vec<u32>>,
}

impl<'a> Graph<'a> {
    fn new(trace: &'a Trace, dc: &[(EventId, EventId)]) -> Graph<'a> {
        let n = trace.len();
        let threads = trace.counts().threads;
        let mut last = vec![NONE; threads];
        let (mut previous, mut place) = (vec![NONE; n], vec![0; n]);
        let mut sections: Vec<Section> = Vec::new();
        let mut section_of = FxHashMap::default();
        let matches = trace.matches();
        for (id, e) in trace.iter() {
            let t = e.thread.index();
            previous[id.index()] = last[t];
            place[id.index()] = if last[t] == NONE { 0 } else { place[last[t] as usize] + 1 };
            last[t] = id.0;
            if let Op::Acquire(l) = e.op {
                let release = matches[id.index()].map_or(NONE, |r| r.0);
                section_of.insert(id.0, sections.len() as u32);
                section_of.insert(release, sections.len() as u32);
                sections.push(Section { lock: l.0, acquire: id.0, release });
            }
        }
        let mut before: Vec<(u32, u32)> = dc.iter().map(|&(from, to)| (to.0, from.0)).collect();
        before.extend(order::must_edges(trace).into_iter().map(|(from, to)| (to.0, from.0)));
        before.sort_unstable();
        before.dedup();
        let observed = trace.observations().into_iter().map(|w| w.map_or(NONE, |w| w.0)).collect();
        Graph { trace, previous, place, before, observed, sections, section_of, threads }
    }

    fn vindicate(&self, race: &RacePair, replayer: &Replayer<'_>) -> Result<Vec<EventId>, &'static str> {
        let pair = [race.first.0, race.second.0];
        let mut attempt =
            Try { graph: self, pair, included: FxHashSet::default(), added: FxHashMap::default() };
        attempt.include_before_pair()?;
        let mut line = loop {
            let sorted = attempt.sort().ok_or("the constraint graph has a cycle")?;
            if !attempt.add_lock_constraints(&sorted)? {
                break attempt.line_up(sorted)?;
            }
        };
        line.extend([race.first, race.second]);
        match replayer.check(&line, (race.first, race.second)) {
            Ok(()) => Ok(line),
            Err(_) => Err("the reordering found is no witness"),
        }
    }

    fn thread(&self, event: u32) -> usize {
        self.trace.events[event as usize].thread.index()
    }
}

impl Try<'_> {
    /// Calls `f` with each direct predecessor of an event.
    fn predecessors(&self, event: u32, mut f: impl FnMut(u32)) {
        let g = self.graph;
        let i = event as usize;
        if g.previous[i] != NONE {
            f(g.previous[i]);
        }
        if g.observed[i] != NONE && !self.pair.contains(&event) {
            f(g.observed[i]);
        }
        let from = g.before.partition_point(|&(after, _)| after < event);
        g.before[from..].iter().take_while(|e| e.0 == event).for_each(|e| f(e.1));
        if let Some(added) = self.added.get(&event) {
            added.iter().for_each(|&b| f(b));
        }
    }

    fn include_before_pair(&mut self) -> Result<(), &'static str> {
        let mut todo = Vec::new();
        for event in self.pair {
            self.predecessors(event, |b| todo.push(b));
        }
        self.include(todo)
    }

    /// Includes these events and all that must come before them.
    fn include(&mut self, mut todo: Vec<u32>) -> Result<(), &'static str> {
        while let Some(event) = todo.pop() {
            if self.pair.contains(&event) {
                return Err("the pair must come before itself");
            }
            if self.included.insert(event) {
                self.predecessors(event, |b| todo.push(b));
            }
        }
        Ok(())
    }

    /// The included events in an order that keeps the constraints, by place in the trace as far as possible; none if
    /// there is a cycle.
    fn sort(&self) -> Option<Vec<u32>> {
        let (mut missing, mut after) = self.counts();
        let ready = missing.iter().filter(|m| *m.1 == 0).map(|m| Reverse(*m.0));
        let mut ready: BinaryHeap<Reverse<u32>> = ready.collect();
        let mut sorted = Vec::with_capacity(self.included.len());
        while let Some(Reverse(event)) = ready.pop() {
            sorted.push(event);
            for next in after.remove(&event).unwrap_or_default() {
                if let Some(m) = missing.get_mut(&next) {
                    *m -= 1;
                    if *m == 0 {
                        ready.push(Reverse(next));
                    }
                }
            }
        }
        (sorted.len() == self.included.len()).then_some(sorted)
    }

    /// By event: how many direct predecessors it has; and its direct successors.
    fn counts(&self) -> (FxHashMap<u32, u32>, FxHashMap<u32, Vec<u32>>) {
        let mut missing: FxHashMap<u32, u32> = FxHashMap::default();
        let mut after: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for &event in &self.included {
            let mut count = 0;
            self.predecessors(event, |b| {
                count += 1;
                after.entry(b).or_default().push(event);
            });
            missing.insert(event, count);
        }
        (missing, after)
    }

    /// Adds the lock constraints that the present ones imply. Whether there were any.
    fn add_lock_constraints(&mut self, sorted: &[u32]) -> Result<bool, &'static str> {
        let known = self.clocks(sorted);
        let g = self.graph;
        // The included sections of each lock, by thread.
        let mut of_lock: FxHashMap<u32, Vec<Section>> = FxHashMap::default();
        for &event in sorted {
            if let Some(&i) = g.section_of.get(&event)
                && g.sections[i as usize].acquire == event
            {
                of_lock.entry(g.sections[i as usize].lock).or_default().push(g.sections[i as usize]);
            }
        }
        let mut news: Vec<(u32, u32)> = Vec::new();
        let mut close: Vec<u32> = Vec::new();
        let mut locks: Vec<&Vec<Section>> = of_lock.values().collect();
        locks.sort_unstable_by_key(|s| s[0].acquire);
        for sections in locks {
            self.constrain(sections, &known, &mut news, &mut close)?;
        }
        let changed = !news.is_empty() || !close.is_empty();
        for &(before, after) in &news {
            self.added.entry(after).or_default().push(before);
        }
        let todo = news.into_iter().map(|n| n.0).chain(close).collect();
        self.include(todo)?;
        Ok(changed)
    }

    /// The constraints between the sections of one lock: (before, after) in `news`, releases to include in `close`.
    fn constrain(
        &self,
        sections: &[Section],
        known: &FxHashMap<u32, Vec<u32>>,
        news: &mut Vec<(u32, u32)>,
        close: &mut Vec<u32>,
    ) -> Result<(), &'static str> {
        let g = self.graph;
        let comes_before = |a: u32, b: u32| known[&b][g.thread(a)] > g.place[a as usize];
        let is_open = |s: &Section| s.release == NONE || !self.included.contains(&s.release);
        // The latest section of each thread that begins before another ends must end before that one begins; for
        // earlier ones of the thread that follows by program order.
        let mut by_thread: Vec<Vec<Section>> = vec![Vec::new(); g.threads];
        for s in sections {
            by_thread[g.thread(s.acquire)].push(*s);
        }
        by_thread.iter_mut().for_each(|list| list.sort_unstable_by_key(|s| s.acquire));
        for second in sections.iter().filter(|s| !is_open(s)) {
            for (t, list) in by_thread.iter().enumerate() {
                if t == g.thread(second.acquire) {
                    continue;
                }
                let place = known[&second.release][t];
                let begun = list.partition_point(|s| g.place[s.acquire as usize] < place);
                let Some(first) = list[..begun].last() else { continue };
                if first.release == NONE {
                    return Err("a lock that is never released would have to be");
                }
                let there =
                    self.included.contains(&first.release) && comes_before(first.release, second.acquire);
                if !there {
                    news.push((first.release, second.acquire));
                }
            }
        }
        let open: Vec<&Section> = sections.iter().filter(|s| is_open(s)).collect();
        for (i, s) in open.iter().enumerate() {
            for other in sections.iter().filter(|o| !is_open(o)) {
                if g.thread(other.acquire) != g.thread(s.acquire) && !comes_before(other.release, s.acquire) {
                    news.push((other.release, s.acquire));
                }
            }
            if open.len() > 1
                && s.release != NONE
                && !self.pair.iter().any(|&e| g.thread(e) == g.thread(s.acquire))
            {
                close.push(s.release);
            } else if i + 1 == open.len() && i > 0 && close.is_empty() {
                return Err("two sections of one lock would both stay open");
            }
        }
        Ok(())
    }

    /// By event: how many events of each thread come before it or are it.
    fn clocks(&self, sorted: &[u32]) -> FxHashMap<u32, Vec<u32>> {
        let mut known: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for &event in sorted {
            let mut clock = vec![0; self.graph.threads];
            self.predecessors(event, |b| {
                for (mine, theirs) in clock.iter_mut().zip(&known[&b]) {
                    *mine = (*mine).max(*theirs);
                }
            });
            clock[self.graph.thread(event)] = self.graph.place[event as usize] + 1;
            known.insert(event, clock);
        }
        known
    }

    /// Lines up the events with locks respected: the earliest in the trace that can go, goes.
    fn line_up(&self, sorted: Vec<u32>) -> Result<Vec<EventId>, &'static str> {
        let (mut missing, mut after) = self.counts();
        let mut ready: BinaryHeap<Reverse<u32>> =
            sorted.iter().filter(|e| missing[e] == 0).map(|&e| Reverse(e)).collect();
        let mut held: FxHashSet<u32> = FxHashSet::default();
        let mut waiting: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        let mut line = Vec::with_capacity(sorted.len() + 2);
        while let Some(Reverse(event)) = ready.pop() {
            match self.graph.trace.events[event as usize].op {
                Op::Acquire(l) if !held.insert(l.0) => {
                    waiting.entry(l.0).or_default().push(event);
                    continue;
                }
                Op::Release(l) => {
                    held.remove(&l.0);
                    ready.extend(waiting.remove(&l.0).unwrap_or_default().into_iter().map(Reverse));
                }
                _ => {}
            }
            line.push(EventId(event));
            for next in after.remove(&event).unwrap_or_default() {
                if let Some(m) = missing.get_mut(&next) {
                    *m -= 1;
                    if *m == 0 {
                        ready.push(Reverse(next));
                    }
                }
            }
        }
        if line.len() == sorted.len() { Ok(line) } else { Err("no order of the events respects the locks") }
    }
}
