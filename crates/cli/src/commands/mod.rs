//! The commands, one file each.

mod check;
mod predict;
mod replay;
mod trace;
mod triage;

use anyhow::Result;

use crate::args::{Args, Command};

/// Runs a command; the number is the exit code.
pub fn run(args: Args) -> Result<u8> {
    match args.command {
        Command::Check(args) => check::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Predict(args) => predict::run(&args),
        Command::Triage(args) => triage::run(&args),
        Command::Locks(args) => crate::locks::run(&args),
        Command::Trace(args) => trace::run(&args.command),
    }
}
