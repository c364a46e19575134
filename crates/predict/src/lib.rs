//! Analyses of traces: which races other schedules of the same events would show.
//!
//! One file for each analysis; this one has what they share: the [`Answer`], the two kinds of analysis and the
//! [`registry`]. A [`Streaming`] analysis sees the events one after another and never the whole trace; a whole-trace
//! analysis gets a [`Trace`] in memory. To add an analysis, write its file and add its line to [`registry`].
//!
//! What each claims is written in its file and, in one line, in its [`Entry`]. Only ids here, no strings for people.

#![forbid(unsafe_code)]

pub mod clock;
pub mod closure;
pub mod collect;
pub mod critical;
pub mod dc;
pub mod deadlock;
pub mod eraser;
pub mod goldilocks;
pub mod hb;
pub mod history;
pub mod m2;
pub mod pace;
pub mod shb;
pub mod stream;
pub mod sync;
pub mod syncp;
pub mod vindicate;
pub mod wcp;

use std::borrow::Cow;
use std::time::{Duration, Instant};

use pace::Feeder;

use trace::{Event, EventId, LockId, Trace, VarId};

pub use m2::causal::Prepared;

/// How races are counted and reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pairs {
    /// One report for each unordered pair of program locations, with one event pair as its example.
    #[default]
    Locations,
    /// Every pair of events found.
    Events,
}

/// What a user can ask for.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// How races are reported.
    pub pairs: Pairs,
    /// Compare an access with every earlier access to the variable, not only with the last one of each thread at each
    /// location: finds every pair of events, in memory of the length of the trace.
    pub all_accesses: bool,
    /// Only races on this variable.
    pub variable: Option<VarId>,
    /// Stop after this time with what was found.
    pub time_limit: Option<Duration>,
    /// Worker threads, where an analysis can use them. 0: as many as the machine has cores.
    pub jobs: usize,
    /// How many steps a search may take for pairs that are hard; `None`: [`EFFORT`], `u64::MAX`: as many as it takes.
    pub effort: Option<u64>,
    /// How many events the witnesses of an analysis may have in all that are spelled out, the shortest first; `None`:
    /// [`WITNESS_EVENTS`]. A race without its witness spelled out still has one that was checked.
    pub witness_events: Option<u64>,
}

impl Kind {
    /// Whether it needs the trace in memory.
    pub fn needs_trace(self) -> bool {
        !matches!(self, Kind::Streaming(_))
    }
}

impl Answer {
    /// Leaves out witnesses so that the others have at most so many events in all; the shortest stay.
    pub fn limit_witnesses(&mut self, events: u64) {
        let lengths: Vec<u64> = self.races.iter().map(|race| race.witness_length.unwrap_or(0)).collect();
        for (race, is_chosen) in self.races.iter_mut().zip(spelled_out(&lengths, events)) {
            race.witness = race.witness.take().filter(|_| is_chosen);
        }
    }
}

impl Options {
    /// How many steps a search takes for pairs that are hard unless the options say otherwise.
    pub const EFFORT: u64 = 30_000_000;

    /// How many events of witnesses are spelled out.
    pub(crate) fn room_for_witnesses(&self) -> u64 {
        self.witness_events.unwrap_or(WITNESS_EVENTS)
    }

    /// When the time limit ends, from now on.
    pub fn deadline(&self) -> Option<Instant> {
        Instant::now().checked_add(self.time_limit?)
    }
}

/// How many steps a search takes for pairs that are hard unless the options say otherwise.
pub const EFFORT: u64 = 30_000_000;

/// How many events of witnesses are spelled out unless the options say otherwise.
pub const WITNESS_EVENTS: u64 = 4_000_000;

/// A race found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RacePair {
    /// The access that comes first in the trace.
    pub first: EventId,
    /// The later access.
    pub second: EventId,
    /// What they access.
    pub variable: VarId,
    /// The two events themselves: thread, operation, location.
    pub accesses: [Event; 2],
    /// How many pairs of events this report stands for (1 with [`Pairs::Events`]).
    pub count: u64,
    /// A reordering of the trace that ends in the pair and has passed [`trace::replay`]. `None` from analyses that
    /// construct none, and if it is too long to be spelled out ([`Options::witness_events`]).
    pub witness: Option<Vec<EventId>>,
    /// How many events the witness has, if the analysis constructs one.
    pub witness_length: Option<u64>,
}

/// A pair of which the analysis cannot say whether it is a race.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undecided {
    /// The access that comes first in the trace.
    pub first: EventId,
    /// The later access.
    pub second: EventId,
    /// What they access.
    pub variable: VarId,
    /// Why not.
    pub reason: Cow<'static, str>,
}

/// Threads that wait for each other's locks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deadlock {
    /// The acquires that wait; the lock of each is held by the thread of the next, that of the last by the first's.
    pub acquires: Vec<EventId>,
    /// The events themselves.
    pub accesses: Vec<Event>,
    /// What the thread of each holds.
    pub held: Vec<Vec<LockId>>,
    /// A reordering of the trace that ends in the acquires, none of which can happen, and has passed [`trace::replay`];
    /// `None` if it is too long to be spelled out.
    pub witness: Option<Vec<EventId>>,
    /// How many events the witness has.
    pub witness_length: u64,
}

/// Acquires of which the analysis cannot say whether they can wait for each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenDeadlock {
    /// An example of each of them, in the order in which they would wait.
    pub acquires: Vec<EventId>,
    /// Why not.
    pub reason: Cow<'static, str>,
}

/// What an analysis says of a trace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// The races, ordered by their second and then first event.
    pub races: Vec<RacePair>,
    /// What is left open, in the same order.
    pub undecided: Vec<Undecided>,
    /// How many racing event pairs were seen in all.
    pub event_pairs: u64,
    /// The variables with a race, in order.
    pub racy_variables: Vec<VarId>,
    /// Deadlocks, from the analysis that looks for them.
    pub deadlocks: Vec<Deadlock>,
    /// What it leaves open.
    pub open_deadlocks: Vec<OpenDeadlock>,
    /// Whether the time limit ended the analysis.
    pub stopped: bool,
}

/// An analysis that sees one event after another.
pub trait Streaming: Send {
    /// The next event of the trace. Events come in order of their numbers, all of them, with re-entrant locks normalised
    /// and the rules of [`trace::check`] kept.
    fn event(&mut self, id: EventId, e: &Event);

    /// The next events of the trace, the first of them with this number: the same as [`Streaming::event`] for each.
    fn events(&mut self, first: EventId, events: &[Event]) {
        for (i, e) in events.iter().enumerate() {
            self.event(EventId(first.0 + i as u32), e);
        }
    }

    /// The answer, after the last event.
    fn finish(self: Box<Self>) -> Answer;
}

/// How an analysis is run.
#[derive(Clone, Copy)]
pub enum Kind {
    /// Over a stream of events.
    Streaming(fn(&Options) -> Box<dyn Streaming>),
    /// Over a trace in memory.
    Whole(fn(&Trace, &Options) -> Answer),
    /// Over a trace in memory, and what a first pass has found out while it was read, if there was one.
    Prepared(fn(&Trace, Option<&Prepared>, &Options) -> Answer),
}

/// Which of an analysis's reports are certain to be predictable races.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guarantee {
    /// None of them.
    None,
    /// Those with the earliest second event.
    First,
    /// If there is any, then the trace has a predictable race or a predictable deadlock.
    FirstOrDeadlock,
    /// All.
    All,
}

/// An analysis that can be asked for by name.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// What its reports are worth.
    pub guarantee: Guarantee,
    /// How it is run.
    pub kind: Kind,
}

/// Which of so long witnesses are spelled out if there is room for so many events: the shortest.
fn spelled_out(lengths: &[u64], mut room: u64) -> Vec<bool> {
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|&number| lengths[number]);
    let mut chosen = vec![false; lengths.len()];
    for number in order {
        if lengths[number] > room {
            break;
        }
        room -= lengths[number];
        chosen[number] = true;
    }
    chosen
}

/// All analyses.
pub fn registry() -> Vec<Entry> {
    use Guarantee::{All, First, FirstOrDeadlock};
    use Kind::{Prepared as P, Streaming as S, Whole as W};
    let entry = |name, guarantee, kind, summary| Entry { name, summary, guarantee, kind };
    vec![
        entry("eraser", Guarantee::None, S(eraser::Eraser::start), "one lock for each variable (lockset)"),
        entry("goldilocks", First, S(goldilocks::Goldilocks::start), "happens-before by locksets"),
        entry("hb", First, S(hb::Hb::start), "happens-before"),
        entry("shb", All, S(shb::Shb::start), "happens-before with observations: every report is a race"),
        entry("wcp", FirstOrDeadlock, S(wcp::Wcp::start), "weakly-causally-precedes"),
        entry("dc", Guarantee::None, S(dc::Dc::start), "doesn't-commute, not vindicated"),
        entry("dc-vindicated", All, W(vindicate::analyse), "doesn't-commute, only races with a witness"),
        entry(
            "syncp",
            All,
            P(syncp::analyse_prepared),
            "races with critical sections in the trace's order, witnessed",
        ),
        entry(
            "m2",
            All,
            P(m2::analyse_prepared),
            "trace-closed orders: witnessed, and says what it leaves undecided",
        ),
        entry("deadlock", All, W(deadlock::analyse), "threads that wait for each other's locks, witnessed"),
    ]
}

/// The analysis of this name.
pub fn find(name: &str) -> Option<Entry> {
    registry().into_iter().find(|e| e.name == name)
}

/// Runs an analysis over a trace in memory, at most for the time limit.
pub fn run(entry: &Entry, trace: &Trace, options: &Options) -> Answer {
    run_prepared(entry, trace, None, options)
}

/// The same, with what a first pass has found out while the trace was read ([`stream::read`]).
pub fn run_prepared(entry: &Entry, trace: &Trace, prepared: Option<&Prepared>, options: &Options) -> Answer {
    match entry.kind {
        Kind::Whole(analyse) => analyse(trace, options),
        Kind::Prepared(analyse) => analyse(trace, prepared, options),
        Kind::Streaming(start) => {
            let mut analysis = start(options);
            let stopped = !Feeder::new(options.deadline()).feed(&mut *analysis, EventId(0), &trace.events);
            Answer { stopped, ..analysis.finish() }
        }
    }
}
