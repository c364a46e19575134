//! The HTML page: what is in it, and, in a headless Chromium where there is one, that it opens, steps and filters.

mod samples;

use std::path::Path;
use std::process::Command;

use base::CheckReport;
use report::{Replay, html};
use samples::*;

fn page(report: &CheckReport) -> String {
    let command = "raceproof replay witness.json".to_owned();
    html::render(report, &sources(), &Replay::Saved { command })
}

/// The page without its style sheet and script, which have no place in a snapshot.
fn body(report: &CheckReport) -> String {
    let page = page(report);
    let from = page.find("<body>").expect("a body");
    let to = page.find("<script>").expect("a script");
    page[from..to].to_owned()
}

#[test]
fn race() {
    insta::assert_snapshot!(body(&samples::race()));
}

#[test]
fn deadlock() {
    insta::assert_snapshot!(body(&samples::deadlock()));
}

#[test]
fn unknown_construct() {
    let report = unknown("external function `frobnicate` has no definition", Some(place("counter.c", 13, 9)));
    insta::assert_snapshot!(body(&report));
}

#[test]
fn race_free_has_no_findings() {
    let page = page(&samples::race_free());
    assert!(page.contains("<span class=\"verdict good\">race-free</span>"));
    assert!(!page.contains("<article") && !page.contains("id=\"filter\""));
}

#[test]
fn nothing_of_a_report_is_markup() {
    let nasty = "</script><img src=x onerror=alert(1)>\"'&`";
    let mut report = samples::race();
    report.files = vec![nasty.into()];
    report.flags = vec![nasty.into()];
    report.assumptions = vec![nasty.into()];
    report.races[0].variable = nasty.into();
    report.races[0].hint = Some(nasty.into());
    report.races[0].first.thread.name = nasty.into();
    report.races[0].first.place.file = nasty.into();
    report.races[0].first.stack[0].function = nasty.into();
    report.races[0].witness.steps[0].action = nasty.into();
    let sources = sources().with(nasty, &format!("{nasty}\n").repeat(30));
    let page = html::render(&report, &sources, &Replay::Saved { command: nasty.into() });
    assert!(!page.contains("<img"), "markup got through");
    assert_eq!(page.matches("</script>").count(), 2, "a text ends a script");
}

#[test]
fn nothing_comes_from_outside() {
    let page = page(&samples::race());
    for reference in ["http://", "https://", "src=", "@import", "url(", "<link"] {
        assert!(!page.contains(reference), "{reference}");
    }
}

/// Opens a page in Chromium; the document afterwards, and what was said on the console. Nothing without Chromium.
fn open(page: &str) -> Option<(String, String)> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.html");
    std::fs::write(&file, page).expect("a file");
    let Some(chromium) = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
        .into_iter()
        .find(|name| Path::new(name).exists())
    else {
        eprintln!("skipped: there is no Chromium here (apt install chromium)");
        return None;
    };
    let output = Command::new(chromium)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--enable-logging=stderr",
            "--virtual-time-budget=2000",
        ])
        .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
        .arg("--dump-dom")
        .arg(format!("file://{}", file.display()))
        .output()
        .expect("Chromium starts");
    let said = String::from_utf8_lossy(&output.stderr);
    let console = said.lines().filter(|line| line.contains(":CONSOLE")).collect::<Vec<_>>().join("\n");
    Some((String::from_utf8_lossy(&output.stdout).into_owned(), console))
}

#[test]
fn the_page_opens_without_errors_and_its_script_runs() {
    let Some((document, console)) = open(&page(&samples::race())) else { return };
    assert_eq!(console, "");
    assert!(document.contains("aria-current=\"step\""), "{document}");
    assert!(document.contains("Step 1 of 4: main creates thread 1 (worker)"), "{document}");
}

/// Presses keys and buttons and types into the filter, and notes what the page shows then.
const USER: &str = r##"
const notes = [];
const first = document.querySelector("figure.timeline");
const said = () => first.querySelector("output").textContent;
const lines = () => [...first.querySelectorAll(".follow .stands .number")].map((one) => one.textContent).join(" ");
const note = (what) => notes.push(`${what}: ${said()} [${lines()}]`);
const press = (key) => first.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
note("start");
press("ArrowRight"); note("right");
first.querySelector("button[value=next]").click(); note("next");
press("End"); note("end");
press("ArrowRight"); note("beyond");
press("ArrowLeft"); note("left");
first.querySelector("button[value=first]").click(); note("first");
first.querySelectorAll("tbody tr")[3].click(); note("row");
const filter = document.getElementById("filter");
const type = (text) => {
  filter.value = text;
  filter.dispatchEvent(new Event("input"));
  const shown = [...document.querySelectorAll("article")].filter((one) => !one.hidden).map((one) => one.id).join(" ");
  notes.push(`filter ${text}: ${shown}; ${document.getElementById("count").textContent}`);
};
type("MAIN reads"); type("nothing like it"); type("");
const result = document.createElement("pre");
result.id = "notes";
result.textContent = "\n" + notes.join("\n") + "\n";
document.body.append(result);
"##;

#[test]
fn the_page_steps_and_filters() {
    let page = page(&samples::race());
    // The policy lets no other script in, so the page under test goes without it.
    let policy = page.lines().find(|line| line.contains("Content-Security-Policy")).expect("a policy");
    let driven = page.replace(policy, "").replace("</body>", &format!("<script>{USER}</script>\n</body>"));
    let Some((document, console)) = open(&driven) else { return };
    assert_eq!(console, "");
    let notes = document.split("<pre id=\"notes\">").nth(1).and_then(|rest| rest.split("</pre>").next());
    insta::assert_snapshot!(notes.expect("the notes"));
}
