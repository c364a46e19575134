//! Asks the engines about one program.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use certify::Certificate;
use prove::Proof;

/// An answer, short.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Race-free; or a certificate accepted.
    Free,
    /// A race or another defect, replayed.
    Found,
    /// Not decided; or a certificate refused.
    Open,
    /// A panic.
    Crash,
}

impl Answer {
    /// As a letter.
    pub fn letter(self) -> u8 {
        b"FROC"[self as usize]
    }

    /// Of a letter.
    pub fn of(letter: u8) -> Answer {
        match letter {
            b'F' => Answer::Free,
            b'R' => Answer::Found,
            b'O' => Answer::Open,
            _ => Answer::Crash,
        }
    }
}

fn config(threads: u32, milliseconds: u64) -> explore::Config {
    let budget = base::Budget::of_time(Duration::from_millis(milliseconds));
    explore::Config { budget, threads, ..explore::Config::default() }
}

/// The proof alone.
pub fn prove(module: &ir::Module, threads: u32) -> (Answer, Option<Proof>) {
    let said = catch_unwind(AssertUnwindSafe(|| prove::check(module, &config(threads, 4000), &mut |_| {})));
    match said {
        Ok(Ok(proof)) => match &proof {
            Proof::Proved { .. } => (Answer::Free, Some(proof)),
            Proof::Race { .. } => (Answer::Found, None),
            _ => (Answer::Open, None),
        },
        Ok(Err(_)) => (Answer::Open, None),
        Err(_) => (Answer::Crash, None),
    }
}

/// The checker of certificates alone.
pub fn certify(
    module: &ir::Module,
    certificate: &Certificate,
    threads: u32,
    table: &certify::Table,
) -> (Answer, Option<certify::Alike>) {
    let check = || {
        let config = config(threads, 4000);
        let inputs = machine::Inputs { args: config.args.clone(), threads };
        let program = machine::Program::load(module, &inputs).ok()?;
        certify::check(&program, certificate, config.budget, 1, table).ok()
    };
    match catch_unwind(AssertUnwindSafe(check)) {
        Ok(Some(checked)) => (Answer::Free, checked.alike),
        Ok(None) => (Answer::Open, None),
        Err(_) => (Answer::Crash, None),
    }
}

/// Whether what holds for two threads and for three is said to hold for more.
pub fn goes_on(module: &ir::Module, certificates: &[Certificate]) -> Answer {
    let table = certify::Table::default();
    let (two, with_two) = certify(module, &certificates[0], 2, &table);
    let (three, with_three) = certify(module, &certificates[1], 3, &table);
    if [two, three].contains(&Answer::Crash) {
        return Answer::Crash;
    }
    let held = || matches!((&with_two, &with_three), (Some(two), Some(three)) if two.goes_on(three));
    match catch_unwind(AssertUnwindSafe(held)) {
        Ok(true) => Answer::Free,
        Ok(false) => Answer::Open,
        Err(_) => Answer::Crash,
    }
}

/// Whether the judge contradicts a proof.
pub fn judge(module: &ir::Module, proof: &Proof) -> bool {
    let Proof::Proved { branches, by_thread, .. } = proof else { return false };
    let config = config(2, 2000);
    let claim = judge::Claim::new(module, branches.iter().copied().collect(), Some(by_thread.clone()));
    let request = judge::Request {
        module,
        args: &config.args,
        threads: 2,
        defects: true,
        claim: Some(claim),
        seed: judge::SEED,
        runs: 150,
        budget: config.budget,
        jobs: 1,
    };
    let judged = catch_unwind(AssertUnwindSafe(|| judge::judge(&request)));
    !matches!(judged, Ok(Ok(judged)) if judged.refuted.is_none())
}

/// The race graph.
pub fn search(module: &ir::Module) -> Answer {
    let config = explore::Config { max_states: Some(3_000), further: Some(0), ..config(2, 2000) };
    match catch_unwind(AssertUnwindSafe(|| explore::check(module, &config, &mut |_| {}))) {
        Ok(Ok(found)) if !found.races.is_empty() || !found.defects.is_empty() => Answer::Found,
        Ok(Ok(found)) if found.unknown.is_empty() => Answer::Free,
        Ok(_) => Answer::Open,
        Err(_) => Answer::Crash,
    }
}
