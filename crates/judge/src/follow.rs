//! Following the witness of a finding: one run, its choices given, and the independent replayer as the judge.
//!
//! No search is involved and nothing is forgotten: [`crate::replay`] keeps the clocks, and the finding has to come up at
//! the places, in the threads and in the memory that the report names.

use base::{Defect, Race, Rule, Witness};
use machine::{InputMode, Inputs, LoadError, Mode, Program};

use crate::describe::{defect_of, late_use, race_of};
use crate::replay::{Pair, replay};

/// How a program is run: its arguments, beginning with its name, and the answer to "how many threads should I use?".
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    /// The program.
    pub module: &'a ir::Module,
    /// Its arguments.
    pub args: &'a [String],
    /// How many threads it is told to use.
    pub threads: u32,
}

impl Run<'_> {
    fn load(&self) -> Result<Program<'_>, LoadError> {
        Program::load(self.module, &Inputs { args: self.args.to_vec(), threads: self.threads })
    }
}

/// The race, described from its replay; nothing if the run does not show it.
///
/// # Errors
/// If the module cannot be run at all.
pub fn race(run: &Run<'_>, race: &Race) -> Result<Option<Race>, LoadError> {
    let mut program = run.load()?;
    let witness = &race.witness;
    program.values = values(witness);
    let replayed =
        replay(&program, mode(witness), &witness.choices, moves(witness), Some(Pair::reported(race)));
    Ok(race_of(&replayed, witness.clone()))
}

/// The defect, described from its replay; nothing if the run does not show it.
///
/// # Errors
/// If the module cannot be run at all.
pub fn defect(run: &Run<'_>, defect: &Defect) -> Result<Option<Defect>, LoadError> {
    let mut program = run.load()?;
    let witness = &defect.witness;
    program.values = values(witness);
    let late = Pair::late(defect);
    let is_late = late.is_some();
    let replayed = replay(&program, mode(witness), &witness.choices, moves(witness), late);
    let found = match is_late {
        true => late_use(&replayed, witness.clone()),
        false => defect_of(&replayed, (defect.kind, defect.thread.id as usize), witness.clone()),
    };
    Ok(found.filter(|found| found.location == defect.location))
}

fn mode(witness: &Witness) -> Mode {
    Mode {
        branch_barriers: witness.rules.contains(&Rule::BarriersBranch),
        shortcuts: !witness.rules.contains(&Rule::NoShortcuts),
        piece_orders: witness.rules.contains(&Rule::PieceOrders),
        inputs: if witness.inputs.is_some() { InputMode::Given } else { InputMode::Open },
        ..Mode::default()
    }
}

fn values(witness: &Witness) -> Vec<u64> {
    witness.inputs.iter().flatten().map(|&v| v as u64).collect()
}

fn moves(witness: &Witness) -> u64 {
    witness.moves.unwrap_or(u64::MAX)
}
