//! Before a `race-free` is shown, whoever decided it, the judge tries to contradict it.
//!
//! [`Judging::judge`] is the one way from an engine's outcome to a report.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use base::reason::Internal;
use base::{Budget, Property};
use explore::{Outcome, Unknown};
use judge::{Claim, Contradiction, Judged, Refuted, Request};
use sha2::{Digest, Sha256};

/// The judge may take this part of the time that the rest of the check took.
const PART: u32 = 4;

/// How hard a verdict `race-free` is tried before it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Judge {
    /// For a part of the time that deciding took.
    #[default]
    Part,
    /// With so many random executions.
    Runs(u64),
    /// Not at all.
    Off,
}

/// The judge of one check.
#[derive(Clone)]
pub(crate) struct Judging {
    setting: Judge,
    /// When the check began.
    started: Instant,
    /// How long the judge has taken.
    spent: Duration,
    /// How long one core was at work alone, for the compiler.
    alone: Duration,
}

impl Judging {
    /// For a check that began at this time.
    pub fn new(setting: Judge, started: Instant) -> Judging {
        Judging { setting, started, spent: Duration::ZERO, alone: Duration::ZERO }
    }

    /// The compiler has taken so long.
    pub fn compiled(&mut self, time: Duration) {
        self.alone += time;
    }

    /// The outcome of an engine; if it finds nothing, what contradicts that, if something does.
    pub fn judge(
        &mut self,
        module: &ir::Module,
        config: &explore::Config,
        claim: Option<Claim>,
        mut outcome: Outcome,
    ) -> Result<Outcome, machine::LoadError> {
        let open = |p: Property| outcome.unknown.iter().any(|u| u.concerns(p));
        let free = outcome.races.is_empty() && !open(Property::Races);
        // Where some are known, or may be, others contradict nothing.
        let defects = outcome.defects.is_empty() && outcome.unknown.is_empty();
        let Some((runs, budget)) = self.allowance(config.budget, config.jobs).filter(|_| free) else {
            return Ok(outcome);
        };
        let began = Instant::now();
        let (args, threads, seed, jobs) = (&config.args, config.threads, judge::SEED, config.jobs.max(1));
        let judged =
            judge::judge(&Request { module, args, threads, defects, claim, seed, runs, budget, jobs })?;
        self.spent += began.elapsed();
        outcome.stats.judge_runs = judged.runs;
        tell(module, judged, &mut outcome);
        Ok(outcome)
    }

    /// How many runs there may be, and what they may use; nothing if none.
    fn allowance(&self, budget: Budget, jobs: usize) -> Option<(u64, Budget)> {
        match self.setting {
            Judge::Off => None,
            // The bounds that follow need time, too.
            Judge::Runs(runs) => Some((runs, budget.part(2))),
            Judge::Part => {
                // The judge uses all cores, like what it tries; so where one was busy, it takes a part of that one's time.
                let others = self.started.elapsed().saturating_sub(self.spent + self.alone);
                let others = others + self.alone / jobs.clamp(1, 1 << 10) as u32;
                Some((u64::MAX, budget.until((others / PART).saturating_sub(self.spent))))
            }
        }
    }
}

/// What contradicts an outcome goes in its place.
fn tell(module: &ir::Module, judged: Judged, outcome: &mut Outcome) {
    match judged.refuted {
        None => return,
        Some(Refuted::Race(race)) => outcome.races.push(*race),
        Some(Refuted::Defect(defect)) => outcome.defects.push(*defect),
        Some(Refuted::Error(error)) => {
            let kept = keep(module, &error);
            let file = kept.map(|path| path.display().to_string()).map_err(|why| why.to_string());
            let reason = Internal::Contradicted { what: error.reason.clone(), file };
            outcome.unknown.push(Unknown::new(reason, error.place.clone()));
        }
    }
    // They were those of a verdict that does not hold.
    outcome.assumptions.clear();
}

/// Writes down what reproduces a contradiction; where.
fn keep(module: &ir::Module, error: &Contradiction) -> std::io::Result<PathBuf> {
    let mut file = serde_json::to_value(error)?;
    let hash = Sha256::digest(format!("{module:?}").as_bytes());
    let program: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    file["program"] = program.clone().into();
    file["raceproof"] = env!("CARGO_PKG_VERSION").into();
    let name = format!("raceproof-judge-{}-{}.json", &program[..12], error.run);
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, serde_json::to_string_pretty(&file)? + "\n")?;
    Ok(path)
}
