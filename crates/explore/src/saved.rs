//! What is needed to go on with a search of the race graph that a limit ended.
//!
//! A search is what it has seen, and its stack: the path to where it stands, and the nodes on it with ways that are still to be
//! taken. The machine's states are not kept: whoever goes on follows the path from the beginning ([`Trunk`]), puts the nodes
//! where they were, and searches on from there, as if nothing had happened. Of several searches of one graph, each has its
//! trunk, and jobs that nobody has begun stay jobs. What was noticed on the way (identical threads that can be told apart, orders
//! that matter, what was reached) is kept, since the search does not come there again.

use serde::{Deserialize, Serialize};

use crate::Unknown;
use crate::findings::Found;
use crate::parallel::Job;
use crate::visited::{Sleep, Visited};

/// A node on the way to where a search stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Knot {
    /// How many choices lead there.
    pub path: usize,
    /// The way that is to be taken next.
    pub next: u32,
    /// The threads whose ways are to be explored, and those that sleep.
    pub todo: Sleep,
    pub sleep: Sleep,
    /// How many of the choices are about inputs.
    pub asked: u64,
}

/// Where a search stands, and what is left to do on the way back from there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trunk {
    /// The choices that lead there, and how many operations threads have performed.
    pub path: Vec<u32>,
    pub moves: u64,
    /// The path has come to its end: only the nodes are left.
    pub ended: bool,
    /// Who sleeps in the state that comes next, how many threads there were before it, and how many choices were about inputs.
    pub sleep: Sleep,
    pub threads: usize,
    pub asked: u64,
    /// The nodes, in the order of the path.
    pub knots: Vec<Knot>,
}

/// What searches have noticed.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Noticed {
    pub unknown: Vec<Unknown>,
    pub watch: Option<machine::symmetry::Noticed>,
    pub held_back: bool,
    pub left_out: bool,
    pub split_matters: bool,
    pub order_matters: bool,
    pub split_finely: bool,
    pub open: bool,
    pub cut: bool,
    /// Paths were cut that are longer than allowed.
    pub deep: bool,
    pub sources: Vec<(u32, u32)>,
    pub stats: base::Stats,
}

impl Noticed {
    pub fn of(found: &Found) -> Noticed {
        Noticed {
            unknown: found.unknown.clone(),
            watch: found.watch.as_ref().map(|watch| watch.noticed()),
            held_back: found.held_back,
            left_out: found.splits.left_out,
            split_matters: found.splits.matter,
            order_matters: found.order_matters,
            split_finely: found.split_finely,
            open: found.open,
            cut: found.cut,
            deep: found.deep,
            sources: found.sources.iter().map(|(func, place)| (func.0, place.0)).collect(),
            stats: found.stats.clone(),
        }
    }

    /// Adds the figures of the searches before.
    pub fn count(&self, found: &mut Found) {
        found.stats.transitions += self.stats.transitions;
        found.stats.executions += self.stats.executions;
        found.stats.instructions += self.stats.instructions;
        found.stats.depth = found.stats.depth.max(self.stats.depth);
    }
}

/// A search that a limit ended.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Saved {
    pub(crate) trunks: Vec<Trunk>,
    pub(crate) jobs: Vec<Job>,
    pub(crate) noticed: Noticed,
    /// How it searches: arrivals at barriers, orders of pieces, identical threads, splits of a `taskloop`.
    pub(crate) how: (bool, bool, bool, bool),
    /// Whether a run has asked how many threads to use.
    pub(crate) asked_threads: bool,
    /// What was reached of the code for several threads.
    pub(crate) reached: Vec<bool>,
    /// The states seen, which are too many for a text.
    #[serde(skip)]
    pub(crate) visited: Visited,
}

impl Saved {
    /// How many states there are.
    pub fn states(&self) -> usize {
        self.visited.len()
    }

    /// Gives each of the states, as it is to be given back to [`Saved::add_state`].
    ///
    /// # Errors
    /// That of whoever takes them.
    pub fn each_state<E>(&self, mut take: impl FnMut(u128) -> Result<(), E>) -> Result<(), E> {
        self.visited.each(&mut take)
    }

    /// Adds a state that [`Saved::each_state`] gave.
    pub fn add_state(&self, entry: u128) {
        self.visited.restore(entry);
    }
}
