//! The end of a loop with `lastprivate` or `linear`: what the thread does that has executed the last iteration.
//!
//! clang writes the variables back behind the loop, where a flag says that the last iteration was among the thread's
//! (blocks `.omp.lastprivate.then` and `.omp.linear.pu`). That is a part of that iteration, not of what every thread
//! does; calls around it tell the machine so.
//!
//! The thread may have executed other pieces behind the last iteration, since their order is open. What the iteration has left
//! in the variables is taken back first (`__rp_last_restore`).
//!
//! clang ends such a loop with a barrier even if it has `nowait`, so that nobody writes the variable before. The language
//! does not promise that: the barrier is taken out.

use super::directives::Directives;
use super::{callee_name, carried};
use crate::llvm::{Block, Module, Opcode, TypeKind, Value};

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
                for variable in variables(part, done) {
                    llvm.call_with_address(from, c"__rp_last_restore", variable);
                }
                llvm.call_before(from, c"__rp_last_begin", None);
                llvm.call_before(to, c"__rp_last_end", None);
            }
        }
    }
}

/// The stack objects that the code between two blocks uses and that pieces may change: not the pointers to where the variables
/// are written back to.
fn variables<'m>(from: Block<'m>, to: Block<'m>) -> Vec<Value<'m>> {
    let (mut blocks, mut at, mut found) = (vec![from], 0, Vec::new());
    while let Some(&block) = blocks.get(at) {
        at += 1;
        for next in block.successors() {
            if next != to && !blocks.contains(&next) {
                blocks.push(next);
            }
        }
        let operands = block.instructions().flat_map(|i| (0..i.operand_count()).map(move |n| i.operand(n)));
        for alloca in operands.filter(|o| o.opcode() == Some(Opcode::LLVMAlloca)) {
            let pointer = alloca.allocated_type().kind() == TypeKind::LLVMPointerTypeKind;
            let carried = alloca.users().any(|user| carried::is_mark(&callee_name(user)));
            if (carried || !pointer) && !found.contains(&alloca) {
                found.push(alloca);
            }
        }
    }
    found
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
