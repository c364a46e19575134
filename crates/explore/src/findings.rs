//! What a search has found so far: each race and defect once, with the path to it.

use base::DefectKind;
use base::reason::{Left, Reason, Unexplored};
use ir::{AccessId, PlaceId};
use judge::describe::object_key;
pub use judge::describe::{FoundDefect, FoundRace};
use machine::{Machine, RawRace, Stop};
use rustc_hash::FxHashSet;

use crate::Unknown;
use crate::search::Limit;

/// Everything that a search found, not yet replayed or described.
#[derive(Debug, Default)]
pub struct Found {
    /// Races.
    pub races: Vec<FoundRace>,
    /// Defects.
    pub defects: Vec<FoundDefect>,
    /// What kept the search from being complete.
    pub unknown: Vec<Unknown>,
    /// Barriers are used by more threads than they take.
    pub barrier_order: bool,
    /// What was noticed about identical threads, if they were taken to be exchangeable.
    pub watch: Option<Box<machine::Watch>>,
    /// Whether some thread was not scheduled for that reason.
    pub held_back: bool,
    /// Ways to split a `taskloop` were left out, and a task of such a loop changes its private variables.
    pub splits: Splits,
    /// Pieces of a worksharing construct could notice the order in which a thread executes them, and only one order was
    /// explored ([`machine::omp::order`]).
    pub order_matters: bool,
    /// Some construct was split into smaller pieces than the language allows.
    pub split_finely: bool,
    /// There were more races, or defects, than are kept.
    pub more: (bool, bool),
    /// Something depends on a value that nobody fixed.
    pub open: bool,
    /// Paths were cut that ask for more about inputs than [`crate::Config::max_asked`].
    pub cut: bool,
    /// Where inputs without bounds come from: by which function, called where.
    pub sources: Vec<(ir::FuncId, PlaceId)>,
    /// A part of the search was not done.
    pub lost: bool,
    /// Paths were cut that are longer than [`crate::Config::max_depth`].
    pub deep: bool,
    /// Where searches stood when a limit ended them.
    pub trunks: Vec<crate::saved::Trunk>,
    /// What is needed to go on, if a limit ended the search before it had found anything.
    pub left: Option<Box<crate::saved::Saved>>,
    /// Which limit ended the search, if one did.
    pub limit: Option<Limit>,
    /// Figures.
    pub stats: base::Stats,
}

/// What a search has noticed about `taskloop`s.
#[derive(Debug, Clone, Copy, Default)]
pub struct Splits {
    /// Legal ways to split them were left out.
    pub left_out: bool,
    /// How they are split may show ([`Machine::split_matters`]).
    pub matter: bool,
}

impl Found {
    /// Whether the search is to be done again with all legal splits.
    pub(crate) fn wants_all_splits(&self) -> bool {
        self.splits.left_out && self.splits.matter && self.limit.is_none() && !self.has_findings()
    }

    /// What was found as a race, but is the use of an object beside its end, is a defect.
    pub(crate) fn tell_ends_apart(&mut self, module: &ir::Module) {
        let late = |race: &FoundRace| FoundDefect::late(module, race.race, &race.path, race.moves);
        self.defects.extend(self.races.iter().filter_map(late));
        self.races.retain(|race| race.race.use_and_end().is_none());
    }

    /// How much was found.
    pub(crate) fn amount(&self) -> usize {
        self.races.len() + self.defects.len() + self.unknown.len()
    }

    /// Whether anything was found.
    pub(crate) fn has_findings(&self) -> bool {
        self.amount() > 0
    }

    /// Adds what another search found in the same graph.
    pub(crate) fn absorb(&mut self, other: Found) {
        for race in other.races {
            if !self.races.iter().any(|r| r.key == race.key) {
                self.races.push(race);
            }
        }
        for defect in other.defects {
            if !self.defects.iter().any(|d| (d.kind, d.place) == (defect.kind, defect.place)) {
                self.defects.push(defect);
            }
        }
        for unknown in other.unknown {
            if !self.unknown.contains(&unknown) {
                self.unknown.push(unknown);
            }
        }
        self.barrier_order |= other.barrier_order;
        self.held_back |= other.held_back;
        self.order_matters |= other.order_matters;
        self.split_finely |= other.split_finely;
        if let Some(theirs) = &other.watch {
            self.watch.get_or_insert_default().absorb(theirs);
        }
        self.splits.left_out |= other.splits.left_out;
        self.splits.matter |= other.splits.matter;
        self.more = (self.more.0 | other.more.0, self.more.1 | other.more.1);
        self.open |= other.open;
        self.cut |= other.cut;
        self.lost |= other.lost;
        self.deep |= other.deep;
        self.trunks.extend(other.trunks);
        self.sources.extend(other.sources);
        self.limit = self.limit.or(other.limit);
        self.stats.states = self.stats.states.max(other.stats.states);
        self.stats.transitions += other.stats.transitions;
        self.stats.executions += other.stats.executions;
        self.stats.depth = self.stats.depth.max(other.stats.depth);
        self.stats.instructions += other.stats.instructions;
    }

    /// Whether identical threads turned out not to be exchangeable: the search is to be begun again without.
    pub(crate) fn broken(&self) -> bool {
        self.watch.as_ref().is_some_and(|watch| watch.broken.is_some())
    }

    /// Whether a race or another defect was found.
    pub(crate) fn shows_something(&self) -> bool {
        !self.races.is_empty() || !self.defects.is_empty()
    }

    /// Whether the search is to be begun again, asking for the orders of pieces: they matter, and nothing was found without,
    /// or it rests on pieces that are too small.
    pub(crate) fn wants_orders(&self) -> bool {
        self.order_matters && self.limit.is_none() && (self.split_finely || !self.shows_something())
    }

    /// What was not explored since defects were found without it: it decides about nothing but what was found.
    pub(crate) fn skipped(&self, mode: machine::Mode) -> Option<Unknown> {
        let orders = self.order_matters && !mode.piece_orders;
        let splits = self.splits.left_out && self.splits.matter;
        let why = match (orders, splits) {
            _ if self.limit.is_some() || !self.races.is_empty() || self.defects.is_empty() => return None,
            (true, _) => Unexplored::PieceOrders,
            (_, true) => Unexplored::TaskloopSplits,
            _ => return None,
        };
        Some(Unknown::new(why, None))
    }

    /// Says which limit ended the search.
    pub(crate) fn tell_limit(&mut self) {
        if let Some(limit) = self.limit {
            let left = Left::Schedules(self.stats.states);
            self.unknown.push(Unknown::new(Reason::Limit { limit, left }, None));
        }
    }
}

/// More races than this are not kept.
const MAX_RACES: usize = 400;
/// More races than this are not even told apart.
const MOST_KEYS: usize = 100_000;
/// More defects than this are not kept.
const MAX_DEFECTS: usize = 50;

/// Collects findings, each once.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// What was found.
    pub found: Found,
    races: FxHashSet<(AccessId, AccessId, u64)>,
    defects: FxHashSet<(DefectKind, PlaceId)>,
    unknown: FxHashSet<(Reason, PlaceId)>,
}

impl Findings {
    /// A thread has stopped for good.
    pub fn stopped(&mut self, machine: &Machine, t: usize, stop: Stop, path: &[u32], moves: u64) {
        let place = machine.user_place(&machine.threads[t]);
        match stop {
            Stop::Defect(kind, message) => {
                self.defect(FoundDefect {
                    kind,
                    message,
                    thread: t,
                    place,
                    path: path.to_vec(),
                    moves,
                    late: None,
                });
            }
            Stop::Unknown(why) if self.unknown.insert((Reason::clone(&why), place)) => {
                let place = machine.program.module.place(place);
                self.found.unknown.push(Unknown::new(*why, place));
            }
            Stop::BarrierOrder => self.found.barrier_order = true,
            _ => {}
        }
    }

    fn defect(&mut self, defect: FoundDefect) {
        if !self.defects.insert((defect.kind, defect.place)) {
            return;
        }
        if self.found.defects.len() < MAX_DEFECTS {
            self.found.defects.push(defect);
        } else {
            self.found.more.1 = true;
        }
    }

    /// No thread can go on.
    pub fn deadlock(&mut self, machine: &Machine, path: &[u32], moves: u64) {
        let waiting = (0..machine.threads.len()).find(|&t| !machine.threads[t].ended());
        let thread = waiting.expect("a deadlock has an unfinished thread");
        let place = machine.user_place(&machine.threads[thread]);
        let (kind, message, path) = (DefectKind::Deadlock, String::new(), path.to_vec());
        self.defect(FoundDefect { kind, message, thread, place, path, moves, late: None });
    }

    /// Two accesses race.
    pub fn race(&mut self, machine: &Machine, race: RawRace, path: &[u32], moves: u64) {
        let (a, b) = (race.first.1.access, race.second.1.access);
        let key = (a.min(b), a.max(b), object_key(machine, race.second.1.granule << 3));
        if self.races.len() > MOST_KEYS || !self.races.insert(key) {
            return;
        }
        if let Some(late) = FoundDefect::late(machine.program.module, race, path, moves) {
            return self.defect(late);
        }
        if self.found.races.len() < MAX_RACES {
            self.found.races.push(FoundRace { race, key, path: path.to_vec(), moves });
        } else {
            self.found.more.0 = true;
        }
    }
}
