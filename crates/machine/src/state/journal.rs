//! The journal of a machine: what changed since a mark, so that the search can go back to it.

use crate::clock::Clock;
use crate::memory;
use crate::omp::Omp;
use crate::symbol::Symbols;
use crate::sync::table::{Entry, sequence_of};
use crate::thread::Thread;

use super::Machine;

/// What can be undone outside the memory.
#[derive(Debug)]
pub(super) enum Undo {
    Thread(usize, Box<Thread>),
    Created,
    Sync(u64, Option<Entry>),
    Exited(Option<i32>),
    Holder(Option<u32>),
    Omp(Box<Omp>),
    Symbols(Box<Symbols>),
}

/// A point in time to go back to.
#[derive(Debug)]
pub struct Mark {
    memory: memory::Mark,
    undo: usize,
}

impl Machine<'_> {
    /// Remembers this point in time. Call [`Machine::fingerprint`] before.
    pub fn mark(&mut self) -> Mark {
        self.marks += 1;
        self.epoch += 1;
        Mark { memory: self.memory.mark(), undo: self.undo.len() }
    }

    /// Goes back to a mark.
    pub fn rollback(&mut self, mark: &Mark) {
        self.memory.rollback(&mark.memory);
        while self.undo.len() > mark.undo {
            match self.undo.pop().expect("the journal is longer than the mark") {
                Undo::Thread(t, mut thread) => {
                    std::mem::swap(&mut self.threads[t], &mut *thread);
                    // Its segments must not count as shared.
                    thread.history.clear();
                    self.spare.push(thread);
                }
                Undo::Created => {
                    self.threads.pop();
                }
                Undo::Sync(address, entry) => {
                    self.sync.replace(address, entry);
                }
                Undo::Exited(code) => self.exited = code,
                Undo::Holder(holder) => self.holder = holder,
                Undo::Omp(omp) => self.omp = *omp,
                Undo::Symbols(symbols) => self.symbols = *symbols,
            }
        }
        self.epoch += 1;
        self.update_recording();
    }

    /// Forgets the newest mark, right after a rollback to it.
    pub fn discard(&mut self, mark: &Mark) {
        self.marks -= 1;
        self.memory.discard(&mark.memory, self.marks == 0);
        if self.marks == 0 {
            self.undo.clear();
        }
    }

    fn saving(&self) -> bool {
        self.marks > 0
    }

    /// Saves a thread before it changes. Call before taking a thread's fields for writing.
    pub(crate) fn save_thread(&mut self, t: usize) {
        let epoch = self.epoch;
        if self.saving() && self.threads[t].saved != epoch {
            let mut copy = self.spare.pop().unwrap_or_default();
            copy_thread(&mut copy, &self.threads[t]);
            self.undo.push(Undo::Thread(t, copy));
        }
        self.threads[t].saved = epoch;
        self.threads[t].hash = None;
    }

    /// Adds a thread.
    pub(crate) fn add_thread(&mut self, thread: Thread) -> usize {
        if self.saving() {
            self.undo.push(Undo::Created);
        }
        self.threads.push(thread);
        self.update_recording();
        self.threads.len() - 1
    }

    /// Changes a synchronisation object.
    pub(crate) fn set_sync(&mut self, address: u64, entry: Option<Entry>) {
        if entry.is_none() && self.program.stores_continue() {
            for t in 0..self.threads.len() {
                let sequence = sequence_of(address, t);
                if self.sync.get(sequence).is_some() {
                    self.replace_sync(sequence, None);
                }
            }
        }
        self.replace_sync(address, entry);
    }

    fn replace_sync(&mut self, address: u64, entry: Option<Entry>) {
        let old = self.sync.replace(address, entry);
        if self.saving() {
            self.undo.push(Undo::Sync(address, old));
        }
    }

    pub(crate) fn set_exited(&mut self, code: i32) {
        if self.saving() {
            self.undo.push(Undo::Exited(self.exited));
        }
        self.exited = Some(code);
    }

    pub(crate) fn set_holder(&mut self, holder: Option<u32>) {
        if self.saving() {
            self.undo.push(Undo::Holder(self.holder));
        }
        self.holder = holder;
    }

    /// The OpenMP runtime's state, to be changed.
    pub(crate) fn omp_mut(&mut self) -> &mut Omp {
        if self.saving() && self.omp.saved != self.epoch {
            self.undo.push(Undo::Omp(Box::new(self.omp.clone())));
        }
        self.omp.saved = self.epoch;
        &mut self.omp
    }

    /// The table of inputs that are not fixed, to be changed.
    pub(crate) fn symbols_mut(&mut self) -> &mut Symbols {
        if self.saving() && self.symbols.saved != self.epoch {
            self.undo.push(Undo::Symbols(Box::new(self.symbols.clone())));
        }
        self.symbols.saved = self.epoch;
        &mut self.symbols
    }
}

/// Makes one thread a copy of another, in the room that it has: the search does this for every transition.
fn copy_thread(to: &mut Thread, from: &Thread) {
    let Thread {
        frames,
        slots,
        shadows,
        status,
        clock,
        epoch,
        history,
        seen,
        fenced,
        locks,
        result,
        joined,
        detached,
        created,
        start,
        caught,
        uncaught,
        nested,
        stage,
        tls,
        choice,
        omp,
        hash,
        saved,
        maybe,
        aside,
        told,
        group,
        touched,
        spawned,
    } = from;
    let copy_clock = |to: &mut Clock, from: &Clock| {
        to.clear();
        to.join(from);
    };
    to.frames.clone_from(frames);
    to.slots.clone_from(slots);
    to.shadows.clone_from(shadows);
    to.status = *status;
    copy_clock(&mut to.clock, clock);
    to.epoch = *epoch;
    to.history.copy_from(history);
    copy_clock(&mut to.seen, seen);
    copy_clock(&mut to.fenced, fenced);
    to.locks.clone_from(locks);
    to.result = *result;
    to.joined = *joined;
    to.detached = *detached;
    to.created = *created;
    to.start = *start;
    to.caught.clone_from(caught);
    to.uncaught = *uncaught;
    to.nested = *nested;
    to.stage = *stage;
    to.tls.clone_from(tls);
    to.choice = *choice;
    to.omp.clone_from(omp);
    to.hash = *hash;
    to.saved = *saved;
    to.maybe = *maybe;
    to.aside = *aside;
    to.told = *told;
    to.group = *group;
    to.touched = *touched;
    to.spawned.clone_from(spawned);
}
