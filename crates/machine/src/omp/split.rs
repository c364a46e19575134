//! How a `taskloop` is split into tasks.
//!
//! OpenMP 5.2 (12.6) leaves it open: without a clause any chunks will do; `grainsize(g)` asks for g to 2g-1 iterations a task,
//! `num_tasks(n)` for that many tasks of any sizes; `strict` fixes everything. The model of `__kmpc_taskloop` asks for the
//! size of each chunk in turn ([`Question::Split`]), the smallest being answer 0.
//!
//! *Which answers are enough.* Let the code be quiet ([`super::traits`]), and let every task leave its private variables as it found
//! them. Then what an iteration does depends on shared memory alone, and two splits differ in nothing but which iterations are
//! ordered with each other, namely those of one task. If some split has a race between two iterations, then any split that
//! separates the two has it, or has another one before (an iteration that reads in one split what an earlier one of the same
//! task wrote, and is separated from it in the other, races there). So a family of splits is enough in which every cut that is legal at all
//! occurs: without a clause the finest; with `grainsize(g)` a first chunk of every size and the smallest behind it (cuts at every
//! place from g to g before the end); with `num_tasks(n)` the same with first chunks in steps of n-1.
//! Code that is not quiet but never waits for other iterations can, without a clause, do nothing in a coarser split that
//! one thread which takes the tasks of the finest one after the other could not do. In all other cases every answer counts.
//!
//! *Private variables.* Whether tasks leave them as they were is watched: [`Machine::split_matters`] says that one did not. Bytes
//! that had no value in the beginning do not count, since reading them gives anything. Whoever has left out answers must
//! then ask again. Variables with destructors may hold memory of their own, and always count.
//!
//! *One run for all.* With [`Machine::finest`] every iteration is a task of its own, whatever the clause says. More is
//! unordered then than in any legal split, so a proof holds for all of them; a race that it shows need not exist.

use base::reason::Openmp;
use std::sync::Arc;

use super::task::{DESTRUCTORS, MERGEABLE, Running};
use super::traits;
use crate::native::Call;
use crate::observe::Question;
use crate::state::Machine;
use crate::stop::Stop;

impl Machine<'_> {
    /// `__rp_omp_finest(task)`: a `taskloop` with that pattern can be split in several ways. Whether every iteration is to be
    /// a task of its own.
    pub(crate) fn split_begins(c: &mut Call) -> Result<(), Stop> {
        let task = c.arg(0)?;
        c.machine.task(task)?;
        c.machine.task_mut(task).expect("just found").split = true;
        c.give(c.machine.finest.into());
        Ok(())
    }

    /// `__rp_omp_split(task, least, most, step, clause)`: how many iterations the next task gets. `step`: which answers are
    /// enough for quiet code, see [`Question::Split`].
    pub(crate) fn split(c: &mut Call) -> Result<(), Stop> {
        let (task, least, most) = (c.arg(0)?, c.arg(1)?, c.arg(2)?);
        let (step, clause) = (c.arg(3)?, c.arg(4)? != 0);
        if let Some(answer) = c.th.choice.take() {
            c.give(least + u64::from(answer));
            return Ok(());
        }
        let doubt = if clause { traits::LOUD } else { traits::SPINS };
        let enough = c.machine.task(task)?.traits & doubt == 0;
        let Ok(ways) = u32::try_from(most - least + 1) else {
            return Err(Stop::unknown(Openmp::TaskloopTrips));
        };
        c.machine.question =
            Question::Split { step: if enough { step.min(u32::MAX.into()) as u32 } else { 1 } };
        Err(Stop::Choose(ways))
    }

    /// The private variables of a task of a `taskloop` that could have been split otherwise: values, then shadows.
    pub(super) fn privates(&self, task: u64) -> Option<Arc<[u8]>> {
        let record =
            self.omp.tasks.get(&task).filter(|record| record.split || record.flags & MERGEABLE != 0)?;
        // Behind shareds, routine and part.
        let skipped = 3 * u64::from(self.program.module.pointer_bytes);
        let len = record.size.checked_sub(skipped)?;
        let spot = self.memory.resolve(task + skipped, len, false).ok()?;
        let (bytes, shadows) = self.memory.copy_of(spot, len as usize);
        Some([bytes, shadows].concat().into())
    }

    /// A task of such a loop (or a part of one) has ended.
    pub(super) fn notice_split(&mut self, running: &Running) {
        let Some(before) = &running.before else { return };
        let record = &self.omp.tasks[&running.task];
        if !record.split {
            return;
        }
        let owns = record.flags & DESTRUCTORS != 0;
        let same = self.privates(running.task).is_some_and(|after| is_same(before, &after));
        self.split_matters |= owns || !same;
    }
}

impl Machine<'_> {
    /// A task has ended. If it is undeferred and mergeable, its variables may have been its creator's (OpenMP 5.2, 12.5): nothing is
    /// known if it has changed them.
    pub(super) fn check_merged(&mut self, running: &Running) -> Result<(), Stop> {
        let flags = self.task(running.task)?.flags;
        if flags & MERGEABLE == 0 || !(running.inline || self.is_included(running.task)) {
            return Ok(());
        }
        self.program.note_merged();
        if self.privates(running.task) == running.before {
            return Ok(());
        }
        Err(Stop::unknown(Openmp::MergeableTask))
    }
}

/// Whether all bytes that had values have them still.
fn is_same(before: &[u8], after: &[u8]) -> bool {
    let (values, shadows) = before.split_at(before.len() / 2);
    let (later, later_shadows) = after.split_at(after.len() / 2);
    let unchanged = |i: usize| values[i] == later[i] && shadows[i] == later_shadows[i];
    (0..values.len()).all(|i| shadows[i] != 0 || unchanged(i))
}

#[cfg(test)]
mod tests {
    use super::is_same;

    #[test]
    fn what_had_no_value_may_change() {
        assert!(is_same(&[1, 2, 0, 255], &[1, 9, 0, 0]));
        assert!(!is_same(&[1, 2, 0, 255], &[3, 2, 0, 255]));
        assert!(!is_same(&[1, 2, 0, 255], &[1, 2, 255, 255]));
    }
}
