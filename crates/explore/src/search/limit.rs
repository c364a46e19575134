//! What a search may use, and how far it has come.

use base::budget::Spent;

/// Which limit ended a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Time.
    Time,
    /// Memory.
    Memory,
    /// Instructions.
    Instructions,
    /// A signal came.
    Interrupted,
    /// The number of states.
    States,
    /// The length of paths.
    Depth,
    /// The states in which others were looked for when something was found.
    Further,
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (what, option) = match self {
            Limit::Time => ("time", "--time-limit"),
            Limit::Memory => ("memory", "--memory-limit"),
            Limit::Instructions => ("instruction", "--max-instructions"),
            Limit::Interrupted => {
                return f.write_str("the check was interrupted before all schedules were explored");
            }
            Limit::States => ("state", "--max-states"),
            Limit::Depth => ("depth", "--max-depth"),
            Limit::Further => {
                return f.write_str("there may be further findings, the search for them was ended");
            }
        };
        write!(f, "the {what} limit ({option}) was reached before all schedules were explored")
    }
}

impl From<Spent> for Limit {
    fn from(spent: Spent) -> Limit {
        match spent {
            Spent::Time => Limit::Time,
            Spent::Memory => Limit::Memory,
            Spent::Instructions => Limit::Instructions,
            Spent::Interrupted(_) => Limit::Interrupted,
        }
    }
}

/// How far a search has come.
#[derive(Debug, Clone, Copy, Default)]
pub struct Progress {
    /// States stored.
    pub states: u64,
    /// Transitions taken.
    pub transitions: u64,
    /// Scheduling decisions on the current path.
    pub depth: u64,
    /// Instructions executed.
    pub instructions: u64,
    /// Bytes held by the search.
    pub memory: u64,
    /// Distinct races found so far.
    pub races: u64,
    /// How much of the state graph lies behind the search, from 0 to 1, if all subtrees at a node were equally large.
    pub done: f64,
}
