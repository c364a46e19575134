//! `raceproof cc --record`: clang with thread instrumentation, linked with the recording runtime instead of clang's.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use super::flags::Mode;
use super::{flags, words};

/// The flag for builds that let flags be added, but not words before them.
const FLAG: &str = "-fraceproof-record";

/// The arguments without what asks for recording, if something does.
pub fn asked(arguments: &[OsString]) -> Option<Vec<OsString>> {
    let first = arguments.first().is_some_and(|word| word == "--record");
    let rest = &arguments[usize::from(first)..];
    let asked = first || rest.iter().any(|word| word == FLAG);
    asked.then(|| rest.iter().filter(|word| *word != FLAG).cloned().collect())
}

/// Where the compiled runtime is kept.
fn folder() -> PathBuf {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")));
    cache.unwrap_or_else(std::env::temp_dir).join("raceproof")
}

/// What the compiler is called with.
pub fn arguments(compiler: &str, cplusplus: bool, typed: Vec<OsString>) -> Result<Vec<OsString>> {
    let text: Option<Vec<String>> = typed.iter().map(|word| word.to_str().map(str::to_owned)).collect();
    let here = std::env::current_dir().context("cannot tell the current directory")?;
    let Some(text) = text else {
        bail!("--record: expected arguments in UTF-8");
    };
    let expanded = words::expand(&text, &here);
    let has = |flag: &str| expanded.iter().any(|word| word == flag);
    if let Some(other) = expanded.iter().find(|word| word.starts_with("-fsanitize=")) {
        bail!("--record: the program cannot be built with `{other}` as well");
    }
    if has("-static") {
        bail!("--record: a statically linked C library cannot be recorded; build without -static");
    }
    let line = flags::parse(&expanded, cplusplus);
    let is_input = |word: &String| !word.starts_with('-') && line.output.as_ref() != Some(word);
    let links = line.mode == Mode::Link && expanded.iter().any(is_input);
    let mut all = typed;
    if line.mode != Mode::Other {
        all.extend(record::runtime::FLAGS.map(OsString::from));
    }
    if !line.sources.is_empty() {
        all.extend(record::runtime::COMPILING.map(OsString::from));
    }
    if links && !has("-shared") && !has("-r") {
        let runtime = record::runtime::prepare(&folder(), compiler)?;
        all.extend(runtime.link_flags().into_iter().map(OsString::from));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_asks_for_recording() {
        let asked = |text: &str| {
            let words: Vec<OsString> = text.split(' ').map(OsString::from).collect();
            asked(&words).map(|rest| rest.len())
        };
        assert_eq!(asked("--record -c a.c"), Some(2));
        assert_eq!(asked("-O2 -fraceproof-record a.c"), Some(2));
        assert_eq!(asked("-c a.c"), None);
        assert_eq!(asked("-c --record"), None);
    }
}
