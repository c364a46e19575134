//! Recordings when something goes wrong: programs that are killed or crash, limits, forks, many threads, torn files.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn raceproof() -> Command {
    Command::new(env!("CARGO_BIN_EXE_raceproof"))
}

/// A program built for recording, in a folder of its own.
fn build(text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let (source, program) = (folder.path().join("a.c"), folder.path().join("a"));
    std::fs::write(&source, text).expect("a source");
    let built = raceproof().args(["cc", "--record", "-O1"]).arg(&source).arg("-o").arg(&program).output();
    let built = built.expect("raceproof runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    (folder, program)
}

fn record(folder: &Path, program: &Path, options: &[&str]) -> Output {
    let file = folder.join("run.rpt");
    raceproof()
        .args(["record", "-o"])
        .arg(file)
        .args(options)
        .arg("--")
        .arg(program)
        .output()
        .expect("it runs")
}

/// What `predict` says of the recording: standard output and standard error.
fn predict(folder: &Path) -> (String, String) {
    let out = raceproof().arg("predict").arg(folder.join("run.rpt")).output().expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (text(out.stdout), text(out.stderr))
}

/// Two threads race on `counter`; then comes the given end.
fn racy(end: &str) -> String {
    format!(
        "#include <pthread.h>\n#include <signal.h>\n#include <stdlib.h>\n#include <sys/wait.h>\n#include <unistd.h>\n\
         int counter;\nstatic void *work(void *a) {{ counter++; return a; }}\n\
         int main(void) {{\n pthread_t t[2];\n for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);\n \
         for (int i = 0; i < 2; i++) pthread_join(t[i], 0);\n {end}\n return 0;\n}}\n"
    )
}

#[test]
fn a_killed_program_leaves_a_readable_recording() {
    let (folder, program) = build(&racy("kill(getpid(), SIGKILL);"));
    let out = record(folder.path(), &program, &[]);
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(said.contains("signal 9"), "{said}");
    let (found, _) = predict(folder.path());
    assert!(found.contains("of `counter`"), "{found}");
}

#[test]
fn a_crash_leaves_a_readable_recording() {
    let (folder, program) = build(&racy("abort();"));
    record(folder.path(), &program, &[]);
    let (found, _) = predict(folder.path());
    assert!(found.contains("of `counter`"), "{found}");
}

#[test]
fn a_forked_child_is_not_recorded_and_said() {
    let (folder, program) = build(&racy("if (!fork()) { counter = 5; _exit(0); } wait(0);"));
    record(folder.path(), &program, &[]);
    let (found, said) = predict(folder.path());
    assert!(found.contains("of `counter`") && said.contains("forked child process"), "{found}{said}");
}

#[test]
fn a_limit_cuts_the_recording_and_nothing_false_comes_of_it() {
    // Everything is ordered by the lock and by joining; the recording lacks the end of both.
    let text = "#include <pthread.h>\n#include <stdlib.h>\nstatic int n[4096];\n\
        static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
        static void *work(void *a) { unsigned s = 1; for (int i = 0; i < 60000; i++) { s = s * 1664525u + 1013904223u;\n\
        pthread_mutex_lock(&m); n[s >> 20]++; pthread_mutex_unlock(&m); } return a; }\n\
        int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);\n\
        for (int i = 0; i < 2; i++) pthread_join(t[i], 0); return n[5] < 0; }\n";
    let (folder, program) = build(text);
    let out = record(folder.path(), &program, &["--limit", "200K"]);
    assert_eq!(out.status.code(), Some(0));
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(said.contains("limit of 204800 bytes"), "{said}");
    let size = std::fs::metadata(folder.path().join("run.rpt")).expect("the file").len();
    assert!(size < 300_000, "{size} bytes");
    let (found, said) = predict(folder.path());
    assert!(found.starts_with("no race") && said.contains("missing: "), "{found}{said}");
}

#[test]
fn five_hundred_threads() {
    let text = "#include <pthread.h>\nint x; static int part[500];\n\
        static void *work(void *a) { part[(long)a] = 1; if ((long)a % 250 == 7) x = 1; return 0; }\n\
        int main(void) { pthread_t t[500]; for (long i = 0; i < 500; i++) pthread_create(&t[i], 0, work, (void *)i);\n\
        for (int i = 0; i < 500; i++) pthread_join(t[i], 0); return 0; }\n";
    let (folder, program) = build(text);
    assert_eq!(record(folder.path(), &program, &[]).status.code(), Some(0));
    let (found, _) = predict(folder.path());
    assert!(found.contains("1 data race") && found.contains("of `x`"), "{found}");
}

#[test]
fn a_torn_file_is_read_up_to_its_damage() {
    let (folder, program) = build(&racy(""));
    record(folder.path(), &program, &[]);
    let file = folder.path().join("run.rpt");
    let bytes = std::fs::read(&file).expect("the file");
    for length in (9..bytes.len()).step_by(bytes.len() / 40 + 1) {
        std::fs::write(&file, &bytes[..length]).expect("a shorter file");
        let (found, said) = predict(folder.path());
        assert!(said.contains("missing: "), "{length} of {} bytes: {found}{said}", bytes.len());
        assert!(found.starts_with("no race") || found.contains("of `counter`"), "{found}{said}");
    }
}

/// Reads what a process prints until a line has the words.
fn until(input: &mut impl std::io::BufRead, words: &str) -> String {
    let mut all = String::new();
    while !all.contains(words) {
        let before = all.len();
        input.read_line(&mut all).expect("readable");
        assert!(all.len() > before, "ended without `{words}`: {all}");
    }
    all
}

#[test]
fn a_server_is_watched_while_it_runs() {
    use std::io::{BufReader, Write};
    use std::process::Stdio;
    let end = "write(1, \"ready\\n\", 6); char c; while (read(0, &c, 1) == 1 && c != 'q') counter += 2;";
    let (_folder, program) = build(&racy(end));
    let mut watching = raceproof()
        .args(["predict", "--online", "--"])
        .arg(&program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut out = BufReader::new(watching.stdout.take().expect("output"));
    let mut told = BufReader::new(watching.stderr.take().expect("messages"));
    until(&mut out, "ready");
    // Twice: the program goes on after the first time.
    for _ in 0..2 {
        let asked = Command::new("kill").args(["-USR1", &watching.id().to_string()]).status();
        assert!(asked.expect("kill runs").success());
        let said = until(&mut told, "of `counter`");
        assert!(said.contains("so far"), "{said}");
        watching.stdin.as_mut().expect("input").write_all(b"x").expect("the program reads");
    }
    watching.stdin.as_mut().expect("input").write_all(b"q").expect("the program reads");
    until(&mut out, "of `counter`");
    assert_eq!(watching.wait().expect("it ends").code(), Some(1));
}
