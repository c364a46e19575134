//! What a person can do about an `unknown` verdict.

use base::reason::{Beyond, Limit, Openmp, Reason, Unexplored};

/// A case that takes less.
const SMALLER: &str = "check a smaller case: fewer threads (--threads), smaller inputs (--arg, --define)";
/// A construct that raceproof does not know.
const WITHOUT: &str =
    "give a version without this construct for checking, for example behind a macro: --define RACEPROOF";
/// A search may decide what one run does not.
const SEARCH: &str = "let searches decide, too (without --engine), or check a smaller case: fewer threads (--threads), smaller \
                      inputs (--arg, --define)";
/// Something has no bounds.
const BOUNDS: &str = "initialise the value, or bound inputs with raceproof_range, --arg or --define, so that all values are gone through";
/// raceproof is wrong.
const REPORT: &str = "please report this, with the program if you can; another --engine may decide it";

/// What to try about a reason.
pub fn help(reason: &Reason) -> &'static str {
    match reason {
        Reason::Untold => "check again with this version of raceproof",
        Reason::Limit { limit, .. } => of_limit(*limit),
        Reason::DeepInputs { .. } | Reason::Open { .. } | Reason::Doubt { .. } => BOUNDS,
        Reason::NoModel { .. } => {
            "give the file that defines the function as another FILE, or a small definition of it for checking"
        }
        Reason::NotDefined { .. } => "give the file that defines the variable as another FILE",
        Reason::NotTranslated { .. } | Reason::NotModelled(_) => WITHOUT,
        Reason::Openmp(of) => of_openmp(*of),
        Reason::Beyond(Beyond::Returned | Beyond::LongDouble(_)) => WITHOUT,
        Reason::Beyond(_) => SMALLER,
        Reason::Scheduled { .. }
        | Reason::Used(_)
        | Reason::Fork(_)
        | Reason::Structure(_)
        | Reason::LockDoubt(_)
        | Reason::RunEnd(_)
        | Reason::Gap(_) => SEARCH,
        Reason::RunDefect { .. } => "repair the defect, which is there without a race, and check again",
        Reason::Uncertified(_) | Reason::CertificateVersion { .. } => {
            "check the program again with this version of raceproof, which writes a certificate of its own"
        }
        Reason::NotCertified { contradicts: true, .. } | Reason::Internal(_) => REPORT,
        Reason::NotCertified { contradicts: false, .. } => SEARCH,
        Reason::Unexplored(Unexplored::Lanes) => "check without --engine, so that one run can prove it",
        Reason::Unexplored(_) => "repair the defects that were found, and check again",
        Reason::NothingReached { .. } => {
            "give the program the inputs that it needs to come there: --arg, --define, --env"
        }
        Reason::Entry { .. } => "write a `main` that calls the function as its users do",
        Reason::Recorded => "record runs with other inputs, or check the program: raceproof check",
        Reason::Executions(_) => SMALLER,
        Reason::Both { search, .. } => help(search),
    }
}

fn of_limit(limit: Limit) -> &'static str {
    match limit {
        Limit::Time => {
            "raise --time-limit, or check a smaller case: fewer threads (--threads), smaller inputs (--arg, --define)"
        }
        Limit::Memory => {
            "raise --memory-limit, or check a smaller case: fewer threads (--threads), smaller inputs (--arg, --define)"
        }
        Limit::States => {
            "raise --max-states, or check a smaller case: fewer threads (--threads), smaller inputs (--arg, --define)"
        }
        Limit::Depth => {
            "raise --max-depth, or check a smaller case: fewer threads (--threads), smaller inputs (--arg, --define)"
        }
        Limit::Instructions => {
            "raise --max-instructions, or check a smaller case: fewer threads (--threads), smaller inputs (--arg, --define)"
        }
        Limit::Interrupted => "check again, and let it come to its end",
        Limit::Further => "repair what was found, and check again",
    }
}

fn of_openmp(of: Openmp) -> &'static str {
    match of {
        Openmp::ConcurrentAlone | Openmp::ConcurrentReductionAlone | Openmp::TargetAlone => {
            "check it with teams of at least two threads (--threads)"
        }
        Openmp::UndeferredLanes => {
            "leave out `simd`, or the `if` or `final` by which tasks are executed at once"
        }
        Openmp::StrayedTask => "make the task tied",
        Openmp::MergeableTask => "leave out `mergeable`",
        Openmp::Cancel => "check it without OMP_CANCELLATION=true",
        Openmp::TaskloopTrips => SMALLER,
        _ => WITHOUT,
    }
}
