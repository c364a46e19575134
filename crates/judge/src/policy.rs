//! How a random execution decides: who moves, in which way, and what questions are answered with.
//!
//! A uniform choice at every step seldom gives the orders that show a race or a deadlock: these need one thread to be held
//! back for long, or one to do almost everything. So every run draws a *policy* from its seed, for the schedule and for
//! the answers apart:
//! - schedules: uniform; fixed priorities with a few random changes (PCT: Burckhardt et al., ASPLOS 2010; for a bug that
//!   needs d ordering constraints among n threads and k steps, a run has a chance of at least 1/(n k^(d-1))); one thread until
//!   it blocks; round robin; the last thread first;
//! - distributions: uniform, all to one thread, all but a few, any of two threads, alternating, blocks, these in reverse, runs of random length;
//! - orders in which a thread executes its pieces: that of the loop, the reverse, the last piece first, from both ends, uniform;
//! - other answers: uniform, the first, the last.
//!
//! Deviation from PCT: a thread that polls, or that could end the program, goes last whatever its priority, so that runs
//! end and other threads come to their ends first; now and then (1 of [`RELUCTANT`] steps) it goes all the same.

use machine::{Question, ShareKind};
use rustc_hash::FxHashMap;

/// One of how many steps lets a thread move that should rather wait: a spurious wake-up, a poll, the program's end.
const RELUCTANT: u64 = 24;

/// A small generator of pseudorandom numbers (SplitMix64): the same on every machine.
#[derive(Debug, Clone)]
pub(crate) struct Rng(u64);

impl Rng {
    /// The sequence of one run of a seed.
    pub fn new(seed: u64, run: u64) -> Rng {
        let mut rng = Rng(seed ^ run.wrapping_mul(0xd134_2543_de82_ef95));
        rng.next();
        rng
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// True once in `n` times.
    pub fn once_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}

/// Who moves next.
#[derive(Debug, Clone)]
enum Order {
    Uniform,
    /// By priorities, the highest first; at these numbers of steps the thread that would move gets the lowest.
    Priorities {
        of: Vec<i64>,
        changes: Vec<u64>,
        lowest: i64,
    },
    /// The same thread until it cannot go on.
    ToBlock,
    /// Each thread so many steps.
    RoundRobin(u64),
    /// The highest number first.
    LastFirst,
}

/// Who executes a piece.
#[derive(Debug, Clone, Copy)]
enum Owners {
    Uniform,
    One(u64),
    Alternating(u64),
    Blocks,
    BlocksReversed,
    /// The same as before, but once in so many pieces another.
    Runs(u64),
    /// One thread, but about so many pieces another.
    Few(u64, u64, u64),
    /// Any of two.
    Two(u64, u64),
}

/// In which order a thread executes its pieces of a construct.
#[derive(Debug, Clone, Copy)]
enum Pieces {
    Ascending,
    Descending,
    /// The last one, then the others in the order of the loop.
    LastFirst,
    /// By turns the first and the last that are left.
    BothEnds,
    Uniform,
}

/// How other questions are answered.
#[derive(Debug, Clone, Copy)]
enum Answers {
    Uniform,
    First,
    Last,
}

/// A thread that can move.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mover {
    /// The thread.
    pub thread: usize,
    /// Whether it should rather wait for the others: it polls, would end the program, or wakes up for no reason.
    pub reluctant: bool,
}

/// The decisions of one run.
#[derive(Debug, Clone)]
pub(crate) struct Policy {
    rng: Rng,
    order: Order,
    ways: Answers,
    values: Answers,
    /// For each construct, drawn when it first asks.
    owners: FxHashMap<u32, Owners>,
    /// One distribution for all constructs.
    everywhere: Option<Owners>,
    /// The last owner given.
    owner: u64,
    /// For each construct, drawn when it first asks.
    pieces: FxHashMap<u32, Pieces>,
    /// One order of pieces for all constructs.
    all_pieces: Option<Pieces>,
    /// How many pieces the thread had left that was asked last, and in which construct.
    left: Option<(u32, u64)>,
    steps: u64,
    current: usize,
    burst: u64,
    /// Whether threads are interrupted between synchronisation operations as well.
    pub interrupts: bool,
    canonical: bool,
}

impl Policy {
    /// The reference: a thread runs until it blocks, pieces go round, everything else is answered with the first.
    pub fn canonical() -> Policy {
        Policy {
            rng: Rng::new(0, 0),
            order: Order::ToBlock,
            ways: Answers::First,
            values: Answers::First,
            owners: FxHashMap::default(),
            everywhere: Some(Owners::Alternating(0)),
            owner: 0,
            pieces: FxHashMap::default(),
            all_pieces: Some(Pieces::Ascending),
            left: None,
            steps: 0,
            current: 0,
            burst: 0,
            interrupts: false,
            canonical: true,
        }
    }

    /// The policy of a run; `length` is how many steps one is expected to have.
    pub fn random(seed: u64, run: u64, length: u64) -> Policy {
        let mut rng = Rng::new(seed, run);
        let order = match rng.below(8) {
            0 | 1 => Order::Uniform,
            2..=4 => {
                let depth = 1 + rng.below(4);
                let changes = (0..depth).map(|_| rng.below(length.max(4))).collect();
                Order::Priorities { of: Vec::new(), changes, lowest: 0 }
            }
            5 => Order::ToBlock,
            6 => Order::RoundRobin(1 + rng.below(5)),
            _ => Order::LastFirst,
        };
        let answers = |rng: &mut Rng| match rng.below(4) {
            0 => Answers::First,
            1 => Answers::Last,
            _ => Answers::Uniform,
        };
        let (ways, values) = (answers(&mut rng), answers(&mut rng));
        let everywhere = rng.once_in(2).then(|| Owners::random(&mut rng));
        let interrupts = rng.once_in(5);
        let all_pieces = rng.once_in(2).then(|| Pieces::random(&mut rng));
        Policy {
            rng,
            order,
            ways,
            values,
            owners: FxHashMap::default(),
            everywhere,
            owner: 0,
            pieces: FxHashMap::default(),
            all_pieces,
            left: None,
            steps: 0,
            current: 0,
            burst: 0,
            interrupts,
            canonical: false,
        }
    }

    /// Who of these moves; nobody if there is none.
    pub fn next(&mut self, movers: &[Mover]) -> Option<usize> {
        self.steps += 1;
        let reluctant = !self.canonical && self.rng.once_in(RELUCTANT);
        let willing = |m: &&Mover| reluctant || !m.reluctant;
        let mut those: Vec<usize> = movers.iter().filter(willing).map(|m| m.thread).collect();
        if those.is_empty() {
            those = movers.iter().map(|m| m.thread).collect();
        }
        let next = match those[..] {
            [] => return None,
            [only] => only,
            _ => self.choose(&those),
        };
        self.burst = if next == self.current { self.burst + 1 } else { 0 };
        self.current = next;
        Some(next)
    }

    fn choose(&mut self, those: &[usize]) -> usize {
        let rng = &mut self.rng;
        let uniform = |rng: &mut Rng| those[rng.below(those.len() as u64) as usize];
        let later = |current: usize| those.iter().copied().find(|&t| t > current).unwrap_or(those[0]);
        match &mut self.order {
            Order::Uniform => uniform(rng),
            Order::LastFirst => those[those.len() - 1],
            Order::ToBlock if those.contains(&self.current) => self.current,
            Order::ToBlock if self.canonical => those[0],
            Order::ToBlock => uniform(rng),
            Order::RoundRobin(quantum) => {
                let stays = self.burst + 1 < *quantum && those.contains(&self.current);
                if stays { self.current } else { later(self.current) }
            }
            Order::Priorities { of, changes, lowest } => {
                while of.len() <= those[those.len() - 1] {
                    of.push(1 + (rng.next() >> 2) as i64);
                }
                let best = those.iter().copied().max_by_key(|&t| of[t]).unwrap_or(those[0]);
                if !changes.contains(&self.steps) {
                    return best;
                }
                *lowest -= 1;
                of[best] = *lowest;
                those.iter().copied().max_by_key(|&t| of[t]).unwrap_or(best)
            }
        }
    }

    /// In which of its ways a thread goes on.
    pub fn way(&mut self, count: u32) -> u32 {
        let ways = self.ways;
        self.pick(ways, count)
    }

    fn pick(&mut self, answers: Answers, count: u32) -> u32 {
        match answers {
            _ if count <= 1 => 0,
            Answers::First => 0,
            Answers::Last => count - 1,
            Answers::Uniform => self.rng.below(count.into()) as u32,
        }
    }

    /// The answer to a question with so many answers.
    pub fn answer(&mut self, question: Question, count: u32) -> u32 {
        match question {
            Question::Owner { share, kind, piece, pieces } => {
                let owners = self.owners_of(share, kind);
                self.owner(owners, piece, pieces, count.max(1).into())
            }
            Question::Order { share, .. } => self.next_piece(share, count.into()) as u32,
            _ => {
                let values = self.values;
                self.pick(values, count)
            }
        }
    }

    /// Which of `left` pieces of a construct a thread executes next.
    fn next_piece(&mut self, share: u32, left: u64) -> u64 {
        let rng = &mut self.rng;
        let pieces = self
            .all_pieces
            .unwrap_or_else(|| *self.pieces.entry(share).or_insert_with(|| Pieces::random(rng)));
        let begins = !self.left.is_some_and(|(same, before)| same == share && left < before);
        self.left = Some((share, left));
        match pieces {
            Pieces::LastFirst if begins => left - 1,
            Pieces::Ascending | Pieces::LastFirst => 0,
            Pieces::Descending => left - 1,
            Pieces::BothEnds => {
                if left.is_multiple_of(2) {
                    left - 1
                } else {
                    0
                }
            }
            Pieces::Uniform => self.rng.below(left),
        }
    }

    fn owners_of(&mut self, share: u32, _kind: ShareKind) -> Owners {
        if let Some(owners) = self.everywhere {
            return owners;
        }
        let rng = &mut self.rng;
        *self.owners.entry(share).or_insert_with(|| Owners::random(rng))
    }

    fn owner(&mut self, owners: Owners, piece: u64, pieces: u64, n: u64) -> u32 {
        let block = |piece: u64| (u128::from(piece) * u128::from(n) / u128::from(pieces.max(1))) as u64;
        let owner = match owners {
            Owners::Uniform => self.rng.below(n),
            Owners::One(k) => k % n,
            Owners::Alternating(shift) => (piece + shift) % n,
            Owners::Blocks => block(piece).min(n - 1),
            Owners::BlocksReversed => n - 1 - block(piece).min(n - 1),
            Owners::Runs(length) => {
                if self.rng.once_in(length) {
                    self.owner = self.rng.below(n);
                }
                self.owner % n
            }
            Owners::Few(most, other, few) => {
                if self.rng.below(pieces.max(few)) < few {
                    other % n
                } else {
                    most % n
                }
            }
            Owners::Two(one, other) => (if self.rng.once_in(2) { one } else { other }) % n,
        };
        owner as u32
    }

    /// After how many instructions a thread that runs is interrupted.
    pub fn quantum(&mut self) -> u64 {
        1 << self.rng.below(9)
    }

    /// Values for inputs: mostly such as the program compares with, and extreme ones. The reference has zeros.
    pub fn inputs(&mut self, candidates: &[u64], count: usize) -> Vec<u64> {
        let pick = |rng: &mut Rng| match rng.below(8) {
            0 => rng.below(4),
            1 => rng.below(64),
            2 => [u64::MAX, 1 << 31, (1 << 31) - 1, 1 << 63, (1 << 63) - 1][rng.below(5) as usize],
            3 => rng.next(),
            _ if candidates.is_empty() => rng.below(16),
            _ => candidates[rng.below(candidates.len() as u64) as usize],
        };
        match self.canonical {
            true => Vec::new(),
            false => (0..count).map(|_| pick(&mut self.rng)).collect(),
        }
    }
}

impl Owners {
    fn random(rng: &mut Rng) -> Owners {
        match rng.below(10) {
            0 | 1 => Owners::Uniform,
            2 => Owners::Few(rng.below(64), rng.below(64), 1 + rng.below(4)),
            8 => Owners::Two(rng.below(64), rng.below(64)),
            3 => Owners::One(rng.below(64)),
            4 => Owners::Alternating(rng.below(8)),
            5 => Owners::Blocks,
            6 => Owners::BlocksReversed,
            _ => Owners::Runs(2 + rng.below(6)),
        }
    }
}

impl Pieces {
    fn random(rng: &mut Rng) -> Pieces {
        match rng.below(8) {
            0 | 1 => Pieces::Ascending,
            2 | 3 => Pieces::Descending,
            4 => Pieces::LastFirst,
            5 => Pieces::BothEnds,
            _ => Pieces::Uniform,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_fixes_the_run() {
        let draw = |run| {
            let mut policy = Policy::random(7, run, 100);
            let movers = [0, 1, 2].map(|thread| Mover { thread, reluctant: thread == 2 });
            (0..50).map(|_| policy.next(&movers)).collect::<Vec<_>>()
        };
        assert_eq!(draw(3), draw(3));
        assert!((0..20).any(|run| draw(run) != draw(3)), "runs differ");
    }

    #[test]
    fn every_owner_is_given() {
        let question = |piece| Question::Owner { share: 1, kind: ShareKind::Loop, piece, pieces: 8 };
        let mut given = [false; 3];
        for run in 0..40 {
            let mut policy = Policy::random(1, run, 100);
            (0..8).for_each(|piece| given[policy.answer(question(piece), 3) as usize] = true);
        }
        assert_eq!(given, [true; 3]);
    }

    #[test]
    fn every_order_of_pieces_is_given() {
        let question = |left| Question::Order { share: 1, kind: ShareKind::Loop, left };
        let orders: std::collections::BTreeSet<Vec<u64>> = (0..200)
            .map(|run| {
                let mut policy = Policy::random(1, run, 100);
                let mut pieces = vec![0, 1, 2];
                let mut next = |left| u64::from(policy.answer(question(left), left as u32));
                let mut order: Vec<u64> =
                    (2..=3).rev().map(|left| pieces.remove(next(left) as usize)).collect();
                order.append(&mut pieces);
                order
            })
            .collect();
        assert_eq!(orders.len(), 6, "{orders:?}");
        assert_eq!(Policy::canonical().answer(question(3), 3), 0);
    }

    #[test]
    fn who_should_wait_waits_mostly() {
        let movers = [Mover { thread: 0, reluctant: true }, Mover { thread: 1, reluctant: false }];
        let waited = |run| {
            let mut policy = Policy::random(1, run, 100);
            assert_eq!(policy.next(&movers[..1]), Some(0), "there is nobody else");
            (0..100).filter(|_| policy.next(&movers) == Some(1)).count()
        };
        let all: usize = (1..50).map(waited).sum();
        assert!((4500..4900).contains(&all), "{all}");
    }
}
