//! Which piece of work of an OpenMP construct each thread executes, for reports.

use base::{Strand, StrandKind};
use ir::{FuncId, Module, PlaceId};
use machine::memory::Memory;
use machine::memory::layout::RegionId;
use machine::{ShareKind, Thread, Work};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::names;

/// Where in the code something happened: a function and an instruction of it.
type At = Option<(FuncId, u32)>;

/// A piece of work that a thread has begun.
#[derive(Debug, Clone, Copy)]
enum Piece {
    Share {
        share: u32,
        kind: ShareKind,
        number: u64,
        count: u64,
        again: Option<(u64, u64)>,
        at: At,
        depth: usize,
    },
    Task {
        task: u32,
        at: At,
    },
}

/// A lane of a `simd` loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lane {
    share: u32,
    number: u64,
    /// Within how many iterations lanes run at the same time; 0: any.
    safelen: u64,
}

impl Lane {
    /// Whether two lanes may run at the same time.
    pub fn beside(self, other: Lane) -> bool {
        let apart = self.number.abs_diff(other.number);
        self.share == other.share && apart > 0 && (self.safelen == 0 || apart < self.safelen)
    }
}

/// The pieces of work that the threads of a run execute.
#[derive(Debug, Default)]
pub struct Strands {
    /// By thread, innermost last.
    threads: Vec<Vec<Piece>>,
    /// Where tasks were created.
    created: FxHashMap<u32, At>,
    /// Threads that are in an `ordered` block, with its construct.
    ordered: FxHashSet<(usize, u32)>,
}

impl Strands {
    /// Takes note of what a thread does.
    pub fn work(&mut self, module: &Module, t: usize, th: &Thread, work: &Work) {
        if self.threads.len() <= t {
            self.threads.resize_with(t + 1, Vec::new);
        }
        match *work {
            Work::Begin { share, kind, number, count, again, .. } => {
                let at = user(module, th);
                let depth = th.frames.len();
                self.threads[t].push(Piece::Share { share, kind, number, count, again, at, depth });
            }
            Work::End { share } => {
                let ended = |p: &Piece| matches!(p, Piece::Share { share: s, .. } if *s == share);
                if let Some(at) = self.threads[t].iter().rposition(ended) {
                    self.threads[t].truncate(at);
                }
            }
            Work::OrderedBegin { share } => {
                self.ordered.insert((t, share));
            }
            Work::OrderedEnd { share } => {
                self.ordered.remove(&(t, share));
            }
            Work::TaskCreate { task, .. } => {
                self.created.insert(task, user(module, th));
            }
            Work::TaskBegin { task } => {
                let at = self.created.get(&task).copied().flatten();
                self.threads[t].push(Piece::Task { task, at });
            }
            Work::TaskEnd { task, .. } => {
                let ended = |p: &Piece| matches!(p, Piece::Task { task: k, .. } if *k == task);
                if let Some(at) = self.threads[t].iter().rposition(ended) {
                    self.threads[t].truncate(at);
                }
            }
            _ => {}
        }
    }

    /// The lane that a thread executes, outside `ordered` blocks.
    pub fn lane(&self, t: usize) -> Option<Lane> {
        match *self.threads.get(t)?.last()? {
            Piece::Share { share, kind: ShareKind::Simd, number, count, .. }
                if !self.ordered.contains(&(t, share)) =>
            {
                Some(Lane { share, number, safelen: count })
            }
            _ => None,
        }
    }

    /// How many objects there were on the stack of a thread when the lane that it executes called a function, if it is in one: what came
    /// later is the lane's own, though another lane has its own at the same address.
    pub fn own_from(&self, t: usize, th: &Thread) -> Option<usize> {
        match *self.threads.get(t)?.last()? {
            Piece::Share { kind: ShareKind::Simd, depth, .. } => {
                th.frames.get(depth).map(|frame| frame.height)
            }
            _ => None,
        }
    }

    /// The innermost piece that a thread executes.
    pub fn current(&self, module: &Module, t: usize) -> Option<Strand> {
        Some(match *self.threads.get(t)?.last()? {
            Piece::Task { at, .. } => Strand {
                kind: StrandKind::Task,
                place: place(module, at),
                number: None,
                count: None,
                every: None,
                variable: None,
                value: None,
            },
            Piece::Share { kind, number, count, again, at, .. } => {
                Strand { every: again.map(|a| a.0), ..share(module, kind, number, count, at) }
            }
        })
    }
}

fn share(module: &Module, kind: ShareKind, number: u64, count: u64, at: At) -> Strand {
    let place = place(module, at);
    let kind = match kind {
        ShareKind::Loop => StrandKind::Iteration,
        ShareKind::Sections => StrandKind::Section,
        ShareKind::Single => StrandKind::Single,
        ShareKind::Distribute => StrandKind::Distribute,
        ShareKind::Simd => StrandKind::Lane,
    };
    let loops = matches!(kind, StrandKind::Iteration | StrandKind::Lane | StrandKind::Distribute);
    let known = at.filter(|_| loops).and_then(|(func, _)| module.loop_variable(func, place.line));
    let value = known.and_then(|l| l.lower.checked_add(l.step.checked_mul(i64::try_from(number).ok()?)?));
    Strand {
        kind,
        place,
        number: (kind != StrandKind::Single).then_some(number),
        count: (loops && kind != StrandKind::Lane).then_some(count),
        every: None,
        variable: known.filter(|_| value.is_some()).map(|l| l.name.clone()),
        value,
    }
}

/// The innermost frame of the user's code.
fn user(module: &Module, th: &Thread) -> At {
    let frame = th.frames.iter().rev().find(|f| !module.funcs[f.func.0 as usize].system)?;
    Some((frame.func, frame.pc))
}

fn place(module: &Module, at: At) -> base::Place {
    let body = at.and_then(|(func, pc)| Some((module.funcs[func.0 as usize].body.as_ref()?, pc)));
    let place = body.and_then(|(body, pc)| body.places.get(pc as usize).copied());
    names::place(module, place.unwrap_or(PlaceId::NONE))
}

/// Whether an address lies in an object that came to the stack of a thread behind so many others.
pub fn is_own(memory: &Memory, t: usize, address: u64, own_from: Option<usize>) -> bool {
    let found = own_from.zip(memory.find(address));
    found.is_some_and(|(from, (region, index, _))| region == RegionId::stack(t) && index >= from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_within_safelen_are_beside_each_other() {
        let lane = |share, number, safelen| Lane { share, number, safelen };
        assert!(lane(1, 0, 0).beside(lane(1, 90, 0)));
        assert!(lane(1, 0, 8).beside(lane(1, 7, 8)) && !lane(1, 0, 8).beside(lane(1, 8, 8)));
        assert!(!lane(1, 3, 0).beside(lane(1, 3, 0)) && !lane(1, 3, 0).beside(lane(2, 4, 0)));
    }
}
