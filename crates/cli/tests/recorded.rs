//! Programs of `tests/recorded`: built with `raceproof cc --record`, run, and predicted.
//!
//! The first line of each says what must come out: `// record: free`, `// record: deadlock`, or `// record: race NAME`, where
//! NAME is how the variable's name begins (nothing: any). Of a race both places must be lines that end in `//!`, of a deadlock
//! those where threads wait. The program itself must be brought there (`--confirm`), unless a team has one thread. `// flags: ...` are for
//! the compiler. Each is built without and with optimisation, unless `// level: ...` says how.

use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

struct Expected {
    race: Option<String>,
    deadlock: bool,
    lines: Vec<u64>,
    flags: Vec<String>,
    /// The only level of optimisation at which the source says what is done.
    level: Option<String>,
}

fn expected(text: &str) -> Expected {
    let after = |start: &str| text.lines().find_map(|line| line.strip_prefix(start)).map(str::trim);
    let said = after("// record:").expect("a line `// record:`");
    let marked = text.lines().enumerate().filter(|(_, line)| line.contains("//!"));
    Expected {
        deadlock: said == "deadlock",
        race: said.strip_prefix("race").map(|name| name.trim().to_owned()),
        lines: marked.map(|(index, _)| index as u64 + 1).collect(),
        level: after("// level:").map(str::to_owned),
        flags: after("// flags:").unwrap_or("").split_whitespace().map(str::to_owned).collect(),
    }
}

fn raceproof() -> Command {
    Command::new(env!("CARGO_BIN_EXE_raceproof"))
}

fn build(source: &Path, program: &Path, flags: &[String]) -> Result<(), Failed> {
    let compiler = if source.extension().is_some_and(|e| e == "cpp") { "c++" } else { "cc" };
    let built =
        raceproof().args([compiler, "--record"]).args(flags).arg(source).arg("-o").arg(program).output()?;
    match built.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&built.stderr).into_owned().into()),
    }
}

fn predict(program: &Path) -> Result<Value, Failed> {
    let out = raceproof().args(["predict", "--confirm", "--format", "json", "--"]).arg(program).output()?;
    let text = String::from_utf8_lossy(&out.stdout);
    // What the program prints comes before.
    let json = text.find("{\n").map_or("", |at| &text[at..]);
    let why = |error| format!("{error}\n{text}\n{}", String::from_utf8_lossy(&out.stderr));
    Ok(serde_json::from_str(json).map_err(why)?)
}

fn judge(report: &Value, expected: &Expected) -> Result<(), Failed> {
    let races = report["races"].as_array().ok_or("no list of races")?;
    let defects = report["defects"].as_array().ok_or("no list of defects")?;
    if expected.deadlock == defects.is_empty() {
        return Err(format!(
            "expected {}, found {defects:#?}",
            if expected.deadlock { "a deadlock" } else { "none" }
        )
        .into());
    }
    for defect in defects {
        let lines: Vec<u64> = waiting_lines(defect);
        if !expected.lines.is_empty() && !lines.iter().all(|line| expected.lines.contains(line)) {
            return Err(format!("waits at lines {lines:?}, expected {:?}", expected.lines).into());
        }
    }
    for finding in races.iter().chain(defects) {
        let native = finding["witness"]["native"].as_str().unwrap_or_default();
        if native != "confirmed natively" && native != "not tried: the tasks are of a team of one thread" {
            return Err(format!("native replay: {native}").into());
        }
    }
    let Some(name) = &expected.race else {
        return if races.is_empty() { Ok(()) } else { Err(format!("false race: {races:#?}").into()) };
    };
    if races.is_empty() {
        return Err("the race was not found".into());
    }
    for race in races {
        let variable = race["variable"].as_str().unwrap_or_default();
        let lines = ["first", "second"].map(|side| race[side]["line"].as_u64().unwrap_or(0));
        if !variable.starts_with(name.as_str()) || !lines.iter().all(|line| expected.lines.contains(line)) {
            return Err(format!(
                "`{variable}` at lines {lines:?}, expected `{name}` at {:?}",
                expected.lines
            )
            .into());
        }
    }
    Ok(())
}

/// Where the threads of a deadlock wait.
fn waiting_lines(defect: &Value) -> Vec<u64> {
    let waits = defect["waiting"].as_array().map(Vec::as_slice).unwrap_or_default();
    waits.iter().map(|wait| wait["line"].as_u64().unwrap_or(0)).collect()
}

fn run(source: &Path, level: &str) -> Result<(), Failed> {
    let mut expected = expected(&std::fs::read_to_string(source)?);
    if expected.level.as_ref().is_some_and(|only| only != level) {
        return Ok(());
    }
    expected.flags.push(level.to_owned());
    let folder = tempfile::tempdir()?;
    let program = folder.path().join("program");
    build(source, &program, &expected.flags)?;
    judge(&predict(&program)?, &expected)
}

/// A witness file brings the program to its race again and again, and no other program.
fn witness_files_replay() -> Result<(), Failed> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/recorded/hidden_by_lock.c");
    let folder = tempfile::tempdir()?;
    let (program, found) = (folder.path().join("program"), folder.path().join("found"));
    build(&source, &program, &["-O1".to_owned()])?;
    raceproof().args(["predict", "--quiet", "--witness"]).arg(&found).arg("--").arg(&program).output()?;
    let witness = found.join("race-1.json");
    let replay = |program: &Path| raceproof().arg("replay").arg(&witness).arg("--").arg(program).output();
    for _ in 0..5 {
        let out = replay(&program)?;
        let said = String::from_utf8_lossy(&out.stdout).into_owned();
        if out.status.code() != Some(1) || !said.contains("confirmed natively") {
            return Err(format!("{:?}: {said}{}", out.status, String::from_utf8_lossy(&out.stderr)).into());
        }
    }
    let out = replay(Path::new("true"))?;
    let said = String::from_utf8_lossy(&out.stdout).into_owned();
    match out.status.code() {
        Some(3) if said.contains("diverged: the program was not built for recording") => Ok(()),
        code => Err(format!("{code:?}: {said}").into()),
    }
}

fn main() {
    let arguments = Arguments::from_args();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/recorded");
    let mut sources: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the programs").flatten().map(|entry| entry.path()).collect();
    sources.retain(|path| path.extension().is_some_and(|e| e == "c" || e == "cpp"));
    sources.sort();
    let trials = sources.into_iter().flat_map(|source| {
        ["-O0", "-O2"].map(|level| {
            let name = format!("{} {level}", source.file_name().unwrap_or_default().to_string_lossy());
            let source = source.clone();
            Trial::test(name, move || run(&source, level))
        })
    });
    let files = Trial::test("witness files replay", witness_files_replay);
    libtest_mimic::run(&arguments, trials.chain([files]).collect()).exit();
}
