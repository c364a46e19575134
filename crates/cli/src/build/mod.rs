//! Programs as builds describe them: which files they are made of and how each is compiled.
//!
//! Two ways: [`database`] reads `compile_commands.json` of a build folder, with [`links`] to tell its programs apart; and
//! [`kept`] reads what `raceproof cc` left in a program that it built.

pub mod compiler;
pub mod database;
pub mod elf;
pub mod flags;
pub mod kept;
pub mod links;
pub mod mains;
pub mod recording;
pub mod words;

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail};
use base::BuildUnit;

use database::Entry;
use links::Links;

/// So many names are listed in a message.
const LISTED: usize = 20;

/// The files of a program, and what there is to say about them.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Selected {
    /// How each is compiled.
    pub units: Vec<BuildUnit>,
    /// What the user should know.
    pub notes: Vec<String>,
}

/// The program that a build folder describes: the given files of it, or its program of that name, or its only one.
pub fn select(build: &Path, files: &[PathBuf], target: Option<&str>) -> Result<Selected> {
    let entries = database::read(build)?;
    let links = Links::read(build);
    let mut selected = Selected::default();
    let chosen: Vec<Entry> = if !files.is_empty() {
        if let Some(target) = target {
            bail!("--target {target} names a whole program: leave out the FILE arguments, or --target");
        }
        by_file(&entries, files, build)?
    } else if let Some(name) = target {
        of_target(&entries, &links, build, name)?
    } else {
        whole(&entries, &links, build)?
    };
    if let Some(gone) = chosen.iter().find(|entry| !entry.file.is_file()) {
        bail!(
            "--build: the build in `{}` compiles `{}`, which is not there: configure and build again",
            build.display(),
            shown(&gone.file)
        );
    }
    for entry in mains::first(chosen) {
        match entry.flags {
            Some(flags) => selected.units.push(BuildUnit {
                file: shown(&entry.file),
                directory: entry.directory.to_string_lossy().into_owned(),
                flags,
            }),
            None => selected.notes.push(format!(
                "`{}` is neither C nor C++ and is left out: what it defines is not known to the check",
                shown(&entry.file)
            )),
        }
    }
    if selected.units.is_empty() {
        bail!("--build: no file of the program is C or C++, and raceproof checks nothing else");
    }
    Ok(selected)
}

/// The entries of these files.
fn by_file(entries: &[Entry], files: &[PathBuf], build: &Path) -> Result<Vec<Entry>> {
    let mut chosen = Vec::new();
    for file in files {
        let full = normal(&std::path::absolute(file).context("cannot tell the current directory")?);
        let Some(entry) = entries.iter().find(|entry| same_file(&entry.file, &full)) else {
            let (file, build) = (file.display(), build.display());
            let names = listed(entries.iter().map(|entry| shown(&entry.file)));
            bail!("`{file}` is not compiled by the build in `{build}`, which compiles: {names}");
        };
        chosen.push(Entry { file: full, ..entry.clone() });
    }
    Ok(chosen)
}

fn same_file(one: &Path, other: &Path) -> bool {
    one == other || one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

/// The entries of a program by its name: of what is linked, or by the source that has its `main`.
fn of_target(entries: &[Entry], links: &Links, build: &Path, name: &str) -> Result<Vec<Entry>> {
    if let Some(linked) = links.find(name, build) {
        return of_linked(entries, links, linked);
    }
    let full = normal(&std::path::absolute(name).context("cannot tell the current directory")?);
    let all = once(entries);
    if let Some(main) = all.iter().find(|entry| same_file(&entry.file, &full) || entry.file.ends_with(name)) {
        let mains = mains::of(&all)?;
        let other = |entry: &Entry| entry.file != main.file && mains.contains(&entry.file);
        return Ok(all.iter().filter(|entry| !other(entry)).cloned().collect());
    }
    let programs = links.programs();
    if programs.is_empty() {
        let sources = listed(mains::of(&all)?.iter().map(|file| shown(file)));
        bail!(
            "--target {name}: the build in `{}` does not tell what it links (neither CMake's link.txt nor build.ninja); give \
             the source with the program's `main` ({sources}), or its files",
            build.display()
        );
    }
    let known = listed(programs.iter().map(|program| file_name(program)));
    bail!("--target {name}: the build in `{}` has no such program; it has: {known}", build.display());
}

/// The entries whose objects are linked into a file.
fn of_linked(entries: &[Entry], links: &Links, linked: &Path) -> Result<Vec<Entry>> {
    let objects: BTreeSet<PathBuf> = links.objects(linked);
    let part = |entry: &&Entry| entry.output.as_ref().is_some_and(|output| objects.contains(output));
    let chosen: Vec<Entry> = entries.iter().filter(part).cloned().collect();
    if chosen.is_empty() {
        bail!(
            "--target {}: none of its objects is in the list of compile commands: configure and build again",
            file_name(linked)
        );
    }
    Ok(chosen)
}

/// The only program of a build.
fn whole(entries: &[Entry], links: &Links, build: &Path) -> Result<Vec<Entry>> {
    match links.programs().as_slice() {
        [only] => return of_linked(entries, links, only),
        [] => {}
        several => bail!(
            "the build in `{}` has several programs: {}; choose one with --target NAME",
            build.display(),
            listed(several.iter().map(|program| file_name(program)))
        ),
    }
    let all = once(entries);
    let mains = mains::of(&all)?;
    if mains.len() > 1 {
        bail!(
            "several files of the build in `{}` define `main`: {}; choose one with --target FILE, which leaves out the others, \
             or give all files of the program",
            build.display(),
            listed(mains.iter().map(|file| shown(file)))
        );
    }
    Ok(all)
}

/// Each file once: builds compile files twice for static and for shared libraries.
fn once(entries: &[Entry]) -> Vec<Entry> {
    let mut seen = BTreeSet::new();
    entries.iter().filter(|entry| seen.insert(entry.file.clone())).cloned().collect()
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Names for a message.
fn listed(names: impl Iterator<Item = String>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    if names.len() <= LISTED {
        return names.join(", ");
    }
    format!("{} and {} more", names[..LISTED].join(", "), names.len() - LISTED)
}

/// A file as reports show it: from the current folder if it lies below it.
pub fn shown(file: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    file.strip_prefix(&here).unwrap_or(file).to_string_lossy().into_owned()
}

/// The path without `.` and `..`, as far as that can be told without the file system.
pub fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}
