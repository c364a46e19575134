//! Certificate files: [`CertificateFile`] is what `raceproof check --certificate` writes and `raceproof certify` reads: the certificates, with what is
//! needed to compile the same program again, as in a witness. `docs/formats.md` shows it.

use base::CheckReport;
use report::witness::SourceHash;
use serde::{Deserialize, Serialize};

/// What the field `format` of a certificate file says.
pub const FORMAT: &str = "raceproof-certificate";
/// The version of the file's own fields; certificates have their own.
pub const VERSION: u32 = 1;

/// A certificate file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CertificateFile {
    /// Always [`FORMAT`].
    pub format: String,
    /// Always [`VERSION`].
    pub version: u32,
    /// The version of raceproof that wrote the file.
    pub raceproof: String,
    /// The command line of the check.
    pub command: Vec<String>,
    /// The directory in which the check ran; relative names are relative to it.
    pub directory: String,
    /// The files that were given to the compiler, as typed.
    pub inputs: Vec<String>,
    /// The hashes of the inputs.
    pub sources: Vec<SourceHash>,
    /// The report, with the bounds and the compiler flags.
    pub report: CheckReport,
    /// For each of its bounds, the certificate.
    pub certificates: Vec<serde_json::Value>,
}

/// Reads a certificate file; the error says what was expected and what was found.
pub fn parse(text: &str) -> Result<CertificateFile, String> {
    let value: serde_json::Value = serde_json::from_str(text).map_err(|error| {
        format!("expected the JSON of `raceproof check --certificate FILE`, but it is no JSON: {error}")
    })?;
    if value.get("format").and_then(serde_json::Value::as_str) != Some(FORMAT) {
        return Err("expected a certificate (with \"format\": \"raceproof-certificate\"), found none".into());
    }
    match value.get("version").and_then(serde_json::Value::as_u64) {
        Some(version) if version == u64::from(VERSION) => {}
        found => {
            let found = found.map_or("none".to_owned(), |version| format!("version {version}"));
            return Err(format!(
                "this raceproof reads version {VERSION} of a certificate file, found {found}"
            ));
        }
    }
    let file: CertificateFile =
        serde_json::from_value(value).map_err(|error| format!("the certificate is incomplete: {error}"))?;
    if file.certificates.len() != file.report.bounds.len() || file.certificates.is_empty() {
        let (found, bounds) = (file.certificates.len(), file.report.bounds.len());
        return Err(format!("expected a certificate for each of {bounds} bounds, found {found}"));
    }
    Ok(file)
}
