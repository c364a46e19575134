//! What the synchronisation of a run means for the trace: who is ordered after whom.
//!
//! Mutexes stay locks, so that analyses may reorder critical sections. Everything that a trace has no word for keeps the
//! order of the run, which is sound and may hide a race that another order would show:
//! - a read-write lock that was ever held for reading: a reader waits for the writers before it, a writer for everybody;
//! - a lock that one thread takes and another releases, or that is released without being held;
//! - semaphores, `once`, pipes: what waits is ordered after everything that was posted before.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::layout::Op;
use crate::openmp::OpenMp;
use crate::run::{Run, Sync};

/// What a thread of the trace does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the words of `trace::Op`")]
pub enum Act {
    Fork(u32),
    Join(u32),
    Begin,
    End,
    Acquire(u64),
    Release(u64),
    Barrier(u64),
    Notify(u64),
    Wait(u64),
    /// An atomic access.
    Atomic {
        address: u64,
        bytes: u32,
        reads: bool,
        writes: bool,
    },
    /// This memory is a new object; `heap` if it was asked for.
    New {
        address: u64,
        bytes: u64,
        heap: bool,
    },
    /// This memory is given back.
    Gone {
        address: u64,
        bytes: u64,
    },
}

/// Which part of an object is meant, in the bits above an address.
const WRITERS: u64 = 1 << 56;
const READERS: u64 = 2 << 56;

/// Who holds a lock.
#[derive(Default)]
struct Held {
    owner: Option<(u32, u32)>,
    shared: FxHashMap<u32, u32>,
}

/// Turns synchronisation records into what they mean.
pub struct Meaning {
    /// Locks that are held for reading at some time.
    shared: FxHashSet<u64>,
    /// Locks that are not used as locks.
    odd: FxHashSet<u64>,
    not_forked: FxHashSet<u64>,
    held: FxHashMap<u64, Held>,
    openmp: OpenMp,
}

impl Meaning {
    /// Which thread of the trace a recorded thread is now.
    #[inline]
    pub fn current(&self, thread: u32) -> u32 {
        self.openmp.current(thread)
    }

    /// The thread of the trace of an OpenMP task that has not ended.
    pub fn task(&self, number: u64) -> Option<u32> {
        self.openmp.thread_of(number)
    }

    /// Looks for locks that are not simply locks.
    pub fn of(run: &Run) -> Meaning {
        let mut meaning = Meaning {
            shared: FxHashSet::default(),
            odd: FxHashSet::default(),
            not_forked: FxHashSet::default(),
            held: FxHashMap::default(),
            openmp: OpenMp::new(run.threads.len()),
        };
        let mut all: Vec<(u32, &Sync)> = Vec::new();
        for (number, thread) in run.threads.iter().enumerate() {
            let concern = |sync: &&Sync| {
                matches!(
                    sync.op,
                    Op::Acquire | Op::Release | Op::AcquireShared | Op::ReleaseShared | Op::NotForked
                )
            };
            all.extend(thread.syncs.iter().filter(concern).map(|sync| (number as u32, sync)));
        }
        all.sort_unstable_by_key(|(_, sync)| sync.seq);
        for (thread, sync) in all {
            meaning.learn(thread, sync);
        }
        meaning.held.clear();
        meaning
    }

    fn learn(&mut self, thread: u32, sync: &Sync) {
        let held = self.held.entry(sync.object).or_default();
        match sync.op {
            Op::NotForked => {
                self.not_forked.insert(sync.argument);
            }
            Op::AcquireShared => {
                self.shared.insert(sync.object);
                *held.shared.entry(thread).or_default() += 1;
            }
            Op::Acquire => match &mut held.owner {
                Some((owner, depth)) if *owner == thread => *depth += 1,
                Some(_) => {
                    self.odd.insert(sync.object);
                    held.owner = Some((thread, 1));
                }
                None => held.owner = Some((thread, 1)),
            },
            Op::Release => match &mut held.owner {
                Some((owner, depth)) if *owner == thread => {
                    *depth -= 1;
                    if *depth == 0 {
                        held.owner = None;
                    }
                }
                _ if held.shared.get(&thread).is_some_and(|count| *count > 0) => {
                    held.shared.entry(thread).and_modify(|count| *count -= 1);
                }
                _ => {
                    self.odd.insert(sync.object);
                    held.owner = None;
                }
            },
            _ => {}
        }
    }

    /// What this means, appended to the list with the thread of the trace that does it.
    pub fn step(&mut self, native: u32, sync: &Sync, acts: &mut Vec<(u32, Act)>) {
        if self.openmp.step(native, sync, acts) {
            return;
        }
        let thread = self.current(native);
        let mut act = |act| acts.push((thread, act));
        let object = sync.object;
        let (address, bytes) = (object, 1 << (sync.flag >> 4));
        match sync.op {
            Op::Fork if self.not_forked.contains(&sync.argument) => {}
            Op::Fork => act(Act::Fork(sync.argument as u32)),
            Op::Join => act(Act::Join(sync.argument as u32)),
            Op::Begin => {
                act(Act::Begin);
                if sync.argument > 0 {
                    act(Act::New { address: object, bytes: sync.argument, heap: false });
                }
            }
            Op::End => act(Act::End),
            Op::Acquire | Op::Release | Op::AcquireShared | Op::ReleaseShared => {
                self.lock(thread, sync, acts);
            }
            Op::Notify => act(Act::Notify(object)),
            Op::Wait => act(Act::Wait(object)),
            Op::Barrier => act(Act::Barrier(object)),
            Op::Load => act(Act::Atomic { address, bytes, reads: true, writes: false }),
            Op::Store => act(Act::Atomic { address, bytes, reads: false, writes: true }),
            Op::Update => act(Act::Atomic { address, bytes, reads: true, writes: true }),
            Op::Alloc => act(Act::New { address, bytes: sync.argument, heap: true }),
            Op::Free => act(Act::Gone { address, bytes: sync.argument }),
            _ => {}
        }
    }

    fn lock(&mut self, thread: u32, sync: &Sync, acts: &mut Vec<(u32, Act)>) {
        let object = sync.object;
        let mut act = |act| acts.push((thread, act));
        if self.odd.contains(&object) {
            match sync.op {
                Op::Acquire | Op::AcquireShared => act(Act::Wait(object | WRITERS)),
                _ => act(Act::Notify(object | WRITERS)),
            }
            return;
        }
        if !self.shared.contains(&object) {
            act(if sync.op == Op::Acquire { Act::Acquire(object) } else { Act::Release(object) });
            return;
        }
        match sync.op {
            Op::AcquireShared => act(Act::Wait(object | WRITERS)),
            Op::Acquire => {
                act(Act::Wait(object | WRITERS));
                act(Act::Wait(object | READERS));
                self.held.entry(object).or_default().owner = Some((thread, 1));
            }
            _ => {
                let held = self.held.entry(object).or_default();
                let wrote = held.owner.take_if(|(owner, _)| *owner == thread).is_some();
                act(Act::Notify(object | if wrote { WRITERS } else { READERS }));
            }
        }
    }
}
