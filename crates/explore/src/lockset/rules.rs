//! The update rules of P2, figure 8, driven by what the machine reports.
//!
//! *In words.* Every access is kept with a lockset: who is ordered after it. At the access that is the thread itself and
//! the locks that it holds. Whoever takes a lock in the set joins the set with all that it holds; whoever is created or
//! waited for is added likewise. An access races with an earlier one in whose set its thread is not.
//!
//! *Beyond the figure.* What is not a mutex passes on its past as P2 treats volatile variables: a token for the object
//! is put into the sets that contain the thread that releases, and who acquires joins the sets that contain the token. That
//! gives semaphores, condition variables, barriers, one-time initialisation, atomics, and locks in shared mode (which
//! count as held by nobody, with a token of their own for the readers' past). A plain store to an atomic ends its release
//! sequence: the token leaves the sets that the storing thread is not in. Fences have two tokens for each thread.
//! An access is forgotten when a later one is ordered after it and races with everything it could race with, or when
//! every running thread is ordered after it. Figure 8 keeps the last write and each thread's last read instead.
//!
//! *Guarantee.* P2, theorem 1: an access is reported exactly if it is not ordered after an earlier conflicting one that is
//! still kept, on this path; and one that is no longer kept is ordered before one that is.

use std::cell::RefCell;
use std::rc::Rc;

use ir::AccessId;
use machine::footprint::{Class, Key};
use machine::history::{Touch, granules};
use machine::{Edge, Machine, Observer, RawRace, Thread};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::table::{Lockset, Token, Tokens};

/// An access that can still race, to some bytes of a granule.
#[derive(Debug, Clone, Copy)]
struct Cell {
    mask: u8,
    kind: Kind,
    thread: u16,
    /// The index of its lockset in the table.
    set: u32,
    access: AccessId,
}

/// What an access does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    write: bool,
    atomic: bool,
}

impl Kind {
    fn conflicts(self, other: Kind) -> bool {
        (self.write || other.write) && !(self.atomic && other.atomic)
    }

    /// Whether everything that conflicts with `other` conflicts with this.
    fn covers(self, other: Kind) -> bool {
        (self.write || !other.write) && (!self.atomic || other.atomic)
    }
}

/// A scheduled operation that can still turn out to have come too early.
#[derive(Debug, Clone, Copy)]
pub struct Op {
    /// Who performed it.
    pub thread: u32,
    /// How it used the key.
    pub class: Class,
    /// The node from which it was performed.
    pub node: u32,
    set: u32,
}

/// The locksets of all accesses and operations at one point of a path.
#[derive(Debug, Clone, Default)]
pub struct Locksets {
    /// The lockset table. Cells and operations refer to its entries.
    sets: Vec<Lockset>,
    /// The shadow of the memory, by granule.
    cells: FxHashMap<u64, SmallVec<[Cell; 2]>>,
    /// The newest operations on each key.
    ops: FxHashMap<Key, SmallVec<[Op; 2]>>,
}

/// Locksets together with what does not go back with the search.
#[derive(Debug, Default)]
pub struct Rules {
    /// The numbers of tokens.
    tokens: Tokens,
    /// The locksets now.
    pub now: Locksets,
    /// Races seen since they were last taken.
    pub races: Vec<RawRace>,
    seen: FxHashSet<(AccessId, AccessId, u64)>,
    /// The set for an access by this thread now, in the table.
    own: Option<(usize, u32)>,
    /// Whether there was ever more than one thread.
    forked: bool,
}

/// The accesses that can still race, in a form that can be compared with those of another path to the same state.
#[derive(Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Granule, mask, kind and set, sorted.
    cells: Box<[(u64, u8, Kind, u32)]>,
    sets: Box<[Lockset]>,
}

impl Snapshot {
    /// Whether every race that can follow from `other` can follow from this (P2, figure 6, line 43).
    pub fn is_within(&self, other: &Snapshot) -> bool {
        let mut from = 0;
        other.cells.iter().all(|&(granule, mask, kind, set)| {
            from += self.cells[from..].iter().take_while(|c| c.0 < granule).count();
            let here = self.cells[from..].iter().take_while(|c| c.0 == granule);
            let set = &other.sets[set as usize];
            here.into_iter()
                .any(|c| mask & !c.1 == 0 && c.2.covers(kind) && self.sets[c.3 as usize].is_within(set))
        })
    }

    /// A hash of the contents.
    pub fn hash(&self) -> u128 {
        let mut text = Vec::with_capacity(self.cells.len() * 16 + self.sets.len() * 20);
        for (granule, mask, kind, set) in &self.cells {
            text.extend_from_slice(&granule.to_le_bytes());
            text.extend_from_slice(&[*mask, u8::from(kind.write) | u8::from(kind.atomic) << 1]);
            text.extend_from_slice(&set.to_le_bytes());
        }
        self.sets.iter().for_each(|set| set.write(&mut text));
        xxhash_rust::xxh3::xxh3_128(&text)
    }

    /// About how many bytes it takes.
    pub fn bytes(&self) -> usize {
        self.cells.len() * size_of::<(u64, u8, Kind, u32)>() + self.sets.len() * size_of::<Lockset>() + 64
    }
}

impl Rules {
    fn thread(&mut self, t: usize) -> u32 {
        self.tokens.number(Token::Thread(t as u32))
    }

    fn object(&mut self, address: u64) -> u32 {
        self.tokens.number(Token::Object(address))
    }

    /// LH: the thread and the locks that it alone holds.
    fn held(&mut self, t: usize, th: &Thread) -> Lockset {
        let mut set = Lockset::of(self.thread(t));
        for held in th.locks.iter().filter(|h| !h.shared) {
            let token = self.object(held.lock);
            set.insert(token);
        }
        set
    }

    /// The index of the thread's own set in the table.
    fn own(&mut self, t: usize, th: &Thread) -> u32 {
        if let Some((_, set)) = self.own.filter(|o| o.0 == t) {
            return set;
        }
        let held = self.held(t, th);
        let set = match self.now.sets.iter().position(|s| *s == held) {
            Some(at) => at,
            None => {
                self.now.sets.push(held);
                self.now.sets.len() - 1
            }
        } as u32;
        self.own = Some((t, set));
        set
    }

    /// Rules 2 and 3: an access.
    fn touch(&mut self, t: usize, own: u32, touch: Touch) {
        let token = self.thread(t);
        let kind = Kind { write: touch.write, atomic: touch.atomic };
        let Locksets { sets, cells, .. } = &mut self.now;
        let cells = cells.entry(touch.granule).or_default();
        let again =
            |c: &Cell| c.thread as usize == t && c.kind == kind && c.set == own && touch.mask & !c.mask == 0;
        if cells.iter().any(again) {
            return;
        }
        cells.retain(|c| {
            let ordered = sets[c.set as usize].has(token);
            if !ordered && c.mask & touch.mask != 0 && c.kind.conflicts(kind) {
                let first = Touch {
                    granule: touch.granule,
                    mask: c.mask,
                    write: c.kind.write,
                    atomic: c.kind.atomic,
                    access: c.access,
                };
                if self.seen.insert((c.access, touch.access, touch.granule)) {
                    self.races.push(RawRace { first: (c.thread.into(), first), second: (t as u32, touch) });
                }
            }
            if ordered && kind.covers(c.kind) {
                c.mask &= !touch.mask;
            }
            c.mask != 0
        });
        cells.push(Cell { mask: touch.mask, kind, thread: t as u16, set: own, access: touch.access });
    }

    /// Whoever is in the sets with `token` is ordered before what `gain` now joins.
    fn join(&mut self, token: u32, gain: &Lockset) {
        for set in self.now.sets.iter_mut().filter(|s| s.has(token)) {
            set.add(gain);
        }
    }

    /// The rules for synchronisation.
    fn edge(&mut self, t: usize, th: &Thread, edge: Edge) {
        self.own = None;
        let me = self.thread(t);
        match edge {
            Edge::Acquire(o) => {
                let (o, held) = (self.object(o), self.held(t, th));
                self.join(o, &held);
            }
            Edge::Lock(o, false) | Edge::Release(o) => {
                let o = self.object(o);
                self.join(me, &Lockset::of(o));
            }
            Edge::ReleaseOnly(o) => {
                let o = self.object(o);
                self.now.sets.iter_mut().for_each(|s| if s.has(me) { s.insert(o) } else { s.remove(o) });
            }
            Edge::Forget(o) => {
                let o = self.object(o);
                self.now.sets.iter_mut().for_each(|s| s.remove(o));
            }
            Edge::Split(whole, part) => {
                let (whole, part) = (self.object(whole), self.object(part));
                let split = |s: &mut Lockset| if s.has(whole) { s.insert(part) } else { s.remove(part) };
                self.now.sets.iter_mut().for_each(split);
            }
            Edge::Fork(u) => {
                self.forked = true;
                let child = self.thread(u);
                self.join(me, &Lockset::of(child));
            }
            Edge::Join(u) => {
                let (child, held) = (self.thread(u), self.held(t, th));
                self.join(child, &held);
            }
            Edge::See(o) => {
                let (o, seen) = (self.object(o), self.tokens.number(Token::Seen(t as u32)));
                self.join(o, &Lockset::of(seen));
            }
            Edge::AcquireFence => {
                let (seen, held) = (self.tokens.number(Token::Seen(t as u32)), self.held(t, th));
                self.join(seen, &held);
            }
            Edge::ReleaseFence => {
                let fenced = self.tokens.number(Token::Fenced(t as u32));
                self.join(me, &Lockset::of(fenced));
            }
            Edge::ReleaseFenced(o, keep) => {
                let (o, fenced) = (self.object(o), self.tokens.number(Token::Fenced(t as u32)));
                for set in &mut self.now.sets {
                    if set.has(fenced) {
                        set.insert(o);
                    } else if !keep {
                        set.remove(o);
                    }
                }
            }
            Edge::Lock(_, true) | Edge::Unlock(_) => {}
        }
    }

    // ---- operations ----

    /// A thread is about to perform an operation from a node.
    pub fn operation(&mut self, t: usize, th: &Thread, node: u32, uses: &[(Key, Class)]) {
        let (own, me) = (self.own(t, th), self.thread(t));
        let Locksets { sets, ops, .. } = &mut self.now;
        for &(key, class) in uses {
            let ops = ops.entry(key).or_default();
            ops.retain(|op| !(class.covers(op.class) && sets[op.set as usize].has(me)));
            ops.push(Op { thread: t as u32, class, node, set: own });
        }
    }

    /// Calls `f` with each operation that conflicts with one that thread `t` could perform now or later, and that is not
    /// ordered before what the thread has done.
    pub fn conflicting(&mut self, t: usize, key: Key, class: Class, mut f: impl FnMut(Op)) {
        let me = self.thread(t);
        for op in self.now.ops.get(&key).into_iter().flatten() {
            let other = op.thread as usize != t && op.class.conflicts(class);
            if other && !self.now.sets[op.set as usize].has(me) {
                f(*op);
            }
        }
    }

    /// All operations that are kept.
    pub fn operations(&self) -> impl Iterator<Item = &Op> {
        self.now.ops.values().flatten()
    }

    // ---- canonical form ----

    /// Goes back to earlier locksets.
    pub fn restore(&mut self, locksets: &Locksets) {
        self.now.clone_from(locksets);
        self.own = None;
    }

    /// Forgets what can matter no more, and puts the table into canonical order: afterwards equal locksets of accesses
    /// have equal snapshots.
    pub fn tidy(&mut self, machine: &Machine) -> Snapshot {
        self.own = None;
        let (mut live, mut gone) = (Lockset::default(), Lockset::default());
        for (t, th) in machine.threads.iter().enumerate() {
            let token = self.thread(t);
            if !th.ended() {
                live.insert(token);
            } else {
                if th.joined || th.detached {
                    gone.insert(token);
                }
                gone.insert(self.tokens.number(Token::Seen(t as u32)));
                gone.insert(self.tokens.number(Token::Fenced(t as u32)));
            }
        }
        let Locksets { sets, cells, ops } = &mut self.now;
        let known: Vec<bool> = sets.iter().map(|set| live.is_within(set)).collect();
        let mut used = vec![false; sets.len()];
        cells.retain(|_, cells| {
            cells.retain(|c| !known[c.set as usize]);
            cells.iter().for_each(|c| used[c.set as usize] = true);
            !cells.is_empty()
        });
        let by_cells = used.clone();
        ops.retain(|_, ops| {
            ops.retain(|op| !known[op.set as usize]);
            ops.iter().for_each(|op| used[op.set as usize] = true);
            !ops.is_empty()
        });
        sets.iter_mut().for_each(|set| set.subtract(&gone));
        // Sets of accesses first, so that the snapshot does not depend on operations.
        let mut order: Vec<usize> = (0..sets.len()).filter(|&i| used[i]).collect();
        order.sort_by(|&a, &b| (!by_cells[a], &sets[a]).cmp(&(!by_cells[b], &sets[b])));
        let mut number = vec![0; sets.len()];
        let mut kept: Vec<Lockset> = Vec::new();
        let mut snapshot_sets = 0;
        for i in order {
            if kept.last() != Some(&sets[i]) {
                kept.push(std::mem::take(&mut sets[i]));
            }
            number[i] = kept.len() as u32 - 1;
            if by_cells[i] {
                snapshot_sets = kept.len();
            }
        }
        *sets = kept;
        ops.values_mut().flatten().for_each(|op| op.set = number[op.set as usize]);
        let mut list = Vec::with_capacity(cells.len());
        for (&granule, cells) in cells.iter_mut() {
            for c in cells.iter_mut() {
                c.set = number[c.set as usize];
                list.push((granule, c.mask, c.kind, c.set));
            }
        }
        list.sort_unstable();
        list.dedup();
        Snapshot { cells: list.into(), sets: sets[..snapshot_sets].into() }
    }

    /// About how many bytes the locksets take.
    pub fn bytes(&self) -> usize {
        self.now.cells.len() * 64 + self.now.sets.len() * 64 + self.now.ops.len() * 64
    }
}

/// Tells the rules what the machine does.
pub struct Watcher(pub Rc<RefCell<Rules>>);

impl Observer for Watcher {
    fn access(
        &mut self,
        t: usize,
        th: &Thread,
        address: u64,
        len: u64,
        write: bool,
        atomic: bool,
        access: AccessId,
    ) -> bool {
        let rules = &mut *self.0.borrow_mut();
        if rules.forked {
            let own = rules.own(t, th);
            granules(address, len, |granule, mask| {
                rules.touch(t, own, Touch { granule, mask, write, atomic, access });
            });
        }
        false
    }

    fn edge(&mut self, t: usize, th: &Thread, edge: Edge) {
        self.0.borrow_mut().edge(t, th, edge);
    }
}
