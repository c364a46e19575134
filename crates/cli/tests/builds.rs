//! Programs as builds describe them: `compile_commands.json`, `raceproof cc`, `--entry`, `raceproof.toml`, and the cache.
#![cfg(feature = "llvm")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use base::{CheckReport, Verdict};

const BINARY: &str = env!("CARGO_BIN_EXE_raceproof");

/// A folder with a cache of its own.
struct Scratch(tempfile::TempDir);

impl Scratch {
    fn new() -> Scratch {
        Scratch(tempfile::tempdir().expect("a folder"))
    }

    /// With a copy of the example project.
    fn example() -> Scratch {
        let scratch = Scratch::new();
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/wordcount");
        for folder in ["", "src", "include"] {
            std::fs::create_dir_all(scratch.path().join(folder)).expect("a folder");
            for entry in std::fs::read_dir(from.join(folder)).expect("the example").flatten() {
                if entry.path().is_file() {
                    let to = scratch.path().join(folder).join(entry.file_name());
                    std::fs::copy(entry.path(), to).expect("a copy");
                }
            }
        }
        scratch
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.path()).env("XDG_CACHE_HOME", self.path().join("cache"));
        command.env_remove("RACEPROOF_CC").env_remove("RACEPROOF_CXX");
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(BINARY).args(arguments).output().expect("raceproof runs")
    }

    /// What raceproof says where it refuses, with exit code 2.
    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
        text
    }

    fn report(&self, arguments: &[&str]) -> CheckReport {
        let output = self.run(&[&["check", "--format", "json"], arguments].concat());
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{arguments:?}: {}", String::from_utf8_lossy(&output.stderr)))
    }

    fn verdict(&self, arguments: &[&str]) -> Verdict {
        self.report(arguments).verdict
    }

    /// A shell command that must succeed.
    fn shell(&self, command: &str) -> String {
        let output = self.command("sh").args(["-c", command]).output().expect("a shell");
        let text = [&output.stdout[..], &output.stderr[..]]
            .map(|t| String::from_utf8_lossy(t).into_owned())
            .concat();
        assert!(output.status.success(), "{command}: {text}");
        text
    }
}

/// A database of the example, as a tool would write it that knows nothing of links.
fn database(scratch: &Scratch) {
    scratch.write(
        "build/compile_commands.json",
        r#"[
  {"directory": "..", "file": "src/main.c", "command": "ccache gcc -Iinclude -O2 -Wall -DWORKERS=\"2\" -MD -MF x.d -o build/main.o -c src/main.c"},
  {"directory": "../src", "file": "queue.c", "arguments": ["cc", "-I../include", "-g3", "-c", "queue.c", "-o", "queue.o"]},
  {"directory": "../src", "file": "../src/count.c", "arguments": ["cc", "-I", "../include", "-c", "count.c", "-o", "count.o"]},
  {"directory": "../src", "file": "count.c", "arguments": ["cc", "-fPIC", "-I", "../include", "-c", "count.c", "-o", "count.pic.o"]},
  {"directory": "..", "file": "src/lengths.c", "command": "cc -Iinclude -c src/lengths.c"}
]"#,
    );
}

#[test]
fn a_database_tells_how_to_compile() {
    let scratch = Scratch::example();
    database(&scratch);
    let text = scratch.refused(&["check", "-p", "build"]);
    assert!(
        text.contains("several files of the build in `build` define `main`: `src/lengths.c`, `src/main.c`"),
        "{text}"
    );
    assert!(text.contains("--target FILE"), "{text}");
    let report = scratch.report(&["-p", "build", "--target", "src/main.c"]);
    assert_eq!(report.verdict, Verdict::RaceFree, "{:?}", report.reason);
    assert_eq!(report.files, ["src/main.c", "src/queue.c", "src/count.c"]);
    let build = report.build.expect("a build");
    assert_eq!(build.units[0].flags, ["-Iinclude", "-DWORKERS=2"]);
    assert_eq!(scratch.verdict(&["-p", "build", "src/lengths.c", "src/count.c"]), Verdict::RaceFree);
    assert_eq!(
        scratch.verdict(&["-p", "build/compile_commands.json", "--target", "lengths.c"]),
        Verdict::RaceFree
    );
}

#[test]
fn findings_of_a_build_replay() {
    let scratch = Scratch::example();
    database(&scratch);
    let arguments = ["-p", "build", "--target", "src/main.c", "-D", "FAST", "--witness", "w.json"];
    let report = scratch.report(&arguments);
    assert_eq!(report.verdict, Verdict::Race);
    assert_eq!(report.races[0].first.place.file, "src/count.c");
    let output = scratch.run(&["replay", "w.json", "--all"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.starts_with("finding 1: replays: "), "{text}");
}

#[test]
fn other_commands_take_builds_too() {
    let scratch = Scratch::example();
    database(&scratch);
    let target = ["-p", "build", "--target", "src/main.c"];
    let triage = scratch.run(&[&["triage"], &target[..]].concat());
    let text = String::from_utf8_lossy(&triage.stdout);
    assert!(text.contains("this run of src/main.c, src/queue.c,"), "{text}");
    let locks = scratch.run(&[&["locks", "--no-judge", "--format", "json"], &target[..]].concat());
    let report: serde_json::Value = serde_json::from_slice(&locks.stdout).expect("a report");
    assert_eq!(report["verdict"], "race-free");
    assert_eq!(report["files"][0], "src/main.c");
    scratch.write("locks.c", "#include <pthread.h>\nint main(void) { return 0; }\n");
    scratch.shell(&format!("'{BINARY}' cc locks.c -o locks"));
    let built = scratch.run(&["locks", "locks", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&built.stdout).expect("a report");
    assert_eq!(report["files"][0], "locks.c", "the sources are what can be changed");
}

#[test]
fn a_main_that_macros_hide_does_not_count() {
    let scratch = Scratch::new();
    scratch.write("a.c", "int f(void);\nint main(void) { return f(); }\n");
    scratch.write(
        "b.c",
        "int f(void) { return 0; }\n#ifdef SELF_TEST\nint main(void) { return f(); }\n#endif\n",
    );
    let entries = ["a.c", "b.c"]
        .map(|file| serde_json::json!({"directory": scratch.path(), "file": file, "arguments": ["cc", "-c", file]}));
    scratch.write("compile_commands.json", &serde_json::to_string(&entries).expect("JSON"));
    let report = scratch.report(&["-p", "."]);
    assert_eq!((report.verdict, report.files), (Verdict::RaceFree, vec!["a.c".to_owned(), "b.c".to_owned()]));
}

#[test]
fn functions_of_a_library_are_called_with_any_arguments() {
    let scratch = Scratch::new();
    scratch.write(
        "lib.c",
        "int x; int lock_free(int n, double d) { if (n > 1000) x++; return d > 0; }\n\
         int reads(void) { return x; }\nint first(int *p) { return *p; }\nstatic void hidden(void) { }\n\
         void calls(void) { hidden(); }\n",
    );
    let one = scratch.report(&["lib.c", "--entry", "lock_free"]);
    assert_eq!(one.verdict, Verdict::RaceFree, "{:?}", one.reason);
    assert!(
        one.assumptions[0].starts_with("`lock_free` is called once, by the main thread, with any arguments")
    );
    let two = scratch.report(&["lib.c", "--entry", "lock_free", "--entry", "reads"]);
    assert_eq!(two.verdict, Verdict::Race);
    assert_eq!(two.races[0].variable, "x");
    assert!(two.assumptions[0].contains("`lock_free` and `reads` are called at the same time"));
    assert_eq!(scratch.verdict(&["lib.c", "--entry", "reads", "--entry", "reads"]), Verdict::RaceFree);
    let open = scratch.report(&["lib.c", "--entry", "first"]);
    assert_eq!(open.verdict, Verdict::Unknown);
    assert!(open.reason_words.is_some_and(|why| why.contains("parameter 1 of `first` is a pointer")));
    assert!(
        scratch.refused(&["check", "lib.c", "--entry", "nothing"]).contains("they define `calls`, `first`")
    );
    assert!(scratch.refused(&["check", "lib.c", "--entry", "hidden"]).contains("is static"));
    assert!(scratch.refused(&["check", "lib.c"]).contains("--entry FUNCTION"));
}

#[test]
fn functions_of_cplusplus_have_their_names() {
    let scratch = Scratch::new();
    scratch.write(
        "lib.cpp",
        "namespace n { int x; void add(int i) { x += i; } int get(char) { return x; } int get(int) { return 0; } }\n\
         int main() { return 0; }\n",
    );
    assert_eq!(scratch.verdict(&["lib.cpp", "--entry", "n::add", "--entry", "n::add"]), Verdict::Race);
    assert_eq!(
        scratch.verdict(&["lib.cpp", "--entry", "n::add", "--entry", "n::get(int)"]),
        Verdict::RaceFree
    );
    let text = scratch.refused(&["check", "lib.cpp", "--entry", "n::get"]);
    assert!(text.contains("`n::get(char)`") && text.contains("`n::get(int)`"), "{text}");
}

#[test]
fn what_raceproof_cc_builds_can_be_checked() {
    let scratch = Scratch::new();
    scratch.write("h.h", "extern int x; int f(int);\n");
    scratch.write("a.c", "#include \"h.h\"\nint main(void) { return f(LIMIT) > 100; }\n");
    scratch.write(
        "b.c",
        "#include <pthread.h>\n#include \"h.h\"\nint x;\nstatic void *work(void *p) { x++; return p; }\n\
         int f(int n) {\n  pthread_t t;\n  pthread_create(&t, 0, work, 0);\n  x += n;\n  pthread_join(t, 0);\n  return x;\n}\n",
    );
    let cc = format!("'{BINARY}' cc");
    scratch.shell(&format!("{cc} -O3 -DLIMIT=3 a.c b.c -o at_once && ./at_once"));
    let report = scratch.report(&["at_once"]);
    assert_eq!((report.verdict, report.races[0].first.place.file.as_str()), (Verdict::Race, "b.c"));
    scratch.shell(&format!("{cc} -c -DLIMIT=3 a.c b.c && {cc} a.o b.o -o objects -Wl,--gc-sections"));
    assert_eq!(scratch.verdict(&["objects"]), Verdict::Race);
    assert_eq!(scratch.verdict(&["a.o", "b.o"]), Verdict::Race);
    scratch.write("words", "-c '-DLIMIT=3' -o \"a 2.o\" a.c");
    scratch
        .shell(&format!("{cc} @words && ar rc lib.a b.o && {cc} 'a 2.o' lib.a -o library && strip library"));
    assert_eq!(scratch.verdict(&["library"]), Verdict::Race);
    assert_eq!(scratch.verdict(&["lib.a", "--entry", "f"]), Verdict::Race);
    assert_eq!(scratch.verdict(&["b.o", "--entry", "f"]), Verdict::Race);
    let found = scratch.run(&["check", "library", "--witness", "w.json", "--quiet"]);
    assert_eq!(found.status.code(), Some(1));
    assert_eq!(scratch.run(&["replay", "w.json", "--all"]).status.code(), Some(1));
    assert!(scratch.refused(&["check", "library", "-D", "N=2"]).contains("--define has no effect"));
    scratch.write("b.c", "int f(int n) { return n; }\n");
    let changed = scratch.run(&["check", "library"]);
    let text = String::from_utf8_lossy(&changed.stderr);
    assert!(text.contains("note: `b.c` has changed since `library` was built"), "{text}");
}

#[test]
fn raceproof_cc_does_what_a_compiler_does() {
    let scratch = Scratch::new();
    scratch.write("a.c", "#include <stdio.h>\nint main(void) { puts(\"hi\"); return 0; }\n");
    scratch.write("wrong.c", "int main(void) { return y; }\n");
    scratch.write("c.cpp", "#include <string>\nint main() { return std::string(\"x\").size() - 1; }\n");
    let cc = format!("'{BINARY}' cc");
    assert!(scratch.shell(&format!("{cc} -E a.c")).contains("puts"));
    assert!(scratch.shell(&format!("{cc} -S -o - a.c")).contains("main:"));
    assert!(scratch.shell(&format!("{cc} -M a.c")).contains("a.o: a.c"));
    assert!(scratch.shell(&format!("{cc} --version")).contains("clang"));
    scratch.shell(&format!(
        "{cc} -c a.c -o /dev/null && {cc} -fsyntax-only a.c && mkdir out && {cc} -MMD -c a.c -o out/x.o"
    ));
    assert!(scratch.path().join("out/x.d").is_file());
    assert_eq!(
        scratch.shell(&format!(
            "echo 'int main(void) {{ return 0; }}' | {cc} -x c - -o stdin && ./stdin && echo ok"
        )),
        "ok\n"
    );
    for wrong in ["wrong.c", "-c wrong.c", "none.c", "", "--no-such-flag a.c"] {
        let ours = scratch.command("sh").args(["-c", &format!("{cc} {wrong}")]).output().expect("a shell");
        let theirs =
            scratch.command("sh").args(["-c", &format!("clang-19 {wrong}")]).output().expect("a shell");
        if !wrong.is_empty() {
            assert_eq!(ours.status.code(), theirs.status.code(), "{wrong}");
            assert_eq!(
                String::from_utf8_lossy(&ours.stderr),
                String::from_utf8_lossy(&theirs.stderr),
                "{wrong}"
            );
        }
    }
    std::os::unix::fs::symlink(BINARY, scratch.path().join("raceproof-c++")).expect("a link");
    scratch.shell("./raceproof-c++ -std=c++20 c.cpp -o cpp && ./cpp");
    assert_eq!(scratch.verdict(&["cpp"]), Verdict::RaceFree);
    let lto = scratch.shell(&format!("{cc} -flto -c a.c -o lto.o"));
    assert!(lto.contains("nothing is kept for a check in `lto.o`") && lto.contains("without -flto"), "{lto}");
    let other = scratch.command("sh").args(["-c", &format!("RACEPROOF_CC=/none/cc {cc} -c a.c")]).output();
    let text = String::from_utf8_lossy(&other.expect("a shell").stderr).into_owned();
    assert!(text.contains("cannot run the compiler `/none/cc`"), "{text}");
}

#[test]
fn the_example_is_checked_by_make() {
    let scratch = Scratch::example();
    let text = scratch.shell(&format!("make -s check RACEPROOF='{BINARY}'"));
    assert!(text.contains("race-free: no schedule of out-checked/wordcount"), "{text}");
    assert!(text.contains("race-free: no schedule of out-checked/lengths"), "{text}");
    scratch.shell(&format!("make -s clean && make -s CC=\"'{BINARY}' cc\" CPPFLAGS='-Iinclude -DFAST'"));
    assert_eq!(scratch.verdict(&["out/wordcount"]), Verdict::Race);
}

fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

#[test]
fn the_example_is_checked_with_cmake() {
    if !has("cmake") {
        eprintln!("skipped: there is no cmake here");
        return;
    }
    let mut generators = vec!["Unix Makefiles"];
    generators.extend(has("ninja").then_some("Ninja"));
    for generator in generators {
        let scratch = Scratch::example();
        scratch.shell(&format!("cmake -G '{generator}' -S . -B build -DRACEPROOF='{BINARY}'"));
        let text = scratch.refused(&["check", "-p", "build"]);
        assert!(
            text.contains("has several programs: `lengths`, `wordcount`; choose one with --target NAME"),
            "{text}"
        );
        let report = scratch.report(&["-p", "build", "--target", "wordcount"]);
        assert_eq!(report.verdict, Verdict::RaceFree);
        assert_eq!(report.files[0], "src/main.c");
        assert_eq!(report.files.len(), 3);
        assert!(
            scratch
                .refused(&["check", "-p", "build", "--target", "x"])
                .contains("it has: `lengths`, `wordcount`")
        );
        let text = scratch.shell("cmake --build build --target check-races");
        assert!(text.contains("race-free: no schedule of src/main.c and 2 more files"), "{text}");
    }
    let scratch = Scratch::example();
    std::os::unix::fs::symlink(BINARY, scratch.path().join("raceproof-cc")).expect("a link");
    scratch.shell("cmake -S . -B build -DCMAKE_C_COMPILER=$PWD/raceproof-cc && cmake --build build");
    assert_eq!(scratch.verdict(&["build/wordcount"]), Verdict::RaceFree);
}

/// A program that is race-free with two iterations and fails with three.
const BOUNDED: &str = "#include <assert.h>\n#include <stdlib.h>\n\
    int main(int argc, char **argv) { assert(argc < 2 || atoi(argv[1]) < N); return 0; }\n";

#[test]
fn settings_say_what_the_command_line_does_not() {
    let scratch = Scratch::new();
    scratch.write("src/a.c", BOUNDED);
    scratch.write("src/sub/b.c", BOUNDED);
    scratch.write("src/inc/limit.h", "#define N 3\n");
    scratch.write(
        "raceproof.toml",
        "files = [\"src/*.c\"]\nargs = [\"1..2\"]\nflags = [\"-Isrc/inc\", \"-include\", \"src/inc/limit.h\"]\nthreads = 2\n\
         time-limit = \"1m\"\n[[for]]\npath = \"src/sub/\"\nargs = [\"1..3\"]\n",
    );
    let report = scratch.report(&[]);
    assert_eq!((report.verdict, report.files), (Verdict::RaceFree, vec!["src/a.c".to_owned()]));
    assert_eq!(scratch.verdict(&["src/sub/b.c"]), Verdict::Defect, "the table for the folder");
    assert_eq!(scratch.verdict(&["src/sub/b.c", "--arg", "2"]), Verdict::RaceFree, "the command line wins");
    let inside = scratch
        .command(BINARY)
        .current_dir(scratch.path().join("src/sub"))
        .args(["check", "b.c", "-q"])
        .output();
    assert_eq!(inside.expect("raceproof runs").status.code(), Some(1), "the nearest file above");
    scratch.write("src/sub/raceproof.toml", "defines = [\"N=5\", \"UNUSED=1..2\"]\nargs = [4]\n");
    let nearest = scratch.report(&["src/sub/b.c"]);
    assert_eq!(nearest.verdict, Verdict::RaceFree);
    assert_eq!(nearest.bounds[0].defines, ["N=5", "UNUSED=1"]);
    assert_eq!(scratch.report(&["src/sub/b.c", "-D", "UNUSED=3"]).bounds[0].defines, ["N=5", "UNUSED=3"]);
    scratch.write("other.toml", "defines = [\"N=9\"]\n");
    assert_eq!(scratch.verdict(&["src/a.c", "--config", "other.toml"]), Verdict::RaceFree);
}

#[test]
fn wrong_settings_are_refused_with_their_line() {
    let scratch = Scratch::new();
    scratch.write("a.c", "int main(void) { return 0; }\n");
    let wrong = [
        ("threads = 2\nthread = 3\n", "raceproof.toml:2: unknown field `thread`"),
        ("\nthreads = \"x\"\n", "raceproof.toml:2: threads: expected a number or LO..HI, found `x`"),
        ("time-limit = \"soon\"\n", "raceproof.toml:1: time-limit: expected a time such as"),
        ("memory-limit = \"x\"\n", "raceproof.toml:1: memory-limit: expected a size such as"),
        ("max-states = 0\n", "raceproof.toml:1: max-states: expected a number above 0"),
        ("args = [\"3..1\"]\n", "raceproof.toml:1: args: expected a range from low to high"),
        (
            "defines = [\"1\"]\n",
            "raceproof.toml:1: defines: expected NAME, NAME=VALUE or NAME=LO..HI, found `1`",
        ),
        ("engine = \"magic\"\n", "raceproof.toml:1: unknown variant `magic`"),
        ("threads = [1]\n", "raceproof.toml:1: expected a number or a text in quotes"),
        ("path = \"x\"\n", "raceproof.toml:1: path: `path` belongs into [[for]]"),
        ("[[for]]\nthreads = 2\n", "expected `path`, the folder that [[for]] is about"),
        (
            "[[for]]\npath = \"x\"\nbuild = \"y\"\n",
            "raceproof.toml:3: build: `build` stands at the top of the file",
        ),
        ("[[suppress]]\nvariable = \"x\"\nlocations = []\nreason = \"\"\n", "has no reason: say why"),
        ("[[suppress]]\nvariable = \"x\"\n", "missing field `locations`"),
        ("a = \n", "raceproof.toml:1: "),
    ];
    for (text, expected) in wrong {
        scratch.write("raceproof.toml", text);
        let said = scratch.refused(&["check", "a.c"]);
        assert!(said.contains(expected), "expected `{expected}` in: {said}");
    }
    scratch.write("raceproof.toml", "files = [\"*.cc\"]\n");
    assert!(scratch.refused(&["check"]).contains("files: there is no file `*.cc`"));
}

/// The files of the cache.
fn entries(scratch: &Scratch) -> Vec<PathBuf> {
    let folder = std::fs::read_dir(scratch.path().join("cache/raceproof"));
    folder.map(|entries| entries.flatten().map(|entry| entry.path()).collect()).unwrap_or_default()
}

#[test]
fn an_unchanged_program_is_not_checked_again() {
    let scratch = Scratch::example();
    let sources = ["src/main.c", "src/queue.c", "src/count.c"];
    let check = |more: &[&str]| scratch.report(&[&sources[..], more, &["--", "-Iinclude"]].concat());
    for more in [&[][..], &["-D", "FAST"]] {
        let first = check(more);
        assert_eq!(first.cached, None);
        let second = check(more);
        assert!(second.cached.is_some());
        assert_eq!(CheckReport { cached: None, ..second }, first);
        assert_eq!(check(&[more, &["--no-cache"]].concat()).cached, None);
    }
    assert_eq!(entries(&scratch).len(), 2);
    assert_eq!(check(&["--threads", "3"]).cached, None, "other bounds are another question");
    assert_eq!(check(&["--engine", "race-graph"]).cached, None);
    assert_eq!(check(&["--max-states", "1M"]).cached, None);
    assert!(check(&["--time-limit", "2m"]).cached.is_some(), "a limit of time is no part of the question");
    let text = scratch.run(&[&["check"], &sources[..], &["--", "-Iinclude"]].concat());
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(text.contains("cache        this program was checked at 2"), "{text}");

    let header = std::fs::read_to_string(scratch.path().join("include/queue.h")).expect("a header");
    scratch.write("include/queue.h", &header.replace("QUEUE_SIZE 4", "QUEUE_SIZE 3"));
    assert_eq!(check(&[]).cached, None, "a header has changed");
    scratch.write("include/queue.h", &header);
    assert!(check(&[]).cached.is_some());
    for entry in entries(&scratch) {
        let text = std::fs::read_to_string(&entry).expect("an entry");
        std::fs::write(&entry, &text[..text.len() - 20]).expect("an entry");
    }
    assert_eq!(check(&[]).cached, None, "what cannot be read is no answer");
    scratch.write("raceproof.toml", "cache = false\n");
    assert_eq!(check(&[]).cached, None);
}

#[test]
fn an_answer_of_a_limit_is_not_kept() {
    let scratch = Scratch::example();
    let sources = ["src/main.c", "src/queue.c", "src/count.c", "--max-depth", "3", "--", "-Iinclude"];
    assert_eq!(scratch.verdict(&sources), Verdict::Unknown);
    assert!(entries(&scratch).is_empty());
}
