//! What strands do, as pass 2 sees it: the words of which [`crate::done`] makes hashes.

use ir::{Inst, Opnd, UpdateChoice};
use machine::Thread;
use machine::memory::Memory;

use crate::done::Hash;
use crate::folds::Found;
use crate::order::Level;
use crate::rules::Rule;

use super::{Tainter, Touch, Unseen};

impl Tainter<'_> {
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
    pub(super) fn hash(&mut self, th: &Thread, touch: &Touch) {
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
    pub(super) fn compare_read(&mut self, levels: &[Level], touch: &Touch) {
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

    /// Adds what memory holds now to what an instruction stored.
    pub(super) fn look_up(&mut self, unseen: &Unseen, memory: &Memory) {
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
