//! The exhaustive oracle: all predictable races of a small trace, by trying every correct reordering.
//!
//! P4 section 2, by brute force. A state of the search is how far each thread has come; with it go who holds which lock
//! and which write each variable had last (both part of the memo key). From each state every thread whose next event is
//! enabled moves: a lock must be free, a read must observe what it observes in the trace, a forked thread needs its fork,
//! a join needs the joined thread's fork and events. In every state, two threads whose next events conflict are a race. Threads
//! that all wait for locks of each other in a cycle are a deadlock.
//!
//! Shares no code with what it tests: it knows only `Event` and `Op`. Plain locks, fork, join, reads and writes, atomics
//! by observation; no barriers and conditions.

use std::collections::{BTreeSet, HashSet};

use trace::{Event, EventId, Op, Trace};

/// What all correct reorderings together show.
#[derive(Debug, Default)]
pub struct Truth {
    /// All predictable races, each with its smaller event first.
    pub races: BTreeSet<(EventId, EventId)>,
    /// Whether some reordering reaches a state in which threads wait for each other's locks in a cycle.
    pub deadlock: bool,
    /// The acquires of all such circles: each waits for a lock that the next one's thread holds; the smallest comes first.
    pub deadlocks: BTreeSet<Vec<EventId>>,
    /// How many states were reached.
    pub states: usize,
}

type State = (Vec<u8>, Vec<i16>, Vec<i16>);

struct Search<'a> {
    trace: &'a Trace,
    threads: Vec<Vec<usize>>,
    observed: Vec<i16>,
    forker: Vec<Option<(usize, usize)>>,
    joined: Vec<usize>,
    seen: HashSet<State>,
    /// Sections of a lock keep the trace's order.
    preserves: bool,
    truth: Truth,
}

/// Tries every correct reordering of the trace.
pub fn explore(trace: &Trace) -> Truth {
    explore_as(trace, false)
}

/// Tries every correct reordering in which the sections of every lock stand in the trace's order.
#[allow(dead_code)]
pub fn explore_preserving(trace: &Trace) -> Truth {
    explore_as(trace, true)
}

fn explore_as(trace: &Trace, preserves: bool) -> Truth {
    let (mut threads, mut locks, mut variables) = (1, 0, 0);
    for e in &trace.events {
        threads = threads.max(e.thread.0 as usize + 1);
        match e.op {
            Op::Fork(t) | Op::Join(t) => threads = threads.max(t.0 as usize + 1),
            Op::Acquire(l) | Op::Release(l) => locks = locks.max(l.0 as usize + 1),
            Op::Read(v) | Op::Write(v) | Op::AtomicRead(v) | Op::AtomicWrite(v) => {
                variables = variables.max(v.0 as usize + 1)
            }
            Op::Begin | Op::End | Op::AcquireAgain(_) | Op::ReleaseInner(_) => {}
            other => panic!("the oracle does not know {other:?}"),
        }
    }
    let mut search = Search {
        trace,
        threads: vec![Vec::new(); threads],
        observed: vec![-1; trace.events.len()],
        forker: vec![None; threads],
        joined: vec![0; trace.events.len()],
        seen: HashSet::new(),
        preserves,
        truth: Truth::default(),
    };
    let mut last = vec![-1; variables];
    for (i, e) in trace.events.iter().enumerate() {
        let t = e.thread.0 as usize;
        match e.op {
            Op::Read(v) | Op::AtomicRead(v) => search.observed[i] = last[v.0 as usize],
            Op::Write(v) | Op::AtomicWrite(v) => last[v.0 as usize] = i as i16,
            Op::Fork(c) => search.forker[c.0 as usize] = Some((t, search.threads[t].len())),
            Op::Join(c) => search.joined[i] = search.threads[c.0 as usize].len(),
            _ => {}
        }
        search.threads[t].push(i);
    }
    search.visit((vec![0; threads], vec![-1; locks], vec![-1; variables]));
    search.truth.states = search.seen.len();
    search.truth
}

impl Search<'_> {
    fn visit(&mut self, state: State) {
        if !self.seen.insert(state.clone()) {
            return;
        }
        let next: Vec<Option<usize>> = (0..self.threads.len()).map(|t| self.next_ready(&state, t)).collect();
        for (a, b) in pairs(&next) {
            if conflict(&self.trace.events[a], &self.trace.events[b]) {
                self.truth.races.insert((EventId(a.min(b) as u32), EventId(a.max(b) as u32)));
            }
        }
        self.deadlocks(&state, &next);
        for (t, i) in next.iter().enumerate() {
            if let Some(i) = *i
                && let Some(after) = self.step(&state, t, i)
            {
                self.visit(after);
            }
        }
    }

    /// A thread's next event, if its fork (and what it joins) is done. Locks and observations are not looked at.
    fn next_ready(&self, (at, _, _): &State, t: usize) -> Option<usize> {
        let i = *self.threads[t].get(at[t] as usize)?;
        let forked = |t: usize| self.forker[t].is_none_or(|(parent, place)| (at[parent] as usize) > place);
        if !forked(t) {
            return None;
        }
        match self.trace.events[i].op {
            Op::Join(c) if (at[c.0 as usize] as usize) < self.joined[i] || !forked(c.0 as usize) => None,
            _ => Some(i),
        }
    }

    fn step(&self, state: &State, t: usize, i: usize) -> Option<State> {
        let (mut at, mut held, mut last) = state.clone();
        match self.trace.events[i].op {
            Op::Acquire(l) => {
                let is_later = |&j: &usize| j > i && self.trace.events[j].op == Op::Acquire(l);
                let mut done = self.threads.iter().zip(&state.0).flat_map(|(list, &at)| &list[..at as usize]);
                if held[l.0 as usize] != -1 || self.preserves && done.any(is_later) {
                    return None;
                }
                held[l.0 as usize] = t as i16;
            }
            Op::Release(l) => held[l.0 as usize] = -1,
            Op::Read(v) | Op::AtomicRead(v) if last[v.0 as usize] != self.observed[i] => return None,
            Op::Write(v) | Op::AtomicWrite(v) => last[v.0 as usize] = i as i16,
            _ => {}
        }
        at[t] += 1;
        Some((at, held, last))
    }

    /// Notes the threads that wait for each other's locks in a cycle.
    fn deadlocks(&mut self, (_, held, _): &State, next: &[Option<usize>]) {
        let waits_for = |t: usize| match next[t].map(|i| self.trace.events[i].op) {
            Some(Op::Acquire(l)) if held[l.0 as usize] >= 0 => Some(held[l.0 as usize] as usize),
            _ => None,
        };
        let mut found = Vec::new();
        for start in 0..next.len() {
            let (mut t, mut circle) = (start, Vec::new());
            while let (Some(holder), Some(i)) = (waits_for(t), next[t]) {
                circle.push(EventId(i as u32));
                if holder == start || circle.len() > next.len() {
                    break;
                }
                t = holder;
            }
            if waits_for(t) == Some(start)
                && circle.len() <= next.len()
                && circle.iter().min() == circle.first()
            {
                found.push(circle);
            }
        }
        self.truth.deadlock |= !found.is_empty();
        self.truth.deadlocks.extend(found);
    }
}

fn pairs(next: &[Option<usize>]) -> Vec<(usize, usize)> {
    let some: Vec<usize> = next.iter().flatten().copied().collect();
    let mut all = Vec::new();
    for (k, &a) in some.iter().enumerate() {
        all.extend(some[k + 1..].iter().map(|&b| (a, b)));
    }
    all
}

fn conflict(a: &Event, b: &Event) -> bool {
    let access = |e: &Event| match e.op {
        Op::Read(v) => Some((v, false, false)),
        Op::Write(v) => Some((v, true, false)),
        Op::AtomicRead(v) => Some((v, false, true)),
        Op::AtomicWrite(v) => Some((v, true, true)),
        _ => None,
    };
    match (access(a), access(b)) {
        (Some((v, vw, va)), Some((u, uw, ua))) => v == u && a.thread != b.thread && (vw || uw) && !(va && ua),
        _ => false,
    }
}
