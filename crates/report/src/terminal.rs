//! The report for a person at a terminal.
//!
//! The verdict comes first, then each race and each other defect with its source, its schedule, a hint and the
//! command that replays it, then what the answer rests on: bounds, assumptions, numbers. Races that differ only in the
//! element (`a[0]`, `a[1]`, ...) are shown as one with the others named, because they have one cause; the JSON lists
//! each. Without `verbose`, only the first findings are shown whole and the rest in a line each.

use base::{
    Access, AccessKind, CheckReport, Defect, DefectKind, DefectsVerdict, Frame, Place, Property, Race,
    RacesVerdict, SiteKind, Unreached, Verdict, Witness,
};

use crate::layout::{Tone, and, bytes, command, count, counted, labelled, paint, paragraph, seconds};
use crate::schedule::{Ending, Names};
use crate::snippet::{self, Mark, Severity};
use crate::triage::{Order, named};
use crate::{Replay, SourceProvider, Style, bounds, hint, objects, reason, said, schedule};

/// So many findings are shown whole unless the style is verbose.
const WHOLE: usize = 10;
/// Of more races than this, those that may be artifacts of others are shown in a line each.
const FEW: usize = 3;

/// The whole report as text; `order` says in which order races are best repaired. Ends with a newline.
pub fn render(report: &CheckReport, sources: &dyn SourceProvider, style: &Style, order: &Order) -> String {
    let mut out = verdict_line(report, style);
    if style.quiet {
        return out;
    }
    out += &order.lines(style);
    let groups = in_order(group(&report.races), order);
    let many = groups.len() > FEW;
    let mut shown = 0;
    let (mut brief, mut artifacts) = (Vec::new(), Vec::new());
    for (races, like) in by_variable(report, groups, style) {
        let later = many && order.place(races[0] + 1).is_some_and(|place| !place.first);
        if style.verbose || shown < WHOLE && !later {
            out += "\n";
            out += &race_section(report, &races, &like, sources, style);
            shown += 1;
        } else {
            for races in [vec![races], like].concat() {
                let line = format!("race {}: {}", races[0] + 1, one_line(&report.races[races[0]]));
                if later {
                    artifacts.push(line)
                } else {
                    brief.push(line)
                };
            }
        }
    }
    for (index, defect) in report.defects.iter().enumerate() {
        if shown < WHOLE || style.verbose {
            out += "\n";
            out += &defect_section(report, index, sources, style);
            shown += 1;
        } else {
            brief.push(format!("{}: {} ({})", kind(defect.kind), said::message(defect), defect.location));
        }
    }
    let more = |number: usize| format!("and {} more", counted(number as u64, "finding"));
    out += &in_brief(&more(brief.len()), &brief, style);
    let may_be = |number: usize| match number {
        1 => "and 1 race that may be an artifact of those above".to_owned(),
        n => format!("and {} that may be artifacts of those above", counted(n as u64, "race")),
    };
    out += &in_brief(&may_be(artifacts.len()), &artifacts, style);
    if report.verdict == Verdict::Unknown {
        out += &unknown_section(report, sources, style);
    }
    out += "\n";
    out += &footer(report, style);
    out
}

/// Findings in a line each, under a heading with their number.
fn in_brief(heading: &str, lines: &[String], style: &Style) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let it = if lines.len() == 1 { "it" } else { "them" };
    let heading = format!("{heading} (--verbose shows {it} whole):");
    let mut out = format!("\n{}\n", paragraph(style, &heading, 0));
    for line in lines {
        out += &format!("{}\n", paragraph(style, &format!("  {line}"), 4));
    }
    out
}

/// Each group with those that are told with it: where many races are on one variable, one of them is shown for all.
fn by_variable(
    report: &CheckReport,
    groups: Vec<Vec<usize>>,
    style: &Style,
) -> Vec<(Vec<usize>, Vec<Vec<usize>>)> {
    let variable = |races: &[usize]| whole(&report.races[races[0]].variable);
    let mut all: Vec<(Vec<usize>, Vec<Vec<usize>>)> = Vec::new();
    for races in &groups {
        let name = variable(races);
        let alike = groups.iter().filter(|other| variable(other) == name).count();
        match all.iter_mut().find(|(first, _)| !style.verbose && alike > 2 && variable(first) == name) {
            Some((_, like)) => like.push(races.clone()),
            None => all.push((races.clone(), Vec::new())),
        }
    }
    all
}

/// Groups of races in the order to fix; those without a place come last, and otherwise the order of the report stays.
fn in_order(mut groups: Vec<Vec<usize>>, order: &Order) -> Vec<Vec<usize>> {
    groups.sort_by_key(|races| order.place(races[0] + 1).map_or(u32::MAX, |place| place.group));
    groups
}

/// The first line: the verdict and what it means.
pub fn verdict_line(report: &CheckReport, style: &Style) -> String {
    let program = program(report);
    let (word, tone, rest) = match report.verdict {
        Verdict::Race => ("race", Tone::Bad, format!("{} in {program}", findings(report))),
        Verdict::Defect => {
            let races = match report.races_verdict {
                RacesVerdict::RaceFree => "no data race in any schedule within the bounds",
                _ => "no data race found",
            };
            ("defect", Tone::Bad, format!("{} in {program}; {races}", findings(report)))
        }
        Verdict::RaceFree => (
            "race-free",
            Tone::Good,
            format!(
                "no schedule of {program} has a data race{}, within the bounds{}",
                match report.defects_verdict {
                    DefectsVerdict::Unknown => " (other defects are not excluded)",
                    _ => ", a deadlock, a failed assertion or a memory error",
                },
                if style.quiet {
                    format!(": {}", bounds::describe(&report.bounds))
                } else {
                    " below".to_owned()
                },
            ),
        ),
        Verdict::Unknown => {
            let reason = match reason::of_report(report) {
                // The snippet will say it.
                Some(_) if report.reason_place.is_some() && !style.quiet => String::new(),
                Some(reason) => format!(": {reason}"),
                None => String::new(),
            };
            ("unknown", Tone::Open, format!("neither a race nor a proof for {program}{reason}"))
        }
    };
    let plain = paragraph(style, &format!("{word}: {rest}"), 0);
    let coloured = plain.replacen(word, &paint(style, tone, word), 1);
    coloured + "\n"
}

/// The program, by its files.
fn program(report: &CheckReport) -> String {
    match report.files.as_slice() {
        [] => "the program".to_owned(),
        [file] => file.clone(),
        [file, other] => format!("{file} and {other}"),
        [file, rest @ ..] => format!("{file} and {} more files", rest.len()),
    }
}

/// `2 data races and 1 deadlock`.
fn findings(report: &CheckReport) -> String {
    let mut parts = Vec::new();
    if !report.races.is_empty() {
        let least = if report.races_cut { "at least " } else { "" };
        parts.push(format!("{least}{}", counted(report.races.len() as u64, "data race")));
    }
    let mut kinds: Vec<DefectKind> = report.defects.iter().map(|defect| defect.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    for of in kinds {
        let number = report.defects.iter().filter(|defect| defect.kind == of).count();
        parts.push(counted(number as u64, kind(of)));
    }
    and(&parts)
}

/// What a kind of defect is called.
pub(crate) fn kind(kind: DefectKind) -> &'static str {
    match kind {
        DefectKind::Deadlock => "deadlock",
        DefectKind::Assertion => "failed assertion",
        DefectKind::Abort => "abnormal end",
        DefectKind::OutOfBounds => "out-of-bounds access",
        DefectKind::UseAfterFree => "use after free",
        DefectKind::DoubleFree => "double free",
        DefectKind::InvalidFree => "invalid free",
        DefectKind::NullPointer => "null pointer access",
        DefectKind::InvalidPointer => "invalid pointer access",
        DefectKind::UninitialisedPointer => "uninitialised pointer access",
        DefectKind::WriteToConstant => "write to a constant",
        DefectKind::LockMisuse => "lock misuse",
        DefectKind::DivisionByZero => "division by zero",
        DefectKind::InvalidCall => "invalid call",
        DefectKind::StackOverflow => "stack overflow",
        DefectKind::Unreachable => "unreachable code reached",
        DefectKind::Misuse => "library misuse",
    }
}

/// Races by cause: the same two accesses, whatever the element. Each group lists indices into the races.
pub(crate) fn group(races: &[Race]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (index, race) in races.iter().enumerate() {
        match groups.iter_mut().find(|group| same_cause(&races[group[0]], race)) {
            Some(group) => group.push(index),
            None => groups.push(vec![index]),
        }
    }
    groups
}

fn same_cause(one: &Race, other: &Race) -> bool {
    let side = |a: &Access, b: &Access| {
        a.place == b.place && a.access == b.access && a.atomic == b.atomic && a.locks == b.locks
    };
    side(&one.first, &other.first)
        && side(&one.second, &other.second)
        && whole(&one.variable) == whole(&other.variable)
}

/// A variable without its subscripts: `b[3][7]` and `b[0][1]` are both `b[][]`.
pub(crate) fn whole(variable: &str) -> String {
    let mut depth = 0;
    variable
        .chars()
        .filter(|&c| {
            depth -= i32::from(c == ']');
            let kept = depth == 0;
            depth += i32::from(c == '[');
            kept
        })
        .collect()
}

pub(crate) fn race_title(race: &Race) -> String {
    let verb = |access: &Access| match access.access {
        AccessKind::Read => "read",
        AccessKind::Write => "write",
    };
    let what = match (verb(&race.first), verb(&race.second)) {
        (one, two) if one == two => format!("two unordered {one}s"),
        (one, two) => format!("unordered {one} and {two}"),
    };
    format!("{what} of `{}`", objects::brief(&race.variable))
}

fn one_line(race: &Race) -> String {
    let (a, b) = (&race.first.place, &race.second.place);
    let places = match (a.file == b.file, a.line.min(b.line), a.line.max(b.line)) {
        (true, one, two) if one == two => format!("{}:{one}", a.file),
        (true, one, two) => format!("{}:{one} and {two}", a.file),
        _ => format!("{}:{} and {}:{}", a.file, a.line, b.file, b.line),
    };
    format!("{} ({places})", race_title(race))
}

/// `thread 1 (worker) writes it, holding m`.
pub(crate) fn label(access: &Access) -> String {
    let atomically = if access.atomic { " atomically" } else { "" };
    let locks = match access.locks.as_slice() {
        [] => "no lock held".to_owned(),
        locks => format!("holding {}", and(locks)),
    };
    format!("{} {}{atomically}, {locks}", who(access), verb(access.access))
}

/// Who makes an access: the iteration, section or task if it is one of OpenMP's, and the thread.
fn who(access: &Access) -> String {
    match &access.strand {
        Some(strand) => format!("{} ({})", said::strand(strand), said::who(&access.thread.name)),
        None => said::who(&access.thread.name),
    }
}

fn verb(access: AccessKind) -> &'static str {
    match access {
        AccessKind::Read => "reads",
        AccessKind::Write => "writes",
    }
}

/// The race's snippet with both ends.
pub(crate) fn race_snippet(name: &str, race: &Race, sources: &dyn SourceProvider, style: &Style) -> String {
    let marks = [&race.first, &race.second].map(|access| Mark {
        place: access.place.clone(),
        label: label(access),
        primary: true,
    });
    snippet::render(Severity::Error, name, &race_title(race), &marks, sources, style)
}

fn race_section(
    report: &CheckReport,
    group: &[usize],
    like: &[Vec<usize>],
    sources: &dyn SourceProvider,
    style: &Style,
) -> String {
    let number = group[0];
    let race = &report.races[number];
    let mut out = race_snippet(&format!("race {}", number + 1), race, sources, style) + "\n";
    if group.len() > 1 {
        let others: Vec<&str> =
            group[1..].iter().map(|&index| report.races[index].variable.as_str()).collect();
        out += &labelled(style, "also on", &elements(&others, style));
    }
    if !like.is_empty() {
        out += &labelled(style, "also", &same_variable(report, race, like));
    }
    out += &stacks(&[&race.first, &race.second], style);
    out += &schedule_section(report, &race.witness, &race_endings(race), "race", &race_names(race), style);
    if let Some(hint) = race.hint.clone().or_else(|| hint::derive(race, sources)) {
        out += &labelled(style, "hint", &hint);
    }
    out += &replay_section(report, number, style);
    out
}

/// `races 2 to 9 are on change too: lines 15 and 16, 15 and 17 ...`.
fn same_variable(report: &CheckReport, race: &Race, like: &[Vec<usize>]) -> String {
    const SHOWN: usize = 8;
    let place = |place: &Place| match place.file == race.first.place.file {
        true => place.line.to_string(),
        false => format!("{}:{}", place.file, place.line),
    };
    let mut pairs: Vec<String> = Vec::new();
    for races in like {
        let race = &report.races[races[0]];
        let mut places = [&race.first.place, &race.second.place];
        places.sort();
        let [one, two] = places.map(place);
        let pair = if one == two { format!("{one} twice") } else { format!("{one} and {two}") };
        if !pairs.contains(&pair) {
            pairs.push(pair);
        }
    }
    let more = match pairs.len().saturating_sub(SHOWN) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    pairs.truncate(SHOWN);
    format!(
        "{} are on `{}` too, at lines {}{more} (--verbose shows them)",
        named(&like.iter().map(|races| races[0] + 1).collect::<Vec<_>>()),
        objects::brief(&race.variable),
        pairs.join(", ")
    )
}

fn elements(variables: &[&str], style: &Style) -> String {
    const SHOWN: usize = 8;
    if style.verbose || variables.len() <= SHOWN {
        return variables.join(", ");
    }
    format!("{} and {} more", variables[..SHOWN].join(", "), count((variables.len() - SHOWN) as u64))
}

pub(crate) fn race_names(race: &Race) -> Names {
    Names::new([&race.first.thread, &race.second.thread])
}

pub(crate) fn race_endings(race: &Race) -> Vec<Ending> {
    let end = |access: &Access| Ending {
        thread: access.thread.id,
        place: access.place.clone(),
        action: format!("{} {}", verb(access.access), race.variable),
    };
    vec![end(&race.first), end(&race.second)]
}

/// The call stacks, where they say more than the snippet does.
fn stacks(accesses: &[&Access], style: &Style) -> String {
    let mut lines = Vec::new();
    let all_same = accesses.windows(2).all(|pair| pair[0].stack == pair[1].stack);
    for access in if all_same { &accesses[..1] } else { accesses } {
        if access.stack.len() > 1 && (style.verbose || !only_constructs(&access.stack)) {
            let who = if all_same { "both".to_owned() } else { said::who(&access.thread.name) };
            lines.push(format!("{who}: {}", stack(&access.stack, style)));
        }
    }
    if style.verbose {
        for access in accesses {
            if let Some(created) = &access.thread.created {
                lines.push(format!("{} was created at {created}", said::who(&access.thread.name)));
            }
        }
    }
    if lines.is_empty() { String::new() } else { labelled(style, "stack", &lines.join("\n")) }
}

/// What a construct of OpenMP is called among the frames of a stack.
pub(crate) fn is_construct(frame: &Frame) -> bool {
    ["parallel region at ", "task at ", "teams region at ", "target region at "]
        .iter()
        .any(|begin| frame.function.starts_with(begin))
}

/// Whether the function that holds the access and the constructs around it are all that there is.
fn only_constructs(stack: &[Frame]) -> bool {
    stack.iter().take(stack.len() - 1).all(is_construct)
}

/// `bump (a.c:8) < worker (a.c:14)`; a long stack loses its middle.
fn stack(frames: &[Frame], style: &Style) -> String {
    const SHOWN: usize = 4;
    let frame = |frame: &Frame| format!("{} ({}:{})", frame.function, frame.place.file, frame.place.line);
    if style.verbose {
        let rest: Vec<String> = frames[1..].iter().map(|f| format!("\n  called from {}", frame(f))).collect();
        return frame(&frames[0]) + &rest.concat();
    }
    // clang makes two functions of a construct now and then.
    let mut frames: Vec<&Frame> = frames.iter().collect();
    frames.dedup_by(|outer, inner| is_construct(outer) && outer.function == inner.function);
    let mut parts: Vec<String> = frames.iter().copied().take(SHOWN).map(frame).collect();
    if frames.len() > SHOWN + 1 {
        parts.push(format!("... {} more", frames.len() - SHOWN - 1));
    }
    if let Some(last) = frames.last().copied().filter(|_| frames.len() > SHOWN) {
        parts.push(frame(last));
    }
    parts.join(", called from ")
}

fn schedule_section(
    report: &CheckReport,
    witness: &Witness,
    endings: &[Ending],
    finding: &str,
    names: &Names,
    style: &Style,
) -> String {
    if witness.steps.is_empty() {
        return String::new();
    }
    let mut heading = counted(witness.steps.len() as u64, "step");
    if let Some(bound) = report.bounds.get(witness.bound).filter(|_| report.bounds.len() > 1) {
        heading += &format!(", with {}", bounds::describe_one(bound).trim_end_matches("; no arguments"));
    }
    let mut out = labelled(style, "schedule", &heading);
    out += &schedule::render(&witness.steps, endings, finding, names, style);
    if !witness.distribution.is_empty() {
        out += &labelled(
            style,
            "shared out",
            &witness.distribution.iter().map(said::shared_out).collect::<Vec<_>>().join("\n"),
        );
    }
    out
}

/// The command that replays the finding with this index (races first, then defects).
fn replay_section(report: &CheckReport, index: usize, style: &Style) -> String {
    let several = report.races.len() + report.defects.len() > 1;
    let choice = if several { format!(" --finding {}", index + 1) } else { String::new() };
    let races = report.races.iter().map(|race| &race.witness);
    let witness = races.chain(report.defects.iter().map(|defect| &defect.witness)).nth(index);
    let native = witness.and_then(|witness| witness.native.as_deref());
    let native = native.map_or(String::new(), |native| labelled(style, "native", native));
    match &style.replay {
        Replay::Saved { command: replay } => native + &command(style, "replay", &format!("{replay}{choice}")),
        Replay::NotSaved { .. } | Replay::Unavailable => native,
    }
}

fn defect_names(defect: &Defect) -> Names {
    Names::new([&defect.thread])
}

/// The defect's snippet: where it shows, or for a deadlock each thread that waits.
pub(crate) fn defect_snippet(defect: &Defect, sources: &dyn SourceProvider, style: &Style) -> String {
    let names = defect_names(defect);
    let mut marks: Vec<Mark> = defect
        .waiting
        .iter()
        .map(|step| Mark {
            place: step.place.clone(),
            label: format!("{} {}", names.of(step.thread), said::action(&step.action)),
            primary: true,
        })
        .collect();
    if marks.is_empty() {
        let label = format!("in {}", said::who(&defect.thread.name));
        marks.push(Mark { place: defect.location.clone(), label, primary: true });
    }
    snippet::render(Severity::Error, kind(defect.kind), &said::message(defect), &marks, sources, style)
}

pub(crate) fn defect_endings(defect: &Defect) -> Vec<Ending> {
    if defect.waiting.is_empty() {
        let end = Ending {
            thread: defect.thread.id,
            place: defect.location.clone(),
            action: kind(defect.kind).to_owned(),
        };
        return vec![end];
    }
    let waits = defect.waiting.iter();
    waits
        .map(|w| Ending { thread: w.thread, place: w.place.clone(), action: said::action(&w.action) })
        .collect()
}

fn defect_section(report: &CheckReport, index: usize, sources: &dyn SourceProvider, style: &Style) -> String {
    let defect = &report.defects[index];
    let mut out = defect_snippet(defect, sources, style) + "\n";
    if defect.stack.len() > 1 {
        out += &labelled(
            style,
            "stack",
            &format!("{}: {}", said::who(&defect.thread.name), stack(&defect.stack, style)),
        );
    }
    let endings = defect_endings(defect);
    let names = defect_names(defect);
    out += &schedule_section(report, &defect.witness, &endings, "end", &names, style);
    out += &replay_section(report, report.races.len() + index, style);
    // A run that goes wrong at once has nothing to tell after the snippet.
    if out.ends_with("\n\n") {
        out.pop();
    }
    out
}

fn unknown_section(report: &CheckReport, sources: &dyn SourceProvider, style: &Style) -> String {
    let why = reason::of_report(report).unwrap_or_default();
    let mut out = String::new();
    if let Some(place) = &report.reason_place {
        let mark = Mark { place: place.clone(), label: "here".to_owned(), primary: true };
        out += "\n";
        out += &snippet::render(Severity::Warning, "reason", &why, &[mark], sources, style);
    }
    if let Some(why) = &report.reason {
        out += "\n";
        out += &labelled(style, "what helps", reason::help(why));
    }
    out
}

fn footer(report: &CheckReport, style: &Style) -> String {
    let mut out = labelled(style, "bounds", &bounds::describe(&report.bounds));
    for line in open_questions(report) {
        out += &labelled(style, "not decided", &line);
    }
    if !report.coverage.unreached.is_empty() {
        out += &labelled(style, "not reached", &not_reached(&report.coverage.unreached));
    }
    if !report.assumptions.is_empty() {
        out += &labelled(style, "assumptions", &report.assumptions.join("\n"));
    }
    out += &search_line(report, style);
    match &style.replay {
        Replay::NotSaved { save, command: replay } if report.races.len() + report.defects.len() > 0 => {
            out += &command(style, "to replay", save);
            out += &command(style, "", replay);
        }
        _ => {}
    }
    out
}

/// What is not decided, where the verdict does not say so: bounds beside those of the verdict, and defects.
pub(crate) fn open_questions(report: &CheckReport) -> Vec<String> {
    const SHOWN: usize = 4;
    if report.verdict == Verdict::Race || report.verdict == Verdict::Unknown {
        return Vec::new();
    }
    let mut lines: Vec<String> = Vec::new();
    for open in &report.undecided {
        let about = match open.about.as_slice() {
            all if all.contains(&Property::Races) => String::new(),
            some => format!(" ({})", and(&some.iter().map(|p| property(*p).to_owned()).collect::<Vec<_>>())),
        };
        let with = bounds::describe_one(&open.bound);
        lines.push(format!(
            "{}{about}: {}",
            with.trim_end_matches("; no arguments"),
            reason::of_undecided(open)
        ));
    }
    let more = lines.len().saturating_sub(SHOWN);
    lines.truncate(SHOWN);
    if more > 0 {
        lines.push(format!("and {more} more bounds"));
    }
    lines
}

fn property(property: Property) -> &'static str {
    match property {
        Property::Races => "races",
        Property::Deadlocks => "deadlocks",
        Property::Assertions => "assertions",
        Property::Memory => "memory errors",
    }
}

/// `the parallel region in line 7; the locks in lines 3 and 9`.
pub(crate) fn not_reached(unreached: &[Unreached]) -> String {
    const SHOWN: usize = 8;
    let file = unreached.first().map(|u| u.place.file.as_str()).unwrap_or_default();
    let line = |u: &Unreached| match u.place.file == file {
        true => u.place.line.to_string(),
        false => format!("{}:{}", u.place.file, u.place.line),
    };
    let mut parts = Vec::new();
    for (kind, one, several) in [
        (SiteKind::Region, "the parallel region", "the parallel regions"),
        (SiteKind::Thread, "the creation of a thread", "creations of threads"),
        (SiteKind::Task, "the task", "the tasks"),
        (SiteKind::Lock, "the lock", "the locks"),
    ] {
        let mut lines: Vec<String> = unreached.iter().filter(|u| u.kind == kind).map(line).collect();
        let more = lines.len().saturating_sub(SHOWN);
        lines.truncate(SHOWN);
        if more > 0 {
            lines.push(format!("{more} more"));
        }
        match lines.as_slice() {
            [] => {}
            [line] => parts.push(format!("{one} in line {line}")),
            lines => parts.push(format!("{several} in lines {}", and(lines))),
        }
    }
    parts.join("; ")
}

fn search_line(report: &CheckReport, style: &Style) -> String {
    let stats = &report.stats;
    let mut numbers = match stats.states {
        // One run, or a few, have decided.
        0 => format!(
            "{}, {}; {}",
            counted(stats.executions, "run"),
            counted(stats.instructions, "instruction"),
            seconds(stats.seconds)
        ),
        _ => format!(
            "{}, {}, {}, depth {}; {}",
            counted(stats.states, "state"),
            counted(stats.transitions, "transition"),
            counted(stats.executions, "execution"),
            count(stats.depth),
            seconds(stats.seconds),
        ),
    };
    if stats.compile_seconds > 0.0 {
        numbers += &format!(" ({} of it the compiler)", seconds(stats.compile_seconds));
    }
    if stats.peak_memory_bytes > 0 {
        numbers += &format!(", {}", bytes(stats.peak_memory_bytes));
    }
    let mut out = labelled(style, if stats.states == 0 { "work" } else { "search" }, &numbers);
    if stats.certify_runs > 0 && report.verdict == Verdict::RaceFree {
        out += &labelled(
            style,
            "certified",
            &format!("by {} of the checker's own", counted(stats.certify_runs, "run")),
        );
    }
    if stats.judge_runs > 0 && report.verdict == Verdict::RaceFree {
        out += &labelled(style, "judged", &format!("by {}", counted(stats.judge_runs, "random execution")));
    }
    if let Some(when) = &report.cached {
        out += &labelled(
            style,
            "cache",
            &format!("this program was checked at {when}; --no-cache checks it again"),
        );
    }
    out
}
