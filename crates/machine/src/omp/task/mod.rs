//! Explicit tasks.
//!
//! A task is known by the address of the block that clang fills (`kmp_task_t`): canonical, like every address. Implicit
//! tasks have records too, made when they get their first child, under addresses of their own.
//!
//! *Execution.* At a task scheduling point (`taskwait`, the end of a `taskgroup`, `taskyield`, barriers, the end of the region,
//! the creation of a task, the end of an undeferred one) a thread has the tasks that it may take as alternatives, and going
//! on if what it waits for has come. Where all live tasks are quiet ([`super::traits`]), it is only asked at a creation whether
//! the creator executes the new task at once ([`Question::Defer`]). A new tied task may only be taken by a thread all of whose
//! suspended tied tasks, but for those in a barrier, are its ancestors. The task then runs as a call on top of the waiting one.
//!
//! *Order.* A task begins after its creation and after the ends of the tasks it depends on; its end comes before the
//! `taskwait` of its parent, the end of its `taskgroup`, and the next barrier. Each of these is an object through which clocks
//! are passed on. `mutexinoutset` is a lock of the location among the children of one task; an undeferred task takes it when its
//! wait for its dependences ends.
//!
//! *Parts* of an untied task that clang makes are calls of their own; between them the task is ready for anybody, or waits
//! for its children if the part has ended with `taskwait`.

mod run;

use base::reason::{Beyond, Openmp, Subject};
use std::sync::Arc;

use super::deps::{Access, Locations, TaskId};
use super::icv::Icv;
use super::team::{estate, initial_home};
use super::{OmpWait, Put, traits};
use crate::memory::layout::RegionId;
use crate::memory::object::{Family, Origin};
use crate::native::Call;
use crate::observe::{Question, Work};
use crate::state::Machine;
use crate::stop::Stop;
use crate::thread::Thread;

/// Flags of `__kmpc_omp_task_alloc`.
pub(super) const TIED: u32 = 1;
const FINAL: u32 = 2;
pub(super) const DESTRUCTORS: u32 = 8;
/// The machine's own: a `target` region that a device may execute.
pub(crate) const TARGET: u32 = 1 << 30;
/// The machine's own: the clause `mergeable`, which clang drops and the front end finds.
pub(crate) const MERGEABLE: u32 = 1 << 29;

/// How far a task is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum State {
    /// It is an implicit task.
    #[default]
    Implicit,
    /// It was allocated, and not given to the runtime yet.
    New,
    /// It waits for others.
    Waiting,
    /// Somebody may take it.
    Ready,
    /// Some thread executes it (or has suspended it).
    Running,
    /// Its code has ended, but its event is not fulfilled.
    Detached,
    /// It has ended; it is remembered because its children have not.
    Complete,
}

/// A task.
#[derive(Debug, Clone, Default)]
pub struct Task {
    /// Its number in this run.
    pub serial: u32,
    /// How far it is.
    pub state: State,
    /// The region that it belongs to.
    pub home: u64,
    /// The task that created it.
    pub parent: u64,
    /// The innermost task group that it is in, or 0.
    pub group: u64,
    /// The function that clang made of it.
    pub entry: u64,
    /// Bytes of its block.
    pub size: u64,
    /// clang's flags.
    pub flags: u32,
    /// Whether its children are included.
    pub is_final: bool,
    /// Whether waits count it (not so if its creator executes it at once).
    pub counted: bool,
    /// How many tasks it waits for.
    pub blockers: u32,
    /// The tasks that it comes after.
    pub after: Vec<u64>,
    /// The tasks that wait for it.
    pub successors: Vec<u64>,
    /// Locations that it has for itself (`mutexinoutset`).
    pub exclusive: Vec<u64>,
    /// Whether others can depend on it.
    pub has_dependences: bool,
    /// Children that are not complete.
    pub children: u32,
    /// Children of which there is a record.
    pub kin: u32,
    /// Its children's numbers since it last waited for them.
    pub offspring: Vec<u32>,
    /// What its children depend on.
    pub locations: Arc<Locations>,
    /// Whether some thread has begun it.
    pub begun: bool,
    /// Whether it was given to the runtime again while it ran (a part of an untied task).
    pub again: bool,
    /// Whether it has left its thread to wait for its children (an untied task).
    pub awaits: bool,
    /// Whether it is a part of a `taskloop` that could have been split otherwise.
    pub split: bool,
    /// What its code can do ([`super::traits`]).
    pub traits: u8,
    /// Whether its completion waits for an event.
    pub event: bool,
    /// Control variables.
    pub icv: Icv,
}

/// A `taskgroup`.
#[derive(Debug, Clone, Default)]
pub struct Group {
    /// Tasks in it that are not complete.
    pub count: u32,
    /// The enclosing one, or 0.
    pub outer: u64,
    /// What a model keeps with it: reductions.
    pub data: u64,
    /// The numbers of its tasks.
    pub tasks: Vec<u32>,
}

/// A task that a thread executes, on top of others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Running {
    /// The task.
    pub task: u64,
    /// What the thread waited for when it took the task; nothing if it executes it where it was created.
    pub resume: Option<OmpWait>,
    /// The task groups that the task has begun.
    pub groups: Vec<u64>,
    /// Whether its destructors run.
    pub destroying: bool,
    /// Whether clang calls its function by itself (`if(0)`).
    pub inline: bool,
    /// Whether it is untied and has passed a task scheduling point on this thread behind which another one may go on with it.
    pub strayed: bool,
    /// What its private variables were when it began, where that tells something: values and shadows.
    pub before: Option<Arc<[u8]>>,
}

impl Task {
    pub(super) fn put(&self, put: Put) {
        put(self.state as u64 | u64::from(self.flags) << 8);
        put(u64::from(self.is_final)
            | u64::from(self.counted) << 1
            | u64::from(self.again) << 2
            | u64::from(self.event) << 3
            | u64::from(self.has_dependences) << 4
            | u64::from(self.awaits) << 5
            | u64::from(self.split) << 6
            | u64::from(self.begun) << 7);
        [self.home, self.parent, self.group, self.entry].into_iter().for_each(&mut *put);
        put(u64::from(self.blockers) << 32 | u64::from(self.children));
        for list in [&self.after, &self.successors, &self.exclusive] {
            super::put_list(put, list.iter().copied());
        }
        self.locations.put(put);
        self.icv.put(put);
    }
}

impl Group {
    pub(super) fn put(&self, put: Put) {
        [self.count.into(), self.outer, self.data].into_iter().for_each(put);
    }
}

impl Running {
    pub(super) fn put(&self, put: Put) {
        put(self.task);
        let (tag, word) = self.resume.map_or((99, 0), OmpWait::words);
        put(tag << 8
            | u64::from(self.destroying)
            | u64::from(self.inline) << 1
            | u64::from(self.strayed) << 2);
        put(word);
        super::put_list(put, self.groups.iter().copied());
        if let Some(before) = &self.before {
            super::put_list(put, before.iter().map(|&byte| byte.into()));
        }
    }
}

/// The address under which an implicit task is known.
pub(super) fn implicit(home: u64, number: u32) -> u64 {
    estate(home) + 64 + u64::from(number) * 64
}

/// The object through which a task's children pass on what they have done.
pub(super) fn children_object(task: u64) -> u64 {
    task + 1
}

/// The object through which a complete task orders those that depend on it. It outlives the task's block.
pub(super) fn end_object(task: u64) -> u64 {
    task | 1 << 63
}

impl Machine<'_> {
    // ---- records ----

    /// The task that a thread executes, also if nothing was asked of the runtime so far.
    pub(super) fn executed(t: usize, th: &Thread) -> u64 {
        th.omp.seats.last().map_or(implicit(initial_home(t), 0), |seat| {
            seat.running.last().map_or(implicit(seat.home, seat.number), |r| r.task)
        })
    }

    /// The task that the thread executes.
    pub(crate) fn current(&mut self, t: usize, th: &mut Thread) -> u64 {
        let seat = self.seat(t, th);
        seat.running.last().map_or(implicit(seat.home, seat.number), |r| r.task)
    }

    pub(super) fn task(&self, task: u64) -> Result<&Task, Stop> {
        let found = self.omp.tasks.get(&task).map(|t| &**t);
        found.ok_or_else(|| Stop::unknown(Openmp::UnknownTask))
    }

    pub(super) fn task_mut(&mut self, task: u64) -> Option<&mut Task> {
        self.omp_mut().tasks.get_mut(&task).map(Arc::make_mut)
    }

    /// The record of what the thread executes, to be changed; implicit tasks get theirs here.
    pub(super) fn current_mut(&mut self, t: usize, th: &mut Thread) -> &mut Task {
        let task = self.current(t, th);
        let home = self.seat(t, th).home;
        let tasks = &mut self.omp_mut().tasks;
        Arc::make_mut(tasks.entry(task).or_insert_with(|| Arc::new(Task { home, ..Task::default() })))
    }

    /// Ends the records of a region's implicit tasks.
    pub(super) fn forget_tasks(&mut self, home: u64, members: usize) {
        if self.omp.tasks.is_empty() {
            return;
        }
        for number in 0..members as u32 {
            self.omp_mut().tasks.remove(&implicit(home, number));
        }
        for end in std::mem::take(&mut self.region_mut(home).ends) {
            self.set_sync(end, None);
        }
    }

    // ---- creation ----

    /// `__kmpc_omp_task_alloc`: a block for a task, with room for the pointers to shared variables behind it.
    pub(crate) fn task_alloc(c: &mut Call, more: u32) -> Result<(), Stop> {
        let (flags, size, shareds, entry) = (c.int(2)? as u32, c.arg(3)?, c.arg(4)?, c.arg(5)?);
        let flags = flags | more;
        let word = u64::from(c.machine.program.module.pointer_bytes);
        let size = size.div_ceil(8) * 8;
        let address = c.machine.new_task(c.t, c.th, entry, flags, size + shareds)?;
        let behind = if shareds > 0 { address + size } else { 0 };
        c.machine.set_variable(address, word as u8, behind)?;
        c.machine.set_variable(address + word, word as u8, entry)?;
        c.machine.set_variable(address + 2 * word, 4, 0)?;
        c.give(address);
        Ok(())
    }

    pub(super) fn new_task(
        &mut self,
        t: usize,
        th: &mut Thread,
        entry: u64,
        flags: u32,
        size: u64,
    ) -> Result<u64, Stop> {
        let origin = Origin::Heap(self.user_place(th));
        let block = self.memory.create(RegionId::heap(t), size, 16, false, Family::None, origin);
        let address = block.ok_or_else(|| Stop::unknown(Beyond::Tasks))?;
        if let Some((region, index, _)) = self.memory.find(address) {
            self.memory.update_object(region, index, |o| o.handed = true);
        }
        self.tell_made(t, address);
        let (icv, traits) = (self.icv_of(th), self.program.task_traits(entry));
        let seat = self.seat(t, th);
        let (home, groups) = (seat.home, seat.running.last().map_or(&seat.groups, |r| &r.groups));
        let own_group = groups.last().copied();
        let parent = self.current(t, th);
        let outer = self.current_mut(t, th);
        outer.kin += 1;
        let (inherited, is_final) = (outer.group, outer.is_final);
        let omp = self.omp_mut();
        let serial = omp.next_task;
        omp.next_task += 1;
        let task = Task {
            serial,
            state: State::New,
            home,
            parent,
            group: own_group.unwrap_or(inherited),
            entry,
            size,
            flags,
            is_final: is_final || flags & FINAL != 0,
            traits,
            icv,
            ..Task::default()
        };
        omp.tasks.insert(address, Arc::new(task));
        Ok(address)
    }

    /// A copy of a task that was not given to the runtime (`taskloop`).
    pub(crate) fn task_copy(c: &mut Call) -> Result<(), Stop> {
        let from = c.arg(0)?;
        let pattern = c.machine.task(from)?.clone();
        let to = c.machine.new_task(c.t, c.th, pattern.entry, pattern.flags, pattern.size)?;
        let m = &mut *c.machine;
        m.task_mut(to).expect("just made").split = pattern.split;
        let len = pattern.size;
        let src = m.memory.resolve(from, len, false).map_err(|f| m.fault(f, from, len, false))?;
        let dst = m.memory.resolve(to, len, true).expect("a fresh block");
        m.memory.copy(dst, src, len as usize);
        let word = m.program.module.pointer_bytes;
        let shareds = m.see_pointer(from)?.known(m, Subject::TaskShareds)?;
        if shareds != 0 {
            m.memory.store(dst, word.into(), to + shareds.wrapping_sub(from), 0);
        }
        c.give(to);
        Ok(())
    }

    /// Forgets a task that is never executed.
    pub(crate) fn task_discard(&mut self, t: usize, th: &mut Thread, task: u64) -> Result<(), Stop> {
        self.task(task)?;
        self.end_record(t, th, task);
        Ok(())
    }

    /// `__kmpc_omp_task` and `__kmpc_omp_task_with_deps`: the creator has filled the block.
    pub(crate) fn submit(c: &mut Call, dependences: Vec<(u64, Access)>) -> Result<(), Stop> {
        let task = c.arg(2)?;
        let record = c.machine.task(task)?;
        if record.state == State::Running {
            // A part of an untied task has ended; the rest is for later.
            c.machine.task_mut(task).expect("just found").again = true;
            c.give(0);
            return Ok(());
        }
        if record.state == State::New {
            c.machine.create(c.t, c.th, task, &dependences);
        }
        let (t, m) = (c.t, &mut *c.machine);
        m.refuse_alone(t, c.th, task)?;
        m.refuse_dropped(t, c.th, task)?;
        if !m.is_included(task) && m.is_loud(t, c.th) {
            m.defer(task);
            // A part of an untied task ends here: its thread comes to a scheduling point by itself.
            if m.ends_part(c.th) {
                c.give(0);
                return Ok(());
            }
            return Self::stand(c, OmpWait::Created);
        }
        if !m.at_once(t, c.th, task)? {
            m.defer(task);
            c.give(0);
            return Ok(());
        }
        c.moved = true;
        // The end of an included task is a scheduling point, too.
        let loud = m.is_loud(t, c.th);
        m.begin_task(t, c.th, task, loud.then_some(OmpWait::Created))
    }

    /// Makes the task known: from here on others wait for it.
    pub(super) fn create(&mut self, t: usize, th: &mut Thread, task: u64, dependences: &[(u64, Access)]) {
        let serial = self.omp.tasks[&task].serial;
        let found = self.depend(t, th, (task, serial), dependences);
        self.count(t, th, task);
        let mut blockers = 0;
        for &(before, _) in &found.after {
            if let Some(record) = self.task_mut(before)
                && record.state != State::Complete
            {
                record.successors.push(task);
                blockers += 1;
            }
        }
        let record = self.task_mut(task).expect("being created");
        record.state = State::Waiting;
        record.blockers = blockers;
        record.after = found.after.iter().map(|t| t.0).collect();
        record.exclusive = found.exclusive;
        record.has_dependences = !dependences.is_empty();
        let numbers = |list: &[TaskId]| list.iter().map(|t| t.1).collect();
        let (after, excludes) = (numbers(&found.after), numbers(&found.excludes));
        let undeferred = self.is_included(task);
        let offloaded = self.omp.tasks[&task].flags & TARGET != 0;
        self.tell(t, th, &Work::TaskCreate { task: serial, after, excludes, undeferred, offloaded });
        self.pass_on(t, th, &[task]);
    }

    /// Those who wait for children, a group or all tasks of a region wait for a child of the current task from now on.
    fn count(&mut self, t: usize, th: &mut Thread, task: u64) {
        let home = self.seat(t, th).home;
        let record = self.task_mut(task).expect("known");
        record.counted = true;
        let (serial, group) = (record.serial, record.group);
        let loud = u32::from(record.traits & traits::LOUD != 0);
        let parent = self.current_mut(t, th);
        parent.children += 1;
        parent.offspring.push(serial);
        let region = self.region_mut(home);
        region.tasks += 1;
        region.loud += loud;
        if let Some(group) = self.omp_mut().groups.get_mut(&group) {
            let group = Arc::make_mut(group);
            group.count += 1;
            group.tasks.push(serial);
        }
    }

    fn depend(
        &mut self,
        t: usize,
        th: &mut Thread,
        task: TaskId,
        dependences: &[(u64, Access)],
    ) -> super::deps::Found {
        if dependences.is_empty() {
            return Default::default();
        }
        Arc::make_mut(&mut self.current_mut(t, th).locations).add(dependences, Some(task))
    }

    /// Whether a task is a part of its creator: a child of a final task. (A team of one may defer its tasks like any other.)
    pub(super) fn is_included(&self, task: u64) -> bool {
        let parent = self.omp.tasks.get(&task).and_then(|r| self.omp.tasks.get(&r.parent));
        parent.is_some_and(|p| p.is_final)
    }

    /// An untied task that has strayed may be on another thread by now, which the machine does not show.
    pub(crate) fn refuse_strayed(&self, th: &Thread) -> Result<(), Stop> {
        match th.omp.seats.last().and_then(|seat| seat.running.last()) {
            Some(running) if running.strayed => Err(Stop::unknown(Openmp::StrayedTask)),
            _ => Ok(()),
        }
    }

    /// Where clang has dropped task scheduling points, nothing can be said of tasks that could be noticed there.
    fn refuse_dropped(&mut self, t: usize, th: &mut Thread, task: u64) -> Result<(), Stop> {
        let record = self.task(task)?;
        let loud = record.traits & traits::LOUD != 0;
        if self.program.module.func("__rp_omp_dropped").is_some()
            && !self.is_included(task)
            && (loud || self.is_team_of_one(t, th))
        {
            return Err(Stop::unknown(Openmp::DroppedPoint));
        }
        Ok(())
    }

    /// A team of one has nobody to execute a target task beside its creator, as a device may. (Observers are told that it may.)
    fn refuse_alone(&mut self, t: usize, th: &mut Thread, task: u64) -> Result<(), Stop> {
        let target = self.task(task)?.flags & TARGET != 0;
        if target && self.observer.is_none() && !self.is_included(task) && self.is_team_of_one(t, th) {
            return Err(Stop::unknown(Openmp::TargetAlone));
        }
        Ok(())
    }

    /// Whether the creator executes a task at once; asks where both are possible.
    fn at_once(&mut self, t: usize, th: &mut Thread, task: u64) -> Result<bool, Stop> {
        if self.is_included(task) {
            return Ok(true);
        }
        let record = self.task(task)?;
        let (serial, blockers) = (record.serial, record.blockers);
        if blockers > 0 || !self.is_free(task) || !self.may_begin_here(t, th, task) {
            return Ok(false);
        }
        match th.choice.take() {
            Some(answer) => Ok(answer == 1),
            None => {
                self.question = Question::Defer { task: serial };
                Err(Stop::Choose(2))
            }
        }
    }

    pub(super) fn defer(&mut self, task: u64) {
        let blocked = self.omp.tasks[&task].blockers > 0;
        self.set_state(task, if blocked { State::Waiting } else { State::Ready });
    }

    /// Sets how far a task is, and with it whether it is among those of its region that can be taken.
    fn set_state(&mut self, task: u64, state: State) {
        let record = self.task_mut(task).expect("known");
        let (before, home) = (std::mem::replace(&mut record.state, state), record.home);
        if state == State::Ready {
            self.region_mut(home).ready.insert(task);
        } else if before == State::Ready {
            self.region_mut(home).ready.remove(&task);
        }
    }
}
