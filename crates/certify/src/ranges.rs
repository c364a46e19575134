//! Sets of cells, as sorted ranges of keys.

/// A set of numbers as ranges: from, to (not included). Added ranges are sorted in when there are many of them, or when the set is
/// [tidied up](Ranges::tidy_up); the questions need a tidy set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ranges {
    list: Vec<(u64, u64)>,
    /// How many ranges of the list are sorted and apart.
    tidy: usize,
}

impl Ranges {
    /// Adds a range.
    #[inline]
    pub fn add(&mut self, from: u64, to: u64) {
        if let Some(last) = self.list.last_mut()
            && (last.0..=last.1).contains(&from)
        {
            last.1 = last.1.max(to);
            return;
        }
        let follows = self.tidy == self.list.len() && self.list.last().is_none_or(|last| last.1 < from);
        self.list.push((from, to));
        self.tidy += usize::from(follows);
        if self.list.len() > 2 * self.tidy + 64 {
            self.tidy_up();
        }
    }

    /// Adds all of another set.
    pub fn add_all(&mut self, other: &Ranges) {
        other.list.iter().for_each(|&(from, to)| self.add(from, to));
    }

    /// Sorts and joins.
    pub fn tidy_up(&mut self) {
        if self.tidy == self.list.len() {
            return;
        }
        self.list.sort_unstable();
        let mut out = 0;
        for i in 1..self.list.len() {
            if self.list[i].0 <= self.list[out].1 {
                self.list[out].1 = self.list[out].1.max(self.list[i].1);
            } else {
                out += 1;
                self.list[out] = self.list[i];
            }
        }
        self.list.truncate(out + 1);
        self.tidy = self.list.len();
    }

    /// The ranges.
    pub fn list(&self) -> &[(u64, u64)] {
        &self.list
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The first range that ends behind a number.
    fn behind(&self, from: u64) -> usize {
        debug_assert_eq!(self.tidy, self.list.len());
        self.list.partition_point(|r| r.1 <= from)
    }

    /// Whether all of a range is in it.
    #[inline]
    pub fn covers(&self, from: u64, to: u64) -> bool {
        self.list.get(self.behind(from)).is_some_and(|r| r.0 <= from && to <= r.1)
    }

    /// Whether some of a range is.
    #[inline]
    pub fn touches(&self, from: u64, to: u64) -> bool {
        self.list.get(self.behind(from)).is_some_and(|r| r.0 < to)
    }

    /// The parts of a range that are in it.
    pub fn within(&self, from: u64, to: u64) -> impl Iterator<Item = (u64, u64)> {
        let rest = self.list[self.behind(from)..].iter().take_while(move |r| r.0 < to);
        rest.map(move |r| (r.0.max(from), r.1.min(to)))
    }

    /// Takes a range out.
    pub fn remove(&mut self, from: u64, to: u64) {
        self.tidy_up();
        let first = self.behind(from);
        let last = self.list.partition_point(|r| r.0 < to);
        if first >= last {
            return;
        }
        let (a, b) = (self.list[first], self.list[last - 1]);
        let left = [(a.0, from), (to, b.1)].into_iter().filter(|r| r.0 < r.1);
        self.list.splice(first..last, left);
        self.tidy = self.list.len();
    }
}

#[cfg(test)]
mod tests {
    use super::Ranges;

    #[test]
    fn a_set_has_what_was_added_and_not_what_was_taken_out() {
        let mut set = Ranges::default();
        [(10, 20), (30, 40), (15, 32), (50, 60)].into_iter().for_each(|(from, to)| set.add(from, to));
        set.tidy_up();
        assert_eq!(set.list(), [(10, 40), (50, 60)]);
        assert!(set.covers(10, 40) && !set.covers(39, 51) && set.touches(39, 51) && !set.touches(40, 50));
        assert_eq!(set.within(35, 55).collect::<Vec<_>>(), [(35, 40), (50, 55)]);
        set.remove(12, 52);
        assert_eq!(set.list(), [(10, 12), (52, 60)]);
    }
}
