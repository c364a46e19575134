//! When a search looks at its limits, and how far it has come.

use base::reason::Limit;

use super::{FUEL, Search};

/// How far a search has come.
#[derive(Debug, Clone, Copy, Default)]
pub struct Progress {
    /// States stored.
    pub states: u64,
    /// Transitions taken.
    pub transitions: u64,
    /// Scheduling decisions on the current path.
    pub depth: u64,
    /// Instructions executed.
    pub instructions: u64,
    /// Bytes held by the search.
    pub memory: u64,
    /// Distinct races found so far.
    pub races: u64,
    /// How much of the state graph lies behind the search, from 0 to 1, if all subtrees at a node were equally large.
    pub done: f64,
}

/// How many instructions are executed in search of others when something was found, or as many as it took to find it.
pub const FURTHER_INSTRUCTIONS: u64 = 40_000_000;

/// How many times more states are stored in search of a race when only other defects were found.
const FOR_RACES: u64 = 10;

impl Search<'_, '_> {
    pub(super) fn look_sometimes(&mut self) {
        let (transitions, instructions) = (self.findings.found.stats.transitions, self.machine.instructions);
        if transitions >= self.next_look.0 || instructions >= self.next_look.1 {
            self.next_look = (transitions + self.config.look, instructions + FUEL);
            self.look();
        }
    }

    /// Looks at the limits and tells the progress.
    pub(super) fn look(&mut self) {
        let visited = &self.shared.visited;
        let memory = (visited.bytes() + self.machine.memory.footprint()) as u64;
        let config = self.config;
        config.budget.spend(self.machine.instructions - self.counted);
        self.counted = self.machine.instructions;
        let limit = if let Some(spent) = config.budget.spent() {
            Some(spent.into())
        } else if config.max_states.is_some_and(|max| visited.len() as u64 - self.shared.before >= max) {
            Some(Limit::States)
        } else if self.further.is_some_and(|(states, instructions)| {
            visited.len() as u64 >= states || self.machine.instructions >= instructions
        }) || config.max_instructions.is_some_and(|max| self.machine.instructions >= max)
        {
            Some(Limit::Further)
        } else {
            None
        };
        self.limit = self.limit.or(limit);
        let states = visited.len() as u64;
        let found = &self.findings.found;
        let executed = self.machine.instructions;
        let beyond = |further: u64, times: u64| {
            let instructions = (times * FURTHER_INSTRUCTIONS).max(executed);
            Some((states + (times * further).max(states), executed + instructions))
        };
        match (config.further, found.races.len(), found.defects.len()) {
            (Some(further), 1.., _) if !self.found_race => {
                (self.found_race, self.further) = (true, beyond(further, 1));
            }
            // A race is worth more time.
            (Some(further), 0, 1..) if self.further.is_none() => {
                self.further = beyond(further, FOR_RACES);
            }
            _ => {}
        }
        let progress = Progress {
            states: visited.len() as u64,
            transitions: self.findings.found.stats.transitions,
            depth: self.depth,
            instructions: self.machine.instructions,
            memory,
            races: self.findings.found.races.len() as u64,
            done: self.done(),
        };
        (self.progress)(&progress);
    }

    fn done(&self) -> f64 {
        let mut share = 1.0;
        let mut done = 0.0;
        for node in self.stack.iter().take(40) {
            let n = f64::from(node.branch.len());
            done += share * f64::from(node.next.saturating_sub(1)) / n;
            share /= n;
        }
        done
    }
}
