//! What a thread of a team keeps in memory of its own, from one piece of work to the next.
//!
//! A variable on the stack of an implicit task, or a thread-local one, exists once for each thread. Pieces on different
//! threads do not meet there, so it cannot race; but what a piece finds there may be what another piece left, and which
//! pieces a thread executes is open. So a read of own memory is *unclean* if the strand has not written it before and
//! some other open piece (of any thread: another distribution could put it on this one) writes the same variable; and so
//! is a read by the code around the pieces. A variable is told by its place above the beginning of the region's
//! function, which is the same for all threads. Whether D orders the two does not matter, as barriers do not change who
//! executed what.
//!
//! Commutative updates need no lock here, since one thread executes its pieces one after another; and a partial result that goes
//! nowhere but into a commutative update of the same class (a reduction) is clean, because all partial results
//! together are the same in every distribution.

use ir::Module;
use machine::memory::layout::{Layout, RegionId};
use machine::{Thread, Work};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::commute::{Class, Part};
use crate::order::{Order, Pos};
use crate::record::At;

/// Marks names of thread-local variables.
const LOCAL: u64 = 1 << 62;
/// Marks names of variables of an implicit task.
const STACK: u64 = 1 << 63;

/// An access to own memory.
#[derive(Debug, Clone, Copy)]
pub struct Touch {
    /// The name of the bytes.
    pub own: u64,
    /// How many.
    pub len: u64,
    /// Whether it writes.
    pub write: bool,
    /// The instruction.
    pub at: At,
    /// Whether it is part of an update.
    pub part: Option<Part>,
    /// Whether it may not happen in another schedule.
    pub maybe: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Write {
    chain: u32,
    class: Option<Class>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Read {
    pos: Pos,
    chain: u32,
    at: At,
    class: Option<Class>,
}

/// Own memory of all threads.
#[derive(Debug)]
pub struct Private {
    layout: Layout,
    /// What the strands of each thread have written, innermost last: words of four bytes.
    mine: Vec<Vec<FxHashSet<u64>>>,
    writes: FxHashMap<u64, Vec<Write>>,
    reads: FxHashMap<u64, Vec<Read>>,
    /// How many regions are being executed.
    depth: u32,
    /// Reads that another distribution could give another value.
    pub unclean: FxHashSet<(Pos, At)>,
    /// Whether floating-point updates were taken to commute.
    pub float_assumed: bool,
}

/// Different strands that are remembered as writers of one word.
const WRITERS: usize = 3;

impl Private {
    /// Of a program that has not begun.
    pub fn new(module: &Module) -> Private {
        Private {
            layout: Layout::new(module.pointer_bytes),
            mine: Vec::new(),
            writes: FxHashMap::default(),
            reads: FxHashMap::default(),
            depth: 0,
            unclean: FxHashSet::default(),
            float_assumed: false,
        }
    }

    /// The name of an address, if it is the thread's own in a region.
    #[inline]
    pub fn own(&self, t: usize, th: &Thread, address: u64) -> Option<u64> {
        own(self.layout, t, th, address)
    }

    /// Whether the thread combines a reduction.
    pub fn reduces(&self, th: &Thread) -> bool {
        reduces(self.layout, th)
    }

    /// Pieces begin and end.
    pub fn work(&mut self, t: usize, work: &Work) {
        if self.mine.len() <= t {
            self.mine.resize_with(t + 1, || vec![FxHashSet::default()]);
        }
        let mine = &mut self.mine[t];
        match work {
            Work::Begin { open: true, .. } | Work::TaskBegin { .. } => mine.push(FxHashSet::default()),
            Work::End { .. } | Work::TaskEnd { .. } => {
                if mine.len() > 1 {
                    mine.pop();
                }
                // What the strand around it wrote before may have been overwritten, here or on another thread.
                if let Some(outer) = mine.last_mut() {
                    outer.clear();
                }
            }
            Work::Fork { members, .. } => {
                for &m in members {
                    if self.mine.len() <= m {
                        self.mine.resize_with(m + 1, || vec![FxHashSet::default()]);
                    }
                    self.mine[m] = vec![FxHashSet::default()];
                }
                self.depth += 1;
            }
            Work::Join { .. } => {
                // Names in the region around are others.
                self.mine[t] = vec![FxHashSet::default()];
                self.depth = self.depth.saturating_sub(1);
                if self.depth > 0 {
                    return;
                }
                self.writes.retain(|name, _| name << 2 & STACK == 0);
                self.reads.retain(|name, _| name << 2 & STACK == 0);
            }
            _ => {}
        }
    }

    /// Takes note of an access.
    pub fn touch(&mut self, t: usize, order: &Order, touch: Touch) {
        let pos = order.pos(t);
        let chain = order.chain(pos);
        if order.in_task(t) {
            // A task finds nothing in its own memory but what it put there: its function has just begun. (Thread-local
            // variables: see `Recorder::identity`.)
            return;
        }
        let open = order.in_open(t);
        if self.mine.len() <= t {
            self.mine.resize_with(t + 1, || vec![FxHashSet::default()]);
        }
        let update = touch.part.filter(|p| !p.atomic).map(|p| p.class);
        for word in touch.own >> 2..(touch.own + touch.len).div_ceil(4) {
            let mine = self.mine[t].last_mut();
            if touch.write {
                let class = update.filter(|_| touch.part.is_some_and(|p| !p.feeds));
                // An update keeps what was there: only a plain write covers it.
                if class.is_none() && touch.len >= 4 && !touch.maybe {
                    mine.into_iter().for_each(|m| {
                        m.insert(word);
                    });
                }
                if open {
                    self.write(word, Write { chain, class });
                }
            } else if !mine.is_some_and(|m| m.contains(&word)) {
                self.read(word, Read { pos, chain, at: touch.at, class: update });
            }
        }
    }

    fn write(&mut self, word: u64, write: Write) {
        let writes = self.writes.entry(word).or_default();
        if writes.contains(&write) {
            return;
        }
        // So many writers stand for all: of each class one strand more than can be excluded as the reader's own.
        if writes.iter().filter(|w| w.class == write.class).count() < WRITERS {
            writes.push(write);
        }
        for read in self.reads.get(&word).into_iter().flatten().copied().collect::<Vec<_>>() {
            self.meet(&read, write);
        }
    }

    fn read(&mut self, word: u64, read: Read) {
        for write in self.writes.get(&word).into_iter().flatten().copied().collect::<Vec<_>>() {
            self.meet(&read, write);
        }
        let reads = self.reads.entry(word).or_default();
        if !reads.contains(&read) {
            reads.push(read);
        }
    }

    fn meet(&mut self, read: &Read, write: Write) {
        if read.chain == write.chain {
            return;
        }
        match (read.class, write.class) {
            (Some(a), Some(b)) if a == b => self.float_assumed |= a.is_assumed(),
            _ => {
                self.unclean.insert((read.pos, read.at));
            }
        }
    }
}

/// Whether the thread combines a reduction: it holds the runtime's lock for that, as every thread of the team does once.
pub fn reduces(layout: Layout, th: &Thread) -> bool {
    let of_runtime = |lock: u64| layout.region(lock).is_stack() && lock & ((1 << 30) - 1) >= 1 << 28;
    layout == Layout::Wide && th.locks.last().is_some_and(|h| of_runtime(h.lock))
}

/// The name of an address, if it is the thread's own in a region: the same for all threads of the team.
#[inline]
pub fn own(layout: Layout, t: usize, th: &Thread, address: u64) -> Option<u64> {
    let region = layout.region(address);
    if region == RegionId::tls(t) && layout == Layout::Wide && !th.omp.seats.is_empty() {
        return Some(LOCAL | (address & ((1 << 52) - 1)));
    }
    if region != RegionId::stack(t) || layout != Layout::Wide {
        return None;
    }
    // Regions of one thread may have no function of their own: then it is not clear where the innermost begins.
    let mut seats = th.omp.seats.iter().filter(|s| s.home >> 62 == 0);
    if seats.clone().any(|s| s.size == 1) {
        return None;
    }
    // A worker has one object of the runtime's more than the thread that forked.
    let more = u64::from(seats.next_back().is_some_and(|s| s.number > 0));
    let begun = th.frames.iter().rev().find(|f| f.runtime)?.height as u64 + more;
    let index = (Layout::wide_index(address) as u64).checked_sub(begun)?;
    Some(STACK | index << 30 | (address & ((1 << 30) - 1)))
}
