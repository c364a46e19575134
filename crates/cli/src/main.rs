//! The raceproof command line: parses, resolves, runs, and turns the answer into an exit code.
//!
//! What the user typed is [`args`], what it means is [`resolve`], what is run is [`commands`] with `decide` behind
//! it. Exit codes: 0 race-free, 1 race or defect, 2 wrong usage or input, 3 unknown.

#![forbid(unsafe_code)]

mod accepted;
mod args;
mod build;
mod cache;
mod certified;
mod commands;
mod front;
mod locks;
mod output;
mod progress;
mod request;
mod resolve;
mod resumed;
mod settings;
mod traces;
mod units;
mod watch;

use std::process::ExitCode;

use clap::Parser;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Wrong usage or wrong input.
const EXIT_USAGE: u8 = 2;

fn main() -> ExitCode {
    #[cfg(feature = "switches")]
    if let Ok(rules) = std::env::var("RACEPROOF_WITHOUT") {
        for rule in rules.split(',').filter(|rule| !rule.is_empty()) {
            if !prove::rules::switch_off(rule) {
                eprintln!("no rule is called {rule}, but {:?}", prove::rules::Rule::ALL);
                return ExitCode::from(EXIT_USAGE);
            }
        }
    }
    // A compiler's arguments are not ours to judge.
    let answer = match build::compiler::asked(std::env::args_os()) {
        Some((cplusplus, arguments)) => build::compiler::run(cplusplus, &arguments),
        None => commands::run(args::Args::parse()),
    };
    match answer {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            match error.downcast_ref() {
                Some(decide::Error::Unsupported(why)) => eprintln!("error: {}", report::reason::words(why)),
                _ => eprintln!("error: {error:#}"),
            }
            ExitCode::from(EXIT_USAGE)
        }
    }
}
