//! The answer of triage with names instead of numbers: for people ([`render`]), as JSON ([`json`]) and as a picture
//! ([`dot`], [`svg`]).
//!
//! The JSON is the serialisation of [`TriageReport`], documented field by field here and in `docs/triage.md`. Events are
//! numbered from 1 in the order of the trace. Within a version fields are only added.

mod order;
mod picture;
pub(crate) mod text;

use ::triage::{Feasibility, Race, Report, Triage, View};
use serde::Serialize;
use trace::{EventId, Trace};

use crate::predict::{AccessReport, Numbering, TraceSummary};

pub(crate) use order::named;
pub use order::{Order, Placed, Together};
pub use picture::{dot, svg};
pub use text::{render, verdict_line};

/// The version of the schema.
pub const VERSION: u32 = 1;
/// So many variables of a report are named.
const VARIABLES: usize = 100;
/// So many apparent races are listed.
const APPARENT: usize = 10_000;

/// What triage says of a run.
#[derive(Debug, Serialize)]
pub struct TriageReport {
    /// [`VERSION`].
    pub version: u32,
    /// What was triaged: a trace, or the files of a program.
    pub name: String,
    /// What was read or recorded.
    pub trace: TraceSummary,
    /// Why the run ended early, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<String>,
    /// Whether it is a whole run of the machine, so that the order of all accesses and what steers control are known.
    pub complete_run: bool,
    /// What the events were: `run` (accesses in the order of the run: actual dependences), `accesses` or `segments`
    /// (order unknown: approximate dependences).
    pub view: &'static str,
    /// `steering`: it was known which reads steer control; `flow`: every value that was read was taken to.
    pub event_control: &'static str,
    /// The reports in groups, in the order to fix.
    pub groups: Vec<GroupReport>,
    /// The apparent races one by one, in the order of the trace, at most 10,000.
    pub apparent: Vec<ApparentReport>,
    /// How many reports (pairs of program locations) there are.
    pub reports: usize,
    /// How many apparent races they stand for: the first of each variable and pair of (thread, location, operation).
    pub races: usize,
    /// How many partitions these form, and how many of them are first.
    pub partitions: usize,
    /// The first ones among them.
    pub first_partitions: usize,
    /// How many tangles with a race that was not validated there are.
    pub tangles: usize,
    /// How long the triage took; without reading or recording.
    pub seconds: f64,
    /// The most memory of the whole process.
    pub peak_memory_bytes: u64,
}

/// Reports to be looked at together.
#[derive(Debug, Serialize)]
pub struct GroupReport {
    /// Its number, from 1: the order to fix.
    pub group: u32,
    /// Whether it is to be fixed first: no other group can have caused it.
    pub first: bool,
    /// How many reports of other groups may be artifacts of this one: fixing it may make them disappear.
    pub may_explain: usize,
    /// The groups of which it may be an artifact.
    pub may_be_artifact_of: Vec<u32>,
    /// Why it stands where it does.
    pub why: String,
    /// Its reports.
    pub reports: Vec<RaceReport>,
    /// Later reports about the same variables: repaired together with the others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<RaceReport>,
}

/// All races of one pair of program locations.
#[derive(Debug, Serialize)]
pub struct RaceReport {
    /// The example's access that comes first in the trace.
    pub first: AccessReport,
    /// The later one.
    pub second: AccessReport,
    /// The variable of the example.
    pub variable: String,
    /// The variables, at most 100.
    pub variables: Vec<String>,
    /// How many variables there are.
    pub variable_count: usize,
    /// How many apparent races this report stands for.
    pub races: usize,
    /// `feasible`, `tangled` (one race of its tangle is feasible) or `unproven` (may need the outcome of another race).
    pub status: &'static str,
    /// The theorem of Netzer and Miller that says so, if one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theorem: Option<&'static str>,
    /// Its tangle, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tangle: Option<u32>,
}

/// An apparent race: two computation events, with one conflict between them as an example.
#[derive(Debug, Serialize)]
pub struct ApparentReport {
    /// The numbers of the two accesses.
    pub events: [u32; 2],
    /// What they access.
    pub variable: String,
    /// As in [`RaceReport::status`].
    pub status: &'static str,
    /// As in [`RaceReport::theorem`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theorem: Option<&'static str>,
    /// Its tangle, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tangle: Option<u32>,
    /// Its partition, from 1: the order to fix.
    pub partition: u32,
    /// Whether that is a first partition.
    pub first: bool,
    /// Whether its outcome can steer a thread.
    pub matters: bool,
}

/// The report without time and memory.
pub fn report(trace: &Trace, numbering: &Numbering, triage: &Triage, summary: TraceSummary) -> TriageReport {
    let names = Elaborate { trace, numbering, triage };
    TriageReport {
        version: VERSION,
        name: summary.file.clone(),
        trace: summary,
        cut: None,
        complete_run: false,
        view: view(triage.view),
        event_control: if triage.control_given { "steering" } else { "flow" },
        groups: (0..triage.groups.len()).map(|g| names.group(g)).collect(),
        apparent: triage.races.iter().take(APPARENT).map(|r| names.apparent(r)).collect(),
        reports: triage.reports.len(),
        races: triage.races.len(),
        partitions: triage.partitions.len(),
        first_partitions: triage.partitions.iter().filter(|p| p.first).count(),
        tangles: triage.tangles.len(),
        seconds: 0.0,
        peak_memory_bytes: 0,
    }
}

/// What a view is called.
pub fn view(view: View) -> &'static str {
    match view {
        View::Run => "run",
        View::Accesses => "accesses",
        View::Segments => "segments",
    }
}

struct Elaborate<'a> {
    trace: &'a Trace,
    numbering: &'a Numbering,
    triage: &'a Triage,
}

impl Elaborate<'_> {
    fn group(&self, number: usize) -> GroupReport {
        let group = &self.triage.groups[number];
        let race = |&r: &u32| self.race(&self.triage.reports[r as usize]);
        GroupReport {
            group: number as u32 + 1,
            first: group.first,
            may_explain: group.explains.len(),
            may_be_artifact_of: group.causes.iter().map(|c| c + 1).collect(),
            why: why(group),
            reports: group.reports.iter().map(race).collect(),
            also: group.also.iter().map(race).collect(),
        }
    }

    fn apparent(&self, race: &Race) -> ApparentReport {
        let (status, theorem) = status(race.feasibility);
        let site = &race.sites[0];
        ApparentReport {
            events: [site.first, site.second].map(|id| self.numbering.number(id)),
            variable: self.trace.names.variable(site.variable).into_owned(),
            status,
            theorem,
            tangle: race.tangle.map(|t| t + 1),
            partition: race.partition + 1,
            first: self.triage.partitions[race.partition as usize].first,
            matters: race.matters,
        }
    }

    fn race(&self, report: &Report) -> RaceReport {
        let variable = |v: &trace::VarId| self.trace.names.variable(*v).into_owned();
        let (status, theorem) = status(report.feasibility);
        let tangle = self.triage.races[report.validated as usize].tangle;
        RaceReport {
            first: self.access(report.example.first),
            second: self.access(report.example.second),
            variable: variable(&report.example.variable),
            variables: report.variables.iter().take(VARIABLES).map(variable).collect(),
            variable_count: report.variables.len(),
            races: report.races.len(),
            status,
            theorem,
            tangle: tangle.filter(|_| !report.feasibility.is_feasible()).map(|t| t + 1),
        }
    }

    fn access(&self, id: EventId) -> AccessReport {
        let e = self.trace.event(id);
        AccessReport {
            event: u64::from(self.numbering.number(id)),
            thread: self.trace.names.thread(e.thread).into_owned(),
            location: self.trace.names.location(e.location).into_owned(),
            access: if e.op.is_write() { "write" } else { "read" },
            atomic: e.op.is_atomic(),
        }
    }
}

fn status(feasibility: Feasibility) -> (&'static str, Option<&'static str>) {
    match feasibility {
        Feasibility::NoDependence => ("feasible", Some("5.1")),
        Feasibility::NoControl => ("feasible", Some("5.3")),
        Feasibility::Tangled => ("tangled", Some("5.2")),
        Feasibility::Unproven => ("unproven", None),
    }
}

fn why(group: &::triage::Group) -> String {
    if group.first {
        return "no race outside of this group can have caused it, and at least one of it is certain to be real"
            .to_owned();
    }
    "what steers the threads to it was written and read by races of earlier groups".to_owned()
}

/// The report as indented JSON.
pub fn json(report: &TriageReport) -> String {
    // Only maps with keys that are no strings and failing writers make this fail; a report has neither.
    let mut text = serde_json::to_string_pretty(report).unwrap_or_default();
    text.push('\n');
    text
}
