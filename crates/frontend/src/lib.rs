//! The front end: C and C++ sources, preprocessed sources, LLVM bitcode and textual IR to [`ir::Module`].
//!
//! The way: [`driver`] runs clang on every file ([`units`]), [`program`] links the results with the models of the C library
//! and promotes locals that do not escape to registers, [`lower`] translates what can be reached from `main`. No other
//! optimisation is run, so that nothing has acted on undefined behaviour.

mod blocks;
mod conventions;
mod debug;
mod directives;
mod driver;
mod entry;
mod llvm;
mod lower;
mod macros;
mod names;
mod omp;
mod padding;
mod program;
mod scopes;
mod uses_openmp;

pub use driver::is_cpp20;

use std::path::PathBuf;
use std::time::{Duration, Instant};

/// What to compile, and how.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Sources (`.c`, `.i`, `.cc`, `.cpp`, `.cxx`, `.C`, `.ii`), bitcode (`.bc`) and textual IR (`.ll`).
    pub files: Vec<PathBuf>,
    /// Flags for clang.
    pub flags: Vec<String>,
    /// Macros, as `NAME=VALUE` or `NAME`.
    pub defines: Vec<String>,
    /// The compiler; `clang-19` from the path if not given.
    pub clang: Option<PathBuf>,
    /// What a build says of the file with the same index; none if there are fewer.
    pub own: Vec<Own>,
    /// Further files that are compiled already.
    pub ready: Vec<Unit>,
    /// Functions to call in place of `main`: one by the main thread, several by a thread each.
    pub entries: Vec<String>,
    /// What compiling may use.
    pub budget: base::Budget,
}

/// What a build says of one file.
#[derive(Debug, Clone, Default)]
pub struct Own {
    /// The folder in which its compiler runs; relative names in its flags count from there.
    pub directory: PathBuf,
    /// Flags for clang, before those of all files.
    pub flags: Vec<String>,
}

/// One file, compiled: what [`program`](fn@program) makes a program of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unit {
    /// The file that it comes from.
    pub file: PathBuf,
    /// Bitcode or textual IR.
    pub bytes: Vec<u8>,
    /// The OpenMP directives of the source, with the compiler's names of files.
    pub directives: ir::Directives,
    /// The folder that the compiler ran in: relative names of files count from there.
    pub directory: PathBuf,
    /// Whether it is C++20 or later, as far as that is known; see [`is_cpp20`].
    pub cpp20: bool,
}

impl Unit {
    /// Whether it defines a function of this name for others; wrong bitcode defines nothing.
    pub fn defines(&self, function: &str) -> bool {
        llvm::Module::read(&self.bytes, &self.file.to_string_lossy())
            .is_ok_and(|module| module.function(function).is_some_and(|f| !f.is_declaration()))
    }
}

/// The files of a program, compiled.
#[derive(Debug, Clone, Default)]
pub struct Units {
    /// One a file, in the order of the files, and then those that were ready.
    pub units: Vec<Unit>,
    /// What the user should know of the flags and macros that were given.
    pub notes: Vec<String>,
    /// How long clang took.
    pub time: Duration,
}

/// Why there is no program.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No input.
    #[error("no source file is given: expected at least one .c, .cpp, .i, .ii, .bc or .ll file")]
    NoFiles,
    /// A file cannot be read.
    #[error("cannot read {}: {error}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// A file of another language.
    #[error(
        "{}: the file's language is not known; expected one of the extensions \
         .c .i (C), .cc .cpp .cxx .C .ii (C++), .bc .ll (LLVM 19)", file.display()
    )]
    Language {
        /// The file.
        file: PathBuf,
    },
    /// The compiler cannot be run.
    #[error("cannot run the compiler {}: {error}; install clang 19 (`raceproof doctor` says how)", clang.display())]
    Clang {
        /// The compiler.
        clang: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// The budget was used up before the compiler was done.
    #[error("the {} was reached while the program was compiled", limit(*.0))]
    Late(base::budget::Spent),
    /// The sources are wrong. The text is clang's, as it printed it.
    #[error("{output}")]
    Compile {
        /// What clang printed.
        output: String,
    },
    /// A macro that was given is defined anew by the source, so that what was given has no effect.
    #[error(
        "{option}: {place} defines `{name}` itself, so that the value that is given has no effect; write `#ifndef {name}` around it, or \
         leave the option out"
    )]
    Redefined {
        /// The option that gives it.
        option: &'static str,
        /// Its name.
        name: String,
        /// File and line.
        place: String,
    },
    /// Bitcode or IR that LLVM 19 cannot read.
    #[error("{}: not LLVM bitcode or IR that LLVM 19 can read (`clang-19 -emit-llvm` writes it): {message}", file.display())]
    Bitcode {
        /// The file.
        file: PathBuf,
        /// What LLVM says.
        message: String,
    },
    /// The files do not fit together.
    #[error(
        "the files cannot be linked into one program: {message}; give the files of one program, each once"
    )]
    Link {
        /// What LLVM says.
        message: String,
    },
    /// There is no `main`.
    #[error(
        "no function `main` is defined in the given files; give all files of the program, or for a library the function \
         to call (--entry FUNCTION)"
    )]
    NoMain,
    /// A function to call is not there.
    #[error("--entry: no function `{function}` is defined in the given files; {hint}")]
    NoEntry {
        /// Its name.
        function: String,
        /// What there is.
        hint: String,
    },
    /// Several functions have the name.
    #[error("--entry: there are several functions `{function}`; say which: {candidates}")]
    EntryAmbiguous {
        /// The name.
        function: String,
        /// Their names with parameters.
        candidates: String,
    },
    /// A function that only its own file can call.
    #[error(
        "--entry: `{function}` is static, so that only its own file can call it; name a function that users of the library call"
    )]
    EntryStatic {
        /// The name.
        function: String,
    },
    /// A function with a parameter for which there are no arguments to stand for all.
    #[error("parameter {number} of `{function}` is {what}; write a `main` that calls it as its users do")]
    EntryParameter {
        /// The function's name.
        function: String,
        /// The parameter's number, from 1.
        number: usize,
        /// What is wrong with it.
        what: String,
    },
    /// The target is not supported.
    #[error("target {triple} is not supported; expected x86-64, or 32-bit x86 (-m32)")]
    Target {
        /// The target triple.
        triple: String,
    },
    /// A temporary file cannot be written.
    #[error("cannot write temporary files: {0}")]
    Temporary(std::io::Error),
    /// The front end made something wrong of a right program.
    #[error("internal error of the front end: {0}; please report it with the source")]
    Internal(String),
}

/// What was used up, in words.
fn limit(spent: base::budget::Spent) -> &'static str {
    use base::budget::Spent;
    match spent {
        Spent::Time => "time limit (--time-limit)",
        Spent::Memory => "memory limit (--memory-limit)",
        Spent::Instructions => "instruction limit (--max-instructions)",
        Spent::Interrupted(_) => "user's patience",
    }
}

/// A program, ready to be run.
#[derive(Debug)]
pub struct Program {
    /// The code.
    pub module: ir::Module,
    /// How long compiling took, from the first call of clang to the verified module.
    pub compile_time: Duration,
}

/// Compiles and links the files.
pub fn compile(options: &Options) -> Result<Program, Error> {
    program(units(options)?, &options.entries)
}

/// Compiles each file.
pub fn units(options: &Options) -> Result<Units, Error> {
    let start = Instant::now();
    let mut units = driver::run(options)?;
    units.time = start.elapsed();
    Ok(units)
}

/// Links compiled files into a program; `entries` are called in place of `main`, if there are any.
pub fn program(units: Units, entries: &[String]) -> Result<Program, Error> {
    let start = Instant::now();
    let module = program::build(units.units, entries)?;
    Ok(Program { module, compile_time: units.time + start.elapsed() })
}
