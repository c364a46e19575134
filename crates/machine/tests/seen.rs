//! Functions of the machine's own read the program's memory with its shadow (`src/seen.rs`), and in no other way.

use std::fs;
use std::path::{Path, PathBuf};

/// Ways to a value in memory that leave its shadow behind, or let it be left behind.
const UNGUARDED: [&str; 4] = ["memory.load(", "memory.bytes(", "memory.shadow(", ".peek("];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let paths = entries.map(|e| e.expect("an entry").path());
    paths.filter(|p| p.extension().is_some_and(|e| e == "rs")).collect()
}

#[test]
fn library_functions_never_read_a_value_without_its_shadow() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = ["native", "sync", "omp"].map(|folder| sources(&root.join(folder))).concat();
    assert!(files.len() > 20, "the folders have moved");
    for file in files {
        let text = fs::read_to_string(&file).expect("a source");
        for (number, line) in text.lines().enumerate() {
            let way = UNGUARDED.iter().find(|way| line.contains(**way));
            assert!(way.is_none(), "{}:{}: read it through Machine::see", file.display(), number + 1);
        }
    }
}
