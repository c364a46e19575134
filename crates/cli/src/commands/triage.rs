//! `raceproof triage`: which of many races to fix first, from a trace or from one run of a program.
//!
//! Also the order in which the reports of `predict` and `check` are best read ([`order_of_predicted`],
//! [`order_of_checked`]).

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use base::CheckReport;
use clap::Parser;
use report::Style;
use report::predict::{Numbering, PredictReport, TraceSummary};
use report::triage::TriageReport;
use trace::{EventId, Origin, Trace};
use triage::{EventControl, Options, Steering, Triage, View};

use crate::args::{self, Args, Command, TriageArgs};
use crate::engine::{self, CheckRequest};
use crate::progress::Spinner;
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
    output::check_writable("--graph", args.graph.as_deref())?;
    let picture = args.graph.as_deref().map(picture).transpose()?;
    let spinner = Spinner::new(!args.no_progress && !args.look.quiet, "reading");
    let input = if resolve::is_program(&args.inputs[0]) { record(args)? } else { read(args)? };
    spinner.says("triage");
    let began = Instant::now();
    let view = match args.view {
        Some(args::View::Run) => View::Run,
        Some(args::View::Accesses) => View::Accesses,
        Some(args::View::Segments) => View::Segments,
        None => usual_view(input.whole),
    };
    let control = input.steering.as_ref().map_or(EventControl::Flow, EventControl::Steering);
    let draw = if picture.is_some() { DRAWN } else { 0 };
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
        args::Format::Json => report::triage::json(report),
        args::Format::Text => report::triage::render(report, style),
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
    if !args.args.is_empty() || !args.defines.is_empty() || !args.flags.is_empty() {
        bail!(
            "--arg, --define and flags for clang are for programs; `{}` is read as a trace",
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
        bail!("--control and --repair are for traces; `{}` is a program", args.inputs[0].display());
    }
    let began = Instant::now();
    let (trace, steering, cut) = engine::record_for_triage(&request(args)?)?;
    let name = args.inputs.iter().map(|f| f.to_string_lossy().into_owned()).collect::<Vec<_>>().join(", ");
    let mut summary = TraceSummary::new(name, trace::Format::Std, trace.len() as u64, trace.counts());
    summary.seconds = began.elapsed().as_secs_f64();
    Ok(Input { trace, numbering: Numbering::default(), steering: Some(steering), summary, cut, whole: true })
}

/// The run that the arguments mean: what `check` would begin with.
fn request(args: &TriageArgs) -> Result<CheckRequest> {
    let mut words: Vec<String> = ["raceproof", "check", "--threads"].map(str::to_owned).to_vec();
    words.push(args.threads.clone());
    for arg in &args.args {
        words.push(format!("--arg={arg}"));
    }
    for define in &args.defines {
        words.push(format!("--define={define}"));
    }
    let mut words: Vec<std::ffi::OsString> = words.into_iter().map(Into::into).collect();
    words.extend(args.inputs.iter().map(|f| f.clone().into_os_string()));
    words.push("--".into());
    words.extend(args.flags.iter().map(Into::into));
    match Args::try_parse_from(words).context("the arguments of the program")?.command {
        Command::Check(check) => resolve::check(&check),
        _ => unreachable!("the words say check"),
    }
}

/// The most memory that the process has had, in bytes; 0 where the system does not say.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

/// The place of a pair of locations in the triage: group, whether it is first, what it may explain.
fn places<'a>(
    trace: &Trace,
    answer: &'a Triage,
) -> impl Fn(&str, &str) -> Option<(u32, bool, usize)> + use<'a> {
    let mut places = std::collections::BTreeMap::new();
    for report in &answer.reports {
        let [a, b] = report.locations.map(|l| trace.names.location(l).into_owned());
        let group = &answer.groups[report.group as usize];
        let place = (report.group, group.first, group.explains.len());
        places.insert((a.clone().min(b.clone()), a.max(b)), place);
    }
    move |a, b| places.get(&(a.min(b).to_owned(), a.max(b).to_owned())).copied()
}

/// For `predict`: in which order its races are best read, if there are several and the trace is at hand.
pub fn order_of_predicted(
    report: &PredictReport,
    trace: &Trace,
    origin: Option<&Origin>,
    deadline: Option<Instant>,
    style: &Style,
) -> String {
    let numbered = report::predict::numbered(report);
    if numbered.len() < 2 || trace.is_empty() || style.quiet {
        return String::new();
    }
    let steering = origin.map(steering_of);
    let control = steering.as_ref().map_or(EventControl::Flow, EventControl::Steering);
    let options = Options { view: usual_view(origin.is_some()), ..Options::default() };
    let Some(answer) = triage::triage_until(trace, control, options, deadline) else {
        return String::new();
    };
    let place = places(trace, &answer);
    let numbers: Vec<_> = numbered.iter().map(|(n, a, b)| (*n, place(a, b))).collect();
    report::triage::order_lines(&numbers, style)
}

/// For `check`: in which order its races are best read, if there are several and one more run costs little.
pub fn order_of_checked(report: &CheckReport, request: &CheckRequest, style: &Style) -> String {
    if report.races.len() < 2 || style.quiet || report.stats.instructions > CHEAP {
        return String::new();
    }
    let Ok((trace, steering, _)) = engine::record_for_triage(request) else { return String::new() };
    let answer = triage::triage(&trace, EventControl::Steering(&steering), Options::default());
    let place = places(&trace, &answer);
    // Traces use some letters as marks of their own.
    let name = |place: &base::Place| -> String {
        let text = place.to_string();
        text.chars().map(|c| if c.is_whitespace() || "|(),".contains(c) { '_' } else { c }).collect()
    };
    let races = report.races.iter().enumerate();
    let numbers: Vec<_> =
        races.map(|(i, r)| (i + 1, place(&name(&r.first.place), &name(&r.second.place)))).collect();
    report::triage::order_lines(&numbers, style)
}
