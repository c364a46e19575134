//! `raceproof predict`: read a trace, run analyses over it, compare their answers.
//!
//! Analyses that take events as they come run beside the reading; the others get the trace in memory afterwards, one after
//! another, and share what is left of the time limit. `--variable` and `--repair` need the whole trace first.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use base::Budget;
use predict::stream::{self, Reading};
use predict::{Answer, Entry, Options, Prepared};
use report::predict::{Elaborate, Measured, Numbering, PredictReport, TraceSummary};
use report::triage::Order;
use trace::replay::Replayer;
use trace::{Compression, Format, Trace, VarId};

use crate::args::{self, Pairs, PredictArgs};
use crate::progress::Spinner;
use crate::{output, traces, units};

/// The analyses that are run if nobody asks for others.
const USUAL: [&str; 3] = ["m2", "shb", "deadlock"];
/// With `--witness`, so many events of each analysis's witnesses are written at most, the shortest first.
const MOST_WRITTEN: u64 = 100_000_000;

/// How many events of witnesses are sure to be written in a time, on a busy machine too.
fn written_within(time: Duration) -> u64 {
    const EACH_SECOND: f64 = 500_000.0;
    (time.as_secs_f64() * EACH_SECOND) as u64
}

/// Runs the command; the number is the exit code.
pub fn run(args: &PredictArgs) -> Result<u8> {
    let usual = args.analysis == USUAL && !args.repair && args.variable.is_none();
    if !args.command.is_empty() || usual && super::recorded::is_recording(&args.trace) {
        return super::recorded::run(args);
    }
    if args.confirm {
        bail!("--confirm: expected a recorded run, or a program after `--`; a trace has no program");
    }
    let mut entries = entries(&args.analysis)?;
    if args.variable.is_some() && args.analysis == USUAL {
        // A deadlock is not about a variable.
        entries.retain(|entry| entry.name != "deadlock");
    }
    let mut options = options(args)?;
    output::check_writable("--output", args.output.as_deref())?;
    output::check_writable("--html", args.html.as_deref())?;
    if let Some(folder) = &args.witness {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("--witness: cannot make the folder `{}`", folder.display()))?;
    }
    let spinner = Spinner::new(!args.no_progress && !args.look.quiet, "reading");
    let began = Instant::now();
    let (reading, numbering, format) = read(args, &entries, &mut options, began, &spinner)?;
    let mut summary =
        TraceSummary::new(args.trace.to_string_lossy().into_owned(), format, reading.events, reading.counts);
    summary.seconds = began.elapsed().as_secs_f64();
    summary.peak_memory_bytes = peak_memory();
    summary.left_out = numbering.left_out();
    summary.stopped = reading.stopped;
    let (trace, origin) = (reading.trace, reading.origin);
    if !args.look.quiet {
        traces::tell_odd_threads(&trace);
    }
    let read = (&trace, reading.prepared.as_ref());
    let mut answers = analyse(read, &entries, reading.answers, &options, began, &spinner);
    drop(reading.prepared);
    spinner.clear();
    if let Some(folder) = &args.witness {
        write_witnesses(folder, args, &trace, &numbering, &entries, &answers)?;
        let most = witness_events(args)?;
        answers.iter_mut().for_each(|measured| measured.answer.limit_witnesses(most));
    }
    if let Some(limit) = options.time_limit {
        // Writing the report takes time as well.
        let most = written_within(limit.saturating_sub(began.elapsed()));
        answers.iter_mut().for_each(|measured| measured.answer.limit_witnesses(most));
    }
    let with_steps = match args.format {
        args::TraceFormat::Json | args::TraceFormat::Sarif => 0,
        args::TraceFormat::Text => {
            report::predict::races_with_steps(&output::style(&args.look, report::Replay::Unavailable))
        }
    };
    let with_steps = with_steps.max(if args.html.is_some() { report::html::WITNESSES } else { 0 });
    let elaborate = Elaborate { trace: &trace, numbering: &numbering, with_steps };
    let stopped = summary.stopped;
    let analyses =
        entries.iter().zip(answers).map(|(entry, answer)| elaborate.analysis(entry, answer, stopped));
    let report = PredictReport::new(summary, options.pairs, args.variable.clone(), analyses.collect());
    let all = options.time_limit.map(|limit| limit.saturating_sub(began.elapsed()));
    let left = all.map_or_else(Budget::default, Budget::of_time);
    let wanted = args.html.is_some() || args.format == args::TraceFormat::Text && !args.look.quiet;
    let order = match wanted {
        true => {
            let drawn = args.html.is_some();
            super::triage::order_of_predicted(&report, &trace, origin.as_ref(), left, drawn)
        }
        false => Order::default(),
    };
    if let Some(file) = &args.html {
        output::write(file, &report::html::predict(&report, &report::DiskSources::new(""), &order))?;
    }
    show(&report, args, &order)?;
    Ok(report.verdict.exit_code())
}

fn show(report: &PredictReport, args: &PredictArgs, order: &Order) -> Result<()> {
    let style = output::style(&args.look, report::Replay::Unavailable);
    let text = |style| match args.format {
        args::TraceFormat::Json => report::predict::json(report),
        args::TraceFormat::Sarif => report::trace_sarif::predict(report),
        args::TraceFormat::Text => report::predict::render(report, style, order),
    };
    match &args.output {
        None => output::print(&text(&style)),
        Some(file) => {
            output::write(file, &text(&output::style_for_file(&args.look, report::Replay::Unavailable)))?;
            output::print(&report::predict::verdict_line(report, &style))
        }
    }
}

/// The analyses of these names, each once.
fn entries(names: &[String]) -> Result<Vec<Entry>> {
    let mut entries: Vec<Entry> = Vec::new();
    for name in names {
        let name = name.trim().to_ascii_lowercase();
        if name == "all" {
            entries.extend(predict::registry());
        } else if let Some(entry) = predict::find(&name) {
            entries.push(entry);
        } else {
            let known: Vec<&str> = predict::registry().iter().map(|e| e.name).collect();
            bail!("--analysis: expected {} or all, found `{name}`", known.join(", "));
        }
    }
    let mut seen = Vec::new();
    entries.retain(|entry| {
        let new = !seen.contains(&entry.name);
        seen.push(entry.name);
        new
    });
    Ok(entries)
}

fn options(args: &PredictArgs) -> Result<Options> {
    let time_limit = args.time_limit.as_deref().map(units::time).transpose().context("--time-limit")?;
    let mut witness_events = witness_events(args)?;
    if args.witness.is_some() {
        witness_events = witness_events.max(MOST_WRITTEN);
    }
    Ok(Options {
        pairs: match args.pairs {
            Pairs::Locations => predict::Pairs::Locations,
            Pairs::Events => predict::Pairs::Events,
        },
        all_accesses: args.all_accesses,
        variable: None,
        time_limit,
        effort: effort(args)?,
        jobs: args.jobs.map_or(0, usize::from),
        witness_events: Some(witness_events),
    })
}

/// How many steps a search may take for hard pairs.
pub fn effort(args: &PredictArgs) -> Result<Option<u64>> {
    match args.effort.as_deref() {
        Some("none") => Ok(Some(u64::MAX)),
        Some(text) => units::count(text).context("--effort").map(Some),
        None => Ok(None),
    }
}

/// How many events of witnesses the report may have for each analysis.
fn witness_events(args: &PredictArgs) -> Result<u64> {
    if args.no_witness {
        return Ok(0);
    }
    units::count(&args.witness_events).context("--witness-events")
}

/// Reads the trace with the analyses that run beside it. Puts the variable into the options.
fn read(
    args: &PredictArgs,
    entries: &[Entry],
    options: &mut Options,
    began: Instant,
    spinner: &Spinner,
) -> Result<(Reading, Numbering, Format)> {
    let beside = !args.repair && args.variable.is_none();
    let after = !beside || entries.iter().any(|e| e.kind.needs_trace());
    let limit = options.time_limit.map(|limit| if after { limit / 2 } else { limit });
    let deadline = limit.and_then(|limit| began.checked_add(limit));
    let reader = traces::open_until(&args.trace, deadline)?;
    let format = reader.format();
    if beside {
        let beside = Options { time_limit: limit, ..options.clone() };
        let reading = stream::read(reader, entries, &beside, &mut |events| spinner.events(events))
            .map_err(|error| traces::refused(&args.trace, error))?;
        return Ok((reading, Numbering::default(), format));
    }
    let reader = if args.repair { reader.unchecked() } else { reader };
    let mut progress = |events| spinner.events(events);
    let (trace, origin, stopped) =
        traces::read_until(reader, &args.trace, deadline, args.repair, &mut progress)?;
    let origin = origin.filter(|_| !args.repair);
    let (trace, numbering) = if args.repair {
        let (trace, left_out) = traces::repaired(&trace, &args.trace)?;
        if !args.look.quiet {
            traces::tell_left_out(&left_out);
        }
        (trace, Numbering::without(left_out.iter().map(|error| error.event).collect()))
    } else {
        (trace, Numbering::default())
    };
    if let Some(name) = &args.variable {
        let found = traces::find_name(&trace.names.variables, "variable", name);
        options.variable = Some(VarId(found.context("--variable")?));
    }
    let answers = entries.iter().map(|_| None).collect();
    let (events, counts) = (trace.len() as u64, trace.counts());
    Ok((Reading { answers, trace, origin, prepared: None, events, counts, stopped }, numbering, format))
}

/// Runs the analyses that have no answer yet.
fn analyse(
    (trace, prepared): (&Trace, Option<&Prepared>),
    entries: &[Entry],
    beside: Vec<Option<(Answer, Duration)>>,
    options: &Options,
    began: Instant,
    spinner: &Spinner,
) -> Vec<Measured> {
    let while_reading = peak_memory();
    let mut left = beside.iter().filter(|answer| answer.is_none()).count() as u32;
    let mut measured = Vec::with_capacity(entries.len());
    for (entry, answer) in entries.iter().zip(beside) {
        if let Some((answer, busy)) = answer {
            let seconds = busy.as_secs_f64();
            measured.push(Measured { answer, seconds, peak_memory_bytes: while_reading });
            continue;
        }
        spinner.says(entry.name);
        reset_peak_memory();
        let remaining = options.time_limit.map(|limit| limit.saturating_sub(began.elapsed()) / left.max(1));
        left -= 1;
        let began = Instant::now();
        let options = Options { time_limit: remaining, ..options.clone() };
        let answer = predict::run_prepared(entry, trace, prepared, &options);
        let seconds = began.elapsed().as_secs_f64();
        measured.push(Measured { answer, seconds, peak_memory_bytes: peak_memory() });
    }
    measured
}

/// Writes every witness as a trace, after another replay. The files are named after the analysis and the two events.
fn write_witnesses(
    folder: &Path,
    args: &PredictArgs,
    trace: &Trace,
    numbering: &Numbering,
    entries: &[Entry],
    answers: &[Measured],
) -> Result<()> {
    let (mut written, mut without) = (0, 0);
    let mut replayer = None;
    for (entry, measured) in entries.iter().zip(answers) {
        for race in &measured.answer.races {
            let Some(witness) = &race.witness else {
                without += u32::from(race.witness_length.is_some());
                continue;
            };
            let (first, second) = (numbering.number(race.first), numbering.number(race.second));
            replayer
                .get_or_insert_with(|| Replayer::new(trace))
                .check(witness, (race.first, race.second))
                .with_context(|| {
                    format!("internal error: the witness of {first} and {second} does not replay")
                })?;
            let file = folder.join(format!("{}-{first}-{second}.std", entry.name));
            let context = || format!("cannot write `{}`", file.display());
            let out = std::fs::File::create(&file).with_context(context)?;
            let out =
                header(out, args, entry, trace, (first, second), race.variable).with_context(context)?;
            trace::write::write_events(trace, witness.iter().copied(), out, Format::Std, Compression::None)
                .with_context(context)?;
            written += 1;
        }
    }
    if !args.look.quiet {
        let more = if without > 0 {
            format!("; {without} are too long (more than {MOST_WRITTEN} events in all)")
        } else {
            String::new()
        };
        let plural = if written == 1 { "witness" } else { "witnesses" };
        eprintln!("note: {written} {plural} written to `{}`{more}", folder.display());
    }
    Ok(())
}

/// What a witness is of, as comments at the beginning of its file.
fn header(
    mut out: std::fs::File,
    args: &PredictArgs,
    entry: &Entry,
    trace: &Trace,
    pair: (u32, u32),
    variable: VarId,
) -> std::io::Result<std::fs::File> {
    use std::io::Write;
    let name = args.trace.to_string_lossy().escape_debug().to_string();
    writeln!(out, "# A witness by {}: events {} and {} of {name} race on", entry.name, pair.0, pair.1)?;
    writeln!(
        out,
        "# `{}`. They are the last two events here, and nothing orders them.",
        trace.names.variable(variable)
    )?;
    Ok(out)
}

/// The most memory that the process has had since the last reset, in bytes; 0 where the system does not say.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

/// Lets the peak begin anew. Where the system does not allow it, peaks include what was before.
fn reset_peak_memory() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}
