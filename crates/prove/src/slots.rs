//! Shared memory of which every thread of a team uses a part of its own, by its number (DESIGN 4).
//!
//! `part[omp_get_thread_num()] += v[i]` touches another place on every thread, so a strand does not do the same on all of them,
//! and two iterations that one thread executes touch the same. Neither is a race: the thread is a parameter of the strand. The
//! rotations of the distribution show every piece on every thread. A byte that in all of them, in one phase of
//! an outermost region, is touched by the thread of one number alone is a *slot* of that number in that phase: whoever else
//! touches it is ordered by a barrier.
//!
//! *What follows* (`docs/soundness.md` has the proof): accesses to one slot do not race. Which pieces have left something in it
//! is open, so what is read from a slot that pieces write is unconstrained, in the phase and behind it, until somebody writes it again;
//! but a piece that has written a slot itself finds there what it wrote. What only the code around the pieces writes is
//! found by all pieces of its thread. The addresses of slots are not compared between rotations.
//!
//! *Tasks* that ask for their thread are executed by every thread in turn as well ([`crate::drive::Plan::tasks`]); then their
//! slots are found in the same way, and thread-local variables are among them. Whether the code around a task writes a slot before
//! or after the task uses it is open.
//!
//! *Deviations.* Lanes and nested regions have no slots, nor have programs with threads beside the teams.

use machine::memory::layout::{Layout, RegionId};
use machine::{Edge, Observer, Thread, Work};
use rustc_hash::FxHashMap;

use crate::levels::Levels;
use crate::objects::{Lives, Names};
use crate::order::{Order, Pos};
use crate::private;
use crate::ranges::Ranges;

/// A phase of a region: the region's id and the number of the phase.
pub type Stage = (u64, u32);

/// What one thread of a team touches in a phase.
#[derive(Debug, Clone, Default)]
struct Use {
    all: Ranges,
    /// By pieces and tasks.
    pieces: Ranges,
    /// By tasks.
    tasks: Ranges,
    /// What pieces and tasks write.
    written: Ranges,
    /// What the code around them writes.
    around: Ranges,
}

/// The slots of one phase.
#[derive(Debug, Clone, Default)]
struct Own {
    all: Ranges,
    /// Those that pieces write.
    written: Ranges,
}

/// The slots of a program. Bytes are named independently of the run ([`key`]).
#[derive(Debug, Clone, Default)]
pub struct Slots {
    stages: FxHashMap<Stage, Own>,
}

/// The name of an address (as [`Lives::of`] gives it) in all runs. Different bytes may have the same name if they lie in
/// objects that strands made: then they count as one byte, which is touched by all who touch one of them.
#[inline]
pub fn key(names: &Names, (t, th): (usize, &Thread), address: u64) -> u64 {
    if is_thread_local(address, t) {
        let name = private::thread_local(th, address);
        return if name >> 48 == 0 { 3 << 62 | (t as u64) << 48 | name } else { address };
    }
    match names.identity(address) {
        (0, address) => address,
        (id, offset) => 1 << 63 | id.wrapping_add(offset),
    }
}

/// Whether an address is in a thread-local variable of a thread.
pub fn is_thread_local(address: u64, t: usize) -> bool {
    Layout::Wide.region(address) == RegionId::tls(t)
}

impl Slots {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.stages.is_empty()
    }

    fn stage(&self, order: &Order, pos: Pos) -> Option<&Own> {
        let (region, phase, number) = order.station(pos)?;
        number?;
        self.stages.get(&(region, phase))
    }

    /// Whether all bytes of an access at a position are slots.
    pub fn hold(&self, order: &Order, pos: Pos, key: u64, len: u64) -> bool {
        !self.is_empty() && self.stage(order, pos).is_some_and(|own| own.all.covers(key, key + len))
    }

    /// Whether some byte of an access at a position is a slot that pieces write.
    pub fn written(&self, order: &Order, pos: Pos, key: u64, len: u64) -> bool {
        !self.is_empty() && self.stage(order, pos).is_some_and(|own| own.written.touches(key, key + len))
    }
}

/// What a second pass knows of slots while it runs.
#[derive(Debug, Default)]
pub struct Contents {
    /// Slots that pieces of earlier phases have written.
    left: Ranges,
    /// By thread: what the piece that it executes has written itself.
    mine: Vec<Ranges>,
}

impl Contents {
    /// Whether nothing was left anywhere.
    pub fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    /// A phase of a region ends.
    pub fn end(&mut self, slots: &Slots, stage: Option<Stage>) {
        if let Some(own) = stage.and_then(|stage| slots.stages.get(&stage)) {
            own.written.list().iter().for_each(|&(from, to)| self.left.add(from, to));
            self.left.tidy_up();
        }
    }

    /// A thread begins or ends a piece.
    pub fn turn(&mut self, t: usize) {
        if let Some(mine) = self.mine.get_mut(t) {
            *mine = Ranges::default();
        }
    }

    /// Whether a piece has written all bytes of an access itself.
    pub fn own(&self, t: usize, key: u64, len: u64) -> bool {
        self.mine.get(t).is_some_and(|mine| mine.covers(key, key + len))
    }

    /// A piece writes a slot.
    pub fn write(&mut self, t: usize, key: u64, len: u64) {
        if self.mine.len() <= t {
            self.mine.resize_with(t + 1, Ranges::default);
        }
        self.mine[t].add(key, key + len);
        self.mine[t].tidy_up();
    }

    /// Whether pieces of earlier phases have left something in some byte.
    pub fn found(&self, key: u64, len: u64) -> bool {
        !self.left.is_empty() && self.left.touches(key, key + len)
    }

    /// What they left is overwritten.
    pub fn cover(&mut self, key: u64, len: u64) {
        self.left.remove(key, key + len);
    }
}

/// Finds the slots, from one run for each rotation.
#[derive(Debug, Default)]
pub struct Uses {
    stages: FxHashMap<Stage, FxHashMap<Option<u32>, Use>>,
    /// Whether there are threads beside the teams.
    foreign: bool,
}

impl Uses {
    /// The slots that these uses leave.
    pub fn slots(mut self) -> Slots {
        let mut slots = Slots::default();
        if self.foreign {
            return slots;
        }
        for (stage, mut users) in self.stages.drain() {
            for u in users.values_mut() {
                u.all.tidy_up();
                u.pieces.tidy_up();
                u.written.tidy_up();
                u.tasks.tidy_up();
                u.around.tidy_up();
            }
            let shared = shared(users.values().map(|u| &u.all));
            let mut own = Own::default();
            for u in users.iter().filter(|(number, _)| number.is_some()).map(|(_, u)| u) {
                u.pieces.list().iter().for_each(|&(from, to)| own.all.add(from, to));
                u.written.list().iter().for_each(|&(from, to)| own.written.add(from, to));
                // A task is executed at some time or other, so it may find either of what the code around it writes.
                let mut apart = u.around.clone();
                apart.subtract(&u.tasks);
                let mut beside = u.around.clone();
                beside.subtract(&apart);
                beside.list().iter().for_each(|&(from, to)| own.written.add(from, to));
            }
            for set in [&mut own.all, &mut own.written] {
                set.tidy_up();
                set.subtract(&shared);
            }
            if !own.all.is_empty() {
                slots.stages.insert(stage, own);
            }
        }
        slots
    }
}

/// What is in more than one of some sets.
fn shared<'a>(sets: impl Iterator<Item = &'a Ranges>) -> Ranges {
    let mut all: Vec<(u64, u64)> = sets.flat_map(|s| s.list()).copied().collect();
    all.sort_unstable();
    let mut shared = Ranges::default();
    let mut end = 0;
    for (from, to) in all {
        if from < end {
            shared.add(from, to.min(end));
        }
        end = end.max(to);
    }
    shared.tidy_up();
    shared
}

/// The observer of a run that finds slots.
pub struct Gatherer {
    layout: Layout,
    order: Order,
    levels: Levels,
    lives: Lives,
    names: Names,
    /// What was found, in this run and those before it.
    pub uses: Uses,
}

impl Gatherer {
    /// One that goes on with what earlier runs have found.
    pub fn new(pointer_bytes: u8, uses: Uses, by_thread: bool) -> Gatherer {
        let layout = Layout::new(pointer_bytes);
        Gatherer {
            layout,
            order: Order::with(by_thread),
            levels: Levels::default(),
            lives: Lives::new(layout),
            names: Names::new(layout),
            uses,
        }
    }

    /// Why nothing was found, if the run was not understood.
    pub fn doubt(&self) -> bool {
        self.order.doubt().is_some()
    }
}

impl Observer for Gatherer {
    fn access(
        &mut self,
        t: usize,
        th: &Thread,
        address: u64,
        len: u64,
        write: bool,
        _: bool,
        _: ir::AccessId,
    ) -> bool {
        if len == 0 || self.layout != Layout::Wide {
            return false;
        }
        let pos = self.order.pos(t);
        let Some((region, phase, number)) = self.order.station(pos) else {
            self.uses.foreign |= t != 0;
            return false;
        };
        let own = private::own(self.layout, self.levels.depth(t), t, th, address).is_some();
        // Where tasks know their threads, thread-local variables are slots as well.
        let by_thread = self.order.by_thread;
        let own = own && !(by_thread && is_thread_local(address, t));
        let region_of = self.layout.region(address);
        if by_thread && (0..self.order.threads()).any(|u| u != t && region_of == RegionId::tls(u)) {
            self.uses.foreign = true;
        }
        let own = own || self.levels.find(self.layout, t, address).is_some();
        let key = key(&self.names, (t, th), self.lives.of(address));
        // What a thread has for itself anyway ([`crate::private`]) is no slot of anybody's.
        let number = number.filter(|_| !own);
        let piece = self.order.is_open(pos);
        let users = self.uses.stages.entry((region, phase)).or_default();
        let user = users.entry(number).or_default();
        user.all.add(key, key + len);
        if piece {
            user.pieces.add(key, key + len);
        }
        if self.order.in_task(t) {
            user.tasks.add(key, key + len);
        }
        if write {
            let set = if piece { &mut user.written } else { &mut user.around };
            set.add(key, key + len);
        }
        false
    }

    fn edge(&mut self, t: usize, _: &Thread, edge: Edge) {
        match edge {
            Edge::Fork(u) => self.order.fork(t, u),
            Edge::Join(u) => self.order.join(t, u),
            _ => {}
        }
    }

    fn work(&mut self, t: usize, th: &Thread, work: &Work) {
        match work {
            Work::Fork { members, .. } => self.levels.fork(&self.order, (t, th), members, 0),
            Work::Join { .. } => self.levels.join(t),
            _ => {}
        }
        self.order.work(t, work);
    }

    fn made(&mut self, t: usize, address: u64) {
        self.lives.made(address);
        if t < self.order.threads() {
            self.names.made(&self.order, self.order.pos(t), self.lives.of(address));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(list: &[(u64, u64)]) -> Ranges {
        let mut set = Ranges::default();
        list.iter().for_each(|&(from, to)| set.add(from, to));
        set.tidy_up();
        set
    }

    #[test]
    fn what_two_numbers_touch_is_no_slot() {
        let mut uses = Uses::default();
        let users = uses.stages.entry((7, 0)).or_default();
        let both = |list: &[(u64, u64)]| Use {
            all: set(list),
            pieces: set(list),
            written: set(list),
            ..Use::default()
        };
        users.insert(Some(0), both(&[(0, 8), (100, 104), (200, 208)]));
        users.insert(Some(1), both(&[(8, 16), (102, 110)]));
        users.insert(None, Use { all: set(&[(204, 300)]), ..Use::default() });
        let slots = uses.slots();
        let own = &slots.stages[&(7, 0)];
        assert_eq!(own.all.list(), [(0, 16), (100, 102), (104, 110), (200, 204)]);
        assert_eq!(own.written.list(), own.all.list());
    }

    #[test]
    fn what_three_sets_share_is_found_once() {
        let sets = [set(&[(0, 10)]), set(&[(5, 20)]), set(&[(8, 9), (15, 30)])];
        assert_eq!(shared(sets.iter()).list(), [(5, 10), (15, 20)]);
    }
}
