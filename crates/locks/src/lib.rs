//! Which locks a program needs and which it does not: P5 (Nguyen, Serwe, Mateescu, Jenn, "Hunting superfluous locks with
//! model checking", 2019) made automatic, and its converse.

#![forbid(unsafe_code)]

pub mod actl;
mod analyser;
pub mod analysis;
pub mod coenabled;
pub mod drive;
pub mod executions;
pub mod graph;
pub mod hunt;
pub mod judge;
pub mod lnt;
pub mod merge;
pub mod model;
mod own;
pub mod record;
pub mod repair;
pub mod source;
pub mod stretches;
pub mod suggest;
pub mod term;
pub mod variables;
