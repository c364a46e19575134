//! Whether anything notices when a rule of the proof is missing.
//!
//! The checker must be built with its feature `switches`; then `RACEPROOF_WITHOUT` switches rules off. For each rule random
//! programs of every kind are tried, and then programs that state their verdict (`//@ verdict:`), until the proof from one run, without its
//! judge, answers one wrongly: the generators see the mistake that the rule prevents.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::Context;
use clap::{Args, ValueEnum};
use oracle::compare::{Difference, Tool, ask};
use oracle::generate::Size;

use crate::{Kind, judge_tool};

/// What is tried.
#[derive(Args)]
pub struct RulesArgs {
    /// The checker, built with `--features switches`
    #[arg(long)]
    raceproof: PathBuf,
    /// These rules only (separated by commas)
    #[arg(long, value_delimiter = ',')]
    rules: Vec<String>,
    /// Further rules that are off all the time
    #[arg(long)]
    also: Option<String>,
    /// The first seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Random programs of each kind
    #[arg(long, default_value_t = 60)]
    count: u64,
    /// Programs with their verdicts, by folder
    #[arg(long)]
    programs: Vec<PathBuf>,
}

/// Tries all rules; exit code 1 if nothing notices one.
pub fn all(args: &RulesArgs) -> anyhow::Result<ExitCode> {
    let names = if args.rules.is_empty() { names(&args.raceproof)? } else { args.rules.clone() };
    let directory = tempfile::tempdir()?;
    let mut unnoticed = 0;
    println!("| rule that is off | random program | stated program |");
    println!("|---|---|---|");
    for name in names {
        let mut tool = Tool::new(args.raceproof.clone());
        tool.args = ["--engine", "one-run", "--judge", "off"].map(String::from).to_vec();
        tool.without = Some(args.also.iter().fold(name.clone(), |all, other| format!("{all},{other}")));
        let random = random(args, &tool, directory.path())?;
        let stated = stated(args, &tool)?;
        unnoticed += usize::from(random.is_none() && stated.is_none());
        let or_none = |found: Option<String>| found.unwrap_or_else(|| "-".into());
        println!("| {name} | {} | {} |", or_none(random), or_none(stated));
    }
    Ok(if unnoticed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The names of the rules, which the checker lists when it is asked for one that it does not have.
fn names(raceproof: &Path) -> anyhow::Result<Vec<String>> {
    let output = Command::new(raceproof).env("RACEPROOF_WITHOUT", "?").arg("--version").output()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let list = text.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
    let (list, _) = list.context("the checker was built without its feature `switches`")?;
    Ok(list.split(", ").map(String::from).collect())
}

/// A wrong answer is one that neither fits nor is `unknown`.
fn is_wrong(differences: &[Difference]) -> bool {
    differences.iter().any(|d| !matches!(d, Difference::Unknown(_) | Difference::ToolFailed(_)))
}

/// The first random program that is answered wrongly.
fn random(args: &RulesArgs, tool: &Tool, directory: &Path) -> anyhow::Result<Option<String>> {
    for seed in args.seed..args.seed + args.count {
        for kind in Kind::value_variants() {
            if matches!(kind, Kind::All) {
                continue;
            }
            let Some(case) = kind.draw(seed, Size::Small, oracle::STATE_LIMIT) else { continue };
            let (found, _) = judge_tool(&tool.for_case(&case), case.printed(), case.outcome(), directory)?;
            if is_wrong(&found) {
                let with = Tool { without: args.also.clone(), ..tool.for_case(&case) };
                let (always, _) = judge_tool(&with, case.printed(), case.outcome(), directory)?;
                if is_wrong(&always) {
                    eprintln!("{kind:?} {seed} is answered wrongly with all rules, too: {}", always[0]);
                    continue;
                }
                let kind = kind.to_possible_value().map(|v| v.get_name().to_owned()).unwrap_or_default();
                return Ok(Some(format!("{kind} {seed}: {}", found[0])));
            }
        }
    }
    Ok(None)
}

/// The first program that is not answered as it says.
fn stated(args: &RulesArgs, tool: &Tool) -> anyhow::Result<Option<String>> {
    for folder in &args.programs {
        let mut files: Vec<PathBuf> =
            std::fs::read_dir(folder)?.map(|entry| entry.map(|e| e.path())).collect::<Result<_, _>>()?;
        files.sort();
        for file in files.iter().filter(|f| f.extension().is_some_and(|e| e == "c" || e == "cpp")) {
            let header = header::Header::of(file);
            if !header.is_program() || header.verdict == "unknown" {
                continue;
            }
            let mut tool = tool.clone();
            tool.args.extend(header.options);
            if !header.flags.is_empty() {
                tool.args.push("--".into());
                tool.args.extend(header.flags);
            }
            let Ok(answer) = ask(&tool, file) else { continue };
            if answer.verdict != "unknown" && answer.verdict != header.verdict {
                let name = file.file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
                return Ok(Some(format!("{name}: {}", answer.verdict)));
            }
        }
    }
    Ok(None)
}
