//! What a test program says about itself in its first lines, and whether a report agrees.
//!
//! ```text
//! //@ verdict: race | defect | race-free | unknown
//! //@ races-verdict: ...          race | race-free | unknown: the answer about races alone
//! //@ defects-verdict: ...        defect | none | unknown: the answer about other defects
//! //@ unreached: KIND LINE       region | thread | task | lock that no execution comes to
//! //@ race: VAR LINE LINE        one race; `a[*]` stands for any index; FILE:LINE for another file
//! //@ races: at-least            there may be more races than these
//! //@ may-race: VAR LINE LINE    a race that need not be found, because another race decides whether it can happen
//! //@ defect: KIND [LINE]        one defect other than a race
//! //@ reason: TEXT               part of the reason of `unknown`
//! //@ reason-line: LINE          where that reason lies
//! //@ threads: any | as-run      whether the verdict holds for every larger number of threads, too
//! //@ options: --threads 2..3    options of `raceproof check`
//! //@ flags: -DN=3               flags for clang
//! //@ files: other.c             further files of the program
//! //@ undecided: why             `unknown` is accepted too, but never another answer; a short time limit is set
//! //@ fixme: why                 the answer is known to be wrong; the test fails once it is right
//! //@ about: TEXT                for the reader
//! ```

use base::{CheckReport, Defect, Place, Race, Verdict};

/// A line in the program's own file, or in another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub file: Option<String>,
    pub line: u32,
}

impl Line {
    fn parse(text: &str) -> Result<Line, String> {
        let (file, line) = match text.rsplit_once(':') {
            Some((file, line)) => (Some(file.to_owned()), line),
            None => (None, text),
        };
        let line = line.parse().map_err(|_| format!("expected LINE or FILE:LINE, found `{text}`"))?;
        Ok(Line { file, line })
    }

    fn is(&self, place: &Place) -> bool {
        let ends = |file: &String| place.file == *file || place.file.ends_with(&format!("/{file}"));
        self.line == place.line && self.file.as_ref().is_none_or(ends)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedRace {
    pub variable: String,
    pub lines: [Line; 2],
}

impl ExpectedRace {
    fn matches(&self, race: &Race) -> bool {
        let [one, two] = &self.lines;
        let (first, second) = (&race.first.place, &race.second.place);
        let lines = one.is(first) && two.is(second) || one.is(second) && two.is(first);
        lines && self.variable.split('|').any(|name| matches_variable(&any_index(name), &race.variable))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedDefect {
    pub kind: String,
    pub line: Option<Line>,
}

impl ExpectedDefect {
    /// A deadlock may be shown at any of the threads that wait.
    fn matches(&self, defect: &Defect) -> bool {
        let at = |line: &Line| {
            line.is(&defect.location) || defect.waiting.iter().any(|waiting| line.is(&waiting.place))
        };
        self.kind == kind(defect) && self.line.as_ref().is_none_or(at)
    }
}

/// Everything that a program's header says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Expectation {
    pub verdict: String,
    /// The answers about races and about other defects.
    pub parts: [Option<String>; 2],
    pub unreached: Vec<(String, Line)>,
    pub races: Vec<ExpectedRace>,
    pub may_races: Vec<ExpectedRace>,
    pub at_least: bool,
    pub defects: Vec<ExpectedDefect>,
    pub reason: Option<String>,
    pub reason_line: Option<Line>,
    pub options: Vec<String>,
    pub flags: Vec<String>,
    pub files: Vec<String>,
    pub fixme: Option<String>,
    pub undecided: Option<String>,
    pub any_threads: Option<bool>,
}

/// Whether a file is a test program at all, and not a part of one.
pub fn has_header(source: &str) -> bool {
    source.lines().any(|line| line.trim_start().starts_with("//@ verdict:"))
}

/// Reads the header; a key that is not known is an error, so that a typing error does not weaken a test.
pub fn parse(source: &str) -> Result<Expectation, String> {
    let mut expected = Expectation::default();
    for line in source.lines() {
        let Some(rest) = line.trim().strip_prefix("//@") else { continue };
        let (key, value) =
            rest.split_once(':').ok_or_else(|| format!("expected `//@ KEY: VALUE`, found `{line}`"))?;
        entry(&mut expected, key.trim(), value.trim())?;
    }
    if !["race", "defect", "race-free", "unknown"].contains(&expected.verdict.as_str()) {
        return Err(format!("expected a verdict, found `{}`", expected.verdict));
    }
    Ok(expected)
}

fn entry(expected: &mut Expectation, key: &str, value: &str) -> Result<(), String> {
    let words = || value.split_whitespace().map(str::to_owned);
    match key {
        "verdict" => expected.verdict = value.to_owned(),
        "races-verdict" => expected.parts[0] = Some(value.to_owned()),
        "defects-verdict" => expected.parts[1] = Some(value.to_owned()),
        "unreached" => {
            let (kind, line) = value.split_once(' ').ok_or("expected `unreached: KIND LINE`")?;
            expected.unreached.push((kind.to_owned(), Line::parse(line)?));
        }
        "race" => expected.races.push(race(value)?),
        "races" if value == "at-least" => expected.at_least = true,
        "may-race" => expected.may_races.push(race(value)?),
        "defect" => {
            let mut words = words();
            let kind = words.next().ok_or("expected `defect: KIND [LINE]`")?;
            let line = words.next().map(|line| Line::parse(&line)).transpose()?;
            expected.defects.push(ExpectedDefect { kind, line });
        }
        "reason" => expected.reason = Some(value.to_owned()),
        "reason-line" => expected.reason_line = Some(Line::parse(value)?),
        "options" => expected.options.extend(words()),
        "flags" => expected.flags.extend(words()),
        "files" => expected.files.extend(words()),
        "fixme" => expected.fixme = Some(value.to_owned()),
        "undecided" => expected.undecided = Some(value.to_owned()),
        "threads" if value == "any" || value == "as-run" => expected.any_threads = Some(value == "any"),
        "about" => {}
        _ => return Err(format!("unknown header `{key}: {value}`")),
    }
    Ok(())
}

/// `VAR LINE LINE`; the variable may have blanks in it.
fn race(value: &str) -> Result<ExpectedRace, String> {
    let mut words = value.rsplitn(3, ' ');
    let (Some(second), Some(first), Some(variable)) = (words.next(), words.next(), words.next()) else {
        return Err(format!("expected `race: VAR LINE LINE`, found `{value}`"));
    };
    Ok(ExpectedRace {
        variable: variable.trim().to_owned(),
        lines: [Line::parse(first)?, Line::parse(second)?],
    })
}

/// The tool shows one element for all that race on the same lines, so which one does not matter.
fn any_index(name: &str) -> String {
    let mut pattern = String::new();
    let mut depth = 0;
    for c in name.chars() {
        match c {
            '[' => {
                if depth == 0 {
                    pattern.push_str("[*]");
                }
                depth += 1;
            }
            ']' => depth -= 1,
            c if depth == 0 => pattern.push(c),
            _ => {}
        }
    }
    pattern
}

/// Whether a pattern such as `a[*].x` stands for a variable such as `a[3].x` or `a[b[i]].x`.
pub fn matches_variable(pattern: &str, variable: &str) -> bool {
    pattern == any_index(variable)
}

fn kind(defect: &Defect) -> String {
    serde_json::to_value(defect.kind)
        .ok()
        .and_then(|value| value.as_str().map(str::to_owned))
        .unwrap_or_default()
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Race => "race",
        Verdict::Defect => "defect",
        Verdict::RaceFree => "race-free",
        Verdict::Unknown => "unknown",
    }
}

/// Every way in which the report differs from what was expected; nothing if they agree.
pub fn compare(expected: &Expectation, report: &CheckReport) -> Vec<String> {
    let mut wrong = Vec::new();
    if expected.verdict != verdict(report.verdict) {
        wrong.push(format!("expected verdict {}, found {}", expected.verdict, verdict(report.verdict)));
    }
    wrong.extend(compare_parts(expected, report));
    for race in &expected.races {
        if !report.races.iter().any(|found| race.matches(found)) {
            let [one, two] = &race.lines;
            wrong.push(format!("expected race not found: {} {} {}", race.variable, one.line, two.line));
        }
    }
    let unexpected = report
        .races
        .iter()
        .filter(|found| !expected.races.iter().chain(&expected.may_races).any(|race| race.matches(found)));
    wrong.extend(
        unexpected.filter(|_| !expected.at_least).map(|race| format!("unexpected: {}", race_header(race))),
    );
    // After a race anything may happen: other defects of a racy program need not be found, nor be expected.
    let racy = expected.verdict == "race" && report.verdict == Verdict::Race;
    for defect in expected.defects.iter().filter(|_| !racy) {
        if !report.defects.iter().any(|found| defect.matches(found)) {
            let line = defect.line.as_ref().map_or(String::new(), |line| line.line.to_string());
            wrong.push(format!("expected defect not found: {} {line}", defect.kind));
        }
    }
    for found in report.defects.iter().filter(|_| !racy) {
        if !expected.defects.iter().any(|defect| defect.matches(found)) {
            wrong.push(format!("unexpected: {}", defect_header(found)));
        }
    }
    wrong.extend(compare_reason(expected, report));
    let any = report.bounds.iter().any(|bound| bound.or_more);
    if expected.any_threads.is_some_and(|expected| expected != any) {
        wrong.push(format!("expected for any number of threads: {}, found {any}", !any));
    }
    wrong
}

/// The answers about races and about other defects, and what was not reached.
fn compare_parts(expected: &Expectation, report: &CheckReport) -> Vec<String> {
    let mut wrong = Vec::new();
    let word = |value: serde_json::Result<serde_json::Value>| {
        value.ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
    };
    let races = word(serde_json::to_value(report.races_verdict));
    let defects = word(serde_json::to_value(report.defects_verdict));
    for (what, part, found) in
        [("races", &expected.parts[0], races), ("defects", &expected.parts[1], defects)]
    {
        if let Some(part) = part.as_ref().filter(|part| **part != found) {
            wrong.push(format!("expected {what}-verdict {part}, found {found}"));
        }
    }
    for (kind, line) in &expected.unreached {
        let is = |u: &base::Unreached| word(serde_json::to_value(u.kind)) == *kind && line.is(&u.place);
        if !report.coverage.unreached.iter().any(is) {
            wrong.push(format!("expected {kind} not reached in line {}", line.line));
        }
    }
    wrong
}

fn compare_reason(expected: &Expectation, report: &CheckReport) -> Vec<String> {
    let mut wrong = Vec::new();
    let reason = report.reason_words.as_deref().unwrap_or("");
    if let Some(text) = expected.reason.as_ref().filter(|text| !reason.contains(text.as_str())) {
        wrong.push(format!("expected a reason with `{text}`, found `{reason}`"));
    }
    if let Some(line) = &expected.reason_line {
        let found = report.reason_place.as_ref();
        if !found.is_some_and(|place| line.is(place)) {
            let found = found.map_or("no place".to_owned(), Place::to_string);
            wrong.push(format!("expected the reason at line {}, found {found}", line.line));
        }
    }
    wrong
}

fn race_header(race: &Race) -> String {
    format!("//@ race: {} {} {}", race.variable, race.first.place.line, race.second.place.line)
}

fn defect_header(defect: &Defect) -> String {
    format!("//@ defect: {} {}", kind(defect), defect.location.line)
}

/// The header that would fit a report, to paste once it is known to be right.
pub fn header(report: &CheckReport) -> String {
    let mut lines = vec![format!("//@ verdict: {}", verdict(report.verdict))];
    lines.extend(report.races.iter().map(race_header));
    lines.extend(report.defects.iter().map(defect_header));
    lines.extend(report.reason_words.iter().map(|reason| format!("//@ reason: {reason}")));
    lines.extend(report.reason_place.iter().map(|place| format!("//@ reason-line: {}", place.line)));
    lines.dedup();
    lines.join("\n")
}
