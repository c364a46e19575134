//! Gathers the racing pairs that an analysis finds into its [`Answer`], by pair of locations or one by one.

use rustc_hash::FxHashMap;
use trace::{Event, EventId, LocId};

use crate::{Answer, Options, Pairs, RacePair};

/// Gathers races. Memory: one entry for each report.
#[derive(Debug)]
pub struct Collector {
    pairs: Pairs,
    races: Vec<RacePair>,
    /// By pair of locations: its first report.
    by_locations: FxHashMap<(LocId, LocId), u32>,
    /// How many event pairs are kept of each pair of locations, and how many are.
    samples: u32,
    kept: FxHashMap<(LocId, LocId), u32>,
    event_pairs: u64,
    racy: Vec<bool>,
}

impl Collector {
    /// An empty collection that reports as the options say.
    pub fn new(options: &Options) -> Collector {
        Collector {
            pairs: options.pairs,
            races: Vec::new(),
            by_locations: FxHashMap::default(),
            samples: 1,
            kept: FxHashMap::default(),
            event_pairs: 0,
            racy: Vec::new(),
        }
    }

    /// Keeps up to so many event pairs of each pair of locations.
    pub(crate) fn with_samples(mut self, samples: u32) -> Collector {
        self.samples = samples;
        self
    }

    /// A race between two accesses; the first one comes first in the trace.
    #[cold]
    pub fn race(&mut self, first: (EventId, Event), second: (EventId, Event)) {
        self.race_with(first, second, None);
    }

    /// A race with its witness. In reports by locations the witness of the first event pair is kept.
    pub fn race_with(
        &mut self,
        first: (EventId, Event),
        second: (EventId, Event),
        witness: Option<Vec<EventId>>,
    ) {
        let Some(variable) = second.1.op.variable() else { return };
        self.event_pairs += 1;
        if variable.index() >= self.racy.len() {
            self.racy.resize(variable.index() + 1, false);
        }
        self.racy[variable.index()] = true;
        if self.pairs == Pairs::Locations {
            let (a, b) = (first.1.location, second.1.location);
            let key = (a.min(b), a.max(b));
            let next = self.races.len() as u32;
            let index = *self.by_locations.entry(key).or_insert(next);
            if index != next {
                self.races[index as usize].count += 1;
                let kept = self.kept.entry(key).or_insert(1);
                if *kept >= self.samples {
                    return;
                }
                *kept += 1;
            }
        }
        self.races.push(RacePair {
            first: first.0,
            second: second.0,
            variable,
            accesses: [first.1, second.1],
            count: 1,
            witness_length: witness.as_ref().map(|witness| witness.len() as u64),
            witness,
        });
    }

    /// Whether this pair of locations has a report already (never, when every event pair is reported).
    pub fn knows(&self, a: LocId, b: LocId) -> bool {
        self.pairs == Pairs::Locations && self.by_locations.contains_key(&(a.min(b), a.max(b)))
    }

    /// The answer.
    pub fn finish(mut self) -> Answer {
        self.races.sort_unstable_by_key(|r| (r.second, r.first));
        let racy = self.racy.iter().enumerate().filter(|(_, r)| **r);
        Answer {
            racy_variables: racy.map(|(i, _)| trace::VarId(i as u32)).collect(),
            races: self.races,
            event_pairs: self.event_pairs,
            ..Answer::default()
        }
    }
}
