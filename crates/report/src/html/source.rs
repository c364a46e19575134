//! Source text in the page: snippets with a marked line, and the lines that the stepping script shows.

use std::collections::{BTreeMap, BTreeSet};

use base::Place;

use super::escape;
use crate::SourceProvider;
use crate::span::underline;

/// Lines shown before and after a marked one in a snippet.
const AROUND: u32 = 3;
/// Lines kept before and after each place of a witness for the script.
const KEPT: u32 = 8;

/// Endings of names of source files.
const SOURCES: [&str; 20] = [
    "c", "cc", "cpp", "cxx", "c++", "h", "hh", "hpp", "hxx", "inc", "ipp", "tpp", "i", "ii", "java", "kt",
    "go", "rs", "swift", "cs",
];

/// The source files of the page, and which of their lines are needed.
pub(super) struct Sheets<'s> {
    sources: &'s dyn SourceProvider,
    /// By name: the number that the page calls the file by, and the lines needed.
    files: BTreeMap<String, (usize, BTreeSet<u32>)>,
}

/// A place as the page knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spot {
    /// The number of the file.
    pub file: usize,
    /// The line.
    pub line: u32,
    /// What to mark of it, in UTF-16 units as scripts count; empty if the text is not there.
    pub from: usize,
    pub to: usize,
}

impl<'s> Sheets<'s> {
    pub fn new(sources: &'s dyn SourceProvider) -> Sheets<'s> {
        Sheets { sources, files: BTreeMap::new() }
    }

    /// Remembers that a place will be shown; nothing if its line is not known.
    pub fn need(&mut self, place: &Place) -> Option<Spot> {
        if place.line == 0 {
            return None;
        }
        let (from, to) = self.marked(place).unwrap_or((0, 0));
        let next = self.files.len();
        let (file, lines) = self.files.entry(place.file.clone()).or_insert_with(|| (next, BTreeSet::new()));
        lines.extend(place.line.saturating_sub(KEPT).max(1)..=place.line.saturating_add(KEPT));
        Some(Spot { file: *file, line: place.line, from, to })
    }

    /// The place that a location of a trace names (`src/a.c:12`, `a.c:12:5`), if it is one in a source file that is at hand.
    /// A trace may come from anywhere, so only files that are called as sources are looked into.
    pub fn locate(&self, location: &str) -> Option<Place> {
        let (rest, last) = location.rsplit_once(':')?;
        let last: u32 = last.parse().ok()?;
        let (file, line, column) =
            match rest.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?))) {
                Some((file, line)) => (file, line, last),
                None => (rest, last, 0),
            };
        let (_, ending) = file.rsplit_once('.')?;
        if !SOURCES.contains(&ending.to_ascii_lowercase().as_str()) {
            return None;
        }
        let place = Place { file: file.to_owned(), line, column };
        let text = self.sources.text(file)?;
        underline(&text, &place)?;
        Some(place)
    }

    /// The text of a place's line, without surrounding blanks.
    pub fn line(&self, place: &Place) -> Option<String> {
        crate::source::line(self.sources, &place.file, place.line)
    }

    fn marked(&self, place: &Place) -> Option<(usize, usize)> {
        let text = self.sources.text(&place.file)?;
        let [before, within, _] = marked_line(&text, place)?;
        let from = before.encode_utf16().count();
        Some((from, from + within.encode_utf16().count()))
    }

    /// The needed lines of all files: `[{"name": "a.c", "lines": [[7, "x++;"], ...]}, ...]`.
    pub fn embedded(&self) -> serde_json::Value {
        let mut files: Vec<_> = self.files.iter().collect();
        files.sort_by_key(|(_, (number, _))| *number);
        let value = files.into_iter().map(|(name, (_, needed))| {
            let text = self.sources.text(name).unwrap_or_default();
            let lines: Vec<serde_json::Value> = (1u32..)
                .zip(text.lines())
                .filter(|(number, _)| needed.contains(number))
                .map(|(number, line)| serde_json::json!([number, line]))
                .collect();
            serde_json::json!({ "name": name, "lines": lines })
        });
        value.collect()
    }

    /// A snippet around a place, its line marked; a sentence if the text is not at hand.
    pub fn snippet(&self, place: &Place, label: &str) -> String {
        let text = self.sources.text(&place.file).unwrap_or_default();
        let Some(parts) = marked_line(&text, place) else {
            return "<p>The source text is not at hand.</p>\n".to_owned();
        };
        let at = place.line;
        let low = at.saturating_sub(AROUND).max(1);
        let mut out = String::from("<pre class=\"source\"><code>");
        for (number, line) in
            (1u32..).zip(text.lines()).skip(low as usize - 1).take((at - low + 1 + AROUND) as usize)
        {
            if number == at {
                let parts = parts.map(escape::text);
                out += &format!(
                    "<span class=\"line marked\"><span class=\"number\">{number}</span>{}<mark>{}</mark>{}<span \
                     class=\"hidden\"> (here: {})</span>\n</span>",
                    parts[0],
                    parts[1],
                    parts[2],
                    escape::text(label),
                );
            } else {
                let line = escape::text(line);
                out += &format!("<span class=\"line\"><span class=\"number\">{number}</span>{line}\n</span>");
            }
        }
        out + "</code></pre>\n"
    }
}

/// The line of a place, cut into what stands before the marked part, the part, and what follows.
fn marked_line<'t>(text: &'t str, place: &Place) -> Option<[&'t str; 3]> {
    let span = underline(text, place)?;
    let start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    let rest = &text[span.end..];
    let end = span.end + rest.find(['\r', '\n']).unwrap_or(rest.len());
    Some([&text[start..span.start], &text[span.start..span.end], &text[span.end..end]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemorySources;

    #[test]
    fn marks_count_as_scripts_do() {
        let sources = MemorySources::default().with("a.c", "int x;\n/* \u{1d11e} */ x = 1;\r\n");
        let mut sheets = Sheets::new(&sources);
        let place = Place { file: "a.c".into(), line: 2, column: 14 };
        let spot = sheets.need(&place).expect("the line is known");
        assert_eq!((spot.file, spot.line, spot.from, spot.to), (0, 2, 9, 12));
        assert_eq!(
            sheets.embedded().to_string(),
            "[{\"lines\":[[1,\"int x;\"],[2,\"/* \u{1d11e} */ x = 1;\"]],\"name\":\"a.c\"}]"
        );
        assert!(sheets.need(&Place { line: 0, ..place }).is_none());
    }

    #[test]
    fn only_sources_are_looked_into() {
        let sources =
            MemorySources::default().with("src/a.c", "int x;\nx++;\n").with("/etc/passwd", "root\n");
        let sheets = Sheets::new(&sources);
        let place = |line, column| Some(Place { file: "src/a.c".into(), line, column });
        assert_eq!(sheets.locate("src/a.c:2"), place(2, 0));
        assert_eq!(sheets.locate("src/a.c:2:3"), place(2, 3));
        for other in ["src/a.c:3", "src/a.c", "120", "/etc/passwd:1", "b.c:1", ""] {
            assert_eq!(sheets.locate(other), None, "{other}");
        }
    }

    #[test]
    fn source_text_is_no_markup() {
        let sources = MemorySources::default().with("a.c", "if (a<b && c>d) \"<script>\";\n");
        let sheets = Sheets::new(&sources);
        let place = Place { file: "a.c".into(), line: 1, column: 5 };
        let shown = sheets.snippet(&place, "<i>");
        assert!(
            shown.contains("<mark>a</mark>&lt;b &amp;&amp; c&gt;d) &quot;&lt;script&gt;&quot;;"),
            "{shown}"
        );
        assert!(shown.contains("(here: &lt;i&gt;)"), "{shown}");
        assert!(sheets.snippet(&Place { line: 9, ..place }, "").contains("not at hand"));
    }
}
