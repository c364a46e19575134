//! `raceproof predict` and `raceproof trace` from outside: the papers' figures, malformed input, forms, witnesses.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use trace::{EventId, Trace};

type PairSet = BTreeSet<(u64, u64)>;

fn raceproof(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_raceproof"))
        .env("XDG_CACHE_HOME", "/dev/null")
        .args(arguments)
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("raceproof runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    // It may refuse the input before reading all of it.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("raceproof ends");
    writer.join().expect("the input is written");
    output
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// Runs and expects this exit code; gives standard output.
#[track_caller]
fn answers(code: i32, arguments: &[&str], input: &[u8]) -> String {
    let output = raceproof(arguments, input);
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{stdout}\n{stderr}");
    stdout
}

/// Refused with exit code 2, nothing on standard output, and all of these parts in the message.
#[track_caller]
fn refused(arguments: &[&str], input: &[u8], parts: &[&str]) {
    let output = raceproof(arguments, input);
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
    assert!(output.stdout.is_empty(), "errors go to standard error");
    assert!(stderr.starts_with("error: ") && stderr.len() < 500, "{stderr}");
    for part in parts {
        assert!(stderr.contains(part), "expected `{part}` in: {stderr}");
    }
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

fn figures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../predict/tests/figures");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 14, "the figures of P4 and the examples of P2");
    files
}

fn figure(name: &str) -> String {
    let path = figures().into_iter().find(|f| f.file_stem().is_some_and(|n| n == name)).expect("a figure");
    path.to_str().expect("UTF-8").to_owned()
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().expect("UTF-8").to_owned()
}

fn pairs(analysis: &Value) -> PairSet {
    let number = |race: &Value, end: &str| race[end]["event"].as_u64().expect("an event number");
    let races = analysis["races"].as_array().expect("races");
    races.iter().map(|race| (number(race, "first"), number(race, "second"))).collect()
}

fn analysis<'a>(report: &'a Value, name: &str) -> &'a Value {
    let analyses = report["analyses"].as_array().expect("analyses");
    analyses.iter().find(|a| a["analysis"] == name).expect("the analysis asked for")
}

/// `2-7` as a pair.
fn pair(words: &str) -> (u64, u64) {
    let (first, second) = words.split_once('-').expect("a pair");
    (first.parse().expect("a number"), second.parse().expect("a number"))
}

/// What a figure's comments say of each analysis holds for the command, and `m2` knows the truth where it says so.
#[test]
fn figures_say_what_every_analysis_finds() {
    let mut claims = 0;
    for file in figures() {
        let name = file.to_str().expect("UTF-8");
        let output = raceproof(
            &[
                "predict",
                name,
                "--analysis",
                "all",
                "--pairs",
                "events",
                "--all-accesses",
                "--format",
                "json",
            ],
            b"",
        );
        let report = json(&text(&output.stdout));
        let m2 = analysis(&report, "m2");
        let expected =
            if m2["races"].as_array().unwrap().is_empty() { [Some(0), Some(3)] } else { [Some(1); 2] };
        assert!(expected.contains(&output.status.code()) || name.contains("eraser"), "{name}");
        for line in std::fs::read_to_string(&file).unwrap().lines() {
            let Some((head, rest)) = line.strip_prefix("# ").and_then(|l| l.split_once(": ")) else {
                continue;
            };
            let words: Vec<&str> = rest.split_whitespace().collect();
            let found = |name: &str| match name {
                "truth" if m2["complete"] == true => Some(pairs(m2)),
                "truth" => None,
                name => Some(pairs(analysis(&report, name))),
            };
            match head {
                "has" | "lacks" => {
                    let Some(found) = found(words[0]) else { continue };
                    assert_eq!(found.contains(&pair(words[1])), head == "has", "{name}: {line}");
                }
                _ if head == "truth" || predict::find(head).is_some() => {
                    let wanted: PairSet = words.iter().filter(|w| **w != "none").map(|w| pair(w)).collect();
                    let Some(found) = found(head) else { continue };
                    assert_eq!(found, wanted, "{name}: {line}");
                }
                _ => continue,
            }
            claims += 1;
        }
    }
    assert!(claims >= 70, "{claims} claims");
}

/// Every witness of every figure: valid by the replay, and as a file a trace in which even HB sees the race.
#[test]
fn witnesses_are_traces_that_end_in_the_race() {
    let mut witnesses = 0;
    for file in figures() {
        let folder = tempfile::tempdir().unwrap();
        let (name, out) = (file.to_str().unwrap(), path(folder.path(), "new/witnesses"));
        let output = raceproof(
            &["predict", name, "--analysis", "m2,syncp,dc-vindicated", "--format", "json", "--witness", &out],
            b"",
        );
        let report = json(&text(&output.stdout));
        let trace = trace::read::read_file(&file).unwrap();
        for a in report["analyses"].as_array().unwrap() {
            for race in a["races"].as_array().unwrap() {
                let number = |end: &str| race[end]["event"].as_u64().unwrap();
                let (first, second) = (number("first"), number("second"));
                let order: Vec<u64> =
                    race["witness"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
                let ids: Vec<EventId> = order.iter().map(|n| EventId(*n as u32 - 1)).collect();
                let id = |n: u64| EventId(n as u32 - 1);
                trace::replay::check(&trace, &ids, (id(first), id(second))).unwrap();
                let written = format!("{out}/{}-{first}-{second}.std", a["analysis"].as_str().unwrap());
                same_events(&trace, &ids, &trace::read::read_file(Path::new(&written)).unwrap());
                let seen = answers(
                    1,
                    &["predict", &written, "--analysis", "hb,shb", "--pairs", "events", "--format", "json"],
                    b"",
                );
                let (seen, length) = (json(&seen), order.len() as u64);
                assert!(pairs(analysis(&seen, "hb")).contains(&(length - 1, length)), "{written}");
                assert!(pairs(analysis(&seen, "shb")).contains(&(length - 1, length)), "{written}");
                witnesses += 1;
            }
        }
    }
    assert!(witnesses >= 60, "{witnesses} witnesses");
}

#[track_caller]
fn same_events(trace: &Trace, ids: &[EventId], written: &Trace) {
    assert_eq!(written.len(), ids.len());
    for (id, (_, e)) in ids.iter().zip(written.iter()) {
        let old = trace.event(*id);
        assert_eq!(trace.names.thread(old.thread), written.names.thread(e.thread));
        assert_eq!(trace.names.location(old.location), written.names.location(e.location));
        let name = |trace: &Trace, op: trace::Op| op.variable().map(|v| trace.names.variable(v).into_owned());
        assert_eq!(name(trace, old.op), name(written, e.op));
    }
}

#[test]
fn json_has_the_documented_fields() {
    let report = json(&answers(1, &["predict", &figure("p4-figure-1a"), "--format", "json"], b""));
    assert_eq!(report["version"], 1);
    assert_eq!(report["verdict"], "race");
    assert_eq!(report["pairs"], "locations");
    let numbers =
        ["events", "threads", "locks", "variables", "locations"].map(|k| report["trace"][k].as_u64());
    assert_eq!(numbers, [7, 2, 1, 1, 7].map(Some));
    let m2 = &report["analyses"][0];
    let race = serde_json::json!({
        "first": {"event": 2, "thread": "T1", "location": "2", "access": "write", "atomic": false},
        "second": {"event": 7, "thread": "T2", "location": "7", "access": "read", "atomic": false},
        "variable": "x", "distance": 5, "event_pairs": 1, "certain": true, "witness": [4, 5, 6, 1, 2, 7],
        "witness_events": 6
    });
    assert_eq!(m2["races"], serde_json::json!([race]));
    assert_eq!((&m2["analysis"], &m2["undecided"], &m2["complete"]), (&"m2".into(), &0.into(), &true.into()));
    assert_eq!(m2["racy_variables"], serde_json::json!(["x"]));
    assert!(m2["seconds"].is_f64() && m2["peak_memory_bytes"].as_u64() > Some(0));
    let shb = &report["analyses"][1];
    assert_eq!((&shb["analysis"], &shb["races"]), (&"shb".into(), &serde_json::json!([])));
}

#[test]
fn exit_codes() {
    let code =
        |arguments: &[&str], input: &str| raceproof(arguments, input.as_bytes()).status.code().unwrap();
    assert_eq!(code(&["predict", &figure("p4-figure-1a")], ""), 1);
    assert_eq!(code(&["predict", &figure("p4-figure-1a"), "--analysis", "shb"], ""), 0);
    assert_eq!(code(&["predict", &figure("p2-task-queue")], ""), 0);
    // No race, but a pair that M2 leaves undecided, if it may not try much.
    assert_eq!(code(&["predict", &figure("p4-figure-9"), "--variable", "z", "--effort", "1"], ""), 3);
    // Reports of an analysis that guarantees nothing; M2 refutes them.
    assert_eq!(code(&["predict", &figure("p2-task-queue"), "--analysis", "eraser"], ""), 3);
    assert_eq!(code(&["predict", &figure("p2-task-queue"), "--analysis", "eraser,m2"], ""), 0);
    assert_eq!(code(&["predict", "-"], "A|w(x)|1\nB|w(x)|2\n"), 1);
    assert_eq!(code(&["predict", "-"], "A|w(x)|1\nB|r(y)|2\n"), 0);
}

#[test]
fn the_text_says_who_found_what() {
    let shown = answers(1, &["predict", &figure("p4-figure-1a")], b"");
    for part in
        ["race: 1 data race in", "event 2  T1  write  at 2", "found by     m2; not by shb", "5 events"]
    {
        assert!(shown.contains(part), "expected `{part}` in:\n{shown}");
    }
    assert!(shown.contains("7          r(x)    <- race\n"), "{shown}");
    let shown = answers(3, &["predict", &figure("p4-figure-9"), "--variable", "z", "--effort", "1"], b"");
    assert!(shown.starts_with("unknown: ") && shown.contains("(line 8)"), "{shown}");
    let shown = answers(0, &["predict", &figure("p2-task-queue"), "--analysis", "m2,eraser"], b"");
    assert!(shown.starts_with("race-free: ") && shown.contains("false alarm 1: "), "{shown}");
    let quiet = answers(1, &["predict", &figure("p4-figure-1a"), "--quiet"], b"");
    assert_eq!(quiet.lines().count(), 1, "{quiet}");
}

#[test]
fn standard_input_and_compression() {
    let plain = std::fs::read(figure("p4-figure-8")).unwrap();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(&plain).unwrap();
    let races =
        |input: &[u8]| pairs(&json(&answers(1, &["predict", "-", "--format", "json"], input))["analyses"][0]);
    assert_eq!(races(&plain), races(&gzip.finish().unwrap()));
    assert_eq!(races(&plain).len(), 5);
}

#[test]
fn one_variable_only() {
    let file = figure("p4-figure-8");
    let report = json(&answers(1, &["predict", &file, "--variable", "y", "--format", "json"], b""));
    assert_eq!(report["variable"], "y");
    assert_eq!(pairs(&report["analyses"][0]), PairSet::from([(1, 4), (4, 11)]));
    refused(&["predict", &file, "--variable", "yy"], b"", &["--variable", "no variable `yy`"]);
}

#[test]
fn repair_keeps_the_numbers_of_the_file() {
    let input = b"A|rel(l)|1\nA|w(x)|2\nB|rel(l)|3\nB|w(x)|4\nB|end|5\nB|w(y)|6\nA|w(y)|7\n";
    refused(
        &["predict", "-"],
        input,
        &["standard input: line 1, event 1 (A)", "nobody holds `l`", "--repair"],
    );
    let report = json(&answers(1, &["predict", "-", "--repair", "--format", "json"], input));
    assert_eq!(report["trace"]["left_out"], serde_json::json!([1, 3, 6]));
    let race = &report["analyses"][0]["races"][0];
    assert_eq!(race["witness"], serde_json::json!([2, 4]));
    assert_eq!((&race["first"]["event"], &race["second"]["event"]), (&2.into(), &4.into()));
}

#[test]
fn wrong_usage_is_refused() {
    let file = figure("p4-figure-1a");
    refused(&["predict", &file, "--analysis", "m3"], b"", &["--analysis", "m2", "`m3`"]);
    refused(&["predict", &file, "--time-limit", "soon"], b"", &["--time-limit", "`soon`"]);
    refused(&["predict", &file, "--jobs", "0"], b"", &["--jobs"]);
    refused(&["predict", "/no/such/trace"], b"", &["cannot read `/no/such/trace`", "No such file"]);
    refused(&["predict", env!("CARGO_MANIFEST_DIR")], b"", &["expected a trace, found a folder"]);
    refused(&["predict", &file, "--witness", &file], b"", &["--witness", "cannot make the folder"]);
    refused(&["trace", "convert", &file, "/tmp/x.doc"], b"", &["cannot tell the form", "--form"]);
    refused(&["trace", "convert", &file, "/no/such/x.std"], b"", &["`/no/such` does not exist"]);
    refused(&["trace", "slice", &file, "-", "--form", "std", "--thread", "T9"], b"", &["no thread `T9`"]);
    refused(&["trace", "slice", &file, "-", "--form", "std", "--from", "5", "--to", "2"], b"", &["--from 5"]);
    refused(&["trace", "slice", &file, "-", "--form", "std", "--from", "50"], b"", &["none of the 7 events"]);
}

/// A trace of a few events in the binary form.
fn binary() -> Vec<u8> {
    let text = "A|acq(l)|1\nA|w(x)|2\nA|rel(l)|3\nA|fork(B)|4\nB|begin|5\nB|r(x)|6\nB|end|7\nA|join(B)|8\n";
    let trace = Trace::parse_std(text).unwrap();
    trace::write::write_trace(&trace, Vec::new(), trace::Format::Binary, trace::Compression::None).unwrap()
}

#[test]
fn malformed_input_is_refused_with_its_place() {
    let long = format!("A|w(x)|1\nA|w({})|2\n", "x".repeat(10 << 20));
    let name = format!("A|w({})|1\n", "x".repeat(5000));
    let lines: [(&str, &str); 36] = [
        ("", "byte 0: expected a trace"),
        ("\n\n", "expected an event"),
        ("# only a comment\n", "expected an event"),
        ("A|w(x)|1\nA|w(x", "line 2: expected `thread|operation(operand)|location`"),
        ("A|w(x)|1\nA|w(x)|", "line 2: expected a location"),
        ("A|w(x)|1\nA\n", "line 2: expected"),
        ("A|w(x)|1|2\n", "line 1: expected three fields"),
        ("A|jump(x)|1\n", "line 1: expected an operation"),
        ("A|W(x)|1\n", "line 1: expected an operation"),
        ("A||1\n", "line 1: expected an operation"),
        ("A|w|1\n", "line 1: expected `(`"),
        ("A|w(x|1\n", "line 1: expected `)`"),
        ("A|w()|1\n", "line 1: expected a name"),
        ("|w(x)|1\n", "line 1: expected a name"),
        ("A|begin(B)|1\n", "line 1: expected no operand"),
        ("A|w(x)|1\n\u{feff}B|w(x)|1\n", "line 2: expected a name that does not start with"),
        ("A|w(a\0b)|1\n", "line 1: expected"),
        (&name, "line 1: expected"),
        (&long, "line 2: expected a line of at most"),
        ("A|rel(l)|1\n", "line 1, event 1 (A): expected a release"),
        ("A|acq(l)|1\nB|acq(l)|2\n", "line 2, event 2 (B): expected a free lock"),
        ("A|acq(l)|1\nB|rel(l)|2\n", "line 2, event 2 (B): expected a release"),
        ("A|fork(B)|1\nB|w(x)|2\nA|join(B)|3\nB|w(x)|4\n", "line 4, event 4 (B): expected no event"),
        ("A|end|1\nA|w(x)|2\n", "line 2, event 2 (A): expected no event"),
        ("B|w(x)|1\nA|fork(B)|2\n", "line 2, event 2 (A): expected a fork"),
        ("A|fork(B)|1\nA|fork(B)|2\n", "line 2, event 2 (A): expected a fork"),
        ("A|fork(A)|1\n", "line 1, event 1 (A): expected a fork"),
        ("A|join(A)|1\n", "line 1, event 1 (A): expected a join"),
        ("A|w(x)|1\n\n# x\nA|begin|2\n", "line 4, event 2 (A): expected `begin`"),
        ("A,B\nw(x)\n", "line 2: expected 2 columns"),
        ("A,B\n,\n", "line 2: expected an event in one"),
        ("A,B\nw(x),w(x)\n", "line 2: expected an event in one"),
        ("A,A\nw(x),\n", "line 1: expected a column for each thread"),
        ("A,B\n\"w(x),\n", "line 2: expected a closing"),
        ("A,B\n\"w(x)\"z,\n", "line 2: expected `,`"),
        ("A,B\nfly(x),\n", "line 2: expected an operation"),
    ];
    for (input, message) in lines {
        refused(&["predict", "-"], input.as_bytes(), &["standard input: ", message]);
    }
    refused(&["predict", "-"], b"A|w(x)|1\nA|w(\xff)|2\n", &["line 2: expected", "UTF-8"]);
    let good = binary();
    assert_eq!(raceproof(&["predict", "-"], &good).status.code(), Some(0));
    refused(&["predict", "-"], &good[..6], &["byte 0: expected the magic"]);
    refused(&["predict", "-"], &good[..good.len() - 13], &["byte", "truncated"]);
    let mut changed = good.clone();
    changed[30] ^= 1;
    refused(&["predict", "-"], &changed, &["byte 9"]);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all("A|w(x)|1\n".repeat(2000).as_bytes()).unwrap();
    let gzip = gzip.finish().unwrap();
    refused(&["predict", "-"], &gzip[..gzip.len() - 10], &["byte", "an intact gzip stream"]);
    // The other commands read with the same words.
    refused(&["trace", "info", "-"], b"A|rel(l)|1\n", &["line 1, event 1 (A)"]);
    refused(&["trace", "convert", "-", "-", "--form", "csv"], b"A|w(x\n", &["line 1"]);
}

/// A chain of conversions through all forms gives the same text, re-entrant locks and awkward names included.
#[test]
fn converting_there_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let input = "T 1|acq(l)|a,b.c:1\nT 1|acq(l)|2\nT 1|w(a[0,1])|\"3\"\nT 1|rel(l)|4\nT 1|rel(l)|5\n\
                 T 1|fork(ü)|6\nü|begin|7\nü|ar(f)|8\nü|barrier(b)|9\nü|end|10\nT 1|join(ü)|11\n";
    let names = ["a.std", "b.csv", "c.rpt", "d.csv.gz", "e.bin.zst", "f.std.gz", "g.csv.zst", "h.txt"];
    let files: Vec<String> = names.iter().map(|name| path(folder.path(), name)).collect();
    std::fs::write(&files[0], input).unwrap();
    for two in files.windows(2) {
        answers(0, &["trace", "convert", &two[0], &two[1]], b"");
    }
    assert_eq!(std::fs::read_to_string(&files[7]).unwrap(), input);
    let magic = |file: usize| std::fs::read(&files[file]).unwrap()[..4].to_vec();
    assert_eq!(magic(3)[..2], [0x1f, 0x8b]);
    assert_eq!(magic(4), [0x28, 0xb5, 0x2f, 0xfd]);
    assert_eq!(magic(2), trace::binary::MAGIC[..4]);
    let through = raceproof(
        &["trace", "convert", "-", "-", "--form", "binary", "--compress", "gzip"],
        input.as_bytes(),
    );
    assert_eq!(answers(0, &["trace", "convert", "-", "-", "--form", "std"], &through.stdout), input);
}

#[test]
fn a_failed_conversion_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let out = path(folder.path(), "a.std");
    std::fs::write(&out, "before").unwrap();
    refused(&["trace", "convert", "-", &out], b"A|w(x)|1\nA|w(x\n", &["line 2"]);
    assert_eq!(std::fs::read_to_string(&out).unwrap(), "before");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn slices() {
    let file = figure("p4-figure-1a");
    let slice = |options: &[&str]| {
        let arguments = [&["trace", "slice", &file, "-", "--form", "std"][..], options].concat();
        answers(0, &arguments, b"")
    };
    assert_eq!(slice(&["--from", "2", "--to", "5"]), "T1|w(x)|2\nT2|acq(l)|4\nT2|w(x)|5\n");
    assert_eq!(slice(&["--thread", "T1"]), "T1|acq(l)|1\nT1|w(x)|2\nT1|rel(l)|3\n");
    let input = b"A|acq(l)|1\nA|w(x)|2\nA|w(y)|3\nA|rel(l)|4\nB|r(y)|5\n";
    let kept = answers(0, &["trace", "slice", "-", "-", "--form", "std", "--variable", "y"], input);
    assert_eq!(kept, "A|acq(l)|1\nA|w(y)|3\nA|rel(l)|4\nB|r(y)|5\n");
}

#[test]
fn info_counts() {
    let input =
        b"A|fork(B)|1\nA|acq(l)|2\nA|acq(m)|3\nA|w(x)|4\nA|rel(m)|5\nA|rel(l)|6\nB|acq(l)|7\nB|ar(y)|8\n";
    let info = json(&answers(0, &["trace", "info", "-", "--format", "json"], input));
    let number = |key: &str| info[key].as_u64().unwrap();
    assert_eq!(["events", "threads", "locks", "variables", "locations"].map(number), [8, 2, 2, 2, 8]);
    assert_eq!(["reads", "writes", "atomics", "acquires", "forks"].map(number), [0, 1, 1, 3, 1]);
    let sections = serde_json::json!({
        "count": 2, "held_at_end": 1, "deepest": 2, "mean_length": 2.0, "longest": 3
    });
    assert_eq!(info["sections"], sections);
    let shown = answers(0, &["trace", "info", "-"], input);
    assert!(
        shown.contains("2, up to 2 deep, 2.0 events long on average and at most 3; 1 lock still held"),
        "{shown}"
    );
}

#[test]
fn generated_traces_are_the_same_each_time() {
    let make = || {
        raceproof(&["trace", "generate", "-", "--form", "std", "--events", "5k", "--seed", "7"], b"").stdout
    };
    let trace = make();
    assert_eq!(trace, make());
    let report = json(&answers(1, &["predict", "-", "--format", "json", "--analysis", "m2,hb"], &trace));
    assert!(report["trace"]["events"].as_u64() >= Some(5000));
    // What was planted is found: 20 races nearby (a quarter of them hidden from happens-before), 10 far apart.
    let number = |name: &str| analysis(&report, name)["races"].as_array().unwrap().len();
    assert_eq!((number("m2"), number("hb")), (30, 15));
    assert_eq!(analysis(&report, "m2")["complete"], true);
    let races = analysis(&report, "m2")["races"].as_array().unwrap();
    assert_eq!(races.iter().filter(|race| race["distance"].as_u64() > Some(3500)).count(), 10);
}

/// Long witnesses are left out of the report, the shortest stay, and all are written where a folder is given.
#[test]
fn long_witnesses_can_be_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (path(folder.path(), "a.rpt"), path(folder.path(), "witnesses"));
    answers(0, &["trace", "generate", &file, "--events", "2k"], b"");
    let lengths = |options: &[&str]| -> Vec<(u64, bool)> {
        let arguments = [&["predict", &file, "--analysis", "m2", "--format", "json"][..], options].concat();
        let report = json(&answers(1, &arguments, b""));
        let race = |race: &Value| (race["witness_events"].as_u64().unwrap(), race["witness"].is_array());
        report["analyses"][0]["races"].as_array().unwrap().iter().map(race).collect()
    };
    let all = lengths(&[]);
    assert!(all.len() == 30 && all.iter().all(|race| race.1));
    assert!(lengths(&["--no-witness"]).iter().all(|race| !race.1 && race.0 > 0));
    let some = lengths(&["--witness-events", "5k", "--witness", &out]);
    let spelled: Vec<u64> = some.iter().filter(|race| race.1).map(|race| race.0).collect();
    let longest = *spelled.iter().max().unwrap();
    assert!(spelled.iter().sum::<u64>() <= 5000 && spelled.len() < 30);
    assert!(some.iter().all(|race| race.1 || race.0 >= longest));
    assert_eq!(std::fs::read_dir(&out).unwrap().count(), 30);
    let shown = answers(1, &["predict", &file, "--analysis", "m2", "--no-witness"], b"");
    assert!(shown.contains("events, too long to be shown; --witness DIR writes it"), "{shown}");
}

/// Threads that all nest two locks around accesses to one variable: nearly every pair of events needs a decision.
fn hard(threads: u32, rounds: u32) -> String {
    let mut text = String::new();
    for _ in 0..rounds {
        for t in 0..threads {
            let (one, two) = (t.min((t + 1) % threads), t.max((t + 1) % threads));
            text += &format!("T{t}|acq(l{one})|1\nT{t}|w(x)|2\nT{t}|acq(l{two})|3\nT{t}|w(y{two})|4\n");
            text += &format!("T{t}|rel(l{two})|5\nT{t}|rel(l{one})|6\n");
        }
    }
    text
}

#[test]
fn a_time_limit_returns_what_was_found() {
    let input = hard(16, 200);
    let began = std::time::Instant::now();
    let arguments =
        ["predict", "-", "--analysis", "m2", "--pairs", "events", "--format", "json", "--time-limit", "1"];
    let output = raceproof(&arguments, input.as_bytes());
    assert!(began.elapsed().as_secs() < 60, "the limit was one second");
    let report = json(&text(&output.stdout));
    let m2 = &report["analyses"][0];
    assert_eq!(m2["stopped"], true);
    assert_eq!(m2["complete"], false);
    let races = m2["races"].as_array().unwrap();
    assert!(
        races.iter().all(|race| race["witness_events"].as_u64() > Some(1)),
        "what is reported has a witness"
    );
    assert_eq!(output.status.code(), Some(if races.is_empty() { 3 } else { 1 }));
}

/// Every analysis keeps the limit on a trace where all pairs are asked for, and says so.
#[test]
fn every_analysis_keeps_the_time_limit() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(folder.path(), "hard.std");
    std::fs::write(&file, hard(16, 150)).unwrap();
    for entry in predict::registry() {
        let arguments = [
            "predict",
            &file,
            "--analysis",
            entry.name,
            "--pairs",
            "events",
            "--format",
            "json",
            "--no-witness",
            "--time-limit",
            "0.2",
            "--output",
            "/dev/null",
        ];
        let began = std::time::Instant::now();
        let output = raceproof(&arguments, b"");
        // Generous, for the machine may be busy; without the limit some take minutes.
        assert!(began.elapsed().as_secs() < 180, "{}: {:?}", entry.name, began.elapsed());
        assert!(matches!(output.status.code(), Some(0 | 1 | 3)), "{}", text(&output.stderr));
    }
    let stopped = raceproof(&["predict", &file, "--pairs", "events", "--time-limit", "0.5"], b"");
    let stopped = text(&stopped.stdout);
    assert!(stopped.contains("the time limit was reached"), "{stopped}");
    assert!(stopped.contains("\nstopped      m2 by the time limit: "), "{stopped}");
}

/// A pipe that gives nothing more does not hold the answer back.
#[test]
fn a_silent_pipe_is_waited_for_only_until_the_limit() {
    for more in [&[][..], &["--variable", "x"], &["--repair"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_raceproof"))
            .env("XDG_CACHE_HOME", "/dev/null")
            .args(["predict", "-", "--time-limit", "4", "--format", "json"])
            .args(more)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("raceproof runs");
        let mut stdin = child.stdin.take().expect("a pipe");
        stdin.write_all(b"A|w(x)|1\nB|w(x)|2\nB|w(").expect("it reads");
        let output = child.wait_with_output().expect("it ends although the pipe is open");
        drop(stdin);
        let report = json(&text(&output.stdout));
        assert_eq!(report["trace"]["stopped"], true, "{more:?}");
        assert_eq!(report["trace"]["events"], 2, "{more:?}");
        assert_eq!(pairs(&report["analyses"][0]), PairSet::from([(1, 2)]), "{more:?}");
    }
}

#[test]
fn jobs_do_not_change_the_answer() {
    let input = hard(4, 12);
    let races = |jobs: &str| {
        let arguments =
            ["predict", "-", "--analysis", "m2", "--pairs", "events", "--format", "json", "--jobs", jobs];
        json(&answers(1, &arguments, input.as_bytes()))["analyses"][0]["races"].clone()
    };
    assert_eq!(races("1"), races("2"));
}

/// A run that `check` writes is a well-formed trace, and prediction finds the program's race in it.
#[cfg(feature = "llvm")]
#[test]
fn a_run_of_a_program_is_predicted() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for (program, check, predict) in [("bank.c", 1, 1), ("bank_fixed.c", 0, 0), ("queue.c", 0, 0)] {
        let source = examples.join(program).to_string_lossy().into_owned();
        let trace = folder.path().join(format!("{program}.std.zst")).to_string_lossy().into_owned();
        answers(check, &["check", &source, "--trace-out", &trace, "--quiet"], b"");
        let found = answers(predict, &["predict", &trace, "--analysis", "m2,hb", "--format", "json"], b"");
        let found: Value = serde_json::from_str(&found).expect("JSON");
        let races = found["analyses"][0]["races"].as_array().expect("a list").len();
        assert_eq!(races > 0, predict == 1, "{program}: {found}");
    }
}
