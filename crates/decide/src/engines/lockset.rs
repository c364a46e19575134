//! Search with locksets (P2), through every execution under the bound.

use explore::Config;
use machine::LoadError;

use crate::engine::{Engine, Knowledge, Task};

/// Search with locksets (P2).
pub struct Lockset;

impl Engine for Lockset {
    fn name(&self) -> &'static str {
        "lockset"
    }

    fn phase(&self) -> &'static str {
        "search by locksets"
    }

    fn is_search(&self) -> bool {
        true
    }

    fn run(&self, task: &Task, known: &mut Knowledge) -> Result<(), LoadError> {
        let config = Config { engine: explore::Engine::Lockset, ..task.config.clone() };
        let outcome = explore::check(task.module, &config, &mut |progress| (task.tell)(progress))?;
        known.settle(outcome);
        Ok(())
    }
}
