//! What clang 19 leaves out of the code of tasks: scheduling points at `target` constructs, the clause `mergeable`, and `untied` of a
//! `taskloop`, which matters where its tasks may be suspended: that is `unknown`.
//!
//! Without devices clang calls the function of a `target` region (`__omp_offloading_*`), and makes nothing of `target data`, `target enter
//! data`, `target exit data` and `target update`. All of them are task scheduling points (OpenMP 5.2, 12.9): at the beginning and at
//! the end of a region calls of `__rp_omp_point` are put in. Where the others were is not known any more; that there were some is told by
//! `__rp_omp_dropped`, before every creation of a task.
//!
//! A task with `mergeable` is allocated by a function of its own name.

use ir::{Directive, Directives};

use super::callee_name;
use super::schedule::{UNREAD, ident, note_kind};
use crate::llvm::{Module, Opcode, Value, ValueKind};

/// What allocates a task.
const ALLOC: &str = "__kmpc_omp_task_alloc";

/// Which of its arguments the function is.
const ENTRY: u32 = 5;

/// Why a `taskloop` with `untied` is not followed whose tasks may be suspended.
const TIED: &str = "OpenMP `taskloop untied` with task scheduling points: clang 19 makes tied tasks of it";

/// Puts the calls in.
pub fn mark(llvm: &Module, directives: &Directives) {
    let dropped = directives.iter().any(is_dropped);
    for function in llvm.functions() {
        let inside = function.name().starts_with("__omp_offloading_");
        let calls: Vec<Value<'_>> = function.blocks().flat_map(|b| b.instructions()).collect();
        for call in calls {
            let name = callee_name(call);
            if name.starts_with("__omp_offloading_") && !inside {
                llvm.call_before(call, c"__rp_omp_point", None);
                if let Some(next) = call.next().filter(|_| call.opcode() == Some(Opcode::LLVMCall)) {
                    llvm.call_before(next, c"__rp_omp_point", None);
                }
            }
            if name == ALLOC {
                if dropped {
                    llvm.call_before(call, c"__rp_omp_dropped", None);
                }
                let of = constructs(directives, call);
                if of.is_empty() && ident(call).is_some() {
                    llvm.set_note(call, note_kind(llvm), UNREAD);
                }
                if of.iter().any(|d| (d.has("task") || d.has("taskloop")) && d.has("mergeable")) {
                    llvm.set_callee(call, c"__kmpc_omp_task_alloc_mergeable");
                }
                if of.iter().any(|d| d.has("taskloop") && d.has("untied")) && stands(call.operand(ENTRY), 4) {
                    llvm.set_note(call, note_kind(llvm), TIED);
                }
            }
        }
    }
}

/// The directives of a line in which a task is allocated.
fn constructs<'d>(directives: &'d Directives, call: Value<'_>) -> &'d [Directive] {
    let place = ident(call).filter(|_| call.opcode() == Some(Opcode::LLVMCall));
    place.as_ref().map_or(&[][..], |place| directives.at(&place.file, place.line))
}

/// Whether a function, or one that it calls, may come to a task scheduling point.
fn stands(function: Value<'_>, depth: u32) -> bool {
    let calls = function.blocks().flat_map(|b| b.instructions());
    calls.filter(|i| matches!(i.opcode(), Some(Opcode::LLVMCall | Opcode::LLVMInvoke))).any(|call| {
        let name = callee_name(call);
        let harmless = name.starts_with("llvm.") || name.starts_with("omp_get_") || name.starts_with("__rp_");
        let known =
            call.callee().kind() == ValueKind::LLVMFunctionValueKind && !call.callee().is_declaration();
        !harmless && (!known || depth == 0 || stands(call.callee(), depth - 1))
    })
}

/// Whether clang makes no code of a directive that is a task scheduling point.
fn is_dropped(directive: &Directive) -> bool {
    let second = directive.words.get(1).map_or("", String::as_str);
    directive.first() == "target" && matches!(second, "data" | "enter" | "exit" | "update")
}

#[cfg(test)]
mod tests {
    use super::is_dropped;
    use crate::directives::one;

    #[test]
    fn data_directives_leave_no_code() {
        assert!(is_dropped(&one("target data map(a)")) && is_dropped(&one("target exit data map(a)")));
        assert!(is_dropped(&one("target update to(a)")));
        assert!(!is_dropped(&one("target map(data)")) && !is_dropped(&one("task depend(in: target)")));
    }
}
