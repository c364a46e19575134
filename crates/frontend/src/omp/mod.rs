//! What the language says about OpenMP constructs and LLVM's IR does not.
//!
//! clang lowers OpenMP to calls of its runtime (`__kmpc_*`), and loses on the way what a verdict for every distribution
//! needs. These steps put it back before locals are promoted to registers:
//! - [`places`] asks the table of constructs which directive a piece of code stands for;
//! - [`schedule`] tells loops whose schedule the source fixes from those where it is left open;
//! - [`carried`] keeps private variables in memory that one piece of a loop could leave to the next;
//! - [`first`] lets every thread read what is `firstprivate`;
//! - [`flush`] takes out flushes that only clang asks for;
//! - [`last`] tells where the last iteration writes variables back;
//! - [`loops`] finds the loop variables, for people;
//! - [`nowait`] takes out barriers that only clang asks for;
//! - [`original`] finds initialisers of reductions that read the original variable;
//! - [`pieces`] makes loops of the code that executes the pieces of a construct, and checks what becomes of them;
//! - [`points`] tells of task scheduling points and of `mergeable`, where clang leaves them out;
//! - [`pointers`] and [`region`] tell which stack objects code may touch, and which code executes pieces;
//! - [`simd`] tells where the lanes of `simd` loops begin;
//! - [`taskloop`] tells which `taskloop`s are split in one way only;
//! - [`update`] finds updates that are indivisible or commute.

pub mod carried;
pub mod extremum;
pub mod first;
pub mod flush;
pub mod last;
pub mod library;
pub mod logic;
pub mod loops;
pub mod nowait;
pub mod original;
pub mod pieces;
pub mod places;
pub mod pointers;
pub mod points;
pub mod region;
pub mod schedule;
pub mod simd;
pub mod taskloop;
pub mod untranslated;
pub mod update;

use crate::llvm::{Opcode, Value, ValueKind};

/// The name of the function that a call or invoke calls directly; empty if it calls through a pointer.
pub fn callee_name(instruction: Value<'_>) -> String {
    if !matches!(instruction.opcode(), Some(Opcode::LLVMCall | Opcode::LLVMInvoke)) {
        return String::new();
    }
    let callee = instruction.callee();
    if callee.kind() == ValueKind::LLVMFunctionValueKind { callee.name() } else { String::new() }
}
