//! The runtime that recorded programs are linked with: C sources that are part of this crate, compiled by the user's
//! clang when they are needed first and kept in a folder.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Error;

/// The sources by file name.
const SOURCES: [(&str, &str); 10] = [
    ("layout.h", include_str!("../runtime/layout.h")),
    ("all.c", include_str!("../runtime/all.c")),
    ("replay.h", include_str!("../runtime/replay.h")),
    ("replay.c", include_str!("../runtime/replay.c")),
    ("core.c", include_str!("../runtime/core.c")),
    ("access.c", include_str!("../runtime/access.c")),
    ("atomics.c", include_str!("../runtime/atomics.c")),
    ("threads.c", include_str!("../runtime/threads.c")),
    ("memory.c", include_str!("../runtime/memory.c")),
    ("omp.c", include_str!("../runtime/omp.c")),
];

/// Flags for compiling and linking a program that is to be recorded.
pub const FLAGS: [&str; 2] = ["-fsanitize=thread", "-fno-sanitize-link-runtime"];
/// Flags for compiling it: names and lines, and `x++` as the read and the write that it is.
pub const COMPILING: [&str; 4] =
    ["-g", "-fno-omit-frame-pointer", "-mllvm", "-tsan-compound-read-before-write"];

/// The compiled runtime.
#[derive(Debug, Clone)]
pub struct Runtime {
    /// The object file.
    pub object: PathBuf,
    /// The list of functions that libraries must find in the program.
    pub exported: PathBuf,
}

impl Runtime {
    /// What the linker of a program needs besides [`FLAGS`].
    pub fn link_flags(&self) -> Vec<String> {
        vec![
            self.object.to_string_lossy().into_owned(),
            format!("-Wl,--export-dynamic-symbol-list={}", self.exported.display()),
            "-lpthread".into(),
            "-ldl".into(),
        ]
    }
}

/// A hash of the sources and the compiler: another one, another object.
fn key(compiler: &str) -> u64 {
    use std::hash::{Hash, Hasher};
    let mut hasher = rustc_hash::FxHasher::default();
    (SOURCES, compiler, env!("CARGO_PKG_VERSION")).hash(&mut hasher);
    hasher.finish()
}

/// The functions that the runtime defines in place of the system's, found in its own text.
fn exported() -> String {
    let mut names = vec!["__tsan_*".to_owned()];
    for (_, text) in SOURCES {
        for line in text.lines() {
            names.extend(defined(line));
        }
    }
    names.sort();
    names.dedup();
    format!("{{\n{}\n}};\n", names.iter().map(|name| format!("  {name};")).collect::<Vec<_>>().join("\n"))
}

/// The function that a line of the runtime defines, if it does.
fn defined(line: &str) -> Option<String> {
    const MACROS: [&str; 12] = [
        "AFTER(",
        "TRIES(",
        "BEFORE(",
        "SENDS(",
        "RECEIVES(",
        "OMP_LOCK(",
        "OMP_TEST(",
        "OMP_INIT(",
        "OMP_DIST(",
        "OMP_ASKS(",
        "OMP_NEXT(",
        "OMP_FINI(",
    ];
    let name = match MACROS.iter().find_map(|start| line.strip_prefix(start)) {
        Some(rest) => rest.split([',', ')']).next()?,
        None => {
            let rest = line.strip_prefix("EXPORT ")?;
            rest.split('(').next()?.rsplit([' ', '*']).next()?
        }
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    (!name.is_empty() && name.chars().all(plain) && name != "name").then(|| name.to_owned())
}

/// Finds the runtime in the folder, or compiles it there.
pub fn prepare(folder: &Path, compiler: &str) -> Result<Runtime, Error> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| Error::File(path, error)
    };
    let name = format!("record-{:016x}", key(compiler));
    let runtime =
        Runtime { object: folder.join(format!("{name}.o")), exported: folder.join(format!("{name}.list")) };
    if runtime.object.is_file() && runtime.exported.is_file() {
        return Ok(runtime);
    }
    std::fs::create_dir_all(folder).map_err(failed(folder))?;
    // Builds run many compilers at once: each makes its own, and the last one to rename wins.
    let work = folder.join(format!("{name}.{}", std::process::id()));
    std::fs::create_dir_all(&work).map_err(failed(&work))?;
    for (file, text) in SOURCES {
        std::fs::write(work.join(file), text).map_err(failed(&work))?;
    }
    std::fs::write(work.join("list"), exported()).map_err(failed(&work))?;
    let output = Command::new(compiler)
        .args([
            "-O2",
            "-fPIC",
            "-fvisibility=hidden",
            "-fno-sanitize=all",
            "-w",
            "-x",
            "c",
            "-c",
            "all.c",
            "-o",
            "all.o",
        ])
        .current_dir(&work)
        .output()
        .map_err(|error| Error::Start(compiler.to_owned(), error))?;
    if !output.status.success() {
        return Err(Error::Runtime(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    std::fs::rename(work.join("list"), &runtime.exported).map_err(failed(&runtime.exported))?;
    std::fs::rename(work.join("all.o"), &runtime.object).map_err(failed(&runtime.object))?;
    let _ = std::fs::remove_dir_all(&work);
    Ok(runtime)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_has_what_is_defined() {
        let list = exported();
        for name in [
            "__kmpc_single",
            "__kmpc_dispatch_next_8u",
            "pthread_create",
            "pthread_mutex_lock",
            "malloc",
            "read",
            "cnd_wait",
            "__cxa_guard_release",
        ] {
            assert!(list.contains(&format!("  {name};")), "{name} is missing in {list}");
        }
        assert!(!list.contains("  rp_"), "{list}");
    }
}
