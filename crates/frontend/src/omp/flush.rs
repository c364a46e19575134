//! Flushes that clang emits and the source does not ask for, and what the others order.
//!
//! clang 19 puts a call of `__kmpc_flush` behind every `atomic` construct with a memory order. The language asks for less:
//! such a construct has a release flush at its entry, an acquire flush at its exit, or both, by its order (OpenMP 5.2, 15.8.4),
//! and that is what the order of the atomic instruction itself says. A full flush behind it would order what comes
//! later as well: a relaxed store behind an acquire read would release. So these calls are taken out. And of `flush
//! acquire` and `flush release`, which clang lowers alike, each gets its own.
//!
//! A call is known by its `ident_t`, which holds the line of the construct, and the directive by the preprocessed source.

use super::callee_name;
use super::directives::Directives;
use super::schedule::{ident, note_kind};
use crate::llvm::{Module, Value};

/// What is called instead; lowering leaves such calls out.
const MARK: &std::ffi::CStr = c"raceproof.no.flush";

/// Whether a call stands for a flush that was taken out.
pub fn is_mark(name: &str) -> bool {
    MARK.to_str().is_ok_and(|mark| mark == name)
}

/// Takes out the flushes of atomic constructs.
pub fn sort_out(llvm: &Module, directives: &Directives) {
    for function in llvm.functions() {
        let calls: Vec<Value<'_>> = function.blocks().flat_map(|b| b.instructions()).collect();
        for call in calls.into_iter().filter(|call| callee_name(*call) == "__kmpc_flush") {
            decide(llvm, directives, call);
        }
    }
}

fn decide(llvm: &Module, directives: &Directives, call: Value<'_>) {
    let Some(place) = ident(call).filter(|place| directives.knows(&place.file)) else {
        llvm.set_note(
            call,
            note_kind(llvm),
            "OpenMP flush: its source does not tell whether it belongs to an atomic construct",
        );
        return;
    };
    let mut flushes = directives.at(&place.file, place.line).iter().filter(|d| d.has("flush"));
    match flushes.next() {
        None => llvm.set_callee(call, MARK),
        // Several from one macro count as full ones.
        Some(_) if flushes.next().is_some() => {}
        Some(flush) if flush.has("acquire") => llvm.set_callee(call, c"__kmpc_flush_acquire"),
        Some(flush) if flush.has("release") => llvm.set_callee(call, c"__kmpc_flush_release"),
        Some(_) => {}
    }
}
