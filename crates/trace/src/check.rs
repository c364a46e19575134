//! The rules of a run, and re-entrant locks made plain.
//!
//! A trace is refused when no run could have these events in this order: a lock acquired while another thread holds it,
//! a lock released by a thread that does not hold it, a thread that runs before its fork or after its join or end, that
//! is forked twice, forks or joins itself, begins in the middle; a barrier round to which a thread comes after a
//! participant has gone on is read as a new round (so no rule can be broken there).
//!
//! Traces of real programs begin anywhere, so these are allowed: a thread without a fork, a lock never released, a join
//! of a thread that has no events, a second join of the same thread (Java allows it).
//!
//! A lock that its holder acquires again (re-entrant) is normalised: the inner pairs become `AcquireAgain` and
//! `ReleaseInner`, which have no effect, so event numbers stay as in the file.

use thiserror::Error;

use crate::event::{Event, EventId, LockId, Names, Op, ThreadId, Trace};

/// An event that breaks the rules.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}event {} ({thread}): {kind}", place(.line), .event.number())]
pub struct RuleError {
    /// The event.
    pub event: EventId,
    /// Its line, where the file has lines.
    pub line: Option<u64>,
    /// The name of its thread.
    pub thread: String,
    /// What is wrong.
    pub kind: RuleKind,
}

fn place(line: &Option<u64>) -> String {
    line.map_or_else(String::new, |n| format!("line {n}, "))
}

/// What is wrong with an event. Threads and locks by name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RuleKind {
    /// Acquires a lock of another.
    #[error("expected a free lock, found that `{lock}` is held by {holder} since event {since}")]
    HeldByAnother {
        /// The lock.
        lock: String,
        /// Who holds it.
        holder: String,
        /// Number of the event that acquired it, from 1.
        since: u64,
    },
    /// Releases a lock that nobody holds.
    #[error("expected a release of a lock that the thread holds, found that nobody holds `{lock}`")]
    NotHeld {
        /// The lock.
        lock: String,
    },
    /// Releases a lock of another.
    #[error(
        "expected a release of a lock that the thread holds, found that {holder} holds `{lock}` since event {since}"
    )]
    ReleasedByAnother {
        /// The lock.
        lock: String,
        /// Who holds it.
        holder: String,
        /// Number of the event that acquired it, from 1.
        since: u64,
    },
    /// Runs although it has been joined.
    #[error("expected no event of a joined thread, found one after its join at event {join}")]
    AfterJoin {
        /// Number of the join, from 1.
        join: u64,
    },
    /// Runs although it has ended.
    #[error("expected no event of an ended thread, found one after its end at event {end}")]
    AfterEnd {
        /// Number of the end, from 1.
        end: u64,
    },
    /// Forks a thread that has run already.
    #[error("expected a fork of a new thread, found that {child} runs since event {first}")]
    ForkOfRunning {
        /// The forked thread.
        child: String,
        /// Number of its first event, from 1.
        first: u64,
    },
    /// Forks a thread for the second time.
    #[error("expected a fork of a new thread, found that event {fork} forks {child} too")]
    ForkedTwice {
        /// The forked thread.
        child: String,
        /// Number of the first fork, from 1.
        fork: u64,
    },
    /// Forks a thread that was joined already.
    #[error("expected a fork of a new thread, found that event {join} has joined {child}")]
    ForkAfterJoin {
        /// The forked thread.
        child: String,
        /// Number of the join, from 1.
        join: u64,
    },
    /// Forks itself.
    #[error("expected a fork of another thread, found a fork of itself")]
    ForkOfItself,
    /// Joins itself.
    #[error("expected a join of another thread, found a join of itself")]
    JoinOfItself,
    /// A begin that is not the first event.
    #[error("expected `begin` as the thread's first event, found that it runs since event {first}")]
    LateBegin {
        /// Number of the thread's first event, from 1.
        first: u64,
    },
}

/// What is known of a thread.
#[derive(Debug, Clone, Copy, Default)]
struct ThreadState {
    first: Option<EventId>,
    fork: Option<EventId>,
    join: Option<EventId>,
    end: Option<EventId>,
    /// Has had an event, and has neither ended nor been joined: nothing but locks, forks and joins can go wrong.
    runs: bool,
}

/// Who holds a lock, how deep.
#[derive(Debug, Clone, Copy)]
struct Hold {
    thread: ThreadId,
    since: EventId,
    depth: u32,
}

/// Checks events as they come. Memory: threads and locks.
#[derive(Debug, Clone, Default)]
pub struct Checker {
    threads: Vec<ThreadState>,
    locks: Vec<Option<Hold>>,
}

impl Checker {
    /// A checker at the start of a trace.
    pub fn new() -> Checker {
        Checker::default()
    }

    /// Checks the next event and returns it with re-entrant locks normalised. After an error the checker is as if the
    /// event had not been there.
    #[inline]
    pub fn check(&mut self, id: EventId, e: Event, names: &Names) -> Result<Event, RuleError> {
        self.step(id, e, names).map_err(|kind| RuleError {
            event: id,
            line: None,
            thread: names.thread(e.thread).into_owned(),
            kind: *kind,
        })
    }

    #[inline]
    fn step(&mut self, id: EventId, e: Event, names: &Names) -> Result<Event, Box<RuleKind>> {
        if e.op.variable().is_some() && self.threads.get(e.thread.index()).is_some_and(|state| state.runs) {
            return Ok(e);
        }
        self.other_step(id, e, names)
    }

    fn other_step(&mut self, id: EventId, mut e: Event, names: &Names) -> Result<Event, Box<RuleKind>> {
        let state = *self.thread(e.thread);
        if state.join.is_some() || state.end.is_some() {
            return Err(after_end(&state));
        }
        match e.op {
            Op::Acquire(l) | Op::AcquireAgain(l) => e.op = self.acquire(id, e.thread, l, names)?,
            Op::Release(l) | Op::ReleaseInner(l) => e.op = self.release(e.thread, l, names)?,
            Op::Fork(child) => self.fork(id, e.thread, child, names)?,
            Op::Join(child) => {
                if child == e.thread {
                    return Err(Box::new(RuleKind::JoinOfItself));
                }
                let state = self.thread(child);
                state.join.get_or_insert(id);
                state.runs = false;
            }
            Op::Begin => {
                if let Some(first) = state.first {
                    return Err(Box::new(RuleKind::LateBegin { first: first.number() }));
                }
            }
            _ => {}
        }
        let ends = e.op == Op::End;
        let state = self.thread(e.thread);
        state.first.get_or_insert(id);
        state.end = ends.then_some(id);
        state.runs = !ends;
        Ok(e)
    }

    #[inline]
    fn thread(&mut self, t: ThreadId) -> &mut ThreadState {
        if t.index() >= self.threads.len() {
            self.threads.resize(t.index() + 1, ThreadState::default());
        }
        &mut self.threads[t.index()]
    }

    #[inline]
    fn lock(&mut self, l: LockId) -> &mut Option<Hold> {
        if l.index() >= self.locks.len() {
            self.locks.resize(l.index() + 1, None);
        }
        &mut self.locks[l.index()]
    }

    fn acquire(&mut self, id: EventId, t: ThreadId, l: LockId, names: &Names) -> Result<Op, Box<RuleKind>> {
        match self.lock(l) {
            Some(hold) if hold.thread == t => {
                hold.depth += 1;
                Ok(Op::AcquireAgain(l))
            }
            Some(hold) => Err(Box::new(RuleKind::HeldByAnother {
                lock: names.lock(l).into_owned(),
                holder: names.thread(hold.thread).into_owned(),
                since: hold.since.number(),
            })),
            free => {
                *free = Some(Hold { thread: t, since: id, depth: 1 });
                Ok(Op::Acquire(l))
            }
        }
    }

    fn release(&mut self, t: ThreadId, l: LockId, names: &Names) -> Result<Op, Box<RuleKind>> {
        let slot = self.lock(l);
        match slot {
            Some(hold) if hold.thread == t && hold.depth > 1 => {
                hold.depth -= 1;
                Ok(Op::ReleaseInner(l))
            }
            Some(hold) if hold.thread == t => {
                *slot = None;
                Ok(Op::Release(l))
            }
            Some(hold) => Err(Box::new(RuleKind::ReleasedByAnother {
                lock: names.lock(l).into_owned(),
                holder: names.thread(hold.thread).into_owned(),
                since: hold.since.number(),
            })),
            None => Err(Box::new(RuleKind::NotHeld { lock: names.lock(l).into_owned() })),
        }
    }

    fn fork(
        &mut self,
        id: EventId,
        t: ThreadId,
        child: ThreadId,
        names: &Names,
    ) -> Result<(), Box<RuleKind>> {
        if child == t {
            return Err(Box::new(RuleKind::ForkOfItself));
        }
        let state = self.thread(child);
        let name = || names.thread(child).into_owned();
        if let Some(fork) = state.fork {
            return Err(Box::new(RuleKind::ForkedTwice { child: name(), fork: fork.number() }));
        }
        if let Some(first) = state.first {
            return Err(Box::new(RuleKind::ForkOfRunning { child: name(), first: first.number() }));
        }
        if let Some(join) = state.join {
            return Err(Box::new(RuleKind::ForkAfterJoin { child: name(), join: join.number() }));
        }
        state.fork = Some(id);
        Ok(())
    }
}

#[cold]
fn after_end(state: &ThreadState) -> Box<RuleKind> {
    Box::new(match (state.join, state.end) {
        (Some(join), _) => RuleKind::AfterJoin { join: join.number() },
        (None, end) => RuleKind::AfterEnd { end: end.map_or(0, EventId::number) },
    })
}

/// Checks a whole trace.
pub fn well_formed(trace: &Trace) -> Result<(), RuleError> {
    let mut checker = Checker::new();
    for (id, &e) in trace.iter() {
        checker.check(id, e, &trace.names)?;
    }
    Ok(())
}

/// Checks a whole trace and normalises its re-entrant locks.
pub fn normalise(trace: &mut Trace) -> Result<(), RuleError> {
    let mut checker = Checker::new();
    let Trace { events, names } = trace;
    for (i, e) in events.iter_mut().enumerate() {
        *e = checker.check(EventId(i as u32), *e, names)?;
    }
    Ok(())
}

/// Leaves out every event that breaks the rules, and says which these were (with their numbers in the old trace).
pub fn repair(trace: &Trace) -> (Trace, Vec<RuleError>) {
    let mut checker = Checker::new();
    let mut repaired = Trace { events: Vec::with_capacity(trace.len()), names: trace.names.clone() };
    let mut left_out = Vec::new();
    for (id, &e) in trace.iter() {
        match checker.check(id, e, &trace.names) {
            Ok(e) => repaired.events.push(e),
            Err(error) => left_out.push(error),
        }
    }
    (repaired, left_out)
}
