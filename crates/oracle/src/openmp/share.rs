//! Worksharing: which thread gets which iterations, sections and single blocks.
//!
//! A construct that a team meets is an *instance*. Its chunks are given to threads while they ask for them: a thread that
//! asks may get any chunk that nobody has (with `ordered` only one behind its last one), or none any more, as long as every
//! other chunk can still go to someone. So every assignment of chunks to threads, in any order on each thread, is possible, whoever comes first
//! (OpenMP 5.2, 11.5.3: nonmonotonic, unless `static` or `ordered` says otherwise). An assignment could as well be drawn when the first thread comes to the construct,
//! and nobody can tell when it was: therefore the search lets threads choose before anything else happens.

use super::access::Past;
use super::code::{Code, ITER, Op};
use super::program::Schedule;
use super::state::State;

/// The largest team.
pub const MAX_TEAM: usize = 4;

/// A worksharing construct that some threads are in.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Instance {
    /// How many constructs the threads met before it since the last barrier.
    ordinal: u8,
    /// Bit j: a chunk begins at iteration j. 0 as long as that is open.
    starts: u8,
    /// The chunks that are given away, by their first iteration.
    taken: u8,
    /// Whether each thread does its chunks in increasing order.
    increasing: bool,
    /// The last chunk of each thread, -1 if none; only where they increase.
    last: [i8; MAX_TEAM],
    /// The threads that get nothing more.
    done: u8,
    /// The iterations whose ordered region is complete.
    ordered: u8,
    /// What the last ordered region passes on.
    pub(super) ordered_past: Past,
}

/// What a thread may get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Share {
    /// The chunk that begins here.
    Chunk(u8),
    /// Nothing more.
    Nothing,
    /// Not a share yet: the chunks begin at these iterations.
    Split(u8),
}

impl Instance {
    fn new(ordinal: u8, starts: u8, increasing: bool) -> Instance {
        let last = [-1; MAX_TEAM];
        Instance { ordinal, starts, taken: 0, increasing, last, done: 0, ordered: 0, ordered_past: 0 }
    }

    /// Whether every chunk that nobody has can still go to someone.
    fn completable(&self, team: usize) -> bool {
        let open = |chunk: u8| self.starts & !self.taken & (1 << chunk) != 0;
        let takes = |t: usize, chunk: u8| self.done & (1 << t) == 0 && self.last[t] < chunk as i8;
        (0..8).filter(|&c| open(c)).all(|c| (0..team).any(|t| takes(t, c)))
    }

    /// What a thread of the team may get, once it is clear where chunks begin.
    fn shares(&self, thread: usize, team: usize) -> Vec<Share> {
        let open = self.starts & !self.taken;
        let chunks = (0..8u8).filter(|&c| c as i8 > self.last[thread] && open & (1 << c) != 0);
        let shares = chunks.map(Share::Chunk).chain([Share::Nothing]);
        shares.filter(|&s| self.after(thread, s).completable(team)).collect()
    }

    fn after(&self, thread: usize, share: Share) -> Instance {
        let mut next = self.clone();
        match share {
            Share::Chunk(c) => {
                next.taken |= 1 << c;
                if self.increasing {
                    next.last[thread] = c as i8;
                }
            }
            Share::Nothing => next.done |= 1 << thread,
            Share::Split(starts) => next.starts = starts,
        }
        next
    }
}

/// The ways to begin chunks in a loop of `n` iterations.
fn splits(schedule: Schedule, n: u8) -> Vec<u8> {
    let every = |c: u8| (0..n).filter(|j| j % c == 0).fold(0, |set, j| set | 1 << j);
    match schedule {
        Schedule::Dynamic(Some(c)) => vec![every(c)],
        // Chunks of any size from c on, the last one aside.
        Schedule::Guided(Some(c)) if c > 1 => (1..1u8 << n)
            .filter(|starts| {
                let at: Vec<u8> = (0..n).filter(|j| starts >> j & 1 != 0).collect();
                at[0] == 0 && at.windows(2).all(|w| w[1] - w[0] >= c)
            })
            .collect(),
        // Single iterations; neighbours may go to the same thread, which makes all larger chunks.
        _ => vec![every(1)],
    }
}

/// How a static schedule makes blocks "approximately equal" (OpenMP 5.2, 11.5.3) where iterations are left over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Blocks {
    /// The first blocks have one more, as LLVM's runtime divides them.
    MoreFirst,
    /// The last blocks have one more.
    MoreLast,
    /// All have as many as the largest must have, as long as there are any.
    Full,
}

impl Blocks {
    /// The ways that make a difference to a program.
    pub(super) fn ways(code: &Code) -> &'static [Blocks] {
        let uneven = |op: &Op| matches!(op, Op::Next { schedule: Schedule::Static(None), n, .. } if *n > 2);
        match code.ops.iter().any(uneven) {
            true => &[Blocks::MoreFirst, Blocks::MoreLast, Blocks::Full],
            false => &[Blocks::MoreFirst],
        }
    }
}

/// The thread that a static schedule gives an iteration to: round robin, or in blocks.
fn owner(chunk: Option<u8>, n: u8, team: u8, iteration: u8, blocks: Blocks) -> u8 {
    let in_order = |iteration: u8| {
        let first = |t: u8| t * (n / team) + t.min(n % team);
        (0..team).rev().find(|&t| first(t) <= iteration).unwrap_or(0)
    };
    match (chunk, blocks) {
        (Some(c), _) => iteration / c % team,
        (None, Blocks::MoreFirst) => in_order(iteration),
        // The same from behind; with fewer iterations than threads nothing is left over.
        (None, Blocks::MoreLast) if n > team => team - 1 - in_order(n - 1 - iteration),
        (None, Blocks::Full) if n > team => iteration / n.div_ceil(team),
        (None, _) => in_order(iteration),
    }
}

impl State {
    fn instance(&self, t: usize) -> usize {
        let ordinal = self.threads[t].ordinal;
        self.instances.iter().position(|i| i.ordinal == ordinal).unwrap_or(self.instances.len())
    }

    /// Thread `t` comes to a construct.
    pub(super) fn enter(&mut self, t: usize, k: usize, schedule: Schedule, n: u8, ordered: bool) {
        self.threads[t].ordinal += 1;
        self.tasks[k].regs[ITER as usize] = -1;
        if self.instance(t) == self.instances.len() {
            let ways = splits(schedule, n);
            let starts = if ways.len() == 1 { ways[0] } else { 0 };
            self.instances.push(Instance::new(self.threads[t].ordinal, starts, ordered));
        }
    }

    /// What thread `t` may get, if it stands where it asks.
    pub(super) fn shares(&self, code: &Code, t: usize, k: usize) -> Option<Vec<Share>> {
        let (schedule, n) = match *self.op(code, k) {
            Op::Next { schedule, n, .. } => (schedule, n),
            Op::Single { .. } => (Schedule::None, 1),
            _ => return None,
        };
        let instance = &self.instances[self.instance(t)];
        if instance.starts == 0 {
            return Some(splits(schedule, n).into_iter().map(Share::Split).collect());
        }
        Some(instance.shares(t, self.threads.len()))
    }

    /// Where thread `t` goes on, if the language leaves nothing to choose.
    pub(super) fn forced_share(&mut self, code: &Code, t: usize, k: usize) -> Option<usize> {
        let pc = self.tasks[k].pc as usize;
        let now = self.tasks[k].regs[ITER as usize];
        if let Op::Next { schedule: Schedule::Static(chunk), n, end } = code.ops[pc] {
            let (team, blocks) = (self.threads.len() as u8, self.blocks);
            let next = (0..n).find(|&j| j as i32 > now && owner(chunk, n, team, j, blocks) == t as u8);
            return Some(match next {
                Some(j) => {
                    self.tasks[k].regs[ITER as usize] = j as i32;
                    pc + 1
                }
                None => {
                    self.leave(t);
                    end
                }
            });
        }
        if let Op::Next { n, .. } = code.ops[pc] {
            let instance = &self.instances[self.instance(t)];
            let next = now + 1;
            let inside = now >= 0 && next < n as i32 && instance.starts >> next & 1 == 0;
            if inside {
                self.tasks[k].regs[ITER as usize] = next;
                return Some(pc + 1);
            }
        }
        match self.shares(code, t, k)?[..] {
            [only] => self.take_share(code, t, k, only),
            _ => None,
        }
    }

    /// Gives thread `t` one of its possible shares.
    pub(super) fn choose(&mut self, code: &Code, t: usize, option: usize) {
        let Some(k) = self.threads[t].current.map(|k| k as usize) else { return };
        let Some(share) = self.shares(code, t, k).and_then(|s| s.get(option).copied()) else { return };
        if let Some(target) = self.take_share(code, t, k, share) {
            self.tasks[k].pc = target as u16;
        }
        self.settle(code, t, k);
    }

    /// Returns where the thread goes on; `None` if it still has to choose.
    fn take_share(&mut self, code: &Code, t: usize, k: usize, share: Share) -> Option<usize> {
        let pc = self.tasks[k].pc as usize;
        let at = self.instance(t);
        let single = matches!(code.ops[pc], Op::Single { .. });
        self.instances[at] = self.instances[at].after(t, share);
        match share {
            Share::Split(_) => None,
            Share::Chunk(c) => {
                // A thread that has taken the single block never asks again.
                self.tasks[k].regs[ITER as usize] = if single { 0 } else { c as i32 };
                if single {
                    self.leave(t);
                }
                Some(pc + 1)
            }
            Share::Nothing => {
                self.leave(t);
                if single {
                    self.tasks[k].regs[ITER as usize] = 0;
                }
                match code.ops[pc] {
                    Op::Next { end, .. } | Op::Single { end } => Some(end),
                    _ => None,
                }
            }
        }
    }

    /// Thread `t` gets nothing more of its construct.
    fn leave(&mut self, t: usize) {
        let at = self.instance(t);
        self.instances[at].done |= 1 << t;
        if self.instances[at].done.count_ones() as usize == self.threads.len() {
            self.instances.remove(at);
        }
    }

    /// Whether the ordered regions of all iterations before the current one of `task` are complete.
    pub(super) fn my_turn(&self, task: usize) -> bool {
        let t = self.tasks[task].thread as usize;
        self.instances[self.instance(t)].ordered as i32 == self.tasks[task].regs[ITER as usize]
    }

    pub(super) fn begin_ordered(&mut self, t: usize) {
        self.threads[t].past |= self.instances[self.instance(t)].ordered_past;
    }

    pub(super) fn end_ordered(&mut self, t: usize) {
        let at = self.instance(t);
        self.instances[at].ordered += 1;
        self.instances[at].ordered_past = self.threads[t].past;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Collects who has which chunk in the end, whoever asks when.
    fn assignments(
        at: &Instance,
        team: usize,
        so_far: &[Option<usize>],
        found: &mut BTreeSet<Vec<Option<usize>>>,
    ) {
        for t in (0..team).filter(|t| at.done >> t & 1 == 0) {
            let shares = at.shares(t, team);
            assert!(!shares.is_empty(), "a thread that asks gets an answer");
            for share in shares {
                let mut next = so_far.to_vec();
                if let Share::Chunk(c) = share {
                    next[c as usize] = Some(t);
                }
                assignments(&at.after(t, share), team, &next, found);
            }
        }
        if at.done == (1 << team) - 1 {
            found.insert(so_far.to_vec());
        }
    }

    #[test]
    fn every_assignment_is_possible_and_nothing_is_left_over() {
        for (n, team, expected) in [(1, 2, 2), (3, 2, 8), (2, 3, 9), (3, 3, 27)] {
            let mut found = BTreeSet::new();
            assignments(&Instance::new(1, (1 << n) - 1, true), team, &vec![None; n], &mut found);
            assert_eq!(found.len(), expected);
            assert!(found.iter().flatten().all(Option::is_some));
        }
    }

    #[test]
    fn static_loops_are_divided_as_the_runtime_does() {
        let divided =
            |chunk, n, team, blocks| (0..n).map(|j| owner(chunk, n, team, j, blocks)).collect::<Vec<_>>();
        assert_eq!(divided(None, 5, 3, Blocks::MoreLast), [0, 1, 1, 2, 2]);
        assert_eq!(divided(None, 5, 4, Blocks::Full), [0, 0, 1, 1, 2]);
        assert_eq!(divided(None, 2, 3, Blocks::MoreLast), [0, 1]);
        let owners = |chunk, n, team| divided(chunk, n, team, Blocks::MoreFirst);
        assert_eq!(owners(None, 4, 2), [0, 0, 1, 1]);
        assert_eq!(owners(None, 3, 2), [0, 0, 1]);
        assert_eq!(owners(None, 4, 3), [0, 0, 1, 2]);
        assert_eq!(owners(None, 2, 3), [0, 1]);
        assert_eq!(owners(Some(1), 4, 2), [0, 1, 0, 1]);
        assert_eq!(owners(Some(2), 4, 3), [0, 0, 1, 1]);
    }

    #[test]
    fn guided_chunks_have_at_least_their_size_but_for_the_last() {
        assert_eq!(splits(Schedule::Guided(Some(2)), 4), [0b0001, 0b0101, 0b1001]);
        assert_eq!(splits(Schedule::Dynamic(Some(3)), 4), [0b1001]);
        assert_eq!(splits(Schedule::Guided(None), 3), [0b111]);
    }
}
