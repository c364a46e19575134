//! Measures the time from the start of `raceproof check` to its verdict on a program of fifty lines, and what of it is clang's.
//!
//! ```text
//! cargo build --release -p raceproof && cargo run --release -p raceproof --example bench_startup
//! ```
//!
//! Every figure is the best of several runs, since the machine is seldom ours alone. *total* is a whole process of raceproof,
//! without its cache; *clang* is the compiler's part, measured here with the same front end; *link* is linking with the models of the C
//! library and translation; *start* is a process that does nothing (`--version`). What is not clang's should stay under 100 ms.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs of which the best counts.
const REPEAT: usize = 15;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn best(mut run: impl FnMut() -> Result<Duration>) -> Result<Duration> {
    let mut best = run()?;
    for _ in 1..REPEAT {
        best = best.min(run()?);
    }
    Ok(best)
}

fn process(binary: &Path, arguments: &[&str]) -> Result<Duration> {
    let started = Instant::now();
    let status = Command::new(binary).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    let time = started.elapsed();
    match status.code() {
        Some(0 | 1) => Ok(time),
        other => Err(format!("{arguments:?} ended with {other:?}").into()),
    }
}

fn main() -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    // Beside this program: target/PROFILE/examples/bench_startup and target/PROFILE/raceproof.
    let here = std::env::current_exe()?;
    let binary: PathBuf = here.parent().and_then(Path::parent).ok_or("no folder")?.join("raceproof");
    println!("{:<28} {:>8} {:>8} {:>8} {:>8} {:>8}", "program", "total", "clang", "rest", "link", "start");
    let start = best(|| process(&binary, &["--version"]))?;
    for name in ["bench/programs/fifty_lines.c", "docs/examples/counter.c", "examples/counter.cpp"] {
        let file = root.join(name);
        let shown = file.to_str().ok_or("a name")?;
        let total = best(|| process(&binary, &["check", shown, "--no-cache", "--no-progress"]))?;
        let options = frontend::Options { files: vec![file.clone()], ..frontend::Options::default() };
        let clang = best(|| Ok(frontend::units(&options)?.time))?;
        let link = best(|| {
            let units = frontend::units(&options)?;
            let started = Instant::now();
            frontend::program(units, &[])?;
            Ok(started.elapsed())
        })?;
        let rest = total.saturating_sub(clang);
        let ms = |time: Duration| format!("{:.0} ms", time.as_secs_f64() * 1e3);
        println!(
            "{name:<28} {:>8} {:>8} {:>8} {:>8} {:>8}",
            ms(total),
            ms(clang),
            ms(rest),
            ms(link),
            ms(start)
        );
    }
    Ok(())
}
