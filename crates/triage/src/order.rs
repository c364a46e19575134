//! Ordering (P3 section 5.2): which race may be an artifact of which, partitions, and the first of them.
//!
//! `<a, b> R <c, d>` iff both `a` and `b` can event-control `c`, or both can event-control `d`. Theorem 5.4: otherwise `<c, d>`
//! is no artifact of `<a, b>`. Races related both ways form a partition; a *first* partition has no race before it in
//! another one, and (theorem 5.5) holds a feasible race that is no artifact of any other.
//!
//! Two refinements. A race *matters* only if its outcome can steer: if it is between a write and a read that steers, or
//! between writes to a variable that somebody reads so that it steers. One that does not matter causes nothing: whichever
//! way it goes, no thread does anything else. And in the order of the run, G_E here has the outcomes of races besides
//! ([`mod@crate::model`]); with more edges than the actual ones the theorems hold all the same.
//!
//! P3 leaves the algorithm to the future. Here it needs no pairs of races. That `a` and `b` can event-control `c` means that
//! they reach `t(c)` in G_E, where `t(c)` is `c` (segments) or what comes before it (accesses).
//!
//! *Partitions.* If `<a, b>` and `<c, d>` are related both ways, through `c` and, say, `a`, then `a` reaches `t(c)` reaches
//! `c` reaches `t(a)` reaches `a`: these lie in one strongly connected component Z of G_E, and `b` and `d` reach it. Conversely
//! any two races with `t` of one end and that end in Z and the other end reaching Z are related both ways. A race has at most
//! one such Z: if `b` reaches the component of `a` and `a` that of `b`, they are the same. So races with the same Z are one
//! partition, and a race without is one by itself.
//!
//! *First.* The races before a partition of Z are those with both ends reaching Z: those before one of its races through an
//! end elsewhere reach that end and, through it, Z. The races before a single race are those with both ends reaching
//! `t(c)` or both reaching `t(d)`. What reaches a node is, for each thread, a prefix of its chain. So for two threads the
//! question is whether a point (place of `a`, place of `b`) of another partition lies below and left of a corner: sorted by
//! the one coordinate, with the lowest other one so far (and the lowest of a different partition), one binary search.
//!
//! Time: races times pairs of threads that race, times a logarithm. Partitions are listed in an order that respects R:
//! first ones first, then by the number of the component of their latest `t`, which grows along R.

use rustc_hash::FxHashMap;

use crate::validate::Graphs;

/// A partition.
#[derive(Debug)]
pub(crate) struct Part {
    pub races: Vec<u32>,
    pub first: bool,
}

/// The partitions, in an order that respects R.
pub(crate) fn partitions(graphs: &Graphs<'_>, races: &[[u32; 2]], matters: &[bool]) -> Vec<Part> {
    let meeting: Vec<Option<u32>> =
        races.iter().zip(matters).map(|(&ends, m)| m.then(|| meets(graphs, ends)).flatten()).collect();
    // A key for each partition: the component, or beyond all of them the race.
    let beyond = graphs.cause.count;
    let key = |race: usize| meeting[race].unwrap_or(beyond + race as u32);
    let corners = Corners::new(graphs, races, matters, key);
    let mut members: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for race in 0..races.len() {
        members.entry(key(race)).or_default().push(race as u32);
    }
    let mut parts: Vec<(bool, u32, u32, Part)> = members
        .into_iter()
        .map(|(key, list)| {
            let one = races[list[0] as usize];
            let targets = match meeting[list[0] as usize] {
                // All of Z is reached by the same nodes.
                Some(z) => {
                    let end = one.into_iter().find(|&n| in_component(graphs, n, z)).unwrap_or(one[0]);
                    vec![graphs.target(end)]
                }
                None => one.iter().map(|&n| graphs.target(n)).collect(),
            };
            let first = !targets.iter().any(|&t| corners.before(graphs, t, key));
            let rank = list.iter().flat_map(|&r| races[r as usize]);
            let rank = rank.map(|n| graphs.cause.of[graphs.target(n) as usize]).max().unwrap_or(0);
            (!first, rank, list[0], Part { races: list, first })
        })
        .collect();
    parts.sort_unstable_by_key(|p| (p.0, p.1, p.2));
    parts.into_iter().map(|p| p.3).collect()
}

/// Whether an end and its `t` lie in a component.
fn in_component(graphs: &Graphs<'_>, n: u32, z: u32) -> bool {
    graphs.cause.of[n as usize] == z && graphs.cause.of[graphs.target(n) as usize] == z
}

/// The component Z of a race.
fn meets(graphs: &Graphs<'_>, [a, b]: [u32; 2]) -> Option<u32> {
    let own = |n: u32| graphs.cause.of[n as usize];
    if in_component(graphs, a, own(a)) && graphs.causes(b, a) {
        return Some(own(a));
    }
    (in_component(graphs, b, own(b)) && graphs.causes(a, b)).then(|| own(b))
}

/// A step of the staircase: up to this place of the first thread, the lowest place of the second, and the lowest of a
/// race of another partition.
#[derive(Debug, Clone, Copy)]
struct Step {
    place: u32,
    lowest: (u32, u32),
    other: (u32, u32),
}

const NOWHERE: (u32, u32) = (u32::MAX, u32::MAX);

/// By pair of threads: the places of their races as a staircase.
struct Corners {
    pairs: Vec<(u32, u32, Vec<Step>)>,
}

impl Corners {
    fn new(graphs: &Graphs<'_>, races: &[[u32; 2]], matters: &[bool], key: impl Fn(usize) -> u32) -> Corners {
        let chains = graphs.chains;
        #[allow(clippy::type_complexity, reason = "named parts would not say more")]
        let mut points: FxHashMap<(u32, u32), Vec<(u32, u32, u32)>> = FxHashMap::default();
        for (race, ends) in races.iter().enumerate().filter(|(race, _)| matters[*race]) {
            let [a, b] = ends.map(|n| (chains.thread[n as usize], chains.place[n as usize]));
            let (a, b) = if a.0 <= b.0 { (a, b) } else { (b, a) };
            points.entry((a.0, b.0)).or_default().push((a.1, b.1, key(race)));
        }
        let mut pairs: Vec<(u32, u32, Vec<Step>)> =
            points.into_iter().map(|((t, u), points)| (t, u, staircase(points))).collect();
        pairs.sort_unstable_by_key(|p| (p.0, p.1));
        Corners { pairs }
    }

    /// Whether a race of another partition has both ends reaching a node.
    fn before(&self, graphs: &Graphs<'_>, node: u32, own: u32) -> bool {
        let reach = |thread: u32| graphs.cause_reach.place(node, thread);
        let (mut thread, mut place) = (u32::MAX, 0);
        self.pairs.iter().any(|(t, u, steps)| {
            if thread != *t {
                (thread, place) = (*t, reach(*t));
            }
            if place == 0 || steps.first().is_none_or(|s| s.place > place) {
                return false;
            }
            let step = steps[steps.partition_point(|s| s.place <= place) - 1];
            let lowest = if step.lowest.1 == own { step.other } else { step.lowest };
            lowest.0 <= reach(*u) && lowest != NOWHERE
        })
    }
}

fn staircase(mut points: Vec<(u32, u32, u32)>) -> Vec<Step> {
    points.sort_unstable();
    let mut steps: Vec<Step> = Vec::new();
    let (mut lowest, mut other) = (NOWHERE, NOWHERE);
    for (place, height, key) in points {
        let before = (lowest, other);
        if height < lowest.0 {
            if lowest.1 != key {
                other = lowest;
            }
            lowest = (height, key);
        } else if key != lowest.1 && height < other.0 {
            other = (height, key);
        }
        if before != (lowest, other) {
            steps.push(Step { place, lowest, other });
        }
    }
    steps
}
