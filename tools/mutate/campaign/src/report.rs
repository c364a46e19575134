//! Counts what came of the mutants.

use std::collections::BTreeMap;

/// The classes, in the order of the table.
const CLASSES: [&str; 8] = ["wrong", "forged", "looser", "false", "crash", "stricter", "same", "unseen"];

/// Prints a table of files and classes, and how often which check stands behind the proof.
pub fn report(results: &str) -> anyhow::Result<()> {
    let text = std::fs::read_to_string(results)?;
    let mut files: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    let mut behind: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    // What was tried again counts.
    let id = |line: &str| line.split('\t').next().and_then(|id| id.parse::<u32>().ok());
    let last: BTreeMap<_, &str> = text.lines().map(|line| (id(line), line)).collect();
    for line in last.into_values() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [_, class, caught, _, file, ..] = fields[..] else { continue };
        let krate = file.split('/').nth(1).unwrap_or(file);
        for key in [file, krate] {
            *files.entry(key).or_default().entry(class).or_default() += 1;
        }
        if class == "wrong" {
            *behind.entry((krate, caught)).or_default() += 1;
        }
    }
    println!("| file | mutants | {} |", CLASSES.join(" | "));
    println!("|---|---|{}", "---|".repeat(CLASSES.len()));
    for (file, counts) in files {
        let row: Vec<String> =
            CLASSES.iter().map(|c| counts.get(c).map_or("-".into(), ToString::to_string)).collect();
        println!("| {file} | {} | {} |", counts.values().sum::<usize>(), row.join(" | "));
    }
    for ((krate, caught), count) in behind {
        println!("{krate}: {count} wrong, {caught}");
    }
    Ok(())
}
