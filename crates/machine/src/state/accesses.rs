//! Accesses of a machine: whose they are, who is told of them, and which of them race.

use ir::{AccessId, PlaceId};

use crate::clock::Clock;
use crate::history::{Touch, granules};
use crate::memory::{self, object::Object};
use crate::symmetry::Notice;
use crate::thread::Thread;

use super::{Machine, RawRace};

/// Marks accesses that are known by their place instead of an entry of the module's table.
const NATIVE: u32 = 1 << 31;
/// Marks those of them that are the end of an object.
const ENDS: u32 = 1 << 30;

/// The place of an access, and its entry in the module's table if it has one.
pub fn place_of_access(module: &ir::Module, access: AccessId) -> (PlaceId, Option<&ir::AccessInfo>) {
    if access.0 & NATIVE != 0 {
        return (PlaceId(access.0 & !(NATIVE | ENDS)), None);
    }
    let info = &module.accesses[access.0 as usize];
    (info.place, Some(info))
}

/// Whether an access is the end of an object ([`crate::Observer::gone`]).
pub fn is_end(access: AccessId) -> bool {
    access.0 & NATIVE != 0 && access.0 & ENDS != 0
}

impl RawRace {
    /// The use and the end, if one of the two is the end of the object that the other one uses: that is no data race, but
    /// the use may come too late.
    pub fn use_and_end(&self) -> Option<[(u32, Touch); 2]> {
        match [self.first, self.second].map(|side| is_end(side.1.access)).into() {
            (false, false) => None,
            (true, _) => Some([self.second, self.first]),
            (false, true) => Some([self.first, self.second]),
        }
    }
}

impl Machine<'_> {
    /// The access that a native function, or code of models and system headers, makes on behalf of the user's code: it is
    /// known by its place. See [`place_of_access`].
    pub(crate) fn native_access(&self, th: &Thread) -> AccessId {
        AccessId(NATIVE | self.user_place(th).0)
    }

    /// Accesses by models and system headers are the user's: attributed to the line that called them.
    #[inline]
    fn attribute(&self, th: &Thread, access: AccessId) -> AccessId {
        match th.frames.last() {
            Some(frame) if self.program.module.funcs[frame.func.0 as usize].system => self.native_access(th),
            _ => access,
        }
    }

    /// Whether the access is one to a standard stream by a formatted or unformatted input or output function, which
    /// several threads may call at once (C++20 29.4.2): that conflicts only with what changes the stream otherwise.
    fn transfers(&self, th: &Thread, address: u64) -> bool {
        let of_library = |f: &&crate::thread::Frame| self.program.module.funcs[f.func.0 as usize].system;
        let mut frames = th.frames.iter().rev().take_while(of_library);
        frames.any(|f| self.program.is_transfer(f.func))
            && match self.memory.find(address).map(|(_, _, o)| o.origin) {
                Some(memory::object::Origin::Global(id)) => self.program.streams.contains(&id),
                _ => false,
            }
    }

    /// Records an access by a native function, if the object can be known to others.
    pub(crate) fn record_visible(
        &mut self,
        t: usize,
        th: &mut Thread,
        address: u64,
        len: u64,
        write: bool,
        access: AccessId,
    ) {
        if self.memory.find(address).is_some_and(|(_, _, o)| o.escaped)
            && self.record(t, th, address, len, write, access)
            && let Ok(spot) = self.memory.resolve(address, len, false)
        {
            self.memory.edit(spot, len as usize).1.fill(0xff);
        }
    }

    /// An object that nobody frees ends with its scope, its task or its thread. Where others may know it, that is compared like a
    /// write of all of it: whoever touches it must have done so before.
    pub(crate) fn end_object(&mut self, t: usize, th: &mut Thread, object: &Object) {
        let access = object.handed.then(|| AccessId(self.native_access(th).0 | ENDS));
        if self.recording
            && let Some(access) = access
        {
            for (part, len) in self.memory.touched(object) {
                th.history.record_range(part, len, true, access, th.epoch, &th.clock);
            }
        }
        self.tell_gone(t, th, (object.base, object.size), access);
    }

    /// Records an access and tells the observer; whether its value is to count as unconstrained.
    #[inline]
    pub(crate) fn record(
        &mut self,
        t: usize,
        th: &mut Thread,
        address: u64,
        len: u64,
        write: bool,
        access: AccessId,
    ) -> bool {
        let atomic = !self.program.streams.is_empty() && self.transfers(th, address);
        if self.memory.has_pages() {
            self.memory.remember_page(address);
        }
        let access = self.attribute(th, access);
        let open = match &mut self.observer {
            Some(observer) => {
                let (open, pauses) = observer.told(t, th, address, len, write, atomic, access, &self.memory);
                self.paused |= pauses;
                open
            }
            None => false,
        };
        if th.omp.combining.is_some() {
            self.access_in_combiner(t, th, (address, len), (write, atomic), access);
        }
        if th.omp.touched.is_some() {
            self.notice_piece_access(t, th, address, len, write);
        }
        if self.recording && atomic {
            granules(address, len, |granule, mask| {
                th.history.record(Touch { granule, mask, write, atomic, access }, th.epoch, &th.clock);
            });
        } else if self.recording {
            th.history.record_range(address, len, write, access, th.epoch, &th.clock);
        }
        open && self.mode.taint
    }

    /// Compares an access with the others' histories at once: the thread will not arrive anywhere with it.
    pub(crate) fn record_last(
        &mut self,
        t: usize,
        th: &mut Thread,
        address: u64,
        len: u64,
        write: bool,
        access: AccessId,
    ) {
        self.record(t, th, address, len, write, access);
        if self.recording {
            let access = self.attribute(th, access);
            let (threads, races) = (&self.threads, &mut self.races);
            let before = races.len();
            granules(address, len, |granule, mask| {
                let touch = Touch { granule, mask, write, atomic: false, access };
                compare(threads, races, t, &th.clock, th.epoch, &touch);
            });
            // That it comes behind the end of its object is what stops it.
            let mut nth = 0;
            races.retain(|race| {
                nth += 1;
                nth <= before || race.use_and_end().is_none()
            });
        }
    }

    /// Compares an atomic access with the other threads' histories, and keeps it where it can matter later; whether its
    /// value is to count as unconstrained.
    pub(crate) fn record_atomic(
        &mut self,
        t: usize,
        th: &mut Thread,
        address: u64,
        len: u64,
        write: bool,
        access: AccessId,
    ) -> bool {
        if self.memory.has_pages() {
            self.memory.remember_page(address);
        }
        let access = self.attribute(th, access);
        let open = match &mut self.observer {
            Some(observer) => {
                let (open, pauses) = observer.told(t, th, address, len, write, true, access, &self.memory);
                self.paused |= pauses;
                open
            }
            None => false,
        };
        let open = open && self.mode.taint;
        self.notice_order(th);
        if th.omp.combining.is_some() {
            self.access_in_combiner(t, th, (address, len), (write, true), access);
        }
        if !self.recording {
            return open;
        }
        granules(address, len, |granule, mask| {
            let touch = Touch { granule, mask, write, atomic: true, access };
            if self.program.weak {
                th.history.record(touch, th.epoch, &th.clock);
            }
            compare(&self.threads, &mut self.races, t, &th.clock, th.epoch, &touch);
            self.notice_atomic(t, &touch);
        });
        open
    }

    /// Whether an atomic access of thread `t` would race with what the others remember.
    pub(crate) fn races_with_history(&self, t: usize, address: u64, len: u64, write: bool) -> bool {
        if !self.recording {
            return false;
        }
        let th = &self.threads[t];
        let mut races = Vec::new();
        granules(address, len, |granule, mask| {
            let touch = Touch { granule, mask, write, atomic: true, access: AccessId(0) };
            compare(&self.threads, &mut races, t, &th.clock, th.epoch, &touch);
        });
        !races.is_empty()
    }

    /// Compares what thread `t` did since it last arrived at a scheduling point with the others' histories. P1,
    /// definition 7: call it when the thread arrives at a synchronisation operation or has ended.
    pub fn compare_arrival(&mut self, t: usize) {
        if !self.recording {
            return;
        }
        // Nobody else looks at this thread's history meanwhile.
        let mut history = std::mem::take(&mut self.threads[t].history);
        let notice = self.notices(t);
        let (threads, races) = (&self.threads, &mut self.races);
        match &mut self.watch {
            Some(watch) if notice != Notice::Nothing => history.drain_new(|segment, touch| {
                compare(threads, races, t, &segment.clock, segment.epoch, touch);
                watch.note(notice, touch);
            }),
            _ => history
                .drain_new(|segment, touch| compare(threads, races, t, &segment.clock, segment.epoch, touch)),
        }
        self.threads[t].history = history;
    }

    /// Forgets segments that every thread that still runs is ordered after: nobody can race with them any more.
    pub fn forget_known(&mut self) {
        if !self.recording {
            return;
        }
        for t in 0..self.threads.len() {
            if self.threads[t].history.segments().is_empty() {
                continue;
            }
            let known = {
                let others = self.threads.iter().enumerate().filter(|&(u, o)| u != t && !o.ended());
                others.map(|(_, o)| o.clock.get(t)).min().unwrap_or(u32::MAX)
            };
            if self.threads[t].history.segments().iter().any(|s| s.epoch <= known) {
                self.save_thread(t);
                self.threads[t].history.forget(|s| s.epoch <= known);
            }
        }
    }

    /// Joins segments that no clock tells apart, so that a thread that goes round a loop comes back to the same state.
    pub(super) fn merge_segments(&mut self) {
        for t in 0..self.threads.len() {
            if self.threads[t].history.segments().len() < 2 {
                continue;
            }
            let mut known: Vec<u32> = Vec::new();
            for (u, th) in self.threads.iter().enumerate() {
                if u != t {
                    known.push(th.clock.get(t));
                }
                known.extend([th.seen.get(t), th.fenced.get(t)]);
            }
            known.extend(self.sync.clocks().flat_map(|(_, e)| [e.clock.get(t), e.second.get(t)]));
            let between = |a, b| known.iter().any(|&k| a <= k && k < b);
            if self.threads[t].history.can_merge(between) {
                self.save_thread(t);
                self.threads[t].history.merge(between);
            }
        }
    }
}

/// Compares one access of thread `t` with all that the others remember.
pub(crate) fn compare(
    threads: &[Thread],
    races: &mut Vec<RawRace>,
    t: usize,
    clock: &Clock,
    epoch: u32,
    touch: &Touch,
) {
    for (u, other) in threads.iter().enumerate() {
        if u == t {
            continue;
        }
        for segment in other.history.segments() {
            if clock.get(u) >= segment.epoch || segment.clock.get(t) >= epoch {
                continue;
            }
            segment.accesses.conflicting(touch, |theirs| {
                races.push(RawRace { first: (u as u32, *theirs), second: (t as u32, *touch) });
            });
        }
    }
}
