//! Loops that come back to the same state without synchronising.
//!
//! P1 asks for a scheduling point in every cycle of a thread's local states. Instead of putting one into every loop, the
//! cycle is found while it runs (Brent's algorithm): every now and then the state at a loop head is remembered, and later
//! arrivals at loop heads are compared with it. Since only this thread runs, the state is its frames and the memory.

use crate::thread::{Frame, Thread};

/// Loop iterations before the first look.
const PATIENCE: u64 = 500;

/// The search for a cycle within one run of a thread.
#[derive(Debug, Default)]
pub struct Cycle {
    steps: u64,
    /// When to remember a state again.
    renew: u64,
    frames: Vec<Frame>,
    slots: Vec<u64>,
    memory: u128,
}

impl Cycle {
    /// Counts an iteration; says whether to look.
    #[inline]
    pub fn step(&mut self) -> bool {
        self.steps += 1;
        self.steps > PATIENCE
    }

    /// Whether [`Cycle::repeats`] is worth asking at this loop head, going by the innermost frame alone: cheap, since it
    /// is asked at every iteration.
    #[inline]
    pub fn wants(&self, pc: usize, slots: &[u64]) -> bool {
        // Slots mostly differ early: comparing them here takes less than calling `memcmp` (8% of a tight loop).
        self.steps > self.renew
            || self.frames.last().is_some_and(|f| {
                f.pc as usize == pc && slots.iter().zip(&self.slots[f.base..]).all(|(a, b)| a == b)
            })
    }

    /// Whether the thread is in the state that was remembered.
    pub fn repeats(&mut self, th: &Thread, mut memory: impl FnMut() -> u128) -> bool {
        if self.steps > self.renew {
            self.renew = self.steps * 2;
            self.frames.clone_from(&th.frames);
            self.slots.clone_from(&th.slots);
            self.memory = memory();
            return false;
        }
        th.frames == self.frames && th.slots == self.slots && memory() == self.memory
    }
}
