//! One run: what a strand reads and leaves is treated as the certificate says (rules R1 to R5), and what it does is recorded.
//!
//! The machine stops by itself where an open value comes to a sink. What is left to be checked of a value that was treated as fixed
//! is that nothing makes it open: [`crate::meet`] does that for R1 when frames end, [`crate::values`] for R2 and R3 as the run
//! goes on; R4 (copies that tasks reduce into) and R5 (what barriers and atomics give back) are here.

mod shares;
mod skeleton;

use base::reason::{Gap, Uncertified};
use std::rc::Rc;
use std::sync::Arc;

use ir::{AccessId, Const, Inst, Module, Opnd, UpdateChoice};
use machine::memory::Memory;
use machine::memory::layout::Layout;
use machine::names::{Strand, is_turn, turn};
use machine::omp::lock::is_reduction_lock;
use machine::{Edge, Observer, Thread, Work};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Refused;
use crate::certificate::{Class, TASKS};
use crate::facts::{Facts, Touched};
use crate::locks::Locks;
use crate::meet::{GONE, Meeting, Site};
use crate::objects::{Objects, Table};
use crate::order::{Level, Order, Out, Owner};
use crate::ranges::Ranges;
use crate::skeleton::Skeletons;
use crate::updates::{Update, Updates};
use crate::values::{Label, Values};

/// An access.
#[derive(Debug, Clone, Copy)]
struct Touch {
    t: usize,
    at: u64,
    address: u64,
    key: u64,
    len: u64,
    write: bool,
    atomic: bool,
    /// Whether another schedule may leave it out, for another reason than that it is an update that decides so itself.
    uncertain: bool,
    owned: bool,
    update: Option<Update>,
    name: Strand,
}

/// A value that is only to be seen in memory.
#[derive(Debug, Clone, Copy)]
struct Unseen {
    name: Strand,
    at: u64,
    address: u64,
    len: u64,
    /// Whether the access has happened when memory is looked at next.
    ready: bool,
    /// Whether the cell is the thread's own: then the value counts, not the cell.
    owned: bool,
}

/// A share on its way into an update: who read it where, the update that a branch decides, and the share.
#[derive(Debug)]
struct Fed {
    t: usize,
    at: u64,
    class: Class,
    id: u32,
    label: Label,
}

/// A write: by whom; address, cell and length; whether as part of an update; whether it is open.
type Wrote = (usize, (u64, u64, u64), bool, bool);

/// Who asks for the thread that executes it, and which threads have executed which tasks.
#[derive(Debug, Default)]
pub struct Asks {
    /// A thread of a nested team does, or pieces are nested.
    pub inside: bool,
    /// By task: the numbers of the threads that executed it, and the size of its team.
    pub executed: FxHashMap<Strand, (u64, u32)>,
}

impl Asks {
    /// Adds what another run has shown.
    pub fn join(&mut self, other: Asks) {
        self.inside |= other.inside;
        for (task, (numbers, team)) in other.executed {
            let known = self.executed.entry(task).or_default();
            *known = (known.0 | numbers, known.1.max(team));
        }
    }
}

/// The observer of a run.
pub struct Run<'m> {
    module: &'m Module,
    layout: Layout,
    by_thread: bool,
    updates: Updates<'m>,
    facts: Arc<Facts>,
    objects: Objects,
    /// D.
    pub order: Order,
    locks: Locks,
    meeting: Meeting,
    /// What cells hold.
    pub values: Values,
    /// Who touches what is owned.
    pub touched: Touched,
    /// What strands do.
    pub done: Skeletons,
    /// What is gathered at the end of phases.
    pub left: Skeletons,
    /// Who asks for its thread.
    pub asks: Asks,
    /// Whether a combiner has stored something that was taken to be fixed.
    pub combined: bool,
    /// Why nothing is certified.
    pub refused: Option<Refused>,
    /// By thread: the number of its lock context, if known.
    contexts: Vec<Option<u32>>,
    /// By thread and slot: registers that hold shares.
    pub registers: FxHashMap<(usize, usize), Label>,
    fed: Vec<Fed>,
    /// What was read last and has a label: by whom, where; and where that is in memory.
    pub read: Option<(usize, u64, Label)>,
    read_at: (u64, u64),
    /// What was written last.
    pub wrote: Option<Wrote>,
    /// Copies of variables that tasks reduce, by object; and by reduction the operation of its tasks.
    copies: FxHashMap<u64, u64>,
    reduced: FxHashMap<u64, Class>,
    combiners: Vec<bool>,
    /// Threads whose combiner has read something that is open for another reason than being a share.
    spoilt: FxHashSet<usize>,
    combining: Option<(usize, u64, u64)>,
    settles: bool,
    unseen: Vec<Unseen>,
    /// Bytes that atomic operations have left in an order that is open.
    mixed: Ranges,
    /// Bytes that others than pieces have written in this phase, and that were not made by them; where their objects are; and the phase
    /// that has ended.
    gathered: Ranges,
    places: FxHashMap<u64, u64>,
    phase: Option<Strand>,
    /// Whether a piece sets a control variable of its thread, and whether something in a region depends on one.
    control: [bool; 2],
    teams: FxHashMap<u32, Vec<usize>>,
    /// By thread: the piece that it ended last. The last one of a loop goes on behind it with what it has written.
    ended: FxHashMap<usize, u32>,
}

impl<'m> Run<'m> {
    /// A run that is about to begin.
    pub fn new(module: &'m Module, facts: Arc<Facts>, table: Table, by_thread: bool) -> Run<'m> {
        let combines = |f: &ir::Function| f.name.starts_with(".omp_combiner.");
        let any = module.funcs.iter().any(combines);
        Run {
            module,
            layout: Layout::new(module.pointer_bytes),
            by_thread,
            updates: Updates::new(module),
            objects: Objects::new(module.pointer_bytes, table),
            order: Order::new(by_thread),
            locks: Locks::new(),
            meeting: Meeting::default(),
            values: Values::new(Arc::clone(&facts)),
            facts,
            touched: Touched::default(),
            done: Skeletons::default(),
            left: Skeletons::default(),
            asks: Asks::default(),
            combined: false,
            refused: None,
            contexts: Vec::new(),
            registers: FxHashMap::default(),
            fed: Vec::new(),
            read: None,
            read_at: (0, 0),
            wrote: None,
            copies: FxHashMap::default(),
            reduced: FxHashMap::default(),
            combiners: if any { module.funcs.iter().map(combines).collect() } else { Vec::new() },
            spoilt: FxHashSet::default(),
            combining: None,
            settles: false,
            unseen: Vec::new(),
            mixed: Ranges::default(),
            gathered: Ranges::default(),
            places: FxHashMap::default(),
            phase: None,
            control: [false; 2],
            teams: FxHashMap::default(),
            ended: FxHashMap::default(),
        }
    }

    fn refuse(&mut self, why: impl Into<base::Reason>, at: u64) {
        self.refused.get_or_insert(Refused::at(why, at));
    }

    /// Looks at what has become complete.
    fn settle(&mut self, result: Result<(), Refused>) {
        let mut result = result;
        let mut out = std::mem::take(&mut self.order.out).into_iter();
        while let (Ok(()), Some(next)) = (&result, out.next()) {
            result = match next {
                Out::Part(owner, mut part) => self.part(&owner, &mut part),
                Out::Closed(frame, owner) => self.close(frame, owner),
            };
        }
        if let Err(refused) = result {
            self.refused.get_or_insert(refused);
        }
    }

    /// What a strand has done at a node.
    fn part(&mut self, owner: &Owner, part: &mut crate::meet::Part) -> Result<(), Refused> {
        if let (false, Some(level)) = (self.facts.is_empty(), &owner.level) {
            let beside = self.order.frames[owner.frame as usize].beside;
            for (site, ranges) in part.sites() {
                let site = &self.meeting.sites[site as usize];
                self.touched.add(&self.facts, &self.objects, (level, beside), site, ranges)?;
            }
        }
        self.meeting.add(owner.frame, owner.node, owner.chain, part);
        Ok(())
    }

    /// A frame has ended: what its strands did, its owner did.
    fn close(&mut self, frame: u32, owner: Option<Owner>) -> Result<(), Refused> {
        let mut all = self.meeting.close(frame, &self.order, &self.locks, &self.facts)?;
        match owner {
            // Nothing is beside the first thread if there are no others.
            Some(owner) if owner.frame != 0 || !self.order.is_single() => self.part(&owner, &mut all),
            _ => Ok(()),
        }
    }

    /// The run has ended as it should: what is left to be looked at.
    pub fn finish(&mut self, machine: &machine::Machine) -> Result<(), Refused> {
        for (t, _) in machine.threads.iter().enumerate().filter(|(_, th)| th.ended()) {
            self.locks.wait(t, (false, t as u32));
        }
        let finished = self.order.finish();
        self.settle(finished);
        if let Some(refused) = self.refused.take() {
            return Err(refused);
        }
        if !self.fed.is_empty() {
            return Err(Refused::at(Uncertified::ShareRead, self.fed[0].at));
        }
        if self.control == [true; 2] {
            return Err(Refused::new(Uncertified::Control));
        }
        if let Some(unseen) = self.unseen.first() {
            return Err(Refused::at(Uncertified::UnseenStore, unseen.at));
        }
        self.done.finish();
        self.locks.doubt().map_or(Ok(()), |why| Err(Refused::new(why)))
    }

    /// Whether floating-point values were taken to be the same in every order.
    pub fn floats(&self) -> bool {
        self.meeting.floats || self.values.floats
    }

    // ---- values ----

    fn inst(&self, th: &Thread) -> Option<Inst> {
        let frame = th.frames.last()?;
        let body = self.module.funcs[frame.func.0 as usize].body.as_ref()?;
        body.code.get(frame.pc as usize).copied()
    }

    /// The value of an operand and its shadow.
    fn operand(&self, th: &Thread, o: Opnd) -> Option<(u64, u64)> {
        let frame = th.frames.last()?;
        if !o.is_const() {
            let slot = frame.base + o.index();
            return Some((th.slots[slot], th.shadows[slot]));
        }
        let body = self.module.funcs[frame.func.0 as usize].body.as_ref()?;
        match body.consts.get(o.index()) {
            Some(Const::Bits(bits)) => Some((*bits, 0)),
            _ => None,
        }
    }

    // ---- what strands do ----

    // ---- locks ----

    fn context(&mut self, t: usize, beside: bool) -> u32 {
        if beside {
            // Combiners may run at the same time: their turns guard nothing beside the values.
            return self.locks.context(t, is_turn);
        }
        if self.contexts.len() <= t {
            self.contexts.resize(t + 1, None);
        }
        *self.contexts[t].get_or_insert_with(|| self.locks.context(t, |_| false))
    }

    fn who(&self, t: usize) -> (bool, u32) {
        let top = self.order.threads.get(t).and_then(|stack| stack.last());
        match top.filter(|top| top.levels.iter().any(|l| l.open)) {
            Some(top) => (true, top.chain),
            None => (false, t as u32),
        }
    }

    /// The name of a lock: its cell's, or, for those under which a region's reductions are combined, the region's.
    fn lock_key(&self, t: usize, lock: u64) -> u64 {
        if !is_reduction_lock(self.layout, lock) {
            return self.objects.key(lock);
        }
        let top = self.order.threads.get(t).and_then(|stack| stack.last());
        let region = top.and_then(|top| top.levels.first()).map_or(0, |level| level.stage.0);
        turn(region, lock & ((1 << 30) - 1))
    }

    /// An open strand ends, or destroys, something: not what its thread owns, where another one of that thread may come later.
    fn end(&mut self, t: usize, th: &Thread, (from, to): (u64, u64)) {
        let Some(levels) = self.order.top(t).map(|top| Rc::clone(&top.levels)) else { return };
        let ends = |l: &Level| {
            l.open && self.facts.owns_some(l.stage, from, to) && !self.objects.is_made_inside(from, l.id)
        };
        if levels.iter().any(ends) {
            self.refuse(Gap::OwnedEnds, at(th));
        }
    }

    fn waits(&mut self, t: usize, work: &Work) {
        let all = match work {
            Work::Arrive(_)
            | Work::TaskWait { .. }
            | Work::OrderedBegin { .. }
            | Work::Sink { .. }
            | Work::Point => vec![t],
            Work::TaskCreate { .. } => vec![t],
            Work::Fork { region, members } => {
                self.teams.insert(*region, members.clone());
                vec![t]
            }
            Work::Phase { region } | Work::Join { region } => {
                self.teams.get(region).cloned().unwrap_or_default()
            }
            _ => return,
        };
        for t in all {
            let who = self.who(t);
            self.locks.wait(t, who);
        }
    }

    /// Tasks may be executed on a thread: what its open strands have written may be overwritten.
    fn interrupt(&mut self, t: usize) {
        let levels = self.order.top(t).map(|top| Rc::clone(&top.levels));
        levels.iter().flat_map(|l| l.iter()).filter(|l| l.open).for_each(|l| self.values.forget(l.chain));
    }

    fn record(&mut self, t: usize, site: Site, from: u64, to: u64) {
        if self.order.is_alone(t) {
            return;
        }
        let number = self.meeting.number(site);
        if let Some(top) = self.order.top(t) {
            top.part.add(number, from, to);
        }
    }

    /// What happens before the order is told.
    fn before_work(&mut self, t: usize, th: &Thread, work: &Work) {
        self.waits(t, work);
        match work {
            Work::Steered(_) => self.refuse(Uncertified::Waited, at(th)),
            Work::Identity => {
                self.asks.inside |= th.omp.seats.iter().filter(|s| s.size > 1).count() > 1;
                if self.order.within_task(t, false) && !(self.by_thread && self.order.within_task(t, true)) {
                    self.refuse(Uncertified::TaskIdentity, at(th));
                }
            }
            Work::Control { write } => {
                let top = self.order.threads.get(t).and_then(|stack| stack.last());
                let (open, inside) =
                    top.map_or((false, false), |e| (e.levels.iter().any(|l| l.open), !e.levels.is_empty()));
                self.control[0] |= *write && open;
                self.control[1] |= !*write && inside;
            }
            Work::Copy { item, address } => _ = self.copies.insert(address >> 30, *item),
            Work::TaskBegin { .. } | Work::TaskEnd { .. } | Work::Point => self.interrupt(t),
            _ => {}
        }
    }

    /// What happens when the order knows.
    fn after_work(&mut self, t: usize, th: &Thread, work: &Work, opened: bool) {
        let top = self.order.threads.get(t).and_then(|stack| stack.last());
        let Some(levels) = top.map(|top| Rc::clone(&top.levels)) else { return };
        let name = top.map_or((0, 0, 0), |top| top.name);
        let mut phase = |members: u32| {
            if let Some(level) = levels.first() {
                (0..members).for_each(|number| self.values.enter(level.stage, TASKS, number, levels.len()));
            }
        };
        match work {
            Work::Enter { nth } => {
                if let Some(Level { stage, number: Some(number), .. }) = levels.first().copied() {
                    self.values.enter(stage, *nth, number, levels.len());
                }
            }
            Work::Fork { members, .. } => phase(members.len() as u32),
            Work::Phase { .. } => phase(th.omp.seats.last().map_or(0, |seat| seat.size)),
            Work::Begin { .. } => {
                let open = levels.iter().filter(|l| l.open).count();
                self.asks.inside |= open > 1;
                if open > 2 {
                    self.refuse(Gap::Nested, at(th));
                }
            }
            Work::TaskBegin { .. } | Work::TaskEnd { .. } => self.interrupt(t),
            _ => {}
        }
        if let (Work::TaskBegin { .. }, true, Some(number)) = (work, opened, self.order.number(t)) {
            let (numbers, team) = self.asks.executed.entry(name).or_default();
            *numbers |= 1 << number.min(63);
            *team = (*team).max(th.omp.seats.last().map_or(0, |seat| seat.size));
        }
    }
}

/// The instruction at which a thread stands.
#[inline]
pub fn at(th: &Thread) -> u64 {
    th.frames.last().map_or(GONE - 1, |f| u64::from(f.func.0) << 32 | u64::from(f.pc))
}

/// Whether some bit of what memory holds is open.
fn is_open_in(memory: &Memory, address: u64, len: u64) -> bool {
    (0..len).step_by(8).any(|at| {
        let n = (len - at).min(8);
        memory.resolve(address + at, n, false).is_ok_and(|spot| memory.load(spot, n as usize).1 != 0)
    })
}

impl Observer for Run<'_> {
    fn access(
        &mut self,
        t: usize,
        th: &Thread,
        address: u64,
        len: u64,
        write: bool,
        atomic: bool,
        _: AccessId,
    ) -> bool {
        self.settles = false;
        let Some(top) = self.order.top(t).filter(|_| len > 0) else { return false };
        let (levels, class, name) = (Rc::clone(&top.levels), top.class, top.name);
        let (at, key) = (at(th), self.objects.key(address));
        if self.objects.is_nameless(key) && !levels.is_empty() {
            self.refuse(Gap::Nameless, at);
        }
        let update = self.updates.of(at);
        let uncertain = th.maybe && (th.aside || update.is_none_or(|u| u.choice == UpdateChoice::None));
        let owned = self.facts.may_own(key, key + len)
            && levels.iter().any(|l| self.facts.owns(l.stage, key, key + len));
        let touch = Touch { t, at, address, key, len, write, atomic, uncertain, owned, update, name };
        let part = update.filter(|u| !u.feeds);
        let value = if write && len <= 8 && part.is_none() { self.constant(th) } else { None };
        let mut site = Site {
            at,
            write,
            atomic,
            maybe: uncertain,
            update: part.map(|u| (u.class, u.atomic)),
            silent: part.is_some_and(|u| u.silent),
            value,
            grid: if part.is_some() || value.is_some() { grid(key, len) } else { 0 },
            context: self.context(t, th.is_beside(address)),
            any: false,
            bad: false,
        };
        if !(levels.is_empty() || owned && self.is_parameter(&levels, key, key + len)) {
            self.skeleton(th, &levels, &touch);
        }
        self.combine(th, &levels, &touch);
        let copied = !self.copies.is_empty() && self.is_copy(th, &touch);
        let ([any, bad], seen) = self.claimed(class, &touch);
        let varies = !th.omp.seats.is_empty() && self.facts.open_stores.contains(&at);
        let marked = seen || copied || varies || if write && atomic { any } else { bad };
        let open = if write {
            if varies && atomic {
                self.mix(&touch);
            }
            let reads = atomic && self.gives_back(th, &levels, &touch);
            let open = self.store(th, &levels, &touch, &site) || marked || reads;
            self.wrote = Some((t, (address, key, len), part.is_some(), open));
            open
        } else {
            let found = self.finds(&levels, &touch);
            if marked {
                self.read = None;
            }
            marked || found
        };
        if !open && !write {
            self.compare_read(&levels, &touch);
        }
        self.gather(&levels, &touch);
        // What a plain access reads or leaves was treated as open for whatever reason.
        (site.any, site.bad) = (any, if atomic && write { bad } else { open });
        self.record(t, site, key, key + len);
        open
    }

    fn settles(&self) -> bool {
        self.settles
    }

    fn look(&mut self, memory: &Memory) -> bool {
        if let Some(phase) = self.phase.take() {
            self.gather_up(phase, memory);
        }
        if let Some((t, address, len)) = self.combining.take()
            && is_open_in(memory, address, len)
        {
            self.spoilt.insert(t);
        }
        if !self.unseen.is_empty() {
            for mut unseen in std::mem::take(&mut self.unseen) {
                if std::mem::replace(&mut unseen.ready, true) {
                    self.look_up(&unseen, memory);
                } else {
                    self.unseen.push(unseen);
                }
            }
        }
        // A label says that a fixed value is combined with shares: not if what is there is open for another reason.
        let (address, len) = self.read_at;
        if self.read.is_some() && is_open_in(memory, address, len) {
            self.read = None;
        }
        self.read.is_some()
    }

    fn edge(&mut self, t: usize, th: &Thread, edge: Edge) {
        match edge {
            Edge::Fork(u) => {
                let forked = self.order.fork(t, u);
                if let Some(id) = self
                    .order
                    .threads
                    .get(u)
                    .and_then(|s| s.last())
                    .map(|e| self.order.chains[e.chain as usize].id)
                {
                    self.objects.fork(u, id);
                }
                self.settle(forked);
            }
            Edge::Join(u) => {
                let who = self.who(t);
                self.locks.wait(t, who);
                let joined = self.order.join(t, u);
                self.settle(joined);
            }
            // Tasks that exclude each other: see `Order::exclude`.
            Edge::Lock(lock, _) | Edge::Unlock(lock) if lock >> 63 != 0 => {}
            Edge::Lock(lock, _) | Edge::Unlock(lock) => {
                let (key, who, layout) = (self.lock_key(t, lock), self.who(t), self.layout);
                let turns = th.combines();
                let how = match edge {
                    Edge::Lock(_, shared) => {
                        let counts = |lock: u64| !(turns && is_turn(lock));
                        self.locks.lock(t, who, key, shared, counts);
                        1 + u64::from(shared)
                    }
                    _ => {
                        self.locks.unlock(t, key);
                        3
                    }
                };
                if let Some(context) = self.contexts.get_mut(t) {
                    *context = None;
                }
                if let Some(name) = self.order.top(t).filter(|top| !top.levels.is_empty()).map(|top| top.name)
                {
                    let place = lock & ((1 << 30) - 1);
                    let of_region =
                        layout == Layout::Wide && layout.region(lock).is_stack() && place >= 1 << 28;
                    let called = if of_region { place } else { key };
                    self.done.does(t, name, [called, how, at(th), 5 << 48]);
                }
            }
            _ => {}
        }
    }

    fn work(&mut self, t: usize, th: &Thread, work: &Work) {
        if let (Work::Phase { .. } | Work::Join { .. }, false) = (work, self.gathered.is_empty()) {
            let levels = self.order.threads.get(t).and_then(|stack| stack.last()).map(|top| &top.levels);
            let (region, phase) = levels.and_then(|l| l.first()).map_or((0, 0), |l| l.stage);
            self.phase = Some((4, region, phase));
        }
        self.before_work(t, th, work);
        let strand = |run: &Run| {
            let top = run.order.threads.get(t).and_then(|stack| stack.last());
            top.filter(|e| {
                matches!(
                    run.order.chains[e.chain as usize].kind,
                    crate::order::Kind::Piece | crate::order::Kind::Task
                )
            })
            .map(|e| e.chain)
        };
        let before = strand(self);
        self.done.moved(t);
        self.objects.work(t, work);
        let result = self.order.work(t, work);
        let now = strand(self);
        let begins =
            matches!(work, Work::Begin { .. } | Work::TaskBegin { .. }) && now.is_some() && now != before;
        if begins {
            self.locks.begin(t);
        }
        if matches!(work, Work::End { .. } | Work::TaskEnd { .. }) && before.is_some() && now != before {
            self.locks.end(t);
            if let Some(chain) = before {
                self.values.keep(chain, |key| self.objects.is_of_task(key));
            }
            let last = before.and_then(|chain| self.ended.insert(t, chain).filter(|last| *last != chain));
            last.into_iter().for_each(|last| self.values.forget(last));
        }
        if !matches!(work, Work::Enter { .. } | Work::Identity | Work::Control { .. }) {
            self.contexts.iter_mut().for_each(|c| *c = None);
        }
        self.after_work(t, th, work, begins);
        self.settle(result);
    }

    fn identity(&mut self, t: usize, _: &Thread) -> bool {
        self.order.within_task(t, false) && !(self.by_thread && self.order.within_task(t, true))
    }

    fn made(&mut self, t: usize, address: u64) {
        if let Some(entry) = self.order.threads.get(t).and_then(|stack| stack.last()) {
            self.objects.made(entry, address);
        }
    }

    fn local(&mut self, t: usize, address: u64, variable: u32) {
        self.objects.local(t, address, variable);
    }

    fn destroyed(&mut self, t: usize, th: &Thread, address: u64) {
        let key = self.objects.key(address);
        self.end(t, th, (key, key + 1));
    }

    fn gone(&mut self, t: usize, th: &Thread, (address, len): (u64, u64), _: Option<AccessId>, _: &Memory) {
        self.unseen.retain(|u| u.address.wrapping_sub(address) >= len.max(1));
        let key = self.objects.key(address);
        self.end(t, th, (key, key + len));
        let context = self.context(t, false);
        let (update, value, grid) = (None, None, 0);
        let site = Site {
            at: GONE,
            write: true,
            atomic: false,
            maybe: false,
            update,
            silent: false,
            value,
            grid,
            context,
            any: false,
            bad: true,
        };
        if len > 0 {
            self.record(t, site, key, key + len);
        }
    }
}

/// Size and place of an element.
fn grid(key: u64, len: u64) -> u32 {
    (len.min(0xffff) as u32) | ((key % len.max(1)) as u32 & 0xffff) << 16
}
