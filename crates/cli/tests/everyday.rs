//! The commands around a check: `explain`, `doctor`, `completions`, `man`, and the files that a check can write.

use std::path::Path;
use std::process::{Command, Output};

fn raceproof(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raceproof"));
    command
        .current_dir(folder)
        .env("XDG_CACHE_HOME", "/dev/null")
        .args(arguments)
        .output()
        .expect("raceproof runs")
}

fn said(arguments: &[&str]) -> String {
    let output = raceproof(Path::new("."), arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn every_kind_of_finding_is_explained() {
    for line in said(&["explain"]).lines().take_while(|line| !line.is_empty()) {
        let code = line.split_whitespace().next().expect("a code");
        let text = said(&["explain", code]);
        assert!(text.starts_with(&format!("{code}: ")), "{text}");
        assert!(text.contains("\nBad:\n") && text.contains("\nGood:\n"), "{text}");
    }
    let output = raceproof(Path::new("."), &["explain", "bug"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no kind of finding `bug`"));
}

#[test]
fn completions_know_the_commands_and_are_taken_by_bash() {
    for shell in ["bash", "zsh", "fish"] {
        let text = said(&["completions", shell]);
        for word in ["check", "predict", "--threads", "doctor"] {
            assert!(text.contains(word.trim_start_matches("--")), "{shell}: {word}");
        }
    }
    let bash = Command::new("bash").args(["-n", "-c", &said(&["completions", "bash"])]).status();
    assert!(bash.expect("bash runs").success());
}

#[test]
fn manual_pages_are_made_for_every_command() {
    assert!(said(&["man"]).contains(".TH raceproof 1"));
    assert!(said(&["man", "check"]).contains("\\-\\-threads"));
    let folder = tempfile::tempdir().expect("a folder");
    let output = raceproof(folder.path(), &["man", "--output", "pages"]);
    assert_eq!(output.status.code(), Some(0));
    for page in ["raceproof.1", "raceproof-check.1", "raceproof-predict.1", "raceproof-trace-info.1"] {
        assert!(folder.path().join("pages").join(page).is_file(), "{page}");
    }
    let output = raceproof(folder.path(), &["man", "chekc"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn doctor_says_what_is_missing() {
    let output = raceproof(Path::new("."), &["doctor"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.contains("raceproof") && text.contains("clang-19") && text.contains("temporary files"),
        "{text}"
    );
    let missing = text.lines().any(|line| line.starts_with("missing"));
    assert_eq!(output.status.code(), Some(i32::from(missing)), "{text}");
    let mut without = Command::new(env!("CARGO_BIN_EXE_raceproof"));
    let output = without.arg("doctor").env("PATH", "/nonexistent").output().expect("raceproof runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("missing  clang-19") && text.contains("apt install clang-19"), "{text}");
}

#[test]
fn wrong_baselines_and_settings_are_refused_before_the_work() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    write("a.c", "int main(void) { return 0; }\n");
    write("b.json", "{}");
    let refused = |arguments: &[&str], part: &str| {
        let output = raceproof(folder.path(), arguments);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(part), "expected `{part}` in: {stderr}");
    };
    refused(&["check", "a.c", "--baseline", "none.json"], "cannot read `none.json`");
    refused(&["check", "a.c", "--baseline", "b.json"], "--format json --output b.json");
    refused(&["check", "a.c", "--html", "none/a.html"], "--html");
    write("raceproof.toml", "[[suppress]]\nvariable = \"x\"\n");
    refused(&["check", "a.c"], "raceproof.toml");
}

/// What only a check can show.
#[cfg(feature = "llvm")]
mod with_llvm {
    use super::*;

    fn root() -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
    }

    #[test]
    fn the_programs_of_the_explanations_have_what_they_say() {
        for explanation in report::explain::ALL {
            let file = |which: &str| format!("docs/explain/{}_{which}.c", explanation.code);
            let bad = raceproof(&root(), &["check", &file("bad"), "--format", "json"]);
            let report: base::CheckReport = serde_json::from_slice(&bad.stdout).expect("a report");
            let mut found: Vec<&str> = report.defects.iter().map(|d| report::explain::code(d.kind)).collect();
            found.extend(report.races.first().map(|_| "race"));
            assert_eq!(found, [explanation.code], "{}", file("bad"));
            let good = raceproof(&root(), &["check", &file("good"), "--quiet"]);
            assert_eq!(good.status.code(), Some(0), "{}", file("good"));
        }
    }

    #[test]
    fn a_check_writes_a_page_and_other_formats() {
        let folder = tempfile::tempdir().expect("a folder");
        let page = folder.path().join("report.html");
        let page = page.to_str().expect("UTF-8");
        let source = "docs/examples/counter.c";
        let output = raceproof(&root(), &["check", source, "--html", page, "--format", "sarif"]);
        assert_eq!(output.status.code(), Some(1));
        let log: serde_json::Value = serde_json::from_slice(&output.stdout).expect("SARIF is JSON");
        let region = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        assert_eq!(region["artifactLocation"]["uri"], source);
        let html = std::fs::read_to_string(page).expect("the page");
        assert!(html.contains("<mark>hits</mark>") && html.contains("<mark>hits++</mark>"));
        let output = raceproof(&root(), &["check", source, "--format", "junit"]);
        assert!(String::from_utf8_lossy(&output.stdout).contains("<failure type=\"race\""));
    }

    #[test]
    fn known_findings_do_not_fail() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::copy(root().join("docs/examples/counter.c"), folder.path().join("a.c")).expect("a copy");
        let check = |more: &[&str]| raceproof(folder.path(), &[&["check", "a.c", "--quiet"], more].concat());
        assert_eq!(check(&["--format", "json", "--output", "b.json"]).status.code(), Some(1));
        let known = check(&["--baseline", "b.json"]);
        assert_eq!(known.status.code(), Some(0));
        assert!(String::from_utf8_lossy(&known.stderr).contains("b.json: 0 new, 1 known, 0 no longer found"));
        let settings = "[[suppress]]\nvariable = \"hits\"\nlocations = [\"a.c:11\", \"a.c:20\"]\nreason = \"shown only\"\n";
        std::fs::write(folder.path().join("raceproof.toml"), settings).expect("settings");
        let suppressed = check(&[]);
        assert_eq!(suppressed.status.code(), Some(0));
        assert!(
            String::from_utf8_lossy(&suppressed.stderr).contains("suppressed   race 1 on `hits`: shown only")
        );
    }
}
