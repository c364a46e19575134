//! `raceproof.toml`: what a project always says to raceproof. The command line wins over it.
//!
//! The file is the nearest of this name in the folder of the first FILE or above it; without FILE, in the current folder or
//! above it. Names in it count from its own folder.
//!
//! ```toml
//! files = ["src/*.c"]          # the program, if no FILE is given; or `build = "build"` (and `target`), or `entry`
//! threads = "2..4"             # as --threads; `args`, `defines`, `flags` are lists
//! env = { OMP_SCHEDULE = "dynamic,4" } # as --env
//! time-limit = "1m"            # `memory-limit`, `max-states`, `max-depth`, `engine`, `allocation`, `baseline`, `cache = false`
//!
//! [[for]]                      # for programs whose files all lie in a folder: wins over what stands above
//! path = "tools/"
//! threads = 2
//!
//! [[suppress]]                 # see crate::accepted
//! variable = "hits"
//! locations = ["counter.c:11", "counter.c:20"]
//! reason = "the number is shown to people only"
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use serde::Deserialize;
use toml::Spanned;

use crate::accepted::Suppression;
use crate::args::{Allocation, Engine};
use crate::build::{normal, shown};
use crate::resolve::Asked;
use crate::{resolve, units};

/// The file's name.
pub const NAME: &str = "raceproof.toml";

/// A value that may be written as a number or as a text.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged, expecting = "expected a number or a text in quotes")]
enum Word {
    Number(i64),
    Text(String),
}

impl std::fmt::Display for Word {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Word::Number(number) => write!(f, "{number}"),
            Word::Text(text) => f.write_str(text),
        }
    }
}

/// One table: the top of the file, or a `[[for]]`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Table {
    files: Option<Spanned<Vec<String>>>,
    build: Option<Spanned<String>>,
    target: Option<Spanned<String>>,
    entry: Option<Spanned<Vec<String>>>,
    baseline: Option<Spanned<String>>,
    path: Option<Spanned<String>>,
    threads: Option<Spanned<Word>>,
    args: Option<Spanned<Vec<Word>>>,
    defines: Option<Spanned<Vec<String>>>,
    env: Option<Spanned<BTreeMap<String, Word>>>,
    flags: Option<Vec<String>>,
    engine: Option<Engine>,
    allocation: Option<Allocation>,
    cache: Option<bool>,
    time_limit: Option<Spanned<Word>>,
    memory_limit: Option<Spanned<Word>>,
    max_states: Option<Spanned<Word>>,
    max_depth: Option<Spanned<Word>>,
    #[serde(default)]
    r#for: Vec<Spanned<Table>>,
    #[serde(default)]
    suppress: Vec<Spanned<Suppression>>,
}

/// The settings of a project; all of them empty if it has none.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// The file, as typed or found.
    pub file: PathBuf,
    table: Table,
}

impl Settings {
    /// Reads the file that is named, or the nearest one.
    pub fn find(named: Option<&Path>, files: &[PathBuf]) -> Result<Settings> {
        let file = match named {
            Some(file) => file.to_owned(),
            None => match nearest(files) {
                Some(file) => file,
                None => return Ok(Settings::default()),
            },
        };
        let name = file.display().to_string();
        let option = if named.is_some() { "--config: " } else { "" };
        let text = std::fs::read_to_string(&file).with_context(|| format!("{option}cannot read `{name}`"))?;
        let table = parse(&text, &name)?;
        Ok(Settings { file, table })
    }

    /// The folder from which names count.
    fn folder(&self) -> PathBuf {
        match self.file.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::new(),
        }
    }

    /// The accepted findings.
    pub fn suppressions(&self) -> Vec<Suppression> {
        self.table.suppress.iter().map(|s| s.get_ref().clone()).collect()
    }

    /// The baseline, if one is named.
    pub fn baseline(&self) -> Option<PathBuf> {
        self.table.baseline.as_ref().map(|file| self.folder().join(file.get_ref()))
    }

    /// Whether the cache may be used, as far as the settings say.
    pub fn cache(&self, files: &[PathBuf]) -> bool {
        let mut cache = self.table.cache.unwrap_or(true);
        for table in self.tables(files) {
            cache = table.cache.unwrap_or(cache);
        }
        cache
    }

    /// Fills in the program, if the command line names none.
    pub fn program(&self, asked: &mut Asked) -> Result<()> {
        if !asked.files.is_empty() || asked.build.build.is_some() {
            return Ok(());
        }
        let table = &self.table;
        if let Some(patterns) = &table.files {
            for pattern in patterns.get_ref() {
                let found = matching(&self.folder(), pattern);
                if found.is_empty() {
                    bail!("`{}`: files: there is no file `{pattern}`", self.file.display());
                }
                asked.files.extend(found);
            }
        }
        asked.build.build = table.build.as_ref().map(|build| self.folder().join(build.get_ref()));
        if asked.build.target.is_none() {
            asked.build.target = table.target.as_ref().map(|target| target.get_ref().clone());
        }
        if asked.build.entry.is_empty() {
            asked.build.entry = table.entry.as_ref().map(|entry| entry.get_ref().clone()).unwrap_or_default();
        }
        Ok(())
    }

    /// Fills in what the command line does not say, for a program of these files.
    pub fn fill(&self, asked: &mut Asked, files: &[PathBuf]) {
        let mut tables = vec![&self.table];
        tables.extend(self.tables(files));
        // The last one that says something wins, the command line over all.
        let (mut flags, mut defines) = (Vec::new(), Vec::new());
        for table in &tables {
            flags.extend(self.flags(table));
            for define in table.defines.iter().flat_map(|d| d.get_ref()) {
                let name = |text: &str| text.split('=').next().unwrap_or(text).to_owned();
                defines.retain(|other: &String| name(other) != name(define));
                defines.push(define.clone());
            }
        }
        let name = |text: &str| text.split('=').next().unwrap_or(text).to_owned();
        defines.retain(|define| asked.bounds.defines.iter().all(|typed| name(typed) != name(define)));
        defines.append(&mut asked.bounds.defines);
        asked.bounds.defines = defines;
        flags.append(&mut asked.flags);
        asked.flags = flags;
        let mut env: Vec<String> = Vec::new();
        let set = tables.iter().filter_map(|table| table.env.as_ref()).flat_map(|env| env.get_ref());
        for variable in set.map(|(name, value)| format!("{name}={value}")).chain(asked.bounds.env.drain(..)) {
            env.retain(|other| name(other) != name(&variable));
            env.push(variable);
        }
        asked.bounds.env = env;
        let word = |word: &Option<Spanned<Word>>| word.as_ref().map(|word| word.get_ref().to_string());
        let last =
            |of: fn(&Table) -> &Option<Spanned<Word>>| tables.iter().rev().find_map(|table| word(of(table)));
        let limits = &mut asked.limits;
        asked.bounds.threads = asked.bounds.threads.take().or_else(|| last(|t| &t.threads));
        limits.time_limit = limits.time_limit.take().or_else(|| last(|t| &t.time_limit));
        limits.memory_limit = limits.memory_limit.take().or_else(|| last(|t| &t.memory_limit));
        limits.max_states = limits.max_states.take().or_else(|| last(|t| &t.max_states));
        limits.max_depth = limits.max_depth.take().or_else(|| last(|t| &t.max_depth));
        asked.allocation = asked.allocation.or_else(|| tables.iter().rev().find_map(|t| t.allocation));
        asked.engine = asked.engine.or_else(|| tables.iter().rev().find_map(|table| table.engine));
        if asked.bounds.args.is_empty() {
            let args = tables.iter().rev().find_map(|table| table.args.as_ref());
            asked.bounds.args =
                args.map(|args| args.get_ref().iter().map(Word::to_string).collect()).unwrap_or_default();
        }
    }

    /// The tables for a folder that has all these files.
    fn tables(&self, files: &[PathBuf]) -> Vec<&Table> {
        let inside = |table: &Table| {
            let Some(path) = &table.path else { return false };
            let full = |path: &Path| normal(&std::path::absolute(path).unwrap_or_default());
            let folder = full(&self.folder().join(path.get_ref()));
            !files.is_empty() && files.iter().all(|file| full(file).starts_with(&folder))
        };
        self.table.r#for.iter().map(Spanned::get_ref).filter(|table| inside(table)).collect()
    }

    /// The flags of a table, with names of folders and files that count from here.
    fn flags(&self, table: &Table) -> Vec<String> {
        let folder = self.folder();
        let options = ["-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros"];
        let moved = |path: &str| folder.join(path).to_string_lossy().into_owned();
        let mut out = Vec::new();
        let mut flags = table.flags.iter().flatten();
        while let Some(flag) = flags.next() {
            out.push(flag.clone());
            if options.contains(&flag.as_str()) {
                out.extend(flags.next().map(|path| moved(path)));
            } else if let Some((option, path)) =
                options.iter().find_map(|option| Some((option, flag.strip_prefix(option)?)))
            {
                out.pop();
                out.push(format!("{option}{}", moved(path)));
            }
        }
        out
    }
}

/// The nearest file of settings, from the folder of the first file upward.
fn nearest(files: &[PathBuf]) -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    let start = match files.first() {
        Some(file) => normal(&here.join(file)).parent()?.to_owned(),
        None => here,
    };
    let found = start.ancestors().map(|folder| folder.join(NAME)).find(|file| file.is_file())?;
    Some(PathBuf::from(shown(&found)))
}

/// The files that a pattern names: `*` stands for any part of the last name.
fn matching(folder: &Path, pattern: &str) -> Vec<PathBuf> {
    let path = folder.join(pattern);
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if !name.contains('*') {
        return if path.is_file() { vec![path] } else { Vec::new() };
    }
    let inside = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    };
    let mut found: Vec<PathBuf> = std::fs::read_dir(&inside)
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect::<Vec<_>>())
        .unwrap_or_default();
    found
        .retain(|file| file.is_file() && file.file_name().is_some_and(|n| fits(&name, &n.to_string_lossy())));
    found.sort();
    found.into_iter().map(|file| file.strip_prefix("./").map(Path::to_owned).unwrap_or(file)).collect()
}

/// Whether a name fits a pattern with `*`.
fn fits(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((before, after)) => name.strip_prefix(before).is_some_and(|rest| {
            (0..=rest.len()).any(|at| rest.is_char_boundary(at) && fits(after, &rest[at..]))
        }),
    }
}

/// Reads and checks a file; every error has its line.
fn parse(text: &str, name: &str) -> Result<Table> {
    let table: Table = toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(1, |span| line_of(text, span.start));
        let message = error.message().replace('\n', " ");
        anyhow!("{name}:{line}: {message}")
    })?;
    let check = Check { text, name };
    check.table(&table, true)?;
    for inner in &table.r#for {
        let Some(path) = &inner.get_ref().path else {
            return Err(check.at(inner, "expected `path`, the folder that [[for]] is about"));
        };
        check
            .table(inner.get_ref(), false)
            .with_context(|| format!("[[for]] path = {:?}", path.get_ref()))?;
    }
    for suppression in &table.suppress {
        suppression.get_ref().check().map_err(|error| check.at(suppression, &error))?;
    }
    Ok(table)
}

fn line_of(text: &str, at: usize) -> usize {
    text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count() + 1
}

/// Looks for values that are wrong.
struct Check<'a> {
    text: &'a str,
    name: &'a str,
}

impl Check<'_> {
    fn at<T>(&self, value: &Spanned<T>, message: &str) -> anyhow::Error {
        anyhow!("{}:{}: {message}", self.name, line_of(self.text, value.span().start))
    }

    fn value<T, R>(
        &self,
        key: &str,
        value: Option<&Spanned<T>>,
        read: impl Fn(&T) -> Result<R>,
    ) -> Result<()> {
        let Some(value) = value else { return Ok(()) };
        read(value.get_ref()).map(drop).map_err(|error| self.at(value, &format!("{key}: {error:#}")))
    }

    fn table(&self, table: &Table, top: bool) -> Result<()> {
        let only_top =
            |key: &str| -> Result<()> { bail!("`{key}` stands at the top of the file, not in [[for]]") };
        if top {
            self.value("path", table.path.as_ref(), |_| -> Result<()> {
                bail!("`path` belongs into [[for]]")
            })?;
        } else {
            self.value("files", table.files.as_ref(), |_| only_top("files"))?;
            self.value("build", table.build.as_ref(), |_| only_top("build"))?;
            self.value("target", table.target.as_ref(), |_| only_top("target"))?;
            self.value("entry", table.entry.as_ref(), |_| only_top("entry"))?;
            self.value("baseline", table.baseline.as_ref(), |_| only_top("baseline"))?;
            self.value("suppress", table.suppress.first(), |_| only_top("[[suppress]]"))?;
            self.value("for", table.r#for.first(), |_| only_top("[[for]]"))?;
        }
        self.value("threads", table.threads.as_ref(), |word| resolve::thread_range(&word.to_string()))?;
        self.value("args", table.args.as_ref(), |args| {
            args.iter().try_for_each(|arg| units::range(&arg.to_string()).transpose().map(drop))
        })?;
        self.value("defines", table.defines.as_ref(), |defines| {
            defines.iter().try_for_each(|define| resolve::definition(define).map(drop))
        })?;
        self.value("env", table.env.as_ref(), |env| {
            env.iter().try_for_each(|(name, value)| resolve::environment(&format!("{name}={value}")))
        })?;
        self.value("time-limit", table.time_limit.as_ref(), |word| resolve::time_limit(&word.to_string()))?;
        self.value("memory-limit", table.memory_limit.as_ref(), |word| units::size(&word.to_string()))?;
        self.value("max-states", table.max_states.as_ref(), |word| units::count(&word.to_string()))?;
        self.value("max-depth", table.max_depth.as_ref(), |word| units::count(&word.to_string()))
    }
}
