//! The few changes that the front end makes to a module before it is lowered; see the parent module for the rules.

use llvm_sys::core::*;

use super::{Module, Opcode, Value};

impl Module {
    /// Makes an argument of a call an integer constant of the same type.
    pub fn set_int_argument(&self, call: Value<'_>, index: u32, value: i64) {
        assert!(matches!(call.opcode(), Some(Opcode::LLVMCall | Opcode::LLVMInvoke)));
        assert!(index < call.arg_count());
        // SAFETY: a live call and an argument of integer type; handles on the old constant stay valid, since constants
        // live as long as the context.
        unsafe {
            let ty = LLVMTypeOf(call.operand(index).raw);
            assert!(!LLVMIsAConstantInt(call.operand(index).raw).is_null());
            LLVMSetOperand(call.raw, index, LLVMConstInt(ty, value as u64, 0));
        }
    }

    /// Makes a call call another function of the same type.
    pub fn set_callee(&self, call: Value<'_>, to: &std::ffi::CStr) {
        assert!(call.opcode() == Some(Opcode::LLVMCall));
        // SAFETY: a live call, whose last operand is the callee; the function is declared with the type of the call.
        unsafe {
            let mut function = LLVMGetNamedFunction(self.module, to.as_ptr());
            if function.is_null() {
                function = LLVMAddFunction(self.module, to.as_ptr(), LLVMGetCalledFunctionType(call.raw));
            }
            LLVMSetOperand(call.raw, LLVMGetNumOperands(call.raw) as u32 - 1, function);
        }
    }

    /// Lets an alloca's address escape to a function of this name, right behind it, so that no pass makes registers of
    /// the object.
    pub fn let_escape(&self, alloca: Value<'_>, to: &std::ffi::CStr) {
        assert!(alloca.opcode() == Some(Opcode::LLVMAlloca));
        // SAFETY: the function is declared once with the type that the call has; an alloca is followed by another
        // instruction of its block, before which the call is inserted. No handle is invalidated.
        unsafe {
            let pointer = LLVMPointerTypeInContext(self.context, 0);
            let mut params = [pointer];
            let void = LLVMVoidTypeInContext(self.context);
            let ty = LLVMFunctionType(void, params.as_mut_ptr(), 1, 0);
            let mut function = LLVMGetNamedFunction(self.module, to.as_ptr());
            if function.is_null() {
                function = LLVMAddFunction(self.module, to.as_ptr(), ty);
            }
            let mut next = LLVMGetNextInstruction(alloca.raw);
            while !LLVMIsAAllocaInst(next).is_null() {
                next = LLVMGetNextInstruction(next);
            }
            LLVMPositionBuilderBefore(self.builder, next);
            let mut args = [alloca.raw];
            LLVMSetCurrentDebugLocation2(self.builder, std::ptr::null_mut());
            LLVMBuildCall2(self.builder, ty, function, args.as_mut_ptr(), 1, c"".as_ptr());
            LLVMClearInsertionPosition(self.builder);
        }
    }
}
