//! `firstprivate` of a number on `parallel` and `teams`.
//!
//! clang copies it once, in the thread that forks, and passes the value on. The language lets every thread read the original when it
//! begins, so that a write of the original by another thread of the team must be synchronised with that (OpenMP 5.2, 5.4.4). So the
//! address is passed instead, and each thread reads. Where nobody else can know the address, and for pointers, the code stays as it is.

use super::callee_name;
use crate::llvm::{Module, Opcode, Ordering, Type, Value};

/// How many arguments of a fork, and of the function that it calls, come before those of the construct.
const OF_FORK: u32 = 3;
const OF_OUTLINED: u32 = 2;

/// Lets the threads read.
pub fn read_late(llvm: &Module) {
    for function in llvm.functions().filter(|f| !f.is_declaration()) {
        let sites: Vec<_> =
            function.users().filter_map(|user| Some((user, offset(user, function)?))).collect();
        let forked = sites.iter().any(|(_, offset)| *offset == OF_FORK);
        if !forked || sites.len() != function.users().count() {
            continue;
        }
        for (number, param) in function.params().into_iter().enumerate().skip(OF_OUTLINED as usize) {
            let nth = number as u32 - OF_OUTLINED;
            let originals: Option<Vec<_>> =
                sites.iter().map(|(call, offset)| original(*call, call.operand(offset + nth))).collect();
            let Some(originals) = originals else { continue };
            let Some((_, ty)) = originals.first().copied() else { continue };
            if originals.iter().any(|(_, other)| other.text() != ty.text()) {
                continue;
            }
            for ((call, offset), (address, _)) in sites.iter().zip(&originals) {
                llvm.pass_address(*call, offset + nth, *address);
            }
            llvm.read_parameter(function, param, ty);
        }
    }
}

/// Where the construct's arguments begin, if an instruction forks threads that call a function, or calls it.
fn offset<'m>(call: Value<'m>, function: Value<'m>) -> Option<u32> {
    let name = callee_name(call);
    let forks = name == "__kmpc_fork_call" || name == "__kmpc_fork_teams";
    let at = |n: u32| call.arg_count() > n && call.operand(n) == function;
    if forks {
        return at(OF_FORK - 1).then_some(OF_FORK);
    }
    (call.opcode() == Some(Opcode::LLVMCall) && call.callee() == function).then_some(OF_OUTLINED)
}

/// The address and type of the variable whose value an argument is: `load integer, (store (load variable), casted)`.
fn original<'m>(call: Value<'m>, argument: Value<'m>) -> Option<(Value<'m>, Type<'m>)> {
    let is_load = |v: Value<'m>| v.opcode() == Some(Opcode::LLVMLoad);
    let casted = is_load(argument).then(|| argument.operand(0))?;
    let kept = casted.opcode() == Some(Opcode::LLVMAlloca) && casted.name().contains(".casted");
    let block = argument.parent();
    let before = block.instructions().take_while(|i| *i != argument);
    let writes = |i: &Value<'m>| i.opcode() == Some(Opcode::LLVMStore) && i.operand(1) == casted;
    let store = before.filter(writes).last().filter(|_| kept)?;
    let mut value = store.operand(0);
    while matches!(value.opcode(), Some(Opcode::LLVMZExt | Opcode::LLVMTrunc)) {
        value = value.operand(0);
    }
    let plain = is_load(value) && value.ordering() == Ordering::LLVMAtomicOrderingNotAtomic;
    if !plain
        || value.ty().text() != store.operand(0).ty().text()
        || call.parent().function() != block.function()
    {
        return None;
    }
    let address = value.operand(0);
    let ours = address.name().starts_with('.');
    (!ours && is_shared(address)).then(|| (address, value.ty()))
}

/// Whether somebody else may know an address.
fn is_shared(address: Value<'_>) -> bool {
    let own = |user: Value<'_>| match user.opcode() {
        Some(Opcode::LLVMLoad) => true,
        Some(Opcode::LLVMStore) => user.operand(1) == address && user.operand(0) != address,
        _ => callee_name(user).starts_with("llvm."),
    };
    address.opcode() != Some(Opcode::LLVMAlloca) || !address.users().all(own)
}
