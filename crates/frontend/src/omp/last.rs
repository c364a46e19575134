//! The end of a loop with `lastprivate` or `linear`: what the thread does that has executed the last iteration.
//!
//! clang writes the variables back behind the loop, where a flag says that the last iteration was among the thread's
//! (blocks `.omp.lastprivate.then` and `.omp.linear.pu`). That is a part of that iteration, not of what every thread
//! does; calls around it tell the machine so.
//!
//! The thread may have executed other pieces behind the last iteration, since their order is open. What the iteration has left
//! in the variables is taken back first (`__rp_last_restore`). That gives back bytes, which is not all of an object that holds addresses and is copied by a
//! function: where other pieces have followed, such an object makes the verdict `unknown` (`__rp_last_restore_object`).
//!
//! clang ends such a loop with a barrier even if it has `nowait`, so that nobody writes the variable before. The language
//! does not promise that: the barrier is taken out.

use super::schedule::{EXPLICIT, Ident, Shares, begins_loop, ident, note_kind};
use super::{callee_name, carried};
use crate::llvm::{Block, Module, Opcode, Type, TypeKind, Value};

/// Puts the calls in.
pub fn mark<'m>(llvm: &'m Module, shares: &Shares<'m, '_>) {
    for function in llvm.functions() {
        for (part, done) in parts(function) {
            let barrier = done.instructions().find(|i| callee_name(*i) == "__kmpc_barrier");
            if let Some(barrier) = barrier {
                drop_barrier(llvm, shares, barrier);
            }
            if let (Some(from), Some(to)) = (first(part), first(done)) {
                llvm.call_before(from, c"__rp_last_begin", None);
                llvm.call_before(to, c"__rp_last_end", None);
            }
        }
    }
}

/// Puts in the calls that take the variables back, when it is known what pieces carry on ([`carried`]).
pub fn restore(llvm: &Module) {
    for function in llvm.functions() {
        for (part, done) in parts(function) {
            let Some(from) = first(part) else { continue };
            for variable in variables(part, done) {
                let call = match is_object(variable, part, done) {
                    true => c"__rp_last_restore_object",
                    false => c"__rp_last_restore",
                };
                llvm.call_with_address(from, call, variable);
            }
        }
    }
}

/// Where variables are written back, and where what follows begins.
fn parts<'m>(function: Value<'m>) -> Vec<(Block<'m>, Block<'m>)> {
    let named = |b: &Block<'_>| {
        let name = b.name();
        let linear = name.starts_with(".omp.linear.pu") && !name.starts_with(".omp.linear.pu.done");
        name.starts_with(".omp.lastprivate.then") || linear
    };
    let behind = |part: Block<'m>| {
        let [before] = part.predecessors()[..] else { return None };
        let [then, done] = before.successors()[..] else { return None };
        (then == part).then_some((part, done))
    };
    function.blocks().filter(named).filter_map(behind).collect()
}

/// The blocks from one to before another.
fn between<'m>(from: Block<'m>, to: Block<'m>) -> Vec<Block<'m>> {
    let (mut blocks, mut at) = (vec![from], 0);
    while let Some(&block) = blocks.get(at) {
        at += 1;
        for next in block.successors() {
            if next != to && !blocks.contains(&next) {
                blocks.push(next);
            }
        }
    }
    blocks
}

/// Whether values of a type hold addresses.
fn has_pointers(ty: Type<'_>) -> bool {
    match ty.kind() {
        TypeKind::LLVMPointerTypeKind => true,
        TypeKind::LLVMStructTypeKind => (0..ty.len() as u32).any(|n| has_pointers(ty.member(n))),
        TypeKind::LLVMArrayTypeKind => has_pointers(ty.element()),
        _ => false,
    }
}

/// Whether a function, not a copy of bytes, writes a variable back that holds addresses.
fn is_object<'m>(variable: Value<'m>, from: Block<'m>, to: Block<'m>) -> bool {
    if !has_pointers(variable.allocated_type()) {
        return false;
    }
    let blocks = between(from, to);
    let calls = |u: &Value<'m>| {
        let name = callee_name(*u);
        let is_call = matches!(u.opcode(), Some(Opcode::LLVMCall | Opcode::LLVMInvoke));
        is_call && !name.starts_with("llvm.") && !name.starts_with("__rp_")
    };
    // An array of objects is walked by pointers to its elements; a reference is loaded first.
    let mut pointers = vec![variable];
    let mut at = 0;
    while let Some(&pointer) = pointers.get(at) {
        at += 1;
        for user in pointer.users().filter(|u| blocks.contains(&u.parent())) {
            if calls(&user) {
                return true;
            }
            let goes_on = [Opcode::LLVMGetElementPtr, Opcode::LLVMPHI].map(Some).contains(&user.opcode());
            if goes_on && !pointers.contains(&user) {
                pointers.push(user);
            }
        }
        let kept =
            pointer.users().filter(|u| u.opcode() == Some(Opcode::LLVMStore) && u.operand(0) == pointer);
        let places = kept.map(|store| store.operand(1)).filter(|p| p.opcode() == Some(Opcode::LLVMAlloca));
        let loads = places.flat_map(|p| p.users()).filter(|u| u.opcode() == Some(Opcode::LLVMLoad));
        let new: Vec<_> = loads.filter(|l| !pointers.contains(l)).collect();
        pointers.extend(new);
    }
    false
}

/// The stack objects that the code between two blocks uses and that pieces may change: not the pointers to where the variables
/// are written back to.
fn variables<'m>(from: Block<'m>, to: Block<'m>) -> Vec<Value<'m>> {
    let mut found = Vec::new();
    for block in between(from, to) {
        let operands = block.instructions().flat_map(|i| (0..i.operand_count()).map(move |n| i.operand(n)));
        for alloca in operands.filter(|o| o.opcode() == Some(Opcode::LLVMAlloca)) {
            let pointer = alloca.allocated_type().kind() == TypeKind::LLVMPointerTypeKind;
            let marked = alloca.users().any(|user| carried::is_mark(&callee_name(user)));
            let changes = !pointer || marked || carried::is_passed(alloca);
            if changes && !found.contains(&alloca) {
                found.push(alloca);
            }
            // A reference to the copy (of a member, in C++).
            let stores =
                alloca.users().filter(|u| u.opcode() == Some(Opcode::LLVMStore) && u.operand(1) == alloca);
            for copy in stores.map(|store| store.operand(0)) {
                if copy.opcode() == Some(Opcode::LLVMAlloca) && !found.contains(&copy) {
                    found.push(copy);
                }
            }
        }
    }
    found
}

fn first<'m>(block: Block<'m>) -> Option<Value<'m>> {
    let plain = |i: &Value<'m>| !matches!(i.opcode(), Some(Opcode::LLVMPHI | Opcode::LLVMLandingPad));
    block.instructions().find(plain)
}

/// Takes out the barrier at the end of a construct with `nowait`, which the last of the calls begins that come before it.
fn drop_barrier<'m>(llvm: &Module, shares: &Shares<'m, '_>, barrier: Value<'m>) {
    let Some(place) = ident(barrier).filter(|place| place.flags & EXPLICIT == 0) else { return };
    let calls = barrier.parent().function().blocks().flat_map(|b| b.instructions());
    let before = calls.take_while(|i| *i != barrier).filter(|i| begins_loop(&callee_name(*i)));
    let same = |i: &Ident| (i.line, i.column, &i.file) == (place.line, place.column, &place.file);
    let Some(begin) = before.filter(|i| ident(*i).as_ref().is_some_and(same)).last() else { return };
    let asked: Vec<bool> = shares.of(begin).iter().map(|d| d.has("nowait")).collect();
    if asked.iter().all(|a| *a) && !asked.is_empty() {
        // A function of the same type that does nothing.
        llvm.set_callee(barrier, c"__kmpc_begin");
    } else if asked.contains(&true) {
        let why = "OpenMP barrier: of several constructs in one line, it is not clear which it belongs to";
        llvm.set_note(barrier, note_kind(llvm), why);
    }
}
