//! Trace-closed partial orders (P4 section 3): the order that every witness over a set of events must keep.
//!
//! [`fenwick`] and [`order`] are the data structure of appendix A, [`problem`] describes a set of events with its
//! constraints, [`close`] computes the closure (algorithms 2 to 4, `InsertAndClose`), [`linear`] turns a closed order
//! into a run (algorithm 1, max-min) after the conflicts outside one chain have been ordered as in the trace
//! (algorithm 5, lines 7 to 10).
//!
//! Nothing here knows traces: a [`problem::Problem`] is chains of nodes. `m2` makes problems out of traces, with
//! observations for prediction and without them for the skeleton question of the proof engine.

pub mod close;
pub mod fenwick;
pub mod linear;
pub mod order;
pub mod problem;
