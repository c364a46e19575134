//! One-time initialisation: `pthread_once`, `call_once`, guards of static variables.

use super::table::Kind;
use crate::state::Machine;
use crate::stop::Stop;
use crate::thread::Thread;

impl<'p> Machine<'p> {
    fn once_state(&self, address: u64) -> (Option<u32>, bool) {
        match self.sync.get(address).map(|e| &e.kind) {
            Some(Kind::Once { runner, done }) => (*runner, *done),
            _ => (None, false),
        }
    }

    /// Whether entering would not block.
    pub(crate) fn once_available(&self, address: u64) -> bool {
        self.once_state(address).0.is_none()
    }

    /// Returns 1 to the thread that must run the initialiser, 0 when it is done.
    pub(crate) fn once_enter(&mut self, t: usize, th: &mut Thread, address: u64) -> Result<(), Stop> {
        self.usable(address, "one-time initialisation")?;
        let (_, done) = self.once_state(address);
        self.acquire(t, th, address);
        if !done {
            self.become_kind(address, Kind::Once { runner: Some(t as u32), done: false });
        }
        self.done(th, u64::from(!done));
        Ok(())
    }

    /// The initialiser is done, or was given up.
    pub(crate) fn once_leave(
        &mut self,
        t: usize,
        th: &mut Thread,
        address: u64,
        done: bool,
    ) -> Result<(), Stop> {
        self.release(t, th, address, Kind::Once { runner: None, done });
        self.done(th, 0);
        Ok(())
    }
}
