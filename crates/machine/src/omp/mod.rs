//! The OpenMP runtime: what clang 19 lowers OpenMP to (`__kmpc_*`, `omp_*`), as part of the machine's state.
//!
//! # Model
//!
//! *Teams.* A parallel region's workers are machine threads. Worker `k` of the regions that a thread forks at one nesting
//! depth is always the same thread ([`Omp::pool`]), so that `threadprivate` variables persist; between regions it is
//! [`Status::Parked`] and counts neither for deadlocks nor for the end of the program. Thread 0 of a team is the thread
//! that forked it. Every region has a *home*, an internal object on the forking thread's stack, whose address is its name:
//! it depends on the thread and its stack alone, so equal states look equal.
//!
//! *Barriers, forks and joins* are local operations: arriving passes on the thread's clock through the home, and the
//! last to arrive lets all go on. A barrier is complete when all threads have arrived *and* all tasks of the region
//! are complete. Threads at an explicit barrier and threads at the end of the region do not meet: that is a deadlock.
//!
//! *Distribution.* Each worksharing construct is a [`Share`] of its region, found by how many the thread has come to
//! before. It consists of pieces. `schedule(static, c)` goes round robin; `schedule(static)` makes blocks of nearly equal size,
//! and how it rounds is asked for once ([`sched::Rounding`]). Everywhere else the owner of each piece is asked for ([`Question::Owner`]) when some thread
//! needs to know, so any assignment is one list of answers. In which order a thread executes its own pieces is told in [`order`].
//! Pieces: `dynamic, c` c iterations, `guided, c` the first c and then 1 ([`sched::Split::Guided`]), `auto`, `runtime` without `omp_set_schedule`
//! and no clause at all: 1. `sections`: a section. `single`: one piece.
//!
//! *Locks.* `critical` and `omp_*_lock` are mutexes that belong to tasks ([`lock`]). A reduction is combined by each thread under a lock of that
//! construct's own, at the moment at which it has done its part: reading the variable before the next barrier races.
//!
//! *Tasks* ([`task`]) run as calls on top of a thread that stands at a task scheduling point.
//!
//! *Undo and fingerprint.* [`Omp`] is small and copied before its first change after a mark; a thread's own part
//! ([`Member`]) is saved with the thread. Numbers that only observers see (`serial`) are not part of the fingerprint.
//!
//! # Deviations
//!
//! - Owners are fixed before threads ask for work. With `dynamic`, a chunk may so belong to a thread that never comes
//!   because it waits for that very chunk; a program that relies on whoever is free taking it is shown as a deadlock. For
//!   `single` and the rest the specification allows any thread.
//! - `schedule(static)` rounds in one way in the whole program, for teams of one size.
//! - Nested regions are active up to `omp_set_max_active_levels` (the default is not limited); libomp's default is 1.
//! - The number of threads asked for is delivered (as far as `thread_limit` allows) unless `dyn-var` is true; then 1, 2 and that many are.
//! - Cancellation is disabled (`OMP_CANCELLATION` unset, the default): `cancel` does nothing. With it, `cancel` ends the run as
//!   unknown.
//! - Tasks that were created outside of all regions are complete when main returns; `exit` leaves them undone.
//! - `mergeable` tasks that are undeferred have variables of their own; if they change them, the answer is unknown.
//! - What a thread has suspended in an outer region does not constrain which tasks of an inner team it executes. (All
//!   descend from the task that forked the team; only an untied one on top of a tied stranger makes a difference.)

pub mod combine;
pub mod contention;
mod dead;
pub mod deps;
pub mod doacross;
pub mod entry;
pub mod icv;
pub mod lock;
pub mod modifier;
pub mod order;
pub mod sched;
pub mod share;
pub mod simd;
mod split;
pub mod task;
pub mod team;
pub(crate) mod traits;
pub mod wait;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_128;

use crate::observe::{ShareKind, Work};
use crate::state::Machine;
use crate::stop::Stop;
use crate::sync::Alternatives;
use crate::thread::{Pending, Status, Thread};
pub(crate) use dead::reachable;
use icv::Icv;
use sched::Split;
use task::{Group, Running, Task};

#[allow(unused_imports, reason = "for the documentation")]
use crate::observe::Question;

/// The runtime's state, as far as it does not belong to one thread.
#[derive(Debug, Clone, Default)]
pub struct Omp {
    /// The regions that are being executed, by home.
    pub regions: BTreeMap<u64, Arc<Region>>,
    /// Workers: whose, at which depth of its own regions, with which number.
    pub pool: BTreeMap<(u32, u32, u32), u32>,
    /// How many threads the last team had that a thread forked at a depth, if more than one, and the policy of their affinity. No
    /// threads: what happened since lets no variable of theirs persist.
    pub sizes: BTreeMap<(u32, u32), (u32, u32)>,
    /// Tasks that are not forgotten, by the addresses of their blocks.
    pub tasks: BTreeMap<u64, Arc<Task>>,
    /// Task groups that have not ended.
    pub groups: BTreeMap<u64, Arc<Group>>,
    /// Copies of variables that tasks reduce, where every task has its own ([`crate::Machine::task_copies`]): by the
    /// reduction, the number of the variable in it, and the number of the task.
    pub copies: BTreeMap<(u64, u64, u32), u64>,
    /// How loops are split among so many threads by `schedule(static)`.
    pub blocks: BTreeMap<u64, sched::Rounding>,
    /// Locks of the teams of leagues: which locks of the program they are in which team ([`contention`]). Only for what people call
    /// them: which they are follows from the numbers.
    pub group_locks: BTreeMap<u64, (u64, u32)>,
    /// The tasks that have set locks, by lock; 0 if it was an implicit task that has ended.
    pub lock_tasks: BTreeMap<u64, u64>,
    /// How many tasks there were.
    pub next_task: u32,
    /// How many regions there were.
    pub next_region: u32,
    /// How many worksharing constructs there were.
    pub next_share: u32,
    /// The epoch of the machine's journal in which it was saved last.
    pub saved: u32,
}

/// A parallel region, or a league of teams.
#[derive(Debug, Clone, Default)]
pub struct Region {
    /// Its number in this run.
    pub serial: u32,
    /// Its threads.
    pub members: Vec<u32>,
    /// A league: its members are the initial threads of teams.
    pub league: bool,
    /// How many regions enclose it, itself included.
    pub level: u32,
    /// How many of them have more than one thread.
    pub active: u32,
    /// Numbers of the threads that wait at its barrier, sorted.
    pub arrived: Vec<u32>,
    /// Numbers of the threads that have ended it, sorted.
    pub ended: Vec<u32>,
    /// Worksharing constructs that some thread has begun and not all have left.
    pub shares: VecDeque<Arc<Share>>,
    /// The number of the first of them.
    pub first_share: u64,
    /// Mappings of constructs with reproducible schedules: what makes two of them alike, and the owners of the first pieces,
    /// as far as they are decided.
    pub mappings: Vec<(Alike, Vec<u16>)>,
    /// What the `single` of a `copyprivate` passes on.
    pub copied: u64,
    /// How many of its tasks are not complete.
    pub tasks: u32,
    /// How many of these do more than compute and make tasks ([`traits`]).
    pub loud: u32,
    /// Those that somebody may take, if its locations are free.
    pub ready: BTreeSet<u64>,
    /// The variables of `reduction(task, ...)`, where tasks have copies of their own.
    pub modifiers: Vec<modifier::Modifier>,
    /// Whether there were any.
    pub modified: bool,
    /// Copies of them that were combined, which tasks may still name: where each was, and its variable.
    pub retired: Vec<(u64, u64)>,
    /// What combiners have touched since the last barrier beside the values that they combine.
    pub beside: combine::AllBeside,
    /// Objects through which ended tasks order others; they go with the region.
    pub ends: Vec<u64>,
    /// Who has come to constructs whose last value waits for all.
    pub entries: Vec<entry::Entries>,
}

/// What makes two constructs with reproducible schedules alike: what they are, the schedule, and the split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alike {
    /// The kind of construct.
    pub kind: ShareKind,
    /// The schedule, with the front end's marks.
    pub schedule: u32,
    /// The iterations and chunks.
    pub split: Split,
}

/// One worksharing construct in execution.
#[derive(Debug, Clone)]
pub struct Share {
    /// Its number in this run.
    pub serial: u32,
    /// What it is.
    pub kind: ShareKind,
    /// How the iterations are split into pieces.
    pub split: Split,
    /// Whether who executes a piece is asked for.
    pub open: bool,
    /// Whether a thread executes its pieces in any order ([`order`]).
    pub loose: bool,
    /// Whether pieces that one thread executes may run at the same time (`simd`, `order(concurrent)`).
    pub lanes: bool,
    /// The owners of the first pieces, as far as they are decided and not shared with other constructs.
    pub owners: Vec<u16>,
    /// The mapping that it shares with constructs that are like it: the number in [`Region::mappings`].
    pub mapping: Option<usize>,
    /// How many threads have left it.
    pub left: u32,
    /// The first iteration whose turn at `ordered` is not over.
    pub turn: u64,
    /// Later iterations that have ended without coming to an `ordered` block.
    pub skipped: BTreeSet<u64>,
    /// The loops of a doacross nest: lower bound, step, iterations.
    pub nest: Vec<(i64, i64, u64)>,
    /// Iterations of a doacross nest that have posted.
    pub posted: BTreeSet<u64>,
}

/// A thread's own part of the runtime's state.
#[derive(Debug, Clone, Default)]
pub struct Member {
    /// The regions that it is in, outermost first.
    pub seats: Vec<Seat>,
    /// Whether it is a worker.
    pub worker: bool,
    /// `num_threads` of the next parallel construct.
    pub threads: Option<u32>,
    /// The policy of affinity (`proc_bind`) of the next team; 0 if none was given.
    pub policy: u32,
    /// Whether the task that it executes next, as it makes it, has dependences.
    pub depends: bool,
    /// `num_teams` and `thread_limit` of the next teams construct.
    pub teams: Option<(u32, u32)>,
    /// Control variables outside any region, once they were set.
    pub icv: Option<Icv>,
    /// The `simd` loops that it executes, outermost first; for observers only.
    pub lanes: Vec<simd::Lanes>,
    /// The combiner of a user-defined reduction that it executes.
    pub combining: Option<Box<combine::Combining>>,
    /// What its pieces of a construct touch, where that is looked at.
    pub touched: Option<Box<order::Touched>>,
}

/// A thread's place in a region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seat {
    /// The region's home.
    pub home: u64,
    /// The thread's number in the team.
    pub number: u32,
    /// How many threads the team has.
    pub size: u32,
    /// How many worksharing constructs the thread has come to in this region.
    pub shares: u64,
    /// The worksharing construct that it executes.
    pub doing: Option<Doing>,
    /// Control variables.
    pub icv: Icv,
    /// A doacross nest was announced: the next loop is it.
    pub announced: bool,
    /// The explicit tasks that the thread executes or has suspended, outermost first.
    pub running: Vec<Running>,
    /// The task groups that its implicit task has begun.
    pub groups: Vec<u64>,
    /// Locations that it has taken for the undeferred task that comes next (`mutexinoutset`).
    pub exclusive: Vec<u64>,
    /// The piece with the last iteration of the construct that it executed last, if it was among its own; for observers.
    pub last: Option<Work>,
    /// Whether it writes that iteration's variables back.
    pub writes_back: bool,
    /// What that iteration has left in the thread's frame, if the thread has executed other pieces behind it.
    pub kept: Option<Arc<order::Kept>>,
}

/// How far a thread is with a worksharing construct.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Doing {
    /// The construct's number in the region.
    pub share: u64,
    /// The next piece to look at, where pieces come in the order of the loop.
    pub cursor: u64,
    /// The pieces of its own that it has not begun, in the order of the loop, where they come in any order and it has come to them.
    pub left_over: Option<VecDeque<u64>>,
    /// The iterations of the piece that it executes: the first, and how many.
    pub piece: Option<(u64, u64)>,
    /// How many iterations of the piece are done (ordered loops).
    pub finished: u64,
    /// Where a loop that is given one piece at a time goes on.
    pub resume: Option<Resume>,
    /// Whether the thread is in an `ordered` block.
    pub ordered: bool,
    /// Whether it has left the construct, but not yet said that it ends (`doacross`).
    pub left: bool,
}

/// A loop that is handed out piece by piece, and where its bounds are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Resume {
    /// The addresses of the flag for the last iteration, the lower and the upper bound.
    pub at: [u64; 3],
    /// How many bytes a bound has.
    pub bytes: u8,
    /// The lower bound and the step of the whole loop.
    pub line: (i128, i128),
}

/// The way of a thread whose wait is over that takes no task: the last one.
pub const GO_ON: u32 = u32::MAX;

/// How much of a region's address space its implicit tasks have.
const TASKS: u64 = 1 << 20;

/// What a thread waits for in the runtime.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OmpWait {
    /// The other threads of the team, at a barrier.
    Barrier,
    /// The other threads of the team, at the end of the region.
    Join,
    /// Its turn at an `ordered` block.
    Ordered,
    /// An iteration's `depend(source)`, by its number in the nest.
    Sink(u64),
    /// All threads of the team, to have come to the construct whose last value it is about to write back.
    Entries,
    /// The children of a task.
    Children(u64),
    /// The tasks of a group.
    Group(u64),
    /// The tasks that a task comes after.
    Task(u64),
    /// Nothing: other tasks may go first.
    Yield,
    /// Nothing, behind the creation of a task: others may go first, the new one among them.
    Created,
    /// Nothing, while an undeferred task is being made: others may go first.
    Undeferred(u64),
    /// The tasks of its team, which has no other thread, at a barrier.
    Team,
    /// The same, at the end of the region.
    Serial,
    /// The same, at the end of the program.
    Program,
}

impl Seat {
    /// The place of a thread that has just come into a region.
    pub fn new(home: u64, number: u32, size: u32, icv: Icv) -> Seat {
        let (running, groups, exclusive) = Default::default();
        Seat {
            home,
            number,
            size,
            shares: 0,
            doing: None,
            icv,
            announced: false,
            running,
            groups,
            exclusive,
            last: None,
            writes_back: false,
            kept: None,
        }
    }
}

impl Region {
    /// The construct with that number, if it is still there.
    pub fn share(&self, number: u64) -> Option<&Arc<Share>> {
        self.shares.get(number.checked_sub(self.first_share)? as usize)
    }

    /// The owners of how many pieces of a construct are decided.
    fn owners_known(&self, number: u64) -> u64 {
        let Some(share) = self.share(number) else { return 0 };
        let owners = share.mapping.map_or(&share.owners, |at| &self.mappings[at].1);
        if share.open { owners.len() as u64 } else { share.split.pieces() }
    }

    /// The construct with that number, to be changed.
    pub fn share_mut(&mut self, number: u64) -> Option<&mut Share> {
        let at = number.checked_sub(self.first_share)? as usize;
        self.shares.get_mut(at).map(Arc::make_mut)
    }
}

/// Pushes words into what is hashed.
pub(crate) type Put<'a> = &'a mut dyn FnMut(u64);

fn put_list(put: Put, list: impl ExactSizeIterator<Item = u64>) {
    put(list.len() as u64);
    list.for_each(put);
}

impl Omp {
    /// The hash of everything but the serial numbers.
    pub fn hash(&self, scratch: &mut Vec<u8>) -> u128 {
        if self.regions.is_empty() && self.pool.is_empty() && self.lock_tasks.is_empty() {
            return 0;
        }
        scratch.clear();
        let put: Put = &mut |word: u64| scratch.extend_from_slice(&word.to_le_bytes());
        for (&(master, depth), &(size, policy)) in &self.sizes {
            put(u64::from(master) << 32 | u64::from(depth));
            put(u64::from(size) << 32 | u64::from(policy));
        }
        for (&(master, depth, number), &worker) in &self.pool {
            put(u64::from(master) << 32 | u64::from(depth));
            put(u64::from(number) << 32 | u64::from(worker));
        }
        for (&home, region) in &self.regions {
            put(home);
            region.put(put);
        }
        for (&address, task) in &self.tasks {
            put(address);
            task.put(put);
        }
        for (&address, group) in &self.groups {
            put(address);
            group.put(put);
        }
        for (&size, &rounding) in &self.blocks {
            [size, rounding as u64].into_iter().for_each(&mut *put);
        }
        for (&lock, &task) in &self.lock_tasks {
            [lock, task].into_iter().for_each(&mut *put);
        }
        for (&(reduction, item, _), &copy) in &self.copies {
            [reduction, item, copy].into_iter().for_each(&mut *put);
        }
        xxh3_128(scratch)
    }
}

impl Region {
    fn put(&self, put: Put) {
        put_list(put, self.members.iter().map(|&m| m.into()));
        put(u64::from(self.league) | u64::from(self.level) << 1 | u64::from(self.active) << 32);
        put_list(put, self.arrived.iter().map(|&m| m.into()));
        put_list(put, self.ended.iter().map(|&m| m.into()));
        put(self.copied);
        put(self.tasks.into());
        put(self.shares.len() as u64);
        for share in &self.shares {
            share.put(put);
        }
        for (alike, owners) in &self.mappings {
            put(u64::from(alike.schedule) << 8 | alike.kind as u64);
            alike.split.put(put);
            put_list(put, owners.iter().map(|&o| o.into()));
        }
        self.modifiers.iter().for_each(|m| m.put(put));
        self.retired.iter().for_each(|r| [r.0, r.1].into_iter().for_each(&mut *put));
        self.beside.values().flatten().for_each(|b| b.put(put));
        self.entries.iter().for_each(|e| e.put(self.first_share, put));
    }
}

impl Share {
    fn put(&self, put: Put) {
        let flags = u64::from(self.open) << 8 | u64::from(self.loose) << 9;
        put(self.kind as u64 | flags | u64::from(self.left) << 32);
        self.split.put(put);
        put_list(put, self.owners.iter().map(|&o| o.into()));
        put(self.turn);
        put_list(put, self.skipped.iter().copied());
        put_list(put, self.posted.iter().copied());
        put(self.nest.len() as u64);
        for &(lower, step, count) in &self.nest {
            [lower as u64, step as u64, count].into_iter().for_each(&mut *put);
        }
    }
}

impl Member {
    /// Writes down the thread's part for its hash.
    pub(crate) fn put(&self, regions: &BTreeMap<u64, Arc<Region>>, put: Put) {
        let Member { seats, worker, threads, depends, teams, icv, lanes: _, combining, touched: _, policy } =
            self;
        put((*depends).into());
        if seats.is_empty()
            && !worker
            && icv.is_none()
            && threads.is_none()
            && teams.is_none()
            && *policy == 0
        {
            return;
        }
        put(seats.len() as u64 | u64::from(*worker) << 32);
        put(threads.map_or(0, |n| u64::from(n) + 1) | u64::from(*policy) << 40);
        put(teams.map_or(0, |(n, limit)| u64::from(n) << 32 | u64::from(limit) | 1 << 63));
        if let Some(icv) = icv {
            icv.put(put);
        }
        if let Some(combining) = combining {
            combining.put(put);
        }
        for seat in seats {
            let first = regions.get(&seat.home).map_or(0, |r| r.first_share);
            put(seat.home);
            put(u64::from(seat.number) << 32 | u64::from(seat.size) << 1 | u64::from(seat.announced));
            put(seat.shares.wrapping_sub(first));
            seat.icv.put(put);
            put_list(put, seat.groups.iter().copied());
            put_list(put, seat.exclusive.iter().copied());
            put(seat.running.len() as u64);
            seat.running.iter().for_each(|r| r.put(put));
            if let Some(kept) = &seat.kept {
                kept.put(put);
            }
            if let Some(doing) = &seat.doing {
                put(1);
                doing.put(first, put);
            }
        }
    }
}

impl Doing {
    fn put(&self, first: u64, put: Put) {
        put(self.share.wrapping_sub(first));
        put(self.cursor);
        let left = self.left_over.as_ref().map_or(0, |left| left.len() as u64 + 1);
        put(left);
        self.left_over.iter().flatten().for_each(|&piece| put(piece));
        put(self.piece.map_or(u64::MAX, |p| p.0));
        put(self.piece.map_or(0, |p| p.1));
        put(self.finished << 2 | u64::from(self.ordered) << 1 | u64::from(self.left));
    }
}

fn is_in_estate(home: u64, address: u64) -> bool {
    address.wrapping_sub(team::estate(home)) < team::ESTATE
}

impl OmpWait {
    /// A tag and a word that tell it from all others.
    pub(crate) fn words(self) -> (u64, u64) {
        match self {
            OmpWait::Barrier => (0, 0),
            OmpWait::Join => (1, 0),
            OmpWait::Ordered => (2, 0),
            OmpWait::Sink(iteration) => (3, iteration),
            OmpWait::Children(task) => (4, task),
            OmpWait::Group(group) => (5, group),
            OmpWait::Task(task) => (6, task),
            OmpWait::Yield => (7, 0),
            OmpWait::Created => (8, 0),
            OmpWait::Undeferred(task) => (9, task),
            OmpWait::Team => (10, 0),
            OmpWait::Serial => (11, 0),
            OmpWait::Program => (12, 0),
            OmpWait::Entries => (13, 0),
        }
    }
}

impl Machine<'_> {
    /// What people call an object of the runtime's own.
    pub fn runtime_object(&self, address: u64) -> Option<&'static str> {
        let found = self.omp.regions.iter().find(|(h, _)| address == **h || is_in_estate(**h, address));
        let Some((&home, _)) = found else {
            return (address >> 63 != 0).then_some("the order of tasks");
        };
        Some(match address.wrapping_sub(team::estate(home)) {
            _ if address == home => "the team's barrier",
            lock::REDUCTIONS.. => "the reduction",
            ..TASKS => "the order of tasks",
            _ => "the order of iterations",
        })
    }

    /// How a thread that waits for something of the runtime's can go on.
    pub(crate) fn omp_alternatives(&self, th: &Thread, wait: OmpWait) -> Alternatives {
        let tasks = self.takeable(th, wait).count() as u32;
        Alternatives { count: tasks + u32::from(self.wait_is_over(th, wait)), spurious: false }
    }

    /// Whether a thread has any way to go on at a scheduled operation, other than a spurious wake-up. Quicker than counting.
    pub fn can_go_on(&self, t: usize) -> bool {
        let th = &self.threads[t];
        let alone = self.exited.is_none() && self.holder.is_none();
        if let (Status::At(Pending::Omp(wait)), true) = (th.status, alone) {
            return self.wait_is_over(th, wait) || self.takeable(th, wait).next().is_some();
        }
        let ways = self.alternatives(t);
        ways.count > 0 && !ways.spurious
    }

    /// The numbers of the tasks that a waiting thread may take, by the ways in which it goes on; and whether it may go on
    /// without one, in the way behind them.
    pub fn task_ways(&self, t: usize) -> (Vec<u32>, bool) {
        let th = &self.threads[t];
        let Status::At(Pending::Omp(wait)) = th.status else { return (Vec::new(), false) };
        let serial = |task: u64| self.omp.tasks.get(&task).map_or(0, |task| task.serial);
        (self.takeable(th, wait).map(serial).collect(), self.wait_is_over(th, wait))
    }

    /// The number of the task that a waiting thread takes if it goes on that way.
    pub fn task_of_way(&self, t: usize, way: u32) -> Option<u32> {
        let th = &self.threads[t];
        let Status::At(Pending::Omp(wait)) = th.status else { return None };
        let task = self.takeable(th, wait).nth(way as usize)?;
        self.omp.tasks.get(&task).map(|task| task.serial)
    }

    /// The address of that task: the same in every schedule.
    pub fn taken_in_way(&self, t: usize, way: u32) -> Option<u64> {
        let th = &self.threads[t];
        let Status::At(Pending::Omp(wait)) = th.status else { return None };
        self.takeable(th, wait).nth(way as usize)
    }

    /// Whether the task that a waiting thread takes in the given way is tied to the thread.
    pub fn is_tied_way(&self, t: usize, way: u32) -> bool {
        let th = &self.threads[t];
        let Status::At(Pending::Omp(wait)) = th.status else { return true };
        let task = self.takeable(th, wait).nth(way as usize).and_then(|task| self.omp.tasks.get(&task));
        task.is_none_or(|task| task.flags & task::TIED != 0)
    }

    /// Whether a wait is over without a decision of the schedule.
    pub(crate) fn omp_is_local(&self, th: &Thread, wait: OmpWait) -> bool {
        self.wait_is_over(th, wait)
            && !self.wait_takes(wait)
            && self.takeable(th, wait).next().is_none()
            && !self.others_may_come(th, wait)
    }

    /// Whether a thread's wait, which is over, is that behind the creation of a task.
    pub fn is_creation(&self, t: usize) -> bool {
        matches!(self.threads[t].status, Status::At(Pending::Omp(OmpWait::Created | OmpWait::Undeferred(_))))
    }

    /// Takes a task while the thread waits, or ends the wait.
    pub(crate) fn perform_omp(
        &mut self,
        t: usize,
        th: &mut Thread,
        wait: OmpWait,
        alternative: u32,
    ) -> Result<(), Stop> {
        let taken =
            if alternative == GO_ON { None } else { self.takeable(th, wait).nth(alternative as usize) };
        if let Some(task) = taken {
            return self.take_task(t, th, task, wait);
        }
        match wait {
            OmpWait::Children(task) => self.children_done(t, th, task),
            OmpWait::Group(group) => self.group_done(t, th, group),
            OmpWait::Task(task) => self.dependences_done(t, th, task),
            OmpWait::Yield | OmpWait::Created => self.done(th, 0),
            OmpWait::Undeferred(task) => {
                self.begin_undeferred(t, th, task)?;
                self.done(th, 0);
            }
            // Whoever comes last lets the others go on.
            OmpWait::Barrier | OmpWait::Join => {}
            OmpWait::Team => {
                self.team_tasks_done(t, th);
                self.done(th, 0);
            }
            OmpWait::Serial => {
                self.team_tasks_done(t, th);
                self.end_serial(t, th)?;
                self.done(th, 0);
            }
            OmpWait::Program => {
                self.team_tasks_done(t, th);
                th.status = Status::Ready;
            }
            OmpWait::Ordered => self.take_turn(t, th),
            OmpWait::Sink(iteration) => self.sink(t, th, iteration),
            OmpWait::Entries => self.entries_done(t, th),
        }
        Ok(())
    }

    /// A function that the runtime called has returned.
    pub(crate) fn runtime_call_returned(&mut self, t: usize, th: &mut Thread) -> Result<(), Stop> {
        if th.omp.seats.last().is_some_and(|s| !s.running.is_empty()) {
            return self.task_returned(t, th);
        }
        self.implicit_task_ends(t, th)
    }
}
