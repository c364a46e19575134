//! Apparent races (P3 section 5.1): conflicting accesses that explicit synchronisation leaves unordered.
//!
//! There can be as many as pairs of events. Accesses of one thread to one variable at one program location with one
//! operation form a *class*; of each pair of classes one apparent race is kept, the one that comes first in both threads.
//!
//! Such a first one exists: let `a` be the first access of class A that is unordered with anything of class B, and `b` the
//! first of B that is unordered with `a`. For any other unordered pair `(a', b')`, `a'` is not before `a`; and if `b'` were
//! before `b`, it would be ordered with `a`: before `a` and so before `a'`, or after `a`, and then so would `b`. It is the
//! first pair that shows when the trace is read.
//!
//! No other is needed to find what comes first: if `q = (c, d)` is an apparent race and `q' = (c', d')` the first one of its
//! classes, then `c'` event-controls `c` and `d'` event-controls `d` (program order), so all that `q` may have caused `q'`
//! may have caused as well, and all that may have caused `q'` may have caused `q`. So a partition is first among these races
//! exactly if it is first among all of them.

use rustc_hash::FxHashMap;
use trace::{Event, EventId, LocId, ThreadId, VarId};

const WRITE: u8 = 1;
const ATOMIC: u8 = 2;

/// An apparent race: two accesses with their nodes, the first one first in the trace.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Apparent {
    pub events: [EventId; 2],
    pub nodes: [u32; 2],
    pub variable: VarId,
}

/// The first access of a class at one time of its thread.
#[derive(Debug, Clone, Copy)]
struct Past {
    time: u32,
    event: EventId,
    node: u32,
}

#[derive(Debug)]
struct Class {
    thread: ThreadId,
    kind: u8,
    past: Vec<Past>,
    /// Classes with which no race is known.
    open: Vec<u32>,
    /// The thread's clock and the variable's count of changes when the open classes were last looked at.
    looked: (u32, u32),
}

#[derive(Debug, Default)]
struct Variable {
    numbers: FxHashMap<(ThreadId, LocId, u8), u32>,
    classes: Vec<Class>,
    changes: u32,
}

/// An access with what its thread knows.
pub(crate) struct Access<'a> {
    pub id: EventId,
    pub event: &'a Event,
    pub variable: VarId,
    pub node: u32,
    /// The thread's time.
    pub time: u32,
    /// Which times of the other threads are ordered before it.
    pub knows: &'a [u32],
    /// Changes with `knows`.
    pub version: u32,
}

/// Finds apparent races.
#[derive(Debug, Default)]
pub(crate) struct Detector {
    variables: FxHashMap<VarId, Variable>,
    pub found: Vec<Apparent>,
}

impl Detector {
    /// The next access of the trace.
    pub fn access(&mut self, access: &Access<'_>) {
        let variable = self.variables.entry(access.variable).or_default();
        let own = variable.class(access.event);
        let class = &mut variable.classes[own as usize];
        let looked = class.looked;
        if looked != (access.version, variable.changes) || class.past.is_empty() {
            let before = self.found.len();
            variable.look(own, access, &mut self.found);
            if self.found.len() > before {
                variable.close(own, &self.found[before..]);
            }
        }
        let class = &mut variable.classes[own as usize];
        if class.past.last().is_none_or(|p| p.time != access.time) {
            class.past.push(Past { time: access.time, event: access.id, node: access.node });
            variable.changes += 1;
        }
        variable.classes[own as usize].looked = (access.version, variable.changes);
    }
}

impl Variable {
    fn class(&mut self, e: &Event) -> u32 {
        let kind = u8::from(e.op.is_write()) * WRITE + u8::from(e.op.is_atomic()) * ATOMIC;
        let next = self.classes.len() as u32;
        let own = *self.numbers.entry((e.thread, e.location, kind)).or_insert(next);
        if own == next {
            let against = |c: &Class| {
                c.thread != e.thread && (c.kind | kind) & WRITE != 0 && c.kind & kind & ATOMIC == 0
            };
            let open: Vec<u32> = (0..next).filter(|&c| against(&self.classes[c as usize])).collect();
            for &c in &open {
                self.classes[c as usize].open.push(own);
            }
            self.classes.push(Class { thread: e.thread, kind, past: Vec::new(), open, looked: (0, 0) });
        }
        own
    }

    /// Compares an access with all open classes.
    fn look(&self, own: u32, access: &Access<'_>, found: &mut Vec<Apparent>) {
        for &other in &self.classes[own as usize].open {
            let class = &self.classes[other as usize];
            let known = access.knows.get(class.thread.index()).copied().unwrap_or(0);
            let at = class.past.partition_point(|p| p.time <= known);
            if let Some(past) = class.past.get(at) {
                found.push(Apparent {
                    events: [past.event, access.id],
                    nodes: [past.node, access.node],
                    variable: access.variable,
                });
            }
        }
    }

    /// Takes the pairs just found off the open lists.
    fn close(&mut self, own: u32, found: &[Apparent]) {
        let open = std::mem::take(&mut self.classes[own as usize].open);
        let closed = |class: &Class| {
            found.iter().any(|f| class.past.binary_search_by_key(&f.events[0], |p| p.event).is_ok())
        };
        let (gone, left): (Vec<u32>, Vec<u32>) =
            open.into_iter().partition(|&c| closed(&self.classes[c as usize]));
        for c in gone {
            self.classes[c as usize].open.retain(|&o| o != own);
        }
        self.classes[own as usize].open = left;
    }
}
