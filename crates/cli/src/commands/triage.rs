//! `raceproof triage`: which of many races to fix first, from a trace or from one run of a program.
//!
//! Also the order in which the reports of `predict` and `check` are best read ([`order_of_predicted`],
//! [`order_of_checked`]).

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use base::{Budget, CheckReport};
use report::predict::{Numbering, PredictReport, TraceSummary};
use report::triage::{Order, Placed, TriageReport};
use trace::{EventId, Origin, Trace};
use triage::{EventControl, Options, Steering, Triage, View};

use crate::args::{self, TriageArgs};
use crate::front::Compiled;
use crate::progress::Spinner;
use crate::request::{CheckRequest, record_for_triage};
use crate::resolve::Asked;
use crate::settings::Settings;
use crate::{output, resolve, traces};

/// So many races are drawn.
const DRAWN: usize = 40;
/// `check` triages only programs of which its search ran at most so many instructions: one more run must cost little.
const CHEAP: u64 = 200_000_000;

/// A run to be triaged.
struct Input {
    trace: Trace,
    numbering: Numbering,
    /// What is known of event control.
    steering: Option<Steering>,
    summary: TraceSummary,
    cut: Option<String>,
    /// Whether it is a whole run of the machine, in its order.
    whole: bool,
}

/// Runs the command; the number is the exit code.
pub fn run(args: &TriageArgs) -> Result<u8> {
    output::check_writable("--output", args.output.as_deref())?;
    output::check_writable("--html", args.html.as_deref())?;
    output::check_writable("--graph", args.graph.as_deref())?;
    let picture = args.graph.as_deref().map(picture).transpose()?;
    let spinner = Spinner::new(!args.no_progress && !args.look.quiet, "reading");
    let program = args.inputs.first().is_none_or(|file| resolve::is_program(file));
    let input = if program { record(args)? } else { read(args)? };
    spinner.says("triage");
    let began = Instant::now();
    let view = match args.view {
        Some(args::View::Run) => View::Run,
        Some(args::View::Accesses) => View::Accesses,
        Some(args::View::Segments) => View::Segments,
        None => usual_view(input.whole),
    };
    let control = input.steering.as_ref().map_or(EventControl::Flow, EventControl::Steering);
    let draw = if picture.is_some() || args.html.is_some() { DRAWN } else { 0 };
    let answer = triage::triage(&input.trace, control, Options { view, draw });
    let mut report = report::triage::report(&input.trace, &input.numbering, &answer, input.summary);
    report.seconds = began.elapsed().as_secs_f64();
    report.peak_memory_bytes = peak_memory();
    report.cut = input.cut;
    report.complete_run = input.whole;
    spinner.clear();
    if let (Some(file), Some(picture)) = (&args.graph, picture) {
        output::write(file, &picture(&input.trace, &answer))?;
    }
    if let Some(file) = &args.html {
        let picture = report::triage::svg(&input.trace, &answer);
        output::write(file, &report::html::triage(&report, &report::DiskSources::new(""), &picture))?;
    }
    show(&report, args)?;
    Ok(u8::from(report.reports > 0))
}

/// Of a run of the machine the order of all accesses is known; of other traces only that of synchronisation is sure.
fn usual_view(whole: bool) -> View {
    if whole { View::Run } else { View::Accesses }
}

/// Event control as the origin of a trace has it.
fn steering_of(origin: &Origin) -> Steering {
    let mut steering = Steering::default();
    for &read in &origin.steering {
        steering.mark(read, read);
    }
    steering
}

/// How a graph is written, by the name of its file.
fn picture(file: &Path) -> Result<fn(&Trace, &Triage) -> String> {
    match file.extension().and_then(|e| e.to_str()) {
        Some("dot" | "gv") => Ok(report::triage::dot),
        Some("svg") => Ok(report::triage::svg),
        _ => bail!("--graph: expected a name that ends in .dot or .svg, found `{}`", file.display()),
    }
}

fn show(report: &TriageReport, args: &TriageArgs) -> Result<()> {
    let style = output::style(&args.look, report::Replay::Unavailable);
    let text = |style| match args.format {
        args::TraceFormat::Json => report::triage::json(report),
        args::TraceFormat::Sarif => report::trace_sarif::triage(report),
        args::TraceFormat::Text => report::triage::render(report, style),
    };
    match &args.output {
        None => output::print(&text(&style)),
        Some(file) => {
            output::write(file, &text(&output::style_for_file(&args.look, report::Replay::Unavailable)))?;
            output::print(&report::triage::verdict_line(report, &style))
        }
    }
}

fn read(args: &TriageArgs) -> Result<Input> {
    let [path] = args.inputs.as_slice() else {
        bail!("expected one trace, or the sources of one program; found {} files", args.inputs.len());
    };
    let build = args.build.build.is_some() || args.build.target.is_some() || !args.build.entry.is_empty();
    let bounds = args.bounds.threads.is_some()
        || !args.bounds.args.is_empty()
        || !args.bounds.defines.is_empty()
        || !args.bounds.env.is_empty();
    if build || bounds || !args.flags.is_empty() {
        bail!(
            "--threads, --arg, --define, --build and flags for clang are for programs; `{}` is read as a trace: leave them out",
            path.display()
        );
    }
    let began = Instant::now();
    let reader = traces::open(path)?;
    let format = reader.format();
    let mut origin = None;
    let (trace, numbering) = if args.repair {
        let (trace, left_out) = traces::read_repaired(reader, path)?;
        if !args.look.quiet {
            traces::tell_left_out(&left_out);
        }
        (trace, Numbering::without(left_out.iter().map(|error| error.event).collect()))
    } else {
        let (trace, found) = reader.read_whole().map_err(|error| traces::refused(path, error))?;
        origin = found;
        (trace, Numbering::default())
    };
    let name = path.to_string_lossy().into_owned();
    let mut summary = TraceSummary::new(name, format, trace.len() as u64, trace.counts());
    summary.seconds = began.elapsed().as_secs_f64();
    summary.left_out = numbering.left_out();
    let given = args.control.as_deref().map(|file| control(file, &trace)).transpose()?;
    let steering = given.or_else(|| origin.as_ref().map(steering_of));
    Ok(Input { trace, numbering, steering, summary, cut: None, whole: origin.is_some() })
}

/// Event control from a file: each line the number of a read, and the number of the event from which it steers.
fn control(file: &Path, trace: &Trace) -> Result<Steering> {
    let name = file.display();
    let text = std::fs::read_to_string(file).with_context(|| format!("--control: cannot read `{name}`"))?;
    let mut steering = Steering::default();
    for (index, line) in text.lines().enumerate() {
        let words: Vec<&str> = line.split('#').next().unwrap_or("").split_whitespace().collect();
        let number = |word: &str| -> Option<EventId> {
            let number: u32 = word.parse().ok()?;
            (1..=trace.len() as u32).contains(&number).then(|| EventId(number - 1))
        };
        let (read, used) = match words.as_slice() {
            [] => continue,
            [read] => (number(read), number(read)),
            [read, used] => (number(read), number(used)),
            _ => (None, None),
        };
        let (Some(read), Some(used)) = (read, used) else {
            bail!(
                "--control: {name}, line {}: expected one or two event numbers from 1 to {}, found `{line}`",
                index + 1,
                trace.len()
            );
        };
        let (r, u) = (trace.event(read), trace.event(used));
        if !r.op.is_read() || r.thread != u.thread || used < read {
            bail!(
                "--control: {name}, line {}: expected a read and a later event of its thread, found `{line}`",
                index + 1
            );
        }
        steering.mark(read, used);
    }
    Ok(steering)
}

fn record(args: &TriageArgs) -> Result<Input> {
    if args.control.is_some() || args.repair {
        bail!("--control and --repair are for traces, and this is a program: leave them out");
    }
    let began = Instant::now();
    let request = request(args)?;
    let mut compiled = Compiled::prepare(&request)?;
    for warning in compiled.warnings().iter().filter(|_| !args.look.quiet) {
        eprintln!("warning: {warning}");
    }
    let (trace, steering, cut) = record_for_triage(&request, &mut compiled)?;
    let name = request.inputs.iter().map(|f| f.to_string_lossy().into_owned()).collect::<Vec<_>>().join(", ");
    let mut summary = TraceSummary::new(name, trace::Format::Std, trace.len() as u64, trace.counts());
    summary.seconds = began.elapsed().as_secs_f64();
    Ok(Input { trace, numbering: Numbering::default(), steering: Some(steering), summary, cut, whole: true })
}

/// The run that the arguments mean: what `check` would begin with.
fn request(args: &TriageArgs) -> Result<CheckRequest> {
    let asked = Asked {
        files: args.inputs.clone(),
        build: args.build.clone(),
        bounds: args.bounds.clone(),
        flags: args.flags.clone(),
        ..Asked::default()
    };
    let settings = Settings::find(args.build.config.as_deref(), &args.inputs)?;
    let (request, notes) = resolve::check(&asked, &settings)?;
    for note in notes.iter().filter(|_| !args.look.quiet) {
        eprintln!("note: {note}");
    }
    Ok(request)
}

/// The most memory that the process has had, in bytes; 0 where the system does not say.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

/// The order of races by their locations, with a picture if it is wanted; nothing if it takes too long.
fn order(
    trace: &Trace,
    control: EventControl<'_>,
    (view, drawn): (View, bool),
    budget: Budget,
    races: impl Iterator<Item = (usize, String, String)>,
) -> Order {
    let draw = if drawn { DRAWN } else { 0 };
    let Some(answer) = triage::triage_until(trace, control, Options { view, draw }, budget) else {
        return Order::default();
    };
    let mut places = BTreeMap::new();
    for report in &answer.reports {
        let [a, b] = report.locations.map(|l| trace.names.location(l).into_owned());
        let group = &answer.groups[report.group as usize];
        let placed = Placed { group: report.group, first: group.first, may_explain: group.explains.len() };
        places.insert((a.clone().min(b.clone()), a.max(b)), placed);
    }
    let numbers: Vec<_> = races
        .map(|(number, a, b)| (number, places.get(&(a.clone().min(b.clone()), a.max(b))).copied()))
        .collect();
    let mut order = Order::new(&numbers);
    if drawn && !order.is_empty() {
        order.picture = report::triage::svg(trace, &answer);
    }
    order
}

/// For `predict`: in which order its races are best read, if there are several and the trace is at hand.
pub fn order_of_predicted(
    report: &PredictReport,
    trace: &Trace,
    origin: Option<&Origin>,
    budget: Budget,
    drawn: bool,
) -> Order {
    let numbered = report::predict::numbered(report);
    if numbered.len() < 2 || trace.is_empty() {
        return Order::default();
    }
    let steering = origin.map(steering_of);
    let control = steering.as_ref().map_or(EventControl::Flow, EventControl::Steering);
    order(trace, control, (usual_view(origin.is_some()), drawn), budget, numbered.into_iter())
}

/// For `check`: in which order its races are best read, if there are several and one more run costs little.
pub fn order_of_checked(
    report: &CheckReport,
    request: &CheckRequest,
    compiled: &mut Compiled,
    drawn: bool,
) -> Order {
    if report.races.len() < 2 || report.stats.instructions > CHEAP {
        return Order::default();
    }
    let Ok((trace, steering, _)) = record_for_triage(request, compiled) else {
        return Order::default();
    };
    // Traces use some letters as marks of their own.
    let name = |place: &base::Place| -> String {
        let text = place.to_string();
        text.chars().map(|c| if c.is_whitespace() || "|(),".contains(c) { '_' } else { c }).collect()
    };
    let races = (report.races.iter().zip(1..)).map(|(r, n)| (n, name(&r.first.place), name(&r.second.place)));
    order(
        &trace,
        EventControl::Steering(&steering),
        (Options::default().view, drawn),
        request.limits.budget,
        races,
    )
}
