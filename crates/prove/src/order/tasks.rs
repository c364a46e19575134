//! Explicit tasks: creation, dependences, waiting.

use base::reason::Structure;
use std::sync::Arc;

use crate::rules::Rule;

use super::{Kind, Order, Task};

impl Order {
    pub(super) fn create(
        &mut self,
        t: usize,
        task: u32,
        (after, excludes): (&[u32], &[u32]),
        undeferred: bool,
        offloaded: bool,
    ) {
        let Some(chain) = self.current(t) else { return };
        if undeferred {
            let made = Task { creator: chain, undeferred, ..Task::default() };
            self.tasks.insert(task, made);
            return;
        }
        let id = self.next_id(chain, 0);
        let clock = self.release(chain);
        self.entries += clock.len();
        let frame = self.chains[chain as usize].frame;
        // Whether tasks of different pieces of work are siblings is open.
        let siblings = |list: &[u32]| -> Vec<u32> {
            let same = |t: &&u32| {
                self.tasks
                    .get(t)
                    .is_some_and(|t| (t.creator == chain || Rule::Siblings.is_off()) && !t.undeferred)
            };
            list.iter().filter(same).copied().collect()
        };
        let made = Task {
            created: Some(Arc::new(clock)),
            after: siblings(after),
            excludes: siblings(excludes),
            creator: chain,
            id,
            undeferred,
            offloaded: offloaded || self.chains[chain as usize].offloaded,
            chain: None,
            frame,
            end: None,
        };
        self.tasks.insert(task, made);
        self.place(t);
    }

    pub(super) fn begin_task(&mut self, t: usize, task: u32) {
        if self.current(t).is_none() {
            return;
        }
        let Some(made) = self.tasks.get(&task).cloned() else {
            self.confused = Some(Structure::TaskNotCreated);
            return;
        };
        if made.undeferred {
            return;
        }
        let at = self.threads[t].pos;
        self.threads[t].below.push(at);
        if let Some(chain) = made.chain {
            // Goes on after a task scheduling point.
            self.threads[t].stack.push(chain);
            self.place(t);
            return;
        }
        let clock = made.created.clone().unwrap_or_default();
        let chain = self.new_chain(Kind::Task, made.frame, made.id, clock);
        let member = self.chains[made.creator as usize].member;
        let c = &mut self.chains[chain as usize];
        (c.task, c.creator, c.member) = (Some(task), Some(made.creator), member);
        c.offloaded = made.offloaded;
        for before in &made.after {
            match self.tasks.get(before).and_then(|b| b.end.clone()) {
                Some(end) => self.learn(chain, &end),
                None => self.confused = Some(Structure::TaskEarly),
            }
        }
        if let Some(entry) = self.tasks.get_mut(&task) {
            entry.chain = Some(chain);
        }
        self.threads[t].stack.push(chain);
        self.place(t);
    }

    pub(super) fn end_task(&mut self, t: usize, task: u32, complete: bool) {
        let Some(chain) = self.current(t) else { return };
        if self.tasks.get(&task).is_some_and(|t| t.undeferred) {
            return;
        }
        if self.chains[chain as usize].task != Some(task) {
            self.confused = Some(Structure::TaskElsewhere);
            return;
        }
        if complete {
            let clock = self.release(chain);
            self.entries += clock.len();
            self.chains[chain as usize].ended = true;
            if let Some(entry) = self.tasks.get_mut(&task) {
                entry.end = Some(Arc::new(clock));
            }
        }
        self.threads[t].stack.pop();
        // What was below goes on where it was: nothing of D has changed for it.
        match self.threads[t].below.pop() {
            Some(at) if self.threads[t].stack.last() == Some(&self.positions[at as usize].chain) => {
                self.threads[t].pos = at;
            }
            _ => self.confused = Some(Structure::TaskOtherPiece),
        }
    }

    pub(super) fn wait_tasks(&mut self, t: usize, tasks: &[u32]) {
        let Some(chain) = self.current(t) else { return };
        let mut known: Vec<(u32, u32)> = Vec::new();
        for task in tasks {
            let Some(entry) = self.tasks.get(task).filter(|t| !t.undeferred) else { continue };
            match &entry.end {
                // A task of an earlier phase is before anyway.
                Some(end) if entry.frame == self.chains[chain as usize].frame && self.stems(*task, chain) => {
                    known.extend_from_slice(end);
                }
                Some(_) => {}
                None => self.confused = Some(Structure::WaitEarly),
            }
        }
        known.sort_unstable_by_key(|&(chain, index)| (chain, std::cmp::Reverse(index)));
        known.dedup_by_key(|e| e.0);
        self.learn(chain, &known);
        self.place(t);
    }

    /// Whether a chain created a task, or a task created it that the chain created, and so on.
    fn stems(&self, task: u32, chain: u32) -> bool {
        let mut creator = self.tasks.get(&task).map(|t| t.creator);
        while let Some(c) = creator {
            if c == chain {
                return true;
            }
            creator = self.chains[c as usize].creator;
        }
        false
    }

    /// The id of a task by its number in this run.
    pub fn task_id(&self, task: u32) -> Option<u64> {
        self.tasks.get(&task).filter(|t| !t.undeferred).map(|t| t.id)
    }

    /// The ids of the strands that have to come before a position's strand: those that created it, and those that it
    /// depends on.
    pub fn needed(&self, pos: super::Pos) -> Vec<u64> {
        let mut found = Vec::new();
        let mut chains = vec![self.chain(pos)];
        while let Some(chain) = chains.pop() {
            let c = &self.chains[chain as usize];
            if found.contains(&c.id) {
                continue;
            }
            found.push(c.id);
            chains.extend(c.creator);
            let parent = self.frames[c.frame as usize].parent;
            if parent != super::NOWHERE {
                chains.push(self.chain(parent));
            }
            if let Some(task) = c.task.and_then(|t| self.tasks.get(&t)) {
                chains.extend(task.after.iter().filter_map(|b| self.tasks.get(b)?.chain));
            }
        }
        found
    }

    /// The ids of the strands that a thread executes or has suspended.
    pub fn executes(&self, t: usize) -> impl Iterator<Item = u64> {
        let stack = self.threads.get(t).map_or(&[][..], |t| &t.stack);
        stack.iter().map(|&c| self.chains[c as usize].id)
    }
}
