//! Sets of bytes as ranges.

/// A set of addresses. Adding is quick where accesses follow each other, as in loops.
#[derive(Debug, Clone, Default)]
pub struct Ranges {
    /// `[from, to)`. The first `tidy` are sorted and apart.
    list: Vec<(u64, u64)>,
    tidy: usize,
}

impl Ranges {
    /// Adds `[from, to)`.
    #[inline]
    pub fn add(&mut self, from: u64, to: u64) {
        let len = self.list.len();
        if let Some(last) = self.list.last_mut()
            && from <= last.1
            && to >= last.0
        {
            if from < last.0 {
                last.0 = from;
                // It may now touch an earlier one.
                self.tidy = self.tidy.min(len - 1);
            }
            last.1 = last.1.max(to);
            return;
        }
        self.push(from, to);
    }

    fn push(&mut self, from: u64, to: u64) {
        let follows = self.tidy == self.list.len() && self.list.last().is_none_or(|l| l.1 < from);
        self.list.push((from, to));
        if follows {
            self.tidy += 1;
        } else if self.list.len() > 2 * self.tidy + 64 {
            self.tidy_up();
        }
    }

    /// Sorts and joins.
    pub fn tidy_up(&mut self) {
        if self.tidy == self.list.len() {
            return;
        }
        self.list.sort_unstable();
        let mut kept = 0;
        for i in 1..self.list.len() {
            let (from, to) = self.list[i];
            if from <= self.list[kept].1 {
                self.list[kept].1 = self.list[kept].1.max(to);
            } else {
                kept += 1;
                self.list[kept] = (from, to);
            }
        }
        self.list.truncate(kept + 1);
        self.tidy = self.list.len();
    }

    /// The ranges; sorted after [`Ranges::tidy_up`].
    pub fn list(&self) -> &[(u64, u64)] {
        &self.list
    }

    /// Whether some byte of `[from, to)` is in the set. Tidy up before.
    #[inline]
    pub fn touches(&self, from: u64, to: u64) -> bool {
        let at = self.list.partition_point(|r| r.1 <= from);
        self.list.get(at).is_some_and(|r| r.0 < to)
    }

    /// Removes `[from, to)`. Tidy up before.
    pub fn remove(&mut self, from: u64, to: u64) {
        if !self.touches(from, to) {
            return;
        }
        let old = std::mem::take(&mut self.list);
        for (a, b) in old {
            if b <= from || a >= to {
                self.list.push((a, b));
                continue;
            }
            if a < from {
                self.list.push((a, from));
            }
            if b > to {
                self.list.push((to, b));
            }
        }
        self.tidy = self.list.len();
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::Ranges;

    #[test]
    fn a_loop_is_one_range_and_order_does_not_matter() {
        let mut up = Ranges::default();
        let mut mixed = Ranges::default();
        for i in 0..1000u64 {
            up.add(i * 4, i * 4 + 4);
            let j = i * 7919 % 1000;
            mixed.add(j * 4, j * 4 + 4);
        }
        mixed.tidy_up();
        assert_eq!(up.list(), [(0, 4000)]);
        assert_eq!(mixed.list(), [(0, 4000)]);
        mixed.remove(8, 12);
        assert!(!mixed.touches(8, 12) && mixed.touches(7, 9) && mixed.touches(12, 13));
    }

    #[test]
    fn ranges_added_backwards_stay_correct() {
        let mut set = Ranges::default();
        for (a, b) in [(10, 12), (20, 22), (18, 20), (12, 18), (0, 1)] {
            set.add(a, b);
        }
        set.tidy_up();
        assert_eq!(set.list(), [(0, 1), (10, 22)]);
    }
}
