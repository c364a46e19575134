//! Names for what accesses touch.

use crate::debug::Paths;
use crate::llvm::Module;
use crate::llvm::meta::NoteKind;

/// The kind of the notes that hold names.
pub fn note_kind(llvm: &Module) -> NoteKind {
    llvm.note_kind("raceproof.name")
}

/// Puts the accessed expression on every access.
pub fn annotate(_llvm: &Module, _paths: &Paths) {}
