//! A proof from one run.
//!
//! [`check`] runs the program once, finds out whether anything that depends on the schedule steers it, and if nothing
//! does, decides from that run for all schedules whether there is a race. What it cannot decide it leaves to the search of
//! `explore`, and says why.
//!
//! [`decide`] has the algorithm. Pass 1 ([`record`]) sorts what the run touches into segments of strands, [`order`] says which are ordered in
//! every schedule, [`conflict`] compares the others, [`owners`] knows what belongs to a thread and [`folds`] what gathers contributions,
//! [`deadlock`] looks at the nesting of locks. [`witness`] turns a possible race into a
//! schedule that `explore` replays, and [`together`] decides where that fails. Pass 2 ([`taint`]) repeats the run with every value marked that another schedule could
//! change. The theorem behind it is in `docs/soundness.md`.

#![forbid(unsafe_code)]

pub mod cells;
pub mod certificate;
pub mod combine;
pub mod commute;
pub mod conflict;
pub mod deadlock;
mod decide;
pub mod done;
pub mod drive;
pub mod folds;
pub mod locks;
pub mod order;
pub mod owners;
pub mod predicted;
mod races;
pub mod ranges;
pub mod record;
pub mod rules;
mod runs;
pub mod taint;
pub mod together;
pub mod witness;

pub use decide::{check, sketch};

/// What the proof says of a program for one set of inputs.
#[derive(Debug, Clone)]
pub enum Proof {
    /// No schedule has a race or another defect.
    Proved {
        /// What that rests on beyond what always holds.
        assumptions: Vec<String>,
        /// Figures.
        stats: base::Stats,
        /// The small branches that were taken both ways, since the schedule decides on them.
        branches: Vec<machine::interp::may::Site>,
        /// Instructions of which the executing thread decides what they touch.
        by_thread: rustc_hash::FxHashSet<u64>,
        /// What it rests on, to be checked by `certify`.
        certificate: Box<certify::Certificate>,
        /// Whether pass 2 was left out, since pass 1 left nothing open: then it counts only if its certificate is accepted.
        sketched: bool,
    },
    /// There are races, each replayed.
    Race {
        /// The races.
        outcome: explore::Outcome,
        /// Whether these are all: the program is not schedule-sensitive, and nothing is left open.
        complete: bool,
    },
    /// What the program does depends on the schedule: only a search can decide.
    Sensitive {
        /// The first line that made it so.
        place: Option<base::Place>,
        /// Why.
        reason: base::Reason,
    },
    /// Not decided for another reason.
    Undecided {
        /// Where, if it has a place.
        place: Option<base::Place>,
        /// Why.
        reason: base::Reason,
    },
}
