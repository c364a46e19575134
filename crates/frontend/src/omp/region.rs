//! Pieces: the parts of a worksharing construct that a thread is handed one after another, and the code that executes them.
//!
//! A construct hands out pieces at its *head*: a loop or `sections` whose mapping is open behind
//! `__kmpc_for_static_init_*`, and again at `__rp_next_piece` ([`super::pieces`]); a dispatched loop at
//! `__kmpc_dispatch_next_*`; a `single`, whose only piece falls to one of the threads, at `__kmpc_single`.

use rustc_hash::{FxHashMap, FxHashSet};

use super::callee_name;
use super::schedule::{self, Bound};
use crate::llvm::{Block, Value};

/// How pieces are handed out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Head {
    /// Behind the call the first one begins; another call asks for the next.
    Static,
    /// The call is come to for every piece.
    Dispatch,
    /// There is one.
    Single,
}

impl Head {
    /// Whether a piece ends at an instruction.
    fn is_end<'m>(self, head: Value<'m>, instruction: Value<'m>) -> bool {
        match self {
            Head::Static => matches!(schedule::bound(instruction), Some(Bound::End)),
            Head::Dispatch => instruction == head,
            Head::Single => callee_name(instruction) == "__kmpc_end_single",
        }
    }
}

/// Whether, and how, pieces begin behind a call.
pub fn head(call: Value<'_>) -> Option<Head> {
    if matches!(schedule::bound(call), Some(Bound::Begin)) {
        return Some(Head::Static);
    }
    let name = callee_name(call);
    if name.starts_with("__kmpc_dispatch_next_") {
        return Some(Head::Dispatch);
    }
    (name == "__kmpc_single").then_some(Head::Single)
}

/// The code that executes pieces.
pub struct Region<'m> {
    /// How they are handed out.
    pub kind: Head,
    /// The call that hands them out.
    pub head: Value<'m>,
    /// The instructions of the pieces.
    pub inside: FxHashSet<Value<'m>>,
}

impl<'m> Region<'m> {
    /// The regions of a function.
    pub fn all(function: Value<'m>) -> Vec<Region<'m>> {
        let calls = function.blocks().flat_map(|b| b.instructions());
        let heads: Vec<_> = calls.filter_map(|call| Some((call, head(call)?))).collect();
        heads.into_iter().map(|(call, kind)| Region::new(function, call, kind)).collect()
    }

    fn new(function: Value<'m>, head: Value<'m>, kind: Head) -> Region<'m> {
        let mut ends = FxHashSet::default();
        let mut inside = FxHashSet::default();
        walk(head, |instruction| {
            if kind.is_end(head, instruction) {
                ends.insert(instruction.parent());
                return false;
            }
            // Another construct, or this one once more.
            let other = instruction == head || schedule::begins_loop(&callee_name(instruction));
            if !other {
                inside.insert(instruction);
            }
            !other
        });
        if kind != Head::Static {
            // The ways that leave the construct begin at its head, too.
            let back = reaching(function, &ends, head.parent());
            inside.retain(|i: &Value<'m>| back.contains(&i.parent()));
        }
        Region { kind, head, inside }
    }
}

/// Walks the instructions that can follow one, each at most once, and behind none for which `go_on` says no.
pub fn walk<'m>(from: Value<'m>, mut go_on: impl FnMut(Value<'m>) -> bool) {
    let mut seen = FxHashSet::default();
    let mut stack = vec![(from.parent(), Some(from))];
    while let Some((block, after)) = stack.pop() {
        if after.is_none() && !seen.insert(block) {
            continue;
        }
        if rest(block, after).all(&mut go_on) {
            stack.extend(block.successors().into_iter().map(|b| (b, None)));
        }
    }
}

/// The instructions of a block, or those behind one of them.
fn rest<'m>(block: Block<'m>, after: Option<Value<'m>>) -> impl Iterator<Item = Value<'m>> {
    let mut waiting = after;
    block.instructions().filter(move |i| match waiting {
        Some(last) => {
            if *i == last {
                waiting = None;
            }
            false
        }
        None => true,
    })
}

/// The blocks from which control can come to one of some blocks, without passing the head or the beginning of a construct.
fn reaching<'m>(function: Value<'m>, to: &FxHashSet<Block<'m>>, head: Block<'m>) -> FxHashSet<Block<'m>> {
    let mut before: FxHashMap<Block<'m>, Vec<Block<'m>>> = FxHashMap::default();
    for block in function.blocks() {
        for next in block.successors() {
            before.entry(next).or_default().push(block);
        }
    }
    let begins = |b: Block<'m>| b.instructions().any(|i| schedule::begins_loop(&callee_name(i)));
    let mut found = FxHashSet::default();
    let mut stack: Vec<_> = to.iter().copied().collect();
    while let Some(block) = stack.pop() {
        let passes = block == head && !to.contains(&head);
        if !passes && !begins(block) && found.insert(block) {
            stack.extend(before.get(&block).into_iter().flatten().copied());
        }
    }
    found
}
