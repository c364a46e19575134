//! The order D that every schedule and every distribution shares.
//!
//! D has program order, creation and join of threads, barriers, and for OpenMP the phases of regions between barriers,
//! task creation, waiting and dependences, `ordered` and doacross; not locks, not atomics.
//!
//! *Words.* A *chain* is what one strand does, in order: a thread of its own, an implicit task of a region, an open piece
//! of a worksharing construct, an explicit task, a SIMD lane. A *position* is a part of a chain between two events that
//! change what D says of it; all that a chain does at one position is related to others in the same way. A *frame* is a phase
//! of a region: every chain belongs to one.
//!
//! *Algorithm.* Two positions are first lifted to the innermost region that both are inside of: a position of an inner
//! region is replaced by the position of the chain that forked it. There, different phases are ordered by number. In one
//! phase, a chain's clock says up to which position it knows which other chain; clocks are sparse and begin empty in every
//! phase, so that a worksharing loop without tasks has none at all. `ordered` needs no clocks either: an iteration before
//! the end of its block is ordered before later iterations from the beginning of theirs.
//!
//! *What an open piece knows.* Which thread executes it is open, so it is not ordered with what its thread does before or
//! after it in the same phase; but pieces of the same number of constructs that are alike (`order(reproducible)`) have the
//! same thread, so a later one is ordered after an earlier one. A piece whose thread is fixed is part of that thread's chain.
//!
//! *Tasks.* A task is a chain of its own, ordered after its creation and before whatever waits for it. Siblings are the
//! children of one task, and an implicit task's children are those of all pieces that its thread executes: which these are
//! is open. So a wait, a dependence or an exclusion (`mutexinoutset`) counts only between tasks that the same chain created
//! (for the end of a task group also their descendants). A task that its creator waits for as for a call is a part of
//! the creator's chain.
//!
//! *Names.* A chain's id is computed from what made it: the chain that forked the region and how many regions and tasks it had made
//! before, the number of the construct in its region, the iteration. It is the same in every schedule and distribution.
//!
//! *Guarantee.* What is said to be ordered is ordered in every schedule and distribution. Structure that is not
//! understood sets [`Order::confused`].

mod clock;
mod query;
mod tasks;
mod teams;
mod threads;

use base::reason::Structure;
use std::sync::Arc;

use machine::Work;
pub(crate) use machine::names::id_of;
use rustc_hash::FxHashMap;

use clock::{Clock, join, put};
pub use query::Settled;

/// A position: what D knows of an access.
pub type Pos = u32;

/// No position.
const NOWHERE: Pos = u32::MAX;

/// See [`Order::name`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name {
    /// 0 a thread, 1 a piece, 2 a task, 3 an implicit task.
    pub kind: u8,
    /// The chain's id.
    pub id: u64,
    phase: u32,
    index: u32,
}

impl Name {
    /// The phase of its region.
    pub fn phase(self) -> u32 {
        self.phase
    }

    /// The strand alone.
    pub fn strand(self) -> Name {
        Name { index: 0, ..self }
    }
}

/// A phase of a region: the region's id and the number of the phase.
pub type Stage = (u64, u32);

/// How a strand is in a region around it: itself, or by what forked the regions that it is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// The region and its phase.
    pub stage: Stage,
    /// The number of the thread that executes it, where that is a parameter of the strand.
    pub number: Option<u32>,
    /// The strand of this region.
    pub chain: u32,
    /// What that is.
    pub kind: Kind,
    /// For a piece: the number of its construct in the region.
    pub nth: u64,
}

impl Level {
    /// Whether another distribution could let another thread execute it.
    pub fn is_open(&self) -> bool {
        matches!(self.kind, Kind::Piece | Kind::Task)
    }
}

/// What kind of strand a chain is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A thread, or an implicit task: another distribution does not move it to another thread.
    Fixed,
    /// A piece that another thread of the team could execute.
    Piece,
    /// An explicit task.
    Task,
    /// A lane of a SIMD loop: runs on the thread that runs the loop.
    Lane,
}

#[derive(Debug, Clone)]
struct Chain {
    kind: Kind,
    /// The same in every schedule and distribution.
    id: u64,
    index: u32,
    frame: u32,
    clock: Clock,
    /// The construct and first iteration of a piece.
    piece: Option<(u32, u64)>,
    /// How many constructs its thread had come to before the piece's, in the region.
    nth: u64,
    /// How many iterations the piece has.
    count: u64,
    /// The task's number.
    task: Option<u32>,
    /// Iterations whose `ordered` blocks have ended, with their constructs.
    ordered: Vec<(u32, u64)>,
    /// One more than the iteration whose `ordered` block was entered last, of the construct `share`.
    passed: u64,
    share: u32,
    ended: bool,
    /// The number in its team of the thread that executes it; for a task, of the thread that executes its creator.
    member: u32,
    /// The chain that created a task.
    creator: Option<u32>,
    /// Whether a device may execute it.
    offloaded: bool,
    /// How many regions and tasks it has made, how many threads, how many SIMD loops it has entered.
    made: [u32; 3],
}

#[derive(Debug, Clone)]
struct Position {
    chain: u32,
    index: u32,
    clock: Clock,
    frame: u32,
    thread: u32,
    /// The number in its team of the thread that executes it, where that is a parameter of the strand.
    number: Option<u32>,
    /// The construct whose `ordered` blocks count here, one more than the last iteration entered, and how many of the
    /// chain's blocks had ended.
    ordered: Option<(u32, u64, u32)>,
}

#[derive(Debug, Clone, Copy)]
struct Frame {
    region: u32,
    /// The region's id, the same in every schedule.
    id: u64,
    phase: u32,
    depth: u32,
    parent: Pos,
    /// Whether other strands may run beside the region.
    beside: bool,
    /// Whether its team has one thread.
    alone: bool,
}

#[derive(Debug, Clone)]
struct Region {
    number: u32,
    phase: u32,
    frame: u32,
    members: Vec<usize>,
    chains: Vec<u32>,
}

#[derive(Debug, Clone, Default)]
struct Task {
    /// What it may know before its dependences end.
    created: Option<Clock>,
    after: Vec<u32>,
    excludes: Vec<u32>,
    /// Who created it.
    creator: u32,
    /// Its id.
    id: u64,
    /// A part of its creator.
    undeferred: bool,
    /// A device may execute it.
    offloaded: bool,
    chain: Option<u32>,
    frame: u32,
    /// What whoever waits for it learns.
    end: Option<Clock>,
}

#[derive(Debug, Clone, Default)]
struct Thread {
    /// The chains that it executes, innermost last.
    stack: Vec<u32>,
    /// Where it was on the chains below tasks.
    below: Vec<Pos>,
    pos: Pos,
    /// The thread whose end it waits for.
    waits: Option<usize>,
    /// The open piece that it ended last: construct, first iteration, chain.
    ended: Option<(u32, u64, u32)>,
    /// Which pieces are on the stack, with their construct, and whether they are chains of their own.
    pieces: Vec<(u32, bool)>,
}

#[derive(Debug, Clone, Default)]
struct Barrier {
    gathered: Vec<(u32, u32)>,
    leaving: bool,
}

/// The order of a run, as far as it has come.
#[derive(Debug)]
pub struct Order {
    chains: Vec<Chain>,
    positions: Vec<Position>,
    frames: Vec<Frame>,
    regions: FxHashMap<u32, Region>,
    tasks: FxHashMap<u32, Task>,
    threads: Vec<Thread>,
    barriers: FxHashMap<u64, Barrier>,
    posts: FxHashMap<(u32, u64), Clock>,
    /// The last piece of each number of the constructs that are alike, by frame and mapping.
    alike: FxHashMap<(u32, u32, u64), u32>,
    /// SIMD loops in progress, by construct and the position that entered them: their frame and the position.
    lanes: FxHashMap<u32, (u32, Pos)>,
    /// By region number: the phase it is in, and whether it has not ended; `None` for the lanes of a SIMD loop.
    states: Vec<Option<(u32, bool)>>,
    /// Entries of clocks made so far, so that they cannot fill the memory.
    entries: usize,
    empty: Clock,
    /// Threads created inside a region that are no team's workers yet.
    unclaimed: Vec<usize>,
    /// Whether every task is once executed by every thread of its team, so that the thread's number is a parameter of tasks too.
    pub by_thread: bool,
    /// Something happened that the order does not understand: nothing is proved.
    pub confused: Option<Structure>,
}

/// More entries of clocks than this are not kept.
const MAX_ENTRIES: usize = 60_000_000;

impl Default for Order {
    fn default() -> Self {
        Self::new()
    }
}

impl Order {
    /// The order before the first instruction: one thread.
    pub fn new() -> Order {
        let empty: Clock = Arc::default();
        let mut order = Order {
            chains: Vec::new(),
            positions: Vec::new(),
            frames: vec![Frame {
                region: 0,
                id: 0,
                phase: 0,
                depth: 0,
                parent: NOWHERE,
                beside: false,
                alone: false,
            }],
            regions: FxHashMap::default(),
            tasks: FxHashMap::default(),
            threads: vec![Thread::default()],
            barriers: FxHashMap::default(),
            posts: FxHashMap::default(),
            alike: FxHashMap::default(),
            lanes: FxHashMap::default(),
            states: vec![Some((0, true))],
            entries: 0,
            empty: Arc::clone(&empty),
            unclaimed: Vec::new(),
            by_thread: false,
            confused: None,
        };
        let chain = order.new_chain(Kind::Fixed, 0, 1, empty);
        order.threads[0].stack.push(chain);
        order.place(0);
        order
    }

    /// The order before the first instruction, with [`Order::by_thread`].
    pub fn with(by_thread: bool) -> Order {
        let mut order = Order::new();
        order.by_thread = by_thread;
        order
    }

    /// Where a thread is.
    #[inline]
    pub fn pos(&self, thread: usize) -> Pos {
        self.threads[thread].pos
    }

    /// The thread that was at a position.
    pub fn thread(&self, pos: Pos) -> usize {
        self.positions[pos as usize].thread as usize
    }

    /// The chain of a position.
    #[inline]
    pub fn chain(&self, pos: Pos) -> u32 {
        self.positions[pos as usize].chain
    }

    /// The kind of strand that a position belongs to.
    pub fn kind(&self, pos: Pos) -> Kind {
        self.chains[self.chain(pos) as usize].kind
    }

    /// The same, if there is such a position.
    pub fn kind_at(&self, pos: Pos) -> Option<Kind> {
        let position = self.positions.get(pos as usize)?;
        Some(self.chains[position.chain as usize].kind)
    }

    /// Whether some part of a position's way from the root is open: another distribution lets another thread do it.
    pub fn is_open(&self, pos: Pos) -> bool {
        let mut at = pos;
        while at != NOWHERE {
            if matches!(self.kind(at), Kind::Piece | Kind::Task) {
                return true;
            }
            at = self.frames[self.positions[at as usize].frame as usize].parent;
        }
        false
    }

    /// A name of a position that other runs of the same skeleton share: which chain, and where on it.
    pub fn name(&self, pos: Pos) -> Name {
        let p = &self.positions[pos as usize];
        let chain = &self.chains[p.chain as usize];
        let frame = self.frames[p.frame as usize];
        let kind = match chain.kind {
            Kind::Piece | Kind::Lane => 1,
            Kind::Task => 2,
            Kind::Fixed if frame.region == 0 => 0,
            // How often a fixed chain was interrupted by open pieces depends on the distribution.
            Kind::Fixed => return Name { kind: 3, id: chain.id, phase: frame.phase, index: 0 },
        };
        Name { kind, id: chain.id, phase: frame.phase, index: p.index }
    }

    /// What claims about a position name it by: [`machine::names::class`].
    pub fn class(&self, pos: Pos) -> u64 {
        let p = &self.positions[pos as usize];
        let (chain, frame) = (&self.chains[p.chain as usize], self.frames[p.frame as usize]);
        let strand = |id: u64| (self.name(pos).kind, id, frame.phase);
        let class = |id: u64, index: u32| machine::names::class(strand(id), index);
        match chain.kind {
            Kind::Piece => class(id_of(frame.id, chain.nth | 1 << 40), 0),
            Kind::Lane => class(frame.id, 0),
            Kind::Fixed if frame.region == 0 => class(chain.id, p.index),
            Kind::Fixed | Kind::Task => class(chain.id, 0),
        }
    }

    /// The regions around a position, innermost first, as its strand is in them.
    pub fn levels(&self, pos: Pos) -> impl Iterator<Item = Level> {
        let around = |at: &Pos| {
            let up = self.frames[self.positions[*at as usize].frame as usize].parent;
            (up != NOWHERE).then_some(up)
        };
        std::iter::successors(Some(pos), around).filter_map(|at| self.level(at))
    }

    /// The region of a position, as its strand is in it; none for the lanes of a SIMD loop, which their thread executes.
    fn level(&self, at: Pos) -> Option<Level> {
        let p = &self.positions[at as usize];
        let frame = self.frames[p.frame as usize];
        let chain = &self.chains[p.chain as usize];
        if frame.region == 0 || chain.kind == Kind::Lane {
            return None;
        }
        let stage = (frame.id, frame.phase);
        Some(Level { stage, number: p.number, chain: p.chain, kind: chain.kind, nth: chain.nth })
    }

    /// The number of a thread in the team that it works for.
    pub fn number(&self, t: usize) -> Option<u32> {
        let chains = self.threads.get(t)?.stack.iter().rev().map(|&c| &self.chains[c as usize]);
        chains.into_iter().find(|c| c.kind == Kind::Fixed).map(|c| c.member)
    }

    /// The construct, first iteration and number of iterations of the open piece that a position is in.
    pub fn piece(&self, pos: Pos) -> Option<(u32, u64, u64)> {
        let mut at = pos;
        while at != NOWHERE {
            let chain = &self.chains[self.chain(at) as usize];
            if let (Kind::Piece, Some((share, number))) = (chain.kind, chain.piece) {
                return Some((share, number, chain.count));
            }
            at = self.frames[self.positions[at as usize].frame as usize].parent;
        }
        None
    }

    /// Why nothing can be said, if something was not understood.
    pub fn doubt(&self) -> Option<Structure> {
        let inside = (!self.unclaimed.is_empty()).then_some(Structure::CreateInside);
        self.confused.or(inside)
    }

    /// Whether a thread executes an open piece or a task right now, as its innermost strand.
    pub fn in_open(&self, t: usize) -> bool {
        let stack = self.threads.get(t).map_or(&[][..], |t| &t.stack);
        // A lane is a part of the piece that it is in.
        let mut kinds = stack.iter().rev().map(|&c| self.chains[c as usize].kind);
        kinds.find(|k| *k != Kind::Lane).is_some_and(|k| matches!(k, Kind::Piece | Kind::Task))
    }

    /// Whether a thread executes a task, or a region that a task forked, and so on.
    pub fn within_task(&self, t: usize) -> bool {
        let Some(mut at) = self.threads.get(t).map(|t| t.pos) else { return false };
        while at != NOWHERE {
            if self.kind(at) == Kind::Task {
                return true;
            }
            at = self.frames[self.positions[at as usize].frame as usize].parent;
        }
        false
    }

    /// Whether a thread executes a task, in its innermost region.
    pub fn in_task(&self, t: usize) -> bool {
        let chain = self.threads.get(t).and_then(|t| t.stack.last());
        chain.is_some_and(|&c| self.chains[c as usize].kind == Kind::Task)
    }

    /// The id of the strand that a thread was created for.
    pub fn root(&self, t: usize) -> u64 {
        let root = self.threads.get(t).and_then(|t| t.stack.first());
        root.map_or(0, |&c| self.chains[c as usize].id)
    }

    /// Whether other strands than those of its team may run beside the region of a chain: it is nested, or there are other threads.
    pub fn is_beside(&self, chain: u32) -> bool {
        self.frames[self.chains[chain as usize].frame as usize].beside
    }

    /// Whether the team of the region of a chain has one thread.
    pub fn is_alone(&self, chain: u32) -> bool {
        self.frames[self.chains[chain as usize].frame as usize].alone
    }

    /// The id of a chain, the same in every schedule and distribution.
    pub fn id(&self, chain: u32) -> u64 {
        self.chains[chain as usize].id
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there is none (there always is).
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The region of a position (0: outside of all), and its phase.
    pub fn phase(&self, pos: Pos) -> (u32, u32) {
        let frame = self.frames[self.positions[pos as usize].frame as usize];
        (frame.region, frame.phase)
    }

    fn new_chain(&mut self, kind: Kind, frame: u32, id: u64, clock: Clock) -> u32 {
        let chain = Chain {
            kind,
            id,
            index: 1,
            frame,
            clock,
            piece: None,
            nth: 0,
            count: 1,
            task: None,
            offloaded: false,
            ordered: Vec::new(),
            passed: 0,
            share: u32::MAX,
            ended: false,
            member: 0,
            creator: None,
            made: [0; 3],
        };
        self.chains.push(chain);
        self.chains.len() as u32 - 1
    }

    /// The id of the next thing of a sort that a chain makes.
    fn next_id(&mut self, chain: u32, sort: usize) -> u64 {
        let c = &mut self.chains[chain as usize];
        c.made[sort] += 1;
        id_of(c.id, (sort as u64) << 32 | u64::from(c.made[sort]))
    }

    /// Gives the thread a fresh position on its current chain.
    fn place(&mut self, t: usize) {
        let Some(&chain) = self.threads[t].stack.last() else {
            self.confused = Some(Structure::IdleThread);
            return;
        };
        let c = &self.chains[chain as usize];
        let ordered = c.piece.map(|(share, _)| (share, c.passed, c.ordered.len() as u32));
        let number = match c.kind {
            Kind::Task if self.by_thread => self.number(t),
            Kind::Task => None,
            _ => Some(c.member),
        };
        let position = Position {
            chain,
            index: c.index,
            clock: Arc::clone(&c.clock),
            frame: c.frame,
            thread: t as u32,
            number,
            ordered,
        };
        self.positions.push(position);
        if self.positions.len() >= NOWHERE as usize {
            self.confused = Some(Structure::Parts);
        }
        self.threads[t].pos = self.positions.len() as Pos - 1;
    }

    /// What others learn who are ordered after all that the chain has done; the chain goes on at its next index.
    fn release(&mut self, chain: u32) -> Vec<(u32, u32)> {
        let c = &mut self.chains[chain as usize];
        let mut clock = c.clock.to_vec();
        put(&mut clock, chain, c.index);
        c.index += 1;
        clock
    }

    /// The chain learns a clock.
    fn learn(&mut self, chain: u32, clock: &[(u32, u32)]) {
        let c = &mut self.chains[chain as usize];
        let joined = join(&c.clock, clock);
        self.entries += joined.len();
        if self.entries > MAX_ENTRIES {
            self.confused = Some(Structure::Tasks);
        }
        c.clock = Arc::new(joined);
        c.index += 1;
    }

    fn current(&mut self, t: usize) -> Option<u32> {
        while self.threads.len() <= t {
            self.threads.push(Thread { pos: NOWHERE, ..Thread::default() });
        }
        let chain = self.threads[t].stack.last().copied();
        if chain.is_none() {
            self.confused = Some(Structure::IdleThread);
        }
        chain
    }

    // ---- the structure of the work ----

    /// Takes note of an event.
    pub fn work(&mut self, t: usize, work: &Work) {
        match work {
            Work::Arrive(address) => self.arrive(t, *address),
            Work::Leave(address) => self.leave(t, *address),
            Work::Fork { region, members } => self.fork_team(t, *region, members),
            Work::Phase { region } => self.next_phase(*region),
            Work::Join { region } => self.join_team(t, *region),
            Work::Begin { share, nth, kind, number, count, open, mapping, .. } => {
                self.begin(t, (*share, *nth), *kind, *number, (*open, *mapping));
                if let Some(chain) = self.current(t) {
                    self.chains[chain as usize].count = *count;
                }
            }
            Work::End { share } => self.end_piece(t, *share),
            Work::OrderedBegin { share } => self.ordered(t, *share, true),
            Work::OrderedEnd { share } => self.ordered(t, *share, false),
            Work::Post { share, vector } => self.post(t, *share, *vector),
            Work::Sink { share, vector } => self.sink(t, *share, *vector),
            Work::TaskCreate { task, after, excludes, undeferred, offloaded } => {
                self.create(t, *task, (after, excludes), *undeferred, *offloaded);
            }
            Work::TaskBegin { task } => self.begin_task(t, *task),
            Work::TaskEnd { task, complete } => self.end_task(t, *task, *complete),
            Work::TaskWait { tasks } => self.wait_tasks(t, tasks),
            Work::Enter { .. }
            | Work::Control { .. }
            | Work::Point
            | Work::Identity
            | Work::Copy { .. }
            | Work::Steered(_) => {}
        }
    }
}
