//! Sums over the slots of all threads (see [`crate::slots`]).
//!
//! What pieces left in one thread's slot depends on who executed which of them. But where they only added to their
//! thread's slot, `part[me] += v[i]`, the sum over the slots of all threads does not, and programs compute just that: `for (t) sum
//! += part[t]`.
//!
//! *Families.* An update that a piece makes, as the n-th of its strand, goes to one slot on each thread: these belong together. A
//! *family* is a set of slots that is closed under that, of one size, to which pieces do nothing but add, in all rotations equally often. The
//! code around the pieces may write them before (never after) the constructs whose pieces add. Then the sum of a family's
//! contents is the same in every distribution, if what is added is ([`crate::taint`] looks after that).
//!
//! *Forms.* While slots hold something, pass 2 is followed step by step: a register or a place in memory that holds
//! what was read from a slot, or a sum or difference of such values and of others that are not unconstrained, has a *form*, its
//! coefficients. A value whose form has, for every family, the same coefficient for all members is not unconstrained any more. What
//! is not understood has no form, and stays unconstrained. For floating-point sums that is an assumption, as it is for reductions.

mod follow;

use ir::Module;
use machine::memory::layout::Layout;
use machine::{Edge, Observer, Thread, Work};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::collections::hash_map::Entry;
use std::rc::Rc;

use crate::commute::{Class, Part, Updates};
use crate::objects::{Lives, Names};
use crate::order::{Name, Order};
use crate::ranges::Ranges;
use crate::slots::{self, Slots, Stage};

pub use follow::{Follower, Planned};

/// The most updates that are looked at.
const MAX_EVENTS: usize = 4_000_000;

/// Whether an access is an update that a family can have.
pub fn adds(part: Option<Part>) -> Option<Class> {
    let part = part.filter(|p| !p.feeds && !p.atomic && p.operand.is_some())?;
    let plain = part.choice == ir::UpdateChoice::None && matches!(part.class, Class::Add | Class::FloatAdd);
    plain.then_some(part.class)
}

/// A family: how many slots it has, how large they are, and what is done to them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Family {
    /// How many slots.
    pub size: u32,
    /// Bytes of each.
    pub len: u64,
    /// The operation.
    pub class: Class,
    /// The greatest number of constructs that a thread had come to when it added.
    pub last: u64,
}

/// The families of a program, by phase: the number of the family of each slot.
#[derive(Debug, Clone, Default)]
pub struct Families {
    /// By phase and slot.
    pub of: FxHashMap<(Stage, u64), u32>,
    /// The families.
    pub all: Vec<Family>,
    /// The slots of each phase.
    pub slots: FxHashMap<Stage, Vec<u64>>,
    /// Whether the code around pieces reads slots before the phase ends.
    pub early: bool,
}

#[derive(Debug, Clone)]
struct Slot {
    /// Another slot of the same family, or itself.
    with: u32,
    stage: Stage,
    key: u64,
    len: u64,
    class: Class,
    /// The least and the greatest number of constructs that a thread had come to when it added.
    first: u64,
    last: u64,
    bad: bool,
}

/// Finds the families, from one run for each rotation.
#[derive(Debug, Default)]
pub struct Gathered {
    index: FxHashMap<(Stage, u64), u32>,
    members: Vec<Slot>,
    /// By strand and number: the slot, and in how many runs.
    events: FxHashMap<(Name, u32), (u32, u32)>,
    /// Other writes of the code around the pieces: bytes, and how many constructs the thread had come to.
    around: FxHashMap<Stage, BTreeMap<(u64, u64), u64>>,
    /// Writes that no family can have.
    spoilt: FxHashMap<Stage, Ranges>,
    runs: u32,
    too_many: bool,
    early: bool,
}

impl Gathered {
    /// Another run begins.
    pub fn begin(&mut self) {
        self.runs += 1;
    }

    fn root(&self, mut at: u32) -> u32 {
        while self.members[at as usize].with != at {
            at = self.members[at as usize].with;
        }
        at
    }

    fn add(
        &mut self,
        event: (Name, u32),
        (stage, key, len): (Stage, u64, u64),
        class: Class,
        (first, last): (u64, u64),
    ) {
        let next = self.members.len() as u32;
        let at = *self.index.entry((stage, key)).or_insert(next);
        if at == next {
            self.members.push(Slot { with: at, stage, key, len, class, first, last, bad: false });
        }
        let slot = &mut self.members[at as usize];
        slot.first = slot.first.min(first);
        slot.last = slot.last.max(last);
        slot.bad |= (slot.len, slot.class) != (len, class);
        match self.events.entry(event) {
            Entry::Vacant(v) => {
                v.insert((at, 1));
            }
            Entry::Occupied(mut o) => {
                let (other, times) = o.get_mut();
                *times += 1;
                let other = *other;
                let (a, b) = (self.root(at), self.root(other));
                if self.members[other as usize].stage != stage {
                    self.members[a as usize].bad = true;
                    self.members[b as usize].bad = true;
                }
                self.members[a as usize].with = b;
            }
        }
        self.too_many |= self.events.len() > MAX_EVENTS;
    }

    /// The families.
    pub fn families(mut self) -> Families {
        let mut families = Families { early: self.early, ..Families::default() };
        if self.too_many {
            return families;
        }
        for &(at, times) in self.events.values() {
            self.members[at as usize].bad |= times != self.runs;
        }
        self.spoilt.values_mut().for_each(Ranges::tidy_up);
        let roots: Vec<u32> = (0..self.members.len() as u32).map(|at| self.root(at)).collect();
        let first: FxHashMap<u32, u64> = {
            let mut first = FxHashMap::default();
            for (slot, root) in self.members.iter().zip(&roots) {
                let least = first.entry(*root).or_insert(u64::MAX);
                *least = (*least).min(slot.first);
            }
            first
        };
        let mut bad = FxHashSet::default();
        let mut ends: FxHashMap<Stage, Vec<(u64, u64, u32)>> = FxHashMap::default();
        for (slot, &root) in self.members.iter().zip(&roots) {
            let (from, to) = (slot.key, slot.key.saturating_add(slot.len));
            let one = &self.members[root as usize];
            let other = (slot.stage, slot.len, slot.class) != (one.stage, one.len, one.class);
            let spoilt = self.spoilt.get(&slot.stage).is_some_and(|s| s.touches(from, to));
            let late = self.around.get(&slot.stage).is_some_and(|around| {
                let near = around.range((0, 0)..(to, 0));
                near.into_iter().any(|(&(_, end), &shares)| end > from && shares >= first[&root])
            });
            if slot.bad || other || spoilt || late {
                bad.insert(root);
            }
            ends.entry(slot.stage).or_default().push((from, to, root));
        }
        for list in ends.values_mut() {
            list.sort_unstable();
            for pair in list.windows(2) {
                if pair[1].0 < pair[0].1 {
                    bad.extend([pair[0].2, pair[1].2]);
                }
            }
        }
        let mut numbers = FxHashMap::default();
        for (slot, root) in self.members.iter().zip(&roots).filter(|(_, root)| !bad.contains(root)) {
            let number = *numbers.entry(*root).or_insert_with(|| {
                families.all.push(Family { size: 0, len: slot.len, class: slot.class, last: 0 });
                families.all.len() as u32 - 1
            });
            let family = &mut families.all[number as usize];
            family.size += 1;
            family.last = family.last.max(slot.last);
            families.of.insert((slot.stage, slot.key), number);
            families.slots.entry(slot.stage).or_default().push(slot.key);
        }
        families
    }
}

/// A write of the code around the pieces.
#[derive(Debug)]
struct Around {
    address: u64,
    stage: Stage,
    bytes: (u64, u64),
    /// What was known of the bytes before.
    before: Option<u64>,
}

/// The observer of a run that finds families.
pub struct Gatherer<'m> {
    order: Order,
    lives: Lives,
    names: Names,
    updates: Updates<'m>,
    slots: Rc<Slots>,
    /// How many updates each strand has made.
    counts: FxHashMap<Name, u32>,
    /// The last write of the code around the pieces.
    last: Option<Around>,
    /// What was found, in this run and those before it.
    pub gathered: Gathered,
}

impl<'m> Gatherer<'m> {
    /// One that goes on with what earlier runs have found.
    pub fn new(module: &'m Module, slots: Rc<Slots>, gathered: Gathered, by_thread: bool) -> Gatherer<'m> {
        let layout = Layout::new(module.pointer_bytes);
        Gatherer {
            order: Order::with(by_thread),
            lives: Lives::new(layout),
            names: Names::new(layout),
            updates: Updates::new(module),
            slots,
            counts: FxHashMap::default(),
            last: None,
            gathered,
        }
    }
}

impl Observer for Gatherer<'_> {
    fn access(
        &mut self,
        t: usize,
        th: &Thread,
        address: u64,
        len: u64,
        write: bool,
        atomic: bool,
        _: ir::AccessId,
    ) -> bool {
        if len == 0 || self.gathered.too_many {
            return false;
        }
        let pos = self.order.pos(t);
        let key = slots::key(&self.names, (t, th), self.lives.of(address));
        if !self.slots.written(&self.order, pos, key, len) {
            return false;
        }
        if !write {
            self.gathered.early |= !self.order.is_open(pos);
            return false;
        }
        let Some((region, phase, _)) = self.order.station(pos) else { return false };
        let stage = (region, phase);
        let frame = th.frames.last().map(|f| (f.func.0, f.pc));
        let part = frame.and_then(|(func, pc)| self.updates.part(func, pc));
        let piece = self.order.is_open(pos);
        let shares = th.omp.seats.last().map_or(0, |s| s.shares);
        // A task is executed at some time or other.
        let (first, last) = if self.order.in_task(t) { (0, u64::MAX) } else { (shares, shares) };
        match adds(part).filter(|_| piece && !atomic && !th.maybe) {
            Some(class) => {
                let name = self.order.name(pos).strand();
                let count = self.counts.entry(name).or_default();
                *count += 1;
                self.gathered.add((name, *count), (stage, key, len), class, (first, last));
            }
            None if !piece && !atomic && !th.maybe => {
                let around = self.gathered.around.entry(stage).or_default();
                let before = around.get(&(key, key + len)).copied();
                around.insert((key, key + len), before.unwrap_or_default().max(shares));
                self.last = Some(Around { address, stage, bytes: (key, key + len), before });
            }
            None => self.gathered.spoilt.entry(stage).or_default().add(key, key + len),
        }
        false
    }

    fn edge(&mut self, t: usize, _: &Thread, edge: Edge) {
        match edge {
            Edge::Fork(u) => self.order.fork(t, u),
            Edge::Join(u) => self.order.join(t, u),
            _ => {}
        }
    }

    fn work(&mut self, t: usize, _: &Thread, work: &Work) {
        self.order.work(t, work);
    }

    fn gone(&mut self, _: usize, _: &Thread, address: u64, _: u64) {
        // Freeing counts as a write, but leaves nothing that could be added up.
        if let Some(last) = self.last.take_if(|last| last.address == address)
            && let Some(around) = self.gathered.around.get_mut(&last.stage)
        {
            match last.before {
                Some(shares) => _ = around.insert(last.bytes, shares),
                None => _ = around.remove(&last.bytes),
            }
        }
    }

    fn made(&mut self, t: usize, address: u64) {
        self.lives.made(address);
        if t < self.order.threads() {
            self.names.made(&self.order, self.order.pos(t), self.lives.of(address));
        }
    }
}

/// What pass 2 knows of families while it runs, and tells whoever follows it.
#[derive(Debug, Default)]
pub struct Ledger {
    /// The families.
    pub families: Rc<Families>,
    /// By slot: the phase whose pieces have added to it last, if it has ended and nobody has written the slot since.
    left: BTreeMap<u64, Stage>,
    /// Families whose sum may depend on the distribution.
    spoilt: FxHashSet<u32>,
    /// By family: the sum of what was added, without signs.
    weight: FxHashMap<u32, u128>,
    /// The slot that was read last, and its address.
    read: Option<(u64, u64, (Stage, u64))>,
    /// Something that was written in a way which is not understood, unless it was freed.
    suspect: Option<(u64, Stage, u64, u64)>,
    /// Whether pieces have begun to add.
    begun: bool,
    /// Whether the last access was to something that the schedule decides, or the thread.
    pub open: bool,
    /// What was written since that was asked last.
    written: Vec<(u64, u64)>,
    /// Objects that were made since.
    made: Vec<u64>,
}

impl Ledger {
    /// With families.
    pub fn new(families: Rc<Families>) -> Ledger {
        Ledger { families, ..Ledger::default() }
    }

    /// Whether there is something to follow.
    fn is_open(&self) -> bool {
        !self.left.is_empty() || self.begun && self.families.early
    }

    /// A phase ends: what its slots hold is open.
    pub fn end(&mut self, stage: Stage) {
        if let Some(keys) = self.families.slots.get(&stage) {
            self.left.extend(keys.iter().map(|&key| (key, stage)));
        }
    }

    /// A slot is written behind the phase.
    pub fn cover(&mut self, key: u64, len: u64) {
        if self.left.is_empty() {
            return;
        }
        let from = key.saturating_sub(15);
        let near: Vec<u64> = self.left.range(from..key.saturating_add(len)).map(|(k, _)| *k).collect();
        for slot in near {
            let stage = self.left[&slot];
            let size =
                self.families.of.get(&(stage, slot)).map_or(16, |f| self.families.all[*f as usize].len);
            if slot + size > key {
                self.left.remove(&slot);
            }
        }
    }

    /// Somebody adds to a slot in its phase, or writes it: a value that may be another one in another distribution.
    pub fn spoil(&mut self, stage: Stage, key: u64, len: u64) {
        let bytes = key.saturating_sub(15)..key.saturating_add(len);
        for slot in bytes {
            if let Some(&family) = self.families.of.get(&(stage, slot)) {
                self.spoilt.insert(family);
            }
        }
    }

    /// The same, unless an object with these bytes is freed now.
    pub fn suspect(&mut self, stage: Stage, (address, key, len): (u64, u64, u64)) {
        self.suspect = Some((address, stage, key, len));
    }

    /// Whether what is suspected was freed: if not, it is spoilt.
    pub fn resolve(&mut self, freed: Option<u64>) {
        if let Some((address, stage, key, len)) = self.suspect.take()
            && freed != Some(address)
        {
            self.spoil(stage, key, len);
        }
    }

    /// A piece adds to a slot.
    pub fn add(&mut self, stage: Stage, key: u64, value: u64, len: u64) {
        self.begun = true;
        if let Some(&family) = self.families.of.get(&(stage, key)) {
            let bits = 8 * len.clamp(1, 8) as u32;
            let signed = ((value << (64 - bits)) as i64) >> (64 - bits);
            *self.weight.entry(family).or_default() += u128::from(signed.unsigned_abs());
        }
    }

    /// Something is read behind the phase that pieces have left.
    pub fn read(&mut self, address: u64, key: u64, len: u64) {
        let member = self.left.get(&key).map(|&stage| (stage, key));
        let family = member.and_then(|m| self.families.of.get(&m)).map(|f| self.families.all[*f as usize]);
        self.read = member.filter(|_| family.is_some_and(|f| f.len == len)).map(|m| (address, len, m));
    }

    /// The code around the pieces reads a slot of its thread in the phase, having come to so many constructs. Whether all pieces of
    /// its thread that add to it have done so: then it holds what it will hold at the end of the phase.
    pub fn read_early(&mut self, stage: Stage, (address, key, len): (u64, u64, u64), shares: u64) -> bool {
        let family = self.families.of.get(&(stage, key)).map(|f| self.families.all[*f as usize]);
        let done = family.is_some_and(|f| f.len == len && shares >= f.last);
        self.read = done.then_some((address, len, (stage, key)));
        done
    }

    /// Memory is written.
    pub fn write(&mut self, address: u64, len: u64) {
        if self.is_open() {
            self.written.push((address, len));
        }
    }

    /// An object is made.
    pub fn make(&mut self, address: u64) {
        if self.is_open() {
            self.made.push(address >> 30);
        }
    }
}
