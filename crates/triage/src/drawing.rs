//! The ordering graph of the races, small enough to be drawn: their events, what orders them, and the races.
//!
//! Only events that take part in a race are kept, of at most so many races. Between them: each thread's order; an edge of
//! synchronisation from each thread's last shown event that is ordered before an event, unless an edge to an earlier
//! event of the same thread says it already; and event-control edges between shown events.

use crate::Race;
use crate::graph::{Graph, NONE};
use crate::model::Model;

/// A computation event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    /// Its thread.
    pub thread: u32,
    /// Its place in the thread: grows along the thread's events.
    pub place: u32,
}

/// What an edge means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeKind {
    /// The next event of the same thread.
    Thread,
    /// Ordered by synchronisation.
    Synchronisation,
    /// The first writes what the second reads and what may steer it.
    Control,
}

/// Events and edges.
#[derive(Debug, Clone, Default)]
pub struct Drawing {
    /// The events, thread after thread.
    pub nodes: Vec<Node>,
    /// Edges between nodes, by index.
    pub edges: Vec<(u32, u32, EdgeKind)>,
    /// By race shown: its number and its two nodes.
    pub races: Vec<(u32, u32, u32)>,
    /// How many races are not shown.
    pub left_out: usize,
}

/// The drawing of the first `most` races, by partition.
pub(crate) fn draw(model: &Model, races: &[Race], most: usize) -> Drawing {
    let mut numbers: Vec<u32> = (0..races.len() as u32).collect();
    numbers.sort_by_key(|&r| races[r as usize].partition);
    let left_out = numbers.len().saturating_sub(most);
    numbers.truncate(most);
    let chains = &model.chains;
    let mut shown: Vec<u32> = numbers.iter().flat_map(|&r| races[r as usize].ends).collect();
    shown.sort_unstable_by_key(|&n| (chains.thread[n as usize], chains.place[n as usize]));
    shown.dedup();
    let index = |node: u32| {
        let key = (chains.thread[node as usize], chains.place[node as usize]);
        shown.binary_search_by_key(&key, |&n| (chains.thread[n as usize], chains.place[n as usize])).ok()
    };
    let mut edges = order_edges(model, &shown);
    for &(a, b) in &model.control {
        if let (Some(a), Some(b)) = (index(a), index(b)) {
            edges.push((a as u32, b as u32, EdgeKind::Control));
        }
    }
    edges.sort_unstable();
    edges.dedup();
    let pair = |r: u32| {
        let [a, b] = races[r as usize].ends;
        Some((r, index(a)? as u32, index(b)? as u32))
    };
    Drawing {
        nodes: shown
            .iter()
            .map(|&n| Node { thread: chains.thread[n as usize], place: chains.place[n as usize] })
            .collect(),
        edges,
        races: numbers.into_iter().filter_map(pair).collect(),
        left_out,
    }
}

/// Each thread's order and what synchronisation adds.
fn order_edges(model: &Model, shown: &[u32]) -> Vec<(u32, u32, EdgeKind)> {
    let chains = &model.chains;
    let graph = Graph::new(chains, &[&model.sync]);
    // What is ordered before an event reaches what comes before it in its thread.
    let before: Vec<u32> = shown.iter().map(|&n| chains.prev[n as usize]).filter(|&n| n != NONE).collect();
    let reach = graph.reach(&graph.components(), &before);
    let mut threads: Vec<(u32, usize, usize)> = Vec::new();
    for (i, &n) in shown.iter().enumerate() {
        match threads.last_mut() {
            Some((t, _, end)) if *t == chains.thread[n as usize] => *end = i + 1,
            _ => threads.push((chains.thread[n as usize], i, i + 1)),
        }
    }
    let mut edges = Vec::new();
    for &(_, begin, end) in &threads {
        let mut known = vec![0; threads.len()];
        for to in begin..end {
            if to > begin {
                edges.push((to as u32 - 1, to as u32, EdgeKind::Thread));
            }
            for (k, &(u, from, until)) in threads.iter().enumerate() {
                let place = reach.place(chains.prev[shown[to] as usize], u);
                let count = shown[from..until].partition_point(|&n| chains.place[n as usize] <= place);
                if from != begin && count > known[k] {
                    known[k] = count;
                    edges.push(((from + count - 1) as u32, to as u32, EdgeKind::Synchronisation));
                }
            }
        }
    }
    edges
}
