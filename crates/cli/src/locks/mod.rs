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
    crate::resolve::check(&args.check())?;
    Err(crate::engine::Error::NotBuiltIn.into())
}
