//! Tokens of C and C++: words, numbers, texts, marks, preprocessor lines. Comments are left out.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// A name or keyword.
    Word,
    /// A number.
    Number,
    /// A text or character in quotes.
    Text,
    /// A mark: one of the operators and brackets.
    Mark,
    /// A `#pragma` line, with its continuations.
    Pragma,
    /// Another preprocessor line.
    Directive,
}

/// A token: bytes `from..to` of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it begins.
    pub from: usize,
    /// One after its end.
    pub to: usize,
    /// The line where it begins, from 1.
    pub line: u32,
}

/// Marks of more than one character, longest first.
const MARKS: [&str; 22] = [
    "<<=", ">>=", "...", "->*", "::", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=",
    "-=", "*=", "/=", "%=", "&=",
];

/// The tokens of a text.
pub fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let (mut at, mut line, mut out) = (0, 1u32, Vec::new());
    let mut line_begins = true;
    while at < bytes.len() {
        let from = at;
        let b = bytes[at];
        if b == b'\n' {
            line += 1;
            at += 1;
            line_begins = true;
            continue;
        }
        if b.is_ascii_whitespace() || b == b'\\' {
            at += 1;
            continue;
        }
        let begin_line = line;
        if let Some(end) = comment(text, at) {
            line += newlines(&bytes[at..end]);
            at = end;
            continue;
        }
        let kind = if b == b'#' && line_begins {
            at = directive_end(text, at);
            if text[from + 1..at].trim_start().starts_with("pragma") {
                TokenKind::Pragma
            } else {
                TokenKind::Directive
            }
        } else if b == b'"' || b == b'\'' {
            at = text_end(bytes, at);
            TokenKind::Text
        } else if b.is_ascii_alphabetic() || b == b'_' || b >= 0x80 {
            while at < bytes.len()
                && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_' || bytes[at] >= 0x80)
            {
                at += 1;
            }
            if text[from..at].ends_with('R') && bytes.get(at) == Some(&b'"') {
                at = raw_end(text, at);
                TokenKind::Text
            } else {
                TokenKind::Word
            }
        } else if b.is_ascii_digit() {
            while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || b"._'".contains(&bytes[at])) {
                at += 1;
            }
            TokenKind::Number
        } else {
            let long = MARKS.iter().find(|m| text[at..].starts_with(**m));
            let extra = ["|=", "^="].iter().find(|m| text[at..].starts_with(**m));
            at += long.or(extra).map_or(1, |m| m.len());
            TokenKind::Mark
        };
        line_begins = false;
        line += newlines(&bytes[from..at]);
        out.push(Token { kind, from, to: at, line: begin_line });
    }
    out
}

fn newlines(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|&&b| b == b'\n').count() as u32
}

/// The end of the comment that begins here.
fn comment(text: &str, at: usize) -> Option<usize> {
    let rest = &text[at..];
    if rest.starts_with("//") {
        return Some(rest.find('\n').map_or(text.len(), |n| at + n));
    }
    if let Some(comment) = rest.strip_prefix("/*") {
        return Some(comment.find("*/").map_or(text.len(), |n| at + 2 + n + 2));
    }
    None
}

/// The end of a preprocessor line: before the line break that no backslash continues, or before a line comment. Comments and
/// texts inside belong to it.
fn directive_end(text: &str, mut at: usize) -> usize {
    let (bytes, begin) = (text.as_bytes(), at);
    while at < bytes.len() {
        if bytes[at] == b'\n' {
            let before = bytes[begin..at].iter().rev().find(|&&b| b != b'\r' && b != b' ' && b != b'\t');
            if before != Some(&b'\\') {
                break;
            }
        }
        if bytes[at..].starts_with(b"//") {
            break;
        }
        at = match bytes[at] {
            b'/' => comment(text, at).unwrap_or(at + 1),
            b'"' => text_end(bytes, at),
            _ => at + 1,
        };
    }
    let mut end = at;
    while end > begin && bytes[end - 1].is_ascii_whitespace() {
        end -= 1;
    }
    end
}

fn text_end(bytes: &[u8], mut at: usize) -> usize {
    let quote = bytes[at];
    at += 1;
    while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    // One that its line does not end is over there.
    if bytes.get(at) == Some(&b'\n') { at } else { (at + 1).min(bytes.len()) }
}

/// The end of a raw text `R"x(...)x"`; `at` is at its quote.
fn raw_end(text: &str, at: usize) -> usize {
    let Some(open) = text[at..].find('(') else { return text.len() };
    let close = format!("){}\"", &text[at + 1..at + open]);
    text[at..].find(&close).map_or(text.len(), |n| at + n + close.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_of_a_program() {
        let text = "#pragma omp parallel \\\n  for // x\nint a = 'x'; /* { */ a += b->c; f(\"}\\\"\");\n";
        let words: Vec<&str> = tokens(text).iter().map(|t| &text[t.from..t.to]).collect();
        assert_eq!(words[0], "#pragma omp parallel \\\n  for");
        assert_eq!(
            words[1..],
            ["int", "a", "=", "'x'", ";", "a", "+=", "b", "->", "c", ";", "f", "(", "\"}\\\"\"", ")", ";"]
        );
        assert_eq!(tokens(text)[1].line, 3);
    }

    #[test]
    fn directives_may_have_comments_and_texts_inside() {
        let text =
            "#pragma omp for /* a\n b */ nowait\nint x;\n#pragma omp error message(\"//\") at(compilation)\n";
        let words: Vec<&str> = tokens(text).iter().map(|t| &text[t.from..t.to]).collect();
        assert_eq!(words[0], "#pragma omp for /* a\n b */ nowait");
        assert_eq!(words[4], "#pragma omp error message(\"//\") at(compilation)");
        assert_eq!(tokens(text)[1].line, 3);
    }
}
