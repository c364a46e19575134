//! Shared variables: Eraser's locksets (P5 3.1) and what sequentiality leaves of them (P5 3.3).
//!
//! A *variable* here is a range of bytes that every access of the recorded executions touches as a whole or not at all, and that more than one
//! strand of an execution touches: an array is as many variables as its elements are used differently.
//!
//! *Lockset analysis* (Savage et al., "Eraser", TOCS 1997). Basic (section 2): C(v) is what all accesses to v hold in common; SUV, the set of unprotected variables,
//! has those with an empty C(v). Refined (sections 2.2, 2.3): v is exclusive while one thread alone
//! touches it, then shared while nobody writes, then shared-modified; C(v) is refined once it is no longer exclusive, a write counts only locks held in
//! write mode, and only shared-modified variables are reported. *Deviation*: an access by an atomic operation counts as
//! protected by a lock of its own for that variable. C(v) is refined over all recorded executions; the states of the refined form are those of each execution by itself.
//!
//! *Refinement by sequentiality*. Every pair of accesses of different strands to a variable, one of them a write, is: ordered in every
//! schedule; or kept apart by a lock, or both atomic; or neither, and then P5's formula `not EF (EX_WUi true and EX_WUj true)` is checked on the model. A
//! variable with a pair for which it fails needs protection. One whose pairs are all ordered is safe without any lock.
//! *Guarantee*: of the executions that were recorded. One stands for all schedules where the proof engine says so; otherwise they are those that
//! [`crate::executions`] found, and the analysis says whether they are all.

use std::collections::BTreeSet;

use ir::{Module, PlaceId};
use judge::names;
use machine::{Machine, place_of_access};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::{Graph, Kind};
use crate::record::Run;

/// What the output is called.
pub const OUTPUT_NAME: &str = "the output";

/// Units that touch one variable, beyond which only some are compared.
const MOST_UNITS: usize = 1500;
/// Accesses to all variables together, beyond which the analysis gives up.
const MOST_TOUCHES: usize = 8_000_000;

/// One site of one unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Touch {
    /// The node.
    pub unit: u32,
    /// Its site.
    pub site: u32,
}

/// Bytes that are touched together by more than one strand.
#[derive(Debug, Clone)]
pub struct Shared {
    /// The first byte.
    pub from: u64,
    /// One after the last.
    pub to: u64,
    /// Who touches them in each execution, in its order.
    pub touches: Vec<Vec<Touch>>,
}

/// How two accesses are kept from racing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Relation {
    /// One comes before the other in every schedule.
    Ordered,
    /// Both are atomic.
    Atomic,
    /// A lock keeps them apart.
    Locked,
    /// Nothing does.
    Concurrent,
}

/// The variables that more than one strand touches in some execution, by address; `None` if there are too many accesses.
pub fn shared(runs: &[&Run]) -> Option<Vec<Shared>> {
    struct Interval {
        from: u64,
        to: u64,
        run: usize,
        touch: Touch,
    }
    let mut written_atomically = FxHashSet::default();
    let mut intervals = Vec::new();
    for (number, run) in runs.iter().enumerate() {
        for (unit, node) in run.graph.nodes.iter().enumerate() {
            for (site, s) in node.sites.iter().enumerate() {
                for &(from, to) in s.ranges.list() {
                    if s.atomic && s.write {
                        written_atomically.insert(from);
                    }
                    let touch = Touch { unit: unit as u32, site: site as u32 };
                    intervals.push(Interval { from, to, run: number, touch });
                }
            }
        }
    }
    let site = |i: &Interval| &runs[i.run].graph.nodes[i.touch.unit as usize].sites[i.touch.site as usize];
    // Using a lock is an atomic read of it, which is not what this is about.
    intervals.retain(|i| {
        let site = site(i);
        !site.atomic || site.write || written_atomically.contains(&i.from)
    });
    intervals.sort_unstable_by_key(|i| (i.from, i.to, i.run, i.touch));
    let mut cuts: Vec<u64> = intervals.iter().flat_map(|i| [i.from, i.to]).collect();
    cuts.sort_unstable();
    cuts.dedup();
    let (mut found, mut active, mut next, mut total) = (Vec::new(), Vec::<usize>::new(), 0, 0);
    for pair in cuts.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        active.retain(|&i| intervals[i].to > from);
        while next < intervals.len() && intervals[next].from <= from {
            active.push(next);
            next += 1;
        }
        let mut touches: Vec<Vec<Touch>> = vec![Vec::new(); runs.len()];
        let mut own = true;
        for &i in &active {
            touches[intervals[i].run].push(intervals[i].touch);
            own &= site(&intervals[i]).own;
        }
        let several = |(run, touches): (&&Run, &Vec<Touch>)| {
            let chain = |t: &Touch| run.order.chain(run.graph.nodes[t.unit as usize].pos);
            touches.first().is_some_and(|f| touches.iter().any(|t| chain(t) != chain(f)))
        };
        if own || !runs.iter().zip(&touches).any(several) {
            continue;
        }
        total += active.len();
        if total > MOST_TOUCHES {
            return None;
        }
        touches.iter_mut().for_each(|t| t.sort_unstable());
        found.push(Shared { from, to, touches });
    }
    Some(found)
}

/// The graph of an execution with what is shared only.
pub fn reduce(graph: &Graph, run: usize, shared: &[Shared]) -> Graph {
    let used: FxHashSet<Touch> = shared.iter().flat_map(|s| s.touches[run].iter().copied()).collect();
    let mut graph = graph.clone();
    for (unit, node) in graph.nodes.iter_mut().enumerate() {
        let mut site = 0;
        node.sites.retain(|_| {
            site += 1;
            used.contains(&Touch { unit: unit as u32, site: site - 1 })
        });
    }
    graph
}

/// What Eraser's refined form says of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// Only one thread has touched it.
    Exclusive,
    /// Several have, and none has written since.
    Shared,
    /// Several have, and it was written.
    Modified,
}

/// Locksets of one variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lockset {
    /// C(v) of the basic form: addresses of locks.
    pub basic: BTreeSet<u64>,
    /// Whether all accesses are atomic.
    pub atomic: bool,
    /// C(v) of the refined form; `None` while no second thread has touched it: all locks.
    pub refined: Option<BTreeSet<u64>>,
    /// The state at the end.
    pub state: State,
    /// Whether the refined form ever had reason to report.
    pub reported: bool,
}

impl Lockset {
    /// Whether the variable is in SUV, the set of unprotected variables.
    pub fn unprotected(&self) -> bool {
        self.basic.is_empty() && !self.atomic
    }
}

/// Both forms of the lockset analysis for one variable, over all executions.
pub fn lockset(runs: &[&Run], shared: &Shared) -> Lockset {
    let mut whole: Option<Lockset> = None;
    for (run, touches) in runs.iter().zip(&shared.touches).filter(|(_, t)| !t.is_empty()) {
        let one = lockset_of(run, touches);
        whole = Some(match whole {
            None => one,
            Some(all) => Lockset {
                basic: all.basic.intersection(&one.basic).copied().collect(),
                atomic: all.atomic && one.atomic,
                refined: match (all.refined, one.refined) {
                    (Some(a), Some(b)) => Some(a.intersection(&b).copied().collect()),
                    (a, b) => a.or(b),
                },
                state: all.state.max(one.state),
                reported: all.reported || one.reported,
            },
        });
    }
    whole.unwrap_or_else(|| lockset_of(runs[0], &[]))
}

fn lockset_of(run: &Run, touches: &[Touch]) -> Lockset {
    let mut basic: Option<BTreeSet<u64>> = None;
    let mut refined: Option<BTreeSet<u64>> = None;
    let (mut state, mut owner, mut reported, mut all_atomic) = (State::Exclusive, None, false, true);
    for touch in touches {
        let node = &run.graph.nodes[touch.unit as usize];
        let site = &node.sites[touch.site as usize];
        let held = run.locks.context(node.context);
        let any: BTreeSet<u64> = held.iter().map(|h| h.lock).collect();
        let written: BTreeSet<u64> = held.iter().filter(|h| !h.shared).map(|h| h.lock).collect();
        all_atomic &= site.atomic;
        basic = Some(basic.map_or_else(|| any.clone(), |b| b.intersection(&any).copied().collect()));
        // A strand that another thread could run counts as a thread.
        let open = run.order.is_open(node.pos);
        let who = if open { (1, run.order.chain(node.pos) as usize) } else { (0, node.thread) };
        let first = *owner.get_or_insert(who);
        if who != first || state != State::Exclusive {
            state = if site.write || state == State::Modified { State::Modified } else { State::Shared };
            let held = if site.write { &written } else { &any };
            let left: BTreeSet<u64> =
                refined.map_or_else(|| held.clone(), |r| r.intersection(held).copied().collect());
            reported |= state == State::Modified && left.is_empty() && !all_atomic;
            refined = Some(left);
        }
    }
    Lockset { basic: basic.unwrap_or_default(), atomic: all_atomic, refined, state, reported }
}

/// How two units stand to each other, whatever they touch.
pub fn relation(run: &Run, a: u32, b: u32) -> Relation {
    let (x, y) = (&run.graph.nodes[a as usize], &run.graph.nodes[b as usize]);
    if run.order.chain(x.pos) == run.order.chain(y.pos) || run.order.ordered_pair(x.pos, y.pos) {
        Relation::Ordered
    } else if run.locks.common(x.context, y.context)
        || run.locks.exclude(x.context, y.context)
        || run.order.exclude(x.pos, y.pos)
    {
        Relation::Locked
    } else {
        Relation::Concurrent
    }
}

/// A pair of units with conflicting accesses to a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    /// The first.
    pub first: Touch,
    /// The second.
    pub second: Touch,
    /// What keeps them apart.
    pub relation: Relation,
    /// The execution.
    pub run: u32,
}

/// What is known of a variable's conflicting pairs.
#[derive(Debug, Clone, Default)]
pub struct Pairs {
    /// For each relation and pair of source places one pair of units.
    pub kinds: Vec<Pair>,
    /// How many pairs of units there are of each relation: ordered, atomic, locked, concurrent.
    pub counts: [u64; 4],
    /// Whether anybody writes.
    pub written: bool,
    /// Whether one thread alone touches it, in every distribution.
    pub one_thread: bool,
    /// Whether only some pairs were compared.
    pub sampled: bool,
}

/// Compares all units that touch a variable, in each execution.
pub fn pairs(runs: &[&Run], module: &Module, touches: &[Vec<Touch>]) -> Pairs {
    let mut found = Pairs { one_thread: true, ..Pairs::default() };
    let mut kept = FxHashSet::default();
    for (number, (run, touches)) in runs.iter().zip(touches).enumerate().filter(|(_, r)| !r.1.is_empty()) {
        pairs_of(run, number as u32, module, touches, &mut found, &mut kept);
    }
    found
}

fn pairs_of(
    run: &Run,
    number: u32,
    module: &Module,
    touches: &[Touch],
    found: &mut Pairs,
    kept: &mut FxHashSet<(PlaceId, PlaceId, Relation)>,
) {
    let node = |t: &Touch| &run.graph.nodes[t.unit as usize];
    let site = |t: &Touch| &node(t).sites[t.site as usize];
    let place = |t: &Touch| place_of_access(module, site(t).access).0;
    found.written |= touches.iter().any(|t| site(t).write);
    let first = touches.first().map(|t| node(t).thread);
    let mut open = touches.iter().map(|t| run.order.is_open(node(t).pos));
    found.one_thread &= touches.iter().all(|t| Some(node(t).thread) == first) && !open.any(|o| o);
    let mut touches = touches.to_vec();
    if touches.len() > MOST_UNITS {
        found.sampled = true;
        let mut seen: FxHashMap<(PlaceId, u32, bool), u32> = FxHashMap::default();
        touches.retain(|t| {
            let count = seen.entry((place(t), node(t).context, site(t).write)).or_default();
            *count += 1;
            *count <= 100
        });
        touches.truncate(MOST_UNITS);
    }
    for (i, a) in touches.iter().enumerate() {
        for b in &touches[i + 1..] {
            if !(site(a).write || site(b).write)
                || site(a).own && site(b).own
                || run.order.chain(node(a).pos) == run.order.chain(node(b).pos)
            {
                continue;
            }
            let mut how = relation(run, a.unit, b.unit);
            if how != Relation::Ordered && site(a).atomic && site(b).atomic {
                how = Relation::Atomic;
            }
            found.counts[how as usize] += 1;
            let (p, q) = (place(a), place(b));
            if kept.insert((p.min(q), p.max(q), how)) {
                found.kinds.push(Pair { first: *a, second: *b, relation: how, run: number });
            }
        }
    }
}

/// What a person calls these bytes; the run is the one of the machine.
pub fn name(machine: &Machine, run: &Run, touches: &[Touch], from: u64, to: u64) -> String {
    if from == crate::record::OUTPUT {
        return OUTPUT_NAME.into();
    }
    let access = touches.first().map(|t| run.graph.nodes[t.unit as usize].sites[t.site as usize].access);
    let accesses: Vec<_> = access.into_iter().collect();
    let (from, to) = (crate::record::real(from), crate::record::real(to - 1) + 1);
    let first = names::variable(machine, from, 1, &accesses);
    let whole = names::variable(machine, from, to - from, &accesses);
    let last = names::variable(machine, to - 1, 1, &accesses);
    if first == last { whole } else { format!("{first}..{last}") }
}

/// Why a pair of units is ordered: the synchronisation on the way from the one to the other.
pub fn reason(run: &Run, a: u32, b: u32) -> &'static str {
    let (a, b) = (a.min(b), a.max(b));
    let kinds = run.graph.between(a, b);
    let has = |kind: Kind| kinds.contains(&kind);
    if has(Kind::Ordered) {
        "`ordered`"
    } else if has(Kind::Barrier) {
        "a barrier"
    } else if has(Kind::TaskWait) {
        "waiting for tasks"
    } else if has(Kind::Join) {
        "join"
    } else if has(Kind::Task) {
        "task creation"
    } else if has(Kind::Fork) {
        "fork"
    } else if has(Kind::Sink) {
        "`depend`"
    } else {
        "program order"
    }
}
