//! Without LLVM there is nothing to compile with.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Result;
use base::{Budget, Build, BuildUnit};
use decide::{Error, Programs};

use crate::request::CheckRequest;

/// Whether there is a front end.
pub const BUILT_IN: bool = false;

/// No program.
pub struct Compiled;

impl Compiled {
    /// What the request is about.
    pub fn prepare(_request: &CheckRequest) -> Result<Compiled, Error> {
        Err(Error::NotBuiltIn)
    }

    /// A program.
    pub fn new(_inputs: &[PathBuf], _flags: &[String], _build: &Build, _budget: Budget) -> Compiled {
        Compiled
    }

    /// What the user should know of how it was compiled.
    pub fn warnings(&self) -> Vec<String> {
        Vec::new()
    }

    /// What identifies a question about it.
    pub fn key(&self, _question: &str) -> Option<String> {
        None
    }
}

impl Programs for Compiled {
    fn module(&mut self, _defines: &[String]) -> Result<&mut ir::Module, Error> {
        Err(Error::NotBuiltIn)
    }
}

/// Bitcode and directives of one file.
pub fn unit(_file: &Path, _unit: &BuildUnit) -> Result<(Vec<u8>, ir::Directives), String> {
    Err(Error::NotBuiltIn.to_string())
}

/// The files of these that define `main`: all that seem to.
pub fn defining_main(units: &[(PathBuf, PathBuf, Vec<String>)]) -> Result<BTreeSet<PathBuf>> {
    Ok(units.iter().map(|(file, ..)| file.clone()).collect())
}
