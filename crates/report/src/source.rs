//! Where the text of source files comes from.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Gives the text of a source file by the name that the compiler gave it.
pub trait SourceProvider {
    /// The file's text, or nothing if it cannot be had.
    fn text(&self, file: &str) -> Option<Rc<str>>;
}

/// Source files on disk, read once each. Relative names are looked up below a base directory.
#[derive(Debug, Default)]
pub struct DiskSources {
    base: PathBuf,
    read: RefCell<BTreeMap<String, Option<Rc<str>>>>,
}

impl DiskSources {
    /// Relative names are relative to `base`.
    pub fn new(base: impl AsRef<Path>) -> DiskSources {
        DiskSources { base: base.as_ref().to_owned(), read: RefCell::default() }
    }
}

impl SourceProvider for DiskSources {
    fn text(&self, file: &str) -> Option<Rc<str>> {
        let mut read = self.read.borrow_mut();
        let entry = read.entry(file.to_owned()).or_insert_with(|| {
            let bytes = std::fs::read(self.base.join(file)).ok()?;
            Some(decode(bytes).into())
        });
        entry.clone()
    }
}

/// Source text may be in Latin-1 or worse; columns count bytes, so every bad byte becomes one ASCII character.
fn decode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        error.into_bytes().iter().map(|&b| if b.is_ascii() { b as char } else { '?' }).collect()
    })
}

/// Source files in memory, for tests and for sources that came with a witness.
#[derive(Debug, Default, Clone)]
pub struct MemorySources {
    files: BTreeMap<String, Rc<str>>,
}

impl MemorySources {
    /// Adds a file.
    pub fn with(mut self, name: &str, text: &str) -> MemorySources {
        self.files.insert(name.to_owned(), text.into());
        self
    }
}

impl SourceProvider for MemorySources {
    fn text(&self, file: &str) -> Option<Rc<str>> {
        self.files.get(file).cloned()
    }
}

/// One line of a file, without its end and without surrounding blanks.
pub(crate) fn line(sources: &dyn SourceProvider, file: &str, line: u32) -> Option<String> {
    let text = sources.text(file)?;
    let index = (line as usize).checked_sub(1)?;
    text.lines().nth(index).map(|line| line.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_no_utf8_keep_their_columns() {
        assert_eq!(decode(vec![b'a', 0xe9, b'b']), "a?b");
    }

    #[test]
    fn a_missing_file_is_nothing() {
        assert!(DiskSources::new("/nonexistent").text("a.c").is_none());
    }

    #[test]
    fn lines_are_counted_from_one() {
        let sources = MemorySources::default().with("a.c", "int x;\n  x++;\n");
        assert_eq!(line(&sources, "a.c", 2).as_deref(), Some("x++;"));
        assert_eq!(line(&sources, "a.c", 0), None);
        assert_eq!(line(&sources, "a.c", 3), None);
    }
}
