//! Minima and maxima that are kept by a branch: updates that commute although they look like control flow.
//!
//! Two forms, as clang's code shows them after locals were promoted. In block `head`, `old = load x` is compared with a
//! value `v`, and the branch goes by that alone.
//! - *Stores*, `if (v > x) x = v;`: one way leads through a block that stores `v` to `x` and does nothing else that could be
//!   noticed; the other leads directly to where that block goes.
//! - *Picks*, `x = v > x ? v : x;`: both ways lead, through blocks that load at most, to a block that picks `old` or `v`
//!   by the way (a phi node) and stores it to `x`. Whoever looks at the store sees only the outcome, so `v` must be
//!   computed from what observers see ([`super::logic`]).
//!
//! Clang loads `x` and `v` again where they are used again. With no store and no call between, the second load gives what
//! the first gave. (Where another thread stores in between, there is a race, which is found as such.)

use ir::{UpdateChoice, UpdateOp};

use super::callee_name;
use super::update::{MAX_DEPTH, equal};
use crate::llvm::{Block, IntPredicate, Opcode, Ordering, RealPredicate, Value};

/// An update by minimum or maximum.
pub struct Extremum<'m> {
    /// Which of them.
    pub op: UpdateOp,
    /// Its form.
    pub form: UpdateChoice,
    /// The loads of the old value.
    pub loads: Vec<Value<'m>>,
    /// The store of the new one.
    pub store: Value<'m>,
    /// The loads of what is compared with the old value, if that goes nowhere else.
    pub feeds: Vec<Value<'m>>,
}

/// The update that the branch at the end of a block decides, if it is one.
pub fn find(head: Block<'_>) -> Option<Extremum<'_>> {
    let branch = head.terminator()?;
    let [then, otherwise] = <[Block<'_>; 2]>::try_from(head.successors()).ok()?;
    if branch.opcode() != Some(Opcode::LLVMBr) || then == otherwise {
        return None;
    }
    let compare = branch.operand(0);
    let compares = matches!(compare.opcode(), Some(Opcode::LLVMICmp | Opcode::LLVMFCmp));
    if !compares || compare.parent() != head || compare.users().any(|u| u != branch) {
        return None;
    }
    let sides = (compare.operand(0), compare.operand(1));
    [(sides.0, sides.1, false), (sides.1, sides.0, true)].into_iter().find_map(|(value, old, swapped)| {
        if !is_plain_load(old) || old.parent() != head || !is_quiet_after(head, old) {
            return None;
        }
        let case = Case { head, old, value };
        let found = case.stores([then, otherwise]).or_else(|| case.picks([then, otherwise]))?;
        let op = operation(compare, swapped, found.new_on_true)?;
        let Found { form, loads, store, mut feeds, .. } = found;
        feeds.retain(|v| is_plain_load(*v));
        feeds.dedup();
        let used = |v: &Value<'_>| {
            v.users().all(|u| u == compare || u == store || u.opcode() == Some(Opcode::LLVMPHI))
        };
        if !feeds.iter().all(used) {
            feeds.clear();
        }
        let typed = store.operand(0).ty() == old.ty();
        typed.then_some(Extremum { op, form, loads, store, feeds })
    })
}

struct Case<'m> {
    head: Block<'m>,
    old: Value<'m>,
    value: Value<'m>,
}

struct Found<'m> {
    form: UpdateChoice,
    loads: Vec<Value<'m>>,
    store: Value<'m>,
    /// The new value, as it is compared and as it is stored.
    feeds: Vec<Value<'m>>,
    /// Whether the new value is stored when the condition holds.
    new_on_true: bool,
}

impl<'m> Case<'m> {
    /// `if (v > x) x = v;`
    fn stores(&self, [then, otherwise]: [Block<'m>; 2]) -> Option<Found<'m>> {
        let compare = self.old.users().next()?;
        if self.old.users().any(|u| u != compare) {
            return None;
        }
        [(then, otherwise, true), (otherwise, then, false)].into_iter().find_map(
            |(side, join, new_on_true)| {
                if side.successors() != [join]
                    || side.predecessors() != [self.head]
                    || phis(side).next().is_some()
                {
                    return None;
                }
                let mut stores = side.instructions().filter(|i| i.opcode() == Some(Opcode::LLVMStore));
                let store = stores.next()?;
                let fits = stores.next().is_none()
                    && is_plain(store)
                    && equal(store.operand(1), self.old.operand(0), MAX_DEPTH)
                    && self.is(store.operand(0), self.value)
                    && side.instructions().all(|i| i == store || is_quiet(i))
                    && phis(join).all(|p| same_from(p, self.head, side));
                // Loads between are of the new value alone.
                let reloads = side.instructions().filter(|i| i.opcode() == Some(Opcode::LLVMLoad));
                let loads_again =
                    reloads.into_iter().any(|l| equal(l.operand(0), self.old.operand(0), MAX_DEPTH));
                (fits && !loads_again).then(|| Found {
                    form: UpdateChoice::Stores,
                    loads: vec![self.old],
                    store,
                    feeds: vec![self.value, store.operand(0)],
                    new_on_true,
                })
            },
        )
    }

    /// `x = v > x ? v : x;`
    fn picks(&self, ways: [Block<'m>; 2]) -> Option<Found<'m>> {
        let between = |b: &Block<'m>| b.predecessors() == [self.head] && b.successors().len() == 1;
        let join = if between(&ways[0]) { ways[0].successors()[0] } else { ways[0] };
        let through = |b: Block<'m>| b == join || (between(&b) && b.successors() == [join]);
        let from = ways.map(|b| if b == join { self.head } else { b });
        if !ways.into_iter().all(through) || join.predecessors().len() != 2 {
            return None;
        }
        let quiet = |b: Block<'m>| b == join || b.instructions().all(is_quiet);
        let mut picked = phis(join);
        let phi = picked.next()?;
        if picked.next().is_some() || !ways.into_iter().all(quiet) {
            return None;
        }
        let incoming = phi.incoming();
        let value_from = |b: Block<'m>| incoming.iter().find(|(_, from)| *from == b).map(|(v, _)| *v);
        let (on_true, on_false) = (value_from(from[0])?, value_from(from[1])?);
        let (new_on_true, kept, new) = if self.is(on_true, self.value) && self.is(on_false, self.old) {
            (true, on_false, on_true)
        } else if self.is(on_false, self.value) && self.is(on_true, self.old) {
            (false, on_true, on_false)
        } else {
            return None;
        };
        if !self.value.is_constant() && !is_plain_load(self.value) && !super::logic::is_seen(self.value) {
            return None;
        }
        let mut loads = vec![self.old, kept];
        loads.dedup();
        let compare = self.head.terminator()?.operand(0);
        let uses = |l: &Value<'m>| l.users().all(|u| u == compare || u == phi);
        let store = phi.users().next()?;
        let fits = loads.iter().all(uses)
            && phi.users().all(|u| u == store)
            && store.opcode() == Some(Opcode::LLVMStore)
            && is_plain(store)
            && store.parent() == join
            && store.operand(0) == phi
            && equal(store.operand(1), self.old.operand(0), MAX_DEPTH)
            && join.instructions().take_while(|i| *i != store).all(is_quiet);
        fits.then_some(Found {
            form: UpdateChoice::Picks,
            loads,
            store,
            feeds: vec![self.value, new],
            new_on_true,
        })
    }

    /// Whether a value is the one that was compared, itself or loaded again.
    fn is(&self, value: Value<'m>, compared: Value<'m>) -> bool {
        if value == compared || equal(value, compared, MAX_DEPTH) {
            return true;
        }
        let again = is_plain_load(value)
            && is_plain_load(compared)
            && value.ty() == compared.ty()
            && equal(value.operand(0), compared.operand(0), MAX_DEPTH);
        again && compared.parent() == self.head && is_quiet_after(self.head, compared)
    }
}

/// Which operation it is: `compare` with the new value first, or second if `swapped`.
fn operation(compare: Value<'_>, swapped: bool, new_on_true: bool) -> Option<UpdateOp> {
    use IntPredicate as I;
    use RealPredicate as R;
    // Whether the new value is greater where it is stored.
    let greater = |first_greater: bool| first_greater ^ swapped ^ !new_on_true;
    if compare.opcode() == Some(Opcode::LLVMFCmp) {
        let first = match compare.real_predicate() {
            R::LLVMRealOGT | R::LLVMRealOGE | R::LLVMRealUGT | R::LLVMRealUGE => true,
            R::LLVMRealOLT | R::LLVMRealOLE | R::LLVMRealULT | R::LLVMRealULE => false,
            _ => return None,
        };
        return Some(if greater(first) { UpdateOp::FloatMax } else { UpdateOp::FloatMin });
    }
    let (first, signed) = match compare.int_predicate() {
        I::LLVMIntSGT | I::LLVMIntSGE => (true, true),
        I::LLVMIntSLT | I::LLVMIntSLE => (false, true),
        I::LLVMIntUGT | I::LLVMIntUGE => (true, false),
        I::LLVMIntULT | I::LLVMIntULE => (false, false),
        _ => return None,
    };
    Some(match (greater(first), signed) {
        (true, true) => UpdateOp::Max,
        (false, true) => UpdateOp::Min,
        (true, false) => UpdateOp::UnsignedMax,
        (false, false) => UpdateOp::UnsignedMin,
    })
}

pub(super) fn phis<'m>(block: Block<'m>) -> impl Iterator<Item = Value<'m>> {
    block.instructions().take_while(|i| i.opcode() == Some(Opcode::LLVMPHI))
}

/// Whether a phi node gets the same from two blocks.
fn same_from<'m>(phi: Value<'m>, a: Block<'m>, b: Block<'m>) -> bool {
    let incoming = phi.incoming();
    let from = |block: Block<'m>| incoming.iter().find(|(_, f)| *f == block).map(|(v, _)| *v);
    from(a).is_some() && from(a) == from(b)
}

pub(super) fn is_plain(access: Value<'_>) -> bool {
    !access.is_volatile() && access.ordering() == Ordering::LLVMAtomicOrderingNotAtomic
}

pub(super) fn is_plain_load(value: Value<'_>) -> bool {
    value.opcode() == Some(Opcode::LLVMLoad) && is_plain(value)
}

/// Whether nothing after an instruction of a block stores, calls or synchronises.
pub(super) fn is_quiet_after<'m>(block: Block<'m>, instruction: Value<'m>) -> bool {
    block.instructions().skip_while(|i| *i != instruction).skip(1).all(is_quiet)
}

/// Whether an instruction neither stores, calls nor synchronises.
pub(super) fn is_quiet(instruction: Value<'_>) -> bool {
    match instruction.opcode() {
        Some(Opcode::LLVMLoad) => is_plain(instruction),
        Some(Opcode::LLVMCall) => callee_name(instruction).starts_with("llvm.dbg."),
        Some(
            Opcode::LLVMStore
            | Opcode::LLVMFence
            | Opcode::LLVMAtomicRMW
            | Opcode::LLVMAtomicCmpXchg
            | Opcode::LLVMInvoke
            | Opcode::LLVMAlloca,
        ) => false,
        _ => true,
    }
}
