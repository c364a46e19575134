//! Native replay: `raceproof replay WITNESS -- PROGRAM`, and what `predict --confirm` does for every finding.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use record::native::{self, Manner, Outcome, Replayed, Schedule};
use record::run::Run;
use serde::{Deserialize, Serialize};

use crate::args::{PredictArgs, ReplayArgs};

/// How long a program may go without a step.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often it is tried: what happens besides the schedule may differ from run to run.
const TRIES: usize = 3;
/// How an answer begins if the program was brought there.
pub const CONFIRMED: &str = "confirmed natively";
/// How it begins if the program went another way.
pub const DIVERGED: &str = "diverged";
/// The version of the file.
const VERSION: u32 = 2;

/// A file for `raceproof replay`.
#[derive(Debug, Serialize, Deserialize)]
struct WitnessFile {
    /// [`VERSION`].
    native_witness: u32,
    raceproof: String,
    /// What it leads to, for people.
    finding: String,
    /// What was recorded.
    command: Vec<String>,
    schedule: Schedule,
}

/// What is done for the findings of a recorded run.
pub struct Natively<'a> {
    /// Whether the program is run again.
    confirm: bool,
    folder: Option<&'a Path>,
    command: Vec<OsString>,
}

impl<'a> Natively<'a> {
    /// What the user asks for.
    pub fn new(args: &'a PredictArgs, run: &Run) -> Result<Natively<'a>> {
        let folder = args.witness.as_deref();
        if let Some(folder) = folder {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("--witness: cannot make the folder `{}`", folder.display()))?;
        }
        let command = match args.command.is_empty() {
            true => run.start.command.iter().map(OsString::from).collect(),
            false => args.command.clone(),
        };
        Ok(Natively { confirm: args.confirm, folder, command })
    }

    /// Whether anything is done at all.
    pub fn is_wanted(&self) -> bool {
        self.confirm || self.folder.is_some()
    }

    /// What there is to say of a finding: whether the program was brought to it, and how to do that again.
    pub fn tell(
        &self,
        name: &str,
        finding: &str,
        schedule: Result<Schedule, &'static str>,
    ) -> Result<Option<String>> {
        if !self.is_wanted() {
            return Ok(None);
        }
        let schedule = match schedule {
            Ok(schedule) => schedule,
            Err(why) => return Ok(Some(format!("not tried: {why}"))),
        };
        let mut said = Vec::new();
        if self.confirm {
            let manner = Manner { shows_output: false, patience: PATIENCE };
            let mut outcome = Outcome::Diverged(String::new());
            for _ in 0..TRIES {
                outcome = native::replay(&schedule, &self.command, manner)?.outcome.clone();
                let apart = matches!(&outcome, Outcome::Diverged(why) if why == native::APART);
                if outcome == Outcome::Confirmed || apart {
                    break;
                }
            }
            said.push(match outcome {
                Outcome::Confirmed => CONFIRMED.to_owned(),
                Outcome::Diverged(why) => format!("{DIVERGED}: {why}"),
            });
        }
        if let Some(folder) = self.folder {
            let file = folder.join(format!("{name}.json"));
            said.push(self.write(&file, finding, schedule)?);
        }
        Ok(Some(said.join("; ")))
    }

    /// The finding is none after all: its file goes.
    pub fn take_back(&self, name: &str) {
        if let Some(folder) = self.folder {
            // There is none if it was not tried.
            let _ = std::fs::remove_file(folder.join(format!("{name}.json")));
        }
    }

    /// Writes a file for `replay`, and says how it is used.
    fn write(&self, file: &PathBuf, finding: &str, schedule: Schedule) -> Result<String> {
        let command: Vec<String> =
            self.command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let typed = format!("raceproof replay {} -- {}", file.display(), command.join(" "));
        let content = WitnessFile {
            native_witness: VERSION,
            raceproof: env!("CARGO_PKG_VERSION").to_owned(),
            finding: finding.to_owned(),
            command,
            schedule,
        };
        let text = serde_json::to_string(&content).context("cannot write a witness")?;
        std::fs::write(file, text + "\n").with_context(|| format!("cannot write `{}`", file.display()))?;
        Ok(typed)
    }
}

/// Runs `raceproof replay WITNESS -- PROGRAM`; the number is the exit code.
pub fn run(args: &ReplayArgs) -> Result<u8> {
    let shown = args.witness.display();
    let text = std::fs::read_to_string(&args.witness).with_context(|| format!("cannot read `{shown}`"))?;
    let file: WitnessFile = serde_json::from_str(&text).with_context(|| {
        format!(
            "`{shown}`: expected a witness of a recorded run, as `raceproof predict --witness DIR` writes it"
        )
    })?;
    if file.native_witness != VERSION {
        bail!("`{shown}`: expected version {VERSION} of a native witness, found {}", file.native_witness);
    }
    let manner = Manner { shows_output: true, patience: PATIENCE };
    let replayed = native::replay(&file.schedule, &args.command, manner)?;
    match &replayed.outcome {
        Outcome::Confirmed => {
            println!("confirmed natively: {}", file.finding);
            if args.gdb {
                debug(&replayed)?;
            }
            Ok(1)
        }
        Outcome::Diverged(why) => {
            println!("diverged: {why}");
            Ok(3)
        }
    }
}

/// Opens gdb on the program, with the threads that are held.
fn debug(replayed: &Replayed) -> Result<()> {
    let process = replayed.process().to_string();
    let mut gdb = Command::new("gdb");
    gdb.args(["-q", "-p", &process]);
    for task in replayed.tasks() {
        gdb.args(["-ex", &format!("thread find LWP {task}")]);
    }
    gdb.args(["-ex", "info threads", "-ex", "thread apply all -q backtrace 6"]);
    gdb.status().context("cannot run gdb")?;
    Ok(())
}
