//! Skeletons: what each strand of a run does, apart from the values.
//!
//! A proof from one run rests on every schedule and every distribution having the same skeleton. Here that is looked at:
//! each strand has a name that is computed from what made it, and a hash of the sequence of its accesses and of the locks
//! that it takes and gives back. Two executions in which the program was given the same values (of ranges, not of inputs
//! without bounds) must have the same strands with the same hashes.
//!
//! *Names.* The thread that `main` began in; a thread: what created it, and how many it had created before; an implicit task:
//! what forked its region, how many it had forked before, the number in the team; a piece: the region, how many constructs came before, the
//! first iteration; a task: what created it, and how many it had created before. Pieces that the source fixes belong to
//! the implicit task, lanes to whoever runs the loop.
//! *Memory* is named by object: global variables by themselves, others by the strand that made them and how many it had
//! made before. In a piece, what belongs to the thread around it goes by what it is there, whoever that is.
//! *Left out*, since no proof says that it is fixed: what lies between the ways of a branch that the proof takes both ways
//! ([`Claim::both_ways`]); the addresses of instructions that depend on the thread ([`Claim::by_thread`]; if a proof does not
//! say which these are, all addresses of pieces and tasks, which are then compared only if a thread of the same number executes them); what an implicit task does between the pieces that it executes,
//! of which there are as many as it was given; initialising and combining the copies of a reduction, which falls on whoever comes
//! first or last; the inner workings of library functions.

use std::sync::Arc;

use ir::{Inst, Module};
use machine::interp::may::Site;
use machine::memory::Memory;
use machine::memory::layout::Layout;
use machine::memory::object::Origin;
use machine::omp::lock::is_reduction_lock;
use machine::{Edge, Pending, ShareKind, Status, Thread, Work};
use rustc_hash::{FxHashMap, FxHashSet};
use xxhash_rust::xxh3::xxh3_64;

/// What a proof says of the skeletons.
#[derive(Debug, Clone, Default)]
pub struct Claim {
    /// Branches that may go either way: function and instruction.
    pub both_ways: FxHashSet<Site>,
    /// Instructions (function << 32 | instruction) whose address depends on the executing thread, if the proof says which.
    pub by_thread: Option<FxHashSet<u64>>,
    /// The instructions between those branches and their joins.
    between: FxHashSet<u64>,
}

impl Claim {
    /// What a proof of this program says.
    pub fn new(module: &Module, both_ways: FxHashSet<Site>, by_thread: Option<FxHashSet<u64>>) -> Claim {
        let mut between = FxHashSet::default();
        for &(func, pc) in &both_ways {
            let Some(body) = module.funcs[func as usize].body.as_ref() else { continue };
            let Some(join) = ir::hammock::join(body, pc) else { continue };
            let mut open = vec![pc];
            while let Some(at) = open.pop() {
                let next = match body.code[at as usize] {
                    Inst::Jump { edge } => vec![body.edges[edge.0 as usize].target],
                    Inst::Branch { then, otherwise, .. } => {
                        [then, otherwise].map(|e| body.edges[e.0 as usize].target).to_vec()
                    }
                    _ => vec![at + 1],
                };
                for to in next.into_iter().filter(|&to| to != join) {
                    if between.insert(instruction(func, to)) {
                        open.push(to);
                    }
                }
            }
        }
        Claim { both_ways, by_thread, between }
    }
}

/// Whether a function is what clang makes of a reduction, for the runtime to call.
fn is_reduction(module: &Module, frame: &machine::thread::Frame) -> bool {
    const MADE: [&str; 5] = [".red_init.", ".red_comb.", ".red_fini.", ".omp_combiner.", ".omp_initializer."];
    let name = &module.funcs[frame.func.0 as usize].name;
    name.starts_with('.') && MADE.iter().any(|made| name.starts_with(made))
}

fn instruction(func: u32, pc: u32) -> u64 {
    u64::from(func) << 32 | u64::from(pc)
}

/// What kind of strand it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Thread,
    Member,
    Piece,
    Task,
}

/// How many things of each kind a strand has made.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    threads: u64,
    regions: u64,
    tasks: u64,
    objects: u64,
    values: u64,
}

#[derive(Debug, Clone)]
struct Strand {
    kind: Kind,
    name: u64,
    /// The region that an implicit task belongs to.
    region: u64,
    /// The numbers in their teams of the threads that executed a piece or task, as a hash.
    seats: u64,
    made: Counts,
    hash: u64,
    events: u64,
}

/// Something that a strand did, for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Event {
    /// The instruction.
    pub at: u64,
    /// What: see [`Skeletons`].
    pub what: u64,
    /// The memory or lock, if it counts.
    pub object: u64,
}

/// A difference between two runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Difference {
    /// The strand.
    pub strand: u64,
    /// How many events it had in the first run and in the second, if it was there.
    pub events: [Option<u64>; 2],
}

/// The skeletons of a run.
#[derive(Debug)]
pub(crate) struct Skeletons {
    claim: Arc<Claim>,
    strands: Vec<Strand>,
    /// Strands by name: pieces are resumed (variables of the last iteration are written back behind the loop).
    named: FxHashMap<u64, usize>,
    tasks: FxHashMap<u32, usize>,
    /// What each thread executes, innermost last.
    threads: Vec<Vec<usize>>,
    /// Pieces on the stacks: the construct, by thread, and whether it is a strand of its own.
    pieces: Vec<Vec<(u32, bool)>>,
    /// Who made the object at an address, and its number there.
    objects: FxHashMap<u64, (usize, u64)>,
    /// Threads that were created and are no members of a team yet, with who created them.
    fresh: FxHashMap<usize, usize>,
    /// The access that was told last: thread, address, the rest.
    access: Option<(usize, u64, Event, u64)>,
    /// The values that the strands were given, as a hash: a proof says of each list of them that skeletons are fixed.
    pub values: u64,
    /// Whether a `taskloop` was split: other splits make other tasks, so that runs cannot be compared.
    split: bool,
    /// A strand whose events are kept.
    follow: Option<u64>,
    /// Its events.
    pub followed: Vec<Event>,
}

const READ: u64 = 0;
const WRITE: u64 = 1;
const ATOMIC: u64 = 2;
const LOCK: u64 = 4;
const SHARED_LOCK: u64 = 5;
const UNLOCK: u64 = 6;

fn mix(words: &[u64]) -> u64 {
    let mut bytes = [0; 64];
    for (i, word) in words.iter().enumerate() {
        bytes[8 * i..8 * i + 8].copy_from_slice(&word.to_le_bytes());
    }
    xxh3_64(&bytes[..8 * words.len()])
}

impl Skeletons {
    /// Before the first instruction; events of the strand `follow` are kept.
    pub fn new(claim: Arc<Claim>, follow: Option<u64>) -> Skeletons {
        let mut skeletons = Skeletons {
            claim,
            strands: Vec::new(),
            named: FxHashMap::default(),
            tasks: FxHashMap::default(),
            threads: Vec::new(),
            pieces: Vec::new(),
            objects: FxHashMap::default(),
            fresh: FxHashMap::default(),
            access: None,
            values: 0,
            split: false,
            follow,
            followed: Vec::new(),
        };
        let main = skeletons.strand(Kind::Thread, mix(&[1]), 0);
        skeletons.push(0, main);
        skeletons
    }

    fn strand(&mut self, kind: Kind, name: u64, region: u64) -> usize {
        let strands = &mut self.strands;
        *self.named.entry(name).or_insert_with(|| {
            strands.push(Strand {
                kind,
                name,
                region,
                seats: 0,
                made: Counts::default(),
                hash: 0,
                events: 0,
            });
            strands.len() - 1
        })
    }

    fn push(&mut self, t: usize, strand: usize) {
        if self.threads.len() <= t {
            self.threads.resize(t + 1, Vec::new());
            self.pieces.resize(t + 1, Vec::new());
        }
        self.threads[t].push(strand);
    }

    fn current(&self, t: usize) -> Option<usize> {
        self.threads.get(t)?.last().copied()
    }

    /// A thread was created.
    fn created(&mut self, t: usize, u: usize) {
        let Some(creator) = self.current(t) else { return };
        self.strands[creator].made.threads += 1;
        let name = mix(&[2, self.strands[creator].name, self.strands[creator].made.threads]);
        let strand = self.strand(Kind::Thread, name, 0);
        self.threads.resize(self.threads.len().max(u + 1), Vec::new());
        self.pieces.resize(self.threads.len(), Vec::new());
        self.threads[u] = vec![strand];
        self.fresh.insert(u, creator);
    }

    /// The structure of the work.
    pub fn work(&mut self, t: usize, th: &Thread, work: &Work) {
        let Some(current) = self.current(t) else { return };
        match work {
            Work::Fork { members, .. } => self.fork(current, t, members),
            Work::Join { .. } => {
                self.threads[t].pop();
            }
            Work::Begin { share, nth, kind, number, open, .. } => {
                let own = *open && *kind != ShareKind::Simd;
                if own {
                    let region = self.strands[current].region;
                    let name = mix(&[4, region, *nth, *number]);
                    let piece = self.strand(Kind::Piece, name, region);
                    self.seat(piece, th);
                    self.push(t, piece);
                }
                self.pieces[t].push((*share, own));
            }
            Work::End { share } => {
                if self.pieces[t].last().is_some_and(|&(s, own)| s == *share && own) {
                    self.threads[t].pop();
                }
                if self.pieces[t].last().is_some_and(|&(s, _)| s == *share) {
                    self.pieces[t].pop();
                }
            }
            Work::TaskCreate { task, .. } => {
                let creator = &mut self.strands[current];
                creator.made.tasks += 1;
                let (name, region) = (mix(&[5, creator.name, creator.made.tasks]), creator.region);
                let strand = self.strand(Kind::Task, name, region);
                self.tasks.insert(*task, strand);
            }
            Work::TaskBegin { task } => {
                if let Some(&strand) = self.tasks.get(task) {
                    self.seat(strand, th);
                    self.push(t, strand);
                }
            }
            Work::TaskEnd { task, .. } if self.tasks.get(task) == Some(&current) => {
                self.threads[t].pop();
            }
            _ => {}
        }
    }

    /// A thread executes a strand that could be another one's.
    fn seat(&mut self, strand: usize, th: &Thread) {
        let strand = &mut self.strands[strand];
        strand.seats = th.omp.seats.iter().fold(strand.seats, |hash, seat| mix(&[hash, seat.number.into()]));
    }

    fn fork(&mut self, forker: usize, t: usize, members: &[usize]) {
        let new = members.iter().filter(|u| self.fresh.remove(u).is_some()).count();
        let strand = &mut self.strands[forker];
        // Whether a team takes new threads or old ones depends on what was there.
        strand.made.threads -= (new as u64).min(strand.made.threads);
        strand.made.regions += 1;
        let region = mix(&[3, strand.name, strand.made.regions]);
        for (number, &u) in members.iter().enumerate() {
            let member = self.strand(Kind::Member, mix(&[3, region, number as u64]), region);
            if u != t {
                self.threads.resize(self.threads.len().max(u + 1), Vec::new());
                self.pieces.resize(self.threads.len(), Vec::new());
                self.threads[u].clear();
                self.pieces[u].clear();
            }
            self.push(u, member);
        }
    }

    /// An object was made.
    pub fn made(&mut self, t: usize, address: u64) {
        let Some(current) = self.current(t) else { return };
        self.strands[current].made.objects += 1;
        self.objects.insert(address, (current, self.strands[current].made.objects));
    }

    /// A `taskloop` is split in one of several ways: its tasks are others then.
    pub fn split_tasks(&mut self) {
        self.split = true;
    }

    /// A thread was given a value that it asked for, one of several.
    pub fn chosen(&mut self, t: usize, value: u32) {
        let Some(current) = self.current(t) else { return };
        let strand = &mut self.strands[current];
        strand.made.values += 1;
        let one = mix(&[9, strand.name, strand.made.values, value.into()]);
        self.values = self.values.wrapping_add(one);
    }

    /// It was decided how a loop is split that a thread is the first to come to: the pieces are others then.
    pub fn split(&mut self, t: usize, th: &Thread, value: u32) {
        let Some(current) = self.current(t) else { return };
        let (region, seat) = (self.strands[current].region, th.omp.seats.last());
        let (nth, size) = seat.map_or((0, 0), |seat| (seat.shares, seat.size));
        let one = mix(&[10, region, nth, size.into(), value.into()]);
        self.values = self.values.wrapping_add(one);
    }

    /// The instruction at which a thread stands, if what it does counts.
    fn counts(&self, module: &Module, t: usize, th: &Thread) -> Option<u64> {
        let frame = th.frames.last()?;
        if module.funcs[frame.func.0 as usize].system || th.frames.iter().any(|f| is_reduction(module, f)) {
            return None;
        }
        let between = |f: &machine::thread::Frame| self.claim.between.contains(&instruction(f.func.0, f.pc));
        if !self.claim.between.is_empty() && th.frames.iter().any(between) {
            return None;
        }
        let at = instruction(frame.func.0, frame.pc);
        if self.claim.by_thread.as_ref().is_some_and(|all| all.contains(&at)) {
            // What a strand does with its thread's own is between the two.
            return None;
        }
        let strand = &self.strands[self.current(t)?];
        let doing = th.omp.seats.last().and_then(|seat| seat.doing.as_ref());
        let idle = doing.is_some_and(|doing| doing.piece.is_none() && !doing.left);
        (strand.kind != Kind::Member || !idle).then_some(at)
    }

    /// Whether addresses of an instruction count.
    fn has_address(&self, t: usize) -> bool {
        match (&self.claim.by_thread, self.current(t).map(|s| self.strands[s].kind)) {
            (Some(_), _) => true,
            (None, Some(Kind::Piece | Kind::Task) | None) => false,
            (None, _) => true,
        }
    }

    /// An access, before [`Skeletons::look`].
    pub fn access(
        &mut self,
        module: &Module,
        t: usize,
        th: &Thread,
        (address, len): (u64, u64),
        (write, atomic): (bool, bool),
    ) {
        // That an operation looks at its lock or barrier is told as often as it is tried.
        if matches!(th.status, Status::At(Pending::Sync(..))) {
            return;
        }
        let Some(at) = self.counts(module, t, th) else { return };
        // Whether an atomic comparison stores is a matter of values.
        let what = match (atomic, write) {
            (true, _) => ATOMIC,
            (false, true) => WRITE,
            (false, false) => READ,
        };
        let event = Event { at, what, object: 0 };
        if self.has_address(t) {
            self.access = Some((t, address, event, len));
        } else {
            self.note(t, event, len);
        }
    }

    /// The memory that the last access touches.
    pub fn look(&mut self, memory: &Memory) {
        let Some((t, address, event, len)) = self.access.take() else { return };
        let object = self.name(memory, t, address);
        self.note(t, Event { object, ..event }, len);
    }

    fn name(&self, memory: &Memory, t: usize, address: u64) -> u64 {
        let Some((_, _, object)) = memory.find(address) else { return address };
        let offset = address.wrapping_sub(object.base);
        if let Origin::ThreadLocal(id) = object.origin {
            return mix(&[7, id.0.into(), offset]);
        }
        let Some(&(maker, number)) = self.objects.get(&object.base) else { return address };
        let stack = &self.threads[t];
        let piece = stack.last().is_some_and(|&s| self.strands[s].kind == Kind::Piece);
        let around = stack.len().checked_sub(2).map(|below| stack[below]);
        let maker = if piece && around == Some(maker) { 0 } else { self.strands[maker].name };
        mix(&[8, maker, number, offset])
    }

    /// A lock is taken or given back.
    pub fn edge(&mut self, module: &Module, t: usize, th: &Thread, edge: Edge) {
        let (lock, what) = match edge {
            Edge::Fork(u) => return self.created(t, u),
            // Tasks that exclude each other take turns in any order, and so do threads that combine.
            Edge::Lock(lock, _) | Edge::Unlock(lock)
                if lock >> 63 != 0 || is_reduction_lock(Layout::new(module.pointer_bytes), lock) =>
            {
                return;
            }
            Edge::Lock(lock, shared) => (lock, if shared { SHARED_LOCK } else { LOCK }),
            Edge::Unlock(lock) => (lock, UNLOCK),
            _ => return,
        };
        let Some(at) = self.counts(module, t, th) else { return };
        // Those of the machine's own are named by tasks and threads.
        let object = if self.has_address(t) && lock >> 62 == 0 { self.lock_name(lock) } else { 0 };
        self.note(t, Event { at, what, object }, 0);
    }

    fn lock_name(&self, lock: u64) -> u64 {
        match self.objects.get(&lock) {
            Some(&(maker, number)) => mix(&[8, self.strands[maker].name, number, 0]),
            None => lock,
        }
    }

    fn note(&mut self, t: usize, event: Event, len: u64) {
        let Some(current) = self.current(t) else { return };
        let strand = &mut self.strands[current];
        strand.events += 1;
        strand.hash = mix(&[strand.hash, event.at, event.what, len, event.object]);
        if self.follow == Some(strand.name) {
            self.followed.push(event);
        }
    }

    /// A strand that differs, if one does.
    pub fn difference(&self, other: &Skeletons) -> Option<Difference> {
        if self.split || other.split {
            return None;
        }
        fn one(skeletons: &Skeletons, name: u64) -> Option<&Strand> {
            let strand = skeletons.named.get(&name).map(|&s| &skeletons.strands[s]);
            strand.filter(|s| s.events > 0)
        }
        // Where a proof does not say what depends on the thread, all of a piece or task may.
        let alike = |a: Option<&Strand>, b: Option<&Strand>| match (a, b) {
            (Some(a), Some(b)) if self.claim.by_thread.is_none() && a.seats != b.seats => true,
            (None, Some(s)) | (Some(s), None) => self.claim.by_thread.is_none() && s.seats != 0,
            _ => a.map(|s| (s.hash, s.events)) == b.map(|s| (s.hash, s.events)),
        };
        let names = self.strands.iter().chain(&other.strands).map(|s| s.name);
        names.into_iter().find_map(|name| {
            let (a, b) = (one(self, name), one(other, name));
            let events = [a.map(|s| s.events), b.map(|s| s.events)];
            (!alike(a, b)).then_some(Difference { strand: name, events })
        })
    }
}
