//! `raceproof doctor`: what raceproof needs on this machine, whether it is there, and what to do where it is not.
//!
//! Each check tries the thing itself (compiles a line with the header, writes a file), because a package that is
//! installed does not always work. Exit code 0 if all that `check` needs is there, 1 otherwise.

use std::io::Write;
use std::process::{Command, Stdio};

use anyhow::Result;

use crate::output;

/// The compiler that `check` starts.
const CLANG: &str = "clang-19";

/// How one check went.
#[derive(Debug, PartialEq, Eq)]
enum State {
    Fine,
    /// `check` works without it, but some programs do not.
    Lacking,
    /// `check` does not work without it.
    Missing,
}

/// One line of the answer.
#[derive(Debug)]
struct Line {
    name: &'static str,
    state: State,
    found: String,
    advice: Option<&'static str>,
}

impl Line {
    fn fine(name: &'static str, found: String) -> Line {
        Line { name, state: State::Fine, found, advice: None }
    }
}

/// Runs the command; the number is the exit code.
pub fn run() -> Result<u8> {
    let clang = clang();
    let compiler = clang.state == State::Fine;
    let mut lines = vec![version(), llvm(), clang];
    if compiler {
        lines.extend([c_headers(), cxx_headers(), openmp()]);
    }
    lines.extend([scratch(), machine()]);
    output::print(&render(&lines, output::width()))?;
    Ok(u8::from(lines.iter().any(|line| line.state == State::Missing)))
}

fn render(lines: &[Line], width: usize) -> String {
    const INDENT: usize = 26;
    let hang = |text: &str| -> String {
        let rest = " ".repeat(INDENT);
        textwrap::fill(text, textwrap::Options::new(width).subsequent_indent(&rest).break_words(false))
    };
    let mut out = String::new();
    for line in lines {
        let word = match line.state {
            State::Fine => "ok",
            State::Lacking => "lacking",
            State::Missing => "missing",
        };
        out += &(hang(&format!("{word:<8} {:<16} {}", line.name, line.found)) + "\n");
        if let Some(advice) = line.advice {
            out += &(hang(&format!("{:INDENT$}{advice}", "")) + "\n");
        }
    }
    let count = |state: State| lines.iter().filter(|line| line.state == state).count();
    let last = match (count(State::Missing), count(State::Lacking)) {
        (0, 0) => "Everything is there.",
        (0, _) => "raceproof works; some programs need what is lacking.",
        _ => {
            "`raceproof check` does not work before what is missing is there; `predict`, `triage` of traces and `trace` do."
        }
    };
    out + "\n" + &textwrap::fill(last, width) + "\n"
}

fn version() -> Line {
    Line::fine("raceproof", env!("CARGO_PKG_VERSION").to_owned())
}

fn llvm() -> Line {
    if crate::front::BUILT_IN {
        return Line::fine("LLVM", "built in".to_owned());
    }
    Line {
        name: "LLVM",
        state: State::Missing,
        found: "this raceproof was built without it".to_owned(),
        advice: Some(
            "install llvm-19-dev and build with default features: cargo build --release -p raceproof",
        ),
    }
}

fn clang() -> Line {
    match Command::new(CLANG).arg("--version").stdin(Stdio::null()).output() {
        Ok(output) if output.status.success() => {
            let text = String::from_utf8_lossy(&output.stdout);
            Line::fine(CLANG, text.lines().next().unwrap_or("no version").to_owned())
        }
        Ok(output) => Line {
            name: CLANG,
            state: State::Missing,
            found: format!("`{CLANG} --version` failed: {}", output.status),
            advice: Some("install it again: apt install clang-19"),
        },
        Err(error) => Line {
            name: CLANG,
            state: State::Missing,
            found: format!("cannot be started: {error}"),
            advice: Some("apt install clang-19 (on Debian 12 from apt.llvm.org)"),
        },
    }
}

fn c_headers() -> Line {
    let found = compiles(&["-x", "c"], "#include <pthread.h>\n#include <stdio.h>\n");
    headers("C headers", found, State::Missing, "pthread.h and stdio.h", "apt install libc6-dev")
}

fn cxx_headers() -> Line {
    let found =
        compiles(&["-x", "c++", "-std=c++17"], "#include <thread>\n#include <mutex>\n#include <atomic>\n");
    headers("C++ headers", found, State::Lacking, "thread, mutex and atomic", "apt install libstdc++-12-dev")
}

fn openmp() -> Line {
    let found = compiles(
        &["-x", "c", "-fopenmp"],
        "#include <omp.h>\nint n(void) { return omp_get_num_threads(); }\n",
    );
    headers("OpenMP", found, State::Lacking, "omp.h", "apt install libomp-19-dev")
}

fn headers(
    name: &'static str,
    found: std::result::Result<(), String>,
    state: State,
    what: &str,
    advice: &'static str,
) -> Line {
    match found {
        Ok(()) => Line::fine(name, what.to_owned()),
        Err(why) => Line { name, state, found: why, advice: Some(advice) },
    }
}

/// Whether clang takes the text; else the first line that it says.
fn compiles(flags: &[&str], text: &str) -> std::result::Result<(), String> {
    let started = Command::new(CLANG)
        .args(flags)
        .args(["-fsyntax-only", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = started.map_err(|error| error.to_string())?;
    if let Some(mut input) = child.stdin.take() {
        // If clang ends before it has read all, its message says why.
        let _ = input.write_all(text.as_bytes());
    }
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(said.lines().next().unwrap_or("clang says nothing").to_owned())
}

/// clang's output goes to a temporary folder.
fn scratch() -> Line {
    let folder = std::env::temp_dir();
    let file = folder.join(format!("raceproof-doctor-{}", std::process::id()));
    let written = std::fs::write(&file, [0; 4096]);
    let _ = std::fs::remove_file(&file);
    match written {
        Ok(()) => Line::fine("temporary files", format!("{} can be written", folder.display())),
        Err(error) => Line {
            name: "temporary files",
            state: State::Missing,
            found: format!("cannot write into {}: {error}", folder.display()),
            advice: Some("set TMPDIR to a folder that can be written and has some megabytes free"),
        },
    }
}

fn machine() -> Line {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let memory = crate::resolve::default_memory_limit().map(|limit| limit >> 20);
    let memory =
        memory.map_or(String::new(), |mebibytes| format!(", memory limit of a check {mebibytes} MB"));
    Line::fine("machine", format!("{cores} cores{memory}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines() -> [Line; 3] {
        let lacking = Line {
            name: "OpenMP",
            state: State::Lacking,
            found: "fatal error: 'omp.h' file not found".into(),
            advice: Some("apt install libomp-19-dev"),
        };
        let missing = Line {
            name: CLANG,
            state: State::Missing,
            found: "cannot be started: No such file or directory (os error 2)".into(),
            advice: Some("apt install clang-19 (on Debian 12 from apt.llvm.org)"),
        };
        [Line::fine("LLVM", "built in".into()), lacking, missing]
    }

    #[test]
    fn what_is_missing_comes_with_advice() {
        assert_eq!(
            render(&lines(), 60),
            "ok       LLVM             built in\n\
             lacking  OpenMP           fatal error: 'omp.h' file not\n\
             \u{20}                         found\n\
             \u{20}                         apt install libomp-19-dev\n\
             missing  clang-19         cannot be started: No such file or\n\
             \u{20}                         directory (os error 2)\n\
             \u{20}                         apt install clang-19 (on Debian 12\n\
             \u{20}                         from apt.llvm.org)\n\
             \n\
             `raceproof check` does not work before what is missing is\n\
             there; `predict`, `triage` of traces and `trace` do.\n"
        );
        assert!(
            render(&lines()[..2], 100).ends_with("\nraceproof works; some programs need what is lacking.\n")
        );
        assert!(render(&lines()[..1], 100).ends_with("\nEverything is there.\n"));
    }

    #[test]
    fn clang_says_what_it_does_not_find() {
        if clang().state != State::Fine {
            eprintln!("skipped: {CLANG} is not there");
            return;
        }
        assert_eq!(compiles(&["-x", "c"], "int x;\n"), Ok(()));
        let why = compiles(&["-x", "c"], "#include <no-such-header.h>\n").unwrap_err();
        assert!(why.contains("no-such-header.h"), "{why}");
    }
}
