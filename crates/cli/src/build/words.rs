//! Command lines as texts: words as a shell splits them, and response files.

use std::path::Path;

use anyhow::{Result, bail};

/// Response files may name others; deeper than this they name each other.
const DEEPEST: usize = 20;

/// The words of a command line, quoted as in POSIX shells (2.2): this is what `command` in `compile_commands.json` is. What
/// a shell would replace (`$x`, `*`) stays as it is.
pub fn split(text: &str) -> Result<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            ' ' | '\t' | '\n' | '\r' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next() {
                        Some('\'') => break,
                        Some(c) => word.push(c),
                        None => bail!("a quote (') is not closed in: {text}"),
                    }
                }
            }
            '"' => quoted(&mut chars, word.get_or_insert_default(), text)?,
            '\\' => match chars.next() {
                Some('\n') => {}
                Some(c) => word.get_or_insert_default().push(c),
                None => word.get_or_insert_default().push('\\'),
            },
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Ok(words)
}

fn quoted(chars: &mut std::str::Chars<'_>, word: &mut String, text: &str) -> Result<()> {
    loop {
        match chars.next() {
            Some('"') => return Ok(()),
            Some('\\') => match chars.next() {
                Some(c @ ('$' | '`' | '"' | '\\')) => word.push(c),
                Some('\n') => {}
                Some(c) => word.extend(['\\', c]),
                None => bail!("a quote (\") is not closed in: {text}"),
            },
            Some(c) => word.push(c),
            None => bail!("a quote (\") is not closed in: {text}"),
        }
    }
}

/// Puts the words of each response file (`@FILE`) in its place. A file that is not there is an argument like others, as
/// compilers have it.
pub fn expand(words: &[String], directory: &Path) -> Vec<String> {
    let mut out = Vec::new();
    put(words, directory, 0, &mut out);
    out
}

fn put(words: &[String], directory: &Path, depth: usize, out: &mut Vec<String>) {
    for word in words {
        let inner = word
            .strip_prefix('@')
            .filter(|_| depth < DEEPEST)
            .and_then(|file| std::fs::read_to_string(directory.join(file)).ok())
            .and_then(|text| split(&text).ok());
        match inner {
            Some(inner) => put(&inner, directory, depth + 1, out),
            None => out.push(word.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_a_shell_does() {
        let words = |text: &str| split(text).unwrap();
        assert_eq!(words("cc -DA=1  -c\ta.c\n"), ["cc", "-DA=1", "-c", "a.c"]);
        assert_eq!(
            words(r#"cc -DS=\"x\ y\" '-DT="a b"' "-DU=\"c\"" ''"#),
            ["cc", "-DS=\"x y\"", "-DT=\"a b\"", "-DU=\"c\"", ""]
        );
        assert_eq!(words(r#"a"b"'c'd \\"#), ["abcd", "\\"]);
        assert!(words("").is_empty());
        assert!(split("cc 'a").unwrap_err().to_string().contains("not closed"));
        assert!(split("cc \"a").is_err());
    }

    #[test]
    fn response_files_are_put_in() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("r"), "-DA '-DB=x y'\n@s").unwrap();
        std::fs::write(folder.path().join("s"), "-DC @r2 @s").unwrap();
        let words = ["@r", "@none", "a.c"].map(str::to_owned);
        let found = expand(&words, folder.path());
        assert_eq!(&found[..4], ["-DA", "-DB=x y", "-DC", "@r2"]);
        assert_eq!(&found[found.len() - 2..], ["@none", "a.c"]);
    }
}
