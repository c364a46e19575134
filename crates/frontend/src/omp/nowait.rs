//! Barriers that clang emits and the source does not ask for.
//!
//! A loop or `sections` with `lastprivate` ends with a barrier in clang's code even if it has `nowait` (clang 19,
//! `EmitOMPForDirective`). The language does not promise that barrier: whoever reads the variable behind such a construct races
//! with the thread that writes the last value back. So the call is taken out. Like loops (see [`super::schedule`]), a barrier
//! is known by its `ident_t`, which holds the line of the directive, and the clauses by the preprocessed source.
//! The barrier that clang puts *before* such a construct where a variable is `firstprivate` as well stays: the language
//! orders all initialisations before the last value is written back (OpenMP 5.2, 5.4.5).

use super::callee_name;
use super::directives::{Directive, Directives};
use super::schedule::{Ident, begins_loop, ident, note_kind};
use crate::llvm::{Module, Value};

/// What is called instead of the barrier; lowering leaves such calls out.
const MARK: &std::ffi::CStr = c"raceproof.no.barrier";

/// Whether a call stands for a barrier that was taken out.
pub fn is_mark(name: &str) -> bool {
    MARK.to_str().is_ok_and(|mark| mark == name)
}

/// Takes out the barriers.
pub fn drop_barriers(llvm: &Module, directives: &Directives) {
    for function in llvm.functions() {
        let calls: Vec<Value<'_>> = function.blocks().flat_map(|b| b.instructions()).collect();
        let begins: Vec<(usize, Ident)> = calls
            .iter()
            .enumerate()
            .filter(|(_, call)| begins_loop(&callee_name(**call)))
            .filter_map(|(at, call)| Some((at, ident(*call)?)))
            .collect();
        for (at, call) in calls.iter().enumerate() {
            if callee_name(*call) == "__kmpc_barrier"
                && let Some(place) = ident(*call)
            {
                let same = |b: &Ident| (b.line, b.column, &b.file) == (place.line, place.column, &place.file);
                let begins: Vec<usize> = begins.iter().filter(|(_, b)| same(b)).map(|(at, _)| *at).collect();
                decide(llvm, directives, *call, &place, (at, &begins));
            }
        }
    }
}

/// Decides for the barrier that stands at position `at`, where the constructs of the same place begin at others.
fn decide(
    llvm: &Module,
    directives: &Directives,
    call: Value<'_>,
    place: &Ident,
    (at, begins): (usize, &[usize]),
) {
    let constructs = directives.at(&place.file, place.line).iter().filter(|d| d.shares_work());
    let asked: Vec<bool> = constructs.map(is_superfluous).collect();
    if !asked.contains(&true) {
        return;
    }
    match *begins {
        [begin] if asked.iter().all(|a| *a) => {
            // Before the construct it is the one that the language asks for.
            if begin < at {
                llvm.set_callee(call, MARK);
            }
        }
        _ => llvm.set_note(
            call,
            note_kind(llvm),
            "OpenMP barrier: of several constructs in one line, it is not clear which it belongs to",
        ),
    }
}

fn is_superfluous(directive: &Directive) -> bool {
    directive.has("nowait") && directive.has("lastprivate") && !directive.has("parallel")
}
