//! Checks rules R2 and R3, with lemmas 3 and 4: what threads' own cells hold, and values that gather contributions.
//!
//! *Left (R2).* When a thread comes to a construct, the cells of its own that open strands of the construct write hold something open, until
//! code that is not open certainly writes them. An open strand finds what it has written itself, up to the next place where its thread may
//! execute another task; and what only it can have left.
//!
//! *Labels (R3).* If all these writes are updates of one kind, and the cell belongs to a family, it holds a fixed value combined
//! with the share (family, cell) instead. A label says how often which share is in a value; updates of the class add labels. A value that has
//! all shares of each family equally often (at least once, where once is as good as twice) is the same in every distribution. What a labelled
//! cell's memory says is fixed apart from the label; a read of it is open, unless it goes into an update of the class alone.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::certificate::{Class, Stage, TASKS};
use crate::facts::Facts;
use crate::order::Level;
use crate::ranges::Ranges;

/// What a value has beside something fixed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Bytes of the value.
    pub len: u64,
    /// The operation that combines.
    pub class: Class,
    /// How many regions are around the strands that contribute, at least.
    pub depth: usize,
    /// How often which share is in it; never 0.
    pub terms: BTreeMap<(u32, u64), u64>,
}

impl Label {
    /// Combined with another of its class: `self + factor * other` for sums.
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
        self.terms.values_mut().for_each(|count| *count = count.wrapping_mul(factor));
        self.tidy_up();
        self
    }

    fn tidy_up(&mut self) {
        let mask = if self.len >= 8 { u64::MAX } else { (1 << (8 * self.len)) - 1 };
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

    /// Whether the value is the same in every distribution.
    pub fn is_complete(&self, facts: &Facts) -> bool {
        let mut seen: BTreeMap<u32, (u64, usize)> = BTreeMap::new();
        for (&(family, _), &count) in &self.terms {
            let (same, cells) = seen.entry(family).or_insert((count, 0));
            if *same != count {
                return false;
            }
            *cells += 1;
        }
        seen.iter().all(|(&family, &(_, cells))| facts.cells_of(family) == cells)
    }
}

/// What is known of some bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// No share is there.
    Nothing,
    /// They are a cell with a label.
    Exact(Label),
    /// Something else of such cells.
    Part,
}

/// What cells hold, while a run goes on.
#[derive(Debug)]
pub struct Values {
    facts: Arc<Facts>,
    /// By how many regions are around those who left it, less one; by the one strand that can have, if it is one.
    left: Vec<Vec<(Option<u64>, Ranges)>>,
    /// What open strands have written themselves.
    mine: FxHashMap<u32, Ranges>,
    labels: BTreeMap<u64, Label>,
    /// Whether a floating-point value was taken to be the same in every order.
    pub floats: bool,
}

impl Values {
    /// Of a run that is about to begin.
    pub fn new(facts: Arc<Facts>) -> Values {
        let (left, mine, labels) = Default::default();
        Values { facts, left, mine, labels, floats: false }
    }

    /// A thread comes to a construct (or a phase begins, whose tasks are executed at any time): what its strands leave is there now.
    pub fn enter(&mut self, stage: Stage, nth: u64, number: u32, depth: usize) {
        let facts = Arc::clone(&self.facts);
        for (kind, sole, cells) in facts.written(&(stage, nth, number)) {
            let mut rest = cells.clone();
            let bytes = kind.map_or(1, |k| k.bytes().max(1));
            let offset = kind.map_or(0, |k| u64::from(k.grid >> 16));
            let first = |from: u64| from + (offset + bytes - from % bytes) % bytes;
            let all = cells.list().iter().filter(|_| kind.is_some());
            let elements = all.flat_map(|&(from, to)| {
                (first(from)..to).step_by(bytes as usize).filter(move |c| c + bytes <= to)
            });
            for cell in elements {
                let Some((family, of)) = facts.family(stage, nth, cell).filter(|f| Some(f.1) == *kind) else {
                    continue;
                };
                let terms = BTreeMap::from([((family, cell), 1)]);
                let mut label = Label { len: bytes, class: of.class, depth, terms };
                match self.find(cell, bytes) {
                    Found::Nothing => {}
                    Found::Exact(before) if before.class == of.class => label.combine(&before, 1),
                    _ => continue,
                }
                self.put(cell, label);
                rest.remove(cell, cell + bytes);
            }
            for (from, to) in rest.list().to_vec() {
                self.drop_labels(depth, from, to);
            }
            self.leave(depth, &rest, *sole);
        }
    }

    fn leave(&mut self, depth: usize, cells: &Ranges, sole: Option<u64>) {
        if cells.is_empty() {
            return;
        }
        if self.left.len() < depth {
            self.left.resize_with(depth, Vec::new);
        }
        let left = &mut self.left[depth - 1];
        left.retain(|(_, cells)| !cells.is_empty());
        let at = left.iter().position(|(by, _)| *by == sole).unwrap_or_else(|| {
            left.push((sole, Ranges::default()));
            left.len() - 1
        });
        left[at].1.add_all(cells);
        left[at].1.tidy_up();
    }

    /// Cells hold nobody knows what.
    pub fn leave_open(&mut self, depth: usize, from: u64, to: u64) {
        self.drop_labels(depth, from, to);
        let mut cells = Ranges::default();
        cells.add(from, to);
        self.leave(depth.max(1), &cells, None);
    }

    /// Cells lose their labels; what is left of those that were cut is open.
    pub fn drop_labels(&mut self, depth: usize, from: u64, to: u64) {
        let hit: Vec<u64> = self.labelled(from, to).map(|(at, _)| *at).collect();
        let mut cut = Ranges::default();
        for at in hit {
            if let Some(label) = self.labels.remove(&at) {
                cut.add(at, at + label.len);
            }
        }
        cut.tidy_up();
        cut.remove(from, to);
        self.leave(depth.max(1), &cut, None);
    }

    fn labelled(&self, from: u64, to: u64) -> impl Iterator<Item = (&u64, &Label)> {
        self.labels.range(from.saturating_sub(15)..to.max(from)).filter(move |(at, l)| **at + l.len > from)
    }

    /// What is known of bytes.
    pub fn find(&self, key: u64, len: u64) -> Found {
        if self.labels.is_empty() {
            return Found::Nothing;
        }
        match self.labels.get(&key).filter(|l| l.len == len) {
            Some(label) => Found::Exact(label.clone()),
            None if self.labelled(key, key + len).next().is_some() => Found::Part,
            None => Found::Nothing,
        }
    }

    /// Puts a label on a cell, unless its value is the same in every distribution anyhow.
    pub fn put(&mut self, key: u64, label: Label) {
        if label.is_complete(&self.facts) {
            self.floats |= label.class.is_assumed();
            self.labels.remove(&key);
        } else {
            self.labels.insert(key, label);
        }
    }

    /// Something is certainly written. (`levels`: innermost first.)
    pub fn write(&mut self, levels: &[Level], from: u64, to: u64) {
        if self.facts.is_empty() {
            return;
        }
        self.left.iter_mut().skip(levels.len()).flatten().for_each(|(_, left)| left.remove(from, to));
        for (at, level) in levels.iter().rev().enumerate() {
            if level.open && self.facts.owns(level.stage, from, to) {
                let mine = self.mine.entry(level.chain).or_default();
                mine.add(from, to);
                mine.tidy_up();
            } else if !level.open
                && !self.facts.tasks_write(level.stage, from, to)
                && let Some(left) = self.left.get_mut(at)
            {
                left.iter_mut().for_each(|(_, left)| left.remove(from, to));
            }
        }
    }

    /// Whether some byte may have been left by an open strand other than the reader's own.
    pub fn is_left(&self, levels: &[Level], from: u64, to: u64) -> bool {
        self.left.iter().enumerate().any(|(at, all)| {
            let reader = levels.len().checked_sub(at + 1).map(|i| &levels[i]).filter(|l| l.open);
            let own = reader.and_then(|l| self.mine.get(&l.chain)).is_some_and(|mine| mine.covers(from, to));
            let sole = |by: Option<u64>| by.is_some() && by == reader.map(|l| l.id);
            !own && all.iter().any(|(by, left)| left.touches(from, to) && !sole(*by))
        })
    }

    /// Whether an open strand of the reader's has written all of it itself.
    pub fn is_mine(&self, levels: &[Level], from: u64, to: u64) -> bool {
        let open = levels.iter().filter(|l| l.open).filter_map(|l| self.mine.get(&l.chain));
        open.into_iter().any(|mine| mine.covers(from, to))
    }

    /// A piece has ended. If it is the last of its loop, it goes on behind it with what it has written to some cells.
    pub fn keep(&mut self, chain: u32, cells: impl Fn(u64) -> bool) {
        if let Some(mine) = self.mine.get_mut(&chain) {
            for (from, to) in
                mine.list().iter().copied().filter(|(from, _)| !cells(*from)).collect::<Vec<_>>()
            {
                mine.remove(from, to);
            }
        }
    }

    /// What a strand has written may be overwritten by another one of its thread.
    pub fn forget(&mut self, chain: u32) {
        self.mine.remove(&chain);
    }

    /// The family that a strand contributes to by a store of a kind, and the strand.
    pub fn contribution(
        &self,
        levels: &[Level],
        key: u64,
        kind: crate::certificate::Kind,
    ) -> Option<(u64, u32)> {
        levels.iter().filter(|l| l.open).find_map(|l| {
            let (family, of) = self.facts.family(l.stage, if l.task { TASKS } else { l.nth }, key)?;
            (of == kind).then_some((l.id, family))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::{Case, Cells, Family, Kind, Owned};
    use crate::objects::Table;

    fn facts() -> Facts {
        let kind = Kind { class: Class::Add, grid: 4 };
        let owners = vec![Owned { stage: (7, 0), cells: vec![Cells(0, 0, 200)] }];
        let family = |a, b| Family { stage: (7, 0), nth: 0, kind, cells: vec![(0, a), (0, b)] };
        let families = vec![family(0, 100), family(8, 108)];
        Facts::new(&Case { owners, families, ..Case::default() }, &Table::default()).expect("facts")
    }

    fn share(family: u32, cell: u64) -> Label {
        Label { len: 4, class: Class::Add, depth: 1, terms: BTreeMap::from([((family, cell), 1)]) }
    }

    #[test]
    fn a_sum_of_all_shares_is_complete_and_a_part_is_not() {
        let facts = facts();
        let mut sum = share(0, 0);
        assert!(!sum.is_complete(&facts));
        sum.combine(&share(0, 100), 1);
        assert!(sum.is_complete(&facts) && sum.clone().times(3).is_complete(&facts));
        sum.combine(&share(1, 8), 1);
        assert!(!sum.is_complete(&facts));
        sum.combine(&share(1, 108), 1);
        sum.combine(&share(0, 100), 1);
        assert!(!sum.is_complete(&facts));
    }

    #[test]
    fn what_covers_a_part_of_a_cell_leaves_the_rest_open() {
        let mut values = Values::new(Arc::new(facts()));
        values.put(0, Label { len: 8, ..share(0, 0) });
        assert_eq!(values.find(0, 4), Found::Part);
        values.drop_labels(1, 0, 4);
        assert!(
            values.find(0, 8) == Found::Nothing && values.is_left(&[], 4, 8) && !values.is_left(&[], 0, 4)
        );
    }
}
