//! Triage: which of many races to look at first.
//!
//! Netzer and Miller, Improving the Accuracy of Data Race Detection, PPoPP 1991 (P3). Races reported from one run are
//! *apparent*. Some could never happen; some happened only because another race had gone before. *Validation* says which
//! are feasible ([`mod@validate`]), *ordering* which may be artifacts of others ([`mod@order`]): the *first* partitions hold at least
//! one race each that is feasible and no artifact. [`groups`] puts that into the order in which a person should read.
//!
//! [`model`] has the events, the synchronisation and the dependences of a trace; [`graph`] components and reachability.
//! [`steering`] says for a run on the machine which reads steer. [`View`] says how much of the run's order is taken for known, [`EventControl`] how much is known of what steered control.
//!
//! Deviations from P3, each explained in its file:
//! 1. Any synchronisation of our traces, not only fork/join and semaphores; all edges of happens-before are kept.
//! 2. Of the apparent races one is kept for each variable and pair of (thread, location, operation): the first. No
//!    other can change which partitions are first ([`apparent`]).
//! 3. Besides P3's events (segments), single accesses, with the order of the run known or not. Feasible then means
//!    that both accesses can be about to happen at once ([`mod@validate`]).
//! 4. The algorithm for partitions, which P3 leaves to the future ([`mod@order`]).
//! 5. Event control within a segment is taken to hold (`a` can event-control itself): theorem 5.5 needs it.
//!
//! Guarantee: what is called feasible has a schedule that shows it; each tangle and each first partition holds a feasible
//! race; under the assumption that the trace holds all synchronisation, that all shared accesses are in it, and for
//! [`EventControl::Steering`] that reads not marked do not steer. A failed `trylock` is not in a trace: programs
//! whose control depends on one are outside of the guarantee.

#![forbid(unsafe_code)]

mod apparent;
pub mod drawing;
mod graph;
pub mod groups;
mod model;
mod order;
pub mod steering;
mod unordered;
mod validate;

use base::Budget;
use predict::{Pairs, Streaming, hb::Hb};
use rustc_hash::FxHashMap;
use trace::{EventId, Trace, VarId};

pub use groups::{Group, Report};

use graph::{Graph, NONE, Reach};
use model::Model;
use validate::Graphs;

/// What the computation events are, and how much of their order is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum View {
    /// Single accesses in the order of the run: P3's actual dependences.
    #[default]
    Run,
    /// Single accesses; only synchronisation orders different threads: approximate dependences.
    Accesses,
    /// Segments between synchronisation, approximate dependences: P3 as it is printed.
    Segments,
}

/// Which reads steer, and from where on: whose value is used in a condition, in an address or by synchronisation,
/// directly or through other variables.
///
/// A read is marked with the first event of its own thread that may be other than it was if another value had been read:
/// where the value steers the thread, or where it is written to memory from which it comes to steer somebody.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Steering {
    /// By event: the place of use, [`NONE`] for none.
    uses: Vec<u32>,
}

impl Steering {
    /// The value of `read` steers its thread from the event `used` of that thread on, which is `read` itself (at once) or
    /// a later one. Of several uses the earliest counts.
    pub fn mark(&mut self, read: EventId, used: EventId) {
        if read.index() >= self.uses.len() {
            self.uses.resize(read.index() + 1, NONE);
        }
        let slot = &mut self.uses[read.index()];
        *slot = (*slot).min(used.0);
    }

    /// From where on a read steers.
    pub fn used(&self, read: EventId) -> Option<EventId> {
        self.uses.get(read.index()).filter(|&&used| used != NONE).map(|&used| EventId(used))
    }
}

/// What is known of event control (P3 section 4.1).
#[derive(Debug, Clone, Copy, Default)]
pub enum EventControl<'a> {
    /// Nothing: every value that is read may steer what follows (flow dependences).
    #[default]
    Flow,
    /// The reads that are marked may steer what follows their use, the others steer nothing.
    Steering(&'a Steering),
}

/// What to do.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// The events and what is known of their order.
    pub view: View,
    /// For the drawing: of how many races at most the events are kept; 0 for no drawing.
    pub draw: usize,
}

/// What validation says of a race.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feasibility {
    /// Feasible: no dependence orders the two (theorem 5.1).
    NoDependence,
    /// Feasible: dependences order the two, but none that steers control (theorem 5.3).
    NoControl,
    /// In a tangle, of whose races at least one is feasible (theorem 5.2).
    Tangled,
    /// Ordered by what other races did: it may need their outcome, and so be an artifact.
    Unproven,
}

impl Feasibility {
    /// Whether it is certain that some schedule shows the race.
    pub fn is_feasible(self) -> bool {
        matches!(self, Feasibility::NoDependence | Feasibility::NoControl)
    }
}

/// Two accesses of an apparent race.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Site {
    /// The access that comes first in the trace.
    pub first: EventId,
    /// The later one.
    pub second: EventId,
    /// What they access.
    pub variable: VarId,
}

/// An apparent race between two computation events.
#[derive(Debug, Clone)]
pub struct Race {
    /// Its conflicting accesses: one in the views of accesses, maybe more in that of segments.
    pub sites: Vec<Site>,
    /// What validation says.
    pub feasibility: Feasibility,
    /// Its tangle, by number in [`Triage::tangles`].
    pub tangle: Option<u32>,
    /// Its partition, by number in [`Triage::partitions`].
    pub partition: u32,
    /// Whether its outcome can steer a thread. If not, nothing is an artifact of it.
    pub matters: bool,
    /// Its nodes.
    ends: [u32; 2],
}

/// What is kept of an end of a race after the graphs are gone.
#[derive(Debug, Clone, Copy)]
struct Mark {
    thread: u32,
    place: u32,
    target: u32,
}

/// Races of which it is not known which may be an artifact of which.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition {
    /// Its races, by number.
    pub races: Vec<u32>,
    /// Whether none of them may be an artifact of a race of another partition.
    pub first: bool,
}

/// How large it all was.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    /// Nodes of the graphs.
    pub nodes: usize,
    /// Edges of G between threads.
    pub synchronisation: usize,
    /// Edges that G_D has besides.
    pub dependences: usize,
    /// Edges that G_E has besides G.
    pub control: usize,
}

/// The answer.
#[derive(Debug)]
pub struct Triage {
    /// The view that was asked for.
    pub view: View,
    /// Whether event control was given, or approximated by flow dependences.
    pub control_given: bool,
    /// The apparent races, in the order of the trace.
    pub races: Vec<Race>,
    /// The tangles with an unvalidated race, each with its races, in the order of the trace.
    pub tangles: Vec<Vec<u32>>,
    /// The partitions: first ones first, and a race never before one of which it may be an artifact.
    pub partitions: Vec<Partition>,
    /// What a person reads: one report for each pair of program locations.
    pub reports: Vec<Report>,
    /// The reports in groups, in the order to fix.
    pub groups: Vec<Group>,
    /// The events of the races for a drawing, if asked for.
    pub drawing: Option<drawing::Drawing>,
    /// How large it was.
    pub size: Size,
    /// By race: its ends, and what can event-control them.
    marks: Vec<[Mark; 2]>,
    control: Reach,
}

impl Triage {
    /// Whether a race may be an artifact of another (P3's relation R from `cause` to `race`). If not, then it is none
    /// (theorem 5.4).
    pub fn may_be_artifact(&self, race: u32, cause: u32) -> bool {
        self.races[cause as usize].matters
            && self.marks[race as usize].iter().any(|end| {
                let reaches = |from: &Mark| self.control.place(end.target, from.thread) >= from.place;
                self.marks[cause as usize].iter().all(reaches)
            })
    }
}

/// Triages the apparent races of a trace.
pub fn triage(trace: &Trace, control: EventControl<'_>, options: Options) -> Triage {
    let whole = triage_until(trace, control, options, Budget::default());
    whole.unwrap_or_else(|| unreachable!("without a limit nothing is late"))
}

/// The same, if it is done in time.
pub fn triage_until(
    trace: &Trace,
    control: EventControl<'_>,
    options: Options,
    budget: Budget,
) -> Option<Triage> {
    let in_time = || (!budget.is_over()).then_some(());
    let racy = racy_variables(trace);
    in_time()?;
    let model = model::build(trace, &racy, control, options.view, budget)?;
    let mut races = races(&model);
    in_time()?;
    let graphs = graphs(&model, &races, options.view);
    in_time()?;
    let mut components = Vec::with_capacity(races.len());
    for race in &mut races {
        let (feasibility, component) = graphs.validate(race.ends);
        race.feasibility = feasibility;
        components.push(component);
    }
    let tangles = tangles(&mut races, &components);
    let ends: Vec<[u32; 2]> = races.iter().map(|r| r.ends).collect();
    for race in &mut races {
        race.matters = race.sites.iter().any(|site| matters(trace, control, &model, site));
    }
    let mattering: Vec<bool> = races.iter().map(|r| r.matters).collect();
    let partitions: Vec<Partition> = order::partitions(&graphs, &ends, &mattering)
        .into_iter()
        .map(|part| Partition { races: part.races, first: part.first })
        .collect();
    for (number, partition) in partitions.iter().enumerate() {
        for &race in &partition.races {
            races[race as usize].partition = number as u32;
        }
    }
    in_time()?;
    let (reports, groups) = groups::groups(trace, &races, &partitions, &graphs);
    let mark = |n: u32| Mark {
        thread: model.chains.thread[n as usize],
        place: model.chains.place[n as usize],
        target: graphs.target(n),
    };
    let marks = ends.iter().map(|ends| ends.map(mark)).collect();
    let drawing = (options.draw > 0).then(|| drawing::draw(&model, &races, options.draw));
    Some(Triage {
        view: options.view,
        control_given: matches!(control, EventControl::Steering(_)),
        races,
        tangles,
        partitions,
        reports,
        groups,
        drawing,
        size: Size {
            nodes: model.chains.len(),
            synchronisation: model.sync.len(),
            dependences: model.data.len(),
            control: model.control.len(),
        },
        marks,
        control: graphs.cause_reach,
    })
}

/// Whether the outcome of a race can steer a thread.
fn matters(trace: &Trace, control: EventControl<'_>, model: &Model, site: &Site) -> bool {
    let read = [site.first, site.second].into_iter().find(|&id| trace.event(id).op.is_read());
    match (read, control) {
        (Some(read), EventControl::Steering(steering)) => steering.used(read).is_some(),
        (Some(_), EventControl::Flow) => true,
        (None, _) => model.steering.contains(&site.variable),
    }
}

/// By variable: whether it has an apparent race.
fn racy_variables(trace: &Trace) -> Vec<bool> {
    let options = predict::Options { pairs: Pairs::Locations, ..predict::Options::default() };
    let mut hb = Box::new(Hb::new(&options));
    hb.events(EventId(0), &trace.events);
    let mut racy = Vec::new();
    for v in hb.finish().racy_variables {
        racy.resize(v.index() + 1, false);
        racy[v.index()] = true;
    }
    racy
}

/// The races of the model: those between the same two events are one.
fn races(model: &Model) -> Vec<Race> {
    let mut races: Vec<Race> = Vec::new();
    let mut known: FxHashMap<[u32; 2], u32> = FxHashMap::default();
    for found in &model.apparent {
        let [a, b] = found.nodes;
        let next = races.len() as u32;
        let number = *known.entry([a.min(b), a.max(b)]).or_insert(next);
        if number == next {
            races.push(Race {
                sites: Vec::new(),
                feasibility: Feasibility::Unproven,
                tangle: None,
                partition: NONE,
                matters: true,
                ends: found.nodes,
            });
        }
        let site = Site { first: found.events[0], second: found.events[1], variable: found.variable };
        races[number as usize].sites.push(site);
    }
    races.sort_by_key(|r| (r.sites[0].second, r.sites[0].first));
    races
}

fn graphs<'m>(model: &'m Model, races: &[Race], view: View) -> Graphs<'m> {
    let chains = &model.chains;
    let ends = || races.iter().flat_map(|r| r.ends);
    let wanted: Vec<u32> = ends().chain(ends().map(|n| chains.prev[n as usize])).collect();
    let data_graph = Graph::new(chains, &[&model.sync, &model.data]);
    let data = data_graph.components();
    let data_reach = data_graph.reach(&data, &wanted);
    drop(data_graph);
    let control_graph = Graph::new(chains, &[&model.sync, &model.control]);
    let control_reach = control_graph.reach(&control_graph.components(), &wanted);
    drop(control_graph);
    let cause_graph = Graph::new(chains, &[&model.sync, &model.control, &model.missed]);
    let cause = cause_graph.components();
    let cause_reach = cause_graph.reach(&cause, &wanted);
    Graphs { chains, data, data_reach, control_reach, cause, cause_reach, view }
}

/// Numbers the tangles that have an unvalidated race.
fn tangles(races: &mut [Race], components: &[Option<u32>]) -> Vec<Vec<u32>> {
    let open = races.iter().zip(components).filter(|(r, _)| r.feasibility == Feasibility::Tangled);
    let open: rustc_hash::FxHashSet<u32> = open.filter_map(|(_, c)| *c).collect();
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    let mut tangles: Vec<Vec<u32>> = Vec::new();
    for (number, race) in races.iter_mut().enumerate() {
        let Some(component) = components[number].filter(|c| open.contains(c)) else { continue };
        let tangle = *numbers.entry(component).or_insert_with(|| {
            tangles.push(Vec::new());
            tangles.len() as u32 - 1
        });
        tangles[tangle as usize].push(number as u32);
        race.tangle = Some(tangle);
    }
    tangles
}
