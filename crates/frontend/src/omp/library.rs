//! `std::max` and `std::min` of numbers: functions of the library that take references, made operations on values.
//!
//! `x = std::max(x, v)` passes addresses and gets one back, which then depends on the numbers. Nothing of that matters where the result is
//! only read: the two numbers are loaded and the greater (or lesser) one is computed, exactly as the functions do
//! (`a < b ? b : a`, also for NaN and zeros). The rest of the front end and of the proof sees an update by maximum.
//!
//! The functions load both numbers and the result's number again; what replaces them loads both. Without a race that
//! makes no difference, and a race shows in the first loads.

use super::callee_name;
use super::extremum::{is_plain_load, is_quiet, phis};
use crate::llvm::{Block, Module, Opcode, Type, TypeKind, Value};

/// The beginning of the names of the functions that stand for the operations.
pub const PREFIX: &str = "__rp_std_";

/// Replaces the calls whose results are read and nothing else.
pub fn by_value(llvm: &Module) {
    // A result may be the argument of the next.
    loop {
        let mut found: Vec<(Value<'_>, Value<'_>, &'static str)> = Vec::new();
        for block in llvm.functions().flat_map(|f| f.blocks()) {
            found.extend(block.instructions().filter_map(|call| {
                let (kind, load) = (operation(&callee_name(call))?, only_load(call)?);
                has_type(kind, load.ty()).then_some((call, load, kind))
            }));
        }
        if found.is_empty() {
            return;
        }
        for (call, load, kind) in found {
            let name = format!("{PREFIX}{kind}.{}", load.ty().text());
            llvm.replace_by_value(call, load, &name);
        }
    }
}

/// What a function of the library computes, by its mangled name.
fn operation(name: &str) -> Option<&'static str> {
    let (greater, rest) = match name.strip_prefix("_ZSt3maxI") {
        Some(rest) => (true, rest),
        None => (false, name.strip_prefix("_ZSt3minI")?),
    };
    Some(match (rest.strip_suffix("ERKT_S2_S2_")?, greater) {
        ("a" | "c" | "s" | "i" | "l" | "x", true) => "smax",
        ("a" | "c" | "s" | "i" | "l" | "x", false) => "smin",
        ("h" | "t" | "j" | "m" | "y", true) => "umax",
        ("h" | "t" | "j" | "m" | "y", false) => "umin",
        ("f" | "d", true) => "fmax",
        ("f" | "d", false) => "fmin",
        _ => return None,
    })
}

fn has_type(kind: &str, ty: Type<'_>) -> bool {
    match ty.kind() {
        TypeKind::LLVMIntegerTypeKind => !kind.starts_with('f'),
        TypeKind::LLVMFloatTypeKind | TypeKind::LLVMDoubleTypeKind => kind.starts_with('f'),
        _ => false,
    }
}

/// The load that is all that becomes of a call's result, if nothing between them could change what is loaded.
fn only_load(call: Value<'_>) -> Option<Value<'_>> {
    let mut users = call.users();
    let load = users.next()?;
    if users.next().is_some() || !is_plain_load(load) {
        return None;
    }
    let mut block = call.parent();
    let mut rest: Vec<Value<'_>> = block.instructions().skip_while(|i| *i != call).skip(1).collect();
    if call.opcode() == Some(Opcode::LLVMInvoke) {
        let (normal, unwind) = call.invoke_targets();
        if phis(unwind).next().is_some() {
            return None;
        }
        (block, rest) = follow(block, normal)?;
    }
    for _ in 0..MOST_BLOCKS {
        for &instruction in &rest {
            if instruction == load {
                return Some(load);
            }
            let jumps = block.terminator() == Some(instruction) && block.successors().len() == 1;
            if !jumps && !is_quiet(instruction) && !fills_temporary(instruction) {
                return None;
            }
        }
        let [next] = block.successors()[..] else { return None };
        (block, rest) = follow(block, next)?;
    }
    None
}

/// Blocks that are followed from a call to its load: operands between them may be calls as well, which were replaced before.
const MOST_BLOCKS: usize = 8;

/// The block that another goes on with, if nobody else does, and its instructions.
fn follow<'m>(from: Block<'m>, to: Block<'m>) -> Option<(Block<'m>, Vec<Value<'m>>)> {
    let alone = to.predecessors() == [from] && phis(to).next().is_none();
    alone.then(|| (to, to.instructions().collect()))
}

/// Whether an instruction stores to a temporary that clang makes for a reference, and that nothing else knows yet.
fn fills_temporary(instruction: Value<'_>) -> bool {
    instruction.opcode() == Some(Opcode::LLVMStore)
        && instruction.operand(1).opcode() == Some(Opcode::LLVMAlloca)
        && instruction.operand(1).name().starts_with("ref.tmp")
}

#[cfg(test)]
mod tests {
    use super::operation;

    #[test]
    fn functions_by_their_names() {
        assert_eq!(operation("_ZSt3maxIiERKT_S2_S2_"), Some("smax"));
        assert_eq!(operation("_ZSt3minImERKT_S2_S2_"), Some("umin"));
        assert_eq!(operation("_ZSt3maxIdERKT_S2_S2_"), Some("fmax"));
        assert_eq!(operation("_ZSt3maxIPiERKT_S2_S2_"), None);
        assert_eq!(operation("_ZSt3maxIiPFbiiEERKT_S4_S4_T0_"), None);
    }
}
