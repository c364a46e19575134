//! What a command may use: time, memory of the whole process, instructions, and the user's patience.
//!
//! One [`Budget`] is made for a command, and goes along to every phase of every engine: each asks [`Budget::is_over`] at
//! intervals, and if so, ends with what it has. A part of the work that may take only a part of the time gets a budget with an
//! earlier end ([`Budget::until`], [`Budget::part`]); all parts share memory, instructions, and interruption.
//!
//! *Memory* is what the system counts as resident for this process (`/proc/self/statm`), so that nothing is left out; it is
//! looked at no more often than every few milliseconds. Where the system does not say it, there is no limit of memory.

use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Time between two looks at the memory.
const LOOK: Duration = Duration::from_millis(5);

/// What there was too little of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spent {
    /// Time (`--time-limit`).
    Time,
    /// Memory (`--memory-limit`).
    Memory,
    /// Instructions (`--max-instructions`).
    Instructions,
    /// The user's patience: a signal with this number came.
    Interrupted(i32),
}

/// What all parts of a budget share.
#[derive(Debug)]
struct Purse {
    started: Instant,
    /// The most bytes, and the most instructions.
    memory: Option<u64>,
    instructions: Option<u64>,
    executed: AtomicU64,
    /// When the memory is to be looked at again, in nanoseconds from the start; `u64::MAX` if it was too much once.
    next_look: AtomicU64,
    /// The signal that came; 0 if none did.
    signal: AtomicI32,
}

/// Time until an end, with what all parts share. Cheap to copy; what is shared (less than 100 bytes) lives as long as the
/// process.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    end: Option<Instant>,
    shared: &'static Purse,
}

/// What a budget allows in all; nothing means no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// Time from now on.
    pub time: Option<Duration>,
    /// Bytes of the whole process.
    pub memory: Option<u64>,
    /// Instructions of the checked program, in all its runs.
    pub instructions: Option<u64>,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget::new(Limits::default())
    }
}

impl Budget {
    /// A budget that begins now.
    pub fn new(limits: Limits) -> Budget {
        let started = Instant::now();
        let shared = Box::leak(Box::new(Purse {
            started,
            memory: limits.memory,
            instructions: limits.instructions,
            executed: AtomicU64::new(0),
            next_look: AtomicU64::new(0),
            signal: AtomicI32::new(0),
        }));
        Budget { end: limits.time.and_then(|time| started.checked_add(time)), shared }
    }

    /// One of time alone.
    pub fn of_time(time: Duration) -> Budget {
        Budget::new(Limits { time: Some(time), ..Limits::default() })
    }

    /// The same, with an end that comes no later than this time from now.
    pub fn until(self, time: Duration) -> Budget {
        let end = Instant::now().checked_add(time);
        Budget { end: [self.end, end].into_iter().flatten().min(), ..self }
    }

    /// The same, with one `share`th of the time that is left.
    pub fn part(self, share: u32) -> Budget {
        self.left().map_or(self, |left| self.until(left / share.max(1)))
    }

    /// The time that is left; nothing if there is no limit.
    pub fn left(self) -> Option<Duration> {
        self.end.map(|end| end.saturating_duration_since(Instant::now()))
    }

    /// When the time ends.
    pub fn end(self) -> Option<Instant> {
        self.end
    }

    /// How long ago it began.
    pub fn elapsed(self) -> Duration {
        self.shared.started.elapsed()
    }

    /// Whether anything is used up.
    #[inline]
    pub fn is_over(self) -> bool {
        self.spent().is_some()
    }

    /// What is used up, if something is.
    pub fn spent(self) -> Option<Spent> {
        let signal = self.shared.signal.load(Ordering::Relaxed);
        if signal != 0 {
            return Some(Spent::Interrupted(signal));
        }
        let now = Instant::now();
        if self.end.is_some_and(|end| now >= end) {
            return Some(Spent::Time);
        }
        let shared = self.shared;
        if shared.instructions.is_some_and(|most| shared.executed.load(Ordering::Relaxed) >= most) {
            return Some(Spent::Instructions);
        }
        let most = shared.memory?;
        let since = now.duration_since(shared.started).as_nanos() as u64;
        let next = shared.next_look.load(Ordering::Relaxed);
        if next != u64::MAX && since >= next {
            let over = resident().is_some_and(|bytes| bytes >= most);
            let next = if over { u64::MAX } else { since + LOOK.as_nanos() as u64 };
            shared.next_look.store(next, Ordering::Relaxed);
        }
        (shared.next_look.load(Ordering::Relaxed) == u64::MAX).then_some(Spent::Memory)
    }

    /// Counts instructions that were executed.
    pub fn spend(self, instructions: u64) {
        self.shared.executed.fetch_add(instructions, Ordering::Relaxed);
    }

    /// Everything is to end, because this signal came.
    pub fn interrupt(self, signal: i32) {
        self.shared.signal.store(signal, Ordering::Relaxed);
    }

    /// The most bytes that the process may have.
    pub fn memory(self) -> Option<u64> {
        self.shared.memory
    }
}

/// The bytes of memory that the process has now, as far as the system says it.
pub fn resident() -> Option<u64> {
    // The second number counts pages; they have 4 KiB on all systems that are supported.
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    text.split_ascii_whitespace().nth(1)?.parse::<u64>().ok().map(|pages| pages << 12)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_end_earlier_and_share_the_rest() {
        let all = Budget::of_time(Duration::from_secs(1000));
        let part = all.part(2);
        assert!(part.left() < Some(Duration::from_secs(501)) && all.left() > Some(Duration::from_secs(900)));
        assert!(all.until(Duration::ZERO).spent() == Some(Spent::Time) && !all.is_over());
        assert!(part.until(Duration::from_secs(5000)).left() < Some(Duration::from_secs(501)));
        part.interrupt(2);
        assert_eq!((all.spent(), part.spent()), (Some(Spent::Interrupted(2)), Some(Spent::Interrupted(2))));
    }

    #[test]
    fn memory_and_instructions_are_of_the_whole_process() {
        let small = Budget::new(Limits { memory: Some(1), ..Limits::default() });
        assert_eq!(small.spent(), resident().map(|_| Spent::Memory));
        let few = Budget::new(Limits { instructions: Some(10), ..Limits::default() });
        few.spend(9);
        assert!(!few.is_over());
        few.part(2).spend(1);
        assert_eq!(few.spent(), Some(Spent::Instructions));
        assert!(!Budget::default().is_over());
    }
}
