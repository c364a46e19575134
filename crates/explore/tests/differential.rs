//! What a program prints under the machine is what it prints when clang has compiled it.
//!
//! Every program in `tests/output` beside this file, and every program of `tests/programs` whose run needs no decision
//! and which exists to be run (families `language` and `libc`), is compiled natively and run; standard output and exit
//! code must be equal.

use std::path::{Path, PathBuf};
use std::process::Command;

use header::Header;
use judge::replay::{Ending, replay};
use machine::{Inputs, Mode, Program};

struct Ran {
    output: String,
    code: Option<i32>,
}

/// `None` if the run needs a decision, or stops for another reason than its end.
fn interpreted(file: &Path, flags: &[String]) -> Option<Ran> {
    let options =
        frontend::Options { files: vec![file.to_owned()], flags: flags.to_vec(), ..Default::default() };
    let compiled = frontend::compile(&options).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let inputs = Inputs { args: vec!["program".to_string()], threads: 2 };
    let program =
        Program::load(&compiled.module, &inputs).unwrap_or_else(|e| panic!("{}: {e:?}", file.display()));
    let run = replay(&program, Mode::default(), &[], u64::MAX, None);
    if run.ending != Ending::Final || !run.stops.is_empty() {
        return None;
    }
    let bytes: Vec<u8> =
        run.output.iter().filter(|(_, fd, _)| *fd == 1).flat_map(|(_, _, b)| b.iter().copied()).collect();
    Some(Ran { output: String::from_utf8_lossy(&bytes).into_owned(), code: run.machine.exited })
}

fn native(file: &Path, flags: &[String]) -> Ran {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let binary = folder.path().join("program");
    let cpp = file.extension().is_some_and(|e| e == "cpp");
    let built = Command::new(if cpp { "clang++-19" } else { "clang-19" })
        .args(["-O0", "-w"])
        .args(flags)
        .arg(file)
        .arg("-o")
        .arg(&binary)
        .args(["-lm", "-lpthread"])
        .status();
    assert!(built.expect("clang runs").success(), "{}", file.display());
    let ran = Command::new("env").arg("-i").arg(&binary).output().expect("the program runs");
    Ran { output: String::from_utf8_lossy(&ran.stdout).into_owned(), code: ran.status.code() }
}

fn programs(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut files: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "c" || e == "cpp"));
    files.sort();
    files
}

/// How many of the files were compared; panics where they differ.
fn compare(files: &[PathBuf], all: bool) -> usize {
    let mut compared = 0;
    let mut wrong = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file).expect("a readable file");
        let header = Header::of(file);
        if header.is_program() && header.verdict != "race-free" {
            continue;
        }
        if text.contains("__VERIFIER_") || text.contains("raceproof_") {
            continue;
        }
        let flags = header.flags_for(file);
        let Some(got) = interpreted(file, &flags) else {
            if all {
                wrong.push(format!("{}: does not run to its end", file.display()));
            }
            continue;
        };
        let expected = native(file, &flags);
        compared += 1;
        if got.output != expected.output || got.code != expected.code {
            wrong.push(difference(file, &got, &expected));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    compared
}

fn difference(file: &Path, got: &Ran, expected: &Ran) -> String {
    let lines = got.output.lines().zip(expected.output.lines()).enumerate();
    let first = lines.into_iter().find(|(_, (g, e))| g != e);
    let line = match first {
        Some((n, (g, e))) => format!("line {}: `{g}`, but natively `{e}`", n + 1),
        None => {
            format!("{} lines, but natively {}", got.output.lines().count(), expected.output.lines().count())
        }
    };
    format!("{}: {line}; exit code {:?}, natively {:?}", file.display(), got.code, expected.code)
}

#[test]
fn own_programs() {
    let files = programs("tests/output");
    assert_eq!(compare(&files, true), files.len());
}

#[test]
fn language_programs() {
    assert!(compare(&programs("../../tests/programs/language"), false) >= 10);
}

#[test]
fn library_programs() {
    assert!(compare(&programs("../../tests/programs/libc"), false) >= 5);
}
