//! Changes of texts, where lines of the changed text come from, and differences that `git apply` takes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::Source;

/// Replaces bytes of a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    /// Which file, as an index.
    pub file: usize,
    /// The first byte.
    pub from: usize,
    /// One after the last.
    pub to: usize,
    /// What comes there.
    pub with: String,
}

impl Edit {
    /// Puts a text before a byte.
    pub fn insert(file: usize, at: usize, with: impl Into<String>) -> Edit {
        Edit { file, from: at, to: at, with: with.into() }
    }

    /// Takes bytes out; the whole line if nothing else is on it.
    pub fn remove(file: usize, source: &Source, from: usize, to: usize) -> Edit {
        let (start, end) = (source.line_start(from), source.line_end(to));
        let blank = |text: &str| text.trim().is_empty();
        let rest = source.text[to..end].trim();
        if blank(&source.text[start..from]) && (rest.is_empty() || rest.starts_with("//")) {
            return Edit { file, from: start, to: end, with: String::new() };
        }
        // Blanks at the end of the line go with it, or else those behind it.
        let (mut from, mut to) = (from, to);
        while rest.is_empty() && source.text[start..from].ends_with([' ', '\t']) {
            from -= 1;
        }
        while source.text[to..].starts_with(' ') {
            to += 1;
        }
        Edit { file, from, to, with: String::new() }
    }
}

/// A file that was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// The new text.
    pub text: String,
    /// By line of the new text: the line of the old one that it comes from.
    origins: Vec<u32>,
}

impl Changed {
    /// The line of the old text for a line of the new one.
    pub fn origin(&self, line: u32) -> u32 {
        let at = (line as usize).saturating_sub(1).min(self.origins.len().saturating_sub(1));
        self.origins.get(at).copied().unwrap_or(line)
    }
}

/// Applies edits to files: only those that change are in the result, by index. Edits that overlap are not applied twice: the first counts.
pub fn apply(sources: &[Source], edits: &[Edit]) -> BTreeMap<usize, Changed> {
    let mut sorted: Vec<(usize, &Edit)> = edits.iter().enumerate().collect();
    // Of insertions at one place, those given first come first.
    sorted.sort_by_key(|(i, e)| (e.file, e.from, e.to, *i));
    let mut changed = BTreeMap::new();
    for (file, source) in sources.iter().enumerate() {
        let mine: Vec<&Edit> = sorted.iter().map(|s| s.1).filter(|e| e.file == file).collect();
        if !mine.is_empty() {
            changed.insert(file, one(source, &mine));
        }
    }
    changed
}

fn one(source: &Source, edits: &[&Edit]) -> Changed {
    let (mut text, mut origins, mut at) = (String::new(), Vec::new(), 0);
    let mut fresh = true;
    // New lines end as the others do.
    let crlf = source.text.contains("\r\n");
    let mut push = |piece: &str, begin: usize, own: bool, text: &mut String| {
        let mut line = source.line(begin);
        for part in piece.split_inclusive('\n') {
            if fresh {
                origins.push(line);
            }
            fresh = part.ends_with('\n');
            if own && fresh {
                line += 1;
            }
            text.push_str(part);
        }
    };
    for edit in edits {
        // Of two that take out the same blanks, the first does.
        let from = if edit.with.is_empty() { edit.from.max(at) } else { edit.from };
        if from < at || edit.to < at {
            continue;
        }
        push(&source.text[at..from], at, true, &mut text);
        if crlf {
            push(&edit.with.replace("\r\n", "\n").replace('\n', "\r\n"), edit.from, false, &mut text);
        } else {
            push(&edit.with, edit.from, false, &mut text);
        }
        at = edit.to;
    }
    push(&source.text[at..], at, true, &mut text);
    Changed { text, origins }
}

/// The difference between old and new texts, as `git apply` takes it. `from` is the folder that relative paths are about, `to` the one that
/// paths of the difference are about: the top of the repository, since `git apply` passes over all others in silence.
pub fn patch(sources: &[Source], changed: &BTreeMap<usize, Changed>, from: &Path, to: &Path) -> String {
    let mut out = String::new();
    for (&file, new) in changed {
        let source = &sources[file];
        if source.text == new.text {
            continue;
        }
        let whole = clean(&from.join(&source.path));
        let path = whole.strip_prefix(to).unwrap_or(&whole);
        let name = path.to_string_lossy().trim_start_matches('/').to_owned();
        let diff = similar::TextDiff::from_lines(&source.text, &new.text);
        let mut unified = diff.unified_diff();
        out += &unified.context_radius(3).header(&format!("a/{name}"), &format!("b/{name}")).to_string();
    }
    out
}

/// Without `.` and `..`.
pub fn clean(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => {
                let up = out.as_os_str().is_empty() || out.ends_with("..");
                if up {
                    out.push("..");
                } else {
                    out.pop();
                }
            }
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_taken_out_whole_and_known_again() {
        let source =
            Source::new("d/a.c".into(), "a;\n  #pragma omp barrier\nb; c;\nd;\n".into(), &Default::default());
        let at = |word: &str| source.text.find(word).unwrap();
        let edits = [
            Edit::remove(0, &source, at("#pragma"), at("#pragma") + "#pragma omp barrier".len()),
            Edit::remove(0, &source, at("b;"), at("b;") + 2),
            Edit::insert(0, at("d;"), "new;\n"),
        ];
        let sources = [source];
        let changed = &apply(&sources, &edits)[&0];
        assert_eq!(changed.text, "a;\nc;\nnew;\nd;\n");
        assert_eq!([1, 2, 3, 4].map(|l| changed.origin(l)), [1, 3, 4, 4]);
        let patch = patch(&sources, &apply(&sources, &edits), Path::new("/t"), Path::new("/t/d"));
        assert!(
            patch.starts_with("--- a/a.c\n+++ b/a.c\n@@ -1,4 +1,4 @@\n a;\n-  #pragma omp barrier\n"),
            "{patch}"
        );
    }
}
