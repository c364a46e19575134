//! Barriers. Everybody who leaves is ordered after everybody who arrived in the same round.
//!
//! As long as exactly the threads of the first round use a barrier, the order of arrivals cannot be observed, so arriving
//! is a local operation. When another thread comes, the search starts again with arrivals as scheduling points.

use base::DefectKind;

use super::table::{Entry, Kind};
use crate::clock::Clock;
use crate::observe::{Edge, Work};
use crate::state::Machine;
use crate::stop::Stop;
use crate::thread::{Pending, Status, Thread};

/// What one of the threads gets.
const SERIAL: u64 = u32::MAX as u64;

impl<'p> Machine<'p> {
    pub(crate) fn barrier_wait(&mut self, t: usize, th: &mut Thread, address: u64) -> Result<(), Stop> {
        self.usable(address, "barrier")?;
        if self.is_in_team(th) {
            self.program.note_number();
        }
        let Some(entry) = self.sync.get(address).cloned() else {
            return Err(Stop::defect(DefectKind::Misuse, "a barrier that was not initialised"));
        };
        let Kind::Barrier { count, mut arrived, mut members } = entry.kind else {
            return Err(Stop::defect(DefectKind::Misuse, "something that is not a barrier is used as one"));
        };
        let me = t as u32;
        if !members.contains(&me) {
            if members.len() >= count as usize && !self.mode.branch_barriers {
                return Err(Stop::BarrierOrder);
            }
            if members.len() < count as usize {
                members.insert(members.partition_point(|&m| m < me), me);
            }
        }
        let last = arrived.len() + 1 == count as usize;
        // Which of the threads is told that it is the one is not specified; it is a choice of the last to arrive.
        let serial = match (last && count > 1, th.choice) {
            (false, _) => 0,
            (true, Some(choice)) => choice,
            (true, None) => return Err(Stop::Choose(count)),
        };
        th.choice = None;
        // Nobody is ordered after an earlier round: the first to arrive begins a new one.
        let edge = if arrived.is_empty() { Edge::ReleaseOnly(address) } else { Edge::Release(address) };
        arrived.insert(arrived.partition_point(|&m| m < me), me);
        self.observe(t, th, edge);
        self.tell(t, th, &Work::Arrive(address));
        let mut gathered = entry.second;
        gathered.join(&th.clock);
        self.next_epoch(t, th);
        if !last {
            let kind = Kind::Barrier { count, arrived, members };
            self.set_sync(address, Some(Entry { kind, clock: entry.clock, second: gathered, len: 0 }));
            th.status = Status::At(Pending::AtBarrier(address));
            return Ok(());
        }
        for (i, &u) in arrived.iter().enumerate() {
            let result = if i == serial as usize { SERIAL } else { 0 };
            self.leave_barrier(t, th, u as usize, address, &gathered, result);
        }
        let kind = Kind::Barrier { count, arrived: Vec::new(), members };
        self.set_sync(address, Some(Entry { clock: gathered, ..Entry::new(kind) }));
        Ok(())
    }

    fn leave_barrier(
        &mut self,
        t: usize,
        th: &mut Thread,
        u: usize,
        address: u64,
        gathered: &Clock,
        result: u64,
    ) {
        if u == t {
            self.observe(t, th, Edge::Acquire(address));
            self.tell(t, th, &Work::Leave(address));
            self.learn(t, th, gathered);
            self.done(th, result);
            return;
        }
        self.save_thread(u);
        let mut other = std::mem::take(&mut self.threads[u]);
        self.observe(u, &other, Edge::Acquire(address));
        self.tell(u, &other, &Work::Leave(address));
        self.learn(u, &mut other, gathered);
        self.done(&mut other, result);
        self.threads[u] = other;
    }
}
