//! Searching the schedules of a program.
//!
//! [`check`] explores the race-detecting state graph of P1 (see [`search`]) for one set of inputs, replays what it finds
//! with independent code ([`judge::replay`]), and describes it for people (see [`elaborate`]).

#![forbid(unsafe_code)]

pub mod elaborate;
pub mod findings;
pub mod inputs;
pub mod lockset;
mod parallel;
pub mod record;
mod saved;
pub mod search;
mod splits;
mod visited;

pub use saved::Saved;
pub use search::{Limit, Progress};

/// What a search may use, and what the program gets.
#[derive(Debug, Clone)]
pub struct Config {
    /// The program's arguments, beginning with its name.
    pub args: Vec<String>,
    /// The answer to "how many threads should I use?".
    pub threads: u32,
    /// Stop when this is used up.
    pub budget: base::Budget,
    /// Stop after storing this many states.
    pub max_states: Option<u64>,
    /// Once a race or defect is found, store only so many further states (or as many as it took to find the first, if
    /// that is more) to look for others. `None`: explore everything.
    pub further: Option<u64>,
    /// Stop after so many instructions, as if enough had been found (the race graph only).
    pub max_instructions: Option<u64>,
    /// Do not follow paths longer than this many scheduling decisions.
    pub max_depth: Option<u64>,
    /// How many choices about inputs a path may have (see [`inputs`]).
    pub max_asked: Option<u64>,
    /// Whether the search ends when something depends on a value that nobody fixed.
    pub stop_open: bool,
    /// Which search decides.
    pub engine: Engine,
    /// How many threads search one state graph (the race graph only). The answer does not depend on it.
    pub jobs: usize,
    /// Whether the race graph is searched with sleep sets. Without them, it takes longer.
    pub sleep_sets: bool,
    /// Whether identical threads take their first steps in one order only (the race graph only). Without it, it takes
    /// longer.
    pub symmetry: bool,
    /// Whether a `taskloop` is split in all legal ways. Without it, in as many as are enough where tasks leave their private
    /// variables as they are; where they do not, the search is done again with it.
    pub all_splits: bool,
    /// After how many transitions a search of the race graph looks at its limits.
    pub look: u64,
    /// A search of the race graph that a limit ended, to go on with: the first search takes it.
    pub resume: Option<Handed>,
    /// Whether the lockset search remembers states. Without it, programs whose states repeat are not decided.
    pub stateful: bool,
}

/// Something that one of several takes.
pub type Handed = std::sync::Arc<std::sync::Mutex<Option<Saved>>>;

/// The searches that [`check`] can use. They give the same verdicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Engine {
    /// The race-detecting state graph of P1: [`search`].
    #[default]
    RaceGraph,
    /// The search with locksets of P2: [`lockset`].
    Lockset,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            args: vec!["program".into()],
            threads: 2,
            budget: base::Budget::default(),
            max_states: None,
            further: None,
            max_instructions: None,
            max_depth: None,
            max_asked: None,
            stop_open: false,
            engine: Engine::default(),
            jobs: 1,
            sleep_sets: true,
            symmetry: true,
            all_splits: false,
            look: 4096,
            resume: None,
            stateful: true,
        }
    }
}

/// Why a search could not decide.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Unknown {
    /// The reason.
    pub reason: base::Reason,
    /// Where, if it has a place.
    pub place: Option<base::Place>,
    /// What alone it leaves open; nothing means everything.
    pub about: Option<base::Property>,
}

impl Unknown {
    /// For a reason that leaves everything open.
    pub fn new(reason: impl Into<base::Reason>, place: Option<base::Place>) -> Unknown {
        Unknown { reason: reason.into(), place, about: None }
    }

    /// The limit that ended the search, if one did.
    pub fn limit(&self) -> Option<Limit> {
        self.reason.limit()
    }

    /// What the front end could not translate faithfully.
    pub(crate) fn remarks(module: &ir::Module) -> impl Iterator<Item = Unknown> {
        let reason = |what: &String| base::Reason::NotTranslated { what: what.clone() };
        module.remarks.iter().map(move |what| Unknown::new(reason(what), None))
    }

    /// The same, for a reason that leaves one question open.
    pub fn about(self, property: base::Property) -> Unknown {
        Unknown { about: Some(property), ..self }
    }

    /// Whether it leaves this open.
    pub fn concerns(&self, property: base::Property) -> bool {
        self.about.is_none_or(|about| about == property)
    }
}

/// What a search found out about one set of inputs.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// Races, each replayed.
    pub races: Vec<base::Race>,
    /// Other defects, each replayed.
    pub defects: Vec<base::Defect>,
    /// Why the search is not complete, if it is not.
    pub unknown: Vec<Unknown>,
    /// What the verdict rests on beyond what always holds.
    pub assumptions: Vec<String>,
    /// There are more races, or defects, than are kept.
    pub cut: (bool, bool),
    /// Whether identical threads were taken to be exchangeable, and some order of them was not explored therefore.
    pub symmetric: bool,
    /// Figures. Times and process memory are for the caller to fill in.
    pub stats: base::Stats,
    /// What is needed to go on, if a limit ended a search of the race graph before it had found anything.
    pub left: Option<std::sync::Arc<Saved>>,
}

/// Checks a program for one set of inputs.
///
/// # Errors
/// If the module cannot be run at all.
pub fn check(
    module: &ir::Module,
    config: &Config,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Outcome, machine::LoadError> {
    if config.engine == Engine::Lockset {
        return lockset::check(module, config, progress);
    }
    let inputs = machine::Inputs { args: config.args.clone(), threads: config.threads };
    let mut program = machine::Program::load(module, &inputs)?;
    let mut mode = machine::Mode::default();
    let mut first = Config { stop_open: true, resume: None, ..config.clone() };
    let resumed = config.resume.as_ref().and_then(|handed| handed.lock().ok()?.take());
    let mut asked_threads = false;
    if let Some(saved) = &resumed {
        (mode.branch_barriers, mode.piece_orders, first.symmetry, first.all_splits) = saved.how;
        asked_threads = saved.asked_threads;
        module.reached_before(&saved.reached);
    }
    let mut found = parallel::search(module, &program, mode, &first, resumed, progress);
    while (found.barrier_order && !mode.branch_barriers)
        || (found.broken() && first.symmetry)
        || found.wants_all_splits()
        || (found.wants_orders() && !mode.piece_orders)
    {
        mode.branch_barriers |= found.barrier_order;
        first.all_splits |= found.wants_all_splits();
        mode.piece_orders |= found.wants_orders();
        first.symmetry &= !found.broken();
        found = parallel::search(module, &program, mode, &first, None, progress);
    }
    asked_threads |= program.asked_thread_count();
    let how = (mode.branch_barriers, mode.piece_orders, first.symmetry, first.all_splits);
    let left =
        found.left.take().map(|saved| Saved { how, asked_threads, reached: module.reached(), ..*saved });
    let symmetric = found.held_back;
    let mut outcome = if found.open && found.limit.is_none() {
        let config = Config { all_splits: first.all_splits, ..config.clone() };
        inputs::check(module, &mut program, mode, &config, found, progress)
    } else if found.skipped(mode).is_some() {
        first.all_splits |= found.splits.left_out && found.splits.matter;
        let beyond = machine::Mode { piece_orders: mode.piece_orders | found.order_matters, ..mode };
        let shown = elaborate::elaborate(&program, mode, found, config.budget);
        let again = parallel::search(module, &program, beyond, &first, None, progress);
        beside(shown, &program, beyond, again, config.budget)
    } else {
        found.tell_limit();
        elaborate::elaborate(&program, mode, found, config.budget)
    };
    outcome.symmetric = symmetric;
    // What the front end could not translate faithfully is not safe by omission.
    outcome.unknown.extend(Unknown::remarks(module));
    outcome.stats.asked_threads = asked_threads | program.asked_thread_count();
    outcome.left = left.map(std::sync::Arc::new);
    Ok(outcome)
}

/// Defects were found in some of the executions: with what a search of all of them found, the answer about races.
fn beside(
    shown: Outcome,
    program: &machine::Program,
    mode: machine::Mode,
    mut all: findings::Found,
    budget: base::Budget,
) -> Outcome {
    // What depends on inputs is looked at by whoever follows them.
    if all.open || all.barrier_order || all.broken() {
        return shown;
    }
    all.tell_limit();
    let mut outcome = elaborate::elaborate(program, mode, all, budget);
    let known = |defect: &base::Defect| {
        shown.defects.iter().any(|d| d.kind == defect.kind && d.location == defect.location)
    };
    outcome.defects.retain(|defect| !known(defect));
    outcome.defects.splice(0..0, shown.defects);
    outcome.defects.sort_by(|a, b| (&a.location, a.kind).cmp(&(&b.location, b.kind)));
    outcome.stats.states += shown.stats.states;
    outcome.stats.transitions += shown.stats.transitions;
    outcome.stats.executions += shown.stats.executions;
    outcome.stats.instructions += shown.stats.instructions;
    outcome.stats.depth = outcome.stats.depth.max(shown.stats.depth);
    outcome
}
