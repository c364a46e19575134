//! What a random execution is watched for: races by full vector clocks, and the skeletons of its strands.
//!
//! For each granule of 8 bytes, the newest access of every thread is kept, by bytes, by whether it writes and by whether it
//! is atomic. That is enough: an older one of the same thread and kind is ordered before the newer, so whoever races
//! with the older races with the newer one as well. Two accesses of one thread race only if they belong to lanes that
//! may run at the same time.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use ir::{AccessId, Module};
use machine::history::{Touch, granules};
use machine::memory::Memory;
use machine::memory::layout::Layout;
use machine::omp::lock::is_reduction_lock;
use machine::{Edge, Observer, Program, RawRace, Thread, Work};
use rustc_hash::FxHashMap;

use crate::clocks::Clocks;
use crate::skeleton::{Claim, Skeletons};
use crate::strands::{Lane, Strands, is_own};

/// More lanes than this are not kept of a granule: the newest are.
const LANES: usize = 16;

/// An access that was made.
#[derive(Debug, Clone, Copy)]
struct Made {
    thread: u32,
    touch: Touch,
    time: u64,
    /// Its time without the runtime's locks for reductions, and whether these do not order it with others of the kind.
    bare: (u64, bool),
    lane: Option<Lane>,
}

/// What is known of a run.
pub(crate) struct Log<'m> {
    module: &'m Module,
    clocks: Clocks,
    /// The clocks without the runtime's locks for reductions, where a combiner is the program's own.
    bare: Option<Clocks>,
    layout: Layout,
    made: FxHashMap<u64, Vec<Made>>,
    strands: Strands,
    has_lanes: bool,
    /// Whether there was ever more than one thread.
    several: bool,
    /// The first race.
    pub race: Option<RawRace>,
    /// The first use of an object that may come behind its end.
    pub late: Option<RawRace>,
    /// The skeletons, if they are compared.
    pub skeletons: Option<Skeletons>,
}

impl<'m> Log<'m> {
    /// Before the first instruction.
    pub fn new(program: &Program<'m>, claim: Option<&Arc<Claim>>, follow: Option<u64>) -> Log<'m> {
        let module = program.module;
        let has_lanes = ["__rp_simd_begin", "__rp_concurrent_begin"].iter().any(|f| module.func(f).is_some());
        Log {
            module,
            clocks: Clocks::default(),
            bare: program.funcs.iter().any(|f| f.combines).then(Clocks::default),
            layout: Layout::new(module.pointer_bytes),
            made: FxHashMap::default(),
            strands: Strands::default(),
            has_lanes,
            several: has_lanes,
            race: None,
            late: None,
            skeletons: claim.map(|claim| Skeletons::new(module, Arc::clone(claim), follow)),
        }
    }

    fn access(
        &mut self,
        t: usize,
        th: &Thread,
        (address, len): (u64, u64),
        (write, atomic): (bool, bool),
        access: AccessId,
        memory: Option<&Memory>,
    ) {
        self.compare(t, th, (address, len), (write, atomic), access, memory);
        if let Some(skeletons) = &mut self.skeletons {
            skeletons.access(self.module, t, th, (address, len), (write, atomic));
        }
    }

    fn compare(
        &mut self,
        t: usize,
        th: &Thread,
        (address, len): (u64, u64),
        (write, atomic): (bool, bool),
        access: AccessId,
        memory: Option<&Memory>,
    ) {
        if self.several && self.race.is_none() {
            let touch = Touch { granule: 0, mask: 0, write, atomic, access };
            let lane = if self.has_lanes { self.strands.lane(t) } else { None };
            let own_from = lane.and_then(|_| self.strands.own_from(t, th));
            let lane = lane.filter(|_| !memory.is_some_and(|m| is_own(m, t, address, own_from)));
            self.touched(t, th, (address, len), touch, lane);
        }
    }

    fn touched(
        &mut self,
        t: usize,
        th: &Thread,
        (address, len): (u64, u64),
        touch: Touch,
        lane: Option<Lane>,
    ) {
        let beside = self.bare.is_some() && th.is_beside(address);
        let time = self.clocks.of(t).at(t);
        let bare_time = self.bare.as_mut().map_or(0, |bare| bare.of(t).at(t));
        let (now, bare) = (self.clocks.of(t), &self.bare);
        let bare_now = |u: u32| bare.as_ref().map_or(0, |bare| bare.known(t, u as usize));
        let (made, found, late) = (&mut self.made, &mut self.race, &mut self.late);
        granules(address, len, |granule, mask| {
            let touch = Touch { granule, mask, ..touch };
            let list = made.entry(granule).or_default();
            let races = |m: &&Made| {
                let other = m.thread as usize != t;
                let lanes = !other && m.lane.zip(lane).is_some_and(|(a, b)| a.beside(b));
                let unordered = match beside && m.bare.1 {
                    true => bare_now(m.thread) < m.bare.0,
                    false => now.at(m.thread as usize) < m.time,
                };
                m.touch.conflicts(&touch) && (lanes || other && unordered)
            };
            for m in list.iter().filter(races) {
                let race = RawRace { first: (m.thread, m.touch), second: (t as u32, touch) };
                let slot = if race.use_and_end().is_some() { &mut *late } else { &mut *found };
                slot.get_or_insert(race);
            }
            let new = Made { thread: t as u32, touch, time, bare: (bare_time, beside), lane };
            put(list, new);
        });
    }
}

/// Keeps an access in place of an older one of its kind.
fn put(list: &mut Vec<Made>, new: Made) {
    let kind = |m: &Made| (m.thread, m.touch.mask, m.touch.write, m.touch.atomic, m.bare.1);
    let same = |m: &Made| kind(m) == kind(&new) && m.lane == new.lane;
    if let Some(old) = list.iter_mut().find(|m| same(m)) {
        *old = new;
        return;
    }
    if new.lane.is_some() && list.iter().filter(|m| kind(m) == kind(&new)).count() >= LANES {
        let oldest = list.iter().position(|m| kind(m) == kind(&new)).unwrap_or(0);
        list.remove(oldest);
    }
    list.push(new);
}

/// The observer of a run.
pub(crate) struct Watch<'m>(pub Rc<RefCell<Log<'m>>>);

impl Observer for Watch<'_> {
    fn access(
        &mut self,
        t: usize,
        th: &Thread,
        address: u64,
        len: u64,
        write: bool,
        atomic: bool,
        access: AccessId,
    ) -> bool {
        self.0.borrow_mut().access(t, th, (address, len), (write, atomic), access, None);
        false
    }

    fn look(&mut self, memory: &Memory) -> bool {
        if let Some(skeletons) = &mut self.0.borrow_mut().skeletons {
            skeletons.look(memory);
        }
        false
    }

    #[inline]
    fn told(
        &mut self,
        t: usize,
        th: &Thread,
        address: u64,
        len: u64,
        write: bool,
        atomic: bool,
        access: AccessId,
        memory: &Memory,
    ) -> (bool, bool) {
        let log = &mut *self.0.borrow_mut();
        log.access(t, th, (address, len), (write, atomic), access, Some(memory));
        if let Some(skeletons) = &mut log.skeletons {
            skeletons.look(memory);
        }
        (false, false)
    }

    fn edge(&mut self, t: usize, th: &Thread, edge: Edge) {
        let log = &mut *self.0.borrow_mut();
        log.several |= matches!(edge, Edge::Fork(_));
        log.clocks.edge(t, edge);
        if let Some(bare) = &mut log.bare {
            let of_reduction = match edge {
                Edge::Acquire(object) | Edge::Release(object) | Edge::ReleaseOnly(object) => {
                    is_reduction_lock(log.layout, object)
                }
                _ => false,
            };
            if !of_reduction {
                bare.edge(t, edge);
            }
        }
        if let Some(skeletons) = &mut log.skeletons {
            skeletons.edge(log.module, t, th, edge);
        }
    }

    fn work(&mut self, t: usize, th: &Thread, work: &Work) {
        let log = &mut *self.0.borrow_mut();
        if log.has_lanes {
            log.strands.work(log.module, t, th, work);
        }
        if let Some(skeletons) = &mut log.skeletons {
            skeletons.work(t, th, work);
        }
    }

    // The end of an object is no step of a skeleton: who comes last may end it.
    fn gone(&mut self, t: usize, th: &Thread, range: (u64, u64), access: Option<AccessId>, memory: &Memory) {
        if let Some(access) = access {
            self.0.borrow_mut().compare(t, th, range, (true, false), access, Some(memory));
        }
    }

    fn made(&mut self, t: usize, address: u64) {
        if let Some(skeletons) = &mut self.0.borrow_mut().skeletons {
            skeletons.made(t, address);
        }
    }
}
