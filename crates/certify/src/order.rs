//! Checks lemma 1: the order D, as a graph of what strands do.
//!
//! *Frames.* A phase of a region, or the lanes of a `simd` loop, is a frame; frame 0 is the program itself. Within a frame, what a strand does
//! between two events that D knows is a *node*; edges are program order, creation, join, dependences, `ordered`, doacross.
//! Each node has the set of nodes before it. Node 0 is special: all pieces (and lanes) of the frame to which nothing happens but that they are
//! executed. Two different strands in it are unordered, and each is unordered with all other nodes. What happens inside an inner frame
//! belongs, for the frame around it, to the node that forked it. So two accesses are compared in the innermost frame that has both:
//! when a frame ends ([`Out::Closed`]) what it did is compared, and handed to the node that it belongs to.
//!
//! *What an open strand knows.* Nothing of what its thread does beside it; of constructs that are alike (`order(reproducible)`), a
//! piece is behind the earlier ones of its number. Tasks are ordered after their creation and before
//! waits; dependences and waits count only between tasks that one strand created. Phases of a region follow each other, and a
//! task ends in the phase that it was created in.
//!
//! Structure that is not understood is refused. Names are those of [`machine::names`].

use base::reason::Structure;
use std::rc::Rc;

use machine::names::{self, Strand, id_of};
use machine::{ShareKind, Work};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Refused;
use crate::certificate::Stage;
use crate::meet::Part;

/// More nodes than this in one frame are refused.
const MOST_NODES: usize = 30_000;

/// What kind of strand a chain is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A thread or an implicit task.
    Fixed,
    /// A piece that another thread could execute.
    Piece,
    /// An explicit task.
    Task,
    /// A lane.
    Lane,
}

/// A strand of this run.
#[derive(Debug)]
pub struct Chain {
    /// What it is.
    pub kind: Kind,
    /// Its id.
    pub id: u64,
    /// Where it is.
    pub frame: u32,
    /// Its node there; 0 for one to which nothing has happened.
    node: u32,
    /// The number of its thread in the team, or of its creator's for a task.
    member: u32,
    nth: u64,
    creator: Option<u32>,
    task: Option<u32>,
    /// How many regions and tasks, threads, `simd` loops it has made.
    made: [u32; 3],
    /// How many events it has had, for threads.
    index: u32,
    ended: bool,
}

/// A strand in a region around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// The phase.
    pub stage: Stage,
    /// The number of the executing thread, where that is known for all distributions.
    pub number: Option<u32>,
    /// The strand, and its id.
    pub chain: u32,
    /// Its id.
    pub id: u64,
    /// Whether another thread could execute it.
    pub open: bool,
    /// Whether it is a task.
    pub task: bool,
    /// The construct of a piece.
    pub nth: u64,
}

/// A strand that a thread executes, or has suspended.
#[derive(Debug)]
pub struct Entry {
    /// The strand.
    pub chain: u32,
    /// What it has touched and that belongs to no node yet.
    pub part: Part,
    /// The regions around it, innermost first.
    pub levels: Rc<[Level]>,
    /// Its name.
    pub name: Strand,
    /// The name for claims.
    pub class: u64,
    /// The `simd` loop that it is in: construct and frame.
    lanes: Option<(u32, u32)>,
}

/// A node: those before it, as bits; and for a lane its iteration and `safelen`.
type Node = (Vec<u64>, Option<(u64, u64)>);

/// A phase of a region, or the lanes of a loop.
#[derive(Debug)]
pub struct Frame {
    id: u64,
    phase: u32,
    /// Whether it is a region's.
    pub is_region: bool,
    /// Whether other strands may run beside its region.
    pub beside: bool,
    /// What it belongs to, and the regions around that.
    parent: Option<Owner>,
    around: Rc<[Level]>,
    depth: u32,
    nodes: Vec<Node>,
}

/// A strand at a node of a frame, and how it is in the region of that.
#[derive(Debug, Clone, Copy)]
pub struct Owner {
    /// The frame.
    pub frame: u32,
    /// The strand.
    pub chain: u32,
    /// The node.
    pub node: u32,
    /// The region.
    pub level: Option<Level>,
}

/// What is to be done with what was touched.
#[derive(Debug)]
pub enum Out {
    /// Something belongs to a strand.
    Part(Owner, Part),
    /// A frame has ended, and belongs to a strand.
    Closed(u32, Option<Owner>),
}

#[derive(Debug)]
struct Task {
    creator: u32,
    id: u64,
    frame: u32,
    created: u32,
    after: Vec<u32>,
    excludes: Vec<u32>,
    undeferred: bool,
    chain: Option<u32>,
    end: Option<u32>,
}

/// The order of a run, as far as it has come.
#[derive(Debug)]
pub struct Order {
    /// All strands.
    pub chains: Vec<Chain>,
    /// All frames.
    pub frames: Vec<Frame>,
    /// By thread: the strands that it executes, innermost last.
    pub threads: Vec<Vec<Entry>>,
    /// What waits to be looked at.
    pub out: Vec<Out>,
    /// Whether every thread executes every task in some run.
    by_thread: bool,
    regions: FxHashMap<u32, (u64, u32, u32, Vec<usize>)>,
    tasks: FxHashMap<u32, Task>,
    /// The tasks that exclude each other.
    excluded: FxHashSet<(u32, u32)>,
    /// By thread: its pieces, with the construct and whether they are strands; and the piece ended last.
    pieces: Vec<Vec<(u32, bool)>>,
    last: Vec<Option<(u32, u64, u32)>>,
    /// By barrier: the nodes that have arrived, and whether some have left.
    barriers: FxHashMap<u64, (Vec<u32>, bool)>,
    posts: FxHashMap<(u32, u64), (u32, u32)>,
    /// The last piece of each number of the constructs that are alike, by frame and mapping.
    alike: FxHashMap<(u32, u32, u64), u32>,
    ordered: FxHashMap<u32, (u32, u32)>,
    /// Threads made inside a region that belong to no team yet.
    unclaimed: FxHashSet<usize>,
    /// How many threads there have been that are no workers.
    roots: usize,
}

type Done = Result<(), Refused>;

fn odd<T>(what: Structure) -> Result<T, Refused> {
    Err(Refused::new(what))
}

impl Order {
    /// Before the first instruction.
    pub fn new(by_thread: bool) -> Order {
        let around: Rc<[Level]> = Rc::from([]);
        let frame = Frame {
            id: 0,
            phase: 0,
            is_region: false,
            beside: false,
            parent: None,
            around,
            depth: 0,
            nodes: vec![Default::default()],
        };
        let mut order = Order {
            chains: Vec::new(),
            frames: vec![frame],
            threads: Vec::new(),
            out: Vec::new(),
            by_thread,
            regions: FxHashMap::default(),
            tasks: FxHashMap::default(),
            excluded: FxHashSet::default(),
            pieces: Vec::new(),
            last: Vec::new(),
            barriers: FxHashMap::default(),
            posts: FxHashMap::default(),
            alike: FxHashMap::default(),
            ordered: FxHashMap::default(),
            unclaimed: FxHashSet::default(),
            roots: 1,
        };
        let main = order.chain(Kind::Fixed, 1, 0);
        order.chains[main as usize].node = order.add_node(0, &[], None);
        order.push(0, main);
        order
    }

    fn chain(&mut self, kind: Kind, id: u64, frame: u32) -> u32 {
        let (made, index) = ([0; 3], 1);
        let (node, member, nth, creator, task, ended) = (0, 0, 0, None, None, false);
        self.chains.push(Chain { kind, id, frame, node, member, nth, creator, task, made, index, ended });
        self.chains.len() as u32 - 1
    }

    fn add_node(&mut self, frame: u32, before: &[u32], lane: Option<(u64, u64)>) -> u32 {
        let nodes = &mut self.frames[frame as usize].nodes;
        let new = nodes.len();
        let mut set = vec![0; if before.is_empty() { 0 } else { new / 64 + 1 }];
        for &b in before {
            nodes[b as usize].0.iter().zip(&mut set).for_each(|(x, y)| *y |= x);
            set[b as usize / 64] |= 1 << (b % 64);
        }
        nodes.push((set, lane));
        new as u32
    }

    /// Whether D orders two nodes of a frame (two different strands, if it is node 0).
    pub fn ordered(&self, frame: u32, a: u32, b: u32) -> bool {
        let nodes = &self.frames[frame as usize].nodes;
        let before =
            |a: u32, b: u32| nodes[b as usize].0.get(a as usize / 64).is_some_and(|w| w >> (a % 64) & 1 != 0);
        if a == 0 || b == 0 {
            return false;
        }
        let apart = match (nodes[a as usize].1, nodes[b as usize].1) {
            (Some((i, safelen)), Some((j, _))) => i.abs_diff(j) >= safelen,
            _ => false,
        };
        a == b || before(a, b) || before(b, a) || apart
    }

    /// The phase that a frame is, if it is one of a region.
    pub fn stage(&self, frame: u32) -> Option<Stage> {
        let frame = &self.frames[frame as usize];
        frame.is_region.then_some((frame.id, frame.phase))
    }

    /// Whether two strands are tasks that exclude each other.
    pub fn exclude(&self, a: u32, b: u32) -> bool {
        let task = |c: u32| self.chains[c as usize].task;
        let (Some(a), Some(b)) = (task(a), task(b)) else { return false };
        self.excluded.contains(&(a, b)) || self.excluded.contains(&(b, a))
    }

    /// The innermost strand of a thread.
    #[inline]
    pub fn top(&mut self, t: usize) -> Option<&mut Entry> {
        self.threads.get_mut(t)?.last_mut()
    }

    /// Whether there is nothing beside a thread: no other one was ever made, and it is in no region.
    #[inline]
    pub fn is_alone(&self, t: usize) -> bool {
        let top = self.threads.get(t).and_then(|stack| stack.last());
        self.roots == 1 && top.is_some_and(|top| self.chains[top.chain as usize].frame == 0)
    }

    /// Whether there has never been a second thread that is no worker.
    pub fn is_single(&self) -> bool {
        self.roots == 1
    }

    /// The number of a thread in the team that it works for.
    pub fn number(&self, t: usize) -> Option<u32> {
        let mut chains = self.threads.get(t)?.iter().rev().map(|e| &self.chains[e.chain as usize]);
        chains.find(|c| c.kind == Kind::Fixed).map(|c| c.member)
    }

    /// Whether a thread executes a task, in its innermost region or in one around it.
    pub fn within_task(&self, t: usize, innermost: bool) -> bool {
        let top = self.threads.get(t).and_then(|stack| stack.last());
        top.is_some_and(|top| match innermost {
            true => self.chains[top.chain as usize].kind == Kind::Task,
            false => top.levels.iter().any(|l| l.task),
        })
    }

    fn describe(&self, t: usize, chain: u32) -> (Rc<[Level]>, Strand, u64) {
        let c = &self.chains[chain as usize];
        let frame = &self.frames[c.frame as usize];
        let kind = match c.kind {
            Kind::Piece | Kind::Lane => 1,
            Kind::Task => 2,
            Kind::Fixed => 3 * u8::from(c.frame != 0),
        };
        let of = |id: u64| (kind, id, frame.phase);
        let class = match c.kind {
            Kind::Piece => names::class(of(id_of(frame.id, c.nth | 1 << 40)), 0),
            Kind::Lane => names::class(of(frame.id), 0),
            Kind::Fixed if c.frame == 0 => names::class(of(c.id), c.index),
            _ => names::class(of(c.id), 0),
        };
        if !frame.is_region {
            return (Rc::clone(&frame.around), of(c.id), class);
        }
        let task = c.kind == Kind::Task;
        let number = if task { self.number(t).filter(|_| self.by_thread) } else { Some(c.member) };
        let open = task || c.kind == Kind::Piece;
        let stage = (frame.id, frame.phase);
        let own = Level { stage, number, chain, id: c.id, open, task, nth: c.nth };
        let levels = [own].into_iter().chain(frame.around.iter().copied()).collect();
        (levels, of(c.id), class)
    }

    fn push(&mut self, t: usize, chain: u32) {
        let room = self.threads.len().max(t + 1);
        self.threads.resize_with(room, Vec::new);
        self.pieces.resize_with(room, Vec::new);
        self.last.resize(room, None);
        let (levels, name, class) = self.describe(t, chain);
        self.threads[t].push(Entry { chain, part: Part::default(), levels, name, class, lanes: None });
    }

    /// What the innermost strand of a thread has touched belongs to its node.
    fn flush(&mut self, t: usize) -> Result<u32, Refused> {
        let Some(entry) = self.threads.get_mut(t).and_then(|stack| stack.last_mut()) else {
            return odd(Structure::IdleThread);
        };
        let (chain, part, lanes) = (entry.chain, std::mem::take(&mut entry.part), entry.lanes.take());
        let owner = self.owner(t);
        self.out.extend(lanes.map(|(_, frame)| Out::Closed(frame, owner)));
        self.out.extend(owner.map(|owner| Out::Part(owner, part)));
        Ok(chain)
    }

    /// The innermost strand of a thread, where it stands.
    fn owner(&self, t: usize) -> Option<Owner> {
        let entry = self.threads.get(t)?.last()?;
        let chain = &self.chains[entry.chain as usize];
        let level = entry.levels.first().filter(|_| self.frames[chain.frame as usize].is_region).copied();
        Some(Owner { frame: chain.frame, chain: entry.chain, node: chain.node, level })
    }

    fn pop(&mut self, t: usize) -> Result<u32, Refused> {
        let chain = self.flush(t)?;
        self.threads[t].pop();
        Ok(chain)
    }

    /// Something happens to a strand: what it did before is at the node that is given back, what follows behind that and others.
    fn split(&mut self, t: usize, after: &[u32]) -> Result<u32, Refused> {
        let Some(chain) = self.top(t).map(|top| top.chain) else { return odd(Structure::IdleThread) };
        let (frame, node) = (self.chains[chain as usize].frame, self.chains[chain as usize].node);
        if node == 0 {
            self.chains[chain as usize].node = self.add_node(frame, &[], None);
        }
        self.flush(t)?;
        let old = self.chains[chain as usize].node;
        let before: Vec<u32> = [old].into_iter().chain(after.iter().copied()).collect();
        if self.frames[frame as usize].nodes.len() > MOST_NODES {
            return odd(Structure::Parts);
        }
        let c = &mut self.chains[chain as usize];
        c.index += 1;
        self.chains[chain as usize].node = self.add_node(frame, &before, None);
        self.renew(t);
        Ok(old)
    }

    fn renew(&mut self, t: usize) {
        let Some(chain) = self.top(t).map(|top| top.chain) else { return };
        let (levels, name, class) = self.describe(t, chain);
        if let Some(top) = self.top(t) {
            (top.levels, top.name, top.class) = (levels, name, class);
        }
    }

    fn next_id(&mut self, chain: u32, sort: usize) -> u64 {
        let c = &mut self.chains[chain as usize];
        c.made[sort] += 1;
        id_of(c.id, (sort as u64) << 32 | u64::from(c.made[sort]))
    }

    fn at(&mut self, t: usize) -> Result<(u32, u32), Refused> {
        let Some(top) = self.top(t).map(|top| top.chain) else { return odd(Structure::IdleThread) };
        Ok((top, self.chains[top as usize].frame))
    }

    /// Thread `t` creates thread `u`.
    pub fn fork(&mut self, t: usize, u: usize) -> Done {
        let (chain, frame) = self.at(t)?;
        let old = self.split(t, &[])?;
        let id = self.next_id(chain, 1);
        let child = self.chain(Kind::Fixed, id, 0);
        if frame == 0 {
            self.roots += 1;
        } else {
            self.unclaimed.insert(u);
        }
        let before: &[u32] = if frame == 0 { &[old] } else { &[] };
        self.chains[child as usize].node = self.add_node(0, before, None);
        self.push(u, child);
        Ok(())
    }

    /// Thread `t` has waited for the end of thread `u`.
    pub fn join(&mut self, t: usize, u: usize) -> Done {
        let (_, frame) = self.at(t)?;
        if frame != 0 || self.threads.get(u).is_none_or(|stack| stack.len() != 1) {
            return odd(Structure::JoinInside);
        }
        let other = self.flush(u)?;
        self.chains[other as usize].ended = true;
        let node = self.chains[other as usize].node;
        self.split(t, &[node]).map(|_| ())
    }

    /// Thread `t` has ended.
    pub fn end(&mut self, t: usize) -> Done {
        if self.threads.get(t).is_none_or(Vec::is_empty) {
            return Ok(());
        }
        let chain = self.flush(t)?;
        self.chains[chain as usize].ended = true;
        Ok(())
    }

    /// The run has ended.
    pub fn finish(&mut self) -> Done {
        if !self.unclaimed.is_empty() {
            return odd(Structure::CreateInside);
        }
        for t in 0..self.threads.len() {
            if !self.threads[t].is_empty() {
                self.flush(t)?;
            }
        }
        self.out.push(Out::Closed(0, None));
        Ok(())
    }

    /// An event of the work.
    pub fn work(&mut self, t: usize, work: &Work) -> Done {
        match work {
            Work::Fork { region, members } => self.fork_team(t, *region, members),
            Work::Phase { region } => self.next_phase(*region),
            Work::Join { region } => self.join_team(t, *region),
            Work::Begin { share, nth, kind, number, count, open, mapping, .. } => match kind {
                ShareKind::Simd => self.begin_lane(t, *share, *number, *count),
                _ => self.begin(t, (*share, *nth), *number, (*open, *mapping)),
            },
            Work::End { share } => self.end_piece(t, *share),
            Work::OrderedBegin { share } => {
                let (_, frame) = self.at(t)?;
                let before = self.ordered.get(share).filter(|(of, _)| *of == frame).map(|o| o.1);
                self.split(t, before.as_slice()).map(|_| ())
            }
            Work::OrderedEnd { share } => {
                let (_, frame) = self.at(t)?;
                let old = self.split(t, &[])?;
                self.ordered.insert(*share, (frame, old));
                Ok(())
            }
            Work::Post { share, vector } => {
                let (_, frame) = self.at(t)?;
                let old = self.split(t, &[])?;
                self.posts.insert((*share, *vector), (frame, old));
                Ok(())
            }
            Work::Sink { share, vector } => {
                let (_, frame) = self.at(t)?;
                let Some(&(of, node)) = self.posts.get(&(*share, *vector)) else { return Ok(()) };
                if of != frame { odd(Structure::OtherPhase) } else { self.split(t, &[node]).map(|_| ()) }
            }
            Work::TaskCreate { task, after, excludes, undeferred, .. } => {
                self.create(t, *task, after, excludes, *undeferred)
            }
            Work::TaskBegin { task } => self.begin_task(t, *task),
            Work::TaskEnd { task, complete } => self.end_task(t, *task, *complete),
            Work::TaskWait { tasks } => self.wait_tasks(t, tasks),
            Work::Arrive(address) => {
                let (_, frame) = self.at(t)?;
                if frame != 0 {
                    return odd(Structure::ThreadBarrierInside);
                }
                let old = self.split(t, &[])?;
                let (there, leaving) = self.barriers.entry(*address).or_default();
                if std::mem::take(leaving) {
                    there.clear();
                }
                there.push(old);
                Ok(())
            }
            Work::Leave(address) => {
                let (there, leaving) = self.barriers.entry(*address).or_default();
                *leaving = true;
                let there = there.clone();
                self.split(t, &there).map(|_| ())
            }
            _ => Ok(()),
        }
    }

    fn fork_team(&mut self, t: usize, region: u32, members: &[usize]) -> Done {
        let (chain, frame) = self.at(t)?;
        self.split(t, &[])?;
        let id = self.next_id(chain, 0);
        for &m in members.iter().filter(|&&m| m != t) {
            // The machine tells of workers as of threads when it makes them: they are the team's.
            let fresh = self.threads.get(m).is_some_and(|stack| stack.len() == 1);
            if fresh {
                let own = self.pop(m)?;
                self.chains[own as usize].ended = true;
                if !self.unclaimed.remove(&m) {
                    self.roots -= 1;
                }
            }
        }
        let live =
            self.threads.iter().filter_map(|stack| stack.first()).map(|e| &self.chains[e.chain as usize]);
        let others = live.filter(|c| c.frame == 0 && !c.ended).count() > 1;
        let depth = self.frames[frame as usize].depth + 1;
        let around = self.top(t).map(|top| Rc::clone(&top.levels)).unwrap_or_else(|| Rc::from([]));
        let parent = self.owner(t);
        let nested = !around.is_empty() || self.frames[frame as usize].depth > 0;
        let (beside, nodes) = (nested || others, vec![Default::default()]);
        self.frames.push(Frame { id, phase: 0, is_region: true, beside, parent, around, depth, nodes });
        let frame = self.frames.len() as u32 - 1;
        for (i, &m) in members.iter().enumerate() {
            let chain = self.chain(Kind::Fixed, id_of(id, i as u64), frame);
            self.chains[chain as usize].member = i as u32;
            self.chains[chain as usize].node = self.add_node(frame, &[], None);
            self.push(m, chain);
        }
        self.regions.insert(region, (id, 0, frame, members.to_vec()));
        Ok(())
    }

    /// The implicit tasks of a region's threads have all come to the same place.
    fn gather(&mut self, members: &[usize], frame: u32) -> Done {
        for &m in members {
            let chain = self.flush(m)?;
            let c = &self.chains[chain as usize];
            if c.frame != frame || c.kind != Kind::Fixed {
                return odd(Structure::BarrierInPiece);
            }
        }
        self.out.push(Out::Closed(frame, self.frames[frame as usize].parent));
        Ok(())
    }

    fn next_phase(&mut self, region: u32) -> Done {
        let Some((id, phase, old, members)) = self.regions.get(&region).cloned() else {
            return odd(Structure::BarrierOutside);
        };
        self.gather(&members, old)?;
        let f = &self.frames[old as usize];
        let (parent, around, depth, beside) = (f.parent, Rc::clone(&f.around), f.depth, f.beside);
        let nodes = vec![Default::default()];
        self.frames.push(Frame {
            id,
            phase: phase + 1,
            is_region: true,
            beside,
            parent,
            around,
            depth,
            nodes,
        });
        let frame = self.frames.len() as u32 - 1;
        self.regions.insert(region, (id, phase + 1, frame, members.clone()));
        for m in members {
            let (chain, _) = self.at(m)?;
            self.chains[chain as usize].frame = frame;
            self.chains[chain as usize].node = self.add_node(frame, &[], None);
            self.renew(m);
        }
        Ok(())
    }

    fn join_team(&mut self, t: usize, region: u32) -> Done {
        let Some((_, _, frame, members)) = self.regions.remove(&region) else {
            return odd(Structure::UnknownRegion);
        };
        self.gather(&members, frame)?;
        for m in members {
            let chain = self.pop(m)?;
            self.chains[chain as usize].ended = true;
        }
        self.split(t, &[]).map(|_| ())
    }

    fn begin(
        &mut self,
        t: usize,
        (share, nth): (u32, u64),
        number: u64,
        (open, mapping): (bool, Option<u32>),
    ) -> Done {
        let (outer, frame) = self.at(t)?;
        // Outside of all regions one thread executes them all; that their order does not matter is the machine's to say.
        let open = open && frame != 0;
        self.pieces[t].push((share, open));
        if !open {
            return Ok(());
        }
        if !self.frames[frame as usize].is_region {
            return odd(Structure::PieceOutside);
        }
        if let Some((s, n, chain)) = self.last[t]
            && (s, n) == (share, number)
        {
            // The last iteration goes on behind its loop, to write variables back.
            if self.chains[chain as usize].frame != frame {
                (self.chains[chain as usize].frame, self.chains[chain as usize].node) = (frame, 0);
            }
            self.push(t, chain);
            return Ok(());
        }
        let id = id_of(id_of(self.frames[frame as usize].id, nth | 1 << 40), number);
        let chain = self.chain(Kind::Piece, id, frame);
        (self.chains[chain as usize].nth, self.chains[chain as usize].member) =
            (nth, self.chains[outer as usize].member);
        if let Some(mapping) = mapping {
            // One thread executes the pieces of this number of all constructs that are alike, one after another.
            let earlier = self.alike.insert((frame, mapping, number), chain);
            let before = earlier.map(|c| self.chains[c as usize].node);
            if self.frames[frame as usize].nodes.len() > MOST_NODES {
                return odd(Structure::Parts);
            }
            self.chains[chain as usize].node = self.add_node(frame, before.as_slice(), None);
        }
        self.push(t, chain);
        self.last[t] = Some((share, number, chain));
        Ok(())
    }

    fn begin_lane(&mut self, t: usize, share: u32, number: u64, safelen: u64) -> Done {
        let (outer, frame) = self.at(t)?;
        let known = self.top(t).and_then(|top| top.lanes).filter(|lanes| lanes.0 == share);
        let lanes = match known {
            Some((_, lanes)) => lanes,
            None => {
                if let Some((_, old)) = self.top(t).and_then(|top| top.lanes.take()) {
                    let owner = self.owner(t);
                    self.out.push(Out::Closed(old, owner));
                }
                if frame == 0 {
                    self.chains[outer as usize].index += 1;
                    self.renew(t);
                }
                let id = self.next_id(outer, 2);
                let around = self.top(t).map(|top| Rc::clone(&top.levels)).unwrap_or_else(|| Rc::from([]));
                let (parent, depth) = (self.owner(t), self.frames[frame as usize].depth);
                let nodes = vec![Default::default()];
                let lanes =
                    Frame { id, phase: 0, is_region: false, beside: true, parent, around, depth, nodes };
                self.frames.push(lanes);
                let lanes = self.frames.len() as u32 - 1;
                if let Some(top) = self.top(t) {
                    top.lanes = Some((share, lanes));
                }
                lanes
            }
        };
        let id = id_of(self.frames[lanes as usize].id, number);
        let chain = self.chain(Kind::Lane, id, lanes);
        self.chains[chain as usize].member = self.chains[outer as usize].member;
        if safelen > 0 {
            self.chains[chain as usize].node = self.add_node(lanes, &[], Some((number, safelen)));
        }
        self.pieces[t].push((share, true));
        self.push(t, chain);
        Ok(())
    }

    fn end_piece(&mut self, t: usize, share: u32) -> Done {
        match self.pieces.get_mut(t).and_then(Vec::pop) {
            Some((s, false)) if s == share => Ok(()),
            Some((s, true)) if s == share => {
                let chain = self.pop(t)?;
                let kind = self.chains[chain as usize].kind;
                self.chains[chain as usize].ended = true;
                if matches!(kind, Kind::Piece | Kind::Lane) { Ok(()) } else { odd(Structure::PieceInside) }
            }
            _ => odd(Structure::PieceNotBegun),
        }
    }

    fn create(&mut self, t: usize, task: u32, after: &[u32], excludes: &[u32], undeferred: bool) -> Done {
        let (creator, frame) = self.at(t)?;
        let (mut id, mut created) = (0, 0);
        if !undeferred {
            id = self.next_id(creator, 0);
            created = self.split(t, &[])?;
        }
        // Whether tasks of different pieces are siblings is open.
        let same = |task: &&u32| self.tasks.get(task).is_some_and(|t| t.creator == creator && !t.undeferred);
        let after = after.iter().filter(same).copied().collect();
        let excludes = excludes.iter().filter(same).copied().collect();
        let (chain, end) = (None, None);
        self.tasks
            .insert(task, Task { creator, id, frame, created, after, excludes, undeferred, chain, end });
        Ok(())
    }

    fn begin_task(&mut self, t: usize, task: u32) -> Done {
        let Some(made) = self.tasks.get(&task) else { return odd(Structure::TaskNotCreated) };
        if made.undeferred {
            return Ok(());
        }
        if let Some(chain) = made.chain {
            self.push(t, chain);
            return Ok(());
        }
        let (creator, frame, id) = (made.creator, made.frame, made.id);
        let mut before = vec![made.created];
        for earlier in made.after.iter().filter_map(|b| self.tasks.get(b)) {
            let Some(end) = earlier.end else { return odd(Structure::TaskEarly) };
            // What ended in an earlier frame is no node of this one.
            if earlier.frame == frame {
                before.push(end);
            }
        }
        self.excluded.extend(made.excludes.iter().map(|&other| (task, other)));
        let chain = self.chain(Kind::Task, id, frame);
        let member = self.chains[creator as usize].member;
        let node = self.add_node(frame, &before, None);
        let c = &mut self.chains[chain as usize];
        (c.node, c.member, c.creator, c.task) = (node, member, Some(creator), Some(task));
        if let Some(made) = self.tasks.get_mut(&task) {
            made.chain = Some(chain);
        }
        self.push(t, chain);
        Ok(())
    }

    fn end_task(&mut self, t: usize, task: u32, complete: bool) -> Done {
        let Some(made) = self.tasks.get(&task) else { return odd(Structure::TaskEndNotCreated) };
        if made.undeferred {
            return Ok(());
        }
        let chain = self.pop(t)?;
        if self.chains[chain as usize].task != Some(task) {
            return odd(Structure::TaskElsewhere);
        }
        let node = self.chains[chain as usize].node;
        if let Some(made) = self.tasks.get_mut(&task).filter(|_| complete) {
            made.end = Some(node);
            self.chains[chain as usize].ended = true;
        }
        Ok(())
    }

    fn wait_tasks(&mut self, t: usize, tasks: &[u32]) -> Done {
        let (chain, frame) = self.at(t)?;
        let mut ends = Vec::new();
        for task in tasks.iter().filter_map(|task| self.tasks.get(task)).filter(|task| !task.undeferred) {
            let Some(end) = task.end else { return odd(Structure::WaitEarly) };
            let mut creator = Some(task.creator);
            while creator.is_some_and(|c| c != chain) {
                creator = creator.and_then(|c| self.chains[c as usize].creator);
            }
            if creator.is_some() && task.frame == frame {
                ends.push(end);
            }
        }
        self.split(t, &ends).map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begin(number: u64, open: bool) -> Work {
        let (share, nth, kind, count) = (0, 0, ShareKind::Loop, 1);
        Work::Begin { share, nth, kind, number, count, open, again: None, mapping: None }
    }

    /// The node and frame of what a thread does next.
    fn here(order: &Order, t: usize) -> (u32, u32) {
        let owner = order.owner(t).expect("a strand");
        (owner.frame, owner.node)
    }

    fn tell(order: &mut Order, t: usize, work: &Work) {
        order.work(t, work).expect("understood");
    }

    #[test]
    fn pieces_know_nothing_of_each_other_nor_of_the_code_around() {
        let mut order = Order::new(false);
        tell(&mut order, 0, &Work::Fork { region: 1, members: vec![0, 1] });
        let (frame, around) = here(&order, 0);
        tell(&mut order, 0, &begin(0, true));
        assert_eq!(here(&order, 0), (frame, 0));
        assert!(!order.ordered(frame, 0, 0) && !order.ordered(frame, 0, around));
        tell(&mut order, 0, &Work::End { share: 0 });
        tell(&mut order, 0, &begin(1, false));
        assert_eq!(here(&order, 0), (frame, around), "a piece whose thread is fixed is part of it");
    }

    #[test]
    fn phases_are_frames_and_threads_of_one_phase_are_unordered() {
        let mut order = Order::new(false);
        tell(&mut order, 0, &Work::Fork { region: 1, members: vec![0, 1] });
        let [(frame, a), (_, b)] = [here(&order, 0), here(&order, 1)];
        assert!(!order.ordered(frame, a, b));
        tell(&mut order, 0, &Work::Phase { region: 1 });
        assert_ne!(here(&order, 0).0, frame);
    }

    #[test]
    fn a_task_is_between_its_creation_and_a_wait() {
        let mut order = Order::new(false);
        tell(&mut order, 0, &Work::Fork { region: 1, members: vec![0, 1] });
        let (frame, before) = here(&order, 0);
        let create = |task, after: &[u32]| Work::TaskCreate {
            task,
            after: after.to_vec(),
            excludes: vec![],
            undeferred: false,
            offloaded: false,
        };
        tell(&mut order, 0, &create(7, &[]));
        tell(&mut order, 0, &create(8, &[7]));
        let (_, beside) = here(&order, 0);
        let mut nodes = Vec::new();
        for task in [7, 8] {
            tell(&mut order, 1, &Work::TaskBegin { task });
            nodes.push(here(&order, 1).1);
            tell(&mut order, 1, &Work::TaskEnd { task, complete: true });
        }
        let [first, second] = nodes[..] else { unreachable!("two tasks") };
        assert!(order.ordered(frame, before, first) && !order.ordered(frame, beside, first));
        assert!(order.ordered(frame, first, second), "by a dependence");
        tell(&mut order, 0, &Work::TaskWait { tasks: vec![8] });
        let (_, after) = here(&order, 0);
        assert!(order.ordered(frame, first, after) && order.ordered(frame, second, after));
        tell(&mut order, 1, &create(9, &[8]));
        tell(&mut order, 1, &Work::TaskBegin { task: 9 });
        assert!(!order.ordered(frame, second, here(&order, 1).1), "dependences count between siblings alone");
    }

    #[test]
    fn ordered_blocks_follow_each_other() {
        let mut order = Order::new(false);
        tell(&mut order, 0, &Work::Fork { region: 1, members: vec![0, 1] });
        let mut blocks = Vec::new();
        for t in [0, 1] {
            tell(&mut order, t, &begin(t as u64, true));
            tell(&mut order, t, &Work::OrderedBegin { share: 0 });
            blocks.push(here(&order, t));
            tell(&mut order, t, &Work::OrderedEnd { share: 0 });
        }
        let [(frame, a), (_, b)] = blocks[..] else { unreachable!("two blocks") };
        assert!(order.ordered(frame, a, b));
        assert!(
            !order.ordered(frame, here(&order, 0).1, b),
            "what follows the first block is beside the second"
        );
    }

    #[test]
    fn lanes_within_safelen_are_unordered() {
        let mut order = Order::new(false);
        let lane = |number| Work::Begin {
            share: 3,
            nth: 0,
            kind: ShareKind::Simd,
            number,
            count: 2,
            open: true,
            again: None,
            mapping: None,
        };
        let mut nodes = Vec::new();
        for number in 0..3 {
            tell(&mut order, 0, &lane(number));
            nodes.push(here(&order, 0));
            tell(&mut order, 0, &Work::End { share: 3 });
        }
        let frame = nodes[0].0;
        assert!(
            !order.ordered(frame, nodes[0].1, nodes[1].1) && order.ordered(frame, nodes[0].1, nodes[2].1)
        );
    }

    #[test]
    fn a_thread_is_between_its_creation_and_its_join() {
        let mut order = Order::new(false);
        let (frame, before) = here(&order, 0);
        order.fork(0, 1).expect("understood");
        let (created, beside) = (here(&order, 1).1, here(&order, 0).1);
        assert!(order.ordered(frame, before, created) && !order.ordered(frame, beside, created));
        order.end(1).expect("understood");
        order.join(0, 1).expect("understood");
        assert!(order.ordered(frame, created, here(&order, 0).1));
    }
}
