//! Whether a source is an OpenMP program, so that clang must be told.
//!
//! Without `-fopenmp` clang takes no notice of directives, and a program with races would be answered as a sequential one. So what counts
//! is the source and all headers that it includes from its own folders: a directive may stand in any of them, be
//! written as `_Pragma` or an attribute, and the `_Pragma` may be in one file (a macro) and its words in another. Headers of the
//! system are not looked at, nor are names of headers that come from macros: there clang finds directives when it compiles, and the driver
//! compiles once more.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What was seen so far.
#[derive(Debug, Default)]
struct Seen {
    directive: bool,
    /// `_Pragma`, perhaps with words from a macro's argument.
    operator: bool,
    /// The word `omp`.
    word: bool,
    files: BTreeSet<PathBuf>,
}

/// Whether a source has directives, by its text and the flags that say where its headers are. Relative names are looked for
/// in `directory`.
pub fn uses_openmp(file: &Path, text: &[u8], flags: &[String], directory: Option<&Path>) -> bool {
    let base = |name: &Path| directory.map_or_else(|| name.to_path_buf(), |d| d.join(name));
    let mut folders = Vec::new();
    let mut seen = Seen::default();
    let mut more = Vec::new();
    for (index, flag) in flags.iter().enumerate() {
        let value = |name: &str| match flag.strip_prefix(name)? {
            "" => flags.get(index + 1).map(String::as_str),
            joined => Some(joined),
        };
        if let Some(folder) = value("-I").or_else(|| value("-iquote")) {
            folders.push(base(Path::new(folder)));
        } else if flag == "-include" {
            more.extend(flags.get(index + 1).map(|name| base(Path::new(name))));
        }
    }
    seen.look(file, text, &folders);
    for file in more {
        seen.file(&file, &folders);
    }
    seen.directive || seen.operator && seen.word
}

impl Seen {
    fn file(&mut self, file: &Path, folders: &[PathBuf]) -> bool {
        let Ok(text) = std::fs::read(file) else { return false };
        let known = std::fs::canonicalize(file).unwrap_or_else(|_| file.to_path_buf());
        if !self.directive && self.files.insert(known) {
            self.look(file, &text, folders);
        }
        true
    }

    /// Looks at a text and at what it includes.
    fn look(&mut self, file: &Path, text: &[u8], folders: &[PathBuf]) {
        for line in text.split(|b| *b == b'\n').map(<[u8]>::trim_ascii_start) {
            if let Some(rest) = line.strip_prefix(b"#") {
                self.preprocessing(rest.trim_ascii_start(), file, folders);
            }
            self.operator |= has(line, b"_Pragma");
            self.word |= !line.starts_with(b"//") && words_at(line, b"omp").next().is_some();
        }
        self.directive |= words_at(text, b"omp").any(|at| is_attribute(text, at));
    }

    fn preprocessing(&mut self, line: &[u8], file: &Path, folders: &[PathBuf]) {
        if let Some(rest) = line.strip_prefix(b"pragma") {
            let words = rest.trim_ascii_start();
            self.directive |= rest.first().is_some_and(u8::is_ascii_whitespace) && words.starts_with(b"omp");
        }
        let Some((name, quoted)) = line.strip_prefix(b"include").and_then(included) else { return };
        let own = quoted.then(|| file.parent().unwrap_or(Path::new("")).join(name));
        let places = own.into_iter().chain(folders.iter().map(|folder| folder.join(name)));
        for place in places {
            if self.file(&place, folders) {
                return;
            }
        }
    }
}

/// The name behind `#include`, and whether it stands in quotes.
fn included(rest: &[u8]) -> Option<(&str, bool)> {
    let rest = rest.trim_ascii_start();
    let (end, quoted) = match rest.first()? {
        b'"' => (b'"', true),
        b'<' => (b'>', false),
        _ => return None,
    };
    let name = rest[1..].split(|b| *b == end).next()?;
    Some((std::str::from_utf8(name).ok()?, quoted))
}

fn has(line: &[u8], what: &[u8]) -> bool {
    line.windows(what.len()).any(|w| w == what)
}

/// Where a word stands in a text.
fn words_at<'a>(text: &'a [u8], word: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    let inside = |b: Option<&u8>| b.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    let whole = move |at: &usize| {
        !inside(at.checked_sub(1).and_then(|i| text.get(i))) && !inside(text.get(at + word.len()))
    };
    let places = text.windows(word.len()).enumerate().filter(move |(_, w)| *w == word).map(|(at, _)| at);
    places.filter(whole)
}

/// Whether the word `omp` at a byte belongs to an attribute: `omp::directive`, `omp::sequence`, `using omp:`. clang says nothing
/// of such attributes where it does not compile OpenMP.
fn is_attribute(text: &[u8], at: usize) -> bool {
    let behind = text[at + 3..].trim_ascii_start();
    let named = |rest: &[u8]| [&b"directive"[..], b"sequence", b"decl"].iter().any(|w| rest.starts_with(w));
    match behind.strip_prefix(b"::") {
        Some(rest) => named(rest.trim_ascii_start()),
        None => behind.starts_with(b":") && text[..at].trim_ascii_end().ends_with(b"using"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uses(text: &[u8]) -> bool {
        uses_openmp(Path::new("a.c"), text, &[], None)
    }

    #[test]
    fn every_form_of_a_directive() {
        assert!(uses(b"int x;\n  #  pragma   omp parallel\n"));
        assert!(uses(b"_Pragma(\"omp parallel\")"));
        assert!(uses(b"#define PAR(x) _Pragma(#x)\nPAR(omp parallel for)\n"));
        assert!(uses(b"[[omp::directive(parallel for)]] for (;;) {}"));
        assert!(uses(b"[[ omp ::\n sequence(directive(parallel), directive(for))]] for (;;) {}"));
        assert!(uses(b"[[using omp : directive(parallel)]] {}"));
        assert!(!uses(b"using omp::x; [[nodiscard]] int omp;"));
        assert!(!uses(b"#pragma once\n// #pragma omp\n"));
        assert!(!uses(b"#pragma omitted\n_Pragma(\"once\") int comp;"));
    }

    #[test]
    fn directives_of_headers_count() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("include")).expect("a folder");
        std::fs::write(at("include/a.h"), "#include \"b.h\"\n").expect("a file");
        std::fs::write(at("include/b.h"), "#include \"a.h\"\n#pragma omp parallel\n").expect("a file");
        let flags = ["-Iinclude".to_string()];
        let text = b"#include <stdio.h>\n#include <a.h>\n";
        assert!(uses_openmp(&at("m.c"), text, &flags, Some(folder.path())));
        assert!(!uses_openmp(&at("m.c"), text, &[], Some(folder.path())));
        assert!(uses_openmp(&at("m.c"), b"#include \"include/b.h\"\n", &[], None));
    }
}
