//! Access histories: with which earlier accesses does an access race under a given order?
//!
//! Shared by all analyses that are a partial order over events with program order in it (HB, SHB, WCP, DC). They say at
//! each access what the order knows of each thread's times ([`crate::clock`]); this module remembers the earlier
//! accesses.
//!
//! Two passes. The *first* keeps of each variable the least that shows whether it races at all, as FastTrack (Flanagan
//! and Freund, PLDI 2009) does: the last write, and of the reads since then the last one, or if they are unordered the
//! last one of each thread. This loses no racy variable: whenever an access is dropped, it is ordered before one that is
//! kept and that conflicts with at least as much, so what races with the first by transitivity races with the second.
//! (Where atomic accesses occur that argument fails, for they do not conflict with each other; of such variables the
//! last access of each thread and operation is kept.) If there are racy variables, a *second* pass keeps full histories
//! of these alone: the last access of each thread, operation and location, so that every racing pair of locations is
//! found (of one thread's accesses at one location the last is unordered if any is), or with `all_accesses` all of them.
//!
//! Memory of the first pass: variables, times threads where reads are unordered.

use trace::{Event, EventId, Op, VarId};

use crate::clock::slot;
use crate::collect::Collector;
use crate::{Answer, Options};

/// An access remembered.
#[derive(Debug, Clone, Copy)]
struct Past {
    id: EventId,
    time: u32,
    event: Event,
}

impl Past {
    #[inline]
    fn unordered(&self, knows: &[u32]) -> bool {
        self.time > knows.get(self.event.thread.index()).copied().unwrap_or(0)
    }
}

/// What the first pass knows of a variable.
#[derive(Debug, Clone, Default)]
enum Brief {
    /// No access yet.
    #[default]
    Untouched,
    /// The last write and the last read since, and all other reads since are ordered before that read.
    Few(Option<Past>, Option<Past>),
    /// The last write and of each thread that read since the last read.
    Reads(Option<Past>, Vec<Past>),
    /// With atomic accesses: of each thread the last access of each operation.
    Each(Vec<Past>),
    /// A race was found: the second pass will see to it.
    Racy,
}

/// The histories of all variables.
#[derive(Debug)]
pub struct Histories {
    collector: Collector,
    options: Options,
    brief: Vec<Brief>,
    /// In the second pass: of the racy variables, their accesses.
    full: Vec<Option<Vec<Past>>>,
    second_pass: bool,
    /// Without a second pass the first reports what it sees.
    found: Collector,
}

impl Histories {
    /// Empty histories for a first pass; with `all_accesses` there is only one pass, and it keeps everything.
    pub fn new(options: &Options) -> Histories {
        Histories {
            collector: Collector::new(options),
            options: options.clone(),
            brief: Vec::new(),
            full: Vec::new(),
            second_pass: false,
            found: Collector::new(options),
        }
    }

    /// An access at the thread's time `time`; `knows` has, by thread, the time up to which that thread's events are
    /// ordered before this access.
    #[inline]
    pub fn access(&mut self, id: EventId, e: &Event, v: VarId, time: u32, knows: &[u32]) {
        if self.options.variable.is_some_and(|only| only != v) {
            return;
        }
        if self.second_pass || self.options.all_accesses {
            self.full_access(id, e, v, time, knows);
        } else {
            self.brief_access(id, e, v, time, knows);
        }
    }

    #[inline]
    fn brief_access(&mut self, id: EventId, e: &Event, v: VarId, time: u32, knows: &[u32]) {
        let state = slot(&mut self.brief, v.index());
        let now = Past { id, time, event: *e };
        if e.op.is_atomic() || matches!(state, Brief::Each(_)) {
            return Self::each(state, now, knows, &mut self.found);
        }
        match (state, e.op) {
            // The common cases: the same thread again, or ordered after all that is known.
            (Brief::Few(Some(w), None), Op::Write(_))
                if !w.unordered(knows) || w.event.thread == e.thread =>
            {
                *w = now
            }
            (Brief::Few(w, r), Op::Read(_))
                if w.is_none_or(|w| w.event.thread == e.thread || !w.unordered(knows))
                    && r.is_none_or(|r| r.event.thread == e.thread || !r.unordered(knows)) =>
            {
                *r = Some(now);
            }
            (state, _) => Self::brief_slow(state, now, knows, &mut self.found),
        }
    }

    fn brief_slow(state: &mut Brief, now: Past, knows: &[u32], found: &mut Collector) {
        let mut clash = |past: &Past| {
            let race = past.event.thread != now.event.thread && past.unordered(knows);
            if race {
                found.race((past.id, past.event), (now.id, now.event));
            }
            race
        };
        let write = now.event.op.is_write();
        match state {
            Brief::Untouched if write => *state = Brief::Few(Some(now), None),
            Brief::Untouched => *state = Brief::Few(None, Some(now)),
            Brief::Few(w, r) => {
                let (w, r) = (*w, *r);
                let mut race = w.as_ref().is_some_and(&mut clash);
                if write {
                    race |= r.as_ref().is_some_and(&mut clash);
                    *state = Brief::Few(Some(now), None);
                } else if let Some(r) = r {
                    *state = Brief::Reads(w, vec![r, now]);
                } else {
                    *state = Brief::Few(w, Some(now));
                }
                if race {
                    *state = Brief::Racy;
                }
            }
            Brief::Reads(w, reads) => {
                let mut race = w.as_ref().is_some_and(&mut clash);
                if write {
                    // No short-circuit: report each thread's read.
                    race = reads.iter().fold(race, |race, r| clash(r) | race);
                    *state = Brief::Few(Some(now), None);
                } else if let Some(mine) = reads.iter_mut().find(|r| r.event.thread == now.event.thread) {
                    *mine = now;
                } else {
                    reads.push(now);
                }
                if race {
                    *state = Brief::Racy;
                }
            }
            Brief::Each(_) | Brief::Racy => {}
        }
    }

    fn each(state: &mut Brief, now: Past, knows: &[u32], found: &mut Collector) {
        let mut all = match std::mem::take(state) {
            Brief::Untouched => Vec::new(),
            Brief::Few(w, r) => w.into_iter().chain(r).collect(),
            Brief::Reads(w, reads) => w.into_iter().chain(reads).collect(),
            Brief::Each(all) => all,
            Brief::Racy => {
                *state = Brief::Racy;
                return;
            }
        };
        let mut race = false;
        for past in &all {
            if past.unordered(knows) && past.event.conflicts(&now.event) {
                found.race((past.id, past.event), (now.id, now.event));
                race = true;
            }
        }
        match all.iter_mut().find(|p| p.event.thread == now.event.thread && p.event.op == now.event.op) {
            Some(mine) => *mine = now,
            None => all.push(now),
        }
        *state = if race { Brief::Racy } else { Brief::Each(all) };
    }

    fn full_access(&mut self, id: EventId, e: &Event, v: VarId, time: u32, knows: &[u32]) {
        let history = if self.second_pass {
            match self.full.get_mut(v.index()) {
                Some(Some(history)) => history,
                _ => return,
            }
        } else {
            slot(&mut self.full, v.index()).get_or_insert_with(Vec::new)
        };
        let now = Past { id, time, event: *e };
        let mut mine = None;
        for (i, past) in history.iter().enumerate() {
            if past.event == *e {
                mine = Some(i);
            } else if past.unordered(knows) && past.event.conflicts(e) {
                self.collector.race((past.id, past.event), (id, *e));
            }
        }
        match mine {
            // `Past::event` equal: same thread, operation, variable and location.
            Some(i) if !self.options.all_accesses => history[i] = now,
            _ => history.push(now),
        }
    }

    /// At the end of a pass: whether a second one is wanted (there are racy variables and no full histories yet).
    pub fn again(&mut self) -> bool {
        if self.second_pass || self.options.all_accesses {
            return false;
        }
        self.full = self.brief.iter().map(|b| matches!(b, Brief::Racy).then(Vec::new)).collect();
        self.brief = Vec::new();
        self.second_pass = self.full.iter().any(Option::is_some);
        self.second_pass
    }

    /// The answer of the last pass.
    pub fn finish(self) -> Answer {
        if self.second_pass || self.options.all_accesses {
            self.collector.finish()
        } else {
            self.found.finish()
        }
    }
}
