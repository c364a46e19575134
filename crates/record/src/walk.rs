//! Goes through a run: synchronisation of all threads in the order of its global numbers, and before each the accesses that
//! its thread has made since the last one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::run::{Run, Sync};

/// Some of the accesses of a run at one place, between two synchronisation records of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Portion {
    /// The number among the thread's [`crate::run::Accesses`].
    pub accesses: u32,
    /// The first of them.
    pub from: u32,
    /// The one after the last.
    pub to: u32,
}

/// What is done with a run.
pub trait Visitor {
    /// What a thread has accessed since its last synchronisation.
    fn segment(&mut self, thread: u32, portions: &[Portion]);
    /// What it does then.
    fn sync(&mut self, thread: u32, sync: &Sync);
}

/// How far a thread has been gone through.
#[derive(Default)]
struct Position {
    sync: usize,
    /// The first of the accesses that have not begun.
    next: usize,
    /// Those that have begun and not ended: number, and how many are done.
    open: Vec<(u32, u32)>,
}

/// Goes through the run.
pub fn walk(run: &Run, visitor: &mut impl Visitor) {
    let mut positions: Vec<Position> = run.threads.iter().map(|_| Position::default()).collect();
    let mut heap: BinaryHeap<Reverse<(u64, u32)>> = BinaryHeap::new();
    for (number, thread) in run.threads.iter().enumerate() {
        heap.extend(thread.syncs.first().map(|sync| Reverse((sync.seq, number as u32))));
    }
    let mut portions = Vec::new();
    while let Some(Reverse((_, number))) = heap.pop() {
        let (thread, position) = (&run.threads[number as usize], &mut positions[number as usize]);
        let sync = &thread.syncs[position.sync];
        segment(run, number, position, sync.k, &mut portions);
        if !portions.is_empty() {
            visitor.segment(number, &portions);
        }
        visitor.sync(number, sync);
        position.sync += 1;
        heap.extend(thread.syncs.get(position.sync).map(|sync| Reverse((sync.seq, number))));
    }
    for (number, position) in positions.iter_mut().enumerate() {
        segment(run, number as u32, position, u64::MAX, &mut portions);
        if !portions.is_empty() {
            visitor.segment(number as u32, &portions);
        }
    }
}

/// The accesses of a thread before this clock that were not gone through yet.
fn segment(run: &Run, number: u32, position: &mut Position, k: u64, portions: &mut Vec<Portion>) {
    portions.clear();
    let all = &run.threads[number as usize].accesses;
    while all.get(position.next).is_some_and(|accesses| accesses.k < k) {
        position.open.push((position.next as u32, 0));
        position.next += 1;
    }
    position.open.retain_mut(|(number, done)| {
        let accesses = &all[*number as usize];
        let to = accesses.before(k);
        if to > *done {
            portions.push(Portion { accesses: *number, from: *done, to });
            *done = to;
        }
        to < accesses.count
    });
}
