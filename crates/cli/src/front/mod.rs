//! Compiled programs: all that the command line knows of the front end, and the one place that knows whether there is one.
//!
//! Without the feature `llvm` the same functions exist and say what is missing; nothing else differs between the two builds.

#[cfg(feature = "llvm")]
mod with;
#[cfg(feature = "llvm")]
pub use with::{BUILT_IN, Compiled, defining_main, unit};

#[cfg(not(feature = "llvm"))]
mod without;
#[cfg(not(feature = "llvm"))]
pub use without::{BUILT_IN, Compiled, defining_main, unit};
