//! Functions that are atomic by their names: the convention of the software verification community that the body of
//! a function `__VERIFIER_atomic_*` runs without interruption. They become atomic sections from their first instruction to
//! their return.

use crate::llvm::{Module, Opcode};

/// Puts the begin and the end of an atomic section into each such function.
pub fn mark(llvm: &Module) {
    for function in llvm.functions() {
        let name = function.name();
        let by_name = name.strip_prefix("__VERIFIER_atomic_").is_some_and(|n| n != "begin" && n != "end");
        if !by_name || function.is_declaration() {
            continue;
        }
        let mut instructions = function.blocks().take(1).flat_map(|block| block.instructions());
        let Some(first) = instructions.find(|i| i.opcode() != Some(Opcode::LLVMAlloca)) else { continue };
        let ends = function.blocks().filter_map(|block| block.terminator());
        let returns: Vec<_> = ends.filter(|end| end.opcode() == Some(Opcode::LLVMRet)).collect();
        llvm.call_before(first, c"__rp_atomic_begin", None);
        for end in returns {
            llvm.call_before(end, c"__rp_atomic_end", None);
        }
    }
}
