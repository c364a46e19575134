//! Runs a program on the machine and builds its work-unit graph.
//!
//! The observer keeps, for each thread, the strand that it executes and the nodes after which the strand goes on. A piece of a
//! worksharing construct whose thread is open begins where its phase begins and ends where its phase ends; one whose thread is fixed is
//! part of that thread's strand. Beside the edges, each node has its position in the order D of the proof engine
//! ([`prove::order`]), which says in constant time what the edges say by reachability.
//!
//! A unit ends at a synchronisation, at a task scheduling point, and at a branch ([`crate::stretches`]). Between two synchronisations a strand can come
//! to the same stretch of code again and again: that is one unit, which stands where it was first come to. (What a loop repeats is one node in
//! P5's graph, too; no other strand can tell the difference, as it has no part in it.)
//!
//! *Tokens.* Each node takes from each strand that has a part in it the strand's position, and leaves a new one. Two nodes of different executions that
//! take the same position exclude each other: control goes one way or the other ([`crate::merge`]).

use base::reason::{Executions, Reason, Used};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use ir::{AccessId, Module, PlaceId};
use machine::memory::layout::Layout;
use machine::{Edge, Machine, Mode, Observer, Pending, Program, ShareKind, Status, Thread, Work};
use prove::commute::Updates;
use prove::locks::Locks;
use prove::order::Order;
use prove::record::user_place;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::drive::{Schedule, drive};
use crate::graph::{Graph, Kind, Node, Site, Strand, StrandKind};
use crate::own;
use crate::stretches::{Stretch, Stretches};

/// How many nodes a graph may have.
const MAX_NODES: usize = 1_000_000;

/// The address that stands for what the program prints: writing there is indivisible for each call, but its order counts.
pub const OUTPUT: u64 = u64::MAX - 15;

/// Where the number of an object's life stands in its address, and how many can be told apart.
const LIFE: u32 = 56;
const LIVES: u64 = 126;
/// Bits of an offset in an object, as `machine` lays objects out.
const OFFSET: u32 = 30;

/// The address that the machine knows.
pub fn real(address: u64) -> u64 {
    if address >= OUTPUT { address } else { address & ((1 << LIFE) - 1) }
}

/// No node.
pub const NONE: u32 = u32::MAX;

/// A run, recorded.
pub struct Run {
    /// The graph, not simplified.
    pub graph: Graph,
    /// The order that all schedules share.
    pub order: Order,
    /// The locks.
    pub locks: Locks,
    /// What people call the locks, by address.
    pub lock_names: BTreeMap<u64, String>,
    /// Why the run did not come to its end, if it did not.
    pub cut: Option<Reason>,
    /// The first thing on which the schedule decides, if the program waits for such things.
    pub steered: Option<(Used, PlaceId)>,
    /// Barriers: which calls met in one round, by place.
    pub rounds: Vec<Vec<PlaceId>>,
    /// The largest team.
    pub team: u32,
}

/// What a piece of work on a thread's stack is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    /// A thread or an implicit task.
    Base,
    /// A piece of a construct that is a strand of its own.
    Open(u32),
    /// A piece on its fixed thread.
    Fixed(u32),
    Task(u32),
}

#[derive(Debug, Clone)]
struct Strip {
    level: Level,
    strand: u32,
    /// The strand whose position it is: that of the thread for a piece on its fixed thread.
    owner: u32,
    /// The nodes after which it goes on.
    last: Vec<u32>,
}

#[derive(Debug, Default)]
struct Region {
    members: Vec<usize>,
    /// How the stacks of the members were when it began.
    depths: Vec<usize>,
    begin: u32,
    /// Ends of open pieces of this phase, with their strands.
    ends: Vec<(u32, u32)>,
    /// Ends of its tasks.
    tasks: Vec<u32>,
}

#[derive(Debug, Default)]
struct Task {
    strip: Option<Strip>,
    after: Vec<u32>,
    end: Option<Vec<u32>>,
    create: u32,
}

struct Recorder<'m> {
    module: &'m Module,
    graph: Graph,
    order: Order,
    locks: Locks,
    updates: Updates<'m>,
    stacks: Vec<Vec<Strip>>,
    stretches: Stretches<'m>,
    /// The unit that a thread is in, and its stretch of code.
    units: Vec<Option<(u32, Stretch)>>,
    /// By thread: the units since its last synchronisation, by stretch.
    since: Vec<FxHashMap<Stretch, u32>>,
    /// By thread: the first of them.
    segments: Vec<Option<u32>>,
    index: Vec<FxHashMap<(u32, u64, u32), u32>>,
    regions: FxHashMap<u32, Region>,
    /// By thread: the regions that it is inside of.
    inside: Vec<Vec<u32>>,
    tasks: FxHashMap<u32, Task>,
    barriers: FxHashMap<u64, Vec<(usize, PlaceId)>>,
    leaving: FxHashMap<usize, u32>,
    ordered: FxHashMap<u32, u32>,
    posts: FxHashMap<(u32, u64), u32>,
    holds: FxHashMap<(usize, u64), u32>,
    /// Locks taken so far, and those that have no name yet.
    known_locks: FxHashSet<u64>,
    new_locks: Vec<u64>,
    steered: Option<(Used, PlaceId)>,
    rounds: Vec<Vec<PlaceId>>,
    team: u32,
    full: bool,
    layout: Layout,
    /// By object of a stack: how many were there before. The address of a local variable is given to the next when its function has returned, so
    /// that concurrent tasks can keep different variables at one address.
    lives: FxHashMap<u64, u64>,
    /// By thread: its last access, which for output is the reading of what is printed.
    last: Vec<(AccessId, Stretch)>,
}

impl Strip {
    fn main() -> Strip {
        Strip { level: Level::Base, strand: 0, owner: 0, last: Vec::new() }
    }
}

struct Shared<'m>(Rc<RefCell<Recorder<'m>>>);

impl<'m> Recorder<'m> {
    fn new(module: &'m Module, layout: Layout) -> Recorder<'m> {
        let main = Strand {
            kind: StrandKind::Main,
            place: PlaceId::NONE,
            variable: None,
            function: None,
            thread: 0,
            origin: NONE,
            nth: 0,
        };
        Recorder {
            module,
            graph: Graph { nodes: Vec::new(), strands: vec![main] },
            order: Order::new(),
            locks: Locks::new(),
            updates: Updates::new(module),
            stretches: Stretches::new(module),
            stacks: vec![vec![Strip::main()]],
            units: vec![None],
            since: vec![FxHashMap::default()],
            segments: vec![None],
            index: vec![FxHashMap::default()],
            regions: FxHashMap::default(),
            inside: vec![Vec::new()],
            tasks: FxHashMap::default(),
            barriers: FxHashMap::default(),
            leaving: FxHashMap::default(),
            ordered: FxHashMap::default(),
            posts: FxHashMap::default(),
            holds: FxHashMap::default(),
            known_locks: FxHashSet::default(),
            new_locks: Vec::new(),
            steered: None,
            rounds: Vec::new(),
            team: 0,
            full: false,
            layout,
            lives: FxHashMap::default(),
            last: Vec::new(),
        }
    }

    /// The address by which the object that is there now is told from those before it.
    fn alive(&self, address: u64) -> u64 {
        if self.lives.is_empty() || !self.layout.region(address).is_stack() {
            return address;
        }
        let life = self.lives.get(&(address >> OFFSET)).copied().unwrap_or(0);
        address | life.saturating_sub(1).min(LIVES) << LIFE
    }

    fn room(&mut self, t: usize) {
        while self.stacks.len() <= t {
            self.stacks.push(vec![Strip::main()]);
            self.units.push(None);
            self.since.push(FxHashMap::default());
            self.segments.push(None);
            self.index.push(FxHashMap::default());
            self.inside.push(Vec::new());
        }
    }

    /// The thread's unit has ended.
    fn cut(&mut self, t: usize) {
        self.room(t);
        self.units[t] = None;
        self.segments[t] = None;
        self.since[t].clear();
        self.index[t].clear();
    }

    fn top(&mut self, t: usize) -> &mut Strip {
        self.room(t);
        if self.stacks[t].is_empty() {
            self.stacks[t].push(Strip::main());
        }
        let at = self.stacks[t].len() - 1;
        &mut self.stacks[t][at]
    }

    /// A new node of the thread's strand, after its last and these others.
    fn node(&mut self, t: usize, kind: Kind, place: PlaceId, others: &[u32]) -> u32 {
        self.cut(t);
        self.push(t, kind, place, others)
    }

    fn push(&mut self, t: usize, kind: Kind, place: PlaceId, others: &[u32]) -> u32 {
        let number = self.graph.nodes.len() as u32;
        let (pos, context) = (self.order.pos(t), self.locks.now(t));
        let top = self.top(t);
        let mut after = std::mem::replace(&mut top.last, vec![number]);
        let (strand, owner) = (top.strand, top.owner);
        let mut tokens: Vec<(u32, u32)> = after.iter().map(|&l| (owner, l)).collect();
        if tokens.is_empty() {
            tokens.push((owner, NONE));
        }
        after.extend_from_slice(others);
        after.sort_unstable();
        after.dedup();
        self.full |= self.graph.nodes.len() >= MAX_NODES;
        self.graph.nodes.push(Node {
            kind,
            after,
            place,
            thread: t,
            strand,
            segment: number,
            pos,
            context,
            sites: Vec::new(),
            tokens,
            choices: Vec::new(),
        });
        number
    }

    /// The node takes the positions of these strands as well.
    fn takes(&mut self, node: u32, tokens: &[(u32, u32)]) {
        let all = &mut self.graph.nodes[node as usize].tokens;
        all.extend_from_slice(tokens);
        all.sort_unstable();
        all.dedup();
    }

    fn strand(&mut self, kind: StrandKind, place: PlaceId, t: usize, origin: u32, nth: u64) -> u32 {
        let strand = Strand { kind, place, variable: None, function: None, thread: t, origin, nth };
        self.graph.strands.push(strand);
        self.graph.strands.len() as u32 - 1
    }

    /// The thread's unit in a stretch of code.
    fn unit(&mut self, t: usize, stretch: Stretch, place: impl FnOnce(&Module) -> PlaceId) -> u32 {
        self.room(t);
        if let Some((unit, of)) = self.units[t]
            && of == stretch
        {
            return unit;
        }
        let unit = match self.since[t].get(&stretch) {
            Some(&unit) => unit,
            None => {
                let place = place(self.module);
                let unit = self.push(t, Kind::Unit, place, &[]);
                let segment = *self.segments[t].get_or_insert(unit);
                self.graph.nodes[unit as usize].segment = segment;
                self.since[t].insert(stretch, unit);
                unit
            }
        };
        self.units[t] = Some((unit, stretch));
        unit
    }

    fn fork_team(&mut self, t: usize, region: u32, members: &[usize], place: PlaceId) {
        let fork = self.node(t, Kind::Fork, place, &[]);
        self.team = self.team.max(members.len() as u32);
        let mut depths = Vec::new();
        for (i, &m) in members.iter().enumerate() {
            self.cut(m);
            let strand = self.strand(StrandKind::Member(i as u32), place, m, fork, 0);
            depths.push(self.stacks[m].len());
            self.stacks[m].push(Strip { level: Level::Base, strand, owner: strand, last: vec![fork] });
            self.inside[m].push(region);
        }
        let members = members.to_vec();
        self.regions.insert(region, Region { members, depths, begin: fork, ..Region::default() });
    }

    /// Everybody of a region has arrived: what the barrier or join comes after, and the positions that it takes.
    fn gather(&mut self, region: u32) -> (Vec<u32>, Vec<(u32, u32)>) {
        let Some(of) = self.regions.get_mut(&region) else { return Default::default() };
        let mut tokens = std::mem::take(&mut of.ends);
        for (&m, &depth) in of.members.iter().zip(&of.depths) {
            if let Some(strip) = self.stacks.get(m).and_then(|s| s.get(depth)) {
                tokens.extend(strip.last.iter().map(|&l| (strip.owner, l)));
            }
        }
        let mut ends: Vec<u32> = tokens.iter().map(|t| t.1).collect();
        ends.append(&mut of.tasks);
        ends.sort_unstable();
        ends.dedup();
        (ends, tokens)
    }

    fn phase(&mut self, t: usize, region: u32, place: PlaceId) {
        let (ends, tokens) = self.gather(region);
        let barrier = self.node(t, Kind::Barrier, place, &ends);
        self.takes(barrier, &tokens);
        let Some(of) = self.regions.get_mut(&region) else { return };
        of.begin = barrier;
        let members: Vec<(usize, usize)> =
            of.members.iter().copied().zip(of.depths.iter().copied()).collect();
        // Who comes last is not what the barrier is about.
        if let Some(first) = members.first().and_then(|&(m, depth)| self.stacks[m].get(depth)) {
            self.graph.nodes[barrier as usize].strand = first.strand;
        }
        for (m, depth) in members {
            self.cut(m);
            if let Some(strip) = self.stacks[m].get_mut(depth) {
                strip.last = vec![barrier];
            }
        }
    }

    fn join_team(&mut self, t: usize, region: u32, place: PlaceId) {
        let (ends, tokens) = self.gather(region);
        let Some(of) = self.regions.remove(&region) else { return };
        for (&m, &depth) in of.members.iter().zip(&of.depths) {
            self.cut(m);
            self.stacks[m].truncate(depth.max(usize::from(m == 0)));
            self.inside[m].retain(|&r| r != region);
        }
        let join = self.node(t, Kind::Join, place, &ends);
        self.takes(join, &tokens);
    }

    fn begin(&mut self, t: usize, work: &Work, place: PlaceId, th: &Thread) {
        let Work::Begin { share, nth, kind, number, count, open, .. } = *work else { return };
        let strand_kind = match kind {
            ShareKind::Simd => return,
            ShareKind::Loop | ShareKind::Distribute => StrandKind::Iterations(number, count),
            ShareKind::Sections => StrandKind::Section(number),
            ShareKind::Single => StrandKind::Single,
        };
        self.cut(t);
        let begin = self.inside[t].last().and_then(|r| self.regions.get(r)).map(|r| r.begin);
        let begin = begin.filter(|_| open);
        let origin = begin.or_else(|| self.top(t).last.first().copied()).unwrap_or(NONE);
        let strand = self.strand(strand_kind, place, t, origin, nth);
        if let StrandKind::Iterations(..) = strand_kind {
            let line = self.module.place(place).map_or(0, |p| p.line);
            let frame = th.frames.iter().rev().find(|f| !self.module.funcs[f.func.0 as usize].system);
            let known = frame.and_then(|f| self.module.loop_variable(f.func, line));
            let value = known.and_then(|l| {
                l.lower
                    .checked_add(l.step.checked_mul(i64::try_from(number).ok()?)?)
                    .map(|v| (l.name.clone(), v))
            });
            self.graph.strands[strand as usize].variable = value;
        }
        let strip = match begin {
            Some(begin) => Strip { level: Level::Open(share), strand, owner: strand, last: vec![begin] },
            None => {
                let (owner, last) = (self.top(t).owner, self.top(t).last.clone());
                Strip { level: Level::Fixed(share), strand, owner, last }
            }
        };
        self.stacks[t].push(strip);
    }

    fn end(&mut self, t: usize, share: u32) {
        let is = |s: &Strip| matches!(s.level, Level::Open(s) | Level::Fixed(s) if s == share);
        if !self.stacks.get(t).and_then(|s| s.last()).is_some_and(is) {
            return;
        }
        self.cut(t);
        let Some(strip) = self.stacks[t].pop() else { return };
        if let Level::Fixed(_) = strip.level {
            self.top(t).last = strip.last;
        } else if let Some(region) = self.inside[t].last().and_then(|r| self.regions.get_mut(r)) {
            region.ends.extend(strip.last.iter().map(|&l| (strip.owner, l)));
        }
    }

    fn task_begin(&mut self, t: usize, task: u32, place: PlaceId) {
        self.cut(t);
        let known = self.tasks.entry(task).or_default();
        let strip = match known.strip.take() {
            Some(strip) => strip,
            None => {
                let (create, after) = (known.create, std::mem::take(&mut known.after));
                let mut last = vec![create];
                for other in after {
                    last.extend(self.tasks.get(&other).and_then(|o| o.end.clone()).unwrap_or_default());
                }
                let place = self.graph.nodes.get(create as usize).map_or(place, |n| n.place);
                let strand = self.strand(StrandKind::Task, place, t, create, 0);
                Strip { level: Level::Task(task), strand, owner: strand, last }
            }
        };
        self.stacks[t].push(strip);
    }

    fn task_end(&mut self, t: usize, task: u32, complete: bool) {
        let is = |s: &Strip| s.level == Level::Task(task);
        let Some(at) = self.stacks.get(t).and_then(|s| s.iter().rposition(is)) else { return };
        self.cut(t);
        let strip = self.stacks[t].remove(at);
        if complete {
            if let Some(region) = self.inside[t].last().and_then(|r| self.regions.get_mut(r)) {
                region.tasks.extend(&strip.last);
            }
            self.tasks.entry(task).or_default().end = Some(strip.last);
        } else {
            self.tasks.entry(task).or_default().strip = Some(strip);
        }
    }

    fn leave(&mut self, t: usize, address: u64) {
        if let Some(arrived) = self.barriers.remove(&address) {
            let mut tokens: Vec<(u32, u32)> = Vec::new();
            for &(u, _) in &arrived {
                let top = self.top(u);
                tokens.extend(top.last.iter().map(|&l| (top.owner, l)));
            }
            let ends: Vec<u32> = tokens.iter().map(|t| t.1).collect();
            let place = arrived.iter().map(|a| a.1).min().unwrap_or(PlaceId::NONE);
            let barrier = self.node(t, Kind::Barrier, place, &ends);
            self.takes(barrier, &tokens);
            if let Some(&first) = arrived.iter().map(|a| &a.0).min() {
                self.graph.nodes[barrier as usize].strand = self.top(first).strand;
            }
            let mut round: Vec<PlaceId> = arrived.iter().map(|a| a.1).collect();
            round.sort_unstable();
            round.dedup();
            if !self.rounds.contains(&round) {
                self.rounds.push(round);
            }
            for (u, _) in arrived {
                self.leaving.insert(u, barrier);
            }
        }
        if let Some(barrier) = self.leaving.remove(&t) {
            self.cut(t);
            self.top(t).last = vec![barrier];
        }
    }
}

impl Observer for Shared<'_> {
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
        let mut r = self.0.borrow_mut();
        let r = &mut *r;
        if len == 0 || r.full {
            return false;
        }
        // Locks and the like are not what is to be protected: using one counts as reading it.
        let uses = matches!(th.status, Status::At(Pending::Sync(..) | Pending::Wake { .. }));
        let write = write && !(atomic && uses);
        let stretch = r.stretches.at(th);
        let unit = r.unit(t, stretch, |module| machine::place_of_access(module, access).0);
        let at = prove::record::at(th);
        if r.last.len() <= t {
            r.last.resize(t + 1, (access, stretch));
        }
        r.last[t] = (access, stretch);
        let own = own::is_own(r.layout, t, th, address);
        let key = (unit, at, u32::from(own) << 2 | u32::from(write) << 1 | u32::from(atomic));
        let sites = &mut r.graph.nodes[unit as usize].sites;
        let updates = &mut r.updates;
        let site = *r.index[t].entry(key).or_insert_with(|| {
            let part = updates.part((at >> 32) as u32, at as u32);
            let update = part.filter(|p| !p.feeds && (p.silent || p.atomic)).map(|p| p.class);
            sites.push(Site { access, write, atomic, own, update, ranges: prove::ranges::Ranges::default() });
            sites.len() as u32 - 1
        });
        let address = r.alive(address);
        r.graph.nodes[unit as usize].sites[site as usize].ranges.add(address, address + len);
        false
    }

    fn made(&mut self, _: usize, address: u64) {
        let mut r = self.0.borrow_mut();
        if r.layout == Layout::Wide && r.layout.region(address).is_stack() {
            *r.lives.entry(address >> OFFSET).or_default() += 1;
        }
    }

    fn edge(&mut self, t: usize, th: &Thread, edge: Edge) {
        let mut r = self.0.borrow_mut();
        let place = user_place(r.module, th);
        r.room(t);
        match edge {
            Edge::Fork(u) => {
                r.room(u);
                let fork = r.node(t, Kind::Fork, place, &[]);
                r.order.fork(t, u);
                let strand = r.strand(StrandKind::Thread, place, u, fork, 0);
                r.stacks[u] = vec![Strip { level: Level::Base, strand, owner: strand, last: vec![fork] }];
                r.cut(u);
            }
            Edge::Join(u) => {
                r.room(u);
                let (owner, last) = (r.top(u).owner, r.top(u).last.clone());
                r.order.join(t, u);
                let join = r.node(t, Kind::Join, place, &last);
                let tokens: Vec<(u32, u32)> = last.iter().map(|&l| (owner, l)).collect();
                r.takes(join, &tokens);
            }
            Edge::Lock(lock, shared) => {
                let count = r.holds.entry((t, lock)).or_default();
                *count += 1;
                if *count == 1 {
                    if r.known_locks.insert(lock) {
                        r.new_locks.push(lock);
                    }
                    r.node(t, Kind::Lock { lock, shared }, place, &[]);
                    r.locks.lock(t, lock, shared);
                }
            }
            Edge::Unlock(lock) => {
                let count = r.holds.entry((t, lock)).or_default();
                *count = count.saturating_sub(1);
                if *count == 0 {
                    r.node(t, Kind::Unlock { lock }, place, &[]);
                    r.locks.unlock(t, lock);
                }
            }
            _ => {}
        }
    }

    fn output(&mut self, t: usize, _: i32, _: &[u8]) {
        let mut r = self.0.borrow_mut();
        let r = &mut *r;
        let Some(&(access, stretch)) = r.last.get(t) else { return };
        let place = machine::place_of_access(r.module, access).0;
        let unit = r.unit(t, stretch, |_| place);
        let sites = &mut r.graph.nodes[unit as usize].sites;
        // One site for each place: what one call prints belongs together.
        let site = *r.index[t].entry((unit, u64::MAX, place.0)).or_insert_with(|| {
            let ranges = prove::ranges::Ranges::default();
            sites.push(Site { access, write: true, atomic: true, own: false, update: None, ranges });
            sites.len() as u32 - 1
        });
        sites[site as usize].ranges.add(OUTPUT, OUTPUT + 1);
    }

    fn work(&mut self, t: usize, th: &Thread, work: &Work) {
        let mut r = self.0.borrow_mut();
        let place = user_place(r.module, th);
        r.room(t);
        if !matches!(work, Work::Identity | Work::Steered(_)) {
            r.order.work(t, work);
        }
        match work {
            Work::Fork { region, members } => {
                members.iter().for_each(|&m| r.room(m));
                r.fork_team(t, *region, members, place);
            }
            Work::Phase { region } => r.phase(t, *region, place),
            Work::Join { region } => r.join_team(t, *region, place),
            Work::Begin { .. } => r.begin(t, work, place, th),
            Work::End { share } => r.end(t, *share),
            Work::OrderedBegin { share } => {
                let before: Vec<u32> = r.ordered.get(share).copied().into_iter().collect();
                r.node(t, Kind::Ordered, place, &before);
            }
            Work::OrderedEnd { share } => {
                let end = r.node(t, Kind::EndOrdered, place, &[]);
                r.ordered.insert(*share, end);
            }
            Work::Post { share, vector } => {
                let post = r.node(t, Kind::Post, place, &[]);
                r.posts.insert((*share, *vector), post);
            }
            Work::Sink { share, vector } => {
                let post: Vec<u32> = r.posts.get(&(*share, *vector)).copied().into_iter().collect();
                r.node(t, Kind::Sink, place, &post);
            }
            Work::TaskCreate { task, after, .. } => {
                let create = r.node(t, Kind::Task, place, &[]);
                r.tasks.insert(*task, Task { create, after: after.clone(), ..Task::default() });
            }
            Work::TaskBegin { task } => r.task_begin(t, *task, place),
            Work::TaskEnd { task, complete } => r.task_end(t, *task, *complete),
            Work::TaskWait { tasks } => {
                let ends: Vec<u32> =
                    tasks.iter().filter_map(|k| r.tasks.get(k)?.end.clone()).flatten().collect();
                r.node(t, Kind::TaskWait, place, &ends);
            }
            Work::Arrive(address) => {
                r.cut(t);
                r.barriers.entry(*address).or_default().push((t, place));
            }
            Work::Leave(address) => r.leave(t, *address),
            Work::Enter { .. } | Work::Control { .. } | Work::Identity | Work::Copy { .. } | Work::Point => {}
            Work::Steered(what) => {
                r.steered = r.steered.or(Some((*what, place)));
                r.cut(t);
            }
        }
    }
}

/// Runs the program once in some way and records it; with the machine as it is at the end, for names.
pub fn record<'p>(program: &'p Program<'p>, schedule: &Schedule) -> (Machine<'p>, Run) {
    let module = program.module;
    let recorder = Rc::new(RefCell::new(Recorder::new(module, program.memory.layout())));
    let mut machine = Machine::new(program, mode());
    machine.observer = Some(Box::new(Shared(Rc::clone(&recorder))));
    machine.may.sites.extend(schedule.branches.iter().copied());
    // Locks are named while they exist.
    let mut lock_names: BTreeMap<u64, String> = BTreeMap::new();
    let mut cut = drive(&mut machine, schedule, &mut |machine| {
        for lock in recorder.borrow_mut().new_locks.drain(..) {
            lock_names.entry(lock).or_insert_with(|| judge::names::sync_object(machine, lock));
        }
    });
    machine.observer = None;
    let Ok(cell) = Rc::try_unwrap(recorder) else { unreachable!("the observer is gone") };
    let mut recorder = cell.into_inner();
    if recorder.full {
        cut = Some(Executions::Nodes(MAX_NODES).into());
    }
    for strand in &mut recorder.graph.strands {
        let start = machine.threads.get(strand.thread).and_then(|th| th.start);
        if strand.kind == StrandKind::Thread {
            strand.function = start.map(|f| module.funcs[f.0 as usize].display.clone());
        }
    }
    for site in recorder.graph.nodes.iter_mut().flat_map(|n| &mut n.sites) {
        site.ranges.tidy_up();
    }
    let Recorder { graph, order, locks, steered, rounds, team, .. } = recorder;
    (machine, Run { graph, order, locks, lock_names, cut, steered, rounds, team })
}

/// How the machine runs that is recorded or explored.
pub fn mode() -> Mode {
    Mode { histories: false, branch_barriers: true, ..Mode::default() }
}
