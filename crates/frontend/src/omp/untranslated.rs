//! Directives that clang 19 accepts and does not translate as the language says.
//!
//! - `lastprivate(conditional:)`: clang keeps the number of the last iteration that assigned in a global that nobody resets: the second
//!   time that the construct is executed, an assignment in an earlier iteration than before is lost, and the variable is left with a
//!   value that nobody gave it (OpenMP 5.2, 5.4.5).
//! - `masked taskloop`, `atomic` with `weak`: no code is made of them at all.
//! - `reduction(inscan)` of a loop with `simd`: the lanes have one variable.
//! - `metadirective` whose variant depends on the constructs around it or on a value: clang takes the default.
//!
//! Bitcode whose source is not known has constructs of which only a part is left: the numbers that `firstprivate` copies, for one, are
//! not told from others. Its parallel regions are `unknown` as well.
//!
//! What is run is not what the source says, so reaching such a construct is `unknown`. Like loops (see [`super::schedule`]) constructs
//! are known by their `ident_t`; those that call nobody make the whole program `unknown`.

use ir::directives::Clause;
use ir::{Directive, Directives};

use super::callee_name;
use super::schedule::{UNREAD, begins_loop, ident, note_kind};
use crate::llvm::Module;

/// Marks the constructs; gives a remark for each that cannot be marked.
pub fn mark(llvm: &Module, directives: &Directives) -> Vec<String> {
    let calls = llvm.functions().flat_map(|f| f.blocks()).flat_map(|b| b.instructions());
    for call in calls {
        let name = callee_name(call);
        let forks = name.starts_with("__kmpc_fork_");
        if !forks && !begins_loop(&name) {
            continue;
        }
        let Some(place) = ident(call) else { continue };
        if forks && !directives.knows(&place.file) {
            llvm.set_note(call, note_kind(llvm), UNREAD);
        }
        if !forks && directives.at(&place.file, place.line).iter().any(is_conditional) {
            llvm.set_note(
                call,
                note_kind(llvm),
                &reason("lastprivate(conditional:)", &format!("in line {}", place.line)),
            );
        }
    }
    directives.iter().filter_map(|d| Some(reason(silent(d)?, &format!("at {}:{}", d.file, d.line)))).collect()
}

fn reason(what: &str, place: &str) -> String {
    format!("OpenMP `{what}` {place}: clang 19 does not translate it as the language says")
}

/// What there is in a directive that is not translated and leaves nothing that it could be known by.
fn silent(directive: &Directive) -> Option<&'static str> {
    if is_conditional(directive) && !directive.shares_work() {
        Some("lastprivate(conditional:)")
    } else if directive.has("masked") && directive.has("taskloop") {
        Some("masked taskloop")
    } else if directive.has("atomic") && directive.has("weak") {
        Some("atomic weak")
    } else if directive.has("metadirective") {
        Some("metadirective")
    } else if directive.has("simd") && directive.args("reduction").is_some_and(|args| args.contains("inscan"))
    {
        Some("reduction(inscan) with simd")
    } else {
        None
    }
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
    use crate::directives::one;

    #[test]
    fn the_modifier_is_told_from_a_variable_of_that_name() {
        let of = |clause: &str| is_conditional(&one(&format!("for {clause}")));
        assert!(of("lastprivate(conditional: x)") && of("lastprivate( conditional :x, y)"));
        assert!(!of("lastprivate(conditional)") && !of("lastprivate(x) firstprivate(conditional)"));
    }

    #[test]
    fn what_leaves_no_code_is_known_by_its_words() {
        let of = |text: &str| silent(&one(text));
        assert_eq!(of("parallel masked taskloop simd"), Some("masked taskloop"));
        assert_eq!(of("atomic compare capture weak"), Some("atomic weak"));
        assert_eq!(
            of("metadirective when(user={condition(n > 2)}: nothing) default(single)"),
            Some("metadirective")
        );
        assert_eq!(
            of("metadirective when(construct={parallel}: nothing) default(single)"),
            Some("metadirective")
        );
        assert_eq!(of("metadirective when(user={condition(1)}: for) default(single)"), None);
        assert_eq!((of("master taskloop"), of("masked"), of("atomic compare")), (None, None, None));
    }
}
