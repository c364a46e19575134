//! Trace files of the command line: opening with good words for what can go wrong, and writing in the form asked for.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use trace::check::RuleError;
use trace::{Compression, Error, Format, Origin, Reader, Trace};

use crate::args::{Compress, Form, OutArgs};

/// The name of standard input and output.
const STANDARD: &str = "-";

/// A trace file, or standard input for `-`.
pub fn open(path: &Path) -> Result<Reader<'static>> {
    open_until(path, None)
}

/// The same; a source that may have to be waited for (a pipe) gives up at the deadline.
pub fn open_until(path: &Path, deadline: Option<Instant>) -> Result<Reader<'static>> {
    let reader = if path.as_os_str() == STANDARD {
        Reader::new(Patient::until(io::stdin(), deadline))
    } else {
        let file = File::open(path).with_context(|| format!("cannot read `{}`", path.display()))?;
        let meta = file.metadata();
        let bytes = meta.as_ref().map_or(0, |meta| if meta.is_file() { meta.len() } else { 0 });
        let kind = meta.map(|meta| meta.file_type());
        if kind.as_ref().is_ok_and(|kind| kind.is_dir()) {
            bail!("cannot read `{}`: expected a trace, found a folder", path.display());
        }
        if crate::commands::recorded::is_recording(path) {
            let bytes = crate::commands::recorded::as_trace(path)?;
            return Reader::new(io::Cursor::new(bytes)).map_err(|error| refused(path, error));
        }
        let deadline = deadline.filter(|_| !kind.is_ok_and(|kind| kind.is_file()));
        Reader::new(Patient::until(file, deadline)).map(|reader| reader.expecting(bytes))
    };
    reader.map_err(|error| refused(path, error))
}

/// A source of bytes that is waited for only until a deadline.
enum Patient<R> {
    /// Without one.
    Forever(R),
    /// A thread of its own reads and sends pieces. After the deadline it is left alone.
    Until { deadline: Instant, pieces: Receiver<io::Result<Vec<u8>>>, piece: io::Cursor<Vec<u8>> },
}

impl<R: Read + Send + 'static> Patient<R> {
    fn until(mut source: R, deadline: Option<Instant>) -> Patient<R> {
        let Some(deadline) = deadline else { return Patient::Forever(source) };
        let (send, pieces) = sync_channel(4);
        std::thread::spawn(move || {
            loop {
                let mut piece = vec![0; 1 << 18];
                let read = source.read(&mut piece);
                if read.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::Interrupted) {
                    continue;
                }
                let ends = !read.as_ref().is_ok_and(|&count| count > 0);
                let piece = read.map(|count| {
                    piece.truncate(count);
                    piece
                });
                if send.send(piece).is_err() || ends {
                    return;
                }
            }
        });
        Patient::Until { deadline, pieces, piece: io::Cursor::default() }
    }
}

impl<R: Read> Read for Patient<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let (deadline, pieces, piece) = match self {
            Patient::Forever(source) => return source.read(buffer),
            Patient::Until { deadline, pieces, piece } => (*deadline, pieces, piece),
        };
        if piece.position() == piece.get_ref().len() as u64 {
            let left = deadline.saturating_duration_since(Instant::now());
            *piece = match pieces.recv_timeout(left) {
                Ok(next) => io::Cursor::new(next?),
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
                Err(RecvTimeoutError::Timeout) => {
                    return Err(io::Error::new(io::ErrorKind::TimedOut, "the time limit was reached"));
                }
            };
        }
        piece.read(buffer)
    }
}

/// What to say of a trace that cannot be read.
pub fn refused(path: &Path, error: Error) -> anyhow::Error {
    let name =
        if path.as_os_str() == STANDARD { "standard input".into() } else { path.display().to_string() };
    match error {
        Error::Read(error) => anyhow!("{name}: {error}"),
        Error::Rule(error) => anyhow!("{name}: {error}\n(--repair leaves such events out)"),
    }
}

/// Reads a whole trace, or what comes before the deadline; also what the file says of its making if that can be true, and
/// whether the deadline ended it.
pub fn read_until(
    mut reader: Reader<'_>,
    path: &Path,
    deadline: Option<Instant>,
    repair: bool,
    progress: &mut dyn FnMut(u64),
) -> Result<(Trace, Option<Origin>, bool)> {
    const BATCH: usize = 1 << 16;
    let mut events = Vec::new();
    let stopped = loop {
        match reader.next_batch(&mut events, BATCH) {
            Ok(0) => break false,
            Ok(_) => progress(reader.count()),
            Err(Error::Read(error)) if error.is_timeout() => break true,
            Err(error) if repair && !events.is_empty() => {
                tell_torn(path, error);
                break false;
            }
            Err(error) => return Err(refused(path, error)),
        }
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            break true;
        }
    };
    let origin = reader.origin().cloned();
    let trace = Trace { events, names: reader.into_names() };
    let origin = origin.filter(|origin| origin.holds(&trace));
    Ok((trace, origin, stopped))
}

/// Reads a whole trace without the events that break the rules of a run, and says which these were.
pub fn read_repaired(reader: Reader<'_>, path: &Path) -> Result<(Trace, Vec<RuleError>)> {
    let (trace, ..) = read_until(reader.unchecked(), path, None, true, &mut |_| ())?;
    repaired(&trace, path)
}

/// Says on standard error that a trace is read only up to a place: a crash tears the end off.
fn tell_torn(path: &Path, error: Error) {
    let why = refused(path, error);
    eprintln!("note: what comes after this is left out: {why}");
}

/// A trace without the events that break the rules of a run, and which these were.
pub fn repaired(trace: &Trace, path: &Path) -> Result<(Trace, Vec<RuleError>)> {
    let (trace, left_out) = trace::check::repair(trace);
    if trace.is_empty() {
        bail!("{}: no event is left after the repair", path.display());
    }
    Ok((trace, left_out))
}

/// Says on standard error which events were left out, the first ones one by one.
pub fn tell_left_out(left_out: &[RuleError]) {
    const MOST: usize = 10;
    for error in left_out.iter().take(MOST) {
        eprintln!("left out: {error}");
    }
    if left_out.len() > MOST {
        eprintln!("left out: {} more events", left_out.len() - MOST);
    }
}

/// Says on standard error which threads are forked and never run, and which run and were never forked, besides the first
/// one. A trace without any fork says nothing of that.
pub fn tell_odd_threads(trace: &Trace) {
    let (never_run, never_forked) = trace::info::odd_threads(trace);
    let named = |threads: &[trace::ThreadId]| {
        let names: Vec<_> = threads.iter().take(10).map(|t| trace.names.thread(*t).into_owned()).collect();
        let more = if threads.len() > names.len() { ", ..." } else { "" };
        names.join(", ") + more
    };
    if !never_run.is_empty() {
        eprintln!("note: forked, but without any event: {}", named(&never_run));
    }
    if !never_forked.is_empty() {
        eprintln!("note: never forked, so taken to run from the beginning: {}", named(&never_forked));
    }
}

/// A name of the trace by its number, or an error with a similar name.
pub fn find_name(names: &[String], kind: &str, name: &str) -> Result<u32> {
    if let Some(index) = names.iter().position(|n| n == name) {
        return Ok(index as u32);
    }
    let near = names.iter().map(|n| (distance(n, name), n)).min();
    match near {
        Some((far, near)) if far <= name.chars().count() / 3 => {
            bail!("the trace has no {kind} `{name}`; did you mean `{near}`?")
        }
        _ => bail!("the trace has no {kind} `{name}`"),
    }
}

/// How many letters must be changed, added or taken away to make one word of the other.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// In which form a file is to be written: as asked for, else by its name.
pub fn form(out: &OutArgs) -> Result<(Format, Compression)> {
    let name = out.file.file_name().map(|n| n.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let (name, wrapped) = if let Some(name) = name.strip_suffix(".gz") {
        (name, Compression::Gzip)
    } else if let Some(name) = name.strip_suffix(".zst") {
        (name, Compression::Zstd)
    } else {
        (&name[..], Compression::None)
    };
    let by_name = match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("std" | "txt") => Some(Format::Std),
        Some("csv") => Some(Format::Csv),
        Some("rpt" | "bin") => Some(Format::Binary),
        _ => None,
    };
    let asked = out.form.map(|form| match form {
        Form::Std => Format::Std,
        Form::Csv => Format::Csv,
        Form::Binary => Format::Binary,
    });
    let Some(format) = asked.or(by_name) else {
        bail!(
            "cannot tell the form from the name `{}`: expected .std, .txt, .csv, .rpt or .bin (with .gz or .zst after \
             it), or --form",
            out.file.display()
        );
    };
    let compression = match out.compress {
        None => wrapped,
        Some(Compress::None) => Compression::None,
        Some(Compress::Gzip) => Compression::Gzip,
        Some(Compress::Zstd) => Compression::Zstd,
    };
    Ok((format, compression))
}

/// A file under way. Until [`OutFile::keep`] it has another name, so that what was there before stays if something fails.
pub struct OutFile {
    out: Box<dyn Write>,
    /// The name under way and the final one.
    rename: Option<(PathBuf, PathBuf)>,
}

impl OutFile {
    /// Begins a file, or standard output for `-`.
    pub fn create(path: &Path) -> Result<OutFile> {
        if path.as_os_str() == STANDARD {
            return Ok(OutFile { out: Box::new(io::stdout()), rename: None });
        }
        crate::output::check_writable("OUT", Some(path))?;
        let context = || format!("cannot write `{}`", path.display());
        if path.symlink_metadata().is_ok_and(|meta| !meta.is_file()) {
            // A device, a pipe, a link: write where it leads.
            let out = File::create(path).with_context(context)?;
            return Ok(OutFile { out: Box::new(out), rename: None });
        }
        let mut partial = path.file_name().unwrap_or_default().to_owned();
        partial.push(format!(".partial-{}", std::process::id()));
        let partial = path.with_file_name(partial);
        let out = File::create(&partial).with_context(context)?;
        Ok(OutFile { out: Box::new(out), rename: Some((partial, path.to_owned())) })
    }

    /// Gives the complete file its name.
    pub fn keep(mut self) -> Result<()> {
        self.out.flush().context("cannot write the trace")?;
        if let Some((partial, path)) = self.rename.take() {
            std::fs::rename(&partial, &path).with_context(|| format!("cannot write `{}`", path.display()))?;
        }
        Ok(())
    }
}

impl Write for OutFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Drop for OutFile {
    fn drop(&mut self) {
        if let Some((partial, _)) = &self.rename {
            // Nothing more can be done if it stays.
            let _ = std::fs::remove_file(partial);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_follow_from_names() {
        let form = |file: &str| {
            form(&OutArgs { file: file.into(), form: None, compress: None })
                .map_err(|error| error.to_string())
        };
        assert_eq!(form("a.std").unwrap(), (Format::Std, Compression::None));
        assert_eq!(form("b/a.CSV.GZ").unwrap(), (Format::Csv, Compression::Gzip));
        assert_eq!(form("a.rpt.zst").unwrap(), (Format::Binary, Compression::Zstd));
        assert!(form("a.gz").unwrap_err().contains("--form"));
        assert!(form("-").unwrap_err().contains("--form"));
    }

    #[test]
    fn near_names_are_offered() {
        let names = ["counter", "queue", "x"].map(str::to_owned);
        assert_eq!(find_name(&names, "variable", "x").unwrap(), 2);
        let error = |name| find_name(&names, "variable", name).unwrap_err().to_string();
        assert_eq!(error("countr"), "the trace has no variable `countr`; did you mean `counter`?");
        assert_eq!(error("something"), "the trace has no variable `something`");
    }
}
