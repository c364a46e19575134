//! The file that `raceproof check --witness` writes and `raceproof replay` reads.
//!
//! It is the report itself with what is needed to compile the same program again: the command line, the inputs, the
//! version that wrote it, and a hash of every source file, so that `replay` can say when a source has changed. A plain
//! report (`--format json`) is read as well; only the hashes are missing then. `docs/formats.md` shows both.

use base::CheckReport;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// What the field `format` of a witness file says.
pub const FORMAT: &str = "raceproof-witness";
/// The version of the witness file's own fields; the report in it has its own.
pub const VERSION: u32 = 1;

/// A witness file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WitnessFile {
    /// Always [`FORMAT`].
    pub format: String,
    /// Always [`VERSION`].
    pub version: u32,
    /// The version of raceproof that wrote the file. The meaning of choices may differ between versions.
    pub raceproof: String,
    /// The command line of the check.
    pub command: Vec<String>,
    /// The directory in which the check ran; relative names are relative to it.
    pub directory: String,
    /// The files that were given to the compiler, as typed.
    pub inputs: Vec<String>,
    /// The hashes of the inputs and of every other source file that the findings lie in.
    pub sources: Vec<SourceHash>,
    /// The report, with the findings and their choices, the bounds and the compiler flags.
    pub report: CheckReport,
}

/// A source file and the hash of its content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceHash {
    /// The file's name, as in the report.
    pub file: String,
    /// SHA-256 of its bytes, in hexadecimal, as `sha256sum` prints it.
    pub sha256: String,
}

/// SHA-256 of some bytes in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Every file that a report points into, its inputs first, each once.
pub fn files_of(report: &CheckReport, inputs: &[String]) -> Vec<String> {
    let mut files: Vec<String> = inputs.to_vec();
    let sides = report.races.iter().flat_map(|race| [&race.first, &race.second]);
    files.extend(report.files.iter().cloned());
    files.extend(sides.map(|side| side.place.file.clone()));
    files.extend(report.defects.iter().map(|defect| defect.location.file.clone()));
    let mut seen = std::collections::BTreeSet::new();
    files.retain(|file| seen.insert(file.clone()));
    files
}

/// What a witness file was read as.
#[derive(Debug, Clone, PartialEq)]
pub enum Parsed {
    /// A file by `--witness`.
    Witness(Box<WitnessFile>),
    /// A plain report by `--format json`.
    Report(Box<CheckReport>),
}

/// Reads a witness file or a plain report; the error says what was expected and what was found.
pub fn parse(text: &str) -> Result<Parsed, String> {
    let value: serde_json::Value = serde_json::from_str(text).map_err(|error| {
        format!("expected the JSON of `raceproof check --witness FILE`, but it is no JSON: {error}")
    })?;
    let version = value.get("version").and_then(serde_json::Value::as_u64);
    if value.get("format").and_then(serde_json::Value::as_str) == Some(FORMAT) {
        check_version("witness", version, VERSION)?;
        let file =
            serde_json::from_value(value).map_err(|error| format!("the witness is incomplete: {error}"))?;
        return Ok(Parsed::Witness(Box::new(file)));
    }
    if value.get("verdict").is_some() {
        check_version("report", version, base::SCHEMA_VERSION)?;
        let report =
            serde_json::from_value(value).map_err(|error| format!("the report is incomplete: {error}"))?;
        return Ok(Parsed::Report(Box::new(report)));
    }
    Err("expected a witness (with \"format\": \"raceproof-witness\") or a report (with \"verdict\"), found neither"
        .to_owned())
}

fn check_version(what: &str, found: Option<u64>, expected: u32) -> Result<(), String> {
    match found {
        Some(found) if found == u64::from(expected) => Ok(()),
        Some(found) => {
            Err(format!("this raceproof reads version {expected} of a {what}, found version {found}"))
        }
        None => Err(format!("expected \"version\": {expected} in the {what}, found none")),
    }
}
