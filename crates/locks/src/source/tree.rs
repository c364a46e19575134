//! Where statements, blocks and functions begin and end.

use super::Source;
use super::lex::TokenKind;

/// A statement: tokens `from..to`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The first token.
    pub from: usize,
    /// One after the last.
    pub to: usize,
}

/// OpenMP directives that have no statement of their own.
const ALONE: [&str; 12] = [
    "barrier",
    "taskwait",
    "taskyield",
    "flush",
    "threadprivate",
    "declare",
    "cancel",
    "cancellation",
    "requires",
    "depobj",
    "scan",
    "error",
];

impl Source {
    /// The end of the bracket that opens at a token: one after its close.
    pub fn close(&self, open: usize) -> usize {
        let mut depth = 0usize;
        for i in open..self.tokens.len() {
            if self.tokens[i].kind != TokenKind::Mark {
                continue;
            }
            match self.word(i) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return i + 1;
                    }
                }
                _ => {}
            }
        }
        self.tokens.len()
    }

    /// The statement that begins at a token.
    pub fn statement(&self, from: usize) -> Span {
        Span { from, to: self.statement_end(from, 0) }
    }

    fn statement_end(&self, from: usize, depth: usize) -> usize {
        let Some(token) = self.tokens.get(from) else { return self.tokens.len() };
        if depth > 200 {
            return self.tokens.len();
        }
        match token.kind {
            TokenKind::Pragma if self.stands_alone(from) => return from + 1,
            TokenKind::Pragma | TokenKind::Directive => return self.statement_end(from + 1, depth + 1),
            _ => {}
        }
        match self.word(from) {
            "{" => self.close(from),
            ";" => from + 1,
            "if" => {
                let open = (from + 1..self.tokens.len()).find(|&i| self.word(i) == "(").unwrap_or(from);
                let then = self.statement_end(self.close(open), depth + 1);
                if self.word(then) == "else" { self.statement_end(then + 1, depth + 1) } else { then }
            }
            "for" | "while" | "switch" => self.statement_end(self.close(from + 1), depth + 1),
            "do" => {
                let body = self.statement_end(from + 1, depth + 1);
                self.simple_end(body)
            }
            "try" => {
                let mut end = self.close(from + 1);
                while self.word(end) == "catch" {
                    end = self.close(self.close(end + 1));
                }
                end
            }
            "case" | "default" => {
                let colon = (from..self.tokens.len()).find(|&i| self.word(i) == ":").unwrap_or(from);
                self.statement_end(colon + 1, depth + 1)
            }
            _ if token.kind == TokenKind::Word && self.word(from + 1) == ":" => {
                self.statement_end(from + 2, depth + 1)
            }
            _ => self.simple_end(from),
        }
    }

    /// One after the `;` that ends what begins here.
    fn simple_end(&self, mut at: usize) -> usize {
        while at < self.tokens.len() {
            match self.word(at) {
                "(" | "[" | "{" => at = self.close(at),
                ";" => return at + 1,
                "}" | ")" | "]" => return at,
                _ => at += 1,
            }
        }
        at
    }

    fn stands_alone(&self, pragma: usize) -> bool {
        let words = self.pragma(pragma);
        match words.directive.first().map(String::as_str) {
            None => true,
            Some("ordered") => words.clauses.iter().any(|c| c.name == "depend" || c.name == "doacross"),
            Some("target") => {
                matches!(words.directive.get(1).map(String::as_str), Some("enter" | "exit" | "update"))
            }
            Some(first) => ALONE.contains(&first),
        }
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
            let pragma = i > 0 && self.tokens[i - 1].kind == TokenKind::Pragma;
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
        let at = (0..self.tokens.len()).filter(on).filter(|&i| self.tokens[i].kind != TokenKind::Pragma);
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
                    || self.tokens[i - 1].kind == TokenKind::Pragma;
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
            Some(b) => {
                self.tokens[b].kind == TokenKind::Pragma && self.stands_alone(b)
                    || matches!(self.word(b), "{" | "}" | ";")
            }
        }
    }
}

/// A clause of a directive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// Its name.
    pub name: String,
    /// What stands in its brackets.
    pub args: String,
    /// Where it stands in the file: bytes.
    pub from: usize,
    /// One after its end.
    pub to: usize,
}

/// An OpenMP directive, taken apart.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pragma {
    /// `parallel`, `for`; empty if it is not one of OpenMP.
    pub directive: Vec<String>,
    /// For `critical (name)` and the like.
    pub name: Option<String>,
    /// The clauses.
    pub clauses: Vec<Clause>,
}

impl Pragma {
    /// Whether the directive has this word.
    pub fn has(&self, word: &str) -> bool {
        self.directive.iter().any(|w| w == word)
    }

    /// Whether it has this clause.
    pub fn clause(&self, name: &str) -> Option<&Clause> {
        self.clauses.iter().find(|c| c.name == name)
    }
}

/// Words that are part of a directive's name.
const DIRECTIVES: [&str; 27] = [
    "parallel",
    "for",
    "sections",
    "section",
    "single",
    "critical",
    "atomic",
    "barrier",
    "ordered",
    "master",
    "masked",
    "task",
    "taskloop",
    "taskwait",
    "taskgroup",
    "taskyield",
    "simd",
    "teams",
    "distribute",
    "target",
    "flush",
    "loop",
    "threadprivate",
    "declare",
    "cancel",
    "scope",
    "data",
];

impl Source {
    /// A `#pragma omp`, taken apart.
    pub fn pragma(&self, token: usize) -> Pragma {
        let Some(t) = self.tokens.get(token).filter(|t| t.kind == TokenKind::Pragma) else {
            return Pragma::default();
        };
        // Without the `#`, so that the rest is words.
        let inner = super::lex::tokens(&self.text[t.from + 1..t.to]);
        let base = t.from + 1;
        let word = |i: usize| {
            inner.get(i).map_or("", |w: &super::lex::Token| &self.text[base + w.from..base + w.to])
        };
        if word(0) != "pragma" || word(1) != "omp" {
            return Pragma::default();
        }
        let mut pragma = Pragma::default();
        let mut at = 2;
        while at < inner.len() {
            let name = word(at).to_owned();
            let (from, mut to) = (base + inner[at].from, base + inner[at].to);
            let mut args = String::new();
            let directive = DIRECTIVES.contains(&name.as_str()) && pragma.clauses.is_empty();
            // The `ordered` of `for ordered` is a clause.
            let directive = directive && (name != "ordered" || pragma.directive.is_empty());
            at += 1;
            if word(at) == "(" {
                let mut depth = 0;
                let open = inner[at].to;
                while at < inner.len() {
                    match word(at) {
                        "(" => depth += 1,
                        ")" => depth -= 1,
                        _ => {}
                    }
                    at += 1;
                    if depth == 0 {
                        break;
                    }
                }
                let end = inner[at - 1];
                args = self.text[base + open..base + end.from.max(open)].trim().to_owned();
                to = base + end.to;
                if directive {
                    pragma.name = Some(args.clone());
                }
            } else if word(at) == "," {
                at += 1;
            }
            if directive {
                pragma.directive.push(name);
            } else if !matches!(name.as_str(), "," | ")" | "(") {
                pragma.clauses.push(Clause { name, args, from, to });
            }
        }
        pragma
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "int f(int x) {\n  if (x) g(); else { h(); }\n  #pragma omp parallel for reduction(+:s) \\\n    schedule(static, 1)\n  for (int i = 0; i < 3; i++)\n    s += i;\n  #pragma omp critical (name)\n  { a++; b++; }\n  #pragma omp barrier\n  do x--; while (x);\n  return x;\n}\n";

    #[test]
    fn statements_of_a_function() {
        let source = Source::new("a.c".into(), TEXT.into());
        let body = source.blocks()[0];
        let lines: Vec<u32> = source.statements(body).iter().map(|s| source.line_of(s.from)).collect();
        assert_eq!(lines, [2, 3, 7, 9, 10, 11]);
        let simple = source.simple_at(6, 5).unwrap();
        assert_eq!(source.word(simple.from), "s");
        assert_eq!(source.word(source.simple_at(8, 5).unwrap().from), "a");
        assert_eq!(source.word(source.simple_at(2, 10).unwrap().from), "g");
    }

    #[test]
    fn directives_are_taken_apart() {
        let source = Source::new("a.c".into(), TEXT.into());
        let pragmas: Vec<Pragma> = (0..source.tokens.len())
            .filter(|&i| source.tokens[i].kind == TokenKind::Pragma)
            .map(|i| source.pragma(i))
            .collect();
        assert_eq!(pragmas[0].directive, ["parallel", "for"]);
        assert_eq!(pragmas[0].clause("reduction").unwrap().args, "+:s");
        assert_eq!(pragmas[0].clause("schedule").unwrap().args, "static, 1");
        assert_eq!(
            (pragmas[1].directive[0].as_str(), pragmas[1].name.as_deref()),
            ("critical", Some("name"))
        );
        let ordered = Source::new("a.c".into(), "#pragma omp for ordered nowait\n".into()).pragma(0);
        assert_eq!((ordered.directive.len(), ordered.clauses.len()), (1, 2));
    }
}
