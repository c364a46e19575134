//! What the proof says of C and C++ files: `cargo run --release -p raceproof-prove --example prove -- FILE...`.

use std::path::PathBuf;
use std::time::Instant;

fn main() {
    let mut flags = Vec::new();
    let mut files = Vec::new();
    for arg in std::env::args().skip(1) {
        if arg.starts_with('-') { flags.push(arg) } else { files.push(PathBuf::from(arg)) }
    }
    for file in files {
        let options =
            frontend::Options { files: vec![file.clone()], flags: flags.clone(), ..Default::default() };
        let compiled = match frontend::compile(&options) {
            Ok(compiled) => compiled,
            Err(e) => {
                println!("{}: {e}", file.display());
                continue;
            }
        };
        let started = Instant::now();
        let proof = prove::check(&compiled.module, &explore::Config::default(), &mut |_| {});
        let seconds = started.elapsed().as_secs_f64();
        let text = match proof {
            Ok(prove::Proof::Proved { assumptions, stats, .. }) => {
                format!("proved {} instructions, {assumptions:?}", stats.instructions)
            }
            Ok(prove::Proof::Race { outcome, complete }) => {
                let line = |a: &base::Access| a.place.line;
                let races: Vec<_> =
                    outcome.races.iter().map(|r| (&r.variable, line(&r.first), line(&r.second))).collect();
                format!("race complete={complete} {races:?} {:?}", outcome.unknown)
            }
            Ok(prove::Proof::Sensitive { place, reason }) => {
                format!("sensitive {:?} {reason:?}", place.map(|p| p.line))
            }
            Ok(prove::Proof::Undecided { place, reason }) => {
                format!("undecided {:?} {reason:?}", place.map(|p| p.line))
            }
            Err(e) => format!("{e}"),
        };
        println!("{}: {text} ({seconds:.2} s)", file.display());
    }
}
