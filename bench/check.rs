//! Measures `check`: instructions a second of the interpreter, states a second and bytes per state of the search.
//!
//! ```text
//! cargo run --release -p raceproof --example bench_check            # everything
//! cargo run --release -p raceproof --example bench_check compute    # the interpreter beside native code
//! cargo run --release -p raceproof --example bench_check search     # the search
//! cargo run --release -p raceproof --example bench_check growth     # the search, by threads and rounds
//! cargo run --release -p raceproof --example bench_check engines    # the searches beside each other
//! cargo run --release -p raceproof --example bench_check case mutex.c THREADS=3 ROUNDS=20
//! ```
//!
//! The machine is usually not ours alone: every figure is the best of several runs, times of our own code are processor
//! time, and the interpreter is set beside the same program as clang -O0 compiles it, in the
//! same run. Every search runs in a process of its own, so that the memory of one does not hide in that of another.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use judge::schedule::{self, Point};
use machine::{Inputs, Machine, Mode, Program};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Programs in which one thread computes.
const COMPUTE: [&str; 6] = ["int_loop.c", "array_sum.c", "calls.c", "matmul.c", "list.c", "recorded.c"];
/// Programs for the search, with the sizes at which they have some hundred thousand states.
const SEARCH: [(&str, &[&str]); 8] = [
    ("mutex.c", &["THREADS=3", "ROUNDS=60"]),
    ("mutex.c", &["THREADS=4", "ROUNDS=16"]),
    ("locks.c", &["THREADS=3", "ROUNDS=20"]),
    ("locks.c", &["THREADS=4", "ROUNDS=9"]),
    ("condvar.c", &["THREADS=3", "ROUNDS=5"]),
    ("condvar.c", &["THREADS=4", "ROUNDS=3"]),
    ("spin.c", &["THREADS=3", "ROUNDS=50"]),
    ("spin.c", &["THREADS=4", "ROUNDS=12"]),
];
/// Runs of which the best counts.
const REPEAT: usize = 3;
/// The same for native runs, which are short and for which only wall-clock time is known.
const REPEAT_NATIVE: usize = 40;

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.first().map(String::as_str) {
        None => {
            compute(&COMPUTE)?;
            search()?;
            growth()
        }
        Some("compute") if args.len() > 1 => compute(&args[1..].iter().map(|s| &s[..]).collect::<Vec<_>>()),
        Some("compute") => compute(&COMPUTE),
        Some("search") => search(),
        Some("growth") => growth(),
        Some("engines") => engines(),
        Some("engine") if args.len() > 2 => engine(&args[1], &args[2], &args[3..]),
        Some("case") if args.len() > 1 => {
            let figures = case(&args[1], &args[2..])?;
            println!("{figures}");
            Ok(())
        }
        Some(other) => {
            Err(format!("expected compute, search, growth, engines or case FILE DEFINE.., not {other}")
                .into())
        }
    }
}

fn program(name: &str) -> PathBuf {
    let folder = if name.starts_with("p2_") { "tests/programs/papers" } else { "bench/programs" };
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder).join(name)
}

fn compile(name: &str, defines: &[String]) -> Result<ir::Module> {
    let options =
        frontend::Options { files: vec![program(name)], defines: defines.to_vec(), ..Default::default() };
    Ok(frontend::compile(&options)?.module)
}

/// Processor time of this thread, in seconds.
fn clock() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// The least of several measurements.
fn best<T>(times: usize, mut measure: impl FnMut() -> Result<(f64, T)>) -> Result<(f64, T)> {
    let mut least = measure()?;
    for _ in 1..times {
        let next = measure()?;
        if next.0 < least.0 {
            least = next;
        }
    }
    Ok(least)
}

// ---- the interpreter ----

/// Runs a single-threaded program to its end; gives seconds and instructions.
fn interpret(program: &Program, taint: bool) -> Result<(f64, u64)> {
    let mode = Mode { taint, ..Mode::default() };
    let mut machine = Machine::new(program, mode);
    let before = clock();
    loop {
        match schedule::settle(&mut machine, u64::MAX) {
            Point::Exited => break,
            Point::Paused => {}
            Point::Node => {
                let options = schedule::options(&machine);
                let first = options.alternatives.first().ok_or("the program is stuck")?;
                machine.perform(first.thread as usize, first.way).map_err(|s| format!("{s:?}"))?;
            }
            other => return Err(format!("the program does not run to its end: {other:?}").into()),
        }
    }
    Ok((clock() - before, machine.instructions))
}

/// The same program compiled by clang -O0; gives seconds.
fn native(name: &str) -> Result<f64> {
    let exe = std::env::temp_dir().join(format!("raceproof-bench-{}-{name}.exe", std::process::id()));
    let built =
        Command::new("clang-19").args(["-O0", "-pthread"]).arg(program(name)).arg("-o").arg(&exe).status()?;
    if !built.success() {
        return Err(format!("clang-19 does not compile {name}").into());
    }
    let measured = best(REPEAT_NATIVE, || {
        let start = Instant::now();
        Command::new(&exe).status()?;
        Ok((start.elapsed().as_secs_f64(), ()))
    });
    std::fs::remove_file(&exe)?;
    Ok(measured?.0)
}

fn compute(names: &[&str]) -> Result<()> {
    println!(
        "| program | million instructions | M/s, taint off | M/s, taint on | native -O0, ms | slower than native, off | on |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|");
    let (mut log_off, mut log_on) = (0.0, 0.0);
    for name in names {
        let module = compile(name, &[])?;
        let program = Program::load(&module, &Inputs { args: vec!["program".into()], threads: 1 })?;
        let (off, count) = best(REPEAT, || interpret(&program, false))?;
        let (on, _) = best(REPEAT, || interpret(&program, true))?;
        let peer = native(name)?;
        let rate = |seconds: f64| count as f64 / seconds / 1e6;
        log_off += rate(off).ln();
        log_on += rate(on).ln();
        println!(
            "| {} | {:.1} | {:.1} | {:.1} | {:.1} | {:.0}x | {:.0}x |",
            name.trim_end_matches(".c"),
            count as f64 / 1e6,
            rate(off),
            rate(on),
            peer * 1e3,
            off / peer,
            on / peer,
        );
    }
    let n = names.len() as f64;
    println!("| geometric mean | | {:.1} | {:.1} | | | |\n", (log_off / n).exp(), (log_on / n).exp());
    Ok(())
}

// ---- the search ----

/// What one search did.
struct Figures {
    states: u64,
    transitions: u64,
    depth: u64,
    instructions: u64,
    seconds: f64,
    /// Bytes that the search says it holds, at most.
    held: u64,
    /// By how much the process grew, at most.
    grown: u64,
}

impl std::fmt::Display for Figures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Figures { states, transitions, depth, instructions, seconds, held, grown } = self;
        write!(f, "{states} {transitions} {depth} {instructions} {seconds} {held} {grown}")
    }
}

impl std::str::FromStr for Figures {
    type Err = Box<dyn std::error::Error>;

    fn from_str(text: &str) -> Result<Figures> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let [states, transitions, depth, instructions, seconds, held, grown] = words[..] else {
            return Err(format!("expected seven figures, found {text:?}").into());
        };
        Ok(Figures {
            states: states.parse()?,
            transitions: transitions.parse()?,
            depth: depth.parse()?,
            instructions: instructions.parse()?,
            seconds: seconds.parse()?,
            held: held.parse()?,
            grown: grown.parse()?,
        })
    }
}

/// A figure of `/proc/self/status`, in bytes.
fn status(name: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|l| l.strip_prefix(name)).unwrap_or("");
    let kilobytes = line.trim_start_matches(':').trim().trim_end_matches(" kB");
    kilobytes.parse::<u64>().unwrap_or(0) * 1024
}

/// Searches one program in this process.
fn case(name: &str, defines: &[String]) -> Result<Figures> {
    let module = compile(name, defines)?;
    // Lets the system's high-water mark begin anew after the compiler.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let resident = status("VmRSS");
    let mut held = 0;
    let mut progress = |p: &explore::Progress| held = held.max(p.memory);
    let before = clock();
    let outcome = explore::check(&module, &explore::Config::default(), &mut progress)?;
    let seconds = clock() - before;
    let grown = status("VmHWM").saturating_sub(resident);
    if !outcome.races.is_empty() || !outcome.defects.is_empty() || !outcome.unknown.is_empty() {
        return Err(format!("{name} {defines:?} is not race-free: {outcome:?}").into());
    }
    let s = outcome.stats;
    Ok(Figures {
        states: s.states,
        transitions: s.transitions,
        depth: s.depth,
        instructions: s.instructions,
        seconds,
        held,
        grown,
    })
}

/// The best of several searches, each in a process of its own.
fn measure(name: &str, defines: &[&str]) -> Result<Figures> {
    let (_, figures) = best(REPEAT, || {
        let output = Command::new(std::env::current_exe()?).arg("case").arg(name).args(defines).output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
        }
        let figures: Figures = String::from_utf8(output.stdout)?.parse()?;
        Ok((figures.seconds, figures))
    })?;
    Ok(figures)
}

fn row(name: &str, defines: &[&str]) -> Result<f64> {
    let f = measure(name, defines)?;
    let rate = f.states as f64 / f.seconds;
    println!(
        "| {} {} | {} | {} | {} | {} | {:.3} | {:.0} | {:.0} | {:.0} | {:.0} |",
        name.trim_end_matches(".c"),
        defines.join(" "),
        f.states,
        f.transitions,
        f.depth,
        f.instructions,
        f.seconds,
        rate,
        f.transitions as f64 / f.seconds,
        f.held as f64 / f.states as f64,
        f.grown as f64 / f.states as f64,
    );
    Ok(rate)
}

fn heading() {
    println!(
        "| program | states | transitions | depth | instructions | seconds | states/s | transitions/s | bytes/state held | bytes/state grown |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
}

fn search() -> Result<()> {
    heading();
    let mut log = 0.0;
    for (name, defines) in SEARCH {
        log += row(name, defines)?.ln();
    }
    println!("| geometric mean | | | | | | {:.0} | | | |\n", (log / SEARCH.len() as f64).exp());
    Ok(())
}

fn growth() -> Result<()> {
    heading();
    for (name, threads, rounds) in [
        ("mutex.c", &[2, 3, 4, 5][..], &[2, 4, 8, 16][..]),
        ("locks.c", &[2, 3, 4], &[1, 2, 4]),
        ("condvar.c", &[1, 2, 3], &[1, 2, 4]),
        ("spin.c", &[2, 3, 4], &[2, 4, 8]),
    ] {
        for t in threads {
            for r in rounds {
                // Beyond this the table would take hours.
                if t * r <= 40 && !(*t == 5 && *r > 4) {
                    row(name, &[&format!("THREADS={t}"), &format!("ROUNDS={r}")])?;
                }
            }
        }
    }
    println!();
    Ok(())
}

// ---- the searches beside each other ----

/// Programs that the searches are compared on.
const ENGINES: [(&str, &[&str]); 14] = [
    ("mutex.c", &["THREADS=3", "ROUNDS=10"]),
    ("mutex.c", &["THREADS=4", "ROUNDS=4"]),
    ("locks.c", &["THREADS=3", "ROUNDS=6"]),
    ("locks.c", &["THREADS=4", "ROUNDS=3"]),
    ("condvar.c", &["THREADS=3", "ROUNDS=2"]),
    ("spin.c", &["THREADS=3", "ROUNDS=6"]),
    ("p2_indexer.c", &["THREADS=8"]),
    ("p2_file_system.c", &["THREADS=6"]),
    ("p2_file_system.c", &["THREADS=12"]),
    ("p2_independent_work_1.c", &[]),
    ("p2_independent_work_2.c", &[]),
    ("p2_halt_exception.c", &[]),
    ("p2_blink_tree_level.c", &[]),
    ("p2_io_manager.c", &[]),
];

/// How the searches are set.
const SETTINGS: [&str; 4] = ["all orders", "sleep sets", "lockset", "lockset, stateless"];

/// Searches one program in this process with one of the settings; prints a cell for each figure.
fn engine(setting: &str, name: &str, defines: &[String]) -> Result<()> {
    let module = compile(name, defines)?;
    let lockset = setting.starts_with("lockset");
    let config = explore::Config {
        engine: if lockset { explore::Engine::Lockset } else { explore::Engine::RaceGraph },
        sleep_sets: setting != "all orders",
        stateful: !setting.ends_with("stateless"),
        budget: base::Budget::of_time(std::time::Duration::from_secs(20)),
        ..explore::Config::default()
    };
    let before = clock();
    let outcome = explore::check(&module, &config, &mut |_| {})?;
    let seconds = clock() - before;
    if !outcome.races.is_empty() || !outcome.defects.is_empty() {
        return Err(format!("{name} {defines:?} is not race-free: {outcome:?}").into());
    }
    if outcome.unknown.is_empty() {
        let s = outcome.stats;
        println!("{} | {} | {} | {seconds:.3}", s.states, s.transitions, s.executions);
    } else {
        println!("more than {} | | | over 20", outcome.stats.states);
    }
    Ok(())
}

fn engines() -> Result<()> {
    println!("| program | search | states | transitions | paths | seconds |");
    println!("|---|---|---:|---:|---:|---:|");
    for (name, defines) in ENGINES {
        for setting in SETTINGS {
            let exe = std::env::current_exe()?;
            let output = Command::new(exe).args(["engine", setting, name]).args(defines).output()?;
            if !output.status.success() {
                return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
            }
            let cells = String::from_utf8(output.stdout)?;
            let program = format!("{} {}", name.trim_end_matches(".c"), defines.join(" "));
            println!("| {} | {setting} | {} |", program.trim_end(), cells.trim_end());
        }
    }
    println!();
    Ok(())
}
