//! Shares of folds (rules R2 and R3), copies that tasks reduce into (R4), and what atomics give back (R5).

use base::reason::Uncertified;
use ir::{Inst, Opnd, UpdateChoice};
use machine::Thread;

use crate::certificate::Class;
use crate::meet::Site;
use crate::order::Level;
use crate::values::{Found, Label};

use super::{Fed, Run, Touch};

impl Run<'_> {
    /// The label of what is in an operand's register.
    pub(super) fn label_of(&self, t: usize, th: &Thread, o: Opnd) -> Option<&Label> {
        let base = th.frames.last()?.base;
        self.registers.get(&(t, base + o.index())).filter(|_| !o.is_const())
    }

    /// The constant of one word that a store stores.
    pub(super) fn constant(&self, th: &Thread) -> Option<u64> {
        match self.inst(th)? {
            Inst::Store { src, ty, .. } | Inst::AtomicStore { src, ty, .. }
                if src.is_const() && ty.slots() == 1 =>
            {
                self.operand(th, src).map(|v| v.0)
            }
            _ => None,
        }
    }

    /// Whether the reader of a label finds the same shares in every distribution: the cell is nobody's, or he is not open himself in the
    /// regions of the shares.
    fn is_whole(levels: &[Level], touch: &Touch, label: &Label) -> bool {
        let around = levels.len().saturating_sub(label.depth.saturating_sub(1));
        !touch.owned || levels.iter().take(around).all(|l| !l.open)
    }

    /// Whether a read finds what open strands left, or shares.
    pub(super) fn finds(&mut self, levels: &[Level], touch: &Touch) -> bool {
        let (from, to) = (touch.key, touch.key + touch.len);
        if self.values.is_left(levels, from, to) {
            return true;
        }
        let label = match self.values.find(from, touch.len) {
            Found::Nothing => return false,
            Found::Part => return !self.values.is_mine(levels, from, to),
            Found::Exact(label) => label,
        };
        match touch.update {
            // The load of an update.
            Some(u) if !u.feeds && u.class == label.class && !touch.atomic => return false,
            Some(u) if u.feeds && u.class == label.class && Self::is_whole(levels, touch, &label) => {
                if self.fed.iter().any(|f| (f.t, f.at) == (touch.t, touch.at)) {
                    self.refuse(Uncertified::ShareRead, touch.at);
                }
                self.fed.push(Fed { t: touch.t, at: touch.at, class: u.class, id: u.id, label });
                return false;
            }
            _ if self.values.is_mine(levels, from, to) => return false,
            _ => {}
        }
        if Self::is_whole(levels, touch, &label) && !touch.atomic {
            self.read = Some((touch.t, touch.at, label));
            self.read_at = (touch.address, touch.len);
        }
        true
    }

    /// The share that goes into an update at its store, by a branch or by an atomic operation.
    fn take_fed(&mut self, touch: &Touch) -> Option<Label> {
        let update = touch.update.filter(|_| !self.fed.is_empty())?;
        let func = touch.at >> 32;
        let found = match (update.fed, update.choice) {
            (Some(pc), _) => {
                self.fed.iter().position(|f| (f.t, f.at) == (touch.t, func << 32 | u64::from(pc)))
            }
            (None, UpdateChoice::None) => None,
            (None, _) => self.fed.iter().rposition(|f| (f.t, f.id, f.at >> 32) == (touch.t, update.id, func)),
        };
        let fed = self.fed.remove(found?);
        if update.choice != UpdateChoice::None {
            // It is read once to compare it and once to store it.
            self.fed.retain(|f| (f.t, f.id, f.at >> 32) != (touch.t, update.id, func));
        }
        (fed.class == update.class).then_some(fed.label)
    }

    /// An update puts a share into a cell.
    fn add_label(&mut self, touch: &Touch, label: Label) -> bool {
        let low = matches!(label.class, Class::Add | Class::Mul | Class::And | Class::Or | Class::Xor);
        if touch.len != label.len && !(low && touch.len < label.len) {
            self.values.leave_open(1, touch.key, touch.key + touch.len);
            return true;
        }
        let mut label = Label { len: touch.len, ..label }.times(1);
        if let Found::Exact(before) = self.values.find(touch.key, touch.len) {
            label.combine(&before, 1);
        }
        self.values.put(touch.key, label);
        false
    }

    /// What a store does to what is known of its cell. Whether what it stores is open.
    pub(super) fn store(&mut self, th: &Thread, levels: &[Level], touch: &Touch, site: &Site) -> bool {
        let (from, to) = (touch.key, touch.key + touch.len);
        let share =
            site.kind().filter(|_| touch.owned).and_then(|kind| self.values.contribution(levels, from, kind));
        let fed = self.take_fed(touch);
        if let Some((strand, family)) = share {
            self.contribute(th, levels, touch, site, (strand, family), fed.is_some());
            return fed.is_some_and(|label| self.add_label(touch, label));
        }
        let there = self.values.find(from, touch.len);
        if touch.uncertain {
            // A share may be there afterwards, or not.
            if fed.is_some() || there != Found::Nothing {
                self.values.leave_open(levels.len(), from, to);
            }
            return fed.is_some();
        }
        let updates = touch.update.is_some_and(|u| match &there {
            Found::Nothing => fed.is_some(),
            Found::Exact(label) => label.class == u.class,
            Found::Part => false,
        });
        if updates {
            return fed.is_some_and(|label| self.add_label(touch, label));
        }
        self.values.drop_labels(levels.len(), from, to);
        if !touch.atomic {
            self.values.write(levels, from, to);
        }
        fed.is_some()
    }

    /// A strand contributes to a share: the same in every run.
    fn contribute(
        &mut self,
        th: &Thread,
        levels: &[Level],
        touch: &Touch,
        site: &Site,
        (strand, family): (u64, u32),
        fed: bool,
    ) {
        let source = match self.inst(th) {
            Some(Inst::Store { src, .. } | Inst::AtomicStore { src, .. } | Inst::AtomicRmw { src, .. }) => {
                Some(src)
            }
            _ => None,
        };
        let operand = touch.update.and_then(|u| u.operand).or(source);
        // The operand's register may be needed no more; what is stored has its shares, and no others.
        let shared = [operand, source].into_iter().flatten().any(|o| self.label_of(touch.t, th, o).is_some());
        let value = match (touch.update, site.value) {
            (_, Some(value)) => Some((u64::from(value != 0), 0)),
            (Some(_), _) if fed || shared => Some((0, 0)),
            // Which value is picked is not to be seen in what is stored; the new one was read, and is compared there.
            (Some(u), _) if u.choice == UpdateChoice::Picks => {
                source.and_then(|o| Some((0, self.operand(th, o)?.1)))
            }
            (Some(_), _) => operand.and_then(|o| self.operand(th, o)),
            _ => None,
        };
        match value {
            Some((value, 0)) => {
                let words = [touch.at, strand, self.facts.name_of(family), self.objects.key(value)];
                self.done.does(touch.t, touch.name, words);
            }
            _ => self.refuse(Uncertified::OpenContribution, touch.at),
        }
        if site.value.is_some() {
            self.values.write(levels, touch.key, touch.key + touch.len);
        }
    }

    /// Whether an atomic operation gives back shares, or what open strands left (R5).
    pub(super) fn gives_back(&mut self, th: &Thread, levels: &[Level], touch: &Touch) -> bool {
        let inst = self.inst(th);
        if matches!(inst, Some(Inst::AtomicStore { .. })) {
            return false;
        }
        let (from, to) = (touch.key, touch.key + touch.len);
        let label = self.values.find(from, touch.len);
        let found = self.values.is_left(levels, from, to) || label != Found::Nothing;
        let known = match (&label, inst) {
            (_, Some(Inst::AtomicRmw { op: ir::RmwOp::Xchg, .. })) => true,
            (Found::Exact(label), _) => touch.update.is_some_and(|u| u.class == label.class),
            _ => false,
        };
        if found && !known {
            self.values.leave_open(levels.len(), from, to);
        }
        found
    }

    /// What the certificate claims of the order of threads, and what follows from what atomic operations have left (R1): whether it is open
    /// what is given back, and what is read or left; and whether what is there is.
    pub(super) fn claimed(&mut self, class: u64, touch: &Touch) -> ([bool; 2], bool) {
        let (from, to) = (touch.key, touch.key + touch.len);
        let claims = self.facts.claims(class, touch.at, touch.write, from, to);
        let seen = (!touch.write || touch.atomic) && !self.mixed.is_empty() && self.mixed.touches(from, to);
        if touch.write && touch.atomic && claims[1] {
            self.mix(touch);
        } else if touch.write && !touch.atomic && !touch.uncertain && !self.mixed.is_empty() {
            self.mixed.remove(from, to);
        }
        (claims, seen)
    }

    pub(super) fn mix(&mut self, touch: &Touch) {
        self.mixed.add(touch.key, touch.key + touch.len);
        self.mixed.tidy_up();
    }

    /// Whether it is open what an access to a copy finds that tasks reduce into (R4): unless all do updates of one class with it.
    pub(super) fn is_copy(&mut self, th: &Thread, touch: &Touch) -> bool {
        let Some(&item) = self.copies.get(&(touch.address >> 30)) else { return false };
        if matches!(self.inst(th), Some(Inst::Call { .. })) {
            // It is freed.
            return true;
        }
        let Some(class) = touch.update.filter(|u| !u.atomic).map(|u| u.class) else {
            self.refuse(Uncertified::CopyUsed, touch.at);
            return true;
        };
        if *self.reduced.entry(item).or_insert(class) != class {
            self.refuse(Uncertified::CopyUpdates, touch.at);
        }
        false
    }

    /// A combiner of a user-defined reduction: what it stores is taken to be the same in every order and grouping, if what it combines
    /// are shares, or fixed.
    pub(super) fn combine(&mut self, th: &Thread, levels: &[Level], touch: &Touch) {
        if self.combiners.is_empty() || !th.frames.iter().any(|f| self.combiners[f.func.0 as usize]) {
            self.spoilt.remove(&touch.t);
            return;
        }
        if touch.write {
            let seen = matches!(self.inst(th), Some(Inst::Store { ty, .. }) if ty.slots() == 1)
                || matches!(self.inst(th), Some(Inst::Copy { .. }));
            self.settles =
                seen && !touch.owned && !th.is_beside(touch.address) && !self.spoilt.contains(&touch.t);
            self.combined |= self.settles;
            return;
        }
        let mixed = match self.values.find(touch.key, touch.len) {
            Found::Exact(label) => touch.update.is_some_and(|u| u.class != label.class),
            _ => false,
        };
        if mixed || self.values.is_left(levels, touch.key, touch.key + touch.len) {
            self.spoilt.insert(touch.t);
        }
        self.combining = Some((touch.t, touch.address, touch.len));
    }

    /// Whether in each region in which the strand is open its thread owns the cell, or it was made inside the strand.
    pub(super) fn is_parameter(&self, levels: &[Level], from: u64, to: u64) -> bool {
        let mut open = levels.iter().filter(|l| l.open);
        open.all(|l| self.facts.owns(l.stage, from, to) || self.objects.is_made_inside(from, l.id))
    }
}
