//! Private state that one piece of a loop could leave to the next.
//!
//! Where the distribution of a construct is open, the pieces that a thread executes one after another may come from any
//! place of it, so a private variable that lives across pieces makes the program depend on the distribution. Such a
//! variable must not become a register: observers must see who reads what another piece has left.
//!
//! A stack object is kept if some piece ([`super::region`]) may write it, through whatever pointer ([`super::pointers`]), and it may
//! be read behind the call that hands out pieces before it is written as a whole. An object that is itself an argument of a
//! call stays in memory, and in sight, anyway. That nothing was overlooked is checked when the registers are there
//! ([`super::pieces::check`]).

use super::callee_name;
use super::pointers::{Pointers, Uses};
use super::region::{self, Region};
use super::simd;
use crate::llvm::meta::NoteKind;
use crate::llvm::{Module, Opcode, Value};

/// The function that kept objects seem to escape to.
const MARK: &std::ffi::CStr = c"__rp_carried";

/// Whether calls of the function are marks, not code.
pub fn is_mark(name: &str) -> bool {
    MARK.to_bytes() == name.as_bytes()
}

/// Who is told of the accesses to a stack object.
pub fn sight(alloca: Value<'_>, lane: NoteKind) -> ir::Sight {
    if alloca.note(lane).is_some() {
        return ir::Sight::Hidden;
    }
    if alloca.users().any(|u| is_mark(&callee_name(u))) {
        return ir::Sight::Visible;
    }
    let name = alloca.name();
    let bounds = name.starts_with(".omp.") && !name.starts_with(".omp.reduction");
    let ours = |user: Value<'_>| match user.opcode() {
        Some(Opcode::LLVMLoad) => true,
        Some(Opcode::LLVMStore) => user.operand(1) == alloca,
        Some(Opcode::LLVMCall) => {
            let callee = callee_name(user);
            callee.starts_with("__kmpc_") || callee.starts_with("llvm.dbg.")
        }
        _ => false,
    };
    if bounds && alloca.users().all(ours) { ir::Sight::Hidden } else { ir::Sight::Auto }
}

/// Keeps a stack object in memory and in sight.
pub fn keep_in_sight(llvm: &Module, alloca: Value<'_>) {
    llvm.let_escape(alloca, MARK);
}

/// Marks what must stay in memory.
pub fn keep(llvm: &Module) {
    for function in llvm.functions() {
        let regions = Region::all(function);
        if regions.is_empty() {
            continue;
        }
        let pointers = Pointers::new(llvm, function);
        for (object, uses) in pointers.objects.iter().zip(pointers.uses(llvm, function)) {
            let carried = || regions.iter().any(|r| writes(r, &uses) && reads_first(r, &uses));
            if object.name().starts_with(".omp.copyprivate.did_it") {
                // Who executed the `single` is for the runtime to know.
                llvm.set_note(*object, simd::note_kind(llvm), "");
                keep_in_sight(llvm, *object);
            } else if !is_passed(*object) && carried() {
                keep_in_sight(llvm, *object);
            }
        }
    }
}

/// Whether an object's address is an argument of a call, so that no pass takes it out of memory.
pub fn is_passed(object: Value<'_>) -> bool {
    let intrinsic = |call: Value<'_>| callee_name(call).starts_with("llvm.");
    let calls = |u: &Value<'_>| matches!(u.opcode(), Some(Opcode::LLVMCall | Opcode::LLVMInvoke));
    object.users().filter(calls).any(|call| !intrinsic(call))
}

/// Whether a piece may write an object.
fn writes<'m>(region: &Region<'m>, uses: &Uses<'m>) -> bool {
    uses.iter().any(|(i, effect)| effect.writes && region.inside.contains(i))
}

/// Whether, behind the head, an object may be read before it is written as a whole.
fn reads_first<'m>(region: &Region<'m>, uses: &Uses<'m>) -> bool {
    let mut read = false;
    region::walk(region.head, |instruction| {
        let effect = uses.get(&instruction).copied().unwrap_or_default();
        read |= effect.reads;
        !read && !effect.kills
    });
    read
}
