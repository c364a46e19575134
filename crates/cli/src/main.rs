//! The raceproof command line: parses, resolves, runs, and turns the answer into an exit code.
//!
//! What the user typed is [`args`], what it means is [`resolve`], what is run is [`commands`] with [`engine`] behind
//! it. Exit codes: 0 race-free, 1 race or defect, 2 wrong usage or input, 3 unknown.

mod args;
mod commands;
mod engine;
mod locks;
mod output;
mod progress;
mod resolve;
mod traces;
mod units;

use std::process::ExitCode;

use clap::Parser;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Wrong usage or wrong input.
const EXIT_USAGE: u8 = 2;

fn main() -> ExitCode {
    let args = args::Args::parse();
    match commands::run(args) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(EXIT_USAGE)
        }
    }
}
