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

use std::rc::Rc;
use std::sync::Arc;

use ir::{AccessId, Const, Inst, Module, Opnd, UpdateChoice};
use machine::memory::Memory;
use machine::memory::layout::Layout;
use machine::{Edge, Observer, Thread, Work};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cells::{Cells, Table};
use crate::combine::{Combiners, Coming, Outcomes, Place};
use crate::commute::{Class, Part, Updates};
use crate::conflict::AllMarks;
use crate::done::{Done, Hash};
use crate::folds::{self, Families, FamilyId, Found, Kind, Label, Labels};
use crate::locks::of_region;
use crate::order::{Level, Name, Order, Pos};
use crate::owners::{Contents, Owners, TASKS};
use crate::ranges::Ranges;
use crate::record::{At, Recorder, at, is_of_tasks, is_uncertain, stored_value};
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

    /// Cells lose their labels; what is left of those that were cut is open.
    fn drop_labels(&mut self, depth: usize, key: u64, len: u64) {
        let cut = self.labels.overwrite(key, len);
        if !cut.is_empty() {
            self.contents.leave(depth.max(1), &cut, None);
        }
    }

    /// Cells hold nobody knows which shares.
    fn leave_open(&mut self, depth: usize, key: u64, len: u64) {
        self.drop_labels(depth, key, len);
        let mut cells = Ranges::default();
        cells.add(key, key + len);
        self.contents.leave(depth.max(1), &cells, None);
    }

    /// The share that a strand contributes to by a store, if it is one: the strand, the family, and how.
    fn contribution(&self, levels: &[Level], touch: &Touch, kind: Kind) -> Option<(u32, FamilyId)> {
        if !touch.owned {
            return None;
        }
        levels.iter().filter(|l| l.is_open()).find_map(|l| {
            let nth = if l.kind == crate::order::Kind::Task { TASKS } else { l.nth };
            let (family, of) = self.labels.families.of(l.stage, nth, touch.key)?;
            (of == kind).then_some((l.chain, family))
        })
    }

    /// What a store does to what is known of the cell. Whether what it stores is open.
    fn store(&mut self, th: &Thread, levels: &[Level], touch: &Touch) -> bool {
        let constant =
            if touch.part.is_none() && touch.len <= 8 { stored_value(self.module, th) } else { None };
        let kind = Kind::of(touch.part, constant, touch.uncertain, crate::record::grid(touch.key, touch.len));
        let planned = self.planned.take().filter(|(t, label)| (*t, label.len) == (touch.t, touch.len));
        let planned = planned.map(|(_, label)| label);
        let moved = self.handed.remove(&touch.t) == Some(touch.key);
        if let Some(kind) = kind
            && let Some((chain, family)) = self.contribution(levels, touch, kind)
        {
            if planned.is_some() {
                self.labels.shadow(touch.key);
            }
            let id = self.order.id(chain);
            let open = self.contribute(th, touch, id, family, constant);
            if constant.is_some() {
                self.contents.write(levels, touch.key, touch.len);
            }
            return open;
        }
        let fed = touch.part.and_then(|part| self.take_fed(touch, &part));
        if touch.uncertain {
            // Whether it happens is open: a share may be there afterwards, or not.
            let known = self.labels.find(touch.key, touch.len);
            let shares = fed.is_some() || planned.is_some() || known != Found::Nothing;
            if shares {
                self.leave_open(levels.len(), touch.key, touch.len);
            }
            return fed.is_some();
        }
        // An update leaves what the cell held, unless that was moved to the register that is stored.
        let before = match (touch.part, self.labels.find(touch.key, touch.len)) {
            (Some(part), Found::Exact(label)) if !moved && label.class == part.class => Some(label),
            _ => None,
        };
        let lost = moved && planned.is_none() && self.stores_open(th);
        let fed = match fed.map(|fed| fitted(touch, fed)) {
            Some(None) => {
                self.leave_open(1, touch.key, touch.len);
                return true;
            }
            fed => fed.flatten().filter(|_| !lost),
        };
        let (updates, followed) = (before.is_some(), planned.is_some());
        let labels = [before, planned, fed].into_iter().flatten();
        let Some(label) = labels.reduce(|mut all, label| {
            all.combine(&label, 1);
            all
        }) else {
            self.drop_labels(levels.len(), touch.key, touch.len);
            if !touch.atomic {
                self.contents.write(levels, touch.key, touch.len);
            }
            return false;
        };
        if !updates {
            self.drop_labels(levels.len(), touch.key, touch.len);
        }
        if touch.part.is_none() {
            self.contents.write(levels, touch.key, touch.len);
        }
        if followed && label.is_complete(&self.labels.families) {
            self.settled = Some((touch.t, touch.address, touch.len));
        } else if followed {
            self.labels.shadow(touch.key);
        }
        self.labels.put(touch.key, label);
        false
    }

    /// An update of a strand that contributes puts a share into a cell. Whether that is not understood.
    fn add_fed(&mut self, touch: &Touch, fed: Option<Label>) -> bool {
        let Some(fed) = fed else { return false };
        let Some(mut label) = fitted(touch, fed) else {
            self.leave_open(1, touch.key, touch.len);
            return true;
        };
        if let Found::Exact(before) = self.labels.find(touch.key, touch.len) {
            label.combine(&before, 1);
        }
        self.labels.put(touch.key, label);
        false
    }

    /// Whether the store at which a thread stands stores an open value, or one that is not to be seen.
    fn stores_open(&self, th: &Thread) -> bool {
        let source = th.frames.last().and_then(|frame| {
            match self.module.funcs[frame.func.0 as usize].body.as_ref()?.code[frame.pc as usize] {
                Inst::Store { src, .. } => self.number(th, src),
                _ => None,
            }
        });
        source.is_none_or(|(_, open)| open != 0)
    }

    /// A strand contributes to a share. Whether what it contributes is open.
    fn contribute(
        &mut self,
        th: &Thread,
        touch: &Touch,
        strand: u64,
        family: FamilyId,
        constant: Option<u64>,
    ) -> bool {
        let fed = touch.part.and_then(|part| self.take_fed(touch, &part));
        let operand = match (touch.part, constant) {
            (_, Some(value)) => Some((u64::from(value != 0), 0)),
            (Some(_), _) if fed.is_some() => Some((0, 0)),
            (Some(part), _) => self.contributed(th, &part),
            _ => None,
        };
        let Some((value, 0)) = operand.filter(|_| !self.known.open_stores.contains(&touch.at)) else {
            // Everything is looked at again without this contribution.
            self.opened.insert(touch.at);
            return true;
        };
        self.labels.weigh(family, value, touch.len);
        let mut hash = Hash::new();
        hash.mix([strand, u64::from(family), self.cells.key(value), 0]);
        self.done.contributes(touch.at, hash);
        self.add_fed(touch, fed)
    }

    /// What an update contributes: its operand, or what it stores where that is chosen by a branch.
    fn contributed(&self, th: &Thread, part: &Part) -> Option<(u64, u64)> {
        let body = self.module.funcs[th.frames.last()?.func.0 as usize].body.as_ref()?;
        let source = match body.code[th.frames.last()?.pc as usize] {
            Inst::Store { src, .. } | Inst::AtomicStore { src, .. } | Inst::AtomicRmw { src, .. } => src,
            _ => return None,
        };
        let open = self.number(th, source)?.1;
        match part.choice {
            // Which value is picked is not to be seen in what is stored; the new one was loaded, and is seen there.
            UpdateChoice::Picks => Some((0, open)),
            _ => self.number(th, part.operand.unwrap_or(source)),
        }
    }

    /// A share goes into an update and nowhere else.
    fn feed(&mut self, touch: &Touch, part: &Part, label: Label) {
        let all = self.fed.entry(touch.t).or_default();
        if all.iter().any(|f| f.at == touch.at) {
            // It was read before, and has gone where nobody is told of.
            self.opened.insert(touch.at);
        }
        all.retain(|f| f.at != touch.at);
        all.push(Fed { at: touch.at, class: part.class, id: part.id, label });
    }

    /// The share that goes into an update at its store.
    fn take_fed(&mut self, touch: &Touch, part: &Part) -> Option<Label> {
        let all = self.fed.get_mut(&touch.t)?;
        let func = touch.at >> 32;
        let found = match (part.fed, part.choice) {
            (Some(pc), _) => all.iter().position(|f| f.at == func << 32 | u64::from(pc)),
            (None, UpdateChoice::None) => None,
            (None, _) => all.iter().rposition(|f| (f.id, f.at >> 32) == (part.id, func)),
        };
        let fed = all.remove(found?);
        if part.choice != UpdateChoice::None {
            // It is read once to compare it and once to store it.
            all.retain(|f| (f.id, f.at >> 32) != (part.id, func));
        }
        (fed.class == part.class).then_some(fed.label)
    }

    /// Whether a task reads what the code around writes in its thread's cells: it may be executed between two such writes, or behind them.
    fn is_in_between(&self, levels: &[Level], touch: &Touch) -> bool {
        let (from, to) = (touch.key, touch.key + touch.len);
        let mut tasks = levels.iter().filter(|l| l.kind == crate::order::Kind::Task);
        let owners = &self.known.owners;
        touch.owned && tasks.any(|l| owners.own(l.stage, from, to) && owners.is_beside(l.stage, from, to))
    }

    /// Whether a read finds shares, or what open strands left.
    fn finds(&mut self, levels: &[Level], touch: &Touch) -> bool {
        if self.contents.is_left(&self.order, levels, touch.key, touch.len)
            || self.is_in_between(levels, touch)
        {
            return true;
        }
        let label = match self.labels.find(touch.key, touch.len) {
            Found::Nothing => return false,
            Found::Part => return !self.contents.is_mine(levels, touch.key, touch.len),
            Found::Exact(label) => label,
        };
        match touch.part {
            // The load of an update.
            Some(part) if !part.feeds && part.class == label.class && !touch.atomic => {
                self.offer(touch, label, false);
                return false;
            }
            Some(part) if part.feeds && part.class == label.class && is_whole(levels, touch, &label) => {
                self.feed(touch, &part, label);
                return false;
            }
            _ if self.contents.is_mine(levels, touch.key, touch.len) => return false,
            _ => {}
        }
        if is_whole(levels, touch, &label) && !touch.atomic {
            self.offer(touch, label, true);
        }
        true
    }

    fn offer(&mut self, touch: &Touch, label: Label, pause: bool) {
        self.read = Some((touch.t, touch.at, touch.key, label, pause));
        self.read_at = (touch.address, touch.len);
    }

    /// What a thread has just read, if that has a label: function, instruction and label, and the cell if it is read to be updated.
    pub fn take_read(&mut self, t: usize) -> Option<(u32, u32, Label, Option<u64>)> {
        let (_, at, key, label, pause) = self.read.take_if(|read| read.0 == t)?;
        Some(((at >> 32) as u32, at as u32, label, (!pause).then_some(key)))
    }

    /// The label of a cell that a thread updates is with the register now into which it has read it.
    pub fn hand(&mut self, t: usize, key: u64) {
        self.handed.insert(t, key);
    }

    /// A step of a thread begins; what it stores, if it stores something, has this label.
    pub fn plan(&mut self, t: usize, stored: Option<Label>) {
        (self.read, self.settled) = (None, None);
        self.planned = stored.map(|label| (t, label));
    }

    /// A step has ended. Where it has stored something that is complete, if it has.
    pub fn take_settled(&mut self, t: usize) -> Option<(u64, u64)> {
        self.planned = None;
        self.settled.take().filter(|s| s.0 == t).map(|(_, address, len)| (address, len))
    }

    // ---- values ----

    /// What a combiner of a user-defined reduction stores is taken to be the same in every order and grouping, if what it combines are
    /// shares, or fixed.
    fn combine(&mut self, th: &Thread, touch: &Touch) {
        if !self.combiners.run(th) {
            self.spoilt.remove(&touch.t);
            return;
        }
        if touch.write {
            let settles = !touch.owned && !th.is_beside(touch.address) && !self.spoilt.contains(&touch.t);
            let place = (touch.pos, touch.at, touch.key);
            self.coming = settles.then(|| (place, Coming::of(self.module, th, touch.len)));
            return;
        }
        let levels = self.levels(touch.t);
        let other = |label: &Label| touch.part.is_some_and(|p| p.feeds && p.class != label.class);
        let mixed = match self.labels.find(touch.key, touch.len) {
            Found::Exact(label) => other(&label),
            _ => false,
        };
        let left = mixed || self.contents.is_left(&self.order, &levels, touch.key, touch.len);
        if left && Rule::Spoilt.holds() {
            self.spoilt.insert(touch.t);
        }
        self.combining = Some((touch.t, touch.address, touch.key, touch.len));
    }

    /// Whether an access to a copy of a variable that tasks reduce has a value that depends on who shares the copy.
    fn is_shared_copy(&self, touch: &Touch, part: Option<Part>) -> bool {
        let Some(item) = self.copies.get(&(touch.address >> 30)).filter(|_| Rule::Copies.holds()) else {
            return false;
        };
        let Some(class) = self.reduced.get(item).copied().flatten() else { return true };
        part.is_none_or(|p| p.class != class)
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

    /// Whether an atomic operation gives back shares, or what open strands left. One that compares may or may not store then.
    fn gives_back(&mut self, th: &Thread, levels: &[Level], touch: &Touch) -> bool {
        let frame =
            th.frames.last().and_then(|f| Some((self.module.funcs[f.func.0 as usize].body.as_ref()?, f.pc)));
        let inst = frame.map(|(body, pc)| body.code[pc as usize]);
        if matches!(inst, Some(Inst::AtomicStore { .. })) || Rule::GivesBack.is_off() {
            return false;
        }
        let label = self.labels.find(touch.key, touch.len);
        let left = self.contents.is_left(&self.order, levels, touch.key, touch.len);
        let known = match (&label, inst) {
            (_, Some(Inst::AtomicRmw { op: ir::RmwOp::Xchg, .. })) => true,
            (Found::Exact(label), _) => touch.part.is_some_and(|part| part.class == label.class),
            _ => false,
        };
        let found = left || label != Found::Nothing;
        if found && !known {
            self.leave_open(levels.len(), touch.key, touch.len);
        }
        found
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

    /// The cell of an access, as all threads would name it: an object that the thread of a region around has made itself, and owns,
    /// by that region.
    fn name_in(&mut self, touch: &Touch) -> (u64, u64) {
        if touch.owned {
            let levels = self.levels(touch.t);
            let (from, to) = (touch.key, touch.key + touch.len);
            let own = levels.iter().filter(|l| self.known.owners.own(l.stage, from, to));
            let named = own.filter_map(|l| self.cells.relative(touch.key, l.stage.0, l.number?)).next();
            if let Some(name) = named {
                return name;
            }
        }
        (touch.key, 0)
    }

    /// What a strand of a region does, as far as other schedules do it too.
    fn hash(&mut self, th: &Thread, touch: &Touch) {
        let (name, open) = (touch.name, self.here(touch.t).open);
        debug_assert_eq!((name, open), (self.order.name(touch.pos).strand(), self.order.is_open(touch.pos)));
        if open && self.layout.region(touch.address).is_stack() && self.cells.maker(touch.key) == Some(name) {
            // Only the strand itself needs what it keeps there for a while: what it does with it shows elsewhere.
            return;
        }
        let mut hash = Hash::new();
        let key = self.name_in(touch);
        // Whether a branch that is fixed in this run, and taken both ways elsewhere, goes this way belongs to what the strand does.
        let told = u64::from(th.told && th.aside) << 32;
        hash.mix([touch.at, told | touch.len << 1 | u64::from(touch.write), key.0, key.1]);
        // What a branch decides that is taken both ways comes in any order.
        self.done.does(name, touch.at, hash, touch.maybe);
        if !touch.write || self.known.open_stores.contains(&touch.at) {
            return;
        }
        let Some(stored) = self.stored(th, touch) else {
            self.unseen.push(Unseen {
                name,
                at: touch.at,
                address: touch.address,
                len: touch.len,
                done: false,
                owned: false,
            });
            return;
        };
        // What is stored is compared by itself: if that alone depends on the thread, it counts as open.
        for (i, o) in stored.into_iter().flatten().enumerate() {
            let value = match self.operand(th, o) {
                (value, 0) => self.cells.key(value),
                (value, open) => value & !open,
            };
            self.done.stores(name, touch.at, [touch.key, value, i as u64, 0]);
        }
    }

    /// What an update picks from is not to be seen in what it stores. So where a function has such updates, what is read in it inside an open
    /// strand is compared, wherever it lies: if it depends on the thread, it is open.
    fn compare_read(&mut self, levels: &[Level], touch: &Touch) {
        let updates = touch.part.is_some_and(|p| !p.feeds);
        let open = levels.iter().any(Level::is_open);
        if Rule::Picks.is_off() || !open || updates || !self.updates.picks((touch.at >> 32) as u32) {
            return;
        }
        if self.labels.find(touch.key, touch.len) == Found::Nothing {
            let Touch { name, at, address, len, .. } = *touch;
            self.unseen.push(Unseen { name, at, address, len, done: true, owned: true });
        }
    }

    /// The operands whose values a store stores, if that is known.
    fn stored(&mut self, th: &Thread, touch: &Touch) -> Option<[Option<Opnd>; 2]> {
        let frame = th.frames.last()?;
        let body = self.module.funcs[frame.func.0 as usize].body.as_ref()?;
        let feeds = |fed: Option<u32>| {
            let pc = fed.map(|pc| touch.at >> 32 << 32 | u64::from(pc));
            pc.is_some_and(|pc| self.fed.get(&touch.t).is_some_and(|all| all.iter().any(|f| f.at == pc)))
        };
        match body.code[frame.pc as usize] {
            Inst::Store { src, ty, .. } => match touch.part {
                // Which value is picked is not to be seen in what is stored: what it is picked from was read, and compared there.
                Some(part) if part.choice == UpdateChoice::Picks => Some([None, None]),
                Some(part) if part.choice == UpdateChoice::Stores && self.is_feeding(touch, &part) => {
                    Some([None, None])
                }
                // A share: all of them together are the same in every distribution.
                Some(part) if feeds(part.fed) => Some([None, None]),
                Some(part) => part.operand.map(|o| [Some(o), None]),
                None => Some([Some(src), (ty.slots() == 2).then(|| src.second())]),
            },
            Inst::AtomicStore { src, ty, .. } | Inst::AtomicRmw { src, ty, .. } => {
                if feeds(touch.part.and_then(|p| p.fed)) {
                    return Some([None, None]);
                }
                Some([Some(src), (ty.slots() == 2).then(|| src.second())])
            }
            Inst::Fill { byte, .. } => Some([Some(byte), None]),
            // A list begins with the arguments of the call, which are the strand's own.
            Inst::VaStart { .. } => Some([None, None]),
            _ => None,
        }
    }

    /// Whether a share is on its way into an update that a branch decides.
    fn is_feeding(&self, touch: &Touch, part: &Part) -> bool {
        let mut fed = self.fed.get(&touch.t).into_iter().flatten();
        fed.any(|f| (f.id, f.at >> 32) == (part.id, touch.at >> 32))
    }

    /// Adds what memory holds now to what an instruction stored.
    fn look_up(&mut self, unseen: &Unseen, memory: &Memory) {
        let mut at = 0;
        while at < unseen.len {
            let len = (unseen.len - at).min(8);
            let value = match memory.resolve(unseen.address + at, len, false) {
                Ok(spot) => match memory.load(spot, len as usize) {
                    (value, 0) => self.cells.key(value),
                    (value, open) => value & !open,
                },
                Err(_) => u64::MAX,
            };
            let key = if unseen.owned { at } else { self.cells.key(unseen.address) + at };
            self.done.stores(unseen.name, unseen.at, [key, value, 2, 0]);
            at += len;
        }
    }
}

/// The label of a share that goes into an update, as it is in the cell; none if that is not understood.
fn fitted(touch: &Touch, fed: Label) -> Option<Label> {
    // A smaller cell takes the low bytes, which is all that counts for sums and the like.
    let low = matches!(fed.class, Class::Add | Class::Mul | Class::And | Class::Or | Class::Xor);
    let fits = touch.len == fed.len || low && touch.len < fed.len;
    let minus = touch.part.is_some_and(|part| part.minus);
    fits.then(|| Label { len: touch.len, ..fed }.times(if minus { u64::MAX } else { 1 }))
}

/// Whether some bit of what memory holds is open.
fn is_open_in(memory: &Memory, address: u64, len: u64) -> bool {
    (0..len).step_by(8).any(|at| {
        let n = (len - at).min(8);
        memory.resolve(address + at, n, false).is_ok_and(|spot| memory.load(spot, n as usize).1 != 0)
    })
}

/// Whether a strand that reads a label finds the same shares in every distribution: the cell is nobody's, so that all threads would read
/// it, or the strand is not open itself in the regions of these shares.
fn is_whole(levels: &[Level], touch: &Touch, label: &Label) -> bool {
    let around = levels.len().saturating_sub(label.depth.saturating_sub(1));
    Rule::Whole.is_off() || !touch.owned || levels.iter().take(around).all(|l| !l.is_open())
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

    fn gone(&mut self, _: usize, _: &Thread, address: u64, len: u64) {
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
