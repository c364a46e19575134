//! Tasks: creation, dependences, scheduling, groups.
//!
//! A thread at a task scheduling point may resume any of its suspended tasks that can go on, or begin a new one that
//! the task scheduling constraint allows: a descendant of every task that is tied to the thread and not suspended
//! in a barrier.

use super::access::Past;
use super::code::{ALL_REGISTERS, Code, Op};
use super::program::Depend;
use super::state::State;

/// How far a task is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Status {
    New,
    Started,
    Done,
}

/// A task; the implicit ones are numbered as their threads.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Task {
    pub status: Status,
    /// The thread that it is tied to, once started.
    pub thread: u8,
    pub parent: Option<u8>,
    pub pc: u16,
    pub regs: [i32; ALL_REGISTERS],
    /// A new task: what happens before its creation. A finished one: what happens before its end.
    pub past: Past,
    /// What finished children pass on to `taskwait`.
    pub children_past: Past,
    /// The running taskgroups that it belongs to, by number.
    groups: u8,
    /// The taskgroups that it is in the midst of itself, innermost last.
    open_groups: Vec<u8>,
    /// The undeferred child that it waits for.
    pub waiting: Option<u8>,
    /// The instruction that created it, for its dependences; 0 if it has none.
    created_at: u16,
}

impl Task {
    pub(super) fn implicit(thread: u8, pc: u16, regs: [i32; ALL_REGISTERS]) -> Task {
        Task {
            status: Status::Started,
            thread,
            parent: None,
            pc,
            regs,
            past: 0,
            children_past: 0,
            groups: 0,
            open_groups: Vec::new(),
            waiting: None,
            created_at: 0,
        }
    }
}

/// How a task relates to a sibling that was created before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    /// The earlier one must end first.
    After,
    /// They must not run at the same time.
    Exclusive,
    None,
}

fn relation(earlier: &[(Depend, u8)], later: &[(Depend, u8)]) -> Relation {
    let mut found = Relation::None;
    let pairs = earlier.iter().flat_map(|e| later.iter().filter(|l| l.1 == e.1).map(|l| (e.0, l.0)));
    for pair in pairs {
        match pair {
            (Depend::In, Depend::In) => {}
            (Depend::Mutexinoutset, Depend::Mutexinoutset) if found == Relation::None => {
                found = Relation::Exclusive;
            }
            (Depend::Mutexinoutset, Depend::Mutexinoutset) => {}
            _ => found = Relation::After,
        }
    }
    found
}

impl State {
    fn depends<'c>(&self, code: &'c Code, task: usize) -> &'c [(Depend, u8)] {
        match &code.ops[self.tasks[task].created_at as usize] {
            Op::Create { depends, .. } => depends,
            _ => &[],
        }
    }

    /// The task `k` comes to a task construct.
    pub(super) fn create(&mut self, code: &Code, t: usize, k: usize) {
        let pc = self.tasks[k].pc;
        let Op::Create { entry, depends, undeferred } = &code.ops[pc as usize] else { return };
        let parent = &self.tasks[k];
        let child = self.tasks.len();
        let open = parent.open_groups.iter().fold(parent.groups, |set, g| set | 1 << g);
        let mut task = Task::implicit(t as u8, *entry as u16, parent.regs);
        task.status = Status::New;
        task.thread = if *undeferred { t as u8 } else { u8::MAX };
        task.parent = Some(k as u8);
        task.past = self.threads[t].past;
        task.groups = open;
        task.created_at = if depends.is_empty() { 0 } else { pc };
        self.tasks.push(task);
        if *undeferred {
            self.tasks[k].waiting = Some(child as u8);
        }
        // The creator goes on to the scheduling point behind the creation; an undeferred task that need not wait begins.
        self.go(code, t, k, pc as usize + 1);
        if *undeferred && self.dependences_met(code, child) {
            self.start(code, t, child);
        }
    }

    /// Whether thread `t`, which is at a scheduling point, may begin task `k`.
    pub(super) fn may_start(&self, code: &Code, t: usize, k: usize) -> bool {
        let task = &self.tasks[k];
        if task.status != Status::New || !self.dependences_met(code, k) {
            return false;
        }
        if task.thread != u8::MAX {
            return task.thread as usize == t;
        }
        let constrains = |other: usize| {
            let o = &self.tasks[other];
            o.status == Status::Started
                && o.thread as usize == t
                && !matches!(self.op(code, other), Op::Barrier | Op::Join)
        };
        (0..self.tasks.len()).filter(|&other| constrains(other)).all(|other| self.descends(k, other))
    }

    fn descends(&self, task: usize, ancestor: usize) -> bool {
        let mut at = self.tasks[task].parent;
        while let Some(parent) = at {
            if parent as usize == ancestor {
                return true;
            }
            at = self.tasks[parent as usize].parent;
        }
        false
    }

    /// The siblings that task `k` has to do with, and how.
    fn siblings<'s>(&'s self, code: &'s Code, k: usize) -> impl Iterator<Item = (usize, Relation)> + 's {
        let mine = self.depends(code, k);
        let sibling = move |&s: &usize| s != k && self.tasks[s].parent == self.tasks[k].parent;
        (self.threads.len()..self.tasks.len()).filter(sibling).map(move |s| {
            let theirs = self.depends(code, s);
            let found = if s < k { relation(theirs, mine) } else { relation(mine, theirs) };
            // A later sibling can exclude, but not come before.
            (s, if s > k && found == Relation::After { Relation::None } else { found })
        })
    }

    fn dependences_met(&self, code: &Code, k: usize) -> bool {
        self.siblings(code, k).all(|(s, relation)| match relation {
            Relation::After => self.tasks[s].status == Status::Done,
            Relation::Exclusive => self.tasks[s].status != Status::Started,
            Relation::None => true,
        })
    }

    /// Thread `t` begins task `k`.
    pub(super) fn start(&mut self, code: &Code, t: usize, k: usize) {
        let done = |s: &usize| self.tasks[*s].status == Status::Done;
        let related = self.siblings(code, k).filter(|r| r.1 != Relation::None).map(|r| r.0);
        let past = related.filter(done).fold(self.tasks[k].past, |past, s| past | self.tasks[s].past);
        self.threads[t].past |= past;
        let task = &mut self.tasks[k];
        task.status = Status::Started;
        task.thread = t as u8;
        task.past = 0;
        self.settle(code, t, k);
    }

    /// Task `k` ends; thread `t` is at a scheduling point.
    pub(super) fn end_task(&mut self, code: &Code, t: usize, k: usize) {
        let past = self.threads[t].past;
        let related = !self.depends(code, k).is_empty();
        let task = &mut self.tasks[k];
        task.status = Status::Done;
        task.past = if related { past } else { 0 };
        task.regs.fill(0);
        task.children_past = 0;
        task.thread = 0;
        task.pc = 0;
        let (groups, parent) = (std::mem::take(&mut task.groups), task.parent);
        for (g, group) in self.groups.iter_mut().enumerate() {
            if groups >> g & 1 != 0 {
                *group = group.map(|p| p | past);
            }
        }
        if let Some(parent) = parent {
            self.tasks[parent as usize].children_past |= past;
        }
        self.team_past |= past;
        self.threads[t].current = None;
    }

    pub(super) fn children_done(&self, task: usize) -> bool {
        self.tasks.iter().all(|c| c.parent != Some(task as u8) || c.status == Status::Done)
    }

    pub(super) fn undeferred_done(&self, task: usize) -> bool {
        self.tasks[task].waiting.is_none_or(|c| self.tasks[c as usize].status == Status::Done)
    }

    pub(super) fn begin_group(&mut self, task: usize) {
        let free = self.groups.iter().position(Option::is_none).unwrap_or(self.groups.len());
        if free == self.groups.len() {
            self.groups.push(None);
        }
        self.groups[free] = Some(0);
        self.tasks[task].open_groups.push(free as u8);
    }

    pub(super) fn group_done(&self, task: usize) -> bool {
        let Some(&group) = self.tasks[task].open_groups.last() else { return true };
        self.tasks.iter().all(|m| m.groups >> group & 1 == 0 || m.status == Status::Done)
    }

    pub(super) fn end_group(&mut self, t: usize, task: usize) {
        if let Some(group) = self.tasks[task].open_groups.pop() {
            self.threads[t].past |= self.groups[group as usize].take().unwrap_or(0);
            while self.groups.last() == Some(&None) {
                self.groups.pop();
            }
        }
    }
}
