//! The table of constructs: every OpenMP directive of a program, made once by the front end.
//!
//! A row is a directive as the compiler sees it: macros are expanded, and it does not matter whether it was written as `#pragma`,
//! `_Pragma` or an attribute, in a source or a header. With the statement that it is about it is a construct. Nobody else reads
//! directives from texts.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

/// The language in which a directive is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum Language {
    /// C.
    #[default]
    C,
    /// C++.
    Cpp,
}

/// A clause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clause {
    /// Its name.
    pub name: String,
    /// What stands in its parentheses; blanks only between words and behind commas.
    pub args: Option<String>,
}

/// Lines of a file, both ends included.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extent {
    /// The file.
    pub file: String,
    /// The first line.
    pub first: u32,
    /// The last line.
    pub last: u32,
}

impl Extent {
    /// Whether a line of a file lies in it.
    pub fn contains(&self, file: &str, line: u32) -> bool {
        self.file == file && self.lines().contains(&line)
    }

    /// Its lines.
    pub fn lines(&self) -> RangeInclusive<u32> {
        self.first..=self.last
    }
}

/// One directive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Directive {
    /// The words of its name: `parallel`, `for`.
    pub words: Vec<String>,
    /// What stands in parentheses behind the name: that of a `critical`, the list of a `flush`.
    pub argument: Option<String>,
    /// Its clauses, in order.
    pub clauses: Vec<Clause>,
    /// Where the compiler places it: its file, and the line of its beginning (of the macro's use if a macro has brought it).
    pub file: String,
    /// The line.
    pub line: u32,
    /// The statement that it is about, without directives that stand before it; none if it stands alone.
    pub body: Option<Extent>,
    /// Whether it is one of several of which the compiler has chosen one (`metadirective`).
    pub variant: bool,
    /// In which language.
    pub language: Language,
}

impl Directive {
    /// Whether the word is part of its name, or there is such a clause.
    pub fn has(&self, name: &str) -> bool {
        self.is(name) || self.clause(name).is_some()
    }

    /// Whether the word is part of its name.
    pub fn is(&self, word: &str) -> bool {
        self.words.iter().any(|w| w == word)
    }

    /// The first word of its name.
    pub fn first(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    /// A clause.
    pub fn clause(&self, name: &str) -> Option<&Clause> {
        self.clauses.iter().find(|c| c.name == name)
    }

    /// What stands in a clause's parentheses.
    pub fn args(&self, name: &str) -> Option<&str> {
        self.clause(name)?.args.as_deref()
    }

    /// The variables in all clauses of a name, those that have no operator but perhaps a modifier.
    pub fn variables<'d>(&'d self, clause: &'d str) -> impl Iterator<Item = &'d str> {
        let lists = self.clauses.iter().filter(move |c| c.name == clause).filter_map(|c| c.args.as_deref());
        lists.flat_map(|list| list.rsplit(':').next().unwrap_or(list).split(',').map(str::trim))
    }

    /// Whether it has a scan reduction and is not combined with `parallel`.
    pub fn is_uncombined_scan(&self) -> bool {
        let scans =
            |c: &Clause| c.name == "reduction" && c.args.as_ref().is_some_and(|a| a.contains("inscan"));
        !self.has("parallel") && self.clauses.iter().any(scans)
    }

    /// Whether it has lanes: a loop with `simd`, which `declare simd` and `ordered simd` are not, or one whose iterations may run
    /// at the same time.
    pub fn has_lanes(&self) -> bool {
        (self.has("simd") || self.is_concurrent()) && self.first() != "declare" && self.first() != "ordered"
    }

    /// Whether iterations of one thread may run at the same time, although they are no lanes of a vector: `loop`, or a loop with
    /// `order(concurrent)` (OpenMP 5.2, 10.3).
    pub fn is_concurrent(&self) -> bool {
        self.has("loop") || self.args("order").is_some_and(|args| args.contains("concurrent"))
    }

    /// Whether lanes of one thread may come from anywhere in the loop: it is shared out, in parts that the source does not tell.
    pub fn shares_out_lanes(&self) -> bool {
        let told = |args: &str| {
            let parts = args.contains("dynamic") || (args.contains("static") && args.contains(','));
            parts && !args.contains("simd")
        };
        let schedule = ["schedule", "dist_schedule"].iter().find_map(|c| self.args(c));
        self.has_lanes() && self.shares_work() && (self.is_concurrent() || !schedule.is_some_and(told))
    }

    /// Whether its iterations or sections are shared out among threads or teams.
    pub fn shares_work(&self) -> bool {
        ["for", "sections", "distribute", "loop"].iter().any(|w| self.has(w))
    }

    /// Whether it says the same as another, in whichever language.
    fn is_like(&self, other: &Directive) -> bool {
        let Directive { words, argument, clauses, file, line, body, variant, language: _ } = other;
        (&self.words, &self.argument, &self.clauses) == (words, argument, clauses)
            && (&self.file, self.line, &self.body, self.variant) == (file, *line, body, *variant)
    }
}

impl std::fmt::Display for Directive {
    /// As a `#pragma omp` would have it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.words.join(" "))?;
        if let Some(argument) = &self.argument {
            write!(f, "({argument})")?;
        }
        for Clause { name, args } in &self.clauses {
            write!(f, " {name}")?;
            if let Some(args) = args {
                write!(f, "({args})")?;
            }
        }
        Ok(())
    }
}

/// The directives of a program, by file and line, those of a line in their order.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Directives {
    rows: Vec<Directive>,
    /// The sources that were read.
    sources: BTreeSet<String>,
}

impl Directives {
    /// Those of a source, in their order.
    pub fn new(source: &str, mut rows: Vec<Directive>) -> Directives {
        rows.sort_by(|a, b| key(a).cmp(&key(b)));
        Directives { rows, sources: BTreeSet::from([source.to_owned()]) }
    }

    /// Adds those of another source of the program. What both have (from a header) and agree on is kept once.
    pub fn merge(&mut self, other: Directives) {
        self.sources.extend(other.sources);
        let mut added = Vec::new();
        for group in other.rows.chunk_by(|a, b| key(a) == key(b)) {
            let mine = self.at(&group[0].file, group[0].line);
            let known = mine.len() == group.len() && mine.iter().zip(group).all(|(a, b)| a.is_like(b));
            if !known {
                added.extend_from_slice(group);
            }
        }
        self.rows.extend(added);
        self.rows.sort_by(|a, b| key(a).cmp(&key(b)));
    }

    /// The directives of a line, in order.
    pub fn at(&self, file: &str, line: u32) -> &[Directive] {
        let from = self.rows.partition_point(|d| key(d) < (file, line));
        let to = self.rows.partition_point(|d| key(d) <= (file, line));
        &self.rows[from..to]
    }

    /// Those whose statements a line belongs to, the innermost first.
    pub fn around<'d>(&'d self, file: &'d str, line: u32) -> impl Iterator<Item = &'d Directive> {
        let inside = move |d: &&Directive| d.body.as_ref().is_some_and(|b| b.contains(file, line));
        let mut found: Vec<&Directive> = self.rows.iter().filter(inside).collect();
        // Of two that begin in one line the later is the inner one.
        found.reverse();
        found.sort_by_key(|d| d.body.as_ref().map_or(0, |b| b.last - b.first));
        found.into_iter()
    }

    /// All of them, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Directive> {
        self.rows.iter()
    }

    /// Whether a file is one that was read, or there is a directive in it.
    pub fn knows(&self, file: &str) -> bool {
        self.sources.contains(file) || self.rows.iter().any(|d| d.file == file)
    }

    /// With other lines of the directives.
    pub fn moved(mut self, mut line: impl FnMut(&str, u32) -> u32) -> Directives {
        for row in &mut self.rows {
            row.line = line(&row.file, row.line);
        }
        self.rows.sort_by(|a, b| key(a).cmp(&key(b)));
        self
    }

    /// With other names of files.
    pub fn renamed(mut self, name: impl Fn(&str) -> String) -> Directives {
        for row in &mut self.rows {
            row.file = name(&row.file);
            if let Some(body) = &mut row.body {
                body.file = name(&body.file);
            }
        }
        self.sources = self.sources.iter().map(|source| name(source)).collect();
        self.rows.sort_by(|a, b| key(a).cmp(&key(b)));
        self
    }
}

fn key(directive: &Directive) -> (&str, u32) {
    (&directive.file, directive.line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(word: &str, line: u32, last: u32, language: Language) -> Directive {
        Directive {
            words: vec![word.into()],
            argument: None,
            clauses: Vec::new(),
            file: "a.h".into(),
            line,
            body: Some(Extent { file: "a.h".into(), first: line + 1, last }),
            variant: false,
            language,
        }
    }

    #[test]
    fn a_header_of_two_sources_is_there_once() {
        let of =
            |source: &str, word: &str, language| Directives::new(source, vec![row(word, 3, 4, language)]);
        let mut all = of("a.c", "for", Language::C);
        all.merge(of("b.cpp", "for", Language::Cpp));
        assert_eq!(all.at("a.h", 3).len(), 1);
        all.merge(of("c.c", "single", Language::C));
        assert_eq!(all.at("a.h", 3).len(), 2);
        assert!(all.knows("b.cpp") && all.knows("a.h") && !all.knows("d.c"));
    }

    #[test]
    fn the_innermost_comes_first() {
        let rows = vec![row("parallel", 1, 9, Language::C), row("for", 3, 5, Language::C)];
        let all = Directives::new("a.c", rows);
        let words = |line| all.around("a.h", line).map(Directive::first).collect::<Vec<_>>();
        assert_eq!((words(4), words(8)), (vec!["for", "parallel"], vec!["parallel"]));
        assert!(words(10).is_empty());
    }
}
