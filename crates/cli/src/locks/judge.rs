//! Compiles and checks changed programs: the front end is given the changed text in place of the file, by a file system overlay, so that
//! names, includes and flags mean what they always mean.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use base::{Bound, DefectKind};
use locks::analysis::{self, Analysis, Schedules};
use locks::judge::{Answer, Evidence, EvidenceKind, Judge, RaceInfo};
use locks::source::edit::{Changed, clean};

use crate::engine::{self, CheckRequest, Error};
use crate::judging::Judging;

/// The branches that a proof took both ways: function and instruction.
type Branches = Vec<(u32, u32)>;

/// Checks variations of one program.
pub struct Checker {
    request: CheckRequest,
    /// The files that can change, by index.
    files: Vec<PathBuf>,
    folder: tempfile::TempDir,
    began: Instant,
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
        Ok(Checker {
            request,
            files: Vec::new(),
            folder,
            began: Instant::now(),
            covered: Vec::new(),
            checks: 0,
        })
    }

    /// The files that [`Judge::judge`] means.
    pub fn set_files(&mut self, files: Vec<PathBuf>) {
        self.files = files;
    }

    /// What is left of the time for everything.
    fn time_left(&self) -> Option<Duration> {
        self.request.limits.time.map(|limit| limit.saturating_sub(self.began.elapsed()))
    }

    /// Checks the program with some files changed; `whole` says whether all of the analysis is wanted, or what a comparison needs.
    pub fn check(&mut self, changed: &BTreeMap<usize, Changed>, whole: bool) -> Result<Checked> {
        if self.time_left().is_some_and(|left| left.is_zero()) {
            let why = "the time limit (--time-limit) was reached before this was checked".to_owned();
            return Ok(Checked::Program(Box::new(Answer::Unknown(why)), Vec::new()));
        }
        self.checks += 1;
        let mut request = self.request.clone();
        // No check may take all the time that is left.
        request.limits.time = self.time_left().map(|left| left / 2);
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

    /// Proof first, then search, under every bound; the first thing that is wrong ends it.
    fn decide(&mut self, request: &CheckRequest, whole: bool) -> Result<(Answer, Vec<PathBuf>), Error> {
        let started = Instant::now();
        let mut compiled: Option<(Vec<String>, frontend::Program)> = None;
        let (mut answered, mut only) = (Vec::<(Vec<String>, Vec<String>)>::new(), None);
        let (mut unknown, mut covered) = (None, Vec::new());
        // The largest bound, and what a proof says of it.
        let mut model: Option<(Bound, Option<Branches>)> = None;
        let mut files = Vec::new();
        let mut judging = Judging::new(request.judge, started);
        for bound in &request.bounds {
            if answered.iter().any(|(args, defines)| *args == bound.args && *defines == bound.defines)
                || only.is_some_and(|threads| threads != bound.threads)
            {
                continue;
            }
            if compiled.as_ref().is_none_or(|(defines, _)| *defines != bound.defines) {
                let mut program =
                    engine::compile(&request.inputs, &request.flags, &request.build, &bound.defines)?;
                engine::set_bound(&mut program.module, bound);
                files.extend(user_files(&program.module));
                compiled = Some((bound.defines.clone(), program));
            }
            let module = &compiled.as_ref().expect("just compiled").1.module;
            let config = explore::Config {
                args: engine::program_args(&request.inputs, bound),
                threads: bound.threads,
                time_limit: request.limits.time.map(|limit| limit.saturating_sub(started.elapsed())),
                memory_limit: request.limits.memory,
                ..explore::Config::default()
            };
            let mut proved = None;
            let (found, asked, searched) =
                one(module, &config, &mut judging).map_err(|e| Error::Input(e.to_string()))?;
            match found {
                Found::Wrong(evidence) => return Ok((Answer::Wrong(evidence), files)),
                Found::Unknown(why) => {
                    unknown.get_or_insert(why);
                }
                Found::Free(branches) => proved = branches,
            }
            covered.push(bound.clone());
            model = model
                .filter(|(b, _)| b.defines == bound.defines && b.threads >= bound.threads)
                .or(Some((bound.clone(), proved)));
            if !asked {
                answered.push((bound.args.clone(), bound.defines.clone()));
            } else if request.threads_open && searched {
                only = Some(bound.threads);
            }
        }
        self.covered = covered;
        if let Some(why) = unknown {
            return Ok((Answer::Unknown(why), files));
        }
        let (Some((_, program)), Some((bound, proved))) = (&compiled, model) else {
            return Err(Error::Input("there is no bound".into()));
        };
        let args = engine::program_args(&request.inputs, &bound);
        let analysis = if whole {
            let schedules = proved.map_or(Schedules::THOROUGH, Schedules::Alike);
            analysis::analyse(&program.module, &args, bound.threads, schedules)
        } else {
            let schedules = proved.map_or(Schedules::QUICK, Schedules::Alike);
            analysis::orders(&program.module, &args, bound.threads, schedules)
        };
        Ok((Answer::Free(Box::new(analysis.map_err(|e| Error::Input(e.to_string()))?)), files))
    }

    /// The analysis of the unchanged program under its largest bound, whatever the check says; and its files.
    pub fn analyse(&self) -> Result<(Analysis, Vec<PathBuf>), Error> {
        let Some(last) = self.request.bounds.last() else {
            return Err(Error::Input("there is no bound".into()));
        };
        let mut program =
            engine::compile(&self.request.inputs, &self.request.flags, &self.request.build, &last.defines)?;
        engine::set_bound(&mut program.module, last);
        let config = explore::Config {
            args: engine::program_args(&self.request.inputs, last),
            threads: last.threads,
            time_limit: self.time_left().map(|left| left / 4),
            ..explore::Config::default()
        };
        let module = &program.module;
        let input = |e: machine::LoadError| Error::Input(e.to_string());
        let schedules =
            match crate::certified::prove(module, &config, &certify::Table::default(), &mut |_| {})
                .map_err(input)?
                .0
            {
                prove::Proof::Proved { branches, .. } => Schedules::Alike(branches),
                prove::Proof::Race { complete: true, .. } => {
                    Schedules::Alike(prove::commute::choices(module).into_iter().collect())
                }
                _ => Schedules::THOROUGH,
            };
        let analysis = analysis::analyse(module, &config.args, config.threads, schedules).map_err(input)?;
        Ok((analysis, user_files(module)))
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

enum Found {
    /// Free; with the branches that a proof took both ways, if it was one and not a search.
    Free(Option<Branches>),
    Wrong(Evidence),
    Unknown(String),
}

/// One bound: what was found, whether the program asked for a number of threads, and whether it took a search.
fn one(
    module: &ir::Module,
    config: &explore::Config,
    judging: &mut Judging,
) -> Result<(Found, bool, bool), machine::LoadError> {
    let began = Instant::now();
    let reason = match crate::certified::prove(module, config, &certify::Table::default(), &mut |_| {})?.0 {
        prove::Proof::Proved { stats, branches, by_thread, .. } => {
            let claim = judge::Claim::new(module, branches.iter().copied().collect(), Some(by_thread));
            let outcome = judging.judge(module, config, Some(claim), explore::Outcome::default())?;
            return Ok((found(&outcome, Some(branches)), stats.asked_threads, false));
        }
        prove::Proof::Race { outcome, .. } => {
            let asked = outcome.stats.asked_threads;
            if let Some(evidence) = evidence(&outcome) {
                return Ok((Found::Wrong(evidence), asked, false));
            }
            "the proof does not decide".to_owned()
        }
        prove::Proof::Sensitive { reason, .. } | prove::Proof::Undecided { reason, .. } => reason,
    };
    let time_limit = config.time_limit.map(|limit| limit.saturating_sub(began.elapsed()));
    let outcome = explore::check(module, &explore::Config { time_limit, ..config.clone() }, &mut |_| {})?;
    let asked = outcome.stats.asked_threads;
    let outcome = judging.judge(module, config, None, outcome)?;
    Ok(match found(&outcome, None) {
        Found::Unknown(unknown) if unknown != reason => {
            (Found::Unknown(format!("{unknown}; one run does not decide: {reason}")), asked, true)
        }
        found => (found, asked, true),
    })
}

/// What an outcome says; `branches` are those of a proof.
fn found(outcome: &explore::Outcome, branches: Option<Branches>) -> Found {
    match (evidence(outcome), outcome.unknown.first()) {
        (Some(evidence), _) => Found::Wrong(evidence),
        (None, Some(unknown)) => Found::Unknown(unknown.reason.clone()),
        (None, None) => Found::Free(branches),
    }
}

/// What goes wrong, in words; `{line}` stands for the lines of its places, in order.
fn evidence(outcome: &explore::Outcome) -> Option<Evidence> {
    let races: Vec<RaceInfo> = outcome
        .races
        .iter()
        .map(|race| RaceInfo {
            variable: race.variable.clone(),
            places: [race.first.place.clone(), race.second.place.clone()],
            locks: [race.first.locks.clone(), race.second.locks.clone()],
        })
        .collect();
    if let Some(race) = outcome.races.first() {
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
    let defect = outcome.defects.first()?;
    let (kind, what) = match defect.kind {
        DefectKind::Deadlock => (EvidenceKind::Deadlock, "deadlock".to_owned()),
        DefectKind::Assertion => (EvidenceKind::Assertion, defect.message.clone()),
        _ => (EvidenceKind::Defect, defect.message.clone()),
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
            Ok(Checked::Broken(error)) => Answer::Unknown(error.to_string()),
            Err(error) => Answer::Unknown(format!("{error:#}")),
        }
    }
}

/// The first complaint of the compiler.
fn first_error(words: &str) -> String {
    let line = words.lines().find(|l| l.contains("error:")).unwrap_or("an error");
    line.split_once("error:").map_or(line, |(_, what)| what).trim().to_owned()
}
