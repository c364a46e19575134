//! Runs clang: one process a file, in parallel.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::omp::directives::Directives;
use crate::{Error, Options};

/// One file's bitcode or IR.
pub struct Unit {
    /// The file that it comes from.
    pub file: PathBuf,
    /// What to give to LLVM.
    pub bytes: Vec<u8>,
    /// The OpenMP directives of the source, as far as they say more than the bitcode.
    pub directives: Directives,
}

/// The result of a run.
pub struct Compiled {
    /// One a file, in the order of the files.
    pub units: Vec<Unit>,
    /// What clang printed though it succeeded.
    pub warnings: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Language {
    C,
    Cpp,
    PreprocessedC,
    PreprocessedCpp,
    Llvm,
}

/// Makes libstdc++ emit what it keeps behind `extern template`: `std::string`, streams and more.
const CPP_PRELUDE: &str = "#if __has_include(<bits/c++config.h>)
#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#endif
";

/// What programs may include to bound their inputs.
const HEADER: &str = include_str!("../include/raceproof.h");

/// Found before the system's own: gives cleanup handlers a form that needs no `longjmp` when a thread ends.
const PTHREAD: &str = include_str!("../include/override/pthread.h");

/// Flags that every source is compiled with.
const FLAGS: [&str; 7] =
    ["-g", "-O0", "-fno-discard-value-names", "-Xclang", "-disable-O0-optnone", "-emit-llvm", "-c"];

/// Calls of the OpenMP runtime that do not tell all that the directive says.
const NEEDS_DIRECTIVES: [&[u8]; 3] =
    [b"__kmpc_for_static_init", b"__kmpc_dispatch_init", b"llvm.loop.vectorize.enable"];

/// Compiles every file that is not LLVM's already.
pub fn run(options: &Options) -> Result<Compiled, Error> {
    if options.files.is_empty() {
        return Err(Error::NoFiles);
    }
    let languages = options.files.iter().map(|f| language(f)).collect::<Result<Vec<_>, _>>()?;
    let directory = tempfile::tempdir().map_err(Error::Temporary)?;
    let prelude = directory.path().join("prelude.h");
    std::fs::write(&prelude, CPP_PRELUDE).map_err(Error::Temporary)?;
    std::fs::write(directory.path().join("raceproof.h"), HEADER).map_err(Error::Temporary)?;
    let overrides = directory.path().join("override");
    std::fs::create_dir(&overrides).map_err(Error::Temporary)?;
    std::fs::write(overrides.join("pthread.h"), PTHREAD).map_err(Error::Temporary)?;
    let job = |index: usize| -> Result<(Unit, String), Error> {
        let file = &options.files[index];
        if languages[index] == Language::Llvm {
            let bytes = read(file)?;
            let directives = Directives::default();
            return Ok((Unit { file: file.clone(), bytes, directives }, String::new()));
        }
        let out = directory.path().join(format!("{index}.bc"));
        let warnings = compile(options, file, languages[index], &prelude, &out)?;
        let bytes = std::fs::read(&out).map_err(Error::Temporary)?;
        let directives = directives(options, file, languages[index], &prelude, &bytes)?;
        Ok((Unit { file: file.clone(), bytes, directives }, warnings))
    };
    let mut compiled = Compiled { units: Vec::new(), warnings: Vec::new() };
    let mut failures = String::new();
    for result in in_parallel(options.files.len(), &job) {
        match result {
            Ok((unit, warnings)) => {
                compiled.units.push(unit);
                if !warnings.trim().is_empty() {
                    compiled.warnings.push(warnings.trim_end().to_string());
                }
            }
            // All files' errors are worth seeing, in the order of the files.
            Err(Error::Compile { output }) => failures.push_str(&output),
            Err(error) => return Err(error),
        }
    }
    if failures.is_empty() { Ok(compiled) } else { Err(Error::Compile { output: failures }) }
}

/// Runs `job` for 0..count on as many threads as there are processors; results in order.
fn in_parallel<T: Send>(count: usize, job: &(impl Fn(usize) -> T + Sync)) -> Vec<T> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(count);
    if threads <= 1 {
        return (0..count).map(job).collect();
    }
    let next = AtomicUsize::new(0);
    let mut results: Vec<(usize, T)> = std::thread::scope(|scope| {
        let worker = || {
            let mut mine = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= count {
                    return mine;
                }
                mine.push((index, job(index)));
            }
        };
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        let join = |h: std::thread::ScopedJoinHandle<'_, Vec<(usize, T)>>| match h.join() {
            Ok(results) => results,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        handles.into_iter().flat_map(join).collect()
    });
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

fn language(file: &Path) -> Result<Language, Error> {
    match file.extension().and_then(|e| e.to_str()) {
        Some("c") => Ok(Language::C),
        Some("i") => Ok(Language::PreprocessedC),
        Some("cc" | "cpp" | "cxx" | "c++" | "C" | "CPP") => Ok(Language::Cpp),
        Some("ii") => Ok(Language::PreprocessedCpp),
        Some("bc" | "ll") => Ok(Language::Llvm),
        _ => Err(Error::Language { file: file.to_path_buf() }),
    }
}

fn read(file: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(file).map_err(|error| Error::Read { file: file.to_path_buf(), error })
}

fn compile(
    options: &Options,
    file: &Path,
    language: Language,
    prelude: &Path,
    out: &Path,
) -> Result<String, Error> {
    let (clang, mut command) = command(options, file, language, prelude)?;
    // Colour and carets belong to whoever shows the text; clang's own default for a pipe is plain text.
    command.args(FLAGS).arg("-o").arg(out).arg("--").arg(file);
    let result = command.output().map_err(|error| Error::Clang { clang, error })?;
    let printed = String::from_utf8_lossy(&result.stderr).into_owned();
    if result.status.success() {
        return Ok(printed);
    }
    let output =
        if printed.trim().is_empty() { format!("clang failed: {}\n", result.status) } else { printed };
    Err(Error::Compile { output })
}

/// The OpenMP directives of a source whose bitcode is known. Only some constructs need them.
fn directives(
    options: &Options,
    file: &Path,
    language: Language,
    prelude: &Path,
    bitcode: &[u8],
) -> Result<Directives, Error> {
    if !NEEDS_DIRECTIVES.iter().any(|name| bitcode.windows(name.len()).any(|w| w == *name)) {
        return Ok(Directives::default());
    }
    let name = file.to_string_lossy();
    if matches!(language, Language::PreprocessedC | Language::PreprocessedCpp) {
        return Ok(Directives::parse(&String::from_utf8_lossy(&read(file)?), &name));
    }
    let (clang, mut command) = command(options, file, language, prelude)?;
    command.args(["-E", "-w", "--"]).arg(file);
    let result = command.output().map_err(|error| Error::Clang { clang, error })?;
    Ok(Directives::parse(&String::from_utf8_lossy(&result.stdout), &name))
}

/// Clang with all that decides what the source means.
fn command(
    options: &Options,
    file: &Path,
    language: Language,
    prelude: &Path,
) -> Result<(PathBuf, Command), Error> {
    let source = read(file)?;
    let clang = options.clang.clone().unwrap_or_else(|| "clang-19".into());
    let mut command = Command::new(&clang);
    command.args(user_flags(&options.flags).into_iter().filter(|f| fits(f, language)));
    command.args(options.defines.iter().map(|d| format!("-D{d}")));
    if !options.flags.iter().any(|f| f == "-fopenmp" || f.starts_with("-fopenmp=") || f == "-fno-openmp")
        && uses_openmp(&source)
    {
        command.arg("-fopenmp");
    }
    if language == Language::Cpp {
        command.arg("-include").arg(prelude);
    }
    if let Some(directory) = prelude.parent() {
        command.arg("-idirafter").arg(directory).arg("-isystem").arg(directory.join("override"));
    }
    Ok((clang, command))
}

/// Whether a flag is for the language; clang refuses `-std=c++20` for C and `-std=c11` for C++.
fn fits(flag: &str, language: Language) -> bool {
    let Some(standard) = flag.strip_prefix("-std=").or_else(|| flag.strip_prefix("--std=")) else {
        return true;
    };
    standard.contains("++") == matches!(language, Language::Cpp | Language::PreprocessedCpp)
}

/// The user's flags without those that choose the output, optimisation or instrumentation.
fn user_flags(flags: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        match flag.as_str() {
            "-o" | "-MF" | "-MT" | "-MQ" => {
                flags.next();
            }
            "-c" | "-S" | "-E" | "-MD" | "-MMD" | "-MP" | "-M" | "-MM" | "-pipe" | "-s" => {}
            f if f.starts_with("-o") && !f.starts_with("-objc") => {}
            // `-gcc-toolchain` and the like choose headers; `-g...` chooses debug information.
            f if f.starts_with("-g") && !f.starts_with("-gcc") => {}
            f if f.starts_with("-O") || f.starts_with("-flto") || f.starts_with("-fsanitize") => {}
            f if f.starts_with("-fno-sanitize") || f.starts_with("-Wl,") || f.starts_with("-l") => {}
            f if f.starts_with("-fprofile") || f.starts_with("-fcoverage") || f == "--coverage" => {}
            _ => kept.push(flag.clone()),
        }
    }
    kept
}

/// Whether a line of the source begins an OpenMP directive.
fn uses_openmp(source: &[u8]) -> bool {
    source.split(|b| *b == b'\n').any(|line| {
        let line = line.trim_ascii_start();
        let Some(rest) = line.strip_prefix(b"#") else {
            return line.windows(7).any(|w| w == b"_Pragma") && line.windows(3).any(|w| w == b"omp");
        };
        let Some(rest) = rest.trim_ascii_start().strip_prefix(b"pragma") else { return false };
        rest.first().is_some_and(u8::is_ascii_whitespace) && rest.trim_ascii_start().starts_with(b"omp")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_that_choose_the_output_are_dropped() {
        let flags =
            ["-O3", "-o", "x", "-c", "-g3", "-Wall", "-DN=2", "-flto=thin", "-fsanitize=thread", "-m32"];
        let flags = flags.map(String::from);
        assert_eq!(user_flags(&flags), ["-Wall", "-DN=2", "-m32"]);
    }

    #[test]
    fn openmp_is_seen() {
        assert!(uses_openmp(b"int x;\n  #  pragma   omp parallel\n"));
        assert!(uses_openmp(b"_Pragma(\"omp parallel\")"));
        assert!(!uses_openmp(b"#pragma once\n// #pragma omp\n"));
        assert!(!uses_openmp(b"#pragma omitted"));
    }
}
