//! Combiners of user-defined reductions: what they touch beside the values that they combine.
//!
//! OpenMP leaves open how often a combiner is executed, in which order and grouping, and so whether two of them run at
//! the same time on different values. Here each thread combines once, under the runtime's lock of the reduction. For the values
//! that are combined that is one of the possible ways. Whatever else a combiner touches must do without that lock: it
//! neither excludes nor orders such accesses (*beside* accesses) of two combiners.
//!
//! *Values* are the two objects that the combiner gets, what they own, and what the combiner makes. Owned is what is found
//! on the heap by following pointers from one of the two and not from the other; from the private copy only what
//! its own thread has allocated. Two combiners that share anything else share it in every grouping.
//!
//! A run in which combiners take turns shows all accesses, so a pair of beside accesses that only the reduction's lock
//! orders is a race. The machine keeps the beside accesses of a region up to its next barrier, with the locks held, and
//! reports pairs without a common lock ([`Machine::races`]); `judge::replay` judges them by clocks that know nothing of
//! these locks. The proof from one run leaves the lock out likewise.
//!
//! *What taking turns cannot show.* If a combiner synchronises more than once, two of them could interleave in between.
//! Searches then give `unknown` ([`Machine::takes_turns`]). With one operation (one critical section, one atomic access) it can be
//! exchanged with everything that the combiner does before or after it, and turns are enough. Task reductions are combined
//! by one thread when their group has ended, which OpenMP does not promise either: one that writes beside is `unknown`.

use base::reason::Openmp;
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use ir::{AccessId, FuncId};

use super::Put;
use super::lock::is_reduction_lock;
use crate::history::{Touch, granules};
use crate::memory::layout::{Layout, RegionId};
use crate::memory::object::{Life, Origin};
use crate::native::SyncOp;
use crate::state::{Machine, RawRace};
use crate::stop::Stop;
use crate::thread::{Pending, Thread};

/// What an answer rests on if combiners were executed.
pub const ASSUMPTION: &str = "user-defined reductions were taken to give the same result in every order and grouping, and however \
                              often their combiners are executed, all of which OpenMP leaves open; and what their loops do to \
                              the variables was taken to be the operation of the combiner";

/// Words that are looked at for pointers, at most.
const MOST_WORDS: usize = 1 << 20;

/// A combiner that a thread executes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Combining {
    /// Its frame.
    frame: usize,
    func: FuncId,
    /// Whether it is for a reduction of tasks.
    task: bool,
    /// What it combines, as ranges of addresses, sorted.
    values: Vec<(u64, u64)>,
    /// The thread's heap and stack, and where in them begins what the combiner makes.
    made: [(RegionId, u64); 2],
    layout: Layout,
    /// How many operations of synchronisation it has performed, without those that give something back.
    operations: u32,
    /// Whether it has written beside the values.
    wrote: bool,
}

/// A beside access: whose it is, and which locks the thread held for itself alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beside {
    thread: u32,
    touch: Touch,
    locks: Vec<u64>,
}

/// The beside accesses of a region since its last barrier, by granule.
pub type AllBeside = BTreeMap<u64, Vec<Beside>>;

impl Combining {
    /// Whether an access is beside the values.
    fn is_beside(&self, address: u64) -> bool {
        let region = self.layout.region(address);
        let at = self.values.partition_point(|v| v.0 <= address);
        let is_value = at.checked_sub(1).is_some_and(|i| address < self.values[i].1);
        !is_value && !self.made.iter().any(|&(r, from)| r == region && address >= from)
    }

    pub(super) fn put(&self, put: Put) {
        put(self.frame as u64 | u64::from(self.operations) << 32 | u64::from(self.wrote) << 63);
        put(self.values.len() as u64);
        self.values.iter().for_each(|&(from, to)| [from, to].into_iter().for_each(&mut *put));
        self.made.iter().for_each(|m| put(m.1));
    }
}

impl Beside {
    pub(super) fn put(&self, put: Put) {
        let Touch { granule, mask, write, atomic, access } = self.touch;
        let flags = u64::from(mask) | u64::from(write) << 8 | u64::from(atomic) << 9;
        put(granule);
        put(u64::from(self.thread) << 48 | flags << 32 | u64::from(access.0));
        put(self.locks.len() as u64);
        self.locks.iter().copied().for_each(put);
    }
}

impl Thread {
    fn combining(&self) -> Option<&Combining> {
        let combining = self.omp.combining.as_deref()?;
        // An exception may have ended it.
        self.frames.get(combining.frame).is_some_and(|f| f.func == combining.func).then_some(combining)
    }

    /// Whether an access is one that a combiner makes beside the values that it combines under the runtime's lock: that lock
    /// does not count for it.
    pub fn is_beside(&self, address: u64) -> bool {
        self.omp.combining.is_some() && self.combining().is_some_and(|c| !c.task && c.is_beside(address))
    }

    /// Whether the thread executes a combiner under the runtime's lock.
    pub fn combines(&self) -> bool {
        self.combining().is_some_and(|c| !c.task)
    }
}

impl Machine<'_> {
    /// A combiner has been entered, with the addresses of the variable and of the private copy.
    pub(crate) fn begin_combine(&mut self, t: usize, th: &mut Thread) {
        let n = th.frames.len();
        let funcs = &self.program.module.funcs;
        let task = n > 1 && funcs[th.frames[n - 2].func.0 as usize].name.starts_with(".red_comb.");
        let locked = th.locks.last().is_some_and(|h| is_reduction_lock(self.memory.layout(), h.lock));
        if th.combining().is_some() || !(task || locked) {
            return;
        }
        let frame = th.frames[n - 1];
        let (out, into) = (th.slots[frame.base], th.slots[frame.base + 1]);
        let made = [RegionId::heap(t), RegionId::stack(t)].map(|region| {
            let last = self.memory.objects(region).last();
            (region, last.map_or(0, |o| o.base + o.size))
        });
        self.program.combined.store(true, Ordering::Relaxed);
        th.omp.combining = Some(Box::new(Combining {
            frame: n - 1,
            func: frame.func,
            task,
            values: self.values(t, out, into),
            made,
            layout: self.memory.layout(),
            operations: 0,
            wrote: false,
        }));
    }

    /// A frame is about to be left: the combiner, if it is its own.
    pub(crate) fn end_combine(&self, th: &mut Thread) -> Result<(), Stop> {
        let Some(combining) = &th.omp.combining else { return Ok(()) };
        if combining.frame + 1 < th.frames.len() {
            return Ok(());
        }
        let (task, wrote, operations) = (combining.task, combining.wrote, combining.operations);
        th.omp.combining = None;
        if task && wrote {
            return Err(Stop::unknown(Openmp::CombinerWrites));
        }
        if operations > 1 && self.takes_turns {
            return Err(Stop::unknown(Openmp::CombinerSynchronises));
        }
        Ok(())
    }

    /// The thread performs an operation of synchronisation in a combiner.
    pub(crate) fn operate_in_combiner(&self, th: &mut Thread, pending: &Pending) {
        use SyncOp as S;
        let gives = matches!(
            pending,
            Pending::Spin
                | Pending::Exit(_)
                | Pending::Stuck
                | Pending::Sync(
                    S::MutexUnlock
                        | S::SpinUnlock
                        | S::RwUnlock
                        | S::OmpUnlock
                        | S::AtomicEnd
                        | S::SectionEnd,
                    _
                )
        );
        if !gives && let Some(combining) = &mut th.omp.combining {
            combining.operations = combining.operations.saturating_add(1);
        }
    }

    /// Takes note of an access in a combiner, and compares it with those of others if it is beside the values.
    pub(crate) fn access_in_combiner(
        &mut self,
        t: usize,
        th: &mut Thread,
        (address, len): (u64, u64),
        (write, atomic): (bool, bool),
        access: AccessId,
    ) {
        if !th.combining().is_some_and(|c| c.is_beside(address)) {
            return;
        }
        let Some(combining) = &mut th.omp.combining else { return };
        combining.wrote |= write;
        if write {
            self.program.wrote_beside.store(true, Ordering::Relaxed);
        }
        if combining.task {
            return;
        }
        let layout = self.memory.layout();
        let held = th.locks.iter().filter(|h| !h.shared && !is_reduction_lock(layout, h.lock));
        let locks: Vec<u64> = held.map(|h| h.lock).collect();
        let home = self.seat(t, th).home;
        granules(address, len, |granule, mask| {
            let touch = Touch { granule, mask, write, atomic, access };
            let mine = Beside { thread: t as u32, touch, locks: locks.clone() };
            let known = self.region(home).beside.get(&granule);
            let known = known.map_or(&[][..], Vec::as_slice);
            if known.contains(&mine) {
                return;
            }
            let apart = |b: &Beside| b.locks.iter().any(|l| mine.locks.contains(l));
            let racing = |b: &&Beside| b.thread != mine.thread && b.touch.conflicts(&touch) && !apart(b);
            let races: Vec<RawRace> = known
                .iter()
                .filter(racing)
                .map(|b| RawRace { first: (b.thread, b.touch), second: (mine.thread, touch) })
                .collect();
            self.races.extend(races);
            self.region_mut(home).beside.entry(granule).or_default().push(mine);
        });
    }

    /// The ranges of what two values consist of.
    fn values(&self, t: usize, out: u64, into: u64) -> Vec<(u64, u64)> {
        // The private copy tells how large a value is.
        let rest = |at: u64| self.memory.find(at).map_or(0, |(_, _, o)| (o.base + o.size).saturating_sub(at));
        let size = rest(into).min(rest(out));
        let [of_out, of_in] = [out, into].map(|at| self.reachable(at, size));
        let mine = |&(base, _): &(u64, u64)| self.memory.layout().region(base) == RegionId::heap(t);
        let only_out = of_out.iter().filter(|o| !of_in.contains(o));
        let only_in = of_in.iter().filter(|o| !of_out.contains(o)).filter(|o| mine(o));
        let roots = [(out, out + size), (into, into + size)];
        let mut values: Vec<(u64, u64)> = roots.into_iter().chain(only_out.chain(only_in).copied()).collect();
        values.sort_unstable();
        values.dedup_by(|next, last| {
            let joined = next.0 <= last.1;
            if joined {
                last.1 = last.1.max(next.1);
            }
            joined
        });
        values
    }

    /// The heap objects that can be found from a value, sorted: where each begins and ends.
    fn reachable(&self, at: u64, size: u64) -> Vec<(u64, u64)> {
        let word = u64::from(self.program.module.pointer_bytes);
        let mut found = Vec::new();
        let mut open = vec![(at, at + size)];
        let mut words = 0;
        while let Some((from, to)) = open.pop() {
            let mut at = from.next_multiple_of(word);
            while at + word <= to && words < MOST_WORDS {
                // A guess at what belongs to a value: whatever the bits may be.
                let pointer = self.see_pointer(at).map(|seen| seen.parts().0);
                if let Some((_, _, object)) = pointer.ok().and_then(|p| self.memory.find(p))
                    && matches!(object.origin, Origin::Heap(_))
                    && object.life == Life::Alive
                    && let Err(place) = found.binary_search(&(object.base, object.base + object.size))
                {
                    found.insert(place, (object.base, object.base + object.size));
                    open.push((object.base, object.base + object.size));
                }
                at += word;
                words += 1;
            }
        }
        found
    }
}
