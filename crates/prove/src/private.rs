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
//! Thread-local variables are own memory outside of regions as well: what a thread finds there afterwards is what its pieces
//! left.
//!
//! In a nested region, what the implicit task around it keeps counts as own of the strand that forked the region
//! ([`crate::levels`]).
//!
//! Commutative updates need no lock here, since one thread executes its pieces one after another; and a partial result that goes
//! nowhere but into a commutative update of the same class (a reduction) is clean, because all partial results
//! together are the same in every distribution. That needs every thread of the team to hand its result on at the same
//! places. The runtime's reductions do; for a program's own (`critical` with `total += mine`) the code of the threads around
//! the pieces must do the same with the variable, one like the other: the same instructions, and as many worksharing
//! constructs before each. A plain store that fixes the outcome whatever else is combined (`found = 1` where `||` combines) is as
//! good as an update.

use ir::Module;
use machine::memory::layout::{Layout, RegionId};
use machine::{Thread, Work};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::commute::{Class, Part};
use crate::levels::Level;
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
    /// Whether the thread combines a reduction of the runtime's.
    pub reduces: bool,
    /// How many worksharing constructs the thread has come to in its region; `None` outside of all.
    pub shares: Option<u64>,
    /// Whether what a plain store stores is not zero, if that is known.
    pub truth: Option<bool>,
    /// Whose memory it is, if it is that of an implicit task around the innermost region.
    pub level: Option<Level>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Write {
    chain: u32,
    class: Option<Class>,
    /// Whether what a plain store stores is not zero, if that is known.
    truth: Option<bool>,
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
    /// What the strands of each thread have written, innermost last: words of four bytes, and bytes.
    mine: Vec<Vec<FxHashSet<u64>>>,
    /// How many of these were there when a thread forked, by thread, outermost region first.
    heights: Vec<Vec<usize>>,
    /// By thread: the pieces that it executes (open ones with construct and iteration), innermost last.
    pieces: Vec<Vec<Option<(u32, u64)>>>,
    /// The open piece that it ended last, with what that has written.
    ended: Vec<Option<(u32, u64, FxHashSet<u64>)>>,
    writes: FxHashMap<u64, Vec<Write>>,
    reads: FxHashMap<u64, Vec<Read>>,
    /// Where each word was read.
    read_at: FxHashSet<(u64, Pos, At)>,
    /// How many regions are being executed.
    depth: u32,
    /// The threads of the outermost one.
    team: Vec<usize>,
    /// By word and thread, what the code around the pieces has done with it: a hash.
    around: FxHashMap<(u64, usize), u64>,
    /// Reads that hand a partial result on.
    handed: Vec<(u64, Pos, At)>,
    /// Those of them that are known to be harmless.
    pub fed: FxHashSet<(Pos, At)>,
    /// Reads that another distribution could give another value.
    pub unclean: FxHashSet<(Pos, At)>,
    /// Whether floating-point updates were taken to commute.
    pub float_assumed: bool,
}

/// The bytes of a word that an access touches, by name. (The names of bytes are larger than those of words.)
fn bytes_in(word: u64, touch: &Touch) -> std::ops::Range<u64> {
    touch.own.max(word << 2)..(touch.own + touch.len).min((word << 2) + 4)
}

/// A write covers a word, or some bytes of it.
fn cover(written: &mut FxHashSet<u64>, word: u64, touch: &Touch) {
    let bytes = bytes_in(word, touch);
    if bytes.end - bytes.start == 4 {
        written.insert(word);
    } else {
        written.extend(bytes);
    }
}

/// Whether all that an access touches of a word was written.
fn covers(written: &FxHashSet<u64>, word: u64, touch: &Touch) -> bool {
    written.contains(&word) || bytes_in(word, touch).all(|byte| written.contains(&byte))
}

/// Different strands that are remembered as writers of one word.
const WRITERS: usize = 3;

impl Private {
    /// Of a program that has not begun.
    pub fn new(module: &Module) -> Private {
        Private {
            layout: Layout::new(module.pointer_bytes),
            mine: Vec::new(),
            heights: Vec::new(),
            pieces: Vec::new(),
            ended: Vec::new(),
            writes: FxHashMap::default(),
            reads: FxHashMap::default(),
            read_at: FxHashSet::default(),
            depth: 0,
            team: Vec::new(),
            around: FxHashMap::default(),
            handed: Vec::new(),
            fed: FxHashSet::default(),
            unclean: FxHashSet::default(),
            float_assumed: false,
        }
    }

    /// The name of an address, if it is the thread's own in a region.
    #[inline]
    pub fn own(&self, depth: u64, t: usize, th: &Thread, address: u64) -> Option<u64> {
        own(self.layout, depth, t, th, address)
    }

    /// Whether the thread combines a reduction.
    pub fn reduces(&self, th: &Thread) -> bool {
        reduces(self.layout, th)
    }

    fn room(&mut self, t: usize) {
        if self.mine.len() <= t {
            self.mine.resize_with(t + 1, || vec![FxHashSet::default()]);
            self.heights.resize(t + 1, Vec::new());
            self.pieces.resize(t + 1, Vec::new());
            self.ended.resize_with(t + 1, || None);
        }
    }

    /// Pieces begin and end.
    pub fn work(&mut self, t: usize, work: &Work) {
        self.room(t);
        let mine = &mut self.mine[t];
        match work {
            Work::Begin { share, number, open, .. } => {
                let pieces = &mut self.pieces[t];
                pieces.push(open.then_some((*share, *number)));
                if *open {
                    // The last iteration goes on behind its loop with what it has written.
                    let ended = self.ended[t].take().filter(|e| (e.0, e.1) == (*share, *number));
                    mine.push(ended.map(|e| e.2).unwrap_or_default());
                }
            }
            Work::TaskBegin { .. } => mine.push(FxHashSet::default()),
            Work::End { .. } => {
                let Some(Some((share, number))) = self.pieces[t].pop() else { return };
                if mine.len() > 1
                    && let Some(written) = mine.pop()
                {
                    self.ended[t] = Some((share, number, written));
                }
                if let Some(outer) = mine.last_mut() {
                    outer.clear();
                }
            }
            Work::TaskEnd { .. } => {
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
                    self.room(m);
                    if m == t {
                        let height = self.mine[t].len();
                        self.heights[t].push(height);
                        self.mine[t].push(FxHashSet::default());
                    } else {
                        self.mine[m] = vec![FxHashSet::default()];
                    }
                }
                self.depth += 1;
                if self.depth == 1 {
                    self.team.clone_from(members);
                }
            }
            Work::Join { .. } => {
                // The strand goes on with what it has written in its own memory; thread-local variables may have been
                // written meanwhile.
                let height = self.heights[t].pop().unwrap_or(1).max(1);
                self.mine[t].truncate(height);
                if let Some(mine) = self.mine[t].last_mut() {
                    mine.retain(|word| word << 2 & STACK != 0);
                }
                self.depth = self.depth.saturating_sub(1);
                if self.depth > 0 {
                    return;
                }
                self.judge_handed();
                self.writes.retain(|name, _| name << 2 & STACK == 0);
                self.reads.retain(|name, _| name << 2 & STACK == 0);
                self.read_at.retain(|(name, ..)| name << 2 & STACK == 0);
            }
            _ => {}
        }
    }

    /// The set of words that the thread's strand has written.
    pub fn top(&mut self, t: usize) -> usize {
        self.room(t);
        self.mine[t].len().saturating_sub(1)
    }

    /// Takes note of an access to memory of an implicit task around the region.
    fn touch_around(&mut self, pos: Pos, level: &Level, touch: Touch) {
        self.room(level.thread);
        let class = touch.part.filter(|p| !p.atomic && !p.feeds).map(|p| p.class);
        for word in touch.own >> 2..(touch.own + touch.len).div_ceil(4) {
            let mine = self.mine[level.thread].get_mut(level.mine);
            if touch.write {
                if class.is_none() && !touch.maybe {
                    mine.into_iter().for_each(|m| cover(m, word, &touch));
                }
                if level.open {
                    self.write(word, Write { chain: level.chain, class, truth: touch.truth });
                }
            } else if !mine.is_some_and(|m| covers(m, word, &touch)) {
                self.read(word, Read { pos, chain: level.chain, at: touch.at, class });
            }
        }
    }

    /// Takes note of an access.
    pub fn touch(&mut self, t: usize, order: &Order, touch: Touch) {
        let pos = order.pos(t);
        if let Some(level) = touch.level {
            self.touch_around(pos, &level, touch);
            return;
        }
        let chain = order.chain(pos);
        if order.in_task(t) {
            // A task finds nothing in its own memory but what it put there: its function has just begun. (Thread-local
            // variables: see `Recorder::identity`.)
            return;
        }
        let open = order.in_open(t);
        self.room(t);
        let Some(shares) = touch.shares else {
            self.outside(t, pos, chain, touch);
            return;
        };
        let fed = touch.part.is_some_and(|p| p.feeds) && !touch.reduces;
        // Only code around the pieces of one region can hand on what they left.
        let update = touch.part.filter(|p| !p.atomic && (!fed || !open && self.depth == 1)).map(|p| p.class);
        if !open && self.depth == 1 {
            self.note_around(t, pos, touch, shares, fed);
        }
        for word in touch.own >> 2..(touch.own + touch.len).div_ceil(4) {
            let mine = self.mine[t].last_mut();
            if touch.write {
                let class = update.filter(|_| touch.part.is_some_and(|p| !p.feeds));
                // An update keeps what was there: only a plain write covers it.
                if class.is_none() && !touch.maybe {
                    mine.into_iter().for_each(|m| cover(m, word, &touch));
                }
                if open {
                    self.write(word, Write { chain, class, truth: touch.truth });
                }
            } else if !mine.is_some_and(|m| covers(m, word, &touch)) {
                self.read(word, Read { pos, chain, at: touch.at, class: update });
            }
        }
    }

    /// A thread-local variable outside of regions.
    fn outside(&mut self, t: usize, pos: Pos, chain: u32, touch: Touch) {
        for word in touch.own >> 2..(touch.own + touch.len).div_ceil(4) {
            let mine = self.mine[t].last_mut();
            if touch.write {
                if touch.part.is_none() {
                    mine.into_iter().for_each(|m| cover(m, word, &touch));
                }
            } else if !mine.is_some_and(|m| covers(m, word, &touch)) {
                // Only what is written already can be seen.
                let read = Read { pos, chain, at: touch.at, class: None };
                for write in self.writes.get(&word).into_iter().flatten().copied().collect::<Vec<_>>() {
                    self.meet(&read, write);
                }
            }
        }
    }

    /// What the code around the pieces does with a variable, for comparing threads.
    fn note_around(&mut self, t: usize, pos: Pos, touch: Touch, shares: u64, fed: bool) {
        for word in touch.own >> 2..(touch.own + touch.len).div_ceil(4) {
            let hash = self.around.entry((word, t)).or_default();
            for part in [touch.at, shares << 1 | u64::from(touch.write)] {
                *hash = (*hash ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                *hash ^= *hash >> 29;
            }
            if fed {
                self.handed.push((word, pos, touch.at));
            }
        }
    }

    /// At the end of a region: whether all threads have handed on their partial results in the same way.
    fn judge_handed(&mut self) {
        for (word, pos, at) in std::mem::take(&mut self.handed) {
            let of = |t: &usize| self.around.get(&(word, *t)).copied();
            let first = self.team.first().and_then(of);
            if first.is_some() && self.team.iter().all(|t| of(t) == first) {
                self.fed.insert((pos, at));
            } else {
                self.unclean.insert((pos, at));
            }
        }
        self.around.clear();
        let unclean = &self.unclean;
        self.fed.retain(|read| !unclean.contains(read));
    }

    fn write(&mut self, word: u64, write: Write) {
        let writes = self.writes.entry(word).or_default();
        if writes.contains(&write) {
            return;
        }
        // So many writers stand for all: of each class one strand more than can be excluded as the reader's own.
        if writes.iter().filter(|w| (w.class, w.truth) == (write.class, write.truth)).count() >= WRITERS {
            return;
        }
        writes.push(write);
        for read in self.reads.get(&word).into_iter().flatten().copied().collect::<Vec<_>>() {
            self.meet(&read, write);
        }
    }

    fn read(&mut self, word: u64, read: Read) {
        for write in self.writes.get(&word).into_iter().flatten().copied().collect::<Vec<_>>() {
            self.meet(&read, write);
        }
        if self.read_at.insert((word, read.pos, read.at)) {
            self.reads.entry(word).or_default().push(read);
        }
    }

    fn meet(&mut self, read: &Read, write: Write) {
        if read.chain == write.chain {
            return;
        }
        match (read.class, write.class) {
            (Some(a), Some(b)) if a == b => self.float_assumed |= a.is_assumed(),
            (Some(Class::LogicalAnd), None) if write.truth == Some(false) => {}
            (Some(Class::LogicalOr), None) if write.truth == Some(true) => {}
            _ => {
                self.unclean.insert((read.pos, read.at));
            }
        }
    }
}

/// Whether the thread combines a reduction: it holds the runtime's lock for that, as every thread of the team does once.
pub fn reduces(layout: Layout, th: &Thread) -> bool {
    th.locks.last().is_some_and(|h| of_region(layout, h.lock).is_some())
}

/// The place in a region of a lock that the runtime has for it.
pub fn of_region(layout: Layout, lock: u64) -> Option<u64> {
    let place = lock & ((1 << 30) - 1);
    (layout == Layout::Wide && layout.region(lock).is_stack() && place >= 1 << 28).then_some(place)
}

/// A name of an address in a thread-local variable that all threads share. (Where a thread puts the variable depends on
/// which others it has used before.)
pub fn thread_local(th: &Thread, address: u64) -> u64 {
    let offset = address & ((1 << 30) - 1);
    match th.tls.iter().position(|&at| at != 0 && at >> 30 == address >> 30) {
        Some(index) => (index as u64) << 30 | offset,
        None => 1 << 58 | (address & ((1 << 52) - 1)),
    }
}

/// The name of an address, if it is the thread's own in a region, so many regions deep: the same for all threads of the
/// team.
#[inline]
pub fn own(layout: Layout, depth: u64, t: usize, th: &Thread, address: u64) -> Option<u64> {
    let region = layout.region(address);
    if region == RegionId::tls(t) && layout == Layout::Wide {
        return Some(LOCAL | thread_local(th, address));
    }
    if region != RegionId::stack(t) || layout != Layout::Wide {
        return None;
    }
    let begun = begun(th)?;
    let index = (Layout::wide_index(address) as u64).checked_sub(begun)?;
    Some(stack_name(depth, index, address))
}

/// The name of a variable of an implicit task, so many regions deep.
pub fn stack_name(depth: u64, index: u64, address: u64) -> u64 {
    STACK | depth.min(15) << 54 | index << 30 | (address & ((1 << 30) - 1))
}

/// Which object of its stack is the first that a thread has for itself in its innermost region.
pub fn begun(th: &Thread) -> Option<u64> {
    // Regions of one thread may have no function of their own: then it is not clear where the innermost begins.
    let mut seats = th.omp.seats.iter().filter(|s| s.home >> 62 == 0);
    if seats.clone().any(|s| s.size == 1) {
        return None;
    }
    // A worker has one object of the runtime's more than the thread that forked.
    let more = u64::from(seats.next_back().is_some_and(|s| s.number > 0));
    Some(th.frames.iter().rev().find(|f| f.runtime)?.height as u64 + more)
}
