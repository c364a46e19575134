//! Why something is not known.
//!
//! Engines make a [`Reason`]; `report` alone puts it into words, and says what helps. Nobody reads words again: whoever has
//! to know what a reason is matches on it. What a reason holds beyond its kind are names and numbers of the checked program.

mod names;

use serde::{Deserialize, Serialize};

use crate::budget::Spent;
use crate::finding::{AccessKind, DefectKind, SiteKind};
pub use names::{Fork, Gap, LockDoubt, Openmp, RunEnd, Structure, Subject, Uncertified, Unexplored, Used};

/// An enum of names alone, with the list of them.
macro_rules! listed {
    ($(#[$about:meta])* $name:ident { $($(#[$of:meta])* $variant:ident,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum $name { $($(#[$of])* $variant,)* }

        impl $name {
            /// All of them.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];
        }
    };
}
use listed;

/// A name alone is a reason.
macro_rules! reasons {
    ($($name:ident)*) => {$(
        impl From<$name> for Reason {
            fn from(name: $name) -> Reason {
                Reason::$name(name)
            }
        }
    )*};
}
reasons!(Openmp Used Fork Structure LockDoubt RunEnd Gap Uncertified Unexplored Beyond Internal Executions);

/// Why something is not known.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(tag = "kind", content = "of", rename_all = "kebab-case")]
pub enum Reason {
    /// The report, by an older version, does not say it in a way that can be told again.
    #[default]
    Untold,
    /// A limit was reached.
    Limit {
        /// Which.
        limit: Limit,
        /// What it left undone.
        left: Left,
    },
    /// Runs in which more depends on inputs were not explored.
    DeepInputs {
        /// So many states were explored.
        states: u64,
    },
    /// A function of the program that nobody defines, and that has no model.
    NoModel {
        /// Its name.
        function: String,
        /// How it is used.
        role: Role,
    },
    /// A variable of the program that nobody defines.
    NotDefined {
        /// Its name.
        variable: String,
    },
    /// A construct that is not translated.
    NotTranslated {
        /// What it is.
        what: String,
    },
    /// A part of the standard libraries that is not modelled.
    NotModelled(Library),
    /// A use of OpenMP that is not modelled.
    Openmp(Openmp),
    /// Something is too large, or too much.
    Beyond(Beyond),
    /// Something depends on a value that nobody fixes.
    Open {
        /// What depends on it.
        what: Subject,
        /// Where an input without bounds was read; without it, the value is an uninitialised one.
        input: Option<Input>,
    },
    /// Something depends on a value that the schedule decides.
    Scheduled {
        /// What depends on it.
        what: Subject,
        /// The variable.
        variable: Option<String>,
    },
    /// Something is used whose order the schedule decides.
    Used(Used),
    /// Something goes one way or another, as the schedule decides.
    Fork(Fork),
    /// The structure of a run is not understood.
    Structure(Structure),
    /// A deadlock is not excluded.
    LockDoubt(LockDoubt),
    /// A run ended as it should not.
    RunEnd(RunEnd),
    /// A run ended in a defect.
    RunDefect {
        /// The defect, in a sentence.
        message: String,
    },
    /// A proof from one run is not possible.
    Gap(Gap),
    /// A certificate does not say, or not rightly, what is needed.
    Uncertified(Uncertified),
    /// A certificate has another version.
    CertificateVersion {
        /// That of the file.
        found: u32,
        /// That of this raceproof.
        wanted: u32,
    },
    /// The certificate of a proof was not accepted.
    NotCertified {
        /// Why.
        why: Box<Reason>,
        /// Whether something was claimed that does not hold, and not only something that is not checked.
        contradicts: bool,
    },
    /// A search leaves something out.
    Unexplored(Unexplored),
    /// Something is possible for some values of inputs without bounds, but none were found that show it.
    Doubt {
        /// The kind of the defect; nothing means a race.
        defect: Option<DefectKind>,
        /// Where inputs without bounds are read.
        inputs: Vec<Input>,
        /// At so many further places.
        more: usize,
    },
    /// An error of raceproof's own.
    Internal(Internal),
    /// No execution came to the code for several threads.
    NothingReached {
        /// How the program ended.
        end: ProgramEnd,
        /// The beginning of what it printed.
        printed: Option<String>,
        /// The first thing that it did not come to.
        site: SiteKind,
        /// The line of that.
        line: u32,
    },
    /// A function cannot be called in place of `main`: there are no arguments that stand for all.
    Entry {
        /// The function.
        function: String,
        /// The parameter, from 1.
        number: usize,
        /// What the parameter is.
        what: String,
    },
    /// A recorded run shows nothing, and says nothing about others.
    Recorded,
    /// Not all executions were gone through for what is asked.
    Executions(Executions),
    /// A search does not decide, and neither does one run.
    Both {
        /// Why the search does not.
        search: Box<Reason>,
        /// Why one run does not.
        one_run: Box<Reason>,
    },
}

impl Reason {
    /// The limit that ended a search, if one did.
    pub fn limit(&self) -> Option<Limit> {
        match self {
            Reason::Limit { limit, .. } => Some(*limit),
            Reason::Both { search, .. } => search.limit(),
            _ => None,
        }
    }

    /// A budget was used up before all of something was done.
    pub fn spent(spent: Spent, left: Left) -> Reason {
        Reason::Limit { limit: spent.into(), left }
    }
}

/// What ended a search, or kept it from beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
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

impl Limit {
    /// All of them.
    pub const ALL: [Limit; 7] = [
        Limit::Time,
        Limit::Memory,
        Limit::Instructions,
        Limit::Interrupted,
        Limit::States,
        Limit::Depth,
        Limit::Further,
    ];
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

/// What a limit left undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Left {
    /// Schedules; so many states were explored.
    Schedules(u64),
    /// Schedules, for all values of inputs without bounds; so many states were explored.
    Inputs(u64),
    /// All of it.
    All,
    /// Some of it.
    Some,
    /// The program was not compiled.
    Compiling,
}

/// How a function is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// It is called.
    Called,
    /// A thread begins with it.
    Thread,
    /// The threads of a team do.
    Team,
}

/// What of a library is not modelled.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Library {
    /// A function.
    Function(String),
    /// A use of one, in words.
    Use(String),
}

/// Where an input without bounds is read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Input {
    /// The function that reads it.
    pub function: String,
    /// The line; 0 if it is not known.
    pub line: u32,
}

/// What is too large, or too much.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Beyond {
    /// The number of threads.
    Threads,
    /// The number of tasks.
    Tasks,
    /// The number of threads of a team.
    Team(u32),
    /// The number of thread-local variables.
    ThreadLocals,
    /// An allocation of so many bytes.
    Allocation(u64),
    /// A range of so many values, to choose one of.
    Range(u64),
    /// What a function returns.
    Returned,
    /// A copy inside an object.
    Copy,
    /// An access over pages of an object.
    Pages {
        /// Whether it reads or writes.
        access: AccessKind,
        /// How many bytes.
        bytes: u64,
    },
    /// The value of a semaphore.
    Semaphore,
    /// A function of a `long double`.
    LongDouble(String),
}

/// An error of raceproof's own.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Internal {
    /// The replay of a race does not confirm it.
    Race,
    /// The replay of a defect does not confirm it.
    Defect {
        /// Its kind.
        kind: DefectKind,
        /// How the replay ended.
        ended: String,
    },
    /// What is known to vary is compared.
    OpenStore,
    /// A random execution contradicts the verdict.
    Contradicted {
        /// How.
        what: String,
        /// The file that reproduces it, or why there is none.
        file: Result<String, String>,
    },
}

/// How a program ended that came to nothing for several threads.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProgramEnd {
    /// With this status.
    Status(i32),
    /// With a defect.
    Defect(String),
    /// It waits for ever.
    Waits,
    /// It was not followed to its end.
    NotFollowed,
}

/// Why not all executions were gone through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Executions {
    /// There was no time.
    Late,
    /// There are more states than this.
    States(usize),
    /// Some are too long.
    Long,
    /// A run has more work units and synchronisations than this.
    Nodes(usize),
    /// Not all kinds of them were recorded.
    Kinds {
        /// So many were.
        recorded: usize,
        /// Of so many.
        all: usize,
        /// Whether the locksets are those of all.
        locksets: bool,
    },
}
