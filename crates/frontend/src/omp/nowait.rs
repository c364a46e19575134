//! Barriers that clang emits and the source does not ask for.
//!
//! A loop or `sections` with `lastprivate` ends with a barrier in clang's code even if it has `nowait` (clang 19,
//! `EmitOMPForDirective`). The language does not promise that barrier: whoever reads the variable behind such a construct races
//! with the thread that writes the last value back. So the call is taken out. Like loops (see [`super::schedule`]), a barrier
//! is known by its `ident_t`, which holds the line of the directive, and the clauses by the preprocessed source.
//! The barrier that clang puts *before* such a construct where a variable is `firstprivate` as well stays: the language
//! orders all initialisations before the last value is written back (OpenMP 5.2, 5.4.5).

use ir::Directive;

use super::callee_name;
use super::schedule::{EXPLICIT, Ident, Shares, begins_loop, ident, note_kind};
use crate::llvm::{Module, Value};

/// What is called instead of the barrier; lowering leaves such calls out.
const MARK: &std::ffi::CStr = c"raceproof.no.barrier";

/// Whether a call stands for a barrier that was taken out.
pub fn is_mark(name: &str) -> bool {
    MARK.to_str().is_ok_and(|mark| mark == name)
}

/// Takes out the barriers.
pub fn drop_barriers<'m>(llvm: &'m Module, shares: &Shares<'m, '_>) {
    for function in llvm.functions() {
        let calls: Vec<Value<'m>> = function.blocks().flat_map(|b| b.instructions()).collect();
        let begins: Vec<(usize, Ident)> = calls
            .iter()
            .enumerate()
            .filter(|(_, call)| begins_loop(&callee_name(**call)))
            .filter_map(|(at, call)| Some((at, ident(*call)?)))
            .collect();
        for (at, call) in calls.iter().enumerate() {
            if callee_name(*call) == "__kmpc_barrier"
                && let Some(place) = ident(*call).filter(|place| place.flags & EXPLICIT == 0)
            {
                let same = |b: &Ident| (b.line, b.column, &b.file) == (place.line, place.column, &place.file);
                let begins = begins.iter().filter(|(_, b)| same(b));
                let begins: Vec<_> = begins.map(|(at, _)| (*at, shares.of(calls[*at]))).collect();
                decide(llvm, *call, at, &begins);
            }
        }
    }
}

/// Decides for the barrier that stands at position `at`, where the constructs of the same place begin at others.
fn decide(llvm: &Module, call: Value<'_>, at: usize, begins: &[(usize, &[&Directive])]) {
    let asked: Vec<bool> = begins.iter().flat_map(|(_, d)| d.iter()).map(|d| is_superfluous(d)).collect();
    if !asked.contains(&true) {
        return;
    }
    match *begins {
        [(begin, _)] if asked.iter().all(|a| *a) => {
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
