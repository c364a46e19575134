//! The commands, one file each.

mod certify;
mod check;
mod doctor;
mod explain;
mod native;
mod predict;
mod record;
pub mod recorded;
mod replay;
mod shell;
mod trace;
mod triage;

use anyhow::Result;

use crate::args::{Args, Command};

/// Runs a command; the number is the exit code.
pub fn run(args: Args) -> Result<u8> {
    match args.command {
        Command::Check(args) => check::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Certify(args) => certify::run(&args),
        Command::Record(args) => record::run(&args),
        Command::Predict(mut args) => {
            args.trace = args.input.clone().unwrap_or_else(|| "-".into());
            predict::run(&args)
        }
        Command::Triage(args) => triage::run(&args),
        Command::Locks(args) => crate::locks::run(&args),
        Command::Trace(args) => trace::run(&args.command),
        Command::Cc(args) => crate::build::compiler::run(false, &args.arguments),
        Command::Cxx(args) => crate::build::compiler::run(true, &args.arguments),
        Command::Explain(args) => explain::run(&args),
        Command::Doctor => doctor::run(),
        Command::Completions(args) => shell::completions(&args),
        Command::Man(args) => shell::man(&args),
    }
}
