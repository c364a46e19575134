//! Every error message of the tool, with its text: `errors.txt` lists commands that go wrong and all that they print on
//! standard error. A message should say what is wrong, where, and what to do.
//!
//! `RACEPROOF_BLESS=1 cargo test -p raceproof --test errors` writes what the commands print into the list. A second test
//! looks through the sources of the command line for messages that the list does not show.
#![cfg(feature = "llvm")]

use std::path::Path;
use std::process::Command;

/// Messages that no command can be made to show: the beginning of each and why.
const NOT_SHOWN: [(&str, &str); 43] = [
    ("cannot write down the directives", "writing to memory does not fail"),
    ("--resume: `{name}` was written by another raceproof", "takes a file of another version; see resume.rs"),
    ("--resume: `{name}` is about another program", "takes a file of a check that was ended; see resume.rs"),
    (
        "--resume: `{name}` is of a check with other options",
        "takes a file of a check that was ended; see resume.rs",
    ),
    (
        "--save, --resume: expected a program that compiles",
        "the compiler would have to take longer than a check",
    ),
    ("--record: expected arguments in UTF-8", "words that are no UTF-8 cannot stand in the list"),
    ("cannot tell the current directory", "the current folder would have to be removed"),
    ("cannot make a temporary folder", "the disk would have to be full"),
    ("cannot write a temporary file", "the disk would have to be full"),
    ("cannot write to standard output", "standard output would have to fail"),
    ("cannot write the trace", "the disk would have to be full"),
    ("it cannot be read", "an object would have to vanish while it is made"),
    ("it cannot be written", "an object would have to become read-only while it is made"),
    ("cannot describe the source", "JSON can hold every text"),
    ("cannot compress the bitcode", "memory would have to run out"),
    ("cannot write the witness as JSON", "JSON can hold every report"),
    ("cannot write the certificate as JSON", "JSON can hold every report"),
    ("certified: what the verdict race-free rests on", "no error, but an answer"),
    ("refused: ", "no error, but an answer"),
    ("cannot watch for signals", "the system would have to refuse a handler"),
    ("cannot start a thread", "the system would have to refuse a thread"),
    ("cannot write a witness", "JSON can hold every witness"),
    ("cannot run gdb", "gdb would have to be missing"),
    ("completions are text", "an internal error"),
    ("manual pages are text", "an internal error"),
    ("cannot make the manual page", "an internal error"),
    ("internal error: the witness of", "an internal error"),
    ("there is no bound", "an internal error"),
    ("the repaired program does not compile", "an internal error"),
    ("the repaired program is not race-free", "an internal error"),
    ("this raceproof was built without LLVM", "this raceproof has it"),
    ("cannot go to `", "the folder of a check would have to become unreadable for its user"),
    ("cannot write manual pages into", "tests may run as root, who can write everywhere"),
    ("cannot write `", "tests may run as root, who can write everywhere"),
    ("the name of `", "file names that are no UTF-8 cannot stand in the list"),
    ("`{}` is not UTF-8", "the front end takes sources with any bytes only in comments"),
    ("raceproof: nothing is kept for a check in", "no error; see builds.rs"),
    ("` was compiled by raceproof", "takes an object of another version; see kept.rs"),
    ("what `raceproof cc` kept in it is garbled", "takes a garbled object; see kept.rs"),
    ("none of its objects is in the list of compile commands", "shown by the list with another name"),
    ("warning: {doubt}", "no error"),
    ("note: ", "no error"),
    ("unknown: ", "no error, but an answer"),
];

fn list() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/errors.txt")
}

/// The folder in which the commands run.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    };
    let schedule = r#"{"goal":"race","strands":[],"steps":[],"decisions":[],"stops":[]}"#;
    let native = r#"{"native_witness":99,"raceproof":"0","finding":"x","command":[],"schedule":SCHEDULE}"#;
    write("native.json", &native.replace("SCHEDULE", schedule));
    write("ok.c", "int main(void) { return 0; }\n");
    write("wrong.c", "int main(void) { return y; }\n");
    write("defines.c", "#define N 2\nint main(void) { return N; }\n");
    write(
        "library.c",
        "int twice(int n) { return 2 * n; }\nstatic void own(void) { }\nvoid all(void) { own(); }\n",
    );
    write("library.cpp", "int get(int) { return 1; } int get(char) { return 2; }\n");
    write("threads.c", include_str!("../../../examples/locks/gate.c"));
    write("second.c", "int main(void) { return 1; }\n");
    write("script.py", "");
    write("garbled.bc", "BC?");
    write("garbled.json", "{");
    write("empty.json", "{}");
    write("old.json", "{\"verdict\": \"race\", \"version\": 99}");
    write("unversioned.json", "{\"verdict\": \"race\"}");
    write("part.json", "{\"verdict\": \"race\", \"version\": 1}");
    write("thin.a", "!<thin>\n");
    write("trace.std", "T1|w(x)|1\nT2|r(x)|2\n");
    std::fs::write(folder.path().join("trace.std.gz"), b"\x1f\x8bgarbled").expect("a file");
    write("word.std", "T1|w(x)|1\nT2|oops(x)|2\n");
    write("locks.std", "T1|rel(m)|1\n");
    write("control.txt", "1 2 3\n");
    write("writes.txt", "1\n");
    write("folder.c/inside", "");
    let database = |name: &str, text: &str| write(&format!("{name}/compile_commands.json"), text);
    database("b-garbled", "[");
    database("b-empty", "[]");
    database("b-nothing", "[{}]");
    database("b-no-command", "[{\"directory\": \".\", \"file\": \"../ok.c\"}]");
    database("b-quote", "[{\"directory\": \"..\", \"file\": \"ok.c\", \"command\": \"cc 'ok.c\"}]");
    database("b-quotes", "[{\"directory\": \"..\", \"file\": \"ok.c\", \"command\": \"cc \\\"ok.c\"}]");
    database("b-no-words", "[{\"directory\": \"..\", \"file\": \"ok.c\", \"command\": \"\"}]");
    database("b-gone", "[{\"directory\": \"..\", \"file\": \"gone.c\", \"command\": \"cc -c gone.c\"}]");
    write("a.S", "");
    database("b-assembly", "[{\"directory\": \"..\", \"file\": \"a.S\", \"command\": \"cc -c a.S\"}]");
    let two = "[{\"directory\": \"..\", \"file\": \"ok.c\", \"command\": \"cc -c ok.c\"}, \
               {\"directory\": \"..\", \"file\": \"second.c\", \"command\": \"cc -c second.c\"}]";
    database("b-two", two);
    database("b-linked", two);
    write("b-linked/CMakeFiles/one.dir/link.txt", "cc CMakeFiles/one.dir/ok.c.o -o one\n");
    write("b-linked/CMakeFiles/two.dir/link.txt", "cc CMakeFiles/two.dir/second.c.o -o two\n");
    for (name, text) in [
        ("key", "threads = 2\nthread = 3\n"),
        ("value", "threads = \"x\"\n"),
        ("syntax", "threads = \n"),
        ("place", "path = \"x\"\n"),
        ("no-path", "[[for]]\nthreads = 2\n"),
        ("not-top", "[[for]]\npath = \"x\"\nbuild = \"y\"\n"),
        ("no-reason", "[[suppress]]\nvariable = \"x\"\nlocations = [\"a.c:1\"]\nreason = \"\"\n"),
        ("no-kind", "[[suppress]]\nkind = \"bug\"\nlocations = [\"a.c:1\"]\nreason = \"r\"\n"),
        ("no-name", "[[suppress]]\nlocations = [\"a.c:1\"]\nreason = \"r\"\n"),
        ("no-files", "files = [\"*.cc\"]\n"),
    ] {
        write(&format!("{name}.toml"), text);
    }
    let race = |bound: usize| {
        let side = "\"file\": \"ok.c\", \"line\": 1, \"column\": 1, \"access\": \"write\", \"atomic\": false, \
                    \"thread\": {\"id\": 0, \"name\": \"main\"}, \"locks\": [], \"stack\": []";
        format!(
            "{{\"version\": 1, \"verdict\": \"race\", \"bounds\": [], \"races\": [{{\"variable\": \"x\", \"first\": {{{side}}}, \
             \"second\": {{{side}}}, \"witness\": {{\"choices\": [], \"bound\": {bound}, \"steps\": []}}}}], \"defects\": [], \
             \"assumptions\": [], \"stats\": {{\"states\": 0, \"transitions\": 0, \"executions\": 0, \"depth\": 0, \
             \"instructions\": 0, \"seconds\": 0, \"compile_seconds\": 0, \"peak_memory_bytes\": 0}}, \"files\": [\"ok.c\"], \
             \"flags\": []}}"
        )
    };
    write("race.json", &race(7));
    write(
        "none.json",
        &race(0).replace("\"race\"", "\"race-free\"").replace(
            &race(0)[race(0).find("[{\"variable").expect("races")
                ..race(0).find(", \"defects\"").expect("defects")],
            "[]",
        ),
    );
    let certificate = |version: u32, rest: &str| {
        format!("{{\"format\": \"raceproof-certificate\", \"version\": {version}{rest}}}")
    };
    let of = |hash: &str, certificates: &str| {
        let report = race(0)
            .replace("\"bounds\": []", "\"bounds\": [{\"threads\": 2, \"args\": [], \"defines\": []}]");
        let rest = format!(
            ", \"raceproof\": \"0\", \"command\": [], \"directory\": \".\", \"inputs\": [\"ok.c\"], \"sources\": \
             [{hash}], \"report\": {report}, \"certificates\": [{certificates}]"
        );
        certificate(1, &rest)
    };
    write("certificate_old.json", &certificate(99, ""));
    write("certificate_part.json", &certificate(1, ""));
    write("certificate_none.json", &of("", ""));
    write("certificate_changed.json", &of("{\"file\": \"ok.c\", \"sha256\": \"0\"}", "{}"));
    write("certificate_incomplete.json", &of("", "{\"version\": 1}"));
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_raceproof"), folder.path().join("raceproof"))
        .expect("a link");
    folder
}

/// What a command prints on standard error; it must end with 2.
fn says(command: &str, folder: &Path) -> String {
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        .env("PATH", path)
        .env("XDG_CACHE_HOME", "/dev/null")
        .env("NO_COLOR", "1")
        .env_remove("RACEPROOF_CC")
        .output()
        .expect("a shell");
    let text = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
    let code = output.status.code();
    assert!(code == Some(2) || command.contains("raceproof cc"), "`{command}` ended with {code:?}: {text}");
    let here = folder.canonicalize().expect("a folder");
    text.replace(&*folder.to_string_lossy(), "FOLDER").replace(&*here.to_string_lossy(), "FOLDER")
}

/// The list as commands with their texts, and lines before them.
fn blocks(text: &str) -> Vec<(String, String)> {
    let mut blocks: Vec<(String, String)> = Vec::new();
    // What stands between a heading and the next command belongs to nothing.
    let commands = |part: &'_ str| part.find("\n$ ").map_or(part.len(), |at| at + 1);
    for line in text.split("\n## ").flat_map(|part| part[commands(part)..].lines()) {
        match (line.strip_prefix("$ "), blocks.last_mut()) {
            (Some(command), _) => blocks.push((command.to_owned(), String::new())),
            (None, Some((_, said))) => {
                said.push_str(line);
                said.push('\n');
            }
            (None, None) => {}
        }
    }
    blocks
}

#[test]
fn every_message_has_the_text_of_the_list() {
    let text = std::fs::read_to_string(list()).expect("the list");
    let folder = folder();
    let mut out = text.clone();
    let mut wrong = Vec::new();
    for (command, said) in blocks(&text) {
        let found = says(&command, folder.path());
        if found.trim_end() == said.trim_end() {
            continue;
        }
        wrong.push(format!("$ {command}\nexpected: {}\nfound:    {found}", said.trim_end()));
        let old = format!("$ {command}\n{said}");
        let old = old.trim_end();
        out = out.replacen(&format!("{old}\n"), &format!("$ {command}\n{found}\n"), 1);
    }
    if std::env::var_os("RACEPROOF_BLESS").is_some() {
        std::fs::write(list(), out).expect("the list can be written");
    } else {
        assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    }
}

fn sources(folder: &Path, files: &mut Vec<std::path::PathBuf>) {
    for path in std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            sources(&path, files);
        } else {
            files.push(path);
        }
    }
}

/// The texts of the messages in a source file: the first literal after what makes an error.
fn messages(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or(text);
    let mut found = Vec::new();
    for start in [
        "bail!(",
        "anyhow!(",
        ".context(",
        "with_context(|| format!(",
        "Err(format!(",
        "Error::Input(format!(",
    ] {
        for (at, _) in code.match_indices(start) {
            let rest = code[at + start.len()..].trim_start();
            if let Some(literal) = rest.strip_prefix('"') {
                found.push(literal_text(literal));
            }
        }
    }
    found
}

/// A literal up to its closing quote, continued lines put together.
fn literal_text(rest: &str) -> String {
    let mut out = String::new();
    let mut chars = rest.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' => break,
            '\\' => match chars.next() {
                Some('\n') => while chars.next_if(|c| c.is_whitespace()).is_some() {},
                Some('n') => out.push('\n'),
                Some(c) => out.push(c),
                None => break,
            },
            c => out.push(c),
        }
    }
    out
}

/// The longest part of a message without placeholders.
fn fixed_part(message: &str) -> &str {
    message.split(['{', '}']).step_by(2).flat_map(str::lines).max_by_key(|part| part.len()).unwrap_or("")
}

#[test]
fn no_message_is_missing_from_the_list() {
    let text = std::fs::read_to_string(list()).expect("the list");
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    let mut missing = Vec::new();
    let mut count = 0;
    for file in files {
        for message in messages(&std::fs::read_to_string(&file).expect("a source")) {
            count += 1;
            let part = fixed_part(&message);
            let told = NOT_SHOWN.iter().any(|(known, _)| message.contains(known));
            if part.len() > 2 && !text.contains(part.trim()) && !told {
                missing.push(format!("{}: {message}", file.display()));
            }
        }
    }
    assert!(count > 80, "{count} messages");
    assert!(missing.is_empty(), "not in errors.txt, and not among NOT_SHOWN:\n{}", missing.join("\n"));
}
