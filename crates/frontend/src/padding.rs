//! Copies of objects whose last bytes may belong to somebody else.
//!
//! A member of a derived class, or one behind a member with `no_unique_address`, may lie in the tail padding of a class. Clang copies
//! the whole of the class into a new object, padding and all; the language copies members only (C++20, [class.copy.ctor]).
//! Clang names the type without its padding after the class, with `.base`: so much is copied.
//!
//! A `memcpy` of the program copies what it says. It is still a call here ([`CALLS`]), and becomes a copy after that. (One that is
//! spelt `__builtin_memcpy` is taken for clang's.)

use crate::llvm::{Module, Opcode, Type};
use crate::omp::callee_name;

/// What functions are marked with in which `memcpy` is a call.
const CALLS: &str = "no-builtin-memcpy";

/// Shortens the copies into new local objects, then makes copies of the program's calls.
pub fn leave_out(llvm: &mut Module) {
    shorten(llvm);
    llvm.copy_by_intrinsic(c"memcpy");
}

fn shorten(llvm: &Module) {
    let told_apart = || llvm.functions().filter(|f| f.has_text_attribute(CALLS));
    let code = || told_apart().flat_map(|f| f.blocks()).flat_map(|b| b.instructions());
    let copies = code().filter(|i| {
        i.opcode() == Some(Opcode::LLVMCall)
            && callee_name(*i).starts_with("llvm.memcpy.")
            && i.operand(0).opcode() == Some(Opcode::LLVMAlloca)
    });
    for copy in copies.collect::<Vec<_>>() {
        let ty = copy.operand(0).allocated_type();
        let whole = copy.operand(2).constant_int() == Some(llvm.size_of(ty) as i64);
        if let Some(base) = without_padding(llvm, ty).filter(|_| whole) {
            llvm.set_int_argument(copy, 2, llvm.size_of(base) as i64);
        }
    }
}

/// The class without its tail padding, where clang has a type for that.
fn without_padding<'m>(llvm: &'m Module, ty: Type<'m>) -> Option<Type<'m>> {
    llvm.named_type(&format!("{}.base", ty.struct_name()?))
}
