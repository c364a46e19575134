//! Where statements, blocks and functions begin and end.

use text::TokenKind;

use super::Source;

/// A statement: tokens `from..to`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The first token.
    pub from: usize,
    /// One after the last.
    pub to: usize,
}

impl Source {
    /// The end of the bracket that opens at a token: one after its close.
    pub fn close(&self, open: usize) -> usize {
        self.code().close(open)
    }

    /// The statement that begins at a token.
    pub fn statement(&self, from: usize) -> Span {
        Span { from, to: self.code().statement_end(from, &|pragma| self.stands_alone(pragma)) }
    }

    /// The statements of a block, given its `{`.
    pub fn statements(&self, open: usize) -> Vec<Span> {
        let end = self.close(open).saturating_sub(1);
        let (mut at, mut all) = (open + 1, Vec::new());
        while at < end {
            let span = self.statement(at);
            if span.to <= at {
                break;
            }
            all.push(Span { from: at, to: span.to.min(end) });
            at = span.to;
        }
        all
    }

    /// Every block of the file: its `{`, for function bodies and blocks within them (not for initialisers).
    pub fn blocks(&self) -> Vec<usize> {
        let mut blocks = Vec::new();
        for i in 0..self.tokens.len() {
            if self.word(i) != "{" || self.tokens[i].kind != TokenKind::Mark {
                continue;
            }
            let before = i.checked_sub(1).map_or("", |b| self.word(b));
            let pragma = i > 0 && self.is_pragma(i - 1);
            if pragma
                || matches!(
                    before,
                    ")" | "{"
                        | "}"
                        | ";"
                        | "else"
                        | "do"
                        | "try"
                        | ":"
                        | "const"
                        | "noexcept"
                        | "mutable"
                        | "override"
                        | "final"
                )
                || before == "]" && self.is_capture(i - 1)
            {
                blocks.push(i);
            }
        }
        blocks
    }

    /// Whether the `]` at a token ends the captures of a function without a name, and not the size of an array.
    fn is_capture(&self, close: usize) -> bool {
        let mut depth = 0usize;
        for i in (0..=close).rev() {
            match self.word(i) {
                "]" => depth += 1,
                "[" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                let before = i.checked_sub(1).map_or("", |b| self.word(b));
                return matches!(before, "(" | "," | "=" | "return" | "{" | ";" | "&&" | "||" | "?" | ":");
            }
        }
        false
    }

    /// The innermost block around a token.
    pub fn block_around(&self, token: usize) -> Option<usize> {
        self.blocks().into_iter().filter(|&b| b < token && self.close(b) > token).max()
    }

    /// The body of the function that a token is in: its `{`.
    pub fn function_around(&self, token: usize) -> Option<usize> {
        let around: Vec<usize> =
            self.blocks().into_iter().filter(|&b| b <= token && self.close(b) > token).collect();
        around.into_iter().find(|&b| b > 0 && (self.word(b - 1) == ")" || self.word(b - 1) == "const"))
    }

    /// The innermost statement that contains a token, as a part of its block.
    pub fn statement_around(&self, token: usize) -> Option<Span> {
        let block = self.block_around(token)?;
        self.statements(block).into_iter().find(|s| s.from <= token && token < s.to)
    }

    /// The innermost statement at a line that is not a block, control structure or directive: what a person calls "the
    /// statement there".
    pub fn simple_at(&self, line: u32, column: u32) -> Option<Span> {
        let on = |i: &usize| self.tokens[*i].line == line;
        let at = (0..self.tokens.len()).filter(on).filter(|&i| !self.is_pragma(i));
        let token =
            at.clone().filter(|&i| self.column(i) <= column.max(1)).max().or_else(|| at.clone().next())?;
        let mut span = self.statement_around(token)?;
        // Into the bodies of control structures that have no braces.
        for _ in 0..50 {
            let mut inner = None;
            for i in span.from + 1..span.to {
                let before = self.word(i - 1);
                let body = before == ")" && self.is_header_end(span.from, i - 1)
                    || before == "else"
                    || before == "do"
                    || self.is_pragma(i - 1);
                if body && i <= token {
                    let s = self.statement(i);
                    if s.from <= token && token < s.to && s != span {
                        inner = Some(s);
                    }
                }
            }
            match inner {
                Some(s) if s.from > span.from => span = s,
                _ => break,
            }
        }
        Some(span)
    }

    /// Whether the `)` at a token closes the header of a control structure.
    fn is_header_end(&self, from: usize, close: usize) -> bool {
        (from..close).rev().any(|i| {
            matches!(self.word(i), "if" | "for" | "while" | "switch")
                && self.word(i + 1) == "("
                && self.close(i + 1) == close + 1
        })
    }

    /// The column of a token, from 1.
    pub fn column(&self, token: usize) -> u32 {
        let from = self.tokens[token].from;
        (from - self.line_start(from)) as u32 + 1
    }

    /// Whether what begins at a token is a statement of a block, so that others can be put before it.
    pub fn in_block(&self, token: usize) -> bool {
        match token.checked_sub(1) {
            None => false,
            Some(b) if self.tokens[b].kind == TokenKind::Directive => self.in_block(b),
            Some(b) => self.is_pragma(b) && self.stands_alone(b) || matches!(self.word(b), "{" | "}" | ";"),
        }
    }
}

#[cfg(test)]
mod tests {
    use ir::directives::{Clause, Extent, Language};
    use ir::{Directive, Directives};

    use super::*;

    const TEXT: &str = "int f(int x) {\n  if (x) g(); else { h(); }\n  #pragma omp parallel for reduction(+:s) \\\n    schedule(static, 1)\n  for (int i = 0; i < 3; i++)\n    s += i;\n  #pragma omp critical (name)\n  { a++; b++; }\n  #pragma omp barrier\n  do x--; while (x);\n  return x;\n}\n";

    /// What the front end finds in [`TEXT`].
    fn source() -> Source {
        let row = |word: &str, line: u32, body: Option<(u32, u32)>| Directive {
            words: vec![word.into()],
            argument: None,
            clauses: vec![Clause { name: "schedule".into(), args: Some("static, 1".into()) }],
            file: "a.c".into(),
            line,
            body: body.map(|(first, last)| Extent { file: "a.c".into(), first, last }),
            variant: false,
            language: Language::C,
        };
        let rows =
            vec![row("for", 3, Some((5, 6))), row("critical", 7, Some((8, 8))), row("barrier", 9, None)];
        Source::new("a.c".into(), TEXT.into(), &Directives::new("a.c", rows))
    }

    #[test]
    fn statements_of_a_function() {
        let source = source();
        let body = source.blocks()[0];
        let lines: Vec<u32> = source.statements(body).iter().map(|s| source.line_of(s.from)).collect();
        assert_eq!(lines, [2, 3, 7, 9, 10, 11]);
        let simple = source.simple_at(6, 5).unwrap();
        assert_eq!(source.word(simple.from), "s");
        assert_eq!(source.word(source.simple_at(8, 5).unwrap().from), "a");
        assert_eq!(source.word(source.simple_at(2, 10).unwrap().from), "g");
    }

    #[test]
    fn clauses_are_found_where_they_are_written() {
        let source = source();
        let pragma = (0..source.tokens.len()).find(|&i| source.is_pragma(i)).unwrap();
        let (from, to) = source.clause(pragma, "schedule").unwrap();
        assert_eq!(&source.text[from..to], "schedule(static, 1)");
        assert_eq!(source.directive(pragma).map(Directive::first), Some("for"));
        assert_eq!(source.clause(pragma, "nowait"), None);
    }
}
