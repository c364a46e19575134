//! Measures reading and the streaming analyses on a generated trace: processor time, events a second, peak memory, and the
//! ratio to only reading the same file. Each measurement runs in a process of its own, so that its peak memory is its own.
//!
//! ```text
//! throughput [MILLIONS]         all measurements on so many million events (10)
//! throughput FILE MILLIONS      only writes such a trace in binary form
//! throughput ANALYSIS FILE      one measurement: seconds, events, peak MB, races
//! ```

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::process::Command;

use predict::{Kind, Options};
use trace::generate::{Generator, Parameters};
use trace::{Compression, EventId, Format, Reader, Writer};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [path, millions] = &args[..]
        && let Ok(millions) = millions.parse::<f64>()
    {
        return write(Path::new(path), Format::Binary, Compression::None, (millions * 1e6) as u64);
    }
    if let [what, path] = &args[..] {
        return measure(what, Path::new(path));
    }
    let millions: f64 = args.first().map_or(10.0, |n| n.parse().expect("a number of millions"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let events = (millions * 1e6) as u64;
    let forms = [("std", Format::Std, Compression::None), ("binary", Format::Binary, Compression::None)];
    let gzip = [("std.gz", Format::Std, Compression::Gzip)];
    println!("{:<22} {:>9} {:>12} {:>7} {:>9}", "", "seconds", "events/s", "ratio", "peak MB");
    for (name, format, compression) in forms.into_iter().chain(gzip) {
        let path = folder.path().join(name);
        write(&path, format, compression, events);
        let size = std::fs::metadata(&path).expect("a file").len();
        println!("{name}: {events} events, {:.1} MB", size as f64 / 1e6);
        let mut reading = 0.0;
        let analyses: &[&str] = match name {
            "std.gz" => &["read"],
            _ => &["read", "hb", "shb", "wcp", "dc", "eraser", "goldilocks"],
        };
        for what in analyses {
            let output = Command::new(std::env::current_exe().expect("this program"))
                .args([*what, path.to_str().expect("a UTF-8 path")])
                .output()
                .expect("a measurement");
            let text = String::from_utf8_lossy(&output.stdout);
            let fields: Vec<f64> = text.split_whitespace().filter_map(|f| f.parse().ok()).collect();
            let [seconds, count, peak, races] = fields[..] else { panic!("{what}: {text}") };
            if *what == "read" {
                reading = seconds;
            }
            let rate = count / seconds;
            println!(
                "  {what:<20} {seconds:>9.2} {rate:>12.0} {:>7.2} {peak:>9.0}   {races} races",
                seconds / reading
            );
        }
    }
}

fn write(path: &Path, format: Format, compression: Compression, events: u64) {
    let generator = Generator::new(Parameters { events, ..Parameters::default() });
    let names = generator.names();
    let file = BufWriter::new(File::create(path).expect("a new file"));
    let mut writer = Writer::new(file, format, compression, &names.threads).expect("a writer");
    for e in generator {
        writer.event(&e, &names).expect("space");
    }
    writer.finish(&names).expect("space");
}

fn measure(what: &str, path: &Path) {
    let mut analysis = predict::find(what).map(|entry| match entry.kind {
        Kind::Streaming(start) => start(&Options::default()),
        Kind::Whole(_) | Kind::Prepared(_) => {
            let trace = trace::read::read_file(path).expect("a trace");
            let entry = predict::find(what).expect("it was found");
            let answer = predict::run(&entry, &trace, &Options::default());
            println!("{} {} {} {}", processor_time(), trace.len(), peak_memory(), answer.races.len());
            std::process::exit(0)
        }
    });
    let mut reader = Reader::open(path).expect("a trace");
    let mut batch = Vec::new();
    loop {
        let first = EventId(reader.count() as u32);
        batch.clear();
        if reader.next_batch(&mut batch, 4096).expect("a valid trace") == 0 {
            break;
        }
        if let Some(analysis) = &mut analysis {
            analysis.events(first, &batch);
        }
    }
    let count = reader.count();
    let races = analysis.map_or(0, |a| a.finish().races.len());
    println!("{} {count} {} {races}", processor_time(), peak_memory());
}

/// The processor time that this process has used, in seconds: wall-clock time says little on a busy machine.
fn processor_time() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<f64> = stat.split_whitespace().skip(13).take(2).filter_map(|f| f.parse().ok()).collect();
    fields.iter().sum::<f64>() / 100.0
}

/// The most memory this process has had, in MB.
fn peak_memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with("VmHWM:")).unwrap_or("0 0");
    line.split_whitespace().nth(1).and_then(|n| n.parse::<f64>().ok()).unwrap_or(0.0) / 1e3
}
