//! `lastprivate(conditional:)`, which clang 19 does not translate as the language says.
//!
//! Clang keeps the number of the last iteration that assigned in a global that nobody resets: the second time that the
//! construct is executed, an assignment in an earlier iteration than before is lost, and the variable is left with a value
//! that nobody gave it. What is run is not what the source says (OpenMP 5.2, 5.4.5), so reaching such a construct is
//! `unknown`. Like loops (see [`super::schedule`]) constructs are known by their `ident_t`; those that call
//! nobody (`simd`) make the whole program `unknown`.

use ir::directives::Clause;
use ir::{Directive, Directives};

use super::callee_name;
use super::schedule::{begins_loop, ident, note_kind};
use crate::llvm::Module;

/// Marks the constructs; gives a remark for each that cannot be marked.
pub fn mark(llvm: &Module, directives: &Directives) -> Vec<String> {
    let calls = llvm.functions().flat_map(|f| f.blocks()).flat_map(|b| b.instructions());
    for call in calls.filter(|call| begins_loop(&callee_name(*call))) {
        let Some(place) = ident(call) else { continue };
        if directives.at(&place.file, place.line).iter().any(is_conditional) {
            llvm.set_note(call, note_kind(llvm), &reason(place.line));
        }
    }
    let silent = |d: &Directive| is_conditional(d) && !d.shares_work();
    directives.iter().filter(|d| silent(d)).map(|d| reason(d.line)).collect()
}

fn reason(line: u32) -> String {
    format!(
        "OpenMP `lastprivate(conditional:)` in line {line}: clang 19 does not translate it as the language says"
    )
}

fn is_conditional(directive: &Directive) -> bool {
    let modified =
        |args: &String| args.split_once(':').is_some_and(|(modifier, _)| modifier.trim() == "conditional");
    let is = |c: &Clause| c.name == "lastprivate" && c.args.as_ref().is_some_and(modified);
    directive.clauses.iter().any(is)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_modifier_is_told_from_a_variable_of_that_name() {
        let of = |clause: &str| is_conditional(&crate::directives::one(&format!("for {clause}")));
        assert!(of("lastprivate(conditional: x)") && of("lastprivate( conditional :x, y)"));
        assert!(!of("lastprivate(conditional)") && !of("lastprivate(x) firstprivate(conditional)"));
    }
}
