//! How iterations are split into pieces and, where the source fixes it, which thread gets which: as libomp computes it.

use super::Put;

/// libomp's numbers for schedules, without modifiers and without "ordered".
pub mod kind {
    /// `static, c`.
    pub const STATIC_CHUNKED: u32 = 33;
    /// `static`.
    pub const STATIC: u32 = 34;
    /// `dynamic, c`.
    pub const DYNAMIC: u32 = 35;
    /// `guided, c`.
    pub const GUIDED: u32 = 36;
    /// `runtime`.
    pub const RUNTIME: u32 = 37;
    /// `auto`.
    pub const AUTO: u32 = 38;
    /// `dist_schedule(static, c)`.
    pub const DISTRIBUTE_CHUNKED: u32 = 91;
    /// `dist_schedule(static)`.
    pub const DISTRIBUTE: u32 = 92;
}

/// The front end's mark for loops whose source does not fix the distribution.
pub const OPEN: u32 = 1 << 24;
/// The front end's mark, beside [`OPEN`], for loops whose pieces come one at a time although the source fixes who executes
/// them: `nonmonotonic: static, c` leaves their order open.
pub const DEALT: u32 = 1 << 25;
/// The front end's mark, beside [`OPEN`], for loops with a reproducible schedule: those of one region that are alike have one
/// mapping. [`ALIKE_LOOP`] stands beside it for `loop` directives, which are not like others.
pub const ALIKE: u32 = 1 << 26;
/// See [`ALIKE`].
pub const ALIKE_LOOP: u32 = 1 << 27;
/// The front end's mark, beside [`OPEN`], for loops whose iterations may run at the same time on one thread. A team of one executes
/// them in one piece, in which observers compare them ([`super::simd`]).
pub const LANES: u32 = 1 << 28;
/// The front end's mark, beside [`OPEN`], for the outer half of `distribute parallel for`: a team shares its chunks out among its
/// threads.
pub const HALF: u32 = 1 << 31;
/// The modifier `monotonic`, as clang passes it.
const MONOTONIC: u32 = 1 << 29;

/// Whether the pieces of an open loop come in any order on a thread (OpenMP 5.2, 11.5.3): unless `monotonic` or `ordered` say
/// otherwise. (clang adds 32 for loops with `ordered`.)
pub fn is_loose(schedule: u32) -> bool {
    let kind = schedule & 0x00ff_ffff;
    let kind = if kind >= 160 { kind - 128 } else { kind };
    schedule & MONOTONIC == 0 && !(65..=70).contains(&kind)
}

/// The schedule without modifiers, "ordered" and "no merge".
pub fn plain(schedule: u32) -> u32 {
    let schedule = schedule & 0x00ff_ffff;
    match schedule {
        65..=70 => schedule - 32,
        160.. => plain_no_merge(schedule),
        _ => schedule,
    }
}

fn plain_no_merge(schedule: u32) -> u32 {
    match schedule - 128 {
        s @ 33..=63 => s,
        s @ 64.. => plain(s),
        s => s,
    }
}

/// How the iterations of a construct are split into pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Split {
    /// Pieces of that many iterations.
    Chunks {
        /// Iterations.
        trips: u64,
        /// Of each piece but the last.
        chunk: u64,
    },
    /// The first `least` iterations stay together; behind them a chunk may begin anywhere.
    ///
    /// A chunk of `guided, c` has c iterations or more, and its size is not fixed beyond that: two iterations fall into
    /// different chunks of some legal split exactly if the later one is not among the first c. Where what a thread
    /// does depends on all that it got before, splits with smaller chunks further on are looked at as well.
    Guided {
        /// Iterations.
        trips: u64,
        /// Of the first piece.
        least: u64,
    },
    /// One legal split of `guided, c`: the size of every chunk is proportional to the iterations that are left, but not
    /// less than c (OpenMP 5.2, 11.5.3). The factor is the implementation's.
    Shrinking(Guided),
    /// That many blocks of nearly equal size.
    Blocks {
        /// Iterations.
        trips: u64,
        /// Blocks.
        blocks: u64,
        /// How sizes are rounded.
        rounding: Rounding,
    },
}

impl Split {
    /// How many iterations there are.
    pub fn trips(self) -> u64 {
        match self {
            Split::Chunks { trips, .. } | Split::Guided { trips, .. } | Split::Blocks { trips, .. } => trips,
            Split::Shrinking(guided) => guided.trips,
        }
    }

    /// How many pieces there are.
    pub fn pieces(self) -> u64 {
        match self {
            Split::Chunks { trips, chunk } => trips.div_ceil(chunk),
            Split::Guided { trips, least } => trips - trips.min(least) + u64::from(trips > 0),
            Split::Shrinking(guided) => guided.count(),
            Split::Blocks { trips, blocks, rounding: Rounding::Greedy } => {
                trips.div_ceil(trips.div_ceil(blocks).max(1))
            }
            Split::Blocks { trips, blocks, .. } => blocks.min(trips),
        }
    }

    /// The first iteration of a piece, and how many it has.
    pub fn piece(self, number: u64) -> (u64, u64) {
        match self {
            Split::Chunks { trips, chunk } => (number * chunk, chunk.min(trips - number * chunk)),
            Split::Guided { trips, least } if number == 0 => (0, least.min(trips)),
            Split::Guided { least, .. } => (least + number - 1, 1),
            Split::Shrinking(guided) => guided.piece(number),
            Split::Blocks { trips, blocks, rounding } => rounding.block(trips, blocks, number),
        }
    }

    pub(super) fn put(self, put: Put) {
        let words = match self {
            Split::Chunks { trips, chunk } => [1, trips, chunk],
            Split::Blocks { trips, blocks, rounding } => {
                put(rounding as u64);
                [2, trips, blocks]
            }
            Split::Guided { trips, least } => [3, trips, least],
            Split::Shrinking(Guided { trips, least, first, down }) => {
                put(4 | u64::from(down) << 8);
                [trips, least, first]
            }
        };
        words.into_iter().for_each(put);
    }
}

/// A split of `guided, c`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guided {
    /// Iterations.
    pub trips: u64,
    /// The least size of a chunk that does not hold the last iteration.
    pub least: u64,
    /// The size of the first chunk, which decides on the factor.
    pub first: u64,
    /// Whether sizes are rounded down, not up.
    pub down: bool,
}

impl Guided {
    /// How many ways there are to split a loop, some of them possibly alike.
    pub fn ways(trips: u64, least: u64) -> u64 {
        (trips.saturating_sub(least) + 1) * 2
    }

    /// One of them. The first have the smallest chunks.
    pub fn way(trips: u64, least: u64, way: u64) -> Guided {
        let first = (least + way / 2).min(trips.max(1));
        let up = Guided { trips, least, first, down: false };
        let down = Guided { down: true, ..up };
        if way % 2 == 1 && !down.sizes().eq(up.sizes()) { down } else { up }
    }

    fn size(self, left: u64) -> u64 {
        let product = u128::from(left) * u128::from(self.first);
        let trips = u128::from(self.trips.max(1));
        let share = if self.down { product / trips } else { product.div_ceil(trips) };
        (share as u64).max(self.least).min(left)
    }

    /// The sizes of the chunks, until they are of the least size.
    fn sizes(self) -> impl Iterator<Item = u64> {
        let mut left = self.trips;
        std::iter::from_fn(move || {
            let size = self.size(left);
            left -= size;
            (size > self.least).then_some(size)
        })
    }

    fn count(self) -> u64 {
        let (large, covered) = self.sizes().fold((0, 0), |(n, sum), size| (n + 1, sum + size));
        large + (self.trips - covered).div_ceil(self.least)
    }

    fn piece(self, number: u64) -> (u64, u64) {
        let (mut from, mut n) = (0, 0);
        for size in self.sizes() {
            if n == number {
                return (from, size);
            }
            (from, n) = (from + size, n + 1);
        }
        let from = from + (number - n) * self.least;
        (from, self.least.min(self.trips - from))
    }
}

/// How the blocks of `schedule(static)` are made equal where they cannot be: the language does not say (OpenMP 5.2, 11.5.3, tells of
/// the first two as examples).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rounding {
    /// The first blocks are larger by one: libomp's.
    FirstLarger,
    /// All blocks are as large as the largest must be, and the last ones smaller.
    Greedy,
    /// The last blocks are larger by one.
    LastLarger,
}

impl Rounding {
    /// The ways to split loops among so many threads. (With two, the first two are the same.)
    pub fn ways(blocks: u64) -> &'static [Rounding] {
        use Rounding::{FirstLarger, Greedy, LastLarger};
        if blocks == 2 { &[FirstLarger, LastLarger] } else { &[FirstLarger, Greedy, LastLarger] }
    }

    /// Whether they differ for a loop.
    pub fn matters(trips: u64, blocks: u64) -> bool {
        blocks > 1 && trips > blocks && !trips.is_multiple_of(blocks)
    }

    /// The first iteration of a block, and how many it has.
    pub fn block(self, trips: u64, blocks: u64, number: u64) -> (u64, u64) {
        match self {
            Rounding::FirstLarger => block(trips, blocks, number),
            Rounding::Greedy => {
                let size = trips.div_ceil(blocks);
                let first = (number * size).min(trips);
                (first, size.min(trips - first))
            }
            Rounding::LastLarger => {
                let (from, count) = block(trips, blocks, blocks - 1 - number);
                (trips - from - count, count)
            }
        }
    }
}

/// The first iteration of one of `blocks` blocks, and how many it has (libomp's balanced static schedule).
pub fn block(trips: u64, blocks: u64, number: u64) -> (u64, u64) {
    let (small, extras) = (trips / blocks, trips % blocks);
    (number * small + number.min(extras), small + u64::from(number < extras))
}

/// How many iterations a loop has.
pub fn trips(lower: i128, upper: i128, step: i128) -> u64 {
    match step {
        0 => 0,
        s if s > 0 && lower <= upper => ((upper - lower) / s + 1) as u64,
        s if s < 0 && lower >= upper => ((lower - upper) / -s + 1) as u64,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_as_libomp_makes_them() {
        let all: Vec<_> = (0..4).map(|b| block(10, 4, b)).collect();
        assert_eq!(all, [(0, 3), (3, 3), (6, 2), (8, 2)]);
        let few: Vec<_> = (0..4).map(|b| block(3, 4, b)).collect();
        assert_eq!(few, [(0, 1), (1, 1), (2, 1), (3, 0)]);
    }

    #[test]
    fn blocks_of_other_implementations() {
        let all = |way: Rounding| (0..4).map(|b| way.block(10, 4, b)).collect::<Vec<_>>();
        assert_eq!(all(Rounding::Greedy), [(0, 3), (3, 3), (6, 3), (9, 1)]);
        assert_eq!(all(Rounding::LastLarger), [(0, 2), (2, 2), (4, 3), (7, 3)]);
        assert_eq!((Rounding::ways(4).len(), Rounding::ways(2).len()), (3, 2));
        assert!((0..40).all(|n| (0..2).all(|b| Rounding::Greedy.block(n, 2, b) == block(n, 2, b))));
        assert!(Rounding::matters(5, 2) && !Rounding::matters(8, 4) && !Rounding::matters(3, 4));
    }

    #[test]
    fn trip_counts() {
        assert_eq!(trips(0, 9, 1), 10);
        assert_eq!(trips(9, 0, -3), 4);
        assert_eq!(trips(1, 0, 1), 0);
        assert_eq!(trips(0, i128::from(u64::MAX) - 1, 1), u64::MAX);
    }

    #[test]
    fn schedules_without_modifiers() {
        assert_eq!(plain(1 << 30 | 35), kind::DYNAMIC);
        assert_eq!(plain(1 << 30 | 67), kind::DYNAMIC);
        assert_eq!(plain(66), kind::STATIC);
        assert_eq!(plain(OPEN | 34), kind::STATIC | OPEN & 0x00ff_ffff);
        assert_eq!(plain(92), kind::DISTRIBUTE);
    }

    #[test]
    fn chunks_cover_everything_once() {
        let split = Split::Chunks { trips: 10, chunk: 4 };
        let all: Vec<_> = (0..split.pieces()).map(|p| split.piece(p)).collect();
        assert_eq!(all, [(0, 4), (4, 4), (8, 2)]);
    }

    #[test]
    fn orders_that_the_source_fixes() {
        assert!(is_loose(35) && is_loose(1 << 30 | 36) && is_loose(OPEN | 34));
        assert!(!is_loose(1 << 29 | 35) && !is_loose(67) && !is_loose(OPEN | 66) && !is_loose(128 + 67));
    }

    #[test]
    fn guided_splits_shrink_and_cover_everything_once() {
        for (trips, least) in [(1, 1), (3, 1), (6, 2), (7, 3), (10, 1), (3, 4), (0, 1)] {
            for way in 0..Guided::ways(trips, least) {
                let split = Split::Shrinking(Guided::way(trips, least, way));
                let all: Vec<_> = (0..split.pieces()).map(|p| split.piece(p)).collect();
                let mut next = 0;
                for (n, &(from, size)) in all.iter().enumerate() {
                    let last = n + 1 == all.len();
                    assert!(from == next && size > 0 && (last || size >= least), "{trips} {least} {all:?}");
                    assert!(n == 0 || size <= all[n - 1].1, "{trips} {least} {all:?}");
                    next += size;
                }
                assert_eq!(next, trips);
            }
        }
        let ends = |way| Split::Shrinking(Guided::way(6, 2, way)).piece(0).1;
        // A chunk can end behind every iteration from the least size on.
        assert_eq!((0..10).map(ends).collect::<Vec<_>>(), [2, 2, 3, 3, 4, 4, 5, 5, 6, 6]);
    }

    #[test]
    fn guided_chunks_end_anywhere_behind_the_first() {
        let split = Split::Guided { trips: 6, least: 4 };
        let all: Vec<_> = (0..split.pieces()).map(|p| split.piece(p)).collect();
        assert_eq!(all, [(0, 4), (4, 1), (5, 1)]);
        let short = Split::Guided { trips: 3, least: 4 };
        assert_eq!((short.pieces(), short.piece(0)), (1, (0, 3)));
        assert_eq!(Split::Guided { trips: 0, least: 4 }.pieces(), 0);
    }
}
