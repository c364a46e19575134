//! From piece to piece: the way back, and the proof that no register carries a value along it.
//!
//! The machine hands out the pieces of a loop or of `sections` whose mapping is open one by one, though clang's code, made for a
//! static mapping, runs once through. So the code is made a loop ([`ways_back`]): in place of `__kmpc_for_static_fini`
//! stands a call of [`NEXT`] that asks for another piece, and a branch back to behind `__kmpc_for_static_init_*`. Since the way
//! is there before locals become registers, values take it like any other way, by phi nodes.
//!
//! A phi node keeps the value, but nobody sees it being carried. [`super::carried`] keeps such variables in memory; that it has
//! overlooked none is checked when the registers are there ([`check`]): no value that a piece computes may still be
//! needed behind the call that hands out the next one. Where one is, reaching the construct makes the verdict `unknown`.
//!
//! Code in which values are registers already (bitcode that was optimised) has lost the phi nodes that the way back would
//! have needed. Its registers are put in memory first ([`has_registers`]).

use rustc_hash::FxHashSet;

use super::callee_name;
use super::region::{self, Head, Region};
use super::schedule::{self, Bound};
use crate::llvm::{Block, Module, Opcode, Value};

/// Asks for the next piece.
pub const NEXT: &std::ffi::CStr = c"__rp_next_piece";

/// Whether a call asks for the next piece.
pub fn is_next(name: &str) -> bool {
    NEXT.to_bytes() == name.as_bytes()
}

/// Whether a piece has values in registers that clang leaves in memory: one that is needed behind the pieces, or one that a loop
/// takes over from before them.
pub fn has_registers(llvm: &Module) -> bool {
    let regions = llvm.functions().flat_map(Region::all);
    regions.into_iter().any(|region| {
        let known = |v: &Value<'_>| region.inside.contains(v);
        let outside = |phi: Value<'_>| is_of_loop(phi) && !phi.incoming().iter().all(|(v, _)| known(v));
        region.inside.iter().any(|value| {
            value.users().any(|u| !known(&u)) || (value.opcode() == Some(Opcode::LLVMPHI) && outside(*value))
        })
    })
}

/// The phi nodes of a block.
fn phis<'m>(block: Block<'m>) -> Vec<Value<'m>> {
    block.instructions().take_while(|i| i.opcode() == Some(Opcode::LLVMPHI)).collect()
}

/// Whether a phi node has a value from a block that only comes to it by itself.
fn is_of_loop(phi: Value<'_>) -> bool {
    let block = phi.parent();
    let entry = block.function().blocks().next();
    // The blocks that can be come to without the phi's.
    let mut seen = FxHashSet::default();
    let mut stack: Vec<_> = entry.into_iter().filter(|b| *b != block).collect();
    while let Some(at) = stack.pop() {
        if seen.insert(at) {
            stack.extend(at.successors().into_iter().filter(|b| *b != block));
        }
    }
    phi.incoming().iter().any(|(_, from)| !seen.contains(from))
}

/// Puts in the ways back.
pub fn ways_back(llvm: &Module) {
    for function in llvm.functions() {
        let calls = function.blocks().flat_map(|b| b.instructions());
        let begins: Vec<_> = calls.filter(|i| matches!(schedule::bound(*i), Some(Bound::Begin))).collect();
        let ends: Vec<Vec<_>> = begins.iter().map(|b| ends(*b)).collect();
        let mut taken = FxHashSet::default();
        let twice = ends.iter().flatten().any(|e| !taken.insert(*e));
        for (begin, ends) in begins.into_iter().zip(ends) {
            if twice || ends.iter().any(|e| e.opcode() != Some(Opcode::LLVMCall)) {
                let why = "OpenMP construct of which the end is not clear";
                llvm.set_note(begin, schedule::note_kind(llvm), why);
                continue;
            }
            let head = llvm.split_behind(begin, c"rp.piece");
            ends.into_iter().for_each(|end| llvm.go_back_if(end, NEXT, head));
        }
    }
}

/// The calls that end what a call begins.
fn ends(begin: Value<'_>) -> Vec<Value<'_>> {
    let mut found = Vec::new();
    region::walk(begin, |i| match schedule::bound(i) {
        Some(Bound::End) => {
            found.push(i);
            false
        }
        Some(Bound::Begin) => false,
        None => true,
    });
    found
}

/// Makes a construct unsupported that carries a value from piece to piece in a register.
pub fn check(llvm: &Module) {
    for function in llvm.functions() {
        for region in Region::all(function) {
            let carries = match region.kind {
                Head::Static => comes_back(&region),
                Head::Dispatch => region.inside.iter().any(|value| is_carried(&region, *value)),
                Head::Single => comes_out(&region),
            };
            if carries {
                let why =
                    "OpenMP construct: a private value goes from one of its pieces to the next, out of sight";
                llvm.set_note(region.head, schedule::note_kind(llvm), why);
            }
        }
    }
}

/// Whether a phi node takes a value on the way back that it does not have already.
fn comes_back(region: &Region<'_>) -> bool {
    let asks = |b: &Block<'_>| b.instructions().any(|i| is_next(&callee_name(i)));
    let heads = region.head.parent().successors();
    heads.into_iter().flat_map(phis).any(|phi| {
        let incoming = phi.incoming();
        let first: Vec<_> = incoming.iter().filter(|(_, from)| !asks(from)).map(|(v, _)| *v).collect();
        let back = incoming.iter().filter(|(_, from)| asks(from));
        back.into_iter().any(|(v, _)| *v != phi && first != [*v])
    })
}

/// Whether a phi node outside takes a value from a piece.
fn comes_out(region: &Region<'_>) -> bool {
    let blocks: FxHashSet<_> = region.inside.iter().map(|i| i.parent()).collect();
    let outside = |b: &Block<'_>| !blocks.contains(b) && *b != region.head.parent();
    let exits = blocks.iter().flat_map(|b| b.successors()).filter(outside);
    exits.into_iter().flat_map(phis).any(|phi| phi.incoming().iter().any(|(_, from)| blocks.contains(from)))
}

/// Whether a value that a piece computes is needed behind the head, before it is computed again.
fn is_carried<'m>(region: &Region<'m>, value: Value<'m>) -> bool {
    let block = value.parent();
    if value.users().all(|u| u.parent() == block && u.opcode() != Some(Opcode::LLVMPHI))
        && block != region.head.parent()
    {
        return false;
    }
    let mut needed = false;
    region::walk(region.head, |instruction| {
        let again = instruction == value;
        needed |= !again && needs(instruction, value);
        !again && !needed
    });
    needed
}

/// Whether an instruction needs a value. A phi node does not, but the jump to it.
fn needs<'m>(instruction: Value<'m>, value: Value<'m>) -> bool {
    let block = instruction.parent();
    let jumps = block.terminator() == Some(instruction);
    let given = |phi: Value<'m>| phi.incoming().contains(&(value, block));
    if jumps && block.successors().into_iter().flat_map(phis).any(given) {
        return true;
    }
    instruction.opcode() != Some(Opcode::LLVMPHI)
        && (0..instruction.operand_count()).any(|i| instruction.operand(i) == value)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a loop with the given phi node at its head, and body, is refused.
    fn refused(head: &str, phi: &str, last: &str) -> bool {
        let text = format!(
            "declare void @__kmpc_for_static_init_4(ptr, i32, i32)
             declare i32 @__kmpc_dispatch_next_4()
             declare i32 @__rp_next_piece()
             declare i32 @compute(i32)
             define i32 @f() {{
             entry:
               {head}
               br label %pieces
             pieces:
               {phi}
               {last}
               %more = icmp ne i32 %again, 0
               br i1 %more, label %pieces, label %done
             done:
               ret i32 0
             }}"
        );
        let llvm = Module::read(text.as_bytes(), "test.ll").expect("a module");
        check(&llvm);
        let code = llvm.functions().flat_map(|f| f.blocks()).flat_map(|b| b.instructions());
        code.into_iter().any(|i| i.note(schedule::note_kind(&llvm)).is_some())
    }

    #[test]
    fn registers_that_carry_values_are_refused() {
        let open = 34 | schedule::OPEN;
        let init = format!("call void @__kmpc_for_static_init_4(ptr null, i32 0, i32 {open})");
        let next = "%v = call i32 @compute(i32 %m)\n%again = call i32 @__rp_next_piece()";
        assert!(refused(&init, "%m = phi i32 [ 0, %entry ], [ %v, %pieces ]", next));
        assert!(refused(&init, "%m = phi i32 [ 0, %entry ], [ 1, %pieces ]", next));
        assert!(!refused(&init, "%m = phi i32 [ 0, %entry ], [ %m, %pieces ]", next));
        assert!(!refused(&init, "%m = phi i32 [ 7, %entry ], [ 7, %pieces ]", next));
        let next = "%again = call i32 @__kmpc_dispatch_next_4()\n%v = call i32 @compute(i32 %m)";
        assert!(refused("", "%m = phi i32 [ 0, %entry ], [ %v, %pieces ]", next));
        assert!(refused("", "%m = phi i32 [ 0, %entry ], [ 1, %pieces ]", next));
        assert!(!refused("", "%m = add i32 1, 2", "%again = call i32 @__kmpc_dispatch_next_4()"));
    }

    #[test]
    fn values_that_come_out_of_a_single_are_refused() {
        let refused = |value: &str| {
            let text = format!(
                "declare i32 @__kmpc_single()
                 declare void @__kmpc_end_single()
                 define i32 @f() {{
                   %mine = call i32 @__kmpc_single()
                   %is = icmp ne i32 %mine, 0
                   br i1 %is, label %then, label %done
                 then:
                   %v = add i32 %mine, 1
                   call void @__kmpc_end_single()
                   br label %done
                 done:
                   {value}
                   ret i32 %m
                 }}"
            );
            let llvm = Module::read(text.as_bytes(), "test.ll").expect("a module");
            check(&llvm);
            let code = llvm.functions().flat_map(|f| f.blocks()).flat_map(|b| b.instructions());
            code.into_iter().any(|i| i.note(schedule::note_kind(&llvm)).is_some())
        };
        assert!(refused("%m = phi i32 [ 0, %0 ], [ 1, %then ]"));
        assert!(refused("%m = phi i32 [ 0, %0 ], [ %v, %then ]"));
        assert!(!refused("%m = add i32 %mine, 1"));
    }
}
