//! `raceproof locks`: which synchronisation a program needs, and what needs more of it.

pub mod args;
#[cfg(feature = "llvm")]
mod judge;
#[cfg(feature = "llvm")]
mod run;

use anyhow::Result;

use args::LocksArgs;

/// Runs the command; the number is the exit code.
#[cfg(feature = "llvm")]
pub fn run(args: &LocksArgs) -> Result<u8> {
    run::run(args)
}

/// Without LLVM there is nothing to compile with.
#[cfg(not(feature = "llvm"))]
pub fn run(args: &LocksArgs) -> Result<u8> {
    let settings = crate::settings::Settings::find(args.build.config.as_deref(), &args.files)?;
    crate::resolve::check(&args.asked(), &settings)?;
    Err(crate::engine::Error::NotBuiltIn.into())
}
