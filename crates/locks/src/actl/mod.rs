//! Labelled transition systems and a checker for ACTL over them (P5 3.3).
//!
//! *The logic* is action computation tree logic as De Nicola and Vaandrager define it (LITP 1990): state formulas with
//! path quantifiers, whose next and until carry action formulas. Paths are maximal: they end only in deadlocks. With
//! `i` and `tau` as hidden labels, and "a step of {a}" one whose label satisfies `a`:
//!
//! | formula | holds in a state if |
//! |---|---|
//! | `EX{a} f` | some step of {a} leads to a state with f |
//! | `AX{a} f` | there is a step, and every step is of {a} and leads to f |
//! | `E[f {a} U g]` | some path leads through states with f, by hidden steps and steps of {a}, to a state with g |
//! | `E[f {a} U {b} g]` | the same, but the last step is one of {b} (so there is at least one) |
//! | `A[f {a} U g]`, `A[f {a} U {b} g]` | every path does |
//! | `EF{a} f`, `AF{a} f` | `E[true {a} U f]`, `A[true {a} U f]` |
//! | `AG{a} f`, `EG{a} f` | `not EF{a} not f`, `not AF{a} not f` |
//!
//! *Deviation.* `true` as an action formula is satisfied by hidden labels too (there `EX{true}` is "some step"); in the original a
//! hidden step has an operator of its own, which here is `EX{tau}`.
//!
//! *The algorithm* ([`check`]) is local: a system is a function from states to steps ([`System`]), and only states that the
//! answer needs are made. It takes time in proportion to states and steps times the size of the formula, whatever the nesting.

pub mod aut;
pub mod check;
pub mod evidence;
pub mod formula;
pub mod lts;
pub mod parse;

pub use check::{Checker, Limit};
pub use evidence::Evidence;
pub use formula::{Action, Formula};
pub use lts::{Lts, System};
pub use parse::{ParseError, parse};
