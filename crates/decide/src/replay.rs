//! Findings and certificates of reports, looked at again.

use std::path::PathBuf;
use std::time::Instant;

use base::{CheckReport, Defect, Race};
use explore::Outcome;

use crate::{Error, Programs, names, program_args, report, set_bound};

/// What is to be replayed: one run for each finding, with its choices given.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplayRequest {
    /// The files that together are the program.
    pub inputs: Vec<PathBuf>,
    /// The report with the findings, the bounds and the compiler flags.
    pub report: CheckReport,
    /// The numbers of the findings to replay, from 1, races first.
    pub findings: Vec<usize>,
}

enum Finding<'a> {
    Race(&'a Race),
    Defect(&'a Defect),
}

fn nth(report: &CheckReport, number: usize) -> Option<Finding<'_>> {
    let races = report.races.iter().map(Finding::Race);
    races.chain(report.defects.iter().map(Finding::Defect)).nth(number.checked_sub(1)?)
}

/// Runs a program once for each finding with the choices of its witness. Each report holds the finding if its run shows
/// it, and nothing else.
///
/// # Errors
/// If there is no program, or a witness does not fit the report.
pub fn replay(request: &ReplayRequest, programs: &mut dyn Programs) -> Result<Vec<CheckReport>, Error> {
    let mut reports = Vec::new();
    for &number in &request.findings {
        let started = Instant::now();
        let Some(finding) = nth(&request.report, number) else { continue };
        let (Finding::Race(Race { witness, .. }) | Finding::Defect(Defect { witness, .. })) = &finding;
        let (bounds, index) = (&request.report.bounds, witness.bound);
        let bound = bounds.get(index).ok_or_else(|| {
            Error::Input(format!(
                "the witness points at bound {index}, but the report has {}: run the check again",
                bounds.len()
            ))
        })?;
        let flags = &request.report.flags;
        let mut report = report::empty(names(&request.inputs), flags, std::slice::from_ref(bound));
        let before = programs.seconds();
        let module = programs.module(&bound.defines)?;
        set_bound(module, bound);
        let args = program_args(&request.inputs, bound);
        let run = judge::follow::Run { module, args: &args, threads: bound.threads };
        let mut outcome = Outcome::default();
        match finding {
            Finding::Race(race) => outcome.races.extend(judge::follow::race(&run, race)?),
            Finding::Defect(defect) => outcome.defects.extend(judge::follow::defect(&run, defect)?),
        }
        report.stats.compile_seconds = programs.seconds() - before;
        report::merge(&mut report, outcome, 0);
        report::conclude(&mut report, false);
        report::finish(&mut report, started);
        reports.push(report);
    }
    Ok(reports)
}

/// Why a certificate is not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejected {
    /// Where, if it has a place.
    pub place: Option<base::Place>,
    /// Why.
    pub reason: base::Reason,
}

/// Checks the certificates of a report's bounds: how many runs that took, or which bound's was refused and why.
///
/// # Errors
/// If there is no program, or a certificate cannot be read.
pub fn certify(
    inputs: &[PathBuf],
    report: &CheckReport,
    certificates: &[serde_json::Value],
    programs: &mut dyn Programs,
) -> Result<Result<u64, Rejected>, Error> {
    let mut runs = 0;
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    for (bound, certificate) in report.bounds.iter().zip(certificates) {
        let certificate: certify::Certificate = serde_json::from_value(certificate.clone())
            .map_err(|error| Error::Input(format!("the certificate is incomplete: {error}")))?;
        let module = programs.module(&bound.defines)?;
        set_bound(module, bound);
        let inputs = machine::Inputs { args: program_args(inputs, bound), threads: bound.threads };
        let loaded = machine::Program::load(module, &inputs)?;
        match certify::check(&loaded, &certificate, base::Budget::default(), jobs, &certify::Table::default())
        {
            Ok(checked) => runs += checked.runs,
            Err(refused) => {
                let place = refused.place(module).and_then(|place| module.place(place));
                return Ok(Err(Rejected { place, reason: refused.reason }));
            }
        }
    }
    Ok(Ok(runs))
}
