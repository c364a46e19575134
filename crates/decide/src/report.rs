//! From what is known under each bound to one report.

use std::time::Instant;

use base::budget::Spent;
use base::reason::{Left, Reason};
use base::{
    Bound, CheckReport, Coverage, Defect, DefectsVerdict, Property, Race, RacesVerdict, Undecided, Unreached,
    Verdict,
};
use explore::Outcome;

use crate::engine::add;

/// What engines assume unless allocation may fail.
const NEVER_FAILS: &str = "memory allocation never fails";
/// So many bounds that were not decided are named.
const NAMED: usize = 1000;

/// A report in which nothing was found yet.
pub fn empty(files: Vec<String>, flags: &[String], bounds: &[Bound]) -> CheckReport {
    CheckReport {
        version: base::SCHEMA_VERSION,
        bounds: bounds.to_vec(),
        files,
        flags: flags.to_vec(),
        ..CheckReport::default()
    }
}

/// What is left open under one bound.
pub(crate) fn open(outcome: &Outcome, bound: &Bound) -> Option<Undecided> {
    let found = |p: Property| match p {
        Property::Races => !outcome.races.is_empty(),
        _ => outcome.defects.iter().any(|defect| defect.kind.property() == p),
    };
    let concerned = |p: &Property| !found(*p) && outcome.unknown.iter().any(|u| u.concerns(*p));
    let about: Vec<Property> = Property::ALL.into_iter().filter(concerned).collect();
    let first = about.first()?;
    let why = outcome.unknown.iter().find(|u| u.concerns(*first))?;
    let (reason, place) = (why.reason.clone(), why.place.clone());
    Some(Undecided { bound: bound.clone(), about, reason_words: String::new(), reason, place })
}

/// Adds what was found under one bound; a finding that an earlier bound has shown is not repeated.
pub(crate) fn merge(report: &mut CheckReport, outcome: Outcome, bound: usize) {
    report.races_cut |= outcome.cut.0;
    report.defects_cut |= outcome.cut.1;
    for mut race in outcome.races {
        race.witness.bound = bound;
        explore::elaborate::add_race(&mut report.races, race);
    }
    explore::elaborate::sort_races(&mut report.races);
    for mut defect in outcome.defects {
        defect.witness.bound = bound;
        let same = |d: &Defect| d.kind == defect.kind && d.location == defect.location;
        if !report.defects.iter().any(same) {
            report.defects.push(defect);
        }
    }
    if let (None, Some(unknown)) = (&report.reason, outcome.unknown.into_iter().next()) {
        report.reason = Some(unknown.reason);
        report.reason_place = unknown.place;
    }
    // The proof from one run always says so.
    let may_fail = report.bounds.iter().any(|bound| !bound.allocation.succeeds());
    let holds = |assumption: &String| !(may_fail && assumption == NEVER_FAILS);
    for assumption in outcome.assumptions.into_iter().filter(holds) {
        if !report.assumptions.contains(&assumption) {
            report.assumptions.push(assumption);
        }
    }
    add(&mut report.stats, &outcome.stats);
}

/// The answers: about races, about other defects, and the verdict. `threads_open`: nobody asked for several numbers of threads, so that
/// what is decided for some of them is an answer.
pub(crate) fn conclude(report: &mut CheckReport, threads_open: bool) {
    let is_open = |bound: &Bound, p: Property, all: &[Undecided]| {
        all.iter().any(|u| u.bound == *bound && u.about.contains(&p))
    };
    let inputs = |bound: &Bound| (bound.args.clone(), bound.defines.clone());
    // The same inputs with another number of threads may be decided.
    let stands = |u: &Undecided| {
        threads_open
            && report
                .bounds
                .iter()
                .any(|b| inputs(b) == inputs(&u.bound) && !is_open(b, Property::Races, &report.undecided))
    };
    let free = !report.bounds.is_empty()
        && report.undecided.iter().filter(|u| u.about.contains(&Property::Races)).all(stands);
    report.races_verdict = match (report.races.is_empty(), free) {
        (false, _) => RacesVerdict::Race,
        (true, true) => RacesVerdict::RaceFree,
        (true, false) => RacesVerdict::Unknown,
    };
    if report.races_verdict == RacesVerdict::RaceFree {
        keep_decided(report);
    }
    let open = |p: Property| report.bounds.iter().any(|b| is_open(b, p, &report.undecided));
    let defects = Property::ALL.into_iter().filter(|p| *p != Property::Races).any(open);
    report.defects_verdict = match (report.defects.is_empty(), defects || report.bounds.is_empty()) {
        (false, _) => DefectsVerdict::Defect,
        (true, true) => DefectsVerdict::Unknown,
        (true, false) => DefectsVerdict::None,
    };
    let demanded = report.properties.iter().copied().find(|p| open(*p));
    report.verdict = match (report.races_verdict, report.defects_verdict, demanded) {
        (RacesVerdict::Race, ..) => Verdict::Race,
        (_, DefectsVerdict::Defect, _) => Verdict::Defect,
        (RacesVerdict::RaceFree, _, None) => Verdict::RaceFree,
        _ => Verdict::Unknown,
    };
    if report.verdict == Verdict::RaceFree {
        (report.reason, report.reason_place) = (None, None);
    } else if report.verdict == Verdict::Unknown {
        // The first reason may be about something else.
        let wanted =
            demanded.filter(|_| report.races_verdict == RacesVerdict::RaceFree).unwrap_or(Property::Races);
        let why = report.undecided.iter().find(|u| u.about.contains(&wanted));
        if let Some(why) = why {
            (report.reason, report.reason_place) = (Some(why.reason.clone()), why.place.clone());
        }
    }
}

/// Bounds that are not decided about races are not among those that a verdict is about, unless a finding is.
fn keep_decided(report: &mut CheckReport) {
    let open =
        |b: &Bound| report.undecided.iter().any(|u| u.bound == *b && u.about.contains(&Property::Races));
    let used = |index: usize| report.defects.iter().any(|d| d.witness.bound == index);
    let all = report.bounds.iter().enumerate();
    let kept: Vec<usize> = all.filter(|(i, b)| !open(b) || used(*i)).map(|(i, _)| i).collect();
    for defect in &mut report.defects {
        let at = kept.iter().position(|&i| i == defect.witness.bound);
        defect.witness.bound = at.unwrap_or(defect.witness.bound);
    }
    report.bounds = kept.iter().map(|&i| report.bounds[i].clone()).collect();
}

/// The figures of the whole, and what they say.
pub(crate) fn finish(report: &mut CheckReport, started: Instant) {
    if report.races_verdict == RacesVerdict::RaceFree && report.stats.states > 0 {
        report.assumptions.push(explore::elaborate::hash_assumption(report.stats.states));
    }
    report.undecided.truncate(NAMED);
    report.stats.asked_threads = false;
    report.stats.seconds = started.elapsed().as_secs_f64();
    report.stats.peak_memory_bytes = peak_memory();
}

/// Bounds that were not looked at, since the budget was used up.
pub(crate) fn not_reached(report: &mut CheckReport, bounds: &[Bound], spent: Spent) {
    let reason = Reason::spent(spent, Left::All);
    if report.reason.is_none() {
        report.reason = Some(reason.clone());
    }
    let about = Property::ALL.to_vec();
    let entry = |bound: &Bound| Undecided {
        bound: bound.clone(),
        about: about.clone(),
        reason_words: String::new(),
        reason: reason.clone(),
        place: None,
    };
    report.undecided.extend(bounds.iter().map(entry));
}

/// A report of what was known when a budget was used up: the limit is this one.
pub fn cut_short(mut report: CheckReport, spent: Spent) -> CheckReport {
    report.races_cut |= !report.races.is_empty();
    report.defects_cut |= !report.defects.is_empty();
    let reason = Reason::spent(spent, Left::All);
    let reasons = report.undecided.iter_mut().map(|u| &mut u.reason).chain(&mut report.reason);
    let other = Reason::spent(Spent::Time, Left::All);
    reasons.filter(|why| **why == other).for_each(|why| why.clone_from(&reason));
    if report.verdict == Verdict::Unknown && report.reason.is_none() {
        report.reason = Some(reason);
    }
    report
}

/// No execution came to the code for several threads: nothing is known about races.
pub(crate) fn nothing_reached(report: &mut CheckReport, why: Reason) {
    report.races_verdict = RacesVerdict::Unknown;
    if report.verdict == Verdict::RaceFree {
        report.verdict = Verdict::Unknown;
    }
    let place = report.coverage.unreached.iter().find(|u| u.kind.is_parallel()).map(|u| u.place.clone());
    if report.reason.is_none() {
        (report.reason, report.reason_place) = (Some(why), place);
    }
}

/// Adds what executions of one program came to.
pub(crate) fn cover(all: &mut Vec<(Unreached, bool)>, sites: Vec<(Unreached, bool)>) {
    for (site, reached) in sites {
        match all.iter_mut().find(|(known, _)| *known == site) {
            Some((_, known)) => *known |= reached,
            None => all.push((site, reached)),
        }
    }
}

/// What was reached and what not.
pub(crate) fn coverage(all: &[(Unreached, bool)]) -> Coverage {
    let reached = || all.iter().filter(|(_, reached)| *reached);
    let parallel = reached().filter(|(site, _)| site.kind.is_parallel()).count() as u64;
    let mut unreached: Vec<_> = all.iter().filter(|(_, reached)| !reached).map(|(u, _)| u.clone()).collect();
    unreached.sort_by(|a, b| (&a.place, a.kind).cmp(&(&b.place, b.kind)));
    Coverage { reached: reached().count() as u64, parallel, unreached }
}

/// The callers that stand in for `main` have no place in the source: stacks end before them.
pub(crate) fn without_callers(report: &mut CheckReport) {
    let sides =
        |race: &mut Race| [std::mem::take(&mut race.first.stack), std::mem::take(&mut race.second.stack)];
    let shown = |mut stack: Vec<base::Frame>| {
        stack.retain(|frame| !frame.place.file.is_empty());
        stack
    };
    for race in &mut report.races {
        [race.first.stack, race.second.stack] = sides(race).map(shown);
    }
    for defect in &mut report.defects {
        defect.stack = shown(std::mem::take(&mut defect.stack));
    }
}

/// The most memory that the process held, as Linux counts it.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|l| l.trim().trim_end_matches(" kB").trim().parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
