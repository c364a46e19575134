//! Native tests of the library models in `models/`.
//!
//! The models are compiled as ordinary code, their symbols are renamed to `m_*`, and a shim (`models/tests/shim.c`)
//! stands in for the machine's primitives. Each program `models/tests/*_test.c` then compares them with the real libc.
//! A program's exit code is the verdict; what differed is on its standard error.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Functions that the machine implements and the shim offers under another name, since libc has them too.
const NATIVE_IN_SHIM: [&str; 3] = ["pthread_join", "pthread_detach", "pthread_self"];

fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("models")
}

/// Runs a command and returns its standard output; panics with what it said if it fails.
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|e| panic!("cannot start {command:?}: {e}"));
    assert!(
        output.status.success(),
        "{command:?} failed:\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn files_with(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the models folder can be read")
        .map(|entry| entry.expect("a folder entry can be read").path())
        .filter(|path| path.to_string_lossy().ends_with(ending))
        .collect();
    files.sort();
    files
}

/// What every model is compiled with, whatever its language.
const COMMON_FLAGS: [&str; 6] = ["-O0", "-g", "-fno-builtin", "-fexceptions", "-Wall", "-Wextra"];

/// A compiler's command for one model, without its output.
fn compiler(file: &Path) -> Command {
    let cxx = file.extension().is_some_and(|e| e == "cpp");
    let mut command = Command::new(if cxx { "clang++-19" } else { "clang-19" });
    command.arg(if cxx { "-std=c++20" } else { "-std=gnu17" }).args(COMMON_FLAGS).arg("-Werror").arg(file);
    command
}

/// A folder for one test's files.
fn work_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("the test folder can be made");
    folder
}

/// Where the output for `file` goes in `folder`.
fn output_for(file: &Path, folder: &Path, extension: &str) -> PathBuf {
    folder.join(file.file_stem().expect("a model has a name")).with_extension(extension)
}

/// The symbols of an object that `wanted` accepts by their kind letter.
fn symbols(object: &Path, wanted: fn(char) -> bool) -> Vec<String> {
    let listing = run(Command::new("llvm-nm-19").arg("--format=posix").arg(object));
    let mut names = Vec::new();
    for line in listing.lines() {
        let mut words = line.split(' ');
        if let (Some(name), Some(kind)) = (words.next(), words.next().and_then(|k| k.chars().next()))
            && wanted(kind)
        {
            names.push(name.to_owned());
        }
    }
    names
}

/// One object with all C models but `left_out`, compiled with `extra` flags, their global symbols renamed to `m_*`.
fn build_renamed(folder: &Path, extra: &[&str], left_out: &[&str]) -> PathBuf {
    let mut objects = Vec::new();
    // The parts of the OpenMP runtime that are in C stand on those in the machine.
    let left_out = |f: &PathBuf| f.ends_with("omp.c") || left_out.iter().any(|name| f.ends_with(name));
    for file in files_with(&models(), ".c").iter().filter(|f| !left_out(f)) {
        let object = output_for(file, folder, "o");
        run(compiler(file)
            .arg("-include")
            .arg(models().join("tests/copies.h"))
            .args(["-fPIC", "-c", "-o"])
            .arg(&object)
            .args(extra));
        objects.push(object);
    }
    let joined = folder.join("joined.o");
    run(Command::new("ld").arg("-r").arg("-o").arg(&joined).args(&objects));
    let mut renames: Vec<String> = symbols(&joined, |kind| "TDBRVWC".contains(kind))
        .iter()
        .map(|name| format!("{name} m_{name}\n"))
        .collect();
    renames.extend(NATIVE_IN_SHIM.map(|name| format!("{name} native_{name}\n")));
    let list = folder.join("renames.txt");
    fs::write(&list, renames.concat()).expect("the list of renames can be written");
    let renamed = folder.join("models.o");
    run(Command::new("llvm-objcopy-19")
        .arg(format!("--redefine-syms={}", list.display()))
        .arg(&joined)
        .arg(&renamed));
    renamed
}

/// The renamed models, built once for all tests.
fn renamed_models() -> &'static Path {
    static OBJECT: OnceLock<PathBuf> = OnceLock::new();
    OBJECT.get_or_init(|| build_renamed(&work_folder("models_native"), &[], &["cxxabi.c"]))
}

/// Compiles `models/tests/<name>.c`, links it with the models and the shim, and runs it.
fn check(name: &str) {
    let models_object = renamed_models();
    let tests = models().join("tests");
    let program = models_object.with_file_name(name);
    run(Command::new("clang-19")
        .args(["-std=gnu17", "-O0", "-g", "-fno-builtin", "-w", "-pthread"])
        .arg(tests.join(name).with_extension("c"))
        .arg(tests.join("shim.c"))
        .arg(models_object)
        .args(["-lm", "-o"])
        .arg(&program));
    let said = run(&mut Command::new(&program));
    assert!(said.contains(" 0 failures"), "{said}");
}

#[test]
fn printf_agrees_with_libc() {
    check("format_test");
}

#[test]
fn strings_and_characters_agree_with_libc() {
    check("string_test");
}

#[test]
fn scanning_agrees_with_libc() {
    check("scan_test");
}

#[test]
fn sorting_memory_options_and_calendar_agree_with_libc() {
    check("stdlib_test");
}

#[test]
fn threads_work_over_real_ones() {
    check("thread_test");
}

/// Builds `models/tests/<test>.cpp` with our models instead of libstdc++. libsupc++ keeps its part, exceptions and their type
/// information, which is the machine's; all else is ours.
fn build_with_cxx_models(folder: &Path, test: &str, flags: &[&str]) -> PathBuf {
    let mut sources: Vec<PathBuf> =
        files_with(&models(), ".cpp").into_iter().filter(|f| !f.ends_with("cxx_typeinfo.cpp")).collect();
    sources.extend(
        ["cxxabi.c", "format.c", "locale.c", "time.c", "tests/shim_cxx.c"].map(|name| models().join(name)),
    );
    let mut objects = Vec::new();
    for source in &sources {
        let object = output_for(source, folder, "o");
        run(compiler(source).args(["-fPIC", "-c", "-o"]).arg(&object).args(flags));
        objects.push(object);
    }
    let archive = run(Command::new("clang++-19").arg("-print-file-name=libsupc++.a"));
    run(Command::new("ar").current_dir(folder).arg("x").arg(archive.trim()).arg("eh_ptr.o"));
    objects.push(folder.join("eh_ptr.o"));
    let program = folder.join(test);
    run(Command::new("clang++-19")
        .args([
            "-std=c++20",
            "-O0",
            "-g",
            "-w",
            "-pthread",
            "-nodefaultlibs",
            "-Wl,--allow-multiple-definition",
            "-include",
        ])
        .arg(models().join("rp_cxx.h"))
        .args(flags)
        .arg(models().join("tests").join(test).with_extension("cpp"))
        .args(&objects)
        .args(["-lsupc++", "-lgcc_s", "-lgcc", "-lpthread", "-ldl", "-lrt", "-lc", "-lm", "-o"])
        .arg(&program));
    program
}

/// A program over the C++ library prints the same with the models as with the real libstdc++.
#[test]
fn the_cxx_library_agrees_with_libstdcxx() {
    let folder = work_folder("models_cxx");
    let real = folder.join("real");
    run(Command::new("clang++-19")
        .args(["-std=c++20", "-O0", "-w", "-pthread"])
        .arg(models().join("tests/cxx_test.cpp"))
        .arg("-o")
        .arg(&real));
    let ours = build_with_cxx_models(&folder, "cxx_test", &[]);
    let (expected, found) = (run(&mut Command::new(&real)), run(&mut Command::new(&ours)));
    let difference = expected.lines().zip(found.lines()).find(|(want, got)| want != got);
    assert_eq!(difference, None, "the first line that differs (libstdc++, models)");
    assert_eq!(expected.len(), found.len());
}

const SANITIZER: [&str; 3] =
    ["-fsanitize=memory", "-fno-sanitize-recover=all", "-fno-sanitize-memory-param-retval"];

/// Runs a program that was built with a sanitizer: as it is, and with an argument that makes it do what is forbidden.
fn check_sanitized(program: &Path) {
    let said = run(&mut Command::new(program));
    assert!(said.contains(" 0 failures"), "{said}");
    let provoked = Command::new(program).arg("provoke").output().expect("the program can be started");
    assert!(!provoked.status.success(), "the sanitizer must notice what it is there for");
}

/// The same for the C++ streams and clocks.
#[test]
fn streams_do_not_branch_on_the_value() {
    check_sanitized(&build_with_cxx_models(&work_folder("models_cxx_taint"), "cxx_taint_test", &SANITIZER));
}

/// What threads may do together does not race inside the models: ThreadSanitizer would say so.
#[test]
fn the_cxx_models_have_no_races_of_their_own() {
    let folder = work_folder("models_cxx_race");
    check_sanitized(&build_with_cxx_models(&folder, "cxx_race_test", &["-fsanitize=thread"]));
}

/// Links a test in C whose own primitives go before the shim's.
fn build_sanitized(models_object: &Path, test: &str, flags: &[&str]) -> PathBuf {
    let program = models_object.with_file_name(test);
    run(Command::new("clang-19")
        .args([
            "-std=gnu17",
            "-O0",
            "-g",
            "-fno-builtin",
            "-w",
            "-pthread",
            "-Wl,--allow-multiple-definition",
        ])
        .args(flags)
        .arg(models().join("tests").join(test).with_extension("c"))
        .arg(models().join("tests/shim.c"))
        .arg(models_object)
        .args(["-lm", "-o"])
        .arg(&program));
    program
}

/// The same for C.
#[test]
fn the_c_models_have_no_races_of_their_own() {
    let flags = ["-fsanitize=thread"];
    let object = build_renamed(&work_folder("models_race"), &flags, &["cxxabi.c"]);
    check_sanitized(&build_sanitized(&object, "race_test", &flags));
}

/// Printing numbers, and unconstrained inputs, never branch on the value: MemorySanitizer would stop.
#[test]
fn printing_does_not_branch_on_the_value() {
    let folder = work_folder("models_taint");
    // The sanitizer itself calls memcpy inside variadic functions: that must be the real one.
    let object = build_renamed(&folder, &SANITIZER, &["cxxabi.c", "memory.c"]);
    let program = build_sanitized(&object, "taint_test", &SANITIZER);
    check_sanitized(&program);
}

/// All models compile without a warning for both targets, are weak, and together need nothing but what the machine has.
#[test]
fn the_models_need_only_the_machine() {
    for target in ["-m64", "-m32"] {
        let folder = work_folder(&format!("models_bitcode{target}"));
        let mut files = files_with(&models(), ".c");
        files.extend(files_with(&models(), ".cpp"));
        let mut modules = Vec::new();
        for file in &files {
            let module = output_for(file, &folder, "bc");
            run(compiler(file).args([target, "-emit-llvm", "-c", "-o"]).arg(&module));
            modules.push(module);
        }
        let linked = folder.join("all_models.bc");
        run(Command::new("llvm-link-19").args(&modules).arg("-o").arg(&linked));
        let needed = symbols(&linked, |kind| kind == 'U');
        let unknown: Vec<&String> = needed.iter().filter(|name| !is_native(name)).collect();
        assert!(unknown.is_empty(), "{target}: not modelled and not native: {unknown:?}");
    }
}

/// Whether the machine implements a function (or knows the symbol) itself; FUNCTIONS.md has the same list in words.
fn is_native(name: &str) -> bool {
    const FAMILIES: [&str; 8] = [
        "__rp_",
        "__kmpc_",
        "pthread_mutex_",
        "pthread_cond_",
        "pthread_rwlock_",
        "pthread_barrier_",
        "pthread_spin_",
        "sem_",
    ];
    const OTHERS: [&str; 21] = [
        "_GLOBAL_OFFSET_TABLE_", // which llvm-nm lists for i386
        "pthread_join",
        "pthread_detach",
        "pthread_self",
        "pthread_equal",
        "__gcc_personality_v0",
        "__gxx_personality_v0",
        "_Unwind_Resume",
        "__cxa_allocate_exception",
        "__cxa_free_exception",
        "__cxa_init_primary_exception",
        "__cxa_throw",
        "__cxa_rethrow",
        "__cxa_begin_catch",
        "__cxa_end_catch",
        "__cxa_get_exception_ptr",
        "__cxa_current_primary_exception",
        "__cxa_increment_exception_refcount",
        "__cxa_decrement_exception_refcount",
        "__cxa_rethrow_primary_exception",
        "__cxa_uncaught_exceptions",
    ];
    const MATH: [&str; 25] = [
        "atan2",
        "copysign",
        "cos",
        "exp",
        "fabs",
        "fmax",
        "fmaxf",
        "fmaxl",
        "hypot",
        "hypotf",
        "log",
        "logb",
        "logbf",
        "logbl",
        "logl",
        "scalbn",
        "scalbnf",
        "scalbnl",
        "sin",
        "sqrt",
        "floor",
        "fmod",
        "nextafter",
        "pow",
        "tan",
    ];
    FAMILIES.iter().any(|family| name.starts_with(family)) || OTHERS.contains(&name) || MATH.contains(&name)
}

/// FUNCTIONS.md lists every symbol that the C models define.
#[test]
fn every_function_is_listed() {
    let text = fs::read_to_string(models().join("FUNCTIONS.md")).expect("FUNCTIONS.md can be read");
    let folder = work_folder("models_listed");
    let mut missing = Vec::new();
    for file in files_with(&models(), ".c") {
        let object = output_for(&file, &folder, "bc");
        run(compiler(&file).args(["-emit-llvm", "-c", "-o"]).arg(&object));
        let defined = symbols(&object, |kind| "TDBRVWC".contains(kind));
        missing.extend(defined.into_iter().filter(|name| !text.contains(&format!("`{name}`"))));
    }
    assert!(missing.is_empty(), "not in FUNCTIONS.md: {missing:?}");
}
