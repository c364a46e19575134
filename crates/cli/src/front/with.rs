//! Programs that the front end compiles.

use base::reason::{Left, Reason};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Result;
use base::{Budget, Build, BuildUnit};
use decide::{Error, Programs};

use crate::build::kept::{self, Record};
use crate::request::CheckRequest;

/// Whether there is a front end.
pub const BUILT_IN: bool = true;

/// More sets of macros than this are not compiled in advance.
const MOST_SETS: usize = 64;

/// A program, compiled with each set of macros when it is asked for, or before.
pub struct Compiled {
    inputs: Vec<PathBuf>,
    flags: Vec<String>,
    build: Build,
    budget: Budget,
    /// Macros and the files compiled with them.
    sets: Vec<(Vec<String>, frontend::Units)>,
    /// Whether these are all sets of a request.
    whole: bool,
    /// The macros and the program that was asked for last.
    last: Option<(Vec<String>, ir::Module)>,
    seconds: f64,
}

impl Compiled {
    /// A program of which nothing is compiled yet.
    pub fn new(inputs: &[PathBuf], flags: &[String], build: &Build, budget: Budget) -> Compiled {
        Compiled {
            inputs: inputs.to_vec(),
            flags: flags.to_vec(),
            build: build.clone(),
            budget,
            sets: Vec::new(),
            whole: false,
            last: None,
            seconds: 0.0,
        }
    }

    /// Compiles a program with each set of macros that the bounds have.
    pub fn prepare(request: &CheckRequest) -> Result<Compiled, Error> {
        let mut compiled =
            Compiled::new(&request.inputs, &request.flags, &request.build, request.limits.budget);
        let mut names: Vec<&Vec<String>> = request.bounds.iter().map(|bound| &bound.defines).collect();
        names.dedup();
        if names.len() <= MOST_SETS {
            for defines in names {
                match compiled.units(defines) {
                    Ok(units) => compiled.sets.push((defines.clone(), units)),
                    // Whoever asks for the program is told.
                    Err(Error::Unsupported(_)) => return Ok(compiled),
                    Err(error) => return Err(error),
                }
            }
            compiled.whole = true;
        }
        Ok(compiled)
    }

    /// What identifies a question about the program: a hash over all that it is made of. Nothing if not all of it is known.
    pub fn key(&self, question: &str) -> Option<String> {
        if !self.whole {
            return None;
        }
        let mut whole = question.as_bytes().to_vec();
        let mut add = |bytes: &[u8]| {
            whole.extend((bytes.len() as u64).to_le_bytes());
            whole.extend_from_slice(bytes);
        };
        for (defines, units) in &self.sets {
            add(format!("{defines:?}").as_bytes());
            for unit in &units.units {
                add(unit.file.as_os_str().as_encoded_bytes());
                add(&serde_json::to_vec(&unit.directives).unwrap_or_default());
                add(&unit.bytes);
            }
        }
        Some(report::witness::sha256(&whole))
    }

    /// What the user should know of how it was compiled.
    pub fn warnings(&self) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for warning in self.sets.iter().flat_map(|(_, units)| &units.notes) {
            if !all.contains(warning) {
                all.push(warning.clone());
            }
        }
        all
    }

    /// Compiles each file. Of what `raceproof cc` built, only the bitcode is taken.
    fn units(&self, defines: &[String]) -> Result<frontend::Units, Error> {
        let own = |unit: &BuildUnit| frontend::Own {
            directory: PathBuf::from(&unit.directory),
            flags: unit.flags.clone(),
        };
        let mut options = frontend::Options {
            flags: self.flags.clone(),
            defines: defines.to_vec(),
            own: self.build.units.iter().map(own).collect(),
            budget: self.budget,
            ..frontend::Options::default()
        };
        for file in &self.inputs {
            if self.build.units.is_empty() && crate::resolve::is_built(file) {
                let records = kept::read(file).map_err(|e| Error::Input(format!("{e:#}")))?;
                options.ready.extend(records.into_iter().map(ready));
            } else {
                options.files.push(file.clone());
            }
        }
        frontend::units(&options).map_err(told)
    }
}

impl Programs for Compiled {
    fn module(&mut self, defines: &[String]) -> Result<&mut ir::Module, Error> {
        if self.last.as_ref().is_none_or(|(names, _)| names != defines) {
            self.last = None;
            let units = match self.sets.iter().find(|(names, _)| names == defines) {
                Some((_, units)) => units.clone(),
                None => self.units(defines)?,
            };
            let program = frontend::program(units, &self.build.entries).map_err(told)?;
            self.seconds += program.compile_time.as_secs_f64();
            self.last = Some((defines.to_vec(), program.module));
        }
        match &mut self.last {
            Some((_, module)) => Ok(module),
            None => unreachable!("it was just compiled"),
        }
    }

    fn seconds(&self) -> f64 {
        self.seconds
    }
}

fn told(error: frontend::Error) -> Error {
    match error {
        frontend::Error::Compile { output } => Error::Compiler(output),
        frontend::Error::EntryParameter { function, number, what } => {
            Error::Unsupported(Reason::Entry { function, number, what })
        }
        frontend::Error::Late(spent) => Error::Unsupported(Reason::spent(spent, Left::Compiling)),
        other => Error::Input(other.to_string()),
    }
}

/// A record of `raceproof cc` as the front end takes it.
fn ready(record: Record) -> frontend::Unit {
    let file = PathBuf::from(crate::build::shown(Path::new(&record.about.unit.file)));
    let cpp20 = frontend::is_cpp20(&file, &record.about.unit.flags, &record.bitcode);
    let directory = PathBuf::from(&record.about.unit.directory);
    frontend::Unit { file, bytes: record.bitcode, directives: record.directives, directory, cpp20 }
}

/// Bitcode and directives of one file; or what is wrong with it.
pub fn unit(file: &Path, unit: &BuildUnit) -> Result<(Vec<u8>, ir::Directives), String> {
    let own = frontend::Own { directory: PathBuf::from(&unit.directory), flags: unit.flags.clone() };
    let files = vec![file.to_owned()];
    let options = frontend::Options { files, own: vec![own], ..frontend::Options::default() };
    let units = frontend::units(&options).map_err(|error| error.to_string())?;
    let unit = units.units.into_iter().next().unwrap_or_default();
    Ok((unit.bytes, unit.directives))
}

/// The files of these (with the folders and flags of their compilers) that define `main`: macros may hide one that the text has.
pub fn defining_main(units: &[(PathBuf, PathBuf, Vec<String>)]) -> Result<BTreeSet<PathBuf>> {
    let own = |(_, directory, flags): &(PathBuf, PathBuf, Vec<String>)| frontend::Own {
        directory: directory.clone(),
        flags: flags.clone(),
    };
    let options = frontend::Options {
        files: units.iter().map(|(file, ..)| file.clone()).collect(),
        own: units.iter().map(own).collect(),
        ..frontend::Options::default()
    };
    let units = frontend::units(&options).map_err(told)?;
    Ok(units.units.into_iter().filter(|unit| unit.defines("main")).map(|unit| unit.file).collect())
}
