//! Initialisers of user-defined reductions that read the original variable (`omp_orig`).
//!
//! The language promises initialised copies (OpenMP 5.2, 5.5.2). clang lets every thread initialise its copy when it comes to the
//! construct, where another thread may have combined its own into the original already: the value would be another, and the two accesses would
//! seem to be a race. A call before such an initialisation lets the machine answer `unknown` where several threads take part.

use super::callee_name;
use crate::llvm::{Module, Opcode, Value};

/// Puts the calls in.
pub fn mark(llvm: &Module) {
    let uses = |name: &str| llvm.function(name).is_some_and(reads_original);
    for function in llvm.functions().filter(|f| !f.name().starts_with(".red_init.")) {
        let calls: Vec<_> = function.blocks().flat_map(|b| b.instructions()).collect();
        for call in calls {
            let name = callee_name(call);
            if name.starts_with(".omp_initializer.") && uses(&name) {
                llvm.call_before(call, c"__rp_omp_alone", None);
            }
        }
    }
}

/// Whether an initialiser does something with its second parameter.
fn reads_original(function: Value<'_>) -> bool {
    let code = || function.blocks().flat_map(|b| b.instructions());
    let stores = code().filter(|i| i.opcode() == Some(Opcode::LLVMStore)).nth(1);
    let Some(place) = stores.map(|s| s.operand(1)) else { return true };
    let used = |load: Value<'_>| load.users().next().is_some();
    code().any(|i| i.opcode() == Some(Opcode::LLVMLoad) && i.operand(0) == place && used(i))
}
