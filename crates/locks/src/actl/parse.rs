//! Reads formulas. The grammar is in `docs/locks.md`:
//!
//! ```text
//! formula  = or [ ("implies" | "=>" | "->") formula ]
//! or       = and { ("or" | "|" | "||") and }
//! and      = unary { ("and" | "&" | "&&") unary }
//! unary    = ("not" | "!") unary | next | quantified | "true" | "false" | "(" formula ")"
//! next     = ("EX" | "AX" | "EF" | "AF" | "EG" | "AG") [ subscript ] unary
//! quantified = ("E" | "A") "[" formula [ braces ] "U" [ braces ] formula "]"
//! subscript = braces | "_" name | "_" braces
//! braces   = "{" action "}"
//! action   = the same operators over "true", "false", "tau", name, "label text"
//! ```

use super::formula::{Action, Formula, Paths};

/// A formula that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("at column {}: expected {expected}, found {found}", at + 1)]
pub struct ParseError {
    /// Where in the text, in characters from 0.
    pub at: usize,
    /// What could have stood there.
    pub expected: String,
    /// What does.
    pub found: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    /// A name or a word of the language.
    Word(String),
    /// A text in quotes.
    Text(String),
    /// A mark.
    Mark(&'static str),
    End,
}

const WORDS: [&str; 18] = [
    "true", "false", "tau", "not", "and", "or", "implies", "E", "A", "U", "EX", "AX", "EF", "AF", "EG", "AG",
    "then", "until",
];
const MARKS: [&str; 14] = ["=>", "->", "&&", "||", "(", ")", "[", "]", "{", "}", "!", "&", "|", "_"];
/// Formulas nested more deeply are refused.
const DEEPEST: usize = 200;

/// Whether a name has a meaning of its own, so that a label of this name needs quotes.
pub fn is_reserved(name: &str) -> bool {
    WORDS.contains(&name)
}

/// Reads a formula.
///
/// # Errors
/// If the text is none, with the column and what was expected there.
pub fn parse(text: &str) -> Result<Formula, ParseError> {
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens, next: 0, depth: 0 };
    let formula = parser.formula()?;
    match parser.peek() {
        Token::End => Ok(formula),
        _ => Err(parser.unexpected("the end of the formula, or `and`, `or`, `implies`")),
    }
}

fn tokens(text: &str) -> Result<Vec<(usize, Token)>, ParseError> {
    let letters: Vec<char> = text.chars().collect();
    let (mut at, mut tokens) = (0, Vec::new());
    while let Some(&c) = letters.get(at) {
        let begin = at;
        if c.is_whitespace() {
            at += 1;
        } else if c.is_ascii_alphanumeric() || c == '_' && letters.get(at + 1) != Some(&'{') {
            while letters.get(at).is_some_and(|c| c.is_ascii_alphanumeric() || "_.*".contains(*c)) {
                // The `_` of `EX_{a}`.
                if letters[at] == '_' && letters.get(at + 1) == Some(&'{') {
                    break;
                }
                at += 1;
            }
            tokens.push((begin, Token::Word(letters[begin..at].iter().collect())));
        } else if c == '"' || c == '\'' {
            tokens.push((begin, Token::Text(quoted(&letters, &mut at)?)));
        } else {
            let rest: String = letters[at..letters.len().min(at + 2)].iter().collect();
            let Some(mark) = MARKS.iter().find(|mark| rest.starts_with(**mark)) else {
                let expected = "a formula".into();
                return Err(ParseError { at, expected, found: format!("`{c}`") });
            };
            at += mark.len();
            tokens.push((begin, Token::Mark(mark)));
        }
    }
    tokens.push((letters.len(), Token::End));
    Ok(tokens)
}

fn quoted(letters: &[char], at: &mut usize) -> Result<String, ParseError> {
    let (begin, quote) = (*at, letters[*at]);
    *at += 1;
    let mut text = String::new();
    loop {
        match letters.get(*at) {
            None => {
                let expected = format!("the end of the label that begins at column {}", begin + 1);
                return Err(ParseError { at: *at, expected, found: "the end of the formula".into() });
            }
            Some(&c) if c == quote => {
                *at += 1;
                return Ok(text);
            }
            Some('\\') if letters.get(*at + 1).is_some() => {
                text.push(letters[*at + 1]);
                *at += 2;
            }
            Some(&c) => {
                text.push(c);
                *at += 1;
            }
        }
    }
}

struct Parser {
    tokens: Vec<(usize, Token)>,
    next: usize,
    depth: usize,
}

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.next].1
    }

    fn unexpected(&self, expected: &str) -> ParseError {
        let (at, token) = &self.tokens[self.next];
        let found = match token {
            Token::Word(word) => format!("`{word}`"),
            Token::Text(text) => format!("the label \"{text}\""),
            Token::Mark(mark) => format!("`{mark}`"),
            Token::End => "the end of the formula".into(),
        };
        ParseError { at: *at, expected: expected.into(), found }
    }

    fn advance(&mut self) {
        if self.next + 1 < self.tokens.len() {
            self.next += 1;
        }
    }

    /// Takes the token if it is one of these words or marks.
    fn take(&mut self, of: &[&str]) -> bool {
        let is = match self.peek() {
            Token::Word(word) => of.contains(&word.as_str()),
            Token::Mark(mark) => of.contains(mark),
            _ => false,
        };
        if is {
            self.advance();
        }
        is
    }

    fn expect(&mut self, mark: &str, what: &str) -> Result<(), ParseError> {
        if self.take(&[mark]) { Ok(()) } else { Err(self.unexpected(what)) }
    }

    fn deeper(&mut self) -> Result<(), ParseError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.unexpected(&format!("a formula nested at most {DEEPEST} deep")));
        }
        Ok(())
    }

    fn formula(&mut self) -> Result<Formula, ParseError> {
        self.deeper()?;
        let left = self.or()?;
        let formula = if self.take(&["implies", "=>", "->"]) {
            Formula::Or(Box::new(left.negate()), Box::new(self.formula()?))
        } else {
            left
        };
        self.depth -= 1;
        Ok(formula)
    }

    fn or(&mut self) -> Result<Formula, ParseError> {
        let mut left = self.and()?;
        while self.take(&["or", "|", "||"]) {
            left = Formula::Or(Box::new(left), Box::new(self.and()?));
        }
        Ok(left)
    }

    fn and(&mut self) -> Result<Formula, ParseError> {
        let mut left = self.unary()?;
        while self.take(&["and", "&", "&&"]) {
            left = left.and(self.unary()?);
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Formula, ParseError> {
        self.deeper()?;
        let formula = self.unary_inner()?;
        self.depth -= 1;
        Ok(formula)
    }

    fn unary_inner(&mut self) -> Result<Formula, ParseError> {
        if self.take(&["not", "!"]) {
            return Ok(self.unary()?.negate());
        }
        if self.take(&["("]) {
            let inner = self.formula()?;
            self.expect(")", "`)`")?;
            return Ok(inner);
        }
        let Token::Word(word) = self.peek().clone() else {
            return Err(self.unexpected("a formula"));
        };
        match word.as_str() {
            "true" => {
                self.advance();
                Ok(Formula::True)
            }
            "false" => {
                self.advance();
                Ok(Formula::False)
            }
            "E" | "A" => {
                self.advance();
                self.until(if word == "E" { Paths::Some } else { Paths::All })
            }
            _ => self.modal(&word),
        }
    }

    /// `EX`, `EF_a`, `AG{a or b}`.
    fn modal(&mut self, word: &str) -> Result<Formula, ParseError> {
        let expected = "a formula: `true`, `false`, `not`, `(`, EX, AX, EF, AF, EG, AG, `E[`, `A[`";
        let operator = word.get(..2).filter(|o| ["EX", "AX", "EF", "AF", "EG", "AG"].contains(o));
        let rest = word.get(2..).unwrap_or("");
        let Some(operator) = operator.filter(|_| rest.is_empty() || rest.starts_with('_')) else {
            return Err(self.unexpected(expected));
        };
        self.advance();
        let by = match rest.strip_prefix('_') {
            Some("true") => Action::True,
            Some("false") => Action::False,
            Some("tau") => Action::Tau,
            Some("") => self.braces()?,
            Some(label) => Action::Label(label.into()),
            None => {
                self.take(&["_"]);
                if *self.peek() == Token::Mark("{") { self.braces()? } else { Action::True }
            }
        };
        let inner = self.unary()?;
        let paths = if operator.starts_with('E') { Paths::Some } else { Paths::All };
        Ok(match &operator[1..] {
            "X" => Formula::Next(paths, by, Box::new(inner)),
            "F" => Formula::eventually(paths, by, inner),
            _ => Formula::always(paths, by, inner),
        })
    }

    /// What follows `E` or `A`.
    fn until(&mut self, paths: Paths) -> Result<Formula, ParseError> {
        self.expect("[", "`[`")?;
        let before = Box::new(self.formula()?);
        let by = if *self.peek() == Token::Mark("{") { self.braces()? } else { Action::True };
        self.expect("U", "`U`, or an action formula in braces before it")?;
        let last = if *self.peek() == Token::Mark("{") { Some(self.braces()?) } else { None };
        let goal = Box::new(self.formula()?);
        self.expect("]", "`]`")?;
        Ok(Formula::Until { paths, before, by, last, goal })
    }

    fn braces(&mut self) -> Result<Action, ParseError> {
        self.expect("{", "`{` and an action formula")?;
        let action = self.action()?;
        self.expect("}", "`}`, or `and`, `or`")?;
        Ok(action)
    }

    fn action(&mut self) -> Result<Action, ParseError> {
        self.deeper()?;
        let left = self.action_or()?;
        let action = if self.take(&["implies", "=>", "->"]) {
            Action::Or(Box::new(Action::Not(Box::new(left))), Box::new(self.action()?))
        } else {
            left
        };
        self.depth -= 1;
        Ok(action)
    }

    fn action_or(&mut self) -> Result<Action, ParseError> {
        let mut left = self.action_and()?;
        while self.take(&["or", "|", "||"]) {
            left = Action::Or(Box::new(left), Box::new(self.action_and()?));
        }
        Ok(left)
    }

    fn action_and(&mut self) -> Result<Action, ParseError> {
        let mut left = self.action_unary()?;
        while self.take(&["and", "&", "&&"]) {
            left = Action::And(Box::new(left), Box::new(self.action_unary()?));
        }
        Ok(left)
    }

    fn action_unary(&mut self) -> Result<Action, ParseError> {
        self.deeper()?;
        let action = if self.take(&["not", "!"]) {
            Action::Not(Box::new(self.action_unary()?))
        } else if self.take(&["("]) {
            let inner = self.action()?;
            self.expect(")", "`)`")?;
            inner
        } else {
            let action = match self.peek() {
                Token::Text(text) => Action::Label(text.clone()),
                Token::Word(word) => match word.as_str() {
                    "true" => Action::True,
                    "false" => Action::False,
                    "tau" => Action::Tau,
                    word if is_reserved(word) => {
                        return Err(self.unexpected("a label (reserved words in quotes)"));
                    }
                    word => Action::Label(word.into()),
                },
                _ => return Err(self.unexpected("an action: `true`, `false`, `tau`, a label, `not`, `(`")),
            };
            self.advance();
            action
        };
        self.depth -= 1;
        Ok(action)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(text: &str) -> String {
        parse(text).unwrap_or_else(|e| panic!("{text}: {e}")).to_string()
    }

    #[test]
    fn the_paper_s_formula() {
        assert_eq!(
            parse("not EF_true (EX_WU1 true and EX_WU2 true)").unwrap(),
            Formula::sequential("WU1", "WU2")
        );
        assert_eq!(round("!EF(EX{WU1} true && EX_{WU2} true)"), "not EF (EX_WU1 true and EX_WU2 true)");
    }

    #[test]
    fn written_formulas_read_back() {
        for text in [
            "true",
            "not (true and false)",
            "E[true {a} U {b or not tau} EX_c true]",
            "A[EX true {true} U AF{\"ACQUIRE !*\"} true]",
            "(true or false) and not EF{a and b} false",
            "AX_done true",
        ] {
            assert_eq!(round(text), text);
            assert_eq!(parse(&round(text)), parse(text));
        }
        assert_eq!(round("AG EX true"), "not EF not EX true");
        assert_eq!(round("EG{a} false implies true"), "not not AF{a} not false or true");
        assert_eq!(round("true or false and true"), "true or (false and true)");
    }

    #[test]
    fn errors_say_where_and_what() {
        let error = |text: &str| parse(text).unwrap_err().to_string();
        assert_eq!(error("EF ("), "at column 5: expected a formula, found the end of the formula");
        assert!(error("EX{a true").starts_with("at column 6: expected `}`, or `and`, `or`, found `true`"));
        assert!(error("E true U false").contains("expected `[`, found `true`"));
        assert!(error("true true").contains("expected the end of the formula"));
        assert!(error("EX{\"a} true").contains("the end of the label that begins at column 4"));
        assert!(error("foo").contains("expected a formula: `true`"));
        assert!(error("EX{U} true").contains("reserved words in quotes"));
        assert!(error("true ? false").contains("found `?`"));
        assert!(error(&"(".repeat(5000)).contains("nested at most"));
    }
}
