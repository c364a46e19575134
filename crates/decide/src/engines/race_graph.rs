//! Search of the race-detecting state graph (P1), through every execution under the bound.

use explore::Config;
use machine::LoadError;

use crate::engine::{Engine, Knowledge, Task};

/// Search of the race-detecting state graph (P1).
pub struct RaceGraph;

impl Engine for RaceGraph {
    fn name(&self) -> &'static str {
        "race-graph"
    }

    fn phase(&self) -> &'static str {
        "search"
    }

    fn is_search(&self) -> bool {
        true
    }

    fn run(&self, task: &Task, known: &mut Knowledge) -> Result<(), LoadError> {
        let config = Config { engine: explore::Engine::RaceGraph, ..task.config.clone() };
        let outcome = explore::check(task.module, &config, &mut |progress| (task.tell)(progress))?;
        known.settle(outcome);
        Ok(())
    }
}
