//! The proof from one run (`prove`), which counts only if its certificate is accepted (`certify`).

use explore::Outcome;
use machine::LoadError;
use prove::Proof;

use crate::engine::{Engine, Knowledge, Proved, Task};

/// A proof from one run.
pub struct OneRun;

impl Engine for OneRun {
    fn name(&self) -> &'static str {
        "one-run"
    }

    fn phase(&self) -> &'static str {
        "one run"
    }

    fn run(&self, task: &Task, known: &mut Knowledge) -> Result<(), LoadError> {
        let (proof, alike) = prove(task)?;
        match proof {
            Proof::Proved { assumptions, stats, branches, by_thread, certificate, .. } => {
                let taken = branches.iter().copied().collect();
                let claim = judge::Claim::new(task.module, taken, Some(by_thread));
                known.proved = Some(Proved { claim, certificate, branches, alike });
                known.settle(Outcome { assumptions, stats, ..Outcome::default() });
            }
            Proof::Race { outcome, complete: true } => known.settle(outcome),
            Proof::Race { outcome, complete: false } => known.take(outcome),
            Proof::Sensitive { place, reason } | Proof::Undecided { place, reason } => {
                known.leave_open(reason, place);
            }
        }
        Ok(())
    }
}

/// Proves a program for one bound. A proof whose certificate is refused is none. With it, what strands do, if that may hold for other
/// numbers of threads.
///
/// # Errors
/// If the program cannot be run at all.
pub fn prove(task: &Task) -> Result<(Proof, Option<certify::Alike>), LoadError> {
    let (module, config) = (task.module, &task.config);
    let mut tell = |progress: &explore::Progress| (task.tell)(progress);
    let mut proof = prove::sketch(module, config, &mut tell)?;
    let mut refused = certified(task, &mut proof)?;
    if refused.is_err() && matches!(proof, Proof::Proved { sketched: true, .. }) {
        proof = prove::check(module, config, &mut tell)?;
        refused = certified(task, &mut proof)?;
    }
    match refused {
        Ok(alike) => Ok((proof, alike)),
        Err(refused) => {
            let place = refused.place(module).and_then(|place| module.place(place));
            let why = Box::new(refused.reason);
            let reason = base::Reason::NotCertified { why, contradicts: refused.contradicts };
            Ok((Proof::Undecided { place, reason }, None))
        }
    }
}

/// Whether the certificate is accepted, if it is a proof; what strands do, if that may hold for other numbers of threads.
fn certified(
    task: &Task,
    proof: &mut Proof,
) -> Result<Result<Option<certify::Alike>, certify::Refused>, LoadError> {
    let Proof::Proved { certificate, stats, .. } = proof else { return Ok(Ok(None)) };
    if prove::rules::Rule::Certified.is_off() {
        return Ok(Ok(None));
    }
    let config = &task.config;
    let inputs = machine::Inputs { args: config.args.clone(), threads: config.threads };
    let program = machine::Program::load(task.module, &inputs)?;
    let checked = certify::check(&program, certificate, config.budget, config.jobs, task.names);
    Ok(checked.map(|checked| {
        stats.certify_runs = checked.runs;
        checked.alike
    }))
}
