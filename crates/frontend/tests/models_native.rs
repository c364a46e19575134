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

fn clang(file: &Path, object: &Path) {
    run(Command::new("clang-19")
        .args([
            "-std=gnu17",
            "-O0",
            "-g",
            "-fno-builtin",
            "-fexceptions",
            "-fPIC",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-include",
        ])
        .arg(models().join("tests/copies.h"))
        .arg("-c")
        .arg(file)
        .arg("-o")
        .arg(object));
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

/// One object with all C models, their global symbols renamed to `m_*`. Built once for all tests.
fn renamed_models() -> &'static Path {
    static OBJECT: OnceLock<PathBuf> = OnceLock::new();
    OBJECT.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("models_native");
        fs::create_dir_all(&folder).expect("the test folder can be made");
        let mut objects = Vec::new();
        for file in files_with(&models(), ".c") {
            let object = folder.join(file.file_stem().expect("a model has a name")).with_extension("o");
            clang(&file, &object);
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
    })
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
