//! Owners: which cells belong to a thread, and what its pieces leave there.
//!
//! A strand may do one thing on one thread and another on another: because it asked for its number, because it uses a variable
//! or an object that each thread has for itself, or a control variable. All of these show in one way: the cells that it touches depend
//! on the thread. The rotations of the distribution show every open strand on every thread of its team.
//!
//! *Owner.* A cell that in all rotations, in one phase of a region, is touched by the thread of one number alone belongs to that
//! thread in that phase, whatever it is made of. For a region inside another, what it touches counts for the thread that forked it as
//! well, in the region around. Where other strands run beside the region (threads, other teams), only what was made inside it can be
//! owned. In a team of one thread everything would be: there only what several strands touch, and one of them writes, is owned.
//! It is open which strands have touched an owned cell before, but not when: in
//! every distribution its thread does one thing after another.
//!
//! *What follows.* Two accesses to an owned cell by strands of its thread do not race. What an open strand has left in one is
//! *open* for whoever reads it later ([`Contents`]), with two exceptions: the strand that wrote it finds what it wrote, and what the
//! code around the pieces writes behind the construct covers it. A cell that only that code writes is no exception: it
//! is left by nobody. The way back from open to fixed is [`crate::folds`].
//!
//! *Guarantee.* `docs/soundness.md`, the lemma about owners. What is touched by somebody of whom it is open who executes
//! it (a task) belongs to nobody.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::cells::{Cells, OFFSET, Table};
use crate::folds::Kind;
use crate::order::{self, Level, Order, Stage, id_of};
use crate::ranges::Ranges;
use crate::record::{At, Piece};
use crate::rules::Rule;

/// A construct as one thread comes to it: the phase, the number of the construct in the region, the number of the thread.
pub type Construct = (Stage, u64, u32);

/// The construct that stands for all tasks of a phase.
pub const TASKS: u64 = u64::MAX;

/// What the threads of one number touch in a phase.
#[derive(Debug, Clone, Default)]
struct Use {
    all: Ranges,
    /// By open strands.
    open: Ranges,
    /// By tasks.
    tasks: Ranges,
    /// What the code around them writes.
    around: Ranges,
    /// In a team of one thread, by strand: what it touches, and what it writes.
    strands: FxHashMap<u64, [Ranges; 2]>,
}

impl Use {
    /// What several strands touch and one of them writes, in a team of one thread. What just one of them touches need not be kept apart
    /// from other threads, as there are none.
    fn met(&mut self) -> Option<Ranges> {
        self.strands.values_mut().flatten().for_each(Ranges::tidy_up);
        let mut written = Ranges::default();
        self.strands.values().for_each(|[_, writes]| add(&mut written, writes.list()));
        written.tidy_up();
        let mut met = shared(self.strands.values().map(|[all, _]| all));
        met.intersect(&written);
        (!self.strands.is_empty()).then_some(met)
    }
}

/// The most constructs whose one strand is told from others.
const MOST_SOLE: usize = 64;

/// What threads touch, gathered from one run for each rotation.
#[derive(Debug, Default)]
pub struct Uses {
    stages: FxHashMap<Stage, FxHashMap<Option<u32>, Use>>,
    /// What open strands write, and how, and by which instruction; by construct.
    written: FxHashMap<Construct, FxHashMap<(Option<Kind>, At), Ranges>>,
    /// The one strand of a construct that writes, by its id; none if there are several.
    soles: FxHashMap<Construct, Option<u64>>,
}

impl Uses {
    /// Adds what a strand has done at one position.
    pub fn add(&mut self, order: &Order, cells: &Cells, piece: &Piece) {
        for level in order.levels(piece.pos) {
            if order.is_beside(level.chain) && Rule::Inside.holds() {
                self.add_foreign(&level, cells, piece);
            }
            let user = self.stages.entry(level.stage).or_default().entry(level.number).or_default();
            for site in &piece.sites {
                let list = site.ranges.list();
                add(&mut user.all, list);
                if level.is_open() {
                    add(&mut user.open, list);
                }
                if level.kind == order::Kind::Task {
                    add(&mut user.tasks, list);
                }
                if site.write && !level.is_open() {
                    add(&mut user.around, list);
                }
                if order.is_alone(level.chain) {
                    let strand = user.strands.entry(order.id(level.chain)).or_default();
                    strand[..=usize::from(site.write)].iter_mut().for_each(|set| add(set, list));
                }
            }
            self.add_written(&level, order.id(level.chain), piece);
        }
    }

    /// Adds what threads touch in another run.
    pub fn join(&mut self, others: Uses) {
        if self.stages.is_empty() && self.written.is_empty() {
            *self = others;
            return;
        }
        for (stage, users) in others.stages {
            let known = self.stages.entry(stage).or_default();
            for (number, user) in users {
                let known = known.entry(number).or_default();
                add(&mut known.all, user.all.list());
                add(&mut known.open, user.open.list());
                add(&mut known.tasks, user.tasks.list());
                add(&mut known.around, user.around.list());
                for (strand, sets) in user.strands {
                    let known = known.strands.entry(strand).or_default();
                    known.iter_mut().zip(&sets).for_each(|(known, set)| add(known, set.list()));
                }
            }
        }
        for (construct, kinds) in others.written {
            let known = self.written.entry(construct).or_default();
            for (kind, cells) in kinds {
                add(known.entry(kind).or_default(), cells.list());
            }
        }
        for (construct, strand) in others.soles {
            let sole = self.soles.entry(construct).or_insert(strand);
            *sole = sole.filter(|_| *sole == strand);
        }
    }

    /// Where other strands run beside a region, what exists outside of it belongs to none of its threads: nobody has seen all pairs of
    /// threads of the two.
    fn add_foreign(&mut self, level: &Level, cells: &Cells, piece: &Piece) {
        let outside = |&&(from, _): &&(u64, u64)| !cells.is_made_in(from, level.stage.0);
        let all = piece.sites.iter().flat_map(|s| s.ranges.list()).filter(outside);
        let user = self.stages.entry(level.stage).or_default().entry(None).or_default();
        all.for_each(|&(from, to)| user.all.add(from, to));
    }

    fn add_written(&mut self, level: &Level, strand: u64, piece: &Piece) {
        let Some(number) = level.number.filter(|_| level.is_open()) else { return };
        let nth = if level.kind == order::Kind::Task { TASKS } else { level.nth };
        for site in piece.sites.iter().filter(|s| s.write) {
            let sole = self.soles.entry((level.stage, nth, number)).or_insert(Some(strand));
            *sole = sole.filter(|s| *s == strand);
            let kinds = self.written.entry((level.stage, nth, number)).or_default();
            add(kinds.entry((site.kind(), site.at)).or_default(), site.ranges.list());
        }
    }

    /// Who owns what. Some stores are known to contribute nothing that is the same in every distribution.
    pub fn owners(&mut self, open_stores: &FxHashSet<At>) -> Owners {
        let mut owners = Owners::default();
        for (&stage, users) in &mut self.stages {
            for u in users.values_mut() {
                [&mut u.all, &mut u.open, &mut u.tasks, &mut u.around].into_iter().for_each(Ranges::tidy_up);
            }
            let mut shared = shared(users.values().map(|u| &u.all));
            if Rule::OneOwner.is_off() {
                shared = Ranges::default();
            }
            let met = users.values_mut().find_map(Use::met);
            let [mut owned, mut unsettled, mut beside]: [Ranges; 3] = Default::default();
            for u in users.iter().filter(|(number, _)| number.is_some()).map(|(_, u)| u) {
                add(&mut owned, u.open.list());
                // A task is executed at some time or other: it may find either of what the code around it writes.
                let mut both = u.around.clone();
                both.intersect(&u.tasks);
                add(&mut beside, both.list());
                add(&mut unsettled, u.tasks.list());
            }
            for set in [&mut owned, &mut unsettled, &mut beside] {
                set.tidy_up();
                set.subtract(&shared);
                if let Some(met) = &met {
                    set.intersect(met);
                }
            }
            if !unsettled.is_empty() {
                owners.unsettled.insert(stage, unsettled);
            }
            if !beside.is_empty() {
                owners.beside.insert(stage, beside);
            }
            if !owned.is_empty() {
                owners.stages.insert(stage, owned);
            }
        }
        for (construct, kinds) in &self.written {
            let Some(owned) = owners.stages.get(&construct.0) else { continue };
            let mut all: FxHashMap<Option<Kind>, Ranges> = FxHashMap::default();
            for ((kind, at), cells) in kinds {
                let kind = kind.filter(|_| !open_stores.contains(at));
                add(all.entry(kind).or_default(), cells.list());
            }
            for cells in all.values_mut() {
                cells.tidy_up();
                cells.intersect(owned);
            }
            all.retain(|_, cells| !cells.is_empty());
            if !all.is_empty() {
                owners.written.insert(*construct, all.into_iter().collect());
                if let Some(sole) = self.soles.get(construct).copied().flatten() {
                    owners.soles.insert(*construct, sole);
                }
            }
        }
        owners
    }
}

fn add(set: &mut Ranges, list: &[(u64, u64)]) {
    list.iter().for_each(|&(from, to)| set.add(from, to));
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

/// Who owns what, as far as open strands touch it.
#[derive(Debug, Default)]
pub struct Owners {
    pub(crate) stages: FxHashMap<Stage, Ranges>,
    /// What open strands write of it, and how.
    pub(crate) written: FxHashMap<Construct, Vec<(Option<Kind>, Ranges)>>,
    /// The one strand that does, if it is one.
    soles: FxHashMap<Construct, u64>,
    /// What tasks touch of it.
    unsettled: FxHashMap<Stage, Ranges>,
    /// What the code around them writes as well.
    beside: FxHashMap<Stage, Ranges>,
}

impl Owners {
    /// Whether nobody owns anything.
    pub fn is_empty(&self) -> bool {
        self.stages.is_empty()
    }

    /// Whether all cells of a range are owned in a phase.
    pub fn own(&self, stage: Stage, from: u64, to: u64) -> bool {
        self.stages.get(&stage).is_some_and(|cells| cells.covers(from, to))
    }

    /// Whether some cell of a range is owned in a phase.
    pub fn own_some(&self, stage: Stage, from: u64, to: u64) -> bool {
        self.stages.get(&stage).is_some_and(|cells| cells.touches(from, to))
    }

    /// Whether all that is owned was made by the code around the pieces, on a thread of the team of `size` that has it.
    pub(crate) fn are_makers(&self, table: &Table, size: u32) -> bool {
        if self.stages.is_empty() || Rule::Makers.is_off() {
            return true;
        }
        let makers = table.of_implicit();
        self.stages.iter().all(|(stage, cells)| {
            let members: Vec<u64> = (0..size.into()).map(|number| id_of(stage.0, number)).collect();
            let made = |key: u64| makers.get(&(key >> OFFSET)).is_some_and(|maker| members.contains(maker));
            cells.list().iter().all(|&(from, to)| made(from) && made(to - 1))
        })
    }

    /// What the open strands of a construct write on a thread, and how.
    pub fn written(&self, construct: &Construct) -> &[(Option<Kind>, Ranges)] {
        self.written.get(construct).map_or(&[], |w| w)
    }

    /// The one strand of a construct that writes anything there, if it is one.
    pub fn sole(&self, construct: &Construct) -> Option<u64> {
        self.soles.get(construct).copied()
    }

    /// All constructs, and what their strands write.
    pub fn constructs(&self) -> impl Iterator<Item = (&Construct, &[(Option<Kind>, Ranges)])> {
        self.written.iter().map(|(c, w)| (c, w.as_slice()))
    }

    /// Whether the code around tasks writes some cell of a range that they touch in the phase: before or after them.
    pub fn is_beside(&self, stage: Stage, from: u64, to: u64) -> bool {
        self.beside.get(&stage).is_some_and(|cells| cells.touches(from, to))
    }

    /// Whether a task may touch some cell of a range in a phase at any time.
    fn is_unsettled(&self, stage: Stage, from: u64, to: u64) -> bool {
        let unsettled = self.unsettled.get(&stage).is_some_and(|cells| cells.touches(from, to));
        unsettled && Rule::Unsettled.holds()
    }
}

/// What open strands have left in owned cells, while a run goes on.
#[derive(Debug)]
pub struct Contents {
    owners: Arc<Owners>,
    /// By how many regions are around the strands that left it, less one: by the one strand that can have done so, if it is one.
    left: Vec<Vec<(Option<u64>, Ranges)>>,
    /// What open strands have written themselves.
    mine: FxHashMap<u32, Ranges>,
    /// By thread: the piece that it ended last.
    last: Vec<Option<u32>>,
}

impl Contents {
    /// Of a run that is about to begin.
    pub fn new(owners: Arc<Owners>) -> Contents {
        Contents { owners, left: Vec::new(), mine: FxHashMap::default(), last: Vec::new() }
    }

    /// Whether an access goes to what is owned in some region around it.
    #[inline]
    pub fn is_owned(&self, levels: &[Level], key: u64, len: u64) -> bool {
        !self.owners.is_empty() && levels.iter().any(|l| self.owners.own(l.stage, key, key + len))
    }

    /// Cells hold what open strands have left, at a depth: one strand alone, or any.
    pub fn leave(&mut self, depth: usize, cells: &Ranges, sole: Option<u64>) {
        if cells.is_empty() || Rule::Left.is_off() {
            return;
        }
        if self.left.len() < depth {
            self.left.resize_with(depth, || vec![(None, Ranges::default())]);
        }
        let left = &mut self.left[depth - 1];
        left.retain(|(sole, cells)| sole.is_none() || !cells.is_empty());
        let at = match left.iter().position(|(by, _)| *by == sole) {
            Some(at) => at,
            // So many are not told apart any more.
            None if left.len() > MOST_SOLE => 0,
            None => {
                left.push((sole, Ranges::default()));
                left.len() - 1
            }
        };
        add(&mut left[at].1, cells.list());
        left[at].1.tidy_up();
    }

    /// A thread ends a piece. The last iteration of a loop goes on behind it with what it has written to the variables of the
    /// region (among them those that it writes back); elsewhere other pieces may have written since.
    pub fn end(&mut self, t: usize, chain: u32, cells: &Cells) {
        if let Some(mine) = self.mine.get_mut(&chain) {
            let kept = mine.list().iter().filter(|(from, _)| cells.is_of_task(*from));
            let kept: Vec<(u64, u64)> = kept.copied().collect();
            *mine = Ranges::default();
            kept.iter().for_each(|&(from, to)| mine.add(from, to));
            mine.tidy_up();
        }
        if self.last.len() <= t {
            self.last.resize(t + 1, None);
        }
        if let Some(before) = self.last[t].replace(chain).filter(|&before| before != chain) {
            self.mine.remove(&before);
        }
    }

    /// Another strand may have been executed on this one's thread, by way of a task.
    pub fn interrupt(&mut self, chain: u32) {
        self.mine.remove(&chain);
    }

    /// Something is certainly written: nothing that was left is there any more. (`levels`: innermost first.)
    pub fn write(&mut self, levels: &[Level], key: u64, len: u64) {
        if self.owners.is_empty() {
            return;
        }
        let (to, depth) = (key + len, levels.len());
        for (_, left) in self.left.iter_mut().skip(depth).flatten() {
            left.remove(key, to);
        }
        for (at, level) in levels.iter().rev().enumerate() {
            if level.is_open() {
                let mine = self.mine.entry(level.chain).or_default();
                mine.add(key, to);
                mine.tidy_up();
                continue;
            }
            if let Some(left) = self.left.get_mut(at)
                && !self.owners.is_unsettled(level.stage, key, to)
            {
                left.iter_mut().for_each(|(_, left)| left.remove(key, to));
            }
        }
    }

    /// Whether some byte of what is read may have been left there by an open strand other than the reader's own.
    pub fn is_left(&self, order: &Order, levels: &[Level], key: u64, len: u64) -> bool {
        let (from, to, depth) = (key, key + len, levels.len());
        self.left.iter().enumerate().any(|(at, all)| {
            let reader = depth.checked_sub(at + 1).map(|i| &levels[i]).filter(|l| l.is_open());
            let id = reader.map(|l| order.id(l.chain));
            let own = || {
                let mine = reader.and_then(|l| self.mine.get(&l.chain));
                mine.is_some_and(|mine| mine.covers(from, to))
            };
            let by_other = |(sole, left): &(Option<u64>, Ranges)| {
                left.touches(from, to) && (sole.is_none() || *sole != id)
            };
            all.iter().any(by_other) && !own()
        })
    }

    /// Whether an open strand of the reader's has written all of it itself.
    pub fn is_mine(&self, levels: &[Level], key: u64, len: u64) -> bool {
        let open = levels.iter().filter(|l| l.is_open());
        open.filter_map(|l| self.mine.get(&l.chain)).any(|mine| mine.covers(key, key + len))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(list: &[(u64, u64)]) -> Ranges {
        let mut set = Ranges::default();
        add(&mut set, list);
        set.tidy_up();
        set
    }

    #[test]
    fn what_two_numbers_touch_is_nobodys() {
        let mut uses = Uses::default();
        let users = uses.stages.entry((7, 0)).or_default();
        let both = |list: &[(u64, u64)]| Use { all: set(list), open: set(list), ..Use::default() };
        users.insert(Some(0), both(&[(0, 8), (100, 104), (200, 208)]));
        users.insert(Some(1), both(&[(8, 16), (102, 110)]));
        users.insert(None, Use { all: set(&[(204, 300)]), ..Use::default() });
        let owners = uses.owners(&FxHashSet::default());
        assert_eq!(owners.stages[&(7, 0)].list(), [(0, 16), (100, 102), (104, 110), (200, 204)]);
    }

    #[test]
    fn what_three_sets_share_is_found_once() {
        let sets = [set(&[(0, 10)]), set(&[(5, 20)]), set(&[(8, 9), (15, 30)])];
        assert_eq!(shared(sets.iter()).list(), [(5, 10), (15, 20)]);
    }

    #[test]
    fn a_piece_finds_what_it_wrote_and_no_other_does() {
        let owners = Owners { stages: [((7, 0), set(&[(0, 8)]))].into_iter().collect(), ..Owners::default() };
        let mut order = Order::new();
        order.work(0, &machine::Work::Fork { region: 1, members: vec![0, 1] });
        let around: Vec<Level> = order.levels(order.pos(0)).collect();
        let mut pieces = Vec::new();
        for number in 0..2 {
            let (share, nth, kind, count) = (0, 0, machine::ShareKind::Loop, 1);
            let (open, again, mapping) = (true, None, None);
            let begin = machine::Work::Begin { share, nth, kind, number, count, open, again, mapping };
            order.work(0, &begin);
            pieces.push(order.levels(order.pos(0)).collect::<Vec<Level>>());
            order.work(0, &machine::Work::End { share: 0 });
        }
        let mut contents = Contents::new(Arc::new(owners));
        contents.leave(1, &set(&[(0, 8)]), None);
        assert!(contents.is_left(&order, &pieces[0], 0, 4));
        contents.write(&pieces[0], 0, 4);
        assert!(!contents.is_left(&order, &pieces[0], 0, 4) && contents.is_left(&order, &pieces[0], 0, 8));
        assert!(contents.is_left(&order, &pieces[1], 0, 4) && contents.is_left(&order, &around, 0, 4));
        contents.write(&around, 0, 8);
        assert!(!contents.is_left(&order, &pieces[1], 0, 4) && !contents.is_left(&order, &[], 0, 4));
        contents.leave(1, &set(&[(0, 8)]), Some(order.id(pieces[1][0].chain)));
        assert!(!contents.is_left(&order, &pieces[1], 0, 8) && contents.is_left(&order, &around, 0, 8));
    }
}
