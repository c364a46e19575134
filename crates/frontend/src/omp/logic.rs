//! `x = x && r` and `x = x || r`: updates that commute although clang makes control flow of them.
//!
//! In block `head`, the old value of `x` is compared with zero, and the branch goes by that alone: one way leads through a
//! block that computes `r`, the other directly to the block where a phi node picks the outcome, which is stored to `x`.
//! With the operands exchanged (`x = r && x`), the block in between loads `x`.
//!
//! Whoever looks at the store sees only the outcome, not `r`. So `r` must be computed from what observers see, which are the
//! values that the program loads, and from what tells one iteration from another: no result of a call, no parameter of a
//! function that is not clang's own, nothing from stack objects that nobody else knows.

use ir::{UpdateChoice, UpdateOp};

use super::callee_name;
use super::extremum::{Extremum, is_plain, is_plain_load, is_quiet, is_quiet_after, phis};
use super::update::{MAX_DEPTH, equal};
use crate::llvm::{Block, IntPredicate, Opcode, Value, ValueKind};

/// How many values are looked at to find out what a condition is computed from.
const MAX_VALUES: usize = 64;

/// The update that the branch at the end of a block decides, if it is one.
pub fn find(head: Block<'_>) -> Option<Extremum<'_>> {
    let branch = head.terminator()?;
    let [then, otherwise] = <[Block<'_>; 2]>::try_from(head.successors()).ok()?;
    if branch.opcode() != Some(Opcode::LLVMBr) || then == otherwise {
        return None;
    }
    let between = |side: Block<'_>, join: Block<'_>| {
        side.predecessors() == [head] && side.successors() == [join] && side.instructions().all(is_quiet)
    };
    let (side, join, op) = if between(then, otherwise) {
        (then, otherwise, UpdateOp::LogicalAnd)
    } else if between(otherwise, then) {
        (otherwise, then, UpdateOp::LogicalOr)
    } else {
        return None;
    };
    let mut picked = phis(join);
    let phi = picked.next()?;
    if picked.next().is_some() || join.predecessors().len() != 2 {
        return None;
    }
    let incoming = phi.incoming();
    let from = |block: Block<'_>| incoming.iter().find(|(_, from)| *from == block).map(|(v, _)| *v);
    let (short, second) = (from(head)?, from(side)?);
    // clang says true as 1 or -1.
    let truth = short.constant_int()? != 0;
    if truth != (op == UpdateOp::LogicalOr) {
        return None;
    }
    let store = stored(phi, join)?;
    let first = branch.operand(0);
    let [old, rest] = match (loaded(first, head), loaded(second, side)) {
        (Some(old), _) if is_old(old, store) && is_quiet_after(head, old) => [Some(old), None],
        (_, Some(old)) if is_old(old, store) && is_quiet_after(side, old) => [None, Some(old)],
        _ => return None,
    };
    let (old, other) = if let Some(old) = old { (old, second) } else { (rest?, first) };
    if !is_seen(other) {
        return None;
    }
    let within = if other == first { head } else { side };
    let feeds = loaded(other, within).into_iter().collect();
    Some(Extremum { op, form: UpdateChoice::Picks, loads: vec![old], store, feeds })
}

/// The store of a phi node's outcome, widened, in its block.
fn stored<'m>(phi: Value<'m>, join: Block<'m>) -> Option<Value<'m>> {
    let mut users = phi.users();
    let widened = users.next()?;
    if users.next().is_some() || widened.opcode() != Some(Opcode::LLVMZExt) {
        return None;
    }
    let mut users = widened.users();
    let store = users.next()?;
    let fits = users.next().is_none()
        && store.opcode() == Some(Opcode::LLVMStore)
        && store.operand(0) == widened
        && is_plain(store)
        && store.parent() == join
        && join.instructions().take_while(|i| *i != store).all(is_quiet);
    fits.then_some(store)
}

/// The load whose value a condition compares with zero, if both are in that block and used for nothing else.
fn loaded<'m>(condition: Value<'m>, block: Block<'m>) -> Option<Value<'m>> {
    let is_zero = |v: Value<'m>| v.constant_int() == Some(0);
    let fits = match condition.opcode()? {
        Opcode::LLVMTrunc => true,
        Opcode::LLVMICmp => {
            condition.int_predicate() == IntPredicate::LLVMIntNE && is_zero(condition.operand(1))
        }
        _ => false,
    };
    let load = fits.then(|| condition.operand(0))?;
    let alone = is_plain_load(load)
        && load.parent() == block
        && condition.parent() == block
        && load.users().all(|u| u == condition)
        && condition.users().count() == 1;
    alone.then_some(load)
}

fn is_old<'m>(load: Value<'m>, store: Value<'m>) -> bool {
    load.ty() == store.operand(0).ty() && equal(load.operand(0), store.operand(1), MAX_DEPTH)
}

/// Whether the address of a stack object is somewhere in memory, or it was marked to be seen: observers see its uses.
fn is_known(alloca: Value<'_>) -> bool {
    let told = |user: Value<'_>| match user.opcode() {
        Some(Opcode::LLVMStore) => user.operand(0) == alloca,
        Some(Opcode::LLVMCall) => super::carried::is_mark(&callee_name(user)),
        _ => false,
    };
    alloca.opcode() == Some(Opcode::LLVMAlloca) && alloca.users().any(told)
}

/// Whether observers see what a value is computed from.
pub(super) fn is_seen(value: Value<'_>) -> bool {
    let mut known = vec![value];
    let mut at = 0;
    while at < known.len() {
        let value = known[at];
        at += 1;
        if value.is_constant() {
            continue;
        }
        if value.kind() != ValueKind::LLVMInstructionValueKind {
            return false;
        }
        let operands: Vec<_> = match value.opcode() {
            Some(Opcode::LLVMLoad) if !is_plain(value) => return false,
            Some(Opcode::LLVMLoad) => match base(value.operand(0)) {
                Some(alloca) if alloca.name().starts_with(".omp.") || is_known(alloca) => continue,
                Some(_) => return false,
                None => continue,
            },
            Some(Opcode::LLVMPHI) => value.incoming().into_iter().map(|(v, _)| v).collect(),
            Some(Opcode::LLVMCall) if callee_name(value).starts_with("llvm.") => {
                (0..value.arg_count()).map(|i| value.operand(i)).collect()
            }
            Some(
                Opcode::LLVMCall
                | Opcode::LLVMInvoke
                | Opcode::LLVMAtomicRMW
                | Opcode::LLVMAtomicCmpXchg
                | Opcode::LLVMVAArg
                | Opcode::LLVMAlloca,
            )
            | None => return false,
            Some(_) => (0..value.operand_count()).map(|i| value.operand(i)).collect(),
        };
        known.extend(operands.iter().filter(|v| !known.contains(v)).copied().collect::<Vec<_>>());
        if known.len() > MAX_VALUES {
            return false;
        }
    }
    true
}

/// The stack object that an address lies in, if it is one of this function.
fn base(mut address: Value<'_>) -> Option<Value<'_>> {
    while matches!(address.opcode(), Some(Opcode::LLVMGetElementPtr | Opcode::LLVMBitCast)) {
        address = address.operand(0);
    }
    // Picked from several: perhaps one.
    let several = matches!(address.opcode(), Some(Opcode::LLVMPHI | Opcode::LLVMSelect));
    (several || address.opcode() == Some(Opcode::LLVMAlloca)).then_some(address)
}
