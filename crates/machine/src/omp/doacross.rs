//! Doacross loops: `ordered(n)` with `depend(source)` and `depend(sink: ...)`.
//!
//! An iteration vector is a number in the nest, and what it passes on goes through an object of its own.

use base::reason::Openmp;
use std::sync::Arc;

use super::sched::Split;
use super::team::estate;
use super::{OmpWait, Share};
use crate::native::Call;
use crate::observe::{ShareKind, Work};
use crate::state::Machine;
use crate::stop::Stop;
use crate::thread::{Pending, Status, Thread};

/// Where in a region's address space iterations pass on clocks.
const ITERATIONS: u64 = 1 << 22;

/// The object of an iteration; so many that those of one loop do not meet.
fn object(home: u64, share: u64, iteration: u64) -> u64 {
    estate(home) + ITERATIONS + ((share % 16) << 23 | ((iteration % (1 << 20)) << 3))
}

impl Machine<'_> {
    /// The home, the number and the construct of the nest that the thread executes.
    fn nest(&self, th: &Thread) -> Option<(u64, u64, &Share)> {
        let seat = th.omp.seats.last()?;
        let number = match &seat.doing {
            Some(doing) => doing.share,
            None => seat.shares.checked_sub(1)?,
        };
        let share = self.region(seat.home).share(number)?;
        (!share.nest.is_empty()).then_some((seat.home, number, share))
    }

    /// The number of an iteration vector in the nest; `None` if it is none of its iterations.
    fn vector(&self, th: &Thread, vector: &[i64]) -> Option<u64> {
        let (_, _, share) = self.nest(th)?;
        let mut number = 0u64;
        for (&(lower, step, count), &at) in share.nest.iter().zip(vector) {
            let distance = i128::from(at) - i128::from(lower);
            if step == 0 || distance % i128::from(step) != 0 {
                return None;
            }
            let index = distance / i128::from(step);
            if index < 0 || index >= i128::from(count) {
                return None;
            }
            number = number.wrapping_mul(count).wrapping_add(index as u64);
        }
        Some(number)
    }

    /// Whether an iteration has posted.
    pub(crate) fn is_posted(&self, th: &Thread, iteration: u64) -> bool {
        self.nest(th).is_none_or(|(_, _, share)| share.posted.contains(&iteration))
    }

    /// The iteration that the thread waited for has posted.
    pub(crate) fn sink(&mut self, t: usize, th: &mut Thread, iteration: u64) {
        if let Some((home, number, share)) = self.nest(th) {
            let serial = share.serial;
            self.acquire(t, th, object(home, number, iteration));
            self.tell(t, th, &Work::Sink { share: serial, vector: iteration });
        }
        self.done(th, 0);
    }

    /// `__kmpc_doacross_init`: announces the nest of the next loop.
    pub(crate) fn doacross_init(c: &mut Call) -> Result<(), Stop> {
        let (dims, at) = (c.int(2)?.max(0) as u64, c.arg(3)?);
        let mut nest = Vec::new();
        for d in 0..dims {
            let mut field = [0i64; 3];
            for (i, f) in field.iter_mut().enumerate() {
                *f = c.variable(at + d * 24 + i as u64 * 8, 8)? as i64;
            }
            // clang 19 passes the number of iterations where the runtime expects the last one: one too many. Whoever waited for
            // that one would do so for ever, while the language ignores sinks outside of the loop (OpenMP 5.2, 15.9.5).
            let [lower, upper, step] = field;
            let trips = super::sched::trips(lower.into(), upper.into(), step.into());
            nest.push((lower, step, trips.saturating_sub(1)));
        }
        let (t, machine) = (c.t, &mut *c.machine);
        let seat = machine.seat(t, c.th);
        let home = seat.home;
        seat.shares += 1;
        seat.announced = true;
        let number = seat.shares - 1;
        if machine.region(home).share(number).is_none() {
            let omp = machine.omp_mut();
            let serial = omp.next_share;
            omp.next_share += 1;
            let mut share =
                Share::new(serial, ShareKind::Loop, Split::Chunks { trips: u64::MAX, chunk: 1 }, false);
            share.nest = nest;
            machine.region_mut(home).shares.push_back(Arc::new(share));
        }
        Ok(())
    }

    fn read_vector(c: &Call) -> Result<Option<u64>, Stop> {
        let Some(dims) = c.machine.nest(c.th).map(|(_, _, share)| share.nest.len()) else {
            return Err(Stop::unknown(Openmp::DoacrossOutside));
        };
        let at = c.arg(2)?;
        let values = (0..dims).map(|d| c.variable(at + d as u64 * 8, 8).map(|v| v as i64));
        let vector = values.collect::<Result<Vec<_>, _>>()?;
        Ok(c.machine.vector(c.th, &vector))
    }

    /// `__kmpc_doacross_wait`: waits for an iteration. One outside the loop is not waited for.
    pub(crate) fn doacross_wait(c: &mut Call) -> Result<(), Stop> {
        let Some(iteration) = Self::read_vector(c)? else { return Ok(()) };
        if c.machine.seat(c.t, c.th).size == 1 {
            return Ok(());
        }
        let wait = OmpWait::Sink(iteration);
        c.th.status = Status::At(Pending::Omp(wait));
        c.moved = true;
        if c.machine.omp_is_local(c.th, wait) {
            return c.machine.complete_local_as(c.t, c.th);
        }
        Err(Stop::AtSync)
    }

    /// `__kmpc_doacross_post`.
    pub(crate) fn doacross_post(c: &mut Call) -> Result<(), Stop> {
        let Some(iteration) = Self::read_vector(c)? else { return Ok(()) };
        let (t, machine) = (c.t, &mut *c.machine);
        let Some((home, number, share)) = machine.nest(c.th) else { return Ok(()) };
        let serial = share.serial;
        machine.pass_on(t, c.th, &[object(home, number, iteration)]);
        machine.tell(t, c.th, &Work::Post { share: serial, vector: iteration });
        if let Some(share) = machine.region_mut(home).share_mut(number) {
            share.posted.insert(iteration);
        }
        Ok(())
    }
}
