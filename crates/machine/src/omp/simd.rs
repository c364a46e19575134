//! The lanes of `simd` loops, as the front end marks them (`__rp_simd_*`).
//!
//! A lane runs on the thread that executes the loop, one after another; only observers are told that another execution
//! could run lanes at the same time. Without an observer nothing is done, so that no state depends on it.

use crate::observe::{ShareKind, Work};
use crate::state::Machine;
use crate::stop::Stop;
use crate::thread::Thread;
use base::reason::Openmp;

/// A `simd` loop in execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lanes {
    /// Its number in this run.
    pub share: u32,
    /// Within how many iterations lanes run at the same time; 0: any.
    pub safelen: u64,
    /// Whether a lane has begun.
    pub begun: bool,
}

impl Machine<'_> {
    /// A loop begins.
    pub(crate) fn simd_begin(&mut self, th: &mut Thread, safelen: u64) {
        if self.observer.is_some() {
            let omp = self.omp_mut();
            let share = omp.next_share;
            omp.next_share += 1;
            th.omp.lanes.push(Lanes { share, safelen, begun: false });
        }
    }

    /// A loop of which the iterations may run at the same time on one thread begins. Several threads execute them in every
    /// distribution, so that any two meet on two threads; in a team of one only observers compare them.
    pub(crate) fn refuse_unobserved(&mut self, t: usize, th: &mut Thread) -> Result<(), Stop> {
        if self.observer.is_none() && self.seat(t, th).size == 1 {
            return Err(Stop::unknown(Openmp::ConcurrentAlone));
        }
        Ok(())
    }

    /// A `simd` loop begins. In a task of a `taskloop` that its creator executes at once, lanes of other splits would be in other tasks, which
    /// come before or behind it here.
    pub(crate) fn refuse_undeferred(&mut self, t: usize, th: &mut Thread) -> Result<(), Stop> {
        let Some((task, inline)) = self.seat(t, th).running.last().map(|r| (r.task, r.inline)) else {
            return Ok(());
        };
        let split = self.omp.tasks.get(&task).is_some_and(|record| record.split);
        if split && (inline || self.is_included(task)) {
            return Err(Stop::unknown(Openmp::UndeferredLanes));
        }
        Ok(())
    }

    /// The lane of an iteration begins, and that of the one before ends.
    pub(crate) fn simd_lane(&mut self, t: usize, th: &mut Thread, iteration: u64) {
        let Some(lanes) = th.omp.lanes.last().copied() else { return };
        if lanes.begun {
            self.tell(t, th, &Work::End { share: lanes.share });
        }
        if let Some(lanes) = th.omp.lanes.last_mut() {
            lanes.begun = true;
        }
        let Lanes { share, safelen, .. } = lanes;
        let (kind, nth) = (ShareKind::Simd, 0);
        let (number, count, open) = (iteration, safelen, false);
        let (again, mapping) = (None, None);
        self.tell(t, th, &Work::Begin { share, nth, kind, number, count, open, again, mapping });
    }

    /// The innermost loop has ended.
    pub(crate) fn simd_end(&mut self, t: usize, th: &mut Thread) {
        let Some(lanes) = th.omp.lanes.pop() else { return };
        if lanes.begun {
            self.tell(t, th, &Work::End { share: lanes.share });
        }
    }

    /// An `ordered simd` block begins or ends.
    pub(crate) fn simd_ordered(&mut self, t: usize, th: &Thread, begins: bool) {
        let Some(share) = th.omp.lanes.last().map(|l| l.share) else { return };
        let work = if begins { Work::OrderedBegin { share } } else { Work::OrderedEnd { share } };
        self.tell(t, th, &work);
    }
}
