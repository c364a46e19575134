//! `strict` of `grainsize` and `num_tasks`, which clang 19 drops.
//!
//! It passes a `taskloop` with `grainsize(strict: g)` to the runtime like one without `strict`, and so allows splits that the
//! language does not (OpenMP 5.2, 12.6.1 and 12.6.2). Like loops (see [`super::schedule`]), the construct is known by the `ident_t` of the
//! call, and its clauses by the preprocessed source; [`STRICT`] is then added to the kind of split that the call asks for.

use ir::{Directive, Directives};

use super::callee_name;
use super::schedule::{ident, note_kind};
use crate::llvm::{Module, Value};

/// The bit that says that the split is fixed; the model of `__kmpc_taskloop` knows it.
const STRICT: i64 = 1 << 8;
/// The argument that holds the kind of split: 0 without a clause.
const KIND: u32 = 8;

/// Marks the loops.
pub fn mark(llvm: &Module, directives: &Directives) {
    for function in llvm.functions() {
        for call in function.blocks().flat_map(|b| b.instructions()) {
            if callee_name(call) == "__kmpc_taskloop" && call.arg_count() > KIND {
                decide(llvm, directives, call);
            }
        }
    }
}

fn decide(llvm: &Module, directives: &Directives, call: Value<'_>) {
    let Some(kind) = call.operand(KIND).constant_int().filter(|kind| *kind != 0) else { return };
    let place = ident(call);
    let at = place.as_ref().map_or(&[][..], |place| directives.at(&place.file, place.line));
    let strict: Vec<bool> = at.iter().filter(|d| d.has("taskloop")).map(is_strict).collect();
    match strict[..] {
        [first, ref others @ ..] if others.iter().all(|other| *other == first) => {
            if first {
                llvm.set_int_argument(call, KIND, kind | STRICT);
            }
        }
        _ => llvm.set_note(
            call,
            note_kind(llvm),
            "OpenMP taskloop: its source does not tell whether `grainsize` or `num_tasks` is strict",
        ),
    }
}

fn is_strict(directive: &Directive) -> bool {
    let strict = |args: &str| args.split_once(':').is_some_and(|(modifier, _)| modifier.trim() == "strict");
    ["grainsize", "num_tasks"].iter().filter_map(|clause| directive.args(clause)).any(strict)
}

#[cfg(test)]
mod tests {
    use super::is_strict;
    use crate::directives::one;

    #[test]
    fn strict_is_a_modifier() {
        assert!(is_strict(&one("taskloop grainsize(strict: 2)")));
        assert!(is_strict(&one("taskloop num_tasks( strict : n )")));
        assert!(!is_strict(&one("taskloop grainsize(a ? strict : 2)")));
        assert!(!is_strict(&one("taskloop num_tasks(strict)")));
    }
}
