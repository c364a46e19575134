//! Which accesses conflict: by overlap, then D, then locks.
//!
//! A sweep over the ranges of the pieces finds the pairs that overlap with a write among them. For a pair that D does not
//! order:
//! - a read is *unclean*: another schedule could show it another value. A write beside an unordered write leaves a value
//!   that the schedule decides. (Not so for two commutative updates of one class that exclude each other.) Pass 2 needs
//!   to know; see [`crate::taint`].
//! - not both atomic, and no lock that both hold: a candidate for a race, unless the acquisition histories exclude it.
//! - if both are on one thread, so that the cell may be that thread's own ([`crate::owners`]): kept apart from the others until
//!   that is known.
//! - if one of them is the end of the object, or only one is atomic (using a lock while somebody destroys it), and a lock
//!   keeps them apart: another order could be a defect, which is not decided here.
//!
//! *Completeness.* Every pair that overlaps is looked at once: when the first of its pieces is freed. Candidates are
//! kept once for each pair of source accesses, object and pair of lock contexts, up to [`VARIANTS`] of these: they are tried as
//! witnesses. A pair of source accesses is excluded only as a whole.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use base::Budget;
use ir::AccessId;
use rustc_hash::FxHashMap;

use crate::locks::{Context, Locks};
use crate::order::{Order, Pos, Stage};
use crate::owners::Owners;
use crate::ranges::Ranges;
use crate::record::{At, GONE, Piece, Site};
use crate::rules::Rule;

/// One end of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct End {
    /// The thread.
    pub thread: usize,
    /// The position.
    pub pos: Pos,
    /// The locks.
    pub context: Context,
    /// The instruction.
    pub at: At,
    /// The source access.
    pub access: AccessId,
    /// Whether it writes.
    pub write: bool,
    /// Whether it is atomic.
    pub atomic: bool,
}

/// Two conflicting accesses that neither D nor a common lock orders.
#[derive(Debug, Clone, Copy)]
pub struct Candidate {
    /// One of them.
    pub first: End,
    /// The other.
    pub second: End,
    /// The bytes that both touch.
    pub bytes: (u64, u64),
}

/// Lock contexts that are kept of one pair of source accesses on one object.
pub const VARIANTS: usize = 6;

/// The candidates of one pair of source accesses on one object.
#[derive(Debug, Clone, Default)]
pub struct Group {
    /// One for each pair of lock contexts.
    pub variants: Vec<Candidate>,
}

/// Pairs on one thread, of one pair of source accesses on one object.
#[derive(Debug, Clone, Default)]
struct Own {
    group: Group,
    /// The bytes that both touch, by phase.
    bytes: FxHashMap<Stage, Ranges>,
    /// Whether one is the end of the object, by an open strand.
    ends: bool,
    /// Whether this is a race if the bytes are not the thread's own.
    race: bool,
    /// Whether this is a defect then.
    defect: bool,
}

/// What is wrong with the values at a position and an instruction.
#[derive(Debug, Clone, Default)]
pub struct Marks {
    /// Beside an unordered write of any kind.
    pub any: Ranges,
    /// Beside an unordered write with which it does not commute.
    pub bad: Ranges,
    /// The same, for writes on the same thread in a phase: they do not count where that owns the bytes.
    own: Vec<(Stage, [Ranges; 2])>,
}

/// Marks by position, instruction, and whether it writes.
pub type AllMarks = FxHashMap<(Pos, At, bool), Marks>;

/// The key of a group: both source accesses, and the object.
pub type GroupKey = (AccessId, AccessId, u64);

/// What the sweeps have found.
#[derive(Debug, Default)]
pub struct Conflicts {
    /// Possible races between different threads of this run.
    pub groups: FxHashMap<GroupKey, Group>,
    /// Possible races between strands that one thread executed in this run.
    pub suspects: FxHashMap<GroupKey, Group>,
    /// What is wrong with values.
    pub marks: Arc<AllMarks>,
    /// An order of operations that could show a defect: the two accesses.
    pub defect: Option<(AccessId, AccessId)>,
    /// Pairs on one thread.
    own: FxHashMap<GroupKey, Own>,
    /// Whether floating-point updates were taken to commute.
    pub float_assumed: bool,
    /// Pairs that were looked at.
    pub pairs: u64,
    /// Why those do not meet that D does not order, for the certificate.
    pub reasons: crate::certificate::Reasons,
    /// When to give up.
    pub budget: Budget,
    /// Whether it came to that: then not all pairs were looked at.
    pub late: bool,
    relations: FxHashMap<(u32, u32), Relation>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    Ordered,
    /// Not ordered by D.
    Unordered {
        /// A lock keeps them apart.
        locked: bool,
        /// Both hold a lock for themselves alone.
        exclusive: bool,
        /// The acquisition histories keep them apart.
        history: bool,
        /// The phase, if both are on one thread, and which of them are open there, the one with the lower number first.
        same: Option<(Stage, [bool; 2])>,
        /// No distribution lets two threads execute them.
        alone: bool,
    },
}

#[derive(Debug, Clone, Copy)]
struct Interval {
    from: u64,
    to: u64,
    piece: u32,
    site: u32,
}

/// What distinguishes crowds: the bytes, the instruction and how it uses them, the locks, the thread, what D says of
/// the position, and whether the piece is done.
type CrowdKey = (u64, u64, At, (bool, bool, bool, bool), u32, Context, usize, u32, bool, Option<u64>);

/// Accesses that are related to all others in the same way (see [`Order::alike`]): two of them stand for all.
#[derive(Debug)]
struct Crowd {
    first: Interval,
    second: Option<Interval>,
    /// The positions of the others.
    others: Vec<Pos>,
}

/// Keeps the sweep linear where thousands of iterations do the same to one location.
#[derive(Debug, Default)]
struct Crowds {
    all: FxHashMap<CrowdKey, Crowd>,
}

impl Crowds {
    /// Whether an access is to be compared with others, or others stand for it.
    fn admits(&mut self, order: &Order, pieces: &[Piece], done: &[bool], interval: &Interval) -> bool {
        let piece = &pieces[interval.piece as usize];
        let Some(alike) = order.alike(piece.pos) else { return true };
        let site = site_of(pieces, interval);
        if site.at == GONE {
            return true;
        }
        let flags = (site.write, site.atomic, site.maybe, site.part.is_some());
        let done = done[interval.piece as usize];
        let (from, to) = (interval.from, interval.to);
        let key = (from, to, site.at, flags, site.grid, piece.context, piece.thread, alike, done, site.value);
        match self.all.entry(key) {
            Entry::Vacant(v) => {
                v.insert(Crowd { first: *interval, second: None, others: Vec::new() });
                true
            }
            Entry::Occupied(mut o) => {
                let crowd = o.get_mut();
                if crowd.second.is_none() && crowd.first.piece != interval.piece {
                    crowd.second = Some(*interval);
                    return true;
                }
                crowd.others.push(piece.pos);
                false
            }
        }
    }
}

/// The object that an address belongs to, roughly: on 64-bit targets exactly.
fn object(address: u64) -> u64 {
    if address >> 32 == 0 { address >> 4 } else { address >> 30 }
}

impl Conflicts {
    /// Compares all pairs of pieces of which at least one is `done`.
    pub fn sweep(&mut self, order: &Order, locks: &Locks, pieces: &[Piece], done: &[bool]) {
        self.relations.clear();
        let mut intervals = Vec::new();
        for (i, piece) in pieces.iter().enumerate() {
            for (j, site) in piece.sites.iter().enumerate() {
                let list = site.ranges.list().iter();
                intervals.extend(list.map(|&(from, to)| Interval {
                    from,
                    to,
                    piece: i as u32,
                    site: j as u32,
                }));
            }
        }
        intervals.sort_unstable_by_key(|i| (i.from, i.to, i.piece, i.site));
        let mut crowds = Crowds::default();
        intervals.retain(|i| crowds.admits(order, pieces, done, i));
        let (mut reads, mut writes): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
        for (n, new) in intervals.iter().enumerate() {
            if n % 1024 == 0 {
                self.late |= self.budget.is_over();
            }
            if self.late {
                return;
            }
            let write = site_of(pieces, new).write;
            writes.retain(|&w| intervals[w].to > new.from);
            let mut against = |list: &[usize]| {
                for &o in list {
                    let old = &intervals[o];
                    if old.piece != new.piece && (done[old.piece as usize] || done[new.piece as usize]) {
                        self.pair(order, locks, pieces, (old, new));
                    }
                }
            };
            against(&writes);
            if write {
                reads.retain(|&r| intervals[r].to > new.from);
                against(&reads);
                writes.push(n);
            } else {
                if reads.len() >= 64 && reads.len().is_power_of_two() {
                    reads.retain(|&r| intervals[r].to > new.from);
                }
                reads.push(n);
            }
        }
        for crowd in crowds.all.into_values().filter(|c| !c.others.is_empty()) {
            self.mark_crowd(pieces, &crowd);
        }
    }

    /// What is wrong with the values of a crowd's first members is wrong with those of all.
    fn mark_crowd(&mut self, pieces: &[Piece], crowd: &Crowd) {
        let site = site_of(pieces, &crowd.first);
        let (from, to) = (crowd.first.from, crowd.first.to);
        let marks = Arc::make_mut(&mut self.marks);
        let mut found = Marks::default();
        for rep in [Some(&crowd.first), crowd.second.as_ref()].into_iter().flatten() {
            let pos = pieces[rep.piece as usize].pos;
            if let Some(m) = marks.get(&(pos, site.at, site.write)) {
                found.add_within(m, from, to);
            }
        }
        if found.is_empty() {
            return;
        }
        for &pos in &crowd.others {
            marks.entry((pos, site.at, site.write)).or_default().add_within(&found, from, to);
        }
    }

    fn relation(&mut self, order: &Order, locks: &Locks, pieces: &[Piece], a: u32, b: u32) -> Relation {
        *self.relations.entry((a.min(b), a.max(b))).or_insert_with(|| {
            let (p, q) = (&pieces[a.min(b) as usize], &pieces[a.max(b) as usize]);
            if order.ordered_pair(p.pos, q.pos) {
                return Relation::Ordered;
            }
            let tasks = order.exclude(p.pos, q.pos);
            Relation::Unordered {
                locked: locks.common(p.context, q.context) || tasks,
                exclusive: locks.common_exclusive(p.context, q.context) || tasks,
                history: locks.exclude(p.context, q.context),
                same: order.same_thread(p.pos, q.pos),
                alone: order.one_thread(p.pos, q.pos),
            }
        })
    }

    fn pair(&mut self, order: &Order, locks: &Locks, pieces: &[Piece], (a, b): (&Interval, &Interval)) {
        self.pairs += 1;
        let relation = self.relation(order, locks, pieces, a.piece, b.piece);
        let Relation::Unordered { locked, exclusive, history, same, alone } = relation else { return };
        let (p, q) = (&pieces[a.piece as usize], &pieces[b.piece as usize]);
        let (x, y) = (site_of(pieces, a), site_of(pieces, b));
        let bytes = (a.from.max(b.from), a.to.min(b.to));
        let commute = self.commute(x, y, exclusive);
        let stage = same.map(|(stage, _)| stage);
        self.mark((p.pos, x), y, bytes, commute, stage);
        self.mark((q.pos, y), x, bytes, commute, stage);
        let (gone, both) = (x.at == GONE || y.at == GONE, x.at == GONE && y.at == GONE);
        // What keeps the two apart does not fix which comes first.
        let defect = Rule::Ends.holds() && (gone || (locked || history) && x.atomic != y.atomic);
        let race = !(gone || locked || history || alone || x.atomic && y.atomic);
        if !gone {
            self.reasons.add(locks, (x, p.context), (y, q.context), order.exclude(p.pos, q.pos), race);
        }
        if let Some((stage, mut open)) = same {
            if a.piece > b.piece {
                open.reverse();
            }
            let key = key_of(x.access, y.access, bytes.0);
            let own = self.own.entry(key).or_default();
            own.bytes.entry(stage).or_default().add(bytes.0, bytes.1);
            own.race |= race;
            own.defect |= defect;
            own.ends |= both || x.at == GONE && open[0] || y.at == GONE && open[1];
            if race {
                own.group.add(end(p, x), end(q, y), bytes);
            }
            return;
        }
        if defect {
            self.defect = self.defect.or(Some((x.access, y.access)));
        }
        if race {
            let groups = if p.thread == q.thread { &mut self.suspects } else { &mut self.groups };
            groups.entry(key_of(x.access, y.access, bytes.0)).or_default().add(end(p, x), end(q, y), bytes);
        }
    }

    /// Pairs on one thread are excluded where the bytes are the thread's own; the others count like all others.
    pub fn resolve(&mut self, owners: &Owners) {
        for (key, mut own) in std::mem::take(&mut self.own) {
            let owned = own.bytes.iter_mut().all(|(stage, bytes)| {
                bytes.tidy_up();
                bytes.list().iter().all(|&(from, to)| owners.own(*stage, from, to))
            });
            if owned && !own.ends {
                continue;
            }
            if own.defect {
                self.defect = self.defect.or(Some((key.0, key.1)));
            }
            if own.race && !owned {
                let known = self.suspects.entry(key).or_default();
                own.group.variants.into_iter().for_each(|c| known.add(c.first, c.second, c.bytes));
            }
        }
    }

    /// Whether there are possible races, when owners are known.
    pub fn has_candidates(&self) -> bool {
        !(self.groups.is_empty() && self.suspects.is_empty())
    }

    /// Whether no value is open and no pair left, if nobody owns anything.
    pub fn is_settled(&self) -> bool {
        let own = self.own.values().all(|own| !(own.race || own.defect));
        own && self.marks.is_empty() && self.defect.is_none() && !self.has_candidates()
    }

    /// Whether there are pairs on one thread that owners may exclude.
    pub fn is_unresolved(&self) -> bool {
        !self.own.is_empty()
    }

    /// Whether the order of two updates does not matter.
    fn commute(&mut self, x: &Site, y: &Site, exclusive: bool) -> bool {
        if x.write && y.write && x.value.is_some() && x.value == y.value && x.grid == y.grid {
            // Both store the same.
            return true;
        }
        let (Some(a), Some(b)) = (x.part, y.part) else { return false };
        let fits = (a.class == b.class || Rule::OneClass.is_off())
            && (x.grid == y.grid || Rule::SameBytes.is_off())
            && !a.feeds
            && !b.feeds
            && a.atomic == b.atomic
            && x.atomic == a.atomic
            && y.atomic == b.atomic
            && (a.atomic || exclusive || Rule::Indivisible.is_off());
        self.float_assumed |= fits && a.class.is_assumed();
        fits
    }

    fn mark(
        &mut self,
        (pos, x): (Pos, &Site),
        other: &Site,
        (from, to): (u64, u64),
        commute: bool,
        same: Option<Stage>,
    ) {
        // Updates of one thread need no lock, and what they leave is its affair, if the bytes are its own: see `crate::folds`.
        if Rule::Unordered.is_off()
            || !other.write
            || x.at == GONE
            || (commute && (!x.atomic || x.value.is_some()))
        {
            return;
        }
        let marks = Arc::make_mut(&mut self.marks).entry((pos, x.at, x.write)).or_default();
        let [any, bad] = marks.of(same);
        if x.atomic && x.write && !x.part.is_some_and(|p| p.silent) {
            any.add(from, to);
        }
        if !commute {
            bad.add(from, to);
        }
    }

    /// Makes the marks ready to be asked.
    pub fn finish(&mut self) {
        for marks in Arc::make_mut(&mut self.marks).values_mut() {
            marks.sets().for_each(Ranges::tidy_up);
        }
        self.relations = FxHashMap::default();
    }
}

/// The key of two accesses to an object, in one order.
fn key_of(a: AccessId, b: AccessId, address: u64) -> GroupKey {
    (a.min(b), a.max(b), object(address))
}

impl Group {
    /// Adds a candidate, unless one like it is there.
    fn add(&mut self, a: End, b: End, bytes: (u64, u64)) {
        let (first, second) = if a.access <= b.access { (a, b) } else { (b, a) };
        let known = |c: &Candidate| {
            (c.first.context, c.second.context) == (first.context, second.context)
                && (c.first.write, c.second.write) == (first.write, second.write)
        };
        if self.variants.len() < VARIANTS && !self.variants.iter().any(known) {
            self.variants.push(Candidate { first, second, bytes });
        }
    }
}

impl Marks {
    /// The sets for writes on other threads, or on the same in a phase.
    fn of(&mut self, same: Option<Stage>) -> [&mut Ranges; 2] {
        let Some(stage) = same else { return [&mut self.any, &mut self.bad] };
        let known = self.own.iter().position(|(s, _)| *s == stage);
        let at = known.unwrap_or_else(|| {
            self.own.push((stage, Default::default()));
            self.own.len() - 1
        });
        let [any, bad] = &mut self.own[at].1;
        [any, bad]
    }

    /// Whether some bytes are beside an unordered write of any kind, and whether one with which they do not commute; writes of
    /// the thread that owns them do not count.
    pub fn touch(&self, owners: &Owners, from: u64, to: u64) -> [bool; 2] {
        let own = |i: usize| {
            let mut own = self.own.iter();
            own.any(|(stage, sets)| sets[i].touches(from, to) && !owners.own(*stage, from, to))
        };
        [self.any.touches(from, to) || own(0), self.bad.touches(from, to) || own(1)]
    }

    fn sets(&mut self) -> impl Iterator<Item = &mut Ranges> {
        [&mut self.any, &mut self.bad].into_iter().chain(self.own.iter_mut().flat_map(|(_, sets)| sets))
    }

    fn is_empty(&self) -> bool {
        self.any.is_empty() && self.bad.is_empty() && self.own.is_empty()
    }

    /// Adds what others say of some bytes.
    fn add_within(&mut self, others: &Marks, from: u64, to: u64) {
        let add = |set: &mut Ranges, other: &Ranges| {
            let cut = other.list().iter().map(|&(a, b)| (a.max(from), b.min(to)));
            cut.filter(|(a, b)| a < b).for_each(|(a, b)| set.add(a, b));
        };
        add(&mut self.any, &others.any);
        add(&mut self.bad, &others.bad);
        for (stage, sets) in &others.own {
            let [any, bad] = self.of(Some(*stage));
            add(any, &sets[0]);
            add(bad, &sets[1]);
        }
    }
}

fn site_of<'a>(pieces: &'a [Piece], interval: &Interval) -> &'a Site {
    &pieces[interval.piece as usize].sites[interval.site as usize]
}

fn end(piece: &Piece, site: &Site) -> End {
    End {
        thread: piece.thread,
        pos: piece.pos,
        context: piece.context,
        at: site.at,
        access: site.access,
        write: site.write,
        atomic: site.atomic,
    }
}
