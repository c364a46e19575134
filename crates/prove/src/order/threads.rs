//! Threads of their own: creation, join, and barriers of POSIX threads.

use base::reason::Structure;
use std::sync::Arc;

use super::clock::join;
use super::{Barrier, Kind, NOWHERE, Order, Thread};

impl Order {
    /// Thread `t` creates thread `u`.
    pub fn fork(&mut self, t: usize, u: usize) {
        let Some(chain) = self.current(t) else { return };
        if self.chains[chain as usize].frame != 0 {
            // A worker of a team that is about to be forked, or else not understood.
            self.unclaimed.push(u);
        }
        let clock = self.release(chain);
        self.entries += clock.len();
        let id = self.next_id(chain, 1);
        let child = self.new_chain(Kind::Fixed, 0, id, Arc::new(clock));
        while self.threads.len() <= u {
            self.threads.push(Thread { pos: NOWHERE, ..Thread::default() });
        }
        self.threads[u].stack = vec![child];
        self.place(u);
        self.place(t);
    }

    /// Thread `t` has waited for the end of thread `u`.
    pub fn join(&mut self, t: usize, u: usize) {
        let Some(chain) = self.current(t) else { return };
        self.threads[t].waits = None;
        if self.chains[chain as usize].frame != 0 || self.threads.get(u).is_none_or(|u| u.stack.len() != 1) {
            self.confused = Some(Structure::JoinInside);
            return;
        }
        let other = self.threads[u].stack[0];
        let clock = self.release(other);
        self.chains[other as usize].ended = true;
        self.learn(chain, &clock);
        self.place(t);
    }

    /// Thread `t` stands before joining `u`.
    pub fn waits(&mut self, t: usize, u: usize) {
        if self.current(t).is_some() {
            self.threads[t].waits = Some(u);
        }
    }

    /// Thread `t` has ended.
    pub fn end(&mut self, t: usize) {
        if let Some(chain) = self.current(t) {
            self.chains[chain as usize].ended = true;
        }
    }

    pub(super) fn arrive(&mut self, t: usize, address: u64) {
        let Some(chain) = self.current(t) else { return };
        let clock = self.release(chain);
        let barrier = self.barriers.entry(address).or_default();
        if barrier.leaving {
            *barrier = Barrier::default();
        }
        barrier.gathered = join(&barrier.gathered, &clock);
        self.place(t);
    }

    pub(super) fn leave(&mut self, t: usize, address: u64) {
        let Some(chain) = self.current(t) else { return };
        let barrier = self.barriers.entry(address).or_default();
        barrier.leaving = true;
        let clock = std::mem::take(&mut barrier.gathered);
        self.learn(chain, &clock);
        self.barriers.entry(address).or_default().gathered = clock;
        self.place(t);
    }
}
