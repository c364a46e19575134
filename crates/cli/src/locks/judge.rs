//! Compiles and checks changed programs: the front end is given the changed text in place of the file, by a file system overlay, so that
//! names, includes and flags mean what they always mean.

use base::reason::{Left, Reason};
use report::reason;
use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result};
use base::{Bound, CheckReport, DefectKind, Verdict};
use decide::engine::Task;
use decide::{Error, Programs, Watcher};
use locks::analysis::{self, Analysis, Schedules};
use locks::judge::{Answer, Evidence, EvidenceKind, Judge, RaceInfo};
use locks::source::edit::{Changed, clean};

use crate::front::Compiled;
use crate::request::CheckRequest;

/// Checks variations of one program.
pub struct Checker {
    request: CheckRequest,
    /// The files that can change, by index.
    files: Vec<PathBuf>,
    folder: tempfile::TempDir,
    /// Bounds that turned out to be enough: of several numbers of threads, one where none was asked for.
    pub covered: Vec<Bound>,
    /// How many programs were checked.
    pub checks: usize,
}

/// What is known of a program.
pub enum Checked {
    /// It was compiled and checked: the answer, and the front end's list of its files.
    Program(Box<Answer>, Vec<PathBuf>),
    /// It does not compile.
    Broken(Error),
}

impl Checker {
    /// For a program.
    pub fn new(request: CheckRequest) -> Result<Checker> {
        let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
        crate::watch::remember(folder.path().to_owned());
        Ok(Checker { request, files: Vec::new(), folder, covered: Vec::new(), checks: 0 })
    }

    /// The files that [`Judge::judge`] means.
    pub fn set_files(&mut self, files: Vec<PathBuf>) {
        self.files = files;
    }

    /// Checks the program with some files changed; `whole` says whether all of the analysis is wanted, or what a comparison needs.
    pub fn check(&mut self, changed: &BTreeMap<usize, Changed>, whole: bool) -> Result<Checked> {
        if let Some(spent) = self.request.limits.budget.spent() {
            let why = reason::words(&Reason::spent(spent, Left::All));
            return Ok(Checked::Program(Box::new(Answer::Unknown(why)), Vec::new()));
        }
        self.checks += 1;
        let mut request = self.request.clone();
        // No check may take all the time that is left.
        request.limits.budget = request.limits.budget.part(2);
        if !changed.is_empty() {
            let overlay = self.overlay(changed)?;
            request.flags.extend(["-ivfsoverlay".to_owned(), overlay.to_string_lossy().into_owned()]);
        }
        Ok(match self.decide(&request, whole) {
            Ok((answer, files)) => Checked::Program(Box::new(answer), files),
            Err(error) => Checked::Broken(error),
        })
    }

    /// Writes changed texts, and the description that puts them in the place of the files.
    fn overlay(&self, changed: &BTreeMap<usize, Changed>) -> Result<PathBuf> {
        let mut roots = Vec::new();
        for (&file, new) in changed {
            let path = std::path::absolute(&self.files[file]).context("cannot tell the current directory")?;
            let name = format!("{}_{file}", self.checks);
            let contents = self.folder.path().join(name);
            std::fs::write(&contents, &new.text).context("cannot write a temporary file")?;
            roots.push(serde_json::json!({
                "type": "file", "name": clean(&path).to_string_lossy(), "external-contents": contents.to_string_lossy(),
            }));
        }
        let overlay = serde_json::json!({ "version": 0, "use-external-names": false, "roots": roots });
        let path = self.folder.path().join(format!("{}.yaml", self.checks));
        std::fs::write(&path, overlay.to_string()).context("cannot write a temporary file")?;
        Ok(path)
    }

    /// Decides about a program; the first thing that is wrong ends it.
    fn decide(&mut self, request: &CheckRequest, whole: bool) -> Result<(Answer, Vec<PathBuf>), Error> {
        let mut program = Seen::new(request);
        let asked = decide::Request { first_only: true, ..request.to_decide() };
        let decided = decide::check(&asked, &mut program, &Watcher::NONE)?;
        let report = &decided.report;
        if let Some(evidence) = evidence(report) {
            return Ok((Answer::Wrong(evidence), program.files));
        }
        self.covered.clone_from(&report.bounds);
        if report.verdict != Verdict::RaceFree {
            let why = reason::of_report(report).unwrap_or_else(|| "it is not decided".into());
            return Ok((Answer::Unknown(why), program.files));
        }
        // The largest bound of the last set of macros, and what a proof says of it.
        let of_last = |b: &Bound| report.bounds.last().is_some_and(|last| last.defines == b.defines);
        let all = report.bounds.iter().zip(decided.proofs);
        let largest = all
            .filter(|(bound, _)| of_last(bound))
            .reduce(|largest, next| if next.0.threads > largest.0.threads { next } else { largest });
        let Some((bound, proof)) = largest else { return Err(Error::Input("there is no bound".into())) };
        let proved = proof.map(|proof| proof.branches);
        let args = decide::program_args(&request.inputs, bound);
        let module = program.module(&bound.defines)?;
        decide::set_bound(module, bound);
        let analysis = if whole {
            let schedules =
                proved.map_or(Schedules::THOROUGH, Schedules::Alike).within(request.limits.budget);
            analysis::analyse(module, &args, bound.threads, schedules)
        } else {
            let schedules = proved.map_or(Schedules::QUICK, Schedules::Alike).within(request.limits.budget);
            analysis::orders(module, &args, bound.threads, schedules)
        };
        Ok((Answer::Free(Box::new(analysis?)), program.files))
    }

    /// The analysis of the unchanged program under its largest bound, whatever the check says; and its files.
    pub fn analyse(&self) -> Result<(Analysis, Vec<PathBuf>), Error> {
        let Some(last) = self.request.bounds.last() else {
            return Err(Error::Input("there is no bound".into()));
        };
        let request = &self.request;
        let mut compiled =
            Compiled::new(&request.inputs, &request.flags, &request.build, request.limits.budget);
        let module = compiled.module(&last.defines)?;
        decide::set_bound(module, last);
        let config = explore::Config {
            args: decide::program_args(&request.inputs, last),
            threads: last.threads,
            budget: request.limits.budget.part(4),
            ..explore::Config::default()
        };
        let (args, threads) = (config.args.clone(), config.threads);
        let schedules = match decide::engines::prove(&Task {
            module,
            config,
            names: &Default::default(),
            tell: &|_| {},
        })?
        .0
        {
            prove::Proof::Proved { branches, .. } => Schedules::Alike(branches),
            prove::Proof::Race { complete: true, .. } => {
                Schedules::Alike(prove::commute::choices(module).into_iter().collect())
            }
            _ => Schedules::THOROUGH,
        };
        let schedules = schedules.within(request.limits.budget);
        let analysis = analysis::analyse(module, &args, threads, schedules)?;
        Ok((analysis, user_files(module)))
    }
}

/// A program of which it is noted which files it was made of.
struct Seen {
    compiled: Compiled,
    files: Vec<PathBuf>,
    /// The macros with which it was compiled last.
    defines: Option<Vec<String>>,
}

impl Seen {
    fn new(request: &CheckRequest) -> Seen {
        let compiled = Compiled::new(&request.inputs, &request.flags, &request.build, request.limits.budget);
        Seen { compiled, files: Vec::new(), defines: None }
    }
}

impl Programs for Seen {
    fn module(&mut self, defines: &[String]) -> Result<&mut ir::Module, Error> {
        let module = self.compiled.module(defines)?;
        if self.defines.as_deref() != Some(defines) {
            self.files.extend(user_files(module));
            self.defines = Some(defines.to_vec());
        }
        Ok(module)
    }
}

/// The user's files, without doubles, as the compiler names them.
fn user_files(module: &ir::Module) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = Vec::new();
    for file in module.files.iter().filter(|f| !f.system) {
        let path = PathBuf::from(&file.path);
        if !files.contains(&path) && path.is_file() {
            files.push(path);
        }
    }
    files
}

/// What goes wrong, in words; `{line}` stands for the lines of its places, in order.
fn evidence(report: &CheckReport) -> Option<Evidence> {
    let races: Vec<RaceInfo> = report
        .races
        .iter()
        .map(|race| RaceInfo {
            variable: race.variable.clone(),
            places: [race.first.place.clone(), race.second.place.clone()],
            locks: [race.first.locks.clone(), race.second.locks.clone()],
        })
        .collect();
    if let Some(race) = report.races.first() {
        let does = |a: &base::Access| if a.access == base::AccessKind::Write { "write" } else { "read" };
        let text = format!(
            "race on `{}`: {} at line {{line}} and {} at line {{line}}",
            race.variable,
            does(&race.first),
            does(&race.second)
        );
        let places = vec![race.first.place.clone(), race.second.place.clone()];
        return Some(Evidence {
            kind: EvidenceKind::Race,
            text,
            places,
            variable: Some(race.variable.clone()),
            races,
        });
    }
    let defect = report.defects.first()?;
    let (kind, what) = match defect.kind {
        DefectKind::Deadlock => (EvidenceKind::Deadlock, "deadlock".to_owned()),
        DefectKind::Assertion => (EvidenceKind::Assertion, report::said::message(defect)),
        _ => (EvidenceKind::Defect, report::said::message(defect)),
    };
    let mut places = vec![defect.location.clone()];
    places.extend(defect.waiting.iter().map(|s| s.place.clone()));
    places.dedup();
    Some(Evidence { kind, text: format!("{what} at line {{line}}"), places, variable: None, races })
}

impl Judge for Checker {
    fn judge(&mut self, changed: &BTreeMap<usize, Changed>) -> Answer {
        match self.check(changed, false) {
            Ok(Checked::Program(answer, _)) => *answer,
            Ok(Checked::Broken(Error::Compiler(words))) => Answer::Broken(first_error(&words)),
            Ok(Checked::Broken(Error::Unsupported(why))) => Answer::Unknown(reason::words(&why)),
            Ok(Checked::Broken(error)) => Answer::Unknown(error.to_string()),
            Err(error) => Answer::Unknown(format!("{error:#}")),
        }
    }

    fn words(&self, reason: &Reason) -> String {
        reason::words(reason)
    }
}

/// The first complaint of the compiler.
fn first_error(words: &str) -> String {
    let line = words.lines().find(|l| l.contains("error:")).unwrap_or("an error");
    line.split_once("error:").map_or(line, |(_, what)| what).trim().to_owned()
}
