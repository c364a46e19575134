//! Where tasks are taken and waited for: scheduling points, dependences, task groups, events.

use base::reason::{Openmp, Used};
use std::sync::Arc;

use base::DefectKind;

use super::deps::Access;
use super::icv::Icv;
use super::task::{Group, Running, State, TIED, Task, children_object, end_object, implicit};
use super::{OmpWait, Seat, traits};
use crate::native::Call;
use crate::observe::{Edge, Work};
use crate::state::Machine;
use crate::stop::Stop;
use crate::sync::table::Kind;
use crate::thread::{Pending, Status, Thread};

/// The lock of a `mutexinoutset` location among the children of a task. Tasks with different parents do not exclude
/// each other (OpenMP 5.2, 15.9.5: siblings). It lies beside all memory and all ends of tasks, at a place that is a
/// 58-bit hash of the two addresses, so that no schedule shows in it.
fn exclusive_lock(parent: u64, address: u64) -> u64 {
    let mix = |x: u64| (x ^ x >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31);
    1 << 63 | 1 << 62 | (mix(mix(parent) ^ address) >> 6) << 3
}

impl Machine<'_> {
    // ---- scheduling points ----

    /// Whether the locations that a task wants for itself are free.
    pub(super) fn is_free(&self, task: u64) -> bool {
        // A task that was begun and suspended has them already.
        let Some(record) = self.omp.tasks.get(&task).filter(|record| !record.begun) else { return true };
        let taken = |location: &u64| {
            let lock = self.sync.get(exclusive_lock(record.parent, *location));
            matches!(lock.map(|e| &e.kind), Some(Kind::Mutex { owner: Some(_), .. }))
        };
        !record.exclusive.iter().any(taken)
    }

    /// Takes locations for a child of `parent` alone.
    pub(super) fn take_exclusive(&mut self, t: usize, th: &mut Thread, parent: u64, locations: &[u64]) {
        for &location in locations {
            let lock = exclusive_lock(parent, location);
            self.acquire(t, th, lock);
            th.hold(lock, false);
            self.observe(t, th, Edge::Lock(lock, false));
            self.become_kind(lock, Kind::Mutex { kind: 0, owner: Some(t as u32), count: 1 });
        }
    }

    /// Gives them back.
    pub(super) fn give_exclusive(&mut self, t: usize, th: &mut Thread, parent: u64, locations: &[u64]) {
        for &location in locations {
            let lock = exclusive_lock(parent, location);
            th.unhold(lock);
            self.observe(t, th, Edge::Unlock(lock));
            self.release(t, th, lock, Kind::Mutex { kind: 0, owner: None, count: 0 });
        }
    }

    /// The thread has ended a task that is not complete: its locations stay taken.
    pub(super) fn leave_exclusive(&mut self, t: usize, th: &mut Thread, parent: u64, locations: &[u64]) {
        for &location in locations {
            let lock = exclusive_lock(parent, location);
            th.unhold(lock);
            self.observe(t, th, Edge::Unlock(lock));
            self.release(t, th, lock, Kind::Mutex { kind: 0, owner: Some(t as u32), count: 1 });
        }
    }

    /// A task that nobody executes any more is complete: its locations are free.
    fn free_exclusive(&mut self, t: usize, th: &mut Thread, task: u64) {
        let Some(record) = self.omp.tasks.get(&task) else { return };
        let (parent, exclusive) = (record.parent, record.exclusive.clone());
        for location in exclusive {
            let lock = exclusive_lock(parent, location);
            self.release(t, th, lock, Kind::Mutex { kind: 0, owner: None, count: 0 });
        }
    }

    fn descends(&self, task: u64, from: u64) -> bool {
        let mut at = task;
        while let Some(record) = self.omp.tasks.get(&at) {
            if record.parent == from {
                return true;
            }
            at = record.parent;
        }
        false
    }

    /// What a thread has suspended and would put a task on top of, outermost first: its implicit task and the explicit
    /// ones, but for those that are suspended in a barrier (OpenMP 5.2, 12.9). Whether each is tied.
    fn suspended(&self, seat: &Seat, wait: OmpWait) -> Vec<(u64, bool)> {
        let waits = seat.running.iter().map(|r| r.resume).chain([Some(wait)]);
        let explicit = |task: u64| (task, self.omp.tasks.get(&task).is_none_or(|r| r.flags & TIED != 0));
        let tasks = [(implicit(seat.home, seat.number), true)].into_iter();
        let all = tasks.chain(seat.running.iter().map(|r| explicit(r.task))).zip(waits);
        let counts = |wait: Option<OmpWait>| {
            use OmpWait::{Barrier, Join, Program, Serial, Team};
            !matches!(wait, Some(Barrier | Join | Team | Serial | Program))
        };
        all.filter(|&(_, wait)| counts(wait)).map(|(task, _)| task).collect()
    }

    /// Whether a thread may begin or resume a task on top of what it has suspended.
    ///
    /// A tied task must descend from every suspended tied task. What lies below cannot be resumed by anybody as long as something
    /// stands on it. That is no matter of tied tasks, whose thread is waiting for that very moment; but an untied task could
    /// go on elsewhere, so that only its descendants, which it may have to wait for, are put on top of it. For the same
    /// reason an untied task is not put onto one of its descendants, nor onto others if it can itself come to wait there.
    fn may_follow(&self, task: u64, record: &Task, suspended: &[(u64, bool)]) -> bool {
        // What was suspended last is what most tasks do not descend from.
        suspended.iter().rev().all(|&(below, tied)| {
            self.descends(task, below)
                || (tied
                    && record.flags & TIED == 0
                    && record.traits & traits::STANDS == 0
                    && !self.descends(below, task))
        })
    }

    /// Whether the scheduling constraint lets a thread execute a task where it has just created it.
    pub(super) fn may_begin_here(&mut self, t: usize, th: &mut Thread, task: u64) -> bool {
        let seat = self.seat(t, th).clone();
        let suspended = self.suspended(&seat, OmpWait::Created);
        self.omp.tasks.get(&task).is_some_and(|record| self.may_follow(task, record, &suspended))
    }

    /// The tasks that a waiting thread may take, by address.
    pub(super) fn takeable(&self, th: &Thread, wait: OmpWait) -> impl Iterator<Item = u64> + '_ {
        // These are no task scheduling points.
        let waits_for_iteration = matches!(wait, OmpWait::Ordered | OmpWait::Sink(_) | OmpWait::Entries);
        let seat = th.omp.seats.last().filter(|_| !waits_for_iteration);
        let region = seat.and_then(|seat| self.omp.regions.get(&seat.home));
        let region = region.filter(|region| !region.ready.is_empty());
        let suspended =
            if region.is_some() { seat.map(|s| self.suspended(s, wait)) } else { None }.unwrap_or_default();
        // The teams of a league have a region in common, and their tasks for themselves.
        let league = region.filter(|region| region.league).and(seat).map(|s| implicit(s.home, s.number));
        let fits = move |address: &u64| {
            let Some(record) = self.omp.tasks.get(address) else { return false };
            league.is_none_or(|initial| self.descends(*address, initial))
                && self.is_free(*address)
                && self.may_follow(*address, record, &suspended)
        };
        region.into_iter().flat_map(|region| region.ready.iter().copied()).filter(fits)
    }

    /// Whether tasks that the thread could take may still come, and make a difference ([`traits`]).
    pub(super) fn others_may_come(&self, th: &Thread, wait: OmpWait) -> bool {
        let waits_for_iteration = matches!(wait, OmpWait::Ordered | OmpWait::Sink(_) | OmpWait::Entries);
        let Some(seat) = th.omp.seats.last().filter(|_| !waits_for_iteration) else { return false };
        let Some(region) = self.omp.regions.get(&seat.home).filter(|region| region.loud > 0) else {
            return false;
        };
        let own = |r: &&Running| self.omp.tasks.get(&r.task).is_some_and(|task| task.counted);
        seat.size > 1 && region.tasks as usize > seat.running.iter().filter(own).count()
    }

    /// Whether what a thread waits for has come.
    pub(super) fn wait_is_over(&self, th: &Thread, wait: OmpWait) -> bool {
        match wait {
            OmpWait::Children(task) => self.omp.tasks.get(&task).is_none_or(|t| t.children == 0),
            OmpWait::Group(group) => self.omp.groups.get(&group).is_none_or(|g| g.count == 0),
            OmpWait::Task(task) => {
                self.omp.tasks.get(&task).is_none_or(|t| t.blockers == 0) && self.is_free(task)
            }
            OmpWait::Yield | OmpWait::Created | OmpWait::Undeferred(_) => true,
            OmpWait::Ordered => self.has_turn(th),
            OmpWait::Sink(iteration) => self.is_posted(th, iteration),
            OmpWait::Entries => self.all_entered(th),
            OmpWait::Barrier | OmpWait::Join => false,
            OmpWait::Team | OmpWait::Serial | OmpWait::Program => !self.team_has_tasks(th),
        }
    }

    /// Whether tasks of the thread's team, which has no other thread, are not complete.
    pub(super) fn team_has_tasks(&self, th: &Thread) -> bool {
        let Some(seat) = th.omp.seats.last() else { return false };
        let region = self.region(seat.home);
        if !region.league || region.tasks == 0 {
            return region.tasks > 0;
        }
        let initial = implicit(seat.home, seat.number);
        let mut tasks = self.omp.tasks.iter();
        tasks.any(|(&at, task)| task.counted && task.state != State::Complete && self.descends(at, initial))
    }

    /// The wait for these tasks is over.
    pub(super) fn team_tasks_done(&mut self, t: usize, th: &mut Thread) {
        let seat = self.seat(t, th);
        let (home, task) = (seat.home, implicit(seat.home, seat.number));
        self.acquire(t, th, home);
        self.children_awaited(t, th, task);
    }

    /// A thread has come to its end: its tasks come first.
    pub(crate) fn await_tasks(&mut self, t: usize, th: &mut Thread) -> Result<bool, Stop> {
        if !self.team_has_tasks(th) {
            return Ok(false);
        }
        if t != 0 {
            return Err(Stop::unknown(Openmp::TasksOutlived));
        }
        let pending = Pending::Omp(OmpWait::Program);
        th.status = Status::At(pending);
        self.tell(t, th, &Work::Point);
        if self.is_local_for(t, th, &pending) {
            return self.complete_local_as(t, th).map(|()| true);
        }
        Err(Stop::AtSync)
    }

    /// The barrier of a team of one thread.
    pub(crate) fn barrier_alone(c: &mut Call) -> Result<(), Stop> {
        let seat = c.machine.seat(c.t, c.th);
        let (home, initial) = (seat.home, Self::is_initial(seat));
        if !initial && !c.machine.region(home).league {
            c.moved = true;
            return c.machine.arrive(c.t, c.th, OmpWait::Barrier);
        }
        if c.machine.team_has_tasks(c.th) {
            return Self::stand(c, OmpWait::Team);
        }
        c.give(0);
        Ok(())
    }

    /// Takes a task while waiting.
    pub(super) fn take_task(
        &mut self,
        t: usize,
        th: &mut Thread,
        task: u64,
        wait: OmpWait,
    ) -> Result<(), Stop> {
        self.begin_task(t, th, task, Some(wait))
    }

    /// Stands at a task scheduling point.
    pub(crate) fn stand(c: &mut Call, wait: OmpWait) -> Result<(), Stop> {
        let pending = Pending::Omp(wait);
        c.th.status = Status::At(pending);
        c.moved = true;
        c.machine.stray(c.t, c.th);
        c.machine.tell(c.t, c.th, &Work::Point);
        if c.machine.is_local_for(c.t, c.th, &pending) {
            return c.machine.complete_local_as(c.t, c.th);
        }
        Err(Stop::AtSync)
    }

    /// The task on top stands at a task scheduling point: another thread could go on with an untied one.
    fn stray(&mut self, t: usize, th: &mut Thread) {
        let seat = self.seat(t, th);
        let Some(running) = seat.running.last().filter(|r| !r.inline && seat.size > 1) else { return };
        let task = running.task;
        let untied = self.omp.tasks.get(&task).is_some_and(|record| record.flags & TIED == 0);
        if untied && !self.is_included(task) {
            self.seat(t, th).running.last_mut().expect("just found").strayed = true;
        }
    }

    /// The wait of a task for its children is over.
    pub(super) fn children_done(&mut self, t: usize, th: &mut Thread, task: u64) {
        self.children_awaited(t, th, task);
        self.done(th, 0);
    }

    /// What a task does from here on comes after its children.
    pub(super) fn children_awaited(&mut self, t: usize, th: &mut Thread, task: u64) {
        self.acquire(t, th, children_object(task));
        let tasks = self.task_mut(task).map(|r| std::mem::take(&mut r.offspring)).unwrap_or_default();
        if !tasks.is_empty() {
            self.tell(t, th, &Work::TaskWait { tasks });
        }
    }

    /// The wait for the tasks of a group is over.
    pub(super) fn group_done(&mut self, t: usize, th: &mut Thread, group: u64) {
        self.acquire(t, th, group);
        let tasks = self.omp.groups.get(&group).map(|g| g.tasks.clone()).unwrap_or_default();
        if !tasks.is_empty() {
            self.tell(t, th, &Work::TaskWait { tasks });
        }
        self.done(th, 0);
    }

    /// Whether the end of a wait takes something that others may take first.
    pub(super) fn wait_takes(&self, wait: OmpWait) -> bool {
        matches!(wait, OmpWait::Task(task) if self.omp.tasks.get(&task).is_some_and(|t| !t.exclusive.is_empty()))
    }

    /// The wait for some tasks (`taskwait depend`, or an undeferred task with dependences) is over.
    pub(super) fn dependences_done(&mut self, t: usize, th: &mut Thread, task: u64) {
        let known = |r: &Arc<Task>| (r.after.clone(), r.offspring.clone(), r.exclusive.clone(), r.parent);
        let (after, numbers, exclusive, parent) = self.omp.tasks.get(&task).map(known).unwrap_or_default();
        // Only undeferred tasks have such dependences: what is taken here is kept until the task has ended.
        self.take_exclusive(t, th, parent, &exclusive);
        self.seat(t, th).exclusive = exclusive;
        for before in after {
            self.acquire(t, th, end_object(before));
        }
        if !numbers.is_empty() {
            self.tell(t, th, &Work::TaskWait { tasks: numbers });
        }
        self.end_record(t, th, task);
        self.done(th, 0);
    }

    /// `taskwait` with dependences: waits as a task with them would.
    pub(crate) fn wait_dependences(c: &mut Call, dependences: &[(u64, Access)]) -> Result<(), Stop> {
        let (t, m) = (c.t, &mut *c.machine);
        let outer = m.current_mut(t, c.th);
        let found = Arc::make_mut(&mut outer.locations).add(dependences, None);
        let word = m.program.module.pointer_bytes.into();
        let wait = m.new_task(t, c.th, 0, 0, word)?;
        let mut blockers = 0;
        for &(before, _) in &found.after {
            if let Some(record) = m.task_mut(before)
                && record.state != State::Complete
            {
                record.successors.push(wait);
                blockers += 1;
            }
        }
        let record = m.task_mut(wait).expect("just made");
        record.blockers = blockers;
        record.after = found.after.iter().map(|t| t.0).collect();
        record.offspring = found.after.iter().map(|t| t.1).collect();
        record.exclusive = found.exclusive;
        Self::stand(c, OmpWait::Task(wait))
    }

    /// `taskwait` with dependences and `nowait`: an empty task, which others can depend on; nobody waits for it here.
    pub(crate) fn depend_without_wait(c: &mut Call, dependences: &[(u64, Access)]) -> Result<(), Stop> {
        let (t, m) = (c.t, &mut *c.machine);
        // Where tasks are executed as they are made, those before it are complete.
        if m.current_mut(t, c.th).is_final {
            return Ok(());
        }
        let word = m.program.module.pointer_bytes.into();
        let task = m.new_task(t, c.th, 0, TIED, word)?;
        m.create(t, c.th, task, dependences);
        m.defer(task);
        Ok(())
    }

    // ---- untied tasks ----

    /// `taskwait` of an untied task behind which clang ends a part of it: the task leaves the thread, and its next part
    /// can be executed, by any thread, when its children are complete. False if it has to wait here.
    pub(crate) fn leave_for_children(&mut self, t: usize, th: &mut Thread) -> bool {
        let Some(running) = self.seat(t, th).running.last().cloned() else { return false };
        let record = &self.omp.tasks[&running.task];
        let untied = record.flags & TIED == 0 && !running.inline;
        if !untied || self.is_included(running.task) || !self.ends_part(th) {
            return false;
        }
        self.tell(t, th, &Work::Point);
        self.task_mut(running.task).expect("it runs").awaits = true;
        true
    }

    /// Whether the thread stands at a call behind which a part of an untied task ends.
    pub(super) fn ends_part(&self, th: &Thread) -> bool {
        let Some(frame) = th.frames.last() else { return false };
        let module = self.program.module;
        let body = module.funcs[frame.func.0 as usize].body.as_ref();
        frame.runtime && body.is_some_and(|body| traits::is_split(module, body, frame.pc as usize))
    }

    // ---- groups ----

    fn groups<'t>(&mut self, t: usize, th: &'t mut Thread) -> &'t mut Vec<u64> {
        let seat = self.seat(t, th);
        match seat.running.last_mut() {
            Some(running) => &mut running.groups,
            None => &mut seat.groups,
        }
    }

    /// `__kmpc_taskgroup`.
    pub(crate) fn begin_group(&mut self, t: usize, th: &mut Thread) {
        let task = self.current(t, th);
        let inherited = self.omp.tasks.get(&task).map_or(0, |r| r.group);
        let groups = self.groups(t, th);
        let outer = groups.last().copied().unwrap_or(inherited);
        let group = task + 8 + groups.len() as u64;
        groups.push(group);
        self.omp_mut().groups.insert(group, Arc::new(Group { outer, ..Group::default() }));
    }

    /// The innermost group of the task that the thread executes, if it has begun one.
    pub(crate) fn own_group(&mut self, t: usize, th: &mut Thread) -> Option<u64> {
        self.groups(t, th).last().copied()
    }

    /// Ends the innermost group, after its tasks.
    pub(crate) fn end_group(&mut self, t: usize, th: &mut Thread) {
        if let Some(group) = self.groups(t, th).pop() {
            self.omp_mut().groups.remove(&group);
            self.set_sync(group, None);
        }
    }

    /// The innermost group around what the thread executes that has data, from `group` (or the innermost) outwards.
    pub(crate) fn group_data(&mut self, t: usize, th: &mut Thread) -> u64 {
        let task = self.current(t, th);
        let inherited = self.omp.tasks.get(&task).map_or(0, |r| r.group);
        let mut at = self.groups(t, th).last().copied().unwrap_or(inherited);
        while let Some(group) = self.omp.groups.get(&at) {
            if group.data != 0 {
                return group.data;
            }
            at = group.outer;
        }
        0
    }

    /// Keeps data of a model with the innermost group.
    pub(crate) fn set_group_data(&mut self, t: usize, th: &mut Thread, data: u64) {
        let group = self.groups(t, th).last().copied().unwrap_or(0);
        if let Some(group) = self.omp_mut().groups.get_mut(&group) {
            Arc::make_mut(group).data = data;
        }
    }

    /// Sets the control variables of a task.
    pub(crate) fn set_task_icv(&mut self, task: u64, icv: Icv) {
        if let Some(record) = self.task_mut(task) {
            record.icv = icv;
        }
    }

    // ---- events ----

    /// `__kmpc_task_allow_completion_event`: the task is complete only when its event is fulfilled.
    pub(crate) fn allow_event(&mut self, task: u64) -> Result<(), Stop> {
        self.task(task)?;
        self.task_mut(task).expect("just found").event = true;
        Ok(())
    }

    /// `omp_fulfill_event`.
    pub(crate) fn fulfill(&mut self, t: usize, th: &mut Thread, task: u64) -> Result<(), Stop> {
        let record = match self.task(task) {
            Ok(record) if record.event => record,
            _ => return Err(Stop::defect(DefectKind::Misuse, "an event that does not exist is fulfilled")),
        };
        let (state, home) = (record.state, record.home);
        self.tell(t, th, &Work::Steered(Used::Event));
        self.task_mut(task).expect("just found").event = false;
        if state == State::Detached {
            self.free_exclusive(t, th, task);
            self.complete(t, th, task);
            self.meet_later(t, th, home);
        } else {
            self.publish_end(t, th, task);
        }
        Ok(())
    }

    /// Lets a team go on whose last task has ended elsewhere.
    fn meet_later(&mut self, t: usize, th: &mut Thread, home: u64) {
        if self.omp.regions.contains_key(&home) {
            self.meet(t, th, home);
        }
    }
}
