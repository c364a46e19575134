//! The text of a program: enough of C and C++ to find synchronisation in it and to change it.
//!
//! Not a parser of the language. [`lex`] makes tokens, [`tree`] finds where statements and blocks end, [`constructs`] finds what
//! synchronises, [`edit`] changes texts and writes differences. Whatever is made here is compiled and checked before it is
//! proposed, so that a text that is misunderstood leads to "undecided", never to a wrong answer.

pub mod constructs;
pub mod edit;
pub mod lex;
pub mod tree;
pub mod unjudged;

use std::path::PathBuf;

/// A source file.
#[derive(Debug, Clone)]
pub struct Source {
    /// Its path, as the compiler names it.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// Its tokens.
    pub tokens: Vec<lex::Token>,
}

impl Source {
    /// A file with this text.
    pub fn new(path: PathBuf, text: String) -> Source {
        let tokens = lex::tokens(&text);
        Source { path, text, tokens }
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
        let directives = self.tokens.iter().filter(|t| t.kind == lex::TokenKind::Directive);
        let name = |t: &lex::Token| {
            let text = self.text[t.from + 1..t.to].trim_start().strip_prefix("include")?.trim();
            Some(text.strip_prefix('"')?.split('"').next()?.to_owned())
        };
        directives.filter_map(name).collect()
    }
}
