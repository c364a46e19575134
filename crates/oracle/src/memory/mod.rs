//! Tiny OpenMP programs with memory: pointers, own and allocated objects, locks as objects, functions, nested regions, teams, task pools,
//! lanes.
//!
//! What [`super::openmp`] cannot express and proofs get wrong: objects that belong to a thread and outlive a piece of work, pointers to
//! them, partial results that are handed on in some shape, faults on the side of a short-circuit that a run did not take. As
//! there, a [`program`] is generated from a seed ([`generate`]), printed as C ([`print`]), explored by brute force
//! ([`explore`]), compared with the checker, run natively ([`native`]), made smaller ([`shrink`]).
//!
//! # Semantics
//!
//! OpenMP 5.2 and C11 on one sequentially consistent memory of bytes. An expression reads what it names, one access after the
//! other; `x += e` evaluates e, reads x, writes x. A `struct` is copied as a whole.
//!
//! *Objects.* Static variables are one for the program, `threadprivate` and `_Thread_local` ones one for each thread; threads of
//! regions that follow each other are the same ones, by number. A local belongs to whoever executes its declaration. Allocation never fails. An access
//! through a null pointer, outside of the object or to a freed one, and a division by zero are *faults*, which end the execution. So are a second
//! `free` and one of what was not allocated; of a null pointer it does nothing. `free` and `realloc` write the whole object, also
//! where others race with them; two threads that are both about to touch a freed object race, though neither gets further; `realloc` gives a new one, whose address is never the old one.
//!
//! *Functions* have a parameter and locals of their own, which end with the call, and know no local of the caller.
//!
//! *Locks* that are objects are as good as their address: one that is local to a piece, a call or a thread excludes nobody else. A task that
//! sets what it holds waits for ever. Setting or unsetting one that was destroyed, unsetting what nobody or another thread holds and destroying
//! what is set are faults (`lock-misuse`); a task that unsets what another task of its thread has set is not judged. Making and
//! destroying a lock writes it, every other use reads it atomically.
//!
//! *Order of work.* `schedule(static)` is fixed; of all other loops, `sections`, `single` and `distribute` any thread gets any share, and
//! does its shares in any order (5.2, 11.5.3: nonmonotonic unless `monotonic`, `static` or `ordered` says otherwise; nothing
//! at all is said about sections). A taskloop is split in any way that its clause allows (12.6).
//!
//! *Teams.* Regions nest. A region without `num_threads` has the size that the ICV of the task says, which `omp_set_num_threads` sets for
//! that task alone, and which tasks and regions inherit (2.4). The initial threads of `teams` are contention groups of
//! their own: `critical` excludes within a group only (15.2).
//!
//! *Tasks* are those of [`tasks`](self): a thread at a scheduling point begins or resumes any task that 12.9 lets it.
//!
//! *Lanes.* The iterations of a `simd` loop nearer to each other than `safelen` may be executed at the same time, so that nothing orders their
//! accesses. Their values are those of the order of iterations: where no two of them race, any other order gives the same.
//!
//! *Happens-before*: program order of a thread; fork, join, barriers with the ends of the team's tasks; critical and locks;
//! creation and start of a task, its end and the parent's `taskwait`, the end of its taskgroups. Atomics are relaxed and
//! order nothing. A reduction is combined at the end of each thread's part; two combinations never race.
//!
//! The answer is that of the crate's documentation, with faults beside assertions and deadlocks, and with
//! all final values of static variables ([`crate::Outcome::results`]), within which native runs must lie.

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
mod step;
mod tasks;
pub mod valid;

pub use explore::explore;
pub use generate::Flavour;
pub use print::print;
pub use program::{Program, Stmt};
pub use valid::valid;

use crate::explore::{Outcome, Skipped};
use crate::print::Printed;

/// The limit of states above which a program is skipped.
pub const STATE_LIMIT: usize = 60_000;

/// Prints and explores `program` within [`STATE_LIMIT`].
pub fn judge(program: &Program) -> Result<(Printed, Outcome), Skipped> {
    let printed = print(program);
    let outcome = explore(program, &printed, STATE_LIMIT)?;
    Ok((printed, outcome))
}
