//! Measures the time from the start of `raceproof check` to its verdict on a program of fifty lines, and what of it is clang's.
//!
//! ```text
//! cargo build --release -p raceproof && cargo run --release -p raceproof --example bench_startup
//! cargo run -p raceproof --example bench_startup target/release/raceproof      # another raceproof than the one beside it
//! ```
//!
//! *total* is a whole process of raceproof, without its cache; *clang* is the compiler's part, measured here with the same front
//! end; *rest* is what is not clang's and should stay under 100 ms; *start* is a process that does nothing (`--version`). The first
//! table is wall-clock time, the best of several runs; the second is processor time, the mean of the same runs, for machines that are
//! not ours alone.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How often everything is run.
const REPEAT: u32 = 20;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Wall-clock time, the best, and processor time of processes, the mean.
struct Times {
    wall: Duration,
    processor: Duration,
}

fn measure(mut run: impl FnMut() -> Result<Duration>) -> Result<Times> {
    let before = of_children()?;
    let mut wall = run()?;
    for _ in 1..REPEAT {
        wall = wall.min(run()?);
    }
    Ok(Times { wall, processor: (of_children()? - before) / REPEAT })
}

/// The processor time of all processes that this one has started and waited for, and of theirs: proc(5), fields 16 and 17.
fn of_children() -> Result<Duration> {
    let text = std::fs::read_to_string("/proc/self/stat")?;
    let (_, rest) = text.rsplit_once(')').ok_or("no name")?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let ticks = |index: usize| -> Result<u64> { Ok(fields.get(index).ok_or("no field")?.parse()?) };
    // The fields after the name begin with the third; a tick is a hundredth of a second.
    Ok(Duration::from_millis((ticks(13)? + ticks(14)?) * 10))
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
    let beside = here.parent().and_then(Path::parent).ok_or("no folder")?.join("raceproof");
    let binary = std::env::args_os().nth(1).map_or(beside, PathBuf::from);
    let start = measure(|| process(&binary, &["--version"]))?;
    let mut tables = [String::new(), String::new()];
    for name in ["bench/programs/fifty_lines.c", "docs/examples/counter.c", "examples/counter.cpp"] {
        let file = root.join(name);
        let shown = file.to_str().ok_or("a name")?;
        let total = measure(|| process(&binary, &["check", shown, "--no-cache", "--no-progress"]))?;
        let options = frontend::Options { files: vec![file.clone()], ..frontend::Options::default() };
        let clang = measure(|| Ok(frontend::units(&options)?.time))?;
        let of: [fn(&Times) -> Duration; 2] = [|times| times.wall, |times| times.processor];
        for (table, of) in tables.iter_mut().zip(of) {
            let ms = |time: Duration| format!("{:.0} ms", time.as_secs_f64() * 1e3);
            let (total, clang) = (of(&total), of(&clang));
            let rest = total.saturating_sub(clang);
            let row = format!(
                "{name:<30} {:>9} {:>9} {:>9} {:>9}\n",
                ms(total),
                ms(clang),
                ms(rest),
                ms(of(&start))
            );
            table.push_str(&row);
        }
    }
    for (name, table) in ["wall-clock time", "processor time"].iter().zip(tables) {
        println!("{name:<30} {:>9} {:>9} {:>9} {:>9}\n{table}", "total", "clang", "rest", "start");
    }
    Ok(())
}
