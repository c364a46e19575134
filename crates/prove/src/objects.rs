//! Objects told apart and named, independently of where the run put them.
//!
//! *Lives.* The address of a local variable is given to the next one when its function has returned. Tasks that one thread
//! executes one after another are concurrent, so what they keep at one address must not be taken for one object. Every
//! local variable after the first at its address gets addresses that no real object has ([`Lives::of`]); the machine says
//! when objects are made.
//!
//! *Names.* Where an object lies depends on the thread that made it. For comparing runs with different distributions an
//! object is known by the strand that made it and how many it had made before ([`Names::canonical`]). What an implicit task made is called
//! own, without its number, by strands that execute on that thread or were created there: each thread of the team has one.

use machine::Thread;
use machine::memory::layout::{Layout, RegionId};
use rustc_hash::FxHashMap;

use crate::order::{Name, Order, Pos};
use crate::private;

/// Bits of an offset in an object, as `machine` lays objects out.
const OFFSET: u32 = 30;
/// Marks addresses that no object really has.
const RENAMED: u64 = 1 << 63;

/// Local variables that were at an address before.
#[derive(Debug)]
pub struct Lives {
    layout: Layout,
    /// By object of a stack: which life it is in, from 0; from 1 on, the number of the renamed object.
    now: FxHashMap<u64, u64>,
    /// The real objects of the renamed ones.
    real: Vec<u64>,
}

impl Lives {
    /// No object was made yet.
    pub fn new(layout: Layout) -> Lives {
        Lives { layout, now: FxHashMap::default(), real: vec![0] }
    }

    /// An object is made.
    pub fn made(&mut self, address: u64) {
        if self.layout != Layout::Wide || !self.layout.region(address).is_stack() {
            return;
        }
        let key = address >> OFFSET;
        match self.now.get_mut(&key) {
            None => {
                self.now.insert(key, 0);
            }
            Some(life) => {
                *life = self.real.len() as u64;
                self.real.push(key);
            }
        }
    }

    /// The address by which the object that is there now is told from those before it.
    #[inline]
    pub fn of(&self, address: u64) -> u64 {
        if self.real.len() == 1 || !self.layout.region(address).is_stack() {
            return address;
        }
        match self.now.get(&(address >> OFFSET)) {
            Some(&life) if life > 0 => RENAMED | life << OFFSET | (address & ((1 << OFFSET) - 1)),
            _ => address,
        }
    }

    /// Whether an address (as [`Lives::of`] gives it) is that of a local variable.
    pub fn is_local(&self, address: u64) -> bool {
        self.layout.region(self.real(address)).is_stack()
    }

    /// The address that the machine knows.
    pub fn real(&self, address: u64) -> u64 {
        if address & RENAMED == 0 {
            return address;
        }
        let life = (address & !RENAMED) >> OFFSET;
        let key = self.real.get(life as usize).copied().unwrap_or(0);
        key << OFFSET | (address & ((1 << OFFSET) - 1))
    }
}

#[derive(Debug, Clone, Copy)]
struct Maker {
    strand: Name,
    count: u32,
    /// For an implicit task: its region and number.
    seat: Option<(u64, u32)>,
}

/// Who made which object.
#[derive(Debug)]
pub struct Names {
    layout: Layout,
    makers: FxHashMap<u64, Maker>,
    counts: FxHashMap<Name, u32>,
}

impl Names {
    /// No object was made yet.
    pub fn new(layout: Layout) -> Names {
        Names { layout, makers: FxHashMap::default(), counts: FxHashMap::default() }
    }

    /// The strand at a position makes an object. (Addresses are those of [`Lives::of`].)
    pub fn made(&mut self, order: &Order, pos: Pos, address: u64) {
        if self.layout != Layout::Wide {
            return;
        }
        let strand = order.name(pos).strand();
        let count = self.counts.entry(strand).or_default();
        *count += 1;
        let (region, member, implicit) = order.seat(pos);
        let seat = implicit.then_some((region, member));
        self.makers.insert(address >> OFFSET, Maker { strand, count: *count, seat });
    }

    /// Whether an implicit task of a region made the object at an address.
    pub fn is_of_implicit(&self, address: u64, region: u64) -> bool {
        self.makers.get(&(address >> OFFSET)).is_some_and(|m| m.seat.is_some_and(|s| s.0 == region))
    }

    /// Whether what an object holds may be another thing on another thread: it was not made by the strand that uses it.
    pub fn is_carried(&self, address: u64) -> bool {
        self.makers.get(&(address >> OFFSET)).is_none_or(|m| m.seat.is_some())
    }

    /// Whether the piece of work at a position made the local variable at an address itself, in a function that it called:
    /// then nothing in it comes from another piece.
    pub fn is_made_by(&self, order: &Order, pos: Pos, address: u64) -> bool {
        let piece = || order.is_open(pos).then(|| order.name(pos).strand());
        let maker = self.makers.get(&(address >> OFFSET)).filter(|m| m.seat.is_none());
        maker.is_some_and(|m| Some(m.strand) == piece())
    }

    /// What an address is called in every run: the object (0 for one that is always at the same place) and the place in
    /// it.
    pub fn identity(&self, address: u64) -> (u64, u64) {
        match self.makers.get(&(address >> OFFSET)) {
            Some(m) => {
                let part = u64::from(m.strand.phase()) << 32 | u64::from(m.count);
                let id = (m.strand.id.rotate_left(23) ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                let id = (id ^ id >> 29 ^ m.strand.id).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                ((id ^ id >> 32).max(1), address & ((1 << OFFSET) - 1))
            }
            None => (0, address),
        }
    }

    /// A value as the strand at a position of thread `t` sees it: the same in all distributions if it is the address of the
    /// corresponding object.
    pub fn canonical(&self, order: &Order, pos: Pos, (t, th): (usize, &Thread), value: u64) -> [u64; 3] {
        if self.layout == Layout::Wide
            && value >> OFFSET != 0
            && self.layout.region(value) == RegionId::tls(t)
        {
            return [private::thread_local(th, value), 1, 0];
        }
        self.canonical_at(order, pos, value)
    }

    /// The same, with thread-local variables by their addresses.
    pub fn canonical_at(&self, order: &Order, pos: Pos, value: u64) -> [u64; 3] {
        if self.layout != Layout::Wide || value >> OFFSET == 0 {
            return [value, 0, 0];
        }
        let Some(maker) = self.makers.get(&(value >> OFFSET)) else { return [value, 0, 0] };
        let offset = value & ((1 << OFFSET) - 1);
        let place = offset | u64::from(maker.count) << OFFSET;
        match maker.seat {
            Some(seat) if order.seats(pos).any(|s| s == seat) => {
                [place, seat.0, 2 << 32 | u64::from(maker.strand.phase())]
            }
            _ => [place, maker.strand.id, 3 << 32 | u64::from(maker.strand.phase())],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_is_used_again_is_another() {
        let mut lives = Lives::new(Layout::Wide);
        let local = (u64::from(RegionId::stack(2).0) << 52) + (5 << 30) + 65536;
        lives.made(local);
        let first = lives.of(local + 8);
        lives.made(local);
        let second = lives.of(local + 8);
        assert_eq!(first, local + 8);
        assert_ne!(first, second);
        assert_eq!([lives.real(first), lives.real(second)], [local + 8; 2]);
        let heap = u64::from(RegionId::heap(1).0) << 52;
        lives.made(heap);
        lives.made(heap);
        assert_eq!(lives.of(heap), heap);
    }
}
