//! Programs whose control depends on inputs without bounds (`__VERIFIER_nondet_int`, `rand`, `scanf`, ...).
//!
//! *Proof.* The search runs the machine with [`InputMode::Symbolic`]: a branch on an input is a choice between the ways that
//! some value of the input takes. Every run with fixed inputs is among the runs of that machine (see `machine::interp`'s
//! `demand`), so a search that ends without a finding proves that there is none for any inputs.
//! *Findings.* A finding of that search may belong to no inputs, since not everything that is known of them is kept. It
//! is reported only with values for the inputs with which the program, run plainly, shows it: first those that the
//! machine knows to lead along the path, then others that are worth trying. If there are none, a second search looks for
//! findings with a few values for each input ([`InputMode::Candidates`]); what it finds has its values.
//! *Order.* Loops that an input ends may go on for ever. The search first follows paths with few choices about inputs, and then
//! longer ones.
//! *Guarantee.* A race or defect is replayed with its inputs fixed, by code that knows nothing of the above. `race-free`
//! rests on the whole search having ended. Everything else is `unknown`.

use base::reason::{Input, Left, Reason};
use base::{Defect, Property, Race};
use judge::describe::{describe_defect, describe_race};
use machine::symbol::Ranges;
use machine::{InputMode, Machine, Mode, Program, Read, Stop};

use crate::elaborate::{add_race, elaborate, sort_races};
use crate::findings::{Found, FoundDefect, FoundRace};
use crate::{Config, Outcome, Progress, Unknown, parallel};
use judge::schedule::{self, Point};

/// Choices about inputs on a path, and stored states, of the searches that come before the unbounded one.
const SHALLOW: [(u64, u64); 3] = [(4, 5_000), (12, 20_000), (40, 60_000)];
/// The same, of the searches with candidates.
const TRIALS: [(u64, u64); 3] = [(1, 10_000), (2, 20_000), (6, 40_000)];
/// States of the unbounded search, if the user gives no limit.
const STATES: u64 = 1_000_000;
/// How many runs are tried in order to find values for one finding, and for all.
const RUNS: (usize, usize) = (80, 800);
/// Instructions at a time, and how often, of a run that is followed.
const FUEL: (u64, usize) = (50_000_000, 20);

/// Checks a program of which a plain search has said that something depends on an input; `first` is what it found.
pub(crate) fn check(
    module: &ir::Module,
    program: &mut Program,
    mode: Mode,
    config: &Config,
    first: Found,
    progress: &mut dyn FnMut(&Progress),
) -> Outcome {
    let known = Found { unknown: Vec::new(), ..first };
    let outcome = elaborate(program, mode, known, config.budget);
    let mut check = Check {
        module,
        mode,
        config: config.clone(),
        outcome,
        doubtful: Vec::new(),
        runs: RUNS.1,
        limit: None,
        sources: Vec::new(),
    };
    check.search(program, progress);
    check.finish(program)
}

/// More places than this are not named.
const NAMED: usize = 8;

/// A finding without values of inputs that show it.
struct Doubt {
    /// Its kind; nothing means a race.
    defect: Option<base::DefectKind>,
    about: Property,
    place: ir::PlaceId,
}

struct Check<'m> {
    module: &'m ir::Module,
    mode: Mode,
    config: Config,
    outcome: Outcome,
    doubtful: Vec<Doubt>,
    runs: usize,
    /// Why the last search ended early.
    limit: Option<Unknown>,
    sources: Vec<(ir::FuncId, ir::PlaceId)>,
}

impl Check<'_> {
    fn search(&mut self, program: &mut Program, progress: &mut dyn FnMut(&Progress)) {
        for (asked, states) in SHALLOW {
            let found = self.round(program, InputMode::Symbolic, Some(asked), states, progress);
            let whole = !found.cut && found.limit.is_none();
            self.doubtful.clear();
            self.judge(program, InputMode::Symbolic, found);
            if whole || self.out_of_time() {
                return self.try_candidates(program, progress);
            }
        }
        // A race is worth more than another defect.
        if self.outcome.races.is_empty() {
            let states = if self.config.budget.left().is_some() { u64::MAX } else { STATES };
            let found = self.round(program, InputMode::Symbolic, None, states, progress);
            self.doubtful.clear();
            self.judge(program, InputMode::Symbolic, found);
        }
        self.try_candidates(program, progress);
    }

    fn has_findings(&self) -> bool {
        !self.outcome.races.is_empty() || !self.outcome.defects.is_empty()
    }

    fn out_of_time(&self) -> bool {
        self.config.budget.is_over()
    }

    /// One search; sets [`Check::limit`] and the reasons why it is not complete.
    fn round(
        &mut self,
        program: &Program,
        inputs: InputMode,
        max_asked: Option<u64>,
        states: u64,
        progress: &mut dyn FnMut(&Progress),
    ) -> Found {
        let most = self.config.max_states.unwrap_or(u64::MAX);
        let config = Config {
            max_states: (most.min(states) < u64::MAX).then_some(most.min(states)),
            max_asked,
            stop_open: false,
            jobs: 1,
            // A step that decides on an input says something to all others that use it: steps do not commute.
            sleep_sets: false,
            ..self.config.clone()
        };
        let mode = Mode { inputs, ..self.mode };
        let mut found = parallel::search(self.module, program, mode, &config, None, progress);
        while (found.barrier_order && !self.mode.branch_barriers)
            || (found.wants_orders() && !self.mode.piece_orders)
            || found.wants_all_splits()
        {
            self.mode.branch_barriers |= found.barrier_order;
            self.mode.piece_orders |= found.wants_orders();
            self.config.all_splits |= found.wants_all_splits();
            let mode = Mode { inputs, ..self.mode };
            let config = Config { all_splits: self.config.all_splits, ..config.clone() };
            found = parallel::search(self.module, program, mode, &config, None, progress);
        }
        let (sum, one) = (&mut self.outcome.stats, &found.stats);
        sum.states += one.states;
        sum.transitions += one.transitions;
        sum.executions += one.executions;
        sum.instructions += one.instructions;
        sum.depth = sum.depth.max(one.depth);
        if inputs == InputMode::Symbolic {
            self.sources.clone_from(&found.sources);
            self.outcome.unknown = std::mem::take(&mut found.unknown);
            self.outcome.unknown.extend(found.skipped(Mode { inputs, ..self.mode }));
            self.outcome.cut = found.more;
            let states = found.stats.states;
            let why = match (found.limit, found.cut) {
                (Some(limit), _) => Some(Reason::Limit { limit, left: Left::Inputs(states) }),
                (None, true) => Some(Reason::DeepInputs { states }),
                (None, false) => None,
            };
            self.limit = why.map(|why| Unknown::new(why, None));
        }
        found
    }

    /// Looks for values of the inputs for everything that was found.
    fn judge(&mut self, program: &mut Program, inputs: InputMode, found: Found) {
        for race in &found.races {
            match self.realise(program, inputs, (&race.path, race.moves), |program, mode, path| {
                describe_race(program, mode, &FoundRace { path, ..race.clone() })
            }) {
                Some(race) => self.add_race(race),
                None => {
                    let place = machine::place_of_access(self.module, race.race.second.1.access).0;
                    self.doubtful.push(Doubt { defect: None, about: Property::Races, place });
                }
            }
        }
        for defect in &found.defects {
            match self.realise(program, inputs, (&defect.path, defect.moves), |program, mode, path| {
                describe_defect(program, mode, &FoundDefect { path, ..defect.clone() }).ok()
            }) {
                Some(defect) => self.add_defect(defect),
                None => {
                    let (kind, place) = (defect.kind, defect.place);
                    self.doubtful.push(Doubt { defect: Some(kind), about: kind.property(), place });
                }
            }
        }
    }

    fn add_race(&mut self, race: Race) {
        add_race(&mut self.outcome.races, race);
        sort_races(&mut self.outcome.races);
    }

    fn add_defect(&mut self, defect: Defect) {
        let same = |d: &Defect| d.kind == defect.kind && d.location == defect.location;
        if !self.outcome.defects.iter().any(same) {
            self.outcome.defects.push(defect);
            self.outcome.defects.sort_by(|a, b| (&a.location, a.kind).cmp(&(&b.location, b.kind)));
        }
    }

    /// Finds values for the inputs of a path with which a plain run shows what was found at its end.
    fn realise<T>(
        &mut self,
        program: &mut Program,
        inputs: InputMode,
        (path, moves): (&[u32], u64),
        mut confirm: impl FnMut(&Program, Mode, Vec<u32>) -> Option<T>,
    ) -> Option<T> {
        let walk = walk(program, Mode { inputs, ..self.mode }, path, moves)?;
        if !walk.asked
            && let Some(shown) = confirm(program, self.mode, path.to_vec())
        {
            return Some(shown);
        }
        let options: Vec<Vec<u64>> = walk.reads.iter().map(|read| options(program, read)).collect();
        let given = Mode { inputs: InputMode::Given, ..self.mode };
        let mut tried: Vec<Vec<u64>> = Vec::new();
        for values in assignments(&options) {
            if tried.len() >= RUNS.0 || self.runs == 0 {
                break;
            }
            if tried.contains(&values) {
                continue;
            }
            self.runs -= 1;
            program.values.clone_from(&values);
            tried.push(values);
            if let Some(shown) = confirm(program, given, walk.rest.clone()) {
                return Some(shown);
            }
        }
        None
    }

    /// Where something is in doubt, looks for findings with a few values for each input.
    fn try_candidates(&mut self, program: &mut Program, progress: &mut dyn FnMut(&Progress)) {
        let open = !self.doubtful.is_empty() || !self.outcome.unknown.is_empty() || self.limit.is_some();
        if !open || self.has_findings() {
            return;
        }
        self.runs = RUNS.1;
        let doubtful = std::mem::take(&mut self.doubtful);
        for (asked, states) in TRIALS {
            if self.out_of_time() {
                break;
            }
            let found = self.round(program, InputMode::Candidates, Some(asked), states, progress);
            let whole = !found.cut && found.limit.is_none();
            self.judge(program, InputMode::Candidates, found);
            if whole || self.has_findings() {
                break;
            }
        }
        self.doubtful = doubtful;
    }

    fn finish(mut self, program: &Program) -> Outcome {
        let doubts = std::mem::take(&mut self.doubtful);
        for doubt in doubts {
            let mut inputs = self.inputs(program);
            let more = inputs.len().saturating_sub(NAMED);
            inputs.truncate(NAMED);
            let reason = Reason::Doubt { defect: doubt.defect, inputs, more };
            let place = self.module.place(doubt.place);
            self.outcome.unknown.push(Unknown::new(reason, place).about(doubt.about));
        }
        self.outcome.unknown.extend(self.limit.take());
        if !self.sources.is_empty() && !self.has_findings() {
            let places = self.places(program);
            self.outcome
                .assumptions
                .push(format!("the answer is for all values of the inputs without bounds: {places}"));
        }
        self.outcome
    }

    /// Where the inputs come from, in words.
    /// Where inputs without bounds are read, each place once.
    fn inputs(&self, program: &Program) -> Vec<Input> {
        let mut inputs: Vec<Input> = Vec::new();
        for &(func, place) in &self.sources {
            let function = program.module.funcs[func.0 as usize].display.clone();
            let input = Input { function, line: self.module.place(place).map_or(0, |p| p.line) };
            if !inputs.contains(&input) {
                inputs.push(input);
            }
        }
        inputs.sort_by(|a, b| (a.line, &a.function).cmp(&(b.line, &b.function)));
        inputs
    }

    /// The same for people.
    fn places(&self, program: &Program) -> String {
        let inputs = self.inputs(program);
        if inputs.is_empty() {
            return "uninitialised values".into();
        }
        let more = inputs.len().saturating_sub(NAMED);
        let words = inputs.iter().take(NAMED).map(|i| format!("`{}` in line {}", i.function, i.line));
        let text = words.collect::<Vec<_>>().join(", ");
        if more > 0 { format!("{text} and {more} more") } else { text }
    }
}

/// What following a path with open inputs shows.
struct Walk {
    /// The inputs read on the way.
    reads: Vec<Read>,
    /// The choices that are not about inputs.
    rest: Vec<u32>,
    /// Whether there were any about inputs.
    asked: bool,
}

/// Follows a path: its choices, and as many operations as `moves` says.
fn walk(program: &Program, mode: Mode, path: &[u32], moves: u64) -> Option<Walk> {
    let mut machine = Machine::new(program, Mode { histories: false, ..mode });
    machine.reads = Some(Vec::new());
    let mut walk = Walk { reads: Vec::new(), rest: Vec::new(), asked: false };
    let mut choices = path.iter().copied();
    let (mut performed, mut refills) = (0, 0);
    loop {
        match schedule::settle(&mut machine, FUEL.0) {
            Point::Paused if refills < FUEL.1 => refills += 1,
            Point::Paused => return None,
            Point::Exited => break,
            Point::Stopped(..) => {}
            Point::Choice(t, n) => {
                let Some(value) = choices.next().filter(|&value| value < n) else { break };
                if machine.asks_input {
                    walk.asked = true;
                } else {
                    walk.rest.push(value);
                }
                machine.answer(t, value);
            }
            Point::Node => {
                if performed == moves {
                    break;
                }
                let options = schedule::options(&machine).alternatives;
                let alternative = match options[..] {
                    [] => break,
                    [only] => only,
                    _ => {
                        let Some(i) = choices.next().filter(|&i| (i as usize) < options.len()) else { break };
                        walk.rest.push(i);
                        options[i as usize]
                    }
                };
                performed += 1;
                let t = alternative.thread as usize;
                if let Err(Stop::Choose(n)) = machine.perform(t, alternative.way) {
                    let Some(value) = choices.next().filter(|&value| value < n) else { break };
                    walk.rest.push(value);
                    machine.answer(t, value);
                    let _ = machine.perform(t, alternative.way);
                }
            }
        }
    }
    walk.reads = machine.reads.take().unwrap_or_default();
    Some(walk)
}

/// Values for an input that are worth trying, the simplest first: all of them lead along the path, as far as is known.
fn options(program: &Program, read: &Read) -> Vec<u64> {
    if read.clock {
        // One that stands still: others could go backwards.
        return vec![0];
    }
    let set: &Ranges = &read.set;
    let fitting = program.candidates(read.bits).iter().copied().filter(|&v| set.contains(v));
    let mut options: Vec<u64> = fitting.take(24).collect();
    for &(lo, hi) in set.ranges() {
        for value in [lo, hi, lo + (hi - lo) / 2] {
            if options.len() < 32 && !options.contains(&value) {
                options.push(value);
            }
        }
    }
    if options.is_empty() {
        options.push(0);
    }
    options
}

/// Values for all inputs: the first of each; then one input at a time with others; then mixtures.
fn assignments(options: &[Vec<u64>]) -> impl Iterator<Item = Vec<u64>> {
    let simplest: Vec<u64> = options.iter().map(|list| list[0]).collect();
    let single = options.iter().enumerate().flat_map(|(i, list)| (1..list.len()).map(move |k| (k, i)));
    let mut single: Vec<_> = single.collect();
    single.sort_unstable();
    let first = simplest.clone();
    let others = single.into_iter().map(move |(k, i)| {
        let mut values = first.clone();
        values[i] = options[i][k];
        values
    });
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mixtures = (0..RUNS.0).map(move |_| {
        let pick = |list: &Vec<u64>| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            list[(seed % list.len() as u64) as usize]
        };
        options.iter().map(pick).collect()
    });
    std::iter::once(simplest).chain(others.take(RUNS.0 / 2)).chain(mixtures)
}
