//! Where the variables of a block begin and end.
//!
//! Clang marks both ([`crate::driver`] asks for it). The marks matter where somebody else may know the address: another thread that
//! uses the variable after its block has ended makes a mistake that is found like the use of freed memory. All others are taken
//! out: of variables that only their own function accesses, and of those that clang itself made.

use crate::llvm::{Module, Opcode, Value};
use crate::omp::callee_name;

/// What clang calls, for pointers of its one address space.
const MARKS: [&std::ffi::CStr; 2] = [c"llvm.lifetime.start.p0", c"llvm.lifetime.end.p0"];

/// Takes out the marks that nobody could miss.
pub fn keep_known(llvm: &mut Module) {
    for mark in MARKS {
        llvm.erase_calls(mark, |call| {
            let object = call.operand(1);
            object.opcode() != Some(Opcode::LLVMAlloca) || object.name().starts_with('.') || !is_known(object)
        });
    }
}

/// Whether more is done with an address than to access what it points to.
fn is_known(address: Value<'_>) -> bool {
    address.users().any(|user| match user.opcode() {
        Some(Opcode::LLVMLoad | Opcode::LLVMICmp) => false,
        Some(Opcode::LLVMStore) => user.operand(0) == address,
        Some(Opcode::LLVMGetElementPtr | Opcode::LLVMBitCast) => is_known(user),
        Some(Opcode::LLVMCall) => !callee_name(user).starts_with("llvm."),
        _ => true,
    })
}
