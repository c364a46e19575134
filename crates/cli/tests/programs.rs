//! Runs every program below `tests/programs` through the binary and compares the answer with its header, one test
//! each (the header is described in `crates/header`). Every finding is also replayed from its witness file.
//!
//! `cargo test --test programs -- mutex` runs those whose name contains `mutex`. On failure the test prints the header
//! that would fit what was found.

mod expectation;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use base::CheckReport;
use header::Header;
use libtest_mimic::{Arguments, Failed, Trial};

const BINARY: &str = env!("CARGO_BIN_EXE_raceproof");
/// Limits for programs that set none themselves.
const TIME_LIMIT: &str = "60";
/// The limit for those that are known not to be decided.
const UNDECIDED_LIMIT: &str = "1";
const MEMORY_LIMIT: &str = "2G";

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    let mut trials: Vec<Trial> = files.iter().map(|file| trial(&root, file)).collect();
    let found = trials.len();
    trials.push(Trial::test("there_are_programs", move || match found {
        0 => Err(Failed::from("no program with a header was found below tests/programs")),
        _ => Ok(()),
    }));
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    const KINDS: [&str; 7] = ["c", "cc", "cpp", "cxx", "i", "ii", "ll"];
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let kind = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
        if path.is_dir() {
            collect(&path, files);
        } else if KINDS.contains(&kind)
            && std::fs::read_to_string(&path).is_ok_and(|text| text.contains("//@ verdict:"))
        {
            files.push(path);
        }
    }
}

fn trial(root: &Path, file: &Path) -> Trial {
    let name = file.strip_prefix(root).unwrap_or(file).to_string_lossy().into_owned();
    let file = file.to_owned();
    Trial::test(name, move || run(&file).map_err(Failed::from))
}

fn run(file: &Path) -> Result<(), String> {
    let source = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let expected = Header::parse(&source)?;
    let answer = check(file, &expected);
    match (&expected.fixme, answer) {
        (None, answer) => answer,
        (Some(_), Err(_)) => Ok(()),
        (Some(why), Ok(())) => Err(format!("the answer is right now: remove `//@ fixme: {why}`")),
    }
}

fn raceproof(folder: &Path, arguments: &[String]) -> Result<Output, String> {
    Command::new(BINARY)
        .current_dir(folder)
        .env("XDG_CACHE_HOME", "/dev/null")
        .args(arguments)
        .output()
        .map_err(|error| error.to_string())
}

fn check(file: &Path, expected: &Header) -> Result<(), String> {
    let folder = file.parent().unwrap_or(Path::new("."));
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let witness = scratch.path().join("witness.json");
    let output = raceproof(folder, &arguments(file, expected, &witness))?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    let report: CheckReport = serde_json::from_str(&stdout).map_err(|error| {
        let stderr = String::from_utf8_lossy(&output.stderr);
        format!("no report ({}): {error}\n{stderr}", output.status)
    })?;
    if expected.undecided.is_some() && report.verdict == base::Verdict::Unknown {
        return Ok(());
    }
    let mut wrong = expectation::compare(expected, &report);
    if output.status.code() != Some(i32::from(report.verdict.exit_code())) {
        wrong.push(format!(
            "the verdict is {:?}, but the process ended with {}",
            report.verdict, output.status
        ));
    }
    if wrong.is_empty() && report.races.len() + report.defects.len() > 0 {
        wrong.extend(replay(folder, &witness)?);
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!("{}\nThis header would fit:\n{}", wrong.join("\n"), expectation::header(&report)))
}

fn arguments(file: &Path, expected: &Header, witness: &Path) -> Vec<String> {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut arguments = vec!["check".to_owned(), name];
    arguments.extend(expected.files.iter().cloned());
    arguments.extend(["--format", "json", "--witness"].map(str::to_owned));
    arguments.push(witness.to_string_lossy().into_owned());
    arguments.extend(expected.options.iter().cloned());
    let sets = |option: &str| expected.options.iter().any(|given| given.starts_with(option));
    let time = if expected.undecided.is_some() { UNDECIDED_LIMIT } else { TIME_LIMIT };
    for (option, value) in [("--time-limit", time), ("--memory-limit", MEMORY_LIMIT)] {
        if !sets(option) {
            arguments.extend([option.to_owned(), value.to_owned()]);
        }
    }
    if !expected.flags.is_empty() {
        arguments.push("--".to_owned());
        arguments.extend(expected.flags.iter().cloned());
    }
    arguments
}

/// Every finding must come up again, with the exit code of a finding.
fn replay(folder: &Path, witness: &Path) -> Result<Option<String>, String> {
    let words = ["replay".to_owned(), witness.to_string_lossy().into_owned(), "--all".to_owned()];
    let output = raceproof(folder, &words)?;
    let wrong = output.status.code() != Some(1);
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    Ok(wrong.then(|| format!("a witness does not replay: {}", said.concat())))
}
