//! The program as the machine runs it: compact, pre-decoded, with everything resolved that can be.
//!
//! # Values
//! A value lives in consecutive 64-bit *slots* of its frame. Every slot holds one scalar, zero-extended:
//! an integer of up to 64 bits, a pointer, a `float` (its bits in the low half), a `double`. An integer of 65 to 128
//! bits takes two slots (low, high); so does a `long double` (significand, sign and exponent). A vector takes the
//! slots of its lanes one after the other, an aggregate those of its leaves in order. The front end expands vector
//! and aggregate operations into scalar ones, so the machine knows scalars only.
//!
//! # Operands
//! An [`Opnd`] names a slot of the current frame or an entry of the function's constant pool. Two-slot operands name
//! their first slot; the second follows it (in the pool too).
//!
//! # Invariants
//! - every slot index is below [`Body::slots`]; every edge, pool, argument and place index is in range: see
//!   [`verify::verify`], which the front end runs on everything it makes;
//! - a slot holds a value of a single scalar type, zero-extended, at every point where it is read;
//! - instruction 0 is the entry, and the last instruction of a body never falls through.

#![forbid(unsafe_code)]

pub mod code;
mod coverage;
pub mod directives;
pub mod hammock;
pub mod liveness;
pub mod module;
pub mod names;
pub mod verify;

pub use code::*;
pub use coverage::Sites;
pub use directives::{Directive, Directives};
pub use module::*;
