//! Folds: values that gather contributions whose distribution is open.
//!
//! What open strands leave in one thread's cell depends on who executed which of them. But where they only combine into it
//! (`part[me] += v[i]`, `if (v > most) most = v`), all threads' cells together hold each contribution once, in every distribution.
//!
//! *Families.* An update that an open strand makes goes to one cell on each thread: these belong together. A *family* is a
//! set of owned cells that is closed under that. To all of its cells the strands of one construct do nothing but updates of one
//! class, of exactly these bytes ([`Kind`]); every strand makes the same updates with the same operands on every thread, which is verified by
//! comparing the rotations ([`crate::taint`]). A *share* is what the construct's strands leave in one cell of a family.
//!
//! *Labels.* A cell that holds a fixed value combined with shares has a label: the class, and how often each share is in it. Updates keep
//! and add labels; a value whose label has all shares of every family equally often (for minima, maxima and
//! logical operations: at least once) is fixed, and needs no label. Reading a cell with another label gives an open value, unless
//! what is read goes into an update of the same class and nowhere else. Sums are followed through registers and memory as well
//! ([`follow`]). Everything else that is done with such a value leaves it open.
//!
//! *Guarantee.* `docs/soundness.md`, the lemma about folds. For floating-point sums and products this is an assumption, and
//! the answer says so.

pub mod follow;

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::commute::{Class, Part};
use crate::order::{Order, Pos};
use crate::owners::{Owners, TASKS};
use crate::ranges::Ranges;
use crate::record::{At, grid};
use crate::rules::Rule;

/// The most updates of one strand that are remembered, and of all.
const MOST_OF_STRAND: u32 = 4096;
const MOST_EVENTS: usize = 4_000_000;
/// The most cells of a construct that are followed.
const MOST_CELLS: u64 = 100_000;

/// How strands write a cell: by updates of a class, each of an element of one size and place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Kind {
    /// The operation.
    pub class: Class,
    /// The size of the element, and where elements begin.
    pub grid: u32,
}

impl Kind {
    /// How a store writes: part of an update, or of a constant that fixes what a logical operation gives.
    pub fn of(part: Option<Part>, constant: Option<u64>, maybe: bool, grid: u32) -> Option<Kind> {
        let class = match (part, constant) {
            _ if maybe => return None,
            (Some(part), _) => part.class,
            (None, Some(value)) => {
                if value == 0 {
                    Class::LogicalAnd
                } else {
                    Class::LogicalOr
                }
            }
            _ => return None,
        };
        Some(Kind { class, grid })
    }

    /// The size of an element.
    pub fn bytes(self) -> u64 {
        u64::from(self.grid & 0xffff)
    }
}

/// The updates that open strands make, to find out which cells correspond to each other on different threads.
#[derive(Debug, Default)]
pub struct Events {
    /// By strand, instruction and number: the cell, in the run that came first.
    first: FxHashMap<(u64, At, u32), u64>,
    /// Cells that belong together.
    links: FxHashSet<(u64, u64)>,
    /// While the run goes on, by strand and instruction: the cell of the last update, and how many cells there were.
    last: FxHashMap<(u32, At), (u64, u32)>,
    /// Whether there were too many.
    full: bool,
}

impl Events {
    /// Adds the updates of another run.
    pub fn join(&mut self, others: Events) {
        self.full |= others.full;
        if self.first.is_empty() {
            (self.first, self.links) = (others.first, others.links);
            return;
        }
        self.links.extend(others.links);
        for (event, cell) in others.first {
            let known = *self.first.entry(event).or_insert(cell);
            if known != cell {
                self.links.insert((known.min(cell), known.max(cell)));
            }
        }
        self.full |= self.first.len() > MOST_EVENTS;
    }

    /// A strand makes an update.
    pub fn add(&mut self, order: &Order, pos: Pos, at: At, cell: u64) {
        if self.full {
            return;
        }
        for level in order.levels(pos).filter(|l| l.is_open() && l.number.is_some()) {
            let (last, count) = self.last.entry((level.chain, at)).or_insert((u64::MAX, 0));
            if *last == cell || *count >= MOST_OF_STRAND {
                continue;
            }
            (*last, *count) = (cell, *count + 1);
            let event = (order.id(level.chain), at, *count);
            let known = *self.first.entry(event).or_insert(cell);
            if known != cell {
                self.links.insert((known.min(cell), known.max(cell)));
            }
        }
        self.full = self.first.len() > MOST_EVENTS;
    }
}

/// A family: a number.
pub type FamilyId = u32;

/// The families of a program.
#[derive(Debug, Default)]
pub struct Families {
    /// By construct (phase and number) and cell.
    pub(crate) of: FxHashMap<(crate::order::Stage, u64, u64), FamilyId>,
    /// The cells of each, and how they are written.
    pub(crate) all: Vec<(Kind, Vec<u64>)>,
}

impl Families {
    /// Of owned cells that are written by updates alone, as far as these are known not to depend on the thread.
    pub fn new(owners: &Owners, events: &Events) -> Families {
        let mut families = Families::default();
        if events.full {
            return families;
        }
        // By construct: the cells that qualify, and those that do not.
        let mut kinds: FxHashMap<_, FxHashMap<u64, Kind>> = FxHashMap::default();
        for (&(stage, nth, _), written) in owners.constructs() {
            let cells = kinds.entry((stage, nth)).or_default();
            for (kind, ranges) in written {
                let Some(kind) = kind else { continue };
                let others = written.iter().filter(|(k, _)| *k != Some(*kind));
                let others: Vec<&Ranges> = others.map(|(_, r)| r).collect();
                for cell in elements(*kind, ranges) {
                    let end = cell + kind.bytes();
                    let beside = nth == TASKS && owners.is_beside(stage, cell, end);
                    let pure = !others.iter().any(|o| o.touches(cell, end));
                    if !beside && (pure || Rule::PureFamily.is_off()) {
                        cells.insert(cell, *kind);
                    }
                }
            }
        }
        let mut links: FxHashMap<u64, Vec<u64>> = FxHashMap::default();
        for &(a, b) in &events.links {
            links.entry(a).or_default().push(b);
            links.entry(b).or_default().push(a);
        }
        for ((stage, nth), cells) in kinds {
            families.group(stage, nth, &cells, &links);
        }
        families
    }

    /// Makes families of the cells of a construct.
    fn group(
        &mut self,
        stage: crate::order::Stage,
        nth: u64,
        cells: &FxHashMap<u64, Kind>,
        links: &FxHashMap<u64, Vec<u64>>,
    ) {
        let mut seen = FxHashSet::default();
        let mut sorted: Vec<u64> = cells.keys().copied().collect();
        sorted.sort_unstable();
        for cell in sorted {
            let kind = cells[&cell];
            let (mut members, mut stack, mut whole) = (Vec::new(), vec![cell], true);
            while let Some(at) = stack.pop() {
                if !seen.insert(at) {
                    continue;
                }
                members.push(at);
                whole &= cells.get(&at) == Some(&kind);
                stack.extend(links.get(&at).into_iter().flatten().copied());
            }
            // One cell alone is no family: its thread would execute all.
            if whole && members.len() > 1 {
                let id = self.all.len() as FamilyId;
                self.of.extend(members.iter().map(|&m| ((stage, nth, m), id)));
                self.all.push((kind, members));
            }
        }
    }

    /// The family of a cell in a construct, if its elements are the ones written.
    pub fn of(&self, stage: crate::order::Stage, nth: u64, cell: u64) -> Option<(FamilyId, Kind)> {
        let id = *self.of.get(&(stage, nth, cell))?;
        Some((id, self.all[id as usize].0))
    }

    fn members(&self, id: FamilyId) -> &[u64] {
        &self.all[id as usize].1
    }
}

/// The elements of a kind in a set of bytes; none if there are too many.
pub fn elements(kind: Kind, ranges: &Ranges) -> Vec<u64> {
    let (len, offset) = (kind.bytes().max(1), u64::from(kind.grid >> 16));
    let bytes: u64 = ranges.list().iter().map(|(from, to)| to - from).sum();
    if bytes / len > MOST_CELLS {
        return Vec::new();
    }
    let first = |from: u64| from + (offset + len - from % len) % len;
    let list = ranges.list().iter();
    list.flat_map(|&(from, to)| (first(from)..to).step_by(len as usize).filter(move |c| c + len <= to))
        .collect()
}

/// What a cell holds beside a fixed value: how often it has which share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Bytes of the cell.
    pub len: u64,
    /// The operation that combines.
    pub class: Class,
    /// How many regions are around the strands that contribute, at least.
    pub depth: usize,
    /// By family and cell: never zero.
    pub terms: BTreeMap<(FamilyId, u64), u64>,
}

impl Label {
    /// One share.
    pub fn share(len: u64, class: Class, depth: usize, family: FamilyId, cell: u64) -> Label {
        Label { len, class, depth, terms: BTreeMap::from([((family, cell), 1)]) }
    }

    fn mask(&self) -> u64 {
        if self.len >= 8 { u64::MAX } else { (1 << (8 * self.len)) - 1 }
    }

    /// Combines with another value of the class: `self + factor * other` for sums.
    pub fn combine(&mut self, other: &Label, factor: u64) {
        for (share, count) in &other.terms {
            let sum = self.terms.entry(*share).or_default();
            *sum = sum.wrapping_add(count.wrapping_mul(factor));
        }
        self.depth = self.depth.min(other.depth);
        self.tidy_up();
    }

    /// Multiplied by a fixed number.
    pub fn times(mut self, factor: u64) -> Label {
        self.terms.values_mut().for_each(|c| *c = c.wrapping_mul(factor));
        self.tidy_up();
        self
    }

    /// Counts that make no difference are made equal.
    fn tidy_up(&mut self) {
        let mask = self.mask();
        for count in self.terms.values_mut() {
            *count = match self.class {
                Class::Add => *count & mask,
                Class::FloatAdd | Class::Mul | Class::FloatMul => *count,
                Class::Xor => *count & 1,
                _ => u64::from(*count != 0),
            };
        }
        self.terms.retain(|_, count| *count != 0);
    }

    /// Whether the value is the same in every distribution: every share of each family is in it equally often.
    pub fn is_complete(&self, families: &Families) -> bool {
        let mut seen: BTreeMap<FamilyId, (u64, usize)> = BTreeMap::new();
        for (&(family, _), &count) in &self.terms {
            let (same, cells) = seen.entry(family).or_insert((count, 0));
            if *same != count {
                return false;
            }
            *cells += 1;
        }
        let complete = |(family, (_, cells)): (&FamilyId, &(u64, usize))| {
            families.members(*family).len() == *cells || Rule::Complete.is_off()
        };
        seen.iter().all(complete)
    }
}

/// The labels of a run: of cells, as it goes on.
#[derive(Debug)]
pub struct Labels {
    /// The families.
    pub families: Arc<Families>,
    cells: BTreeMap<u64, Label>,
    /// Cells whose shadow in memory says no more than that they have a label.
    shadowed: FxHashSet<u64>,
    /// By family: the sum of what was added, without signs.
    weight: FxHashMap<FamilyId, u128>,
    /// Whether a floating-point value was taken to be the same in every order.
    pub float_assumed: bool,
}

/// What the labels say of an access.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// No share is there.
    Nothing,
    /// Exactly the bytes of a cell with a label.
    Exact(Label),
    /// Some of them, or more.
    Part,
}

impl Labels {
    /// Of a run that is about to begin.
    pub fn new(families: Arc<Families>) -> Labels {
        Labels {
            families,
            cells: BTreeMap::new(),
            shadowed: FxHashSet::default(),
            weight: FxHashMap::default(),
            float_assumed: false,
        }
    }

    /// What is known of the bytes of an access.
    pub fn find(&self, key: u64, len: u64) -> Found {
        if self.cells.is_empty() {
            return Found::Nothing;
        }
        if let Some(label) = self.cells.get(&key).filter(|l| l.len == len) {
            return Found::Exact(label.clone());
        }
        let near = self.cells.range(key.saturating_sub(15)..key.saturating_add(len));
        match near.into_iter().any(|(at, l)| at + l.len > key) {
            true => Found::Part,
            false => Found::Nothing,
        }
    }

    /// Removes what is known of the bytes; the cells of which some bytes remain.
    pub fn overwrite(&mut self, key: u64, len: u64) -> Ranges {
        let mut cut = Ranges::default();
        let near = self.cells.range(key.saturating_sub(15)..key.saturating_add(len));
        let hit: Vec<u64> = near.filter(|(at, l)| *at + l.len > key).map(|(at, _)| *at).collect();
        for at in hit {
            if let Some(label) = self.cells.remove(&at) {
                cut.add(at, at + label.len);
            }
        }
        cut.tidy_up();
        cut.remove(key, key + len);
        cut
    }

    /// Puts a label on a cell, unless it is complete.
    pub fn put(&mut self, key: u64, label: Label) {
        if label.is_complete(&self.families) {
            self.float_assumed |= label.class.is_assumed();
            self.cells.remove(&key);
        } else {
            self.cells.insert(key, label);
        }
    }

    /// Bytes are written: what the shadows of their cells say may have another reason from now on.
    pub fn written(&mut self, key: u64, len: u64) {
        if !self.shadowed.is_empty() {
            self.shadowed.retain(|&cell| cell + 15 < key || cell >= key + len);
        }
    }

    /// What was written to a cell is open for its label alone.
    pub fn shadow(&mut self, key: u64) {
        self.shadowed.insert(key);
    }

    /// Whether what is open in a cell is so for its label alone.
    pub fn is_shadowed(&self, key: u64) -> bool {
        self.shadowed.contains(&key)
    }

    /// A piece adds a value to a cell of a family.
    pub fn weigh(&mut self, family: FamilyId, value: u64, len: u64) {
        let bits = 8 * len.clamp(1, 8) as u32;
        let signed = ((value << (64 - bits)) as i64) >> (64 - bits);
        *self.weight.entry(family).or_default() += u128::from(signed.unsigned_abs());
    }

    /// Whether one share, which is now this number, is too large for its cell in no distribution: then widening it is the same as
    /// computing in the wider type.
    pub fn fits(&self, label: &Label, value: u64) -> bool {
        let mut terms = label.terms.iter();
        let (Some(((family, _), 1)), None) = (terms.next(), terms.next()) else { return false };
        let bits = 8 * label.len.clamp(1, 8) as u32;
        let now = u128::from((((value << (64 - bits)) as i64) >> (64 - bits)).unsigned_abs());
        let room = now + 2 * self.weight.get(family).copied().unwrap_or_default() < 1 << (bits - 1);
        room || Rule::Widened.is_off()
    }
}

/// The kind of an access to bytes.
pub fn kind_of(class: Class, key: u64, len: u64) -> Kind {
    Kind { class, grid: grid(key, len) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn families() -> Families {
        let kind = kind_of(Class::Add, 0, 4);
        Families { of: FxHashMap::default(), all: vec![(kind, vec![0, 100]), (kind, vec![8, 108])] }
    }

    #[test]
    fn a_sum_of_all_shares_is_complete_and_a_part_is_not() {
        let families = families();
        let mut sum = Label::share(4, Class::Add, 1, 0, 0);
        assert!(!sum.is_complete(&families));
        sum.combine(&Label::share(4, Class::Add, 1, 0, 100), 1);
        assert!(sum.is_complete(&families));
        let more = sum.clone().times(3);
        assert!(more.is_complete(&families));
        sum.combine(&Label::share(4, Class::Add, 1, 0, 100), 1);
        assert!(!sum.is_complete(&families));
    }

    #[test]
    fn a_maximum_may_have_a_share_twice() {
        let families = families();
        let mut most = Label::share(4, Class::Smax, 1, 0, 0);
        for _ in 0..2 {
            most.combine(&Label::share(4, Class::Smax, 1, 0, 100), 1);
        }
        assert!(most.is_complete(&families));
    }

    #[test]
    fn every_family_must_be_complete() {
        let families = families();
        let mut sum = Label::share(4, Class::Add, 1, 0, 0);
        sum.combine(&Label::share(4, Class::Add, 1, 0, 100), 1);
        sum.combine(&Label::share(4, Class::Add, 1, 1, 8), 1);
        assert!(!sum.is_complete(&families));
        sum.combine(&Label::share(4, Class::Add, 1, 1, 108), 1);
        assert!(sum.is_complete(&families));
    }

    #[test]
    fn what_covers_a_part_of_a_cell_leaves_the_rest() {
        let mut labels = Labels::new(Arc::new(families()));
        labels.put(0, Label::share(8, Class::Add, 1, 0, 0));
        assert_eq!(labels.find(0, 4), Found::Part);
        assert_eq!(labels.overwrite(0, 4).list(), [(4, 8)]);
        assert_eq!(labels.find(0, 8), Found::Nothing);
    }

    #[test]
    fn elements_lie_where_their_grid_says() {
        let mut ranges = Ranges::default();
        ranges.add(6, 20);
        assert_eq!(elements(kind_of(Class::Add, 8, 4), &ranges), [8, 12, 16]);
        assert_eq!(elements(kind_of(Class::Add, 6, 4), &ranges), [6, 10, 14]);
    }
}
