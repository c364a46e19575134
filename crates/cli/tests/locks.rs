//! `raceproof locks` on programs with known answers (`tests/locks/programs`), one test each.
//!
//! `//@ needed race, shrink` on the line of a construct says its judgement, what goes wrong without it, and what is suggested; every construct
//! of a program must have such a line, and every such line a construct. `//@ repair reduction` says how a racy program is repaired.
//! Whatever patch or suggestion comes out must apply with `git apply`, compile with clang, and check as promised.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn raceproof(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_raceproof"))
        .env("XDG_CACHE_HOME", "/dev/null")
        .current_dir(folder)
        .args(words)
        .output()
        .expect("raceproof runs")
}

fn main() {
    let arguments = Arguments::from_args();
    let folder = root().join("tests/locks/programs");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the programs").flatten().map(|e| e.path()).collect();
    files.sort();
    let mut trials: Vec<Trial> = files
        .into_iter()
        .map(|file| {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            Trial::test(format!("locks::{name}"), move || program(&file))
        })
        .collect();
    trials.push(Trial::test("locks::files", files_and_exit_codes));
    trials.push(Trial::test("locks::iterate", iterate));
    libtest_mimic::run(&arguments, trials).exit();
}

fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

/// By line: `needed race, shrink`.
fn expected(source: &str) -> BTreeMap<u64, String> {
    let mark = |(i, line): (usize, &str)| {
        let (_, says) = line.split_once("//@ ")?;
        (!says.starts_with("repair")).then(|| (i as u64 + 1, says.trim().to_owned()))
    };
    source.lines().enumerate().filter_map(mark).collect()
}

fn found(report: &Value) -> BTreeMap<u64, String> {
    let mut found = BTreeMap::new();
    let constructs = report["constructs"].as_array().cloned().unwrap_or_default();
    for construct in &constructs {
        let mut says = text(construct, "verdict");
        if let Some(kind) = construct["evidence"]["kind"].as_str() {
            says += &format!(" {kind}");
        }
        if let Some(why) = construct["why"].as_str() {
            says += &format!(" ({why})");
        }
        found.insert(construct["line"].as_u64().unwrap_or(0), says);
    }
    for suggestion in report["suggestions"].as_array().into_iter().flatten() {
        for of in suggestion["constructs"].as_array().into_iter().flatten() {
            let line = constructs[of.as_u64().unwrap_or(0) as usize]["line"].as_u64().unwrap_or(0);
            *found.entry(line).or_default() += &format!(", {}", text(suggestion, "kind"));
        }
    }
    found
}

fn program(file: &Path) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let source = std::fs::read_to_string(file)?;
    std::fs::write(folder.path().join(&name), &source)?;
    let out = raceproof(folder.path(), &["locks", &name, "--format", "json", "--patch", "change.diff"]);
    let report: Value = serde_json::from_slice(&out.stdout)
        .map_err(|e| format!("{e}: {}", String::from_utf8_lossy(&out.stderr)))?;
    let expected = expected(&source);
    let ways: Vec<&str> =
        source.lines().filter_map(|l| l.split_once("//@ repair ")).map(|(_, way)| way.trim()).collect();
    let code = out.status.code();
    if ways.is_empty() {
        let found = found(&report);
        if found != expected {
            return Err(format!("expected {expected:?}, found {found:?}").into());
        }
        let superfluous = expected.values().any(|says| says.starts_with("superfluous"));
        if code != Some(i32::from(superfluous)) {
            return Err(format!("exit code {code:?}").into());
        }
        if superfluous != report["patch"].is_string() {
            return Err("there is a patch exactly if something is superfluous".into());
        }
    } else {
        let steps = report["repair"]["steps"].as_array().cloned().unwrap_or_default();
        let mut found: Vec<String> = steps.iter().map(|s| text(s, "way")).collect();
        found.dedup();
        if found != ways || report["repair"]["complete"] != Value::Bool(true) || code != Some(1) {
            return Err(format!("expected {ways:?}, found {found:?}, {}", report["repair"]).into());
        }
    }
    if report["patch"].is_string() {
        let patch = std::fs::read_to_string(folder.path().join("change.diff"))?;
        applies(&name, &source, &patch)?;
    }
    for suggestion in report["suggestions"].as_array().into_iter().flatten() {
        applies(&name, &source, &text(suggestion, "patch"))?;
    }
    Ok(())
}

/// The patch applies, and the result compiles and is race-free.
fn applies(name: &str, source: &str, patch: &str) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join(name), source)?;
    std::fs::write(folder.path().join("change.diff"), patch)?;
    let git = Command::new("git").current_dir(folder.path()).args(["apply", "change.diff"]).output()?;
    if !git.status.success() {
        return Err(format!("git apply: {}\n{patch}", String::from_utf8_lossy(&git.stderr)).into());
    }
    if std::fs::read_to_string(folder.path().join(name))? == source {
        return Err("the patch changes nothing".into());
    }
    let compiler = if name.ends_with(".cpp") { "clang++-19" } else { "clang-19" };
    let clang = Command::new(compiler)
        .current_dir(folder.path())
        .args(["-fopenmp", "-fsyntax-only", name])
        .output()?;
    if !clang.status.success() {
        return Err(format!("{compiler}: {}\n{patch}", String::from_utf8_lossy(&clang.stderr)).into());
    }
    let check = raceproof(folder.path(), &["check", name, "--quiet"]);
    if check.status.code() != Some(0) {
        return Err(
            format!("the changed program: {}\n{patch}", String::from_utf8_lossy(&check.stdout)).into()
        );
    }
    Ok(())
}

/// The files that can be written, and what the exit codes of `--actl` say.
fn files_and_exit_codes() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let program = root().join("tests/locks/paper/figure4.c");
    let program = program.to_string_lossy();
    let words = [
        "locks",
        &program,
        "--no-judge",
        "--threads",
        "5",
        "--graph",
        "g.svg",
        "--lnt",
        "m.lnt",
        "--aut",
        "m.aut",
    ];
    let out = raceproof(folder.path(), &words);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name));
    assert_eq!(out.status.code(), Some(0), "{}", String::from_utf8_lossy(&out.stderr));
    assert!(read("g.svg")?.starts_with("<svg") && read("g.svg")?.contains("WU6"));
    assert!(read("m.lnt")?.contains("PROTECTED_WU [WU3, ACQUIRE, RELEASE] (3)"));
    let aut = read("m.aut")?;
    assert!(aut.starts_with("des (0, ") && aut.contains("\"ACQUIRE !1\""), "{aut}");
    let ask = |formula: &str| {
        raceproof(folder.path(), &["locks", &program, "--threads", "5", "--actl", formula]).status.code()
    };
    assert_eq!(ask("not EF (EX_WU1 true and EX_WU2 true)"), Some(0));
    assert_eq!(ask("EF (EX_WU1 true and EX_WU2 true)"), Some(1));
    assert_eq!(ask("EF (EX_WU1"), Some(2));
    let few = ["locks", &program, "--threads", "5", "--max-states", "3", "--actl", "AF EX_WU6 true"];
    assert_eq!(raceproof(folder.path(), &few).status.code(), Some(3));
    Ok(())
}

/// P5, figure 2, as one command.
fn iterate() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    std::fs::copy(root().join("tests/locks/paper/figure1.c"), folder.path().join("figure1.c"))?;
    let out = raceproof(
        folder.path(),
        &["locks", "figure1.c", "--iterate", "--format", "json", "--patch", "p.diff"],
    );
    let report: Value = serde_json::from_slice(&out.stdout)?;
    assert_eq!(report["patch_verdict"], "race-free");
    assert_eq!(report["rounds"].as_array().map(Vec::len), Some(2), "{report}");
    let source = std::fs::read_to_string(folder.path().join("figure1.c"))?;
    applies("figure1.c", &source, &std::fs::read_to_string(folder.path().join("p.diff"))?)
}
