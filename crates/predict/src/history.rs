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
//! the last access of each thread and operation is kept.) A variable that has raced needs no front. The *rest* holds what
//! has left the front, the last access of each thread, operation and location. It is looked through only at a race, and
//! shows every racing pair of locations (of one thread's accesses at one location the last is unordered if any is); with
//! `all_accesses` it really holds all accesses, and shows every racing pair of events.
//!
//! Memory: for each variable its threads times its locations in the program.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;
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

    /// Its location, thread and operation as one number.
    #[inline]
    fn key(&self) -> u64 {
        u64::from(self.location.0) << 32 | u64::from(self.who)
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
    /// One thread's last write and last read.
    #[default]
    Own,
    /// The last write and the last read since, and all other reads since are ordered before that read.
    Few,
    /// The last write and of each thread that read since the last read.
    Reads(Vec<Past>),
    /// With atomic accesses: of each thread the last access of each operation. The rest has these too.
    Each(Vec<Past>),
    /// It has raced: everything is in the rest.
    Racy,
}

/// What is known of a variable.
#[derive(Debug, Clone)]
struct History {
    front: Front,
    /// The last write of the front, or nobody.
    write: Past,
    /// The last read of the front, or nobody.
    read: Past,
    /// Most variables of most programs need none.
    rest: Option<Box<Rest>>,
}

/// Accesses that are no longer in the front, the last of each location, thread and operation (or all accesses).
///
/// Few are searched one by one. Many are only noted as they come, and older ones of the same kind thrown out whenever there are
/// four times as many: a variable that never races never needs to know them apart. After a race they are found by a table.
#[derive(Debug, Clone, Default)]
struct Rest {
    past: Vec<Past>,
    /// Of few, their location, thread and operation: what is searched for, in half the memory.
    keys: Vec<u64>,
    /// How many there may be before older ones are thrown out.
    limit: usize,
    /// Where each kind is, after a race.
    places: Option<Box<FxHashMap<u64, u32>>>,
}

/// So many are not few.
const MANY: usize = 24;

impl Rest {
    #[inline]
    fn find(&self, key: u64) -> Option<usize> {
        // Four at a time, with one branch.
        let (fours, others) = self.keys.as_chunks::<4>();
        for (number, four) in fours.iter().enumerate() {
            let found = four.map(|k| k == key);
            if found.contains(&true) {
                return found.iter().position(|&is| is).map(|i| 4 * number + i);
            }
        }
        others.iter().position(|&k| k == key).map(|i| 4 * fours.len() + i)
    }

    /// Puts an access in place of the one of the same location, thread and operation, if that is older.
    fn put(&mut self, past: Past) {
        if self.past.len() >= MANY {
            return self.put_among_many(past);
        }
        match self.find(past.key()) {
            Some(at) if self.past[at].id < past.id => self.past[at] = past,
            Some(_) => {}
            None => {
                self.past.push(past);
                self.keys.push(past.key());
            }
        }
    }

    fn put_among_many(&mut self, past: Past) {
        let Some(places) = &mut self.places else {
            self.past.push(past);
            if self.past.len() >= self.limit.max(4 * MANY) {
                self.throw_out_older();
                self.limit = 4 * self.past.len();
            }
            return;
        };
        let next = self.past.len() as u32;
        let at = *places.entry(past.key()).or_insert(next);
        match self.past.get_mut(at as usize) {
            Some(old) if old.id < past.id => *old = past,
            Some(_) => {}
            None => self.past.push(past),
        }
    }

    fn throw_out_older(&mut self) {
        self.past.sort_unstable_by_key(|past| (past.key(), Reverse(past.id)));
        self.past.dedup_by_key(|past| past.key());
    }

    /// From now on each kind is there once.
    fn tell_apart(&mut self) {
        if self.past.len() < MANY || self.places.is_some() {
            return;
        }
        self.throw_out_older();
        self.past.sort_unstable_by_key(|past| past.id);
        let places = (0..).zip(&self.past).map(|(place, past)| (past.key(), place));
        self.places = Some(Box::new(places.collect()));
    }
}

impl Default for History {
    fn default() -> History {
        History { front: Front::Own, write: NOBODY, read: NOBODY, rest: None }
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
        if self.all_accesses {
            // The rest has everything; what leaves the front need not go there.
            if history.races::<false>(&now, knows) {
                history.front = Front::Racy;
                history.report(&now, knows, v, &mut self.collector);
            }
            history.rest.get_or_insert_default().past.push(now);
        } else if history.races::<true>(&now, knows) {
            history.settle();
            history.report(&now, knows, v, &mut self.collector);
            history.put(now);
        }
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
    /// Reports the races of an access with the rest.
    #[cold]
    fn report(&self, now: &Past, knows: &[u32], v: VarId, collector: &mut Collector) {
        for past in self.rest.iter().flat_map(|rest| &rest.past) {
            if past.apart(now, knows) && past.conflicts(now) {
                collector.race((past.id, past.event(v)), (now.id, now.event(v)));
            }
        }
    }

    /// Puts an access into the rest.
    fn put(&mut self, past: Past) {
        if past != NOBODY {
            self.rest.get_or_insert_default().put(past);
        }
    }

    /// Takes the place of an access of the front, which goes into the rest (if `KEEP`) unless it was the same kind of
    /// access at the same location.
    #[inline]
    fn displace<const KEEP: bool>(&mut self, old: Past, now: &Past) {
        if KEEP && (old.location, old.who) != (now.location, now.who) {
            self.put(old);
        }
    }

    /// Puts all of the front into the rest.
    fn settle(&mut self) {
        for past in [self.write, self.read] {
            self.put(past);
        }
        if let Front::Reads(reads) = std::mem::replace(&mut self.front, Front::Racy) {
            reads.into_iter().for_each(|r| self.put(r));
        }
        (self.write, self.read) = (NOBODY, NOBODY);
        if let Some(rest) = &mut self.rest {
            rest.tell_apart();
        }
    }

    /// Whether the access races with something, and if not, takes it into the front.
    #[inline]
    fn races<const KEEP: bool>(&mut self, now: &Past, knows: &[u32]) -> bool {
        if now.is_atomic() {
            return self.races_slow::<KEEP>(now, knows);
        }
        match self.front {
            Front::Own => {
                let owner = if self.write == NOBODY { self.read } else { self.write };
                if owner != NOBODY && owner.thread() != now.thread() {
                    return self.races_slow::<KEEP>(now, knows);
                }
                if now.is_write() {
                    self.displace::<KEEP>(self.write, now);
                    self.write = *now;
                } else {
                    self.displace::<KEEP>(self.read, now);
                    self.read = *now;
                }
                false
            }
            Front::Few => {
                let read_apart = self.read.apart(now, knows);
                if self.write.apart(now, knows) || read_apart && now.is_write() {
                    return true;
                }
                if now.is_write() {
                    self.displace::<KEEP>(self.write, now);
                    self.displace::<KEEP>(self.read, now);
                    (self.write, self.read) = (*now, NOBODY);
                } else if read_apart {
                    self.front = Front::Reads(vec![self.read, *now]);
                    self.read = NOBODY;
                } else {
                    self.displace::<KEEP>(self.read, now);
                    self.read = *now;
                }
                false
            }
            Front::Racy => true,
            _ => self.races_slow::<KEEP>(now, knows),
        }
    }

    fn races_slow<const KEEP: bool>(&mut self, now: &Past, knows: &[u32]) -> bool {
        let apart = |past: &Past| past.apart(now, knows);
        match std::mem::take(&mut self.front) {
            Front::Racy => {
                self.front = Front::Racy;
                true
            }
            Front::Each(mut each) => {
                let race = each.iter().any(|p| apart(p) && p.conflicts(now));
                replace(&mut each, now, |p| p.who == now.who);
                self.front = Front::Each(each);
                if KEEP && !race {
                    self.put(*now);
                }
                race
            }
            front if now.is_atomic() => {
                self.front = front;
                self.separate::<KEEP>();
                self.races_slow::<KEEP>(now, knows)
            }
            // A second thread: reads before the last write no longer count.
            Front::Own => {
                if self.read != NOBODY && self.write != NOBODY && self.read.id < self.write.id {
                    self.displace::<KEEP>(self.read, now);
                    self.read = NOBODY;
                }
                self.front = Front::Few;
                self.races::<KEEP>(now, knows)
            }
            Front::Few => {
                self.front = Front::Few;
                self.races::<KEEP>(now, knows)
            }
            Front::Reads(mut reads) => {
                let write = now.is_write();
                if apart(&self.write) || write && reads.iter().any(apart) {
                    self.front = Front::Reads(reads);
                    return true;
                }
                if write {
                    reads.iter().for_each(|r| self.displace::<KEEP>(*r, now));
                    self.displace::<KEEP>(self.write, now);
                    (self.front, self.write) = (Front::Few, *now);
                    return false;
                }
                match reads.iter_mut().find(|r| r.thread() == now.thread()) {
                    Some(mine) => self.displace::<KEEP>(std::mem::replace(mine, *now), now),
                    None => reads.push(*now),
                }
                self.front = Front::Reads(reads);
                false
            }
        }
    }

    /// Goes over to a front for atomic accesses.
    fn separate<const KEEP: bool>(&mut self) {
        let mut each: Vec<Past> = Vec::new();
        let mut add = |past: &Past| {
            if *past != NOBODY {
                replace(&mut each, past, |p| p.who == past.who);
            }
        };
        [self.write, self.read].iter().for_each(&mut add);
        if let Front::Reads(reads) = &self.front {
            reads.iter().for_each(&mut add);
        }
        self.rest.iter().flat_map(|rest| &rest.past).for_each(&mut add);
        if KEEP {
            self.settle();
        }
        (self.write, self.read) = (NOBODY, NOBODY);
        self.front = Front::Each(each);
    }
}
