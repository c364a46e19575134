//! Native replay: a real program is brought to the events that a witness ends in.
//!
//! A witness is a reordering of a recorded run. Of its events those that synchronise become *steps*, in their order: the
//! runtime (`runtime/replay.c`) lets a thread synchronise only when it is its turn, and holds a thread that has done what the witness
//! has of it. The events at the end become *stops*: each thread is held directly before its own. If all stand there, and (for a race) the memory
//! that they are about to access overlaps and one of them writes, the finding is confirmed on the program itself.
//!
//! What a schedule speaks of are strands ([`crate::places`]): whichever thread executes a task of OpenMP carries its schedule with it. What
//! OpenMP's runtime decides by who comes first (`single`, iterations that it hands out) is decided as in the recording. A program whose threads depend on anything else (input, time, a race on the way) may leave the schedule:
//! that is said, and never counted as a confirmation.
//!
//! The memory that both share is described in `runtime/replay.h`.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::os::fd::AsRawFd;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use memmap2::MmapMut;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use trace::EventId;

use crate::Error;
use crate::places::{Creation, Places, Spot, has_turn};
use crate::reduce::{Origin, Reduced};
use crate::run::Run;
use crate::strands::Candidate;

/// The variable that tells the runtime where its schedule is.
pub const VARIABLE: &str = "RACEPROOF_REPLAY";

const MAGIC: u64 = 0x3159_414c_5045_5252;
const STOPS: usize = 16;
const STOPS_AT: usize = 128;
const STOP_BYTES: usize = 64;
const BODY_AT: usize = STOPS_AT + STOPS * STOP_BYTES;
const STRAND_BYTES: usize = 32;
const DECISION_BYTES: usize = 24;
/// The bits of an address within a page.
const IN_PAGE: u64 = 0xfff;
const NONE: u32 = u32::MAX;
const THERE: u32 = 1;
const DIVERGED: u32 = 2;
const WRITES: u32 = 1;
const SYNCS: u32 = 4;

/// An operation that has its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The strand.
    pub strand: u32,
    /// How many operations it has done before.
    pub n: u32,
    /// Which operation (`layout.h`).
    pub op: u32,
}

/// What OpenMP's runtime has decided for a strand: who executes a `single`, who gets which iterations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// The strand.
    pub strand: u32,
    /// `single`, or iterations (`layout.h`).
    pub op: u32,
    /// As in the record.
    pub flag: u32,
    /// The first iteration.
    pub first: u64,
    /// How many follow it.
    pub more: u64,
}

/// Where a thread is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stop {
    /// The strand.
    pub strand: u32,
    /// How many operations it has done before.
    pub n: u32,
    /// How many ticks it has done since the last of them.
    pub k: u32,
    /// Where in a page its code is: the same in every run.
    pub at: u32,
}

/// What the stops are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Goal {
    /// Two accesses to one place.
    Race,
    /// Acquisitions of locks that wait for each other.
    Deadlock,
}

/// How a program is brought to the end of a witness.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schedule {
    /// What for.
    pub goal: Goal,
    /// The strands that are part of it and those that created them, by number.
    pub strands: Vec<Creation>,
    /// The order of synchronisation.
    pub steps: Vec<Step>,
    /// By strand, and in the order of each.
    pub decisions: Vec<Decision>,
    /// Where it leads.
    pub stops: Vec<Stop>,
}

impl Schedule {
    /// The schedule of a witness, without its last events, that leads to these events.
    pub fn new(
        run: &Run,
        places: &Places,
        reduced: &Reduced,
        goal: Goal,
        (prefix, ends): (&[EventId], &[EventId]),
    ) -> Result<Schedule, &'static str> {
        let place = |id: EventId| {
            let origin = reduced.origins[id.index()];
            places.at(run, origin.thread, origin.k)
        };
        let mut steps = Vec::new();
        let mut seen = FxHashSet::default();
        // How far the witness has each strand.
        let mut until: BTreeMap<u32, u32> = BTreeMap::new();
        for &id in prefix {
            let (Spot { strand, n, .. }, sync) = place(id);
            until.entry(strand).and_modify(|far| *far = n.max(*far)).or_insert(n);
            if let Some(sync) = sync.filter(|sync| has_turn(sync.op) && seen.insert((strand, n))) {
                steps.push(Step { strand, n, op: sync.op as u32 });
            }
        }
        let mut stops: Vec<Stop> = Vec::new();
        for &id in ends {
            let (Spot { strand, n, ticks }, _) = place(id);
            let k = u32::try_from(ticks).map_err(|_| "the run is too long between two operations")?;
            if stops.iter().any(|stop| stop.strand == strand) {
                return Err("one thread of the run does both");
            }
            let pc = run.site(reduced.origins[id.index()].site).pc;
            stops.push(Stop { strand, n, k, at: (pc & IN_PAGE) as u32 });
            until.insert(strand, n);
        }
        if stops.len() > STOPS {
            return Err("too many threads are part of it");
        }
        if stops.len() > 1 && stops.iter().all(|stop| places.is_alone(stop.strand)) {
            return Err("the tasks are of a team of one thread");
        }
        // Of a read-modify-write at the end the witness has the reading half already.
        steps.retain(|step| !stops.iter().any(|stop| (stop.strand, stop.n) == (step.strand, step.n)));
        if !in_order(&steps, &stops) {
            return Err("the strands of the program do not do it in this order");
        }
        for mate in places.team_mates(until.keys().copied()) {
            until.entry(mate).or_insert(0);
        }
        let decisions = until.iter().flat_map(|(strand, n)| places.decisions(*strand, *n)).collect();
        let strands = places.creations(until.keys().copied());
        Ok(Schedule { goal, strands, steps, decisions, stops })
    }
}

impl Schedule {
    /// The schedule of a run in which another member of the team gets the later chunk of a candidate while the first one is in
    /// the earlier: everything up to the loop as it was, then the two of them. OpenMP leaves it open who gets which chunk.
    pub fn redistributed(run: &Run, places: &Places, found: &Candidate) -> Result<Schedule, &'static str> {
        let (chunk, team) = places.loop_of(found.strand, found.chunk).ok_or("the loop is not known")?;
        let other = team.iter().find(|meets| meets.strand != found.strand);
        let other = *other.ok_or("the iterations are of a team of one thread")?;
        let begins = team.iter().map(|meets| meets.seq).min().unwrap_or(0);
        let spot = |origin: &Origin| places.at(run, origin.thread, origin.k).0;
        let (first, second) = (spot(&found.first), spot(&found.second));
        let small =
            |ticks: u64| u32::try_from(ticks).map_err(|_| "the run is too long between two operations");
        let mut steps = Vec::new();
        for (seq, step) in places.turns(run) {
            let of_first = step.strand == first.strand && step.n < first.n;
            let of_other = step.strand == other.strand && step.n < other.n;
            if seq < begins || of_first || of_other {
                steps.push(step);
            }
        }
        let mut until: BTreeMap<u32, u32> = places.done_before(run, begins).into_iter().collect();
        until.insert(first.strand, first.n);
        until.insert(other.strand, other.n);
        let mut decisions = Vec::new();
        for (&strand, &n) in &until {
            decisions.extend(places.decided_before(strand, n));
            decisions.extend((strand == other.strand).then_some(Decision { strand, ..chunk }));
        }
        let pc = |origin: &Origin| (run.site(origin.site).pc & IN_PAGE) as u32;
        let stops = vec![
            Stop { strand: first.strand, n: first.n, k: small(first.ticks)?, at: pc(&found.first) },
            Stop { strand: other.strand, n: other.n + 1, k: small(second.ticks)?, at: pc(&found.second) },
        ];
        let strands = places.creations(until.keys().copied());
        Ok(Schedule { goal: Goal::Race, strands, steps, decisions, stops })
    }
}

/// Whether each strand's steps come in its own order, and its stop behind them.
fn in_order(steps: &[Step], stops: &[Stop]) -> bool {
    let mut last: FxHashMap<u32, u32> = FxHashMap::default();
    steps.iter().all(|step| last.insert(step.strand, step.n).is_none_or(|before| before < step.n))
        && stops.iter().all(|stop| last.get(&stop.strand).is_none_or(|&before| before < stop.n))
}

/// Two threads are where they should be, and do not race.
pub const APART: &str = "the two threads stand at accesses to different memory";

/// What came of a replay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// All threads stood where the witness ends.
    Confirmed,
    /// The program left the schedule, and how.
    Diverged(String),
}

/// The memory that is shared with the program.
struct Shared {
    map: MmapMut,
}

impl Shared {
    fn word32(&self, offset: usize) -> &AtomicU32 {
        assert!(offset.is_multiple_of(4) && offset + 4 <= self.map.len());
        // SAFETY: within the map, aligned, and atomics may be shared with the program.
        unsafe { &*self.map.as_ptr().add(offset).cast::<AtomicU32>() }
    }

    fn word64(&self, offset: usize) -> &AtomicU64 {
        assert!(offset.is_multiple_of(8) && offset + 8 <= self.map.len());
        // SAFETY: as above.
        unsafe { &*self.map.as_ptr().add(offset).cast::<AtomicU64>() }
    }

    fn set(&self, offset: usize, values: &[u32]) {
        for (i, value) in values.iter().enumerate() {
            self.word32(offset + 4 * i).store(*value, Ordering::Release);
        }
    }

    fn get(&self, offset: usize) -> u32 {
        self.word32(offset).load(Ordering::Acquire)
    }

    /// Writes the schedule into new memory.
    fn new(memory: &File, schedule: &Schedule) -> Result<Shared, Error> {
        let failed = |error| Error::System("cannot make memory to share with the program", error);
        let steps_at = BODY_AT + STRAND_BYTES * schedule.strands.len();
        let decisions_at = steps_at + 16 * schedule.steps.len();
        let bytes = (decisions_at + DECISION_BYTES * schedule.decisions.len()).max(4096);
        memory.set_len(bytes as u64).map_err(failed)?;
        // SAFETY: the file has no name, is as long as the map, and is never shortened; both sides use atomics.
        let map = unsafe { MmapMut::map_mut(memory) }.map_err(failed)?;
        let shared = Shared { map };
        let counts = [schedule.steps.len(), schedule.stops.len(), schedule.strands.len()].map(|n| n as u32);
        shared.set(32, &counts);
        for (i, stop) in schedule.stops.iter().enumerate() {
            shared.set(STOPS_AT + i * STOP_BYTES, &[stop.strand, stop.n, stop.k]);
        }
        let mut next: FxHashMap<u32, u32> = FxHashMap::default();
        for (i, step) in schedule.steps.iter().enumerate().rev() {
            let following = next.insert(step.strand, i as u32).unwrap_or(NONE);
            shared.set(steps_at + 16 * i, &[step.strand, step.n, step.op, following]);
        }
        for (i, strand) in schedule.strands.iter().enumerate() {
            let first = next.get(&strand.number).copied().unwrap_or(NONE);
            let decision = schedule.decisions.partition_point(|d| d.strand < strand.number) as u32;
            let kind = strand.kind as u32;
            shared.set(
                BODY_AT + STRAND_BYTES * i,
                &[strand.number, strand.parent, kind, strand.index, strand.member, first, decision],
            );
        }
        shared.set(60, &[schedule.decisions.len() as u32]);
        for (i, decision) in schedule.decisions.iter().enumerate() {
            let at = decisions_at + DECISION_BYTES * i;
            shared.word64(at).store(decision.first, Ordering::Release);
            shared.word64(at + 8).store(decision.more, Ordering::Release);
            shared.set(at + 16, &[decision.op, decision.flag]);
        }
        shared.word64(8).store(bytes as u64, Ordering::Release);
        shared.word64(0).store(MAGIC, Ordering::Release);
        Ok(shared)
    }

    /// Address, bytes and kind of what the thread at a stop is about to do, and the system's number of the thread.
    fn at_stop(&self, stop: usize) -> (u64, u64, u32, u32) {
        let at = STOPS_AT + stop * STOP_BYTES;
        let word = |offset| self.word64(at + offset).load(Ordering::Acquire);
        (word(16), word(24), self.get(at + 40), self.get(at + 44))
    }

    /// Whether the threads stand at the code where they should.
    fn are_there(&self, schedule: &Schedule) -> bool {
        schedule.stops.iter().enumerate().all(|(i, stop)| {
            let pc = self.word64(STOPS_AT + i * STOP_BYTES + 32).load(Ordering::Acquire);
            pc & IN_PAGE == u64::from(stop.at)
        })
    }

    /// Whether those at the stops of a race really race.
    fn races(&self) -> bool {
        let (a, a_bytes, a_kind, _) = self.at_stop(0);
        let (b, b_bytes, b_kind, _) = self.at_stop(1);
        let overlap = a < b + b_bytes.max(1) && b < a + a_bytes.max(1);
        overlap && (a_kind | b_kind) & (WRITES | SYNCS) != 0
    }
}

/// A program that stands where its schedule leads, or has left it. It is ended when this goes.
pub struct Replayed {
    child: Child,
    shared: Shared,
    stops: usize,
    /// What came of it.
    pub outcome: Outcome,
}

impl Replayed {
    /// The process.
    pub fn process(&self) -> u32 {
        self.shared.get(24)
    }

    /// The system's numbers of the threads that are held.
    pub fn tasks(&self) -> Vec<u32> {
        (0..self.stops).map(|stop| self.shared.at_stop(stop).3).collect()
    }
}

impl Drop for Replayed {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// How the program is run.
#[derive(Debug, Clone, Copy)]
pub struct Manner {
    /// Whether what it prints is shown.
    pub shows_output: bool,
    /// How long it may go without a step.
    pub patience: Duration,
}

/// Runs a program under a schedule until it is there, or has left it.
pub fn replay(schedule: &Schedule, command: &[OsString], manner: Manner) -> Result<Replayed, Error> {
    let failed = |error: rustix::io::Errno| Error::System("cannot make memory to share", error.into());
    let memory = rustix::fs::memfd_create("raceproof", rustix::fs::MemfdFlags::CLOEXEC).map_err(failed)?;
    let memory = File::from(memory);
    let shared = Shared::new(&memory, schedule)?;
    let name = command.first().cloned().unwrap_or_default();
    let mut program = Command::new(&name);
    program.args(command.iter().skip(1));
    program.env(VARIABLE, format!("/proc/{}/fd/{}", std::process::id(), memory.as_raw_fd()));
    program.env_remove(crate::session::VARIABLE);
    if !manner.shows_output {
        program.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    }
    let child = program.spawn().map_err(|error| Error::Start(name.to_string_lossy().into_owned(), error))?;
    let stops = schedule.stops.len();
    let mut replayed = Replayed { child, shared, stops, outcome: Outcome::Confirmed };
    replayed.outcome = follow(&mut replayed, schedule, manner.patience)?;
    Ok(replayed)
}

fn follow(replayed: &mut Replayed, schedule: &Schedule, patience: Duration) -> Result<Outcome, Error> {
    let (mut progress, mut since) = ((0, 0, 0), Instant::now());
    loop {
        let shared = &replayed.shared;
        let (state, turn, arrived) = (shared.get(16), shared.get(20), shared.get(28));
        let steps = schedule.steps.len();
        match state {
            THERE if schedule.goal == Goal::Race && !shared.races() => {
                return Ok(Outcome::Diverged(APART.into()));
            }
            THERE if !shared.are_there(schedule) => {
                return Ok(Outcome::Diverged("the threads stand at other places of the program".into()));
            }
            THERE => return Ok(Outcome::Confirmed),
            DIVERGED => {
                let (thread, n) = (shared.get(48), shared.get(52));
                return Ok(Outcome::Diverged(format!(
                    "thread {thread} synchronises in another way than in the recording (its operation {n}, after {turn} of \
                     {steps} steps)"
                )));
            }
            _ => {}
        }
        let ended = replayed.child.try_wait();
        let ended = ended.map_err(|error| Error::System("cannot wait for the program", error))?;
        if let Some(status) = ended {
            let why = if shared.get(24) == 0 {
                "the program was not built for recording".to_owned()
            } else {
                format!("the program ended ({status}) after {turn} of {steps} steps")
            };
            return Ok(Outcome::Diverged(why));
        }
        let now = (shared.get(24), turn, arrived);
        if now != progress {
            (progress, since) = (now, Instant::now());
        } else if since.elapsed() > patience {
            let at = format!(
                "{turn} of {steps} steps, {arrived} of {} threads where they should be",
                replayed.stops
            );
            return Ok(Outcome::Diverged(format!("the program does not get on: {at}")));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}
