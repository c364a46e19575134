//! Pass 2: the same run again, with every value that another schedule or distribution could change marked as open.
//!
//! *Rule.* A read is open if
//! - some write to its bytes is not ordered with it by D, unless both are updates that commute ([`crate::conflict`]);
//! - an open strand other than its own may have left something there, in a cell of the thread ([`crate::owners`]);
//! - the cell holds some shares of a fold, but not all of them ([`crate::folds`]);
//! - it reads a copy that tasks reduce into, other than to update it.
//!
//! A write stores an open value if another write to its bytes is not ordered with it, or if what it stores depends on the thread that
//! executes it (`Known::open_stores`). A read that is left alone sees memory whose last write is the same in all schedules and distributions,
//! or stored an open value: see `docs/soundness.md`. Positions and instructions are those of pass 1, because it is the same run.
//!
//! The same pass computes hashes of what strands do ([`Done`]): if these are equal in all rotations of the distribution, no strand depends
//! on the thread that executes it, but for the cells that it owns.
//!
//! An atomic read-modify-write gives back an open value if any other write is unordered with it. What it leaves in
//! memory the machine computes from memory, so the bytes whose value depends on the order are kept here.

mod shares;
mod skeleton;

use std::rc::Rc;
use std::sync::Arc;

use ir::{AccessId, Const, Module, Opnd};
use machine::memory::Memory;
use machine::memory::layout::Layout;
use machine::{Edge, Observer, Thread, Work};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cells::{Cells, Table};
use crate::combine::{Combiners, Coming, Outcomes, Place};
use crate::commute::{Class, Part, Updates};
use crate::conflict::AllMarks;
use crate::done::{Done, Hash};
use crate::folds::{self, Families, Found, Label, Labels};
use crate::locks::of_region;
use crate::order::{Level, Name, Order, Pos};
use crate::owners::{Contents, Owners, TASKS};
use crate::ranges::Ranges;
use crate::record::{At, Recorder, at, is_of_tasks, is_uncertain};
use crate::rules::Rule;

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

/// What is known of a program before its second pass.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// Who owns what.
    pub owners: Arc<Owners>,
    /// The families of owned cells.
    pub families: Arc<Families>,
    /// Stores of which the value, or what they contribute to, depends on the executing thread.
    pub open_stores: Arc<FxHashSet<At>>,
}

/// Where a thread is: the regions around it, the strand, and whether another thread could execute that.
#[derive(Debug, Clone)]
struct Here {
    pos: Pos,
    levels: Rc<[Level]>,
    name: Name,
    open: bool,
}

/// What pass 1 of the same run has found.
#[derive(Debug, Clone)]
pub struct Basis {
    marks: Arc<AllMarks>,
    by_thread: bool,
    reduced: FxHashMap<u64, Option<Class>>,
    outcomes: Outcomes,
}

impl Basis {
    /// Of a recorder whose run has ended.
    pub fn of(recorder: &Recorder<'_>) -> Basis {
        Basis {
            marks: Arc::clone(&recorder.conflicts.marks),
            by_thread: recorder.order.by_thread,
            reduced: recorder.reduced.clone(),
            outcomes: recorder.outcomes.clone(),
        }
    }
}

/// An access.
#[derive(Debug, Clone, Copy)]
struct Touch {
    t: usize,
    pos: Pos,
    /// The strand.
    name: Name,
    at: At,
    address: u64,
    key: u64,
    len: u64,
    write: bool,
    atomic: bool,
    maybe: bool,
    /// Whether another schedule may leave it out, for another reason than that it is an update that decides so itself.
    uncertain: bool,
    /// Whether its cells are owned.
    owned: bool,
    part: Option<Part>,
}

/// A share that a thread has read to put it into an update.
#[derive(Debug, Clone)]
struct Fed {
    at: At,
    class: Class,
    /// The update that a branch decides into which it goes, or 0.
    id: u32,
    label: Label,
}

/// The observer of pass 2.
pub struct Tainter<'m> {
    module: &'m Module,
    layout: Layout,
    updates: Updates<'m>,
    marks: Arc<AllMarks>,
    order: Order,
    cells: Cells,
    known: Known,
    contents: Contents,
    /// What is known of shares.
    pub labels: Labels,
    /// By thread: where it is.
    here: Vec<Here>,
    /// By thread: shares on their way into an update.
    fed: FxHashMap<usize, Vec<Fed>>,
    /// What was read last, if it has a label: by whom, where, and whether the run pauses for it.
    read: Option<(usize, At, u64, Label, bool)>,
    /// The address of that.
    read_at: (u64, u64),
    /// By thread: the cell of an update whose label was handed to whoever follows the run.
    handed: FxHashMap<usize, u64>,
    /// The label of what a thread is about to store, if the run is followed.
    planned: Option<(usize, Label)>,
    /// Where a thread has stored something that is complete.
    settled: Option<(usize, u64, u64)>,
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
    /// Threads whose combiner has read something open that no share explains: it settles nothing.
    spoilt: FxHashSet<usize>,
    /// What a combiner reads: by whom, where, the cell, how many bytes.
    combining: Option<(usize, u64, u64, u64)>,
    /// Whether a combiner has stored something: that was taken to be the same in every order.
    pub combined: bool,
    /// What strands do.
    pub done: Done,
    /// Accesses whose values are not to be seen in the instruction: they are looked up in memory when that has happened.
    unseen: Vec<Unseen>,
    /// Stores that turned out to contribute open values to a fold.
    opened: FxHashSet<At>,
    /// Instructions that touch owned cells, and the last one that was put there.
    pub by_thread: FxHashSet<At>,
    last_owned: At,
    /// Bytes that atomic operations left in an order that the schedule decides.
    mixed: Ranges,
    /// The last unclean read of each thread.
    pub last: Vec<Option<Unclean>>,
    /// How many accesses were unclean.
    pub unclean: u64,
    /// What the marks say of them, for the certificate.
    pub claims: crate::certificate::Claims,
}

/// An access whose value is in memory only.
#[derive(Debug, Clone, Copy)]
struct Unseen {
    name: Name,
    at: At,
    address: u64,
    len: u64,
    /// Whether it has been told, so that it will have happened when the next one is.
    done: bool,
    /// Whether the cell is owned: then the value counts, not the cell.
    owned: bool,
}

impl<'m> Tainter<'m> {
    /// With what pass 1 has found.
    pub fn new(
        module: &'m Module,
        basis: Basis,
        table: Table,
        known: Known,
        watched: Option<Name>,
    ) -> Tainter<'m> {
        Tainter {
            module,
            layout: Layout::new(module.pointer_bytes),
            updates: Updates::new(module),
            marks: basis.marks,
            order: Order::with(basis.by_thread),
            cells: Cells::new(module.pointer_bytes, table),
            contents: Contents::new(Arc::clone(&known.owners)),
            labels: Labels::new(Arc::clone(&known.families)),
            known,
            here: Vec::new(),
            fed: FxHashMap::default(),
            read: None,
            read_at: (0, 0),
            handed: FxHashMap::default(),
            planned: None,
            settled: None,
            reduced: basis.reduced,
            copies: FxHashMap::default(),
            combiners: Combiners::new(module),
            outcomes: basis.outcomes,
            coming: None,
            settles: false,
            spoilt: FxHashSet::default(),
            combining: None,
            combined: false,
            done: Done::new(watched),
            unseen: Vec::new(),
            opened: FxHashSet::default(),
            by_thread: FxHashSet::default(),
            last_owned: At::MAX,
            mixed: Ranges::default(),
            last: Vec::new(),
            unclean: 0,
            claims: Default::default(),
        }
    }

    #[cold]
    fn note(&mut self, touch: &Touch, access: AccessId) {
        self.unclean += 1;
        if self.last.len() <= touch.t {
            self.last.resize(touch.t + 1, None);
        }
        self.last[touch.t] = Some(Unclean { address: touch.address, len: touch.len, access });
    }

    /// The regions around a thread, innermost first.
    #[inline]
    fn levels(&mut self, t: usize) -> Rc<[Level]> {
        Rc::clone(&self.here(t).levels)
    }

    /// Where a thread is.
    #[inline]
    fn here(&mut self, t: usize) -> &Here {
        let pos = self.order.pos(t);
        if self.here.get(t).is_none_or(|here| here.pos != pos) {
            self.find_here(t, pos);
        }
        &self.here[t]
    }

    fn find_here(&mut self, t: usize, pos: Pos) {
        if self.here.len() <= t {
            let nowhere = Here { pos: Pos::MAX, levels: Rc::from([]), name: Name::default(), open: false };
            self.here.resize(t + 1, nowhere);
        }
        let levels = self.order.levels(pos).collect();
        let (name, open) = (self.order.name(pos).strand(), self.order.is_open(pos));
        self.here[t] = Here { pos, levels, name, open };
    }

    // ---- shares ----

    /// A thread comes to a construct: what the strands of it leave in its cells is there from now on.
    fn enter(&mut self, t: usize, nth: u64) {
        let levels = self.levels(t);
        if let Some(Level { stage, number: Some(number), .. }) = levels.first().copied() {
            self.fill((stage, nth, number), levels.len());
        }
    }

    /// A phase begins: its tasks are executed at any time.
    fn enter_phase(&mut self, t: usize, members: u32) {
        let levels = self.levels(t);
        if let Some(Level { stage, .. }) = levels.first().copied() {
            (0..members).for_each(|number| self.fill((stage, TASKS, number), levels.len()));
        }
    }

    fn fill(&mut self, construct: crate::owners::Construct, depth: usize) {
        let owners = Arc::clone(&self.known.owners);
        for (kind, cells) in owners.written(&construct) {
            let mut rest = cells.clone();
            for cell in kind.map(|kind| folds::elements(kind, cells)).into_iter().flatten() {
                let family = self.labels.families.of(construct.0, construct.1, cell);
                let Some((family, kind)) = family.filter(|(_, k)| Some(*k) == *kind) else { continue };
                let mut label = Label::share(kind.bytes(), kind.class, depth, family, cell);
                match self.labels.find(cell, kind.bytes()) {
                    Found::Nothing => {}
                    Found::Exact(before) if before.class == kind.class => label.combine(&before, 1),
                    _ => continue,
                }
                self.labels.put(cell, label);
                rest.remove(cell, cell + kind.bytes());
            }
            for &(from, to) in rest.list() {
                self.drop_labels(depth, from, to - from);
            }
            self.contents.leave(depth, &rest, owners.sole(&construct));
        }
    }

    // ---- values ----

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

    /// Whether another schedule, or another thread, could give an access another value.
    fn is_open(&mut self, th: &Thread, levels: &[Level], touch: &Touch) -> bool {
        let marked = self.is_marked(touch);
        if touch.write {
            let varies = !th.omp.seats.is_empty() && self.known.open_stores.contains(&touch.at);
            if varies && touch.atomic {
                self.mix(touch);
            }
            self.labels.written(touch.key, touch.len);
            let reads = touch.atomic && self.gives_back(th, levels, touch);
            let open = self.store(th, levels, touch);
            return open || marked || varies || reads;
        }
        let varies = !th.omp.seats.is_empty() && self.known.open_stores.contains(&touch.at);
        marked || varies || self.finds(levels, touch)
    }

    fn mix(&mut self, touch: &Touch) {
        if Rule::Mixed.is_off() {
            return;
        }
        self.mixed.add(touch.key, touch.key + touch.len);
        self.mixed.tidy_up();
    }

    /// Whether D leaves open what an access reads or leaves.
    fn is_marked(&mut self, touch: &Touch) -> bool {
        if self.marks.is_empty() && self.mixed.is_empty() {
            return false;
        }
        let (from, to) = (touch.key, touch.key + touch.len);
        let marks = self.marks.get(&(touch.pos, touch.at, touch.write));
        let [any, bad] = marks.map_or([false; 2], |m| m.touch(&self.known.owners, from, to));
        let any = any || bad;
        if any {
            self.claims.add((self.order.class(touch.pos), touch.at, touch.write), (from, to), bad);
        }
        let seen = (!touch.write || touch.atomic) && !self.mixed.is_empty() && self.mixed.touches(from, to);
        if touch.write && touch.atomic && bad {
            self.mix(touch);
        } else if touch.write && !touch.atomic && !touch.uncertain && !self.mixed.is_empty() {
            // What it stores is marked by itself, if need be.
            self.mixed.remove(from, to);
        }
        if touch.write && touch.atomic { any || seen } else { bad || seen }
    }

    // ---- what strands do ----

    /// Whether the thread alone, in each region in which another distribution could let another one execute the strand, decides which
    /// cell is touched: it is owned there, or was made inside the strand.
    fn is_parameter(&self, levels: &[Level], touch: &Touch) -> bool {
        let (from, to) = (touch.key, touch.key + touch.len);
        levels.iter().filter(|l| l.is_open()).all(|l| {
            self.known.owners.own(l.stage, from, to)
                || self.cells.is_made_inside(from, self.order.id(l.chain))
        })
    }
}

/// Whether some bit of what memory holds is open.
fn is_open_in(memory: &Memory, address: u64, len: u64) -> bool {
    (0..len).step_by(8).any(|at| {
        let n = (len - at).min(8);
        memory.resolve(address + at, n, false).is_ok_and(|spot| memory.load(spot, n as usize).1 != 0)
    })
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
        self.settles = false;
        if len == 0 {
            return false;
        }
        let here = self.here(t);
        let (pos, name, levels) = (here.pos, here.name, Rc::clone(&here.levels));
        let (at, key) = (at(th), self.cells.key(address));
        let owned = self.contents.is_owned(&levels, key, len);
        let part = self.updates.part((at >> 32) as u32, at as u32);
        let (maybe, uncertain) = (th.maybe, is_uncertain(th, part));
        let touch =
            Touch { t, pos, name, at, address, key, len, write, atomic, maybe, uncertain, owned, part };
        if owned && self.last_owned != at {
            self.by_thread.insert(at);
            self.last_owned = at;
        }
        if !(levels.is_empty() || owned && self.is_parameter(&levels, &touch)) {
            self.hash(th, &touch);
        }

        self.combine(th, &touch);
        let copied = !self.copies.is_empty() && self.is_shared_copy(&touch, part);
        let open = self.is_open(th, &levels, &touch) || copied;
        if open {
            self.note(&touch, access);
        } else if !write {
            self.compare_read(&levels, &touch);
        }
        open
    }

    fn settles(&self) -> bool {
        self.settles
    }

    fn look(&mut self, memory: &Memory) -> bool {
        if let Some((t, address, key, len)) = self.combining.take()
            && Rule::Spoilt.holds()
            && !self.labels.is_shadowed(key)
            && is_open_in(memory, address, len)
        {
            self.spoilt.insert(t);
        }
        if let Some((place, coming)) = self.coming.take() {
            self.settles = self.outcomes.has(place, coming.and_then(|c| c.hash(memory)));
            self.combined |= self.settles;
        }
        if !self.unseen.is_empty() {
            // Those of before have happened; the access that is told now has not.
            for mut unseen in std::mem::take(&mut self.unseen) {
                if std::mem::replace(&mut unseen.done, true) {
                    self.look_up(&unseen, memory);
                } else {
                    self.unseen.push(unseen);
                }
            }
        }
        let Some((_, _, key, _, pause)) = &self.read else { return false };
        let (address, len) = self.read_at;
        let open = is_open_in(memory, address, len);
        // A label says that a fixed value is combined with shares: not if what is there is open for another reason.
        let follow = if open { self.labels.is_shadowed(*key) } else { *pause };
        if !follow {
            self.read = None;
        }
        follow
    }

    fn edge(&mut self, t: usize, th: &Thread, edge: Edge) {
        match edge {
            Edge::Lock(lock, _) | Edge::Unlock(lock) if is_of_tasks(lock) => {}
            Edge::Lock(lock, _) | Edge::Unlock(lock) if !th.omp.seats.is_empty() => {
                let mut hash = Hash::new();
                // Those of a region, with which the runtime combines reductions, count by their place there.
                let name = of_region(self.layout, lock).unwrap_or_else(|| self.cells.key(lock));
                let how = match edge {
                    Edge::Lock(_, shared) => 1 + u64::from(shared),
                    _ => 3,
                };
                hash.mix([name, how, 0, 1]);
                let strand = self.order.name(self.order.pos(t)).strand();
                self.done.does(strand, at(th), hash, false);
            }
            Edge::Fork(u) => {
                self.order.fork(t, u);
                self.cells.fork(&self.order, u);
            }
            Edge::Join(u) => self.order.join(t, u),
            _ => {}
        }
    }

    fn work(&mut self, t: usize, th: &Thread, work: &Work) {
        match work {
            Work::TaskBegin { .. } | Work::TaskEnd { .. } | Work::Point => self.interrupt(t),
            Work::End { .. } => {
                let levels = self.levels(t);
                if let Some(level) = levels.first().filter(|l| l.is_open()) {
                    self.contents.end(t, level.chain, &self.cells);
                }
            }
            _ => {}
        }
        self.cells.work(t, work);
        self.order.work(t, work);
        match work {
            Work::Enter { nth } => self.enter(t, *nth),
            Work::Fork { members, .. } => self.enter_phase(t, members.len() as u32),
            Work::Phase { .. } => {
                let members = th.omp.seats.last().map_or(0, |seat| seat.size);
                self.enter_phase(t, members);
            }
            Work::TaskBegin { .. } | Work::TaskEnd { .. } => self.interrupt(t),
            Work::Copy { item, address } => {
                self.copies.insert(address >> 30, *item);
            }
            _ => {}
        }
    }

    fn gone(&mut self, _: usize, _: &Thread, (address, len): (u64, u64), _: Option<AccessId>, _: &Memory) {
        // What a freed object held last is nobody's.
        self.unseen.retain(|u| u.address.wrapping_sub(address) >= len.max(1));
    }

    fn identity(&mut self, t: usize, _: &Thread) -> bool {
        // Pieces of work are executed once by every thread; a task is not, unless that is wanted.
        Rule::Identity.holds()
            && self.order.within_task(t)
            && !(self.order.by_thread && self.order.in_task(t))
    }

    fn made(&mut self, t: usize, address: u64) {
        self.cells.made(&self.order, t, address);
    }

    fn local(&mut self, t: usize, address: u64, variable: u32) {
        self.cells.local(t, address, variable);
    }
}

impl Tainter<'_> {
    /// Tasks may be executed on a thread: what its open strand has written may be overwritten.
    fn interrupt(&mut self, t: usize) {
        if Rule::Interrupted.is_off() {
            return;
        }
        let levels = self.levels(t);
        levels.iter().filter(|l| l.is_open()).for_each(|l| self.contents.interrupt(l.chain));
    }

    /// Stores that turned out to be open, and reads of shares that went where nobody is told of.
    pub fn take_opened(&mut self) -> FxHashSet<At> {
        let lost = self.fed.drain().flat_map(|(_, all)| all).map(|f| f.at);
        self.opened.extend(lost);
        std::mem::take(&mut self.opened)
    }

    /// What strands did. What nobody looked at is not equal to anything.
    pub fn take_done(&mut self, run: u64) -> Done {
        for unseen in std::mem::take(&mut self.unseen) {
            self.done.stores(unseen.name, unseen.at, [u64::MAX, run, 3, 0]);
        }
        self.done.finish();
        std::mem::take(&mut self.done)
    }
}
