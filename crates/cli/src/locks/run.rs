//! From the command line to the report.

use base::reason::{Left, Reason};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use base::budget::Spent;
use base::{Place, Verdict};
use decide::Error;
use ir::Directives;
use locks::actl::{self, Formula, Lts};
use locks::analysis::{Analysis, NodeInfo};
use locks::hunt::{self, Judgement};
use locks::judge::{Answer, Court, Evidence, EvidenceKind};
use locks::repair::{self, Repair};
use locks::source::Source;
use locks::source::constructs::{self, Construct, Told};
use locks::source::edit::{self, Changed};
use locks::source::unjudged;
use locks::{lnt, suggest};
use report::DiskSources;
use report::locks::{
    ActlReport, ConstructReport, LocksReport, RepairReport, SuggestionReport, VERSION, dot, json, render,
    svg, verdict_line,
};
use report::reason;

use super::args::LocksArgs;
use super::judge::{Checked, Checker};
use crate::args::Format;
use crate::build::kept;
use crate::progress::Spinner;
use crate::request::CheckRequest;
use crate::settings::Settings;
use crate::watch::{self, Stage};
use crate::{output, resolve, units};

/// Runs the command; the number is the exit code.
pub fn run(args: &LocksArgs) -> Result<u8> {
    let files = [
        ("--output", &args.output),
        ("--html", &args.html),
        ("--patch", &args.patch),
        ("--graph", &args.graph),
        ("--lnt", &args.lnt),
        ("--aut", &args.aut),
    ];
    for (option, file) in files {
        output::check_writable(option, file.as_deref())?;
    }
    let picture = args.graph.as_deref().map(picture).transpose()?;
    let formula =
        args.actl.as_deref().map(actl::parse).transpose().map_err(|e| anyhow::anyhow!("--actl: {e}"))?;
    let most = units::count(&args.max_states).context("--max-states")? as usize;
    let settings = Settings::find(args.build.config.as_deref(), &args.files)?;
    let (mut request, notes) = resolve::check(&args.asked(), &settings)?;
    from_sources(&mut request)?;
    for note in notes.iter().filter(|_| !args.look.quiet) {
        eprintln!("note: {note}");
    }
    let budget = request.limits.budget;
    let mut nothing = empty(names(&request), request.flags.clone());
    let work = |stage: &Stage| decided(args, request, picture, formula.as_ref(), most, stage);
    // Of a part of the work nothing is told but that it was not done.
    let late = |spent: Spent| {
        nothing.verdict = Verdict::Unknown;
        nothing.reason = Some(reason::words(&Reason::spent(spent, Left::Some)));
        if let Err(error) = show(&nothing, args) {
            eprintln!("error: {error:#}");
        }
        nothing.exit_code()
    };
    let code = watch::guarded(budget, work, late)?;
    Ok(watch::exit_code(budget, code))
}

fn names(request: &CheckRequest) -> Vec<String> {
    request.inputs.iter().map(|f| f.to_string_lossy().into_owned()).collect()
}

/// Decides and shows; the number is the exit code.
fn decided(
    args: &LocksArgs,
    request: CheckRequest,
    picture: Option<Picture>,
    formula: Option<&Formula>,
    most: usize,
    stage: &Stage,
) -> Result<u8> {
    let began = Instant::now();
    let spinner = Spinner::new(!args.no_progress && !args.look.quiet, "checking");
    let mut report = empty(names(&request), request.flags.clone());
    let mut checker = Checker::new(request)?;

    let analysis = if let Some(formula) = formula {
        let (analysis, _) = checker.analyse()?;
        report.actl = Some(ask(&analysis, formula, most));
        report.verdict = Verdict::Unknown;
        analysis
    } else {
        let mut work = Work { args, checker: &mut checker, report: &mut report };
        match work.whole(&spinner) {
            Ok(analysis) => analysis,
            Err(error) => {
                // The program was not compiled in time: nothing is known.
                let Some(Error::Unsupported(why)) = error.downcast_ref() else { return Err(error) };
                report.reason = Some(reason::words(why));
                report.verdict = Verdict::Unknown;
                stage.is_over();
                show(&report, args)?;
                return Ok(report.exit_code());
            }
        }
    };
    spinner.clear();
    if let (Some(file), Some(picture)) = (&args.graph, picture) {
        output::write(file, &picture(&analysis.nodes))?;
    }
    if let Some(file) = &args.lnt {
        let stem = Path::new(report.files.first().map_or("program", String::as_str)).file_stem();
        let stem = stem.map_or("program".into(), |s| s.to_string_lossy().into_owned());
        output::write(file, &lnt::write(&stem, &analysis.graph, &analysis.model))?;
    }
    if let Some(file) = &args.aut {
        let Some(lts) = Lts::of(&analysis.model, most) else {
            bail!("--aut: the transition system has more than {most} states; --max-states allows more");
        };
        output::write(file, &actl::aut::write(&lts))?;
    }
    report.checks = checker.checks;
    report.seconds = began.elapsed().as_secs_f64();
    if report.bounds.is_empty() {
        report.bounds = checker.covered.clone();
    }
    describe(&mut report, analysis);
    stage.is_over();
    show(&report, args)?;
    Ok(report.exit_code())
}

/// Variations of a program are compiled: of what `raceproof cc` built, the sources are taken as they are now.
fn from_sources(request: &mut CheckRequest) -> Result<()> {
    if !request.build.units.is_empty() || !request.inputs.iter().any(|file| resolve::is_built(file)) {
        return Ok(());
    }
    let mut units = Vec::new();
    let directory = std::env::current_dir().context("cannot tell the current directory")?;
    for file in &request.inputs {
        if resolve::is_built(file) {
            units.extend(kept::units(kept::read(file)?));
        } else {
            units.push(base::BuildUnit {
                file: file.to_string_lossy().into_owned(),
                directory: directory.to_string_lossy().into_owned(),
                flags: Vec::new(),
            });
        }
    }
    request.inputs = units.iter().map(|unit| PathBuf::from(&unit.file)).collect();
    request.build.units = units;
    Ok(())
}

/// How a graph is written.
type Picture = fn(&[NodeInfo]) -> String;

/// How a graph is written, by the name of its file.
fn picture(file: &Path) -> Result<Picture> {
    match file.extension().and_then(|e| e.to_str()) {
        Some("dot" | "gv") => Ok(dot),
        Some("svg") => Ok(svg),
        _ => bail!("--graph: expected a name that ends in .dot or .svg, found `{}`", file.display()),
    }
}

fn empty(files: Vec<String>, flags: Vec<String>) -> LocksReport {
    LocksReport {
        version: VERSION,
        verdict: Verdict::RaceFree,
        reason: None,
        files,
        flags,
        bounds: Vec::new(),
        constructs: Vec::new(),
        not_judged: Vec::new(),
        suggestions: Vec::new(),
        repair: None,
        patch: None,
        patch_verdict: None,
        variables: Vec::new(),
        suv: Vec::new(),
        graph: Vec::new(),
        formulas: Vec::new(),
        formula_counts: Default::default(),
        basis: Default::default(),
        actl: None,
        notes: Vec::new(),
        rounds: Vec::new(),
        checks: 0,
        seconds: 0.0,
    }
}

/// Puts what the analysis says into the report.
fn describe(report: &mut LocksReport, analysis: Analysis) {
    if let Some(why) = &analysis.cut {
        let why = reason::words(why);
        report.notes.push(format!("the recorded run did not come to its end: {why}"));
    }
    if let (Some((what, place)), false) = (&analysis.steered, analysis.basis.every_schedule_alike) {
        let what = reason::used(*what);
        report.notes.push(format!(
            "the schedule decides on {what} ({place}): executions differ, and the graph has branches"
        ));
    }
    report.suv = analysis.variables.iter().filter(|v| v.unprotected).map(|v| v.name.clone()).collect();
    report.variables = analysis.variables;
    report.graph = analysis.nodes;
    report.formulas = analysis.pairs;
    report.formula_counts = analysis.pair_counts;
    report.basis = analysis.basis;
    report.basis.incomplete_words = report.basis.incomplete.as_ref().map(reason::words);
}

/// Checks a formula on the model.
fn ask(analysis: &Analysis, formula: &Formula, most: usize) -> ActlReport {
    use actl::System;
    let mut checker = actl::Checker::new(&analysis.model, most);
    let answer = checker.check(formula);
    let evidence = answer.and_then(|_| checker.explain(formula)).unwrap_or_default();
    let labels = analysis.model.labels();
    let unknown = |p: &&str| !labels.iter().any(|l| actl::formula::matches(p, l));
    let mut unknown_labels: Vec<String> =
        formula.patterns().into_iter().filter(unknown).map(str::to_owned).collect();
    unknown_labels.sort();
    unknown_labels.dedup();
    ActlReport {
        formula: formula.to_string(),
        holds: answer.ok(),
        why: answer.err().map(|e| e.to_string()),
        evidence,
        unknown_labels,
        states: checker.states(),
    }
}

struct Work<'a> {
    args: &'a LocksArgs,
    checker: &'a mut Checker,
    report: &'a mut LocksReport,
}

impl Work<'_> {
    /// The whole answer; gives the analysis that is to be shown.
    fn whole(&mut self, spinner: &Spinner) -> Result<Analysis> {
        let Checked::Program(answer, files) = self.checked()? else { unreachable!("an error was given") };
        match *answer {
            Answer::Free(analysis) => {
                let sources = read(&files, &analysis.directives)?;
                self.checker.set_files(files);
                if !self.args.no_judge {
                    self.judge(&sources, &analysis, spinner)?;
                }
                Ok(*analysis)
            }
            Answer::Wrong(evidence) => self.wrong(evidence, spinner),
            Answer::Unknown(why) | Answer::Broken(why) => {
                self.report.verdict = Verdict::Unknown;
                self.report.reason = Some(why);
                let (analysis, files) = self.checker.analyse()?;
                let sources = read(&files, &analysis.directives)?;
                let found = self.constructs(&sources, &analysis);
                let why = "the program itself is not decided".to_owned();
                self.report.constructs =
                    reported(&sources, &found, |_| Judgement::Undecided { why: why.clone() });
                Ok(analysis)
            }
        }
    }

    /// The check of the unchanged program; a program that does not compile is an error.
    fn checked(&mut self) -> Result<Checked> {
        match self.checker.check(&BTreeMap::new(), true)? {
            Checked::Broken(error) => Err(error.into()),
            checked => Ok(checked),
        }
    }

    fn constructs(&mut self, sources: &[Source], analysis: &Analysis) -> Vec<Construct> {
        let reached = |file: &str, line: u32| analysis.executed.contains(&(file.to_owned(), line));
        let headers = headers(sources);
        let told = Told {
            sections: &analysis.sections,
            rounds: &analysis.rounds,
            headers: &headers,
            reached: &reached,
        };
        let found = constructs::find(sources, &told);
        self.report.not_judged = unjudged::find(sources, &found, &told);
        found
    }

    /// What is superfluous in a race-free program, and what could be cheaper.
    fn judge(&mut self, sources: &[Source], analysis: &Analysis, spinner: &Spinner) -> Result<()> {
        let found = self.constructs(sources, analysis);
        let all = found.len();
        let mut court = Court::new(sources, analysis, self.checker, self.args.checks);
        let hunt =
            hunt::hunt(&mut court, &found, &mut |i| spinner.tells(format!("construct {} of {all}", i + 1)));
        let suggestions = suggest::suggest(&mut court, &found, &hunt.judgements);
        self.report.constructs = reported(sources, &found, |i| hunt.judgements[i].clone());
        if let (Some(why), false) = (&analysis.basis.incomplete, hunt.patch.is_empty()) {
            let why = reason::words(why);
            self.report.notes.push(format!(
                "races and other defects were looked for in all schedules; lost orders and steps that belong together in the recorded ones only ({why})"
            ));
        }
        let (from, to) = folders()?;
        for suggestion in suggestions {
            self.report.suggestions.push(SuggestionReport {
                kind: suggestion.kind,
                constructs: suggestion.constructs,
                text: suggestion.text,
                patch: edit::patch(sources, &edit::apply(sources, &suggestion.edits), &from, &to),
            });
        }
        let edits: Vec<_> = hunt.patch.iter().flat_map(|&i| found[i].edits.iter().cloned()).collect();
        self.propose(sources, &edit::apply(sources, &edits), true)
    }

    /// Checks a change once more and puts it into the report. `verified` says that it was found to be race-free before.
    fn propose(
        &mut self,
        sources: &[Source],
        changed: &BTreeMap<usize, Changed>,
        verified: bool,
    ) -> Result<()> {
        let (from, to) = folders()?;
        let patch = edit::patch(sources, changed, &from, &to);
        if patch.is_empty() {
            if let (Some(file), false) = (&self.args.patch, self.args.look.quiet) {
                eprintln!("note: there is nothing to change, so `{}` was not written", file.display());
            }
            return Ok(());
        }
        let Checked::Program(answer, _) = self.checker.check(changed, false)? else { return Ok(()) };
        self.report.patch_verdict = Some(match *answer {
            Answer::Free(_) => Verdict::RaceFree,
            // There is no time left to do it twice.
            Answer::Unknown(_) if verified => Verdict::RaceFree,
            Answer::Wrong(evidence) if evidence.kind == EvidenceKind::Race => Verdict::Race,
            Answer::Wrong(_) => Verdict::Defect,
            Answer::Unknown(_) | Answer::Broken(_) => Verdict::Unknown,
        });
        match &self.args.patch {
            Some(file) => {
                output::write(file, &patch)?;
                let name = output::quote(&file.to_string_lossy());
                self.report.notes.push(format!("the change is in {name}: git apply {name}"));
            }
            None => self.report.notes.push("--patch FILE writes the proposed change".into()),
        }
        self.report.patch = Some(patch);
        Ok(())
    }

    /// A program with a race or defect: a proposal, and with --iterate what is superfluous after it.
    fn wrong(&mut self, evidence: Evidence, spinner: &Spinner) -> Result<Analysis> {
        let evidence = locks::judge::original(&[], &BTreeMap::new(), evidence);
        self.report.verdict =
            if evidence.kind == EvidenceKind::Race { Verdict::Race } else { Verdict::Defect };
        self.report.reason = Some(evidence.text.clone());
        let (analysis, files) = self.checker.analyse()?;
        let sources = read(&files, &analysis.directives)?;
        self.checker.set_files(files);
        let found = self.constructs(&sources, &analysis);
        let why = "the program has a race or another defect already".to_owned();
        self.report.constructs = reported(&sources, &found, |_| Judgement::Undecided { why: why.clone() });
        if self.args.no_judge {
            return Ok(analysis);
        }
        spinner.tells("looking for a repair".to_owned());
        let repair = repair::repair(&sources, &found, self.checker, &evidence);
        let (steps, left) = match repair {
            Repair::Done(steps) => (steps, None),
            Repair::Partly(steps, left) => (steps, Some(left)),
        };
        let complete = left.is_none();
        let edits: Vec<_> = steps.iter().flat_map(|s| s.edits.iter().cloned()).collect();
        self.report.repair = Some(RepairReport { steps, complete, left });
        let changed = edit::apply(&sources, &edits);
        if self.args.iterate && complete {
            return self.iterate(&sources, changed, spinner);
        }
        self.propose(&sources, &changed, complete)?;
        Ok(analysis)
    }

    /// P5, figure 2: the repaired program is analysed again, and what is superfluous is taken out of it.
    fn iterate(
        &mut self,
        sources: &[Source],
        changed: BTreeMap<usize, Changed>,
        spinner: &Spinner,
    ) -> Result<Analysis> {
        let count = self.report.repair.as_ref().map_or(0, |r| r.steps.len());
        let makes = if count == 1 { "one change makes".to_owned() } else { format!("{count} changes make") };
        self.report.rounds.push(format!("{makes} the program race-free"));
        let Checked::Program(answer, _) = self.checker.check(&changed, true)? else {
            bail!("the repaired program does not compile")
        };
        let Answer::Free(analysis) = *answer else { bail!("the repaired program is not race-free") };
        let repaired: Vec<Source> = sources
            .iter()
            .enumerate()
            .map(|(i, s)| {
                changed.get(&i).map_or_else(
                    || s.clone(),
                    |c| Source::new(s.path.clone(), c.text.clone(), &analysis.directives),
                )
            })
            .collect();
        let found = self.constructs(&repaired, &analysis);
        let all = found.len();
        let mut court = Court::new(&repaired, &analysis, self.checker, self.args.checks);
        let hunt =
            hunt::hunt(&mut court, &found, &mut |i| spinner.tells(format!("construct {} of {all}", i + 1)));
        self.report.constructs = reported(&repaired, &found, |i| hunt.judgements[i].clone());
        let edits: Vec<_> = hunt.patch.iter().flat_map(|&i| found[i].edits.iter().cloned()).collect();
        self.report.rounds.push(match all {
            0 => "it has no synchronisation constructs then".into(),
            _ => format!("{} of its {all} constructs are superfluous then", hunt.patch.len()),
        });
        let last = edit::apply(&repaired, &edits);
        let mut whole = changed;
        whole.extend(last);
        self.propose(sources, &whole, true)?;
        Ok(*analysis)
    }
}

/// The current folder, and the one that paths of a difference are about: the top of the repository that it is in.
fn folders() -> Result<(PathBuf, PathBuf)> {
    let here = std::env::current_dir().context("cannot tell the current directory")?;
    let top = here.ancestors().find(|f| f.join(".git").exists()).unwrap_or(&here).to_path_buf();
    Ok((here, top))
}

/// The files that sources include and that are not among them, as far as they can be read.
fn headers(sources: &[Source]) -> Vec<Source> {
    let mut found: Vec<Source> = Vec::new();
    let mut left: Vec<PathBuf> = sources.iter().flat_map(included).collect();
    while let Some(file) = left.pop() {
        let known = sources.iter().chain(&found).any(|s| s.path == file);
        if known || found.len() >= MOST_HEADERS {
            continue;
        }
        if let Ok(text) = std::fs::read_to_string(&file) {
            let source = Source::new(file, text, &Directives::default());
            left.extend(included(&source));
            found.push(source);
        }
    }
    found
}

/// So many files are looked through for macros.
const MOST_HEADERS: usize = 200;

fn included(source: &Source) -> Vec<PathBuf> {
    let folder = source.path.parent().unwrap_or(Path::new(""));
    source.includes().iter().map(|name| edit::clean(&folder.join(name))).collect()
}

fn read(files: &[PathBuf], directives: &Directives) -> Result<Vec<Source>> {
    let one = |file: &PathBuf| -> Result<Source> {
        let bytes = std::fs::read(file).with_context(|| format!("cannot read `{}`", file.display()))?;
        let text =
            String::from_utf8(bytes).map_err(|_| anyhow::anyhow!("`{}` is not UTF-8", file.display()))?;
        Ok(Source::new(file.clone(), text, directives))
    };
    files.iter().map(one).collect()
}

fn reported(
    sources: &[Source],
    found: &[Construct],
    judgement: impl Fn(usize) -> Judgement,
) -> Vec<ConstructReport> {
    let one = |(i, c): (usize, &Construct)| {
        let source = &sources[c.file];
        let column = if source.tokens.is_empty() { 0 } else { source.column(c.token) };
        ConstructReport {
            kind: c.kind,
            what: c.what.clone(),
            place: Place { file: source.path.to_string_lossy().into_owned(), line: c.line, column },
            lines: c.lines.clone(),
            judgement: judgement(i),
        }
    };
    found.iter().enumerate().map(one).collect()
}

fn show(report: &LocksReport, args: &LocksArgs) -> Result<()> {
    let sources = DiskSources::new("");
    if let Some(file) = &args.html {
        output::write(file, &report::html::locks(report, &sources))?;
    }
    let text = |style| match args.format {
        Format::Json => json(report),
        Format::Text => render(report, &sources, &style),
    };
    let style = output::style(&args.look, report::Replay::Unavailable);
    match &args.output {
        None => output::print(&text(style)),
        Some(file) => {
            output::write(file, &text(output::style_for_file(&args.look, report::Replay::Unavailable)))?;
            output::print(&verdict_line(report, &style))
        }
    }
}
