//! The table of OpenMP constructs in `docs/openmp.md`: every program that it names is there, and every row that says
//! that something works has a program with a race and one without. (That they are answered rightly is for
//! `programs.rs`.)

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The cells of the rows of the table, without its heading.
fn rows(text: &str) -> Vec<Vec<String>> {
    let table = text.split("## Constructs and clauses").nth(1).expect("the section with the table");
    let lines =
        table.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    lines.skip(2).map(cells).collect()
}

/// The programs that a name of the table stands for.
fn programs(name: &str) -> Vec<PathBuf> {
    let folder = root().join("tests/programs/openmp");
    let files = ["", "_ok", "_race"]
        .iter()
        .flat_map(|end| ["c", "cpp"].map(|kind| folder.join(format!("{name}{end}.{kind}"))));
    files.filter(|file| file.exists()).collect()
}

fn has_verdict(file: &Path, verdict: &str) -> bool {
    header::Header::of(file).verdict == verdict
}

#[test]
fn every_row_has_its_programs() {
    let text = std::fs::read_to_string(root().join("docs/openmp.md")).expect("docs/openmp.md");
    let rows = rows(&text);
    assert!(rows.len() > 60, "the table has shrunk to {} rows", rows.len());
    let mut wrong = Vec::new();
    for row in &rows {
        let [construct, clauses, supported, tests] = &row[..] else { panic!("not four cells: {row:?}") };
        let names: Vec<&str> = tests.split('`').skip(1).step_by(2).collect();
        wrong.extend(names.iter().filter(|n| programs(n).is_empty()).map(|n| format!("no program `{n}`")));
        let files: Vec<PathBuf> = names.iter().flat_map(|name| programs(name)).collect();
        let works = supported.starts_with("yes") || supported.starts_with("partly");
        for verdict in ["race", "race-free"] {
            if works && !files.iter().any(|file| has_verdict(file, verdict)) {
                wrong.push(format!("no {verdict} program for {construct} {clauses}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
