//! Shares of folds in pass 2: what a store contributes, what a read finds, and what goes from one into the other.

use ir::{Inst, UpdateChoice};
use machine::Thread;

use crate::combine::Coming;
use crate::commute::{Class, Part};
use crate::done::Hash;
use crate::folds::{FamilyId, Found, Kind, Label};
use crate::order::Level;
use crate::owners::TASKS;
use crate::ranges::Ranges;
use crate::record::stored_value;
use crate::rules::Rule;

use super::{Fed, Tainter, Touch};

impl Tainter<'_> {
    /// Cells lose their labels; what is left of those that were cut is open.
    pub(super) fn drop_labels(&mut self, depth: usize, key: u64, len: u64) {
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
    pub(super) fn store(&mut self, th: &Thread, levels: &[Level], touch: &Touch) -> bool {
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
    pub(super) fn finds(&mut self, levels: &[Level], touch: &Touch) -> bool {
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

    /// What a combiner of a user-defined reduction stores is taken to be the same in every order and grouping, if what it combines are
    /// shares, or fixed.
    pub(super) fn combine(&mut self, th: &Thread, touch: &Touch) {
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
    pub(super) fn is_shared_copy(&self, touch: &Touch, part: Option<Part>) -> bool {
        let Some(item) = self.copies.get(&(touch.address >> 30)).filter(|_| Rule::Copies.holds()) else {
            return false;
        };
        let Some(class) = self.reduced.get(item).copied().flatten() else { return true };
        part.is_none_or(|p| p.class != class)
    }

    /// Whether an atomic operation gives back shares, or what open strands left. One that compares may or may not store then.
    pub(super) fn gives_back(&mut self, th: &Thread, levels: &[Level], touch: &Touch) -> bool {
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

    /// Whether a share is on its way into an update that a branch decides.
    pub(super) fn is_feeding(&self, touch: &Touch, part: &Part) -> bool {
        let mut fed = self.fed.get(&touch.t).into_iter().flatten();
        fed.any(|f| (f.id, f.at >> 32) == (part.id, touch.at >> 32))
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

/// Whether a strand that reads a label finds the same shares in every distribution: the cell is nobody's, so that all threads would read
/// it, or the strand is not open itself in the regions of these shares.
fn is_whole(levels: &[Level], touch: &Touch, label: &Label) -> bool {
    let around = levels.len().saturating_sub(label.depth.saturating_sub(1));
    Rule::Whole.is_off() || !touch.owned || levels.iter().take(around).all(|l| !l.is_open())
}
