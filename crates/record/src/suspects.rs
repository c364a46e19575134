//! Which memory could be in a race at all: the rest needs no events in a trace.
//!
//! A granule (8 bytes) is *suspect* if two threads access it, one of them writing, and the order that every schedule keeps
//! (program order, creation and joining, barriers, notifications; not locks, not atomics) does not order the two accesses.
//! That order needs no exact program order within a thread's segment, so runs of accesses are taken as they are. The state
//! of a granule is as in FastTrack: the last write, and the last read or a set of reads.
//!
//! Nothing is lost: what is not suspect cannot race in any reordering of the run, and what a read of it observes is fixed.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::order::{Act, Meaning};
use crate::run::{Run, Sync};
use crate::walk::{Portion, Visitor, walk};

const PAGE: u64 = 4096;
const GRANULES: usize = 512;

/// The state of a granule. Numbers are of [`Clocks::epochs`]; 0 is none.
#[derive(Clone, Copy, Default)]
struct Granule {
    write: u32,
    /// An epoch, or with [`SET`] a set of epochs.
    read: u32,
    /// Bit n: an access begins or ends at byte n.
    cuts: u8,
    suspect: bool,
}

const SET: u32 = 1 << 31;

/// The suspect granules.
#[derive(Debug, Default)]
pub struct Suspects {
    /// For each page with suspects, for each granule its cuts, with [`Suspects::SUSPECT`] if it is one.
    pages: FxHashMap<u64, Box<[u16; GRANULES]>>,
}

impl Suspects {
    const SUSPECT: u16 = 1 << 8;

    /// Whether the page of this address has suspects.
    #[inline]
    pub fn page(&self, address: u64) -> Option<&[u16; GRANULES]> {
        self.pages.get(&(address / PAGE)).map(|page| &**page)
    }

    /// The cuts of a suspect granule.
    #[inline]
    pub fn cuts(&self, address: u64) -> Option<u8> {
        let granule = self.page(address)?[(address % PAGE / 8) as usize];
        (granule & Self::SUSPECT != 0).then_some(granule as u8)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.pages
            .values()
            .flat_map(|page| page.iter())
            .filter(|granule| **granule & Self::SUSPECT != 0)
            .count()
    }
}

/// The order that every schedule keeps.
#[derive(Default)]
struct Clocks {
    /// For each thread what it knows of the others.
    known: Vec<Vec<u32>>,
    /// For each thread its current epoch's number.
    current: Vec<u32>,
    /// Epochs by number: thread and time.
    epochs: Vec<(u32, u32)>,
    notified: FxHashMap<u64, Vec<u32>>,
    /// The round of a barrier that is being gathered, and who stands in it.
    rounds: FxHashMap<u64, (Vec<u32>, Vec<u32>)>,
    /// At which barrier a thread stands.
    stands: FxHashMap<u32, u64>,
}

fn join(into: &mut Vec<u32>, other: &[u32]) {
    if into.len() < other.len() {
        into.resize(other.len(), 0);
    }
    for (a, b) in into.iter_mut().zip(other) {
        *a = (*a).max(*b);
    }
}

impl Clocks {
    fn thread(&mut self, t: u32) -> &mut Vec<u32> {
        let t = t as usize;
        if t >= self.known.len() {
            self.known.resize_with(t + 1, Vec::new);
            self.current.resize(t + 1, 0);
        }
        if self.known[t].len() <= t {
            self.known[t].resize(t + 1, 0);
        }
        if self.known[t][t] == 0 {
            self.known[t][t] = 1;
        }
        &mut self.known[t]
    }

    /// What a thread does from now on is not known to those who know what it did.
    fn advance(&mut self, t: u32) {
        self.thread(t)[t as usize] += 1;
        self.current[t as usize] = 0;
    }

    fn epoch(&mut self, t: u32) -> u32 {
        let time = self.thread(t)[t as usize];
        if self.current[t as usize] == 0 {
            if self.epochs.is_empty() {
                self.epochs.push((0, 0));
            }
            self.epochs.push((t, time));
            self.current[t as usize] = self.epochs.len() as u32 - 1;
        }
        self.current[t as usize]
    }

    /// Whether what happened in this epoch is before what the thread does now.
    #[inline]
    fn is_before(&self, epoch: u32, t: u32) -> bool {
        let (by, time) = self.epochs[epoch as usize];
        by == t || self.known[t as usize].get(by as usize).is_some_and(|known| *known >= time)
    }

    fn learn(&mut self, t: u32, other: &[u32]) {
        join(self.thread(t), other);
    }

    /// A thread goes on behind a barrier: it knows what everybody in the round knew.
    fn go_on(&mut self, t: u32) {
        let Some(barrier) = self.stands.remove(&t) else { return };
        if let Some((known, members)) = self.rounds.remove(&barrier) {
            for member in members {
                self.learn(member, &known);
                self.stands.remove(&member);
            }
        }
    }

    fn act(&mut self, t: u32, act: Act) {
        self.go_on(t);
        match act {
            Act::Fork(child) => {
                let known = self.thread(t).clone();
                self.learn(child, &known);
                self.advance(t);
            }
            Act::Join(child) => {
                self.go_on(child);
                let known = self.thread(child).clone();
                self.learn(t, &known);
                self.advance(child);
            }
            Act::Notify(object) => {
                let known = self.thread(t).clone();
                join(self.notified.entry(object).or_default(), &known);
                self.advance(t);
            }
            Act::Wait(object) => {
                if let Some(known) = self.notified.get(&object).cloned() {
                    self.learn(t, &known);
                }
            }
            Act::Barrier(barrier) => {
                let known = self.thread(t).clone();
                let round = self.rounds.entry(barrier).or_default();
                join(&mut round.0, &known);
                round.1.push(t);
                self.stands.insert(t, barrier);
                self.advance(t);
            }
            _ => {}
        }
    }
}

/// The states of all granules, by page.
#[derive(Default)]
struct Pages {
    pages: Vec<Box<[Granule; GRANULES]>>,
    numbers: FxHashMap<u64, u32>,
    /// The page that was asked for last.
    last: Option<(u64, u32)>,
}

impl Pages {
    #[inline]
    fn get(&mut self, page: u64) -> &mut [Granule; GRANULES] {
        let number = match self.last {
            Some((last, number)) if last == page => number,
            _ => self.find(page),
        };
        &mut self.pages[number as usize]
    }

    fn find(&mut self, page: u64) -> u32 {
        let next = self.pages.len() as u32;
        let number = *self.numbers.entry(page).or_insert(next);
        if number == next {
            self.pages.push(Box::new([Granule::default(); GRANULES]));
        }
        self.last = Some((page, number));
        number
    }
}

struct Finder<'a> {
    run: &'a Run,
    meaning: Meaning,
    clocks: Clocks,
    pages: Pages,
    /// Sets of reads by number, and how they grow.
    sets: Vec<Vec<u32>>,
    grown: FxHashMap<(u32, u32), u32>,
    /// Runs that were seen in an epoch already: site, address, step, count.
    seen: FxHashSet<(u32, u32, u64, i64, u32)>,
    acts: Vec<(u32, Act)>,
}

impl Finder<'_> {
    /// The set of reads that has this one as well, without those that it replaces.
    fn grow(&mut self, read: u32, epoch: u32) -> u32 {
        if let Some(grown) = self.grown.get(&(read, epoch)) {
            return *grown;
        }
        let t = self.clocks.epochs[epoch as usize].0;
        let old = if read & SET != 0 { self.sets[(read & !SET) as usize].clone() } else { vec![read] };
        let mut set: Vec<u32> = old.into_iter().filter(|e| !self.clocks.is_before(*e, t)).collect();
        set.push(epoch);
        let grown = match set.as_slice() {
            [only] => *only,
            _ => {
                self.sets.push(set);
                SET | (self.sets.len() as u32 - 1)
            }
        };
        self.grown.insert((read, epoch), grown);
        grown
    }

    fn reads_before(&self, read: u32, t: u32) -> bool {
        match read & SET {
            0 => read == 0 || self.clocks.is_before(read, t),
            _ => self.sets[(read & !SET) as usize].iter().all(|epoch| self.clocks.is_before(*epoch, t)),
        }
    }

    fn page(&mut self, page: u64) -> &mut [Granule; GRANULES] {
        self.pages.get(page)
    }

    /// An access to a granule in the thread's epoch.
    #[inline]
    fn granule(&mut self, t: u32, epoch: u32, address: u64, cuts: u8, (reads, writes): (bool, bool)) {
        let (page, index) = (address / PAGE, (address % PAGE / 8) as usize);
        let old = self.page(page)[index];
        let again = (!writes || old.write == epoch) && (!reads || old.read == epoch);
        if again && old.cuts & cuts == cuts && (old.write == epoch || old.write == 0) {
            return;
        }
        self.granule_anew(t, epoch, address, cuts, (reads, writes));
    }

    fn granule_anew(&mut self, t: u32, epoch: u32, address: u64, cuts: u8, (reads, writes): (bool, bool)) {
        let (page, index) = (address / PAGE, (address % PAGE / 8) as usize);
        let old = self.page(page)[index];
        let mut new = Granule { cuts: old.cuts | cuts, ..old };
        let write_before = old.write == 0 || old.write == epoch || self.clocks.is_before(old.write, t);
        if !old.suspect {
            new.suspect = !write_before || writes && !self.reads_before(old.read, t);
        }
        if writes {
            new.write = epoch;
        }
        if reads && old.read != epoch {
            new.read = match old.read {
                0 => epoch,
                read if read & SET == 0 && self.clocks.is_before(read, t) => epoch,
                read => self.grow(read, epoch),
            };
        }
        self.page(page)[index] = new;
    }

    fn access(&mut self, t: u32, epoch: u32, address: u64, bytes: u64, how: (bool, bool)) {
        let end = address + bytes;
        let mut at = address;
        while at < end {
            let next = (at / 8 + 1) * 8;
            let to = end.min(next);
            let cuts = 1 << (at % 8) | if to < next { 1 << (to % 8) } else { 0 };
            self.granule(t, epoch, at, cuts, how);
            at = next;
        }
    }

    /// The granules of this memory that have been accessed: pages with first and last granule.
    fn touched(&self, address: u64, bytes: u64) -> Vec<(u64, usize, usize)> {
        if bytes == 0 {
            return Vec::new();
        }
        let last = address + bytes - 1;
        let within = |page: u64| {
            let from = if page == address / PAGE { (address % PAGE / 8) as usize } else { 0 };
            let to = if page == last / PAGE { (last % PAGE / 8) as usize } else { GRANULES - 1 };
            (page, from, to)
        };
        if (last - address) / PAGE > self.pages.pages.len() as u64 {
            let inside = |page: &&u64| (address / PAGE..=last / PAGE).contains(*page);
            return self.pages.numbers.keys().filter(inside).map(|page| within(*page)).collect();
        }
        (address / PAGE..=last / PAGE)
            .filter(|page| self.pages.numbers.contains_key(page))
            .map(within)
            .collect()
    }

    fn forget(&mut self, address: u64, bytes: u64) {
        for (page, from, to) in self.touched(address, bytes) {
            for granule in &mut self.page(page)[from..=to] {
                (granule.write, granule.read) = (0, 0);
            }
        }
        self.seen.clear();
    }

    /// Memory is given back: a write to what was accessed of it.
    fn gone(&mut self, t: u32, address: u64, bytes: u64) {
        let epoch = self.clocks.epoch(t);
        for (page, from, to) in self.touched(address, bytes) {
            for index in from..=to {
                let granule = self.page(page)[index];
                if granule.write != 0 || granule.read != 0 {
                    self.granule(t, epoch, page * PAGE + index as u64 * 8, 0, (false, true));
                }
            }
        }
    }
}

impl Visitor for Finder<'_> {
    fn segment(&mut self, thread: u32, portions: &[Portion]) {
        let t = self.meaning.current(thread);
        self.clocks.go_on(t);
        let epoch = self.clocks.epoch(t);
        for portion in portions {
            let accesses = self.run.threads[thread as usize].accesses[portion.accesses as usize];
            let site = self.run.site(accesses.site);
            let bytes = u64::from(self.run.bytes_of(&accesses));
            let first = accesses.address_of(portion.from);
            let count = if accesses.step == 0 { 1 } else { portion.to - portion.from };
            if count > 16 && !self.seen.insert((epoch, accesses.site, first, accesses.step, count)) {
                continue;
            }
            for i in portion.from..portion.from + count {
                self.access(t, epoch, accesses.address_of(i), bytes, (site.reads(), site.writes()));
            }
        }
    }

    fn sync(&mut self, thread: u32, sync: &Sync) {
        let mut acts = std::mem::take(&mut self.acts);
        self.meaning.step(thread, sync, &mut acts);
        for (t, act) in acts.drain(..) {
            self.clocks.act(t, act);
            match act {
                Act::Atomic { address, bytes, reads, writes } => {
                    let epoch = self.clocks.epoch(t);
                    self.access(t, epoch, address, u64::from(bytes), (reads, writes))
                }
                Act::New { address, bytes, .. } => self.forget(address, bytes),
                Act::Gone { address, bytes } => self.gone(t, address, bytes),
                _ => {}
            }
        }
        self.acts = acts;
    }
}

/// Finds them.
pub fn find(run: &Run) -> Suspects {
    let mut finder = Finder {
        run,
        meaning: Meaning::of(run),
        clocks: Clocks::default(),
        pages: Pages::default(),
        sets: Vec::new(),
        grown: FxHashMap::default(),
        seen: FxHashSet::default(),
        acts: Vec::new(),
    };
    walk(run, &mut finder);
    let mut suspects = Suspects::default();
    for (number, index) in finder.pages.numbers {
        let page = &finder.pages.pages[index as usize];
        if page.iter().any(|granule| granule.suspect) {
            let code = |g: &Granule| u16::from(g.cuts) | if g.suspect { Suspects::SUSPECT } else { 0 };
            let mut codes = Box::new([0; GRANULES]);
            for (to, from) in codes.iter_mut().zip(page.iter()) {
                *to = code(from);
            }
            suspects.pages.insert(number, codes);
        }
    }
    suspects
}
