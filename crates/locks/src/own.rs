//! What a thread of a team has for itself: its thread-local variables, and its variables in the innermost region.

use machine::Thread;
use machine::memory::layout::{Layout, RegionId};

/// Whether an address is in something that the thread has for itself.
pub fn is_own(layout: Layout, t: usize, th: &Thread, address: u64) -> bool {
    let region = layout.region(address);
    if layout != Layout::Wide || region != RegionId::stack(t) {
        return layout == Layout::Wide && region == RegionId::tls(t);
    }
    begun(th).is_some_and(|first| Layout::wide_index(address) as u64 >= first)
}

/// Which object of its stack is the first that a thread has for itself in its innermost region.
fn begun(th: &Thread) -> Option<u64> {
    // Regions of one thread may have no function of their own: then it is not clear where the innermost begins.
    let mut seats = th.omp.seats.iter().filter(|s| s.home >> 62 == 0);
    if seats.clone().any(|s| s.size == 1) {
        return None;
    }
    // A worker has one object of the runtime's more than the thread that forked.
    let more = u64::from(seats.next_back().is_some_and(|s| s.number > 0));
    Some(th.frames.iter().rev().find(|f| f.runtime)?.height as u64 + more)
}
