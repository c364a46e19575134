//! Pass 2: the same run again, with every value that another schedule could change marked as unconstrained.
//!
//! *Rule.* A read is unconstrained if some write to its bytes is not ordered with it by D; a write stores an unconstrained
//! value if another write to its bytes is not ordered with it. Both not for commutative updates among each other. A read
//! that is left alone sees memory whose last write is either the same in all schedules, or stored an unconstrained value:
//! see `docs/soundness.md`. Positions and instructions are those of pass 1, because it is the same run.
//!
//! Reads of a thread's own memory are unclean where [`crate::private`] says so.
//!
//! The same pass computes for each strand a hash over what it touches and writes, with unconstrained values left out: if that is
//! the same in all rotations of the distribution, no strand depends on the thread that executes it.
//!
//! An atomic read-modify-write gives back an unconstrained value if any other write is unordered with it. What it leaves in
//! memory the machine computes from memory, so the bytes whose value depends on the order are kept here.

use std::rc::Rc;

use ir::AccessId;
use ir::{Const, Inst, Module, Opnd, UpdateChoice};
use machine::memory::Memory;
use machine::memory::layout::Layout;
use machine::{Edge, Observer, Thread, Work};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::combine::{Combiners, Coming, Outcomes, Place};
use crate::commute::{Class, Updates};
use crate::conflict::AllMarks;
use crate::levels::Levels;
use crate::objects::{Lives, Names};
use crate::order::{Name, Order, Pos};
use crate::private;
use crate::ranges::Ranges;
use crate::record::{At, Recorder, at, is_of_tasks};
use crate::slots::{self, Contents, Slots};
use crate::sums::{self, Families, Ledger};

/// A read that another schedule could give another value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unclean {
    /// Where.
    pub address: u64,
    /// How many bytes.
    pub len: u64,
    /// The source access.
    pub access: AccessId,
}

/// An access whose value is in memory only.
#[derive(Debug, Clone, Copy)]
struct Unseen {
    name: Name,
    pos: Pos,
    address: u64,
    len: u64,
    /// Whether it has been told, so that it will have happened when the next one is.
    done: bool,
}

/// The observer of pass 2.
pub struct Tainter<'m> {
    module: &'m Module,
    layout: Layout,
    updates: Updates<'m>,
    marks: Rc<AllMarks>,
    unclean_own: FxHashSet<(Pos, At)>,
    /// Reads of own memory that hand on partial results.
    fed: FxHashSet<(Pos, At)>,
    /// Accesses whose values are not to be seen in the instruction: they are looked up in memory when that has happened.
    unseen: Vec<Unseen>,
    /// How many of these each strand had.
    looked: FxHashMap<Name, u64>,
    /// Different in every run.
    salt: u64,
    levels: Levels,
    /// By task reduction: the one operation of its tasks, if it is one.
    reduced: FxHashMap<u64, Option<Class>>,
    /// The copies of variables that tasks reduce, by object.
    copies: FxHashMap<u64, u64>,
    combiners: Combiners,
    /// What they stored in pass 1.
    outcomes: Outcomes,
    /// What one is about to store.
    coming: Option<(Place, Option<Coming>)>,
    settles: bool,
    /// Whether a combiner has stored something: that was taken to be the same in every order.
    pub combined: bool,
    /// The strand whose accesses are kept, to find out where runs differ.
    watched: Option<Name>,
    /// What it did: the instruction, and a hash of the access.
    pub seen: Vec<(At, u128)>,
    /// What each strand of a region does in any case, in order.
    strands: FxHashMap<Name, u128>,
    /// What it may do, in any order.
    sides: FxHashMap<Name, u128>,
    /// The hash of an access that may happen, while it is computed.
    side: Option<u128>,
    order: Order,
    lives: Lives,
    names: Names,
    slots: Rc<Slots>,
    /// What pieces left in slots.
    contents: Contents,
    /// What is known of sums over slots.
    pub ledger: Ledger,
    /// Stores whose values depend on the executing thread.
    varying: Rc<FxHashSet<At>>,
    /// What each instruction stores in regions, in all strands together: a sum of hashes.
    values: FxHashMap<At, u128>,
    /// Bytes that atomic operations left in an order that the schedule decides.
    mixed: Ranges,
    /// The last unclean read of each thread.
    pub last: Vec<Option<Unclean>>,
    /// How many accesses were unclean.
    pub unclean: u64,
}

impl<'m> Tainter<'m> {
    /// With what pass 1 has found.
    pub fn new(
        module: &'m Module,
        recorder: &Recorder<'_>,
        (slots, families, varying): (Rc<Slots>, Rc<Families>, Rc<FxHashSet<At>>),
        salt: u64,
        watched: Option<Name>,
    ) -> Tainter<'m> {
        let marks = Rc::clone(&recorder.conflicts.marks);
        let private = &recorder.private;
        let layout = Layout::new(module.pointer_bytes);
        let (updates, strands) = (Updates::new(module), FxHashMap::default());
        Tainter {
            module,
            layout,
            updates,
            salt,
            levels: Levels::default(),
            reduced: recorder.reduced.clone(),
            copies: FxHashMap::default(),
            combiners: Combiners::new(module),
            outcomes: recorder.outcomes.clone(),
            coming: None,
            settles: false,
            combined: false,
            watched,
            seen: Vec::new(),
            unclean_own: private.unclean.clone(),
            fed: private.fed.clone(),
            unseen: Vec::new(),
            looked: FxHashMap::default(),
            strands,
            sides: FxHashMap::default(),
            side: None,
            marks,
            order: Order::with(recorder.order.by_thread),
            lives: Lives::new(layout),
            names: Names::new(layout),
            slots,
            contents: Contents::default(),
            ledger: Ledger::new(families),
            varying,
            values: FxHashMap::default(),
            mixed: Ranges::default(),
            last: Vec::new(),
            unclean: 0,
        }
    }

    #[cold]
    fn note(&mut self, t: usize, address: u64, len: u64, access: AccessId) {
        self.unclean += 1;
        if self.last.len() <= t {
            self.last.resize(t + 1, None);
        }
        self.last[t] = Some(Unclean { address, len, access });
    }
}

impl Tainter<'_> {
    /// Whether an access is to memory of the thread's own, or of an implicit task around it.
    fn is_own(&self, t: usize, th: &Thread, address: u64) -> bool {
        private::own(self.layout, self.levels.depth(t), t, th, address).is_some()
            || self.levels.find(self.layout, t, address).is_some()
    }

    /// Whether an access goes to slots of the thread's.
    fn in_slot(&self, t: usize, th: &Thread, address: u64, len: u64) -> bool {
        let key = slots::key(&self.names, (t, th), self.lives.of(address));
        self.slots.hold(&self.order, self.order.pos(t), key, len)
    }

    /// Whether an access sees what some pieces have left in slots, which depends on who executed them.
    fn is_left(
        &mut self,
        t: usize,
        th: &Thread,
        (address, len): (u64, u64),
        write: bool,
        atomic: bool,
    ) -> bool {
        let pos = self.order.pos(t);
        let key = slots::key(&self.names, (t, th), self.lives.of(address));
        let plain = write && !atomic && !th.maybe;
        self.ledger.resolve(None);
        if write {
            self.ledger.write(address, len);
        }
        if self.slots.written(&self.order, pos, key, len) {
            if write {
                self.note_slot(t, th, (address, key, len), plain);
            }
            if plain && self.order.is_open(pos) {
                self.contents.write(t, key, len);
            }
            let open = (!write || atomic) && !self.contents.own(t, key, len);
            let done = open && !write && self.is_done(t, th, (address, key, len));
            self.ledger.open |= open && !done;
            return open;
        }
        if !self.contents.found(key, len) {
            return false;
        }
        if write {
            self.ledger.cover(key, len);
        }
        if plain {
            self.contents.cover(key, len);
        } else if !write {
            self.ledger.read(address, key, len);
        }
        self.ledger.open |= write && !plain;
        !write || atomic
    }

    /// Whether the code around pieces reads a slot of its thread's to which no piece will add in this phase any more.
    fn is_done(&mut self, t: usize, th: &Thread, read: (u64, u64, u64)) -> bool {
        let pos = self.order.pos(t);
        let (Some((region, phase, Some(_))), Some(seat)) = (self.order.station(pos), th.omp.seats.last())
        else {
            return false;
        };
        !self.order.is_open(pos) && self.ledger.read_early((region, phase), read, seat.shares)
    }

    /// A phase of a region ends: what its pieces left in slots is open from here on.
    fn end_stage(&mut self, region: u32) {
        self.ledger.resolve(None);
        if let Some(stage) = self.order.stage(region) {
            self.contents.end(&self.slots, Some(stage));
            self.ledger.end(stage);
        }
    }

    /// Takes note of a write to a slot, for the sum of its family.
    fn note_slot(&mut self, t: usize, th: &Thread, (address, key, len): (u64, u64, u64), plain: bool) {
        let pos = self.order.pos(t);
        let Some((region, phase, _)) = self.order.station(pos) else { return };
        let (stage, at) = ((region, phase), at(th));
        let part = self.updates.part((at >> 32) as u32, at as u32);
        let piece = self.order.is_open(pos);
        if plain && piece && sums::adds(part).is_some() && !self.varying.contains(&at) {
            let operand = part.and_then(|p| p.operand).and_then(|o| self.number(th, o));
            if let Some((value, 0)) = operand {
                self.mix_stored(t, at, [value, 0, 0, 1]);
                return self.ledger.add(stage, key, value, len);
            }
        } else if plain && !piece {
            let stored = self.stored(t, th, true);
            if stored.is_none() {
                return self.ledger.suspect(stage, (address, key, len));
            }
            let open = |o: &Opnd| self.operand(th, *o).1 != 0;
            if stored.is_some_and(|all| all.iter().flatten().count() > 0 && !all.iter().flatten().any(open)) {
                return;
            }
        }
        self.ledger.spoil(stage, key, len);
    }

    /// Whether an access to a copy of a variable that tasks reduce has a value that depends on who shares the copy.
    fn is_shared_copy(&mut self, th: &Thread, address: u64) -> bool {
        let Some(item) = self.copies.get(&(address >> 30)) else { return false };
        let Some(class) = self.reduced.get(item).copied().flatten() else { return true };
        let at = at(th);
        self.updates.part((at >> 32) as u32, at as u32).is_none_or(|p| p.class != class)
    }

    /// Mixes what memory holds now into a strand's hash. It comes in no order, but counted.
    fn mix_memory(&mut self, unseen: &Unseen, memory: &Memory) {
        let number = self.looked.entry(unseen.name).or_default();
        *number += 1;
        let number = *number;
        let outer = self.side.replace(1);
        self.mix_into(unseen.name, [number, unseen.len, 0, 0]);
        let mut at = 0;
        while at < unseen.len {
            let len = (unseen.len - at).min(8);
            match memory.resolve(unseen.address + at, len, false) {
                Ok(spot) => {
                    let (value, open) = memory.load(spot, len as usize);
                    let value = if open == 0 { self.lives.of(value) } else { value & !open };
                    let [a, b, c] = self.names.canonical_at(&self.order, unseen.pos, value);
                    self.mix_into(unseen.name, [a, b, c, 0]);
                }
                Err(_) => self.mix_into(unseen.name, [u64::MAX, self.salt, 0, 0]),
            }
            at += len;
        }
        let hash = std::mem::replace(&mut self.side, outer).unwrap_or_default();
        let sum = self.sides.entry(unseen.name).or_default();
        *sum = sum.wrapping_add(hash);
    }

    /// Mixes something that the thread does into its strand's hash.
    fn mix(&mut self, t: usize, words: [u64; 4]) {
        let name = self.order.name(self.order.pos(t)).strand();
        self.mix_into(name, words);
    }

    fn mix_into(&mut self, name: Name, words: [u64; 4]) {
        let hash = match &mut self.side {
            Some(hash) => hash,
            None => self.strands.entry(name).or_default(),
        };
        for word in words {
            *hash = (*hash ^ u128::from(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
            *hash ^= *hash >> 61;
        }
    }

    /// Mixes a lock in. Those of a region, with which the runtime combines reductions, count by their place there.
    fn mix_lock(&mut self, t: usize, th: &Thread, lock: u64) {
        match private::of_region(self.layout, lock) {
            Some(place) => self.mix(t, [place, 4 << 32, 0, 0]),
            None => self.mix_value(t, th, lock),
        }
    }

    /// Mixes a value in, which may be the address of something that corresponds to another thing in other distributions.
    fn mix_value(&mut self, t: usize, th: &Thread, value: u64) {
        let value = self.lives.of(value);
        let [a, b, c] = self.names.canonical(&self.order, self.order.pos(t), (t, th), value);
        self.mix(t, [a, b, c, 0]);
    }

    /// What a strand of a region does, as far as other schedules do it too. What a branch decides that is taken both ways
    /// comes in any order.
    fn hash(&mut self, t: usize, th: &Thread, address: u64, len: u64, write: bool) {
        if let Some(watched) = self.watched
            && self.order.name(self.order.pos(t)).strand() == watched
        {
            let before = self.side.replace(1);
            self.hash_access(t, th, address, len, write);
            let hash = std::mem::replace(&mut self.side, before).unwrap_or_default();
            self.seen.push((at(th), hash));
        }
        if !th.maybe {
            return self.hash_access(t, th, address, len, write);
        }
        self.side = Some(1);
        self.hash_access(t, th, address, len, write);
        let hash = self.side.take().unwrap_or_default();
        let name = self.order.name(self.order.pos(t)).strand();
        let sum = self.sides.entry(name).or_default();
        *sum = sum.wrapping_add(hash);
    }

    /// What each strand of a region does, as hashes.
    pub fn take_strands(&mut self) -> FxHashMap<Name, u128> {
        // What nobody looked at is not equal to anything.
        for unseen in std::mem::take(&mut self.unseen) {
            self.mix_into(unseen.name, [u64::MAX, self.salt, 0, 0]);
        }
        let mut strands = std::mem::take(&mut self.strands);
        for (name, sum) in std::mem::take(&mut self.sides) {
            let hash = strands.entry(name).or_default();
            *hash = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835).wrapping_add(sum);
        }
        strands
    }

    fn hash_access(&mut self, t: usize, th: &Thread, address: u64, len: u64, write: bool) {
        let local = self.lives.of(address);
        if self.lives.is_local(local) && self.names.is_made_by(&self.order, self.order.pos(t), local) {
            // Only the piece itself needs what it keeps there for a while: what it does with it shows elsewhere.
            return;
        }
        let at = at(th);
        self.mix(t, [at, len << 1 | u64::from(write), 0, 0]);
        self.mix_value(t, th, address);
        let Some(stored) = self.stored(t, th, write) else {
            // What is written is not seen here: where another thread could do it, memory is looked at.
            let open = self.order.is_open(self.order.pos(t));
            let own = private::own(self.layout, self.levels.depth(t), t, th, address).is_some();
            let carried = own && self.names.is_carried(self.lives.of(address));
            if open && (write || carried) {
                let pos = self.order.pos(t);
                let name = self.order.name(pos).strand();
                self.unseen.push(Unseen { name, pos, address, len, done: false });
            }
            return;
        };
        if write && self.varying.contains(&at) {
            return;
        }
        // What is stored is compared by itself: if that alone depends on the thread, it counts as unconstrained.
        for (i, o) in stored.into_iter().flatten().enumerate() {
            let [a, b, c] = match self.operand(th, o) {
                (value, 0) => {
                    let value = self.lives.of(value);
                    self.names.canonical(&self.order, self.order.pos(t), (t, th), value)
                }
                (value, open) => [value & !open, 0, 0],
            };
            self.mix_stored(t, at, [a, b, c, i as u64]);
        }
    }

    /// Adds something that an instruction stores to all that it does.
    fn mix_stored(&mut self, t: usize, at: At, words: [u64; 4]) {
        if self.watched.is_some() {
            return self.mix(t, words);
        }
        let name = self.order.name(self.order.pos(t)).strand();
        let so_far = self.side.or_else(|| self.strands.get(&name).copied()).unwrap_or_default();
        let outer = self.side.replace(so_far);
        self.mix_into(name, words);
        self.mix_into(name, [name.id, name.phase().into(), 0, 0]);
        let hash = std::mem::replace(&mut self.side, outer).unwrap_or_default();
        let sum = self.values.entry(at).or_default();
        *sum = sum.wrapping_add(hash);
    }

    /// What every instruction stored, as hashes.
    pub fn take_values(&mut self) -> FxHashMap<At, u128> {
        std::mem::take(&mut self.values)
    }

    /// Whether the operand of an update here is a partial result.
    fn is_fed(&self, fed: Option<u32>, t: usize, func: u32) -> bool {
        fed.is_some_and(|pc| self.fed.contains(&(self.order.pos(t), u64::from(func) << 32 | u64::from(pc))))
    }

    /// The value of an operand, also of a constant.
    fn number(&self, th: &Thread, o: Opnd) -> Option<(u64, u64)> {
        if !o.is_const() {
            return Some(self.operand(th, o));
        }
        let body = self.module.funcs[th.frames.last()?.func.0 as usize].body.as_ref()?;
        match body.consts.get(o.index()) {
            Some(Const::Bits(bits)) => Some((*bits, 0)),
            _ => None,
        }
    }

    fn operand(&self, th: &Thread, o: Opnd) -> (u64, u64) {
        match th.frames.last() {
            // Constants are the same on all threads.
            Some(frame) if !o.is_const() => {
                let slot = frame.base + o.index();
                (th.slots[slot], th.shadows[slot])
            }
            _ => (0, 0),
        }
    }

    /// The operands whose values an access stores, if that is known; none for a load.
    fn stored(&mut self, t: usize, th: &Thread, write: bool) -> Option<[Option<Opnd>; 2]> {
        let frame = th.frames.last()?;
        let body = self.module.funcs[frame.func.0 as usize].body.as_ref()?;
        match body.code[frame.pc as usize] {
            Inst::Store { src, ty, .. } => match self.updates.part(frame.func.0, frame.pc) {
                // A partial result: all of them together are the same in every distribution.
                Some(_) if private::reduces(self.layout, th) => Some([None, None]),
                Some(part) if part.choice == UpdateChoice::Picks => Some([None, None]),
                Some(part) if self.is_fed(part.fed, t, frame.func.0) => Some([None, None]),
                Some(part) => part.operand.map(|o| [Some(o), None]),
                None => Some([Some(src), (ty.slots() == 2).then(|| src.second())]),
            },
            Inst::AtomicStore { src, ty, .. } | Inst::AtomicRmw { src, ty, .. } => {
                let fed = self.updates.part(frame.func.0, frame.pc).and_then(|p| p.fed);
                if self.is_fed(fed, t, frame.func.0) {
                    return Some([None, None]);
                }
                Some([Some(src), (ty.slots() == 2).then(|| src.second())])
            }
            Inst::Fill { byte, .. } => Some([Some(byte), None]),
            Inst::Load { .. } | Inst::AtomicLoad { .. } => Some([None, None]),
            // The contents of a copy are those of its source, unless that is the thread's own.
            Inst::Copy { .. } | Inst::VaCopy { .. } if write => Some([None, None]),
            // A list begins with the arguments of the call, which are the strand's own.
            Inst::VaStart { .. } => Some([None, None]),
            _ => None,
        }
    }

    /// Whether another schedule, or another thread, could give an access another value.
    fn is_open(
        &mut self,
        t: usize,
        th: &Thread,
        (address, len): (u64, u64),
        write: bool,
        atomic: bool,
        access: AccessId,
    ) -> bool {
        let team = !th.omp.seats.is_empty();
        if team && write && !self.varying.is_empty() && self.varying.contains(&at(th)) {
            if atomic {
                let address = self.lives.of(address);
                self.mixed.add(address, address + len);
                self.mixed.tidy_up();
            }
            self.note(t, address, len, access);
            return true;
        }
        let quiet = self.marks.is_empty() && self.mixed.is_empty() && self.unclean_own.is_empty();
        if len == 0 || quiet && self.copies.is_empty() {
            return false;
        }
        if write && self.combiners.run(th) && !self.is_own(t, th, address) {
            let place = (self.order.pos(t), at(th), address);
            self.coming = Some((place, Coming::of(self.module, th, len)));
        }
        if !self.copies.is_empty() && self.is_shared_copy(th, address) {
            self.note(t, address, len, access);
            return true;
        }
        let (real, address) = (address, self.lives.of(address));
        let to = address + len;
        if !write && self.unclean_own.contains(&(self.order.pos(t), at(th))) && self.is_own(t, th, real) {
            self.note(t, real, len, access);
            return true;
        }
        let marks = self.marks.get(&(self.order.pos(t), at(th), write));
        let bad = marks.is_some_and(|m| m.bad.touches(address, to));
        let any = bad || marks.is_some_and(|m| m.any.touches(address, to));
        let seen = (!write || atomic) && !self.mixed.is_empty() && self.mixed.touches(address, to);
        if write && atomic && bad {
            self.mixed.add(address, to);
            self.mixed.tidy_up();
        } else if write && !atomic && !th.maybe && !self.mixed.is_empty() {
            // What it stores is marked by itself, if need be.
            self.mixed.remove(address, to);
        }
        let open = if write && atomic { any || seen } else { bad || seen };
        if open {
            self.note(t, real, len, access);
        }
        open
    }
}

impl Observer for Tainter<'_> {
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
        let team = !th.omp.seats.is_empty();
        let slot = !self.slots.is_empty() && len > 0 && self.in_slot(t, th, address, len);
        if team && len > 0 && !slot {
            self.hash(t, th, address, len, write);
        }
        self.settles = false;
        if !self.slots.is_empty() && len > 0 && self.is_left(t, th, (address, len), write, atomic) {
            self.note(t, address, len, access);
            return true;
        }
        let open = self.is_open(t, th, (address, len), write, atomic, access);
        self.ledger.open |= open;
        open
    }

    fn settles(&self) -> bool {
        self.settles
    }

    fn look(&mut self, memory: &Memory) {
        if let Some((place, coming)) = self.coming.take() {
            self.settles = self.outcomes.has(place, coming.and_then(|c| c.hash(memory)));
            self.combined |= self.settles;
        }
        if self.unseen.is_empty() {
            return;
        }
        // Those of before have happened; the access that is told now has not.
        let all = std::mem::take(&mut self.unseen);
        for mut unseen in all {
            if std::mem::replace(&mut unseen.done, true) {
                self.mix_memory(&unseen, memory);
            } else {
                self.unseen.push(unseen);
            }
        }
    }

    fn edge(&mut self, t: usize, th: &Thread, edge: Edge) {
        match edge {
            Edge::Lock(lock, _) | Edge::Unlock(lock) if is_of_tasks(lock) => {}
            Edge::Lock(lock, shared) if !th.omp.seats.is_empty() => {
                self.mix(t, [1, u64::from(shared), 0, 0]);
                self.mix_lock(t, th, lock);
            }
            Edge::Unlock(lock) if !th.omp.seats.is_empty() => {
                self.mix(t, [2, 0, 0, 0]);
                self.mix_lock(t, th, lock);
            }
            Edge::Fork(u) => self.order.fork(t, u),
            Edge::Join(u) => self.order.join(t, u),
            _ => {}
        }
    }

    fn work(&mut self, t: usize, th: &Thread, work: &Work) {
        match work {
            Work::Fork { members, .. } => self.levels.fork(&self.order, (t, th), members, 0),
            Work::Join { region } => {
                self.levels.join(t);
                self.end_stage(*region);
            }
            Work::Phase { region } => self.end_stage(*region),
            Work::Begin { .. }
            | Work::End { .. }
            | Work::Point
            | Work::TaskBegin { .. }
            | Work::TaskEnd { .. } => self.contents.turn(t),
            Work::Copy { item, address } => {
                self.copies.insert(address >> 30, *item);
            }
            _ => {}
        }
        self.order.work(t, work);
    }

    fn gone(&mut self, _: usize, _: &Thread, address: u64, len: u64) {
        self.ledger.resolve(Some(address));
        // What a freed object held last is nobody's.
        self.unseen.retain(|u| u.address.wrapping_sub(address) >= len.max(1));
    }

    fn identity(&mut self, t: usize, _: &Thread) -> bool {
        // Pieces of work are executed once by every thread; a task is not, unless that is wanted.
        self.order.within_task(t) && !(self.order.by_thread && self.order.in_task(t))
    }

    fn made(&mut self, t: usize, address: u64) {
        self.ledger.make(address);
        self.lives.made(address);
        self.names.made(&self.order, self.order.pos(t), self.lives.of(address));
    }
}
