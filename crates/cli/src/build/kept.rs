//! What `raceproof cc` keeps in each object for a later check: the bitcode of the source, as the front end of `check` makes
//! it, in a section [`SECTION`] that no program loads. Linkers put the sections of all objects of a program one behind the
//! other, and `ar` keeps them, so a program has the bitcode of all its parts.
//!
//! A record, all numbers little-endian: [`MAGIC`]; 8 bytes: the size of what follows; then compressed with zstd: 4 bytes, the
//! size of the description; the description as JSON ([`About`]); 8 bytes, the size of the directives; the directives as JSON; the
//! bitcode. Zero bytes may stand between records.

use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use base::BuildUnit;
use serde::{Deserialize, Serialize};

use super::elf;

/// The section's name.
pub const SECTION: &str = ".raceproof";
/// How a record begins; the digit is the version.
const MAGIC: &[u8; 16] = b"raceproof-bc-2\n\0";
/// Bitcode of one source is never larger: a record that says so is garbled.
const LARGEST: u64 = 1 << 32;

/// What a record is of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// How the source is compiled; the file's name is absolute.
    pub unit: BuildUnit,
    /// SHA-256 of the source.
    pub sha256: String,
    /// The version of raceproof that made the bitcode.
    pub raceproof: String,
    /// Why there is no bitcode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// One source of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// What it is of.
    pub about: About,
    /// OpenMP directives, for the front end.
    pub directives: ir::Directives,
    /// LLVM's bitcode.
    pub bitcode: Vec<u8>,
}

impl Record {
    /// As bytes for the section.
    pub fn write(&self) -> Result<Vec<u8>> {
        let about = serde_json::to_vec(&self.about).context("cannot describe the source")?;
        let mut content = (about.len() as u32).to_le_bytes().to_vec();
        content.extend(about);
        let directives = serde_json::to_vec(&self.directives).context("cannot write down the directives")?;
        content.extend((directives.len() as u64).to_le_bytes());
        content.extend(directives);
        content.extend(&self.bitcode);
        let packed = zstd::bulk::compress(&content, 1).context("cannot compress the bitcode")?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend((packed.len() as u64).to_le_bytes());
        bytes.extend((content.len() as u64).to_le_bytes());
        bytes.extend(packed);
        Ok(bytes)
    }
}

/// Takes so many bytes off the front.
fn take<'a>(bytes: &mut &'a [u8], count: u64) -> Option<&'a [u8]> {
    let (front, rest) = bytes.split_at_checked(usize::try_from(count).ok()?)?;
    *bytes = rest;
    Some(front)
}

fn take_number(bytes: &mut &[u8], size: u64) -> Option<u64> {
    let mut value = [0; 8];
    value[..size as usize].copy_from_slice(take(bytes, size)?);
    Some(u64::from_le_bytes(value))
}

/// The records of a section.
fn parse(mut section: &[u8]) -> Option<Vec<Record>> {
    let mut records = Vec::new();
    loop {
        let zeros = section.iter().take_while(|byte| **byte == 0).count();
        section = &section[zeros..];
        if section.is_empty() {
            return Some(records);
        }
        if take(&mut section, MAGIC.len() as u64)? != MAGIC {
            return None;
        }
        let size = take_number(&mut section, 8)?;
        let whole = take_number(&mut section, 8).filter(|whole| *whole <= LARGEST)?;
        let content = zstd::bulk::decompress(take(&mut section, size)?, whole as usize).ok()?;
        let mut rest = content.as_slice();
        let size = take_number(&mut rest, 4)?;
        let about = serde_json::from_slice(take(&mut rest, size)?).ok()?;
        let size = take_number(&mut rest, 8)?;
        let directives = serde_json::from_slice(take(&mut rest, size)?).ok()?;
        records.push(Record { about, directives, bitcode: rest.to_vec() });
    }
}

/// Whether a file is an object, a program or a library, by its first bytes.
pub fn is_built(file: &Path) -> bool {
    use std::io::Read;
    // What is read from a pipe is gone.
    if !file.is_file() {
        return false;
    }
    let mut start = [0; 8];
    let read = std::fs::File::open(file).and_then(|mut file| file.read(&mut start));
    read.is_ok_and(|count| elf::is_binary(&start[..count]))
}

/// What was kept in a file; an error if there is nothing, or something is missing.
pub fn read(file: &Path) -> Result<Vec<Record>> {
    let shown = file.display();
    let bytes = std::fs::read(file).with_context(|| format!("cannot read `{shown}`"))?;
    let sections = elf::sections(&bytes, SECTION).map_err(|why| anyhow!("`{shown}`: {why}"))?;
    let mut records: Vec<Record> = Vec::new();
    for section in sections {
        let found = parse(section).with_context(|| {
            format!("`{shown}`: what `raceproof cc` kept in it is garbled; build it again")
        })?;
        records.extend(found);
    }
    if records.is_empty() {
        bail!(
            "`{shown}` was not built by raceproof: build it with `raceproof cc` or `raceproof c++` as the compiler \
             (CC=\"raceproof cc\"), or give its sources"
        );
    }
    for record in &records {
        let (source, by, here) =
            (&record.about.unit.file, &record.about.raceproof, env!("CARGO_PKG_VERSION"));
        if by != here {
            bail!("`{shown}`: `{source}` was compiled by raceproof {by}, this is {here}; build it again");
        }
        if let Some(error) = &record.about.error {
            bail!("`{shown}`: raceproof could not compile `{source}`: {error}");
        }
    }
    // An object can come into a program twice, by way of a library and directly.
    let mut once: Vec<Record> = Vec::new();
    for record in records {
        if !once.contains(&record) {
            once.push(record);
        }
    }
    Ok(once)
}

/// The sources that have changed since they were compiled.
pub fn changed(records: &[Record]) -> Vec<&str> {
    let differs = |about: &About| {
        std::fs::read(&about.unit.file).is_ok_and(|bytes| report::witness::sha256(&bytes) != about.sha256)
    };
    records
        .iter()
        .map(|record| &record.about)
        .filter(|about| differs(about))
        .map(|about| about.unit.file.as_str())
        .collect()
}

/// How each source was compiled.
pub fn units(records: Vec<Record>) -> Vec<BuildUnit> {
    let shown = |unit: BuildUnit| BuildUnit { file: super::shown(Path::new(&unit.file)), ..unit };
    records.into_iter().map(|record| shown(record.about.unit)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(file: &str) -> Record {
        let unit = BuildUnit { file: file.into(), directory: "/b".into(), flags: vec!["-DA".into()] };
        let about =
            About { unit, sha256: "0".into(), raceproof: env!("CARGO_PKG_VERSION").into(), error: None };
        Record { about, directives: ir::Directives::new("a.c", Vec::new()), bitcode: b"BC".to_vec() }
    }

    #[test]
    fn records_come_back_from_programs_with_several_objects() {
        let (one, two) = (record("/s/a.c"), record("/s/b.c"));
        let mut section = one.write().unwrap();
        section.extend([0; 3]);
        section.extend(two.write().unwrap());
        assert_eq!(parse(&section), Some(vec![one.clone(), two.clone()]));
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("program");
        section.extend(one.write().unwrap());
        std::fs::write(&file, elf::object(SECTION, &section, 64)).unwrap();
        assert!(is_built(&file));
        assert_eq!(read(&file).unwrap(), [one, two]);
        for cut in 1..section.len() {
            let _ = parse(&section[..cut]);
        }
    }

    #[test]
    fn what_cannot_be_used_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.o");
        let error = |section: &[u8]| {
            std::fs::write(&file, elf::object(SECTION, section, 64)).unwrap();
            format!("{:#}", read(&file).unwrap_err())
        };
        assert!(error(b"").contains("was not built by raceproof"));
        assert!(error(b"x").contains("garbled; build it again"));
        let mut old = record("/s/a.c");
        old.about.raceproof = "0.0.1".into();
        assert!(error(&old.write().unwrap()).contains("compiled by raceproof 0.0.1"));
        let mut failed = record("/s/a.c");
        failed.about.error = Some("a.c:1:1: error: no".into());
        assert!(error(&failed.write().unwrap()).contains("could not compile `/s/a.c`: a.c:1:1: error: no"));
    }
}
