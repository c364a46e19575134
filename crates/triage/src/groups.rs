//! Races in the order in which a person should read them.
//!
//! A person reads *reports*: one for each pair of program locations, however many variables, threads and rounds of a loop
//! show it. A report belongs where the first of its races does: among all of them, that one is an artifact of the least.
//! The reports that belong to one partition are a *group*; first groups that are about the same variable are one, and so
//! are later ones. A later report about nothing but variables of a first group is kept with that group: whoever repairs
//! the one repairs the other. First groups come first: those that may explain the most other reports, then by the trace.
//! A group *may explain* a report if the report's first race may be an artifact of a race of the group (R).

use std::cmp::Reverse;

use rustc_hash::{FxHashMap, FxHashSet};
use trace::{LocId, Trace, VarId};

use crate::validate::Graphs;
use crate::{Feasibility, Partition, Race, Site};

/// All races of one pair of program locations.
#[derive(Debug, Clone)]
pub struct Report {
    /// The locations, the lower number first.
    pub locations: [LocId; 2],
    /// The races, by number; the first one is the one by which the report is ordered.
    pub races: Vec<u32>,
    /// Two accesses as an example: of a feasible race, if there is one.
    pub example: Site,
    /// The variables, ascending.
    pub variables: Vec<VarId>,
    /// The best that validation says of its races.
    pub feasibility: Feasibility,
    /// The race of which it says that.
    pub validated: u32,
    /// Its group, by number.
    pub group: u32,
}

/// Reports to be looked at together.
#[derive(Debug, Clone, Default)]
pub struct Group {
    /// Its reports, by number.
    pub reports: Vec<u32>,
    /// Later reports about the same variables.
    pub also: Vec<u32>,
    /// Whether its reports belong to first partitions: they are no artifacts of other groups.
    pub first: bool,
    /// The reports of other groups that may be artifacts of this one, by number. Only for first groups.
    pub explains: Vec<u32>,
    /// The first groups of which this one may be an artifact.
    pub causes: Vec<u32>,
}

/// Makes reports and groups.
pub(crate) fn groups(
    trace: &Trace,
    races: &[Race],
    partitions: &[Partition],
    graphs: &Graphs<'_>,
) -> (Vec<Report>, Vec<Group>) {
    let mut reports = reports(trace, races, partitions);
    let homes: Vec<u32> = reports.iter().map(|r| races[r.races[0] as usize].partition).collect();
    let mut groups = join(&reports, &homes, partitions);
    for group in &mut groups {
        if group.first {
            group.explains = explains(group, &reports, races, partitions, graphs);
        }
    }
    groups.sort_by_key(|g| {
        let home = homes[g.reports[0] as usize];
        let at = races[reports[g.reports[0] as usize].races[0] as usize].sites[0].second;
        (!g.first, Reverse(g.explains.len()), if g.first { 0 } else { home }, at)
    });
    let mut causes: Vec<Vec<u32>> = vec![Vec::new(); reports.len()];
    for (number, group) in groups.iter().enumerate() {
        for &report in group.reports.iter().chain(&group.also) {
            reports[report as usize].group = number as u32;
        }
        for &report in &group.explains {
            causes[report as usize].push(number as u32);
        }
    }
    for group in &mut groups {
        let mut all: Vec<u32> = group.reports.iter().flat_map(|&r| causes[r as usize].clone()).collect();
        all.sort_unstable();
        all.dedup();
        group.causes = all;
    }
    (reports, groups)
}

/// One report for each pair of locations, in the order of the partitions.
fn reports(trace: &Trace, races: &[Race], partitions: &[Partition]) -> Vec<Report> {
    let mut reports: Vec<Report> = Vec::new();
    let mut known: FxHashMap<[LocId; 2], u32> = FxHashMap::default();
    for number in partitions.iter().flat_map(|p| p.races.iter().copied()) {
        let race = &races[number as usize];
        for site in &race.sites {
            let [a, b] = [site.first, site.second].map(|id| trace.event(id).location);
            let locations = [a.min(b), a.max(b)];
            let next = reports.len() as u32;
            let at = *known.entry(locations).or_insert(next);
            if at == next {
                reports.push(Report {
                    locations,
                    races: Vec::new(),
                    example: *site,
                    variables: Vec::new(),
                    feasibility: race.feasibility,
                    validated: number,
                    group: 0,
                });
            }
            let report = &mut reports[at as usize];
            if report.races.last() != Some(&number) {
                report.races.push(number);
            }
            report.variables.push(site.variable);
            if race.feasibility.is_feasible() && !report.feasibility.is_feasible() {
                (report.feasibility, report.validated, report.example) = (race.feasibility, number, *site);
            }
        }
    }
    for report in &mut reports {
        report.variables.sort_unstable();
        report.variables.dedup();
    }
    reports
}

/// The reports by partition; those that share a variable together, first ones with first ones and others with others.
fn join(reports: &[Report], homes: &[u32], partitions: &[Partition]) -> Vec<Group> {
    let mut sets = Sets::default();
    let mut by_home: FxHashMap<u32, u32> = FxHashMap::default();
    let mut by_variable: FxHashMap<(VarId, bool), u32> = FxHashMap::default();
    let first = |report: usize| partitions[homes[report] as usize].first;
    let mut of_first: FxHashSet<VarId> = FxHashSet::default();
    for report in (0..reports.len()).filter(|&r| first(r)) {
        of_first.extend(&reports[report].variables);
    }
    // Reports whose variables are all of one first group go there.
    let settled =
        |report: usize| !first(report) && reports[report].variables.iter().all(|v| of_first.contains(v));
    for (number, report) in reports.iter().enumerate() {
        sets.add();
        if settled(number) {
            continue;
        }
        sets.join(number as u32, *by_home.entry(homes[number]).or_insert(number as u32));
        for &v in &report.variables {
            sets.join(number as u32, *by_variable.entry((v, first(number))).or_insert(number as u32));
        }
    }
    let mut groups: Vec<Group> = Vec::new();
    let mut numbers: FxHashMap<u32, usize> = FxHashMap::default();
    for number in (0..reports.len()).filter(|&r| !settled(r)) {
        let at = *numbers.entry(sets.root(number as u32)).or_insert(groups.len());
        if at == groups.len() {
            groups.push(Group { first: first(number), ..Group::default() });
        }
        groups[at].reports.push(number as u32);
    }
    for number in (0..reports.len()).filter(|&r| settled(r)) {
        let home = by_variable[&(reports[number].variables[0], true)];
        groups[numbers[&sets.root(home)]].also.push(number as u32);
    }
    groups
}

/// Sets of reports that are being joined.
#[derive(Default)]
struct Sets {
    up: Vec<u32>,
}

impl Sets {
    fn add(&mut self) {
        self.up.push(self.up.len() as u32);
    }

    fn root(&mut self, mut n: u32) -> u32 {
        while self.up[n as usize] != n {
            self.up[n as usize] = self.up[self.up[n as usize] as usize];
            n = self.up[n as usize];
        }
        n
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.up[a.max(b) as usize] = a.min(b);
    }
}

/// The reports outside of first partitions whose first race may be an artifact of a race of the group.
fn explains(
    group: &Group,
    reports: &[Report],
    races: &[Race],
    partitions: &[Partition],
    graphs: &Graphs<'_>,
) -> Vec<u32> {
    let causes = minimal(group, reports, races, graphs);
    let may = |report: &Report| {
        let race = &races[report.races[0] as usize];
        !partitions[race.partition as usize].first
            && race.ends.iter().any(|&c| {
                let target = graphs.target(c);
                causes.iter().any(|&[a, b]| {
                    let reach = |n| graphs.cause_reach.reaches(graphs.chains, n, target);
                    reach(a) && reach(b)
                })
            })
    };
    let others = (0..reports.len() as u32).filter(|r| !group.also.contains(r));
    others.filter(|&r| may(&reports[r as usize])).collect()
}

/// The races of a group that come first in both their threads: the others may have caused nothing that these may not.
fn minimal(group: &Group, reports: &[Report], races: &[Race], graphs: &Graphs<'_>) -> Vec<[u32; 2]> {
    let chains = graphs.chains;
    let mut points: Vec<(u32, u32, u32, u32, [u32; 2])> = group
        .reports
        .iter()
        .flat_map(|&r| reports[r as usize].races.iter())
        .filter(|&&race| races[race as usize].matters)
        .map(|&race| {
            let [a, b] = races[race as usize].ends;
            let [a, b] = if chains.thread[a as usize] <= chains.thread[b as usize] { [a, b] } else { [b, a] };
            let (t, u) = (chains.thread[a as usize], chains.thread[b as usize]);
            (t, u, chains.place[a as usize], chains.place[b as usize], [a, b])
        })
        .collect();
    points.sort_unstable();
    let mut minimal: Vec<(u32, u32, u32, [u32; 2])> = Vec::new();
    for (t, u, _, height, ends) in points {
        match minimal.last() {
            Some(&(t0, u0, lowest, _)) if (t0, u0) == (t, u) && lowest <= height => {}
            _ => minimal.push((t, u, height, ends)),
        }
    }
    minimal.into_iter().map(|m| m.3).collect()
}
