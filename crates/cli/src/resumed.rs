//! The file that `raceproof check --save` writes and `--resume` reads: what is left of a check that was ended.
//!
//! A line that says what it is, a line of JSON ([`Header`]), and the states that a search has seen, 16 bytes each, lowest
//! first. It is for the same program, options and raceproof alone, and is refused otherwise; limits of time, memory and
//! states may be others. It is written whole and then renamed.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use decide::Pending;
use explore::Saved;
use serde::{Deserialize, Serialize};

/// The first line.
const FORMAT: &str = "raceproof-resume-1";

/// The second line. What is read and what is written have the same fields.
#[derive(Serialize, Deserialize)]
struct Header<S> {
    /// Which raceproof wrote it.
    raceproof: String,
    /// A hash of the compiled program.
    program: String,
    /// The options that decide the answer.
    options: String,
    pending: Pending,
    search: Option<S>,
    states: usize,
}

/// What a file must be about.
pub struct Identity {
    /// A hash of the compiled program.
    pub program: String,
    /// The options that decide the answer.
    pub options: String,
}

/// Writes what is left of a check.
pub fn write(file: &Path, identity: Identity, pending: &Pending) -> Result<()> {
    let mut name = file.as_os_str().to_owned();
    name.push(format!(".{}", std::process::id()));
    let part = Path::new(&name);
    let written = write_to(part, identity, pending)
        .and_then(|()| std::fs::rename(part, file).map_err(anyhow::Error::from));
    if written.is_err() {
        let _ = std::fs::remove_file(part);
    }
    written.with_context(|| format!("cannot write `{}`", file.display()))
}

fn write_to(part: &Path, identity: Identity, pending: &Pending) -> Result<()> {
    let search = pending.search.as_deref();
    let header = Header {
        raceproof: crate::cache::this_raceproof(),
        program: identity.program,
        options: identity.options,
        pending: pending.clone(),
        search,
        states: search.map_or(0, Saved::states),
    };
    let mut out = BufWriter::new(File::create(part)?);
    writeln!(out, "{FORMAT}")?;
    writeln!(out, "{}", serde_json::to_string(&header)?)?;
    if let Some(search) = search {
        search.each_state(|entry| out.write_all(&entry.to_le_bytes()))?;
    }
    out.into_inner()?.sync_all()?;
    Ok(())
}

/// Reads what is left of a check of this program with these options.
pub fn read(file: &Path, identity: &Identity) -> Result<Pending> {
    let name = file.display();
    let wrong = || format!("`{name}` was not written by `raceproof check --save`, or is not whole");
    let opened = File::open(file).with_context(|| format!("--resume: cannot read `{name}`"))?;
    let mut from = BufReader::new(opened);
    let mut line = |what: &mut String| from.read_line(what).with_context(wrong).map(|_| ());
    let (mut first, mut second) = (String::new(), String::new());
    line(&mut first)?;
    if first.trim_end() != FORMAT {
        bail!("--resume: {}", wrong());
    }
    line(&mut second)?;
    let header: serde_json::Value = serde_json::from_str(&second).with_context(wrong)?;
    let is = |field: &str, value: &str| header[field].as_str() == Some(value);
    let again = "check again without --resume";
    if !is("raceproof", &crate::cache::this_raceproof()) {
        bail!(
            "--resume: `{name}` was written by another raceproof, whose searches cannot be gone on with: {again}"
        );
    }
    if !is("program", &identity.program) {
        bail!("--resume: `{name}` is about another program, or its sources have changed: {again}");
    }
    if !is("options", &identity.options) {
        bail!("--resume: `{name}` is of a check with other options: give the same, or {again}");
    }
    let header: Header<Saved> = serde_json::from_value(header).with_context(wrong)?;
    let mut pending = header.pending;
    if let Some(search) = header.search {
        let mut entry = [0; 16];
        for _ in 0..header.states {
            from.read_exact(&mut entry).with_context(wrong)?;
            search.add_state(u128::from_le_bytes(entry));
        }
        if search.states() != header.states {
            bail!("--resume: {}", wrong());
        }
        pending.search = Some(Arc::new(search));
    }
    Ok(pending)
}
