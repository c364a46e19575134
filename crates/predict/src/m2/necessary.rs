//! What every witness for a pair contains: a refinement of P4's conditions for completeness (section 5).
//!
//! Every witness has the causal past of the pair. Of each lock it leaves at most one section open, which says more:
//! - a lock that one of the pair's events holds is open there, so all other sections of it are finished;
//! - a section of a third thread is *stuck* if it has no release, or if its release needs one of the pair's events; it
//!   stays open, so all other sections of its lock are finished; two that are stuck on one lock exclude a race.
//!
//! That is repeated with what the releases need in turn. The constraints of `RaceDecision` on this set are necessary if
//! those for sections that may be finished are left out, and a contradiction among them is final. The paper only knows
//! the case in which no third thread has a section open.
//!
//! Guarantee: every witness contains the cone; `None` means that there is no witness.

use super::bits::{Id, NONE};
use super::clocks::Clocks;
use super::cone::{Cone, Releases};
use super::index::{Index, Section};

/// A pair of events with their threads.
#[derive(Debug, Clone, Copy)]
pub struct Pair {
    /// One event.
    pub first: Id,
    /// Its thread.
    pub thread: usize,
    /// The other event.
    pub second: Id,
    /// Its thread.
    pub other: usize,
}

/// What every witness contains.
#[derive(Debug)]
pub struct Necessary {
    /// The events.
    pub cone: Cone,
    /// The acquires of sections that stay open in every witness.
    pub open: Vec<Id>,
    /// Whether these are all that the cone leaves open.
    pub is_settled: bool,
}

/// What every witness for the pair contains, or `None` if there can be no witness (or the index is late).
pub fn necessary(index: &Index<'_>, clocks: &Clocks, pair: Pair) -> Option<Necessary> {
    let mut held: Vec<Section> = Vec::new();
    index.open_sections(pair.thread, pair.first, &mut held);
    index.open_sections(pair.other, pair.second, &mut held);
    let mut locks: Vec<u32> = held.iter().map(|section| section.lock).collect();
    locks.sort_unstable();
    let mut cone = Cone::new(clocks.threads(), [pair.thread, pair.other]);
    cone.add(index, clocks, pair.thread, pair.first, Releases::Forced(&locks));
    cone.add(index, clocks, pair.other, pair.second, Releases::Forced(&locks));
    loop {
        if has_pair(&cone, pair) || index.is_late() {
            return None;
        }
        let open = cone.open_sections(index);
        let stuck: Vec<Section> =
            open.iter().copied().filter(|section| stays_open(index, clocks, pair, &cone, section)).collect();
        let must_end: Vec<Section> = open
            .iter()
            .filter(|one| stuck.iter().any(|other| other.lock == one.lock && other.acquire != one.acquire))
            .copied()
            .collect();
        if must_end.is_empty() {
            let is_settled = stuck.len() == open.len();
            return Some(Necessary {
                cone,
                open: stuck.iter().map(|section| section.acquire).collect(),
                is_settled,
            });
        }
        if must_end.iter().any(|section| stuck.contains(section)) {
            return None;
        }
        for section in &must_end {
            cone.finish(index, clocks, section, Releases::Forced(&locks));
        }
    }
}

/// The cone with all releases of third threads but those of stuck sections.
pub fn generous(index: &Index<'_>, clocks: &Clocks, pair: Pair, mut cone: Cone) -> Cone {
    loop {
        let mut open = cone.open_sections(index);
        open.retain(|section| !stays_open(index, clocks, pair, &cone, section));
        let Some(section) = open.first().filter(|_| !index.is_late()) else { return cone };
        cone.finish(index, clocks, section, Releases::None);
    }
}

/// Whether a section that a necessary cone leaves open is the pair's own or stuck.
fn stays_open(index: &Index<'_>, clocks: &Clocks, pair: Pair, cone: &Cone, section: &Section) -> bool {
    if section.thread == pair.thread || section.thread == pair.other || section.release == NONE {
        return true;
    }
    let mut further = cone.clone();
    further.finish(index, clocks, section, Releases::None);
    has_pair(&further, pair)
}

fn has_pair(cone: &Cone, pair: Pair) -> bool {
    cone.contains(pair.thread, pair.first) || cone.contains(pair.other, pair.second)
}
