//! Identical threads: which there are, and whether exchanging them can be noticed.
//!
//! A *group* is a row of threads that the main thread created one after the other, to run the same function with the same
//! argument, without synchronising in between. The search ([`Machine::held_back`]) lets their first operations come in
//! the order of their numbers alone. That is right if every execution is still one when the members of a group change
//! names, and this is what is watched here: nobody but the main thread may notice which member is which, and what
//! the main thread does while it can tell them apart (between the first and the last creation, and between the first
//! and the last join) must concern nobody else. `docs/reduction.md` has the argument.
//!
//! *How.* What the main thread accesses at those times is collected, and what all others access at any time; the two
//! must not conflict. That the main thread does nothing but join the rest of the group, once it has come to the first
//! join, is found out by looking ahead when it arrives ([`Machine::look_ahead`]): members that never end would hide it.
//! Whatever is not understood breaks the symmetry, and the search begins again without.
//!
//! Nothing of this happens unless [`Machine::watch`] is set.

use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_128;

use crate::clock::Clock;
use crate::history::Touch;
use crate::native::SyncOp;
use crate::state::{Machine, compare};
use crate::stop::Stop;
use crate::thread::{Pending, Status, Thread};

/// The group of a thread that has none.
pub(crate) const NO_GROUP: u32 = u32::MAX;
/// Only this thread's creations make groups.
const CREATOR: usize = 0;
/// How many instructions the creator may execute while it joins a group.
const FUEL: u64 = 200_000;

/// The last creation of a thread, as long as the creator has not synchronised since.
#[derive(Debug, PartialEq, Eq)]
pub struct Spawned {
    /// The number that the next thread has if nobody else creates one.
    next: usize,
    start: u64,
    arg: u64,
    detached: bool,
    /// What the creator knew afterwards.
    clock: Clock,
}

/// Bytes that were read and written, by granule.
#[derive(Debug, Clone, Default)]
struct Bytes(FxHashMap<u64, (u8, u8)>);

impl Bytes {
    fn insert(&mut self, touch: &Touch) {
        let (read, written) = self.0.entry(touch.granule).or_default();
        if touch.write {
            *written |= touch.mask;
        } else {
            *read |= touch.mask;
        }
    }

    fn conflicts(&self, touch: &Touch) -> bool {
        self.0.get(&touch.granule).is_some_and(|&(read, written)| {
            let theirs = if touch.write { read | written } else { written };
            theirs & touch.mask != 0
        })
    }
}

/// What was noticed about identical threads. Going back does not forget any of it.
#[derive(Debug, Clone, Default)]
pub struct Watch {
    /// Whether there was a group of two or more.
    active: bool,
    /// What the creator accessed while it could tell the members of a group apart.
    apart: Bytes,
    /// What others accessed since there was a group.
    others: Bytes,
    /// Whether some join asked for a member's result, and whether some member had one that is not null.
    results: (bool, bool),
    /// Why exchanging members could be noticed, if it could.
    pub broken: Option<&'static str>,
    /// Whether the creator has come to a join since that was last asked.
    arrived: bool,
    /// While the machine looks ahead: whether the creator has come to the end of the joins.
    looking: Option<bool>,
}

/// What a watch has noticed, to be kept: whether there was a group, which bytes the creator and others accessed (granule, read, written), and
/// what is known of results.
pub type Noticed = (bool, Vec<(u64, u8, u8)>, Vec<(u64, u8, u8)>, (bool, bool));

impl Watch {
    /// What was noticed, in a fixed order.
    pub fn noticed(&self) -> Noticed {
        let list = |bytes: &Bytes| {
            let mut all: Vec<_> =
                bytes.0.iter().map(|(&granule, &(read, written))| (granule, read, written)).collect();
            all.sort_unstable();
            all
        };
        (self.active, list(&self.apart), list(&self.others), self.results)
    }

    /// A watch that has noticed this, and nothing that tells threads apart.
    pub fn of((active, apart, others, results): &Noticed) -> Watch {
        let bytes = |list: &[(u64, u8, u8)]| {
            Bytes(list.iter().map(|&(g, read, written)| (g, (read, written))).collect())
        };
        Watch {
            active: *active,
            apart: bytes(apart),
            others: bytes(others),
            results: *results,
            ..Watch::default()
        }
    }

    fn break_up(&mut self, why: &'static str) {
        self.broken.get_or_insert(why);
    }

    fn add_apart(&mut self, touch: &Touch) {
        if self.others.conflicts(touch) {
            self.break_up("what the creator does between two creations or joins concerns others");
        }
        self.apart.insert(touch);
    }

    fn add_other(&mut self, touch: &Touch) {
        if self.apart.conflicts(touch) {
            self.break_up("what the creator does between two creations or joins concerns others");
        }
        self.others.insert(touch);
    }

    fn note_results(&mut self, asked: bool, given: bool) {
        self.results.0 |= asked;
        self.results.1 |= given;
        if self.results == (true, true) {
            self.break_up("the result of a thread is looked at");
        }
    }

    /// Adds what another search of the same graph noticed.
    pub fn absorb(&mut self, other: &Watch) {
        self.active |= other.active;
        if let Some(why) = other.broken {
            self.break_up(why);
        }
        let touches = |bytes: &Bytes| {
            let list: Vec<_> = bytes.0.iter().map(|(&granule, &masks)| (granule, masks)).collect();
            list.into_iter().flat_map(|(granule, (read, written))| {
                [(read, false), (written, true)].map(|(mask, write)| Touch {
                    granule,
                    mask,
                    write,
                    atomic: false,
                    access: ir::AccessId(0),
                })
            })
        };
        touches(&other.others).for_each(|touch| self.add_other(&touch));
        touches(&other.apart).for_each(|touch| self.add_apart(&touch));
        self.note_results(other.results.0, other.results.1);
    }
}

impl<'p> Machine<'p> {
    // ---- groups ----

    /// Whether a thread with that number and group is one of several.
    fn is_one_of_several(&self, t: usize, group: u32) -> bool {
        group != NO_GROUP
            && (group as usize != t || self.threads.get(t + 1).is_some_and(|next| next.group == group))
    }

    /// Whether the thread is one of several identical ones. (It must be in its place.)
    fn is_member(&self, t: usize) -> bool {
        self.threads.get(t).is_some_and(|th| self.is_one_of_several(t, th.group))
    }

    /// The groups of two or more, as ranges of threads. (No member may be out of its place.)
    fn alike(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        let end = |first: usize| {
            let group = first as u32;
            (first..self.threads.len())
                .find(|&t| self.threads[t].group != group)
                .unwrap_or(self.threads.len())
        };
        let is_first = |&t: &usize| self.threads[t].group == t as u32;
        (0..self.threads.len()).filter(is_first).map(move |t| t..end(t)).filter(|range| range.len() > 1)
    }

    /// The threads, up to the sixteenth, that are not to be scheduled now: one of their group with a lower number has not
    /// performed an operation either, and can.
    pub fn held_back(&self) -> u16 {
        let mut mask = 0;
        for group in self.alike() {
            let mut waits = false;
            for t in group.take_while(|&t| t < 16) {
                let th = &self.threads[t];
                if th.touched || th.ended() || th.status == Status::At(Pending::Stuck) {
                    continue;
                }
                if waits {
                    mask |= 1 << t;
                }
                waits = true;
            }
        }
        mask
    }

    /// A hash of the groups, and of who has performed an operation as long as that matters for
    /// [`Machine::held_back`]. 0 without groups.
    pub fn symmetry_hash(&self) -> u128 {
        let mut bytes = Vec::new();
        for group in self.alike() {
            let fresh = |t: &usize| !self.threads[*t].touched && !self.threads[*t].ended();
            let matters = group.clone().filter(fresh).count() > 1;
            for t in group.clone() {
                bytes.extend_from_slice(&(t as u32).to_le_bytes());
                bytes.extend_from_slice(&(group.start as u32).to_le_bytes());
                bytes.push(u8::from(matters && self.threads[t].touched));
            }
        }
        if bytes.is_empty() { 0 } else { xxh3_128(&bytes) }
    }

    /// The group that the creator has joined in part.
    fn open_group(&self) -> Option<std::ops::Range<usize>> {
        self.alike().find(|group| {
            let joined = group.clone().filter(|&t| self.threads[t].joined).count();
            joined > 0 && joined < group.len()
        })
    }

    // ---- what happens ----

    fn break_symmetry(&mut self, why: &'static str) {
        if let Some(watch) = &mut self.watch {
            watch.break_up(why);
        }
    }

    /// Compares what the thread, which is not in its place, has accessed lately with the others' histories, and notes it
    /// if it did so while it could tell members apart.
    fn flush(&mut self, t: usize, th: &mut Thread, apart: bool) {
        let Some(watch) = &mut self.watch else { return };
        if !self.recording {
            return;
        }
        let (threads, races) = (&self.threads, &mut self.races);
        th.history.drain_new(|segment, touch| {
            compare(threads, races, t, &segment.clock, segment.epoch, touch);
            if apart {
                watch.add_apart(touch);
            }
        });
    }

    /// Thread `t` is about to create thread `u`; gives the group of the new thread.
    pub(crate) fn group_of_new(
        &mut self,
        t: usize,
        th: &mut Thread,
        u: usize,
        (start, arg, detached): (u64, (u64, u64), bool),
    ) -> u32 {
        if self.watch.is_some() && self.is_one_of_several(t, th.group) {
            self.break_symmetry("a thread of several that are alike creates another");
        }
        if t != CREATOR {
            return NO_GROUP;
        }
        if self.watch.is_some() && self.open_group().is_some() {
            self.break_symmetry("a thread is created between two joins");
        }
        let alike = arg.1 == 0
            && th.spawned.as_ref().is_some_and(|last| {
                (last.next, last.start, last.arg, last.detached) == (u, start, arg.0, detached)
                    && last.clock == th.clock
            });
        self.flush(t, th, alike);
        if !alike {
            return u as u32;
        }
        self.activate();
        self.threads[u - 1].group
    }

    /// From now on there are identical threads.
    fn activate(&mut self) {
        let Some(watch) = &mut self.watch else { return };
        watch.active = true;
        for th in self.threads.iter().skip(CREATOR + 1) {
            for segment in th.history.segments() {
                segment.accesses.touches_from(0).for_each(|touch| watch.add_other(touch));
            }
        }
    }

    /// Thread `t` has just created a thread, its own clock has moved on.
    pub(crate) fn note_spawned(
        &self,
        t: usize,
        th: &mut Thread,
        (start, arg, detached): (u64, (u64, u64), bool),
    ) {
        if t == CREATOR && arg.1 == 0 {
            let clock = th.clock.clone();
            let next = self.threads.len();
            th.spawned = Some(std::sync::Arc::new(Spawned { next, start, arg: arg.0, detached, clock }));
        }
    }

    /// An access of thread `t` was compared with the others' histories.
    #[inline]
    pub(crate) fn notice_atomic(&mut self, t: usize, touch: &Touch) {
        if self.watch.as_ref().is_some_and(|w| w.active) {
            let apart = t == CREATOR && self.open_group().is_some();
            if let Some(watch) = &mut self.watch {
                match t {
                    CREATOR if apart => watch.add_apart(touch),
                    CREATOR => {}
                    _ => watch.add_other(touch),
                }
            }
        }
    }

    /// Who is to be told of the accesses of thread `t` that are being compared: see [`Machine::notice`].
    pub(crate) fn notices(&self, t: usize) -> Notice {
        match &self.watch {
            Some(watch) if watch.active && t != CREATOR => Notice::Other,
            Some(watch) if watch.active && self.open_group().is_some() => Notice::Apart,
            _ => Notice::Nothing,
        }
    }

    /// The thread synchronises, other than by a join of a member.
    #[inline]
    pub(crate) fn notice_operation(&mut self, t: usize, th: &mut Thread) {
        th.spawned = None;
        if t == CREATOR && self.watch.as_ref().is_some_and(|w| w.active) && self.open_group().is_some() {
            self.break_symmetry("the creator synchronises between two joins");
        }
    }

    /// The thread performs the operation before which it stands.
    pub(crate) fn notice_pending(&mut self, t: usize, th: &mut Thread, pending: &Pending) {
        let Pending::Sync(SyncOp::Join, args) = *pending else { return self.notice_operation(t, th) };
        th.spawned = None;
        if !self.watch.as_ref().is_some_and(|w| w.active) {
            return;
        }
        let joined = (args[0] as usize).wrapping_sub(1);
        if t != CREATOR {
            // It may be one of them itself, and is not in its place: whoever the creator has created counts.
            let made = joined == t || self.threads.get(joined).is_some_and(|th| th.group != NO_GROUP);
            if made {
                self.break_symmetry("a thread is joined by another than its creator");
            }
            return;
        }
        if !self.is_member(joined) {
            return self.notice_operation(t, th);
        }
        let open = self.open_group();
        if open.as_ref().is_some_and(|group| !group.contains(&joined)) {
            self.break_symmetry("another thread is joined between two joins");
        }
        if let Some(watch) = &mut self.watch {
            watch.note_results(args[1] != 0, false);
        }
        self.flush(t, th, open.is_some());
    }

    /// While the machine looks ahead: whether the creator has just joined the last of a group, where it stops.
    pub(crate) fn looked_enough(&mut self, t: usize) -> bool {
        if t != CREATOR || self.watch.as_ref().is_none_or(|w| w.looking.is_none()) {
            return false;
        }
        let enough = self.open_group().is_none();
        if let Some(watch) = &mut self.watch {
            watch.looking = Some(enough);
        }
        enough
    }

    /// Whether the machine looks ahead past the end of this thread.
    pub(crate) fn looks_past(&self, t: usize) -> bool {
        self.watch.as_ref().is_some_and(|w| w.looking.is_some()) && self.is_member(t)
    }

    /// The thread comes to a join.
    pub(crate) fn notice_arrival(&mut self, t: usize) {
        if t == CREATOR
            && let Some(watch) = &mut self.watch
        {
            watch.arrived |= watch.active;
        }
    }

    /// The thread ends.
    pub(crate) fn notice_end(&mut self, t: usize, th: &Thread) {
        if th.result != (0, 0)
            && self.is_one_of_several(t, th.group)
            && let Some(watch) = &mut self.watch
        {
            watch.note_results(false, true);
        }
    }

    /// The thread asks who it is.
    pub(crate) fn notice_identity(&mut self, t: usize, th: &Thread) {
        if self.watch.is_some() && self.is_one_of_several(t, th.group) {
            self.break_symmetry("a thread of several that are alike asks for its number");
        }
    }

    /// The thread detaches thread `u`.
    pub(crate) fn notice_detach(&mut self, t: usize, th: &mut Thread, u: usize) {
        self.notice_operation(t, th);
        let group = if u == t { th.group } else { self.threads.get(u).map_or(NO_GROUP, |o| o.group) };
        if group != NO_GROUP && self.watch.as_ref().is_some_and(|w| w.active) {
            self.break_symmetry("a thread is detached");
        }
    }

    // ---- looking ahead ----

    /// Whether the creator has come to a join since this was last asked: then [`Machine::look_ahead`] is to be called.
    pub fn takes_arrival(&mut self) -> bool {
        self.watch.as_mut().is_some_and(|watch| std::mem::take(&mut watch.arrived) && watch.broken.is_none())
    }

    /// If the creator stands before the join of a member of a group: lets it run, on trial, as if all members had ended,
    /// until it has joined them all, and notes what it accesses. Anything else that it does breaks the symmetry. Call
    /// it when all threads stand, behind [`Machine::fingerprint`].
    pub fn look_ahead(&mut self) {
        let waits_for = match self.threads[CREATOR].status {
            Status::At(Pending::Sync(SyncOp::Join, args)) => (args[0] as usize).wrapping_sub(1),
            _ => usize::MAX,
        };
        if !self.is_member(waits_for) {
            if self.open_group().is_some() {
                self.break_symmetry("the creator does something else between two joins");
            }
            return;
        }
        let mark = self.mark();
        let races = std::mem::take(&mut self.races);
        let kept = (self.instructions, self.inputs, self.sources.len(), self.opened.get());
        let asked = (self.question, self.asks_input);
        if let Some(watch) = &mut self.watch {
            watch.looking = Some(false);
        }
        self.run(CREATOR, FUEL);
        self.rollback(&mark);
        self.discard(&mark);
        self.races = races;
        (self.instructions, self.inputs) = (kept.0, kept.1);
        self.sources.truncate(kept.2);
        self.opened.set(kept.3);
        (self.question, self.asks_input) = asked;
        if let Some(watch) = &mut self.watch {
            watch.arrived = false;
            if watch.looking.take() != Some(true) {
                watch.break_up("the creator does something else between two joins");
            }
        }
    }
}

/// What an access that is being compared is, to those who watch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notice {
    /// Nothing.
    Nothing,
    /// One of the creator's while it can tell members apart.
    Apart,
    /// One of another thread's.
    Other,
}

impl Watch {
    /// Notes an access.
    #[inline]
    pub(crate) fn note(&mut self, notice: Notice, touch: &Touch) {
        match notice {
            Notice::Nothing => {}
            Notice::Apart => self.add_apart(touch),
            Notice::Other => self.add_other(touch),
        }
    }
}

/// Stops the creator where the machine need not look further ahead.
pub(crate) const ENOUGH: Stop = Stop::AtSync;
