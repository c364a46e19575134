//! Races that the trace of one fair run predicts (P4), where the proof does not decide.

use machine::LoadError;

use crate::engine::{Engine, Knowledge, Task};

/// Prediction from the trace of one run.
pub struct Prediction;

impl Engine for Prediction {
    fn name(&self) -> &'static str {
        "prediction"
    }

    fn phase(&self) -> &'static str {
        "prediction"
    }

    /// It finds races that are not known yet; what the front end could not translate faithfully is not run.
    fn applies(&self, known: &Knowledge) -> bool {
        !known.has_races()
    }

    fn run(&self, task: &Task, known: &mut Knowledge) -> Result<(), LoadError> {
        if !task.module.remarks.is_empty() {
            return Ok(());
        }
        if let Some(outcome) = prove::predicted::check(task.module, &task.config)? {
            known.take(outcome);
        }
        Ok(())
    }
}
