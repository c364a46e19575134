//! Helpers of the tests: compiling sources from strings.

#![allow(dead_code)]

pub mod eval;

use std::path::{Path, PathBuf};

use frontend::{Error, Options, Program};
use ir::{Function, Inst, Module};

/// Writes files into a new directory.
pub fn files(sources: &[(&str, &str)]) -> (tempfile::TempDir, Vec<PathBuf>) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let write = |(name, text): &(&str, &str)| {
        let path = directory.path().join(name);
        std::fs::write(&path, text).expect("a temporary file");
        path
    };
    let paths = sources.iter().map(write).collect();
    (directory, paths)
}

/// Compiles files given by name and text.
pub fn try_compile(sources: &[(&str, &str)], flags: &[&str]) -> Result<Program, Error> {
    let (_directory, files) = files(sources);
    let flags = flags.iter().map(|f| f.to_string()).collect();
    frontend::compile(&Options { files, flags, ..Options::default() })
}

/// Compiles one file that must compile.
pub fn compile(name: &str, text: &str) -> Module {
    match try_compile(&[(name, text)], &[]) {
        Ok(program) => program.module,
        Err(error) => panic!("{error}"),
    }
}

/// A function by its name in the source.
pub fn function<'m>(m: &'m Module, display: &str) -> &'m Function {
    m.funcs.iter().find(|f| f.display == display).unwrap_or_else(|| panic!("no function {display}"))
}

/// The instructions of a function.
pub fn code<'m>(m: &'m Module, display: &str) -> &'m [Inst] {
    &function(m, display).body.as_ref().expect("a body").code
}

/// What each access of a function is called, in order: `r name` or `w name`.
pub fn accesses(m: &Module, display: &str) -> Vec<String> {
    let name = |access: ir::AccessId| match m.accesses[access.0 as usize].expr {
        Some(text) => m.str(text).to_string(),
        None => "?".to_string(),
    };
    let body = function(m, display).body.as_ref().expect("a body");
    code(m, display)
        .iter()
        .filter_map(|inst| match inst {
            Inst::Load { access, .. } | Inst::AtomicLoad { access, .. } => {
                Some(format!("r {}", name(*access)))
            }
            Inst::Store { access, .. } | Inst::AtomicStore { access, .. } | Inst::Fill { access, .. } => {
                Some(format!("w {}", name(*access)))
            }
            Inst::AtomicRmw { access, .. } => Some(format!("u {}", name(*access))),
            Inst::CmpXchg { index, .. } => Some(format!("u {}", name(body.cmpxchgs[*index as usize].access))),
            Inst::Copy { access, .. } => Some(format!("c {}", name(*access))),
            _ => None,
        })
        .collect()
}

/// All constructs of the user's functions that could not be translated.
pub fn unsupported(m: &Module) -> Vec<String> {
    let bodies = m.funcs.iter().filter_map(|f| f.body.as_ref());
    let texts = bodies.flat_map(|b| &b.code).filter_map(|inst| match inst {
        Inst::Unsupported { what } => Some(m.str(*what).to_string()),
        _ => None,
    });
    texts.collect()
}

/// Compiles a program that calls `emit` with clang, and runs it: the numbers it emits.
pub fn native(name: &str, text: &str, flags: &[&str]) -> Vec<u64> {
    let emit = "#include <stdio.h>\nvoid emit(unsigned long long x) { printf(\"%llu\\n\", x); }\n";
    let (directory, paths) = files(&[(name, text), ("emit.c", emit)]);
    let binary = directory.path().join("program");
    run(std::process::Command::new("clang-19")
        .args(flags)
        .args(["-w", "-o"])
        .arg(&binary)
        .args(&paths)
        .args(["-lm", "-lstdc++"]));
    let output = run(&mut std::process::Command::new(Path::new(&binary)));
    output.lines().map(|line| line.parse().expect("a number")).collect()
}

fn run(command: &mut std::process::Command) -> String {
    let output = command.output().expect("a command that can be run");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}
