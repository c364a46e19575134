//! Programs whose verdict is known.

use std::path::{Path, PathBuf};
use std::time::Duration;

use oracle::case::{Case, Kind};
use oracle::generate::Size;
use oracle::memory::Flavour;

/// Random programs of each kind.
const RANDOM: u64 = 15;
/// Of programs without a defect, which show only what a mutant loses, one in so many.
const GOOD: usize = 3;

/// A program, compiled.
pub struct Program {
    /// Its path, or kind and seed.
    pub name: String,
    /// What the front end makes of it.
    pub module: ir::Module,
    /// Whether some execution has a race or another defect.
    pub bad: bool,
}

/// All programs below the folders, and random ones if asked for.
pub fn all(folders: &[PathBuf], with_random: bool) -> anyhow::Result<Vec<Program>> {
    let mut found = Vec::new();
    for folder in folders {
        let mut files = Vec::new();
        collect(folder, &mut files);
        files.sort();
        found.extend(files.iter().enumerate().filter_map(|(n, file)| stated(file, n % GOOD == 0)));
    }
    if with_random {
        random(&mut found)?;
    }
    Ok(found)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|e| e.path()) {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "c") {
            files.push(path);
        }
    }
}

/// A program with a header, or with its verdict in its name. Those with options are left out.
fn stated(file: &Path, good: bool) -> Option<Program> {
    let text = std::fs::read_to_string(file).ok()?;
    let values = |key: &str| -> Vec<String> {
        let start = format!("//@ {key}:");
        let lines = text.lines().filter_map(|l| l.strip_prefix(&start));
        lines.flat_map(|v| v.split_whitespace().map(String::from).collect::<Vec<_>>()).collect()
    };
    let name = file.to_string_lossy().into_owned();
    let said = values("verdict").first().cloned();
    let named =
        ["race", "defect", "free"].iter().find(|v| name.contains(&format!(".{v}."))).map(ToString::to_string);
    let verdict = said.or(named)?;
    if !values("options").is_empty() || verdict == "unknown" {
        return None;
    }
    let bad = verdict == "race" || verdict == "defect";
    if !bad && !good {
        return None;
    }
    let mut files = vec![file.to_path_buf()];
    files.extend(values("files").iter().map(|f| file.with_file_name(f)));
    let flags = values("flags");
    let budget = base::Budget::of_time(Duration::from_secs(30));
    let module =
        frontend::compile(&frontend::Options { files, flags, budget, ..Default::default() }).ok()?.module;
    Some(Program { name, module, bad })
}

/// Programs of the brute-force oracle, with its answers.
fn random(found: &mut Vec<Program>) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let kinds = [Kind::OpenMp, Kind::Threads].into_iter().chain(Flavour::EACH.into_iter().map(Kind::Memory));
    for kind in kinds {
        for seed in 0..RANDOM {
            let Some(case) = Case::draw(kind, seed, Size::Small, oracle::STATE_LIMIT / 10) else { continue };
            let outcome = case.outcome();
            if outcome.misuse {
                continue;
            }
            let file = folder.path().join("random.c");
            std::fs::write(&file, &case.printed().source)?;
            let Ok(done) = frontend::compile(&frontend::Options { files: vec![file], ..Default::default() })
            else {
                continue;
            };
            let bad = outcome.race || outcome.deadlock || outcome.assertion || !outcome.faults.is_empty();
            found.push(Program { name: format!("{kind:?} {seed}"), module: done.module, bad });
        }
    }
    Ok(())
}
