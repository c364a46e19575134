//! Counting semaphores. A wait is ordered after the posts before it.

use super::errno::{EAGAIN, EOVERFLOW, ETIMEDOUT};
use super::table::Kind;
use crate::native::SyncOp;
use crate::state::Machine;
use crate::stop::Stop;
use crate::thread::{Pending, Status, Thread};
use base::reason::Beyond;

impl<'p> Machine<'p> {
    /// The value of a semaphore; of what is none (any more), waiting on which is a misuse, there is none.
    pub(crate) fn semaphore_value(&self, address: u64) -> Option<u32> {
        match self.sync.get(address).map(|e| &e.kind) {
            Some(Kind::Semaphore { value }) => Some(*value),
            _ => None,
        }
    }

    fn semaphore(&self, address: u64) -> Result<u32, Stop> {
        self.usable(address, "semaphore")?;
        match self.sync.get(address).map(|e| &e.kind) {
            Some(Kind::Semaphore { value }) => Ok(*value),
            _ => Err(Stop::defect(base::DefectKind::Misuse, "a semaphore that was not initialised")),
        }
    }

    pub(crate) fn semaphore_wait(
        &mut self,
        t: usize,
        th: &mut Thread,
        address: u64,
        op: SyncOp,
    ) -> Result<(), Stop> {
        let value = self.semaphore(address)?;
        if value == 0 {
            let error = if op == SyncOp::SemTry { EAGAIN } else { ETIMEDOUT };
            let result = self.fail_with_errno(t, th, error)?;
            self.done(th, result);
            return Ok(());
        }
        self.acquire(t, th, address);
        self.become_kind(address, Kind::Semaphore { value: value - 1 });
        self.done(th, 0);
        Ok(())
    }

    pub(crate) fn semaphore_post(&mut self, t: usize, th: &mut Thread, address: u64) -> Result<(), Stop> {
        let value = self.semaphore(address)?;
        if value >= i32::MAX as u32 {
            if !self.alone(t) {
                // It notices posts of others and is ordered after none of them.
                return Err(Stop::unknown(Beyond::Semaphore));
            }
            let result = self.fail_with_errno(t, th, EOVERFLOW)?;
            self.done(th, result);
            return Ok(());
        }
        self.release(t, th, address, Kind::Semaphore { value: value + 1 });
        self.done(th, 0);
        Ok(())
    }

    pub(crate) fn semaphore_get(
        &mut self,
        t: usize,
        th: &mut Thread,
        address: u64,
        out: u64,
    ) -> Result<(), Stop> {
        let value = self.semaphore(address)?;
        let access = self.native_access(th);
        self.store(t, th, out, ir::Scalar::Int(32), (value.into(), 0), None, access)?;
        self.done(th, 0);
        Ok(())
    }

    /// Whether some thread waits on a semaphore.
    pub(crate) fn is_waited_for(&self, address: u64) -> bool {
        let waits = |th: &Thread| matches!(th.status, Status::At(Pending::Sync(SyncOp::SemWait | SyncOp::SemTimed, args)) if args[0] == address);
        self.semaphore_value(address) == Some(0) && self.threads.iter().any(waits)
    }

    /// Sets `errno`, where the models have one; gives the -1 that the function is to return.
    pub(crate) fn fail_with_errno(&mut self, t: usize, th: &mut Thread, error: u64) -> Result<u64, Stop> {
        let global =
            self.program.module.globals.iter().position(|g| g.thread_local && g.name == "__rp_errno");
        if let Some(i) = global {
            let address = self.thread_local(t, th, ir::GlobalId(i as u32))?;
            if let Ok(spot) = self.memory.resolve(address, 4, true) {
                self.memory.store(spot, 4, error, 0);
            }
        }
        Ok(u32::MAX.into())
    }
}
