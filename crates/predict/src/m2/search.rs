//! The search over candidate pairs (P4 section 5: `M2` and `M2_{e1}^p`; section 6.1: the second optimisation).
//!
//! Candidates are pairs of accesses that conflict, hold no lock in common and are causally unordered. They are never
//! listed: for two classes of accesses (same variable, location, thread, kind, locks) and one access of the first, the
//! unordered accesses of the second are a stretch of its list, found by its ends. One access of the first class with the
//! accesses of the second in increasing order is a *sweep* (`M2_{e1}^p`); a [`Judge`] decides its pairs.
//!
//! The work is cut into units that do not depend on each other, one for each pair of locations, so the answer does not
//! depend on how many workers there are. A unit has a number of steps that it may take ([`crate::pace`]); units in which a pair
//! was too hard are tried again with more, as long as the steps allowed for the whole search last. Reporting by locations, a unit ends with its first race, the report's example;
//! afterwards variables without a race so far are looked at in units with one, only for whether they race.
//!
//! Reporting event pairs, a worker replays the witnesses that it finds some hundred at a time, so that a time limit leaves races and
//! not candidates.
//!
//! Guarantee: every candidate pair (every first of its stretch, see [`super::index`], if not all accesses are wanted) is
//! judged, unless its report is certain already or the time limit passes; a race is reported only if its witness passes
//! [`trace::replay`].

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use trace::Counts;
use trace::replay_many::AT_ONCE;

use crate::pace::{Effort, is_over};
use crate::{EFFORT, Options, Pairs};
use rustc_hash::FxHashSet;

use super::bits::Id;
use super::index::{Class, Index};
use super::verify::{Replayed, replay};
use super::window::Witness;

/// Why a pair is not decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// The cone has releases of third threads that a witness may not need (condition 4 of the cones).
    Releases,
    /// Conflicts outside the pair's threads were ordered as in the trace (line 8 of `RaceDecision`).
    Choice,
    /// The pair depends on notifications or read-modify-writes keeping the trace's order.
    FixedOrder,
    /// The steps allowed for the pair, or for all pairs of its locations, are used up.
    Effort,
    /// The time limit passed before the pair was decided.
    TimeLimit,
    /// A witness was found that the replay does not accept: a mistake of the analysis, reported and not hidden.
    Replay,
}

impl Reason {
    /// The reason in words.
    pub fn text(self) -> &'static str {
        match self {
            Reason::Releases => "releases of other threads were added to the cone (condition 4)",
            Reason::Choice => "conflicts of other threads were ordered as in the trace (line 8)",
            Reason::FixedOrder => "notifications or atomic read-modify-writes kept the order of the trace",
            Reason::Effort => "the effort allowed for the pair was used up (--effort)",
            Reason::TimeLimit => "time limit: not decided, like all later pairs of these two kinds of access",
            Reason::Replay => "internal error: the witness did not pass its replay",
        }
    }
}

/// What a judge says of a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judgement {
    /// A race; with a witness if one was wanted.
    Race(Option<Witness>),
    /// No race (or none of the kind that the judge looks for).
    None,
    /// It cannot say.
    Undecided(Reason),
    /// The time is up.
    Deadline,
}

/// Decides pairs.
pub trait Judge: Sync {
    /// What is kept between the pairs of one sweep.
    type Sweep;

    /// Begins with the pairs of `first` and the events of thread `other`.
    fn sweep(&self, first: Id, other: usize) -> Self::Sweep;

    /// Decides the pair of the sweep's event and `second`; called with increasing `second`.
    fn judge(&self, sweep: &mut Self::Sweep, second: Id, ask: Ask<'_>) -> Judgement;
}

/// How a pair is asked for.
#[derive(Debug, Clone, Copy)]
pub struct Ask<'a> {
    /// Whether a race needs its witness.
    pub wants_witness: bool,
    /// What the answer may cost.
    pub effort: &'a Effort,
}

/// How many steps may be spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Budget {
    /// For one pair of events.
    pair: u64,
    /// For all pairs of one unit.
    unit: u64,
}

impl Budget {
    /// What every unit gets at first.
    const FIRST: Budget = Budget { pair: 100_000, unit: 1_000_000 };
    const UNLIMITED: Budget = Budget { pair: u64::MAX, unit: u64::MAX };

    /// What is tried after this one, if so many units share so many steps.
    fn next(self, units: usize, pool: u64) -> Option<Budget> {
        let most = pool / units.max(1) as u64;
        let next = Budget {
            pair: most.min(self.pair.saturating_mul(16)),
            unit: most.min(self.unit.saturating_mul(16)),
        };
        (next.pair / 2 > self.pair).then_some(next)
    }
}

/// A race with its witness.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The access that comes first in the trace.
    pub first: Id,
    /// The later one.
    pub second: Id,
    /// How many event pairs were found to race that this report stands for.
    pub count: u64,
    /// A correct reordering that ends in the pair.
    pub witness: Witness,
}

/// A pair that is not decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Open {
    /// The access that comes first in the trace.
    pub first: Id,
    /// The later one.
    pub second: Id,
    /// Why.
    pub reason: Reason,
}

/// What a search finds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Findings {
    /// Races, sorted by second and first event.
    pub races: Vec<Found>,
    /// Undecided pairs (one for each pair of locations, if so reported), sorted likewise.
    pub undecided: Vec<Open>,
    /// Event pairs found to race.
    pub event_pairs: u64,
    /// Variables with a race, sorted.
    pub racy_variables: Vec<u32>,
    /// Whether the time limit ended the search.
    pub stopped: bool,
    /// How many steps were spent.
    pub spent: u64,
    /// Whether all witnesses have been replayed as they are; otherwise those that do not keep the trace's order only
    /// with their whole beginning.
    pub in_full: bool,
}

impl Findings {
    /// Nothing, for the time limit came first.
    pub fn stopped() -> Findings {
        Findings { stopped: true, ..Findings::default() }
    }
}

/// Pairs of classes that make one report: by their place in [`Index::classes`].
type Unit = Vec<(u32, u32)>;

/// How long a search may take.
#[derive(Debug, Clone, Copy)]
pub struct Time {
    /// After how long a search is interrupted to replay what was found, so that a limit leaves races and not candidates.
    pub round: Duration,
    /// When to stop looking for races: three tenths of the time are left for replaying what was found, and a tenth for the report.
    pub search: Instant,
    /// When to stop replaying.
    pub end: Instant,
}

impl Time {
    /// The time that the options give, from now on.
    pub fn new(options: &Options) -> Option<Self> {
        let (now, limit) = (Instant::now(), options.time_limit?);
        Some(Time {
            round: limit / 16,
            search: now.checked_add(limit / 5 * 3)?,
            end: now.checked_add(limit / 10 * 9)?,
        })
    }
}

impl Time {
    /// When the round that begins now ends.
    fn pause(self) -> Option<Instant> {
        Instant::now().checked_add(self.round)
    }
}

/// Searches all candidate pairs.
pub fn search<J: Judge>(index: &Index<'_>, judge: &J, options: &Options, time: Option<Time>) -> Findings {
    let deadline = time.map(|time| time.search);
    let counts = index.trace.counts();
    let (units, all_units) = units(index, options, deadline);
    let jobs = match options.jobs {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        jobs => jobs,
    };
    let work = |wants_examples, budget: Budget| Work {
        index,
        counts,
        judge,
        options,
        deadline,
        wants_examples,
        budget,
        left: budget.unit,
        end: time.map(|time| time.end),
        findings: Findings { in_full: true, ..Findings::default() },
        replayed: 0,
        racy: FxHashSet::default(),
    };
    let mut parts: Vec<Findings> = vec![Findings::default(); units.len()];
    let mut pending: Vec<usize> = (0..units.len()).collect();
    let mut in_full = true;
    let mut pool = options.effort.unwrap_or(EFFORT);
    let mut budget = if pool == u64::MAX { Budget::UNLIMITED } else { Budget::FIRST };
    let mut hard: Vec<usize> = Vec::new();
    loop {
        if pending.is_empty() {
            // What was too hard is tried with more, as long as there is any.
            hard.sort_unstable();
            match budget.next(hard.len(), pool).filter(|_| !hard.is_empty() && !is_over(deadline)) {
                Some(next) => (budget, pending) = (next, std::mem::take(&mut hard)),
                None => break,
            }
        }
        let pause = time.and_then(Time::pause);
        let done = in_parallel(jobs, pending.len(), |at| {
            let is_for_later = is_over(pause) && !is_over(deadline);
            (!is_for_later).then(|| work(true, budget).run(&units[pending[at]]))
        });
        let mut found = Vec::new();
        let mut later = Vec::new();
        for (number, part) in pending.into_iter().zip(done) {
            match part {
                Some(part) => found.push((number, part)),
                None => later.push(number),
            }
        }
        pending = later;
        in_full &= match options.pairs {
            // Replayed as they were found.
            Pairs::Events => found.iter().all(|(_, part)| part.in_full),
            Pairs::Locations => verify(index, counts, &mut found, jobs, time.map(|time| time.end)),
        };
        for (number, part) in found {
            pool = pool.saturating_sub(part.spent);
            if part.undecided.iter().any(|open| open.reason == Reason::Effort) {
                hard.push(number);
            }
            parts[number] = part;
        }
    }
    let rest = unsettled(index, options, &units, &parts);
    let more =
        in_parallel(jobs, rest.len(), |number| work(false, Budget::FIRST).variable(&rest[number], &units));
    for (unit, part) in more.iter().flat_map(|(part, unit)| unit.map(|unit| (unit, part))) {
        parts[unit].races[0].count += part.event_pairs;
    }
    let mut findings = Findings { stopped: !all_units, in_full, ..Findings::default() };
    for part in parts.into_iter().chain(more.into_iter().map(|(part, _)| part)) {
        findings.races.extend(part.races);
        findings.undecided.extend(part.undecided);
        findings.racy_variables.extend(part.racy_variables);
        findings.event_pairs += part.event_pairs;
        findings.spent += part.spent;
        findings.stopped |= part.stopped;
    }
    findings.races.sort_unstable_by_key(|race| (race.second, race.first));
    findings.undecided.sort_unstable_by_key(|pair| (pair.second, pair.first));
    findings.racy_variables.sort_unstable();
    findings.racy_variables.dedup();
    findings
}

/// What is left to look at once every report has its example: by variable that is not known to race, the pairs of its
/// classes (as unit and place in it) in units that were not finished.
fn unsettled(
    index: &Index<'_>,
    options: &Options,
    units: &[Unit],
    parts: &[Findings],
) -> Vec<Vec<(usize, usize)>> {
    if options.pairs == Pairs::Events || options.all_accesses {
        return Vec::new();
    }
    let racy: FxHashSet<u32> = parts.iter().flat_map(|part| part.racy_variables.iter().copied()).collect();
    let mut rest: BTreeMap<u32, Vec<(usize, usize)>> = BTreeMap::new();
    for (number, unit) in units.iter().enumerate().filter(|(number, _)| !parts[*number].races.is_empty()) {
        for (place, &(one, _)) in unit.iter().enumerate() {
            let variable = index.classes[one as usize].variable;
            if !racy.contains(&variable) {
                rest.entry(variable).or_default().push((number, place));
            }
        }
    }
    rest.into_values().collect()
}

/// Runs `task` for the numbers below `count` on some threads; results in order of the numbers.
pub(super) fn in_parallel<T: Send>(jobs: usize, count: usize, task: impl Fn(usize) -> T + Sync) -> Vec<T> {
    if jobs <= 1 || count <= 1 {
        return (0..count).map(task).collect();
    }
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<T>>> = (0..count).map(|_| Mutex::new(None)).collect();
    std::thread::scope(|scope| {
        for _ in 0..jobs.min(count) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        break;
                    }
                    let result = task(number);
                    if let Ok(mut slot) = results[number].lock() {
                        *slot = Some(result);
                    }
                }
            });
        }
    });
    results.into_iter().filter_map(|slot| slot.into_inner().ok().flatten()).collect()
}

/// Keeps the races of some units whose witness the independent replayer accepts. Says whether all were replayed in full.
fn verify(
    index: &Index<'_>,
    counts: Counts,
    found: &mut [(usize, Findings)],
    jobs: usize,
    deadline: Option<Instant>,
) -> bool {
    let races: Vec<&Found> = found.iter().flat_map(|(_, part)| &part.races).collect();
    let (replayed, in_full) = replay(index.trace, counts, &races, jobs, deadline);
    let mut replayed = replayed.into_iter();
    for (_, part) in found {
        let (undecided, stopped) = (&mut part.undecided, &mut part.stopped);
        part.races.retain(|race| {
            let reason = match replayed.next() {
                Some(Replayed::Accepted) => return true,
                Some(Replayed::NotReached) => Reason::TimeLimit,
                Some(Replayed::Rejected) | None => Reason::Replay,
            };
            *stopped |= reason == Reason::TimeLimit;
            undecided.push(Open { first: race.first, second: race.second, reason });
            false
        });
    }
    in_full
}

/// The pairs of classes that may race, by report, and whether these are all: the deadline may have passed.
fn units(index: &Index<'_>, options: &Options, deadline: Option<Instant>) -> (Vec<Unit>, bool) {
    let mut by_variable: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (number, class) in (0..).zip(&index.classes) {
        by_variable.entry(class.variable).or_default().push(number);
    }
    let mut units: BTreeMap<(u32, u32, u32), Unit> = BTreeMap::new();
    let mut single = 0;
    for classes in by_variable.values() {
        for (at, &one) in classes.iter().enumerate() {
            if is_over(deadline) {
                return (units.into_values().collect(), false);
            }
            for &other in &classes[at + 1..] {
                let (a, b) = (&index.classes[one as usize], &index.classes[other as usize]);
                if !may_race(index, a, b) {
                    continue;
                }
                // Event pairs are reported one by one, so their units may be smaller.
                single += u32::from(options.pairs == Pairs::Events);
                let key = (a.location.min(b.location), a.location.max(b.location), single);
                units.entry(key).or_default().push((one, other));
            }
        }
    }
    (units.into_values().collect(), true)
}

/// Whether some accesses of two classes conflict, share no lock and are causally unordered.
fn may_race(index: &Index<'_>, a: &Class, b: &Class) -> bool {
    let conflict = a.thread != b.thread && (a.is_write || b.is_write) && !(a.is_atomic && b.is_atomic);
    conflict
        && index.locksets.disjoint(a.locks, b.locks)
        && !all_before(index, a, b)
        && !all_before(index, b, a)
}

/// Whether all accesses of `a` are in the causal past of all of `b`.
fn all_before(index: &Index<'_>, a: &Class, b: &Class) -> bool {
    let (Some(&last), Some(&first)) = (a.events.last(), b.events.first()) else { return true };
    last < first && last < index.weak().clocks.enabling(b.thread, first)[a.thread]
}

/// One unit under way.
struct Work<'a, 't, J: Judge> {
    index: &'a Index<'t>,
    counts: Counts,
    judge: &'a J,
    options: &'a Options,
    deadline: Option<Instant>,
    /// Whether races need a witness.
    wants_examples: bool,
    budget: Budget,
    /// How many steps are left for this unit.
    left: u64,
    /// When to stop replaying.
    end: Option<Instant>,
    findings: Findings,
    /// How many of the races have been replayed, if every pair of events is reported.
    replayed: usize,
    racy: FxHashSet<u32>,
}

impl<J: Judge> Work<'_, '_, J> {
    /// All pairs of a unit, or those up to the first race if one is enough.
    fn run(mut self, unit: &Unit) -> Findings {
        for &(one, other) in unit {
            self.classes(one, other);
            if self.findings.stopped || self.is_enough() {
                break;
            }
        }
        self.replay_new(self.end);
        // With a race at these locations, other pairs that are undecided change nothing in the report.
        if self.options.pairs == Pairs::Locations && !self.findings.races.is_empty() {
            self.findings.undecided.clear();
        }
        self.findings.racy_variables.extend(self.racy);
        self.findings
    }

    /// Pairs of one variable, up to the first race; also says in which unit that is.
    fn variable(mut self, pairs: &[(usize, usize)], units: &[Unit]) -> (Findings, Option<usize>) {
        let mut found = None;
        for &(unit, place) in pairs {
            let (one, other) = units[unit][place];
            self.classes(one, other);
            if self.is_enough() {
                found = Some(unit);
            }
            if self.findings.stopped || found.is_some() {
                break;
            }
        }
        // These locations have their report.
        self.findings.undecided.clear();
        self.findings.racy_variables.extend(self.racy);
        (self.findings, found)
    }

    /// Whether a race has been found and one is enough.
    fn is_enough(&self) -> bool {
        self.options.pairs == Pairs::Locations && !self.options.all_accesses && self.findings.event_pairs > 0
    }

    /// All pairs of two classes.
    fn classes(&mut self, one: u32, other: u32) {
        let (a, b) = (&self.index.classes[one as usize], &self.index.classes[other as usize]);
        let clocks = &self.index.weak().clocks;
        for &first in &a.events {
            let seen = clocks.enabling(a.thread, first)[b.thread];
            let low = b.events.partition_point(|&second| second < seen);
            let unseen = b.events[low..]
                .partition_point(|&second| clocks.enabling(b.thread, second)[a.thread] <= first);
            let stretch = &b.events[low..low + unseen];
            if stretch.is_empty() {
                continue;
            }
            if self.sweep(first, stretch, b.thread, a.variable) {
                return;
            }
        }
    }

    /// One event against a stretch of another class. Says whether the two classes are settled.
    fn sweep(&mut self, first: Id, stretch: &[Id], other: usize, variable: u32) -> bool {
        let by_events = self.options.pairs == Pairs::Events;
        let mut sweep = self.judge.sweep(first, other);
        for &second in stretch {
            if is_over(self.deadline) {
                self.stop(first, second);
                return true;
            }
            let wants_witness = self.wants_examples && (by_events || self.findings.races.is_empty());
            let effort = Effort::new(self.budget.pair.min(self.left), self.deadline);
            let judgement = self.judge.judge(&mut sweep, second, Ask { wants_witness, effort: &effort });
            self.left -= effort.spent();
            self.findings.spent += effort.spent();
            match judgement {
                Judgement::None => {}
                Judgement::Race(witness) => {
                    self.race(first, second, witness);
                    self.racy.insert(variable);
                    if self.is_enough() {
                        return true;
                    }
                }
                Judgement::Undecided(reason) => self.undecided(first, second, reason),
                Judgement::Deadline => {
                    self.stop(first, second);
                    return true;
                }
            }
        }
        self.findings.stopped
    }

    fn race(&mut self, first: Id, second: Id, witness: Option<Witness>) {
        self.findings.event_pairs += 1;
        match (witness, self.findings.races.last_mut()) {
            (Some(witness), _) => self.findings.races.push(Found {
                first: first.min(second),
                second: first.max(second),
                count: 1,
                witness,
            }),
            (None, Some(race)) => race.count += 1,
            (None, None) => {}
        }
        if self.findings.races.len() - self.replayed >= AT_ONCE {
            self.replay_new(self.end);
        }
    }

    /// Keeps of the races that are new those whose witness the independent replayer accepts. By locations a unit has only
    /// one race, and those of all units are replayed together.
    fn replay_new(&mut self, deadline: Option<Instant>) {
        if self.options.pairs == Pairs::Locations {
            return;
        }
        let new = self.findings.races.split_off(self.replayed);
        let mut part = [(0, Findings { races: new, ..Findings::default() })];
        self.findings.in_full &= verify(self.index, self.counts, &mut part, 1, deadline);
        let [(_, part)] = part;
        self.findings.races.extend(part.races);
        self.findings.undecided.extend(part.undecided);
        self.findings.stopped |= part.stopped;
        self.replayed = self.findings.races.len();
    }

    fn undecided(&mut self, first: Id, second: Id, reason: Reason) {
        let open = Open { first: first.min(second), second: first.max(second), reason };
        // By locations the first one stands for all, but a limit is always told.
        if self.options.pairs == Pairs::Events || self.findings.undecided.is_empty() {
            self.findings.undecided.push(open);
        } else if matches!(reason, Reason::TimeLimit | Reason::Effort) {
            self.findings.undecided[0] = open;
        }
    }

    fn stop(&mut self, first: Id, second: Id) {
        self.findings.stopped = true;
        self.undecided(first, second, Reason::TimeLimit);
    }
}
