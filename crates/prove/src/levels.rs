//! What the implicit tasks around a nested region keep in memory of their own.
//!
//! The threads of a nested region use variables of the implicit task that forked it (`i` of the outer loop). For the region
//! around, such an access is one of the piece that forked: pieces of one thread come one after another there, and on
//! different threads each has a variable of its own. See [`crate::private`], whose names these are.

use machine::Thread;
use machine::memory::layout::{Layout, RegionId};

use crate::order::Order;
use crate::private;

/// An implicit task that has forked a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// Its region.
    pub region: u32,
    /// Its thread.
    pub thread: usize,
    /// The strand that forked: a piece, or the implicit task itself.
    pub chain: u32,
    /// Whether another distribution could move that strand to another thread.
    pub open: bool,
    /// The set of words that the strand had written, among those of its thread.
    pub mine: usize,
    begun: u64,
    depth: u64,
}

/// For every thread, the implicit tasks around the innermost region that it executes, outermost first.
#[derive(Debug, Default)]
pub struct Levels {
    of: Vec<Vec<Option<Level>>>,
    used: bool,
}

impl Levels {
    /// A thread is about to fork a team. To be told before [`Order::work`].
    pub fn fork(&mut self, order: &Order, (t, th): (usize, &Thread), members: &[usize], mine: usize) {
        let depth = self.depth(t);
        let begun = private::begun(th).filter(|_| depth > 0 && !order.in_task(t));
        let level = begun.map(|begun| {
            let pos = order.pos(t);
            let (region, chain, open) = (order.phase(pos).0, order.chain(pos), order.in_open(t));
            Level { region, thread: t, chain, open, mine, begun, depth }
        });
        self.used |= level.is_some();
        let most = members.iter().copied().max().unwrap_or(t).max(t);
        if self.of.len() <= most {
            self.of.resize_with(most + 1, Vec::new);
        }
        let mut around = self.of[t].clone();
        around.push(level);
        for &m in members {
            self.of[m].clone_from(&around);
        }
    }

    /// How many regions there are around a thread.
    #[inline]
    pub fn depth(&self, t: usize) -> u64 {
        self.of.get(t).map_or(0, |of| of.len() as u64)
    }

    /// The team that a thread forked has ended.
    pub fn join(&mut self, t: usize) {
        if let Some(of) = self.of.get_mut(t) {
            of.pop();
        }
    }

    /// Whose own memory an address is in, other than the thread's innermost, and its name there.
    #[inline]
    pub fn find(&self, layout: Layout, t: usize, address: u64) -> Option<(Level, u64)> {
        if !self.used || layout != Layout::Wide {
            return None;
        }
        let region = layout.region(address);
        let around = self.of.get(t)?.iter().rev().flatten();
        let level = around
            .into_iter()
            .find(|l| region == RegionId::stack(l.thread) && Layout::wide_index(address) as u64 >= l.begun)?;
        let index = Layout::wide_index(address) as u64 - level.begun;
        Some((*level, private::stack_name(level.depth, index, address)))
    }
}
