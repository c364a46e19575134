//! `raceproof replay`: compile the same sources again, feed the choices back, and show the run step by step.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use base::{Budget, CheckReport, Verdict};
use decide::ReplayRequest;
use report::replay::{self, Finding};
use report::witness::{self, Parsed, SourceHash};
use report::{DiskSources, Replay};

use crate::args::ReplayArgs;
use crate::front::Compiled;
use crate::{output, resolve};

/// What a file to replay holds, whichever of the two kinds it is.
struct Recorded {
    inputs: Vec<PathBuf>,
    directory: Option<PathBuf>,
    sources: Vec<SourceHash>,
    raceproof: Option<String>,
    report: CheckReport,
}

/// Runs the command; the number is the exit code: that of a finding, or `unknown` if one did not come up again.
pub fn run(args: &ReplayArgs) -> Result<u8> {
    if !args.command.is_empty() {
        return super::native::run(args);
    }
    let recorded = read(&args.witness)?;
    let first = choose(&recorded.report, args.finding)?;
    let steps = first.witness().steps.len();
    if args.step.is_some_and(|step| step > steps) {
        bail!("--step: expected a step from 0 to {steps}, found {}", args.step.unwrap_or(0));
    }
    enter_directory(&recorded)?;
    let doubts = doubts(&recorded);
    for doubt in &doubts {
        eprintln!("warning: {doubt}");
    }
    let count = Finding::count(&recorded.report);
    let findings = if args.all { (1..=count).collect() } else { vec![args.finding] };
    let request = ReplayRequest {
        inputs: resolve::inputs(&recorded.inputs)?,
        report: recorded.report.clone(),
        findings,
    };
    let build = recorded.report.build.clone().unwrap_or_default();
    let mut compiled = Compiled::new(&request.inputs, &recorded.report.flags, &build, Budget::default());
    let reports = decide::replay(&request, &mut compiled)?;
    if args.all {
        return all(&recorded.report, &reports, &doubts);
    }
    let shown = reports.first().and_then(|report| Some((report, Finding::nth(report, 1)?)));
    let Some((report, found)) = shown else {
        eprintln!("unknown: the run ended without this finding");
        eprintln!("{}", why_not(&doubts));
        return Ok(Verdict::Unknown.exit_code());
    };
    let style = output::style(&args.look, Replay::Unavailable);
    output::print(&replay::render(report, found, args.step, &DiskSources::new(""), &style))?;
    Ok(Verdict::Race.exit_code())
}

/// One line for each finding: whether it came up again.
fn all(recorded: &CheckReport, replayed: &[CheckReport], doubts: &[String]) -> Result<u8> {
    let mut missing = 0;
    let mut text = String::new();
    for (index, report) in replayed.iter().enumerate() {
        let again = Finding::count(report) > 0;
        missing += usize::from(!again);
        let title = Finding::nth(recorded, index + 1).map_or_else(String::new, |finding| finding.title());
        let answer = if again { "replays" } else { "does NOT replay" };
        text += &format!("finding {}: {answer}: {title}\n", index + 1);
    }
    output::print(&text)?;
    if missing > 0 {
        eprintln!("unknown: {missing} of {} findings did not come up again", replayed.len());
        eprintln!("{}", why_not(doubts));
        return Ok(Verdict::Unknown.exit_code());
    }
    Ok(Verdict::Race.exit_code())
}

/// What to say where a finding does not come up again.
fn why_not(doubts: &[String]) -> &'static str {
    if doubts.is_empty() {
        "The sources are the same, so this is a defect of raceproof: please report it with the witness."
    } else {
        "Run the check again to get a witness that fits."
    }
}

fn read(file: &Path) -> Result<Recorded> {
    let shown = file.display();
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read `{shown}`"))?;
    let parsed = witness::parse(&text)
        .map_err(|error| anyhow!("`{shown}`: {error}; `raceproof check ... --witness {shown}` writes one"))?;
    Ok(match parsed {
        Parsed::Witness(file) => Recorded {
            inputs: file.inputs.iter().map(PathBuf::from).collect(),
            directory: Some(PathBuf::from(file.directory)),
            sources: file.sources,
            raceproof: Some(file.raceproof),
            report: file.report,
        },
        Parsed::Report(report) => Recorded {
            inputs: report.files.iter().map(PathBuf::from).collect(),
            directory: None,
            sources: Vec::new(),
            raceproof: None,
            report: *report,
        },
    })
}

fn choose(report: &CheckReport, number: usize) -> Result<Finding<'_>> {
    let count = Finding::count(report);
    if count == 0 {
        bail!("the report has no finding to replay: nothing was found by that check");
    }
    Finding::nth(report, number)
        .ok_or_else(|| anyhow!("--finding: expected a number from 1 to {count}, found {number}"))
}

/// Relative names count from here if the inputs are here, else from where the check ran.
fn enter_directory(recorded: &Recorded) -> Result<()> {
    if recorded.inputs.iter().all(|input| input.exists()) {
        return Ok(());
    }
    let Some(directory) = &recorded.directory else { return Ok(()) };
    if recorded.inputs.iter().all(|input| directory.join(input).exists()) {
        std::env::set_current_dir(directory)
            .with_context(|| format!("cannot go to `{}`", directory.display()))?;
    }
    Ok(())
}

/// Why the replay may come out differently.
fn doubts(recorded: &Recorded) -> Vec<String> {
    let mut doubts = Vec::new();
    let here = env!("CARGO_PKG_VERSION");
    match &recorded.raceproof {
        Some(version) if version != here => {
            doubts.push(format!("the witness was written by raceproof {version}, this is {here}"));
        }
        Some(_) => {}
        None => {
            doubts.push("a plain report has no hashes: whether the sources changed is not known".to_owned())
        }
    }
    for source in &recorded.sources {
        match std::fs::read(&source.file) {
            Ok(bytes) if witness::sha256(&bytes) == source.sha256 => {}
            Ok(_) => doubts.push(format!("`{}` has changed since the check", source.file)),
            Err(error) => doubts.push(format!("`{}` cannot be read: {error}", source.file)),
        }
    }
    doubts
}
