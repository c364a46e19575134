//! Witness files are read back as they were written, and refused with a reason when they are something else.

mod samples;

use report::json;
use report::witness::{FORMAT, Parsed, SourceHash, VERSION, WitnessFile, files_of, parse, sha256};

fn witness() -> WitnessFile {
    WitnessFile {
        format: FORMAT.into(),
        version: VERSION,
        raceproof: "0.1.0".into(),
        command: vec!["raceproof".into(), "check".into(), "counter.c".into()],
        directory: "/tmp".into(),
        inputs: vec!["counter.c".into()],
        sources: vec![SourceHash { file: "counter.c".into(), sha256: sha256(samples::COUNTER.as_bytes()) }],
        report: samples::race(),
    }
}

#[test]
fn a_witness_is_read_back() {
    let text = serde_json::to_string_pretty(&witness()).unwrap();
    assert_eq!(parse(&text), Ok(Parsed::Witness(Box::new(witness()))));
}

#[test]
fn a_plain_report_is_read_as_well() {
    for report in
        [samples::race(), samples::deadlock(), samples::unknown(samples::late(), None), samples::two_files()]
    {
        assert_eq!(parse(&json::render(&report)), Ok(Parsed::Report(Box::new(json::worded(&report)))));
    }
}

#[test]
fn other_files_are_refused_with_a_reason() {
    assert!(parse("int main").unwrap_err().contains("it is no JSON"));
    assert!(parse("{}").unwrap_err().contains("found neither"));
    assert!(parse("[]").unwrap_err().contains("found neither"));
    let newer = serde_json::to_string(&WitnessFile { version: 99, ..witness() }).unwrap();
    assert!(parse(&newer).unwrap_err().contains("found version 99"));
    assert!(parse(r#"{"format": "raceproof-witness", "version": 1}"#).unwrap_err().contains("incomplete"));
    assert!(parse(r#"{"verdict": "race"}"#).unwrap_err().contains("found none"));
}

#[test]
fn hashes_are_those_of_sha256sum() {
    assert_eq!(sha256(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

#[test]
fn every_file_is_listed_once() {
    let files = files_of(&samples::two_files(), &["src/main.c".into()]);
    assert_eq!(files, ["src/main.c", "src/queue.c"]);
}
