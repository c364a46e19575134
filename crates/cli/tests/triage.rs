//! `raceproof triage` from outside: the figures of Netzer and Miller, planted bugs, pictures, wrong input.
//!
//! The table of docs/triage.md is made here; `RACEPROOF_BLESS=1` writes it.
#![cfg(feature = "llvm")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn raceproof(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_raceproof"))
        .env("XDG_CACHE_HOME", "/dev/null")
        .args(arguments)
        .env("NO_COLOR", "1")
        .current_dir(root())
        .output()
        .expect("raceproof runs")
}

/// Runs and expects this exit code; gives standard output.
#[track_caller]
fn answers(code: i32, arguments: &[&str]) -> String {
    let output = raceproof(arguments);
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{stdout}\n{stderr}");
    stdout
}

#[track_caller]
fn triage(arguments: &[&str]) -> Value {
    let all = [&["triage"], arguments, &["--format", "json"]].concat();
    serde_json::from_str(&answers(1, &all)).expect("JSON")
}

#[track_caller]
fn refused(arguments: &[&str], part: &str) {
    let output = raceproof(arguments);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
    assert!(output.stdout.is_empty() && stderr.contains(part), "expected `{part}` in: {stderr}");
}

/// The apparent races on variables with these beginnings: theorem, tangle, whether of a first partition.
fn race(report: &Value, variable: &str) -> (String, Option<u64>, bool) {
    let races: Vec<&Value> = report["apparent"].as_array().unwrap().iter().collect();
    let found: Vec<&&Value> =
        races.iter().filter(|r| r["variable"].as_str().unwrap().starts_with(variable)).collect();
    assert_eq!(found.len(), 1, "one race on {variable}: {report:#}");
    let r = found[0];
    let theorem = r["theorem"].as_str().unwrap_or("").to_owned();
    (theorem, r["tangle"].as_u64(), r["first"].as_bool().unwrap())
}

/// Figures 3 (b) and 4 (b): three apparent races; the last work events are feasible by G_D, the two others are a tangle,
/// of which G_E validates the remove events, which are the first partition.
fn check_figure_1(report: &Value, variables: [&str; 3]) {
    assert_eq!((report["races"].as_u64(), report["tangles"].as_u64()), (Some(3), Some(1)), "{report:#}");
    let [remove, dotted, dash_dotted] = variables;
    assert_eq!(race(report, remove), ("5.3".into(), Some(1), true));
    assert_eq!(race(report, dotted), ("5.2".into(), Some(1), false));
    assert_eq!(race(report, dash_dotted), ("5.1".into(), None, false));
    assert_eq!(report["first_partitions"], 1);
}

#[test]
fn figure_1_as_a_trace() {
    let report = triage(&["tests/triage/figure1.std", "--view", "segments"]);
    check_figure_1(&report, ["t", "a2", "a3"]);
    assert_eq!((report["view"].as_str(), report["event_control"].as_str()), (Some("segments"), Some("flow")));
}

#[test]
fn figure_1_as_a_program() {
    // The work reads what it changes: that it steers nothing comes from the program.
    let report = triage(&["tests/triage/figure1.c", "--view", "segments"]);
    check_figure_1(&report, ["tail", "array[20]", "array[30]"]);
    assert_eq!(report["event_control"], "steering");
}

/// A trace of `check --trace-out` is a whole run and says what steers: the same answer as for the program, in every form. A
/// trace from elsewhere is not trusted so far, and neither is one that was changed.
#[test]
fn traces_of_the_machine_are_complete() {
    let folder = tempfile::tempdir().unwrap();
    let name = |file: &str| folder.path().join(file).to_str().unwrap().to_owned();
    let rests_on = |report: &Value| {
        let words = ["view", "event_control"].map(|w| report[w].as_str().unwrap().to_owned());
        (report["complete_run"].as_bool().unwrap(), words)
    };
    let whole = (true, ["run".to_owned(), "steering".to_owned()]);
    let elsewhere = (false, ["accesses".to_owned(), "flow".to_owned()]);
    for program in ["ring.c", "ticket.c", "figure1.c"] {
        let program = format!("tests/triage/{program}");
        let expected = triage(&[&program]);
        assert_eq!(rests_on(&expected), whole);
        answers(1, &["check", &program, "--trace-out", &name("a.std"), "--quiet"]);
        for (from, to) in [("a.std", "b.rpt"), ("b.rpt", "c.csv.gz"), ("c.csv.gz", "d.std")] {
            answers(0, &["trace", "convert", &name(from), &name(to)]);
            let report = triage(&[&name(to)]);
            assert_eq!(rests_on(&report), whole, "{to}");
            assert_eq!(report["groups"], expected["groups"], "{to}");
            assert_eq!(report["apparent"], expected["apparent"], "{to}");
        }
        let text = std::fs::read_to_string(name("d.std")).unwrap();
        std::fs::write(name("e.std"), format!("{text}T0|r(more)|more\n")).unwrap();
        assert_eq!(rests_on(&triage(&[&name("e.std")])), elsewhere);
        answers(0, &["trace", "slice", &name("a.std"), "--to", "60", &name("f.std")]);
        assert!(!std::fs::read_to_string(name("f.std")).unwrap().contains("raceproof run"));
    }
    let trace = "tests/triage/figure1.std";
    assert_eq!(rests_on(&triage(&[trace])), elsewhere);
    assert_eq!(rests_on(&triage(&[trace, "--view", "run"])).1, ["run".to_owned(), "flow".to_owned()]);
    let text = answers(1, &["triage", trace]);
    assert!(text.contains("a trace from elsewhere") && text.contains("flow"), "{text}");
}

#[test]
fn figure_2() {
    for view in ["segments", "accesses", "run"] {
        let arguments =
            ["tests/triage/figure2.std", "--view", view, "--control", "tests/triage/figure2.control"];
        assert_eq!(race(&triage(&arguments), "X").0, "5.3", "{view}");
        let without = triage(&arguments[..3]);
        assert!(matches!(race(&without, "X").0.as_str(), "" | "5.2"), "{view}");
    }
}

#[test]
fn pictures_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    for (name, begins, parts) in [
        ("g.dot", "digraph", &["penwidth=3", "style=dashed", "-> "][..]),
        ("g.svg", "<svg ", &["stroke=\"#c00000\"", "stroke-dasharray", "writes a2"][..]),
    ] {
        let file = folder.path().join(name);
        let file = file.to_str().unwrap();
        answers(1, &["triage", "tests/triage/figure1.std", "--view", "segments", "--graph", file]);
        let text = std::fs::read_to_string(file).unwrap();
        assert!(text.starts_with(begins) && parts.iter().all(|p| text.contains(p)), "{text}");
    }
    refused(&["triage", "tests/triage/figure1.std", "--graph", "g.png"], ".dot or .svg");
}

#[test]
fn wrong_input_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("control");
    let name = file.to_str().unwrap();
    let with = |text: &str, part: &str| {
        std::fs::write(&file, text).unwrap();
        refused(&["triage", "tests/triage/figure2.std", "--control", name], part);
    };
    with("4 99\n", "from 1 to 8");
    with("# a comment\n\n1\n", "line 3: expected a read");
    with("4 3\n", "later event of its thread");
    with("x\n", "event numbers");
    refused(&["triage", "tests/triage/figure1.std", "tests/triage/figure2.std"], "one trace");
    refused(&["triage", "tests/triage/figure1.std", "--arg", "3"], "are for programs");
    refused(&["triage", "tests/triage/figure1.c", "--control", name], "are for traces");
    refused(&["triage", "nothing.std"], "cannot read");
}

#[test]
fn a_trace_without_races_has_nothing_to_triage() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.std");
    std::fs::write(&file, "A|acq(l)|1\nA|w(x)|2\nA|rel(l)|3\nB|acq(l)|4\nB|w(x)|5\nB|rel(l)|6\n").unwrap();
    assert!(answers(0, &["triage", file.to_str().unwrap()]).starts_with("no races: "));
}

#[test]
fn check_and_predict_say_where_to_begin() {
    let text = answers(1, &["check", "tests/triage/publish.c"]);
    let line = text.lines().find(|l| l.starts_with("fix order")).expect("an order");
    assert!(line.contains(" first"), "{line}");
    let text = answers(1, &["predict", "tests/triage/figure1.std"]);
    assert!(text.lines().any(|l| l.starts_with("fix order")), "{text}");
    // One race needs no order.
    let text = answers(1, &["predict", "docs/examples/run.std"]);
    assert!(!text.contains("fix order"), "{text}");
}

/// What a person meets in a program with a planted bug.
struct Planted {
    name: String,
    reports: usize,
    /// Reports in the groups to fix first, with those about the same variables.
    first: usize,
    /// The place of the first planted report in each order, from 1.
    by_triage: usize,
    by_hb: usize,
    by_line: usize,
}

/// Lines of the source that are marked.
fn marked(file: &Path) -> Vec<u64> {
    let text = std::fs::read_to_string(file).unwrap();
    let lines = text.lines().zip(1..).filter(|(line, _)| line.contains("// planted"));
    lines.map(|(_, number)| number).collect()
}

fn line_of(location: &str) -> u64 {
    location.split(':').nth(1).and_then(|n| n.parse().ok()).unwrap_or(0)
}

fn planted(file: &Path) -> Planted {
    let name = file.file_name().unwrap().to_string_lossy().into_owned();
    let marked = marked(file);
    let report = triage(&[&format!("tests/triage/{name}")]);
    let lines = |r: &Value| ["first", "second"].map(|end| line_of(r[end]["location"].as_str().unwrap()));
    let is_planted = |lines: [u64; 2]| lines.iter().all(|l| marked.contains(l));
    let groups = report["groups"].as_array().unwrap();
    let all = |g: &Value| -> Vec<Value> {
        let part = |name: &str| g[name].as_array().cloned().unwrap_or_default();
        [part("reports"), part("also")].concat()
    };
    assert!(groups[0]["first"].as_bool().unwrap());
    let in_first_group = groups[0]["reports"].as_array().unwrap().iter().any(|r| is_planted(lines(r)));
    assert!(in_first_group, "{name}: the planted race is not in the first group\n{report:#}");
    let in_order: Vec<[u64; 2]> =
        groups.iter().flat_map(|g| all(g).iter().map(&lines).collect::<Vec<_>>()).collect();
    let place = |order: &[[u64; 2]]| order.iter().position(|l| is_planted(*l)).unwrap() + 1;
    let first = groups.iter().filter(|g| g["first"].as_bool().unwrap()).map(|g| all(g).len()).sum();
    let mut by_line = in_order.clone();
    by_line.iter_mut().for_each(|pair| pair.sort_unstable());
    by_line.sort_unstable();
    let hb = hb_order(file);
    assert_eq!(hb.len(), in_order.len(), "{name}: as many reports as pairs of locations");
    Planted {
        name,
        reports: in_order.len(),
        first,
        by_triage: place(&in_order),
        by_hb: place(&hb),
        by_line: place(&by_line),
    }
}

/// The reports of plain happens-before detection on the same run, in its order.
fn hb_order(file: &Path) -> Vec<[u64; 2]> {
    let options = frontend::Options { files: vec![file.to_owned()], ..frontend::Options::default() };
    let program = frontend::compile(&options).expect("it compiles");
    let run = explore::record::record(&program.module, &["program".into()], 2, base::Budget::default())
        .expect("it runs");
    let hb = predict::run(&predict::find("hb").unwrap(), &run.trace, &predict::Options::default());
    let line = |e: &trace::Event| line_of(&run.trace.names.location(e.location));
    hb.races.iter().map(|r| [line(&r.accesses[0]), line(&r.accesses[1])]).collect()
}

/// Pairs of lines on which the search finds races.
///
/// Without sleep sets, so not with the command: those assume that two operations can be exchanged if only a race
/// stands between them, and leave out the orders that just the values of a race tell apart. `check` promises the first race and
/// not those that follow from its values (docs/soundness.md), such as figure 1's between the work events; with all orders of
/// all operations the search shows them too.
fn searched(file: &Path) -> Vec<[u64; 2]> {
    let options = frontend::Options { files: vec![file.to_owned()], ..frontend::Options::default() };
    let program = frontend::compile(&options).expect("it compiles");
    let config = explore::Config { sleep_sets: false, ..explore::Config::default() };
    let outcome = explore::check(&program.module, &config, &mut |_| {}).expect("it runs");
    let lines = |race: &base::Race| {
        let mut pair = [&race.first, &race.second].map(|end| u64::from(end.place.line));
        pair.sort_unstable();
        pair
    };
    outcome.races.iter().map(lines).collect()
}

/// What triage calls feasible from one run, the search over all schedules finds too, each with a replayed witness. By lines:
/// of a read and a write in one statement the search keeps the write.
#[test]
fn feasible_races_are_found_by_the_search() {
    for name in ["figure1.c", "free_list.c", "init_once.c", "own_barrier.c", "push.c", "swap.c", "ticket.c"] {
        let file = format!("tests/triage/{name}");
        let report = triage(&[&file]);
        let found = searched(&root().join(&file));
        let mut feasible = 0;
        for group in report["groups"].as_array().unwrap() {
            for race in group["reports"].as_array().unwrap().iter().filter(|r| r["status"] == "feasible") {
                let mut pair =
                    ["first", "second"].map(|end| line_of(race[end]["location"].as_str().unwrap()));
                pair.sort_unstable();
                assert!(found.contains(&pair), "{name}: {pair:?} is called feasible; found are {found:?}");
                feasible += 1;
            }
        }
        assert!(feasible > 0, "{name}");
    }
}

/// A spin lock of an atomic flag orders what it protects, in traces too.
#[test]
fn read_modify_writes_synchronise_in_traces() {
    let text = answers(0, &["triage", "tests/programs/atomics/flag_spinlock.c"]);
    assert!(text.starts_with("no races"), "{text}");
}

const BEGIN: &str = "<!-- planted: made by crates/cli/tests/triage.rs -->\n";
const END: &str = "<!-- planted: end -->\n";

#[test]
fn planted_bugs_come_first() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(root().join("tests/triage"))
        .unwrap()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort();
    assert!(files.len() >= 10);
    let mut table = String::from(
        "| program | reports | in first groups | place in triage order | in HB order | in order of lines |\n\
         |---|---:|---:|---:|---:|---:|\n",
    );
    let mut sums = [0; 5];
    for file in &files {
        let p = planted(file);
        assert_eq!(p.by_triage, 1, "{}: group 1 begins with the planted race", p.name);
        let numbers = [p.reports, p.first, p.by_triage, p.by_hb, p.by_line];
        sums.iter_mut().zip(numbers).for_each(|(sum, n)| *sum += n);
        table += &format!("| `{}` | {} |\n", p.name, numbers.map(|n| n.to_string()).join(" | "));
    }
    table += &format!("| all {} | {} |\n", files.len(), sums.map(|n| n.to_string()).join(" | "));
    let page = root().join("docs/triage.md");
    let text = std::fs::read_to_string(&page).expect("docs/triage.md");
    let (before, rest) = text.split_once(BEGIN).expect("the beginning of the table");
    let (shown, after) = rest.split_once(END).expect("the end of the table");
    if std::env::var_os("RACEPROOF_BLESS").is_some() {
        std::fs::write(&page, format!("{before}{BEGIN}{table}{END}{after}")).unwrap();
    } else {
        assert_eq!(shown, table, "docs/triage.md is out of date: RACEPROOF_BLESS=1 writes it");
    }
}
