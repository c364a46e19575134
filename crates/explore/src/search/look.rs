//! Looks at limits, other workers and progress from time to time.

use super::{FOR_RACES, FUEL, FURTHER_INSTRUCTIONS, LOOK, Limit, Progress, Search};

impl Search<'_, '_> {
    pub(super) fn look_sometimes(&mut self) {
        let (transitions, instructions) = (self.findings.found.stats.transitions, self.machine.instructions);
        if transitions >= self.next_look.0 || instructions >= self.next_look.1 {
            self.next_look = (transitions + LOOK, instructions + FUEL);
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
        } else if config.max_states.is_some_and(|max| visited.len() as u64 >= max) {
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

    pub(super) fn done(&self) -> f64 {
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
