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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_in_steps_with_the_last() {
        let picked = |n, step| (0..values(n, step)).map(|i| value(n, step, i)).collect::<Vec<_>>();
        assert_eq!(picked(4, 1), [0, 1, 2, 3]);
        assert_eq!(picked(6, 2), [0, 2, 4, 5]);
        assert_eq!(picked(5, 2), [0, 2, 4]);
        assert_eq!(picked(3, 9), [0, 2]);
        assert_eq!(picked(7, 0), [0]);
        assert_eq!(picked(1, 1), [0]);
    }
}
