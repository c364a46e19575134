//! Eraser: one lock for each variable.
//!
//! Savage, Burrows, Nelson, Sobalvarro, Anderson, "Eraser: a dynamic data race detector for multithreaded programs", TOCS
//! 1997. Of each variable it keeps the set C(v) of locks that all accesses had in common, and a state:
//! - virgin: no access yet;
//! - exclusive: one thread alone has accessed it. C(v) is not looked at, so that initialisation needs no lock;
//! - shared: a second thread has read it; C(v) starts as what that thread holds and shrinks with each access, but an
//!   empty C(v) is not reported: read-only data need no lock;
//! - shared-modified: a second thread has written it, or it was written while shared. An empty C(v) is reported.
//!
//! A race is reported at each access that finds C(v) empty in the last state, paired with the last conflicting access of
//! each other thread at each location. Atomic accesses neither count nor shrink C(v).
//!
//! Guarantee: none. It knows no order (fork, join, barriers), so it reports initialised-then-handed-over data; and what
//! the exclusive state hides it misses.

use trace::{Event, EventId, LockId, Op};

use crate::clock::slot;
use crate::collect::Collector;
use crate::{Answer, Options, Streaming};

/// The state of a variable.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
enum State {
    #[default]
    Virgin,
    Exclusive,
    Shared,
    SharedModified,
}

/// What is known of a variable.
#[derive(Debug, Clone, Default)]
struct Variable {
    state: State,
    /// C(v), in order, once the variable is shared.
    locks: Vec<LockId>,
    /// The last access of each thread, operation and location.
    accesses: Vec<(EventId, Event)>,
}

/// The analysis.
pub struct Eraser {
    held: Vec<Vec<LockId>>,
    variables: Vec<Variable>,
    collector: Collector,
    options: Options,
}

impl Eraser {
    /// At the start of a trace.
    pub fn new(options: &Options) -> Eraser {
        Eraser {
            held: Vec::new(),
            variables: Vec::new(),
            collector: Collector::new(options),
            options: options.clone(),
        }
    }

    /// For the registry.
    pub fn start(options: &Options) -> Box<dyn Streaming> {
        Box::new(Eraser::new(options))
    }

    fn access(&mut self, id: EventId, e: &Event, index: usize) {
        let held = slot(&mut self.held, e.thread.index());
        let v = slot(&mut self.variables, index);
        v.step(e, held);
        if v.state == State::SharedModified && v.locks.is_empty() {
            for (past, event) in v.accesses.iter().filter(|a| a.1.conflicts(e)) {
                self.collector.race((*past, *event), (id, *e));
            }
        }
        if !self.options.all_accesses
            && let Some(mine) = v.accesses.iter_mut().find(|a| a.1 == *e)
        {
            mine.0 = id;
            return;
        }
        v.accesses.push((id, *e));
    }
}

impl Variable {
    /// The state machine, figure 4 of the paper.
    fn step(&mut self, e: &Event, held: &[LockId]) {
        let write = e.op.is_write();
        match self.state {
            State::Virgin => self.state = State::Exclusive,
            // While exclusive, all accesses are the owner's.
            State::Exclusive if self.accesses.iter().all(|a| a.1.thread == e.thread) => {}
            State::Exclusive => {
                self.state = if write { State::SharedModified } else { State::Shared };
                self.locks = held.to_vec();
            }
            State::Shared | State::SharedModified => {
                if write {
                    self.state = State::SharedModified;
                }
                self.locks.retain(|l| held.contains(l));
            }
        }
    }
}

impl Streaming for Eraser {
    fn event(&mut self, id: EventId, e: &Event) {
        match e.op {
            Op::Acquire(l) => slot(&mut self.held, e.thread.index()).push(l),
            Op::Release(l) => slot(&mut self.held, e.thread.index()).retain(|h| *h != l),
            Op::Read(v) | Op::Write(v) if self.options.variable.is_none_or(|only| only == v) => {
                self.access(id, e, v.index());
            }
            _ => {}
        }
    }

    fn finish(self: Box<Self>) -> Answer {
        self.collector.finish()
    }
}
