//! Histories: what a thread has read and written, and cannot yet be forgotten (P1, definition 6).
//!
//! P1 empties a thread's history at each of its lock operations. Here a history is a list of *segments*, each with the
//! clock that the thread had during it, because there are synchronisation operations that order a thread's past before
//! only some of the others, or that others can observe without being ordered after it: thread creation, termination,
//! join, barriers among some threads, and atomics weaker than acquire and release. See `docs/soundness.md`.
//!
//! Accesses are kept per 8-byte granule with a mask of bytes, once per source access.

use std::sync::Arc;

use ir::AccessId;
use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_128;

use crate::clock::Clock;

/// How memory was touched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Touch {
    /// The granule: address / 8.
    pub granule: u64,
    /// Which bytes of the granule.
    pub mask: u8,
    /// Whether they were written.
    pub write: bool,
    /// Whether the access was atomic.
    pub atomic: bool,
    /// The source access.
    pub access: AccessId,
}

impl Touch {
    /// Whether two accesses of different threads conflict.
    #[inline]
    pub fn conflicts(&self, other: &Touch) -> bool {
        self.granule == other.granule
            && self.mask & other.mask != 0
            && (self.write || other.write)
            && !(self.atomic && other.atomic)
    }
}

/// Calls `f` for every granule that `len` bytes at `address` touch.
#[inline]
pub fn granules(address: u64, len: u64, mut f: impl FnMut(u64, u8)) {
    let mut at = address;
    let end = address + len;
    while at < end {
        let granule = at >> 3;
        let from = at & 7;
        let to = (end - (granule << 3)).min(8);
        f(granule, (((1u16 << to) - 1) & !((1u16 << from) - 1)) as u8);
        at = (granule + 1) << 3;
    }
}

/// A set of accesses.
///
/// The newest touches are searched one by one; the others are in layers that do not change once they are large and shared,
/// so that copying a set of many thousands (a search does so at every node) copies some of its touches only. A new layer is
/// joined with the one below if that is not much larger, so that there are few.
#[derive(Debug, Clone, Default)]
pub struct AccessSet {
    layers: Vec<Arc<Layer>>,
    newest: Vec<Touch>,
    /// How many touches there are.
    len: usize,
    /// The sum of the hashes of all touches.
    hash: u128,
}

/// Touches, with an index.
#[derive(Debug, Clone, Default)]
struct Layer {
    touches: Vec<Touch>,
    /// For each granule the first and the last of its touches.
    index: FxHashMap<u64, (u32, u32)>,
    /// For each touch the next of its granule, or [`NO_TOUCH`].
    next: Vec<u32>,
}

/// So many touches are searched without an index.
const SMALL: usize = 24;
/// A layer with more touches is not copied to be changed.
const LARGE: usize = 4096;
/// A layer is joined with the one below if that has at most so many times its touches.
const ALIKE: usize = 2;
/// The end of a chain of touches.
const NO_TOUCH: u32 = u32::MAX;

impl Layer {
    fn push(&mut self, touch: Touch) {
        let new = self.touches.len() as u32;
        self.touches.push(touch);
        self.next.push(NO_TOUCH);
        let (_, last) = self.index.entry(touch.granule).or_insert((new, new));
        if *last != new {
            self.next[*last as usize] = new;
            *last = new;
        }
    }

    fn append(&mut self, touches: &[Touch]) {
        touches.iter().for_each(|&touch| self.push(touch));
    }

    /// The touches of a granule, in the order in which they were made first.
    fn chain(&self, granule: u64) -> impl Iterator<Item = &Touch> {
        let mut at = self.index.get(&granule).map_or(NO_TOUCH, |&(first, _)| first);
        std::iter::from_fn(move || {
            let touch = self.touches.get(at as usize)?;
            at = self.next[at as usize];
            Some(touch)
        })
    }
}

impl AccessSet {
    /// Whether there is nothing in the set.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many touches there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// A hash of the contents that does not depend on their order.
    pub fn hash(&self) -> u128 {
        self.hash
    }

    /// Adds a touch; false if it (or one with a larger mask) was there.
    pub fn insert(&mut self, touch: Touch) -> bool {
        let same = |t: &Touch| {
            t.granule == touch.granule
                && t.access == touch.access
                && t.write == touch.write
                && t.atomic == touch.atomic
                && touch.mask & !t.mask == 0
        };
        if self.newest.iter().any(same) || self.layers.iter().any(|l| l.chain(touch.granule).any(same)) {
            return false;
        }
        if self.newest.len() == SMALL {
            self.settle();
        }
        self.newest.push(touch);
        self.len += 1;
        self.hash = self.hash.wrapping_add(touch_hash(&touch));
        true
    }

    /// Puts the newest touches into a layer.
    fn settle(&mut self) {
        if let Some(last) = self.layers.last_mut()
            && (last.touches.len() <= LARGE || Arc::get_mut(last).is_some())
        {
            Arc::make_mut(last).append(&self.newest);
            self.newest.clear();
            return;
        }
        let mut size = self.newest.len();
        let mut joined = self.layers.len();
        while joined > 0 && self.layers[joined - 1].touches.len() <= ALIKE * size {
            joined -= 1;
            size += self.layers[joined].touches.len();
        }
        let mut layer = Layer::default();
        for below in self.layers.drain(joined..) {
            if layer.touches.is_empty() {
                layer = Arc::unwrap_or_clone(below);
            } else {
                layer.append(&below.touches);
            }
        }
        layer.append(&self.newest);
        self.newest.clear();
        self.layers.push(Arc::new(layer));
    }

    /// All touches but the first so many, in the order in which they were made first.
    pub fn touches_from(&self, first: usize) -> impl Iterator<Item = &Touch> {
        let mut left = first;
        let parts = self.layers.iter().map(|l| &l.touches[..]).chain([&self.newest[..]]);
        parts.flat_map(move |part| {
            let skipped = left.min(part.len());
            left -= skipped;
            &part[skipped..]
        })
    }

    /// Calls `f` with every touch of the set that conflicts with `touch`.
    pub fn conflicting(&self, touch: &Touch, mut f: impl FnMut(&Touch)) {
        for layer in &self.layers {
            layer.chain(touch.granule).filter(|t| t.conflicts(touch)).for_each(&mut f);
        }
        self.newest.iter().filter(|t| t.conflicts(touch)).for_each(f);
    }
}

fn touch_hash(touch: &Touch) -> u128 {
    let mut bytes = [0u8; 16];
    bytes[..8].copy_from_slice(&touch.granule.to_le_bytes());
    bytes[8..12].copy_from_slice(&touch.access.0.to_le_bytes());
    bytes[12] = touch.mask;
    bytes[13] = u8::from(touch.write) | u8::from(touch.atomic) << 1;
    xxh3_128(&bytes)
}

/// What a thread did between two of its synchronisation operations.
#[derive(Debug, Clone, Default)]
pub struct Segment {
    /// The thread's own epoch during the segment.
    pub epoch: u32,
    /// What the thread knew during the segment.
    pub clock: Clock,
    /// What it read and wrote.
    pub accesses: AccessSet,
}

/// The segments of a thread that others could still race with, oldest first. The last one may be open.
#[derive(Debug, Clone, Default)]
pub struct History {
    segments: Vec<Arc<Segment>>,
    /// How many of the segments were compared with the other threads' already (the last one possibly in part).
    compared: usize,
    /// How many touches of the segment after those were compared.
    compared_touches: usize,
}

impl History {
    /// The segments.
    pub fn segments(&self) -> &[Arc<Segment>] {
        &self.segments
    }

    /// Becomes a copy of another history, and keeps its own room.
    pub fn copy_from(&mut self, other: &History) {
        let History { segments, compared, compared_touches } = other;
        self.segments.clone_from(segments);
        self.compared = *compared;
        self.compared_touches = *compared_touches;
    }

    /// Whether nothing is remembered.
    pub fn is_empty(&self) -> bool {
        self.segments.iter().all(|s| s.accesses.is_empty())
    }

    /// Records a touch made under `clock`, in epoch `epoch`.
    #[inline]
    pub fn record(&mut self, touch: Touch, epoch: u32, clock: &Clock) {
        match self.segments.last_mut() {
            Some(last) if last.epoch == epoch && last.clock == *clock => {
                Arc::make_mut(last).accesses.insert(touch);
            }
            _ => {
                let mut segment = Segment { epoch, clock: clock.clone(), accesses: AccessSet::default() };
                segment.accesses.insert(touch);
                self.segments.push(Arc::new(segment));
            }
        }
    }

    /// Records a plain access to `len` bytes.
    #[inline]
    pub fn record_range(
        &mut self,
        address: u64,
        len: u64,
        write: bool,
        access: AccessId,
        epoch: u32,
        clock: &Clock,
    ) {
        granules(address, len, |granule, mask| {
            self.record(Touch { granule, mask, write, atomic: false, access }, epoch, clock);
        });
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.segments.clear();
        self.compared = 0;
        self.compared_touches = 0;
    }

    /// Forgets the segments that `known` says everybody knows of.
    pub fn forget(&mut self, known: impl Fn(&Segment) -> bool) {
        if self.segments.iter().any(|s| known(s)) {
            let mut compared = self.compared;
            let mut touches = self.compared_touches;
            let mut i = 0;
            let before = self.compared;
            self.segments.retain(|s| {
                let keep = !known(s);
                if !keep {
                    if i < before {
                        compared -= 1;
                    } else if i == before {
                        touches = 0;
                    }
                }
                i += 1;
                keep
            });
            self.compared = compared;
            self.compared_touches = touches;
        }
    }

    /// Joins neighbouring segments that nobody can tell apart: `between(a, b)` says whether some clock knows of epoch `a`
    /// but not of epoch `b`. Everything must have been compared. Says whether something changed.
    pub fn merge(&mut self, between: impl Fn(u32, u32) -> bool) -> bool {
        let mut merged: Vec<Arc<Segment>> = Vec::with_capacity(self.segments.len());
        for segment in self.segments.drain(..) {
            match merged.last_mut() {
                Some(last) if !between(last.epoch, segment.epoch) => {
                    let joined = Arc::make_mut(last);
                    joined.epoch = segment.epoch;
                    joined.clock = segment.clock.clone();
                    for touch in segment.accesses.touches_from(0) {
                        joined.accesses.insert(*touch);
                    }
                }
                _ => merged.push(segment),
            }
        }
        self.segments = merged;
        let before = (self.compared, self.compared_touches);
        self.mark_compared();
        before != (self.compared, self.compared_touches)
    }

    /// Whether [`History::merge`] would join something, or note that everything was compared.
    pub fn can_merge(&self, between: impl Fn(u32, u32) -> bool) -> bool {
        self.segments.windows(2).any(|w| !between(w[0].epoch, w[1].epoch))
            || (self.compared, self.compared_touches) != self.all_compared()
    }

    fn all_compared(&self) -> (usize, usize) {
        (self.segments.len().saturating_sub(1), self.segments.last().map_or(0, |s| s.accesses.len()))
    }

    fn mark_compared(&mut self) {
        (self.compared, self.compared_touches) = self.all_compared();
    }

    /// Calls `f` with every touch that was recorded since the last call, and its segment.
    pub fn drain_new(&mut self, mut f: impl FnMut(&Segment, &Touch)) {
        for i in self.compared..self.segments.len() {
            let segment = &self.segments[i];
            let from = if i == self.compared { self.compared_touches } else { 0 };
            for touch in segment.accesses.touches_from(from) {
                f(segment, touch);
            }
        }
        self.mark_compared();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(granule: u64, mask: u8, write: bool) -> Touch {
        Touch { granule, mask, write, atomic: false, access: AccessId(7) }
    }

    #[test]
    fn ranges_split_into_granules() {
        let mut seen = Vec::new();
        granules(0x1006, 12, |g, m| seen.push((g, m)));
        assert_eq!(seen, [(0x200, 0b1100_0000), (0x201, 0xff), (0x202, 0b11)]);
    }

    #[test]
    fn hash_does_not_depend_on_order_and_large_sets_find_conflicts() {
        let (mut a, mut b) = (AccessSet::default(), AccessSet::default());
        for g in 0..100 {
            a.insert(touch(g, 0xff, g % 2 == 0));
            b.insert(touch(99 - g, 0xff, (99 - g) % 2 == 0));
            assert!(!a.insert(touch(g, 1, g % 2 == 0)), "already there");
        }
        assert_eq!(a.hash(), b.hash());
        let mut found = 0;
        a.conflicting(&touch(42, 1, false), |_| found += 1);
        assert_eq!(found, 1);
        a.conflicting(&touch(43, 1, false), |_| found += 1);
        assert_eq!(found, 1, "two reads do not conflict");
    }

    /// Copies share layers, and must not see what is added to each other.
    #[test]
    fn copies_of_sets_are_independent() {
        let mut seed = 1u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        let mut sets =
            vec![(AccessSet::default(), Vec::<Touch>::new(), std::collections::HashSet::<Touch>::new())];
        for _ in 0..200_000 {
            let at = random(sets.len() as u64) as usize;
            if random(2000) == 0 && sets.len() < 6 {
                let copy = sets[at].clone();
                sets.push(copy);
            } else if random(4000) == 0 && sets.len() > 1 {
                sets.swap_remove(at);
            } else {
                let (set, list, known) = &mut sets[at];
                let new = touch(random(9000), 1 << random(3), random(2) == 0);
                let is_new = known.insert(new);
                assert_eq!(set.insert(new), is_new);
                if is_new {
                    list.push(new);
                }
            }
        }
        for (set, list, _) in &sets {
            assert_eq!((set.len(), set.is_empty()), (list.len(), list.is_empty()));
            assert!(set.touches_from(0).eq(list), "in the order of insertion");
            assert!(set.touches_from(list.len() / 2).eq(&list[list.len() / 2..]));
            for granule in (0..9000).step_by(100) {
                let probe = touch(granule, 0b11, true);
                let (mut found, mut expected) = (Vec::new(), list.clone());
                set.conflicting(&probe, |t| found.push(*t));
                expected.retain(|t| t.conflicts(&probe));
                assert_eq!(found, expected);
            }
        }
        assert!(sets.iter().any(|(set, ..)| set.layers.len() > 1), "some have several layers");
    }

    #[test]
    fn new_touches_are_seen_once() {
        let mut h = History::default();
        let mut clock = Clock::new();
        clock.set(0, 1);
        h.record(touch(1, 1, true), 1, &clock);
        let mut n = 0;
        h.drain_new(|_, _| n += 1);
        h.record(touch(2, 1, true), 1, &clock);
        clock.set(0, 2);
        h.record(touch(3, 1, true), 2, &clock);
        h.drain_new(|_, _| n += 1);
        h.drain_new(|_, _| n += 1);
        assert_eq!(n, 3);
        h.forget(|s| s.epoch == 1);
        h.record(touch(4, 1, true), 2, &clock);
        h.drain_new(|_, t| assert_eq!(t.granule, 4));
        assert_eq!(h.segments().len(), 1);
    }
}
