//! What a test program says about itself in its first lines.
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
//!
//! Depends on nothing, so that every test may read programs, those of the oracle too.

#![forbid(unsafe_code)]

use std::path::{Path, PathBuf};

/// A line in the program's own file, or in another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The other file.
    pub file: Option<String>,
    /// The line, from 1.
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

    /// Whether it is that line of a file.
    pub fn is(&self, file: &str, line: u32) -> bool {
        let ends = |name: &String| file == name || file.ends_with(&format!("/{name}"));
        self.line == line && self.file.as_ref().is_none_or(ends)
    }
}

/// A race that is expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedRace {
    /// The variable; several names are separated by `|`.
    pub variable: String,
    /// Where both sides are.
    pub lines: [Line; 2],
}

/// A defect other than a race that is expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedDefect {
    /// Its kind, as JSON has it.
    pub kind: String,
    /// Where it is.
    pub line: Option<Line>,
}

/// Everything that a program's header says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Header {
    /// The verdict; empty if the file is no test program, but a part of one.
    pub verdict: String,
    /// The answers about races and about other defects.
    pub parts: [Option<String>; 2],
    /// What no execution comes to: kind and line.
    pub unreached: Vec<(String, Line)>,
    /// The races.
    pub races: Vec<ExpectedRace>,
    /// Races that need not be found.
    pub may_races: Vec<ExpectedRace>,
    /// There may be more races.
    pub at_least: bool,
    /// The other defects.
    pub defects: Vec<ExpectedDefect>,
    /// Part of the reason of `unknown`.
    pub reason: Option<String>,
    /// Where that reason lies.
    pub reason_line: Option<Line>,
    /// Options of `raceproof check`.
    pub options: Vec<String>,
    /// Flags for clang.
    pub flags: Vec<String>,
    /// Further files of the program.
    pub files: Vec<String>,
    /// Why the answer is known to be wrong.
    pub fixme: Option<String>,
    /// Why `unknown` is accepted too.
    pub undecided: Option<String>,
    /// Whether the verdict holds for every larger number of threads.
    pub any_threads: Option<bool>,
}

impl Header {
    /// Reads a header; a key that is not known is an error, so that a typing error does not weaken a test.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn parse(source: &str) -> Result<Header, String> {
        let mut header = Header::default();
        for line in source.lines() {
            let Some(rest) = line.trim().strip_prefix("//@") else { continue };
            let (key, value) =
                rest.split_once(':').ok_or_else(|| format!("expected `//@ KEY: VALUE`, found `{line}`"))?;
            header.entry(key.trim(), value.trim())?;
        }
        if !["", "race", "defect", "race-free", "unknown"].contains(&header.verdict.as_str()) {
            return Err(format!("expected a verdict, found `{}`", header.verdict));
        }
        Ok(header)
    }

    /// The header of a file, for tests.
    ///
    /// # Panics
    /// If the file cannot be read or has a wrong header.
    pub fn of(file: &Path) -> Header {
        let text = std::fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        Header::parse(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display()))
    }

    /// Whether it is that of a test program, and not of a part of one.
    pub fn is_program(&self) -> bool {
        !self.verdict.is_empty()
    }

    /// All files of the program that begins with this one.
    pub fn all_files(&self, file: &Path) -> Vec<PathBuf> {
        let others = self.files.iter().map(|other| file.with_file_name(other));
        std::iter::once(file.to_owned()).chain(others).collect()
    }

    /// The flags with which the program of this file is compiled: C++ is C++20 unless some are given.
    pub fn flags_for(&self, file: &Path) -> Vec<String> {
        let cpp = file.extension().is_some_and(|e| e == "cpp");
        if self.flags.is_empty() && cpp { vec!["-std=c++20".to_owned()] } else { self.flags.clone() }
    }

    fn entry(&mut self, key: &str, value: &str) -> Result<(), String> {
        let words = || value.split_whitespace().map(str::to_owned);
        match key {
            "verdict" if value.is_empty() => return Err("expected a verdict".to_owned()),
            "verdict" => self.verdict = value.to_owned(),
            "races-verdict" => self.parts[0] = Some(value.to_owned()),
            "defects-verdict" => self.parts[1] = Some(value.to_owned()),
            "unreached" => {
                let (kind, line) = value.split_once(' ').ok_or("expected `unreached: KIND LINE`")?;
                self.unreached.push((kind.to_owned(), Line::parse(line)?));
            }
            "race" => self.races.push(race(value)?),
            "races" if value == "at-least" => self.at_least = true,
            "may-race" => self.may_races.push(race(value)?),
            "defect" => {
                let mut words = words();
                let kind = words.next().ok_or("expected `defect: KIND [LINE]`")?;
                let line = words.next().map(|line| Line::parse(&line)).transpose()?;
                self.defects.push(ExpectedDefect { kind, line });
            }
            "reason" => self.reason = Some(value.to_owned()),
            "reason-line" => self.reason_line = Some(Line::parse(value)?),
            "options" => self.options.extend(words()),
            "flags" => self.flags.extend(words()),
            "files" => self.files.extend(words()),
            "fixme" => self.fixme = Some(value.to_owned()),
            "undecided" => self.undecided = Some(value.to_owned()),
            "threads" if value == "any" || value == "as-run" => self.any_threads = Some(value == "any"),
            "about" => {}
            _ => return Err(format!("unknown header `{key}: {value}`")),
        }
        Ok(())
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read() {
        let header = "//@ verdict: race\n//@ race: p->next 3 other.c:4\n//@ races: at-least\n//@ options: --threads 2..3\n\
            //@ flags: -DN=3 -m32\n//@ defect: deadlock 7\n//@ about: text\nint x;\n";
        let expected = Header::parse(header).expect("a header");
        assert_eq!(expected.verdict, "race");
        assert_eq!(expected.races[0].variable, "p->next");
        assert_eq!(expected.races[0].lines[1].file.as_deref(), Some("other.c"));
        assert_eq!(expected.options, ["--threads", "2..3"]);
        assert_eq!(expected.flags, ["-DN=3", "-m32"]);
        assert!(expected.at_least && expected.defects[0].kind == "deadlock");
        for wrong in
            ["//@ verdict: maybe", "//@ verdict: race\n//@ rcae: x 1 2", "//@ verdict: race\n//@ race: x 1"]
        {
            assert!(Header::parse(wrong).is_err(), "{wrong}");
        }
        assert!(!Header::parse("// verdict").expect("no header").is_program());
    }
}
