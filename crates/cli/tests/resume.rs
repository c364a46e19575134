//! Checks that are ended and gone on with.
#![cfg(feature = "llvm")]

use std::path::Path;
use std::process::{Command, Output};

use base::{CheckReport, Verdict};

/// Four threads that take two locks in turn; with `-D RACE`, the last one forgets it at its end.
const PROGRAM: &str = "#include <pthread.h>
static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static long x[2], y;
static void *f(void *p) {
    long me = (long)p;
    for (int i = 0; i < 6; i++) {
        pthread_mutex_lock(&m[(me + i) % 2]);
        x[(me + i) % 2] = me;
        pthread_mutex_unlock(&m[(me + i) % 2]);
    }
#ifdef RACE
    if (x[0] == 3) y++;
#endif
    return p;
}
int main(void) {
    pthread_t t[4];
    for (long i = 0; i < 4; i++) pthread_create(&t[i], 0, f, (void *)i);
    for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
    return (int)y;
}
";

fn raceproof(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_raceproof"))
        .current_dir(folder)
        .args(args)
        .output()
        .expect("raceproof runs")
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.c"), PROGRAM).expect("a file");
    folder
}

const CHECK: [&str; 8] =
    ["check", "p.c", "--no-cache", "--engine", "race-graph", "--jobs", "1", "--judge=off"];

fn check(folder: &Path, more: &[&str]) -> (CheckReport, String) {
    let args: Vec<&str> = CHECK.iter().chain(more).copied().chain(["--format", "json"]).collect();
    let output = raceproof(folder, &args);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    (serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {stderr}")), stderr)
}

/// The answer is the same, and so is the work.
#[test]
fn a_check_in_parts_has_the_same_answer() {
    let folder = folder();
    let (whole, _) = check(folder.path(), &[]);
    assert_eq!(whole.verdict, Verdict::RaceFree, "{:?}", whole.reason_words);
    let states = (whole.stats.states / 4).to_string();
    let (mut parts, stderr) = check(folder.path(), &["--max-states", &states, "--save", "r"]);
    assert!(stderr.contains("--resume r"), "{stderr}");
    let mut rounds = 1;
    while parts.verdict == Verdict::Unknown {
        rounds += 1;
        assert!(rounds < 20, "there is no end to it");
        parts = check(folder.path(), &["--max-states", &states, "--resume", "r"]).0;
    }
    assert!(rounds > 2, "{rounds}");
    assert_eq!(parts.verdict, whole.verdict);
    assert_eq!((parts.stats.states, parts.stats.transitions), (whole.stats.states, whole.stats.transitions));
    assert_eq!(parts.coverage, whole.coverage);
    // Here where a race is found, and by several searches.
    let defined = ["-D", "RACE"];
    let first = [&["--max-states", "2000", "--save", "q"], &defined[..]].concat();
    let next = [&["--resume", "q"], &defined[..]].concat();
    let (mut racy, _) = check(folder.path(), &first);
    if racy.verdict == Verdict::Unknown {
        racy = check(folder.path(), &next).0;
    }
    assert_eq!(racy.verdict, Verdict::Race);
}

/// What was saved is of one program, one set of options, one raceproof.
#[test]
fn other_checks_are_refused() {
    let folder = folder();
    let (ended, _) = check(folder.path(), &["--max-states", "2000", "--save", "r"]);
    assert_eq!(ended.verdict, Verdict::Unknown);
    let refused = |more: &[&str]| {
        let output = raceproof(folder.path(), &[&CHECK[..], more].concat());
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let options = refused(&["--resume", "r", "--max-depth", "9"]);
    assert!(options.contains("other options"), "{options}");
    std::fs::write(folder.path().join("p.c"), PROGRAM.replace("i < 6", "i < 5")).expect("a file");
    let program = refused(&["--resume", "r"]);
    assert!(program.contains("another program"), "{program}");
    let bytes = std::fs::read(folder.path().join("r")).expect("a file");
    let at = bytes.windows(13).position(|w| w == b"\"raceproof\":\"").expect("its version") + 13;
    let mut other = bytes.clone();
    other[at] = b'x';
    std::fs::write(folder.path().join("r"), other).expect("a file");
    let version = refused(&["--resume", "r"]);
    assert!(version.contains("another raceproof"), "{version}");
    std::fs::write(folder.path().join("p.c"), PROGRAM).expect("a file");
    std::fs::write(folder.path().join("r"), &bytes[..bytes.len() - 8]).expect("a file");
    let torn = refused(&["--resume", "r"]);
    assert!(torn.contains("not whole"), "{torn}");
}
