//! The front end: C and C++ sources, preprocessed sources, LLVM bitcode and textual IR to [`ir::Module`].
//!
//! The way: [`driver`] runs clang on every file, [`program`] links the results with the models of the C library and
//! promotes locals that do not escape to registers, [`lower`] translates what can be reached from `main`. No other
//! optimisation is run, so that nothing has acted on undefined behaviour.

mod blocks;
mod conventions;
mod debug;
mod driver;
mod llvm;
mod lower;
mod names;
mod omp;
mod program;

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
    #[error("cannot run the compiler {}: {error}; install clang 19 or say where it is", clang.display())]
    Clang {
        /// The compiler.
        clang: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// The sources are wrong. The text is clang's, as it printed it.
    #[error("{output}")]
    Compile {
        /// What clang printed.
        output: String,
    },
    /// Bitcode or IR that LLVM 19 cannot read.
    #[error("{}: not LLVM bitcode or IR that LLVM 19 can read: {message}", file.display())]
    Bitcode {
        /// The file.
        file: PathBuf,
        /// What LLVM says.
        message: String,
    },
    /// The files do not fit together.
    #[error("the files cannot be linked into one program: {message}")]
    Link {
        /// What LLVM says.
        message: String,
    },
    /// There is no `main`.
    #[error("no function `main` is defined in the given files; give all files of the program")]
    NoMain,
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

/// A program, ready to be run.
#[derive(Debug)]
pub struct Program {
    /// The code.
    pub module: ir::Module,
    /// How long compiling took, from the first call of clang to the verified module.
    pub compile_time: Duration,
    /// What clang and LLVM warned of.
    pub warnings: Vec<String>,
}

/// Compiles and links the files.
pub fn compile(options: &Options) -> Result<Program, Error> {
    let start = Instant::now();
    let compiled = driver::run(options)?;
    let mut warnings = compiled.warnings;
    let module = program::build(compiled.units, &mut warnings)?;
    Ok(Program { module, compile_time: start.elapsed(), warnings })
}
