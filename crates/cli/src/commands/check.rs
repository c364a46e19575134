//! `raceproof check`: compile, search, report.

use std::path::Path;
use std::sync::Mutex;

use anyhow::{Context, Result, bail};
use base::CheckReport;
use base::budget::Spent;
use decide::{Answer, Pending, Watcher};
use report::replay::Finding;
use report::triage::Order;
use report::witness::{self, SourceHash, WitnessFile};
use report::{DiskSources, Replay, html, json, junit, sarif, terminal};

use crate::accepted::Accepted;
use crate::args::{CheckArgs, CheckFormat, OutArgs};
use crate::cache::Cache;
use crate::certified::{self, CertificateFile};
use crate::front::Compiled;
use crate::request::{CheckRequest, record_for_triage};
use crate::resolve::Asked;
use crate::resumed::{self, Identity};
use crate::settings::Settings;
use crate::watch::{self, Stage};
use crate::{output, progress, resolve};

/// Runs the command; the number is the exit code.
pub fn run(args: &CheckArgs) -> Result<u8> {
    let asked = asked(args);
    let settings = Settings::find(args.build.config.as_deref(), &args.files)?;
    let (request, notes) = resolve::check(&asked, &settings)?;
    output::check_writable("--output", args.output.as_deref())?;
    output::check_writable("--witness", args.witness.as_deref())?;
    output::check_writable("--certificate", args.certificate.as_deref())?;
    output::check_writable("--save", args.save.as_deref())?;
    output::check_writable("--html", args.html.as_deref())?;
    output::check_writable("--trace-out", args.trace_out.as_deref())?;
    if let Some(file) = &args.trace_out {
        crate::traces::form(&form_of(file)).context("--trace-out")?;
    }

    let accepted = Accepted::read(args.baseline.as_deref(), &settings)?;
    for note in notes.iter().filter(|_| !args.look.quiet) {
        eprintln!("note: {note}");
    }
    // What a verdict rests on is not kept.
    let cached = !args.no_cache && args.certificate.is_none() && settings.cache(&request.inputs);
    let cache = Cache::of_user().filter(|_| cached);
    let known = Mutex::new(None);
    let budget = request.limits.budget;
    let work = |stage: &Stage| {
        let mut compiled = Compiled::prepare(&request)?;
        for warning in compiled.warnings().iter().filter(|_| !args.look.quiet) {
            eprintln!("warning: {warning}");
        }
        let (report, left) = answer(&request, &mut compiled, args, (cache.as_ref(), &known))?;
        stage.is_over();
        if let Some(pending) = left {
            save(&pending, &request, &compiled, args)?;
        }
        if let Some(file) = &args.trace_out {
            save_trace(file, &request, &mut compiled)?;
        }
        let text = finish(&report, &request, Some(&mut compiled), args, &accepted)?;
        Ok((report, text))
    };
    // What is told if the work does not end in time.
    let late = |spent: Spent| {
        if let Some(file) = args.save.as_ref().or(args.resume.as_ref()).filter(|_| !args.look.quiet) {
            eprintln!("note: the check did not end in time, so `{}` was not written", file.display());
        }
        let known = known.lock().ok().and_then(|mut known| known.take());
        let known = known.unwrap_or_else(|| nothing_known(&request));
        let report = decide::report::cut_short(known, spent);
        match finish(&report, &request, None, args, &accepted).and_then(|text| output::print(&text)) {
            Ok(()) => judged(&report, &accepted),
            Err(error) => {
                eprintln!("error: {error:#}");
                crate::EXIT_USAGE
            }
        }
    };
    let (report, text) = watch::guarded(budget, work, late)?;
    output::print(&text)?;
    Ok(watch::exit_code(budget, judged(&report, &accepted)))
}

/// The exit code, after what is accepted has been told.
fn judged(report: &CheckReport, accepted: &Accepted) -> u8 {
    let Some(compared) = accepted.compare(report) else { return report.verdict.exit_code() };
    for line in &compared.lines {
        eprintln!("{line}");
    }
    compared.exit_code
}

/// A report of nothing.
fn nothing_known(request: &CheckRequest) -> CheckReport {
    decide::report::empty(inputs_of(request), &request.flags, &request.bounds)
}

/// What the command line asks for.
fn asked(args: &CheckArgs) -> Asked {
    Asked {
        files: args.files.clone(),
        build: args.build.clone(),
        bounds: args.bounds.clone(),
        limits: args.limits.clone(),
        distributions: args.distributions,
        allocation: args.allocation,
        engine: args.engine,
        properties: args.property.clone(),
        judge: args.judge.unwrap_or_default(),
        flags: args.flags.clone(),
    }
}

/// The answer: of the cache if it has one, else of a check.
fn answer(
    request: &CheckRequest,
    compiled: &mut Compiled,
    args: &CheckArgs,
    (cache, known): (Option<&Cache>, &Mutex<Option<CheckReport>>),
) -> Result<(CheckReport, Option<Pending>)> {
    let pending = match &args.resume {
        Some(file) => Some(resumed::read(file, &identity(request, compiled)?)?),
        None => None,
    };
    let place = cache.zip(compiled.key(&request.question()));
    if let Some(report) = place.as_ref().and_then(|(cache, key)| cache.get(key)) {
        return Ok((report, None));
    }
    let line = progress::Line::new(!args.no_progress && !args.look.quiet, request.bounds.len());
    let tell = |report: CheckReport| {
        if let Ok(mut known) = known.lock() {
            *known = Some(report);
        }
    };
    let watcher = Watcher { progress: &|progress| line.update(progress), known: &tell };
    let answer = decide::resume(&request.to_decide(), compiled, &watcher, pending);
    line.clear();
    let answer = answer?;
    if let Some((cache, key)) = place.filter(|_| answer.lasting) {
        cache.put(&key, &answer.report);
    }
    if let Some(file) = &args.certificate {
        save_certificate(file, request, &answer, args)?;
    }
    Ok((answer.report, answer.left))
}

/// What a file to go on with must be about.
fn identity(request: &CheckRequest, compiled: &Compiled) -> Result<Identity> {
    let Some(program) = compiled.key("") else {
        bail!(
            "--save, --resume: expected a program that compiles in time, and few sets of macros (--define)"
        );
    };
    Ok(Identity { program, options: request.options() })
}

/// Writes what is left of a check, if somebody wants to go on with it.
fn save(pending: &Pending, request: &CheckRequest, compiled: &Compiled, args: &CheckArgs) -> Result<()> {
    let Some(file) = args.save.as_ref().or(args.resume.as_ref()) else { return Ok(()) };
    resumed::write(file, identity(request, compiled)?, pending)?;
    if !args.look.quiet {
        let mut words = without_output_options(command_words());
        let before_flags = words.iter().position(|word| word == "--").unwrap_or(words.len());
        words.splice(before_flags..before_flags, ["--resume".to_owned(), file.display().to_string()]);
        let command = output::command_line(&words);
        eprintln!("note: what is known so far is in `{}`; to go on: {command}", file.display());
    }
    Ok(())
}

/// Writes the files that were asked for; the text is for standard output.
fn finish(
    report: &CheckReport,
    request: &CheckRequest,
    compiled: Option<&mut Compiled>,
    args: &CheckArgs,
    accepted: &Accepted,
) -> Result<String> {
    if let Some(file) = &args.witness {
        save_witness(file, request, report, args)?;
    }
    let sources = DiskSources::new("");
    let replay = how_to_replay(args);
    let drawn = args.html.is_some();
    let wanted = drawn || args.format == CheckFormat::Text && !args.look.quiet;
    let order = match compiled.filter(|_| wanted) {
        Some(compiled) => super::triage::order_of_checked(report, request, compiled, drawn),
        None => Order::default(),
    };
    if let Some(file) = &args.html {
        output::write(file, &html::render(report, &sources, &replay, &order))?;
    }
    let text = |style: report::Style| match args.format {
        CheckFormat::Json => json::render(report),
        CheckFormat::Sarif => sarif::render(report, &sources, &accepted.standing(report)),
        CheckFormat::Junit => junit::render(report, &sources),
        CheckFormat::Text => terminal::render(report, &sources, &style, &order),
    };
    match &args.output {
        None => Ok(text(output::style(&args.look, replay))),
        Some(file) => {
            output::write(file, &text(output::style_for_file(&args.look, replay.clone())))?;
            Ok(terminal::verdict_line(report, &output::style(&args.look, replay)))
        }
    }
}

/// The commands that replay a finding: from the file that was written, or by running the same check again.
fn how_to_replay(args: &CheckArgs) -> Replay {
    let words: Vec<String> = command_words();
    let name = words.first().cloned().unwrap_or_else(|| "raceproof".to_owned());
    let replay = |file: &str| output::command_line(&[name.clone(), "replay".into(), file.into()]);
    if let Some(file) = &args.witness {
        return Replay::Saved { command: replay(&file.to_string_lossy()) };
    }
    let mut save = without_output_options(words);
    let before_flags = save.iter().position(|word| word == "--").unwrap_or(save.len());
    save.splice(before_flags..before_flags, ["--witness".to_owned(), "witness.json".to_owned()]);
    Replay::NotSaved { save: output::command_line(&save), command: replay("witness.json") }
}

/// The command without what only says where and how its report is written.
fn without_output_options(words: Vec<String>) -> Vec<String> {
    const WITH_VALUE: [&str; 10] = [
        "--html",
        "--format",
        "--output",
        "-o",
        "--color",
        "--trace-out",
        "--baseline",
        "--certificate",
        "--save",
        "--resume",
    ];
    const ALONE: [&str; 5] = ["--quiet", "-q", "--verbose", "-v", "--no-progress"];
    let mut kept: Vec<String> = Vec::new();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let name = word.split_once('=').map_or(word.as_str(), |(name, _)| name);
        // The value of an option may look like another option.
        if kept.last().is_some_and(|last| last == "--arg") {
            kept.push(word);
        } else if word == "--" {
            kept.push(word);
            kept.extend(words.by_ref());
        } else if WITH_VALUE.contains(&word.as_str()) {
            words.next();
        } else if !ALONE.contains(&word.as_str()) && !WITH_VALUE.contains(&name) {
            kept.push(word);
        }
    }
    kept
}

fn command_words() -> Vec<String> {
    std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect()
}

/// Runs the program once more, fairly scheduled, and writes what it did.
/// The form of a trace goes by the name of its file.
fn form_of(file: &Path) -> OutArgs {
    OutArgs { file: file.to_owned(), form: None, compress: None }
}

fn save_trace(file: &Path, request: &CheckRequest, compiled: &mut Compiled) -> Result<()> {
    let (trace, steering, cut) = record_for_triage(request, compiled)?;
    if let Some(why) = cut {
        eprintln!("note: the trace in `{}` ends early: {why}", file.display());
    }
    let steering = trace.iter().map(|(id, _)| id).filter(|&id| steering.used(id).is_some()).collect();
    let origin = trace::Origin { events: trace.len() as u64, steering };
    super::trace::write(&trace.events, &trace.names, Some(&origin), &form_of(file))
}

fn save_certificate(file: &Path, request: &CheckRequest, answer: &Answer, args: &CheckArgs) -> Result<()> {
    let report = &answer.report;
    let proofs = answer.proofs.iter();
    let certificates: Option<Vec<_>> =
        proofs.map(|proof| proof.as_ref().map(|p| p.certificate.clone())).collect();
    let proved = certificates.filter(|all| !all.is_empty() && report.verdict == base::Verdict::RaceFree);
    let Some(certificates) = proved else {
        if !args.look.quiet {
            let why = "the answer is not a proof from one run for every bound";
            eprintln!("note: {why}, so `{}` was not written", file.display());
        }
        return Ok(());
    };
    let inputs = inputs_of(request);
    let file_of = CertificateFile {
        format: certified::FORMAT.to_owned(),
        version: certified::VERSION,
        raceproof: env!("CARGO_PKG_VERSION").to_owned(),
        command: command_words(),
        directory: directory()?,
        sources: hashes(report, &inputs),
        inputs,
        report: report::json::worded(report),
        certificates,
    };
    let text = serde_json::to_string(&file_of).context("cannot write the certificate as JSON")?;
    output::write(file, &(text + "\n"))
}

fn inputs_of(request: &CheckRequest) -> Vec<String> {
    request.inputs.iter().map(|input| input.to_string_lossy().into_owned()).collect()
}

fn directory() -> Result<String> {
    let directory = std::env::current_dir().context("cannot tell the current directory")?;
    Ok(directory.to_string_lossy().into_owned())
}

fn hashes(report: &CheckReport, inputs: &[String]) -> Vec<SourceHash> {
    let files = witness::files_of(report, inputs).into_iter();
    let hashes = files.filter_map(|file| {
        let bytes = std::fs::read(&file).ok()?;
        Some(SourceHash { sha256: witness::sha256(&bytes), file })
    });
    hashes.collect()
}

fn save_witness(file: &Path, request: &CheckRequest, report: &CheckReport, args: &CheckArgs) -> Result<()> {
    if Finding::count(report) == 0 {
        if !args.look.quiet {
            eprintln!("note: nothing was found, so `{}` was not written", file.display());
        }
        return Ok(());
    }
    let inputs = inputs_of(request);
    let witness = WitnessFile {
        format: witness::FORMAT.to_owned(),
        version: witness::VERSION,
        raceproof: env!("CARGO_PKG_VERSION").to_owned(),
        command: command_words(),
        directory: directory()?,
        sources: hashes(report, &inputs),
        inputs,
        report: report::json::worded(report),
    };
    let text = serde_json::to_string_pretty(&witness).context("cannot write the witness as JSON")?;
    output::write(file, &(text + "\n"))
}

#[cfg(test)]
mod tests {
    use base::{Bound, Defect, DefectKind, Place, ThreadLabel, Verdict, Witness};
    use clap::Parser;
    use report::witness::Parsed;

    use super::*;
    use crate::args::{Args, Command};

    fn args(words: &[&str]) -> CheckArgs {
        match Args::parse_from([&["raceproof", "check"], words].concat()).command {
            Command::Check(args) => *args,
            _ => unreachable!("the words say check"),
        }
    }

    fn report(verdict: Verdict, file: &str) -> CheckReport {
        let defect = Defect {
            kind: DefectKind::Assertion,
            message: "assertion `x` failed".into(),
            location: Place { file: file.into(), line: 1, column: 1 },
            thread: ThreadLabel { id: 0, name: "main".into(), created: None },
            stack: vec![],
            waiting: vec![],
            witness: Witness { choices: vec![3, 1], ..Witness::default() },
        };
        let bounds = [Bound { threads: 2, ..Bound::default() }];
        let mut report = decide::report::empty(vec![file.into()], &[], &bounds);
        report.verdict = verdict;
        report.defects.extend(Some(defect).filter(|_| verdict == Verdict::Defect));
        report
    }

    #[test]
    fn files_are_written_and_can_be_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
        std::fs::write(path("a.c"), "int main;\n").unwrap();
        let (source, witness, output) = (path("a.c"), path("w.json"), path("r.json"));
        let args = args(&[&source, "--witness", &witness, "--format", "json", "--output", &output]);
        let request = resolve::check(&asked(&args), &Settings::default()).unwrap().0;
        let report = report(Verdict::Defect, &source);
        assert!(
            finish(&report, &request, None, &args, &Accepted::default())
                .unwrap()
                .starts_with("defect: 1 failed assertion in ")
        );

        let written = std::fs::read_to_string(&output).unwrap();
        assert_eq!(written, json::render(&report));
        let text = std::fs::read_to_string(&witness).unwrap();
        let Ok(Parsed::Witness(read)) = witness::parse(&text) else { panic!("no witness: {text}") };
        assert_eq!(read.report, report);
        let hash = witness::sha256(b"int main;\n");
        assert_eq!(read.sources, [SourceHash { file: source.clone(), sha256: hash }]);
        assert_eq!(read.inputs, [source]);
    }

    #[test]
    fn the_command_to_save_says_nothing_about_the_look() {
        let words =
            "raceproof check a.c --html r.html -q --arg --quiet --format=sarif -D N=2 -o x -- --html -q";
        let kept = without_output_options(words.split(' ').map(str::to_owned).collect());
        assert_eq!(kept.join(" "), "raceproof check a.c --arg --quiet -D N=2 -- --html -q");
    }

    #[test]
    fn without_a_finding_there_is_no_witness() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
        std::fs::write(path("a.c"), "").unwrap();
        let (source, witness, output) = (path("a.c"), path("w.json"), path("r.txt"));
        let args = args(&[&source, "--witness", &witness, "--output", &output, "--quiet"]);
        let request = resolve::check(&asked(&args), &Settings::default()).unwrap().0;
        let shown =
            finish(&report(Verdict::RaceFree, &source), &request, None, &args, &Accepted::default()).unwrap();
        assert!(shown.starts_with("race-free: "));
        assert!(!Path::new(&witness).exists());
        assert!(std::fs::read_to_string(&output).unwrap().starts_with("race-free: "));
    }
}
