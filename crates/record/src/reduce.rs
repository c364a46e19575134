//! A trace of a run: all synchronisation, and the accesses to memory that could be in a race ([`crate::suspects`]).
//!
//! The events of a thread are in program order, and synchronisation is in the order of the run. Accesses stand as late as
//! the next synchronisation of their thread allows: where two accesses race, which of them came first in the run is not
//! known, and the trace says one of the two.
//!
//! A variable is a piece of memory that no access splits, from its allocation to its end. An access to several of them is
//! several events. Of equal accesses (same variable, same place, same thread, no synchronisation between) the first and the
//! last are kept: nothing can come between them that the first and the last do not see.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use trace::{Event, LocId, LockId, Op, ThreadId, Trace, VarId};

use crate::layout;
use crate::names::Namer;
use crate::order::{Act, Meaning};
use crate::run::{Run, Sync};
use crate::suspects::{self, Suspects};
use crate::walk::{Portion, Visitor, walk};

/// Where an event is in the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin {
    /// The thread's clock.
    pub k: u64,
    /// The recorded thread.
    pub thread: u32,
    /// The site.
    pub site: u32,
}

/// A piece of memory that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Object {
    /// Its address.
    pub address: u64,
    /// Its size.
    pub bytes: u64,
    /// Where it was asked for.
    pub site: u32,
}

/// What is known of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variable {
    /// Its address.
    pub address: u64,
    /// Where it is accessed first.
    pub site: u32,
    /// What it is a part of, if that was asked for.
    pub object: Option<Object>,
}

/// The trace of a run.
#[derive(Debug, Clone, Default)]
pub struct Reduced {
    /// The trace.
    pub trace: Trace,
    /// For each event where it comes from.
    pub origins: Vec<Origin>,
    /// The variables by number.
    pub variables: Vec<Variable>,
    /// The addresses of locks by number.
    pub locks: Vec<u64>,
    /// How many accesses the run has.
    pub accesses: u64,
    /// How many synchronisation records it has.
    pub syncs: u64,
    /// What the reader should know.
    pub notes: Vec<String>,
}

/// One access of a segment.
#[derive(Clone, Copy)]
struct Hit {
    k: u64,
    op: Op,
    site: u32,
}

struct Reducer<'a> {
    run: &'a Run,
    suspects: &'a Suspects,
    meaning: Meaning,
    events: Vec<Event>,
    origins: Vec<Origin>,
    variables: Vec<Variable>,
    /// The variable at an address now.
    at: FxHashMap<u64, VarId>,
    objects: BTreeMap<u64, Object>,
    locks: Vec<u64>,
    lock_at: BTreeMap<u64, LockId>,
    /// Locations by code address.
    locations: FxHashMap<u64, LocId>,
    pcs: Vec<u64>,
    begun: FxHashSet<u32>,
    ended: FxHashSet<u32>,
    hits: Vec<Hit>,
    acts: Vec<(u32, Act)>,
}

impl Reducer<'_> {
    fn location(&mut self, site: u32) -> LocId {
        let pc = self.run.site(site).pc;
        let next = LocId(self.pcs.len() as u32);
        let found = *self.locations.entry(pc).or_insert(next);
        if found == next {
            self.pcs.push(pc);
        }
        found
    }

    fn emit(&mut self, thread: u32, op: Op, origin: Origin) {
        let location = self.location(origin.site);
        self.events.push(Event { thread: ThreadId(thread), op, location });
        self.origins.push(origin);
    }

    fn lock(&mut self, object: u64) -> LockId {
        let next = LockId(self.locks.len() as u32);
        let found = *self.lock_at.entry(object).or_insert(next);
        if found == next {
            self.locks.push(object);
        }
        found
    }

    fn object_of(&self, address: u64) -> Option<Object> {
        let (_, object) = self.objects.range(..=address).next_back()?;
        (address < object.address + object.bytes.max(1)).then_some(*object)
    }

    fn variable(&mut self, address: u64, site: u32) -> VarId {
        if let Some(found) = self.at.get(&address) {
            return *found;
        }
        let id = VarId(self.variables.len() as u32);
        let object = self.object_of(address);
        self.variables.push(Variable { address, site, object });
        self.at.insert(address, id);
        id
    }

    /// The variables of a range of bytes.
    fn cells(&mut self, address: u64, bytes: u64, site: u32, found: &mut Vec<VarId>) {
        let end = address + bytes;
        let mut at = address;
        while at < end {
            let next = (at / 8 + 1) * 8;
            if let Some(cuts) = self.suspects.cuts(at) {
                let (from, to) = (at % 8, end.min(next) - (at / 8) * 8);
                for bit in (from..to).filter(|bit| cuts & 1 << bit != 0 || *bit == from) {
                    let id = self.variable(at / 8 * 8 + bit, site);
                    found.push(id);
                }
            }
            at = next;
        }
    }

    fn hit(&mut self, k: u64, site: u32, address: u64, bytes: u64, (reads, writes): (bool, bool)) {
        let mut found = Vec::new();
        self.cells(address, bytes, site, &mut found);
        for variable in found {
            if reads {
                self.hits.push(Hit { k, op: Op::Read(variable), site });
            }
            if writes {
                self.hits.push(Hit { k, op: Op::Write(variable), site });
            }
        }
    }

    /// Emits the hits of a segment in program order, the first and the last of equal ones.
    fn flush(&mut self, thread: u32) {
        let current = self.meaning.current(thread);
        if let [hit] = self.hits[..] {
            self.hits.clear();
            return self.emit(current, hit.op, Origin { k: hit.k, thread, site: hit.site });
        }
        let mut hits = std::mem::take(&mut self.hits);
        // Reading before writing, as the instructions that do both.
        hits.sort_by_key(|hit| (hit.k, hit.op.is_write()));
        let mut last: FxHashMap<(Op, u32), (usize, bool)> = FxHashMap::default();
        for (i, hit) in hits.iter().enumerate() {
            last.insert((hit.op, hit.site), (i, false));
        }
        for (i, hit) in hits.iter().enumerate() {
            let Some((last, begun)) = last.get_mut(&(hit.op, hit.site)) else { continue };
            if !*begun || *last == i {
                *begun = true;
                self.emit(current, hit.op, Origin { k: hit.k, thread, site: hit.site });
            }
        }
        hits.clear();
        self.hits = hits;
    }

    fn atomic(&mut self, t: u32, origin: Origin, act: Act) {
        let Act::Atomic { address, bytes, reads, writes } = act else { return };
        let mut found = Vec::new();
        self.cells(address, u64::from(bytes), origin.site, &mut found);
        for (wanted, op) in [(reads, Op::AtomicRead as fn(VarId) -> Op), (writes, Op::AtomicWrite)] {
            for variable in found.iter().filter(|_| wanted) {
                self.emit(t, op(*variable), origin);
            }
        }
    }

    /// The variables within this memory, in order.
    fn within(&self, address: u64, bytes: u64) -> Vec<(u64, VarId)> {
        let inside = address..address.saturating_add(bytes);
        let mut found: Vec<(u64, VarId)> = if bytes / 8 > self.at.len() as u64 {
            self.at.iter().filter(|(at, _)| inside.contains(at)).map(|(at, id)| (*at, *id)).collect()
        } else {
            inside.filter_map(|at| Some((at, *self.at.get(&at)?))).collect()
        };
        found.sort_unstable();
        found
    }

    fn gone(&mut self, t: u32, origin: Origin, address: u64, bytes: u64) {
        for (_, variable) in self.within(address, bytes) {
            self.emit(t, Op::Write(variable), origin);
        }
        self.forget(address, bytes);
        self.objects.remove(&address);
    }

    /// What was in this memory is not there any more.
    fn forget(&mut self, address: u64, bytes: u64) {
        for (at, _) in self.within(address, bytes) {
            self.at.remove(&at);
        }
        let locks: Vec<u64> =
            self.lock_at.range(address..address.saturating_add(bytes)).map(|(at, _)| *at).collect();
        for at in locks {
            self.lock_at.remove(&at);
        }
    }

    fn act(&mut self, t: u32, act: Act, origin: Origin) {
        let op = match act {
            Act::Fork(child) => Op::Fork(ThreadId(child)),
            Act::Join(child) if self.begun.contains(&child) => Op::Join(ThreadId(child)),
            Act::Join(_) => return,
            Act::Begin => {
                self.begun.insert(t);
                Op::Begin
            }
            Act::End => {
                self.ended.insert(t);
                Op::End
            }
            Act::Acquire(object) => Op::Acquire(self.lock(object)),
            Act::Release(object) => Op::Release(self.lock(object)),
            Act::Barrier(object) => Op::Barrier(self.lock(object)),
            Act::Notify(object) => Op::Notify(self.lock(object)),
            Act::Wait(object) => Op::Wait(self.lock(object)),
            Act::Atomic { .. } => return self.atomic(t, origin, act),
            Act::Gone { address, bytes } => return self.gone(t, origin, address, bytes),
            Act::New { address, bytes, heap } => {
                self.forget(address, bytes);
                if heap {
                    self.objects.insert(address, Object { address, bytes, site: origin.site });
                }
                return;
            }
        };
        self.emit(t, op, origin);
    }
}

impl Visitor for Reducer<'_> {
    fn segment(&mut self, thread: u32, portions: &[Portion]) {
        for portion in portions {
            let accesses = self.run.threads[thread as usize].accesses[portion.accesses as usize];
            let site = self.run.site(accesses.site);
            let bytes = u64::from(self.run.bytes_of(&accesses));
            if self.suspects.is_empty() {
                continue;
            }
            for i in portion.from..portion.to {
                let address = accesses.address_of(i);
                if bytes <= 8 && self.suspects.cuts(address).is_none() && address % 8 + bytes <= 8 {
                    continue;
                }
                self.hit(accesses.clock_of(i), accesses.site, address, bytes, (site.reads(), site.writes()));
            }
        }
        self.flush(thread);
    }

    fn sync(&mut self, thread: u32, sync: &Sync) {
        let origin = Origin { k: sync.k, thread, site: sync.site };
        let mut acts = std::mem::take(&mut self.acts);
        self.meaning.step(thread, sync, &mut acts);
        for (t, act) in acts.drain(..) {
            self.act(t, act, origin);
        }
        self.acts = acts;
    }
}

/// Makes the trace; the namer says what things are called.
pub fn reduce(run: &Run, namer: &mut Namer<'_>) -> Reduced {
    let suspects = suspects::find(run);
    let mut reducer = Reducer {
        run,
        suspects: &suspects,
        meaning: Meaning::of(run),
        events: Vec::new(),
        origins: Vec::new(),
        variables: Vec::new(),
        at: FxHashMap::default(),
        objects: BTreeMap::new(),
        locks: Vec::new(),
        lock_at: BTreeMap::new(),
        locations: FxHashMap::default(),
        pcs: Vec::new(),
        begun: FxHashSet::default(),
        ended: FxHashSet::default(),
        hits: Vec::new(),
        acts: Vec::new(),
    };
    walk(run, &mut reducer);
    let (accesses, syncs) = run.sizes();
    let Reducer { events, origins, variables, locks, pcs, .. } = reducer;
    let mut reduced = Reduced { origins, variables, locks, accesses, syncs, ..Reduced::default() };
    reduced.trace.events = events;
    merge_locations(&mut reduced.trace, &pcs, namer);
    namer.fill(&mut reduced);
    finish(run, reduced)
}

/// Code addresses of the same place in the source are one location.
fn merge_locations(trace: &mut Trace, pcs: &[u64], namer: &mut Namer<'_>) {
    let mut by_name: FxHashMap<String, LocId> = FxHashMap::default();
    let mut merged = Vec::with_capacity(pcs.len());
    for pc in pcs {
        let name = namer.location(*pc);
        let next = LocId(trace.names.locations.len() as u32);
        let id = *by_name.entry(name.clone()).or_insert(next);
        if id == next {
            trace.names.locations.push(name);
        }
        merged.push(id);
    }
    for event in &mut trace.events {
        event.location = merged[event.location.index()];
    }
}

/// Checks the rules of a trace. What breaks one is left out and said: it is a mistake of this program or of ours.
fn finish(run: &Run, mut reduced: Reduced) -> Reduced {
    let fences = run.threads.iter().flat_map(|t| &t.syncs).filter(|s| s.op == layout::Op::Fence).count();
    if fences > 0 {
        reduced.notes.push(format!("{fences} fences: all atomic accesses are taken to synchronise"));
    }
    if let Err(error) = trace::check::well_formed(&reduced.trace) {
        let (_, left_out) = trace::check::repair(&reduced.trace);
        let out: FxHashSet<usize> = left_out.iter().map(|error| error.event.index()).collect();
        let keep = |i: &usize| !out.contains(i);
        let numbers: Vec<usize> = (0..reduced.trace.events.len()).filter(keep).collect();
        reduced.trace.events = numbers.iter().map(|i| reduced.trace.events[*i]).collect();
        reduced.origins = numbers.iter().map(|i| reduced.origins[*i]).collect();
        reduced
            .notes
            .push(format!("{} events that break the rules of a run are left out ({error})", out.len()));
    }
    // Normalising changes re-entrant locks only; it cannot fail any more.
    let _ = trace::check::normalise(&mut reduced.trace);
    reduced
}
