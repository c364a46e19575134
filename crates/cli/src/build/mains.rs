//! Which files define `main`: those whose text looks so, and then their bitcode decides.

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::Result;

use super::database::Entry;

/// Whether the text of a file defines `main`, as far as that can be told without a compiler.
fn seems(entry: &Entry) -> bool {
    let text = || std::fs::read(&entry.file).unwrap_or_default();
    entry.flags.is_some() && defines_main(&String::from_utf8_lossy(&text()))
}

/// The same entries, those with `main` first: reports name a program by its first file.
pub fn first(entries: Vec<Entry>) -> Vec<Entry> {
    let (mut first, rest): (Vec<Entry>, Vec<Entry>) = entries.into_iter().partition(seems);
    first.extend(rest);
    first
}

/// The files of these that define `main`.
pub fn of(entries: &[Entry]) -> Result<BTreeSet<PathBuf>> {
    let candidates: Vec<&Entry> = entries.iter().filter(|entry| seems(entry)).collect();
    if candidates.len() < 2 {
        return Ok(candidates.iter().map(|entry| entry.file.clone()).collect());
    }
    let all = candidates
        .iter()
        .map(|entry| (entry.file.clone(), entry.directory.clone(), entry.flags.clone().unwrap_or_default()));
    crate::front::defining_main(&all.collect::<Vec<_>>())
}

/// Whether a text has `main ( ... ) {`, outside of comments, texts and directives.
fn defines_main(text: &str) -> bool {
    let plain = without_comments(text);
    let bytes = plain.as_bytes();
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut from = 0;
    while let Some(found) = plain[from..].find("main") {
        let (at, end) = (from + found, from + found + 4);
        from = end;
        let whole = !at.checked_sub(1).is_some_and(|before| word(bytes[before]))
            && !bytes.get(end).is_some_and(|b| word(*b));
        if !whole {
            continue;
        }
        let Some(inner) = plain[end..].trim_start().strip_prefix('(') else { continue };
        let mut depth = 1;
        let Some(close) = inner.find(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth == 0
        }) else {
            continue;
        };
        let after = inner[close + 1..].trim_start();
        // Old C declares parameters between the parentheses and the body.
        let old = after.starts_with(char::is_alphabetic)
            && after
                .find(['{', '(', '='])
                .is_some_and(|i| after[i..].starts_with('{') && after[..i].trim_end().ends_with(';'));
        if after.starts_with('{')
            || old
            || after.starts_with("try")
            || after.starts_with("->")
            || after.starts_with("noexcept")
        {
            return true;
        }
    }
    false
}

/// The text with comments, literals and directives taken out.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut line_start = true;
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('/', Some('/')) => skip_line(&mut chars),
            ('/', Some('*')) => {
                chars.next();
                let mut last = ' ';
                for c in chars.by_ref() {
                    if last == '*' && c == '/' {
                        break;
                    }
                    last = c;
                }
                out.push(' ');
                continue;
            }
            ('"' | '\'', _) => {
                while let Some(inner) = chars.next() {
                    match inner {
                        '\\' => {
                            chars.next();
                        }
                        // An apostrophe may also part the digits of a number.
                        '\n' => break,
                        inner if inner == c => break,
                        _ => {}
                    }
                }
                out.push('0');
            }
            ('#', _) if line_start => skip_line(&mut chars),
            _ => out.push(c),
        }
        line_start = c == '\n' || (line_start && c.is_whitespace());
    }
    out
}

fn skip_line(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    while let Some(c) = chars.next_if(|c| *c != '\n') {
        if c == '\\' {
            chars.next();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_told_from_other_uses() {
        for yes in [
            "int main(void) { return 0; }",
            "int\nmain (int argc, char **argv)\n{",
            "extern \"C\" { int main() { } }",
            "auto main() -> int {",
            "int main(argc, argv) int argc; char **argv; {",
            "int main(int c, char *(*v)()) /* here */ {",
        ] {
            assert!(defines_main(yes), "{yes}");
        }
        for no in [
            "int main(void);",
            "// int main() {",
            "/* int main() { */",
            "const char *s = \"int main() {\";",
            "#define MAIN int main() {",
            "#define MAIN \\\n int main() {",
            "int x = main(1, v);",
            "int domain() { return 1; }",
            "int main_loop(void) {",
            "void f(void) { main(); { } }",
        ] {
            assert!(!defines_main(no), "{no}");
        }
    }
}
