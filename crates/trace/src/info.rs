//! What is in a trace: how many events of which kind, threads, locks, variables, and how long and deep its critical
//! sections are. Follows a stream of events; memory by threads and locks.

use crate::event::{Counts, Event, Op, ThreadId, Trace};

/// What is in a trace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Info {
    /// Events.
    pub events: u64,
    /// Threads, locks, variables, locations.
    pub counts: Counts,
    /// Plain reads.
    pub reads: u64,
    /// Plain writes.
    pub writes: u64,
    /// Atomic reads and writes.
    pub atomics: u64,
    /// Outermost acquires.
    pub acquires: u64,
    /// Acquires of a lock that the thread holds already.
    pub inner_acquires: u64,
    /// Forks.
    pub forks: u64,
    /// Joins.
    pub joins: u64,
    /// Barrier, notify and wait events.
    pub other_synchronisation: u64,
    /// The most locks that a thread holds at once.
    pub deepest: u32,
    /// Critical sections that end.
    pub sections: u64,
    /// Events of the section's thread inside all sections that end, together (nested sections count in each).
    pub section_events: u64,
    /// The most events of the section's thread inside one section.
    pub longest_section: u64,
    /// Locks held at the end.
    pub held_at_end: u64,
}

impl Info {
    /// The mean length of a critical section in events of its thread.
    pub fn mean_section(&self) -> f64 {
        if self.sections == 0 { 0.0 } else { self.section_events as f64 / self.sections as f64 }
    }
}

/// Gathers [`Info`].
#[derive(Debug, Clone, Default)]
pub struct Collect {
    info: Info,
    /// By thread: its events so far and the locks it holds, each with the thread's events when it was acquired.
    threads: Vec<(u64, Vec<(u32, u64)>)>,
}

impl Collect {
    /// Nothing seen yet.
    pub fn new() -> Collect {
        Collect::default()
    }

    /// The next event.
    pub fn event(&mut self, e: &Event) {
        let info = &mut self.info;
        info.events += 1;
        info.counts.add(e);
        if e.thread.index() >= self.threads.len() {
            self.threads.resize_with(e.thread.index() + 1, Default::default);
        }
        let (seen, held) = &mut self.threads[e.thread.index()];
        *seen += 1;
        match e.op {
            Op::Read(_) => info.reads += 1,
            Op::Write(_) => info.writes += 1,
            Op::AtomicRead(_) | Op::AtomicWrite(_) => info.atomics += 1,
            Op::Acquire(l) => {
                info.acquires += 1;
                held.push((l.0, *seen));
                info.deepest = info.deepest.max(held.len() as u32);
            }
            Op::Release(l) => {
                if let Some(i) = held.iter().rposition(|h| h.0 == l.0) {
                    let length = *seen - held.remove(i).1 - 1;
                    info.sections += 1;
                    info.section_events += length;
                    info.longest_section = info.longest_section.max(length);
                }
            }
            Op::AcquireAgain(_) => info.inner_acquires += 1,
            Op::Fork(_) => info.forks += 1,
            Op::Join(_) => info.joins += 1,
            Op::Barrier(_) | Op::Notify(_) | Op::Wait(_) => info.other_synchronisation += 1,
            Op::ReleaseInner(_) | Op::Begin | Op::End => {}
        }
    }

    /// What was seen.
    pub fn finish(mut self) -> Info {
        self.info.held_at_end = self.threads.iter().map(|t| t.1.len() as u64).sum();
        self.info
    }
}

/// Threads that are forked and have no event, and threads (besides the first one) that have events and were never forked,
/// in a trace that has forks.
pub fn odd_threads(trace: &Trace) -> (Vec<ThreadId>, Vec<ThreadId>) {
    let mut forked = Vec::new();
    let mut seen: Vec<ThreadId> = Vec::new();
    let mut known = vec![false; trace.counts().threads];
    for event in &trace.events {
        if let Op::Fork(child) = event.op {
            forked.push(child);
        }
        if !std::mem::replace(&mut known[event.thread.index()], true) {
            seen.push(event.thread);
        }
    }
    if forked.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let never_run = forked.iter().copied().filter(|child| !known[child.index()]).collect();
    let mut is_forked = vec![false; known.len()];
    forked.iter().for_each(|child| is_forked[child.index()] = true);
    let never_forked = seen.into_iter().skip(1).filter(|thread| !is_forked[thread.index()]).collect();
    (never_run, never_forked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_threads_are_found() {
        let names = |text: &str| {
            let trace = Trace::parse_std(text).expect("a trace");
            let (run, forked) = odd_threads(&trace);
            let of = |list: Vec<ThreadId>| {
                list.iter().map(|t| trace.names.thread(*t).into_owned()).collect::<Vec<_>>()
            };
            (of(run), of(forked))
        };
        let (run, forked) = names("A|fork(B)|1\nA|fork(C)|2\nB|w(x)|3\nD|w(x)|4\n");
        assert_eq!((run, forked), (vec!["C".to_owned()], vec!["D".to_owned()]));
        assert_eq!(names("A|w(x)|1\nB|w(x)|2\n"), (vec![], vec![]));
    }
}
