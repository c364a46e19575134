//! Ordering graphs: strongly connected components, and reachability by vector clocks over them.
//!
//! A graph of this crate ([`Graph`]) consists of chains, one for each thread, and of edges across. Node `n` of a chain
//! leads to `next[n]`; other edges are listed. P3 gives each event a start and a finish node; here the one node of an event
//! is what lies between them, because the start has no other way out and the finish no other way in:
//!
//! | P3 | here |
//! |---|---|
//! | path from `a_s` | path from `a` |
//! | path to `b_f` | path to `b` |
//! | path from `a_f` | path from `next(a)` |
//! | path to `b_s` | path to `prev(b)` |
//!
//! P3's shared-data dependence is transitive and adds an edge from `a_s` to `b_f` for each pair of it. Here an edge from
//! `a` to `b` for each *direct* dependence does the same, because paths go through the middle node.
//!
//! Reachability ([`Reach`]): the nodes of thread `u` that reach a node are a prefix of `u`'s chain, so one number for each
//! thread says all. Components are visited in topological order; a component's clock is the maximum of its predecessors'
//! and its own nodes, is shared where nothing comes from across, and is dropped after its last successor unless somebody
//! asks for it. Time: edges times threads in the worst case; memory: clocks that are alive at a time.

use std::sync::Arc;

/// In place of a node that is not there.
pub(crate) const NONE: u32 = u32::MAX;

/// The chains that all graphs over the same nodes share.
#[derive(Debug, Default)]
pub(crate) struct Chains {
    /// By node: its thread, [`NONE`] for a node that belongs to no chain.
    pub thread: Vec<u32>,
    /// By node: its place in its chain, from 1.
    pub place: Vec<u32>,
    /// By node: the one before it in its chain.
    pub prev: Vec<u32>,
    /// By node: the one after it in its chain.
    pub next: Vec<u32>,
    /// By thread: the last node of its chain.
    pub last: Vec<u32>,
}

impl Chains {
    /// A new node at the end of a thread's chain.
    pub fn push(&mut self, thread: u32) -> u32 {
        let node = self.thread.len() as u32;
        let t = thread as usize;
        if t >= self.last.len() {
            self.last.resize(t + 1, NONE);
        }
        let prev = self.last[t];
        let place = if prev == NONE { 1 } else { self.place[prev as usize] + 1 };
        if prev != NONE {
            self.next[prev as usize] = node;
        }
        self.last[t] = node;
        self.add(thread, place, prev);
        node
    }

    /// A new node outside of all chains.
    pub fn push_apart(&mut self) -> u32 {
        let node = self.thread.len() as u32;
        self.add(NONE, 0, NONE);
        node
    }

    fn add(&mut self, thread: u32, place: u32, prev: u32) {
        self.thread.push(thread);
        self.place.push(place);
        self.prev.push(prev);
        self.next.push(NONE);
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.thread.len()
    }
}

/// Chains with edges across.
pub(crate) struct Graph<'a> {
    chains: &'a Chains,
    /// By node: where its edges begin in `targets`.
    from: Vec<u32>,
    targets: Vec<u32>,
}

impl<'a> Graph<'a> {
    /// The chains with these edges across.
    pub fn new(chains: &'a Chains, edges: &[&[(u32, u32)]]) -> Graph<'a> {
        let mut from = vec![0u32; chains.len() + 1];
        let all = || edges.iter().copied().flatten();
        for &(a, _) in all() {
            from[a as usize + 1] += 1;
        }
        for i in 1..from.len() {
            from[i] += from[i - 1];
        }
        let mut fill = from.clone();
        let mut targets = vec![0u32; from[chains.len()] as usize];
        for &(a, b) in all() {
            targets[fill[a as usize] as usize] = b;
            fill[a as usize] += 1;
        }
        Graph { chains, from, targets }
    }

    fn across(&self, node: u32) -> &[u32] {
        &self.targets[self.from[node as usize] as usize..self.from[node as usize + 1] as usize]
    }

    /// The `i`-th successor: the next one of the chain comes first.
    fn successor(&self, node: u32, i: u32) -> Option<u32> {
        let next = self.chains.next[node as usize];
        let i = if next == NONE {
            i as usize
        } else if i == 0 {
            return Some(next);
        } else {
            i as usize - 1
        };
        self.across(node).get(i).copied()
    }

    /// Whether all edges lead to nodes with a higher number, so that there is no cycle.
    fn goes_forward(&self) -> bool {
        (0..self.chains.len() as u32).all(|n| self.across(n).iter().all(|&m| m > n))
    }

    /// The components; with numbers that grow along edges.
    pub fn components(&self) -> Components {
        let n = self.chains.len();
        if self.goes_forward() {
            return Components { of: (0..n as u32).collect(), count: n as u32 };
        }
        let mut components = self.tarjan();
        // Tarjan's algorithm finishes a component after all that it leads to.
        for c in &mut components.of {
            *c = components.count - 1 - *c;
        }
        components
    }

    /// Tarjan 1972, with a stack of its own instead of recursion.
    fn tarjan(&self) -> Components {
        let n = self.chains.len();
        let mut of = vec![NONE; n];
        let (mut index, mut low) = (vec![NONE; n], vec![0u32; n]);
        let (mut stack, mut path): (Vec<u32>, Vec<(u32, u32)>) = (Vec::new(), Vec::new());
        let (mut clock, mut count) = (0u32, 0u32);
        for root in 0..n as u32 {
            if index[root as usize] != NONE {
                continue;
            }
            path.push((root, 0));
            while let Some(&mut (v, ref mut i)) = path.last_mut() {
                let at = v as usize;
                if *i == 0 {
                    (index[at], low[at]) = (clock, clock);
                    clock += 1;
                    stack.push(v);
                }
                let successor = self.successor(v, *i);
                *i += 1;
                match successor {
                    Some(w) if index[w as usize] == NONE => path.push((w, 0)),
                    // On the stack: not yet in a component.
                    Some(w) if of[w as usize] == NONE => low[at] = low[at].min(index[w as usize]),
                    Some(_) => {}
                    None => {
                        path.pop();
                        if let Some(&(parent, _)) = path.last() {
                            low[parent as usize] = low[parent as usize].min(low[at]);
                        }
                        if low[at] == index[at] {
                            while let Some(w) = stack.pop() {
                                of[w as usize] = count;
                                if w == v {
                                    break;
                                }
                            }
                            count += 1;
                        }
                    }
                }
            }
        }
        Components { of, count }
    }

    /// Which nodes reach each of the `wanted` nodes.
    pub fn reach(&self, components: &Components, wanted: &[u32]) -> Reach {
        Visit::new(self, components, wanted).run()
    }
}

/// Strongly connected components, numbered along the edges.
#[derive(Debug)]
pub(crate) struct Components {
    /// By node: its component.
    pub of: Vec<u32>,
    /// How many there are.
    pub count: u32,
}

/// By thread: the last place of its chain that reaches something; 0 for none.
type Clock = Arc<Vec<u32>>;

/// What reaches a component. The component of a single node of a chain shares its clock with others, so its own place
/// stands beside it.
#[derive(Debug, Clone)]
struct Known {
    clock: Clock,
    own: Option<(u32, u32)>,
}

impl Known {
    fn of(&self, thread: u32) -> u32 {
        let in_clock = self.clock.get(thread as usize).copied().unwrap_or(0);
        match self.own {
            Some((t, place)) if t == thread => in_clock.max(place),
            _ => in_clock,
        }
    }
}

/// Answers whether one node reaches another.
#[derive(Debug)]
pub(crate) struct Reach {
    /// By wanted node, ascending.
    known: Vec<(u32, Known)>,
    empty: Known,
}

impl Reach {
    /// Whether there is a path from a node of a chain to a wanted node; every node reaches itself.
    pub fn reaches(&self, chains: &Chains, from: u32, to: u32) -> bool {
        self.place(to, chains.thread[from as usize]) >= chains.place[from as usize]
    }

    /// The last place in a thread's chain that reaches a wanted node; 0 for none.
    pub fn place(&self, to: u32, thread: u32) -> u32 {
        let found = self.known.binary_search_by_key(&to, |k| k.0);
        found.map_or(&self.empty, |i| &self.known[i].1).of(thread)
    }
}

/// One pass over the components.
struct Visit<'g, 'a> {
    graph: &'g Graph<'a>,
    components: &'g Components,
    /// The nodes by component, and where each component begins.
    members: Vec<u32>,
    begins: Vec<u32>,
    /// By component: what is known of it so far.
    known: Vec<Option<Known>>,
    /// By component: whether somebody asks for it.
    wanted: Vec<u32>,
}

impl<'g, 'a> Visit<'g, 'a> {
    fn new(graph: &'g Graph<'a>, components: &'g Components, wanted: &[u32]) -> Self {
        let count = components.count as usize;
        let mut begins = vec![0u32; count + 1];
        for &c in &components.of {
            begins[c as usize + 1] += 1;
        }
        for i in 1..begins.len() {
            begins[i] += begins[i - 1];
        }
        let mut fill = begins.clone();
        let mut members = vec![0u32; components.of.len()];
        for (node, &c) in components.of.iter().enumerate() {
            members[fill[c as usize] as usize] = node as u32;
            fill[c as usize] += 1;
        }
        let mut wanted = wanted.to_vec();
        wanted.sort_unstable();
        wanted.dedup();
        Visit { graph, components, members, begins, known: vec![None; count], wanted }
    }

    fn run(mut self) -> Reach {
        let mut kept: Vec<(u32, Known)> = Vec::with_capacity(self.wanted.len());
        let mut ask = vec![false; self.components.count as usize];
        for &node in &self.wanted {
            ask[self.components.of[node as usize] as usize] = true;
        }
        let mut answers: rustc_hash::FxHashMap<u32, Known> = rustc_hash::FxHashMap::default();
        for c in 0..self.components.count {
            let known = self.settle(c);
            if ask[c as usize] {
                answers.insert(c, known.clone());
            }
            self.pass_on(c, known);
        }
        let empty = Known { clock: Clock::default(), own: None };
        for &node in &self.wanted {
            if let Some(known) = answers.get(&self.components.of[node as usize]) {
                kept.push((node, known.clone()));
            }
        }
        Reach { known: kept, empty }
    }

    fn members(&self, c: u32) -> std::ops::Range<usize> {
        self.begins[c as usize] as usize..self.begins[c as usize + 1] as usize
    }

    /// What is known of a component, all before it being visited, with its own nodes.
    fn settle(&mut self, c: u32) -> Known {
        let came = self.known[c as usize].take();
        let chains = self.graph.chains;
        let range = self.members(c);
        let came = came.unwrap_or(Known { clock: Clock::default(), own: None });
        if range.len() == 1 {
            let node = self.members[range.start] as usize;
            let thread = chains.thread[node];
            let own = (thread != NONE).then(|| (thread, chains.place[node]));
            return match (came.own, own) {
                // From the same thread only: the clock has nothing to take over.
                (Some((t, _)), Some((u, _))) if t == u => Known { clock: came.clock, own },
                (None, _) => Known { clock: came.clock, own },
                _ => Known { clock: folded(&came), own },
            };
        }
        let mut clock = folded(&came);
        let all = Arc::make_mut(&mut clock);
        for i in range {
            let node = self.members[i] as usize;
            if chains.thread[node] != NONE {
                raise(all, chains.thread[node], chains.place[node]);
            }
        }
        Known { clock, own: None }
    }

    /// Tells the successors.
    fn pass_on(&mut self, c: u32, known: Known) {
        for i in self.members(c) {
            let node = self.members[i];
            let mut k = 0;
            while let Some(to) = self.graph.successor(node, k) {
                k += 1;
                let to = self.components.of[to as usize];
                if to != c {
                    merge(&mut self.known[to as usize], &known);
                }
            }
        }
    }
}

/// The clock with the own place in it.
fn folded(known: &Known) -> Clock {
    match known.own {
        Some((t, place)) if known.clock.get(t as usize).copied().unwrap_or(0) < place => {
            let mut clock = (*known.clock).clone();
            raise(&mut clock, t, place);
            Arc::new(clock)
        }
        _ => Arc::clone(&known.clock),
    }
}

fn raise(clock: &mut Vec<u32>, thread: u32, place: u32) {
    if thread as usize >= clock.len() {
        clock.resize(thread as usize + 1, 0);
    }
    clock[thread as usize] = clock[thread as usize].max(place);
}

/// Takes over what another knows.
fn merge(into: &mut Option<Known>, from: &Known) {
    let Some(mine) = into else {
        *into = Some(from.clone());
        return;
    };
    let clock_is_news = !Arc::ptr_eq(&mine.clock, &from.clock)
        && from.clock.iter().enumerate().any(|(t, &place)| place > mine.of(t as u32));
    let own_is_news = from.own.filter(|&(t, place)| place > mine.of(t));
    if !clock_is_news && own_is_news.is_none() {
        return;
    }
    if let (false, Some((t, place)), Some((u, _))) = (clock_is_news, own_is_news, mine.own)
        && t == u
    {
        mine.own = Some((t, place));
        return;
    }
    if let (false, Some(own), None) = (clock_is_news, own_is_news, mine.own) {
        mine.own = Some(own);
        return;
    }
    let mut clock = (*mine.clock).clone();
    for (t, &place) in from.clock.iter().enumerate() {
        raise(&mut clock, t as u32, place);
    }
    if let Some((t, place)) = from.own {
        raise(&mut clock, t, place);
    }
    mine.clock = Arc::new(clock);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Chains of these lengths; nodes are numbered chain after chain.
    fn chains(lengths: &[usize]) -> Chains {
        let mut chains = Chains::default();
        for (t, &length) in lengths.iter().enumerate() {
            (0..length).for_each(|_| {
                chains.push(t as u32);
            });
        }
        chains
    }

    fn naive(graph: &Graph<'_>) -> Vec<Vec<bool>> {
        let n = graph.chains.len();
        let mut reach = vec![vec![false; n]; n];
        for (start, row) in reach.iter_mut().enumerate() {
            let mut todo = vec![start as u32];
            while let Some(v) = todo.pop() {
                if std::mem::replace(&mut row[v as usize], true) {
                    continue;
                }
                let mut i = 0;
                while let Some(w) = graph.successor(v, i) {
                    todo.push(w);
                    i += 1;
                }
            }
        }
        reach
    }

    /// A small generator of numbers: Steele, Lea and Flood's SplitMix.
    fn random(seed: &mut u64, below: u64) -> u64 {
        *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = *seed;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % below
    }

    #[test]
    fn reachability_and_components_equal_a_search_from_each_node() {
        let mut seed = 7;
        for round in 0..400 {
            let lengths: Vec<usize> =
                (0..1 + random(&mut seed, 4)).map(|_| 1 + random(&mut seed, 5) as usize).collect();
            let mut chains = chains(&lengths);
            if round % 3 == 0 {
                chains.push_apart();
            }
            let n = chains.len() as u64;
            let edges: Vec<(u32, u32)> = (0..random(&mut seed, 2 * n))
                .map(|_| (random(&mut seed, n) as u32, random(&mut seed, n) as u32))
                .filter(|(a, b)| a != b && (round % 2 == 0 || a < b))
                .collect();
            let graph = Graph::new(&chains, &[&edges]);
            let expected = naive(&graph);
            let components = graph.components();
            let all: Vec<u32> = (0..n as u32).collect();
            let reach = graph.reach(&components, &all);
            #[allow(clippy::needless_range_loop, reason = "the numbers are nodes")]
            for a in 0..n as usize {
                for b in 0..n as usize {
                    let same = components.of[a] == components.of[b];
                    assert_eq!(same, expected[a][b] && expected[b][a]);
                    if chains.thread[a] != NONE {
                        assert_eq!(reach.reaches(&chains, a as u32, b as u32), expected[a][b], "{a} {b}");
                    }
                }
            }
        }
    }
}
