//! Cells: memory named independently of the run.
//!
//! Where an object lies depends on the thread that made it and on what that thread had made before, so on the distribution. A
//! *cell* is a byte of an object, and an object is known by what made it: a global variable by its address, a thread-local one by
//! the thread's place among those that forked it, everything else by the strand that made it and how many it had made before.
//! What an implicit task makes is named by that task, so two threads' objects are never the same cell, whatever they are called in
//! the source. The address of a local variable is used again when its function has returned; every use is another object.
//!
//! *Invariant.* [`Cells::key`] gives two addresses of two runs the same key exactly if they are the same byte of the same object.
//! Keys of an object follow each other, so that ranges of bytes are ranges of keys. On 32-bit targets objects lie too
//! close for that: a key is an address there, and whoever compares runs must not rely on it ([`Cells::are_named`]).

use std::sync::{Arc, RwLock};

use machine::Work;
use machine::memory::layout::{Layout, RegionId};
use machine::names;
use rustc_hash::FxHashMap;

use crate::order::{Kind, Name, Order, id_of};

/// Bits of an offset in an object, as `machine` lays objects out.
pub(crate) const OFFSET: u32 = 30;
/// Marks keys of objects that have a name.
const NAMED: u64 = 1 << 63;
/// Addresses below belong to globals and functions.
const FIRST_OF_THREADS: u64 = 3 << 52;

/// What an object is known by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Object {
    /// The strand that made it, and how many that had made with it.
    Made(Name, u32),
    /// Whose instance of which thread-local variable.
    Local(u64, u32),
}

/// The names of objects, as numbers: one table for all runs that are compared.
#[derive(Debug, Clone, Default)]
pub struct Table(Arc<RwLock<FxHashMap<Object, u64>>>);

impl Table {
    /// By number: the names of the objects, as [`machine::names`] has them.
    pub(crate) fn names(&self) -> FxHashMap<u64, u64> {
        let name = |object: &Object| match *object {
            Object::Made(strand, count) => names::object((strand.kind, strand.id, strand.phase()), count),
            Object::Local(path, variable) => names::local(path, variable),
        };
        let table = self.0.read().expect("nobody panics here");
        table.iter().map(|(object, number)| (NAMED >> OFFSET | *number, name(object))).collect()
    }

    /// What implicit tasks have made, by its first key: the task's id.
    pub(crate) fn of_implicit(&self) -> FxHashMap<u64, u64> {
        let table = self.0.read().expect("nobody panics here");
        let made = table.iter().filter_map(|(object, number)| match object {
            Object::Made(strand, _) if strand.kind == 3 => Some((NAMED >> OFFSET | *number, strand.id)),
            _ => None,
        });
        made.collect()
    }

    fn number(&self, object: Object) -> u64 {
        if let Some(&number) = self.0.read().expect("nobody panics here").get(&object) {
            return number;
        }
        let mut table = self.0.write().expect("nobody panics here");
        let next = table.len() as u64;
        *table.entry(object).or_insert(next)
    }

    /// How many names there are.
    pub(crate) fn len(&self) -> usize {
        self.0.read().expect("nobody panics here").len()
    }

    /// Forgets all names but so many first ones.
    pub(crate) fn truncate(&self, len: usize) {
        self.0.write().expect("nobody panics here").retain(|_, number| *number < len as u64);
    }
}

/// The objects of one run.
#[derive(Debug)]
pub struct Cells {
    layout: Layout,
    table: Table,
    /// By object of the run: its first key.
    bases: FxHashMap<u64, u64>,
    /// Which strand made it, inside which strands of the regions around it and which regions, by their ids.
    makers: FxHashMap<u64, (Name, Arc<[u64]>)>,
    /// Of what implicit tasks made: the region, the number of the thread, and a name that it has for all threads.
    homes: FxHashMap<u64, (u64, u32, u64)>,
    /// The strands around the one that made something last.
    around: (Name, Arc<[u64]>),
    counts: FxHashMap<Name, u32>,
    /// By thread: its place among those that forked it.
    paths: Vec<u64>,
    /// By thread: how many of the regions that it has forked are in progress.
    forks: Vec<u64>,
}

impl Cells {
    /// Of a run that is about to begin.
    pub fn new(pointer_bytes: u8, table: Table) -> Cells {
        Cells {
            layout: Layout::new(pointer_bytes),
            table,
            bases: FxHashMap::default(),
            makers: FxHashMap::default(),
            homes: FxHashMap::default(),
            around: (Name::default(), Arc::from([])),
            counts: FxHashMap::default(),
            paths: vec![1],
            forks: vec![0],
        }
    }

    /// Whether keys are the same in all runs.
    pub fn are_named(&self) -> bool {
        self.layout == Layout::Wide
    }

    /// The name of the byte at an address.
    #[inline]
    pub fn key(&self, address: u64) -> u64 {
        if address < FIRST_OF_THREADS {
            return address;
        }
        match self.bases.get(&(address >> OFFSET)) {
            Some(base) => base | (address & ((1 << OFFSET) - 1)),
            None => address,
        }
    }

    /// The strand that made the object of a key, if one has.
    #[inline]
    pub fn maker(&self, key: u64) -> Option<Name> {
        if key & NAMED == 0 { None } else { self.makers.get(&(key >> OFFSET)).map(|m| m.0) }
    }

    /// Whether the object of a key was made inside a strand (by its id): then it is the same whoever executes that.
    pub fn is_made_inside(&self, key: u64, strand: u64) -> bool {
        let maker = if key & NAMED == 0 { None } else { self.makers.get(&(key >> OFFSET)) };
        maker.is_some_and(|(_, around)| around.contains(&strand))
    }

    /// Whether the object of a key was made in a region (by its id).
    pub fn is_made_in(&self, key: u64, region: u64) -> bool {
        self.is_made_inside(key, region)
    }

    /// A name that all threads of a region have for a cell, if the implicit task of this number made it.
    pub fn relative(&self, key: u64, region: u64, number: u32) -> Option<(u64, u64)> {
        let &(home, by, name) = self.homes.get(&(key >> OFFSET))?;
        let offset = key & ((1 << OFFSET) - 1);
        ((home, by) == (region, number)).then_some((region ^ offset << 1 ^ 1, name))
    }

    /// Whether an implicit task made the object of a key.
    pub fn is_of_task(&self, key: u64) -> bool {
        self.homes.contains_key(&(key >> OFFSET))
    }

    /// Whether an address is in something that a thread made, but was not told of. (The first thread's variables are there from
    /// the beginning, always at the same place.)
    pub fn is_nameless(&self, key: u64) -> bool {
        let unknown = (FIRST_OF_THREADS..NAMED).contains(&key);
        unknown && self.are_named() && self.layout.region(key) != RegionId::tls(0)
    }

    /// A thread makes an object.
    pub fn made(&mut self, order: &Order, t: usize, address: u64) {
        if !self.are_named() || t >= order.threads() {
            return;
        }
        let strand = order.name(order.pos(t)).strand();
        let count = self.counts.entry(strand).or_default();
        *count += 1;
        let base = NAMED | self.table.number(Object::Made(strand, *count)) << OFFSET;
        let count = u64::from(*count);
        self.bases.insert(address >> OFFSET, base);
        if let Some(level) = order.levels(order.pos(t)).next().filter(|l| l.kind == Kind::Fixed)
            && let Some(number) = level.number
        {
            let name = u64::from(level.stage.1) << 32 | count;
            self.homes.insert(base >> OFFSET, (level.stage.0, number, name));
        }
        if self.around.0 != strand {
            let levels = order.levels(order.pos(t));
            let around = levels.flat_map(|l| [order.id(l.chain), l.stage.0]).collect();
            self.around = (strand, around);
        }
        self.makers.insert(base >> OFFSET, (strand, Arc::clone(&self.around.1)));
    }

    /// A thread gets its instance of a thread-local variable.
    pub fn local(&mut self, t: usize, address: u64, variable: u32) {
        if self.are_named() && address >= FIRST_OF_THREADS {
            let path = self.paths.get(t).copied().unwrap_or(0);
            let base = NAMED | self.table.number(Object::Local(path, variable)) << OFFSET;
            self.bases.insert(address >> OFFSET, base);
        }
    }

    fn room(&mut self, t: usize) {
        if self.paths.len() <= t {
            self.paths.resize(t + 1, 0);
            self.forks.resize(t + 1, 0);
        }
    }

    /// A thread is created; to be told behind [`Order::fork`].
    pub fn fork(&mut self, order: &Order, u: usize) {
        self.room(u);
        self.paths[u] = order.root(u);
    }

    /// Teams are forked and joined. A worker is known by who forks it, how deep, and its number.
    pub fn work(&mut self, t: usize, work: &Work) {
        self.room(t);
        match work {
            Work::Fork { members, .. } => {
                for (number, &m) in members.iter().enumerate().skip(1) {
                    self.room(m);
                    self.paths[m] = id_of(self.paths[t], self.forks[t] << 32 | number as u64);
                }
                self.forks[t] += 1;
            }
            Work::Join { .. } => self.forks[t] = self.forks[t].saturating_sub(1),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(region: RegionId, index: u64) -> u64 {
        (u64::from(region.0) << 52) + (index << 30) + 65536
    }

    #[test]
    fn an_address_that_is_used_again_is_another_object() {
        let order = Order::new();
        let mut cells = Cells::new(8, Table::default());
        let local = address(RegionId::stack(0), 5);
        cells.made(&order, 0, local);
        let first = cells.key(local + 8);
        cells.made(&order, 0, local);
        let second = cells.key(local + 8);
        assert_ne!(first, second);
        assert_eq!(cells.key(local + 9), second + 1);
    }

    #[test]
    fn two_runs_name_the_same_object_alike_wherever_it_lies() {
        let order = Order::new();
        let table = Table::default();
        let mut one = Cells::new(8, table.clone());
        let mut other = Cells::new(8, table);
        one.made(&order, 0, address(RegionId::heap(0), 0));
        other.made(&order, 0, address(RegionId::heap(0), 7));
        assert_eq!(one.key(address(RegionId::heap(0), 0) + 4), other.key(address(RegionId::heap(0), 7) + 4));
    }

    #[test]
    fn threads_of_a_team_have_thread_local_variables_of_their_own() {
        let mut cells = Cells::new(8, Table::default());
        cells.work(0, &Work::Fork { region: 1, members: vec![0, 1, 2] });
        for t in 1..3 {
            cells.local(t, address(RegionId::tls(t), 0), 3);
        }
        assert_ne!(cells.key(address(RegionId::tls(1), 0)), cells.key(address(RegionId::tls(2), 0)));
    }
}
