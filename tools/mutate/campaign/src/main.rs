//! Tries every mutant of the copy in which this is built, in one process that has all programs ready.
//!
//! `raceproof-campaign STAGES RESULTS MINUTES [--only ID,ID...] FOLDER...` with some of the stages `prove,certify,machine`, so many minutes for each: results are added to the file, and what it has is not
//! tried again. Folders have programs that state their verdict, in a header or as `NAME.race.c`. `raceproof-campaign report RESULTS`
//! counts.
//!
//! - `prove`: the proof alone answers, without certificate and judge; where it is wrong these are asked too.
//! - `certify`: certificates are checked: those of proofs, which must be accepted; of proofs without one of their rules, of mutants of the
//!   proof, and changed ones ([`forge`]), all of which the checker without mutants refuses.
//! - `machine`: the proof and the race graph answer.
//!
//! What comes of a mutant: `wrong` (`race-free` of a program that is not), `forged` (a certificate accepted that is refused without
//! the mutant), `looser` (more is proved, and true), `false` (a finding in a program that has none), `crash`, `stricter` (less is decided, or only slower), `same`, `unseen` (nothing that was tried gets there).

mod ask;
mod child;
mod forge;
mod programs;
mod report;
mod stages;

use std::path::PathBuf;

use anyhow::Context;

/// What is tried.
pub struct Options {
    /// Stages, separated by commas.
    pub stages: String,
    /// The file of results.
    pub results: String,
    /// How long a stage takes at most.
    pub minutes: u64,
    /// These mutants alone, with twenty times the time for each and without random programs.
    pub only: Vec<u32>,
    /// Folders of programs.
    pub folders: Vec<PathBuf>,
}

fn main() -> anyhow::Result<()> {
    let mut args = std::env::args().skip(1).peekable();
    let usage = "usage: raceproof-campaign STAGES RESULTS MINUTES [--only ID,ID...] FOLDER...";
    let (stages, results) = (args.next().context(usage)?, args.next().context(usage)?);
    if stages == "report" {
        return report::report(&results);
    }
    let minutes = args.next().context(usage)?.parse()?;
    let mut only = Vec::new();
    if args.next_if_eq("--only").is_some() {
        for id in args.next().context(usage)?.split(',') {
            only.push(id.parse()?);
        }
    }
    std::panic::set_hook(Box::new(|_| {}));
    let folders = args.map(PathBuf::from).collect();
    stages::run(&Options { stages, results, minutes, only, folders })
}
