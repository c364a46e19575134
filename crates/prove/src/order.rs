//! The order D that every schedule and every distribution shares (DESIGN 5.3).
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
//! after it in the same phase. A piece whose thread is fixed is part of that thread's chain.
//!
//! *Guarantee.* What is said to be ordered is ordered in every schedule and distribution. Structure that is not
//! understood sets [`Order::confused`].

use std::rc::Rc;

use machine::{ShareKind, Work};
use rustc_hash::FxHashMap;

/// A position: what D knows of an access.
pub type Pos = u32;

/// No position.
const NOWHERE: Pos = u32::MAX;

/// What a chain knows of others: up to which index, sorted by chain.
type Clock = Rc<Vec<(u32, u32)>>;

/// See [`Order::name`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Name {
    /// 0 a thread, 1 a piece, 2 a task, 3 an implicit task.
    pub kind: u8,
    /// Which: for a piece its construct (from bit 40) and first iteration.
    pub of: u64,
    /// The region.
    pub region: u32,
    phase: u32,
    index: u32,
}

impl Name {
    /// The strand alone.
    pub fn strand(self) -> Name {
        Name { index: 0, ..self }
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
    index: u32,
    frame: u32,
    clock: Clock,
    /// The construct and first iteration of a piece.
    piece: Option<(u32, u64)>,
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
    /// The number in its team of an implicit task.
    member: u32,
}

#[derive(Debug, Clone)]
struct Position {
    chain: u32,
    index: u32,
    clock: Clock,
    frame: u32,
    thread: u32,
    /// The construct whose `ordered` blocks count here, one more than the last iteration entered, and how many of the
    /// chain's blocks had ended.
    ordered: Option<(u32, u64, u32)>,
}

#[derive(Debug, Clone, Copy)]
struct Frame {
    region: u32,
    phase: u32,
    depth: u32,
    parent: Pos,
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
    chain: Option<u32>,
    frame: u32,
    /// What whoever waits for it learns.
    end: Option<Clock>,
}

#[derive(Debug, Clone, Default)]
struct Thread {
    /// The chains that it executes, innermost last.
    stack: Vec<u32>,
    pos: Pos,
    /// The thread whose end it waits for.
    waits: Option<usize>,
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
    /// SIMD loops in progress, by construct and the position that entered them: their frame and the position.
    lanes: FxHashMap<u32, (u32, Pos)>,
    /// By region number: the phase it is in, and whether it has not ended; `None` for the lanes of a SIMD loop.
    states: Vec<Option<(u32, bool)>>,
    /// Entries of clocks made so far, so that they cannot fill the memory.
    entries: usize,
    empty: Clock,
    /// Threads created inside a region that are no team's workers yet.
    unclaimed: Vec<usize>,
    /// Something happened that the order does not understand: nothing is proved.
    pub confused: Option<&'static str>,
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
        let empty: Clock = Rc::default();
        let mut order = Order {
            chains: Vec::new(),
            positions: Vec::new(),
            frames: vec![Frame { region: 0, phase: 0, depth: 0, parent: NOWHERE }],
            regions: FxHashMap::default(),
            tasks: FxHashMap::default(),
            threads: vec![Thread::default()],
            barriers: FxHashMap::default(),
            posts: FxHashMap::default(),
            lanes: FxHashMap::default(),
            states: vec![Some((0, true))],
            entries: 0,
            empty: Rc::clone(&empty),
            unclaimed: Vec::new(),
            confused: None,
        };
        let chain = order.new_chain(Kind::Fixed, 0, empty);
        order.threads[0].stack.push(chain);
        order.place(0);
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
        let (kind, of) = match (chain.kind, chain.piece, chain.task) {
            (Kind::Piece | Kind::Lane, Some((share, number)), _) => (1, u64::from(share) << 40 | number),
            (_, _, Some(task)) => (2, task.into()),
            _ if frame.region == 0 => (0, p.thread.into()),
            // How often a fixed chain was interrupted by open pieces depends on the distribution.
            _ => {
                return Name {
                    kind: 3,
                    of: chain.member.into(),
                    region: frame.region,
                    phase: frame.phase,
                    index: 0,
                };
            }
        };
        Name { kind, of, region: frame.region, phase: frame.phase, index: p.index }
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
    pub fn doubt(&self) -> Option<&'static str> {
        let inside = (!self.unclaimed.is_empty()).then_some("a thread is created inside a parallel region");
        self.confused.or(inside)
    }

    /// Whether a thread executes an open piece or a task right now, as its innermost strand.
    pub fn in_open(&self, t: usize) -> bool {
        let chain = self.threads.get(t).and_then(|t| t.stack.last());
        chain.is_some_and(|&c| matches!(self.chains[c as usize].kind, Kind::Piece | Kind::Task))
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

    fn new_chain(&mut self, kind: Kind, frame: u32, clock: Clock) -> u32 {
        let chain = Chain {
            kind,
            index: 1,
            frame,
            clock,
            piece: None,
            count: 1,
            task: None,
            ordered: Vec::new(),
            passed: 0,
            share: u32::MAX,
            ended: false,
            member: 0,
        };
        self.chains.push(chain);
        self.chains.len() as u32 - 1
    }

    /// Gives the thread a fresh position on its current chain.
    fn place(&mut self, t: usize) {
        let Some(&chain) = self.threads[t].stack.last() else {
            self.confused = Some("a thread without work moves");
            return;
        };
        let c = &self.chains[chain as usize];
        let ordered = c.piece.map(|(share, _)| (share, c.passed, c.ordered.len() as u32));
        let position = Position {
            chain,
            index: c.index,
            clock: Rc::clone(&c.clock),
            frame: c.frame,
            thread: t as u32,
            ordered,
        };
        self.positions.push(position);
        if self.positions.len() >= NOWHERE as usize {
            self.confused = Some("the run has too many parts");
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
            self.confused = Some("the run's tasks and dependences are too many");
        }
        c.clock = Rc::new(joined);
        c.index += 1;
    }

    fn current(&mut self, t: usize) -> Option<u32> {
        while self.threads.len() <= t {
            self.threads.push(Thread { pos: NOWHERE, ..Thread::default() });
        }
        let chain = self.threads[t].stack.last().copied();
        if chain.is_none() {
            self.confused = Some("a thread without work moves");
        }
        chain
    }

    // ---- threads ----

    /// Thread `t` creates thread `u`.
    pub fn fork(&mut self, t: usize, u: usize) {
        let Some(chain) = self.current(t) else { return };
        if self.chains[chain as usize].frame != 0 {
            // A worker of a team that is about to be forked, or else not understood.
            self.unclaimed.push(u);
        }
        let clock = self.release(chain);
        self.entries += clock.len();
        let child = self.new_chain(Kind::Fixed, 0, Rc::new(clock));
        while self.threads.len() <= u {
            self.threads.push(Thread { pos: NOWHERE, ..Thread::default() });
        }
        self.threads[u].stack = vec![child];
        self.place(u);
        self.place(t);
    }

    /// Thread `t` has waited for the end of thread `u`.
    pub fn join(&mut self, t: usize, u: usize) {
        let Some(chain) = self.current(t) else { return };
        self.threads[t].waits = None;
        if self.chains[chain as usize].frame != 0 || self.threads.get(u).is_none_or(|u| u.stack.len() != 1) {
            self.confused = Some("a thread is joined inside a parallel region");
            return;
        }
        let other = self.threads[u].stack[0];
        let clock = self.release(other);
        self.chains[other as usize].ended = true;
        self.learn(chain, &clock);
        self.place(t);
    }

    /// Thread `t` stands before joining `u`.
    pub fn waits(&mut self, t: usize, u: usize) {
        if self.current(t).is_some() {
            self.threads[t].waits = Some(u);
        }
    }

    /// Thread `t` has ended.
    pub fn end(&mut self, t: usize) {
        if let Some(chain) = self.current(t) {
            self.chains[chain as usize].ended = true;
        }
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
            Work::Begin { share, kind, number, count, open } => {
                self.begin(t, *share, *kind, *number, *open);
                if let Some(chain) = self.current(t) {
                    self.chains[chain as usize].count = *count;
                }
            }
            Work::End { share } => self.end_piece(t, *share),
            Work::OrderedBegin { share } => self.ordered(t, *share, true),
            Work::OrderedEnd { share } => self.ordered(t, *share, false),
            Work::Post { share, vector } => self.post(t, *share, *vector),
            Work::Sink { share, vector } => self.sink(t, *share, *vector),
            Work::TaskCreate { task, after, excludes, .. } => self.create(t, *task, after, excludes),
            Work::TaskBegin { task } => self.begin_task(t, *task),
            Work::TaskEnd { task, complete } => self.end_task(t, *task, *complete),
            Work::TaskWait { tasks } => self.wait_tasks(t, tasks),
            Work::Identity | Work::Steered(_) => {}
        }
    }

    fn arrive(&mut self, t: usize, address: u64) {
        let Some(chain) = self.current(t) else { return };
        let clock = self.release(chain);
        let barrier = self.barriers.entry(address).or_default();
        if barrier.leaving {
            *barrier = Barrier::default();
        }
        barrier.gathered = join(&barrier.gathered, &clock);
        self.place(t);
    }

    fn leave(&mut self, t: usize, address: u64) {
        let Some(chain) = self.current(t) else { return };
        let barrier = self.barriers.entry(address).or_default();
        barrier.leaving = true;
        let clock = std::mem::take(&mut barrier.gathered);
        self.learn(chain, &clock);
        self.barriers.entry(address).or_default().gathered = clock;
        self.place(t);
    }

    fn fork_team(&mut self, t: usize, region: u32, members: &[usize]) {
        let Some(chain) = self.current(t) else { return };
        // The region's part of the forking chain gets an index of its own.
        self.chains[chain as usize].index += 1;
        self.place(t);
        let parent = self.threads[t].pos;
        let depth = self.frames[self.positions[parent as usize].frame as usize].depth + 1;
        let number = self.states.len() as u32;
        self.states.push(Some((0, true)));
        self.frames.push(Frame { region: number, phase: 0, depth, parent });
        let frame = self.frames.len() as u32 - 1;
        let mut chains = Vec::new();
        for (i, &member) in members.iter().enumerate() {
            while self.threads.len() <= member {
                self.threads.push(Thread { pos: NOWHERE, ..Thread::default() });
            }
            if member != t && self.threads[member].stack.len() == 1 {
                // The machine tells of workers as of threads when it makes them: they are the team's.
                let own = self.threads[member].stack.remove(0);
                self.chains[own as usize].ended = true;
                self.unclaimed.retain(|&u| u != member);
            }
            let chain = self.new_chain(Kind::Fixed, frame, Rc::clone(&self.empty));
            self.chains[chain as usize].member = i as u32;
            chains.push(chain);
            self.threads[member].stack.push(chain);
            self.place(member);
        }
        let members = members.to_vec();
        self.regions.insert(region, Region { number, phase: 0, frame, members, chains });
    }

    fn next_phase(&mut self, region: u32) {
        let Some(r) = self.regions.get_mut(&region) else {
            self.confused = Some("a barrier outside of all regions");
            return;
        };
        r.phase += 1;
        let old = self.frames[r.frame as usize];
        self.frames.push(Frame { phase: r.phase, ..old });
        r.frame = self.frames.len() as u32 - 1;
        let (frame, chains, members) = (r.frame, r.chains.clone(), r.members.clone());
        self.states[r.number as usize] = Some((r.phase, true));
        for (&chain, &member) in chains.iter().zip(&members) {
            let c = &mut self.chains[chain as usize];
            c.frame = frame;
            c.index += 1;
            c.clock = Rc::clone(&self.empty);
            if self.threads[member].stack.last() == Some(&chain) {
                self.place(member);
            } else {
                self.confused = Some("a barrier inside a piece of work");
            }
        }
    }

    fn join_team(&mut self, t: usize, region: u32) {
        let Some(r) = self.regions.remove(&region) else {
            self.confused = Some("the end of an unknown region");
            return;
        };
        self.states[r.number as usize] = Some((r.phase + 1, false));
        for (&chain, &member) in r.chains.iter().zip(&r.members) {
            self.chains[chain as usize].ended = true;
            if self.threads[member].stack.pop() != Some(chain) {
                self.confused = Some("a region ends inside a piece of work");
                return;
            }
        }
        let Some(chain) = self.current(t) else { return };
        self.chains[chain as usize].index += 1;
        self.place(t);
    }

    fn begin(&mut self, t: usize, share: u32, kind: ShareKind, number: u64, open: bool) {
        let Some(outer) = self.current(t) else { return };
        if kind == ShareKind::Simd {
            self.begin_lane(t, share, number, outer);
            return;
        }
        self.threads[t].pieces.push((share, open));
        if !open {
            // A piece whose thread is fixed: part of the chain, but `ordered` counts by its iterations.
            let c = &mut self.chains[outer as usize];
            c.piece = Some((share, number));
            if c.share != share {
                (c.share, c.passed) = (share, 0);
            }
            c.index += 1;
            self.place(t);
            return;
        }
        let frame = self.chains[outer as usize].frame;
        let chain = self.new_chain(Kind::Piece, frame, Rc::clone(&self.empty));
        self.chains[chain as usize].piece = Some((share, number));
        self.threads[t].stack.push(chain);
        self.place(t);
    }

    fn begin_lane(&mut self, t: usize, share: u32, number: u64, outer: u32) {
        let at = self.threads[t].pos;
        let (frame, _) = match self.lanes.get(&share) {
            Some(&(frame, pos)) if pos == at => (frame, pos),
            _ => {
                self.chains[outer as usize].index += 1;
                self.place(t);
                let parent = self.threads[t].pos;
                let depth = self.frames[self.positions[parent as usize].frame as usize].depth + 1;
                self.frames.push(Frame { region: self.states.len() as u32, phase: 0, depth, parent });
                self.states.push(None);
                let entry = (self.frames.len() as u32 - 1, parent);
                self.lanes.insert(share, entry);
                entry
            }
        };
        let chain = self.new_chain(Kind::Lane, frame, Rc::clone(&self.empty));
        self.chains[chain as usize].piece = Some((share, number));
        self.threads[t].pieces.push((share, true));
        self.threads[t].stack.push(chain);
        self.place(t);
    }

    fn end_piece(&mut self, t: usize, share: u32) {
        let Some(chain) = self.current(t) else { return };
        match self.threads[t].pieces.pop() {
            Some((s, true)) if s == share => {
                self.chains[chain as usize].ended = true;
                let lane = self.chains[chain as usize].kind == Kind::Lane;
                self.threads[t].stack.pop();
                let Some(outer) = self.current(t) else { return };
                if lane {
                    // Back to the position that entered the loop, so that the next lane is beside this one.
                    if let Some(&(_, pos)) = self.lanes.get(&share) {
                        self.threads[t].pos = pos;
                        return;
                    }
                }
                self.chains[outer as usize].index += 1;
                self.place(t);
            }
            Some((s, false)) if s == share => {
                let c = &mut self.chains[chain as usize];
                c.piece = None;
                c.index += 1;
                self.place(t);
            }
            _ => self.confused = Some("a piece of work ends that was not begun"),
        }
    }

    fn ordered(&mut self, t: usize, share: u32, begins: bool) {
        let Some(chain) = self.current(t) else { return };
        let c = &mut self.chains[chain as usize];
        match c.piece {
            Some((s, number)) if s == share => {
                // The k-th block of a piece belongs at the earliest to its k-th iteration: with pieces of one iteration
                // that is exact; in larger ones an iteration without block would shift the numbers.
                let iteration = number.max(c.passed);
                if begins {
                    c.passed = iteration + 1;
                } else {
                    c.ordered.push((share, c.passed.saturating_sub(1)));
                }
                c.index += 1;
                self.place(t);
            }
            _ => self.confused = Some("an ordered block outside of its loop"),
        }
    }

    fn post(&mut self, t: usize, share: u32, vector: u64) {
        let Some(chain) = self.current(t) else { return };
        let clock = self.release(chain);
        self.entries += clock.len();
        self.posts.insert((share, vector), Rc::new(clock));
        self.place(t);
    }

    fn sink(&mut self, t: usize, share: u32, vector: u64) {
        let Some(chain) = self.current(t) else { return };
        // An iteration outside of the loop's bounds is not waited for.
        if let Some(clock) = self.posts.get(&(share, vector)).cloned() {
            self.learn(chain, &clock);
            self.place(t);
        }
    }

    fn create(&mut self, t: usize, task: u32, after: &[u32], excludes: &[u32]) {
        let Some(chain) = self.current(t) else { return };
        let clock = self.release(chain);
        self.entries += clock.len();
        let frame = self.chains[chain as usize].frame;
        let made = Task {
            created: Some(Rc::new(clock)),
            after: after.to_vec(),
            excludes: excludes.to_vec(),
            chain: None,
            frame,
            end: None,
        };
        self.tasks.insert(task, made);
        self.place(t);
    }

    fn begin_task(&mut self, t: usize, task: u32) {
        if self.current(t).is_none() {
            return;
        }
        let Some(made) = self.tasks.get(&task).cloned() else {
            self.confused = Some("a task begins that was not created");
            return;
        };
        if let Some(chain) = made.chain {
            // Goes on after a task scheduling point.
            self.threads[t].stack.push(chain);
            self.place(t);
            return;
        }
        let clock = made.created.clone().unwrap_or_default();
        let chain = self.new_chain(Kind::Task, made.frame, clock);
        self.chains[chain as usize].task = Some(task);
        for before in &made.after {
            match self.tasks.get(before).and_then(|b| b.end.clone()) {
                Some(end) => self.learn(chain, &end),
                None => self.confused = Some("a task begins before what it depends on"),
            }
        }
        if let Some(entry) = self.tasks.get_mut(&task) {
            entry.chain = Some(chain);
        }
        self.threads[t].stack.push(chain);
        self.place(t);
    }

    fn end_task(&mut self, t: usize, task: u32, complete: bool) {
        let Some(chain) = self.current(t) else { return };
        if self.chains[chain as usize].task != Some(task) {
            self.confused = Some("a task ends that its thread does not execute");
            return;
        }
        if complete {
            let clock = self.release(chain);
            self.entries += clock.len();
            self.chains[chain as usize].ended = true;
            if let Some(entry) = self.tasks.get_mut(&task) {
                entry.end = Some(Rc::new(clock));
            }
        }
        self.threads[t].stack.pop();
        if let Some(outer) = self.current(t) {
            self.chains[outer as usize].index += 1;
            self.place(t);
        }
    }

    fn wait_tasks(&mut self, t: usize, tasks: &[u32]) {
        let Some(chain) = self.current(t) else { return };
        for task in tasks {
            match self.tasks.get(task).and_then(|b| b.end.clone()) {
                // A task of an earlier phase is before anyway.
                Some(end) if self.tasks[task].frame == self.chains[chain as usize].frame => {
                    self.learn(chain, &end);
                }
                Some(_) => {}
                None => self.confused = Some("a wait for a task ends before the task"),
            }
        }
        self.place(t);
    }

    // ---- questions ----

    /// Whether D orders two positions, in either direction. A position is ordered with itself.
    pub fn ordered_pair(&self, a: Pos, b: Pos) -> bool {
        if a == b {
            return true;
        }
        let (a, b) = self.lift(a, b);
        if a == b {
            return true;
        }
        let (p, q) = (&self.positions[a as usize], &self.positions[b as usize]);
        if p.chain == q.chain {
            return true;
        }
        let (f, g) = (self.frames[p.frame as usize], self.frames[q.frame as usize]);
        if f.phase != g.phase {
            return true;
        }
        self.before(p, q) || self.before(q, p)
    }

    fn before(&self, p: &Position, q: &Position) -> bool {
        if let Ok(at) = q.clock.binary_search_by_key(&p.chain, |e| e.0)
            && q.clock[at].1 >= p.index
        {
            return true;
        }
        let (a, b) = (&self.chains[p.chain as usize], &self.chains[q.chain as usize]);
        if let (Kind::Lane, Some((s, i)), Some((r, j))) = (a.kind, a.piece, b.piece) {
            // Lanes further apart than `safelen` do not run at the same time.
            if b.kind == Kind::Lane && s == r && a.count > 0 && j >= i.saturating_add(a.count) {
                return true;
            }
        }
        // The end of p's next `ordered` block comes before the beginning of q's last.
        if let (Some((s, _, ends)), Some((r, passed, _))) = (p.ordered, q.ordered)
            && s == r
            && passed > 0
            && let Some(&(of, next)) = self.chains[p.chain as usize].ordered.get(ends as usize)
        {
            return of == s && next < passed - 1;
        }
        false
    }

    /// Replaces both by positions of the innermost region that both are inside of.
    fn lift(&self, mut a: Pos, mut b: Pos) -> (Pos, Pos) {
        loop {
            let f = self.frames[self.positions[a as usize].frame as usize];
            let g = self.frames[self.positions[b as usize].frame as usize];
            if f.region == g.region {
                return (a, b);
            }
            if f.depth >= g.depth {
                a = f.parent;
            }
            if g.depth >= f.depth {
                b = g.parent;
            }
        }
    }

    /// Whether two positions are of tasks that exclude each other without an order.
    pub fn exclude(&self, a: Pos, b: Pos) -> bool {
        let task = |p: Pos| self.chains[self.chain(p) as usize].task;
        let (Some(x), Some(y)) = (task(a), task(b)) else { return false };
        let says = |x: u32, y: u32| self.tasks.get(&x).is_some_and(|t| t.excludes.contains(&y));
        says(x, y) || says(y, x)
    }

    /// Which positions are ordered before everything that is still to come: a test, made once for many positions.
    pub fn settled(&self) -> Settled<'_> {
        let alive: Vec<usize> = (0..self.threads.len())
            .filter(|&t| {
                let root = self.threads[t].stack.first().copied();
                root.is_some_and(|c| {
                    let chain = &self.chains[c as usize];
                    !chain.ended && self.frames[chain.frame as usize].region == 0
                })
            })
            .collect();
        let known = alive.iter().map(|&t| (self.threads[t].stack[0], self.future(t))).collect();
        Settled { order: self, known }
    }

    /// What a thread knows when it goes on from where it stands.
    fn future(&self, t: usize) -> FxHashMap<u32, u32> {
        let mut known = FxHashMap::default();
        let mut at = Some(t);
        let mut steps = 0;
        while let Some(t) = at {
            let Some(&root) = self.threads.get(t).and_then(|t| t.stack.first()) else { break };
            for &(chain, index) in self.chains[root as usize].clock.iter() {
                let entry = known.entry(chain).or_insert(0);
                *entry = index.max(*entry);
            }
            known.insert(root, u32::MAX);
            at = self.threads[t].waits;
            steps += 1;
            if steps > self.threads.len() {
                break;
            }
        }
        known
    }
}

/// See [`Order::settled`].
#[derive(Debug)]
pub struct Settled<'o> {
    order: &'o Order,
    /// For each thread of its own that has not ended: its chain, and what it will know.
    known: Vec<(u32, FxHashMap<u32, u32>)>,
}

impl Settled<'_> {
    /// Whether everything still to come is ordered after the position.
    pub fn is(&self, pos: Pos) -> bool {
        let order = self.order;
        let mut at = pos;
        loop {
            let p = &order.positions[at as usize];
            let frame = order.frames[p.frame as usize];
            if frame.region == 0 {
                return self.known.iter().all(|(chain, known)| {
                    *chain == p.chain || known.get(&p.chain).is_some_and(|&index| index >= p.index)
                });
            }
            match order.states[frame.region as usize] {
                Some((phase, open)) if open && phase == frame.phase => return false,
                Some(_) => {}
                // Lanes: while the loop may go on, others can still come.
                None => {
                    let entered = &order.positions[frame.parent as usize];
                    if order.chains[entered.chain as usize].index == entered.index {
                        return false;
                    }
                }
            }
            at = frame.parent;
        }
    }
}

fn put(clock: &mut Vec<(u32, u32)>, chain: u32, index: u32) {
    match clock.binary_search_by_key(&chain, |e| e.0) {
        Ok(at) => clock[at].1 = clock[at].1.max(index),
        Err(at) => clock.insert(at, (chain, index)),
    }
}

fn join(a: &[(u32, u32)], b: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut joined = Vec::with_capacity(a.len().max(b.len()));
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].0.cmp(&b[j].0) {
            std::cmp::Ordering::Less => {
                joined.push(a[i]);
                i += 1;
            }
            std::cmp::Ordering::Greater => {
                joined.push(b[j]);
                j += 1;
            }
            std::cmp::Ordering::Equal => {
                joined.push((a[i].0, a[i].1.max(b[j].1)));
                i += 1;
                j += 1;
            }
        }
    }
    joined.extend_from_slice(&a[i..]);
    joined.extend_from_slice(&b[j..]);
    joined
}
