//! What every other crate speaks of: places in the source, verdicts, findings and the report of a check.
//!
//! Nothing here computes but [`Budget`], which every engine asks whether to go on. The types are the vocabulary between the engines, which find things, and `report`, which
//! shows them; the JSON that users see is the serialisation of [`CheckReport`].

#![forbid(unsafe_code)]

pub mod budget;
pub mod environment;
pub mod finding;
pub mod reason;
pub mod said;
pub mod source;

pub use budget::Budget;
pub use finding::{
    Access, AccessKind, Allocation, Bound, Build, BuildUnit, CheckReport, Construct, Coverage, Defect,
    DefectKind, DefectsVerdict, Distributions, Frame, Property, Race, RacesVerdict, Rule, SiteKind, Stats,
    Step, Strand, StrandKind, ThreadLabel, Undecided, Unreached, Verdict, Witness,
};
pub use reason::Reason;
pub use said::Said;
pub use source::Place;

/// The version of the JSON schema that [`CheckReport`] serialises to.
pub const SCHEMA_VERSION: u32 = 1;
