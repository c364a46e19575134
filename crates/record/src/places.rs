//! Where events are in a run, in words that hold in another run of the program too: by task, not by the thread that happened
//! to execute it.
//!
//! A *strand* is what a thread of the trace is: a thread of the program, an implicit or an explicit task of OpenMP. It is known
//! by who created it and as which child. Its operations that count are numbered (`n`), and between them everything that the
//! program itself does has one tick. What depends on who executes whom does neither: switches between tasks, memory that the
//! runtime or the C library asks for. `runtime/replay.c` counts in the same way.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use crate::layout::Op;
use crate::native::{Decision, Step};
use crate::order::Meaning;
use crate::run::{Run, Sync};

/// How a strand came to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u32)]
pub enum Kind {
    /// The first thread.
    First = 0,
    /// A thread that the program created.
    Thread,
    /// A thread of the OpenMP runtime, or of nobody that is known: the how manieth of them.
    Foreign,
    /// An implicit task: of which of the parent's regions, and which member of the team.
    Implicit,
    /// An explicit task.
    Task,
}

/// How a strand is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Creation {
    /// Its number.
    pub number: u32,
    /// Of what kind.
    pub kind: Kind,
    /// The parent's number; of a foreign thread and the first one 0.
    pub parent: u32,
    /// Which of the parent's children of this kind, or regions, from 0.
    pub index: u32,
    /// Which member of the team, from 0.
    pub member: u32,
}

/// A place of a strand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    /// The strand.
    pub strand: u32,
    /// How many operations that count it has done before.
    pub n: u32,
    /// How many ticks since the last of them.
    pub ticks: u64,
}

/// A decision of OpenMP's runtime in the run.
#[derive(Debug, Clone, Copy)]
struct Decided {
    /// How many operations that count the strand has done before.
    n: u32,
    /// The global number.
    seq: u64,
    decision: Decision,
}

/// A loop that OpenMP's runtime hands out, as one member of a team meets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meets {
    /// The member.
    pub strand: u32,
    /// How many operations that count it has done before.
    pub n: u32,
    /// The global number of its first chunk.
    pub seq: u64,
}

/// The places of a run.
pub struct Places {
    /// For each thread of the program, after each of its records of synchronisation.
    after: Vec<Vec<Spot>>,
    creations: FxHashMap<u32, Creation>,
    /// What OpenMP's runtime decided for each strand.
    decisions: FxHashMap<u32, Vec<Decided>>,
    /// How many members the team of a strand has.
    teams: FxHashMap<u32, u32>,
}

/// Whether an operation can be ordered by a replay.
pub fn has_turn(op: Op) -> bool {
    use Op::{
        Acquire, AcquireShared, Barrier, Fork, Join, Load, Notify, Release, ReleaseShared, Store, Update,
        Wait,
    };
    let locks = matches!(op, Acquire | Release | AcquireShared | ReleaseShared);
    locks || matches!(op, Fork | Join | Notify | Wait | Barrier | Load | Store | Update)
}

/// Whether an operation counts for where a strand is: not memory, and not what only says that something ended.
fn counts(op: Op) -> bool {
    use Op::{Chunk, Implicit, ParallelBegin, ParallelEnd, RegionBegin, RegionEnd, Single, TaskCreate};
    let openmp = matches!(op, ParallelBegin | ParallelEnd | Implicit | TaskCreate | RegionBegin | RegionEnd);
    has_turn(op) || openmp || matches!(op, Single | Chunk)
}

/// Goes through the records of a run.
struct Finder<'a> {
    run: &'a Run,
    meaning: Meaning,
    places: Places,
    /// For each thread of the program the first clock behind its last record.
    clock: Vec<u64>,
    /// For each strand how many operations count so far, and the ticks since.
    done: FxHashMap<u32, (u32, u64)>,
    /// How many children of each kind a strand has.
    children: FxHashMap<(u32, u32), u32>,
    /// Regions by number: the strand that met it, which of its regions it is, members so far.
    regions: FxHashMap<u64, (u32, u32, Vec<u32>)>,
    /// Code whose memory is not the program's.
    quiet: Vec<(u64, u64)>,
}

impl Places {
    /// Finds them.
    pub fn of(run: &Run) -> Places {
        let mut all: Vec<(u32, &Sync)> = Vec::new();
        for (number, thread) in (0..).zip(&run.threads) {
            all.extend(thread.syncs.iter().map(|sync| (number, sync)));
        }
        all.sort_unstable_by_key(|(_, sync)| sync.seq);
        let places = Places {
            after: vec![Vec::new(); run.threads.len()],
            creations: FxHashMap::default(),
            decisions: FxHashMap::default(),
            teams: FxHashMap::default(),
        };
        let mut finder = Finder {
            run,
            meaning: Meaning::of(run),
            places,
            clock: vec![1; run.threads.len()],
            done: FxHashMap::default(),
            children: FxHashMap::default(),
            regions: FxHashMap::default(),
            quiet: quiet(run),
        };
        let mut acts = Vec::new();
        for (native, sync) in all {
            let before = finder.meaning.current(native);
            finder.meaning.step(native, sync, &mut acts);
            acts.clear();
            finder.record(native, sync, before);
        }
        finder.foreign();
        finder.places
    }

    /// The place of what a thread of the program does at its clock; with the record, if that is one.
    pub fn at<'a>(&self, run: &'a Run, native: u32, k: u64) -> (Spot, Option<&'a Sync>) {
        let syncs = &run.threads[native as usize].syncs;
        let next = syncs.partition_point(|sync| sync.k < k);
        let (mut spot, base) = match next.checked_sub(1) {
            Some(last) => (self.after[native as usize][last], syncs[last].k + 1),
            None => (Spot { strand: native, n: 0, ticks: 0 }, 1),
        };
        spot.ticks += k.saturating_sub(base);
        (spot, syncs.get(next).filter(|sync| sync.k == k))
    }

    /// How these strands are known, and those that created them, by number.
    pub fn creations(&self, strands: impl Iterator<Item = u32>) -> Vec<Creation> {
        let mut found: FxHashMap<u32, Creation> = FxHashMap::default();
        for strand in strands {
            let mut next = Some(strand);
            while let Some(creation) = next.and_then(|number| self.creations.get(&number)) {
                let known = found.insert(creation.number, *creation).is_some();
                let has_parent = !known && !matches!(creation.kind, Kind::First | Kind::Foreign);
                next = has_parent.then_some(creation.parent);
            }
        }
        let mut found: Vec<Creation> = found.into_values().collect();
        found.sort_unstable_by_key(|creation| creation.number);
        found
    }

    /// What was decided for a strand before its n-th operation, and a little more: what it does beyond a witness before it synchronises.
    pub fn decisions(&self, strand: u32, n: u32) -> impl Iterator<Item = Decision> {
        const MORE: usize = 1000;
        let of_strand = self.decisions.get(&strand).map(Vec::as_slice).unwrap_or_default();
        let until = of_strand.partition_point(|decided| decided.n < n);
        of_strand.iter().take(until + MORE).map(|decided| decided.decision)
    }

    /// What was decided for a strand before its n-th operation.
    pub fn decided_before(&self, strand: u32, n: u32) -> impl Iterator<Item = Decision> {
        let of_strand = self.decisions.get(&strand).map(Vec::as_slice).unwrap_or_default();
        of_strand.iter().take_while(move |decided| decided.n < n).map(|decided| decided.decision)
    }

    /// One of the decisions of a strand, and how its team meets the loop that it is of.
    pub fn loop_of(&self, strand: u32, number: usize) -> Option<(Decision, Vec<Meets>)> {
        let own = self.decisions.get(&strand)?;
        let ends =
            |decided: &&Decided| decided.decision.op == Op::Chunk as u32 && decided.decision.flag & 1 == 0;
        let index = own[..number].iter().filter(ends).count();
        let mates = self.team_mates(std::iter::once(strand));
        let meets = |mate: u32| {
            let of_mate = self.decisions.get(&mate)?;
            let after = match index {
                0 => 0,
                _ => 1 + of_mate.iter().enumerate().filter(|(_, d)| ends(d)).nth(index - 1)?.0,
            };
            let first = of_mate[after..].iter().find(|d| d.decision.op == Op::Chunk as u32)?;
            Some(Meets { strand: mate, n: first.n, seq: first.seq })
        };
        Some((own.get(number)?.decision, mates.into_iter().filter_map(meets).collect()))
    }

    /// The operations of a run that have turns, in its order: global number and step.
    pub fn turns(&self, run: &Run) -> Vec<(u64, Step)> {
        let mut found = Vec::new();
        for (native, thread) in (0..).zip(&run.threads) {
            for sync in thread.syncs.iter().filter(|sync| has_turn(sync.op)) {
                let (Spot { strand, n, .. }, _) = self.at(run, native, sync.k);
                found.push((sync.seq, Step { strand, n, op: sync.op as u32 }));
            }
        }
        found.sort_unstable_by_key(|(seq, _)| *seq);
        found
    }

    /// How many operations that count each strand has done before this global number.
    pub fn done_before(&self, run: &Run, seq: u64) -> FxHashMap<u32, u32> {
        let mut done: FxHashMap<u32, u32> = FxHashMap::default();
        for (thread, after) in run.threads.iter().zip(&self.after) {
            for (_, spot) in thread.syncs.iter().zip(after).take_while(|(sync, _)| sync.seq < seq) {
                done.entry(spot.strand).and_modify(|n| *n = spot.n.max(*n)).or_insert(spot.n);
            }
        }
        done
    }

    /// The members of the teams that these strands are members of: they execute the tasks.
    pub fn team_mates(&self, strands: impl Iterator<Item = u32>) -> Vec<u32> {
        let team = |number: &u32| {
            let creation = self.creations.get(number).filter(|creation| creation.kind == Kind::Implicit);
            creation.map(|creation| (creation.parent, creation.index))
        };
        let teams: FxHashSet<(u32, u32)> = strands.filter_map(|strand| team(&strand)).collect();
        let decided = self.decisions.keys().copied();
        decided.filter(|strand| team(strand).is_some_and(|team| teams.contains(&team))).collect()
    }

    /// Whether a strand is of a team of one thread, so that nothing of the team is beside it.
    pub fn is_alone(&self, strand: u32) -> bool {
        self.teams.get(&strand).is_some_and(|members| *members < 2)
    }
}

/// Where the C library and OpenMP's runtime are: who asks for memory there depends on who comes first.
fn quiet(run: &Run) -> Vec<(u64, u64)> {
    let concerns = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        ["libc.so", "libomp", "libiomp", "libarcher"].iter().any(|start| name.starts_with(start))
    };
    run.modules.iter().filter(|module| concerns(&module.path)).map(|m| (m.from, m.to)).collect()
}

impl Finder<'_> {
    /// Whether a record that does not count has a tick.
    fn ticks(&self, sync: &Sync) -> bool {
        let pc = self.run.site(sync.site).pc;
        let memory = matches!(sync.op, Op::Alloc | Op::Free);
        !matches!(sync.op, Op::DeadStack | Op::TaskSchedule | Op::Asked | Op::OwnMemory)
            && !(memory && self.quiet.iter().any(|(from, to)| (*from..*to).contains(&pc)))
    }

    fn next_child(&mut self, parent: u32, kind: Kind) -> u32 {
        let count = self.children.entry((parent, kind as u32)).or_default();
        *count += 1;
        *count - 1
    }

    fn record(&mut self, native: u32, sync: &Sync, before: u32) {
        let strand = self.meaning.current(native);
        let behind = std::mem::replace(&mut self.clock[native as usize], sync.k + 1);
        self.done.entry(before).or_default().1 += sync.k - behind;
        let quiet = !self.ticks(sync);
        let (n, ticks) = self.done.entry(strand).or_default();
        if counts(sync.op) {
            let decided = matches!(sync.op, Op::Single | Op::Chunk).then_some(*n);
            (*n, *ticks) = (*n + 1, 0);
            if let Some(n) = decided {
                let (op, flag) = (sync.op as u32, u32::from(sync.flag));
                let decision = Decision { strand, op, flag, first: sync.argument, more: sync.object };
                let decided = Decided { n, seq: sync.seq, decision };
                self.places.decisions.entry(strand).or_default().push(decided);
            }
        } else if !quiet {
            *ticks += 1;
        }
        let (n, ticks) = self.done[&strand];
        self.places.after[native as usize].push(Spot { strand, n, ticks });
        self.creation(sync, strand);
    }

    /// What the record creates.
    fn creation(&mut self, sync: &Sync, strand: u32) {
        match sync.op {
            Op::Fork => {
                let number = sync.argument as u32;
                let index = self.next_child(strand, Kind::Thread);
                self.known(number, Kind::Thread, (strand, index, 0));
            }
            Op::ParallelBegin => {
                let index = self.next_child(strand, Kind::Implicit);
                self.regions.insert(sync.object, (strand, index, Vec::new()));
            }
            Op::Implicit => {
                let (region, member) = (sync.object & 0xffff_ffff, (sync.object >> 32) as u32);
                if let Some((parent, index, members)) = self.regions.get_mut(&region) {
                    members.push(strand);
                    let of = (*parent, *index, member);
                    self.known(strand, Kind::Implicit, of);
                }
            }
            Op::ParallelEnd => {
                if let Some((_, _, members)) = self.regions.remove(&sync.object) {
                    let size = members.len() as u32;
                    self.places.teams.extend(members.into_iter().map(|member| (member, size)));
                }
            }
            Op::TaskCreate => {
                let index = self.next_child(strand, Kind::Task);
                if let Some(number) = self.meaning.task(sync.argument) {
                    self.known(number, Kind::Task, (strand, index, 0));
                }
            }
            _ => {}
        }
    }

    fn known(&mut self, number: u32, kind: Kind, (parent, index, member): (u32, u32, u32)) {
        self.places.creations.insert(number, Creation { number, kind, parent, index, member });
    }

    /// Threads that nobody created are numbered as they came.
    fn foreign(&mut self) {
        self.known(0, Kind::First, (0, 0, 0));
        let mut index = 0;
        for number in 1..self.run.threads.len() as u32 {
            if !self.places.creations.contains_key(&number) {
                self.known(number, Kind::Foreign, (0, index, 0));
                index += 1;
            }
        }
        // The team of a task is that of the implicit task that it descends from.
        let tasks: Vec<Creation> =
            self.places.creations.values().filter(|c| c.kind == Kind::Task).copied().collect();
        for task in tasks {
            let mut parent = task.parent;
            while let Some(up) = self.places.creations.get(&parent).filter(|up| up.kind == Kind::Task) {
                parent = up.parent;
            }
            let members = self.places.teams.get(&parent).copied().unwrap_or(1);
            self.places.teams.insert(task.number, members);
        }
    }
}
