//! Time and memory of triage against events and apparent races: `cargo run --release -p raceproof-triage --example
//! bench_triage [MILLIONS OF EVENTS]` (default 10). What the columns mean is said in docs/triage.md.
//!
//! The traces: 8 threads that take one of 64 locks, read and write its variable, and give it back; at even distances two
//! threads write and read a variable of their own race, one right after the other. All values that are read may steer.

use trace::{Event, LocId, LockId, Op, ThreadId, Trace, VarId};
use triage::{EventControl, Options, View, triage};

const THREADS: u64 = 8;
const LOCKS: u64 = 64;

/// Steele, Lea and Flood's SplitMix.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }
}

fn generate(events: usize, races: usize) -> Trace {
    let mut random = Random(1);
    let mut trace = Trace::default();
    trace.events.reserve(events + 8);
    let mut push = |thread: u64, op: Op, location: u64| {
        trace.events.push(Event { thread: ThreadId(thread as u32), op, location: LocId(location as u32) });
        trace.events.len()
    };
    let (mut made, mut at) = (0, 0);
    while at < events {
        if made < races && at >= made * (events / races.max(1)) {
            let v = VarId((LOCKS + made as u64) as u32);
            let (a, b) = (random.below(THREADS), random.below(THREADS - 1));
            let b = if b >= a { b + 1 } else { b };
            push(a, Op::Write(v), 1000 + 2 * (made as u64 % 500));
            at = push(b, Op::Read(v), 1001 + 2 * (made as u64 % 500));
            made += 1;
            continue;
        }
        let (t, l) = (random.below(THREADS), random.below(LOCKS));
        let (lock, v) = (LockId(l as u32), VarId(l as u32));
        push(t, Op::Acquire(lock), 4 * l);
        for _ in 0..2 {
            push(t, Op::Read(v), 4 * l + 1);
            push(t, Op::Write(v), 4 * l + 2);
        }
        at = push(t, Op::Release(lock), 4 * l + 3);
    }
    trace
}

/// The processor time of this process, in seconds: the machine may be busy with other things.
fn processor_time() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let rest = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks: u64 = rest.split_whitespace().skip(11).take(2).filter_map(|t| t.parse::<u64>().ok()).sum();
    ticks as f64 / 100.0
}

/// The most memory since the last reset, in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) * 1024
}

fn main() {
    let millions: f64 = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(10.0);
    let most = (millions * 1e6) as usize;
    println!(
        "|   events |  races |     view |   nodes | first partitions | processor seconds | memory besides the trace |"
    );
    println!(
        "|---------:|-------:|---------:|--------:|-----------------:|------------------:|-------------------------:|"
    );
    for (part, races) in [(10, 10_000), (3, 10_000), (1, 100), (1, 1000), (1, 10_000)] {
        let trace = generate(most / part, races);
        for view in [View::Run, View::Accesses, View::Segments] {
            if view != View::Run && (part > 1 || races < 10_000) {
                continue;
            }
            let _ = std::fs::write("/proc/self/clear_refs", "5");
            let before = peak();
            let began = processor_time();
            let answer = triage(&trace, EventControl::Flow, Options { view, ..Options::default() });
            let seconds = processor_time() - began;
            let memory = peak().saturating_sub(before) / (1 << 20);
            let first = answer.partitions.iter().filter(|p| p.first).count();
            let (nodes, found) = (answer.size.nodes, answer.races.len());
            let name = format!("{view:?}").to_lowercase();
            println!(
                "| {:>8} | {found:>6} | {name:>8} | {nodes:>7} | {first:>16} | {seconds:>17.2} | {memory:>21} MB |",
                trace.len()
            );
        }
    }
}
