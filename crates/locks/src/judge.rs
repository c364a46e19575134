//! Asking whether a changed program is still right, and telling what is wrong in the words of the unchanged one.

use std::collections::BTreeMap;

use base::Place;
use serde::Serialize;

use crate::analysis::{Analysis, Unordered};
use crate::source::Source;
use crate::source::edit::{Changed, Edit, apply};

/// What kind of thing goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvidenceKind {
    /// A data race.
    Race,
    /// Threads wait for each other.
    Deadlock,
    /// An assertion fails.
    Assertion,
    /// Another defect.
    Defect,
    /// No race and no defect, but an order that the program had is lost, so that what is read can differ.
    Order,
    /// No race and no defect, but steps that were one are no longer: others can come between.
    Atomicity,
}

/// What goes wrong without a construct.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Evidence {
    /// What kind of thing.
    pub kind: EvidenceKind,
    /// In words.
    pub text: String,
    /// The places that it is about, in the unchanged program.
    pub places: Vec<Place>,
    /// The variable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variable: Option<String>,
    /// All races that were found, if any were.
    #[serde(skip)]
    pub races: Vec<RaceInfo>,
}

/// A race, as far as repairing it needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RaceInfo {
    /// The variable with element or member.
    pub variable: String,
    /// Where the two accesses are.
    pub places: [Place; 2],
    /// The locks held there, by name.
    pub locks: [Vec<String>; 2],
}

/// What a check of a changed program says.
#[derive(Debug)]
pub enum Answer {
    /// No race and no defect; with the analysis of a run of it.
    Free(Box<Analysis>),
    /// A race or defect; places are those of the changed text.
    Wrong(Evidence),
    /// Not decided, and why.
    Unknown(String),
    /// The compiler refuses it: its first complaint.
    Broken(String),
}

/// Whoever compiles and checks changed programs.
pub trait Judge {
    /// Checks the program with some files changed (by index).
    fn judge(&mut self, changed: &BTreeMap<usize, Changed>) -> Answer;

    /// The words for a reason why something is not known.
    fn words(&self, reason: &base::Reason) -> String;
}

/// Whether a change leaves the program as good as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It does.
    Fine,
    /// It does not.
    Wrong(Evidence),
    /// Not decided, and why.
    Undecided(String),
}

/// Checks changes of one program.
pub struct Court<'a> {
    /// Its files.
    pub sources: &'a [Source],
    /// The unchanged program.
    pub base: &'a Analysis,
    judge: &'a mut dyn Judge,
    known: BTreeMap<Vec<Edit>, Verdict>,
    /// How many checks were made.
    pub checks: usize,
    /// How many may be.
    pub most: usize,
}

impl<'a> Court<'a> {
    /// A court for a program.
    pub fn new(
        sources: &'a [Source],
        base: &'a Analysis,
        judge: &'a mut dyn Judge,
        most: usize,
    ) -> Court<'a> {
        Court { sources, base, judge, known: BTreeMap::new(), checks: 0, most }
    }

    /// Whether the program is as good with these edits.
    pub fn verdict(&mut self, edits: &[Edit]) -> Verdict {
        let mut key = edits.to_vec();
        key.sort();
        key.dedup();
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        if self.checks >= self.most {
            return Verdict::Undecided(format!("more than {} checks are needed", self.most));
        }
        self.checks += 1;
        let changed = apply(self.sources, &key);
        let verdict = match self.judge.judge(&changed) {
            Answer::Unknown(why) => Verdict::Undecided(why),
            Answer::Broken(why) => Verdict::Undecided(format!("the program does not compile then: {why}")),
            Answer::Wrong(evidence) => Verdict::Wrong(original(self.sources, &changed, evidence)),
            Answer::Free(analysis) => self.same_order(&changed, &analysis),
        };
        self.known.insert(key, verdict.clone());
        verdict
    }

    /// A program without races can still compute something else: if accesses to one variable that were ordered no longer
    /// are, whatever keeps them apart now.
    fn same_order(&self, changed: &BTreeMap<usize, Changed>, analysis: &Analysis) -> Verdict {
        if let (Some(why), None) = (&analysis.cut, &self.base.cut) {
            return Verdict::Undecided(self.judge.words(why));
        }
        for pair in &analysis.unordered {
            let line =
                |end: &(String, u32)| (end.0.clone(), original_line(self.sources, changed, &end.0, end.1));
            let mut ends = [line(&pair.first), line(&pair.second)];
            ends.sort();
            let [first, second] = ends;
            let pair = Unordered { variable: pair.variable.clone(), first, second };
            if !self.base.unordered.contains(&pair) {
                let place = |end: &(String, u32)| Place { file: end.0.clone(), line: end.1, column: 0 };
                let (x, y) = (pair.first.1, pair.second.1);
                let text = if pair.variable == crate::variables::OUTPUT_NAME {
                    format!("no race, but the output of lines {x} and {y} comes in any order then")
                } else {
                    let variable = &pair.variable;
                    format!(
                        "no race, but the accesses to `{variable}` at lines {x} and {y} come in any order then"
                    )
                };
                return Verdict::Wrong(Evidence {
                    kind: EvidenceKind::Order,
                    text,
                    places: vec![place(&pair.first), place(&pair.second)],
                    variable: Some(pair.variable),
                    races: Vec::new(),
                });
            }
        }
        Verdict::Fine
    }
}

/// The line of the unchanged file.
pub fn original_line(sources: &[Source], changed: &BTreeMap<usize, Changed>, file: &str, line: u32) -> u32 {
    let of = sources.iter().position(|s| s.path.to_string_lossy() == file);
    of.and_then(|f| changed.get(&f)).map_or(line, |c| c.origin(line))
}

/// Evidence with the places of the unchanged program.
pub fn original(sources: &[Source], changed: &BTreeMap<usize, Changed>, mut evidence: Evidence) -> Evidence {
    let of_races = evidence.races.iter_mut().flat_map(|r| &mut r.places);
    for place in evidence.places.iter_mut().chain(of_races) {
        place.line = original_line(sources, changed, &place.file, place.line);
    }
    let mut lines: Vec<String> = evidence.places.iter().map(|p| p.line.to_string()).collect();
    for line in lines.drain(..) {
        evidence.text = evidence.text.replacen("{line}", &line, 1);
    }
    evidence
}
