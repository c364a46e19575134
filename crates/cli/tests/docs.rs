//! Runs every command of README.md and docs/*.md and compares its output with what is shown, one test a block.
//!
//! A block that begins with ```` ```console ```` holds commands (`$ command`) and the output of each; other blocks are
//! not run. A line `...` stands for any lines, `...` within a line for any text. Where no output is shown, the command
//! must only work: exit code 0, or for raceproof any answer. ```` ```console fixme=why ```` says that a block is known
//! not to work yet; its test fails once it does. Commands run in a scratch folder with `./raceproof` and `docs`; those of a
//! block that begins with ```` ```console continued ```` in the folder of the block before it.
//!
//! Also: `docs/SUMMARY.md` lists every page of the book, and every relative link of a page leads to something.
//!
//! `RACEPROOF_BLESS=1 cargo test -p raceproof --test docs` writes what the commands print into the files; lines that
//! still match a line with `...` are kept.

use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Arguments, Failed, Trial};

/// One command and the output that is shown for it, with the line numbers of the output in the file.
#[derive(Debug, Clone)]
struct Shown {
    command: String,
    output: Vec<String>,
    /// The index of the first line after the command.
    start: usize,
}

#[derive(Debug, Clone)]
struct Block {
    line: usize,
    fixme: Option<String>,
    shown: Vec<Shown>,
}

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = vec![root.join("README.md")];
    if let Ok(entries) = std::fs::read_dir(root.join("docs")) {
        let pages = entries.flatten().map(|entry| entry.path());
        files.extend(pages.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    }
    files.sort();
    if std::env::var_os("RACEPROOF_BLESS").is_some() {
        files.iter().for_each(|file| bless(file));
    }
    let mut trials = Vec::new();
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        for block in blocks(&text) {
            let name = format!("{}:{}", file.file_name().unwrap_or_default().to_string_lossy(), block.line);
            trials.push(Trial::test(name, move || run(&block).map_err(Failed::from)));
        }
    }
    trials.push(Trial::test("the_book_lists_every_page", || summary().map_err(Failed::from)));
    for file in files {
        let name = format!("links_of_{}", file.file_name().unwrap_or_default().to_string_lossy());
        trials.push(Trial::test(name, move || links(&file).map_err(Failed::from)));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// The targets of all links and pictures of a page, outside of its blocks of code.
fn targets(text: &str) -> Vec<String> {
    let mut targets = Vec::new();
    let mut code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            code = !code;
        }
        if code {
            continue;
        }
        // What stands between backquotes is no link.
        let plain: String = line.split('`').step_by(2).collect();
        targets.extend(plain.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0.to_owned())));
    }
    targets
}

/// Every relative link leads to a file, and where it names a heading, to one that is there.
fn links(file: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let folder = file.parent().unwrap_or(Path::new("."));
    for target in targets(&text) {
        if target.contains("://") {
            continue;
        }
        let (path, heading) = target.split_once('#').unwrap_or((&target, ""));
        let to = if path.is_empty() { file.to_owned() } else { folder.join(path) };
        if !to.exists() {
            return Err(format!("`{target}` leads nowhere"));
        }
        let page = std::fs::read_to_string(&to).unwrap_or_default();
        let headings: Vec<String> = page.lines().filter(|line| line.starts_with('#')).map(anchor).collect();
        if !heading.is_empty() && !headings.iter().any(|one| one == heading) {
            return Err(format!("`{target}`: the page has no such heading, but {}", headings.join(", ")));
        }
    }
    Ok(())
}

/// A heading as links name it.
fn anchor(heading: &str) -> String {
    let words = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = words.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The book's list of contents has every page once, and nothing else.
fn summary() -> Result<(), String> {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let text = std::fs::read_to_string(docs.join("SUMMARY.md")).map_err(|error| error.to_string())?;
    let mut listed = targets(&text);
    let entries = std::fs::read_dir(&docs).map_err(|error| error.to_string())?;
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut pages: Vec<String> =
        names.filter(|name| name.ends_with(".md") && name.as_str() != "SUMMARY.md").collect();
    listed.sort();
    pages.sort();
    if listed != pages {
        return Err(format!("SUMMARY.md lists {listed:?}, but the pages are {pages:?}"));
    }
    let settings = std::fs::read_to_string(docs.join("book.toml")).map_err(|error| error.to_string())?;
    let settings: toml::Table = settings.parse().map_err(|error| format!("book.toml: {error}"))?;
    match settings["book"].get("src").and_then(toml::Value::as_str) {
        Some(".") => Ok(()),
        other => Err(format!("book.toml: expected the pages beside it, found {other:?}")),
    }
}

/// The blocks of a page that are to be run.
fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (index, line) in text.lines().enumerate() {
        match &mut open {
            None => {
                if line.trim_end() == "```console continued" {
                    open = blocks.pop();
                } else if let Some(info) = line.strip_prefix("```console") {
                    let fixme = info.trim().strip_prefix("fixme=").map(str::to_owned);
                    open = Some(Block { line: index + 1, fixme, shown: Vec::new() });
                }
            }
            Some(_) if line.starts_with("```") => blocks.extend(open.take()),
            Some(block) => match (line.strip_prefix("$ "), block.shown.last_mut()) {
                (Some(command), _) => {
                    block.shown.push(Shown { command: command.to_owned(), output: vec![], start: index + 1 });
                }
                (None, Some(last)) if last.start + last.output.len() == index => {
                    last.output.push(line.to_owned());
                }
                (None, Some(_)) => {}
                (None, None) => {}
            },
        }
    }
    blocks
}

/// A folder in which the commands of a block run.
fn scratch() -> Result<tempfile::TempDir, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let link = |to: PathBuf, name: &str| {
        std::os::unix::fs::symlink(to, folder.path().join(name)).map_err(|error| error.to_string())
    };
    link(root.join("docs").canonicalize().map_err(|error| error.to_string())?, "docs")?;
    link(root.join("examples").canonicalize().map_err(|error| error.to_string())?, "examples")?;
    link(PathBuf::from(env!("CARGO_BIN_EXE_raceproof")), "raceproof")?;
    Ok(folder)
}

/// What a command prints, on both streams, and its exit code.
fn execute(command: &str, folder: &Path) -> Result<(Vec<String>, Option<i32>), String> {
    let output = Command::new("bash")
        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .env("XDG_CACHE_HOME", folder.join("cache"))
        .output()
        .map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok((text.lines().map(|line| line.trim_end().to_owned()).collect(), output.status.code()))
}

fn run(block: &Block) -> Result<(), String> {
    match (&block.fixme, run_commands(block)) {
        (None, answer) => answer,
        (Some(_), Err(_)) => Ok(()),
        (Some(why), Ok(())) => Err(format!("the block works now: remove `fixme={why}`")),
    }
}

fn run_commands(block: &Block) -> Result<(), String> {
    let folder = scratch()?;
    for shown in &block.shown {
        let (found, code) = execute(&shown.command, folder.path())?;
        if !works(&shown.command, code) {
            return Err(format!("`{}` ended with {code:?}:\n{}", shown.command, found.join("\n")));
        }
        let expected = trim(&shown.output);
        if !expected.is_empty() && !matches(&expected, &trim(&found)) {
            let (expected, found) = (expected.join("\n"), found.join("\n"));
            return Err(format!("`{}`\nexpected:\n{expected}\nfound:\n{found}", shown.command));
        }
    }
    Ok(())
}

/// For raceproof every answer is fine; wrong usage and crashes are not.
fn works(command: &str, code: Option<i32>) -> bool {
    let answers = command.trim_start_matches("./").starts_with("raceproof");
    code == Some(0) || answers && matches!(code, Some(1 | 3))
}

fn trim(lines: &[String]) -> Vec<String> {
    let end = lines.iter().rposition(|line| !line.trim().is_empty()).map_or(0, |last| last + 1);
    lines[..end].iter().map(|line| line.trim_end().to_owned()).collect()
}

fn matches(expected: &[String], found: &[String]) -> bool {
    match expected.split_first() {
        None => found.is_empty(),
        Some((first, rest)) if first.trim() == "..." => {
            (0..=found.len()).any(|skip| matches(rest, &found[skip..]))
        }
        Some((first, rest)) => match found.split_first() {
            Some((line, after)) => line_matches(first, line) && matches(rest, after),
            None => false,
        },
    }
}

fn line_matches(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split("...");
    let Some(mut rest) = parts.next().and_then(|first| line.strip_prefix(first)) else { return false };
    let mut last = None;
    for part in parts {
        last = Some(part);
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.is_empty() || last.is_some_and(|last| last.is_empty() || line.ends_with(last))
}

/// Writes what the commands print into a page.
fn bless(file: &Path) {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for block in blocks(&text).iter().rev() {
        let Ok(folder) = scratch() else { return };
        let mut outputs = Vec::new();
        for shown in &block.shown {
            let Ok((found, code)) = execute(&shown.command, folder.path()) else { return };
            outputs.push(if works(&shown.command, code) { Some(found) } else { None });
        }
        for (shown, found) in block.shown.iter().zip(outputs).rev() {
            let Some(found) = found.filter(|_| !shown.output.is_empty()) else { continue };
            let range = shown.start..shown.start + shown.output.len();
            lines.splice(range, blessed(&shown.output, trim(&found)));
        }
    }
    let blessed = lines.join("\n") + "\n";
    if blessed != text {
        std::fs::write(file, blessed).expect("the page can be written");
    }
}

/// The new output; what differs from run to run stays open.
fn blessed(old: &[String], found: Vec<String>) -> Vec<String> {
    if matches(&trim(old), &found) {
        return old.to_vec();
    }
    let wildcards: Vec<&String> =
        old.iter().filter(|line| line.contains("...") && line.trim() != "...").collect();
    found
        .into_iter()
        .map(|line| match wildcards.iter().find(|pattern| line_matches(pattern, &line)) {
            Some(pattern) => (*pattern).clone(),
            None if line.starts_with("search ") => "search       ...".to_owned(),
            None if line.starts_with("judged ") => "judged       ...".to_owned(),
            None => line,
        })
        .collect()
}
