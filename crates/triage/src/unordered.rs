//! Direct dependences where the order of accesses is not known (P3 sections 3.2 and 4.1).
//!
//! Between two conflicting computation events that synchronisation leaves unordered, a direct shared-data dependence is
//! assumed both ways; it may steer control if the one writes what the other reads. That is an edge for each pair; but
//! the events of thread `u` that are unordered with an event `a` follow each other in `u`, so an edge from `a` to the first
//! of them that conflicts implies those to the others (by `u`'s own order), and the same from the other side.
//!
//! Memory: for each event and variable one number for each other thread that uses the variable.

/// What an event does with a variable; `STEERS` are reads whose value may steer control.
pub(crate) mod what {
    pub const READ: u8 = 1;
    pub const WRITE: u8 = 2;
    pub const ATOMIC_READ: u8 = 4;
    pub const ATOMIC_WRITE: u8 = 8;
    pub const STEERS: u8 = 16;
    pub const ATOMIC_STEERS: u8 = 32;
}
use what::{ATOMIC_READ, ATOMIC_STEERS, ATOMIC_WRITE, READ, STEERS, WRITE};

/// What conflicts with this.
fn conflicting(what: u8) -> u8 {
    let mut mask = 0;
    if what & WRITE != 0 {
        mask |= READ | WRITE | ATOMIC_READ | ATOMIC_WRITE;
    }
    if what & READ != 0 {
        mask |= WRITE | ATOMIC_WRITE;
    }
    if what & ATOMIC_WRITE != 0 {
        mask |= READ | WRITE;
    }
    if what & ATOMIC_READ != 0 {
        mask |= WRITE;
    }
    mask
}

/// What may be steered by this.
fn steered(what: u8) -> u8 {
    let plain = if what & WRITE != 0 { STEERS | ATOMIC_STEERS } else { 0 };
    let atomic = if what & ATOMIC_WRITE != 0 { STEERS } else { 0 };
    plain | atomic
}

#[derive(Debug)]
struct Unit {
    node: u32,
    time: u32,
    what: u8,
    /// By other thread of the variable: how many of its units are ordered before this one.
    before: Vec<u32>,
}

/// The computation events that use a variable, by thread.
#[derive(Debug, Default)]
pub(crate) struct Users {
    threads: Vec<u32>,
    units: Vec<Vec<Unit>>,
}

impl Users {
    /// An event uses the variable (again). `knows`: which times of the other threads are ordered before it.
    pub fn add(&mut self, thread: u32, node: u32, time: u32, what: u8, knows: &[u32]) {
        let own = self.threads.iter().position(|&t| t == thread).unwrap_or_else(|| {
            self.threads.push(thread);
            self.units.push(Vec::new());
            self.threads.len() - 1
        });
        if let Some(last) = self.units[own].last_mut()
            && last.node == node
        {
            last.what |= what;
            return;
        }
        let known = |t: u32| knows.get(t as usize).copied().unwrap_or(0);
        let before = self.threads.iter().zip(&self.units);
        let before = before.map(|(&t, units)| units.partition_point(|u| u.time <= known(t)) as u32).collect();
        self.units[own].push(Unit { node, time, what, before });
    }

    /// Adds the edges of dependences, and of those that may steer control.
    pub fn edges(&self, data: &mut Vec<(u32, u32)>, control: &mut Vec<(u32, u32)>) {
        let mut next: Vec<Option<Vec<u32>>> = vec![None; 1 << 6];
        for (u, others) in self.units.iter().enumerate() {
            next.fill(None);
            for (t, units) in self.units.iter().enumerate() {
                if t == u {
                    continue;
                }
                for (i, unit) in units.iter().enumerate() {
                    let low = unit.before.get(u).copied().unwrap_or(0) as usize;
                    let high =
                        others.partition_point(|o| o.before.get(t).copied().unwrap_or(0) as usize <= i);
                    let mut add = |mask: u8, edges: &mut Vec<(u32, u32)>| {
                        let table = next[mask as usize].get_or_insert_with(|| next_of(others, mask));
                        let first = table[low.min(others.len())] as usize;
                        if mask != 0 && first < high {
                            edges.push((unit.node, others[first].node));
                        }
                    };
                    add(conflicting(unit.what), data);
                    add(steered(unit.what), control);
                }
            }
        }
    }
}

/// By index: the first unit from there on that does something of the mask; the length if there is none.
fn next_of(units: &[Unit], mask: u8) -> Vec<u32> {
    let mut next = vec![units.len() as u32; units.len() + 1];
    for i in (0..units.len()).rev() {
        next[i] = if units[i].what & mask != 0 { i as u32 } else { next[i + 1] };
    }
    next
}
