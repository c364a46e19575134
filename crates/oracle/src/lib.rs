//! The brute-force oracle: tiny concurrent programs whose answer is known because every interleaving was tried.
//!
//! Only for tests. This crate depends on no other crate of raceproof, so that it can share no mistake with the checker:
//! a [`program`] is generated at random from a seed ([`generate`]), printed as C ([`print`]), judged by exhaustive
//! search ([`explore`]), and the checker's answer about the C file is held against that ([`compare`]). A program on
//! which they differ is made smaller ([`shrink`]). [`native`] holds the oracle itself against real runs.
//! [`openmp`] does the same for OpenMP, over all schedules and all distributions of work; [`case`] is either kind.
//! [`memory`] are OpenMP programs with pointers, own objects, ends of objects, locks as objects, functions, nested regions, teams, task
//! pools and lanes.
//! [`inputs`] adds inputs, of which the oracle tries every value.
//! What follows is about programs with threads; the semantics of OpenMP is described there.
//!
//! # Semantics
//!
//! An execution is a sequence of *steps*, each of one thread, on one sequentially consistent memory. Steps are: a read
//! or write of a plain variable (`x = x + 1` is a read, then a write), every synchronisation operation, every
//! atomic operation and fence, an assertion, creating and joining a thread. Work on registers happens together with the thread's step
//! before it, which no other thread can tell. Everything is initialised before `main` starts (barriers and semaphores:
//! at its very start), so initialisation happens before everything.
//!
//! Happens-before is the smallest transitive relation with:
//! - program order;
//! - creating a thread before the thread's first step, and its last step before the join that returns for it;
//! - an unlock before each later lock of the same mutex; a successful trylock is a lock, a failed one orders nothing;
//! - rwlock: a write unlock before each later lock of either kind, a read unlock before each later write lock;
//! - barrier: all arrivals of a round before all departures of that round; a round is complete when as many threads
//!   have arrived as the barrier's count says;
//! - condition variable: waiting releases the mutex, and locks it again after the wake-up (with the edges of unlock
//!   and lock); a signal or broadcast happens before the return of each waiter that it wakes. A signal wakes one
//!   waiter, any; with no waiter it does nothing. A waiter may also wake by itself at any time, without an edge;
//! - semaphore: each post before each wait that succeeds after it;
//! - atomics: a release write *publishes* the thread's past at the location in place of what was there; a
//!   relaxed one publishes the thread's past at its last release fence (nothing, if it had none), and what the thread itself has
//!   published there by release writes since another thread last stored there (C11). A read-modify-write adds to what is
//!   there, so it continues the release sequence even if relaxed. An acquire read takes over what is published; a
//!   relaxed read keeps it for the thread's next acquire fence. A compare-exchange that fails is a load. Fences of order
//!   acq_rel and seq_cst are both an acquire and a release fence, and nothing more.
//!
//! A *race* is two accesses of one plain variable by different threads, at least one a write, neither before the other
//! in happens-before, in some execution. Executions go on after a race, so that all racing pairs are found.
//!
//! A *deadlock* is a reachable state with an unfinished thread in which no thread can step; waiting on a condition
//! variable counts as blocked here, although such a thread may wake by itself and the execution then goes on; so does locking for
//! reading while a writer waits for readers. A thread that
//! spins can step, so spinning for ever is no deadlock.
//!
//! A failed *assertion* ends its execution.
//!
//! `main` ends with `return` if every thread is joined, and with `pthread_exit` otherwise, so no thread is ever cut off.

#![forbid(unsafe_code)]

pub mod case;
pub mod code;
pub mod compare;
pub mod explore;
pub mod generate;
pub mod inputs;
pub mod memory;
pub mod native;
pub mod openmp;
pub mod print;
pub mod program;
pub mod rng;
pub mod shrink;
pub mod state;

pub use explore::{Outcome, RacyPair, Skipped, explore};
pub use print::{Printed, print};
pub use program::{Order, Program, Stmt, Test, Value};

/// The limit of states above which a program is skipped.
pub const STATE_LIMIT: usize = 300_000;

/// Prints and explores `program` within [`STATE_LIMIT`].
pub fn judge(program: &Program) -> Result<(Printed, Outcome), Skipped> {
    let printed = print(program);
    let outcome = explore(program, &printed, STATE_LIMIT)?;
    Ok((printed, outcome))
}
