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
    /// That many blocks of nearly equal size, the larger ones first.
    Blocks {
        /// Iterations.
        trips: u64,
        /// Blocks.
        blocks: u64,
    },
}

impl Split {
    /// How many iterations there are.
    pub fn trips(self) -> u64 {
        match self {
            Split::Chunks { trips, .. } | Split::Guided { trips, .. } | Split::Blocks { trips, .. } => trips,
        }
    }

    /// How many pieces there are.
    pub fn pieces(self) -> u64 {
        match self {
            Split::Chunks { trips, chunk } => trips.div_ceil(chunk),
            Split::Guided { trips, least } => trips - trips.min(least) + u64::from(trips > 0),
            Split::Blocks { trips, blocks } => blocks.min(trips),
        }
    }

    /// The first iteration of a piece, and how many it has.
    pub fn piece(self, number: u64) -> (u64, u64) {
        match self {
            Split::Chunks { trips, chunk } => (number * chunk, chunk.min(trips - number * chunk)),
            Split::Guided { trips, least } if number == 0 => (0, least.min(trips)),
            Split::Guided { least, .. } => (least + number - 1, 1),
            Split::Blocks { trips, blocks } => block(trips, blocks, number),
        }
    }

    pub(super) fn put(self, put: Put) {
        let words = match self {
            Split::Chunks { trips, chunk } => [1, trips, chunk],
            Split::Blocks { trips, blocks } => [2, trips, blocks],
            Split::Guided { trips, least } => [3, trips, least],
        };
        words.into_iter().for_each(put);
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
    fn guided_chunks_end_anywhere_behind_the_first() {
        let split = Split::Guided { trips: 6, least: 4 };
        let all: Vec<_> = (0..split.pieces()).map(|p| split.piece(p)).collect();
        assert_eq!(all, [(0, 4), (4, 1), (5, 1)]);
        let short = Split::Guided { trips: 3, least: 4 };
        assert_eq!((short.pieces(), short.piece(0)), (1, (0, 3)));
        assert_eq!(Split::Guided { trips: 0, least: 4 }.pieces(), 0);
    }
}
