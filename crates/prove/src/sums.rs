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

use ir::{CastOp, FloatOp, FuncId, Inst, IntOp, Module, Opnd, Scalar};
use machine::memory::layout::Layout;
use machine::{Edge, Machine, Observer, Thread, Work};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::collections::hash_map::Entry;
use std::rc::Rc;

use crate::commute::{Class, Part, Updates};
use crate::drive::Watch;
use crate::objects::{Lives, Names};
use crate::order::{Name, Order};
use crate::ranges::Ranges;
use crate::slots::{self, Slots, Stage};
use crate::taint::Tainter;

/// The most steps that are followed.
const MAX_STEPS: u64 = 30_000_000;
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

/// The observer of a run that finds families.
pub struct Gatherer<'m> {
    order: Order,
    lives: Lives,
    names: Names,
    updates: Updates<'m>,
    slots: Rc<Slots>,
    /// How many updates each strand has made.
    counts: FxHashMap<Name, u32>,
    /// The last write of the code around the pieces: its address, and what was known before it.
    last: Option<(u64, Stage, (u64, u64), Option<u64>)>,
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
                self.last = Some((address, stage, (key, key + len), before));
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
        if let Some((_, stage, bytes, before)) = self.last.take_if(|l| l.0 == address)
            && let Some(around) = self.gathered.around.get_mut(&stage)
        {
            match before {
                Some(shares) => _ = around.insert(bytes, shares),
                None => _ = around.remove(&bytes),
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

/// A sum of slots with coefficients.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Form {
    class: Class,
    bits: u8,
    /// By slot, never zero.
    terms: BTreeMap<(Stage, u64), u64>,
}

impl Form {
    /// `self + factor * other`.
    fn plus(mut self, other: &Form, factor: u64) -> Form {
        for (slot, coefficient) in &other.terms {
            let sum = self.terms.entry(*slot).or_default();
            *sum = sum.wrapping_add(coefficient.wrapping_mul(factor)) & mask(self.bits);
        }
        self.terms.retain(|_, c| *c != 0);
        self
    }

    fn times(mut self, factor: u64) -> Form {
        for c in self.terms.values_mut() {
            *c = c.wrapping_mul(factor) & mask(self.bits);
        }
        self.terms.retain(|_, c| *c != 0);
        self
    }

    /// Whether it is the same in every distribution: all members of a family count equally.
    fn is_closed(&self, ledger: &Ledger) -> bool {
        let mut seen: FxHashMap<(Stage, u32), (u64, u32)> = FxHashMap::default();
        for (slot, &c) in &self.terms {
            let Some(&family) = ledger.families.of.get(slot) else { return false };
            if ledger.spoilt.contains(&family) {
                return false;
            }
            let (coefficient, count) = seen.entry((slot.0, family)).or_insert((c, 0));
            if *coefficient != c {
                return false;
            }
            *count += 1;
        }
        seen.iter().all(|((_, family), (_, count))| ledger.families.all[*family as usize].size == *count)
    }
}

fn mask(bits: u8) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// Where a thread stands before a step.
#[derive(Debug, Clone, Copy)]
struct Stand {
    func: FuncId,
    pc: u32,
    base: usize,
    depth: usize,
    /// The address of a plain load or store.
    address: Option<u64>,
    /// Whether a branch is decided by an unconstrained value.
    open: bool,
}

/// Follows pass 2.
pub struct Follower<'t, 'm> {
    tainter: &'t RefCell<Tainter<'m>>,
    /// By thread and slot of the machine.
    registers: FxHashMap<(usize, usize), Form>,
    /// By address.
    memory: BTreeMap<u64, (u64, Form)>,
    /// By thread: the calls that were followed, with the depth and where the result goes.
    calls: FxHashMap<usize, Vec<(usize, usize, u32)>>,
    stand: Option<Stand>,
    /// By thread: how many functions it was in after its last step.
    depths: FxHashMap<usize, usize>,
    steps: u64,
    /// Whether a floating-point sum was taken to be the same in every order.
    pub float_assumed: bool,
}

impl<'t, 'm> Follower<'t, 'm> {
    /// Of a pass that is about to begin.
    pub fn new(tainter: &'t RefCell<Tainter<'m>>) -> Follower<'t, 'm> {
        Follower {
            tainter,
            registers: FxHashMap::default(),
            memory: BTreeMap::default(),
            calls: FxHashMap::default(),
            stand: None,
            depths: FxHashMap::default(),
            steps: 0,
            float_assumed: false,
        }
    }

    fn forget(&mut self, t: usize) {
        self.registers.retain(|(u, _), _| *u != t);
        self.calls.remove(&t);
    }

    fn overwrite(&mut self, address: u64, len: u64) {
        let near = self.memory.range(address.saturating_sub(15)..address.saturating_add(len));
        let hit: Vec<u64> = near.filter(|(at, (size, _))| **at + size > address).map(|(at, _)| *at).collect();
        for at in hit {
            self.memory.remove(&at);
        }
    }

    /// What others have written, or was made anew, has no form.
    fn told(&mut self) {
        let (written, made) = {
            let mut tainter = self.tainter.borrow_mut();
            let ledger = &mut tainter.ledger;
            (std::mem::take(&mut ledger.written), std::mem::take(&mut ledger.made))
        };
        for (address, len) in written {
            self.overwrite(address, len);
        }
        for object in made {
            self.memory.retain(|at, _| at >> 30 != object);
        }
    }

    /// The form of an operand: `Err` if it is unconstrained and has none.
    fn form(&self, machine: &Machine, t: usize, base: usize, o: Opnd) -> Result<Option<Form>, ()> {
        let shadow = if o.is_const() { 0 } else { machine.threads[t].shadows[base + o.index()] };
        match self.registers.get(&(t, base + o.index())).filter(|_| !o.is_const()) {
            Some(form) => Ok(Some(form.clone())),
            None if shadow == 0 => Ok(None),
            None => Err(()),
        }
    }

    /// The form that an instruction gives its result, of operands as they are before it.
    fn result(&self, machine: &Machine, t: usize, stand: &Stand, inst: &Inst) -> Option<Form> {
        let form = |o: Opnd| self.form(machine, t, stand.base, o);
        let value = |o: Opnd| machine.value_of(t, o).filter(|v| v.1 == 0).map(|v| v.0);
        match *inst {
            Inst::Move { src, .. } => form(src).ok().flatten(),
            Inst::Int { op: op @ (IntOp::Add | IntOp::Sub), bits, a, b, .. } => {
                let factor = if op == IntOp::Add { 1 } else { u64::MAX };
                let sum = match (form(a).ok()?, form(b).ok()?) {
                    (None, None) => return None,
                    (Some(a), None) => a,
                    (None, Some(b)) => b.times(factor),
                    (Some(a), Some(b)) if (a.class, a.bits) == (b.class, b.bits) => a.plus(&b, factor),
                    _ => return None,
                };
                (sum.class == Class::Add && sum.bits == bits).then_some(sum)
            }
            Inst::Int { op: IntOp::Mul, bits, a, b, .. } => {
                let (sum, factor) = match (form(a).ok()?, form(b).ok()?) {
                    (Some(a), None) => (a, value(b)?),
                    (None, Some(b)) => (b, value(a)?),
                    _ => return None,
                };
                (sum.class == Class::Add && sum.bits == bits).then(|| sum.times(factor))
            }
            Inst::Float { op: op @ (FloatOp::Add | FloatOp::Sub), ty: Scalar::F64, a, b, .. } => {
                let factor = if op == FloatOp::Add { 1 } else { u64::MAX };
                let sum = match (form(a).ok()?, form(b).ok()?) {
                    (None, None) => return None,
                    (Some(a), None) => a,
                    (None, Some(b)) => b.times(factor),
                    (Some(a), Some(b)) if a.class == b.class => a.plus(&b, factor),
                    _ => return None,
                };
                (sum.class == Class::FloatAdd).then_some(sum)
            }
            Inst::Cast { op: CastOp::Trunc, to: Scalar::Int(to), src, .. } => {
                let form = form(src).ok().flatten().filter(|f| f.class == Class::Add && to <= f.bits)?;
                Some(Form { bits: to, ..form }.times(1))
            }
            Inst::Cast { op: CastOp::SExt, to: Scalar::Int(to), src, .. } if to <= 64 => {
                let form = form(src).ok().flatten().filter(|f| f.class == Class::Add)?;
                self.fits(&form, machine.value_of(t, src)?.0).then_some(Form { bits: to, ..form })
            }
            _ => None,
        }
    }

    /// Whether a form is one slot that holds no number too large for it in any distribution: then widening it is the
    /// same as computing in the wider type.
    fn fits(&self, form: &Form, value: u64) -> bool {
        let tainter = self.tainter.borrow();
        let ledger = &tainter.ledger;
        let mut terms = form.terms.iter();
        let (Some((slot, 1)), None) = (terms.next(), terms.next()) else { return false };
        let Some(family) = ledger.families.of.get(slot) else { return false };
        let shift = 64 - u32::from(form.bits);
        let now = u128::from((((value << shift) as i64) >> shift).unsigned_abs());
        let most = ledger.weight.get(family).copied().unwrap_or_default();
        now + 2 * most < 1 << (form.bits - 1)
    }

    /// The copies that an edge makes.
    fn follow_edge(&mut self, machine: &Machine, t: usize, stand: &Stand, edges: &[ir::EdgeId]) {
        let Some(body) = machine.program.module.funcs[stand.func.0 as usize].body.as_ref() else { return };
        let now = machine.threads[t].frames.last().map(|f| f.pc);
        let there = |e: &&ir::EdgeId| Some(body.edges[e.0 as usize].target) == now;
        let taken: Vec<_> = edges.iter().filter(there).collect();
        for &&edge in &taken {
            let edge = body.edges[edge.0 as usize];
            for &(dst, src) in &body.moves[edge.moves as usize..(edge.moves + edge.move_count) as usize] {
                let form = match taken.len() {
                    1 if !src.is_const() => self.registers.get(&(t, stand.base + src.index())).cloned(),
                    _ => None,
                };
                self.put(t, stand.base + dst.0 as usize, form);
            }
        }
        if taken.is_empty() {
            self.forget(t);
        }
    }

    fn put(&mut self, t: usize, slot: usize, form: Option<Form>) {
        match form {
            Some(form) => _ = self.registers.insert((t, slot), form),
            None => _ = self.registers.remove(&(t, slot)),
        }
    }

    /// A result is there: what is the same in every distribution is not unconstrained.
    fn settle(&mut self, machine: &mut Machine, t: usize, slot: usize, form: Option<Form>) {
        if let Some(form) = &form
            && form.is_closed(&self.tainter.borrow().ledger)
        {
            self.float_assumed |= form.class.is_assumed();
            machine.threads[t].shadows[slot] = 0;
            self.registers.remove(&(t, slot));
            return;
        }
        self.put(t, slot, form);
    }
}

impl Watch for Follower<'_, '_> {
    fn waits(&mut self, _: usize, _: usize) {}

    fn ended(&mut self, t: usize) {
        self.forget(t);
    }

    fn steered(&self) -> bool {
        false
    }

    fn follows(&mut self) -> bool {
        let follows = self.steps < MAX_STEPS && self.tainter.borrow().ledger.is_open();
        if !follows {
            self.registers.clear();
            self.memory.clear();
            self.depths.clear();
        }
        follows
    }

    fn before(&mut self, machine: &Machine, t: usize) {
        self.steps += 1;
        self.told();
        let th = &machine.threads[t];
        if self.depths.get(&t).is_some_and(|depth| *depth != th.frames.len()) {
            // Something else than a step has called a function or returned.
            self.forget(t);
        }
        let ledger = &mut self.tainter.borrow_mut().ledger;
        (ledger.read, ledger.open) = (None, false);
        self.stand = th.frames.last().and_then(|f| {
            let body = machine.program.module.funcs[f.func.0 as usize].body.as_ref()?;
            let (address, open) = match body.code[f.pc as usize] {
                Inst::Load { addr, .. } | Inst::Store { addr, .. } => (machine.value_of(t, addr), false),
                Inst::Branch { cond: o, .. } | Inst::Switch { value: o, .. } => {
                    (None, machine.value_of(t, o).is_some_and(|v| v.1 != 0))
                }
                _ => (None, false),
            };
            let address = address.filter(|a| a.1 == 0).map(|a| a.0);
            Some(Stand { func: f.func, pc: f.pc, base: f.base, depth: th.frames.len(), address, open })
        });
    }

    fn after(&mut self, machine: &mut Machine, t: usize, planned: Planned) {
        self.told();
        self.depths.insert(t, machine.threads[t].frames.len());
        let Some(stand) = self.stand.take() else { return self.forget(t) };
        let program = machine.program;
        let Some(body) = program.module.funcs[stand.func.0 as usize].body.as_ref() else {
            return self.forget(t);
        };
        let inst = &body.code[stand.pc as usize];
        let depth = machine.threads[t].frames.len();
        if stand.open {
            // Both ways were gone.
            self.memory.clear();
            return self.forget(t);
        }
        if depth > stand.depth {
            let base = machine.threads[t].frames[stand.depth].base;
            self.registers.retain(|(u, slot), _| *u != t || *slot < base);
            match *inst {
                Inst::Call { site } if depth == stand.depth + 1 => {
                    let site = &body.calls[site as usize];
                    let result = stand.base + site.result.0 as usize;
                    self.calls.entry(t).or_default().push((stand.depth, result, site.result_slots));
                }
                _ => self.forget(t),
            }
            return;
        }
        if depth < stand.depth {
            self.registers.retain(|(u, slot), _| *u != t || *slot < stand.base);
            match self.calls.get_mut(&t).and_then(Vec::pop) {
                Some((to, result, count)) if to == depth && matches!(inst, Inst::Return { .. }) => {
                    for slot in result..result + count as usize {
                        self.registers.remove(&(t, slot));
                    }
                }
                _ => self.forget(t),
            }
            return;
        }
        match *inst {
            Inst::Load { dst, ty, .. } => {
                let form = self.loaded(stand.address, ty);
                self.settle(machine, t, stand.base + dst.0 as usize, form);
                if ty.slots() > 1 {
                    self.registers.remove(&(t, stand.base + dst.0 as usize + 1));
                }
            }
            Inst::Store { .. } => match (stand.address, planned.stored) {
                (Some(address), Some((len, form))) => {
                    self.overwrite(address, len);
                    let open = self.tainter.borrow().ledger.open;
                    if let Some(form) = form.filter(|_| !open) {
                        self.memory.insert(address, (len, form));
                    }
                }
                _ => self.memory.clear(),
            },
            Inst::Jump { .. } | Inst::Branch { .. } | Inst::Switch { .. } | Inst::IndirectJump { .. } => {
                let mut edges = Vec::new();
                inst.edges(body, &mut |edge| edges.push(edge));
                self.follow_edge(machine, t, &stand, &edges);
            }
            Inst::Invoke { .. } | Inst::LandingPad { .. } | Inst::Resume { .. } => self.forget(t),
            _ => {
                let mut defs = Vec::new();
                inst.defs(body, &mut |slot, count| defs.push((slot.0 as usize, count as usize)));
                for (slot, count) in defs {
                    for slot in slot..slot + count {
                        self.registers.remove(&(t, stand.base + slot));
                    }
                }
                match *inst {
                    Inst::Move { dst, .. }
                    | Inst::Int { dst, .. }
                    | Inst::Float { dst, .. }
                    | Inst::Cast { dst, .. } => {
                        self.settle(machine, t, stand.base + dst.0 as usize, planned.result);
                    }
                    Inst::Alloca { dst, .. } => {
                        let made = machine.threads[t].slots[stand.base + dst.0 as usize] >> 30;
                        self.memory.retain(|at, _| at >> 30 != made);
                    }
                    // Memory that no observer is told of may change by these.
                    Inst::Copy { .. }
                    | Inst::Fill { .. }
                    | Inst::LifetimeStart { .. }
                    | Inst::LifetimeEnd { .. }
                    | Inst::StackRestore { .. }
                    | Inst::AtomicStore { .. }
                    | Inst::AtomicRmw { .. }
                    | Inst::CmpXchg { .. }
                    | Inst::VaStart { .. }
                    | Inst::VaCopy { .. }
                    | Inst::VaArg { .. } => self.memory.clear(),
                    _ => {}
                }
            }
        }
    }

    fn plan(&self, machine: &Machine, t: usize) -> Planned {
        let Some(stand) = &self.stand else { return Planned::default() };
        let Some(body) = machine.program.module.funcs[stand.func.0 as usize].body.as_ref() else {
            return Planned::default();
        };
        let inst = &body.code[stand.pc as usize];
        match *inst {
            Inst::Store { src, ty, .. } => {
                let form = self.form(machine, t, stand.base, src).ok().flatten();
                let fits = form.filter(|f| scalar(ty) == Some((f.class, f.bits)));
                let len = u64::from(machine.program.module.pointer_bytes).max(16);
                Planned { result: None, stored: Some((bytes(ty).unwrap_or(len), fits)) }
            }
            _ => Planned { result: self.result(machine, t, stand, inst), stored: None },
        }
    }
}

impl Follower<'_, '_> {
    /// The form of what was loaded just now.
    fn loaded(&self, address: Option<u64>, ty: Scalar) -> Option<Form> {
        let (class, bits) = scalar(ty)?;
        let address = address?;
        let len = bytes(ty)?;
        let tainter = self.tainter.borrow();
        if tainter.ledger.open {
            return None;
        }
        if let Some((at, size, slot)) = tainter.ledger.read {
            let family = tainter.ledger.families.of.get(&slot)?;
            let fits =
                (at, size) == (address, len) && tainter.ledger.families.all[*family as usize].class == class;
            return fits.then(|| Form { class, bits, terms: BTreeMap::from([(slot, 1)]) });
        }
        self.memory
            .get(&address)
            .filter(|(size, f)| *size == len && (f.class, f.bits) == (class, bits))
            .map(|m| m.1.clone())
    }
}

/// How values of a type are added, and how many bits they have.
fn scalar(ty: Scalar) -> Option<(Class, u8)> {
    match ty {
        Scalar::Int(bits @ (8 | 16 | 32 | 64)) => Some((Class::Add, bits)),
        Scalar::F64 => Some((Class::FloatAdd, 64)),
        _ => None,
    }
}

fn bytes(ty: Scalar) -> Option<u64> {
    match ty {
        Scalar::Int(bits) if bits <= 64 => Some(u64::from(bits).div_ceil(8)),
        Scalar::F32 => Some(4),
        Scalar::F64 | Scalar::Ptr => Some(8),
        _ => None,
    }
}

/// What the next step will leave, as far as that is known before it.
#[derive(Debug, Clone, Default)]
pub struct Planned {
    result: Option<Form>,
    /// The size of what is stored, and its form.
    stored: Option<(u64, Option<Form>)>,
}
