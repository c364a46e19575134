//! What `./raceproof` and `./test` do on machines that lack something, with stand-ins for the system's commands.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

/// A machine made of stand-ins: only these commands are found.
struct Machine {
    folder: tempfile::TempDir,
}

impl Machine {
    /// The real tools that the script uses, and nothing else.
    fn new() -> Machine {
        let machine = Machine { folder: tempfile::tempdir().expect("a folder") };
        for tool in ["bash", "cat", "cut", "dirname", "grep", "head", "mktemp", "rm", "sort", "tail"] {
            let real =
                ["/usr/bin", "/bin"].iter().map(|bin| Path::new(bin).join(tool)).find(|path| path.exists());
            let link = machine.folder.path().join(tool);
            std::os::unix::fs::symlink(real.expect("a usual tool"), link).expect("a link");
        }
        machine.with("id", "echo 1000").with("apt-cache", "exit 100")
    }

    /// A command that runs these lines; its arguments are appended to the file `log`.
    fn with(self, name: &str, lines: &str) -> Machine {
        let file = self.folder.path().join(name);
        let text = format!("#!/usr/bin/env bash\necho \"{name} $*\" >>\"${{0%/*}}/log\"\n{lines}\n");
        std::fs::write(&file, text).expect("a stand-in");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).expect("permissions");
        self
    }

    /// A Debian on which all packages but these are installed.
    fn debian_without(self, packages: &str) -> Machine {
        let lines = format!(
            "for missing in {packages}; do [ \"${{!#}}\" = $missing ] && [ ! -e \"${{0%/*}}/installed\" ] && exit 1; done\n\
             echo installed"
        );
        self.with("dpkg-query", &lines).with("apt-get", "touch() { : >\"$1\"; }; touch \"${0%/*}/installed\"")
    }

    fn rust(self, version: &str) -> Machine {
        self.with("cargo", "").with("rustc", &format!("echo 'rustc {version} (stand-in)'"))
    }

    fn prepare(&self) -> Output {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/prepare.sh");
        let run = format!("set -euo pipefail; . '{}'; prepare run; echo ready", script.display());
        Command::new("/bin/bash")
            .args(["-c", &run])
            .env_clear()
            .env("PATH", self.folder.path())
            .env("HOME", self.folder.path())
            .output()
            .expect("bash runs")
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_complete_machine_is_left_alone() {
    let machine = Machine::new().debian_without("''").rust("1.95.0");
    let output = machine.prepare();
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
    assert!(!machine.log().contains("apt-get"), "{}", machine.log());
}

#[test]
fn root_installs_what_is_missing_and_nothing_else() {
    let machine = Machine::new().debian_without("llvm-19-dev clang-19").rust("1.95.0").with("id", "echo 0");
    let output = machine.prepare();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(machine.log().contains("apt-get install -y --no-install-recommends clang-19 llvm-19-dev\n"));
}

#[test]
fn sudo_is_used_where_it_asks_for_no_password() {
    let machine = Machine::new().debian_without("clang-19").rust("1.95.0").with("sudo", "shift; \"$@\"");
    let output = machine.prepare();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(machine.log().contains("sudo -n apt-get install -y --no-install-recommends clang-19\n"));
}

#[test]
fn without_the_right_to_install_the_command_is_named() {
    for machine in [Machine::new(), Machine::new().with("sudo", "exit 1")] {
        let machine = machine.debian_without("clang-19").rust("1.95.0");
        let output = machine.prepare();
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("sudo apt-get install -y --no-install-recommends clang-19"));
        assert!(!machine.log().contains("apt-get install"));
    }
}

#[test]
fn a_failed_installation_is_shown() {
    let machine = Machine::new().debian_without("clang-19").rust("1.95.0").with("id", "echo 0");
    let machine = machine.with("apt-get", "echo 'E: no such package'; exit 100");
    let output = machine.prepare();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("E: no such package"), "{}", stderr(&output));
    assert!(machine.log().contains("apt-get update"), "the lists may only have been old");
}

#[test]
fn a_missing_or_old_rust_is_named_with_what_to_do() {
    let none = Machine::new().debian_without("''").prepare();
    assert_eq!(none.status.code(), Some(2));
    assert!(stderr(&none).contains("there is no cargo") && stderr(&none).contains("https://sh.rustup.rs"));
    let old = Machine::new().debian_without("''").rust("1.63.0").prepare();
    assert_eq!(old.status.code(), Some(2));
    assert!(stderr(&old).contains("found rustc 1.63.0"), "{}", stderr(&old));
    let with_rustup = Machine::new().debian_without("''").rust("1.9.0").with("rustup", "").prepare();
    assert!(stderr(&with_rustup).contains("rustup update stable"));
}

#[test]
fn debian_has_a_current_rust_under_another_name() {
    let machine =
        Machine::new().debian_without("cargo-web rustc-web").with("id", "echo 0").with("apt-cache", "");
    machine.prepare();
    let log = machine.log();
    assert!(log.contains("install -y --no-install-recommends cargo-web rustc-web\n"), "{log}");
    assert!(!log.contains("apt-get update"), "{log}");
}

#[test]
fn a_fresh_debian_fetches_its_lists_first() {
    let machine = Machine::new().debian_without("''").with("id", "echo 0");
    let machine = machine.with("apt-cache", "[ -e \"${0%/*}/installed\" ]");
    machine.prepare();
    assert!(machine.log().contains("apt-get update\n"), "{}", machine.log());
}

#[test]
fn other_systems_are_told_what_is_needed() {
    let bare = Machine::new().rust("1.95.0").with("cc", "").prepare();
    assert_eq!(bare.status.code(), Some(2));
    assert!(stderr(&bare).contains("clang 19 is needed"), "{}", stderr(&bare));
    let machine =
        Machine::new().rust("1.95.0").with("cc", "").with("clang-19", "").with("llvm-config-19", "");
    assert!(machine.prepare().status.success());
}
