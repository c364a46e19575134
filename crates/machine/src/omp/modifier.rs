//! `reduction(task, ...)` where every task has copies of its own (the proof's runs, [`Machine::task_copies`]).
//!
//! With clang's runtime, each implicit task of the region collects what the tasks that its thread executes contribute, and hands
//! that on with its own part. Who executes a task would then show in what implicit tasks do. OpenMP only says that all
//! contributions are in the variable when the region has ended. So here a task combines its copy into the original variable itself, when it
//! has ended, under the lock under which the implicit tasks combine theirs: an update of the same kind, whoever executes it.

use super::lock::REDUCTIONS;
use super::team::estate;
use crate::native::Call;
use crate::state::Machine;
use crate::stop::Stop;
use crate::thread::Thread;
use base::reason::Openmp;

/// A variable that an implicit task reduces together with its tasks: what clang says of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Modifier {
    /// The thread's number in the team.
    number: u32,
    /// Clang's words: the implicit task's copy, the original variable, the size, functions that initialise, destroy and combine.
    words: [u64; 6],
    /// The model's function with which a task combines its copy.
    run: u64,
}

impl Modifier {
    fn original(&self) -> u64 {
        self.words[1]
    }

    pub(super) fn put(&self, put: super::Put) {
        put(self.number.into());
        self.words.iter().copied().for_each(put);
    }
}

/// Where the lock of such a region's reductions is.
pub(super) fn lock(home: u64) -> u64 {
    estate(home) + REDUCTIONS + 8
}

/// The key of copies of a variable.
fn key(original: u64) -> (u64, u64) {
    (original, 1 << 32)
}

impl Call<'_, '_> {
    /// An implicit task begins: the list of its variables.
    pub(crate) fn begin_modifier(&mut self) -> Result<(), Stop> {
        let (count, list, run) = (self.int(0)?.max(0) as u64, self.arg(1)?, self.arg(2)?);
        let word = self.machine.program.module.pointer_bytes;
        // The flags behind the words are padded to a word.
        let size = 7 * u64::from(word);
        let (number, home) = {
            let seat = self.machine.seat(self.t, self.th);
            (seat.number, seat.home)
        };
        self.machine.region_mut(home).modified = true;
        for i in 0..count {
            let mut words = [0; 6];
            for (n, w) in words.iter_mut().enumerate() {
                *w = self.variable(list + i * size + n as u64 * u64::from(word), word)?;
            }
            self.machine.region_mut(home).modifiers.push(Modifier { number, words, run });
        }
        Ok(())
    }

    /// It ends.
    pub(crate) fn end_modifier(&mut self) {
        let (number, home) = {
            let seat = self.machine.seat(self.t, self.th);
            (seat.number, seat.home)
        };
        self.machine.region_mut(home).modifiers.retain(|m| m.number != number);
    }

    /// The variable that `data` is, or is a copy of, for the current task: its words go to `out`. Gives whether there is one.
    pub(crate) fn find_modifier(&mut self) -> Result<(), Stop> {
        let (data, out) = (self.arg(0)?, self.arg(1)?);
        let home = self.machine.seat(self.t, self.th).home;
        let in_task = self.machine.seat(self.t, self.th).running.last().is_some();
        let (copies, retired) = (&self.machine.omp.copies, &self.machine.region(home).retired);
        let holds = |m: &Modifier| {
            let (first, second) = key(m.original());
            let copies = copies.range((first, second, 0)..=(first, second, u32::MAX)).map(|(_, &copy)| copy);
            let retired = retired.iter().filter(|r| r.1 == m.original()).map(|r| r.0);
            copies.chain(retired).any(|copy| data.wrapping_sub(copy) < m.words[2])
        };
        let is = |m: &&Modifier| data == m.words[0] || data == m.original() || holds(m);
        let found = self.machine.region(home).modifiers.iter().find(is).copied().filter(|_| in_task);
        let word = self.machine.program.module.pointer_bytes;
        for (n, value) in found.iter().flat_map(|m| m.words).enumerate() {
            self.machine.set_variable(out + n as u64 * u64::from(word), word, value)?;
        }
        self.give(found.is_some().into());
        Ok(())
    }
}

impl Machine<'_> {
    /// A copy that a task has not combined yet, with its variable.
    fn uncombined(
        &mut self,
        t: usize,
        th: &mut Thread,
        serial: u32,
    ) -> Option<((u64, u64, u32), u64, Modifier)> {
        let home = self.seat(t, th).home;
        self.region(home).modifiers.iter().find_map(|m| {
            let (first, second) = key(m.original());
            let of_task = (first, second, serial + 1);
            self.omp.copies.get(&of_task).map(|&copy| (of_task, copy, *m))
        })
    }

    /// A task has returned: lets it combine a copy, if it has one. Gives whether it does.
    pub(super) fn combine_copy(&mut self, t: usize, th: &mut Thread, serial: u32) -> Result<bool, Stop> {
        if !self.task_copies || self.omp.copies.is_empty() {
            return Ok(false);
        }
        let Some((of_task, copy, modifier)) = self.uncombined(t, th, serial) else { return Ok(false) };
        let Some(func) = self.program.function_at(modifier.run) else {
            return Err(Stop::unknown(Openmp::TaskModifier));
        };
        self.omp_mut().copies.remove(&of_task);
        let home = self.seat(t, th).home;
        self.region_mut(home).retired.push((copy, modifier.original()));
        let [_, original, _, _, destroy, combine] = modifier.words;
        self.call_runtime(t, th, func, &[(combine, 0), (destroy, 0), (original, 0), (copy, 0)]);
        Ok(true)
    }

    /// A task that is executed as a part of its creator ends: it must not have such a copy.
    pub(super) fn check_no_copy(&mut self, t: usize, th: &mut Thread, serial: u32) -> Result<(), Stop> {
        if self.task_copies && !self.omp.copies.is_empty() && self.uncombined(t, th, serial).is_some() {
            return Err(Stop::unknown(Openmp::UndeferredReduction));
        }
        Ok(())
    }
}
