//! Access histories: with which earlier accesses does an access race under a given order?
//!
//! Shared by all analyses that are a partial order over events with program order in it (HB, SHB, WCP, DC). They say at
//! each access what the order knows of each thread's times ([`crate::clock`]); this module remembers the earlier
//! accesses.
//!
//! Of each variable two things are kept. The *front* is the least that shows whether an access races with anything, as
//! FastTrack (Flanagan and Freund, PLDI 2009) keeps it: the last write, and of the reads since then the last one, or if
//! they are unordered the last one of each thread. Whenever an access is dropped from the front, it is ordered before one
//! that stays and that conflicts with at least as much, so by transitivity what races with the first races with the
//! second. (Where atomic accesses occur that argument fails, for they do not conflict with each other; of such variables
//! the last access of each thread and operation is kept.) A variable that has raced needs no front. *All* holds the last
//! access of each thread, operation and location. It is looked through only at a race, and shows every racing pair of
//! locations (of one thread's accesses at one location the last is unordered if any is); with `all_accesses` it really
//! holds all, and shows every racing pair of events. A variable that one thread alone has touched has no front either.
//!
//! Memory: for each variable its threads times its locations in the program.

use trace::{Event, EventId, VarId};

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
    /// Whether it is of another thread and not ordered before an event that knows `knows`.
    #[inline]
    fn apart(&self, now: &Past, knows: &[u32]) -> bool {
        self.event.thread != now.event.thread
            && self.time > knows.get(self.event.thread.index()).copied().unwrap_or(0)
    }
}

/// The least that shows a variable's next race.
#[derive(Debug, Clone, Default)]
enum Front {
    /// No access, or only one thread's.
    #[default]
    Own,
    /// The last write and the last read since, and all other reads since are ordered before that read.
    Few(Option<Past>, Option<Past>),
    /// The last write and of each thread that read since the last read.
    Reads(Option<Past>, Vec<Past>),
    /// With atomic accesses: of each thread the last access of each operation.
    Each(Vec<Past>),
    /// It has raced.
    Racy,
}

/// What is known of a variable.
#[derive(Debug, Clone, Default)]
struct History {
    front: Front,
    all: Vec<Past>,
}

/// The histories of all variables.
#[derive(Debug)]
pub struct Histories {
    collector: Collector,
    only: Option<VarId>,
    all_accesses: bool,
    variables: Vec<History>,
}

impl Histories {
    /// Empty histories.
    pub fn new(options: &Options) -> Histories {
        Histories::collecting(options, Collector::new(options))
    }

    /// Empty histories that report to this collector.
    pub(crate) fn collecting(options: &Options, collector: Collector) -> Histories {
        Histories {
            collector,
            only: options.variable,
            all_accesses: options.all_accesses,
            variables: Vec::new(),
        }
    }

    /// An access at the thread's time `time`; `knows` has, by thread, the time up to which that thread's events are
    /// ordered before this access.
    #[inline]
    pub fn access(&mut self, id: EventId, e: &Event, v: VarId, time: u32, knows: &[u32]) {
        if self.only.is_some_and(|only| only != v) {
            return;
        }
        let history = slot(&mut self.variables, v.index());
        let now = Past { id, time, event: *e };
        if let Front::Own = history.front {
            // Whose it is stands in `all`.
            if history.all.first().is_some_and(|p| p.event.thread != e.thread) {
                history.front = front_of(&history.all);
            }
        }
        if history.front.races(&now, knows) {
            history.front = Front::Racy;
            for past in &history.all {
                if past.apart(&now, knows) && past.event.conflicts(e) {
                    self.collector.race((past.id, past.event), (id, *e));
                }
            }
        }
        if !self.all_accesses {
            // Equal events: same thread, operation, variable and location.
            if let Some(mine) = history.all.iter_mut().find(|p| p.event == *e) {
                *mine = now;
                return;
            }
        }
        history.all.push(now);
    }

    /// The answer.
    pub fn finish(self) -> Answer {
        self.collector.finish()
    }
}

/// The front of a variable that one thread alone has touched.
fn front_of(all: &[Past]) -> Front {
    let latest =
        |write: bool| all.iter().filter(|p| p.event.op.is_write() == write).max_by_key(|p| p.id).copied();
    if all.iter().any(|p| p.event.op.is_atomic()) {
        let mut each: Vec<Past> = Vec::new();
        for past in all {
            replace(&mut each, past, |p| p.event.op == past.event.op);
        }
        return Front::Each(each);
    }
    let write = latest(true);
    Front::Few(write, latest(false).filter(|r| write.is_none_or(|w| w.id < r.id)))
}

/// Puts an access in place of the one that `same` finds, if that is older, or at the end.
fn replace(list: &mut Vec<Past>, now: &Past, same: impl Fn(&Past) -> bool) {
    match list.iter_mut().find(|p| same(p)) {
        Some(old) if old.id < now.id => *old = *now,
        Some(_) => {}
        None => list.push(*now),
    }
}

impl Front {
    /// Whether the access races with something, and if not, takes it in.
    #[inline]
    fn races(&mut self, now: &Past, knows: &[u32]) -> bool {
        match self {
            Front::Own => false,
            Front::Racy => true,
            Front::Few(w, r) if !now.event.op.is_atomic() => {
                if w.as_ref().is_some_and(|w| w.apart(now, knows)) {
                    return true;
                }
                let read_apart = r.as_ref().is_some_and(|r| r.apart(now, knows));
                if now.event.op.is_write() {
                    *w = Some(*now);
                    *r = None;
                    return read_apart;
                }
                match (read_apart, *r) {
                    (true, Some(other)) => *self = Front::Reads(*w, vec![other, *now]),
                    _ => *r = Some(*now),
                }
                false
            }
            _ => self.races_slow(now, knows),
        }
    }

    fn races_slow(&mut self, now: &Past, knows: &[u32]) -> bool {
        let apart = |past: &Past| past.apart(now, knows);
        match self {
            Front::Own => false,
            Front::Racy => true,
            Front::Reads(w, reads) if !now.event.op.is_atomic() => {
                if w.as_ref().is_some_and(apart) {
                    return true;
                }
                if now.event.op.is_write() {
                    let race = reads.iter().any(apart);
                    *self = Front::Few(Some(*now), None);
                    return race;
                }
                replace(reads, now, |r| r.event.thread == now.event.thread);
                false
            }
            Front::Few(..) | Front::Reads(..) => {
                let all = match std::mem::take(self) {
                    Front::Few(w, r) => w.into_iter().chain(r).collect(),
                    Front::Reads(w, reads) => w.into_iter().chain(reads).collect(),
                    _ => Vec::new(),
                };
                *self = Front::Each(all);
                self.races_slow(now, knows)
            }
            Front::Each(all) => {
                let race = all.iter().any(|p| apart(p) && p.event.conflicts(&now.event));
                replace(all, now, |p| p.event.thread == now.event.thread && p.event.op == now.event.op);
                race
            }
        }
    }
}
