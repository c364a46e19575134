//! Teams and tasks: fork, join, barriers, and which task a thread may execute at a scheduling point.
//!
//! OpenMP 5.2, 12.9: at a task scheduling point a thread may begin any tied or untied task of its team, resume a suspended task that
//! is tied to it, or any suspended untied one. A new *tied* task must descend from every task that is tied to the
//! thread and not suspended in a barrier. The points are: behind the creation and the end of an explicit task, `taskyield`,
//! `taskwait`, the end of a taskgroup, barriers.

use super::code::{Code, Op};
use super::program::Var;
use super::share::MAX_TEAM;
use super::state::{Group, Membership, State, Status, Stop, Task, Team, Thread, World};

impl State {
    /// Whether thread `t` may go on with task `k`, if that is enabled.
    pub(super) fn may_continue(&self, t: usize, k: usize) -> bool {
        let (thread, task) = (&self.threads[t], &self.tasks[k]);
        if task.status != Status::Started || task.team != thread.innermost().team {
            return false;
        }
        match thread.current {
            Some(current) => current as usize == k,
            None if task.untied => !self.threads.iter().any(|other| other.current == Some(k as u8)),
            None => task.thread as usize == t,
        }
    }

    /// Whether thread `t` may begin task `k` now.
    pub(super) fn may_start(&self, code: &Code, t: usize, k: usize) -> bool {
        let task = &self.tasks[k];
        let mine = task.status == Status::Ready && task.team == self.threads[t].innermost().team;
        mine && (task.untied || self.constraint_holds(code, t, k))
    }

    fn constraint_holds(&self, code: &Code, t: usize, k: usize) -> bool {
        let tied = |task: &Task| task.status == Status::Started && !task.untied && task.thread as usize == t;
        let in_barrier =
            |j: usize| self.tasks[j].implicit && matches!(self.op(code, j), Op::Barrier | Op::Join);
        let mut bound = (0..self.tasks.len()).filter(|&j| tied(&self.tasks[j]) && !in_barrier(j));
        bound.all(|j| self.descends(k, j))
    }

    fn descends(&self, k: usize, ancestor: usize) -> bool {
        let mut at = self.tasks[k].parent;
        while let Some(parent) = at {
            if parent as usize == ancestor {
                return true;
            }
            at = self.tasks[parent as usize].parent;
        }
        false
    }

    /// Thread `t` comes to a scheduling point of task `k`.
    pub(super) fn suspend(&mut self, t: usize, k: usize) {
        self.threads[t].current = None;
        self.tasks[k].past = self.threads[t].past;
    }

    /// Thread `t` begins task `k`.
    pub(super) fn begin(&mut self, t: usize, k: usize) {
        let task = &mut self.tasks[k];
        task.status = Status::Started;
        task.thread = t as u8;
        self.threads[t].past |= task.past;
        self.threads[t].current = Some(k as u8);
    }

    /// Thread `t` goes on with task `k` behind the scheduling point where that was suspended.
    pub(super) fn resume(&mut self, code: &Code, t: usize, k: usize) {
        let gained = match self.op(code, k) {
            Op::Taskwait => self.tasks[k].children_past,
            Op::GroupEnd => self.end_group(k),
            _ => 0,
        };
        let task = &mut self.tasks[k];
        task.thread = t as u8;
        task.pc += 1;
        self.threads[t].past |= task.past | gained;
        self.threads[t].current = Some(k as u8);
    }

    /// Task `k` on thread `t` creates a task whose code begins behind the instruction.
    pub(super) fn create(&mut self, code: &Code, world: &mut World, t: usize, k: usize) -> Result<(), Stop> {
        let Op::Task { firstprivate, untied, undeferred, end } = self.op(code, k) else {
            return Err(Stop::Misuse);
        };
        let child = self.child(code, world, t, k, firstprivate);
        self.tasks[child].untied = *untied;
        self.tasks[child].undeferred = *undeferred;
        self.tasks[k].pc = *end as u16;
        self.tasks[k].regs.fill(0);
        if *undeferred {
            self.suspend(t, k);
            self.begin(t, child);
        }
        Ok(())
    }

    /// Likewise for the parts of a taskloop that begin with the iterations `starts`.
    pub(super) fn create_parts(&mut self, code: &Code, world: &mut World, t: usize, k: usize, starts: &[u8]) {
        let Op::Taskloop { firstprivate, untied, n, end, .. } = self.op(code, k) else { return };
        let ends = starts.iter().skip(1).copied().chain([*n]);
        for (&from, to) in starts.iter().zip(ends) {
            let child = self.child(code, world, t, k, firstprivate);
            self.tasks[child].untied = *untied;
            self.tasks[child].part = (from, to);
        }
        self.tasks[k].pc = *end as u16;
        self.tasks[k].regs.fill(0);
    }

    fn child(
        &mut self,
        code: &Code,
        world: &mut World,
        t: usize,
        k: usize,
        firstprivate: &[(Var, u8)],
    ) -> usize {
        let parent = &self.tasks[k];
        let mut child = Task::new(t as u8, parent.team, Some(k as u8), parent.objects.clone());
        child.status = Status::Ready;
        child.implicit = false;
        child.pc = parent.pc + 1;
        child.group = parent.group;
        child.max_threads = parent.max_threads;
        child.past = self.threads[t].past;
        let values: Vec<(Var, i64)> =
            firstprivate.iter().map(|&(v, reg)| (v, parent.regs[reg as usize])).collect();
        for (v, value) in values {
            let size = code.vars[v as usize].ty.size();
            let object = self.allocate(world, t, v, size);
            if let Some(known) = self.memory.get_mut(&object) {
                let size = known.bytes.len().min(8);
                known.bytes[..size].copy_from_slice(&value.to_le_bytes()[..size]);
            }
            child.objects[v as usize] = object;
            child.own.push(object);
        }
        self.tasks.push(child);
        self.tasks.len() - 1
    }

    /// Task `k` ends on thread `t`.
    pub(super) fn end_task(&mut self, t: usize, k: usize) {
        let past = self.threads[t].past;
        self.tasks[k].status = Status::Done;
        self.abandon_locks(k);
        for object in std::mem::take(&mut self.tasks[k].own) {
            self.memory.remove(&object);
        }
        let (parent, team, undeferred) = (self.tasks[k].parent, self.tasks[k].team, self.tasks[k].undeferred);
        if let Some(parent) = parent {
            self.tasks[parent as usize].children_past |= past;
            if undeferred {
                self.tasks[parent as usize].past |= past;
            }
        }
        let mut group = self.tasks[k].group;
        while let Some(g) = group {
            self.groups[g as usize].past |= past;
            group = self.groups[g as usize].outer;
        }
        self.team_mut(team).past |= past;
        self.threads[t].current = None;
    }

    pub(super) fn children_done(&self, k: usize) -> bool {
        let mut children = self.tasks.iter().filter(|c| !c.implicit && c.parent == Some(k as u8));
        children.all(|c| c.status == Status::Done)
    }

    pub(super) fn begin_group(&mut self, k: usize) {
        let fresh = Group { outer: self.tasks[k].group, past: 0, open: true };
        let at = match self.groups.iter().position(|g| !g.open) {
            Some(at) => {
                self.groups[at] = fresh;
                at
            }
            None => {
                self.groups.push(fresh);
                self.groups.len() - 1
            }
        };
        self.tasks[k].group = Some(at as u8);
    }

    pub(super) fn group_done(&self, k: usize) -> bool {
        let Some(group) = self.tasks[k].group else { return true };
        let inside = |task: &Task| {
            let mut at = task.group;
            while let Some(g) = at {
                if g == group {
                    return true;
                }
                at = self.groups[g as usize].outer;
            }
            false
        };
        let others = self.tasks.iter().enumerate().filter(|(j, _)| *j != k);
        !others.into_iter().any(|(_, c)| !c.implicit && c.status != Status::Done && inside(c))
    }

    /// Closes the group of task `k`; returns what it passes on.
    fn end_group(&mut self, k: usize) -> super::access::Past {
        let Some(at) = self.tasks[k].group else { return 0 };
        let group = &mut self.groups[at as usize];
        group.open = false;
        let past = std::mem::take(&mut group.past);
        self.tasks[k].group = group.outer.take();
        past
    }

    /// Task `k` on thread `t` meets `parallel` or `teams`.
    pub(super) fn fork(&mut self, code: &Code, world: &mut World, t: usize, k: usize) -> Result<(), Stop> {
        let Op::Fork { threads, league, end } = *self.op(code, k) else { return Err(Stop::Misuse) };
        let size = threads.unwrap_or(self.tasks[k].max_threads);
        if size == 0 || size as usize > MAX_TEAM {
            return Err(Stop::Misuse);
        }
        let body = self.tasks[k].pc + 1;
        self.tasks[k].pc = end as u16;
        self.tasks[k].past = self.threads[t].past;
        let team = self.teams.iter().position(Option::is_none).unwrap_or(self.teams.len());
        let depth = self.threads[t].teams.len() as u8;
        let (name, group) = (self.threads[t].name, self.threads[t].innermost().group);
        let mut members = Vec::new();
        for number in 0..size {
            let index = if number == 0 { t } else { self.threads.len() };
            let path = 16 * depth + number;
            let group = if league { world.thread_name(name, 128 + path) } else { group };
            let mut task = Task::new(index as u8, team as u8, Some(k as u8), self.tasks[k].objects.clone());
            (task.pc, task.max_threads) = (body, self.tasks[k].max_threads);
            let implicit = self.tasks.len() as u8;
            self.tasks.push(task);
            let member = Membership { team: team as u8, number, implicit, group, ordinal: 0 };
            if number == 0 {
                self.threads[t].teams.push(member);
                self.threads[t].current = Some(implicit);
            } else {
                let past = self.threads[t].past;
                let name = world.thread_name(name, path);
                let teams = vec![member];
                self.threads.push(Thread { name, current: Some(implicit), teams, past, lanes: 0 });
            }
            members.push(index as u8);
        }
        let fresh =
            Team { threads: members.clone(), parent: k as u8, league, instances: Vec::new(), past: 0 };
        if team == self.teams.len() {
            self.teams.push(None);
        }
        self.teams[team] = Some(fresh);
        for other in members {
            self.settle(code, world, other as usize)?;
        }
        Ok(())
    }

    /// Lets teams pass their barriers where everyone is there and nothing is left to do.
    pub(super) fn pass_barriers(&mut self, code: &Code, world: &mut World) -> Result<(), Stop> {
        while let Some(team) = (0..self.teams.len()).find(|&team| self.may_pass(code, team)) {
            let members = self.team(team as u8).threads.clone();
            let past =
                members.iter().fold(self.team(team as u8).past, |p, &t| p | self.threads[t as usize].past);
            let first = self.threads[members[0] as usize].innermost().implicit as usize;
            if *self.op(code, first) == Op::Join {
                self.join(team, &members, past);
                self.settle(code, world, members[0] as usize)?;
                continue;
            }
            self.team_mut(team as u8).past = 0;
            for &t in &members {
                let thread = &mut self.threads[t as usize];
                thread.past = past;
                let last = thread.teams.len() - 1;
                thread.teams[last].ordinal = 0;
                let implicit = thread.teams[last].implicit;
                thread.current = Some(implicit);
                self.tasks[implicit as usize].pc += 1;
                self.tasks[implicit as usize].children_past = 0;
            }
            for &t in &members {
                self.settle(code, world, t as usize)?;
            }
        }
        Ok(())
    }

    fn may_pass(&self, code: &Code, team: usize) -> bool {
        let Some(known) = &self.teams[team] else { return false };
        let waits = |&t: &u8| {
            let Some(member) = self.threads[t as usize].teams.last() else { return false };
            let op = self.op(code, member.implicit as usize);
            member.team as usize == team && matches!(op, Op::Barrier | Op::Join)
        };
        let busy = |task: &Task| !task.implicit && task.team as usize == team && task.status != Status::Done;
        known.threads.iter().all(waits) && !self.tasks.iter().any(busy)
    }

    fn join(&mut self, team: usize, members: &[u8], past: super::access::Past) {
        let parent = self.team(team as u8).parent;
        for &t in members {
            let thread = &mut self.threads[t as usize];
            thread.current = None;
            if let Some(member) = thread.teams.pop() {
                self.tasks[member.implicit as usize].status = Status::Done;
                self.abandon_locks(member.implicit as usize);
            }
        }
        let first = &mut self.threads[members[0] as usize];
        first.past = past;
        first.current = Some(parent);
        self.teams[team] = None;
    }

    /// Drops what has ended and stands last, and clears what else has ended.
    pub(super) fn tidy(&mut self) {
        while self.threads.last().is_some_and(|t| t.teams.is_empty()) {
            self.threads.pop();
        }
        while self.teams.last().is_some_and(Option::is_none) {
            self.teams.pop();
        }
        while self.tasks.last().is_some_and(|t| t.status == Status::Done) {
            self.tasks.pop();
        }
        while self.groups.last().is_some_and(|g| !g.open) {
            self.groups.pop();
        }
        for thread in self.threads.iter_mut().filter(|t| t.teams.is_empty()) {
            thread.past = 0;
        }
        for task in self.tasks.iter_mut().filter(|t| t.status == Status::Done) {
            (task.past, task.children_past) = (0, 0);
            task.objects.clear();
            task.regs.fill(0);
        }
    }
}
