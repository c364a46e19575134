//! The search with locksets (P2: Elmas, Qadeer, Tasiran, "Precise race detection and efficient model checking using
//! locksets").
//!
//! *Paper.* Figures 5 to 7 for the search ([`search`], [`stored`]), figure 8 for the rules ([`rules`]), section 7 for the
//! lockset table and the shadow indices ([`table`]).
//! *Algorithm.* Depth first. From a state, one thread alone is scheduled, as if no other order mattered; every operation
//! is remembered with its lockset and its node. When a thread comes to an operation that conflicts with an earlier one and
//! is not ordered after it, the earlier one may have come too early: at its node, all other threads are scheduled too. Races
//! are found on each path by the rules, exactly.
//! *Deviations.* (1) What is scheduled are the synchronisation operations: the accesses between them run along, since they
//! can be exchanged with everything unless they race, and a race ends the matter. (2) Taking a lock is optimistic as well,
//! where P2 schedules everybody at every acquire: two acquires of one lock conflict, an acquire and a release cannot be
//! enabled together. (3) Where a state was explored before with other locksets, P2 goes on with the intersection, and may see
//! a race that no path has. Here both are kept, and each path has its own locksets. (4) `rtable` holds all operations that
//! can follow, not those that raced, so that it does not depend on the locksets. (5) Addresses and threads are numbered by
//! the machine so that schedules do not tell them apart; there is no further renaming.
//! *Guarantee.* As for the race graph: see `docs/soundness.md`.

pub mod rules;
pub mod search;
pub mod stored;
pub mod table;

use crate::{Config, Outcome, Progress, Unknown, elaborate};

/// Checks a program for one set of inputs.
///
/// # Errors
/// If the module cannot be run at all.
pub fn check(
    module: &ir::Module,
    config: &Config,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Outcome, machine::LoadError> {
    let inputs = machine::Inputs { args: config.args.clone(), threads: config.threads };
    let program = machine::Program::load(module, &inputs)?;
    // A thread that is left alone must not perform its operations unseen: they may have come too late.
    let mut mode = machine::Mode { histories: false, shortcuts: false, ..machine::Mode::default() };
    let mut found = search::Search::new(&program, mode, config, progress).run();
    let mut config = config.clone();
    while (found.barrier_order && !mode.branch_barriers)
        || (found.wants_orders() && !mode.piece_orders)
        || found.wants_all_splits()
    {
        mode.branch_barriers |= found.barrier_order;
        mode.piece_orders |= found.wants_orders();
        config.all_splits |= found.wants_all_splits();
        found = search::Search::new(&program, mode, &config, progress).run();
    }
    found.tell_limit();
    found.unknown.extend(Unknown::remarks(module));
    Ok(elaborate::elaborate(&program, mode, found, config.budget))
}
