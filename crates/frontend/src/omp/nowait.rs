//! Barriers that clang emits and the source does not ask for.
//!
//! A loop or `sections` with `lastprivate` ends with a barrier in clang's code even if it has `nowait` (clang 19,
//! `EmitOMPForDirective`). The language does not promise that barrier: whoever reads the variable behind such a construct races
//! with the thread that writes the last value back. So the call is taken out. Like loops (see [`super::schedule`]), a barrier
//! is known by its `ident_t`, which holds the line of the directive, and the clauses by the preprocessed source.
//!
//! The barrier that clang puts *before* a construct that initialises a variable by the one that it writes back to (`firstprivate` and
//! `lastprivate`, `linear`) is more than the language has, too: it orders the initialisations before the last value is written back
//! (OpenMP 5.2, 5.4.5), and nothing else. There a thread says that it has come (`__rp_enter`), and who writes back waits for
//! all of them.

use ir::Directive;

use super::callee_name;
use super::schedule::{EXPLICIT, Ident, Shares, begins_loop, ident, note_kind};
use crate::llvm::{Module, Value};

/// What is called instead of the barrier; lowering leaves such calls out.
const MARK: &std::ffi::CStr = c"raceproof.no.barrier";

/// What is called instead of a barrier at the entry of a construct.
const ENTER: &std::ffi::CStr = c"__rp_enter";

/// Whether a call stands for a barrier that was taken out.
pub fn is_mark(name: &str) -> bool {
    MARK.to_str().is_ok_and(|mark| mark == name)
}

/// Takes out the barriers at the end of constructs, and replaces those at their entry.
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
                replace(llvm, *call, at, &begins);
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
        _ => llvm.set_note(call, note_kind(llvm), UNCLEAR),
    }
}

const UNCLEAR: &str =
    "OpenMP barrier: of several constructs in one line, it is not clear which it belongs to";

/// Replaces the barrier that stands at position `at` if it is that of the entry of a construct.
fn replace(llvm: &Module, call: Value<'_>, at: usize, begins: &[(usize, &[&Directive])]) {
    let before: Vec<_> = begins.iter().filter(|(begin, _)| *begin > at).collect();
    let asked: Vec<&Directive> = before.iter().flat_map(|(_, d)| d.iter().copied()).collect();
    if !asked.iter().any(|d| waits_at_entry(d)) {
        return;
    }
    // `copyin` ends with a barrier of its own, at the same place, and so does another construct of it.
    let alone = before.len() == 1 && begins.len() == 1;
    match asked.iter().all(|d| waits_at_entry(d) && !d.has("copyin")) && alone {
        true => llvm.set_callee(call, ENTER),
        false => llvm.set_note(call, note_kind(llvm), UNCLEAR),
    }
}

/// Whether clang puts a barrier before it: a variable is initialised by the one that is written back.
fn waits_at_entry(directive: &Directive) -> bool {
    let last: Vec<&str> = directive.variables("lastprivate").collect();
    directive.variables("firstprivate").any(|v| last.contains(&v)) || directive.has("linear")
}

fn is_superfluous(directive: &Directive) -> bool {
    directive.has("nowait") && directive.has("lastprivate") && !directive.has("parallel")
}
