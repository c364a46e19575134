//! `raceproof trace`: what is in a trace, the same in another form, a part of it.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use report::trace_info::{self, InfoReport};
use trace::generate::{Generator, Parameters};
use trace::info::Collect;
use trace::slice::{Cut, Slicer};
use trace::{Compression, Event, EventId, Format, Names, Origin, ThreadId, Trace, VarId, Writer};

use crate::args::{Color, ConvertArgs, GenerateArgs, InfoArgs, LookArgs, OutArgs, SliceArgs, TraceCommand};
use crate::traces::{self, OutFile};
use crate::{output, units};

/// Runs the command; the number is the exit code.
pub fn run(command: &TraceCommand) -> Result<u8> {
    match command {
        TraceCommand::Info(args) => info(args),
        TraceCommand::Convert(args) => convert(args),
        TraceCommand::Slice(args) => slice(args),
        TraceCommand::Generate(args) => generate(args),
    }?;
    Ok(0)
}

fn info(args: &InfoArgs) -> Result<()> {
    let began = Instant::now();
    let mut reader = traces::open(&args.trace)?;
    let format = reader.format();
    let mut collect = Collect::new();
    let mut left_out = Vec::new();
    let mut complete_run = false;
    if args.repair {
        let (trace, errors) = traces::read_repaired(reader, &args.trace)?;
        trace.events.iter().for_each(|e| collect.event(e));
        left_out = errors.iter().map(|error| error.event.number()).collect();
    } else {
        while let Some(e) = reader.next_event().map_err(|error| traces::refused(&args.trace, error))? {
            collect.event(&e);
        }
        complete_run = reader.origin().is_some_and(|origin| origin.events == reader.count());
    }
    let file = std::fs::metadata(&args.trace).ok().filter(|meta| meta.is_file());
    let report = InfoReport {
        bytes: file.map(|meta| meta.len()),
        complete_run,
        left_out,
        seconds: began.elapsed().as_secs_f64(),
        ..InfoReport::new(args.trace.to_string_lossy().into_owned(), format, &collect.finish())
    };
    let look = LookArgs { color: Color::Auto, quiet: false, verbose: false };
    output::print(&match args.format {
        crate::args::Format::Json => trace_info::json(&report),
        crate::args::Format::Text => {
            trace_info::render(&report, &output::style(&look, report::Replay::Unavailable))
        }
    })
}

fn convert(args: &ConvertArgs) -> Result<()> {
    let (format, compression) = traces::form(&args.out)?;
    let mut reader = traces::open(&args.trace)?;
    if args.repair {
        let (trace, left_out) = traces::read_repaired(reader, &args.trace)?;
        traces::tell_left_out(&left_out);
        return write(&trace.events, &trace.names, None, &args.out);
    }
    if format == Format::Csv {
        // The first row names all threads, so they must be known before.
        let (trace, origin) = reader.read_whole().map_err(|error| traces::refused(&args.trace, error))?;
        return write(&trace.events, &trace.names, origin.as_ref(), &args.out);
    }
    let mut out = start(&args.out, format, compression, &[])?;
    let mut begins = true;
    while let Some(e) = reader.next_event().map_err(|error| traces::refused(&args.trace, error))? {
        // What the file says of its making is known with the first event.
        if std::mem::take(&mut begins)
            && let Some(Err(error)) = reader.origin().map(|origin| out.origin(origin))
        {
            return ended(error);
        }
        if let Err(error) = out.event(&e, reader.names()) {
            return ended(error);
        }
    }
    finish(out, reader.names())
}

fn slice(args: &SliceArgs) -> Result<()> {
    traces::form(&args.out)?;
    if let (Some(from), Some(to)) = (args.from, args.to)
        && from > to
    {
        bail!("--from {from} comes after --to {to}: exchange them");
    }
    let (trace, read) = read_up_to(&args.trace, args.to.map_or(u32::MAX, |to| to.get()))?;
    let number = |event: std::num::NonZeroU32| EventId(event.get() - 1);
    let find = |names: &[String], kind: &str, wanted: &[String]| {
        wanted.iter().map(|name| traces::find_name(names, kind, name)).collect::<Result<Vec<u32>>>()
    };
    let cut = Cut {
        from: args.from.map(number),
        to: args.to.map(number),
        threads: find(&trace.names.threads, "thread", &args.threads)?.into_iter().map(ThreadId).collect(),
        variables: find(&trace.names.variables, "variable", &args.variables)?
            .into_iter()
            .map(VarId)
            .collect(),
    };
    let mut slicer = Slicer::new(cut);
    let kept: Vec<Event> = trace.iter().filter(|(id, e)| slicer.keeps(*id, e)).map(|(_, e)| *e).collect();
    if kept.is_empty() {
        bail!(
            "{}: none of the {read} events read belongs to the part asked for; `raceproof trace info` says what there is",
            args.trace.display()
        );
    }
    write(&kept, &trace.names, None, &args.out)
}

fn generate(args: &GenerateArgs) -> Result<()> {
    let (format, compression) = traces::form(&args.out)?;
    let generator = Generator::new(Parameters {
        events: units::count(&args.events).context("--events")?,
        threads: args.threads,
        locks: args.locks,
        near_races: args.near_races,
        far_races: args.far_races,
        seed: args.seed,
        ..Parameters::default()
    });
    let names = generator.names();
    let mut out = start(&args.out, format, compression, &names.threads)?;
    for e in generator {
        if let Err(error) = out.event(&e, &names) {
            return ended(error);
        }
    }
    finish(out, &names)
}

/// Reads the beginning of a trace; also says how many events that are.
fn read_up_to(path: &Path, most: u32) -> Result<(Trace, u64)> {
    let mut reader = traces::open(path)?;
    let mut events = Vec::new();
    reader.next_batch(&mut events, most as usize).map_err(|error| traces::refused(path, error))?;
    let read = reader.count();
    Ok((Trace { events, names: reader.into_names() }, read))
}

fn start(
    out: &OutArgs,
    format: Format,
    compression: Compression,
    threads: &[String],
) -> Result<Writer<OutFile>> {
    let file = OutFile::create(&out.file)?;
    Writer::new(file, format, compression, threads)
        .with_context(|| format!("cannot write `{}`", out.file.display()))
}

/// Writes a trace in the form that `out` says; `origin` if it is a whole run of the machine.
pub fn write(events: &[Event], names: &Names, origin: Option<&Origin>, out: &OutArgs) -> Result<()> {
    let (format, compression) = traces::form(out)?;
    let mut writer = start(out, format, compression, &names.threads)?;
    if let Some(Err(error)) = origin.map(|origin| writer.origin(origin)) {
        return ended(error);
    }
    for e in events {
        if let Err(error) = writer.event(e, names) {
            return ended(error);
        }
    }
    finish(writer, names)
}

fn finish(writer: Writer<OutFile>, names: &Names) -> Result<()> {
    match writer.finish(names) {
        Ok(file) => file.keep(),
        Err(error) => ended(error),
    }
}

/// A reader that has gone away (`raceproof trace convert a - | head`) is no error.
fn ended(error: std::io::Error) -> Result<()> {
    match error.kind() {
        std::io::ErrorKind::BrokenPipe => Ok(()),
        _ => Err(error).context("cannot write the trace"),
    }
}
