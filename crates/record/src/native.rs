//! Native replay: a real program is brought to the events that a witness ends in.
//!
//! A witness is a reordering of a recorded run. Of its events those that synchronise become *steps*, in their order: the
//! runtime (`runtime/replay.c`) lets a thread synchronise only when it is its turn, and holds a thread that has done what the witness
//! has of it. The events at the end become *stops*: each thread is held directly before its own. If all stand there, and (for a race) the memory
//! that they are about to access overlaps and one of them writes, the finding is confirmed on the program itself.
//!
//! Threads are known by who created them and as which child, events by how often their thread has synchronised before and how much it has
//! done since. A program whose threads depend on anything else (input, time, a race on the way) may leave the schedule:
//! that is said, and never counted as a confirmation.
//!
//! The memory that both share is described in `runtime/replay.h`.

use std::ffi::OsString;
use std::fs::File;
use std::os::fd::AsRawFd;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use memmap2::MmapMut;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use trace::EventId;

use crate::Error;
use crate::layout::Op;
use crate::reduce::Reduced;
use crate::run::{Run, Sync};

/// The variable that tells the runtime where its schedule is.
pub const VARIABLE: &str = "RACEPROOF_REPLAY";

const MAGIC: u64 = 0x3159_414c_5045_5252;
const STOPS: usize = 16;
const STOPS_AT: usize = 128;
const STOP_BYTES: usize = 64;
const BODY_AT: usize = STOPS_AT + STOPS * STOP_BYTES;
const DECISION_BYTES: usize = 24;
const NONE: u32 = u32::MAX;
const THERE: u32 = 1;
const DIVERGED: u32 = 2;
const WRITES: u32 = 1;
const SYNCS: u32 = 4;

/// How a thread is known: whose child, and which of them. Without a parent: the how manieth of the OpenMP runtime's threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Creation {
    /// The parent's number.
    pub parent: Option<u32>,
    /// Which of its children, from 0.
    pub index: u32,
}

/// An operation that has its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The thread's number.
    pub thread: u32,
    /// How many operations it has done before.
    pub n: u32,
    /// Which operation (`layout.h`).
    pub op: u32,
}

/// What OpenMP's runtime has decided for a thread: who executes a `single`, who gets which iterations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// The thread's number.
    pub thread: u32,
    /// [`Op::Single`] or [`Op::Chunk`] (`layout.h`).
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
    /// The thread's number.
    pub thread: u32,
    /// How many operations it has done before.
    pub n: u32,
    /// How much it has done since the last of them.
    pub k: u32,
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
    /// The threads by number.
    pub threads: Vec<Creation>,
    /// The order of synchronisation.
    pub steps: Vec<Step>,
    /// By thread, and in the order of each.
    #[serde(default)]
    pub decisions: Vec<Decision>,
    /// Where it leads.
    pub stops: Vec<Stop>,
}

/// Whether an operation can be ordered by the runtime.
fn has_turn(op: Op) -> bool {
    use Op::{
        Acquire, AcquireShared, Barrier, Fork, Join, Load, Notify, Release, ReleaseShared, Store, Update,
        Wait,
    };
    matches!(
        op,
        Fork | Join
            | Acquire
            | Release
            | AcquireShared
            | ReleaseShared
            | Notify
            | Wait
            | Barrier
            | Load
            | Store
            | Update
    )
}

/// Whether an operation counts for where a thread is: not memory, and not what only says that something ended.
fn counts(op: Op) -> bool {
    use Op::{
        Chunk, Implicit, ParallelBegin, ParallelEnd, RegionBegin, RegionEnd, Single, TaskCreate, TaskSchedule,
    };
    has_turn(op)
        || matches!(
            op,
            ParallelBegin
                | ParallelEnd
                | Implicit
                | TaskCreate
                | TaskSchedule
                | RegionBegin
                | RegionEnd
                | Single
                | Chunk
        )
}

impl Schedule {
    /// The schedule of a witness, without its last events, that leads to these events.
    pub fn new(
        run: &Run,
        reduced: &Reduced,
        goal: Goal,
        prefix: &[EventId],
        ends: &[EventId],
    ) -> Result<Schedule, &'static str> {
        let counted: Vec<Vec<&Sync>> = run
            .threads
            .iter()
            .map(|thread| thread.syncs.iter().filter(|sync| counts(sync.op)).collect())
            .collect();
        let place = |id: EventId| {
            let origin = reduced.origins[id.index()];
            let list = &counted[origin.thread as usize];
            let n = list.partition_point(|sync| sync.k < origin.k);
            (origin, list, n)
        };
        let mut steps = Vec::new();
        let mut seen = FxHashSet::default();
        // How far the witness has each thread.
        let mut until: Vec<usize> = vec![0; run.threads.len()];
        for &id in prefix {
            let (origin, list, n) = place(id);
            let far = &mut until[origin.thread as usize];
            *far = n.max(*far);
            let sync = list.get(n).filter(|sync| sync.k == origin.k && has_turn(sync.op));
            if let Some(sync) = sync.filter(|_| seen.insert((origin.thread, n))) {
                steps.push(Step { thread: origin.thread, n: n as u32, op: sync.op as u32 });
            }
        }
        let mut stops: Vec<Stop> = Vec::new();
        for &id in ends {
            let (origin, list, n) = place(id);
            let since = n.checked_sub(1).map_or(0, |last| list[last].k);
            let k =
                u32::try_from(origin.k - since).map_err(|_| "the run is too long between two operations")?;
            if stops.iter().any(|stop| stop.thread == origin.thread) {
                return Err("one thread of the run does both");
            }
            stops.push(Stop { thread: origin.thread, n: n as u32, k });
            until[origin.thread as usize] = n;
        }
        if stops.len() > STOPS {
            return Err("too many threads are part of it");
        }
        // Of a read-modify-write at the end the witness has the reading half already.
        steps.retain(|step| !stops.iter().any(|stop| (stop.thread, stop.n) == (step.thread, step.n)));
        if !in_order(&steps, &stops) {
            return Err("threads of the program do not do it in this order: tasks were reordered");
        }
        let decisions = decisions(&counted, &until);
        Ok(Schedule { goal, threads: creations(run), steps, decisions, stops })
    }
}

/// What was decided for each thread, among its first operations that count.
fn decisions(counted: &[Vec<&Sync>], until: &[usize]) -> Vec<Decision> {
    let of_thread = |(thread, (list, until)): (u32, (&Vec<&Sync>, &usize))| {
        let decided = list[..*until].iter().filter(|sync| matches!(sync.op, Op::Single | Op::Chunk));
        let decision = |sync: &&Sync| Decision {
            thread,
            op: sync.op as u32,
            flag: u32::from(sync.flag),
            first: sync.argument,
            more: sync.object,
        };
        decided.map(decision).collect::<Vec<Decision>>()
    };
    (0..).zip(counted.iter().zip(until)).flat_map(of_thread).collect()
}

/// Whether each thread's steps come in its own order, and its stop behind them.
fn in_order(steps: &[Step], stops: &[Stop]) -> bool {
    let mut last: rustc_hash::FxHashMap<u32, u32> = Default::default();
    steps.iter().all(|step| last.insert(step.thread, step.n).is_none_or(|before| before < step.n))
        && stops.iter().all(|stop| last.get(&stop.thread).is_none_or(|&before| before < stop.n))
}

fn creations(run: &Run) -> Vec<Creation> {
    let mut found: Vec<Option<Creation>> = vec![None; run.threads.len()];
    for (parent, thread) in (0..).zip(&run.threads) {
        let forks = thread.syncs.iter().filter(|sync| sync.op == Op::Fork);
        for (index, fork) in (0..).zip(forks) {
            if let Some(child) = found.get_mut(fork.argument as usize) {
                *child = Some(Creation { parent: Some(parent), index });
            }
        }
    }
    let mut orphans = 0;
    let creation = |(number, found): (usize, Option<Creation>)| {
        found.unwrap_or_else(|| {
            // The first thread is nobody's child either; no creation looks for its number.
            let index = if number == 0 { NONE } else { orphans };
            orphans += u32::from(number > 0);
            Creation { parent: None, index }
        })
    };
    found.into_iter().enumerate().map(creation).collect()
}

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
        let steps_at = BODY_AT + 16 * schedule.threads.len();
        let decisions_at = steps_at + 16 * schedule.steps.len();
        let bytes = (decisions_at + DECISION_BYTES * schedule.decisions.len()).max(4096);
        memory.set_len(bytes as u64).map_err(failed)?;
        // SAFETY: the file has no name, is as long as the map, and is never shortened; both sides use atomics.
        let map = unsafe { MmapMut::map_mut(memory) }.map_err(failed)?;
        let shared = Shared { map };
        let counts = [schedule.steps.len(), schedule.stops.len(), schedule.threads.len()].map(|n| n as u32);
        shared.set(32, &counts);
        for (i, stop) in schedule.stops.iter().enumerate() {
            shared.set(STOPS_AT + i * STOP_BYTES, &[stop.thread, stop.n, stop.k]);
        }
        let mut next = vec![NONE; schedule.threads.len()];
        for (i, step) in schedule.steps.iter().enumerate().rev() {
            let own = next.get_mut(step.thread as usize);
            let following = own.map_or(NONE, |own| std::mem::replace(own, i as u32));
            shared.set(steps_at + 16 * i, &[step.thread, step.n, step.op, following]);
        }
        for (i, thread) in schedule.threads.iter().enumerate() {
            let parent = thread.parent.unwrap_or(NONE);
            let decision = schedule.decisions.partition_point(|decision| (decision.thread as usize) < i);
            shared.set(BODY_AT + 16 * i, &[parent, thread.index, next[i], decision as u32]);
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
                return Ok(Outcome::Diverged("the two threads stand at accesses to different memory".into()));
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
