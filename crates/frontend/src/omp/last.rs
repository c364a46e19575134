//! The end of a loop with `lastprivate` or `linear`: what the thread does that has executed the last iteration.
//!
//! clang writes the variables back behind the loop, where a flag says that the last iteration was among the thread's
//! (blocks `.omp.lastprivate.then` and `.omp.linear.pu`). That is a part of that iteration, not of what every thread
//! does; calls around it tell the machine so.

use crate::llvm::{Block, Module, Opcode, Value};

/// Puts the calls in.
pub fn mark(llvm: &Module) {
    for function in llvm.functions() {
        let named = |b: &Block<'_>| {
            let name = b.name();
            let linear = name.starts_with(".omp.linear.pu") && !name.starts_with(".omp.linear.pu.done");
            name.starts_with(".omp.lastprivate.then") || linear
        };
        let parts: Vec<_> = function.blocks().filter(named).collect();
        for part in parts {
            let [before] = part.predecessors()[..] else { continue };
            let [then, done] = before.successors()[..] else { continue };
            if then != part {
                continue;
            }
            if let (Some(from), Some(to)) = (first(part), first(done)) {
                llvm.call_before(from, c"__rp_last_begin", None);
                llvm.call_before(to, c"__rp_last_end", None);
            }
        }
    }
}

fn first<'m>(block: Block<'m>) -> Option<Value<'m>> {
    let plain = |i: &Value<'m>| !matches!(i.opcode(), Some(Opcode::LLVMPHI | Opcode::LLVMLandingPad));
    block.instructions().find(plain)
}
