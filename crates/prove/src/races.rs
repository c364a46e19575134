//! Candidates for races: brought to meet, or excluded, or left open.

use std::time::Duration;

use base::Budget;
use explore::findings::FoundRace;
use ir::AccessId;
use machine::Mode;

use crate::cells::Table;
use crate::conflict::{Candidate, Group, GroupKey};
use crate::drive::{Distribution, Plan};
use crate::record::Recorder;
use crate::together::{self, Meeting};
use crate::witness::{self, Guide};

/// Where candidates are looked at.
pub(crate) struct Court<'p> {
    /// The program.
    pub program: &'p machine::Program<'p>,
    /// The names of objects.
    pub table: Table,
    /// When to give up.
    pub budget: Budget,
    /// Whether the run has all that the program does, so that what it excludes is excluded: it has no branches that are taken
    /// both ways, no chosen inputs, and no work that another distribution gives to another thread.
    pub whole: bool,
}

/// The most candidates that witnesses are sought for.
const MAX_GROUPS: usize = 200;

impl Court<'_> {
    /// What becomes of the candidates for races.
    pub fn witnesses(&self, recorder: &Recorder, plan: &Plan, effort: Effort) -> Witnessed {
        let conflicts = &recorder.conflicts;
        let all = self.budget.until(effort.total);
        let mut groups: Vec<(&GroupKey, &Group)> = conflicts.groups.iter().collect();
        groups.sort_unstable_by_key(|(key, _)| **key);
        let mut races = Vec::new();
        let (mut met, mut open, mut left) = (Vec::new(), None, Vec::new());
        for (n, (key, group)) in groups.iter().enumerate() {
            let late = all.is_over();
            let found = if n < MAX_GROUPS && !late {
                self.confirm(recorder, plan, &group.variants, (effort, all))
            } else {
                None
            };
            match found {
                Some(race) => races.push(race),
                // The turns that combiners take would exclude it, and they need not take turns.
                None if group.variants.iter().any(|c| recorder.locks.is_beside(c.first.context)) => {
                    open = open.or(Some(key.0));
                }
                None => left.push((key.0, key.1)),
            }
        }
        if !left.is_empty() {
            open = open.or(self.meet(&left, &mut met, plan, all));
        }
        // What one thread did in this run, another distribution gives to two.
        let mut suspects: Vec<(&GroupKey, &Group)> = conflicts.suspects.iter().collect();
        suspects.sort_unstable_by_key(|(key, _)| **key);
        for (n, (key, group)) in suspects.iter().enumerate() {
            let late = all.is_over();
            if conflicts.groups.contains_key(key) {
                continue;
            }
            let apart = group.variants.iter().filter_map(|c| self.apart(recorder, plan, c, (effort, all)));
            let found = if n < MAX_GROUPS && !late { apart.into_iter().next() } else { None };
            match found {
                Some(race) => races.push(race),
                None => open = open.or(Some(key.0)),
            }
        }
        let cut = conflicts.groups.len().max(conflicts.suspects.len()) > MAX_GROUPS;
        Witnessed { races, met, open, cut }
    }

    /// Decides candidates for which no directed run was found: adds the races among them, and gives an access of one that
    /// stays open.
    fn meet(
        &self,
        left: &[(AccessId, AccessId)],
        races: &mut Vec<FoundRace>,
        plan: &Plan,
        all: Budget,
    ) -> Option<AccessId> {
        let fits = left.len() <= MAX_GROUPS && plan.answers.is_empty();
        let run = fits.then(|| together::Run::new(self.program, all)).flatten();
        let Some(run) = run else { return left.first().map(|pair| pair.0) };
        let mut open = None;
        for &(first, second) in left {
            match run.meet(first, second) {
                Meeting::Race(race) => races.push(*race),
                Meeting::Excluded if self.whole => {}
                Meeting::Excluded | Meeting::Open => open = open.or(Some(first)),
            }
        }
        open
    }

    /// A witness for two strands that one thread executed, under a distribution that puts them on two.
    fn apart(
        &self,
        recorder: &Recorder,
        plan: &Plan,
        candidate: &Candidate,
        effort: (Effort, Budget),
    ) -> Option<FoundRace> {
        let order = &recorder.order;
        let pieces = [candidate.first, candidate.second].map(|end| order.piece(end.pos));
        let distribution = match pieces {
            [Some((s, i, _)), Some((r, j, _))] if (s, i) == (r, j) => plan.distribution,
            [Some((s, i, n)), Some((r, j, m))] if s == r => {
                let row = (i.abs_diff(j) / n.max(m).max(1)).max(1) - 1;
                Distribution { row, ..plan.distribution }
            }
            [Some((share, ..)), _] | [None, Some((share, ..))] => {
                Distribution { shifted: Some(share), ..plan.distribution }
            }
            // Tasks fall on threads as the directed run lets them; lanes race on one.
            [None, None] => plan.distribution,
        };
        let plan = Plan { distribution, ..plan.clone() };
        self.confirm(recorder, &plan, std::slice::from_ref(candidate), effort)
    }

    fn confirm(
        &self,
        recorder: &Recorder,
        plan: &Plan,
        variants: &[Candidate],
        (effort, all): (Effort, Budget),
    ) -> Option<FoundRace> {
        let guide = Guide {
            answers: &plan.answers,
            distribution: plan.distribution,
            table: self.table.clone(),
            max_moves: effort.moves,
            budget: all.until(effort.each),
        };
        variants
            .iter()
            .find_map(|candidate| witness::find(self.program, Mode::default(), recorder, candidate, &guide))
    }
}

/// What became of the candidates for races.
pub(crate) struct Witnessed {
    /// Races that directed runs show.
    pub races: Vec<FoundRace>,
    /// Races that [`together`] shows, in the mode of its runs.
    pub met: Vec<FoundRace>,
    /// An access of a candidate that was left open, if there is one.
    pub open: Option<AccessId>,
    /// Whether there are more candidates than were looked at.
    pub cut: bool,
}

/// How much is done to bring candidates for races to meet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Effort {
    /// Moves of one attempt.
    moves: u64,
    /// Time for one candidate.
    each: Duration,
    /// Time for all of them.
    total: Duration,
}

impl Effort {
    /// Where every candidate but those that locks keep apart is a race.
    pub const FULL: Effort =
        Effort { moves: 2_000_000, each: Duration::from_secs(20), total: Duration::from_secs(120) };
    /// Where the schedule steers the program: it may well order what the run leaves unordered, and the searches follow.
    pub const SMALL: Effort =
        Effort { moves: 20_000, each: Duration::from_millis(500), total: Duration::from_secs(1) };
}
