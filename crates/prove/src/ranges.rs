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

    /// Removes all bytes of another set. Tidy up both before.
    pub fn subtract(&mut self, other: &Ranges) {
        let mut kept = Vec::new();
        let mut others = other.list.iter().peekable();
        for &(mut from, to) in &self.list {
            while others.next_if(|o| o.1 <= from).is_some() {}
            while let Some(&&(a, b)) = others.peek().filter(|o| o.0 < to) {
                if from < a {
                    kept.push((from, a));
                }
                from = b;
                if b >= to {
                    break;
                }
                others.next();
            }
            if from < to {
                kept.push((from, to));
            }
        }
        self.tidy = kept.len();
        self.list = kept;
    }

    /// Keeps what is in another set as well. Tidy up both before.
    pub fn intersect(&mut self, other: &Ranges) {
        let mut apart = self.clone();
        apart.subtract(other);
        self.subtract(&apart);
    }

    /// Whether every byte of `[from, to)` is in the set. Tidy up before.
    #[inline]
    pub fn covers(&self, from: u64, to: u64) -> bool {
        let at = self.list.partition_point(|r| r.1 <= from);
        self.list.get(at).is_some_and(|r| r.0 <= from && to <= r.1)
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
    fn subtracting_is_as_byte_by_byte() {
        let mut seed = 1u64;
        let mut random = |n: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % n
        };
        for _ in 0..500 {
            let mut sets = [Ranges::default(), Ranges::default()];
            let mut bytes = [[false; 64]; 2];
            for (set, bytes) in sets.iter_mut().zip(&mut bytes) {
                for _ in 0..random(6) {
                    let from = random(60);
                    let to = (from + 1 + random(8)).min(64);
                    set.add(from, to);
                    bytes[from as usize..to as usize].fill(true);
                }
                set.tidy_up();
            }
            let [mut left, other] = sets;
            left.subtract(&other);
            for (b, (ours, theirs)) in bytes[0].iter().zip(&bytes[1]).enumerate() {
                let (b, there) = (b as u64, *ours && !*theirs);
                assert_eq!((left.touches(b, b + 1), left.covers(b, b + 1)), (there, there));
            }
        }
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
