//! The answers of analyses of a trace, with names instead of numbers: for people ([`text`]) and as JSON ([`json`]).
//!
//! The JSON is the serialisation of [`PredictReport`], documented field by field here and in `docs/formats.md`. Events are
//! numbered from 1 in the order of the file, those that were left out by `--repair` included. Within a version fields
//! are only added.

pub(crate) mod text;

use ::predict::{Answer, Deadlock, Entry, Guarantee, Kind, Pairs, RacePair};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use trace::{Counts, Event, EventId, LockId, Op, Trace};

pub use text::{numbered, render, verdict_line};

/// The version of the schema.
pub const VERSION: u32 = 1;
/// The analysis that knows when there are no further races.
const COMPLETE: &str = "m2";
/// The analysis that looks for deadlocks, and not for races.
pub(crate) const DEADLOCKS: &str = "deadlock";
/// Of a witness so many last events are kept for people.
const MOST_STEPS: usize = 200;

/// What all analyses say of a trace.
#[derive(Debug, Serialize)]
pub struct PredictReport {
    /// [`VERSION`].
    pub version: u32,
    /// The answer in one word.
    pub verdict: Verdict,
    /// What was read.
    pub trace: TraceSummary,
    /// Whether a race is a pair of program locations or a pair of events.
    pub pairs: &'static str,
    /// Only races on this variable were looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variable: Option<String>,
    /// What each analysis says, in the order asked for.
    pub analyses: Vec<AnalysisReport>,
}

/// The answer in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// At least one report is certain: another order of the same events has a race.
    Race,
    /// No report of a race is certain, and another order of the same events has a deadlock.
    Deadlock,
    /// No other order of the same events has a race: an analysis that would know has left nothing undecided.
    RaceFree,
    /// No analysis reports one, and none of them can know whether there are others.
    NoRace,
    /// No certain report, but undecided pairs, uncertain reports, or a time limit.
    Unknown,
}

impl Verdict {
    /// The exit code of the command.
    pub fn exit_code(self) -> u8 {
        match self {
            Verdict::RaceFree | Verdict::NoRace => 0,
            Verdict::Race | Verdict::Deadlock => 1,
            Verdict::Unknown => 3,
        }
    }
}

/// What was read.
#[derive(Debug, Clone, Serialize)]
pub struct TraceSummary {
    /// The file as it was named; `-` for standard input.
    pub file: String,
    /// `std`, `csv` or `binary`.
    pub format: &'static str,
    /// How many events.
    pub events: u64,
    /// Threads.
    pub threads: usize,
    /// Locks, barriers and condition variables.
    pub locks: usize,
    /// Variables.
    pub variables: usize,
    /// Program locations.
    pub locations: usize,
    /// How long the reading took, with the analyses that ran beside it.
    pub seconds: f64,
    /// The most memory of the whole process until the trace was read.
    pub peak_memory_bytes: u64,
    /// Events that break the rules of a run and were left out, by number.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<u64>,
    /// Whether the time limit ended the reading: the analyses saw only the beginning.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stopped: bool,
}

impl TraceSummary {
    /// A summary of what was counted; time, memory and what was left out are still to be filled in.
    pub fn new(file: String, format: trace::Format, events: u64, counts: Counts) -> TraceSummary {
        TraceSummary {
            file,
            format: format_name(format),
            events,
            threads: counts.threads,
            locks: counts.locks,
            variables: counts.variables,
            locations: counts.locations,
            seconds: 0.0,
            peak_memory_bytes: 0,
            left_out: Vec::new(),
            stopped: false,
        }
    }
}

/// What a form is called.
pub fn format_name(format: trace::Format) -> &'static str {
    match format {
        trace::Format::Std => "std",
        trace::Format::Csv => "csv",
        trace::Format::Binary => "binary",
    }
}

/// What one analysis says.
#[derive(Debug, Serialize)]
pub struct AnalysisReport {
    /// Its name.
    pub analysis: &'static str,
    /// Which of its reports are certain to be races.
    pub guarantee: &'static str,
    /// Its races, ordered by their second and then first event.
    pub races: Vec<RaceReport>,
    /// How many pairs it leaves open.
    pub undecided: usize,
    /// These pairs, in the same order.
    pub undecided_pairs: Vec<UndecidedReport>,
    /// Threads that wait for each other's locks in another order, from `deadlock`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub deadlocks: Vec<DeadlockReport>,
    /// Circles of locks of which it cannot say whether they are deadlocks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub undecided_deadlocks: Vec<UndecidedDeadlock>,
    /// Whether it is certain that there are no other races (from `deadlock`: no other deadlocks of locks).
    pub complete: bool,
    /// How many racing pairs of events it has seen.
    pub event_pairs: u64,
    /// The variables with a race.
    pub racy_variables: Vec<String>,
    /// Whether the time limit ended it.
    pub stopped: bool,
    /// How long it took; without the reading.
    pub seconds: f64,
    /// The most memory of the whole process, the trace included, while it ran.
    pub peak_memory_bytes: u64,
    #[serde(skip)]
    kind: Guarantee,
}

/// A race.
#[derive(Debug, Serialize)]
pub struct RaceReport {
    /// The access that comes first in the trace.
    pub first: AccessReport,
    /// The later one.
    pub second: AccessReport,
    /// What they access.
    pub variable: String,
    /// How many events the second comes after the first.
    pub distance: u64,
    /// How many pairs of events this report stands for.
    pub event_pairs: u64,
    /// Whether the analysis guarantees that it is a race.
    pub certain: bool,
    /// A reordering of the trace that ends in the pair, by event numbers; from analyses that construct one, unless it
    /// is too long to be spelled out.
    #[serde(serialize_with = "on_one_line")]
    pub witness: Option<Vec<u32>>,
    /// How many events the witness has, from analyses that construct one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness_events: Option<u64>,
    /// The end of the witness for people.
    #[serde(skip)]
    pub steps: Vec<Step>,
}

/// An access.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AccessReport {
    /// Its number in the file, from 1.
    pub event: u64,
    /// Who.
    pub thread: String,
    /// Where in the program.
    pub location: String,
    /// `read` or `write`.
    pub access: &'static str,
    /// Whether it is atomic.
    pub atomic: bool,
}

/// A pair of which the analysis cannot say whether it is a race.
#[derive(Debug, Serialize)]
pub struct UndecidedReport {
    /// The access that comes first in the trace.
    pub first: AccessReport,
    /// The later one.
    pub second: AccessReport,
    /// What they access.
    pub variable: String,
    /// Why it is undecided.
    pub reason: String,
}

/// Threads that wait for each other's locks.
#[derive(Debug, Serialize)]
pub struct DeadlockReport {
    /// Who waits for what; the thread of each holds the lock of the one before it, that of the first the lock of the last.
    pub waits: Vec<WaitReport>,
    /// A reordering of the trace that ends in the waiting acquires, by event numbers, unless it is too long to be spelled out.
    #[serde(serialize_with = "on_one_line")]
    pub witness: Option<Vec<u32>>,
    /// How many events the witness has.
    pub witness_events: u64,
    /// The end of the witness for people.
    #[serde(skip)]
    pub steps: Vec<Step>,
}

/// An acquire that waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WaitReport {
    /// Its number in the file, from 1.
    pub event: u64,
    /// Who.
    pub thread: String,
    /// Where in the program.
    pub location: String,
    /// For which lock.
    pub lock: String,
    /// What the thread holds then.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub holds: Vec<String>,
}

/// Acquires of which it cannot be said whether they can wait for each other.
#[derive(Debug, Serialize)]
pub struct UndecidedDeadlock {
    /// Who would wait for what, by an example.
    pub waits: Vec<WaitReport>,
    /// Why it is undecided.
    pub reason: String,
}

/// One event of a witness for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Its number in the file.
    pub event: u64,
    /// Who.
    pub thread: String,
    /// What, as in STD text.
    pub operation: String,
    /// Where in the program.
    pub location: String,
}

/// Numbers on one line, also in indented JSON.
fn on_one_line<S: Serializer>(numbers: &Option<Vec<u32>>, serializer: S) -> Result<S::Ok, S::Error> {
    let Some(numbers) = numbers else { return serializer.serialize_none() };
    let mut text = String::with_capacity(2 + 6 * numbers.len());
    text.push('[');
    for (i, number) in numbers.iter().enumerate() {
        text.push_str(if i == 0 { "" } else { ", " });
        text.push_str(&number.to_string());
    }
    text.push(']');
    RawValue::from_string(text).map_err(serde::ser::Error::custom)?.serialize(serializer)
}

/// An answer with what was measured.
#[derive(Debug)]
pub struct Measured {
    /// The analysis's answer.
    pub answer: Answer,
    /// How long it took.
    pub seconds: f64,
    /// The process's peak of memory while it ran.
    pub peak_memory_bytes: u64,
}

/// How events of the trace are numbered in the file: some may have been left out.
#[derive(Debug, Clone, Default)]
pub struct Numbering {
    /// The events left out, by their place in the file from 0, ascending.
    left_out: Vec<u32>,
}

impl Numbering {
    /// With these events (by their place in the file, ascending) left out.
    pub fn without(left_out: Vec<EventId>) -> Numbering {
        Numbering { left_out: left_out.into_iter().map(|id| id.0).collect() }
    }

    /// The number of an event in the file, from 1.
    pub fn number(&self, id: EventId) -> u32 {
        // The n-th left out one (from 0) stands before event id if its place is at most id + n.
        let (mut low, mut high) = (0, self.left_out.len());
        while low < high {
            let middle = (low + high) / 2;
            if u64::from(self.left_out[middle]) <= u64::from(id.0) + middle as u64 {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        id.0.saturating_add(low as u32).saturating_add(1)
    }

    /// All that were left out, as numbers.
    pub fn left_out(&self) -> Vec<u64> {
        self.left_out.iter().map(|&id| u64::from(id) + 1).collect()
    }
}

/// Puts names to numbers.
#[derive(Debug, Clone, Copy)]
pub struct Elaborate<'a> {
    /// The trace; its events are needed only for undecided pairs and witnesses.
    pub trace: &'a Trace,
    /// The numbers of its events in the file.
    pub numbering: &'a Numbering,
    /// Of how many races of each analysis the witness is kept step by step, for people.
    pub with_steps: usize,
}

/// Of how many races of each analysis [`render`] shows the witness.
pub fn races_with_steps(style: &crate::Style) -> usize {
    if style.verbose { usize::MAX } else { text::WHOLE }
}

impl Elaborate<'_> {
    /// One analysis's answer with names. `reading_stopped`: the trace was not read to its end.
    pub fn analysis(&self, entry: &Entry, measured: Measured, reading_stopped: bool) -> AnalysisReport {
        let Measured { answer, seconds, peak_memory_bytes } = measured;
        let stopped = answer.stopped || reading_stopped;
        let complete = matches!(entry.name, COMPLETE | DEADLOCKS)
            && !stopped
            && answer.undecided.is_empty()
            && answer.open_deadlocks.is_empty();
        let first = answer.races.iter().map(|r| r.second).min();
        let certain = |race: &RacePair| match entry.guarantee {
            Guarantee::All => true,
            Guarantee::First => Some(race.second) == first,
            Guarantee::FirstOrDeadlock | Guarantee::None => false,
        };
        let undecided_pairs: Vec<_> = answer
            .undecided
            .iter()
            .map(|u| UndecidedReport {
                first: self.access(u.first, self.trace.event(u.first)),
                second: self.access(u.second, self.trace.event(u.second)),
                variable: self.trace.names.variable(u.variable).into_owned(),
                reason: u.reason.clone().into_owned(),
            })
            .collect();
        let deadlocks = answer.deadlocks.into_iter().enumerate();
        let deadlocks = deadlocks.map(|(i, deadlock)| self.deadlock(deadlock, i < self.with_steps)).collect();
        let open = answer.open_deadlocks.iter().map(|open| UndecidedDeadlock {
            waits: open.acquires.iter().map(|&id| self.wait(id, &[])).collect(),
            reason: open.reason.clone().into_owned(),
        });
        let undecided_deadlocks: Vec<_> = open.collect();
        let variables = answer.racy_variables.iter();
        let races = answer.races.into_iter().enumerate().map(|(i, race)| {
            let certain = certain(&race);
            self.race(race, certain, i < self.with_steps)
        });
        let races = races.collect();
        AnalysisReport {
            analysis: entry.name,
            guarantee: guarantee(entry),
            undecided: undecided_pairs.len() + undecided_deadlocks.len(),
            undecided_pairs,
            deadlocks,
            undecided_deadlocks,
            complete,
            event_pairs: answer.event_pairs,
            racy_variables: variables.map(|&v| self.trace.names.variable(v).into_owned()).collect(),
            races,
            stopped,
            seconds,
            peak_memory_bytes,
            kind: entry.guarantee,
        }
    }

    fn race(&self, race: RacePair, certain: bool, with_steps: bool) -> RaceReport {
        let witness = race.witness.as_deref().filter(|_| with_steps);
        let steps = witness.map_or(Vec::new(), |w| self.steps(w));
        RaceReport {
            first: self.access(race.first, &race.accesses[0]),
            second: self.access(race.second, &race.accesses[1]),
            variable: self.trace.names.variable(race.variable).into_owned(),
            distance: u64::from(self.numbering.number(race.second) - self.numbering.number(race.first)),
            event_pairs: race.count,
            certain,
            steps,
            witness_events: race.witness_length,
            witness: race.witness.map(|w| w.into_iter().map(|id| self.numbering.number(id)).collect()),
        }
    }

    fn deadlock(&self, deadlock: Deadlock, with_steps: bool) -> DeadlockReport {
        let waits = deadlock.acquires.iter().zip(&deadlock.held).map(|(&id, held)| self.wait(id, held));
        let waits = waits.collect();
        let witness = deadlock.witness.as_deref().filter(|_| with_steps);
        DeadlockReport {
            waits,
            steps: witness.map_or(Vec::new(), |w| self.steps(w)),
            witness: deadlock.witness.map(|w| w.into_iter().map(|id| self.numbering.number(id)).collect()),
            witness_events: deadlock.witness_length,
        }
    }

    fn wait(&self, id: EventId, held: &[LockId]) -> WaitReport {
        let e = self.trace.event(id);
        let lock = |lock: LockId| self.trace.names.lock(lock).into_owned();
        WaitReport {
            event: u64::from(self.numbering.number(id)),
            thread: self.trace.names.thread(e.thread).into_owned(),
            location: self.trace.names.location(e.location).into_owned(),
            lock: if let Op::Acquire(acquired) = e.op { lock(acquired) } else { String::new() },
            holds: held.iter().map(|&held| lock(held)).collect(),
        }
    }

    fn access(&self, id: EventId, e: &Event) -> AccessReport {
        AccessReport {
            event: u64::from(self.numbering.number(id)),
            thread: self.trace.names.thread(e.thread).into_owned(),
            location: self.trace.names.location(e.location).into_owned(),
            access: if e.op.is_write() { "write" } else { "read" },
            atomic: e.op.is_atomic(),
        }
    }

    fn steps(&self, witness: &[EventId]) -> Vec<Step> {
        let end = &witness[witness.len().saturating_sub(MOST_STEPS)..];
        let step = |id: &EventId| {
            let e = self.trace.event(*id);
            Step {
                event: u64::from(self.numbering.number(*id)),
                thread: self.trace.names.thread(e.thread).into_owned(),
                operation: self.operation(e.op),
                location: self.trace.names.location(e.location).into_owned(),
            }
        };
        end.iter().map(step).collect()
    }

    /// An operation as in STD text.
    fn operation(&self, op: Op) -> String {
        let mut text = Vec::new();
        trace::write::operation(&mut text, op, &self.trace.names);
        String::from_utf8_lossy(&text).into_owned()
    }
}

/// What an analysis's reports are worth, for JSON.
fn guarantee(entry: &Entry) -> &'static str {
    match (entry.guarantee, entry.kind) {
        (Guarantee::All, Kind::Whole(_) | Kind::Prepared(_)) => "all-witnessed",
        (Guarantee::All, Kind::Streaming(_)) => "all",
        (Guarantee::First, _) => "first",
        (Guarantee::FirstOrDeadlock, _) => "race-or-deadlock",
        (Guarantee::None, _) => "none",
    }
}

impl PredictReport {
    /// The report of these analyses; finds the verdict.
    pub fn new(
        trace: TraceSummary,
        pairs: Pairs,
        variable: Option<String>,
        analyses: Vec<AnalysisReport>,
    ) -> PredictReport {
        let pairs = match pairs {
            Pairs::Locations => "locations",
            Pairs::Events => "events",
        };
        PredictReport { version: VERSION, verdict: verdict(&analyses), trace, pairs, variable, analyses }
    }
}

fn verdict(analyses: &[AnalysisReport]) -> Verdict {
    let found = |a: &AnalysisReport| {
        a.races.iter().any(|r| r.certain) || a.kind == Guarantee::FirstOrDeadlock && !a.races.is_empty()
    };
    let open = |a: &AnalysisReport| a.stopped || a.undecided > 0 || !a.races.is_empty();
    let is_complete = |a: &AnalysisReport| a.complete && a.analysis == COMPLETE;
    if analyses.iter().any(|a| a.races.iter().any(|r| r.certain)) {
        Verdict::Race
    } else if analyses.iter().any(|a| !a.deadlocks.is_empty()) {
        Verdict::Deadlock
    } else if analyses.iter().any(is_complete) {
        Verdict::RaceFree
    } else if analyses.iter().any(found) {
        Verdict::Race
    } else if analyses.iter().any(open) {
        Verdict::Unknown
    } else {
        Verdict::NoRace
    }
}

/// The report as indented JSON, with a newline at its end.
pub fn json(report: &PredictReport) -> String {
    // Only maps with keys that are no strings and failing writers make this fail; a report has neither.
    let mut text = serde_json::to_string_pretty(report).unwrap_or_default();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn left_out_events_keep_their_numbers() {
        let numbering = Numbering::without([0, 3, 4, 9].map(EventId).to_vec());
        let kept: Vec<u32> = (0..8).map(|i| numbering.number(EventId(i))).collect();
        // In the file, from 1, without 1, 4, 5 and 10.
        assert_eq!(kept, [2, 3, 6, 7, 8, 9, 11, 12]);
        assert_eq!(Numbering::default().number(EventId(6)), 7);
        assert_eq!(numbering.left_out(), [1, 4, 5, 10]);
    }
}
