//! Analyses of traces.
pub mod closure;
