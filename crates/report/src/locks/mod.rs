//! What `raceproof locks` found: the report, as JSON and as text, and the work-unit graph as a picture.
//!
//! The field names are the JSON schema, version [`VERSION`]: change them only together with `docs/locks.md`.

mod picture;
pub(crate) mod text;

use ::locks::actl::Evidence as Path;
use ::locks::analysis::{Basis, NodeInfo, PairCounts, PairInfo, VariableInfo};
use ::locks::hunt::Judgement;
use ::locks::repair::Step;
use ::locks::source::constructs::ConstructKind;
use ::locks::source::unjudged::NotJudged;
use ::locks::suggest::SuggestionKind;
use base::{Bound, Place, Said, Verdict};
use serde::Serialize;

use crate::said;

pub use picture::{dot, svg};
pub use text::{render, verdict_line};

/// The version of the schema.
pub const VERSION: u32 = 1;

/// A construct that synchronises, with its judgement.
#[derive(Debug, Clone, Serialize)]
pub struct ConstructReport {
    /// What it is.
    pub kind: ConstructKind,
    /// In words.
    pub what: String,
    /// Where it begins.
    #[serde(flatten)]
    pub place: Place,
    /// The other lines that belong to it: unlock calls, the end of its block, calls of the same barrier.
    pub lines: Vec<u32>,
    /// `verdict`: `needed` or `alternative` with `evidence`, `superfluous`, or `undecided` with `why`.
    #[serde(flatten)]
    pub judgement: Judgement,
}

/// A suggestion.
#[derive(Debug, Clone, Serialize)]
pub struct SuggestionReport {
    /// What.
    pub kind: SuggestionKind,
    /// The constructs that it is about, by index.
    pub constructs: Vec<usize>,
    /// In words.
    pub text: String,
    /// As a difference.
    pub patch: String,
}

/// A proposal that makes a racy program race-free.
#[derive(Debug, Clone, Serialize)]
pub struct RepairReport {
    /// What to change.
    pub steps: Vec<Step>,
    /// Whether the program is race-free then; it was checked.
    pub complete: bool,
    /// What is left, if it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<String>,
}

/// The answer to `--actl`.
#[derive(Debug, Clone, Serialize)]
pub struct ActlReport {
    /// The formula, as it was understood.
    pub formula: String,
    /// Whether it holds; absent if it was not decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds: Option<bool>,
    /// Why it was not decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Paths that show it.
    pub evidence: Vec<Path>,
    /// Labels in the formula that no step has.
    pub unknown_labels: Vec<String>,
    /// How many states were looked at.
    pub states: usize,
}

/// The whole answer of `raceproof locks`.
#[derive(Debug, Clone, Serialize)]
pub struct LocksReport {
    /// [`VERSION`].
    pub version: u32,
    /// What `check` says of the program as it is.
    pub verdict: Verdict,
    /// Why it is unknown, or what is wrong with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The sources.
    pub files: Vec<String>,
    /// Flags for the compiler.
    pub flags: Vec<String>,
    /// The inputs that were covered.
    pub bounds: Vec<Bound>,
    /// Everything that synchronises.
    pub constructs: Vec<ConstructReport>,
    /// What synchronises beside these and is not judged, with the reason.
    pub not_judged: Vec<NotJudged>,
    /// Cheaper ways for what is needed.
    pub suggestions: Vec<SuggestionReport>,
    /// For a racy program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repair: Option<RepairReport>,
    /// The proposed change (superfluous constructs taken out, races repaired), as a difference that `git apply` takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patch: Option<String>,
    /// What `check` says of the program with that change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patch_verdict: Option<Verdict>,
    /// The shared variables.
    pub variables: Vec<VariableInfo>,
    /// SUV, the set of unprotected variables of the basic lockset analysis.
    pub suv: Vec<String>,
    /// The work-unit graph.
    pub graph: Vec<NodeInfo>,
    /// P5's formulas; of many, one for each two places and answer.
    pub formulas: Vec<PairInfo>,
    /// All of them, counted.
    pub formula_counts: PairCounts,
    /// The executions that the lockset analysis and the work-unit graph rest on.
    pub basis: Basis,
    /// The answer to `--actl`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actl: Option<ActlReport>,
    /// What else is to be known.
    pub notes: Vec<String>,
    /// The rounds of `--iterate`, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<String>,
    /// How many programs were checked.
    pub checks: usize,
    /// Wall-clock time.
    pub seconds: f64,
}

impl LocksReport {
    /// The exit code: 0 every construct is needed and nothing lacks protection, 1 there is something to change, 3 nothing is known to be,
    /// but not everything was decided. With `--actl`: 0 the formula holds, 1 it fails, 3 not decided.
    pub fn exit_code(&self) -> u8 {
        if let Some(actl) = &self.actl {
            return match actl.holds {
                Some(true) => 0,
                Some(false) => 1,
                None => 3,
            };
        }
        let is = |f: fn(&Judgement) -> bool| self.constructs.iter().any(|c| f(&c.judgement));
        if matches!(self.verdict, Verdict::Race | Verdict::Defect) || is(|j| *j == Judgement::Superfluous) {
            1
        } else if self.verdict == Verdict::Unknown || is(|j| matches!(j, Judgement::Undecided { .. })) {
            3
        } else {
            0
        }
    }
}

/// The report as JSON, ending with a newline.
pub fn json(report: &LocksReport) -> String {
    let mut report = report.clone();
    let meetings = report.variables.iter_mut().flat_map(|variable| &mut variable.meetings);
    let named = meetings.flat_map(|meeting| &mut meeting.strands);
    for strand in named.chain(report.graph.iter_mut().map(|node| &mut node.strand)) {
        *strand = Said::Words(said::who(strand));
    }
    serde_json::to_string_pretty(&report).unwrap_or_default() + "\n"
}
