//! The entry of a worksharing construct that initialises a variable by the one that it writes back to (`firstprivate` and
//! `lastprivate` of one variable, `linear`).
//!
//! *Language.* OpenMP 5.2, 5.4.5: all threads have their initialised copies before the last value is written back. Nothing else is
//! ordered: there is no barrier at the entry of a worksharing construct (11).
//!
//! *Algorithm.* Every thread says that it has come with its copies ([`Machine::enter_construct`]), where clang waits at a barrier;
//! who writes back waits for all of them ([`Machine::await_entries`]), and comes behind what they did before.

use super::team::estate;
use super::{OmpWait, Put};
use crate::native::Call;
use crate::observe::Work;
use crate::state::Machine;
use crate::stop::Stop;
use crate::thread::{Pending, Status, Thread};

/// Where in a region's address space threads pass on clocks.
const ENTRIES: u64 = 3 << 26;

/// Who has come to a construct.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entries {
    /// The number of the construct in its region.
    construct: u64,
    /// A number of its own, for those who follow the run.
    serial: u32,
    /// The numbers of the threads, sorted.
    come: Vec<u32>,
}

impl Entries {
    /// What the state of the machine is made of; constructs count from `first`.
    pub(super) fn put(&self, first: u64, put: Put) {
        put(self.construct.wrapping_sub(first));
        put(self.come.len() as u64);
        self.come.iter().for_each(|&number| put(number.into()));
    }
}

/// The object through which a thread passes on what it did before the construct.
fn object(home: u64, construct: u64, number: u32) -> u64 {
    estate(home) + ENTRIES + ((construct % 16) << 20 | u64::from(number) << 3)
}

impl Machine<'_> {
    /// The thread has its copies of the variables of the construct that it comes to.
    pub(crate) fn enter_construct(c: &mut Call) -> Result<(), Stop> {
        let (t, machine) = (c.t, &mut *c.machine);
        let seat = machine.seat(t, c.th);
        if seat.size == 1 {
            return Ok(());
        }
        let (home, number, construct) = (seat.home, seat.number, seat.shares - u64::from(seat.announced));
        machine.pass_on(t, c.th, &[object(home, construct, number)]);
        let known = machine.region(home).entries.iter().find(|e| e.construct == construct);
        let serial = known.map_or(machine.omp.next_share, |e| e.serial);
        if known.is_none() {
            machine.omp_mut().next_share += 1;
            machine.region_mut(home).entries.push(Entries { construct, serial, come: Vec::new() });
        }
        machine.tell(t, c.th, &Work::Post { share: serial, vector: number.into() });
        let entries = &mut machine.region_mut(home).entries;
        if let Some(entries) = entries.iter_mut().find(|e| e.construct == construct) {
            let at = entries.come.partition_point(|&n| n < number);
            entries.come.insert(at, number);
        }
        Ok(())
    }

    /// Those who have come to the construct that the thread has just executed, if that counts.
    fn entries(&self, th: &Thread) -> Option<(u64, &Entries)> {
        let seat = th.omp.seats.last()?;
        let construct = seat.shares.checked_sub(1)?;
        let entries = self.region(seat.home).entries.iter().find(|e| e.construct == construct)?;
        Some((seat.home, entries))
    }

    /// Whether all threads have come to the construct.
    pub(super) fn all_entered(&self, th: &Thread) -> bool {
        let size = th.omp.seats.last().map_or(0, |seat| seat.size as usize);
        self.entries(th).is_none_or(|(_, entries)| entries.come.len() == size)
    }

    /// The thread is about to write back: waits for all who initialise.
    pub(crate) fn await_entries(c: &mut Call) -> Result<(), Stop> {
        if c.machine.entries(c.th).is_none() {
            return Ok(());
        }
        c.th.status = Status::At(Pending::Omp(OmpWait::Entries));
        c.moved = true;
        if c.machine.all_entered(c.th) {
            return c.machine.complete_local_as(c.t, c.th);
        }
        Err(Stop::AtSync)
    }

    /// They have all come.
    pub(super) fn entries_done(&mut self, t: usize, th: &mut Thread) {
        if let Some((home, Entries { construct, serial, come })) =
            self.entries(th).map(|(h, e)| (h, e.clone()))
        {
            for number in come {
                self.acquire(t, th, object(home, construct, number));
                self.tell(t, th, &Work::Sink { share: serial, vector: number.into() });
            }
            self.region_mut(home).entries.retain(|e| e.construct != construct);
        }
        self.done(th, 0);
    }
}
