//! What strands do, and what they leave at the end of a phase, for the comparison of runs.

use ir::{Inst, Opnd, UpdateChoice};
use machine::Thread;
use machine::memory::Memory;
use machine::names::Strand;

use crate::objects::Objects;
use crate::order::Level;
use crate::updates::Update;
use crate::values::Found;

use super::{Fed, Run, Touch, Unseen};

impl Run<'_> {
    pub(super) fn skeleton(&mut self, th: &Thread, levels: &[Level], touch: &Touch) {
        let (from, to) = (touch.key, touch.key + touch.len);
        let open = levels.iter().any(|l| l.open);
        if open && self.layout.region(touch.address).is_stack() && self.objects.is_made_by(from, touch.name) {
            // Only the strand itself needs what it keeps there: what it does with it shows elsewhere.
            return;
        }
        let mut own = levels.iter().filter(|l| touch.owned && self.facts.owns(l.stage, from, to));
        let key = own.find_map(|l| self.objects.relative(from, l)).unwrap_or((from, 0));
        let told = u64::from(th.told && th.aside) << 32;
        self.note(th.maybe, touch, [touch.at, told | touch.len << 1 | u64::from(touch.write), key.0, key.1]);
        if !touch.write || self.facts.open_stores.contains(&touch.at) {
            return;
        }
        let Some(stored) = self.stored(th, touch) else {
            let Touch { at, address, len, name, .. } = *touch;
            self.unseen.push(Unseen { name, at, address, len, ready: false, owned: false });
            return;
        };
        for (i, o) in stored.into_iter().flatten().enumerate() {
            // Constants that are no numbers are the same everywhere.
            let value = match self.operand(th, o) {
                Some((value, 0)) => self.objects.key(value),
                Some((value, open)) => value & !open,
                None => 0,
            };
            self.note(th.maybe, touch, [touch.at, 1 << 48 | i as u64, value, from]);
        }
    }

    fn note(&mut self, maybe: bool, touch: &Touch, words: [u64; 4]) {
        if maybe {
            self.done.may_do(touch.name, words);
        } else {
            self.done.does(touch.t, touch.name, words);
        }
    }

    /// The operands whose values a store stores, or contributes, if that is known.
    fn stored(&self, th: &Thread, touch: &Touch) -> Option<[Option<Opnd>; 2]> {
        let second = |ty: ir::Scalar, src: Opnd| (ty.slots() == 2).then(|| src.second());
        let func = touch.at >> 32;
        let feeding = |u: &Update| {
            let fed = |f: &Fed| match u.fed {
                Some(pc) => f.at == func << 32 | u64::from(pc),
                None => u.choice != UpdateChoice::None && (f.id, f.at >> 32) == (u.id, func),
            };
            self.fed.iter().any(|f| f.t == touch.t && fed(f))
        };
        match (self.inst(th)?, touch.update) {
            (Inst::Store { .. }, Some(u)) if u.choice == UpdateChoice::Picks || feeding(&u) => {
                Some([None; 2])
            }
            (Inst::AtomicRmw { .. }, Some(u)) if feeding(&u) => Some([None; 2]),
            (Inst::Store { .. }, Some(u)) => match u.operand {
                Some(o) if self.label_of(touch.t, th, o).is_some() => Some([None; 2]),
                operand => operand.map(|o| [Some(o), None]),
            },
            (
                Inst::Store { src, ty, .. }
                | Inst::AtomicStore { src, ty, .. }
                | Inst::AtomicRmw { src, ty, .. },
                _,
            ) => Some([Some(src), second(ty, src)]),
            (Inst::Fill { byte, .. }, _) => Some([Some(byte), None]),
            (Inst::VaStart { .. }, _) => Some([None; 2]),
            _ => None,
        }
    }

    /// Where a function picks what it stores, that is not to be seen in what is stored: so what is read inside open strands is compared,
    /// wherever it lies.
    pub(super) fn compare_read(&mut self, levels: &[Level], touch: &Touch) {
        let updates = touch.update.is_some_and(|u| !u.feeds);
        if !levels.iter().any(|l| l.open) || updates || !self.updates.picks(touch.at) {
            return;
        }
        if self.values.find(touch.key, touch.len) == Found::Nothing {
            let Touch { at, address, len, name, .. } = *touch;
            self.unseen.push(Unseen { name, at, address, len, ready: true, owned: true });
        }
    }

    /// What strands other than pieces leave in a region may show how many threads there are (theorem 3): how many pieces there are does
    /// not depend on the team.
    pub(super) fn gather(&mut self, levels: &[Level], touch: &Touch) {
        let is_piece = |l: &Level| l.open && !l.task;
        let Some(inner) = levels.first().filter(|_| touch.write && !levels.iter().all(is_piece)) else {
            return;
        };
        let (from, to) = (touch.key, touch.key + touch.len);
        if !touch.owned && !self.objects.is_made_inside(from, inner.id) {
            self.gathered.add(from, to);
            let (object, offset) = Objects::split(from);
            self.places.insert(object, touch.address.wrapping_sub(offset));
        }
    }

    /// All of a team have come to the end of a phase: what they have gathered there is complete.
    pub(super) fn gather_up(&mut self, name: Strand, memory: &Memory) {
        let mut gathered = std::mem::take(&mut self.gathered);
        gathered.tidy_up();
        for &(from, to) in gathered.list() {
            let (object, offset) = Objects::split(from);
            let Some(start) = self.places.get(&object) else { continue };
            let address = start.wrapping_add(offset);
            for at in (0..to - from).step_by(8) {
                let value = self.word(memory, address + at, (to - from - at).min(8));
                self.left.may_do(name, [0, 3 << 48, from + at, value]);
            }
        }
        self.places.clear();
    }

    /// What up to eight bytes of memory hold, as far as that is fixed.
    fn word(&self, memory: &Memory, address: u64, len: u64) -> u64 {
        match memory.resolve(address, len, false).map(|spot| memory.load(spot, len as usize)) {
            Ok((value, 0)) => self.objects.key(value),
            Ok((value, open)) => value & !open,
            Err(_) => u64::MAX,
        }
    }

    /// What memory holds now belongs to what a strand has stored.
    pub(super) fn look_up(&mut self, unseen: &Unseen, memory: &Memory) {
        for at in (0..unseen.len).step_by(8) {
            let value = self.word(memory, unseen.address + at, (unseen.len - at).min(8));
            let key = if unseen.owned { at } else { self.objects.key(unseen.address) + at };
            let count = self.done.count(unseen.name);
            self.done.may_do(unseen.name, [unseen.at, 2 << 48 | count, key, value]);
        }
    }
}
