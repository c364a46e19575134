//! Compiles the models of the C library (`models/**`) to bitcode, which is embedded into the crate.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const FLAGS: [&str; 11] = [
    "-g",
    "-O0",
    "-fno-discard-value-names",
    "-Xclang",
    "-disable-O0-optnone",
    "-emit-llvm",
    "-fno-builtin",
    // Exceptions of callbacks pass through models in C and run their clean-ups.
    "-fexceptions",
    "-fno-stack-protector",
    "-U_FORTIFY_SOURCE",
    "-w",
];

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("models");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let clang = env::var("RACEPROOF_CLANG").unwrap_or_else(|_| "clang-19".to_string());
    println!("cargo:rerun-if-env-changed=RACEPROOF_CLANG");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=models");
    let mut sources = Vec::new();
    collect(&root, &mut sources);
    sources.sort();
    let version = Command::new(&clang).arg("--version").output();
    if !version.is_ok_and(|v| String::from_utf8_lossy(&v.stdout).contains("version 19.")) {
        eprintln!(
            "error: building raceproof needs clang 19 as `{clang}`.\n\
             Install it (Debian and Ubuntu: apt install clang-19 llvm-19-dev), or set RACEPROOF_CLANG to its path."
        );
        std::process::exit(1);
    }
    let has_32 = compiles(&clang, &out);
    if !has_32 {
        println!(
            "cargo:warning=no 32-bit C headers (gcc-multilib): programs compiled with -m32 get no models"
        );
    }
    let mut table = String::new();
    for (name, wanted, flags) in [("MODELS_64", true, &["-m64"]), ("MODELS_32", has_32, &["-m32"])] {
        table +=
            "/// Names and bitcode of the models; `None` if there were no headers to compile them with.\n";
        table += &format!("const {name}: Option<&[Model]> = ");
        if !wanted {
            table += "None;\n";
            continue;
        }
        table += "Some(&[\n";
        for source in &sources {
            let relative = source.strip_prefix(&root).expect("found below it");
            let file =
                out.join(format!("{}{}.bc", relative.display().to_string().replace('/', "_"), flags[0]));
            let text = out.join("model.ll");
            compile(&clang, &[flags[0], "-S"], &root, source, &text);
            compile(&clang, &[flags[0], "-c"], &root, source, &file);
            let ir = fs::read_to_string(&text).expect("clang wrote it");
            table += &format!(
                "    Model {{ name: {:?}, defines: &{:?}, bitcode: include_bytes!({:?}) }},\n",
                relative,
                definitions(&ir),
                file
            );
        }
        table += "]);\n";
    }
    fs::write(out.join("models.rs"), table).expect("the output directory can be written");
}

/// The symbols that a module defines for others, from its text.
fn definitions(ir: &str) -> Vec<String> {
    let mut names = Vec::new();
    for line in ir.lines() {
        let is_function = line.starts_with("define ");
        // Constructors are often aliases: the complete object's one of the base object's.
        let is_variable = line.starts_with('@')
            && [" global ", " constant ", " alias "].iter().any(|kind| line.contains(kind));
        let hidden =
            [" internal ", " private ", " external ", " extern_weak "].iter().any(|l| line.contains(l));
        if (!is_function && !is_variable) || hidden {
            continue;
        }
        let Some((_, rest)) = line.split_once('@') else { continue };
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"_.$".contains(c)).unwrap_or(rest.len());
        names.push(rest[..end].to_string());
    }
    names
}

fn collect(directory: &Path, sources: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for path in entries.flatten().map(|e| e.path()) {
        if path.is_dir() {
            // Native tests of the models are no models.
            if path.file_name().is_some_and(|n| n == "tests") {
                continue;
            }
            collect(&path, sources);
        } else {
            println!("cargo:rerun-if-changed={}", path.display());
            if path.extension().is_some_and(|e| e == "c" || e == "cpp") {
                sources.push(path);
            }
        }
    }
}

/// Whether a program that includes the C library's headers compiles for 32 bits.
fn compiles(clang: &str, out: &Path) -> bool {
    let probe = out.join("probe.c");
    fs::write(&probe, "#include <stdio.h>\n#include <pthread.h>\n")
        .expect("the output directory can be written");
    let result = Command::new(clang).args(["-m32", "-fsyntax-only"]).arg(&probe).output();
    result.is_ok_and(|r| r.status.success())
}

fn compile(clang: &str, flags: &[&str], root: &Path, source: &Path, file: &Path) {
    let mut command = Command::new(clang);
    command.args(FLAGS).args(flags).arg(format!("-ffile-prefix-map={}=<raceproof>", root.display()));
    command.arg(format!("-I{}", root.display())).current_dir(root);
    if source.extension().is_some_and(|e| e == "cpp") {
        command.arg("-std=gnu++20");
    }
    let result = command.arg("-o").arg(file).arg(source).output();
    match result {
        Ok(result) if result.status.success() => {}
        Ok(result) => {
            eprintln!(
                "error: the model {} does not compile:\n{}",
                source.display(),
                String::from_utf8_lossy(&result.stderr)
            );
            std::process::exit(1);
        }
        Err(error) => {
            eprintln!("error: cannot run {clang}: {error}");
            std::process::exit(1);
        }
    }
}
