//! Where brackets and statements end.

use crate::lex::{Token, TokenKind};

/// So deeply statements may be nested.
const DEPTH: usize = 200;

/// A text with its tokens, or those of them that matter.
#[derive(Debug, Clone, Copy)]
pub struct Code<'a> {
    /// The text.
    pub text: &'a str,
    /// The tokens.
    pub tokens: &'a [Token],
}

impl<'a> Code<'a> {
    /// The text of a token; empty behind the last.
    pub fn word(self, token: usize) -> &'a str {
        self.tokens.get(token).map_or("", |t| &self.text[t.from..t.to])
    }

    /// The end of the bracket that opens at a token: one after its close.
    pub fn close(self, open: usize) -> usize {
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

    /// The end of the statement that begins at a token: one after its last. `alone` says which pragmas have no statement of
    /// their own; the others belong to the one that follows.
    pub fn statement_end(self, from: usize, alone: &impl Fn(usize) -> bool) -> usize {
        self.end_at(from, alone, 0)
    }

    fn end_at(self, from: usize, alone: &impl Fn(usize) -> bool, depth: usize) -> usize {
        let Some(token) = self.tokens.get(from) else { return self.tokens.len() };
        if depth > DEPTH {
            return self.tokens.len();
        }
        let next = |from: usize| self.end_at(from, alone, depth + 1);
        match token.kind {
            TokenKind::Pragma if alone(from) => return from + 1,
            TokenKind::Pragma | TokenKind::Directive => return next(from + 1),
            _ => {}
        }
        match self.word(from) {
            "{" => self.close(from),
            ";" => from + 1,
            // Attributes.
            "[" if self.word(from + 1) == "[" => next(self.close(from)),
            "if" => {
                let open = (from + 1..self.tokens.len()).find(|&i| self.word(i) == "(").unwrap_or(from);
                let then = next(self.close(open));
                if self.word(then) == "else" { next(then + 1) } else { then }
            }
            "for" | "while" | "switch" => next(self.close(from + 1)),
            "do" => self.simple_end(next(from + 1)),
            "try" => {
                let mut end = self.close(from + 1);
                while self.word(end) == "catch" {
                    end = self.close(self.close(end + 1));
                }
                end
            }
            "case" | "default" => {
                let colon = (from..self.tokens.len()).find(|&i| self.word(i) == ":").unwrap_or(from);
                next(colon + 1)
            }
            _ if token.kind == TokenKind::Word && self.word(from + 1) == ":" => next(from + 2),
            _ => self.simple_end(from),
        }
    }

    /// One after the `;` that ends what begins here.
    fn simple_end(self, mut at: usize) -> usize {
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens;

    #[test]
    fn ends_of_statements() {
        let end = |text: &str| {
            let all = tokens(text);
            let code = Code { text, tokens: &all };
            let alone = |i: usize| code.word(i).ends_with("barrier");
            code.statement_end(0, &alone)
        };
        assert_eq!(end("x = f(a; b)[1]; y;"), 12);
        assert_eq!(end("for (;;) if (a) b; else { c; } d;"), 16);
        assert_eq!(end("[[likely]] while (1) x++; y;"), 12);
        assert_eq!(end("#pragma omp for\n#pragma unroll\nfor (;;) ; y;"), 8);
        assert_eq!(end("#pragma omp barrier\nx;"), 1);
        assert_eq!(end("do x--; while (x); y;"), 9);
    }
}
