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

use trace::{Event, EventId, LocId, Op, ThreadId, VarId};

use crate::clock::slot;
use crate::collect::Collector;
use crate::{Answer, Options};

/// An access remembered. Small, for there are many: its event is put together again only for a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Past {
    id: EventId,
    /// The thread's time.
    time: u32,
    location: LocId,
    /// The thread's number, whether it is atomic, whether it writes.
    who: u32,
}

const WRITE: u32 = 1;
const ATOMIC: u32 = 2;

/// In place of an access that is not there.
const NOBODY: Past = Past { id: EventId(u32::MAX), time: 0, location: LocId(0), who: u32::MAX };

impl Past {
    #[inline]
    fn new(id: EventId, time: u32, e: &Event) -> Past {
        let kind = u32::from(e.op.is_write()) * WRITE + u32::from(e.op.is_atomic()) * ATOMIC;
        Past { id, time, location: e.location, who: e.thread.0 << 2 | kind }
    }

    fn event(&self, v: VarId) -> Event {
        let op = match self.who & 3 {
            0 => Op::Read(v),
            WRITE => Op::Write(v),
            ATOMIC => Op::AtomicRead(v),
            _ => Op::AtomicWrite(v),
        };
        Event { thread: ThreadId(self.who >> 2), op, location: self.location }
    }

    #[inline]
    fn thread(&self) -> u32 {
        self.who >> 2
    }

    #[inline]
    fn is_write(&self) -> bool {
        self.who & WRITE != 0
    }

    #[inline]
    fn is_atomic(&self) -> bool {
        self.who & ATOMIC != 0
    }

    /// Whether it is of another thread and not ordered before an event that knows `knows`. [`NOBODY`] is not.
    #[inline]
    fn apart(&self, now: &Past, knows: &[u32]) -> bool {
        self.time > knows.get(self.thread() as usize).copied().unwrap_or(0) && self.thread() != now.thread()
    }

    /// Whether two accesses of different threads conflict.
    fn conflicts(&self, now: &Past) -> bool {
        (self.is_write() || now.is_write()) && !(self.is_atomic() && now.is_atomic())
    }
}

/// What the front of a variable consists of.
#[derive(Debug, Clone, Default)]
enum Front {
    /// No access, or only one thread's.
    #[default]
    Own,
    /// The last write and the last read since, and all other reads since are ordered before that read.
    Few,
    /// The last write and of each thread that read since the last read.
    Reads(Box<Vec<Past>>),
    /// With atomic accesses: of each thread the last access of each operation.
    Each(Box<Vec<Past>>),
    /// It has raced.
    Racy,
}

/// What is known of a variable.
#[derive(Debug, Clone)]
struct History {
    front: Front,
    /// The last write of the front, or nobody.
    write: Past,
    /// The last read since, or nobody.
    read: Past,
    all: Vec<Past>,
}

impl Default for History {
    fn default() -> History {
        History { front: Front::Own, write: NOBODY, read: NOBODY, all: Vec::new() }
    }
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
        let now = Past::new(id, time, e);
        if history.races(&now, knows) {
            history.front = Front::Racy;
            for past in &history.all {
                if past.apart(&now, knows) && past.conflicts(&now) {
                    self.collector.race((past.id, past.event(v)), (id, *e));
                }
            }
        }
        if !self.all_accesses {
            let same = |p: &&mut Past| (p.location, p.who) == (now.location, now.who);
            if let Some(mine) = history.all.iter_mut().find(same) {
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

/// Puts an access in place of the one that `same` finds, if that is older, or at the end.
fn replace(list: &mut Vec<Past>, now: &Past, same: impl Fn(&Past) -> bool) {
    match list.iter_mut().find(|p| same(p)) {
        Some(old) if old.id < now.id => *old = *now,
        Some(_) => {}
        None => list.push(*now),
    }
}

impl History {
    /// Whether the access races with something, and if not, takes it into the front.
    #[inline]
    fn races(&mut self, now: &Past, knows: &[u32]) -> bool {
        match self.front {
            // Whose it is stands in `all`.
            Front::Own if self.all.first().is_none_or(|p| p.thread() == now.thread()) => false,
            Front::Few if !now.is_atomic() => {
                if self.write.apart(now, knows) {
                    return true;
                }
                let read_apart = self.read.apart(now, knows);
                if now.is_write() {
                    self.write = *now;
                    self.read = NOBODY;
                    return read_apart;
                }
                if read_apart {
                    self.front = Front::Reads(Box::new(vec![self.read, *now]));
                }
                self.read = *now;
                false
            }
            Front::Racy => true,
            _ => self.races_slow(now, knows),
        }
    }

    fn races_slow(&mut self, now: &Past, knows: &[u32]) -> bool {
        let apart = |past: &Past| past.apart(now, knows);
        match &mut self.front {
            Front::Own => {
                self.found_front();
                self.races(now, knows)
            }
            Front::Reads(reads) if !now.is_atomic() => {
                if apart(&self.write) {
                    return true;
                }
                if now.is_write() {
                    let race = reads.iter().any(apart);
                    self.write = *now;
                    self.read = NOBODY;
                    self.front = Front::Few;
                    return race;
                }
                replace(reads, now, |r| r.thread() == now.thread());
                false
            }
            Front::Few | Front::Reads(_) => {
                let mut each = vec![self.write, self.read];
                if let Front::Reads(reads) = std::mem::take(&mut self.front) {
                    each.pop();
                    each.extend(*reads);
                }
                each.retain(|p| *p != NOBODY);
                self.front = Front::Each(Box::new(each));
                self.races_slow(now, knows)
            }
            Front::Each(each) => {
                let race = each.iter().any(|p| apart(p) && p.conflicts(now));
                replace(each, now, |p| p.who == now.who);
                race
            }
            Front::Racy => true,
        }
    }

    /// The front of a variable that one thread alone has touched.
    fn found_front(&mut self) {
        if self.all.iter().any(Past::is_atomic) {
            let mut each: Vec<Past> = Vec::new();
            for past in &self.all {
                replace(&mut each, past, |p| p.who == past.who);
            }
            self.front = Front::Each(Box::new(each));
            return;
        }
        let latest = |write: bool| self.all.iter().filter(|p| p.is_write() == write).max_by_key(|p| p.id);
        let (write, read) = (latest(true), latest(false));
        let read = read.filter(|r| write.is_none_or(|w| w.id < r.id));
        let (write, read) = (write.copied().unwrap_or(NOBODY), read.copied().unwrap_or(NOBODY));
        (self.front, self.write, self.read) = (Front::Few, write, read);
    }
}
