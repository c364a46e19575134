//! Pass 1: what the run does, sorted into pieces.
//!
//! A *piece* is what one strand touches at one position of D in one lock context: for each instruction a set of byte
//! ranges. A loop that runs through an array is one range. Pieces are compared ([`crate::conflict`]) and freed as soon as
//! everything still to come is ordered after them, so that memory stays in proportion to what is concurrent.

use std::rc::Rc;

use ir::{AccessId, Const, Inst, Module, PlaceId};
use machine::memory::Memory;
use machine::memory::layout::Layout;
use machine::{Edge, Observer, Thread, Work};
use rustc_hash::FxHashMap;

use crate::combine::{Combiners, Coming, Outcomes, Place};
use crate::commute::{Class, Part, Updates};
use crate::conflict::Conflicts;
use crate::deadlock::Nesting;
use crate::levels::{Level, Levels};
use crate::locks::{Context, Locks};
use crate::objects::{Lives, Names};
use crate::order::{Name, Order, Pos};
use crate::private::{Private, Touch};
use crate::ranges::Ranges;
use crate::slots::{self, Slots};

/// An instruction of the program, as a number: function and program counter.
pub type At = u64;

/// What the ends of objects are recorded as.
pub const GONE: At = u64::MAX;

/// What one instruction touches in a piece.
#[derive(Debug, Clone)]
pub struct Site {
    /// The instruction.
    pub at: At,
    /// The source access.
    pub access: AccessId,
    /// Whether it writes.
    pub write: bool,
    /// Whether it is atomic.
    pub atomic: bool,
    /// Whether it is part of a commutative update.
    pub part: Option<Part>,
    /// Whether the bytes are the executing thread's own, in a region.
    pub private: bool,
    /// Whether they are slots of the executing thread's.
    pub slot: bool,
    /// Whose own they are, if they are an implicit task's around the innermost region.
    pub level: Option<Level>,
    /// The constant that a plain store stores, if that is always the same.
    pub value: Option<u64>,
    /// For parts of updates: the size of the element and where elements begin.
    pub grid: u32,
    /// The bytes.
    pub ranges: Ranges,
}

/// What a strand does at one position in one lock context.
#[derive(Debug)]
pub struct Piece {
    /// The position.
    pub pos: Pos,
    /// The locks.
    pub context: Context,
    /// The thread.
    pub thread: usize,
    /// What it touches.
    pub sites: Vec<Site>,
    index: FxHashMap<(At, u64), u32>,
    /// The sites used last, by the low bits of the instruction.
    cache: [((At, u64), u32); 8],
}

impl Piece {
    fn new(pos: Pos, context: Context, thread: usize) -> Piece {
        let index = FxHashMap::default();
        Piece { pos, context, thread, sites: Vec::new(), index, cache: [((0, u64::MAX), 0); 8] }
    }

    #[inline]
    fn site(&mut self, key: (At, u64), make: impl FnOnce() -> Site) -> &mut Site {
        let slot = (key.0 & 7) as usize;
        if self.cache[slot].0 == key {
            return &mut self.sites[self.cache[slot].1 as usize];
        }
        let sites = &mut self.sites;
        let at = *self.index.entry(key).or_insert_with(|| {
            sites.push(make());
            sites.len() as u32 - 1
        });
        self.cache[slot] = (key, at);
        &mut self.sites[at as usize]
    }
}

/// Where a thread did something whose order the schedule decides.
#[derive(Debug, Clone, Copy)]
pub struct Steered {
    /// What it waited for.
    pub what: &'static str,
    /// Where.
    pub place: PlaceId,
}

/// The observer of pass 1.
pub struct Recorder<'m> {
    module: &'m Module,
    /// The shared order.
    pub order: Order,
    /// The locks.
    pub locks: Locks,
    /// How locks are nested.
    pub nesting: Nesting,
    updates: Updates<'m>,
    pieces: Vec<Piece>,
    by_key: FxHashMap<(Pos, Context), usize>,
    current: Vec<Option<usize>>,
    /// What threads keep in memory of their own.
    pub private: Private,
    /// What those around them keep.
    levels: Levels,
    /// By task reduction, what its tasks do with their copies: one operation, or several things.
    pub reduced: FxHashMap<u64, Option<Class>>,
    /// The copies, by object.
    copies: FxHashMap<u64, u64>,
    /// What was found so far.
    pub conflicts: Conflicts,
    /// The first thing that steers.
    pub steered: Option<Steered>,
    /// Where a task asked which thread executes it.
    pub identity: Option<PlaceId>,
    /// Whether some task did.
    pub tasks_ask: bool,
    /// By task: the numbers of the threads that executed it, and how many threads its team has.
    pub executed: FxHashMap<Name, (u64, u32)>,
    /// Whether a thread of a nested team asked for its number.
    pub asks_inside: bool,
    /// Objects that were at the same address one after another.
    pub lives: Lives,
    /// Who made which object.
    pub names: Names,
    /// A task that a piece of work created uses what the piece's thread has for itself.
    pub shared_own: Option<AccessId>,
    /// The threads of the regions in progress.
    teams: FxHashMap<u32, Vec<usize>>,
    /// How many accesses there were.
    pub accesses: u64,
    limit: usize,
    layout: Layout,
    combiners: Combiners,
    /// What a combiner is about to store.
    coming: Option<(Place, Option<Coming>)>,
    /// What combiners of user-defined reductions have stored.
    pub outcomes: Outcomes,
    slots: Rc<Slots>,
}

/// Bits of an offset in an object.
const OFFSET: u32 = 30;

/// Ranges before the first collection.
const FIRST: usize = 1 << 14;

impl<'m> Recorder<'m> {
    /// A recorder of a run that is about to begin.
    pub fn new(module: &'m Module, slots: Rc<Slots>, by_thread: bool) -> Recorder<'m> {
        Recorder {
            module,
            order: Order::with(by_thread),
            locks: Locks::new(),
            nesting: Nesting::default(),
            updates: Updates::new(module),
            pieces: Vec::new(),
            by_key: FxHashMap::default(),
            current: Vec::new(),
            private: Private::new(module),
            levels: Levels::default(),
            reduced: FxHashMap::default(),
            copies: FxHashMap::default(),
            conflicts: Conflicts::default(),
            steered: None,
            identity: None,
            tasks_ask: false,
            executed: FxHashMap::default(),
            asks_inside: false,
            lives: Lives::new(Layout::new(module.pointer_bytes)),
            names: Names::new(Layout::new(module.pointer_bytes)),
            shared_own: None,
            teams: FxHashMap::default(),
            accesses: 0,
            limit: FIRST,
            layout: Layout::new(module.pointer_bytes),
            combiners: Combiners::new(module),
            coming: None,
            outcomes: Outcomes::default(),
            slots,
        }
    }

    /// Who takes a lock, for the nesting: a thread, or a strand that another distribution could move to another thread.
    fn who(&self, t: usize) -> usize {
        let pos = self.order.pos(t);
        if self.order.is_open(pos) { (self.order.chain(pos) as usize) + (1 << 32) } else { t }
    }

    fn wait_with_locks(&mut self, t: usize) {
        if !self.locks.held(t).is_empty() {
            let who = self.who(t);
            for h in self.locks.held(t).to_vec() {
                self.nesting.wait(who, h.lock);
            }
        }
    }

    /// Who waits for something else than a lock, holding locks.
    fn waits(&mut self, t: usize, work: &Work) {
        match work {
            Work::Arrive(_)
            | Work::TaskWait { .. }
            | Work::OrderedBegin { .. }
            | Work::Sink { .. }
            // A thread may execute another task on top.
            | Work::Point
            | Work::TaskCreate { .. } => self.wait_with_locks(t),
            Work::Fork { region, members } => {
                self.wait_with_locks(t);
                self.teams.insert(*region, members.clone());
            }
            Work::Phase { region } | Work::Join { region } => {
                for member in self.teams.get(region).cloned().unwrap_or_default() {
                    self.wait_with_locks(member);
                }
            }
            _ => {}
        }
    }

    /// Whether what a thread touches of its own can be touched by this strand alone, or by others on this thread.
    fn is_private(&self, t: usize, address: u64) -> bool {
        // A thread-local variable whose address a task was given, or one of the implicit task's, is not the task's.
        !self.order.in_task(t) || self.lives.is_local(address)
    }

    /// Which thread's variable a task uses that a piece of work created depends on who executed the piece, and so which tasks
    /// share it.
    fn check_shared_own(&mut self, t: usize, address: u64, access: AccessId) {
        if self.shared_own.is_none() && self.order.in_task_of_piece(t) {
            let region = self.order.seat(self.order.pos(t)).0;
            if self.names.is_of_implicit(address, region) {
                self.shared_own = Some(access);
            }
        }
    }

    /// What is done with a copy of a variable that tasks reduce: are these updates of one kind?
    fn touch_copy(&mut self, th: &Thread, address: u64, part: Option<Part>) {
        let Some(&item) = self.copies.get(&(address >> OFFSET)) else { return };
        let frame =
            th.frames.last().and_then(|f| Some((self.module.funcs[f.func.0 as usize].body.as_ref()?, f.pc)));
        if frame.is_some_and(|(body, pc)| matches!(body.code[pc as usize], Inst::Call { .. })) {
            // It is freed.
            return;
        }
        let class = part.filter(|p| !p.atomic).map(|p| p.class);
        let all = self.reduced.entry(item).or_insert(class);
        if *all != class {
            *all = None;
        }
    }

    /// A thread has ended.
    pub fn ended(&mut self, t: usize) {
        self.order.end(t);
        self.collect_some();
    }

    fn moved(&mut self, t: usize) {
        if let Some(current) = self.current.get_mut(t) {
            *current = None;
        }
    }

    #[inline]
    fn piece(&mut self, t: usize) -> usize {
        if let Some(&Some(at)) = self.current.get(t) {
            return at;
        }
        self.find_piece(t)
    }

    fn find_piece(&mut self, t: usize) -> usize {
        if self.current.len() <= t {
            self.current.resize(t + 1, None);
        }
        let key = (self.order.pos(t), self.locks.now(t));
        let at = match self.by_key.get(&key) {
            Some(&at) => at,
            None => {
                self.pieces.push(Piece::new(key.0, key.1, t));
                self.by_key.insert(key, self.pieces.len() - 1);
                self.pieces.len() - 1
            }
        };
        self.current[t] = Some(at);
        at
    }

    /// Compares and frees what can be, if there is much.
    fn collect_some(&mut self) {
        if self.pieces.len() < self.limit / 8 {
            let ranges: usize =
                self.pieces.iter().flat_map(|p| &p.sites).map(|s| s.ranges.list().len()).sum();
            if ranges < self.limit {
                return;
            }
        }
        self.collect(false);
        let left: usize = self.pieces.iter().flat_map(|p| &p.sites).map(|s| s.ranges.list().len()).sum();
        self.limit = (2 * left.max(8 * self.pieces.len())).max(FIRST);
    }

    /// Compares pieces, and frees those that everything still to come is ordered after (or `all`, at the end).
    pub fn collect(&mut self, all: bool) {
        let settled = self.order.settled();
        let done: Vec<bool> = self.pieces.iter().map(|p| all || settled.is(p.pos)).collect();
        if !done.contains(&true) {
            return;
        }
        self.pieces.iter_mut().flat_map(|p| &mut p.sites).for_each(|s| s.ranges.tidy_up());
        self.conflicts.sweep(&self.order, &self.locks, &self.pieces, &done);
        let mut done = done.into_iter();
        self.pieces.retain(|_| !done.next().unwrap_or(false));
        self.by_key.clear();
        for (i, p) in self.pieces.iter().enumerate() {
            self.by_key.insert((p.pos, p.context), i);
        }
        self.current.iter_mut().for_each(|c| *c = None);
    }

    fn user_place(&self, th: &Thread) -> PlaceId {
        user_place(self.module, th)
    }
}

/// What the store at which a thread stands stores, if it is a constant of one word: that depends on nothing.
fn stored_value(module: &Module, th: &Thread) -> Option<u64> {
    let frame = th.frames.last()?;
    let body = module.funcs[frame.func.0 as usize].body.as_ref()?;
    let (src, ty) = match body.code[frame.pc as usize] {
        Inst::Store { src, ty, .. } | Inst::AtomicStore { src, ty, .. } => (src, ty),
        _ => return None,
    };
    match body.consts.get(src.index()) {
        Some(Const::Bits(bits)) if src.is_const() && ty.slots() == 1 => Some(*bits),
        _ => None,
    }
}

/// Whether a lock is that of tasks that exclude each other.
pub fn is_of_tasks(lock: u64) -> bool {
    lock >> 63 != 0
}

/// The place of the user's code in which a thread stands.
pub fn user_place(module: &Module, th: &Thread) -> PlaceId {
    let places = th.frames.iter().rev().filter_map(|f| {
        let function = &module.funcs[f.func.0 as usize];
        let place = function.body.as_ref().map(|b| b.places[f.pc as usize])?;
        (!function.system && place != PlaceId::NONE).then_some(place)
    });
    places.into_iter().next().unwrap_or(PlaceId::NONE)
}

/// The instruction at which a thread stands.
#[inline]
pub fn at(th: &Thread) -> At {
    th.frames.last().map_or(GONE - 1, |f| u64::from(f.func.0) << 32 | u64::from(f.pc))
}

/// Size and place of an element, for parts of updates.
#[inline]
pub fn grid(address: u64, len: u64) -> u32 {
    let len = len.max(1);
    (len.min(0xffff) as u32) | ((address % len) as u32 & 0xffff) << 16
}

impl Observer for Recorder<'_> {
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
        if len == 0 {
            return false;
        }
        self.accesses += 1;
        let at = at(th);
        let mut part = self.updates.part((at >> 32) as u32, at as u32);
        let own = self.private.own(self.levels.depth(t), t, th, address);
        let reduces = part.is_some_and(|p| p.feeds) && self.private.reduces(th);
        let raw = part;
        if part.is_some_and(|p| p.feeds) && own.is_none() {
            part = None;
        }
        let plain = write && len <= 8 && part.is_none();
        let value = if plain { stored_value(self.module, th) } else { None };
        let grid = if part.is_some() || value.is_some() { grid(address, len) } else { 0 };
        let local = self.lives.of(address);
        let made = self.lives.is_local(local) && self.names.is_made_by(&self.order, self.order.pos(t), local);
        let own_here = own.filter(|_| !made);
        let around = if own.is_none() { self.levels.find(self.layout, t, address) } else { None };
        let slot = !self.slots.is_empty() && {
            let key = slots::key(&self.names, (t, th), local);
            self.slots.hold(&self.order, self.order.pos(t), key, len)
        };
        if !slot && let Some(own) = own_here.or(around.map(|a| a.1)) {
            let shares = th.omp.seats.last().map(|s| s.shares);
            let level = around.map(|a| a.0);
            let touch = Touch {
                own,
                len,
                write,
                at,
                part,
                maybe: th.maybe,
                reduces,
                shares,
                truth: value.map(|v| v != 0),
                level,
            };
            self.private.touch(t, &self.order, touch);
        }
        if write && own.is_none() && around.is_none() && self.combiners.run(th) {
            let coming = Coming::of(self.module, th, len);
            self.coming = Some(((self.order.pos(t), at, address), coming));
        }
        if !self.copies.is_empty() {
            self.touch_copy(th, address, raw);
        }
        let address = self.lives.of(address);
        let private = own.is_some() && self.is_private(t, address) && !slot;
        if self.order.by_thread && !slot && self.order.within_task(t) && slots::is_thread_local(address, t) {
            // A thread-local variable that is not its thread's alone.
            self.identity = self.identity.or_else(|| Some(self.user_place(th)));
        }
        self.check_shared_own(t, address, access);
        let piece = self.piece(t);
        let level = around.map(|a| a.0);
        let flags =
            u64::from(slot) << 3 | u64::from(private) << 2 | u64::from(write) << 1 | u64::from(atomic);
        let key = (at, level.map_or(0, |l| u64::from(l.chain) + 1) << 36 | u64::from(grid) << 4 | flags);
        let ranges = Ranges::default();
        let make = || Site { at, access, write, atomic, part, private, slot, level, value, grid, ranges };
        let site = self.pieces[piece].site(key, make);
        site.ranges.add(address, address + len);
        if site.value != value {
            site.value = None;
        }
        false
    }

    fn look(&mut self, memory: &Memory) {
        if let Some((place, coming)) = self.coming.take() {
            self.outcomes.note(place, coming.and_then(|c| c.hash(memory)));
        }
    }

    fn edge(&mut self, t: usize, _: &Thread, edge: Edge) {
        match edge {
            Edge::Fork(u) => {
                self.order.fork(t, u);
                self.moved(t);
                self.moved(u);
            }
            Edge::Join(u) => {
                self.wait_with_locks(t);
                self.order.join(t, u);
                self.moved(t);
                self.collect_some();
            }
            // Tasks that exclude each other (`mutexinoutset`): see `Order::exclude`.
            Edge::Lock(lock, _) | Edge::Unlock(lock) if is_of_tasks(lock) => {}
            Edge::Lock(lock, shared) => {
                let held: Vec<_> = self.locks.held(t).iter().map(|h| (h.lock, h.shared)).collect();
                let who = self.who(t);
                self.nesting.lock(who, &held, lock, shared);
                self.locks.lock(t, lock, shared);
                self.moved(t);
            }
            Edge::Unlock(lock) => {
                self.locks.unlock(t, lock);
                self.moved(t);
            }
            _ => {}
        }
    }

    fn work(&mut self, t: usize, th: &Thread, work: &Work) {
        if let Work::Steered(what) = *work {
            if self.steered.is_none() {
                self.steered = Some(Steered { what, place: self.user_place(th) });
            }
            return;
        }
        self.waits(t, work);
        if *work == Work::Identity {
            self.asks_inside |= th.omp.seats.iter().filter(|s| s.size > 1).count() > 1;
            if self.order.within_task(t) {
                self.tasks_ask = true;
                let known = self.order.by_thread && self.order.in_task(t);
                if !known && self.identity.is_none() {
                    self.identity = Some(self.user_place(th));
                }
            }
            return;
        }
        match work {
            Work::Fork { members, .. } => {
                let mine = self.private.top(t);
                self.levels.fork(&self.order, (t, th), members, mine);
            }
            Work::Join { .. } => self.levels.join(t),
            Work::Copy { item, address } => {
                self.copies.insert(address >> OFFSET, *item);
                return;
            }
            _ => {}
        }
        self.order.work(t, work);
        if let (Work::TaskBegin { .. }, Some(number)) = (work, self.order.number(t)) {
            let name = self.order.name(self.order.pos(t)).strand();
            let size = th.omp.seats.last().map_or(0, |seat| seat.size);
            let (numbers, team) = self.executed.entry(name).or_default();
            *numbers |= 1 << number.min(63);
            *team = (*team).max(size);
        }
        self.private.work(t, work);
        match work {
            Work::Fork { members, .. } => members.iter().for_each(|&m| self.moved(m)),
            Work::Phase { .. } | Work::Join { .. } => {
                self.current.iter_mut().for_each(|c| *c = None);
                self.collect_some();
            }
            Work::Leave(_) => {
                self.moved(t);
                self.collect_some();
            }
            Work::Point => {}
            _ => self.moved(t),
        }
    }

    fn identity(&mut self, t: usize, _: &Thread) -> bool {
        self.tasks_ask |= self.order.within_task(t);
        false
    }

    fn made(&mut self, t: usize, address: u64) {
        self.lives.made(address);
        if t < self.order.threads() {
            self.names.made(&self.order, self.order.pos(t), self.lives.of(address));
        }
    }

    fn gone(&mut self, t: usize, th: &Thread, address: u64, len: u64) {
        if len == 0 {
            return;
        }
        let access = AccessId(1 << 31 | self.user_place(th).0);
        let own = self.private.own(self.levels.depth(t), t, th, address).is_some();
        let address = self.lives.of(address);
        let private = own && self.is_private(t, address);
        let piece = self.piece(t);
        let make = || Site {
            at: GONE,
            access,
            write: true,
            atomic: false,
            part: None,
            private,
            slot: false,
            level: None,
            value: None,
            grid: 0,
            ranges: Ranges::default(),
        };
        self.pieces[piece].site((GONE, 2 | u64::from(private) << 2), make).ranges.add(address, address + len);
    }
}
