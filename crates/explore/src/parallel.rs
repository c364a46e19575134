//! Several searches of one state graph.
//!
//! *Algorithm.* The searches share the set of visited states: who comes to a state first explores it. A search that has
//! nothing to do waits for a job: another one gives away a way of its lowest node that it has not begun, as the choices
//! that lead to the node. The receiver follows them, and searches from there.
//! *Guarantee.* Every state is explored by the one who came first, so together they explore what one alone does. What
//! was found does not depend on who was faster: if anything was, one search alone looks for it again, in its own order,
//! until it has found as much (see [`search`]).

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};

use machine::{Inputs, Mode, Program};
use serde::{Deserialize, Serialize};

use crate::Config;
use crate::findings::Found;
use crate::saved::{Noticed, Saved, Trunk};
use crate::search::{Limit, Progress, Search};
use crate::visited::{Sleep, Visited};

/// A part of the search: one thread's ways from a node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Job {
    /// The choices that lead to the node.
    pub path: Vec<u32>,
    /// The threads that are to be scheduled from there.
    pub todo: Sleep,
    /// The threads that sleep there, or are scheduled by the giver.
    pub sleep: Sleep,
}

/// What there is to do.
#[derive(Debug)]
pub(crate) enum Work {
    /// A job of another search.
    Job(Job),
    /// Going on where a search stood that a limit ended.
    Trunk(Trunk),
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Work>,
    waiting: usize,
    over: bool,
}

/// What searches share.
#[derive(Default)]
pub(crate) struct Shared {
    /// The states seen by any of them.
    pub visited: Visited,
    /// So many of them were seen by searches that ended at a limit.
    pub before: u64,
    queue: Mutex<Queue>,
    changed: Condvar,
    /// How many searches wait for a job that nobody has given yet.
    hungry: AtomicUsize,
    workers: usize,
    /// Everybody stops as soon as anything is found.
    pub first_only: bool,
    /// Everybody is to stop.
    pub stop: AtomicBool,
}

impl Shared {
    /// For that many searches.
    pub fn new(workers: usize) -> Shared {
        Shared { workers, ..Shared::default() }
    }

    /// Goes on with what is left of a search; gives what it has noticed.
    fn take_up(&mut self, saved: Saved) -> Noticed {
        self.before = saved.visited.len() as u64;
        self.visited = saved.visited;
        let mut queue = self.queue();
        queue.jobs.extend(saved.trunks.into_iter().map(Work::Trunk));
        queue.jobs.extend(saved.jobs.into_iter().map(Work::Job));
        saved.noticed
    }

    /// What is left to do, if a limit ended the searches before they had found anything.
    fn leave(self, found: &mut Found) -> Option<Box<Saved>> {
        let trunks = std::mem::take(&mut found.trunks);
        let ended = found.limit.is_some_and(|limit| !matches!(limit, Limit::Depth | Limit::Further));
        if !ended || found.shows_something() || found.barrier_order || found.broken() || found.lost {
            return None;
        }
        let queue = self.queue.into_inner().unwrap_or_else(|e| e.into_inner());
        let mut saved =
            Saved { trunks, noticed: Noticed::of(found), visited: self.visited, ..Saved::default() };
        for work in queue.jobs {
            match work {
                Work::Job(job) => saved.jobs.push(job),
                Work::Trunk(trunk) => saved.trunks.push(trunk),
            }
        }
        Some(Box::new(saved))
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Whether somebody has nothing to do.
    pub fn hungry(&self) -> bool {
        self.workers > 1 && self.hungry.load(Ordering::Relaxed) > 0
    }

    /// Gives work away.
    pub fn give(&self, work: Work) {
        let mut queue = self.queue();
        queue.jobs.push_back(work);
        self.hungry.store(queue.waiting.saturating_sub(queue.jobs.len()), Ordering::Relaxed);
        self.changed.notify_one();
    }

    /// Waits for a job; `None` if there will be none any more.
    pub fn take(&self) -> Option<Work> {
        let mut queue = self.queue();
        queue.waiting += 1;
        loop {
            if queue.over || self.stop.load(Ordering::Relaxed) {
                queue.over = true;
                self.changed.notify_all();
                return None;
            }
            if let Some(job) = queue.jobs.pop_front() {
                queue.waiting -= 1;
                self.hungry.store(queue.waiting.saturating_sub(queue.jobs.len()), Ordering::Relaxed);
                return Some(job);
            }
            if queue.waiting == self.workers {
                queue.over = true;
                self.changed.notify_all();
                return None;
            }
            self.hungry.store(queue.waiting, Ordering::Relaxed);
            queue = self.changed.wait(queue).unwrap_or_else(|e| e.into_inner());
        }
    }

    /// Everybody stops.
    pub fn halt(&self) {
        self.stop.store(true, Ordering::Relaxed);
        let mut queue = self.queue();
        queue.over = true;
        self.changed.notify_all();
    }
}

/// Sends everybody home if a search does not end as it should, so that nobody waits for it.
struct Guard<'a> {
    shared: &'a Shared,
    done: bool,
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if !self.done {
            self.shared.halt();
        }
    }
}

/// Searches with as many threads as the configuration says. What is found is what one search alone finds, in the same
/// order and by the same paths.
pub(crate) fn search(
    module: &ir::Module,
    program: &Program,
    mode: Mode,
    config: &Config,
    resumed: Option<Saved>,
    progress: &mut dyn FnMut(&Progress),
) -> Found {
    // Which states are the first so many would be a matter of speed.
    let workers = if config.max_states.is_some() { 1 } else { config.jobs.max(1) };
    let mut shared = Shared::new(workers);
    let noticed = resumed.map(|saved| shared.take_up(saved));
    let noticed = noticed.as_ref();
    if workers == 1 {
        let mut found = match noticed {
            None => Search::new(program, mode, config, progress, &shared).run(),
            Some(before) => Search::new(program, mode, config, progress, &shared).after(before).assist(),
        };
        if let Some(before) = noticed {
            before.count(&mut found);
        }
        found.left = shared.leave(&mut found);
        return found;
    }
    // With how much was found after so many states the answer would depend on who was faster: it is looked for alone then.
    let shared = Shared { first_only: config.further.is_some(), ..shared };
    let inputs = Inputs { args: config.args.clone(), threads: config.threads };
    let mut all = std::thread::scope(|scope| {
        let others: Vec<_> = (1..workers)
            .map(|_| {
                scope.spawn(|| {
                    let mut guard = Guard { shared: &shared, done: false };
                    // The program loads here too: it loaded before.
                    let program = Program::load(module, &inputs).ok()?;
                    let mut quiet = |_: &Progress| {};
                    let search = Search::new(&program, mode, config, &mut quiet, &shared);
                    let found = match noticed {
                        None => search.assist(),
                        Some(before) => search.after(before).assist(),
                    };
                    guard.done = true;
                    Some(found)
                })
            })
            .collect();
        let search = Search::new(program, mode, config, progress, &shared);
        let mut all = vec![match noticed {
            None => search.lead(),
            Some(before) => search.after(before).assist(),
        }];
        all.extend(others.into_iter().filter_map(|o| o.join().ok().flatten()));
        all
    });
    let whole = all.len() == workers;
    let mut first = all.remove(0);
    for other in all {
        first.absorb(other);
    }
    if let Some(before) = noticed {
        before.count(&mut first);
    }
    let first_only = shared.first_only;
    first.left = shared.leave(&mut first).filter(|_| whole);
    let complete = whole && !first.lost;
    if complete && ((!first.has_findings() && !first.broken()) || first.barrier_order) {
        return first;
    }
    // Something was found, or identical threads are not exchangeable. Which path led there first was a matter of speed: find it again. (Should one of the searches
    // have failed, nothing is known but what one alone finds.)
    let alone = Shared::new(1);
    let goal = (complete && !first_only && !first.broken()).then(|| first.amount());
    let mut found = Search::new(program, mode, config, progress, &alone).until(goal).run();
    found.order_matters |= first.order_matters;
    found.split_finely |= first.split_finely;
    if !complete || first.broken() || found.broken() {
        return found;
    }
    if found.amount() < first.amount() {
        // A limit was in the way.
        first.limit = first.limit.or(found.limit);
        return first;
    }
    if !first_only {
        (found.limit, found.stats) = (first.limit, first.stats);
    }
    found
}
