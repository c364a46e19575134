//! Cutting a part out of a trace: a range of events, some threads, some variables.
//!
//! The part keeps the rules of a run: a release whose acquire was cut away is left out with it. A thread whose fork was
//! cut away simply runs. The other synchronisation of the chosen threads is kept, whatever the chosen variables.

use crate::event::{Event, EventId, LockId, Op, ThreadId, VarId};

/// What to keep.
#[derive(Debug, Clone, Default)]
pub struct Cut {
    /// From this event on.
    pub from: Option<EventId>,
    /// Up to and including this event.
    pub to: Option<EventId>,
    /// Events of these threads; all if none is named.
    pub threads: Vec<ThreadId>,
    /// Accesses to these variables; all if none is named.
    pub variables: Vec<VarId>,
}

/// Cuts a stream of events.
#[derive(Debug, Clone)]
pub struct Slicer {
    cut: Cut,
    /// Locks acquired in the part and not yet released, with their holder and depth.
    held: Vec<(LockId, ThreadId)>,
}

impl Slicer {
    /// At the start of a trace.
    pub fn new(cut: Cut) -> Slicer {
        Slicer { cut, held: Vec::new() }
    }

    /// Whether the event belongs to the part. Must see all events of the trace in order.
    pub fn keeps(&mut self, id: EventId, e: &Event) -> bool {
        let cut = &self.cut;
        if cut.from.is_some_and(|from| id < from) || cut.to.is_some_and(|to| id > to) {
            return false;
        }
        if !cut.threads.is_empty() && !cut.threads.contains(&e.thread) {
            return false;
        }
        match e.op {
            Op::Acquire(l) | Op::AcquireAgain(l) => self.held.push((l, e.thread)),
            Op::Release(l) | Op::ReleaseInner(l) => {
                match self.held.iter().rposition(|h| *h == (l, e.thread)) {
                    Some(i) => drop(self.held.remove(i)),
                    None => return false,
                };
            }
            _ => {}
        }
        e.op.variable().is_none_or(|v| cut.variables.is_empty() || cut.variables.contains(&v))
    }

    /// Whether nothing after this event can belong to the part.
    pub fn is_done(&self, id: EventId) -> bool {
        self.cut.to.is_some_and(|to| id >= to)
    }
}
