//! Limits: a deadline, the effort for one question, and events fed to an analysis in pieces small enough that a deadline is kept.
//!
//! Reading the clock costs about as much as an analysis of one easy event, so it is read once for a piece of the trace. How
//! long a piece takes depends on the analysis and on the trace (with all accesses kept, an event is compared with millions),
//! so the pieces shrink while they take long and grow while they do not.

use std::cell::Cell;
use std::time::{Duration, Instant};

use trace::{Event, EventId};

use crate::Streaming;

/// Passes over a trace look at the clock after so many events.
pub(crate) const OFTEN: usize = 1 << 16;

/// Whether a deadline has passed.
#[inline]
pub(crate) fn is_over(deadline: Option<Instant>) -> bool {
    deadline.is_some_and(|deadline| Instant::now() >= deadline)
}

/// Why something was not brought to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The deadline has passed.
    Deadline,
    /// The steps allowed for it are used up.
    Effort,
}

/// What one question may cost: a number of steps, so that the answer does not depend on the machine, and a deadline.
#[derive(Debug)]
pub struct Effort {
    allowed: u64,
    left: Cell<u64>,
    /// With so many steps left the clock is read next.
    look_at: Cell<u64>,
    deadline: Option<Instant>,
}

impl Effort {
    /// The clock is read once in so many steps.
    const TICKS: u64 = 1024;

    /// At most so many steps, until the deadline.
    pub fn new(steps: u64, deadline: Option<Instant>) -> Effort {
        Effort { allowed: steps, left: Cell::new(steps), look_at: Cell::new(steps), deadline }
    }

    /// As many steps as it takes, until the deadline.
    pub fn unlimited(deadline: Option<Instant>) -> Effort {
        Effort::new(u64::MAX, deadline)
    }

    /// How many steps were spent.
    pub fn spent(&self) -> u64 {
        self.allowed - self.left.get()
    }

    /// Whether nothing is left, or the deadline has passed.
    pub fn is_used_up(&self) -> bool {
        self.left.get() == 0 || is_over(self.deadline)
    }

    /// Spends some steps.
    #[inline]
    pub fn spend(&self, steps: u64) -> Result<(), Stop> {
        let left = self.left.get().checked_sub(steps).ok_or(Stop::Effort);
        let Ok(left) = left else {
            self.left.set(0);
            return Err(Stop::Effort);
        };
        self.left.set(left);
        if left <= self.look_at.get() { self.look_at_clock(left) } else { Ok(()) }
    }

    #[cold]
    fn look_at_clock(&self, left: u64) -> Result<(), Stop> {
        self.look_at.set(left.saturating_sub(Effort::TICKS));
        if is_over(self.deadline) { Err(Stop::Deadline) } else { Ok(()) }
    }
}

/// Feeds a streaming analysis until the deadline.
#[derive(Debug)]
pub(crate) struct Feeder {
    deadline: Option<Instant>,
    /// How many events the next piece has.
    piece: usize,
}

impl Feeder {
    pub(crate) fn new(deadline: Option<Instant>) -> Feeder {
        Feeder { deadline, piece: 1 << 10 }
    }

    /// Feeds events, the first of them with this number. Says whether all were taken before the deadline.
    pub(crate) fn feed(&mut self, analysis: &mut dyn Streaming, first: EventId, events: &[Event]) -> bool {
        const LONG: Duration = Duration::from_millis(40);
        if self.deadline.is_none() {
            analysis.events(first, events);
            return true;
        }
        let mut at = 0;
        while at < events.len() {
            let began = Instant::now();
            if self.deadline.is_some_and(|deadline| began >= deadline) {
                return false;
            }
            let end = events.len().min(at + self.piece);
            analysis.events(EventId(first.0 + at as u32), &events[at..end]);
            self.piece = match began.elapsed() {
                took if took > LONG => (self.piece / 4).max(1),
                took if took < LONG / 8 => (self.piece * 2).min(OFTEN),
                _ => self.piece,
            };
            at = end;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Answer, Options, find};
    use trace::Trace;

    /// Takes a millisecond for each event.
    struct Slow(u32);

    impl Streaming for Slow {
        fn event(&mut self, _: EventId, _: &Event) {
            std::thread::sleep(Duration::from_millis(1));
            self.0 += 1;
        }

        fn finish(self: Box<Self>) -> Answer {
            Answer::default()
        }
    }

    #[test]
    fn effort_ends() {
        let effort = Effort::new(10, None);
        assert_eq!((effort.spend(4), effort.spent()), (Ok(()), 4));
        assert_eq!((effort.spend(6), effort.spend(1)), (Ok(()), Err(Stop::Effort)));
        assert_eq!(effort.spent(), 10);
        let late = Effort::unlimited(Some(Instant::now()));
        assert_eq!(late.spend(1), Err(Stop::Deadline));
    }

    #[test]
    fn pieces_keep_the_deadline_and_the_order() {
        let trace = Trace::parse_std(&"A|w(x)|1\nB|w(x)|2\n".repeat(40_000)).expect("a trace");
        let mut slow = Slow(0);
        let mut feeder = Feeder::new(Some(Instant::now() + Duration::from_millis(300)));
        feeder.piece = 16;
        assert!(!feeder.feed(&mut slow, EventId(0), &trace.events));
        assert!(slow.0 > 0 && slow.0 < 2000, "{} events", slow.0);
        let hb = find("hb").expect("an analysis");
        let whole = crate::run(&hb, &trace, &Options::default());
        let limit = Some(Duration::from_secs(3600));
        assert_eq!(crate::run(&hb, &trace, &Options { time_limit: limit, ..Options::default() }), whole);
    }
}
