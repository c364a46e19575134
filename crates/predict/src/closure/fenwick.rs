//! Dynamic suffix minima on a Fenwick tree (P4, appendix A, "Dynamic suffix minima and Fenwick-trees").
//!
//! An array `A` of `n` numbers, all infinite at first. `update(i, x)` lowers `A[i]` to `x`, `min(i)` is the least
//! `A[j]` with `j >= i`, `arg_leq(x)` is the greatest `j` with `A[j] <= x`. Each takes `O(log n)`.
//!
//! Deviation: `update` only ever lowers an entry. The paper's `update` may set any value, but reachability in a graph
//! that only gains edges never raises one.
//!
//! Invariant: the array is kept reversed, and `tree[r]` is the minimum of the reversed positions `(r - lowbit(r), r]`.

/// No value: larger than every index.
pub const INFINITY: u32 = u32::MAX;

/// Suffix minima of an array whose entries only ever become smaller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuffixMinima {
    /// The tree over reversed positions, from 1; entry 0 is unused.
    tree: Vec<u32>,
}

impl SuffixMinima {
    /// An array of `length` infinite entries.
    pub fn new(length: usize) -> Self {
        SuffixMinima { tree: vec![INFINITY; length + 1] }
    }

    /// The array's length.
    fn length(&self) -> usize {
        self.tree.len() - 1
    }

    /// Lowers the entry at `index` to `value`, unless it is lower already.
    pub fn update(&mut self, index: u32, value: u32) {
        let length = self.length();
        let mut at = length - index as usize;
        while at <= length {
            if self.tree[at] > value {
                self.tree[at] = value;
            }
            at += at & at.wrapping_neg();
        }
    }

    /// The least entry at `index` or behind it.
    pub fn min(&self, index: u32) -> u32 {
        let mut at = self.length().saturating_sub(index as usize);
        let mut least = INFINITY;
        while at > 0 {
            least = least.min(self.tree[at]);
            at &= at - 1;
        }
        least
    }

    /// The last index whose entry is at most `value`.
    pub fn arg_leq(&self, value: u32) -> Option<u32> {
        let length = self.length();
        let mut at = 0;
        let mut step = length.checked_ilog2().map_or(0, |log| 1usize << log);
        while step > 0 {
            // Everything up to `at` is greater than `value`; skip this block too if it is.
            if at + step <= length && self.tree[at + step] > value {
                at += step;
            }
            step >>= 1;
        }
        (at < length).then(|| (length - at - 1) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_an_array() {
        let mut seed = 1u64;
        let mut random = move |bound: u32| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((seed >> 33) as u32) % bound
        };
        for length in 1..40u32 {
            let mut tree = SuffixMinima::new(length as usize);
            let mut array = vec![INFINITY; length as usize];
            for _ in 0..60 {
                let (index, value) = (random(length), random(50));
                tree.update(index, value);
                array[index as usize] = array[index as usize].min(value);
                let from = random(length);
                assert_eq!(tree.min(from), *array[from as usize..].iter().min().unwrap());
                let bound = random(55);
                let last = array.iter().rposition(|&entry| entry <= bound).map(|i| i as u32);
                assert_eq!(tree.arg_leq(bound), last);
            }
        }
    }
}
