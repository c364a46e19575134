//! Writing of traces in all forms, as a stream.

use std::io::{self, Write};

use crate::binary::Encoder;
use crate::event::{Event, EventId, Names, Op, ThreadId, Trace};
use crate::origin::Origin;
use crate::read::Format;

/// What is put around the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Compression {
    /// Nothing.
    #[default]
    None,
    /// gzip.
    Gzip,
    /// zstd.
    Zstd,
}

enum Out<W: Write> {
    Plain(io::BufWriter<W>),
    Gzip(flate2::write::GzEncoder<W>),
    Zstd(zstd::stream::write::Encoder<'static, W>),
}

impl<W: Write> Out<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Out::Plain(w) => w.write_all(bytes),
            Out::Gzip(w) => w.write_all(bytes),
            Out::Zstd(w) => w.write_all(bytes),
        }
    }

    fn finish(self) -> io::Result<W> {
        match self {
            Out::Plain(w) => w.into_inner().map_err(io::IntoInnerError::into_error),
            Out::Gzip(w) => w.finish(),
            Out::Zstd(w) => w.finish(),
        }
    }
}

/// Writes a trace event by event. Call [`Writer::finish`] at the end.
pub struct Writer<W: Write> {
    out: Out<W>,
    format: Format,
    encoder: Encoder,
    text: Vec<u8>,
    /// Columns of CSV.
    columns: usize,
}

impl<W: Write> Writer<W> {
    /// Starts a file. CSV needs to know all threads before the first event: pass them in `threads` (else empty).
    pub fn new(
        out: W,
        format: Format,
        compression: Compression,
        threads: &[String],
    ) -> io::Result<Writer<W>> {
        let out = match compression {
            Compression::None => Out::Plain(io::BufWriter::with_capacity(1 << 16, out)),
            Compression::Gzip => {
                Out::Gzip(flate2::write::GzEncoder::new(out, flate2::Compression::default()))
            }
            Compression::Zstd => Out::Zstd(zstd::stream::write::Encoder::new(out, 3)?),
        };
        let columns = threads.len();
        let mut writer = Writer { out, format, encoder: Encoder::default(), text: Vec::new(), columns };
        match format {
            Format::Std => {}
            Format::Binary => writer.out.write(&Encoder::header())?,
            Format::Csv => {
                for thread in threads {
                    quote(&mut writer.text, thread);
                    writer.text.push(b',');
                }
                writer.text.extend_from_slice(b"location\n");
                writer.flush_text()?;
            }
        }
        Ok(writer)
    }

    /// Says that this is a whole run of the machine. To be called before the first event.
    pub fn origin(&mut self, origin: &Origin) -> io::Result<()> {
        match self.format {
            Format::Binary => {
                for block in Encoder::origin(origin)? {
                    self.out.write(&block)?;
                }
                Ok(())
            }
            Format::Std | Format::Csv => self.out.write(origin.text().as_bytes()),
        }
    }

    /// Writes the next event.
    pub fn event(&mut self, e: &Event, names: &Names) -> io::Result<()> {
        match self.format {
            Format::Binary => {
                if self.encoder.event(e) {
                    self.out.write(&self.encoder.block(names)?)?;
                }
                return Ok(());
            }
            Format::Std => {
                self.text.extend_from_slice(names.thread(e.thread).as_bytes());
                self.text.push(b'|');
                operation(&mut self.text, e.op, names);
                self.text.push(b'|');
                self.text.extend_from_slice(names.location(e.location).as_bytes());
            }
            Format::Csv => self.row(e, names)?,
        }
        self.text.push(b'\n');
        if self.text.len() > 1 << 15 { self.flush_text() } else { Ok(()) }
    }

    fn row(&mut self, e: &Event, names: &Names) -> io::Result<()> {
        if e.thread.index() >= self.columns {
            let text = format!("thread {} has no column", names.thread(e.thread));
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        for column in 0..self.columns {
            if column == e.thread.index() {
                let mut cell = Vec::new();
                operation(&mut cell, e.op, names);
                quote(&mut self.text, &String::from_utf8_lossy(&cell));
            }
            self.text.push(b',');
        }
        quote(&mut self.text, &names.location(e.location));
        Ok(())
    }

    fn flush_text(&mut self) -> io::Result<()> {
        self.out.write(&self.text)?;
        self.text.clear();
        Ok(())
    }

    /// Completes the file and returns what it was written to.
    pub fn finish(mut self, names: &Names) -> io::Result<W> {
        if self.format == Format::Binary {
            if self.encoder.is_pending() {
                self.out.write(&self.encoder.block(names)?)?;
            }
            self.out.write(&self.encoder.end())?;
        }
        self.flush_text()?;
        self.out.finish()
    }
}

/// Appends an operation as in STD text: `acq(l)`.
pub fn operation(out: &mut Vec<u8>, op: Op, names: &Names) {
    let (word, operand) = match op {
        Op::Read(v) => ("r(", names.variable(v)),
        Op::Write(v) => ("w(", names.variable(v)),
        Op::AtomicRead(v) => ("ar(", names.variable(v)),
        Op::AtomicWrite(v) => ("aw(", names.variable(v)),
        Op::Acquire(l) | Op::AcquireAgain(l) => ("acq(", names.lock(l)),
        Op::Release(l) | Op::ReleaseInner(l) => ("rel(", names.lock(l)),
        Op::Fork(t) => ("fork(", names.thread(t)),
        Op::Join(t) => ("join(", names.thread(t)),
        Op::Begin => return out.extend_from_slice(b"begin"),
        Op::End => return out.extend_from_slice(b"end"),
        Op::Barrier(l) => ("barrier(", names.lock(l)),
        Op::Notify(l) => ("notify(", names.lock(l)),
        Op::Wait(l) => ("wait(", names.lock(l)),
    };
    out.extend_from_slice(word.as_bytes());
    out.extend_from_slice(operand.as_bytes());
    out.push(b')');
}

/// Appends a CSV field, quoted where needed.
fn quote(out: &mut Vec<u8>, field: &str) {
    if !field.contains([',', '"']) {
        return out.extend_from_slice(field.as_bytes());
    }
    out.push(b'"');
    out.extend_from_slice(field.replace('"', "\"\"").as_bytes());
    out.push(b'"');
}

/// Writes a whole trace.
pub fn write_trace<W: Write>(
    trace: &Trace,
    out: W,
    format: Format,
    compression: Compression,
) -> io::Result<W> {
    write_events(trace, trace.iter().map(|(id, _)| id), out, format, compression)
}

/// Writes some events of a trace in the given order: a witness, for example.
pub fn write_events<W: Write>(
    trace: &Trace,
    events: impl Iterator<Item = EventId>,
    out: W,
    format: Format,
    compression: Compression,
) -> io::Result<W> {
    let threads = trace.counts().threads.max(trace.names.threads.len());
    let threads: Vec<String> =
        (0..threads).map(|t| trace.names.thread(ThreadId(t as u32)).into_owned()).collect();
    let mut writer = Writer::new(out, format, compression, &threads)?;
    for id in events {
        writer.event(trace.event(id), &trace.names)?;
    }
    writer.finish(&trace.names)
}
