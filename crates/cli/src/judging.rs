//! Before a `race-free` is shown, whoever decided it, the judge tries to contradict it.
//!
//! [`Judging::judge`] is the one way from an engine's outcome to a report.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use explore::{Outcome, Unknown};
use judge::{Claim, Contradiction, Judged, Refuted, Request};

use crate::args::Judge;

/// The judge may take this part of the time that the rest of the check took.
const PART: u32 = 4;

/// The judge of one check.
pub struct Judging {
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
        let free = outcome.races.is_empty() && outcome.defects.is_empty() && outcome.unknown.is_empty();
        let Some((runs, deadline)) = self.allowance(config).filter(|_| free) else { return Ok(outcome) };
        let began = Instant::now();
        let (args, threads, seed, jobs) = (&config.args, config.threads, judge::SEED, config.jobs.max(1));
        let judged = judge::judge(&Request { module, args, threads, claim, seed, runs, deadline, jobs })?;
        self.spent += began.elapsed();
        outcome.stats.judge_runs = judged.runs;
        tell(module, judged, &mut outcome);
        Ok(outcome)
    }

    /// How many runs there may be, and until when; nothing if none.
    fn allowance(&self, config: &explore::Config) -> Option<(u64, Option<Instant>)> {
        let now = Instant::now();
        let limit = config.time_limit.and_then(|limit| now.checked_add(limit));
        match self.setting {
            Judge::Off => None,
            // The bounds that follow need time, too.
            Judge::Runs(runs) => Some((runs, config.time_limit.and_then(|limit| now.checked_add(limit / 2)))),
            Judge::Part => {
                // The judge uses all cores, like what it tries; so where one was busy, it takes a part of that one's time.
                let others = self.started.elapsed().saturating_sub(self.spent + self.alone);
                let others = others + self.alone / config.jobs.clamp(1, 1 << 10) as u32;
                let end = now + (others / PART).saturating_sub(self.spent);
                Some((u64::MAX, Some(limit.map_or(end, |limit| limit.min(end)))))
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
            let file = match keep(module, &error) {
                Ok(path) => format!("{} reproduces it", path.display()),
                Err(why) => format!("what reproduces it could not be written: {why}"),
            };
            let reason = format!(
                "internal error: a random execution contradicts the verdict race-free: {}; {file}; please report this",
                error.reason
            );
            outcome.unknown.push(Unknown::new(reason, error.place.clone()));
        }
    }
    // They were those of a verdict that does not hold.
    outcome.assumptions.clear();
}

/// Writes down what reproduces a contradiction; where.
fn keep(module: &ir::Module, error: &Contradiction) -> std::io::Result<PathBuf> {
    let mut file = serde_json::to_value(error)?;
    let program = report::witness::sha256(format!("{module:?}").as_bytes());
    file["program"] = program.clone().into();
    file["raceproof"] = env!("CARGO_PKG_VERSION").into();
    let name = format!("raceproof-judge-{}-{}.json", &program[..12], error.run);
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, serde_json::to_string_pretty(&file)? + "\n")?;
    Ok(path)
}
