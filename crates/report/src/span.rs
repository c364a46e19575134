//! Which characters of a source line to underline for a place.
//!
//! The compiler gives only where an access begins, and for an assignment that is the operator: `x = 1` lies at `=`.
//! A person wants to see the thing that is accessed, so the span grows from there over the text of the expression.
//! This is layout, not analysis: it looks at one line's characters and may underline a little more or less than a
//! parser would, but always contains the place itself.

use std::ops::Range;

use base::Place;

/// The byte range of `text` to underline for `place`; nothing if the line does not exist.
pub(crate) fn underline(text: &str, place: &Place) -> Option<Range<usize>> {
    let (start, line) = line_at(text, place.line)?;
    let within = match (place.column as usize).checked_sub(1) {
        // A directive is one thing.
        Some(column) if line.as_bytes().get(column) == Some(&b'#') => column..line.trim_end().len(),
        Some(column) if column < line.len() && line.is_char_boundary(column) => grow(line, column),
        _ => trimmed(line),
    };
    Some(start + within.start..start + within.end)
}

/// The byte offset at which a line begins, and the line without its end.
fn line_at(text: &str, line: u32) -> Option<(usize, &str)> {
    let index = (line as usize).checked_sub(1)?;
    let mut start = 0;
    for (number, piece) in text.split_inclusive('\n').enumerate() {
        if number == index {
            return Some((start, piece.trim_end_matches(['\n', '\r'])));
        }
        start += piece.len();
    }
    None
}

fn trimmed(line: &str) -> Range<usize> {
    let start = line.len() - line.trim_start().len();
    start..line.trim_end().len().max(start)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

fn is_operator(byte: u8) -> bool {
    b"+-*/%&|^<>=!".contains(&byte)
}

/// From the place itself to the whole expression that is accessed.
fn grow(line: &str, at: usize) -> Range<usize> {
    let bytes = line.as_bytes();
    if is_word(bytes[at]) {
        return member_start(bytes, at)..forward(bytes, at);
    }
    if is_operator(bytes[at]) {
        let end = operator_end(bytes, at);
        let before = skip_blanks_back(bytes, at);
        let has_left = before > 0 && (is_word(bytes[before - 1]) || b")]".contains(&bytes[before - 1]));
        let is_prefix = matches!(&bytes[at..end], b"++" | b"--" | b"*") && !has_left;
        return if is_prefix {
            at..forward(bytes, end)
        } else if has_left {
            dereferences(bytes, backward(bytes, before))..end
        } else {
            at..end
        };
    }
    let width = line[at..].chars().next().map_or(1, char::len_utf8);
    at..at + width
}

/// The start of the word at `at`, with `p->` or `s.` before it.
fn member_start(bytes: &[u8], at: usize) -> usize {
    let start = at - bytes[..at].iter().rev().take_while(|&&b| is_word(b)).count();
    let is_member = bytes[..start].ends_with(b"->") || bytes[..start].ends_with(b".");
    if is_member { backward(bytes, start) } else { start }
}

fn operator_end(bytes: &[u8], at: usize) -> usize {
    let run = bytes[at..].iter().take_while(|&&b| is_operator(b)).count();
    // `=*p` and `=-1` are an operator and the next operand's.
    match bytes[at] {
        b'=' if bytes.get(at + 1) != Some(&b'=') => at + 1,
        b'*' if bytes.get(at + 1) != Some(&b'=') => at + 1,
        _ => at + run.min(3),
    }
}

fn skip_blanks_back(bytes: &[u8], mut at: usize) -> usize {
    while at > 0 && bytes[at - 1].is_ascii_whitespace() {
        at -= 1;
    }
    at
}

/// The start of the expression that ends at `end`: `a[i].x`, `p->next`, `(*p)`.
fn backward(bytes: &[u8], end: usize) -> usize {
    let mut at = end;
    loop {
        let before = at;
        if at > 0 && is_word(bytes[at - 1]) {
            while at > 0 && is_word(bytes[at - 1]) {
                at -= 1;
            }
        } else if at > 0 && b")]".contains(&bytes[at - 1]) {
            match opening(bytes, at - 1) {
                Some(open) => at = open,
                None => return before,
            }
            if at > 0 && (is_word(bytes[at - 1]) || b")]".contains(&bytes[at - 1])) {
                continue;
            }
        }
        match &bytes[..at] {
            [.., b'-', b'>'] | [.., b':', b':'] => at -= 2,
            [.., b'.'] => at -= 1,
            _ => return at,
        }
        if at == before {
            return at;
        }
    }
}

/// The bracket that the one at `close` closes, on the same line.
fn opening(bytes: &[u8], close: usize) -> Option<usize> {
    let mut depth = 0;
    for at in (0..=close).rev() {
        match bytes[at] {
            b')' | b']' => depth += 1,
            b'(' | b'[' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// Takes `*` in front of an assigned expression along, but not a multiplication or a declarator.
fn dereferences(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while at > 0 && bytes[at - 1] == b'*' {
        at -= 1;
    }
    let before = skip_blanks_back(bytes, at);
    let declares = before > 0 && is_word(bytes[before - 1]);
    if declares { start } else { at }
}

/// The end of the expression that begins at `at`: a word with its subscripts and members; a call only by its name.
fn forward(bytes: &[u8], mut at: usize) -> usize {
    loop {
        while at < bytes.len() && is_word(bytes[at]) {
            at += 1;
        }
        match &bytes[at.min(bytes.len())..] {
            [b'[', ..] => match closing(bytes, at) {
                Some(close) => at = close + 1,
                None => return at,
            },
            [b'-', b'>', next, ..] if is_word(*next) => at += 2,
            [b'.', next, ..] if is_word(*next) => at += 1,
            _ => return at,
        }
    }
}

fn closing(bytes: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, byte) in bytes.iter().enumerate().skip(open) {
        match byte {
            b'[' => depth += 1,
            b']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is underlined in `line` for the column at which `|` stands.
    fn at(marked: &str) -> String {
        let column = marked.find('|').expect("the test marks a column") as u32 + 1;
        let line = marked.replacen('|', "", 1);
        let place = Place { file: String::new(), line: 1, column };
        line[underline(&line, &place).expect("the line exists")].to_owned()
    }

    #[test]
    fn a_read_underlines_the_whole_expression() {
        assert_eq!(at("  return |counter + 1;"), "counter");
        assert_eq!(at("  y = |a[i][j + 1].x;"), "a[i][j + 1].x");
        assert_eq!(at("  y = p->|next;"), "p->next");
        assert_eq!(at("  y = p->q[3].|x + z;"), "p->q[3].x");
        assert_eq!(at("  f(|*p);"), "*p");
        assert_eq!(at("  if (a)|x = 1;"), "x");
    }

    #[test]
    fn a_write_underlines_the_assigned_expression() {
        assert_eq!(at("  counter |= 1;"), "counter =");
        assert_eq!(at("  counter|++;"), "counter++");
        assert_eq!(at("  |++counter;"), "++counter");
        assert_eq!(at("  a[i + 1] |+= f(x);"), "a[i + 1] +=");
        assert_eq!(at("  *p |= 1;"), "*p =");
        assert_eq!(at("  int *p |= q;"), "p =");
        assert_eq!(at("  x |=*p;"), "x =");
        assert_eq!(at("  (*p)[2] |= 1;"), "(*p)[2] =");
    }

    #[test]
    fn a_call_underlines_its_name() {
        assert_eq!(at("  |free(p);"), "free");
        assert_eq!(at("  atomic_|fetch_add(&x, 1);"), "atomic_fetch_add");
    }

    #[test]
    fn odd_places_stay_within_the_line() {
        assert_eq!(at("  x = 1;|"), "x = 1;");
        assert_eq!(at("a|]"), "]");
        assert_eq!(at(")|= 1"), "=");
        let place = Place { file: String::new(), line: 7, column: 1 };
        assert_eq!(underline("one\ntwo\n", &place), None);
    }

    #[test]
    fn no_place_of_any_line_panics() {
        for line in ["x=[(*p)->é].y++;", "))]]++((", "\t\t*", "->.::x", "a[b[c]"] {
            for column in 0..20 {
                let place = Place { file: String::new(), line: 1, column };
                let range = underline(line, &place).expect("the line exists");
                assert!(line.get(range).is_some(), "{line} {column}");
            }
        }
    }
}
