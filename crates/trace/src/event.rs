//! Events of a recorded run, and the trace in memory.
//!
//! Threads, locks, variables and locations are numbered densely in order of first appearance; [`Names`] keeps what the
//! file called them. An event is 16 bytes, so that a hundred million of them fit into memory.

use std::borrow::Cow;

use crate::error::Error;

/// A thread's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ThreadId(pub u32);

/// A lock's number. Barriers and condition variables share this numbering.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LockId(pub u32);

/// A variable's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub u32);

/// A program location's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocId(pub u32);

/// An event's position in the trace, from 0. People see it counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventId(pub u32);

/// What an event does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Op {
    /// Reads a variable.
    Read(VarId),
    /// Writes a variable.
    Write(VarId),
    /// Reads a variable atomically, with acquire semantics: synchronises with the atomic write that it observes.
    AtomicRead(VarId),
    /// Writes a variable atomically, with release semantics.
    AtomicWrite(VarId),
    /// Acquires a lock.
    Acquire(LockId),
    /// Releases a lock.
    Release(LockId),
    /// Starts a thread.
    Fork(ThreadId),
    /// Waits for a thread's end.
    Join(ThreadId),
    /// A thread's first event, where the trace records it.
    Begin,
    /// A thread's last event, where the trace records it.
    End,
    /// Acquires a lock that this thread holds already (re-entrant): without effect. Made by [`crate::check`] from an
    /// inner `Acquire`, so that analyses see only outermost ones; files say `acq`.
    AcquireAgain(LockId),
    /// Releases a re-entrant lock that stays held: without effect. The counterpart of `AcquireAgain`; files say `rel`.
    ReleaseInner(LockId),
    /// Arrives at a barrier and passes it: what the thread does next is ordered after all events of the same round. The
    /// events of a round (one for each participant) stand in the trace before any participant's next event.
    Barrier(LockId),
    /// Wakes waiters of a condition variable.
    Notify(LockId),
    /// Returns from waiting on a condition variable. (The lock's release and re-acquisition are events of their own.)
    /// Ordered after every earlier notification of the same condition variable.
    Wait(LockId),
}

impl Op {
    /// The variable that this operation accesses, if it is an access.
    #[inline]
    pub fn variable(self) -> Option<VarId> {
        match self {
            Op::Read(v) | Op::Write(v) | Op::AtomicRead(v) | Op::AtomicWrite(v) => Some(v),
            _ => None,
        }
    }

    /// The lock (or barrier or condition variable) that this operation is about.
    #[inline]
    pub fn lock(self) -> Option<LockId> {
        match self {
            Op::Acquire(l) | Op::Release(l) | Op::AcquireAgain(l) | Op::ReleaseInner(l) => Some(l),
            Op::Barrier(l) | Op::Notify(l) | Op::Wait(l) => Some(l),
            _ => None,
        }
    }

    /// The thread that this operation starts or waits for.
    #[inline]
    pub fn target(self) -> Option<ThreadId> {
        match self {
            Op::Fork(t) | Op::Join(t) => Some(t),
            _ => None,
        }
    }

    /// Whether it reads a variable, atomically or not.
    #[inline]
    pub fn is_read(self) -> bool {
        matches!(self, Op::Read(_) | Op::AtomicRead(_))
    }

    /// Whether it writes a variable, atomically or not.
    #[inline]
    pub fn is_write(self) -> bool {
        matches!(self, Op::Write(_) | Op::AtomicWrite(_))
    }

    /// Whether it is an atomic access.
    #[inline]
    pub fn is_atomic(self) -> bool {
        matches!(self, Op::AtomicRead(_) | Op::AtomicWrite(_))
    }
}

/// One event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Event {
    /// Who.
    pub thread: ThreadId,
    /// What.
    pub op: Op,
    /// Where in the program.
    pub location: LocId,
}

impl Event {
    /// Whether the two are accesses of different threads to one variable, at least one a write, not both atomic.
    #[inline]
    pub fn conflicts(&self, other: &Event) -> bool {
        let (Some(a), Some(b)) = (self.op.variable(), other.op.variable()) else { return false };
        a == b
            && self.thread != other.thread
            && (self.op.is_write() || other.op.is_write())
            && !(self.op.is_atomic() && other.op.is_atomic())
    }
}

impl EventId {
    /// As an index into [`Trace::events`].
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// As people count: from 1.
    #[inline]
    pub fn number(self) -> u64 {
        u64::from(self.0) + 1
    }
}

impl ThreadId {
    /// As an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl LockId {
    /// As an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl VarId {
    /// As an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl LocId {
    /// As an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What the file called threads, locks, variables and locations, by number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    /// Names of threads.
    pub threads: Vec<String>,
    /// Names of locks.
    pub locks: Vec<String>,
    /// Names of variables.
    pub variables: Vec<String>,
    /// Names of locations.
    pub locations: Vec<String>,
}

impl Names {
    /// A thread's name; `T` and its number where it has none.
    pub fn thread(&self, id: ThreadId) -> Cow<'_, str> {
        name_or(&self.threads, id.index(), 'T')
    }

    /// A lock's name; `L` and its number where it has none.
    pub fn lock(&self, id: LockId) -> Cow<'_, str> {
        name_or(&self.locks, id.index(), 'L')
    }

    /// A variable's name; `V` and its number where it has none.
    pub fn variable(&self, id: VarId) -> Cow<'_, str> {
        name_or(&self.variables, id.index(), 'V')
    }

    /// A location's name; its number where it has none.
    pub fn location(&self, id: LocId) -> Cow<'_, str> {
        match self.locations.get(id.index()) {
            Some(name) => Cow::Borrowed(name),
            None => Cow::Owned(id.0.to_string()),
        }
    }
}

fn name_or(names: &[String], index: usize, kind: char) -> Cow<'_, str> {
    match names.get(index) {
        Some(name) => Cow::Borrowed(name),
        None => Cow::Owned(format!("{kind}{index}")),
    }
}

/// How many threads, locks, variables and locations there are: one more than the highest number in use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Threads, those only forked or joined included.
    pub threads: usize,
    /// Locks, barriers and condition variables.
    pub locks: usize,
    /// Variables.
    pub variables: usize,
    /// Program locations.
    pub locations: usize,
}

impl Counts {
    /// Counts what this event mentions.
    #[inline]
    pub fn add(&mut self, e: &Event) {
        self.threads = self.threads.max(e.thread.index() + 1);
        self.locations = self.locations.max(e.location.index() + 1);
        if let Some(v) = e.op.variable() {
            self.variables = self.variables.max(v.index() + 1);
        } else if let Some(l) = e.op.lock() {
            self.locks = self.locks.max(l.index() + 1);
        } else if let Some(t) = e.op.target() {
            self.threads = self.threads.max(t.index() + 1);
        }
    }
}

/// A whole trace in memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trace {
    /// The events in the order of the run.
    pub events: Vec<Event>,
    /// Their names.
    pub names: Names,
}

impl Trace {
    /// Reads a trace in STD form from text, checks its rules and normalises re-entrant locks.
    pub fn parse_std(text: &str) -> Result<Trace, Error> {
        crate::read::read_std(text.as_bytes())
    }

    /// The event with this number. Numbers come from this trace, so a foreign one is a mistake of the caller (panics).
    #[inline]
    pub fn event(&self, id: EventId) -> &Event {
        &self.events[id.index()]
    }

    /// How many events.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether it has no event.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// All events with their numbers.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (EventId, &Event)> + ExactSizeIterator {
        self.events.iter().enumerate().map(|(i, e)| (EventId(i as u32), e))
    }

    /// How many threads, locks, variables and locations its events mention. Takes a pass over the trace.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for e in &self.events {
            counts.add(e);
        }
        counts
    }

    /// Each thread's events in program order, by thread number.
    pub fn by_thread(&self) -> Vec<Vec<EventId>> {
        let mut lists = vec![Vec::new(); self.counts().threads];
        for (id, e) in self.iter() {
            lists[e.thread.index()].push(id);
        }
        lists
    }

    /// What each event observes, by event: for a read the last write to its variable before it, `None` for the initial
    /// value and for events that do not read.
    pub fn observations(&self) -> Vec<Option<EventId>> {
        let mut last = vec![None; self.counts().variables];
        self.iter()
            .map(|(id, e)| {
                let slot = &mut last[e.op.variable()?.index()];
                if e.op.is_write() {
                    *slot = Some(id);
                    return None;
                }
                *slot
            })
            .collect()
    }

    /// For each acquire its release and for each release its acquire (outermost ones), by event; `None` for a lock
    /// never released and for other events.
    pub fn matches(&self) -> Vec<Option<EventId>> {
        let mut open: Vec<Option<EventId>> = vec![None; self.counts().locks];
        let mut matched = vec![None; self.events.len()];
        for (id, e) in self.iter() {
            match e.op {
                Op::Acquire(l) => open[l.index()] = Some(id),
                Op::Release(l) => {
                    if let Some(acquire) = open[l.index()].take() {
                        matched[id.index()] = Some(acquire);
                        matched[acquire.index()] = Some(id);
                    }
                }
                _ => {}
            }
        }
        matched
    }
}
