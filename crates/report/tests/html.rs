//! The HTML page: what is in it, and, in a headless Chromium where there is one, that it opens, steps and filters.

mod samples;

use std::path::Path;
use std::process::Command;

use base::CheckReport;
use report::triage::Order;
use report::{Replay, html};
use samples::analyses::{ACCOUNT, TICKETS, locked, order, predicted, triaged};
use samples::*;

fn page(report: &CheckReport) -> String {
    page_in_order(report, &Order::default())
}

fn page_in_order(report: &CheckReport, order: &Order) -> String {
    let command = "raceproof replay witness.json".to_owned();
    html::render(report, &sources(), &Replay::Saved { command }, order)
}

fn predict_page() -> String {
    html::predict(&predicted(ACCOUNT, &["m2", "shb", "eraser"]), &sources(), &Order::default())
}

fn triage_page() -> String {
    let (report, picture) = triaged(TICKETS);
    html::triage(&report, &sources().with("ticket.c", "int mine = next;\nnext++;\njobs = mine;\n"), &picture)
}

fn locks_page() -> String {
    html::locks(&locked(), &sources())
}

fn body(report: &CheckReport) -> String {
    body_of(&page(report))
}

/// The page without its style sheet and script, which have no place in a snapshot.
fn body_of(page: &str) -> String {
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
    let report = unknown(no_model("frobnicate"), Some(place("counter.c", 13, 9)));
    insta::assert_snapshot!(body(&report));
}

#[test]
fn races_in_order() {
    let page = page_in_order(&samples::race(), &order());
    insta::assert_snapshot!(body_of(&page));
}

#[test]
fn predicted_race() {
    insta::assert_snapshot!(body_of(&predict_page()));
}

#[test]
fn triaged_groups() {
    insta::assert_snapshot!(body_of(&triage_page()));
}

#[test]
fn locks_and_variables() {
    insta::assert_snapshot!(body_of(&locks_page()));
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
    let page = html::render(&report, &sources, &Replay::Saved { command: nasty.into() }, &Order::default());
    no_markup(&page);
    let mut locks = locked();
    locks.files = vec![nasty.into()];
    locks.notes = vec![nasty.into()];
    locks.patch = Some(format!("+{nasty}\n"));
    locks.constructs[0].what = nasty.into();
    locks.constructs[0].place.file = nasty.into();
    locks.variables[0].name = nasty.into();
    locks.variables[1].meetings[0].strands[0] = nasty.into();
    locks.graph[1].name = nasty.into();
    locks.graph[1].strand = nasty.into();
    locks.formulas[0].formula = nasty.into();
    no_markup(&html::locks(&locks, &sources));
    // In a trace `|` ends a name, and nothing else of it is special.
    let trace =
        TICKETS.replace("next", "<img>&\"'`").replace("ticket.c", "</script>.c").replace("T2", "<img>");
    let (report, picture) = triaged(&trace);
    no_markup(&html::triage(&report, &sources, &picture));
    no_markup(&html::predict(&predicted(&trace, &["m2", "hb"]), &sources, &Order::default()));
}

fn no_markup(page: &str) {
    assert!(!page.contains("<img"), "markup got through");
    assert_eq!(page.matches("</script>").count(), 2, "a text ends a script");
}

fn pages() -> [String; 4] {
    [page_in_order(&samples::race(), &order()), predict_page(), triage_page(), locks_page()]
}

#[test]
fn nothing_comes_from_outside() {
    for page in pages() {
        let page = page.replace("url(#arrow)", "");
        for reference in ["http://", "https://", "src=", "@import", "url(", "<link", "style="] {
            assert!(!page.contains(reference), "{reference}");
        }
    }
}

#[test]
fn ids_are_used_once_and_links_lead_somewhere() {
    for page in pages().map(|page| body_of(&page)) {
        let values = |name: &str| -> Vec<String> {
            let parts = page.split(name).skip(1);
            parts.filter_map(|rest| rest.split('"').next().map(str::to_owned)).collect()
        };
        let ids = values(" id=\"");
        for (index, id) in ids.iter().enumerate() {
            assert!(!ids[..index].contains(id), "{id} is there twice");
        }
        let labels = values("aria-labelledby=\"");
        let targets = labels.iter().flat_map(|names| names.split(' ')).map(str::to_owned);
        for target in values("href=\"#").into_iter().chain(targets) {
            assert!(ids.contains(&target), "nothing has the id {target}");
        }
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

#[test]
fn every_kind_of_page_opens_without_errors() {
    for page in pages() {
        let Some((document, console)) = open(&page) else { return };
        assert_eq!(console, "");
        assert_eq!(
            page.matches("<figure class=\"timeline\"").count(),
            document.matches("timeline steps").count()
        );
        assert_eq!(page.matches("<figure class=\"graph\"").count(), document.matches("graph moves").count());
    }
}

/// What a test's user can do: press keys and buttons, type into the filter, and note what the page shows then.
const USER: &str = r##"
const notes = [];
const shown = (name) => [...document.querySelectorAll(name)].filter((one) => one.checkVisibility());
const timeline = (number) => {
  const figure = document.querySelectorAll("figure.timeline")[number];
  const said = () => figure.querySelector("output").textContent;
  const lines = () => [...figure.querySelectorAll(".follow .stands .number")].map((one) => one.textContent).join(" ");
  const files = () => [...figure.querySelectorAll(".follow h5")].map((one) => one.textContent).join(" ");
  return {
    note: (what) => notes.push(`${what}: ${said()} [${files()} ${lines()}]`),
    press: (key) => figure.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })),
    click: (value) => figure.querySelector(`button[value=${value}]`).click(),
    row: (index) => figure.querySelectorAll("tbody tr")[index].click(),
  };
};
const type = (text) => {
  const filter = document.getElementById("filter");
  filter.value = text;
  filter.dispatchEvent(new Event("input"));
  const entries = shown("article").map((one) => one.id);
  const rows = shown("tr[data-search]").map((one) => one.cells[0].textContent);
  notes.push(`filter ${text}: ${[...entries, ...rows].join(" ")}; ${document.getElementById("count").textContent}`);
};
const finish = () => {
  const result = document.createElement("pre");
  result.id = "notes";
  result.textContent = "\n" + notes.join("\n") + "\n";
  document.body.append(result);
};
"##;

/// What a user who does this to a page has noted; nothing without Chromium.
fn driven(page: &str, does: &str) -> Option<String> {
    // The policy lets no other script in, so the page under test goes without it.
    let policy = page.lines().find(|line| line.contains("Content-Security-Policy")).expect("a policy");
    let script = format!("<script>{USER}{does}\nfinish();</script>\n</body>");
    let (document, console) = open(&page.replace(policy, "").replace("</body>", &script))?;
    assert_eq!(console, "");
    let notes = document.split("<pre id=\"notes\">").nth(1).and_then(|rest| rest.split("</pre>").next());
    Some(notes.expect("the notes").to_owned())
}

const STEPS: &str = r#"
const first = timeline(0);
first.note("start");
first.press("ArrowRight"); first.note("right");
first.click("next"); first.note("next");
first.press("End"); first.note("end");
first.press("ArrowRight"); first.note("beyond");
first.press("ArrowLeft"); first.note("left");
first.click("first"); first.note("first");
first.row(3); first.note("row");
"#;

#[test]
fn the_page_steps_and_filters() {
    let does = format!("{STEPS}type('MAIN reads'); type('nothing like it'); type('');");
    let Some(notes) = driven(&page(&samples::race()), &does) else { return };
    insta::assert_snapshot!(notes);
}

#[test]
fn the_page_of_predict_steps_through_the_witness() {
    let does = format!("{STEPS}type('src/main.c:7 T2'); type('shb');");
    let Some(notes) = driven(&predict_page(), &does) else { return };
    insta::assert_snapshot!(notes);
}

/// Moves and enlarges a graph; notes what part of it is seen then, in whole units.
const MOVES: &str = r#"
const graph = document.querySelector("figure.graph");
const view = graph.querySelector(".view");
const box = () => graph.querySelector("svg").getAttribute("viewBox").split(" ").map(Number);
const middle = () => { const [x, y, w, h] = box(); return [x + w / 2, y + h / 2]; };
const press = (key) => graph.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const point = (kind, more) => view.dispatchEvent(new PointerEvent(kind, { bubbles: true, pointerId: 1, ...more }));
view.setPointerCapture = () => {};
const whole = box();
const check = (what, holds) => notes.push(`${what}: ${holds ? "yes" : `no (${box()})`}`);
const near = (a, b) => Math.abs(a - b) < 0.01;
press("+");
check("plus shows less", box()[2] < whole[2]);
press("-");
check("minus undoes plus", near(box()[2], whole[2]));
let before = middle();
press("ArrowRight");
check("right arrow moves to the right", middle()[0] > before[0] && near(middle()[1], before[1]));
before = middle();
press("ArrowDown");
check("down arrow moves down", middle()[1] > before[1] && near(middle()[0], before[0]));
press("0");
check("0 shows all", box().every((one, index) => near(one, whole[index])));
graph.querySelector("button[value=in]").click();
check("the button enlarges", box()[2] < whole[2]);
before = middle();
point("pointerdown", { button: 0 });
point("pointermove", { movementX: 20, movementY: -10 });
point("pointerup", {});
check("dragging to the right moves the view to the left", middle()[0] < before[0] && middle()[1] > before[1]);
before = middle();
point("pointermove", { movementX: 20, movementY: 0 });
check("what is let go stays", near(middle()[0], before[0]));
const there = { clientX: view.getBoundingClientRect().left + 10, clientY: view.getBoundingClientRect().top + 10 };
before = box();
view.dispatchEvent(new WheelEvent("wheel", { deltaY: -100, cancelable: true, ...there }));
check("the wheel alone scrolls the page", near(box()[2], before[2]));
view.dispatchEvent(new WheelEvent("wheel", { deltaY: -100, ctrlKey: true, cancelable: true, ...there }));
check("with Ctrl it enlarges", box()[2] < before[2]);
press("0");
window.dispatchEvent(new Event("beforeprint"));
const svg = graph.querySelector("svg");
check("all is printed", box()[0] === 0 && box()[1] === 0 && box()[3] === Number(svg.getAttribute("height")));
window.dispatchEvent(new Event("afterprint"));
check("as before after printing", box().every((one, index) => near(one, whole[index])));
"#;

#[test]
fn graphs_move_and_enlarge() {
    for page in [triage_page(), locks_page(), page_in_order(&samples::race(), &order())] {
        let Some(notes) = driven(&page, MOVES) else { return };
        assert!(notes.lines().count() > 10 && !notes.contains(": no"), "{notes}");
    }
}

#[test]
fn groups_and_variables_are_filtered() {
    let does = "type('next'); type('fix first'); type('');";
    let Some(notes) = driven(&triage_page(), does) else { return };
    insta::assert_snapshot!(notes);
    let does = "type('superfluous'); type('needs protection'); type('undecided'); type('');";
    let Some(notes) = driven(&locks_page(), does) else { return };
    insta::assert_snapshot!(notes);
}

/// The contrast of every text with what is behind it, as WCAG 2 counts it: 4.5 at least, in light and in dark.
const CONTRAST: &str = r#"
const luminance = ([r, g, b]) => {
  const part = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
};
const numbers = (colour) => colour.match(/[\d.]+/g).map(Number);
const ground = (one) => {
  for (let at = one; at; at = at.parentElement) {
    const colour = numbers(getComputedStyle(at).backgroundColor);
    if (colour.length < 4 || colour[3] > 0) return colour;
  }
  return [255, 255, 255];
};
let texts = 0;
const poor = new Set();
for (const one of document.querySelectorAll("body *")) {
  const own = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  if (!own || !one.checkVisibility() || one.closest("svg, script, .hidden, .skip")) continue;
  texts += 1;
  const [a, b] = [luminance(numbers(getComputedStyle(one).color)), luminance(ground(one))].sort((x, y) => y - x);
  const contrast = (a + 0.05) / (b + 0.05);
  if (contrast < 4.5) poor.add(`${one.tagName} ${one.className} ${contrast.toFixed(2)}`);
}
notes.push(`${texts > 20 ? "many" : "few"} texts, poor: ${[...poor].join("; ")}`);
"#;

#[test]
fn every_text_can_be_read() {
    for page in pages() {
        // The dark colours are those of the media query; a test sets them by taking the condition away.
        let dark = page.replace("@media (prefers-color-scheme: dark)", "@media all");
        assert_ne!(dark, page);
        for page in [page, dark] {
            let Some(notes) = driven(&page, CONTRAST) else { return };
            assert_eq!(notes.trim(), "many texts, poor:");
        }
    }
}
