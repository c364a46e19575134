//! Measures M2 and SyncP on a generated trace: time, peak memory, and the ratio to HB over the same events and to only
//! reading the same binary file. Each measurement runs in a process of its own, so that its peak memory is its own.
//!
//!     cargo run --release -p raceproof-predict --example m2_measure -- [MILLIONS OF EVENTS, default 1]

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use predict::{Kind, Options};
use trace::generate::{Generator, Parameters};
use trace::{Compression, Event, EventId, Format, Reader, Trace, Writer};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [what, path] = &args[..] {
        return measure(what, Path::new(path));
    }
    let millions: f64 = args.first().map_or(1.0, |n| n.parse().expect("a number of millions"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("trace");
    write(&path, (millions * 1e6) as u64);
    println!(
        "{:<8} {:>9} {:>9} {:>12} {:>9} {:>7} {:>9}",
        "", "reading", "analysis", "events/s", "peak MB", "races", "undecided"
    );
    for what in ["read", "load", "hb", "shb", "syncp", "m2"] {
        let output = Command::new(std::env::current_exe().expect("this program"))
            .args([what, path.to_str().expect("a UTF-8 path")])
            .output()
            .expect("a measurement");
        let text = String::from_utf8_lossy(&output.stdout);
        let fields: Vec<f64> = text.split_whitespace().filter_map(|f| f.parse().ok()).collect();
        let [reading, analysis, count, peak, races, undecided] = fields[..] else { panic!("{what}: {text}") };
        let rate = count / (reading + analysis);
        println!(
            "{what:<8} {reading:>9.2} {analysis:>9.2} {rate:>12.0} {peak:>9.0} {races:>7} {undecided:>9}"
        );
    }
}

fn write(path: &Path, events: u64) {
    let generator = Generator::new(Parameters { events, ..Parameters::default() });
    let names = generator.names();
    let file = BufWriter::new(File::create(path).expect("a new file"));
    let mut writer = Writer::new(file, Format::Binary, Compression::None, &names.threads).expect("a writer");
    for e in generator {
        writer.event(&e, &names).expect("space");
    }
    writer.finish(&names).expect("space");
}

/// `read` only reads, `load` keeps the events, an analysis runs over a stream or over the loaded trace as it needs.
fn measure(what: &str, path: &Path) {
    let start = Instant::now();
    let entry = predict::find(what);
    let mut reader = Reader::open(path).expect("a trace");
    let streaming = entry.and_then(|e| match e.kind {
        Kind::Streaming(start) => Some(start(&Options::default())),
        Kind::Whole(_) | Kind::Prepared(_) => None,
    });
    let (mut reading, mut races, mut undecided, mut analysis) = (0.0, 0, 0, 0.0);
    if what == "read" {
        while reader.next_event().expect("a valid trace").is_some() {}
        reading = start.elapsed().as_secs_f64();
    } else if let Some(mut streaming) = streaming {
        while let Some(e) = reader.next_event().expect("a valid trace") {
            streaming.event(EventId(reader.count() as u32 - 1), &e);
        }
        races = streaming.finish().races.len();
        analysis = start.elapsed().as_secs_f64();
    } else {
        let mut events: Vec<Event> = Vec::new();
        while let Some(e) = reader.next_event().expect("a valid trace") {
            events.push(e);
        }
        let trace = Trace { events, ..Trace::default() };
        reading = start.elapsed().as_secs_f64();
        let start = Instant::now();
        if let Some(entry) = entry {
            let answer = predict::run(&entry, &trace, &Options::default());
            (races, undecided) = (answer.races.len(), answer.undecided.len());
        }
        analysis = start.elapsed().as_secs_f64();
    }
    println!("{reading} {analysis} {} {} {races} {undecided}", reader.count(), peak_memory());
}

/// The most memory this process has had, in MB.
fn peak_memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with("VmHWM:")).unwrap_or("0 0");
    line.split_whitespace().nth(1).and_then(|n| n.parse::<f64>().ok()).unwrap_or(0.0) / 1e3
}
