//! Pass 2: the same run again, with every value that another schedule could change marked as unconstrained.
//!
//! *Rule.* A read is unconstrained if some write to its bytes is not ordered with it by D; a write stores an unconstrained
//! value if another write to its bytes is not ordered with it. Both not for commutative updates among each other. A read
//! that is left alone sees memory whose last write is either the same in all schedules, or stored an unconstrained value:
//! see `docs/soundness.md`. Positions and instructions are those of pass 1, because it is the same run.
//!
//! An atomic read-modify-write gives back an unconstrained value if any other write is unordered with it. What it leaves in
//! memory the machine computes from memory, so the bytes whose value depends on the order are kept here.

use std::rc::Rc;

use ir::AccessId;
use machine::{Edge, Observer, Thread, Work};

use crate::conflict::AllMarks;
use crate::order::Order;
use crate::ranges::Ranges;
use crate::record::at;

/// A read that another schedule could give another value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unclean {
    /// Where.
    pub address: u64,
    /// How many bytes.
    pub len: u64,
    /// The source access.
    pub access: AccessId,
}

/// The observer of pass 2.
pub struct Tainter {
    marks: Rc<AllMarks>,
    order: Order,
    /// Bytes that atomic operations left in an order that the schedule decides.
    mixed: Ranges,
    /// The last unclean read of each thread.
    pub last: Vec<Option<Unclean>>,
    /// How many accesses were unclean.
    pub unclean: u64,
}

impl Tainter {
    /// With the marks of pass 1.
    pub fn new(marks: Rc<AllMarks>) -> Tainter {
        Tainter { marks, order: Order::new(), mixed: Ranges::default(), last: Vec::new(), unclean: 0 }
    }

    #[cold]
    fn note(&mut self, t: usize, address: u64, len: u64, access: AccessId) {
        self.unclean += 1;
        if self.last.len() <= t {
            self.last.resize(t + 1, None);
        }
        self.last[t] = Some(Unclean { address, len, access });
    }
}

impl Observer for Tainter {
    fn access(
        &mut self,
        t: usize,
        th: &Thread,
        address: u64,
        len: u64,
        write: bool,
        atomic: bool,
        access: AccessId,
    ) -> bool {
        if len == 0 || (self.marks.is_empty() && self.mixed.is_empty()) {
            return false;
        }
        let to = address + len;
        let marks = self.marks.get(&(self.order.pos(t), at(th), write));
        let bad = marks.is_some_and(|m| m.bad.touches(address, to));
        let any = bad || marks.is_some_and(|m| m.any.touches(address, to));
        let seen = (!write || atomic) && !self.mixed.is_empty() && self.mixed.touches(address, to);
        if write && atomic && bad {
            self.mixed.add(address, to);
            self.mixed.tidy_up();
        } else if write && !atomic && !self.mixed.is_empty() {
            // What it stores is marked by itself, if need be.
            self.mixed.remove(address, to);
        }
        let open = if write && atomic { any || seen } else { bad || seen };
        if open {
            self.note(t, address, len, access);
        }
        open
    }

    fn edge(&mut self, t: usize, _: &Thread, edge: Edge) {
        match edge {
            Edge::Fork(u) => self.order.fork(t, u),
            Edge::Join(u) => self.order.join(t, u),
            _ => {}
        }
    }

    fn work(&mut self, t: usize, _: &Thread, work: &Work) {
        self.order.work(t, work);
    }
}
