//! Runs clang: one process a file, in parallel.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use base::Budget;
use base::budget::Spent;
use ir::Directives;
use rustc_hash::FxHashMap;

use crate::directives::read as read_directives;
use crate::macros::{self, Macro};
use crate::uses_openmp::uses_openmp;
use crate::{Error, Options, Own, Unit, Units};

/// Time between two looks at the budget.
const LOOK: Duration = Duration::from_millis(50);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Language {
    C,
    Cpp,
    PreprocessedC,
    PreprocessedCpp,
    Llvm,
}

impl Language {
    /// As the table of constructs has it.
    fn table(self) -> ir::directives::Language {
        match self {
            Language::Cpp | Language::PreprocessedCpp => ir::directives::Language::Cpp,
            Language::C | Language::PreprocessedC | Language::Llvm => ir::directives::Language::C,
        }
    }
}

/// Makes libstdc++ emit what it keeps behind `extern template`: `std::string`, streams and more. Its semaphores are POSIX
/// semaphores here: those made of atomics can sleep for ever in libstdc++ 12 (GCC's bug 104928), which is nothing that
/// the program could do about.
const CPP_PRELUDE: &str = "#if __has_include(<bits/c++config.h>)
#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#ifndef _GLIBCXX_USE_POSIX_SEMAPHORE
#define _GLIBCXX_USE_POSIX_SEMAPHORE 1
#endif
#endif
";

/// What programs may include to bound their inputs.
const HEADER: &str = include_str!("../include/raceproof.h");

/// Found before the system's own: gives cleanup handlers a form that needs no `longjmp` when a thread ends.
const PTHREAD: &str = include_str!("../include/override/pthread.h");

/// Likewise: a model of `atomic<shared_ptr>`.
const SHARED_PTR: &str = include_str!("../include/override/bits/shared_ptr_atomic.h");

/// Flags that every source is compiled with. The one named after a sanitizer only makes clang mark where the variables
/// of a block begin and end. Calls of `memcpy` stay calls, so that what clang copies by itself is known
/// ([`crate::padding`]).
const FLAGS: [&str; 10] = [
    "-g",
    "-O0",
    "-fno-builtin-memcpy",
    "-fno-discard-value-names",
    "-Xclang",
    "-disable-O0-optnone",
    "-Xclang",
    "-fsanitize-address-use-after-scope",
    "-emit-llvm",
    "-c",
];

/// What clang's message about a directive in a source that is not compiled as OpenMP ends with.
const UNSEEN: &str = "-Wsource-uses-openmp]";

/// What marks a loop for the vectoriser.
const VECTORISED: &[u8] = b"llvm.loop.vectorize.enable";

/// One file to compile.
struct Source<'a> {
    /// Its name, from the current folder.
    file: &'a Path,
    /// All its flags: those of its own and those of all files.
    flags: Vec<String>,
    /// Where its compiler runs, if not in the current folder.
    directory: Option<PathBuf>,
    language: Language,
}

impl<'a> Source<'a> {
    fn new(options: &Options, index: usize, file: &'a Path) -> Result<Source<'a>, Error> {
        let own: Option<&Own> = options.own.get(index);
        let mut flags = own.map(|own| own.flags.clone()).unwrap_or_default();
        flags.extend(options.flags.iter().cloned());
        let directory = own.map(|own| own.directory.clone()).filter(|d| !d.as_os_str().is_empty());
        let language = language(file, &flags)?;
        Ok(Source { file, flags, directory, language })
    }

    /// The name that clang gets.
    fn name(&self) -> PathBuf {
        match &self.directory {
            Some(_) => std::path::absolute(self.file).unwrap_or_else(|_| self.file.to_path_buf()),
            None => self.file.to_path_buf(),
        }
    }
}

/// The files that raceproof gives to clang beside the user's.
struct Extras {
    /// The folder: `raceproof.h` and `override/pthread.h`.
    folder: PathBuf,
    /// What every C++ source includes first.
    prelude: PathBuf,
}

impl Extras {
    fn write(folder: &Path) -> std::io::Result<Extras> {
        let folder = std::path::absolute(folder)?;
        let prelude = folder.join("prelude.h");
        std::fs::write(&prelude, CPP_PRELUDE)?;
        std::fs::write(folder.join("raceproof.h"), HEADER)?;
        std::fs::create_dir_all(folder.join("override/bits"))?;
        std::fs::write(folder.join("override/pthread.h"), PTHREAD)?;
        std::fs::write(folder.join("override/bits/shared_ptr_atomic.h"), SHARED_PTR)?;
        Ok(Extras { folder, prelude })
    }
}

/// Compiles every file that is not LLVM's already.
pub fn run(options: &Options) -> Result<Units, Error> {
    if options.files.is_empty() && options.ready.is_empty() {
        return Err(Error::NoFiles);
    }
    let sources = options.files.iter().enumerate().map(|(index, file)| Source::new(options, index, file));
    let sources = sources.collect::<Result<Vec<_>, _>>()?;
    let directory = tempfile::tempdir().map_err(Error::Temporary)?;
    let extras = Extras::write(directory.path()).map_err(Error::Temporary)?;
    let given = macros::given(options);
    let job = |index: usize| -> Result<(Unit, Vec<String>), Error> {
        let source = &sources[index];
        let file = source.file.to_path_buf();
        if source.language == Language::Llvm {
            let bytes = read(source.file)?;
            let cpp20 = is_cpp20(source.file, &source.flags, &bytes);
            return Ok((Unit { file, bytes, cpp20, ..Unit::default() }, Vec::new()));
        }
        let out = extras.folder.join(format!("{index}.bc"));
        let (printed, openmp) = compile(options, source, &extras, &out)?;
        let mut notes = about_flags(&printed);
        notes.extend(look_for_macros(options, source, &extras, &out, &given, openmp)?);
        let bytes = std::fs::read(&out).map_err(Error::Temporary)?;
        let directives = directives(options, source, &extras, &bytes, openmp)?;
        let cpp20 = is_cpp20(source.file, &source.flags, &bytes);
        let directory = source.directory.clone().unwrap_or_default();
        Ok((Unit { file, bytes, directives, directory, cpp20 }, notes))
    };
    let mut compiled = Units::default();
    let mut failures = String::new();
    for result in in_parallel(sources.len(), &job) {
        match result {
            Ok((unit, notes)) => {
                compiled.units.push(unit);
                compiled.notes.extend(notes);
            }
            // All files' errors are worth seeing, in the order of the files.
            Err(Error::Compile { output }) => failures.push_str(&output),
            Err(error) => return Err(error),
        }
    }
    compiled.units.extend(options.ready.iter().cloned());
    if !sources.is_empty() {
        compiled.notes.extend(macros::unused(&given));
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

/// The language of a file: what the flag `-x` says, else what its name says.
fn language(file: &Path, flags: &[String]) -> Result<Language, Error> {
    let mut said = None;
    for (index, flag) in flags.iter().enumerate() {
        let word =
            if flag == "-x" { flags.get(index + 1).map(String::as_str) } else { flag.strip_prefix("-x") };
        said = word.or(said);
    }
    match (said, file.extension().and_then(|e| e.to_str())) {
        (_, Some("bc" | "ll")) => Ok(Language::Llvm),
        (Some("c"), _) | (None | Some("none"), Some("c")) => Ok(Language::C),
        (Some("cpp-output"), _) | (None | Some("none"), Some("i")) => Ok(Language::PreprocessedC),
        (Some("c++-cpp-output"), _) | (None | Some("none"), Some("ii")) => Ok(Language::PreprocessedCpp),
        (Some("c++"), _) | (None | Some("none"), Some("cc" | "cp" | "cpp" | "cxx" | "c++" | "C" | "CPP")) => {
            Ok(Language::Cpp)
        }
        _ => Err(Error::Language { file: file.to_path_buf() }),
    }
}

/// Whether a file with these flags is C++20 or later: its relaxed stores end release sequences of their own thread, which
/// earlier standards and C let them continue. What is LLVM's already does not tell its standard: with names of C++ in
/// it, it counts as C++20.
pub fn is_cpp20(file: &Path, flags: &[String], bytes: &[u8]) -> bool {
    match language(file, flags) {
        Ok(Language::C | Language::PreprocessedC) => false,
        Ok(Language::Cpp | Language::PreprocessedCpp) => {
            let standards = flags.iter().filter_map(|f| f.strip_prefix("-std=").or(f.strip_prefix("--std=")));
            let standard = standards.filter_map(|s| s.split_once("++")).next_back();
            // Without a flag it is C++17.
            standard.is_some_and(|(_, year)| !OLDER.contains(&year))
        }
        Ok(Language::Llvm) | Err(_) => bytes.windows(2).any(|w| w == b"_Z"),
    }
}

/// Standards of C++ before C++20.
const OLDER: [&str; 8] = ["98", "03", "0x", "11", "1y", "14", "1z", "17"];

fn read(file: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(file).map_err(|error| Error::Read { file: file.to_path_buf(), error })
}

/// Compiles a source; gives what clang printed, and whether it was told of OpenMP.
fn compile(
    options: &Options,
    source: &Source<'_>,
    extras: &Extras,
    out: &Path,
) -> Result<(String, bool), Error> {
    match compile_as(options, source, extras, out, false) {
        // A directive that the text alone does not show, such as one in a header that a macro names.
        Err(Error::Compile { output }) if output.contains(UNSEEN) => {
            compile_as(options, source, extras, out, true)
        }
        compiled => compiled,
    }
}

fn compile_as(
    options: &Options,
    source: &Source<'_>,
    extras: &Extras,
    out: &Path,
    openmp: bool,
) -> Result<(String, bool), Error> {
    let Clang { clang, mut command, openmp } = command(options, source, extras, openmp)?;
    // Colour and carets belong to whoever shows the text; clang's own default for a pipe is plain text.
    command.args(FLAGS).arg("-MMD").arg("-MF").arg(out.with_extension("d"));
    command.arg("-o").arg(out).arg("--").arg(source.name());
    let result = output(command, clang, options.budget)?;
    let printed = String::from_utf8_lossy(&result.stderr).into_owned();
    if result.status.success() {
        return Ok((printed, openmp));
    }
    let output =
        if printed.trim().is_empty() { format!("clang failed: {}\n", result.status) } else { printed };
    Err(Error::Compile { output })
}

/// What a source makes of the macros that are given: an error where it defines one anew, else what to tell.
fn look_for_macros(
    options: &Options,
    source: &Source<'_>,
    extras: &Extras,
    out: &Path,
    given: &[Macro],
    openmp: bool,
) -> Result<Vec<String>, Error> {
    if given.is_empty() {
        return Ok(Vec::new());
    }
    let folder = source.directory.clone().unwrap_or_default();
    if !macros::look(given, &macros::texts(&out.with_extension("d"), &folder)) {
        return Ok(Vec::new());
    }
    let Clang { clang, mut command, .. } = command(options, source, extras, openmp)?;
    command.args(["-E", "-dD", "-w", "--"]).arg(source.name());
    macros::redefined(given, &String::from_utf8_lossy(&output(command, clang, options.budget)?.stdout))
}

/// What clang says of its flags: lines that are about no file. The driver tells its name, the compiler proper nothing, the
/// preprocessor that it is in the command line.
fn about_flags(printed: &str) -> Vec<String> {
    let line = |line: &str| {
        let (who, what) = match line.strip_prefix("warning: ") {
            Some(what) => ("clang", what),
            None => line.split_once(": warning: ")?,
        };
        let flags = who.starts_with("clang") && !who.contains([':', '/', '.']);
        (flags || who.starts_with("<command line>")).then(|| format!("clang: {what}"))
    };
    printed.lines().filter_map(line).collect()
}

/// Runs a command to its end, or kills it when the budget is used up.
fn output(mut command: Command, clang: PathBuf, budget: Budget) -> Result<Output, Error> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| Error::Clang { clang: clang.clone(), error })?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let (done, ended) = mpsc::channel();
    // What a killed compiler leaves open may be held by another process: nobody waits for these threads then.
    std::thread::spawn(move || {
        let other = std::thread::spawn(move || read_all(err));
        let stdout = read_all(out);
        let _ = done.send((stdout, other.join().unwrap_or_default()));
    });
    loop {
        match ended.recv_timeout(LOOK) {
            Ok((stdout, stderr)) => {
                let status = child.wait().map_err(|error| Error::Clang { clang, error })?;
                if let Some(spent) = interrupted(&status, budget) {
                    return Err(Error::Late(spent));
                }
                return Ok(Output { status, stdout, stderr });
            }
            Err(_) => {
                if let Some(spent) = budget.spent() {
                    let _ = child.kill();
                    let _ = child.wait();
                    return Err(Error::Late(spent));
                }
            }
        }
    }
}

/// A signal that is sent to all, as a terminal does, ends the compiler first; whoever watches for it may need a moment.
fn interrupted(status: &std::process::ExitStatus, budget: Budget) -> Option<Spent> {
    use std::os::unix::process::ExitStatusExt;
    let (interrupt, terminate) = (2, 15);
    if status.signal().is_none_or(|signal| signal != interrupt && signal != terminate) {
        return None;
    }
    std::thread::sleep(2 * LOOK);
    budget.spent()
}

/// Everything that comes.
fn read_all(from: Option<impl Read>) -> Vec<u8> {
    let mut all = Vec::new();
    if let Some(mut from) = from {
        let _ = from.read_to_end(&mut all);
    }
    all
}

/// The OpenMP directives of a source that was compiled.
fn directives(
    options: &Options,
    source: &Source<'_>,
    extras: &Extras,
    bitcode: &[u8],
    openmp: bool,
) -> Result<Directives, Error> {
    // A loop may be marked for the vectoriser by another pragma: then it counts that there is no directive.
    if !openmp && !bitcode.windows(VECTORISED.len()).any(|w| w == VECTORISED) {
        return Ok(Directives::default());
    }
    let name = source.name();
    let shown = name.to_string_lossy();
    let read_from =
        |text: &[u8]| read_directives(&String::from_utf8_lossy(text), &shown, source.language.table());
    if matches!(source.language, Language::PreprocessedC | Language::PreprocessedCpp) {
        return Ok(read_from(&read(source.file)?));
    }
    let Clang { clang, mut command, .. } = command(options, source, extras, openmp)?;
    command.args(["-E", "-w", "--"]).arg(&name);
    let table = read_from(&output(command, clang, options.budget)?.stdout);
    let mut files: FxHashMap<String, Vec<String>> = FxHashMap::default();
    Ok(table.moved(|file, line| {
        let lines = files.entry(file.to_string()).or_insert_with(|| {
            let path = source.directory.as_ref().map_or_else(|| PathBuf::from(file), |d| d.join(file));
            let text = std::fs::read(path).unwrap_or_default();
            String::from_utf8_lossy(&text).lines().map(str::to_string).collect()
        });
        beginning(lines, line)
    }))
}

/// The line in which a directive begins whose first word behind `omp` stands in another: the preprocessor tells the line of that word, the
/// compiler that of the `#`.
fn beginning(lines: &[String], line: u32) -> u32 {
    let text = |n: u32| (n as usize).checked_sub(1).and_then(|n| lines.get(n)).map_or("", |l| l.trim_end());
    let mut first = line;
    while first > 1 && !text(first).contains(['#', '"']) && text(first - 1).ends_with('\\') {
        first -= 1;
    }
    let begins =
        text(first).trim_start().strip_prefix('#').is_some_and(|l| l.trim_start().starts_with("pragma"));
    if begins { first } else { line }
}

/// The compiler, ready to be run.
struct Clang {
    clang: PathBuf,
    command: Command,
    /// Whether it takes notice of directives.
    openmp: bool,
}

/// Clang with all that decides what the source means.
///
/// What has directives is compiled as OpenMP, and anything is if `openmp` says so. Where the text shows none, clang is asked to fail at one.
fn command(options: &Options, source: &Source<'_>, extras: &Extras, openmp: bool) -> Result<Clang, Error> {
    let text = read(source.file)?;
    let clang = options.clang.clone().unwrap_or_else(|| "clang-19".into());
    let mut command = Command::new(&clang);
    if let Some(directory) = &source.directory {
        command.current_dir(directory);
    }
    // `-w` would silence that too.
    let quiet = |flag: String| if flag == "-w" { "-Wno-everything".to_string() } else { flag };
    command.args(user_flags(&source.flags).into_iter().filter(|f| fits(f, source.language)).map(quiet));
    command.args(options.defines.iter().map(|d| format!("-D{d}")));
    let asks = |f: &&String| *f == "-fopenmp" || f.starts_with("-fopenmp=");
    let openmp = match source.flags.iter().rfind(|f| asks(f) || *f == "-fno-openmp") {
        Some(flag) => asks(&flag),
        None => {
            let seen = || uses_openmp(source.file, &text, &source.flags, source.directory.as_deref());
            let openmp = openmp || seen();
            command.arg(if openmp { "-fopenmp" } else { "-Werror=source-uses-openmp" });
            openmp
        }
    };
    if source.language == Language::Cpp {
        command.arg("-include").arg(&extras.prelude);
    }
    command.arg("-idirafter").arg(&extras.folder).arg("-isystem").arg(extras.folder.join("override"));
    // The folder has another name each time; what clang makes of a source should not.
    let mut map = std::ffi::OsString::from("-fdebug-prefix-map=");
    map.push(&extras.folder);
    map.push("=<raceproof>");
    command.arg(map);
    Ok(Clang { clang, command, openmp })
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
    const OTHER_CODE: &str = "-fopenmp-enable-irbuilder";
    let mut kept = Vec::new();
    let mut flags = flags.iter().peekable();
    while let Some(flag) = flags.next() {
        match flag.as_str() {
            // Which runtime is linked does not matter; clang ignores all directives for another than its own.
            f if f.starts_with("-fopenmp=") => kept.push("-fopenmp".into()),
            OTHER_CODE => {}
            "-Xclang" if flags.peek().is_some_and(|next| *next == OTHER_CODE) => {}
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_in_force() {
        let is = |file: &str, flags: &[&str]| {
            let flags: Vec<String> = flags.iter().map(|f| f.to_string()).collect();
            is_cpp20(Path::new(file), &flags, b"")
        };
        assert!(!is("a.c", &[]) && !is("a.c", &["-std=c++20"]) && !is("a.cpp", &[]));
        assert!(!is("a.cpp", &["-std=c++20", "-std=gnu++17"]) && !is("a.cpp", &["-std=c11"]));
        assert!(is("a.cpp", &["-std=c++17", "--std=gnu++2a"]) && is("a.c", &["-xc++", "-std=c++23"]));
        assert!(is_cpp20(Path::new("a.ll"), &[], b"@_Z1fv") && !is_cpp20(Path::new("a.ll"), &[], b"@main"));
    }

    #[test]
    fn flags_that_choose_the_output_are_dropped() {
        let flags =
            ["-O3", "-o", "x", "-c", "-g3", "-Wall", "-DN=2", "-flto=thin", "-fsanitize=thread", "-m32"];
        let flags = flags.map(String::from);
        assert_eq!(user_flags(&flags), ["-Wall", "-DN=2", "-m32"]);
    }

    #[test]
    fn languages_go_by_the_flag_before_the_name() {
        let of = |file: &str, flags: &[&str]| {
            let flags: Vec<String> = flags.iter().map(|f| (*f).to_string()).collect();
            language(Path::new(file), &flags).ok()
        };
        assert_eq!(of("a.c", &[]), Some(Language::C));
        assert_eq!(of("a.c", &["-x", "c++"]), Some(Language::Cpp));
        assert_eq!(of("a.inc", &["-xc"]), Some(Language::C));
        assert_eq!(of("a.cpp", &["-x", "none"]), Some(Language::Cpp));
        assert_eq!(of("a.bc", &["-x", "c++"]), Some(Language::Llvm));
        assert_eq!(of("a.f90", &[]), None);
    }
}
