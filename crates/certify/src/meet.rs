//! Checks theorem 2, and rule R1: what two strands do to the same cells that D does not order.
//!
//! *Recording.* A strand's accesses are kept by [`Site`] (the instruction, what it does, under which locks, and whether its value was treated
//! as open in this run) as ranges of cells. In node 0 of a frame, which has any number of strands, a cell has the one strand that
//! touched it, or [`MANY`].
//!
//! *Comparing.* When a frame ends, a sweep over its cells finds all pairs that overlap with a write among them. For a pair that D does not
//! order:
//! - on cells that the thread owns in that phase nothing races, and values are a matter of R2 and R3; unless the object ends by an
//!   open strand; and a task may find what the code around it has written before or after it, so what it reads must have been open;
//! - otherwise both must be atomic, or exclude each other for a reason that the certificate gives and that holds here; the end of an object
//!   excludes itself from nothing;
//! - and unless the two commute, what either read or left beside a write must have been treated as open.

use base::reason::Uncertified;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Refused;
use crate::certificate::{Class, Kind, Reason, Stage};
use crate::facts::Facts;
use crate::locks::Locks;
use crate::order::{self, Order};
use crate::ranges::Ranges;

/// The instruction that stands for the end of objects.
pub const GONE: u64 = u64::MAX;
/// Several strands.
const MANY: u32 = u32::MAX;

/// How an instruction touches cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Site {
    /// The instruction.
    pub at: u64,
    /// Whether it writes.
    pub write: bool,
    /// Whether it is atomic.
    pub atomic: bool,
    /// Whether another schedule may leave it out.
    pub maybe: bool,
    /// The class of the update that it is part of, and whether that is an atomic one.
    pub update: Option<(Class, bool)>,
    /// Whether the old value goes nowhere else.
    pub silent: bool,
    /// The constant that it stores.
    pub value: Option<u64>,
    /// For updates and constants: the size and place of the element.
    pub grid: u32,
    /// The locks.
    pub context: u32,
    /// Whether what it gives back was treated as open.
    pub any: bool,
    /// Whether what it reads or leaves was.
    pub bad: bool,
}

impl Site {
    /// How it writes, if that is by updates.
    pub fn kind(&self) -> Option<Kind> {
        let constant = |v: u64| if v == 0 { Class::LogicalAnd } else { Class::LogicalOr };
        let class = self.update.map(|u| u.0).or(self.value.map(constant)).filter(|_| !self.maybe)?;
        Some(Kind { class, grid: self.grid })
    }

    /// Whether two accesses leave the same in either order (docs/soundness.md, "Updates"); `exclusive`: both hold one lock for themselves
    /// alone.
    fn commutes(&self, other: &Site, exclusive: bool) -> bool {
        if self.write
            && other.write
            && self.value.is_some()
            && (self.value, self.grid) == (other.value, other.grid)
        {
            return true;
        }
        let (Some((a, x)), Some((b, y))) = (self.update, other.update) else { return false };
        let alike = a == b && x == y && self.grid == other.grid && (self.atomic, other.atomic) == (x, y);
        alike && (x || exclusive)
    }
}

/// What a strand has touched, by site.
#[derive(Debug, Default)]
pub struct Part {
    sites: Vec<(u32, Ranges)>,
    index: FxHashMap<u32, u32>,
    cache: [(u32, u32); 8],
}

impl Part {
    /// Adds cells.
    #[inline]
    pub fn add(&mut self, site: u32, from: u64, to: u64) {
        let slot = (site & 7) as usize;
        // Numbers of sites begin with 1, so that nothing is found in an empty cache.
        if self.cache[slot].0 != site {
            let sites = &mut self.sites;
            let at = *self.index.entry(site).or_insert_with(|| {
                sites.push((site, Ranges::default()));
                sites.len() as u32 - 1
            });
            self.cache[slot] = (site, at);
        }
        self.sites[self.cache[slot].1 as usize].1.add(from, to);
    }

    /// What was touched.
    pub fn sites(&mut self) -> impl Iterator<Item = (u32, &Ranges)> {
        self.sites.iter_mut().for_each(|(_, ranges)| ranges.tidy_up());
        self.sites.iter().map(|(site, ranges)| (*site, ranges))
    }
}

/// Cells from, to (not included), and the strand that touches them.
type By = (u64, u64, u32);

/// Cells, with a strand, a node and a site.
#[derive(Debug, Clone, Copy)]
struct Item {
    from: u64,
    to: u64,
    strand: u32,
    node: u32,
    site: u32,
}

/// What the strands of a frame have touched.
#[derive(Debug, Default)]
struct Store {
    /// At nodes of their own.
    items: Vec<Item>,
    /// In node 0, by site.
    crowd: FxHashMap<u32, (Vec<By>, usize)>,
}

/// All that a run has touched and that is not compared yet.
#[derive(Debug, Default)]
pub struct Meeting {
    /// Sites by number; the first is none.
    pub sites: Vec<Site>,
    numbers: FxHashMap<Site, u32>,
    /// Those used last, by the low bits of the instruction.
    recent: [Option<(Site, u32)>; 16],
    frames: FxHashMap<u32, Store>,
    /// Pairs of sites of which nothing needs to be looked at again.
    fine: FxHashSet<(u32, u32)>,
    /// Whether floating-point updates were taken to commute.
    pub floats: bool,
}

/// What an end of a pair is, in its frame.
struct End<'s> {
    site: &'s Site,
    open: bool,
    task: bool,
}

impl Meeting {
    /// The number of a site.
    #[inline]
    pub fn number(&mut self, site: Site) -> u32 {
        let slot = (site.at & 15) as usize;
        match &self.recent[slot] {
            Some((known, number)) if *known == site => *number,
            _ => {
                let number = self.find(site);
                self.recent[slot] = Some((site, number));
                number
            }
        }
    }

    fn find(&mut self, site: Site) -> u32 {
        if let Some(&number) = self.numbers.get(&site) {
            return number;
        }
        if self.sites.is_empty() {
            self.sites.push(site);
        }
        self.sites.push(site);
        self.numbers.insert(site, self.sites.len() as u32 - 1);
        self.sites.len() as u32 - 1
    }

    /// What a strand has touched at a node of a frame.
    pub fn add(&mut self, frame: u32, node: u32, strand: u32, part: &mut Part) {
        let store = self.frames.entry(frame).or_default();
        for (site, ranges) in part.sites() {
            if node != 0 {
                let list = ranges.list().iter();
                store.items.extend(list.map(|&(from, to)| Item { from, to, strand, node, site }));
                continue;
            }
            let (list, tidy) = store.crowd.entry(site).or_default();
            list.extend(ranges.list().iter().map(|&(from, to)| (from, to, strand)));
            if list.len() > 2 * *tidy + 4096 {
                *list = merged(std::mem::take(list));
                *tidy = list.len();
            }
        }
    }

    /// A frame has ended: compares what its strands have done; all of that, as something that one strand did.
    pub fn close(
        &mut self,
        frame: u32,
        order: &Order,
        locks: &Locks,
        facts: &Facts,
    ) -> Result<Part, Refused> {
        let Some(mut store) = self.frames.remove(&frame) else { return Ok(Part::default()) };
        let mut items = std::mem::take(&mut store.items);
        for (site, (list, _)) in store.crowd {
            items.extend(merged(list).into_iter().map(|(from, to, strand)| Item {
                from,
                to,
                strand,
                node: 0,
                site,
            }));
        }
        items.sort_unstable_by_key(|i| (i.from, i.to, i.site, i.node, i.strand));
        self.fine.clear();
        let stage = order.stage(frame);
        let (mut reads, mut writes): (Vec<usize>, Vec<usize>) = Default::default();
        for (n, new) in items.iter().enumerate() {
            let write = self.sites[new.site as usize].write;
            writes.retain(|&w| items[w].to > new.from);
            let look = |list: &[usize], this: &mut Meeting| {
                list.iter()
                    .try_for_each(|&old| this.pair(&items[old], new, (frame, stage), order, locks, facts))
            };
            look(&writes, self)?;
            if write {
                reads.retain(|&r| items[r].to > new.from);
                look(&reads, self)?;
                if new.strand == MANY {
                    self.pair(new, new, (frame, stage), order, locks, facts)?;
                }
                writes.push(n);
            } else {
                if reads.len() >= 64 && reads.len().is_power_of_two() {
                    reads.retain(|&r| items[r].to > new.from);
                }
                reads.push(n);
            }
        }
        let mut all = Part::default();
        items.iter().for_each(|i| all.add(i.site, i.from, i.to));
        Ok(all)
    }

    /// Two items that overlap.
    fn pair(
        &mut self,
        a: &Item,
        b: &Item,
        (frame, stage): (u32, Option<Stage>),
        order: &Order,
        locks: &Locks,
        facts: &Facts,
    ) -> Result<(), Refused> {
        if a.strand == b.strand && a.strand != MANY || order.ordered(frame, a.node, b.node) {
            return Ok(());
        }
        let tasks = a.strand != MANY && b.strand != MANY && order.exclude(a.strand, b.strand);
        let (from, to) = (a.from.max(b.from), a.to.min(b.to));
        let owned = stage.is_some_and(|stage| facts.owns(stage, from, to));
        if !owned && !tasks && self.fine.contains(&(a.site, b.site)) {
            return Ok(());
        }
        let kind = |i: &Item| {
            if i.strand == MANY { order::Kind::Piece } else { order.chains[i.strand as usize].kind }
        };
        let end = |i: &Item| {
            let kind = kind(i);
            let open = matches!(kind, order::Kind::Piece | order::Kind::Task);
            End { site: &self.sites[i.site as usize], open, task: kind == order::Kind::Task }
        };
        let (x, y) = (end(a), end(b));
        if owned {
            return own_pair(&x, &y);
        }
        let floats = allowed(x.site, y.site, tasks, locks, facts)?;
        self.floats |= floats;
        if !tasks {
            self.fine.insert((a.site, b.site));
        }
        Ok(())
    }
}

/// Two accesses to a cell that their thread owns.
fn own_pair(x: &End, y: &End) -> Result<(), Refused> {
    let gone = |e: &End| e.site.at == GONE;
    if gone(x) && gone(y) || gone(x) && x.open || gone(y) && y.open {
        return Err(Refused::at(Uncertified::ObjectEnds, x.site.at));
    }
    for (reader, writer) in [(x, y), (y, x)] {
        if reader.task && !writer.task && writer.site.write && !gone(reader) && !reader.site.bad {
            return Err(Refused::at(Uncertified::Beside, reader.site.at));
        }
    }
    Ok(())
}

/// Whether two accesses that D does not order may stand; if so, whether that takes floating-point updates to commute.
fn allowed(x: &Site, y: &Site, tasks: bool, locks: &Locks, facts: &Facts) -> Result<bool, Refused> {
    let common: Vec<(u64, bool)> = locks.common(x.context, y.context).collect();
    let exclusive = tasks || common.iter().any(|c| c.1);
    let commute = x.commutes(y, exclusive);
    for (one, other) in [(x, y), (y, x)] {
        if !other.write || one.at == GONE || commute && (!one.atomic || one.value.is_some()) {
            continue;
        }
        if one.atomic && one.write && !one.silent && !one.any || !commute && !one.bad {
            return Err(Refused::wrong(Uncertified::FixedValue, Some(one.at)));
        }
    }
    let apart = tasks || !common.is_empty() || locks.exclude(x.context, y.context);
    if x.at == GONE || y.at == GONE {
        return Err(Refused::at(Uncertified::EndsInUse, x.at.min(y.at)));
    }
    if apart && x.atomic != y.atomic {
        return Err(Refused::at(Uncertified::LockMade, x.at));
    }
    let holds = |reason: &Reason| match *reason {
        Reason::Atomic => x.atomic && y.atomic,
        Reason::Lock(object, place) => {
            let lock = facts.key(object, place);
            common.iter().any(|c| Some(c.0) == lock)
        }
        Reason::Histories => locks.exclude(x.context, y.context),
        Reason::Tasks => tasks,
        Reason::Closure => false,
    };
    let reasons = facts.pairs.get(&(x.at.min(y.at), x.at.max(y.at))).map_or(&[][..], |reasons| reasons);
    if reasons.iter().any(holds) {
        return Ok(commute && x.update.is_some_and(|u| u.0.is_assumed()));
    }
    let why = match reasons {
        _ if reasons.contains(&Reason::Closure) => Uncertified::Closure,
        [] => Uncertified::NoReason,
        _ => Uncertified::WrongReason,
    };
    let checked = !reasons.contains(&Reason::Closure);
    Err(if checked { Refused::wrong(why, Some(x.at)) } else { Refused::at(why, x.at) })
}

/// The same cells, each with the one strand that touches it, or [`MANY`].
fn merged(mut list: Vec<By>) -> Vec<By> {
    list.sort_unstable();
    let mut out: Vec<By> = Vec::with_capacity(list.len());
    let mut cut: Vec<By> = Vec::new();
    for (mut from, to, strand) in list {
        while let Some(last) = out.pop_if(|last| last.1 > from) {
            cut.push(last);
        }
        while let Some((a, b, by)) = cut.pop() {
            let both = if by == strand { by } else { MANY };
            if a < from {
                push(&mut out, (a, from, by));
            } else if from < a {
                push(&mut out, (from, a.min(to), strand));
            }
            let (a, end) = (a.max(from), b.min(to));
            if a < end {
                push(&mut out, (a, end, both));
            }
            push(&mut out, (end.max(a), b, by));
            from = from.max(end);
        }
        push(&mut out, (from, to, strand));
    }
    out
}

fn push(out: &mut Vec<By>, (from, to, strand): By) {
    if from >= to {
        return;
    }
    match out.last_mut() {
        Some(last) if last.1 == from && last.2 == strand => last.1 = to,
        _ => out.push((from, to, strand)),
    }
}

#[cfg(test)]
mod tests {
    use super::{MANY, merged};

    #[test]
    fn each_cell_has_its_strand_or_many() {
        let list = vec![(0, 10, 1), (4, 6, 2), (20, 30, 3), (20, 30, 3), (25, 40, 1), (8, 12, 1)];
        let all = [(0, 4, 1), (4, 6, MANY), (6, 12, 1), (20, 25, 3), (25, 30, MANY), (30, 40, 1)];
        assert_eq!(merged(list), all);
        assert_eq!(merged(vec![(0, 8, 1), (0, 8, 2), (2, 3, 3)]), [(0, 8, MANY)]);
    }

    #[test]
    fn what_is_merged_says_of_every_cell_what_the_list_says() {
        let mut seed = 7u64;
        let mut random = |n: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) % n
        };
        for _ in 0..2000 {
            let n = 1 + random(6);
            let list: Vec<_> = (0..n)
                .map(|_| (random(20), 1 + random(8), random(3) as u32))
                .map(|(f, l, s)| (f, f + l, s))
                .collect();
            let of = |list: &[(u64, u64, u32)], cell: u64| {
                let mut by: Vec<u32> =
                    list.iter().filter(|r| r.0 <= cell && cell < r.1).map(|r| r.2).collect();
                by.sort_unstable();
                by.dedup();
                by
            };
            let all = merged(list.clone());
            assert!(all.windows(2).all(|w| w[0].1 <= w[1].0), "{list:?}: {all:?}");
            for cell in 0..30 {
                let (given, found) = (of(&list, cell), of(&all, cell));
                let expected = if given.len() > 1 { vec![MANY] } else { given };
                assert_eq!(found, expected, "{list:?}: {all:?} at {cell}");
            }
        }
    }
}
