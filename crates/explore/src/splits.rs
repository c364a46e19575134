//! Which answers to a question are explored: of the splits of a `taskloop`, as many as are enough.

use machine::{Machine, Question};

use crate::Config;

/// Which of the answers to a question are explored, as [`Question::Split`] says it: all (1) of most questions.
pub(crate) fn step(machine: &Machine, config: &Config) -> u32 {
    match machine.question {
        Question::Split { step } if !config.all_splits => step,
        _ => 1,
    }
}

/// How many of `n` answers are explored: the first, every one `step` further, and the last.
pub(crate) fn values(n: u32, step: u32) -> u32 {
    if step == 0 { 1 } else { n.saturating_sub(1).div_ceil(step) + 1 }
}

/// The `i`th of them.
pub(crate) fn value(n: u32, step: u32, i: u32) -> u32 {
    step.saturating_mul(i).min(n.saturating_sub(1))
}
