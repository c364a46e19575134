//! `compile_commands.json`: how a build compiles each file (<https://clang.llvm.org/docs/JSONCompilationDatabase.html>).

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::flags::{self, CommandLine};
use super::{normal, words};

/// The name of the file in a build folder.
pub const NAME: &str = "compile_commands.json";

/// How to come by the file.
const HOW: &str =
    "CMake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, Meson always, and for make `bear -- make` does";

#[derive(Deserialize)]
struct Raw {
    directory: Option<String>,
    file: Option<String>,
    arguments: Option<Vec<String>>,
    command: Option<String>,
    output: Option<String>,
}

/// One file of the build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The source, absolute.
    pub file: PathBuf,
    /// Where its compiler runs, absolute.
    pub directory: PathBuf,
    /// The object that it becomes, absolute, if that is known.
    pub output: Option<PathBuf>,
    /// Its flags; `None` if it is neither C nor C++.
    pub flags: Option<Vec<String>>,
}

/// Reads the file of a build folder, or the file itself.
pub fn read(build: &Path) -> Result<Vec<Entry>> {
    let file = if build.is_dir() { build.join(NAME) } else { build.to_owned() };
    let shown = file.display();
    if !build.exists() {
        bail!("--build: there is no folder `{}`: expected one with {NAME} ({HOW})", build.display());
    }
    let text =
        std::fs::read_to_string(&file).with_context(|| format!("--build: cannot read `{shown}` ({HOW})"))?;
    let folder = std::path::absolute(file.parent().unwrap_or(Path::new("")))
        .context("cannot tell the current directory")?;
    parse(&text, &folder).with_context(|| format!("--build: `{shown}`"))
}

fn parse(text: &str, folder: &Path) -> Result<Vec<Entry>> {
    let raw: Vec<Raw> = serde_json::from_str(text)
        .with_context(|| format!("expected a list of compile commands as JSON ({HOW})"))?;
    if raw.is_empty() {
        bail!("the list of compile commands is empty: build the program first");
    }
    let mut entries = Vec::new();
    for (index, raw) in raw.into_iter().enumerate() {
        entries.push(entry(raw, folder).with_context(|| format!("entry {}", index + 1))?);
    }
    Ok(entries)
}

fn entry(raw: Raw, folder: &Path) -> Result<Entry> {
    let (Some(directory), Some(file)) = (raw.directory, raw.file) else {
        bail!("expected \"directory\", \"file\", and \"arguments\" or \"command\"");
    };
    // Links are followed, so that names from here and from what is linked can be compared.
    let directory = normal(&folder.join(directory));
    let directory = directory.canonicalize().unwrap_or(directory);
    let words = match (raw.arguments, raw.command) {
        (Some(arguments), _) => arguments,
        (None, Some(command)) => words::split(&command)?,
        (None, None) => bail!("expected \"arguments\" or \"command\" for `{file}`, found neither"),
    };
    let words = words::expand(&words, &directory);
    let Some((compiler, arguments)) = flags::compiler(&words) else {
        bail!("the command for `{file}` is empty");
    };
    let line = flags::parse(arguments, flags::is_cplusplus(compiler));
    let file = normal(&directory.join(file));
    let output = raw.output.or(line.output.clone()).map(|output| normal(&directory.join(output)));
    Ok(Entry { flags: flags_of(&line, &file, &directory), file, directory, output })
}

/// The flags of the entry's file, if the command line compiles it as C or C++.
fn flags_of(line: &CommandLine, file: &Path, directory: &Path) -> Option<Vec<String>> {
    let same = |name: &str| normal(&directory.join(name)) == file;
    match line.sources.iter().find(|source| same(&source.file)) {
        Some(source) => Some(line.flags_of(source)),
        // Links may make the names differ: the only source is meant.
        None => line.sources.first().filter(|_| line.others.is_empty()).map(|source| line.flags_of(source)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Entry>> {
        parse(text, Path::new("/work/build"))
    }

    #[test]
    fn both_forms_and_relative_folders() {
        let entries = read(
            r#"[{"directory": "sub", "file": "../../src/a.c", "command": "gcc -DS=\\\"x\\\" -I../inc -O2 -o a.o -c ../../src/a.c"},
               {"directory": "/b", "file": "b.cpp", "arguments": ["c++", "-std=c++20", "-c", "b.cpp"], "output": "o/b.o"},
               {"directory": "/b", "file": "c.S", "arguments": ["cc", "-c", "c.S"]}]"#,
        )
        .unwrap();
        assert_eq!(entries[0].file, Path::new("/work/src/a.c"));
        assert_eq!(entries[0].directory, Path::new("/work/build/sub"));
        assert_eq!(entries[0].output.as_deref(), Some(Path::new("/work/build/sub/a.o")));
        assert_eq!(entries[0].flags.as_deref(), Some(&["-DS=\"x\"".to_owned(), "-I../inc".to_owned()][..]));
        assert_eq!(entries[1].output.as_deref(), Some(Path::new("/b/o/b.o")));
        assert_eq!(entries[1].flags.as_deref(), Some(&["-std=c++20".to_owned()][..]));
        assert_eq!(entries[2].flags, None);
    }

    #[test]
    fn wrong_files_are_refused() {
        let error = |text: &str| format!("{:#}", read(text).unwrap_err());
        assert!(error("{").contains("expected a list of compile commands as JSON"));
        assert!(error("[]").contains("build the program first"));
        assert!(error(r#"[{"file": "a.c"}]"#).contains("entry 1: expected \"directory\""));
        assert!(error(r#"[{"directory": "/", "file": "a.c"}]"#).contains("found neither"));
        assert!(error(r#"[{"directory": "/", "file": "a.c", "command": "cc 'a"}]"#).contains("not closed"));
        assert!(error(r#"[{"directory": "/", "file": "a.c", "command": ""}]"#).contains("is empty"));
    }
}
