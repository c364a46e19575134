//! The text of a program: enough of C and C++ to find synchronisation in it and to change it.
//!
//! Not a parser of the language. [`text`] makes tokens, [`tree`] finds where statements and blocks end, [`constructs`] finds what
//! synchronises, [`edit`] changes texts and writes differences. What directives say is in the table of constructs that the
//! program was compiled with; a `#pragma` line is one token here, and is found in the table by its line. Whatever is made here is
//! compiled and checked before it is proposed, so that a text that is misunderstood leads to "undecided", never to a wrong answer.

pub mod constructs;
pub mod edit;
pub mod tree;
pub mod unjudged;

use std::collections::BTreeMap;
use std::path::PathBuf;

use ir::{Directive, Directives};
use text::{Code, Token, TokenKind};

/// A source file.
#[derive(Debug, Clone)]
pub struct Source {
    /// Its path, as the compiler names it.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// Its tokens.
    pub tokens: Vec<Token>,
    /// By `#pragma` line: the directives that it stands for; several for a `metadirective`.
    written: BTreeMap<usize, Vec<Directive>>,
    /// Directives that are no lines of their own: by `_Pragma`, an attribute or a macro.
    pub(crate) unwritten: Vec<Directive>,
}

impl Source {
    /// A file with this text, and the directives of the program that it belongs to.
    pub fn new(path: PathBuf, text: String, directives: &Directives) -> Source {
        let tokens = text::tokens(&text);
        let mut source = Source { path, text, tokens, written: BTreeMap::new(), unwritten: Vec::new() };
        let name = source.path.to_string_lossy();
        let lines: BTreeMap<u32, usize> = (0..source.tokens.len())
            .filter(|&i| source.is_pragma(i))
            .map(|i| (source.line_of(i), i))
            .collect();
        let (mut written, mut unwritten) = (BTreeMap::<usize, Vec<Directive>>::new(), Vec::new());
        for directive in directives.iter().filter(|d| d.file == name) {
            match lines.get(&directive.line) {
                Some(&token) => written.entry(token).or_default().push(directive.clone()),
                None => unwritten.push(directive.clone()),
            }
        }
        (source.written, source.unwritten) = (written, unwritten);
        source
    }

    /// The directive that a `#pragma` line stands for; none if it stands for none, or is not compiled.
    pub fn directive(&self, token: usize) -> Option<&Directive> {
        let (first, others) = self.written.get(&token)?.split_first()?;
        // A header that is included twice may have it twice.
        let same = |d: &Directive| {
            (&d.words, &d.argument, &d.clauses) == (&first.words, &first.argument, &first.clauses)
        };
        (!first.variant && others.iter().all(same)).then_some(first)
    }

    /// Whether a token is a `#pragma` line.
    pub fn is_pragma(&self, token: usize) -> bool {
        self.tokens.get(token).is_some_and(|t| t.kind == TokenKind::Pragma)
    }

    /// Whether a `#pragma` line has no statement of its own.
    fn stands_alone(&self, pragma: usize) -> bool {
        self.written.get(&pragma).is_none_or(|rows| rows.iter().all(|d| d.body.is_none()))
    }

    /// Where a clause of a directive is written: bytes, with its arguments. None if a macro brings it.
    pub fn clause(&self, pragma: usize, name: &str) -> Option<(usize, usize)> {
        self.directive(pragma)?.clause(name)?;
        // Without the `#`, so that the rest is words.
        let base = self.tokens[pragma].from + 1;
        let inner = text::tokens(&self.text[base..self.tokens[pragma].to]);
        let code = Code { text: &self.text[base..], tokens: &inner };
        // `pragma`, `omp` and the first word of the directive are no clauses.
        let mut at = 3;
        while at < inner.len() {
            let end = if code.word(at + 1) == "(" { code.close(at + 1) } else { at + 1 };
            if code.word(at) == name {
                return Some((base + inner[at].from, base + inner[end - 1].to));
            }
            at = end;
        }
        None
    }

    /// Whether there are directives in it.
    pub fn uses_openmp(&self) -> bool {
        !self.written.is_empty() || !self.unwritten.is_empty()
    }

    fn code(&self) -> Code<'_> {
        Code { text: &self.text, tokens: &self.tokens }
    }

    /// The text of a token.
    pub fn word(&self, token: usize) -> &str {
        self.tokens.get(token).map_or("", |t| &self.text[t.from..t.to])
    }

    /// The line of a byte, from 1.
    pub fn line(&self, at: usize) -> u32 {
        self.text.as_bytes()[..at.min(self.text.len())].iter().filter(|&&b| b == b'\n').count() as u32 + 1
    }

    /// The line of a token.
    pub fn line_of(&self, token: usize) -> u32 {
        self.tokens.get(token).map_or(0, |t| t.line)
    }

    /// Where the line of a byte begins.
    pub fn line_start(&self, at: usize) -> usize {
        self.text[..at].rfind('\n').map_or(0, |n| n + 1)
    }

    /// Where the next line after a byte begins.
    pub fn line_end(&self, at: usize) -> usize {
        self.text[at..].find('\n').map_or(self.text.len(), |n| at + n + 1)
    }

    /// The blanks that a line begins with.
    pub fn indent(&self, at: usize) -> &str {
        let start = self.line_start(at);
        let rest = &self.text[start..];
        &rest[..rest.len() - rest.trim_start_matches([' ', '\t']).len()]
    }

    /// The files that it includes by `#include "..."`, as they are written there.
    pub fn includes(&self) -> Vec<String> {
        let directives = self.tokens.iter().filter(|t| t.kind == TokenKind::Directive);
        let name = |t: &Token| {
            let text = self.text[t.from + 1..t.to].trim_start().strip_prefix("include")?.trim();
            Some(text.strip_prefix('"')?.split('"').next()?.to_owned())
        };
        directives.filter_map(name).collect()
    }
}
