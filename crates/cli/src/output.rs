//! Where text goes and how it looks there.

use std::io::{IsTerminal, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use report::{Replay, Style};

use crate::args::{Color, LookArgs};

/// The width where there is no terminal to ask.
const WIDTH_OF_A_FILE: usize = 100;
/// Wider than this, lines are hard to read.
const WIDEST: usize = 140;

/// The style for standard output.
pub fn style(look: &LookArgs, replay: Replay) -> Style {
    let terminal = std::io::stdout().is_terminal();
    let color = match look.color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            terminal && !is_set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
        }
    };
    Style { color, width: width(), verbose: look.verbose, quiet: look.quiet, replay }
}

/// The width for standard output.
pub fn width() -> usize {
    let terminal = std::io::stdout().is_terminal();
    let width = terminal_size::terminal_size().filter(|_| terminal).map(|(width, _)| usize::from(width.0));
    width.unwrap_or(WIDTH_OF_A_FILE).clamp(40, WIDEST)
}

/// The same for a file: no colour unless it was asked for, and a fixed width.
pub fn style_for_file(look: &LookArgs, replay: Replay) -> Style {
    let color = look.color == Color::Always;
    Style { color, width: WIDTH_OF_A_FILE, verbose: look.verbose, quiet: look.quiet, replay }
}

fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| !value.is_empty())
}

/// Writes to standard output. A reader that has gone away (`raceproof ... | head`) is no error.
pub fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to standard output")
        }
        _ => Ok(()),
    }
}

/// Writes a whole file.
pub fn write(file: &Path, text: &str) -> Result<()> {
    std::fs::write(file, text).with_context(|| format!("cannot write `{}`", file.display()))
}

/// Refuses a file that can surely not be written, before the work is done and not after it.
pub fn check_writable(option: &str, file: Option<&Path>) -> Result<()> {
    let Some(file) = file else { return Ok(()) };
    let folder = match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if file.is_dir() {
        bail!("{option}: expected the name of a file, found the folder `{}`", file.display());
    }
    if !folder.is_dir() {
        bail!("{option}: the folder `{}` does not exist: make it first", folder.display());
    }
    Ok(())
}

/// A word as a shell takes it.
pub fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./,:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// A command line as a person would type it.
pub fn command_line(words: &[String]) -> String {
    words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_needed() {
        let words = ["raceproof", "check", "a b.c", "--arg", "", "it's", "N=1..3"].map(str::to_owned);
        assert_eq!(command_line(&words), "raceproof check 'a b.c' --arg '' 'it'\\''s' N=1..3");
    }
}
