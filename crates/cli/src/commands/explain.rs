//! `raceproof explain`: what a kind of finding means, with a bad and a good program.

use anyhow::{Result, bail};
use report::explain;

use crate::args::ExplainArgs;
use crate::output;

/// Wider than this, prose is hard to read.
const WIDEST: usize = 100;

/// Runs the command; the number is the exit code.
pub fn run(args: &ExplainArgs) -> Result<u8> {
    let Some(code) = &args.code else {
        let text = format!("{}\n`raceproof explain CODE` explains one of them.\n", explain::overview());
        output::print(&text)?;
        return Ok(0);
    };
    match explain::find(&code.to_lowercase().replace([' ', '_'], "-")) {
        Some(explanation) => output::print(&explanation.text(width()))?,
        None => bail!("there is no kind of finding `{code}`; `raceproof explain` lists them"),
    }
    Ok(0)
}

fn width() -> usize {
    terminal_size::terminal_size().map_or(WIDEST, |(width, _)| usize::from(width.0).clamp(40, WIDEST))
}
