//! `raceproof locks` on programs with known answers (`tests/locks/programs`), one test each.
//!
//! `//@ needed race, shrink` on the line of a construct says its judgement, what goes wrong without it, and what is suggested; every construct
//! of a program must have such a line, and every such line a construct. `//@ repair reduction` says how a racy program is repaired.
//! Whatever patch or suggestion comes out must apply with `git apply`, compile with clang, and check as promised.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn raceproof(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_raceproof"))
        .env("XDG_CACHE_HOME", "/dev/null")
        .current_dir(folder)
        .args(words)
        .output()
        .expect("raceproof runs")
}

fn main() {
    let arguments = Arguments::from_args();
    let folder = root().join("tests/locks/programs");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the programs").flatten().map(|e| e.path()).collect();
    files.sort();
    let mut trials: Vec<Trial> = files
        .into_iter()
        .map(|file| {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            Trial::test(format!("locks::{name}"), move || program(&file))
        })
        .collect();
    trials.push(Trial::test("locks::files", files_and_exit_codes));
    trials.push(Trial::test("locks::iterate", iterate));
    trials.push(Trial::test("locks::executions", executions));
    trials.push(Trial::test("locks::not_judged", not_judged));
    trials.push(Trial::test("locks::time_limit", time_limit));
    trials.push(Trial::test("locks::patches", patches));
    trials.push(Trial::test("locks::formulas_of_many_units", formulas_of_many_units));
    libtest_mimic::run(&arguments, trials).exit();
}

fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

/// By line: `needed race, shrink`.
fn expected(source: &str) -> BTreeMap<u64, String> {
    let mark = |(i, line): (usize, &str)| {
        let (_, says) = line.split_once("//@ ")?;
        (!says.starts_with("repair")).then(|| (i as u64 + 1, says.trim().to_owned()))
    };
    source.lines().enumerate().filter_map(mark).collect()
}

fn found(report: &Value) -> BTreeMap<u64, String> {
    let mut found = BTreeMap::new();
    let constructs = report["constructs"].as_array().cloned().unwrap_or_default();
    for construct in &constructs {
        let mut says = text(construct, "verdict");
        if let Some(kind) = construct["evidence"]["kind"].as_str() {
            says += &format!(" {kind}");
        }
        if let Some(why) = construct["why"].as_str() {
            says += &format!(" ({why})");
        }
        found.insert(construct["line"].as_u64().unwrap_or(0), says);
    }
    for suggestion in report["suggestions"].as_array().into_iter().flatten() {
        for of in suggestion["constructs"].as_array().into_iter().flatten() {
            let line = constructs[of.as_u64().unwrap_or(0) as usize]["line"].as_u64().unwrap_or(0);
            *found.entry(line).or_default() += &format!(", {}", text(suggestion, "kind"));
        }
    }
    found
}

fn program(file: &Path) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let source = std::fs::read_to_string(file)?;
    std::fs::write(folder.path().join(&name), &source)?;
    let out = raceproof(folder.path(), &["locks", &name, "--format", "json", "--patch", "change.diff"]);
    let report: Value = serde_json::from_slice(&out.stdout)
        .map_err(|e| format!("{e}: {}", String::from_utf8_lossy(&out.stderr)))?;
    let expected = expected(&source);
    let ways: Vec<&str> =
        source.lines().filter_map(|l| l.split_once("//@ repair ")).map(|(_, way)| way.trim()).collect();
    let code = out.status.code();
    if ways.is_empty() {
        let found = found(&report);
        if found != expected {
            return Err(format!("expected {expected:?}, found {found:?}").into());
        }
        let superfluous = expected.values().any(|says| says.starts_with("superfluous"));
        let undecided = expected.values().any(|says| says.starts_with("undecided"));
        let wanted = if superfluous {
            1
        } else if undecided {
            3
        } else {
            0
        };
        if code != Some(wanted) {
            return Err(format!("exit code {code:?}").into());
        }
        if superfluous != report["patch"].is_string() {
            return Err("there is a patch exactly if something is superfluous".into());
        }
    } else {
        let steps = report["repair"]["steps"].as_array().cloned().unwrap_or_default();
        let mut found: Vec<String> = steps.iter().map(|s| text(s, "way")).collect();
        found.dedup();
        if found != ways || report["repair"]["complete"] != Value::Bool(true) || code != Some(1) {
            return Err(format!("expected {ways:?}, found {found:?}, {}", report["repair"]).into());
        }
    }
    if report["patch"].is_string() {
        let patch = std::fs::read_to_string(folder.path().join("change.diff"))?;
        applies(&name, &source, &patch)?;
    }
    for suggestion in report["suggestions"].as_array().into_iter().flatten() {
        applies(&name, &source, &text(suggestion, "patch"))?;
    }
    Ok(())
}

/// The patch applies, and the result compiles and is race-free.
fn applies(name: &str, source: &str, patch: &str) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join(name), source)?;
    std::fs::write(folder.path().join("change.diff"), patch)?;
    let git = Command::new("git").current_dir(folder.path()).args(["apply", "change.diff"]).output()?;
    if !git.status.success() {
        return Err(format!("git apply: {}\n{patch}", String::from_utf8_lossy(&git.stderr)).into());
    }
    if std::fs::read_to_string(folder.path().join(name))? == source {
        return Err("the patch changes nothing".into());
    }
    let compiler = if name.ends_with(".cpp") { "clang++-19" } else { "clang-19" };
    let clang = Command::new(compiler)
        .current_dir(folder.path())
        .args(["-fopenmp", "-fsyntax-only", name])
        .output()?;
    if !clang.status.success() {
        return Err(format!("{compiler}: {}\n{patch}", String::from_utf8_lossy(&clang.stderr)).into());
    }
    let check = raceproof(folder.path(), &["check", name, "--quiet"]);
    if check.status.code() != Some(0) {
        return Err(
            format!("the changed program: {}\n{patch}", String::from_utf8_lossy(&check.stdout)).into()
        );
    }
    Ok(())
}

/// The files that can be written, and what the exit codes of `--actl` say.
fn files_and_exit_codes() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let program = root().join("tests/locks/paper/figure4.c");
    let program = program.to_string_lossy();
    let words = [
        "locks",
        &program,
        "--no-judge",
        "--threads",
        "5",
        "--graph",
        "g.svg",
        "--lnt",
        "m.lnt",
        "--aut",
        "m.aut",
    ];
    let out = raceproof(folder.path(), &words);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name));
    assert_eq!(out.status.code(), Some(0), "{}", String::from_utf8_lossy(&out.stderr));
    assert!(read("g.svg")?.starts_with("<svg") && read("g.svg")?.contains("WU6"));
    assert!(read("m.lnt")?.contains("PROTECTED_WU [WU3, ACQUIRE, RELEASE] (3)"));
    let aut = read("m.aut")?;
    assert!(aut.starts_with("des (0, ") && aut.contains("\"ACQUIRE !1\""), "{aut}");
    let ask = |formula: &str| {
        raceproof(folder.path(), &["locks", &program, "--threads", "5", "--actl", formula]).status.code()
    };
    assert_eq!(ask("not EF (EX_WU1 true and EX_WU2 true)"), Some(0));
    assert_eq!(ask("EF (EX_WU1 true and EX_WU2 true)"), Some(1));
    assert_eq!(ask("EF (EX_WU1"), Some(2));
    let few = ["locks", &program, "--threads", "5", "--max-states", "3", "--actl", "AF EX_WU6 true"];
    assert_eq!(raceproof(folder.path(), &few).status.code(), Some(3));
    Ok(())
}

/// P5, figure 2, as one command.
fn iterate() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    std::fs::copy(root().join("tests/locks/paper/figure1.c"), folder.path().join("figure1.c"))?;
    let out = raceproof(
        folder.path(),
        &["locks", "figure1.c", "--iterate", "--format", "json", "--patch", "p.diff"],
    );
    let report: Value = serde_json::from_slice(&out.stdout)?;
    assert_eq!(report["patch_verdict"], "race-free");
    assert_eq!(report["rounds"].as_array().map(Vec::len), Some(2), "{report}");
    let source = std::fs::read_to_string(folder.path().join("figure1.c"))?;
    applies("figure1.c", &source, &std::fs::read_to_string(folder.path().join("p.diff"))?)
}

fn json(folder: &Path, words: &[&str]) -> Result<Value, Failed> {
    let out = raceproof(folder, words);
    serde_json::from_slice(&out.stdout)
        .map_err(|e| format!("{e}: {}", String::from_utf8_lossy(&out.stderr)).into())
}

fn variable<'r>(report: &'r Value, name: &str) -> &'r Value {
    report["variables"].as_array().into_iter().flatten().find(|v| v["name"] == name).unwrap_or(&Value::Null)
}

/// Locksets and graph of a program whose executions differ: in the usual run one thread does all the work.
fn executions() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    std::fs::copy(root().join("tests/locks/programs/pt_queue.c"), folder.path().join("p.c"))?;
    let words = [
        "locks",
        "p.c",
        "--no-judge",
        "--format",
        "json",
        "--lnt",
        "m.lnt",
        "--graph",
        "g.dot",
        "--aut",
        "m.aut",
    ];
    let report = json(folder.path(), &words)?;
    let basis = &report["basis"];
    assert_eq!(basis["every_schedule_alike"], Value::Bool(false), "{basis}");
    assert!(basis["executions"].as_u64() > Some(5) && basis["states"].as_u64() > Some(20), "{basis}");
    assert_eq!(basis["incomplete"], Value::Null, "{basis}");
    // Both threads touch it, under the lock; nobody holds it in main, after the end of both.
    let sum = variable(&report, "sum");
    assert_eq!((text(sum, "need"), text(sum, "why")), ("protected".into(), "result".into()), "{sum}");
    assert_eq!(sum["unprotected"], Value::Bool(true));
    let next = variable(&report, "next");
    assert_eq!((text(next, "need"), &next["candidates"][0]), ("protected".into(), &Value::from("queue")));
    // Where a thread finds no job it goes another way.
    let nodes = report["graph"].as_array().cloned().unwrap_or_default();
    assert!(nodes.iter().filter(|n| n["choices"].is_array()).count() > 1);
    assert!(std::fs::read_to_string(folder.path().join("m.lnt"))?.contains("select"));
    let dot = std::fs::read_to_string(folder.path().join("g.dot"))?;
    assert!(dot.contains("style=dashed"), "the ways of a branch are dashed");
    assert_eq!(report["formula_counts"]["fail"], 0, "all under locks: {}", report["formula_counts"]);
    // A program that does the same under every schedule rests on one.
    std::fs::copy(root().join("tests/locks/programs/pt_counter.c"), folder.path().join("q.c"))?;
    let report = json(folder.path(), &["locks", "q.c", "--no-judge", "--format", "json"])?;
    assert_eq!(report["basis"]["every_schedule_alike"], Value::Bool(true), "{}", report["basis"]);
    Ok(())
}

const NOT_JUDGED: &str = "#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#define COUNT(m) do { pthread_mutex_lock(m); taken++; } while (0)
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int n;
static _Atomic long k;
static int taken, x;
static sem_t ready;
static void *work(void *p) {
    COUNT(&m);
    x++;
    pthread_mutex_unlock(&m);
    atomic_fetch_add(&n, 1);
    k++;
    sem_post(&ready);
    return p;
}
int main(void) {
    pthread_t a;
    sem_init(&ready, 0, 0);
    pthread_create(&a, 0, work, 0);
    sem_wait(&ready);
    pthread_join(a, 0);
    return x + n + (int)k + taken;
}
";

/// What is not judged is listed, with the reason.
fn not_judged() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("p.c"), NOT_JUDGED)?;
    let report = json(folder.path(), &["locks", "p.c", "--format", "json"])?;
    let mut found: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for entry in report["not_judged"].as_array().into_iter().flatten() {
        let places = entry["places"].as_array().into_iter().flatten();
        found.insert(text(entry, "what"), places.filter_map(|p| p["line"].as_u64()).collect());
        assert!(text(entry, "why").len() > 20, "{entry}");
    }
    let expected: BTreeMap<String, Vec<u64>> = [
        ("atomic object `k`", vec![7]),
        ("atomic object `n`", vec![6]),
        ("lock", vec![11]),
        ("semaphore", vec![16, 23]),
    ]
    .into_iter()
    .map(|(what, lines)| (what.to_owned(), lines))
    .collect();
    assert_eq!(found, expected);
    let shown = raceproof(folder.path(), &["locks", "p.c"]);
    assert!(String::from_utf8_lossy(&shown.stdout).contains("not judged   semaphore (lines 16, 23): "));
    Ok(())
}

/// Nothing is called superfluous that was not checked, and the time is kept.
fn time_limit() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    std::fs::copy(root().join("tests/locks/programs/pt_two_of_one.c"), folder.path().join("p.c"))?;
    let words = ["locks", "p.c", "--format", "json", "--time-limit", "0.001"];
    let out = raceproof(folder.path(), &words);
    let report: Value = serde_json::from_slice(&out.stdout)?;
    let constructs = report["constructs"].as_array().cloned().unwrap_or_default();
    // The compiler is ended, too: there may be no constructs at all.
    assert!(constructs.iter().all(|c| c["verdict"] == "undecided"), "{constructs:?}");
    assert!(report["patch"].is_null() && out.status.code() == Some(3));
    // A program with more schedules than can be explored: each goes on where the others let it.
    let many = "#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int turn, x;
static void *f(void *p) {
    for (int i = 0; i < 40; i++) {
        pthread_mutex_lock(&m);
        int mine = turn++ * 7 % 5;
        pthread_mutex_unlock(&m);
        for (int j = 0; j < mine; j++) {
            pthread_mutex_lock(&m);
            x += j;
            pthread_mutex_unlock(&m);
        }
    }
    return p;
}
int main(void) {
    pthread_t t[5];
    for (int i = 0; i < 5; i++)
        pthread_create(&t[i], 0, f, 0);
    for (int i = 0; i < 5; i++)
        pthread_join(t[i], 0);
    return x;
}
";
    std::fs::write(folder.path().join("q.c"), many)?;
    let began = std::time::Instant::now();
    let report = json(folder.path(), &["locks", "q.c", "--format", "json", "--time-limit", "8s"])?;
    assert!(began.elapsed().as_secs() < 40, "it took {:?}", began.elapsed());
    let verdict = |i: usize| text(&report["constructs"][i], "verdict");
    assert_eq!((verdict(0), verdict(1)), ("undecided".into(), "undecided".into()));
    assert!(report["basis"]["incomplete"].is_string(), "{}", report["basis"]);
    Ok(())
}

/// Every formula is checked, also where units are many.
fn formulas_of_many_units() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let program = "int main(void) {
    int sum = 0;
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < 60; i++) {
#pragma omp critical
        sum += i;
    }
    return sum;
}
";
    std::fs::write(folder.path().join("p.c"), program)?;
    let report = json(folder.path(), &["locks", "p.c", "--no-judge", "--format", "json"])?;
    // WU0 and the sixty, and the one after the loop.
    let counts = &report["formula_counts"];
    assert_eq!(counts["checked"], 62 * 61 / 2, "{counts}");
    assert_eq!((&counts["hold"], &counts["undecided"]), (&counts["checked"], &Value::from(0)));
    std::fs::write(folder.path().join("q.c"), program.replace("#pragma omp critical\n", ""))?;
    let report = json(folder.path(), &["locks", "q.c", "--no-judge", "--format", "json"])?;
    let counts = &report["formula_counts"];
    assert_eq!((&counts["checked"], &counts["fail"]), (&Value::from(62 * 61 / 2), &Value::from(60 * 59 / 2)));
    Ok(())
}

const MAIN: &str = "#include \"work.h\"
int main(void) {
\tpthread_t a, b;
\tpthread_create(&a, 0, first, 0); pthread_create(&b, 0, second, 0);
\tpthread_join(a, 0); pthread_join(b, 0);
\tpthread_mutex_lock(&m); int all = x + y; pthread_mutex_unlock(&m);
\treturn all;
}";

const HEADER: &str = "#include <pthread.h>
#define LOCK(m) pthread_mutex_lock(m)
#define UNLOCK(m) pthread_mutex_unlock(m)
extern pthread_mutex_t m, n;
extern int x, y;
void *first(void *);
void *second(void *);
";

const WORK: &str = "#include \"../work.h\"
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int x, y;
void *first(void *p) {
\tLOCK(&m); LOCK(&n); x++; UNLOCK(&n); UNLOCK(&m);
\treturn p;
}
void *second(void *p)
{
\tLOCK(&m);
\tx++;
\tUNLOCK(&m);
\tLOCK(&n);
\ty++;
\tUNLOCK(&n);
\treturn p;
}
";

const LOOPS: &str = "static int a[8], b[8];
int main(void) {
    int s = 0;
#pragma omp parallel
    {
#pragma omp for \\
        schedule(static)   /* fixed */
        for (int i = 0; i < 8; i++) a[i] = i;
#pragma omp for schedule(static) // fixed
        for (int i = 0; i < 8; i++) b[i] = a[i];
#pragma omp barrier
#pragma omp critical
        { s += b[0]; }
    }
    return s;
}
";

/// Patches of files in folders, of several files, with tabs, with lines that end in CR LF, without a last line end, of macros, of several
/// constructs in one line and of directives that go over several lines; from a folder of the repository.
fn patches() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let top = folder.path();
    let git = |words: &[&str], from: &Path| Command::new("git").current_dir(from).args(words).output();
    git(&["init", "-q"], top)?;
    std::fs::create_dir_all(top.join("app/src/deep"))?;
    let files = [("src/main.c", MAIN), ("src/work.h", HEADER), ("src/deep/work.c", WORK)];
    let write = |files: &[(&str, &str)]| -> std::io::Result<()> {
        files.iter().try_for_each(|(name, text)| std::fs::write(top.join("app").join(name), text))
    };
    write(&files)?;
    let app = top.join("app");
    let sources = ["src/main.c", "src/deep/work.c"];
    let mut words = vec!["locks"];
    words.extend(sources);
    words.extend(["--format", "json", "--patch", "change.diff"]);
    let report = json(&app, &words)?;
    assert_eq!(report["patch_verdict"], "race-free", "{}", report["constructs"]);
    let apply = |what: &str| -> Result<(), Failed> {
        let out = git(&["apply", "change.diff"], &app)?;
        let patch = std::fs::read_to_string(app.join("change.diff"))?;
        if !out.status.success() || !out.stderr.is_empty() {
            return Err(format!("{what}: {}\n{patch}", String::from_utf8_lossy(&out.stderr)).into());
        }
        Ok(())
    };
    apply("two files")?;
    let read = |name: &str| std::fs::read_to_string(app.join(name));
    assert!(!read("src/main.c")?.contains("lock("), "{}", read("src/main.c")?);
    let work = read("src/deep/work.c")?;
    assert!(work.contains("\tx++;\n\treturn p;") || work.contains("LOCK(&m); x++; UNLOCK(&m);"), "{work}");
    assert!(work.contains("\ty++;\n\treturn p;"), "{work}");
    assert_eq!(raceproof(&app, &["check", sources[0], sources[1], "--quiet"]).status.code(), Some(0));

    for text in [LOOPS.to_owned(), LOOPS.replace('\n', "\r\n"), LOOPS.trim_end().to_owned()] {
        write(&[("src/loops.c", &text)])?;
        let report = json(&app, &["locks", "src/loops.c", "--format", "json", "--patch", "change.diff"])?;
        assert_eq!(report["patch_verdict"], "race-free", "{}", report["constructs"]);
        for suggestion in report["suggestions"].as_array().into_iter().flatten() {
            std::fs::write(app.join("change.diff"), suggestion["patch"].as_str().unwrap_or_default())?;
            apply("a suggestion")?;
            assert_eq!(raceproof(&app, &["check", "src/loops.c", "--quiet"]).status.code(), Some(0));
            write(&[("src/loops.c", &text)])?;
        }
        std::fs::write(app.join("change.diff"), report["patch"].as_str().unwrap_or_default())?;
        apply("loops")?;
        let changed = read("src/loops.c")?;
        assert_eq!(changed.contains("\r\n"), text.contains("\r\n"));
        assert!(!changed.replace("\r\n", "").contains('\r'), "{changed:?}");
        assert_eq!(changed.matches("\r\n").count() > 0, text.contains("\r\n"));
        assert!(changed.contains("nowait"), "{changed}");
        assert_eq!(raceproof(&app, &["check", "src/loops.c", "--quiet"]).status.code(), Some(0));
    }
    Ok(())
}
