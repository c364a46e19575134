//! Measures how far each engine of `check` comes as programs grow.
//!
//! ```text
//! cargo build --release -p raceproof
//! cargo run --release -p raceproof --example bench_proof growth      # programs that one run decides
//! cargo run --release -p raceproof --example bench_proof reach 60    # programs that it does not: how far in 60 s
//! cargo run --release -p raceproof --example bench_proof p1 60       # the programs that P1 section 3.4 describes
//! cargo run --release -p raceproof --example bench_proof symmetry 60 # identical threads: the race graph with and without their symmetry
//! cargo run --release -p raceproof --example bench_proof against OLD # programs that one run decides, beside another build
//! ```
//!
//! Every check is a process of its own, the release binary beside this program (but for `symmetry`, which calls the search). Seconds are
//! those that the report states without the compiler's.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const ENGINES: [&str; 3] = ["one-run", "race-graph", "lockset"];
/// Seconds that an engine gets in [`growth`].
const PATIENCE: u32 = 20;

/// What one engine says of one program.
struct Figures {
    verdict: String,
    states: u64,
    instructions: u64,
    seconds: f64,
    megabytes: u64,
}

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.first().map(String::as_str) {
        Some("growth") => growth(),
        Some("reach") => reach(args.get(1).map_or(Ok(60), |s| s.parse())?),
        Some("p1") => p1(args.get(1).map_or(Ok(60), |s| s.parse())?),
        Some("against") => against(Path::new(args.get(1).ok_or("expected the other build's binary")?)),
        Some("symmetry") => symmetry(args.get(1).map_or(Ok(60), |s| s.parse())?),
        _ => {
            Err("expected growth, reach [SECONDS], p1 [SECONDS], symmetry [SECONDS] or against BINARY".into())
        }
    }
}

fn check(program: &str, defines: &[String], engine: &str, limit: u32) -> Result<Figures> {
    check_with(program, defines, engine, limit, 2)
}

fn check_with(program: &str, defines: &[String], engine: &str, limit: u32, threads: u32) -> Result<Figures> {
    check_by(program, defines, engine, limit, (threads, None))
}

fn check_by(
    program: &str,
    defines: &[String],
    engine: &str,
    limit: u32,
    (threads, jobs): (u32, Option<u32>),
) -> Result<Figures> {
    check_with_binary(&binary()?, program, defines, engine, limit, (threads, jobs))
}

/// The binary that was built with this program.
fn binary() -> Result<PathBuf> {
    let exe = std::env::current_exe()?;
    let folder = exe.ancestors().nth(2).map(PathBuf::from).ok_or("no folder of binaries")?;
    Ok(folder.join("raceproof"))
}

fn check_with_binary(
    binary: &Path,
    program: &str,
    defines: &[String],
    engine: &str,
    limit: u32,
    (threads, jobs): (u32, Option<u32>),
) -> Result<Figures> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut command = Command::new(binary);
    command.arg("check").arg(root.join("bench/programs").join(program));
    command.args([
        "--threads",
        &threads.to_string(),
        "--format",
        "json",
        "--no-progress",
        "--engine",
        engine,
    ]);
    command.args(["--no-cache", "--time-limit", &limit.to_string()]);
    if let Some(jobs) = jobs {
        command.args(["--jobs", &jobs.to_string()]);
    }
    for define in defines {
        command.args(["--define", define]);
    }
    let output = command.output()?;
    let report: serde_json::Value = serde_json::from_slice(&output.stdout)
        .map_err(|e| format!("{program}: {e}: {}", String::from_utf8_lossy(&output.stderr)))?;
    let number = |name: &str| report["stats"][name].as_f64().unwrap_or(0.0);
    Ok(Figures {
        verdict: report["verdict"].as_str().unwrap_or("?").to_string(),
        states: number("states") as u64,
        instructions: number("instructions") as u64,
        seconds: number("seconds") - number("compile_seconds"),
        megabytes: number("peak_memory_bytes") as u64 >> 20,
    })
}

/// Programs that one run decides, with this build and another in turn: the least of three times each, and the ratio.
fn against(other: &Path) -> Result<()> {
    let programs: [(&str, &[&str], u32); 8] = [
        ("critical_sum.c", &["N=3000"], 4),
        ("striped_locks.c", &["N=10000"], 2),
        ("jacobi.c", &["SIZE=100", "STEPS=50"], 4),
        ("task_tree.c", &["N=10"], 3),
        ("product.c", &["N=40"], 2),
        ("product.c", &["N=40"], 4),
        ("../../tests/programs/openmp_kernels/game_of_life_ok.c", &[], 4),
        ("../../tests/programs/openmp_kernels/merge_sort_tasks_ok.c", &[], 4),
    ];
    println!("| program | threads | this build, s | the other, s | ratio | verdicts |");
    println!("|---|---:|---:|---:|---:|---|");
    let (mut sum, mut count) = (0.0, 0);
    for (program, defines, threads) in programs {
        let defines: Vec<String> = defines.iter().map(|d| (*d).to_owned()).collect();
        let (mut least, mut verdicts) = ([f64::INFINITY; 2], [String::new(), String::new()]);
        for _ in 0..3 {
            for (i, binary) in [binary()?, other.to_owned()].iter().enumerate() {
                let f = check_with_binary(binary, program, &defines, "one-run", 120, (threads, None))?;
                least[i] = least[i].min(f.seconds);
                verdicts[i] = f.verdict;
            }
        }
        let ratio = least[0] / least[1];
        (sum, count) = (sum + ratio.ln(), count + 1);
        let name = program.rsplit('/').next().unwrap_or(program).trim_end_matches(".c");
        println!(
            "| {name} {} | {threads} | {:.3} | {:.3} | {ratio:.2} | {} |",
            defines.join(" "),
            least[0],
            least[1],
            verdicts.join(", ")
        );
    }
    println!("geometric mean of the ratios: {:.2}", f64::exp(sum / f64::from(count)));
    Ok(())
}

/// Programs that one run decides, by size; and what the searches need while they can.
fn growth() -> Result<()> {
    let sums = [10, 30, 100, 300, 1000, 3000, 10000].map(|n| ("critical_sum.c", vec![format!("N={n}")]));
    let stripes = [10, 100, 1000, 10000].map(|n| ("striped_locks.c", vec![format!("N={n}")]));
    let sizes = [(20, 10), (50, 20), (100, 50)];
    let jacobi = sizes.map(|(n, s)| ("jacobi.c", vec![format!("SIZE={n}"), format!("STEPS={s}")]));
    let trees = [2, 4, 6, 8, 10].map(|n| ("task_tree.c", vec![format!("N={n}")]));
    println!("| program | engine | verdict | states | million instructions | seconds | MB |");
    println!("|---|---|---|---:|---:|---:|---:|");
    let mut given_up: Vec<(&str, &str)> = Vec::new();
    for (program, defines) in sums.into_iter().chain(stripes).chain(jacobi).chain(trees) {
        for engine in ENGINES {
            if given_up.contains(&(program, engine)) {
                continue;
            }
            let f = check(program, &defines, engine, PATIENCE)?;
            if f.verdict == "unknown" {
                given_up.push((program, engine));
            }
            let name = format!("{} {}", program.trim_end_matches(".c"), defines.join(" "));
            let millions = f.instructions as f64 / 1e6;
            println!(
                "| {name} | {engine} | {} | {} | {millions:.2} | {:.3} | {} |",
                f.verdict, f.states, f.seconds, f.megabytes
            );
        }
    }
    Ok(())
}

/// Programs that the schedule steers: the largest size that each engine decides.
/// As many rows at a time as there are cores, each search by one job.
fn reach(seconds: u32) -> Result<()> {
    println!("| program | threads | engine | largest N decided | states | seconds |");
    println!("|---|---:|---|---:|---:|---:|");
    let mut rows = Vec::new();
    for program in ["maximum.c", "work_queue.c", "atomic_slots.c", "spin_flags.c"] {
        for threads in [2, 3, 4] {
            for engine in ["auto", "race-graph", "lockset"] {
                rows.push((program, threads, engine));
            }
        }
    }
    let next = AtomicUsize::new(0);
    let done = Mutex::new((0, BTreeMap::new()));
    let work = || loop {
        let n = next.fetch_add(1, Ordering::Relaxed);
        let Some(&row) = rows.get(n) else { return };
        let text = reach_of(row, seconds).unwrap_or_else(|e| format!("| {} | {e} |", row.0));
        let mut done = done.lock().expect("nobody panics");
        done.1.insert(n, text);
        // In order, as far as they are there.
        while let Some(text) = {
            let n = done.0;
            done.1.remove(&n)
        } {
            println!("{text}");
            done.0 += 1;
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| (0..cores).for_each(|_| drop(scope.spawn(work))));
    Ok(())
}

fn reach_of((program, threads, engine): (&str, u32, &str), seconds: u32) -> Result<String> {
    let mut best: Option<(u32, Figures)> = None;
    let mut n = 2;
    while n <= 4096 {
        let defines = [format!("THREADS={threads}"), format!("N={n}")];
        let f = check_by(program, &defines, engine, seconds, (2, Some(1)))?;
        if f.verdict != "race-free" {
            break;
        }
        best = Some((n, f));
        n *= 2;
    }
    let name = program.trim_end_matches(".c");
    Ok(match best {
        Some((n, f)) => format!("| {name} | {threads} | {engine} | {n} | {} | {:.2} |", f.states, f.seconds),
        None => format!("| {name} | {threads} | {engine} | none | | |"),
    })
}

/// Programs whose threads are alike, searched by one core with and without their symmetry.
fn symmetry(seconds: u64) -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/programs");
    println!(
        "| program | threads | states with symmetry | seconds | states without | seconds | times fewer states |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|");
    for (program, size) in [("work_queue.c", "N=8"), ("atomic_slots.c", "N=4"), ("spin.c", "ROUNDS=2")] {
        for threads in 2..=5 {
            let options = frontend::Options {
                files: vec![root.join(program)],
                defines: vec![format!("THREADS={threads}"), size.into()],
                ..Default::default()
            };
            let module = frontend::compile(&options)?.module;
            let run = |symmetry| -> Result<(u64, String, String)> {
                let budget = base::Budget::of_time(std::time::Duration::from_secs(seconds));
                let config = explore::Config { symmetry, budget, ..explore::Config::default() };
                let start = std::time::Instant::now();
                let outcome = explore::check(&module, &config, &mut |_| {})?;
                let (states, whole) = (outcome.stats.states, outcome.unknown.is_empty());
                let time = format!("{:.2}", start.elapsed().as_secs_f64());
                Ok((states, if whole { states.to_string() } else { format!("> {states}") }, time))
            };
            let (with, without) = (run(true)?, run(false)?);
            let fewer = without.0 as f64 / with.0 as f64;
            let name = format!("{} {size}", program.trim_end_matches(".c"));
            println!(
                "| {name} | {threads} | {} | {} | {} | {} | {fewer:.1} |",
                with.1, with.2, without.1, without.2
            );
        }
    }
    Ok(())
}

/// The programs that section 3.4 of P1 describes in words: by threads and size until the time is up.
fn p1(seconds: u32) -> Result<()> {
    let sized = |name: &'static str, values: &[u32]| -> Vec<(u32, Vec<String>)> {
        values.iter().map(|v| (2, vec![format!("{name}={v}")])).collect()
    };
    let diffusion = || -> Vec<(u32, Vec<String>)> {
        let sizes = [(2, 100), (2, 1000), (4, 1000), (8, 1000)];
        sizes.iter().map(|(t, n)| (*t, vec![format!("N={n}"), "STEPS=10".to_string()])).collect()
    };
    let crowds = || -> Vec<(u32, Vec<String>)> {
        let sizes = [(1, 1, 1), (1, 1, 2), (2, 2, 1), (2, 2, 2), (3, 3, 1)];
        let names = |(p, c, n): &(u32, u32, u32)| {
            (p + c, vec![format!("PRODUCERS={p}"), format!("CONSUMERS={c}"), format!("EACH={n}")])
        };
        sizes.iter().map(names).collect()
    };
    let programs = [
        ("signal_lock", vec![(2, Vec::new())]),
        ("signal_critical", vec![(2, Vec::new())]),
        ("signal_atomic", vec![(2, Vec::new())]),
        ("barrier_locks", vec![(2, Vec::new())]),
        ("barrier_count", sized("ROUNDS", &[2, 4, 8, 16])),
        ("barrier_sense", sized("ROUNDS", &[2, 4, 8, 16])),
        ("diffusion_two_arrays", diffusion()),
        ("diffusion_one_array", diffusion()),
        ("producer_consumer", sized("ITEMS", &[3, 6, 12, 24])),
        ("producers_consumers", crowds()),
    ];
    println!(
        "| program | threads | bound | correct | states | seconds | with the error | states | seconds |"
    );
    println!("|---|---:|---|---|---:|---:|---|---:|---:|");
    for (name, sizes) in programs {
        for (threads, defines) in sizes {
            let paper = |ending: &str| format!("../../tests/programs/papers/p1_openmp_{name}{ending}.c");
            let right = check_with(&paper(""), &defines, "auto", seconds, threads)?;
            let wrong = check_with(&paper("_race"), &defines, "auto", seconds, threads)?;
            println!(
                "| {} | {threads} | {} | {} | {} | {:.2} | {} | {} | {:.2} |",
                name.replace('_', " "),
                defines.join(" "),
                right.verdict,
                right.states,
                right.seconds,
                wrong.verdict,
                wrong.states,
                wrong.seconds
            );
            if right.verdict == "unknown" {
                break;
            }
        }
    }
    Ok(())
}
