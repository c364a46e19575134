//! OpenMP's threads of a trace: each implicit task of each region and each explicit task is one, whichever thread runs it.
//!
//! - A region: its tasks are forked by the thread that meets it and joined at its end; barriers are barriers, and what comes
//!   after one is ordered after the tasks that ended before.
//! - A task is forked where it is created. `taskwait` orders after the children that have ended, `taskgroup` after all
//!   tasks that began in it, `depend` after the tasks that the clause names.
//!
//! So two tasks that one thread ran one after the other are compared like tasks of two threads. Iterations of loops are not
//! taken apart: a loop's thread is its implicit task.

use rustc_hash::FxHashMap;

use crate::layout::Op;
use crate::order::Act;
use crate::run::Sync;

/// Objects by what they stand for, in the bits above a number.
const CHILDREN: u64 = 3 << 56;
const DONE: u64 = 4 << 56;
const GROUP: u64 = 5 << 56;
const BARRIER: u64 = 6 << 56;
const TASKS: u64 = 7 << 56;
const EXCLUSIVE: u64 = 8 << 56;

/// Kinds of waiting, as OMPT numbers them.
const TASKWAIT: u8 = 5;
const TASKGROUP: u8 = 6;
/// Kinds of dependences.
const IN: u8 = 1;
const MUTEX: u8 = 4;
const SET: u8 = 7;
const ALL_MEMORY: u8 = 34;

struct Region {
    /// Who met it: the recorded thread and the thread of the trace.
    by: (u32, u32),
    members: Vec<u32>,
}

#[derive(Default)]
struct Task {
    /// Its thread of the trace.
    thread: u32,
    parent: u64,
    region: u64,
    /// The groups that it began in.
    groups: Vec<u64>,
    explicit: bool,
    begun: bool,
    undeferred: bool,
    /// Tasks that end before it begins.
    after: Vec<u64>,
    /// Addresses that it uses alone.
    alone: Vec<u64>,
    /// Of its children: what their clauses say of addresses.
    dependences: FxHashMap<u64, Uses>,
    children: Vec<u64>,
    /// Groups that it is in and how many it has opened.
    open: Vec<u64>,
}

/// Who uses an address by the clauses of one parent's tasks.
#[derive(Default, Clone)]
struct Uses {
    writers: Vec<u64>,
    /// The kind of the writers.
    kind: u8,
    readers: Vec<u64>,
    /// Who was before the writers, if these may be several.
    before: Vec<u64>,
}

/// The state of OpenMP while a run is gone through.
pub struct OpenMp {
    /// For each recorded thread its task.
    tasks_of: FxHashMap<u32, u64>,
    tasks: FxHashMap<u64, Task>,
    regions: FxHashMap<u64, Region>,
    /// For each recorded thread the tasks that it was in when it met regions.
    outer: FxHashMap<u32, Vec<u64>>,
    next: u32,
    groups: u64,
}

impl OpenMp {
    /// For a run with so many recorded threads.
    pub fn new(threads: usize) -> OpenMp {
        OpenMp {
            tasks_of: FxHashMap::default(),
            tasks: FxHashMap::default(),
            regions: FxHashMap::default(),
            outer: FxHashMap::default(),
            next: threads as u32,
            groups: 0,
        }
    }

    /// Which thread of the trace a recorded thread is now.
    #[inline]
    pub fn current(&self, native: u32) -> u32 {
        if self.tasks_of.is_empty() {
            return native;
        }
        let task = self.tasks_of.get(&native).and_then(|task| self.tasks.get(task));
        task.map_or(native, |task| task.thread)
    }

    /// The thread of the trace of a task that has not ended.
    pub fn thread_of(&self, task: u64) -> Option<u32> {
        self.tasks.get(&task).map(|task| task.thread)
    }

    fn task_of(&self, native: u32) -> u64 {
        self.tasks_of.get(&native).copied().unwrap_or(0)
    }

    fn new_thread(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    /// Takes a record of OpenMP and appends what it means; `false` for other records.
    pub fn step(&mut self, native: u32, sync: &Sync, acts: &mut Vec<(u32, Act)>) -> bool {
        let current = self.current(native);
        match sync.op {
            Op::ParallelBegin => {
                self.regions.insert(sync.object, Region { by: (native, current), members: Vec::new() });
                let task = self.task_of(native);
                self.outer.entry(native).or_default().push(task);
            }
            Op::Implicit => self.implicit(native, sync, acts),
            Op::ParallelEnd => self.parallel_end(native, sync.object, acts),
            Op::TaskCreate => self.create(native, sync, acts),
            Op::Dependence => self.dependence(native, sync),
            Op::TaskSchedule => self.schedule(native, sync, acts),
            Op::RegionBegin => self.wait_begins(native, sync.flag, acts),
            Op::RegionEnd => self.wait_ends(native, sync.flag, acts),
            Op::DeadStack => {
                acts.push((current, Act::New { address: sync.object, bytes: sync.argument, heap: false }));
            }
            _ => return false,
        }
        true
    }

    fn implicit(&mut self, native: u32, sync: &Sync, acts: &mut Vec<(u32, Act)>) {
        let thread = self.new_thread();
        // Which member of the team it is stands above the region's number.
        let number = sync.object & 0xffff_ffff;
        let Some(region) = self.regions.get_mut(&number) else { return };
        region.members.push(thread);
        acts.push((region.by.1, Act::Fork(thread)));
        acts.push((thread, Act::Begin));
        let task = Task { thread, region: number, begun: true, ..Task::default() };
        self.tasks.insert(sync.argument, task);
        self.tasks_of.insert(native, sync.argument);
    }

    fn parallel_end(&mut self, native: u32, region: u64, acts: &mut Vec<(u32, Act)>) {
        let Some(Region { by: (_, thread), members }) = self.regions.remove(&region) else { return };
        acts.push((thread, Act::Wait(TASKS | region)));
        for member in members {
            acts.push((member, Act::End));
            acts.push((thread, Act::Join(member)));
        }
        self.tasks.retain(|_, task| task.region != region);
        match self.outer.get_mut(&native).and_then(Vec::pop) {
            Some(task) if task != 0 => self.tasks_of.insert(native, task),
            _ => self.tasks_of.remove(&native),
        };
    }

    fn create(&mut self, native: u32, sync: &Sync, acts: &mut Vec<(u32, Act)>) {
        let (current, parent) = (self.current(native), self.task_of(native));
        let thread = self.new_thread();
        let by = self.tasks.get(&parent);
        let mut groups = by.map(|task| task.groups.clone()).unwrap_or_default();
        groups.extend(by.into_iter().flat_map(|task| task.open.iter().copied()));
        let region = by.map_or(0, |task| task.region);
        acts.push((current, Act::Fork(thread)));
        let undeferred = sync.flag & 1 != 0;
        let task = Task { thread, parent, region, groups, undeferred, explicit: true, ..Task::default() };
        self.tasks.insert(sync.argument, task);
        self.tasks
            .entry(parent)
            .or_insert_with(|| Task { thread: current, begun: true, ..Task::default() })
            .children
            .push(sync.argument);
        if parent == 0 {
            // Outside of regions the thread itself is the parent.
            self.tasks_of.entry(native).or_insert(0);
        }
    }

    fn dependence(&mut self, native: u32, sync: &Sync) {
        let (task, address, kind) = (sync.argument, sync.object, sync.flag);
        let parent = self.tasks.get(&task).map_or_else(|| self.task_of(native), |task| task.parent);
        let Some(of) = self.tasks.get_mut(&parent) else { return };
        let before: Vec<u64> = if kind >= ALL_MEMORY {
            of.children.iter().copied().filter(|other| *other != task).collect()
        } else {
            of.dependences.entry(address).or_default().add(task, kind)
        };
        if kind >= ALL_MEMORY {
            let everything = Uses { writers: vec![task], kind: 3, ..Uses::default() };
            of.dependences.values_mut().for_each(|uses| *uses = everything.clone());
        }
        if let Some(task) = self.tasks.get_mut(&task) {
            task.after.extend(before);
            if kind == MUTEX && !task.alone.contains(&address) {
                task.alone.push(address);
                task.alone.sort_unstable();
            }
        }
    }

    fn schedule(&mut self, native: u32, sync: &Sync, acts: &mut Vec<(u32, Act)>) {
        let (before, after) = (sync.object, sync.argument);
        match sync.flag {
            1 => self.complete(before, acts),
            2 => {
                let by = self.current(native);
                self.ended(before, by, acts);
                return;
            }
            _ => {}
        }
        let resumed =
            self.tasks.get(&before).filter(|task| sync.flag == 1 && task.undeferred).map(|t| t.thread);
        if after == 0 || !self.tasks.contains_key(&after) {
            // Back to the code outside of all regions.
            if sync.flag == 1 && resumed.is_some() {
                self.tasks_of.remove(&native);
                acts.push((native, Act::Wait(DONE | before)));
            } else if sync.flag == 1 {
                self.tasks_of.remove(&native);
            }
            return;
        }
        self.tasks_of.insert(native, after);
        self.begin(after, acts);
        if resumed.is_some() {
            acts.push((self.tasks[&after].thread, Act::Wait(DONE | before)));
        }
    }

    /// An explicit task begins, if it has not.
    fn begin(&mut self, number: u64, acts: &mut Vec<(u32, Act)>) {
        let Some(task) = self.tasks.get_mut(&number) else { return };
        if task.begun {
            return;
        }
        task.begun = true;
        acts.push((task.thread, Act::Begin));
        acts.extend(task.after.iter().map(|other| (task.thread, Act::Wait(DONE | other))));
        acts.extend(task.alone.iter().map(|address| (task.thread, Act::Acquire(EXCLUSIVE | address))));
    }

    fn complete(&mut self, number: u64, acts: &mut Vec<(u32, Act)>) {
        self.begin(number, acts);
        let Some(task) = self.tasks.get(&number).filter(|task| task.explicit) else { return };
        let thread = task.thread;
        acts.extend(task.alone.iter().rev().map(|address| (thread, Act::Release(EXCLUSIVE | address))));
        self.ended(number, thread, acts);
        acts.push((thread, Act::End));
    }

    /// Those who wait for a task know what this thread knows.
    fn ended(&self, number: u64, by: u32, acts: &mut Vec<(u32, Act)>) {
        let Some(task) = self.tasks.get(&number) else { return };
        let groups = task.groups.iter().map(|group| GROUP | group);
        let objects = [DONE | number, CHILDREN | task.parent, TASKS | task.region].into_iter().chain(groups);
        acts.extend(objects.map(|object| (by, Act::Notify(object))));
    }

    fn wait_begins(&mut self, native: u32, kind: u8, acts: &mut Vec<(u32, Act)>) {
        let number = self.task_of(native);
        match kind {
            TASKWAIT => {}
            TASKGROUP => {
                self.groups += 1;
                let group = self.groups;
                let thread = self.current(native);
                let task = self.tasks.entry(number);
                task.or_insert_with(|| Task { thread, begun: true, ..Task::default() }).open.push(group);
            }
            _ => {
                let Some(task) = self.tasks.get(&number).filter(|task| task.region != 0) else { return };
                acts.push((task.thread, Act::Barrier(BARRIER | task.region)));
            }
        }
    }

    fn wait_ends(&mut self, native: u32, kind: u8, acts: &mut Vec<(u32, Act)>) {
        let number = self.task_of(native);
        let thread = self.current(native);
        match kind {
            TASKWAIT => acts.push((thread, Act::Wait(CHILDREN | number))),
            TASKGROUP => {
                let group = self.tasks.get_mut(&number).and_then(|task| task.open.pop());
                acts.extend(group.map(|group| (thread, Act::Wait(GROUP | group))));
            }
            _ => {
                let region = self.tasks.get(&number).map_or(0, |task| task.region);
                if self.regions.contains_key(&region) {
                    acts.push((thread, Act::Wait(TASKS | region)));
                }
            }
        }
    }
}

impl Uses {
    /// A task uses the address in this way; the tasks that end before it.
    fn add(&mut self, task: u64, kind: u8) -> Vec<u64> {
        if kind == IN {
            self.readers.push(task);
            return self.writers.clone();
        }
        let together = (kind == MUTEX || kind == SET) && kind == self.kind && self.readers.is_empty();
        if !together {
            self.before = [self.writers.clone(), self.readers.clone()].concat();
            self.writers.clear();
            self.readers.clear();
        }
        self.kind = kind;
        self.writers.push(task);
        self.before.iter().copied().filter(|other| *other != task).collect()
    }
}
