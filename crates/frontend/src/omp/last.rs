//! The end of a loop with `lastprivate` or `linear`: what the thread does that has executed the last iteration.
//!
//! clang writes the variables back behind the loop, where a flag says that the last iteration was among the thread's
//! (blocks `.omp.lastprivate.then` and `.omp.linear.pu`). That is a part of that iteration, not of what every thread
//! does; calls around it tell the machine so.
//!
//! clang ends such a loop with a barrier even if it has `nowait`, so that nobody writes the variable before. The language
//! does not promise that: the barrier is taken out.

use super::callee_name;
use super::directives::Directives;
use crate::llvm::{Block, Module, Opcode, Value};

/// Puts the calls in.
pub fn mark(llvm: &Module, directives: &Directives) {
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
            let barrier = done.instructions().find(|i| callee_name(*i) == "__kmpc_barrier");
            if let Some(barrier) = barrier.filter(|b| has_nowait(directives, *b)) {
                // A function of the same type that does nothing.
                llvm.set_callee(barrier, c"__kmpc_begin");
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

/// Whether the directive to which an instruction belongs has `nowait`.
fn has_nowait(directives: &Directives, instruction: Value<'_>) -> bool {
    let Some(at) = instruction.location() else { return false };
    let Some((directory, name)) = at.scope.file().and_then(|f| f.file_name()) else { return false };
    let named = directives.at(&name, at.line);
    let all = if named.is_empty() { directives.at(&format!("{directory}/{name}"), at.line) } else { named };
    all.iter().any(|d| d.has("nowait"))
}
