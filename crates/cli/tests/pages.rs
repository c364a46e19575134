//! The pages of `--html` as the commands write them, opened in a headless Chromium where there is one: no errors, and the
//! source follows the steps of real schedules.
#![cfg(feature = "llvm")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn raceproof(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_raceproof"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("raceproof starts")
}

/// A folder with the examples of the book, and a page in it that the command has written.
fn page(command: &[&str], code: i32) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").canonicalize().expect("docs");
    std::os::unix::fs::symlink(docs.join("examples"), folder.path().join("examples")).expect("a link");
    let output = raceproof(folder.path(), &[command, &["--html", "page.html", "--quiet"]].concat());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{command:?}: {said}");
    let text = std::fs::read_to_string(folder.path().join("page.html")).expect("a page");
    (folder, text)
}

fn chromium() -> Option<PathBuf> {
    let names = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
    let found = names.into_iter().map(PathBuf::from).find(|name| name.exists());
    if found.is_none() {
        eprintln!("skipped: there is no Chromium here (apt install chromium)");
    }
    found
}

/// Goes through all steps of the first schedule with the right arrow key, and notes where the source stands.
const STEPS: &str = r#"
const figure = document.querySelector("figure.timeline");
const notes = [];
for (const row of figure.querySelectorAll("tbody tr:not(.left-out)")) {
  const said = figure.querySelector("output").textContent;
  const file = figure.querySelector(".follow h5")?.textContent;
  const lines = [...figure.querySelectorAll(".follow .stands .number")].map((one) => one.textContent).join(" ");
  notes.push(`${said} @ ${file} ${lines}`);
  figure.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true }));
}
const result = document.createElement("pre");
result.id = "notes";
result.textContent = notes.join("\n");
document.body.append(result);
"#;

/// The document after a script, and what the browser said on its console.
fn open(folder: &Path, page: &str, script: Option<&str>) -> Option<(String, String)> {
    let chromium = chromium()?;
    let mut text = page.to_owned();
    if let Some(script) = script {
        let policy = page.lines().find(|line| line.contains("Content-Security-Policy")).expect("a policy");
        text = page.replace(policy, "").replace("</body>", &format!("<script>{script}</script></body>"));
    }
    let file = folder.join("opened.html");
    std::fs::write(&file, text).expect("a file");
    let output = Command::new(chromium)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom"])
        .arg("--virtual-time-budget=2000")
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(format!("file://{}", file.display()))
        .output()
        .expect("Chromium starts");
    let said = String::from_utf8_lossy(&output.stderr);
    let console = said.lines().filter(|line| line.contains(":CONSOLE")).collect::<Vec<_>>().join("\n");
    Some((String::from_utf8_lossy(&output.stdout).into_owned(), console))
}

fn steps(command: &[&str]) -> Option<String> {
    let (folder, page) = page(command, 1);
    let (document, console) = open(folder.path(), &page, Some(STEPS))?;
    assert_eq!(console, "");
    let notes = document.split("<pre id=\"notes\">").nth(1).and_then(|rest| rest.split("</pre>").next());
    Some(notes.expect("the notes").to_owned())
}

#[test]
fn the_source_follows_the_schedule_of_a_check() {
    let Some(notes) = steps(&["check", "examples/counter.c"]) else { return };
    let lines: Vec<&str> = notes.lines().collect();
    assert_eq!(lines.len(), 5, "{notes}");
    assert!(lines[0].starts_with("Step 1 of 4: main creates thread 1"), "{notes}");
    assert!(lines[0].ends_with("@ examples/counter.c 19"), "{notes}");
    assert!(lines[2].contains("locks lock @ examples/counter.c 10"), "{notes}");
    assert!(
        lines[4].starts_with("The race after step 4 of 4: main reads hits; thread 1 (serve) writes hits")
    );
    assert!(lines[4].ends_with("11 20"), "{notes}");
}

#[test]
fn the_witness_of_a_predicted_race_is_stepped_through() {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = folder.path().join("run.std");
    let (_other, _) = page(&["check", "examples/tickets.c", "--trace-out", trace.to_str().unwrap()], 1);
    let Some(notes) = steps(&["predict", trace.to_str().unwrap()]) else { return };
    let last = notes.lines().last().expect("steps");
    assert!(last.starts_with("The race (events "), "{notes}");
    assert!(last.contains("writes next_job @ examples/tickets.c 16"), "{notes}");
    assert!(notes.contains("starts T1 @ examples/tickets.c 29"), "{notes}");
}

#[test]
fn pages_of_triage_and_locks_open() {
    for (command, parts) in [
        (["triage", "examples/tickets.c"], ["Group 1: fix first", "Ordering graph", "next_job"]),
        (["locks", "examples/squares.c"], ["superfluous", "Work-unit graph", "not EF (EX_WU1 true"]),
    ] {
        let (folder, page) = page(&command, 1);
        for part in parts {
            assert!(page.contains(part), "{part}");
        }
        let Some((document, console)) = open(folder.path(), &page, None) else { return };
        assert_eq!(console, "");
        assert!(document.contains("graph moves"), "the graph can be moved");
    }
}

#[test]
fn a_check_of_several_races_shows_the_order_to_fix() {
    let (_folder, page) = page(&["check", "examples/tickets.c"], 1);
    let order = page.find("<h2 id=\"order\">").expect("the order");
    let (first, race) = (page.find("fix first").expect("a group"), page.find("<article").expect("a race"));
    assert!(order < first && first < race, "the order stands before the races");
    assert!(page.contains("<svg "), "the ordering graph is drawn");
    let (_folder, page) = page_of_one_race();
    assert!(!page.contains("id=\"order\""), "one race needs no order");
}

fn page_of_one_race() -> (tempfile::TempDir, String) {
    page(&["check", "examples/counter.c"], 1)
}

#[test]
fn sarif_says_what_is_new() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples/counter.c");
    std::fs::copy(source, folder.path().join("a.c")).expect("a copy");
    let states = |arguments: &[&str]| -> Vec<String> {
        let output = raceproof(folder.path(), &[&["check", "a.c", "--format", "sarif"], arguments].concat());
        let log: serde_json::Value = serde_json::from_slice(&output.stdout).expect("SARIF");
        let results = log["runs"][0]["results"].as_array().expect("results").clone();
        results.iter().map(|one| one["baselineState"].as_str().unwrap_or("none").to_owned()).collect()
    };
    assert_eq!(states(&[]), ["none"]);
    raceproof(folder.path(), &["check", "a.c", "--format", "json", "--output", "known.json"]);
    assert_eq!(states(&["--baseline", "known.json"]), ["unchanged"]);
    let other = std::fs::read_to_string(folder.path().join("known.json")).expect("a report");
    let other = other.replace("\"variable\": \"hits\"", "\"variable\": \"misses\"");
    std::fs::write(folder.path().join("known.json"), other).expect("a file");
    assert_eq!(states(&["--baseline", "known.json"]), ["new"]);
}
