//! What the source calls an access: the expression at a line and column.
//!
//! clang points at an operator for what it does (`=`, `+=`, `++`, `*`), at the member's name for a member, and at the
//! beginning for everything else. No parser: brackets are matched within the line, and what cannot be told is not said.

use rustc_hash::FxHashMap;

use crate::symbols::Place;

/// Names that are longer say nothing any more.
const LONGEST: usize = 60;

/// Texts of source files.
#[derive(Debug, Default)]
pub struct Sources {
    files: FxHashMap<String, Option<Vec<String>>>,
}

impl Sources {
    /// The expression at a place, if the file is there.
    pub fn expression(&mut self, place: &Place) -> Option<String> {
        let read = || std::fs::read_to_string(&place.file).ok();
        let lines = self
            .files
            .entry(place.file.clone())
            .or_insert_with(|| Some(read()?.lines().map(str::to_owned).collect()));
        let line = lines.as_ref()?.get((place.line as usize).checked_sub(1)?)?;
        at(line, (place.column as usize).checked_sub(1)?)
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The expression of a line at a column from 0.
pub fn at(line: &str, column: usize) -> Option<String> {
    let bytes = line.as_bytes();
    let here = *bytes.get(column)?;
    let text = if is_word(here) {
        let from = chain_start(bytes, column);
        &line[from..forward(bytes, column)]
    } else if here == b'*' || here == b'(' {
        &line[column..forward(bytes, column + 1)]
    } else {
        operand(line, column)?
    };
    let text = text.trim();
    let fits = !text.is_empty() && text.len() <= LONGEST && text.bytes().any(is_word);
    let keyword = matches!(text, "return" | "if" | "while" | "for" | "delete" | "new" | "switch" | "do");
    (fits && !keyword).then(|| text.to_owned())
}

/// What an operator at this column works on.
fn operand(line: &str, column: usize) -> Option<&str> {
    let bytes = line.as_bytes();
    let rest = &bytes[column..];
    let steps = rest.starts_with(b"++") || rest.starts_with(b"--");
    let after = column + 2;
    if steps && bytes.get(after).is_some_and(|b| is_word(*b) || *b == b'*' || *b == b'(') {
        return Some(&line[after..forward(bytes, after)]);
    }
    let assigns = rest[0] == b'=' || rest.get(1) == Some(&b'=') || rest.get(2) == Some(&b'=');
    if !steps && !assigns {
        return None;
    }
    let mut end = column;
    while end > 0 && bytes[end - 1] == b' ' {
        end -= 1;
    }
    let start = backward(bytes, end);
    (start < end).then(|| &line[start..end])
}

/// The end of the expression that goes on at this column: a word with its members and subscripts.
fn forward(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && (bytes[at] == b'*' || bytes[at] == b'(') {
        at += 1;
    }
    loop {
        while at < bytes.len() && is_word(bytes[at]) {
            at += 1;
        }
        match bytes.get(at) {
            Some(b'[') => match closing(bytes, at) {
                Some(end) => at = end + 1,
                None => return at,
            },
            Some(b'.') => at += 1,
            Some(b'-') if bytes.get(at + 1) == Some(&b'>') => at += 2,
            Some(b')') => return at,
            _ => return at,
        }
    }
}

/// The bracket that closes the one at this column.
fn closing(bytes: &[u8], at: usize) -> Option<usize> {
    let mut depth = 0;
    for (i, byte) in bytes.iter().enumerate().skip(at) {
        match byte {
            b'[' => depth += 1,
            b']' => {
                depth -= 1;
                if depth == 0 {
                    return Some(i);
                }
            }
            _ => {}
        }
    }
    None
}

/// The beginning of the chain of members that the word at this column is in.
fn chain_start(bytes: &[u8], column: usize) -> usize {
    let mut start = column;
    while start > 0 && is_word(bytes[start - 1]) {
        start -= 1;
    }
    let before = if start >= 2 && &bytes[start - 2..start] == b"->" {
        start - 2
    } else if start >= 1 && bytes[start - 1] == b'.' {
        start - 1
    } else {
        return start;
    };
    backward(bytes, before)
}

/// The beginning of the expression that ends before this column.
fn backward(bytes: &[u8], end: usize) -> usize {
    let mut at = end;
    loop {
        match at.checked_sub(1).map(|i| bytes[i]) {
            Some(b']' | b')') => {
                let mut depth = 0;
                let mut i = at;
                while i > 0 {
                    i -= 1;
                    match bytes[i] {
                        b']' | b')' => depth += 1,
                        b'[' | b'(' => depth -= 1,
                        _ => {}
                    }
                    if depth == 0 {
                        break;
                    }
                }
                if depth != 0 {
                    return at;
                }
                at = i;
            }
            Some(byte) if is_word(byte) => {
                while at > 0 && is_word(bytes[at - 1]) {
                    at -= 1;
                }
            }
            Some(b'.') => at -= 1,
            Some(b'>') if at >= 2 && bytes[at - 2] == b'-' => at -= 2,
            Some(b'*') if at >= 2 && !is_word(bytes[at - 2]) || at == 1 && bytes[0] == b'*' => at -= 1,
            _ => return at,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::at;

    #[test]
    fn expressions_at_what_clang_points_at() {
        let cases = [
            ("  x = 1;", '=', "x"),
            ("  a[i + 1] = 2;", '=', "a[i + 1]"),
            ("  p->next->data += 3;", '+', "p->next->data"),
            ("  counter++;", '+', "counter"),
            ("  return total;", 't', "total"),
            ("  *p = 4;", '=', "*p"),
            ("  y = b[3];", 'b', "b[3]"),
        ];
        for (line, pointed, expected) in cases {
            let column = match pointed {
                't' => line.find("total"),
                c => line.find(c),
            };
            assert_eq!(at(line, column.expect("it is there")).as_deref(), Some(expected), "{line}");
        }
        assert_eq!(at("  int v = q->head;", "  int v = q->".len()).as_deref(), Some("q->head"));
        assert_eq!(at("", 3), None);
        assert_eq!(at("  ;", 2), None);
    }
}
