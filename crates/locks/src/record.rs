//! Runs a program on the machine and builds its work-unit graph.
//!
//! The observer keeps, for each thread, the strand that it executes and the nodes after which the strand goes on. A piece of a
//! worksharing construct whose thread is open begins where its phase begins and ends where its phase ends; one whose thread is fixed is
//! part of that thread's strand. Beside the edges, each node has its position in the order D of the proof engine
//! ([`prove::order`]), which says in constant time what the edges say by reachability.
//!
//! The schedule: a thread goes on as long as it can; the end of the program comes when nobody else can move.

use std::cell::RefCell;
use std::rc::Rc;

use ir::{AccessId, Module, PlaceId};
use machine::native::SyncOp;
use machine::{
    Edge, Inputs, LoadError, Machine, Mode, Observer, Pending, Program, Question, ShareKind, Status, Stop,
    Thread, Work,
};
use prove::commute::Updates;
use prove::locks::Locks;
use prove::order::Order;
use prove::private::Private;
use prove::record::user_place;
use rustc_hash::FxHashMap;

use explore::schedule::{self, Point};

use crate::graph::{Graph, Kind, Node, Site, Strand, StrandKind};

/// How many operations a run may have.
const MAX_MOVES: u64 = 2_000_000;
/// How many nodes a graph may have.
const MAX_NODES: usize = 1_000_000;
/// Instructions between two looks, and how often they are renewed.
const FUEL: u64 = 10_000_000;
const REFILLS: u64 = 500;
/// Operations of one thread before another's turn.
const BURST: u32 = 256;

/// The address that stands for what the program prints: writing there is indivisible for each call, but its order counts.
pub const OUTPUT: u64 = u64::MAX - 15;

/// A run, recorded.
pub struct Run {
    /// The graph, not simplified.
    pub graph: Graph,
    /// The order that all schedules share.
    pub order: Order,
    /// The locks.
    pub locks: Locks,
    /// Why the run did not come to its end, if it did not.
    pub cut: Option<String>,
    /// The first thing on which the schedule decides, if the program waits for such things.
    pub steered: Option<(&'static str, PlaceId)>,
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
    /// The nodes after which it goes on.
    last: Vec<u32>,
}

#[derive(Debug, Default)]
struct Region {
    members: Vec<usize>,
    /// How the stacks of the members were when it began.
    depths: Vec<usize>,
    begin: u32,
    /// Ends of open pieces and tasks of this phase.
    ends: Vec<u32>,
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
    private: Private,
    stacks: Vec<Vec<Strip>>,
    /// The unit that a thread is in.
    units: Vec<Option<u32>>,
    index: Vec<FxHashMap<(u64, u32), u32>>,
    regions: FxHashMap<u32, Region>,
    /// By thread: the regions that it is inside of.
    inside: Vec<Vec<u32>>,
    tasks: FxHashMap<u32, Task>,
    barriers: FxHashMap<u64, Vec<(usize, PlaceId)>>,
    leaving: FxHashMap<usize, u32>,
    ordered: FxHashMap<u32, u32>,
    posts: FxHashMap<(u32, u64), u32>,
    holds: FxHashMap<(usize, u64), u32>,
    steered: Option<(&'static str, PlaceId)>,
    rounds: Vec<Vec<PlaceId>>,
    team: u32,
    full: bool,
    /// By thread: its last access, which for output is the reading of what is printed.
    last: Vec<AccessId>,
}

struct Shared<'m>(Rc<RefCell<Recorder<'m>>>);

impl<'m> Recorder<'m> {
    fn new(module: &'m Module) -> Recorder<'m> {
        let main = Strand {
            kind: StrandKind::Main,
            place: PlaceId::NONE,
            variable: None,
            function: None,
            thread: 0,
        };
        Recorder {
            module,
            graph: Graph { nodes: Vec::new(), strands: vec![main] },
            order: Order::new(),
            locks: Locks::new(),
            updates: Updates::new(module),
            private: Private::new(module),
            stacks: vec![vec![Strip { level: Level::Base, strand: 0, last: Vec::new() }]],
            units: vec![None],
            index: vec![FxHashMap::default()],
            regions: FxHashMap::default(),
            inside: vec![Vec::new()],
            tasks: FxHashMap::default(),
            barriers: FxHashMap::default(),
            leaving: FxHashMap::default(),
            ordered: FxHashMap::default(),
            posts: FxHashMap::default(),
            holds: FxHashMap::default(),
            steered: None,
            rounds: Vec::new(),
            team: 0,
            full: false,
            last: Vec::new(),
        }
    }

    fn room(&mut self, t: usize) {
        while self.stacks.len() <= t {
            let strip = Strip { level: Level::Base, strand: 0, last: Vec::new() };
            self.stacks.push(vec![strip]);
            self.units.push(None);
            self.index.push(FxHashMap::default());
            self.inside.push(Vec::new());
        }
    }

    /// The thread's unit has ended.
    fn cut(&mut self, t: usize) {
        self.room(t);
        self.units[t] = None;
        self.index[t].clear();
    }

    fn top(&mut self, t: usize) -> &mut Strip {
        self.room(t);
        if self.stacks[t].is_empty() {
            self.stacks[t].push(Strip { level: Level::Base, strand: 0, last: Vec::new() });
        }
        let at = self.stacks[t].len() - 1;
        &mut self.stacks[t][at]
    }

    /// A new node of the thread's strand, after its last and these others.
    fn node(&mut self, t: usize, kind: Kind, place: PlaceId, others: &[u32]) -> u32 {
        self.cut(t);
        let number = self.graph.nodes.len() as u32;
        let (pos, context) = (self.order.pos(t), self.locks.now(t));
        let top = self.top(t);
        let mut after = std::mem::replace(&mut top.last, vec![number]);
        let strand = top.strand;
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
            pos,
            context,
            sites: Vec::new(),
        });
        number
    }

    fn strand(&mut self, kind: StrandKind, place: PlaceId, t: usize) -> u32 {
        self.graph.strands.push(Strand { kind, place, variable: None, function: None, thread: t });
        self.graph.strands.len() as u32 - 1
    }

    fn unit(&mut self, t: usize, place: PlaceId) -> u32 {
        if let Some(Some(unit)) = self.units.get(t) {
            return *unit;
        }
        let unit = self.node(t, Kind::Unit, place, &[]);
        self.units[t] = Some(unit);
        unit
    }

    fn fork_team(&mut self, t: usize, region: u32, members: &[usize], place: PlaceId) {
        let fork = self.node(t, Kind::Fork, place, &[]);
        self.team = self.team.max(members.len() as u32);
        let mut depths = Vec::new();
        for (i, &m) in members.iter().enumerate() {
            self.cut(m);
            let strand = self.strand(StrandKind::Member(i as u32), place, m);
            depths.push(self.stacks[m].len());
            self.stacks[m].push(Strip { level: Level::Base, strand, last: vec![fork] });
            self.inside[m].push(region);
        }
        self.regions
            .insert(region, Region { members: members.to_vec(), depths, begin: fork, ends: Vec::new() });
    }

    /// Everybody of a region has arrived: what the barrier or join comes after.
    fn gather(&mut self, region: u32) -> Vec<u32> {
        let Some(of) = self.regions.get_mut(&region) else { return Vec::new() };
        let mut ends = std::mem::take(&mut of.ends);
        for (&m, &depth) in of.members.iter().zip(&of.depths) {
            if let Some(strip) = self.stacks.get(m).and_then(|s| s.get(depth)) {
                ends.extend(&strip.last);
            }
        }
        ends.sort_unstable();
        ends.dedup();
        ends
    }

    fn phase(&mut self, t: usize, region: u32, place: PlaceId) {
        let ends = self.gather(region);
        let barrier = self.node(t, Kind::Barrier, place, &ends);
        let Some(of) = self.regions.get_mut(&region) else { return };
        of.begin = barrier;
        let members: Vec<(usize, usize)> =
            of.members.iter().copied().zip(of.depths.iter().copied()).collect();
        for (m, depth) in members {
            self.cut(m);
            if let Some(strip) = self.stacks[m].get_mut(depth) {
                strip.last = vec![barrier];
            }
        }
    }

    fn join_team(&mut self, t: usize, region: u32, place: PlaceId) {
        let ends = self.gather(region);
        let Some(of) = self.regions.remove(&region) else { return };
        for (&m, &depth) in of.members.iter().zip(&of.depths) {
            self.cut(m);
            self.stacks[m].truncate(depth.max(usize::from(m == 0)));
            self.inside[m].retain(|&r| r != region);
        }
        self.node(t, Kind::Join, place, &ends);
    }

    fn begin(&mut self, t: usize, work: &Work, place: PlaceId, th: &Thread) {
        let Work::Begin { share, kind, number, count, open, .. } = *work else { return };
        let strand_kind = match kind {
            ShareKind::Simd => return,
            ShareKind::Loop | ShareKind::Distribute => StrandKind::Iterations(number, count),
            ShareKind::Sections => StrandKind::Section(number),
            ShareKind::Single => StrandKind::Single,
        };
        self.cut(t);
        let strand = self.strand(strand_kind, place, t);
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
        let begin = self.inside[t].last().and_then(|r| self.regions.get(r)).map(|r| r.begin);
        let strip = match begin {
            Some(begin) if open => Strip { level: Level::Open(share), strand, last: vec![begin] },
            _ => Strip { level: Level::Fixed(share), strand, last: self.top(t).last.clone() },
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
            region.ends.extend(strip.last);
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
                let strand = self.strand(StrandKind::Task, place, t);
                Strip { level: Level::Task(task), strand, last }
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
                region.ends.extend(&strip.last);
            }
            self.tasks.entry(task).or_default().end = Some(strip.last);
        } else {
            self.tasks.entry(task).or_default().strip = Some(strip);
        }
    }

    fn leave(&mut self, t: usize, address: u64) {
        if let Some(arrived) = self.barriers.remove(&address) {
            let mut ends: Vec<u32> = Vec::new();
            for &(u, _) in &arrived {
                ends.extend(&self.top(u).last.clone());
            }
            let place = arrived.first().map_or(PlaceId::NONE, |a| a.1);
            let barrier = self.node(t, Kind::Barrier, place, &ends);
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
        let unit = match r.units.get(t) {
            Some(Some(unit)) => *unit,
            _ => {
                let place = machine::place_of_access(r.module, access).0;
                r.unit(t, place)
            }
        };
        let at = prove::record::at(th);
        if r.last.len() <= t {
            r.last.resize(t + 1, access);
        }
        r.last[t] = access;
        let own = r.private.own(1, t, th, address).is_some();
        let key = (at, u32::from(own) << 2 | u32::from(write) << 1 | u32::from(atomic));
        let sites = &mut r.graph.nodes[unit as usize].sites;
        let updates = &mut r.updates;
        let site = *r.index[t].entry(key).or_insert_with(|| {
            let part = updates.part((at >> 32) as u32, at as u32);
            let update = part.filter(|p| !p.feeds && (p.silent || p.atomic)).map(|p| p.class);
            sites.push(Site { access, write, atomic, own, update, ranges: prove::ranges::Ranges::default() });
            sites.len() as u32 - 1
        });
        sites[site as usize].ranges.add(address, address + len);
        false
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
                let strand = r.strand(StrandKind::Thread, place, u);
                r.stacks[u] = vec![Strip { level: Level::Base, strand, last: vec![fork] }];
                r.cut(u);
            }
            Edge::Join(u) => {
                r.room(u);
                let last = r.top(u).last.clone();
                r.order.join(t, u);
                r.node(t, Kind::Join, place, &last);
            }
            Edge::Lock(lock, shared) => {
                let count = r.holds.entry((t, lock)).or_default();
                *count += 1;
                if *count == 1 {
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
        let Some(&access) = r.last.get(t) else { return };
        let place = machine::place_of_access(r.module, access).0;
        let unit = r.unit(t, place);
        let sites = &mut r.graph.nodes[unit as usize].sites;
        // One site for each place: what one call prints belongs together.
        let site = *r.index[t].entry((u64::MAX, place.0)).or_insert_with(|| {
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
            r.private.work(t, work);
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
            Work::Identity | Work::Copy { .. } | Work::Point => {}
            Work::Steered(what) => {
                r.steered = r.steered.or(Some((what, place)));
                r.cut(t);
            }
        }
    }
}

/// Runs the program once and records it; `rotation` says by how much pieces of work are moved round the team. The function
/// gets the machine as it is at the end, for names.
///
/// # Errors
/// If the module cannot be run at all.
pub fn record<T>(
    module: &Module,
    args: &[String],
    threads: u32,
    rotation: u32,
    with: impl FnOnce(&Machine, Run) -> T,
) -> Result<T, LoadError> {
    let program = Program::load(module, &Inputs { args: args.to_vec(), threads })?;
    let recorder = Rc::new(RefCell::new(Recorder::new(module)));
    let mut machine =
        Machine::new(&program, Mode { histories: false, branch_barriers: true, ..Mode::default() });
    machine.observer = Some(Box::new(Shared(Rc::clone(&recorder))));
    let mut cut = drive(&mut machine, rotation);
    machine.observer = None;
    let Ok(cell) = Rc::try_unwrap(recorder) else { unreachable!("the observer is gone") };
    let mut recorder = cell.into_inner();
    if recorder.full {
        cut = Some(format!("the run has more than {MAX_NODES} work units and synchronisations"));
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
    Ok(with(&machine, Run { graph, order, locks, cut, steered, rounds, team }))
}

/// Runs to the end; the text says why not.
fn drive(machine: &mut Machine, rotation: u32) -> Option<String> {
    let mut last_run: Vec<u64> = Vec::new();
    let (mut moves, mut refills, mut current, mut burst) = (0u64, 0u64, 0u32, 0u32);
    loop {
        match schedule::settle(machine, FUEL) {
            Point::Paused if refills < REFILLS => refills += 1,
            Point::Paused => return Some("the run takes too long".into()),
            Point::Exited => return None,
            Point::Choice(t, n) => machine.answer(t, usual(machine.question, n, rotation)),
            Point::Stopped(_, Stop::Infeasible) => return Some("an assumption fails in this run".into()),
            Point::Stopped(_, Stop::Unknown(what)) => return Some(what),
            Point::Stopped(_, _) => return Some("the run shows a defect".into()),
            Point::Node => {
                let options = schedule::options(machine);
                if options.deadlock {
                    return Some("the run ends in a deadlock".into());
                }
                last_run.resize(machine.threads.len(), 0);
                let exits = |a: &schedule::Alternative| {
                    let status = machine.threads[a.thread as usize].status;
                    matches!(status, Status::At(Pending::Exit(_) | Pending::Sync(SyncOp::Exit, _)))
                };
                let waits = |a: &&schedule::Alternative| {
                    let again = burst < BURST && a.thread == current;
                    (exits(a), !again, last_run[a.thread as usize], a.thread, a.way)
                };
                let &next = options.alternatives.iter().min_by_key(waits)?;
                moves += 1;
                if moves > MAX_MOVES {
                    return Some("the run does not end".into());
                }
                burst = if next.thread == current { burst + 1 } else { 0 };
                current = next.thread;
                let t = next.thread as usize;
                last_run[t] = moves;
                if let Err(Stop::Choose(n)) = machine.perform(t, next.way) {
                    machine.answer(t, usual(machine.question, n, rotation));
                    let _ = machine.perform(t, next.way);
                }
            }
        }
    }
}

/// The answer of a usual run: pieces go round the team, tasks are deferred.
fn usual(question: Question, ways: u32, rotation: u32) -> u32 {
    match question {
        Question::Owner { piece, .. } => ((piece + u64::from(rotation)) % u64::from(ways.max(1))) as u32,
        Question::Defer { .. } | Question::Value => 0,
    }
}
