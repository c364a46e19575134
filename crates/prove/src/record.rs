//! Pass 1: what the run does, sorted into pieces.
//!
//! A *piece* is what one strand touches at one position of D in one lock context: for each instruction a set of byte
//! ranges. A loop that runs through an array is one range. Pieces are compared ([`crate::conflict`]) and freed as soon as
//! everything still to come is ordered after them, so that memory stays in proportion to what is concurrent.

use ir::{AccessId, Const, Inst, Module, PlaceId};
use machine::memory::Memory;
use machine::memory::layout::Layout;
use machine::names::is_turn;
use machine::{Edge, Observer, Thread, Work};
use rustc_hash::FxHashMap;

use crate::cells::{Cells, Table};
use crate::combine::{Combiners, Coming, Outcomes, Place};
use crate::commute::{Class, Part, Updates};
use crate::conflict::Conflicts;
use crate::deadlock::Nesting;
use crate::folds::{Events, Kind};
use crate::locks::{self, Context, Locks};
use crate::order::{self, Level, Name, Order, Pos, Stage};
use crate::owners::{Owners, Uses};
use crate::ranges::Ranges;
use crate::rules::Rule;

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
    /// Whether another schedule may leave it out.
    pub maybe: bool,
    /// The constant that a plain store stores, if that is always the same.
    pub value: Option<u64>,
    /// For parts of updates: the size of the element and where elements begin.
    pub grid: u32,
    /// The bytes, as keys of cells.
    pub ranges: Ranges,
}

impl Site {
    /// How it writes, if that is by updates.
    pub fn kind(&self) -> Option<Kind> {
        Kind::of(self.part, self.value, self.maybe, self.grid)
    }
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
    pub what: base::reason::Used,
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
    /// The objects of the run.
    pub cells: Cells,
    /// What threads touch, in this run and those before it.
    pub uses: Uses,
    /// The updates that strands make, in this run and those before it.
    pub events: Events,
    /// Where a piece begins inside pieces of two regions around it.
    pub deep: Option<PlaceId>,
    /// Where a piece sets a control variable of its thread.
    sets_control: Option<PlaceId>,
    /// Where something depends on one, in a region.
    uses_control: Option<PlaceId>,
    /// What open strands end, and where.
    ends: FxHashMap<(Stage, PlaceId), Ranges>,
    /// An access of a region to something of which it is not known what made it.
    pub nameless: Option<AccessId>,
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
}

/// Bits of an offset in an object.
const OFFSET: u32 = 30;

/// Ranges before the first collection.
const FIRST: usize = 1 << 14;

impl<'m> Recorder<'m> {
    /// A recorder of a run that is about to begin.
    pub fn new(module: &'m Module, table: Table, by_thread: bool) -> Recorder<'m> {
        Recorder {
            module,
            order: Order::with(by_thread),
            locks: Locks::new(),
            nesting: Nesting::default(),
            updates: Updates::new(module),
            pieces: Vec::new(),
            by_key: FxHashMap::default(),
            current: Vec::new(),
            reduced: FxHashMap::default(),
            copies: FxHashMap::default(),
            conflicts: Conflicts::default(),
            steered: None,
            identity: None,
            tasks_ask: false,
            executed: FxHashMap::default(),
            asks_inside: false,
            cells: Cells::new(module.pointer_bytes, table),
            uses: Uses::default(),
            events: Events::default(),
            ends: FxHashMap::default(),
            nameless: None,
            deep: None,
            sets_control: None,
            uses_control: None,
            teams: FxHashMap::default(),
            accesses: 0,
            limit: FIRST,
            layout: Layout::new(module.pointer_bytes),
            combiners: Combiners::new(module),
            coming: None,
            outcomes: Outcomes::default(),
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

    /// The strand that a thread executes, if it is an open one.
    fn strand(&self, t: usize) -> Option<u32> {
        let pos = (t < self.order.threads()).then(|| self.order.pos(t))?;
        matches!(self.order.kind_at(pos)?, order::Kind::Piece | order::Kind::Task)
            .then(|| self.order.chain(pos))
    }

    fn lock_name(&self, t: usize, lock: u64) -> u64 {
        locks::name(self.layout, &self.cells, &self.order, t, lock)
    }

    /// A thread begins or ends a strand.
    fn change_strand(&mut self, t: usize, work: &Work, before: Option<u32>) {
        let now = self.strand(t);
        match work {
            Work::Begin { .. } | Work::TaskBegin { .. } if now.is_some() && now != before => {
                self.locks.begin(t)
            }
            Work::End { .. } | Work::TaskEnd { .. } if before.is_some() && now != before => {
                if self.locks.keeps(t) {
                    self.nesting.unbalanced();
                }
                self.locks.end(t);
            }
            _ => {}
        }
    }

    /// A strand ends an object: if that is open, and the object is not its own, another one of the same thread may find it gone.
    fn end(&mut self, t: usize, th: &Thread, key: u64, len: u64) {
        let place = self.user_place(th);
        for level in self.order.levels(self.order.pos(t)).filter(Level::is_open) {
            if !self.cells.is_made_inside(key, self.order.id(level.chain)) {
                self.ends.entry((level.stage, place)).or_default().add(key, key + len);
            }
        }
    }

    /// Where an open strand ends what belongs to its thread.
    pub fn ends_owned(&mut self, owners: &Owners) -> Option<PlaceId> {
        if Rule::OwnEnds.is_off() {
            return None;
        }
        self.ends.values_mut().for_each(Ranges::tidy_up);
        let owned = |stage: Stage, cells: &Ranges| {
            cells.list().iter().any(|&(from, to)| owners.own_some(stage, from, to))
        };
        self.ends
            .iter()
            .filter(|((stage, _), cells)| owned(*stage, cells))
            .map(|((_, place), _)| *place)
            .min()
    }

    /// Control variables belong to the thread of a team, and are no memory: who has set one is remembered as such.
    fn control(&mut self, t: usize, th: &Thread, write: bool) {
        let pos = self.order.pos(t);
        let place = self.user_place(th);
        if write && self.order.is_open(pos) {
            self.sets_control = self.sets_control.or(Some(place));
        } else if !write && self.order.levels(pos).next().is_some() {
            self.uses_control = self.uses_control.or(Some(place));
        }
    }

    /// Where something depends on a control variable that a piece may have set, on whichever thread executed it.
    pub fn open_control(&self) -> Option<PlaceId> {
        self.sets_control.and(self.uses_control).filter(|_| Rule::Control.holds())
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
        let at = self.piece_of(t, self.locks.now(t));
        self.current[t] = Some(at);
        at
    }

    fn piece_of(&mut self, t: usize, context: Context) -> usize {
        let key = (self.order.pos(t), context);
        let pieces = &mut self.pieces;
        *self.by_key.entry(key).or_insert_with(|| {
            pieces.push(Piece::new(key.0, key.1, t));
            pieces.len() - 1
        })
    }

    /// The piece of what a combiner touches beside the values that it combines.
    fn beside_piece(&mut self, t: usize) -> usize {
        let context = self.locks.beside(t);
        self.piece_of(t, context)
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
        for (piece, _) in self.pieces.iter().zip(&done).filter(|(_, done)| **done) {
            self.uses.add(&self.order, &self.cells, piece);
        }
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
pub(crate) fn stored_value(module: &Module, th: &Thread) -> Option<u64> {
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

/// Whether another schedule may leave out what a thread does now; not where an update decides itself what it stores.
pub fn is_uncertain(th: &Thread, part: Option<Part>) -> bool {
    Rule::Certain.holds() && th.maybe && (th.aside || part.is_none_or(|p| p.choice == ir::UpdateChoice::None))
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
        if len == 0 || th.aside && Rule::BothSides.is_off() {
            return false;
        }
        self.accesses += 1;
        let at = at(th);
        let raw = self.updates.part((at >> 32) as u32, at as u32);
        let part = raw.filter(|p| !p.feeds);
        let plain = write && len <= 8 && part.is_none();
        let value = if plain { stored_value(self.module, th) } else { None };
        let key = self.cells.key(address);
        if self.cells.is_nameless(key) && !th.omp.seats.is_empty() {
            self.nameless = self.nameless.or(Some(access));
        }
        let grid = if part.is_some() || value.is_some() { grid(key, len) } else { 0 };
        let beside = th.is_beside(address) && Rule::Combiners.holds();
        if write && !beside && self.combiners.run(th) {
            let coming = Coming::of(self.module, th, len);
            self.coming = Some(((self.order.pos(t), at, key), coming));
        }
        if !self.copies.is_empty() {
            self.touch_copy(th, address, raw);
        }
        if write && (part.is_some() || value.is_some()) && !th.omp.seats.is_empty() {
            self.events.add(&self.order, self.order.pos(t), at, key);
        }
        let piece = if beside { self.beside_piece(t) } else { self.piece(t) };
        let maybe = is_uncertain(th, part);
        let flags = u64::from(maybe) << 2 | u64::from(write) << 1 | u64::from(atomic);
        let ranges = Ranges::default();
        let make = || Site { at, access, write, atomic, part, maybe, value, grid, ranges };
        let site = self.pieces[piece].site((at, u64::from(grid) << 4 | flags), make);
        site.ranges.add(key, key + len);
        if site.value != value {
            site.value = None;
        }
        false
    }

    fn look(&mut self, memory: &Memory) -> bool {
        if let Some((place, coming)) = self.coming.take() {
            self.outcomes.note(place, coming.and_then(|c| c.hash(memory)));
        }
        false
    }

    fn edge(&mut self, t: usize, th: &Thread, edge: Edge) {
        match edge {
            Edge::Fork(u) => {
                self.order.fork(t, u);
                self.cells.fork(&self.order, u);
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
                // Combiners may run at the same time: their turns guard nothing.
                let turns = th.combines();
                let counts = |lock: u64| !(turns && is_turn(lock));
                let lock = self.lock_name(t, lock);
                let held = self.locks.held(t).iter().filter(|h| counts(h.lock));
                let held: Vec<_> = held.map(|h| (h.lock, h.shared)).collect();
                let who = self.who(t);
                if self.locks.is_guest(t) {
                    self.nesting.guest();
                }
                self.nesting.lock(who, &held, lock, shared);
                self.locks.lock(t, lock, shared);
                self.moved(t);
            }
            Edge::Unlock(lock) => {
                let lock = self.lock_name(t, lock);
                if self.locks.is_of_others(t, lock) {
                    self.nesting.unbalanced();
                }
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
                let known = self.order.by_thread && self.order.in_task(t) || Rule::Identity.is_off();
                if !known && self.identity.is_none() {
                    self.identity = Some(self.user_place(th));
                }
            }
            return;
        }
        if let Work::Control { write } = work {
            return self.control(t, th, *write);
        }
        if let Work::Copy { item, address } = work {
            self.copies.insert(address >> OFFSET, *item);
            return;
        }
        self.cells.work(t, work);
        let before = self.strand(t);
        self.order.work(t, work);
        self.change_strand(t, work, before);
        if let Work::Begin { .. } = work {
            // What inner pieces find may depend on the threads of both regions.
            let open = self.order.levels(self.order.pos(t)).filter(|l| l.is_open()).count();
            self.asks_inside |= open > 1;
            if open > 2 {
                self.deep = self.deep.or(Some(self.user_place(th)));
            }
        }
        if let (Work::TaskBegin { .. }, Some(number)) = (work, self.order.number(t)) {
            let name = self.order.name(self.order.pos(t)).strand();
            let size = th.omp.seats.last().map_or(0, |seat| seat.size);
            let (numbers, team) = self.executed.entry(name).or_default();
            *numbers |= 1 << number.min(63);
            *team = (*team).max(size);
        }
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
            Work::Point | Work::Enter { .. } => {}
            _ => self.moved(t),
        }
    }

    fn identity(&mut self, t: usize, _: &Thread) -> bool {
        self.tasks_ask |= self.order.within_task(t);
        false
    }

    fn made(&mut self, t: usize, address: u64) {
        self.cells.made(&self.order, t, address);
    }

    fn local(&mut self, t: usize, address: u64, variable: u32) {
        self.cells.local(t, address, variable);
    }

    fn destroyed(&mut self, t: usize, th: &Thread, address: u64) {
        self.end(t, th, self.cells.key(address), 1);
    }

    fn gone(&mut self, t: usize, th: &Thread, (address, len): (u64, u64), _: Option<AccessId>, _: &Memory) {
        if len == 0 {
            return;
        }
        self.end(t, th, self.cells.key(address), len);
        let access = AccessId(1 << 31 | self.user_place(th).0);
        let key = self.cells.key(address);
        let piece = self.piece(t);
        let make = || Site {
            at: GONE,
            access,
            write: true,
            atomic: false,
            part: None,
            maybe: false,
            value: None,
            grid: 0,
            ranges: Ranges::default(),
        };
        self.pieces[piece].site((GONE, 2), make).ranges.add(key, key + len);
    }
}
