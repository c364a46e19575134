//! The order of the crates (docs/architecture.md), who may use which library, and a module doc in every file.

use std::path::{Path, PathBuf};

/// A crate depends only on crates before it.
const ORDER: [&str; 17] = [
    "base", "text", "ir", "frontend", "trace", "machine", "judge", "certify", "predict", "explore", "prove",
    "decide", "triage", "locks", "record", "report", "cli",
];
/// Test-only crates: they depend on none of ours but on each other, and none of ours depends on them outside of tests.
const APART: [&str; 2] = ["header", "oracle"];
/// Libraries that only some crates may use, with the reason.
const RESERVED: [(&str, &[&str], &str); 5] = [
    ("inkwell", &["frontend"], "only the front end links LLVM"),
    ("llvm-sys", &["frontend"], "only the front end links LLVM"),
    ("anyhow", &["cli", "oracle"], "libraries have error types"),
    ("clap", &["cli", "oracle"], "libraries know no command line"),
    ("indicatif", &["cli"], "libraries never print"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Each crate's folder with its manifest.
fn manifests() -> Vec<(String, toml::Table)> {
    let mut manifests = Vec::new();
    for entry in std::fs::read_dir(root().join("crates")).expect("the crates").flatten() {
        let Ok(text) = std::fs::read_to_string(entry.path().join("Cargo.toml")) else { continue };
        let name = entry.file_name().to_string_lossy().into_owned();
        manifests.push((name, text.parse().expect("a manifest is TOML")));
    }
    manifests.sort_by(|a, b| a.0.cmp(&b.0));
    manifests
}

/// The names in a table of dependencies, of all targets too.
fn dependencies(manifest: &toml::Table, kind: &str) -> Vec<String> {
    let names = |table: &toml::Table| -> Vec<String> {
        let table = table.get(kind).and_then(toml::Value::as_table);
        table.map(|table| table.keys().cloned().collect()).unwrap_or_default()
    };
    let mut all = names(manifest);
    if let Some(targets) = manifest.get("target").and_then(toml::Value::as_table) {
        all.extend(targets.values().filter_map(toml::Value::as_table).flat_map(names));
    }
    all
}

/// The folder of one of our crates, by the name under which others depend on it.
fn ours(dependency: &str) -> Option<&str> {
    let short = dependency.strip_prefix("raceproof-").unwrap_or(dependency);
    ORDER.iter().chain(&APART).find(|name| **name == short).copied()
}

fn rank(name: &str) -> Option<usize> {
    ORDER.iter().position(|of| *of == name)
}

#[test]
fn every_crate_is_in_the_order() {
    for (name, _) in manifests() {
        assert!(
            rank(&name).is_some() || APART.contains(&name.as_str()),
            "crates/{name} is not in the order of docs/architecture.md; add it there and here"
        );
    }
}

#[test]
fn arrows_point_backwards() {
    for (name, manifest) in manifests() {
        for kind in ["dependencies", "build-dependencies", "dev-dependencies"] {
            for dependency in dependencies(&manifest, kind) {
                let Some(on) = ours(&dependency) else { continue };
                let apart_in_tests = kind == "dev-dependencies" && APART.contains(&on);
                let earlier = rank(on) < rank(&name) && rank(on).is_some() && !APART.contains(&name.as_str());
                let both = APART.contains(&on) && APART.contains(&name.as_str());
                assert!(apart_in_tests || earlier || both, "crates/{name} may not depend on {on} ({kind})");
            }
        }
    }
}

#[test]
fn reserved_libraries_stay_where_they_belong() {
    for (name, manifest) in manifests() {
        for dependency in dependencies(&manifest, "dependencies") {
            for (library, users, why) in RESERVED {
                let allowed = dependency != library || users.contains(&name.as_str());
                assert!(allowed, "crates/{name} may not depend on {library}: {why}");
            }
        }
    }
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()) {
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

#[test]
fn every_file_says_what_it_is() {
    let mut files = Vec::new();
    rust_files(&root().join("crates"), &mut files);
    assert!(files.len() > 10, "the crates have files");
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a source file");
        let says = text.lines().next().is_some_and(|line| line.starts_with("//! ") && line.len() > 12);
        assert!(says, "{} does not begin with a `//!` line that says what it is", file.display());
    }
}

#[test]
fn the_architecture_names_every_crate() {
    let text = std::fs::read_to_string(root().join("docs/architecture.md")).expect("docs/architecture.md");
    for (name, _) in manifests() {
        assert!(text.contains(&format!("`{name}`")), "docs/architecture.md does not name `{name}`");
    }
}

#[test]
fn manifests_take_after_the_workspace() {
    for (name, manifest) in manifests() {
        let package = manifest["package"].as_table().expect("a package");
        for key in ["version", "edition", "rust-version", "license"] {
            let inherited = package.get(key).and_then(|value| value.get("workspace"));
            assert!(inherited.is_some(), "crates/{name}: `{key}` is not that of the workspace");
        }
        assert!(package.contains_key("description"), "crates/{name} has no description");
        let lints = manifest.get("lints").and_then(|lints| lints.get("workspace"));
        assert!(lints.is_some(), "crates/{name} has not the lints of the workspace");
    }
}

#[test]
fn the_oldest_rust_is_the_same_everywhere() {
    let read = |file: &str| std::fs::read_to_string(root().join(file)).expect("a file");
    let workspace: toml::Table = read("Cargo.toml").parse().expect("a manifest is TOML");
    let oldest = workspace["workspace"]["package"]["rust-version"].as_str().expect("a version").to_owned();
    assert!(read("scripts/prepare.sh").contains(&format!("rust_needed={oldest}\n")), "scripts/prepare.sh");
}

/// Crates that call C: of the others none has `unsafe` code.
const UNSAFE: [&str; 2] = ["frontend", "record"];

#[test]
fn unsafe_code_stays_where_it_belongs() {
    for (name, _) in manifests().iter().filter(|(name, _)| !UNSAFE.contains(&name.as_str())) {
        for file in ["lib.rs", "main.rs"] {
            let Ok(text) = std::fs::read_to_string(root().join("crates").join(name).join("src").join(file))
            else {
                continue;
            };
            assert!(
                text.contains("#![forbid(unsafe_code)]"),
                "crates/{name}/src/{file} does not forbid unsafe code"
            );
        }
    }
}
