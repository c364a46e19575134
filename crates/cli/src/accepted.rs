//! Findings that are known and accepted, so that only new ones fail: a baseline, and suppressions.
//!
//! A baseline (`--baseline FILE`) is an earlier report in JSON; a finding of it is known by its fingerprint
//! ([`report::fingerprint`]), which survives edits elsewhere in the file. A suppression stands in `raceproof.toml`
//! ([`crate::settings`]) and names one race or defect, with a reason:
//!
//! ```toml
//! [[suppress]]
//! variable = "hits"                              # of a race; `kind = "deadlock"` names another defect instead
//! locations = ["counter.c:11", "counter.c:20"]   # all sides, in any order
//! reason = "the number is shown to people only"
//! ```
//!
//! Neither changes the verdict or the report: both decide only what fails. What no longer fits anything is told.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result, bail};
use base::{CheckReport, Place, Verdict};
use report::explain;
use report::fingerprint;
use report::sarif::Standing;
use report::witness::{self, Parsed};
use serde::Deserialize;

use crate::settings::Settings;

/// What is accepted.
#[derive(Debug, Default)]
pub struct Accepted {
    /// The baseline's name and fingerprints.
    baseline: Option<Baseline>,
    suppressions: Vec<Suppression>,
    /// The file that the suppressions stand in.
    settings: String,
}

/// An earlier report.
#[derive(Debug)]
struct Baseline {
    file: String,
    prints: BTreeSet<String>,
    /// Whether it had more findings than it lists.
    cut: bool,
}

/// One `[[suppress]]` of the settings.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suppression {
    variable: Option<String>,
    kind: Option<String>,
    locations: Vec<String>,
    reason: String,
}

/// How a report stands to what is accepted.
#[derive(Debug, PartialEq, Eq)]
pub struct Comparison {
    /// What to tell the user, a line each.
    pub lines: Vec<String>,
    /// The exit code: of the report as if it had only its new findings.
    pub exit_code: u8,
}

impl Accepted {
    /// Reads the baseline, if one is given; the suppressions are those of the settings.
    pub fn read(baseline: Option<&Path>, settings: &Settings) -> Result<Accepted> {
        let named = settings.baseline();
        let baseline = baseline.or(named.as_deref()).map(read_baseline).transpose()?;
        let file = settings.file.to_string_lossy().into_owned();
        Ok(Accepted { baseline, suppressions: settings.suppressions(), settings: file })
    }

    /// How each finding of a report stands to what is accepted, races first; nothing if nothing is accepted.
    pub fn standing(&self, report: &CheckReport) -> Vec<Standing> {
        if self.baseline.is_none() && self.suppressions.is_empty() {
            return Vec::new();
        }
        let standing = |(index, print): (usize, String)| Standing {
            known: self.baseline.as_ref().map(|baseline| baseline.prints.contains(&print)),
            suppressed: (self.suppressions.iter().find(|s| s.fits(report, index))).map(|s| s.reason.clone()),
        };
        fingerprint::of(report).into_iter().enumerate().map(standing).collect()
    }

    /// Compares a report; nothing if nothing is accepted.
    pub fn compare(&self, report: &CheckReport) -> Option<Comparison> {
        if self.baseline.is_none() && self.suppressions.is_empty() {
            return None;
        }
        let mut lines = Vec::new();
        let mut used = vec![false; self.suppressions.len()];
        let mut new = 0;
        let mut known = 0;
        let prints = fingerprint::of(report);
        for (index, print) in prints.iter().enumerate() {
            let name = name(report, index);
            let by = (0..used.len()).find(|&by| self.suppressions[by].fits(report, index));
            if let Some(by) = by {
                used[by] = true;
                lines.push(format!("suppressed   {name}: {}", self.suppressions[by].reason));
            } else if self.baseline.as_ref().is_some_and(|baseline| baseline.prints.contains(print)) {
                known += 1;
            } else {
                new += 1;
                lines.push(format!("new          {name}"));
            }
        }
        for (suppression, _) in self.suppressions.iter().zip(&used).filter(|(_, used)| !**used) {
            lines.push(format!(
                "stale        {suppression} suppresses nothing: remove it from {}",
                self.settings
            ));
        }
        if let Some(Baseline { file, prints: then, cut }) = &self.baseline {
            let gone = then.iter().filter(|print| !prints.contains(print)).count();
            // What is missing from a list that is cut may be there all the same.
            let gone = match report.races_cut || report.defects_cut {
                true => format!("{gone} not listed, which may still be there: the list of findings is cut"),
                false => format!("{gone} no longer found"),
            };
            lines.push(format!("baseline     {file}: {new} new, {known} known, {gone}"));
            if *cut && new > 0 {
                lines.push(format!(
                    "baseline     {file}: its list of findings is cut, so that what is new here may be old"
                ));
            }
        }
        let exit_code = match report.verdict {
            Verdict::Race | Verdict::Defect if new == 0 && report.reason.is_some() => {
                Verdict::Unknown.exit_code()
            }
            Verdict::Race | Verdict::Defect if new == 0 => 0,
            verdict => verdict.exit_code(),
        };
        Some(Comparison { lines, exit_code })
    }
}

fn read_baseline(file: &Path) -> Result<Baseline> {
    let shown = file.display();
    let text = std::fs::read_to_string(file).with_context(|| format!("--baseline: cannot read `{shown}`"))?;
    let report = match witness::parse(&text) {
        Ok(Parsed::Report(report)) => *report,
        Ok(Parsed::Witness(witness)) => witness.report,
        Err(why) => {
            bail!(
                "--baseline: `{shown}`: {why}; `raceproof check ... --format json --output {shown}` writes one"
            )
        }
    };
    Ok(Baseline {
        file: shown.to_string(),
        prints: fingerprint::of(&report).into_iter().collect(),
        cut: report.races_cut || report.defects_cut,
    })
}

impl Suppression {
    /// What is wrong with it.
    pub fn check(&self) -> std::result::Result<(), String> {
        if self.reason.trim().is_empty() {
            return Err(format!("the suppression of {self} has no reason: say why the finding is accepted"));
        }
        match (&self.variable, &self.kind) {
            (Some(_), None) => Ok(()),
            (None, Some(kind)) if kind != "race" && explain::find(kind).is_some() => Ok(()),
            (None, Some(kind)) => {
                Err(format!("expected a kind of defect (`raceproof explain` lists them), found `{kind}`"))
            }
            _ => Err("expected either `variable` (of a race) or `kind` (of another defect) in [[suppress]]"
                .to_owned()),
        }
    }

    /// Whether it names the finding with this index, races first.
    fn fits(&self, report: &CheckReport, index: usize) -> bool {
        let (named, places): (bool, Vec<&Place>) = match report.races.get(index) {
            Some(race) => {
                (self.variable.as_ref() == Some(&race.variable), vec![&race.first.place, &race.second.place])
            }
            None => {
                let Some(defect) = report.defects.get(index - report.races.len()) else { return false };
                let mut places: Vec<&Place> = defect.waiting.iter().map(|step| &step.place).collect();
                if places.is_empty() {
                    places.push(&defect.location);
                }
                (self.kind.as_deref() == Some(explain::code(defect.kind)), places)
            }
        };
        let mut found: Vec<String> =
            places.iter().map(|place| format!("{}:{}", place.file, place.line)).collect();
        let mut wanted = self.locations.clone();
        for list in [&mut found, &mut wanted] {
            list.sort_unstable();
            list.dedup();
        }
        named && found == wanted
    }
}

impl std::fmt::Display for Suppression {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let what = self.variable.as_ref().or(self.kind.as_ref()).map_or("", String::as_str);
        write!(f, "`{what}` at {}", self.locations.join(" and "))
    }
}

fn name(report: &CheckReport, index: usize) -> String {
    match report.races.get(index) {
        Some(race) => format!("race {} on `{}`", index + 1, race.variable),
        None => {
            let defect = &report.defects[index - report.races.len()];
            format!("{} at {}", explain::code(defect.kind), defect.location)
        }
    }
}

#[cfg(test)]
mod tests {
    use base::{Access, AccessKind, Defect, DefectKind, Race, SCHEMA_VERSION, Stats, ThreadLabel, Witness};

    use super::*;

    fn place(line: u32) -> Place {
        Place { file: "a.c".into(), line, column: 3 }
    }

    fn race(variable: &str, lines: [u32; 2]) -> Race {
        let thread = ThreadLabel { id: 0, name: "main".into(), created: None };
        let side = |line| Access {
            place: place(line),
            access: AccessKind::Write,
            atomic: false,
            thread: thread.clone(),
            locks: vec![],
            stack: vec![],
            strand: None,
            constructs: Vec::new(),
        };
        let [first, second] = lines.map(side);
        Race { variable: variable.into(), first, second, hint: None, witness: Witness::default() }
    }

    fn report(races: Vec<Race>, defects: Vec<Defect>) -> CheckReport {
        CheckReport {
            version: SCHEMA_VERSION,
            verdict: if races.is_empty() { Verdict::Defect } else { Verdict::Race },
            reason: None,
            reason_place: None,
            bounds: vec![],
            races,
            defects,
            assumptions: vec![],
            stats: Stats::default(),
            files: vec!["a.c".into()],
            flags: vec![],
            build: None,
            cached: None,
            ..CheckReport::default()
        }
    }

    fn accepted(baseline: Option<&CheckReport>, settings: &str) -> Accepted {
        let baseline = baseline.map(|report| Baseline {
            file: "b.json".into(),
            prints: fingerprint::of(report).into_iter().collect(),
            cut: report.races_cut,
        });
        #[derive(Deserialize)]
        struct File {
            #[serde(default)]
            suppress: Vec<Suppression>,
        }
        let suppressions = toml::from_str::<File>(settings).unwrap().suppress;
        Accepted { baseline, suppressions, settings: "raceproof.toml".into() }
    }

    #[test]
    fn only_new_findings_fail() {
        let old = report(vec![race("x", [1, 2]), race("gone", [8, 9])], vec![]);
        let same = report(vec![race("x", [11, 12])], vec![]);
        let accepted = accepted(Some(&old), "");
        let known = accepted.compare(&same).unwrap();
        assert_eq!(known.lines, ["baseline     b.json: 0 new, 1 known, 1 no longer found"]);
        assert_eq!(known.exit_code, 0);
        let more = report(vec![race("x", [11, 12]), race("y", [3, 4])], vec![]);
        let new = accepted.compare(&more).unwrap();
        assert_eq!(new.lines[0], "new          race 2 on `y`");
        assert_eq!(new.exit_code, 1);
    }

    #[test]
    fn each_finding_has_its_standing() {
        let old = report(vec![race("x", [1, 2])], vec![]);
        let more = report(vec![race("x", [11, 12]), race("y", [3, 4])], vec![]);
        let settings =
            "[[suppress]]\nvariable = \"y\"\nlocations = [\"a.c:3\", \"a.c:4\"]\nreason = \"shown only\"\n";
        let suppressed = Some("shown only".to_owned());
        assert_eq!(
            accepted(Some(&old), settings).standing(&more),
            [Standing { known: Some(true), suppressed: None }, Standing { known: Some(false), suppressed }]
        );
        assert!(accepted(None, "").standing(&more).is_empty());
    }

    #[test]
    fn known_findings_do_not_hide_that_the_rest_is_unknown() {
        let old = report(vec![race("x", [1, 2])], vec![]);
        let mut same = old.clone();
        same.reason = Some(base::Reason::Recorded);
        assert_eq!(accepted(Some(&old), "").compare(&same).unwrap().exit_code, 3);
    }

    #[test]
    fn a_second_race_like_a_known_one_is_new() {
        let old = report(vec![race("a[1]", [1, 2])], vec![]);
        let two = report(vec![race("a[1]", [1, 2]), race("a[2]", [5, 6])], vec![]);
        assert_eq!(accepted(Some(&old), "").compare(&two).unwrap().exit_code, 1);
    }

    const SUPPRESSED: &str = "[[suppress]]\nvariable = \"x\"\nlocations = [\"a.c:2\", \"a.c:1\"]\nreason = \"shown only\"\n\
                              [[suppress]]\nkind = \"abort\"\nlocations = [\"a.c:7\"]\nreason = \"wanted\"\n";

    #[test]
    fn suppressions_name_all_sides_and_are_told_when_stale() {
        let thread = ThreadLabel { id: 0, name: "main".into(), created: None };
        let defect = Defect {
            kind: DefectKind::Abort,
            message: "abort".into(),
            location: place(7),
            thread,
            stack: vec![],
            waiting: vec![],
            witness: Witness::default(),
        };
        let accepted = accepted(None, SUPPRESSED);
        let both = accepted.compare(&report(vec![race("x", [1, 2])], vec![defect])).unwrap();
        assert_eq!(both.exit_code, 0);
        assert_eq!(both.lines[0], "suppressed   race 1 on `x`: shown only");
        let other = accepted.compare(&report(vec![race("x", [1, 3])], vec![])).unwrap();
        assert_eq!(other.exit_code, 1, "another line is another race");
        assert_eq!(
            other.lines,
            [
                "new          race 1 on `x`",
                "stale        `x` at a.c:2 and a.c:1 suppresses nothing: remove it from raceproof.toml",
                "stale        `abort` at a.c:7 suppresses nothing: remove it from raceproof.toml",
            ]
        );
    }

    #[test]
    fn wrong_suppressions_are_refused() {
        let error = |text: &str| toml::from_str::<Suppression>(text).unwrap().check().unwrap_err();
        assert!(error("variable = \"x\"\nlocations = []\nreason = \" \"").contains("has no reason"));
        assert!(error("kind = \"race\"\nlocations = []\nreason = \"r\"").contains("found `race`"));
        assert!(error("locations = []\nreason = \"r\"").contains("either `variable`"));
    }

    #[test]
    fn nothing_accepted_is_nothing_said() {
        assert_eq!(Accepted::default().compare(&report(vec![], vec![])), None);
        assert!(Accepted::read(None, &Settings::default()).unwrap().suppressions.is_empty());
    }
}
