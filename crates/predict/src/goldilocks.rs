//! Goldilocks: happens-before by locksets.
//!
//! P2 (Elmas, Qadeer, Tasiran) sections 4 and 6, figure 8, with the lazy evaluation of the authors' later PLDI 2007
//! paper. A lockset holds locks and threads; LH(t) is {t} and the locks that t holds. After an access by t the
//! variable's lockset is LH(t), and it grows with the synchronisation that follows:
//! - acquire by t: if LH(t), the new lock included, meets the set, it gets LH(t);
//! - fork of u by t: if LH(t) meets it, it gets u;
//! - join of u by t: if LH(u) meets it, it gets LH(t).
//!
//! The next access by t is ordered after the first one iff LH(t) meets the set (theorem 1). One set is kept for the last
//! write (LSW) and one for each thread's last read since (LSR); a read is tested against LSW, a write against all.
//! Beyond the paper: a barrier round, a notification and an atomic write are tokens that whoever passes them on puts into
//! sets that meet LH(t), and that give LH(t) to the set for whoever takes them; an atomic write that does not pass the
//! set on takes the variable's token out, for the next atomic read observes another write. Atomic accesses of each
//! thread have sets of their own.
//!
//! *Lazily*: synchronisation is only written to a log; an access keeps its set and its place in the log, and the set
//! grows through the log only when it is needed. *Short-circuits* before that: the same thread again; a lock of the
//! set that the thread holds. Growing stops as soon as t is in the set, and the grown set is kept with its new place.
//! Equal sets are stored once (P2 section 7, the lockset table). When the log is long, all sets grow through its older
//! half, which is then dropped.
//!
//! Guarantee: reports the race with the last write, and with each thread's last read since that write, exactly if HB
//! leaves the two unordered; so it names the same racy variables as [`crate::hb`], and its first race is HB's.
//! Memory: variables times reading threads, and the log.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use trace::{Event, EventId, LockId, Op, ThreadId, VarId};

use crate::clock::slot;
use crate::collect::Collector;
use crate::{Answer, Options, Streaming};

/// An element of a lockset: a thread, a lock or a token, as 3n, 3n + 1, 3n + 2.
type Element = u32;

fn of_thread(t: ThreadId) -> Element {
    3 * t.0
}

fn of_lock(l: LockId) -> Element {
    3 * l.0 + 1
}

/// The number of a stored lockset.
type SetId = u32;

/// Something that lets locksets grow: who meets `meets` gets `gives`.
#[derive(Debug, Clone, Copy)]
struct Growth {
    meets: SetId,
    gives: SetId,
    /// A token that leaves sets that do not meet.
    loses: Option<Element>,
}

/// An access with its lockset, grown up to a place in the log.
#[derive(Debug, Clone, Copy)]
struct Guarded {
    id: EventId,
    event: Event,
    set: SetId,
    place: u64,
}

/// What is known of a variable.
#[derive(Debug, Clone, Default)]
struct Variable {
    write: Option<Guarded>,
    /// The last read of each thread since the last write.
    reads: Vec<Guarded>,
    /// The last atomic read and the last atomic write of each thread.
    atomics: Vec<Guarded>,
}

/// The analysis.
pub struct Goldilocks {
    sets: Vec<Arc<[Element]>>,
    numbers: FxHashMap<Arc<[Element]>, SetId>,
    log: Vec<Growth>,
    /// How much of the log has been dropped.
    dropped: u64,
    /// The longest log.
    limit: usize,
    /// The locks that each thread holds.
    held: Vec<Vec<LockId>>,
    variables: Vec<Variable>,
    tokens: u32,
    /// The token of a condition variable, of an atomic variable.
    condition: FxHashMap<LockId, Element>,
    atomic: FxHashMap<VarId, Element>,
    /// By barrier: the token of the open round. By thread: at which barrier it stands, and the round's token.
    rounds: FxHashMap<LockId, Element>,
    stands: Vec<Option<(LockId, Element)>>,
    /// The set that is being grown, as a bitmap.
    members: Vec<u64>,
    collector: Collector,
    only: Option<VarId>,
}

impl Goldilocks {
    /// At the start of a trace.
    pub fn new(options: &Options) -> Goldilocks {
        Goldilocks {
            sets: Vec::new(),
            numbers: FxHashMap::default(),
            log: Vec::new(),
            dropped: 0,
            limit: 1 << 20,
            held: Vec::new(),
            variables: Vec::new(),
            tokens: 0,
            condition: FxHashMap::default(),
            atomic: FxHashMap::default(),
            rounds: FxHashMap::default(),
            stands: Vec::new(),
            members: Vec::new(),
            collector: Collector::new(options),
            only: options.variable,
        }
    }

    /// For the registry.
    pub fn start(options: &Options) -> Box<dyn Streaming> {
        Box::new(Goldilocks::new(options))
    }

    /// Grows sets early, for tests of that path.
    #[doc(hidden)]
    pub fn with_log_limit(mut self, limit: usize) -> Goldilocks {
        self.limit = limit.max(2);
        self
    }

    fn number(&mut self, mut elements: Vec<Element>) -> SetId {
        elements.sort_unstable();
        elements.dedup();
        if let Some(&id) = self.numbers.get(&elements[..]) {
            return id;
        }
        let set: Arc<[Element]> = elements.into();
        let id = self.sets.len() as SetId;
        self.sets.push(Arc::clone(&set));
        self.numbers.insert(set, id);
        id
    }

    /// LH(t).
    fn holds(&mut self, t: ThreadId) -> SetId {
        let held = slot(&mut self.held, t.index());
        let mut elements: Vec<Element> = held.iter().map(|&l| of_lock(l)).collect();
        elements.push(of_thread(t));
        self.number(elements)
    }

    fn grow_all(&mut self, meets: SetId, gives: SetId, loses: Option<Element>) {
        self.log.push(Growth { meets, gives, loses });
        if self.log.len() >= self.limit {
            self.shorten();
        }
    }

    fn put(&mut self, t: ThreadId, token: Element, exclusive: bool) {
        let (meets, gives) = (self.holds(t), self.number(vec![token]));
        self.grow_all(meets, gives, exclusive.then_some(token));
    }

    fn take(&mut self, t: ThreadId, token: Element) {
        let (meets, gives) = (self.number(vec![token]), self.holds(t));
        self.grow_all(meets, gives, None);
    }

    fn new_token(&mut self) -> Element {
        self.tokens += 1;
        3 * self.tokens + 2
    }

    fn synchronise(&mut self, e: &Event) {
        let t = e.thread;
        match e.op {
            Op::Acquire(l) => {
                slot(&mut self.held, t.index()).push(l);
                let lh = self.holds(t);
                self.grow_all(lh, lh, None);
            }
            Op::Release(l) => slot(&mut self.held, t.index()).retain(|h| *h != l),
            Op::Fork(u) => {
                let (lh, child) = (self.holds(t), self.number(vec![of_thread(u)]));
                self.grow_all(lh, child, None);
            }
            Op::Join(u) => {
                self.leave_barrier(u);
                let (lh, mine) = (self.holds(u), self.holds(t));
                self.grow_all(lh, mine, None);
            }
            Op::Notify(c) => {
                let fresh = self.new_token();
                let token = *self.condition.entry(c).or_insert(fresh);
                self.put(t, token, false);
            }
            Op::Wait(c) => {
                if let Some(&token) = self.condition.get(&c) {
                    self.take(t, token);
                }
            }
            Op::Barrier(b) => {
                let fresh = self.new_token();
                let token = *self.rounds.entry(b).or_insert(fresh);
                *slot(&mut self.stands, t.index()) = Some((b, token));
                self.put(t, token, false);
            }
            _ => {}
        }
    }

    fn leave_barrier(&mut self, t: ThreadId) {
        let Some((b, token)) = slot(&mut self.stands, t.index()).take() else { return };
        if self.rounds.get(&b) == Some(&token) {
            self.rounds.remove(&b);
        }
        self.take(t, token);
    }

    /// The synchronisation of an atomic access, before it is tested if it is a read and after if it is a write.
    fn synchronise_atomic(&mut self, e: &Event, v: VarId) {
        match e.op {
            Op::AtomicRead(_) => {
                if let Some(&token) = self.atomic.get(&v) {
                    self.take(e.thread, token);
                }
            }
            Op::AtomicWrite(_) => {
                let fresh = self.new_token();
                let token = *self.atomic.entry(v).or_insert(fresh);
                self.put(e.thread, token, true);
            }
            Op::Write(_) => {
                // Reads that observe this write synchronise with nothing.
                self.atomic.remove(&v);
            }
            _ => {}
        }
    }

    fn access(&mut self, id: EventId, e: &Event, v: VarId) {
        let mut variable = std::mem::take(slot(&mut self.variables, v.index()));
        let place = self.dropped + self.log.len() as u64;
        let now = Guarded { id, event: *e, set: self.holds(e.thread), place };
        let write = e.op.is_write();
        self.test(&mut variable.write, &now);
        if write {
            self.test(&mut variable.reads, &now);
        }
        if !e.op.is_atomic() {
            self.test(variable.atomics.iter_mut().filter(|a| write || a.event.op.is_write()), &now);
        }
        if e.op.is_atomic() {
            let same = |a: &Guarded| a.event.thread == e.thread && a.event.op == e.op;
            replace(&mut variable.atomics, now, same);
        } else if write {
            variable.write = Some(now);
            variable.reads.clear();
        } else {
            replace(&mut variable.reads, now, |r| r.event.thread == e.thread);
        }
        self.variables[v.index()] = variable;
    }

    fn test<'a>(&mut self, earlier: impl IntoIterator<Item = &'a mut Guarded>, now: &Guarded) {
        for past in earlier {
            if !self.ordered(past, now) {
                self.collector.race((past.id, past.event), (now.id, now.event));
            }
        }
    }

    /// Whether the earlier access is ordered before the thread's present.
    fn ordered(&mut self, past: &mut Guarded, now: &Guarded) -> bool {
        let t = now.event.thread;
        // Short-circuits: the same thread, or an element in common already.
        if past.event.thread == t || self.meets(past.set, now.set) {
            return true;
        }
        let end = self.dropped + self.log.len() as u64;
        self.grow(past, end, Some(t));
        self.meets(past.set, now.set)
    }

    fn meets(&self, a: SetId, b: SetId) -> bool {
        let (a, b) = (&self.sets[a as usize], &self.sets[b as usize]);
        a.iter().any(|x| b.binary_search(x).is_ok())
    }

    /// Grows a set through the log up to a place, or until the thread is in it.
    fn grow(&mut self, guarded: &mut Guarded, to: u64, until: Option<ThreadId>) {
        if guarded.place >= to {
            return;
        }
        let mut elements: Vec<Element> = self.sets[guarded.set as usize].to_vec();
        for &x in &elements {
            set_bit(&mut self.members, x, true);
        }
        let until = until.map(of_thread);
        let mut place = guarded.place;
        let before = elements.len();
        let mut lost = false;
        while place < to && !until.is_some_and(|t| has_bit(&self.members, t)) {
            let growth = self.log[(place - self.dropped) as usize];
            place += 1;
            if self.sets[growth.meets as usize].iter().any(|&x| has_bit(&self.members, x)) {
                for &x in self.sets[growth.gives as usize].iter() {
                    if !has_bit(&self.members, x) {
                        set_bit(&mut self.members, x, true);
                        elements.push(x);
                    }
                }
            } else if let Some(token) = growth.loses.filter(|&x| has_bit(&self.members, x)) {
                set_bit(&mut self.members, token, false);
                elements.retain(|&x| x != token);
                lost = true;
            }
        }
        for &x in &elements {
            set_bit(&mut self.members, x, false);
        }
        guarded.place = place;
        if lost || elements.len() != before {
            guarded.set = self.number(elements);
        }
    }

    /// Lets all sets grow through the older half of the log, and drops it and the sets that nobody uses.
    #[cold]
    fn shorten(&mut self) {
        let middle = self.dropped + (self.log.len() / 2) as u64;
        let mut variables = std::mem::take(&mut self.variables);
        let each = |v: &mut Variable, f: &mut dyn FnMut(&mut Guarded)| {
            v.write.iter_mut().chain(&mut v.reads).chain(&mut v.atomics).for_each(f);
        };
        for v in &mut variables {
            each(v, &mut |g| self.grow(g, middle, None));
        }
        self.log.drain(..(middle - self.dropped) as usize);
        self.dropped = middle;
        let old = std::mem::take(&mut self.sets);
        self.numbers.clear();
        let mut moved: Vec<Option<SetId>> = vec![None; old.len()];
        let mut renumber = |this: &mut Goldilocks, id: &mut SetId| {
            *id = *moved[*id as usize].get_or_insert_with(|| this.number(old[*id as usize].to_vec()));
        };
        for v in &mut variables {
            each(v, &mut |g| renumber(self, &mut g.set));
        }
        let mut log = std::mem::take(&mut self.log);
        for growth in &mut log {
            renumber(self, &mut growth.meets);
            renumber(self, &mut growth.gives);
        }
        self.log = log;
        self.variables = variables;
    }
}

fn replace(list: &mut Vec<Guarded>, now: Guarded, same: impl Fn(&Guarded) -> bool) {
    match list.iter_mut().find(|g| same(g)) {
        Some(old) => *old = now,
        None => list.push(now),
    }
}

#[inline]
fn has_bit(bits: &[u64], x: Element) -> bool {
    bits.get(x as usize / 64).is_some_and(|w| w & (1 << (x % 64)) != 0)
}

fn set_bit(bits: &mut Vec<u64>, x: Element, on: bool) {
    let word = slot(bits, x as usize / 64);
    if on { *word |= 1 << (x % 64) } else { *word &= !(1 << (x % 64)) }
}

impl Streaming for Goldilocks {
    fn event(&mut self, id: EventId, e: &Event) {
        self.leave_barrier(e.thread);
        let Some(v) = e.op.variable() else { return self.synchronise(e) };
        if e.op.is_read() {
            self.synchronise_atomic(e, v);
        }
        if self.only.is_none_or(|only| only == v) {
            self.access(id, e, v);
        }
        if e.op.is_write() {
            self.synchronise_atomic(e, v);
        }
    }

    fn finish(self: Box<Self>) -> Answer {
        self.collector.finish()
    }
}
