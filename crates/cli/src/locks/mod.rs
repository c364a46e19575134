//! `raceproof locks`: which synchronisation a program needs, and what needs more of it.

pub mod args;
mod judge;
mod run;

use anyhow::Result;

use args::LocksArgs;

/// Runs the command; the number is the exit code.
pub fn run(args: &LocksArgs) -> Result<u8> {
    run::run(args)
}
