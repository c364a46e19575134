//! `raceproof cc` and `raceproof c++`: run the real compiler with the same arguments, and keep in what it makes the bitcode
//! that `raceproof check` needs ([`super::kept`]).
//!
//! Objects (`-c`) get the section after the compiler has written them. Where sources are compiled and linked at once, each
//! source gets an object of its own with nothing but the section, which is linked with the rest. Everything else (`-E`,
//! `-S`, `-M`, links of objects) is the compiler's own business.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::flags::{CommandLine, Mode, Source};
use super::kept::{About, Record, SECTION};
use super::{elf, normal};
use super::{flags, recording, words};
use crate::front;

/// Whether raceproof was called as a compiler: the language is C++, and the arguments.
pub fn asked(mut words: impl Iterator<Item = OsString>) -> Option<(bool, Vec<OsString>)> {
    let name = words.next()?;
    let name = Path::new(&name).file_name()?.to_str()?.to_owned();
    match name.as_str() {
        "raceproof-cc" => return Some((false, words.collect())),
        "raceproof-c++" | "raceproof-cxx" => return Some((true, words.collect())),
        _ => {}
    }
    let cplusplus = match words.next()?.to_str()? {
        "cc" => false,
        "c++" => true,
        _ => return None,
    };
    let rest: Vec<OsString> = words.collect();
    // Asked for without anything else, the help is raceproof's.
    let help =
        matches!(rest.first().and_then(|w| w.to_str()), None | Some("--help" | "-h")) && rest.len() < 2;
    (!help).then_some((cplusplus, rest))
}

/// Compiles; the number is the compiler's exit code.
pub fn run(cplusplus: bool, arguments: &[OsString]) -> Result<u8> {
    let compiler = real_compiler(cplusplus)?;
    if let Some(arguments) = recording::asked(arguments) {
        let arguments = recording::arguments(&compiler[0], cplusplus, arguments)?;
        return call(&compiler, &[], &arguments);
    }
    let typed: Option<Vec<String>> = arguments.iter().map(|word| word.to_str().map(str::to_owned)).collect();
    let here = std::env::current_dir().context("cannot tell the current directory")?;
    let line = typed.map(|typed| flags::parse(&words::expand(&typed, &here), cplusplus));
    // What is wrong with a source that is not there is for the compiler to say.
    let line = line.filter(|line| line.sources.iter().all(|source| here.join(&source.file).is_file()));
    match line.filter(|line| front::BUILT_IN && !line.sources.is_empty()) {
        Some(line) if line.mode == Mode::Compile => compile(&compiler, arguments, &line, &here),
        Some(line) if line.mode == Mode::Link => link(&compiler, arguments, &line, &here),
        _ => call(&compiler, &[], arguments),
    }
}

/// The compiler to run, in words.
fn real_compiler(cplusplus: bool) -> Result<Vec<String>> {
    let (variable, usual) =
        if cplusplus { ("RACEPROOF_CXX", "clang++-19") } else { ("RACEPROOF_CC", "clang-19") };
    let said = std::env::var(variable).unwrap_or_default();
    let compiler = words::split(&said).with_context(|| variable.to_owned())?;
    let own = |word: &String| {
        Path::new(word).file_name().is_some_and(|n| n.to_string_lossy().starts_with("raceproof"))
    };
    if compiler.first().is_some_and(own) {
        bail!("{variable}: expected a compiler that raceproof can run, found raceproof itself (`{said}`)");
    }
    Ok(if compiler.is_empty() { vec![usual.to_owned()] } else { compiler })
}

fn command(compiler: &[String], before: &[PathBuf], arguments: &[OsString]) -> Command {
    let mut command = Command::new(&compiler[0]);
    command.args(&compiler[1..]).args(before).args(arguments);
    command
}

fn call(compiler: &[String], before: &[PathBuf], arguments: &[OsString]) -> Result<u8> {
    let status = command(compiler, before, arguments).status();
    let status = status.with_context(|| cannot_run(&compiler[0]))?;
    Ok(code(status))
}

fn cannot_run(compiler: &str) -> String {
    format!(
        "cannot run the compiler `{compiler}`: install it, or name another with RACEPROOF_CC or RACEPROOF_CXX"
    )
}

fn code(status: std::process::ExitStatus) -> u8 {
    status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}

/// `-c`: the compiler and the front end work at the same time.
fn compile(compiler: &[String], arguments: &[OsString], line: &CommandLine, here: &Path) -> Result<u8> {
    let mut child = command(compiler, &[], arguments).spawn().with_context(|| cannot_run(&compiler[0]))?;
    let records: Vec<Result<Vec<u8>>> =
        line.sources.iter().map(|source| record(line, source, here)?.write()).collect();
    let status = child.wait().with_context(|| cannot_run(&compiler[0]))?;
    if !status.success() {
        return Ok(code(status));
    }
    for (source, record) in line.sources.iter().zip(records) {
        let object = match &line.output {
            Some(output) => PathBuf::from(output),
            None => {
                PathBuf::from(Path::new(&source.file).file_name().unwrap_or_default()).with_extension("o")
            }
        };
        if let Err(error) = keep(&object, &record?) {
            eprintln!("raceproof: nothing is kept for a check in `{}`: {error:#}", object.display());
        }
    }
    Ok(0)
}

/// Puts a record into an object.
fn keep(object: &Path, record: &[u8]) -> Result<()> {
    // An output such as /dev/null is a probe.
    if !object.is_file() {
        return Ok(());
    }
    let bytes = std::fs::read(object).context("it cannot be read")?;
    let Some(with) = elf::add_section(&bytes, SECTION, record) else {
        bail!("it is no ELF object; build without -flto to check the program");
    };
    std::fs::write(object, with).context("it cannot be written")
}

/// Sources that become a program at once.
fn link(compiler: &[String], arguments: &[OsString], line: &CommandLine, here: &Path) -> Result<u8> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let bits = if line.flags.iter().any(|flag| flag == "-m32") { 32 } else { 64 };
    let mut objects = Vec::new();
    for (index, source) in line.sources.iter().enumerate() {
        let object = folder.path().join(format!("raceproof-{index}.o"));
        let section = record(line, source, here)?.write()?;
        std::fs::write(&object, elf::object(SECTION, &section, bits))
            .context("cannot write a temporary file")?;
        objects.push(object);
    }
    call(compiler, &objects, arguments)
}

/// What is kept of a source. A source that the front end cannot compile is told by the check.
fn record(line: &CommandLine, source: &Source, here: &Path) -> Result<Record> {
    let file = normal(&here.join(&source.file));
    let unit = base::BuildUnit {
        file: file.to_string_lossy().into_owned(),
        directory: here.to_string_lossy().into_owned(),
        flags: line.flags_of(source),
    };
    let sha256 = std::fs::read(&file).map(|bytes| report::witness::sha256(&bytes)).unwrap_or_default();
    let mut about = About { sha256, raceproof: env!("CARGO_PKG_VERSION").to_owned(), error: None, unit };
    Ok(match front::unit(&file, &about.unit) {
        Ok((bitcode, directives)) => Record { about, directives, bitcode },
        Err(error) => {
            about.error = Some(error.trim_end().to_owned());
            Record { about, directives: Default::default(), bitcode: Vec::new() }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_as_a_compiler_are_known() {
        let asked = |text: &str| {
            asked(text.split(' ').map(OsString::from)).map(|(cplusplus, rest)| (cplusplus, rest.len()))
        };
        assert_eq!(asked("raceproof cc -c a.c"), Some((false, 2)));
        assert_eq!(asked("/x/raceproof c++ --version"), Some((true, 1)));
        assert_eq!(asked("/x/raceproof-cc"), Some((false, 0)));
        assert_eq!(asked("raceproof-c++ --help"), Some((true, 1)));
        assert_eq!(asked("raceproof cc --help"), None);
        assert_eq!(asked("raceproof check cc"), None);
        assert_eq!(asked("raceproof"), None);
    }
}
