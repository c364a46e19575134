//! What one thread of the run did that another distribution gives to two threads: iterations of loops that OpenMP's runtime hands
//! out, and what tasks depend on their thread for.
//!
//! *Tasks.* Each is a thread of the trace, so two that one thread executed are compared. Their data is made where they are created; what they do
//! depends on the thread that executes them only if they ask for it ([`Strands::is_bound`]): a function that tells the thread, or
//! memory that belongs to the thread (thread-local, its stack). Of such a pair the run cannot tell whether two threads would meet.
//!
//! *Iterations.* Two chunks of one loop that one thread executed may share memory because of the loop, or because of the thread: private
//! variables (in registers, mostly) live on from chunk to chunk. The run cannot tell, so these are *candidates* and no more; another run decides,
//! in which another member of the team gets the later chunk ([`crate::native::Schedule::redistributed`]).

use rustc_hash::{FxHashMap, FxHashSet};

use crate::layout::Op;
use crate::order::Meaning;
use crate::places::has_turn;
use crate::reduce::Origin;
use crate::run::{Run, Sync};
use crate::walk::{Portion, Visitor, walk};

/// So many pairs of places are looked at.
const MOST: usize = 24;
/// A loop that touches more granules is not looked at any further.
const GRANULES: usize = 1 << 22;

/// Two accesses of one thread to the same memory in two chunks of a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    /// The member of the team that executed both, as a thread of the trace.
    pub strand: u32,
    /// The earlier access.
    pub first: Origin,
    /// The later one.
    pub second: Origin,
    /// Whether they write.
    pub writes: [bool; 2],
    /// The chunk of the later one: which of the strand's decisions.
    pub chunk: usize,
    /// The memory.
    pub address: u64,
}

/// What is known of the strands of a run.
#[derive(Debug, Default)]
pub struct Strands {
    /// Pairs of iterations, each pair of places once.
    pub candidates: Vec<Candidate>,
    bound: FxHashSet<u32>,
    /// For each thread of the program memory that is its own.
    own: FxHashMap<u32, Vec<(u64, u64)>>,
}

impl Strands {
    /// Finds them.
    pub fn of(run: &Run) -> Strands {
        let wanted = |op: Op| matches!(op, Op::Chunk | Op::TaskCreate);
        if !run.threads.iter().flat_map(|thread| &thread.syncs).any(|sync| wanted(sync.op)) {
            return Strands::default();
        }
        let mut finder = Finder {
            run,
            meaning: Meaning::of(run),
            strands: Strands::default(),
            loops: FxHashMap::default(),
            decided: FxHashMap::default(),
            places: FxHashSet::default(),
            dead: FxHashMap::default(),
            private: FxHashMap::default(),
            acts: Vec::new(),
        };
        walk(run, &mut finder);
        finder.strands
    }

    /// Whether what a strand does may depend on the thread that executes it.
    pub fn is_bound(&self, strand: u32) -> bool {
        self.bound.contains(&strand)
    }

    /// Whether this memory belongs to a thread of the program.
    pub fn is_own(&self, native: u32, address: u64) -> bool {
        let own = self.own.get(&native).map(Vec::as_slice).unwrap_or_default();
        own.iter().any(|(from, to)| (*from..*to).contains(&address))
    }
}

/// An access of a chunk: which bytes of the granule.
#[derive(Clone, Copy)]
struct Touch {
    chunk: usize,
    bytes: u8,
    writes: bool,
    origin: Origin,
}

/// A loop that a strand is in.
struct Loop {
    /// Where chunks are asked for.
    site: u32,
    chunk: usize,
    /// No synchronisation since the chunk began.
    clean: bool,
    touched: FxHashMap<u64, Vec<Touch>>,
}

struct Finder<'a> {
    run: &'a Run,
    meaning: Meaning,
    strands: Strands,
    loops: FxHashMap<u32, Loop>,
    /// How many decisions each strand has had.
    decided: FxHashMap<u32, usize>,
    /// Pairs of code addresses that there is a candidate for.
    places: FxHashSet<(u64, u64)>,
    /// For each thread of the program the part of its stack that nobody uses.
    dead: FxHashMap<u32, (u64, u64)>,
    /// Memory that is private to a strand: its stack, and what it has asked for.
    private: FxHashMap<u32, Vec<(u64, u64)>>,
    acts: Vec<(u32, crate::order::Act)>,
}

impl Finder<'_> {
    fn touch(&mut self, strand: u32, address: u64, bytes: u64, writes: bool, origin: Origin) {
        let private = self.private.get(&strand).map(Vec::as_slice).unwrap_or_default();
        if private.iter().any(|(from, to)| (*from..*to).contains(&address)) {
            return;
        }
        let Some(current) = self.loops.get_mut(&strand) else { return };
        let (chunk, clean) = (current.chunk, current.clean);
        let end = address + bytes;
        let mut at = address;
        while at < end && current.touched.len() < GRANULES {
            let next = (at / 8 + 1) * 8;
            let mask = (0xff_u16 << (at % 8)) as u8 & (0xff_u16 >> (next - end.min(next))) as u8;
            let touch = Touch { chunk, bytes: mask, writes, origin };
            let others = current.touched.entry(at / 8).or_default();
            for other in others.iter().filter(|other| clean && other.chunk != chunk) {
                if other.bytes & mask != 0 && (other.writes || writes) && self.strands.candidates.len() < MOST
                {
                    let pcs = (self.run.site(other.origin.site).pc, self.run.site(origin.site).pc);
                    if self.places.insert(pcs) {
                        let (first, writes) = (other.origin, [other.writes, writes]);
                        let found = Candidate { strand, first, second: origin, writes, chunk, address: at };
                        self.strands.candidates.push(found);
                    }
                }
            }
            // The first of each kind is as good as the later ones.
            if others.len() < 8 && !others.iter().any(|o| o.writes == writes && o.bytes & mask == mask) {
                others.push(touch);
            }
            at = next;
        }
    }

    /// The strand is given iterations, or none are left.
    fn chunk(&mut self, strand: u32, sync: &Sync, number: usize) {
        if sync.flag & 1 == 0 {
            self.loops.remove(&strand);
            return;
        }
        let new = || Loop { site: sync.site, chunk: number, clean: true, touched: FxHashMap::default() };
        let current = self.loops.entry(strand).or_insert_with(new);
        if current.site != sync.site {
            *current = new();
        }
        (current.chunk, current.clean) = (number, true);
    }

    /// A task that touches memory of its thread depends on it.
    fn touches_own(&mut self, native: u32, strand: u32, from: u64, to: u64) {
        let own = self.strands.own.get(&native).map(Vec::as_slice).unwrap_or_default();
        if own.iter().any(|(first, end)| from.min(to) < *end && *first <= from.max(to)) {
            self.strands.bound.insert(strand);
        }
    }
}

impl Visitor for Finder<'_> {
    fn segment(&mut self, native: u32, portions: &[Portion]) {
        let strand = self.meaning.current(native);
        let looks = self.loops.contains_key(&strand);
        for portion in portions {
            let accesses = self.run.threads[native as usize].accesses[portion.accesses as usize];
            let (first, last) = (accesses.address_of(portion.from), accesses.address_of(portion.to - 1));
            self.touches_own(native, strand, first, last);
            if !looks || self.strands.candidates.len() >= MOST {
                continue;
            }
            let site = self.run.site(accesses.site);
            let bytes = u64::from(self.run.bytes_of(&accesses));
            for i in portion.from..portion.to {
                let origin = Origin { k: accesses.clock_of(i), thread: native, site: accesses.site };
                self.touch(strand, accesses.address_of(i), bytes, site.writes(), origin);
            }
        }
    }

    fn sync(&mut self, native: u32, sync: &Sync) {
        let mut acts = std::mem::take(&mut self.acts);
        self.meaning.step(native, sync, &mut acts);
        acts.clear();
        self.acts = acts;
        let strand = self.meaning.current(native);
        let memory = (sync.object, sync.object.saturating_add(sync.argument));
        match sync.op {
            Op::OwnMemory => self.strands.own.entry(native).or_default().push(memory),
            Op::Asked => {
                self.strands.bound.insert(strand);
            }
            Op::DeadStack => {
                self.dead.insert(native, memory);
            }
            Op::Implicit => {
                let stack = self.dead.get(&native).copied();
                self.private.insert(strand, stack.into_iter().collect());
            }
            Op::Alloc if self.loops.contains_key(&strand) || self.private.contains_key(&strand) => {
                self.private.entry(strand).or_default().push(memory);
            }
            Op::Single | Op::Chunk => {
                let count = self.decided.entry(strand).or_default();
                *count += 1;
                let number = *count - 1;
                if sync.op == Op::Chunk {
                    self.chunk(strand, sync, number);
                }
            }
            Op::RegionBegin => {
                self.loops.remove(&strand);
            }
            op if has_turn(op) || op == Op::TaskCreate => {
                if let Some(current) = self.loops.get_mut(&strand) {
                    current.clean = false;
                }
            }
            _ => {}
        }
    }
}
