//! Internal control variables, per data environment.

use base::environment::OpenMp;

use super::Put;

/// The control variables of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Icv {
    /// Threads of the next team (`nthreads-var`), once they were set.
    pub threads: Option<u32>,
    /// `dyn-var`.
    pub dynamic: bool,
    /// `max-active-levels-var`.
    pub levels: u32,
    /// `run-sched-var`, once it was set: kind (with modifiers) and chunk.
    pub schedule: Option<(u32, i32)>,
    /// `thread-limit-var`.
    pub limit: u32,
    /// `nteams-var`.
    pub teams: u32,
    /// `teams-thread-limit-var`.
    pub teams_limit: u32,
    /// `default-device-var`.
    pub device: i32,
}

/// As many active levels as anybody may ask for.
pub const MOST_LEVELS: u32 = i32::MAX as u32;

impl Default for Icv {
    fn default() -> Icv {
        Icv::new(&OpenMp::default())
    }
}

impl Icv {
    /// The control variables at the start of a program, with what its environment says.
    pub fn new(environment: &OpenMp) -> Icv {
        Icv {
            threads: environment.threads,
            dynamic: environment.dynamic,
            levels: environment.levels.unwrap_or(MOST_LEVELS),
            schedule: environment.schedule,
            limit: environment.limit.unwrap_or(i32::MAX as u32),
            teams: 0,
            teams_limit: 0,
            device: 0,
        }
    }

    pub(crate) fn put(&self, put: Put) {
        let (kind, chunk) = self.schedule.map_or((0, 0), |(k, c)| (k | 1 << 31, c as u32));
        put(u64::from(self.threads.unwrap_or(0)) << 32
            | u64::from(self.levels) << 1
            | u64::from(self.dynamic));
        put(u64::from(kind) << 32 | u64::from(chunk));
        put(u64::from(self.limit) << 32 | u64::from(self.teams));
        put(u64::from(self.teams_limit) << 32 | u64::from(self.device as u32));
    }
}
