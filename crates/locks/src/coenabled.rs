//! Which work units can be about to run at the same time: P5's formula `not EF (EX_WUi true and EX_WUj true)` for all pairs, without making the states of
//! the model where structure decides.
//!
//! Let D be what comes before the two units. The formula fails exactly if D can be executed and the units are not ordered: then they are both about to run
//! (doing more than D never helps, see [`crate::model`]). In this order:
//!
//! 1. One comes before the other, or D has two ways of a branch: the formula holds.
//! 2. D leaves one lock in the hands of two (unless both share it): it holds.
//! 3. D leaves no lock in anybody's hands, and both units are of one execution: it fails. The execution, restricted to D, executes D: its sections do
//!    not overlap there either.
//! 4. D is executed greedily, with sections that stay open taken last. If that succeeds, it fails.
//! 5. Otherwise the checker decides, on the part of the model that comes before the two ([`Model::slice`]).
//!
//! Units of one stretch between two synchronisations stand in the same relation to all others, so that each two stretches are
//! decided once. *Guarantee*: the answers are the checker's (a test compares them on random graphs and on programs).

use rustc_hash::{FxHashMap, FxHashSet};

use crate::model::{Model, Use};

/// Models with more nodes are not taken on: the relation takes room in the square of their number.
pub const MOST_NODES: usize = 20_000;

/// Decides pairs of one model.
pub struct Coenabled<'m> {
    model: &'m Model,
    words: usize,
    /// By node: what comes before it.
    before: Vec<u64>,
    /// By node that takes a lock: the nodes that give it back again.
    releases: FxHashMap<u32, Vec<u32>>,
    /// By node: those before it that take a lock which nobody before it gives back.
    open: Vec<Vec<u32>>,
    /// By node: the stretch that it belongs to.
    stretch: Vec<u32>,
    known: FxHashMap<(u32, u32), Option<bool>>,
    /// States that one pair may take, and all of them.
    pair_states: usize,
    states_left: usize,
    /// States that were made.
    pub states: usize,
}

impl<'m> Coenabled<'m> {
    /// For a model; `stretch` gives the stretch of a node of the graph. `None` if the model is too large.
    pub fn new(
        model: &'m Model,
        stretch: &dyn Fn(u32) -> u32,
        pair_states: usize,
        all_states: usize,
    ) -> Option<Coenabled<'m>> {
        let n = model.nodes.len();
        if n > MOST_NODES {
            return None;
        }
        let words = n.div_ceil(64);
        let mut before = vec![0u64; n * words];
        for (i, node) in model.nodes.iter().enumerate() {
            for &p in &node.after {
                let p = p as usize;
                let (low, high) = before.split_at_mut(i * words);
                for w in 0..words {
                    high[w] |= low[p * words + w];
                }
                high[p / 64] |= 1 << (p % 64);
            }
        }
        let mut this = Coenabled {
            model,
            words,
            before,
            releases: FxHashMap::default(),
            open: Vec::new(),
            // Nodes that stand for nothing in the graph are no units.
            stretch: model.nodes.iter().map(|n| n.of.map_or(u32::MAX, stretch)).collect(),
            known: FxHashMap::default(),
            pair_states,
            states_left: all_states,
            states: 0,
        };
        this.match_releases();
        Some(this)
    }

    /// What gives a lock back: the next releases after it was taken, one on each way.
    fn match_releases(&mut self) {
        let mut takes: Vec<(u32, u32)> = Vec::new();
        let mut gives: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (n, node) in self.model.nodes.iter().enumerate() {
            match node.lock {
                Some((lock, Use::Release)) => gives.entry(lock).or_default().push(n as u32),
                Some((lock, _)) => takes.push((n as u32, lock)),
                None => {}
            }
        }
        for &(take, lock) in &takes {
            let mut first: Vec<u32> = Vec::new();
            // In the order of their numbers, which is one of the graph.
            for &give in gives.get(&lock).into_iter().flatten() {
                if self.is_before(take, give) && !first.iter().any(|&f| self.is_before(f, give)) {
                    first.push(give);
                }
            }
            self.releases.insert(take, first);
        }
        for n in 0..self.model.nodes.len() as u32 {
            let inside = |m: u32| self.is_before(m, n);
            let open = takes.iter().map(|t| t.0).filter(|&t| inside(t) && !self.closed(t, &inside));
            self.open.push(open.collect());
        }
    }

    fn closed(&self, take: u32, inside: &dyn Fn(u32) -> bool) -> bool {
        self.releases.get(&take).is_some_and(|gives| gives.iter().any(|&g| inside(g)))
    }

    fn is_before(&self, a: u32, b: u32) -> bool {
        self.before[b as usize * self.words + a as usize / 64] >> (a % 64) & 1 != 0
    }

    fn row(&self, n: u32) -> &[u64] {
        &self.before[n as usize * self.words..(n as usize + 1) * self.words]
    }

    /// Whether P5's formula holds for two units (nodes of the model); `together` says that one execution has both.
    pub fn sequential(&mut self, a: u32, b: u32, together: bool) -> Option<bool> {
        let (a, b) = (a.min(b), a.max(b));
        if self.is_before(a, b) {
            return Some(true);
        }
        let key = (self.stretch[a as usize], self.stretch[b as usize]);
        let plain = self.model.nodes[a as usize].choices.is_empty()
            && self.model.nodes[b as usize].choices.is_empty();
        if let Some(&known) = self.known.get(&key).filter(|_| plain) {
            return known;
        }
        let answer = self.decide(a, b, together);
        if plain {
            self.known.insert(key, answer);
        }
        answer
    }

    fn decide(&mut self, a: u32, b: u32, together: bool) -> Option<bool> {
        let (x, y) = (self.row(a), self.row(b));
        let all: Vec<u64> = x.iter().zip(y).map(|(x, y)| x | y).collect();
        let both: Vec<u64> = x.iter().zip(y).map(|(x, y)| x & y).collect();
        if self.excluded(&all, a, b) {
            return Some(true);
        }
        let open = self.left_open(a, b, &all);
        let mut holders: FxHashMap<u32, (usize, bool)> = FxHashMap::default();
        for &take in &open {
            if let Some((lock, how)) = self.model.nodes[take as usize].lock {
                let (count, alone) = holders.entry(lock).or_insert((0, false));
                *count += 1;
                *alone |= how == Use::Take;
            }
        }
        if holders.values().any(|&(count, alone)| count > 1 && alone) {
            return Some(true);
        }
        if open.is_empty() && together {
            return Some(false);
        }
        // What comes before both is done, if it leaves no lock behind and some execution has it.
        let done =
            if together && self.left_open(a, b, &both).is_empty() { both } else { vec![0; self.words] };
        if self.greedy(&all, done, &open) {
            return Some(false);
        }
        let most = self.pair_states.min(self.states_left);
        let (answer, states) = self.model.sequential(a, b, most);
        self.states_left = self.states_left.saturating_sub(states);
        self.states += states;
        answer
    }

    /// Whether two ways of a branch would have to be taken. (The two units themselves may be ways of one.)
    fn excluded(&self, all: &[u64], a: u32, b: u32) -> bool {
        let inside = |n: u32| all[n as usize / 64] >> (n % 64) & 1 != 0;
        self.model.branches.iter().any(|ways| {
            let taken = ways.iter().filter(|&&w| inside(w)).count();
            let next = usize::from(ways.contains(&a) || ways.contains(&b));
            taken + next > 1
        })
    }

    /// The nodes of a set (what comes before either unit, or before both) that take a lock which the set does not give back.
    fn left_open(&self, a: u32, b: u32, set: &[u64]) -> Vec<u32> {
        let inside = |n: u32| set[n as usize / 64] >> (n % 64) & 1 != 0;
        let either = self.open[a as usize].iter().chain(&self.open[b as usize]).copied();
        let mut open: Vec<u32> = either.filter(|&t| inside(t) && !self.closed(t, &inside)).collect();
        open.sort_unstable();
        open.dedup();
        open
    }

    /// Executes a set; false if that does not work out in the order that is tried.
    fn greedy(&self, all: &[u64], mut done: Vec<u64>, open: &[u32]) -> bool {
        let bit = |set: &[u64], n: u32| set[n as usize / 64] >> (n % 64) & 1 != 0;
        let mut left: Vec<u32> =
            (0..self.model.nodes.len() as u32).filter(|&n| bit(all, n) && !bit(&done, n)).collect();
        // Who holds a lock: alone or shared, and how many sections are open.
        let mut held: FxHashMap<u32, (bool, usize)> = FxHashMap::default();
        let open: FxHashSet<u32> = open.iter().copied().collect();
        let mut section: Option<u32> = None;
        while !left.is_empty() {
            let ready = |n: &u32, done: &[u64]| {
                let node = &self.model.nodes[*n as usize];
                let free = match node.lock {
                    Some((lock, Use::Take)) => held.get(&lock).is_none_or(|h| h.1 == 0),
                    Some((lock, Use::Share)) => held.get(&lock).is_none_or(|h| h.1 == 0 || !h.0),
                    _ => true,
                };
                free && node.after.iter().all(|&p| bit(done, p))
            };
            // First what takes no lock, then what goes on in the section that was begun last, then other sections, then what stays open.
            let rank = |n: &u32| {
                let takes = matches!(self.model.nodes[*n as usize].lock, Some((_, Use::Take | Use::Share)));
                let inside = section.is_some_and(|s| self.is_before(s, *n));
                (takes, open.contains(n), takes && !inside, *n)
            };
            let Some(&next) = left.iter().filter(|n| ready(n, &done)).min_by_key(|n| rank(n)) else {
                return false;
            };
            match self.model.nodes[next as usize].lock {
                Some((lock, Use::Release)) => {
                    if let Some(h) = held.get_mut(&lock) {
                        h.1 = h.1.saturating_sub(1);
                    }
                }
                Some((lock, how)) => {
                    let h = held.entry(lock).or_default();
                    *h = (how == Use::Take, h.1 + 1);
                    section = Some(next);
                }
                None => {}
            }
            done[next as usize / 64] |= 1 << (next % 64);
            left.retain(|&n| n != next);
        }
        true
    }
}

/// All pairs of nodes that are about to run in some state, by one exploration of the whole model: the naive way, for tests and small
/// models. `None` if there are more than `most` states.
pub fn explored(model: &Model, most: usize) -> Option<FxHashSet<(u32, u32)>> {
    use crate::actl::{Lts, System};
    let lts = Lts::of(model, most)?;
    let mut of_label: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for (n, node) in model.nodes.iter().enumerate() {
        if let Some(label) = node.label {
            of_label.entry(label).or_default().push(n as u32);
        }
    }
    let unit = |label: u32| -> Option<u32> {
        let nodes = of_label.get(&label)?;
        (model.labels()[label as usize].starts_with("WU")).then(|| nodes[0])
    };
    let mut found = FxHashSet::default();
    for steps in &lts.steps {
        let units: Vec<u32> = steps.iter().filter_map(|s| unit(s.0)).collect();
        for &a in &units {
            found.extend(units.iter().filter(|&&b| a < b).map(|&b| (a, b)));
        }
    }
    Some(found)
}
