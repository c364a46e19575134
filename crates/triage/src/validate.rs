//! Validation (P3 section 5.1): which apparent races are feasible, and which are tangled.
//!
//! *View of segments*, as P3 has it. Feasible means: some schedule brings both segments, unchanged, to overlap.
//! - Theorem 5.1: feasible if G_D has no path from `a_f` to `b_s` nor from `b_f` to `a_s`.
//! - Theorem 5.3: feasible if G_E has no path from `a_f` to `b_f` nor from `b_f` to `a_f`.
//! - Tangled: `a_f` and `b_s` (or `b_f` and `a_s`) lie in one strongly connected component of G_D. Theorem 5.2: of the races
//!   of a tangle at least one is feasible.
//!
//! *Views of accesses*. Feasible means more: some schedule leads to a state in which both accesses are about to happen.
//! A computation event here is an access with what its thread did before it, so that the access itself happens whatever
//! value it reads. The theorems become:
//! - 5.1 and 5.3: feasible if G_D, or G_E, has no path from `a` to `b_s` nor from `b` to `a_s`. (From `a` and not from `a_f`:
//!   P3's events last, an access does not.) Proof for G_E: let X be all that G_E reaches from `a` and `b`. Do the events
//!   outside of X in their actual order. They are closed under program order and synchronisation, and a read among them
//!   whose value steers control observes what it observed, for its write is outside of X and no other came between. So
//!   all of them happen, and then `a` and `b` come next, because `a_s` and `b_s` are outside of X. G_E with assumed edges
//!   contains the actual one, so the absence of paths in it is enough; and G_D contains G_E.
//! - Tangle: the races with both accesses in one strongly connected component of G_D, where not all of them are validated.
//!   5.2: take the one whose later access `b` came earliest in the actual run. If it were infeasible, the actual G_E would
//!   have a path from `a` to `b_s`, with a dependence between unordered `c` and `d` in it; the assumed edge from `b` to `a`
//!   puts these into the same component, and `d` came before `b`: a contradiction.
//!   In the order of the run there are no cycles, so no tangles either: what is not validated is *unproven*.

use crate::graph::{Chains, Components, Reach};
use crate::{Feasibility, View};

/// Both graphs with what reaches what.
pub(crate) struct Graphs<'a> {
    pub chains: &'a Chains,
    pub data: Components,
    pub data_reach: Reach,
    pub control_reach: Reach,
    /// G_E for ordering: with the outcomes of races in the order of the run ([`mod@crate::model`]).
    pub cause: Components,
    pub cause_reach: Reach,
    pub view: View,
}

impl Graphs<'_> {
    /// The node by which it shows whether an event is controlled: the event itself, or what comes before an access.
    pub fn target(&self, node: u32) -> u32 {
        match self.view {
            View::Segments => node,
            View::Accesses | View::Run => self.chains.prev[node as usize],
        }
    }

    /// Whether the event at `a` can event-control the one at `c`, or could by the outcome of a race. Within a segment it
    /// can (conservatively).
    pub fn causes(&self, a: u32, c: u32) -> bool {
        self.cause_reach.reaches(self.chains, a, self.target(c))
    }

    fn no_path(
        &self,
        graph: &Reach,
        from: impl Fn(u32) -> u32,
        to: impl Fn(u32) -> u32,
        ends: [u32; 2],
    ) -> bool {
        let path = |a: u32, b: u32| graph.reaches(self.chains, from(a), to(b));
        !path(ends[0], ends[1]) && !path(ends[1], ends[0])
    }

    /// What validation says of a race; a tangled one with its component.
    pub fn validate(&self, ends: [u32; 2]) -> (Feasibility, Option<u32>) {
        let (prev, next) = (|n: u32| self.chains.prev[n as usize], |n: u32| self.chains.next[n as usize]);
        let itself = |n: u32| n;
        let (by_data, by_control) = match self.view {
            View::Segments => (
                self.no_path(&self.data_reach, next, prev, ends),
                self.no_path(&self.control_reach, next, itself, ends),
            ),
            View::Accesses | View::Run => (
                self.no_path(&self.data_reach, itself, prev, ends),
                self.no_path(&self.control_reach, itself, prev, ends),
            ),
        };
        let tangle = self.tangle(ends);
        match (by_data, by_control, tangle) {
            (true, _, _) => (Feasibility::NoDependence, tangle),
            (_, true, _) => (Feasibility::NoControl, tangle),
            (_, _, Some(_)) => (Feasibility::Tangled, tangle),
            (_, _, None) => (Feasibility::Unproven, tangle),
        }
    }

    /// The component of G_D that tangles a race.
    fn tangle(&self, [a, b]: [u32; 2]) -> Option<u32> {
        let component = |n: u32| self.data.of[n as usize];
        let own = component(a);
        if own != component(b) {
            return None;
        }
        if self.view != View::Segments {
            return Some(own);
        }
        let (prev, next) = (|n: u32| self.chains.prev[n as usize], |n: u32| self.chains.next[n as usize]);
        let through = |a: u32, b: u32| component(next(a)) == own && component(prev(b)) == own;
        (through(a, b) || through(b, a)).then_some(own)
    }
}
