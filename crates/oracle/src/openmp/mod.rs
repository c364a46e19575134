//! Tiny OpenMP programs, judged over all schedules *and* all distributions of work that the language allows.
//!
//! As with threads: a [`program`] is generated from a seed ([`generate`]), printed as C ([`print`]), explored by brute
//! force ([`explore`]), compared with the checker, run natively ([`native`]), made smaller ([`shrink`]).
//!
//! # Semantics
//!
//! OpenMP 5.2 as clang 19 supports it, on one sequentially consistent memory. Steps are those of the crate's documentation.
//!
//! *Distributions.* `schedule(static)` gives blocks as equal as possible, the first ones larger (what LLVM's runtime does;
//! the language leaves the sizes open); `static, c` is round robin. `dynamic, c`: chunks of c, each to any thread. `guided, c`:
//! chunks of any size from c on, the last one aside, each to any thread. No clause, `auto` and `runtime`: each iteration to any
//! thread. A section and a `single` go to any thread. Each thread does what it got in any order, but for `static` and `ordered`
//! loops (5.2, 11.5.3). Nothing ties a share to who came first.
//!
//! *Tasks* are tied. A thread may begin one, or resume one of its own, at a task scheduling point: behind the creation and
//! the end of a task, in `taskwait`, `taskyield`, at the end of a taskgroup, in barriers, within the task scheduling
//! constraint. An undeferred task is executed by its creator.
//!
//! *Happens-before* is the smallest transitive relation with:
//! - what one thread does, in its order, whatever tasks it does it for;
//! - the fork before what the team does, all of that before the join; all arrivals at a barrier, the ends of all tasks
//!   of the team and its reductions before all departures;
//! - `critical` and locks as mutexes; `omp_test_lock` that fails orders nothing;
//! - atomics as in C11 by their memory order, relaxed without a clause; `flush` is a fence that acquires and releases. (The
//!   flushes that other constructs imply synchronise only through the runtime's own variables: OpenMP 5.2, 1.4.5.)
//! - an ordered region before those of later iterations;
//! - the creation of a task before its start; its end before the parent's next `taskwait` returns, and before the
//!   end of a taskgroup that it was created in, directly or by descendants;
//! - `depend` between siblings: the end of the predecessor before the start of the dependent task. `mutexinoutset` tasks exclude
//!   each other as if by a lock.
//!
//! *Clauses.* `firstprivate` reads the variable on entry (for a task: at its creation). `lastprivate` writes it when the
//! thread of the last iteration is through with the loop. A reduction is combined some time between the end of each
//! thread's part and the next barrier, by a plain access that is ordered after that thread's part only; two of them never race.
//!
//! A *race* is two accesses of one place by different threads, at least one a write, not both atomic, neither before the
//! other in happens-before, in some execution. *Deadlock* and *assertion* are as for threads.

mod access;
mod code;
pub mod explore;
pub mod generate;
pub mod native;
pub mod print;
pub mod program;
mod share;
pub mod shrink;
mod state;
mod tasks;
pub mod valid;

pub use explore::explore;
pub use print::print;
pub use program::{Program, Stmt};
pub use valid::valid;

use crate::explore::{Outcome, Skipped};
use crate::print::Printed;

/// The limit of states above which an OpenMP program is skipped.
pub const STATE_LIMIT: usize = 120_000;

/// Prints and explores `program` within [`STATE_LIMIT`].
pub fn judge(program: &Program) -> Result<(Printed, Outcome), Skipped> {
    let printed = print(program);
    let outcome = explore(program, &printed, STATE_LIMIT)?;
    Ok((printed, outcome))
}
