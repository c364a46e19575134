//! Dependences between sibling tasks (`depend`).
//!
//! For each storage location that children of a task name, there are generations: tasks of one generation (all `in`, all
//! `mutexinoutset`, all `inoutset`, or a single `out`) do not wait for each other, but for all of the generation before.
//! `omp_all_memory` is an `out` of every location, those that nobody has named yet included.

use base::reason::Openmp;
use std::collections::BTreeMap;

use super::Put;
use crate::native::Call;
use crate::stop::Stop;

/// A task, by its address and its number in the run.
pub type TaskId = (u64, u32);

/// What a task does with a location.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// `in`.
    In,
    /// `out`, `inout`.
    Out,
    /// `mutexinoutset`.
    Exclusive,
    /// `inoutset`.
    Set,
}

/// The generations of a location.
#[derive(Debug, Clone, Default)]
pub struct Location {
    before: Vec<TaskId>,
    current: Vec<TaskId>,
    access: Option<Access>,
}

/// All locations that children of a task named.
#[derive(Debug, Clone, Default)]
pub struct Locations {
    named: BTreeMap<u64, Location>,
    /// What holds for all others.
    others: Location,
}

/// The address that stands for `omp_all_memory`.
const ALL_MEMORY: u64 = u64::MAX;

/// What a task has to wait for.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// Tasks that end before it begins.
    pub after: Vec<TaskId>,
    /// Tasks that exclude it, and it them.
    pub excludes: Vec<TaskId>,
    /// The locations that it has for itself alone.
    pub exclusive: Vec<u64>,
}

impl Found {
    fn wait(&mut self, tasks: &[TaskId]) {
        for task in tasks {
            if !self.after.contains(task) {
                self.after.push(*task);
            }
        }
    }
}

impl Location {
    /// A task names the location.
    fn add(&mut self, access: Access, task: Option<TaskId>, found: &mut Found) {
        let joins = access != Access::Out && self.access == Some(access);
        if joins {
            found.wait(&self.before);
            if access == Access::Exclusive {
                found.excludes.extend(self.current.iter().filter(|t| Some(**t) != task));
            }
        } else {
            let current: Vec<_> = self.current.iter().copied().filter(|t| Some(*t) != task).collect();
            found.wait(if current.is_empty() { &self.before } else { &current });
            if task.is_some() {
                if !current.is_empty() {
                    self.before = current;
                }
                self.current.clear();
                self.access = Some(access);
            }
        }
        if let Some(task) = task
            && !self.current.contains(&task)
        {
            self.current.push(task);
        }
    }
}

impl Locations {
    /// What a new task with these dependences waits for. With `task`, it takes its place among the others.
    pub fn add(&mut self, list: &[(u64, Access)], task: Option<TaskId>) -> Found {
        let mut found = Found::default();
        for &(address, access) in list {
            if address == ALL_MEMORY {
                let all = self.named.values_mut().chain([&mut self.others]);
                all.for_each(|location| location.add(Access::Out, task, &mut found));
                continue;
            }
            let location = self.named.entry(address).or_insert_with(|| self.others.clone());
            location.add(access, task, &mut found);
            if access == Access::Exclusive && !found.exclusive.contains(&address) {
                found.exclusive.push(address);
            }
        }
        found.exclusive.sort_unstable();
        found
    }

    pub(super) fn put(&self, put: Put) {
        put(self.named.len() as u64);
        for (&address, location) in self.named.iter().chain([(&ALL_MEMORY, &self.others)]) {
            put(address);
            put(location.access.map_or(0, |a| a as u64 + 1));
            for list in [&location.before, &location.current] {
                put(list.len() as u64);
                list.iter().for_each(|t| put(t.0));
            }
        }
    }
}

/// Bits of the kinds of dependences, as clang passes them.
const IN: u8 = 1;
const OUT: u8 = 2;
const EXCLUSIVE: u8 = 4;
const SET: u8 = 8;
const ALL: u8 = 0x80;

impl Call<'_, '_> {
    /// The dependences in two lists of clang's `kmp_depend_info`.
    pub(crate) fn dependences(&self, lists: [(u64, u64); 2]) -> Result<Vec<(u64, Access)>, Stop> {
        let word = self.machine.program.module.pointer_bytes;
        let size = u64::from(word) * 3;
        let mut found = Vec::new();
        for (count, at) in lists {
            for i in 0..count {
                let entry = at + i * size;
                let address = self.variable(entry, word)?;
                let flags = self.variable(entry + 2 * u64::from(word), 1)? as u8;
                let access = match flags & 0x8f {
                    IN => Access::In,
                    EXCLUSIVE => Access::Exclusive,
                    SET => Access::Set,
                    f if f & ALL != 0 => {
                        found.push((ALL_MEMORY, Access::Out));
                        continue;
                    }
                    f if f & OUT != 0 => Access::Out,
                    0 if address == 0 => continue,
                    _ => return Err(Stop::unknown(Openmp::Dependence)),
                };
                found.push((address, access));
            }
        }
        Ok(joined(found))
    }
}

/// One dependence for each location. Two of different kinds on one location are together an `inout`: for every kind that another
/// task may have, one of the two orders the tasks (OpenMP 5.2, 15.9.5: `in` with all but `in`, `inoutset` with all but
/// `inoutset`, `mutexinoutset` with all but `mutexinoutset`).
fn joined(mut list: Vec<(u64, Access)>) -> Vec<(u64, Access)> {
    list.sort_by_key(|d| d.0);
    list.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same && next.1 != kept.1 {
            kept.1 = Access::Out;
        }
        same
    });
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generations_wait_for_the_one_before() {
        let mut all = Locations::default();
        let id = |n: u32| (u64::from(n) * 100, n);
        let after = |f: Found| f.after.iter().map(|t| t.1).collect::<Vec<_>>();
        assert!(after(all.add(&[(8, Access::Out)], Some(id(1)))).is_empty());
        assert_eq!(after(all.add(&[(8, Access::In)], Some(id(2)))), [1]);
        assert_eq!(after(all.add(&[(8, Access::In)], Some(id(3)))), [1]);
        assert_eq!(after(all.add(&[(8, Access::Out)], Some(id(4)))), [2, 3]);
        assert_eq!(after(all.add(&[(8, Access::Exclusive)], Some(id(5)))), [4]);
        let sixth = all.add(&[(8, Access::Exclusive), (16, Access::In)], Some(id(6)));
        assert_eq!(sixth.excludes, [id(5)]);
        assert_eq!(after(sixth), [4]);
        assert_eq!(after(all.add(&[(8, Access::In)], None)), [5, 6]);
        assert_eq!(after(all.add(&[(8, Access::In)], None)), [5, 6], "asking changes nothing");
    }

    #[test]
    fn two_kinds_are_an_inout() {
        let kinds = [Access::In, Access::Out, Access::Exclusive, Access::Set];
        for a in kinds {
            for b in kinds {
                let one = joined(vec![(8, a), (16, Access::In), (8, b)]);
                let expected = if a == b { a } else { Access::Out };
                assert_eq!(one, [(8, expected), (16, Access::In)]);
            }
        }
    }

    #[test]
    fn all_memory_is_every_location() {
        let mut all = Locations::default();
        let id = |n: u32| (u64::from(n) * 100, n);
        let after = |f: Found| f.after.iter().map(|t| t.1).collect::<Vec<_>>();
        all.add(&[(8, Access::Out)], Some(id(1)));
        all.add(&[(16, Access::In)], Some(id(2)));
        assert_eq!(after(all.add(&[(ALL_MEMORY, Access::Out)], Some(id(3)))), [1, 2]);
        assert_eq!(after(all.add(&[(8, Access::In)], Some(id(4)))), [3]);
        assert_eq!(after(all.add(&[(24, Access::In)], Some(id(5)))), [3], "nobody has named it before");
        assert_eq!(after(all.add(&[(ALL_MEMORY, Access::Out)], None)), [4, 3, 5]);
    }
}
