//! What the tests of this crate share: the exhaustive oracle and the generator of random traces.
#![allow(dead_code)]

pub mod exhaustive;
pub mod random;
