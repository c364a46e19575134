//! Flushes that clang emits and the source does not ask for, and what the others order.
//!
//! clang 19 puts a call of `__kmpc_flush` behind every `atomic` construct with a memory order. The language asks for less:
//! such a construct has a release flush at its entry, an acquire flush at its exit, or both, by its order (OpenMP 5.2, 15.8.4),
//! and that is what the order of the atomic instruction itself says. A full flush behind it would order what comes
//! later as well: a relaxed store behind an acquire read would release. So these calls are taken out. And of `flush
//! acquire` and `flush release`, which clang lowers alike, each gets its own. A flush with a list is neither of both
//! (OpenMP 5.2, 15.8.5): it orders nothing, and is taken out as well.
//!
//! A call is known by its `ident_t`, which holds the line of the construct, and the directive by the preprocessed source.

use ir::{Directive, Directives};

use super::callee_name;
use super::places::{Place, tell_apart};
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
    let (mut calls, mut places) = (Vec::new(), Vec::new());
    for (number, function) in llvm.functions().enumerate() {
        let code = function.blocks().flat_map(|b| b.instructions());
        for call in code.filter(|call| callee_name(*call) == "__kmpc_flush") {
            let place = ident(call).filter(|place| directives.knows(&place.file));
            places.push(place.as_ref().map_or_else(Place::unknown, |p| p.place(number, call)));
            calls.push((call, place.is_some()));
        }
    }
    let found = tell_apart(directives, &places, flushes);
    for ((call, known), may_be) in calls.into_iter().zip(found) {
        decide(llvm, call, known, &may_be);
    }
}

/// Whether clang puts a flush where the directive stands.
fn flushes(directive: &Directive) -> bool {
    let ordered = ["seq_cst", "acq_rel", "acquire", "release"].iter().any(|order| directive.has(order));
    directive.has("flush") || (directive.has("atomic") && ordered)
}

/// What becomes of a flush.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Becomes {
    Nothing,
    Acquire,
    Release,
    Full,
}

fn becomes(directive: &Directive) -> Becomes {
    if !directive.has("flush") || directive.argument.is_some() {
        Becomes::Nothing
    } else if directive.has("acquire") {
        Becomes::Acquire
    } else if directive.has("release") {
        Becomes::Release
    } else {
        Becomes::Full
    }
}

fn decide(llvm: &Module, call: Value<'_>, known: bool, may_be: &[&Directive]) {
    let all: Vec<_> = may_be.iter().map(|d| becomes(d)).collect();
    let clear = all.iter().all(|b| *b == all[0]);
    match all.first().copied().unwrap_or(Becomes::Nothing) {
        _ if !known || !clear => llvm.set_note(
            call,
            note_kind(llvm),
            "OpenMP flush: its source does not tell whether it belongs to an atomic construct",
        ),
        Becomes::Nothing => llvm.set_callee(call, MARK),
        Becomes::Acquire => llvm.set_callee(call, c"__kmpc_flush_acquire"),
        Becomes::Release => llvm.set_callee(call, c"__kmpc_flush_release"),
        Becomes::Full => {}
    }
}
