//! `raceproof record`: run a program and store what its threads do.

use anyhow::{Context, Result, bail};
use record::session::{self, Recorded, Request, Snapshot};

use crate::args::RecordArgs;
use crate::units;

/// Runs the command; the number is the program's exit code.
pub fn run(args: &RecordArgs) -> Result<u8> {
    let limit = units::size(&args.limit).context("--limit")?;
    let request = Request { command: args.command.clone(), output: args.output.clone(), limit: Some(limit) };
    let recorded = record(&request, |_| {})?;
    if !args.quiet {
        eprintln!("recorded: {}", summary(&recorded, &request));
        for missing in &recorded.end.missing {
            eprintln!("missing: {missing}");
        }
    }
    Ok(recorded.end.code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}

/// Records a program; an error if it cannot be recorded. What there is so far goes to whoever asks for it.
pub fn record(request: &Request, asked: impl FnMut(Snapshot)) -> Result<Recorded> {
    let recorded = session::record(request, asked)?;
    if !recorded.attached {
        let name =
            request.command.first().map(|word| word.to_string_lossy().into_owned()).unwrap_or_default();
        bail!(
            "`{name}` was not built for recording: build it with CC=\"raceproof cc --record\" and CXX=\"raceproof c++ \
             --record\""
        );
    }
    Ok(recorded)
}

fn summary(recorded: &Recorded, request: &Request) -> String {
    format!(
        "{} ({} bytes, {} before packing); the program ended with {}",
        request.output.display(),
        recorded.bytes,
        recorded.unpacked,
        recorded.end.ended
    )
}
