//! The command line from outside: usage errors, exit codes, files in and out.

mod expectation;

use std::path::Path;
use std::process::{Command, Output};

use base::{
    Access, AccessKind, Bound, CheckReport, Defect, DefectKind, Place, Race, SCHEMA_VERSION, Stats, Step,
    ThreadLabel, Verdict, Witness,
};

fn raceproof(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raceproof"));
    command
        .current_dir(folder)
        .env("XDG_CACHE_HOME", "/dev/null")
        .args(arguments)
        .output()
        .expect("raceproof runs")
}

/// A folder with a C file in it.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("a.c"), "int x;\nint main(void) { return x; }\n").expect("a file");
    folder
}

/// The arguments are refused with exit code 2, and the message has all of these parts.
fn refused(folder: &Path, arguments: &[&str], parts: &[&str]) {
    let output = raceproof(folder, arguments);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
    assert!(output.stdout.is_empty(), "{arguments:?}: errors go to standard error");
    for part in parts {
        assert!(stderr.contains(part), "{arguments:?}: expected `{part}` in: {stderr}");
    }
}

#[test]
fn wrong_usage_is_refused() {
    let folder = folder();
    let refused = |arguments: &[&str], parts: &[&str]| refused(folder.path(), arguments, parts);
    refused(&[], &["Usage"]);
    refused(&["chekc", "a.c"], &["check"]);
    refused(&["check"], &["FILE"]);
    refused(&["check", "a.c", "--theads", "2"], &["--threads"]);
    refused(&["check", "a.c", "--threads", "0"], &["--threads", "from 1 to 1024", "`0`"]);
    refused(&["check", "a.c", "--threads", "4..1"], &["did you mean `1..4`"]);
    refused(&["check", "a.c", "--arg", "5..1"], &["--arg", "did you mean `1..5`"]);
    refused(&["check", "a.c", "--define", "1=2"], &["--define", "expected NAME"]);
    refused(&["check", "a.c", "--arg", "1..100000"], &["300000 combinations", "narrow"]);
    refused(&["check", "a.c", "--time-limit", "soon"], &["--time-limit", "such as 90", "`soon`"]);
    refused(&["check", "a.c", "--memory-limit", "4X"], &["--memory-limit", "such as 512M", "`4X`"]);
    refused(&["check", "a.c", "--max-states", "0"], &["--max-states", "above 0"]);
    refused(&["check", "a.c", "--max-depth=-1"], &["--max-depth"]);
    refused(&["check", "a.c", "--format", "yaml"], &["text", "json"]);
    refused(&["check", "a.c", "--color", "red"], &["auto", "always", "never"]);
    refused(&["check", "a.c", "--quiet", "--verbose"], &["cannot be used with"]);
}

#[test]
fn wrong_files_are_refused() {
    let folder = folder();
    std::fs::write(folder.path().join("a.py"), "").expect("a file");
    std::fs::write(folder.path().join("a.bc"), "").expect("a file");
    std::fs::create_dir(folder.path().join("d.c")).expect("a folder");
    let refused = |arguments: &[&str], parts: &[&str]| refused(folder.path(), arguments, parts);
    refused(&["check", "missing.c"], &["cannot read `missing.c`", "No such file"]);
    refused(&["check", "a.c", "missing.c"], &["`missing.c`"]);
    refused(&["check", "a.py"], &["expected a C or C++ file", "`a.py`"]);
    refused(&["check", "d.c"], &["`d.c`", "no file"]);
    refused(&["check", "a.bc", "--define", "N=2"], &["--define", "no effect"]);
    refused(&["check", "a.c", "--output", "none/report.json"], &["--output", "`none`", "does not exist"]);
    refused(&["check", "a.c", "--witness", "d.c"], &["--witness", "folder"]);
}

#[test]
fn help_and_version_work() {
    let folder = folder();
    for arguments in [&["--help"][..], &["check", "--help"], &["replay", "-h"], &["--version"]] {
        let output = raceproof(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert!(!output.stdout.is_empty());
    }
    let help = String::from_utf8(raceproof(folder.path(), &["check", "--help"]).stdout).expect("UTF-8");
    assert!(help.contains("Exit codes: 0 race-free, 1 race or defect"));
}

fn place(line: u32) -> Place {
    Place { file: "a.c".into(), line, column: 5 }
}

fn race(variable: &str, first: u32, second: u32) -> Race {
    let side = |id: u32, line, access| Access {
        place: place(line),
        access,
        atomic: false,
        thread: ThreadLabel { id, name: format!("thread {id}").into(), created: None },
        locks: vec![],
        stack: vec![],
        strand: None,
        constructs: Vec::new(),
    };
    Race {
        variable: variable.into(),
        first: side(1, first, AccessKind::Write),
        second: side(2, second, AccessKind::Read),
        hint: None,
        witness: Witness { choices: vec![1], ..Witness::default() },
    }
}

fn deadlock(lines: [u32; 2]) -> Defect {
    let wait = |thread: u32, line| Step { thread, place: place(line), action: "waits".into() };
    Defect {
        kind: DefectKind::Deadlock,
        message: "threads wait for each other".into(),
        location: place(lines[0]),
        thread: ThreadLabel { id: 1, name: "thread 1".into(), created: None },
        stack: vec![],
        waiting: vec![wait(1, lines[0]), wait(2, lines[1])],
        witness: Witness::default(),
    }
}

fn report(verdict: Verdict, races: Vec<Race>, defects: Vec<Defect>) -> CheckReport {
    CheckReport {
        version: SCHEMA_VERSION,
        verdict,
        reason: None,
        reason_place: None,
        bounds: vec![Bound { threads: 2, ..Bound::default() }],
        races,
        defects,
        assumptions: vec![],
        stats: Stats::default(),
        files: vec!["a.c".into()],
        flags: vec![],
        build: None,
        cached: None,
        ..CheckReport::default()
    }
}

fn write_report(folder: &Path, report: &CheckReport) {
    let text = serde_json::to_string(report).expect("a report is JSON");
    std::fs::write(folder.join("report.json"), text).expect("a file");
}

#[test]
fn wrong_witnesses_are_refused() {
    let folder = folder();
    let refused = |arguments: &[&str], parts: &[&str]| refused(folder.path(), arguments, parts);
    refused(&["replay"], &["WITNESS"]);
    refused(&["replay", "none.json"], &["cannot read `none.json`"]);
    refused(&["replay", "a.c"], &["`a.c`", "no JSON"]);
    write_report(folder.path(), &report(Verdict::RaceFree, vec![], vec![]));
    refused(&["replay", "report.json"], &["no finding to replay"]);
    write_report(folder.path(), &report(Verdict::Race, vec![race("x", 1, 2)], vec![]));
    refused(&["replay", "report.json", "--finding", "2"], &["--finding", "from 1 to 1", "found 2"]);
    refused(&["replay", "report.json", "--finding", "0"], &["--finding", "from 1 to 1"]);
    refused(&["replay", "report.json", "--step", "9"], &["--step", "from 0 to 0", "found 9"]);
    let mut lost = report(Verdict::Race, vec![race("x", 1, 2)], vec![]);
    lost.bounds.clear();
    write_report(folder.path(), &lost);
    refused(&["replay", "report.json"], &["bound 0", "has 0"]);
}

#[test]
fn answers_are_compared_exactly() {
    let wrong = |header: &str, report: &CheckReport| {
        expectation::compare(&header::Header::parse(header).expect("a header"), report).len()
    };
    let one = report(Verdict::Race, vec![race("a[3]", 4, 9)], vec![]);
    assert_eq!(wrong("//@ verdict: race\n//@ race: a[3] 4 9", &one), 0);
    assert_eq!(wrong("//@ verdict: race\n//@ race: a[3] 9 4", &one), 0);
    assert_eq!(wrong("//@ verdict: race\n//@ race: a[*] 4 9", &one), 0);
    assert_eq!(
        wrong("//@ verdict: race\n//@ race: a[2] 4 9", &one),
        0,
        "which element is shown does not matter"
    );
    assert_eq!(wrong("//@ verdict: race\n//@ race: b[3] 4 9", &one), 2);
    assert_eq!(wrong("//@ verdict: race\n//@ race: a[3] 4 4", &one), 2);
    assert_eq!(wrong("//@ verdict: race\n//@ race: b.c:4 4 9", &one), 2);
    assert_eq!(wrong("//@ verdict: race", &one), 1);
    assert_eq!(wrong(&expectation::header(&one), &one), 0);
    assert_eq!(wrong("//@ verdict: race\n//@ races: at-least", &one), 0);
    assert_eq!(wrong("//@ verdict: race-free", &one), 2);

    let stuck = report(Verdict::Defect, vec![], vec![deadlock([5, 11])]);
    assert_eq!(wrong("//@ verdict: defect\n//@ defect: deadlock 11", &stuck), 0);
    assert_eq!(wrong("//@ verdict: defect\n//@ defect: deadlock", &stuck), 0);
    assert_eq!(wrong("//@ verdict: defect\n//@ defect: deadlock 12", &stuck), 2);
    assert_eq!(wrong("//@ verdict: defect\n//@ defect: assertion 5", &stuck), 2);

    let mut open = report(Verdict::Unknown, vec![], vec![]);
    open.reason_words = Some("inline assembly is not supported".into());
    open.reason_place = Some(place(3));
    assert_eq!(wrong("//@ verdict: unknown\n//@ reason: inline assembly\n//@ reason-line: 3", &open), 0);
    assert_eq!(wrong("//@ verdict: unknown\n//@ reason: setjmp\n//@ reason-line: 4", &open), 2);
}

#[test]
fn any_index_matches_only_an_index() {
    assert!(expectation::matches_variable("a[*].b[*]", "a[3].b[10]"));
    assert!(expectation::matches_variable("x", "x"));
    assert!(expectation::matches_variable("y[*]", "y[row[k]]"));
    assert!(!expectation::matches_variable("a[*]", "a"));
    assert!(!expectation::matches_variable("a[*]", "ab[3]"));
    assert!(!expectation::matches_variable("a[*]", "a[3].x"));
}

#[cfg(feature = "llvm")]
const PROVED: &str = "
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static void *work(void *arg) {
    pthread_mutex_lock(&m);
    sum++;
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return sum != 2;
}
";

#[test]
#[cfg(feature = "llvm")]
fn a_certificate_is_written_and_checked_and_refused_if_it_does_not_hold() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("p.c"), PROVED).expect("a file");
    let output = raceproof(folder.path(), &["check", "p.c", "--certificate", "c.json", "--threads", "2"]);
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{stdout}");
    assert!(stdout.contains("certified"), "{stdout}");

    let output = raceproof(folder.path(), &["certify", "c.json"]);
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{stdout}");
    assert!(stdout.starts_with("certified: "), "{stdout}");

    // Another lock than the one that is held.
    let text = std::fs::read_to_string(path("c.json")).expect("a certificate");
    let mut file: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let pairs = &mut file["certificates"][0]["cases"][0]["pairs"];
    assert!(!pairs.as_array().expect("pairs").is_empty());
    for pair in pairs.as_array_mut().expect("pairs") {
        pair["reasons"] = serde_json::json!([{ "Lock": [0, 4096] }]);
    }
    std::fs::write(path("other.json"), file.to_string()).expect("a file");
    let output = raceproof(folder.path(), &["certify", "other.json"]);
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{stdout}");
    assert!(stdout.starts_with("refused: ") && stdout.contains("does not hold"), "{stdout}");

    file["certificates"] = serde_json::json!([]);
    std::fs::write(path("none.json"), file.to_string()).expect("a file");
    refused(folder.path(), &["certify", "none.json"], &["certificate for each of 1 bounds, found 0"]);
    std::fs::write(path("p.c"), format!("{PROVED}\n")).expect("a file");
    refused(folder.path(), &["certify", "c.json"], &["`p.c` has changed since the check"]);
}

#[test]
#[cfg(feature = "llvm")]
fn a_race_has_no_certificate() {
    let folder = tempfile::tempdir().expect("a folder");
    let racy = PROVED.replace("pthread_mutex_lock(&m);", "").replace("pthread_mutex_unlock(&m);", "");
    std::fs::write(folder.path().join("p.c"), racy).expect("a file");
    let output = raceproof(folder.path(), &["check", "p.c", "--certificate", "c.json"]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("`c.json` was not written"), "{stderr}");
    assert!(!folder.path().join("c.json").exists());
}

/// A signal ends a check like a limit: with the report of what is known, and no folder left behind.
#[cfg(feature = "llvm")]
#[test]
fn signals_end_a_check_with_its_report() {
    let folder = folder();
    let endless = "#include <pthread.h>\nlong x[2];\nvoid *f(void *p) { for (;;) x[1]++; return p; }\n\
                   int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }\n";
    std::fs::write(folder.path().join("endless.c"), endless).expect("a file");
    let scratch = folder.path().join("tmp");
    std::fs::create_dir(&scratch).expect("a folder");
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let child = Command::new(env!("CARGO_BIN_EXE_raceproof"))
            .current_dir(folder.path())
            .env("TMPDIR", &scratch)
            .args(["check", "endless.c", "--no-cache", "--format", "json", "--html", "page.html"])
            .stdout(std::process::Stdio::piped())
            .spawn()
            .expect("raceproof runs");
        std::thread::sleep(std::time::Duration::from_millis(1500));
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()));
        let output = child.wait_with_output().expect("raceproof ends");
        assert_eq!(output.status.code(), Some(code));
        let report: CheckReport = serde_json::from_slice(&output.stdout).expect("a report");
        assert_eq!(report.verdict, Verdict::Unknown);
        assert!(report.reason_words.is_some_and(|why| why.contains("interrupted")));
        assert!(folder.path().join("page.html").exists());
        assert_eq!(std::fs::read_dir(&scratch).expect("a folder").count(), 0);
    }
}

/// What is said of macros and flags reaches the user.
#[cfg(feature = "llvm")]
#[test]
fn macros_that_nothing_uses_are_told() {
    let folder = folder();
    let output = raceproof(
        folder.path(),
        &["check", "a.c", "--define", "N=3", "--", "-DM", "-fuse-ld=gold", "-Wnone"],
    );
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("warning: -D M: the program never uses the macro `M`"), "{said}");
    assert!(said.contains("warning: clang: unknown warning option '-Wnone'"), "{said}");
    assert!(said.contains("warning: --define N: the program never uses the macro `N`"), "{said}");
    assert!(said.contains("warning: clang: argument unused during compilation: '-fuse-ld=gold'"), "{said}");
    let quiet = raceproof(folder.path(), &["check", "a.c", "--define", "N=3", "--quiet"]);
    assert!(quiet.stderr.is_empty());
}

/// A macro that the source defines anew is an error, however it is given and whatever clang is told to be silent about.
#[cfg(feature = "llvm")]
#[test]
fn macros_that_the_source_defines_anew_are_told() {
    let folder = folder();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    write("n.h", "#pragma clang diagnostic ignored \"-Wmacro-redefined\"\n#define N 200\n");
    write("anew.c", "#include \"n.h\"\nint main(void) { return N - 200; }\n");
    write("gone.c", "#undef N\n#define N 0\nint main(void) { return N; }\n");
    write("guarded.c", "#ifndef N\n#define N 1\n#endif\nint main(void) { return N; }\n");
    let said = |args: &[&str]| {
        let output = raceproof(folder.path(), &[&["check"], args].concat());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    for (option, args) in [
        ("--define", ["anew.c", "-D", "N=40", "--", "-w"]),
        ("-D", ["anew.c", "--", "-w", "-D", "N=40"]),
        ("-D", ["anew.c", "--", "-Wall", "-w", "-DN=40"]),
    ] {
        let said = said(&args);
        let start = format!("error: {option}: ./n.h:2 defines `N` itself");
        assert!(said.replace(": n.h", ": ./n.h").starts_with(&start), "{args:?}: {said}");
    }
    assert!(said(&["gone.c", "--", "-DN=3"]).contains("warning: -D N: gone.c:1 undefines `N`"));
    assert_eq!(said(&["guarded.c", "-D", "N=0"]), "");
    assert_eq!(said(&["anew.c", "--", "-DN=200"]), "");
}
