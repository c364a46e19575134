//! Worksharing: which thread gets which iterations, sections and single blocks, in which order.
//!
//! A construct that a team meets is an *instance*. A thread that asks may get any share that nobody has (only one behind its last
//! one, if the schedule is monotonic), or none any more, as long as every other share can still go to someone. So
//! every assignment and every order on each thread is possible, whoever comes first. It could as well be drawn when the first
//! thread comes to the construct: therefore the search lets threads choose before anything else happens.

use super::code::{Code, Op, Shares};
use super::program::Split;
use super::state::State;

/// The largest team.
pub const MAX_TEAM: usize = 4;

/// A worksharing construct that some threads are in.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Instance {
    /// How many constructs the threads met before it since the last barrier.
    ordinal: u8,
    n: u8,
    rule: Shares,
    /// The shares that are given away.
    taken: u16,
    /// The last share of each thread, -1 if none.
    last: [i8; MAX_TEAM],
    /// The threads that get nothing more.
    done: u8,
}

impl Instance {
    fn new(ordinal: u8, n: u8, rule: Shares) -> Instance {
        Instance { ordinal, n, rule, taken: 0, last: [-1; MAX_TEAM], done: 0 }
    }

    fn may_take(&self, thread: usize, team: usize, share: u8) -> bool {
        let free = self.done >> thread & 1 == 0 && self.taken >> share & 1 == 0;
        free && match self.rule {
            Shares::Any => true,
            Shares::Increasing => self.last[thread] < share as i8,
            Shares::Fixed(chunk) => {
                self.last[thread] < share as i8 && owner(chunk, self.n, team as u8, share) == thread as u8
            }
        }
    }

    /// Whether every share that nobody has can still go to someone.
    fn completable(&self, team: usize) -> bool {
        let open = (0..self.n).filter(|&s| self.taken >> s & 1 == 0);
        open.into_iter().all(|s| (0..team).any(|t| self.may_take(t, team, s)))
    }

    /// What a thread of the team may get; `None` is nothing more.
    fn options(&self, thread: usize, team: usize) -> Vec<Option<u8>> {
        let shares = (0..self.n).filter(|&s| self.may_take(thread, team, s)).map(Some);
        shares.chain([None]).filter(|&s| self.after(thread, s).completable(team)).collect()
    }

    fn after(&self, thread: usize, share: Option<u8>) -> Instance {
        let mut next = self.clone();
        match share {
            Some(s) => {
                next.taken |= 1 << s;
                next.last[thread] = s as i8;
            }
            None => next.done |= 1 << thread,
        }
        next
    }
}

/// The thread that a static schedule gives an iteration to.
fn owner(chunk: Option<u8>, n: u8, team: u8, iteration: u8) -> u8 {
    match chunk {
        Some(c) => iteration / c % team,
        None => {
            let first = |t: u8| t * (n / team) + t.min(n % team);
            (0..team).rev().find(|&t| first(t) <= iteration).unwrap_or(0)
        }
    }
}

/// The ways to split `n` iterations of a taskloop into tasks, as the first iteration of each task.
pub(super) fn splits(split: Split, n: u8) -> Vec<Vec<u8>> {
    let all = (0..1u16 << (n - 1)).map(|cuts| {
        let inner = (1..n).filter(move |j| cuts >> (j - 1) & 1 != 0);
        [0].into_iter().chain(inner).collect::<Vec<u8>>()
    });
    all.filter(|starts| {
        let ends = starts.iter().skip(1).copied().chain([n]);
        let mut sizes = starts.iter().zip(ends).map(|(a, b)| b - a);
        match split {
            Split::Open => true,
            Split::Tasks(k) => starts.len() == k.min(n) as usize,
            Split::Grain(g) => sizes.all(|s| s >= g.min(n) && s < 2 * g),
        }
    })
    .collect()
}

impl State {
    fn instance(&self, t: usize) -> usize {
        let member = self.threads[t].innermost();
        let instances = &self.team(member.team).instances;
        instances.iter().position(|i| i.ordinal == member.ordinal).unwrap_or(instances.len())
    }

    /// Thread `t` comes to a construct.
    pub(super) fn enter(&mut self, t: usize, k: usize, n: u8, rule: Shares) {
        let last = self.threads[t].teams.len() - 1;
        self.threads[t].teams[last].ordinal += 1;
        self.tasks[k].shares.push(-1);
        let at = self.instance(t);
        let (team, ordinal) = (self.threads[t].innermost().team, self.threads[t].innermost().ordinal);
        let instances = &mut self.team_mut(team).instances;
        if at == instances.len() {
            instances.push(Instance::new(ordinal, n, rule));
        }
    }

    /// How many possibilities thread `t` has, if it stands where it chooses.
    pub(super) fn choices(&self, code: &Code, t: usize, k: usize) -> Option<usize> {
        match *self.op(code, k) {
            Op::Next { .. } | Op::Single(_) => Some(self.options(t).len()),
            Op::Taskloop { n, split, .. } => Some(splits(split, n).len()),
            _ => None,
        }
    }

    fn options(&self, t: usize) -> Vec<Option<u8>> {
        let member = self.threads[t].innermost();
        let team = self.team(member.team);
        team.instances[self.instance(t)].options(member.number as usize, team.threads.len())
    }

    /// Gives thread `t` one of its possible shares; returns it, or `None` if it gets nothing more.
    pub(super) fn take(&mut self, t: usize, k: usize, option: usize) -> Option<u8> {
        let share = self.options(t)[option];
        let at = self.instance(t);
        let (team, number) = (self.threads[t].innermost().team, self.threads[t].innermost().number);
        let team = self.team_mut(team);
        team.instances[at] = team.instances[at].after(number as usize, share);
        match share {
            Some(s) => {
                let depth = self.tasks[k].shares.len() - 1;
                self.tasks[k].shares[depth] = s as i8;
            }
            None => self.leave(t, k),
        }
        share
    }

    /// Thread `t` gets nothing more of its construct.
    pub(super) fn leave(&mut self, t: usize, k: usize) {
        self.tasks[k].shares.pop();
        let at = self.instance(t);
        let (team, number) = (self.threads[t].innermost().team, self.threads[t].innermost().number);
        let team = self.team_mut(team);
        team.instances[at].done |= 1 << number;
        if team.instances[at].done.count_ones() as usize == team.threads.len() {
            team.instances.remove(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Collects which thread does which shares in which order, whoever asks when.
    fn orders(at: &Instance, team: usize, so_far: &[Vec<u8>], found: &mut BTreeSet<Vec<Vec<u8>>>) {
        for t in (0..team).filter(|t| at.done >> t & 1 == 0) {
            let options = at.options(t, team);
            assert!(!options.is_empty(), "a thread that asks gets an answer");
            for share in options {
                let mut next = so_far.to_vec();
                next[t].extend(share);
                orders(&at.after(t, share), team, &next, found);
            }
        }
        if at.done == (1 << team) - 1 {
            found.insert(so_far.to_vec());
        }
    }

    fn count(n: u8, team: usize, rule: Shares) -> usize {
        let mut found = BTreeSet::new();
        orders(&Instance::new(1, n, rule), team, &vec![Vec::new(); team], &mut found);
        found.len()
    }

    #[test]
    fn every_assignment_in_every_order_is_possible() {
        // Two threads, n iterations: n! orders, cut at one of n + 1 places.
        assert_eq!(count(1, 2, Shares::Any), 2);
        assert_eq!(count(2, 2, Shares::Any), 6);
        assert_eq!(count(3, 2, Shares::Any), 24);
        assert_eq!(count(3, 2, Shares::Increasing), 8);
        assert_eq!(count(4, 2, Shares::Fixed(Some(1))), 1);
    }

    #[test]
    fn a_taskloop_is_split_in_any_legal_way() {
        assert_eq!(splits(Split::Open, 3), [vec![0], vec![0, 1], vec![0, 2], vec![0, 1, 2]]);
        assert_eq!(splits(Split::Tasks(2), 3), [vec![0, 1], vec![0, 2]]);
        assert_eq!(splits(Split::Tasks(5), 2), [vec![0, 1]]);
        assert_eq!(splits(Split::Grain(2), 4), [vec![0, 2]]);
        assert_eq!(splits(Split::Grain(2), 5), [vec![0, 2], vec![0, 3]]);
        assert_eq!(splits(Split::Grain(3), 2), [vec![0]]);
    }
}
