//! Mutation testing of the parts of raceproof whose mistakes would be a false `race-free`.
//!
//! `raceproof-mutate COPY` makes a copy of the repository in which every mutant of `crates/prove`, `crates/certify` and
//! `crates/machine/src/omp` is in place, behind a switch ([`rewrite`]), writes a list of them to `COPY/mutants.tsv`, and takes out those that do not
//! compile. The crate `campaign` beside this one, built in the copy, then tries them all in one process.

mod rewrite;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

/// What has mutants.
const FOLDERS: [&str; 3] = ["crates/prove/src", "crates/certify/src", "crates/machine/src/omp"];
/// Has switches of its own.
const SWITCHES: &str = "prove/src/rules.rs";
/// How often what does not compile is taken out.
const ROUNDS: usize = 12;

/// Lines of files, by path from the root.
type Lines = BTreeMap<PathBuf, Vec<usize>>;

fn main() -> anyhow::Result<()> {
    let copy = PathBuf::from(std::env::args().nth(1).context("usage: raceproof-mutate COPY")?);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    copy_files(&root, &copy)?;
    let copy = copy.canonicalize()?;
    let switch = copy.join("crates/base/src/lib.rs");
    let text = std::fs::read_to_string(&switch)?;
    if !text.contains("mod mutant;") {
        std::fs::write(&switch, text + "\npub mod mutant;\n")?;
    }
    std::fs::write(copy.join("crates/base/src/mutant.rs"), include_str!("switch.rs"))?;
    let mut skip = Lines::new();
    for round in 0..ROUNDS {
        let count = rewrite_all(&root, &copy, &skip)?;
        let wrong = errors(&copy)?;
        println!(
            "round {round}: {count} mutants, {} lines do not compile",
            wrong.values().map(Vec::len).sum::<usize>()
        );
        if wrong.is_empty() {
            return Ok(());
        }
        for (file, lines) in wrong {
            skip.entry(file).or_default().extend(lines);
        }
    }
    anyhow::bail!("some mutants never compile")
}

/// Copies what git knows of.
fn copy_files(root: &Path, copy: &Path) -> anyhow::Result<()> {
    let listed =
        Command::new("git").current_dir(root).args(["ls-files", "-co", "--exclude-standard"]).output()?;
    ensure!(listed.status.success(), "git ls-files fails");
    for name in String::from_utf8(listed.stdout)?.lines() {
        let (from, to) = (root.join(name), copy.join(name));
        if !from.is_file()
            || std::fs::read(&to).is_ok_and(|old| std::fs::read(&from).is_ok_and(|new| new == old))
        {
            continue;
        }
        std::fs::create_dir_all(to.parent().context("a folder")?)?;
        std::fs::copy(&from, &to).with_context(|| format!("{name} cannot be copied"))?;
    }
    Ok(())
}

/// Puts the mutants into the copy, and lists them; how many there are.
fn rewrite_all(root: &Path, copy: &Path, skip: &Lines) -> anyhow::Result<u32> {
    let (mut next, mut list) = (1, String::new());
    for folder in FOLDERS {
        let mut files = Vec::new();
        sources(&root.join(folder), &mut files)?;
        files.sort();
        for file in files {
            let name = file.strip_prefix(root)?;
            let source = std::fs::read_to_string(&file)?;
            let skipped = skip.get(name).map_or(&[][..], |lines| lines);
            let done =
                rewrite::rewrite(&source, next, skipped).with_context(|| format!("{}", name.display()))?;
            next += done.mutants.len() as u32;
            for m in &done.mutants {
                writeln!(list, "{}\t{}\t{}\t{}\t{}", m.id, name.display(), m.line, m.function, m.what)?;
            }
            let to = copy.join(name);
            if std::fs::read_to_string(&to).ok().as_ref() != Some(&done.text) {
                std::fs::write(to, done.text)?;
            }
        }
    }
    std::fs::write(copy.join("mutants.tsv"), list)?;
    Ok(next - 1)
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            sources(&path, found)?;
        } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with(SWITCHES) {
            found.push(path);
        }
    }
    Ok(())
}

/// The lines that do not compile.
fn errors(copy: &Path) -> anyhow::Result<Lines> {
    let checked = Command::new("cargo")
        .current_dir(copy)
        .args(["check", "--keep-going", "--message-format=short", "-p", "raceproof-prove"])
        .env("RUSTFLAGS", "-Awarnings")
        .output()?;
    let text = String::from_utf8_lossy(&checked.stderr);
    let mut lines = Lines::new();
    for message in text.lines().filter(|l| l.contains(": error")) {
        let mut parts = message.split(':');
        if let (Some(file), Some(Ok(line))) = (parts.next(), parts.next().map(str::parse)) {
            lines.entry(PathBuf::from(file)).or_default().push(line);
        }
    }
    ensure!(checked.status.success() || !lines.is_empty(), "cargo check fails:\n{text}");
    Ok(lines)
}
