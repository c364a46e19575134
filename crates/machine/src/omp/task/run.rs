//! Execution of tasks: who begins one, what happens when its function returns, and what its end tells others.

use base::DefectKind;
use base::reason::{Openmp, Subject};
use std::sync::Arc;

use super::super::{OmpWait, traits};
use super::{DESTRUCTORS, Running, State, children_object, end_object};
use crate::memory::object::Life;
use crate::native::Call;
use crate::observe::Work;
use crate::state::Machine;
use crate::stop::Stop;
use crate::thread::{Pending, Status, Thread};

impl Machine<'_> {
    /// The thread begins a task; `resume` is what it waits for meanwhile.
    pub(in crate::omp) fn begin_task(
        &mut self,
        t: usize,
        th: &mut Thread,
        task: u64,
        resume: Option<OmpWait>,
    ) -> Result<(), Stop> {
        let entry = self.task(task)?.entry;
        if entry == 0 {
            // An empty task: that of `taskwait` with dependences and `nowait`.
            self.start(t, th, task, resume, false)?;
            let resume = self.finish_running(t, th)?;
            return match self.resume(t, th, resume) {
                Err(Stop::AtSync) => Ok(()),
                resumed => resumed,
            };
        }
        let func = self.program.function_at(entry);
        let body = |f: &ir::FuncId| self.program.module.funcs[f.0 as usize].body.is_some();
        let Some(func) = func.filter(body) else {
            return Err(Stop::defect(
                DefectKind::InvalidCall,
                "a task that is to run something that is no function",
            ));
        };
        if th.frames.len() >= self.mode.max_frames {
            return Err(self.stack_overflow());
        }
        self.start(t, th, task, resume, false)?;
        self.call_runtime(t, th, func, &[(t as u64, 0), (task, 0)]);
        th.status = Status::Ready;
        Ok(())
    }

    fn start(
        &mut self,
        t: usize,
        th: &mut Thread,
        task: u64,
        resume: Option<OmpWait>,
        inline: bool,
    ) -> Result<(), Stop> {
        self.set_state(task, State::Running);
        let record = self.task_mut(task).expect("known");
        (record.again, record.begun) = (false, true);
        let awaited = std::mem::take(&mut record.awaits);
        let (serial, parent) = (record.serial, record.parent);
        let (after, exclusive) = (record.after.clone(), record.exclusive.clone());
        self.acquire(t, th, task);
        for before in after {
            self.acquire(t, th, end_object(before));
        }
        self.take_exclusive(t, th, parent, &exclusive);
        self.bring_locks(t, th, task);
        let (groups, before) = (Vec::new(), self.privates(task));
        let (destroying, strayed) = (false, false);
        self.seat(t, th).running.push(Running { task, resume, groups, destroying, inline, strayed, before });
        self.tell(t, th, &Work::TaskBegin { task: serial });
        if awaited {
            self.children_awaited(t, th, task);
        }
        Ok(())
    }

    /// The function of the task on top has returned.
    pub(in crate::omp) fn task_returned(&mut self, t: usize, th: &mut Thread) -> Result<(), Stop> {
        let running = self.seat(t, th).running.last_mut().expect("a task runs");
        let (task, destroying) = (running.task, running.destroying);
        let inline = running.inline;
        let record = self.task(task)?;
        let (serial, again) = (record.serial, record.again);
        if again && inline {
            return self.next_part(t, th, task);
        }
        if again {
            self.pass_on(t, th, &[task]);
            self.tell(t, th, &Work::TaskEnd { task: serial, complete: false });
            let record = self.task_mut(task).expect("known");
            record.again = false;
            record.after.clear();
            let waits = record.awaits && record.children > 0;
            let (parent, exclusive) = (record.parent, record.exclusive.clone());
            self.leave_exclusive(t, th, parent, &exclusive);
            self.leave_locks(t, th, task);
            let running = self.seat(t, th).running.pop().expect("a task runs");
            self.notice_split(&running);
            let resume = running.resume;
            if self.is_included(task) {
                return self.begin_task(t, th, task, resume);
            }
            self.set_state(task, if waits { State::Waiting } else { State::Ready });
            return self.resume(t, th, resume);
        }
        if self.combine_copy(t, th, serial)? {
            return Ok(());
        }
        if !destroying && self.destroy_privates(t, th, task)? {
            return Ok(());
        }
        let resume = self.finish_running(t, th)?;
        if inline {
            self.tell(t, th, &Work::TaskWait { tasks: vec![serial] });
        }
        self.resume(t, th, resume)
    }

    /// Lets the destructors of the private variables of the task on top run, if it has any. Gives whether they do.
    fn destroy_privates(&mut self, t: usize, th: &mut Thread, task: u64) -> Result<bool, Stop> {
        if self.task(task)?.flags & DESTRUCTORS == 0 {
            return Ok(false);
        }
        let word = u64::from(self.program.module.pointer_bytes);
        // Behind shareds, routine, part and padding.
        let at = task + 3 * word;
        let destructor = self.see_pointer(at)?.known(self, Subject::TaskDestructor)?;
        let Some(func) = self.program.function_at(destructor) else { return Ok(false) };
        self.seat(t, th).running.last_mut().expect("a task runs").destroying = true;
        self.call_runtime(t, th, func, &[(t as u64, 0), (task, 0)]);
        Ok(true)
    }

    /// The next part of an untied task whose creator waits for it.
    fn next_part(&mut self, t: usize, th: &mut Thread, task: u64) -> Result<(), Stop> {
        let record = self.task_mut(task).expect("it runs");
        record.again = false;
        let entry = record.entry;
        let func = self.program.function_at(entry).expect("its first part was executed");
        if th.frames.len() >= self.mode.max_frames {
            return Err(self.stack_overflow());
        }
        self.call_runtime(t, th, func, &[(t as u64, 0), (task, 0)]);
        Ok(())
    }

    /// The task on top has ended.
    fn finish_running(&mut self, t: usize, th: &mut Thread) -> Result<Option<OmpWait>, Stop> {
        let running = self.seat(t, th).running.pop().expect("a task runs");
        let task = running.task;
        let record = self.task(task)?;
        let (serial, event, parent) = (record.serial, record.event, record.parent);
        let exclusive = record.exclusive.clone();
        self.notice_split(&running);
        self.check_merged(&running)?;
        if event {
            // It is not complete: others stay excluded. But the thread has nothing to do with it any more.
            self.leave_exclusive(t, th, parent, &exclusive);
        } else {
            self.give_exclusive(t, th, parent, &exclusive);
        }
        if !event && let Some((_, _, &object)) = self.memory.find(task) {
            // The block ends with the task, not with what the thread does next.
            self.end_object(t, th, &object);
        }
        self.tell(t, th, &Work::TaskEnd { task: serial, complete: true });
        if event {
            if !self.task(task)?.counted {
                // Its creator waited for its code alone.
                self.count(t, th, task);
            }
            self.publish_end(t, th, task);
            self.set_state(task, State::Detached);
        } else {
            self.complete(t, th, task);
        }
        Ok(running.resume)
    }

    /// The objects through which a task's end orders others.
    pub(in crate::omp) fn publish_end(&mut self, t: usize, th: &mut Thread, task: u64) {
        let record = &self.omp.tasks[&task];
        let (home, parent, group) = (record.home, record.parent, record.group);
        let mut objects = vec![children_object(parent), home];
        if group != 0 {
            objects.push(group);
        }
        if record.has_dependences {
            objects.push(end_object(task));
            self.region_mut(home).ends.push(end_object(task));
        }
        self.pass_on(t, th, &objects);
    }

    /// A task is complete: those who wait for it learn of it.
    pub(in crate::omp) fn complete(&mut self, t: usize, th: &mut Thread, task: u64) {
        self.publish_end(t, th, task);
        let record = self.task_mut(task).expect("known");
        let (home, parent, group, counted) = (record.home, record.parent, record.group, record.counted);
        let loud = u32::from(record.traits & traits::LOUD != 0);
        let successors = std::mem::take(&mut record.successors);
        record.state = State::Complete;
        if counted {
            let region = self.region_mut(home);
            region.tasks -= 1;
            region.loud -= loud;
            if let Some(record) = self.task_mut(parent) {
                record.children -= 1;
                if record.children == 0 && record.awaits && record.state == State::Waiting {
                    self.set_state(parent, State::Ready);
                }
            }
            if let Some(group) = self.omp_mut().groups.get_mut(&group) {
                Arc::make_mut(group).count -= 1;
            }
        }
        for next in successors {
            if let Some(record) = self.task_mut(next) {
                record.blockers -= 1;
                if record.blockers == 0 && record.state == State::Waiting {
                    self.set_state(next, State::Ready);
                }
            }
        }
        self.free_block(task);
        if self.omp.tasks[&task].kin == 0 {
            self.end_record(t, th, task);
        }
    }

    fn free_block(&mut self, task: u64) {
        if let Some((region, index, object)) = self.memory.find(task) {
            let size = object.size;
            self.memory.update_object(region, index, |o| o.life = Life::Freed);
            for object in self.sync.within(task, size) {
                self.set_sync(object, None);
            }
        }
    }

    /// Drops a record, and those of complete ancestors that it was the last child of.
    pub(in crate::omp) fn end_record(&mut self, t: usize, th: &mut Thread, task: u64) {
        let Some(record) = self.omp_mut().tasks.remove(&task) else { return };
        if record.state == State::New {
            if let Some((_, _, &object)) = self.memory.find(task) {
                self.end_object(t, th, &object);
            }
            self.free_block(task);
        }
        if let Some(parent) = self.task_mut(record.parent) {
            parent.kin -= 1;
            if parent.kin == 0 && parent.state == State::Complete {
                self.end_record(t, th, record.parent);
            }
        }
    }

    /// Goes on with what the thread did before the task on top.
    fn resume(&mut self, t: usize, th: &mut Thread, resume: Option<OmpWait>) -> Result<(), Stop> {
        let home = self.seat(t, th).home;
        let Some(wait) = resume else {
            th.status = Status::Ready;
            self.finish_call(th, &[(0, 0)]);
            self.meet(t, th, home);
            return Ok(());
        };
        th.status = Status::At(Pending::Omp(wait));
        self.meet(t, th, home);
        match th.status {
            Status::Ready => Ok(()),
            Status::At(pending) if self.is_local_for(t, th, &pending) => self.complete_local_as(t, th),
            _ => Err(Stop::AtSync),
        }
    }

    /// `__kmpc_omp_task_begin_if0`: clang calls the task's function by itself.
    pub(crate) fn begin_inline(c: &mut Call) -> Result<(), Stop> {
        let task = c.arg(2)?;
        let depends = std::mem::take(&mut c.th.omp.depends);
        if c.machine.task(task)?.event && depends {
            // Its dependences would last until the event is fulfilled.
            return Err(Stop::unknown(Openmp::DetachDepend));
        }
        // What was taken for it alone must not fall to others.
        if c.machine.is_loud(c.t, c.th) && c.machine.seat(c.t, c.th).exclusive.is_empty() {
            return Self::stand(c, OmpWait::Undeferred(task));
        }
        c.machine.begin_undeferred(c.t, c.th, task)
    }

    /// Whether others may notice that a task is executed here: one lives in the thread's team that does more than compute and make
    /// tasks, or the thread is alone, so that it orders all that they do.
    pub(crate) fn is_loud(&mut self, t: usize, th: &mut Thread) -> bool {
        let home = self.seat(t, th).home;
        let alone = self.is_team_of_one(t, th);
        let region = self.region(home);
        region.loud > 0 || (alone && region.tasks > 0)
    }

    /// The thread begins a task whose function clang calls.
    pub(in crate::omp) fn begin_undeferred(
        &mut self,
        t: usize,
        th: &mut Thread,
        task: u64,
    ) -> Result<(), Stop> {
        let serial = self.task(task)?.serial;
        let none = Vec::new;
        let told = Work::TaskCreate {
            task: serial,
            after: none(),
            excludes: none(),
            undeferred: true,
            offloaded: false,
        };
        self.tell(t, th, &told);
        self.start(t, th, task, None, true)?;
        // What the wait before it has taken is the task's until it ends.
        let exclusive = std::mem::take(&mut self.seat(t, th).exclusive);
        self.task_mut(task).expect("just begun").exclusive = exclusive;
        Ok(())
    }

    /// `__kmpc_omp_task_complete_if0`.
    pub(crate) fn end_inline(c: &mut Call) -> Result<(), Stop> {
        let task = c.arg(2)?;
        let serial = c.machine.task(task)?.serial;
        if c.machine.seat(c.t, c.th).running.last().is_none_or(|r| r.task != task) {
            return Err(Stop::unknown(Openmp::TaskEnd));
        }
        c.machine.check_no_copy(c.t, c.th, serial)?;
        if c.machine.task(task)?.again {
            // clang has called the first part of an untied task only.
            c.moved = true;
            return c.machine.next_part(c.t, c.th, task);
        }
        if c.machine.destroy_privates(c.t, c.th, task)? {
            c.moved = true;
            return Ok(());
        }
        c.machine.finish_running(c.t, c.th)?;
        c.machine.tell(c.t, c.th, &Work::TaskWait { tasks: vec![serial] });
        if c.machine.is_loud(c.t, c.th) {
            return Self::stand(c, OmpWait::Created);
        }
        Ok(())
    }
}
