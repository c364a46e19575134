//! Holds the checker's answer about a printed program against the oracle's.
//!
//! The checker is run as a user would run it, `PATH check FILE --format json --time-limit S`, and of its JSON these
//! fields are used: `verdict`, `reason`, `races[].variable`, `races[].first.line`, `races[].second.line`,
//! `defects[].kind`.
//!
//! Equal means: a race exactly if the verdict is `race`, and then every reported pair among the oracle's pairs; else
//! the same set of defects out of `deadlock`, `assertion` and faults, with verdict `defect` exactly if it is not empty. `unknown` is
//! always a difference. An element of an array may be named by an expression. Pairs of the oracle that the checker does not report are counted, no more.

use std::collections::BTreeSet;
use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::case::Case;
use crate::explore::{Outcome, RacyPair};

/// How to run the checker.
#[derive(Debug, Clone)]
pub struct Tool {
    /// The binary.
    pub path: PathBuf,
    /// More arguments for `check`.
    pub args: Vec<String>,
    /// The time limit in seconds that it is given.
    pub time_limit: u64,
    /// Accept one of several defects, for a checker that stops at the first.
    pub first_defect: bool,
    /// The rules of the proof that it does without, in a build that can.
    pub without: Option<String>,
}

impl Tool {
    /// The checker at `path`, with the usual time limit.
    pub fn new(path: PathBuf) -> Tool {
        Tool { path, args: Vec::new(), time_limit: 20, first_defect: false, without: None }
    }

    /// The checker as it is asked about `case`.
    pub fn for_case(&self, case: &Case) -> Tool {
        Tool { first_defect: self.first_defect || case.one_defect_is_enough(), ..self.clone() }
    }
}

/// The part of the checker's answer that is compared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// `race`, `defect`, `race-free` or `unknown`.
    pub verdict: String,
    /// Why it is `unknown`.
    pub reason: String,
    /// The reported races.
    pub races: BTreeSet<RacyPair>,
    /// The kinds of the reported defects.
    pub defects: BTreeSet<String>,
}

/// A way in which the checker can be wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// The checker did not run to its end, or its answer cannot be read.
    ToolFailed(String),
    /// The verdict is `unknown`.
    Unknown(String),
    /// There is a race, and the verdict is this one.
    MissedRace(String),
    /// There is no race in any execution, and the verdict is `race`.
    FalseVerdict,
    /// There are races, but this one, which the checker reports, is none.
    FalsePair(RacyPair),
    /// There is no race; a deadlock or failed assertion is not reported.
    MissedDefect(String),
    /// There is no race; the reported defect does not exist.
    FalseDefect(String),
    /// The verdict does not fit to the lists that come with it.
    Inconsistent(String),
}

impl Difference {
    /// Whether two differences are of the same kind, details aside.
    pub fn same_kind(&self, other: &Difference) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::ToolFailed(why) => write!(f, "the checker failed: {why}"),
            Difference::Unknown(reason) => write!(f, "the checker answers `unknown`: {reason}"),
            Difference::MissedRace(verdict) => write!(f, "missed race: the checker answers `{verdict}`"),
            Difference::FalseVerdict => write!(f, "false race: no execution has one"),
            Difference::FalsePair(RacyPair(var, a, b)) => {
                write!(f, "false race: {var}, lines {a} and {b} (other pairs do race)")
            }
            Difference::MissedDefect(kind) => write!(f, "missed {kind}"),
            Difference::FalseDefect(kind) => write!(f, "false {kind}"),
            Difference::Inconsistent(what) => write!(f, "inconsistent answer: {what}"),
        }
    }
}

/// Compares an answer with the truth; an empty list means equal.
pub fn compare(truth: &Outcome, answer: &Answer, first_defect: bool) -> Vec<Difference> {
    let mut found = Vec::new();
    match answer.verdict.as_str() {
        "unknown" => return vec![Difference::Unknown(answer.reason.clone())],
        "race" if !truth.race => return vec![Difference::FalseVerdict],
        "race" => {
            if answer.races.is_empty() {
                found.push(Difference::Inconsistent("verdict `race` without a race".into()));
            }
            let false_pairs = answer.races.iter().filter(|pair| !truth.races.iter().any(|t| names(t, pair)));
            found.extend(false_pairs.cloned().map(Difference::FalsePair));
            return found;
        }
        verdict if truth.race => return vec![Difference::MissedRace(verdict.into())],
        verdict => {
            let fits = (verdict == "defect") != answer.defects.is_empty();
            if !fits || !matches!(verdict, "defect" | "race-free") || !answer.races.is_empty() {
                let text = format!("verdict `{verdict}` with {} defects", answer.defects.len());
                found.push(Difference::Inconsistent(text));
            }
        }
    }
    let flags = [("deadlock", truth.deadlock), ("assertion", truth.assertion)];
    let flags = flags.into_iter().filter(|f| f.1).map(|f| f.0.to_string());
    let real: BTreeSet<String> = flags.chain(truth.faults.iter().cloned()).collect();
    found.extend(answer.defects.difference(&real).cloned().map(Difference::FalseDefect));
    if !(first_defect && answer.defects.intersection(&real).next().is_some()) {
        found.extend(real.difference(&answer.defects).cloned().map(Difference::MissedDefect));
    }
    found
}

/// Whether `pair` is a name for the race `truth`: the same lines, and the same variable, or an element of the same array
/// that is named by an expression (`a0[i + 1]`, `a0[...]`).
pub fn names(truth: &RacyPair, pair: &RacyPair) -> bool {
    let by_expression = || {
        let (array, index) = pair.0.split_once('[')?;
        let constant = index.strip_suffix(']')?.parse::<usize>().is_ok();
        let (same, _) = truth.0.split_once('[')?;
        Some(!constant && array == same)
    };
    let same = truth.0 == pair.0 || truth.0 == RacyPair::ANY || by_expression() == Some(true);
    (truth.1, truth.2) == (pair.1, pair.2) && same
}

/// Runs the checker on `file` and reads its answer.
pub fn ask(tool: &Tool, file: &Path) -> Result<Answer, Difference> {
    let mut command = Command::new(&tool.path);
    command.arg("check").arg(file).args([
        "--no-cache",
        "--format",
        "json",
        "--time-limit",
        &tool.time_limit.to_string(),
    ]);
    command.args(&tool.args);
    command.envs(tool.without.as_ref().map(|rule| ("RACEPROOF_WITHOUT", rule)));
    let grace = Duration::from_secs(tool.time_limit + 20);
    let finished = run(&mut command, grace).map_err(|e| Difference::ToolFailed(e.to_string()))?;
    let Some(code) = finished.code else {
        return Err(Difference::ToolFailed(format!("{}; {}", finished.ending, tail(&finished.stderr))));
    };
    read_answer(&finished.stdout)
        .map_err(|e| Difference::ToolFailed(format!("exit code {code}, {e}; {}", tail(&finished.stderr))))
}

fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(4)..].join(" | ")
}

/// Reads the checker's JSON.
pub fn read_answer(json: &str) -> Result<Answer, String> {
    let value: Value = serde_json::from_str(json).map_err(|e| format!("no JSON: {e}"))?;
    let verdict = value["verdict"].as_str().ok_or("no field `verdict`")?.to_string();
    let list = |name: &str| value[name].as_array().cloned().ok_or(format!("no list `{name}`"));
    let mut answer =
        Answer { verdict, reason: value["reason"].as_str().unwrap_or_default().into(), ..Answer::default() };
    for race in list("races")? {
        let line = |side: &str| race[side]["line"].as_u64().ok_or(format!("no line in `{side}` of a race"));
        let (a, b) = (line("first")? as u32, line("second")? as u32);
        let variable = race["variable"].as_str().ok_or("no `variable` in a race")?;
        answer.races.insert(RacyPair(variable.into(), a.min(b), a.max(b)));
    }
    for defect in list("defects")? {
        answer.defects.insert(defect["kind"].as_str().ok_or("no `kind` in a defect")?.into());
    }
    Ok(answer)
}

/// How a process ended.
#[derive(Debug)]
pub struct Finished {
    /// Its exit code, if it exited.
    pub code: Option<i32>,
    /// How it ended, in words.
    pub ending: String,
    /// Whether it was killed because its time was over.
    pub timed_out: bool,
    /// Its output.
    pub stdout: String,
    /// Its error output.
    pub stderr: String,
}

/// Runs a command to its end or the end of its time.
pub fn run(command: &mut Command, limit: Duration) -> std::io::Result<Finished> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let reader = |pipe: Option<Box<dyn Read + Send>>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            // A pipe that breaks ends the text; what was read before still counts.
            let _ = pipe.map(|mut p| p.read_to_end(&mut bytes));
            String::from_utf8_lossy(&bytes).into_owned()
        })
    };
    let stdout = reader(child.stdout.take().map(|p| Box::new(p) as _));
    let stderr = reader(child.stderr.take().map(|p| Box::new(p) as _));
    let start = Instant::now();
    let mut timed_out = false;
    let mut pause = Duration::from_micros(200);
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if start.elapsed() > limit {
            timed_out = true;
            child.kill()?;
            break child.wait()?;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    };
    Ok(Finished {
        code: status.code(),
        ending: if timed_out { format!("killed after {limit:?}") } else { status.to_string() },
        timed_out,
        stdout: stdout.join().unwrap_or_default(),
        stderr: stderr.join().unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(verdict: &str, races: &[RacyPair], defects: &[&str]) -> Answer {
        Answer {
            verdict: verdict.into(),
            reason: String::new(),
            races: races.iter().cloned().collect(),
            defects: defects.iter().map(|d| d.to_string()).collect(),
        }
    }

    fn pair(line: u32) -> RacyPair {
        RacyPair("x0".into(), line, line + 1)
    }

    #[test]
    fn right_answers_are_accepted_and_wrong_ones_are_not() {
        let free = Outcome::default();
        let racy = Outcome { race: true, races: [pair(3), pair(5)].into(), ..Outcome::default() };
        let stuck = Outcome { deadlock: true, ..Outcome::default() };
        let both = Outcome { deadlock: true, assertion: true, ..Outcome::default() };
        let equal = |truth: &Outcome, a: Answer| compare(truth, &a, false).is_empty();

        assert!(equal(&free, answer("race-free", &[], &[])));
        assert!(equal(&racy, answer("race", &[pair(3)], &[])));
        assert!(equal(&stuck, answer("defect", &[], &["deadlock"])));
        assert!(equal(&both, answer("defect", &[], &["assertion", "deadlock"])));

        assert!(!equal(&free, answer("race", &[pair(3)], &[])));
        assert!(!equal(&free, answer("unknown", &[], &[])));
        assert!(!equal(&free, answer("defect", &[], &["deadlock"])));
        assert!(!equal(&racy, answer("race-free", &[], &[])));
        assert!(!equal(&racy, answer("race", &[pair(4)], &[])));
        assert!(!equal(&racy, answer("race", &[], &[])));
        assert!(!equal(&stuck, answer("race-free", &[], &[])));
        assert!(!equal(&stuck, answer("defect", &[], &["assertion"])));
        assert!(!equal(&both, answer("defect", &[], &["assertion"])));
        assert!(compare(&both, &answer("defect", &[], &["assertion"]), true).is_empty());
    }

    #[test]
    fn an_element_may_be_named_by_an_expression() {
        let racy =
            Outcome { race: true, races: [RacyPair("a0[2]".into(), 3, 4)].into(), ..Outcome::default() };
        let equal = |name: &str| {
            compare(&racy, &answer("race", &[RacyPair(name.into(), 3, 4)], &[]), false).is_empty()
        };
        assert!(equal("a0[2]") && equal("a0[i + 1]") && equal("a0[...]"));
        assert!(!equal("a0[3]") && !equal("a1[...]") && !equal("a0"));
    }

    #[test]
    fn the_answer_is_read_from_json() {
        let json = r#"{"version": 1, "verdict": "race", "defects": [{"kind": "deadlock"}], "races": [
            {"variable": "x0", "first": {"file": "a.c", "line": 9}, "second": {"line": 4}}]}"#;
        let read = read_answer(json).expect("readable");
        assert_eq!(read, answer("race", &[RacyPair("x0".into(), 4, 9)], &["deadlock"]));
        assert!(read_answer("").is_err());
        assert!(read_answer(r#"{"verdict": "race"}"#).is_err());
    }
}
