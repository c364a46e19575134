//! Questions about the order.

use rustc_hash::FxHashMap;

use crate::rules::Rule;

use super::{Kind, Order, Pos, Position, Stage};

impl Order {
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

    /// The phase in which the threads of one number execute two positions (or what forked the regions that they are in), in the
    /// innermost region that both are inside of; `None` if they are on different threads there, or in lanes, or it is open who
    /// executes one of them. And which of the two are open there.
    pub fn same_thread(&self, a: Pos, b: Pos) -> Option<(Stage, [bool; 2])> {
        let (a, b) = self.lift(a, b);
        let (x, y) = (self.level(a)?, self.level(b)?);
        // A team of one executes its tasks in any order.
        let task = x.kind == Kind::Task || y.kind == Kind::Task;
        if task && self.frames[self.positions[a as usize].frame as usize].alone {
            return None;
        }
        let same = x.stage == y.stage && x.number.is_some() && x.number == y.number;
        same.then_some((x.stage, [x.is_open(), y.is_open()]))
    }

    /// Whether one thread executes two positions (or what forked the regions that they are in) in every distribution: that of a team
    /// of one thread, or one outside of all regions. Not so for what a device may execute.
    pub fn one_thread(&self, a: Pos, b: Pos) -> bool {
        // Lanes of one thread run at the same time, also those of different pieces.
        if self.kind(a) == Kind::Lane && self.kind(b) == Kind::Lane {
            return false;
        }
        let (a, b) = self.lift(a, b);
        let (p, q) = (&self.positions[a as usize], &self.positions[b as usize]);
        let frame = self.frames[p.frame as usize];
        let offloaded = |chain: u32| self.chains[chain as usize].offloaded;
        (frame.alone || frame.region == 0 && p.thread == q.thread)
            && !offloaded(p.chain)
            && !offloaded(q.chain)
    }

    /// A number that positions share of which D says the same: they are in different open pieces of one phase, none of which
    /// has made or waited for anything, so that they are unordered with each other, and related in the same way to everything else. `None`
    /// for all others.
    pub fn alike(&self, pos: Pos) -> Option<u32> {
        let p = &self.positions[pos as usize];
        let chain = &self.chains[p.chain as usize];
        let plain = chain.kind == Kind::Piece
            && chain.index == 1
            && p.index == 1
            && p.clock.is_empty()
            && chain.clock.is_empty()
            && chain.made == [0; 3]
            && chain.passed == 0
            && chain.ordered.is_empty();
        plain.then_some(p.frame)
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
            if b.kind == Kind::Lane
                && s == r
                && (a.count > 0 && j >= i.saturating_add(a.count) || Rule::Lanes.is_off())
            {
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
