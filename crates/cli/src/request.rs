//! What `check` and its kin are to do, resolved; and the one run that `triage` looks at.

use std::path::PathBuf;

use base::{Bound, Budget, Build};
use decide::engines::{self, Turn};
use decide::{Error, Judge, Programs, SearchLimits};

use crate::args::Engine;
use crate::front::Compiled;

/// What `check` is to do.
#[derive(Debug, Clone)]
pub struct CheckRequest {
    /// The files that together are the program.
    pub inputs: Vec<PathBuf>,
    /// How they are compiled, and what is called, as far as a build or the user says so.
    pub build: Build,
    /// Flags for clang.
    pub flags: Vec<String>,
    /// The bounds to go through, in order; those with equal macros stand together.
    pub bounds: Vec<Bound>,
    /// When to stop.
    pub limits: Limits,
    /// What decides.
    pub engine: Engine,
    /// How hard a verdict `race-free` is tried.
    pub judge: Judge,
    /// What an answer is demanded about.
    pub properties: Vec<base::Property>,
    /// The user did not say how many threads: where only a search can decide, the first number must do.
    pub threads_open: bool,
}

/// When to stop with `unknown`.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Time, memory and instructions of everything.
    pub budget: Budget,
    /// Limits of searches.
    pub search: SearchLimits,
}

impl CheckRequest {
    /// The same for whoever decides.
    pub fn to_decide(&self) -> decide::Request {
        decide::Request {
            inputs: self.inputs.clone(),
            build: self.build.clone(),
            flags: self.flags.clone(),
            bounds: self.bounds.clone(),
            budget: self.limits.budget,
            limits: self.limits.search,
            turns: turns(self.engine),
            judge: self.judge,
            threads_open: self.threads_open,
            first_only: false,
            properties: self.properties.clone(),
        }
    }

    /// What decides the answer beside the compiled program; limits of time and memory do not, since no answer of theirs is kept.
    pub fn question(&self) -> String {
        let raceproof = crate::cache::this_raceproof();
        format!("{raceproof}\n{:?}\n{}", self.limits.search.states, self.options())
    }

    /// The options that decide the answer; with a larger limit of states it is the same question.
    pub fn options(&self) -> String {
        let directory = std::env::current_dir().unwrap_or_default();
        format!(
            "{directory:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{}\n",
            self.inputs,
            self.build,
            self.flags,
            self.bounds,
            self.engine,
            self.judge,
            self.properties,
            self.limits.search.depth,
            self.threads_open,
        )
    }
}

/// Who is asked.
fn turns(engine: Engine) -> Vec<Turn> {
    match engine {
        Engine::Auto => engines::TURNS.to_vec(),
        Engine::OneRun => engines::named(&["one-run", "prediction"]),
        Engine::RaceGraph => engines::named(&["race-graph"]),
        Engine::Lockset => engines::named(&["lockset"]),
    }
}

/// Runs the program once under the first bound: the trace, which of its reads steer control, and why it ends early.
pub fn record_for_triage(
    request: &CheckRequest,
    compiled: &mut Compiled,
) -> Result<(trace::Trace, triage::Steering, Option<String>), Error> {
    let Some(bound) = request.bounds.first() else { return Err(Error::Input("there is no bound".into())) };
    let module = compiled.module(&bound.defines)?;
    decide::set_bound(module, bound);
    let args = decide::program_args(&request.inputs, bound);
    let run = explore::record::record(module, &args, bound.threads, request.limits.budget)?;
    let steering = triage::steering::of_run(module, &run.trace, &run.accesses);
    Ok((run.trace, steering, run.cut.as_ref().map(report::reason::words)))
}
