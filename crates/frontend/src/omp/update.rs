//! Updates: read a location, compute, write it back.
//!
//! Two things are found out here, from clang's code after locals were promoted:
//! - *Indivisible updates.* `#pragma omp atomic` and compound assignments to C11 atomics that no processor instruction does
//!   in one go become a loop in clang's code: an atomic load, then a block `atomic_cont` (C11: `atomic_op`) that computes
//!   the new value from the old one and tries to exchange them, and starts again if it failed. Another thread can come
//!   between only to make the attempt fail, so the whole is one read-modify-write. A loop that the program itself writes
//!   does not look so: its blocks have other names, and the expected value stands in a variable.
//!   For types that are too large for instructions, clang calls `__atomic_load` and `__atomic_compare_exchange`; these
//!   calls are replaced by two that begin and end an atomic section ([`sections`]).
//! - *Commutative updates.* Where the old value goes nowhere but into one addition (or the like) whose result goes nowhere
//!   but back, the order in which threads perform such updates does not show in the result.

use ir::{Update, UpdateChoice, UpdateOp, UpdatePart};
use rustc_hash::FxHashMap;

use super::callee_name;
use crate::llvm::{Block, Module, Opcode, Ordering, RmwBinOp, Value};

/// How deep addresses are compared.
pub(super) const MAX_DEPTH: u32 = 6;

/// Conversions between types of one kind.
const CASTS: [Opcode; 7] = {
    use Opcode::*;
    [LLVMTrunc, LLVMZExt, LLVMSExt, LLVMBitCast, LLVMFPTrunc, LLVMFPExt, LLVMFreeze]
};

/// Replaces library calls that stand for one indivisible update.
pub fn sections(llvm: &Module) {
    for block in llvm.functions().flat_map(|f| f.blocks()) {
        let exchanges = |i: &Value<'_>| callee_name(*i) == "__atomic_compare_exchange";
        let Some(exchange) = block.instructions().find(exchanges) else { continue };
        let Some(before) = closes_loop(block, exchange, exchange) else { continue };
        let same = |i: &Value<'_>| {
            callee_name(*i) == "__atomic_load"
                && (0..2).all(|n| equal(i.operand(n), exchange.operand(n), MAX_DEPTH))
        };
        let Some(load) = before.instructions().filter(same).last() else { continue };
        llvm.set_callee(load, c"__rp_update_begin");
        llvm.set_callee(exchange, c"__rp_update_end");
    }
}

/// The updates of a function, by their instructions.
pub fn find<'m>(function: Value<'m>) -> FxHashMap<Value<'m>, Update> {
    let mut found = FxHashMap::default();
    let mut choices = 0;
    for block in function.blocks() {
        for instruction in block.instructions() {
            match instruction.opcode() {
                Some(Opcode::LLVMAtomicRMW) => {
                    let op = rmw(instruction.rmw_operation()).filter(|_| !instruction.is_used());
                    if op.is_some() {
                        found.insert(instruction, update(op, UpdatePart::Whole));
                    }
                }
                Some(Opcode::LLVMAtomicCmpXchg) => {
                    if let Some((load, op)) = exchange(block, instruction) {
                        found.insert(load, update(op, UpdatePart::Begins));
                        found.insert(instruction, update(op, UpdatePart::Ends));
                    }
                }
                Some(Opcode::LLVMStore) => {
                    if let Some((load, op)) = plain(block, instruction) {
                        found.insert(load, update(Some(op), UpdatePart::Begins));
                        found.insert(instruction, update(Some(op), UpdatePart::Ends));
                    }
                }
                _ => {}
            }
        }
        if let Some(choice) = super::extremum::find(block).or_else(|| super::logic::find(block)) {
            choices += 1;
            let update = |part| Update { op: Some(choice.op), part, choice: choice.form, id: choices };
            found.extend(choice.loads.iter().map(|&load| (load, update(UpdatePart::Begins))));
            found.insert(choice.store, update(UpdatePart::Ends));
            found.extend(choice.feeds.iter().map(|&load| (load, update(UpdatePart::Feeds))));
        }
    }
    found
}

fn update(op: Option<UpdateOp>, part: UpdatePart) -> Update {
    Update { op, part, choice: UpdateChoice::None, id: 0 }
}

/// If the block is the loop that clang makes, which the exchange leaves when it succeeds: the block before it. `call` is
/// what gives the success flag, itself or as its second part.
fn closes_loop<'m>(block: Block<'m>, call: Value<'m>, flag: Value<'m>) -> Option<Block<'m>> {
    let name = block.name();
    if !name.starts_with("atomic_cont") && !name.starts_with("atomic_op") {
        return None;
    }
    let last = block.terminator()?;
    let targets = block.successors();
    let [exit, again] = targets.as_slice() else { return None };
    if *again != block || *exit == block || last.operand(0) != flag || call.parent() != block {
        return None;
    }
    let mut before = block.predecessors().into_iter().filter(|b| *b != block);
    let only = before.next()?;
    before.next().is_none().then_some(only)
}

/// The load that begins the update which a compare and exchange ends, and what is done to the value.
fn exchange<'m>(block: Block<'m>, exchange: Value<'m>) -> Option<(Value<'m>, Option<UpdateOp>)> {
    let part = |n: u32| {
        exchange.users().find(|u| u.opcode() == Some(Opcode::LLVMExtractValue) && u.indices() == [n])
    };
    let before = closes_loop(block, exchange, part(1)?)?;
    let old = before_casts(exchange.operand(1), &CASTS);
    if old.opcode() != Some(Opcode::LLVMPHI) || old.parent() != block {
        return None;
    }
    let incoming = old.incoming();
    let from_before = incoming.iter().find(|(_, b)| *b == before)?.0;
    let load = before_casts(from_before, &CASTS);
    let atomic = load.opcode() == Some(Opcode::LLVMLoad)
        && load.ordering() != Ordering::LLVMAtomicOrderingNotAtomic
        && load.parent() == before
        && load.name().starts_with("atomic-load");
    if !atomic || !equal(load.operand(0), exchange.operand(0), MAX_DEPTH) {
        return None;
    }
    // Nothing that another thread could notice happens between the two.
    let quiet = |i: Value<'m>| {
        i.opcode() != Some(Opcode::LLVMCall)
            || callee_name(i).starts_with("llvm.")
            || is_pure(&callee_name(i))
    };
    let between = before.instructions().skip_while(|i| *i != load).skip(1);
    if !between.chain(block.instructions().take_while(|i| *i != exchange)).all(quiet) {
        return None;
    }
    let result = operation(exchange.operand(2), old);
    // The value of the whole expression is the new one: it must not be used either.
    let op =
        result.filter(|(_, only)| only_used_by(old, &[*only, exchange]) && only_used_by(*only, &[exchange]));
    Some((load, op.map(|(op, _)| op)))
}

/// The load that begins the update which a plain store ends, and what is done to the value.
fn plain<'m>(block: Block<'m>, store: Value<'m>) -> Option<(Value<'m>, UpdateOp)> {
    if store.is_volatile() || store.ordering() != Ordering::LLVMAtomicOrderingNotAtomic {
        return None;
    }
    let value = store.operand(0);
    let candidates = block.instructions().take_while(|i| *i != store).filter(|i| {
        i.opcode() == Some(Opcode::LLVMLoad)
            && !i.is_volatile()
            && i.ordering() == Ordering::LLVMAtomicOrderingNotAtomic
            && i.ty() == value.ty()
            && equal(i.operand(0), store.operand(1), MAX_DEPTH)
    });
    let load = candidates.last()?;
    let (op, only) = operation(value, load)?;
    if !only_used_by(load, &[only]) || !only_used_by(value, &[store]) {
        return None;
    }
    // `x = x + x` doubles.
    let again = |n: u32| {
        let operand = before_casts(only.operand(n), &CASTS);
        operand != load
            && operand.opcode() == Some(Opcode::LLVMLoad)
            && equal(operand.operand(0), store.operand(1), MAX_DEPTH)
    };
    if again(0) || again(1) {
        return None;
    }
    let harmless = |i: Value<'m>| match i.opcode() {
        Some(Opcode::LLVMStore) => i.operand(1).opcode() == Some(Opcode::LLVMAlloca),
        Some(Opcode::LLVMCall) => {
            let name = callee_name(i);
            is_pure(&name) || (name.starts_with("llvm.") && !name.starts_with("llvm.mem"))
        }
        Some(Opcode::LLVMFence | Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg) => false,
        _ => true,
    };
    let mut between = block.instructions().skip_while(|i| *i != load).take_while(|i| *i != store);
    between.all(harmless).then_some((load, op))
}

/// Whether nothing but these uses a value; looks through conversions.
fn only_used_by<'m>(value: Value<'m>, by: &[Value<'m>]) -> bool {
    value.users().all(|user| by.contains(&user) || (is_cast(user) && only_used_by(user, by)))
}

fn is_cast(value: Value<'_>) -> bool {
    value.opcode().is_some_and(|o| CASTS.contains(&o))
}

/// The value before conversions by these instructions.
fn before_casts<'m>(mut value: Value<'m>, casts: &[Opcode]) -> Value<'m> {
    while value.opcode().is_some_and(|o| casts.contains(&o)) {
        value = value.operand(0);
    }
    value
}

/// If `result` is one operation on `old` and something else: which, and its instruction. The operation may be wider than
/// the location. (If nothing else uses `old`, the something does not depend on it.)
fn operation<'m>(result: Value<'m>, old: Value<'m>) -> Option<(UpdateOp, Value<'m>)> {
    use Opcode::*;
    let result = before_casts(result, &[LLVMTrunc, LLVMFPTrunc, LLVMBitCast]);
    let widened = |v| before_casts(v, &[LLVMZExt, LLVMSExt, LLVMFPExt, LLVMBitCast, LLVMFreeze]);
    let (first, second) = match result.opcode()? {
        LLVMCall if result.arg_count() == 2 => (result.operand(0), result.operand(1)),
        LLVMCall => return None,
        _ if result.operand_count() == 2 => (result.operand(0), result.operand(1)),
        _ => return None,
    };
    let left = widened(first) == old;
    if left == (widened(second) == old) {
        return None;
    }
    let op = match result.opcode()? {
        LLVMAdd => UpdateOp::Add,
        LLVMSub if left => UpdateOp::Add,
        LLVMMul => UpdateOp::Mul,
        LLVMAnd => UpdateOp::And,
        LLVMOr => UpdateOp::Or,
        LLVMXor => UpdateOp::Xor,
        LLVMFAdd => UpdateOp::FloatAdd,
        LLVMFSub if left => UpdateOp::FloatAdd,
        LLVMFMul => UpdateOp::FloatMul,
        LLVMCall => named(&callee_name(result))?,
        _ => return None,
    };
    Some((op, result))
}

/// Functions without effects.
fn is_pure(name: &str) -> bool {
    named(name).is_some()
}

fn named(name: &str) -> Option<UpdateOp> {
    let name = name.strip_prefix("llvm.").or(name.strip_prefix(super::library::PREFIX)).unwrap_or(name);
    let base = name.split('.').next().unwrap_or(name);
    Some(match base {
        "smin" => UpdateOp::Min,
        "smax" => UpdateOp::Max,
        "umin" => UpdateOp::UnsignedMin,
        "umax" => UpdateOp::UnsignedMax,
        "minnum" | "fmin" | "fminf" | "fminl" => UpdateOp::FloatMin,
        "maxnum" | "fmax" | "fmaxf" | "fmaxl" => UpdateOp::FloatMax,
        _ => return None,
    })
}

fn rmw(op: RmwBinOp) -> Option<UpdateOp> {
    use RmwBinOp::*;
    Some(match op {
        LLVMAtomicRMWBinOpAdd | LLVMAtomicRMWBinOpSub => UpdateOp::Add,
        LLVMAtomicRMWBinOpAnd => UpdateOp::And,
        LLVMAtomicRMWBinOpOr => UpdateOp::Or,
        LLVMAtomicRMWBinOpXor => UpdateOp::Xor,
        LLVMAtomicRMWBinOpMax => UpdateOp::Max,
        LLVMAtomicRMWBinOpMin => UpdateOp::Min,
        LLVMAtomicRMWBinOpUMax => UpdateOp::UnsignedMax,
        LLVMAtomicRMWBinOpUMin => UpdateOp::UnsignedMin,
        LLVMAtomicRMWBinOpFAdd | LLVMAtomicRMWBinOpFSub => UpdateOp::FloatAdd,
        LLVMAtomicRMWBinOpFMax => UpdateOp::FloatMax,
        LLVMAtomicRMWBinOpFMin => UpdateOp::FloatMin,
        _ => return None,
    })
}

/// Whether two addresses are the same value, or computed in the same way from the same values.
pub(super) fn equal<'m>(a: Value<'m>, b: Value<'m>, depth: u32) -> bool {
    use Opcode::*;
    if a == b {
        return true;
    }
    let same =
        matches!(a.opcode(), Some(LLVMGetElementPtr | LLVMSExt | LLVMZExt | LLVMAdd | LLVMSub | LLVMMul))
            && a.opcode() == b.opcode()
            && a.ty() == b.ty()
            && a.operand_count() == b.operand_count()
            && depth > 0;
    same && (a.opcode() != Some(LLVMGetElementPtr) || a.gep_type() == b.gep_type())
        && (0..a.operand_count()).all(|i| equal(a.operand(i), b.operand(i), depth - 1))
}
